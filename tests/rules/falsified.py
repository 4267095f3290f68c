"""Rulings with one thing in them changed: each must fail then, or it would say nothing there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec
import yaml

from caltrop.scenarios.rulings import Ruling, check

JUDGED = ("answer", "expect", "is", "refused", "allowed")
"""Keys under which stands what must hold."""
NAMES = ("event", "unit", "target", "shooter")
"""Keys in expected events that say which event is meant."""

ROLLS = ("attack", "defence", "reroll", "battle", "shields", "shots", "saves", "ignore")
"""Keys of the dice of an attack."""


def leaves(value: Any, path: tuple[Any, ...], judged: bool = False) -> Iterator[tuple[Any, ...]]:
    """The places of everything in a case that must hold, and of all dice."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "because":
                continue
            yield from leaves(inner, (*path, key), judged or key in JUDGED)
    elif path[-1] in ("dice", "draw") or (path[-1] in ROLLS and value):
        if value:
            yield path
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from leaves(inner, (*path, i), judged)
    elif judged and path[-1] not in NAMES and not {"untold", "made"} & set(path):
        yield path


def changed(raw: Any, path: tuple[Any, ...], others: Sequence[Collection[str]]) -> Any:
    """A copy with another value at a place.

    Args:
        raw: A ruling as plain data.
        path: The place.
        others: Sets of words of which one can stand for another.
    """
    if path in (("dice",), ("draw",)) and isinstance(raw[path[0]], str):
        return {**raw, path[0]: raw[path[0]].rpartition(" ")[0]}
    if path:
        out = dict(raw) if isinstance(raw, dict) else list(raw)
        out[path[0]] = changed(raw[path[0]], path[1:], others)
        return out
    if isinstance(raw, list):
        return raw[:-1] if isinstance(raw[-1], int | str) else [*raw, 1]
    if isinstance(raw, bool):
        return not raw
    if isinstance(raw, int | float):
        return raw + 1
    for words in others:
        if raw in words:
            return min(set(words) - {raw})
    return "Nothing" if raw != "Nothing" else "Something"


def idle(ruling: Ruling, form: Any, others: Sequence[Collection[str]]) -> list[str]:
    """The places of a ruling at which anything might stand."""
    raw = yaml.safe_load(ruling.file.read_text(encoding="utf-8"))
    paths = [p for key in ("attack", "cases") if key in raw for p in leaves(raw[key], (key,))]
    assert paths
    found = []
    for path in paths:
        wrong = changed(raw, path, others)
        if path[0] == "cases":
            wrong["cases"] = [wrong["cases"][path[1]]]
        if not check(Ruling(ruling.file, msgspec.structs.replace(ruling.text, value=msgspec.convert(wrong, form)))):
            found.append(".".join(str(p) for p in path))
    return found
