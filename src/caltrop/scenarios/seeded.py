"""Make random tables from a seed: ground of a game's kinds is placed at random until the table is fair.

The goals, the zones and everything else come from one of the game's scenarios.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from math import cos, hypot, pi, sin
from typing import Any, NamedTuple

from caltrop.chance import Seeded
from caltrop.engine import Ruleset
from caltrop.engine.parts import Files, Lot, Maps
from caltrop.errors import InputError
from caltrop.scenarios.drafts import laid, maps_of, shipped_draft
from caltrop.scenarios.fairness import unfair
from caltrop.scenarios.forms import MARK, Schema, node_for, parts_of, put_at, schema_of
from caltrop.scenarios.symmetry import SYMMETRIES, Symmetry, TableSymmetry, flip_of, size_of, symmetric, tidy

TRIES = 100
"""Largest number of tables tried for a seed."""

PLACES = 30
"""Largest number of places tried for a piece."""


class _Laid(NamedTuple):
    """A piece on the table, as a circle around it."""

    x: float
    y: float
    r: float


def drawn_table(
    name: str, seed: str, symmetry: Symmetry = "rotate", size: tuple[int, int] | None = None
) -> dict[str, Any]:
    """Return a fair random table; the same seed gives the same table on every machine.

    Raises InputError for a game or a symmetry that does not exist, a size that the game does not support, and a seed
    that gives no fair table.

    Args:
        symmetry: Way to make the second half: turn or mirror the first half, or make it random too.
        size: Width and height in the game's own measure, or rows and columns; the usual size by default.
    """
    rules, maps, files = maps_of(name)
    if symmetry not in SYMMETRIES:
        raise InputError(f"there is no symmetry {symmetry!r}; it is one of {', '.join(SYMMETRIES)}", field="symmetry")
    dice = Seeded(f"table {name} {seed} {symmetry}" + (f" {size[0]}x{size[1]}" if size else ""))
    base = shipped_draft(name, maps.bases[dice.below(len(maps.bases))])
    schema = schema_of(files.form)
    if size is not None:
        base = resized(maps, schema, base, size)
    base = {
        **base,
        "id": f"drawn-{_slug(seed)}",
        "title": f"{base['title'][:24]} on a drawn table",
        "words": f"The battle of {base['title']} on ground that was drawn from the seed {seed}.",
    }
    base = symmetric(name, _cleared(schema, base), symmetry)
    try:
        laid(rules, base)
    except InputError as error:  # The game does not support this size.
        raise InputError(error.message, field=error.field) from None
    for _ in range(TRIES):
        draft = _laid_by_chance(rules, maps, files, schema, base, symmetry, dice)
        try:
            picture = laid(rules, draft)
        except InputError:
            continue
        if not unfair(maps, picture):
            return draft
    raise InputError(f"no fair table was found for the seed {seed!r} and this size; try another seed", field="seed")


def _slug(seed: str) -> str:
    return "".join([letter if letter.isalnum() else "-" for letter in str(seed).lower()])[:30] or "seed"


def _cleared(schema: Schema, draft: dict[str, Any]) -> dict[str, Any]:
    return {**draft, **{key: empty for key, _, empty in _lists_of_ground(schema)}}


def _lists_of_ground(schema: Schema) -> list[tuple[str, Schema, Any]]:
    lists: list[tuple[str, Schema, Any]] = []
    for key, node in node_for(schema, schema, {}).get("properties", {}).items():
        empties: tuple[Any, ...] = ([], {})
        for empty in empties:
            at = node_for(schema, node, empty)
            shape = "array" if isinstance(empty, list) else "object"
            if at.get(MARK) == "pieces" and at.get("type") == shape and is_ground(schema, node, empty):
                lists.append((key, at, empty))
    return lists


def is_ground(schema: Schema, node: Schema, value: Any) -> bool:
    """Return whether a list of pieces (or hexes by kind) is ground, and not a list of goals."""
    at = node_for(schema, node, value)
    if isinstance(value, dict):
        return True
    item = at.get("items", {})
    item = node_for(schema, item, {} if "$ref" in item else [])
    return item.get(MARK) == "disc" or any(one.get(MARK) == "ground" for one in item.get("properties", {}).values())


def resized(maps: Maps, schema: Schema, draft: dict[str, Any], size: tuple[int, int]) -> dict[str, Any]:
    """Return a draft on a table of another size: places are scaled, and distances from an edge are unchanged.

    Args:
        maps: The game's support for authors.
    """
    old = size_of(schema, draft)
    root = node_for(schema, schema, draft)
    (key,) = [key for key, node in root["properties"].items() if node.get(MARK) == "size"]
    result = copy.deepcopy(draft)
    result[key] = list(size)

    def scaled(at: Sequence[Any]) -> list[Any]:
        return [_proportion(one, was, now) for one, was, now in zip(at, old, size, strict=True)]

    def kept(depth: Any) -> Any:
        return depth if 2 * depth <= old[1] else tidy(size[1] - (old[1] - depth))

    for part in parts_of(schema, draft):
        value = part.value
        if part.role in ("place", "disc") and value is not None:
            put_at(result, part.path, [*scaled(value[:2]), *value[2:]])
        elif part.role == "box":
            put_at(result, part.path, [*scaled(value[:2]), *scaled(value[2:])])
        elif part.role == "rows":
            put_at(result, part.path, [kept(value[0]), kept(value[1])])
        elif part.role in ("hexes", "hex") and value and maps.hexes is not None:
            put_at(result, part.path, maps.hexes.resized(value, old, size))
    return result


def _proportion(value: Any, old: Any, new: Any) -> Any:
    scaled = value * new / old
    return round(scaled) if isinstance(value, int) and isinstance(old, int) else tidy(round(2 * scaled) / 2)


# --- laying -----------------------------------------------------------------------------------------------------------


def _laid_by_chance(
    rules: Ruleset, maps: Maps, files: Files, schema: Schema, base: dict[str, Any], symmetry: Symmetry, dice: Seeded
) -> dict[str, Any]:
    draft = copy.deepcopy(base)
    for key, node, _ in _lists_of_ground(schema):
        if maps.hexes is not None:
            size, share = _size_and_share(maps, schema, draft)
            lots = [(lot, _times(lot, symmetry, share, dice)) for lot in maps.lots]
            flip = None if symmetry == "none" else flip_of(maps, symmetry)
            draft[key] = maps.hexes.by_chance(lots, size, flip, dice)
        else:
            draft[key] = _pieces_by_chance(maps, schema, node["items"], draft, symmetry, dice)
    return symmetric(rules.name, draft, symmetry)


def _size_and_share(maps: Maps, schema: Schema, draft: dict[str, Any]) -> tuple[tuple[Any, Any], float]:
    """Return the size of a draft's table, and its area relative to the usual size, within limits."""
    size, usual = size_of(schema, draft), size_of(schema, shipped_draft(draft["ruleset"], maps.bases[0]))
    return size, min(max(size[0] * size[1] / (usual[0] * usual[1]), 0.25), 4.0)


