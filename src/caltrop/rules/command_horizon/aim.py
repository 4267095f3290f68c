"""The models of a unit that fire at an enemy: sight, range, and the enemy's cover (CH-FIRE, CH-LOS)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from caltrop.engine import Book, rule
from caltrop.engine.rule import HasBook
from caltrop.geometry import CM, gap_within
from caltrop.rules.command_horizon.catalogue import UnitKind, unit_kind
from caltrop.rules.command_horizon.places import discs_within, unit_sight
from caltrop.rules.command_horizon.putredine import is_disabled
from caltrop.rules.command_horizon.records import Battle
from caltrop.table.measured.sight import Sight


def model_kind(t: Battle, model: int) -> UnitKind:
    m = t.models[model]
    return unit_kind(t, t.armies[t.units[m.unit].side].army, m.kind)


@lru_cache(maxsize=64)
def _traits(edition: str, army: str, kind: str) -> tuple[str, ...]:
    return _traits_of(Book("", edition), army, kind)


def _traits_of(b: HasBook, army: str, kind: str) -> tuple[str, ...]:
    row = unit_kind(b, army, kind)
    return (*row.traits, row.unit_class, army)


def traits_of(t: Battle, unit: int, *rest: Any) -> tuple[str, ...]:
    """Return the traits that count for amendments about a unit: traits of the unit, of its class and of its army."""
    u = t.units[unit]
    army = t.armies[u.side].army
    return _traits(t.book.edition, army, u.kind) if t.book.pack is None else _traits_of(t, army, u.kind)


def is_artillery(t: Battle, unit: int) -> bool:
    return t.units[unit].kind == "artillery"


class FireAim(msgspec.Struct, frozen=True):
    """The fire that a unit, or some of its Squads, can direct at a target from where they stand."""

    models: tuple[int, ...]
    in_range: bool
    seen: bool
    cover: int
    """Cover bonuses of the target, unless the attacker aims only at exposed models."""
    exposed: tuple[int, ...]
    """Models of the target that are neither obstructed nor in cover."""
    obstructed: int = 0
    """Number of cover bonuses that give infantry only one die (`obstruction_bonuses`)."""


@rule("CH-LOS-02", "Q-LOS-1", "Q-LOS-2", "CH-TERRAIN-01", "CH-TERRAIN-02", stages=("share", "stack"))
def cover_bonuses(t: Battle, view: Sight) -> int:
    """A target has one cover bonus if half or more of its models are obstructed or in cover."""
    hindered = len(view.targets) - view.exposed
    return 1 if 2 * hindered >= len(view.targets) else 0


@cover_bonuses.amended_by("Q-LOS-1", stage="share", house={"los.obstruction": "area"})
def half_of_all_lines_counts(bonuses: int, t: Battle, view: Sight) -> int:
    """House rule: a target has the bonus if half or more of all lines are cut, cross woods, or lead into cover."""
    return 1 if 2 * view.lines_hindered >= view.lines else 0


@cover_bonuses.amended_by("Q-LOS-2", stage="stack", house={"cover.stack": "yes"})
def cover_and_obstruction_add_up(bonuses: int, t: Battle, view: Sight) -> int:
    """House rule: cover and obstruction each give a bonus if half or more of the models have it."""
    models = len(view.targets)
    if t.book.rules["los.obstruction"] == "area":
        obstructed = 2 * view.lines_crossed >= view.lines
    else:
        obstructed = 2 * view.obstructed >= models
    return max(bonuses, int(obstructed) + int(2 * view.in_cover >= models))


@rule("CH-LOS-02", "Q-LOS-9", stages=("house",))
def obstruction_bonuses(t: Battle, view: Sight, bonuses: int) -> int:
    """All cover bonuses count in full for infantry, even if they come from obstruction."""
    return 0


@obstruction_bonuses.amended_by("Q-LOS-9", stage="house", house={"obstructed.infantry": "one"})
def an_obstructed_squad_has_one_die(value: int, t: Battle, view: Sight, bonuses: int) -> int:
    """House rule: a bonus gives infantry only one die, unless half or more of its models are in cover."""
    return bonuses - min(bonuses, int(2 * view.in_cover >= len(view.targets)))


@rule("CH-LOS-04", "Q-LOS-8")
def those_who_fire(t: Battle, models: Sequence[int], view: Sight) -> tuple[int, ...]:
    """Models that see no target model hold their fire if they are half or more of the unit; otherwise all fire."""
    if 2 * view.blind < len(models):
        return tuple(models)
    return tuple([m for m, sees_any in zip(models, view.viewers, strict=True) if sees_any])


@rule(
    "CH-FIRE-02",
    "CH-FIRE-07",
    "CH-INFMOVE-05",
    "CH-INFMOVE-06",
    "CH-ART-01",
    "Q-RANGE-1",
    "Q-INF-2",
    "Q-INF-3",
    stages=("by",),
)
def models_in_range(t: Battle, models: Sequence[int], target: int) -> tuple[int, ...]:
    """Range is measured for each kind of model, from its nearest model to the target's nearest model.

    If that is in range, all models of the kind fire.
    """
    enemy = t.discs(target)
    by_kind: dict[str, list[int]] = {}
    for m in models:
        by_kind.setdefault(t.models[m].kind, []).append(m)
    in_range: list[int] = []
    for own in by_kind.values():
        kind = model_kind(t, own[0])
        reach = kind.number("range_cm") * CM
        discs = [t.models[m].disc for m in own]
        if reach and discs_within(discs, enemy, reach):
            least = kind.number("min_range_cm") * CM
            if not least or not discs_within(discs, enemy, least):
                in_range.extend(own)
    return tuple(in_range)


@models_in_range.amended_by("Q-RANGE-1", stage="by", house={"range.by": "model"})
def each_model_measures_for_itself(
    value: tuple[int, ...], t: Battle, models: Sequence[int], target: int
) -> tuple[int, ...]:
    enemy = t.discs(target)
    able: list[int] = []
    for m in models:
        kind = model_kind(t, m)
        reach, least = kind.number("range_cm") * CM, kind.number("min_range_cm") * CM
        own = t.models[m].disc
        reaches = reach > 0 and any(gap_within(own, e, reach) for e in enemy)
        if reaches and not (least and any(gap_within(own, e, least) for e in enemy)):
            able.append(m)
    return tuple(able)


def can_fire(t: Battle, model: int) -> bool:
    """Return whether a model can shoot: it has Attack Dice, and Worm Tokens have not disabled it (CH-WORM-06)."""
    m = t.models[model]
    kind = unit_kind(t, t.armies[t.units[m.unit].side].army, m.kind)
    return kind.dice > 0 and not (m.worms and is_disabled(t, kind, m.worms))


@rule("CH-LOS-01", "CH-BLOCK-01", "CH-BLOCK-03", "CH-CC-08", "CH-PUTINF-05", "Q-LOS-3", "Q-LOS-4", "Q-LOS-6", "Q-LOS-7")
def line_of_fire(t: Battle, unit: int, target: int, models: tuple[int, ...]) -> Sight:
    """Sight is drawn from model to model. Other units block sight and fire, except Putredine infantry."""
    return unit_sight(t, unit, target, viewers=models)


@rule("CH-ART-02", "CH-ART-03", "CH-CC-11", "Q-ART-6", "Q-ART-7")
def seen_for_artillery(t: Battle, sighter: int, target: int) -> Sight:
    """Artillery fires at a target that a friendly unit sees; nothing blocks its own fire."""
    return unit_sight(t, sighter, target, for_fire=False)


def with_dice(t: Battle, unit: int, squads: tuple[int, ...] = ()) -> list[int]:
    """Return the models of a unit, or of some of its Squads, that can fire."""
    return [m for m in t.units[unit].models if (not squads or t.models[m].squad in squads) and can_fire(t, m)]


def shooters(t: Battle, unit: int, squads: tuple[int, ...] = ()) -> list[int]:
    """Return the models from which range is measured: those with weapons, in a unit or in some of its Squads."""
    return [
        m for m in t.units[unit].models if (not squads or t.models[m].squad in squads) and model_kind(t, m).range_cm
    ]


def aim(t: Battle, unit: int, target: int, *, squads: tuple[int, ...] = (), sighter: int = -1) -> FireAim:
    """Return how a unit can fire at a target. The result is cached until a model changes."""
    cache: dict[Any, FireAim] = t.book.scratch.setdefault("aims", {})
    key = (t.stamp, unit, target, squads, sighter)
    aim = cache.get(key)
    if aim is None:
        if len(cache) > 20_000:
            cache.clear()
        aim = cache[key] = _aim(t, unit, target, squads, sighter)
    return aim


_NOTHING = FireAim((), False, False, 0, ())


def _aim(t: Battle, unit: int, target: int, squads: tuple[int, ...], sighter: int) -> FireAim:
    near = models_in_range(t, shooters(t, unit, squads), target)
    if not near:
        return _NOTHING
    able = [m for m in near if can_fire(t, m)]
    if not able:
        return FireAim((), True, False, 0, ())
    if sighter < 0:
        view = line_of_fire(t, unit, target, tuple(able))
        firing = those_who_fire(t, able, view) if view.seen else ()
    else:
        view = seen_for_artillery(t, sighter, target)
        firing = tuple(able) if view.seen else ()
    exposed = tuple([m for m, s in zip(t.units[target].models, view.targets, strict=True) if s.exposed])
    cover = cover_bonuses(t, view)
    return FireAim(firing, True, view.seen, cover, exposed, obstruction_bonuses(t, view, cover))
