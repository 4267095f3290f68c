"""Access to the server from the local network, which people at this machine can open and close.

No address is opened by default, and only addresses in local networks are opened, never a public one.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response

from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.server.guard import host_name
from caltrop.server.requests import Route, address_of, json_of
from caltrop.wire import read_strictly
from caltrop.wire.messages import DoorView, OpenDoor


class Listens(Protocol):
    """A listener to which addresses can be added and removed."""

    async def listen(self, sock: socket.socket) -> None: ...

    def stop(self, addresses: Sequence[str]) -> None:
        """Stop listening at these addresses, and close their connections."""
        ...


class Door:
    """The addresses of the server.

    Args:
        shown: True if the server has public names or addresses, for instance behind a proxy. The address of the page is
            then the address to share.
        may_open: True if people at this machine may open it to the network.
        local: The addresses of this machine in local networks.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        shown: bool = False,
        may_open: bool = False,
        local: Callable[[], list[str]] | None = None,
    ) -> None:
        self.host, self.port, self.shown, self.may_open = host, port, shown, may_open
        self.local = local or local_addresses
        self.listens: Listens | None = None
        """Opener of addresses; None if no address can be opened."""
        self.told: Callable[[bool], None] = lambda on: None
        """Function that is called with True when the server becomes reachable from other machines, and with False
        afterwards.
        """
        self.opened: list[tuple[str, int]] = []
        self.routes: list[Route] = [("GET", "/api/door", self.look), ("POST", "/api/door", self.turn)]

    @property
    def alone(self) -> bool:
        """True if no other machine can reach the server."""
        return is_this_machine(self.host) and not self.shown and not self.opened

    def view(self, request: Request) -> DoorView:
        """Return whether the server is open to the network. Only requests from its own machine get its addresses."""
        at_home = is_at_home(request)
        addresses = self.opened
        if not self.opened and not self.shown and not is_this_machine(self.host):
            hosts = self.local() if self.host in ("0.0.0.0", "::") else [self.host]
            addresses = [(host, self.port) for host in hosts]
        return DoorView(
            alone=self.alone,
            addresses=tuple(f"http://{host}:{port}" for host, port in addresses) if at_home else (),
            opened=bool(self.opened),
            may_open=self.may_open and self.listens is not None and at_home,
        )

    async def look(self, request: Request, games: Games) -> Response:
        return json_of(self.view(request))

    async def turn(self, request: Request, games: Games) -> Response:
        """Open the server to the local network, or close it again; only for people at this machine."""
        body = read_strictly(await request.body(), OpenDoor)
        if not self.view(request).may_open:
            raise refused(
                "not-from-here",
                "Only its own machine can open this server or close it, with caltrop play",
            )
        if body.open and not self.opened:
            await self._open()
        elif not body.open and self.opened:
            self.shut()
        return json_of(self.view(request))

    async def _open(self) -> None:
        assert self.listens is not None
        for host in await asyncio.to_thread(self.local):
            for port in (self.port, 0):
                try:
                    sock = listening_at(host, port)
                except OSError:
                    continue
                self.opened.append((host, sock.getsockname()[1]))
                await self.listens.listen(sock)
                break
        if not self.opened:
            raise refused("no-network", "This machine does not seem to be in a local network now")
        self.told(True)

    def shut(self) -> None:
        if self.listens is not None:
            self.listens.stop([host for host, _ in self.opened])
        self.opened = []
        self.told(False)


def is_at_home(request: Request) -> bool:
    """Return whether the request comes directly from this machine, by one of its own addresses."""
    through = any(name in request.headers for name in ("forwarded", "x-forwarded-for", "x-forwarded-host", "via"))
    host = host_name(request.headers.get("host", ""))
    return not through and is_this_machine(host) and is_this_machine(address_of(request))


def is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; 0 for any port.

    Raises OSError when the port is taken, or the address is not this machine's.
    """
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made


def local_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine in local networks, the usual address first."""
    addresses = [*_outward(), *_of_interfaces()]
    with contextlib.suppress(OSError):
        addresses += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(addresses) if is_local(address)]


def is_local(address: str) -> bool:
    """Return whether an address can be reached from a local network only.

    >>> [is_local(one) for one in ("192.168.1.5", "10.0.0.1", "127.0.0.1", "169.254.3.4", "8.8.8.8", "0.0.0.0")]
    [True, True, False, False, False, False]
    """
    ip = ipaddress.ip_address(address)
    return ip.is_private and not (ip.is_loopback or ip.is_link_local or ip.is_unspecified)


def _outward() -> list[str]:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.connect(("203.0.113.1", 9))
        return [str(sock.getsockname()[0])]
    return []


def _of_interfaces() -> list[str]:
    if not sys.platform.startswith("linux"):
        return []
    import fcntl

    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            asked = struct.pack("256s", name.encode()[:15])
            try:
                flags = struct.unpack("H", fcntl.ioctl(sock.fileno(), 0x8913, asked)[16:18])[0]  # SIOCGIFFLAGS
                address = socket.inet_ntoa(fcntl.ioctl(sock.fileno(), 0x8915, asked)[20:24])  # SIOCGIFADDR
            except OSError:  # the network interface has no address
                continue
            if flags & 0x1 and flags & 0x40:  # the network interface is up and running
                addresses.append(address)
    return addresses


__all__ = ["Door", "Listens", "is_at_home", "is_local", "is_this_machine", "listening_at", "local_addresses"]
