"""Games outlive the server: restarts, migrations, failures of the disk."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from caltrop import InputError
from caltrop.server import storage
from caltrop.server.storage import HEAD, Row, Storage
from tests.server.tables import Table, served

MIGRATIONS = Path(storage.__file__).parent / "migrations"

NEXT = '''
"""Tomorrow's migration."""
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head}"
branch_labels = depends_on = None


def upgrade():
    with op.batch_alter_table("events") as batch:
        batch.add_column(sa.Column("weather", sa.String(8), nullable=True))
'''


def a_game_under_way(database: str) -> tuple[Table, str, dict[str, object]]:
    """A game with dice, an undo and a takeback in it, and how it looks."""
    with served(database) as client:
        table = Table(client)
        table.answer(0, {"type": "Stake", "points": 2})
        table.say(0, {"type": "undo"})
        table.answer(0, {"type": "Stake", "points": 1})
        table.answer(1, {"type": "Stake", "points": 1})
        for _ in range(14):
            view = table.view(0)
            if view["over"]:
                break
            side = view["waiting_for"][0]
            decision = table.view(side)["decisions"][0]
            table.say(side, {"decision": decision["id"], "action": decision["offers"][0]["action"]})
        table.say(0, {"type": "takeback"})
        table.say(1, {"type": "takeback", "answer": True})
        view = table.view(0)
        table.say(1, {"type": "takeback"})
        return table, table.digest, view


def test_a_game_goes_on_after_a_restart_as_if_nothing_had_been(database: str) -> None:
    table, before, _ = a_game_under_way(database)
    with served(database) as client:
        table.client = client
        view = table.view(0)
        assert table.digest == before
        assert view["undo"]["asked"] == 1
        assert table.say(0, {"type": "takeback", "answer": False})["type"] == "done"
        side = table.view(0)["waiting_for"][0]
        offer = table.view(side)["decisions"][0]["offers"][0]
        assert table.answer(side, offer["action"])["type"] == "done"
        assert table.say(0, {"type": "resign"})["type"] == "done"
    with served(database) as client:
        table.client = client
        assert table.view(1)["over"]["winner"] == 1


def test_the_view_after_a_restart_is_the_same_to_the_letter(database: str) -> None:
    with served(database) as client:
        table = Table(client, ("person", "crash"))
        table.answer(0, {"type": "Stake", "points": 3})
        while not (view := table.view(0))["decisions"]:
            pass
    with served(database) as client:
        table.client = client
        assert table.view(0) == view


def test_the_dice_after_a_restart_are_fresh(database: str) -> None:
    """Two servers that begin again from one database do not throw alike."""
    with served(database) as client:
        table = Table(client)
        table.answer(0, {"type": "Stake", "points": 1})
    rolls = set()
    for _ in range(12):
        with served(database) as client:
            table.client = client
            table.answer(1, {"type": "Stake", "points": 1})
            log = table.view(0)["log"]
            rolls.add(next(line["dice"][0]["faces"][0] for line in reversed(log) if line["dice"]))
            table.say(1, {"type": "takeback"})
            table.say(0, {"type": "takeback", "answer": True})
    assert len(rolls) > 1


def test_nothing_is_acknowledged_that_is_not_on_the_disk(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(database) as client:
        table = Table(client)
        before = table.digest

        def full(*args: object) -> None:
            raise sqlite3.OperationalError("the disk is full")

        monkeypatch.setattr(Storage, "append", full)
        answer = table.answer(0, {"type": "Stake", "points": 3})
        assert (answer["type"], answer["code"]) == ("refusal", "broken")
        monkeypatch.undo()
        view = table.view(0)
        assert view["act"] == 0
        assert table.digest == before
        assert table.answer(0, {"type": "Stake", "points": 3})["type"] == "done"


def test_yesterdays_database_is_copied_and_migrated(database: str, tmp_path: Path) -> None:
    table, before, _ = a_game_under_way(database)
    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    for path in (MIGRATIONS / "env.py", *(MIGRATIONS / "versions").glob("*.py")):
        (folder / path.relative_to(MIGRATIONS)).write_text(path.read_text())
    (folder / "versions/9999_next.py").write_text(NEXT.format(head=HEAD))
    for _ in range(2):
        storage.bring_up_to_date(storage._url(database), folder=folder, head="9999")
    copies = [path.name for path in tmp_path.glob("*was-left*")]
    assert copies == [f"games.sqlite.before-{HEAD}-was-left"]
    with sqlite3.connect(tmp_path / copies[0]) as copy:
        old = copy.execute("SELECT game, seq, body FROM events ORDER BY id").fetchall()
    copy.close()
    with sqlite3.connect(tmp_path / "games.sqlite") as new:
        assert new.execute("SELECT weather FROM events").fetchone() == (None,)
        assert new.execute("SELECT game, seq, body FROM events ORDER BY id").fetchall() == old
        new.execute(f"UPDATE alembic_version SET version_num = '{HEAD}'")
    new.close()
    with served(database) as client:
        table.client = client
        table.view(0)
        assert table.digest == before


def test_the_head_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_the_migrations_make_the_table_that_is_used(database: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    kept = Storage(database)
    with kept.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), storage.METADATA) == []
    kept.close()


def test_a_database_of_a_newer_caltrop_is_left_alone(database: str, tmp_path: Path) -> None:
    Storage(database).close()
    with sqlite3.connect(tmp_path / "games.sqlite") as file:
        file.execute("UPDATE alembic_version SET version_num = '12345'")
    file.close()
    with pytest.raises(InputError, match="newer Caltrop"):
        Storage(database)


@pytest.mark.parametrize("url", ["nonsense://x", "sqlite:////no/such/folder/x.sqlite", "mysql://x:secret@127.0.0.1/x"])
def test_a_database_that_cannot_be_opened_is_named_without_its_password(url: str) -> None:
    with pytest.raises(InputError) as error:
        Storage(url)
    assert "database" in str(error.value)
    assert "secret" not in str(error.value)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite").write_text("this is no database, but a text that is long enough to be looked at" * 20)
    with pytest.raises(InputError, match="not a database"):
        Storage(str(tmp_path / "x.sqlite"))


def test_events_are_only_ever_added(database: str) -> None:
    kept = Storage(database)
    kept.append("g", [Row(1, "created", b"{}"), Row(2, "seat", b"{}", "k")])
    with pytest.raises(Exception, match="UNIQUE"):
        kept.append("g", [Row(3, "act", b"{}"), Row(2, "act", b"{}")])
    assert [row.seq for row in kept.events("g")] == [1, 2]
    assert kept.games_of(["k", "other"]) == ["g"]
    assert kept.games_of([]) == []
    kept.close()


def test_a_game_that_plays_differently_by_the_rules_of_today_says_so(
    database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table, _, _ = a_game_under_way(database)
    file = sqlite3.connect(tmp_path / "games.sqlite")
    row, body = file.execute("SELECT id, body FROM events WHERE kind = 'act' AND body LIKE '%roll%'").fetchone()
    changed = json.loads(body)
    roll = next(entry for entry in changed["entries"] if entry["type"] == "roll")
    roll["faces"] = [7 - face for face in roll["faces"]]
    file.execute("UPDATE events SET body = ? WHERE id = ?", (json.dumps(changed), row))
    file.commit()
    file.close()
    with served(database) as client:
        answer = client.get(f"/api/games/{table.id}", headers=table.bearer(0))
        assert (answer.status_code, answer.json()["code"]) == (409, "other-rules")
        assert len(client.get("/api/games", headers=table.bearer(0)).json()["games"]) == 1


def test_the_data_folder_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CALTROP_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert storage.data_folder() == tmp_path / "caltrop"
    monkeypatch.setenv("CALTROP_DATA", str(tmp_path / "own"))
    assert storage.default_url() == f"sqlite:///{tmp_path / 'own/caltrop.sqlite'}"
