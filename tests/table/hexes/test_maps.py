"""Maps of hexes: names, neighbours, distances, directions, and the plane that pictures use."""

from __future__ import annotations

import copy
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.table.hexes import CORNERS, Hex, HexMap, hex_map
from tests.table.hexes.slow import EVERYWHERE, ROUND, hexes_of_a_map, maps, name_of, pairs, slow_away, steps


def test_the_map_of_nine_rows_by_thirteen() -> None:
    assert len(EVERYWHERE.hexes) == 113
    assert EVERYWHERE.hexes[:2] == ("A1", "B1")
    assert EVERYWHERE.hexes[12:15] == ("M1", "A2", "B2")
    assert EVERYWHERE.hexes[-1] == "M9"
    assert "L8" in EVERYWHERE
    assert "M8" not in EVERYWHERE
    assert 5 not in EVERYWHERE


@given(maps)
def test_odd_rows_have_a_hex_for_each_column_and_even_rows_one_fewer(board_map: HexMap) -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXY"[: board_map.columns]
    named = [
        f"{letter}{row}" for row in range(1, board_map.rows + 1) for letter in (letters if row % 2 else letters[:-1])
    ]
    assert board_map.hexes == tuple(named)
    for hex in named:
        assert hex in board_map
        assert (board_map.row(hex), board_map.column(hex)) == (int(hex[1:]), letters.index(hex[0]))
        assert name_of(board_map.axial[hex]) == hex
    assert set(board_map.axial) == set(board_map.neighbours) == set(named)


@given(maps)
def test_the_neighbours_are_those_of_the_rulebook_in_the_order_of_the_compass(board_map: HexMap) -> None:
    for hex in board_map.hexes:
        column, row = ord(hex[0]), int(hex[1:])
        west = column - 1 if row % 2 else column
        east = west + 1
        around = (
            (column + 1, row), (east, row - 1), (west, row - 1), (column - 1, row), (west, row + 1), (east, row + 1),
        )  # fmt: skip
        assert board_map.neighbours[hex] == tuple(n for c, r in around if (n := f"{chr(c)}{r}") in board_map.hexes)
        north = tuple(n for n in board_map.neighbours[hex] if board_map.row(n) < row)
        south = tuple(n for n in board_map.neighbours[hex] if board_map.row(n) > row)
        assert (board_map.rows_on(hex, -1), board_map.rows_on(hex, 1)) == (north, south)


def breadth_first(board_map: HexMap, start: Hex) -> dict[Hex, int]:
    far = {start: 0}
    queue = [start]
    for here in queue:
        for there in board_map.neighbours[here]:
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return far


@pytest.mark.parametrize("size", [(9, 13), (5, 7), (15, 25), (15, 8), (5, 24)])
def test_the_distance_is_the_least_number_of_steps_between_any_two_hexes(size: tuple[int, int]) -> None:
    result = hex_map(*size)
    for a in result.hexes:
        assert {b: result.distance(a, b) for b in result.hexes} == result.distances(a) == breadth_first(result, a)


@pytest.mark.parametrize(("a", "b", "far"), [("E5", "G4", 3), ("A1", "M9", 16), ("D8", "D9", 1), ("E5", "E5", 0)])
def test_worked_distances(a: Hex, b: Hex, far: int) -> None:
    assert EVERYWHERE.distance(a, b) == EVERYWHERE.distance(b, a) == far


@pytest.mark.parametrize(
    ("source", "hex", "away"),
    [
        ("E5", "F5", ("G5",)),
        ("E5", "E4", ("F3",)),
        ("E5", "F3", ("F2",)),
        ("G5", "G3", ("G2", "F2")),
        ("E5", "G4", ("H4",)),
        ("L5", "M5", (None,)),
        ("B3", "A3", (None,)),
        ("A3", "A5", (None, "A6")),
        ("A5", "A3", ("A2", None)),
        ("G3", "G1", (None, None)),
        ("A1", "A1", ("B1", None, None, None, None, "A2")),
    ],
)
def test_worked_ways_straight_away(source: Hex, hex: Hex, away: tuple[Hex | None, ...]) -> None:
    assert EVERYWHERE.away(hex, source) == away


