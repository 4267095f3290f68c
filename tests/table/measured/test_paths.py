"""Paths: legal paths enter no obstacle, faults are at their reported places, and paths are short."""

from __future__ import annotations

import heapq
import math
import random
from itertools import pairwise

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.geometry import (
    Disc,
    Point,
    contact_point,
    directions,
    disc_overlaps_polygon,
    distance_up,
    overlapping,
    path_length,
)
from caltrop.table.measured import (
    PathFault,
    Table,
    TableGround,
    Terrain,
    cut_path,
    first_obstacle,
    first_overlap,
    is_open,
    legal_prefix,
    path_fault,
    place_fault,
    stands,
    surroundings,
    terrain_along,
    way,
)
from caltrop.table.measured.paths import WaySearch
from tests.table.measured.scenes import KINDS, SIZE, battlefield, coordinates, discs, grounds, radii
from tests.tiers import examples

points = st.tuples(coordinates, coordinates)
paths = st.lists(points, min_size=1, max_size=4)


def box_ground(kind: str, x0: int, y0: int, x1: int, y1: int) -> TableGround:
    return TableGround(Table(SIZE, SIZE, (Terrain("box", KINDS[kind], ((x0, y0), (x1, y0), (x1, y1), (x0, y1))),)))


OPEN = TableGround(Table(SIZE, SIZE))


def line_of(path: list[Point] | tuple[Point, ...]) -> shapely.LineString | shapely.Point:
    return shapely.LineString(path) if len(set(path)) > 1 else shapely.Point(path[0])


def clearance(ground: TableGround, path: list[Point] | tuple[Point, ...], r: int, others: list[Disc]) -> float:
    """Return how far a moved base stays from obstacles, computed by shapely; negative if it overlaps."""
    line = line_of(path)
    x0, y0, x1, y1 = line.bounds
    room = [x0 - r, y0 - r, SIZE - r - x1, SIZE - r - y1]
    room += [shapely.Point(x, y).distance(line) - r - s for x, y, s in others]
    room += [
        shapely.Polygon(piece.polygon).distance(line) - r for piece in ground.table.terrain if piece.kind.impassable
    ]
    return float(min(room))


@settings(max_examples=examples(400))
@given(grounds(), paths, radii, st.lists(discs, max_size=5))
def test_a_path_is_legal_when_it_keeps_clear(
    ground: TableGround, path: list[Point], r: int, others: list[Disc]
) -> None:
    room = clearance(ground, path, r, others)
    fault = path_fault(ground, path, r, others)
    if room > 1e-6:
        assert fault is None
    elif room < -1e-6:
        assert fault is not None


