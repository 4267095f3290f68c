"""JSON Schemas of everything that goes over the wire or into a file.

What a ruleset reads from files and requests is its own: its parts (`caltrop.engine.parts`) have the types.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from typing import Any, Union

import msgspec

from caltrop import InputError
from caltrop.engine import Ruleset, ruleset, rulesets
from caltrop.wire.view import DecisionView, View

SCHEMA_NAMES = (
    "scenario", "army", "ruling", "game", "attack", "resolve", "odds", "view", "decision", "action", "event",
)  # fmt: skip
"""What a schema can be asked of."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str, game: str | None = None) -> dict[str, Any]:
    """The JSON Schema called *name*.

    Args:
        name: One of `SCHEMA_NAMES`.
        game: One game only; all that have such a thing where it is left out.

    Raises:
        InputError: when there is no such schema; the message names the nearest.
    """
    if name not in SCHEMA_NAMES:
        near = difflib.get_close_matches(name, SCHEMA_NAMES, 1, 0.4)
        hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(SCHEMA_NAMES)}"
        raise InputError(f"there is no schema {name!r}{hint}")
    if name in _COMMON:
        found = _COMMON[name]()
    else:
        try:
            games = [ruleset(game)] if game else [ruleset(each) for each in rulesets()]
        except ValueError as error:
            raise InputError(str(error)) from None
        found = [type for each in games for type in _types(name, each)]
    if not found:
        raise InputError(f"{game} has no schema of {name!r}" if game else f"no game has a schema of {name!r}")
    made = [_schema(type) for type in found]
    whole = made[0] if len(made) == 1 else _any_of(made)
    return {"$schema": _DIALECT, "title": f"caltrop {name}", **whole}


def _types(name: str, game: Ruleset) -> list[Any]:
    vocabulary = game.vocabulary()
    if name == "action":
        return [Union[vocabulary.actions]] if vocabulary.actions else []  # noqa: UP007  made at run time
    if name == "event":
        return [Union[vocabulary.events]] if vocabulary.events else []  # noqa: UP007
    return [type for type in (_offered(name, game),) if type is not None]


def _offered(name: str, game: Ruleset) -> Any:
    """The type that a part of the game has under this name, None where it has no such part."""
    referee, rulings = game.referee, game.rulings
    if name == "scenario" or name == "army":
        files = game.scenario_files if name == "scenario" else game.army_lists
        return None if files is None else files.form
    if name == "ruling":
        return None if rulings is None else rulings.RulingFile
    if referee is None:
        return None
    return {"attack": referee.request, "resolve": referee.resolved, "odds": referee.chances}.get(name)


def _record() -> list[Any]:
    journal = importlib.import_module("caltrop.journal")
    return [journal.Record]


_COMMON: dict[str, Callable[[], list[Any]]] = {
    "view": lambda: [View],
    "decision": lambda: [DecisionView],
    "game": _record,
}


def _schema(type: Any) -> dict[str, Any]:
    if isinstance(type, dict):
        return type
    return msgspec.json.schema(type)


def _any_of(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """One schema that any of several fulfils; equal definitions are shared, others keep apart by a number."""
    shared: dict[str, Any] = {}
    branches = []
    for i, one in enumerate(schemas):
        own = dict(one)
        definitions: dict[str, Any] = own.pop("$defs", {})
        renamed = {key: f"{key}.{i}" for key, value in definitions.items() if shared.get(key, value) != value}
        for key, value in definitions.items():
            shared[renamed.get(key, key)] = _renamed(value, renamed)
        branches.append(_renamed(own, renamed))
    return {"anyOf": branches, **({"$defs": shared} if shared else {})}


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        changed = {key: _renamed(inner, names) for key, inner in value.items()}
        target = changed.get("$ref")
        if isinstance(target, str):
            last = target.rpartition("/")[2]
            changed["$ref"] = "#/$defs/" + names.get(last, last)
        mapping = changed.get("mapping")
        if isinstance(mapping, dict):
            changed["mapping"] = {
                key: "#/$defs/" + names.get(str(ref).rpartition("/")[2], str(ref).rpartition("/")[2])
                for key, ref in mapping.items()
            }
        return changed
    if isinstance(value, list):
        return [_renamed(inner, names) for inner in value]
    return value
