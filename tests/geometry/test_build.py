"""Constructed points are rounded once, equal in mirror images, and never floats."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from caltrop.geometry import (
    CONTACT,
    UNIT,
    contact_point,
    cut_at_length,
    directions,
    distance_sq,
    gap_within,
    over_root,
    overlapping,
    path_length,
    point_along,
    ring_around,
    rotated,
    segment_enters,
    side_points,
    tangent_points,
)

Point = tuple[int, int]

numbers = st.integers(-12_000, 12_000)
points = st.tuples(numbers, numbers)


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9))
def test_a_quotient_by_a_root_is_the_nearest_whole_number(number: int, square: int) -> None:
    result = over_root(number, square)
    # The error is at most a half. Squared, without roots: (2 size - 1) root <= 2 number <= (2 size + 1) root.
    size = abs(result)
    assert (2 * size + 1) ** 2 * square > 4 * number * number
    assert size == 0 or (2 * size - 1) ** 2 * square <= 4 * number * number
    assert over_root(-number, square) == -result


@given(points, points, st.integers(0, 12_000))
def test_a_point_along_a_direction_is_less_than_a_tenth_of_a_millimetre_off(
    origin: Point, direction: Point, length: int
) -> None:
    assume(direction != (0, 0))
    x, y = point_along(origin, direction, length)
    norm = math.hypot(*direction)
    assert abs(x - origin[0] - direction[0] * length / norm) < 0.5001
    assert abs(y - origin[1] - direction[1] * length / norm) < 0.5001


@given(points, points, st.integers(0, 12_000))
def test_opposite_directions_mirror_one_another(origin: Point, direction: Point, length: int) -> None:
    there = point_along(origin, direction, length)
    back = point_along(origin, (-direction[0], -direction[1]), length)
    assert (there[0] + back[0], there[1] + back[1]) == (2 * origin[0], 2 * origin[1])


@given(points, st.integers(0, 300), points)
def test_the_sides_of_a_base_are_the_same_from_either_end_of_the_line(centre: Point, r: int, toward: Point) -> None:
    left, middle, right = side_points((*centre, r), toward)
    assert middle == centre
    assert (left[0] + right[0], left[1] + right[1]) == (2 * centre[0], 2 * centre[1])
    behind = (2 * centre[0] - toward[0], 2 * centre[1] - toward[1])
    assume(toward != centre)
    assert side_points((*centre, r), behind) == (right, middle, left)
    assert abs(math.dist(left, centre) - r) < 0.8


@given(points, points)
def test_a_turn_there_and_back_is_off_by_the_rounding_only(vector: Point, heading: Point) -> None:
    assume(heading != (0, 0))
    turned = rotated(vector, heading)
    assert abs(math.hypot(*turned) - math.hypot(*vector)) < 1
    back = rotated(turned, (heading[0], -heading[1]))
    assert math.dist(back, vector) < 2


def test_quarter_turns_are_exact() -> None:
    assert rotated((30, 10), (0, 5)) == (-10, 30)
    assert rotated((30, 10), (-7, 0)) == (-30, -10)
    assert rotated((30, 10), (0, -1), (0, 1)) == (-30, -10)
    assert rotated((30, 10), (0, 0)) == (30, 10)


@pytest.mark.parametrize("count", [4, 8, 16, 64, 128])
def test_directions_are_even_and_of_one_length(count: int) -> None:
    spread = directions(count)
    assert len(set(spread)) == count
    for index, (x, y) in enumerate(spread):
        angle = 2 * math.pi * index / count
        assert abs(x - UNIT * math.cos(angle)) < 3
        assert abs(y - UNIT * math.sin(angle)) < 3
        assert (-x, -y) == spread[(index + count // 2) % count]


@pytest.mark.parametrize("count", [0, 2, 12, 20])
def test_other_numbers_of_directions_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="directions come in"):
        directions(count)


@given(points, st.integers(0, 300), st.integers(0, 300), points)
def test_a_contact_point_touches_without_overlapping(centre: Point, r: int, s: int, direction: Point) -> None:
    assume(direction != (0, 0))
    base = (*contact_point((*centre, r), s, direction), s)
    assert not overlapping(base, (*centre, r))
    assert gap_within(base, (*centre, r), CONTACT)


@given(points, st.integers(1, 2000))
def test_a_ring_never_comes_nearer_than_its_radius(centre: Point, radius: int) -> None:
    ring = ring_around(centre, radius)
    for a, b in pairwise((*ring, ring[0])):
        assert not segment_enters(a, b, centre, radius)
        assert distance_sq(a, centre) <= (radius * 1.02 + 3) ** 2


@given(st.lists(points, min_size=1, max_size=5), st.integers(-10, 40_000))
def test_a_path_cut_at_a_length_keeps_to_it(path: list[Point], limit: int) -> None:
    cut = cut_at_length(path, limit)
    assert cut[0] == path[0]
    assert path_length(cut) <= max(limit, 0)
    if path_length(path) <= limit:
        assert cut == tuple(path)
    elif limit > 0 and all(a != b for a, b in pairwise(path)):
        # The error is a little over 1, from the rounding of the last point.
        assert path_length(cut) >= limit - 2


def test_a_cut_path_ends_on_the_last_whole_tenth() -> None:
    assert cut_at_length([(0, 0), (1000, 0)], 254) == ((0, 0), (254, 0))
    assert cut_at_length([(0, 0), (300, 400), (300, 900)], 500) == ((0, 0), (300, 400))
    assert cut_at_length([(0, 0), (300, 400)], 0) == ((0, 0),)
    assert cut_at_length([], 10) == ()


@given(st.fractions(min_value=0, max_value=1))
def test_a_direction_needs_no_particular_length(share: Fraction) -> None:
    short = (share.numerator, share.denominator)
    long = (share.numerator * 997, share.denominator * 997)
    assert point_along((0, 0), short, 5000) == point_along((0, 0), long, 5000)


@given(points, points, st.integers(50, 700))
def test_tangents_pass_a_circle_closely_and_never_enter_it(origin: Point, centre: Point, radius: int) -> None:
    result = tangent_points(origin, centre, radius)
    if distance_sq(origin, centre) < radius * radius:
        assert result == ()
        return
    assert len(result) == 2
    for place in result:
        assert not segment_enters(origin, place, centre, radius)
        assert segment_enters(origin, place, centre, radius + 8 + radius // 50)
        assert radius < math.dist(place, centre) < radius * 1.02 + 6
