"""Nine lines at once give what nine tests one by one give."""

from __future__ import annotations

import shapely
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from caltrop.geometry import (
    ALL_LINES,
    LINES,
    Disc,
    Point,
    crosses_polygon,
    lines_through_disc,
    lines_through_polygon,
    nine_lines,
    segment_enters,
    side_points,
)

near = st.integers(0, 40)
far = st.integers(0, 4000)


@st.composite
def bases(draw: st.DrawFn) -> tuple[Disc, Disc]:
    """Two bases, small and close together or of the size of real ones."""
    scale = draw(st.sampled_from([near, far]))
    size = st.integers(0, 12) if scale is near else st.integers(0, 300)
    a = (draw(scale), draw(scale), draw(size))
    b = (draw(scale), draw(scale), draw(size))
    return a, b


@st.composite
def rings(draw: st.DrawFn) -> tuple[Point, ...]:
    """Simple rings of three to six corners, small or large."""
    scale = draw(st.sampled_from([near, far]))
    ring = draw(st.lists(st.tuples(scale, scale), min_size=3, max_size=6, unique=True))
    shape = shapely.Polygon(ring)
    assume(shape.is_valid and shape.area > 0)
    return tuple(ring)


@settings(max_examples=500)
@given(bases(), rings(), st.integers(0, ALL_LINES))
@example(((7, 2, 0), (7, 2, 0)), ((8, 1), (3, 5), (6, 6)), 0)
def test_a_polygon_is_crossed_by_the_lines_that_cross_it(
    pair: tuple[Disc, Disc], ring: tuple[Point, ...], known: int
) -> None:
    lines = nine_lines(*pair)
    expected = sum(1 << i for i, (p, q) in enumerate(lines) if crosses_polygon(p, q, ring))
    assert lines_through_polygon(lines, ring) == expected
    assert lines_through_polygon(lines, ring, known) == expected | known


@settings(max_examples=300)
@given(bases(), st.tuples(far, far, st.integers(0, 900)), st.integers(0, ALL_LINES))
def test_a_disc_is_crossed_by_the_lines_that_enter_it(pair: tuple[Disc, Disc], disc: Disc, known: int) -> None:
    lines = nine_lines(*pair)
    expected = sum(1 << i for i, (p, q) in enumerate(lines) if segment_enters(p, q, (disc[0], disc[1]), disc[2]))
    assert lines_through_disc(lines, disc) == expected
    assert lines_through_disc(lines, disc, known) == expected | known


@given(bases())
def test_the_lines_run_from_each_point_of_one_base_to_each_of_the_other(pair: tuple[Disc, Disc]) -> None:
    a, b = pair
    lines = nine_lines(a, b)
    assert len(lines) == LINES
    assert {p for p, _ in lines} == set(side_points(a, b[:2]))
    assert {q for _, q in lines} == set(side_points(b, a[:2]))
    assert lines[4] == (a[:2], b[:2])
    if a[:2] != b[:2]:
        assert {(q, p) for p, q in nine_lines(b, a)} == set(lines)


def test_the_first_line_joins_the_same_side_of_both_bases() -> None:
    lines = nine_lines((0, 0, 100), (1000, 0, 150))
    assert lines[0] == ((0, 100), (1000, 150))
    assert lines[8] == ((0, -100), (1000, -150))
