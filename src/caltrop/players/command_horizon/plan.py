"""The plan of a movement step: an act for each unit, with the greatest total value for the command points.

For every unit some acts are evaluated with their prices: stand and fire, boosted or not; move and fire; charge; attach
to vehicles. Then the affordable acts with the greatest sum of values are
chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt
from typing import NamedTuple

from caltrop.asking import Choices
from caltrop.engine import total
from caltrop.geometry import CM, CONTACT, Disc, Point, distance_sq, gap_within, overlapping, point_along, touching
from caltrop.players.command_horizon.outlook import GRAIN, Enemy, SideOutlook, middle_of, moved_copy, spread_of
from caltrop.players.command_horizon.weights import VETERAN, Weights
from caltrop.players.command_horizon.worth import damage_of
from caltrop.rules.command_horizon.charge import Charge, may_be_charged_by
from caltrop.rules.command_horizon.limits import Paths, longest, why_still
from caltrop.rules.command_horizon.reach import (
    bands,
    charge_bands,
    is_infantry,
    is_putredine,
    kind_of,
    may_fire_after,
    price_of_shot,
)
from caltrop.rules.command_horizon.reaction import may_react, reaction_of
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.routes import Routes
from caltrop.rules.command_horizon.shooting import FIRES, attack_with
from caltrop.table.measured import contact_places, way

RESERVE = (75, 55, 35, 20, 8, 8, 5, 5)
"""Worth of the first, second, … point saved for the enemy's turn."""


class UnitChoice(NamedTuple):
    """A possible turn of a unit."""

    value: int
    price: int
    """Price in command points, including the shot."""
    paths: Paths
    charge: Charge | None
    fires: bool
    goal: Point | None
    """Destination of the unit's middle, from which another path can be found."""
    reach: int = 0


def plan(outlook: SideOutlook, units: Sequence[int], nodes: int, ghosts: Sequence[int] = ()) -> dict[int, UnitChoice]:
    """Return a choice for each of *units*.

    Args:
        outlook: The battle as the side sees it.
        nodes: Number of places to evaluate on a copy of the battle, for each reach of a unit.
        ghosts: Friends that are not treated as obstacles, because they will move too.
    """
    t = outlook.t
    cp = t.armies[outlook.side].cp
    every = {u: choices(outlook, u, nodes, ghosts) for u in units}
    return share_out(every, cp, outlook.weights.reserve)


def share_out(every: dict[int, list[UnitChoice]], cp: int, reserve: int = 100) -> dict[int, UnitChoice]:
    """Return a choice for each unit with the greatest sum of values that *cp* points can pay for, savings included."""
    # `best[spent]` is the greatest sum of values for exactly *spent* points, with the choices.
    best: list[tuple[int, tuple[UnitChoice, ...]] | None] = [None] * (cp + 1)
    best[0] = (0, ())
    for some in every.values():
        after: list[tuple[int, tuple[UnitChoice, ...]] | None] = [None] * (cp + 1)
        for spent, combination in enumerate(best):
            if combination is None:
                continue
            for choice in some:
                at = spent + choice.price
                if at <= cp:
                    value = combination[0] + choice.value
                    here = after[at]
                    if here is None or value > here[0]:
                        after[at] = (value, (*combination[1], choice))
        best = after
    top: tuple[int, tuple[UnitChoice, ...]] | None = None
    for spent, combination in enumerate(best):
        if combination is not None:
            value = combination[0] + sum(RESERVE[: cp - spent]) * reserve // 100
            if top is None or value > top[0]:
                top = (value, combination[1])
    assert top is not None
    return dict(zip(every, top[1], strict=True))


