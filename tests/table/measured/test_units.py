"""Groups of bases: coherency, formations, marches, and free places."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.geometry import CM, CONTACT, INCH, Disc, Point, distance_sq, gap_up, gap_within, overlapping, path_length
from caltrop.table.measured import (
    SHAPES,
    Shape,
    Table,
    TableGround,
    Terrain,
    chain,
    coherent,
    contact_place,
    contact_places,
    first_overlap,
    formation,
    in_contact,
    march,
    may_stand,
    middle,
    most_central,
    moved,
    nearest_free,
    nearest_free_places,
    nearest_gap,
    nearest_pair,
    path_fault,
    stands,
    strewn,
    within,
)
from tests.table.measured.scenes import KINDS, SIZE, battlefield, coordinates, discs, grounds, groups, radii
from tests.tiers import examples

OPEN = TableGround(Table(SIZE, SIZE))
points = st.tuples(coordinates, coordinates)
close = st.lists(st.tuples(st.integers(0, 1500), st.integers(0, 1500), radii), min_size=0, max_size=7)


def square_unit(x: int, y: int, r: int = 150, apart: int = 400) -> list[Disc]:
    return [(x, y, r), (x + apart, y, r), (x, y + apart, r), (x + apart, y + apart, r)]


@pytest.mark.parametrize(("gap", "legal"), [(0, True), (CONTACT, True), (INCH, True), (INCH + 1, False)])
def test_a_unit_hangs_together_up_to_an_inch(gap: int, legal: bool) -> None:
    # Edge to edge, 2.54 cm is legal and 2.55 cm is not.
    assert coherent([(1000, 1000, 150), (1300 + gap, 1000, 150)]) is legal
    assert coherent([(1000, 1000, 100), (1000, 1250 + gap, 150)]) is legal


def test_two_touching_pairs_apart_are_not_one_unit() -> None:
    pairs = [(1000, 1000, 150), (1300, 1000, 150), (2600, 1000, 150), (2900, 1000, 150)]
    assert gap_up(pairs[1], pairs[2]) == 10 * CM
    assert not coherent(pairs)
    assert chain(pairs) == (0, 1)


def test_a_chain_may_wind_and_come_in_any_order() -> None:
    row = [(1000 + 550 * i, 1000, 150) for i in (3, 0, 2, 1)]
    assert coherent(row)
    assert chain(row) == (0, 1, 2, 3)
    assert not coherent(row[:2])
    assert coherent([])
    assert coherent(row[:1])


@given(close, st.integers(0, 600))
def test_coherency_is_what_merging_sets_finds(unit: list[Disc], limit: int) -> None:
    parts = [{i} for i in range(len(unit))]
    for i, j in combinations(range(len(unit)), 2):
        if gap_within(unit[i], unit[j], limit):
            joined = next(p for p in parts if i in p) | next(p for p in parts if j in p)
            parts = [p for p in parts if not p & joined] + [joined]
    assert coherent(unit, limit) == (len(parts) <= 1)
    if unit:
        assert set(chain(unit, limit)) == next(p for p in parts if 0 in p)


@given(groups, groups, st.integers(-10, 4000))
def test_units_are_as_near_as_their_nearest_models(a: list[Disc], b: list[Disc], limit: int) -> None:
    gap, i, j = nearest_pair(a, b)
    assert gap == nearest_gap(a, b) == nearest_gap(b, a) == gap_up(a[i], b[j])
    assert gap == min(gap_up(p, q) for p in a for q in b)
    assert within(a, b, limit) == within(b, a, limit) == any(gap_within(p, q, limit) for p in a for q in b)
    assert in_contact(a, b) == within(a, b, CONTACT)


@pytest.mark.parametrize(("gap", "near"), [(10 * CM, True), (10 * CM + 1, False), (10 * CM + 10, False)])
def test_within_ten_centimetres_of_a_unit_is_measured_to_its_nearest_model(gap: int, near: bool) -> None:
    unit = square_unit(1000, 1000)
    foe = [(1550 + gap + 100, 1400, 100), (5000, 5000, 100)]
    assert within(unit, foe, 10 * CM) is near


def test_an_empty_group_is_near_nothing() -> None:
    assert not within([], [(0, 0, 10)], 10_000)
    with pytest.raises(ValueError, match="a base in both"):
        nearest_pair([], [(0, 0, 10)])
    with pytest.raises(ValueError, match="no discs"):
        middle([])


def test_the_middle_is_the_mean_of_the_centres() -> None:
    assert middle(square_unit(1000, 2000)) == (1200, 2200)


headings = st.tuples(st.integers(-50, 50), st.integers(-50, 50)).filter(lambda v: v != (0, 0))


@given(st.lists(radii, min_size=1, max_size=8), points, headings, st.sampled_from(SHAPES[1:]), st.integers(2, INCH - 4))
def test_a_new_shape_hangs_together_without_overlaps(
    sizes: list[int], target: Point, heading: Point, shape: Shape, spacing: int
) -> None:
    unit = [(0, 0, r) for r in sizes]
    formed = moved(unit, formation(unit, target, shape, heading, spacing=spacing))
    assert coherent(formed, spacing + 3)
    if shape != "wedge":
        assert first_overlap(formed) is None
    else:
        # The arms start at right angles, so wide models beside a small leader may need more than the spacing.
        assert first_overlap(formed) is None or max(sizes) > min(sizes)


def test_shapes_look_as_they_are_named() -> None:
    unit = [(0, 0, 100)] * 3
    assert formation(unit, (1000, 1000), "line", (1, 0)) == ((1000, 700), (1000, 1000), (1000, 1300))
    assert formation(unit, (1000, 1000), "column", (1, 0)) == ((1000, 1000), (700, 1000), (400, 1000))
    wedge = formation(unit, (1000, 1000), "wedge", (1, 0))
    assert wedge[0] == (1000, 1000)
    assert {wedge[1], wedge[2]} == {(788, 1212), (788, 788)}
    assert formation([], (0, 0)) == ()
    with pytest.raises(ValueError, match="a gap of 2"):
        formation(unit, (0, 0), "line", spacing=1)


def test_keeping_formation_moves_or_turns_the_whole() -> None:
    unit = square_unit(1000, 1000)
    assert formation(unit, (2000, 3000)) == ((2000, 3000), (2400, 3000), (2000, 3400), (2400, 3400))
    turned = formation(unit, (2000, 3000), heading=(0, 1), front=(1, 0))
    assert turned == ((2000, 3000), (2000, 3400), (1600, 3000), (1600, 3400))
    assert formation(unit, (2000, 3000), anchor=3)[3] == (2000, 3000)


@settings(max_examples=examples(150))
@given(
    grounds(4),
    st.lists(radii, min_size=1, max_size=5),
    points,
    st.sampled_from(SHAPES[1:]),
    points,
    st.integers(0, 4000),
    st.lists(discs, max_size=5),
    st.booleans(),
)
def test_a_march_is_legal_whatever_is_in_the_way(
    ground: TableGround,
    sizes: list[int],
    place: Point,
    shape: Shape,
    destination: Point,
    limit: int,
    others: list[Disc],
    crosses: bool,
) -> None:
    blank = [(0, 0, r) for r in sizes]
    unit = moved(blank, formation(blank, place, shape))
    others = [disc for disc in others if not any(overlapping(disc, model) for model in unit)]
    if not may_stand(ground, unit, others):
        return
    paths = march(ground, unit, destination, limit, others, crosses)
    assert [path[0] for path in paths] == [(x, y) for x, y, _ in unit]
    for disc, path in zip(unit, paths, strict=True):
        assert path_length(path) <= limit
        assert path_fault(ground, path, disc[2], others, crosses) is None
    after = moved(unit, [path[-1] for path in paths])
    assert coherent(after)
    assert first_overlap(after) is None
    assert may_stand(ground, after, others)


def test_a_march_in_the_open_keeps_formation_and_goes_all_the_way() -> None:
    unit = square_unit(1000, 1000)
    paths = march(OPEN, unit, (3000, 1000), 2000, [], anchor=0)
    assert [path[-1] for path in paths] == [(3000, 1000), (3400, 1000), (3000, 1400), (3400, 1400)]
    short = march(OPEN, unit, (3000, 1000), 1500, [], anchor=0)
    assert short[0][-1] == (2500, 1000)


def test_a_march_goes_through_a_gap_in_another_shape() -> None:
    # A gate of 400 is too narrow for a square of four bases.
    gate = TableGround(
        Table(
            SIZE,
            SIZE,
            (
                Terrain("left", KINDS["impassable"], ((2000, 0), (4500, 0), (4500, 2000), (2000, 2000))),
                Terrain("right", KINDS["impassable"], ((2000, 2400), (4500, 2400), (4500, 6000), (2000, 6000))),
            ),
        )
    )
    unit = square_unit(1000, 2000)
    paths = march(gate, unit, (3500, 2200), 3000, [], anchor=1)
    after = moved(unit, [path[-1] for path in paths])
    assert may_stand(gate, after, [])
    assert any(2000 < x < 4500 for x, _, _ in after)


def test_a_march_that_is_walled_in_stays() -> None:
    fence = [(3000 + dx, 3000 + dy, 200) for dx in (-400, 0, 400) for dy in (-400, 0, 400) if (dx, dy) != (0, 0)]
    unit = [(3000, 3000, 150)]
    assert stands(OPEN, unit[0], fence)
    paths = march(OPEN, unit, (5000, 3000), 2000, fence)
    assert path_length(paths[0]) < 100
    assert march(OPEN, unit, (5000, 3000), 0, []) == (((3000, 3000),),)
    assert march(OPEN, [], (5000, 3000), 500, []) == ()


def test_a_march_stops_short_of_what_is_not_accepted() -> None:
    unit = square_unit(1000, 1000)
    foe = [(3000, 1000, 150)]
    paths = march(OPEN, unit, (3000, 1000), 3000, foe, anchor=0, accept=lambda after: not in_contact(after, foe))
    after = moved(unit, [path[-1] for path in paths])
    assert not in_contact(after, foe)
    assert nearest_gap(after, foe) < nearest_gap(unit, foe)


@settings(max_examples=examples(60))
@given(grounds(4), points, radii, st.lists(discs, max_size=5), st.lists(discs, max_size=2))
def test_the_nearest_free_place_is_free_and_nothing_near_is_missed(
    ground: TableGround, near: Point, r: int, others: list[Disc], foes: list[Disc]
) -> None:
    every = [*others, *foes]
    places = nearest_free_places(ground, near, r, every, clear_of=foes)
    if not places:
        return
    assert len(set(places)) == len(places)
    for x, y in places:
        assert stands(ground, (x, y, r), every)
        assert not any(gap_within((x, y, r), foe, CONTACT) for foe in foes)
    assert nearest_free(ground, near, r, every, clear_of=foes) == places[0]
    dists = [math.dist(near, place) for place in places]
    assert dists == sorted(dists)
    assert max(dists) - min(dists) < CONTACT + 1.5
    # A second grid finds no place that is nearer by more than the stated step.
    reach = int(min(dists)) - 12
    for dx in range(-reach, reach + 1, 97):
        for dy in range(-reach, reach + 1, 97):
            if dx * dx + dy * dy < (reach * 0.93) ** 2:
                disc = (near[0] + dx, near[1] + dy, r)
                assert not stands(ground, disc, every) or any(gap_within(disc, foe, CONTACT) for foe in foes)


def test_room_on_the_spot_is_the_nearest() -> None:
    assert nearest_free(OPEN, (1000, 1000), 100, [(1250, 1000, 150)]) == (1000, 1000)


def test_beside_one_base_all_directions_are_equals() -> None:
    places = nearest_free_places(OPEN, (1000, 1000), 100, [(1000, 1000, 150)])
    assert len(places) == 64
    assert all(250 * 250 <= distance_sq(place, (1000, 1000)) <= 252 * 252 for place in places)


def test_room_beside_an_enemy_keeps_out_of_contact() -> None:
    foe = [(1000, 1000, 150)]
    places = nearest_free_places(OPEN, (1000, 1000), 100, foe, clear_of=foe)
    assert all(252 * 252 < distance_sq(place, (1000, 1000)) <= 256 * 256 for place in places)


def test_room_is_found_under_a_condition_or_not_at_all() -> None:
    north = nearest_free(OPEN, (1000, 1000), 100, [(1000, 1000, 150)], suits=lambda p: p[1] < 1000)
    assert north is not None
    assert north[1] < 1000
    assert nearest_free(OPEN, (1000, 1000), 100, [(1000, 1000, 400)], reach=450) is None
    assert nearest_free(OPEN, (1000, 1000), 100, [], suits=lambda p: False, reach=300) is None


@settings(max_examples=examples(150))
@given(grounds(4), discs, radii, points, st.lists(discs, max_size=5))
def test_contact_places_touch_and_come_nearest_first(
    ground: TableGround, target: Disc, r: int, start: Point, others: list[Disc]
) -> None:
    places = contact_places(ground, target, r, start, [target, *others])
    for x, y in places:
        disc = (x, y, r)
        assert gap_within(disc, target, CONTACT)
        assert not overlapping(disc, target)
        assert stands(ground, disc, others)
    distances = [distance_sq(place, start) for place in places]
    assert distances == sorted(distances)
    assert contact_place(ground, target, r, start, [target, *others]) == (places[0] if places else None)


def test_contact_is_made_on_the_near_side() -> None:
    assert contact_place(OPEN, (3000, 1000, 150), 100, (1000, 1000), [(3000, 1000, 150)]) == (2749, 1000)


def test_contact_is_made_in_a_gap_between_neighbours() -> None:
    # Two bases beside the target leave room for exactly one more on the near side, at a direction that the search does
    # not try.
    target = (3000, 3000, 150)
    row = [target, (3000, 2500, 150), (3000, 3480, 150)]
    place = contact_place(OPEN, target, 150, (1000, 3000), row)
    assert place == (2699, 3000)
    taken = [*row, (2699, 3000, 150)]
    other = contact_place(OPEN, target, 150, (1000, 3000), taken)
    assert other is not None
    assert other[0] > 3000


def test_contact_nestles_beside_a_neighbour_where_that_is_nearest() -> None:
    target = (3000, 3000, 150)
    ahead = (2698, 3000, 150)
    place = contact_place(OPEN, target, 150, (1000, 3000), [target, ahead])
    assert place is not None
    base = (*place, 150)
    assert gap_within(base, target, CONTACT)
    assert gap_up(base, ahead) <= 3


def test_a_full_table_gives_the_same_answers_twice() -> None:
    ground, others, dice = battlefield(5, pieces=20, others=40)
    for _ in range(6):
        x, y = dice.randrange(500, 11_000), dice.randrange(500, 11_000)
        unit = square_unit(x, y)
        goal = (dice.randrange(500, 11_000), dice.randrange(500, 11_000))
        if may_stand(ground, unit, others):
            first = march(ground, unit, goal, 2000, others)
            assert first == march(TableGround(ground.table), unit, goal, 2000, list(others))
            after = moved(unit, [path[-1] for path in first])
            assert may_stand(ground, after, others)


def test_a_place_at_a_gap_is_contact_with_a_larger_target() -> None:
    target = (3000, 3000, 150)
    for place in contact_places(OPEN, (3000, 3000, 150 + CM), 100, (1000, 2500), [target]):
        assert CM <= gap_up((*place, 100), target) <= CM + CONTACT


@given(st.lists(points, min_size=1, max_size=8))
def test_the_middle_ones_are_those_nearest_the_exact_mean(places: list[Point]) -> None:
    result = most_central(places)
    n = len(places)
    mean = (Fraction(sum(x for x, _ in places), n), Fraction(sum(y for _, y in places), n))
    far = [(x - mean[0]) ** 2 + (y - mean[1]) ** 2 for x, y in places]
    assert result == tuple(i for i in range(n) if far[i] == min(far))


def test_nobody_is_in_the_middle_of_no_group() -> None:
    with pytest.raises(ValueError, match="no places"):
        most_central([])


@given(close, st.integers(0, 400))
def test_what_is_strewn_is_no_chain_and_what_is_not_is_one(group: list[Disc], limit: int) -> None:
    assert (strewn(group, limit) == 0) == coherent(group, limit)


@given(close, st.integers(0, 400), st.randoms(use_true_random=False))
def test_how_far_a_group_is_strewn_does_not_depend_on_its_order(group: list[Disc], limit: int, dice: Random) -> None:
    other = list(group)
    dice.shuffle(other)
    assert strewn(other, limit) == strewn(group, limit)


@given(st.lists(st.integers(0, 900), min_size=1, max_size=6), st.integers(0, 400))
def test_in_a_row_it_is_what_is_too_much_of_each_gap(gaps: list[int], limit: int) -> None:
    row = [(sum(gaps[:n]) + 100 * n, 0, 50) for n in range(len(gaps) + 1)]
    assert strewn(row, limit) == sum(max(gap - limit, 0) for gap in gaps)


def test_where_the_place_is_taken_room_is_looked_for_within_two_bases_and_no_farther() -> None:
    def hall(half: int) -> TableGround:
        low, high = 3000 - half, 3000 + half
        corners = ((low, low), (high, low), (high, high), (low, high))
        return TableGround(Table(SIZE, SIZE, (Terrain("hall", KINDS["impassable"], corners),)))

    near, far = (march(hall(half), [(1000, 3000, 150)], (3000, 3000), 5000, []) for half in (630, 720))
    assert gap_up((*near[0][-1], 150), (3000, 3000, 1)) <= 800
    assert far == (((1000, 3000), (2000, 3000)),), "as far as it can straight ahead"


def test_a_unit_that_is_torn_apart_may_stand_only_where_that_is_asked_for() -> None:
    apart = [(1000, 1000, 150), (1000 + 300 + INCH + 1, 1000, 150)]
    assert not may_stand(OPEN, apart, [])
    assert may_stand(OPEN, apart, [], INCH + 1)
    assert may_stand(OPEN, apart, [], None)
