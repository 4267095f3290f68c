"""The targets that a unit can fire at, with firing models and price, and the resulting attacks.

The package `attack` has the numbers of an attack: dice, results and defence. This module takes from the table what an
`Attack` needs: models in range and in sight, cover, tokens, and Sluggers nearby.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from caltrop.asking import Guards
from caltrop.engine import Refusal, Sum, Term, does, guard, rule
from caltrop.geometry import CM
from caltrop.rules.command_horizon.aim import (
    aim,
    can_fire,
    model_kind,
    models_in_range,
    seen_for_artillery,
    shooters,
    with_dice,
)
from caltrop.rules.command_horizon.attack import Arms, Attack, Mode, Target, attack_dice, may_attack
from caltrop.rules.command_horizon.attack.legality import CANNOT_FIRE, NO_SUCH_BOOST
from caltrop.rules.command_horizon.places import (
    NINE_LINES,
    blockers,
    gap,
    standing,
    standing_of,
    within,
)
from caltrop.rules.command_horizon.reach import kind_of
from caltrop.rules.command_horizon.records import Battle, Order
from caltrop.table.measured.sight import explain_sight

LOCKED = guard(("CH-CC-09", "Q-CC-7"), "locked", "{unit:is} locked in close combat and cannot fire out of it")
CONCENTRATES = guard("CH-CONC-03", "concentrates", "{unit:concentrates} command this turn instead of attacking")
HAS_LEFT = guard("CH-DISENGAGE-08", "has-left", "{unit:has} left close combat this turn and can do nothing else")
HAS_CHARGED = guard("Q-CHARGE-8", "has-charged", "{unit:has} charged this turn: that is its attack")
LONG_MOVE = guard("CH-ASORI-17", "long-move", "{unit:has} used the long move and cannot fire this turn")
DISABLED = guard(
    ("CH-WORM-05", "CH-WORM-06"), "disabled", "Worm Tokens have disabled every model of {unit} that could fire"
)
MARKED_LAST_DIE = guard("Q-MARK-3", "last-die", "{unit:has} no dice left: marking took the last one")
FRIEND = guard("CH-FIRE-01", "no-enemy", "{target:is} not an enemy unit on the table")
TARGET_LOCKED = guard(
    ("CH-CC-07", "Q-CC-6"), "target-locked", "{target:is} locked in close combat, and nobody fires into that"
)
TOO_FAR = guard(
    ("CH-FIRE-02", "CH-INFMOVE-05", "Q-RANGE-1"), "too-far", "{target:is} {gap:cm} away, and the range is {range:cm}"
)
TOO_NEAR = guard(
    ("CH-ART-06", "Q-PART-1"), "too-near", "{target:is} {gap:cm} away: artillery cannot fire within {least:cm}"
)
NO_SIGHT = guard(
    ("CH-LOS-01", "CH-BLOCK-01", "CH-BLOCK-03", "CH-CC-08"), "no-sight", "{unit:does} not see {target}{because}"
)
NO_SIGHTER = guard("CH-ART-02", "no-sighter", "No friend sees {target} for the artillery")
SIGHTER_IS_NO_FRIEND = guard(
    "CH-ART-02", "sighter-no-friend", "The sighting unit is one of your own units on the table"
)
NOTHING_EXPOSED = guard(
    ("CH-LOS-03", "Q-LOS-5"), "nothing-exposed", "No model of {target} is exposed, so none can be aimed at"
)
NO_COVER_TO_CANCEL = guard(
    "CH-LOS-03", "no-cover", "{target:has} no cover bonus here, and aiming at exposed models has no use"
)
BOOST_AFTER_MOVING = guard(
    ("CH-MOVE-04", "CH-COST-16", "Q-MOVE-9"),
    "boost-moved",
    "{unit:has} moved {moved:cm} and cannot be boosted this turn",
)
ONE_BOOST = guard(
    ("CH-COST-16", "Q-DICE-3"), "one-boost", "One boost can be bought for one attack; this one has {boosts}"
)


# --- units that may fire --------------------------------------------------------------------------------------------


def why_no_weapons(t: Battle, unit: int) -> Refusal | None:
    weapons = CANNOT_FIRE.get(t.units[unit].kind)
    return weapons.refuses(kind_of(t, unit).army == "putredine") if weapons is not None else None


FIRES = Guards(
    why_no_weapons,
    (LOCKED, lambda t, unit: t.units[unit].locked),
    (CONCENTRATES, lambda t, unit: t.units[unit].concentrating),
    (HAS_LEFT, lambda t, unit: t.units[unit].disengaged),
    (HAS_CHARGED, lambda t, unit: t.units[unit].charging >= 0),
    (LONG_MOVE, lambda t, unit: not t.units[unit].may_fire and kind_of(t, unit).infantry),
    (DISABLED, lambda t, unit: not any(can_fire(t, m) for m in t.units[unit].models)),
    unit=lambda t, unit: t.called(unit),
)
"""Reasons why a unit cannot shoot at any target in its own turn."""


def farthest(t: Battle, unit: int) -> int:
    """Return the longest range of any weapon in a unit, in tenths of a millimetre."""
    u = t.units[unit]
    reach = kind_of(t, unit).range_cm
    for m in u.models:
        if t.models[m].kind != u.kind:  # an attached team
            reach = max(reach, model_kind(t, m).range_cm)
    return reach * CM


def enemies_near(t: Battle, unit: int) -> list[int]:
    """Return the enemies that may be in range of a unit, by their bounding boxes; all others are out of range.

    If the unit is not in play, return all enemies.
    """
    side = t.units[unit].side
    own = standing_of(t, unit)
    if own is None:
        return list(t.enemies(side))
    left, low, right, high = own.box
    reach = farthest(t, unit)
    square = reach * reach
    near = []
    for s in standing(t):
        if s.side != side:
            box = s.box
            dx = left - box[2] if left > box[2] else box[0] - right if box[0] > right else 0
            dy = low - box[3] if low > box[3] else box[1] - high if box[1] > high else 0
            if dx * dx + dy * dy <= square:
                near.append(s.unit)
    return near


def in_range(t: Battle, unit: int, target: int) -> bool:
    return bool(models_in_range(t, shooters(t, unit), target))


def why_no_target(
    t: Battle, unit: int, target: int, *, squads: tuple[int, ...] = (), sighter: int = -1, said_aloud: bool = True
) -> Refusal | None:
    """Return why a unit that can shoot cannot shoot at this target, or None if it can.

    Args:
        sighter: Id of the friend that sees the target for artillery; -1 if the unit itself must see it.
        said_aloud: True to name the obstacle in the refusal, which is slow.
    """
    refusal = _no_such_target(t, unit, target)
    if refusal is not None:
        return refusal
    sight = aim(t, unit, target, squads=squads, sighter=sighter)
    if not sight.in_range:
        return _out_of_range(t, unit, target, squads)
    if not sight.seen and with_dice(t, unit, squads):
        if sighter >= 0:
            return NO_SIGHTER.refuses(True, target=t.called(target))
        return NO_SIGHT.refuses(
            True,
            unit=t.called(unit),
            target=t.called(target),
            because=_in_the_way(t, unit, target) if said_aloud else "",
        )
    return DISABLED.refuses(not sight.models, unit=t.called(unit))


def _no_such_target(t: Battle, unit: int, target: int) -> Refusal | None:
    if not 0 <= target < len(t.units):
        return FRIEND.refuses(True, target="That")
    e = t.units[target]
    return FRIEND.refuses(
        e.side == t.units[unit].side or not e.models or not e.deployed, target=t.called(target)
    ) or TARGET_LOCKED.refuses(bool(e.locked), target=t.called(target))


def _unsighted(t: Battle, order: Order) -> Refusal | None:
    """Return why artillery without a sighting unit cannot fire: because of its target, its range, or sight."""
    refusal = _no_such_target(t, order.unit, order.target)
    if refusal is not None:
        return refusal
    if not in_range(t, order.unit, order.target):
        return _out_of_range(t, order.unit, order.target, ())
    return NO_SIGHTER.refuses(True, target=t.called(order.target))


def why_no_sighter(t: Battle, order: Order) -> Refusal | None:
    """Return why the unit that an order names cannot sight for its artillery, or None if it can."""
    friend = t.units[order.sighter] if 0 <= order.sighter < len(t.units) else None
    own = friend is not None and friend.side == t.units[order.unit].side and friend.models and friend.deployed
    return SIGHTER_IS_NO_FRIEND.refuses(not own)


def _out_of_range(t: Battle, unit: int, target: int, squads: tuple[int, ...]) -> Refusal | None:
    own = shooters(t, unit, squads)
    kinds = [model_kind(t, m) for m in own]
    longest = max(kinds, key=lambda k: k.range_cm)
    away = gap(t, unit, target)
    name = t.called(target)
    refusal = TOO_NEAR.refuses(
        bool(longest.min_range) and within(t, unit, target, longest.min_range),
        target=name,
        gap=away,
        least=longest.min_range,
    )
    if refusal is None:
        refusal = TOO_FAR.refuses(True, target=name, gap=away, range=longest.range)
        if refusal is not None:
            refusal = msgspec.structs.replace(refusal, clause=longest.clause("range_cm"))
    return refusal


def _in_the_way(t: Battle, unit: int, target: int) -> str:
    """Describe the obstacle that blocks most lines of sight. The picture shows the same lines of fire."""
    bodies: list[int] = []
    discs = blockers(t, unit, target)
    for i in t.in_play():
        if i not in (unit, target):
            bodies.extend(m for m in t.units[i].models if t.models[m].disc in discs)
    counts: dict[str, int] = {}
    for pair in explain_sight(t.ground, NINE_LINES, t.discs(unit), t.discs(target), discs):
        for line in pair.lines:
            if line.disc is not None:
                owner = next((m for m in bodies if t.models[m].disc == discs[line.disc]), None)
                name = t.called(t.models[owner].unit) if owner is not None else "a unit"
            elif line.terrain is not None:
                name = f"terrain {line.terrain!r}"
            else:
                continue
            counts[name] = counts.get(name, 0) + 1
    if not counts:
        return ""
    return f": {does(max(counts, key=lambda name: counts[name]), 'is')} in the way"


def best_sighter(t: Battle, unit: int, target: int) -> int:
    """Return the friend with the best view of an artillery unit's target; -1 if none sees it (CH-ART-02).

    The best sighter is the first with the fewest covered models, starting with the artillery unit itself.
    """
    side = t.units[unit].side
    best, fewest = -1, -1
    for friend in (unit, *[i for i in t.in_play(side) if i != unit]):
        view = seen_for_artillery(t, friend, target)
        if view.seen:
            hindered = len(view.targets) - view.exposed
            if best < 0 or hindered < fewest:
                best, fewest = friend, hindered
            if hindered == 0:
                break
    return best


def first_sighter(t: Battle, unit: int, target: int) -> int:
    """Return the first friend that sees an artillery unit's target, starting with the unit itself; -1 if none does."""
    for friend in (unit, *[i for i in t.in_play(t.units[unit].side) if i != unit]):
        if seen_for_artillery(t, friend, target).seen:
            return friend
    return -1


