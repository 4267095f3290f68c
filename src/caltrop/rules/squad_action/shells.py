"""Shells: the scatter of the marker, and the effects under the template (SQ-FMI-07 to 14, SQ-Q29 to Q32)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered, Proposal, Region, Wish
from caltrop.chance import Pool, Roll, Summed
from caltrop.engine import (
    Action,
    End,
    Event,
    Go,
    MotionOf,
    Options,
    Procedure,
    Refusal,
    Run,
    Throw,
    does,
    guard,
    not_an_option,
    rule,
    step,
)
from caltrop.geometry import INCH, Point, covers, directions, distance_sq, point_along
from caltrop.picture import Motion
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.casualties import TakeHits
from caltrop.rules.squad_action.catalogue import Class, Face
from caltrop.rules.squad_action.damage import CheckMachine, HitMachine, could_penetrate
from caltrop.rules.squad_action.places import bodies, cover_of, sees_place
from caltrop.rules.squad_action.records import Barrage, Firefight
from caltrop.rules.squad_action.template import (
    _HIT,
    WHAT_FIRES,
    _places,
    circles_of,
    effect_of,
    gap_to,
    hits_in,
    middle_of,
    radius_of,
    scatter_dice,
    scatters,
    shell_at_machine,
    under_fire,
)
from caltrop.table.measured import nearest_end, scattered

UNSEEN = guard(("SQ-FMI-07", "SQ-Q38"), "unseen", "{name:does} not see this place")
OFF_TABLE = guard("SQ-FMI-07", "off-table", "The place has to lie on the table")
MORTAR_RANGE = guard(
    "SQ-S13", "mortar-range", "A light mortar reaches from 6 to 48 inches, and this is {distance:inch} away"
)
NOT_AN_ENEMY = guard("SQ-Q30", "not-an-enemy", "The unit that is named has to be an enemy on the table")


class Shells(Procedure):
    """Shells scatter from their aim, and hit the models under them (SQ-FMI-08 to 21)."""

    side: int
    caller: int
    asset: str
    aim: Point
    target: int | None = None
    rounds: int = 1
    mortar: int | None = None
    marker: Point | None = None
    scattered_by: int = 0
    units: tuple[int, ...] = ()
    now: int = 0
    direct: tuple[int, ...] = ()
    kind: str = ""
    """Kind of the hits on the unit that is being dealt with."""

    @step("SQ-FMI-08", "SQ-Q29")
    def scatter_die(self, t: Firefight) -> Throw:
        return Throw(Pool(1), side=self.side, words="Scatter die: 1 and 2 on target")

    @step("SQ-FMI-08", "SQ-FMI-09", "SQ-Q29", "SQ-Q30")
    def how_far(self, t: Firefight, roll: Roll) -> Throw | Go:
        """The scatter dice decide how far the shell scatters; sustained fire rolls fewer of them."""
        dice, less = scatter_dice(t, self.rounds)
        if not scatters(t, roll[0]) or dice == 0:
            self.marker = self.aim
            return Go("land")
        reads = Summed(front=dice, least=0)
        return Throw(Pool(dice + less), reads=reads, side=self.side, words="How far does it scatter?")

    @step("SQ-FMI-08", "SQ-FMI-09", "SQ-Q30")
    def add_up(self, t: Firefight, roll: Roll) -> Go | None:
        dice, _ = scatter_dice(t, self.rounds)
        self.scattered_by = max(sum(roll[:dice]) - sum(roll[dice:]), 0)
        if not self.scattered_by:
            self.marker = self.aim
            return Go("land")
        return None

    @step("SQ-FMI-08", "SQ-Q29")
    def where_to(self, t: Firefight) -> Throw:
        """A die is read as a clock face for the direction; 12 is north."""
        return Throw(Pool(1, 12), side=self.side, words="Which way does it scatter? 12 is north")

    @step("SQ-FMI-08", "SQ-Q29")
    def place_marker(self, t: Firefight, roll: Roll) -> None:
        self.marker = scattered(self.aim, roll[0], self.scattered_by * INCH)

    @step("SQ-FMI-08", "SQ-Q38", "SQ-Q62")
    def land(self, t: Firefight) -> End | None:
        """A marker that falls off the table has no effect. By a house rule the effect comes a turn later."""
        assert self.marker is not None
        x0, y0, x1, y1 = t.ground.box
        on_table = x0 <= self.marker[0] <= x1 and y0 <= self.marker[1] <= y1
        t.tell(MarkerFell(self.caller, self.aim, self.marker, on_table))
        delayed = is_delayed(t) and on_table
        keep_barrage(
            t,
            Barrage(
                caller=self.caller,
                asset=self.asset,
                aim=self.aim,
                target=self.target,
                target_at=() if self.target is None else _places(t, self.target),
                rounds=self.rounds,
                turn=t.round,
                mortar=self.mortar,
                marker=self.marker if delayed else None,
                fell=self.marker if on_table else None,
            ),
        )
        return End() if not on_table or delayed else None

    @step("SQ-FMI-12", "SQ-FMI-13", "SQ-Q31", "SQ-Q32")
    def find_units(self, t: Firefight) -> None:
        assert self.marker is not None
        asset: Any = self.asset
        self.units = under_fire(t, self.marker, radius_of(t, asset), self.side)
        marker = self.marker
        self.direct = tuple(
            [u for u in self.units if t.units[u].machine and any(covers(b, marker) for b in bodies(t, u))]
        )

    @step("SQ-FMI-13")
    def effect(self, t: Firefight) -> Throw | End:
        while self.now < len(self.units) and t.units[self.units[self.now]].where != "table":
            self.now += 1
        if self.now >= len(self.units):
            return End()
        u = t.units[self.units[self.now]]
        return Throw(Pool(1), side=self.side, words=f"Effect of the shells on {u.name}")

    @step("SQ-FMI-14", "SQ-FMI-15", "SQ-FMI-16", "SQ-FMI-17", "SQ-FMI-18", "SQ-Q33")
    def take_effect(self, t: Firefight, roll: Roll) -> Run | Go | Throw:
        unit = self.units[self.now]
        asset: Any = self.asset
        effect = effect_of(t, asset, roll[0])
        t.tell(Shelled(unit, self.asset, roll[0], effect.pins, effect.at is not None))
        if t.units[unit].machine:
            return Go("next_unit") if effect.at is None else Go("hit_machine")
        if not effect.pins:
            return Go("next_unit")
        if not effect.hits:
            return Go("test_bare")
        self.kind = effect.hits
        return Throw(Pool(1), side=self.side, words=f"Hits on {t.units[unit].name}: {effect.hits.upper()}")

    @step("SQ-FMI-14", "SQ-FMI-15", "SQ-FMI-16", "SQ-FMI-20", "SQ-Q33")
    def hit_soldiers(self, t: Firefight, roll: Roll) -> Run:
        """Any model of the unit can be hit. Hits do not modify saving throws."""
        unit = self.units[self.now]
        u = t.units[unit]
        assert self.marker is not None
        return Run(
            TakeHits(
                unit=unit,
                hits=hits_in(self.kind, roll[0]),
                may_be_hit=u.models,
                cover=cover_of(t, u.models, [self.marker]),
            )
        )

    @step("SQ-Q33", "SQ-Q53")
    def test(self, t: Firefight, lost: int) -> Run:
        return Run(AfterAttack(unit=self.units[self.now], lost=lost, hit=True))

    @step("SQ-FMI-13")
    def tested(self, t: Firefight) -> Go:
        return Go("next_unit")

    @step("SQ-FMI-14", "SQ-FMI-15", "SQ-FMI-16")
    def test_bare(self, t: Firefight) -> Run:
        return Run(AfterAttack(unit=self.units[self.now], lost=0, hit=True))

    @step("SQ-FMI-13")
    def tested_bare(self, t: Firefight) -> Go:
        return Go("next_unit")

    @step("SQ-FMI-17", "SQ-FMI-18", "SQ-FMI-19", "SQ-FMI-20", "SQ-FMI-21")
    def hit_machine(self, t: Firefight) -> Run:
        """A machine takes one hit from a shell: on the side for a direct hit, otherwise on the front."""
        unit = self.units[self.now]
        u = t.units[unit]
        assert self.marker is not None
        at, face = self._struck(t)
        cover = cover_of(t, u.models, [self.marker])
        return Run(HitMachine(unit=unit, at_class=at, face=face, cover=cover, barred=unit in self.direct))

    @step("SQ-ORG-30", "SQ-Q33", "SQ-Q52")
    def check_machine(self, t: Firefight) -> Run | Go:
        """A machine takes a check if the hit could have penetrated."""
        unit = self.units[self.now]
        at, face = self._struck(t)
        if t.units[unit].where == "table" and could_penetrate(t, at, t.vehicle(unit).face(face)):
            return Run(CheckMachine(unit=unit))
        return Go("next_unit")

    @step("SQ-FMI-13")
    def next_unit(self, t: Firefight) -> Go:
        self.now += 1
        return Go("effect")

    def _struck(self, t: Firefight) -> tuple[Class, Face]:
        return shell_at_machine(t, _HIT[self.asset][1], self.units[self.now] in self.direct)


def is_delayed(t: Firefight) -> bool:
    return t.book.rules["mission_delay"] == 1


def keep_barrage(t: Firefight, barrage: Barrage) -> None:
    """Store a fire mission. The mission replaces the last mission of the same caller and mortar, unless that mission is
    still delayed.
    """

    def replaced(b: Barrage) -> bool:
        return (b.caller, b.mortar) == (barrage.caller, barrage.mortar) and b.marker is None

    t.barrages[:] = [*[b for b in t.barrages if not replaced(b)], barrage]


@rule("SQ-FMI-09", "SQ-Q30")
def stays_still(t: Firefight, b: Barrage) -> bool:
    """A target stays still if none of its living models has moved. A place without a unit never moves."""
    if b.target is None:
        return True
    # Places of the survivors must be found among the old places, in the same order.
    stood = iter(b.target_at)
    return t.units[b.target].in_play and all(at in stood for at in _places(t, b.target))


def going_on(t: Firefight, caller: int, aim: Point | None, target: int | None, mortar: int | None) -> Barrage | None:
    """Return the mission that a caller sustains with this aim, or None.

    Such a mission was called in the turn before with the same caller, mortar and aim, and its target has stayed still.
    """
    for b in t.barrages:
        if (
            b.direction is None
            and b.caller == caller
            and b.aim == aim
            and b.target == target
            and b.turn == t.round - 1
            and b.mortar == mortar
            and stays_still(t, b)
        ):
            return b
    return None


def pointed_at(t: Firefight, unit: int, place: Point) -> tuple[Point, int | None]:
    """Return the aim for a place at which a player pointed, and the enemy unit that is named with it.

    If the place is within a visible enemy unit, the aim is the middle of that unit.
    """
    target = nearest_enemy(t, unit, place)
    if target is not None and gap_to(t, target, place) <= 0 and sees_place(t, unit, middle_of(t, target)):
        place = middle_of(t, target)
    return place, target


def nearest_enemy(t: Firefight, unit: int, place: Point) -> int | None:
    """Return the enemy unit under a place or nearest to it, within 3 inches; None if there is none."""
    enemies = [(gap_to(t, e.id, place), e.id) for e in t.enemies(unit) if e.kind != "flyer"]
    return min(enemies)[1] if enemies and min(enemies)[0] <= 3 * INCH else None


def why_not_there(t: Firefight, unit: int, aim: Point, target: int | None, mortar: int | None = None) -> Refusal | None:
    u = t.units[unit]
    x0, y0, x1, y1 = t.ground.box
    refusal = OFF_TABLE.refuses(not (x0 <= aim[0] <= x1 and y0 <= aim[1] <= y1))
    if refusal is None and target is not None:
        exists = 0 <= target < len(t.units)
        wrong = not exists or t.units[target].side == u.side or t.units[target].where != "table"
        refusal = NOT_AN_ENEMY.refuses(wrong)
    if refusal is None and mortar is not None:
        distance = gap_to(t, mortar, aim)
        refusal = MORTAR_RANGE.refuses(not 6 * INCH <= distance <= 48 * INCH, distance=distance)
    return refusal or UNSEEN.refuses(not sees_place(t, unit, aim), name=u.name)


# --- decisions -------------------------------------------------------------------------------------------------------


class Mark(Action, frozen=True):
    """Mark the target of off-board fire."""

    aim: Point
    target: int | None = None
    """Enemy unit named as the target, so that fire on it can be sustained."""


class MarkOptions(Options):
    """Any place that the caller sees."""

    __slots__ = ("meant", "t", "unit")

    def __init__(self, t: Firefight, unit: int, meant: Mark | None = None) -> None:
        self.t, self.unit, self.meant = t, unit, meant

    def refusal(self, action: Any) -> Refusal | None:
        if not isinstance(action, Mark):
            return not_an_option("SQ-FMI-07", "Mark a place", nearest=self.first())
        refusal = why_not_there(self.t, self.unit, action.aim, action.target)
        return None if refusal is None else refusal.towards(self._nearest(action.aim) or self.first())

    def _nearest(self, aim: Point) -> Mark | None:
        """Return the mark on a visible place that lies nearest to a place."""

        def seen(end: Point) -> tuple[Point, Mark] | None:
            return (end, Mark(end)) if why_not_there(self.t, self.unit, end, None) is None else None

        box = self.t.ground.box
        return nearest_end(aim, middle_of(self.t, self.unit), box[2] + box[3], box, seen)

    def __iter__(self) -> Iterator[Any]:
        """Yield the suggested place and the middle of each visible enemy; if no enemy is visible, places near the
        caller.
        """
        t, none = self.t, True
        meant = self.meant
        if meant is not None and why_not_there(t, self.unit, meant.aim, meant.target) is None:
            none = False
            yield meant
        for enemy in t.enemies(self.unit):
            mark = Mark(middle_of(t, enemy.id), enemy.id)
            if mark != meant and enemy.kind != "flyer" and why_not_there(t, self.unit, mark.aim, mark.target) is None:
                none = False
                yield mark
        if none:
            own = middle_of(t, self.unit)
            around = [point_along(own, towards, 12 * INCH) for towards in directions(8)]
            yield from [Mark(at) for at in (*around, own) if why_not_there(t, self.unit, at, None) is None]


class MarkTarget(Offered, frozen=True, kw_only=True):
    """The caller marks the target of off-board fire."""

    unit: int
    asset: str
    """Weight of the shells, or kind of airstrike."""
    meant: Point | None = None
    """Place that the caller suggested to mark."""
    meant_target: int | None = None
    """Enemy unit that the caller suggested."""
    clauses: ClassVar[tuple[str, ...]] = ("SQ-FMI-07", "SQ-Q62", "SQ-Q38")
    hint: ClassVar[str] = "Mark any place that the caller sees. Shells and bombs may scatter from it."

    def options(self, t: Firefight) -> MarkOptions:
        return MarkOptions(t, self.unit, None if self.meant is None else Mark(self.meant, self.meant_target))

    def prompt(self, t: Firefight) -> str:
        return f"Mark the target of the {WHAT_FIRES[self.asset]}"

    def offers(self, t: Firefight) -> list[Offer]:
        return [
            Offer(
                action=a,
                words="Mark this place" if a.target is None else f"Mark {t.units[a.target].name}",
                unit=self.unit,
                target=a.target,
                spot=a.aim,
            )
            for a in self.options(t)
        ]

    def regions(self, t: Firefight) -> list[Region]:
        return [Region(form="spot", unit=self.unit, words="Mark a place", act="mark")]

    def told(self, t: Firefight, action: Any) -> Offer:
        if not isinstance(action, Mark):
            return super().told(t, action)
        what = "a place" if action.target is None else t.units[action.target].name
        return Offer(action=action, words=f"Mark {what}", unit=self.unit, target=action.target, spot=action.aim)

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        if wish.to is None:
            return super().propose(t, wish)
        action = Mark(*pointed_at(t, self.unit, wish.to))
        refusal = self.options(t).refusal(action)
        if refusal is not None:
            return Proposal(refusal=refusal, faults=(wish.to,))
        return Proposal(action=action, templates=circles_of(t, action.aim, (self.asset,)))


# --- events ----------------------------------------------------------------------------------------------------------


class Marked(Event, frozen=True):
    """The target of off-board fire was marked."""

    unit: int
    aim: Point
    target: int | None
    clauses: ClassVar[tuple[str, ...]] = ("SQ-FMI-07", "SQ-Q62")
    shown = MotionOf("aim", at="aim")

    def sentence(self, t: Firefight) -> str:
        what = "a place" if self.target is None else t.units[self.target].name
        return does(t.units[self.unit].name, f"marks {what}")


class MarkerFell(Event, frozen=True):
    """The marker of a mission fell to its final place."""

    unit: int
    aim: Point
    marker: Point
    on_table: bool
    clauses: ClassVar[tuple[str, ...]] = ("SQ-FMI-08", "SQ-Q29")

    def sentence(self, t: Firefight) -> str:
        if not self.on_table:
            return "The shells fall off the table, and are lost"
        if self.marker == self.aim:
            return "The shells fall on target"
        far = round(distance_sq(self.marker, self.aim) ** 0.5 / INCH)
        return f"The shells fall {quantity(far, 'inch')} off"

    def motion(self, t: Firefight) -> Motion:
        asset: Any = next((b.asset for b in t.barrages if b.fell == self.marker), None)
        radius = radius_of(t, asset) if self.on_table and asset is not None else 0
        return Motion(sort="scatter", unit=self.unit, at=self.aim, to=self.marker, radius=radius)


class Shelled(Event, frozen=True):
    unit: int
    asset: str
    face: int
    pins: bool
    hit: bool
    clauses: ClassVar[tuple[str, ...]] = ("SQ-FMI-13",)

    def sentence(self, t: Firefight) -> str:
        u = t.units[self.unit]
        if self.hit:
            return f"{does(u.name, 'is')} hit by the shells"
        if self.pins and u.on_foot:
            return f"{does(u.name, 'takes')} cover from the shells"
        return f"The shells do nothing to {u.name}"

    def motion(self, t: Firefight) -> Motion:
        takes_cover = self.pins and t.units[self.unit].on_foot
        tag = "hit" if self.hit else "takes cover" if takes_cover else "unharmed"
        return Motion(sort="mark", unit=self.unit, tag=tag)
