"""A program that is killed at each statement of opening a database, and then opens it again.

It runs as a separate program because it forks: modules are loaded once, and every killed process is a copy. Usage:
`python -m tests.server.killed START FOLDER FIRST STEP`, where START is a database to begin with (an empty name: none),
and FOLDER holds the migrations to be run. Programs are killed at the statement with the number FIRST, and at every
STEP-th after it. It prints what each kill left and what the next start made of it; the last entry is of a start that
was over before it could be killed.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import sqlite3.dbapi2
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.script import ScriptDirectory

from caltrop.host import storage
from caltrop.host.database import bring_up_to_date
from caltrop.host.storage import Storage, StoredRow

_connect = sqlite3.connect


def open_database(database: Path, folder: Path, head: str) -> None:
    """Open a database with the migrations of a folder, as a starting server does, and store an event in it."""
    vars(storage)["bring_up_to_date"] = lambda url: bring_up_to_date(url, folder=folder, head=head)
    stored = Storage(str(database))
    if not stored.events("new"):
        stored.append("new", [StoredRow(1, "created", b"{}")])
    stored.close()


def contents(database: Path) -> tuple[list[str], list[str]]:
    """Return the tables, indexes and games of a database. A copy is opened, because opening a database repairs it."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(shutil.copytree(database.parent, Path(name) / "copy")) / database.name
        file = _connect(copy)
        names = [n for (n,) in file.execute("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite%'")]
        games = [g for (g,) in file.execute("SELECT game FROM events ORDER BY id")] if "events" in names else []
        file.close()
    return sorted(names), games


def kill_at(at: int) -> None:
    """Have this process killed when it is about to run a statement: the one with the number *at*, from 1."""
    left = [at]

    def count(_: str) -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect(*args: Any, **how: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = _connect(*args, **how)
        connection.set_trace_callback(count)
        return connection

    for module in (sqlite3, sqlite3.dbapi2):
        vars(module)["connect"] = connect


def run_forked(do: Callable[[], None]) -> int:
    """Return the exit status of a forked copy of this process: 0, or negative after a signal."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            do()
            code = 0
        except BaseException as error:  # noqa: BLE001  it is told by the code
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(start: str, folder: Path, first_at: int, step: int) -> None:
    """Kill a start of the server at one statement after another, until a start ends before it is killed."""
    config = Config()
    config.set_main_option("script_location", str(folder))
    config.set_main_option("path_separator", "os")
    head = ScriptDirectory.from_config(config).get_current_head()
    assert head
    result: list[dict[str, Any]] = []
    ends = -signal.SIGKILL
    while ends == -signal.SIGKILL:
        with tempfile.TemporaryDirectory() as name:
            database = Path(name) / "games.sqlite"
            if start:
                shutil.copy(start, database)

            def first(database: Path = database, at: int = first_at + step * len(result)) -> None:
                kill_at(at)
                open_database(database, folder, head)

            ends = run_forked(first)
            left, stored = contents(database)
            again = run_forked(lambda database=database: open_database(database, folder, head))  # type: ignore[misc]
            tables, games = contents(database)
            copies = sorted(path.name for path in Path(name).iterdir() if "left" in path.name)
            result.append(
                {"left": left, "kept": stored, "again": again, "tables": tables, "games": games, "copies": copies}
            )
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
