"""Replacement of msgspec for a package with native records: its modules import this one as `msgspec`.

Native records are encoded, decoded and copied like records of msgspec. Everything else is msgspec's own. Only a
compiled wheel contains this package (see `tools/expand`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import (
    NODEFAULT,
    UNSET,
    DecodeError,
    EncodeError,
    Meta,
    MsgspecError,
    Raw,
    Struct,
    UnsetType,
    ValidationError,
    defstruct,
)

from caltrop.native import inspect, json, msgpack, structs
from caltrop.native.shapes import RECORDS, encodable, native, readable, reads_plainly

__all__ = [
    "NODEFAULT",
    "RECORDS",
    "UNSET",
    "DecodeError",
    "EncodeError",
    "Meta",
    "MsgspecError",
    "Raw",
    "Struct",
    "UnsetType",
    "ValidationError",
    "convert",
    "defstruct",
    "field",
    "inspect",
    "json",
    "msgpack",
    "structs",
    "to_builtins",
]


field: Any = msgspec.field
"""The field function of msgspec, typed `Any` so that compiled modules do not check the type of its result."""


def convert(obj: Any, type: Any, **options: Any) -> Any:
    """Convert a value, as `msgspec.convert` does."""
    if reads_plainly(type):
        return msgspec.convert(obj, type, **options)
    return native(msgspec.convert(obj, readable(type), **options))


def to_builtins(obj: Any, *, enc_hook: Callable[[Any], Any] | None = None, **options: Any) -> Any:
    """Return a value as built-in types, as `msgspec.to_builtins` does."""
    return msgspec.to_builtins(obj, enc_hook=json.either(enc_hook), **options)


_ = encodable
