"""Calls for fire missions: whether an asset is available, where the target is marked, and the shells or aircraft that
follow.

The caller rolls for availability and for the asset, chooses the kind of an airstrike, then marks the target. The marker
scatters, and each unit within the template rolls for its own effect. A mortar on the table needs neither of the first
two rolls. A mortar fires as light artillery (SQ-FMI, SQ-Q29 to Q38).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from caltrop.asking import Act, Guards, Offer, Proposal, Region, Template, Wish
from caltrop.chance import Pool, Roll
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    MotionOf,
    Procedure,
    Run,
    Throw,
    ask,
    back,
    does,
    guard,
    rule,
    step,
)
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH, Point, distance_sq
from caltrop.rules.squad_action.acts import Doings, UnitAct, name_of
from caltrop.rules.squad_action.airstrike import AirRun, Airstrike
from caltrop.rules.squad_action.overwatch import Interruptions
from caltrop.rules.squad_action.reach import has_moved, has_shot
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.shells import Mark, Marked, MarkTarget, Shells, going_on, pointed_at, why_not_there
from caltrop.rules.squad_action.template import Asset, circles_of, middle_of
from caltrop.table.measured import nearest_end

NO_CALLER = guard(
    ("SQ-FMI-01", "SQ-FMI-02", "SQ-Q38"),
    "no-caller",
    "{name:has} neither an Officer nor a spotter, and cannot call for fire",
)
NOT_ON_TABLE = guard("SQ-Q38", "not-on-table", "{name:is} not on the table")
PINNED = guard("SQ-Q38", "pinned", "{name:is} Pinned, and cannot call for fire")
FIGHTING = guard(("SQ-FMI-03", "SQ-Q38"), "fighting", "{name:is} in close quarters, and cannot call for fire")
MOVED = guard(("SQ-FMI-04", "SQ-Q03", "SQ-Q72"), "moved", "{name:has} moved this turn, and cannot call for fire")
CALLED = guard("SQ-Q38", "called", "{side} has called for an off-board asset this turn")
NO_MORTAR = guard("SQ-Q62", "no-mortar", "{name:has} no mortar")
MORTAR_BUSY = guard("SQ-Q62", "mortar-busy", "The mortar of {name} {busy}, and cannot fire a mission")
NO_PLACE = guard("SQ-Q62", "no-place", "Name the place: a mortar fires at one, and an enemy is named with one")


class CallForFire(Procedure):
    """A unit calls for a fire mission (SQ-FMI)."""

    unit: int
    aim: Point | None = None
    target: int | None = None
    mortar: int | None = None
    before: int = 0
    asset: str = ""
    rounds: int = 1

    @step("SQ-ACT-06", "SQ-ORG-05")
    def be_watched(self, t: Firefight) -> Run:
        """Enemies on overwatch may interrupt before the fire mission is called."""
        return Run(Interruptions(actor=self.unit, before=self.before))

    @step("SQ-FMI-05", "SQ-Q30", "SQ-Q62", "SQ-FMI-09", "SQ-ORG-06", "SQ-Q38")
    def what_fires(self, t: Firefight, result: tuple[int, bool]) -> Go | End:
        """A mortar on the table and sustained fire need no rolls. A mortar whose crew is gone does not fire.

        If the caller can no longer see the place, a mortar does not fire and fire is not sustained.
        """
        if result[1]:
            return End()
        silent = self.mortar is not None and not (has_mortar(t, self.mortar) and mortar_is_ready(t, self.mortar))
        calls = self.mortar == self.unit or is_caller(t, self.unit)
        if not silent and calls and self._sees_it_no_more(t):
            t.tell(SeenNoMore(self.unit))
            return End(False)
        t.change(self.unit, called=True)
        if silent and self.mortar is not None:
            t.tell(Silenced(self.mortar))
            return End()
        if not calls:
            t.tell(NobodyCalls(self.unit))
            return End()
        sustained = going_on(t, self.unit, self.aim, self.target, self.mortar)
        t.tell(Called(self.unit, self.aim if self.mortar is not None or sustained is not None else None))
        if self.mortar is not None:
            self.asset = "light"
            m = next(m for m in t.units[self.mortar].models for w in t.models[m].weapons if t.weapon(w).has("mission"))
            t.change_model(m, fired=(*t.models[m].fired, *t.models[m].weapons))
        else:
            t.called.append(t.units[self.unit].side)
        if sustained is not None:
            self.asset, self.rounds = sustained.asset, sustained.rounds + 1
        return Go("mark") if self.asset else Go("availability")

    @step("SQ-FMI-01", "SQ-FMI-02")
    def availability(self, t: Firefight) -> Throw:
        side = t.units[self.unit].side
        return Throw(Pool(1), side=side, words=f"Is an asset available? {available_on(t, self.unit)}+")

    @step("SQ-FMI-01", "SQ-FMI-02")
    def available(self, t: Firefight, roll: Roll) -> End | None:
        """A failed roll for availability counts as the side's call for this turn."""
        if roll[0] < available_on(t, self.unit):
            t.tell(NotAvailable(self.unit))
            return End()
        return None

    @step("SQ-FMI-06")
    def which_asset(self, t: Firefight) -> Throw:
        return Throw(Pool(1), side=t.units[self.unit].side, words="Which asset?")

    @step("SQ-FMI-06")
    def asset_is(self, t: Firefight, roll: Roll) -> None:
        self.asset = asset_of(t, roll[0])
        t.tell(HasAsset(self.unit, self.asset))

    @step("SQ-FMI-07", "SQ-AIR-01", "SQ-Q62")
    def mark(self, t: Firefight) -> Run | Ask | Go:
        if self.mortar is not None or self.rounds > 1:
            return Go("fall")
        if self.asset != "airstrike":
            side = t.units[self.unit].side
            return ask(
                MarkTarget(side=side, unit=self.unit, asset=self.asset, meant=self.aim, meant_target=self.target)
            )
        return Run(Airstrike(unit=self.unit, aim=self.aim, target=self.target))

    @step("SQ-FMI-07", "SQ-AIR-01", "SQ-Q62")
    def struck(self, t: Firefight, choice: Any) -> End | None:
        """An airstrike ends the call; shells fall at the marked place."""
        if not isinstance(choice, Mark):
            return End()
        self.aim, self.target = choice.aim, choice.target
        t.tell(Marked(self.unit, choice.aim, choice.target))
        return None

    @step("SQ-FMI-08", "SQ-Q38")
    def fall(self, t: Firefight) -> Run:
        side = t.units[self.unit].side
        assert self.aim is not None
        return Run(
            Shells(
                side=side,
                caller=self.unit,
                asset=self.asset,
                aim=self.aim,
                target=self.target,
                rounds=self.rounds,
                mortar=self.mortar,
            )
        )

    def _sees_it_no_more(self, t: Firefight) -> bool:
        """Return whether the caller can no longer see or reach the place, for mortars and sustained fire."""
        if self.aim is None or (
            self.mortar is None and going_on(t, self.unit, self.aim, self.target, self.mortar) is None
        ):
            return False
        return why_not_there(t, self.unit, self.aim, None, self.mortar) is not None


