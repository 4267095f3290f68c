"""TypeScript types for the page, made from JSON Schemas.

A record from the server has all of its fields, except fields that it omits at their default. A client may omit fields
with a default. The schemas state which fields are always present (`caltrop.wire.schemas.components`).
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from typing import Any

_PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
_WIDTH = 120


def typescript(definitions: Mapping[str, Mapping[str, Any]]) -> str:
    """Return exported interfaces in alphabetical order.

    Args:
        definitions: JSON Schemas of objects, by name.
    """
    return "\n".join(_interface(name, schema) for name, schema in sorted(definitions.items()))


def _interface(name: str, schema: Mapping[str, Any]) -> str:
    required = set(schema.get("required", ()))
    words = schema.get("description", "").split("\n\n")[0].replace("\n", " ")
    fields = [
        f"  {field}{'' if field in required else '?'}: {type_of(inner)};"
        for field, inner in schema.get("properties", {}).items()
    ]
    return "\n".join([*_comment(words), f"export interface {name} {{", *fields, "}", ""])


def _comment(words: str) -> list[str]:
    if not words:
        return []
    if len(words) + 7 <= _WIDTH:
        return [f"/** {words} */"]
    return ["/**", *[f" * {line}" for line in textwrap.wrap(words, _WIDTH - 3)], " */"]


def type_of(schema: Mapping[str, Any]) -> str:
    """Return the TypeScript type for a schema.

    >>> type_of({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
    '(number | null)[]'
    >>> type_of({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False})
    'readonly [number, string]'
    >>> type_of({"type": "object", "additionalProperties": {"$ref": "Card"}}), type_of({"enum": ["won", "lost"]})
    ('Record<string, Card>', '"won" | "lost"')

    Raises:
        ValueError: if the schema uses a form that this module does not support.
    """
    if "$ref" in schema:
        return str(schema["$ref"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return _any_of([type_of(one) for one in schema["anyOf"]])
    kind = schema.get("type")
    if isinstance(kind, list):
        return _any_of([type_of({**schema, "type": one}) for one in kind])
    if kind == "array":
        return _array(schema)
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'unknown'}>"
    if kind in _PLAIN:
        return _PLAIN[kind]
    if schema.keys() <= {"title", "description", "default"}:
        return "unknown"
    raise ValueError(f"there is no type for the schema {schema!r}")


def _any_of(types: list[str]) -> str:
    """Return a union that names each type once and ends with null."""
    return " | ".join(sorted(dict.fromkeys(types), key=lambda one: one == "null"))


def _array(schema: Mapping[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"readonly [{', '.join(type_of(one) for one in schema['prefixItems'])}]"
    of = type_of(schema["items"]) if isinstance(schema.get("items"), dict) else "unknown"
    return f"{of}[]" if re.fullmatch(r"\w+|\w+<.*>", of) or (of.endswith("[]") and " " not in of) else f"({of})[]"
