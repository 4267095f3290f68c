"""Rulings: files that ask a question about the rules and answer it by play.

A ruling is a file in a game's folder `data/rulings`. It is a test (its results must be right), a documented answer
(with a question and its clauses), and a position to play from (`position`). The parts that all games share are here:
the head of the file, the folders, and the differences. The content of the cases is defined by each game, in its part
`rulings`.
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
    """Question that a player at the table would ask."""
    answer: str = ""
    """Answer in one or two sentences, which the cases prove."""
    clauses: tuple[str, ...]
    """The clauses and open questions on which the answer is based."""
    editions: tuple[str, ...] = ()
    """Editions in which the ruling holds; by default all of the game's."""
    rules: dict[str, HouseValue] = {}
    """House rules that differ from their default."""


class Ruling(msgspec.Struct, frozen=True):
    """A ruling with its file and its content."""

    file: Path
    text: Read[Any]
    """Content of the file with the places of its values: a `Head` with the cases of the game."""

    @property
    def head(self) -> Head:
        head: Head = self.text.value
        return head

    @property
    def id(self) -> str:
        """Id of the ruling, such as `W33`."""
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
    """Subject of the check, such as `units.target.models`."""
    expected: Any = None
    got: Any = None

    @property
    def words(self) -> str:
        where = f"case {self.case} ({self.edition}): {self.what}"
        return where if self.expected is self.got is None else f"{where}: expected {self.expected}, got {self.got}"

    def __str__(self) -> str:
        """Return the difference with its file, line and ruling."""
        return f"{self.file}:{self.line}:{self.column}: {self.ruling}, {self.words}"


def _half(name: str) -> Rulings[Ruling, RulingDifference, Match]:
    """Return the game's part `rulings`. Raises InputError if the game does not exist or has no rulings."""
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

    Raises InputError for the first fault; the message has file, line, column and field.

    Args:
        game: The game of the ruling; by default the game that the file names.
    """
    return _half(game or _game_of(file)).read(file)


def _game_of(file: Path) -> str:
    raw: Any = read_yaml(file, dict[str, Any]).value
    name = raw.get("ruleset")
    if not isinstance(name, str):
        raise InputError("a ruling must name its game", source=str(file), line=1, column=1, field="ruleset")
    return name


@lru_cache(maxsize=8)
def rulings(name: str) -> tuple[Ruling, ...]:
    """Return all of a game's own rulings, in the order of their files.

    Raises InputError if the game does not exist, or one of the files has a fault.
    """
    half = _half(name)
    return tuple([half.read(file) for file in sorted(folder(name).glob("**/*.yaml"))])


def ruling(name: str, id: str) -> Ruling:
    """Return the ruling of a game with an id, without reading any other file.

    Raises InputError if there is no such ruling.
    """
    pattern = re.compile(rf"^id: *['\"]?{re.escape(id)}['\"]?\s*$", re.MULTILINE)
    half = _half(name)
    for file in sorted(folder(name).glob("**/*.yaml")):
        if pattern.search(file.read_text("utf-8")):
            return half.read(file)
    raise InputError(f"{name} has no ruling {id[:60]!r}", field="ruling")


def check(ruling: Ruling, edition: str | None = None) -> list[RulingDifference]:
    """Play a ruling, and return the differences; empty if it holds.

    Args:
        edition: An edition to play in; by default all in which the ruling holds.
    """
    return _half(ruling.head.ruleset).check(ruling, edition)


def position(ruling: Ruling, case: str | None = None, edition: str | None = None) -> Match:
    """Return a match at the beginning of a case, from which people can play on.

    Raises InputError when there is no such case, or it has no scene.

    Args:
        case: Name of the case; the first that has a scene by default.
        edition: One of the ruling's editions; its first by default.
    """
    return _half(ruling.head.ruleset).position(ruling, case, edition)
