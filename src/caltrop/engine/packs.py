"""Packs: changes that authors make to a rulebook's data without writing code.

A rulebook keeps its rows (units, weapons, kinds of ground) on `Sheet`s. A `PackFile` holds changed rows, other defaults
of house rules, armies and scenarios; a `Pack` is the checked form. The name of a pack contains a digest of its
contents, such as `iron-dawn@3f6c…`: equal packs have equal names everywhere, and different packs have different names.

A pack belongs to one game. The name of a pack is the value of the house rule `pack`, and the `Book` of a match holds
the pack. Code that distinguishes games by their house rules therefore also distinguishes them by their packs. Packs are
immutable, and games with different packs share only the printed rows.
"""

from __future__ import annotations

import os
import re
import sys
import weakref
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Generic, Literal, Protocol, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.errors import InputError
from caltrop.roster import converted, faults_in_form, nearest
from caltrop.roster.places import unspelled

R = TypeVar("R")
T = TypeVar("T")

PACK = "pack"
"""The house rule whose value is the name of the pack in force; games without a pack do not have this house rule."""

FORMAT_VERSION = 1
"""Version of the file format. The version is raised when the format changes; packs in older formats are still read."""

LARGEST_PACK = 256 * 1024
"""Largest size of a pack in bytes, as `written` returns it."""

CARRIED = 64 * 1024
"""Largest size in bytes of a pack that records of games include; a larger one must be installed."""

MOST_ROWS = 200
"""Largest number of rows of a sheet in a pack."""

MOST_FILES = 40
"""Largest number of armies, and of scenarios, in a pack."""

LONGEST_LINE = 300
"""Largest number of characters of a text in a row."""

MOST_ITEMS = 60
"""Largest number of items of a list in a row."""

DEEPEST = 16
"""Deepest nesting of lists and objects in a pack."""

USUAL = (0, 100)
"""Default limits for a number in a row."""

Id = Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9-]{0,39}$")]
"""A short name: small letters, digits and hyphens."""


class EditionAndPack(Protocol):
    """The key of rows: the edition and the pack."""

    edition: str
    pack: Pack | None


class HasPack(Protocol):
    """An object with a book: a state, or the book itself."""

    @property
    def book(self) -> EditionAndPack: ...


Plain = dict[str, Any]
Rows = Callable[[str], Mapping[str, Any]]


class PackFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    format: Literal["caltrop-pack"]
    format_version: int = FORMAT_VERSION
    ruleset: str
    """The game of the pack."""
    id: Id
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    words: Annotated[str, msgspec.Meta(max_length=1000)] = ""
    """Description for players."""
    author: Annotated[str, msgspec.Meta(max_length=60)] = ""
    rules: dict[str, str | int] = {}
    """New defaults of house rules."""
    rows: dict[str, dict[str, Plain]] = {}
    """Changed or new rows by sheet (such as `units`) and key. A changed row lists the values that differ. A new row
    begins as a copy of the row named in `like`.
    """
    armies: dict[str, Plain] = {}
    """Army lists by id, in the form of their files."""
    scenarios: dict[str, Plain] = {}
    """Scenarios by id, in the form of their files."""


class PackUsed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The pack of a recorded game."""

    id: str
    title: str
    digest: str
    """The digest of the pack's contents."""
    content: PackFile | UnsetType = UNSET
    """The pack itself, if it is small enough to be part of the record."""

    @property
    def name(self) -> str:
        return f"{self.id}@{self.digest}"


