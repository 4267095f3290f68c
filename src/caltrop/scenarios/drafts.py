"""Check drafts of scenarios: find all faults with their places, and draw the table.

A draft is plain data, as in a file. A draft is read like a file and laid out like a game, so its faults are the same as
those of `caltrop validate`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

import msgspec
import yaml

from caltrop.engine import Book, Ruleset, ruleset, with_part
from caltrop.engine.parts import Files, Maps
from caltrop.errors import InputError
from caltrop.picture import Picture
from caltrop.roster import faults_in_form, nearest, read_yaml, refuse_other_link
from caltrop.roster.places import Path_, unspelled
from caltrop.scenarios.forms import MARK, is_optional, node_for, schema_of, value_at

MOST_FAULTS = 12
"""Largest number of faults that are reported for a draft."""

LARGEST_DRAFT = 65_536
"""Largest number of characters in a draft, equal to the limit for a new game's scenario."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of a draft."""

    path: tuple[str | int, ...]
    """Path of the fault: keys and indices from the top; empty for the whole draft."""
    words: str
    """Description in the words of the rules."""
    line: int | None = None
    """Line of the text, if the draft is a text."""
    column: int | None = None


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """The result of checking a draft."""

    draft: dict[str, Any] | None
    """The draft; None if the text is not a scenario."""
    faults: tuple[Fault, ...]
    picture: Picture | None
    """The table without faulty pieces; None if it cannot be drawn."""


def text_of(draft: dict[str, Any]) -> str:
    """Return a draft as a text that every command and page reads."""
    return json.dumps(draft, ensure_ascii=False, separators=(",", ":")) + "\n"


