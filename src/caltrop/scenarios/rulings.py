"""Rulings: files that put a question about the rules and answer it by playing it out.

A ruling is a file in a game's folder `data/rulings`. It is a test (what it says must hold), a documented answer (it has
a question and its clauses), and something to open on a table (`position`). The parts that all games share are here: the
head of the file, the folders of the files, and the differences. The content of a game's cases is that game's own, in
its part `rulings`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from caltrop.engine import HouseValue, Match, ruleset, rulesets
from caltrop.engine.parts import Rulings
from caltrop.errors import InputError
from caltrop.roster import Read, nearest, read_yaml


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of every ruling, whatever its game."""

    ruleset: str
    id: str
    title: str
    question: str
    """Question that somebody at the table would ask."""
    answer: str = ""
    """The answer in a sentence or two; the cases are the proof."""
    clauses: tuple[str, ...]
    """The clauses and open questions that it stands on."""
    editions: tuple[str, ...] = ()
    """The editions in which it holds: all of the game's by default."""
    rules: dict[str, HouseValue] = {}
    """House rules that are not at their default."""


class Ruling(msgspec.Struct, frozen=True):
    """A ruling as it was read."""

    file: Path
    text: Read[Any]
    """Content of the file, with the places in it: a `Head` with the cases of its game."""

    @property
    def head(self) -> Head:
        head: Head = self.text.value
        return head

    @property
    def id(self) -> str:
        """Its id, as in `W33`."""
        return self.head.id

    @property
    def editions(self) -> tuple[str, ...]:
        return self.head.editions or ruleset(self.head.ruleset).editions

    def says(self, *path: str | int) -> bool:
        return path in self.text.places

    def wrong(self, message: str, *path: str | int) -> InputError:
        """Return an error about the value at *path*, with file, line and column."""
        return self.text.wrong(message, *path)


class RulingDifference(msgspec.Struct, frozen=True, kw_only=True):
    """A result that differs from a ruling."""

    ruling: str
    case: str
    edition: str
    file: str
    line: int
    column: int
    what: str
    """Subject of the check, as in `units.target.models`."""
    expected: Any = None
    got: Any = None

    @property
    def words(self) -> str:
        where = f"case {self.case} ({self.edition}): {self.what}"
        return where if self.expected is self.got is None else f"{where}: expected {self.expected}, got {self.got}"

    def __str__(self) -> str:
        """File, line and ruling, and then the same."""
        return f"{self.file}:{self.line}:{self.column}: {self.ruling}, {self.words}"


def _half(name: str) -> Rulings[Ruling, RulingDifference, Match]:
    """Return the game's half of rulings. Raises InputError when there is no such game, or it has no rulings."""
    try:
        half = ruleset(name).rulings
    except ValueError:
        raise InputError(f"there is no game {name!r}; {nearest(name, rulesets())}", field="ruleset") from None
    if half is None:
        raise InputError(f"{name} has no rulings", field="ruleset")
    return half


def folder(name: str) -> Path:
    return ruleset(name).data / "rulings"


def read_ruling(file: Path, game: str | None = None) -> Ruling:
    """Read a ruling strictly.

    Raises InputError for the first thing that is wrong with it; the message has file, line, column and field.

    Args:
        game: The game whose ruling it is; the one that it names by default.
    """
    return _half(game or _game_of(file)).read(file)


def _game_of(file: Path) -> str:
    raw: Any = read_yaml(file, dict[str, Any]).value
    name = raw.get("ruleset")
    if not isinstance(name, str):
        raise InputError("a ruling names its game", source=str(file), line=1, column=1, field="ruleset")
    return name


@lru_cache(maxsize=8)
def rulings(name: str) -> tuple[Ruling, ...]:
    """Return every ruling that a game comes with, in the order of its files.

    Raises InputError when there is no such game, or one of its files is wrong.
    """
    half = _half(name)
    return tuple([half.read(file) for file in sorted(folder(name).glob("**/*.yaml"))])


def ruling(name: str, id: str) -> Ruling:
    """Return the ruling of a game called *id*; no other file of the game is read for it.

    Raises InputError when there is none.
    """
    pattern = re.compile(rf"^id: *['\"]?{re.escape(id)}['\"]?\s*$", re.MULTILINE)
    half = _half(name)
    for file in sorted(folder(name).glob("**/*.yaml")):
        if pattern.search(file.read_text("utf-8")):
            return half.read(file)
    raise InputError(f"{name} has no ruling {id[:60]!r}", field="ruling")


def check(ruling: Ruling, edition: str | None = None) -> list[RulingDifference]:
    """Play a ruling out, and tell the differences from it; nothing if it holds.

    Args:
        edition: One edition only; all in which it holds by default.
    """
    return _half(ruling.head.ruleset).check(ruling, edition)


def position(ruling: Ruling, case: str | None = None, edition: str | None = None) -> Match:
    """Return a match at the point where a case begins, for a table that people can play on.

    Raises InputError when there is no such case, or it has no scene.

    Args:
        case: Name of the case; the first that has a scene by default.
        edition: One of the ruling's editions; its first by default.
    """
    return _half(ruling.head.ruleset).position(ruling, case, edition)
