"""The shape of native records as msgspec sees it.

Each native record has a twin: a record of msgspec with the same fields. A native record is encoded as its twin. To be
decoded, it has a second twin, in whose field types native records are replaced by their second twins too. The result is
then converted into native records.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from types import ModuleType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from caltrop.native.records import Record

TWINS: dict[Any, Any] = {}
"""The twin that is encoded, for each native record."""
RECORDS = msgspec.Struct | Record
"""All records, for `isinstance`."""
inherited: Any = super
"""`super` without a precise type, for class methods of compiled modules."""
_COMPARES: set[Any] = set()
"""Records with their own `__eq__`."""


def shaped(kind: Any, own: Iterable[tuple[Any, ...]], compares: bool = False, **options: Any) -> None:
    """Register the shape of a native record.

    Args:
        kind: The class of the record.
        own: The fields that the class adds to those of its bases: name, type and, if there is one, default.
        compares: Whether the class has its own `__eq__`.
        options: The msgspec options of the class.
    """
    fields = list(own)
    bases = tuple([TWINS[base] for base in kind.__bases__ if base in TWINS])
    twin: Any = msgspec.defstruct(kind.__name__, fields, bases=bases or None, module=kind.__module__, **options)
    TWINS[kind] = twin
    if compares:
        _COMPARES.add(kind)
    kind.__annotations__ = {field[0]: field[1] for field in fields}
    kind.__struct_fields__ = twin.__struct_fields__
    kind.__struct_config__ = twin.__struct_config__
    kind.__struct_defaults__ = twin.__struct_defaults__
    kind.__struct_encode_fields__ = twin.__struct_encode_fields__
    kind.__match_args__ = twin.__match_args__


def interpreted(kind: Any, options: dict[str, Any]) -> None:
    """Give an interpreted subclass of a native record its shape and its methods."""
    annotations = vars(kind).get("__annotations__", {})
    fields: list[tuple[Any, ...]] = []
    for name, annotation in annotations.items():
        if "ClassVar" in str(annotation):
            continue
        if name in vars(kind):
            fields.append((name, annotation, vars(kind)[name]))
            delattr(kind, name)
        else:
            fields.append((name, annotation))
    shaped(kind, fields, "__eq__" in vars(kind), **options)
    kind.__annotations__ = annotations
    text, names = _methods_of(kind, TWINS[kind])
    exec(text, names)
    if "__init__" not in vars(kind):
        kind.__init__ = names["begin"]
    kind._copy = names["copy"]
    if not _COMPARES.intersection(kind.__mro__):
        kind.__eq__ = names["equal"]
        kind.__hash__ = names["hashed"] if TWINS[kind].__struct_config__.frozen else None


def _methods_of(kind: Any, twin: Any) -> tuple[str, dict[str, Any]]:
    """Return the source text of the methods of an interpreted record, and the names that it uses."""
    fields, given = twin.__struct_fields__, twin.__struct_defaults__
    names: dict[str, Any] = {"kind": kind, "new": kind.__new__, "MADE": object()}
    parameters, lines = ["self"], []
    for n, field in enumerate(fields):
        if n == len(twin.__match_args__):
            parameters.append("*")
        default = n - len(fields) + len(given)
        value = given[default] if default >= 0 else msgspec.NODEFAULT
        factory = getattr(value, "factory", None)
        if factory is not None:
            names[f"make{n}"] = factory
            parameters.append(f"{field}=MADE")
            lines.append(f"    self.{field} = make{n}() if {field} is MADE else {field}")
        else:
            names[f"default{n}"] = value
            parameters.append(field if value is msgspec.NODEFAULT else f"{field}=default{n}")
            lines.append(f"    self.{field} = {field}")
    if hasattr(kind, "__post_init__"):
        lines.append("    self.__post_init__()")
    mine = "".join([f"self.{field}, " for field in fields])
    equal = " and ".join([f"self.{field} == other.{field}" for field in fields]) or "True"
    text = [
        f"def begin({', '.join(parameters)}):",
        *(lines or ["    pass"]),
        "def copy(self):",
        "    made = new(kind)",
        *[f"    made.{field} = self.{field}" for field in fields],
        "    return made",
        "def equal(self, other):",
        "    if type(other) is not type(self):",
        "        return NotImplemented",
        f"    return {equal}",
        "def hashed(self):",
        f"    return hash(({mine}))",
    ]
    return "\n".join(text), names


def encodable(value: Any) -> Any:
    """Return the twin of a native record. This is the hook of all encoders.

    Raises:
        NotImplementedError: if the value is not a native record.
    """
    twin = TWINS.get(type(value))
    if twin is None:
        raise NotImplementedError(f"Encoding objects of type {type(value).__name__} is unsupported")
    values = {name: getattr(value, name) for name in twin.__struct_fields__}
    for name, default in _unboxed_defaults(twin):
        if values[name] == default:
            values[name] = default
    return twin(**values)


@cache
def _unboxed_defaults(twin: Any) -> tuple[tuple[str, Any], ...]:
    """Return the defaults that a native record stores unboxed, so that it returns another object: tuples and numbers.

    An encoder leaves a value out only if it is the same object as the default.
    """
    given = twin.__struct_defaults__
    with_default = zip(twin.__struct_fields__[len(twin.__struct_fields__) - len(given) :], given, strict=True)
    return tuple([(name, default) for name, default in with_default if type(default) in (int, float, tuple)])


# --- decoding --------------------------------------------------------------------------------------------------------

_READ: dict[Any, Any] = {}
"""The twin that is decoded, for each record."""
_MADE: dict[Any, Any] = {}
"""The record that is made of each decoded twin."""
_TYPES = ModuleType("caltrop.native.types")
"""A module that holds the field types of decoded twins by name, so that records can refer to each other."""
sys.modules[_TYPES.__name__] = _TYPES


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (
        kind in TWINS or (issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct)
    )


def _parts(kind: Any) -> tuple[Any, ...]:
    """Return the arguments of a type that are types themselves."""
    if kind in (Any, None) or isinstance(kind, (str, TypeVar)):
        return ()
    return tuple([part for part in get_args(kind) if not isinstance(part, (str, int, bool))])


@cache
def _hints(record: Any) -> dict[str, Any]:
    """Return the types of a record's fields."""
    hints: dict[str, Any] = {}
    for base in reversed(record.__mro__):
        own = vars(base).get("__annotations__")
        if own and (_is_record(base)):
            spaces = vars(sys.modules[base.__module__])
            holder = type("_", (), {"__annotations__": {n: a for n, a in own.items() if "ClassVar" not in str(a)}})
            hints |= get_type_hints(holder, spaces, {"Any": Any}, include_extras=True)
    return {name: hints[name] for name in record.__struct_fields__}