# --- prices ---------------------------------------------------------------------------------------------------------


def most_boosts(t: Battle, side: int) -> int:
    cp = t.armies[side].cp
    return cp if t.book.rules["boost.stack"] == "yes" else min(cp, 1)


def price_of_boost(boosts: int) -> Sum:
    """Return the price of boosts: 1 CP each, in addition to the price of the shot (CH-COST-16)."""
    return (Term(boosts, "CH-COST-16", "boosted by half"),) if boosts else ()


def why_no_boost(t: Battle, unit: int, attack: Attack) -> Refusal | None:
    if not attack.boosts:
        return None
    u = t.units[unit]
    return (
        NO_SUCH_BOOST.refuses(attack.boosts < 0, boosts=attack.boosts)
        or BOOST_AFTER_MOVING.refuses(u.moved > 0, unit=t.called(unit), moved=u.moved)
        or ONE_BOOST.refuses(attack.boosts > 1 and t.book.rules["boost.stack"] == "no", boosts=attack.boosts)
        or may_attack(t, attack)
    )


# --- the attack -----------------------------------------------------------------------------------------------------


def arms_of(t: Battle, models: Sequence[int]) -> tuple[Arms, ...]:
    """Return models grouped by kind for an `Attack`: Infantry before Heavy Weapon teams."""
    counts: dict[str, int] = {}
    worms: dict[str, list[int]] = {}
    for i in models:
        m = t.models[i]
        counts[m.kind] = counts.get(m.kind, 0) + 1
        if m.worms:
            worms.setdefault(m.kind, []).append(m.worms)
    return tuple(
        [
            Arms(kind, counts[kind], tuple(sorted(worms.get(kind, ()), reverse=True)))
            for kind in sorted(counts, key=lambda k: k == "heavy-weapons")
        ]
    )