def choices(outlook: SideOutlook, unit: int, nodes: int, ghosts: Sequence[int] = ()) -> list[UnitChoice]:
    """Return possible turns of a unit, the best for each price. The first choice costs nothing and changes nothing."""
    t = outlook.t
    best: dict[int, UnitChoice] = {}

    def keep(choice: UnitChoice) -> None:
        slip = outlook.judgement.slip(GRAIN, unit, t.round, choice.goal, choice.fires, choice.charge is None)
        if slip:
            choice = choice._replace(value=choice.value + slip)
        here = best.get(choice.price)
        if here is None or choice.value > here.value:
            best[choice.price] = choice

    here = outlook.judge(t, unit)
    keep(UnitChoice(here.rest, 0, (), None, False, None))
    fires = FIRES.may(t, unit=unit) and here.shot > 0
    if fires:
        price = total(price_of_shot(t, unit))
        keep(UnitChoice(here.rest + here.shot, price, (), None, True, None))
        still = not t.units[unit].stuns and not t.units[unit].moved
        boosted = outlook.net_shot(t, unit, here.target, 1) if still else None
        if boosted is not None and boosted > here.shot:
            keep(UnitChoice(here.rest + boosted, price + 1, (), None, True, None))
    if why_still(t, outlook.side, unit) is None:
        for choice in moves(outlook, unit, nodes, ghosts):
            keep(choice)
        if is_infantry(t, unit):
            for choice in charges(outlook, unit):
                keep(choice)
            if is_putredine(t, unit):
                for choice in swarms(outlook, unit):
                    keep(choice)
    chosen: list[UnitChoice] = []
    for price in sorted(best):
        if not chosen or best[price].value > chosen[-1].value:
            chosen.append(best[price])
    return chosen


# --- moves ----------------------------------------------------------------------------------------------------------

_RING = ((0, 1000), (707, 707), (1000, 0), (707, -707), (0, -1000), (-707, -707), (-1000, 0), (-707, 707))


