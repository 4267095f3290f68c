"""Games outlive the server: restarts, migrations, failures of the disk."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import IntegrityError

from caltrop import InputError
from caltrop.host import database as databases
from caltrop.host import storage
from caltrop.host.database import HEAD, StorageFault, bring_up_to_date, url_of
from caltrop.host.storage import Paper, Stale, Storage, StoredRow
from caltrop.server.guard import ServerLimits
from tests.server.postgresql import PostgreSQL
from tests.server.tables import Table, served
from tests.tiers import everything, rotation

MIGRATIONS = Path(databases.__file__).parent / "migrations"

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


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.sqlite'}"
    made: PostgreSQL = request.getfixturevalue("postgresql")
    return made.database()


def run_sql(database: str, words: str, **values: Any) -> list[Any]:
    """Run an SQL statement on a database; return its rows."""
    engine = databases.engine_of(databases.url_of(database))
    try:
        with engine.begin() as connection:
            result = connection.execute(text(words), values)
            return list(result) if result.returns_rows else []
    finally:
        engine.dispose()


def make_game(database: str) -> tuple[Table, str, dict[str, object]]:
    """Make a game with dice, an undo and a takeback; return it with its digest and its view."""
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
    table, before, _ = make_game(database)
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
    # The computer thinks in another process, so the test asks for the view until it has answered, without a limit of
    # requests.
    with served(database, limits=ServerLimits(requests=1e6, burst=10**6)) as client:
        table = Table(client, ("person", "crash"))
        table.answer(0, {"type": "Stake", "points": 3})
        while not (view := table.view(0))["decisions"]:
            pass
    with served(database) as client:
        table.client = client
        assert table.view(0) == view


def test_the_dice_after_a_restart_are_fresh(database: str) -> None:
    """Two servers that start from copies of one database throw different dice."""
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

        def full(*args: object, **options: object) -> None:
            raise sqlite3.OperationalError("the disk is full")

        monkeypatch.setattr(Storage, "append", full)
        answer = table.answer(0, {"type": "Stake", "points": 3})
        assert (answer["type"], answer["code"]) == ("refusal", "broken")
        monkeypatch.undo()
        view = table.view(0)
        assert view["act"] == 0
        assert table.digest == before
        assert table.answer(0, {"type": "Stake", "points": 3})["type"] == "done"


def migrations(folder: Path) -> Path:
    """Copy the migrations to a folder, and add one of a later version."""
    (folder / "versions").mkdir(parents=True)
    for path in (MIGRATIONS / "env.py", *(MIGRATIONS / "versions").glob("*.py")):
        (folder / path.relative_to(MIGRATIONS)).write_text(path.read_text())
    (folder / "versions/9999_next.py").write_text(NEXT.format(head=HEAD))
    return folder


def test_yesterdays_database_is_copied_and_migrated(database: str, tmp_path: Path) -> None:
    table, before, _ = make_game(database)
    old = run_sql(database, "SELECT game, seq, body FROM events ORDER BY id")
    folder = migrations(tmp_path / "migrations")
    for _ in range(2):
        databases.bring_up_to_date(databases.url_of(database), folder=folder, head="9999")
    if database.startswith("sqlite"):
        copies = [path.name for path in tmp_path.glob("*was-left*")]
        assert copies == [f"games.sqlite.before-{HEAD}-was-left"]
        assert run_sql(str(tmp_path / copies[0]), "SELECT game, seq, body FROM events ORDER BY id") == old
    assert run_sql(database, "SELECT weather FROM events")[0] == (None,)
    assert run_sql(database, "SELECT game, seq, body FROM events ORDER BY id") == old
    run_sql(database, "UPDATE alembic_version SET version_num = :head", head=HEAD)
    with served(database) as client:
        table.client = client
        table.view(0)
        assert table.digest == before


TABLES = (
    "alembic_version", "events", "events_by_key", "leases", "leases_of_one", "papers", "papers_of_one", "standings",
    "workers",
)  # fmt: skip
"""The tables and indexes of a database."""


def kills_at_each_statement(start: str, folder: Path) -> list[dict[str, Any]]:
    """Kill a start of the server at each database statement, and return what each kill left.

    The quick tier kills it at every third statement.
    """
    first, step = (1, 1) if everything() else (1 + rotation() % 3, 3)
    command = [sys.executable, "-m", "tests.server.killed", start, str(folder), str(first), str(step)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    result: list[dict[str, Any]] = json.loads(done.stdout)
    return result


@pytest.mark.slow
def test_a_first_start_that_is_killed_at_any_statement_costs_nothing() -> None:
    result = kills_at_each_statement("", MIGRATIONS)
    whole = [*TABLES]
    assert len(result) > (15 if everything() else 5)
    assert {tuple(one["left"]) for one in result} == {(), tuple(whole)}
    for one in result:
        assert (one["again"], one["tables"], one["copies"]) == (0, whole, [])
        assert one["games"] == ["new"]


@pytest.mark.slow
def test_an_upgrade_that_is_killed_at_any_statement_costs_nothing(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path / "old.sqlite"))
    storage.append("old", [StoredRow(1, "created", b"{}"), StoredRow(2, "note", b"{}")])
    storage.close()
    result = kills_at_each_statement(str(tmp_path / "old.sqlite"), migrations(tmp_path / "migrations"))
    assert len(result) > (20 if everything() else 7)
    for one in result:
        assert one["left"] == one["tables"] == [*TABLES]
        assert one["kept"][:2] == ["old", "old"]
        assert one["again"] == 0
        assert one["games"] == ["old", "old", "new"]
        assert f"games.sqlite.before-{HEAD}-was-left" in one["copies"]


HALF_MADE = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, PRIMARY KEY (version_num))",
    (
        "CREATE TABLE events (id INTEGER NOT NULL PRIMARY KEY, game VARCHAR(32) NOT NULL, seq INTEGER NOT NULL, "
        "at VARCHAR(32) NOT NULL, kind VARCHAR(16) NOT NULL, key VARCHAR(64), body TEXT NOT NULL, "
        "CONSTRAINT one_event_a_number UNIQUE (game, seq))"
    ),
    "CREATE INDEX events_by_key ON events (key)",
    "INSERT INTO alembic_version VALUES ('0001')",
)
"""First starts of older programs that were interrupted."""


@pytest.mark.parametrize("done", [(0,), (0, 1), (0, 1, 2), (0, 3), (0, 1, 3), (1,), (1, 2)])
def test_what_a_killed_start_of_an_older_program_left_is_mended(tmp_path: Path, done: tuple[int, ...]) -> None:
    with sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None) as file:
        for one in done:
            file.execute(HALF_MADE[one])
    file.close()
    storage = Storage(str(tmp_path / "games.sqlite"))
    with storage.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), databases.METADATA) == []
        assert databases.revision(connection) == HEAD
    storage.append("g", [StoredRow(1, "created", b"{}")])
    assert len(storage.events("g")) == 1
    storage.close()


def test_the_table_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "x.sqlite") as file:
        file.execute("CREATE TABLE events (what TEXT)")
    file.close()
    with pytest.raises(InputError, match="did not make"):
        Storage(str(tmp_path / "x.sqlite"))


def test_the_head_is_the_newest_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_the_migrations_make_the_table_that_is_used(database: str) -> None:
    storage = Storage(database)
    with storage.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), databases.METADATA) == []
    storage.close()


def test_a_database_of_a_newer_caltrop_is_left_alone(database: str) -> None:
    Storage(database).close()
    run_sql(database, "UPDATE alembic_version SET version_num = '12345'")
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
    storage = Storage(database)
    storage.append("g", [StoredRow(1, "created", b"{}"), StoredRow(2, "seat", b"{}", "k")])
    with pytest.raises(IntegrityError, match=r"(?i)unique"):
        storage.append("g", [StoredRow(3, "act", b"{}"), StoredRow(2, "act", b"{}")])
    assert [row.seq for row in storage.events("g")] == [1, 2]
    assert storage.games_of(["k", "other"]) == ["g"]
    assert storage.games_of([]) == []
    storage.close()


def test_a_game_that_plays_differently_by_the_rules_of_today_says_so(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    table, _, _ = make_game(database)
    row, body = run_sql(database, "SELECT id, body FROM events WHERE kind = 'act' AND body LIKE '%roll%' ORDER BY id")[
        0
    ]
    changed = json.loads(body)
    roll = next(entry for entry in changed["entries"] if entry["type"] == "roll")
    roll["faces"] = [7 - face for face in roll["faces"]]
    run_sql(database, "UPDATE events SET body = :body WHERE id = :id", body=json.dumps(changed), id=row)
    with served(database) as client:
        answer = client.get(f"/api/games/{table.id}", headers=table.bearer(0))
        assert answer.status_code == 200
        assert "version 1 of the rules" in answer.json()["as_recorded"]
        assert [g["fault"] for g in client.get("/api/games", headers=table.bearer(0)).json()["games"]] == [
            "other-rules"
        ]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("UPDATE events SET body = substr(body, 1, 40) WHERE game = :id AND kind = 'act'", "cannot be read"),
        ("UPDATE events SET body = '{}' WHERE game = :id AND kind = 'created'", "event 1 cannot be read"),
        ("UPDATE events SET kind = 'nonsense' WHERE game = :id AND seq = 3", "event 3 cannot be read"),
        ("DELETE FROM events WHERE game = :id AND seq = 1", "event 1 is missing"),
        ("UPDATE events SET body = CAST(X'FF' || body AS TEXT) WHERE game = :id AND seq = 4", "event 4 cannot be read"),
        ("UPDATE events SET body = CAST(X'FF7B7D' AS BLOB) WHERE game = :id AND seq = 4", "event 4 cannot be read"),
    ],
)
def test_a_damaged_game_is_said_to_be_and_hides_no_other(tmp_path: Path, words: str, reason: str) -> None:
    database = f"sqlite:///{tmp_path / 'games.sqlite'}"
    table, _, _ = make_game(database)
    with served(database) as client:
        other = Table(client)
    run_sql(database, words, id=table.id)
    both = {"Authorization": f"Bearer {table.tokens[0]},{other.tokens[0]}"}
    with served(database) as client:
        listed = {game["game"]: game for game in client.get("/api/games", headers=both).json()["games"]}
        assert {id: game["fault"] for id, game in listed.items()} == {table.id: "damaged", other.id: None}
        assert listed[table.id]["sides"] == [0]
        answer = client.get(f"/api/games/{table.id}", headers=table.bearer(0))
        assert (answer.status_code, answer.json()["code"]) == (409, "damaged")
        assert reason in answer.json()["message"]
        assert client.get(f"/api/games/{other.id}", headers=other.bearer(0)).status_code == 200


def test_the_data_folder_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CALTROP_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert databases.data_folder() == tmp_path / "caltrop"
    monkeypatch.setenv("CALTROP_DATA", str(tmp_path / "own"))
    assert databases.default_url() == f"sqlite:///{tmp_path / 'own/caltrop.sqlite'}"


def test_a_restart_of_postgresql_costs_no_act(postgresql: PostgreSQL) -> None:
    with served(postgresql.database()) as client:
        table = Table(client)
        postgresql.stop()
        restarted = threading.Timer(1.0, postgresql.start)
        restarted.start()
        # The act is answered once the database is back, as if there had been no interruption.
        assert table.answer(0, {"type": "Stake", "points": 2})["type"] == "done"
        restarted.join()
        postgresql.stop()
        postgresql.start()
        assert table.answer(1, {"type": "Stake", "points": 1})["type"] == "done"
        digest = table.digest
        table.forget()
        table.view(0)
        assert table.digest == digest


def test_an_act_whose_answer_was_lost_is_stored_once(postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch) -> None:
    storage = Storage(postgresql.database())
    lost = [True]

    @event.listens_for(storage.engine, "commit")
    def lose(connection: Connection) -> None:
        if lost:
            lost.clear()
            connection.connection.commit()
            connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")

    storage.append("g", [StoredRow(1, "created", b"{}"), StoredRow(2, "note", b"{}")])
    assert not lost
    assert [row.seq for row in storage.events("g")] == [1, 2]
    storage.close()


def test_postgresql_that_stays_away_is_named(postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "PATIENCE", 0.5)
    monkeypatch.setattr(storage, "REST", 0.0)
    with served(postgresql.database()) as client:
        table = Table(client)
        view = table.view(0)
        message = {"decision": view["decisions"][0]["id"], "action": {"type": "Stake", "points": 2}}
        postgresql.stop()
        try:
            answer = table.say(0, message)
            assert (answer["code"], answer["values"]) == ("not-stored", {"why": "no-answer"})
        finally:
            postgresql.start()
        assert table.view(0) == view
        assert table.say(0, message)["type"] == "done"


def test_a_postgresql_database_has_one_program_at_a_time(postgresql: PostgreSQL) -> None:
    address = postgresql.database()
    storage = Storage(address)
    with pytest.raises(InputError, match="in use by another Caltrop; end that one first"):
        Storage(address)
    Storage(postgresql.database()).close()
    storage.close()
    Storage(address).close()


def test_what_postgresql_refuses_is_named(postgresql: PostgreSQL) -> None:
    storage = Storage(postgresql.database())
    for words, why in (
        ("SET default_transaction_read_only = on", "read-only"),
        ("ALTER TABLE events RENAME TO others", "gone"),
    ):
        with storage.engine.begin() as connection:
            connection.exec_driver_sql("SET TRANSACTION READ WRITE")
            connection.exec_driver_sql(words)
        with pytest.raises(StorageFault) as fault:
            storage.append("g", [StoredRow(1, "created", b"{}")])
        assert fault.value.why == why
        with storage.engine.begin() as connection:
            connection.exec_driver_sql("SET default_transaction_read_only = off")
    storage.close()


def test_the_driver_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InputError, match=r"pip install 'caltrop\[postgresql\]'"):
        Storage("postgresql://x@127.0.0.1/x")


def test_a_game_without_its_rulebook_is_listed_and_says_what_it_needs(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.sqlite'}"
    table, _, _ = make_game(database)
    run_sql(database, 'UPDATE events SET body = replace(body, \'"ruleset":"duel"\', \'"ruleset":"elsewhere"\')')
    with served(database) as client:
        (listed,) = client.get("/api/games", headers=table.bearer(0)).json()["games"]
        assert (listed["title"], listed["fault"], listed["sides"]) == ("elsewhere", "no-rules", [0])
        for path in ("", "/record", "/report", "/moments"):
            answer = client.get(f"/api/games/{table.id}{path}", headers=table.bearer(0))
            assert (answer.status_code, answer.json()["code"]) == (409, "no-rules")
            assert "needs the rulebook elsewhere" in answer.json()["message"]


def test_a_database_of_an_older_caltrop_gets_its_table_of_papers(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    bring_up_to_date(url_of(str(path)), head="0002")
    old = sqlite3.connect(path)
    old.execute("INSERT INTO events (game, seq, at, kind, body) VALUES ('old', 1, '', 'created', '{}')")
    old.commit()
    old.close()
    storage = Storage(str(path))
    storage.keep_papers([Paper("person", "anna", b'{"name":"Anna"}', "anna")])
    assert [one.body for one in storage.papers("person")] == [b'{"name":"Anna"}']
    assert len(storage.events("old")) == 1
    storage.close()
    assert [*tmp_path.glob("*before-0002-was-left")]


def test_papers_are_written_all_or_none_and_never_over_what_was_not_read(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path / "games.sqlite"))
    storage.keep_papers([Paper("person", "anna", b"1", "anna"), Paper("browser", "key", b"1", "anna")])
    read = storage.paper("person", "anna")
    assert read is not None
    assert read.seq == 1
    storage.keep_papers([Paper("person", "anna", b"2", "anna", read.seq)])
    for seq in (0, 1, 3):
        with pytest.raises(Stale):
            storage.keep_papers([Paper("other", "new", b"x"), Paper("person", "anna", b"3", "anna", seq)])
    assert storage.paper("other", "new") is None
    assert [(one.kind, one.body) for one in storage.papers(whose="anna")] == [("browser", b"1"), ("person", b"2")]
    storage.keep_papers([Paper("person", "anna", None), Paper("person", "nobody", None)])
    assert storage.papers("person") == []
    storage.close()
