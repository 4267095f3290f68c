"""The server reveals no secret: games that differ only in hidden parts look the same to a side.

Two servers with equal ids, keys and clocks each play one game. In the second game, hidden draws and secret answers
differ from the first, and everything else is equal. Every request of the side that does not know the secret, and of an
onlooker, is sent to both servers. Every answer and live message must be equal, byte for byte.
"""

from __future__ import annotations

import itertools
import json
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from caltrop.chance import Pool, Roll, Scripted, Seeded
from caltrop.engine import Decision, Fell, Match, Ruleset, redacted, ruleset, rulesets, stored
from caltrop.host import making, storage
from caltrop.host.game import HostedGame
from caltrop.host.live import Live
from caltrop.host.news import all_news_of
from caltrop.host.together.notices import turn_notice
from caltrop.server.guard import ServerLimits
from tests.server.tables import ADDRESS, Talk, TestClient, served
from tests.tiers import rotating

ACTS = 10
"""Number of acts for which a pair is compared after the games have a secret."""

LONGEST = 100
"""Number of acts after which no more secrets are expected."""

TRIED = 24
"""Number of sampled choices among which the test looks for one that leads to a secret."""

EXTRA: dict[str, list[dict[str, str]]] = {"command-horizon": [{"setup.method": "secret"}]}
"""House rules that give a game secrets from its start."""

STATELESS = {
    ("GET", "/api/ping"), ("GET", "/api/catalogue"), ("POST", "/api/verify"), ("POST", "/api/replay"),
    ("POST", "/api/replay/play-on"),
    ("GET", "/api/armies"), ("POST", "/api/armies"), ("POST", "/api/referee"),
    ("GET", "/api/referee/kit"), ("GET", "/referee/rules-{digest}.tar"),
    ("GET", "/healthz"), ("HEAD", "/healthz"),
    ("GET", "/api/maps/{id}"), ("GET", "/api/maps/{id}/scenario"), ("POST", "/api/maps/{id}/check"),
    ("POST", "/api/maps/{id}/draw"), ("POST", "/api/maps/{id}/file"), ("POST", "/api/maps/{id}/symmetric"),
    ("GET", "/api/packs/{id}"), ("POST", "/api/packs/look"), ("POST", "/api/packs/compare"),
    ("POST", "/api/rules/{id}/own"),
    ("GET", "/api/odds"), ("POST", "/api/odds"), ("POST", "/api/odds/form"), ("POST", "/api/resolve"),
    ("POST", "/api/lab"), ("GET", "/api/lab/{id}"), ("POST", "/api/lab/{id}/stop"),
    ("GET", "/api/lab/{id}/against/{other}"), ("GET", "/api/studies"), ("GET", "/api/studies/{id}"),
    ("GET", "/api/studies/{id}/games"), ("GET", "/api/studies/{id}/games/{game}/record"),
    ("GET", "/api/rules/{id}"), ("GET", "/api/rules/{id}/opening"),
    ("GET", "/api/rules/{id}/text"), ("GET", "/api/rules/{id}/summary"), ("GET", "/api/rules/{id}/examples"),
    ("GET", "/api/rules/{id}/examples/{ruling}"),
    ("GET", "/api/campaigns"), ("POST", "/api/campaigns"), ("POST", "/api/campaigns/file"),
    ("GET", "/api/campaigns/{id}"), ("GET", "/api/campaigns/{id}/file"), ("POST", "/api/campaigns/{id}/claim"),
    ("POST", "/api/campaigns/{id}/again"), ("POST", "/api/campaigns/{id}/dress"),
    ("POST", "/api/campaigns/{id}/battle"), ("POST", "/api/campaigns/{id}/seat"),
    ("POST", "/api/campaigns/{id}/give-up"),
    ("POST", "/api/campaigns/{id}/count"), ("POST", "/api/games"),
    ("GET", "/api/door"), ("POST", "/api/door"),
    ("GET", "/api/me"), ("POST", "/api/me"), ("POST", "/api/me/code"), ("POST", "/api/me/carry"),
    ("POST", "/api/me/browsers/forget"), ("POST", "/api/me/forget"), ("POST", "/api/me/push"),
    ("POST", "/api/me/push/drop"), ("POST", "/api/me/hook"), ("POST", "/api/me/mail"),
    ("POST", "/api/me/passkey/begin"), ("POST", "/api/me/passkey"), ("POST", "/api/me/passkey/forget"),
    ("POST", "/api/passkey/begin"), ("POST", "/api/passkey"),
    ("POST", "/api/me/mail/confirm"), ("POST", "/api/stop-mail"), ("POST", "/api/me/bot"), ("GET", "/api/me/events"),
    ("GET", "/api/openings"), ("POST", "/api/openings"), ("POST", "/api/openings/{id}/take"),
    ("POST", "/api/openings/{id}/withdraw"), ("GET", "/api/queue"), ("POST", "/api/queue"),
    ("POST", "/api/queue/leave"), ("GET", "/api/friends"), ("POST", "/api/people/{id}/friend"),
    ("POST", "/api/people/{id}/apart"), ("POST", "/api/people/{id}/complaint"), ("GET", "/api/people/{id}"),
    ("GET", "/api/ratings/{id}"), ("GET", "/api/clubs"), ("POST", "/api/clubs"), ("GET", "/api/clubs/{id}"),
    ("POST", "/api/clubs/{id}/join"), ("POST", "/api/clubs/{id}/leave"), ("POST", "/api/clubs/{id}/tournaments"),
    ("GET", "/api/tournaments/{id}"), ("POST", "/api/tournaments/{id}/enter"),
    ("POST", "/api/tournaments/{id}/begin"), ("POST", "/api/tournaments/{id}/decide"),
    ("GET", "/{path:path}"), ("HEAD", "/{path:path}"), ("GET", "/openapi.json"), ("HEAD", "/openapi.json"),
}  # fmt: skip
"""Routes that show no game under way, or, of campaigns, only the person's own."""