def _wishes(outlook: SideOutlook, unit: int, at: Point, spread: int, reach: int) -> Iterator[Point]:
    t = outlook.t
    kind = kind_of(t, unit)
    task = outlook.tasks.get(unit)
    if task is not None:
        o = t.objectives[task.objective]
        yield (o.x, o.y)
    near = sorted(outlook.enemies, key=lambda e: (distance_sq(e.at, at), e.unit))[:4]
    for e in near:
        away = isqrt(distance_sq(e.at, at))
        if away == 0:
            continue
        if kind.range_cm:
            stand = kind.range + (e.spread + spread) * 3 // 4 - 2 * CM
            yield point_along(e.at, (at[0] - e.at[0], at[1] - e.at[1]), stand)
            if stand > 25 * CM:
                yield point_along(e.at, (at[0] - e.at[0], at[1] - e.at[1]), stand - 8 * CM)
        elif kind.aura_cm:
            yield point_along(e.at, (at[0] - e.at[0], at[1] - e.at[1]), 12 * CM)
        else:
            yield point_along(e.at, (at[0] - e.at[0], at[1] - e.at[1]), 8 * CM)
    yield outlook.focus
    if t.breakthrough:
        _, y0, _, y1 = outlook.zone
        yield (at[0], (y0 + y1) // 2)
    for piece in t.table.terrain:
        if piece.kind.cover:
            xs, ys = [p[0] for p in piece.polygon], [p[1] for p in piece.polygon]
            centre = (sum(xs) // len(xs), sum(ys) // len(ys))
            if distance_sq(centre, at) <= (reach + 8 * CM) ** 2:
                yield centre
    for dx, dy in _RING:
        yield (at[0] + dx * reach // 1000, at[1] + dy * reach // 1000)
        if reach <= 10 * CM:
            yield (at[0] + dx * reach // 2000, at[1] + dy * reach // 2000)


def moves(outlook: SideOutlook, unit: int, nodes: int, ghosts: Sequence[int] = ()) -> Iterator[UnitChoice]:
    """Yield promising moves of a unit with their values.

    Args:
        ghosts: Friends that are not treated as obstacles, because they will have moved.
    """
    t = outlook.t
    routes = Routes(t, unit)
    if not routes.top:
        return
    everybody = routes.others
    others = [s for s in everybody if s.unit not in ghosts]
    discs = routes.discs
    at = middle_of(discs)
    spread = spread_of(discs, at)
    affordable = [(reach, total(price)) for reach, price in routes.bands if total(price) <= routes.cp]
    if len(affordable) > 3:
        affordable = affordable[:3]
    least = 0
    for band, (reach, _) in enumerate(affordable):
        # Friends make way for a short move, and a long move passes them.
        routes.others = everybody if band else others
        sketches: list[tuple[int, int, Point]] = []
        for n, wish in enumerate(_wishes(outlook, unit, at, spread, reach)):
            away = isqrt(distance_sq(wish, at))
            if away < 40 or (band and away <= least):
                continue
            if away > reach - 4:
                wish = point_along(at, (wish[0] - at[0], wish[1] - at[1]), reach - 4)
            if not (spread <= wish[0] <= t.table.width - spread or abs(wish[0] - at[0]) < CM):
                wish = (min(max(wish[0], spread), t.table.width - spread), wish[1])
            sketches.append((-outlook.sketch(unit, wish, spread), n, wish))
        sketches.sort()
        tried: list[Point] = []
        judged = 0
        detours = 1
        for _, _, wish in sketches:
            if judged >= nodes or len(tried) >= 3 * nodes:
                break
            if any(distance_sq(wish, p) < (2 * CM) ** 2 for p in tried):
                continue
            tried.append(wish)
            paths = straight(routes, at, wish, reach)
            if paths is None and detours:
                detours -= 1
                paths = routes.marched(wish, reach)
            if paths is None:
                continue
            length = longest(paths)
            price = total(routes.price(paths, length))
            if price > routes.cp:
                continue
            judged += 1
            twin = moved_copy(t, unit, paths, length, price)
            opinion = outlook.judge(twin, unit)
            value = opinion.rest
            if kind_of(t, unit).spawn_dice and length >= 5 * CM:
                value += outlook.weights.spawned * len(discs)
            yield UnitChoice(value, price, paths, None, False, wish, reach)
            if opinion.shot > 0 and FIRES.may(t, unit=unit) and may_fire_after(t, unit, length):
                price += total(price_of_shot(twin, unit))
                yield UnitChoice(value + opinion.shot, price, paths, None, True, wish, reach)
        least = reach


def path_to(routes: Routes, at: Point, wish: Point, reach: int) -> Paths | None:
    """Return a legal path for the middle of a unit towards a place: straight if possible, or around obstacles."""
    paths = straight(routes, at, wish, reach)
    return routes.marched(wish, reach) if paths is None else paths


def straight(routes: Routes, at: Point, wish: Point, reach: int) -> Paths | None:
    """Return the whole unit's straight move towards a place; None if it is illegal."""
    dx, dy = wish[0] - at[0], wish[1] - at[1]
    away = isqrt(dx * dx + dy * dy)
    if away == 0:
        return None
    paths = routes.shifted((dx, dy), min(away, reach))
    return paths if routes.legal(paths) else None


# --- charges --------------------------------------------------------------------------------------------------------


def charges(outlook: SideOutlook, unit: int) -> Iterator[UnitChoice]:
    """Yield charges of an infantry unit, with values by the exact odds of both sides."""
    t, side = outlook.t, outlook.side
    at = middle_of(t.discs(unit))
    cp = t.armies[side].cp
    for e in outlook.enemies:
        if not may_be_charged_by(t, unit, e.unit) or distance_sq(e.at, at) > (40 * CM) ** 2:
            continue
        value = worth_of_charge(t, unit, e.unit, outlook.weights)
        for reach, price in charge_bands(t, unit):
            if total(price) > cp:
                break
            action = Charge(unit, e.unit, reach)
            if action.may(Choices(t, side)):
                spread = spread_of(t.discs(unit), at)
                yield UnitChoice(
                    value + outlook.prospects(unit, e.at, spread), total(price), (), action, False, e.at, reach
                )
                break


def worth_of_charge(t: Battle, unit: int, enemy: int, weights: Weights = VETERAN) -> int:
    """Return the average gain of a charge: its first round and part of the next, less reaction fire and attacks."""
    models = t.units[unit].models
    blow = damage_of(t, attack_with(t, unit, enemy, "charge", models), enemy, weights)
    back = 0
    share = 100
    if may_react(t, enemy, unit, against_charge=True):
        fire = damage_of(t, reaction_of(t, enemy, unit, against_charge=True), unit, weights)
        back = fire.harm
        share = max(10, 100 - fire.kills // max(1, len(models)))
    gain = blow.harm * share // 100
    if not is_infantry(t, enemy):
        return gain - back
    theirs = damage_of(t, attack_with(t, enemy, unit, "close-combat", t.units[enemy].models), unit, weights)
    later = damage_of(t, attack_with(t, unit, enemy, "close-combat", models), enemy, weights)
    left = max(0, 100 - blow.kills // max(1, len(t.units[enemy].models)))
    follow = (later.harm - theirs.harm) * left // 100
    return gain - back - theirs.harm + follow * 6 // 10


# --- Putredine infantry and vehicles --------------------------------------------------------------------------------


def swarms(outlook: SideOutlook, unit: int) -> Iterator[UnitChoice]:
    """Yield moves that bring bases into contact with enemy vehicles."""
    t = outlook.t
    routes = Routes(t, unit)
    at = middle_of(routes.discs)
    spread = spread_of(routes.discs, at)
    near = sorted([e for e in outlook.enemies if not e.infantry], key=lambda e: (distance_sq(e.at, at), e.unit))[:3]
    done = 0
    for reach, price in routes.bands:
        if total(price) > routes.cp:
            break
        for e in near:
            if distance_sq(e.at, at) > (reach + e.spread + spread) ** 2:
                continue
            paths, count = swarm(t, routes, e, reach)
            if paths is not None and count > done:
                done = max(done, count)
                left = len(routes.ids) - count
                value = outlook.weights.attached * count + outlook.prospects(unit, e.at, spread) * left // len(
                    routes.ids
                )
                yield UnitChoice(value, total(price), paths, None, False, e.at, reach)


def swarm(t: Battle, routes: Routes, e: Enemy, reach: int) -> tuple[Paths | None, int]:
    """Return paths that bring as many bases as possible into contact with an enemy unit, the others close behind."""
    theirs = t.discs(e.unit)
    others = [disc for s in routes.others for disc in s.discs]
    foes = [d for s in routes.others if s.side != routes.side and not routes.may_touch(s.unit) for d in s.discs]
    order = sorted(
        range(len(routes.discs)),
        key=lambda i: (min([distance_sq(routes.discs[i][:2], d[:2]) for d in theirs]), i),
    )
    placed: list[Disc] = []
    ways: dict[int, tuple[Point, ...]] = {}
    count = 0
    for i in order:
        x, y, r = routes.discs[i]
        end = _beside(routes, (x, y), r, theirs, [*others, *placed], foes, reach) if not routes.disabled else None
        if end is not None:
            count += 1
        elif placed:
            end = _behind((x, y), r, placed, others, foes, reach)
        if end is None:
            end = (x, y)
        if end != (x, y):
            path = way(routes.ground, (x, y), end, r, others, routes.crosses, reach)
            if path is None:
                return None, 0
            ways[routes.ids[i]] = path
        placed.append((*end, r))
    paths = tuple([(m, ways[m]) for m in routes.ids if m in ways])
    if not count or not paths or not routes.legal(paths):
        return None, 0
    return paths, count


def _beside(
    routes: Routes, at: Point, r: int, theirs: Sequence[Disc], taken: Sequence[Disc], foes: Sequence[Disc], reach: int
) -> Point | None:
    for disc in sorted(theirs, key=lambda d: (distance_sq(d[:2], at), d)):
        if distance_sq(disc[:2], at) > (reach + r + disc[2]) ** 2:
            break
        near = [d for d in taken if distance_sq(d[:2], disc[:2]) <= (d[2] + disc[2] + 2 * r + CM) ** 2]
        for place in contact_places(routes.ground, disc, r, at, near)[:4]:
            here = (*place, r)
            if (
                distance_sq(place, at) <= (reach - 2) ** 2
                and not any(gap_within(here, d, CONTACT) for d in foes)
                and any(touching(here, d) for d in theirs)
            ):
                return place
    return None


def _behind(
    at: Point, r: int, placed: Sequence[Disc], others: Sequence[Disc], foes: Sequence[Disc], reach: int
) -> Point | None:
    """Return a free place in coherency with bases that are already placed; None if no place is free."""
    best: tuple[int, Point] | None = None
    for a, b, s in placed:
        for dx, dy in _RING:
            p = point_along((a, b), (dx, dy), s + r + 60)
            away = distance_sq(p, at)
            disc = (*p, r)
            if (
                away <= (reach - 2) ** 2
                and (best is None or away < best[0])
                and not any(overlapping(disc, d) for d in placed)
                and not any(overlapping(disc, d) for d in others)
                and not any(gap_within(disc, d, CONTACT) for d in foes)
            ):
                best = (away, p)
    return None if best is None else best[1]


def movers(t: Battle, side: int) -> list[int]:
    units = []
    for u in t.in_play(side):
        if t.units[u].locked:
            continue
        if (why_still(t, side, u) is None and bands(t, u)) or FIRES.may(t, unit=u):
            units.append(u)
    return units
