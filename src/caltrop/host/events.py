"""The stored events of a game: its settings, its seats, acts with their dice, and messages.

Their names and fields are stored and must not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine import Entry, HouseValue, Played
from caltrop.engine.packs import PackUsed
from caltrop.host.faults import DamagedGame
from caltrop.host.packing import Packing
from caltrop.host.storage import StoredRow
from caltrop.journal import Setting
from caltrop.journal.keep import Tale
from caltrop.wire.view import ClockRule

encode = msgspec.json.Encoder().encode


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a new game."""

    ruleset: str
    edition: str
    rules: dict[str, HouseValue]
    scenario: str
    armies: tuple[str, ...]
    size: int | None
    seats: tuple[str, ...]
    friendly: bool
    dice: str | tuple[str, ...]
    engine_version: str
    rules_version: int
    rules_digest: str = ""
    """Hash of the rows of rules data that the game reads; empty in games of older versions."""
    salt: str
    """Keys the digests of this game; never told."""
    always_ask: bool = False
    """True if people are asked for reactions in which they have no choice too."""
    hints: bool | None = None
    """True if people may ask for hints; unless two people play if nobody has said so."""
    placed: bool = False
    """True if people have their units placed for them."""
    lesson: str | None = None
    """The lesson that it is, whose position it began with."""
    ruling: str | None = None
    """The ruling whose position it began with."""
    played_on: bool = False
    """True if it began with acts of another game."""
    invited: tuple[int, ...] = ()
    """The sides whose people come by a link."""
    clock: ClockRule | None = None
    """Time of the sides; None for unlimited."""
    rated: bool = False
    """True if it counts for the ratings of its people."""
    pack: PackUsed | UnsetType = UNSET
    """The pack named in the house rules, with its contents."""
    delay: int = 0
    """Number of acts by which onlookers see it later, until it is over."""

    def player(self, side: int) -> str:
        return self.seats[side] if side < len(self.seats) else "random"

    @property
    def setting(self) -> Setting:
        return Setting.within(self)


class Created(msgspec.Struct, frozen=True, kw_only=True):
    """The first event of a game."""

    setup: Setup
    entries: tuple[Entry, ...]
    """The dice of the opening."""
    digest: str
    waits: tuple[int, ...] | None = None
    """The sides that are to act first; None in games of older versions."""
    told: bytes = b""
    """Packed words of it: stored before the rules change, they can be shown afterwards."""


class Acted(msgspec.Struct, frozen=True, kw_only=True):
    """An act, with the dice that fell."""

    entries: tuple[Entry, ...]
    digest: str
    acts: int = 0
    """Number of acts that are in force now; for lists of games, which play nothing again."""
    over: bool = False
    waits: tuple[int, ...] | None = None
    """The sides that are to act now, for lists of games; None in games of older versions."""
    told: bytes = b""
    """Its words, packed."""


class TookBack(msgspec.Struct, frozen=True, kw_only=True):
    """An act taken back."""

    side: int
    consent: bool
    digest: str
    acts: int = 0
    """Number of acts that are in force now."""
    waits: tuple[int, ...] | None = None
    """The sides that are to act now; None in games of older versions."""
    told: bytes = b""
    """Its words, packed."""


class Retold(msgspec.Struct, frozen=True, kw_only=True):
    """The words of the beginning and of every act and undo before it, of a game whose events did not keep them."""

    told: tuple[bytes, ...]


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A statement of a side beside playing: it sat down, was given a hint, resigned, ran out of time or showed
    everything after the end. Or it switched the talk, asked for a rematch, a takeback or a draw, or answered.
    """

    side: int
    answer: bool | None = None


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """A line for the log that is no event of the rules."""

    side: int | None
    text: str


class Named(msgspec.Struct, frozen=True, kw_only=True):
    side: int
    text: str


class Talked(msgspec.Struct, frozen=True, kw_only=True):
    """A person's words to the others."""

    side: int
    text: str


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """The time that the sides have left, in milliseconds."""

    left: tuple[int, ...]


class Renewing(msgspec.Struct, frozen=True, kw_only=True):
    """A seat whose player is away: the host asks to give it to somebody else, its player is back, or it was given.

    It is given by an invitation, whose hash is the event's key.
    """

    side: int
    after: int | None = None
    """Earliest time for it in seconds since 1970, if the host asks."""


class Replaced(msgspec.Struct, frozen=True, kw_only=True):
    """A computer player replaces a player who has left."""

    side: int
    player: str


