"""Templates, scatter by the clock, and entry over an edge."""

from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from caltrop.geometry import INCH, Body, Hull, Point, Polygon, body_inside, form_of
from caltrop.table.measured import (
    centres_under,
    clock,
    cone,
    direction_of,
    entry,
    left_over,
    over_edge,
    scattered,
    strip,
    strip_through,
    under,
)
from tests.tiers import examples

numbers = st.integers(-2000, 2000)
points = st.tuples(numbers, numbers)
headings = points.filter(lambda p: p != (0, 0))
bodies: st.SearchStrategy[Body] = st.one_of(
    st.tuples(numbers, numbers, st.integers(10, 300)),
    st.builds(Hull, numbers, numbers, st.integers(50, 400), st.integers(20, 200), headings),
)
TABLE = (0, 0, 48 * INCH, 48 * INCH)


@given(st.integers(1, 12), st.integers(0, 20_000), points)
def test_scatter_is_the_nearest_grid_point(hour: int, distance: int, place: Point) -> None:
    x, y = scattered(place, hour, distance)
    angle = math.radians(90 - 30 * hour)
    assert abs(x - place[0] - distance * math.cos(angle)) <= 0.5 + 1e-6
    assert abs(y - place[1] - distance * math.sin(angle)) <= 0.5 + 1e-6
    back = scattered(place, (hour + 5) % 12 + 1, distance)
    assert (back[0] + x, back[1] + y) == (2 * place[0], 2 * place[1]), "the opposite hour is the mirror image"


def test_the_clock_has_twelve_hours() -> None:
    aim = (24 * INCH, 24 * INCH)
    assert scattered(aim, 3, 7 * INCH) == (31 * INCH, 24 * INCH)
    assert scattered(aim, 9, 4 * INCH) == (20 * INCH, 24 * INCH)
    assert [direction_of(h) for h in (3, 6, 9, 12)] == [(1, 0), (0, -1), (-1, 0), (0, 1)]
    for hour in (0, 13):
        with pytest.raises(ValueError, match="hours 1 to 12"):
            clock(hour)


@given(points, headings, st.integers(200, 3000), st.integers(100, 1500), st.lists(bodies, max_size=5))
@settings(max_examples=examples(60), deadline=None)
def test_who_is_under_a_template(start: Point, direction: Point, length: int, width: int, result: list[Body]) -> None:
    for template in (
        strip(start, direction, length, width),
        strip_through(start, direction, length, width),
        cone(start, direction, length, width),
    ):
        figure = shapely.Polygon(template)
        area = length * width / (2 if len(template) == 3 else 1)
        assert abs(figure.area - area) <= 4 * (length + width)
        hit, touched = under(template, result), under(template, result, touched=True)
        assert set(hit) <= set(touched)
        assert set(centres_under(template, result)) <= set(touched)
        for index, body in enumerate(result):
            corners, r = form_of(body)
            core = shapely.MultiPoint(corners).convex_hull
            gap = figure.distance(core) - r
            if abs(gap) > 1e-6:
                assert (index in touched) == (gap < 0)
                assert (index in hit) == (gap < 0) or not r
            inside = figure.intersects(shapely.Point(body[0], body[1]))
            assert (index in centres_under(template, result)) == inside


def test_a_strip_begins_where_it_is_laid_and_a_cone_widens() -> None:
    line = strip((0, 0), (0, 1), 18 * INCH, 2 * INCH)
    assert under(line, [(0, -76, 76), (254 + 76, 500, 76), (0, 18 * INCH, 76)]) == (2,)
    assert under(line, [(0, -76, 76), (254 + 76, 500, 76), (0, 18 * INCH, 76)], touched=True) == (0, 1, 2)
    flame = cone((0, 0), (0, 1), 600, 300)
    assert under(flame, [(120, 300, 40), (120, 550, 40)]) == (1,)


def test_nearer_than_the_rim_is_under_a_blast_and_no_farther() -> None:
    blast, tank = (0, 0, 1270), Hull(1270 + 381, 0, 381, 190, (1, 0))
    assert under(blast, [tank, tank.moved((1650, 0))]) == (1,)
    assert under(blast, [tank, tank.moved((1652, 0))], touched=True) == (0,)


@given(st.sampled_from(["west", "south", "east", "north"]), bodies, st.integers(2000, 10_000))
def test_a_body_enters_over_its_edge(edge: str, body: Body, at: int) -> None:
    outside = over_edge(TABLE, edge, body, at)  # type: ignore[arg-type]
    assert left_over(TABLE, outside) == edge
    inward = {"west": (1, 0), "south": (0, 1), "east": (-1, 0), "north": (0, -1)}[edge]
    deep = outside.length if isinstance(outside, Hull) else outside[2]
    x, y = outside[0] + inward[0] * 2 * deep, outside[1] + inward[1] * 2 * deep
    inside = outside.moved((x, y)) if isinstance(outside, Hull) else (x, y, outside[2])
    assert body_inside(inside, TABLE)
    result = entry(TABLE, edge, inside, (x, y), deep)
    assert result is not None
    assert result[1] == deep
    assert entry(TABLE, edge, inside, (x, y), deep - 1) is None
    assert entry(TABLE, edge, inside, (outside[0], outside[1]), 9999) is None


@given(bodies)
def test_what_is_partly_on_the_table_has_not_left_it(body: Body) -> None:
    corners, r = form_of(body)
    figure = shapely.MultiPoint(corners).convex_hull.buffer(r)
    assume(isinstance(body, tuple))
    if left_over(TABLE, body) is not None:
        assert figure.intersection(shapely.box(*TABLE)).area < 1e-6


def test_a_triangle_is_a_form() -> None:
    triangle: Polygon = ((0, 0), (800, -200), (800, 200))
    assert cone((0, 0), (1, 0), 800, 400) == triangle
