"""Segments, polygons and swept discs, compared with exact fractions and with shapely."""

from __future__ import annotations

from fractions import Fraction

import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from caltrop.geometry import (
    crosses_polygon,
    disc_overlaps_polygon,
    in_polygon,
    on_segment,
    polygon_side,
    segment_enters,
    segment_within,
    segments_cross,
    segments_meet,
    sweep_overlaps_disc,
    sweep_overlaps_polygon,
    turn,
    twice_area,
)
from tests.tiers import examples

Point = tuple[int, int]

small = st.integers(0, 10)
near_points = st.tuples(small, small)
far = st.integers(0, 12_000)
far_points = st.tuples(far, far)


@st.composite
def rings(draw: st.DrawFn, points: st.SearchStrategy[Point]) -> tuple[Point, ...]:
    ring = draw(st.lists(points, min_size=3, max_size=7, unique=True))
    shape = shapely.Polygon(ring)
    assume(shape.is_valid and shape.area > 0)
    return tuple(ring)


def fraction_distance_sq(p: Point, a: Point, b: Point) -> Fraction:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = Fraction(0) if square == 0 else Fraction((p[0] - a[0]) * dx + (p[1] - a[1]) * dy, square)
    t = min(max(t, Fraction(0)), Fraction(1))
    return (a[0] + t * dx - p[0]) ** 2 + (a[1] + t * dy - p[1]) ** 2


@given(near_points, near_points, near_points)
def test_a_point_lies_on_a_segment_when_it_is_no_distance_from_it(p: Point, a: Point, b: Point) -> None:
    assert on_segment(p, a, b) == (fraction_distance_sq(p, a, b) == 0)


@given(near_points, near_points, near_points, near_points)
def test_segments_meet_and_cross_as_shapely_has_it(a: Point, b: Point, c: Point, d: Point) -> None:
    assume(a != b and c != d)
    first, second = shapely.LineString([a, b]), shapely.LineString([c, d])
    assert segments_meet(a, b, c, d) == first.intersects(second)
    assert segments_cross(a, b, c, d) == first.crosses(second)
    assert segments_meet(a, b, c, d) == segments_meet(d, c, a, b)


@given(near_points, near_points, near_points)
def test_a_segment_without_length_meets_as_a_point(p: Point, a: Point, b: Point) -> None:
    assert segments_meet(p, p, a, b) == on_segment(p, a, b)
    assert not segments_cross(p, p, a, b)


@given(near_points, rings(near_points))
def test_a_point_lies_in_a_polygon_as_shapely_has_it(p: Point, ring: tuple[Point, ...]) -> None:
    shape, point = shapely.Polygon(ring), shapely.Point(p)
    assert in_polygon(p, ring) == shape.covers(point)
    assert (polygon_side(p, ring) > 0) == shape.contains(point)
    assert polygon_side(p, ring) == polygon_side(p, ring[::-1])


@given(near_points, rings(near_points), st.integers(1, 1 << 70))
def test_which_side_a_point_is_on_does_not_hang_on_the_scale(p: Point, ring: tuple[Point, ...], scale: int) -> None:
    """Coordinates are scaled up to compare exactly, beyond the range of machine integers."""
    wide = tuple([(x * scale, y * scale) for x, y in ring])
    assert polygon_side((p[0] * scale, p[1] * scale), wide) == polygon_side(p, ring)


@settings(max_examples=examples(600))
@given(near_points, near_points, rings(near_points))
def test_a_segment_crosses_a_polygon_as_shapely_has_it(a: Point, b: Point, ring: tuple[Point, ...]) -> None:
    shape = shapely.Polygon(ring)
    if a == b:
        expected = shape.contains(shapely.Point(a))
    else:
        expected = shapely.LineString([a, b]).relate_pattern(shape, "T********")
    assert crosses_polygon(a, b, ring) == expected
    assert crosses_polygon(b, a, ring) == expected
    assert crosses_polygon(a, b, ring[::-1]) == expected


@given(far_points, far_points, far_points, st.integers(0, 4000))
def test_a_segment_comes_near_a_point_as_fractions_have_it(a: Point, b: Point, p: Point, reach: int) -> None:
    square = fraction_distance_sq(p, a, b)
    assert segment_within(a, b, p, reach) == (square <= reach * reach)
    assert segment_enters(a, b, p, reach) == (square < reach * reach)


