"""Run a computer player as a bot that plays over the network, in its own process.

The server may be on this machine or another one; both need the same version of Caltrop.
"""

from __future__ import annotations

from caltrop.errors import InputError


def bot(
    game: str,
    level: str = "",
    /,
    *,
    url: str = "http://127.0.0.1:8420",
    name: str = "",
    key: str = "",
    games: int = 2,
    offer: bool = False,
    scenario: str | None = None,
) -> int:
    """Run a computer player as a bot that plays over the network, until Ctrl+C.

    It plays in every game in which it has a seat. Its key is kept in the user's data folder, so that it is the same bot
    after a restart.

    Args:
        game: The game that it plays.
        level: The computer player, as `caltrop games` names them; an easy one by default.
        url: Address of the server.
        name: Name of the bot; by default after its level.
        key: A file with the bot's key, which is created if missing.
        games: Games in which it offers a seat or plays at the same time.
        offer: Offer a seat to anybody, and another one whenever it is taken.
        scenario: The battle of that game; its first by default.
    """
    import sys
    from pathlib import Path

    from caltrop.cli import DONE
    from caltrop.host.bot import Bot, key_in
    from caltrop.host.database import data_folder
    from caltrop.host.seats import ServerLibrary

    library = ServerLibrary()
    try:
        library.find(game)
        level = level or library.usual_player(game)
        if level not in library.playable(game):
            raise ValueError(f"there is no player {level!r}; there are {', '.join(library.players(game))}")
    except ValueError as error:
        raise InputError(str(error)) from None
    secret = key_in(Path(key) if key else data_folder() / f"bot-{game}-{level}.key")
    made = Bot(url, secret, game, level, name or f"{level} (a bot)"[:24], at_once=games)
    made.begin()
    print(f"The bot {made.name} plays at {url} (Ctrl+C ends it)", file=sys.stderr, flush=True)
    try:
        made.run(offer=offer, scenario=scenario)
    except KeyboardInterrupt:
        made.end()
    return DONE
