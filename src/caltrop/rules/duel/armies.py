"""Army lists of the duel, as YAML: a side's duellist, with its cost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from caltrop.engine import guard
from caltrop.engine.army import ArmyChoice, ArmyFault, ArmyOption, ArmyUnit, held
from caltrop.kit.armies import hold, read_army
from caltrop.kit.files import Library
from caltrop.roster import Read

MOST = 12
"""Largest cost of a duellist in an army list, in points."""

TOO_DEAR = guard("DU-LIST-01", "too-dear", "{name} costs {points:point}, and a duellist costs at most {most}")

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Length = Annotated[int, msgspec.Meta(ge=0, le=100)]
Number = Annotated[int, msgspec.Meta(ge=1, le=20)]


class DuellistGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: Name
    wounds: Number
    breath: Annotated[int, msgspec.Meta(ge=0, le=20)]
    traits: tuple[Literal["light-footed", "steady-handed"], ...] = ()

    @property
    def points(self) -> int:
        """Cost in points: 2 for each wound, 1 for each breath, 2 for each trait (DU-LIST-01)."""
        return 2 * self.wounds + self.breath + 2 * len(self.traits)


class ArmyList(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The force of a side: one duellist."""

    ruleset: Literal["duel"]
    id: Name
    title: Name
    units: tuple[DuellistGiven]
    called_up: str = ""
    """The duel and campaign for which the list was made; empty outside a campaign."""


def army_list(file: Path | str) -> Read[ArmyList]:
    """Read an army list from a file, its text, a text to paste, or a link, and check its cost.

    Raises InputError for a list that cannot be read or costs too much; the message has file, line and column.
    """
    read = read_army(file, ArmyList, "duel")
    hold(read, faults(read.value))
    return read


def faults(army: ArmyList) -> Iterator[ArmyFault]:
    """Yield the faults of an army list: its duellist may cost too much."""
    (one,) = army.units
    dear = one.points > MOST and not army.called_up
    yield from held(TOO_DEAR, dear, "units", 0, name=one.name, points=one.points, most=MOST)


TRAITS = (
    ArmyChoice(value="light-footed", words="Light-footed", points=2, about="Walks 2 cm farther."),
    ArmyChoice(value="steady-handed", words="Steady-handed", points=2, about="Out of breath, still hits well."),
)

DUELLIST = ArmyUnit(
    key="duellist",
    title="Duellist",
    entry={},
    also={"wounds": 3, "breath": 4},
    points=10,
    options=(
        ArmyOption(field="name", words="Name", sort="line", usual="", most=40),
        ArmyOption(field="wounds", words="Wounds", sort="number", usual=3, least=1, most=20),
        ArmyOption(field="breath", words="Breath", sort="number", usual=4, least=0, most=20),
        ArmyOption(field="traits", words="Traits", sort="several", usual=[], most=2, choices=TRAITS),
    ),
    silhouette="infantry",
)
"""The only unit of an army list."""


ARMIES = Library("army list", {}, army_list, of="duel")
"""Army lists by authors. The game comes with none, because each scenario has its own duellists."""
