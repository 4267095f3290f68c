"""Passage: obstacles for some movers and not others, costs of slow ground and crossings, and the cheapest paths."""

from __future__ import annotations

import heapq
import math
import random
from itertools import pairwise

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.geometry import Hull, Point, cut_at_length, path_length, point_along
from caltrop.table.measured import (
    Going,
    Passage,
    Table,
    TableGround,
    Terrain,
    TerrainKind,
    cut_path,
    cut_to,
    march,
    path_fault,
    spent,
    stands,
    way,
)
from tests.table.measured.scenes import SIZE, coordinates, polygons
from tests.tiers import examples

points = st.tuples(coordinates, coordinates)
BOG, RUIN, HEDGE, ROCK = (
    TerrainKind("bog"),
    TerrainKind("ruin"),
    TerrainKind("hedge"),
    TerrainKind("rock", impassable=True),
)
ON_FOOT = Passage((("bog", Going(factor=2)), ("ruin", Going(factor=2)), ("hedge", Going(toll=254))))
ON_TRACKS = Passage((("ruin", Going(closed=True)), ("bog", Going(factor=2)), ("hedge", Going())))
CLIMBER = Passage((("rock", Going(factor=3)),))


def box(x0: int, y0: int, x1: int, y1: int) -> tuple[Point, ...]:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


