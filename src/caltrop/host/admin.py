"""Administration of a whole database: list, close, delete, export, back up, restore.

Listing, exporting and backing up only read, and work beside a running server. Changes are made by the program that has
the database open: the running server, or the present program.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, LargeBinary, create_engine, delete, func, insert, select, update
from sqlalchemy.exc import DBAPIError

from caltrop import __version__
from caltrop.errors import InputError
from caltrop.host.database import (
    EVENTS,
    HEAD,
    METADATA,
    PASSING,
    STANDINGS,
    bring_up_to_date,
    path_of,
    revision,
    url_of,
)
from caltrop.host.storage import ASIDE, Storage

CLOSED = f"{ASIDE}closed"
"""Suffix of the name of a closed game, which makes it invisible until it is reopened."""

FORMAT = "caltrop-backup"
BATCH = 1000
"""Number of rows that are read or written in one batch."""


class StoredGame(msgspec.Struct, frozen=True, kw_only=True):
    game: str
    ruleset: str
    scenario: str
    seats: tuple[str, ...]
    events: int
    begun: str
    """Time when the game was created, in universal time."""
    last: str
    """Time of the game's last stored event."""
    closed: bool


class _Setup(msgspec.Struct):
    ruleset: str = ""
    scenario: str = ""
    seats: tuple[str, ...] = ()


class _Created(msgspec.Struct):
    setup: _Setup = msgspec.field(default_factory=_Setup)


@contextmanager
def reading(url: str) -> Iterator[Connection]:
    """Open a database to read its present state, even while a server writes to the database.

    Raises InputError if the database does not exist or cannot be read.
    """
    address = url_of(url)
    path = path_of(address)
    name = address.render_as_string(hide_password=True)
    if path is not None and not path.is_file():
        raise InputError("there is no such database", source=name)
    engine: Engine = create_engine(address)
    try:
        with engine.connect() as connection:
            if path is None:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            if revision(connection) is None:
                raise InputError("this is not a database of Caltrop", source=name)
            yield connection
    except DBAPIError as error:
        raise InputError(f"the database cannot be read: {str(error.orig).splitlines()[0]}", source=name) from None
    finally:
        engine.dispose()


def games_in(connection: Connection) -> list[StoredGame]:
    """Return all games of a database, including closed ones, the one with the newest event first."""
    totals = select(EVENTS.c.game, func.count(), func.min(EVENTS.c.at), func.max(EVENTS.c.at)).group_by(EVENTS.c.game)
    heads = select(EVENTS.c.game, EVENTS.c.body).where(EVENTS.c.kind == "created")
    setups = {}
    for game, body in connection.execute(heads):
        with suppress(msgspec.DecodeError, msgspec.ValidationError):
            setups[game] = msgspec.json.decode(body, type=_Created).setup
    stored = []
    for name, events, begun, last in connection.execute(totals):
        game, closed = name.removesuffix(CLOSED), name.endswith(CLOSED)
        if ASIDE in game or name not in setups:  # a game that was set aside, or a campaign
            continue
        setup = setups[name]
        stored.append(
            StoredGame(
                game=game,
                ruleset=setup.ruleset,
                scenario=setup.scenario,
                seats=setup.seats,
                events=events,
                begun=begun,
                last=last,
                closed=closed,
            )
        )
    return sorted(stored, key=lambda one: one.last, reverse=True)


def exported(connection: Connection, game: str) -> dict[str, Any]:
    """Return everything stored about a game except the hashes of its secrets.

    Raises InputError when there is no such game.
    """
    columns = (EVENTS.c.seq, EVENTS.c.at, EVENTS.c.kind, EVENTS.c.body)
    question = select(*columns).where(EVENTS.c.game.in_((game, game + CLOSED))).order_by(EVENTS.c.seq)
    events = [
        {"seq": seq, "at": at, "kind": kind, "body": json.loads(body)}
        for seq, at, kind, body in connection.execute(question)
    ]
    if not events:
        raise _no_game(game)
    return {"caltrop": __version__, "game": game, "events": events}


