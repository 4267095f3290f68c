"""The moves of a unit: obstacles, costs, and the nearest legal move.

`why_still` decides whether a unit may move at all. `Routes` is made for one unit and one position, and checks the paths
of a person or a program. A route is a path for each moving model, from its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from caltrop.engine import total
from caltrop.geometry import (
    CM,
    CONTACT,
    INCH,
    Disc,
    Point,
    boxes_within,
    cut_at_length,
    discs_box,
    distance_sq,
    distance_up,
    gap_within,
    overlapping,
    path_length,
    point_along,
    touching,
)
from caltrop.rules.command_horizon.limits import Limits, Path, Paths, as_paths, longest
from caltrop.rules.command_horizon.places import StandingPlace
from caltrop.table.measured import (
    coherent,
    cut_path,
    first_obstacle,
    march,
    ring_offsets,
    stands,
    way,
)

NEAR = 5 * CM
"""Distance beyond a unit's reach up to which a path to a distant goal is planned."""


DETOURS = 3
"""Number of places for which a path round obstacles is looked for, if none can be reached straight."""


class Routes(Limits):
    """The moves of one unit: the nearest legal route, and the route for a drag."""

    def shifted(self, direction: Point, length: int) -> Paths:
        """Return the whole unit's straight move in one direction. Disabled models stay where they are."""
        dx, dy = point_along((0, 0), direction, length)
        while length > 0 and distance_up((0, 0), (dx, dy)) > self.limit:
            length -= 1
            dx, dy = point_along((0, 0), direction, length)
        return self._by(((dx, dy),))

    def towards(self, to: Point, anchor: int | None = None, reform: bool = True) -> Paths | None:
        """Return a move towards a place, as far as the unit can pay for.

        The move is straight if possible. If no straight move is possible, the unit follows one path in formation, or
        changes its formation.

        Args:
            anchor: The index of the model that should arrive at the place; None for the first.
            reform: True to try other formations if the present one does not fit, which is slow.
        """
        lead = self.discs[0 if anchor is None else anchor]
        away = (to[0] - lead[0], to[1] - lead[1])
        if not self.disabled:
            length = distance_up((0, 0), away)
            straight = self._by((away,)) if length <= self.top else self.shifted(away, self.top)
            if self.legal(straight):
                return straight
            goal = to if length <= self.top + NEAR else point_along(lead[:2], away, self.top + NEAR)
            guide = way(self.ground, lead[:2], goal, lead[2], self.local, self.crosses)
            if guide is not None:
                whole = min(self.top, path_length(guide))
                for part in (8, 6, 4, 2):
                    begun = cut_at_length(guide, whole * part // 8)
                    paths = self._by([(x - lead[0], y - lead[1]) for x, y in begun[1:]])
                    if self.legal(paths):
                        return paths
        return self.marched(to, None, anchor) if reform else None

    def _by(self, away: Sequence[Point]) -> Paths:
        paths = tuple(
            [
                (m, ((x, y), *[(x + dx, y + dy) for dx, dy in away]))
                for m, (x, y, _) in zip(self.ids, self.discs, strict=True)
                if m not in self.disabled
            ]
        )
        self.stepped = ((), ()) if self.disabled else (paths, tuple(away))
        return paths

    def marched(self, to: Point, limit: int | None = None, anchor: int | None = None) -> Paths | None:
        """Return a move towards a place round obstacles, in another formation if necessary; None if there is none."""
        if self.disabled or not self.bands:
            return None
        limit = self.top if limit is None else limit
        lead = self.discs[0] if anchor is None else self.discs[anchor]
        if distance_sq(lead[:2], to) > (limit + NEAR) ** 2:
            to = point_along(lead[:2], (to[0] - lead[0], to[1] - lead[1]), limit + NEAR)
        others, enemies = self.local, self.untouchable

        def accept(after: Sequence[Disc]) -> bool:
            return not any(touching(p, q) for p in after for q in enemies)

        way = march(self.ground, self.discs, to, limit, others, self.crosses, INCH, anchor, accept if enemies else None)
        paths = tuple([(m, path) for m, path in zip(self.ids, way, strict=True) if len(path) > 1])
        return paths if paths and self.legal(paths) else None

    def ending_nearest(self, paths: Paths) -> Paths | None:
        """Return the legal route that ends nearest to the end of some paths.

        If only some models have paths, return the legal part of these paths.
        """
        begun = self.nearest(paths)
        ends = dict(paths)
        if self.top <= 0 or any(m not in ends for m in self.ids if m not in self.disabled):
            return begun
        if self.lead is None or not ends[self.ids[self.lead]]:
            return begun
        lead, first = self.discs[self.lead], self.ids[self.lead]
        starts = [] if begun is None else [((dict(begun).get(first) or (lead[:2],))[-1], begun)]
        return self.ends_nearest(ends[first][-1], lead[:2], self.top, self.ground.box, starts)

    @cached_property
    def lead(self) -> int | None:
        """Index of the model that leads: the first that may move; None if no model may move."""
        return next((i for i, m in enumerate(self.ids) if m not in self.disabled), None)

    def _away(self, end: Point) -> Point:
        x, y, _ = self.discs[self.lead or 0]
        return end[0] - x, end[1] - y

    def straight_to(self, end: Point) -> Paths | None:
        """Return the whole unit's straight move to a place.

        If the unit has to close up, its other models follow the leading model.
        """
        straight, lead = self._by((self._away(end),)), self.lead or 0
        x, y, r = self.discs[lead]
        if self.legal(straight) or coherent(self.discs) or not stands(self.ground, (*end, r), self.local):
            return straight
        return self.followed(lead, ((x, y), end), self.top)

    def round_to(self, end: Point) -> Paths | None:
        """Return the whole unit's move along the leading model's path round obstacles; None if a model is Disabled."""
        x, y, r = self.discs[self.lead or 0]
        way_round = None if self.disabled else way(self.ground, (x, y), end, r, self.local, self.crosses, self.top)
        return None if way_round is None else self._by([(u - x, v - y) for u, v in way_round[1:]])

    def could_stand(self, end: Point) -> bool:
        dx, dy = self._away(end)
        return all(stands(self.ground, (x + dx, y + dy, r), self.local) for x, y, r in self.discs)

    def nearest(self, paths: Paths) -> Paths | None:
        """Return a legal route similar to some paths: cut at the first fault, shortened, or a march to their end."""
        drawn: list[tuple[int, Path]] = []
        for m, path in paths:
            i = self.index.get(m, -1)
            if i >= 0 and m not in self.disabled and m not in [d[0] for d in drawn]:
                start = self.discs[i][:2]
                drawn.append((m, path if path and path[0] == start else (start, *path)))
        if not drawn or self.top <= 0:
            return None
        others = self.blocking
        cut = [
            (m, cut_path(self.ground, path, self.discs[self.index[m]][2], others, self.top, self.crosses))
            for m, path in drawn
        ]
        for candidate in self._shortened(cut):
            if self.legal(candidate):
                return candidate
        for candidate in self._shortened([(m, cut_at_length(path, self.top)) for m, path in drawn]):
            if self.legal(candidate):
                return candidate
        lead, path = max(drawn, key=lambda d: path_length(d[1]))
        for reach in [length for length, price in reversed(self.bands) if total(price) <= self.cp]:
            way = self.marched(path[-1], reach, self.index[lead])
            if way is not None:
                return way
        return next(self.regrouped(), None)

    @cached_property
    def blocking(self) -> list[Disc]:
        return [disc for s in self.others for disc in s.discs]

    @cached_property
    def around(self) -> list[StandingPlace]:
        """Other units that the unit's moves may come near."""
        box = discs_box(self.discs)
        return [s for s in self.others if boxes_within(s.box, box, self.limit + NEAR)]

    @cached_property
    def local(self) -> list[Disc]:
        return [disc for s in self.around for disc in s.discs]

    @cached_property
    def untouchable(self) -> list[Disc]:
        """Bases of nearby enemies with which the unit may not end its move in contact."""
        return [disc for s in self.around if s.side != self.side and not self.may_touch(s.unit) for disc in s.discs]

    def followed(self, lead: int, path: Path, reach: int) -> Paths | None:
        """Return the path of one model and paths by which the others follow into coherency; None if the others cannot
        follow.

        Args:
            path: Path of the leading model; only its place, if that model stays.
        """
        discs, ids = self.discs, self.ids
        path_of: dict[int, Path] = {ids[lead]: path}
        placed: list[Disc] = [(*path[-1], discs[lead][2])]
        dx, dy = path[-1][0] - path[0][0], path[-1][1] - path[0][1]
        rest = sorted(
            [i for i in range(len(discs)) if i != lead],
            key=lambda i: (ids[i] not in self.disabled, distance_sq(discs[i][:2], discs[lead][:2]), i),
        )
        for i in rest:
            x, y, r = discs[i]
            if ids[i] in self.disabled:
                placed.append(discs[i])
                continue
            ring = [
                (a + ox, b + oy)
                for a, b, s in placed
                # Every fourth of 64 directions, each at two distances.
                for two in zip(ring_offsets(s + r + 50)[::4], ring_offsets(s + r + 200)[::4], strict=True)
                for ox, oy in two
            ]
            ring.sort(key=lambda p: distance_sq(p, (x, y)))
            follows = self._to(i, ((x + dx, y + dy), (x, y), *ring), placed, reach)
            if follows is None:
                return None
            path_of[ids[i]] = follows
            placed.append((*follows[-1], r))
        paths = as_paths(path_of, ids)
        return paths if self.legal(paths) else None

    def _to(self, i: int, ends: Sequence[Point], placed: Sequence[Disc], reach: int) -> Path | None:
        """Return the path of one model to the first possible place in coherency with bases that are already placed;
        None if there is no such place.

        Places that can be reached straight come first.
        """
        x, y, r = self.discs[i]
        detours: list[Point] = []
        for end in ends:
            disc = (*end, r)
            if (
                distance_sq(end, (x, y)) > reach * reach
                or not any(gap_within(disc, d, INCH) for d in placed)
                or any(overlapping(disc, d) for d in placed)
                or any(gap_within(disc, d, CONTACT) for d in self.untouchable)
                or not stands(self.ground, disc, self.local)
            ):
                continue
            straight = ((x, y),) if end == (x, y) else ((x, y), end)
            if distance_up((x, y), end) <= reach:
                if first_obstacle(self.ground, straight, r, self.local, self.crosses) is None:
                    return straight
                detours.append(end)
        for end in detours[:DETOURS]:
            path = way(self.ground, (x, y), end, r, self.local, self.crosses, reach)
            if path is not None:
                return path
        return None

    def regrouped(self) -> Iterator[Paths]:
        """Yield moves that restore a unit's coherency: one move for each model that may stay where it is."""
        if not coherent(self.discs):
            for lead, (x, y, _) in enumerate(self.discs):
                followed = self.followed(lead, ((x, y),), self.top)
                if followed is not None:
                    yield followed

    def begun(self, paths: Paths, reach: int) -> Paths:
        """Return parts of some paths from the start up to a length; () if the paths are shorter."""
        whole = longest(paths)
        if whole <= reach:
            return ()
        return _kept([(m, cut_at_length(path, path_length(path) * reach // whole)) for m, path in paths])

    def _shortened(self, paths: Sequence[tuple[int, Path]]) -> list[Paths]:
        whole = max([path_length(path) for _, path in paths], default=0)
        shorter: list[Paths] = [_kept(paths)]
        if whole:
            shorter += [
                _kept([(m, cut_at_length(path, path_length(path) * part // 16)) for m, path in paths])
                for part in range(15, 0, -1)
            ]
        return [candidate for candidate in shorter if candidate]


def _kept(paths: Sequence[tuple[int, Path]]) -> Paths:
    return tuple([(m, tuple(path)) for m, path in paths if len(path) > 1])
