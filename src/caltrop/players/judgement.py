"""The errors and the style in a player's judgement.

Each level plans as the game's veteran does; levels differ only in the size of their errors. The error about the same
unit or place stays the same for a whole turn, so that a player carries out its decisions. The player's own dice decide
the errors. A worthless act stays worthless: an error changes how good a shot seems, but not whether it is possible.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import log
from typing import NamedTuple
from zlib import crc32

from caltrop.chance import Dice


class Style(NamedTuple):
    """Preferences of a player, in per cent of the preferences of a player without a style."""

    name: str = ""
    words: str = ""
    danger: int = 100
    """Weight of the enemy's possible acts, in per cent."""
    harm: int = 100
    """Weight of losses done to the enemy, in per cent."""
    goals: int = 100
    """Weight of the scenario's objectives, in per cent."""


PLAIN = Style()
STYLES: Mapping[str, Style] = {
    style.name: style
    for style in (
        Style("bold", "seeks the fight and fears the answer less", danger=55, harm=115),
        Style("careful", "keeps out of the enemy's reach and strikes when it is safe", danger=170, harm=90),
        Style("objective", "goes for what the scenario is about before anything else", goals=160, harm=90),
    )
}
"""Styles by name. A player with a style is named as in `veteran+bold`."""

_MOST = 95
"""Largest error in the worth of an attack, in per cent, so that a good attack never seems worthless."""
_FORGETS = 6
"""Size of errors at which a player forgets an objective in 1 % of its turns, in per cent."""
_AT_MOST = 45
"""Largest probability of forgetting an objective in a turn, in per cent."""


class Judgement:
    """The errors and style of a player.

    Args:
        error: Size of the errors, in per cent. At 100, places that differ by a game's grain are ordered correctly
            about three times in four. The worth of an attack is then up to 95 per cent too high or too low.
        seed: Seed of the errors; None until the player's dice have drawn it.
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
        """Return the error in the worth of a place or an act, in the game's points.

        If errors are added to the worth of options and the best sum is taken, the probability of an option grows with
        the exponential of its worth (a softmax).

        Args:
            grain: Typical difference between a good and an average option, in the game's points.
            who: The acting unit.
            what: The unit, place or other thing that is evaluated, with the turn.
        """
        if not self.error:
            return 0
        return int(-log(-log(self._drawn("slip", who, *what))) * grain * self.error / 100)

    def odds(self, worth: int, who: Hashable, *what: Hashable) -> int:
        """Return the apparent worth of an attack, including the player's style and error.

        Args:
            who: The acting unit.
            what: The unit, place or other thing that is evaluated, with the turn.
        """
        return self.misjudged(worth * self.style.harm // 100, who, *what)

    def misjudged(self, worth: int, who: Hashable, *what: Hashable) -> int:
        """Return the apparent worth of an attack, including the player's error but not its style.

        Args:
            worth: Worth of the attack by exact odds, with the weights of the style.
            who: The acting unit.
            what: The unit, place or other thing that is evaluated, with the turn.
        """
        if not self.error:
            return worth
        off = (2 * self._drawn("odds", who, *what) - 1) * min(self.error, 100) * _MOST / 10_000
        return int(worth * (1 + off))

    def forgets(self, *what: Hashable) -> bool:
        """Return whether the player overlooks a thing this turn."""
        return self.error > 0 and self._drawn("forgets", *what) * 100 < min(self.error / _FORGETS, _AT_MOST)


SOUND = Judgement()
"""Judgement without errors or style."""
