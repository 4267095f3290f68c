"""The table and its terrain: kinds as flags, pieces as polygons or circles, and the `TableGround` that answers
queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

import msgspec

from caltrop.geometry import (
    Body,
    Box,
    Disc,
    Form,
    Point,
    Polygon,
    directions,
    distance_up,
    form_box,
    form_of,
    point_along,
    ring_around,
    twice_area,
)
from caltrop.table.measured.corridor import CorridorPiece, Deep, holds, overlaps_piece


class TerrainKind(msgspec.Struct, frozen=True):
    """The effects of a kind of terrain. The flags are facts about the ground; a ruleset decides their costs and
    benefits.
    """

    name: str
    """The name shown and used in data."""
    rough: bool = False
    """True if crossing the terrain has a price."""
    cover: bool = False
    """True if a model with its centre in the terrain is in cover."""
    obscures: bool = False
    """True if lines of sight across it count as obstructed; obscuring terrain alone never hides a base."""
    blocks_sight: bool = False
    """True if the terrain cuts lines of sight."""
    sees_into: int | msgspec.UnsetType = msgspec.UNSET
    """Depth of sight from the border into and out of the terrain, if it blocks sight; nobody sees through such terrain.
    If the depth is unset, it is not stored, and a base with its centre in the terrain looks out freely and can be seen.
    """
    sees_inside: int | msgspec.UnsetType = msgspec.UNSET
    """Length of sight inside the terrain, if `sees_into` is given and both bases are in it; unset for any distance."""
    impassable: bool = False
    """True if no base may overlap the terrain, unless it may cross; nothing may stand on such terrain."""


DRAWN = 64
"""Number of corners of the outline of a drawn circle."""


class Terrain(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of terrain: a kind and the ground that it covers, which is a polygon or a circle.

    >>> pool = Terrain("pool", TerrainKind("pool", impassable=True), circle=(1000, 1000, 254))
    >>> ground_of(Table(3000, 3000, (pool,))).terrain_under((1404, 1000, 150))
    ()
    """

    id: str
    kind: TerrainKind
    polygon: Polygon = ()
    """At least three corners of a simple ring, in tenths of a millimetre, the first not repeated; empty for a
    circle."""
    circle: Disc | None = None
    """Centre and radius of a circle, instead of a polygon."""

    def __post_init__(self) -> None:
        """Check the shape of the terrain.

        Raises:
            ValueError: The piece has fewer than three corners, or they enclose no area, or its circle has no radius, or
                it has both a polygon and a circle.
        """
        if self.circle is not None:
            if self.polygon:
                raise ValueError(f"terrain {self.id!r} is a polygon or a circle, not both")
            if self.circle[2] <= 0:
                raise ValueError(
                    f"the circle of terrain {self.id!r} needs a radius above 0; this one has {self.circle[2]}"
                )
        elif len(self.polygon) < 3 or twice_area(self.polygon) == 0:
            raise ValueError(f"terrain {self.id!r} needs three corners or more that enclose an area")

    @property
    def outline(self) -> Polygon:
        """Corners for drawing. Corners of a circle are approximate, so use a `TableGround` for queries about places."""
        if self.circle is None:
            return self.polygon
        x, y, r = self.circle
        return tuple([point_along((x, y), towards, r) for towards in directions(DRAWN)])


LARGEST = 30_000
"""The longest side of a table, in tenths of a millimetre: three metres. With this limit squared products fit into 64
bits."""


class Table(msgspec.Struct, frozen=True, cache_hash=True):
    """A table from (0, 0) to (width, height), in tenths of a millimetre, with its pieces of terrain."""

    width: int
    height: int
    terrain: tuple[Terrain, ...] = ()

    def __post_init__(self) -> None:
        """Check the size of the table, and that the pieces have different ids.

        Raises:
            ValueError: A side is not above 0 or above `LARGEST`, or two pieces share an id.
        """
        if self.width <= 0 or self.height <= 0:
            raise ValueError(f"a table needs a width and a height above 0; this one is {self.width} by {self.height}")
        if max(self.width, self.height) > LARGEST:
            raise ValueError(f"a table has sides of {LARGEST} at most; this one is {self.width} by {self.height}")
        if len({piece.id for piece in self.terrain}) != len(self.terrain):
            raise ValueError("two pieces of terrain have the same id")


