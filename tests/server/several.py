"""A server with several workers on PostgreSQL, clients that play over HTTP, and tests that kill workers."""

from __future__ import annotations

import http.client
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from caltrop.host.database import url_of
from caltrop.host.seats import key_of
from tests.web.serving import address_of


def fetch(
    address: str, path: str, body: Any = None, *, tokens: str = "", key: str = "", seconds: float = 30.0
) -> tuple[int, Any]:
    """Return the status and the JSON of a server's answer.

    Raises:
        OSError: if the server does not answer.
    """
    where = urlsplit(address)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=seconds)
    headers = {"Content-Type": "application/json"}
    if tokens:
        headers["Authorization"] = f"Bearer {tokens}"
    if key:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body)
    try:
        connection.request("GET" if body is None else "POST", path, data, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(str(error)) from error
    finally:
        connection.close()


class Several:
    """A running server with several workers.

    Args:
        process: The program that watches over the workers.
        address: The address of the server.
        database: The database of the server's games.
    """

    def __init__(self, process: subprocess.Popen[bytes], address: str, database: str) -> None:
        self.process, self.address, self.database = process, address, database
        self._engine = create_engine(url_of(database), poolclass=NullPool)

    def rows(self, question: str, **values: Any) -> list[Any]:
        """Return the rows that a query of the database gives."""
        with self._engine.connect() as connection:
            return list(connection.execute(text(question), values).all())

    def workers(self) -> dict[str, str]:
        """Return the addresses at which the workers answer one another, by worker id."""
        now = "until > extract(epoch FROM clock_timestamp())"
        return {row[0]: row[1] for row in self.rows(f"SELECT id, address FROM workers WHERE {now} ORDER BY id")}

    def owner(self, game: str) -> str:
        """Return the id of the worker that holds a game; empty if none does."""
        rows = self.rows("SELECT worker FROM leases WHERE game = :game", game=game)
        return str(rows[0][0]) if rows else ""

    def pid(self, worker: str) -> int:
        """Return the process id of a worker: the process that listens at the worker's address."""
        port = urlsplit(self.workers()[worker]).port
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
        fields = [line.split() for line in lines]
        inode = next(one[9] for one in fields if one[3] == "0A" and int(one[1].rpartition(":")[2], 16) == port)
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                for file in (folder / "fd").iterdir():
                    if os.readlink(file) == f"socket:[{inode}]":
                        return int(folder.name)
        raise AssertionError(f"nobody listens at port {port}")

    def kill(self, worker: str) -> None:
        """Kill a worker."""
        os.kill(self.pid(worker), signal.SIGKILL)

    def wait_for_workers(self, workers: int, seconds: float = 90.0) -> dict[str, str]:
        """Wait until a number of workers run, and return them."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            there = self.workers()
            if len(there) == workers:
                return there
            time.sleep(0.1)
        raise AssertionError(f"there are {len(self.workers())} workers instead of {workers}")


@contextmanager
def several(folder: Path, database: str, workers: int = 2, *more: str) -> Iterator[Several]:
    """Run a server with several workers. Its log is a file in the folder."""
    words = folder / f"log-{secrets.token_hex(4)}"
    command = [sys.executable, "-m", "caltrop", "serve", "--port", "0", "--workers", str(workers), *more]
    with words.open("w+") as log:
        process = subprocess.Popen([*command, "--database", database], stdout=log, stderr=subprocess.STDOUT)
        try:
            yield Several(process, address_of(process, words, 120), database)
        finally:
            process.terminate()
            process.wait(30)


class Hand:
    """Plays both sides of a game with random answers, and repeats each request until it is acknowledged.

    Args:
        address: The server.
        seed: Draws their answers.
        ruleset: The game.
    """

    def __init__(self, address: str, seed: int = 1, ruleset: str = "duel") -> None:
        self.address, self.dice = address, random.Random(seed)
        key = secrets.token_hex(16)
        _, made = self._until(lambda: fetch(address, "/api/games", {
            "ruleset": ruleset, "seats": ["person", "person"]}, key=key))  # fmt: skip
        assert "game" in made, made
        self.game: str = made["game"]
        self.tokens = ",".join(seat["token"] for seat in made["seats"])
        self.acknowledged: list[str] = []
        """The stored keys of acknowledged acts."""
        self.times: list[float] = []
        """Seconds that each act took, with all that was asked again."""
        self.over = False

    @staticmethod
    def _until(ask: Any, seconds: float = 90.0) -> tuple[int, Any]:
        until = time.monotonic() + seconds
        while True:
            try:
                status, answer = ask()
            except OSError:
                status, answer = 0, {}
            if status and status != 429 and (status < 500 or answer.get("code") == "broken"):
                return status, answer
            if time.monotonic() > until:
                raise AssertionError(f"no answer within {seconds:.0f} seconds: {answer}")
            time.sleep(0.05)

    def act(self) -> bool:
        """Answer one question; return whether one was asked."""
        path = f"/api/games/{self.game}"
        view: dict[str, Any] = {}
        for side in (0, 1):
            _, view = self._until(lambda side=side: fetch(self.address, f"{path}?eyes={side}", tokens=self.tokens))
            if view.get("over"):
                self.over = True
                return False
            if view.get("decisions"):
                break
        else:
            raise AssertionError(f"nobody is asked: {view}")
        asks = view["decisions"][0]
        message = {"type": "answer", "decision": asks["id"], "action": self.dice.choice(asks["offers"])["action"]}
        key, began = secrets.token_hex(16), time.monotonic()
        status, done = self._until(
            lambda: fetch(self.address, f"{path}/messages", message, tokens=self.tokens, key=key)
        )  # fmt: skip
        assert (status, done["type"]) == (200, "done"), done
        self.acknowledged.append(key_of(f"once {path}/messages {key}"))
        self.times.append(time.monotonic() - began)
        return True


def play_and_kill(server: Several, kills: int, hands: int, workers: int = 2, seed: int = 7) -> tuple[list[Hand], int]:
    """Play games while workers are killed during acts; return the players and the number of kills.

    Each kill hits the worker of a running game at a random moment.
    """
    dice, ending, faults = random.Random(seed), threading.Event(), list[BaseException]()
    all_hands: list[Hand] = []

    def play(number: int) -> None:
        try:
            while not ending.is_set():
                hand = Hand(server.address, number * 1000 + len(all_hands))
                all_hands.append(hand)
                while not ending.is_set() and hand.act():
                    pass
        except BaseException as error:  # noqa: BLE001  it is raised in the other thread
            faults.append(error)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(hands)]
    for thread in threads:
        thread.start()
    done = 0
    try:
        while done < kills and not faults:
            server.wait_for_workers(workers)
            time.sleep(dice.uniform(0.1, 0.6))
            playing = [hand.game for hand in all_hands if not hand.over]
            owners = {server.owner(game) for game in playing} & set(server.workers())
            if owners:
                victim = dice.choice(sorted(owners))
                server.kill(victim)
                done += 1
                until = time.monotonic() + 20
                while victim in server.workers() and time.monotonic() < until:
                    time.sleep(0.02)
    finally:
        ending.set()
        for thread in threads:
            thread.join(120)
    if faults:
        raise faults[0]
    return all_hands, done


def storage_faults(server: Several, hands: list[Hand]) -> list[str]:
    """Return the faults in the stored acts: acknowledged acts that are missing or stored twice, and gaps in the
    numbers.
    """
    faults = []
    for hand in hands:
        rows = server.rows("SELECT seq, key FROM events WHERE game = :game ORDER BY seq", game=hand.game)
        keys = [key for _, key in rows if key is not None]
        faults += [f"{hand.game}: {key} is stored {keys.count(key)} times" for key in hand.acknowledged
                  if keys.count(key) != 1]  # fmt: skip
        if [seq for seq, _ in rows] != list(range(1, len(rows) + 1)):
            faults.append(f"{hand.game}: a number is missing")
    return faults
