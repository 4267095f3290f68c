"""Stored games whose rules have changed since: they are shown as they were recorded, and cannot be continued."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop.engine import ruleset, rulesets
from caltrop.host.game import HostedGame
from caltrop.host.seats import ServerLibrary
from caltrop.host.shelved import Shelved, opened
from caltrop.host.storage import Storage, StoredRow
from caltrop.journal import decoded, encoded, verify
from caltrop.rules.command_horizon import catalogue as of_horizon
from caltrop.wire.changes import patched_picture
from tests.corpus.record import Guest
from tests.server.tables import TestClient, served


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'games.sqlite'}"


@pytest.fixture
def client(database: str) -> Iterator[TestClient]:
    with served(database, library=ServerLibrary()) as client:
        yield client


def request_for(game: str, **more: Any) -> dict[str, Any]:
    """Return a request for a game of two people."""
    return {"ruleset": game, "seats": ["person", "person"], **more}


def rows_of(guest: Guest) -> list[StoredRow]:
    storage: Storage = guest.client.app.app.state.games.storage  # type: ignore[attr-defined]
    return list(storage.events(guest.id))


def change_numbers(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Change the numbers of a ruleset's data."""
    monkeypatch.setattr(type(ruleset(game)), "rows", lambda self, t: {"number": 17})


def reopen(guest: Guest) -> HostedGame:
    """Load the game again from its stored rows."""
    return opened(guest.id, rows_of(guest), ServerLibrary())


