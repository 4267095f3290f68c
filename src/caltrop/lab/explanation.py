"""The explanation of a recorded game as data: chances, turning points, rounds, acts, mistakes and luck."""

from __future__ import annotations

from collections.abc import Callable

import msgspec


class Chance(msgspec.Struct, frozen=True):
    """Each side's chance to win after an act; act -1 is the start, before the first act."""

    act: int
    chance: tuple[float, ...]


class PlayedOn(msgspec.Struct, frozen=True):
    """The results of games that were played to their end from the beginning of a round."""

    act: int
    """Number of the act after which the games began, as in `Chance`."""
    round: int
    """Number of the round; 0 for the beginning of the battle, if something is decided before the first round."""
    games: int
    chance: tuple[float, ...]
    """Share of these games that each side won; a draw counts half."""
    error: float
    """Standard error of the first side's share."""


class Trial(msgspec.Struct, frozen=True):
    """The results of two answers that were played on to the end of the battle with the same dice."""

    games: int
    """Number of games with each answer."""
    better: float
    """Share of these games that the side won with the better answer; a draw counts half."""
    given: float
    """Share of these games that the side won with the given answer."""


class Better(msgspec.Struct, frozen=True, omit_defaults=True):
    words: str
    chance: float
    """Average chance of the side over the dice, on the scale of the graph."""
    trial: Trial | msgspec.UnsetType = msgspec.UNSET
    """Games played on to the end; unset if the chances are not a fitted estimate, or if the side gave up."""
    games: str = ""
    """These games in words."""


class Turn(msgspec.Struct, frozen=True):
    """A turning point: an act that changed the chances much."""

    act: int
    side: int
    words: str
    before: float
    """Chance of winning of the acting side before the act."""
    after: float
    better: Better | None = None
    change: str | msgspec.UnsetType = msgspec.UNSET
    """Change of this chance in words, with the dice of the act; only if every act is explained."""


class RoundChange(msgspec.Struct, frozen=True):
    """The change of the chances in a round, and what was lost and taken in it."""

    round: int
    """Number of the round; 0 for everything before the first round."""
    act: int
    """Number of the last act of the round."""
    before: tuple[float, ...]
    """Chance of each side at its beginning."""
    after: tuple[float, ...]
    change: str
    """Change of the first side's chance in words."""
    words: tuple[str, ...]
    """Sentences on losses, new holders of places, and a new leader; none if nothing of that changed."""


class Judged(msgspec.Struct, frozen=True):
    """The judgement of a decision: compared with a commander's answer, or at a turning point with all tried answers."""

    cost: float
    """Chance of winning lost by the decision, by the estimate; 0 if the estimate calls no answer better. The losses of
    levels are measured in the same way.
    """
    better: Better | None = None


class Act(msgspec.Struct, frozen=True):
    act: int
    side: int
    words: str
    play: float
    """Change of the acting side's chance by the act, averaged over the dice."""
    luck: float
    """Further change of the acting side's chance by the actual dice."""
    error: float
    """Standard error of `play` and of `luck`; 0 if all results of the dice were evaluated."""
    average: float
    """Chance of the acting side after the act, averaged over the dice."""
    after: float
    """Chance of the acting side after the act and the answers that settle its dice."""
    likely: float | None
    """Chance of dice that are at least as good for the acting side, or at least as bad if `after` is less than
    `average`. None if the act was no choice or no dice were rolled. A drawn card is not a die.
    """
    roll: str
    """The dice in words; empty if `likely` is None."""
    judged: Judged | None = None
    """Judgement of the act; None if it was no choice, if its side is not judged, or if it has not been judged yet."""


class LevelLoss(msgspec.Struct, frozen=True):
    """Average chance of winning that a level loses with each decision, compared with a commander's answers."""

    level: str
    mean: float
    low: float
    """The lower end of the 95 % interval."""
    high: float


class DiceLuck(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of a side's dice over a game."""

    side: int
    label: str
    """Noun for the counted results, such as `hits`."""
    rolls: int
    got: int
    mean: float
    """Expected number of these results in the same number of rolls."""
    as_good: float | None
    """Chance of this number or more with the same rolls; None if it is unknown."""
    as_bad: float | None
    """Chance of this number or less with the same rolls; None if it is unknown."""


class Analysis(msgspec.Struct, frozen=True):
    """The explanation of a recorded game."""

    ruleset: str
    sides: tuple[str, ...]
    chances: tuple[Chance, ...]
    luck: tuple[float, ...]
    """Change of each side's chance by dice over the game. For a side without a player, its whole change."""
    play: tuple[float, ...]
    """Change of each side's chance by the decisions of all sides, and by errors of the estimate."""
    turning: tuple[Turn, ...]
    rounds: tuple[RoundChange, ...] | msgspec.UnsetType = msgspec.UNSET
    """The change in each round, if every act is explained."""
    acts: tuple[Act, ...] | msgspec.UnsetType = msgspec.UNSET
    """Every act explained separately, if requested."""
    played: tuple[PlayedOn, ...] | msgspec.UnsetType = msgspec.UNSET
    """Games played to their end from each round, if every act is explained and chances come from a fitted estimate."""
    dice: tuple[DiceLuck, ...] | msgspec.UnsetType = msgspec.UNSET
    """Luck of each side's dice, if every act is explained and the game counts the results."""
    scale: tuple[LevelLoss, ...] | msgspec.UnsetType = msgspec.UNSET
    """Average losses of each level, the weakest level first, if every act is explained and the losses were measured."""
    summary: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Sentences on who won, where it turned, and how much the dice did, if every act is explained."""
    courses: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Each side's battle in words: its first and last chance and its dice, if every act is explained."""
    verdicts: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Each side's judged decisions in words, empty if none was judged; only if every act is explained."""


class AnalysisProgress(msgspec.Struct, frozen=True):
    done: int
    of: int
    words: str


Tell = Callable[[AnalysisProgress], None]
