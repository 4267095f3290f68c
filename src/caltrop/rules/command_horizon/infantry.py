"""Infantry in step 4: Platoons divide and form up, Putredine bases join, and bases are given up for vehicles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.asking import Act, Choices, Guards, Offer, Offered, Pick, effect
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Listed,
    Procedure,
    Sum,
    Term,
    ask,
    guard,
    rule,
    step,
    total,
)
from caltrop.geometry import INCH, Point
from caltrop.picture import Motion
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.places import in_contact, within
from caltrop.rules.command_horizon.reach import called, is_infantry, is_putredine, is_swarm
from caltrop.rules.command_horizon.records import Battle, Unit
from caltrop.rules.command_horizon.worms import remove_token, spend_base

NOT_YOURS = guard(("CH-SQUAD-06", "CH-TURN-07"), "not-yours", "{name:is} not a unit of yours in play")
NOT_INFANTRY = guard(("CH-SQUAD-01", "CH-SQUAD-10"), "not-infantry", "{name:is} not infantry")
ONE_SQUAD = guard(("CH-SQUAD-03", "CH-SQUAD-07", "Q-SQUAD-7"), "one-squad", "{name:has} no other Squad to leave behind")
NO_SUCH_SQUAD = guard("CH-SQUAD-03", "no-such-squad", "{name:has} no Squad {squad} in play")
CANNOT_SPLIT = guard(
    ("CH-PUTINF-07", "CH-PUTINF-08"), "cannot-split", "Bases of {name} that are grouped cannot detach again"
)
HAS_MOVED = guard(
    ("Q-SQUAD-5", "CH-SQUAD-06"),
    "has-moved",
    "{name:has} moved already this turn: Squads detach before any base moves",
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
TOO_FAR_APART = guard(("Q-SQUAD-2", "CH-COH-04"), "too-far-apart", "{name:is} more than 1 inch away from {other}")
OUT_OF_REACH = guard("CH-PUTINF-09", "not-joined", "{name:is} more than 1 inch away from {other}")
JOINS_ITS_LIKE = guard(
    ("CH-PUTINF-06", "CH-PUTINF-09"), "joins-its-like", "Only Putredine infantry joins Putredine infantry of its side"
)
NO_CP = guard(
    ("CH-COST-11", "CH-SQUAD-05", "CH-SQUAD-09"), "no-cp-for-squads", "That costs {price} CP, and you have {cp}"
)
TAKES_NO_STUNS = guard(
    "CH-PUTSTUN-08", "takes-no-stuns", "{name:is} not Putredine infantry; only that gives up bases for Stun markers"
)
NO_STUNS = guard("CH-PUTSTUN-08", "no-stuns", "{name:has} no Stun markers to remove")
OWN_VEHICLE = guard("CH-PUTSTUN-08", "own-vehicle", "Markers are taken from a Putredine vehicle unit of the same side")
NO_CONTACT = guard(("CH-PUTSTUN-08", "Q-PUTINF-3"), "no-contact", "{name:is} not in base contact with {other}")
NOT_ITS_BASE = guard("CH-PUTSTUN-08", "not-its-base", "The base is not one of {name}")
NOT_BY_BASES = guard(
    ("Q-WORM-2", "CH-WORM-08"), "not-by-bases", "Worm Tokens are bought off in step 2: bases cannot remove them"
)
NO_TOKEN = guard(("Q-WORM-2", "CH-WORM-08"), "no-token", "That model carries no Worm Token")


class Division(Procedure):
    """A Squad detaches from its Platoon, before any of its bases moves."""

    side: int
    unit: int
    squad: int
    made: int = -1

    @step("CH-SQUAD-01", "CH-SQUAD-02", "CH-SQUAD-03", "CH-SQUAD-05", "CH-SQUAD-06", "CH-SQUAD-07", "CH-COH-03",
          "CH-COH-05", "Q-SQUAD-3", "Q-SQUAD-5")  # fmt: skip
    def part(self, t: Battle) -> Ask | End:
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
        """A Stun marker that cannot be divided between two units is placed. Markers are not compared with models after
        a division.
        """
        t.change(choice.unit, stuns=t.units[choice.unit].stuns + 1)


# --- Squads ----------------------------------------------------------------------------------------------------------


def squads_of(t: Battle, unit: int) -> tuple[int, ...]:
    """Return the Squads of a unit that have bases left, in order."""
    return tuple(sorted(dict.fromkeys([t.models[m].squad for m in t.units[unit].models])))


def platoon_of(t: Battle, unit: int) -> int:
    """Return an id that Squads of one Platoon share; -1 for units without a Platoon."""
    u = t.units[unit]
    return unit if u.platoon < 0 and u.squads > 1 else u.platoon


@rule("CH-COST-11", "CH-SQUAD-05", "CH-SQUAD-09", "Q-SQUAD-2")
def price_of_squads(t: Battle, unit: int, squads: int) -> Sum:
    """Detaching or attaching costs 1 CP for each Squad that leaves or joins."""
    return (Term(squads, "CH-COST-11", f"Squads that leave or join: {squads}"),)


@rule("Q-SQUAD-2", "CH-SQUAD-09", stages=("house",))
def squads_that_pay(t: Battle, unit: int, into: int) -> int:
    """If Squads join another unit, the joining Squads pay; the Squads of the joined unit do not."""
    return len(squads_of(t, unit))


@squads_that_pay.amended_by("Q-SQUAD-2", "CH-COST-11", stage="house", house={"attach.pays": "all"})
def every_squad_involved_pays(squads: int, t: Battle, unit: int, into: int) -> int:
    """House rule: the Squads of the joined unit also pay."""
    return squads + len(squads_of(t, into))


# --- changes of units ------------------------------------------------------------------------------------------


def move_bases(t: Battle, models: tuple[int, ...], unit: int) -> None:
    """Move models to another unit. The caller updates the model lists of both units."""
    for m in models:
        t.change_model(m, unit=unit)


def _merge(t: Battle, unit: int, into: int, **fields: Any) -> None:
    """Move all models of one unit to another, and add up the markers (Q-SQUAD-3)."""
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
        charging=max(a.charging, b.charging),
        **fields,
    )
    t.change(unit, models=(), stuns=0, overwatch=0)


@rule("Q-STUN-8", "CH-STUN-09")
def after_giving(t: Battle, unit: int) -> DamageBatch | None:
    """After a unit gave up a base, its markers are compared with its remaining bases, as after any loss."""
    u = t.units[unit]
    return DamageBatch(also=(unit,)) if u.models and u.stuns >= 2 * len(u.models) else None


# --- decisions -------------------------------------------------------------------------------------------------------


def _has_gone_for_good(u: Unit) -> bool:
    """Return whether a unit may not move even if bases join it.

    A unit cannot give up bases if it has charged, or has bought its extra 5 cm since others joined (Q-PUTINF-7).
    """
    return u.charging >= 0 or (u.no_free_move and u.move_over)


def has_platoons(t: Battle, side: int) -> bool:
    return t.armies[side].army != "putredine"


def wormed(t: Battle, side: int) -> list[int]:
    """Return the models of a side that carry Worm Tokens."""
    return [m for i in t.in_play(side) for m in t.units[i].models if t.models[m].worms]


def _named(t: Battle, unit: int) -> str:
    return t.called(unit) if 0 <= unit < len(t.units) else "That"


BASE = Pick(lambda t, unit: t.units[unit].models, shown=lambda t, unit, it: t.units[unit].models.index(it) + 1)


def _waits(t: Battle, unit: int) -> bool:
    """Return whether a unit's charge or Rush of this turn still has to be fought.

    A charge that found no place in contact does not count.
    """
    return t.units[unit].charging >= 0 and t.units[unit].arrived


BOUND = Guards(
    (IS_LOCKED, lambda t, unit: t.units[unit].locked),
    (IS_LEAVING, lambda t, unit: t.units[unit].disengaged),
    name="unit",
)
"""Reasons why a unit can act only in close combat."""
BUSY = Guards(BOUND, (IS_BUSY, _waits), name="unit", target=lambda t, unit: t.called(t.units[unit].charging))
"""Reasons why no base may leave or join a unit."""
INFANTRY = Pick(
    lambda t, side: [i for i in t.in_play(side) if is_infantry(t, i)],
    NOT_YOURS,
    called,
    among=lambda t, side: t.in_play(side),
    name=lambda t, unit: _named(t, unit),
)
FOOT = Guards((NOT_INFANTRY, lambda t, unit: not is_infantry(t, unit)), name="unit")
"""Reason why a unit can neither detach Squads nor form up: it is not infantry."""
PUTREDINE = Pick(lambda t, side: [i for i in INFANTRY.of(t, side) if is_putredine(t, i)], JOINS_ITS_LIKE, called)
EATERS = Pick(PUTREDINE.of, NOT_YOURS, called, INFANTRY.among, name=lambda t, unit: _named(t, unit))
PARTED = Pick(
    lambda t, side: [i for i in t.in_play(side) if t.units[i].platoon >= 0], NOT_YOURS, called, INFANTRY.among
)
STUNNED = Pick(
    lambda t, side: [i for i in t.in_play(side) if t.units[i].stuns and not is_infantry(t, i)],
    OWN_VEHICLE,
    called,
    among=lambda t, side: [i for i in t.in_play(side) if not is_infantry(t, i)],
)
SQUADS = Guards(
    (NO_CP, lambda t, side: t.armies[side].cp < 1),
    (NO_CP, lambda t, side, price: total(price) > t.armies[side].cp),
    price=lambda price: total(price),
    cp=lambda t, side: t.armies[side].cp,
)


class Detach(Act, frozen=True):
    """Detach a Squad from its Platoon."""

    unit: Annotated[int, INFANTRY]
    squad: Annotated[int, Pick(lambda t, unit: squads_of(t, unit), shown=lambda it: it + 1)]
    """Number of the Squad, from 0."""

    words = "Squad {squad} detaches"
    group = "Detach"
    available = has_platoons
    guards = Guards(
        FOOT,
        (CANNOT_SPLIT, lambda t, unit: is_putredine(t, unit)),
        (ONE_SQUAD, lambda t, unit: len(squads_of(t, unit)) < 2),
        (NO_SUCH_SQUAD, lambda t, unit, squad: squad not in squads_of(t, unit)),
        BUSY,
        (HAS_MOVED, lambda t, unit: t.units[unit].moved > 0 or t.units[unit].move_over),
        SQUADS,
        name="unit",
    )

    @staticmethod
    def price(t: Battle, unit: int) -> Sum:
        return price_of_squads(t, unit, 1)

    def perform(self, t: Battle, side: int) -> Division:
        return Division(side=side, unit=self.unit, squad=self.squad)


class FormUp(Act, frozen=True):
    """Join Squads with others of their Platoon."""

    unit: Annotated[int, PARTED.as_(name=lambda t, unit: _named(t, unit))]
    into: Annotated[int, PARTED.as_(name=lambda t, into: _named(t, into))]
    """Id of the unit that the Squads join; this unit keeps its id."""

    words = "Form up with {into}"
    group = "Form up"
    aim = "into"
    available = has_platoons
    guards = Guards(
        FOOT,
        FOOT.of(unit="into"),
        (ANOTHER_PLATOON, lambda t, unit: platoon_of(t, unit) < 0),
        (ANOTHER_PLATOON, lambda t, unit, into: unit == into or platoon_of(t, unit) != platoon_of(t, into)),
        BUSY,
        BUSY.of(unit="into"),
        (TOO_FAR_APART, lambda t, unit, into: not within(t, unit, into, INCH)),
        SQUADS,
        name="unit",
        other="into",
    )

    @staticmethod
    def price(t: Battle, unit: int, into: int) -> Sum:
        return price_of_squads(t, unit, squads_that_pay(t, unit, into))

    @effect("CH-COST-11", "CH-SQUAD-04", "CH-SQUAD-09", "Q-SQUAD-2", "Q-SQUAD-5")
    def perform(self, t: Battle, side: int) -> None:
        a, b = t.units[self.unit], t.units[self.into]
        t.pay(side, self.price(t, self.unit, self.into), self.into)
        _merge(t, self.unit, self.into, move_over=True, may_fire=a.may_fire and b.may_fire)
        t.tell(Formed(unit=self.unit, into=self.into))


class Join(Act, frozen=True):
    unit: Annotated[int, PUTREDINE]
    into: Annotated[int, PUTREDINE]
    """Id of the unit that the Squads join; this unit keeps its id."""

    words = "Join {into}"
    group = "Join"
    aim = "into"
    available = is_swarm
    guards = Guards(
        (JOINS_ITS_LIKE, lambda unit, into: unit == into),
        BUSY,
        BUSY.of(unit="into"),
        (OUT_OF_REACH, lambda t, unit, into: not within(t, unit, into, INCH)),
        name="unit",
        other="into",
    )

    @effect("CH-PUTINF-09", "CH-PUTINF-10", "CH-PUTINF-11", "Q-CHARGE-7", "Q-PUTINF-7")
    def perform(self, t: Battle, side: int) -> None:
        a, b = t.units[self.unit], t.units[self.into]
        _merge(
            t,
            self.unit,
            self.into,
            move_over=_has_gone_for_good(a) or _has_gone_for_good(b),
            no_free_move=True,
            joined_from=max(a.moved, b.moved, a.joined_from, b.joined_from),
            spawned=a.spawned and b.spawned,
            appeared=a.appeared or b.appeared,
            frozen=a.frozen or b.frozen,
            newly_stunned=a.newly_stunned or b.newly_stunned,
            starting=a.starting + b.starting,
        )
        t.tell(Joined(unit=self.unit, into=self.into))


class EatStun(Act, frozen=True):
    """Give up a base of Putredine infantry to remove a Stun marker of a vehicle unit in contact."""

    unit: Annotated[int, EATERS]
    vehicle: Annotated[int, STUNNED]
    base: Annotated[int, BASE]
    """Id of the base that is removed from the game."""

    words = "Give up base {base} for a Stun marker of {vehicle}"
    group = "Remove Stun markers"
    aim = "vehicle"
    available = is_swarm
    guards = Guards(
        (TAKES_NO_STUNS, lambda t, unit: not (is_infantry(t, unit) and is_putredine(t, unit))),
        Guards((NO_STUNS, lambda t, vehicle: t.units[vehicle].stuns == 0), name="vehicle"),
        (NOT_ITS_BASE, lambda t, unit, base: base not in t.units[unit].models),
        BOUND,
        (NO_CONTACT, lambda t, unit, vehicle: not in_contact(t, unit, vehicle)),
        name="unit",
        other="vehicle",
    )

    @staticmethod
    def spot(t: Battle, base: int) -> Point:
        return (t.models[base].x, t.models[base].y)

    @effect("CH-PUTSTUN-07", "CH-PUTSTUN-08", "Q-PUTINF-3")
    def perform(self, t: Battle, side: int) -> DamageBatch | None:
        t.change(self.vehicle, stuns=t.units[self.vehicle].stuns - 1)
        spend_base(t, self.base, f"takes a Stun marker off {t.called(self.vehicle)}", "CH-PUTSTUN-08")
        t.tell(StunEaten(unit=self.unit, vehicle=self.vehicle))
        return after_giving(t, self.unit)


class GiveBase(Act, frozen=True):
    """Give up an infantry base to remove a Worm Token of a vehicle unit in contact (house rule)."""

    unit: Annotated[int, INFANTRY]
    base: Annotated[int, BASE]
    model: Annotated[int, Pick(lambda t, side: wormed(t, side), NO_TOKEN)]
    """Id of the model that loses the token."""

    words = "Give up base {base} for a Worm Token"
    group = "Remove Worm Tokens"
    guards = Guards(
        (NOT_BY_BASES, lambda t: t.book.rules["worm.removal"] == "cp"),
        ...,
        FOOT,
        (NOT_ITS_BASE, lambda t, unit, base: base not in t.units[unit].models),
        BOUND,
        (NO_CONTACT, lambda t, unit, model: not in_contact(t, unit, t.models[model].unit)),
        name="unit",
        other=lambda t, model: t.called(t.models[model].unit),
    )

    @classmethod
    def every(cls, o: Choices, **fixed: Any) -> Iterator[GiveBase]:
        """Yield the possible acts, sorted by vehicle unit in contact, then by base."""
        where = o.t.models
        return iter(sorted(super().every(o, **fixed), key=lambda a: (a.unit, where[a.model].unit, a.base, a.model)))

    @staticmethod
    def aim(t: Battle, model: int) -> int:
        return t.models[model].unit

    @staticmethod
    def spot(t: Battle, model: int) -> Point:
        return (t.models[model].x, t.models[model].y)

    @effect("Q-WORM-2", "CH-WORM-08")
    def perform(self, t: Battle, side: int) -> DamageBatch | None:
        spend_base(t, self.base, "takes a Worm Token away", "Q-WORM-2")
        remove_token(t, self.model)
        return after_giving(t, self.unit)


class TakeOdd(Action, frozen=True):
    """Give the odd Stun marker to a unit."""

    unit: int


class PlaceOddMarker(Offered, frozen=True, kw_only=True):
    """The owner chooses which of two units takes the marker that cannot be divided."""

    units: tuple[int, int]
    clauses: ClassVar[tuple[str, ...]] = ("Q-SQUAD-3",)
    hint: ClassVar[str] = "Stun markers are shared out in proportion to the bases; you place the odd one."

    def options(self, t: Battle) -> Listed:
        return Listed([TakeOdd(u) for u in self.units], None, "Q-SQUAD-3")

    def prompt(self, t: Battle) -> str:
        return f"Which unit takes the odd Stun marker: {t.called(self.units[0])} or {t.called(self.units[1])}?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        return tuple(
            Offer(action=TakeOdd(u), words=f"{t.does(u, 'takes')} it ({t.units[u].stuns} so far)", unit=u)
            for u in self.units
        )


# --- events ----------------------------------------------------------------------------------------------------------


class Detached(Event, frozen=True):
    """A Squad left its Platoon."""

    unit: int
    squad: int
    """Id of the new unit."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-SQUAD-03", "CH-SQUAD-05")
    template = "{squad:detaches} from {unit}"
    about = ("unit", "squad")


class Formed(Event, frozen=True):
    unit: int
    into: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-SQUAD-04", "CH-SQUAD-09")
    about = ("into",)

    def sentence(self, t: Battle) -> str:
        return f"{t.does(self.unit, 'forms')} up with {t.called(self.into)}"

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="move", unit=self.into, units=(self.unit, self.into))


class Joined(Event, frozen=True):
    unit: int
    into: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-PUTINF-09", "CH-COST-12")
    about = ("into",)

    def sentence(self, t: Battle) -> str:
        return f"{t.does(self.unit, 'joins')} {t.called(self.into)}: {quantity(len(t.units[self.into].models), 'base')}"

    def motion(self, t: Battle) -> Motion:
        return Motion(sort="move", unit=self.into, units=(self.unit, self.into))


class StunEaten(Event, frozen=True):
    """A base was given up to remove a Stun marker of a vehicle unit."""

    unit: int
    vehicle: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-PUTSTUN-08",)
    about = ("unit", "vehicle")

    def sentence(self, t: Battle) -> str:
        v = t.units[self.vehicle]
        return f"{t.does(self.unit, 'takes')} a Stun marker off {t.called(self.vehicle)}: {v.stuns} left"
