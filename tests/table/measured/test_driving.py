"""Hulls on the ground: their places, obstacles to turns and straight legs, and drives around obstacles."""

from __future__ import annotations

import math
import random

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.geometry import Body, Disc, Form, Hull, Point, form_of, overlap, point_along
from caltrop.table.measured import (
    Going,
    Leg,
    Passage,
    Table,
    TableGround,
    Terrain,
    TerrainKind,
    body_fault,
    body_stands,
    cut_drive,
    drive,
    drive_fault,
    drive_length,
    driven,
    facing,
    path_of,
    pieces_under,
    spent,
    stands,
)
from tests.table.measured.scenes import SIZE, coordinates, discs, grounds
from tests.tiers import examples

headings = st.tuples(st.integers(-50, 50), st.integers(-50, 50)).filter(lambda p: p != (0, 0))
hulls = st.builds(Hull, coordinates, coordinates, st.just(381), st.just(190), headings)
bodies = st.one_of(discs, hulls)
ROCK = TerrainKind("rock", impassable=True)


def drawn(form: Form) -> shapely.Polygon:
    corners, r = form_of(form)
    return shapely.Polygon(corners) if len(corners) > 2 else shapely.Point(corners[0]).buffer(r, 64)


@given(grounds(), bodies, st.lists(bodies, max_size=3))
@settings(max_examples=examples(80), deadline=None)
def test_where_a_body_stands(ground: TableGround, body: Body, others: list[Body]) -> None:
    fault = body_fault(ground, body, others)
    assert body_stands(ground, body, others) == (fault is None)
    solid = [shapely.Polygon(t.polygon) for t in ground.table.terrain if t.kind.impassable]
    figure = drawn(body)
    worst = max(
        [figure.intersection(drawn(o)).area for o in others] + [figure.intersection(s).area for s in solid] + [0]
    )
    if fault is None:
        assert worst < 50
        assert shapely.box(0, 0, SIZE, SIZE).buffer(1).covers(figure)
    elif fault.kind == "body":
        assert fault.body is not None
        assert overlap(body, others[fault.body])
    elif fault.kind == "terrain":
        assert fault.terrain in pieces_under(ground, body)
    if not isinstance(body, Hull) and all(not isinstance(o, Hull) for o in others):
        assert (fault is None) == stands(ground, body, others)  # type: ignore[arg-type]


