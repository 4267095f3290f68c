"""Orders: the choice of the acting unit, and its announcement (SQ-ORG-01, SQ-ORG-03, SQ-ORG-04)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar

import msgspec

from caltrop.asking import Offer, Offered, PickedUp, Proposal, Region, Wish
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Options,
    Refusal,
    agreeing,
    guard,
    not_an_option,
)
from caltrop.rules.squad_action.activation import (
    actions_of,
    announced_after,
    ends_activation,
    has_prelude,
    has_to_enter,
    in_order,
    opened,
    what_may_follow,
    why_not_in_order,
)
from caltrop.rules.squad_action.acts import (
    ACTS,
    KINDS_OF_ACT,
    NOT_YOURS,
    Doings,
    Kind,
    as_dragged,
)
from caltrop.rules.squad_action.assault import Assault
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.places import unit_sees
from caltrop.rules.squad_action.rally import Rally
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.shooting import LOCKED, Shoot
from caltrop.rules.squad_action.smoke import LaySmoke
from caltrop.rules.squad_action.tokens import Watch
from caltrop.rules.squad_action.transport import Alight, Board
from caltrop.rules.squad_action.victory import PutDown, has_pilot

DONE = guard("SQ-ORG-01", "done", "{name:has} been activated this turn")
NOT_HERE = guard("SQ-ORG-04", "not-here", "{name:is} not in play")
FIRST_ITS_OWN = guard(
    "SQ-Q34", "first-its-own", "{name:is} activated first: what comes before its actions is not known yet"
)
TOO_MANY = guard("SQ-ORG-01", "too-many", "{name:has} {count:action}; you announced {given}")
TOO_FEW = guard("SQ-ORG-03", "too-few", "All {count} actions of {name} must be announced; you announced {given}")
MUST_ENTER = guard("SQ-ORG-10", "must-enter", "{name:has} arrived, and {name::enters} before the turn ends")
NO_ROLL = guard("SQ-TRT-03", "no-roll", "{name} failed {name::its} roll to act: {name::it} may only rally")
AnyAct = Move | Shoot | Watch | Assault | Board | Alight | CallFire | LaySmoke | Rally
"""Any act that a unit can do with an action."""
TRIES = 16
"""Number of attempts to draw a random option before the first option is taken."""


# --- units that may act ----------------------------------------------------------------------------------------------


def to_act(t: Firefight, side: int) -> list[Unit]:
    """Return the units of a side that can still be activated: on the table, arrived, or aboard a transport."""
    return [u for u in t.units if u.side == side and not u.activated and not u.locked and _is_here(t, u)]


def _is_here(t: Firefight, u: Unit) -> bool:
    """Return whether a unit is on the table, has arrived, or is aboard a transport on the table."""
    aboard = u.where == "aboard" and u.carrier is not None and t.units[u.carrier].where == "table"
    return u.where == "table" or (u.where == "reserve" and u.due) or aboard


# --- decisions -------------------------------------------------------------------------------------------------------


class Begin(Action, frozen=True):
    """Activate a unit, do its first act, and announce the next actions."""

    unit: int
    act: AnyAct
    then: tuple[Kind, ...] = ()

    def told(self, t: Firefight) -> Offer:
        kinds: tuple[Kind, ...] = (self.act.kind, *self.then)
        return Offer(action=self, words=f"{t.units[self.unit].name}: {in_order(kinds)}", unit=self.unit)


class Activate(Action, frozen=True):
    """Activate a unit that has to roll or choose before its announcement."""

    unit: int
    act: ClassVar[None] = None
    then: ClassVar[tuple[Kind, ...]] = ()

    def told(self, t: Firefight) -> Offer:
        return Offer(action=self, words=f"Activate {t.units[self.unit].name}", unit=self.unit)


class _Nobody(Action, frozen=True):
    """An order that activates no unit."""

    unit: ClassVar[None] = None
    words: ClassVar[str]

    def told(self, t: Firefight) -> Offer:
        return Offer(action=self, words=self.words, final=True)


class StandStill(_Nobody, frozen=True):
    """Do nothing with the unit."""

    words = "Do nothing"


class Pass(_Nobody, frozen=True):
    """Activate no unit this time."""

    words = "Pass: activate nobody this time"


class EndTurn(_Nobody, frozen=True):
    """Activate no more units this turn."""

    words = "End the turn: nobody else acts"

    def told(self, t: Firefight) -> Offer:
        acted = any(u.activated for u in t.units if u.side == t.active)
        return super().told(t) if acted else Offer(action=self, words="End the turn: nobody acts", final=True)


SOONEST: tuple[Kind, ...] = ("overwatch", "rally", "move", "smoke", "shoot", "transport", "assault", "mission")
"""All kinds of action. Kinds that are quick to check come first."""


class BeginOptions(Options):
    """The possible first acts of some units, each with its announcements."""

    __slots__ = ("_doings", "besides", "only", "t", "units")

    def __init__(self, t: Firefight, units: Sequence[int], besides: Sequence[Any], only: Sequence[Kind] = ()) -> None:
        self.t, self.units, self.besides, self.only = t, tuple(units), tuple(besides), tuple(only)
        self._doings: dict[int, Doings] = {}

    def doings(self, unit: int) -> Doings:
        doings_ = self._doings.get(unit)
        if doings_ is None:
            t = opened(self.t, unit)
            kinds = [kind for kind in self.only or KINDS_OF_ACT if why_not_in_order(t, unit, (kind,)) is None]
            doings_ = self._doings[unit] = Doings(t, unit, kinds=kinds)
        return doings_

    def kinds(self, unit: int) -> tuple[Kind, ...]:
        return self.doings(unit).kinds

    def begun(self, unit: int) -> Firefight:
        t: Firefight = self.doings(unit).t
        return t

    def refusal(self, action: Any) -> Refusal | None:
        if action in self.besides:
            return None
        refusal = self._wrong(action)
        if refusal is None:
            return None
        if isinstance(action, Begin) and refusal.nearest is not None and not isinstance(refusal.nearest, Begin):
            near = Begin(action.unit, refusal.nearest, action.then)
            refusal = refusal.towards(near if self._wrong(near) is None else None)
        return refusal if refusal.nearest is not None else refusal.towards(self._near(action) or self.first())

    def _near(self, action: Any) -> Begin | None:
        """Return the first act whose legal announcement is most similar to the given one."""
        if not isinstance(action, Begin) or action.unit not in self.units:
            return None
        follows = announced_after(self.begun(action.unit), action.unit, action.act)
        orders = sorted(follows, key=lambda then: -sum([a == b for a, b in zip(then, action.then, strict=False)]))
        return next((b for then in orders if self._wrong(b := Begin(action.unit, action.act, then)) is None), None)

    def _wrong(self, action: Any) -> Refusal | None:
        t = self.t
        unit = getattr(action, "unit", None)
        if not isinstance(action, Begin | Activate) or unit is None:
            return _not_here(type(action).__name__)
        if isinstance(action, Activate) or unit not in self.units:
            return _why_not_now(t, unit)
        if getattr(action.act, "unit", None) != unit:
            return NOT_YOURS.refuses(True)
        kind, t = action.act.kind, self.begun(unit)
        given = 1 + len(action.then)
        whole = announced_after(t, unit, action.act)
        longest = 1 + max([len(w) for w in whole], default=0)
        name, count = t.units[unit].name, actions_of(t)
        return (
            _only(self.only, kind, name)
            or why_not_in_order(t, unit, (kind, *action.then))
            or TOO_MANY.refuses(given > longest, name=name, count=longest, given=given)
            or TOO_FEW.refuses(action.then not in whole, name=name, count=count, given=given)
            or self.doings(unit).refusal(action.act)
        )

    def __iter__(self) -> Iterator[Any]:
        yield from self.besides
        for unit in self.units:
            o = self.doings(unit)
            for kind in o.kinds:
                follows = what_may_follow(o.t, unit, kind)
                for act in o.of_kind(kind) if follows else ():
                    for then in ((),) if ends_activation(act) else follows:
                        yield Begin(unit, act, then)

    def sample(self, dice: Dice) -> Any:
        every = len(self.units) + bool(self.besides)
        for _ in range(TRIES):
            which = dice.below(every)
            if which >= len(self.units):
                return self.besides[dice.below(len(self.besides))]
            unit = self.units[which]
            o = self.doings(unit)
            if not o.kinds:
                continue
            kind = o.kinds[dice.below(len(o.kinds))]
            follows = what_may_follow(o.t, unit, kind)
            act = o.drawn(kind, dice) if follows else None
            if act is not None:
                then = follows[dice.below(len(follows))]
                return Begin(unit, act, () if ends_activation(act) else then)
        return self.first()

    def several(self) -> bool:
        """Return whether there is more than one option. Quick options are checked first."""
        count = len(self.besides)
        for kind in SOONEST:
            for unit in self.units:
                if count > 1:
                    return True
                o = self.doings(unit)
                follows = what_may_follow(o.t, unit, kind) if kind in o.kinds else ()
                if follows:
                    count += len(follows) * len(list(islice(o.of_kind(kind), 2)))
        return count > 1


def _not_here(kind: str) -> Refusal:
    return not_an_option("SQ-ORG-04", f"{kind} is not one of the choices here")


def _only(only: Sequence[Kind], kind: Kind, name: str) -> Refusal | None:
    return NO_ROLL.refuses(bool(only) and kind not in only, name=name)


def _why_not_now(t: Firefight, unit: Any) -> Refusal:
    if type(unit) is not int or not 0 <= unit < len(t.units):
        return _not_here("This")
    u = t.units[unit]
    return (
        NOT_YOURS.refuses(u.side != t.active)
        or NOT_HERE.refuses(not _is_here(t, u), name=u.name)
        or DONE.refuses(u.activated, name=u.name)
        or LOCKED.refuses(bool(u.locked), name=u.name)
        or FIRST_ITS_OWN.refuses(has_prelude(t, unit), name=u.name)
        or _not_here("This")
    )


class _Begins(Offered, frozen=True, kw_only=True):
    def options(self, t: Firefight) -> BeginOptions:
        raise NotImplementedError(type(self).__name__)

    def offers(self, t: Firefight) -> Sequence[Offer]:
        return begin_offers(t, self.options(t))

    def regions(self, t: Firefight) -> Sequence[Region]:
        return begin_regions(self.options(t))

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        return begin_proposal(self.options(t), wish) or super().propose(t, wish)

    def pick_up(self, t: Firefight, unit: int, act: str = "") -> PickedUp | None:
        return begin_pick_up(self.options(t), unit, act)

    def told(self, t: Firefight, action: Any) -> Offer:
        offer: Offer = action.told(t)
        return offer


class Orders(_Begins, frozen=True, kw_only=True):
    """The owner chooses the acting unit and its acts."""

    ends: bool = True
    passes: bool = False
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-01", "SQ-ORG-03", "SQ-ORG-04")
    hint: ClassVar[str] = (
        "Each unit has two actions. You fix the kind of the second action now, and choose its target later."
    )

    def options(self, t: Firefight) -> OrderOptions:
        return OrderOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        left = len(to_act(t, self.side))
        return f"Which unit acts? {left} {agreeing(left, 'has')} not acted yet"


class OrderOptions(BeginOptions):
    __slots__ = ("decision", "due")

    def __init__(self, t: Firefight, decision: Orders) -> None:
        units = [u.id for u in to_act(t, decision.side)]
        early = [Activate(u) for u in units if has_prelude(t, u)]
        self.due = next((u for u in units if has_to_enter(t, u)), None)
        besides: list[Any] = [EndTurn()] if decision.ends and not MUST_ENTER(self.due is not None) else []
        besides += [Pass()] if decision.passes else []
        carrier = has_pilot(t, decision.side)
        besides += [PutDown(carrier)] if carrier is not None else []
        super().__init__(t, [u for u in units if not has_prelude(t, u)], [*besides, *early])
        self.decision = decision
        if not self.besides and next(super().__iter__(), None) is None:
            # No unit can do anything, but the side may not end its turn. One unit is therefore activated and does
            # nothing.
            self.besides = tuple([Activate(u) for u in units])

    def _wrong(self, action: Any) -> Refusal | None:
        """Return why an order is not allowed. A turn cannot end while units that have arrived have not entered."""
        if isinstance(action, EndTurn) and self.due is not None:
            return MUST_ENTER.refuses(self.decision.ends, name=self.t.units[self.due].name) or super()._wrong(action)
        return super()._wrong(action)


class Announce(_Begins, frozen=True, kw_only=True):
    unit: int
    only: tuple[Kind, ...] = ()
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ORG-03", "SQ-Q49", "SQ-Q34")
    hint: ClassVar[str] = "Choose its first action and its second, or let it do nothing."

    def options(self, t: Firefight) -> BeginOptions:
        return BeginOptions(t, (self.unit,), () if has_to_enter(t, self.unit) else (StandStill(),), self.only)

    def prompt(self, t: Firefight) -> str:
        return f"What {agreeing(t.units[self.unit].name, 'does')} {t.units[self.unit].name} do?"


# --- in words and on the table ---------------------------------------------------------------------------------------


def begin_offers(t: Firefight, options: BeginOptions) -> list[Offer]:
    """Return the first acts of units, each with its possible announcements."""
    offers = [a.told(t) for a in options.besides]
    for unit in options.units:
        o = options.doings(unit)
        for act in o.acts:
            follows = usual_first(o.t, unit, what_makes_sense(o.t, unit, act.kind))
            for offer in [one.offer(o) for one in act.offered(o)] if follows else ():
                sensible = [then for then in follows if not silences(offer.action, then)] or follows
                for then in [()] if ends_activation(offer.action) else sensible:
                    offers.append(
                        msgspec.structs.replace(
                            offer,
                            action=Begin(unit, offer.action, then),
                            group=offer.group or t.units[unit].name,
                            **followed(offer.words, then),
                        )
                    )
    return offers


def silences(act: AnyAct, then: Sequence[Kind]) -> bool:
    """Return whether a first act rules out a later one. A unit that fired its own mortar cannot shoot (SQ-Q62)."""
    return isinstance(act, CallFire) and act.mortar == act.unit and "shoot" in then


def begin_regions(options: BeginOptions) -> list[Region]:
    """Return the first acts with an open choice, such as a place, once for each possible announcement."""
    regions: list[Region] = []
    for unit in options.units:
        o = options.doings(unit)
        for act in o.acts:
            for region in act.regions(o):
                for then in usual_first(o.t, unit, what_makes_sense(o.t, unit, act.kind)):
                    name = "+".join((region.act or act.kind, *then))
                    twice = region.form == "move" and (act.kind, *then[:1]) == ("move", "move") and region.bands
                    onward = region.bands[-1][0] if twice else msgspec.UNSET
                    words = followed(region.words, then)
                    regions.append(msgspec.structs.replace(region, act=name, onward=onward, **words))
    return regions


def followed(words: str, then: Sequence[Kind]) -> dict[str, str]:
    """Return the words of an act with its announcement; if it has an announcement, also the words without it."""
    return {"words": f"{words}, then {in_order(then)}", "first": words} if then else {"words": words}


def begin_proposal(options: BeginOptions, wish: Wish) -> Proposal | None:
    """Return the first act for a dragged unit. The wish's `act` names act and announcement, as `move+shoot`."""
    if wish.unit not in options.units:
        return None
    name, _, rest = wish.act.partition("+")
    o = options.doings(wish.unit)
    for act in as_dragged(o.acts):
        proposal: Proposal | None = act.propose(o, msgspec.structs.replace(wish, act=name))
        if proposal is None:
            continue
        follows = what_may_follow(o.t, wish.unit, act.kind)
        if proposal.action is not None and ends_activation(proposal.action):
            follows, rest = ((),), ""
        sensible = what_makes_sense(o.t, wish.unit, act.kind)
        named = tuple(rest.split("+")) if rest else usual_after(o.t, wish.unit, sensible)
        then: Any = named if named in follows else next(iter(follows), ())
        if proposal.action is None:
            near = None if proposal.refusal is None else proposal.refusal.nearest
            if near is not None and not isinstance(near, Begin):
                whole = Begin(wish.unit, near, then)
                refusal = proposal.refusal and proposal.refusal.towards(whole if whole in options else None)
                proposal = msgspec.structs.replace(proposal, refusal=refusal)
            return proposal
        return msgspec.structs.replace(proposal, action=Begin(wish.unit, proposal.action, then))
    return None


