"""The stored state of a game (its standing), so that opening it needs no replay.

The events still define the game. A standing counts only for the program and rules that wrote it, and only if its digest
matches the events. Without such a standing the game is replayed. The past before the standing is replayed on demand.
"""

from __future__ import annotations

import hashlib
import logging
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

import caltrop
from caltrop.chance import Scripted
from caltrop.engine import Entry, Fell, Match, Played, Ruleset, State, Undone
from caltrop.engine.match import Point
from caltrop.engine.store import restored as read_state
from caltrop.engine.store import stored_in_order
from caltrop.host.events import Acted, Created, Habit, Pending, TookBack, read_rows, rolls_of, tales_of
from caltrop.host.game import HostedGame
from caltrop.host.log import DonePart, in_force
from caltrop.host.packing import LARGEST, Packing
from caltrop.host.restoring import play_again, restored
from caltrop.host.seats import SecureDice, ServerLibrary
from caltrop.host.storage import StoredRow, add_to_hash
from caltrop.journal.keep import Tale
from caltrop.wire import LogEntry, TalkLine, as_action

log = logging.getLogger("caltrop.host")

EVERY = 8
"""Number of events after which a game's state is stored again."""


class StoredStanding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The state of a game after an event."""

    seq: int
    events: str
    """Hash of the events up to the stored state."""
    rules: str
    """Hash of the rows of rules data that the game used."""
    state: msgspec.Raw
    active: int
    """The active side before the first step."""
    backs: tuple[int, ...] = ()
    """For every undo, the number of acts that remained in force."""
    boundaries: tuple[str, ...] = ()
    """For every act in force, the reason why it may not be taken back freely."""
    asked_at: int
    hides: bool = False
    resigned: int | None = None
    late: int | None = None
    agreed: bool = False
    shown_by: int | None = None
    takeback: int | None = None
    pending: Pending | None = None
    keys: dict[str, int] = {}
    lapsed: dict[str, int] = {}
    taken_back: tuple[Played, ...] = ()
    """Acts that may be redone."""
    deeds: tuple[tuple[str, ...], ...] = ()
    """Entries that the lesson has recorded."""
    lines: tuple[tuple[LogEntry | int, ...], ...]
    """The lines of the log for each reader, in the order of `HostedGame.eyes`. A number stands for that many lines that
    are equal to the first reader's lines.
    """
    done: tuple[tuple[int, tuple[tuple[int, tuple[int, ...]], ...]], ...] = ()
    """The stretches of acts with several stretches: the side of each, and its last line for each reader."""
    gone: tuple[tuple[int | None, int, int, tuple[int, str] | None], ...] = ()
    names: tuple[tuple[int, str], ...] = ()
    awaited: tuple[int, ...] = ()
    guests: tuple[int, ...] = ()
    renewals: tuple[tuple[int, int, int | None], ...] = ()
    """For seats that will be given to somebody else, the number of requests and the earliest time."""
    talk: tuple[TalkLine, ...] = ()
    hushed: tuple[int, ...] = ()
    again: tuple[int, ...] = ()
    hinted: tuple[int, ...] = ()
    draw: int | None = None
    left: tuple[int, ...] = ()
    """Remaining time of the sides, if there is a clock."""
    seats: tuple[str, ...] = ()
    """Player of each side, if a computer has replaced a person."""
    habits: tuple[Habit, ...] = ()
    habit_number: int = 0
    told_late: tuple[int, ...] = ()
    """Sides for which it was announced that their time is up."""


_encode, _decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(StoredStanding).decode


def events_hash(rows: Iterable[StoredRow]) -> str:
    hashed = hashlib.blake2b(digest_size=16)
    add_to_hash(hashed, rows)
    return hashed.hexdigest()


def standing_of(game: HostedGame, events: str) -> StoredStanding:
    """Return the current state of a game for storage. The standing is immutable, so a thread may write it."""
    match, eyes, people = game.match, game.eyes, game.people
    for one in eyes:  # so that lost units are known without reading earlier moments
        game.gone.view(one, game.drawn.now(one).picture, in_force(game.log.lines[one]))
    return StoredStanding(
        seq=game.seq,
        events=events,
        rules=game.ruleset.rules_digest(match.state),
        state=msgspec.Raw(stored_in_order(match.state)),
        active=0 if match.start is None else match.start.side,
        backs=tuple([entry.to for entry in match.journal if isinstance(entry, Undone)]),
        boundaries=tuple([point.boundary for point in match.history]),
        asked_at=game.asked_at,
        hides=game.hides,
        resigned=game.resigned,
        late=game.late,
        agreed=game.agreed,
        shown_by=game.shown_by,
        takeback=game.takeback,
        pending=game.pending,
        keys=dict(game.keys),
        lapsed=dict(game.lapsed),
        taken_back=tuple(game.undone.taken_back),
        deeds=() if game.coach is None else tuple(game.coach.deeds),
        lines=tuple(
            [_shortened(game.log.lines[one], game.log.lines[eyes[0]] if n else ()) for n, one in enumerate(eyes)]
        ),
        done=tuple(
            [
                (act, tuple([(part.side, tuple([part.lines[one] for one in eyes])) for part in parts]))
                for act, parts in game.log.done.items()
            ]
        ),
        gone=game.gone.kept(),
        names=tuple(people.names.items()),
        awaited=tuple(sorted(people.awaited)),
        guests=tuple(sorted(people.guests)),
        renewals=tuple([(side, times, after) for side, (times, after) in sorted(people.renewals.items())]),
        talk=tuple(people.talk),
        hushed=tuple(sorted(people.hushed)),
        again=tuple(sorted(people.again)),
        hinted=tuple(sorted(people.hinted)),
        draw=people.draw,
        left=() if game.clock is None else tuple(game.clock.left),
        seats=game.setup.seats,
        habits=tuple(people.habits.values()),
        habit_number=people.habit_number,
        told_late=() if game.clock is None else tuple(sorted(game.clock.told)),
    )


def _shortened(lines: Sequence[LogEntry], first: Sequence[LogEntry]) -> tuple[LogEntry | int, ...]:
    """Return lines, with a number in place of lines that equal the first reader's lines."""
    short: list[LogEntry | int] = []
    for line, other in zip(lines[: len(first)], first[: len(lines)], strict=True):
        if line is not other and line != other:
            short.append(line)
        elif short and isinstance(short[-1], int):
            short[-1] += 1
        else:
            short.append(1)
    return (*short, *lines[len(first) :])


