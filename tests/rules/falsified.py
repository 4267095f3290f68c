"""Rulings with one thing in them changed: each must fail then, or it would say nothing there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
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


def words_by_key(every: Iterable[Ruling]) -> dict[str, tuple[str, ...]]:
    """The words that stand under each key in what must hold, anywhere in some rulings: each can stand for another."""
    found: dict[str, dict[str, None]] = {}
    for ruling in every:
        raw = read(ruling)
        for path in paths_of(raw):
            value = raw
            for part in path:
                value = value[part]
            if isinstance(value, str):
                found.setdefault(_key(path), {})[value] = None
    return {key: tuple(sorted(words)) for key, words in found.items()}


def read(ruling: Ruling) -> Any:
    """A ruling as plain data."""
    return yaml.safe_load(ruling.file.read_text(encoding="utf-8"))


def paths_of(raw: Any) -> list[tuple[Any, ...]]:
    """The places of everything in a ruling that must hold, and of all dice."""
    return [path for key in ("attack", "cases") if key in raw for path in leaves(raw[key], (key,))]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def _key(path: tuple[Any, ...]) -> str:
    return next(part for part in reversed(path) if isinstance(part, str))


def changed(raw: Any, path: tuple[Any, ...], word: str = "") -> Any:
    """A copy with another value at a place.

    Args:
        raw: A ruling as plain data.
        path: The place.
        word: What stands there where it is a word.
    """
    if path in (("dice",), ("draw",)) and isinstance(raw[path[0]], str):
        return {**raw, path[0]: raw[path[0]].rpartition(" ")[0]}
    if path:
        out = dict(raw) if isinstance(raw, dict) else list(raw)
        out[path[0]] = changed(raw[path[0]], path[1:], word)
        return out
    if isinstance(raw, list):
        return raw[:-1] if isinstance(raw[-1], int | str) else [*raw, 1]
    if isinstance(raw, bool):
        return not raw
    if isinstance(raw, int | float):
        return raw + 1
    return word


def idle(ruling: Ruling, words: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The places of a ruling at which anything might stand.

    Args:
        ruling: The ruling.
        words: What `words_by_key` found in all rulings of its game.
    """
    raw = read(ruling)
    paths = paths_of(raw)
    assert paths
    return [".".join(map(str, path)) for path in paths if not check(_falsified(ruling, raw, path, words))]


def _falsified(ruling: Ruling, raw: Any, path: tuple[Any, ...], words: Mapping[str, tuple[str, ...]]) -> Ruling:
    """A ruling with something else at a place: of words the first that may stand there, the likeliest first."""
    here = raw
    for part in path:
        here = here[part]
    likely = (*words.get(_key(path), ()), "Nothing", *_strings(raw))
    others = [word for word in likely if word != here]
    for word in others if isinstance(here, str) else [""]:
        wrong = changed(raw, path, word)
        if path[0] == "cases":
            wrong["cases"] = [wrong["cases"][path[1]]]
        with suppress(msgspec.ValidationError):
            told = msgspec.convert(wrong, type(ruling.head))
            return Ruling(ruling.file, msgspec.structs.replace(ruling.text, value=told))
    raise AssertionError(f"{ruling.id}: no other word may stand at {path}")
