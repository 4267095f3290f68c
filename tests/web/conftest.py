"""Fixtures of the browser tests: a server with an empty database and the built client, and pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.serving import serving
from tests.web.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def database_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the database of the running server."""
    return tmp_path_factory.mktemp("server") / "games.db"


@pytest.fixture(scope="session")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the running server's studies. It is empty unless a test adds a study."""
    return tmp_path_factory.mktemp("studies")


@pytest.fixture(scope="session")
def base_url(database_file: Path, studies: Path) -> Iterator[str]:
    """Run a server, and return its address."""
    with serving(database_file, studies=studies) as address:
        yield address


@pytest.fixture(autouse=True)
def confirming(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every act wait for confirmation, except in tests marked `at_once`."""
    monkeypatch.setattr(Table, "confirms_always", request.node.get_closest_marker("at_once") is None)


@pytest.fixture
def table(page: object, base_url: str, request: pytest.FixtureRequest) -> Table:
    """Return a page in a desktop browser. Errors of the page fail the test.

    Only tests that are marked `painted` have painted tables. The others stay on the plain ground, as in a browser that
    cannot paint in a worker, and do not wait for the painter.
    """
    from playwright.sync_api import Page

    assert isinstance(page, Page)
    if request.node.get_closest_marker("painted") is None:
        page.add_init_script("delete globalThis.OffscreenCanvas")
    return Table(page, base_url)


@pytest.fixture
def phone(browser: Browser, base_url: str) -> Iterator[Table]:
    """Yield a page on a phone, 360 pixels wide, with touch and no mouse."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    yield Table(context.new_page(), base_url)
    context.close()
