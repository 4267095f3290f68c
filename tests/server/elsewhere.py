"""Receivers of notices on this machine: a web server for webhooks and web push, and a mail server."""

from __future__ import annotations

import base64
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import http_ece
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Posted(NamedTuple):
    """A received post."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """A web server that records posts and gives prepared answers."""

    def __init__(self) -> None:
        self.posted: list[Posted] = []
        self.answers: list[int] = []
        """Statuses of the next answers; 201 after that."""
        self.location = ""
        """Target of redirects with status 302."""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                receiver.posted.append(Posted(self.path, dict(self.headers), self.rfile.read(length)))
                self.send_response(receiver.answers.pop(0) if receiver.answers else 201)
                if receiver.location:
                    self.send_header("Location", receiver.location)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/told"


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a web server on this machine."""
    receiver = Receiver()
    thread = threading.Thread(target=receiver.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield receiver
    finally:
        receiver.server.shutdown()
        receiver.server.server_close()
        thread.join()


class Letters:
    """A mail server that stores the mails."""

    def __init__(self) -> None:
        self.letters: list[Any] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep a letter."""
        self.letters.append(envelope)
        return "250 OK"


@contextmanager
def mailing() -> Iterator[tuple[str, list[Any]]]:
    """Run a mail server on this machine; yield its address and the mails that it receives."""
    box = Letters()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield f"smtp://127.0.0.1:{port}", box.letters
    finally:
        controller.stop()


class Subscriber:
    """A browser that receives web push, as a push service knows it."""

    def __init__(self) -> None:
        self.key = generate_private_key(SECP256R1())
        self.auth = b"sixteen bytes !!"
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.p256dh = _text(public)

    def subscription(self, endpoint: str) -> dict[str, str]:
        """Return the data that the page sends to the server."""
        return {"endpoint": endpoint, "p256dh": self.p256dh, "auth": _text(self.auth)}

    def opened(self, body: bytes) -> bytes:
        """Return the decrypted text of a message that was sealed for this browser."""
        decrypt: bytes = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        return decrypt


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def wait_until(done: Callable[[], Any], seconds: float = 10.0) -> Any:
    """Wait until *done* returns something, and return it."""
    end = time.monotonic() + seconds
    while not (result := done()):
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.005)
    return result