def _times(lot: Lot, symmetry: Symmetry, share: float, dice: Seeded) -> int:
    """Return the number of pieces of a lot to place; with a symmetry each piece also has an image."""
    low, high = lot.count
    count = round((low + dice.below(high - low + 1)) * share)
    return count if symmetry == "none" else (count + 1) // 2


def _pieces_by_chance(
    maps: Maps, schema: Schema, node: Schema, draft: dict[str, Any], symmetry: Symmetry, dice: Seeded
) -> list[Any]:
    (wide, high), share = _size_and_share(maps, schema, draft)
    turn = TableSymmetry(maps, schema, draft, "rotate" if symmetry == "none" else symmetry)
    step = 1 if all(isinstance(one, int) for one in (wide, high)) and _is_whole(schema, node) else 0.5
    goals = [
        (part.value[0], part.value[1])
        for part in parts_of(schema, draft)
        if part.role == "place" and "enemy" not in part.path
    ]
    kinds = {ground.id: ground for ground in maps.grounds}
    taken: list[_Laid] = []
    items: list[Any] = []
    kinds_laid: list[str] = []
    gap = min(wide, high) / 24
    for lot in maps.lots:
        closed = kinds[lot.kind].closed
        for _ in range(_times(lot, symmetry, share, dice)):
            across = lot.across[0] + dice.below(lot.across[1] - lot.across[0] + 1)
            for _ in range(PLACES):
                r = across / 2
                x, y = (_on_grid(r + (side - 2 * r) * dice.below(1000) / 999, step) for side in (wide, high))
                spot = _Laid(x, y, r)
                if not (r <= x <= wide - r and r <= y <= high - r):
                    continue
                if symmetry != "none" and _off_middle(maps, (wide, high), x, y) > -(r + gap / 2):
                    continue
                room = gap + (gap if closed else 0)
                if any(hypot(x - one.x, y - one.y) < r + one.r + gap for one in taken):
                    continue
                if any(hypot(x - gx, y - gy) < r + room / 2 for gx, gy in goals):
                    continue
                taken.append(spot)
                if symmetry != "none":
                    mx, my = turn.point((x, y))
                    taken.append(_Laid(mx, my, r))
                number = 1 + sum(one == lot.kind for one in kinds_laid)
                kinds_laid.append(lot.kind)
                items.append(_piece(schema, node, lot, number, spot, step, dice))
                break
    return items


