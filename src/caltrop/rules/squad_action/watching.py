"""Overwatch: the enemies that may interrupt an act, and the moment from which they may (SQ-S31 to S34)."""

from __future__ import annotations

from typing import Any, Literal

from caltrop.engine import rule
from caltrop.geometry import INCH, Body, Disc, disc_around, placed
from caltrop.rules.squad_action.acts import Paths
from caltrop.rules.squad_action.places import (
    LINES,
    bodies,
    body,
    ground_for_sight,
    in_between,
    sees,
    sky_for_sight,
)
from caltrop.rules.squad_action.records import Firefight
from caltrop.table.measured import SharedWay, first_moment, hidden, unseen


def may_watch(t: Firefight, watcher: int, actor: int, before: int) -> bool:
    """Return whether a unit has tokens that it may use against an act of another unit."""
    w, u = t.units[watcher], t.units[actor]
    return (
        w.side != u.side
        and w.in_play
        and w.watching > 0
        and bool(t.tokens.get(watcher) and t.tokens[watcher].faces)
        and not w.pinned
        and not w.broken
        and (before == 0 or w.watching < before)
    )


@rule("SQ-S31", "SQ-ORG-36", "SQ-ORG-39", "SQ-ORG-40", "SQ-Q59")
def chances_to_break_in(
    t: Firefight, actor: int, paths: Paths, start: int, before: int, reacted: tuple[int, ...]
) -> tuple[Chance, ...]:
    """Enemies on overwatch may interrupt an act from the moment at which they see the unit.

    A token cannot be used in the turn in which it was laid, because only enemies act in the turns of the other side.

    Args:
        t: The firefight when the act begins or continues.
        paths: The paths of the unit's models, from the beginning of the act.
        before: The latest time of going on overwatch; 0 for any.
        reacted: Units that have used a token in this act, because each unit may use one token.
    """
    chances: list[Chance] = []
    for w in t.enemies(actor):
        if w.id not in reacted and may_watch(t, w.id, actor, before):
            moment = first_sight(t, w.id, actor, paths, start)
            if moment is not None:
                chances.append((w.id, moment))
    return tuple(chances)


def first_sight(t: Firefight, watcher: int, actor: int, paths: Paths, start: int) -> int | None:
    """Return the first moment, at or after *start*, at which an enemy sees a unit on its way; None if no enemy does.

    Models that stay where they are may be seen too.
    """
    going = tuple([(m, path) for m, path in paths if m in t.units[actor].models])
    moving = [m for m, _ in going]
    staying = [m for m in t.units[actor].models if m not in moving]
    if any(sees(t, eye, m) for eye in t.units[watcher].models for m in staying):
        return start
    if not going:
        return None
    # The first moment is cached. The cached moment depends only on the watching models, the paths, and the ground and
    # hulls between.
    eyes, shapes = bodies(t, watcher), tuple([body(t, m) for m, _ in going])
    cache: dict[Any, int | None] = t.book.scratch.setdefault("first sights", {})
    key = in_between(t, watcher, actor), eyes, shapes, tuple([path for _, path in going]), length_of(paths), start
    if key not in cache:
        if len(cache) >= SIGHTS:
            cache.clear()
        cache[key] = _first_sight(t, watcher, actor, paths, start)
    return cache[key]


