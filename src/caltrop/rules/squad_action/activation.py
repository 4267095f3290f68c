"""An activation: the steps before the announcement, the possible announcements, and the next action (SQ-ORG-01 to 07).

The earlier steps are the end of overwatch, the roll of Conscripts, regrouping, and a flyer's choice to hover.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from caltrop.asking import Act, Offer, Offered, OneOf, Usual
from caltrop.chance import Dice, Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Procedure,
    Refusal,
    Run,
    Throw,
    ask,
    does,
    guard,
    not_an_option,
    rule,
    step,
)
from caltrop.kit.words import one_of
from caltrop.rules.squad_action.acts import (
    IN_SHORT,
    IN_WORDS,
    KINDS_OF_ACT,
    Doings,
    Kind,
    UnitAct,
)
from caltrop.rules.squad_action.broken import Regroup
from caltrop.rules.squad_action.casualties import morale_of
from caltrop.rules.squad_action.limits import split
from caltrop.rules.squad_action.morale import dice_of_a_check, needs, officer_adds, passes, reading_of_a_check
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.overwatch import STAYS_PUT
from caltrop.rules.squad_action.places import officer_near
from caltrop.rules.squad_action.reach import is_shaken_up
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.smoke import smoke_of
from caltrop.rules.squad_action.transport import DAZED, Board
from caltrop.rules.squad_action.watching import lose_overwatch

RALLY_FIRST = guard(("SQ-Q08", "SQ-ORG-07"), "rally-first", "{name:is} Pinned: {name::its} first action is to rally")
NOTHING_AFTER = guard(("SQ-Q03", "SQ-ORG-33"), "nothing-after", "{kind} must be the last action of {name}")
NOT_TWICE = guard("SQ-Q03", "not-twice", "Only a move may be repeated; this is: {kind}")
STILL_PINNED = guard(("SQ-ORG-07", "SQ-Q08"), "still-pinned", "{name:is} Pinned: now {name::it} may only {allowed}")
NOT_ANNOUNCED = guard("SQ-Q49", "not-announced", "{name:has} announced {announced}; this is: {kind}")
ENTERS_FIRST = guard("SQ-S47", "enters-first", "{name:enters} the table with {name::its} first action, a Move")
CLOSES_UP = guard("SQ-ORG-13", "closes-up", "{name:is} split: {name::its} next action is a Move that closes it up")
MOVING: tuple[Kind, ...] = ("move", "assault", "transport")
"""Actions in which the unit moves (SQ-FMI-04)."""
LAST: tuple[Kind, ...] = ("overwatch", "assault")
"""Actions that end an activation, and so can only come last (SQ-Q03)."""
ATTACKS: tuple[Kind, ...] = ("shoot", "assault")


class Prelude(Procedure):
    """The steps before a unit's announcement. The result says which actions may be announced: `all`, `rally` or
    `nothing`.
    """

    unit: int

    @step("SQ-S23", "SQ-TRT-15")
    def regroup(self, t: Firefight) -> Run | Go:
        """A broken unit tries to regroup when it is activated, and does nothing else."""
        return Run(Regroup(unit=self.unit)) if t.units[self.unit].broken else Go("hover_or_fly")

    @step("SQ-S23")
    def regrouped(self, t: Firefight) -> End:
        return End("nothing")

    @step("SQ-S56")
    def hover_or_fly(self, t: Firefight) -> Ask | Go:
        """The owner of a flyer chooses whether it hovers, if it is on the table or enters it."""
        u = t.units[self.unit]
        there = u.in_play or has_to_enter(t, u.id)
        return ask(HoverOrFly(side=u.side, unit=u.id)) if u.kind == "flyer" and there else Go("roll")

    @step("SQ-S56", "SQ-ORG-63")
    def settle(self, t: Firefight, choice: Hover) -> None:
        t.change(self.unit, hovering=choice.hovers)

    @step("SQ-TRT-03", "SQ-Q34")
    def roll(self, t: Firefight) -> Throw | End:
        u = t.units[self.unit]
        if not rolls_to_act(t, self.unit):
            return End("all")
        return Throw(
            Pool(dice_of_a_check(t)),
            reads=reading_of_a_check(t, morale_of(t, u.id), officer_adds(t, officer_near(t, u.id))),
            side=u.side,
            words=f"{does(u.name, 'rolls')} to act: {needs(t, morale_of(t, u.id))}",
        )

    @step("SQ-TRT-03", "SQ-Q34", "SQ-S21")
    def obey_or_not(self, t: Firefight, roll: Roll) -> End:
        """A nearby Officer helps with the roll. A unit that fails may only try to rally."""
        parts = officer_adds(t, officer_near(t, self.unit))
        passed = passes(t, roll, morale_of(t, self.unit), parts)
        t.tell(RolledToAct(self.unit, roll, passed))
        return End("all" if passed else "rally" if t.units[self.unit].pinned else "nothing")


def actions_of(t: Firefight) -> int:
    """Return the number of actions in an activation (SQ-ORG-01, SQ-Q02)."""
    return int(t.book.rules["actions_per_activation"])


# --- actions that may be announced -----------------------------------------------------------------------------------


@rule("SQ-ORG-03", "SQ-Q49", stages=("house",))
def announces_all(t: Firefight) -> bool:
    return True


@announces_all.amended_by("SQ-Q49", stage="house", house={"announce_both": "off"})
def each_in_its_time(value: bool, t: Firefight) -> bool:
    """House rule: each action is chosen only when its turn comes."""
    return False


@rule("SQ-ORG-02", "SQ-Q03", stages=("house",))
def may_repeat(t: Firefight, kind: Kind) -> bool:
    """A unit may do the same action twice, even shoot twice."""
    return True


@may_repeat.amended_by("SQ-Q03", stage="house", house={"repeat_shoot": "off"})
def only_moves_are_repeated(value: bool, t: Firefight, kind: Kind) -> bool:
    """House rule: only a move may be repeated; a Pinned unit may try to rally again."""
    return kind in ("move", "rally")


def why_not_in_order(t: Firefight, unit: int, kinds: Sequence[Kind], did: Sequence[Kind] = ()) -> Refusal | None:
    """Return why a unit may not do some actions in this order, after the actions in *did*, or None if it may."""
    u = t.units[unit]
    if kinds and u.pinned and t.units[unit].acted == 0:
        refusal = RALLY_FIRST.refuses(kinds[0] != "rally", name=u.name)
        if refusal is not None:
            return refusal
    elif kinds and kinds[0] != "move":
        refusal = ENTERS_FIRST.refuses(u.where == "reserve", name=u.name) or CLOSES_UP.refuses(
            split(t, unit), name=u.name
        )
        if refusal is not None:
            return refusal
    for n, kind in enumerate(kinds):
        refusal = (
            NOTHING_AFTER.refuses(kind in LAST and n < len(kinds) - 1, kind=IN_WORDS[kind], name=u.name)
            or NOT_TWICE.refuses(kind in (*did, *kinds[:n]) and not may_repeat(t, kind), kind=IN_WORDS[kind])
            or STAYS_PUT.refuses("mission" in (*did, *kinds) and kind in MOVING)
            or STAYS_PUT.refuses(kind == "mission" and any(k in MOVING for k in did))
        )
        if refusal is not None:
            return refusal
    return None


def what_may_follow(t: Firefight, unit: int, first: Kind) -> tuple[tuple[Kind, ...], ...]:
    """Return the possible announcements of later actions after a first action, in canonical order."""
    if first in LAST or not announces_all(t):
        return ((),)
    rest = actions_of(t) - 1 - t.units[unit].acted
    orders: list[tuple[Kind, ...]] = [()]
    for _ in range(max(rest, 0)):
        longer: list[tuple[Kind, ...]] = []
        for begun in orders:
            if begun and begun[-1] in LAST:
                longer.append(begun)
                continue
            longer += [
                (*begun, kind) for kind in KINDS_OF_ACT if why_not_in_order(t, unit, (first, *begun, kind)) is None
            ]
        orders = longer
    return tuple(orders)


def ends_activation(act: UnitAct) -> bool:
    """Return whether an act ends the activation, because the unit is then aboard a transport or off the table."""
    return isinstance(act, Board) or (isinstance(act, Move) and act.off)


def announced_after(t: Firefight, unit: int, act: UnitAct) -> tuple[tuple[Kind, ...], ...]:
    """Return the possible announcements after a first act, in canonical order."""
    return ((),) if ends_activation(act) else what_may_follow(t, unit, act.kind)


@rule("SQ-TRT-03", "SQ-Q34", stages=("house",))
def rolls_to_act(t: Firefight, unit: int) -> bool:
    """Conscripts roll before they announce an action, except when they enter the table (SQ-S47)."""
    return "conscript" in t.units[unit].traits and t.units[unit].where != "reserve"


@rolls_to_act.amended_by("SQ-Q34", stage="house", house={"conscripts": "off"})
def conscripts_act_at_will(value: bool, t: Firefight, unit: int) -> bool:
    """House rule: Conscripts announce actions without a roll."""
    return False


def has_to_enter(t: Firefight, unit: int) -> bool:
    """Return whether a unit has arrived from reserve, is not yet on the table, and can enter it."""
    u = t.units[unit]
    return u.where == "reserve" and u.due and Move.some(Doings(t, unit))


def has_prelude(t: Firefight, unit: int) -> bool:
    """Return whether a roll or a choice comes before a unit's announcement."""
    u = t.units[unit]
    return u.broken or u.kind == "flyer" or rolls_to_act(t, unit)


