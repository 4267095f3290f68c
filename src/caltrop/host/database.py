"""The database of games: its address, lock and format, and the meaning of its errors.

One program uses a database at a time, or several workers of one server share a database of PostgreSQL. An SQLite file
is locked by a system lock on the file `NAME.lock` beside it, PostgreSQL by a lock of the database. Both locks end with
the program, however the program ends; a leftover file does not lock it.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import sqlite3
import sys
import time
from pathlib import Path
from typing import IO, Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    inspect,
    text,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from caltrop.errors import InputError, Portable

HEAD = "0004"
"""Id of the newest migration. An existing database is opened without loading the migrations."""

LOCK_PATIENCE = 2.0
"""Seconds until PostgreSQL notices that the program with the database has ended."""

METADATA = MetaData()

EVENTS = Table(
    "events",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", String(32), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", String(32), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("key", String(64), nullable=True),
    Column("body", Text, nullable=False),
    UniqueConstraint("game", "seq", name="one_event_a_number"),
    Index("events_by_key", "key"),
)
"""Table of events. `seq` counts the events of a game from 1. `key` is for finding a row, such as the hash of a seat's
secret.
"""

STANDINGS = Table(
    "standings",
    METADATA,
    Column("game", String(32), primary_key=True),
    Column("stamp", String(64), nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""Table of stored game states, which make opening faster. `stamp` names the program that wrote the row. The contents of
this table may be lost.
"""


