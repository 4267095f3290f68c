"""Forecasts of a battle that may be announced now: dice and exact odds.

The page, the terminal and the computer players use them. No part of the battle is played. The numbers come from the
package `attack`, and the hexes free for a retreat from the map. The odds assume that the target's owner ignores as many
Retreat symbols as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.asking.in_order import Attacking
from caltrop.asking.whole import Telling, whole_act
from caltrop.chance import Distribution
from caltrop.engine import Decision, Refusal, Sum, Term, total
from caltrop.engine.forecast import Forecast, Value, foreseen, loss, many_dice
from caltrop.engine.form import DiceSum
from caltrop.kit.numbers import binomial
from caltrop.rules.hex_command.attack import (
    Attack,
    Bombard,
    Ending,
    HoldSurge,
    Profile,
    SurgeOrNot,
    SurgeShields,
    battle_dice,
    count,
    ended,
    left_of,
    profile_of,
    shield_dice,
    symbols_of,
)
from caltrop.rules.hex_command.attack.chances import saved
from caltrop.rules.hex_command.attack.reading import LEADER, RETREAT
from caltrop.rules.hex_command.battling import (
    AmbushOrNot,
    ChooseBattle,
    Engage,
    Engagement,
    LetItCome,
    SpringAmbush,
    battles_back,
    why_no_engagement,
)
from caltrop.rules.hex_command.cards import may_be_held
from caltrop.rules.hex_command.catalogue import (
    battle_die,
    card_kind,
)
from caltrop.rules.hex_command.odds import chances
from caltrop.rules.hex_command.orders import OrderUnit
from caltrop.rules.hex_command.records import Battle, Unit, full_strength
from caltrop.rules.hex_command.requests import request_of
from caltrop.rules.hex_command.retreat import room_behind, ways_back
from caltrop.rules.hex_command.specials import (
    REPAIR_DICE,
    ChooseNext,
    ChooseTarget,
    Lance,
    Name,
    Strike,
    barrage_at,
    lance_at,
    repairs,
    under_the_lance,
)
from caltrop.table.hexes import Hex


def why_no_attack(t: Battle, unit: int, target: int) -> Refusal | None:
    return why_no_engagement(t, t.units[unit].side, unit, target) if 0 <= unit < len(t.units) else None


def with_room(t: Battle, p: Profile, target: Unit, source: Hex | None) -> Profile:
    most = total(battle_dice(t, p))
    room = room_behind(t, target, source, most)
    return p if room >= most else replace(p, room=room)


def _noun(unit: Unit) -> str:
    """Return a noun for one point of a unit's strength."""
    return "model" if unit.row.models > 1 or unit.row.is_leader else "point"


def _words(target: Unit, end: Ending) -> str:
    text = quantity(end.strength, _noun(target)) if end.strength else "destroyed"
    if end.retreat:
        text += f", back {end.retreat}"
    return f"{text}, leader lost" if end.leader_lost else text


def _parts(end: Ending) -> dict[str, Value]:
    return {"strength": end.strength, "leader_lost": end.leader_lost, "retreat": end.retreat}


def _told(
    attacker: int | None, target: Unit, ends: Distribution[Ending], battle: Sum, shields: Sum, about: str = ""
) -> Forecast:
    thrown = [DiceSum(words=many_dice(total(battle), "battle"), parts=battle)] if battle else []
    if shields:
        when = "Shields: {} if anything hits" if battle else "Shields: {}"
        thrown.append(DiceSum(words=when.format(many_dice(total(shields))), parts=shields))
    return Forecast(
        about=about and f"{about} {many_dice(total(battle))}",
        by=attacker,
        target=target.id,
        thrown=tuple(thrown),
        outcomes=foreseen(ends, lambda end: _words(target, end), _parts),
        headline=loss(
            ends.chance(lambda e: e.strength < target.strength),
            ends.chance(lambda e: e.strength == 0),
            _noun(target) if target.strength > 1 else "",
        ),
        expected={f"{_noun(target)}s": float(ends.expected(lambda e: e.strength))},
    )


def of_attack(t: Battle, attacker: int | None, target: Unit, p: Profile, about: str = "") -> Forecast:
    forecast = _told(attacker, target, chances(t.book, p), battle_dice(t, p), shield_dice(t, p), about)
    return replace(forecast, request=request_of(t.book, p))