def what_makes_sense(t: Firefight, unit: int, first: Kind) -> list[tuple[Kind, ...]]:
    follows = what_may_follow(t, unit, first)
    able = {kind for kind in KINDS_OF_ACT if any(act.is_open_to(t, unit) for act in ACTS[kind])}
    return [then for then in follows if able.issuperset(then)] or list(follows)


def usual_after(t: Firefight, unit: int, follows: Sequence[tuple[Kind, ...]]) -> tuple[Kind, ...]:
    """Return the default announcement after a first action: a shot if an enemy is in sight."""
    kinds: tuple[Kind, ...] = ("move", "shoot", "overwatch")
    if sees_somebody(t, unit):
        kinds = ("shoot", "move", "overwatch")
    for second in kinds:
        for then in follows:
            if then[:1] == (second,):
                return then
    return follows[0] if follows else ()


def sees_somebody(t: Firefight, unit: int) -> bool:
    """Return whether a unit on the table sees any enemy from its place."""
    u = t.units[unit]
    enemies = [e.id for e in t.units if e.side != u.side and e.where == "table"]
    return u.where == "table" and any(unit_sees(t, unit, enemy) for enemy in enemies)


def usual_first(t: Firefight, unit: int, follows: Sequence[tuple[Kind, ...]]) -> list[tuple[Kind, ...]]:
    usual = usual_after(t, unit, follows)
    return sorted(follows, key=lambda then: then != usual)


def begin_pick_up(options: BeginOptions, unit: int, act: str) -> PickedUp | None:
    if unit not in options.units:
        return None
    first, o = act.partition("+")[0], options.doings(unit)
    picked = (one.pick_up(o, unit, "" if first == one.kind else first) for one in o.acts)
    return next((pick_up for pick_up in picked if pick_up is not None), None)