# --- an activation ---------------------------------------------------------------------------------------------------


NOTHING_DONE: dict[str, Any] = {
    "acted": 0,
    "travelled": 0,
    "moved": False,
    "moves": 0,
    "jumped": False,
    "flown": False,
    "rode": False,
    "dazed": False,
    "crept": 0,
    "shot": False,
    "called": False,
}
"""Fields of a unit that are reset when its activation begins."""


def open_activation(t: Firefight, unit: int) -> None:
    """Begin a unit's activation: its overwatch ends, and its actions are counted from 0 (SQ-S30, SQ-Q60)."""
    lose_overwatch(t, unit)
    smoke_of(t, unit)
    t.change(unit, activated=True, **NOTHING_DONE)


def close_activation(t: Firefight, unit: int) -> None:
    """End a unit's activation and remove restrictions that last until its end."""
    t.change(unit, moves=0, jumped=False, flown=False, rode=False, dazed=False)


def opened(t: Firefight, unit: int) -> Firefight:
    """Return the firefight as it is when a unit does its first act.

    Before its first act, the unit's record describes its last activation, which matters when the unit is shot at. If
    the unit's activation has begun already, the firefight is unchanged.
    """
    if t.units[unit].activated:
        return t
    begun = t.clone()
    begun.told = None
    open_activation(begun, unit)
    if begun.clouds == t.clouds:
        # Nobody has moved, so cached sights are still valid.
        begun.stamp, begun.scene = t.stamp, t.scene
    return begun


