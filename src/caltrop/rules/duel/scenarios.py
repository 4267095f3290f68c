"""Scenarios, written as YAML: a table, its mud, and two duellists. Lengths are centimetres."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from caltrop.geometry import CM, disc_inside, overlapping
from caltrop.kit.files import Library
from caltrop.kit.rows import kinds_here
from caltrop.roster import Read, read_yaml
from caltrop.rules.duel.armies import DuellistGiven, Length, Name, Number
from caltrop.rules.duel.records import (
    BASE,
    GROUND,
    KINDS,
    Duellist,
)
from caltrop.scenarios import built_in
from caltrop.scenarios.forms import drawn
from caltrop.table.measured import Terrain

Pool = Annotated[tuple[Length, Length, Number], drawn("disc")]


class Placed(DuellistGiven, frozen=True, kw_only=True):
    at: Annotated[tuple[Length, Length], drawn("place")]

    def put(self, other: DuellistGiven | None = None) -> Duellist:
        d, (x, y) = other or self, self.at
        return Duellist(name=d.name, at=(x * CM, y * CM), wounds=d.wounds, breath=d.breath, traits=d.traits)


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["duel"]
    id: Name
    title: Name
    minutes: Number
    words: str
    """Description in one sentence."""
    table: Annotated[tuple[Length, Length], drawn("size")]
    rounds: Number
    mud: Annotated[tuple[Pool, ...], msgspec.Meta(max_length=20), drawn("pieces")] = ()
    """Round pools: the centre and radius of each."""
    duellists: Annotated[tuple[Placed, Placed], drawn("sides")]

    @property
    def terrain(self) -> tuple[Terrain, ...]:
        pools = [(x * CM, y * CM, r * CM) for x, y, r in self.mud]
        return tuple(
            [Terrain(f"mud {i + 1}", kinds_here(GROUND, KINDS)["mud"], circle=pool) for i, pool in enumerate(pools)]
        )


def scenario_file(file: Path | str) -> Read[Scenario]:
    """Read a scenario from a file or its text, and check that a duel can be fought there.

    Raises InputError for an invalid scenario; the message has file, line and column.
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
"""The scenarios of the game, and those by authors."""
