"""Smoke: one action lays a marker near the unit; it makes shots harder, and drifts away (SQ-ORG-47 to 52, SQ-Q58)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Proposal, Region, Wish
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    End,
    Event,
    Procedure,
    Refusal,
    Run,
    does,
    guard,
    rule,
    step,
)
from caltrop.geometry import INCH, Point, directions, near_to, point_along
from caltrop.picture import Motion
from caltrop.rules.squad_action.acts import ACTS, ActKind, Kind, LaySmoke, register
from caltrop.rules.squad_action.fight import Cloud, Firefight
from caltrop.rules.squad_action.overwatch import Interruptions
from caltrop.rules.squad_action.places import CLOUD, bodies, template

REACH = 6 * INCH
"""How near the centre of a marker is to the unit that lays it (SQ-ORG-48, SQ-Q58)."""

NOT_ON_TABLE = guard("SQ-ORG-48", "not-on-table", "{name:is} not on the table")
NO_MARKERS = guard("SQ-ORG-47", "no-markers", "{side} has no smoke markers left")
NO_DISCHARGERS = guard("SQ-ORG-52", "no-dischargers", "{name:has} no smoke dischargers")
TOO_FAR = guard(
    ("SQ-ORG-48", "SQ-Q58"), "too-far", "The smoke has to lie within 6 inches of {name}, and this is farther"
)
OFF_TABLE = guard("SQ-ORG-48", "off-table", "The middle of the smoke has to lie on the table")


@rule("SQ-ORG-52", "SQ-S55")
def can_lay(t: Firefight, unit: int) -> bool:
    """Soldiers can, and machines that have dischargers."""
    return t.units[unit].on_foot or t.vehicle(unit).dischargers


class Smoke(Procedure):
    """A unit lays smoke."""

    unit: int
    at_place: Point
    before: int = 0

    @step("SQ-ACT-07", "SQ-ORG-05")
    def be_watched(self, t: Firefight) -> Run:
        """Watchers may break in before it does."""
        return Run(Interruptions(actor=self.unit, before=self.before))

    @step("SQ-ORG-48", "SQ-ORG-50", "SQ-S40")
    def lay(self, t: Firefight, came: tuple[int, bool]) -> End | None:
        """It lies for the rest of this turn of its side, and the enemy's next one."""
        u = t.units[self.unit]
        if came[1] or ACTS["smoke"].refusal(t, LaySmoke(self.unit, self.at_place), True) is not None:
            return End()
        t.smoke[u.side] -= 1
        t.put_clouds([*t.clouds, Cloud(at=self.at_place, side=u.side, unit=self.unit, left=SIDES_TURNS)])
        t.tell(SmokeLaid(self.unit, self.at_place))
        return None


SIDES_TURNS = 2
"""Ends of turns until smoke has drifted away: that of the side that laid it, and the enemy's."""


@rule("SQ-ORG-50", stages=("house",))
def smoke_lasts(t: Firefight, cloud: Cloud, sides: Sequence[int]) -> int:
    """How many ends of turns a cloud lasts after this one."""
    return cloud.left - 1


@smoke_lasts.amended_by("SQ-Q01", stage="house", house={"activation": ("alternate", "random_draw")})
def until_it_acts_again(left: int, t: Firefight, cloud: Cloud, sides: Sequence[int]) -> int:
    """Where the sides share a turn smoke lasts until the unit that laid it is activated again, if it ever is."""
    return left if t.units[cloud.unit].where == "gone" else cloud.left


def smoke_drifts(t: Firefight, sides: Sequence[int]) -> None:
    """At the end of a turn smoke drifts away that has lain its time."""
    kept: list[Cloud] = []
    for cloud in t.clouds:
        left = smoke_lasts(t, cloud, sides)
        if left > 0:
            kept.append(Cloud(at=cloud.at, side=cloud.side, unit=cloud.unit, left=left))
        else:
            t.tell(SmokeGone(cloud.unit))
    if t.clouds:
        t.put_clouds(kept)


def smoke_of(t: Firefight, unit: int) -> None:
    """A unit that is activated finds its own smoke gone where the sides share a turn (SQ-Q01)."""
    if t.book.rules["activation"] == "side":
        return
    kept = [c for c in t.clouds if c.unit != unit]
    gone = len(t.clouds) - len(kept)
    if gone:
        t.put_clouds(kept)
    for _ in range(gone):
        t.tell(SmokeGone(unit))


