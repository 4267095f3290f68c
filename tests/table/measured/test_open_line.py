"""A line of sight from anywhere on one base to anywhere on another."""

from __future__ import annotations

from random import Random

from caltrop.geometry import CM, Disc, crosses_polygon, directions, overlapping, point_along
from caltrop.table.measured import Table, TableGround, Terrain, explain_line, open_line, stands
from tests.table.measured.scenes import KINDS


def square(id: str, kind: str, x0: int, y0: int, x1: int, y1: int) -> Terrain:
    """Return a piece of terrain between two corners, in centimetres."""
    a, b, c, d = x0 * CM, y0 * CM, x1 * CM, y1 * CM
    return Terrain(id, KINDS[kind], ((a, b), (c, b), (c, d), (a, d)))


def table(*terrain: Terrain) -> TableGround:
    return TableGround(Table(60 * CM, 60 * CM, terrain))


A: Disc = (10 * CM, 30 * CM, CM)
B: Disc = (50 * CM, 30 * CM, CM)


def test_a_wall_between_them_is_in_the_way_and_is_named() -> None:
    ground = table(square("wall", "building", 28, 20, 30, 40))
    assert not open_line(ground, A, B)
    line = explain_line(ground, A, B)
    assert (line.terrain, line.start, line.end) == ("wall", A[:2], B[:2])
    assert line.stop is not None
    assert abs(line.stop[0] - 28 * CM) <= 2


def test_a_wall_that_leaves_a_sliver_of_the_rim_is_not() -> None:
    ground = table(square("wall", "building", 28, 20, 30, 30))
    assert open_line(ground, A, B)
    line = explain_line(ground, A, B)
    assert line.terrain is None
    assert line.stop is None
    assert not crosses_polygon(line.start, line.end, ground.pieces[0].polygon)
    assert not open_line(table(square("wall", "building", 28, 20, 30, 32)), A, B)


def test_a_pit_and_woods_cut_nothing() -> None:
    assert open_line(table(square("pit", "impassable", 20, 20, 30, 40), square("wood", "woods", 31, 20, 40, 40)), A, B)


def test_the_centre_line_is_shown_where_it_is_clear() -> None:
    assert explain_line(table(), A, B)[:3] == (A[:2], B[:2], None)


def test_it_is_what_the_eighty_one_lines_say_and_the_same_both_ways() -> None:
    by = Random(5)
    seen = 0
    for _ in range(300):
        walls = []
        for n in range(3):
            x, y = by.randrange(15, 40), by.randrange(5, 50)
            walls.append(square(f"wall {n}", "building", x, y, x + by.randrange(1, 8), y + by.randrange(1, 9)))
        ground = table(*walls)
        a, b = [(by.randrange(2, 58) * CM, by.randrange(2, 58) * CM, CM) for _ in range(2)]
        if overlapping(a, b) or not stands(ground, a, ()) or not stands(ground, b, ()):
            continue
        rims = [[(d[0], d[1]), *(point_along((d[0], d[1]), to, d[2]) for to in directions(8))] for d in (a, b)]
        plain = any(
            not any(crosses_polygon(p, q, wall.polygon) for wall in walls) for p in rims[0] for q in rims[1]
        )  # fmt: skip
        assert open_line(ground, a, b) is plain is open_line(ground, b, a)
        assert (explain_line(ground, a, b).terrain is None) is plain
        seen += plain
    assert 60 < seen < 290
