"""Starting the server: a free port, the address on the screen, the end by Ctrl+C."""

from __future__ import annotations

import gc
import ipaddress
import logging
import socket
import sys
from collections.abc import Callable, Sequence

import uvicorn

from caltrop import InputError
from caltrop.server.app import create_app
from caltrop.server.guard import Limits
from caltrop.server.seats import Library
from caltrop.server.storage import default_url


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens at an address.

    Raises:
        InputError: when the port is taken or the address is not this machine's.
    """
    if not 0 <= port <= 65_535:
        raise InputError(f"a port is a number from 0 to 65535, and not {port}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(128)
    except OSError as error:
        made.close()
        words = error.strerror or str(error)
        raise InputError(f"cannot listen at {host}, port {port}: {words.lower()}; --port 0 takes a free one") from None
    return made


def run(
    *,
    host: str,
    port: int,
    database: str = "",
    names: Sequence[str] = (),
    files: Sequence[str] = (),
    ready: Callable[[str], None] | None = None,
) -> int:
    """Serve until stopped.

    Args:
        host: The address to listen at.
        port: The port; 0 for any.
        database: Where games are kept; the user's data folder by default.
        names: Names that the server goes by.
        files: Files of scenarios and armies that may be played.
        ready: Called with the address once the server answers.

    Returns:
        The exit code.

    Raises:
        InputError: when the address or the database cannot be had.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    sock = listening(host, port)
    try:
        app = create_app(
            database or default_url(),
            library=Library(files),
            names=names,
            open_to_network=not _is_this_machine(host),
            loaded=keep_what_is_loaded,
        )
        address = f"http://{_written(host)}:{sock.getsockname()[1]}"
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            ws_max_size=Limits().message * 2,
            ws_ping_interval=20,
            ws_ping_timeout=40,
            # Longer than people think: a connection that closes just as it is used again loses what it was used for.
            timeout_keep_alive=75,
            server_header=False,
            timeout_graceful_shutdown=2,
            proxy_headers=False,
        )
        _Server(config, address, ready).run(sockets=[sock])
    finally:
        sock.close()
    return 0


class _Server(uvicorn.Server):
    """Says where it is once it answers."""

    def __init__(self, config: uvicorn.Config, address: str, ready: Callable[[str], None] | None) -> None:
        super().__init__(config)
        self.address, self.ready = address, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell the address."""
        await super().startup(sockets)
        if not self.should_exit:
            print(f"Caltrop is at {self.address}/ (Ctrl+C ends it)", file=sys.stderr, flush=True)
            if self.ready:
                self.ready(self.address)


def keep_what_is_loaded() -> None:
    """Take what is in memory now for good, so that the collector of garbage no longer goes through it.

    The modules and the rulebooks are some 75,000 objects. To go through them takes a tenth of a second, in which nobody
    is answered, and the collector would do so first in the middle of the first act of a game.
    """
    gc.collect()
    gc.freeze()


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _written(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