def between(t: Battle, unit: Unit, target: Unit, at: Hex | None = None) -> Profile:
    """Return the profile of a unit's attack from its own or an assumed hex, with the hexes free for a retreat."""
    return with_room(t, profile_of(t, unit, target, at), target, at or unit.hex)


def _battle(t: Battle, attacker: int, target: int) -> Forecast:
    unit, other = t.units[attacker], t.units[target]
    p = between(t, unit, other)
    forecast = of_attack(t, attacker, other, p)
    if p.range == 1 and battles_back(t, other, True):
        back = between(t, other, unit)
        if total(battle_dice(t, back)) > 0:
            return replace(forecast, answers=(of_attack(t, target, unit, back, "It battles back with"),))
    return forecast


def _strike(t: Battle, strike: Bombard) -> Forecast:
    other = t.units[strike.target]
    p = strike.aim(t)
    return of_attack(t, None, other, with_room(t, p, other, strike.source))


def _lance(t: Battle, side: int, hex: Hex) -> Forecast | None:
    strikes = [lance_at(t, side, hex, unit) for unit in under_the_lance(t, hex)]
    forecasts = [_strike(t, strike) for strike in strikes]
    if not forecasts:
        return None
    if not _apart(t, strikes):
        note = "A unit that falls back may stand in the way of another, or make room for it"
        forecasts = [replace(forecast, exact=False, note=note) for forecast in forecasts]
    return replace(forecasts[0], also=tuple(forecasts[1:]))


def _apart(t: Battle, strikes: Sequence[Bombard]) -> bool:
    """Return whether no struck unit can fall back into the way of another. *strikes* have aimed at their targets."""
    grounds: list[set[Hex]] = []
    for strike in strikes:
        alone = t.clone()
        for other in strikes:
            hex = t.units[other.target].hex
            if other is not strike and hex is not None:
                alone.board.pop(hex)
        unit = t.units[strike.target]
        edge = {unit.hex or ""}
        grounds.append(set(edge))
        for _ in range(strike.dice):
            edge = {to for hex in edge for to in ways_back(alone, unit, strike.source, hex)}
            grounds[-1] |= edge
    return all(a.isdisjoint(b) for a, b in combinations(grounds, 2))


def _shields(t: Battle, attack: Attack, p: Profile) -> Forecast:
    target = t.units[attack.target]
    counts = count(symbols_of(t, attack.roll))
    seen = replace(p, room=room_behind(t, target, attack.source, counts[RETREAT]))

    def end(cancelled: int) -> Ending:
        left = left_of(t, p.target, attack.hits, cancelled)
        return ended(t, seen, left, counts[LEADER], counts[RETREAT])

    return _told(attack.attacker, target, saved(t.book, p, attack.hits.total).map(end), (), shield_dice(t, p))


def _repair(t: Battle, unit: Unit) -> Forecast:
    card, faces = card_kind(t, t.card), battle_die(t)
    good, full = sum([repairs(t, unit, symbol) for symbol in faces]), full_strength(unit.row)
    repaired = binomial(REPAIR_DICE, Fraction(good, len(faces)))
    ends = repaired.map(lambda number: Ending(min(unit.strength + number, full)))
    forecast = _told(None, unit, ends, (Term(REPAIR_DICE, card.clause, card.title),), ())
    return replace(forecast, headline="")


def preview(t: Battle, side: int, action: Any, decision: Decision | None = None) -> Forecast | None:
    """Return the forecast of an action; None if it rolls no battle dice or is illegal.

    Args:
        decision: The decision to answer; by default the side's open decision.
    """
    asked = decision or next((d for d in t.asked if d.side == side), None)
    if asked is not None and asked in t.asked and asked.options(t).refusal(action) is not None:
        return None
    foretell = _FORECASTS.get((type(asked), type(action))) or _FORECASTS.get((None, type(action)))
    return None if foretell is None else foretell(t, side, asked, action)


def _ambush(t: Battle, side: int, asked: AmbushOrNot, action: SpringAmbush) -> Forecast:
    unit, other = t.units[asked.unit], t.units[asked.attacker]
    p = between(t, unit, other)
    return of_attack(t, asked.unit, other, p)


def _next_under_the_lance(t: Battle, side: int, asked: ChooseNext, action: Strike) -> Forecast | None:
    hex = next(f.hex for f in reversed(t.stack) if isinstance(f, Lance))
    return _strike(t, lance_at(t, side, hex, action.target))


