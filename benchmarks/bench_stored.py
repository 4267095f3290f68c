"""Measures the processor time of stored games: `python -m benchmarks.bench_stored [GAMES]`.

It checks three targets. A stored game of 300 acts opens in under 50 ms. A server with 2,000 stored games starts in
under 2 s. If nobody looks at any of them, each game takes less than 60 kB of memory.
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from sqlalchemy import Connection, text

from benchmarks.tables import RULESETS, played
from caltrop.engine import ruleset
from caltrop.host import games as games_of_the_host
from caltrop.host.games import Games
from caltrop.host.seats import ServerLibrary
from caltrop.host.standing import stamp_of, standing_of, written
from caltrop.host.storage import Storage, StoredRow

ACTS = 300
GAMES = 2000


def longest(library: ServerLibrary, name: str) -> list[StoredRow]:
    """Return the events of the longest of three games, each of at most 300 acts."""
    return max((played(library, name, ACTS, seed) for seed in (1, 2, 3)), key=len)


def stood(path: Path, games: dict[str, list[StoredRow]]) -> None:
    """Store games with their states, as a server does."""
    storage = Storage(str(path))
    for name, rows in games.items():
        storage.append(name, rows)

    async def keep() -> None:
        held = Games(storage, ServerLibrary())
        for name in games:
            live = await held.open(name)
            stamp = stamp_of(ruleset(live.game.ruleset.name))
            storage.keep_standing(name, stamp, written(standing_of(live.game, live.events.hexdigest())))
        await held.close()

    asyncio.run(keep())


async def opened(path: Path, names: list[str]) -> dict[str, float]:
    """Return the milliseconds of processor time in which each game is opened and shown to both sides."""
    games, taken = Games(Storage(str(path)), ServerLibrary()), {}
    for name in names:
        times = []
        for _ in range(5):
            began = process_time()
            live = await games.open(name)
            for side in (0, 1):
                live.show(side)
            times.append(1000 * (process_time() - began))
            del games.live[name]
        taken[name] = median(times)
    await games.close()
    return taken


def copied(path: Path, names: list[str], count: int) -> list[str]:
    """Copy games and their states under new names until there are *count* of them. Return the names."""
    storage, added = Storage(str(path)), [f"copy-{number:07}" for number in range(count - len(names))]

    def put(connection: Connection, _: bool) -> None:
        for number, new in enumerate(added):
            of = {"new": new, "old": names[number % len(names)]}
            columns = "seq, at, kind, body FROM events WHERE game = :old ORDER BY seq"
            connection.execute(text(f"INSERT INTO events (game, seq, at, kind, body) SELECT :new, {columns}"), of)
            rows = "stamp, body FROM standings WHERE game = :old"
            connection.execute(text(f"INSERT INTO standings (game, stamp, body) SELECT :new, {rows}"), of)

    storage.write(put)
    storage.close()
    return [*names, *added]


def resident() -> float:
    """Return the memory of this process in kilobytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024


async def idle(path: Path, names: list[str]) -> tuple[float, float, int]:
    """Open every game once, show it to a side, and leave it.

    Return the kilobytes for each game, the seconds, and the number of games in memory.
    """
    games_of_the_host.IDLE_SECONDS = 0.0  # a game may leave memory right after it is shown
    games = Games(Storage(str(path)), ServerLibrary())
    for name in names[: len(RULESETS)]:  # loads the parts that all games of a ruleset share
        (await games.open(name)).show(0)
    gc.collect()
    before, began = resident(), process_time()
    for name in names:
        (await games.open(name)).show(0)
    gc.collect()
    took = (resident() - before) / len(names), process_time() - began, len(games.live)
    await games.close()
    return took


def ready(path: Path) -> tuple[float, float]:
    """Return the seconds in which a server on a database starts: processor time and elapsed time."""
    script = f"""
import asyncio, time
from caltrop.server.app import create_app
from starlette.testclient import TestClient
began = time.perf_counter()
with TestClient(create_app({str(path)!r}), base_url="http://127.0.0.1:8420") as client:
    assert client.get("/healthz").status_code == 200
    print(time.process_time(), time.perf_counter() - began)
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]), float(out[1])


def main() -> None:
    """Print the three measurements."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    library = ServerLibrary()
    with TemporaryDirectory() as folder:
        games = {f"{name[:12]}-long": longest(library, name) for name in RULESETS}
        path = Path(folder) / "long.sqlite"
        stood(path, games)
        for name, milliseconds in asyncio.run(opened(path, [*games])).items():
            acts = sum(row.kind == "act" for row in games[name])
            print(f"{name}: {acts} acts, opened in {milliseconds:.0f} ms")
        empty = Path(folder) / "empty.sqlite"
        Storage(str(empty)).close()
        names = copied(path, [*games], count)
        for words, file in (("no stored game", empty), (f"{count} stored games", path)):
            processor, clock = ready(file)
            print(f"ready with {words}: {processor:.2f} s of the processor, {clock:.2f} s by the clock")
        size, seconds, held = asyncio.run(idle(path, names))
        print(f"{count} games that rest take {size:.0f} kB each ({held} of them are in memory)")
        print(f"all were opened in {seconds:.0f} s of the processor")


if __name__ == "__main__":
    main()
