"""msgspec for a package whose records are native: what its modules import in its place.

Everything is msgspec's own, but for what has to do with records: native ones are encoded, decoded and copied as records
of msgspec are. A compiled wheel is built with it (`tools/expand`); the plain package has no need of it.
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
"""Of any type: a compiled module would look whether it is what it stands for."""


def convert(obj: Any, type: Any, **options: Any) -> Any:
    """Convert a value, as `msgspec.convert` does."""
    if reads_plainly(type):
        return msgspec.convert(obj, type, **options)
    return native(msgspec.convert(obj, readable(type), **options))


def to_builtins(obj: Any, *, enc_hook: Callable[[Any], Any] | None = None, **options: Any) -> Any:
    """Return a value as simple ones, as `msgspec.to_builtins` does."""
    return msgspec.to_builtins(obj, enc_hook=json.either(enc_hook), **options)


_ = encodable
