"""Describe the fields of scenarios as a JSON Schema, which also marks the values that are drawn on the table.

A type marks a drawn value by `drawn("place")`, and the schema has the key `"x-drawn": "place"`. The page for drawing
tables, symmetries and random tables use these marks, so they need no code for each game.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import msgspec

from caltrop.roster.places import Path_

Role = Literal[
    "size",
    "pieces",
    "sides",
    "ground",
    "name",
    "words",
    "place",
    "box",
    "outline",
    "line",
    "disc",
    "length",
    "rows",
    "span",
    "depth",
    "reach",
    "edge",
    "side",
    "hexes",
    "hex",
]
"""Meaning of a value on the table.

`size` is the size of the table; `pieces` a list (or an object of hexes by kind) that may be made symmetric. `sides` is
a list of two, one for each side; `side` one of the two sides. `ground` is a kind of ground; `name` a name that no other
item of the list has. `words` is a text that names edges. `place` is a point; `box` two corners of a rectangle;
`outline` and `line` several points; `disc` a point and a radius. `length` is a distance; `rows` two distances from the
south edge, of a zone of a side, and `span` two of another strip. `edge` is an edge by its compass word. `depth` is how
far a zone reaches from the `edge` beside it, or from the south and the north edge if none is beside it. `reach` is the
radius of a zone around the `place` beside it. `hexes` is a text that names hexes and `hex` a text that names one.
"""

MARK = "x-drawn"
"""The key of a schema that holds the role."""

Schema = Mapping[str, Any]


def drawn(role: Role) -> msgspec.Meta:
    """Return the annotation for a type whose values are drawn on the table."""
    return msgspec.Meta(extra_json_schema={MARK: role})


def known(words: Iterable[str]) -> msgspec.Meta:
    """Return the annotation for a text with known words: pages offer them, but files may use others."""
    return msgspec.Meta(extra_json_schema={"examples": list(words)})


@lru_cache(maxsize=32)
def schema_of(form: type[msgspec.Struct]) -> dict[str, Any]:
    whole = msgspec.json.schema(form)
    for record in _records(form, {}).values():
        properties = whole["$defs"].get(record.__name__, {}).get("properties", {})
        for name, words in docstrings(record).items():
            if name in properties and "description" not in properties[name]:
                properties[name]["description"] = words
    return whole


def _records(form: type[msgspec.Struct], records: dict[str, type[msgspec.Struct]]) -> dict[str, type[msgspec.Struct]]:
    def walk(kind: Any) -> None:
        if isinstance(kind, msgspec.inspect.StructType):
            if kind.cls.__name__ not in records:
                records[kind.cls.__name__] = kind.cls
                for field in kind.fields:
                    walk(field.type)
            return
        inner = [one for name in ("types", "item_types") for one in getattr(kind, name, ())]
        for one in [*inner, *[getattr(kind, name, None) for name in ("item_type", "value_type", "type")]]:
            if isinstance(one, msgspec.inspect.Type):
                walk(one)

    walk(msgspec.inspect.type_info(form))
    return records


def docstrings(record: type[msgspec.Struct]) -> dict[str, str]:
    """Return the docstrings of a class's fields by name; empty if its source is missing."""
    words: dict[str, str] = {}
    for base in reversed(record.__mro__):
        if not (issubclass(base, msgspec.Struct) and base is not msgspec.Struct):
            continue
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
        except (OSError, TypeError):
            continue
        (body,) = [node.body for node in tree.body if isinstance(node, ast.ClassDef)]
        for field, after in pairwise(body):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
                and isinstance(after.value.value, str)
            ):
                words[field.target.id] = " ".join(after.value.value.split())
    return words


class DrawnPart(NamedTuple):
    """A value of a draft that is drawn on the table, with its path and its role."""

    path: Path_
    role: Role
    value: Any


def node_for(schema: Schema, node: Schema, value: Any) -> Schema:
    """Return the part of a schema that describes a value: references are followed, and one of several alternatives is
    chosen.

    Args:
        schema: The whole schema, which holds the definitions.
        node: The part of the schema at the value's place.
        value: The value, of any type.
    """
    role = node.get(MARK)
    while True:
        if "$ref" in node:
            node = schema["$defs"].get(node["$ref"].rpartition("/")[2], {})
        elif "anyOf" in node:
            shape = {dict: "object", list: "array", str: "string", type(None): "null"}.get(type(value), "number")
            forms = [
                {**schema["$defs"][one["$ref"].rpartition("/")[2]]} if "$ref" in one else one for one in node["anyOf"]
            ]
            fitting = [one for one in forms if one.get("type", "string") == shape]
            node = fitting[0] if fitting else {}
        else:
            return {**node, MARK: node.get(MARK, role)} if role else node
        role = node.get(MARK, role)


def inner_nodes(schema: Schema, node: Schema, value: Any) -> Iterator[tuple[str | int, Schema, Any]]:
    """Yield the key, the schema and the value of every part of a value that the schema describes."""
    if isinstance(value, dict):
        properties, others = node.get("properties", {}), node.get("additionalProperties")
        for key, inner in value.items():
            at = properties.get(key, others if isinstance(others, dict) else None)
            if at is not None:
                yield key, at, inner
    elif isinstance(value, list):
        fixed = node.get("prefixItems", ())
        for i, inner in enumerate(value):
            at = fixed[i] if i < len(fixed) else node.get("items")
            if isinstance(at, dict):
                yield i, at, inner


def parts_of(schema: Schema, draft: Any, node: Schema | None = None, path: Path_ = ()) -> Iterator[DrawnPart]:
    """Yield every drawn value of a draft, outer values first; values that the schema does not describe are left out.

    Args:
        schema: The whole schema.
        draft: The draft, or a value in it.
        node: The part of the schema that describes that value; the whole by default.
        path: Path of that value.
    """
    at = node_for(schema, schema if node is None else node, draft)
    role = at.get(MARK)
    if role:
        yield DrawnPart(path, role, draft)
    for key, inner, value in inner_nodes(schema, at, draft):
        yield from parts_of(schema, value, inner, (*path, key))


def value_at(draft: Any, path: Path_) -> Any:
    for key in path:
        try:
            draft = draft[key]
        except (KeyError, IndexError, TypeError):
            return None
    return draft


def put_at(draft: Any, path: Path_, value: Any) -> None:
    value_at(draft, path[:-1])[path[-1]] = value


def is_optional(schema: Schema, draft: Any, path: Path_) -> bool:
    """Return whether the value at a path may be removed: an item of a list of any length, a key with a default, or a
    key that no form has.
    """
    node = node_for(schema, schema, draft)
    value, optional = draft, False
    for key in path:
        nodes = [(at, inner) for name, at, inner in inner_nodes(schema, node, value) if name == key]
        if not nodes:
            return isinstance(value, Mapping) and key in value
        optional = "prefixItems" not in node if isinstance(key, int) else key not in node.get("required", ())
        node, value = node_for(schema, nodes[0][0], nodes[0][1]), nodes[0][1]
    return optional
