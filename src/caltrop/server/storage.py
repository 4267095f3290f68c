"""Where games are kept: one table of events, to which rows are added and from which none is taken.

A game is its events in order: how it was made, its seats, every act with the dice that fell. Nothing else is stored,
and a game is begun again by playing its events. One thread writes; what `append` has returned from is on the disk.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from sqlalchemy import (
    Column,
    Engine,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from caltrop import InputError

HEAD = "0001"
"""The newest migration. A database that is there already is opened without loading the migrations."""

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
"""`seq` counts the events of a game from 1; `key` is what a row is looked up by: of a seat, the hash of its secret."""


class Row(msgspec.Struct, frozen=True):
    """One stored event of a game."""

    seq: int
    kind: str
    """Of a game `created`, `seat`, `act`, `undo`, `takeback`, `resign`, `show`, `note`; of a campaign `owner`,
    `campaign`, `battle`."""
    body: bytes
    """JSON."""
    key: str | None = None
    at: str = ""
    """When it was stored, in universal time."""


def default_url() -> str:
    """The database in the user's data folder, which is made where it is missing."""
    return f"sqlite:///{data_folder() / 'caltrop.sqlite'}"


def data_folder() -> Path:
    """The user's data folder for Caltrop, by the custom of the system; `CALTROP_DATA` overrules it."""
    home = Path.home()
    if os.environ.get("CALTROP_DATA"):
        folder = Path(os.environ["CALTROP_DATA"])
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local") / "Caltrop"
    elif sys.platform == "darwin":
        folder = home / "Library/Application Support/Caltrop"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share") / "caltrop"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


class Storage:
    """An open database.

    Args:
        url: As SQLAlchemy writes them; a bare path is an SQLite file.

    Raises:
        InputError: when the database cannot be opened, or was made by a newer Caltrop.
    """

    def __init__(self, url: str) -> None:
        self.url = _url(url)
        try:
            bring_up_to_date(self.url)
            self.engine = _engine(self.url)
            with self.engine.connect() as connection:
                connection.execute(select(EVENTS.c.id).limit(1))
        except (DBAPIError, NoSuchModuleError, ImportError, OSError, sqlite3.Error) as error:
            first = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise InputError(f"the database cannot be opened: {first}", source=self.name) from None

    @property
    def name(self) -> str:
        """The database, without a password."""
        return self.url.render_as_string(hide_password=True)

    def append(self, game: str, rows: Sequence[Row]) -> None:
        """Add events to a game, all or none."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        values = [
            {"game": game, "seq": r.seq, "at": r.at or at, "kind": r.kind, "key": r.key, "body": r.body.decode()}
            for r in rows
        ]
        with self.engine.begin() as connection:
            connection.execute(insert(EVENTS), values)

    def events(self, game: str) -> list[Row]:
        """The events of a game in order; none where there is no such game."""
        columns = (EVENTS.c.seq, EVENTS.c.kind, EVENTS.c.body, EVENTS.c.key, EVENTS.c.at)
        question = select(*columns).where(EVENTS.c.game == game).order_by(EVENTS.c.seq)
        with self.engine.connect() as connection:
            return [Row(s, kind, body.encode(), key, at) for s, kind, body, key, at in connection.execute(question)]

    def games_of(self, keys: Iterable[str]) -> list[str]:
        """The games that have a seat with one of these keys, the newest first."""
        wanted = list(keys)
        if not wanted:
            return []
        question = select(EVENTS.c.game, EVENTS.c.id).where(EVENTS.c.key.in_(wanted)).order_by(EVENTS.c.id.desc())
        with self.engine.connect() as connection:
            return list(dict.fromkeys(game for game, _ in connection.execute(question)))

    def begins_with(self, text: str) -> bool:
        """Whether *text* stands in the first event of any game."""
        question = select(EVENTS.c.id).where(EVENTS.c.kind == "created", EVENTS.c.body.contains(text, autoescape=True))
        with self.engine.connect() as connection:
            return connection.execute(question.limit(1)).first() is not None

    def close(self) -> None:
        """Close the database."""
        self.engine.dispose()


def _url(url: str) -> URL:
    if "://" not in url:
        url = f"sqlite:///{url}"
    try:
        made = make_url(url)
    except ArgumentError:
        raise InputError(f"{url!r} is no address of a database; write sqlite:///FILE or postgresql://...") from None
    return made.set(drivername="postgresql+psycopg") if made.drivername == "postgresql" else made


def _engine(url: URL) -> Engine:
    engine = create_engine(url)
    if url.get_backend_name() == "sqlite":

        @event.listens_for(engine, "connect")
        def set_up(connection: sqlite3.Connection, _: object) -> None:
            # WAL lets readers go on while one writes; FULL has an act on the disk before it is acknowledged.
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
                connection.execute(f"PRAGMA {pragma}")

    return engine


def revision(engine: Engine) -> str | None:
    """The migration that a database stands at; None for an empty one."""
    if not inspect(engine).has_table("alembic_version"):
        return None
    with engine.connect() as connection:
        found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def bring_up_to_date(url: URL, *, folder: Path | None = None, head: str = HEAD) -> None:
    """Migrate a database to the newest form; an SQLite file that holds something is copied first, beside itself.

    Args:
        url: The database.
        folder: Where the migrations are; those of this package where it is left out.
        head: The newest migration.

    Raises:
        InputError: when the database was made by a newer Caltrop.
    """
    engine = _engine(url)
    try:
        now = revision(engine)
    finally:
        engine.dispose()
    if now == head:
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(folder or Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["url"] = url
    if now is not None:
        try:
            ScriptDirectory.from_config(config).get_revision(now)
        except CommandError:
            name = url.render_as_string(hide_password=True)
            raise InputError("this database was made by a newer Caltrop; update Caltrop", source=name) from None
        _copy(url, now)
    command.upgrade(config, head)


def _copy(url: URL, now: str) -> None:
    """Copy an SQLite file beside itself, under a name that is free."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return
    source = Path(url.database)
    copy = source.with_name(f"{source.name}.before-{now}-was-left")
    number = 1
    while copy.exists():
        number += 1
        copy = source.with_name(f"{source.name}.before-{now}-was-left-{number}")
    old, new = sqlite3.connect(source), sqlite3.connect(copy)
    try:
        old.backup(new)
    finally:
        new.close()
        old.close()
