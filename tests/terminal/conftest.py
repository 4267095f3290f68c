"""Fixtures for the terminal: players at a table with games of their own, whose dice are the same in every run."""

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
    """Shorten the pauses that Textual makes after each key until the program is idle.

    For Textual, a program is idle if it computes for less than a twentieth of a pause; here a quarter is enough. On a
    busy machine the event loop alone takes more than a twentieth, and each key would wait for Textual's limit of a
    second.
    """
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 0.004)
    monkeypatch.setattr("textual._wait.SLEEP_IDLE", 0.004 / 4)


@pytest.fixture
async def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[[], Sitting]]:
    """Yield a function that sits down at the same files with empty memory, like another start of the program."""
    dice = Seeded("terminal")
    monkeypatch.setattr(SecureDice, "roll", lambda _, pool, why=(): dice.roll(pool, why))
    monkeypatch.setattr("caltrop.host.computers.secrets.token_hex", lambda _: "00")
    opened: list[Games] = []

    def down() -> Sitting:
        for earlier in opened:
            earlier.storage.close()  # only one program may have the database open
        games = Games(Storage(str(tmp_path / "games.sqlite")), ServerLibrary())
        opened.append(games)
        return Sitting(games, Keys(tmp_path / "seats.json"))

    yield down
    for games in opened:
        await games.close()


@pytest.fixture
def duel() -> dict[str, Any]:
    """Return a request for a duel of two people at one screen."""
    return {"ruleset": "duel", "seats": ["person", "person"]}