@pytest.mark.parametrize(
    ("source", "hex", "farther"),
    [
        ("E5", "G4", ("H4", "H3")),
        ("E5", "F5", ("G5", "F4", "F6")),
        ("L5", "M5", ()),
        ("L4", "M5", ("L6",)),
        ("B3", "A2", ("A1", "B1")),
        ("E5", "E5", ("F5", "E4", "D4", "D5", "D6", "E6")),
    ],
)
def test_worked_ways_farther(source: Hex, hex: Hex, farther: tuple[Hex, ...]) -> None:
    assert EVERYWHERE.farther(hex, source) == farther


def check_farther_and_away(board_map: HexMap, hex: Hex, source: Hex) -> None:
    slow = slow_away(board_map, hex, source)
    nearest = min(square for square, _ in slow)
    assert board_map.away(hex, source) == tuple(name for square, name in slow if square == nearest)
    ordered = sorted(slow, key=lambda item: item[0])
    assert board_map.farther(hex, source) == tuple(name for _, name in ordered if name is not None)


def test_what_leads_away_between_any_two_hexes_is_what_distances_from_the_line_say() -> None:
    for a, b in pairs(EVERYWHERE):
        check_farther_and_away(EVERYWHERE, a, b)
        check_farther_and_away(EVERYWHERE, b, a)


@given(hexes_of_a_map(2))
def test_what_leads_away_on_a_map_of_any_size(drawn: tuple[HexMap, list[Hex]]) -> None:
    result, (hex, source) = drawn
    check_farther_and_away(result, hex, source)


@given(hexes_of_a_map(2))
def test_what_leads_away_leads_farther(drawn: tuple[HexMap, list[Hex]]) -> None:
    result, (hex, source) = drawn
    far = result.distance(hex, source)
    farther = result.farther(hex, source)
    assert set(farther) == {there for there in result.neighbours[hex] if result.distance(there, source) > far}
    on_the_map = [there for there in result.away(hex, source) if there is not None]
    assert on_the_map == [there for there in farther if there in on_the_map]


@given(hexes_of_a_map(2))
def test_the_answers_do_not_change_when_they_are_kept(drawn: tuple[HexMap, list[Hex]]) -> None:
    result, (a, b) = drawn
    fresh = HexMap(result.rows, result.columns)
    for _ in range(2):
        assert fresh.distance(a, b) == result.distance(a, b) == steps(result.axial[a], result.axial[b])
        assert fresh.line(a, b) == result.line(a, b)
        assert fresh.away(a, b) == result.away(a, b)
        assert fresh.farther(a, b) == result.farther(a, b)


@given(maps)
def test_the_plane_of_pictures(board_map: HexMap) -> None:
    places = {hex: board_map.centre(hex) for hex in board_map.hexes}
    assert places[f"A{board_map.rows}"] == (866, 1000)
    touched: set[tuple[int, int]] = set()
    for hex, (x, y) in places.items():
        for other in board_map.neighbours[hex]:
            # Neighbouring hexes share the two ends of an edge.
            ox, oy = board_map.centre(other)
            mine = {(x + cx, y + cy) for cx, cy in CORNERS}
            assert len(mine & {(ox + cx, oy + cy) for cx, cy in CORNERS}) == 2
            east = (board_map.column(other), board_map.row(other) % 2 == 0) > (
                board_map.column(hex),
                board_map.row(hex) % 2 == 0,
            )
            assert (ox > x) == east
            assert (oy > y) == (board_map.row(other) < board_map.row(hex))
        touched |= {(x + cx, y + cy) for cx, cy in CORNERS}
    wide, high = [x for x, _ in touched], [y for _, y in touched]
    assert (min(wide), min(high)) == (0, 0)
    assert (max(wide), max(high)) == board_map.size


def test_the_worked_plane() -> None:
    assert EVERYWHERE.size == (13 * 1732, 8 * 1500 + 2000)
    assert EVERYWHERE.centre("A9") == (866, 1000)
    assert EVERYWHERE.centre("B8") == (3 * 866 + 866, 2500)
    assert CORNERS[0] == (0, 1000)


