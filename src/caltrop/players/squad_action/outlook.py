"""Evaluate places: targets from a place, enemies that may come, and the benefit for the mission.

A unit is represented by its middle model. Sight between places, cover and averages are cached, for as long as the
terrain does not change.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

from caltrop.geometry import INCH, Point, distance_sq, near_to, point_along
from caltrop.players.judgement import SOUND, Judgement
from caltrop.players.squad_action.fire import apart, faces_from, keen, potential
from caltrop.players.squad_action.weights import VETERAN, Weights
from caltrop.players.squad_action.worth import GRAIN, PRESSED, Averages, UnitStake, now, price_of, stake_of
from caltrop.rules.squad_action.catalogue import COVERS, Cover
from caltrop.rules.squad_action.damage import condition
from caltrop.rules.squad_action.movement import PACKS
from caltrop.rules.squad_action.places import (
    CLOUD,
    COVER_NEAR,
    COVER_OF,
    FOOT,
    LINEAR,
    ground_for_sight,
    officer_near,
)
from caltrop.rules.squad_action.reach import BASE_MOVE, base_move
from caltrop.rules.squad_action.records import Firefight, Unit
from caltrop.rules.squad_action.shots import arms, is_loaded
from caltrop.rules.squad_action.victory import (
    CROSSROADS,
    HOLDS,
    PICKS_UP,
    counts_for_exit,
    holder,
    needed_to_leave,
    points_lost,
    totals,
)
from caltrop.table.measured import line_is_seen
from caltrop.table.measured.corridor import CorridorPiece, crosses_piece, holds
from caltrop.table.measured.terrain import Terrain

CELL = 127
"""Resolution of places: half an inch."""
KEPT = 4
"""Number of places that are evaluated in detail, and of moments on a path at which an interruption is considered."""
SURE = 1000
ABREAST = 3 * INCH
"""Distance within which units block each other."""


class Task(NamedTuple):
    """The destination of a unit."""

    at: Point
    near: int
    """Distance from `at` within which the task is fulfilled."""
    inch: int
    """Cost of each inch beyond the distance `near`."""
    there: int


class SideOutlook:
    """A side's evaluation of a firefight.

    Args:
        t: The firefight as the side sees it.
        averages: Cache of averages.
        wary: True to consider the enemy's next acts.
        nodes: Number of places to evaluate in detail for each unit.
    """

    def __init__(
        self,
        t: Firefight,
        side: int,
        averages: Averages,
        wary: bool = True,
        weights: Weights = VETERAN,
        judgement: Judgement = SOUND,
        nodes: int = KEPT,
    ) -> None:
        self.t, self.side, self.averages, self.wary, self.weights = t, side, averages, wary, weights
        self.judgement, self.nodes = judgement, nodes
        goal = t.field.goal
        self.pressed = goal == "pilot" or (goal == "breakthrough" and side != t.field.defender)
        """True if a side has to arrive in time. Such a side errs less about distances, and never forgets its goal."""
        self.grain = PRESSED if self.pressed else GRAIN
        self.mine = [u for u in t.of_side(side) if u.models]
        self.foes = [u for u in t.of_side(1 - side) if u.models and u.where == "table"]
        self.armour = any(u.machine for u in t.units if u.side != side and u.where != "gone")
        self.leads: dict[int, Point] = {u.id: lead_of(t, u) for u in t.units if u.where == "table" and u.models}
        self.kept_reaches: dict[int, tuple[int, ...]] = {}
        self._firers: dict[int, int] = {}
        self._targets_as: dict[int, int] = {}
        self._stakes: dict[int, UnitStake] = {}
        self._shots: dict[int, tuple[int, int, int]] = {}
        self._wide: dict[int, int] = {}
        self._views: dict[Point, list[tuple[Unit, Point, int, bool]]] = {}
        self._officers: dict[int, bool] = {}
        self._sights: dict[Any, bool] = t.book.scratch.setdefault("sight of players", {})
        self.ground = ground_for_sight(t)
        hiding = tuple([c.at for c in t.clouds]) if t.book.rules["smoke"] == "block" else ()
        self._laid = (len(t.placed), hiding)
        self.pieces: list[tuple[CorridorPiece, Terrain, int]] = [
            (piece, terrain, COVERS.index(COVER_OF[terrain.kind.name]))
            for piece, terrain in zip(t.ground.pieces, (*t.field.table.terrain, *t.placed), strict=True)
            if terrain.kind.name in COVER_OF
        ]
        self._places: dict[Any, int] = {}
        self._futures: dict[Any, int] = {}
        self._comes: dict[int, tuple[Point, ...]] = {}
        covers = t.book.scratch.setdefault("cover of players", {})
        self._shelters: dict[Any, tuple[int, list[tuple[CorridorPiece, int]]]] = covers.setdefault(len(t.placed), {})

    # --- units --------------------------------------------------------------------------------------------------------

    def acts(self, unit: int) -> bool:
        return self.t.units[unit].side == self.t.active

    def officer(self, unit: int) -> bool:
        near = self._officers.get(unit)
        if near is None:
            near = self._officers[unit] = officer_near(self.t, unit)
        return near

    def as_firer(self, unit: int) -> int:
        """Return a number for a unit as a shooter. Units that shoot alike have the same number."""
        firer = self._firers.get(unit)
        if firer is None:
            t, u, acts = self.t, self.t.units[unit], self.acts(unit)
            # Weapons that were fired this turn can fire again in the next.
            guns = [
                (way, len([m for m in models if not acts or is_loaded(t, m, t.weapon(way))]))
                for way, models in arms(t, unit).items()
            ]
            firer = self._firers[unit] = self.averages.number((u.row, u.kind, u.traits, tuple(guns)))
        return firer

    def as_target(self, unit: int) -> int:
        target = self._targets_as.get(unit)
        if target is None:
            t, u = self.t, self.t.units[unit]
            state = (u.row, u.kind, u.traits, u.starting, len(u.models), u.pinned, u.broken, u.travelled, u.hovering)
            whole = condition(t, unit) if u.machine else None
            key = (state, whole, self.stake(unit), self.officer(unit))
            target = self._targets_as[unit] = self.averages.number(key)
        return target

    def stake(self, unit: int) -> UnitStake:
        stake = self._stakes.get(unit)
        if stake is None:
            side, w = self.t.units[unit].side, self.weights
            holds, besides = self._holds(unit)
            if w.threat and side != self.side and unit in self.leads:
                holds += w.threat * self._targets(unit)[0] // 100
            stake = self._stakes[unit] = stake_of(self.t, unit, w, holds, besides, w.lasts(self.turns_of(side)))
        return stake

    def turns_of(self, side: int) -> int:
        """Return the number of turns after the present turn in which a side can still act."""
        t = self.t
        return max(t.field.turns - max(t.round, 1) + (t.active != side and side != t.first and t.round > 0), 0)

    def _holds(self, unit: int) -> tuple[int, int]:
        t, u = self.t, self.t.units[unit]
        at = self.leads.get(unit)
        if at is None:
            return 0, 0
        goal, field, w = t.field.goal, t.field, self.weights
        if goal == "meeting":
            near = min([apart(at, o.at) for o in field.objectives], default=HOLDS * 9)
            # The side that acts last before the count has the advantage.
            share = w.held_last if t.active != t.first else w.held_first
            return (w.victory * share // 100 if near <= HOLDS + INCH and u.kind != "flyer" else 0), 0
        if goal == "crossroads" and u.side == field.defender:
            # A defender who is near enough at the end wins it.
            holds = apart(at, field.objectives[0].at) <= self._holders
            worth = w.left(self.turns_of(1 - u.side)) if holds else w.left_2
            return 0, price_of(u, w) * worth // 100
        if goal == "pilot" and t.pilot is not None and t.pilot.unit == unit:
            return w.carrier_acts, w.carrier
        if goal == "breakthrough" and u.side != field.defender and counts_for_exit(t, unit):
            return w.leaver_acts, w.leaver
        return 0, 0

    @property
    def _holders(self) -> int:
        """Distance from the crossroads within which a defender is assumed to be able to hold them at the end."""
        return CROSSROADS + self.weights.holders * INCH

    # --- places -------------------------------------------------------------------------------------------------------

    def sees(self, a: Point, b: Point) -> bool:
        """Return whether a soldier at one place sees a soldier at another, ignoring bodies."""
        p = (a[0] // CELL, a[1] // CELL)
        q = (b[0] // CELL, b[1] // CELL)
        key = (self._laid, p, q) if p < q else (self._laid, q, p)
        seen = self._sights.get(key)
        if seen is None:
            seen = self._sights[key] = line_is_seen(self.ground, a, b)
        return seen

    def cover(self, places: list[Point], firer: Point) -> Cover:
        ranks = []
        for at in places:
            best, lines = self._shelter(at)
            for piece, rank in lines:
                if rank > best and crosses_piece(piece, at, firer):
                    best = rank
            ranks.append(best)
        ranks.sort(reverse=True)
        return COVERS[ranks[len(ranks) // 2]]

    def _shelter(self, at: Point) -> tuple[int, list[tuple[CorridorPiece, int]]]:
        """Return the cover of a place from all directions, and nearby hedges and walls that may give more."""
        key = (at[0] // CELL, at[1] // CELL)
        shelter = self._shelters.get(key)
        if shelter is None:
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
            shelter = self._shelters[key] = best, lines
        return shelter

    def spread(self, unit: int, at: Point) -> list[Point]:
        """Return the places of some models of a unit whose middle model is at a place."""
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
        key = (unit, at)
        value = self._places.get(key)
        if value is None:
            danger = self.danger(unit, at)
            value = self.lure(unit, at) - danger
            if danger:
                # A unit that loses models to earlier fire shoots less in its next turn.
                whole = max(now(self.t, unit, self.stake(unit)), 1)
                spoilt = min(danger, whole) * self.weights.spoilt // 100
                value -= max(self._future(unit, at), 0) * spoilt // whole
            self._places[key] = value
        return value

    def lure(self, unit: int, at: Point) -> int:
        """Return an upper bound for the value of a place: its value without any danger."""
        lure = self.goal(unit, at) + self._future(unit, at)
        lure += self.judgement.slip(self.grain, unit, self.t.round, at[0] // INCH, at[1] // INCH)
        if self.weights.crowded:
            lure -= self.weights.crowded * len(
                [u for u in self.mine if u.id != unit and u.id in self.leads and apart(self.leads[u.id], at) <= ABREAST]
            )
        return lure

    def _future(self, unit: int, at: Point) -> int:
        key = (unit, at)
        future = self._futures.get(key)
        if future is None:
            future = self._futures[key] = self.prospects(unit, at)
        return future

    def fire_from(self, unit: int, at: Point, moved: bool, target: int | None = None) -> int:
        """Return the expected effect of a unit's best Shoot from a place."""
        best = 0
        for e, there, gap, seen in self.views(at):
            if not seen or (target is not None and e.id != target):
                continue
            cover = self.cover(self.spread(e.id, there), at)
            best = max(
                best, keen(self, unit, e.id, potential(self, unit, e.id, gap, cover, faces_from(self, e.id, at), moved))
            )
        return best

    def views(self, at: Point) -> list[tuple[Unit, Point, int, bool]]:
        """Return the enemies as seen from a place: unit, place, approximate distance, and whether it is in sight."""
        views = self._views.get(at)
        if views is None:
            views = self._views[at] = [
                (e, there, self.gap(at, e), self.sees(at, there)) for e in self.foes for there in (self.leads[e.id],)
            ]
        return views

    def gap(self, at: Point, e: Unit) -> int:
        """Return the approximate distance between a unit at a place and another."""
        wide = self._wide.get(e.id)
        if wide is None:
            lead = self.leads[e.id]
            every = [apart(lead, p) for m in e.models if (p := self.t.models[m].at) is not None]
            wide = self._wide[e.id] = max(every) * 2 // 3 + 2 * FOOT
        return max(apart(at, self.leads[e.id]) - wide, 0)

    def prospects(self, unit: int, at: Point) -> int:
        """Return the worth of a unit's possible shots next turn, or the cost of being too far away."""
        best, nearest, w = 0, 10**9, self.weights
        if not self.turns_of(self.side):
            return 0
        for e, there, gap, seen in self.views(at):
            nearest = min(nearest, gap)
            cover = self.cover(self.spread(e.id, there), at) if seen else "soft"
            harm = potential(self, unit, e.id, gap, cover, faces_from(self, e.id, at), False)
            best = max(best, harm if seen else harm * w.unseen // 100)
        value = best * (w.future_first if self.side == self.t.first else w.future_second) // 100
        far = w.far * INCH
        if self.foes and nearest > far and arms(self.t, unit):
            value -= w.approach * (nearest - far) // INCH
        return value

    def danger(self, unit: int, at: Point) -> int:
        """Return the expected loss of a unit at a place until it acts again."""
        if not self.wary or not self.turns_of(1 - self.side):
            return 0
        t, u, stake, w = self.t, self.t.units[unit], self.stake(unit), self.weights
        places = self.spread(unit, at)
        whole = max(now(t, unit, stake), 1)
        safe, storms = SURE, 0
        for e, there, gap, seen in self.views(at):
            if not seen and gap > w.hidden * INCH:
                continue
            cover = self.cover(places, there) if u.kind != "flyer" else "none"
            faces = faces_from(self, unit, there)
            harm = min(potential(self, e.id, unit, gap, cover, faces, not seen), whole)
            volley = SURE * harm // whole * (w.shaken if e.pinned else 100) // 100
            if not seen:
                # An enemy that has to come nearer may go elsewhere.
                likely = w.comes if any(self.sees(at, p) for p in self.comes(e.id)[:2]) else w.strays
                safe = safe * (SURE - volley * likely // 100) // SURE
            elif volley:
                volley = volley * self._share(e.id, unit, harm) // SURE
                tokens = t.tokens.get(e.id)
                for _ in range(2 + (len(tokens.faces) if tokens else 0)):
                    safe = safe * (SURE - volley) // SURE
            if u.on_foot and e.on_foot and not e.pinned and gap <= self.storm(e.id):
                storms += stake.model * min(len(u.models), len(e.models)) * w.stormed // 100
        risk = w.risk_first if self.side == t.first else w.risk_second
        danger = (whole * (SURE - safe) // SURE) * risk // 100 + storms
        if self.bold:
            danger = danger * (100 - self.bold) // 100
        return danger * (100 - w.smoked) // 100 if t.clouds and u.kind != "flyer" and self.in_smoke(at) else danger

    @cached_property
    def bold(self) -> int:
        """Part of the danger to ignore, in per cent: more if the side loses by waiting, or is stronger."""
        w, boldness = self.weights, 0
        if w.daring or w.level:
            waits = self.waits
            boldness += w.daring if waits < 0 else w.level if not waits else 0
        if w.stronger:
            own, other = (
                sum([price_of(u, w) * len(u.models) // max(u.starting, 1) for u in self.t.units if u.side == side])
                for side in (self.side, 1 - self.side)
            )
            boldness += w.stronger * max(own - other, 0) // max(own + other, 1)
        return min(boldness, 100)

    @property
    def waits(self) -> int:
        """Result if both sides only wait: 1 if the side wins, -1 if it loses, 0 for a draw."""
        t, field, side = self.t, self.t.field, self.side
        points = 0, 0
        if field.goal == "crossroads" or (field.goal == "breakthrough" and side == field.defender):
            return 1 if side == field.defender else -1
        if field.goal == "breakthrough":
            return -1 if self._short() > 0 else 1
        if field.goal == "pilot":
            if t.pilot is not None and t.pilot.unit is not None:
                return 1 if t.units[t.pilot.unit].side == side else -1
            points = points_lost(t, 1), points_lost(t, 0)
        elif field.goal == "meeting":
            held = [holder(t, n) for n in range(len(field.objectives))]
            one, other = totals(t)
            points = one + held.count(0), other + held.count(1)
        ahead = points[side] - points[1 - side]
        return (ahead > 0) - (ahead < 0)

    def crossing(self, unit: int, at: Point) -> int:
        """Return the expected loss by enemies on overwatch on the way to a place."""
        here, w = self.leads.get(unit), self.weights
        if here is None or not w.crossing or not self.wary:
            return 0
        way = [(here[0] + (at[0] - here[0]) * n // 3, here[1] + (at[1] - here[1]) * n // 3) for n in (1, 2)]
        risk = 0
        for e in self.foes:
            if e.id not in self.t.tokens or e.pinned:
                continue
            there = self.leads[e.id]
            risk += max(
                [
                    potential(
                        self, e.id, unit, self.gap(p, e), self.cover([p], there), faces_from(self, unit, there), False
                    )
                    for p in way
                    if self.sees(p, there)
                ],
                default=0,
            )
        return risk * w.crossing // 100

    def comes(self, enemy: int) -> tuple[Point, ...]:
        """Return the probable places of an enemy next turn: after one or two Moves to its goal and nearest target."""
        approach = self._comes.get(enemy)
        if approach is None:
            t, here = self.t, self.leads[enemy]
            far = base_move(t, enemy)
            goals = [near for places in (self._wanted_by(enemy), self.mine_at) if (near := nearest_of(here, places))]
            steps = [
                point_along(here, (p[0] - here[0], p[1] - here[1]), min(far * n, apart(here, p)))
                for n in (1, 2)
                for p in goals
            ]
            approach = self._comes[enemy] = tuple(dict.fromkeys(steps))
        return approach

    def _wanted_by(self, enemy: int) -> list[Point]:
        t, field = self.t, self.t.field
        if field.goal == "breakthrough" and t.units[enemy].side != field.defender:
            return [(self.leads[enemy][0], field.table.height if t.units[enemy].side == 0 else 0)]
        if t.pilot is not None:
            return [t.pilot.at]
        return [o.at for o in field.objectives]

    @cached_property
    def mine_at(self) -> list[Point]:
        return [self.leads[u.id] for u in self.mine if u.id in self.leads]

    def ambush(self, unit: int, at: Point) -> int:
        """Return the greatest harm of a volley from a place to an enemy that will probably come into sight."""
        best = 0
        for e in self.foes:
            if e.pinned or e.kind == "flyer":
                continue
            for p in self.comes(e.id):
                gap = max(apart(at, p) - 2 * FOOT, 0)
                if gap > self.weights.ambush_reach * INCH or not self.sees(at, p):
                    continue
                harm = potential(self, unit, e.id, gap, self.cover([p], at), faces_from(self, e.id, at), False)
                best = max(best, harm)
        return best

    def in_smoke(self, at: Point) -> bool:
        """Return whether a place is in smoke that will last until the enemy acts."""
        ends = 1 if self.t.active == self.side else 0
        return any(c.left > ends and apart(at, c.at) <= CLOUD for c in self.t.clouds)

    def screened(self, unit: int, at: Point, smoke: Point) -> int:
        """Return the loss that smoke at a place avoids, for a unit at its planned place and for friends nearby."""
        screen = 0
        for u in self.mine:
            place = at if u.id == unit else self.leads.get(u.id)
            if place is None or apart(place, smoke) > CLOUD or self.in_smoke(place) or u.kind == "flyer":
                continue
            spared = self.danger(u.id, place) * self.weights.smoked // 100
            # A friend that has not acted yet may still move away.
            screen += spared if u.id == unit or u.activated else spared * self.weights.smoked_later // 100
        return screen

    def _share(self, enemy: int, unit: int, harm: int) -> int:
        """Return the probability, in thousandths, that an enemy fires at this unit instead of another that it sees.

        An outgunned side relies less on others to draw fire, so all its units should hide.
        """
        best = self._targets(enemy)
        rival = best[1] if best[2] == unit else best[0]
        part = SURE * harm * harm // max(harm * harm + rival * rival, 1)
        return part + (SURE - part) * self.outgunned // 100

    def _targets(self, enemy: int) -> tuple[int, int, int]:
        """Return the two largest losses that an enemy's volley can cause, and the unit with the largest."""
        shots = self._shots.get(enemy)
        if shots is None:
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
            shots = self._shots[enemy] = first, second, worst
        return shots

    @cached_property
    def outgunned(self) -> int:
        """Excess of the enemy's firepower over the side's at the present places, in per cent; at least 0."""
        own = sum([self.fire_from(u.id, at, False) for u in self.mine if (at := self.leads.get(u.id)) is not None])
        other = sum([self._targets(e.id)[0] for e in self.foes])
        above = max(2 * 100 * other // max(own + other, 1) - 100, 0)
        return min(above * self.weights.outgunned // 100, 100)

    def answer(self, enemy: int, unit: int) -> int:
        """Return the expected loss of an assaulting unit to an enemy on overwatch, for each token."""
        return potential(self, enemy, unit, 4 * INCH, "none", faces_from(self, unit, self.leads[enemy]), False)

    def storm(self, unit: int) -> int:
        """Return the distance that a unit can assault."""
        return (12 if PACKS.may(self.t, unit=unit) else base_move(self.t, unit) // INCH) * INCH + 2 * INCH

    # --- goals of the mission -----------------------------------------------------------------------------------------

    def goal(self, unit: int, at: Point) -> int:
        task = self.tasks.get(unit)
        if task is None:
            return 0
        missing = apart(at, task.at) - task.near
        return task.there if missing <= 0 else -task.inch * missing // INCH

    @cached_property
    def tasks(self) -> dict[int, Task]:
        """The task of each unit of the side. Objectives that the player has forgotten are left out."""
        every, forgets = self._every_task(), self.judgement.forgets
        if self.pressed:
            return every
        return {unit: task for unit, task in every.items() if not forgets("objective", self.t.round, unit)}

    def _every_task(self) -> dict[int, Task]:
        t, goal = self.t, self.t.field.goal
        mine = [u for u in t.units if u.side == self.side and u.where in ("table", "aboard", "reserve")]
        if goal == "meeting":
            return self._objectives(mine)
        if goal == "crossroads":
            at = t.field.objectives[0].at
            if self.side == t.field.defender:
                return {u.id: self._by_the_end(u, at) for u in mine}
            left = self.turns_of(self.side)
            near, inch = self.weights.drives(left)
            # Enemies who would hold the crossroads at the end are attacked where they stand, because they may be out of
            # sight from other places.
            holds = [p for e in self.foes if apart(p := self.leads[e.id], at) <= self._holders]
            out = holds if left <= self.weights.drive_out else []
            goals = {u.id: nearest_of(self.where(u), out) or at for u in mine}
            return {u.id: Task(goals[u.id], near * INCH, inch // (2 if is_support(t, u) else 1), 0) for u in mine}
        if goal == "pilot" and t.pilot is not None:
            return self._pilot(mine)
        if goal == "breakthrough" and self.side != t.field.defender:
            return self._through(mine)
        return {}

    def where(self, u: Unit) -> Point:
        table = self.t.field.table
        lead = self.leads.get(u.id)
        if lead is not None:
            return lead
        if u.carrier is not None and u.carrier in self.leads:
            return self.leads[u.carrier]
        return (table.width * (2 * (u.id % 3) + 1) // 6, 0 if u.side == 0 else table.height)

    def _objectives(self, mine: list[Unit]) -> dict[int, Task]:
        objectives, w = self.t.field.objectives, self.weights
        able = [u for u in mine if u.kind != "flyer"]
        most = -(-len(able) // len(objectives))
        pairs = sorted(
            [
                (apart(self.where(u), o.at) + (w.support_way * INCH if is_support(self.t, u) else 0), u.id, n)
                for u in able
                for n, o in enumerate(objectives)
            ]
        )
        # No points are scored before the second turn. The side that acts last in a turn is at the objective when it is
        # scored.
        late = w.objective_last if self.t.first != self.side else w.objective_first
        share = w.objective_early if self.t.round < 2 else late
        given: dict[int, int] = {}
        counts = [0] * len(objectives)
        for _, unit, n in pairs:
            if unit not in given and counts[n] < most:
                given[unit] = n
                counts[n] += 1
        tasks, first = {}, set()
        for _, unit, n in pairs:
            if given.get(unit) != n:
                continue
            leads = n not in first and not is_support(self.t, self.t.units[unit])
            if leads:
                first.add(n)
            inch = w.objective_inch if leads else w.helper_inch
            there = w.victory * share // (100 if leads else max(w.helper, 1))
            if is_support(self.t, self.t.units[unit]):
                inch, there = w.support_inch, 0
            tasks[unit] = Task(objectives[n].at, HOLDS - INCH // 2 if leads else HOLDS + 2 * INCH, inch, there)
        return tasks

    def _pilot(self, mine: list[Unit]) -> dict[int, Task]:
        """Return the tasks that concern the pilot: reaching him, bringing him home, or chasing his captors."""
        t, w = self.t, self.weights
        assert t.pilot is not None
        table = t.field.table
        carrier = t.pilot.unit
        at = t.pilot.at if carrier is None else self.leads.get(carrier, t.pilot.at)
        if carrier is not None and t.units[carrier].side == self.side:
            home = (at[0], 0 if self.side == 0 else table.height)
            tasks = {u.id: Task(at, w.escort_near * INCH, w.escort_inch, 0) for u in mine}
            tasks[carrier] = Task(home, 0, w.home_inch, w.home)
            return tasks
        if carrier is not None:
            return {u.id: Task(at, w.escort_near * INCH, w.chase_inch, 0) for u in mine}
        back = abs(at[1] - (0 if self.side == 0 else table.height))
        able = sorted([(apart(self.where(u), at), u.id) for u in mine if u.on_foot and not is_support(t, u)])
        tasks = {}
        for n, (away, unit) in enumerate(able):
            pace = max(base_move(t, unit), 1)
            spare = self.moves_left() - -(-max(away - PICKS_UP, 0) // pace) - -(-back // BASE_MOVE)
            if n < w.fetchers and spare >= 0:
                tasks[unit] = Task(at, INCH // 2, w.fetches(spare), w.fetched)
        for u in mine:
            tasks.setdefault(u.id, Task(at, w.others_near * INCH, w.others_inch, 0))
        return tasks

    def moves_left(self) -> int:
        """Return the number of Moves that a unit can still make before the end of the last turn: two in each turn."""
        t = self.t
        coming = t.active == self.side or t.active == t.first
        return 2 * max(t.field.turns - max(t.round, 1) + coming, 0)

    def _by_the_end(self, u: Unit, at: Point) -> Task:
        """Return a task to be near a place at the end of the last turn, without going there earlier than necessary."""
        near = CROSSROADS - INCH
        if u.kind == "flyer":
            return Task(at, near, 0, 0)
        moves = -(-max(apart(self.where(u), at) - near, 0) // max(base_move(self.t, u.id), 1))
        w = self.weights
        spare = self.moves_left() - moves - 1 - w.reserve_late * (u.where == "reserve")
        late = not self.turns_of(self.side)
        return Task(at, near, w.pulls(spare), w.arrived if late else 0)

    def _through(self, mine: list[Unit]) -> dict[int, Task]:
        t, table, w = self.t, self.t.field.table, self.weights
        far = table.height if self.side == 0 else 0
        short = self._short()
        order = sorted(
            [
                (-(-abs(far - self.where(u)[1]) // max(base_move(t, u.id), 1)), u.id)
                for u in mine
                if counts_for_exit(t, u.id)
            ]
        )
        tasks = {}
        for n, (moves, unit) in enumerate(order):
            # Spare Moves are needed for the last model, and for a rally on the way.
            spare = self.moves_left() - moves - w.through_spare
            at = (self.where(t.units[unit])[0], far)
            inch = w.pulls(spare)
            if n >= short + w.through_more:
                inch //= max(w.through_late, 1)
            tasks[unit] = Task(at, 0, inch, w.through)
        for u in mine:
            tasks.setdefault(u.id, Task((self.where(u)[0], far), w.through_near * INCH, w.through_inch, 0))
        return tasks

    def _short(self) -> int:
        t = self.t
        return needed_to_leave(t, self.side) - len([x for x in set(t.exited) if counts_for_exit(t, x)])


def lead_of(t: Firefight, u: Unit) -> Point:
    """Return the place of the model in the middle of a unit."""
    places = [p for m in u.models if (p := t.models[m].at) is not None]
    x, y = sum([p[0] for p in places]) // len(places), sum([p[1] for p in places]) // len(places)
    return min(places, key=lambda p: ((p[0] - x) ** 2 + (p[1] - y) ** 2, p))


def nearest_of(here: Point, places: list[Point]) -> Point | None:
    return min([p for p in places if p != here], key=lambda p: (distance_sq(p, here), p), default=None)


def is_support(t: Firefight, u: Unit) -> bool:
    """Return whether a team should stay behind: it has a mortar, a launcher, a sniper's rifle or a radio."""
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
