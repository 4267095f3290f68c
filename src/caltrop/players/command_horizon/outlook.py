"""A side's evaluation of a battle for planning: enemies, goals, and the value of places.

Places are evaluated in two steps. `sketch` is quick and uses only distances and cover. `judge` moves the unit on a copy
of the battle and uses the rules for range, sight, cover, odds and reaction fire.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from caltrop.geometry import CM, CONTACT, Disc, Point, distance_sq, gap_within
from caltrop.players.command_horizon.weights import VETERAN, Weights
from caltrop.players.command_horizon.worth import POINT, damage_of, strength
from caltrop.players.judgement import SOUND, Judgement
from caltrop.rules.command_horizon.aim import aim, is_artillery, with_dice
from caltrop.rules.command_horizon.attack import attack_dice
from caltrop.rules.command_horizon.catalogue import UnitKind
from caltrop.rules.command_horizon.limits import Paths
from caltrop.rules.command_horizon.objectives import effect_of, may_be_secured, may_secure
from caltrop.rules.command_horizon.placing import zone_of
from caltrop.rules.command_horizon.reach import is_infantry, kind_of
from caltrop.rules.command_horizon.reaction import may_react, reaction_of
from caltrop.rules.command_horizon.records import Battle, Objective
from caltrop.rules.command_horizon.shooting import attack_with, best_sighter, marks_on

FAR = 1 << 30
GRAIN = 200
"""Difference between a good place and an average place, in thousandths of a victory point."""


class Enemy(NamedTuple):
    """The properties of an enemy unit that matter for planning."""

    unit: int
    at: Point
    """The middle of the enemy's models."""
    spread: int
    """Distance from the middle to the enemy's outermost model."""
    range: int
    """Range of the enemy's shots; 0 if it does not shoot."""
    stride: int
    """Distance that the enemy can move at low cost before it shoots."""
    infantry: bool
    locked: bool


class Task(NamedTuple):
    """An objective assigned to a unit."""

    objective: int
    value: int
    secures: bool


class PlaceVerdict(NamedTuple):
    shot: int
    """Gain of the best shot from the place, less the losses by reaction fire."""
    target: int
    """Target of that shot; -1 for none."""
    rest: int
    """Remaining part of the value: safety, distance to goals, later shots."""


