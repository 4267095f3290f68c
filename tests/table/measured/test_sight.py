"""Lines of sight are equal in both directions and equal to nine single tests, and give the values of the worked
examples.
"""

from __future__ import annotations

from functools import partial
from math import cos, pi, sin
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.geometry import (
    Disc,
    Hull,
    convex,
    disc_box,
    distance_up,
    fan_of_lines,
    points_box,
    segment_enters,
)
from caltrop.table.measured import (
    Fan,
    Table,
    TableGround,
    Terrain,
    explain_look,
    explain_sight,
    line_is_seen,
    look,
    sight,
)
from caltrop.table.measured.corridor import Corridor, CorridorPiece, Deep
from tests.table.measured.scenes import KINDS, NINE, deep_grounds, discs, grounds, groups, slow_look
from tests.tiers import examples

OPEN = TableGround(Table(12_000, 12_000))
TANK = 150
FOOT = 100


def ground_with(**pieces: tuple[str, int, int, int, int]) -> TableGround:
    """Return a table with boxes of terrain: kind, left, low, right, high."""
    return TableGround(
        Table(
            12_000,
            12_000,
            tuple(
                Terrain(name, KINDS[kind], ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
                for name, (kind, x0, y0, x1, y1) in pieces.items()
            ),
        )
    )


def mirrored(mask: int) -> int:
    """Return the same lines as seen from the other base, in the opposite order."""
    result = 0
    for i in range(3):
        for j in range(3):
            if mask >> (3 * i + j) & 1:
                result |= 1 << (3 * (2 - j) + (2 - i))
    return result


def drawn_piece(chance: Random, size: int, deep: bool) -> CorridorPiece | None:
    """Draw a disc or a convex polygon within a size; None if the points are on one line."""
    within = partial(chance.randint, -size, size)
    depth = Deep(50, 100) if deep else None
    if chance.random() < 0.25:
        circle = (within(), within(), chance.randint(3, size))
        return CorridorPiece(disc_box(circle), circle, (), "stone", True, depth)
    corners = convex([(within(), within()) for _ in range(chance.randint(3, 7))])
    if len(corners) < 3:
        return None
    left, low, right, high = box = points_box(corners)
    middle = (left + right) // 2, (low + high) // 2
    circle = (*middle, max(distance_up(middle, corner) for corner in corners))
    return CorridorPiece(box, circle, corners, "house", True, depth)


def test_what_shuts_off_two_groups_cuts_every_line_between_them() -> None:
    chance, shut, hidden = Random(5), 0, 0
    for _ in range(examples(4000)):
        size, points = chance.choice((40, 300, 3000, 7500)), chance.choice((1, 3))
        piece = drawn_piece(chance, size, chance.random() < 0.5)
        if piece is None:
            continue
        angle = chance.uniform(0, 2 * pi)
        x, y = int(2 * size * cos(angle)), int(2 * size * sin(angle))
        a, b = (
            [
                (cx + chance.randint(-size // 2, size // 2), cy + chance.randint(-size // 2, size // 2), r)
                for r in (chance.randint(1, max(2, size // 12)) for _ in range(chance.randint(1, 4)))
            ]
            for cx, cy in ((x, y), (-x, -y))
        )
        corridor = Corridor([piece], a, b, [], points)
        every = all(corridor.masks(one, two)[0] == corridor.all_lines for one in a for two in b)
        assert every or not corridor.shut, (piece, a, b)
        shut, hidden = shut + corridor.shut, hidden + every
    assert shut > 0.9 * hidden > 0, "most of what one piece hides is shut off by it"


@settings(max_examples=examples(300))
@given(st.one_of(grounds(), deep_grounds()), discs, discs)
def test_one_line_is_seen_as_a_fan_of_one_line_is(ground: TableGround, a: Disc, b: Disc) -> None:
    one = Fan(points=1, obstructed_from=1)
    assert line_is_seen(ground, a[:2], b[:2]) == look(ground, one, a, b, ()).seen


@settings(max_examples=examples(300))
@given(grounds(), discs, discs, st.lists(discs, max_size=6))
def test_sight_is_the_same_in_both_directions(ground: TableGround, a: Disc, b: Disc, blockers: list[Disc]) -> None:
    there = look(ground, NINE, a, b, blockers)
    back = look(ground, NINE, b, a, blockers)
    assert (there.cut, there.crossed, there.seen, there.obstructed) == (
        back.cut,
        back.crossed,
        back.seen,
        back.obstructed,
    )
    if (a[0], a[1]) != (b[0], b[1]):
        assert mirrored(there.cut_lines) == back.cut_lines
        assert mirrored(there.crossed_lines) == back.crossed_lines


@settings(max_examples=examples(400))
@given(grounds(), discs, discs, st.lists(discs, max_size=6))
def test_a_look_is_what_nine_plain_tests_find(ground: TableGround, a: Disc, b: Disc, blockers: list[Disc]) -> None:
    result = look(ground, NINE, a, b, blockers)
    cut, crossed = slow_look(ground, a, b, blockers)
    if cut == (1 << NINE.lines) - 1:
        assert not result.seen
    assert (result.cut_lines, result.crossed_lines) == (cut, crossed)


@settings(max_examples=examples(200))
@given(grounds(), groups, groups, st.lists(discs, max_size=6))
def test_a_unit_sees_the_best_of_what_its_models_see(
    ground: TableGround, viewers: list[Disc], targets: list[Disc], blockers: list[Disc]
) -> None:
    result = sight(ground, NINE, viewers, targets, blockers)
    looks = [[slow_look(ground, v, t, blockers) for v in viewers] for t in targets]
    for target, row, disc in zip(result.targets, looks, targets, strict=True):
        assert target.crossed == min(crossed.bit_count() for _, crossed in row)
        assert target.seen == any(cut.bit_count() < NINE.lines for cut, _ in row)
        assert target.obstructed == (target.crossed >= 5)
        assert target.in_cover == any(
            KINDS[name].cover
            for piece in ground.table.terrain
            if piece.id in ground.terrain_at((disc[0], disc[1]))
            for name in [piece.kind.name]
        )
    for number, sees in enumerate(result.viewers):
        assert sees == any(row[number][0].bit_count() < NINE.lines for row in looks)


@settings(max_examples=examples(150))
@given(grounds(), groups, groups, st.lists(discs, max_size=6))
def test_what_is_explained_is_what_is_ruled(
    ground: TableGround, viewers: list[Disc], targets: list[Disc], blockers: list[Disc]
) -> None:
    kinds = {piece.id: piece.kind for piece in ground.table.terrain}
    for words in explain_sight(ground, NINE, viewers, targets, blockers):
        a, b = viewers[words.viewer], targets[words.target]
        assert words.look == look(ground, NINE, a, b, blockers)
        assert [(line.start, line.end) for line in words.lines] == list(fan_of_lines(a, b, NINE.points))
        for number, line in enumerate(words.lines):
            assert line.cut == bool(words.look.cut_lines >> number & 1)
            assert (line.cut or line.obscured) == bool(words.look.crossed_lines >> number & 1)
            if line.disc is not None:
                x, y, r = blockers[line.disc]
                assert segment_enters(line.start, line.end, (x, y), r)
            if line.terrain is not None:
                assert kinds[line.terrain].blocks_sight if line.cut else kinds[line.terrain].obscures
            assert ((line.terrain is None) and (line.disc is None)) == (not line.cut and not line.obscured)


def test_the_first_of_two_blockers_is_named() -> None:
    ground = ground_with(hill=("hill", 3000, 0, 3500, 4000))
    a, b = (1000, 2000, TANK), (8000, 2000, TANK)
    words = explain_look(ground, NINE, a, b, [(2000, 2000, 200), (6000, 2000, 200)])
    centre = words.lines[4]
    assert (centre.disc, centre.terrain, centre.stop) == (0, None, (1801, 2000))
    back = explain_look(ground, NINE, b, a, [(2000, 2000, 200), (6000, 2000, 200)])
    assert (back.lines[4].disc, back.lines[4].stop) == (1, (6199, 2000))
    alone = explain_look(ground, NINE, a, b, [])
    assert (alone.lines[4].terrain, alone.lines[4].stop) == ("hill", (3001, 2000))


def test_what_cuts_is_named_before_what_only_obscures() -> None:
    ground = ground_with(wood=("woods", 2000, 0, 2500, 4000), hill=("hill", 4000, 0, 4500, 4000))
    words = explain_look(ground, NINE, (1000, 2000, TANK), (8000, 2000, TANK), [])
    assert all(line.terrain == "hill" and line.cut and line.obscured for line in words.lines)
    assert not words.look.seen


def test_open_ground_hides_nothing() -> None:
    result = look(OPEN, NINE, (1000, 1000, TANK), (9000, 4000, FOOT), [])
    assert (result.seen, result.obstructed, result.cut, result.crossed) == (True, False, 0, 0)


def test_woods_alone_never_hide() -> None:
    ground = ground_with(wood=("woods", 3000, 0, 9000, 12_000))
    result = look(ground, NINE, (1000, 2000, TANK), (11_000, 2000, TANK), [])
    assert (result.seen, result.obstructed, result.cut, result.crossed) == (True, True, 0, 9)


@pytest.mark.parametrize("kind", ["hill", "building"])
def test_a_hill_and_a_building_hide(kind: str) -> None:
    ground = ground_with(block=(kind, 3000, 0, 3200, 4000))
    assert not look(ground, NINE, (1000, 2000, TANK), (8000, 2000, TANK), []).seen


@pytest.mark.parametrize("kind", ["built-up", "rough", "impassable"])
def test_flat_terrain_neither_hides_nor_obstructs(kind: str) -> None:
    ground = ground_with(block=(kind, 3000, 0, 3200, 4000))
    assert look(ground, NINE, (1000, 2000, TANK), (8000, 2000, TANK), []).crossed == 0


def test_terrain_that_either_stands_in_is_left_out() -> None:
    ground = ground_with(hill=("hill", 3000, 0, 6000, 4000))
    on, off = (4000, 2000, TANK), (9000, 2000, TANK)
    assert look(ground, NINE, on, off, []).crossed == 0
    assert look(ground, NINE, off, on, []).crossed == 0
    assert look(ground, NINE, (3000, 2000, TANK), off, []).crossed == 0  # A centre on the edge counts as inside.
    assert not look(ground, NINE, (2999, 2000, TANK), off, []).seen


def test_a_line_may_graze_a_rim() -> None:
    a, b = (1000, 1000, TANK), (5000, 1000, TANK)
    # The outer line is at 1150. A base whose rim is there cuts no line; one a tenth of a millimetre nearer does.
    assert look(OPEN, NINE, a, b, [(3000, 1300, 150)]).cut == 0
    assert look(OPEN, NINE, a, b, [(3000, 1299, 150)]).cut == 1


def test_five_lines_of_nine_obstruct_and_four_do_not() -> None:
    ground_four = ground_with(hill=("hill", 2990, 1049, 3010, 4000))
    ground_five = ground_with(hill=("hill", 2990, 999, 3010, 4000))
    a, b = (1000, 1000, TANK), (5000, 1000, TANK)
    # In the middle, the nine lines are at 1150, 1075 (two), 1000 (three), 925 (two) and 850.
    assert look(ground_four, NINE, a, b, []).cut == 3
    assert not look(ground_four, NINE, a, b, []).obstructed
    five = look(ground_five, NINE, a, b, [])
    assert (five.cut, five.obstructed, five.seen) == (6, True, True)


def test_woods_and_a_hill_add_up_line_by_line() -> None:
    a, b = (1000, 1000, TANK), (5000, 1000, TANK)
    ground = ground_with(hill=("hill", 2990, 1049, 3010, 4000), wood=("woods", 2990, 0, 3010, 951))
    result = look(ground, NINE, a, b, [])
    assert (result.cut, result.crossed, result.obstructed) == (3, 6, True)


# The worked examples: rows of bases with small gaps, and an obstacle in front of some.

ROW = [(1000, 2000 + 1000 * i, TANK) for i in range(5)]
VIEWERS = [(9000, 2000 + 1000 * i, TANK) for i in range(4)]


def hidden_row(count: int, kind: str = "woods") -> TableGround:
    """Return a strip close in front of the first models of the row, longer than their front."""
    return ground_with(strip=(kind, 1160, 1000, 1200, 1500 + 1000 * count))


@pytest.mark.parametrize(("models", "obstructed", "half"), [(4, 2, True), (4, 1, False), (5, 2, False), (5, 3, True)])
def test_half_of_a_row_is_counted_by_models(models: int, obstructed: int, half: bool) -> None:
    result = sight(hidden_row(obstructed), NINE, VIEWERS, ROW[:models], [])
    assert result.obstructed == obstructed
    assert result.exposed == models - obstructed
    assert (2 * result.obstructed >= models) is half
    assert result.lines == 9 * models
    assert result.seen
    assert result.blind == 0


def test_models_aimed_at_are_those_neither_obstructed_nor_in_cover() -> None:
    ground = ground_with(strip=("woods", 1160, 1000, 1200, 2500), town=("built-up", 800, 4500, 1150, 5500))
    result = sight(ground, NINE, VIEWERS, ROW[:4], [])
    assert [target.exposed for target in result.targets] == [False, True, True, False]
    assert [target.in_cover for target in result.targets] == [False, False, False, True]
    assert (result.obstructed, result.in_cover) == (1, 1)
    assert result.lines_crossed == result.targets[0].crossed
    assert result.lines_hindered == result.targets[0].crossed + 9


def test_a_unit_in_woods_is_in_cover_and_its_own_wood_does_not_obstruct_it() -> None:
    ground = ground_with(wood=("woods", 500, 1000, 1500, 7000))
    result = sight(ground, NINE, VIEWERS, ROW[:4], [])
    assert (result.in_cover, result.obstructed, result.lines_crossed, result.lines_hindered) == (4, 0, 0, 36)


def test_a_unit_in_woods_may_be_obstructed_as_well() -> None:
    ground = ground_with(wood=("woods", 500, 1000, 1500, 7000), more=("woods", 2000, 0, 2200, 12_000))
    result = sight(ground, NINE, VIEWERS, ROW[:4], [])
    assert (result.in_cover, result.obstructed, result.exposed) == (4, 4, 0)


@pytest.mark.parametrize("blind", [2, 1])
def test_cover_hides_the_target_from_some_of_the_firing_models(blind: int) -> None:
    target = [(1000, 8500, TANK)]
    # A wall is directly in front of the first viewers, with no room for others behind it.
    ground = ground_with(wall=("hill", 8700, 1000, 8800, 1500 + 1000 * blind))
    viewers = [(9000, 2000 + 1000 * i, TANK) for i in range(4)]
    result = sight(ground, NINE, viewers, target, [])
    assert result.blind == blind
    assert result.viewers == (False,) * blind + (True,) * (4 - blind)
    assert result.targets[0].seen
    assert not result.targets[0].obstructed


def test_the_best_view_counts() -> None:
    ground = ground_with(hill=("hill", 4000, 1000, 4200, 3000))
    behind, beside = (9000, 2000, TANK), (9000, 9000, TANK)
    target = [(1000, 2000, TANK)]
    assert sight(ground, NINE, [behind], target, []).obstructed == 1
    assert not sight(ground, NINE, [behind], target, []).seen
    both = sight(ground, NINE, [behind, beside], target, [])
    assert (both.obstructed, both.blind, both.viewers) == (0, 1, (False, True))


def test_a_line_stops_at_the_side_of_a_hull_and_not_at_the_circle_around_it() -> None:
    a, b = (1000, 2000, FOOT), (9000, 2000, FOOT)
    for heading, side in (((1, 0), 4200), ((0, 1), 4800)):
        centre = explain_look(OPEN, NINE, a, b, [Hull(5000, 2000, 800, 200, heading)]).lines[4]
        assert centre.disc == 0
        assert centre.stop is not None
        assert abs(centre.stop[0] - side) <= 2, "a hull of 16 by 4 lies along the line, or across it"


def test_bases_in_between_hide_when_they_fill_the_way() -> None:
    wall = [(5000, 1000 + 290 * i, TANK) for i in range(30)]
    assert not sight(OPEN, NINE, VIEWERS, ROW[:4], wall).seen
    thin = [(5000, 1000 + 290 * i, TANK) for i in range(30) if i % 4]
    assert sight(OPEN, NINE, VIEWERS, ROW[:4], thin).seen


def test_a_group_without_models_sees_nothing() -> None:
    assert sight(OPEN, NINE, [], ROW, []).viewers == ()
    assert sight(OPEN, NINE, VIEWERS, [], []).viewers == (False,) * 4
    assert explain_sight(OPEN, NINE, [], ROW, []) == ()
