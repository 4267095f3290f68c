"""Round terrain acts like a base of its size, and agrees with shapely's circles."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.geometry import Disc, Point, distance_up, path_length
from caltrop.table.measured import (
    Table,
    TableGround,
    Terrain,
    TerrainKind,
    explain_line,
    length_in,
    look,
    open_line,
    path_fault,
    place_fault,
    stands,
    surroundings,
    terrain_along,
    way,
)
from tests.table.measured.scenes import KINDS, NINE, SIZE, coordinates, discs, radii
from tests.tiers import examples

points = st.tuples(coordinates, coordinates)
circles = st.tuples(coordinates, coordinates, st.integers(1, 1500))
kinds = st.sampled_from([KINDS["building"], TerrainKind("smoke", obscures=True, cover=True)])


def round_ground(*circles: Disc, kind: TerrainKind = KINDS["building"]) -> TableGround:
    return TableGround(Table(SIZE, SIZE, tuple(Terrain(f"c{i}", kind, circle=c) for i, c in enumerate(circles))))


EMPTY = TableGround(Table(SIZE, SIZE))


@given(st.lists(points, min_size=1, max_size=4), radii, st.lists(circles, max_size=3))
def test_a_path_is_stopped_by_a_circle_as_by_a_base(path: list[Point], r: int, discs: list[Disc]) -> None:
    ground = round_ground(*discs)
    by_terrain, by_base = path_fault(ground, path, r, ()), path_fault(EMPTY, path, r, discs)
    assert (by_terrain is None) == (by_base is None)
    if by_terrain is not None and by_base is not None:
        assert by_terrain.stop == by_base.stop
        assert by_terrain.segment == by_base.segment
        assert by_terrain.kind == ("table" if by_base.kind == "table" else "terrain")
    base = (*path[0], r)
    assert stands(ground, base, ()) == stands(EMPTY, base, discs) == (place_fault(ground, base, ()) is None)


@given(points, points, radii, st.lists(circles, min_size=1, max_size=3))
@settings(max_examples=examples(60), deadline=None)
def test_the_way_round_circles_is_that_round_bases(a: Point, b: Point, r: int, discs: list[Disc]) -> None:
    assert way(round_ground(*discs), a, b, r, ()) == way(EMPTY, a, b, r, discs)


@given(circles, st.integers(0, 359), st.integers(0, 3000))
@settings(deadline=None)
def test_the_way_past_a_circle_is_hardly_longer_than_the_shortest(c: Disc, degrees: int, beyond: int) -> None:
    x, y, s = c[0] // 4 + 2000, c[1] // 4 + 2000, c[2] // 3 + 50
    reach, angle = s + 102 + beyond // 4, math.radians(degrees)
    dx, dy = round(reach * math.cos(angle)), round(reach * math.sin(angle))
    result = way(round_ground((x, y, s)), (x + dx, y + dy), (x - dx, y - dy), 100, ())
    assert result is not None
    far, near = math.hypot(dx, dy), s + 100
    shortest = 2 * (math.sqrt(far * far - near * near) + near * (math.pi / 2 - math.acos(near / far)))
    assert shortest - 2 <= path_length(result) <= 1.03 * shortest + 8


@given(discs, discs, circles, kinds)
def test_lines_of_sight_meet_the_circle_itself(a: Disc, b: Disc, c: Disc, kind: TerrainKind) -> None:
    ground = round_ground(c, kind=kind)
    inside = [math.hypot(p[0] - c[0], p[1] - c[1]) <= c[2] for p in (a, b)]
    assert [ground.terrain_at((p[0], p[1])) == ("c0",) for p in (a, b)] == inside
    seen, by_base = look(ground, NINE, a, b, ()), look(EMPTY, NINE, a, b, [c])
    assert seen.crossed_lines == (0 if any(inside) else by_base.crossed_lines)
    assert seen.cut_lines == (seen.crossed_lines if kind.blocks_sight else 0)


@given(discs, discs, circles)
def test_an_open_line_keeps_clear_of_the_circle(a: Disc, b: Disc, c: Disc) -> None:
    ground = round_ground(c)
    result = explain_line(ground, a, b)
    assert open_line(ground, a, b) == (result.terrain is None)
    line = shapely.LineString((result.start, result.end)) if result.start != result.end else shapely.Point(result.start)
    away = line.distance(shapely.Point(c[:2]))
    assert away >= c[2] - 1e-6 if result.terrain is None else away < c[2]


@given(points, points, st.lists(circles, min_size=1, max_size=3))
@settings(deadline=None)
def test_the_length_in_circles_is_that_of_their_chords(a: Point, b: Point, discs: list[Disc]) -> None:
    pieces = round_ground(*discs).pieces
    area = shapely.union_all([shapely.Point(x, y).buffer(r, quad_segs=256) for x, y, r in discs])
    inside = shapely.LineString((a, b)).intersection(area).length if a != b else 0.0
    assert inside - 0.5 <= length_in(a, b, pieces) <= inside + 2.5
    assert length_in(a, b, pieces) == length_in(b, a, pieces)


@given(st.lists(points, min_size=2, max_size=4), radii, circles)
def test_a_path_touches_a_circle_where_it_comes_nearer_than_its_rim(path: list[Point], r: int, c: Disc) -> None:
    touched = terrain_along(round_ground(c), path, r) == ("c0",)
    near = min(
        shapely.Point(c[:2]).distance(shapely.LineString(leg) if leg[0] != leg[1] else shapely.Point(leg[0]))
        for leg in pairwise(path)
    )
    if abs(near - c[2] - r) > 1e-6:
        assert touched == (near < c[2] + r)


def test_what_is_around_a_base_tells_circles_as_such() -> None:
    ground = round_ground((3000, 3000, 500))
    around = surroundings(ground, (2000, 3000), 100, 1000, ())
    assert around.solid == (("c0", (3000, 3000, 500)),)
    assert around.corners
    assert all(distance_up(p, (3000, 3000)) >= 600 for p in around.corners)


def test_a_circle_is_drawn_by_corners_that_lie_on_it() -> None:
    outline = Terrain("pool", KINDS["rough"], circle=(1000, 2000, 700)).outline
    assert len(outline) == 64
    assert all(abs(math.hypot(x - 1000, y - 2000) - 700) < 1 for x, y in outline)


@pytest.mark.parametrize(
    ("polygon", "circle", "message"),
    [
        (((0, 0), (10, 0), (0, 10)), (5, 5, 5), "polygon or a circle, not both"),
        ((), (5, 5, 0), "a radius above 0; this one has 0"),
        ((), None, "three corners or more"),
    ],
)
def test_what_is_neither_a_polygon_nor_a_circle_is_refused(
    polygon: tuple[Point, ...], circle: Disc | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Terrain("piece", KINDS["rough"], polygon, circle)
