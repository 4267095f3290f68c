"""Kinds of terrain as data."""

from __future__ import annotations

import pytest

from caltrop import InputError
from caltrop.table.measured import Going, Passage, TerrainKind, read_kinds
from tests.table.measured.scenes import KINDS


def test_a_kind_has_the_facts_of_its_row() -> None:
    assert KINDS["woods"] == TerrainKind("woods", rough=True, cover=True, obscures=True)
    assert list(KINDS) == ["woods", "built-up", "rough", "hill", "building", "impassable"]
    assert len(KINDS) == 6


def test_a_kind_is_drawn_by_its_look_or_its_name() -> None:
    assert [KINDS.look(KINDS[name]) for name in ("woods", "impassable")] == ["woods", "pit"]
    assert KINDS.words(KINDS["woods"]) == "Woods: slow, cover, obstruct sight"
    assert KINDS.look(TerrainKind("moon")) == "moon"
    assert KINDS.words(TerrainKind("moon")) == ""


def test_each_sort_of_mover_has_its_passage() -> None:
    assert KINDS.passage("tracks") == Passage((("woods", Going(factor=3)), ("built-up", Going(closed=True))))
    assert KINDS.passage("climber") == Passage((("impassable", Going(factor=4)),))
    assert KINDS.passage("bird") == Passage()
    assert KINDS.passage("tracks") is KINDS.passage("tracks")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bog:\n  wet: true\n", "2:.*wet"),
        ("bog:\n  going:\n    foot: {factor: 0}\n", "3:.*factor"),
        ("bog:\n  going:\n    foot: {speed: 2}\n", "3:.*speed"),
        ("bog:\n  cover: maybe\n", "2:.*cover"),
    ],
)
def test_what_a_file_says_wrongly_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_kinds(text)
