"""The stored events of a game: its settings, its seats, acts with their dice, and messages.

Names and fields of these events are stored and must not change.
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
    """Key for the digests of this game, which nobody outside the server may learn."""
    always_ask: bool = False
    """True to ask people also about reactions in which they have no choice."""
    hints: bool | None = None
    """True if people may ask for hints; by default, only if fewer than two people play."""
    placed: bool = False
    """True if people have their units placed for them."""
    lesson: str | None = None
    """The lesson with whose position the game began."""
    ruling: str | None = None
    """The ruling with whose position the game began."""
    played_on: bool = False
    """True if the game began with acts of another game."""
    invited: tuple[int, ...] = ()
    """Sides whose players are invited by a link."""
    clock: ClockRule | None = None
    """Time of the sides; None for unlimited."""
    rated: bool = False
    """True if the game counts for ratings."""
    counted: bool = False
    """True if the result of the game counts in a tournament, so that an end by the rules cannot be taken back."""
    pack: PackUsed | UnsetType = UNSET
    """The pack named in the house rules, with its contents."""
    delay: int = 0
    """Number of acts by which onlookers see the game later, until it is over."""

    def player(self, side: int) -> str:
        return self.seats[side] if side < len(self.seats) else "random"

    @property
    def setting(self) -> Setting:
        return Setting.within(self)


class Created(msgspec.Struct, frozen=True, kw_only=True):
    """The first event of a game."""

    setup: Setup
    entries: tuple[Entry, ...]
    """Dice of the opening."""
    digest: str
    waits: tuple[int, ...] | None = None
    """Sides that act first; None in games of older versions."""
    told: bytes = b""
    """Packed texts of the event. Stored texts can still be shown after the rules change."""


class Acted(msgspec.Struct, frozen=True, kw_only=True):
    """An act, with the dice that fell."""

    entries: tuple[Entry, ...]
    digest: str
    acts: int = 0
    """Number of acts in force, for lists of games, which replay nothing."""
    over: bool = False
    waits: tuple[int, ...] | None = None
    """Sides that act next, for lists of games; None in games of older versions."""
    told: bytes = b""
    """Texts of the act, packed."""


class TookBack(msgspec.Struct, frozen=True, kw_only=True):
    """An act taken back."""

    side: int
    consent: bool
    digest: str
    acts: int = 0
    """Number of acts that are in force now."""
    waits: tuple[int, ...] | None = None
    """Sides that act next; None in games of older versions."""
    told: bytes = b""
    """Texts of the undone act, packed."""


class Retold(msgspec.Struct, frozen=True, kw_only=True):
    """Texts of the beginning and of every act and undo, for an older game whose events lack them."""

    told: tuple[bytes, ...]


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """An occurrence outside the rules. A side sat down, got a hint, resigned, ran out of time, or showed everything
    after the end. Other occurrences: a side muted the chat, asked for a rematch, a takeback or a draw, or answered such
    a request.
    """

    side: int
    answer: bool | None = None


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """A line in the log that is not an event of the rules."""

    side: int | None
    text: str
    alone: bool = False
    """True if only that side reads it."""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    side: int
    text: str


class Talked(msgspec.Struct, frozen=True, kw_only=True):
    """A person's message to the others."""

    side: int
    text: str


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """Remaining time of the sides, in milliseconds."""

    left: tuple[int, ...]


class Renewing(msgspec.Struct, frozen=True, kw_only=True):
    """A change for a seat whose player is away: the host asks for a new player, the old player returns, or a new player
    is invited.

    The event's key is the hash of the invitation.
    """

    side: int
    after: int | None = None
    """Earliest time for a new player, in seconds since 1970, if the host asks."""


class Replaced(msgspec.Struct, frozen=True, kw_only=True):
    """A computer player replaces a player who has left."""

    side: int
    player: str


class Habit(msgspec.Struct, frozen=True, kw_only=True):
    """A standing answer, which a side gives automatically to a repeated question in the other side's turn."""

    side: int
    number: int
    decision: str = ""
    action: Any = None
    """The answer; None to end it."""
    beyond: int | None = None
    """The answer is given only if every target is at least this far away, in units of the picture; None for any
    distance.
    """
    words: str = ""
    """Words of the standing answer as it was offered, with its occasion."""


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """An act that waits for real dice to be typed in."""

    side: int
    index: int
    """Index among the decisions asked at the same time."""
    action: Any
    typed: tuple[tuple[int, ...], ...]
    whose: int | None
    count: int
    sides: int
    clauses: tuple[str, ...]
    words: str
    thrown: tuple[tuple[int, ...], ...] = ()
    """Dice that the server has thrown so far in this act. These dice are never thrown again."""


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
    """Return the texts of the beginning and of every act and undo, in order; None for each missing text.

    Raises Damaged if a text cannot be read.
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
        raise DamagedGame("its events cannot be read") from error


def read_rows(rows: Sequence[StoredRow]) -> tuple[Created, list[tuple[StoredRow, Any]]]:
    """Return the events of a game: the first event, and all others with their rows.

    Raises Damaged when an event is missing or cannot be read.
    """
    for number, row in enumerate(rows, 1):
        if row.seq != number:
            raise DamagedGame(f"event {number} is missing")
    if rows[0].kind != "created":
        raise DamagedGame("its first event is not its settings")
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
"""Kinds of events whose keys open seats. Keys of other events prevent requests from being done twice."""

OF_CAMPAIGNS = ("owner", "campaign", "battle")
"""Kinds of events that belong to campaigns, not to games."""


def rolls_of(entries: Sequence[Entry]) -> list[tuple[int, ...]]:
    return [entry.faces for entry in entries if not isinstance(entry, Played) and hasattr(entry, "faces")]


def needed(rows: Sequence[StoredRow]) -> str:
    """Return the versions of Caltrop and of the rules that are required to continue a game."""
    try:
        setup = msgspec.json.decode(rows[0].body)["setup"]
        return f"Caltrop {setup['engine_version']}, with version {setup['rules_version']} of the rules"
    except (msgspec.DecodeError, KeyError, TypeError):
        return "version unknown of the rules"


def seats_now(setup: Setup, rows: Sequence[StoredRow]) -> tuple[str, ...]:
    """Return the current player of each side, after replacements by computers."""
    seats = list(setup.seats)
    for row in rows:
        if row.kind == "replace":
            body = msgspec.json.decode(row.body, type=Replaced)
            seats[body.side] = body.player
    return tuple(seats)


class _SideOf(msgspec.Struct):
    side: int


def opened_by(rows: Sequence[StoredRow]) -> dict[str, int]:
    """Return the side whose seat each valid key opens. A seat may have several keys until it is claimed."""
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
