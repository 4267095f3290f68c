"""Measures pauses by garbage collection: `python -m benchmarks.bench_garbage`.

A game of each ruleset is played by recruits and opened as 50 tables, whose moments are all in memory. Then acts are
played at these tables, first with Python's default settings of the collector, then with the server's.
"""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time

from benchmarks.tables import RULESETS, filled
from caltrop.chance import Seeded
from caltrop.host.game import HostedGame
from caltrop.host.games import Games
from caltrop.host.garbage import Garbage
from caltrop.host.live import Live
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import Storage, StoredRow
from caltrop.players import Player

EACH, ACTS = 50, 400


@contextmanager
def watched() -> Iterator[list[float]]:
    """Collect the pauses of the collector in the yielded list, in milliseconds of processor time."""
    pauses: list[float] = []
    begun = 0.0

    def note(phase: str, _: dict[str, int]) -> None:
        nonlocal begun
        if phase == "start":
            begun = thread_time()
        else:
            pauses.append(1000 * (thread_time() - begun))

    gc.callbacks.append(note)
    try:
        yield pauses
    finally:
        gc.callbacks.remove(note)


async def act(games: Games, tables: list[Live], players: dict[str, Player]) -> list[float]:
    """Play acts at the tables in turn. Return the pauses of the collector."""
    dice = Seeded(2)

    def play(game: HostedGame) -> list[StoredRow]:
        if game.over is not None:
            return []
        _, asked = game.ids()[0]
        return [game.act(asked, players[game.setup.ruleset].decide(asked, game.match.view(asked.side), dice))]

    with watched() as pauses:
        for number in range(ACTS):
            await games.change(tables[number % len(tables)], play)
    return pauses


async def measured(path: Path, names: list[str], *, as_served: bool) -> None:
    """Open the tables, play at them, and print the pauses of the collector."""
    library = ServerLibrary()
    players = {name: library.player("recruit", name) for name in RULESETS}
    games = Games(Storage(str(path)), library, most=len(names))
    if as_served:
        games.garbage = Garbage()
        games.garbage.keep()
    with watched() as opening:
        tables = [await games.open(name) for name in names]
    playing = await act(games, tables, players)
    words = "as the server has it" if as_served else "as Python has it"
    for what, pauses in ((f"opening {len(tables)} tables", opening), (f"{ACTS} acts", playing)):
        print(f"{what}, collector {words}: longest {max(pauses):.0f} ms, all {sum(pauses):.0f} ms", flush=True)
    await games.close()


def forget(path: Path) -> None:
    """Delete the stored states of the games, so that the next server has to replay them from the beginning."""
    with sqlite3.connect(path) as file:
        file.execute("DELETE FROM standings")
    file.close()


def main() -> None:
    """Print the pauses that the garbage collector causes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        names = filled(path, EACH)
        for as_served in (False, True):
            asyncio.run(measured(path, names, as_served=as_served))
            gc.unfreeze()
            gc.collect()
            forget(path)


if __name__ == "__main__":
    main()