class DelayedShells(Procedure):
    """Fire missions called a turn ago take effect at the start of the caller's next turn (SQ-Q38)."""

    sides: tuple[int, ...]

    @step("SQ-Q38")
    def next_barrage(self, t: Firefight) -> Run | End:
        for n, b in enumerate(t.barrages):
            if b.marker is not None and t.units[b.caller].side in self.sides and b.turn < t.round:
                t.barrages[n] = msgspec.structs.replace(b, marker=None)
                if b.direction is not None:
                    side = t.units[b.caller].side
                    return Run(
                        AirRun(at="fly", side=side, unit=b.caller, aim=b.marker, kind=b.asset, direction=b.direction)
                    )
                return Run(
                    Shells(
                        at="find_units",
                        side=t.units[b.caller].side,
                        caller=b.caller,
                        asset=b.asset,
                        aim=b.aim,
                        marker=b.marker,
                    )
                )
        return End()

    again = back("next_barrage", "SQ-Q38")


@rule("SQ-FMI-01", "SQ-FMI-02")
def available_on(t: Firefight, unit: int) -> int:
    """A unit with a spotter gets an off-board asset if a die shows 5 or more, a unit with an Officer on 6.

    The number 7 means that the unit cannot call for an asset.
    """
    models = [t.models[m] for m in t.units[unit].models]
    return 5 if any(m.spotter for m in models) else 6 if any(m.officer for m in models) else 7


def is_caller(t: Firefight, unit: int) -> bool:
    return t.units[unit].on_foot and available_on(t, unit) < 7


def has_mortar(t: Firefight, unit: int) -> bool:
    u = t.units[unit]
    return u.on_foot and any(t.weapon(w).has("mission") for m in u.models for w in t.models[m].weapons)


def mortar_is_ready(t: Firefight, unit: int) -> bool:
    """Return whether a mortar may fire a mission now (SQ-Q62)."""
    return not busy_with(t, unit)


def busy_with(t: Firefight, unit: int) -> str:
    """Return in words why a mortar cannot fire a mission now; empty if it can.

    A mortar can fire if it has neither moved nor fired, and is not Pinned, Broken or in close quarters (SQ-Q62).
    """
    u = t.units[unit]
    if u.where != "table":
        return "is not on the table"
    if u.pinned or u.broken:
        return "is Pinned" if u.pinned else "is Broken"
    if u.locked:
        return "is in close quarters"
    if has_moved(t, unit):
        return "has moved this turn"
    fired = any(t.weapon(w).has("mission") for m in u.models for w in t.models[m].fired)
    return "has fired this turn" if fired or has_shot(t, unit) else ""


