"""People without accounts: a person is a name and the keys of the browsers in which they play.

A browser makes its own key, and the server stores the hash of the key. A code connects another browser with a person;
that browser then has its own key. Any key of a person opens the seats that the person has taken.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from time import monotonic
from typing import ClassVar, NamedTuple

import msgspec

from caltrop.host.faults import refused
from caltrop.host.people import NAME_LENGTH, plain
from caltrop.host.seats import DrawnSecrets, PersonKey, key_of
from caltrop.host.together.sheets import Sheets, StoredSheet, again

PREFIX = "me-"
"""Prefix of the keys of people, so that secrets of seats are not looked up among people."""

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters of codes, without letters that look alike."""

CODE_LETTERS = 10
CODE_SECONDS = 600
"""Seconds for which a code is valid."""

CODES = 2000
"""Largest number of open codes."""

MUTED = 200
"""Largest number of muted people of one person."""

BROWSERS = 12
"""Largest number of browsers of a person."""


class Push(msgspec.Struct, kw_only=True):
    """The address of a browser for web push."""

    endpoint: str
    p256dh: str
    auth: str
    origin: str = ""
    """Address by which that browser reaches the server."""


class Hook(msgspec.Struct, kw_only=True):
    """A webhook: the address for notices, and the secret that signs them."""

    url: str
    secret: str
    origin: str = ""


class Mail(msgspec.Struct, kw_only=True):
    """An e-mail address, which is used after confirmation."""

    address: str
    code: str = ""
    """Confirmation code; empty after confirmation."""
    tries: int = 0
    """Number of wrong codes so far."""
    stop: str = ""
    """Code in a mail that stops the mails, without a browser of the person."""
    origin: str = ""


class Person(StoredSheet, kw_only=True):
    kind: ClassVar[str] = "person"
    name: str = ""
    made: str = ""
    bot: bool = False
    """True if a program plays in this person's name."""
    pushes: list[Push] = msgspec.field(default_factory=list)
    hook: Hook | None = None
    mail: Mail | None = None
    muted: list[str] = msgspec.field(default_factory=list)
    """People whose messages this person does not see."""
    blocked: list[str] = msgspec.field(default_factory=list)
    """People who are never paired with this person."""

    @property
    def key(self) -> PersonKey:
        return PersonKey.of(self.id)


class Browser(StoredSheet, kw_only=True):
    """The key of a browser, as a hash, with the name that its owner gave it."""

    kind: ClassVar[str] = "browser"
    words: str = ""

    @property
    def short(self) -> str:
        return self.id[:10]


class _Code(NamedTuple):
    person: str
    until: float


