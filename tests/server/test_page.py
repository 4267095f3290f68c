"""The page: its contents, and its answer at unknown addresses."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import caltrop
from caltrop.server.page import is_page
from tests.server.tables import TestClient, served

KNOWN = [
    "",
    "new",
    "people",
    "club/abc",
    "maps",
    "packs",
    "armies",
    "learn",
    "armies",
    "referee",
    "odds",
    "lab",
    "lab/price",
    "season",
    "season/abc",
    "replay",
    "replay/abc",
    "end/abc",
    "settings",
    "rules",
    "rules/duel",
    "summary/duel",
    "abcdef234567",
]
UNKNOWN = [
    "a",
    "nothing/here",
    "learn/more",
    "rules/chess",
    "summary/chess",
    "settings/more",
    "rules/duel/more",
    "season/a/b",
    "abc_defgh",
    "a" * 41,
    "ÄÖÜäöü",
]


@pytest.fixture
def built(database: str, tmp_path: Path) -> Iterator[TestClient]:
    """Yield a client of a server with a built page."""
    static = tmp_path / "static"
    static.mkdir()
    (static / "index.html").write_text("<html><head></head><body>the page</body></html>", encoding="utf-8")
    with served(database, static=static) as client:
        yield client


@pytest.mark.parametrize("path", KNOWN)
def test_the_page_is_shown(built: TestClient, path: str) -> None:
    answer = built.get(f"/{path}")
    assert (answer.status_code, "the page" in answer.text) == (200, True)


@pytest.mark.parametrize("path", UNKNOWN)
def test_where_nothing_is_the_page_says_so_and_the_status_too(built: TestClient, path: str) -> None:
    answer = built.get(f"/{path}")
    assert (answer.status_code, "the page" in answer.text) == (404, True)


@pytest.mark.parametrize("written", ["/link.png", "./link.png"])
def test_a_link_has_a_picture_wherever_the_server_is(database: str, tmp_path: Path, written: str) -> None:
    static = tmp_path / "shown"
    static.mkdir()
    page = Path(caltrop.__file__).parent / "web/index.html"
    text = page.read_text(encoding="utf-8").replace('content="/link.png"', f'content="{written}"')  # as built
    (static / "index.html").write_text(text, encoding="utf-8")
    (static / "link.png").write_bytes((page.parent / "public/link.png").read_bytes())
    with served(database, static=static, prefix="/games") as client:
        text = client.get("/abcdef123456").text
        assert 'property="og:image" content="http://127.0.0.1:8420/games/link.png"' in text
        picture = client.get("/link.png")
        assert (picture.headers["content-type"], picture.content[:4]) == ("image/png", b"\x89PNG")


def test_every_page_of_the_client_is_known_to_the_server() -> None:
    route = Path(caltrop.__file__).parent / "web/src/lib/route.ts"
    firsts = set(re.findall(r'first === "(\w+)"', route.read_text(encoding="utf-8")))
    assert firsts == {path.partition("/")[0] for path in KNOWN[1:-1]}
    assert all(is_page(path, ["duel"]) for path in KNOWN)


def test_every_address_in_the_client_is_relative() -> None:
    """With relative addresses, the whole page also works under the path of a proxy."""
    sources = Path(caltrop.__file__).parent / "web/src"
    files = [file for file in sources.rglob("*") if file.suffix in (".svelte", ".ts") and ".test." not in file.name]
    assert len(files) > 50
    pages = "new|people|club|end|odds|lab|learn|rules|summary|settings|replay|season"
    absolute = rf"""href="/|["'`]/(api|ws|{pages})\b|location\.origin|(assign|open)\([`"']/"""
    result = [f"{file.name}: {match[0]}" for file in files for match in re.finditer(absolute, file.read_text("utf-8"))]
    assert result == []


BUILT = Path(caltrop.__file__).parent / "static"
ROOT = BUILT.parents[2]


def built_page() -> str:
    """Build the page from the current sources."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    builder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(builder)
    if not builder.is_current(ROOT):
        pytest.skip("the page is not built from these sources: make client")
    return (BUILT / "index.html").read_text("utf-8")


def test_the_built_page_has_a_picture_for_its_link(database: str) -> None:
    written = built_page()
    assert 'property="og:image"' in written
    with served(database, static=BUILT, prefix="/games") as client:
        text = client.get("/abcdef123456").text
        match = re.search(r'property="og:image" content="([^"]+)"', text)
        assert match is not None
        assert match[1] == "http://127.0.0.1:8420/games/link.png"
        assert client.get(match[1]).headers["content-type"] == "image/png"


@pytest.mark.parametrize("package", ["d3-selection", "d3-zoom", "svelte", "qr"])
def test_what_the_page_is_made_of_comes_with_its_licence(package: str) -> None:
    built_page()
    text = (BUILT / "licenses.txt").read_text("utf-8")
    result = text.partition(f"\n## {package} - ")[2].partition("\n## ")[0]
    assert "Copyright" in result
    assert any(words in result for words in ("without fee", "free of charge", "Apache License"))


def test_the_python_for_browsers_comes_with_its_licences() -> None:
    built_page()
    (folder,) = (BUILT / "referee").glob("python-*")
    assert (folder / "LICENSE-MPL-2.0.txt").read_text("utf-8").startswith("Mozilla Public License Version 2.0")
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in (folder / "LICENSE-PSF.txt").read_text("utf-8")
    named = (folder / "README.txt").read_text("utf-8")
    assert [file.name for file in folder.glob("pyodide*.gz") if file.name.removesuffix(".gz") not in named] == []


def test_packages_run_no_scripts_when_they_are_installed() -> None:
    calls = re.findall(r'npm\(web, "ci"[^)]*\)', (ROOT / "hatch_build.py").read_text("utf-8"))
    assert calls
    assert all("--ignore-scripts" in call for call in calls)
