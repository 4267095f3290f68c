"""The file of a recorded game: one strict JSON document, plain or gzipped."""

from __future__ import annotations

import difflib
import gzip
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import msgspec
from msgspec import UNSET, UnsetType

from caltrop import __version__
from caltrop.chance import Dice
from caltrop.engine import Book, HouseValue, Match, Outcome, Ruleset, State, ruleset
from caltrop.engine.packs import CARRIED, PACK, Pack, PackUsed, within_bounds, written
from caltrop.errors import InputError
from caltrop.picture import Picture
from caltrop.roster import newer, utf8

FORMAT_VERSION = 1
"""Raised when the shape of the file changes; older files are still read."""

PERSON = "person"
"""Name of a player who is a person."""

LIMIT = 64 * 1024 * 1024
"""The most bytes that a record may have, unpacked."""


class Setting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game before anybody has played in it."""

    ruleset: str
    edition: str
    rules: dict[str, HouseValue] = {}
    """House rules that were chosen; the others have their default."""
    scenario: str
    armies: tuple[str, ...] = ()
    size: int | None = None
    pack: PackUsed | UnsetType = UNSET
    """The pack that the house rule `pack` names, with what it says; it is known without being installed then."""

    @classmethod
    def of(cls, book: Book, scenario: str, armies: Sequence[str] = (), size: int | None = None) -> Self:
        return cls(
            ruleset=book.ruleset,
            edition=book.edition,
            rules=book.rules,
            scenario=scenario,
            armies=tuple(armies),
            size=size,
            pack=pack_of(book),
        )

    @classmethod
    def chosen(
        cls,
        game: str,
        edition: str | None = None,
        scenario: str | None = None,
        armies: Sequence[str] = (),
        size: int | None = None,
        rules: Mapping[str, HouseValue] | None = None,
    ) -> Self:
        """Return a person's choices, with the game's first edition and scenario by default.

        Raises InputError for a name or a value that does not exist; the message names the nearest right one.
        """
        try:
            game_rules = ruleset(game)
            book = game_rules.book(edition, rules)
            first = scenario if scenario is not None else game_rules.scenarios()[0].id
        except InputError:
            raise
        except ValueError as error:
            raise InputError(str(error)) from None
        return cls.of(book, first, armies, size)

    @classmethod
    def within(cls, message: msgspec.Struct) -> Setting:
        return cls(**{field: getattr(message, field) for field in cls.__struct_fields__})

    @property
    def rulebook(self) -> Ruleset:
        """Its ruleset. Raises ValueError when there is none of that name."""
        return ruleset(self.ruleset)

    @property
    def book(self) -> Book:
        """Its edition, house rules and pack.

        Raises:
            ValueError: for what does not exist; the message names the nearest right value, or the pack that is needed.
        """
        rules = self.rulebook
        if self.pack is not UNSET and self.pack.content is not UNSET:
            pack = rules.pack(self.pack.content)
            if pack.name != self.rules.get(PACK):
                raise InputError("the pack that is given here is not the one that the house rules name", field=PACK)
        return rules.book(self.edition, self.rules)

    def start(self) -> State:
        """Return the state before the first step.

        Raises ValueError for a name or a value that does not exist; the message names the nearest right one.
        """
        return self.rulebook.begin(self.book, self.scenario, self.armies, self.size)

    def begin(self, dice: Dice, *, keep: bool = True, in_place: bool = False) -> Match:
        """Return a match at its first decision.

        Raises ValueError for a name or a value that does not exist; the message names the nearest right one.

        Args:
            keep: True if earlier states are kept, for undo.
            in_place: True if it is played on in place, for those who hold no state of it.
        """
        return Match(self.rulebook, self.start(), dice, keep=keep, in_place=in_place)


def pack_of(book: Book) -> PackUsed | UnsetType:
    """Return the pack of a rulebook, whole; unset without one."""
    if book.pack is None:
        return UNSET
    return msgspec.structs.replace(book.pack.used(), content=book.pack.file)


def carried_pack(setting: Setting) -> PackUsed | UnsetType:
    """Return the pack of a setting for a record: with its content only if that is short."""
    used = setting.pack
    if used is UNSET or used.content is UNSET or len(written(used.content)) <= CARRIED:
        return used
    return msgspec.structs.replace(used, content=UNSET)


class Turn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table as everybody may see it, at the beginning of a turn and at the end of the game."""

    view: Picture


