"""Distances, gaps and path lengths are exact, and rounded up if they must be whole."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.geometry import (
    CM,
    CONTACT,
    INCH,
    boxes_within,
    disc_box,
    disc_inside,
    discs_box,
    distance_sq,
    distance_up,
    gap_up,
    gap_within,
    overlapping,
    path_length,
    points_box,
    touching,
)

numbers = st.integers(-13_000, 13_000)
points = st.tuples(numbers, numbers)
discs = st.tuples(numbers, numbers, st.integers(0, 300))


@given(points, points)
def test_a_distance_rounds_up_to_the_next_whole_number(p: tuple[int, int], q: tuple[int, int]) -> None:
    up = distance_up(p, q)
    assert up * up >= distance_sq(p, q)
    assert up == 0 or (up - 1) * (up - 1) < distance_sq(p, q)
    assert up == distance_up(q, p)


@given(st.lists(points, min_size=1, max_size=6))
def test_a_path_is_never_shorter_than_its_chord(path: list[tuple[int, int]]) -> None:
    assert path_length(path) >= distance_up(path[0], path[-1])
    assert path_length(path) == sum(distance_up(a, b) for a, b in pairwise(path))


def test_each_segment_of_a_path_rounds_up_for_itself() -> None:
    assert path_length([(0, 0), (1, 1), (2, 2), (3, 3)]) == 6
    assert path_length([(0, 0), (3, 3)]) == 5
    assert path_length([]) == path_length([(4, 4)]) == 0


@given(discs, discs, st.integers(0, 3000))
def test_the_gap_shown_is_within_a_limit_exactly_when_the_gap_is(
    a: tuple[int, int, int], b: tuple[int, int, int], limit: int
) -> None:
    assert gap_within(a, b, limit) == (gap_up(a, b) <= limit)


@pytest.mark.parametrize(
    ("gap", "near"), [(0, True), (INCH - 1, True), (INCH, True), (INCH + 1, False), (10 * CM, False)]
)
def test_an_inch_is_254_and_includes_itself(gap: int, near: bool) -> None:
    assert gap_within((0, 0, 100), (0, 250 + gap, 150), INCH) is near


@pytest.mark.parametrize(("gap", "near"), [(1000, True), (1001, False), (1010, False)])
def test_within_ten_centimetres_includes_ten_and_not_more(gap: int, near: bool) -> None:
    assert gap_within((5, 5, 150), (305 + gap, 5, 150), 10 * CM) is near


@pytest.mark.parametrize(
    ("gap", "touch", "overlap"),
    [(-1, True, True), (0, True, False), (1, True, False), (CONTACT, True, False), (CONTACT + 1, False, False)],
)
def test_bases_touch_up_to_a_gap_of_two_and_overlap_below_none(gap: int, touch: bool, overlap: bool) -> None:
    a, b = (1000, 1000, 100), (1250 + gap, 1000, 150)
    assert touching(a, b) is touching(b, a) is touch
    assert overlapping(a, b) is overlapping(b, a) is overlap


def test_contact_is_measured_exactly_off_the_axes() -> None:
    # The centres differ by 141 in both directions. The squared distance, 39,762, lies between 199 and 200 squared.
    assert not overlapping((0, 0, 99), (141, 141, 100))
    assert overlapping((0, 0, 100), (141, 141, 100))
    assert touching((0, 0, 99), (141, 141, 100))
    assert not touching((0, 0, 98), (141, 141, 99))


def test_a_limit_below_nothing_is_never_met_by_points() -> None:
    assert not gap_within((0, 0, 0), (0, 0, 0), -1)
    assert gap_within((0, 0, 5), (0, 0, 5), -10)


@given(st.lists(discs, min_size=1, max_size=5), st.lists(discs, min_size=1, max_size=5), st.integers(0, 3000))
def test_boxes_never_rule_out_what_is_near(
    a: list[tuple[int, int, int]], b: list[tuple[int, int, int]], limit: int
) -> None:
    if any(gap_within(p, q, limit) for p in a for q in b):
        assert boxes_within(discs_box(a), discs_box(b), limit)


@given(st.lists(discs, min_size=1, max_size=5))
def test_the_box_of_discs_just_holds_them(group: list[tuple[int, int, int]]) -> None:
    box = discs_box(group)
    assert all(disc_inside(disc, box) for disc in group)
    corners = [corner for disc in group for corner in (disc_box(disc)[:2], disc_box(disc)[2:])]
    assert points_box([(x, y) for x, y in corners]) == box


def test_a_disc_may_touch_the_edge_of_its_box() -> None:
    assert disc_inside((100, 100, 100), (0, 0, 200, 200))
    assert not disc_inside((99, 100, 100), (0, 0, 200, 200))


def test_no_discs_and_no_points_have_no_box() -> None:
    with pytest.raises(ValueError, match="no discs"):
        discs_box([])
    with pytest.raises(ValueError, match="no points"):
        points_box([])


@given(discs, discs)
def test_exact_fractions_agree_about_gaps(a: tuple[int, int, int], b: tuple[int, int, int]) -> None:
    square = Fraction(a[0] - b[0]) ** 2 + Fraction(a[1] - b[1]) ** 2
    assert overlapping(a, b) == (square < (a[2] + b[2]) ** 2)
    assert touching(a, b) == (square <= (a[2] + b[2] + CONTACT) ** 2)
