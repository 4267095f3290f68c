"""The documentation under `/docs`, if it has been built."""

from __future__ import annotations

from pathlib import Path

import pytest

from caltrop.server import page
from tests.server.tables import TestClient


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    for name in ("index.html", "404.html", "using/index.html", "assets/one.js"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"<p>{name}</p>", encoding="utf-8")
    (tmp_path / "secret.html").write_text("secret", encoding="utf-8")
    (folder / ".hidden").write_text("hidden", encoding="utf-8")
    (folder / "way.html").symlink_to(tmp_path / "secret.html")
    monkeypatch.setattr(page.documentation, "__defaults__", (folder,))
    return folder


def test_pages_and_files_are_shown(site: Path, client: TestClient) -> None:
    assert "index.html" in client.get("/docs/").text
    assert client.get("/docs", follow_redirects=False).headers["location"] == "docs/"
    assert client.get("/docs/using", follow_redirects=False).headers["location"] == "using/"
    assert "using/index.html" in client.get("/docs/using").text
    result = client.get("/docs/assets/one.js")
    assert result.headers["content-type"].startswith("text/javascript")
    assert "unsafe-inline" not in result.headers["content-security-policy"].partition("style-src")[0]


@pytest.mark.parametrize(
    "path",
    ["nothing", "assets", "assets/", "../secret.html", "%2e%2e/secret.html", ".hidden", "way.html", "a" * 300, "%00"],
)
def test_nothing_else_is(site: Path, client: TestClient, path: str) -> None:
    result = client.get(f"/docs/{path}")
    assert result.status_code in (400, 404)
    assert "secret" not in result.text
    assert "hidden" not in result.text


def test_what_is_not_built_says_how_it_is(tmp_path: Path) -> None:
    documentation = page.documentation("", tmp_path)
    assert documentation.status_code == 404
    assert b"make docs" in documentation.body
