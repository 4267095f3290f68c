"""Convert terrain, slow ground and marked areas of a measured table for its picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b

from caltrop.asking import SlowGround
from caltrop.geometry import Box, Point, directions, point_along
from caltrop.picture import TERRAIN_LOOKS
from caltrop.picture import Ground as Patch
from caltrop.table.measured import Table, TableGround, Terrain, TerrainKind
from caltrop.table.measured.kinds import Kinds


def grounds(pieces: Iterable[Terrain], kinds: Kinds) -> tuple[Patch, ...]:
    """Return pieces of terrain in the form of a picture, numbered in order.

    Args:
        pieces: The pieces of the table, and those added during the game.

    >>> from caltrop.table.measured.kinds import read_kinds
    >>> kinds = read_kinds("bog: {look: rough, words: Twice the move}")
    >>> (bog,) = grounds([Terrain("the bog", kinds["bog"], ((0, 0), (9, 0), (0, 9)))], kinds)
    >>> bog.id, bog.kind, bog.name, bog.words
    (0, 'rough', 'The bog', 'Twice the move')
    """
    return tuple(
        [
            Patch(
                id=i,
                kind=look_of(piece.kind, kinds),
                name=piece.id[:1].upper() + piece.id[1:],
                outline=piece.outline,
                words=kinds.words(piece.kind),
            )
            for i, piece in enumerate(pieces)
        ]
    )


def look_of(kind: TerrainKind, kinds: Kinds) -> str:
    """Return the look of a kind of terrain: the ruleset's, or else one that fits its effects.

    Returns:
        A name of `TERRAIN_LOOKS`.

    >>> from caltrop.table.measured.kinds import read_kinds
    >>> kinds = read_kinds("{lava: {impassable: true}, moss: {cover: true}}")
    >>> [look_of(kind, kinds) for kind in kinds.values()]
    ['impassable', 'ruins']
    """
    look = kinds.look(kind)
    if look in TERRAIN_LOOKS:
        return look
    if kind.impassable:
        return "building" if kind.blocks_sight else "impassable"
    if kind.blocks_sight:
        return "hill"
    if kind.obscures:
        return "woods"
    return "ruins" if kind.cover else "rough"


@lru_cache(maxsize=256)
def seed_of(table: Table) -> int:
    """Return a 32-bit seed for the picture's random details, which depends on the table alone.

    Args:
        table: The table at the beginning of the game.

    >>> seed_of(Table(900, 900)) == seed_of(Table(900, 900)) != seed_of(Table(900, 901))
    True
    """
    laid = [(table.width, table.height), *[(piece.id, piece.kind.name, piece.outline) for piece in table.terrain]]
    return int.from_bytes(blake2b(repr(laid).encode(), digest_size=4).digest())


def land_of(table: Table, lands: Sequence[str]) -> str:
    """Return one of a ruleset's grounds (`lands`) for a table; equal tables have equal grounds.

    Args:
        table: The table at the beginning of the game.
        lands: Names of `caltrop.picture.LANDS`.

    >>> land_of(Table(900, 900), ("summer",))
    'summer'
    """
    return lands[seed_of(table) % len(lands)]


def slow_grounds(ground: TableGround) -> tuple[SlowGround, ...]:
    """Return the ground on which a mover's path costs extra, for a page that previews a drag (`PickedUp.slow`).

    Args:
        ground: The ground prepared for the mover (`TableGround.for_mover`).
    """
    return tuple(
        [
            SlowGround(outline=s.piece.polygon, circle=s.piece.round, factor=s.factor, toll=s.toll)
            for s in ground.slow_pieces
        ]
    )


def box_outline(box: Box) -> tuple[Point, ...]:
    """Return the corners of a box.

    >>> box_outline((0, 0, 2, 1))
    ((0, 0), (2, 0), (2, 1), (0, 1))
    """
    x0, y0, x1, y1 = box
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


@lru_cache(maxsize=64)
def circle_outline(middle: Point, radius: int) -> tuple[Point, ...]:
    """Return the 64 corners of a circle's outline, for drawing.

    >>> circle_outline((0, 0), 100)[::16]
    ((100, 0), (0, 100), (-100, 0), (0, -100))
    """
    return tuple([point_along(middle, d, radius) for d in directions(64)])