class Habit(msgspec.Struct, frozen=True, kw_only=True):
    """A standing answer: what a side answers to a question of the other side's turn, each time when it may."""

    side: int
    number: int
    decision: str = ""
    action: Any = None
    """The answer; None to end it."""
    beyond: int | None = None
    """It is given only if no target is nearer than this, in units of the picture; None for any distance."""
    words: str = ""
    """Words of the answer, as it was offered."""


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """An act that waits for real dice to be typed in."""

    side: int
    index: int
    """Number among the decisions asked at the same time."""
    action: Any
    typed: tuple[tuple[int, ...], ...]
    whose: int | None
    count: int
    sides: int
    clauses: tuple[str, ...]
    words: str
    thrown: tuple[tuple[int, ...], ...] = ()
    """The server's dice in it, as far as they have fallen: they fall but once."""


BODIES: dict[str, Any] = {
    "seat": Said,
    "claim": Said,
    "name": Named,
    "talk": Talked,
    "hush": Said,
    "rematch": Said,
    "await": Said,
    "renew": Renewing,
    "replace": Replaced,
    "habit": Habit,
    "draw": Said,
    "late": Said,
    "clock": Spent,
    "act": Acted,
    "undo": TookBack,
    "takeback": Said,
    "resign": Said,
    "show": Said,
    "hint": Said,
    "note": Noted,
    "pending": Pending,
    "record": Retold,
}


def tales_of(
    created: Created, acted: Sequence[tuple[StoredRow, Any]], packing: Packing | None = None
) -> list[Tale | None]:
    """Return the tales of the beginning and of every act and undo, in order; None for each that is not stored.

    Raises Damaged when one cannot be read.
    """
    bodies = [created.told]
    for _, body in acted:
        if isinstance(body, Acted | TookBack):
            bodies.append(body.told)
        elif isinstance(body, Retold):
            bodies[: len(body.told)] = body.told
    packing = packing or Packing()
    try:
        return [packing.unpacked(each) if each else None for each in bodies]
    except ValueError as error:
        raise DamagedGame("what it told cannot be read") from error


def read_rows(rows: Sequence[StoredRow]) -> tuple[Created, list[tuple[StoredRow, Any]]]:
    """Return the events of a game: the first, and all others with their rows.

    Raises Damaged when one is missing or cannot be read.
    """
    for number, row in enumerate(rows, 1):
        if row.seq != number:
            raise DamagedGame(f"event {number} is missing")
    if rows[0].kind != "created":
        raise DamagedGame("its first event is not how it was made")
    row = rows[0]
    try:
        created = msgspec.json.decode(row.body, type=Created)
        acted = []
        for row in rows[1:]:
            acted.append((row, msgspec.json.decode(row.body, type=BODIES[row.kind])))
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError) as error:
        raise DamagedGame(f"event {row.seq} cannot be read") from error
    return created, acted


OF_SEATS = ("seat", "claim", "renew")
"""Kinds of events whose keys open seats. Those of others are of requests that are not to be done twice."""

OF_CAMPAIGNS = ("owner", "campaign", "battle")
"""Kinds of events that are kept beside those of games, of campaigns."""


def rolls_of(entries: Sequence[Entry]) -> list[tuple[int, ...]]:
    return [entry.faces for entry in entries if not isinstance(entry, Played) and hasattr(entry, "faces")]


def needed(rows: Sequence[StoredRow]) -> str:
    """Return the conditions to go on with a game: the version of Caltrop and of the rules."""
    try:
        setup = msgspec.json.decode(rows[0].body)["setup"]
        return f"Caltrop {setup['engine_version']}, with version {setup['rules_version']} of the rules"
    except (msgspec.DecodeError, KeyError, TypeError):
        return "version unknown of the rules"


def seats_now(setup: Setup, rows: Sequence[StoredRow]) -> tuple[str, ...]:
    """Return the player of each side now, after computers have gone on in the place of people."""
    seats = list(setup.seats)
    for row in rows:
        if row.kind == "replace":
            body = msgspec.json.decode(row.body, type=Replaced)
            seats[body.side] = body.player
    return tuple(seats)


class _SideOf(msgspec.Struct):
    side: int


def opened_by(rows: Sequence[StoredRow]) -> dict[str, int]:
    """Return which seats a game's secrets open, by their keys: several may open one, until somebody claims it."""
    keys: dict[str, int] = {}
    for row in rows:
        if row.kind in ("seat", "claim", "replace") or (row.kind == "renew" and row.key is not None):
            side = msgspec.json.decode(row.body, type=_SideOf).side
            if row.kind == "replace":
                keys = {key: of for key, of in keys.items() if of != side}
                continue
            if row.kind != "seat":
                keys = {key: of for key, of in keys.items() if of != side}
            keys[row.key or ""] = side
    return keys