@rule("SQ-FMI-06")
def asset_of(b: HasBook, face: int) -> Asset:
    """The asset is heavy artillery on 1, medium on 2 and 3, light on 4 and 5, and an airstrike on 6."""
    if face == 1:
        return "heavy"
    if face in (2, 3):
        return "medium"
    return "light" if face in (4, 5) else "airstrike"


# --- templates -------------------------------------------------------------------------------------------------------


def templates_of(t: Firefight, act: CallFire) -> tuple[Template, ...]:
    """Return the templates of a mission at its aim: one circle for each possible radius."""
    sustained = going_on(t, act.unit, act.aim, act.target, act.mortar)
    if act.aim is None:
        return ()
    if act.mortar is not None or sustained is not None:
        return circles_of(t, act.aim, ("light" if sustained is None else sustained.asset,))
    return circles_of(t, act.aim, ("light", "medium", "heavy"))


def steadied(t: Firefight, unit: int, mortar: int | None, place: Point) -> CallFire:
    """Return a fire mission at the pointer. The aim moves to an exact place if a likely one is near.

    Sustained fire keeps its earlier aim. If the pointer is on a base, the aim is the middle of its unit.
    """
    for b in t.barrages:
        if b.caller == unit and distance_sq(b.aim, place) <= INCH * INCH and going_on(t, unit, b.aim, b.target, mortar):
            return CallFire(unit, b.aim, b.target, mortar)
    place, target = pointed_at(t, unit, place)
    return CallFire(unit, place, target, mortar)


# --- decisions -------------------------------------------------------------------------------------------------------


def is_mortar_of(t: Firefight, unit: int, mortar: int) -> bool:
    return is_of_side(t, unit, mortar) and has_mortar(t, mortar)


def is_of_side(t: Firefight, unit: int, other: int) -> bool:
    return 0 <= other < len(t.units) and t.units[other].side == t.units[unit].side


CALLS = Guards(
    (NOT_ON_TABLE, lambda t, unit: not t.units[unit].in_play),
    (PINNED, lambda t, unit: t.units[unit].pinned or t.units[unit].broken),
    (FIGHTING, lambda t, unit: t.units[unit].locked),
    (MOVED, has_moved),
    (NO_CALLER, lambda t, unit, mortar: mortar is None and not is_caller(t, unit)),
    (CALLED, lambda t, unit, mortar: mortar is None and t.units[unit].side in t.called),
    Guards(
        (NO_MORTAR, lambda t, unit, mortar: mortar is not None and not is_mortar_of(t, unit, mortar)),
        (
            MORTAR_BUSY,
            lambda t, unit, mortar: (
                mortar is not None and is_mortar_of(t, unit, mortar) and not mortar_is_ready(t, mortar)
            ),
        ),
        name=lambda t, unit, mortar: name_of(t, mortar) if is_of_side(t, unit, mortar) else "Nobody",
        busy=lambda t, mortar: busy_with(t, mortar),
    ),
    (NO_CALLER, lambda t, unit, mortar: mortar not in (None, unit) and not is_caller(t, unit)),
    name=name_of,
    side=lambda t, unit: t.field.names[t.units[unit].side],
)
"""Reasons why a unit cannot call for fire, off-board or from a mortar."""


