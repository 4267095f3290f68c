"""Find the files of a game and of authors: scenarios, army lists, and other files with an id.

A `Library` holds the files of one sort: the game's own files by their id, and authors' files by a path or as a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from caltrop.clauses import Mark
from caltrop.engine import row_marks
from caltrop.engine.packs import read_with, reading
from caltrop.engine.rule import Guard
from caltrop.errors import InputError
from caltrop.roster import Read, is_text, nearest, read_yaml

T = TypeVar("T")


class Library(Generic[T]):
    """The files of one sort, such as the scenarios of a game.

    Args:
        what: Noun for such a file in errors, such as `scenario`.
        files: The game's own files by id.
        read: Reads and checks a file, given by its path or as a text.
        of: The game's name for errors.
        marked: True if a file may name the clauses that it restates, under `clauses`. It is missing while these are
            switched off.

    >>> from caltrop.roster import read_yaml
    >>> library = Library("tune", {}, lambda file: read_yaml(file, dict[str, int]))
    >>> library.find("beats: 4\\nbars: 16\\n").value["bars"]
    16
    """

    def __init__(
        self,
        what: str,
        files: Mapping[str, Path],
        read: Callable[[Path | str], Read[T]],
        *,
        of: str = "",
        marked: bool = False,
    ) -> None:
        self.what, self.of, self.read = what, of, read
        self._files = dict(files)
        self._marks = _marks(files) if marked else {}
        self._known: dict[str, Read[T]] = {}

    @property
    def files(self) -> dict[str, Path]:
        """The game's own files by id."""
        return {id: file for id, file in self._files.items() if self._holds(id)}

    def _holds(self, id: str) -> bool:
        """Return False while the clauses of a file are switched off, and count the clauses as used."""
        mark = self._marks.get(id)
        return mark is None or mark.fires()

    def own(self, id: str) -> Read[T]:
        if id not in self._known:
            with reading(None):
                self._known[id] = self.read(self._files[id])
        return self._known[id]

    def every(self, key: Callable[[T], Any] | None = None) -> tuple[T, ...]:
        """Return the values of all of the game's own files.

        Args:
            key: Key for their order; the order of their files by default.
        """
        values = [self.own(id).value for id in self.files]
        return tuple(values if key is None else sorted(values, key=key))

    def find(self, word: str, beside: Iterable[str] = ()) -> Read[T]:
        """Read the file that a word names: an id, the path of a file, or the text of a file.

        Raises InputError if there is no such file (the message names the nearest), or the file is wrong.

        Args:
            beside: Further words that are allowed here, for the error.
        """
        every = self.files
        if word in every:
            return self.own(word)
        pack = read_with()
        brought = None if pack is None else pack.text("scenarios" if self.what == "scenario" else "armies", word)
        if brought is not None:
            return self.read(brought)
        if is_text(word):
            return self.read(word)
        if "/" in word or word.endswith((".yaml", ".yml", ".txt", ".json")):
            return self.read(Path(word))
        of = f" of {self.of}" if self.of else ""
        names = (*every, *beside)
        hint = nearest(word, names) if names else "it comes with none: a file is named by its path, as ./mine.yaml"
        raise InputError(f"there is no {self.what} {word!r}{of}; {hint}")


def folder(place: Path) -> dict[str, Path]:
    """Return the YAML files of a folder by id, the file name without its ending."""
    return {file.stem: file for file in sorted(place.glob("*.yaml"))}


def _marks(files: Mapping[str, Path]) -> dict[str, Mark]:
    marks: dict[str, Mark] = {}
    for id, file in files.items():
        read = read_yaml(file, dict[str, Any])
        clauses = read.value.get("clauses")
        if clauses:
            (marks[id],) = row_marks(file, {id: {"file": clauses}}, {id: read.line("clauses")}).values()
    return marks


def obey(read: Read[Any], guard: Guard, forbidden: bool, *path: str | int, **values: Any) -> None:
    """Check a file by a guard of the rules.

    Args:
        guard: The guard with its sentence.

    Raises:
        InputError: if it is forbidden, with the place.
    """
    refusal = guard.refuses(forbidden, **values)
    if refusal is not None:
        raise read.wrong(refusal.with_clause, *path)
