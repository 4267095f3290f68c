"""Tables, kinds of terrain, and what lies where."""

from __future__ import annotations

import msgspec
import pytest

from caltrop.table.measured import Ground, Table, Terrain, TerrainKind, ground_of
from tests.table.measured.scenes import KINDS


def square(x: int, y: int, size: int) -> tuple[tuple[int, int], ...]:
    return ((x, y), (x + size, y), (x + size, y + size), (x, y + size))


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("woods", {"rough", "cover", "obscures"}),
        ("built-up", {"rough", "cover"}),
        ("rough", {"rough"}),
        ("hill", {"blocks_sight"}),
        ("impassable", {"impassable"}),
        ("building", {"impassable", "blocks_sight"}),
    ],
)
def test_the_standard_kinds_do_what_they_say(name: str, flags: set[str]) -> None:
    kind = KINDS[name]
    assert kind.name == name
    assert {flag for flag in TerrainKind.__struct_fields__[1:] if getattr(kind, flag)} == flags


def test_there_are_six_standard_kinds() -> None:
    assert sorted(KINDS) == ["building", "built-up", "hill", "impassable", "rough", "woods"]


def test_a_table_is_data_that_survives_json() -> None:
    table = Table(6000, 4000, (Terrain("wood", KINDS["woods"], square(100, 100, 500)),))
    assert msgspec.json.decode(msgspec.json.encode(table), type=Table) == table


def test_equal_tables_share_one_ground() -> None:
    first = Table(6000, 4000, (Terrain("wood", KINDS["woods"], square(100, 100, 500)),))
    second = Table(6000, 4000, (Terrain("wood", KINDS["woods"], square(100, 100, 500)),))
    assert ground_of(first) is ground_of(second)
    assert ground_of(Table(6000, 4000)) is not ground_of(first)


def test_terrain_without_area_is_refused() -> None:
    with pytest.raises(ValueError, match="enclose an area"):
        Terrain("line", KINDS["rough"], ((0, 0), (100, 0), (200, 0)))
    with pytest.raises(ValueError, match="'point' needs three corners"):
        Terrain("point", KINDS["rough"], ((0, 0), (100, 0)))


def test_tables_without_area_and_pieces_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="width and a height above 0"):
        Table(0, 100)
    piece = Terrain("a", KINDS["rough"], square(0, 0, 10))
    with pytest.raises(ValueError, match="same id"):
        Table(100, 100, (piece, piece))


def test_a_point_on_the_edge_is_in_and_a_disc_on_the_edge_is_not() -> None:
    ground = Ground(
        Table(
            6000,
            4000,
            (
                Terrain("wood", KINDS["woods"], square(1000, 1000, 500)),
                Terrain("bog", KINDS["rough"], square(0, 0, 1000)),
            ),
        )
    )
    assert ground.terrain_at((1000, 1000)) == ("wood", "bog")
    assert ground.terrain_at((1501, 1200)) == ()
    assert ground.in_cover((1500, 1500))
    assert not ground.in_cover((999, 1200))
    assert ground.terrain_under((1650, 1200, 150)) == ()
    assert ground.terrain_under((1649, 1200, 150)) == ("wood",)
