"""Delivery of notices to people: by web push, by a webhook, by e-mail."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
import smtplib
import ssl
import time
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from functools import partial
from importlib.util import find_spec
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from caltrop.errors import InputError
from caltrop.host.together.outward import Lookup, NotPosted, looked_up, post
from caltrop.host.together.persons import Hook, Mail, Person, Push
from caltrop.wire.together import Way

SECONDS = 10.0
"""Time limit in seconds for each step of the mail server."""

PUSH_SECONDS = 24 * 60 * 60
"""Seconds for which a push service keeps a notice for an offline browser."""

GONE = (404, 410)
"""Status codes of a push service for a browser that no longer receives notices."""

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,200}[A-Za-z0-9])")


class Outside(msgspec.Struct, frozen=True, kw_only=True):
    """The settings for notices by mail, web push and webhooks."""

    mail: str = ""
    """The mail server, as smtp://USER:PASSWORD@HOST:PORT or smtps://…; empty for none."""
    sender: str = ""
    """Sender address of mails."""
    moment: float = 20.0
    """Delay of a notice in seconds. The notice is dropped if the person plays or opens the page in this time."""
    lingering: float = 60.0
    """Seconds in which a broken connection may count as an open page, when a phone falls asleep. If a turn begins in
    this time, the check is repeated afterwards.
    """
    retries: tuple[float, ...] = (30.0, 120.0, 600.0, 3600.0, 4 * 3600.0)
    """Delays in seconds between attempts to deliver a notice."""
    private: bool = False
    """True to allow notices to private networks; for tests only."""
    lookup: Lookup = looked_up
    """Gives the addresses of a machine."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A notice to a person. A notice contains only what an onlooker of the game could see."""

    kind: str
    """`turn`, `rematch`, `invitation`, `late`, `tournament` or `hello`."""
    title: str
    words: str
    game: str = ""
    side: int | None = None


def can_push() -> bool:
    return find_spec("http_ece") is not None and find_spec("py_vapid") is not None


def is_mail_address(text: str) -> bool:
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None and ".." not in text


def link_of(origin: str, game: str) -> str:
    """Return the address of a game, without a secret; without a game that of the lobby."""
    return f"{origin.rstrip('/')}/{game}"


class Carriers:
    """Delivery of notices to people.

    Args:
        outside: The settings for delivery.
        vapid: Returns the key by which push services identify this server, in PEM.
    """

    def __init__(self, outside: Outside, vapid: Callable[[], str]) -> None:
        self.outside, self.vapid = outside, vapid

    @property
    def kinds(self) -> tuple[Way, ...]:
        there: dict[Way, bool] = {"push": can_push(), "hook": True, "mail": bool(self.outside.mail)}
        return tuple([way for way, can in there.items() if can])

    # Webhooks.

    async def to_hook(self, hook: Hook, person: Person, notice: Notice) -> None:
        at = int(time.time())
        body = msgspec.json.encode(
            {"at": at, "person": person.name, "url": link_of(hook.origin, notice.game), **msgspec.to_builtins(notice)}
        )
        headers = {"Content-Type": "application/json", "Caltrop-Signature": signature(hook.secret, at, body)}
        status = await post(hook.url, body, headers, private=self.outside.private, lookup=self.outside.lookup)
        if not 200 <= status < 300:
            raise NotPosted(f"the answer was {status}")

    # Web push.

    def public_key(self) -> str:
        return _vapid_public(self.vapid())

    async def to_push(self, push: Push, notice: Notice) -> bool:
        """Send a notice to a browser. Return whether that browser still receives notices.

        Raises NotPosted if the push service did not accept the notice.
        """
        seen = {"title": notice.title, "body": notice.words, "path": notice.game, "tag": f"{notice.kind}-{notice.game}"}
        body, headers = sealed(push, msgspec.json.encode(seen), self.vapid(), self.outside.sender)
        status = await post(push.endpoint, body, headers, private=self.outside.private, lookup=self.outside.lookup)
        if status in GONE:
            return False
        if not 200 <= status < 300:
            raise NotPosted(f"the answer was {status}")
        return True

    # E-mail.

    async def to_mail(self, mail: Mail, person: Person, notice: Notice) -> None:
        """Send a notice by e-mail. Raises NotPosted if the mail server does not accept it."""
        stop = f"{mail.origin.rstrip('/')}/settings#stop={person.id}.{mail.stop}"
        words = f"{notice.words}\n\n{link_of(mail.origin, notice.game)}\n\nNo more of these: {stop}\n"
        await asyncio.to_thread(self._send, mail.address, notice.title, words)

    async def to_confirm(self, mail: Mail) -> None:
        """Send the code that confirms an address. Raises NotPosted if the mail server does not accept it."""
        words = (
            f"Somebody wants to be told at this address when it is their turn in Caltrop at {mail.origin}.\n"
            f"If that is you, type in this code there: {mail.code}\n\nIf not, nothing more will be sent.\n"
        )
        await asyncio.to_thread(self._send, mail.address, "Caltrop: the code for this address", words)

    def _send(self, to: str, title: str, words: str) -> None:
        message = EmailMessage()
        message["From"], message["To"] = self.outside.sender, to
        message["Subject"] = " ".join(title.split())
        message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain="caltrop.invalid")
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(words)
        where = urlsplit(self.outside.mail)
        secure = where.scheme == "smtps"
        context = ssl.create_default_context()
        kind: Any = partial(smtplib.SMTP_SSL, context=context) if secure else smtplib.SMTP
        port = where.port or (465 if secure else 587)
        try:
            with kind(where.hostname, port, timeout=SECONDS) as server:
                server.ehlo()
                if not secure and server.has_extn("starttls"):
                    server.starttls(context=context)
                    secure = True
                if where.username and not secure and where.hostname not in ("localhost", "127.0.0.1", "::1"):
                    raise NotPosted("the mail server offers no encryption, so the password is not sent")
                if where.username:
                    server.login(unquote(where.username), unquote(where.password or ""))
                server.send_message(message)
        except (OSError, smtplib.SMTPException, ValueError) as error:  # ValueError: the text cannot be part of any mail
            raise NotPosted("the mail server does not accept it") from error


