"""Small positions for tests and rulings: `scene` makes a firefight in the middle of a turn, `run` runs a procedure.

Places are in inches, as whole numbers, decimals, or text such as `"2.4"`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from caltrop.engine import FaceDown, HouseValue, ruleset
from caltrop.geometry import Point
from caltrop.kit.scenes import finished, run
from caltrop.rules.squad_action.catalogue import KINDS, SUPPLIED, inches
from caltrop.rules.squad_action.records import Field, Firefight, Model, Unit
from caltrop.table.measured import Table, Terrain

Length = int | float | str


class Put(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a scene, made by `squad` or `machine`."""

    side: int
    row: str
    places: tuple[Point, ...]
    weapons: tuple[tuple[str, ...], ...]
    heading: Point = (0, 1)
    officer: bool = False
    spotter: bool = False
    fields: Mapping[str, Any]


def at(x: Length, y: Length) -> Point:
    return inches(x), inches(y)


def row(places: Sequence[Point], models: int, along: Point, step: int) -> tuple[Point, ...]:
    """Return the places of models: the given places, then a row from the last of them.

    Args:
        places: Places of the first models.
        along: Direction of the row: (1, 0), (-1, 0), (0, 1) or (0, -1).
        step: Distance between neighbours, in tenths of a millimetre.
    """
    x, y = places[-1]
    more = [(x + along[0] * step * n, y + along[1] * step * n) for n in range(1, models - len(places) + 1)]
    return (*places[:models], *more)


def squad(
    side: int,
    row: str,
    x: Length,
    y: Length,
    models: int = 8,
    *,
    weapons: Sequence[str] = (),
    gap: Length = 1,
    rank: int = 10,
    officer: bool = False,
    spotter: bool = False,
    **fields: Any,
) -> Put:
    """Return a squad on foot, in ranks that run to the east.

    Args:
        row: Profile of the squad, such as `regular`.
        x: Distance of the first model's centre from the west edge, in inches.
        y: Distance of the first model's centre from the south edge, in inches.
        weapons: Weapons besides a rifle, one for each of the first models.
        gap: Distance between the centres of neighbours, in inches.
        rank: Number of models in a rank; the next rank is behind it, to the south.
        fields: Further fields of the unit, such as `pinned=True` or `starting=8`.
    """
    step = inches(gap)
    places = tuple([(inches(x) + step * (n % rank), inches(y) - step * (n // rank)) for n in range(models)])
    arms = tuple([(weapons[n],) if n < len(weapons) else ("rifle",) for n in range(models)])
    return Put(side=side, row=row, places=places, weapons=arms, officer=officer, spotter=spotter, fields=fields)


def machine(side: int, row: str, x: Length, y: Length, heading: Point = (0, 1), **fields: Any) -> Put:
    """Return a vehicle, walker or flyer.

    Args:
        row: Row of the machine in the lists, such as `apc`.
        x: Distance of the machine's centre from the west edge, in inches.
        y: Distance of the machine's centre from the south edge, in inches.
        fields: Further fields of the unit, such as `travelled=inches(11)`.
    """
    return Put(
        side=side,
        row=row,
        places=(at(x, y),),
        weapons=(SUPPLIED.vehicles[row].weapons,),
        heading=heading,
        fields=fields,
    )


def block(id: str, kind: str, x0: Length, y0: Length, x1: Length, y1: Length) -> Terrain:
    """Return a rectangle of terrain between two corners, in inches. Kinds of blocks are `woods`, `ruins`, `wall` and
    others.
    """
    a, b, c, d = inches(x0), inches(y0), inches(x1), inches(y1)
    return Terrain(id, KINDS[kind], ((a, b), (c, b), (c, d), (a, d)))


def scene(
    *units: Put,
    rules: Mapping[str, HouseValue] | None = None,
    active: int = 0,
    round: int = 1,
    terrain: Sequence[Terrain] = (),
    table: tuple[Length, Length] = (48, 48),
    field: Mapping[str, Any] | None = None,
    tokens: Mapping[int, Sequence[str]] | None = None,
    **fields: Any,
) -> Firefight:
    """Return a firefight in the middle of a side's turn, with an empty stack.

    Args:
        units: The units. A unit's id is its index; models are numbered in the order of their units.
        table: Width and height in inches.
        field: Values of the `Field` that differ from its defaults.
        tokens: Faces of the face-down tokens of units on overwatch, by unit.
        fields: Further fields of the firefight, such as `smoke=[2, 0]`.
    """
    there = Field(table=Table(inches(table[0]), inches(table[1]), tuple(terrain)), **(field or {}))
    made: list[Unit] = []
    models: list[Model] = []
    for id, one in enumerate(units):
        vehicle = SUPPLIED.vehicles.get(one.row)
        own: list[int] = []
        for n, (place, weapons) in enumerate(zip(one.places, one.weapons, strict=True)):
            own.append(len(models))
            models.append(
                Model(
                    id=len(models),
                    unit=id,
                    at=place,
                    heading=one.heading,
                    weapons=weapons,
                    officer=one.officer and n == 0,
                    spotter=one.spotter and n == 0,
                )
            )
        given = {
            "name": f"{there.names[one.side]} {id}",
            "kind": vehicle.kind if vehicle else "infantry",
            "starting": len(own),
            "where": "table",
            "watching": id + 1 if id in (tokens or {}) else 0,
            **one.fields,
        }
        profile = SUPPLIED.profiles.get(one.row)
        traits = (*(profile.traits if profile else ()), *given.pop("traits", ()))
        made.append(Unit(id=id, side=one.side, row=one.row, models=tuple(own), traits=traits, **given))
        if given["where"] != "table":
            for m in own:
                models[m] = msgspec.structs.replace(models[m], at=None)
    t = Firefight(
        book=ruleset("squad-action").book(None, rules),
        field=there,
        units=made,
        models=models,
        active=active,
        round=round,
        watches=len(made),
        tokens={id: FaceDown(made[id].side, tuple(faces)) for id, faces in (tokens or {}).items()},
        **fields,
    )
    t.awaken()
    return t


done = partial(finished, Firefight)
"""Return the firefight after a procedure has ended. All dice of the script must have been thrown."""

__all__ = ["Length", "Put", "at", "block", "done", "machine", "row", "run", "scene", "squad"]
