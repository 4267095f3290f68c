"""Paths over hexes are shortest, avoid closed hexes, and are always the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.table.hexes import Hex, HexMap, hex_map, reach, way
from tests.table.hexes.slow import EVERYWHERE
from tests.tiers import examples

SMALL = hex_map(5, 7)

kinds = st.lists(st.sampled_from([1, 1, 1, 0, 2]), min_size=len(SMALL.hexes), max_size=len(SMALL.hexes))
places = st.sampled_from(SMALL.hexes)


def everywhere(hex: Hex) -> int:
    return 1


def all_ways(board_map: HexMap, start: Hex, steps: int, ground: dict[Hex, int]) -> Iterator[tuple[Hex, ...]]:
    """Return every path of at most this many steps, ordered by the neighbours at the first difference."""
    yield ()
    if steps > 0:
        for there in board_map.neighbours[start]:
            if ground[there]:
                for rest in all_ways(board_map, there, steps - 1 if ground[there] == 1 else 0, ground):
                    yield (there, *rest)


@settings(max_examples=examples(60))
@given(places, st.integers(0, 4), kinds)
def test_what_is_reached_is_what_trying_every_way_reaches(start: Hex, steps: int, kind: list[int]) -> None:
    ground = dict(zip(SMALL.hexes, kind, strict=True))
    best: dict[Hex, tuple[Hex, ...]] = {}
    for one in all_ways(SMALL, start, steps, ground):
        end = one[-1] if one else start
        if end not in best or len(one) < len(best[end]):
            best[end] = one
    result = reach(SMALL, start, steps, ground.__getitem__)
    assert result == {end: len(one) for end, one in best.items()}
    assert list(result.values()) == sorted(result.values())
    for end in SMALL.hexes:
        assert way(SMALL, start, end, steps, ground.__getitem__) == best.get(end)


@given(places, places, st.integers(0, 40), kinds)
def test_a_way_is_as_long_as_what_is_reached_and_a_way_to_walk(
    start: Hex, end: Hex, steps: int, kind: list[int]
) -> None:
    ground = dict(zip(SMALL.hexes, kind, strict=True))
    result = reach(SMALL, start, steps, ground.__getitem__)
    one = way(SMALL, start, end, steps, ground.__getitem__)
    assert (one is None) == (end not in result)
    if one is not None:
        assert len(one) == result[end] <= steps
        assert all(there in SMALL.neighbours[here] for here, there in zip((start, *one), one, strict=False))
        assert all(ground[hex] == 1 for hex in one[:-1])
        assert not one or (ground[one[-1]] != 0 and one[-1] == end)


@given(st.sampled_from(EVERYWHERE.hexes), st.integers(-1, 18))
def test_open_ground_is_reached_by_distance(start: Hex, steps: int) -> None:
    near = {hex: EVERYWHERE.distance(start, hex) for hex in EVERYWHERE.hexes}
    assert reach(EVERYWHERE, start, steps, everywhere) == {
        hex: far for hex, far in near.items() if far <= max(steps, 0)
    }


def test_no_hex_is_asked_about_twice_and_the_start_never() -> None:
    asked: list[Hex] = []

    def enter(hex: Hex) -> int:
        asked.append(hex)
        return 0 if hex == "F4" else 1

    assert reach(EVERYWHERE, "E5", 3, enter).keys() == {"E5", *asked} - {"F4"}
    assert "E5" not in asked
    assert "F4" in asked
    assert len(asked) == len(set(asked))
    del asked[:]
    assert way(EVERYWHERE, "E5", "F5", 9, enter) == ("F5",)
    assert len(asked) == 6


def test_a_way_that_parts_goes_east_first() -> None:
    assert way(EVERYWHERE, "E5", "G4", 3, everywhere) == ("F5", "G5", "G4")
    assert way(EVERYWHERE, "G4", "E5", 3, everywhere) == ("F4", "E4", "E5")
    assert way(EVERYWHERE, "E5", "G4", 2, everywhere) is None
    assert way(EVERYWHERE, "E5", "E5", 0, everywhere) == ()


def test_a_hex_that_ends_the_way_is_reached_and_not_left() -> None:
    wall = {"C1": 2, "B2": 2, "C3": 2, "B4": 2, "C5": 2}
    result = reach(SMALL, "A3", 9, lambda hex: wall.get(hex, 1))
    assert set(wall) <= set(result)
    assert {SMALL.column(hex) for hex in result} == {0, 1, 2}


@pytest.mark.parametrize("wrong", [3, -1])
def test_another_answer_than_no_yes_or_the_last_is_refused(wrong: int) -> None:
    with pytest.raises(ValueError, match=f"entering F5 is .*; here it is {wrong}$"):
        reach(EVERYWHERE, "E5", 2, lambda hex: wrong)


def test_ends_that_are_not_on_the_map_are_refused() -> None:
    words = re.escape("the nearest hex is L8") + "$"
    with pytest.raises(ValueError, match=words):
        reach(EVERYWHERE, "M8", 2, everywhere)
    with pytest.raises(ValueError, match=words):
        way(EVERYWHERE, "M8", "E5", 2, everywhere)
    with pytest.raises(ValueError, match=words):
        way(EVERYWHERE, "E5", "M8", 2, everywhere)
