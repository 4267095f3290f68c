"""A cache of exact odds, in memory and on disk.

Exact odds are the most expensive computation for computer players, and the same attacks occur in every game. A ruleset
keeps its results in objects of the class `KnownOdds`, one for each kind of question, edition and set of house rules.
New answers are written in batches to a file in the user's cache folder. The file is named by a digest of everything
that the answers depend on: the question, the edition, the house rules, and all code and data of the rules. If the rules
change, the name changes, so an answer is never out of date.

A second, read-only folder is shipped with the package. `caltrop known GAME --fill` fills it from a fixed series of
games, so that a new installation already has the most frequent odds.

The files of cached odds are optional. A missing, damaged or unreadable file counts as empty; if a file cannot be
written, the odds are computed as usual. A file of odds is always replaced as a whole. Programs that write a file at the
same time lose at most each other's latest answers. The number of answers of each kind and the size of the folder are
limited; the oldest files are removed first.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from threading import Lock, get_ident
from typing import Any, Generic, TypeVar

import msgspec

from caltrop import __version__
from caltrop.chance import Distribution
from caltrop.clauses import all_on
from caltrop.engine.rule import Book

E = TypeVar("E")
K = TypeVar("K", bound=Hashable)

_Of = tuple[str, str, str, tuple[tuple[str, Any], ...]]
"""A kind of question, a ruleset, an edition, and house rules."""

FORM = 2
"""Version of the file format."""
SHIPPED = Path(__file__).parents[1] / "known"
"""The read-only folder that is shipped with the package."""
MOST = 20_000
"""Largest number of answers of one kind, in memory and in a file."""
LARGEST = 16 << 20
"""Largest size of the answers in one file, in bytes."""
FOLDER = 96 << 20
"""Largest size of all files together, in bytes."""
BOOKS = 32
"""Number of sets of house rules whose answers are cached on disk. A program that uses more sets of house rules, such as
a study with random ones, rarely repeats a set, so later sets are not written.
"""
FEW = 24
"""Smallest number of new answers that are worth writing to a file."""
SUFFIX = ".odds"
_SUM = 16
"""Size of a digest in bytes."""
_DAY = 86_400


class OddsFile(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a file: the kind of question, the rules, and answers by the digest of the question."""

    question: str
    ruleset: str
    edition: str
    rules: tuple[tuple[str, str | int], ...]
    package: str
    answers: dict[bytes, bytes]

    def name(self) -> str:
        """Return the name of the file for the current rules; a file with another name is out of date.

        Raises OSError if the rules cannot be read, or ImportError if the rules no longer exist.
        """
        about = _encoder.encode((self.question, self.ruleset, self.edition, self.rules))
        return blake2b(sources_digest(self.package) + about, digest_size=_SUM).hexdigest() + SUFFIX


_encoder, _file = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(OddsFile)


def cache_folder() -> Path | None:
    """Return the cache folder; None if nothing should be cached on disk.

    `CALTROP_CACHE` names the folder, or is empty to switch the cache off. If `CALTROP_CACHE` is not set, the cache
    folder is `cache` in `CALTROP_DATA`, or the system's usual place.
    """
    setting = os.environ.get("CALTROP_CACHE")
    if setting is not None:
        return Path(setting) if setting else None
    if os.environ.get("CALTROP_DATA"):
        return Path(os.environ["CALTROP_DATA"], "cache")
    try:
        home = Path.home()
    except RuntimeError:  # the user has no home directory
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local") / "Caltrop" / "Cache"
    if sys.platform == "darwin":
        return home / "Library/Caches/Caltrop"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "caltrop"


@lru_cache(maxsize=32)
def sources_digest(package: str) -> bytes:
    """Return a digest of all that the answers of a ruleset depend on: its code and data, and the code that it builds
    on.

    Raises OSError if the files cannot be read.

    Args:
        package: Dotted name of the package of the ruleset.
    """
    digest = blake2b(f"{FORM} {__version__} {package}".encode(), digest_size=_SUM)
    for name in ("caltrop.chance", "caltrop.engine", "caltrop.kit", "caltrop.roster", package):
        module = importlib.import_module(name)
        files = [Path(folder) for folder in getattr(module, "__path__", [])]
        for folder in files or [Path(str(module.__file__))]:
            for file in [folder] if folder.is_file() else _read_as_rules(folder):
                text = file.read_bytes()
                digest.update(f"{name} {file.relative_to(folder).as_posix()} {len(text)} ".encode() + text)
    return digest.digest()


def _read_as_rules(folder: Path) -> list[Path]:
    """Return the files of code and data in a folder and its subfolders, sorted, without Python's cache files."""
    paths = [
        Path(place, file)
        for place, _, files in os.walk(folder)
        if Path(place).name != "__pycache__"
        for file in files
        if file.endswith((".py", ".yaml", ".json"))
    ]
    if not paths:
        raise OSError(f"{folder} has no files that could be read")
    return sorted(paths)


