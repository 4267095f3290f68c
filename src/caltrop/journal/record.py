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
"""Version of the file format. Older files can still be read."""

PERSON = "person"
"""Player name in a record for a person."""

LIMIT = 64 * 1024 * 1024
"""Largest size of a record, in uncompressed bytes."""


class Setting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a game before its first act."""

    ruleset: str
    edition: str
    rules: dict[str, HouseValue] = {}
    """Chosen house rules; the others have their default."""
    scenario: str
    armies: tuple[str, ...] = ()
    size: int | None = None
    pack: PackUsed | UnsetType = UNSET
    """The pack that the house rule `pack` names, with its content, so that it need not be installed."""

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
        """The ruleset of the game. Raises ValueError if the ruleset does not exist."""
        return ruleset(self.ruleset)

    @property
    def book(self) -> Book:
        """The rulebook of the game, with its edition, house rules and pack.

        Raises:
            ValueError: for an unknown name or value; the message names the nearest right value, or the missing pack.
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
            keep: True to store earlier states, for undo.
            in_place: True to change the state in place, for callers that keep no reference to it.
        """
        return Match(self.rulebook, self.start(), dice, keep=keep, in_place=in_place)


def pack_of(book: Book) -> PackUsed | UnsetType:
    """Return the pack of a rulebook with its content; unset if it has none."""
    if book.pack is None:
        return UNSET
    return msgspec.structs.replace(book.pack.used(), content=book.pack.file)


def carried_pack(setting: Setting) -> PackUsed | UnsetType:
    """Return the pack of a setting for a record; the content is included only if it is short."""
    used = setting.pack
    if used is UNSET or used.content is UNSET or len(written(used.content)) <= CARRIED:
        return used
    return msgspec.structs.replace(used, content=UNSET)


class Turn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Public picture of the table at the beginning of a turn or at the end of the game."""

    view: Picture


class ActEntry(msgspec.Struct, frozen=True, kw_only=True, tag="action", forbid_unknown_fields=True, omit_defaults=True):
    """A side answered a decision."""

    side: int
    decision: str
    index: int = 0
    """Index among the decisions asked at the same time."""
    clauses: tuple[str, ...] = ()
    """The clauses that put the question."""
    action: dict[str, Any] | None
    digest: str = ""
    """Hash of the resulting state; empty if it must not be revealed yet."""
    words: tuple[str, ...] = ()
    """Sentences on the events of the act."""
    turn: Turn | None = None
    """Picture of the table, if a turn begins or the game ends."""


class RollEntry(msgspec.Struct, frozen=True, kw_only=True, tag="roll", forbid_unknown_fields=True, omit_defaults=True):
    """A roll caused by the act before it, or by the beginning of the game."""

    faces: tuple[int, ...] | None
    sides: int
    clauses: tuple[str, ...]
    side: int | None = None
    secret: bool = False
    typed: bool = False
    """True if real dice were rolled and typed in."""


class UndoEntry(msgspec.Struct, frozen=True, kw_only=True, tag="undo", forbid_unknown_fields=True, omit_defaults=True):
    """A side took acts back."""

    side: int
    to: int
    """Number of acts that remain in force."""
    consent: bool = False
    """True if another side permitted the undo."""
    turn: Turn | None = None
    """Picture of the table, if the undo led to the beginning of a turn."""


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
    """The pack in force, which the house rules name too; a large pack is stored without its content."""
    players: tuple[str, ...]
    """Name of the player of each side."""
    rules_version: int
    """Version of the rules by which the game was played."""
    rules_digest: str = ""
    """Hash of the rows of rules data that the game's edition, house rules and forces use; empty in older files."""
    seed: int | str | None = None
    """Seed of the dice; None in the record of an unfinished game."""
    salted: bool = False
    """True if every digest is salted with a secret, because the game is unfinished."""
    outcome: Outcome | None = None
    """End of the game; None while it goes on."""
    resigned: int | None = None
    """The side that gave up, if that ended the game."""
    late: int | None = None
    """The side whose time ran out, if that ended the game."""
    agreed: bool = False
    """True if the sides agreed on a draw, which ended the game."""
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
    """Return the bytes of a record's file; equal records give equal bytes."""
    text = msgspec.json.encode(record, order="deterministic") + b"\n"
    return gzip.compress(text, mtime=0) if packed else text


def save(record: Record, path: Path) -> None:
    """Write a record to a file, compressed with gzip if the name ends in `.gz`."""
    path.write_bytes(encoded(record, packed=path.suffix == ".gz"))


def load(path: Path) -> Record:
    """Read a record, and check that all names in it exist.

    Raises InputError if the record cannot be read or contains an unknown name; the message has the place.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:  # A file name with a NUL character raises ValueError.
        raise InputError(getattr(error, "strerror", None) or str(error), source=str(path)) from None
    record = decoded(text, str(path))
    check(record, str(path))
    return record


def check(record: Record, source: str | None = None) -> None:
    """Raise an error if a record contains unknown names.

    Another version of the rules may have had other scenarios and house rules; then only the ruleset's name is checked.
    Raises InputError for an unknown game, edition, house rule, scenario, army or size; the message names the nearest.
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
            # The place of a fault in an embedded text is a place in that text.
            error.field = error.field if error.source else error.field or field or None
            error.source = error.source or source
            raise
        raise InputError(str(error), source=source, field=field or None) from None


def decoded(text: bytes, source: str | None = None, *, limit: int | None = None) -> Record:
    """Read a record from the bytes of a file.

    Raises InputError if the text is not the record of a game; the message has the place.

    Args:
        limit: Largest size in uncompressed bytes; `LIMIT` by default.
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
    """Convert an error of the decoder to an InputError with the field, the number of the entry and the nearest right
    word.
    """
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
