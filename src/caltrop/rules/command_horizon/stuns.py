"""Step 2: Stun markers and Worm Tokens are bought off; stunned Putredine infantry has rules of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Choices, Offer, Offered, every
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Procedure,
    Refusal,
    Sum,
    Term,
    agreeing,
    ask,
    does,
    guard,
    rule,
    step,
)
from caltrop.picture import Motion
from caltrop.rules.command_horizon.battle import Battle
from caltrop.rules.command_horizon.infantry import EatStun, GiveBase
from caltrop.rules.command_horizon.places import is_putredine_infantry
from caltrop.rules.command_horizon.worms import remove_token

NOT_YOURS = guard("CH-STUN-12", "not-your-marker", "Only markers of your own units in play can be removed")
NO_MARKER = guard("CH-STUN-12", "no-marker", "{name:has} no Stun marker")
NO_TOKEN = guard("CH-WORM-08", "no-worm-token", "That model carries no Worm Token")
NO_CP = guard(("CH-COST-17", "CH-CP-10"), "no-cp-for-marker", "Removing a marker costs 1 CP, and {cp} are at hand")
NOT_FOR_CP = guard("Q-WORM-2", "not-for-cp", "Worm Tokens are removed by giving up infantry bases, not for CP")


class StunRemoval(Procedure):
    """Step 2 of a turn."""

    side: int

    @step("CH-PUTSTUN-01", "CH-PUTSTUN-03", "CH-PUTSTUN-04", "Q-PUTINF-5", "CH-TURN-05")
    def shake_off(self, t: Battle) -> None:
        """Putredine infantry loses this turn to markers that are new, and shakes off those that have cost it one."""
        for unit in t.in_play(self.side):
            u = t.units[unit]
            if shakes_off(t, unit):
                t.tell(ClearedFree(unit, u.stuns))
                t.change(unit, stuns=0, frozen=False)
            elif is_putredine_infantry(t, unit):
                t.change(unit, frozen=u.stuns > 0, newly_stunned=False)

    @step("CH-STUN-12", "CH-TURN-05", "CH-WORM-08", "CH-PUTSTUN-05", "CH-PUTSTUN-09")
    def offer_removal(self, t: Battle) -> Ask | End:
        """Any number of markers may be bought off."""
        if next(removals(t, self.side), None) is None:
            return End()
        return ask(RemoveMarkers(side=self.side))

    @step("CH-STUN-12", "CH-COST-17", "CH-PUTSTUN-06", "CH-PUTSTUN-08", "CH-WORM-08")
    def remove(self, t: Battle, choice: BuyOffStun | BuyOffWorm | EatStun | GiveBase | KeepMarkers) -> Go | End:
        """One goes for 1 CP; Putredine infantry rid of all its markers acts as usual."""
        if isinstance(choice, KeepMarkers):
            return End()
        if isinstance(choice, BuyOffStun):
            u = t.units[choice.unit]
            t.pay(self.side, price_of_marker(t) or (), choice.unit)
            t.change(choice.unit, stuns=u.stuns - 1, frozen=u.frozen and keeps_still(t, u.stuns - 1))
            t.tell(StunRemoved(choice.unit, 1, u.stuns - 1))
        elif isinstance(choice, BuyOffWorm):
            t.pay(self.side, price_of_token(t) or (), t.models[choice.model].unit)
            remove_token(t, choice.model)
        else:
            choice.perform(t, self.side)
        return Go("offer_removal")


def _of_unit(t: Battle, unit: int) -> Iterable[str]:
    return ("putredine-infantry",) if is_putredine_infantry(t, unit) else ()


@rule("CH-PUTSTUN-03", traits=_of_unit)
def shakes_off(t: Battle, unit: int) -> bool:
    """Markers stay until they are paid for."""
    return False


@shakes_off.amended_by("CH-PUTSTUN-01", "CH-PUTSTUN-03", "CH-PUTSTUN-04", "Q-PUTINF-5", trait="putredine-infantry")
def after_a_lost_turn(found: bool, t: Battle, unit: int) -> bool:
    """Putredine infantry that got no new marker since its own last step 2 loses all of them without cost."""
    return t.units[unit].stuns > 0 and not t.units[unit].newly_stunned


@rule("CH-PUTSTUN-06", "Q-PUTINF-6", stages=("house",))
def keeps_still(t: Battle, markers: int) -> bool:
    """Putredine infantry loses its turn as long as a marker is left after one has been bought off."""
    return markers > 0


@keeps_still.amended_by("CH-PUTSTUN-06", "Q-PUTINF-6", stage="house", house={"putredine.freed": "any"})
def any_marker_bought_off_frees_it(still: bool, t: Battle, markers: int) -> bool:
    """House rule: it acts as usual once any marker has been bought off."""
    return False


@rule("CH-COST-17", "CH-STUN-12", "CH-PUTSTUN-05", "CH-PUTSTUN-09", stages=("by",))
def price_of_marker(b: Any) -> Sum | None:
    """A Stun marker costs 1 CP to remove."""
    return (Term(1, "CH-COST-17", "a Stun marker removed"),)


@rule("CH-WORM-08", "Q-WORM-2", stages=("by",))
def price_of_token(b: Any) -> Sum | None:
    """A Worm Token is removed as a Stun marker is."""
    return (Term(1, "CH-WORM-08", "a Worm Token removed"),)


@price_of_token.amended_by("Q-WORM-2", stage="by", house={"worm.removal": "sacrifice"})
def only_bases_remove_tokens(price: Sum | None, b: Any) -> Sum | None:
    """House rule: tokens are not for sale; an infantry base in contact is given up for each."""
    return None


def removals(t: Battle, side: int) -> Iterator[Action]:
    """Everything that may be removed now."""
    if not NO_CP(t.armies[side].cp < 1):
        tokens = price_of_token(t) is not None
        for unit in t.in_play(side):
            u = t.units[unit]
            if u.stuns:
                yield BuyOffStun(unit)
            if tokens:
                for m in u.models:
                    if t.models[m].worms:
                        yield BuyOffWorm(m)
    yield from every(EatStun, t, side)
    yield from every(GiveBase, t, side)


# --- what is asked ---------------------------------------------------------------------------------------------------


class BuyOffStun(Action, frozen=True):
    """Remove a Stun marker for 1 CP."""

    unit: int


class BuyOffWorm(Action, frozen=True):
    """Remove a Worm Token for 1 CP."""

    model: int


class KeepMarkers(Action, frozen=True):
    """Remove no more."""


class RemoveMarkers(Offered, frozen=True, kw_only=True):
    """Which markers do you buy off?"""

    clauses: ClassVar[tuple[str, ...]] = ("CH-STUN-12", "CH-COST-17", "CH-WORM-08", "CH-PUTSTUN-05", "CH-PUTSTUN-08")
    hint: ClassVar[str] = (
        "Each Stun marker takes a die from the unit's attacks and reaction fire and forbids boosts and long moves. "
        "A unit whose markers reach twice its models loses a model."
    )

    def options(self, t: Battle) -> Listed:
        """Every marker and token that can go, and to go on."""
        return Listed([*removals(t, self.side), KeepMarkers()], lambda a: self._why_not(t, a), "CH-STUN-12")

    def _why_not(self, t: Battle, action: Any) -> Refusal | None:
        cp = t.armies[self.side].cp
        if isinstance(action, EatStun | GiveBase):
            return action.why(Choices(t, self.side))
        if isinstance(action, BuyOffStun):
            unit = action.unit
            if unit not in t.in_play(self.side):
                return NOT_YOURS.refuses(True)
            u = t.units[unit]
            return NO_MARKER.refuses(u.stuns == 0, name=t.called(unit)) or NO_CP.refuses(cp < 1, cp=cp)
        if isinstance(action, BuyOffWorm):
            alive = 0 <= action.model < len(t.models) and t.models[action.model].alive
            if not alive or t.units[t.models[action.model].unit].side != self.side:
                return NOT_YOURS.refuses(True)
            return (
                NO_TOKEN.refuses(t.models[action.model].worms == 0)
                or NOT_FOR_CP.refuses(price_of_token(t) is None)
                or NO_CP.refuses(cp < 1, cp=cp)
            )
        return None

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"Remove markers? You have {t.armies[self.side].cp} CP"

    def offers(self, t: Battle) -> Sequence[Offer]:
        """Each with its price."""
        found: list[Offer] = []
        for a in self.options(t):
            if isinstance(a, BuyOffStun):
                u, name = t.units[a.unit], t.called(a.unit)
                words = f"Remove a Stun marker from {name} ({u.stuns} on it)"
                found.append(Offer(action=a, words=words, group=name, unit=a.unit, price=price_of_marker(t) or ()))
            elif isinstance(a, BuyOffWorm):
                m = t.models[a.model]
                u, name = t.units[m.unit], t.called(m.unit)
                words = f"Remove a Worm Token from model {u.models.index(a.model) + 1} of {name} ({m.worms} on it)"
                found.append(Offer(action=a, words=words, group=name, unit=m.unit, price=price_of_token(t) or ()))
            elif isinstance(a, EatStun | GiveBase):
                u, name = t.units[a.unit], t.called(a.unit)
                what, target = ("Stun marker", a.vehicle) if isinstance(a, EatStun) else _worm(t, a)
                words = f"Give up base {u.models.index(a.base) + 1} of {name} for a {what} of {t.called(target)}"
                found.append(Offer(action=a, words=words, group=name, unit=a.unit, target=target))
            else:
                found.append(Offer(action=a, words="Keep the markers that are left", final=True))
        return found


def _worm(t: Battle, given: GiveBase) -> tuple[str, int]:
    """What a base is given for, and whose it is."""
    return "Worm Token", t.models[given.model].unit


# --- what is told ----------------------------------------------------------------------------------------------------


class StunRemoved(Event, frozen=True):
    """Stun markers were removed from a unit."""

    unit: int
    count: int
    left: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-STUN-12",)

    def sentence(self, t: Battle) -> str:
        """How many, and what is left."""
        markers = "a Stun marker" if self.count == 1 else f"{self.count} Stun markers"
        return f"{t.does(self.unit, 'loses')} {markers}: {self.left} left"

    def motion(self, t: Battle) -> Motion:
        """A marker goes."""
        return Motion(sort="mark", unit=self.unit, tag="stun removed")


class ClearedFree(Event, frozen=True):
    """Putredine infantry shook off its markers without cost."""

    unit: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-PUTSTUN-03", "CH-PUTSTUN-04")

    def sentence(self, t: Battle) -> str:
        """What it means."""
        name = t.called(self.unit)
        its, off = agreeing(name, "its"), agreeing(name, "shakes")
        return f"{does(name, 'has')} lost a turn to {its} {quantity(self.count, 'marker')} and {off} them off"
