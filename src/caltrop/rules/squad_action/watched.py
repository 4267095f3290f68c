"""Which stretches of a way enemies on overwatch see, as it is told before a Move is made.

The rules find the very first moment of sight; here a way is looked at every half inch, which is soon done.
"""

from __future__ import annotations

from typing import NamedTuple

from caltrop.geometry import INCH, disc_around
from caltrop.rules.squad_action.acts import Move, Paths
from caltrop.rules.squad_action.fight import Firefight
from caltrop.rules.squad_action.overwatch import length_of, may_watch, put_at
from caltrop.rules.squad_action.places import body, in_between, sees
from caltrop.rules.squad_action.routes import routes_of
from caltrop.table.measured import hidden

STEP = INCH // 2
"""How often a way is looked at."""


class Stretch(NamedTuple):
    """A part of a way in which a watcher sees somebody of those who move."""

    watcher: int
    first: int
    """The moment from which on it does, in tenths of a millimetre of the longest path."""
    last: int


def watched(t: Firefight, unit: int, paths: Paths = ()) -> tuple[Stretch, ...]:
    """The stretches in which enemies with tokens see a unit on its way, watcher by watcher (SQ-S31, SQ-Q59).

    Args:
        t: The firefight as the act begins, as either side may see it: what tokens say is no matter.
        unit: The unit that acts.
        paths: The ways of its models; none where it acts where it stands.
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
    found: list[Stretch] = []
    for watcher in watchers:
        for moment in seen[watcher]:
            before = moments[moments.index(moment) - 1] if moment else -1
            if found and found[-1].watcher == watcher and found[-1].last == before:
                found[-1] = found[-1]._replace(last=moment)
            else:
                found.append(Stretch(watcher, moment, moment))
    return tuple(found)


def _sees(t: Firefight, watcher: int, unit: int) -> bool:
    """Whether a watcher sees somebody; pairs between whom something stands are passed over quickly."""
    ground, _ = in_between(t, watcher, unit)
    return any(
        not hidden(ground, disc_around(body(t, a)), disc_around(body(t, b)), ()) and sees(t, a, b)
        for a in t.units[watcher].models
        for b in t.units[unit].models
    )


def set_out(t: Firefight, act: Move) -> Firefight:
    """The firefight as a Move begins: who enters is at the edge, and a machine faces along its way."""
    u = t.units[act.unit]
    there = t.clone()
    headings = routes_of(t, act.unit, act.jump).headings(act)
    if u.where == "reserve":
        there.change(act.unit, where="table", due=False)
        there.put({m: path[0] for m, path in act.paths})
    if headings:
        there.change_model(u.models[0], heading=headings[0])
    return there
