"""Infantry in step 4: Platoons divide and form up, Putredine bases join, and bases are given up to help vehicles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Listed,
    Procedure,
    Refusal,
    Sum,
    Term,
    ask,
    guard,
    rule,
    step,
)
from caltrop.geometry import INCH
from caltrop.picture import Motion
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.places import in_contact, within
from caltrop.rules.command_horizon.reach import is_infantry, is_putredine
from caltrop.rules.command_horizon.worms import remove_token, spend_base

NOT_INFANTRY = guard(("CH-SQUAD-01", "CH-SQUAD-10"), "not-infantry", "{name:is} not infantry")
ONE_SQUAD = guard(("CH-SQUAD-03", "CH-SQUAD-07", "Q-SQUAD-7"), "one-squad", "{name:has} no other Squad to leave behind")
NO_SUCH_SQUAD = guard("CH-SQUAD-03", "no-such-squad", "{name:has} no Squad {squad} in play")
CANNOT_SPLIT = guard(
    ("CH-PUTINF-07", "CH-PUTINF-08"), "cannot-split", "Bases of {name} that are grouped cannot detach again"
)
HAS_MOVED = guard(
    ("Q-SQUAD-5", "CH-SQUAD-06"), "has-moved", "{name:has} moved already: Squads detach before any base moves"
)
IS_LOCKED = guard(
    ("Q-CC-7", "CH-CC-06"), "locked-unit", "{name:is} locked in close combat and can only fight or disengage"
)
IS_LEAVING = guard("CH-DISENGAGE-08", "left-combat", "{name:has} left close combat this turn and can do nothing else")
IS_BUSY = guard(
    "Q-SQUAD-6",
    "busy",
    "{name:is} busy: the attack on {target} waits for the combat step, and until then nobody leaves or joins it",
)
ANOTHER_PLATOON = guard(
    ("CH-SQUAD-04", "Q-SQUAD-2"), "another-platoon", "{name} and {other} do not come from the same Platoon"
)
TOO_FAR_APART = guard(
    ("Q-SQUAD-2", "CH-COH-04"), "too-far-apart", "{name:is} more than 1 inch away from {other} (CH-COH-04)"
)
OUT_OF_REACH = guard("CH-PUTINF-09", "not-joined", "{name:is} more than 1 inch away from {other}")
JOINS_ITS_LIKE = guard(
    ("CH-PUTINF-06", "CH-PUTINF-09"), "joins-its-like", "Only Putredine infantry joins Putredine infantry of its side"
)
NO_CP = guard(("CH-COST-11", "CH-SQUAD-05", "CH-SQUAD-09"), "no-cp-for-squads", "{price} CP are needed, {cp} at hand")
NO_STUNS = guard("CH-PUTSTUN-08", "no-stuns", "{name:has} no Stun markers to remove")
OWN_VEHICLE = guard("CH-PUTSTUN-08", "own-vehicle", "Markers are taken from a Putredine vehicle unit of the same side")
NO_CONTACT = guard(("CH-PUTSTUN-08", "Q-PUTINF-3"), "no-contact", "{name:is} not in base contact with {other}")
NOT_ITS_BASE = guard("CH-PUTSTUN-08", "not-its-base", "The base is not one of {name}")
NOT_BY_BASES = guard(
    ("Q-WORM-2", "CH-WORM-08"), "not-by-bases", "Worm Tokens are bought off in step 2: bases cannot remove them"
)
NO_TOKEN = guard(("Q-WORM-2", "CH-WORM-08"), "no-token", "That model carries no Worm Token")


class Division(Procedure):
    """A Squad detaches from its Platoon, before any base of it moves."""

    side: int
    unit: int
    squad: int
    made: int = -1

    @step("CH-SQUAD-01", "CH-SQUAD-02", "CH-SQUAD-03", "CH-SQUAD-05", "CH-SQUAD-06", "CH-SQUAD-07", "CH-COH-03",
          "CH-COH-05", "Q-SQUAD-3", "Q-SQUAD-5")  # fmt: skip
    def part(self, t: Battle) -> Ask | End:
        """The Squad becomes a unit of its own, with its share of the Stun markers."""
        u = t.units[self.unit]
        t.pay(self.side, price_of_squads(t, self.unit, 1), self.unit)
        u = t.units[self.unit]
        leaving = tuple([m for m in u.models if t.models[m].squad == self.squad])
        staying = tuple([m for m in u.models if t.models[m].squad != self.squad])
        platoon = platoon_of(t, self.unit)
        shares = [u.stuns * len(part) // len(u.models) for part in (leaving, staying)]
        self.made = t.add_unit(
            replace(
                u,
                models=leaving,
                stuns=shares[0],
                name=f"{u.name.partition(', Squad ')[0]}, Squad {self.squad + 1}",
                platoon=platoon,
                spent=0,
            )
        )
        move_bases(t, leaving, self.made)
        t.change(self.unit, models=staying, stuns=shares[1], platoon=platoon)
        t.tell(Detached(unit=self.unit, squad=self.made))
        if u.stuns > sum(shares):
            return ask(PlaceOddMarker(side=self.side, units=(self.made, self.unit)))
        return End()

    @step("Q-SQUAD-3")
    def place_the_odd_marker(self, t: Battle, choice: TakeOdd) -> None:
        """Dividing causes no doubling check of its own."""
        t.change(choice.unit, stuns=t.units[choice.unit].stuns + 1)


# --- who forms up, attaches and splits -------------------------------------------------------------------------------


def squads_of(t: Battle, unit: int) -> tuple[int, ...]:
    """The Squads of a unit that have bases left, in order."""
    return tuple(sorted(dict.fromkeys([t.models[m].squad for m in t.units[unit].models])))


def platoon_of(t: Battle, unit: int) -> int:
    """What Squads of one Platoon have in common; -1 for what belongs to none."""
    u = t.units[unit]
    return unit if u.platoon < 0 and u.squads > 1 else u.platoon


def _own(t: Battle, unit: int, side: int) -> bool:
    if not 0 <= unit < len(t.units):
        return False
    u = t.units[unit]
    return u.side == side and u.deployed and bool(u.models)


def _bound(t: Battle, unit: int) -> Refusal | None:
    """Why a unit can do nothing but what close combat leaves to it, None where it is free."""
    u = t.units[unit]
    return IS_LOCKED.refuses(bool(u.locked), name=t.called(unit)) or IS_LEAVING.refuses(
        u.disengaged, name=t.called(unit)
    )


def _busy(t: Battle, unit: int) -> Refusal | None:
    """Why nobody may leave or join a unit now: close combat, or a charge or Rush of this turn that is yet to be fought.

    A charge that found no place in contact has come to nothing, and binds nobody.
    """
    u = t.units[unit]
    waits = u.charging >= 0 and u.arrived
    return _bound(t, unit) or IS_BUSY.refuses(waits, name=t.called(unit), target=t.called(u.charging) if waits else "")


@rule("CH-COST-11", "CH-SQUAD-05", "CH-SQUAD-09", "Q-SQUAD-2")
def price_of_squads(t: Battle, unit: int, squads: int) -> Sum:
    """Attaching or detaching costs 1 CP for each Squad that leaves or joins; the rest pays nothing."""
    return (Term(squads, "CH-COST-11", f"Squads that leave or join: {squads}"),)


@rule("Q-SQUAD-2", "CH-SQUAD-09", stages=("house",))
def squads_that_pay(t: Battle, unit: int, into: int) -> int:
    """The Squads that join another body pay; the body they join does not."""
    return len(squads_of(t, unit))


@squads_that_pay.amended_by("Q-SQUAD-2", "CH-COST-11", stage="house", house={"attach.pays": "all"})
def every_squad_involved_pays(squads: int, t: Battle, unit: int, into: int) -> int:
    """House rule: the Squads of the body that is joined pay too."""
    return squads + len(squads_of(t, into))


def detach_refusal(t: Battle, side: int, action: Detach) -> Refusal | None:
    """Why a Squad may not detach (CH-SQUAD-01, 03, 05, 06): the Squads that a unit has now count (Q-SQUAD-7)."""
    if not _own(t, action.unit, side) or not is_infantry(t, action.unit):
        name = t.called(action.unit) if 0 <= action.unit < len(t.units) else "This"
        return NOT_INFANTRY.refuses(True, name=name)
    u = t.units[action.unit]
    squads = squads_of(t, action.unit)
    cp = t.armies[side].cp
    return (
        CANNOT_SPLIT.refuses(is_putredine(t, action.unit), name=t.called(action.unit))
        or ONE_SQUAD.refuses(len(squads) < 2, name=t.called(action.unit))
        or NO_SUCH_SQUAD.refuses(action.squad not in squads, name=t.called(action.unit), squad=action.squad + 1)
        or _busy(t, action.unit)
        or HAS_MOVED.refuses(u.moved > 0 or u.move_over, name=t.called(action.unit))
        or NO_CP.refuses(cp < 1, price=1, cp=cp)
    )


def form_up_refusal(t: Battle, side: int, action: FormUp) -> Refusal | None:
    """Why Squads may not form up (CH-SQUAD-04, 09)."""
    a, b = action.unit, action.into
    if not _own(t, a, side) or not is_infantry(t, a):
        return NOT_INFANTRY.refuses(True, name="The first unit")
    if not _own(t, b, side) or not is_infantry(t, b):
        return NOT_INFANTRY.refuses(True, name="The second unit")
    platoon = platoon_of(t, a)
    names = {"name": t.called(a), "other": t.called(b)}
    price, cp = squads_that_pay(t, a, b), t.armies[side].cp
    return (
        ANOTHER_PLATOON.refuses(a == b or platoon < 0 or platoon != platoon_of(t, b), **names)
        or _busy(t, a)
        or _busy(t, b)
        or TOO_FAR_APART.refuses(not within(t, a, b, INCH), **names)
        or NO_CP.refuses(cp < price, price=price, cp=cp)
    )


def join_refusal(t: Battle, side: int, action: Join) -> Refusal | None:
    """Why Putredine bases may not join others (CH-PUTINF-06, 09)."""
    a, b = action.unit, action.into
    fits = a != b and all(_own(t, i, side) and is_infantry(t, i) and is_putredine(t, i) for i in (a, b))
    if not fits:
        return JOINS_ITS_LIKE.refuses(True)
    return (
        _busy(t, a)
        or _busy(t, b)
        or OUT_OF_REACH.refuses(not within(t, a, b, INCH), name=t.called(a), other=t.called(b))
    )


def eat_refusal(t: Battle, side: int, action: EatStun) -> Refusal | None:
    """Why a base may not take a marker of a vehicle unit (CH-PUTSTUN-08)."""
    a, v = action.unit, action.vehicle
    if not _own(t, a, side) or not is_infantry(t, a) or not is_putredine(t, a):
        return JOINS_ITS_LIKE.refuses(True) or NOT_INFANTRY.refuses(True, name="The unit")
    if not _own(t, v, side) or is_infantry(t, v):
        return OWN_VEHICLE.refuses(True)
    names = {"name": t.called(a), "other": t.called(v)}
    return (
        NO_STUNS.refuses(t.units[v].stuns == 0, name=t.called(v))
        or NOT_ITS_BASE.refuses(action.base not in t.units[a].models, name=t.called(a))
        or _bound(t, a)
        or NO_CONTACT.refuses(not in_contact(t, a, v), **names)
    )


def give_refusal(t: Battle, side: int, action: GiveBase) -> Refusal | None:
    """Why a base may not take a Worm Token away (house rule, Q-WORM-2)."""
    if t.book.rules["worm.removal"] == "cp":
        return NOT_BY_BASES.refuses(True)
    a = action.unit
    if not _own(t, a, side) or not is_infantry(t, a):
        return NOT_INFANTRY.refuses(True, name="The unit")
    m = t.models[action.model] if 0 <= action.model < len(t.models) else None
    if m is None or not m.alive or not m.worms or t.units[m.unit].side != side:
        return NO_TOKEN.refuses(True)
    names = {"name": t.called(a), "other": t.called(m.unit)}
    return (
        NOT_ITS_BASE.refuses(action.base not in t.units[a].models, name=t.called(a))
        or _bound(t, a)
        or NO_CONTACT.refuses(not in_contact(t, a, m.unit), **names)
    )


def detachments(t: Battle, side: int) -> Iterator[Detach]:
    """Every Squad that may detach."""
    for i in t.in_play(side):
        if is_infantry(t, i):
            for squad in squads_of(t, i):
                action = Detach(i, squad)
                if detach_refusal(t, side, action) is None:
                    yield action


def form_ups(t: Battle, side: int) -> Iterator[FormUp]:
    """Every pair of units that may form up."""
    if t.armies[side].cp < 1 or t.armies[side].army == "putredine":
        return
    apart = [i for i in t.in_play(side) if t.units[i].platoon >= 0]
    for a in apart:
        for b in apart:
            if a != b and t.units[a].platoon == t.units[b].platoon and form_up_refusal(t, side, FormUp(a, b)) is None:
                yield FormUp(a, b)


def joins(t: Battle, side: int) -> Iterator[Join]:
    """Every pair of Putredine infantry units that may join."""
    if t.armies[side].army != "putredine":
        return
    units = [i for i in t.in_play(side) if is_infantry(t, i)]
    for a in units:
        for b in units:
            if a != b and join_refusal(t, side, Join(a, b)) is None:
                yield Join(a, b)


def meals(t: Battle, side: int) -> Iterator[EatStun]:
    """Every way in which Putredine infantry may take a marker of a vehicle unit."""
    if t.armies[side].army != "putredine":
        return
    stunned = [v for v in t.in_play(side) if t.units[v].stuns and not is_infantry(t, v)]
    if not stunned:
        return
    for a in t.in_play(side):
        if is_infantry(t, a) and not t.units[a].locked and not t.units[a].disengaged:
            for v in stunned:
                if in_contact(t, a, v):
                    yield from [EatStun(a, v, base) for base in t.units[a].models]


def gifts(t: Battle, side: int) -> Iterator[GiveBase]:
    """House rule: every way in which an infantry base may take a Worm Token away."""
    if t.book.rules["worm.removal"] == "cp":
        return
    wormed = [v for v in t.in_play(side) if any(t.models[m].worms for m in t.units[v].models)]
    if not wormed:
        return
    for a in t.in_play(side):
        if is_infantry(t, a) and not t.units[a].locked and not t.units[a].disengaged:
            for v in wormed:
                if in_contact(t, a, v):
                    for base in t.units[a].models:
                        yield from [GiveBase(a, base, m) for m in t.units[v].models if t.models[m].worms]


# --- what comes of it ------------------------------------------------------------------------------------------------


def eat_stun(t: Battle, action: EatStun) -> None:
    """The base is removed from the game, and one marker with it, without a price (CH-PUTSTUN-08)."""
    t.change(action.vehicle, stuns=t.units[action.vehicle].stuns - 1)
    spend_base(t, action.base, f"takes a Stun marker off {t.called(action.vehicle)}", "CH-PUTSTUN-08")
    t.tell(StunEaten(unit=action.unit, vehicle=action.vehicle))


def give_base(t: Battle, action: GiveBase) -> None:
    """The base is removed from the game, and one Worm Token with it (Q-WORM-2)."""
    spend_base(t, action.base, "takes a Worm Token away", "Q-WORM-2")
    remove_token(t, action.model)


def move_bases(t: Battle, models: tuple[int, ...], unit: int) -> None:
    """Give models to another unit; the units' own lists are the caller's."""
    for m in models:
        t.change_model(m, unit=unit)


def form_up(t: Battle, action: FormUp) -> None:
    """The joining Squads become part of the other unit; their movement is over (Q-SQUAD-5)."""
    a, b = t.units[action.unit], t.units[action.into]
    t.pay(a.side, price_of_squads(t, action.unit, squads_that_pay(t, action.unit, action.into)), action.into)
    _merge(t, action.unit, action.into, move_over=True, may_fire=a.may_fire and b.may_fire)
    t.tell(Formed(unit=action.unit, into=action.into))


def join(t: Battle, action: Join) -> None:
    """The bases are one unit from now on: no free move this turn, but 5 cm can be bought (CH-PUTINF-10, 11).

    Bases whose charge has come to nothing have had their movement (Q-CHARGE-7), and so the unit has.
    """
    a, b = t.units[action.unit], t.units[action.into]
    _merge(
        t,
        action.unit,
        action.into,
        move_over=a.charging >= 0 or b.charging >= 0,
        no_free_move=True,
        joined_from=max(a.moved, b.moved, a.joined_from, b.joined_from),
        spawned=a.spawned and b.spawned,
        appeared=a.appeared or b.appeared,
        frozen=a.frozen or b.frozen,
        newly_stunned=a.newly_stunned or b.newly_stunned,
        starting=a.starting + b.starting,
    )
    t.tell(Joined(unit=action.unit, into=action.into))


def _merge(t: Battle, unit: int, into: int, **fields: Any) -> None:
    """Put all models of one unit into another, markers added (Q-SQUAD-3)."""
    a, b = t.units[unit], t.units[into]
    move_bases(t, a.models, into)
    b = t.units[into]
    t.units[into] = replace(
        b,
        models=tuple(sorted((*a.models, *b.models))),
        stuns=a.stuns + b.stuns,
        moved=max(a.moved, b.moved),
        paid=a.paid + b.paid,
        spent=a.spent + b.spent,
        **fields,
    )
    t.change(unit, models=(), stuns=0, overwatch=0)


# --- what is asked ---------------------------------------------------------------------------------------------------


class Detach(Action, frozen=True):
    """A Squad leaves its Platoon."""

    unit: int
    squad: int
    """Number of the Squad, from 0."""


class FormUp(Action, frozen=True):
    """Squads form up again with others of their Platoon."""

    unit: int
    into: int
    """The unit that they become part of; it keeps its id."""


class Join(Action, frozen=True):
    """Putredine bases join others."""

    unit: int
    into: int
    """The unit that they become part of; it keeps its id."""


class EatStun(Action, frozen=True):
    """A base of Putredine infantry is given up to remove a Stun marker of a vehicle unit in contact."""

    unit: int
    vehicle: int
    base: int
    """The base that is removed from the game: any of the unit."""


class GiveBase(Action, frozen=True):
    """House rule: an infantry base is given up to remove a Worm Token of a vehicle unit of its side in contact."""

    unit: int
    base: int
    model: int
    """The model that the token is taken from."""


class TakeOdd(Action, frozen=True):
    """This unit takes the odd Stun marker."""

    unit: int


class PlaceOddMarker(Offered, frozen=True, kw_only=True):
    """Which of the two takes the marker that cannot be shared?"""

    units: tuple[int, int]
    clauses: ClassVar[tuple[str, ...]] = ("Q-SQUAD-3",)
    hint: ClassVar[str] = "Stun markers are shared out in proportion to the bases; you place the odd one."

    def options(self, t: Battle) -> Listed:
        """Either unit."""
        return Listed([TakeOdd(u) for u in self.units], None, "Q-SQUAD-3")

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"Which unit takes the odd Stun marker: {t.called(self.units[0])} or {t.called(self.units[1])}?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        """Both units."""
        return tuple(
            Offer(action=TakeOdd(u), words=f"{t.does(u, 'takes')} it ({t.units[u].stuns} so far)", unit=u)
            for u in self.units
        )


# --- what is told ----------------------------------------------------------------------------------------------------


class Detached(Event, frozen=True):
    """A Squad left its Platoon."""

    unit: int
    squad: int
    """The new unit."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-SQUAD-03", "CH-SQUAD-05")

    def sentence(self, t: Battle) -> str:
        """The new unit, and the one it leaves."""
        return f"{t.does(self.squad, 'detaches')} from {t.called(self.unit)}"

    def touches(self) -> tuple[int, ...]:
        """Both units."""
        return (self.unit, self.squad)


