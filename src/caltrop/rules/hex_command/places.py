"""Places on the map: lines of sight, the ground under a unit, and sections."""

from __future__ import annotations

from functools import cache

from caltrop.engine import Refusal, guard, rule
from caltrop.engine.rule import HasBook
from caltrop.rules.hex_command.catalogue import Section, UnitClass
from caltrop.rules.hex_command.records import SOUTH, Battle, Unit
from caltrop.table.hexes import Hex, hex_map

# --- sight -----------------------------------------------------------------------------------------------------------


@rule("HX-S20", "HX-Q23", stages=("ground",))
def size_of(t: Battle, unit: Unit, at: Hex) -> int:
    """A unit's Size for sight does not change with its losses."""
    return unit.row.number("size")


@size_of.amended_by("HX-S34", stage="ground")
def a_hill_raises(size: int, t: Battle, unit: Unit, at: Hex) -> int:
    """A unit on a hill counts as one Size larger."""
    ground = t.ground(at)
    return size + ground.raises if ground.raises and ground.on else size


def _size(t: Battle, unit: Unit, at: Hex) -> int:
    sizes: dict[tuple[str, str | None], int] = t.book.scratch.setdefault("sizes", {})
    key = (unit.kind, t.field.terrain.get(at))
    size = sizes.get(key)
    if size is None:
        size = sizes[key] = size_of(t, unit, at)
    return size


@rule("HX-LOS-02", "HX-LOS-05", "HX-Q05", stages=("occupied",))
def height_of(t: Battle, hex: Hex, empty: bool) -> int:
    """Terrain in a hex counts for lines of sight as an obstacle of the terrain's Size."""
    ground = t.ground(hex)
    return ground.size if ground.size and ground.on else 0


@height_of.amended_by("HX-LOS-01", "HX-Q05", stage="occupied")
def who_stands_there_blocks(height: int, t: Battle, hex: Hex, empty: bool) -> int:
    """A unit and terrain in a hex obstruct lines of sight with the larger Size of both.

    An empty, open hex obstructs none.
    """
    standing = None if empty else t.unit_at(hex)
    return height if standing is None else max(height, _size(t, standing, hex))


@rule("HX-LOS-01", "HX-LOS-02", stages=("machines",))
def sees_past(t: Battle, height: int, hex: Hex, unit: Unit, at: Hex, target: Unit, target_at: Hex) -> bool:
    """A unit sees past a hex if both the unit and its target are larger than the obstacle in the hex."""
    return _size(t, unit, at) > height < _size(t, target, target_at)


@sees_past.amended_by("HX-LOS-03", "HX-LOS-04", "HX-Q06", stage="machines")
def god_machines_look_down(
    sees: bool, t: Battle, height: int, hex: Hex, unit: Unit, at: Hex, target: Unit, target_at: Hex
) -> bool:
    """A God Machine sees, and is seen, past an obstacle in the next hex that is at least two Sizes smaller than it."""
    if sees:
        return True
    for machine, place in ((unit, at), (target, target_at)):
        if (
            machine.row.unit_class == "god-machine"
            and height <= _size(t, machine, place) - 2
            and t.map.distance(place, hex) == 1
        ):
            return True
    return False


def _in_the_way(t: Battle, hex: Hex | None, unit: Unit, at: Hex, target: Unit, target_at: Hex) -> bool:
    if hex is None:
        return False
    standing = t.board.get(hex)
    if standing is None and hex not in t.field.terrain:
        return False
    height = height_of(t, hex, standing in (unit.id, target.id))
    return height > 0 and not sees_past(t, height, hex, unit, at, target, target_at)


def blockers(t: Battle, unit: Unit, at: Hex, target: Unit, target_at: Hex) -> tuple[Hex, ...]:
    """Return the hexes that block a line of sight, in order along the line.

    For a blocked edge, return both hexes beside the edge.
    """
    line = t.map.line(at, target_at)
    hexes = [hex for hex in line.through if _in_the_way(t, hex, unit, at, target, target_at)]
    for pair in line.along:
        if edge_blocks(t, pair, unit, at, target, target_at):
            hexes.extend([hex for hex in pair if hex is not None])
    return tuple(sorted(hexes, key=lambda hex: t.map.distance(at, hex)))


@rule("HX-Q05")
def edge_blocks(
    t: Battle, pair: tuple[Hex | None, Hex | None], unit: Unit, at: Hex, target: Unit, target_at: Hex
) -> bool:
    """A line along an edge is blocked only if the hexes on both sides block it."""
    return _in_the_way(t, pair[0], unit, at, target, target_at) and _in_the_way(t, pair[1], unit, at, target, target_at)


def sees(t: Battle, unit: Unit, at: Hex, target: Unit, target_at: Hex) -> bool:
    board, terrain = t.board, t.field.terrain
    line = t.map.line(at, target_at)
    for hex in line.through:
        if (hex in board or hex in terrain) and _in_the_way(t, hex, unit, at, target, target_at):
            return False
    for west, east in line.along:
        if (
            (west in board or west in terrain)
            and (east in board or east in terrain)
            and edge_blocks(t, (west, east), unit, at, target, target_at)
        ):
            return False
    return True


