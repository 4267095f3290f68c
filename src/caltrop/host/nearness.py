"""The distance to an offer's targets, measured on the picture, which has the same form in every game."""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt

from caltrop.asking.offer import Offer
from caltrop.picture import Group, Picture


def nearest(picture: Picture, offers: Iterable[Offer]) -> int | None:
    """Return the smallest distance between a unit and one of its possible targets; None without a target.

    Args:
        picture: The table as the asked side sees it.
    """
    groups = {group.id: group for group in picture.groups}
    pairs = {(offer.unit, offer.target) for offer in offers if offer.unit is not None and offer.target is not None}
    distances = [between(groups[unit], groups[target]) for unit, target in pairs if unit in groups and target in groups]
    return min((distance for distance in distances if distance is not None), default=None)


def between(one: Group, other: Group) -> int | None:
    """Return the distance between the nearest edges of two units, in units of the picture."""
    distances = [
        isqrt((a.at[0] - b.at[0]) ** 2 + (a.at[1] - b.at[1]) ** 2) - a.radius - b.radius
        for a in one.pieces
        for b in other.pieces
    ]
    return max(min(distances), 0) if distances else None


def measured(picture: Picture, distance: int) -> str:
    """Return a distance in the game's own unit, such as `14 in`; in hexes on a map of hexes."""
    if picture.form == "hexes":
        return f"{distance / picture.scale:.0f} {picture.measure}"
    return f"{distance / picture.scale:.1f} {picture.measure}".replace(".0 ", " ")
