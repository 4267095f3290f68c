"""A server of its own for the browser tests, with an empty database and the built client."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import caltrop
from tests.web.table import Table


@pytest.fixture(scope="session")
def database_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the running server."""
    return tmp_path_factory.mktemp("server") / "games.db"


@pytest.fixture(scope="session")
def base_url(database_file: Path) -> Iterator[str]:
    """The address of a running server."""
    built = Path(caltrop.__file__).parent / "static" / "index.html"
    assert built.is_file(), "the client has not been built: run make client"
    command = [
        sys.executable,
        "-m",
        "caltrop",
        "serve",
        "--port",
        "0",
        "--database",
        f"sqlite:///{database_file}",
    ]
    words = database_file.with_name("said")
    said = words.open("w+")
    server = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
    try:
        yield _address(server, words)
    finally:
        server.terminate()
        server.wait(20)
        said.close()


def _address(server: subprocess.Popen[bytes], said: Path) -> str:
    for _ in range(600):
        found = re.search(r"http://[0-9.:]+", said.read_text())
        if found:
            return found[0]
        try:
            server.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
        break
    raise AssertionError(f"the server did not start: {said.read_text()}")


@pytest.fixture
def table(page: object, base_url: str) -> Table:
    """A page of the browser, as a person uses it; errors of the page fail the test."""
    from playwright.sync_api import Page

    assert isinstance(page, Page)
    return Table(page, base_url)
