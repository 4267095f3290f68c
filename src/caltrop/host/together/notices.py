"""Notices to people that it is their turn: at most one notice per turn, and none while the person's page is open."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

import msgspec

from caltrop.engine import Refused
from caltrop.host.database import StorageFault
from caltrop.host.faults import CannotContinue, NoSuchGame, refused
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.host.news import GameNews
from caltrop.host.together.carriers import Carriers, Notice, Outside, is_mail_address, new_vapid
from caltrop.host.together.outward import NotPosted, checked
from caltrop.host.together.persons import Hook, Mail, Person, Persons, Push, are_apart
from caltrop.host.together.sheets import Sheets, StoredSheet
from caltrop.wire.together import Way

log = logging.getLogger("caltrop.host")

AT_ONCE = 8
"""Largest number of notices in delivery at the same time."""

WAITING = 2000
"""Largest number of notices that wait for delivery."""

PUSHES = 6
"""Largest number of browsers of a person that receive web push."""

ONCE = 16
"""Number of stored notices about a person and a game besides turns. These notices are stored so that none is sent
twice.
"""

WRONG_CODES = 5
"""Number of wrong codes after which the address must be entered again."""


class Telling(StoredSheet, kw_only=True):
    """A person's wishes for notices of a game, and the last notice."""

    kind: ClassVar[str] = "telling"
    game: str = ""
    ways: list[Way] | None = None
    """Ways of delivery; None for all that the person has."""
    mark: str = ""
    """The turn of the last notice."""
    side: int = 0
    left: list[Way] = msgspec.field(default_factory=list)
    """Ways by which the current notice is still undelivered."""
    tries: int = 0
    once: list[str] = msgspec.field(default_factory=list)
    """The last notices about other events than turns, which are sent only once."""


class VapidKey(StoredSheet, kw_only=True):
    """The key by which push services identify this server."""

    kind: ClassVar[str] = "vapid"
    pem: str = ""


