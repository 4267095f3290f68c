"""Templates (circle, strip, cone), scattering markers, and bodies that enter the table.

A template is a `Form` of `caltrop.geometry`: a disc, a hull or a polygon. The template's border is exact to the grid,
and the ruleset decides whether touching the border counts as being under it.

>>> line = strip((0, 0), (1, 0), 4572, 508)
>>> under(line, [(300, 400, 76), (300, 300, 76), (5000, 0, 76)], touched=True)
(1,)
>>> blast = (6096, 6096, 1270)
>>> scattered((6096, 6096), clock(3), 7 * 254)
(7874, 6096)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from caltrop.geometry import (
    Body,
    Box,
    Form,
    Hull,
    Point,
    Polygon,
    convex,
    covers,
    form_box,
    heading_of,
    near_to,
    over_root,
    overlap,
    point_along,
)

Edge = Literal["west", "south", "east", "north"]
"""An edge of the table: y is 0 at the south edge, and x is 0 at the west edge."""

INWARD: dict[Edge, Point] = {"west": (1, 0), "south": (0, 1), "east": (-1, 0), "north": (0, -1)}
"""The direction from each edge into the table, as a unit vector."""

HOURS = 12
"""Number of directions of a clock face."""

# Twice the sine of each hour: 0, 1 or 2, and None for the root of 3.
_SINES: tuple[int | None, ...] = (0, 1, None, 2)


def clock(hour: int) -> int:
    """Return the direction of an hour of the clock face, as a twelve-sided die shows it: 12 is north, 3 east, 6 south.

    Raises:
        ValueError: The hour does not exist.
    """
    if not 1 <= hour <= HOURS:
        raise ValueError(f"the clock has the hours 1 to 12; this is {hour}")
    return hour


def _sine(hour: int, distance: int) -> int:
    hour %= HOURS
    sign = 1 if hour < 6 else -1
    hour %= 6
    halves = _SINES[hour if hour <= 3 else 6 - hour]
    # Half the root of 3 is 3 divided by the root of 12.
    return sign * (over_root(3 * distance, 12) if halves is None else over_root(halves * distance, 4))


def scattered(place: Point, hour: int, distance: int) -> Point:
    """Return the place of a marker that scatters by an hour of the clock, on or off the table.

    Args:
        hour: The direction, 1 to 12; 12 is north, where y grows.
        distance: Distance in tenths of a millimetre.

    Returns:
        The grid point nearest to the true one, the same on every machine.

    >>> scattered((0, 0), 12, 100), scattered((0, 0), 1, 1000), scattered((0, 0), 9, 20 * 254)
    ((0, 100), (500, 866), (-5080, 0))
    """
    hour = clock(hour)
    return (place[0] + _sine(hour, distance), place[1] + _sine(hour + 3, distance))


def direction_of(hour: int) -> Point:
    """Return the direction of an hour as a long vector, for `point_along` and headings.

    >>> direction_of(6)
    (0, -1)
    """
    return heading_of(scattered((0, 0), hour, 1 << 20))


# --- shapes -----------------------------------------------------------------------------------------------------------


def strip(start: Point, direction: Point, length: int, width: int) -> Polygon:
    """Return a strip: a rectangle that begins at a place.

    Args:
        start: The middle of the strip's near end.
    """
    far = point_along(start, direction, length)
    half = point_along((0, 0), (-direction[1], direction[0]), width // 2)
    return convex([(x + s * half[0], y + s * half[1]) for x, y in (start, far) for s in (1, -1)])


def strip_through(middle: Point, direction: Point, length: int, width: int) -> Polygon:
    """Return a strip, a rectangle, with a place in its middle."""
    return Hull(*middle, length // 2, width // 2, direction).corners


def cone(apex: Point, direction: Point, length: int, width: int) -> Polygon:
    """Return a cone: a triangle from a tip to an end that has a width and is perpendicular to the cone's direction.

    >>> cone((0, 0), (1, 0), 800, 400)
    ((0, 0), (800, -200), (800, 200))
    """
    far = point_along(apex, direction, length)
    half = point_along((0, 0), (-direction[1], direction[0]), width // 2)
    return convex([apex, (far[0] + half[0], far[1] + half[1]), (far[0] - half[0], far[1] - half[1])])


def under(template: Form, bodies: Sequence[Body], touched: bool = False) -> tuple[int, ...]:
    """Return the indices of the bodies that are under a template, in order.

    Args:
        template: A disc, a hull, or a strip or cone made by this module.
        bodies: Bases and hulls.
        touched: True if a body that only touches the border counts; otherwise it must overlap the template.
    """
    if touched:
        return tuple([index for index, body in enumerate(bodies) if near_to(template, body, 0)])
    return tuple([index for index, body in enumerate(bodies) if overlap(template, body)])


def centres_under(template: Form, bodies: Sequence[Body]) -> tuple[int, ...]:
    """Return the indices of the bodies whose centre is under a template, with its border."""
    return tuple([index for index, body in enumerate(bodies) if covers(template, (body[0], body[1]))])


# --- edges ------------------------------------------------------------------------------------------------------------


def over_edge(box: Box, edge: Edge, body: Body, at: int) -> Body:
    """Return a body outside the table with its rim at an edge, ready to enter.

    Args:
        box: The table's edge (`TableGround.box`).
        at: Distance of the centre along the edge, from the south or west.

    >>> over_edge((0, 0, 12192, 12192), "south", (0, 0, 76), 6096)
    (6096, -76, 76)
    """
    x0, y0, x1, y1 = box
    deep = body.length if isinstance(body, Hull) else body[2]
    places: dict[Edge, Point] = {
        "west": (x0 - deep, y0 + at),
        "south": (x0 + at, y0 - deep),
        "east": (x1 + deep, y0 + at),
        "north": (x0 + at, y1 + deep),
    }
    place = places[edge]
    return body.moved(place).turned(INWARD[edge]) if isinstance(body, Hull) else (*place, body[2])


def entry(box: Box, edge: Edge, body: Body, goal: Point, limit: int) -> tuple[Point, int] | None:
    """Return the shortest straight path over an edge to a place: its start on the edge, and its length.

    The path is perpendicular to the edge and measured for the centre. The path is for a mover that may enter anywhere
    along the edge.

    Args:
        box: The table's edge (`TableGround.box`).
        body: The body with its final heading.
        goal: Final place of the body's centre.
        limit: The greatest length.

    Returns:
        The place on the edge and the length; None if the body would overlap an edge of the table, or the goal is too
        far.

    >>> entry((0, 0, 12192, 12192), "south", (0, 0, 76), (5000, 1524), 1524)
    ((5000, 0), 1524)
    """
    x0, y0, x1, y1 = box
    feet: dict[Edge, Point] = {
        "west": (x0, goal[1]),
        "south": (goal[0], y0),
        "east": (x1, goal[1]),
        "north": (goal[0], y1),
    }
    foot = feet[edge]
    length = abs(goal[0] - foot[0]) + abs(goal[1] - foot[1])
    there = body.moved(goal) if isinstance(body, Hull) else (*goal, body[2])
    left, low, right, high = form_box(there)
    on_table = x0 <= left and y0 <= low and right <= x1 and high <= y1
    return (foot, length) if on_table and length <= limit else None


def left_over(box: Box, body: Body) -> Edge | None:
    """Return the edge beyond which a body is wholly off the table, tried in the order west, south, east, north; else
    None.

    >>> left_over((0, 0, 100, 100), (50, 110, 10)), left_over((0, 0, 100, 100), (50, 109, 10))
    ('north', None)
    """
    left, low, right, high = form_box(body)
    if right <= box[0]:
        return "west"
    if high <= box[1]:
        return "south"
    if left >= box[2]:
        return "east"
    return "north" if low >= box[3] else None
