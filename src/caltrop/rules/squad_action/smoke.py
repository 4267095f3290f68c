"""Smoke: one action lays a marker near the unit.

Smoke makes shots harder and disappears after a time (SQ-ORG-47 to 52, SQ-Q58).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from caltrop.asking import Act, Guards, Proposal, Region, Wish
from caltrop.chance import Dice
from caltrop.engine import (
    End,
    Event,
    Procedure,
    Run,
    guard,
    rule,
    step,
)
from caltrop.geometry import INCH, Point, directions, distance_sq, near_to, point_along
from caltrop.picture import Motion
from caltrop.rules.squad_action.acts import UNDONE, Doings, UnitAct, name_of
from caltrop.rules.squad_action.overwatch import Interruptions
from caltrop.rules.squad_action.places import CLOUD, bodies, template
from caltrop.rules.squad_action.records import Cloud, Firefight
from caltrop.table.measured import nearest_end

REACH = 6 * INCH
"""Largest distance of a marker's centre from the unit that lays it (SQ-ORG-48, SQ-Q58)."""

NOT_ON_TABLE = guard("SQ-ORG-48", "not-on-table", "{name:is} not on the table")
NO_MARKERS = guard("SQ-ORG-47", "no-markers", "{side} has no smoke markers left")
NO_DISCHARGERS = guard("SQ-ORG-52", "no-dischargers", "{name:has} no smoke dischargers")
TOO_FAR = guard(
    ("SQ-ORG-48", "SQ-Q58"), "too-far", "The smoke has to lie within 6 inches of {name}, and this is farther"
)
OFF_TABLE = guard("SQ-ORG-48", "off-table", "The middle of the smoke has to lie on the table")


@rule("SQ-ORG-52", "SQ-S55")
def can_lay(t: Firefight, unit: int) -> bool:
    """Soldiers and machines with smoke dischargers can lay smoke."""
    return t.units[unit].on_foot or t.vehicle(unit).dischargers


class Smoke(Procedure):
    unit: int
    at_place: Point
    before: int = 0

    @step("SQ-ACT-07", "SQ-ORG-05")
    def be_watched(self, t: Firefight) -> Run:
        return Run(Interruptions(actor=self.unit, before=self.before))

    @step("SQ-ORG-48", "SQ-ORG-50", "SQ-S40")
    def lay(self, t: Firefight, result: tuple[int, bool]) -> End | None:
        """The smoke lasts for the rest of this side's turn and the enemy's next turn."""
        u = t.units[self.unit]
        if result[1]:
            return End()
        if LaySmoke(self.unit, self.at_place).why(Doings(t, self.unit)) is not None:
            return End(UNDONE)
        t.smoke[u.side] -= 1
        t.put_clouds([*t.clouds, Cloud(at=self.at_place, side=u.side, unit=self.unit, left=SIDES_TURNS)])
        t.tell(SmokeLaid(self.unit, self.at_place))
        return None


SIDES_TURNS = 2
"""Number of turns after which smoke disappears: one turn of the side that laid it, and one of the enemy."""


@rule("SQ-ORG-50", stages=("house",))
def smoke_lasts(t: Firefight, cloud: Cloud, sides: Sequence[int]) -> int:
    """The number of turns that smoke still lasts is reduced by 1 whenever a side's turn ends."""
    return cloud.left - 1


@smoke_lasts.amended_by("SQ-Q01", stage="house", house={"activation": ("alternate", "random_draw")})
def until_it_acts_again(left: int, t: Firefight, cloud: Cloud, sides: Sequence[int]) -> int:
    """House rule: if the sides share a turn, smoke lasts until the unit that laid it is activated again.

    If that unit is out of play or has left the table, the smoke lasts as long as usual.
    """
    return left if t.units[cloud.unit].where in ("gone", "away") else cloud.left


def smoke_drifts(t: Firefight, sides: Sequence[int]) -> None:
    """Remove the smoke whose time is over at the end of a turn."""
    clouds: list[Cloud] = []
    for cloud in t.clouds:
        left = smoke_lasts(t, cloud, sides)
        if left > 0:
            clouds.append(Cloud(at=cloud.at, side=cloud.side, unit=cloud.unit, left=left))
        else:
            t.tell(SmokeGone(cloud.unit))
    if t.clouds:
        t.put_clouds(clouds)


