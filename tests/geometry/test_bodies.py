"""Bodies: distances, overlaps, quarters, and areas swept by moves and turns, compared with shapely."""

from __future__ import annotations

import math
from typing import Any

import pytest
import shapely
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from shapely import affinity

from caltrop.geometry import (
    Body,
    Disc,
    Form,
    Hull,
    Point,
    Polygon,
    body_inside,
    convex,
    corner_quarters_of,
    covers,
    form_box,
    form_of,
    gap_between,
    gap_up,
    gap_within,
    heading_of,
    in_arc,
    in_front_of,
    in_touch,
    near_to,
    overlap,
    overlapping,
    placed,
    polygons_overlap,
    quarter_of,
    quarters_of,
    sweep_overlaps,
    sweep_overlaps_ring,
    swept,
    turn_sweeps,
    turn_sweeps_ring,
    turned_left,
)
from tests.tiers import examples

numbers = st.integers(-1500, 1500)
points = st.tuples(numbers, numbers)
headings = points.filter(lambda p: p != (0, 0))
discs: st.SearchStrategy[Disc] = st.tuples(numbers, numbers, st.integers(1, 400))
hulls = st.builds(Hull, numbers, numbers, st.integers(20, 600), st.integers(20, 400), headings)
bodies = st.one_of(discs, hulls)
NOTCHED = ((0, 0), (900, 0), (900, 700), (450, 200), (0, 700))
rings: st.SearchStrategy[Polygon] = st.builds(
    lambda ring, at: tuple((x + at[0], y + at[1]) for x, y in ring),
    st.sampled_from([NOTCHED, ((0, 0), (800, 30), (200, 500)), ((0, 0), (1200, 0), (1200, 60), (0, 60))]),
    points,
)


def drawn(form: Form) -> Any:
    corners, r = form_of(form)
    core = shapely.Polygon(corners) if len(corners) > 2 else shapely.Point(corners[0])
    return core.buffer(r, quad_segs=32) if r else core


@given(hulls)
def test_a_hull_is_its_rectangle_to_the_grid(hull: Hull) -> None:
    angle = math.atan2(hull.heading[1], hull.heading[0])
    for (x, y), (a, b) in zip(hull.corners, ((1, -1), (1, 1), (-1, 1), (-1, -1)), strict=True):
        far, wide = a * hull.length, b * hull.width
        assert (
            math.hypot(
                x - hull.x - far * math.cos(angle) + wide * math.sin(angle),
                y - hull.y - far * math.sin(angle) - wide * math.cos(angle),
            )
            < 0.72
        )
    assert hull.turned((-hull.heading[0], -hull.heading[1])).corners == hull.corners[2:] + hull.corners[:2]
    assert hull.turned((3 * hull.heading[0], 3 * hull.heading[1])).corners == hull.corners
    assert hull.moved((7, -9)).moved(hull.at) == hull


@given(bodies, bodies)
@settings(max_examples=examples(60), deadline=None)
def test_gaps_are_those_between_the_figures(a: Form, b: Form) -> None:
    true = drawn(a).distance(drawn(b))
    gap = gap_between(a, b)
    assert gap == gap_between(b, a)
    if true > 0.5:
        assert true - 0.2 <= gap <= true + 1.2
    else:
        assert gap <= 2
    for limit in (max(gap - 1, 0), max(gap, 0), max(gap, 0) + 1):
        assert near_to(a, b, limit) == near_to(b, a, limit) == (gap <= limit)
    assert in_touch(a, b) == (gap <= 2)


@given(discs, discs, st.integers(0, 900))
def test_of_discs_everything_is_as_it_was(a: Disc, b: Disc, limit: int) -> None:
    assert gap_between(a, b) == gap_up(a, b)
    assert near_to(a, b, limit) == gap_within(a, b, limit)
    assert overlap(a, b) == overlapping(a, b)


@given(bodies, bodies)
@example(Hull(0, 0, 300, 150), Hull(0, 0, 300, 150))
@example(Hull(0, 0, 300, 150), Hull(300, 0, 300, 150))
@example(Hull(0, 0, 300, 300, (1, 0)), Hull(0, 0, 300, 300, (0, 1)))
@example((0, 0, 10), Hull(0, 0, 300, 150))
def test_overlaps_are_those_of_the_figures(a: Form, b: Form) -> None:
    shared = drawn(a).intersection(drawn(b)).area
    assert overlap(a, b) == overlap(b, a)
    if shared > 30:
        assert overlap(a, b)
    elif drawn(a).distance(drawn(b)) > 0.1:
        assert not overlap(a, b)
    if overlap(a, b):
        assert gap_between(a, b) <= 0


@given(hulls, rings)
def test_hulls_overlap_terrain_of_any_shape(hull: Hull, ring: Polygon) -> None:
    assert polygons_overlap(hull.corners, ring) == (drawn(hull).intersection(shapely.Polygon(ring)).area > 1e-6)


@given(bodies, points, bodies, rings)
@settings(max_examples=examples(60), deadline=None)
def test_what_a_straight_move_sweeps(body: Body, to: Point, other: Form, ring: Polygon) -> None:
    corners, r = swept(body, to)
    figure = shapely.MultiPoint(corners).convex_hull.buffer(r, quad_segs=32)
    moved = placed(body, to)
    both = shapely.union(drawn(body), drawn(moved))
    # The arcs of the largest base are drawn as chords, which deviate by at most a tenth of a step.
    assert figure.buffer(0.2).covers(both)
    assert figure.buffer(-0.5).difference(both.convex_hull).area < 1
    meets = figure.intersection(drawn(other)).area
    if meets > 30 or figure.distance(drawn(other)) > 0.1:
        assert sweep_overlaps(body, to, other) == (meets > 30)
    meets = figure.intersection(shapely.Polygon(ring)).area
    if meets > 30 or figure.distance(shapely.Polygon(ring)) > 0.1:
        assert sweep_overlaps_ring(body, to, ring) == (meets > 30)
    assert sweep_overlaps(body, (body[0], body[1]), other) == overlap(body, other)