@rule("SQ-ORG-07", "SQ-Q08", "SQ-Q49", "SQ-ORG-26", "SQ-ORG-13", "SQ-Q82", stages=("house",))
def what_is_next(
    t: Firefight, unit: int, announced: tuple[Kind, ...], barred: bool, did: tuple[Kind, ...] = ()
) -> tuple[Kind, ...]:
    """A unit may carry out the announced kind of action next, or a rally if it is Pinned."""
    u = t.units[unit]
    if u.acted >= actions_of(t):
        return ()
    if u.pinned or barred:
        return ("rally",) if u.pinned else ()
    if split(t, unit):
        return ("move",) if (announced or not announces_all(t)) and not u.called else ()
    if announced:
        return announced[:1] if may_attack(t, unit) or announced[0] not in ATTACKS else ()
    if announces_all(t):
        return ()
    every = KINDS_OF_ACT if may_attack(t, unit) else tuple([kind for kind in KINDS_OF_ACT if kind not in ATTACKS])
    return tuple([kind for kind in every if why_not_in_order(t, unit, (kind,), did) is None])


@rule("SQ-ORG-06", "SQ-Q49")
def instead(t: Firefight, unit: int, announced: tuple[Kind, ...], did: tuple[Kind, ...] = ()) -> tuple[Kind, ...]:
    """Return the kinds of action that a unit may choose in place of one whose target is gone."""
    free = [kind for kind in KINDS_OF_ACT if may_attack(t, unit) or kind not in ATTACKS]
    return tuple([kind for kind in free if why_not_in_order(t, unit, (kind, *announced), did) is None])