@pytest.mark.parametrize("game", rulesets())
@pytest.mark.parametrize("whole", [False, True])
def test_what_a_game_told_is_its_record(
    game: str, whole: bool, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = Guest(client, f"{game} {whole}", **request_for(game, dice=["typed", "server"]))
    guest.play(25)
    if whole and guest.game.over is None:
        guest.done({"type": "resign", "side": 0}, 0)
    before = guest.game
    change_numbers(monkeypatch, game)
    shelf = reopen(guest)
    assert isinstance(shelf, Shelved)
    assert (shelf.acts, shelf.over is None) == (before.acts, before.over is None)
    assert shelf.keys == before.keys
    for eyes in before.eyes:
        # The record is byte for byte that of the replayed game, except for the digest of today's rules.
        names = msgspec.structs.replace(before.record(eyes), rules_digest=before.setup.rules_digest)
        record = shelf.record(eyes)
        assert encoded(record) == encoded(names), eyes
        words, stored = ([(line.act, line.text) for line in g.lines_in_force(eyes)] for g in (before, shelf))
        assert sorted(stored[:-1]) == sorted(words), eyes
        assert len(stored) > 5
        view = shelf.view(eyes)
        assert view.picture.seats
        assert "Caltrop" in (view.as_recorded or "")
        assert view.decisions == ()
    moments = client.get(f"/api/games/{guest.id}/moments", headers=guest.bearer()).json()
    past = shelf.shown_past(None)
    assert len(past.movers) == moments["moments"][-1]["act"] == shelf.acts


def test_a_finished_game_is_shown_when_a_number_of_a_unit_has_changed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(database, library=ServerLibrary()) as client:
        guest = Guest(client, "finished", **request_for("command-horizon", rules={"game.rounds": 2}))
        guest.play(500, back=False)
        assert guest.game.over is not None
        was = client.get(f"/api/games/{guest.id}", headers=guest.bearer()).json()
        record = client.get(f"/api/games/{guest.id}/record").json()
    changed = {key: msgspec.structs.replace(row, base_cm=row.base_cm + 1) for key, row in rows().items()}
    monkeypatch.setitem(of_horizon._BY_EDITION, "current", changed)
    with served(database, library=ServerLibrary()) as client:
        guest.client = client
        answer = client.get(f"/api/games/{guest.id}", headers=guest.bearer())
        assert answer.status_code == 200, answer.text
        view = answer.json()
        assert view["over"] == was["over"]
        assert view["picture"]["groups"] == was["picture"]["groups"]
        assert "Caltrop" in view["as_recorded"]
        assert f"version {ruleset('command-horizon').rules_version} of the rules" in view["as_recorded"]
        assert client.get(f"/api/games/{guest.id}/record").json() == record
        frames = client.post("/api/replay", json=record).json()["frames"]
        assert len(frames) == 1 + sum(entry["type"] != "roll" for entry in record["entries"])
        last = frames[0]["picture"]
        for frame in frames[1:]:
            last = patched_picture(last, frame["parts"] or {})
        assert last == record["entries"][-1]["turn"]["view"]
        listed = client.get("/api/games", headers=guest.bearer()).json()["games"]
        assert [one["fault"] for one in listed] == [None]
        assert client.get(f"/api/games/{guest.id}/moments").json()["last"] == was["act"]
        with client.websocket_connect(f"ws://127.0.0.1:8420/ws/{guest.id}") as socket:
            socket.send_text(json.dumps({"type": "hello", "tokens": []}))
            assert json.loads(socket.receive_text())["over"] == was["over"]
            socket.send_text(json.dumps({"type": "why", "ref": 1, "unit": 0}))
            while (words := json.loads(socket.receive_text()))["type"] != "refusal":
                pass
            assert words["code"] == "other-rules"
    assert "unverified" in verify(msgspec.structs.replace(decoded(encode(record)), engine_version="0.0.1")).words


def rows() -> dict[tuple[str, str], Any]:
    return of_horizon._BY_EDITION["current"]


def encode(record: Any) -> bytes:
    return msgspec.json.encode(record)


@pytest.fixture
def under_way(database: str) -> Guest:
    """Return a battle that its player left after some acts; the server has stopped."""
    with served(database, library=ServerLibrary()) as client:
        guest = Guest(client, "under way", **request_for("command-horizon"))
        guest.play(12)
        assert guest.game.over is None
    return guest


def test_an_unfinished_game_says_what_it_needs_and_can_be_looked_at_and_exported(
    database: str, under_way: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = {key: msgspec.structs.replace(row, dice=row.dice + 1) for key, row in rows().items()}
    monkeypatch.setitem(of_horizon._BY_EDITION, "current", changed)
    with served(database, library=ServerLibrary()) as client:
        view = client.get(f"/api/games/{under_way.id}", headers=under_way.bearer()).json()
        assert "it needs Caltrop" in view["as_recorded"]
        assert view["log"][-1]["text"].endswith("others today")
        assert (view["over"], view["decisions"], view["waiting_for"]) == (None, [], [])
        record = client.get(f"/api/games/{under_way.id}/record", headers=under_way.bearer())
        assert decoded(record.content).salted
        refused = client.post(
            f"/api/games/{under_way.id}/messages",
            json={"decision": "1.0", "action": {}},
            headers=under_way.bearer(),
        )
        assert refused.json()["code"] == "other-rules"
        listed = client.get("/api/games", headers=under_way.bearer()).json()["games"]
        assert [one["fault"] for one in listed] == ["other-rules"]
    monkeypatch.undo()
    assert verify(decoded(record.content)).same
    with served(database, library=ServerLibrary()) as client:  # with its own rules, the game continues
        under_way.client = client
        client.get(f"/api/games/{under_way.id}")
        under_way.play(2)


def test_what_a_game_does_not_use_locks_it_out_of_nothing(
    database: str, under_way: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    t = state(under_way)
    there = {(t.armies[u.side].army, u.kind) for u in t.units}
    there |= {(t.armies[t.units[m.unit].side].army, m.kind) for m in t.models}
    changed = {
        key: msgspec.structs.replace(row, clauses={**row.clauses, "vp": "CH-DMG-01"})
        if key in there
        else msgspec.structs.replace(row, dice=row.dice + 1, title="New")
        for key, row in rows().items()
        if key in there or key != max(rows())
    }
    monkeypatch.setitem(of_horizon._BY_EDITION, "current", changed)
    monkeypatch.setattr(type(ruleset("command-horizon")), "rules_version", 9)
    with served(database, library=ServerLibrary()) as client:
        under_way.client = client
        view = client.get(f"/api/games/{under_way.id}", headers=under_way.bearer()).json()
        assert view["as_recorded"] is None
        listed = client.get("/api/games", headers=under_way.bearer()).json()["games"]
        assert [one["fault"] for one in listed] == [None]
        under_way.play(2)


def state(guest: Guest) -> Any:
    return guest.client.app.app.state.games.live[guest.id].game.match.state  # type: ignore[attr-defined]


def drop_events(database: str, kinds: str = "'created', 'act', 'undo'") -> None:
    """Rewrite the rows as those of a version that did not store events."""
    with sqlite3.connect(database.removeprefix("sqlite:///")) as file:
        file.execute(f"UPDATE events SET body = json_remove(body, '$.told') WHERE kind IN ({kinds})")
    file.close()


@pytest.mark.parametrize("game", rulesets())
def test_a_game_of_an_older_version_is_told_when_it_is_opened_the_first_time(
    game: str, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(database, library=ServerLibrary()) as client:
        guest = Guest(client, "older", **request_for(game))
        guest.play(20)
        record = client.get(f"/api/games/{guest.id}/record").json()
    drop_events(database)
    with served(database, library=ServerLibrary()) as client:
        guest.client = client
        assert client.get(f"/api/games/{guest.id}").json()["as_recorded"] is None
        assert [row.kind for row in rows_of(guest)].count("record") == 1
        guest.play(1, back=False)
    with served(database, library=ServerLibrary()) as client:
        guest.client = client
        client.get(f"/api/games/{guest.id}")
        assert [row.kind for row in rows_of(guest)].count("record") == 1
    change_numbers(monkeypatch, game)
    with served(database, library=ServerLibrary()) as client:
        shown = client.get(f"/api/games/{guest.id}/record").json()
        assert shown["entries"][: len(record["entries"])] == record["entries"]


def test_a_game_that_was_never_told_is_shown_up_to_where_it_differs(database: str) -> None:
    with served(database, library=ServerLibrary()) as client:
        guest = Guest(client, "differs", **request_for("duel"))
        guest.play(12, back=False)
    drop_events(database)
    with sqlite3.connect(database.removeprefix("sqlite:///")) as file:
        result = file.execute("SELECT id FROM events WHERE kind = 'act' ORDER BY id").fetchall()
        file.execute("UPDATE events SET body = json_set(body, '$.digest', '0') WHERE id = ?", result[7])
    file.close()
    with served(database, library=ServerLibrary()) as client:
        view = client.get(f"/api/games/{guest.id}").json()
        assert view["act"] == 7
        assert any("cannot be shown" in line["text"] for line in view["log"])
        assert client.get(f"/api/games/{guest.id}/record").status_code == 200


def test_everything_is_shown_of_a_game_that_is_over(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(database, library=ServerLibrary()) as client:
        guest = Guest(client, "shown", **request_for("hex-command"))
        guest.play(12)
        guest.done({"type": "resign", "side": 0}, 0)
        assert guest.game.kept_back
    change_numbers(monkeypatch, "hex-command")
    with served(database, library=ServerLibrary()) as client:
        guest.client = client
        assert client.get(f"/api/games/{guest.id}/record").json()["outcome"] is None
        guest.done({"type": "show-all", "side": 1}, 1)
        shown = client.get(f"/api/games/{guest.id}/record").json()
        assert shown["resigned"] == 0
        assert all(entry.get("action", 1) for entry in shown["entries"])
    monkeypatch.undo()
    with served(database, library=ServerLibrary()) as client:
        assert client.get(f"/api/games/{guest.id}").json()["kept_back"] is False


@pytest.mark.parametrize("by", ["rules", "people"])
def test_a_game_that_is_over_is_over_where_its_end_cannot_be_shown(client: TestClient, by: str) -> None:
    guest = Guest(client, f"over by {by}", **request_for("duel"))
    guest.play(200 if by == "rules" else 6)
    if by == "people":
        guest.done({"type": "resign", "side": 0}, 0)
    rows = []
    acts = 0
    for row in rows_of(guest):
        body = msgspec.json.decode(row.body)
        if row.kind in ("act", "undo"):
            acts += row.kind == "act"
            body |= {"told": "", "digest": "another" if acts == 4 else body["digest"]}
        rows.append(msgspec.structs.replace(row, body=msgspec.json.encode(body)))
    shelf = opened(guest.id, rows, ServerLibrary())
    assert isinstance(shelf, Shelved)
    assert 0 < shelf.acts <= 3
    assert shelf.over is not None
    assert shelf.view(0).over == shelf.over
    assert ("resigned" in shelf.over.reason) == (by == "people")
    goes_on = opened(guest.id, rows[: next(n for n, row in enumerate(rows) if row.kind == "act") + 5], ServerLibrary())
    assert goes_on.over is None
