"""The possible acts of the coming steps: the units that could be aimed at, and why others could not.

The rules themselves answer later questions. The prepared act, and then the end of each step, are played on a copy of
the side's view as long as they are quiet. So nothing is shown that the rules would not offer, and nothing is given
away: after dice or the other side's decision, nothing is predicted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from caltrop.asking.drag import Wish
from caltrop.asking.offer import Offer, Offered, offered
from caltrop.engine import Loud, Refusal, Sum, done_quietly, name_of
from caltrop.engine.forecast import Forecast
from caltrop.engine.parts import WhyNoAttack
from caltrop.engine.rule import AnyAction

Foretell = Callable[[Any, Any, Offered], Forecast | None]

FAR = 64
"""Number of questions to look ahead: a step asks each unit one or two."""


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that could target another when a later question comes."""

    unit: int
    target: int
    action: AnyAction
    words: str
    """Words of the offer at that time."""
    price: Sum = ()
    odds: Forecast | None = None
    """Possible results, if they were asked for."""


class Coming(msgspec.Struct, frozen=True, kw_only=True):
    """A later question in which units may target others."""

    kind: str
    words: str
    """The last answer before this question, such as `End movement`; empty if the prepared act leads straight to the
    question.
    """
    prompt: str
    name: str
    """Name of the step in which the question is asked, such as `targets`; empty if the step has no name."""
    doing: str
    """Verb for the acts of units in this question, such as `fire`."""
    able: tuple[int, ...]
    """The units that may target somebody in this question."""
    aims: tuple[Aim, ...] = ()
    """Ways to aim: at the unit in question, or by the prepared unit."""


class Aimless(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that cannot target the unit in question, and why."""

    unit: int
    refusal: Refusal


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """The possible acts of a side in the coming steps."""

    coming: tuple[Coming, ...] = ()
    """The next question of each kind in which a unit may target another."""
    aimless: tuple[Aimless, ...] = ()


def outlook(
    view: Any,
    decision: Offered,
    units: Sequence[int],
    wish: Wish | None = None,
    target: int | None = None,
    why_not: WhyNoAttack | None = None,
    foresee: Foretell | None = None,
) -> Outlook:
    """Return the possible acts of a side in the coming steps.

    Args:
        view: The state as the asked side sees it; it is not changed.
        wish: A prepared drag, which is done first.
        foresee: Returns the odds of an action that answers a decision in a state; None to leave them out.
    """
    t, asked, words = view, decision, ""
    if wish is not None:
        action = asked.propose(t, wish).action
        done = None if action is None else done_quietly(t, asked, action)
        if done is None or isinstance(done, Loud):
            return Outlook()
        t, asked = done, offered(done.asked[0])
    there = t
    steps: list[Coming] = []
    shown: list[Aim] = []
    for _ in range(FAR):
        aims = _aims(asked.offers(t)) if t is not view and not any(one.kind == name_of(asked) for one in steps) else ()
        if aims:
            candidates = [one for one in aims if one.target == target or (wish is not None and one.unit == wish.unit)]
            mine = [_foretold(t, asked, one, foresee) for one in _plainest(candidates)]
            name, doing = asked.opens
            steps.append(
                Coming(
                    kind=name_of(asked),
                    words=words,
                    prompt=asked.prompt(t),
                    name=name,
                    doing=doing,
                    able=tuple(dict.fromkeys([one.unit for one in aims])),
                    aims=tuple(mine),
                )
            )
            there = t
            shown += mine
        ending = _ending(t, asked)
        if ending is None:
            break
        done = done_quietly(t, asked, ending.action)
        if isinstance(done, Loud):
            break
        t, asked, words = done, offered(done.asked[0]), ending.words
    return Outlook(coming=tuple(steps), aimless=_aimless(there, why_not, units, target, shown))


def _ending(t: Any, asked: Offered) -> Offer | None:
    finals = [offer for offer in asked.offers(t) if offer.final]
    if len(finals) == 1:
        return finals[0]
    usual = asked.usual(t)
    return None if usual is None or finals else Offer(action=usual.action, words=usual.words)


def _aims(offers: Sequence[Offer]) -> list[Aim]:
    return [
        Aim(unit=one.unit, target=one.target, action=one.action, words=one.words, price=one.price)
        for one in offers
        if one.unit is not None and one.target is not None and not one.final
    ]


def _plainest(aims: Sequence[Aim]) -> list[Aim]:
    return list({(one.unit, one.target): one for one in reversed(aims)}.values())[::-1]


def _foretold(t: Any, asked: Offered, aim: Aim, foresee: Foretell | None) -> Aim:
    return aim if foresee is None else msgspec.structs.replace(aim, odds=foresee(t, aim.action, asked))


def _aimless(
    t: Any, why_not: WhyNoAttack | None, units: Sequence[int], target: int | None, able: Sequence[Aim]
) -> tuple[Aimless, ...]:
    if target is None or why_not is None:
        return ()
    left = [unit for unit in units if not any(one.unit == unit and one.target == target for one in able)]
    reasons = [(unit, why_not(t, unit, target)) for unit in left]
    return tuple([Aimless(unit=unit, refusal=refusal) for unit, refusal in reasons if refusal is not None])
