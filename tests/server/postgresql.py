"""A PostgreSQL server for the tests, if its programs are installed. Its data and its socket are in one folder."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.tiers import everything

USER = "postgres"
"""The user that runs PostgreSQL if root runs the tests, because PostgreSQL refuses to run as root."""


def missing() -> str:
    """Return why PostgreSQL is unavailable; empty if it is available."""
    if not everything():
        return "PostgreSQL is tested by `make test-all`"
    if importlib.util.find_spec("psycopg") is None:
        return "PostgreSQL is not tested: psycopg is missing; pip install 'caltrop[postgresql]'"
    if _programs() is None:
        return "PostgreSQL is not tested: it is not installed; on Debian, apt-get install postgresql"
    if os.name == "nt" or (os.geteuid() == 0 and _run("true", check=False).returncode):
        return f"PostgreSQL is not tested: root cannot run it, and there is no user {USER} to do so"
    return ""


def _programs() -> Path | None:
    """Return the folder with `initdb` and `pg_ctl`. On Debian this folder is not on the path."""
    program = shutil.which("initdb")
    folders = [Path(program).resolve().parent] if program else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: -int(one.parent.name))
    return next((one for one in folders if (one / "initdb").exists() and (one / "pg_ctl").exists()), None)


def _run(*command: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
    user = USER if os.geteuid() == 0 else None
    try:
        return subprocess.run(command, check=check, user=user, cwd="/", stdout=subprocess.DEVNULL, timeout=120)
    except (KeyError, LookupError, PermissionError):
        return subprocess.CompletedProcess(command, 1)


class PostgreSQL:
    """A PostgreSQL server with databases for the tests alone."""

    def __init__(self, *, sync: bool = False) -> None:
        self.sync = sync
        """True to have each act on the disk before it is acknowledged, as a server's does."""
        folder = _programs()
        assert folder is not None
        self.programs, self.made = folder, 0
        # The path of a socket may have about a hundred characters, and only one user can use a test's own folder.
        self.folder = Path(tempfile.mkdtemp(prefix="caltrop-pg-", dir="/tmp"))
        if os.geteuid() == 0:
            shutil.chown(self.folder, USER)
        how = ("--auth=trust", "--username=caltrop", "--encoding=UTF8", "--locale=C", "--no-sync")
        _run(str(self.programs / "initdb"), "-D", str(self.folder / "data"), *how)
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = (
            f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync={'on' if self.sync else 'off'}"
        )
        self._control("start", "-w", "-l", str(self.folder / "log"), "-o", options)

    def stop(self, how: str = "immediate") -> None:
        """Stop the server, by default immediately, as in a crash."""
        self._control("stop", "-w", "-m", how)

    def _control(self, *words: str) -> None:
        _run(str(self.programs / "pg_ctl"), "-D", str(self.folder / "data"), *words)

    def address(self, database: str) -> str:
        """Return the address of a database in the form that Caltrop reads."""
        return f"postgresql://caltrop@/{database}?host={self.folder}"

    def database(self) -> str:
        """Create a database, and return its address."""
        import psycopg

        self.made += 1
        name = f"test{self.made}"
        with psycopg.connect(f"host={self.folder} user=caltrop dbname=postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.address(name)

    def remove(self) -> None:
        """Stop the server, and delete its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
