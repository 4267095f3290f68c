"""Terrain that limits the depth of sight, and pieces that appear on a table and disappear."""

from __future__ import annotations

import random
from fractions import Fraction
from math import cos, pi, sin

import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from caltrop.geometry import INCH, Body, Disc, Hull, Point, crosses_polygon, fan_of_lines, segment_enters
from caltrop.table.measured import Fan, Table, TableGround, Terrain, TerrainKind, explain_look, ground_of, look
from caltrop.table.measured.corridor import (
    Corridor,
    CorridorPiece,
    Deep,
    _leaves_within,
    crossings,
    cut_by_depth,
    is_convex,
    stretches,
)
from tests.table.measured.scenes import NINE, SIZE, discs, polygons
from tests.tiers import examples

WOODS = TerrainKind("woods", blocks_sight=True, sees_into=2 * INCH, sees_inside=4 * INCH)
BUILDING = TerrainKind("building", blocks_sight=True, sees_into=1 * INCH)
SMOKE = TerrainKind("smoke", obscures=True)
CENTRES = Fan(points=1, obstructed_from=1)
POINT = 0
"""The radius of a base without extent, so that depths are measured between centres."""

points = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE))


def strip(kind: TerrainKind, *more: Terrain) -> TableGround:
    """Return a strip of ground from 2000 to 4000 across the table."""
    ring = ((2000, 0), (4000, 0), (4000, SIZE), (2000, SIZE))
    return TableGround(Table(SIZE, SIZE, (Terrain("strip", kind, ring), *more)))


def sees(ground: TableGround, a: int, b: int) -> bool:
    """Return whether a point on a line sees another point on it."""
    result = look(ground, CENTRES, (a, 3000, POINT), (b, 3000, POINT), ()).seen
    assert result == look(ground, CENTRES, (b, 3000, POINT), (a, 3000, POINT), ()).seen
    return result


@pytest.mark.parametrize(
    ("a", "b", "seen"),
    [
        (500, 2000 + 2 * INCH, True),
        (500, 2001 + 2 * INCH, False),
        (2100, 2100 + 4 * INCH, True),
        (2100, 2101 + 4 * INCH, False),
        (500, 5000, False),
        (500, 1999, True),
        (3900, 5000, True),
    ],
)
def test_one_sees_so_far_into_woods_so_far_in_them_and_never_through(a: int, b: int, seen: bool) -> None:
    assert sees(strip(WOODS), a, b) is seen


def test_inside_a_building_one_sees_everywhere_and_out_of_it_from_its_walls() -> None:
    ground = strip(BUILDING)
    assert sees(ground, 2050, 3950)
    assert sees(ground, 2000 + INCH, 500)
    assert not sees(ground, 2001 + INCH, 500)


def test_two_pieces_are_two_depths() -> None:
    """Bases near the edges of two neighbouring woods see each other."""
    other = Terrain("other", WOODS, ((4500, 0), (5500, 0), (5500, SIZE), (4500, SIZE)))
    ground = strip(WOODS, other)
    assert sees(ground, 3900, 4600)
    assert not sees(ground, 3900, 5100)
    assert not sees(ground, 1900, 4600), "never through the first"


def test_a_line_that_is_stopped_by_depth_names_what_stops_it() -> None:
    words = explain_look(strip(WOODS), CENTRES, (500, 3000, POINT), (2600, 3000, POINT), ())
    assert not words.look.seen
    assert words.lines[0].terrain == "strip"


@settings(max_examples=examples(300))
@given(polygons(), points, points, st.integers(1, 2000), st.integers(1, 2000))
def test_depth_is_the_length_in_the_piece(ring: tuple[Point, ...], a: Point, b: Point, into: int, inside: int) -> None:
    assume(a != b)
    shape, line = shapely.Polygon(ring), shapely.LineString([a, b])
    part = line.intersection(shape)
    parts = [p for p in getattr(part, "geoms", [part]) if p.length > 1e-6]
    # Other tests cover lines along an edge and lengths at exactly the limit.
    assume(not line.relate_pattern(shape.boundary, "1********"))
    ends = [shape.contains(shapely.Point(p)) for p in (a, b)]
    assume(all(shape.boundary.distance(shapely.Point(p)) > 0.01 for p in (a, b)))
    expected = False
    for p in parts:
        touches = [p.distance(shapely.Point(q)) < 1e-6 and e for q, e in zip((a, b), ends, strict=True)]
        limit = inside if all(touches) else into if any(touches) else -1
        assume(abs(p.length - limit) > 0.01)
        expected = expected or p.length > limit
    piece = CorridorPiece((0, 0, SIZE, SIZE), (0, 0, 9 * SIZE), ring, "p", True)
    assert cut_by_depth(a, b, piece, Deep(into, inside)) == expected