class Sheet(Generic[R]):
    """Rows of a rulebook that a pack may change, by key.

    Args:
        name: Name of the sheet in packs, such as `units`.
        printed: The rows of the rulebook; if editions differ, a function that returns the rows of an edition.
        hidden: Fields that authors cannot write.
        limits: The least and the greatest number of a field, by the field's name in files.
        refs: Fields that allow only certain words, by their names in files. Each field has a sheet whose keys are
            allowed, or a function that returns the words, given a function that returns the rows of any sheet.
        check: Returns further errors in a row as pairs of words and field, given the row's key.
        whole: Returns an error that concerns all rows together; empty if there is none.
        editions: The editions with printed rows of their own; empty if all have the same rows.
        grows: True if a pack may add rows.
        finish: Adds derived values to a row, given the row from which it was copied or changed.
    """

    def __init__(
        self,
        name: str,
        kind: type[R],
        printed: Mapping[str, R] | Callable[[str], Mapping[str, R]],
        *,
        words: str,
        hidden: tuple[str, ...] = ("key", "marks"),
        limits: Mapping[str, tuple[int, int]] | None = None,
        refs: Mapping[str, str | Callable[[Rows], Collection[str]]] | None = None,
        check: Callable[[str, Any], Iterator[tuple[str, str]]] | None = None,
        whole: Callable[[Mapping[str, R]], str] | None = None,
        editions: tuple[str, ...] = (),
        grows: bool = True,
        finish: Callable[[str, R, R | None], R] | None = None,
    ) -> None:
        self.name, self.kind, self.words = name, kind, words
        self.hidden = tuple([field for field in hidden if field in kind.__struct_fields__])  # type: ignore[attr-defined]
        self._rows = printed if isinstance(printed, Mapping) else None
        self._rows_of = None if isinstance(printed, Mapping) else printed
        self.limits, self.refs = dict(limits or {}), dict(refs or {})
        self.check, self.whole, self.finish, self.editions, self.grows = check, whole, finish, editions, grows

    def printed(self, edition: str = "") -> Mapping[str, R]:
        if self._rows_of is not None:
            return self._rows_of(edition)
        assert self._rows is not None
        return self._rows

    def of(self, b: HasPack) -> Mapping[str, R]:
        """Return the rows in force in a game: the printed rows with the changes of the game's pack."""
        book, rows = b.book, self._rows
        if book.pack is not None:
            return book.pack.rows(self, book.edition)
        return self.printed(book.edition) if rows is None else rows

    def one(self, b: HasPack, key: str) -> R:
        """Return one row in force in a game. Raises KeyError for an unknown key."""
        # Equals `self.of(b)[key]`, without a further call: the rules ask for rows tens of thousands of times in a game.
        if b.book.pack is None and self._rows is not None:
            return self._rows[key]
        return self.of(b)[key]

    def changed(self, b: HasPack) -> dict[str, R]:
        """Return the rows that a game's pack changes or adds; none without a pack."""
        pack = b.book.pack
        if pack is None:
            return {}
        rows = pack.rows(self, b.book.edition)
        return {key: rows[key] for key in pack.file.rows.get(self.name, ()) if key in rows}

    def here(self, edition: str = "") -> Mapping[str, R]:
        """Return the rows for reading a file: the printed rows with the changes of the pack chosen by `reading`."""
        pack = _READING.get()
        return self.printed(edition) if pack is None else pack.rows(self, edition)

    def plain(self, row: R) -> Plain:
        """Return a row in the form in which authors write it."""
        values = {}
        for field in msgspec.structs.fields(self.kind):  # type: ignore[arg-type]
            value = getattr(row, field.name)
            default = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
            if field.name not in self.hidden and value is not UNSET and value != default:
                values[field.encode_name] = _DECODER.decode(_ENCODER.encode(value))
        return values

    def _required(self, base: R | None) -> Plain:
        """Return the required fields that authors cannot write, copied from another row."""
        every = msgspec.structs.fields(self.kind)  # type: ignore[arg-type]
        hidden = [field for field in every if field.name in self.hidden and field.required]
        return {field.encode_name: "" if base is None else getattr(base, field.name) for field in hidden}

    @property
    def fields(self) -> tuple[str, ...]:
        every = msgspec.structs.fields(self.kind)  # type: ignore[arg-type]
        return tuple([field.encode_name for field in every if field.name not in self.hidden])

    def row(self, key: str, fields: Plain, printed: Mapping[str, R], before: Mapping[str, R]) -> R:
        """Return a row of a pack.

        Raises InputError for an error in the row, at the field; or MissingInEdition for a row that the edition lacks.

        Args:
            before: Rows of the pack that were read before.
        """
        if key not in printed and any(key in self.printed(edition) for edition in self.editions):
            raise MissingInEdition
        fields = dict(fields)
        like, place = fields.pop("like", None), f"rows.{self.name}.{key}"
        base = printed.get(key)
        if like is not None:
            if base is not None:
                raise _wrong(f"{place}.like", f"{key} is already a printed row: give only the values that change")
            if not self.grows:
                raise _wrong(place, f"this game always uses the printed {self.name}")
            base = before.get(str(like), printed.get(str(like)))
            if base is None and any(str(like) in self.printed(edition) for edition in self.editions):
                raise MissingInEdition
            if base is None:
                raise _wrong(f"{place}.like", f"there is no row {str(like)[:60]!r}; {nearest(like, printed)}")
        elif base is None and not self.grows:
            raise _wrong(place, f"there is no such row; {nearest(key, printed)}")
        for fault in self.wrong_values(key, fields):
            raise fault
        try:
            row: R = converted(self._merged(base, fields), self.kind)
        except InputError as error:
            if base is None and error.field not in fields:
                hint = nearest(key, printed)
                complaint = f"there is no such row, and a new one lacks {error.field} or `like`; {hint}"
                raise _wrong(place, complaint) from None
            raise _wrong(f"{place}.{error.field}" if error.field else place, error.message) from None
        own = {} if base is None else {name: getattr(base, name) for name in self.hidden}
        if "key" in self.kind.__struct_fields__:  # type: ignore[attr-defined]
            own["key"] = key
        row = msgspec.structs.replace(row, **own)  # type: ignore[type-var]
        return row if self.finish is None else self.finish(key, row, base)

    def _merged(self, base: R | None, fields: Plain) -> Plain:
        return {**self._required(base), **({} if base is None else self.plain(base)), **fields}

    def every_wrong_value(self, key: str, fields: Plain, base: R | None) -> list[InputError]:
        """Return the errors in the fields of a row of a pack, also those of a wrong type; at most one for each field.

        Args:
            base: The printed row that is changed or copied.
        """
        faults = {fault.field: fault for fault in self.wrong_values(key, fields)}
        fields = {field: value for field, value in fields.items() if field != "like"}
        for fault in faults_in_form(self._merged(base, fields), self.kind):
            if unspelled(fault.field or "")[:1] in {(field,) for field in fields}:
                place = f"rows.{self.name}.{key}.{fault.field}"
                faults.setdefault(place, _wrong(place, fault.message))
        return list(faults.values())

    def wrong_values(self, key: str, fields: Plain) -> list[InputError]:
        """Return the errors in the fields of a pack's row: unknown fields, and values out of bounds."""
        place = f"rows.{self.name}.{key}"
        names = {*self.fields, "like"}
        faults = [
            _wrong(f"{place}.{str(field)[:60]}", f"there is no such key; {nearest(field, self.fields)}")
            for field in fields
            if field not in names
        ]
        for field, value in fields.items():
            low, high = self.limits.get(field, USUAL)
            try:
                _bounded(value, low, high, f"{place}.{field}")
            except InputError as error:
                faults.append(error)
        return faults


