"""Tables, kinds of terrain, and places of terrain."""

from __future__ import annotations

import msgspec
import pytest

from caltrop.geometry import Hull
from caltrop.table.measured import (
    Leg,
    Table,
    TableGround,
    Terrain,
    TerrainKind,
    drive_fault,
    ground_of,
    is_open,
    path_fault,
    stands,
)
from caltrop.table.measured.terrain import LARGEST
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
    assert Table(LARGEST, 1).width == LARGEST
    with pytest.raises(ValueError, match="sides of 30000 at most; this one is 9 by 30001"):
        Table(9, LARGEST + 1)
    with pytest.raises(ValueError, match="width and a height above 0"):
        Table(0, 100)
    piece = Terrain("a", KINDS["rough"], square(0, 0, 10))
    with pytest.raises(ValueError, match="same id"):
        Table(100, 100, (piece, piece))


def test_a_point_on_the_edge_is_in_and_a_disc_on_the_edge_is_not() -> None:
    ground = TableGround(
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


def test_an_opened_edge_lets_bases_and_hulls_come_and_go_and_the_others_stay_closed() -> None:
    closed = ground_of(Table(3000, 2000, (Terrain("hut", KINDS["building"], square(1000, 100, 300)),)))
    south = closed.opened(south=400)
    assert path_fault(south, ((500, 0), (500, 800)), 100, ()) is None
    assert path_fault(closed, ((500, 0), (500, 800)), 100, ()) is not None
    for edge in ((0, 1000), (3000, 1000), (1500, 2000)):
        assert not stands(south, (*edge, 100), ())
    assert drive_fault(south, Hull(500, 400, 300, 150, (0, 1)), (Leg((500, 0), (0, 1)),), ()) is None
    assert drive_fault(closed, Hull(500, 400, 300, 150, (0, 1)), (Leg((500, 0), (0, 1)),), ()) is not None
    hit = path_fault(south, ((1150, 0), (1150, 800)), 100, ())
    assert hit is not None
    assert hit.terrain == "hut"
    assert is_open(south, (0, -400, 900, 800))
    assert not is_open(south, (0, -401, 900, 800))
    assert not is_open(closed, (0, -1, 900, 800))


@pytest.mark.parametrize("edge", ["west", "south", "east", "north"])
def test_each_edge_is_opened_by_itself(edge: str) -> None:
    ground = ground_of(Table(3000, 2000)).opened(**{edge: 250})
    beyond = {"west": (-100, 900), "south": (900, -100), "east": (3100, 900), "north": (900, 2100)}
    assert [name for name, place in beyond.items() if stands(ground, (*place, 100), ())] == [edge]
    assert ground.with_solid(((50, 50, 10),)).box == ground.box
