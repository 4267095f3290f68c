"""Studies in a folder: the server shows their current state, and replays each of their games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from caltrop.journal import Record, decoded, verify
from caltrop.lab.studies.executors import executor
from caltrop.lab.studies.running import Folder, run
from caltrop.server.door import Door
from tests.server.tables import ADDRESS, TestClient, created

STUDY = """\
format: caltrop-study
title: What a parry costs
ruleset: duel
players: [random, random]
vary: {scenario: [crossroads, bridge]}
games: 4
seed: 1
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a finished study, one that was not begun, a damaged one, and a folder of another kind."""
    here = tmp_path_factory.mktemp("studies")
    (here / "price.yaml").write_text(STUDY)
    run(here / "price.yaml", Folder(here / "price"), executor("processes", 1))
    for name, text in (("new one", STUDY), ("torn", "format: caltrop-study\ngames: many\n"), ("photos", None)):
        (here / name).mkdir()
        if text is not None:
            (here / name / "study.yaml").write_text(text)
    return here


@pytest.fixture
def client(shelf: Path, tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(created(f"sqlite:///{tmp_path}/games.db", studies=shelf), base_url=ADDRESS) as client:
        yield client


def test_each_study_is_listed_with_how_far_it_is(client: TestClient, shelf: Path) -> None:
    result = {one["id"]: one for one in client.get("/api/studies").json()["studies"]}
    assert {id: one["stage"] for id, one in result.items()} == {"price": "done", "new one": "new", "torn": "damaged"}
    assert (result["price"]["played"], result["price"]["total"], result["price"]["title"]) == (
        8,
        8,
        "What a parry costs",
    )
    assert result["torn"]["trouble"].startswith("study.yaml")
    with Folder(shelf / "new one").alone():
        running = {one["id"]: one["stage"] for one in client.get("/api/studies").json()["studies"]}
    assert running["new one"] == "running"
    (shelf / "new one/results.jsonl").unlink()


def test_a_study_tells_its_figures_and_its_games(client: TestClient) -> None:
    seen = client.get("/api/studies/price").json()
    assert [cell["games"] for cell in seen["figures"]["cells"]] == [4, 4]
    assert seen["points"] is None
    assert client.get("/api/studies/new one").json()["figures"] is None
    games = client.get("/api/studies/price/games", params={"from": 2, "count": 3}).json()
    assert (len(games["games"]), games["of"]) == (3, 8)
    assert [one["game"] for one in games["games"]] == [2, 3, 4]
    of_bridge = client.get("/api/studies/price/games", params={"level": "scenario=bridge"}).json()
    assert {one["scenario"] for one in of_bridge["games"]} == {"bridge"}
    assert of_bridge["of"] == 4
    won = {one["winner_name"] for one in client.get("/api/studies/price/games").json()["games"]}
    for name in won:
        chosen = client.get("/api/studies/price/games", params={"winner": name or ""}).json()
        assert {one["winner_name"] for one in chosen["games"]} == {name}


def test_games_are_told_in_their_order_however_workers_finished_them(client: TestClient, shelf: Path) -> None:
    file = shelf / "price" / "results.jsonl"
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join([*lines[4:], *lines[:4]]) + "\n", "utf-8")
    try:
        games = client.get("/api/studies/price/games", params={"from": 2, "count": 3}).json()
    finally:
        file.write_text("\n".join(lines) + "\n", "utf-8")
    assert ([one["game"] for one in games["games"]], games["of"]) == ([2, 3, 4], 8)


def test_a_game_of_a_study_is_played_again_as_it_was(client: TestClient, shelf: Path) -> None:
    rows = {row.game: row for row in Folder(shelf / "price").rows()}
    answer = client.get("/api/studies/price/games/5/record")
    record: Record = decoded(answer.content)
    assert verify(record).same
    assert record.outcome is not None
    assert (record.scenario, record.outcome.winner, record.outcome.reason) == (
        rows[5].scenario,
        rows[5].side,
        rows[5].reason,
    )


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("photos", "no such study"),
        ("..", "no"),
        ("%2e%2e%2fprice", "no"),
        ("price/games/99/record", "no game 99"),
        ("price/games/x/record", "numbered"),
        ("price/games?from=-1", "whole number"),
        ("torn/games", None),
    ],
)
def test_what_is_not_there_is_refused(client: TestClient, path: str, words: str | None) -> None:
    answer = client.get(f"/api/studies/{path}")
    if words is None:
        assert answer.json() == {"games": [], "of": 0}
    else:
        assert answer.status_code in (400, 404)
        assert words in answer.json()["message"]


def test_figures_that_cannot_be_read_are_said_to_be(client: TestClient, shelf: Path) -> None:
    (shelf / "new one/summary.json").write_text('{"title": 3}')
    try:
        refused = client.get("/api/studies/new one").json()
        assert "caltrop study report" in refused["message"]
    finally:
        (shelf / "new one/summary.json").unlink()


def test_a_server_without_a_folder_shows_none(tmp_path: Path) -> None:
    with TestClient(created(f"sqlite:///{tmp_path}/games.db"), base_url=ADDRESS) as client:
        assert client.get("/api/studies").json() == {"studies": []}
        assert client.get("/api/studies/price").status_code == 404


def test_studies_that_nobody_has_named_are_shown_at_this_machine_alone(shelf: Path, tmp_path: Path) -> None:
    """Without a named folder, `caltrop play` shows the studies of its working directory, and to its own machine
    alone.
    """
    paths = ["/api/studies/price", "/api/studies/price/games", "/api/studies/price/games/0/record"]
    for may_open, who, headers, seen in (
        (True, "127.0.0.1", {}, True),
        (True, "192.168.1.7", {}, False),
        (True, "127.0.0.1", {"X-Forwarded-For": "192.168.1.7"}, False),
        (True, "127.0.0.1", {"Host": "192.168.1.2:8420"}, False),
        (False, "192.168.1.7", {}, True),
    ):
        door = Door(may_open=may_open)
        app = created(f"sqlite:///{tmp_path}/games.db", studies=shelf, door=door, open_to_network=True)
        with TestClient(app, base_url=ADDRESS, client=(who, 5)) as client:
            listed = client.get("/api/studies", headers=headers).json()["studies"]
            assert bool(listed) is seen, (who, headers)
            statuses = {client.get(path, headers=headers).status_code for path in paths}
            assert statuses == ({200} if seen else {404})