@settings(max_examples=examples(300))
@given(st.tuples(st.integers(500, 5500), st.integers(500, 5500), st.integers(200, 2000)), points, points,
       st.integers(1, 2000), st.integers(1, 2000))  # fmt: skip
def test_depth_in_a_circle_is_the_length_in_it(c: Disc, a: Point, b: Point, into: int, inside: int) -> None:
    assume(a != b)
    piece = CorridorPiece((c[0] - c[2], c[1] - c[2], c[0] + c[2], c[1] + c[2]), c, (), "c", True)
    square = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
    expected = False
    for start, end in stretches(a, b, piece):
        limit = -1 if start > 0 and end < 1 else inside if start == 0 and end == 1 else into
        length = float(end - start) * square**0.5
        assume(abs(length - limit) > 0.01)
        expected = expected or length > limit
    assert cut_by_depth(a, b, piece, Deep(into, inside)) == expected


circles: st.SearchStrategy[Disc] = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE), st.integers(200, 2000))


@given(circles, st.lists(circles, max_size=3))
def test_what_comes_and_goes_leaves_the_ground_as_it_was(first: Disc, more: list[Disc]) -> None:
    table = strip(WOODS).table
    clouds = tuple(Terrain(f"smoke {n}", SMOKE, circle=c) for n, c in enumerate([first, *more]))
    with_all, without = ground_of(table, clouds), ground_of(table)
    assert with_all is ground_of(table, clouds)
    assert without is ground_of(table, ())
    assert [p.id for p in with_all.pieces] == ["strip", *(c.id for c in clouds)]
    assert [p.id for p in without.pieces] == ["strip"]
    assert ground_of(table, clouds[1:]).sight_pieces == tuple(p for p in with_all.sight_pieces if p.id != "smoke 0")


def test_smoke_is_crossed_and_cuts_nothing() -> None:
    cloud = Terrain("cloud", SMOKE, circle=(3000, 3000, 3 * INCH))
    ground = ground_of(Table(SIZE, SIZE), (cloud,))
    through = look(ground, CENTRES, (1000, 3000, POINT), (5000, 3000, POINT), ())
    assert (through.seen, through.clear) == (True, False)
    past = look(ground, CENTRES, (1000, 3763, POINT), (5000, 3763, POINT), ())
    assert (past.seen, past.clear) == (True, True)


hulls: st.SearchStrategy[Hull] = st.builds(
    Hull,
    st.integers(0, SIZE),
    st.integers(0, SIZE),
    st.integers(50, 400),
    st.integers(50, 400),
    st.sampled_from([(0, 1), (1, 0), (3, 4), (-5, 2), (-1, -1)]),
)


@settings(max_examples=examples(200))
@given(st.one_of(discs, hulls), st.one_of(discs, hulls), st.lists(st.one_of(discs, hulls), max_size=4))
def test_hulls_see_and_block_as_their_outlines_do(a: Body, b: Body, blockers: list[Body]) -> None:
    ground = TableGround(Table(SIZE, SIZE))
    result, back = look(ground, NINE, a, b, blockers), look(ground, NINE, b, a, blockers)
    assert (result.cut, result.crossed) == (back.cut, back.crossed)
    cut = 0
    for number, (p, q) in enumerate(fan_of_lines(a, b, NINE.points)):
        for body in blockers:
            met = (
                crosses_polygon(p, q, body.corners)
                if isinstance(body, Hull)
                else segment_enters(p, q, (body[0], body[1]), body[2])
            )
            cut |= met << number
    assert result.cut_lines == cut
    words = explain_look(ground, NINE, a, b, blockers)
    assert words.look == result
    for line in words.lines:
        assert (line.disc is not None) == line.cut


