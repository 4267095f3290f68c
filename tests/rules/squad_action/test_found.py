"""Moves, assaults and entries to the table are found where there is little room.

Units on crowded random tables are pushed at random. If `wrong` allows one of these pushes, the options have to list a
path too. Otherwise an announced act would be lost, or a unit could not enter the table.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin

import pytest

from caltrop.chance import Dice, Seeded
from caltrop.geometry import INCH
from caltrop.rules.squad_action.activation import has_to_enter, opened, why_not_in_order
from caltrop.rules.squad_action.acts import ACTS, Doings
from caltrop.rules.squad_action.assault import FIRST
from caltrop.rules.squad_action.entering import why_no_partner
from caltrop.rules.squad_action.limits import Way
from caltrop.rules.squad_action.places import gap
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.routes import Routes
from caltrop.rules.squad_action.scene import Put, block, machine, scene, squad
from caltrop.rules.squad_action.ways_in import TRIGGER, WaysIn
from tests.tiers import rotating

PUSHES = 60
"""Number of times that a unit is pushed."""
PLACES = range(INCH, 16 * INCH, INCH)
"""Number of places along the edge at which a unit is placed in single file."""


def crowd(number: int) -> Firefight:
    """Return squads and vehicles on a small table with buildings and walls. The last unit of South waits off the
    table.
    """
    dice = Seeded(f"crowd {number}")
    size = (10, 12, 16)[dice.below(3)]
    taken: list[tuple[float, float, float]] = []
    units: list[Put] = []
    terrain = []
    for n in range(dice.below(5)):
        kind = ("building", "ruins", "wall", "woods")[dice.below(4)]
        x, y = dice.below(size - 4), dice.below(size - 4)
        wide, deep = (4, "0.4") if kind == "wall" else (1 + dice.below(4), 1 + dice.below(4))
        terrain.append(block(f"{kind} {n}", kind, x, y, x + wide, f"{y + float(deep)}"))
    solid = [list(piece.polygon) for piece in terrain if piece.kind.name != "woods"]

    def room(x: float, y: float, r: float) -> bool:
        if not (r <= x <= size - r and r <= y <= size - r) or any(hypot(x - u, y - v) < r + s for u, v, s in taken):
            return False
        return not any(
            min(u for u, _ in ring) / INCH - r <= x <= max(u for u, _ in ring) / INCH + r
            and min(v for _, v in ring) / INCH - r <= y <= max(v for _, v in ring) / INCH + r
            for ring in solid
        )

    for n in range(10 + dice.below(10)):
        u, v = dice.below(100 * size) / 100, dice.below(100 * size) / 100
        if n % 3 == 2:
            if room(u, v, 1.7):
                taken.append((u, v, 1.7))
                kind = ("apc", "battle-tank", "walker")[dice.below(3)]
                units.append(machine(n % 2, kind, f"{u}", f"{v}", ((0, 1), (1, 0), (3, 4))[dice.below(3)]))
            continue
        count = 1 + dice.below(5)
        row = [(u + 0.7 * k, v) for k in range(count)]
        if all(room(*place, 0.31) for place in row):
            taken += [(*place, 0.31) for place in row]
            units.append(squad(n % 2, "regular", f"{u}", f"{v}", count, gap="0.7"))
    units.append(squad(0, "regular", 1, 1, 1 + dice.below(8), where="reserve", due=True))
    t = scene(*units, terrain=terrain, table=(size, size), round=2, active=0)
    for m in t.units[-1].models:
        t.change_model(m, at=None)
    return t


def pushed(t: Firefight, unit: int, limit: int, dice: Dice) -> Way:
    """Return a unit pushed straight in some direction, or one of its models."""
    angle, far = 2 * pi * dice.below(3600) / 3600, 1 + dice.below(limit)
    models = t.units[unit].models
    if dice.below(3) == 0:
        models = (models[dice.below(len(models))],)
    step = (int(far * cos(angle)), int(far * sin(angle)))
    places = {m: t.models[m].at or (0, 0) for m in models}
    return Way(tuple([(m, ((x, y), (x + step[0], y + step[1]))) for m, (x, y) in places.items()]))


@pytest.mark.clause("SQ-ACT-01", "SQ-Q49", "SQ-S10")
@pytest.mark.parametrize("number", rotating(range(100), 20))
def test_who_can_be_moved_by_hand_has_a_move(number: int) -> None:
    t, dice = crowd(number), Seeded(f"pushes {number}")
    for u in t.units[:-1]:
        routes = Routes(t, u.id)
        if not routes.can_go():
            ways = [pushed(t, u.id, routes.limit, dice) for _ in range(PUSHES)]
            missed = [way for way in ways if u.on_foot and routes.legal(way)]
            assert not missed, f"{number}: {u.id} may go {missed[0]}"


@pytest.mark.clause("SQ-S47", "SQ-ORG-10")
@pytest.mark.parametrize("number", rotating(range(100), 20))
def test_who_can_be_put_onto_the_table_has_to_enter(number: int) -> None:
    t = crowd(number)
    unit = t.units[-1].id
    if has_to_enter(t, unit):
        return
    routes = Routes(t, unit)
    count = len(t.units[unit].models)
    for x in PLACES:
        for far in (6 * INCH, 4 * INCH, 2 * INCH):
            file = [(m, ((x, 0), (x, far - n * INCH * 4 // 5))) for n, m in enumerate(t.units[unit].models)]
            if far - (count - 1) * INCH * 4 // 5 > 0:
                assert not routes.legal(Way(tuple(file))), f"{number}: it may enter at {x}, {far} far"


@pytest.mark.clause("SQ-Q18", "SQ-ORG-42", "SQ-Q49")
@pytest.mark.parametrize("number", rotating(range(100), 20))
def test_who_can_be_pushed_at_an_enemy_has_a_way_in(number: int) -> None:
    t, dice = crowd(number), Seeded(f"assaults {number}")
    for u in t.units[:-1]:
        for enemy in t.enemies(u.id):
            if u.kind == "vehicle" or enemy.where != "table":
                continue
            ways = WaysIn(t, u.id, (enemy.id,))
            if gap(t, u.id, enemy.id) > ways.limit + TRIGGER or next(ways.ways(), None) is not None:
                continue
            missed = [way for _ in range(PUSHES) if ways.reaches(way := pushed(t, u.id, ways.limit, dice))]
            assert not missed, f"{number}: {u.id} may assault {enemy.id} by {missed[0]}"


@pytest.mark.clause("SQ-Q25", "SQ-Q87")
@pytest.mark.parametrize("number", rotating(range(100), 20))
def test_who_may_act_and_assault_after_it_may_be_a_partner(number: int) -> None:
    t = crowd(number)
    late = t.units[-1].id
    apc = next((u.id for u in t.of_side(0) if u.row == "apc"), None)
    if apc is not None and number % 2:
        t.change(late, where="aboard", carrier=apc, due=False)
    lead, *others = [u for u in t.units if u.side == 0]
    may = [u.id for u in others if u.kind in ("infantry", "walker") and acts_first(t, u.id)]
    missed = [unit for unit in may if why_no_partner(t, lead.id, (unit,)) is not None]
    assert not missed


@pytest.mark.clause("SQ-Q87")
def test_some_partners_come_from_off_the_table() -> None:
    assert any(acts_first(t := crowd(number), t.units[-1].id) for number in range(10))


def acts_first(t: Firefight, unit: int) -> bool:
    """Return whether a unit by itself may act, and announce an assault as its second action."""
    begun = opened(t, unit)
    return any(
        why_not_in_order(begun, unit, (kind, "assault")) is None
        and any(act.some(Doings(begun, unit, kinds=(kind,))) for act in ACTS[kind])
        for kind in FIRST
    )