def test_maps_of_one_size_are_one_object_however_they_are_come_by() -> None:
    assert hex_map(rows=9, columns=13) is EVERYWHERE
    assert hex_map(9, 14) is not EVERYWHERE
    assert copy.deepcopy(EVERYWHERE) is EVERYWHERE
    assert pickle.loads(pickle.dumps(EVERYWHERE)) is EVERYWHERE
    assert repr(EVERYWHERE) == "hex_map(9, 13)"


@pytest.mark.parametrize(
    ("rows", "columns", "words"),
    [
        (8, 13, "odd number of rows from 5 to 15; this one has 8, and the nearest is 9"),
        (3, 13, "this one has 3, and the nearest is 5"),
        (17, 13, "this one has 17, and the nearest is 15"),
        (16, 13, "this one has 16, and the nearest is 15"),
        (-2, 13, "this one has -2, and the nearest is 5"),
        (9, 6, "7 to 25 columns; this one has 6, and the nearest is 7"),
        (9, 26, "7 to 25 columns; this one has 26, and the nearest is 25"),
    ],
)
def test_a_map_of_another_size_is_refused(rows: int, columns: int, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words) + "$"):
        hex_map(rows, columns)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("M8", "the nearest hex is L8"),
        ("Z99", "the nearest hex is M9"),
        ("C0", "the nearest hex is C1"),
        ("e5", "the nearest hex is E5"),
        (" E5", "the nearest hex is E5"),
        ("Y10", "the nearest hex is M9"),
        ("", "a hex is a letter and a number, from A1 to M9"),
        ("55", "a hex is a letter and a number, from A1 to M9"),
        ("E٥", "a hex is a letter and a number, from A1 to M9"),
    ],
)
def test_a_name_that_is_not_on_the_map_is_refused(name: str, words: str) -> None:
    assert name not in EVERYWHERE
    assert EVERYWHERE.fault(name).startswith(repr(name))
    for ask in (
        lambda: EVERYWHERE.row(name),
        lambda: EVERYWHERE.column(name),
        lambda: EVERYWHERE.centre(name),
        lambda: EVERYWHERE.rows_on(name, 1),
        lambda: EVERYWHERE.distance(name, "A1"),
        lambda: EVERYWHERE.distance("A1", name),
        lambda: EVERYWHERE.distances(name),
        lambda: EVERYWHERE.line(name, "A1"),
        lambda: EVERYWHERE.line("A1", name),
        lambda: EVERYWHERE.farther(name, "A1"),
        lambda: EVERYWHERE.farther("A1", name),
        lambda: EVERYWHERE.away(name, "A1"),
        lambda: EVERYWHERE.away("A1", name),
    ):
        with pytest.raises(ValueError, match=re.escape(words) + "$"):
            ask()


@pytest.mark.parametrize("towards", [0, 2, -3])
def test_the_next_row_is_to_the_north_or_to_the_south(towards: int) -> None:
    with pytest.raises(ValueError, match=f"this is {towards}$"):
        EVERYWHERE.rows_on("E5", towards)


@given(maps, st.integers(-1, 15), st.integers(0, 25))
def test_the_nearest_hex_of_a_refusal_is_on_the_map(board_map: HexMap, row: int, column: int) -> None:
    name = f"{chr(ord('A') + column)}{max(row, 0)}"
    if name not in board_map:
        nearest = board_map.fault(name).rsplit(" ", 1)[1]
        assert nearest in board_map
        assert abs(board_map.row(nearest) - max(row, 0)) + abs(board_map.column(nearest) - column) == min(
            abs(board_map.row(hex) - max(row, 0)) + abs(board_map.column(hex) - column) for hex in board_map.hexes
        )


def test_the_directions_go_round() -> None:
    result = EVERYWHERE
    q, r = result.axial["E5"]
    assert result.neighbours["E5"] == tuple(name_of((q + dq, r + dr)) for dq, dr in ROUND)