def target_of(t: Battle, unit: int, cover: int, obstructed: int = 0) -> Target:
    u = t.units[unit]
    return Target(t.armies[u.side].army, u.kind, len(u.models), u.stuns, cover, u.drone, obstructed)


@rule("Q-INF-6", "CH-ALL-22")
def is_whole_platoon(t: Battle, unit: int) -> bool:
    """A unit is a whole Platoon if it contains all surviving Squads of its Platoon."""
    u = t.units[unit]
    if u.squads < 2:
        return False
    return not any(
        v.platoon == u.platoon and v.side == u.side and v.models
        for i, v in enumerate(t.units)
        if i != unit and u.platoon >= 0
    )


@rule("CH-SLUG-02", "CH-SLUG-03", "Q-SLUG-1", "Q-SLUG-2")
def is_near_slugger(t: Battle, unit: int) -> bool:
    """A unit within 15 cm of an enemy Slugger rerolls its successes."""
    for i in t.enemies(t.units[unit].side):
        reach = kind_of(t, i).aura_cm
        if reach and within(t, unit, i, kind_of(t, i).number("aura_cm") * CM):
            return True
    return False


def attack_with(
    t: Battle,
    unit: int,
    target: int,
    mode: Mode,
    models: Sequence[int],
    *,
    cover: int = 0,
    obstructed: int = 0,
    stuns: int | None = None,
    whole: bool = True,
    boosts: int = 0,
    marks: int = 0,
    marked: bool = False,
    against_charge: bool = False,
) -> Attack:
    """Return the `Attack` of some models of a unit at a target.

    Args:
        cover: Cover bonuses of the target.
        obstructed: Number of cover bonuses that give infantry only one die.
        stuns: Number of Stun markers that count; by default the unit's.
    """
    u = t.units[unit]
    return Attack(
        mode=mode,
        army=t.armies[u.side].army,
        kind=u.kind,
        arms=arms_of(t, models),
        target=target_of(t, target, cover, obstructed),
        stuns=u.stuns if stuns is None else stuns,
        platoon=whole and is_whole_platoon(t, unit),
        bases=len(u.models),
        starting=u.starting,
        boosts=boosts,
        against_charge=against_charge,
        marks=marks,
        marked=marked,
        slugger=is_near_slugger(t, unit),
    )