@rule("SQ-S45")
def may_attack(t: Firefight, unit: int) -> bool:
    """A unit that left a transport which went more than 8 inches neither shoots nor assaults in this activation."""
    return not is_shaken_up(t, unit)


@what_is_next.amended_by("SQ-Q08", stage="house", house={"pinned_may_shoot": "on"})
def a_pinned_unit_may_shoot(
    kinds: tuple[Kind, ...],
    t: Firefight,
    unit: int,
    announced: tuple[Kind, ...],
    barred: bool,
    did: tuple[Kind, ...] = (),
) -> tuple[Kind, ...]:
    """House rule: after a failed attempt to rally, a Pinned unit may shoot or lay smoke.

    A unit that was Pinned during its activation has to try to rally first (SQ-ORG-07).
    """
    has_failed = t.units[unit].pinned and did[-1:] == ("rally",) and t.units[unit].acted > 0
    return (*kinds, "shoot", "smoke") if kinds == ("rally",) and has_failed and not barred else kinds


# --- decisions -------------------------------------------------------------------------------------------------------


class PassUp(Act, frozen=True):
    """Skip the announced action."""

    words = "Skip this action"
    final = True


class PutDownHere(Act, frozen=True):
    """Put the pilot down where the unit is, before its next action."""

    words = "Put the pilot down"


class Hover(Action, frozen=True):
    """Choose whether a flyer hovers until its next activation, or flies."""

    hovers: bool


class HoverOrFly(Offered, frozen=True, kw_only=True):
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-S56", "SQ-ORG-63")
    hint: ClassVar[str] = "A hovering flyer moves 8 inches at most and is easier to hit, but may let passengers out."

    def options(self, t: Firefight) -> Listed:
        return Listed([Hover(False), Hover(True)], clause="SQ-S56")

    def prompt(self, t: Firefight) -> str:
        return f"{t.units[self.unit].name}: hover, or fly on?"

    def offers(self, t: Firefight) -> list[Offer]:
        return [
            Offer(action=Hover(False), words="Fly: a move of 12 inches or more", unit=self.unit),
            Offer(action=Hover(True), words="Hover: at most 8 inches", unit=self.unit),
        ]


