"""Drags: a person's wish, what a door needs to foresee it, and its result."""

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
    """The beginning of `words` that says what is done at once, as of an `Offer`."""
    group: str = ""
    bands: tuple[tuple[int, int], ...] = ()
    """Ladder of (length in tenths of a millimetre, price): what each reach costs."""
    act: str = ""
    """Name of the unit's open action, passed back in the wish."""
    onward: int | UnsetType = UNSET
    """Further distance, in tenths of a millimetre, that the unit may be dragged at once. The rest of the way answers
    the question that follows, and doors give it there. Left out if nothing follows.
    """


class Wish(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person's drag: enough to propose a legal action near it."""

    unit: int = -1
    """The unit; -1 for a card."""
    card: str = ""
    """The kind of a card that somebody would play or keep; empty if a unit is meant."""
    act: str = ""
    to: Point | None = None
    """Goal of the model that the drag leads: the first of the unit's picture."""
    waypoints: tuple[Point, ...] = ()
    facing: tuple[int, int] | None = None
    """Direction of a formation. `keep` is turned by the angle from (0, 1), straight up the table."""
    shape: str = "keep"
    """`keep`, `line`, `column` or `wedge`."""
    models: dict[int, tuple[Point, ...]] = {}
    """Paths or places of single models, which overrule the formation."""


class Mover(msgspec.Struct, frozen=True, kw_only=True):
    """A model of a unit that is picked up."""

    id: int
    at: Point
    radius: int
    stays: bool = False
    """True if it may not move."""


class Solid(msgspec.Struct, frozen=True, kw_only=True):
    """Something that no base may overlap."""

    outline: tuple[Point, ...] = ()
    """Its corners; none if it is round."""
    circle: tuple[int, int, int] | None = None
    """Centre and radius, if it is round: x, y and radius."""
    corners: dict[int, tuple[Point, ...]] = {}
    """For each radius among the unit's bases, the places by which such a base may go round it if it is alone."""


class SlowGround(msgspec.Struct, frozen=True, kw_only=True):
    """Ground that takes more of a move than its length."""

    outline: tuple[Point, ...] = ()
    """Its corners; none if it is round."""
    circle: tuple[int, int, int] | None = None
    """Centre and radius, if it is round: x, y and radius."""
    factor: int = 1
    """Factor on each length of the centre's way in it."""
    toll: int = 0
    """Price of each entry of the centre into it."""


class Nearness(msgspec.Struct, frozen=True, kw_only=True):
    """The largest or smallest gap that a unit's nearest base must have to the nearest of some bases."""

    bases: tuple[tuple[int, int, int], ...]
    """Centre and radius of each base."""
    least: int | None = None
    """The least gap; None for any."""
    most: int | None = None
    """The greatest gap; None for any."""
    unless: int | None = None
    """A drag at least this long is free of it; None for none."""


class PutDown(msgspec.Struct, frozen=True, kw_only=True):
    """The place of a unit that is put down from off the table."""

    box: tuple[int, int, int, int]
    """Left, low, right and high edge: every base has to be wholly within."""
    ahead: Point = (0, 1)
    """Direction of a formation, unless the wish says otherwise."""
    gap: int = 100
    """The gap between neighbours in the row in which a unit stands that is given no shape, its middle at the place."""


class PickedUp(msgspec.Struct, frozen=True, kw_only=True):
    """All that a door needs to predict a drag without asking for every pixel.

    The page's twin of the rules' paths (`lib/reach`) takes these numbers and finds the same paths, length and price as
    `Decision.propose`, exactly. Places are on the plane, in tenths of a millimetre.
    """

    unit: int
    pieces: tuple[Mover, ...]
    """Its models, the leading one first."""
    size: tuple[int, int]
    """Width and height of the table."""
    bands: tuple[tuple[int, int], ...]
    """Ladder of (length, price)."""
    purse: int = 0
    """The points that may be spent."""
    others: tuple[tuple[int, int, int], ...] = ()
    """The bases that block: x, y and radius."""
    clear_of: tuple[tuple[int, int, int], ...] = ()
    """Those of them that it may not end in contact with."""
    contact: int = 0
    """Up to which gap bases are in contact."""
    solid: tuple[Solid, ...] = ()
    slow: tuple[SlowGround, ...] = ()
    """Ground in which a way costs more than its length; the bands are of costs."""
    rough: tuple[tuple[Point, ...], ...] = ()
    """Outlines of ground that has a price."""
    rough_prices: tuple[int, ...] = ()
    """Additions to the price for touching one, two, three pieces of it."""
    coherency: int | None = None
    """The greatest gap in the chain in which the unit ends; None for none."""
    crosses: bool = False
    """True if it passes over everything, and only its end may be blocked."""
    round: bool = False
    """True if a way round is looked for, leg by leg; else the unit goes straight or not at all."""
    rests: bool = True
    """True if a leg of a way may have no length."""
    may_stay: bool = False
    """True if a move without any movement is legal, provided that all else is."""
    shortest: int = 0
    """The least length of its longest path."""
    whole: bool = False
    """True if a drag of the whole unit always goes its full length, in the direction of its last leg."""
    near: tuple[Nearness, ...] = ()
    """Units that it has to end near to, or far from, with the distances."""
    down: PutDown | None = None
    """Place to put it down; None if it moves."""


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """An area that would be laid on the table: a circle, or an outline, with the pieces under it."""

    circle: tuple[int, int, int] | None = None
    """Centre and radius; None if it is no circle."""
    outline: tuple[Point, ...] = ()
    """Its corners; none if it is a circle."""
    words: str = ""
    under: tuple[int, ...] = ()
    """Models that would be under it."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a wish: an action with its price, or the reason why not."""

    action: MaybeAction = None
    paths: dict[int, tuple[Point, ...]] = {}
    """The polyline of each model, from its current place."""
    length: int = 0
    """The longest path, in tenths of a millimetre."""
    left: int = 0
    """Length still free at this price."""
    price: Sum = ()
    refusal: Refusal | None = None
    faults: tuple[Point, ...] = ()
    """Places on the table that are at fault, if it is refused for a place."""
    templates: tuple[Template, ...] | UnsetType = UNSET
    """Areas that would be laid at the place of the pointer."""
    headings: dict[int, Point] | UnsetType = UNSET
    """Direction of each model's front at the end of its path, for models that have one."""
    notes: tuple[str, ...] | UnsetType = UNSET
    """Remarks to read before it is done, such as which enemies would see its end."""
    watched: tuple[tuple[Point, ...], ...] | UnsetType = UNSET
    """Stretches of the ways in which an enemy may break in."""
