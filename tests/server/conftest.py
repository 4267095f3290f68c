"""A server with an empty database, and a table on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from caltrop.host import apart
from caltrop.server.guard import Limits
from tests.server.postgresql import PostgreSQL, missing
from tests.server.tables import Kept, Table, TestClient, served


@pytest.fixture(scope="session", autouse=True)
def _kept_thinkers() -> Iterator[None]:
    """Processes in which computers think outlive a server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart, "Worker", Kept)
        yield


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL of the tests' own."""
    if why := missing():
        pytest.skip(why)
    made = PostgreSQL()
    yield made
    made.remove()


@pytest.fixture
def database(tmp_path: Path) -> str:
    """A database of its own."""
    return f"sqlite:///{tmp_path / 'games.sqlite'}"


@pytest.fixture
def client(database: str) -> Iterator[TestClient]:
    """A client of a server with an empty database."""
    with served(database, limits=Limits(requests=1e6, burst=10**6, messages=1e6, message_burst=10**6)) as client:
        yield client


@pytest.fixture
def table(client: TestClient) -> Table:
    """A game of two persons."""
    return Table(client)
