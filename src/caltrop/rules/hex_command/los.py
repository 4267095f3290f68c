"""Line of sight: what a line between two hexes meets, and who sees over it.

Places are given, so that it can be asked from a hex where a unit does not stand yet; then it is not in its own way
where it stands now. A unit's own hex and that of its target never block.
"""

from __future__ import annotations

from caltrop.engine import rule
from caltrop.rules.hex_command.records import Battle, Unit
from caltrop.table.hexes import Hex


@rule("HX-S20", "HX-Q23", stages=("ground",))
def size_of(t: Battle, unit: Unit, at: Hex) -> int:
    """The Size of a unit for sight, which its losses do not change."""
    return unit.row.number("size")


@size_of.amended_by("HX-S34", stage="ground")
def a_hill_raises(size: int, t: Battle, unit: Unit, at: Hex) -> int:
    """A unit on a hill counts as larger by one."""
    ground = t.ground(at)
    return size + ground.raises if ground.raises and ground.on else size


def _size(t: Battle, unit: Unit, at: Hex) -> int:
    """The same, worked out once a match for each kind of unit and ground."""
    sizes: dict[tuple[str, str | None], int] = t.book.scratch.setdefault("sizes", {})
    key = (unit.kind, t.field.terrain.get(at))
    size = sizes.get(key)
    if size is None:
        size = sizes[key] = size_of(t, unit, at)
    return size


@rule("HX-LOS-02", "HX-LOS-05", "HX-Q05", stages=("occupied",))
def height_of(t: Battle, hex: Hex, empty: bool) -> int:
    """The size of a hex that sight must get through: that of its terrain.

    Args:
        t: The battle.
        hex: The hex.
        empty: Whether a unit there does not count.
    """
    ground = t.ground(hex)
    return ground.size if ground.size and ground.on else 0


@height_of.amended_by("HX-LOS-01", "HX-Q05", stage="occupied")
def who_stands_there_blocks(height: int, t: Battle, hex: Hex, empty: bool) -> int:
    """A hex that holds a unit is as large as the larger of unit and terrain; one that holds neither blocks nothing."""
    standing = None if empty else t.unit_at(hex)
    return height if standing is None else max(height, _size(t, standing, hex))


@rule("HX-LOS-01", "HX-LOS-02", stages=("machines",))
def sees_past(t: Battle, height: int, hex: Hex, unit: Unit, at: Hex, target: Unit, target_at: Hex) -> bool:
    """Both ends have to be larger than a hex that sight goes through."""
    return _size(t, unit, at) > height < _size(t, target, target_at)


@sees_past.amended_by("HX-LOS-03", "HX-LOS-04", "HX-Q06", stage="machines")
def god_machines_look_down(
    sees: bool, t: Battle, height: int, hex: Hex, unit: Unit, at: Hex, target: Unit, target_at: Hex
) -> bool:
    """A God Machine sees, and is seen, through a hex next to it that is smaller than it is by two sizes or more."""
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
    """Whether sight does not get through a hex; off the map nothing is in the way."""
    if hex is None:
        return False
    standing = t.board.get(hex)
    if standing is None and hex not in t.field.terrain:
        return False
    height = height_of(t, hex, standing in (unit.id, target.id))
    return height > 0 and not sees_past(t, height, hex, unit, at, target, target_at)


def blockers(t: Battle, unit: Unit, at: Hex, target: Unit, target_at: Hex) -> tuple[Hex, ...]:
    """The hexes that block sight, in the order of the line; of an edge that is blocked the hexes on both sides.

    Args:
        t: The battle.
        unit: The unit that looks.
        at: From where.
        target: The unit looked at.
        target_at: Where that is.
    """
    line = t.map.line(at, target_at)
    found = [hex for hex in line.through if _in_the_way(t, hex, unit, at, target, target_at)]
    for pair in line.along:
        if edge_blocks(t, pair, unit, at, target, target_at):
            found.extend([hex for hex in pair if hex is not None])
    return tuple(sorted(found, key=lambda hex: t.map.distance(at, hex)))


@rule("HX-Q05")
def edge_blocks(
    t: Battle, pair: tuple[Hex | None, Hex | None], unit: Unit, at: Hex, target: Unit, target_at: Hex
) -> bool:
    """A line along an edge is blocked only if the hexes on both sides block."""
    return _in_the_way(t, pair[0], unit, at, target, target_at) and _in_the_way(t, pair[1], unit, at, target, target_at)


def sees(t: Battle, unit: Unit, at: Hex, target: Unit, target_at: Hex) -> bool:
    """Whether a unit at one hex has a line of sight to another at its hex."""
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
    """What is in the way in a hex, in words: the larger of terrain and unit."""
    standing, ground = t.unit_at(hex), t.ground(hex)
    if standing is None or size_of(t, standing, hex) < ground.size:
        return f"{ground.title.lower()} at {hex}"
    return f"the {t.called(standing.id)} at {hex}"
