"""Lines of sight for display, from a unit's place or an assumed place.

Sight and obstacles are the same as for battles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist

from caltrop.picture import Point
from caltrop.picture.sightings import Sighting, SightLine, SightOfPiece
from caltrop.rules.hex_command.attack.events import does
from caltrop.rules.hex_command.places import blockers, height_of, in_words
from caltrop.rules.hex_command.records import Battle, Unit
from caltrop.table.hexes import Hex


def sight(
    t: Battle, unit: int, targets: Sequence[int] = (), places: Mapping[int, Point] | None = None, draw: bool = False
) -> tuple[Sighting, ...]:
    """Return a unit's lines of sight to others.

    Args:
        t: The battle, as the asking side sees it.
        targets: The units to look at; if empty, every enemy on the map.
        places: Assumed place of the unit in the picture, by its piece; by default its present place.
    """
    if not 0 <= unit < len(t.units):
        return ()
    looking = t.units[unit]
    at = looking.hex
    place = next(iter((places or {}).values()), None)
    if place is not None:
        at = min(t.map.hexes, key=lambda hex: dist(t.map.centre(hex), place))
    if at is None:
        return ()
    every = targets or [u.id for u in t.of_side(1 - looking.side)]
    units = [t.units[id] for id in every if 0 <= id < len(t.units) and id != unit]
    return tuple([_sighting(t, looking, at, target, target.hex, draw) for target in units if target.hex is not None])


def _sighting(t: Battle, unit: Unit, at: Hex, target: Unit, there: Hex, draw: bool) -> Sighting:
    between = blockers(t, unit, at, target, there)
    by = in_words(t, between[0]) if between else ""
    start, end = t.map.centre(at), t.map.centre(there)
    line = SightLine(
        start=start,
        end=end,
        state="cut" if between else "clear",
        by=by,
        stop=t.map.centre(between[0]) if between else None,
    )
    sees, not_sees = does(unit, "see", "sees"), does(unit, "do not see", "does not see")
    named = f"the {t.called(target.id)} at {there}"
    words = f"{not_sees} {named}: in the way is {by}{_why(t, between[0])}" if between else f"{sees} {named}"
    return Sighting(
        unit=unit.id,
        target=target.id,
        seen=not between,
        words=f"The {t.called(unit.id)} at {at} {words}",
        pieces=(SightOfPiece(piece=target.id, seen=not between, by=by),),
        lines=(line,) if draw else (),
    )


def _why(t: Battle, hex: Hex) -> str:
    return f", size {height_of(t, hex, False)}"
