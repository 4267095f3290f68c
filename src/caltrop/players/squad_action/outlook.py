"""How good a place is: what can be shot at from it, what may come there, and what it does for the mission.

A unit is thought of by the model in its middle. Sight between places, cover at places and averages are kept; what is
kept of places lasts as long as the terrain.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from caltrop.geometry import INCH, Point, distance_sq, near_to, point_along
from caltrop.players.squad_action.fire import apart, faces_from, potential
from caltrop.players.squad_action.worth import POINT, VICTORY, Averages, Stake, now, stake_of
from caltrop.rules.squad_action.catalogue import COVERS, Cover
from caltrop.rules.squad_action.damage import condition
from caltrop.rules.squad_action.fight import Firefight, Unit
from caltrop.rules.squad_action.moving import may_jump
from caltrop.rules.squad_action.places import (
    CLOUD,
    COVER_NEAR,
    COVER_OF,
    FOOT,
    LINEAR,
    ground_for_sight,
    officer_near,
)
from caltrop.rules.squad_action.routes import BASE_MOVE, base_move
from caltrop.rules.squad_action.shooting import arms, is_loaded
from caltrop.rules.squad_action.victory import CROSSROADS, HOLDS, PICKS_UP, counts_for_exit, needed_to_leave
from caltrop.table.measured import line_is_seen
from caltrop.table.measured.corridor import Piece, crosses_piece, holds
from caltrop.table.measured.terrain import Terrain

GRAIN = 127
"""Places are told apart by half an inch."""
FUTURE = (80, 70)
"""What counts of what a unit could shoot at next turn, in per cent, for who acts first and who acts second."""
RISK = (50, 65)
"""What counts of what the enemy could do to it until then: who acts second is shot at first."""
SURE = 1000
UNSEEN = 40
"""What counts of the fire at an enemy that is not seen yet."""
COMES, STRAYS = 60, 15
"""What counts of the fire of an enemy that sees the place when it comes on, and of one that goes elsewhere."""
STORMED = 40
"""What counts of being within reach of an assault."""
FAR = 14 * INCH
"""Who is farther than this from every enemy is too far to be of use."""
APPROACH = 1 * POINT
"""What an inch costs from there."""
LASTS = (15, 55, 80, 100)
"""How much of what a model is worth counts, by how many turns its side still has after this one, in per cent."""
PULL = (14 * POINT, 10 * POINT, 6 * POINT, 3 * POINT, 2 * POINT, POINT, POINT // 2)
"""What an inch is worth towards where a unit has to be in the end, by how many Moves are to spare."""
SMOKED = 35
"""What smoke takes off what the enemy could do to who stands in it, in per cent."""
DRIVE = ((3, 8 * POINT), (4, 6 * POINT), (6, 4 * POINT), (9, 2 * POINT), (12, POINT))
"""How near who attacks the crossroads has to come, in inches, and half of what an inch is worth, by the turns left."""
HOLDERS = CROSSROADS + 5 * INCH
"""Defenders that are so near to the crossroads may hold them in the end."""
LEFT = (8, 5, 2)
"""What the last of a defender near the crossroads is worth, in its points, by the turns that the attacker has left."""
FETCHERS = 2
"""How many units go for the pilot."""
FETCH = (5 * POINT, 4 * POINT, 3 * POINT, 2 * POINT, POINT, POINT)
"""What an inch towards him is worth, by how many Moves are to spare to bring him home in time."""


class Task(NamedTuple):
    """Where a unit is wanted."""

    at: Point
    near: int
    """How near it has to come."""
    inch: int
    """What each inch costs that is missing."""
    there: int
    """What it is worth to be there."""


class Outlook:
    """What a side makes of a situation.

    Args:
        t: The firefight as the side sees it.
        side: The side.
        averages: What was worked out earlier.
        wary: Whether it looks at what the enemy may do next.
    """

    def __init__(self, t: Firefight, side: int, averages: Averages, wary: bool = True) -> None:
        self.t, self.side, self.averages, self.wary = t, side, averages, wary
        self.mine = [u for u in t.of_side(side) if u.models]
        self.foes = [u for u in t.of_side(1 - side) if u.models and u.where == "table"]
        self.armour = any(u.machine for u in t.units if u.side != side and u.where != "gone")
        self.leads: dict[int, Point] = {u.id: lead_of(t, u) for u in t.units if u.where == "table" and u.models}
        self.kept_reaches: dict[int, tuple[int, ...]] = {}
        self._firers: dict[int, int] = {}
        self._targets_as: dict[int, int] = {}
        self._stakes: dict[int, Stake] = {}
        self._shots: dict[int, tuple[int, int, int]] = {}
        self._wide: dict[int, int] = {}
        self._views: dict[Point, list[tuple[Unit, Point, int, bool]]] = {}
        self._officers: dict[int, bool] = {}
        self._sights: dict[Any, bool] = t.book.scratch.setdefault("sight of players", {})
        self.ground = ground_for_sight(t)
        hiding = tuple([c.at for c in t.clouds]) if t.book.rules["smoke"] == "block" else ()
        self._laid = (len(t.placed), hiding)
        self.pieces: list[tuple[Piece, Terrain, int]] = [
            (piece, terrain, COVERS.index(COVER_OF[terrain.kind.name]))
            for piece, terrain in zip(t.ground.pieces, (*t.field.table.terrain, *t.placed), strict=True)
            if terrain.kind.name in COVER_OF
        ]
        self._places: dict[Any, int] = {}
        self._futures: dict[Any, int] = {}
        self._comes: dict[int, tuple[Point, ...]] = {}
        known = t.book.scratch.setdefault("cover of players", {})
        self._shelters: dict[Any, tuple[int, list[tuple[Piece, int]]]] = known.setdefault(len(t.placed), {})

    # --- units --------------------------------------------------------------------------------------------------------

    def acts(self, unit: int) -> bool:
        """Whether a unit is of the side whose turn it is."""
        return self.t.units[unit].side == self.t.active

    def officer(self, unit: int) -> bool:
        """Whether an Officer steadies a unit."""
        found = self._officers.get(unit)
        if found is None:
            found = self._officers[unit] = officer_near(self.t, unit)
        return found

    def as_firer(self, unit: int) -> int:
        """A number for what matters of a unit to its own fire: units that fire alike have the same."""
        found = self._firers.get(unit)
        if found is None:
            t, u, acts = self.t, self.t.units[unit], self.acts(unit)
            # What was fired this turn is loaded again in the next.
            guns = [
                (way, len([m for m in models if not acts or is_loaded(t, m, t.weapon(way))]))
                for way, models in arms(t, unit).items()
            ]
            found = self._firers[unit] = self.averages.number((u.row, u.kind, u.traits, tuple(guns)))
        return found

    def as_target(self, unit: int) -> int:
        """A number for what matters of a unit to fire at it, but for where it stands."""
        found = self._targets_as.get(unit)
        if found is None:
            t, u = self.t, self.t.units[unit]
            state = (u.row, u.kind, u.traits, u.starting, len(u.models), u.pinned, u.broken, u.travelled, u.hovering)
            whole = condition(t, unit) if u.machine else None
            key = (state, whole, self.stake(unit), self.officer(unit))
            found = self._targets_as[unit] = self.averages.number(key)
        return found

    def stake(self, unit: int) -> Stake:
        """What is at stake with a unit."""
        found = self._stakes.get(unit)
        if found is None:
            side = self.t.units[unit].side
            lasts = LASTS[min(self.turns_of(side), len(LASTS) - 1)]
            found = self._stakes[unit] = stake_of(self.t, unit, *self._holds(unit), lasts)
        return found

    def turns_of(self, side: int) -> int:
        """How many turns a side still has after the turn that is under way, in which it may do something."""
        t = self.t
        return max(t.field.turns - max(t.round, 1) + (t.active != side and side != t.first and t.round > 0), 0)

    def _holds(self, unit: int) -> tuple[int, int]:
        """What a unit does for its mission while it can act, and what is lost with the last of it."""
        t, u = self.t, self.t.units[unit]
        at = self.leads.get(unit)
        if at is None:
            return 0, 0
        goal, field = t.field.goal, t.field
        if goal == "meeting":
            near = min([apart(at, o.at) for o in field.objectives], default=HOLDS * 9)
            # Who acts last before it is counted has the better of it.
            share = 80 if t.active != t.first else 35
            return (VICTORY * share // 100 if near <= HOLDS + INCH and u.kind != "flyer" else 0), 0
        if goal == "crossroads" and u.side == field.defender:
            # The side that is left at the end and near enough wins it.
            holds = apart(at, field.objectives[0].at) <= HOLDERS
            worth = LEFT[min(self.turns_of(1 - u.side), len(LEFT) - 1)] if holds else LEFT[-1]
            return 0, (u.points or 10 * u.starting) * worth * POINT
        if goal == "pilot" and t.pilot is not None and t.pilot.unit == unit:
            return 90 * POINT, 120 * POINT
        if goal == "breakthrough" and u.side != field.defender and counts_for_exit(t, unit):
            return 15 * POINT, 30 * POINT
        return 0, 0

    # --- places -------------------------------------------------------------------------------------------------------

    def sees(self, a: Point, b: Point) -> bool:
        """Whether a soldier at one place sees one at another, by the line between them, bodies left aside."""
        p = (a[0] // GRAIN, a[1] // GRAIN)
        q = (b[0] // GRAIN, b[1] // GRAIN)
        key = (self._laid, p, q) if p < q else (self._laid, q, p)
        found = self._sights.get(key)
        if found is None:
            found = self._sights[key] = line_is_seen(self.ground, a, b)
        return found

    def cover(self, places: list[Point], firer: Point) -> Cover:
        """The cover that most of some places have from a firer."""
        ranks = []
        for at in places:
            best, lines = self._shelter(at)
            for piece, rank in lines:
                if rank > best and crosses_piece(piece, at, firer):
                    best = rank
            ranks.append(best)
        ranks.sort(reverse=True)
        return COVERS[ranks[len(ranks) // 2]]

    def _shelter(self, at: Point) -> tuple[int, list[tuple[Piece, int]]]:
        """The cover of a place from everywhere, and hedges and walls near by that may give more."""
        key = (at[0] // GRAIN, at[1] // GRAIN)
        found = self._shelters.get(key)
        if found is None:
            best, lines, body = 0, [], (*at, FOOT)
            for piece, terrain, rank in self.pieces:
                if terrain.kind.name in LINEAR:
                    x0, y0, x1, y1 = piece.box
                    reach = COVER_NEAR + FOOT
                    near = x0 - reach <= at[0] <= x1 + reach and y0 - reach <= at[1] <= y1 + reach
                    form = terrain.polygon or terrain.circle
                    if near and form and near_to(body, form, COVER_NEAR):
                        lines.append((piece, rank))
                elif rank > best and holds(piece, at):
                    best = rank
            found = self._shelters[key] = best, lines
        return found

    def spread(self, unit: int, at: Point) -> list[Point]:
        """Where some models of a unit stand when the model in its middle is at a place."""
        lead = self.leads.get(unit)
        if lead is None:
            return [at]
        places = self._shape(unit)
        return [(at[0] + x, at[1] + y) for x, y in places]

    def _shape(self, unit: int) -> list[Point]:
        u, lead = self.t.units[unit], self.leads[unit]
        every = [p for m in u.models if (p := self.t.models[m].at) is not None]
        some = every[:: max(1, len(every) // 3)][:3] if len(every) > 3 else every
        return [(x - lead[0], y - lead[1]) for x, y in some]

    def value(self, unit: int, at: Point) -> int:
        """How good it is for a unit to stand at a place when its turn has ended."""
        key = (unit, at)
        found = self._places.get(key)
        if found is None:
            danger = self.danger(unit, at)
            found = self.lure(unit, at) - danger
            if danger:
                # Who is shot meanwhile shoots less in its next turn.
                whole = max(now(self.t, unit, self.stake(unit)), 1)
                found -= max(self._future(unit, at), 0) * min(danger, whole) // whole
            self._places[key] = found
        return found

    def lure(self, unit: int, at: Point) -> int:
        """What speaks for a place: its value if nothing could happen to the unit there, and so at least its value."""
        return self.goal(unit, at) + self._future(unit, at)

    def _future(self, unit: int, at: Point) -> int:
        key = (unit, at)
        found = self._futures.get(key)
        if found is None:
            found = self._futures[key] = self.prospects(unit, at)
        return found

    def fire_from(self, unit: int, at: Point, moved: bool, target: int | None = None) -> int:
        """What the best Shoot of a unit from a place takes of what it sees from there."""
        best = 0
        for e, there, gap, seen in self.views(at):
            if not seen or (target is not None and e.id != target):
                continue
            cover = self.cover(self.spread(e.id, there), at)
            best = max(best, potential(self, unit, e.id, gap, cover, faces_from(self, e.id, at), moved))
        return best

    def views(self, at: Point) -> list[tuple[Unit, Point, int, bool]]:
        """The enemies from a place: each with where it is, about how far from there, and whether it is seen."""
        found = self._views.get(at)
        if found is None:
            found = self._views[at] = [
                (e, there, self.gap(at, e), self.sees(at, there)) for e in self.foes for there in (self.leads[e.id],)
            ]
        return found

    def gap(self, at: Point, e: Unit) -> int:
        """About how far a unit at a place is from another."""
        wide = self._wide.get(e.id)
        if wide is None:
            lead = self.leads[e.id]
            every = [apart(lead, p) for m in e.models if (p := self.t.models[m].at) is not None]
            wide = self._wide[e.id] = max(every) * 2 // 3 + 2 * FOOT
        return max(apart(at, self.leads[e.id]) - wide, 0)

    def prospects(self, unit: int, at: Point) -> int:
        """What a unit could shoot at next turn, or when somebody comes; or how far it is from being of use."""
        best, nearest = 0, 10**9
        if not self.turns_of(self.side):
            return 0
        for e, there, gap, seen in self.views(at):
            nearest = min(nearest, gap)
            cover = self.cover(self.spread(e.id, there), at) if seen else "soft"
            harm = potential(self, unit, e.id, gap, cover, faces_from(self, e.id, at), False)
            best = max(best, harm if seen else harm * UNSEEN // 100)
        found = best * FUTURE[self.side != self.t.first] // 100
        if self.foes and nearest > FAR and arms(self.t, unit):
            found -= APPROACH * (nearest - FAR) // INCH
        return found

    def danger(self, unit: int, at: Point) -> int:
        """What the enemy could do to a unit at a place until it acts again."""
        if not self.wary or not self.turns_of(1 - self.side):
            return 0
        t, u, stake = self.t, self.t.units[unit], self.stake(unit)
        places = self.spread(unit, at)
        whole = max(now(t, unit, stake), 1)
        safe, storms = SURE, 0
        for e, there, gap, seen in self.views(at):
            if not seen and gap > 20 * INCH:
                continue
            cover = self.cover(places, there) if u.kind != "flyer" else "none"
            faces = faces_from(self, unit, there)
            harm = min(potential(self, e.id, unit, gap, cover, faces, not seen), whole)
            volley = SURE * harm // whole * (60 if e.pinned else 100) // 100
            if not seen:
                # Who has to come shoots once, if he comes.
                likely = COMES if any(self.sees(at, p) for p in self.comes(e.id)[:2]) else STRAYS
                safe = safe * (SURE - volley * likely // 100) // SURE
            elif volley:
                volley = volley * self._share(e.id, unit, harm) // SURE
                tokens = t.tokens.get(e.id)
                for _ in range(2 + (len(tokens.faces) if tokens else 0)):
                    safe = safe * (SURE - volley) // SURE
            if u.on_foot and e.on_foot and not e.pinned and gap <= self.storm(e.id):
                storms += stake.model * min(len(u.models), len(e.models)) * STORMED // 100
        found = (whole * (SURE - safe) // SURE) * RISK[self.side != t.first] // 100 + storms
        return found * (100 - SMOKED) // 100 if t.clouds and u.kind != "flyer" and self.in_smoke(at) else found

    def comes(self, enemy: int) -> tuple[Point, ...]:
        """Where an enemy is likely to be next turn: a Move on its way to what it wants and to who is near, and two."""
        found = self._comes.get(enemy)
        if found is None:
            t, here = self.t, self.leads[enemy]
            far = base_move(t, enemy)
            wanted = [near for places in (self._wanted_by(enemy), self.mine_at) if (near := nearest_of(here, places))]
            steps = [
                point_along(here, (p[0] - here[0], p[1] - here[1]), min(far * n, apart(here, p)))
                for n in (1, 2)
                for p in wanted
            ]
            found = self._comes[enemy] = tuple(dict.fromkeys(steps))
        return found

    def _wanted_by(self, enemy: int) -> list[Point]:
        """The places that the mission makes an enemy want."""
        t, field = self.t, self.t.field
        if field.goal == "breakthrough" and t.units[enemy].side != field.defender:
            return [(self.leads[enemy][0], field.table.height if t.units[enemy].side == 0 else 0)]
        if t.pilot is not None:
            return [t.pilot.at]
        return [o.at for o in field.objectives]

    @cached_property
    def mine_at(self) -> list[Point]:
        """Where its own units are."""
        return [self.leads[u.id] for u in self.mine if u.id in self.leads]

    def ambush(self, unit: int, at: Point) -> int:
        """What one volley from a place takes of the enemy that is likely to come into its sight, at the best."""
        best = 0
        for e in self.foes:
            if e.pinned or e.kind == "flyer":
                continue
            for p in self.comes(e.id):
                gap = max(apart(at, p) - 2 * FOOT, 0)
                if gap > 24 * INCH or not self.sees(at, p):
                    continue
                harm = potential(self, unit, e.id, gap, self.cover([p], at), faces_from(self, e.id, at), False)
                best = max(best, harm)
        return best

    def in_smoke(self, at: Point) -> bool:
        """Whether a place lies in smoke that is still there when the enemy acts."""
        ends = 1 if self.t.active == self.side else 0
        return any(c.left > ends and apart(at, c.at) <= CLOUD for c in self.t.clouds)

    def screened(self, unit: int, at: Point, smoke: Point) -> int:
        """What smoke at a place spares a unit that will stand somewhere, and friends who stand near by."""
        found = 0
        for u in self.mine:
            place = at if u.id == unit else self.leads.get(u.id)
            if place is None or apart(place, smoke) > CLOUD or self.in_smoke(place) or u.kind == "flyer":
                continue
            spared = self.danger(u.id, place) * SMOKED // 100
            # Who has not acted yet may go elsewhere.
            found += spared if u.id == unit or u.activated else spared // 2
        return found

    def _share(self, enemy: int, unit: int, harm: int) -> int:
        """How likely an enemy fires at a unit and not at another that it sees, in thousandths.

        The less a side has to answer with, the less it counts on that others draw the fire: they had better hide too.
        """
        best = self._targets(enemy)
        rival = best[1] if best[2] == unit else best[0]
        part = SURE * harm * harm // max(harm * harm + rival * rival, 1)
        return part + (SURE - part) * self.outgunned // 100

    def _targets(self, enemy: int) -> tuple[int, int, int]:
        """What an enemy's volley takes from the unit that loses most by it and from the next; and the first."""
        found = self._shots.get(enemy)
        if found is None:
            first, second, worst = 0, 0, -1
            there, e = self.leads[enemy], self.t.units[enemy]
            for u in self.mine:
                at = self.leads.get(u.id)
                if at is None or not self.sees(at, there):
                    continue
                cover = self.cover(self.spread(u.id, at), there)
                harm = potential(self, enemy, u.id, self.gap(at, e), cover, faces_from(self, u.id, there), False)
                if harm > first:
                    first, second, worst = harm, first, u.id
                elif harm > second:
                    second = harm
            found = self._shots[enemy] = first, second, worst
        return found

    @cached_property
    def outgunned(self) -> int:
        """How far the enemy's fire is above its own where all stand, in per cent: 0 for no more than as much."""
        own = sum([self.fire_from(u.id, at, False) for u in self.mine if (at := self.leads.get(u.id)) is not None])
        other = sum([self._targets(e.id)[0] for e in self.foes])
        return max(2 * 100 * other // max(own + other, 1) - 100, 0)

    def answer(self, enemy: int, unit: int) -> int:
        """What an enemy on overwatch does to a unit that assaults it, with each token."""
        return potential(self, enemy, unit, 4 * INCH, "none", faces_from(self, unit, self.leads[enemy]), False)

    def storm(self, unit: int) -> int:
        """How far a unit assaults."""
        return (12 if may_jump(self.t, unit) else base_move(self.t, unit) // INCH) * INCH + 2 * INCH

    # --- what the mission wants ---------------------------------------------------------------------------------------

    def goal(self, unit: int, at: Point) -> int:
        """What a place does for the mission."""
        task = self.tasks.get(unit)
        if task is None:
            return 0
        missing = apart(at, task.at) - task.near
        return task.there if missing <= 0 else -task.inch * missing // INCH

    @cached_property
    def tasks(self) -> dict[int, Task]:
        """Where each unit of the side is wanted."""
        t, goal = self.t, self.t.field.goal
        mine = [u for u in t.units if u.side == self.side and u.where in ("table", "aboard", "reserve")]
        if goal == "meeting":
            return self._objectives(mine)
        if goal == "crossroads":
            at = t.field.objectives[0].at
            if self.side == t.field.defender:
                return {u.id: self._by_the_end(u, at) for u in mine}
            left = self.turns_of(self.side)
            near, inch = DRIVE[min(left, len(DRIVE) - 1)]
            # Who would hold them in the end is gone for where it is: it may be seen from nowhere else.
            holds = [p for e in self.foes if apart(p := self.leads[e.id], at) <= HOLDERS] if left <= 2 else []
            wanted = {u.id: nearest_of(self.where(u), holds) or at for u in mine}
            return {u.id: Task(wanted[u.id], near * INCH, inch * (1 if is_support(t, u) else 2), 0) for u in mine}
        if goal == "pilot" and t.pilot is not None:
            return self._pilot(mine)
        if goal == "breakthrough" and self.side != t.field.defender:
            return self._through(mine)
        return {}

    def where(self, u: Unit) -> Point:
        """Where a unit is, or where it would come from."""
        table = self.t.field.table
        lead = self.leads.get(u.id)
        if lead is not None:
            return lead
        if u.carrier is not None and u.carrier in self.leads:
            return self.leads[u.carrier]
        return (table.width * (2 * (u.id % 3) + 1) // 6, 0 if u.side == 0 else table.height)

    def _objectives(self, mine: list[Unit]) -> dict[int, Task]:
        """Each objective has its share of the units, those that are nearest."""
        objectives = self.t.field.objectives
        able = [u for u in mine if u.kind != "flyer"]
        most = -(-len(able) // len(objectives))
        pairs = sorted(
            [
                (apart(self.where(u), o.at) + (8 * INCH if is_support(self.t, u) else 0), u.id, n)
                for u in able
                for n, o in enumerate(objectives)
            ]
        )
        # Nothing is counted before the second turn; who acts last in a turn is there when it is.
        share = 20 if self.t.round < 2 else 90 if self.t.first != self.side else 45
        given: dict[int, int] = {}
        counts = [0] * len(objectives)
        for _, unit, n in pairs:
            if unit not in given and counts[n] < most:
                given[unit] = n
                counts[n] += 1
        found, first = {}, set()
        for _, unit, n in pairs:
            if given.get(unit) != n:
                continue
            leads = n not in first and not is_support(self.t, self.t.units[unit])
            if leads:
                first.add(n)
            inch = 2 * POINT if leads else POINT
            there = VICTORY * share // (100 if leads else 350)
            if is_support(self.t, self.t.units[unit]):
                inch, there = POINT // 2, 0
            found[unit] = Task(objectives[n].at, HOLDS - INCH // 2 if leads else HOLDS + 2 * INCH, inch, there)
        return found

    def _pilot(self, mine: list[Unit]) -> dict[int, Task]:
        """To him, home with him, or after him."""
        t = self.t
        assert t.pilot is not None
        table = t.field.table
        carrier = t.pilot.unit
        at = t.pilot.at if carrier is None else self.leads.get(carrier, t.pilot.at)
        if carrier is not None and t.units[carrier].side == self.side:
            home = (at[0], 0 if self.side == 0 else table.height)
            found = {u.id: Task(at, 8 * INCH, POINT, 0) for u in mine}
            found[carrier] = Task(home, 0, 14 * POINT, 200 * POINT)
            return found
        if carrier is not None:
            return {u.id: Task(at, 8 * INCH, 2 * POINT, 0) for u in mine}
        back = abs(at[1] - (0 if self.side == 0 else table.height))
        able = sorted([(apart(self.where(u), at), u.id) for u in mine if u.on_foot and not is_support(t, u)])
        found = {}
        for n, (away, unit) in enumerate(able):
            pace = max(base_move(t, unit), 1)
            spare = self.moves_left() - -(-max(away - PICKS_UP, 0) // pace) - -(-back // BASE_MOVE)
            if n < FETCHERS and spare >= 0:
                found[unit] = Task(at, INCH // 2, FETCH[min(spare, len(FETCH) - 1)], 30 * POINT)
        for u in mine:
            found.setdefault(u.id, Task(at, 14 * INCH, POINT // 2, 0))
        return found

    def moves_left(self) -> int:
        """How many Moves a unit of the side may still make before the last turn is over, two in each turn."""
        t = self.t
        coming = t.active == self.side or t.active == t.first
        return 2 * max(t.field.turns - max(t.round, 1) + coming, 0)

    def _by_the_end(self, u: Unit, at: Point) -> Task:
        """Near a place when the last turn ends, and no sooner than need be."""
        near = CROSSROADS - INCH
        if u.kind == "flyer":
            return Task(at, near, 0, 0)
        moves = -(-max(apart(self.where(u), at) - near, 0) // max(base_move(self.t, u.id), 1))
        spare = self.moves_left() - moves - 1 - 2 * (u.where == "reserve")
        late = not self.turns_of(self.side)
        return Task(at, near, PULL[min(max(spare, 0), len(PULL) - 1)], 80 * POINT if late else 0)

    def _through(self, mine: list[Unit]) -> dict[int, Task]:
        """Over the far edge, those that count."""
        t, table = self.t, self.t.field.table
        far = table.height if self.side == 0 else 0
        short = needed_to_leave(t, self.side) - len([x for x in set(t.exited) if counts_for_exit(t, x)])
        order = sorted(
            [
                (-(-abs(far - self.where(u)[1]) // max(base_move(t, u.id), 1)), u.id)
                for u in mine
                if counts_for_exit(t, u.id)
            ]
        )
        found = {}
        for n, (moves, unit) in enumerate(order):
            # One more to take the last model over, and one for a rally on the way.
            spare = self.moves_left() - moves - 2
            at = (self.where(t.units[unit])[0], far)
            inch = PULL[min(max(spare, 0), len(PULL) - 1)]
            if n >= short + 2:
                inch //= 2
            found[unit] = Task(at, 0, inch, 150 * POINT)
        for u in mine:
            found.setdefault(u.id, Task((self.where(u)[0], far), 10 * INCH, POINT, 0))
        return found


def lead_of(t: Firefight, u: Unit) -> Point:
    """The place of the model in the middle of a unit."""
    places = [p for m in u.models if (p := t.models[m].at) is not None]
    x, y = sum([p[0] for p in places]) // len(places), sum([p[1] for p in places]) // len(places)
    return min(places, key=lambda p: ((p[0] - x) ** 2 + (p[1] - y) ** 2, p))


def nearest_of(here: Point, places: list[Point]) -> Point | None:
    """The nearest of some places that is not here."""
    return min([p for p in places if p != here], key=lambda p: (distance_sq(p, here), p), default=None)


def is_support(t: Firefight, u: Unit) -> bool:
    """Whether a unit is a team that is better behind: with a mortar, a launcher, a sniper's rifle or a radio."""
    if u.machine or len(u.models) > 4:
        return False
    for m in u.models:
        model = t.models[m]
        if model.spotter or any(
            t.weapon(w).has("mission") or t.weapon(w).has("not-after-moving") or t.weapon(w).has("picks-casualty")
            for w in model.weapons
        ):
            return True
    return False