class NextOptions(Doings):
    """The ways to carry out the next action."""

    def __init__(self, t: Firefight, decision: NextAct) -> None:
        unit = decision.unit
        super().__init__(t, unit, t.units[unit].acted > 0, decision.kinds)
        self.decision = decision
        # A unit that has arrived from reserve must enter the table.
        self.enters = has_to_enter(t, unit)
        self.acts = (*(() if self.enters else (PassUp,)), *self.acts, *((PutDownHere,) if decision.puts else ()))

    def refusal(self, action: Any) -> Refusal | None:
        if isinstance(action, self.acts) and isinstance(action, (PassUp, PutDownHere)):
            return None
        if isinstance(action, PassUp) and self.enters:
            refusal = ENTERS_FIRST.refuses(True, name=self.t.units[self.unit].name)
            return refusal and refusal.towards(self.first())
        if not isinstance(action, UnitAct) or action.unit != self.unit:
            return not_an_option("SQ-ORG-04", f"{type(action).__name__} is not one of the choices here").towards(
                self.first()
            )
        wrong = why_not_next(self.t, self.decision, action.kind) if action.kind not in self.kinds else None
        refusal = wrong or super().refusal(action)
        return refusal if refusal is None or refusal.nearest is not None else refusal.towards(self.first())

    def sample(self, dice: Dice) -> Any:
        act = self.drawn(self.kinds[dice.below(len(self.kinds))], dice) if dice.below(8) else None
        return act or (self.first() if self.enters else PassUp())


def why_not_next(t: Firefight, decision: NextAct, kind: Kind) -> Refusal | None:
    """Return why a unit may not carry out a kind of action next."""
    d, u = decision, t.units[decision.unit]
    refusal = STILL_PINNED.refuses(u.pinned, name=u.name, allowed=to_choose(d.kinds))
    if refusal is None and (d.free or split(t, u.id)):
        refusal = why_not_in_order(t, u.id, (kind, *d.then), d.did)
        if refusal is None and kind in ATTACKS:
            refusal = DAZED.refuses(not may_attack(t, u.id), name=u.name)
    announced = " or ".join(IN_WORDS[k] for k in d.kinds)
    return refusal or NOT_ANNOUNCED.refuses(True, name=u.name, announced=announced, kind=IN_WORDS[kind])


class NextAct(OneOf, frozen=True, kw_only=True):
    """The owner chooses how a unit carries out its next action."""

    unit: int
    kinds: tuple[Kind, ...]
    free: bool = False
    """True if the unit may do any action in place of the announced one."""
    then: tuple[Kind, ...] = ()
    """Actions announced for later; only set if `free` is true."""
    did: tuple[Kind, ...] = ()
    """Earlier actions of the unit in this activation."""
    puts: bool = False
    """True if the unit carries the pilot and may put him down first (SQ-S72)."""
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-01", "SQ-Q49", "SQ-ORG-07", "SQ-S72")
    hint: ClassVar[str] = "Choose the place or the target now, or skip it."

    def options(self, t: Firefight) -> NextOptions:
        return NextOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        return f"{t.units[self.unit].name}, next: {to_choose(self.kinds)}"

    def usual(self, t: Firefight, unit: int | None = None) -> Usual | None:
        """Return the announced action if there is only one way to carry it out, otherwise None."""
        offers = [o for o in self.offers(t) if not o.final and not isinstance(o.action, PutDownHere)]
        if unit not in (None, self.unit) or len(offers) != 1 or self.regions(t):
            return None
        (only,) = offers
        if only.target is not None or only.spot is not None:
            return None
        return Usual(action=only.action, words=only.words, unit=self.unit, said=True)


def to_choose(kinds: Sequence[Kind]) -> str:
    return one_of([IN_WORDS[k].lower() for k in kinds])


def in_order(kinds: Sequence[Kind]) -> str:
    return ", then ".join(IN_SHORT[k] for k in kinds)


# --- events ----------------------------------------------------------------------------------------------------------


class ActLost(Event, frozen=True):
    """An announced action of a unit has become impossible."""

    unit: int
    kind: Kind
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q49",)

    def sentence(self, t: Firefight) -> str:
        return f"{t.units[self.unit].name} can no longer {IN_WORDS[self.kind].lower()}"


class RolledToAct(Event, frozen=True):
    """Conscripts rolled before they acted."""

    unit: int
    faces: tuple[int, ...]
    passed: bool
    clauses: ClassVar[tuple[str, ...]] = ("SQ-TRT-03", "SQ-Q34")

    def sentence(self, t: Firefight) -> str:
        return does(t.units[self.unit].name, "obeys" if self.passed else "will not act")
