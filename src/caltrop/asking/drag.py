"""Drags: a person's wish, the data to predict its result, and the result."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine import Refusal, Sum
from caltrop.engine.rule import MaybeAction

Point = tuple[int, int]
"""A place on the table, in its picture's own whole units: tenths of a millimetre on a measured table."""


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """An open choice on the table, answered by dragging: a `Wish` becomes an action by `Decision.propose`."""

    form: str
    """Kind of choice: `move` (paths of a unit), `place` (places for a unit), `spot` (a point)."""
    unit: int
    words: str
    first: str = ""
    """The first part of `words`, which names the first act, as in an `Offer`."""
    group: str = ""
    bands: tuple[tuple[int, int], ...] = ()
    """Pairs of (length in tenths of a millimetre, price): the price of each distance."""
    act: str = ""
    """Name of the unit's open action, passed back in the wish."""
    onward: int | UnsetType = UNSET
    """Further distance, in tenths of a millimetre, that the same drag may cover. The rest of the path then answers the
    next question. Left out if no question follows.
    """


class Wish(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's drag: enough to propose a legal action near it."""

    unit: int = -1
    card: str = ""
    """The kind of card to play or keep; empty if the wish is for a unit."""
    act: str = ""
    to: Point | None = None
    """Goal of the model that leads the drag: the first of the unit's picture."""
    waypoints: tuple[Point, ...] = ()
    facing: tuple[int, int] | None = None
    """Direction of a formation. `keep` is turned by the angle from (0, 1), straight up the table."""
    shape: str = "keep"
    """`keep`, `line`, `column` or `wedge`."""
    models: dict[int, tuple[Point, ...]] = {}
    """Paths or places of single models, which override the formation."""


class Mover(msgspec.Struct, frozen=True, kw_only=True):
    """A model of the dragged unit."""

    id: int
    at: Point
    radius: int
    stays: bool = False
    """True if the model may not move."""


class Solid(msgspec.Struct, frozen=True, kw_only=True):
    """Something that no base may overlap."""

    outline: tuple[Point, ...] = ()
    """Corners of a polygon; empty if the obstacle is round."""
    circle: tuple[int, int, int] | None = None
    """Centre and radius of a round obstacle: x, y and radius."""
    corners: dict[int, tuple[Point, ...]] = {}
    """For each base radius in the unit, the places by which such a base can go around this obstacle alone."""


class SlowGround(msgspec.Struct, frozen=True, kw_only=True):
    """Ground that costs more movement than its length."""

    outline: tuple[Point, ...] = ()
    """Corners of a polygon; empty if the ground is round."""
    circle: tuple[int, int, int] | None = None
    """Centre and radius of round ground: x, y and radius."""
    factor: int = 1
    """Price of each unit of length inside it."""
    toll: int = 0
    """Price of each entry of the centre into it."""


class Nearness(msgspec.Struct, frozen=True, kw_only=True):
    """The largest or smallest gap that a unit's nearest base must have to the nearest of some bases."""

    bases: tuple[tuple[int, int, int], ...]
    """Centre and radius of each base."""
    least: int | None = None
    """The smallest allowed gap; None for no limit."""
    most: int | None = None
    """The largest allowed gap; None for no limit."""
    unless: int | None = None
    """A drag at least this long is exempt; None if there is no exemption."""


class PutDown(msgspec.Struct, frozen=True, kw_only=True):
    """Limits for a unit that enters the table by a drag."""

    box: tuple[int, int, int, int]
    """Left, low, right and high edge of the area that must contain all bases."""
    ahead: Point = (0, 1)
    """Direction of a formation, unless the wish says otherwise."""
    gap: int = 100
    """Gap between neighbours in the row of models that is used if no formation is given."""


class PickedUp(msgspec.Struct, frozen=True, kw_only=True):
    """The data with which a client predicts drags without a request for every pixel.

    The page's own path search (`lib/reach`) finds exactly the same paths, lengths and prices from these numbers as
    `Decision.propose`. Places are on the plane, in tenths of a millimetre.
    """

    unit: int
    pieces: tuple[Mover, ...]
    """The unit's models, the leading one first."""
    size: tuple[int, int]
    """Width and height of the table."""
    bands: tuple[tuple[int, int], ...]
    """Ladder of (length, price)."""
    purse: int = 0
    """The points that may be spent."""
    others: tuple[tuple[int, int, int], ...] = ()
    """The bases that block: x, y and radius."""
    clear_of: tuple[tuple[int, int, int], ...] = ()
    """Bases, among `others`, with which the move may not end in contact."""
    contact: int = 0
    """Largest gap of bases that are in contact."""
    solid: tuple[Solid, ...] = ()
    slow: tuple[SlowGround, ...] = ()
    """Ground in which a path costs more than its length; the bands are of costs."""
    rough: tuple[tuple[Point, ...], ...] = ()
    """Outlines of ground that has a price."""
    rough_prices: tuple[int, ...] = ()
    """Additions to the price for touching one, two, three pieces of it."""
    coherency: int | None = None
    """Largest gap between neighbours in the formation at the end; None for no limit."""
    crosses: bool = False
    """True if the unit passes over everything, so that obstacles only matter at its end."""
    round: bool = False
    """True if paths around obstacles are searched for, leg by leg; otherwise the unit goes straight."""
    rests: bool = True
    """True if a leg of a path may have no length."""
    may_stay: bool = False
    """True if a move without any movement is legal, provided that all else is."""
    shortest: int = 0
    """The least length of its longest path."""
    whole: bool = False
    """True if a drag of the whole unit always goes its full length, in the direction of its last leg."""
    near: tuple[Nearness, ...] = ()
    """Units that must be near the end of the move, or far from it, with the distances."""
    down: PutDown | None = None
    """Limits for putting the unit down; None if it moves."""


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """An area on the table for a template: a circle or an outline, with the models under it."""

    circle: tuple[int, int, int] | None = None
    """Centre and radius of a circle; None for an outline."""
    outline: tuple[Point, ...] = ()
    """Corners of an outline; empty for a circle."""
    words: str = ""
    under: tuple[int, ...] = ()
    """Models under the template."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a wish: an action with its price, or a refusal."""

    action: MaybeAction = None
    paths: dict[int, tuple[Point, ...]] = {}
    """The polyline of each model, from its current place."""
    length: int = 0
    """The longest path, in tenths of a millimetre."""
    left: int = 0
    """Length that can still be added at this price."""
    price: Sum = ()
    refusal: Refusal | None = None
    faults: tuple[Point, ...] = ()
    """Places on the table that caused the refusal."""
    templates: tuple[Template, ...] | UnsetType = UNSET
    """Templates at the pointer's place."""
    headings: dict[int, Point] | UnsetType = UNSET
    """Direction of each model's front at the end of its path, for models that have one."""
    notes: tuple[str, ...] | UnsetType = UNSET
    """Remarks to read before confirming, such as which enemies would see the end of the move."""
    watched: tuple[tuple[Point, ...], ...] | UnsetType = UNSET
    """Stretches of the paths on which an enemy may react."""
