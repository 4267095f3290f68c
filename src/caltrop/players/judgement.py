"""The errors and the style of a player's judgement.

Every level of a game plans as its veteran does, and levels differ only in the size of their errors. An error is the
same whenever the same thing is evaluated again in the same turn, so a player carries out its decisions. The player's
own dice decide the errors. An error never makes a worthless thing worth something: it changes how good a shot seems,
not whether there is one.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import log
from typing import NamedTuple
from zlib import crc32

from caltrop.chance import Dice


class Style(NamedTuple):
    """Preferences of a player compared with others, in per cent."""

    name: str = ""
    words: str = ""
    danger: int = 100
    """Weight of the enemy's possible acts."""
    harm: int = 100
    """Amount that it counts what is done to the enemy."""
    goals: int = 100
    """Amount that it counts what the scenario is about."""


PLAIN = Style()
STYLES: Mapping[str, Style] = {
    style.name: style
    for style in (
        Style("bold", "seeks the fight and fears the answer less", danger=55, harm=115),
        Style("careful", "keeps out of the enemy's reach and strikes when it is safe", danger=170, harm=90),
        Style("objective", "goes for what the scenario is about before anything else", goals=160, harm=90),
    )
}
"""The styles that a level may be played in, written `veteran+bold`."""

_MOST = 95
"""Nobody takes what is good for worthless, in per cent."""
_FORGETS = 6
"""Size of an error at which the player forgets an objective in one of a hundred turns, in per cent."""
_AT_MOST = 45
"""Largest error, in per cent."""


class Judgement:
    """The judgement of a player.

    Args:
        error: The size of its errors, in per cent. At 100, places that differ by a game's grain are ordered correctly
            about three times in four. The worth of an attack is off by up to 95 per cent either way.
        seed: Decides the errors.
    """

    __slots__ = ("error", "seed", "style")

    def __init__(self, error: int = 0, style: Style = PLAIN, seed: int | None = None) -> None:
        self.error, self.style, self.seed = error, style, seed

    def begun(self, dice: Dice) -> Judgement:
        if not self.error or self.seed is not None:
            return self
        return Judgement(self.error, self.style, dice.below(1 << 48))

    def _drawn(self, *what: Hashable) -> float:
        return (crc32(repr((self.seed, what)).encode()) + 0.5) / (1 << 32)

    def slip(self, grain: int, who: Hashable, *what: Hashable) -> int:
        """Return how much better than it is a place or an act seems.

        Added to the worth of all options, it turns the choice of the best into a soft one: each option is chosen in
        proportion to the exponential of its worth.

        Args:
            grain: Difference between good and average in the game, in its own points.
            who: The unit that is to act.
            what: The thing that is judged, with the turn.
        """
        if not self.error:
            return 0
        return int(-log(-log(self._drawn("slip", who, *what))) * grain * self.error / 100)

    def odds(self, worth: int, who: Hashable, *what: Hashable) -> int:
        """Return the apparent worth of an attack.

        Args:
            who: The unit that is to act.
            what: The thing that is judged, with the turn.
        """
        return self.misjudged(worth * self.style.harm // 100, who, *what)

    def misjudged(self, worth: int, who: Hashable, *what: Hashable) -> int:
        """Return the apparent worth of an attack in which the style is already included.

        Args:
            worth: Its worth by the exact odds, in that style.
            who: The unit that is to act.
            what: The thing that is judged, with the turn.
        """
        if not self.error:
            return worth
        off = (2 * self._drawn("odds", who, *what) - 1) * min(self.error, 100) * _MOST / 10_000
        return int(worth * (1 + off))

    def forgets(self, *what: Hashable) -> bool:
        """Return whether something is overlooked this turn."""
        return self.error > 0 and self._drawn("forgets", *what) * 100 < min(self.error / _FORGETS, _AT_MOST)


SOUND = Judgement()
"""Judges as well as the game's player can."""
