"""Make tables symmetric: one half of a draft is copied to the other, rotated by half a turn or mirrored.

The code uses the marks of a scenario's type (`caltrop.scenarios.forms`), so it works for every game.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence, Set
from typing import Any, Literal

from caltrop.engine import Ruleset
from caltrop.engine.parts import Files, Flip, HexText, Maps
from caltrop.errors import InputError
from caltrop.scenarios.drafts import maps_of
from caltrop.scenarios.forms import MARK, DrawnPart, Schema, inner_nodes, node_for, parts_of, put_at, schema_of

Symmetry = Literal["rotate", "mirror", "none"]
SYMMETRIES: tuple[Symmetry, ...] = ("rotate", "mirror", "none")
"""`rotate` turns the table by half a turn about its middle, `mirror` reflects it in the line between the sides."""

Half = Literal["first", "second"]
"""The half of the table that is copied: the first side's or the second side's."""

SHAPES = ("box", "outline", "line", "disc", "place", "hexes", "hex", "rows", "edge")
"""Roles of values with a place on the table."""
LENGTHS = ("length", "depth", "reach")
"""Roles of distances, which a symmetry does not change."""

_OPPOSITE = {"south": "north", "north": "south", "west": "east", "east": "west", "first": "second", "second": "first"}


class TableSymmetry:
    """A half turn or a reflection of the table of a draft. Raises InputError for a draft that has no table.

    Args:
        maps: The game's support for authors.
        schema: The schema of the game's scenarios.
    """

    def __init__(self, maps: Maps, schema: Schema, draft: dict[str, Any], how: Symmetry) -> None:
        self.schema, self.maps = schema, maps
        self.flip = flip_of(maps, how)
        self.x, self.y = self.flip.x, self.flip.y
        self.size = self.wide, self.high = size_of(schema, draft)

    def point(self, at: Sequence[Any]) -> list[Any]:
        x, y = at[0], at[1]
        return [tidy(self.wide - x) if self.x else x, tidy(self.high - y) if self.y else y]

    def word(self, word: str) -> str:
        """Return the word for the image of an edge or a side."""
        turns = (
            (word in ("south", "north", "first", "second") and self.y)
            or (word in ("first", "second") and self.x)
            or (word in ("west", "east") and self.x)
        )
        return _OPPOSITE[word] if turns and word in _OPPOSITE else word

    def text(self, text: str) -> str:
        """Return a text with its compass words replaced by their images."""
        return re.sub(
            "(?i)south|north|west|east",
            lambda match: _like(match[0], self.word(match[0].lower())),
            text,
        )

    def value(self, part: DrawnPart) -> Any:
        role, value = part.role, part.value
        if role in ("place",):
            return self.point(value)
        if role in ("outline", "line"):
            return [self.point(one) for one in value]
        if role == "box":
            (a, b), (c, d) = self.point(value[:2]), self.point(value[2:])
            return [min(a, c), min(b, d), max(a, c), max(b, d)]
        if role == "disc":
            return [*self.point(value), *value[2:]]
        if role == "rows":
            return [tidy(self.high - value[1]), tidy(self.high - value[0])] if self.y else list(value)
        if role in ("edge", "side"):
            return self.word(value)
        if role == "words":
            return self.text(value)
        if role in ("hexes", "hex") and value and self.maps.hexes is not None:
            return self.maps.hexes.turned(value, self.size, self.flip)
        return copy.deepcopy(value)

    def image(self, item: Any, node: Schema) -> Any:
        """Return the image of an item of a draft; all its drawn values are transformed."""
        if node_for(self.schema, node, item).get(MARK) in SHAPES:
            return self.value(DrawnPart((), node_for(self.schema, node, item)[MARK], item))
        image = copy.deepcopy(item)
        for part in _outermost(self.schema, item, node):
            put_at(image, part.path, self.value(part))
        return image

    def side_of(self, item: Any, node: Schema) -> int:
        """Return -1 for an item in the half of the first side, 1 in that of the second, 0 on the line between them."""
        points = self.points(item, node)
        if not points:
            return 0
        # Compare the middle of the item's bounding box with the middle of the table (both doubled). The other axis
        # breaks ties.
        xs, ys = [x for x, _ in points], [y for _, y in points]
        off = [
            _sign(min(ys) + max(ys) - self.high) if self.y else 0,
            _sign(min(xs) + max(xs) - self.wide) if self.x else 0,
        ]
        return next((one for one in (off if self.maps.sides == "rows" else off[::-1]) if one), 0)

    def points(self, item: Any, node: Schema) -> list[tuple[float, float]]:
        """Return the points of an item on the table; for a hex, its middle in steps of the map."""
        points: list[tuple[float, float]] = []
        for part in _outermost(self.schema, item, node):
            value = part.value
            if part.role in ("outline", "line"):
                points += [(x, y) for x, y in value]
            elif part.role == "box":
                points += [(value[0], value[1]), (value[2], value[3])]
            elif part.role in ("place", "disc"):
                points.append((value[0], value[1]))
        return points


def flip_of(maps: Maps, how: Symmetry) -> Flip:
    """Return the axes in which a symmetry reflects: both, or only across the line between the sides."""
    return Flip(how == "rotate" or maps.sides == "columns", how == "rotate" or maps.sides == "rows")


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def tidy(value: float) -> float:
    """Return a computed number as people would write it: an integer if it is whole, else with at most 3 decimals."""
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def _like(old: str, new: str) -> str:
    return new.capitalize() if old[:1].isupper() else new


def _outermost(schema: Schema, item: Any, node: Schema) -> list[DrawnPart]:
    parts: list[DrawnPart] = []
    for part in parts_of(schema, item, node):
        if part.role in ("pieces", "sides", "size", "ground", "name", *LENGTHS) or part.value is None:
            continue
        if not any(part.path[: len(outer.path)] == outer.path for outer in parts):
            parts.append(part)
    return parts


def size_of(schema: Schema, draft: dict[str, Any]) -> tuple[Any, Any]:
    """Return the size of a draft's table, in the game's own measure, or in rows and columns.

    Raises InputError for a draft that has none.
    """
    root = node_for(schema, schema, draft)
    for key, node in root.get("properties", {}).items():
        if node.get(MARK) == "size":
            size = draft.get(key, node.get("default"))
            if isinstance(size, list | tuple) and len(size) == 2 and all(type(one) in (int, float) for one in size):
                return size[0], size[1]
    raise InputError("this draft has no table: give it a size first")


def symmetric(name: str, draft: dict[str, Any], how: Symmetry, keep: Half = "first") -> dict[str, Any]:
    """Return a draft whose second half is the image of the first: ground, goals, and where the sides begin.

    The forces of the sides (units, points and names) are not changed. Raises InputError for a game without
    tables to be drawn, and for a draft that cannot be turned.

    Args:
        draft: The draft; it is not changed.
        how: A half turn, or a reflection in the line between the sides.
    """
    rules, maps, files = maps_of(name)
    if how == "none":
        return copy.deepcopy(draft)
    try:
        return _symmetric(rules, maps, files, maps.plain(copy.deepcopy(draft)), how, keep)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("this draft cannot be made symmetric while it has faults; correct them first") from None


def _symmetric(
    rules: Ruleset, maps: Maps, files: Files, draft: dict[str, Any], how: Symmetry, keep: Half
) -> dict[str, Any]:
    schema = schema_of(files.form)
    turn = TableSymmetry(maps, schema, draft, how)
    stays = -1 if keep == "first" else 1
    root = node_for(schema, schema, draft)
    for name, node, value in list(inner_nodes(schema, root, draft)):
        key = str(name)
        at = node_for(schema, node, value)
        role = at.get(MARK)
        if role == "pieces" and isinstance(value, list):
            draft[key] = _list_of_pieces(turn, at, value, stays)
        elif role == "pieces" and isinstance(value, dict) and maps.hexes is not None:
            draft[key] = maps.hexes.symmetric(value, turn.size, turn.flip, stays)
        elif role == "sides" and isinstance(value, list) and len(value) == 2:
            _sides(turn, at, value, 0 if stays < 0 else 1)
        elif role == "place":
            draft[key] = _in_the_middle(turn, value)
    return draft


def _in_the_middle(turn: TableSymmetry, at: Sequence[Any]) -> list[Any]:
    x, y = at
    return [tidy(turn.wide / 2) if turn.x else x, tidy(turn.high / 2) if turn.y else y]


def _list_of_pieces(turn: TableSymmetry, node: Schema, items: list[Any], stays: int) -> list[Any]:
    pieces: list[Any] = []
    for item in items:
        if turn.maps.hexes is not None:
            pieces += _halves(turn, turn.maps.hexes, item, node["items"], stays)
            continue
        where = turn.side_of(item, node["items"])
        other = turn.image(item, node["items"])
        if any(_same(turn, item, one, node["items"]) for one in pieces):
            continue
        if _same(turn, item, other, node["items"]):
            pieces.append(copy.deepcopy(item))
        elif where in (stays, 0):
            pieces += [copy.deepcopy(item), other]
    return named_apart(turn, node["items"], pieces)


def _same(turn: TableSymmetry, one: Any, other: Any, node: Schema) -> bool:
    return sorted(turn.points(one, node)) == sorted(turn.points(other, node))


def _halves(turn: TableSymmetry, hexes: HexText, item: dict[str, Any], node: Schema, stays: int) -> list[Any]:
    (part,) = [part for part in parts_of(turn.schema, item, node) if part.role == "hexes"]
    own = hexes.half(part.value, turn.size, turn.flip, stays)
    if not own:
        return []
    mine = copy.deepcopy(item)
    put_at(mine, part.path, own)
    theirs = turn.image(mine, node)
    if all(theirs.get(key) == value for key, value in mine.items() if key != part.path[0]):
        put_at(mine, part.path, hexes.both(own, turn.size, turn.flip))
        return [mine]
    return [mine, theirs]


def _sides(turn: TableSymmetry, node: Schema, value: list[Any], from_: int) -> None:
    """Give the other side the image of one side's starting area, without changing its other properties."""
    nodes = [one for _, one, _ in inner_nodes(turn.schema, node, value)]
    mine, theirs = value[from_], value[1 - from_]
    if not (isinstance(mine, dict) and isinstance(theirs, dict)):
        return
    drawn = _outermost(turn.schema, mine, nodes[from_])
    for part in _outermost(turn.schema, theirs, nodes[1 - from_]):
        if part.path[0] not in [one.path[0] for one in drawn]:
            theirs.pop(part.path[0], None)
    for part in drawn:
        if len(part.path) == 1:
            theirs[part.path[0]] = turn.value(part)


