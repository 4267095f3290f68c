"""Small positions for tests and rulings: `scene` makes a skirmish in the middle of a turn, `run` runs a procedure.

Places are in inches, as whole numbers, decimals, or text such as `"2.4"`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from caltrop.engine import HouseValue, ruleset
from caltrop.kit.scenes import finished, run
from caltrop.rules.blade_skirmish.catalogue import Length, inches
from caltrop.rules.blade_skirmish.records import Field, Fighter, Skirmish
from caltrop.rules.blade_skirmish.scenarios import TERRAIN
from caltrop.table.measured import Table, Terrain


class Put(msgspec.Struct, frozen=True, kw_only=True):
    """A fighter of a scene, made by `put`."""

    side: int
    quality: int
    x: Length
    y: Length
    fields: Mapping[str, Any]


def put(side: int, quality: int, x: Length, y: Length, **fields: Any) -> Put:
    """Return a fighter of a scene.

    Args:
        x: Distance of her centre from the west edge, in inches.
        y: Distance of her centre from the south edge, in inches.
        fields: Further fields of the fighter, such as `stunned=True` or `name="Ada"`.
    """
    return Put(side=side, quality=quality, x=x, y=y, fields=fields)


def block(id: str, x0: Length, y0: Length, x1: Length, y1: Length, kind: str = "wall") -> Terrain:
    """Return a rectangle of terrain between two corners, in inches: a `wall`, a `pit`, `rough` ground and so on."""
    a, b, c, d = inches(x0), inches(y0), inches(x1), inches(y1)
    return Terrain(id, TERRAIN[kind], ((a, b), (c, b), (c, d), (a, d)))


def scene(
    *fighters: Put,
    rules: Mapping[str, HouseValue] | None = None,
    active: int = 0,
    turns: Sequence[int] = (1, 0),
    terrain: Sequence[Terrain] = (),
    table: tuple[Length, Length] = (24, 24),
    field: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Skirmish:
    """Return a skirmish in the middle of a side's turn, with an empty stack.

    Args:
        fighters: The fighters. A fighter's id is her index.
        table: Width and height in inches.
        field: Values of the `Field` that differ from its defaults.
        fields: Further fields of the skirmish, such as `guts=[...]`.
    """
    there = Field(table=Table(inches(table[0]), inches(table[1]), tuple(terrain)), **(field or {}))
    placed = []
    for id, one in enumerate(fighters):
        usual = {"name": f"{there.names[one.side]} {id}", "fate": "ready", "at": (inches(one.x), inches(one.y))}
        placed.append(Fighter(id=id, side=one.side, quality=one.quality, **{**usual, **one.fields}))
    return Skirmish(
        book=ruleset("blade-skirmish").book(None, rules),
        field=there,
        fighters=placed,
        active=active,
        turns=list(turns),
        round=max(turns),
        **fields,
    )


done = partial(finished, Skirmish)
"""Return the skirmish after a procedure has ended. All dice of the script must have been thrown."""

__all__ = ["Put", "block", "done", "put", "run", "scene"]
