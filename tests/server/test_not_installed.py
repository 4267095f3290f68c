"""Data of a game whose rulebook is not installed is listed and named, and no request for it causes an error."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from caltrop.errors import InputError
from caltrop.host.computers import Computers
from caltrop.lab.studies.executors import executor
from caltrop.lab.studies.running import RESULTS, STUDY, Folder, run
from caltrop.scenarios.lessons import lessons
from caltrop.scenarios.rulings import position, rulings
from tests.server.tables import ADDRESS, TestClient, created

GONE = "a-rulebook-that-is-gone"
TEXT = """\
format: caltrop-study
title: What a parry costs
ruleset: duel
players: [random, random]
vary: {scenario: [crossroads, bridge]}
games: 1
seed: 1
"""


def has_position(ruling: Any) -> bool:
    """Return whether a ruling has a position on a table."""
    try:
        return position(ruling) is not None
    except InputError:
        return False


class UninstalledData:
    """A server with one of each kind of stored data for rulebooks that are no longer installed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "games.sqlite"
        self.games: dict[str, str] = {}
        """Games by their names, and the secret of each."""
        (folder / "studies").mkdir()
        (folder / "price.yaml").write_text(TEXT)
        run(folder / "price.yaml", Folder(folder / "studies/price"), executor("processes", 1))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Computers, "wake", lambda self, live: None)
            with TestClient(created(str(self.file)), base_url=ADDRESS) as client:
                self._make(client)
        self._uninstall()

    def _make(self, client: TestClient) -> None:
        begun: list[dict[str, Any]] = [
            {"ruleset": "duel"},
            {"ruleset": "duel", "seats": ["person", "person"]},
            {"ruleset": "squad-action", "lesson": lessons("squad-action")[0].id},
            {
                "ruleset": "squad-action",
                "ruling": next(one.head.id for one in rulings("squad-action") if has_position(one)),
            },
        ]
        for request in begun:
            made = client.post("/api/games", json=request)
            assert made.status_code == 201, made.text
            token = next(seat["token"] for seat in made.json()["seats"] if seat["token"])
            self.games[made.json()["game"]] = token
        made = client.post("/api/campaigns", json={"ruleset": "duel", "title": "Three dawns"}).json()
        self.campaign, self.token = made["campaign"], made["token"]
        path, headers = f"/api/campaigns/{self.campaign}", {"Authorization": f"Bearer {self.token}"}
        battle = client.post(f"{path}/battle", json={}, headers=headers).json()
        self.games[battle["game"]] = battle["seats"][0]["token"]

    def _uninstall(self) -> None:
        with closing(sqlite3.connect(self.file)) as file, file:
            for name in ("duel", "squad-action"):
                file.execute("UPDATE events SET body = replace(body, ?, ?)", (f'"{name}"', f'"{GONE}"'))
            file.execute("DELETE FROM standings")
        for path in (self.folder / "studies/price" / STUDY, self.folder / "studies/price" / RESULTS):
            text = path.read_text("utf-8")
            path.write_text(text.replace("ruleset: duel", f"ruleset: {GONE}").replace('"duel"', f'"{GONE}"'), "utf-8")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> UninstalledData:
    """Return the stored data of a rulebook that is not installed."""
    return UninstalledData(tmp_path_factory.mktemp("gone"))


@pytest.fixture(scope="module")
def client(stored: UninstalledData) -> Iterator[TestClient]:
    """Yield a client of the server with this data."""
    app = created(str(stored.file), studies=stored.folder / "studies")
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        yield client


def test_games_and_lessons_are_listed_with_what_they_need(stored: UninstalledData, client: TestClient) -> None:
    headers = {"Authorization": f"Bearer {','.join(stored.games.values())}"}
    listed = client.get("/api/games", headers=headers).json()["games"]
    assert {game["game"] for game in listed} == set(stored.games)
    assert {(game["ruleset"], game["title"], game["fault"]) for game in listed} == {(GONE, GONE, "no-rules")}


def test_a_campaign_says_what_it_needs(stored: UninstalledData, client: TestClient) -> None:
    headers = {"Authorization": f"Bearer {stored.token}"}
    answer = client.get(f"/api/campaigns/{stored.campaign}", headers=headers)
    assert (answer.status_code, answer.json()["code"], answer.json()["values"]) == (409, "no-rules", {"ruleset": GONE})
    assert client.get(f"/api/campaigns/{stored.campaign}").json()["code"] == "wrong-token"


def test_a_study_is_listed_with_its_name_and_what_it_needs(stored: UninstalledData, client: TestClient) -> None:
    (study,) = client.get("/api/studies").json()["studies"]
    assert (study["id"], study["title"], study["ruleset"], study["stage"]) == (
        "price", "What a parry costs", GONE, "damaged"
    )  # fmt: skip
    assert GONE in study["trouble"]
    assert client.get("/api/studies/price").json()["study"] == study


PLACES: dict[str, Any] = {"id": "price", "game": "1", "other": "price", "ruling": "parry", "path": "x"}


def test_no_question_of_it_ends_in_an_error(stored: UninstalledData, client: TestClient) -> None:
    routes = client.app.app.routes  # type: ignore[attr-defined]
    asked = 0
    for route in routes:
        if not route.path.startswith("/api/") or not getattr(route, "methods", None):
            continue
        of = route.path.split("/")[2]
        names = {"games": list(stored.games), "campaigns": [stored.campaign], "studies": ["price"], "rules": [GONE]}
        for name in names.get(of, ["price"]):
            path = route.path.format(**{**PLACES, "id": name})
            headers = {"Authorization": f"Bearer {stored.games.get(name, stored.token)}"}
            for method in route.methods:
                body: Any = None if method == "GET" else {}
                answer = client.request(method, path, json=body, headers=headers)
                assert answer.status_code < 500, (method, path, answer.text)
                asked += 1
    assert asked > 60
    for game, token in stored.games.items():
        with client.websocket_connect(f"ws://127.0.0.1:8420/ws/{game}") as session:
            session.send_json({"type": "hello", "tokens": [token]})
            assert session.receive_json()["code"] == "no-rules"
