"""Lines of sight for display, from a unit's place or an assumed place.

These lines and obstacles are the same as for attacks (`table.sight`). `explain_sight` also returns the names of the
obstacles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from caltrop.agreeing import agreeing, quantity
from caltrop.engine import does
from caltrop.geometry import Point
from caltrop.picture.sightings import Sighting, SightLine, SightOfPiece
from caltrop.rules.command_horizon.places import NINE_LINES, blockers, standing, standing_of
from caltrop.rules.command_horizon.records import Battle, Disc
from caltrop.table.measured import ExplainedLine as Explained
from caltrop.table.measured import Sight, SightExplained, explain_sight
from caltrop.table.measured import sight as sight_between


def sight(
    t: Battle, unit: int, targets: Sequence[int] = (), places: Mapping[int, Point] | None = None, draw: bool = False
) -> tuple[Sighting, ...]:
    """Return a unit's lines of sight to others.

    Args:
        t: The battle, as the asking side sees it.
        targets: The units to look at; if empty, every enemy unit in play.
        places: Assumed places of models of the unit, by model; all other models are where they stand.
        draw: True to include the lines to draw, with the names of obstacles.
    """
    if not 0 <= unit < len(t.units):
        return ()
    eyes = _eyes(t, unit, places or {})
    side = t.units[unit].side
    others = targets or [s.unit for s in standing(t) if s.side != side]
    return tuple(
        [_sighting(t, unit, target, eyes, draw) for target in others if target != unit and standing_of(t, target)]
    )


def _eyes(t: Battle, unit: int, places: Mapping[int, Point]) -> list[Disc]:
    stands = standing_of(t, unit) is not None
    models = [(m, t.models[m]) for m in t.units[unit].models]
    return [(*places.get(m, (model.x, model.y)), model.r) for m, model in models if stands or m in places]


def _sighting(t: Battle, unit: int, target: int, eyes: Sequence[Disc], draw: bool) -> Sighting:
    discs, between = t.discs(target), blockers(t, unit, target)
    views = sight_between(t.ground, NINE_LINES, eyes, discs, between)
    best: dict[int, SightExplained] = {}
    if draw:
        for each in explain_sight(t.ground, NINE_LINES, eyes, discs, between):
            best_yet = best.get(each.target)
            if best_yet is None or (each.look.crossed, each.look.cut) < (best_yet.look.crossed, best_yet.look.cut):
                best[each.target] = each
    names = {disc: t.called(s.unit) for s in standing(t) for disc in s.discs}
    lines = [(j, line, _name(line, between, names)) for j, each in sorted(best.items()) for line in each.lines]
    pieces = tuple(
        [
            SightOfPiece(
                piece=m,
                seen=one.seen,
                obstructed=one.seen and one.obstructed,
                in_cover=one.in_cover,
                by=_most([by for k, _, by in lines if k == j and by]) if not one.seen or one.obstructed else "",
            )
            for j, (m, one) in enumerate(zip(t.units[target].models, views.targets, strict=True))
        ]
    )
    return Sighting(
        unit=unit,
        target=target,
        seen=views.seen,
        words=f"{t.called(unit)} {_words(t, unit, target, views, pieces, len(eyes))}",
        pieces=pieces,
        lines=tuple(
            [
                SightLine(
                    start=line.start,
                    end=line.end,
                    state="cut" if line.cut else "obscured" if line.obscured else "clear",
                    by=by,
                    stop=line.stop,
                )
                for _, line, by in lines
            ]
        ),
    )


def _name(line: Explained, between: Sequence[Disc], names: Mapping[Disc, str]) -> str:
    if line.terrain is not None:
        return line.terrain[:1].upper() + line.terrain[1:]
    return names[between[line.disc]] if line.disc is not None else ""


def _most(names: Sequence[str]) -> str:
    return max(dict.fromkeys(names), key=names.count, default="")


def _words(t: Battle, unit: int, target: int, sight: Sight, pieces: Sequence[SightOfPiece], eyes: int) -> str:
    name, count = t.called(target), len(pieces)
    hidden = [p for p in pieces if not p.seen]
    if len(hidden) == count:
        by = _most([p.by for p in hidden if p.by])
        return f"{agreeing(t.called(unit), 'does')} not see {name}" + (f": {does(by, 'is')} in the way" if by else "")
    sees = agreeing(t.called(unit), "sees")
    words = f"{sees} {count - len(hidden)} of {count} models of {name}" if count > 1 else f"{sees} {name}"
    parts = []
    if hidden:
        by = _most([p.by for p in hidden if p.by])
        parts.append(f"{len(hidden)} not seen" + (f" behind {by}" if by else ""))
    obstructed = [p for p in pieces if p.obstructed]
    if obstructed:
        by = _most([p.by for p in obstructed if p.by])
        parts.append(f"{len(obstructed)} obstructed" + (f" by {by}" if by else ""))
    covered = sum(p.in_cover for p in pieces)
    if covered:
        parts.append(f"{covered} in cover")
    if sight.blind and len(hidden) < count:
        parts.append(
            f"only {eyes - sight.blind} of its {quantity(eyes, 'model')} {agreeing(eyes - sight.blind, 'sees')} them"
        )
    return f"{words}: {', '.join(parts)}" if parts else f"{words}, nothing in the way"