def in_words(t: Battle, hex: Hex) -> str:
    """Describe the obstacle in a hex: terrain or unit, whichever is larger."""
    standing, ground = t.unit_at(hex), t.ground(hex)
    if standing is None or size_of(t, standing, hex) < ground.size:
        return f"the {ground.title.lower()} at {hex}"
    return f"the {t.called(standing.id)} at {hex}"


# --- the ground ------------------------------------------------------------------------------------------------------

IMPASSABLE = guard("HX-S36", "impassable", "{hex} is {ground}, which nobody may enter")
NO_SWIMMER = guard("HX-S37", "water", "{hex} is water, which only God Machines may enter")
ON_FOOT_ONLY = guard("HX-S35", "citadel", "{hex} is a citadel, which only infantry and leaders may enter")
TOO_HEAVY = guard("HX-S38", "ford", "{hex} is a ford, which heavy and super heavy vehicles may not enter")


@rule("HX-Q34")
def class_on_ground(b: HasBook, unit: Unit) -> UnitClass:
    """For terrain, a Leader unit has the class in its row, and a single leader counts as infantry."""
    row = unit.row
    return (row.counts_as or "infantry") if row.is_leader else row.unit_class


@rule("HX-Q34")
def class_for_cards(t: Battle, unit: Unit) -> UnitClass | None:
    """For cards, a Leader unit has the class in its row, and a single leader has no class."""
    row = unit.row
    return (row.counts_as or None) if row.is_leader else row.unit_class


def barred(t: Battle, unit: Unit, hex: Hex) -> Refusal | None:
    """Return why a unit may not enter the ground of a hex, or None if it may. Occupied hexes are checked elsewhere."""
    ground = t.ground(hex)
    if ground.only_for is None and not ground.not_for:
        return None
    if ground.key == "spire":
        return IMPASSABLE.refuses(True, hex=hex, ground=ground.title.lower())
    if ground.key == "water":
        return NO_SWIMMER.refuses(class_on_ground(t, unit) != "god-machine", hex=hex)
    if ground.key == "citadel":
        return ON_FOOT_ONLY.refuses(unit.row.unit_class not in (ground.only_for or ()), hex=hex)
    return TOO_HEAVY.refuses(unit.kind in ground.not_for, hex=hex)


@rule("HX-S32", "HX-S33", "HX-S35", "HX-S37", "HX-S38", stages=("ground", "god-machines"))
def must_stop(t: Battle, unit: Unit, hex: Hex) -> bool:
    """A unit that enters some kinds of ground must stop there."""
    ground = t.ground(hex)
    return ground.stop and ground.on


def _classes(t: Battle, unit: Unit, hex: Hex) -> tuple[str, ...]:
    return (unit.row.unit_class,)


@must_stop.amended_by("HX-S30", "HX-S32", "HX-S33", stage="god-machines", trait="god-machine", of=_classes)
def god_machines_stride_over(stops: bool, t: Battle, unit: Unit, hex: Hex) -> bool:
    """God Machines do not stop in ground at least two Sizes smaller than they are, except in water."""
    ground = t.ground(hex)
    return stops and (ground.only_for is not None or ground.size > unit.row.number("size") - 2)


# --- sections of the map, from left to right --------------------------------------------------------------------------


@rule("HX-S10", "HX-S13", "HX-S14")
def sections_of(t: Battle, hex: Hex, side: int) -> tuple[Section, ...]:
    """A hex is in one section of the map, or in two if it is on a border. Sections are named from the side's left.

    With w columns, a flank has f = w / 3 columns in odd rows, rounded down. In even rows, the f-th hex from either side
    is on the border.
    """
    return _sections(t.field.rows, t.field.columns, side)[hex]


@cache
def _sections(rows: int, columns: int, side: int) -> dict[Hex, tuple[Section, ...]]:
    map, flank = hex_map(rows, columns), columns // 3
    west, east = ("left", "right") if side == SOUTH else ("right", "left")
    by_hex: dict[Hex, tuple[Section, ...]] = {}
    for hex in map.hexes:
        shifted = map.row(hex) % 2 == 0
        from_west = map.column(hex) + 1
        from_east = columns - shifted + 1 - from_west
        if shifted and flank in (from_west, from_east):
            border: Section = west if from_west == flank else east  # type: ignore[assignment]
            by_hex[hex] = (border, "centre") if border == "left" else ("centre", border)
        elif from_west <= flank:
            by_hex[hex] = (west,)  # type: ignore[assignment]
        elif from_east <= flank:
            by_hex[hex] = (east,)  # type: ignore[assignment]
        else:
            by_hex[hex] = ("centre",)
    return by_hex
