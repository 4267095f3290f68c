"""Administration of all games: beside a running server, through it, and without one."""

from __future__ import annotations

import gzip
import json
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from caltrop.cli import main
from caltrop.errors import InputError
from caltrop.host import admin
from caltrop.host.storage import Storage, StoredRow
from caltrop.server import administering
from tests.server.conftest import UNHURRIED
from tests.server.postgresql import PostgreSQL
from tests.server.tables import Table, TestClient, served

SECRET = "the-secret-of-the-host"


def make_game(client: TestClient) -> Table:
    """Make a game with a few acts."""
    table = Table(client, ruleset="duel", scenario="bridge")
    side = next(side for side in (0, 1) if table.view(side)["decisions"])
    table.answer(side, table.view(side)["decisions"][0]["offers"][0]["action"])
    return table


def listed(database: str) -> dict[str, admin.StoredGame]:
    with admin.reading(database) as connection:
        return {one.game: one for one in admin.games_in(connection)}


def send_command(client: TestClient, act: str, *games: str, secret: str = SECRET) -> int:
    body = {"act": act, "games": list(games)}
    return int(client.post("/api/admin", json=body, headers={"Authorization": f"Bearer {secret}"}).status_code)


def test_games_are_listed_beside_a_running_server(client: TestClient, database: str) -> None:
    table = make_game(client)
    (game,) = listed(database).values()
    assert (game.game, game.ruleset, game.scenario, game.closed) == (table.id, "duel", "bridge", False)
    assert game.begun <= game.last
    assert game.events >= 2


def test_a_running_server_closes_opens_and_deletes_games(database: str) -> None:
    with served(database, limits=UNHURRIED, admin=SECRET) as client:
        one, other = make_game(client), make_game(client)
        acts = one.view(0)["act"]
        assert send_command(client, "close", one.id) == 200
        assert client.get(f"/api/games/{one.id}").status_code == 404
        assert listed(database)[one.id].closed
        assert send_command(client, "close", one.id) == 404, "it is closed already"
        assert send_command(client, "reopen", one.id) == 200
        assert one.view(0)["act"] == acts
        assert send_command(client, "delete", one.id) == 200
        assert client.get(f"/api/games/{one.id}").status_code == 404
        assert set(listed(database)) == {other.id}
        assert other.view(0)["act"] == acts, "another game goes on"


def test_only_who_knows_the_secret_does(database: str) -> None:
    with served(database, limits=UNHURRIED, admin=SECRET) as client:
        table = make_game(client)
        assert send_command(client, "delete", table.id, secret="") in (401, 403)
        assert send_command(client, "delete", table.id, secret=table.tokens[0]) in (401, 403)
        assert send_command(client, "burn", table.id) == 400
        assert table.id in listed(database)


def test_nobody_does_where_there_is_no_secret(client: TestClient, database: str) -> None:
    table = make_game(client)
    assert send_command(client, "delete", table.id, secret="") in (404, 405)
    assert table.id in listed(database)


def test_the_secret_lies_in_a_file_of_the_user_alone(database: str) -> None:
    file = administering.secret_file(database)
    with administering.reachable(database, "http://127.0.0.1:1", SECRET):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert json.loads(file.read_text())["secret"] == SECRET
        assert not administering.asked(database, "close", ["x"]), "no web server answers there"
    assert not file.exists()


def test_without_a_server_the_command_does_it_itself(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    with served(database, limits=UNHURRIED) as client:
        table = make_game(client)
    assert main(["admin", "close", table.id, "--database", database]) == 0
    assert main(["admin", "list", "--database", database, "--json"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "1 game closed"
    assert json.loads(out[1])["games"][0]["closed"] is True
    assert main(["admin", "delete", table.id, "--database", database]) == 1
    assert "add --yes" in capsys.readouterr().err
    assert main(["admin", "delete", table.id, "--database", database, "--yes"]) == 0
    assert listed(database) == {}
    assert main(["admin", "close", table.id, "--database", database]) == 1
    assert f"there is no game '{table.id}'" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["close"], ["export"], ["backup"], ["list", "more"], ["burn", "x"]])
def test_a_command_that_makes_no_sense_is_refused(words: list[str], database: str) -> None:
    assert main(["admin", *words, "--database", database]) == 2


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "list", "--database", f"sqlite:///{tmp_path}/none.sqlite"]) == 1
    assert "there is no such database" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_is_exported_has_every_event_and_no_secret(client: TestClient, database: str) -> None:
    table = make_game(client)
    with admin.reading(database) as connection:
        exported = admin.exported(connection, table.id)
    assert [event["seq"] for event in exported["events"]] == list(range(1, len(exported["events"]) + 1))
    assert exported["events"][0]["kind"] == "created"
    assert "key" not in exported["events"][0]
    assert not any(token in json.dumps(exported) for token in table.tokens)
    with admin.reading(database) as connection, pytest.raises(InputError, match="there is no game 'none'"):
        admin.exported(connection, "none")


