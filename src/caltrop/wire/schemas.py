"""JSON Schemas of all messages and files.

Each ruleset defines the types of its own files and requests (`caltrop.engine.parts`).
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Sequence
from inspect import cleandoc
from typing import Any, Union

import msgspec
from msgspec import inspect

from caltrop.engine import Ruleset, ruleset, rulesets
from caltrop.engine.form import Form, Given, allowed, given_fields
from caltrop.engine.parts import Referee
from caltrop.engine.sequence import SequenceAnswer, SequenceRequest
from caltrop.errors import InputError
from caltrop.scenarios.forms import schema_of
from caltrop.scenarios.packs import schema_of_house_rules, schema_of_pack
from caltrop.wire.view import DecisionView, View

SCHEMA_NAMES = (
    "scenario", "army", "ruling", "game", "attack", "resolve", "odds", "view", "decision", "action", "event",
    "study", "campaign", "sequence", "pack",
)  # fmt: skip
"""Names of the available schemas."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str, game: str | None = None) -> dict[str, Any]:
    """Return the JSON Schema called *name*.

    Args:
        name: One of `SCHEMA_NAMES`.
        game: Name of one game; by default all games with such data.

    Raises:
        InputError: when there is no such schema; the message names the nearest.
    """
    if name not in SCHEMA_NAMES:
        near = difflib.get_close_matches(name, SCHEMA_NAMES, 1, 0.4)
        hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(SCHEMA_NAMES)}"
        raise InputError(f"there is no schema {name!r}{hint}")
    if name in _COMMON:
        types = _COMMON[name]()
    else:
        try:
            games = [ruleset(game)] if game else [ruleset(each) for each in rulesets()]
        except ValueError as error:
            raise InputError(str(error)) from None
        types = [type for each in games for type in _types(name, each)]
    if not types:
        raise InputError(f"{game} has no schema of {name!r}" if game else f"no game has a schema of {name!r}")
    made = [schema_of(type) if name == "scenario" else _schema(type) for type in types]
    whole = made[0] if len(made) == 1 else _any_of(made)
    # Python before 3.13 leaves the indentation in docstrings.
    for record in whole.get("$defs", {}).values():
        if "description" in record:
            record["description"] = cleandoc(record["description"])
    return {"$schema": _DIALECT, "title": f"caltrop {name}", **whole}


def components(sent: Sequence[Any], messages: Sequence[Any]) -> dict[str, dict[str, Any]]:
    """Return the schemas of records and of their nested records, which refer to one another by name.

    Args:
        sent: Records that the server sends: a field is required if it is always sent.
        messages: Records that a client sends: a field with a default may be left out.

    Raises:
        ValueError: if a record is both sent and received, because it would need two schemas.
    """
    every: dict[str, dict[str, Any]] = {}
    for types, are_sent in ((sent, True), (messages, False)):
        _, shapes = msgspec.json.schema_components(types, ref_template="{name}")
        present = _always_there(types) if are_sent else {}
        for name, one in shapes.items():
            if are_sent:
                one["required"] = [
                    field for field in one["properties"] if field in present.get(name, one.get("required", ()))
                ]
            if every.setdefault(name, one) != one:
                raise ValueError(f"{name} is sent and said; what may be left out of it differs")
    return every


def _always_there(types: Sequence[Any]) -> dict[str, set[str]]:
    """Return the fields of each record that are always sent."""
    fields: dict[str, set[str]] = {}

    def walk(type: inspect.Type) -> None:
        if isinstance(type, inspect.StructType) and type.cls.__name__ not in fields:
            config = type.cls.__struct_config__
            fields[type.cls.__name__] = there = {config.tag_field} if config.tag_field else set[str]()
            for field in type.fields:
                # A record may omit fields that equal their default. A field that may be unset has no default.
                has_default = (field.default, field.default_factory) != (msgspec.NODEFAULT, msgspec.NODEFAULT)
                if field.required or (has_default and not config.omit_defaults):
                    there.add(field.encode_name)
                walk(field.type)
        inner = [one for name in ("types", "item_types") for one in getattr(type, name, ())]
        inner += [getattr(type, name) for name in ("item_type", "value_type", "type") if hasattr(type, name)]
        for one in inner:
            walk(one)

    for one in types:
        walk(inspect.type_info(one))
    return fields


