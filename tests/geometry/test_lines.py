"""A fan of lines tested at once gives the same results as single tests."""

from __future__ import annotations

import pytest
import shapely
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from caltrop.geometry import (
    Disc,
    Point,
    crosses_polygon,
    fan_of_lines,
    lines_through_disc,
    lines_through_polygon,
    segment_enters,
    side_points,
)
from caltrop.table.measured.terrain import LARGEST
from tests.tiers import examples

points = st.sampled_from([1, 3, 5])
near = st.integers(0, 40)
far = st.integers(0, 4000)
whole = st.one_of(st.integers(0, LARGEST), st.sampled_from([0, 1, LARGEST - 1, LARGEST]))
"""Coordinates of the largest table, with both ends: compiled code computes with numbers of 64 bits."""
scales = st.sampled_from([near, far, whole])


@st.composite
def bases(draw: st.DrawFn) -> tuple[Disc, Disc]:
    """Draw two bases: small and close together, of real sizes, or anywhere on the largest table."""
    scale = draw(scales)
    size = st.integers(0, 12) if scale is near else st.integers(0, 300)
    a = (draw(scale), draw(scale), draw(size))
    b = (draw(scale), draw(scale), draw(size))
    return a, b


@st.composite
def rings(draw: st.DrawFn) -> tuple[Point, ...]:
    """Draw a simple ring of three to six corners: small, large, or across the largest table."""
    scale = draw(scales)
    ring = draw(st.lists(st.tuples(scale, scale), min_size=3, max_size=6, unique=True))
    shape = shapely.Polygon(ring)
    assume(shape.is_valid and shape.area > 0)
    return tuple(ring)


@settings(max_examples=examples(500))
@given(bases(), rings(), points, st.integers(0))
@example(((7, 2, 0), (7, 2, 0)), ((8, 1), (3, 5), (6, 6)), 3, 0)
def test_a_polygon_is_crossed_by_the_lines_that_cross_it(
    pair: tuple[Disc, Disc], ring: tuple[Point, ...], n: int, some: int
) -> None:
    lines = fan_of_lines(*pair, n)
    names = some & ((1 << len(lines)) - 1)
    expected = sum(1 << i for i, (p, q) in enumerate(lines) if crosses_polygon(p, q, ring))
    assert lines_through_polygon(lines, ring) == expected
    assert lines_through_polygon(lines, ring, names) == expected | names


@settings(max_examples=examples(300))
@given(
    bases(), st.one_of(st.tuples(far, far, st.integers(0, 900)), st.tuples(whole, whole, whole)), points, st.integers(0)
)
@example(((0, 0, 0), (LARGEST, LARGEST, 0)), (0, LARGEST, LARGEST), 1, 0)
def test_a_disc_is_crossed_by_the_lines_that_enter_it(pair: tuple[Disc, Disc], disc: Disc, n: int, some: int) -> None:
    lines = fan_of_lines(*pair, n)
    names = some & ((1 << len(lines)) - 1)
    expected = sum(1 << i for i, (p, q) in enumerate(lines) if segment_enters(p, q, (disc[0], disc[1]), disc[2]))
    assert lines_through_disc(lines, disc) == expected
    assert lines_through_disc(lines, disc, names) == expected | names


@given(bases(), points)
def test_the_lines_run_from_each_point_of_one_base_to_each_of_the_other(pair: tuple[Disc, Disc], n: int) -> None:
    a, b = pair
    lines = fan_of_lines(a, b, n)
    assert len(lines) == n * n
    assert lines[n * n // 2] == (a[:2], b[:2])
    sides = [{side_points(base, other[:2])[i] for i in (0, 2)} for base, other in ((a, b), (b, a))]
    if n > 1:
        assert [{lines[0][i], lines[-1][i]} for i in (0, 1)] == sides
    if a[:2] != b[:2]:
        assert {(q, p) for p, q in fan_of_lines(b, a, n)} == set(lines)


def test_the_first_line_joins_the_same_side_of_both_bases() -> None:
    lines = fan_of_lines((0, 0, 100), (1000, 0, 150), 3)
    assert lines[0] == ((0, 100), (1000, 150))
    assert lines[8] == ((0, -100), (1000, -150))


def test_a_fan_has_a_middle() -> None:
    with pytest.raises(ValueError, match="an odd number of points"):
        fan_of_lines((0, 0, 100), (1000, 0, 150), 2)