@st.composite
def slow_grounds(draw: st.DrawFn) -> TableGround:
    pieces: list[Terrain] = []
    for index, ring in enumerate(draw(st.lists(polygons(), max_size=4))):
        kind = draw(st.sampled_from([BOG, RUIN, HEDGE, ROCK]))
        if draw(st.booleans()):
            pieces.append(Terrain(f"t{index}", kind, circle=(*ring[0], 30 + abs(ring[1][0] - ring[0][0]) // 3)))
        else:
            pieces.append(Terrain(f"t{index}", kind, ring))
    return TableGround(Table(SIZE, SIZE, tuple(pieces)))


def true_cost(ground: TableGround, passage: Passage, path: list[Point]) -> float:
    """Return the length including slow ground, computed by shapely."""
    cost = shapely.LineString(path).length if len(set(path)) > 1 else 0.0
    slow = [
        shapely.Polygon(t.polygon)
        if t.circle is None
        else shapely.Point(t.circle[:2]).buffer(t.circle[2], quad_segs=256)
        for t in ground.table.terrain
        if dict(passage.goings).get(t.kind.name, Going()).factor > 1
    ]
    for a, b in pairwise(path):
        if a != b:
            cost += shapely.LineString((a, b)).intersection(shapely.union_all(slow)).length
    return cost


@given(slow_grounds(), st.lists(points, min_size=1, max_size=4))
@settings(max_examples=examples(80), deadline=None)
def test_what_a_path_costs(ground: TableGround, path: list[Point]) -> None:
    no_tolls = Passage(tuple((name, going) for name, going in ON_FOOT.goings if not going.toll))
    result = spent(ground.for_mover(no_tolls), path)
    cost = true_cost(ground, no_tolls, path)
    assert cost - 1e-3 <= result <= cost + 2 * len(path) + 1
    assert path_length(path) == spent(ground, path) <= result <= spent(ground.for_mover(ON_FOOT), path)
    assert spent(ground.for_mover(no_tolls), path[::-1]) == result


def test_each_crossing_has_its_toll() -> None:
    hedges = (Terrain("a", HEDGE, box(1000, 0, 1050, 6000)), Terrain("b", HEDGE, box(3000, 0, 3050, 6000)))
    ground = TableGround(Table(SIZE, SIZE, hedges)).for_mover(ON_FOOT)
    assert spent(ground, [(500, 500), (4000, 500)]) == 3500 + 2 * 254
    assert spent(ground, [(500, 500), (1020, 500), (2000, 500)]) == 1500 + 254, "a halt in it is one crossing"
    assert spent(ground, [(500, 500), (2000, 500), (500, 500)]) == 3000 + 2 * 254
    assert spent(ground, [(1020, 500), (2000, 500)]) == 980, "who stands in it has crossed"
    assert spent(ground, [(1000, 500), (1000, 900)]) == 400, "along its border nobody enters"
    assert spent(ground, [(1000, 500), (2000, 500)]) == 1254
    assert spent(ground, [(500, 500), (4000, 500)]) == spent(ground, [(4000, 500), (500, 500)])


def test_in_two_pieces_at_once_the_slower_counts() -> None:
    both = (Terrain("a", BOG, box(1000, 0, 2000, 999)), Terrain("b", TerrainKind("mud"), box(1500, 0, 2500, 999)))
    ground = TableGround(Table(SIZE, SIZE, both)).for_mover(
        Passage((("bog", Going(factor=2)), ("mud", Going(factor=4))))
    )
    assert spent(ground, [(0, 500), (3000, 500)]) == 3000 + 500 + 3 * 1000


def test_what_stops_one_mover_does_not_stop_another() -> None:
    ground = TableGround(Table(SIZE, SIZE, (Terrain("ruin", RUIN, box(2000, 2000, 3000, 3000)),)))
    through = [(1000, 2500), (4000, 2500)]
    assert path_fault(ground, through, 100, ()) is None
    assert path_fault(ground.for_mover(ON_FOOT), through, 100, ()) is None
    fault = path_fault(ground.for_mover(ON_TRACKS), through, 100, ())
    assert fault is not None
    assert (fault.terrain, fault.stop) == ("ruin", (1900, 2500))
    assert not stands(ground.for_mover(ON_TRACKS), (2500, 2500, 100), ())
    assert stands(ground.for_mover(ON_FOOT), (2500, 2500, 100), ())
    rock = TableGround(Table(SIZE, SIZE, (Terrain("rock", ROCK, box(2000, 2000, 3000, 3000)),)))
    assert path_fault(rock.for_mover(ON_FOOT), through, 100, ()) is not None, (
        "what is not named is closed if impassable"
    )
    assert path_fault(rock.for_mover(CLIMBER), through, 100, ()) is None
    assert rock.for_mover(CLIMBER) is rock.for_mover(Passage(CLIMBER.goings)), "one ground for equal passages"


def test_the_way_goes_round_or_through_whichever_is_cheaper() -> None:
    wide = TableGround(Table(SIZE, SIZE, (Terrain("bog", BOG, box(2000, 500, 3000, 5500)),))).for_mover(ON_FOOT)
    assert way(wide, (1000, 3000), (4000, 3000), 100, ()) == ((1000, 3000), (4000, 3000))
    small = TableGround(Table(SIZE, SIZE, (Terrain("bog", BOG, box(2000, 2800, 3000, 3200)),))).for_mover(ON_FOOT)
    result = way(small, (1000, 3000), (4000, 3000), 100, ())
    assert result is not None
    assert len(result) == 4
    assert spent(small, result) == path_length(result) < 3100
    assert way(small, (1000, 3000), (4000, 3000), 100, (), limit=path_length(result) - 1) is None
    pond = TableGround(Table(SIZE, SIZE, (Terrain("bog", BOG, circle=(2500, 3000, 400)),))).for_mover(ON_FOOT)
    result = way(pond, (1000, 3000), (4000, 3000), 100, ())
    assert result is not None
    assert spent(pond, result) == path_length(result) < 3260


@given(slow_grounds(), points, points)
@settings(max_examples=examples(40), deadline=None)
def test_a_way_is_legal_and_no_dearer_than_the_straight_one(ground: TableGround, a: Point, b: Point) -> None:
    priced = ground.for_mover(ON_FOOT)
    result = way(priced, a, b, 100, ())
    plain = way(ground, a, b, 100, ())
    assert (result is None) == (plain is None)
    if result is not None and plain is not None:
        assert path_fault(priced, result, 100, ()) is None
        assert (result[0], result[-1]) == (a, b)
        assert spent(priced, result) <= spent(priced, plain) + len(plain)
        assert path_length(plain) <= path_length(result) + 1


@pytest.mark.parametrize("seed", range(6))
def test_the_cheapest_way_is_near_that_over_a_fine_grid(seed: int) -> None:
    by = random.Random(seed)
    pieces = []
    for n in range(4):
        x, y = by.randrange(1000, 4000), by.randrange(1000, 4000)
        pieces.append(
            Terrain(f"{n}", by.choice((BOG, ROCK)), box(x, y, x + by.randrange(300, 1200), y + by.randrange(300, 1200)))
        )
    ground = TableGround(Table(SIZE, SIZE, tuple(pieces))).for_mover(ON_FOOT)
    start, goal, step = (500, 500), (5500, 5500), 100
    steps = [(dx, dy) for dx in range(-3, 4) for dy in range(-3, 4) if math.gcd(dx, dy) == 1]
    best = {start: 0.0}
    # Pieces near the goal come first: no path costs less than its length.
    heap = [(math.dist(start, goal), start)]
    done = set()
    while heap:
        _, p = heapq.heappop(heap)
        if p == goal:
            break
        if p in done:
            continue
        done.add(p)
        cost = best[p]
        for dx, dy in steps:
            q = (p[0] + dx * step, p[1] + dy * step)
            # `spent` is rounded to a whole number, so a step may seem a tenth of a millimetre too short.
            shortest = cost + math.dist(p, q) - 1
            if q in done or not (100 <= q[0] <= 5900 and 100 <= q[1] <= 5900) or shortest >= best.get(q, math.inf):
                continue
            if path_fault(ground, (p, q), 100, ()) is None:
                total = cost + spent(ground, (p, q))
                if total < best.get(q, math.inf):
                    best[q] = total
                    heapq.heappush(heap, (total + math.dist(q, goal), q))
    result = way(ground, start, goal, 100, ())
    assert (result is None) == (goal not in best)
    if result is not None:
        assert spent(ground, result) <= 1.03 * best[goal]


@given(slow_grounds(), points, points, st.integers(0, 3000))
@settings(max_examples=examples(40), deadline=None)
def test_a_cut_path_costs_no_more_than_the_limit(ground: TableGround, a: Point, b: Point, limit: int) -> None:
    priced = ground.for_mover(ON_FOOT)
    cut = cut_to(priced, (a, b), limit)
    assert spent(priced, cut) <= limit
    if cut[-1] != b:
        longer = point_along(a, (b[0] - a[0], b[1] - a[1]), path_length(cut) + 3)
        assert spent(priced, (a, longer)) >= limit - 2
    drag = cut_path(priced, (a, b), 100, (), limit)
    assert spent(priced, drag) <= limit


def test_a_unit_marches_as_far_as_slow_ground_lets_it() -> None:
    ground = TableGround(Table(SIZE, SIZE, (Terrain("bog", BOG, box(0, 1000, SIZE, 5000)),))).for_mover(ON_FOOT)
    squad = [(1000, 800, 76), (1300, 800, 76), (1600, 800, 76)]
    paths = march(ground, squad, (1300, 3000), 1524, ())
    assert all(spent(ground, path) <= 1524 for path in paths)
    assert 1500 < max(path[-1][1] for path in paths) <= 1662


def test_bases_go_round_hulls() -> None:
    tank = Hull(3000, 3000, 381, 190, (1, 1))
    ground = TableGround(Table(SIZE, SIZE)).with_solid((tank,))
    assert not stands(ground, (3300, 3300, 76), ())
    assert stands(ground, (3300, 2800, 76), ())
    result = way(ground, (2000, 3000), (4000, 3000), 76, ())
    assert result is not None
    assert len(result) > 2
    fault = path_fault(ground, ((2000, 3000), (4000, 3000)), 76, ())
    assert fault is not None
    assert fault.terrain == "body 0"


@pytest.mark.parametrize("limit", [1, 2, 3, 995, 1000, 1001, 1002, 1337, 1338, 1339, 1340])
def test_a_path_is_cut_to_the_hundredth(limit: int) -> None:
    ground = TableGround(Table(SIZE, SIZE, (Terrain("bog", BOG, box(2000, 0, 5000, SIZE)),))).for_mover(ON_FOOT)
    path = ((1000, 1000), (5000, 1000))
    longest = max(n for n in range(limit + 1) if spent(ground, cut_at_length(path, n)) <= limit)
    assert path_length(cut_to(ground, path, limit)) == longest


def test_the_corners_by_which_ways_lead_are_on_the_table() -> None:
    for corners in (box(2000, 0, 3000, 500), box(2000, SIZE - 500, 3000, SIZE), box(0, 2000, 500, 3000)):
        ground = TableGround(Table(SIZE, SIZE, (Terrain("rock", ROCK, corners),)))
        (piece,) = ground.solid_pieces
        result = ground._corners_of(piece, 150)
        assert result
        assert all(150 <= x <= SIZE - 150 and 150 <= y <= SIZE - 150 for x, y in result)