PAPERS = Table(
    "papers",
    METADATA,
    Column("kind", String(16), primary_key=True),
    Column("id", String(96), primary_key=True),
    Column("whose", String(64), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("at", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Index("papers_of_one", "whose", "kind"),
)
"""Table of data outside games that changes: people, their keys, ratings. `seq` counts the versions of a row."""


WORKERS = Table(
    "workers",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("address", String(128), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("until", Float, nullable=False),
)
"""The workers that share a database, with their addresses and secrets for one another. A worker counts as ended after
`until`, in seconds since 1970 by the clock of the database, unless the worker renews its row.
"""

LEASES = Table(
    "leases",
    METADATA,
    Column("game", String(32), primary_key=True),
    Column("worker", String(32), nullable=False),
    Index("leases_of_one", "worker"),
)
"""Table of the worker that has each game in memory. Only the worker in the row adds events to the game."""

PASSING = (STANDINGS, WORKERS, LEASES)
"""Tables that backups leave out, because they can be rebuilt."""


class StorageFault(Portable):
    """A failure of the database, in plain words; nothing of the request has been stored.

    Args:
        why: `gone`, `full`, `read-only`, `in-use`, `no-answer`, `damaged`, `disk` or `moved`.
        detail: Message of the database itself, for the log.
    """

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(_FAULTS[why])
        self.why, self.detail = why, detail


_FAULTS = {
    "gone": "it was deleted, moved or replaced while it was in use",
    "full": "it is full, or the disk that it is on",
    "read-only": "it may be read, and not written",
    "in-use": "it is in use by another Caltrop",
    "no-answer": "it does not answer",
    "damaged": "it is damaged, or is not a database",
    "disk": "its disk fails",
    "moved": "another worker has this game by now",
}


def default_url() -> str:
    """Return the database in the user's data folder, which is created if missing."""
    return f"sqlite:///{data_folder() / 'caltrop.sqlite'}"


def data_folder() -> Path:
    """Return the user's data folder for Caltrop, as is usual on the system; `CALTROP_DATA` overrides it.

    Raises InputError if the folder does not exist and cannot be created.
    """
    try:
        folder = _folder_by_custom()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, RuntimeError) as error:  # the system may not know the user's home folder
        why = getattr(error, "strerror", None) or str(error)
        where = str(getattr(error, "filename", None) or "") or None
        complaint = f"the folder of Caltrop's data cannot be made: {why}; CALTROP_DATA names another folder"
        raise InputError(complaint, source=where) from None
    return folder


def _folder_by_custom() -> Path:
    if os.environ.get("CALTROP_DATA"):
        return Path(os.environ["CALTROP_DATA"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "Caltrop"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/Caltrop"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "caltrop"


_KINDS = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
"""Address prefixes of supported databases."""

_FORMS = "sqlite:///FILE or postgresql://USER@HOST/NAME"


def url_of(url: str) -> URL:
    """Return the normalised address of a database; a path means an SQLite file.

    Raises InputError if the address is invalid, or names an unsupported kind of database; the message names the
    nearest.
    """
    kind, mark, rest = url.partition("://")
    if not mark and (Path(url).suffix or "/" in url or os.sep in url) and not url.startswith(_KINDS):
        kind, mark, rest = "sqlite", "://", f"/{url}"
    if not mark or not url.isprintable() or not url.strip():
        path = url.partition(":")[2].lstrip("/") if url.startswith(_KINDS) else url.strip()
        hint = f"sqlite:///{path}" if path.isprintable() and path and not mark else _FORMS
        raise InputError(f"{url!r} is not an address of a database; write {hint}")
    if kind.lower() not in _KINDS:
        near = difflib.get_close_matches(kind.lower(), _KINDS, 1)
        hint = f"{near[0]}://{_hidden('//' + rest)[2:]}" if near else _FORMS
        complaint = (
            "the database cannot be opened: games are kept in SQLite or PostgreSQL; "
            f"this address has {kind!r}: write {hint}"
        )
        raise InputError(complaint, source=_hidden(url))
    try:
        made = make_url(f"{kind.lower()}://{rest}")
    except (ArgumentError, ValueError) as error:
        raise InputError(
            f"this is not an address of a database ({error}); write {_FORMS}", source=_hidden(url)
        ) from None
    if made.get_backend_name() == "sqlite":
        _check_address(made, url)
    return made.set(drivername="postgresql+psycopg") if made.drivername == "postgresql" else made


def _hidden(url: str) -> str:
    return re.sub(r"(//[^/@:]*:)[^/@]*@", r"\1***@", url)


def _check_address(made: URL, url: str) -> None:
    if made.host:
        raise InputError(f"a file has three slashes before its name: write sqlite:///{made.host}/{made.database or ''}")
    if made.database in (None, "", ":memory:"):
        raise InputError(f"{url!r} names no file, so games cannot be kept: write sqlite:///FILE")
    if "\0" in str(made.database):
        raise InputError(f"{url!r} is not an address of a database; write sqlite:///FILE")
    if made.query and "uri" not in made.query:
        raise InputError(f"an SQLite file has no options here: write sqlite:///{made.database}", source=url)


def check_file(path: Path) -> None:
    """Raise an error if a path cannot be an SQLite file, before any other file is written beside it.

    Raises InputError for a missing folder, a folder, a device, or a file of another kind.
    """
    try:
        if not path.parent.is_dir():
            raise InputError(f"the database cannot be opened: there is no folder {path.parent}", source=str(path))
        if path.is_dir():
            raise InputError("the database cannot be opened: this is a folder, and no file", source=str(path))
        if path.exists() and not path.is_file():
            raise InputError("the database cannot be opened: this is a device, and no file", source=str(path))
        if path.is_file():
            with path.open("rb") as stream:
                head = stream.read(len(_HEAD))
            if head and head != _HEAD:
                raise InputError("the database cannot be opened: the file is not a database", source=str(path))
    except OSError as error:
        raise InputError(f"the database cannot be opened: {error.strerror or error}", source=str(path)) from None


_HEAD = b"SQLite format 3\0"
"""First bytes of an SQLite file; a new file is empty."""


def path_of(url: URL) -> Path | None:
    """Return the file of an SQLite database, after following links; None if it is not a plain file."""
    name = url.database or ""
    if url.get_backend_name() != "sqlite" or url.query or name in ("", ":memory:") or name.startswith("file:"):
        return None
    return Path(name).resolve()


def identity_of(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def locked(path: Path) -> IO[str]:
    """Lock an SQLite file. The lock is held until the returned file is closed or the program ends.

    Raises StorageFault when another program has it.
    """
    file = path.with_name(f"{path.name}.lock").open("a+", encoding="utf-8")
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StorageFault("in-use") from None
    return file


def locked_itself(path: Path) -> IO[str] | None:
    """Lock the database file itself, which may have several names; None if the system has no such lock.

    Raises StorageFault if another program has the lock.
    """
    if sys.platform != "linux":
        return None
    import fcntl

    file = path.open("r", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise StorageFault("in-use") from None
    except OSError:  # some network file systems have no locks
        file.close()
        return None
    return file


def engine_of(url: URL, *, create: bool = True, shared: bool = False) -> Engine:
    """Return the engine of a database, with one connection: a single thread writes and reads.

    Another thread reads SQLite files, and databases that workers share.

    Args:
        shared: True if other workers use the database too, so that the database is not locked.
    """
    path = path_of(url)
    if url.get_backend_name() == "sqlite":
        how: dict[str, Any] = {}
        if path is not None:
            address = f"{path.as_uri()}?mode={'rwc' if create else 'rw'}"
            how = {
                "creator": lambda: sqlite3.connect(address, uri=True, check_same_thread=False),
                "pool_size": 2,
                "pool_use_lifo": True,
                "max_overflow": 0,
            }
        engine = create_engine(url, **how)

        @event.listens_for(engine, "connect")
        def set_up(connection: sqlite3.Connection, _: object) -> None:
            # Without this setting, Python's driver would begin transactions by its own rules, and none for creating
            # tables; see below.
            connection.isolation_level = None
            # A row that is not valid text damages only its own game, and the list still works.
            connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
            # WAL lets readers continue during a write. FULL writes an act to the disk before it is acknowledged.
            for pragma in ("busy_timeout=5000", "journal_mode=WAL", "synchronous=FULL"):
                connection.execute(f"PRAGMA {pragma}").close()

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN")

    else:
        try:
            engine = create_engine(url, pool_size=2 if shared else 1, max_overflow=0, pool_pre_ping=True)
        except ImportError as error:
            if url.get_backend_name() != "postgresql":
                raise
            words = "PostgreSQL is spoken to by a package that is missing: pip install 'caltrop[postgresql]'"
            raise InputError(f"{words} ({error})", source=url.render_as_string(hide_password=True)) from None

        if url.get_backend_name() == "postgresql":

            @event.listens_for(engine, "connect")
            def lock(connection: Any, _: object) -> None:
                # The lock belongs to the connection, and ends with it.
                until = time.monotonic() + LOCK_PATIENCE
                take = f"SELECT pg_try_advisory_lock{'_shared' if shared else ''}(%s)"
                while not connection.execute(take, (_LOCK,)).fetchone()[0]:
                    if time.monotonic() > until:
                        connection.close()
                        raise StorageFault("in-use")
                    time.sleep(0.1)
                connection.commit()

    return engine


_LOCK = int.from_bytes(hashlib.sha256(b"caltrop").digest()[:8], "big", signed=True)
"""Number of Caltrop's lock in PostgreSQL, where each database has its own locks."""

_SQLITE = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_PERM: "read-only",
    sqlite3.SQLITE_BUSY: "in-use",
    sqlite3.SQLITE_LOCKED: "in-use",
    sqlite3.SQLITE_CANTOPEN: "gone",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_ERROR: "damaged",
}

_POSTGRESQL = {
    "53100": "full",
    "25006": "read-only",
    "42501": "read-only",
    "42P01": "gone",
    "3D000": "gone",
    "XX001": "damaged",
    "XX002": "damaged",
    "58030": "disk",
}


def fault_of(error: Exception) -> StorageFault:
    if isinstance(error, StorageFault):
        return error
    cause = getattr(error, "orig", None) or error
    detail = (str(cause).splitlines() or [type(cause).__name__])[0]
    if isinstance(cause, StorageFault):
        return cause
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_IOERR)
        if code == sqlite3.SQLITE_READONLY_DBMOVED:
            return StorageFault("gone", detail)
        return StorageFault(_SQLITE.get(code & 0xFF, "disk"), detail)
    state = getattr(cause, "sqlstate", None) or ""
    # Without a state, the connection was lost or never existed. 08 and 57P are the codes of the same faults, for
    # example while the server starts.
    return StorageFault(
        _POSTGRESQL.get(state, "no-answer" if state[:3] in ("", "57P") or state[:2] in ("08", "53") else "disk"), detail
    )


def why_not_opened(error: Exception) -> str:
    """Return why a database cannot be opened: in Caltrop's words for known errors, otherwise in the database's."""
    if isinstance(error, StorageFault) and error.why == "in-use":
        return f"{error}; end that one first, or name another database with --database"
    if isinstance(error, OSError):
        return error.strerror or str(error).splitlines()[0]
    if isinstance(error, StorageFault | NoSuchModuleError | ImportError):
        return str(error).splitlines()[0]
    fault = fault_of(error)
    return f"{fault} ({fault.detail})" if fault.why in ("full", "read-only", "in-use") else fault.detail


def revision(connection: Connection) -> str | None:
    """Return the current migration of a database; None for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    number: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return number


def bring_up_to_date(url: URL, *, folder: Path | None = None, head: str = HEAD) -> None:
    """Migrate a database to the newest form; an SQLite file that holds something is copied first, beside itself.

    All steps happen in one transaction, so an interrupted migration changes nothing. Raises InputError when the
    database was made by a newer Caltrop, or by another program.

    Args:
        folder: Folder of the migrations; by default this package's.
    """
    engine = engine_of(url)
    try:
        with engine.begin() as connection:
            now = _mended(connection, url)
        if now != head:
            _migrate(engine, url, now, folder or Path(__file__).parent / "migrations", head)
    finally:
        engine.dispose()


def _migrate(engine: Engine, url: URL, now: str | None, folder: Path, head: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    if now is not None:
        try:
            ScriptDirectory.from_config(config).get_revision(now)
        except CommandError:
            name = url.render_as_string(hide_password=True)
            raise InputError("this database was made by a newer Caltrop; update Caltrop", source=name) from None
        _copy(url, now)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, head)


def _mended(connection: Connection, url: URL) -> str | None:
    """Return the current migration of a database, after repairing an interrupted first start of an older version.

    The old version created the tables, the index and the entry of the first migration one by one, so each may be
    missing.
    """
    now, tables = revision(connection), inspect(connection)
    if now not in (None, "0001"):
        return now
    if not tables.has_table("events"):
        if now is not None:
            connection.execute(text("DELETE FROM alembic_version"))
        return None
    if now is None and {column["name"] for column in tables.get_columns("events")} != _FIRST:
        name = url.render_as_string(hide_password=True)
        raise InputError("this database has a table of events that Caltrop did not make", source=name)
    if not any(index["name"] == "events_by_key" for index in tables.get_indexes("events")):
        connection.execute(text("CREATE INDEX events_by_key ON events (key)"))
    if now is None:
        if not tables.has_table("alembic_version"):
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
        connection.execute(text("INSERT INTO alembic_version (version_num) VALUES ('0001')"))
    return "0001"


_FIRST = {"id", "game", "seq", "at", "kind", "key", "body"}
"""The columns of the first migration."""


def _copy(url: URL, now: str) -> None:
    """Copy an SQLite file to an unused name beside it."""
    source = path_of(url)
    if source is None:
        return
    copy = source.with_name(f"{source.name}.before-{now}-was-left")
    number = 1
    while copy.exists():
        number += 1
        copy = source.with_name(f"{source.name}.before-{now}-was-left-{number}")
    # The copy gets its name once it is complete.
    half = source.with_name(f"{source.name}.copy")
    half.unlink(missing_ok=True)
    old, new = sqlite3.connect(source), sqlite3.connect(half)
    try:
        old.backup(new)
    finally:
        new.close()
        old.close()
    half.replace(copy)
