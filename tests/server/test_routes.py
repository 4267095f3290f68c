"""Requests over HTTP, and the page."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from caltrop import InputError, __version__
from caltrop.engine import Ruleset
from caltrop.host.seats import ServerLibrary
from caltrop.server.refusals import refusal_of
from caltrop.wire.changes import patched_picture
from tests.server.tables import Table, TestClient, served


def test_the_server_says_who_it_is(client: TestClient) -> None:
    assert client.get("/api/ping").json() == {"caltrop": __version__, "wire": 1}


def test_the_catalogue_has_all_that_a_lobby_shows(client: TestClient) -> None:
    games = {game["name"]: game for game in client.get("/api/catalogue").json()["rulesets"]}
    duel = games["duel"]
    assert duel["title"] == "Duel"
    assert duel["editions"][0] == "current"
    fields = {"id", "title", "minutes", "words", "takes_armies", "players", "sizes", "limits"}
    assert set(duel["scenarios"][0]) == fields
    assert duel["size"] == {"words": "Units a side"}
    rules = {rule["name"]: rule for rule in duel["rules"]}
    assert rules["parry.price"]["values"] == {"min": 0, "max": 3}
    assert rules["bid.tie"]["values"] == ["die", "first-side"]
    assert duel["players"] == ["first", "crash", "cheat", "elsewhere"]


def test_a_game_without_further_wishes_is_a_person_against_the_computer(client: TestClient) -> None:
    made = client.post("/api/games", json={"ruleset": "duel"}).json()
    assert [seat["player"] for seat in made["seats"]] == ["person", "first"]
    assert made["seats"][1]["token"] is None


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ({"ruleset": "deul"}, "did you mean duel?"),
        ({"ruleset": "duel", "scenario": "crosroads"}, "did you mean crossroads?"),
        ({"ruleset": "duel", "edition": "blunt"}, "current, sharp"),
        ({"ruleset": "duel", "rules": {"parry.prize": 1}}, "did you mean parry.price?"),
        ({"ruleset": "duel", "rules": {"parry.price": 7}}, "from 0 to 3"),
        ({"ruleset": "duel", "seats": ["person", "genius"]}, "there are person, first"),
        ({"ruleset": "duel", "seats": ["person"]}, "2 seats"),
        ({"ruleset": "duel", "sets": []}, "did you mean seats?"),
        ({"ruleset": 3}, "ruleset: expected `str`, got `int`"),
        ({}, "ruleset"),
        ({"ruleset": "duel", "dice": "loaded"}, "server or typed"),
        ({"ruleset": "duel", "armies": ["x", "y"]}, "no army"),
    ],
)
def test_a_wish_that_cannot_be_met_names_the_nearest_that_can(
    client: TestClient, expected: dict[str, object], words: str
) -> None:
    answer = client.post("/api/games", json=expected)
    assert answer.status_code == 400
    assert words in answer.json()["message"]


def test_no_file_is_opened_because_a_client_names_it(client: TestClient, tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("a: secret\n")
    for expected in ({"scenario": str(secret)}, {"armies": [str(secret), str(secret)]}):
        answer = client.post("/api/games", json={"ruleset": "duel", **expected}).json()
        assert answer["code"] == "wrong-value"
        assert "no scenario" in answer["message"] or "no army" in answer["message"]
    record = client.get(f"/api/games/{Table(client).id}/record").json()
    record["scenario"] = str(secret)
    assert "no scenario" in client.post("/api/verify", json=record).json()["message"]


def test_only_ones_own_games_are_listed(client: TestClient) -> None:
    mine, other = Table(client), Table(client)
    assert client.get("/api/games").json() == {"games": []}
    result = client.get("/api/games", headers=mine.bearer(1)).json()["games"]
    assert [(game["game"], game["sides"], game["over"]) for game in result] == [(mine.id, [1], False)]
    both = {"Authorization": f"Bearer {mine.tokens[0]},{other.tokens[0]},{other.tokens[1]},nonsense"}
    result = client.get("/api/games", headers=both).json()["games"]
    assert [(game["game"], game["sides"]) for game in result] == [(other.id, [0, 1]), (mine.id, [0])]
    mine.begin()
    mine.answer(0, {"type": "Stay"})
    mine.say(0, {"type": "undo"})
    other.say(1, {"type": "resign"})
    result = client.get("/api/games", headers=both).json()["games"]
    assert [(game["acts"], game["over"]) for game in result] == [(0, True), (2, False)]
    assert result[0]["at"] >= result[1]["at"] > "2"


def test_the_secret_of_a_seat_is_nowhere_in_the_database(client: TestClient, tmp_path: Path) -> None:
    table = Table(client)
    table.begin()
    files = b"".join(path.read_bytes() for path in tmp_path.glob("games.sqlite*"))
    assert table.id.encode() in files
    for token in table.tokens:
        assert token.encode() not in files


def test_a_finished_game_is_exported_and_verifies(client: TestClient) -> None:
    table = Table(client)
    while not (view := table.view(0))["over"]:
        side = view["waiting_for"][0]
        decision = table.view(side)["decisions"][0]
        table.say(side, {"decision": decision["id"], "action": decision["offers"][-1]["action"]})
    answer = client.get(f"/api/games/{table.id}/record", headers=table.bearer(0))
    assert f'filename="{table.id}.caltrop.json"' in answer.headers["content-disposition"]
    headers = {"Content-Type": "application/json"}
    verdict = client.post("/api/verify", content=answer.content, headers=headers).json()
    assert verdict["same"] is True
    packed = gzip.compress(answer.content)
    assert client.post("/api/verify", content=packed, headers={"Content-Type": "application/gzip"}).json() == verdict
    changed = answer.json()
    rolled = next(entry for entry in changed["entries"] if entry["type"] == "roll")
    rolled["faces"] = [7 - face for face in rolled["faces"]]
    verdict = client.post("/api/verify", json=changed).json()
    assert verdict["same"] is False
    assert client.post("/api/verify", json={"format": "x"}).status_code == 400


def test_a_report_has_the_record_the_view_and_the_versions(client: TestClient) -> None:
    table = Table(client)
    table.begin()
    report = client.get(f"/api/games/{table.id}/report", headers=table.bearer(1)).json()
    assert report["view"]["you"] == 1
    assert report["record"]["ruleset"] == "duel"
    assert report["versions"]["caltrop"] == __version__


@pytest.mark.parametrize("path", ["/", "/new", "/replay/abc", "/odds", "/learn", "/rules/duel", "/abcdefgh"])
def test_the_pages_own_addresses_show_the_page(client: TestClient, path: str, tmp_path: Path) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert '<base href="/" />' in answer.text
    assert answer.headers["cache-control"] == "no-cache"


def test_files_of_the_client_and_nothing_else_are_served(database: str, tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<html><head></head></html>")
    (static / "assets/a-1f.js").write_text("1;")
    (static / ".built-from").write_text("x")
    (tmp_path / "secret.txt").write_text("secret")
    with served(database, static=static) as client:
        script = client.get("/assets/a-1f.js")
        assert script.headers["content-type"].startswith("text/javascript")
        assert "immutable" in script.headers["cache-control"]
        for path in ("/.built-from", "/..%2fsecret.txt", "/assets/..%2f..%2fsecret.txt", "/no.js", "/api/no", "/ws/x"):
            answer = client.get(path)
            assert answer.status_code == 404
            assert answer.json()["code"] == "not-found"
        (static / "index.html").unlink()
        assert "make client" in client.get("/").text


def test_the_rulebooks_are_read_before_anybody_asks(database: str) -> None:
    class Listening(ServerLibrary):
        """A library that reports when the last game is loaded."""

        def __init__(self) -> None:
            super().__init__()
            self.read: dict[str, int] = {}
            self.done = Event()

        def find(self, name: str) -> Ruleset:
            self.read[name] = self.read.get(name, 0) + 1
            if len(self.read) == len(self.names()):
                self.done.set()
            return super().find(name)

    library = Listening()
    with served(database, library=library) as client:
        assert library.done.wait(60)
        assert len(client.get("/api/catalogue").json()["rulesets"]) == len(library.names())
    assert set(library.read.values()) == {1}


def test_an_unknown_game_is_refused(client: TestClient) -> None:
    for path in ("/api/games/nosuchgame", "/api/games/nosuchgame/record", "/api/games/" + "x" * 300):
        answer = client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_a_number_that_is_none_is_refused(table: Table) -> None:
    for query in ({"at": "x"}, {"eyes": "-1"}, {"at": "9" * 30}):
        answer = table.client.get(f"/api/games/{table.id}", params=query)
        assert answer.json()["code"] == "wrong-message"


def test_a_body_that_is_no_json_is_refused(client: TestClient) -> None:
    for text in (b"", b"{", b"\xff", b"[" * 100_000, b'{"ruleset":' * 5000, b'{"size": 1e999}'):
        answer = client.post("/api/games", content=text, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400, text[:20]
        assert json.loads(answer.text)["code"] == "wrong-message"


def test_the_moments_of_a_recorded_game_are_its_pictures(client: TestClient) -> None:
    table = Table(client)
    table.begin()
    table.answer(0, {"type": "Walk", "path": [[500, 500]]})
    record = client.get(f"/api/games/{table.id}/record", headers=table.bearer(0)).content
    headers = {"Content-Type": "application/json"}
    frames = client.post("/api/replay", content=record, headers=headers).json()["frames"]
    assert [frame["kind"] for frame in frames] == ["start", "action", "action", "action"]
    picture = frames[0]["picture"]
    for frame in frames[1:]:
        if frame["parts"]:
            picture = patched_picture(picture, frame["parts"])
    assert picture == client.get(f"/api/games/{table.id}").json()["picture"]
    assert frames[3]["words"] == ["Ash walks"]
    assert client.post("/api/replay", json={"format": "x"}).json()["code"] == "wrong-value"


def test_some_moments_of_a_game_are_those_of_the_whole_of_it(client: TestClient) -> None:
    """Moments can be asked for in parts. The first moment of a part has the whole table, and later ones have
    changes.
    """
    table = Table(client)
    table.begin()
    table.answer(0, {"type": "Walk", "path": [[500, 500]]})

    def asked(**some: int) -> dict[str, Any]:
        result = client.get(f"/api/games/{table.id}/moments", params=some)
        request: dict[str, Any] = result.json()
        return request

    def drawn(request: dict[str, Any]) -> list[tuple[Any, ...]]:
        pictures: list[dict[str, Any]] = []
        for moment in request["moments"]:
            assert (moment["picture"] is None) == bool(pictures)
            parts = moment["parts"] or {}
            pictures.append(moment["picture"] or patched_picture(pictures[-1], parts))
        return [
            (moment["act"], moment["side"], moment["lines"], picture, moment["active"])
            for moment, picture in zip(request["moments"], pictures, strict=True)
        ]

    whole = drawn(asked())
    assert [act for act, *_ in whole] == [0, 1, 2, 3]
    assert whole[3][3] != whole[2][3]
    assert [active for *_, active in whole] == [0, 0, 0, 1]
    for some, expected in (({"count": 2}, whole[:2]), ({"from": 2}, whole[2:]), ({"from": 1, "count": 2}, whole[1:3])):
        request = asked(**some)
        assert drawn(request) == expected
        assert request["last"] == 3
    assert asked(**{"from": 9})["moments"] == []
    assert client.get(f"/api/games/{table.id}/moments?from=x").json()["code"] == "wrong-message"


def test_an_attack_request_is_answered_by_its_rulebook(client: TestClient) -> None:
    request = {
        "ruleset": "command-horizon",
        "mode": "fire",
        "attacker": {"army": "alliance", "kind": "medium-tank", "models": 1},
        "target": {"army": "asori", "kind": "heavy-tank", "models": 1},
    }
    odds = client.post("/api/odds", json=request).json()
    assert odds["exact"] is True
    assert abs(sum(outcome["p"] for outcome in odds["outcomes"]) - 1) < 1e-9
    wrong = client.post("/api/resolve", json=request)
    assert (wrong.status_code, wrong.json()["code"]) == (400, "wrong-value")
    wrong_ones: list[object] = [{}, [], {"ruleset": "os"}, {"ruleset": "../duel"}, {"ruleset": 3}]
    for body in wrong_ones:
        message = client.post("/api/odds", json=body).json()["message"]
        assert "command-horizon" in message or "did you mean 'duel'?" in message


def test_a_battle_tells_the_odds_of_an_act_before_it_is_played(client: TestClient) -> None:
    """Each offer of the first decisions gets its odds or a plain refusal, and no act is played."""
    made = client.post("/api/games", json={"ruleset": "command-horizon", "seats": ["person", "person"]}).json()
    tokens = [seat["token"] for seat in made["seats"]]
    headers = {"Authorization": "Bearer " + tokens[0]}
    view = client.get(f"/api/games/{made['game']}", headers=headers).json()
    for decision in view["decisions"]:
        for offer in decision["offers"][:20]:
            body = {"decision": decision["id"], "action": offer["action"]}
            answer = client.post(f"/api/games/{made['game']}/odds", json=body, headers=headers).json()
            assert answer["type"] == "odds" or answer["code"] == "no-odds"
    assert client.get(f"/api/games/{made['game']}", headers=headers).json() == view


def test_the_clauses_of_a_game_are_told(client: TestClient) -> None:
    clauses = {row["id"]: row for row in client.get("/api/rules/duel").json()["clauses"]}
    assert "walk" in clauses["DU-MOVE-01"]["text"].lower()
    assert clauses["DU-MOVE-01"]["chapter"]
    assert client.get("/api/rules/deul").status_code == 404


def test_the_table_of_a_scenario_is_shown_before_a_game_is_made(client: TestClient) -> None:
    opening = "/api/rules/command-horizon/opening"
    laid = client.get(opening, params={"scenario": "first-battle"}).json()["picture"]
    assert {group["side"] for group in laid["groups"] if group["pieces"]} == {0, 1}
    assert laid["grounds"]
    assert laid["spots"]
    # Units that players place are shown at their usual places.
    usual = client.get(opening, params={"scenario": "meeting-engagement"}).json()["picture"]
    assert usual["grounds"]
    assert all(group["pieces"] for group in usual["groups"])
    assert client.get("/api/rules/duel/opening").json()["picture"]["groups"]
    refused = client.get(opening, params={"scenario": "first-batle"})
    assert refused.status_code == 400
    assert "did you mean first-battle?" in refused.json()["message"]
    assert client.get("/api/rules/deul/opening").status_code == 404


def test_what_is_large_is_sent_compressed(client: TestClient) -> None:
    result = client.get("/api/rules/command-horizon", headers={"Accept-Encoding": "gzip"})
    assert result.headers["content-encoding"] == "gzip"


def test_a_fault_in_a_file_of_the_server_is_told_without_where_it_lies() -> None:
    own = InputError("The army costs 82 points", source=str(Path("/srv/army.yaml")), line=6, column=1, field="units")
    refusal = refusal_of(own)
    assert (refusal.message, refusal.field) == ("The army costs 82 points", "units")
    sent = InputError("this file is not a campaign", source="campaign.json", line=3)
    assert refusal_of(sent).message == "campaign.json:3: this file is not a campaign"


def test_what_is_done_is_answered_with_the_view_that_comes_of_it(table: Table) -> None:
    path, stake = f"/api/games/{table.id}/messages", {"type": "Stake", "points": 2}
    result = {"decision": table.view(0)["decisions"][0]["id"], "action": stake}

    def say(query: str, *sides: int) -> Any:
        return table.client.post(path + query, json=result, headers=table.bearer(*sides)).json()

    assert say("?view=1", 0)["code"] == "not-your-seat"
    assert say("?view=x", 0)["type"] == "refusal"
    assert table.view(0)["act"] == 0, "nothing has been played"
    done = say("?view=0", 0)
    assert (done["type"], done["view"]) == ("done", table.view(0))
    again = say("?view=0", 0)
    assert (again["code"], "view" in again) == ("stale-decision", False)
    result = {"decision": table.view(1)["decisions"][0]["id"], "action": {**stake, "points": 1}}
    assert "view" not in say("", 1)
    assert say("", 1)["type"] == "refusal"


def test_a_table_is_drawn_once_for_each_pair_of_eyes(table: Table) -> None:
    game = table.client.app.app.state.games.live[table.id].game  # type: ignore[attr-defined]
    before = {eyes: game.drawn.now(eyes) for eyes in (0, 1, None)}
    assert all(game.drawn.now(eyes) is sheet for eyes, sheet in before.items())
    table.begin()
    for eyes, sheet in before.items():
        now = game.drawn.now(eyes)
        assert now is not sheet
        assert now.picture == game.ruleset.depict(game.match.view(eyes), eyes)