def _surge(t: Battle, side: int, asked: SurgeOrNot, action: SurgeShields | HoldSurge) -> Forecast:
    attack = next(f for f in reversed(t.stack) if isinstance(f, Attack))
    assert attack.profile is not None
    return _shields(t, attack, replace(attack.profile, surged=type(action) is SurgeShields))


def _ordered(t: Battle, side: int, asked: Any, action: OrderUnit) -> Forecast | None:
    card = card_kind(t, t.card)
    return _repair(t, t.units[action.unit]) if card.act == "repair" and card.on else None


def _holder(view: Battle, t: Battle, action: Any) -> int | None:
    if not isinstance(action, Engage):
        return None
    hex = view.units[action.target].hex
    return next((unit for unit, u in enumerate(t.units) if u.strength and u.hex == hex), None)


ANSWERS = ("ambush", "shield-surge")
"""Cards that can be played in the enemy's turn."""


def _answering_cards(view: Battle) -> Battle:
    """Return the battle in which a side with a hidden hand holds all cards that can answer an act."""
    hands = [
        tuple([card for card in ANSWERS if may_be_held(view, side, card)][: view.held[side]]) if hand is None else hand
        for side, hand in enumerate(view.hands)
    ]
    if not any(hand and seen is None for hand, seen in zip(hands, view.hands, strict=True)):
        return view
    t = view.clone()
    t.hands[:] = hands
    # The cards that make room in the hand do not matter for the act. A small deck has fewer of them.
    t.held[t.active] += max(t.in_deck - len(ANSWERS), 0)
    return t


TELLING = Telling(
    units=lambda t: range(len(t.units)),
    state=lambda t, unit: (t.units[unit].strength if t.units[unit].hex else 0, t.units[unit].hex),
    words=lambda t, unit, state: f"{_words(t.units[unit], Ending(state[0]))}{f', at {state[1]}' if state[0] else ''}",
    parts=lambda t, state: {"strength": state[0], "hex": state[1]},
    is_gone=lambda state: not state[0],
    name=lambda t, unit: t.units[unit].name,
    breaks_in=(AmbushOrNot, SurgeOrNot),
    lets_pass=(LetItCome, HoldSurge),
    suppose=_answering_cards,
    holder=_holder,
)


def whole(t: Battle, side: int, action: Any) -> tuple[Forecast, ...]:
    """Return the forecast of a whole act: states of all units, attacks in return, retreats, and who holds the hex."""
    return whole_act(TELLING, t, side, action)


def _attackers(t: Battle, side: int, target: int) -> list[tuple[int, Engage]]:
    if not any(isinstance(asked, ChooseBattle) for asked in t.asked):
        return []
    return [(u.id, Engage(u.id, target)) for u in t.units if why_no_engagement(t, side, u.id, target) is None]


def _attack(t: Battle, side: int, action: Engage) -> Engagement | None:
    legal = why_no_engagement(t, side, action.unit, action.target) is None
    return Engagement(unit=action.unit, target=action.target) if legal else None


ATTACKING = Attacking(
    # The unit's place does not matter to its attackers.
    telling=replace(
        TELLING,
        state=lambda t, unit: t.units[unit].strength if t.units[unit].hex else 0,
        words=lambda t, unit, state: _words(t.units[unit], Ending(state)),
        parts=lambda t, state: {"strength": state},
        means=lambda t, unit, state: {f"{_noun(t.units[unit])}s": state},
        is_gone=lambda state: not state,
    ),
    attackers=_attackers,
    attacker=lambda t, action: action.unit if isinstance(action, Engage) else None,
    attack=_attack,
    worth=lambda state: (state,),
)

_FORECASTS: Mapping[tuple[type | None, type], Callable[[Battle, int, Any, Any], Forecast | None]] = {
    (None, Engage): lambda t, side, asked, action: _battle(t, action.unit, action.target),
    (AmbushOrNot, SpringAmbush): _ambush,
    (ChooseTarget, Strike): lambda t, side, asked, action: _strike(t, barrage_at(side, action.target)),
    (ChooseNext, Strike): _next_under_the_lance,
    (None, Name): lambda t, side, asked, action: _lance(t, side, action.to),
    (SurgeOrNot, SurgeShields): _surge,
    (SurgeOrNot, HoldSurge): _surge,
    (None, OrderUnit): _ordered,
}
"""Forecasts of acts that roll dice, by kind of decision (None for any) and kind of act."""