SOMEBODY = "me-the-key-of-a-person-of-both-twins"
"""The key of a person who sends every request."""

UNHURRIED = ServerLimits(requests=1e6, burst=10**6, messages=1e6, message_burst=10**6)
"""Limits that are never reached. The rate of requests depends on elapsed time, which differs between twins."""


class Clock(datetime):
    """A stopped clock."""

    @classmethod
    def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
        """Return a fixed time."""
        return datetime(2025, 1, 1, tzinfo=UTC)


class Steered:
    """Dice whose rolls the test sets."""

    def __init__(self) -> None:
        self.rolls: list[Roll] = []

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        """Return the next roll."""
        return self.rolls.pop(0)

    def below(self, n: int) -> int:
        """Always 0."""
        return 0


class Server:
    """A server with one game of a pair, and two clients that watch it live."""

    def __init__(self, client: TestClient, expected: dict[str, Any], rolls: Sequence[Roll], stack: ExitStack) -> None:
        self.client, self.dice = client, Steered()
        self.dice.rolls = list(rolls)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(making, "SecureDice", lambda: self.dice)
            patch.setattr(secrets, "token_hex", lambda n: "salt" * 8)
            made = client.post("/api/games", json=expected, headers={"Idempotency-Key": "the-same-key-of-both-twins"})
        assert made.status_code == 201, made.text
        self.id: str = made.json()["game"]
        self.tokens = [seat["token"] for seat in made.json()["seats"]]
        assert client.post("/api/me", json={"name": "A twin"}, headers=bearer(SOMEBODY)).status_code == 200
        self.sockets: list[Talk] = []
        self.stack = stack

    def look(self, *eyes: int | None) -> None:
        """Open a live connection for each of these viewers."""
        for side in eyes:
            socket = self.stack.enter_context(self.client.websocket_connect(f"ws://127.0.0.1:8420/ws/{self.id}"))
            self.sockets.append(Talk(socket, tokens=[] if side is None else [self.tokens[side]]))

    @property
    def live(self) -> Live:
        """Return the game with its onlookers."""
        live: Live = self.client.app.app.state.games.live[self.id]  # type: ignore[attr-defined]
        return live

    @property
    def game(self) -> HostedGame:
        """Return the game on the server."""
        game: HostedGame = self.client.app.app.state.games.live[self.id].game  # type: ignore[attr-defined]
        return game

    @property
    def state(self) -> Any:
        """Return the whole state of the game."""
        return self.game.match.state

    def say(self, side: int, message: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a message of a side."""
        answer: dict[str, Any] = self.client.post(
            f"/api/games/{self.id}/messages", json=message, headers=bearer(self.tokens[side])
        ).json()
        return answer

    def frames(self) -> list[list[str]]:
        """Return the live messages since the last call."""
        result = []
        for talk in self.sockets:
            talk.tell({"type": "ping"})
            talk.hear("pong")
            result.append(talk.raw[:])
            talk.raw.clear()
        return result


def bearer(*tokens: str) -> dict[str, str]:
    """Return the header that presents these secrets."""
    return {"Authorization": "Bearer " + ",".join(tokens)} if tokens else {}


def plain(value: Any) -> Any:
    """Return a value as parsed JSON."""
    return json.loads(msgspec.json.encode(value))


def routes(client: TestClient) -> set[tuple[str, str]]:
    """Return every route of the application, from its own list."""
    result = set()
    for route in client.app.app.routes:  # type: ignore[attr-defined]
        result |= {(method, route.path) for method in getattr(route, "methods", None) or ("WEBSOCKET",)}
    return result


# Makes requests about a game for one route, as (query, body).
Asking = Callable[[Server, "int | None"], Iterator[tuple[dict[str, Any], Any]]]


def _views(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    for at in ({}, {"at": 0}, {"at": server.game.acts // 2}, {"at": 999}):
        yield at, None
    for side in (0, 1):
        yield {"eyes": side}, None


def _plain(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    yield {}, None


def _moments(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    for side in ("0", "1", "none"):
        yield {"eyes": side}, None
    yield {"from": server.game.acts // 2, "count": 1}, None


def _messages(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    picture = server.game.view(eyes).picture
    units = [group.id for group in picture.groups]
    for unit in units[:2] + units[-1:]:
        yield {}, {"type": "why", "unit": unit}
        yield {}, {"type": "sight", "unit": unit, "targets": units[-2:]}
    for seat in picture.seats:
        for points in seat.points:
            yield {}, {"type": "why", "side": seat.side, "points": points.label}
    for spot in picture.spots[:2]:
        yield {}, {"type": "why", "spot": spot.id}
    for message in ("takeback", "undo", "redo", "resign", "show-all"):
        # The message is about the other player's seat.
        yield {}, {"type": message, "side": 1 - (eyes or 0)}
    for id, decision in server.game.ids():
        if decision.side != eyes:
            yield {}, {"type": "answer", "decision": id, "action": {"type": "Nothing"}}
        for unit in units[:1]:
            yield {}, {"type": "pick-up", "decision": id, "unit": unit}


def _proposed(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    units = [group.id for group in server.game.view(eyes).picture.groups]
    for id, _ in server.game.ids():
        yield {}, {"decision": id, "wish": {"unit": units[0] if units else 0, "to": [100, 100]}}


def _odds(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    for id, decision in server.game.ids():
        offers = [o for d in server.game.view(eyes).decisions for o in d.offers] if decision.side == eyes else []
        for action in [plain(offer.action) for offer in offers[:2]] or [{"type": "Nothing"}]:
            yield {}, {"decision": id, "action": action}


def _empty_body(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    yield {}, {}


def _played_on(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield requests to continue from an existing moment and from one that may not exist."""
    yield {}, {"at": 1}
    yield {}, {"at": 1000}


def _claimed(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    """Return a request about another side's seat."""
    yield {"side": 0 if eyes == 1 else 1}, {}


def _mine(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield requests about the viewer's own seat and about the other one."""
    yield {"side": eyes or 0}, {}
    yield {"side": 1 - (eyes or 0)}, {}


def _settled(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    """Return a request about a side with time left."""
    for then in ("lose", "computer", "person"):
        yield {}, {"side": 1 - (eyes or 0), "then": then, "player": "first"}


def _friend_invited(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    yield {}, {"person": "nobody", "side": 1 - (eyes or 0)}


def _positions(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield requests for the position of the viewer's own side and of the other side."""
    yield {}, None
    yield {"side": 1 - (eyes or 0)}, None


def _ways(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    yield {}, {"ways": ["hook"]}
    yield {}, {"ways": None}


def _renewed(server: Server, eyes: int | None) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield a request to invite somebody else to the other seat."""
    yield {"side": 1 if eyes == 0 else 0}, {}


ASKED: dict[tuple[str, str], Asking] = {
    ("GET", "/api/games"): _plain,
    ("GET", "/api/games/{id}"): _views,
    ("GET", "/api/games/{id}/glance"): _plain,
    ("GET", "/api/games/{id}/record"): _plain,
    ("GET", "/api/games/{id}/pack"): _plain,
    ("GET", "/api/games/{id}/report"): _plain,
    ("GET", "/api/games/{id}/moments"): _moments,
    ("POST", "/api/games/{id}/messages"): _messages,
    ("POST", "/api/games/{id}/claim"): _claimed,
    ("POST", "/api/games/{id}/renew"): _renewed,
    ("POST", "/api/games/{id}/mine"): _mine,
    ("GET", "/api/games/{id}/ways"): _plain,
    ("POST", "/api/games/{id}/ways"): _ways,
    ("GET", "/api/games/{id}/people"): _plain,
    ("POST", "/api/games/{id}/settle"): _settled,
    ("POST", "/api/games/{id}/invite"): _friend_invited,
    ("GET", "/api/games/{id}/standing"): _plain,
    ("GET", "/api/games/{id}/position"): _positions,
    ("POST", "/api/games/{id}/rematch"): _empty_body,
    ("POST", "/api/games/{id}/propose"): _proposed,
    ("POST", "/api/games/{id}/odds"): _odds,
    ("POST", "/api/games/{id}/play-on"): _played_on,
    ("GET", "/api/games/{id}/analysis"): _plain,
    ("POST", "/api/games/{id}/analysis"): _empty_body,
    ("POST", "/api/games/{id}/analysis/stop"): _empty_body,
}

_DIGEST = re.compile(rb'"digest":"([0-9a-f]+)"')
_SECONDS = re.compile(rb'"wait":\d+')


def mask(text: bytes) -> bytes:
    """Return an answer without parts that differ between twins: elapsed seconds, and salted digests.

    Digests are keyed by a secret; no two of a record are equal.
    """
    text = _SECONDS.sub(b'"wait":0', text)
    if b'"salted":true' not in text:
        return text
    digests = _DIGEST.findall(text)
    assert len(digests) == len(set(digests)), "equal digests tell that something hidden was the same twice"
    return _DIGEST.sub(b'"digest":""', text)


def answers(server: Server, eyes: int | None) -> dict[str, tuple[int, bytes]]:
    """Return every answer that the viewer *eyes* gets, by request."""
    head = {} if eyes is None else bearer(f"{server.tokens[eyes]},{SOMEBODY}")
    expected = [
        (method, path.replace("{id}", server.id), query, body)
        for (method, path), asking in ASKED.items()
        for query, body in asking(server, eyes)
    ]
    result: dict[str, tuple[int, bytes]] = {}

    async def ask() -> None:
        # The requests run in the server's own thread, because handing each of them over would take longer than the
        # answer.
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(server.client.app), base_url=ADDRESS, headers=head
        ) as client:
            for method, where, query, body in expected:
                answer = await client.request(method, where, params=query, json=body)
                assert answer.status_code < 500, (where, query, body, answer.text)
                text = mask(answer.content)
                result[f"{method} {where} {query} {json.dumps(body)}"] = (answer.status_code, text)

    assert server.client.portal is not None
    server.client.portal.call(ask)
    return result


def secrets_of(t: Any) -> set[str]:
    """Return the names of things that hide something now: the state, frames, and decisions."""
    name__s = {type(frame).__name__ for frame in (*t.stack, *t.queue) if frame.secret}
    name__s |= {type(t).__name__} if t.secret and any(stored(redacted(t, s)) != stored(t) for s in (0, 1)) else set()
    name__s |= {type(d).__name__ for d in t.asked if d.secret}
    return name__s | ({"sealed"} if len(t.asked) > 1 else set())


class Twins:
    """A pair of games that differ in what *owner* knows and *eyes* does not.

    Args:
        folder: The folder of the databases.
        rules: The ruleset of the game.
        house: House rules.
        seed: The seed of dice and choices.
        owner: The side whose secrets differ.
        stack: The exit stack that closes the connections.
    """

    def __init__(
        self, folder: Path, rules: Ruleset, house: dict[str, str], seed: int, owner: int, stack: ExitStack
    ) -> None:
        self.rules, self.owner, self.eyes = rules, owner, 1 - owner
        self.choices, self.dice = Seeded(f"choices {seed}"), Seeded(f"dice {seed}")
        self.met: set[str] = set()
        self.compared = False
        self.differed = 0
        self.begun = 0
        # The first scenario is for beginners, and its units are placed already, so no secret set-up can occur.
        scenario = [s.id for s in rules.scenarios() if s.players == 2][1 if house else 0]
        start = rules.setup(rules.book(None, house), scenario, (), None)
        one = Match(rules, start.clone(), self.dice)
        fells = [entry for entry in one.journal if isinstance(entry, Fell)]
        other = self._otherwise(fells, lambda rolls: Match(rules, start.clone(), Scripted(*rolls)), one.state)
        assert other is not None
        expected = {"ruleset": rules.name, "scenario": scenario, "rules": house, "seats": ["person", "person"]}
        self.servers = []
        for name, rolls in (("one", [fell.faces for fell in fells]), ("other", other)):
            client = stack.enter_context(served(f"sqlite:///{folder / name}.db", limits=UNHURRIED))
            self.servers.append(Server(client, expected, rolls, stack))
        self.one, self.other = self.servers
        for server in self.servers:
            server.look(self.eyes, None)

    def _otherwise(
        self, fells: Sequence[Fell], play: Callable[[Sequence[Roll]], Match], like: Any
    ) -> list[Roll] | None:
        """Return rolls that change hidden draws only, so that the game looks like the state *like* to *eyes*."""
        ways: list[list[Roll]] = []
        for fell in fells:
            if not (fell.draw or fell.secret):
                ways.append([fell.faces])
                continue
            near = [tuple(f + by for f in fell.faces) for by in (0, 1, -1)]
            if fell.side == self.owner and not self.differs:
                near = [tuple(self.dice.below(fell.sides) + 1 for _ in fell.faces) for _ in range(3)] + near
            ways.append([faces for faces in near if all(1 <= f <= fell.sides for f in faces)])
        seen = [stored(redacted(like, eyes)) for eyes in (self.eyes, None)]
        for rolls in itertools.islice(itertools.product(*ways), 4000):
            try:
                result = play(rolls)
            except Exception:  # noqa: BLE001  no such face is left: another one is tried
                continue
            if [stored(redacted(result.state, eyes)) for eyes in (self.eyes, None)] == seen:
                return list(rolls)
        return None

    @property
    def differs(self) -> bool:
        """Return whether the games differ now."""
        states = [server.state for server in getattr(self, "servers", ())]
        return len(states) == 2 and stored(states[0]) != stored(states[1])

    def compare(self, *who: int | None) -> None:
        """Assert that everything looks the same to those who do not know the secret, by default to the other side and
        to an onlooker.
        """
        self.meet()
        self.differed += self.differs
        if self.compared and not self.met:
            assert not self.differed
            return  # nothing has been hidden yet, so both games are the same, and one comparison is enough
        self.compared = True
        for eyes in who or (self.eyes, None):
            mine, theirs = (answers(server, eyes) for server in self.servers)
            assert list(mine) == list(theirs)
            for what, words in mine.items():
                assert words == theirs[what], what
        assert self.one.frames() == self.other.frames()
        one, other = (all_news_of(server.game) for server in self.servers)
        assert msgspec.structs.replace(one, game="") == msgspec.structs.replace(other, game=""), "news"
        notices = [[turn_notice(news, side) for side in (0, 1)] for news in (one, other)]
        assert notices[0] == notices[1], "notices"

    def hides(self, t: Any) -> bool:
        """Return whether the owner has a secret in which the games can differ."""
        asked = any(d.secret and d.side == self.owner for d in t.asked)
        return asked or bool(self.differed) or stored(redacted(t, self.eyes)) != stored(t)

    def meet(self) -> None:
        """Record the secrets of the current state."""
        self.met |= secrets_of(self.one.state)

    def both(self, side: int, message: dict[str, Any]) -> None:
        """Send the same message of a side to both games, and assert that the answers are equal."""
        words = [server.say(side, message) for server in self.servers]
        assert words[0] == words[1]
        assert words[0]["type"] == "done", words

    def step(self) -> bool:
        """Play one act in both games; return False if no act is left that keeps the secret."""
        t, twin = self.one.state, self.other.state
        ids = self.one.game.ids()
        if not ids or self.one.game.acts - self.begun >= ACTS or self.one.game.acts >= LONGEST:
            return False
        if not self.hides(self.one.state):
            self.begun = self.one.game.acts
        # If several sides are asked at once, the side with the secret answers first, because the last answer reveals
        # all.
        id, asked = next((pair for pair in ids if pair[1].side == self.owner), ids[0])
        index = next(i for i, d in enumerate(t.asked) if d is asked)
        hidden = asked.side == self.owner and (asked.secret or len(t.asked) > 1)
        pair = self._chosen(asked, twin.asked[index], hidden)
        if pair is None:
            return False
        trial = Match(self.rules, t, self.dice)
        trial.follow(asked, pair[0])
        fells = [entry for entry in trial.journal if isinstance(entry, Fell)]
        why = trial.history[-1].boundary
        if trial.over is not None or "revealed" in why or "opened" in why:
            return False
        if not secrets_of(trial.state) and secrets_of(t):
            return False

        def play(rolls: Sequence[Roll]) -> Match:
            match = Match(self.rules, twin, Scripted(*rolls))
            match.follow(twin.asked[index], pair[1])
            return match

        other = self._otherwise(fells, play, trial.state)
        if other is None:
            # If no hidden draw happened, the visible result depends on the secret.
            assert any(fell.draw for fell in fells), (asked, pair)
            return False
        for server, action, rolls in zip(self.servers, pair, ([f.faces for f in fells], other), strict=True):
            server.dice.rolls = list(rolls)
            words = server.say(asked.side, {"type": "answer", "decision": id, "action": plain(action)})
            assert words["type"] == "done", words
            assert not server.dice.rolls
        return True

    def _chosen(self, asked: Decision, twin: Decision, hidden: bool) -> tuple[Any, Any] | None:
        """Return answers for both games: equal except for secret parts."""
        one, other = (
            d.options(server.game.match.view(d.side)) for d, server in zip((asked, twin), self.servers, strict=True)
        )
        if asked.side == self.owner and self.rules.state.secret and not self.hides(self.one.state):
            for _ in range(TRIED):
                action = one.sample(self.choices)
                trial = Match(self.rules, self.one.state, Seeded("trial"))
                trial.follow(asked, action)
                if self.hides(trial.state) and action in other:
                    return action, action
        for _ in range(40):
            action = one.sample(self.choices)
            if hidden:
                for _ in range(20):
                    answer = other.sample(self.choices)
                    if answer != action:
                        return action, answer
            if action in other:
                return action, action
        return None

    def back_and_forth(self) -> None:
        """Undo and redo the last act of each side that may do so freely."""
        point = self.one.game.match.history[-1:]
        for side in (self.eyes, self.owner):
            free = [server.game.match.boundary(side) for server in self.servers]
            assert free[0] == free[1]
            if point and free[0] is None:
                # Each server is compared once after the act is taken back and once after it is repeated.
                self.both(side, {"type": "undo"})
                self.compare(self.eyes)
                self.both(side, {"type": "redo"})
                self.compare(None)


def settings() -> list[tuple[str, dict[str, str]]]:
    """Return the settings of pairs: every game for two, with as many secrets as possible."""
    result = []
    for name in rulesets():
        if any(scenario.players == 2 for scenario in ruleset(name).scenarios()):
            result += [(name, house) for house in EXTRA.get(name, [{}])]
    return result


def test_every_route_is_asked_or_knows_no_game(client: TestClient) -> None:
    assert routes(client) == {*ASKED, *STATELESS, ("WEBSOCKET", "/ws/{id}")}


PAIRS = [
    (name, house, owner) for number, (name, house) in enumerate(settings()) for owner in (number % 2, 1 - number % 2)
]
"""Every setting with each side as the owner of the secrets. The quick tier takes one side, in turn the first and the
second.
"""


@pytest.mark.parametrize(
    ("name", "house", "owner"),
    rotating(PAIRS, 2),
    ids=lambda value: "+".join(value) if isinstance(value, dict) else str(value),
)
def test_twins_look_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, house: dict[str, str], owner: int
) -> None:
    monkeypatch.setattr(storage, "datetime", Clock)
    # Without this entry, httpx tries to import the missing module at each request and searches every folder.
    monkeypatch.setitem(sys.modules, "sniffio", None)
    with ExitStack() as stack:
        twins = Twins(tmp_path, ruleset(name), house, 1, owner, stack)
        twins.compare()
        acts = 0
        while twins.step():
            acts += 1
            twins.meet()
            if acts % 5 == 2:
                twins.compare()
                twins.back_and_forth()
        twins.compare()
        twins.back_and_forth()
        assert twins.differed or not twins.met, "the games were the same"
        assert twins.met or not house, "nothing was hidden"
        twins.both(twins.owner, {"type": "resign"})
        twins.compare()
        if twins.differs:
            assert twins.one.game.kept_back
            shown = {}
            for server in twins.servers:
                server.say(twins.eyes, {"type": "show-all"})
                shown[server.client] = server.client.get(f"/api/games/{server.id}/record").content
            assert len(set(shown.values())) == 2, "what was hidden is shown"
