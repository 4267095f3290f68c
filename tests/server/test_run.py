"""Work of the server before the first game."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from caltrop.server import run
from tests.server.tables import served


@pytest.fixture
def usual_collection() -> Iterator[None]:
    """Restore the garbage collector after a test."""
    before = gc.get_freeze_count()
    yield
    if before == 0:
        gc.unfreeze()


@pytest.mark.usefixtures("usual_collection")
def test_what_is_loaded_is_not_gone_through_in_the_middle_of_an_act(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`run` passes a function to the application, which calls it once, after the rulebooks are loaded."""
    expected: dict[str, Any] = {}
    monkeypatch.setattr(run, "create_app", lambda database, **more: expected.update(more))
    monkeypatch.setattr(run.Server, "run", lambda self, sockets: None)
    assert run.run(host="127.0.0.1", port=0, database=f"sqlite:///{tmp_path / 'other.sqlite'}") == 0

    before = gc.get_freeze_count()
    frozen: list[int] = []

    def loaded() -> None:
        expected["loaded"]()
        frozen.append(gc.get_freeze_count())

    with served(database, loaded=loaded) as client:
        # The catalogue is answered once the rulebooks are loaded.
        for _ in range(2):
            assert client.get("/api/catalogue").status_code == 200
    assert len(frozen) == 1
    assert frozen[0] > before + 10_000