class Going(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of a kind of terrain on movers."""

    closed: bool = False
    """True if movers may not overlap the terrain at all."""
    factor: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    """Factor on the length of a path in the terrain, measured for the centre; where pieces overlap, the greatest factor
    counts."""
    toll: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Price of each entry of the centre, in tenths of a millimetre, such as the price of crossing a wall."""


class Passage(msgspec.Struct, frozen=True):
    """The effect of each kind of terrain on one kind of mover.

    A kind of terrain that is not named costs nothing, and is closed if it is impassable.
    """

    goings: tuple[tuple[str, Going], ...] = ()
    """Kinds by name, with their effects."""


class Slow(NamedTuple):
    """A piece of terrain in which a path costs extra."""

    piece: CorridorPiece
    factor: int
    toll: int


def piece_of(form: Form, id: str, cuts: bool = False) -> CorridorPiece:
    """Return a body or a polygon as a piece of terrain, prepared for queries."""
    corners, r = form_of(form)
    box = form_box(form)
    if len(corners) == 1:
        return CorridorPiece(box, (*corners[0], r), (), id, cuts)
    centre = ((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)
    return CorridorPiece(box, (*centre, max(distance_up(centre, corner) for corner in corners)), corners, id, cuts)


MOST_KIN = 256
"""Number of cached grounds that differ from one ground only in their solid terrain."""

Views = tuple[tuple[int, ...], tuple[Body, ...], tuple[Body, ...], tuple[Body, ...]]
"""Key of a cached view: the pattern of lines, the viewers, the targets, and the bodies in between that may matter."""


class TableGround:
    """A table prepared for queries. Build a ground once and share it: a ground never changes, except for its caches.

    Attributes:
        table: The table.
        box: The table's edge.
        pieces: Every piece of terrain.
        sight_pieces: The pieces that cut or obscure lines of sight.
        cover_pieces: The pieces that give cover.
        solid_pieces: The impassable pieces.
        slow_pieces: The pieces in which paths cost extra; empty before `for_mover`.
        views: The cache of `sight` between groups of bases.
    """

    __slots__ = (
        "_corners",
        "_kin",
        "box",
        "cover_pieces",
        "pieces",
        "sight_pieces",
        "slow_pieces",
        "solid_pieces",
        "table",
        "views",
    )

    def __init__(self, table: Table) -> None:
        """Prepare a table for queries."""
        self.table = table
        self.box: Box = (0, 0, table.width, table.height)
        pieces: list[CorridorPiece] = []
        sight: list[CorridorPiece] = []
        cover: list[CorridorPiece] = []
        solid: list[CorridorPiece] = []
        for terrain in table.terrain:
            kind = terrain.kind
            deep = None
            if kind.sees_into is not msgspec.UNSET:
                deep = Deep(kind.sees_into, None if kind.sees_inside is msgspec.UNSET else kind.sees_inside)
            piece = piece_of(terrain.circle or terrain.polygon, terrain.id, kind.blocks_sight)
            if deep is not None:
                piece = piece._replace(deep=deep)
            pieces.append(piece)
            if kind.blocks_sight or kind.obscures:
                sight.append(piece)
            if kind.cover:
                cover.append(piece)
            if kind.impassable:
                solid.append(piece)
        self.pieces = tuple(pieces)
        self.sight_pieces = tuple(sight)
        self.cover_pieces = tuple(cover)
        self.solid_pieces = tuple(solid)
        self.slow_pieces: tuple[Slow, ...] = ()
        self._corners: dict[int, tuple[tuple[Point, ...], ...]] = {}
        self._kin: dict[Any, TableGround] = {}
        self.views: dict[Views, Any] = {}

    def for_mover(self, passage: Passage) -> TableGround:
        """Return the ground for one kind of mover: terrain closed to it is solid, and terrain that slows it has a
        price.

        Every function that takes a ground accepts the result: `way` finds the cheapest path, `stands` and `path_fault`
        know the terrain that stops this mover. Sight and cover are unchanged.

        >>> fence = Terrain("fence", TerrainKind("fence"), ((0, 0), (90, 0), (90, 9)))
        >>> ground = ground_of(Table(100, 100, (fence,)))
        >>> [p.id for p in ground.for_mover(Passage((("fence", Going(closed=True)),))).solid_pieces]
        ['fence']
        """
        kin = self._kin.get(passage)
        if kin is None:
            goings = dict(passage.goings)
            solid: list[CorridorPiece] = []
            slow: list[Slow] = []
            for piece, terrain in zip(self.pieces, self.table.terrain, strict=True):
                going = goings.get(terrain.kind.name) or Going(closed=terrain.kind.impassable)
                if going.closed:
                    solid.append(piece)
                elif going.factor > 1 or going.toll:
                    slow.append(Slow(piece, going.factor, going.toll))
            kin = self._kin[passage] = self._with(tuple(solid), tuple(slow))
        return kin

    def with_solid(self, forms: Sequence[Form]) -> TableGround:
        """Return the ground with more solid things that no base may overlap, such as hulls.

        In `PathFault.terrain` the added things are called `body 0`, `body 1` and so on, by their index in *forms*.
        """
        key = tuple(forms)
        kin = self._kin.get(key)
        if kin is None:
            if len(self._kin) >= MOST_KIN:
                self._kin.clear()
            more = tuple([piece_of(form, f"body {number}") for number, form in enumerate(forms)])
            kin = self._kin[key] = self._with((*self.solid_pieces, *more), self.slow_pieces)
        return kin

    def opened(self, west: int = 0, south: int = 0, east: int = 0, north: int = 0) -> TableGround:
        """Return the ground with some room beyond each of its edges, for bodies that enter or leave.

        The added room is empty, and everything else on the table is unchanged. Corners of computed paths stay on the
        table.

        >>> ground_of(Table(100, 80)).opened(south=20).box
        (0, -20, 100, 80)
        """
        key = (west, south, east, north)
        kin = self._kin.get(key)
        if kin is None:
            kin = self._kin[key] = self._with(self.solid_pieces, self.slow_pieces)
            x0, y0, x1, y1 = self.box
            kin.box = (x0 - west, y0 - south, x1 + east, y1 + north)
        return kin

    def _with(self, solid: tuple[CorridorPiece, ...], slow: tuple[Slow, ...]) -> TableGround:
        other = object.__new__(TableGround)
        other.table, other.box, other.pieces = self.table, self.box, self.pieces
        other.sight_pieces, other.cover_pieces, other.views = self.sight_pieces, self.cover_pieces, self.views
        other.solid_pieces, other.slow_pieces, other._corners, other._kin = solid, slow, {}, {}
        return other

    def corners(self, radius: int) -> tuple[tuple[Point, ...], ...]:
        """Return for each impassable piece the grid points through which a base of this radius may go around it.

        Another solid piece may cover such a point, for example where walls touch.
        """
        corners = self._corners.get(radius)
        if corners is None:
            corners = tuple(self._corners_of(piece, radius) for piece in self.solid_pieces)
            self._corners[radius] = corners
        return corners

    def _corners_of(self, piece: CorridorPiece, radius: int) -> tuple[Point, ...]:
        """Return points around each corner of a piece, or around a circle, without points off the table or on the piece
        itself.
        """
        width, height = self.table.width, self.table.height
        points: list[Point] = []
        cx, cy, wide = piece.circle
        for corner, reach in [(corner, radius) for corner in piece.polygon] or [((cx, cy), wide + radius)]:
            for x, y in ring_around(corner, reach):
                on_table = radius <= x <= width - radius and radius <= y <= height - radius
                if on_table and not overlaps_piece(piece, (x, y, radius)):
                    points.append((x, y))
        return tuple(points)

    def terrain_at(self, point: Point) -> tuple[str, ...]:
        return tuple(piece.id for piece in self.pieces if holds(piece, point))

    def in_cover(self, point: Point) -> bool:
        """Return whether a base with this centre is in cover: the centre is in terrain that gives cover."""
        return any(holds(piece, point) for piece in self.cover_pieces)

    def terrain_under(self, disc: Disc) -> tuple[str, ...]:
        """Return the ids of the pieces that a disc overlaps, in the table's order; touching an edge does not count."""
        return tuple(piece.id for piece in self.pieces if overlaps_piece(piece, disc))


def ground_of(table: Table, features: tuple[Terrain, ...] = ()) -> TableGround:
    """Return the shared `TableGround` of a table: equal tables with equal features get the same object.

    Args:
        features: Later additions that may be removed again, such as smoke, rubble or markers. A game state has these
            features on a shelf, and asks for the ground with the present ones.

    >>> smoke = Terrain("smoke 1", TerrainKind("smoke", obscures=True), circle=(1000, 1000, 762))
    >>> bare = Table(3000, 3000)
    >>> [len(ground_of(bare, features).sight_pieces) for features in ((), (smoke,), ())]
    [0, 1, 0]
    """
    return _ground_of(table, features)


@lru_cache(maxsize=256)
def _ground_of(table: Table, features: tuple[Terrain, ...]) -> TableGround:
    return TableGround(msgspec.structs.replace(table, terrain=(*table.terrain, *features)) if features else table)