@given(grounds(), hulls, coordinates, coordinates, headings, st.lists(bodies, max_size=3))
@settings(max_examples=examples(80), deadline=None)
def test_along_a_legal_drive_the_hull_stands_everywhere(
    ground: TableGround, hull: Hull, x: int, y: int, heading: Point, others: list[Body]
) -> None:
    legs = (Leg((x, y), heading),)
    fault = drive_fault(ground, hull, legs, others)
    turned = hull.turned(heading)
    direction = (x - hull.x, y - hull.y)
    if fault is None:
        for part in range(11):
            place = (hull.x + direction[0] * part // 10, hull.y + direction[1] * part // 10)
            # An intermediate place is rounded, so the hull may touch.
            near = body_fault(ground, Hull(*place, 379, 188, heading), others)
            assert near is None
        assert driven(hull, legs) == turned.moved((x, y))
    elif not fault.turning and body_stands(ground, hull, others):
        assert body_stands(ground, Hull(*fault.stop[:2], 379, 188, heading), others)
        assert fault.stop[:2] != (x, y)


def test_what_stops_a_tank_lets_a_walker_pass() -> None:
    ruin = Terrain("ruin", TerrainKind("ruin"), ((2000, 0), (2500, 0), (2500, SIZE), (2000, SIZE)))
    ground = TableGround(Table(SIZE, SIZE, (ruin,)))
    tank = Hull(1000, 3000, 381, 190, (1, 0))
    legs = facing((tank.at, (4000, 3000)))
    assert drive_fault(ground, tank, legs, ()) is None
    fault = drive_fault(ground.for_mover(Passage((("ruin", Going(closed=True)),))), tank, legs, ())
    assert fault is not None
    assert (fault.kind, fault.terrain, fault.stop) == ("terrain", "ruin", tank.moved((1619, 3000)))
    assert not fault.turning


def test_a_turn_is_stopped_by_what_a_corner_would_hit_and_by_the_edge() -> None:
    ground = TableGround(Table(SIZE, SIZE))
    tank = Hull(1000, 1000, 381, 190, (0, 1))
    fault = drive_fault(ground, tank, facing((tank.at, (3000, 1000))), [(1300, 1300, 20)])
    assert fault == (0, True, tank, "body", None, 0)
    beside = Hull(200, 1000, 381, 190, (0, 1))
    fault = drive_fault(ground, beside, [Leg(beside.at, (1, 1))], ())
    assert fault is not None
    assert (fault.kind, fault.turning) == ("table", True)
    round_stone = TableGround(Table(SIZE, SIZE, (Terrain("stone", ROCK, circle=(1300, 1300, 20)),)))
    fault = drive_fault(round_stone, tank, [Leg(tank.at, (1, 0))], ())
    assert fault is not None
    assert (fault.terrain, fault.turning) == ("stone", True)


def first_met(hull: Hull, to: Point, base: Disc) -> float:
    """Return how far a hull can move straight towards a place before it overlaps a base."""
    dx, dy = to[0] - hull.x, to[1] - hull.y
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        after = [(x + dx * middle, y + dy * middle) for x, y in hull.corners]
        free = shapely.MultiPoint([*hull.corners, *after]).convex_hull.distance(shapely.Point(base[:2])) >= base[2]
        low, high = (middle, high) if free else (low, middle)
    return low * math.hypot(dx, dy)


@pytest.mark.parametrize("seed", range(4))
def test_a_straight_leg_is_stopped_where_it_runs_into_something_and_by_that(seed: int) -> None:
    """Legs graze bases and walls. A thing that is only touched never stops a leg."""
    dice = random.Random(seed)
    stopped = grazing = 0
    for _ in range(400):
        heading = dice.choice(((0, 1), (1, 0), (3, 4), (-5, 12), (1, 1)))
        hull = Hull(dice.randrange(1000, 4000), dice.randrange(1000, 4000), 381, 190, heading)
        to = (dice.randrange(600, 4400), dice.randrange(600, 4400))
        leg = Leg(to, heading)
        dx, dy = to[0] - hull.x, to[1] - hull.y
        others: list[Disc] = []
        for _ in range(dice.randrange(1, 6)):
            # The base is beside the leg, where the farthest corner just about touches it, or in the way.
            t, s = dice.random(), dice.choice((76, 150))
            along = (hull.x + round(dx * t), hull.y + round(dy * t))
            wide = max(abs(x * -dy + y * dx) for x, y in [(x - hull.x, y - hull.y) for x, y in hull.corners])
            far = round(wide / max(math.hypot(dx, dy), 1)) + s
            side = dice.choice((-1, 1))
            aside = point_along(along, (side * -dy, side * dx), far) if dice.random() < 0.8 else along
            others.append((*aside, s))
        ground = TableGround(Table(5000, 5000))
        if not body_stands(ground, hull, others):
            continue
        fault = drive_fault(ground, hull, [leg], others)
        start, end = shapely.Polygon(hull.corners), shapely.Polygon(hull.moved(to).corners)
        meets = [
            n for n, o in enumerate(others)
            if shapely.MultiPolygon([start, end]).convex_hull.distance(shapely.Point(o[:2])) < o[2] - 1e-9
        ]  # fmt: skip
        if fault is None:
            assert not meets
            continue
        if fault.kind == "table":
            continue
        assert fault.body in meets
        assert isinstance(fault.stop, Hull)
        assert fault.stop == hull or drive_fault(ground, hull, [Leg(fault.stop.at, heading)], others) is None
        stopped += 1

        first = {n: first_met(hull, to, others[n]) for n in meets}
        assert first[fault.body or 0] <= min(first.values()) + 0.1
        short = min(first.values()) - math.dist(hull.at, fault.stop.at)
        assert short > -1.5
        grazing += short > 2
    assert stopped > 80
    assert grazing <= stopped // 10


def test_it_may_back_without_turning() -> None:
    tank = Hull(3000, 3000, 381, 190, (0, 1))
    legs = facing((tank.at, (3000, 2000)), back=True)
    assert legs == (Leg((3000, 2000), (0, 1)),)
    assert drive_fault(TableGround(Table(SIZE, SIZE)), tank, legs, [(3300, 3300, 20)]) is None


def test_a_drive_is_cut_at_its_length() -> None:
    tank = Hull(1000, 1000, 381, 190, (0, 1))
    legs = facing((tank.at, (1000, 2000), (3000, 2000)))
    assert cut_drive(tank, legs, 1500) == (Leg((1000, 2000), (0, 1)), Leg((1500, 2000), (1, 0)))
    assert cut_drive(tank, legs, 9000) == legs
    assert drive_length(tank, cut_drive(tank, legs, 700)) == 700
    assert path_of(tank, legs) == ((1000, 1000), (1000, 2000), (3000, 2000))


@pytest.mark.parametrize("seed", range(8))
def test_drives_that_are_found_are_legal(seed: int) -> None:
    by = random.Random(seed)
    pieces = []
    for n in range(3):
        x, y = by.randrange(1000, 4500), by.randrange(1000, 4500)
        pieces.append(Terrain(f"{n}", ROCK, ((x, y), (x + 700, y), (x + 700, y + 500), (x, y + 400))))
    pieces.append(Terrain("pond", TerrainKind("bog"), circle=(3000, 3000, 600)))
    ground = TableGround(Table(SIZE, SIZE, tuple(pieces))).for_mover(Passage((("bog", Going(factor=2)),)))
    others: list[Body] = []
    for _ in range(5):
        body = Hull(by.randrange(SIZE), by.randrange(SIZE), 381, 190, (by.randrange(1, 9), by.randrange(-9, 9)))
        if body_stands(ground, body, others):
            others.append(body)
    result = 0
    for _ in range(12):
        tank = Hull(by.randrange(SIZE), by.randrange(SIZE), 381, 190, (by.randrange(1, 9), by.randrange(-9, 9)))
        goal = (by.randrange(500, 5500), by.randrange(500, 5500))
        if not body_stands(ground, tank, others):
            continue
        legs = drive(ground, tank, goal, others, limit=6000)
        if legs:
            result += 1
            assert drive_fault(ground, tank, legs, others) is None
            assert driven(tank, legs).at == goal
            assert spent(ground, path_of(tank, legs)) <= 6000
    assert result


def test_a_drive_goes_round_another_tank() -> None:
    tank, other = Hull(1000, 3000, 381, 190, (1, 0)), Hull(3000, 3000, 381, 190, (0, 1))
    ground = TableGround(Table(SIZE, SIZE))
    legs = drive(ground, tank, (5000, 3000), [other])
    assert legs is not None
    assert len(legs) > 1
    assert drive_length(tank, legs) < 4600
    assert drive(ground, tank, (3000, 3000), [other]) is None
    assert drive(ground, tank, tank.at, [other]) == ()
    assert point_along(tank.at, tank.heading, 10) == (1010, 3000)