def _in_full(short: Iterable[LogEntry | int], first: Sequence[LogEntry]) -> list[LogEntry]:
    """Return the original lines of an output of `_shortened`."""
    lines: list[LogEntry] = []
    for line in short:
        if isinstance(line, int):
            lines += first[len(lines) : len(lines) + line]
        else:
            lines.append(line)
    return lines


def written(standing: StoredStanding) -> bytes:
    return zlib.compress(_encode(standing), 1)


def _read(body: bytes) -> StoredStanding:
    unpacked = zlib.decompressobj().decompress(body, LARGEST)
    return _decode(unpacked)


@lru_cache(maxsize=32)
def stamp_of(ruleset: Ruleset) -> str:
    """Return a hash of all files of the program and the rules."""
    ours = Path(str(caltrop.__file__)).parent
    own = Path(str(sys.modules[ruleset.state.__module__].__file__)).parent
    parts = [caltrop.__version__, ruleset.name, _hash_of(ours), "" if own.is_relative_to(ours) else _hash_of(own)]
    return hashlib.blake2b(" ".join(parts).encode(), digest_size=16).hexdigest()


@lru_cache(maxsize=32)
def _hash_of(folder: Path) -> str:
    hashed = hashlib.blake2b(digest_size=16)
    for path in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".yaml", ".json")):
        if "node_modules" not in path.parts:
            hashed.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return hashed.hexdigest()


def recalled(id: str, rows: Sequence[StoredRow], library: ServerLibrary, stamp: str, body: bytes) -> HostedGame | None:
    """Return a game from its standing and later events; None if the two do not match."""
    created, acted = read_rows(rows)
    if created.setup.ruleset not in library.names():
        return None
    ruleset = library.find(created.setup.ruleset)
    if stamp != stamp_of(ruleset):
        return None
    try:
        standing = _read(body)
        if standing.seq > rows[-1].seq or standing.events != events_hash(rows[: standing.seq]):
            return None
        before = [one for one in acted if one[0].seq <= standing.seq]
        game = _stood(id, rows, library, ruleset, created, before, standing)
        same = game.digest == _last_digest(created, before)
        if not same or standing.rules != ruleset.rules_digest(game.match.state):
            return None
        later = acted[len(before) :]
        game.packing = Unread(created, acted)
        game.match.dice = dice = Scripted()
        for _, event in later:
            if isinstance(event, Acted):
                dice.rolls.extend(rolls_of(event.entries))
        for row, event in later:
            play_again(game, row, event)
        dice.finish()
    except Exception:
        log.warning("the stored state of the game %s does not fit its events; the game is replayed", id, exc_info=True)
        return None
    game.match.dice = SecureDice()
    return game


def _last_digest(created: Created, before: Sequence[tuple[StoredRow, Any]]) -> str:
    events = [event for _, event in before if isinstance(event, Acted | TookBack)]
    digest: str = events[-1].digest if events else created.digest
    return digest


