"""A digest of rows of rules data. Texts for people have no effect on the digest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from caltrop.clauses import Mark

TELLING = frozenset({"title", "words", "clause", "clauses", "silhouette", "look", "paint", "picture"})
"""Fields of a row with texts or pictures for people, which have no effect on the rules."""

_ENCODER = msgspec.json.Encoder(order="deterministic")


def digest_of_rows(rows: Mapping[str, Any]) -> str:
    """Return a short hash of rows: records, mappings, lists, numbers and words of the rules.

    Texts for people and fields with their default value are left out. A field added later therefore changes no digest
    of rows that do not use it.

    >>> class Gun(msgspec.Struct):
    ...     title: str
    ...     dice: int
    ...     range: int = 0
    >>> digest_of_rows({"gun": Gun("Gun", 2)}) == digest_of_rows({"gun": Gun("Cannon", 2, 0)})
    True
    >>> digest_of_rows({"gun": Gun("Gun", 2)}) == digest_of_rows({"gun": Gun("Gun", 3)})
    False
    """
    return hashlib.blake2b(_ENCODER.encode(_plain(rows)), digest_size=8).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        fields = {}
        for field in _fields(type(value)):
            given = getattr(value, field.name)
            default = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
            if field.encode_name not in TELLING and given != default and not _is_mark(given):
                fields[field.encode_name] = _plain(given)
        return fields
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items() if str(key) not in TELLING}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(_plain(item) for item in value)
    return value


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


def _is_mark(value: Any) -> bool:
    return isinstance(value, Mark) or (isinstance(value, Mapping) and any(isinstance(x, Mark) for x in value.values()))