class _Written(yaml.SafeDumper):
    """A YAML writer that puts points and short records in one line, and uses no references."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> Any:
        """Write a list in one line if it holds no other list or record."""
        inline = all(not isinstance(one, dict) for one in sequence)
        return super().represent_sequence(tag, sequence, flow_style=inline)

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> Any:
        inline = len(json.dumps(mapping, default=str)) < 100 and "ruleset" not in mapping
        return super().represent_mapping(tag, mapping, flow_style=inline)


_Written.add_representer(list, lambda self, data: self.represent_sequence("tag:yaml.org,2002:seq", data))
_Written.add_representer(dict, lambda self, data: self.represent_mapping("tag:yaml.org,2002:map", data))


def yaml_of(draft: dict[str, Any]) -> str:
    """Return a draft as a YAML file for people.

    >>> print(yaml_of({"ruleset": "chess", "table": [9, 8], "rounds": 4}), end="")
    ruleset: chess
    table: [9, 8]
    rounds: 4
    """
    return yaml.dump(draft, Dumper=_Written, sort_keys=False, allow_unicode=True, width=110)


def maps_of(name: str) -> tuple[Ruleset, Maps, Files]:
    """Return a game with its support for authors of tables, and its files.

    Raises InputError for a game that does not exist or has no such part; the message names the nearest.
    """
    rules = ruleset(name)
    maps, files = rules.maps, rules.scenario_files
    if maps is None or files is None:
        raise InputError(f"{name} has no tables that can be drawn; {nearest(name, with_part('maps'))}")
    return rules, maps, files


def read_draft(text: str) -> dict[str, Any]:
    """Read the text of a scenario as plain data, without checking it.

    Raises InputError if the text is too long, is a link to something else, or is not YAML with keys and values.
    """
    if len(text) > LARGEST_DRAFT:
        raise InputError(f"a scenario here has at most {LARGEST_DRAFT} characters; this one has {len(text)}")
    refuse_other_link(text, "#map=")
    return read_yaml(text, dict[str, Any]).value


def shipped_draft(name: str, id: str) -> dict[str, Any]:
    """Return one of the game's scenarios as a draft, with every piece of its ground written out.

    Raises InputError for a scenario that does not exist; the message names the nearest.
    """
    _, maps, _ = maps_of(name)
    if id not in maps.files:
        raise InputError(f"{name} has no scenario {id[:80]!r}; {nearest(id[:80], maps.files)}")
    return maps.plain(copy.deepcopy(read_yaml(maps.files[id], dict[str, Any]).value))


def laid(rules: Ruleset, draft: dict[str, Any], book: Book | None = None) -> Picture:
    """Return the table of a draft before anybody is placed.

    Raises InputError for the first fault of the draft.

    Args:
        book: The rules; by default the printed ones.
    """
    try:
        return rules.depict(rules.setup(book or rules.book(), text_of(draft)), None)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None


def checked(name: str, draft: dict[str, Any] | str) -> Checked:
    """Return the faults of a draft, and its table without the faulty pieces.

    Raises InputError for a game that does not exist or has no tables to draw.

    Args:
        draft: The draft as plain data, or the text of a file.
    """
    rules, maps, files = maps_of(name)
    if isinstance(draft, str):
        try:
            draft = maps.plain(read_draft(draft))
        except InputError as error:
            fault = Fault(path=unspelled(error.field or ""), words=error.message, line=error.line, column=error.column)
            return Checked(draft=None, faults=(fault,), picture=None)
    if len(text_of(draft)) > LARGEST_DRAFT:
        words = f"a scenario here has at most {LARGEST_DRAFT} characters; this one has {len(text_of(draft))}"
        return Checked(draft=draft, faults=(Fault(path=(), words=words),), picture=None)
    faults, picture = every_fault(rules, files, draft)
    return Checked(draft=draft, faults=faults, picture=picture)


def every_fault(
    rules: Ruleset, files: Files, draft: dict[str, Any], book: Book | None = None
) -> tuple[tuple[Fault, ...], Picture | None]:
    """Return the faults of a draft, at most `MOST_FAULTS`, and its table without the faulty parts, if it can be drawn.

    All values of a wrong form are found at once. A faulty value is then left out, or replaced by that of a scenario of
    the game, and the rest is read again. Of the faults that appear only then, those of a piece count if the size of the
    table is right. Others might only follow from what was left out.

    Args:
        book: The rules; by default the printed ones.
    """
    schema, rest, places = schema_of(files.form), copy.deepcopy(draft), _Places()
    size = [
        key for key, node in node_for(schema, schema, rest).get("properties", {}).items() if node.get(MARK) == "size"
    ]
    faults: dict[Path_, Fault] = {}
    while len(faults) < MOST_FAULTS:
        errors = faults_in_form(rest, files.form)
        in_form = bool(errors)
        if not errors:
            try:
                return tuple(faults.values()), laid(rules, rest, book)
            except InputError as error:
                errors = [error]
        paths = [unspelled(error.field or "") for error in errors]
        for complaint, path in zip(errors, paths, strict=True):
            before, in_piece = places.before(path), any(isinstance(key, int) for key in path)
            may_count = in_form or (in_piece and not any(places.near((key,)) for key in size))
            if not faults or (may_count and not places.near(before)):
                faults.setdefault(before, Fault(path=before, words=complaint.message))
        ends = (path[:end] for path in paths for end in range(len(path), 0, -1))
        item = next((end for end in ends if is_optional(schema, rest, end)), None)
        key = paths[0][0] if paths[0] else ""
        if item is not None:
            places.leave_out(item)
            _leave_out(rest, item)
        elif key not in rest or places.near((key,)) or key not in (usual := _usual(rules)):
            break
        else:
            places.leave_out((key,))
            rest[key] = copy.deepcopy(usual[key])
    return tuple(faults.values())[:MOST_FAULTS], None


def _usual(rules: Ruleset) -> Mapping[str | int, Any]:
    """Return the values of a scenario of the game; none if it has no tables to draw."""
    maps = rules.maps
    return {} if maps is None else read_yaml(maps.files[maps.bases[0]], dict[str | int, Any]).value


def _leave_out(draft: Any, path: Path_) -> None:
    del value_at(draft, path[:-1])[path[-1]]


class _Places:
    """Original places of values, from before faulty items were left out."""

    def __init__(self) -> None:
        self._gone: dict[Path_, list[int]] = {}
        self._paths: list[Path_] = []

    def near(self, path: Path_) -> bool:
        """Return whether a value was left out at an original path, in it or around it."""
        return any(all(one == other for one, other in zip(path, gone, strict=False)) for gone in self._paths)

    def leave_out(self, path: Path_) -> None:
        self._paths.append(self.before(path))
        *above, last = path
        if isinstance(last, int):
            self._gone.setdefault(tuple(above), []).append(last)

    def before(self, path: Path_) -> Path_:
        steps: list[str | int] = []
        for i, key in enumerate(path):
            if isinstance(key, int):
                for gone in reversed(self._gone.get(path[:i], ())):
                    key += key >= gone
            steps.append(key)
        return tuple(steps)


__all__ = [
    "LARGEST_DRAFT",
    "MOST_FAULTS",
    "Checked",
    "Fault",
    "checked",
    "every_fault",
    "laid",
    "maps_of",
    "read_draft",
    "shipped_draft",
    "text_of",
    "yaml_of",
]