def checked_mail(outside: Outside) -> Outside:
    """Return the settings for delivery, after checking the mail server.

    Raises InputError if an address is invalid, or no sender is set.
    """
    if not outside.mail:
        return outside
    try:
        where = urlsplit(outside.mail)
        good = where.scheme in ("smtp", "smtps") and bool(where.hostname) and where.port != 0
    except ValueError:
        good = False
    if not good:
        raise InputError("a server of mail is written as smtp://USER:PASSWORD@HOST:PORT or smtps://…", field="mail")
    if not is_mail_address(outside.sender):
        raise InputError("mail needs a sender, as caltrop@example.org", field="mail_from")
    return outside


def signature(secret: str, at: int, body: bytes) -> str:
    """Return the signature of a webhook: HMAC-SHA-256 of the time, a full stop and the body.

    >>> signature("secret", 1, b"{}")[:20]
    't=1,v1=1122767b19311'
    """
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"


def new_vapid() -> str:
    from py_vapid import Vapid02

    vapid = Vapid02()
    vapid.generate_keys()
    pem: bytes = vapid.private_pem()
    return pem.decode()


def _vapid_public(pem: str) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02

    raw = Vapid02.from_pem(pem.encode()).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def sealed(push: Push, text: bytes, pem: str, sender: str) -> tuple[bytes, dict[str, str]]:
    """Return a notice in the form for a push service: encrypted for the browser, with the server's signature.

    Raises NotPosted if the keys of the browser are invalid.

    Args:
        sender: Contact address of the server's owner; empty if there is none.
    """
    import http_ece
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
    from py_vapid import Vapid02

    parts = urlsplit(push.endpoint)
    claims = {
        "sub": f"mailto:{sender or 'nobody@caltrop.invalid'}",
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": str(int(time.time()) + 12 * 60 * 60),
    }
    try:
        body: bytes = http_ece.encrypt(
            text, private_key=generate_private_key(SECP256R1()), dh=_raw(push.p256dh), auth_secret=_raw(push.auth),
            version="aes128gcm",
        )  # fmt: skip
        headers: dict[str, str] = Vapid02.from_pem(pem.encode()).sign(claims)
    except Exception as error:
        raise NotPosted("the keys of this browser are invalid", for_good=True) from error
    more = {"TTL": str(PUSH_SECONDS), "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream"}
    return body, {**headers, **more, "Urgency": "normal"}


def _raw(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