class Notices:
    """Notices to people.

    Args:
        outside: The settings for delivery.
    """

    def __init__(self, games: Games, sheets: Sheets, persons: Persons, outside: Outside) -> None:
        self.games, self.sheets, self.persons = games, sheets, persons
        self.moment, self.lingering, self.retries = outside.moment, outside.lingering, outside.retries
        self._pem = ""
        self.carriers = Carriers(outside, lambda: self._pem)
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: set[tuple[str, str, float]] = set()
        """People and games with a scheduled notice, with the delay."""
        self._said: OrderedDict[tuple[str, int, str], None] = OrderedDict()
        """Notices sent once, other than those about turns."""
        self._doors = asyncio.Semaphore(AT_ONCE)

    # Events to watch.

    def watch(self, news: GameNews) -> None:
        """Notify players whose turn has begun, unless they are looking at the page."""
        if news.over:
            for side in news.again:
                self.asked_again(news, side)
            return
        self._watch_time(news)
        for side in news.waiting:
            seconds = self.lingering if side in news.here else self.moment
            for person in news.people[side]:
                self._soon(seconds, person, news.game, partial(self._turn, person, news.game, side))

    def _watch_time(self, news: GameNews) -> None:
        for side, times in news.returning:
            if side not in news.here:
                words = "Somebody else will get your seat unless you come back within minutes."
                self._once(news, side, f"renewal-{times}", Notice(kind="late", title="", words=words, side=side))
        for late in news.late:
            for side in range(len(news.people)):
                if side != late and side not in news.here:
                    words = "The other side is out of time: choose who replaces it."
                    what = f"late-{late}-{news.acts[late]}"
                    self._once(news, side, what, Notice(kind="late", title="", words=words, side=side))

    def _once(self, news: GameNews, side: int, what: str, notice: Notice, by: Sequence[str] = ()) -> None:
        """Notify a side's people once about an event that is not a turn.

        Args:
            by: People who caused the event; people who block them, or are blocked by them, are not notified.
        """
        about = (news.game, side, what)
        if about in self._said:
            return
        self._said[about] = None
        while len(self._said) > WAITING:
            self._said.popitem(last=False)
        notice = msgspec.structs.replace(notice, title=f"{news.title}: your game", game=news.game)
        for person in news.people[side]:
            bring = partial(self._bring_once, person, what, notice, by)
            self._soon(0.0, person, f"{news.game} {what}", bring)

    async def _bring_once(self, person: str, what: str, notice: Notice, by: Sequence[str]) -> None:
        someone = await self.sheets.get(Person, person)
        others = [await self.sheets.get(Person, id) for id in by]
        if someone is None or any(other is not None and are_apart(someone, other) for other in others):
            return
        ways: list[Way] = []

        def note(telling: Telling) -> bool:
            nonlocal ways
            ways = [way for way in self.ways(someone) if telling.ways is None or way in telling.ways]
            ways = [] if what in telling.once else ways
            telling.once = [*telling.once, what][-ONCE:]
            return bool(ways)

        await self.sheets.change(
            Telling, f"{person}:{notice.game}", note, lambda: _telling(person, notice.game)
        )  # fmt: skip
        await self._bring_by(ways, someone, notice)

    def asked_again(self, news: GameNews, by: int) -> None:
        for side in range(len(news.people)):
            if side != by and side not in news.again and side not in news.here:
                words = f"{news.name(by)} asks for a rematch, with the sides swapped. It waits for you."
                notice = Notice(kind="rematch", title="", words=words, side=side)
                self._once(news, side, f"rematch-{by}", notice, news.people[by])

    def _soon(self, seconds: float, person: str, game: str, do: Callable[[], object]) -> None:
        """Run a function after a delay, unless it is already scheduled for this person and game."""
        about = (person, game, seconds)
        if about in self._waiting or len(self._waiting) >= WAITING:
            return
        self._waiting.add(about)

        async def later() -> None:
            try:
                await asyncio.sleep(seconds)
            finally:
                self._waiting.discard(about)
            try:
                async with self._doors:
                    await do()  # type: ignore[misc]
            except (Refused, StorageFault, NoSuchGame, CannotContinue) as error:
                log.warning("a notice about the game %s could not be delivered: %s", game, error)

        task = asyncio.create_task(later())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def resume(self) -> None:
        """Deliver the notices that were pending when the server ended."""
        for telling in await self.sheets.all(Telling):
            if telling.left:
                self._again(telling)

    async def key(self) -> str:
        """Return the key for subscriptions to web push; empty without web push."""
        if not self._pem and "push" in self.carriers.kinds:
            sheet = await self.sheets.get(VapidKey, "vapid")
            if sheet is None:
                made = VapidKey(id="vapid", pem=await asyncio.to_thread(new_vapid))
                sheet = await self.sheets.change(VapidKey, made.id, lambda one: one.seq == 0, lambda: made)
            self._pem = sheet.pem
        return self.carriers.public_key() if self._pem else ""

    async def _turn(self, person: str, id: str, side: int) -> None:
        mark = await self._mark(person, id, side)
        if mark is None:
            return
        someone = await self.sheets.get(Person, person)
        if someone is None:
            return
        is_done = True

        def note(telling: Telling) -> bool:
            nonlocal is_done
            ways = [way for way in self.ways(someone) if telling.ways is None or way in telling.ways]
            is_done = telling.mark == mark or not ways
            telling.mark, telling.side, telling.left, telling.tries = mark, side, ways, 0
            return not is_done

        telling = await self.sheets.change(Telling, f"{person}:{id}", note, lambda: _telling(person, id))
        if not is_done:
            await self._bring(telling, someone)

    async def _mark(self, person: str, id: str, side: int) -> str | None:
        news = await self.games.news(id)
        if news is None or side not in news.waiting or side in news.here or person not in news.people[side]:
            return None
        return news.mark(side)

    async def _bring(self, telling: Telling, person: Person) -> None:
        """Deliver a notice by all remaining ways, and try again later after a failure."""
        news = await self.games.news(telling.game)
        if news is None:
            return
        notice = turn_notice(news, telling.side)
        left: list[Way] = []
        for way in telling.left:
            try:
                await self._by(way, person, notice)
            except NotPosted as error:
                log.warning("a notice by %s was not delivered: %s", way, error)
                if not error.for_good:
                    left.append(way)
        mark = telling.mark

        def note(current: Telling) -> bool:
            if current.mark != mark:
                return False
            current.left, current.tries = left, current.tries + 1
            if current.tries > len(self.retries):
                current.left = []
            return True

        current = await self.sheets.change(Telling, telling.id, note)
        if current.left and current.mark == mark:
            self._again(current)

    def _again(self, telling: Telling) -> None:
        seconds = self.retries[max(min(telling.tries, len(self.retries)) - 1, 0)]

        async def once_more() -> None:
            now = await self.sheets.get(Telling, telling.id)
            person = await self.sheets.get(Person, telling.whose)
            if now is None or person is None or now.mark != telling.mark or not now.left:
                return
            if await self._mark(telling.whose, telling.game, telling.side) == telling.mark:
                await self._bring(now, person)
            else:
                await self.sheets.change(Telling, telling.id, lambda one: setattr(one, "left", []))

        self._soon(seconds, telling.whose, f"{telling.game}-again", once_more)

    async def _by(self, way: Way, person: Person, notice: Notice) -> None:
        if way == "hook" and person.hook is not None:
            await self.carriers.to_hook(person.hook, person, notice)
        elif way == "mail" and person.mail is not None and not person.mail.code:
            await self.carriers.to_mail(person.mail, person, notice)
        elif way == "push":
            await self.key()
            failed = None
            for push in person.pushes:
                try:
                    if not await self.carriers.to_push(push, notice):
                        await self.drop_push(person.id, push.endpoint)
                except NotPosted as error:
                    failed = error
            if failed is not None:
                raise failed

    def tell(self, person: str, notice: Notice) -> None:
        """Notify a person once, by all of their ways, about something other than a turn."""

        async def bring() -> None:
            someone = await self.sheets.get(Person, person)
            if someone is not None:
                await self._bring_by(self.ways(someone), someone, notice)

        self._soon(0.0, person, f"{notice.game} {notice.kind}", bring)

    async def _bring_by(self, ways: Sequence[Way], person: Person, notice: Notice) -> None:
        for way in ways:
            try:
                await self._by(way, person, notice)
            except NotPosted as error:
                log.warning("a notice by %s was not delivered: %s", way, error)

    # Ways of notification.

    def ways(self, person: Person) -> list[Way]:
        has: dict[Way, bool] = {
            "push": bool(person.pushes),
            "hook": person.hook is not None,
            "mail": person.mail is not None and not person.mail.code,
        }
        return [way for way, there in has.items() if there and way in self.carriers.kinds]

    async def choose(self, person: Person, game: str, ways: Sequence[Way] | None) -> Telling:
        """Choose how a person is notified about one game; None for all ways."""

        def put(telling: Telling) -> None:
            telling.ways = None if ways is None else list(dict.fromkeys(ways))
            telling.left = [way for way in telling.left if ways is None or way in ways]

        return await self.sheets.change(Telling, f"{person.id}:{game}", put, lambda: _telling(person.id, game))

    async def chosen(self, person: Person, game: str) -> Telling:
        return await self.sheets.get(Telling, f"{person.id}:{game}") or _telling(person.id, game)

    async def add_push(self, person: Person, push: Push) -> Person:
        """Register a person's browser for web push.

        Raises Refused if this server has no web push, or the address is invalid.
        """
        self._check("push")
        self._check_address(push.endpoint)

        def put(one: Person) -> None:
            others = [other for other in one.pushes if other.endpoint != push.endpoint]
            one.pushes = [*others, push][-PUSHES:]

        return await self.sheets.change(Person, person.id, put)

    async def drop_push(self, person: str, endpoint: str) -> Person:
        """Stop web push to a browser."""

        def put(one: Person) -> None:
            one.pushes = [other for other in one.pushes if other.endpoint != endpoint]

        return await self.sheets.change(Person, person, put)

    async def set_hook(self, person: Person, url: str, secret: str, origin: str) -> Person:
        """Post notices to an address after a successful test post; an empty address ends that.

        Raises Refused when the address is invalid, or the test post failed.
        """
        hook = None
        if url:
            self._check_address(url)
            hook = Hook(url=url, secret=secret, origin=origin)
            hello = Notice(kind="hello", title="Caltrop", words="You will be notified here when it is your turn.")
            try:
                await self.carriers.to_hook(hook, person, hello)
            except NotPosted as error:
                raise refused("wrong-value", f"The first message to this address failed: {error}") from None
        return await self.sheets.change(Person, person.id, lambda one: setattr(one, "hook", hook))

    async def set_mail(self, person: Person, address: str, origin: str) -> Person:
        """Send notices to an e-mail address, once it is confirmed; an empty address ends that.

        Raises Refused when there is no mail here, the address is invalid, or no mail can be sent to it.
        """
        mail = None
        if address:
            self._check("mail")
            if not is_mail_address(address):
                raise refused("wrong-value", "This is not an e-mail address; one is written as anna@example.org")
            code = "".join(secrets.choice("0123456789") for _ in range(8))
            mail = Mail(address=address, code=code, stop=secrets.token_urlsafe(18), origin=origin)
            try:
                await self.carriers.to_confirm(mail)
            except NotPosted as error:
                raise refused("wrong-value", f"No mail could be sent to this address: {error}") from None
        return await self.sheets.change(Person, person.id, lambda one: setattr(one, "mail", mail))

    async def confirm(self, person: Person, code: str) -> Person:
        """Confirm an e-mail address by the code that was sent to it. Raises Refused for a wrong code."""
        right = False

        def put(one: Person) -> None:
            nonlocal right
            mail = one.mail
            right = mail is not None and (not mail.code or secrets.compare_digest(mail.code.encode(), code.encode()))
            if mail is None:
                return
            mail.tries += not right
            if right:
                mail.code = ""
            elif mail.tries >= WRONG_CODES:
                one.mail = None

        changed = await self.sheets.change(Person, person.id, put)
        if not right:
            raise refused("wrong-token", "This code differs from the one in the mail")
        return changed

    async def stop_mail(self, id: str, stop: str) -> None:
        """Stop the mails to a person, by the link in a mail. Raises Refused without mails to stop."""

        def put(one: Person) -> None:
            if one.mail is None or not secrets.compare_digest(one.mail.stop.encode(), stop.encode()):
                raise refused("not-found", "You will get no more of these mails")
            one.mail = None

        await self.sheets.change(Person, id, put)

    def _check(self, way: Way) -> None:
        if way not in self.carriers.kinds:
            raise refused("not-found", "This server does not send such notices; its host can set them up")

    def _check_address(self, url: str) -> None:
        try:
            checked(url, private=self.carriers.outside.private)
        except NotPosted as error:
            raise refused("wrong-value", f"Notices cannot be sent there: {error}") from None

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def is_here(live: Live, side: int) -> bool:
    return any(side in looker.sides for looker in live.lookers)


def turn_notice(news: GameNews, side: int) -> Notice:
    """Return the notice for the player of a side, with only what an onlooker could see."""
    title, words = f"{news.title}: it is your turn", f"{news.name(side)}, the others wait for you."
    return Notice(kind="turn", title=title, words=words, game=news.game, side=side)


def _telling(person: str, game: str) -> Telling:
    return Telling(id=f"{person}:{game}", whose=person, game=game)
