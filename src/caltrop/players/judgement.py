"""How a player judges: with what error, and in what style.

Every level of a game plans as its veteran does; what tells one from the next is the size of its error alone. An error
is the same whenever the same thing is looked at again in the same turn, so that a player carries out what it has
decided, and it is decided by the player's own dice. What is worth nothing stays worth nothing: who misjudges a shot
misjudges how good it is, and not whether there is any.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import log
from typing import NamedTuple
from zlib import crc32

from caltrop.chance import Dice


class Style(NamedTuple):
    """What a player cares for more, or less, than others; in per cent."""

    name: str = ""
    words: str = ""
    danger: int = 100
    """How much what the enemy may do counts."""
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
"""An error of so many per cent forgets one objective in a hundred turns,"""
_AT_MOST = 45
"""and no error more than so many."""


class Judgement:
    """How a player judges.

    Args:
        error: The size of its errors, in per cent: at 100 places that differ by a game's grain are told apart about
            three times out of four, and the worth of an attack is off by up to 95 per cent either way.
        style: What it cares for.
        seed: Decides the errors.
    """

    __slots__ = ("error", "seed", "style")

    def __init__(self, error: int = 0, style: Style = PLAIN, seed: int | None = None) -> None:
        self.error, self.style, self.seed = error, style, seed

    def begun(self, dice: Dice) -> Judgement:
        """Return the same with errors that dice have decided; itself if it has none, or they are decided already."""
        if not self.error or self.seed is not None:
            return self
        return Judgement(self.error, self.style, dice.below(1 << 48))

    def _drawn(self, *what: Hashable) -> float:
        """Return a number between 0 and 1 that belongs to something."""
        return (crc32(repr((self.seed, what)).encode()) + 0.5) / (1 << 32)

    def slip(self, grain: int, who: Hashable, *what: Hashable) -> int:
        """Return what a place or an act seems better than it is.

        Added to the worths of all that may be chosen, it makes of the best a soft choice: each is taken in proportion
        to the exponential of its worth.

        Args:
            grain: What tells good from middling in the game, in its own points.
            who: Who is to act.
            what: What is judged, with the turn.
        """
        if not self.error:
            return 0
        return int(-log(-log(self._drawn("slip", who, *what))) * grain * self.error / 100)

    def odds(self, worth: int, who: Hashable, *what: Hashable) -> int:
        """Return what an attack seems worth.

        Args:
            worth: What it is worth by the exact odds.
            who: Who is to act.
            what: What is judged, with the turn.
        """
        return self.misjudged(worth * self.style.harm // 100, who, *what)

    def misjudged(self, worth: int, who: Hashable, *what: Hashable) -> int:
        """Return what an attack seems worth to who has counted its style already.

        Args:
            worth: What it is worth by the exact odds, in that style.
            who: Who is to act.
            what: What is judged, with the turn.
        """
        if not self.error:
            return worth
        off = (2 * self._drawn("odds", who, *what) - 1) * min(self.error, 100) * _MOST / 10_000
        return int(worth * (1 + off))

    def forgets(self, *what: Hashable) -> bool:
        """Return whether something is not thought of this turn."""
        return self.error > 0 and self._drawn("forgets", *what) * 100 < min(self.error / _FORGETS, _AT_MOST)


SOUND = Judgement()
"""Judges as well as the game's player can."""