def test_a_tank_hides_who_stands_behind_it() -> None:
    ground, tank = TableGround(Table(SIZE, SIZE)), Hull(3000, 3000, 381, 190, (0, 1))
    assert not look(ground, NINE, (1000, 3000, 76), (3300, 3000, 76), (tank,)).seen
    assert look(ground, NINE, (1000, 3000, 76), (3300, 3600, 76), (tank,)).seen


def test_a_hull_looks_from_its_centre_and_its_outermost_corners() -> None:
    lines = fan_of_lines(Hull(0, 0, 381, 190, (0, 1)), (2000, 0, 76), 3)
    assert {p for p, _ in lines} == {(0, 0), (190, 381), (190, -381)}


def test_a_way_out_is_found_from_a_place_next_to_the_border() -> None:
    """Twice the area between the place and the edge is 1, the smallest positive whole number."""
    wedge = CorridorPiece((0, 0, 4, 8), (0, 0, 9), ((0, 0), (4, 1), (0, 8)), "w", True)
    assert _leaves_within((3, 1), (0, -10), 100, wedge, 1)
    assert not _leaves_within((1, 5), (0, -10), 100, wedge, 1)


def test_a_clockwise_ring_with_a_corner_that_is_none_is_convex() -> None:
    assert is_convex(((0, 0), (0, 9), (9, 9), (9, 4), (9, 0)))
    assert not is_convex(((0, 0), (0, 9), (9, 9), (6, 4), (9, 0)))


@pytest.mark.parametrize("turned", [False, True])
def test_what_reaches_into_the_strip_between_two_bases_is_looked_at(turned: bool) -> None:
    """One base is a hundredth aside, so that the strip between the bases is slightly slanted and a long piece reaches
    into it.
    """
    ours: Disc = (5000, 0, 200)
    theirs: Disc = (4999, 20_000, 200)
    box = (5199, 1000, 6000, 50_000)
    if turned:
        ours, theirs, box = (0, 5000, 200), (20_000, 4999, 200), (1000, 5199, 50_000, 6000)
    x0, y0, x1, y1 = box
    piece = CorridorPiece(box, (x0, y0, 99_999), ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), "wall", True)
    assert Corridor([piece], [ours], [theirs], [], 9).pieces == [piece]


def test_a_line_meets_the_border_of_a_piece_between_its_ends_alone() -> None:
    ring = ((1000, 0), (2000, 0), (2000, 1000), (1000, 1000))
    piece = CorridorPiece((1000, 0, 2000, 1000), (1500, 500, 1000), ring, "wall", True)
    parts = [Fraction(*part) for part in crossings((0, 500), (3000, 500), piece)]
    assert sorted(parts) == [Fraction(1, 3), Fraction(2, 3)]
    assert crossings((0, 500), (1000, 500), piece) == [], "a line that ends on the border"
    assert crossings((1000, 500), (1900, 500), piece) == [], "a line that begins on it"


def test_depth_is_exact_where_lines_touch_corners() -> None:
    """On a coarse grid, many lines touch corners, run along edges, or are exactly as long as the limit."""
    drawn, compared = random.Random(1), 0
    while compared < 4000:
        turns = [2 * pi * (corner + drawn.random()) / 7 for corner in range(7)]
        far = [drawn.uniform(1, 7) for _ in turns]
        ring = tuple([(round(r * cos(turn)), round(r * sin(turn))) for r, turn in zip(far, turns, strict=True)])
        a, b = [(drawn.randint(-7, 7), drawn.randint(-7, 7)) for _ in "ab"]
        into, inside = drawn.choices(range(1, 8), k=2)
        piece = CorridorPiece((-7, -7, 7, 7), (0, 0, 10), ring, "p", True)
        spans = [] if is_convex(ring) or a == b else stretches(a, b, piece)
        if spans and shapely.Polygon(ring).is_valid:
            square = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
            limits = [-1 if start and end < 1 else into if start or end < 1 else inside for start, end in spans]
            parts = [(end - start) ** 2 * square for start, end in spans]
            expected = any(limit < 0 or part > limit**2 for part, limit in zip(parts, limits, strict=True))
            assert cut_by_depth(a, b, piece, Deep(into, inside)) == expected
            compared += 1
