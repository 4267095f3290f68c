"""The other workers of a server: the running workers, the games that they have, and messages between workers.

A separate thread renews this worker's row and listens, so that a busy worker does not appear to have ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from caltrop.host import leases
from caltrop.host.leases import DESK, ServerWorker
from caltrop.host.storage import Storage

log = logging.getLogger("caltrop.host")

RENEW_SECONDS = 0.5
"""Seconds after which a worker renews its row."""

HOMES = 20_000
"""Number of games of other workers to remember."""


class Neighbours:
    """The workers that share a database with this one."""

    def __init__(self, storage: Storage, me: ServerWorker) -> None:
        self.storage, self.me = storage, me
        self.others: dict[str, ServerWorker] = {}
        """The running workers by id."""
        self.desk: str = ""
        """The worker with the central tasks; empty while there is none."""
        self.hearers: list[Callable[[Mapping[str, Any]], None]] = []
        """Functions that are called with messages of other workers."""
        self.changed: list[Callable[[set[str]], None]] = []
        """Functions that are called with the ended workers, when workers end or the central tasks move."""
        self.revived: Callable[[], None] = lambda: None
        """Function that is called if other workers considered this worker ended: they may have taken its games."""
        self._homes: OrderedDict[str, str] = OrderedDict()
        self._closing = threading.Event()
        self._begun = asyncio.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def begin(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="caltrop-neighbours", daemon=True)
        self._thread.start()
        await self._begun.wait()

    @property
    def at_desk(self) -> bool:
        return self.desk == self.me.id

    def desk_of(self) -> ServerWorker | None:
        return self.others.get(self.desk)

    def home(self, game: str) -> ServerWorker | None:
        """Return the other worker that had a game at the last lookup; None if unknown."""
        return self.others.get(self._homes.get(game, ""))

    def note(self, game: str, worker: ServerWorker | None) -> None:
        if worker is None:
            self._homes.pop(game, None)
            return
        self.others.setdefault(worker.id, worker)
        self._homes[game] = worker.id
        self._homes.move_to_end(game)
        while len(self._homes) > HOMES:
            self._homes.popitem(last=False)

    # Methods for the listening thread.

    def _run(self) -> None:
        engine = create_engine(self.storage.url, poolclass=NullPool)
        first = True
        while not self._closing.is_set():
            try:
                with engine.connect() as connection:
                    connection = connection.execution_options(isolation_level="AUTOCOMMIT")
                    connection.exec_driver_sql(f"LISTEN {leases.CHANNEL}")
                    driver: Any = connection.connection.driver_connection
                    while not self._closing.is_set():
                        is_new = leases.renew(connection, self.me)
                        leases.take(connection, DESK, self.me.id, stored=False)
                        desk = leases.owner(connection, DESK)
                        there = leases.workers(connection)
                        self._call(self._see, there, desk, is_new and not first)
                        first = False
                        for notification in driver.notifies(timeout=RENEW_SECONDS):
                            self._call(self._hear, notification.payload)
            except Exception as error:  # noqa: BLE001  the driver has errors of its own, as of a connection that is lost
                log.warning("no messages from the other workers at present: %s", str(error).partition("\n")[0])
                self._closing.wait(RENEW_SECONDS)
        engine.dispose()

    def _call(self, do: Callable[..., None], *with_: Any) -> None:
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):  # the program is ending
            self._loop.call_soon_threadsafe(do, *with_)

    # Methods for the main thread of the program.

    def _see(self, there: Mapping[str, ServerWorker], desk: ServerWorker | None, revived: bool) -> None:
        before, was = set(self.others), self.desk
        self.others = {id: worker for id, worker in there.items() if id != self.me.id}
        self.desk = "" if desk is None else desk.id
        self._begun.set()
        if revived:
            log.warning("this worker was slow, and the others treated it as ended")
            self.revived()
        gone = before - set(self.others)
        if gone or self.desk != was:
            self._say_changed(gone)

    def _say_changed(self, gone: set[str]) -> None:
        for call in self.changed:
            call(gone)

    def _hear(self, payload: str) -> None:
        try:
            message = json.loads(payload)
        except ValueError:
            return
        if message.get("from") == self.me.id:
            return
        if message.get("kind") == "gone" and message.get("worker") in self.others:
            gone = {message["worker"]}
            self.others.pop(message["worker"])
            if self.desk in gone:
                self.desk = ""
            self._say_changed(gone)
        for hear in self.hearers:
            try:
                hear(message)
            except Exception:  # a message that causes an error must not stop other messages
                log.exception("a message from another worker could not be handled")

    # Messages to the others.

    def tell(self, message: dict[str, Any]) -> None:
        self.storage.notify(json.dumps({**message, "from": self.me.id}, separators=(",", ":")))

    def close(self) -> None:
        self._closing.set()
        if self._thread is not None:
            self._thread.join(2 * RENEW_SECONDS + 1)
        engine = create_engine(self.storage.url, poolclass=NullPool)
        try:
            with engine.begin() as connection:
                leases.end(connection, self.me.id)
        except DBAPIError as error:
            log.warning("this worker could not announce its end: %s", str(error.orig).partition("\n")[0])
        finally:
            engine.dispose()
