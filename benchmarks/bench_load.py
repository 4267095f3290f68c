"""Measures how many games a server can hold: `python -m benchmarks.bench_load [GAMES] [ACTS A SECOND] [SECONDS]`.

The server has two processes and its own PostgreSQL, which writes to the disk as by default. In each game a program acts
at random moments at the given rate, from its own address and connection. The programs share the machine's processors
with the server. On a busy machine elapsed times say little, and the processor time of an act shows how many acts an
idle machine can handle.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

os.environ.setdefault("TEST_ALL", "1")  # without it, PostgreSQL is not looked for

from caltrop.server.connections import as_many_as_the_system_lets
from tests.server.postgresql import PostgreSQL, missing
from tests.server.several import several

GAMES, RATE, SECONDS, RULESET = 2000, 0.5, 20.0, "duel"


class LoadedGame:
    """A game in which one program acts for both sides.

    Args:
        address: Address of the server.
        number: Seed of the answers, which is also part of the program's address.
    """

    def __init__(self, address: str, number: int) -> None:
        self.where, self.number, self.dice = urlsplit(address), number, random.Random(number)
        self.times: list[float] = []
        self.refusals: Counter[str] = Counter()
        self.game, self.tokens, self.late = "", "", 0

    async def ask(self, path: str, body: Any = None, key: str = "") -> tuple[int, Any]:
        """Return the status and the JSON of an answer."""
        data = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", f"Host: {self.where.netloc}",
            f"X-Forwarded-For: 10.{self.number >> 16 & 255}.{self.number >> 8 & 255}.{self.number & 255}",
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\nAuthorization: Bearer {self.tokens}",
        ]  # fmt: skip
        if key:
            lines.append(f"Idempotency-Key: {key}")
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
        return int(head.split(" ", 2)[1]), json.loads(await self.reader.readexactly(length) or b"{}")

    async def begin(self) -> bool:
        """Make the game. Return whether that succeeded."""
        self.reader, self.writer = await asyncio.open_connection(self.where.hostname, self.where.port)
        status, made = await self.ask("/api/games", {"ruleset": RULESET, "seats": ["person", "person"]})
        if status != 201:
            self.refusals[f"a game: {status} {made.get('code')}"] += 1
            return False
        self.game, self.tokens = made["game"], ",".join(seat["token"] for seat in made["seats"])
        return True

    async def act(self) -> None:
        """Answer one question, and store the elapsed time."""
        path = f"/api/games/{self.game}"
        asks: list[Any] = []
        for side in (0, 1):
            _, view = await self.ask(f"{path}?eyes={side}")
            if asks := view.get("decisions") or []:
                break
        if not asks:  # the game is over, so another one begins
            status, made = await self.ask("/api/games", {"ruleset": RULESET, "seats": ["person", "person"]})
            if status == 201:
                self.game, self.tokens = made["game"], ",".join(seat["token"] for seat in made["seats"])
            return
        message = {"type": "answer", "decision": asks[0]["id"], "action": self.dice.choice(asks[0]["offers"])["action"]}
        began = perf_counter()
        status, answer = await self.ask(f"{path}/messages?view={side}", message, secrets.token_hex(16))
        if status == 200 and answer["type"] == "done":
            self.times.append(perf_counter() - began)
        else:
            self.refusals[f"an act: {status} {answer.get('code')}"] += 1

    async def play(self, rate: float, until: float) -> None:
        """Act at a fixed rate until a given time."""
        due = perf_counter() + self.dice.uniform(0, 1 / rate)
        while due < until:
            await asyncio.sleep(max(due - perf_counter(), 0))
            await self.act()
            due = due + 1 / rate
            if due < perf_counter():  # the server did not keep up
                self.late += 1
                due = perf_counter()


def processor_seconds(pids: list[int]) -> float:
    """Return the processor time that some processes have used."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


async def loaded(address: str, pids: list[int], count: int, rate: float, seconds: float) -> None:
    """Play games at a server that consists of some processes, and print the result."""
    games = [LoadedGame(address, number) for number in range(1, count + 1)]
    slots = asyncio.Semaphore(16)

    async def begin(game: LoadedGame) -> bool:
        async with slots:
            return await game.begin()

    made = await asyncio.gather(*[begin(game) for game in games])
    playing = [game for game, there in zip(games, made, strict=True) if there]
    began, had = perf_counter(), processor_seconds(pids)
    await asyncio.gather(*[game.play(rate, began + seconds) for game in playing])
    took, had = perf_counter() - began, processor_seconds(pids) - had
    times = sorted(time for game in playing for time in game.times)
    refusals: Counter[str] = sum((game.refusals for game in games), Counter())
    planned = len(playing) * rate * seconds
    print(f"{len(playing)} of {count} games, {rate} acts a second each, for {took:.0f} s")
    print(
        f"{len(times)} acts ({len(times) / took:.0f} a second; {planned:.0f} were planned), refused: {dict(refusals)}"
    )
    if times:
        print(
            f"the workers had {had:.1f} s of processor time: {1000 * had / len(times):.1f} ms for an act with its views"
        )
        shares = [1000 * times[min(int(len(times) * share), len(times) - 1)] for share in (0.5, 0.95, 0.99)]
        print(f"an act took {shares[0]:.0f} ms (median), {shares[1]:.0f} ms (95 %), {shares[2]:.0f} ms (99 %)")


def main() -> None:
    """Measure one load."""
    if why := missing():
        raise SystemExit(why)
    as_many_as_the_system_lets()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    rate = float(sys.argv[2]) if len(sys.argv) > 2 else RATE
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else SECONDS
    postgresql = PostgreSQL(sync=True)
    try:
        with TemporaryDirectory() as folder:
            print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
            with several(Path(folder), postgresql.database(), 2, "--proxy", "127.0.0.1") as server:
                pids = [server.pid(worker) for worker in server.workers()]
                asyncio.run(loaded(server.address, pids, count, rate, seconds))
    finally:
        postgresql.remove()


if __name__ == "__main__":
    main()