@cache
def _reaches(record: Any) -> frozenset[Any]:
    """Return all records in the types of a record's fields, at any depth, and the record itself."""
    found: set[Any] = {record}
    open_: list[Any] = list(_hints(record).values())
    while open_:
        kind = open_.pop()
        origin = get_origin(kind)
        if _is_record(origin):
            open_.append(origin)
        if _is_record(kind) and kind not in found:
            found.add(kind)
            open_ += _hints(kind).values()
        open_ += _parts(kind)
    return frozenset(found)


def _is_plain(record: Any) -> bool:
    """Return whether msgspec can decode a record itself, because no native record is part of it."""
    return record not in TWINS and TWINS.keys().isdisjoint(_reaches(record))


def readable(kind: Any) -> Any:
    """Return the type that msgspec decodes instead of a type."""
    if _is_record(kind):
        return kind if _is_plain(kind) else _twin_to_read(kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is None:
        return kind
    if origin is Annotated:
        return Annotated[(readable(parts[0]), *parts[1:])]
    if origin in (Union, UnionType):
        return Union[tuple([readable(part) for part in parts])]  # noqa: UP007  made at run time
    if _is_record(origin):
        return kind if _is_plain(origin) else readable(origin)
    changed = tuple([readable(part) if part in _parts(kind) and part is not ... else part for part in parts])
    return kind if changed == parts else origin[changed]


def _twin_to_read(record: Any) -> Any:
    twin = _READ.get(record)
    if twin is not None:
        return twin
    config = record.__struct_config__
    names, given = record.__struct_fields__, record.__struct_defaults__
    fields: list[tuple[Any, ...]] = []
    for n, name in enumerate(names):
        default = n - len(names) + len(given)
        its_type = f"{record.__module__}.{record.__qualname__}.{name}".replace(".", "_")
        if default < 0 or given[default] is msgspec.NODEFAULT:
            fields.append((name, its_type))
        else:
            factory = getattr(given[default], "factory", None)
            fields.append(
                (name, its_type, given[default] if factory is None else msgspec.field(default_factory=factory))
            )
    checks: dict[str, Any] = {"__doc__": record.__doc__}
    if hasattr(record, "__post_init__"):
        checks["__post_init__"] = _made_of
    twin = msgspec.defstruct(
        record.__name__,
        fields,
        module=_TYPES.__name__,
        namespace=checks,
        tag=config.tag,
        tag_field=config.tag_field,
        omit_defaults=config.omit_defaults,
        forbid_unknown_fields=config.forbid_unknown_fields,
        frozen=config.frozen,
        kw_only=True,
        array_like=config.array_like,
        rename=dict(zip(names, record.__struct_encode_fields__, strict=True)),
    )
    _READ[record], _MADE[twin] = twin, record
    for name, kind in _hints(record).items():
        setattr(_TYPES, f"{record.__module__}.{record.__qualname__}.{name}".replace(".", "_"), readable(kind))
    return twin


def _made_of(twin: Any) -> Any:
    return _MADE[type(twin)](**{name: native(getattr(twin, name)) for name in twin.__struct_fields__})


def native(value: Any) -> Any:
    """Return a decoded value with native records in place of their twins."""
    kind = type(value)
    if kind in _MADE:
        return _made_of(value)
    if kind is list:
        return [native(item) for item in value]
    if kind is tuple:
        return tuple([native(item) for item in value])
    if kind is dict:
        return {native(key): native(item) for key, item in value.items()}
    if kind is set or kind is frozenset:
        return kind([native(item) for item in value])
    return value


def reads_plainly(kind: Any) -> bool:
    """Return whether msgspec can decode a type itself."""
    if _is_record(kind) and not _is_plain(kind):
        return False
    origin = get_origin(kind)
    if _is_record(origin) and not _is_plain(origin):
        return False
    return all(reads_plainly(part) for part in _parts(kind) if part is not ...)
