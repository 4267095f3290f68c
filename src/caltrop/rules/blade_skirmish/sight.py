"""Lines of sight for display, from a fighter's place or an assumed place.

The lines are the same as for charges (`open_line`). The drawn line is the first clear one; if none is clear, it is the
line between the centres, with its obstacle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from caltrop.geometry import Point
from caltrop.picture.sightings import Sighting, SightLine, SightOfPiece
from caltrop.rules.blade_skirmish.places import rim_points
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.table.measured import explain_line


def sight(
    t: Skirmish, unit: int, targets: Sequence[int] = (), places: Mapping[int, Point] | None = None, draw: bool = False
) -> tuple[Sighting, ...]:
    """Return a fighter's lines of sight to others (BS-GEO-05).

    Args:
        t: The skirmish, as the asking side sees it.
        unit: The fighter who looks.
        targets: The fighters to look at; if empty, every enemy on the table.
        places: Assumed place of the fighter, by her id; by default where she stands.
        draw: True to include the lines to draw, with the names of obstacles.
    """
    if not 0 <= unit < len(t.fighters):
        return ()
    at = (places or {}).get(unit, t.fighters[unit].at)
    if at is None:
        return ()
    others = targets or [f.id for f in t.enemies_of(unit)]
    sightings = []
    for target in others:
        if target == unit or t.fighters[target].at is None:
            continue
        line = explain_line(t.ground, (*at, t.field.radius), t.disc(target), rim_points(t))
        by = "" if line.terrain is None else line.terrain[:1].upper() + line.terrain[1:]
        name = t.called(target)
        words = f"sees {name}" if line.terrain is None else f"does not see {name}: {by} is in the way"
        drawn = SightLine(
            start=line.start, end=line.end, state="clear" if line.terrain is None else "cut", by=by, stop=line.stop
        )
        sightings.append(
            Sighting(
                unit=unit,
                target=target,
                seen=line.terrain is None,
                words=f"{t.called(unit)} {words}",
                pieces=(SightOfPiece(piece=target, seen=line.terrain is None, by=by),),
                lines=(drawn,) if draw else (),
            )
        )
    return tuple(sightings)