@given(near_points, near_points, near_points, st.integers(0, 5), st.integers(0, 5))
def test_a_swept_disc_may_graze_another(a: Point, b: Point, p: Point, r: int, s: int) -> None:
    assert sweep_overlaps_disc(a, b, r, (*p, s)) == (fraction_distance_sq(p, a, b) < (r + s) ** 2)


def test_a_swept_disc_passes_a_disc_at_exactly_both_radii() -> None:
    assert not sweep_overlaps_disc((0, 0), (1000, 0), 100, (500, 250, 150))
    assert sweep_overlaps_disc((0, 0), (1000, 0), 100, (500, 249, 150))
    assert not sweep_overlaps_disc((0, 0), (250, 0), 100, (500, 0, 150))
    assert sweep_overlaps_disc((0, 0), (251, 0), 100, (500, 0, 150))


def exact_sweep(a: Point, b: Point, r: int, ring: tuple[Point, ...]) -> bool:
    """Return whether a swept disc overlaps a polygon, by the least squared distance in fractions."""
    if r == 0:
        return crosses_polygon(a, b, ring)
    shape = shapely.Polygon(ring)
    if shape.intersects(shapely.LineString([a, b]) if a != b else shapely.Point(a)):
        return True
    edges = list(zip(ring, (*ring[1:], ring[0]), strict=True))
    least = min(  # noqa: PLW3301
        min(fraction_distance_sq(p, a, b) for p in ring),
        min(fraction_distance_sq(p, c, d) for p in (a, b) for c, d in edges),
    )
    return least < r * r


@settings(max_examples=examples(400))
@given(near_points, near_points, st.integers(0, 5), rings(near_points))
def test_a_swept_disc_meets_a_polygon_as_fractions_have_it(a: Point, b: Point, r: int, ring: tuple[Point, ...]) -> None:
    assert sweep_overlaps_polygon(a, b, r, ring) == exact_sweep(a, b, r, ring)
    assert sweep_overlaps_polygon(b, a, r, ring) == exact_sweep(a, b, r, ring)


@given(far_points, far_points, st.integers(1, 300), rings(far_points))
def test_a_swept_disc_meets_a_polygon_as_shapely_has_it(a: Point, b: Point, r: int, ring: tuple[Point, ...]) -> None:
    distance = shapely.Polygon(ring).distance(shapely.LineString([a, b]) if a != b else shapely.Point(a))
    assume(abs(distance - r) > 1e-6)
    assert sweep_overlaps_polygon(a, b, r, ring) == (distance < r)
    end = shapely.Polygon(ring).distance(shapely.Point(a))
    assume(abs(end - r) > 1e-6)
    assert disc_overlaps_polygon((*a, r), ring) == (end < r)


def test_a_disc_may_slide_along_a_wall() -> None:
    wall = ((0, 0), (1000, 0), (1000, 100), (0, 100))
    assert not sweep_overlaps_polygon((-500, 200), (1500, 200), 100, wall)
    assert sweep_overlaps_polygon((-500, 199), (1500, 199), 100, wall)
    assert not disc_overlaps_polygon((1060, 180, 100), wall)  # The corner is at exactly 60, 80.
    assert disc_overlaps_polygon((1059, 180, 100), wall)


def test_a_line_may_run_along_a_wall_and_through_a_corner() -> None:
    notch = ((0, 0), (100, 0), (100, 100), (50, 50), (0, 100))
    assert not crosses_polygon((-50, 0), (150, 0), notch)
    assert not crosses_polygon((-50, 100), (150, 100), notch)
    assert not crosses_polygon((50, 50), (50, 200), notch)
    assert crosses_polygon((50, 50), (50, 0), notch)
    assert crosses_polygon((0, 0), (100, 100), notch)
    assert crosses_polygon((-50, 60), (150, 60), notch)


@given(rings(near_points))
def test_an_area_is_the_same_the_other_way_round_but_for_its_sign(ring: tuple[Point, ...]) -> None:
    assert twice_area(ring) == -twice_area(ring[::-1])
    assert abs(twice_area(ring)) == 2 * shapely.Polygon(ring).area


@given(far_points, far_points, far_points)
def test_a_turn_is_the_same_from_each_corner(a: Point, b: Point, c: Point) -> None:
    assert turn(a, b, c) == turn(b, c, a) == -turn(b, a, c)
