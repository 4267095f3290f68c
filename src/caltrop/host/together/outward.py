"""Posts to other machines at addresses that people have given, except in private networks.

Host names are resolved here, every resulting address is checked, and the connection uses the checked address. Redirects
are not followed. A request can therefore be redirected into a private network neither by a DNS answer nor by the other
machine.
"""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

from caltrop.errors import Portable

SECONDS = 10.0
"""Time limit for the whole request in seconds."""

ADDRESS = 1000
"""Largest length of an address in characters."""

ANSWER = 4096
"""Largest size of the first line of an answer in bytes. The rest of an answer is not read."""

_GLOBAL6 = ipaddress.IPv6Network("2000::/3")
_TUNNELS = tuple(ipaddress.IPv6Network(one) for one in ("2002::/16", "2001::/32", "2001:db8::/32"))
"""IPv6 networks that map to other addresses or to none."""

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]


class NotPosted(Portable):
    """A post has failed, with the reason in words.

    Args:
        for_good: True if trying again is useless.
    """

    def __init__(self, words: str, *, for_good: bool = False) -> None:
        super().__init__(words)
        self.for_good = for_good


def is_public(address: str) -> bool:
    """Return whether an address is public on the Internet.

    >>> [is_public(one) for one in ("8.8.8.8", "10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2606:4700::1")]
    [True, False, False, False, True]
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        return ip.is_global and ip in _GLOBAL6 and not any(ip in one for one in _TUNNELS)
    return ip.is_global and not ip.is_multicast


def checked(url: str, *, private: bool = False) -> SplitResult:
    """Return the parts of a valid address for posting. Raises NotPosted when the address is invalid.

    Args:
        private: True to allow local and unencrypted addresses; for tests only.
    """
    words = "an address to be told at begins with https:// and names a machine on the Internet"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NotPosted(words, for_good=True) from None
    plain = len(url) <= ADDRESS and url.isascii() and url.isprintable() and " " not in url
    if not plain or not parts.hostname or parts.username is not None or parts.password is not None or port == 0:
        raise NotPosted(words, for_good=True)
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise NotPosted(words, for_good=True)
    try:
        literal = str(ipaddress.ip_address(parts.hostname))
    except ValueError:
        return parts
    if not private and not is_public(literal):
        raise NotPosted("this address is in a private network; nothing is posted there", for_good=True)
    return parts


async def looked_up(host: str, port: int) -> Sequence[str]:
    addresses = await asyncio.get_running_loop().getaddrinfo(host, port, type=1)
    return [str(address[4][0]) for address in addresses]


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


async def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    private: bool = False,
    lookup: Lookup = looked_up,
    seconds: float = SECONDS,
) -> int:
    """Post a body, and return the status of the answer. The rest of the answer is not read.

    Raises NotPosted if the address is private or invalid, or does not answer in time.

    Args:
        headers: Headers other than host and length.
        private: As in `checked`.
    """
    parts = checked(url, private=private)
    assert parts.hostname is not None
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    try:
        async with asyncio.timeout(seconds):
            addresses = await lookup(parts.hostname, port)
            if not addresses:
                raise NotPosted("there is no machine of this name")
            if not private and not all(is_public(address) for address in addresses):
                raise NotPosted("this name leads into a private network; nothing is posted there", for_good=True)
            reader, writer = await asyncio.open_connection(
                addresses[0], port, ssl=_tls() if secure else None, server_hostname=parts.hostname if secure else None,
                limit=ANSWER,
            )  # fmt: skip
            try:
                writer.write(_request(parts, body, headers))
                await writer.drain()
                return _status(await reader.readuntil(b"\n"))
            finally:
                writer.close()
    except TimeoutError:
        raise NotPosted("there was no answer in time") from None
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ssl.SSLError, UnicodeError):
        raise NotPosted("no web server answers there") from None


def _request(parts: SplitResult, body: bytes, headers: Mapping[str, str]) -> bytes:
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host = parts.netloc
    lines = {"Host": host, "User-Agent": "Caltrop", "Content-Length": str(len(body)), "Connection": "close", **headers}
    for name, value in lines.items():
        if not (name + value).isprintable() or not (name + value).isascii():
            raise NotPosted("a header has an invalid character", for_good=True)
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body


def _status(line: bytes) -> int:
    parts = line.split(b" ")
    if not line.startswith(b"HTTP/1.") or len(parts) < 2 or not parts[1].strip().isdigit() or len(parts[1]) > 5:
        raise NotPosted("no web server answers there")
    return int(parts[1])
