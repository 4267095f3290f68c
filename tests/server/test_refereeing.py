"""The start of the referee's page: every game, any scenario, and nothing stored."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
from pathlib import Path

import pytest

import caltrop
from caltrop.engine import rulesets
from caltrop.server.kit import archive, as_written
from tests.server.tables import TestClient, served


@pytest.mark.parametrize("game", rulesets())
def test_a_battle_begins_with_what_is_counted_in_it(game: str, client: TestClient) -> None:
    answer = client.post("/api/referee", json={"ruleset": game})
    assert answer.status_code == 200
    table = answer.json()
    assert table["steps"]
    once = [re.search("before the (battle|first)", words, re.I) is not None for _, words in table["steps"]]
    assert once == [n < table["once"] for n in range(len(once))]
    assert table["victory"]
    assert {unit["side"] for unit in table["units"]} == {0, 1}
    assert all(unit["strength"] >= 1 and unit["name"] for unit in table["units"])
    assert len(table["points"]) == len(table["sides"]) == 2
    assert client.get("/api/games").json() == {"games": []}


def test_a_table_armies_and_a_pack_of_ones_own_are_refereed(client: TestClient) -> None:
    draft = client.get("/api/maps/squad-action/scenario?name=first-battle").json()["draft"] | {"title": "The Ford"}
    keen = {"keen": {"like": "regular", "title": "Keen"}}
    pack = {"format": "caltrop-pack", "ruleset": "squad-action", "id": "k", "title": "K", "rows": {"profiles": keen}}
    army = "title: Ours\nid: ours\nruleset: squad-action\nunits:\n  - {profile: keen, models: 6, name: 1st}\n"
    setting = {"ruleset": "squad-action", "scenario": json.dumps(draft) + "\n", "pack": pack}
    answer = client.post("/api/referee", json=setting | {"armies": [army, "first-section-north"]}).json()
    assert answer["scenario"] == "The Ford"
    assert [name for name, _ in answer["sides"]] == ["South: Ours", "North: First Section, North"]
    assert [unit["name"] for unit in answer["units"] if unit["side"] == 0] == ["1st"]


def test_points_are_those_of_the_books(client: TestClient) -> None:
    table = client.post("/api/referee", json={"ruleset": "command-horizon"}).json()
    assert table["points"][0] == [["Command points", 5], ["Victory points", 0]]
    assert table["rounds"] == 6
    assert "Stun" in table["markers"]
    table = client.post("/api/referee", json={"ruleset": "hex-command"}).json()
    assert table["points"][0][0][1] == 0, "banners are counted from none"
    assert len(table["faces"]) == 6


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({"ruleset": "dule"}, "duel"),
        ({"ruleset": "duel", "scenario": "brigde"}, "bridge"),
        ({"ruleset": "duel", "rules": {"none": "on"}}, "none"),
        ({"ruleset": "duel", "what": 1}, "what"),
    ],
)
def test_what_does_not_exist_is_refused(expected: dict[str, object], message: str, client: TestClient) -> None:
    answer = client.post("/api/referee", json=expected)
    assert answer.status_code in (400, 404)
    assert message in answer.json()["message"]


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A built client with a Python for browsers, of a few bytes."""
    folder = tmp_path / "static/referee/python-1f"
    folder.mkdir(parents=True)
    (folder / "pyodide.asm.wasm.gz").write_bytes(gzip.compress(b"\0asm" * 100))
    (folder.parent / "rules-2e.js").write_text("1;")
    (tmp_path / "static/index.html").write_text("<html><head></head></html>")
    return tmp_path / "static"


def test_a_browser_gets_the_files_to_run_the_rules(database: str, static: Path) -> None:
    with served(database, static=static) as client:
        kit = client.get("/api/referee/kit").json()
        assert kit["games"] == list(rulesets())
        python, rules = kit["files"]
        assert python["path"] == "referee/python-1f/pyodide.asm.wasm"
        assert python["size"] == 400
        assert python["sent"] == (static / "referee/python-1f/pyodide.asm.wasm.gz").stat().st_size
        for file in (python, rules):
            answer = client.get(f"/{file['path']}")
            assert answer.status_code == 200
            assert answer.headers["content-encoding"] == "gzip"
            assert int(answer.headers["content-length"]) == file["sent"]
            assert "immutable" in answer.headers["cache-control"]
            assert len(answer.content) == file["size"]
        assert client.get("/referee/python-1f/pyodide.asm.wasm").headers["content-type"] == "application/wasm"
        assert client.get("/referee/rules-0123456789abcdef.tar").json()["code"] == "not-found"
        assert client.get("/referee/python-1f/none.wasm").status_code == 404
        (static / "referee/python-1f/pyodide.asm.wasm.gz").unlink()
        assert client.get("/api/referee/kit").json() == {"files": [], "games": []}


def test_only_the_worker_of_the_rules_may_run_webassembly(database: str, static: Path) -> None:
    with served(database, static=static) as client:
        worker = client.get("/referee/rules-2e.js").headers.get_list("content-security-policy")
        assert len(worker) == 1, "two policies hold together"
        assert "script-src 'self' 'wasm-unsafe-eval'" in worker[0]
        for path in ("/referee", "/", "/api/ping", "/referee/python-1f/pyodide.asm.wasm"):
            assert "wasm" not in client.get(path).headers["content-security-policy"]


def test_the_archive_of_the_rules_holds_sources_of_the_package_alone(client: TestClient, database: str) -> None:
    client.post("/api/games", json={"ruleset": "duel", "seats": ["person", "person"]})
    package = Path(caltrop.__file__).parent
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(archive().packed))) as archived:
        files = {member.name: archived.extractfile(member) for member in archived.getmembers()}
    assert {name.partition("/")[0] for name in files} == {"caltrop", "yaml"}
    for name, file in files.items():
        room, _, path = name.partition("/")
        assert file is not None
        if room == "caltrop":
            assert not path.startswith(("host/", "server/", "static/", "web/"))
            assert file.read() == as_written(package / path).read_bytes()
    assert "yaml/LICENSE" in files
    assert len(archive().packed) < 1_500_000, "it is downloaded by phones"