def _types(name: str, game: Ruleset) -> list[Any]:
    if name == "pack":
        return [schema_of_pack(game)]
    vocabulary = game.vocabulary()
    if name == "action":
        return [Union[vocabulary.actions]] if vocabulary.actions else []  # noqa: UP007  made at run time
    if name == "event":
        return [Union[vocabulary.events]] if vocabulary.events else []  # noqa: UP007
    types = [type for type in (_offered(name, game),) if type is not None]
    in_order = game.referee is not None and game.referee.in_order is not None
    return [*types, SequenceAnswer] if name == "odds" and in_order else types


def _offered(name: str, game: Ruleset) -> Any:
    """Return the type with this name in a game's parts, or None."""
    referee, rulings = game.referee, game.rulings
    if name == "scenario" or name == "army":
        files = game.scenario_files if name == "scenario" else game.army_lists
        return None if files is None else files.form
    if name == "ruling":
        return None if rulings is None else rulings.RulingFile
    if name == "campaign":
        return None if game.campaigns is None else game.campaigns.CampaignFile
    if referee is None:
        return None
    if name == "attack":
        return _request(game, referee)
    return {"resolve": referee.resolved, "odds": referee.chances}.get(name)


def _request(game: Ruleset, referee: Referee[Any, Any]) -> dict[str, Any]:
    """Return the schema of attack requests, with the house rules of the game and the names of its rows."""
    (whole,), shapes = msgspec.json.schema_components([referee.request], ref_template="#/$defs/{name}")
    rows = {} if referee.form is None else _rows(referee.form, game.name)
    for path, plain, given in given_fields(referee.request, whole=True):
        *heads, field = path.split(".")
        shape = shapes[referee.request.__name__]
        for head in heads:
            part = shape["properties"][head]
            ref = next(one["$ref"] for one in (part, *part.get("anyOf", ())) if "$ref" in one)
            shape = shapes[ref.rpartition("/")[2]]
        shape["properties"][field] = _narrowed(shape["properties"][field], allowed(plain, given), given, rows.get(path))
    fields = shapes[referee.request.__name__]["properties"]
    fields["ruleset"] = {"enum": [game.name]}
    fields["rules"] = {**schema_of_house_rules(game), "default": {}}
    if "pack" in fields:
        fields["rules"]["properties"]["pack"] = {"type": "string"}
    if "edition" in fields:
        fields["edition"] = {"enum": list(game.editions), "default": game.editions[0]}
    return {**whole, "$defs": shapes}


def _narrowed(part: dict[str, Any], values: Sequence[str], given: Given, rows: Sequence[str] | None) -> dict[str, Any]:
    """Return the schema of a field with its limits and words.

    If the words are keys of rows, other words are allowed too, since a pack may add rows.
    """
    if part.get("type") == "array":
        return {**part, "items": _narrowed(part["items"], values, given, rows)}
    if "anyOf" in part:
        return {**part, "anyOf": [_narrowed(one, (), given, None) for one in part["anyOf"]]}
    if part.get("type") == "string" and (values or rows):
        rest = {key: value for key, value in part.items() if key != "type"}
        return rest | ({"enum": list(values)} if values else {"anyOf": [{"enum": rows}, {"type": "string"}]})
    if part.get("type") in ("integer", "number") and given.range is not None:
        return {**part, "minimum": given.range[0], "maximum": given.range[1]}
    return part


def _rows(form: Callable[[dict[str, Any]], Form], game: str) -> dict[str, list[str]]:
    """Return all words of each field in a form, including words that depend on other fields."""
    start = form({"ruleset": game}).start
    words: dict[str, dict[str, None]] = {}
    first = form(dict(start)).choices
    for field, choices in first.items():
        head, _, tail = field.rpartition(".")
        for one in choices if not head or head in start else ():
            changed = {**start, head: {**start[head], tail: one.value}} if head else {**start, tail: one.value}
            for other, there in form(changed).choices.items():
                words.setdefault(other, {}).update(dict.fromkeys([choice.value for choice in there]))
    return {field: list(every) for field, every in words.items()}


def _record() -> list[Any]:
    journal = importlib.import_module("caltrop.journal")
    return [journal.Record]


def _study() -> list[Any]:
    return [importlib.import_module("caltrop.lab.studies").Study]


_COMMON: dict[str, Callable[[], list[Any]]] = {
    "view": lambda: [View],
    "decision": lambda: [DecisionView],
    "game": _record,
    "study": _study,
    "sequence": lambda: [SequenceRequest],
}


def _schema(type: Any) -> dict[str, Any]:
    if isinstance(type, dict):
        return type
    return msgspec.json.schema(type)


def _any_of(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a schema for any of several schemas. Equal definitions are shared, and all others get a number."""
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
