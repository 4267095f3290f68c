"""States as JSON. A state can be stored and restored without loss at any decision.

Fields with their default value are left out of the stored form. A field that is added later therefore leaves the
digests of older games unchanged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Union, get_type_hints

import msgspec

from caltrop.chance import Roll
from caltrop.engine.event import Outcome
from caltrop.engine.rule import Book
from caltrop.engine.ruleset import Ruleset
from caltrop.engine.state import State

_ENCODER = msgspec.json.Encoder(order="deterministic")


@lru_cache(maxsize=64)
def _fields(kind: type[State]) -> tuple[tuple[str, str, Any], ...]:
    """Return the stored fields: name, stored name, and default value (NODEFAULT without one)."""
    names, given = kind.__struct_fields__, kind.__struct_defaults__
    defaults = [msgspec.NODEFAULT] * (len(names) - len(given))
    for value in given:
        factory = getattr(value, "factory", None)
        defaults.append(value if factory is None else factory())
    every = zip(names, kind.__struct_encode_fields__, defaults, strict=True)
    return tuple(field for field in every if field[0] not in kind.unstored)


def stored(t: State) -> bytes:
    return _ENCODER.encode(_filled(t))


def stored_in_order(t: State) -> bytes:
    """Return the state as strict JSON that keeps the order of mappings, which affects iteration."""
    return msgspec.json.encode(_filled(t))


def _filled(t: State) -> dict[str, Any]:
    fields = [(name, default, getattr(t, field)) for field, name, default in _fields(type(t))]
    return {name: _worded(value) for name, default, value in fields if value != default}


def _worded(value: Any) -> Any:
    if type(value) is dict and any(type(key) is int for key in value):
        return {str(key): item for key, item in value.items()}
    return value


def digest(t: State | bytes, salt: bytes = b"", rolls: Iterable[Roll] = ()) -> str:
    """Return a short hash of the whole state, and of the rolls that led to it.

    Args:
        t: The state, or the bytes returned by `stored` if several digests are needed.
        salt: Up to 64 secret bytes. A salted digest reveals nothing about a small hidden state.
        rolls: Dice that were rolled before. Dice without an effect on the state count too.
    """
    hashed = hashlib.blake2b(t if isinstance(t, bytes) else stored(t), digest_size=8, key=salt)
    for roll in rolls:
        hashed.update(bytes([0, *(face & 255 for face in roll)]))
    return hashed.hexdigest()


@lru_cache(maxsize=32)
def stored_type(ruleset: Ruleset) -> Any:
    """Return a record type with the fields of a stored state, by their stored names."""
    vocabulary = ruleset.vocabulary()
    procedures: Any = Union[vocabulary.procedures]  # noqa: UP007  made at run time
    decisions: Any = Union[vocabulary.decisions]  # noqa: UP007
    actions: Any = Union[(*vocabulary.actions, None)]
    own: dict[str, Any] = {
        "stack": list[procedures],
        "queue": list[procedures],
        "asked": tuple[decisions, ...],
        "answers": tuple[actions, ...],
        "asks": int,
        "active": int,
        "over": Outcome | None,
    }
    hints = get_type_hints(ruleset.state, localns={"Procedure": Any, "Decision": Any, "Event": Any})
    shape: list[tuple[str, Any, Any]] = []
    names: dict[str, str] = {}
    for name, names[name], default in _fields(ruleset.state):
        kind: Any = own.get(name, hints[name])
        shape.append(
            (name, kind, ...) if default is msgspec.NODEFAULT else (name, kind | msgspec.UnsetType, msgspec.UNSET)
        )
    return msgspec.defstruct(
        "Stored" + ruleset.state.__name__,
        [(name, kind) if default is ... else (name, kind, default) for name, kind, default in shape],
        forbid_unknown_fields=True,
        kw_only=True,
        rename=names,
    )


@lru_cache(maxsize=32)
def _decoder(ruleset: Ruleset) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(stored_type(ruleset))


def restored(ruleset: Ruleset, book: Book, text: bytes) -> State:
    """Return the state from the output of `stored`.

    Raises msgspec.ValidationError for an invalid text; the message names the place.
    """
    raw = _decoder(ruleset).decode(text)
    given = {name: getattr(raw, name) for name in raw.__struct_fields__}
    t = ruleset.state(book=book, **{name: value for name, value in given.items() if value is not msgspec.UNSET})
    t.awaken()
    return t
