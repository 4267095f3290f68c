"""Approaches are legal, end in contact, and are as short as those of a brute-force search; all equally short ones are
found.
"""

from __future__ import annotations

import math
import random

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.geometry import (
    INCH,
    Disc,
    Point,
    contact_point,
    directions,
    gap_up,
    overlapping,
    path_length,
    point_along,
    touching,
)
from caltrop.table.measured import Table, TableGround, Terrain, approaches, halted, path_fault, stands
from tests.table.measured.scenes import KINDS, SIZE, coordinates, discs, grounds, radii
from tests.tiers import examples

OPEN = TableGround(Table(SIZE, SIZE))
R = INCH // 2

points = st.tuples(coordinates, coordinates)


def boxed(*boxes: tuple[int, int, int, int]) -> TableGround:
    return TableGround(
        Table(
            SIZE,
            SIZE,
            tuple(
                Terrain(f"t{i}", KINDS["building"], ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
                for i, (x0, y0, x1, y1) in enumerate(boxes)
            ),
        )
    )


@settings(max_examples=examples(120))
@given(grounds(), points, radii, discs, st.lists(discs, max_size=6))
def test_a_way_is_legal_and_ends_in_contact(
    ground: TableGround, start: Point, r: int, target: Disc, others: list[Disc]
) -> None:
    for way in approaches(ground, start, r, target, others):
        assert way[0] == start
        assert path_fault(ground, way, r, [*others, target]) is None
        assert touching((*way[-1], r), target)
        assert not any(touching((*p, r), target) for p in way[:-1])


def test_on_open_ground_the_way_is_straight_and_ends_at_the_rim() -> None:
    assert approaches(OPEN, (1000, 1000), 100, (2000, 1000, 150), []) == (((1000, 1000), (1749, 1000)),)


def test_in_contact_there_is_nowhere_to_go() -> None:
    assert approaches(OPEN, (1748, 1000), 100, (2000, 1000, 150), [(1548, 1000, 100)]) == (((1748, 1000),),)
    assert approaches(OPEN, (1747, 1000), 100, (2000, 1000, 150), []) == (((1747, 1000), (1749, 1000)),)


def test_a_start_that_is_not_legal_leads_nowhere() -> None:
    assert approaches(OPEN, (50, 1000), 100, (2000, 1000, 150), []) == ()
    assert approaches(OPEN, (1000, 1000), 100, (2000, 1000, 150), [(1100, 1000, 100)]) == ()
    assert approaches(OPEN, (1900, 1000), 100, (2000, 1000, 150), []) == ()


def test_who_is_ringed_all_round_cannot_be_reached() -> None:
    target = (3000, 3000, 200)
    ring = [(*contact_point(target, 200, d), 200) for d in directions(4)]
    assert approaches(OPEN, (1000, 3000), 250, target, ring) == ()
    assert approaches(OPEN, (1000, 3000), 80, target, ring) != ()


def test_round_one_base_there_are_two_ways() -> None:
    ways = approaches(OPEN, (1000, 3000), R, (3000, 3000, R), [(2000, 3000, R)])
    upper, lower = sorted(ways, key=lambda way: -way[1][1])
    assert [(x, 6000 - y) for x, y in upper] == list(lower)
    assert upper[1][1] > 3000 > lower[1][1]


@pytest.mark.parametrize("off", [40, 200])
def test_of_two_ways_the_shorter_one_alone(off: int) -> None:
    (way,) = approaches(OPEN, (1000, 3000), R, (3000, 3000, R), [(2000, 3000 + off, R)])
    assert all(y <= 3000 for _, y in way)


def test_equal_ways_on_one_side_of_everything_are_one_way() -> None:
    # Corners give many paths of nearly equal length around a wall. Only left and right of it count as different.
    ground = boxed((1500, 2500, 2500, 3500))
    ways = approaches(ground, (1000, 3000), R, (3000, 3000, R), [])
    assert len(ways) == 2
    assert {way[1][1] > 3000 for way in ways} == {True, False}
    assert len({path_length(way) for way in ways}) == 1


def test_past_two_bases_there_are_still_two_equal_ways() -> None:
    ways = approaches(OPEN, (1000, 3000), R, (4600, 3000, R), [(1900, 3000, R), (3600, 3000, R)])
    sides = {tuple(min(way, key=lambda p: abs(p[0] - x))[1] > 3000 for x in (1900, 3600)) for way in ways}
    assert sides == {(True, True), (False, False)}
    assert len({path_length(way) for way in ways}) == 1


def test_where_the_straight_end_is_taken_it_ends_beside() -> None:
    target = (3000, 3000, R)
    guard = (*contact_point(target, R, (-1, 0)), R)
    ways = approaches(OPEN, (1000, 3000), R, target, [guard])
    assert len(ways) == 2
    for way in ways:
        end = (*way[-1], R)
        assert touching(end, target)
        assert gap_up(end, guard) <= 4  # The base is squeezed in between, and no nearer place exists.


def slow_length(ground: TableGround, start: Point, r: int, target: Disc, others: list[Disc]) -> float | None:
    """Return the length of the shortest path into contact, over fine rings around all obstacles and fine places around
    the target.
    """
    import heapq

    shapes = [shapely.Point(x, y).buffer(s + r, quad_segs=16) for x, y, s in others]
    shapes += [shapely.Polygon(p.polygon).buffer(r, quad_segs=16) for p in ground.table.terrain if p.kind.impassable]
    shapes.append(shapely.Point(target[:2]).buffer(target[2] + r, quad_segs=48))
    blocked = shapely.union_all(shapes)
    field = shapely.box(r, r, SIZE - r, SIZE - r)
    inside = blocked.buffer(-0.7)
    nodes: list[tuple[float, float]] = [start]
    for shape in getattr(blocked, "geoms", [blocked]):
        for ring in [shape.exterior, *shape.interiors]:
            nodes += [p for p in ring.coords[:-1] if field.covers(shapely.Point(p))]
    reach = target[2] + r + 2
    goals = {i for i, p in enumerate(nodes) if math.dist(p, target[:2]) <= reach}
    shapely.prepare(inside)
    best = {0: 0.0}
    done: set[int] = set()
    # Pieces that may be nearest to the target come first.
    heap = [(math.dist(start, target[:2]) - reach, 0)]
    while heap:
        _, node = heapq.heappop(heap)
        cost = best[node]
        if node in goals:
            return cost
        if node in done:
            continue
        done.add(node)
        left = [i for i in range(len(nodes)) if i not in done]
        lines = shapely.linestrings([(nodes[node], nodes[i]) for i in left])
        for i, hit in zip(left, inside.intersects(lines) if left else [], strict=True):
            total = cost + math.dist(nodes[node], nodes[i])
            if not hit and total < best.get(i, math.inf):
                best[i] = total
                heapq.heappush(heap, (total + math.dist(nodes[i], target[:2]) - reach, i))
    return None


@pytest.mark.parametrize("seed", range(10))
def test_a_way_is_nearly_as_short_as_brute_force_finds(seed: int) -> None:
    dice = random.Random(seed)
    ground = OPEN
    while True:
        target = (dice.randrange(3000, 5000), dice.randrange(1500, 4500), R)
        x, y = dice.randrange(1500, 3000), dice.randrange(1000, 3500)
        ground = boxed((x, y, x + dice.randrange(200, 1200), y + dice.randrange(200, 1500)))
        # Half of the bases are close to the target, so that the end of the straight path is often occupied.
        near = [point_along(target[:2], dice.choice(directions(32)), dice.randrange(254, 600)) for _ in range(3)]
        others = [(*p, R) for p in near] + [(dice.randrange(800, 5200), dice.randrange(800, 5200), R) for _ in range(3)]
        start = (500, dice.randrange(300, 5700))
        bases = [target, *others]
        if all(stands(ground, b, []) for b in bases) and not any(
            overlapping(a, b) for i, a in enumerate(bases) for b in bases[:i]
        ):
            break
    expected = slow_length(ground, start, R, target, others)
    ways = approaches(ground, start, R, target, others)
    if expected is None:
        assert ways == ()
        return
    assert ways
    for way in ways:
        assert expected - 4 <= path_length(way) <= 1.02 * expected + 8


@settings(max_examples=examples(200))
@given(grounds(), st.lists(points, min_size=1, max_size=4), radii, st.lists(discs, max_size=4), st.integers(0, 600))
def test_a_halt_is_the_last_place_that_is_far_enough(
    ground: TableGround, path: list[Point], r: int, shunned: list[Disc], gap: int
) -> None:
    stored = halted(ground, path, r, [], shunned, gap)
    assert stored[0] == path[0]
    if not stands(ground, (*path[0], r), []) or any(gap_up((*path[0], r), d) < gap for d in shunned):
        assert stored == (path[0],)
        return
    assert all(gap_up((*p, r), d) >= gap for p in stored for d in shunned)
    line = shapely.LineString(stored) if len(set(stored)) > 1 else shapely.Point(stored[0])
    for x, y, s in shunned if stored != (path[0],) else ():  # rounding of the gap may place a start slightly nearer
        assert shapely.Point(x, y).distance(line) > r + s + gap - 1e-6
    if path_fault(ground, path, r, []) is None and stored != tuple(path):
        beyond = shapely.LineString(path) if len(set(path)) > 1 else shapely.Point(path[0])
        assert any(shapely.Point(x, y).distance(beyond) < r + s + gap + 1e-6 for x, y, s in shunned)
        # The path ends short of contact by at most the rounding, or a little more at a flat angle.
        assert min(math.dist(stored[-1], d[:2]) - r - d[2] for d in shunned) < gap + 2.5


def test_who_is_too_near_already_does_not_start() -> None:
    straight = ((1000, 1000), (500, 1000))
    assert halted(OPEN, straight, 100, [], [(1299, 1000, 100)], 100) == ((1000, 1000),)
    assert halted(OPEN, straight, 100, [], [(1300, 1000, 100)], 100) == straight


def test_a_halt_also_heeds_what_is_in_the_way() -> None:
    straight = ((1000, 1000), (3000, 1000))
    assert halted(OPEN, straight, 100, [(2500, 1000, 100)], [], 0) == ((1000, 1000), (2300, 1000))
    assert halted(OPEN, straight, 100, [(2500, 1000, 100)], [(2500, 1000, 100)], 508)[-1] == (1792, 1000)


def test_ways_that_are_asked_for_again_are_not_searched_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = boxed((SIZE // 2 - INCH, SIZE // 2 - INCH, SIZE // 2 + INCH, SIZE // 2 + INCH))
    start, target = (SIZE // 2, SIZE // 2 - 3 * INCH), (SIZE // 2, SIZE // 2 + 3 * INCH, R)
    result = approaches(ground, start, R, target, [])
    assert result
    monkeypatch.setattr("caltrop.table.measured.approach.WaySearch", None)
    assert approaches(ground, start, R, target, []) == result
