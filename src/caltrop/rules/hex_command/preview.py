"""What a battle that may be announced now can end in: its dice, and the exact odds.

The page, the terminal and the opponents ask here. Nothing is played, and every number is the attack core's. How far the
target can fall back is looked up on the map; its owner is taken to ignore every Retreat symbol that it may.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from caltrop.engine import Decision, Sum, total
from caltrop.rules.hex_command.attack import Ending, Profile, battle_dice, profile_of, shield_dice
from caltrop.rules.hex_command.battle import Battle, Unit
from caltrop.rules.hex_command.battling import AmbushOrNot, Engage, SpringAmbush, battles_back
from caltrop.rules.hex_command.odds import Outcome, chances, outcomes
from caltrop.rules.hex_command.retreat import room_behind
from caltrop.rules.hex_command.specials import ChooseNext, ChooseTarget, Lance, Strike, barrage_at, lance_at
from caltrop.table.hexes import Hex


class OutcomeTold(Outcome, frozen=True, kw_only=True):
    """One way in which a battle can end, in words."""

    words: str


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What one attack can end in."""

    attacker: int | None
    target: int
    attack_dice: int
    dice: Sum
    """The battle dice as the parts that they are made of."""
    defence_dice: int
    """Shield dice, which are rolled where anything is hit."""
    exact: bool = True
    outcomes: tuple[OutcomeTold, ...]
    """What is left of the target, and how likely."""
    expected: dict[str, float]
    """The mean of what is left, rounded; for people, never for rules."""
    destroyed: float
    """The chance that nothing of the target is left."""
    answers: tuple[Preview, ...] = ()
    """What the target does to the attacker, if it stands."""
    because: Sum = ()
    """Every term, battle dice first, then shields and what may be ignored."""


def foreseen(t: Battle, p: Profile, target: Unit, source: Hex | None) -> Profile:
    """An attack with the room that its target has behind it."""
    most = total(battle_dice(t, p))
    room = room_behind(t, target, source, most)
    return p if room >= most else replace(p, room=room)


def _words(target: Unit, end: Ending) -> str:
    row = target.row
    if not end.strength:
        said = "destroyed"
    else:
        what = "model" if row.models > 1 or row.is_leader else "point"
        said = f"{end.strength} {what}{'s' * (end.strength != 1)}"
    if end.retreat:
        said += f", back {end.retreat}"
    return f"{said}, leader lost" if end.leader_lost else said


def of_attack(t: Battle, attacker: int | None, target: Unit, p: Profile, answers: tuple[Preview, ...] = ()) -> Preview:
    """The preview of one attack."""
    ends = chances(t.book, p)
    parts, shields = battle_dice(t, p), shield_dice(t, p)
    return Preview(
        attacker=attacker,
        target=target.id,
        attack_dice=total(parts),
        dice=parts,
        defence_dice=total(shields),
        outcomes=tuple(
            OutcomeTold(**msgspec.structs.asdict(told), words=_words(target, end))
            for told, end in zip(outcomes(ends), ends, strict=True)
        ),
        expected={"models" if target.row.models > 1 else "points": float(ends.expected(lambda e: e.strength))},
        destroyed=float(ends.chance(lambda e: e.strength == 0)),
        answers=answers,
        because=(*parts, *shields),
    )


def between(t: Battle, unit: Unit, target: Unit, at: Hex | None = None) -> Profile:
    """The attack of a unit on another, from where it stands or would stand, with the room behind the target."""
    return foreseen(t, profile_of(t, unit, target, at), target, at or unit.hex)


def _battle(t: Battle, attacker: int, target: int) -> Preview:
    unit, other = t.units[attacker], t.units[target]
    p = between(t, unit, other)
    answers: tuple[Preview, ...] = ()
    if p.range == 1 and battles_back(t, other, True):
        back = between(t, other, unit)
        if total(battle_dice(t, back)) > 0:
            answers = (of_attack(t, target, unit, back),)
    return of_attack(t, attacker, other, p, answers)


def _strike(t: Battle, side: int, decision: ChooseTarget | ChooseNext, target: int) -> Preview:
    other = t.units[target]
    if isinstance(decision, ChooseTarget):
        strike = barrage_at(side, target)
    else:
        strike = lance_at(t, side, next(f.hex for f in reversed(t.stack) if isinstance(f, Lance)), target)
    p = strike.aim(t)
    return of_attack(t, None, other, foreseen(t, p, other, strike.source))


def preview(t: Battle, side: int, action: Any, decision: Decision | None = None) -> Preview | None:
    """What an action can end in; None where it rolls no battle dice, or is refused by the decision that is asked.

    Args:
        t: The battle, as the side may see it.
        side: Who would act.
        action: The action.
        decision: The decision that it answers; by default the one that the side is asked now.
    """
    asked = decision or next((d for d in t.asked if d.side == side), None)
    if asked is not None and asked in t.asked and asked.options(t).refusal(action) is not None:
        return None
    if isinstance(action, Engage):
        return _battle(t, action.unit, action.target)
    if isinstance(action, SpringAmbush) and isinstance(asked, AmbushOrNot):
        unit, other = t.units[asked.unit], t.units[asked.attacker]
        p = between(t, unit, other)
        return of_attack(t, asked.unit, other, p) if total(battle_dice(t, p)) > 0 else None
    if isinstance(action, Strike) and isinstance(asked, ChooseTarget | ChooseNext):
        return _strike(t, side, asked, action.target)
    return None