def _no_game(game: str) -> InputError:
    return InputError(f"there is no game {game!r}; caltrop admin list lists all games")


# --- what writes -----------------------------------------------------------------------------------------------------


def _renamed(storage: Storage, game: str, name: str) -> None:
    def put(connection: Connection, _: bool) -> None:
        connection.execute(delete(STANDINGS).where(STANDINGS.c.game == game))
        changed = connection.execute(update(EVENTS).where(EVENTS.c.game == game).values(game=name)).rowcount
        if not changed:
            raise _no_game(game.removesuffix(CLOSED))

    storage.write(put)


def close(storage: Storage, game: str) -> None:
    """Close a game: its addresses no longer work, but its data is kept.

    Raises InputError when there is no such game, or StorageFault when the closing cannot be stored.
    """
    _renamed(storage, game, game + CLOSED)


def reopen(storage: Storage, game: str) -> None:
    """Reopen a closed game; for the errors see `close`."""
    _renamed(storage, game + CLOSED, game)


def remove(storage: Storage, game: str) -> None:
    """Delete a game permanently, with all data that was set aside from it; for the errors see `close`."""

    def put(connection: Connection, _: bool) -> None:
        connection.execute(delete(STANDINGS).where(STANDINGS.c.game == game))
        own = (EVENTS.c.game == game) | EVENTS.c.game.startswith(game + ASIDE, autoescape=True)
        if not connection.execute(delete(EVENTS).where(own)).rowcount:
            raise _no_game(game)

    storage.write(put)


DOES: dict[str, Callable[[Storage, str], None]] = {"close": close, "reopen": reopen, "delete": remove}
"""Acts on a single game, by their names on the command line."""

CLOSES = ("close", "delete")
"""Acts after which the game can no longer be played."""


def idle(connection: Connection, days: float, now: datetime | None = None) -> list[str]:
    """Return the games without any event for a number of days."""
    since = ((now or datetime.now(UTC)) - timedelta(days=days)).isoformat(timespec="milliseconds")
    return [one.game for one in games_in(connection) if one.last < since]


# --- backups ---------------------------------------------------------------------------------------------------------


def back_up(url: str, file: Path, tell: Callable[[int], None] = lambda rows: None) -> int:
    """Write everything in a database into a file, as it is at this moment, also while a server writes to the database.

    The file is compressed JSON lines, the same for SQLite and PostgreSQL: a backup of either database can be restored
    into the other. The file gets its name once it is complete. Returns the number of rows. Raises InputError when the
    database cannot be read, or the file cannot be written.

    Args:
        tell: Called with the number of rows so far, after every thousand rows.
    """
    _check_place(url, file)
    half = file.with_name(f"{file.name}.part")
    rows, hashed = 0, hashlib.sha256()

    def write(stream: gzip.GzipFile, line: Any) -> None:
        data = json.dumps(line, ensure_ascii=False).encode(errors="surrogateescape") + b"\n"
        hashed.update(data)
        stream.write(data)

    try:
        with reading(url) as connection, gzip.open(half, "wb") as stream:
            head = {"format": FORMAT, "version": 1, "caltrop": __version__, "revision": revision(connection)}
            write(stream, head)
            for table in METADATA.sorted_tables:
                if table in PASSING:
                    continue
                names = [column.name for column in table.columns]
                binary = [isinstance(column.type, LargeBinary) for column in table.columns]
                write(stream, {"table": table.name, "columns": names})
                question = select(*table.columns).order_by(*table.primary_key.columns)
                for row in connection.execution_options(yield_per=BATCH).execute(question):
                    values = [
                        base64.b64encode(value).decode() if is_binary and value is not None else value
                        for value, is_binary in zip(row, binary, strict=True)
                    ]
                    write(stream, values)
                    rows += 1
                    if rows % BATCH == 0:
                        tell(rows)
            end = {"rows": rows, "sha256": hashed.hexdigest()}
            stream.write(json.dumps(end).encode() + b"\n")
        half.replace(file)
    except OSError as error:
        raise InputError(error.strerror or str(error), source=str(file)) from None
    finally:
        half.unlink(missing_ok=True)
    return rows


