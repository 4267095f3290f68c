"""What authors write for the duel, as YAML: scenarios, and duellists of their own. Lengths are centimetres."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from caltrop.engine import guard
from caltrop.engine.army import ArmyChoice, ArmyFault, ArmyOption, ArmyUnit, held
from caltrop.geometry import CM, disc_inside, overlapping
from caltrop.kit.armies import hold, read_army
from caltrop.kit.files import Library
from caltrop.roster import Read, read_yaml
from caltrop.rules.duel.records import BASE, KINDS, Duellist
from caltrop.scenarios import built_in
from caltrop.scenarios.forms import drawn
from caltrop.table.measured import Terrain

MOST = 12
"""Points of a duellist that somebody brings."""

TOO_DEAR = guard("DU-LIST-01", "too-dear", "{name} costs {points:point}, and a duellist costs at most {most}")

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Length = Annotated[int, msgspec.Meta(ge=0, le=100)]
Number = Annotated[int, msgspec.Meta(ge=1, le=20)]
Pool = Annotated[tuple[Length, Length, Number], drawn("disc")]


class DuellistGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A duellist."""

    name: Name
    wounds: Number
    breath: Annotated[int, msgspec.Meta(ge=0, le=20)]
    traits: tuple[Literal["light-footed", "steady-handed"], ...] = ()

    @property
    def points(self) -> int:
        """What it costs: 2 for a wound, 1 for a breath, 2 for a trait (DU-LIST-01)."""
        return 2 * self.wounds + self.breath + 2 * len(self.traits)


class Placed(DuellistGiven, frozen=True, kw_only=True):
    """A duellist of a scenario."""

    at: Annotated[tuple[Length, Length], drawn("place")]

    def put(self, other: DuellistGiven | None = None) -> Duellist:
        """The duellist on its mark, or another one there."""
        d, (x, y) = other or self, self.at
        return Duellist(name=d.name, at=(x * CM, y * CM), wounds=d.wounds, breath=d.breath, traits=d.traits)


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A scenario."""

    ruleset: Literal["duel"]
    id: Name
    title: Name
    minutes: Number
    words: str
    """What it is, in one sentence."""
    table: Annotated[tuple[Length, Length], drawn("size")]
    rounds: Number
    mud: Annotated[tuple[Pool, ...], msgspec.Meta(max_length=20), drawn("pieces")] = ()
    """Round pools: the middle of each, and its radius."""
    duellists: Annotated[tuple[Placed, Placed], drawn("sides")]

    @property
    def terrain(self) -> tuple[Terrain, ...]:
        """Its pools."""
        pools = [(x * CM, y * CM, r * CM) for x, y, r in self.mud]
        return tuple([Terrain(f"mud {i + 1}", KINDS["mud"], circle=pool) for i, pool in enumerate(pools)])


def scenario_file(file: Path | str) -> Read[Scenario]:
    """Read a scenario, from a file or as the text itself, and check that two can fight there.

    Raises:
        InputError: when they cannot; the message has file, line and column.
    """
    read = read_yaml(file, Scenario)
    (width, height), (a, b) = read.value.table, [d.put().disc for d in read.value.duellists]
    for i, disc in enumerate((a, b)):
        if not disc_inside(disc, (0, 0, width * CM, height * CM)):
            raise read.wrong(f"a base of {2 * BASE // CM} cm does not stand on the table here", "duellists", i, "at")
    if overlapping(a, b):
        raise read.wrong("the two stand on one another", "duellists", 1, "at")
    return read


SCENARIOS = Library("scenario", built_in("duel"), scenario_file, of="duel")
"""The scenarios that the game comes with, and those that authors write."""


class ArmyList(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What a side brings: one duellist."""

    ruleset: Literal["duel"]
    id: Name
    title: Name
    units: tuple[DuellistGiven]
    called_up: str = ""
    """For which duel of which campaign."""


def army_list(file: Path | str) -> Read[ArmyList]:
    """Read an army list, from a file, the text of one, a text to paste, or a link, and check what it costs.

    Raises:
        InputError: for what cannot be read or costs too much; the message has file, line and column.
    """
    read = read_army(file, ArmyList, "duel")
    hold(read, faults(read.value))
    return read


def faults(army: ArmyList) -> Iterator[ArmyFault]:
    """Yield what is wrong with an army list: its duellist may cost too much."""
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
"""What an army list may have: the one unit of the game."""


ARMIES = Library("army list", {}, army_list, of="duel")
"""Those that authors write: the game comes with none, as scenarios have duellists of their own."""
