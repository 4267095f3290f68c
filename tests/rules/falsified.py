"""Rulings with one changed value. Each changed ruling has to fail; otherwise the value would have no effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import UNSET

from caltrop.engine import ruleset
from caltrop.scenarios.playing import CasePlay
from caltrop.scenarios.rulings import Ruling, check

JUDGED = ("answer", "expect", "is", "refused", "allowed")
"""Keys of expectations in a ruling."""
NAMES = ("event", "unit", "target", "shooter")
"""Keys that identify an expected event."""

ROLLS = ("attack", "defence", "reroll", "battle", "shields", "shots", "saves", "ignore")
"""Keys of the dice of an attack."""


def leaves(value: Any, path: tuple[Any, ...], judged: bool = False) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all expected values in a case, and of all dice."""
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
    """Return the words under each key of expected values in some rulings. Each can replace another."""
    result: dict[str, dict[str, None]] = {}
    for ruling in every:
        raw = read(ruling)
        for path in paths_of(raw):
            value = raw
            for part in path:
                value = value[part]
            if isinstance(value, str):
                result.setdefault(_key(path), {})[value] = None
    return {key: tuple(sorted(words)) for key, words in result.items()}


def read(ruling: Ruling) -> Any:
    """Return a ruling as plain data; do not change it."""
    return _read(ruling.file)


@cache
def _read(file: Path) -> Any:
    return yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)


def paths_of(raw: Any) -> list[tuple[Any, ...]]:
    """Return the paths of all expected values in a ruling, and of all dice."""
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
    """Return a copy with another value at a place.

    Args:
        raw: A ruling as plain data.
        path: The place.
        word: The new value of a word.
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
    """Return the paths of a ruling whose value makes no difference.

    Args:
        ruling: The ruling.
        words: The result of `words_by_key` for all rulings of its game.
    """
    raw = read(ruling)
    paths = paths_of(raw)
    assert paths
    stages: dict[int, dict[int, CasePlay]] = {}

    def noticed(path: tuple[Any, ...]) -> bool:
        wrong = _falsified(ruling, raw, path, words)
        if path[0] == "cases" and path[2] == "play":
            # Most errors are detected at their place, and the play before it is unchanged.
            _, number, _, at, *_ = path
            if number not in stages:
                stages[number] = _stages(ruling, number)
            before = stages[number]
            first = max(line for line in before if line <= at)
            one = _copied(before[first], wrong)
            one.lines(first, next((line for line in before if line > at), None))
            if one.differences:
                return True
        return bool(check(wrong))

    return [".".join(map(str, path)) for path in paths if not noticed(path)]


def _stages(ruling: Ruling, number: int) -> dict[int, CasePlay]:
    """Return a case before each line with an act, in its first edition, by line."""
    head: Any = ruling.head
    case, half = head.cases[number], ruleset(head.ruleset).rulings
    assert half is not None
    assert isinstance(half.check, partial)
    play: CasePlay = half.check.args[0](ruling, case, number, (case.editions or ruling.editions)[0])
    lines = case.play
    acts = [j for j, one in enumerate(lines) if any(w is not UNSET for w in (one.start, one.do, one.pass_))]
    result = {}
    for first, end in pairwise([0, *[j for j in acts if j], len(lines)]):
        result[first] = _copied(play, ruling, number)
        play.lines(first, end)
    return result


def _copied(play: CasePlay, ruling: Ruling, number: int = 0) -> CasePlay:
    """Return a copy of a partly played case, to be continued by a case of another ruling."""
    one = copy(play)
    one.ruling, one.head = ruling, ruling.head
    one.case = one.head.cases[number]
    one.differences, one.ids = [], dict(play.ids)
    if play.match is not None:
        one.match = copy(play.match)
        one.match.journal, one.match.history = [*play.match.journal], [*play.match.history]
    return one


def _falsified(ruling: Ruling, raw: Any, path: tuple[Any, ...], words: Mapping[str, tuple[str, ...]]) -> Ruling:
    """Return a ruling with another value at a path. For words, the most similar possible word is used."""
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
            convert = msgspec.convert(wrong, type(ruling.head))
            return Ruling(ruling.file, msgspec.structs.replace(ruling.text, value=convert))
    raise AssertionError(f"{ruling.id}: no other word may stand at {path}")
