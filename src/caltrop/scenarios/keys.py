"""Add keys to rulings from the game's own types: the fields of its actions and units."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Any, get_origin

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine import Action
from caltrop.scenarios.cases import R, fields_of


def keys_from(
    *sources: type[msgspec.Struct],
    only: Collection[str] | None = None,
    but: Collection[str] = (),
    written: Mapping[Any, Any] = {},
) -> Callable[[type[R]], type[R]]:
    """Return a decorator that adds the fields of other types to a record, as optional keys.

    Args:
        only: Names of the fields to add; all by default.
        but: Names of fields to leave out, because other keys stand for them.
        written: The type that a ruling writes instead, by the name or the type of a field.
    """

    def add(form: type[R]) -> type[R]:
        taken = {*but, *[f.name for f in fields_of(form)]}
        fields: dict[str, Any] = {}
        for source in sources:
            for f in fields_of(source):
                if f.name not in taken and (only is None or f.name in only):
                    kind = f.type.__origin__ if get_origin(f.type) is Annotated else f.type
                    fields.setdefault(f.name, written.get(f.name, written.get(kind, kind)))
        keys = [(name, kind | UnsetType, UNSET) for name, kind in fields.items()]
        space = {"__doc__": form.__doc__}
        made: Any = msgspec.defstruct(
            form.__name__, keys, bases=(form,), module=form.__module__, namespace=space,
            frozen=True, forbid_unknown_fields=True, kw_only=True,
        )  # fmt: skip
        return made  # type: ignore[no-any-return]

    return add


def keys_of_actions(
    package: str, *, units: Iterable[str], but: Collection[str] = (), written: Mapping[Any, Any] = {}
) -> Callable[[type[R]], type[R]]:
    """Return a decorator that adds the fields of a game's actions to a line of play, as optional keys.

    Args:
        package: The package of the game, whose chapters must have been imported.
        units: Fields with units, for which a ruling writes names.
        written: As for `keys_from`.
    """
    actions = sorted(_below(Action, f"{package}."), key=lambda action: action.__name__)
    return keys_from(*actions, but=but, written={**dict.fromkeys(units, str), **written})


def _below(base: type[Action], package: str) -> set[type[Action]]:
    kinds = {own for own in base.__subclasses__() if own.__module__.startswith(package)}
    return kinds.union(*[_below(own, package) for own in base.__subclasses__()])