class ActEntry(msgspec.Struct, frozen=True, kw_only=True, tag="action", forbid_unknown_fields=True, omit_defaults=True):
    """A side answered a decision."""

    side: int
    decision: str
    index: int = 0
    """Number among the decisions that were asked at the same time."""
    clauses: tuple[str, ...] = ()
    """The clauses that put the question."""
    action: dict[str, Any] | None
    digest: str = ""
    """Hash of the state that resulted; empty if it may not be told yet."""
    words: tuple[str, ...] = ()
    """Events in sentences."""
    turn: Turn | None = None
    """The new turn, if a turn begins or the game ends."""


class RollEntry(msgspec.Struct, frozen=True, kw_only=True, tag="roll", forbid_unknown_fields=True, omit_defaults=True):
    """Dice fell, because of the act before, or of the beginning of the game."""

    faces: tuple[int, ...] | None
    sides: int
    clauses: tuple[str, ...]
    side: int | None = None
    secret: bool = False
    typed: bool = False
    """True if they were real dice, typed in."""


class UndoEntry(msgspec.Struct, frozen=True, kw_only=True, tag="undo", forbid_unknown_fields=True, omit_defaults=True):
    """A side took acts back."""

    side: int
    to: int
    """Number of acts remained in force."""
    consent: bool = False
    """True if the other side gave leave."""
    turn: Turn | None = None
    """The new turn, if that led into one."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: Literal["caltrop-game"] = "caltrop-game"
    format_version: int = FORMAT_VERSION
    engine_version: str = __version__
    ruleset: str
    edition: str
    rules: dict[str, HouseValue]
    """Every house rule with its value."""
    scenario: str
    armies: tuple[str, ...] = ()
    size: int | None = None
    pack: PackUsed | UnsetType = UNSET
    """The pack that was in force, whose name stands among the house rules too; a large one is only named."""
    players: tuple[str, ...]
    """Player of each side."""
    rules_version: int
    """The version of the ruleset's code by which it was played."""
    rules_digest: str = ""
    """Hash of the rows of rules data that its edition, house rules and forces read; empty in older files."""
    seed: int | str | None = None
    """Seed of the dice; never in a file of a game that goes on."""
    salted: bool = False
    """True if a secret went into every digest, because the game goes on."""
    outcome: Outcome | None = None
    """End of the game; None while it goes on."""
    resigned: int | None = None
    """The side that gave up, where that ended the game."""
    late: int | None = None
    """The side whose time was up, where that ended the game."""
    agreed: bool = False
    """True if the sides agreed on a draw, and that ended the game."""
    opening: Turn
    digest: str = ""
    """Hash of the state at the first decision."""
    entries: tuple[ActEntry | RollEntry | UndoEntry, ...]

    @property
    def setting(self) -> Setting:
        return Setting.within(self)

    @property
    def own_pack(self) -> Pack | None:
        if self.pack is UNSET or self.pack.content is UNSET:
            return None
        return Pack(within_bounds(self.pack.content))


class _RecordHead(msgspec.Struct):
    format: str = ""
    format_version: int = FORMAT_VERSION
    engine_version: Any = None


_RECORD = msgspec.json.Decoder(Record)
_HEAD = msgspec.json.Decoder(_RecordHead)
_WORDS = sorted(
    {
        "action",
        "roll",
        "undo",
        *(f for s in (Record, Turn, ActEntry, RollEntry, UndoEntry) for f in s.__struct_fields__),
    }
)


def encoded(record: Record, *, packed: bool = False) -> bytes:
    """Return the record as a file: the same bytes for equal records."""
    text = msgspec.json.encode(record, order="deterministic") + b"\n"
    return gzip.compress(text, mtime=0) if packed else text


def save(record: Record, path: Path) -> None:
    """Write a record; gzipped where the name ends in `.gz`."""
    path.write_bytes(encoded(record, packed=path.suffix == ".gz"))


