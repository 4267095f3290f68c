"""How long the collector of garbage holds everybody up: `python -m benchmarks.bench_garbage`.

A game of each ruleset is played by recruits and opened as 50 tables, with all of its moments in memory. Then acts are
played at these tables: first with the collector as Python has it, then as the server has it.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time

from benchmarks.bench_restart import RULESETS, played
from caltrop.chance import Seeded
from caltrop.host.game import Game
from caltrop.host.games import Games
from caltrop.host.garbage import Garbage
from caltrop.host.live import Live
from caltrop.host.seats import Library
from caltrop.host.storage import Row, Storage
from caltrop.players import Player

EACH, ACTS = 50, 400


@contextmanager
def watched() -> Iterator[list[float]]:
    """Yield the pauses of the collector, in milliseconds of processor time."""
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
    """Play acts at the tables, one after the other, and return the pauses of the collector."""
    dice = Seeded(2)

    def play(game: Game) -> list[Row]:
        if game.over is not None:
            return []
        _, asked = game.ids()[0]
        return [game.act(asked, players[game.setup.ruleset].decide(asked, game.match.view(asked.side), dice))]

    with watched() as pauses:
        for number in range(ACTS):
            await games.change(tables[number % len(tables)], play)
    return pauses


async def measured(path: Path, names: list[str]) -> None:
    """Open the tables, and print how the collector does in both ways."""
    library = Library()
    players = {name: library.player("recruit", name) for name in RULESETS}
    games = Games(Storage(str(path)), library, most=len(names))
    gc.disable()
    tables = [await games.open(name) for name in names]
    gc.enable()
    gc.collect()
    for words in ("as Python has it", "as the server has it"):
        if words == "as the server has it":
            games.garbage = Garbage()
            games.garbage.keep()
        pauses = await act(games, tables, players)
        print(
            f"{len(tables)} tables, {ACTS} acts, the collector {words}: the longest pause {max(pauses):.0f} ms, "
            f"all of them {sum(pauses):.0f} ms",
            flush=True,
        )
    await games.close()


def main() -> None:
    """Print how long the collector holds everybody up."""
    library, names = Library(), []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        storage = Storage(str(path))
        for ruleset in RULESETS:
            rows = played(library, ruleset)
            for number in range(EACH):
                names.append(f"{ruleset[:12]}-{number}")
                storage.append(names[-1], rows)
        storage.close()
        asyncio.run(measured(path, names))


if __name__ == "__main__":
    main()
