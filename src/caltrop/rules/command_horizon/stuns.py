"""Step 2: Stun markers and Worm Tokens are removed for CP. Putredine infantry has rules of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Annotated, Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Act, Choices, Guards, NoMore, OneOf, Pick, carried_out
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    MotionOf,
    Procedure,
    Run,
    Sum,
    Term,
    agreeing,
    ask,
    back,
    does,
    guard,
    rule,
    step,
)
from caltrop.rules.command_horizon.infantry import EatStun, GiveBase
from caltrop.rules.command_horizon.places import is_putredine_infantry
from caltrop.rules.command_horizon.reach import called
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.worms import remove_token

NOT_YOURS = guard("CH-STUN-12", "not-your-marker", "Only markers of your own units in play can be removed")
NO_MARKER = guard("CH-STUN-12", "no-marker", "{name:has} no Stun marker")
NO_TOKEN = guard("CH-WORM-08", "no-worm-token", "That model carries no Worm Token")
NO_CP = guard(("CH-COST-17", "CH-CP-10"), "no-cp-for-marker", "Removing a marker costs 1 CP, and you have {cp}")
NOT_FOR_CP = guard("Q-WORM-2", "not-for-cp", "Worm Tokens are removed by giving up infantry bases, not for CP")


class StunRemoval(Procedure):
    """Step 2 of a turn: Stun markers are removed."""

    side: int

    @step("CH-PUTSTUN-01", "CH-PUTSTUN-03", "CH-PUTSTUN-04", "Q-PUTINF-5", "CH-TURN-05")
    def shake_off(self, t: Battle) -> None:
        """Putredine infantry with new markers loses this turn. Markers for which it has lost a turn are removed."""
        for unit in t.in_play(self.side):
            u = t.units[unit]
            if shakes_off(t, unit):
                t.tell(ClearedFree(unit, u.stuns))
                t.change(unit, stuns=0, frozen=False)
            elif is_putredine_infantry(t, unit):
                t.change(unit, frozen=u.stuns > 0, newly_stunned=False)

    @step("CH-STUN-12", "CH-TURN-05", "CH-WORM-08", "CH-PUTSTUN-05", "CH-PUTSTUN-09")
    def offer_removal(self, t: Battle) -> Ask | End:
        return ask(RemoveMarkers(side=self.side)) if Removals(t, self.side).left() else End()

    @step("CH-STUN-12", "CH-COST-17", "CH-PUTSTUN-06", "CH-PUTSTUN-08", "CH-WORM-08")
    def remove(self, t: Battle, choice: Act) -> Run | Go | End:
        """A marker is removed for 1 CP. Putredine infantry without markers acts as usual."""
        return carried_out(choice, t, self.side) or Go("offer_removal")

    go_on = back("offer_removal", "CH-TURN-05")


def _of_unit(t: Battle, unit: int) -> Iterable[str]:
    return ("putredine-infantry",) if is_putredine_infantry(t, unit) else ()


@rule("CH-PUTSTUN-03", traits=_of_unit)
def shakes_off(t: Battle, unit: int) -> bool:
    """Stun markers stay until they are removed for CP."""
    return False


@shakes_off.amended_by("CH-PUTSTUN-01", "CH-PUTSTUN-03", "CH-PUTSTUN-04", "Q-PUTINF-5", trait="putredine-infantry")
def after_a_lost_turn(value: bool, t: Battle, unit: int) -> bool:
    """Putredine infantry that got no new marker since its side's last step 2 loses all markers for free."""
    return t.units[unit].stuns > 0 and not t.units[unit].newly_stunned


@rule("CH-PUTSTUN-06", "Q-PUTINF-6", stages=("house",))
def keeps_still(t: Battle, markers: int) -> bool:
    """Putredine infantry loses its turn while it has any marker."""
    return markers > 0


@keeps_still.amended_by("CH-PUTSTUN-06", "Q-PUTINF-6", stage="house", house={"putredine.freed": "any"})
def any_marker_bought_off_frees_it(still: bool, t: Battle, markers: int) -> bool:
    """House rule: Putredine infantry acts as usual once any of its markers was removed for CP."""
    return False


@rule("CH-COST-17", "CH-STUN-12", "CH-PUTSTUN-05", "CH-PUTSTUN-09", stages=("by",))
def price_of_marker(t: Any) -> Sum | None:
    """A Stun marker costs 1 CP to remove."""
    return (Term(1, "CH-COST-17", "a Stun marker removed"),)


@rule("CH-WORM-08", "Q-WORM-2", stages=("by",))
def price_of_token(t: Any) -> Sum | None:
    """A Worm Token costs 1 CP to remove."""
    return (Term(1, "CH-WORM-08", "a Worm Token removed"),)


@price_of_token.amended_by("Q-WORM-2", stage="by", house={"worm.removal": "sacrifice"})
def only_bases_remove_tokens(price: Sum | None, t: Any) -> Sum | None:
    """House rule: a Worm Token is removed by giving up an infantry base in contact, and not for CP."""
    return None


