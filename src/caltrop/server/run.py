"""Starting the server: a free port, the address on the screen, and the end by Ctrl+C."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import os
import re
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import msgspec
import uvicorn

from caltrop.errors import InputError
from caltrop.host.database import default_url
from caltrop.host.leases import ServerWorker
from caltrop.host.seats import ServerLibrary
from caltrop.host.together.carriers import Outside
from caltrop.server.administering import reachable
from caltrop.server.app import create_app
from caltrop.server.connections import IDLE_SECONDS, Connections, Patient, Sparing, as_many_as_the_system_lets
from caltrop.server.door import Door, is_this_machine, listening_at
from caltrop.server.guard import Network, ServerLimits
from caltrop.server.measures import JsonLines


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address.

    Raises InputError when the port is taken or the address is not this machine's.
    """
    if not 0 <= port <= 65_535:
        raise InputError(f"a port is a number from 0 to 65535; this one is {port}")
    try:
        return listening_at(host, port)
    except OSError as error:
        words = error.strerror or str(error)
        raise InputError(f"cannot listen at {host}, port {port}: {words.lower()}; --port 0 takes a free one") from None


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a server, which all of its workers share."""

    host: str
    port: int
    database: str
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    prefix: str = ""
    files: tuple[str, ...] = ()
    studies: Path | None = None
    may_open: bool = False
    metrics: tuple[str, ...] = ()
    log: str = "text"
    outside: Outside | None = None
    admin: str = ""
    """The secret of the administration route."""
    workers: int = 0
    """Number of workers; 0 for a single process."""

    @property
    def address(self) -> str:
        return f"http://{_written(self.host)}:{self.port}"


def run(
    *,
    host: str,
    port: int,
    database: str = "",
    names: Sequence[str] = (),
    proxies: Sequence[str] = (),
    prefix: str = "",
    files: Sequence[str] = (),
    studies: Path | None = None,
    may_open: bool = False,
    metrics: Sequence[str] = (),
    log: str = "text",
    outside: Outside | None = None,
    workers: int = 0,
    supervise: Callable[[ServerSettings, socket.socket], int] | None = None,
    ready: Callable[[str], None] | None = None,
) -> int:
    """Serve until stopped.

    Returns the exit code. Raises InputError if the address or the database is not available, or for an invalid name,
    proxy or prefix.

    Args:
        port: The port; 0 for any free port.
        database: Address of the database; by default in the user's data folder.
        proxies: Addresses or networks of trusted proxies, whose X-Forwarded-For header is used.
        prefix: The path under which a proxy shows the server, as `/games`.
        files: Files of scenarios and armies that may be played.
        studies: The folder with the studies of the lab.
        may_open: True if people at this machine may open the server to the local network.
        metrics: Addresses or networks that may read metrics at `/metrics`.
        log: Format of the log: `text`, or `json` with a line for each request.
        outside: Settings for notices, such as a mail server.
        workers: Number of server processes, which are restarted if they end; 0 for this process alone.
        ready: Called with the address once the server answers.
    """
    networks(proxies)
    networks(metrics, "of who may read figures")
    path = clean_prefix(prefix)
    for one in names:
        clean_name(one)
    if log not in LOGS:
        raise InputError(f"{log!r} is not a format of the log; write {' or '.join(LOGS)}")
    write_down(sys.stderr, log)
    sock = listening(host, port)
    settings = ServerSettings(
        host=host,
        port=sock.getsockname()[1],
        database=database or default_url(),
        names=tuple([clean_name(one) for one in names]),
        proxies=tuple(proxies),
        prefix=path,
        files=tuple(files),
        studies=studies,
        may_open=may_open,
        metrics=tuple(metrics),
        log=log,
        outside=outside,
        admin=secrets.token_urlsafe(32),
        workers=workers,
    )
    try:
        if workers and supervise is not None:
            return supervise(settings, sock)
        served = made(settings, sock, None, ready)
        with reachable(settings.database, f"{settings.address}{path}", settings.admin):
            served.run(sockets=[sock])
    finally:
        sock.close()
        _leave_the_lost()
    return 0


def made(
    settings: ServerSettings,
    sock: socket.socket,
    worker: ServerWorker | None = None,
    ready: Callable[[str], None] | None = None,
    number: int = 0,
) -> Server:
    """Return a server that is ready to start. Raises InputError if the database is not available.

    Args:
        worker: Name of this worker among several workers; None for a single worker.
        ready: Called with the address once it answers.
        number: The number of this worker; 0 for a single worker.
    """
    trusted, names = networks(settings.proxies), settings.names
    shown = bool(names or trusted or settings.prefix or worker)
    door = Door(settings.host, settings.port, shown=shown, may_open=settings.may_open and worker is None)
    app = create_app(
        settings.database,
        library=ServerLibrary(settings.files),
        names=names,
        open_to_network=not is_this_machine(settings.host),
        proxies=trusted,
        prefix=settings.prefix,
        door=door,
        studies=settings.studies,
        outside=settings.outside,
        loaded=keep_what_is_loaded,
        readers=networks(settings.metrics, "of who may read figures"),
        admin=settings.admin,
        worker=worker,
        workers=max(settings.workers, 1),
        number=number,
    )
    as_many_as_the_system_lets()
    # The connections of other workers are not counted.
    friends = trusted if worker is None else (*trusted, *networks(["127.0.0.1"]))
    config = uvicorn.Config(
        app,
        http=type("Served", (Patient,), {"connections_by_address": Connections(friends)}),
        log_level="warning",
        access_log=False,
        log_config=None,
        ws_max_size=ServerLimits().message * 2,
        ws_ping_interval=20,
        ws_ping_timeout=40,
        # If a connection closes just as it is reused, the request is lost.
        timeout_keep_alive=int(IDLE_SECONDS),
        server_header=False,
        timeout_graceful_shutdown=2,
        proxy_headers=False,
    )
    served = door.listens = Server(
        config, settings.address, ready, quiet=worker is not None, ending=lambda: app.ending()
    )
    return served


LOGS = ("text", "json")
"""The formats of the log."""


def write_down(to: TextIO, form: str = "text") -> None:
    """Configure the log: each line has its time, and equal lines are limited to a few in a minute.

    Args:
        form: `text`, or `json` for one object per line and request.
    """
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=to)
    for handler in logging.getLogger().handlers:
        if not any(isinstance(one, Sparing) for one in handler.filters):
            handler.addFilter(Sparing())
        if form == "json":
            handler.setFormatter(JsonLines())
    if form == "json":
        logging.getLogger("caltrop.access").setLevel(logging.INFO)
    # A client that closes a live connection is not an error of the program.
    logging.getLogger("websockets.server").setLevel(logging.CRITICAL)


def networks(texts: Sequence[str], whose: str = "of a proxy") -> tuple[Network, ...]:
    """Parse addresses and networks. Raises InputError for a text that is neither.

    Args:
        whose: Owner of the addresses, for the error.
    """
    parsed = []
    for one in texts:
        try:
            parsed.append(ipaddress.ip_network(one.strip(), strict=False))
        except ValueError:
            raise InputError(
                f"{one!r} is not an address {whose}; write 127.0.0.1, or a network as 10.0.0.0/8"
            ) from None
    return tuple(parsed)


def clean_name(text: str) -> str:
    """Return a host name without the port.

    Raises InputError for an invalid name; the message has the nearest valid name.

    >>> clean_name("Games.Example."), clean_name("bücher.example"), clean_name("::1")
    ('games.example', 'xn--bcher-kva.example', '::1')
    """
    with suppress(ValueError):
        return str(ipaddress.ip_address(text.strip("[]")))
    try:
        name = text.removesuffix(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        name = ""
    label = r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?"
    if re.fullmatch(rf"{label}(\.{label})*", name):
        return name
    near = re.sub(r"^[a-z]+://|[:/].*$", "", text.strip(), flags=re.ASCII | re.IGNORECASE)
    hint = near if re.fullmatch(r"[A-Za-z0-9.-]+", near) else "games.example"
    raise InputError(f"{text!r} is not a name of a server; write it without https:// and port, as in {hint}")


def clean_prefix(text: str) -> str:
    """Return a path prefix with a slash at its beginning and none at its end; empty without a prefix.

    Raises InputError for an impossible prefix.

    >>> clean_prefix("games/"), clean_prefix("/a/b"), clean_prefix("/")
    ('/games', '/a/b', '')
    """
    parts = [part for part in text.split("/") if part]
    if not all(re.fullmatch(r"[A-Za-z0-9_~.-]+", part) and part.strip(".") for part in parts):
        raise InputError(f"{text!r} is not a path for the server; write letters, digits and -, as in /games")
    if parts and parts[0] in ("api", "ws", "assets"):
        raise InputError(f"/{parts[0]} is the server's own path; choose another")
    return "".join(f"/{part}" for part in parts)


def _leave_the_lost(seconds: float = 2.0) -> None:
    """End the program even if some threads hang; all acknowledged acts are on disk."""
    until = time.monotonic() + seconds
    lost = [thread for thread in threading.enumerate() if thread.name.startswith("caltrop-") and not thread.daemon]
    for thread in lost:
        thread.join(max(until - time.monotonic(), 0.0))
    if any(thread.is_alive() for thread in lost):
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(0)


def say_where(address: str) -> None:
    print(f"Caltrop is at {address}/ (Ctrl+C ends it)", file=sys.stderr, flush=True)


class Server(uvicorn.Server):
    """A server that reports its address once it answers.

    Args:
        ready: Called with the address once it answers.
        quiet: True for a worker, whose address nobody else needs.
        ending: Function that is called shortly before the server ends.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        address: str,
        ready: Callable[[str], None] | None,
        *,
        quiet: bool = False,
        ending: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(config)
        self.address, self.ready, self.quiet, self.ending = address, ready, quiet, ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.ending()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            if not self.quiet:
                say_where(self.address)
            if self.ready:
                self.ready(self.address)

    async def listen(self, sock: socket.socket) -> None:
        made = await asyncio.get_running_loop().create_server(self._protocol, sock=sock, backlog=self.config.backlog)
        self.servers.append(made)

    def _protocol(self) -> asyncio.Protocol:
        protocol: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return protocol

    def stop(self, addresses: Sequence[str]) -> None:
        for server in [one for one in self.servers if one.sockets and one.sockets[0].getsockname()[0] in addresses]:
            server.close()
            self.servers.remove(server)
        for connection in list(self.server_state.connections):
            transport = getattr(connection, "transport", None)
            at = transport.get_extra_info("sockname") if transport is not None else None
            if transport is not None and at and at[0] in addresses:
                transport.close()


def keep_what_is_loaded() -> None:
    """Exclude the loaded modules and rulebooks from garbage collection.

    These are some 75,000 objects. Visiting all objects takes a tenth of a second, in which no request is answered.
    Without this call, the first collection would happen during the first act of a game.
    """
    gc.collect()
    gc.freeze()


def _written(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