class CallFire(UnitAct, frozen=True):
    aim: Point | None = None  # type: ignore[assignment, misc]
    """Aim of a mortar or of sustained fire; otherwise only a suggestion.

    Off-board fire is marked when its asset is known.
    """
    target: int | None = None
    """Enemy unit named as the target, so that fire on it can be sustained."""
    mortar: int | None = None
    """The mortar unit on the table that fires; None for off-board fire."""

    kind = "mission"
    words = "{what}{at}"
    says: ClassVar = {
        "what": lambda t, aim, mortar: (
            f"{does(t.units[mortar].name, 'fires')}"
            if mortar is not None
            else "Call a fire mission"
            if aim is None
            else "Sustain the fire"
        ),
        "at": lambda t, target: "" if target is None else f" at {name_of(t, target)}",
    }
    sampled = True
    guards = Guards(
        CALLS,
        (NO_PLACE, lambda aim, target, mortar: aim is None and (mortar is not None or target is not None)),
        lambda t, unit, aim, target, mortar: aim and why_not_there(t, unit, aim, target, mortar),
    )

    def procedure(self, t: Firefight, *, token: bool = False, before: int = 0) -> CallForFire:
        return CallForFire(unit=self.unit, aim=self.aim, target=self.target, mortar=self.mortar, before=before)

    def offer(self, o: Doings) -> Offer:
        return msgspec.structs.replace(super().offer(o), target=self.target, spot=self.aim)

    @classmethod
    def is_open_to(cls, t: Firefight, unit: int) -> bool:
        return is_caller(t, unit) or has_mortar(t, unit)

    @classmethod
    def every(cls, o: Doings, **fixed: Any) -> Iterator[CallFire]:
        """Yield sustained fire, off-board fire, and fire of each mortar at each visible enemy."""
        t, unit, u = o.t, o.unit, o.t.units[o.unit]
        if not u.in_play or not u.on_foot or not (is_caller(t, unit) or has_mortar(t, unit)):
            return
        ways: list[int | None] = list(mortars_for(t, unit))
        if CALLS.why(t, unit=unit, mortar=None) is None:
            ways.append(None)
        if not ways:
            return
        sustained: set[CallFire] = set()
        for b in t.barrages:
            for mortar in ways:
                again = cls(unit, b.aim, b.target, mortar)
                if (
                    b.caller == unit
                    and b.mortar == mortar
                    and again not in sustained
                    and going_on(t, unit, b.aim, b.target, mortar)
                    and why_not_there(t, unit, b.aim, b.target, mortar) is None
                ):
                    sustained.add(again)
                    yield again
        if ways[-1] is None:
            yield cls(unit)
        for enemy in t.enemies(unit):
            if enemy.kind == "flyer":
                continue
            middle = middle_of(t, enemy.id)
            for mortar in ways:
                act = cls(unit, middle, enemy.id, mortar)
                if (
                    mortar is not None
                    and act not in sustained
                    and why_not_there(t, unit, middle, enemy.id, mortar) is None
                ):
                    yield act

    def nearest(self, o: Doings) -> Act | None:
        """Return the mission of the same mortar at the visible place that lies nearest."""
        aim, act = self.aim, None

        def legal(end: Point) -> tuple[Point, CallFire] | None:
            there = CallFire(self.unit, end, None, self.mortar)
            return (end, there) if there.why(o) is None else None

        if (
            aim is not None
            and self.mortar is not None
            and self.unit == o.unit
            and self.mortar in mortars_for(o.t, o.unit)
        ):
            box = o.t.ground.box
            act = nearest_end(aim, middle_of(o.t, o.unit), box[2] + box[3], box, legal)
        return act or super().nearest(o)

    @classmethod
    def regions(cls, o: Doings) -> Iterator[Region]:
        """Yield all visible places for a mortar. Off-board fire needs no place until it is marked."""
        if mortars_for(o.t, o.unit) and cls.some(o):
            yield Region(form="spot", unit=o.unit, words="Fire a mortar", act="mission")

    @classmethod
    def propose(cls, o: Doings, wish: Wish) -> Proposal | None:
        """Return a mortar's fire mission at the place that the player points at."""
        t, unit = o.t, o.unit
        if wish.act != "mission" or wish.to is None or wish.unit != unit:
            return None
        act = steadied(t, unit, next(iter(mortars_for(t, unit)), None), wish.to)
        refusal = o.refusal(act)
        if refusal is not None:
            return Proposal(refusal=refusal, faults=(wish.to,))
        return Proposal(action=act, templates=templates_of(t, act))


def mortars_for(t: Firefight, unit: int) -> list[int]:
    own = [u.id for u in t.of_side(t.units[unit].side) if has_mortar(t, u.id)]
    return [mortar for mortar in own if CALLS.why(t, unit=unit, mortar=mortar) is None]


# --- events ----------------------------------------------------------------------------------------------------------


class Called(Event, frozen=True):
    unit: int
    aim: Point | None
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-06", "SQ-FMI-07")
    template = "{unit:calls} for fire"
    shown = MotionOf("aim", at="aim")


class Silenced(Event, frozen=True):
    """A mortar was lost before it could fire its mission."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q62",)
    template = "The mortar of {unit} stops firing"


class SeenNoMore(Event, frozen=True):
    """An interruption hid the place of a fire mission or removed its observer, so nothing is fired."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-06", "SQ-Q38")
    template = "{unit:does} not see the place any more, and cannot call fire on it"


class NobodyCalls(Event, frozen=True):
    """Enemies who interrupted the call shot down every model that could call."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-FMI-01", "SQ-FMI-02")
    template = "No model is left in {unit} that could call for fire"


class NotAvailable(Event, frozen=True):
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-FMI-01", "SQ-FMI-02")
    template = "No fire mission is available to {unit}"


class HasAsset(Event, frozen=True):
    unit: int
    asset: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-FMI-06",)

    def sentence(self, t: Firefight) -> str:
        what = "An airstrike" if self.asset == "airstrike" else f"{self.asset.capitalize()} artillery"
        return f"{what} answers {t.units[self.unit].name}"