def test_games_at_rest_are_pruned_after_their_days(client: TestClient, database: str) -> None:
    table = make_game(client)
    now = datetime.now(UTC)
    with admin.reading(database) as connection:
        assert admin.idle(connection, 30, now + timedelta(days=29)) == []
        assert admin.idle(connection, 30, now + timedelta(days=31)) == [table.id]


# --- backups ---------------------------------------------------------------------------------------------------------


def rows_of(database: str) -> dict[str, list[StoredRow]]:
    with closing(Storage(database)) as storage:
        return {game: storage.events(game) for game in listed(database)}


@pytest.fixture
def backup(database: str, tmp_path: Path) -> Path:
    """Return a backup that was made while a server wrote to the database, and the games of the database."""
    file = tmp_path / "games.backup"
    with served(database, limits=UNHURRIED) as client:
        make_game(client)
        admin.back_up(database, file)
        make_game(client)
    return file


def test_a_backup_is_restored_as_it_was(database: str, backup: Path, tmp_path: Path) -> None:
    other = f"sqlite:///{tmp_path}/other.sqlite"
    rows = admin.restore(other, backup)
    (game,) = listed(other)
    assert rows == len(rows_of(other)[game])
    assert rows_of(other)[game] == rows_of(database)[game]
    with served(other, limits=UNHURRIED) as client:
        assert client.get(f"/api/games/{game}").json()["act"] >= 1
    with pytest.raises(InputError, match="holds games already"):
        admin.restore(other, backup)


def test_a_backup_goes_to_postgresql_and_back(backup: Path, tmp_path: Path, postgresql: PostgreSQL) -> None:
    url = postgresql.database()
    rows = admin.restore(url, backup)
    with closing(Storage(url)) as storage:
        storage.append("after", [StoredRow(1, "note", b"{}")])
    again = tmp_path / "again.backup"
    assert admin.back_up(url, again) == rows + 1
    assert admin.restore(f"sqlite:///{tmp_path}/third.sqlite", again) == rows + 1


def test_a_backup_that_is_not_whole_changes_nothing(backup: Path, tmp_path: Path) -> None:
    lines = gzip.decompress(backup.read_bytes()).splitlines(keepends=True)
    other = f"sqlite:///{tmp_path}/other.sqlite"
    changed = [line.replace(b"duel", b"fuel") for line in lines]
    newer = [lines[0].replace(b'"revision": "', b'"revision": "9'), *lines[1:]]
    for data, words in (
        (gzip.compress(b"".join(lines[:-1])), "cut short|not a backup"),
        (gzip.compress(b"".join(changed)), "damaged"),
        (backup.read_bytes()[:-20], "cut short"),
        (b"nothing of the kind", "not a backup|Not a gzipped"),
        (gzip.compress(b"[]\n[]\n"), "not a backup"),
        (gzip.compress(b"".join(newer)), "damaged|newer"),
    ):
        file = tmp_path / "bad.backup"
        file.write_bytes(data)
        with pytest.raises(InputError, match=words):
            admin.restore(other, file)
    assert not (tmp_path / "other.sqlite").exists() or listed(other) == {}


def test_a_backup_that_fails_leaves_no_half_of_a_file(client: TestClient, database: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        admin.back_up(database, tmp_path / "nowhere" / "games.backup")
    assert not list(tmp_path.glob("*.part"))


def test_a_backup_takes_the_place_of_backups_alone(client: TestClient, database: str, tmp_path: Path) -> None:
    file = Path(database.removeprefix("sqlite:///"))
    note = tmp_path / "note.txt"
    note.write_text("mine")
    for place, words in ((tmp_path, "folder"), (file, "the database itself"), (note, "is not a backup")):
        with pytest.raises(InputError, match=words):
            admin.back_up(database, place)
    assert file.read_bytes().startswith(b"SQLite")
    assert note.read_text() == "mine"
    backup = tmp_path / "games.backup"
    assert admin.back_up(database, backup) == admin.back_up(database, backup)
