"""A computer player that plays over the network, in a process of its own on any machine."""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from caltrop.chance import Seeded
from caltrop.engine import Refused, restored
from caltrop.errors import InputError, Portable
from caltrop.host.seats import ServerLibrary
from caltrop.host.standing import stamp_of
from caltrop.host.together.persons import PREFIX, check_key
from caltrop.players import Player

log = logging.getLogger("caltrop.host")

PATIENCE = 60.0
"""Seconds of silence after which the server counts as gone."""

RETRY = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds before a closed stream is opened again."""


class ServerRefusal(Portable):
    """The server refuses something, and why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def key_in(file: Path) -> str:
    """Return the key in a file. A missing file is created, readable only by its owner.

    Raises InputError when the file cannot be read or made, or contains something else.
    """
    try:
        if file.exists():
            with file.open("rb") as stream:
                key = stream.read(200).decode("ascii", "replace").strip()
            check_key(key)
            return key
        key = f"{PREFIX}{secrets.token_hex(24)}"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            stream.write(f"{key}\n")
    except Refused:
        raise InputError("this is not a key of a bot; name a new file, and one is made", source=str(file)) from None
    except OSError as error:
        raise InputError(f"the key of the bot cannot be had: {error.strerror or error}", source=str(file)) from None
    return key


def is_address(url: str) -> bool:
    """Return whether a server can be asked at an address.

    >>> is_address("https://games.example/caltrop"), is_address("http://["), is_address("http://a b"), is_address("a")
    (True, False, False, False)
    """
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        return named and _PLAIN(url) is not None
    except ValueError:
        return False


_PLAIN = re.compile(r"[!-~]+").fullmatch


class Bot:
    """A computer player that connects to a server.

    Args:
        at_once: Largest number of games in which the bot thinks at the same time.
    """

    def __init__(self, url: str, key: str, ruleset: str, level: str, name: str, at_once: int = 2) -> None:
        if not is_address(url):
            raise InputError(f"{url!r} is not an address of a server; write http://127.0.0.1:8420")
        self.url, self.key, self.level, self.name = url.rstrip("/"), key, level, name
        self.library = ServerLibrary()
        self.ruleset = self.library.find(ruleset)
        self.at_once = max(at_once, 1)
        self._players: dict[str, tuple[Player, Seeded]] = {}
        self._thinkers = ThreadPoolExecutor(self.at_once, "caltrop-bot")
        self._busy: dict[str, bool] = {}
        """Games in which it is thinking; True if another request has come since."""
        self._lock = threading.Lock()
        self._over = threading.Event()

    def ask(self, path: str, body: Any = None) -> Any:
        """Return the server's answer to a request.

        Raises Refusal if the server refuses, or OSError if it cannot be reached.
        """
        try:
            with self._open(path, body) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            try:
                problem = json.load(error)
            except ValueError:
                problem = {}
            raise ServerRefusal(str(problem.get("code", error.code)), str(problem.get("message", error))) from None

    def _open(self, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}{path}", data, headers)
        return urllib.request.urlopen(request, timeout=PATIENCE)

    def begin(self) -> None:
        """Register with the server as a program.

        Raises InputError if the server cannot be reached, or rejects the bot.
        """
        try:
            self.ask("/api/me", {"name": self.name, "browser": "caltrop bot"})
            self.ask("/api/me/bot", {})
        except (OSError, ServerRefusal) as error:
            raise InputError(f"the bot cannot play at this server: {error}", source=self.url) from None

    def run(self, *, offer: bool = False, scenario: str | None = None) -> None:
        """Play until the process ends.

        Args:
            offer: True to offer seats that anybody may take.
        """
        tries = 0
        while not self._over.is_set():
            try:
                if offer:
                    self.offer(scenario)
                for event in self.events():
                    tries = 0
                    if self._over.is_set():
                        return
                    self.hear(event, offer=offer, scenario=scenario)
            except (OSError, ServerRefusal, ValueError) as error:
                log.warning("the stream has ended: %s", error)
            self._over.wait(RETRY[min(tries, len(RETRY) - 1)])
            tries += 1

    def events(self) -> Iterator[dict[str, Any]]:
        with self._open("/api/me/events") as lines:
            for line in lines:
                if line.strip():
                    yield json.loads(line)

    def hear(self, event: dict[str, Any], *, offer: bool, scenario: str | None) -> None:
        if event["type"] == "turn":
            with self._lock:
                if event["game"] in self._busy:
                    self._busy[event["game"]] = True
                    return
                self._busy[event["game"]] = False
            self._thinkers.submit(self._play, event["game"])
        elif event["type"] == "over":
            self._players.pop(event["game"], None)
        if offer and event["type"] in ("game", "over"):
            self.offer(scenario)

    def offer(self, scenario: str | None) -> None:
        """Offer a seat, unless a seat is offered already or the limit of concurrent games is reached."""
        seats = [seat for seat in self.ask("/api/openings")["openings"] if seat["own"]]
        games = [one for one in self.ask("/api/games")["games"] if not one["over"]]
        if seats or len(games) >= self.at_once:
            return
        new = {"ruleset": self.ruleset.name, "scenario": scenario, "seats": ["person", "person"], "invited": [0]}
        self.ask("/api/openings", {"new": new, "words": f"A computer player, {self.level}, as a bot"})

    def _play(self, game: str) -> None:
        try:
            while not self._over.is_set():
                position = self.ask(f"/api/games/{game}/position")
                if position["decisions"]:
                    self._answer(game, position)
                elif not self._asked_again(game):
                    return
        except (OSError, ServerRefusal, ValueError) as error:
            log.warning("in the game %s: %s", game, error)
        except Exception:
            log.exception("in the game %s", game)
        self._busy.pop(game, None)

    def _asked_again(self, game: str) -> bool:
        with self._lock:
            if self._busy.get(game):
                self._busy[game] = False
                return True
            self._busy.pop(game, None)
            return False

    def _answer(self, game: str, position: dict[str, Any]) -> None:
        ruleset = self.library.find(position["ruleset"])
        if position["program"] != stamp_of(ruleset):
            raise ValueError("the server has another version of Caltrop or of these rules; a bot needs the same one")
        book = ruleset.book(position["edition"], position["rules"])
        view = restored(ruleset, book, json.dumps(position["state"]).encode())
        id, index = next(iter(position["decisions"].items()))
        if game not in self._players:
            self._players[game] = (self.library.player(self.level, ruleset.name), Seeded(secrets.token_hex(16)))
        player, dice = self._players[game]
        action = player.decide(view.asked[index], view, dice)
        message = {"type": "answer", "decision": id, "action": msgspec.to_builtins(action)}
        try:
            self.ask(f"/api/games/{game}/messages", message)
        except ServerRefusal as refusal:
            if refusal.code not in ("stale-decision", "not-your-decision", "over"):
                raise

    def end(self) -> None:
        self._over.set()
        self._thinkers.shutdown(wait=False, cancel_futures=True)