def turning(hull: Hull, heading: Point) -> Any:
    """Return the area that a turn covers, as the union of sixty rectangles."""
    one = math.atan2(hull.heading[1], hull.heading[0])
    by = (math.atan2(heading[1], heading[0]) - one) % (2 * math.pi)
    if not turned_left(hull.heading, heading):
        by -= 2 * math.pi if by else 0
    box = shapely.box(-hull.length, -hull.width, hull.length, hull.width)
    steps = [affinity.rotate(box, one + by * n / 60, (0, 0), use_radians=True) for n in range(61)]
    return affinity.translate(shapely.union_all(steps), hull.x, hull.y)


@given(hulls, headings, bodies, rings)
@settings(max_examples=examples(40), deadline=None)
def test_what_a_turn_on_the_spot_sweeps(hull: Hull, heading: Point, other: Form, ring: Polygon) -> None:
    assume(heading_of(heading) != heading_of(hull.heading))
    figure = turning(hull, heading)
    for result, shape in (
        (turn_sweeps(hull, heading, other), drawn(other)),
        (turn_sweeps_ring(hull, heading, ring), shapely.Polygon(ring)),
    ):
        if figure.buffer(-4).intersects(shape):
            assert result
        elif figure.buffer(4).disjoint(shape):
            assert not result


def test_a_turn_passes_what_neither_end_touches() -> None:
    tank, post = Hull(0, 0, 381, 190, (0, 1)), (300, 300, 20)
    assert not overlap(tank, post)
    assert not overlap(tank.turned((1, 0)), post)
    assert turn_sweeps(tank, (1, 0), post)
    assert not turn_sweeps(tank, (-1, 0), post)
    assert not turn_sweeps(tank, (1, 0), (500, 0, 20))
    wall = ((-100, 385), (100, 385), (100, 395), (-100, 395))
    assert turn_sweeps_ring(tank, (1, 0), wall), "a corner runs into the wall's side"
    assert turn_sweeps(tank, (1, 0), wall)


@given(hulls, points)
def test_a_place_is_in_the_quarter_to_which_it_lies(hull: Hull, place: Point) -> None:
    assume(place != hull.at)
    angle = math.atan2(place[1] - hull.y, place[0] - hull.x) - math.atan2(hull.heading[1], hull.heading[0])
    degrees = math.degrees(angle) % 360
    name = ("front", "left", "rear", "right")[int((degrees + 45) % 360 // 90)]
    assume(abs((degrees - 45) % 90) > 1e-6 and abs((degrees - 45) % 90 - 90) > 1e-6)
    assert quarters_of(hull, place) == (name,)
    assert quarter_of(hull, place) == name


def test_on_a_line_there_are_two_quarters() -> None:
    hull = Hull(0, 0, 381, 190, (0, 1))
    assert [quarters_of(hull, p) for p in ((5, 5), (-5, 5), (-5, -5), (5, -5))] == [
        ("front", "right"),
        ("front", "left"),
        ("left", "rear"),
        ("right", "rear"),
    ]
    assert len(quarters_of(hull, (0, 0))) == 4
    assert quarters_of(hull, (190, 300)) == ("front",)
    assert corner_quarters_of(hull, (190, 381)) == ("front", "right")
    assert corner_quarters_of(hull, (190, 300)) == ("right",)


@given(points, headings, points, st.sampled_from([(2, 1), (1, 1), (0, 1), (-1, 1), (-7, 2)]))
def test_an_arc_holds_what_lies_within_its_angle(apex: Point, heading: Point, place: Point, half: Point) -> None:
    assume(place != apex)
    angle = math.atan2(place[1] - apex[1], place[0] - apex[0]) - math.atan2(heading[1], heading[0])
    aside = abs((angle + math.pi) % (2 * math.pi) - math.pi)
    widest = math.atan2(half[1], half[0])
    if abs(aside - widest) > 1e-9:
        assert in_arc(apex, heading, place, half) == (aside < widest)


@given(bodies)
def test_a_body_lies_in_its_box_and_in_no_smaller_one(body: Form) -> None:
    left, low, right, high = form_box(body)
    assert body_inside(body, (left, low, right, high))
    assert not body_inside(body, (left + 1, low, right, high))
    assert not body_inside(body, (left, low, right, high - 1))


@given(hulls, points)
def test_a_hull_covers_the_points_in_it(hull: Hull, point: Point) -> None:
    assert covers(hull, point) == shapely.Polygon(hull.corners).intersects(shapely.Point(point))


@given(st.lists(points, min_size=3, max_size=9))
def test_the_convex_polygon_is_shapelys(given_points: list[Point]) -> None:
    result = convex(given_points)
    assume(len(result) > 2)
    assert shapely.Polygon(result).equals(shapely.MultiPoint(given_points).convex_hull)


def test_headings_are_made_short_and_none_is_refused() -> None:
    assert heading_of((0, -700)) == (0, -1)
    with pytest.raises(ValueError, match="not a heading"):
        heading_of((0, 0))
    assert in_front_of(Hull(0, 0, 300, 150, (3, 4)), 500) == (300, 400)