def marks_on(t: Battle, target: int) -> int:
    """Return the number of marks from different units that count on a target, at most 3 (CH-MARK-13)."""
    return min(3, len({m.by for m in t.marks if m.target == target}))


def settled(t: Battle, order: Order) -> Order:
    """Return the order with its range and sight, which do not change afterwards (Q-TARGET-1)."""
    if order.rush:
        return msgspec.structs.replace(order, models=t.units[order.unit].models)
    sight = aim(t, order.unit, order.target, squads=order.squads, sighter=order.sighter)
    return msgspec.structs.replace(
        order,
        models=sight.models,
        cover=0 if order.exposed else sight.cover,
        obstructed=0 if order.exposed else sight.obstructed,
        only=sight.exposed if order.exposed else (),
    )


def attack_of(t: Battle, order: Order) -> Attack:
    if not order.models:
        order = settled(t, order)
    u = t.units[order.unit]
    models = [m for m in order.models if t.models[m].alive and (order.rush or can_fire(t, m))]
    if order.rush:
        return attack_with(t, order.unit, order.target, "charge", models)
    return attack_with(
        t,
        order.unit,
        order.target,
        "artillery" if order.artillery else "fire",
        models,
        cover=order.cover,
        obstructed=order.obstructed,
        stuns=order.share if order.squads else None,
        whole=not order.squads,
        boosts=order.boost,
        marks=marks_on(t, order.target) if order.ranged_in else 0,
        marked=u.marking >= 0 and order.marking_die,
    )


def why_no_order(t: Battle, order: Order) -> Refusal | None:
    squads, sighter = order.squads, order.sighter
    if order.artillery and sighter == -1:
        return _unsighted(t, order)
    if order.artillery:
        wrong = why_no_sighter(t, order)
        if wrong is not None:
            return wrong
    refusal = why_no_target(t, order.unit, order.target, squads=squads, sighter=sighter)
    if refusal is not None:
        return refusal
    sight, name = aim(t, order.unit, order.target, squads=squads, sighter=sighter), t.called(order.target)
    if order.exposed:
        refusal = NO_COVER_TO_CANCEL.refuses(sight.cover == 0, target=name) or NOTHING_EXPOSED.refuses(
            not sight.exposed, target=name
        )
        if refusal is not None:
            return refusal
    attack = attack_of(t, order)
    return (
        why_no_boost(t, order.unit, attack)
        or MARKED_LAST_DIE.refuses(attack.marked and attack_dice(t, attack).total == 0, unit=t.called(order.unit))
        or may_attack(t, attack)
    )
