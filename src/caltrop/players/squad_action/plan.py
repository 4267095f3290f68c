"""The options of a unit with their expected gains.

A gain is the average effect of an act on the enemy, plus the value of the unit's place afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from caltrop.geometry import INCH, Point, directions, distance_sq, point_along
from caltrop.players.squad_action.fire import PlannedShot, apart, best_shot
from caltrop.players.squad_action.outlook import SideOutlook
from caltrop.players.squad_action.worth import after_fight, now
from caltrop.rules.squad_action.acts import Doings, Kind
from caltrop.rules.squad_action.assault import assaults_of
from caltrop.rules.squad_action.casualties import morale_of
from caltrop.rules.squad_action.entering import ENTERS
from caltrop.rules.squad_action.limits import split
from caltrop.rules.squad_action.melee import fighter
from caltrop.rules.squad_action.morale import must_roll, ways_to_pass
from caltrop.rules.squad_action.movement import MOVES, PACKS, Move
from caltrop.rules.squad_action.places import bodies, cover_of, gap
from caltrop.rules.squad_action.rally import Rally
from caltrop.rules.squad_action.reach import FLOWN, exits_of
from caltrop.rules.squad_action.routes import Routes, routes_of
from caltrop.rules.squad_action.shelling import CallFire, available_on
from caltrop.rules.squad_action.shells import MarkOptions
from caltrop.rules.squad_action.shots import arms
from caltrop.rules.squad_action.smoke import REACH, LaySmoke, can_lay
from caltrop.rules.squad_action.template import radius_of, under_fire
from caltrop.rules.squad_action.tokens import Watch
from caltrop.rules.squad_action.transport import Alight

ROUND = 16
"""Number of directions in which places are looked for."""
SPOTTED = 8
"""Number of places in cover near a unit that are considered."""


class PlannedMove(NamedTuple):
    """A Move with its value."""

    value: int
    fire: int
    """Effect of the best Shoot from the end of the Move."""
    act: Move
    at: Point


class UnitChoice(NamedTuple):
    value: int
    act: Any
    then: tuple[Kind, ...] = ()
    kind: str = ""


class Plan:
    """The options of a unit."""

    def __init__(self, o: SideOutlook, unit: int) -> None:
        self.o, self.t, self.unit, self.weights = o, o.t, unit, o.weights
        self.u = o.t.units[unit]
        self.here = o.leads.get(unit)

    # --- possible moves -----------------------------------------------------------------------------------------------

    def ways(self, jump: bool = False, moves: int = 1, stay: bool = False) -> list[PlannedMove]:
        """Return the best Moves, by the value of the acts that can follow after one or two of them."""
        t, o, unit = self.t, self.o, self.unit
        if not MOVES.may(t, unit=unit):
            return []
        routes = routes_of(t, unit, jump)
        if routes.entering or self.here is None:
            return self._entries(routes)
        if split(t, unit):
            return self._listed(routes)
        exits = [w for edge in exits_of(t, unit) if (w := self._off(routes, edge)) is not None]
        far = routes.limit * moves
        if routes.limit <= 0:
            return exits
        ends: dict[tuple[int, int], tuple[Point, bool]] = {}
        for place, urgent in self._wanted(routes, far):
            ends.setdefault((place[0] // INCH, place[1] // INCH), (place, urgent))
        tried = 0
        for promise, place, urgent in self._by_promise(list(ends.values()), moves):
            act = self._to(routes, place, urgent)
            if act is None:
                continue
            end = dict(act.paths).get(routes.lead, (self.here,))[-1]
            if moves == 1:
                worth = o.value(unit, end) - o.crossing(unit, end)
                exits.append(PlannedMove(worth, o.fire_from(unit, end, True), act, end))
            else:
                exits.append(PlannedMove(promise - o.crossing(unit, end), 0, act, end))
            tried += 1
            if tried >= (o.nodes if moves == 1 else 1):
                break
        return exits

    def _promise(self, place: Point, moves: int) -> int:
        """Return a quick estimate of a place's value, before its reach is checked."""
        return self.o.value(self.unit, place) + self._shooting(place, moves)

    def _shooting(self, place: Point, moves: int) -> int:
        return self.o.fire_from(self.unit, place, True) * self.weights.promised // 12 if moves == 1 else 0

    def _by_promise(self, places: list[tuple[Point, bool]], moves: int) -> Iterator[tuple[int, Point, bool]]:
        """Yield places, the most promising first. Danger is computed only when needed for the order."""
        o, unit = self.o, self.unit
        heap = [(-o.lure(unit, p) - self._shooting(p, moves), False, p, urgent) for p, urgent in places]
        heapify(heap)
        while heap:
            worth, promise, place, urgent = heappop(heap)
            if promise:
                yield -worth, place, urgent
            else:
                heappush(heap, (-self._promise(place, moves), True, place, urgent))

    def _off(self, routes: Routes, edge: Any) -> PlannedMove | None:
        act = routes.leaving(edge)
        if self.u.kind == "flyer" or not routes.legal(act):
            return None
        assert self.here is not None
        return PlannedMove(self.weights.off, 0, Move.of_way(routes, act), self.here)

    def _to(self, routes: Routes, place: Point, urgent: bool) -> Move | None:
        """Return a legal Move to a place, or as far as possible towards it; around obstacles if the Move is urgent."""
        if self.u.kind == "flyer" and not self.u.hovering and apart(routes.starts[routes.lead], place) < FLOWN:
            return None
        act = routes.drawn((place,), reform=True) if urgent or self.u.kind == "vehicle" else routes.shifted(place)
        return Move.of_way(routes, act) if act is not None and routes.legal(act) else None

    def _listed(self, routes: Routes) -> list[PlannedMove]:
        """Return the Moves that the rules list: over the edge, and for closing up."""
        ways = []
        for n, act in enumerate(routes.moves()):
            if n >= 10:
                break
            ends = routes.ends(act)
            end = ends.get(routes.u.models[0], (0, 0))
            ways.append(PlannedMove(self.o.value(self.unit, end), 0, Move.of_way(routes, act), end))
        return ways

    def _entries(self, routes: Routes) -> list[PlannedMove]:
        table, ahead = self.t.field.table, 1 if self.u.side == 0 else -1
        edge = 0 if self.u.side == 0 else table.height
        every = [
            (-self._promise((table.width * n // 24, edge + ahead * length), 1), table.width * n // 24, length)
            for n in range(1, 24)
            for length in (routes.limit, routes.limit // 2)
        ]
        ways: list[PlannedMove] = []
        for _, x, length in sorted(every):
            act = routes.entry(x, length)
            if act is not None and routes.legal(act):
                end = (x, edge + ahead * length)
                move = Move.of_way(routes, act)
                ways.append(
                    PlannedMove(self.o.value(self.unit, end), self.o.fire_from(self.unit, end, True), move, end)
                )
                if len(ways) >= self.o.nodes:
                    break
        return ways or self._listed(routes)

    def _wanted(self, routes: Routes, far: int) -> Iterator[tuple[Point, bool]]:
        o, here = self.o, self.here
        assert here is not None
        box = routes.bare.box
        task = o.tasks.get(self.unit)
        if task is not None:
            away = apart(here, task.at)
            if away:
                towards = (task.at[0] - here[0], task.at[1] - here[1])
                yield point_along(here, towards, min(max(away - task.near * 2 // 3, 0), far)), True
                if away <= far + task.near:
                    for d in directions(8):
                        yield point_along(task.at, d, max(task.near * 2 // 3, INCH)), False
        for length, ways in ((far, ROUND), (far * 3 // 5, ROUND // 2), (far // 3, ROUND // 2)):
            for towards in directions(ways):
                place = point_along(here, towards, length)
                if box[0] + INCH < place[0] < box[2] - INCH and box[1] + INCH < place[1] < box[3] - INCH:
                    yield place, False
        near = sorted([(distance_sq(here, p), p) for p in shelters(o) if apart(here, p) <= far])
        for _, place in near[:SPOTTED]:
            yield place, False

    # --- actions at a place -------------------------------------------------------------------------------------------

    def value_here(self) -> int:
        return 0 if self.here is None else self.o.value(self.unit, self.here)

    def watch_worth(self, at: Point | None, tokens: int) -> int:
        """Return the expected worth of overwatch tokens at a place."""
        if at is None or not arms(self.t, self.unit):
            return 0
        w = self.weights
        worth = self.o.fire_from(self.unit, at, False) * w.watching // 100
        if self.o.turns_of(1 - self.o.side) or self.t.active == self.t.first:
            worth = max(worth, self.o.ambush(self.unit, at) * w.ambush // 100)
        return worth if tokens < 2 else worth * w.two_tokens // 100

    def passes(self) -> tuple[int, int]:
        """Return the probability of rallying with one try, as numbers of ways and of all rolls."""
        return ways_to_pass(self.t, morale_of(self.t, self.unit), ()) if must_roll(self.t, self.unit) else (1, 1)

    def assault(self, second: bool) -> UnitChoice | None:
        """Return the best assault, or None if none gains."""
        t, o, unit = self.t, self.o, self.unit
        if not ENTERS.may(t, unit=unit) or not self.u.on_foot:
            return None
        best: UnitChoice | None = None
        reach = o.storm(unit) + INCH
        for e in o.foes:
            if not e.on_foot or e.locked or gap(t, unit, e.id) > reach:
                continue
            cover = cover_of(t, e.models, [b[:2] for b in bodies(t, unit)])
            worth = self.blows(e.id, cover)
            if worth <= 0 or (best is not None and best.value >= worth):
                continue
            act = next(assaults_of(t, unit, (e.id,)), None)
            if act is not None:
                best = UnitChoice(worth, act, (), "assault")
        return best

    def blows(self, target: int, cover: Any, pinned: bool = False) -> int:
        """Return the gain of an assault less its losses."""
        t, o = self.t, self.o
        a, d = fighter(t, self.unit), fighter(t, target)
        if pinned:
            d = d._replace(pinned=True, watching=False)
        if not _hopeful(a, d, self.weights.hopeful):
            return -1
        mine, theirs = o.stake(self.unit), o.stake(target)
        before = now(t, target, theirs) - now(t, self.unit, mine)
        ends = o.averages.fight(t, a, d, cover)
        total = 0
        for end, weight in ends.weights():
            total += weight * after_fight(end, mine, theirs, a, d)
        gain = before - total // ends.total
        if d.watching:
            tokens = t.tokens.get(target)
            count = len(tokens.faces) if tokens else 0
            gain -= o.answer(target, self.unit) * count
        if self.weights.backed and self._backed(target):
            left = sum([weight * theirs.left(end.defenders, True) for end, weight in ends.weights()]) // ends.total
            gain += left * self.weights.backed // 100
        return gain

    def _backed(self, target: int) -> bool:
        t, o = self.t, self.o
        return any(
            u.id != self.unit
            and u.on_foot
            and u.id in o.leads
            and not u.activated
            and ENTERS.may(t, unit=u.id)
            and gap(t, u.id, target) <= o.storm(u.id)
            for u in o.mine
        )

    # --- the whole activation -----------------------------------------------------------------------------------------

    def best(self, follows: Any, kinds: Sequence[Kind]) -> UnitChoice | None:
        """Return the best first act with its announcement.

        Args:
            follows: Returns the kinds of act that may be announced after a first one.
        """
        return max(self.choices(follows, kinds), key=self._seems, default=None)

    def _seems(self, choice: UnitChoice) -> int:
        """Return the apparent value of a choice: its value with a random error."""
        slip = self.o.judgement.slip(self.o.grain, self.unit, self.t.round, choice.kind, choice.act)
        return choice.value + slip

    def choices(self, follows: Any, kinds: Sequence[Kind]) -> Iterator[UnitChoice]:
        t, o, unit = self.t, self.o, self.unit

        def then(first: Kind, *rest: Kind) -> tuple[Kind, ...] | None:
            every = follows(first)
            following = [f for f in every if f[: len(rest)] == rest] if rest else []
            return following[0] if following else (() if () in every else None)

        stay = self.value_here()
        if "rally" in kinds and self.u.pinned:
            yield from self._rally(then)
            return
        shot = best_shot(o, unit, False) if "shoot" in kinds else None
        near = self.ways() if "move" in kinds else []
        jumps = self.ways(jump=True) if "move" in kinds and PACKS.may(t, unit=unit) else []
        if shot is not None:
            yield from self._shoot(shot, near, stay, then)
        for way in (*near, *jumps):
            yield from self._move(way, then)
        if near and "move" in kinds and t.units[unit].where == "table":
            for way in self.ways(moves=2):
                after = then("move", "move")
                if after is not None and after:
                    yield UnitChoice(way.value, way.act, after, "move move")
        if t.smoke[self.u.side] and self.here is not None and can_lay(t, unit):
            yield from self._smoke(shot, near, stay, then)
        if "overwatch" in kinds:
            worth = self.watch_worth(self.here, 2)
            yield UnitChoice(stay + worth, Watch(unit), (), "watch")
        if "assault" in kinds:
            storm = self.assault(False)
            if storm is not None:
                yield storm._replace(value=storm.value + stay)
        if "mission" in kinds:
            yield from self._mission(stay, shot, then)
        if "rally" in kinds:
            yield from self._steady(stay, shot, then)
        if "transport" in kinds:
            yield from self._ride(stay, then)

    def _rally(self, then: Any) -> Iterator[UnitChoice]:
        ways, of = self.passes()
        gain = now(self.t, self.unit, self.o.stake(self.unit)) * self.weights.rally // 100 * ways // of
        for kind in ("move", "shoot", "overwatch", "smoke"):
            after = then("rally", kind)
            if after is None or (kind == "smoke" and (not after or not self.t.smoke[self.u.side])):
                continue
            more = 0
            if kind == "smoke" and self.here is not None:
                more = self.o.screened(self.unit, self.here, self.here) - self.weights.marker
            if kind == "shoot" and self.here is not None:
                more = self.o.fire_from(self.unit, self.here, False)
            elif kind == "overwatch":
                more = self.watch_worth(self.here, 1)
            elif kind == "move" and self.here is not None:
                more = self._urge()
            yield UnitChoice(gain + more * ways // of, Rally(self.unit), after, "rally")

    def _urge(self) -> int:
        """Return the worth of being able to move: away from danger, and towards the goal."""
        task = self.o.tasks.get(self.unit)
        assert self.here is not None
        w = self.weights
        urge = self.o.danger(self.unit, self.here) * w.urge_danger // 100
        if task is not None and (away := apart(self.here, task.at) - task.near) > 0:
            urge += task.inch * w.urge + (task.there if away < w.urge_reach * INCH else 0)
        return urge

    def _shoot(self, shot: PlannedShot, near: Sequence[PlannedMove], stay: int, then: Any) -> Iterator[UnitChoice]:
        after = then("shoot", "shoot")
        if after is not None:
            yield UnitChoice(shot.worth + shot.worth * self.weights.again // 100 + stay, shot.act, after, "shoot shoot")
        after = then("shoot", "move")
        if after:
            for way in near:
                yield UnitChoice(shot.worth + way.value, shot.act, after, "shoot move")
        after = then("shoot", "overwatch")
        if after:
            yield UnitChoice(shot.worth + self.watch_worth(self.here, 1) + stay, shot.act, after, "shoot watch")
        after = then("shoot", "assault")
        if after:
            target = shot.act.fire[0][1]
            e = self.t.units[target]
            if e.on_foot and self.u.on_foot and gap(self.t, self.unit, target) <= self.o.storm(self.unit):
                cover = cover_of(self.t, e.models, [b[:2] for b in bodies(self.t, self.unit)])
                worth = self.blows(target, cover, pinned=True)
                if worth > 0:
                    storm = worth * self.weights.then_storm // 100
                    yield UnitChoice(shot.worth + storm + stay, shot.act, after, "shoot assault")

    def _move(self, way: PlannedMove, then: Any) -> Iterator[UnitChoice]:
        if way.act.off:
            yield UnitChoice(way.value, way.act, then("move", "move") or then("move") or (), "leave")
            return
        after = then("move", "shoot")
        if after is not None and way.fire:
            yield UnitChoice(way.value + way.fire, way.act, after, "move shoot")
        after = then("move", "overwatch")
        if after is not None:
            yield UnitChoice(way.value + self.watch_worth(way.at, 1), way.act, after, "move watch")

    def _smoke(
        self, shot: PlannedShot | None, near: Sequence[PlannedMove], stay: int, then: Any
    ) -> Iterator[UnitChoice]:
        """Yield choices with smoke: before moving into the open, after moving, or after a shot."""
        o, here = self.o, self.here
        assert here is not None
        before, after = then("smoke", "move"), then("move", "smoke")
        for way in near:
            if way.act.off:
                continue
            if before:
                at = self._in_throw(way.at)
                worth = way.value + o.screened(self.unit, way.at, at) - self.weights.marker
                yield UnitChoice(worth, LaySmoke(self.unit, at), before, "smoke move")
            if after:
                yield UnitChoice(
                    way.value + o.screened(self.unit, way.at, way.at) - self.weights.marker,
                    way.act,
                    after,
                    "move smoke",
                )
        after = then("shoot", "smoke")
        if after and shot is not None:
            yield UnitChoice(
                shot.worth + stay + o.screened(self.unit, here, here) - self.weights.marker,
                shot.act,
                after,
                "shoot smoke",
            )

    def _in_throw(self, at: Point) -> Point:
        assert self.here is not None
        away = apart(self.here, at)
        return at if away <= REACH else point_along(self.here, (at[0] - self.here[0], at[1] - self.here[1]), REACH)

    def _mission(self, stay: int, shot: PlannedShot | None, then: Any) -> Iterator[UnitChoice]:
        for act in CallFire.every(Doings(self.t, self.unit)):
            worth = self.shells(act)
            if worth <= 0:
                continue
            for kind, more in (("shoot", shot.worth if shot else 0), ("overwatch", self.watch_worth(self.here, 1))):
                after = then("mission", kind)
                if after is not None:
                    yield UnitChoice(worth + more + stay, act, after, "mission")

    def shells(self, act: CallFire) -> int:
        """Return the average harm of a fire mission to the enemy, less that to friends under the template.

        The aim of off-board fire is chosen later, when its kind is known.
        """
        t, w = self.t, self.weights
        if act.aim is not None:
            loss = self.fallen(act.aim)
        else:
            marks = [a.aim for a in MarkOptions(t, self.unit) if a.target is not None]
            loss = max([self.fallen(aim) for aim in marks], default=0)
            loss = loss * (7 - available_on(t, self.unit)) * w.shelled_called // 100 // 6
        return loss * w.shelled // 12

    def fallen(self, aim: Point, asset: str = "light") -> int:
        t, o, w = self.t, self.o, self.weights
        weight: Any = asset if asset in ("medium", "heavy", "bombs") else "light"
        loss = 0
        for unit in under_fire(t, aim, radius_of(t, weight), self.u.side):
            u, stake = t.units[unit], o.stake(unit)
            if u.machine:
                harm = (stake.model + stake.alive) * w.shelled_machine // 100
            else:
                whole = now(t, unit, stake)
                harm = stake.model * min(len(u.models), w.shelled_models) * w.shelled_model // 100
                harm += 0 if u.pinned else whole * w.shelled_pinned // 100
            loss += harm if u.side != self.u.side else -harm * w.shelled_friends // 100
        return loss

    def _steady(self, stay: int, shot: PlannedShot | None, then: Any) -> Iterator[UnitChoice]:
        for act in Rally.every(Doings(self.t, self.unit)):
            if act.friend is None:
                continue
            friend = self.t.units[act.friend]
            if friend.activated and self.t.active != self.t.units[self.unit].side:
                continue
            other = Plan(self.o, act.friend)
            ways, of = other.passes()
            stake = self.o.stake(act.friend)
            gain = (now(self.t, act.friend, stake) * self.weights.rally // 100 + stake.holds) * ways // of
            for kind, more in (("shoot", shot.worth if shot else 0), ("overwatch", self.watch_worth(self.here, 1))):
                after = then("rally", kind)
                if after is not None:
                    yield UnitChoice(gain + more + stay, act, after, "steady")

    def _ride(self, stay: int, then: Any) -> Iterator[UnitChoice]:
        for n, act in enumerate(Doings(self.t, self.unit).of_kind("transport")):
            if n >= 4:
                return
            if isinstance(act, Alight):
                end = act.places[0][1]
                for kind in ("shoot", "move"):
                    after = then("transport", kind)
                    if after is not None:
                        more = self.o.fire_from(self.unit, end, True) if kind == "shoot" else self.weights.alights
                        yield UnitChoice(self.o.value(self.unit, end) + more, act, after, "alight")

    # --- the next action ----------------------------------------------------------------------------------------------

    def next(self, kinds: Sequence[Kind]) -> UnitChoice | None:
        t, o, unit = self.t, self.o, self.unit
        stay = self.value_here()
        options: list[UnitChoice] = []
        for kind in kinds:
            if kind == "rally":
                worth = stay + self.weights.rally_next
                options += [UnitChoice(worth, act, (), "rally") for act in Rally.every(Doings(t, unit, True))]
            elif kind == "shoot":
                shot = best_shot(o, unit, True)
                if shot is not None:
                    options.append(UnitChoice(stay + shot.worth, shot.act, (), "shoot"))
            elif kind == "move":
                ways = [*self.ways(), *(self.ways(jump=True) if PACKS.may(t, unit=unit) else [])]
                options += [UnitChoice(way.value, way.act, (), "move") for way in ways]
                if split(t, unit) and options:
                    return max(options, key=lambda c: c.value)
            elif kind == "smoke":
                if self.here is not None:
                    worth = stay + o.screened(unit, self.here, self.here)
                    options.append(UnitChoice(worth, LaySmoke(unit, self.here), (), "smoke"))
            elif kind == "overwatch":
                options.append(UnitChoice(stay + self.watch_worth(self.here, 1), Watch(unit), (), "watch"))
            elif kind == "assault":
                storm = self.assault(True)
                if storm is not None:
                    options.append(storm._replace(value=storm.value + stay))
            elif kind == "mission":
                for act in CallFire.every(Doings(t, unit, True)):
                    options.append(UnitChoice(stay + self.shells(act), act, (), "mission"))
            elif kind == "transport":
                for n, act in enumerate(Doings(t, unit, True).of_kind("transport")):
                    if isinstance(act, Alight) and n < 4:
                        options.append(UnitChoice(o.value(unit, act.places[0][1]), act, (), "alight"))
        best = max(options, key=self._seems, default=None)
        if best is None or (best.value < stay and self.here is not None):
            return None
        return best


def _hopeful(a: Any, d: Any, needed: int) -> bool:
    """Return whether an assault is worth computing, by a rough estimate of the first attacks."""
    mine = (a.models + 2) * (7 - a.cqb) * (d.armour - 1)
    theirs = d.models * (7 - d.cqb) * (a.armour - 1)
    return bool(100 * mine >= needed * theirs)


def shelters(o: SideOutlook) -> list[Point]:
    """Return places in cover or behind it, on the whole table."""
    by_pieces = o.t.book.scratch.setdefault("shelters of players", {})
    points: list[Point] | None = by_pieces.get(len(o.t.placed))
    if points is None:
        points = []
        for piece, terrain, _ in o.pieces:
            x0, y0, x1, y1 = piece.box
            middle = ((x0 + x1) // 2, (y0 + y1) // 2)
            if terrain.kind.name in ("hedge", "wall"):
                points += _behind(terrain)
                continue
            inside = INCH
            points += [
                middle,
                (x0 + inside, middle[1]),
                (x1 - inside, middle[1]),
                (middle[0], y0 + inside),
                (middle[0], y1 - inside),
                (x0 + inside, y0 + inside),
                (x1 - inside, y0 + inside),
                (x0 + inside, y1 - inside),
                (x1 - inside, y1 - inside),
            ]
        by_pieces[len(o.t.placed)] = points
    return points


def _behind(terrain: Any) -> list[Point]:
    ring = terrain.polygon
    if len(ring) != 4:
        return []
    points = []
    for n in range(4):
        a, b = ring[n], ring[(n + 1) % 4]
        if apart(a, b) < INCH:
            continue
        out = (b[1] - a[1], a[0] - b[0])
        inner = ((ring[(n + 2) % 4][0] - a[0]), (ring[(n + 2) % 4][1] - a[1]))
        if out[0] * inner[0] + out[1] * inner[1] > 0:
            out = (-out[0], -out[1])
        for part in (1, 2, 3):
            foot = (a[0] + (b[0] - a[0]) * part // 4, a[1] + (b[1] - a[1]) * part // 4)
            points.append(point_along(foot, out, INCH * 3 // 5))
    return points
