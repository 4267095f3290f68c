"""Turn, mirror, resize and randomly place hexes in the notation of scenarios, such as `A5-D5 F5`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot

from caltrop.chance import Seeded
from caltrop.engine.parts import Flip, Lot
from caltrop.errors import InputError
from caltrop.table.hexes import Hex, HexMap, hex_map

Size = tuple[int, int]
"""Rows, and hexes in an odd row."""


def map_of(size: Size) -> HexMap:
    """Return the map of hexes of a size. Raises InputError if there is none; the nearest number is named."""
    try:
        return hex_map(*size)
    except (ValueError, TypeError) as error:
        raise InputError(str(error), field="map") from None


def hexes_of(text: str, map: HexMap) -> list[Hex]:
    hexes: dict[Hex, None] = {}
    for word in str(text).split():
        first, _, last = word.partition("-")
        last = last or first
        if first in map and last in map and map.row(first) == map.row(last):
            row = [hex for hex in map.hexes if map.row(hex) == map.row(first)]
            hexes.update(dict.fromkeys(row[map.column(first) : map.column(last) + 1]))
    return list(hexes)


def spelled_hexes(hexes: Sequence[Hex], map: HexMap) -> str:
    """Return hexes in the notation of scenarios, in the order of the map, with ranges for three or more in a row.

    >>> spelled_hexes(["C5", "A5", "B5", "F5"], hex_map(9, 13))
    'A5-C5 F5'
    """
    order = {hex: i for i, hex in enumerate(map.hexes)}
    runs: list[list[Hex]] = []
    for hex in sorted(set(hexes), key=order.__getitem__):
        if runs and map.row(runs[-1][-1]) == map.row(hex) and map.column(runs[-1][-1]) + 1 == map.column(hex):
            runs[-1].append(hex)
        else:
            runs.append([hex])
    return " ".join([f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs])


def image_of(hex: Hex, map: HexMap, flip: Flip) -> Hex:
    """Return the image of a hex when the map is turned or mirrored.

    >>> image_of("B2", hex_map(9, 13), Flip(x=True, y=True))
    'K8'
    """
    row, column = map.row(hex), map.column(hex)
    row = map.rows + 1 - row if flip.y else row
    there = [one for one in map.hexes if map.row(one) == row]
    return there[len(there) - 1 - column if flip.x else column]


def half_of(hex: Hex, map: HexMap, flip: Flip) -> int:
    """Return -1 for a hex in the half of the first side, 1 in that of the second, 0 for one that is its own image.

    The first side of a map begins in the south, where rows have the highest numbers.
    """
    other = image_of(hex, map, flip)
    if other == hex:
        return 0
    if map.row(hex) != map.row(other):
        return -1 if map.row(hex) > map.row(other) else 1
    return -1 if map.column(hex) < map.column(other) else 1


class WrittenHexes:
    """Functions on the hexes of a scenario (`caltrop.engine.parts.HexText`)."""

    def turned(self, text: str, size: Size, flip: Flip) -> str:
        map = map_of(size)
        return spelled_hexes([image_of(hex, map, flip) for hex in hexes_of(text, map)], map)

    def half(self, text: str, size: Size, flip: Flip, stays: int) -> str:
        """Return the hexes that are in one half or are their own image."""
        map = map_of(size)
        return spelled_hexes([hex for hex in hexes_of(text, map) if half_of(hex, map, flip) in (stays, 0)], map)

    def both(self, text: str, size: Size, flip: Flip) -> str:
        map = map_of(size)
        own = hexes_of(text, map)
        return spelled_hexes([*own, *[image_of(hex, map, flip) for hex in own]], map)

    def symmetric(self, kinds: Mapping[str, str], size: Size, flip: Flip, stays: int) -> dict[str, str]:
        """Return the ground of a map (hexes by kind) with one half copied to the other."""
        map = map_of(size)
        laid = {hex: kind for kind, text in kinds.items() for hex in hexes_of(text, map)}
        own = {hex: kind for hex, kind in laid.items() if half_of(hex, map, flip) in (stays, 0)}
        both = {**{image_of(hex, map, flip): kind for hex, kind in own.items()}, **own}
        by_kind = {kind: [hex for hex, of in both.items() if of == kind] for kind in kinds}
        return {kind: spelled_hexes(hexes, map) for kind, hexes in by_kind.items() if hexes}

    def resized(self, text: str, old: Size, new: Size) -> str:
        """Return the corresponding hexes on a map of another size, in proportion."""
        before, after = map_of(old), map_of(new)
        rows = []
        for hex in hexes_of(text, before):
            x, y = before.centre(hex)
            at = x * after.size[0] / before.size[0], y * after.size[1] / before.size[1]
            far = {one: hypot(after.centre(one)[0] - at[0], after.centre(one)[1] - at[1]) for one in after.hexes}
            rows.append(min(far, key=far.__getitem__))
        return spelled_hexes(rows, after)

    def by_chance(self, lots: Sequence[tuple[Lot, int]], size: Size, flip: Flip | None, dice: Seeded) -> dict[str, str]:
        """Return random ground (hexes by kind), with none in the first and the last row.

        Args:
            lots: The kinds to lay, with their numbers.
            flip: The symmetry of the map, of which only one half is laid; None for ground anywhere.
        """
        map = map_of(size)
        own = [hex for hex in map.hexes if flip is None or half_of(hex, map, flip) <= 0]
        free = dict.fromkeys([hex for hex in own if 1 < map.row(hex) < map.rows])
        by_kind: dict[str, list[Hex]] = {}
        for lot, times in lots:
            for _ in range(times):
                patch: list[Hex] = []
                across = lot.across[0] + dice.below(lot.across[1] - lot.across[0] + 1)
                while free and len(patch) < across:
                    near = [hex for one in patch for hex in map.neighbours[one] if hex in free] if patch else list(free)
                    if not near:
                        break
                    hex = near[dice.below(len(near))]
                    del free[hex]
                    patch.append(hex)
                by_kind.setdefault(lot.kind, []).extend(patch)
        return {kind: spelled_hexes(hexes, map) for kind, hexes in by_kind.items() if hexes}
