"""Files that a game comes with and that authors write too: scenarios, army lists, and what else has an id and a text.

A `Library` holds the files of one sort: by id those that the game comes with, by a path or as a text those of others.
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
    """The files of one sort of a game.

    Args:
        what: Noun for such a file in an error, as `scenario`.
        files: Those that the game comes with, by id.
        read: Reads one, from a file or as the text itself, and checks it.
        of: The game's name, where errors give it.
        marked: True if a file may name the clauses that it restates, under `clauses`: it is gone while these are
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
        """The files that the game comes with, by id."""
        return {id: file for id, file in self._files.items() if self._holds(id)}

    def _holds(self, id: str) -> bool:
        """Return whether a file holds, counted as read; False while its clauses are switched off."""
        mark = self._marks.get(id)
        return mark is None or mark.fires()

    def own(self, id: str) -> Read[T]:
        if id not in self._known:
            with reading(None):
                self._known[id] = self.read(self._files[id])
        return self._known[id]

    def every(self, key: Callable[[T], Any] | None = None) -> tuple[T, ...]:
        """Return all that the game comes with.

        Args:
            key: Key for their order; the order of their files by default.
        """
        values = [self.own(id).value for id in self.files]
        return tuple(values if key is None else sorted(values, key=key))

    def find(self, word: str, beside: Iterable[str] = ()) -> Read[T]:
        """Return the value that a word means: an id, the path of a file, or the text of one.

        Raises InputError if there is none (the message names the nearest), or it is wrong.

        Args:
            beside: Words that would have meant something besides, for the error.
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
    """Return the YAML files of a folder, by id, which is the file's name without its ending."""
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
    """Hold a file to a guard.

    Args:
        guard: The sentence of the rules.

    Raises:
        InputError: with the place, where it is forbidden.
    """
    refusal = guard.refuses(forbidden, **values)
    if refusal is not None:
        raise read.wrong(refusal.with_clause, *path)
