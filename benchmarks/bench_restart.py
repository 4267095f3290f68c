"""Measures how soon tables can be used after a restart, in one process: `python -m benchmarks.bench_restart`.

A game of each ruleset is played by recruits and stored as 25 tables. All are opened at once, as when pages reconnect,
and each is shown to both sides. This is done by replaying from the beginning, then from the stored state.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.tables import filled
from caltrop.host.games import Games
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import Storage

EACH = 25


async def opened(path: Path, names: list[str]) -> list[float]:
    """Return the seconds until each table is shown."""
    games = Games(Storage(str(path)), ServerLibrary())
    begun = perf_counter()

    async def back(name: str) -> float:
        live = await games.open(name)
        for side in (0, 1):
            live.show(side)
        return perf_counter() - begun

    times = await asyncio.gather(*[back(name) for name in names])
    await games.close()
    return sorted(times)


def main() -> None:
    """Print how soon all tables are shown again after a restart."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        names = filled(path, EACH)
        for words in ("played from their beginning", "by how they stood"):
            times = asyncio.run(opened(path, names))
            print(f"{len(times)} tables {words}: half after {median(times):.1f} s, the last after {times[-1]:.1f} s")


if __name__ == "__main__":
    main()
