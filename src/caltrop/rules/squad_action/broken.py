"""Broken units: falling back, regrouping, and the tests that Terrifying enemies cause (SQ-TRT-17, SQ-Q37, SQ-Q56)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from caltrop.agreeing import quantity
from caltrop.chance import Pool, Roll
from caltrop.engine import End, Event, Go, Procedure, Run, Throw, agreeing, back, does, rule, step
from caltrop.geometry import INCH, Body, Disc, Hull, Point, overlap, point_along
from caltrop.kit.numbers import tally
from caltrop.picture import DieRead, Motion, Reading
from caltrop.rules.squad_action.casualties import LAST_MODEL, destroy, drop_pilot, lose, morale_of
from caltrop.rules.squad_action.morale import (
    _traits,
    against,
    chance_to_pass,
    dice_of_a_check,
    last_model_leaves,
    must_roll,
    needs,
    passes,
    reading_of_a_check,
)
from caltrop.rules.squad_action.places import FOOT, KEEP_OFF, bodies, passage_of, within
from caltrop.rules.squad_action.reach import stops
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.watching import lose_overwatch
from caltrop.table.measured import TableGround, way
from caltrop.table.measured.costs import cut_to, spent

FEAR = 10 * INCH
"""Distance within which Terrifying units cause tests (SQ-TRT-17)."""


FLIGHT = 6 * INCH
"""Distance of falling back, to which a die is added (SQ-S23)."""


class Regroup(Procedure):
    """A broken unit tries to regroup when it is activated, and does nothing else in the activation (SQ-S23)."""

    unit: int

    @step("SQ-S23", "SQ-TRT-15")
    def roll(self, t: Firefight) -> Throw | End:
        u = t.units[self.unit]
        if not must_roll(t, self.unit):
            regrouped(t, self.unit, ())
            return End()
        return Throw(
            Pool(dice_of_a_check(t)),
            reads=reading_of_a_check(t, morale_of(t, self.unit), ()),
            side=u.side,
            words=f"{does(u.name, 'tries')} to regroup: {needs(t, morale_of(t, self.unit))}",
        )

    @step("SQ-S23")
    def regroup_or_run(self, t: Firefight, roll: Roll) -> Run | End:
        """If the roll succeeds, the unit is Pinned instead of Broken. A unit that fails to regroup falls back again."""
        morale = morale_of(t, self.unit)
        if passes(t, roll, morale, ()):
            regrouped(t, self.unit, roll)
            return End()
        t.tell(Regrouped(self.unit, roll, morale, False))
        return Run(FallBack(unit=self.unit))

    @step("SQ-S23")
    def gone(self, t: Firefight) -> None: ...


def regrouped(t: Firefight, unit: int, faces: Roll) -> None:
    t.change(unit, broken=False, pinned=True)
    t.tell(Regrouped(unit, faces, morale_of(t, unit), True))


class FallBack(Procedure):
    """A unit that breaks falls back towards its own edge, and is Broken until it regroups (SQ-S23)."""

    unit: int

    @step("SQ-S23")
    def roll(self, t: Firefight) -> Throw:
        lose_overwatch(t, self.unit)
        drop_pilot(t, self.unit)
        t.change(self.unit, broken=True, pinned=False)
        u = t.units[self.unit]
        return Throw(Pool(1), side=u.side, words=f"How far {does(u.name, 'falls')} back beyond 6 inches")

    @step("SQ-S23", "SQ-Q56", "SQ-Q85", "SQ-ORG-29")
    def run(self, t: Firefight, roll: Roll) -> None:
        """The unit keeps more than 2 inches from enemies by the shortest way. Models that leave the table are lost."""
        distance = FLIGHT + roll[0] * INCH
        ways = ways_back(t, self.unit, distance)
        edge = [m for m, path in ways if not _on_table(t, path[-1])]
        t.put({m: path[-1] for m, path in ways if m not in edge})
        t.tell(FellBack(self.unit, distance, len(edge), tuple([(m, path) for m, path in ways if len(path) > 1])))
        lose(t, self.unit, edge)
        forget_fears(t, self.unit)
        leave_fights(t, self.unit)
        u = t.units[self.unit]
        if not u.models or last_model_leaves(t, u.starting, len(u.models), u.traits):
            destroy(t, self.unit, LAST_MODEL if u.models else "has fled from the table")

    @step("SQ-TRT-17", "SQ-Q37")
    def frighten(self, t: Firefight) -> Run | End:
        """Terrifying units that fall back cause tests at their new place."""
        return Run(Terror(unit=self.unit)) if t.units[self.unit].in_play else End()

    @step("SQ-S23")
    def end(self, t: Firefight) -> None: ...


@rule("SQ-Q85", "SQ-Q48")
def leave_fights(t: Firefight, unit: int) -> None:
    """A unit that has fallen back more than 2 inches from all opponents leaves close quarters, and its opponents leave
    too.
    """
    u = t.units[unit]
    if not u.in_play or any(t.units[e].in_play and within(t, unit, e, KEEP_OFF) for e in u.locked):
        return
    for e in u.locked:
        t.change(e, locked=tuple([x for x in t.units[e].locked if x != unit]))
    if u.locked:
        t.change(unit, locked=())
    for n, fight in enumerate(t.fights):
        # A fight in which one side has no unit left ends when it would continue.
        stay = [k for k, d in enumerate(fight.defenders) if d != unit]
        t.fights[n] = msgspec.structs.replace(
            fight,
            assaulters=tuple([a for a in fight.assaulters if a != unit]),
            defenders=tuple([fight.defenders[k] for k in stay]),
            covers=tuple([fight.covers[k] for k in stay]),
        )


Way = tuple[int, tuple[Point, ...]]
"""A model, and the path on which it moves."""


@rule("SQ-S23", "SQ-S10", "SQ-Q78")
def ways_back(t: Firefight, unit: int, distance: int) -> tuple[Way, ...]:
    """A broken unit falls back towards the nearest point of its own edge, rearmost models first.

    A path keeps more than 2 inches from enemies; a model without such a path stays. Paths may cross friends on foot, go
    round machines, and end on no other model. A model whose base crosses the edge leaves the table.
    """
    u = t.units[unit]
    order = sorted(u.models, key=lambda m: (_to_edge(t, u.side, _at(t, m)), m))
    forms = [form for e in t.enemies(unit) if e.kind != "flyer" for b in bodies(t, e.id) for form in _kept_off(b)] + [
        b for v in t.friends(unit) if stops(t, u, v) for b in bodies(t, v.id)
    ]
    discs = tuple([form for form in forms if not isinstance(form, Hull)])
    ground = _ground(t, unit, tuple([form for form in forms if isinstance(form, Hull)]))
    taken = [b for v in t.units if v.id != unit and v.where == "table" and v.kind != "flyer" for b in bodies(t, v.id)]
    numbers: list[Way] = []
    waiting = {m: (*_at(t, m), FOOT) for m in order}
    for m in order:
        del waiting[m]
        there = [*taken, *waiting.values()]
        path = _back_from(t, u.side, ground, _at(t, m), discs)
        path = cut_to(ground, path, distance)
        while len(path) > 1 and _on_table(t, path[-1]) and any(overlap((*path[-1], FOOT), b) for b in there):
            path = _shortened(path)
        taken.append((*path[-1], FOOT))
        numbers.append((m, path))
    return tuple(numbers)


def _at(t: Firefight, model: int) -> Point:
    at = t.models[model].at
    assert at is not None
    return at


def _to_edge(t: Firefight, side: int, place: Point) -> int:
    return place[1] if side == 0 else t.field.table.height - place[1]


def _on_table(t: Firefight, place: Point) -> bool:
    return FOOT <= place[1] <= t.field.table.height - FOOT


def _ground(t: Firefight, unit: int, hulls: Sequence[Hull]) -> TableGround:
    """Return the ground for a unit that falls back, with the hulls to go around, and open at the edges."""
    room, ground = 4 * FOOT, t.ground.for_mover(passage_of(t, unit))
    return (ground.with_solid(hulls) if hulls else ground).opened(south=room, north=room)


def _kept_off(enemy: Body) -> tuple[Body, ...]:
    """Return areas that a unit must not enter if it is to stay more than 2 inches from an enemy.

    Around a hull these are a longer hull, a wider hull, and a disc at each corner.
    """
    off = KEEP_OFF + 1
    if not isinstance(enemy, Hull):
        return ((enemy[0], enemy[1], enemy[2] + off),)
    longer = Hull(enemy.x, enemy.y, enemy.length + off, enemy.width, enemy.heading)
    wider = Hull(enemy.x, enemy.y, enemy.length, enemy.width + off, enemy.heading)
    return (longer, wider, *[(*corner, off) for corner in enemy.corners])


def _back_from(
    t: Firefight, side: int, ground: TableGround, start: Point, enemies: tuple[Disc, ...]
) -> tuple[Point, ...]:
    """Return a path over the nearest point of a side's edge that can be reached; only the start if no point can be
    reached.
    """
    width, y = t.field.table.width, -2 * FOOT if side == 0 else t.field.table.height + 2 * FOOT
    for step_ in range(0, width, INCH):
        goals = [(x, y) for x in dict.fromkeys((start[0] - step_, start[0] + step_)) if FOOT <= x <= width - FOOT]
        ways = [path for path in (way(ground, start, goal, FOOT, enemies) for goal in goals) if path is not None]
        if ways:
            return min(ways, key=lambda path: (spent(ground, path), path))
    return (start,)


def _shortened(path: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return a path a quarter of an inch shorter."""
    back = path[-1]
    ahead = path[-2]
    dx, dy = ahead[0] - back[0], ahead[1] - back[1]
    if dx * dx + dy * dy <= (INCH // 4) ** 2:
        return path[:-1]
    return (*path[:-1], point_along(back, (dx, dy), INCH // 4))


# --- tests of Terrifying enemies --------------------------------------------------------------------------------------


@rule("SQ-TRT-17", "SQ-Q37")
def afraid(t: Firefight, unit: int) -> tuple[tuple[int, int], ...]:
    """Return the tests after a unit's move: pairs of a unit on foot and a Terrifying enemy within 10 inches.

    Machines, passengers and Broken units take no tests. A unit that has passed this enemy's test, or has failed it and
    stayed within 10 inches since, is not afraid either.
    """
    moved = t.units[unit]
    if not moved.in_play:
        return ()
    pairs = []
    for e in t.enemies(unit):
        for who, of in ((moved, e), (e, moved)):
            if (
                "terrifying" in of.traits
                and who.on_foot
                and not who.broken
                and of.id not in who.braved
                and of.id not in who.feared
                and within(t, who.id, of.id, FEAR)
            ):
                pairs.append((who.id, of.id))
    return tuple(sorted(pairs))


def forget_fears(t: Firefight, unit: int) -> None:
    """Forget tests between a unit and its Terrifying enemies, or its enemies' tests of it, at more than 10 inches."""
    moved = t.units[unit]
    for u in (moved, *[e for e in t.units if e.side != moved.side and unit in e.feared]):
        near = tuple([e for e in u.feared if t.units[e].in_play and u.in_play and within(t, u.id, e, FEAR)])
        if near != u.feared:
            t.change(u.id, feared=near)


@rule("SQ-Q56", "SQ-TRT-17", stages=("house",))
def terror_removes(t: Firefight) -> bool:
    """A unit that fails the test of a Terrifying enemy falls back."""
    return False


@terror_removes.amended_by("SQ-Q56", stage="house", house={"terrifying_result": "removed"})
def terror_takes_them_out_of_play(value: bool, t: Firefight) -> bool:
    """House rule: a unit that fails the test of a Terrifying enemy is removed."""
    return True


@rule("SQ-TRT-17", "SQ-Q07", stages=("traits",), traits=_traits)
def fears(t: Firefight, unit: int) -> bool:
    return True


@fears.amended_by("SQ-TRT-05", "SQ-Q35", stage="traits", trait="fearless")
def the_fearless_fear_nobody(value: bool, t: Firefight, unit: int) -> bool:
    """Fearless units take no test."""
    return False


class Terror(Procedure):
    """At the end of every move: units within 10 inches of a Terrifying enemy are tested (SQ-TRT-17, SQ-Q37)."""

    unit: int
    who: int = -1
    of: int = -1

    @step("SQ-TRT-17", "SQ-TRT-18", "SQ-Q37")
    def look_about(self, t: Firefight) -> Throw | Go | End:
        forget_fears(t, self.unit)
        pairs = afraid(t, self.unit)
        if not pairs:
            return End()
        self.who, self.of = pairs[0]
        if not fears(t, self.who):
            brave(t, self.who, self.of, ())
            return Go("look_about")
        u = t.units[self.who]
        words = f"{does(u.name, 'faces')} {t.units[self.of].name}: {needs(t, morale_of(t, self.who))}"
        reads = reading_of_a_check(t, morale_of(t, self.who), ())
        return Throw(Pool(dice_of_a_check(t)), reads=reads, side=u.side, words=words)

    @step("SQ-TRT-17", "SQ-TRT-18", "SQ-Q37", "SQ-Q56")
    def face_it(self, t: Firefight, roll: Roll) -> Run | Go:
        """Passing the test counts for the rest of the game. A unit that fails the test breaks."""
        morale = morale_of(t, self.who)
        if passes(t, roll, morale, ()):
            brave(t, self.who, self.of, roll)
            return Go("look_about")
        t.tell(Faced(self.who, self.of, roll, morale, False))
        t.change(self.who, feared=(*t.units[self.who].feared, self.of))
        if terror_removes(t):
            destroy(t, self.who, "flees in terror")
            return Go("look_about")
        return Run(FallBack(unit=self.who))

    next_one = back("look_about", "SQ-Q37")


def brave(t: Firefight, unit: int, of: int, faces: Roll) -> None:
    t.tell(Faced(unit, of, faces, morale_of(t, unit), True))
    t.change(unit, braved=(*t.units[unit].braved, of))


# --- events -----------------------------------------------------------------------------------------------------------


def check_read(t: Firefight, unit: int, what: str, faces: Roll, morale: int, passed: bool) -> Reading | None:
    if not faces:
        return None
    u = t.units[unit]
    return Reading(
        words=f"{u.name}: {what}",
        side=u.side,
        unit=unit,
        dice=tuple([DieRead(face=face, result="passed" if passed else "") for face in faces]),
        came="passed" if passed else "failed",
        tallies=(tally(u.side, "checks passed", int(passed), chance_to_pass(t, morale, ())),),
    )


def on_dice(t: Firefight, faces: Roll, morale: int) -> str:
    return f": {' '.join(map(str, faces))}, {against(t, morale)}" if faces else " without a roll"


class Regrouped(Event, frozen=True):
    """A broken unit tried to regroup."""

    unit: int
    faces: tuple[int, ...]
    morale: int
    passed: bool
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S23", "SQ-TRT-15")

    def sentence(self, t: Firefight) -> str:
        verb = "regroups and is Pinned" if self.passed else "does not regroup"
        return f"{does(t.units[self.unit].name, verb)}{on_dice(t, self.faces, self.morale)}"

    def reading(self, t: Firefight) -> Reading | None:
        return check_read(t, self.unit, "regroup", self.faces, self.morale, self.passed)

    def motion(self, t: Firefight) -> Motion:
        return Motion(
            sort="dice" if self.faces else "mark", unit=self.unit, tag="regroups" if self.passed else "stays Broken"
        )


class FellBack(Event, frozen=True):
    unit: int
    distance: int
    lost: int
    """Models that ran off the table."""
    paths: tuple[Way, ...] | None = None
    """Paths of the unit's models; a model without a way back has none. None in older recorded games."""
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S23",)

    def sentence(self, t: Firefight) -> str:
        if self.paths == ():
            return f"{does(t.units[self.unit].name, 'is')} Broken, and no way leads back"
        off = f", and {self.lost} of them {agreeing(self.lost, 'runs')} off the table" if self.lost else ""
        name = t.units[self.unit].name
        back = f"{agreeing(name, 'falls')} back, up to {quantity(self.distance // INCH, 'inch')}{off}"
        return f"{does(name, 'is')} Broken and {back}"

    def motion(self, t: Firefight) -> Motion:
        if self.paths == ():
            return Motion(sort="mark", unit=self.unit, tag="Broken")
        return Motion(sort="move", unit=self.unit, ways=self.paths or ())


class Faced(Event, frozen=True):
    """A unit was tested by a Terrifying enemy."""

    unit: int
    of: int
    faces: tuple[int, ...]
    morale: int
    passed: bool
    clauses: ClassVar[tuple[str, ...]] = ("SQ-TRT-17", "SQ-TRT-18", "SQ-Q37")
    about = ("unit", "of")

    def sentence(self, t: Firefight) -> str:
        verb = "stands its ground before" if self.passed else "is terrified by"
        return f"{does(t.units[self.unit].name, verb)} {t.units[self.of].name}{on_dice(t, self.faces, self.morale)}"

    def reading(self, t: Firefight) -> Reading | None:
        return check_read(t, self.unit, f"faces {t.units[self.of].name}", self.faces, self.morale, self.passed)

    def motion(self, t: Firefight) -> Motion:
        return Motion(sort="dice" if self.faces else "mark", unit=self.unit, tag="" if self.passed else "terrified")
