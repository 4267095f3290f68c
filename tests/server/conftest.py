"""A server with an empty database, and a table on that server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from caltrop.host import apart
from caltrop.host.storage import Storage
from caltrop.server.guard import ServerLimits
from tests.server.postgresql import PostgreSQL, missing
from tests.server.tables import ReusedProcess, Table, TestClient, served

UNHURRIED = ServerLimits(requests=1e6, burst=10**6, messages=1e6, message_burst=10**6)


@pytest.fixture(scope="session", autouse=True)
def _kept_thinkers() -> Iterator[None]:
    """Keep the processes in which computers think for the next server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apart, "Worker", ReusedProcess)
        yield


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Return a PostgreSQL server for the tests alone."""
    if why := missing():
        pytest.skip(why)
    made = PostgreSQL()
    yield made
    made.remove()


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a database without games. It is made once and copied for each test."""
    file = tmp_path_factory.mktemp("empty") / "games.sqlite"
    Storage(f"sqlite:///{file}").close()
    assert not [*file.parent.glob("*-wal")], "all of it is in one file"
    return file


@pytest.fixture
def database(empty: Path, tmp_path: Path) -> str:
    """Return an empty database."""
    return f"sqlite:///{shutil.copy(empty, tmp_path)}"


@pytest.fixture
def client(database: str) -> Iterator[TestClient]:
    """Return a client of a server with an empty database."""
    with served(database, limits=UNHURRIED) as client:
        yield client


@pytest.fixture
def table(client: TestClient) -> Table:
    """Return a game of two persons."""
    return Table(client)
