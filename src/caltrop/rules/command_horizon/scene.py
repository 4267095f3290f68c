"""Small positions for tests and rulings: `scene` makes a battle in the middle of a turn, `run` runs a procedure.

Places are in centimetres, as whole numbers, decimals, or text such as `"15.1"`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import msgspec

from caltrop.engine import HouseValue, ruleset
from caltrop.geometry import CM
from caltrop.kit.scenes import finished, run
from caltrop.rules.command_horizon.armies import plural
from caltrop.rules.command_horizon.catalogue import KINDS, full_strength, unit_kind
from caltrop.rules.command_horizon.records import Army, Battle, Disc, DroneState, Model, Objective, Point, Unit
from caltrop.table.measured.terrain import Table, Terrain

Length = int | float | str


def cm(length: Length) -> int:
    """Return a length in centimetres as whole tenths of a millimetre.

    >>> cm(15), cm("15.1"), cm(2.54)
    (1500, 1510, 254)
    """
    return int(Decimal(str(length)) * CM)


class Put(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a scene, made by `put`."""

    side: int
    kind: str
    places: tuple[tuple[Length, Length], ...]
    models: int | None
    along: str
    gap: Length
    squads: int
    teams: int
    worms: tuple[int, ...]
    glands: tuple[int, ...]
    locked: tuple[int, ...]
    deployed: bool
    fields: Mapping[str, Any]


def put(
    side: int,
    kind: str,
    *places: tuple[Length, Length],
    models: int | None = None,
    along: str = "x",
    gap: Length = "0.5",
    squads: int = 1,
    teams: int = 0,
    worms: Sequence[int] = (),
    glands: Sequence[int] = (),
    locked: Sequence[int] = (),
    deployed: bool = True,
    **fields: Any,
) -> Put:
    """Return a unit of a scene.

    Args:
        kind: Key of the unit in the catalogue, such as `medium-tank`.
        places: Places of the unit's models, in centimetres. The remaining models form a row from the last place.
        models: Number of models; by default full strength. Missing bases are missing from the last Squads.
        along: Direction of the row: `x`, `-x`, `y` or `-y`.
        gap: Gap between bases in the row, in centimetres.
        squads: Number of Squads of infantry. Several Squads form a Platoon.
        teams: Number of Heavy Weapon teams, attached one each to the first Squads. The teams follow their Squad's own
            bases.
        glands: Command points of the Node Gland on each model, in order.
        locked: Ids of the enemy units locked with the unit; the lock is set on both sides.
        fields: Further fields of the unit, such as `stuns=2`, `drone="disabled"` or `name="The Second"`.
    """
    return Put(
        side=side,
        kind=kind,
        places=places,
        models=models,
        along=along,
        gap=gap,
        squads=squads,
        teams=teams,
        worms=tuple(worms),
        glands=tuple(glands),
        locked=tuple(locked),
        deployed=deployed,
        fields=fields,
    )


def square(id: str, kind: str, x0: Length, y0: Length, x1: Length, y1: Length) -> Terrain:
    """Return a rectangle of terrain between two corners, in centimetres."""
    a, b, c, d = cm(x0), cm(y0), cm(x1), cm(y1)
    return Terrain(id, KINDS[kind], ((a, b), (c, b), (c, d), (a, d)))


def scene(
    *units: Put,
    edition: str = "current",
    rules: Mapping[str, HouseValue] | None = None,
    army: tuple[str, str] = ("alliance", "asori"),
    cp: tuple[int, int] = (10, 10),
    active: int = 0,
    step: int = 4,
    round: int = 1,
    terrain: Sequence[Terrain] = (),
    table: Point = (12_000, 12_000),
    objectives: Sequence[Objective] = (),
    **fields: Any,
) -> Battle:
    """Return a battle in the middle of side *active*'s turn, with an empty stack.

    Args:
        units: The units. A unit's id is its index.
        table: Width and height in tenths of a millimetre.
        fields: Further fields of the battle, such as `keeps_vp=False`.
    """
    t = Battle(
        book=ruleset("command-horizon").book(edition, rules),
        table=Table(*table, tuple(terrain)),
        armies=[
            Army(name=f"{race.capitalize()} {'AB'[side]}", army=race, edge=side, cp=cp[side], turns=round)
            for side, race in enumerate(army)
        ],
        units=[],
        models=[],
        objectives=list(objectives),
        active=active,
        round=round,
        step=step,
        **fields,
    )
    for one in units:
        _add(t, one, army[one.side])
    for id, one in enumerate(units):
        for enemy in one.locked:
            for a, b in ((id, enemy), (enemy, id)):
                if b not in t.units[a].locked:
                    t.change(a, locked=(*t.units[a].locked, b))
    return t


def _add(t: Battle, one: Put, race: str) -> None:
    id = len(t.units)
    kind = unit_kind(t, race, one.kind)
    squads_of: list[int] = []
    kinds: list[str] = []
    for squad in range(one.squads):
        own = kind.squad if kind.infantry else full_strength(t, kind)
        bases = [one.kind] * own + ["heavy-weapons"] * (squad < one.teams)
        kinds += bases
        squads_of += [squad] * len(bases)
    full = len(kinds)
    count = max(full, len(one.places)) if one.models is None else one.models
    while len(kinds) < count:
        kinds.append(one.kind)
        squads_of.append(squads_of[-1])
    radii = [unit_kind(t, race, k).base_radius for k in kinds]
    places = [(cm(x), cm(y)) for x, y in one.places] or [(1000, 1000 + 1000 * id)]
    dx, dy = {"x": (1, 0), "-x": (-1, 0), "y": (0, 1), "-y": (0, -1)}[one.along]
    while len(places) < count:
        go = radii[len(places) - 1] + radii[len(places)] + cm(one.gap)
        x, y = places[-1]
        places.append((x + dx * go, y + dy * go))
    ids = []
    for i in range(count):
        x, y = places[i]
        ids.append(
            t.add_model(
                Model(
                    unit=id,
                    kind=kinds[i],
                    x=x,
                    y=y,
                    r=radii[i],
                    squad=squads_of[i],
                    worms=one.worms[i] if i < len(one.worms) else 0,
                    glands=one.glands[i] if i < len(one.glands) else 0,
                )
            )
        )
    same = sum(1 for u in t.units if u.side == one.side and u.kind == one.kind) + 1
    drone: DroneState | None = "active" if "shield-drone" in kind.traits else None
    name = plural(kind.title, one.kind, one.squads, kind.squads) + (f" {same}" if same > 1 else "")
    fields = {
        "name": name,
        "starting": max(full, count),
        "squads": one.squads,
        "platoon": id if one.squads > 1 else -1,
        "drone": drone,
        **one.fields,
    }
    t.add_unit(Unit(side=one.side, kind=one.kind, models=tuple(ids), deployed=one.deployed, **fields))


def disc(t: Battle, unit: int, model: int = 0) -> Disc:
    """Return the base of a model, by its index in the unit."""
    return t.models[t.units[unit].models[model]].disc


done = partial(finished, Battle)
"""Return the battle after a procedure has ended. All dice of the script must have been thrown."""

__all__ = ["Put", "cm", "disc", "done", "put", "run", "scene", "square"]
