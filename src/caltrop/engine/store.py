"""States as JSON: an equal state comes back, at every decision of a game."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any, Union, get_type_hints

import msgspec

from caltrop.engine.rule import Book
from caltrop.engine.ruleset import Ruleset
from caltrop.engine.state import Outcome, State


def stored(t: State) -> bytes:
    """The state as strict JSON, the same bytes for equal states. Book and listeners are left out."""
    return msgspec.json.encode({f: getattr(t, f) for f in t.__struct_fields__ if f not in t.unstored})


def digest(t: State, salt: bytes = b"") -> str:
    """A short hash of the whole state; salted, it tells nothing of a small hidden state."""
    return hashlib.blake2b(stored(t), digest_size=8, key=salt[:64]).hexdigest()


@lru_cache(maxsize=32)
def _shape(ruleset: Ruleset) -> Any:
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
    for name in ruleset.state.__struct_fields__:
        if name not in own and name not in ruleset.state.unstored:
            own[name] = hints[name]
    return msgspec.defstruct("Stored" + ruleset.state.__name__, list(own.items()), forbid_unknown_fields=True)


def restored(ruleset: Ruleset, book: Book, text: bytes) -> State:
    """The state that `stored` wrote.

    Raises:
        msgspec.ValidationError: when the text is not such a state; the message names the place.
    """
    raw = msgspec.json.decode(text, type=_shape(ruleset))
    return ruleset.state(book=book, **{f: getattr(raw, f) for f in raw.__struct_fields__})
