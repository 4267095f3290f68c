"""Random tables and groups of bases for tests, and slow but simple functions for the same questions."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import strategies as st

from caltrop.geometry import Disc, Point, crosses_polygon, fan_of_lines, in_polygon, segment_enters
from caltrop.table.measured import Fan, Table, TableGround, Terrain, TerrainKind, read_kinds, stands

SIZE = 6000

KINDS = read_kinds(Path(__file__).with_name("kinds.yaml"))

NINE = Fan(points=3, obstructed_from=5)
"""Sets of lines of sight: from the centre and from both sides."""

_kinds = sorted(KINDS)


@st.composite
def polygons(draw: st.DrawFn) -> tuple[Point, ...]:
    """Draw slanted boxes, triangles and notched boxes."""
    x = draw(st.integers(0, SIZE))
    y = draw(st.integers(0, SIZE))
    w = draw(st.integers(20, 2000))
    h = draw(st.integers(20, 2000))
    slant = draw(st.sampled_from([0, 0, 137, -260]))
    shape = draw(st.sampled_from(["box", "triangle", "notch"]))
    if shape == "box":
        return ((x, y), (x + w, y + slant), (x + w, y + h + slant), (x, y + h))
    if shape == "triangle":
        return ((x, y), (x + w, y + slant // 20), (x + w // 3, y + h + 20))
    return ((x, y), (x + w, y), (x + w, y + h), (x + w // 2, y + h // 2), (x, y + h))


@st.composite
def grounds(draw: st.DrawFn, most: int = 6) -> TableGround:
    """Return a small table with a few pieces of any kind, which may overlap."""
    rings = draw(st.lists(polygons(), max_size=most))
    return TableGround(
        Table(
            SIZE,
            SIZE,
            tuple(Terrain(f"t{i}", KINDS[draw(st.sampled_from(_kinds))], ring) for i, ring in enumerate(rings)),
        )
    )


coordinates = st.integers(0, SIZE)
radii = st.sampled_from([50, 100, 150, 200])
discs: st.SearchStrategy[Disc] = st.tuples(coordinates, coordinates, radii)
groups: st.SearchStrategy[list[Disc]] = st.lists(discs, min_size=1, max_size=4)


def slow_look(ground: TableGround, a: Disc, b: Disc, blockers: list[Disc]) -> tuple[int, int]:
    """Test a fan of lines one by one against everything on the table.

    Return the cut lines, and the cut or obscured ones.
    """
    cut = crossed = 0
    for number, (p, q) in enumerate(fan_of_lines(a, b, NINE.points)):
        for disc in blockers:
            if segment_enters(p, q, (disc[0], disc[1]), disc[2]):
                cut |= 1 << number
        for piece in ground.table.terrain:
            if in_polygon((a[0], a[1]), piece.polygon) or in_polygon((b[0], b[1]), piece.polygon):
                continue
            if crosses_polygon(p, q, piece.polygon):
                if piece.kind.blocks_sight:
                    cut |= 1 << number
                elif piece.kind.obscures:
                    crossed |= 1 << number
    return cut, crossed | cut


def battlefield(seed: int, pieces: int = 30, others: int = 60) -> tuple[TableGround, list[Disc], random.Random]:
    """Return a full table of 120 cm, with terrain and separate bases, and the dice that drew it."""
    dice = random.Random(seed)
    size = 12_000
    names = ["woods", "built-up", "rough", "hill", "building", "impassable"]
    terrain = []
    for index in range(pieces):
        x, y = dice.randrange(0, size - 1000), dice.randrange(0, size - 1000)
        w, h, slant = dice.randrange(300, 1400), dice.randrange(300, 1400), dice.randrange(-200, 200)
        ring = ((x, y), (x + w, y + slant), (x + w + slant, y + h), (x + slant, y + h + slant // 2))
        terrain.append(Terrain(f"t{index}", KINDS[names[index % 6]], ring))
    ground = TableGround(Table(size, size, tuple(terrain)))
    bases: list[Disc] = []
    while len(bases) < others:
        disc = (dice.randrange(200, size - 200), dice.randrange(200, size - 200), dice.choice([100, 150, 200]))
        if stands(ground, disc, bases):
            bases.append(disc)
    return ground, bases, dice


WOODS = TerrainKind("woods", blocks_sight=True, sees_into=150, sees_inside=300)
RUINS = TerrainKind("ruins", blocks_sight=True, sees_into=80)


@st.composite
def deep_grounds(draw: st.DrawFn) -> TableGround:
    """Draw convex woods, ruins and buildings, some of them round."""
    pieces = []
    for n in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from((WOODS, RUINS, KINDS["building"])))
        x, y, wide, high = (draw(st.integers(*ends)) for ends in ((0, 1500), (0, 1500), (100, 900), (100, 900)))
        if draw(st.booleans()):
            pieces.append(Terrain(f"{n}", kind, circle=(x, y, wide // 2)))
        else:
            ring = ((x, y), (x + wide, y + draw(st.integers(-90, 90))), (x + wide, y + high + 90), (x, y + high + 90))
            pieces.append(Terrain(f"{n}", kind, ring))
    return TableGround(Table(2500, 2500, tuple(pieces)))