def middle_of(discs: Sequence[Disc]) -> Point:
    n = len(discs)
    return (sum([d[0] for d in discs]) // n, sum([d[1] for d in discs]) // n)


def spread_of(discs: Sequence[Disc], at: Point) -> int:
    """Return the largest distance of some bases from a place."""
    return max([isqrt(distance_sq(d[:2], at)) + d[2] for d in discs])


def stays_behind(kind: UnitKind) -> bool:
    return kind.key in ("artillery", "command")


class SideOutlook:
    """A side's evaluation of a battle, for one decision.

    Args:
        t: The battle as the side sees it; it is not changed.
    """

    def __init__(self, t: Battle, side: int, judgement: Judgement = SOUND, weights: Weights = VETERAN) -> None:
        self.t, self.side, self.judgement, self.weights = t, side, judgement, weights
        self.caution = weights.caution * judgement.style.danger // 100
        self.mine = tuple(t.in_play(side))
        self.kinds = {u: kind_of(t, u) for u in self.mine}
        """Printed values of the side's units."""
        self.enemies = tuple([self._enemy(e) for e in t.enemies(side)])
        self.turns_left = (t.rounds - t.round) if t.rounds is not None else 6
        """Number of the side's turns after the present turn."""
        self._threats: dict[tuple[int, int, int], int] = {}
        self._offers: dict[tuple[int, int], int] = {}
        self.tasks = self._tasks()
        self.zone = zone_of(t, 1 - side)
        self.focus = self._focus()
        self.places = {u: middle_of(t.discs(u)) for u in self.mine}
        """The middle of each unit of the side."""
        self.lines = {u: min(self._distances(at), default=FAR) for u, at in self.places.items()}
        """Distance of each unit of the side from the nearest enemy."""
        self._fronts: dict[int, int | None] = {}

    def _enemy(self, e: int) -> Enemy:
        t = self.t
        discs = t.discs(e)
        at = middle_of(discs)
        kind = kind_of(t, e)
        able = [m for m in t.units[e].models if not t.models[m].worms or m in with_dice(t, e)]
        reach = kind.range if able else 0
        if kind.infantry and any(t.models[m].kind == "heavy-weapons" for m in t.units[e].models):
            reach = 20 * CM
        stride = 0 if t.units[e].locked else 10 * CM
        return Enemy(e, at, spread_of(discs, at), reach, stride, kind.infantry, bool(t.units[e].locked))

    # --- goals ----------------------------------------------------------------------------------------------------

    def value_of(self, o: Objective) -> int:
        """Return the worth of securing an objective for this side; 0 if it cannot be secured now."""
        t = self.t
        value = o.worth * POINT
        effect = effect_of(t, o, self.side)
        if effect is not None and o.secured != self.side:
            left = max(0, min(4, self.turns_left))
            value += effect.amount * {"points": POINT, "supplies": 130 * left, "interference": 130 * left,
                                      "shock": 300}[effect.what]  # fmt: skip
        return value

    def _tasks(self) -> dict[int, Task]:
        """Assign units to objectives: to each the nearest unit that can secure it, and another if the enemy is near."""
        t = self.t
        tasks: dict[int, Task] = {}
        # Objectives can last be secured at the end of the turn before the last.
        if t.rounds is not None and t.round > t.rounds:
            return tasks
        pairs: list[tuple[int, int, int, Task]] = []
        for i, o in enumerate(t.objectives):
            value = self.value_of(o) * self.judgement.style.goals // 100
            if not value or self.judgement.forgets("objective", t.round, i):
                continue
            enemy_near = min([isqrt(distance_sq(e.at, (o.x, o.y))) for e in self.enemies], default=FAR)
            safe = o.secured == self.side
            if safe and enemy_near > 35 * CM:
                continue
            if not may_be_secured(t, o, self.side) and not safe:
                continue
            for u in self.mine:
                if t.units[u].locked:
                    continue
                secures = may_secure(t, u)
                if not secures and not (o.secured == 1 - self.side or o.holder == 1 - self.side or safe):
                    continue
                away = isqrt(distance_sq(middle_of(t.discs(u)), (o.x, o.y)))
                away = away * 10 * CM // self.speed(u)
                key = away * (2 if safe else 1) - value + (0 if secures else 20 * CM)
                pairs.append((key, i, u, Task(i, value // 2 if safe else value, secures)))
        pairs.sort(key=lambda p: p[:3])
        taken: dict[int, int] = {}
        for _, i, u, task in pairs:
            most = 2 if task.secures and task.value >= 2 * POINT else 1
            if u not in tasks and taken.get(i, 0) < most:
                tasks[u] = task
                taken[i] = taken.get(i, 0) + 1
        return tasks

    def speed(self, unit: int) -> int:
        """Return the distance that a unit can go in a turn at moderate cost."""
        t = self.t
        kind = self.kinds[unit]
        if t.units[unit].stuns:
            return 10 * CM
        if kind.infantry:
            return max(kind.move_cm, kind.long_move_cm) * CM
        return 20 * CM if kind.light else 12 * CM

    def _focus(self) -> Point:
        """Return the place where fighting is expected: the most valuable objective, or the middle of the enemy."""
        t = self.t
        best, where = 0, None
        for o in t.objectives:
            value = self.value_of(o)
            if value > best:
                best, where = value, (o.x, o.y)
        return self._middle_of_enemies() if where is None else where

    def _middle_of_enemies(self) -> Point:
        t = self.t
        if self.enemies:
            return (
                sum([e.at[0] for e in self.enemies]) // len(self.enemies),
                sum([e.at[1] for e in self.enemies]) // len(self.enemies),
            )
        return (t.table.width // 2, t.table.height // 2)

    def _distances(self, at: Point) -> list[int]:
        x, y = at
        return [isqrt((e.at[0] - x) ** 2 + (e.at[1] - y) ** 2) for e in self.enemies]

    # --- shots between pairs of units -----------------------------------------------------------------------------

    def threat(self, enemy: int, unit: int, cover: int) -> int:
        """Return the loss by an enemy's shot at a unit of this side, assuming that it is in range."""
        key = (enemy, unit, cover)
        threat = self._threats.get(key)
        if threat is None:
            t = self.t
            models = with_dice(t, enemy)
            mode = "artillery" if is_artillery(t, enemy) else "fire"
            threat = 0
            if models and kind_of(t, enemy).range_cm:
                threat = damage_of(t, attack_with(t, enemy, unit, mode, models, cover=cover), unit, self.weights).harm  # type: ignore[arg-type]
            self._threats[key] = threat
        return threat

    def offer(self, unit: int, enemy: int) -> int:
        """Return the gain of a shot at an enemy, assuming that it is in range and in the open."""
        key = (unit, enemy)
        offer = self._offers.get(key)
        if offer is None:
            t = self.t
            models = with_dice(t, unit)
            mode = "artillery" if is_artillery(t, unit) else "fire"
            offer = 0
            if models and self.kinds[unit].range_cm:
                offer = damage_of(t, attack_with(t, unit, enemy, mode, models), enemy, self.weights).harm  # type: ignore[arg-type]
            self._offers[key] = offer
        return offer

    # --- places -----------------------------------------------------------------------------------------------------

    def safety(
        self, unit: int, at: Point, spread: int, cover: int, far: Sequence[int], unseen: Sequence[int] = ()
    ) -> int:
        """Return the expected loss at a place in the enemy's next turn, as a number of at most 0.

        Args:
            spread: Largest distance of a model from that place.
        """
        t, w = self.t, self.weights
        costs: list[int] = []
        vehicle = not is_infantry(t, unit)
        for e, distance in zip(self.enemies, far, strict=True):
            if e.locked:
                continue
            away = distance - (e.spread + spread) * 3 // 4
            if e.range:
                over = away - e.range
                if over <= 0:
                    share = w.unseen if e.unit in unseen else 100
                elif over <= e.stride:
                    share = w.near
                elif over <= e.stride + 10 * CM:
                    share = w.far
                else:
                    share = 0
                if share:
                    costs.append(self.threat(e.unit, unit, cover) * share // 100)
            elif e.infantry and vehicle and away <= 17 * CM:
                costs.append(len(t.units[e.unit].models) * w.attaching)
            if e.infantry and not vehicle and away <= 16 * CM:
                costs.append(strength(t, unit, w) * w.charging // 100)
        if not costs:
            return 0
        costs.sort(reverse=True)
        cost = sum([cost * share // 100 for cost, share in zip(costs, (70, w.second, w.third, 12, 6), strict=False)])
        # The enemy divides its fire among units that stand together.
        x, y = at
        near = (26 * CM) ** 2
        beside = sum([u != unit and (p[0] - x) ** 2 + (p[1] - y) ** 2 <= near for u, p in self.places.items()])
        return -(cost * 100 // (100 + w.together * beside))

    def _front(self, unit: int) -> int | None:
        """Return the distance from the enemy below which a unit is ahead of others; None if being ahead has no cost."""
        if unit not in self._fronts:
            others = sorted([away for u, away in self.lines.items() if u != unit])
            if not others or self.t.breakthrough:
                self._fronts[unit] = None
            else:
                kind = self.kinds[unit]
                slack = -6 * CM if stays_behind(kind) else 12 * CM if kind.infantry or kind.light else 7 * CM
                self._fronts[unit] = others[min(1, len(others) - 1)] - slack
        return self._fronts[unit]

    def lead(self, unit: int, away: int) -> int:
        """Return the cost of being ahead of the other units, or for artillery and command of not being behind the
        others; at most 0.

        Args:
            away: Distance from the nearest enemy.
        """
        front = self._front(unit)
        if front is None or front <= away:
            return 0
        if away > 48 * CM and not stays_behind(self.kinds[unit]):
            return 0  # out of the enemy's reach no support is needed
        dear = self.weights.lead_task if unit in self.tasks else self.weights.lead
        return -(min(front - away, 40 * CM) * dear // CM)

    def prospects(self, unit: int, at: Point, spread: int, far: Sequence[int] | None = None) -> int:
        """Return the value of being nearer to targets: enemies to shoot at, infantry to charge, vehicles to attach to,
        goals.

        Args:
            spread: Largest distance of a model from that place.
            far: The distance of each enemy, if already computed.
        """
        t = self.t
        kind = self.kinds[unit]
        if far is None:
            far = self._distances(at)
        best = 0
        # Units with short weapons move before they fire, so their move counts for the reach.
        reach = kind.range + (10 * CM if kind.range_cm <= 10 else 0)
        for e, distance in zip(self.enemies, far, strict=True):
            if e.locked:
                continue
            away = distance - (e.spread + spread) * 3 // 4
            if kind.range_cm:
                gain = self.offer(unit, e.unit)
                over = max(0, away - reach)
                value = gain * max(0, 70 * CM - over) // (70 * CM) * self.weights.offer // 100
                if kind.min_range and away <= kind.min_range + 3 * CM:
                    value = 0
            elif kind.aura_cm:
                value = (self._punch(e.unit) * max(0, 60 * CM - max(0, away - 12 * CM))) // (60 * CM)
            elif kind.infantry and not e.infantry:
                value = len(t.units[unit].models) * 130 * max(0, 70 * CM - away) // (70 * CM)
            else:
                value = 300 * max(0, 80 * CM - max(0, away - 25 * CM)) // (80 * CM)
            best = max(best, value)
        return best + self._way(unit, at, spread) + self.lead(unit, min(far, default=FAR))

    def _punch(self, enemy: int) -> int:
        t = self.t
        models = with_dice(t, enemy)
        return 45 * sum([kind_of(t, enemy).dice for _ in models])

    def _way(self, unit: int, at: Point, spread: int) -> int:
        t, w = self.t, self.weights
        value = 0
        task = self.tasks.get(unit)
        left = self.turns_left
        if task is not None:
            o = t.objectives[task.objective]
            away = max(0, isqrt(distance_sq((o.x, o.y), at)) - o.r - spread * 2 // 3) * 10 * CM // self.speed(unit)
            turns = -(-away // (10 * CM))
            late = turns > left - 1
            if late:
                value += task.value // 10 * max(0, 30 * CM - away) // (30 * CM)
            else:
                weight = w.task if task.secures else w.spoil
                value += task.value * weight // 100 * fading(w.fade, away) // 1000
        else:
            away = max(0, isqrt(distance_sq(self.focus, at)) - 14 * CM)
            behind = stays_behind(self.kinds[unit])
            value -= away * (w.focus_behind if behind else w.focus) // (10 * CM)
        if t.breakthrough:
            _, y0, _, y1 = self.zone
            inner = spread
            away = max(0, y0 + inner - at[1], at[1] - (y1 - inner))
            turns = -(-away // (10 * CM))
            if turns <= left:
                value += (
                    t.breakthrough * POINT * self.judgement.style.goals * w.through // 10_000 * fading(82, away) // 1000
                )
            else:
                value += t.breakthrough * POINT // 12 * max(0, 90 * CM - away) // (90 * CM)
        return value

    def sketch(self, unit: int, at: Point, spread: int) -> int:
        """Return a quick estimate for a place, by distances and cover only."""
        t = self.t
        cover = int(t.ground.in_cover(at))
        kind = self.kinds[unit]
        far = self._distances(at)
        shot = 0
        if kind.range_cm:
            for e, distance in zip(self.enemies, far, strict=True):
                away = distance - (e.spread + spread) * 3 // 4
                if not e.locked and away <= kind.range and not (kind.min_range and away <= kind.min_range):
                    back = self.threat(e.unit, unit, cover) // 3 if away <= e.range else 0
                    shot = max(shot, self.offer(unit, e.unit) - back)
        safety = self.safety(unit, at, spread, cover, far)
        return shot + safety * self.caution // 100 + self.prospects(unit, at, spread, far)

    def judge(self, t: Battle, unit: int) -> PlaceVerdict:
        discs = t.discs(unit)
        at = middle_of(discs)
        spread = spread_of(discs, at)
        covered = sum([t.ground.in_cover(d[:2]) for d in discs])
        cover = int(2 * covered >= len(discs))
        far = self._distances(at)
        shot, target, second, unseen = self._shots(t, unit, spread, far)
        safety = self.safety(unit, at, spread, cover, far, unseen)
        rest = safety * self.caution // 100 + self.prospects(unit, at, spread, far)
        rest += (shot + second) * self.weights.later // 100
        rest += self._touch(unit, discs)
        return PlaceVerdict(shot, target, rest)

    def _touch(self, unit: int, discs: Sequence[Disc]) -> int:
        t = self.t
        value = 0
        if self.turns_left < 1:
            return 0
        for i, o in enumerate(t.objectives):
            if any(gap_within(d, (o.x, o.y, o.r), CONTACT) for d in discs):
                task = self.tasks.get(unit)
                worth_ = self.value_of(o) * self.judgement.style.goals // 100
                spoils = o.holder == 1 - self.side and o.secured != 1 - self.side
                takes = o.secured != self.side and o.holder != self.side and may_secure(t, unit)
                if task is not None and task.objective == i:
                    value += worth_ * self.weights.mine // 100
                elif spoils or takes:
                    value += worth_ * self.weights.contest // 1000
        return value

    def _shots(self, t: Battle, unit: int, spread: int, far: Sequence[int]) -> tuple[int, int, int, tuple[int, ...]]:
        """Return the best shot from the place, its target, the second best shot, and the enemies in range that do not
        see the unit.
        """
        kind = self.kinds[unit]
        best, second, target = 0, 0, -1
        unseen: list[int] = []
        if t.units[unit].locked:
            return 0, -1, 0, ()
        for e, distance in zip(self.enemies, far, strict=True):
            if e.locked:
                continue
            away = distance - e.spread - spread
            if not kind.range_cm or away > kind.range:
                continue
            net = self.net_shot(t, unit, e.unit)
            if net is None:
                unseen.append(e.unit)
                continue
            if net > best:
                best, second, target = net, best, e.unit
            elif net > second:
                second = net
        return best, target, second, tuple(unseen)

    def net_shot(self, t: Battle, unit: int, enemy: int, boosts: int = 0) -> int | None:
        """Return the gain of a shot at an enemy, less losses by its reaction fire; None without a line of sight."""
        artillery = is_artillery(t, unit)
        if artillery:
            sighter = best_sighter(t, unit, enemy)
            if sighter < 0:
                return None
            target = aim(t, unit, enemy, sighter=sighter)
        else:
            target = aim(t, unit, enemy)
        if not target.in_range:
            return 0
        if not target.models:
            return None
        marks = marks_on(t, enemy) if artillery and kind_of(t, unit).ranged_in_cm else 0
        attack = attack_with(
            t,
            unit,
            enemy,
            "artillery" if artillery else "fire",
            target.models,
            cover=target.cover,
            boosts=boosts,
            marks=marks,
            marked=t.units[unit].marking >= 0,
        )
        harm = self.judgement.odds(damage_of(t, attack, enemy, self.weights).harm, unit, t.round, enemy)
        return harm - self.answer(t, enemy, unit) * self.weights.answered // 100

    def answer(self, t: Battle, enemy: int, unit: int) -> int:
        """Return the expected loss by an enemy's reaction fire at a unit that shoots at it."""
        if is_artillery(t, unit) and t.book.edition == "current":
            return 0
        if not may_react(t, enemy, unit):
            return 0
        attack = reaction_of(t, enemy, unit)
        return damage_of(t, attack, unit, self.weights).harm if attack_dice(t, attack).total > 0 else 0


def fading(percent: int, away: int) -> int:
    """Return the share of a value, in thousandths, that is left at a distance. Every 10 cm leaves a percentage.

    >>> fading(80, 0), fading(80, 1000), fading(80, 1500)
    (1000, 800, 720)
    """
    strides, rest = divmod(away, 10 * CM)
    here: int = 1000 * percent**strides // 100**strides
    after = here * percent // 100
    return here - (here - after) * rest // (10 * CM)


def moved_copy(t: Battle, unit: int, paths: Paths, length: int, price: int) -> Battle:
    twin = t.clone()
    for m, path in paths:
        x, y = path[-1]
        twin.change_model(m, x=x, y=y)
    u = t.units[unit]
    twin.change(unit, moved=length, paid=u.paid + price, spent=u.spent + price, move_over=True)
    return twin