def _check_place(url: str, file: Path) -> None:
    """Raise an error if a backup would overwrite a folder, the database, or a file that is not a backup."""
    if file.is_dir():
        raise InputError("this is a folder: name a file in it", source=str(file))
    path = path_of(url_of(url))
    if path is not None and path.exists() and file.exists() and path.samefile(file):
        raise InputError("this is the database itself: name another file", source=str(file))
    try:
        if not file.is_file() or file.stat().st_size == 0:
            return
        with file.open("rb") as stream:
            if stream.read(2) == b"\x1f\x8b":
                return
    except OSError as error:
        raise InputError(error.strerror or str(error), source=str(file)) from None
    raise InputError("this file exists and is not a backup: name another one", source=str(file))


def _checked(file: Path) -> int:
    """Return the number of rows of a backup, after reading it completely. Raises InputError if the backup is invalid or
    incomplete.
    """
    hashed, last, first, lines = hashlib.sha256(), b"", b"", 0
    try:
        with gzip.open(file, "rb") as stream:
            for line in stream:
                if last:
                    hashed.update(last)
                first, last = first or line, line
                lines += 1
        head, end = json.loads(first), json.loads(last)
        if head["format"] != FORMAT or head["version"] != 1:
            raise InputError("this is not a backup, or it is one of a newer Caltrop", source=str(file))
        is_whole, rows = end["sha256"] == hashed.hexdigest(), int(end["rows"])
        revision = head["revision"]
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        why = getattr(error, "strerror", None) or "this is not a backup, or it is cut short"
        raise InputError(why, source=str(file)) from None
    if not is_whole:
        raise InputError("the backup is damaged: its checksum is another one", source=str(file))
    if str(revision) > HEAD:
        raise InputError("the backup was made by a newer Caltrop; update Caltrop", source=str(file))
    return rows


def restore(url: str, file: Path, tell: Callable[[int], None] = lambda rows: None) -> int:
    """Write a whole backup into an empty database, or write nothing.

    Returns the number of rows that were written. Raises InputError when the file is incomplete, or the database is not
    empty or in use.

    Args:
        url: The database, which no server has open; it is created if missing.
        tell: Called with the number of rows so far, after every thousand rows.
    """
    rows = _checked(file)
    bring_up_to_date(url_of(url))
    with closing(Storage(url)) as storage:

        def put(connection: Connection, _: bool) -> None:
            if connection.execute(select(EVENTS.c.id).limit(1)).first() is not None:
                raise InputError("this database holds games already; restore into an empty one", source=storage.name)
            done = 0
            for table, columns, batch in _batches(file):
                sql_table = METADATA.tables.get(table)
                if sql_table is None:
                    raise InputError(
                        f"this Caltrop does not know the table {table!r}; update Caltrop", source=str(file)
                    )
                binary = {column.name for column in sql_table.columns if isinstance(column.type, LargeBinary)}
                values = [dict(zip(columns, row, strict=True)) for row in batch]
                for value in values:
                    for name in binary & value.keys():
                        value[name] = None if value[name] is None else base64.b64decode(value[name])
                connection.execute(insert(sql_table), values)
                done += len(values)
                tell(done)

        storage.write(put)
        storage.renumber()
    return rows


def _batches(file: Path) -> Iterator[tuple[str, list[str], list[list[Any]]]]:
    table, columns, batch = "", list[str](), list[list[Any]]()
    with gzip.open(file, "rb") as stream:
        for line in stream:
            row = json.loads(line)
            if isinstance(row, list):
                batch.append(row)
            if batch and (isinstance(row, dict) or len(batch) == BATCH):
                yield table, columns, batch
                batch = []
            if isinstance(row, dict) and "table" in row:
                table, columns = row["table"], row["columns"]
