"""The levels of a game's players, weakest first, and their earlier names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from caltrop.players.judgement import PLAIN, Judgement, Style
from caltrop.players.protocol import Player

LEVELS = ("recruit", "regular", "veteran", "commander", "marshal")
"""The levels, weakest first. A game may lack the strongest levels."""

OTHER_NAMES: Mapping[str, str] = MappingProxyType({"easy": "recruit", "greedy": "regular", "heuristic": "veteran"})
"""Earlier names of levels, which are still accepted."""

WORDS = {
    "recruit": "plans as a veteran does, but misjudges odds and places, and forgets an objective now and then",
    "regular": "plans as a veteran does, and is sometimes wrong about odds and places",
    "commander": "plays several plans of a turn and the enemy's answer through, and follows the best",
    "marshal": "plays many plans of a turn and the enemy's answer through, and follows the best",
}


class Rung:
    """Makes the players of one level.

    Args:
        make: Returns a player with a given judgement.
        error: Size of the player's errors, in per cent.
        words: Description of how it plays, as a clause.
    """

    def __init__(self, make: Callable[[Judgement], Player], error: int, words: str, style: Style = PLAIN) -> None:
        self.make, self.error, self.words, self.style = make, error, words, style

    def __call__(self) -> Player:
        return self.make(Judgement(self.error, self.style))

    def styled(self, style: Style) -> Rung:
        return Rung(self.make, self.error, f"{self.words}; {style.words}", style)


def rungs(make: Callable[[Judgement], Player], words: str, recruit: int, regular: int) -> dict[str, Rung]:
    """Return the levels that do not search.

    Args:
        make: Returns a player of the game with a given judgement.
        words: Description of how the veteran plays, as a clause.
        recruit: Size of the recruit's errors, in per cent.
    """
    return {
        "recruit": Rung(make, recruit, WORDS["recruit"]),
        "regular": Rung(make, regular, WORDS["regular"]),
        "veteran": Rung(make, 0, words),
    }