def _wrong(field: str, message: str) -> InputError:
    return InputError(message, field=field)


def _bounded(value: Any, low: int, high: int, place: str) -> None:
    """Raise InputError for a number out of bounds, or a text or a list that is too long."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        if not low <= value <= high:
            near = low if value < low else high
            raise _wrong(place, f"this must be a number from {low} to {high}; it is {value}, and the nearest is {near}")
    elif isinstance(value, str):
        if len(value) > LONGEST_LINE:
            raise _wrong(place, f"this must be a text of at most {LONGEST_LINE} characters; it has {len(value)}")
    elif len(value) > MOST_ITEMS:
        raise _wrong(place, f"this must be a list of at most {MOST_ITEMS}; it has {len(value)}")
    else:
        for one in value.values() if isinstance(value, Mapping) else value:
            _bounded(one, low, high, place)


class Pack:
    """A pack that has been read and checked; immutable.

    Attributes:
        file: Its contents.
        digest: Digest of the pack's contents.
        name: Name of the pack as a value of the house rule `pack`.
    """

    __slots__ = ("__weakref__", "_derived", "_rows", "digest", "file", "name", "size")

    def __init__(self, file: PackFile) -> None:
        text = written(file)
        self.file, self.size = file, len(text)
        self.digest = blake2b(text, digest_size=16).hexdigest()
        self.name = f"{file.id}@{self.digest}"
        self._rows: dict[tuple[str, str], Mapping[str, Any]] = {}
        self._derived: dict[Any, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return learnt, (self.file,)

    def rows(self, sheet: Sheet[R], edition: str = "") -> Mapping[str, R]:
        """Return the rows of a sheet: the printed rows with the changes of the pack.

        Raises InputError for an error in a row, at the field.
        """
        edition = edition if sheet.editions else ""
        rows_read: Mapping[str, R] | None = self._rows.get((sheet.name, edition))
        if rows_read is None:
            laid, faults = self._read(sheet, edition)
            for fault in faults:
                raise fault
            rows_read = self._rows[sheet.name, edition] = laid
        return rows_read

    def faults(self, sheet: Sheet[R], edition: str = "") -> list[InputError]:
        """Return the errors in the rows of a sheet, each at its field."""
        edition = edition if sheet.editions else ""
        return [] if (sheet.name, edition) in self._rows else self._read(sheet, edition)[1]

    def _read(self, sheet: Sheet[R], edition: str) -> tuple[dict[str, R], list[InputError]]:
        """Return the correct rows of a sheet, and the errors in the other rows."""
        printed = sheet.printed(edition)
        laid, faults, faulty = dict(printed), list[InputError](), set[str]()
        for key, fields in self.file.rows.get(sheet.name, {}).items():
            if fields.get("like") in faulty:
                continue
            try:
                laid[key] = sheet.row(key, fields, printed, laid)
            except MissingInEdition:
                continue
            except InputError as error:
                faulty.add(key)
                base = printed.get(key, laid.get(str(fields.get("like"))))
                faults += sheet.every_wrong_value(key, fields, base) or [error]
        return laid, faults

    def derived(self, key: Any, make: Callable[[], T]) -> T:
        if key not in self._derived:
            self._derived[key] = make()
        value: T = self._derived[key]
        return value

    def text(self, shelf: Literal["armies", "scenarios"], id: str) -> str | None:
        """Return the text of an army list or a scenario in the pack; None for an unknown id."""
        text = getattr(self.file, shelf).get(id)
        return None if text is None else msgspec.json.format(msgspec.json.encode(text), indent=1).decode() + "\n"

    def used(self) -> PackUsed:
        content = self.file if self.size <= CARRIED else UNSET
        return PackUsed(id=self.file.id, title=self.file.title, digest=self.digest, content=content)


class MissingInEdition(Exception):
    """Raised for a row that exists only in other editions."""


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder()


def written(file: PackFile) -> bytes:
    """Return the contents of a pack as bytes. Equal packs give equal bytes."""
    return _ENCODER.encode(file)


def read_pack(raw: Any, source: str | None = None) -> PackFile:
    """Read a pack from plain data, and check its limits.

    Raises InputError for invalid or too large data; the message names the field.
    """
    head = raw if isinstance(raw, Mapping) else {}
    version = head.get("format_version", FORMAT_VERSION)
    if isinstance(version, int) and version > FORMAT_VERSION:
        complaint = f"this pack has format {version}; this Caltrop reads formats up to {FORMAT_VERSION}: update Caltrop"
        raise InputError(complaint, source=source, field="format_version")
    return within_bounds(converted(raw, PackFile, source=source), source)


def within_bounds(file: PackFile, source: str | None = None) -> PackFile:
    """Return the pack unchanged. Raises InputError if the pack is too large; the message names the field."""
    if not _shallow(msgspec.to_builtins((file.rows, file.armies, file.scenarios)), DEEPEST):
        raise InputError(f"this is nested deeper than {DEEPEST}", source=source)
    for name, rows in file.rows.items():
        if len(rows) > MOST_ROWS:
            complaint = f"a sheet has at most {MOST_ROWS} rows; this one has {len(rows)}"
            raise InputError(complaint, source=source, field=f"rows.{name[:60]}")
        for key in rows:
            if not re.fullmatch(_KEY, key):
                complaint = f"{key[:60]!r} is not a key: it may have at most 60 letters, digits, hyphens and a stroke"
                raise InputError(complaint, source=source, field=f"rows.{name[:60]}")
    for shelf in ("armies", "scenarios"):
        files = getattr(file, shelf)
        if len(files) > MOST_FILES:
            raise InputError(
                f"a pack has at most {MOST_FILES} {shelf}; this one has {len(files)}", source=source, field=shelf
            )
        for id in files:
            if not re.fullmatch(_ID, id):
                complaint = f"{id[:60]!r} is not an id: it may have at most 40 small letters, digits and hyphens"
                raise InputError(complaint, source=source, field=shelf)
    try:
        size = len(written(file))
    except (RecursionError, TypeError, ValueError):
        raise InputError("this cannot be written as a pack", source=source) from None
    if size > LARGEST_PACK:
        complaint = f"a pack has at most {LARGEST_PACK // 1024} KiB; this one has {-(-size // 1024)}"
        raise InputError(complaint, source=source)
    return file


def _shallow(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return levels > 0 and all(_shallow(one, levels - 1) for one in inner)


_KEY = r"[a-z0-9][a-z0-9/_-]{0,59}"
_ID = r"[a-z0-9][a-z0-9-]{0,39}"


# --- packs in memory ---

KEPT = 64
"""Number of packs that stay in memory when no game uses them."""

_by_name: weakref.WeakValueDictionary[str, Pack] = weakref.WeakValueDictionary()
"""Every pack in use, by name."""
_lately: OrderedDict[str, Pack] = OrderedDict()
_lock = Lock()


def learnt(file: PackFile) -> Pack:
    """Return the pack with these contents, and register it by name in this process."""
    pack = Pack(file)
    with _lock:
        pack = _by_name.setdefault(pack.name, pack)
        _lately[pack.name] = pack
        _lately.move_to_end(pack.name)
        while len(_lately) > KEPT:
            _lately.popitem(last=False)
    return pack


def packs_folder() -> Path:
    """Return the folder of installed packs in Caltrop's data folder; the folder may not exist."""
    return folder_by_custom() / "packs"


