"""The parts of a path that enemies on overwatch see, shown before a Move.

The rules compute the exact first moment of sight. In this module a path is tested every half inch, which is faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from caltrop.agreeing import quantity
from caltrop.asking import Proposal
from caltrop.engine import agreeing, decimal, does
from caltrop.geometry import INCH, Point, disc_around, path_length
from caltrop.rules.squad_action.acts import Paths
from caltrop.rules.squad_action.limits import GoingWay
from caltrop.rules.squad_action.places import body, cover_of, gap, in_between, sees
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.routes import Routes
from caltrop.rules.squad_action.watching import length_of, may_watch, put_at
from caltrop.table.measured import SharedWay, hidden

STEP = INCH // 2
"""Distance between tested places on a path, in tenths of a millimetre."""


class SeenStretch(NamedTuple):
    """A part of a path on which an enemy on overwatch sees at least one moving model."""

    watcher: int
    first: int
    """First moment of the part, as a distance along the longest path in tenths of a millimetre."""
    last: int


def watched(t: Firefight, unit: int, paths: Paths = ()) -> tuple[SeenStretch, ...]:
    """Return the parts of a path on which enemies with tokens see a unit, enemy by enemy (SQ-S31, SQ-Q59).

    Args:
        t: The firefight at the start of the act, as either side sees it.
        unit: The acting unit.
        paths: The paths of the unit's models; empty if the unit does not move.
    """
    watchers = [e.id for e in t.enemies(unit) if may_watch(t, e.id, unit, 0)]
    if not watchers:
        return ()
    length = length_of(paths)
    moments = (*range(0, length, STEP), length)
    there = t.clone()
    seen: dict[int, list[int]] = {watcher: [] for watcher in watchers}
    for moment in moments:
        put_at(there, unit, paths, moment)
        for watcher in watchers:
            if _sees(there, watcher, unit):
                seen[watcher].append(moment)
    stretches: list[SeenStretch] = []
    for watcher in watchers:
        for moment in seen[watcher]:
            before = moments[moments.index(moment) - 1] if moment else -1
            if stretches and stretches[-1].watcher == watcher and stretches[-1].last == before:
                stretches[-1] = stretches[-1]._replace(last=moment)
            else:
                stretches.append(SeenStretch(watcher, moment, moment))
    return tuple(stretches)


def _sees(t: Firefight, watcher: int, unit: int) -> bool:
    """Return whether an enemy sees a unit, after quickly excluding pairs of models with an obstacle in between."""
    ground, _ = in_between(t, watcher, unit)
    return any(
        not hidden(ground, disc_around(body(t, a)), disc_around(body(t, b))) and sees(t, a, b)
        for a in t.units[watcher].models
        for b in t.units[unit].models
    )


def set_out(routes: Routes, way: GoingWay) -> Firefight:
    """Return the firefight at the start of a Move.

    An entering unit is at the edge, and a machine faces along its path.
    """
    there = routes.t.clone()
    headings = routes.headings(way)
    if routes.u.where == "reserve":
        there.change(routes.unit, where="table", due=False)
        there.put({m: path[0] for m, path in way.paths})
    if headings:
        there.change_model(routes.models[0], heading=headings[0])
    return there


def foretold(routes: Routes, way: GoingWay, proposal: Proposal) -> Proposal:
    """Return a Move as a proposal, with the enemies that may interrupt it and where, and those that see its end."""
    there = set_out(routes, way)
    proposal_ = _with_watchers(routes.t, watched(there, routes.unit, way.paths), way.paths, proposal)
    if way.off:
        return proposal_
    there.put({m: path[-1] for m, path in way.paths})
    return msgspec.structs.replace(proposal_, notes=(*(proposal_.notes or ()), seen_at(there, routes.unit)))


def foretold_in(t: Firefight, unit: int, paths: Paths, targets: Sequence[int], proposal: Proposal) -> Proposal:
    """Return an approach as a proposal, with the enemies that may interrupt it and where.

    Assaulted units fire all tokens when they first see the unit (SQ-CQS-01, SQ-Q19).
    """
    proposal_ = _with_watchers(t, watched(t, unit, paths), paths, proposal, targets)
    return proposal_ if proposal_.notes else proposal


def _with_watchers(
    t: Firefight, stretches: Sequence[SeenStretch], paths: Paths, proposal: Proposal, targets: Sequence[int] = ()
) -> Proposal:
    return msgspec.structs.replace(
        proposal,
        notes=tuple([_of_stretch(t, stretch, length_of(paths), stretch.watcher in targets) for stretch in stretches]),
        watched=tuple([way for stretch in stretches if len(way := _part(paths, stretch)) > 1]) or UNSET,
    )


def _of_stretch(t: Firefight, stretch: SeenStretch, length: int, assaulted: bool) -> str:
    name, first, last = t.units[stretch.watcher].name, decimal(stretch.first, INCH), decimal(stretch.last, INCH)
    if stretch.first == 0:
        when = "all the way" if stretch.last >= length else f"up to {quantity(last, 'inch')} of the way"
    elif stretch.last >= length:
        when = f"after {quantity(first, 'inch')} of the way"
    else:
        when = f"from {first} to {quantity(last, 'inch')} of the way"
    fires, it, has, sees = (agreeing(name, word) for word in ("fires", "it", "has", "sees"))
    if assaulted:
        return f"{does(name, 'is')} on overwatch, and {fires} all that {it} {has}: {it} {sees} them {when}"
    return f"{does(name, 'is')} on overwatch, and {sees} it {when}"


def _part(paths: Paths, stretch: SeenStretch) -> tuple[Point, ...]:
    way = SharedWay([path for _, path in paths], in_step=True)
    longest = max(range(len(paths)), key=lambda n: path_length(paths[n][1]), default=-1)
    if longest < 0:
        return ()
    before, whole = way.begun(stretch.first)[longest], way.begun(stretch.last)[longest]
    return (before[-1], *whole[max(len(before) - 1, 1) :])


def seen_at(t: Firefight, unit: int) -> str:
    seen = sorted([(gap(t, unit, e.id), e.id) for e in t.enemies(unit) if _sees(t, e.id, unit)])
    if not seen:
        return "Out of sight of every enemy at its end"
    nearest = t.units[seen[0][1]]
    places = [at for m in nearest.models if (at := t.models[m].at) is not None]
    cover = cover_of(t, t.units[unit].models, places)
    many = f"by {len(seen)} enemy units, the nearest {nearest.name}" if len(seen) > 1 else f"by {nearest.name}"
    return f"Seen at its end {many}: {'in the open' if cover == 'none' else f'{cover} cover'}"
