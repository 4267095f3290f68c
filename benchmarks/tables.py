"""Makes stored games: a game of each measured ruleset, played by recruits and copied many times."""

from __future__ import annotations

from pathlib import Path

from caltrop.chance import Seeded
from caltrop.host.making import new_game
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import Storage, StoredRow
from caltrop.wire.messages import NewGame

ACTS = 100
RULESETS = ("command-horizon", "hex-command", "blade-skirmish", "squad-action")


def played(library: ServerLibrary, name: str, acts: int = ACTS, seed: int = 1) -> list[StoredRow]:
    """Return the events of a game, up to some number of acts."""
    battles = [one for one in library.find(name).scenarios() if one.players == 2]
    scenario = max(battles, key=lambda one: one.minutes).id if acts > ACTS else None
    game = new_game(library, NewGame(ruleset=name, scenario=scenario, seats=("person", "person")))
    rows, dice, player = [game.created()], Seeded(seed), library.player("recruit", name)
    while game.over is None and game.acts < acts:
        _, asked = game.ids()[0]
        rows.append(game.act(asked, player.decide(asked, game.match.view(asked.side), dice)))
    return rows


def filled(path: Path, each: int) -> list[str]:
    """Fill a database with a number of tables of each ruleset, and return their names."""
    library, names = ServerLibrary(), []
    storage = Storage(str(path))
    for ruleset in RULESETS:
        rows = played(library, ruleset)
        for number in range(each):
            names.append(f"{ruleset[:12]}-{number}")
            storage.append(names[-1], rows)
    storage.close()
    return names
