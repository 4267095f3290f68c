"""The base class of native records, and helpers that compiled modules call.

A native record is a class of a compiled module. An interpreted class that inherits from it gets its methods when the
class is created, as a `msgspec.Struct` does.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import msgspec
from mypy_extensions import mypyc_attr

T = TypeVar("T")


def is_native(kind: Any) -> bool:
    """Return whether a record's methods are part of its compiled class."""
    return "_copy" in vars(kind)


def begin_class(kind: Any, options: dict[str, Any]) -> None:
    """Give an interpreted class the methods and the shape of a record."""
    if not is_native(kind):
        from caltrop.native.shapes import interpreted

        interpreted(kind, options)


def remade(kind: Any, values: dict[str, Any]) -> Any:
    """Return a record from its pickled values."""
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
    """Return a shallow copy of a record."""
    return record._copy() if isinstance(record, Record) else msgspec.Struct.__copy__(record)


def noted(shelf: Any) -> Any:
    """Return a shelf that the caller is about to write to.

    The type is `Any`, so that mypyc calls the methods of a subclass of list or dict that takes note of each write.
    """
    return shelf


def named(function: Any, names: tuple[str, ...]) -> Any:
    """Register the parameter names of a compiled function, and return the function."""
    from caltrop.parameters import PARAMETERS

    PARAMETERS[function] = names
    return function


SLOTS: dict[Any, tuple[str, ...]] = {}
"""The attribute names of each class. A native class cannot hold them as `__slots__`."""


def slots(kind: Any, names: Any) -> None:
    """Register the attribute names of a class."""
    SLOTS[kind] = tuple(names)


def slots_of(value: Any) -> tuple[str, ...]:
    """Return the attribute names of an object's class."""
    return SLOTS.get(type(value)) or tuple(value.__slots__)


def named_as(rule: Any, function: Any) -> None:
    """Register the parameter names of a rule's function for the rule, unless the function is compiled."""
    from caltrop.parameters import PARAMETERS, read_by

    if hasattr(function, "__code__"):
        PARAMETERS[rule] = read_by(function)


def source_of(file: str) -> str:
    """Return the path of the source file beside a compiled module."""
    folder, _, name = file.replace("\\", "/").rpartition("/")
    return f"{folder}/{name.partition('.')[0]}.py"


def interpreted_class(text: str, name: str, module: dict[str, Any]) -> Any:
    """Return a class that stays interpreted because it inherits from a built-in type."""
    exec(text, module)
    return module[name]