class Persons:
    """The people of a server.

    Args:
        clock: A clock in seconds that never goes back.
    """

    def __init__(self, sheets: Sheets, clock: Callable[[], float] = monotonic) -> None:
        self.sheets, self.clock = sheets, clock
        self._codes: dict[str, _Code] = {}

    async def recognise(self, tokens: Sequence[str]) -> Person | None:
        """Return the person of the first personal key among some secrets, or None."""
        for token in tokens:
            if token.startswith(PREFIX):
                browser = await self.sheets.get(Browser, key_of(token))
                if browser is not None:
                    return await self.sheets.get(Person, browser.whose)
        return None

    async def find(self, id: str) -> Person:
        person = await self.sheets.get(Person, id)
        if person is None:
            raise refused("not-found", "There is no such person here")
        return person

    async def begin(self, token: str, name: str, words: str) -> Person:
        """Create a person for a browser's key, or return the person who has the key.

        Raises Refused if the name is too long or the key is invalid.

        Args:
            token: The key made by the browser.
        """
        check_key(token)
        called = plain(name, NAME_LENGTH, "A name")

        async def attempt() -> Person:
            person = await self.recognise([token])
            if person is None:
                person = Person(id=DrawnSecrets(token, "person").name(), name=called)
                person.whose = person.id
                await self.sheets.put(person, self._browser(token, person.id, words))
            return person

        return await again(attempt)

    async def rename(self, id: str, name: str) -> Person:
        called = plain(name, NAME_LENGTH, "A name")
        return await self.sheets.change(Person, id, lambda one: setattr(one, "name", called))

    async def be_bot(self, id: str) -> Person:
        return await self.sheets.change(Person, id, lambda one: setattr(one, "bot", True))

    async def mute(self, id: str, other: str, on: bool) -> Person:
        """Hide another person's messages from a person, or show them again. Raises Refused when the person has muted
        too many people.
        """

        def put(one: Person) -> None:
            others = [id for id in one.muted if id != other]
            if on and len(others) >= MUTED:
                raise refused("too-many", f"A person can mute at most {MUTED} others")
            one.muted = [*others, other] if on else others

        return await self.sheets.change(Person, id, put)

    @staticmethod
    def _browser(token: str, person: str, words: str) -> Browser:
        return Browser(id=key_of(token), whose=person, words=plain(words[:60], 60, "The name of a browser"))

    # Other browsers.

    async def browsers(self, person: str) -> list[Browser]:
        return sorted(await self.sheets.all(Browser, person), key=lambda one: (one.at, one.id))

    def code(self, person: str) -> str:
        """Return a one-time code that adds another browser to a person. Raises Refused when too many codes are open."""
        now = self.clock()
        self._codes = {
            code: open for code, open in self._codes.items() if open.until > now and open.person != person
        }  # fmt: skip
        if len(self._codes) >= CODES:
            raise refused("busy", "Too many codes are in use; ask again in a moment")
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))
        self._codes[code] = _Code(person, now + CODE_SECONDS)
        return f"{code[:5]}-{code[5:]}"

    async def carry(self, code: str, token: str, words: str) -> Person:
        """Add another browser to the person of a code.

        Raises Refused if the code is wrong, used or expired, or the person has too many browsers.

        Args:
            code: The code as typed.
            token: The key made by the other browser.
        """
        check_key(token)
        plainly = "".join(letter for letter in code.upper()[:40] if letter in LETTERS)
        open = self._codes.pop(plainly, None)  # nobody else can use the code in the meantime
        if open is None or open.until <= self.clock():
            raise refused("wrong-token", "This code does not work: it was used, has expired, or has a typing error")
        try:
            return await self.add_browser(open.person, token, words)
        except BaseException:
            self._codes[plainly] = open
            raise

    async def add_browser(self, id: str, token: str, words: str) -> Person:
        """Add a browser to a person; do nothing if the browser is theirs already.

        Raises Refused if the browser is somebody else's, or the person has too many browsers.
        """
        check_key(token)

        async def attempt() -> Person:
            person = await self.recognise([token])
            if person is not None and person.id != id:
                raise refused("so-already", "This browser already belongs to somebody; make a new key for it")
            if person is None:
                if len(await self.browsers(id)) >= BROWSERS:
                    raise refused(
                        "too-many", f"A person can have at most {BROWSERS} browsers; forget one of them first"
                    )
                await self.sheets.put(self._browser(token, id, words))
            return await self.find(id)

        return await again(attempt)

    async def forget_browser(self, person: str, short: str) -> None:
        """Remove a browser from a person. Raises Refused when the browser is unknown, or the last."""
        browsers = await self.browsers(person)
        browser = next((one for one in browsers if one.short == short), None)
        if browser is None:
            raise refused("not-found", "You have no such browser")
        if len(browsers) == 1:
            raise refused("wrong-value", "This is your only browser; delete your data instead")
        await self.sheets.put(gone=[browser])

    async def forget(self, person: str) -> None:
        await self.sheets.forget(person)


def are_apart(one: Person, other: Person) -> bool:
    return one.id in other.blocked or other.id in one.blocked


def check_key(token: str) -> None:
    """Raise Refused if a browser's key is too short or too long."""
    rest = token.removeprefix(PREFIX)
    if rest == token or not 24 <= len(rest) <= 64 or not all(c.isascii() and (c.isalnum() or c in "-_") for c in rest):
        words = f"A browser draws its key by chance: {PREFIX} and 24 to 64 letters, digits, underscores or hyphens"
        raise refused("wrong-value", words)
