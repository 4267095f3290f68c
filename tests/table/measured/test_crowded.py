"""Paths among touching obstacles: no search finds less than one that knows every obstacle from the start."""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Sequence

import pytest

from caltrop.geometry import (
    Disc,
    Hull,
    Point,
    contact_point,
    directions,
    distance_sq,
    distance_up,
    path_length,
    point_along,
    ring_around,
    tangent_points,
)
from caltrop.table.measured import (
    Going,
    Passage,
    Table,
    TableGround,
    Terrain,
    TerrainKind,
    approaches,
    drive,
    drive_fault,
    first_obstacle,
    path_fault,
    spent,
    stands,
    way,
)
from caltrop.table.measured.costs import extra
from caltrop.table.measured.paths import WaySearch, points_round

WALL, BOG = TerrainKind("wall", impassable=True), TerrainKind("bog")
SIDE = 5000
RADII = (100, 125, 150, 200)


def box(name: str, x: int, y: int, wide: int, high: int, kind: TerrainKind = WALL) -> Terrain:
    return Terrain(name, kind, ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)))


def crowd(dice: random.Random) -> tuple[TableGround, list[Disc]]:
    """Return a table of things that touch: rows and heaps of bases, walls in a T, bases at ends of walls, hulls and
    pools.
    """
    pieces: list[Terrain] = []
    bases: list[Disc] = []
    hulls: list[Hull] = []

    def wall(x: int, y: int, wide: int, high: int, kind: TerrainKind = WALL) -> None:
        pieces.append(box(f"piece {len(pieces)}", x, y, wide, high, kind))

    for _ in range(dice.randrange(2, 6)):
        x, y, s = dice.randrange(500, SIDE - 500), dice.randrange(500, SIDE - 500), dice.choice((125, 150, 160, 300))
        long, thin = dice.randrange(400, 1800), dice.choice((40, 90, 200))
        match dice.choice(("row", "T", "wall", "heap", "hull", "pool", "base")):
            case "row":
                step = 2 * s + dice.choice((0, 1, 10, 50, 150))
                along = dice.choice(((1, 0), (0, 1)))
                bases += [(x + along[0] * n * step, y + along[1] * n * step, s) for n in range(dice.randrange(2, 7))]
            case "T":
                wall(x, y, long, thin)
                high = dice.randrange(300, 1500)
                wall(x + dice.randrange(long - thin), dice.choice((y + thin, y - high)), thin, high)
            case "wall":
                wall(x, y, long, thin)
                bases.append((x - s - dice.choice((0, 1, 30, 100)), y + thin // 2, s))
                bases += [(x + long + s, y + thin // 2, s)] * dice.randrange(2)
            case "heap":
                rows = dice.randrange(1, 3)
                bases += [(x + 2 * n * s + m * s, y + 2 * m * s, s) for n in range(4) for m in range(rows)]
            case "hull":
                heading = (dice.randrange(-9, 10), dice.randrange(1, 9))
                hulls.append(Hull(x, y, dice.randrange(200, 600), dice.randrange(100, 300), heading))
                bases.append((x + hulls[-1].length + s, y, s))
            case "pool":
                pieces.append(Terrain(f"piece {len(pieces)}", WALL, circle=(x, y, long // 3)))
                bases.append((x, y + long // 3 + s, s))
            case _:
                bases.append((x, y, s))
    priced = dice.random() < 0.35
    for _ in range(dice.randrange(1, 4) if priced else 0):
        x, y = dice.randrange(500, SIDE - 500), dice.randrange(500, SIDE - 500)
        wall(x, y, dice.randrange(300, 1500), dice.randrange(300, 1500), BOG)
    ground = TableGround(Table(SIDE, SIDE, tuple(pieces)))
    if priced:
        going = Going(factor=dice.choice((2, 3)), toll=dice.choice((0, 100)))
        ground = ground.for_mover(Passage((("bog", going),)))
    return (ground.with_solid(hulls) if hulls else ground), bases


def corners_of_all(ground: TableGround, start: Point, goal: Point, r: int, discs: Sequence[Disc]) -> list[Point]:
    """Return every place at which a base may turn around an obstacle, on the table and without overlaps."""
    points: list[Point] = []
    circles = [*discs, *[piece.circle for piece in ground.solid_pieces if not piece.polygon]]
    for x, y, s in circles:
        for p in (start, goal):
            points += tangent_points(p, (x, y), s + r)
        points += ring_around((x, y), s + r)
    for piece in ground.solid_pieces:
        for corner in piece.polygon:
            points += ring_around(corner, r)
    for slow in ground.slow_pieces:
        points += points_round(slow, start, goal)
    return [p for p in dict.fromkeys(points) if stands(ground, (*p, r), discs)]


def least_of_all(
    ground: TableGround,
    start: Point,
    goal: Point,
    r: int,
    discs: Sequence[Disc],
    arrival: Callable[[Point], Point] | None = None,
) -> int | None:
    """Return the cost of the cheapest path over all these places, by a simple search; None if there is no path."""
    nodes = [start, goal, *corners_of_all(ground, start, goal, r, discs)]
    heap = [(distance_up(start, goal), 0, 0, 0, True)]
    done: set[int] = set()
    while heap:
        _, cost, node, origin, paid = heapq.heappop(heap)
        if node in done:
            continue
        if not paid:
            a, b = nodes[origin], nodes[node]
            end = arrival(a) if arrival is not None and node == 1 else b
            if first_obstacle(ground, (a, end), r, discs) is not None:
                continue
            more = extra(a, b, ground.slow_pieces)
            if more:
                heapq.heappush(heap, (cost + more + distance_up(b, goal), cost + more, node, origin, True))
                continue
        if node == 1:
            return cost
        done.add(node)
        for other, p in enumerate(nodes):
            if other not in done:
                far = cost + distance_up(nodes[node], p)
                heapq.heappush(heap, (far + distance_up(p, goal), far, other, node, False))
    return None


def questions(seed: int, count: int) -> list[tuple[TableGround, Point, Point, int, list[Disc], random.Random]]:
    """Return starts and goals on such tables with an obstacle between them; half of them begin in contact."""
    dice = random.Random(seed)
    result: list[tuple[TableGround, Point, Point, int, list[Disc], random.Random]] = []
    while len(result) < count:
        ground, discs = crowd(dice)
        for _ in range(4):
            r = dice.choice(RADII)
            start, goal = [(dice.randrange(r, SIDE - r), dice.randrange(r, SIDE - r)) for _ in range(2)]
            if discs and dice.random() < 0.5:
                start = contact_point(dice.choice(discs), r, dice.choice(directions(16)))
            stand = all(stands(ground, (*p, r), discs) for p in (start, goal))
            if stand and (ground.slow_pieces or first_obstacle(ground, (start, goal), r, discs) is not None):
                result.append((ground, start, goal, r, discs, dice))
    return result


@pytest.mark.parametrize("seed", range(6))
def test_a_way_is_as_good_as_if_everything_were_known_from_the_start(seed: int) -> None:
    for ground, start, goal, r, discs, dice in questions(seed, 30):
        least = least_of_all(ground, start, goal, r, discs)
        path = way(ground, start, goal, r, discs)
        assert (None if path is None else spent(ground, path)) == least
        assert path is None or path_fault(ground, path, r, discs) is None
        limit = distance_up(start, goal) + dice.randrange(900)
        within = way(ground, start, goal, r, discs, limit=limit)
        assert (None if within is None else spent(ground, within)) == (
            None if least is None or least > limit else least
        )


@pytest.mark.parametrize("seed", range(4))
def test_an_approach_is_as_good_as_if_everything_were_known_from_the_start(seed: int) -> None:
    tried = 0
    for ground, start, _, r, discs, dice in questions(100 + seed, 40):
        if ground.slow_pieces or not discs:
            continue
        target = dice.choice(discs)
        rim = target[2] + r + 1
        centre = target[:2]

        def arrival(at: Point, rim: int = rim, centre: Point = centre) -> Point:
            if distance_sq(at, centre) <= (rim + 1) ** 2:
                return at
            return point_along(centre, (at[0] - centre[0], at[1] - centre[1]), rim)

        search = WaySearch(ground, start, centre, r, discs, rim=rim)
        result = search.find()
        assert (search.least if result else None) == least_of_all(ground, start, centre, r, discs, arrival)
        others = [disc for disc in discs if disc != target]
        for path in approaches(ground, start, r, target, others):
            tried += 1
            assert path_fault(ground, path, r, [*others, target]) is None
            if result:
                assert path_length(path) <= path_length(result[0]) + 2, "other places in contact can only be nearer"
    assert tried >= 10


@pytest.mark.parametrize("seed", range(2))
def test_a_hull_drives_legally_through_a_crowd(seed: int) -> None:
    driven = 0
    for ground, start, goal, _, discs, dice in questions(200 + seed, 30):
        hull = Hull(*start, dice.randrange(150, 400), dice.randrange(100, 150), dice.choice(directions(16)))
        legs = drive(ground, hull, goal, discs)
        if legs:
            driven += 1
            assert drive_fault(ground, hull, legs, discs) is None
    assert driven >= 5


# --- the smallest tables ----------------------------------------------------------------------------------------------

OPEN = TableGround(Table(SIDE, SIDE))


def round_end(start: Point, goal: Point, centre: Point, reach: int) -> float:
    """Return the length of the path around a circle by hand: two tangents and an arc on the outer side."""
    a, b = math.dist(start, centre), math.dist(goal, centre)
    facing = math.atan2(start[1] - centre[1], start[0] - centre[0]) - math.atan2(
        goal[1] - centre[1], goal[0] - centre[0]
    )
    turned = 2 * math.pi - abs((facing + math.pi) % (2 * math.pi) - math.pi)
    arc = turned - math.acos(reach / a) - math.acos(reach / b)
    return math.sqrt(a * a - reach * reach) + math.sqrt(b * b - reach * reach) + reach * arc


@pytest.mark.parametrize("gap", [0, 1, 10, 100])
def test_behind_three_bases_side_by_side_one_goes_round_the_end(gap: int) -> None:
    row = [(2500 + n * (300 + gap), 2500, 150) for n in (-1, 0, 1)]
    start, goal = (2500, 2200), (2500, 3000)
    path = way(OPEN, start, goal, 150, row)
    assert path is not None
    assert path_fault(OPEN, path, 150, row) is None
    by_hand = round_end(start, goal, row[2][:2], 300)
    assert by_hand - 1 <= path_length(path) <= 1.02 * by_hand + 5


def test_where_two_walls_touch_in_a_t_one_goes_round_its_end() -> None:
    # The stem begins at the table's edge, so the path goes around the bar.
    ground = TableGround(Table(SIDE, SIDE, (box("bar", 1500, 2500, 2000, 100), box("stem", 2400, 0, 200, 2500))))
    start, goal = (2200, 2300), (2800, 2300)
    path = way(ground, start, goal, 150, ())
    assert path is not None
    assert path_fault(ground, path, 150, ()) is None
    # The path goes around the two corners of the nearer end, along the far side of the bar, and around the two other
    # corners.
    along = math.hypot(3500 - 2800, 50) + math.hypot(2200 - 1500, 50) + 100 * 2 + 2000 + 4 * 150 * math.pi / 2
    assert 0.97 * along <= path_length(path) <= 1.02 * along


def test_a_base_at_the_near_end_of_a_wall_sends_nobody_round_the_far_end() -> None:
    ground = TableGround(Table(SIDE, SIDE, (box("wall", 1500, 2500, 2500, 100),)))
    at_its_end = [(1350, 2550, 150)]
    start, goal = (1700, 2200), (1700, 2900)
    path = way(ground, start, goal, 150, at_its_end)
    assert path is not None
    assert path_fault(ground, path, 150, at_its_end) is None
    by_hand = round_end(start, goal, (1350, 2550), 300)
    assert by_hand - 1 <= path_length(path) <= 1.02 * by_hand + 5
    assert max(x for x, _ in path) <= 1700, "round the near end"


def test_a_place_shut_in_by_bases_that_touch_has_no_way_out() -> None:
    ring = [(2500 + round(600 * x / 2**20), 2500 + round(600 * y / 2**20), 150) for x, y in directions(16)]
    assert way(OPEN, (2500, 2500), (4500, 2500), 150, ring) is None
    assert way(OPEN, (2500, 2500), (4500, 2500), 150, ring[1:-1]) is not None


# --- where a leg of a path is stopped
# -------------------------------------------------------------------------------------------


def enters_circle(a: Point, b: Point, centre: Point, reach: int) -> float:
    """Return the part of a leg, from 0 to 1, after which it enters a circle; infinite if it never does.

    The leg begins outside the circle.
    """
    length = math.dist(a, b)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    along = (centre[0] - a[0]) * ux + (centre[1] - a[1]) * uy
    # Grazing is decided in whole numbers.
    square = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    across = (b[0] - a[0]) * (centre[1] - a[1]) - (b[1] - a[1]) * (centre[0] - a[0])
    under = reach * reach * square - across * across
    if under <= 0 or along <= 0:
        return math.inf
    at = along - math.sqrt(under / square)
    return at if at < length - 1e-9 else math.inf


def enters_box(a: Point, b: Point, edges: tuple[int, int, int, int]) -> float:
    """Return the fraction of a leg at which it enters the inside of a box."""
    length = math.dist(a, b)
    first, last = 0.0, length
    for axis in (0, 1):
        low, high, at = edges[axis], edges[axis + 2], a[axis]
        step = (b[axis] - at) / length
        if step == 0:
            if not low < at < high:
                return math.inf
            continue
        ends = sorted(((low - at) / step, (high - at) / step))
        first, last = max(first, ends[0]), min(last, ends[1])
    return first if first < last - 1e-9 else math.inf


def enters_wall(a: Point, b: Point, wall: Terrain, r: int) -> float:
    """Return the fraction of a leg at which a base enters a wall that is a box."""
    (x0, y0), (x1, y1) = wall.polygon[0], wall.polygon[2]
    result = [enters_box(a, b, (x0 - r, y0, x1 + r, y1)), enters_box(a, b, (x0, y0 - r, x1, y1 + r))]
    return min(*result, *[enters_circle(a, b, corner, r) for corner in wall.polygon])


@pytest.mark.parametrize("seed", range(5))
def test_a_leg_is_stopped_where_it_runs_into_something_and_by_that(seed: int) -> None:
    """Legs graze many things on round numbers. A thing that is only touched never stops a leg."""
    dice = random.Random(seed)
    stopped = grazing = 0
    for _ in range(1500):
        grain = dice.choice((1, 50, 100))
        a, b = [(dice.randrange(300, 4700) // grain * grain, dice.randrange(300, 4700) // grain * grain) for _ in "ab"]
        if a == b:
            continue
        r = dice.choice((50, 100, 150))
        walls, bases = [], []
        for number in range(dice.randrange(1, 4)):
            x, y, wide, high = [dice.randrange(100, 4000) // 50 * 50 for _ in "xy"] + [dice.randrange(1, 9) * 100] * 2
            walls.append(box(f"wall {number}", x, y, wide, high))
        for _ in range(dice.randrange(1, 6)):
            s = dice.choice((100, 125, 150))
            # Some things are placed so that the leg just touches them.
            t, side = dice.random(), dice.choice((-1, 1))
            along = (round(a[0] + (b[0] - a[0]) * t), round(a[1] + (b[1] - a[1]) * t))
            aside = point_along(along, (side * (a[1] - b[1]), side * (b[0] - a[0])), r + s)
            bases.append((*dice.choice((along, aside, aside)), s))
        ground = TableGround(Table(SIDE, SIDE, tuple(walls)))
        if not stands(ground, (*a, r), bases):
            continue
        met = {wall.id: enters_wall(a, b, wall, r) for wall in walls}
        hit = {n: enters_circle(a, b, (x, y), r + s) for n, (x, y, s) in enumerate(bases)}
        first = min(*met.values(), *hit.values())
        fault = path_fault(ground, (a, b), r, bases)
        if fault is None:
            assert first == math.inf
            continue
        stopped += 1
        assert fault.kind in ("terrain", "disc")
        own = met[fault.terrain] if fault.terrain is not None else hit[fault.disc or 0]
        assert own <= first + 0.1
        assert path_fault(ground, (a, fault.stop), r, bases) is None
        short = first - math.dist(a, fault.stop)
        assert short > -1.5
        # A base that touches several things on its path can stand at few grid places between them.
        grazing += short > 2
    assert stopped > 500
    assert grazing < stopped // 20


def test_a_leg_along_a_slanted_wall_is_stopped_by_what_stands_at_its_end() -> None:
    slanted = Terrain("slanted", WALL, ((1000, 1000), (4000, 2000), (4000, 900)))
    ground = TableGround(Table(SIDE, SIDE, (slanted,)))
    # The base slides along the wall: its centre is barely farther from the wall than its radius.
    a, b = (1000, 1106), (3400, 1906)
    assert path_fault(ground, (a, b), 100, ()) is None
    fault = path_fault(ground, (a, b), 100, [(3400, 1906, 100)])
    assert fault is not None
    assert (fault.kind, fault.terrain, fault.disc) == ("disc", None, 0)
    assert 198 <= math.dist(fault.stop, (3400, 1906)) <= 204