class DeploySmoke(ActKind):
    """The action Deploy Smoke."""

    name: ClassVar[Kind] = "smoke"
    types: ClassVar[tuple[type[Action], ...]] = (LaySmoke,)

    def is_open_to(self, t: Firefight, unit: int) -> bool:
        """Who can lay it, while the side has markers left."""
        return t.smoke[t.units[unit].side] > 0 and can_lay(t, unit)

    def refusal(self, t: Firefight, act: Any, second: bool) -> Refusal | None:
        """Who may, and where."""
        u = t.units[act.unit]
        found = (
            NOT_ON_TABLE.refuses(not u.in_play, name=u.name)
            or NO_DISCHARGERS.refuses(not can_lay(t, u.id), name=u.name)
            or NO_MARKERS.refuses(not t.smoke[u.side], side=t.field.names[u.side])
        )
        if found is not None:
            return found
        x0, y0, x1, y1 = t.ground.box
        found = OFF_TABLE.refuses(not (x0 <= act.at[0] <= x1 and y0 <= act.at[1] <= y1)) or TOO_FAR.refuses(
            not any(near_to(b, (act.at[0], act.at[1], 0), REACH) for b in bodies(t, u.id)), name=u.name
        )
        return None if found is None else found.towards(next(self.acts(t, u.id, second), None))

    def acts(self, t: Firefight, unit: int, second: bool) -> Iterator[Any]:
        """On itself, and six inches away in eight directions."""
        u = t.units[unit]
        if not u.in_play or not can_lay(t, unit) or not t.smoke[u.side]:
            return
        for body in bodies(t, unit)[:1]:
            here: Point = (body[0], body[1])
            yield LaySmoke(unit, here)
            for direction in directions(8):
                act = LaySmoke(unit, point_along(here, direction, REACH))
                if self._on_table(t, act.at):
                    yield act

    def _on_table(self, t: Firefight, at: Point) -> bool:
        x0, y0, x1, y1 = t.ground.box
        return x0 <= at[0] <= x1 and y0 <= at[1] <= y1

    def sample(self, t: Firefight, unit: int, second: bool, dice: Dice) -> Any:
        """Anywhere within reach of its first model."""
        every = bodies(t, unit)
        if not every or not can_lay(t, unit) or not t.smoke[t.units[unit].side]:
            return None
        base = every[dice.below(len(every))]
        here: Point = (base[0], base[1])
        act = LaySmoke(unit, point_along(here, directions(32)[dice.below(32)], dice.below(REACH + 1)))
        return act if self.refusal(t, act, second) is None else LaySmoke(unit, here)

    def offers(self, t: Firefight, unit: int, second: bool) -> Sequence[Offer]:
        """None: the place is pointed at."""
        return ()

    def regions(self, t: Firefight, unit: int, second: bool) -> Sequence[Region]:
        """A place."""
        u = t.units[unit]
        if not u.in_play or not can_lay(t, unit) or not t.smoke[u.side]:
            return ()
        words = f"Lay smoke: {quantity(t.smoke[u.side], 'marker')} left"
        return [Region(form="spot", unit=unit, words=words, act="smoke")]

    def propose(self, t: Firefight, wish: Wish, second: bool) -> Proposal | None:
        """Where somebody points."""
        if wish.act != "smoke" or wish.to is None:
            return None
        act = LaySmoke(wish.unit, wish.to)
        found = self.refusal(t, act, second)
        if found is not None:
            return Proposal(refusal=found, faults=(wish.to,))
        return Proposal(action=act, templates=(template(t, (*act.at, CLOUD), f"smoke, {CLOUD // INCH} in"),))

    def procedure(self, t: Firefight, act: Any, token: bool, before: int) -> Procedure:
        """The marker is laid."""
        return Smoke(unit=act.unit, at_place=act.at, before=before)


register(DeploySmoke())


class SmokeLaid(Event, frozen=True):
    """Smoke was laid."""

    unit: int
    at: Point
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-07", "SQ-ORG-48")

    def sentence(self, t: Firefight) -> str:
        """The unit that laid it."""
        return f"{does(t.units[self.unit].name, 'lays')} smoke"

    def motion(self, t: Firefight) -> Motion:
        """The cloud."""
        return Motion(sort="scatter", unit=self.unit, at=self.at, to=self.at, radius=CLOUD)


class SmokeGone(Event, frozen=True):
    """Smoke drifted away."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-50",)

    def sentence(self, t: Firefight) -> str:
        """Whose."""
        return f"The smoke of {t.units[self.unit].name} drifts away"