# --- decisions -------------------------------------------------------------------------------------------------------


def _models(t: Battle, side: int) -> list[int]:
    return [m for unit in t.in_play(side) for m in t.units[unit].models]


MARKED = Pick(
    lambda t, side: [i for i in t.in_play(side) if t.units[i].stuns],
    NOT_YOURS,
    called,
    among=lambda t, side: t.in_play(side),
)
WORMED = Pick(lambda t, side: [m for m in _models(t, side) if t.models[m].worms], NOT_YOURS, among=_models)
NO_POINTS = Guards((NO_CP, lambda t, side: t.armies[side].cp < 1), cp=lambda t, side: t.armies[side].cp)


class BuyOffStun(Act, frozen=True):
    """Remove a Stun marker for 1 CP."""

    unit: Annotated[int, MARKED]

    words = "Remove a Stun marker from {unit} ({stuns} on it)"
    group = "{unit}"
    says: ClassVar[Mapping[str, Any]] = {"stuns": lambda t, unit: t.units[unit].stuns}
    price = price_of_marker
    guards = Guards(Guards((NO_MARKER, lambda t, unit: t.units[unit].stuns == 0), name="unit"), NO_POINTS)

    def perform(self, t: Battle, side: int) -> None:
        u = t.units[self.unit]
        t.pay(side, price_of_marker(t) or (), self.unit)
        t.change(self.unit, stuns=u.stuns - 1, frozen=u.frozen and keeps_still(t, u.stuns - 1))
        t.tell(StunRemoved(self.unit, 1, u.stuns - 1))


class BuyOffWorm(Act, frozen=True):
    """Remove a Worm Token for 1 CP."""

    model: Annotated[int, WORMED]

    words = "Remove a Worm Token from model {number} of {name} ({worms} on it)"
    group = "{name}"
    says: ClassVar[Mapping[str, Any]] = {
        "name": lambda t, model: t.called(t.models[model].unit),
        "number": lambda t, model: t.units[t.models[model].unit].models.index(model) + 1,
        "worms": lambda t, model: t.models[model].worms,
    }
    price = price_of_token
    actor = lambda t, model: t.models[model].unit  # noqa: E731
    guards = Guards(
        (NO_TOKEN, lambda t, model: t.models[model].worms == 0),
        (NOT_FOR_CP, lambda t: price_of_token(t) is None),
        NO_POINTS,
    )

    def perform(self, t: Battle, side: int) -> None:
        t.pay(side, price_of_token(t) or (), t.models[self.model].unit)
        remove_token(t, self.model)


class KeepMarkers(NoMore, frozen=True):
    words = "Keep the markers that are left"


class Removals(Choices):
    """Markers and tokens that can be removed, unit by unit, and the option to go on."""

    acts = (BuyOffStun, BuyOffWorm, EatStun, GiveBase, KeepMarkers)

    def __iter__(self) -> Iterator[Any]:
        where = self.t.models
        stuns = [(act.unit, act) for act in self.of(BuyOffStun)]
        worms = [(where[act.model].unit, act) for act in self.of(BuyOffWorm)]
        bought = [act for _, act in sorted([*stuns, *worms], key=lambda pair: pair[0])]
        return chain(bought, *[self.of(kind) for kind in self.acts[2:]])


class RemoveMarkers(OneOf, frozen=True, kw_only=True):
    """A side chooses which markers it removes."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-STUN-12", "CH-COST-17", "CH-WORM-08", "CH-PUTSTUN-05", "CH-PUTSTUN-08")
    hint: ClassVar[str] = (
        "Each Stun marker takes a die from the unit's attacks and reaction fire and forbids boosts and long moves. "
        "A unit whose markers reach twice its models loses a model."
    )
    menu = Removals

    def prompt(self, t: Battle) -> str:
        return "Remove markers?"


# --- events ----------------------------------------------------------------------------------------------------------


class StunRemoved(Event, frozen=True):
    """Stun markers were removed from a unit."""

    unit: int
    count: int
    left: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-STUN-12",)
    shown = MotionOf("mark", "stun removed")

    def sentence(self, t: Battle) -> str:
        markers = "a Stun marker" if self.count == 1 else f"{self.count} Stun markers"
        return f"{t.does(self.unit, 'loses')} {markers}: {self.left} left"


class ClearedFree(Event, frozen=True):
    """Putredine infantry lost its markers for free."""

    unit: int
    count: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-PUTSTUN-03", "CH-PUTSTUN-04")

    def sentence(self, t: Battle) -> str:
        name = t.called(self.unit)
        its, off = agreeing(name, "its"), agreeing(name, "shakes")
        return f"{does(name, 'has')} lost a turn to {its} {quantity(self.count, 'marker')} and {off} them off"
