"""A sitting at games of its own, with dice that are the same in every run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.host.games import Games
from caltrop.host.seats import SecureDice, ServerLibrary
from caltrop.host.storage import Storage
from caltrop.terminal.sitting import Keys, Sitting


@pytest.fixture(autouse=True)
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual sleeps twice after each key, 20 milliseconds and more, until nothing has moved meanwhile; here less.

    Rest is a quarter of the time slept, and not a twentieth. On a busy machine the loop alone takes more than that, and
    each key would wait for the whole second that is the most.
    """
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 0.004)
    monkeypatch.setattr("textual._wait.SLEEP_IDLE", 0.004 / 4)


@pytest.fixture
async def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[[], Sitting]]:
    """Sit down, each time as another start of the program would: the same files, nothing in memory."""
    dice = Seeded("terminal")
    monkeypatch.setattr(SecureDice, "roll", lambda _, pool, why=(): dice.roll(pool, why))
    monkeypatch.setattr("caltrop.host.computers.secrets.token_hex", lambda _: "00")
    opened: list[Games] = []

    def down() -> Sitting:
        for earlier in opened:
            earlier.storage.close()  # a database has one program at a time
        games = Games(Storage(str(tmp_path / "games.sqlite")), ServerLibrary())
        opened.append(games)
        return Sitting(games, Keys(tmp_path / "seats.json"))

    yield down
    for games in opened:
        await games.close()


@pytest.fixture
def duel() -> dict[str, Any]:
    """A duel of two people at one screen."""
    return {"ruleset": "duel", "seats": ["person", "person"]}