def named_apart(turn: TableSymmetry, node: Schema, items: list[Any]) -> list[Any]:
    """Give every item of a list a distinct name: images get compass words of their place, or a free number."""
    at = node_for(turn.schema, node, items[0]) if items else {}
    keys = [key for key, inner in at.get("properties", {}).items() if inner.get(MARK) == "name"]
    every = {item[key] for item in items for key in keys if isinstance(item.get(key), str)}
    taken: set[str] = set()
    for item in items:
        for key in keys:
            name = item.get(key)
            if isinstance(name, str):
                item[key] = name if name not in taken else _free(turn.text(name), every | taken)
                taken.add(item[key])
    return items


def _free(name: str, taken: Set[str]) -> str:
    """Return a free name: the name itself, or its first word with the first free number.

    >>> _free("woods 2", {"woods 1", "woods 2"}), _free("the pit", {"the mill"})
    ('woods 3', 'the pit')
    """
    if name not in taken:
        return name
    stem = re.sub(r" [0-9]+$", "", name)[:36].rstrip()
    return next(one for number in range(2, len(taken) + 3) if (one := f"{stem} {number}") not in taken)


__all__ = [
    "SHAPES",
    "SYMMETRIES",
    "Half",
    "Symmetry",
    "TableSymmetry",
    "flip_of",
    "named_apart",
    "size_of",
    "symmetric",
    "tidy",
]
