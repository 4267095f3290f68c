"""Lines from centre to centre: hexes that they cross and edges that they follow, equal in both directions, and the
worked examples.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings

from caltrop.table.hexes import CORNERS, Hex, HexLine, HexMap, hex_map
from tests.table.hexes.slow import EVERYWHERE, hexes_of_a_map, pairs, slow_line
from tests.tiers import examples


@pytest.mark.parametrize(
    ("a", "b", "through", "along"),
    [
        ("C5", "F5", ("D5", "E5"), ()),
        ("E5", "F7", ("E6",), ()),
        ("E5", "E7", (), (("D6", "E6"),)),
        ("E5", "E9", ("E7",), (("D6", "E6"), ("D8", "E8"))),
        ("E5", "G4", ("F5", "F4"), ()),
        ("E5", "F4", (), (("E4", "F5"),)),
        ("E5", "G5", ("F5",), ()),
        ("C5", "C5", (), ()),
        ("C5", "D5", (), ()),
        ("A1", "A5", ("A3",), ((None, "A2"), (None, "A4"))),
        ("M1", "M3", (), (("L2", None),)),
    ],
)
def test_worked_lines(
    a: Hex, b: Hex, through: tuple[Hex, ...], along: tuple[tuple[Hex | None, Hex | None], ...]
) -> None:
    # The order is that of the map, from the north-west corner.
    first, _ = sorted((a, b), key=EVERYWHERE.hexes.index)
    expected = HexLine(through, along) if first == a else HexLine(through[::-1], along[::-1])
    assert EVERYWHERE.line(a, b) == expected
    assert EVERYWHERE.line(b, a) == expected


def test_any_two_hexes_of_the_map_see_what_a_geometry_library_sees() -> None:
    # The plane of pictures is the true map stretched from west to east, so straight lines stay straight.
    result = EVERYWHERE
    names = [*result.hexes]
    cells = [shapely.Polygon([(x + cx, y + cy) for cx, cy in CORNERS]) for x, y in map(result.centre, names)]
    tree = shapely.STRtree(cells)
    asked = [(a, b) for a, b in pairs(result) if a != b]
    lines = np.array([shapely.LineString([result.centre(a), result.centre(b)]) for a, b in asked])
    which, cell = tree.query(lines)
    near = np.array(cells)[cell]
    inside = shapely.relate_pattern(lines[which], near, "T********")
    along = shapely.relate_pattern(lines[which], near, "F1*******")
    crossed: defaultdict[tuple[Hex, Hex], set[Hex]] = defaultdict(set)
    beside: defaultdict[tuple[Hex, Hex], set[Hex]] = defaultdict(set)
    for line, hex, is_inside, is_along in zip(which, cell, inside, along, strict=True):
        if is_inside and names[hex] not in asked[line]:
            crossed[asked[line]].add(names[hex])
        if is_along:
            beside[asked[line]].add(names[hex])
    for a, b in asked:
        line = result.line(a, b)
        assert set(line.through) == crossed[a, b]
        assert {hex for pair in line.along for hex in pair if hex is not None} == beside[a, b]


@settings(max_examples=examples(150))
@given(hexes_of_a_map(2))
def test_a_line_is_what_clipping_every_hex_finds_in_the_same_order(drawn: tuple[HexMap, list[Hex]]) -> None:
    result, (a, b) = drawn
    line = result.line(a, b)
    through, along = slow_line(result, a, b)
    assert list(line.through) == through
    assert list(line.along) == along


@pytest.mark.parametrize("size", [(9, 13), (15, 25)])
def test_a_line_goes_from_hex_to_hex_and_is_the_same_in_both_directions(size: tuple[int, int]) -> None:
    board_map = HexMap(*size)
    for first, last in pairs(board_map):
        line = board_map.line(first, last)
        assert line is board_map.line(last, first)
        chain = (first, *line.through, last) if first != last else (first,)
        if line.along:
            for (here, there), (west, east) in zip(pairwise(chain), line.along, strict=True):
                both = {*board_map.neighbours[here]} & {*board_map.neighbours[there]}
                assert {west, east} - {None} == both
                assert west is None or east is None or board_map.centre(west)[0] < board_map.centre(east)[0]
        else:
            assert all(there in board_map.neighbours[here] for here, there in pairwise(chain))


@given(hexes_of_a_map(2))
def test_a_mirror_image_of_a_line_meets_the_mirror_images(drawn: tuple[HexMap, list[Hex]]) -> None:
    result, (a, b) = drawn

    def turned(hex: Hex) -> Hex:
        """Return the hex after half a turn around the middle of the map. Every map has an odd number of rows."""
        return result.hexes[-1 - result.hexes.index(hex)]

    def mirrored(hex: Hex) -> Hex:
        """Return the hex in the same row, as far from the east as this one is from the west."""
        row = [other for other in result.hexes if result.row(other) == result.row(hex)]
        return row[-1 - row.index(hex)]

    line = result.line(a, b)
    for image in (turned, mirrored):
        other = result.line(image(a), image(b))
        assert {image(hex) for hex in line.through} == set(other.through)
        assert {frozenset(hex and image(hex) for hex in pair) for pair in line.along} == set(
            map(frozenset, other.along)
        )


def test_a_larger_map_draws_the_same_lines() -> None:
    small, large = EVERYWHERE, hex_map(15, 25)
    for a, b in pairs(small):
        if None not in [hex for pair in small.line(a, b).along for hex in pair]:
            here, there = small.line(a, b), large.line(a, b)
            assert here.through == there.through
            assert [pair for pair in there.along if None not in pair] == list(here.along)
