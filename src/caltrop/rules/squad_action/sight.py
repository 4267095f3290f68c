"""Lines of sight for display, from a unit's place or an assumed place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from caltrop.agreeing import agreeing, quantity
from caltrop.engine import decimal, does
from caltrop.geometry import INCH, Point
from caltrop.kit.words import listed
from caltrop.picture.sightings import Sighting, SightLine, SightOfPiece
from caltrop.rules.squad_action.catalogue import COVERS
from caltrop.rules.squad_action.places import (
    LINES,
    body,
    cover_of,
    gap,
    hulls,
    in_between,
    look_between,
    sees,
    shelters,
)
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.shots import faces_struck, through_smoke
from caltrop.table.measured import explain_look


def sight(
    t: Firefight, unit: int, targets: Sequence[int] = (), places: Mapping[int, Point] | None = None, draw: bool = False
) -> tuple[Sighting, ...]:
    """Return a unit's lines of sight to others (SQ-ORG-16, SQ-S11).

    Args:
        t: The firefight, as the asking side sees it.
        unit: The unit that looks.
        targets: The units to look at; if empty, every enemy on the table.
        places: Assumed places of models of the unit, by model; all other models are where they stand.
        draw: True to include the lines to draw, with the names of obstacles.
    """
    if not 0 <= unit < len(t.units):
        return ()
    t = standing_at(t, unit, places or {})
    if not t.units[unit].in_play:
        return ()
    others = targets or [e.id for e in t.enemies(unit)]
    return tuple(
        [
            _sighting(t, unit, target, draw)
            for target in others
            if target != unit and 0 <= target < len(t.units) and t.units[target].in_play
        ]
    )


def standing_at(t: Firefight, unit: int, places: Mapping[int, Point]) -> Firefight:
    """Return the firefight with some models of a unit in other places.

    A unit off the table is put on it if all its models are given places.
    """
    moved = {m: at for m, at in places.items() if m in t.units[unit].models}
    if not moved:
        return t
    there = t.clone()
    there.put(moved)
    if all(there.models[m].at is not None for m in there.units[unit].models):
        there.change(unit, where="table")
    return there


def _sighting(t: Firefight, unit: int, target: int, draw: bool) -> Sighting:
    mine, theirs = t.units[unit].models, t.units[target].models
    viewers = {m: [a for a in mine if sees(t, a, m)] for m in theirs}
    firers = [a for a in mine if any(a in every for every in viewers.values())]
    lines = {m: _lines(t, m, viewers[m] or mine) for m in theirs} if draw else {}
    pieces = tuple([_piece(t, m, viewers[m], firers, lines.get(m, ())) for m in theirs])
    return Sighting(
        unit=unit,
        target=target,
        seen=bool(firers),
        words=does(t.units[unit].name, _words(t, unit, target, pieces, firers)),
        pieces=pieces,
        lines=tuple([line for every in lines.values() for line in every]),
    )


def _piece(
    t: Firefight, model: int, viewers: Sequence[int], firers: Sequence[int], lines: Sequence[SightLine]
) -> SightOfPiece:
    """Return how a model is seen: not at all, only through smoke or clearly, and in what cover."""
    smoke = bool(viewers) and all(through_smoke(t, a, model) for a in viewers)
    cover = cover_of(t, (model,), _places(t, firers))
    return SightOfPiece(
        piece=model,
        seen=bool(viewers),
        obstructed=smoke,
        in_cover=cover != "none",
        by=_most([line.by for line in lines if line.by]) if smoke or not viewers else "",
    )


def _places(t: Firefight, models: Sequence[int]) -> list[Point]:
    return [at for m in models if (at := t.models[m].at) is not None]


def _lines(t: Firefight, model: int, viewers: Sequence[int]) -> tuple[SightLine, ...]:
    best = min(viewers, key=lambda a: (look_between(t, a, model).cut, look_between(t, a, model).crossed, a))
    a, b = t.models[best].unit, t.models[model].unit
    ground, between = in_between(t, a, b)
    owner = {hull: t.units[id].name for id, hull in hulls(t)}
    sight_lines = []
    for line in explain_look(ground, LINES, body(t, best), body(t, model), between).lines:
        name = line.terrain or (owner[between[line.disc]] if line.disc is not None else "")
        sight_lines.append(
            SightLine(
                start=line.start,
                end=line.end,
                state="cut" if line.cut else "obscured" if line.obscured else "clear",
                by=name[:1].upper() + name[1:],
                stop=line.stop,
            )
        )
    return tuple(sight_lines)


def _most(names: Sequence[str]) -> str:
    return max(dict.fromkeys(names), key=names.count, default="")


def _words(t: Firefight, unit: int, target: int, pieces: Sequence[SightOfPiece], firers: Sequence[int]) -> str:
    """Describe a unit's sight of another: distance, hidden models, smoke, cover, and models that see nothing."""
    e, count = t.units[target], len(pieces)
    far = decimal(gap(t, unit, target), INCH)
    away = f"{quantity(far, 'inch')} away"
    hidden = [p for p in pieces if not p.seen]
    if not firers:
        by = _most([p.by for p in hidden if p.by])
        return f"does not see {e.name}, {away}" + (f": {does(by, 'is')} in the way" if by else "")
    seen = f"{count - len(hidden)} of {count} models of {e.name}" if count > 1 else _face(t, e.id, firers)
    words, parts = f"sees {seen}", []
    if hidden:
        by = _most([p.by for p in hidden if p.by])
        parts.append(f"{len(hidden)} not seen" + (f" behind {by}" if by else ""))
    smoke = sum([p.obstructed for p in pieces])
    if smoke:
        parts.append(f"{smoke} through smoke" if count > 1 else "through smoke")
    parts += _cover(t, target, pieces, firers)
    blind = len(t.units[unit].models) - len(firers)
    if blind:
        every = quantity(len(t.units[unit].models), "model")
        parts.append(
            f"only {len(firers)} of its {every} {agreeing(len(firers), 'sees')} {'them' if count > 1 else 'it'}"
        )
    return f"{words}, {away}: {', '.join(parts)}" if parts else f"{words}, {away}, nothing in the way"


def _face(t: Firefight, target: int, firers: Sequence[int]) -> str:
    """Return the name of a target with one model; for a machine, also the faces that would be hit."""
    e = t.units[target]
    if e.on_foot:
        return e.name
    struck = {face for place in _places(t, firers) for face in faces_struck(t, target, place)}
    return f"the {listed([face for face in ('front', 'side', 'rear') if face in struck])} of {e.name}"


def _cover(t: Firefight, target: int, pieces: Sequence[SightOfPiece], firers: Sequence[int]) -> list[str]:
    """Describe how many models have cover from what, and whether the unit as a whole does (SQ-S16)."""
    covered = [p.piece for p in pieces if p.seen and p.in_cover]
    if not covered:
        return []
    places = _places(t, firers)
    some = f"{len(covered)} in cover" if len(pieces) > 1 else "in cover"
    whole = cover_of(t, t.units[target].models, places)
    by = _most(
        [
            shelter.by
            for m in covered
            for place in places
            for shelter in shelters(t, m, place)
            if shelter.by and COVERS.index(shelter.cover) >= COVERS.index(whole)
        ]
    )
    counts = f"which counts as {whole}" if whole != "none" else "too few to count"
    return [some + (f" by {by[:1].upper() + by[1:]}" if by else ""), counts]
