"""Players seated at a match, and the loop that plays it to its end."""

from __future__ import annotations

from collections.abc import Callable

from caltrop.chance import Dice, Seeded
from caltrop.engine import Match, Outcome
from caltrop.players.protocol import Player
from caltrop.players.registry import maker_of


class Seated:
    """A match with a player for every side.

    Args:
        players: The player of each side.
        dice: Each player's own dice, separate from the game's.
    """

    def __init__(self, match: Match, players: tuple[Player, ...], dice: tuple[Dice, ...]) -> None:
        self.match, self.players, self.dice = match, players, dice

    def act(self) -> None:
        """Let the player answer whose decision comes first. Raises RuntimeError if no decision is open."""
        if not self.match.waiting:
            raise RuntimeError("nobody is asked, and the game is not over")
        asked = self.match.waiting[0]
        answer = self.players[asked.side].decide(asked, self.match.view(asked.side), self.dice[asked.side])
        self.match.follow(asked, answer)

    def play(self) -> Outcome:
        while (over := self.match.over) is None:
            self.act()
        return over


def players_of(match: Match, *names: str | Callable[[], Player], seed: int | str = 0) -> Seated:
    """Seat computer players by name.

    Raises ValueError for an unknown player of the game; the message names the nearest. Raises caltrop.InputError if a
    player from another package cannot be made.

    Args:
        names: The player of each side: a name such as `easy`, `MODULE:NAME`, or a function that makes the player.
        seed: Seed of the players' own dice.
    """
    game = match.ruleset.name
    return Seated(
        match,
        tuple(maker_of(name, game)() for name in names),
        tuple(Seeded(f"{seed} player {side}") for side in range(len(names))),
    )
