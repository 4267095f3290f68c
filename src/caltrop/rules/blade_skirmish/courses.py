"""Courses of a campaign: its battles, and whether a die or the player chooses the next (BS-S48, BS-S49)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from caltrop.roster import read_yaml

Result = Literal["won", "lost", "drawn"]
_FILE = Path(__file__).parent / "data" / "campaigns.yaml"


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A battle that may be chosen at a stage of a course."""

    scenario: str
    words: str
    """Text that tells the player why to choose this battle."""
    after: tuple[Result, ...] = ("won", "lost", "drawn")
    """Results of the previous battle after which this battle may be chosen."""


class CampaignCourse(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    words: str
    battles: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """Number of battles, for a course whose battles are drawn."""
    drawn: tuple[str, ...] = ()
    """Scenarios by the face of the die that draws them."""
    stages: tuple[tuple[Way, ...], ...] = ()
    """Possible battles of each stage, if the player chooses them."""

    @property
    def length(self) -> int:
        return len(self.stages) or self.battles

    @property
    def scenarios(self) -> tuple[str, ...]:
        ways = [way.scenario for stage in self.stages for way in stage]
        return self.drawn or tuple(dict.fromkeys(ways))

    def ways(self, fought: int, result: Result = "won") -> tuple[Way, ...]:
        """Return the possible next battles after a number of battles and the result of the last battle."""
        if not 0 <= fought < len(self.stages):
            return ()
        return tuple([way for way in self.stages[fought] if not fought or result in way.after])


@lru_cache(maxsize=1)
def courses() -> dict[str, CampaignCourse]:
    return read_yaml(_FILE, dict[str, CampaignCourse]).value


USUAL = "season"
"""Default course of a campaign."""
