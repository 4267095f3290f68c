"""The sections of the map."""

from __future__ import annotations

import pytest

from caltrop.rules.hex_command.places import sections_of
from tests.rules.hex_command.tables import battle


@pytest.mark.clause("HX-S10", "HX-S13", "HX-S14")
def test_the_usual_map_has_four_columns_on_each_flank_and_borders_in_even_rows() -> None:
    t = battle()
    rows = {
        row: ["".join(s[0] for s in sections_of(t, hex, 0)) for hex in t.map.hexes if t.map.row(hex) == row]
        for row in (1, 2)
    }
    assert rows[1] == ["l"] * 4 + ["c"] * 5 + ["r"] * 4
    assert rows[2] == ["l"] * 3 + ["lc"] + ["c"] * 4 + ["cr"] + ["r"] * 3


@pytest.mark.clause("HX-S14")
def test_left_and_right_are_as_each_side_sees_them() -> None:
    t = battle()
    assert sections_of(t, "A5", 0) == ("left",)
    assert sections_of(t, "A5", 1) == ("right",)
    assert sections_of(t, "D8", 0) == ("left", "centre")
    assert sections_of(t, "D8", 1) == ("centre", "right")
    assert sections_of(t, "G5", 0) == sections_of(t, "G5", 1) == ("centre",)


@pytest.mark.clause("HX-S13", "HX-Q03")
@pytest.mark.parametrize(
    ("size", "odd", "even"),
    [
        ((5, 7), "llcccrr", "l#cc#r"),
        ((7, 9), "lllcccrrr", "ll#cc#rr"),
        ((7, 11), "lllcccccrrr", "ll#cccc#rr"),
        ((9, 15), "lllllcccccrrrrr", "llll#cccc#rrrr"),
        ((11, 17), "lllllcccccccrrrrr", "llll#cccccc#rrrr"),
        ((15, 25), "llllllllcccccccccrrrrrrrr", "lllllll#cccccccc#rrrrrrr"),
    ],
)
def test_maps_of_other_sizes_have_a_third_on_each_flank(size: tuple[int, int], odd: str, even: str) -> None:
    t = battle(size=size)
    for row, expected in ((1, odd), (2, even), (size[0], odd)):
        sections = [sections_of(t, hex, 0) for hex in t.map.hexes if t.map.row(hex) == row]
        assert "".join(s[0][0] if len(s) == 1 else "#" for s in sections) == expected
