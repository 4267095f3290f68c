"""Routes about the asker beyond one game: a name and the keys of browsers, and notices of their turn."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.seats import PersonKey, key_of
from caltrop.host.together.passkeys import PasskeyPlace
from caltrop.host.together.persons import CODE_SECONDS, PREFIX, Person, Push
from caltrop.host.together.together import PeopleTogether
from caltrop.server.guard import Buckets, host_name
from caltrop.server.requests import Made, Route, address_of, json_of, known_sides, number_of, raw_tokens_of, tokens_of
from caltrop.wire import read_strictly
from caltrop.wire.together import (
    AddPush,
    BeSomebody,
    BrowserView,
    CarryOver,
    ChooseWays,
    CodeView,
    ConfirmMail,
    DropPush,
    ForgetBrowser,
    GivePasskey,
    HookView,
    MailView,
    Me,
    SetHook,
    SetMail,
    StopMail,
    Way,
    WaysView,
)

CARRIED = 20
"""Number of codes that an address may try in an hour."""

WAYS_SET = 20
"""Number of webhooks, e-mail addresses and push browsers that an address, and a person, may set in an hour."""


def together_of(request: Request) -> PeopleTogether:
    together: PeopleTogether = request.app.state.together
    return together


def person_of(request: Request) -> Person:
    """Return the asking person. Raises Refused without a personal key."""
    person: Person | None = request.state.person
    if person is None:
        raise refused("nobody", "Choose a name first; that needs no account")
    return person


class PeopleRoutes:
    """The routes about the asking person.

    Args:
        prefix: The path under which a proxy shows the server.
    """

    def __init__(self, made: Made, prefix: str) -> None:
        self.made, self.prefix = made, prefix
        self.carried = Buckets(CARRIED / 3600, CARRIED)
        self.ways_set = Buckets(WAYS_SET / 3600, WAYS_SET)
        self.routes: list[Route] = [
            ("GET", "/api/me", self.look),
            ("POST", "/api/me", self.be),
            ("POST", "/api/me/code", self.code),
            ("POST", "/api/me/carry", self.carry),
            ("POST", "/api/me/browsers/forget", self.forget_browser),
            ("POST", "/api/me/forget", self.forget),
            ("POST", "/api/me/passkey/begin", self.begin_passkey),
            ("POST", "/api/me/passkey", self.add_passkey),
            ("POST", "/api/me/passkey/forget", self.forget_passkeys),
            ("POST", "/api/passkey/begin", self.begin_sign_in),
            ("POST", "/api/passkey", self.sign_in),
            ("POST", "/api/me/push", self.add_push),
            ("POST", "/api/me/push/drop", self.drop_push),
            ("POST", "/api/me/hook", self.set_hook),
            ("POST", "/api/me/mail", self.set_mail),
            ("POST", "/api/me/mail/confirm", self.confirm_mail),
            ("POST", "/api/stop-mail", self.stop_mail),
            ("POST", "/api/games/{id}/mine", self.mine),
            ("GET", "/api/games/{id}/ways", self.ways),
            ("POST", "/api/games/{id}/ways", self.choose_ways),
        ]

    def origin(self, request: Request) -> str:
        """Return the address at which the asker knows the server."""
        return f"{request.url.scheme}://{request.url.netloc}{self.prefix}"

    async def view(self, request: Request, person: Person) -> Response:
        """Return a person's own data."""
        together = together_of(request)
        notices = together.notices
        own = key_of(_key(request))
        browsers = await together.persons.browsers(person.id)
        mail, hook = person.mail, person.hook
        me = Me(
            person=person.id,
            name=person.name,
            bot=person.bot,
            browsers=tuple([BrowserView(id=one.short, words=one.words, here=one.id == own) for one in browsers]),
            ways=notices.carriers.kinds,
            vapid=await notices.key(),
            pushes=tuple([push.endpoint for push in person.pushes]),
            hook=None if hook is None else HookView(url=hook.url, secret=hook.secret),
            passkeys=await together.passkeys.count(person.id) if together.passkeys.can else None,
            mail=None if mail is None else MailView(address=mail.address, confirmed=not mail.code),
        )
        return json_of(me)

    async def look(self, request: Request, games: Games) -> Response:
        """Return the person's own name, browsers and notification settings."""
        return await self.view(request, person_of(request))

    async def be(self, request: Request, games: Games) -> Response:
        """Create a person for a key made by the browser, or rename the person."""
        body = read_strictly(await request.body(), BeSomebody)
        persons, visitor = together_of(request).persons, request.state.person
        if visitor is not None:
            person = await persons.rename(visitor.id, body.name)
        else:
            self.made.count(request, "Too many new people in one hour; be one of them")
            person = await persons.begin(_key(request), body.name, body.browser)
        return await self.view(request, person)

    async def code(self, request: Request, games: Games) -> Response:
        """Return a one-time code that adds another browser to the asker."""
        code = together_of(request).persons.code(person_of(request).id)
        return json_of(CodeView(code=code, seconds=CODE_SECONDS), 201)

    async def carry(self, request: Request, games: Games) -> Response:
        """Add this browser to the person of a code."""
        body = read_strictly(await request.body(), CarryOver)
        if not self.carried.take(address_of(request)):
            raise refused("too-fast", "Too many codes in one hour; try again later")
        person = await together_of(request).persons.carry(body.code, _key(request), body.browser)
        return await self.view(request, person)

    async def forget_browser(self, request: Request, games: Games) -> Response:
        """Remove a browser from the asking person."""
        body, person = read_strictly(await request.body(), ForgetBrowser), person_of(request)
        await together_of(request).persons.forget_browser(person.id, body.browser)
        return await self.view(request, person)

    async def forget(self, request: Request, games: Games) -> Response:
        """Delete all data of the asker; their games stay, without a name beyond the game."""
        person, together = person_of(request).id, together_of(request)
        await together.clubs.forget(person)
        await together.persons.forget(person)
        return json_of({})

    # Passkeys.

    def _place(self, request: Request) -> PasskeyPlace:
        return PasskeyPlace(host_name(request.url.netloc), f"{request.url.scheme}://{request.url.netloc}")

    async def begin_passkey(self, request: Request, games: Games) -> Response:
        """Return the options by which a browser makes a passkey."""
        return json_of(together_of(request).passkeys.begin(person_of(request), self._place(request)))

    async def add_passkey(self, request: Request, games: Games) -> Response:
        """Store a passkey that the browser has made."""
        body, person = read_strictly(await request.body(), GivePasskey), person_of(request)
        await together_of(request).passkeys.add(person, self._place(request), body.credential)
        return await self.view(request, person)

    async def forget_passkeys(self, request: Request, games: Games) -> Response:
        """Delete all passkeys of the asker."""
        person = person_of(request)
        await together_of(request).passkeys.forget(person.id)
        return await self.view(request, person)

    async def begin_sign_in(self, request: Request, games: Games) -> Response:
        """Return the options by which a browser finds a passkey."""
        return json_of(together_of(request).passkeys.look(self._place(request)))

    async def sign_in(self, request: Request, games: Games) -> Response:
        """Sign this browser in as the person of a passkey, with a new key."""
        body = read_strictly(await request.body(), GivePasskey)
        if not self.carried.take(address_of(request)):
            raise refused("too-fast", "Too many tries in one hour; try again later")
        passkeys, place = together_of(request).passkeys, self._place(request)
        person = await passkeys.sign_in(place, body.credential, _key(request), body.browser)
        return await self.view(request, person)

    # Notification settings.

    def _count_way(self, request: Request, person: Person) -> None:
        # The person is counted too, because a person with many addresses could cause any number of posts.
        if not (self.ways_set.take(address_of(request)) and self.ways_set.take(f"person-{person.id}")):
            raise refused("too-fast", "Too many addresses in one hour; try again later")

    async def add_push(self, request: Request, games: Games) -> Response:
        """Send web push to this browser."""
        body, person = read_strictly(await request.body(), AddPush), person_of(request)
        self._count_way(request, person)
        if max(len(body.p256dh), len(body.auth)) > 200:
            raise refused("wrong-value", "The keys that this browser sent are not valid")
        push = Push(
            endpoint=body.endpoint, p256dh=body.p256dh, auth=body.auth, origin=self.origin(request)
        )  # fmt: skip
        return await self.view(request, await together_of(request).notices.add_push(person, push))

    async def drop_push(self, request: Request, games: Games) -> Response:
        """Stop web push to a browser."""
        body, person = read_strictly(await request.body(), DropPush), person_of(request)
        return await self.view(request, await together_of(request).notices.drop_push(person.id, body.endpoint))

    async def set_hook(self, request: Request, games: Games) -> Response:
        """Post notices to an address, or stop that."""
        body, person = read_strictly(await request.body(), SetHook), person_of(request)
        if body.url:
            self._count_way(request, person)
        secret = secrets.token_urlsafe(24)
        notices = together_of(request).notices
        return await self.view(request, await notices.set_hook(person, body.url, secret, self.origin(request)))

    async def set_mail(self, request: Request, games: Games) -> Response:
        """Send notices by e-mail after confirmation, or stop that."""
        body, person = read_strictly(await request.body(), SetMail), person_of(request)
        if body.address:
            self._count_way(request, person)
            if not self.ways_set.take(f"mail-{body.address.lower()[:254]}"):
                raise refused("too-fast", "Too many mails to this address in one hour; try again later")
        notices = together_of(request).notices
        return await self.view(request, await notices.set_mail(person, body.address, self.origin(request)))

    async def confirm_mail(self, request: Request, games: Games) -> Response:
        """Confirm an address for e-mail by the code that was sent there."""
        body, person = read_strictly(await request.body(), ConfirmMail), person_of(request)
        return await self.view(request, await together_of(request).notices.confirm(person, body.code.strip()[:20]))

    async def stop_mail(self, request: Request, games: Games) -> Response:
        """Stop the mails to a person, by the secret in a mail."""
        body = read_strictly(await request.body(), StopMail)
        id, _, stop = body.stop[:100].partition(".")
        await together_of(request).notices.stop_mail(id, stop)
        return json_of({})

    # One's seats.

    async def mine(self, request: Request, games: Games) -> Response:
        """Link the asker's seat with their person, for all of their browsers."""
        person = person_of(request)
        live = await games.open(request.path_params["id"][:40])
        sides = known_sides(live, tokens_of(request))
        side = number_of(request, "side")
        side = side if side is not None else next(iter(sides), None)
        if side is None or side not in sides:
            raise refused("not-your-seat", "This seat is not yours")
        await games.seating.attach(live, side, person.key, person.name)
        return json_of({"side": side}, 201)

    async def ways(self, request: Request, games: Games) -> Response:
        """Return the asker's wishes for notices of a game."""
        person, notices = person_of(request), together_of(request).notices
        telling = await notices.chosen(person, await self._own_game(request, games, person))
        return json_of(WaysView(ways=_tuple(telling.ways), may=tuple(notices.ways(person))))

    async def choose_ways(self, request: Request, games: Games) -> Response:
        """Choose how to be notified about a game."""
        body, person = read_strictly(await request.body(), ChooseWays), person_of(request)
        notices = together_of(request).notices
        telling = await notices.choose(person, await self._own_game(request, games, person), body.ways)
        return json_of(WaysView(ways=_tuple(telling.ways), may=tuple(notices.ways(person))))

    @staticmethod
    async def _own_game(request: Request, games: Games, person: Person) -> str:
        live = await games.open(request.path_params["id"][:40])
        if PersonKey.of(person.id) not in live.game.keys:
            words = "Your name has no seat in this game; a seat of this browser alone has no settings"
            raise refused("not-your-seat", words)
        return live.game.id


def _key(request: Request) -> str:
    return next((token for token in raw_tokens_of(request) if token.startswith(PREFIX)), "")


def _tuple(ways: Sequence[Way] | None) -> tuple[Way, ...] | None:
    return None if ways is None else tuple(ways)
