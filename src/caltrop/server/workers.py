"""A supervisor of one or several server processes (workers), which it restarts.

All workers listen at the same address, and the system gives each connection to one of them. If a worker ends, it is
started again. At the signal HUP each worker is replaced in turn; the new worker starts before the old one ends. A new
connection waits for a moment, and connected pages reconnect by themselves.
"""

from __future__ import annotations

import logging
import signal
import socket
import threading
import time
from contextlib import closing, suppress

import uvicorn
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from caltrop.errors import InputError
from caltrop.host import leases
from caltrop.host.database import StorageFault, path_of, url_of
from caltrop.host.leases import ServerWorker
from caltrop.host.mending import mend
from caltrop.host.seats import new_token
from caltrop.host.storage import Storage
from caltrop.server.administering import reachable
from caltrop.server.door import listening_at
from caltrop.server.run import Server, ServerSettings, made, say_where, write_down

log = logging.getLogger("caltrop.server")

LOOK_SECONDS = 0.1
"""Seconds between two looks at the workers."""

BEGIN_SECONDS = 60.0
"""Time limit in seconds for the start of a worker."""

WAIT_SECONDS = 30.0
"""Seconds for which a new worker waits for the old worker's lock on an SQLite file."""

FAILURES = 5
"""Number of consecutive failed starts after which the server ends."""


class _One(Process):
    """A worker process.

    Args:
        number: The number of the worker, from 1, which its replacement inherits.
    """

    def __init__(
        self, config: uvicorn.Config, sockets: list[socket.socket], settings: ServerSettings, number: int
    ) -> None:
        self.settings, self.name, self.number = settings, new_token()[:22], number
        self.shared = path_of(url_of(settings.database)) is None
        super().__init__(config, sockets)

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        import sys

        assert sockets
        write_down(sys.stderr, self.settings.log)
        self._server = None
        if not self.shared:
            # The old worker ends when the new worker reports that it is ready. Until then, the old worker holds the
            # file.
            threading.Thread(target=self._pong, daemon=True).start()
            served = _patiently(self.settings, sockets[0])
            self._server = served
            served.run(sockets=sockets)
            return
        inner = listening_at("127.0.0.1", 0)
        address = f"http://127.0.0.1:{inner.getsockname()[1]}"
        served = made(self.settings, sockets[0], ServerWorker(self.name, address, new_token()), number=self.number)
        self._server = served
        threading.Thread(target=self._pong, daemon=True).start()
        served.run(sockets=[*sockets, inner])

    def _pong(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self.child_conn.recv()
                served = self._server
                self.child_conn.send(served is not None and served.started)


def _patiently(settings: ServerSettings, sock: socket.socket) -> Server:
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            return made(settings, sock)
        except InputError as error:
            if "in use" not in error.message or time.monotonic() > until:
                raise
            time.sleep(0.02)


class _Supervisor(Multiprocess):
    """All workers, from start to end."""

    def __init__(self, config: uvicorn.Config, sock: socket.socket, settings: ServerSettings) -> None:
        super().__init__(config, [sock])
        self.settings = settings
        self.failed = 0

    def _begun(self, number: int) -> _One:
        one = _One(self.config, self.sockets, self.settings, number)
        one.start()
        return one

    def init_processes(self) -> None:
        self.processes = [self._begun(number + 1) for number in range(self.settings.workers)]
        for one in self.processes:
            if not one.wait_until_ready(BEGIN_SECONDS, self.should_exit):
                self.should_exit.set()
        if not self.should_exit.is_set():
            say_where(self.settings.address)

    def run(self) -> None:
        self.init_processes()
        while not self.should_exit.wait(LOOK_SECONDS):
            self.handle_signals()
            self.keep_subprocess_alive()
        self.terminate_all()
        self.join_all()

    def keep_subprocess_alive(self) -> None:
        for number, one in enumerate(self.processes):
            if one.process.is_alive():
                continue
            assert isinstance(one, _One)
            one.join()
            log.error("a worker has ended with exit code %s and is started again", one.exitcode)
            self._forget(one)
            self.failed = self.failed + 1 if one.process.exitcode == 1 else 0
            if self.failed >= FAILURES:
                log.error("%d workers ended at their start: the server stops", FAILURES)
                self.should_exit.set()
                return
            self.processes[number] = self._begun(number + 1)

    def _forget(self, one: _One) -> None:
        if not one.shared:
            return
        engine = create_engine(url_of(self.settings.database), poolclass=NullPool)
        try:
            with engine.begin() as connection:
                leases.end(connection, one.name)
        except DBAPIError as error:
            log.warning(
                "the other workers will learn later that a worker has ended: %s", str(error.orig).partition("\n")[0]
            )
        finally:
            engine.dispose()

    def restart_all(self) -> None:
        """Start each worker again; the new worker starts before the old one ends."""
        for number, old in enumerate(self.processes):
            new = self._begun(number + 1)
            there = new.wait_until_ready(BEGIN_SECONDS, self.should_exit) if new.shared else new.ping(BEGIN_SECONDS)
            if not there:
                log.error("a new worker does not answer: the old workers continue")
                new.kill()
                new.join()
                return
            old.terminate()
            old.join()
            self.processes[number] = new
            if not new.shared and not new.wait_until_ready(BEGIN_SECONDS, self.should_exit):
                log.error("the new worker does not answer")

    def handle_ttin(self) -> None:
        """Do nothing: the command sets the number of workers."""

    def handle_ttou(self) -> None:
        """Do nothing: the command sets the number of workers."""


def supervise(settings: ServerSettings, sock: socket.socket) -> int:
    """Start workers and supervise them until the end; return the exit code.

    Raises InputError if the database cannot be opened, or cannot be shared by several workers.
    """
    url = url_of(settings.database)
    if path_of(url) is not None and settings.workers > 1:
        words = "an SQLite file has one worker: write --workers 1, or --database postgresql://USER@HOST/NAME"
        raise InputError(f"{words} for several", source=url.render_as_string(hide_password=True))
    # The database is migrated and repaired before the workers share it.
    with closing(Storage(settings.database)) as storage, suppress(StorageFault):
        mend(storage)
    config = uvicorn.Config("caltrop.server.run:run", log_config=None, workers=settings.workers)
    workers = _Supervisor(config, sock, settings)
    with reachable(settings.database, f"{settings.address}{settings.prefix}", settings.admin):
        workers.run()
    for name in ("SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    return 1 if workers.failed >= FAILURES else 0
