"""Sight of a duellist. Nothing on the table hides the other duellist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from caltrop.geometry import Point
from caltrop.picture.sightings import Sighting, SightLine, SightOfPiece
from caltrop.rules.duel.records import Duel


def sight(
    t: Duel, unit: int, targets: Sequence[int] = (), places: Mapping[int, Point] | None = None, draw: bool = False
) -> tuple[Sighting, ...]:
    """Return what a duellist sees of the other duellist.

    Args:
        t: The duel, as the side that asks sees it.
        unit: The duellist who looks, by side.
        targets: The duellists to look at; the other duellist if empty.
        places: Place where the duellist would stand.
    """
    if unit not in (0, 1) or (targets and 1 - unit not in targets):
        return ()
    me, other = t.duellists[unit], t.duellists[1 - unit]
    if not (me.wounds and other.wounds):
        return ()
    line = SightLine(start=(places or {}).get(unit, me.at), end=other.at, state="clear")
    return (
        Sighting(
            unit=unit,
            target=1 - unit,
            seen=True,
            words=f"{me.name} sees {other.name}",
            pieces=(SightOfPiece(piece=1 - unit, seen=True),),
            lines=(line,) if draw else (),
        ),
    )