def load(path: Path) -> Record:
    """Read a record, and check that what it names exists.

    Raises InputError when it cannot be read, or names what does not exist; the message names the place.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:  # a name with a NUL in it is a ValueError
        raise InputError(getattr(error, "strerror", None) or str(error), source=str(path)) from None
    record = decoded(text, str(path))
    check(record, str(path))
    return record


def check(record: Record, source: str | None = None) -> None:
    """Raise an error if a record names what does not exist.

    By another version of the rules a game may have had other scenarios and house rules: of its record the game's name
    alone is checked. Raises InputError for an unknown game, edition, house rule, scenario, army or size; the message
    names the nearest.
    """
    field = "ruleset"
    try:
        rules = record.setting.rulebook
        if record.rules_version != rules.rules_version:
            return
        field = "edition"
        rules.book(record.edition)
        field = "rules"
        book = record.setting.book
        field = ""
        rules.begin(book, record.scenario, record.armies, record.size)
    except ValueError as error:
        if isinstance(error, InputError):
            # A fault in a text that the record carries is placed in that text.
            error.field = error.field if error.source else error.field or field or None
            error.source = error.source or source
            raise
        raise InputError(str(error), source=source, field=field or None) from None


def decoded(text: bytes, source: str | None = None, *, limit: int | None = None) -> Record:
    """Read a record from the bytes of a file.

    Raises InputError when it is no record of a game; the message names the place.

    Args:
        limit: The most bytes that it may have, unpacked; `LIMIT` by default.
    """
    limit = LIMIT if limit is None else limit
    if text[:2] == b"\x1f\x8b":
        text = _unpacked(text, source, limit)
    if len(text) > limit:
        raise InputError(f"a record has at most {limit // 1024 // 1024} MiB here, unpacked", source=source)
    text = utf8(text, source)
    if not text.strip():
        raise InputError("the file is empty, or was truncated", source=source)
    try:
        head = _HEAD.decode(text)
        if head.format != "caltrop-game":
            raise InputError(
                'this is not a recorded game: "caltrop-game" is missing here', source=source, field="format"
            )
        if head.format_version > FORMAT_VERSION:
            complaint = newer(head.format_version, FORMAT_VERSION, head.engine_version)
            raise InputError(complaint, source=source, field="format_version")
        if head.format_version < 1:
            raise InputError("formats are counted from 1", source=source, field="format_version")
        record = _RECORD.decode(text)
        _once_each(text, source)
        return record
    except msgspec.ValidationError as error:
        raise _placed(error, source) from None
    except msgspec.DecodeError as error:
        raise _malformed(error, text, source) from None
    except RecursionError:
        raise InputError("the brackets are nested too deeply", source=source) from None


def _once_each(text: bytes, source: str | None) -> None:
    """Raise an error if a key occurs twice in one object, because the decoder would take the last one."""

    def see(pairs: list[tuple[str, Any]]) -> None:
        if len(pairs) > 1 and len(dict(pairs)) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError("an object contains the key twice", source=source, field=twice)

    json.loads(text, object_pairs_hook=see)


def _unpacked(text: bytes, source: str | None, limit: int) -> bytes:
    unpacking = zlib.decompressobj(31)
    try:
        plain = unpacking.decompress(text, limit + 1)
    except zlib.error:
        raise InputError("the gzipped file is damaged", source=source) from None
    if len(plain) <= limit and not unpacking.eof:
        raise InputError("the gzipped file is cut short", source=source)
    if unpacking.unused_data.strip(b"\0"):
        raise InputError("something follows the end of the gzipped file", source=source)
    return plain


def _placed(error: msgspec.ValidationError, source: str | None) -> InputError:
    """Return the error of the decoder, with the field, the number of the entry and the nearest right word."""
    words, _, place = str(error).partition(" - at `$")
    field = place.rstrip("`").lstrip(".") or None
    wrong = re.search(r"(?:unknown field `|Invalid value ')([^`']*)[`']", words)
    if wrong:
        near = difflib.get_close_matches(wrong[1], _WORDS, 1)
        words += f"; did you mean {near[0]}?" if near else ""
    entry = re.match(r"entries\[(\d+)\]", field or "")
    if entry:
        words = f"entry {int(entry[1]) + 1}: {words[:1].lower()}{words[1:]}"
    return InputError(words, source=source, field=field)


def _malformed(error: msgspec.DecodeError, text: bytes, source: str | None) -> InputError:
    at = re.search(r"byte (\d+)", str(error))
    start = int(at[1]) if at else len(text)
    line = text.count(b"\n", 0, start) + 1
    return InputError(str(error), source=source, line=line, column=start - text.rfind(b"\n", 0, start))