class Formed(Event, frozen=True):
    """Squads formed up."""

    unit: int
    into: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-SQUAD-04", "CH-SQUAD-09")

    def sentence(self, t: Battle) -> str:
        """The unit, and the one it forms up with."""
        return f"{t.does(self.unit, 'forms')} up with {t.called(self.into)}"

    def touches(self) -> tuple[int, ...]:
        """The unit that they are now."""
        return (self.into,)

    def motion(self, t: Battle) -> Motion:
        """It goes to those that it forms up with."""
        return Motion(sort="move", unit=self.into, units=(self.unit, self.into))


class Joined(Event, frozen=True):
    """Putredine bases joined others."""

    unit: int
    into: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-PUTINF-09", "CH-COST-12")

    def sentence(self, t: Battle) -> str:
        """The unit, the one it joins, and how many there are."""
        return f"{t.does(self.unit, 'joins')} {t.called(self.into)}: {quantity(len(t.units[self.into].models), 'base')}"

    def touches(self) -> tuple[int, ...]:
        """The unit that they are now."""
        return (self.into,)

    def motion(self, t: Battle) -> Motion:
        """It goes to those that it joins."""
        return Motion(sort="move", unit=self.into, units=(self.unit, self.into))


class StunEaten(Event, frozen=True):
    """A base took a Stun marker of a vehicle unit with it."""

    unit: int
    vehicle: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-PUTSTUN-08",)

    def sentence(self, t: Battle) -> str:
        """The unit that helped, and the vehicle."""
        v = t.units[self.vehicle]
        return f"{t.does(self.unit, 'takes')} a Stun marker off {t.called(self.vehicle)}: {v.stuns} left"

    def touches(self) -> tuple[int, ...]:
        """Both units."""
        return (self.unit, self.vehicle)
