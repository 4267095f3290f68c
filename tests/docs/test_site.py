"""The site of the documentation: links work, every page can be reached, and copied pages keep their links."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_site", ROOT / "docs" / "build_site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_link_leads_somewhere(site: ModuleType) -> None:
    assert site.dead_links() == []


def test_dead_links_are_noticed(site: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("[page](docs/page.md#a-head)", encoding="utf-8")
    text = "# A head\n[gone](no.md) [no head](#none) [fine](#a-head) `[code](no.md)`\n```\n[fenced](no.md)\n```\n"
    (tmp_path / "docs" / "page.md").write_text(text + "[reference](reference/none.md)", encoding="utf-8")
    monkeypatch.setattr(site, "ROOT", tmp_path)
    assert site.dead_links() == [
        "docs/page.md:2: no.md: there is no such file",
        "docs/page.md:2: #none: the page has no such heading",
        "docs/page.md:6: reference/none.md: the reference has no such page",
    ]


def test_every_page_stands_on_a_shelf_or_is_linked_from_one(site: ModuleType) -> None:
    shelves = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("nav:")[2]
    every = {page: name for page, name in site.pages().items() if page.endswith(".md")}
    reached = {page for page, name in every.items() if re.search(rf": {re.escape(name)}$", shelves, re.MULTILINE)}
    named = set(re.findall(r": ([a-z-]+(?:/[a-z-]+)*\.md)$", shelves, re.MULTILINE))
    assert {name for name in named if not name.startswith("reference/")} <= set(every.values()), (
        "it names no other page"
    )
    todo = [*reached]
    while todo:
        page = todo.pop()
        for _, target in site.links_of((ROOT / page).read_text(encoding="utf-8")):
            to = (ROOT / page).parent / target.partition("#")[0]
            path = to.resolve().relative_to(ROOT).as_posix() if to.exists() else ""
            if path in every and path not in reached:
                reached.add(path)
                todo.append(path)
    assert sorted(set(every) - reached) == []


def test_links_of_staged_pages_lead_within_the_site(site: ModuleType) -> None:
    every = {
        "docs/a.md": "a.md",
        "docs/b/c.md": "b/c.md",
        "CONTRIBUTING.md": "contributing.md",
        "docs/index.md": "index.md",
    }
    text = (
        "[one](b/c.md#x) [two](../CONTRIBUTING.md) [three](../README.md) [code](../src/caltrop) [out](https://x.y/)\n"
    )
    assert site.staged("docs/a.md", text, every) == (
        "[one](b/c.md#x) [two](contributing.md) [three](index.md) code [out](https://x.y/)\n"
    )


def test_scripts_of_pages_are_moved_into_files(site: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "assets" / "javascripts").mkdir(parents=True)
    (tmp_path / "using").mkdir()
    data = '<script type="application/json">{}</script>'
    (tmp_path / "using" / "index.html").write_text(f"<script>let a = 1</script>{data}", encoding="utf-8")
    site.take_scripts_out(tmp_path)
    text = (tmp_path / "using" / "index.html").read_text(encoding="utf-8")
    (script,) = re.findall(r'<script src="\.\./(assets/javascripts/\w+\.js)"></script>', text)
    assert (tmp_path / script).read_text(encoding="utf-8") == "let a = 1"
    assert data in text


def test_the_reference_is_made_from_the_code(site: ModuleType) -> None:
    assert "## caltrop simulate" in site.commands()
    text = site.messages()
    assert "| `seq` | `int` |  | Number of this moment. Every change of the game increases the number by one. |" in text
    files = site.files()
    assert "### army of command-horizon" in files
    assert "| `units` | list of Entry | yes |" in files
    for page in (text, files):
        rows = [line for line in page.splitlines() if line.startswith("|")]
        assert all(line.replace("\\|", "").count("|") in (4, 5) for line in rows)
