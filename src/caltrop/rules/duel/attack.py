"""One strike outside a game: refereed with its die, or told by its chances; and the same foreseen on the table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.asking.whole import Telling, whole_act
from caltrop.chance import Distribution
from caltrop.engine import Decision, Sum, Term, total
from caltrop.engine.explore import Explorer
from caltrop.engine.forecast import Forecast, foreseen, loss
from caltrop.engine.form import Choice, DiceSum, Form, form_of
from caltrop.engine.sequence import InOrder
from caltrop.errors import InputError
from caltrop.kit.numbers import fraction
from caltrop.kit.requests import book_of, changed_rules, face_given, no_dice, wrong
from caltrop.roster import converted
from caltrop.rules.duel.records import Duel, Duellist
from caltrop.rules.duel.strike import Parry, ParryOrNot, Strike, StrikeOrHold, TakeIt, Thrust, needed, price_of_a_parry

RULESET = "duel"
TRAITS = ("light-footed", "steady-handed")
MOST = 20
"""Of wounds and of breath in a request: no scenario has more."""


# --- a request --------------------------------------------------------------------------------------------------------


class AttackerGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who strikes."""

    breath: int = 1
    """What is left of it."""
    trait: str = "none"


class TargetGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who is struck at."""

    wounds: int
    """Wounds that are still to be taken."""


class DiceGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The die as it fell."""

    attack: int


class AttackRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One strike. `dice` is given to have it refereed, and left out for its odds."""

    ruleset: str
    edition: str = "current"
    rules: dict[str, Any] = {}
    """House rules that differ from their defaults."""
    attacker: AttackerGiven = AttackerGiven()
    target: TargetGiven
    parried: bool = False
    """Whether the other side has paid for a parry."""
    dice: DiceGiven | UnsetType = UNSET


class Asked(msgspec.Struct, frozen=True):
    """A request that was read and found in order."""

    t: Duel
    """The two of them, the attacker first."""
    parried: bool
    dice: DiceGiven | None

    @property
    def needed(self) -> Sum:
        """What the die has to show."""
        return needed(self.t, 0, self.parried)


def _within(value: int, least: int, field: str) -> int:
    nearest = min(max(value, least), MOST)
    if value != nearest:
        raise wrong(field, f"it goes from {least} to {MOST}, and not to {value}; the nearest is {nearest}")
    return value


def asked(raw: Any) -> Asked:
    """Read a request.

    Args:
        raw: The request as plain data, decoded from JSON.

    Raises:
        InputError: for what is not known, not there, or more than a request can hold.
    """
    request = converted(raw, AttackRequest)
    book = book_of(RULESET, request)
    trait = request.attacker.trait
    if trait not in ("none", *TRAITS):
        raise wrong("attacker.trait", f"there is no trait {trait!r}: it is one of none, {', '.join(TRAITS)}")
    breath = _within(request.attacker.breath, 0, "attacker.breath")
    wounds = _within(request.target.wounds, 1, "target.wounds")
    traits = () if trait == "none" else (trait,)
    attacker = Duellist(name="The attacker", at=(0, 0), wounds=1, breath=breath, traits=traits)
    target = Duellist(name="The target", at=(0, 0), wounds=wounds, breath=0)
    t = Duel(book=book, stack=[], width=0, height=0, rounds=1, duellists=[attacker, target])
    return Asked(t, request.parried, None if isinstance(request.dice, UnsetType) else request.dice)


def request_of(t: Duel, attacker: int, parried: bool) -> dict[str, Any] | None:
    """A strike as a request; None where no request holds it.

    Args:
        t: The duel.
        attacker: The side that strikes.
        parried: Whether the other side parries.
    """
    a, target = t.duellists[attacker], t.duellists[1 - attacker]
    request: dict[str, Any] = {
        "ruleset": RULESET,
        "edition": t.book.edition,
        "rules": changed_rules(t.book),
        "attacker": {"breath": a.breath, "trait": a.traits[0] if a.traits else "none"},
        "target": {"wounds": target.wounds},
        "parried": parried,
    }
    try:
        return request if asked(request).needed == needed(t, attacker, parried) else None
    except InputError:
        return None


# --- the referee ------------------------------------------------------------------------------------------------------


class TargetLeft(msgspec.Struct, frozen=True, kw_only=True):
    """The target afterwards."""

    wounds: int


class ResolveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a strike."""

    needed: int
    die: int
    hit: bool
    target: TargetLeft
    because: tuple[Term, ...]
    """Where everything comes from."""


def resolve(raw: Any) -> ResolveAnswer:
    """Referee one strike.

    Args:
        raw: The request with its die, as plain data.

    Raises:
        InputError: for a request that cannot be read or holds more than it may, and for a die that is missing.
    """
    found = asked(raw)
    if found.dice is None:
        raise wrong("dice", "a strike is refereed with its die: `attack`")
    face, number = face_given(found.dice.attack, "dice.attack"), total(found.needed)
    hit = face >= number
    fell = Term(face, "DU-STRIKE-02", "The die: a hit" if hit else "The die: a miss")
    left = found.t.duellists[1].wounds - hit
    return ResolveAnswer(
        needed=number, die=face, hit=hit, target=TargetLeft(wounds=left), because=(*found.needed, fell)
    )


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which a strike can end, and how likely it is."""

    wounds: int
    """What the target has left."""
    probability: str
    """The chance as a fraction in lowest terms."""
    p: float
    """The chance, rounded."""


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a strike can end in."""

    needed: int
    exact: bool = True
    outcomes: tuple[Outcome, ...]


