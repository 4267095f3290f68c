"""Entering close quarters: the units, friends and enemies that may take part (SQ-ACT-04, SQ-CQS)."""

from __future__ import annotations

from collections.abc import Sequence

from caltrop.asking import Guards
from caltrop.engine import Refusal, guard, rule
from caltrop.rules.squad_action.activation import has_to_enter
from caltrop.rules.squad_action.acts import name_of
from caltrop.rules.squad_action.limits import split
from caltrop.rules.squad_action.places import FOOT, gap
from caltrop.rules.squad_action.reach import LEEWAY, allowance, is_shaken_up
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.transport import DAZED, LEAVES, is_dazed
from caltrop.rules.squad_action.transport import REACH as OUT
from caltrop.rules.squad_action.vehicle_assault import unarmed

MOST_TARGETS = 2
NOT_ON_TABLE = guard("SQ-ACT-04", "not-on-table", "{name:is} not on the table")
NOT_BY_MACHINE = guard("SQ-Q61", "not-by-machine", "{name:is} a {kind}: only infantry and walkers enter close quarters")
NO_WEAPON = guard(("SQ-Q61", "SQ-ORG-55"), "no-weapon", "{name:has} nothing to strike with in close quarters")
PINNED = guard("SQ-Q08", "pinned", "{name:is} Pinned, and cannot assault")
BROKEN = guard("SQ-S23", "broken", "{name:is} broken, and cannot assault")
FIGHTING = guard("SQ-Q48", "fighting", "{name:is} fighting already, and cannot do anything else")
SPLIT = guard("SQ-ORG-13", "split", "{name:is} split, and {name::has} to close up first")
IMMOBILE = guard("SQ-S51", "immobile", "{name:is} immobile")
NUMBER_OF_TARGETS = guard("SQ-CQS-10", "number-of-targets", "A unit assaults 1 or 2 enemies; you named {given}")
NO_ENEMY = guard("SQ-ACT-04", "no-enemy", "There is no such enemy on the table")
NOT_A_FLYER = guard("SQ-Q55", "not-a-flyer", "{name:flies}, and cannot be assaulted")
NO_TARGET = guard("SQ-Q48", "no-target", "{name:is} fighting, and cannot be a target")
NO_PARTNER = guard("SQ-CQS-07", "no-partner", "There is no such friend on the table")
PARTNER_DONE = guard("SQ-CQS-08", "partner-done", "{name:has} been activated this turn")
ONE_TARGET = guard("SQ-CQS-07", "one-target", "Units that assault together assault 1 enemy; you named {given}")


BY_MACHINE = ("vehicle", "flyer")
ENTERS = Guards(
    (NOT_ON_TABLE, lambda t, unit: not t.units[unit].in_play),
    (NOT_BY_MACHINE, lambda t, unit: t.units[unit].kind in BY_MACHINE),
    (NO_WEAPON, unarmed),
    (PINNED, lambda t, unit: t.units[unit].pinned),
    (BROKEN, lambda t, unit: t.units[unit].broken),
    (FIGHTING, lambda t, unit: t.units[unit].locked),
    (IMMOBILE, lambda t, unit: t.units[unit].immobile),
    (SPLIT, split),
    (DAZED, is_shaken_up),
    name=name_of,
    kind=lambda t, unit: t.units[unit].kind,
)
"""Reasons why a unit cannot enter close quarters at all."""


def why_not_them(t: Firefight, unit: int, targets: Sequence[int]) -> Refusal | None:
    """Return why a unit may not assault some enemies, or None if it may."""
    refusal = NUMBER_OF_TARGETS.refuses(
        not 1 <= len(targets) <= MOST_TARGETS or len(set(targets)) < len(targets), given=len(set(targets))
    )
    for target in targets:
        if refusal is not None:
            return refusal
        refusal = NO_ENEMY.refuses(
            not 0 <= target < len(t.units) or t.units[target].side == t.units[unit].side or not t.units[target].in_play
        )
        if refusal is None and 0 <= target < len(t.units):
            v = t.units[target]
            refusal = NOT_A_FLYER.refuses(v.kind == "flyer", name=v.name) or NO_TARGET.refuses(
                bool(v.locked), name=v.name
            )
    return refusal


def why_no_partner(t: Firefight, unit: int, partners: Sequence[int]) -> Refusal | None:
    """Return why some friends may not join a unit's assault, or None if they may."""
    for n, partner in enumerate(partners):
        there = 0 <= partner < len(t.units) and t.units[partner].side == t.units[unit].side
        exists = there and may_come(t, partner) and partner != unit and partner not in partners[:n]
        refusal = NO_PARTNER.refuses(not exists)
        if refusal is not None or not exists:
            return refusal
        p = t.units[partner]
        refusal = (
            PARTNER_DONE.refuses(p.activated, name=p.name)
            or (LEAVES.why(t, unit=partner) if p.where == "aboard" else None)
            or DAZED.refuses(p.carrier is not None and is_dazed(t, p.carrier), name=p.name)
            or NOT_BY_MACHINE.refuses(p.kind in ("vehicle", "flyer"), name=p.name, kind=p.kind)
            or NO_WEAPON.refuses(unarmed(t, partner), name=p.name)
            or BROKEN.refuses(p.broken, name=p.name)
            or FIGHTING.refuses(bool(p.locked), name=p.name)
            or IMMOBILE.refuses(p.immobile, name=p.name)
            or PINNED.refuses(p.pinned and not actions_before(t), name=p.name)
        )
        if refusal is not None:
            return refusal
    return None


@rule("SQ-Q25", "SQ-Q87")
def may_come(t: Firefight, partner: int) -> bool:
    """A partner is on the table, or comes onto it with its first action: from a transport or from reserve."""
    p = t.units[partner]
    return p.in_play or (actions_before(t) > 0 and (p.where == "aboard" or has_to_enter(t, partner)))


def actions_before(t: Firefight) -> int:
    """Return the number of actions that a unit has before it enters close quarters (SQ-Q25, SQ-ORG-43)."""
    return int(t.book.rules["actions_per_activation"]) - 1


def away_at_least(t: Firefight, friend: int, target: int) -> int:
    """Return a lower bound for the distance from an enemy to a unit, or to the place where it can appear."""
    f = t.units[friend]
    if f.in_play:
        return gap(t, friend, target)
    if f.carrier is not None:
        return gap(t, f.carrier, target) - OUT - 2 * FOOT
    ys = [at[1] for m in t.units[target].models if (at := t.models[m].at) is not None]
    from_edge = min(ys) if f.side == 0 else t.field.table.height - max(ys)
    return from_edge - allowance(t, friend, False) - LEEWAY
