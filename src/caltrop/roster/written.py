"""Read YAML as plain data with the place of every value. Text that could expand without limit is refused first."""

from __future__ import annotations

from typing import Any

import yaml

from caltrop.errors import InputError
from caltrop.roster.places import Path_, Plain, short, spelled

DEEPEST = 40
"""Greatest depth of nested lists and objects in a file."""

DIGITS = 40
"""Largest number of characters in a number."""


_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader of libyaml; in a browser, where there is no libyaml, that of PyYAML itself."""


class _Plain(_Loader):  # type: ignore[misc, valid-type]
    """A YAML loader for the values of JSON alone: text, numbers, booleans, null, lists and objects."""

    def number(self, node: yaml.ScalarNode) -> Any:
        """Return a number. Raises an error with its place if it is too long for Python to read."""
        whole = node.tag == "tag:yaml.org,2002:int"
        try:
            if len(node.value) > DIGITS:
                raise ValueError
            return self.construct_yaml_int(node) if whole else self.construct_yaml_float(node)
        except ValueError:
            raise yaml.constructor.ConstructorError(
                None, None, f"{short(repr(node.value))} is not a number that can be read", node.start_mark
            ) from None


# Dates are read as text.
_Plain.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}
_Plain.add_constructor("tag:yaml.org,2002:int", _Plain.number)
_Plain.add_constructor("tag:yaml.org,2002:float", _Plain.number)


def _simple(text: str, source: str) -> None:
    """Raise an error for YAML that would expand or run without end."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        what = ""
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            what = f"this is nested deeper than {DEEPEST}" if depth > DEEPEST else ""
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            what = "anchors and aliases are not read: write it out"
        elif isinstance(event, yaml.NodeEvent) and getattr(event, "tag", None) not in (None, "!"):
            what = "tags are not read: leave it out"
        if what:
            mark = event.start_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
            raise InputError(what, source=source, line=line, column=column)


def composed(text: str, source: str) -> Plain:
    """Return the values of a YAML text, with their places.

    Raises InputError for text that is not YAML, or has values that JSON does not have.
    """
    loader = None
    places: dict[Path_, tuple[int, int]] = {}
    try:
        _simple(text, source)
        loader = _Plain(text)
        top = loader.get_single_node()
        if top is None:
            raise InputError("the file is empty", source=source)
        raw = loader.construct_document(top)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise InputError(
            f"this is not YAML: {error.problem}",
            source=source,
            line=mark.line + 1 if mark else None,
            column=mark.column + 1 if mark else None,
        ) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise InputError(
            f"this is not YAML: {error.reason} (character {error.character!r})", source=source, line=line
        ) from error
    finally:
        if loader is not None:
            loader.dispose()

    def walk(node: yaml.Node, path: Path_) -> None:
        places[path] = (node.start_mark.line + 1, node.start_mark.column + 1)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                at = (*path, str(key.value))
                if at in places:
                    raise InputError(
                        f"the key stands here twice (first in line {places[at][0]})",
                        source=source,
                        line=key.start_mark.line + 1,
                        column=key.start_mark.column + 1,
                        field=spelled(at),
                    )
                walk(value, at)
                places[at] = (key.start_mark.line + 1, key.start_mark.column + 1)
        elif isinstance(node, yaml.SequenceNode):
            for i, value in enumerate(node.value):
                walk(value, (*path, i))

    walk(top, ())
    return raw, places