def smoke_of(t: Firefight, unit: int) -> None:
    """Remove the smoke that a unit has laid when it is activated, if the sides share a turn (SQ-Q01)."""
    if t.book.rules["activation"] == "side":
        return
    clouds = [c for c in t.clouds if c.unit != unit]
    gone = len(t.clouds) - len(clouds)
    if gone:
        t.put_clouds(clouds)
    for _ in range(gone):
        t.tell(SmokeGone(unit))


def is_on_table(t: Firefight, at: Point) -> bool:
    x0, y0, x1, y1 = t.ground.box
    return x0 <= at[0] <= x1 and y0 <= at[1] <= y1


LAYS = Guards(
    (NOT_ON_TABLE, lambda t, unit: not t.units[unit].in_play),
    (NO_DISCHARGERS, lambda t, unit: not can_lay(t, unit)),
    (NO_MARKERS, lambda t, unit: not t.smoke[t.units[unit].side]),
    name=name_of,
    side=lambda t, unit: t.field.names[t.units[unit].side],
)
"""Reasons why a unit cannot lay smoke at all."""


class LaySmoke(UnitAct, frozen=True):
    at: Point

    kind = "smoke"
    words = "Lay smoke"
    dragged = True
    guards = Guards(
        LAYS,
        (OFF_TABLE, lambda t, at: not is_on_table(t, at)),
        (TOO_FAR, lambda t, unit, at: not any(near_to(b, (at[0], at[1], 0), REACH) for b in bodies(t, unit))),
        name=name_of,
    )

    def nearest(self, o: Doings) -> Act | None:
        """Return the smoke that lies nearest to the place."""

        def legal(end: Point) -> tuple[Point, LaySmoke] | None:
            act = LaySmoke(self.unit, end)
            return (end, act) if act.may(o) else None

        act = None
        if self.unit == o.unit and LAYS.may(o.t, unit=o.unit):
            x, y, r = min([b[:3] for b in bodies(o.t, o.unit)], key=lambda b: distance_sq(self.at, b[:2]))
            act = nearest_end(self.at, (x, y), REACH + r, o.t.ground.box, legal)
        return act or super().nearest(o)

    def procedure(self, t: Firefight, *, token: bool = False, before: int = 0) -> Smoke:
        return Smoke(unit=self.unit, at_place=self.at, before=before)

    @classmethod
    def is_open_to(cls, t: Firefight, unit: int) -> bool:
        return t.smoke[t.units[unit].side] > 0 and can_lay(t, unit)

    @classmethod
    def every(cls, o: Doings, **fixed: Any) -> Iterator[LaySmoke]:
        if LAYS.may(o.t, unit=o.unit):
            x, y, *_ = bodies(o.t, o.unit)[0]
            here: Point = (x, y)
            places = [here, *[point_along(here, towards, REACH) for towards in directions(8)]]
            yield from [cls(o.unit, at) for n, at in enumerate(places) if n == 0 or is_on_table(o.t, at)]

    @classmethod
    def random(cls, o: Doings, dice: Dice) -> LaySmoke | None:
        every = bodies(o.t, o.unit)
        if not every or not can_lay(o.t, o.unit) or not o.t.smoke[o.side]:
            return None
        x, y, *_ = every[dice.below(len(every))]
        here: Point = (x, y)
        act = cls(o.unit, point_along(here, directions(32)[dice.below(32)], dice.below(REACH + 1)))
        return act if act.why(o) is None else cls(o.unit, here)

    @classmethod
    def regions(cls, o: Doings) -> Iterator[Region]:
        if LAYS.may(o.t, unit=o.unit):
            yield Region(form="spot", unit=o.unit, words="Lay smoke", act="smoke", bands=((REACH, 0),))

    @classmethod
    def propose(cls, o: Doings, wish: Wish) -> Proposal | None:
        if wish.act != "smoke" or wish.to is None:
            return None
        act = cls(wish.unit, wish.to)
        refusal = o.refusal(act)
        if refusal is not None:
            return Proposal(refusal=refusal, faults=(wish.to,))
        return Proposal(action=act, templates=(template(o.t, (*act.at, CLOUD), f"smoke, {CLOUD // INCH} in"),))


class SmokeLaid(Event, frozen=True):
    unit: int
    at: Point
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-07", "SQ-ORG-48")
    template = "{unit:lays} smoke"

    def motion(self, t: Firefight) -> Motion:
        return Motion(sort="scatter", unit=self.unit, at=self.at, to=self.at, radius=CLOUD)


class SmokeGone(Event, frozen=True):
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-50",)
    template = "The smoke of {unit} drifts away"
