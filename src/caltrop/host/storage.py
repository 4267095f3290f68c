"""The storage of games: one append-only table of events.

The events of a game are its settings, its seats, and every act with its dice. Replaying them restores the game.
The latest state of each game is stored beside them (`standing`), as a shortcut that may be lost. One thread writes to
the database; when `append` returns, the rows are on the disk.

Opening, locking and migrating a database is done by `database`.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, NoSuchModuleError

from caltrop.errors import InputError
from caltrop.host import leases
from caltrop.host.database import (
    EVENTS,
    HEAD,
    METADATA,
    PAPERS,
    STANDINGS,
    StorageFault,
    bring_up_to_date,
    check_file,
    engine_of,
    fault_of,
    identity_of,
    locked,
    locked_itself,
    path_of,
    revision,
    url_of,
    why_not_opened,
)

log = logging.getLogger("caltrop.host")
T = TypeVar("T")

PATIENCE = 10.0
"""Seconds for which a request is repeated if the database does not answer, for instance during its restart."""


WAIT, WAIT_AGAIN = 5.0, 0.1
"""Seconds to wait for a program that is writing to an SQLite file, and to wait after a failure."""

REST = 1.0
"""Seconds without another attempt after a failure."""


_NOTHING = "UPDATE events SET id = id WHERE id < 0"
"""A statement that changes no row, and fails if nothing can be written."""

ASIDE = "~"
"""Marker in the name of events that were set aside from a game."""


class Trouble(NamedTuple):
    """The operation that failed."""

    why: str
    until: float
    """Time of the next attempt to store."""


class StoredRow(msgspec.Struct, frozen=True):
    """One stored event of a game."""

    seq: int
    kind: str
    """For a game `created`, `seat`, `act`, `undo`, `takeback`, `resign`, `show`, `note`, `record`; for a campaign
    `owner`, `campaign`, `battle`.
    """
    body: bytes
    key: str | None = None
    at: str = ""
    """Time when the event was stored, in universal time."""


class Paper(msgspec.Struct, frozen=True):
    """A record outside games that changes, such as a person or an open seat."""

    kind: str
    id: str
    body: bytes | None
    """JSON; None to delete the paper."""
    whose: str = ""
    seq: int = 0
    """Version of the paper when it was read; 0 for a new paper."""
    at: str = ""
    """Time when the paper was stored, in universal time."""


class Stale(Exception):
    """Somebody else wrote a paper after it was read."""


def add_to_hash(hashed: hashlib.blake2b, rows: Iterable[StoredRow]) -> None:
    """Add events to a hash of all events of a game."""
    for row in rows:
        hashed.update(f"{row.seq} {row.kind} {row.key or ''} {len(row.body)} ".encode() + row.body)


_APPENDED = ("game", "seq", "at", "kind", "key", "body")
"""The columns that `append` fills, in its order."""


class Storage:
    """An open database. No other program may open the database, except workers of the same server.

    Raises InputError when the database cannot be opened or written, is in use, or was made by a newer Caltrop.

    Args:
        url: Address in the form of SQLAlchemy; a path means an SQLite file.
        worker: The id of this worker, if several share the database; otherwise empty.
    """

    def __init__(self, url: str, worker: str = "") -> None:
        self.url, self.worker = url_of(url), worker
        self._path = path_of(self.url)
        self._watched = () if self._path is None else (self._path, Path(f"{self._path}-wal"))
        self._lock: IO[str] | None = None
        self._trouble: Trouble | None = None
        self._own_lock: IO[str] | None = None
        self.stored: Counter[str] = Counter()
        """Number of events of each kind that this program has stored."""
        try:
            if self._path is not None:
                check_file(self._path)
                self._lock = locked(self._path)
                if self._path.exists():
                    self._own_lock = locked_itself(self._path)
            if worker:
                self._check_shared()
            else:
                bring_up_to_date(self.url)
            if self._path is not None and self._own_lock is None:
                self._own_lock = locked_itself(self._path)
            self.engine = engine_of(self.url, create=False, shared=bool(worker))
            signs = ", ".join(["?" if self.engine.dialect.paramstyle == "qmark" else "%s"] * len(_APPENDED))
            # Plain SQL, since every act waits for it.
            self._insert = f"INSERT INTO events ({', '.join(_APPENDED)}) VALUES ({signs})"
            self._were = self._files()
            with self.engine.begin() as connection:
                if self._path is not None:
                    # A read-only file is refused here, before an act is played.
                    connection.execute(text(_NOTHING))
                connection.execute(select(EVENTS.c.id).limit(1))
            self._were = self._files()
        except (StorageFault, DBAPIError, NoSuchModuleError, ImportError, OSError, sqlite3.Error) as error:
            self.close()
            raise InputError(f"the database cannot be opened: {why_not_opened(error)}", source=self.name) from None
        except BaseException:
            self.close()
            raise

    def _check_shared(self) -> None:
        """Raise an error if workers cannot share the database, or it needs a migration."""
        if self.url.get_backend_name() != "postgresql":
            words = "several workers share PostgreSQL, and an SQLite file has one: leave --workers out, or name"
            raise InputError(f"{words} --database postgresql://USER@HOST/NAME", source=self.name)
        engine = engine_of(self.url, create=False, shared=True)
        try:
            with engine.connect() as connection:
                if revision(connection) != HEAD:
                    words = "another Caltrop has this database in another form; end that one first"
                    raise InputError(words, source=self.name)
        finally:
            engine.dispose()

    @property
    def name(self) -> str:
        return self.url.render_as_string(hide_password=True)

    def append(self, game: str, rows: Sequence[StoredRow], *, new: bool = False, fenced: bool = True) -> None:
        """Add all of some events to a game, or none.

        Raises StorageFault when the events cannot be stored, or the game is another worker's; none has been added; or
        IntegrityError when the game has events with these numbers already.

        Args:
            game: The game, or another thing with events.
            new: True to assign the new game to this worker.
            fenced: True to refuse events for another worker's game.
        """
        if not rows:
            return
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        values = [(game, r.seq, r.at or at, r.kind, r.key, r.body.decode()) for r in rows]

        def add(connection: Connection, again: bool) -> None:
            # The answer to a commit may be lost with the connection: the rows may be stored all the same.
            if again:
                columns = [EVENTS.c[name] for name in _APPENDED]
                there = select(*columns).where(EVENTS.c.game == game, EVENTS.c.seq.in_([r.seq for r in rows]))
                if [tuple(row) for row in connection.execute(there.order_by(EVENTS.c.seq))] == values:
                    return
            if self.worker and fenced:
                if new and not leases.take(connection, game, self.worker, stored=False):
                    raise StorageFault("moved")
                leases.hold(connection, game, self.worker)
            connection.exec_driver_sql(self._insert, values)

        self._check_files()
        self._do(add, write=True)
        self._check_files()
        self.stored.update(row.kind for row in rows)

    def write(self, work: Callable[[Connection, bool], None]) -> None:
        """Run a function in one transaction, all or nothing. Raises StorageFault if the function's changes cannot be
        stored.

        Args:
            work: The function; its argument is True on a second try after a lost answer.
        """
        self._check_files()
        self._do(work, write=True)

    def renumber(self) -> None:
        """Synchronise PostgreSQL's row counters with the existing rows."""

        def put(connection: Connection, _: bool) -> None:
            for table in METADATA.sorted_tables:
                for column in table.primary_key.columns:
                    if column.autoincrement is True:
                        sequence = func.pg_get_serial_sequence(table.name, column.name)
                        connection.execute(select(func.setval(sequence, func.coalesce(func.max(column), 1))))

        if self.engine.dialect.name == "postgresql":
            self._do(put, write=True)

    def touch(self) -> None:
        """Test that the database can be written. Raises StorageFault if the database cannot be written."""
        self._check_files()
        self._do(lambda connection, _: connection.execute(text(_NOTHING)), write=True)

    def events(self, game: str) -> list[StoredRow]:
        """Return the events of a game in order; none if the game does not exist.

        Raises StorageFault when the rows cannot be read.
        """
        columns = (EVENTS.c.seq, EVENTS.c.kind, EVENTS.c.body, EVENTS.c.key, EVENTS.c.at)
        question = select(*columns).where(EVENTS.c.game == game).order_by(EVENTS.c.seq)
        rows = self._do(lambda connection, _: connection.execute(question).all())
        return [StoredRow(s, kind, _bytes(body), key, at) for s, kind, body, key, at in rows]

    def standing(self, game: str) -> tuple[str, bytes] | None:
        """Return the stored state of a game, with the stamp of the program that wrote it; None if there is none.

        Raises StorageFault when the row cannot be read.
        """
        question = select(STANDINGS.c.stamp, STANDINGS.c.body).where(STANDINGS.c.game == game)
        row = self._do(lambda connection, _: connection.execute(question).first())
        return None if row is None or not isinstance(row[1], bytes) else (str(row[0]), row[1])

    def keep_standing(self, game: str, stamp: str, body: bytes) -> None:
        """Store the state of a game in place of the old state. Raises StorageFault when the row cannot be stored."""

        def put(connection: Connection, _: bool) -> None:
            connection.execute(delete(STANDINGS).where(STANDINGS.c.game == game))
            connection.execute(insert(STANDINGS), [{"game": game, "stamp": stamp, "body": body}])

        self._check_files()
        self._do(put, write=True)

    def clocked(self) -> list[str]:
        """Return the games that were made with a clock. Raises StorageFault when the rows cannot be read."""
        has_clock = EVENTS.c.body.contains('"clock":{', autoescape=True)
        question = select(EVENTS.c.game).where(EVENTS.c.kind == "created", has_clock, ~EVENTS.c.game.contains(ASIDE))
        rows = self._do(lambda connection, _: connection.execute(question).all())
        return [game for (game,) in rows]

    def gapped(self) -> list[str]:
        """Return the games in whose events a number is missing. Raises StorageFault when the rows cannot be read."""
        question = select(EVENTS.c.game).group_by(EVENTS.c.game).having(func.max(EVENTS.c.seq) != func.count())
        question = question.where(~EVENTS.c.game.contains(ASIDE))
        rows = self._do(lambda connection, _: connection.execute(question).all())
        return [game for (game,) in rows]

    def set_aside(self, game: str, last: int, note: StoredRow) -> None:
        """Move the later events of a game to another name.

        Raises StorageFault if setting aside cannot be stored; nothing has changed then.
        """
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        row = {"game": game, "seq": note.seq, "at": at, "kind": note.kind, "key": None, "body": note.body.decode()}

        def put(connection: Connection, again: bool) -> None:
            first = select(EVENTS.c.id).where(EVENTS.c.game == game, EVENTS.c.seq == note.seq)
            if again and connection.execute(first).first() is not None:
                return
            rest = update(EVENTS).where(EVENTS.c.game == game, EVENTS.c.seq > last)
            connection.execute(rest.values(game=f"{game}{ASIDE}{last}"))
            connection.execute(delete(STANDINGS).where(STANDINGS.c.game == game))
            connection.execute(insert(EVENTS), [row])

        self._check_files()
        self._do(put, write=True)

    def games_of(self, keys: Iterable[str]) -> list[str]:
        """Return the games that have a seat with one of these keys, the newest first.

        Raises StorageFault when the rows cannot be read.
        """
        ids = list(keys)
        if not ids:
            return []
        question = select(EVENTS.c.game, EVENTS.c.id).where(EVENTS.c.key.in_(ids)).order_by(EVENTS.c.id.desc())
        question = question.where(~EVENTS.c.game.contains(ASIDE))
        rows = self._do(lambda connection, _: connection.execute(question).all())
        return list(dict.fromkeys(game for game, _ in rows))

    def paper(self, kind: str, id: str) -> Paper | None:
        """Return the paper of a kind with this id, or None if there is none.

        Raises StorageFault when the row cannot be read.
        """
        question = select(*_PAPER).where(PAPERS.c.kind == kind, PAPERS.c.id == id)
        row = self._do(lambda connection, _: connection.execute(question).first())
        return None if row is None else _paper(row)

    def papers(self, kind: str = "", whose: str | None = None) -> list[Paper]:
        """Return all papers of a kind, or of a person, in the order of their ids.

        Raises StorageFault when the rows cannot be read.

        Args:
            whose: The person; everybody if it is None.
        """
        question = select(*_PAPER).order_by(PAPERS.c.kind, PAPERS.c.id)
        if kind:
            question = question.where(PAPERS.c.kind == kind)
        if whose is not None:
            question = question.where(PAPERS.c.whose == whose)
        rows = self._do(lambda connection, _: connection.execute(question).all())
        return [_paper(row) for row in rows]

    def keep_papers(self, papers: Sequence[Paper]) -> None:
        """Write all of some papers, or no paper.

        Raises Stale if somebody else wrote one of the papers after it was read, or StorageFault if they cannot be
        stored. After an error no paper has been written.
        """
        at = datetime.now(UTC).isoformat(timespec="milliseconds")

        def put(connection: Connection, again: bool) -> None:
            for paper in papers:
                here = (PAPERS.c.kind == paper.kind, PAPERS.c.id == paper.id)
                if paper.body is None:
                    connection.execute(delete(PAPERS).where(*here))
                    continue
                values = {"whose": paper.whose, "seq": paper.seq + 1, "at": at, "body": paper.body.decode()}
                stored = connection.execute(select(PAPERS.c.seq, PAPERS.c.at).where(*here)).first()
                if again and stored is not None and tuple(stored) == (paper.seq + 1, at):
                    return  # the answer to the commit was lost with the connection
                if (0 if stored is None else stored[0]) != paper.seq:
                    raise Stale(f"{paper.kind} {paper.id}")
                if stored is None:
                    connection.execute(insert(PAPERS), [{"kind": paper.kind, "id": paper.id, **values}])
                    continue
                change = update(PAPERS).where(*here, PAPERS.c.seq == paper.seq).values(**values)
                if not connection.execute(change).rowcount:
                    raise Stale(f"{paper.kind} {paper.id}")

        if papers:
            self._check_files()
            try:
                self._do(put, write=True)
            except IntegrityError as error:  # another worker has written the same paper in the meantime
                raise Stale(str(error.orig)) from None
            self._check_files()

    def take(self, game: str) -> leases.ServerWorker | None:
        """Assign a game to this worker if no other worker has it; otherwise return the other worker.

        Raises StorageFault if the database does not answer.
        """

        def put(connection: Connection, _: bool) -> leases.ServerWorker | None:
            return None if leases.take(connection, game, self.worker) else leases.owner(connection, game)

        return self._do(put, write=True)

    def seize(self, game: str) -> None:
        """Take a game from any worker. Raises the errors of `take`."""
        self._do(lambda connection, _: leases.seize(connection, game, self.worker), write=True)

    def give_up(self, game: str) -> None:
        """Release this worker's hold on a game. Raises the errors of `take`."""
        self._do(lambda connection, _: leases.give_up(connection, game, self.worker), write=True)

    def notify(self, message: str) -> None:
        self._do(lambda connection, _: leases.notify(connection, message), write=True)

    @property
    def reads_apart(self) -> bool:
        return self._path is not None or bool(self.worker)

    @property
    def trouble(self) -> str | None:
        """Reason why nothing could be stored recently, or None."""
        return None if self._trouble is None else self._trouble.why

    def try_again(self) -> None:
        """Test whether the database works again after a failure.

        Raises StorageFault if the database still does not work.
        """
        if self._trouble is not None:
            self._do(lambda connection, _: connection.execute(text(_NOTHING)), write=True)

    def _do(self, work: Callable[[Connection, bool], T], *, write: bool = False) -> T:
        """Run a function in one transaction, and repeat it for a while if the database does not answer.

        After a failure the next callers wait less: at first no attempt is made, and then only a short one.

        Args:
            work: The function; its argument is True if it is called a second time.
        """
        trouble, now = self._trouble, time.monotonic()
        if trouble is not None and now < trouble.until and (write or trouble.why == "no-answer"):
            raise StorageFault(trouble.why, "as it was a moment ago")
        until, again = now + (PATIENCE if trouble is None else 0.0), False
        while True:
            try:
                with self.engine.begin() as connection:
                    if self._path is not None:
                        wait = WAIT if trouble is None else WAIT_AGAIN
                        if connection.info.get("wait") != wait:  # the setting is kept for this connection
                            connection.exec_driver_sql(f"PRAGMA busy_timeout={round(wait * 1000)}")
                            connection.info["wait"] = wait
                    done = work(connection, again)
                if write:
                    self._trouble = None
                return done
            except IntegrityError:
                raise
            except (DBAPIError, sqlite3.Error, StorageFault) as error:
                fault = fault_of(error)
                if fault.why != "no-answer" or time.monotonic() > until:
                    log.error("the database %s: %s (%s)", self.name, fault, fault.detail)
                    if fault.why in ("in-use", "no-answer"):
                        self._trouble = Trouble(fault.why, time.monotonic() + REST)
                    raise fault from error
            again = True
            time.sleep(0.2)

    def _files(self) -> dict[Path, tuple[int, int] | None]:
        """Return the files under the names of an SQLite database: the file, and its journal."""
        return {path: identity_of(path) for path in self._watched}

    def _check_files(self) -> None:
        """Raise an error if the database file has been replaced since it was opened, because the system would keep
        writing to the deleted file.

        Raises:
            StorageFault: if the file has been replaced.
        """
        for path, now in self._files().items():
            if now != self._were[path]:
                log.error("the database %s: %s is no longer the file that was opened", self.name, path)
                raise StorageFault("gone", f"{path} is no longer the file that was opened")

    def begins_with(self, text: str) -> bool:
        """Return whether *text* occurs in the first event of any game."""
        question = select(EVENTS.c.id).where(EVENTS.c.kind == "created", EVENTS.c.body.contains(text, autoescape=True))
        return self._do(lambda connection, _: connection.execute(question.limit(1)).first()) is not None

    def close(self) -> None:
        if hasattr(self, "engine"):
            self.engine.dispose()
        for lock in (self._own_lock, self._lock):
            if lock is not None:
                lock.close()


_PAPER = (PAPERS.c.kind, PAPERS.c.id, PAPERS.c.body, PAPERS.c.whose, PAPERS.c.seq, PAPERS.c.at)


def _paper(row: Any) -> Paper:
    kind, id, body, whose, seq, at = row
    return Paper(kind, id, _bytes(body), whose, seq, at)


def _bytes(body: object) -> bytes:
    return body if isinstance(body, bytes) else str(body).encode(errors="surrogateescape")
