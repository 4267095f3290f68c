"""Random maps for tests, and slow but simple functions for the same questions, by axial coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from hypothesis import strategies as st

from caltrop.table.hexes import Hex, HexMap, hex_map

Axial = tuple[int, int]

EVERYWHERE = hex_map(9, 13)
"""The map on which every hex and every pair of hexes is tested."""

ROUND: tuple[Axial, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""East, north-east, north-west, west, south-west, south-east."""

maps = st.builds(hex_map, st.sampled_from(range(5, 16, 2)), st.integers(7, 25))


@st.composite
def hexes_of_a_map(draw: st.DrawFn, count: int) -> tuple[HexMap, list[Hex]]:
    """Draw a map of any size and some of its hexes."""
    result = draw(maps)
    return result, [draw(st.sampled_from(result.hexes)) for _ in range(count)]


def pairs(board_map: HexMap) -> Iterator[tuple[Hex, Hex]]:
    """Return every pair of hexes once, including each hex with itself."""
    for index, a in enumerate(board_map.hexes):
        for b in board_map.hexes[index:]:
            yield a, b


def name_of(place: Axial) -> Hex:
    """Return the name of a hex at axial coordinates, also off the map."""
    q, r = place
    return f"{chr(ord('A') + q + r // 2)}{r + 1}"


def product(a: Axial, b: Axial) -> int:
    """Return twice the scalar product of two axial steps, in squares of a hex's width."""
    return 2 * a[0] * b[0] + a[0] * b[1] + a[1] * b[0] + 2 * a[1] * b[1]


def minus(a: Axial, b: Axial) -> Axial:
    return a[0] - b[0], a[1] - b[1]


def steps(a: Axial, b: Axial) -> int:
    """Return the distance in hex steps: the largest difference of the three cube coordinates."""
    q, r = minus(a, b)
    return max(abs(q), abs(r), abs(q + r))


def stretch(a: Axial, b: Axial, hex: Axial) -> tuple[Fraction, Fraction, bool] | None:
    """Return the stretch of the line from a to b in a hex, as shares of its length, and whether it runs along an edge
    there.

    The points of a hex are at least as near to its own centre as to the six centres around it.
    """
    first, last = Fraction(0), Fraction(1)
    on_edge = False
    way = minus(b, a)
    for side in ROUND:
        start, growth = product(minus(a, hex), side), product(way, side)
        if growth == 0:
            if start > 1:
                return None
            on_edge |= start == 1
        elif growth > 0:
            last = min(last, Fraction(1 - start, growth))
        else:
            first = max(first, Fraction(1 - start, growth))
    return (first, last, on_edge) if first < last else None


def slow_line(board_map: HexMap, a: Hex, b: Hex) -> tuple[list[Hex], list[tuple[Hex | None, Hex | None]]]:
    """Return the hexes that a line meets, each hex of the map and around it clipped against the line."""
    a, b = sorted((a, b), key=board_map.hexes.index)
    inside: list[tuple[Fraction, Hex]] = []
    beside: dict[Fraction, list[tuple[int, Hex]]] = {}
    around = {(q + dq, r + dr) for q, r in board_map.axial.values() for dq, dr in (*ROUND, (0, 0))}
    for place in around:
        part = stretch(board_map.axial[a], board_map.axial[b], place)
        if part is None or name_of(place) in (a, b):
            continue
        if part[2]:
            beside.setdefault(part[0], []).append((2 * place[0] + place[1], name_of(place)))
        else:
            inside.append((part[0], name_of(place)))
    along: list[tuple[Hex | None, Hex | None]] = []
    for _, both in sorted(beside.items()):
        west, east = (name if name in board_map else None for _, name in sorted(both))
        along.append((west, east))
    return [name for _, name in sorted(inside)], along


def slow_away(board_map: HexMap, hex: Hex, source: Hex) -> list[tuple[Fraction, Hex | None]]:
    """Return the neighbours that are one step farther away, also off the map, with the squares of their distances from
    the line.
    """
    here, there = board_map.axial[hex], board_map.axial[source]
    ray = minus(here, there)
    answer: list[tuple[Fraction, Hex | None]] = []
    for dq, dr in ROUND:
        place = (here[0] + dq, here[1] + dr)
        if steps(place, there) <= steps(here, there):
            continue
        off = minus(place, there)
        square = Fraction(product(off, off), 2)
        if ray != (0, 0):
            square -= Fraction(product(off, ray) ** 2, 2 * product(ray, ray))
        answer.append((square, next((name for name, at in board_map.axial.items() if at == place), None)))
    return answer
