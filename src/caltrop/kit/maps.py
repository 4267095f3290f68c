"""Support for authors of tables: kinds of ground from data, and layouts with their pieces written out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from caltrop.engine.parts import GroundKind
from caltrop.kit.depict import look_of
from caltrop.table.measured import Kinds, TerrainKind


def ground_kinds(
    kinds: Kinds, called: Mapping[str, TerrainKind], shelters: Collection[str] = (), walker: str = "foot"
) -> tuple[GroundKind, ...]:
    """Return the kinds of ground of a measured table for authors.

    Args:
        called: The kinds that scenarios may name, by their word in scenarios.
        shelters: Words of further kinds that shelter units, besides kinds that cut sight or give cover.
        walker: The kind of mover for which ground counts as closed.
    """
    closed = {name for name, row in kinds.rows.items() if walker in row.going and row.going[walker].closed}
    grounds = []
    for word, kind in called.items():
        title, _, words = kinds.words(kind).partition(": ")
        grounds.append(
            GroundKind(
                id=word,
                title=title,
                words=words[:1].upper() + words[1:],
                look=look_of(kind, kinds),
                closed=kind.impassable or kind.name in closed,
                cuts=kind.blocks_sight or kind.obscures,
                shelters=kind.cover or kind.blocks_sight or word in shelters,
            )
        )
    return tuple(grounds)


def written_out(layouts: Mapping[str, Sequence[msgspec.Struct]], draft: dict[str, Any]) -> dict[str, Any]:
    """Return a scenario with the pieces of a layout in place of its name."""
    named = draft.get("terrain")
    if not isinstance(named, str) or named not in layouts:
        return draft
    pieces = [
        {key: value for key, value in msgspec.to_builtins(piece).items() if value is not None and value != ()}
        for piece in layouts[named]
    ]
    return {**draft, "terrain": msgspec.json.decode(msgspec.json.encode([_short(piece) for piece in pieces]))}


def _short(value: Any) -> Any:
    """Return plain data with floats of whole value as integers."""
    if isinstance(value, dict):
        return {key: _short(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_short(inner) for inner in value]
    return int(value) if isinstance(value, float) and value == int(value) else value