def _off_middle(maps: Maps, size: tuple[Any, Any], x: float, y: float) -> float:
    """Return the signed distance of a point from the line between the sides, negative in the first side's half."""
    return float(y - size[1] / 2 if maps.sides == "rows" else x - size[0] / 2)


def _is_whole(schema: Schema, node: Schema) -> bool:
    whole: list[bool] = []

    def walk(at: Schema) -> None:
        at = schema["$defs"][at["$ref"].rpartition("/")[2]] if "$ref" in at else at
        if at.get("type") in ("integer", "number"):
            whole.append(at["type"] == "integer")
        for inner in [*at.get("properties", {}).values(), *at.get("prefixItems", ()), *at.get("anyOf", ())]:
            walk(inner)
        if isinstance(at.get("items"), dict):
            walk(at["items"])

    walk(node)
    return all(whole)


def _on_grid(value: float, step: float) -> Any:
    return tidy(round(value / step) * step)


def _piece(schema: Schema, node: Schema, lot: Lot, number: int, spot: _Laid, step: float, dice: Seeded) -> Any:
    x, y, r = spot
    at = node_for(schema, node, {} if "$ref" in node else [])
    if at.get(MARK) == "disc":
        return [x, y, max(int(r), 1)]
    role_of = {key: _role(schema, inner) for key, inner in at["properties"].items()}
    key_of = {role: key for key, role in role_of.items() if role}
    item: dict[str, Any] = {key_of["name"]: f"{lot.kind} {number}", key_of["ground"]: lot.kind}

    def near(dx: float, dy: float) -> list[Any]:
        return [_on_grid(x + dx, step), _on_grid(y + dy, step)]

    if lot.form == "line" and "line" in key_of:
        dx, dy = (r, 0.0) if dice.below(2) else (0.0, r)
        item[key_of["line"]] = [near(-dx, -dy), near(dx, dy)]
    elif lot.form == "disc" and "circle" in at["properties"]:
        item["circle"] = {"at": near(0, 0), "radius": tidy(r)}
    elif lot.form == "block":
        flat = 0.5 + dice.below(6) / 10
        dx, dy = (r * 0.7, r * 0.7 * flat) if dice.below(2) else (r * 0.7 * flat, r * 0.7)
        item[key_of["box"]] = [*near(-dx, -dy), *near(dx, dy)]
    else:
        corners = 6 + dice.below(4)
        start = dice.below(360)
        outline = []
        for i in range(corners):
            angle = 2 * pi * (i + dice.below(40) / 100) / corners + start * pi / 180
            long = r * (0.75 + dice.below(26) / 100)
            outline.append(near(long * cos(angle), long * sin(angle)))
        item[key_of["outline"]] = [at for i, at in enumerate(outline) if at != outline[i - 1]]
    return item


def _role(schema: Schema, node: Schema) -> str | None:
    role = node.get(MARK) or next((one[MARK] for one in node.get("anyOf", ()) if MARK in one), None)
    return None if role is None else str(role)