def chances(t: Duel, attacker: int, parried: bool) -> Distribution[int]:
    """The wounds that the other side has left after a strike, the fewest first."""
    strike = Strike(at="throw_the_die", side=attacker, parried=parried)
    return Explorer(t).odds(strike, lambda after, _: after.duellists[1 - attacker].wounds).sorted(key=int)


def odds(raw: Any) -> OddsAnswer:
    """The odds of one strike.

    Args:
        raw: The request, as plain data, without dice.

    Raises:
        InputError: for a request that cannot be read or holds more than it may.
    """
    found = asked(raw)
    no_dice(found.dice)
    ends = chances(found.t, 0, found.parried)
    return OddsAnswer(
        needed=total(found.needed),
        outcomes=tuple(Outcome(wounds=left, probability=fraction(p), p=float(p)) for left, p in ends.items()),
    )


IN_ORDER = InOrder(
    left=lambda request, o: {"wounds": o["wounds"]} if o["wounds"] else None,
    sort=lambda o: o["wounds"],
    worth=lambda o: (o["wounds"],),
)
"""The target meets the next strike with the wounds that it has left."""


START: dict[str, Any] = {
    "ruleset": RULESET,
    "edition": "current",
    "rules": {},
    "attacker": {"breath": 1, "trait": "none"},
    "target": {"wounds": 3},
    "parried": False,
}
"""A strike to begin with."""


def form(raw: dict[str, Any]) -> Form:
    """What may be filled in besides what *raw* has already, which need not be in order.

    Args:
        raw: A request as far as it has come, as plain data.
    """
    return form_of(
        raw,
        asked,
        start=START,
        words={"parried": "The target parries"},
        outcomes={"wounds": "Wounds left"},
        choices={"attacker.trait": [Choice(value=one, words=one.capitalize()) for one in ("none", *TRAITS)]},
        ranges={"attacker.breath": (0, MOST), "target.wounds": (1, MOST)},
        sometimes={},
        dice=lambda found: (_thrown("The attacker", found.needed),),
    )


# --- a forecast -------------------------------------------------------------------------------------------------------


def _thrown(who: str, parts: Sum) -> DiceSum:
    return DiceSum(words=f"{who} throws 1 die, and hits on {total(parts)} or more", parts=parts)


def _left(wounds: int) -> str:
    return f"wounds left: {wounds}" if wounds else "down"


def _strike(t: Duel, attacker: int, parried: bool, about: str = "") -> Forecast:
    target = t.duellists[1 - attacker]
    ends = chances(t, attacker, parried)
    hit = ends.chance(lambda left: left < target.wounds)
    down = hit if target.wounds == 1 else Fraction(0)
    return Forecast(
        about=about,
        by=attacker,
        target=1 - attacker,
        thrown=(_thrown(t.duellists[attacker].name, needed(t, attacker, parried)),),
        outcomes=foreseen(ends, _left, lambda left: {"wounds": left}),
        headline=loss(hit, down, "wound" if target.wounds > 1 else ""),
        request=request_of(t, attacker, parried),
    )


TELLING = Telling(
    units=lambda t: (0, 1),
    state=lambda t, unit: (t.duellists[unit].wounds, t.duellists[unit].breath),
    words=lambda t, unit, state: f"{_left(state[0])}, breath: {state[1]}",
    parts=lambda t, state: {"wounds": state[0], "breath": state[1]},
    is_gone=lambda state: not state[0],
    name=lambda t, unit: t.duellists[unit].name,
    breaks_in=(ParryOrNot,),
    lets_pass=(TakeIt,),
)


def whole(t: Duel, side: int, action: Any) -> tuple[Forecast, ...]:
    """What becomes of both in a whole act: a strike with its parry, and the second wind after it."""
    return whole_act(TELLING, t, side, action)


def foresee(t: Duel, side: int, action: Any, decision: Decision | None = None) -> Forecast | None:
    """What an action can end in; None where nothing is left to chance, or the decision that is asked refuses it.

    Args:
        t: The duel, as the side may see it.
        side: Who would act.
        action: The action.
        decision: The decision that it answers; by default the one that the side is asked now.
    """
    asked_now = decision or next((d for d in t.asked if d.side == side), None)
    if asked_now is None or asked_now.options(t).refusal(action) is not None:
        return None
    if isinstance(asked_now, StrikeOrHold) and isinstance(action, Thrust):
        found, target = _strike(t, side, False), t.duellists[1 - side]
        if target.breath < price_of_a_parry(t):
            return found
        return msgspec.structs.replace(found, answers=(_strike(t, side, True, f"{target.name} may parry"),))
    if isinstance(asked_now, ParryOrNot) and isinstance(action, Parry | TakeIt):
        return _strike(t, 1 - side, isinstance(action, Parry))
    return None
