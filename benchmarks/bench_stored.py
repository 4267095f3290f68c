"""Measures stored games in processor time of the server: `python -m benchmarks.bench_stored [GAMES]`.

Three aims are measured. A stored game of 300 acts opens in under 50 ms. A server with 2,000 stored games is ready again
in under 2 s. An idle game in memory, without onlookers, takes under 60 kB.
"""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import tracemalloc
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from benchmarks.tables import RULESETS, played
from caltrop.engine import ruleset
from caltrop.host.games import Games
from caltrop.host.live import Live
from caltrop.host.seats import Library
from caltrop.host.standing import stamp_of, standing_of, written
from caltrop.host.storage import Row, Storage

ACTS = 300
GAMES = 2000


def longest(library: Library, name: str) -> list[Row]:
    """Return the events of a game of 300 acts, or of the longest of some games."""
    return max((played(library, name, ACTS, seed) for seed in (1, 2, 3)), key=len)


def stood(path: Path, games: dict[str, list[Row]]) -> None:
    """Store games, and the standing of each as a server keeps it."""
    storage = Storage(str(path))
    for name, rows in games.items():
        storage.append(name, rows)

    async def keep() -> None:
        held = Games(storage, Library())
        for name in games:
            live = await held.open(name)
            stamp = stamp_of(ruleset(live.game.ruleset.name))
            storage.keep_standing(name, stamp, written(standing_of(live.game, live.events.hexdigest())))
        await held.close()

    asyncio.run(keep())


async def opened(path: Path, names: list[str]) -> dict[str, float]:
    """Return the milliseconds of the processor in which each game is opened and shown to both sides."""
    games, taken = Games(Storage(str(path)), Library()), {}
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


async def idle(path: Path, names: list[str]) -> dict[str, float]:
    """Return the kilobytes that each game takes in memory when nobody looks at it."""
    games, taken = Games(Storage(str(path)), Library()), {}
    for name in names:  # what all games of a ruleset share is there once
        live: Live = await games.open(name)
        del games.live[name]
    for name in names:
        gc.collect()
        tracemalloc.start()
        live = await games.open(name)
        live.show(0)
        gc.collect()
        taken[name] = tracemalloc.get_traced_memory()[0] / 1024
        tracemalloc.stop()
    await games.close()
    return taken


def ready(path: Path) -> tuple[float, float]:
    """Return the seconds of the processor, and by the clock, in which a server on a database is ready."""
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
    """Print the three."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    library = Library()
    with TemporaryDirectory() as folder:
        games = {f"{name[:12]}-long": longest(library, name) for name in RULESETS}
        path = Path(folder) / "long.sqlite"
        stood(path, games)
        for name, milliseconds in asyncio.run(opened(path, [*games])).items():
            acts = sum(row.kind == "act" for row in games[name])
            print(f"{name}: {acts} acts, opened in {milliseconds:.0f} ms")
        for name, size in asyncio.run(idle(path, [*games])).items():
            print(f"{name}: {size:.0f} kB in memory")
        empty, many = Path(folder) / "empty.sqlite", Path(folder) / "many.sqlite"
        Storage(str(empty)).close()
        storage, began = Storage(str(many)), perf_counter()
        rows = [played(library, name, 40) for name in RULESETS]
        for number in range(count):
            storage.append(f"game-{number:08}", rows[number % len(rows)])
        storage.close()
        print(f"{count} games were stored in {perf_counter() - began:.0f} s")
        for words, file in (("no stored game", empty), (f"{count} stored games", many)):
            processor, clock = ready(file)
            print(f"ready with {words}: {processor:.2f} s of the processor, {clock:.2f} s by the clock")


if __name__ == "__main__":
    main()