@settings(max_examples=examples(300))
@given(grounds(), paths, radii, st.lists(discs, max_size=5))
def test_no_point_of_a_legal_path_lies_on_what_blocks(
    ground: TableGround, path: list[Point], r: int, others: list[Disc]
) -> None:
    others = [disc for disc in others if not overlapping(disc, (*path[0], r))]
    stored = legal_prefix(path, path_fault(ground, path, r, others))
    if not stands(ground, (*stored[0], r), others):
        return
    solid = [piece.polygon for piece in ground.table.terrain if piece.kind.impassable]
    for a, b in pairwise(stored):
        steps = max(distance_up(a, b) // 20, 1)
        for step in range(steps + 1):
            x, y = a[0] + (b[0] - a[0]) * step / steps, a[1] + (b[1] - a[1]) * step / steps
            assert r - 1e-6 <= x <= SIZE - r + 1e-6
            assert r - 1e-6 <= y <= SIZE - r + 1e-6
            for u, v, s in others:
                assert math.hypot(x - u, y - v) > r + s - 1e-6
            if x == int(x) and y == int(y):
                assert not any(disc_overlaps_polygon((int(x), int(y), r), ring) for ring in solid)


@settings(max_examples=examples(300))
@given(grounds(), paths, radii, st.lists(discs, max_size=5))
def test_a_fault_is_at_the_first_thing_in_the_way(
    ground: TableGround, path: list[Point], r: int, others: list[Disc]
) -> None:
    others = [disc for disc in others if not overlapping(disc, (*path[0], r))]
    fault = path_fault(ground, path, r, others)
    if fault is None or not stands(ground, (*path[0], r), others):
        return
    stored = legal_prefix(path, fault)
    assert path_fault(ground, stored, r, others) is None
    # The path ends short of the obstacle by at most the rounding, or a little more at a flat angle.
    x, y = fault.stop
    if fault.kind == "disc":
        assert fault.disc is not None
        u, v, s = others[fault.disc]
        assert math.hypot(x - u, y - v) - r - s < 2.5
    elif fault.kind == "terrain":
        ring = next(piece.polygon for piece in ground.table.terrain if piece.id == fault.terrain)
        assert shapely.Polygon(ring).distance(shapely.Point(x, y)) - r < 2.5
    else:
        assert min(x - r, y - r, SIZE - r - x, SIZE - r - y) < 2.5
    assert 0 <= fault.segment < len(path) - 1


def test_a_base_passes_with_exactly_its_own_width() -> None:
    gate = [(2000, 2000, 150), (2000, 2500, 150)]  # The gap between the edges is 200.
    assert path_fault(OPEN, ((1000, 2250), (3000, 2250)), 100, gate) is None
    fault = path_fault(OPEN, ((1000, 2250), (3000, 2250)), 101, gate)
    assert fault is not None
    assert (fault.kind, fault.segment, fault.disc) == ("disc", 0, 0)
    assert way(OPEN, (1000, 2250), (3000, 2250), 100, gate) == ((1000, 2250), (3000, 2250))


def test_a_start_in_contact_may_leave() -> None:
    beside = [(1300, 1000, 150)]
    assert path_fault(OPEN, ((1000, 1000), (600, 1000)), 150, beside) is None
    assert path_fault(OPEN, ((1000, 1000), (1000, 2000)), 150, beside) is None
    fault = path_fault(OPEN, ((1000, 1000), (1600, 1000)), 150, beside)
    assert fault == (0, (1000, 1000), "disc", None, 0)


def test_a_start_on_top_of_another_is_itself_the_fault() -> None:
    assert path_fault(OPEN, ((1000, 1000), (600, 1000)), 150, [(1299, 1000, 150)]) == (
        0,
        (1000, 1000),
        "disc",
        None,
        0,
    )
    assert path_fault(OPEN, ((149, 1000), (600, 1000)), 150, []) == (0, (149, 1000), "table", None, None)


def test_a_path_stops_at_a_wall_where_it_touches() -> None:
    ground = box_ground("impassable", 3000, 0, 3500, 2000)
    fault = path_fault(ground, ((1000, 1000), (1500, 1000), (5000, 1000)), 150, [])
    assert fault == PathFault(1, (2850, 1000), "terrain", "box", None)
    assert legal_prefix(
        ((1000, 1000), (1500, 1000), (5000, 1000)), PathFault(1, (2850, 1000), "terrain", "box", None)
    ) == (
        (1000, 1000),
        (1500, 1000),
        (2850, 1000),
    )
    assert cut_path(ground, ((1000, 1000), (5000, 1000)), 150, [], 10_000) == ((1000, 1000), (2850, 1000))
    assert cut_path(ground, ((1000, 1000), (5000, 1000)), 150, [], 500) == ((1000, 1000), (1500, 1000))


def test_nobody_leaves_the_table() -> None:
    assert path_fault(OPEN, ((1000, 1000), (150, 1000)), 150, []) is None
    fault = path_fault(OPEN, ((1000, 1000), (149, 1000)), 150, [])
    assert fault == (0, (150, 1000), "table", None, None)
    beyond = path_fault(OPEN, ((1000, SIZE), (1000, 1000)), 150, [], crosses=True)
    assert beyond is not None
    assert beyond[:2] == (0, (1000, SIZE)), "who begins over the edge goes nowhere"
    crossing = path_fault(OPEN, ((1000, 1000), (100, 1000), (1000, 1500)), 150, [], crosses=True)
    assert crossing is not None
    assert (crossing.segment, crossing.stop, crossing.kind) == (0, (150, 1000), "table")


@pytest.mark.parametrize("kind", ["woods", "built-up", "rough", "hill"])
def test_other_terrain_stops_nobody(kind: str) -> None:
    assert path_fault(box_ground(kind, 2000, 0, 3000, 6000), ((1000, 1000), (5000, 1000)), 150, []) is None


@pytest.mark.parametrize("kind", ["impassable", "building"])
def test_a_mover_that_crosses_passes_over_everything_but_ends_on_nothing(kind: str) -> None:
    ground = box_ground(kind, 2000, 0, 3000, 6000)
    enemy = [(3600, 1000, 150)]
    over = ((1000, 1000), (5000, 1000))
    assert path_fault(ground, over, 150, enemy) is not None
    assert path_fault(ground, over, 150, enemy, crosses=True) is None
    on_unit = path_fault(ground, ((1000, 1000), (3600, 1000)), 150, enemy, crosses=True)
    assert on_unit == (0, (3300, 1000), "disc", None, 0)
    on_terrain = path_fault(ground, ((1000, 1000), (2500, 1000)), 150, enemy, crosses=True)
    assert on_terrain == (0, (1850, 1000), "terrain", "box", None)
    assert way(ground, (1000, 1000), (5000, 1000), 150, enemy, crosses=True) == over
    assert way(ground, (1000, 1000), (2500, 1000), 150, enemy, crosses=True) is None


def test_a_place_is_refused_with_its_reason() -> None:
    ground = box_ground("building", 2000, 0, 3000, 6000)
    assert place_fault(ground, (1850, 500, 150), []) is None
    assert place_fault(ground, (1851, 500, 150), []) == (0, (1851, 500), "terrain", "box", None)
    assert place_fault(ground, (1000, 500, 150), [(0, 0, 1), (1200, 500, 100)]) == (0, (1000, 500), "disc", None, 1)
    assert place_fault(ground, (5900, 500, 150), []) == (0, (5900, 500), "table", None, None)


def test_the_first_overlap_in_a_unit_is_named() -> None:
    assert first_overlap([(0, 0, 100), (200, 0, 100), (399, 0, 100)]) == (1, 2)
    assert first_overlap([(0, 0, 100), (200, 0, 100), (400, 0, 100)]) is None


def test_a_path_without_a_start_is_refused() -> None:
    with pytest.raises(ValueError, match="at least its start"):
        path_fault(OPEN, (), 100, [])


def test_terrain_touched_on_the_way_includes_the_start_and_not_a_graze() -> None:
    ground = TableGround(
        Table(
            SIZE,
            SIZE,
            (
                Terrain("end", KINDS["rough"], ((4000, 0), (5000, 0), (5000, 900), (4000, 900))),
                Terrain("start", KINDS["woods"], ((0, 0), (900, 0), (900, 900), (0, 900))),
                Terrain("beside", KINDS["woods"], ((2000, 1150), (3000, 1150), (3000, 2000), (2000, 2000))),
            ),
        )
    )
    assert terrain_along(ground, ((1000, 1000), (3900, 1000)), 150) == ("end", "start")
    assert terrain_along(ground, ((1200, 1001), (3500, 1001)), 150) == ("beside",)
    assert terrain_along(ground, ((1200, 1000),), 150) == ()
    assert terrain_along(ground, ((1000, 1000),), 150) == ("start",)


@given(grounds(), paths, radii)
def test_terrain_touched_on_the_way_is_what_shapely_finds(ground: TableGround, path: list[Point], r: int) -> None:
    touched = terrain_along(ground, path, r)
    for piece in ground.table.terrain:
        distance = shapely.Polygon(piece.polygon).distance(line_of(path))
        if abs(distance - r) > 1e-6:
            assert (piece.id in touched) == (distance < r)


@settings(max_examples=examples(200))
@given(grounds(), points, points, radii, st.lists(discs, max_size=5))
def test_a_way_is_legal_and_never_shorter_than_the_straight_line(
    ground: TableGround, start: Point, goal: Point, r: int, others: list[Disc]
) -> None:
    path = way(ground, start, goal, r, others)
    if path is None:
        return
    assert (path[0], path[-1]) == (start, goal)
    assert path_fault(ground, path, r, others) is None
    assert clearance(ground, path, r, others) > -1e-6
    assert path_length(path) >= distance_up(start, goal)
    within = way(ground, start, goal, r, others, limit=path_length(path))
    assert within is not None
    assert path_length(within) <= path_length(path)
    assert way(ground, start, goal, r, others, limit=distance_up(start, goal) - 1) is None


@given(st.integers(1600, 2400), st.integers(700, 2000), st.integers(700, 2000), radii, st.sampled_from([100, 150, 300]))
def test_the_way_round_one_disc_is_nearly_two_tangents_and_an_arc(
    y: int, before: int, behind: int, r: int, s: int
) -> None:
    centre = (3000, 2000)
    start, goal = (3000 - before, y), (3000 + behind, 2000)
    reach = r + s
    path = way(OPEN, start, goal, r, [(*centre, s)])
    assert path is not None
    d1, d2 = math.dist(start, centre), math.dist(goal, centre)
    if path == (start, goal):
        return
    facing = math.atan2(start[1] - 2000, start[0] - 3000) - math.atan2(goal[1] - 2000, goal[0] - 3000)
    turn = abs((facing + math.pi) % (2 * math.pi) - math.pi) - math.acos(reach / d1) - math.acos(reach / d2)
    shortest = math.sqrt(d1**2 - reach**2) + math.sqrt(d2**2 - reach**2) + reach * turn
    assert shortest - 1e-6 <= path_length(path) <= 1.02 * shortest + 5


def oracle_length(ground: TableGround, start: Point, goal: Point, r: int, others: list[Disc]) -> float | None:
    """Return the length of the shortest path through points on fine rings around all obstacles, slightly above the
    minimum.
    """
    shapes = [shapely.Point(x, y).buffer(s + r, quad_segs=24) for x, y, s in others]
    shapes += [
        shapely.Polygon(piece.polygon).buffer(r, quad_segs=24)
        for piece in ground.table.terrain
        if piece.kind.impassable
    ]
    blocked = shapely.union_all(shapes)
    field = shapely.box(r, r, SIZE - r, SIZE - r)
    inside = blocked.buffer(-0.5)
    nodes = [start, goal]
    for shape in getattr(blocked, "geoms", [blocked]):
        for ring in [shape.exterior, *shape.interiors]:
            nodes += [p for p in ring.coords[:-1] if field.covers(shapely.Point(p))]
    shapely.prepare(inside)
    best = {0: 0.0}
    done = set()
    # Pieces that may be nearest to the goal come first.
    heap = [(math.dist(start, goal), 0)]
    while heap:
        _, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        cost = best[node]
        if node == 1:
            return cost
        others_left = [i for i in range(len(nodes)) if i not in done]
        lines = shapely.linestrings([(nodes[node], nodes[i]) for i in others_left])
        for i, hit in zip(others_left, inside.intersects(lines) if others_left else [], strict=True):
            total = cost + math.dist(nodes[node], nodes[i])
            if not hit and total < best.get(i, math.inf):
                best[i] = total
                heapq.heappush(heap, (total + math.dist(nodes[i], goal), i))
    return None


@pytest.mark.parametrize("seed", range(12))
def test_a_way_is_nearly_as_short_as_brute_force_finds(seed: int) -> None:
    dice = random.Random(seed)
    terrain = []
    for index in range(2):
        x, y = dice.randrange(1200, 3800), dice.randrange(1200, 3800)
        w, h = dice.randrange(200, 1500), dice.randrange(200, 1500)
        terrain.append(Terrain(f"t{index}", KINDS["building"], ((x, y), (x + w, y + 90), (x + w, y + h), (x, y + h))))
    ground = TableGround(Table(SIZE, SIZE, tuple(terrain)))
    others = [(dice.randrange(1000, 5000), dice.randrange(1000, 5000), 200) for _ in range(4)]
    start, goal = (400, dice.randrange(300, 5700)), (5600, dice.randrange(300, 5700))
    path = way(ground, start, goal, 150, others)
    expected = oracle_length(ground, start, goal, 150, others)
    assert expected is not None
    assert path is not None
    assert expected - 2 <= path_length(path) <= 1.015 * expected + 5


def test_a_walled_in_place_has_no_way_out() -> None:
    wall = [(3000 + 400, 3000, 200), (3000 - 400, 3000, 200), (3000, 3400, 200), (3000, 2600, 200)]
    assert way(OPEN, (3000, 3000), (5000, 3000), 150, wall) is None
    assert way(OPEN, (5000, 3000), (3000, 3000), 150, wall) is None


def test_two_ways_round_that_are_as_short_are_both_found() -> None:
    box = box_ground("impassable", 3000, 2000, 4000, 4000)
    search = WaySearch(box, (2000, 3000), (5000, 3000), 150, ())
    below, above = sorted(search.find(0))
    assert path_length(above) == path_length(below)
    assert min(y for _, y in below) < 2000
    assert max(y for _, y in above) > 4000
    assert len(WaySearch(box, (2000, 3000), (5000, 3000), 150, ()).find()) == 1, "without a slack one is enough"


def test_a_way_over_a_full_table_is_legal() -> None:
    ground, others, dice = battlefield(11)
    result = 0
    for _ in range(15):
        start = (dice.randrange(200, 11_800), dice.randrange(200, 11_800))
        goal = (dice.randrange(200, 11_800), dice.randrange(200, 11_800))
        if stands(ground, (*start, 150), others) and stands(ground, (*goal, 150), others):
            path = way(ground, start, goal, 150, others)
            if path is not None:
                result += 1
                assert path_fault(ground, path, 150, others) is None
    assert result >= 3


@settings(max_examples=examples(80))
@given(grounds(), points, radii, st.lists(discs, max_size=5), st.integers(0, 3000), points)
def test_surroundings_hold_everything_that_can_stop_a_move_within_reach(
    ground: TableGround, start: Point, r: int, others: list[Disc], reach: int, goal: Point
) -> None:
    around = surroundings(ground, start, r, reach, others)
    path = cut_path(ground, (start, goal), r, others, reach)
    for p in around.corners:
        assert stands(ground, (*p, r), others)
        assert math.dist(p, start) <= reach
    fault = path_fault(ground, (start, goal), r, others)
    if fault is not None and path_length(path) < reach - 3:
        if fault.kind == "disc":
            assert fault.disc in [index for index, _ in around.discs]
        elif fault.kind == "terrain":
            assert fault.terrain in [name for name, _ in around.solid]
        else:
            x, y = fault.stop
            left, low, right, high = around.box
            assert min(x - left, y - low, right - x, high - y) < 3


@settings(max_examples=examples(300))
@given(grounds(), paths, radii, st.lists(discs, max_size=5), st.integers(-5, 5000), st.booleans())
def test_a_drag_cut_short_is_legal_and_within_its_length(
    ground: TableGround, path: list[Point], r: int, others: list[Disc], limit: int, crosses: bool
) -> None:
    others = [disc for disc in others if not overlapping(disc, (*path[0], r))]
    stored = cut_path(ground, path, r, others, limit, crosses)
    assert stored[0] == path[0]
    assert path_length(stored) <= max(limit, 0)
    if stands(ground, (*path[0], r), others):
        assert path_fault(ground, stored, r, others, crosses) is None
        if path_length(path) <= limit and path_fault(ground, path, r, others, crosses) is None:
            assert stored == tuple(path)


@given(st.integers(0, 63), st.sampled_from([100, 150, 200, 600]), radii)
def test_the_way_from_contact_to_the_far_side_is_nearly_half_a_circle(number: int, s: int, r: int) -> None:
    disc = (3000, 3000, s)
    start = contact_point(disc, r, directions(64)[number])
    goal = (6000 - start[0], 6000 - start[1])
    path = way(OPEN, start, goal, r, [disc])
    assert path is not None
    assert math.pi * (r + s) <= path_length(path) <= 1.02 * math.pi * (r + s + 1) + 12


@settings(max_examples=examples(200))
@given(grounds(), paths, radii, st.lists(discs, max_size=6), st.booleans())
def test_the_quick_answer_about_a_path_is_the_slow_one(
    ground: TableGround, path: list[Point], r: int, others: list[Disc], crosses: bool
) -> None:
    assert (first_obstacle(ground, path, r, others, crosses) is None) == (
        path_fault(ground, path, r, others, crosses) is None
    )


@settings(max_examples=examples(200))
@given(grounds(3), paths, radii, st.booleans())
def test_nothing_stops_a_path_in_an_open_box(ground: TableGround, path: list[Point], r: int, crosses: bool) -> None:
    xs, ys = [x for x, _ in path], [y for _, y in path]
    if is_open(ground, (min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r)):
        assert path_fault(ground, path, r, [], crosses) is None
