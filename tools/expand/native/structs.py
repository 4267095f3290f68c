"""`msgspec.structs` for native records."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import FieldInfo

from caltrop.native.records import Record, replace
from caltrop.native.shapes import TWINS, _hints

__all__ = ["FieldInfo", "asdict", "astuple", "fields", "replace"]


def asdict(record: Any) -> dict[str, Any]:
    """Return the values of a record's fields by name."""
    if isinstance(record, Record):
        return {name: getattr(record, name) for name in record.__struct_fields__}
    return msgspec.structs.asdict(record)


def astuple(record: Any) -> tuple[Any, ...]:
    """Return the values of a record's fields."""
    return tuple(asdict(record).values())


def fields(record: Any) -> tuple[FieldInfo, ...]:
    """Return the fields of a record or of a record class."""
    kind = record if isinstance(record, type) else type(record)
    twin = TWINS.get(kind)
    if twin is None:
        return msgspec.structs.fields(kind)
    hints, given, names = _hints(kind), twin.__struct_defaults__, twin.__struct_fields__
    found = []
    for n, name in enumerate(names):
        default: Any = given[n - len(names) + len(given)] if n >= len(names) - len(given) else msgspec.NODEFAULT
        factory = getattr(default, "factory", msgspec.NODEFAULT)
        if factory is not msgspec.NODEFAULT:
            default = msgspec.NODEFAULT
        encoded = twin.__struct_encode_fields__[n]
        found.append(
            FieldInfo(name=name, encode_name=encoded, type=hints[name], default=default, default_factory=factory)
        )
    return tuple(found)
