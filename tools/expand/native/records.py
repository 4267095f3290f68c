"""What native records have in common: the base of all of them, and how a copy with other values is made.

A native record is a class of a compiled module. A class that is interpreted may inherit from one: it gets its methods
when it is made, as msgspec gives them.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import msgspec
from mypy_extensions import mypyc_attr

T = TypeVar("T")


def is_native(kind: Any) -> bool:
    """Return whether the methods of a record are written out."""
    return "_copy" in vars(kind)


def begin_class(kind: Any, options: dict[str, Any]) -> None:
    """Give a class what a record has, if it is interpreted."""
    if not is_native(kind):
        from caltrop.native.shapes import interpreted

        interpreted(kind, options)


def remade(kind: Any, values: dict[str, Any]) -> Any:
    """Return a record that was pickled."""
    return kind(**values)


@mypyc_attr(allow_interpreted_subclasses=True)
class Record:
    """The base of all native records."""

    __struct_fields__: ClassVar[tuple[str, ...]] = ()
    __struct_config__: ClassVar[Any] = None

    def __init_subclass__(cls, **options: Any) -> None:
        begin_class(cls, options)

    def _copy(self) -> Any:
        raise NotImplementedError

    def __copy__(self) -> Any:
        return self._copy()

    def __reduce__(self) -> Any:
        return remade, (type(self), {name: getattr(self, name) for name in self.__struct_fields__})

    def __repr__(self) -> str:
        values = ", ".join([f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__])
        return f"{type(self).__name__}({values})"


def replace(record: T, /, **changes: Any) -> T:
    """Return a record with some other values, as `msgspec.structs.replace` does."""
    if not isinstance(record, Record):
        made: T = msgspec.structs.replace(record, **changes)  # type: ignore[type-var]
        return made
    twin: Any = record._copy()
    for name, value in changes.items():
        if name not in record.__struct_fields__:
            raise TypeError(f"{type(record).__name__!r} has no field {name!r}")
        setattr(twin, name, value)
    checked: T = twin
    return checked


def copied(record: Any) -> Any:
    """Return a shallow copy."""
    return record._copy() if isinstance(record, Record) else msgspec.Struct.__copy__(record)


def noted(shelf: Any) -> Any:
    """Return a shelf that is to be written to: one that notes what is written has methods of its own."""
    return shelf


def named(function: Any, names: tuple[str, ...]) -> Any:
    """Say which parameters a compiled function has."""
    from caltrop.parameters import PARAMETERS

    PARAMETERS[function] = names
    return function


SLOTS: dict[Any, tuple[str, ...]] = {}
"""The attributes of classes: a native class cannot hold their names itself."""


def slots(kind: Any, names: Any) -> None:
    """Say which attributes a class has."""
    SLOTS[kind] = tuple(names)


def slots_of(value: Any) -> tuple[str, ...]:
    """Return which attributes the class of an object has."""
    return SLOTS.get(type(value)) or tuple(value.__slots__)


def named_as(rule: Any, function: Any) -> None:
    """Say of a rule that it has the parameters of its function, unless that is compiled."""
    from caltrop.parameters import PARAMETERS, read_by

    if hasattr(function, "__code__"):
        PARAMETERS[rule] = read_by(function)


def source_of(file: str) -> str:
    """Return the source beside a compiled module."""
    folder, _, name = file.replace("\\", "/").rpartition("/")
    return f"{folder}/{name.partition('.')[0]}.py"


def interpreted_class(text: str, name: str, module: dict[str, Any]) -> Any:
    """Return a class that is not compiled: one of Python's own types is its base."""
    exec(text, module)
    return module[name]
