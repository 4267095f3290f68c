"""A server without a network, tables on that server, and live connections to it."""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, ClassVar

import msgspec
import pytest

from caltrop.chance import Dice
from caltrop.engine import Decision, State, digest
from caltrop.host.seats import ServerLibrary
from caltrop.lab.workers import Worker
from caltrop.players import UNBOUNDED, Budget, Player
from caltrop.server import counting
from caltrop.server.app import create_app
from caltrop.server.guard import RequestGuard

with warnings.catch_warnings():
    # Starlette's test client warns that it prefers another HTTP library.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient, WebSocketTestSession

__all__ = ["ADDRESS", "Oddball", "Oddballs", "Table", "Talk", "TestClient", "created", "served"]

ADDRESS = "http://127.0.0.1:8420"


class Oddball:
    """A computer player that misbehaves, or takes the first of its options."""

    def __init__(self, name: str, seconds: float = 0.0) -> None:
        self.name, self.seconds = name, seconds

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Return the first option, or fail as the player's name says."""
        time.sleep(self.seconds)
        if self.name == "crash":
            raise ZeroDivisionError("the secret of the crash")
        if self.name == "cheat":
            return "a thing that is no action"
        return decision.options(view).first()


class Elsewhere:
    """A computer player that checks that it thinks in a separate process with its own time limit."""

    clock = 5.0

    def __init__(self) -> None:
        self.home, self.cut = os.getpid(), False

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        """Return the first option."""
        assert os.getpid() != self.home
        assert budget.seconds == self.clock
        self.cut = True
        return decision.options(view).first()


class Oddballs(ServerLibrary):
    """A library of computer players, two of which misbehave."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__()
        self.seconds = seconds

    def players(self, name: str) -> Sequence[str]:
        return ("first", "crash", "cheat", "elsewhere")

    def player(self, name: str, game: str) -> Player:
        return Elsewhere() if name == "elsewhere" else Oddball(name, self.seconds)


class Table:
    """A server with one game on it."""

    def __init__(self, client: TestClient, seats: Sequence[str] = ("person", "person"), **expected: Any) -> None:
        self.client = client
        made = client.post("/api/games", json={"ruleset": "duel", "seats": list(seats), **expected})
        assert made.status_code == 201, made.text
        self.id: str = made.json()["game"]
        self.tokens: list[str] = [seat["token"] for seat in made.json()["seats"]]

    def bearer(self, *sides: int) -> dict[str, str]:
        """Return the header that presents the secrets of these sides."""
        return {"Authorization": "Bearer " + ",".join(self.tokens[side] for side in sides)}

    def view(self, *sides: int, **query: Any) -> dict[str, Any]:
        """Return the view of the first of these sides."""
        answer = self.client.get(f"/api/games/{self.id}", headers=self.bearer(*sides), params=query)
        assert answer.status_code == 200, answer.text
        result: dict[str, Any] = answer.json()
        return result

    def say(self, side: int, message: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a message."""
        result: dict[str, Any] = self.client.post(
            f"/api/games/{self.id}/messages", json=message, headers=self.bearer(side)
        ).json()
        return result

    def answer(self, side: int, action: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Answer a side's current decision with an action; return the server's answer."""
        return self.say(side, {"decision": self.view(side)["decisions"][0]["id"], "action": action, **more})

    def begin(self) -> int:
        """Let both sides stake, the first side more, so that it walks first."""
        assert self.answer(0, {"type": "Stake", "points": 2})["type"] == "done"
        assert self.answer(1, {"type": "Stake", "points": 1})["type"] == "done"
        return 0

    def live(self) -> AbstractContextManager[WebSocketTestSession]:
        """Return a live connection."""
        return self.client.websocket_connect(f"ws://127.0.0.1:8420/ws/{self.id}")

    def forget(self) -> None:
        """Drop the game from memory. The next message loads it from storage, as after a restart."""
        del self.client.app.app.state.games.live[self.id]  # type: ignore[attr-defined]

    @property
    def state(self) -> State:
        """Return the state on the server."""
        state: State = self.client.app.app.state.games.live[self.id].game.match.state  # type: ignore[attr-defined]
        return state

    @property
    def digest(self) -> str:
        """Return the hash of the whole state."""
        return digest(self.state)


class Talk:
    """A live connection that stores its messages."""

    def __init__(self, session: WebSocketTestSession, **hello: Any) -> None:
        self.session = session
        self.raw: list[str] = []
        self.tell({"type": "hello", **hello})

    def tell(self, message: Any) -> None:
        """Send a message."""
        self.session.send_text(message if isinstance(message, str) else json.dumps(message))

    def hear(self, *kinds: str) -> dict[str, Any]:
        """Return the next message, or the next message of one of these kinds."""
        while True:
            text = self.session.receive_text()
            self.raw.append(text)
            message: dict[str, Any] = msgspec.json.decode(text)
            if not kinds or message["type"] in kinds:
                return message


class ReusedProcess(Worker):
    """A process that the next server reuses if the process is idle when this server closes. A new process would take a
    second.
    """

    spare: ClassVar[list[tuple[BaseProcess, Connection]]] = []
    calling = begun = False

    def call(self, do: Callable[..., Any], *with_: Any, seconds: float) -> Any:
        self.calling = True
        try:
            return super().call(do, *with_, seconds=seconds)
        finally:
            self.calling = False

    def _ready(self) -> Connection:
        if self._process is None and self.spare:
            self._process, self._to = self.spare.pop()
        self.begun = self._process is not None
        to = super()._ready()
        self.begun = True
        return to

    def end(self) -> None:
        process, to = self._process, self._to
        if self.calling or not self.begun or process is None or to is None or not process.is_alive():
            super().end()
            return
        self._process = self._to = None
        self.spare.append((process, to))


def created(database: str, **how: Any) -> RequestGuard:
    """Return a server whose processes are kept for the next server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "Worker", ReusedProcess)
        guard = create_app(database, **how)
    # On a busy machine every server is slow. Only `test_admission` checks what a slow server does.
    guard.admission.begin = lambda: None  # type: ignore[method-assign]
    return guard


def served(database: str, **how: Any) -> TestClient:
    """Yield a client of a running server."""
    return TestClient(created(database, library=how.pop("library", Oddballs()), **how), base_url=ADDRESS)