def _stood(
    id: str,
    rows: Sequence[StoredRow],
    library: ServerLibrary,
    ruleset: Ruleset,
    created: Created,
    before: Sequence[tuple[StoredRow, Any]],
    standing: StoredStanding,
) -> HostedGame:
    setup = created.setup
    state = read_state(ruleset, setup.setting.book, bytes(standing.state))
    match = Match(ruleset, state, SecureDice())
    earlier = Earlier(lambda: restored(id, rows[: standing.seq], library).match)
    match.start = KeptMoment(None, standing.active, rolls=tuple(rolls_of(created.entries)), earlier=earlier, number=-1)  # type: ignore[arg-type]
    game = HostedGame.around(id, setup, ruleset, match)
    game.stood, game.earlier = standing.seq, earlier.play
    _take_in_acts(game, created, before, standing, earlier)
    for name in ("seq", "asked_at", "hides", "resigned", "late", "agreed", "shown_by", "takeback", "pending"):
        setattr(game, name, getattr(standing, name))
    game.keys, game.lapsed = dict(standing.keys), dict(standing.lapsed)
    game.undone.taken_back = [
        msgspec.structs.replace(one, action=as_action(ruleset, one.action)) for one in standing.taken_back
    ]
    if game.coach is not None:
        game.coach.deeds = list(standing.deeds)
    first = _in_full(standing.lines[0], ())
    game.log.take_in({eyes: _in_full(short, first) for eyes, short in zip(game.eyes, standing.lines, strict=True)})
    game.log.done = {
        act: [DonePart(side, dict(zip(game.eyes, lines, strict=True))) for side, lines in parts]
        for act, parts in standing.done
    }
    game.gone.take_in(standing.gone)
    people = game.people
    people.names, people.awaited = dict(standing.names), set(standing.awaited)
    people.guests = set(standing.guests)
    people.renewals = {side: (times, after) for side, times, after in standing.renewals}
    people.talk.extend(standing.talk)
    people.hushed, people.hinted, people.draw = set(standing.hushed), set(standing.hinted), standing.draw
    people.again = set(standing.again)
    people.habits = {habit.number: habit for habit in standing.habits}
    people.habit_number = standing.habit_number
    if standing.seats:
        game.setup = people.setup = msgspec.structs.replace(game.setup, seats=standing.seats)
    if game.clock is not None:
        game.clock.left, game.clock.told = list(standing.left), set(standing.told_late)
    return game


def _take_in_acts(
    game: HostedGame,
    created: Created,
    before: Sequence[tuple[StoredRow, Any]],
    standing: StoredStanding,
    earlier: Earlier,
) -> None:
    match, backs = game.match, list(standing.backs)
    journal: list[Entry] = list(created.entries)
    for _, event in before:
        if isinstance(event, Acted):
            played, *fell = event.entries
            assert isinstance(played, Played)
            played = msgspec.structs.replace(played, action=as_action(game.ruleset, played.action))
            journal += [played, *fell]
            rolls = tuple([one.faces for one in fell if isinstance(one, Fell)])
            cache = KeptMoment(
                None,  # type: ignore[arg-type]
                played.side,
                index=played.index,
                action=played.action,
                rolls=rolls,
                earlier=earlier,
                number=len(match.history),
            )
            match.history.append(cache)
            game.undone.played.append(played)
        elif isinstance(event, TookBack):
            to = backs.pop(0)
            journal.append(Undone(event.side, to, event.consent))
            del match.history[to:]
            del game.undone.played[to:]
    match.journal = journal
    for point, boundary in zip(match.history, standing.boundaries, strict=True):
        point.boundary = boundary


class Earlier:
    """The past before a standing, replayed on demand."""

    def __init__(self, play: Callable[[], Match]) -> None:
        self._play: Callable[[], Match] | None = play
        self._states: list[State] = []
        self._lock = Lock()

    def state(self, number: int) -> State:
        """Return the state before an act. Acts count from 0, without undone ones; -1 is before the first step."""
        self.play()
        return self._states[number]

    def play(self) -> None:
        if self._play is not None:
            with self._lock:
                if self._play is not None:
                    match = self._play()
                    assert match.start is not None
                    self._states = [*[point.state for point in match.history], match.start.state]
                    self._play = None


class KeptMoment(Point):
    """A moment before the standing of a game; its state is replayed on demand."""

    earlier: Any = None
    number: int = 0

    @property  # type: ignore[misc]
    def state(self) -> State:  # type: ignore[override]
        state: State = self.earlier.state(self.number)
        return state


class Unread(Packing):
    """The packing of the next tale, which unpacks the earlier tales first.

    Args:
        created: The first event of a game.
    """

    def __init__(self, created: Created, acted: Sequence[tuple[StoredRow, Any]]) -> None:
        super().__init__()
        self._events: tuple[Created, Sequence[tuple[StoredRow, Any]]] | None = (created, acted)

    def packed(self, tale: Tale) -> bytes:
        if self._events is not None:
            before, events = Packing(), self._events
            tales_of(*events, before)
            self.go_on_as(before)
            self._events = None
        return super().packed(tale)