def _first_sight(t: Firefight, watcher: int, actor: int, paths: Paths, start: int) -> int | None:
    models, way = way_of(t, actor, paths)
    # A stationary unit is seen at once or never, because nothing else moves.
    watchers = t.units[watcher].models
    eyes = [(b, disc_around(b)) for b in bodies(t, watcher)]
    shapes = [body(t, m) for m in models]
    radii = [disc_around(shape)[2] for shape in shapes]
    flying = "flyer" in (t.units[actor].kind, t.units[watcher].kind)
    ground = sky_for_sight(t) if flying else ground_for_sight(t)
    twin = t.clone()
    every = [(n, eye) for n in range(len(models)) for eye in range(len(eyes))]
    sights: list[tuple[int, int, list[tuple[int, int]]]] = []
    """Nested parts of the path, each with the pairs of models that may see each other in it."""
    least = way.length + 1
    """Earliest moment so far at which a pair is known to see each other."""

    def left(first: int, last: int) -> list[tuple[int, int]]:
        while sights and not sights[-1][0] <= first <= last <= sights[-1][1]:
            sights.pop()
        return sights[-1][2] if sights else every

    def holds(moment: int) -> bool:
        nonlocal least
        if moment < least:
            twin.put(dict(zip(models, way.at(moment), strict=True)))
            if any(sees(twin, watchers[eye], models[n]) for n, eye in left(moment, moment)):
                least = moment
        return moment == least

    def may_hold(first: int, last: int) -> bool:
        if first <= least <= last:
            return True
        pairs = left(first, last)
        if first < last:
            discs = way.swept(first, last, radii)
            pairs = [(n, eye) for n, eye in pairs if not hidden(ground, eyes[eye][1], discs[n])]
            sights.append((first, last, pairs))
            if pairs and last - first >= BRIEF:
                pairs[:] = [(n, eye) for n, eye in pairs if may_see(discs[n], n, eyes[eye][0])]
            if pairs:
                holds((first + last) // 2)
        return bool(pairs)

    def may_see(disc: Disc, n: int, eye: Body) -> bool:
        x, y, r = disc
        near = r - radii[n]
        return not (near <= CLOSE and unseen(ground, LINES, eye, placed(shapes[n], (x, y)), (0, near)))

    return first_moment(way, holds, may_hold, start)


def way_of(t: Firefight, actor: int, paths: Paths) -> tuple[tuple[int, ...], SharedWay]:
    """Return the surviving models of a moving unit, and their common path.

    Moments are measured on the longest path of all models that set out, so that losses do not change them.
    """
    going = [(m, path) for m, path in paths if m in t.units[actor].models]
    way = SharedWay([path for _, path in going], in_step=True, length=length_of(paths))
    return tuple([m for m, _ in going]), way


def put_at(t: Firefight, actor: int, paths: Paths, moment: int) -> None:
    models, way = way_of(t, actor, paths)
    t.put(dict(zip(models, way.at(moment), strict=True)))


def length_of(paths: Paths) -> int:
    """Return the last moment of some paths: the length of the longest, in tenths of a millimetre."""
    return SharedWay([path for _, path in paths], in_step=True).length if paths else 0


def up_to(paths: Paths, moment: int) -> Paths:
    """Return the parts of paths up to a moment: the same fraction of each path."""
    begun = SharedWay([path for _, path in paths], in_step=True).begun(moment)
    return tuple([(m, path) for (m, _), path in zip(paths, begun, strict=True)])


@rule("SQ-S33")
def has_begun(t: Firefight, unit: int, moment: int) -> bool:
    """A unit that is Pinned before its first action began keeps that action for a rally."""
    return moment > 0 or t.units[unit].acted != 1


def fires_at(act: Any, target: int) -> bool:
    """Return whether a Shoot fires at least one weapon at a target."""
    return any(unit == target for _, unit in act.fire)


def usable(t: Firefight, side: int) -> list[int]:
    return [u.id for u in t.of_side(side) if u.watching and u.id in t.tokens and not (u.pinned or u.broken)]


@rule("SQ-ORG-35", "SQ-ORG-41", "SQ-S30", "SQ-Q02", stages=("house",))
def tokens_of(t: Firefight, unit: int) -> int:
    """A unit has one token for each action left, including the current one."""
    return int(t.book.rules["actions_per_activation"]) + 1 - t.units[unit].acted


@tokens_of.amended_by("SQ-Q17", stage="house", house={"overwatch": "single"})
def one_marker(count: int, t: Firefight, unit: int) -> int:
    return min(count, 1)


@rule("SQ-ORG-34", "SQ-FMI-04", "SQ-Q72", stages=("house",))
def faces_of_tokens(t: Firefight, unit: int) -> tuple[Face, ...]:
    """Each token is Fire or Move. A unit that has called for fire in this activation has only Fire tokens."""
    return ("fire",) if t.units[unit].called else FACES


@faces_of_tokens.amended_by("SQ-Q17", stage="house", house={"overwatch": "single"})
def a_marker_is_for_a_shot(faces: tuple[Face, ...], t: Firefight, unit: int) -> tuple[Face, ...]:
    """House rule: every token is Fire."""
    return ("fire",)


def lose_overwatch(t: Firefight, unit: int) -> None:
    if unit in t.tokens or t.units[unit].watching:
        t.tokens.pop(unit, None)
        t.change(unit, watching=0)


Chance = tuple[int, int]
"""An enemy on overwatch, and the first moment at which it sees a model of the acting unit."""


CLOSE = 2 * INCH
"""Length of a part of a path below which single lines of sight are tested."""
BRIEF = 6
"""Length of a part of a path below which every moment is tested."""
SIGHTS = 20_000
"""Largest number of first moments that are cached."""


Face = Literal["fire", "move"]
FACES: tuple[Face, ...] = ("fire", "move")
"""Faces of a token (SQ-ORG-34)."""