class KnownOdds(Generic[K, E]):
    """Answers to one kind of question, under one edition with its house rules.

    Args:
        question: The kind of question, such as `attack`; unique in its ruleset.
        book: The edition and the house rules.
        end: The type of the outcomes: a record or a named tuple.
        package: Dotted name of the package whose code and data the answers depend on.
        lasting: True if answers are written to disk.
    """

    def __init__(self, question: str, book: Book, end: type[E], package: str, *, lasting: bool = True) -> None:
        self._of = _key_of(question, book)
        self._lasting = lasting
        self._end, self._package = end, package
        self._values = msgspec.msgpack.Decoder(tuple[tuple[end, ...], tuple[bytes, ...]])  # type: ignore[valid-type]
        self._memory: dict[K, Distribution[E]] = {}
        self._disk: dict[bytes, bytes] | None = None
        """Answers in the files, by the digest of the question; None before the files are read."""
        self._new: dict[bytes, bytes] = {}
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Return a reference to the shared object, so that copies of a game share it, also in other processes."""
        question, ruleset, edition, rules = self._of
        return _again, (question, ruleset, edition, rules, self._end, self._package)

    def get(self, key: K) -> Distribution[E] | None:
        """Return the cached answer, or None.

        Args:
            key: The question: everything that the answer depends on, except the book.
        """
        spread = self._memory.get(key)
        if spread is None and all_on():
            if self._disk is None:
                self._disk = self._shipped() | self._read(cache_folder())
            row = self._disk.get(_digest(key)) if self._disk else None
            if row is not None:
                with contextlib.suppress(msgspec.MsgspecError, ValueError):
                    ends, weights = self._values.decode(row)
                    spread = Distribution(zip(ends, [int.from_bytes(weight, "big") for weight in weights], strict=True))
                    self._remember(key, spread)
        return spread

    def keep(self, key: K, answer: Distribution[E]) -> None:
        """Cache an answer, unless a rule is switched off: the answer would then be valid only for this book."""
        if not all_on():
            return
        self._remember(key, answer)
        if not self._lasting or cache_folder() is None:
            return
        weights = [weight.to_bytes((weight.bit_length() + 7) // 8, "big") for _, weight in answer.weights()]
        self._new[_digest(key)] = _encoder.encode(([end for end, _ in answer.weights()], weights))
        # Batches grow, because a large file takes longer to write and is always written as a whole.
        if len(self._new) >= max(8 * FEW, len(self._disk or ()) // 8):
            self.write()

    def _remember(self, key: K, answer: Distribution[E]) -> None:
        if len(self._memory) >= MOST:
            self._memory.clear()
        self._memory[key] = answer

    def forget(self) -> None:
        """Discard all answers without writing them, for tests that change rules."""
        self._memory.clear()
        self._new.clear()
        self._disk = None

    # --- on disk ---

    def _file(self, answers: dict[bytes, bytes]) -> OddsFile:
        question, ruleset, edition, rules = self._of
        return OddsFile(
            question=question, ruleset=ruleset, edition=edition, rules=rules, package=self._package, answers=answers
        )

    def _place(self) -> Path | None:
        folder = cache_folder()
        return None if folder is None else folder / self._file({}).name()

    def _read(self, folder: Path | None) -> dict[bytes, bytes]:
        with contextlib.suppress(OSError):
            if folder is not None and (odds_file := read_file(folder / self._file({}).name())):
                return odds_file.answers
        return {}

    def _shipped(self) -> dict[bytes, bytes]:
        return {} if os.environ.get("CALTROP_CACHE") == "" else self._read(SHIPPED)

    def write(self) -> None:
        """Merge new answers into the file; do nothing if it cannot be written."""
        with self._lock:
            new, self._new = self._new, {}
            if not new:
                return
            folder = cache_folder()
            held = self._read(folder)
            together: dict[bytes, bytes] = {}
            size = 0
            # New answers come first, so that they stay if there is no room for all.
            for digest, answer in (new | {one: answer for one, answer in held.items() if one not in new}).items():
                size += len(answer) + _SUM + 8
                if len(together) == MOST or size > LARGEST:
                    break
                together[digest] = answer
            self._disk = self._shipped() | together
            with contextlib.suppress(OSError):
                if folder is not None:
                    place = folder / self._file({}).name()
                    _put(place, self._file(together))
                    _tidy(place)

    def end(self) -> None:
        """Write new answers at the end of the program, if there are enough."""
        if len(self._new) >= FEW:
            self.write()


def _digest(key: Hashable) -> bytes:
    return blake2b(_encoder.encode(key), digest_size=_SUM).digest()


def read_file(place: Path) -> OddsFile | None:
    """Return the content of a file of odds; None if it is missing or damaged."""
    try:
        whole = place.read_bytes()
        if blake2b(whole[_SUM:], digest_size=_SUM).digest() != whole[:_SUM]:
            return None
        odds_file = _file.decode(whole[_SUM:])
        if place.parent != SHIPPED:
            with contextlib.suppress(OSError):  # the file may belong to another user, who alone may change its time
                os.utime(place)  # files that were not used for longest are deleted first
        return odds_file
    except (OSError, msgspec.MsgspecError):
        return None


def _put(place: Path, what: OddsFile) -> None:
    body = _encoder.encode(what)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    aside = place.with_name(f"{place.name}.{os.getpid()}.{get_ident()}")
    try:
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(blake2b(body, digest_size=_SUM).digest() + body)
        os.replace(aside, place)
    except OSError:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise


def _tidy(new: Path) -> None:
    """Delete the least recently used files until the folder is small enough."""
    files = []
    for file in new.parent.iterdir():
        if SUFFIX in file.name and file != new:
            with contextlib.suppress(OSError):
                status = file.stat()
                files.append((status.st_mtime, status.st_size, file))
    now = new.stat()
    room = FOLDER - now.st_size
    for at, size, file in sorted(files, reverse=True):
        room -= size
        # Temporary files of a program that was ended while writing are useless.
        if room < 0 or (file.suffix != SUFFIX and now.st_mtime - at > _DAY):
            with contextlib.suppress(OSError):
                file.unlink()


# --- all of them ------------------------------------------------------------------------------------------------------

_KNOWN: dict[_Of, KnownOdds[Any, Any]] = {}
_registering = Lock()
_to_be_ended: set[int] = set()
"""Ids of processes that will write new answers when they end."""


def _key_of(question: str, book: Book) -> _Of:
    return question, book.ruleset, book.edition, tuple(sorted(book.rules.items()))


def _again(
    question: str, ruleset: str, edition: str, rules: tuple[tuple[str, Any], ...], end: type[E], package: str
) -> KnownOdds[Any, E]:
    return _found(question, Book(ruleset=ruleset, edition=edition, rules=dict(rules)), end, package)


def _found(question: str, book: Book, end: type[E], package: str) -> KnownOdds[Any, E]:
    """Return the shared answers to one kind of question, creating them if necessary. If too many kinds of question are
    in memory, the least recently used are removed.
    """
    key = _key_of(question, book)
    with _registering:
        odds: KnownOdds[Any, E] | None = _KNOWN.pop(key, None)
        if odds is None:
            crowded = len(_KNOWN) >= BOOKS
            if crowded:
                _KNOWN.pop(next(iter(_KNOWN))).end()
            odds = KnownOdds(question, book, end, package, lasting=not crowded)
        _KNOWN[key] = odds
    return odds


def known_odds(question: str, book: Book, end: type[E], package: str) -> KnownOdds[Any, E]:
    """Return the shared answers to one kind of question, for all books of one edition with the same house rules.

    Args:
        book: The edition and the house rules.
        end: The type of the outcomes: a record or a named tuple.
        package: Dotted name of the package whose code and data the answers depend on.
    """
    odds: KnownOdds[Any, E] | None = book.scratch.get(question)
    if odds is None:
        odds = book.scratch[question] = _found(question, book, end, package)
        if os.getpid() not in _to_be_ended:
            _to_be_ended.add(os.getpid())
            atexit.register(_end)
            # Processes started by `multiprocessing` do not call `atexit` functions.
            if util := sys.modules.get("multiprocessing.util"):
                util.Finalize(None, _end, exitpriority=10)
    return odds


def _end() -> None:
    for odds in [*_KNOWN.values()]:
        odds.end()


def forget() -> None:
    """Discard all answers to all questions, for tests that change rules."""
    for odds in _KNOWN.values():
        odds.forget()


@contextlib.contextmanager
def filled(folder: Path) -> Iterator[Callable[[], int]]:
    """Write all odds that are computed in a with-block to a folder.

    The block starts with an empty cache, so that the same games always write the same files. The block receives
    functions, each of which writes one file and returns its size in bytes.
    """
    global _KNOWN, SHIPPED
    before, shipped, cache = _KNOWN, SHIPPED, os.environ.get("CALTROP_CACHE")
    _KNOWN, SHIPPED = {}, folder / "none"
    os.environ["CALTROP_CACHE"] = str(folder)

    def written() -> int:
        for odds in _KNOWN.values():
            odds.write()
        return sum([file.stat().st_size for file in folder.glob("*" + SUFFIX)])

    try:
        yield written
        written()
    finally:
        _KNOWN, SHIPPED = before, shipped
        del os.environ["CALTROP_CACHE"]
        if cache is not None:
            os.environ["CALTROP_CACHE"] = cache