def folder_by_custom() -> Path:
    """Return the system's usual folder for user data; the folder may not exist."""
    if os.environ.get("CALTROP_DATA"):
        return Path(os.environ["CALTROP_DATA"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "Caltrop"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/Caltrop"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "caltrop"


def installed() -> dict[str, Path]:
    try:
        files = [file for file in packs_folder().glob("*.json") if re.fullmatch(_NAME, file.stem) and file.is_file()]
        return {file.stem: file for file in sorted(files, key=lambda file: (file.stat().st_mtime_ns, file.stem))}
    except (OSError, RuntimeError):
        return {}


_NAME = _ID + "@[0-9a-f]{32}"


def pack_called(word: str) -> Pack:
    """Return a pack by its full name, or the latest installed pack with that id.

    Raises InputError if the pack is missing; the message says how to install it.
    """
    by_name = _by_name.get(word)
    if by_name is not None:
        return by_name
    files = installed()
    name = word if word in files else next((n for n in reversed(files) if n.partition("@")[0] == word), None)
    if name is None:
        raise InputError(missing(word, files), field=PACK)
    with files[name].open("rb") as stream:
        text = stream.read(2 * LARGEST_PACK)
    try:
        pack = learnt(read_pack(_DECODER.decode(text), str(files[name])))
    except msgspec.DecodeError as error:
        raise InputError(f"this is not a pack: {error}", source=str(files[name])) from None
    if pack.name != name:
        raise InputError(
            "this file was changed after it was installed: install the pack again", source=str(files[name])
        )
    return pack


def missing(word: str, files: Mapping[str, Path]) -> str:
    """Return the message for a pack that is not installed."""
    word = word[:80]
    id, at, digest = word.partition("@")
    ids = sorted({name.partition("@")[0] for name in files})
    if not at:
        return f"there is no pack {word!r} here; {nearest(word, ids)}" if ids else f"there is no pack {word!r} here"
    other = "; the installed pack with this id has other contents" if id in ids else ""
    return (
        f"this needs the pack {id!r}, digest {digest}, which is not here{other}. "
        "Get its file from those who play with it, then: caltrop pack install FILE"
    )


# --- while a file is read ---------------------------------------------------------------------------------------------

_READING: ContextVar[Pack | None] = ContextVar("pack by which files are read", default=None)


@contextmanager
def reading(pack: Pack | None) -> Iterator[None]:
    """Read files in a with-block with a pack's rows, armies and scenarios; None for the printed rows.

    Code that reads a scenario or an army list is not told the pack of the game; such code calls `Sheet.here` and
    `brought`.
    """
    before = _READING.set(pack)
    try:
        yield
    finally:
        _READING.reset(before)


def read_with() -> Pack | None:
    return _READING.get()


__all__ = [
    "CARRIED",
    "FORMAT_VERSION",
    "LARGEST_PACK",
    "PACK",
    "Pack",
    "PackFile",
    "PackUsed",
    "Sheet",
    "installed",
    "learnt",
    "missing",
    "pack_called",
    "packs_folder",
    "read_pack",
    "read_with",
    "reading",
    "within_bounds",
    "written",
]
