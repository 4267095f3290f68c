"""A database in use, deleted, full or read-only is named in the refusal, and no act is acknowledged without being
stored.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from caltrop import InputError
from caltrop.host import computers, storage
from caltrop.host.storage import Storage, StoredRow
from tests.server.tables import Table, Talk, served
from tests.server.test_process import fetch, running

_NOBODY = 65534


def storage_of(table: Table) -> Storage:
    """Return the storage that the server of a table has open."""
    storage: Storage = table.client.app.app.state.games.storage  # type: ignore[attr-defined]
    return storage


def set_pragmas(table: Table, *pragmas: str) -> None:
    """Send pragmas to every connection that the server has to its database."""
    engine: Any = storage_of(table).engine
    with ExitStack() as stack:
        for connection in [stack.enter_context(engine.connect()) for _ in range(engine.pool.size())]:
            for pragma in pragmas:
                connection.exec_driver_sql(f"PRAGMA {pragma}").close()


def stake(table: Table, why: str | None) -> None:
    """Let the first side stake. If *why* is given, assert that the act is refused for that reason and changes
    nothing.
    """
    before = table.view(0)
    answer = table.answer(0, {"type": "Stake", "points": 2})
    if why is None:
        assert answer["type"] == "done"
        return
    assert (answer["type"], answer["code"], answer["values"]) == ("refusal", "not-stored", {"why": why})
    assert "Nothing has changed" in answer["message"]
    assert table.view(0) == before


def test_a_database_has_one_program_at_a_time(tmp_path: Path) -> None:
    first = Storage(str(tmp_path / "games.sqlite"))
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "games.sqlite")
    names = ["games.sqlite", "link.sqlite"]
    if sys.platform == "linux":
        (tmp_path / "hard.sqlite").hardlink_to(tmp_path / "games.sqlite")
        names.append("hard.sqlite")
    for name in names:
        with pytest.raises(InputError, match="in use by another Caltrop; end that one first"):
            Storage(str(tmp_path / name))
    first.append("g", [StoredRow(1, "created", b"{}")])
    first.close()
    Storage(str(tmp_path / "games.sqlite")).close()


def test_a_second_server_is_refused_and_a_killed_one_leaves_no_lock(tmp_path: Path) -> None:
    with running(tmp_path) as (process, address):
        command = [sys.executable, "-m", "caltrop", "serve", "--port", "0"]
        environment = {**os.environ, "CALTROP_DATA": str(tmp_path)}
        second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
        assert second.returncode == 1
        assert "in use by another Caltrop" in second.stderr
        assert "Traceback" not in second.stderr
        assert fetch(address, "/api/ping")["caltrop"]
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert list(tmp_path.glob("*.lock"))
        with running(tmp_path) as (_, again):
            assert fetch(again, "/api/ping")["caltrop"]


@pytest.mark.parametrize("name", ["games.sqlite", "games.sqlite-wal"])
def test_a_database_that_is_deleted_under_a_server_is_named(database: str, tmp_path: Path, name: str) -> None:
    with served(database) as client:
        table = Table(client)
        (tmp_path / name).rename(tmp_path / "moved")
        stake(table, "gone")
        stake(table, "gone")
        assert client.post("/api/games", json={"ruleset": "duel"}).json()["code"] == "not-stored"
        assert not (tmp_path / name).exists()
        (tmp_path / "moved").rename(tmp_path / name)
        stake(table, None)
        digest = table.digest
    with served(database) as client:
        table.client = client
        table.view(0)
        assert table.digest == digest


def test_a_database_that_another_file_has_taken_the_place_of_is_named(database: str, tmp_path: Path) -> None:
    with served(database) as client:
        table = Table(client)
        shutil.copy(tmp_path / "games.sqlite", tmp_path / "copy")
        (tmp_path / "copy").replace(tmp_path / "games.sqlite")
        stake(table, "gone")


def ask_or_refuse(table: Table, side: int) -> dict[str, Any]:
    """Let side 0 ask to take an act back, or side 1 refuse that."""
    return table.say(side, {"type": "takeback"} if side == 0 else {"type": "takeback", "answer": False})


def test_a_full_database_is_named_and_goes_on_when_there_is_room(database: str) -> None:
    with served(database) as client:
        table = Table(client)
        with storage_of(table).engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        table.begin()
        set_pragmas(table, f"max_page_count={pages + 1}")
        told_full = 0
        for _ in range(60):
            made = client.post("/api/games", json={"ruleset": "duel", "seats": ["person", "person"]})
            told_full = told_full or (made.status_code == 503 and made.json()["values"]["why"] == "full")
            if told_full:
                break
        assert told_full
        # Ask and refuse in turn until the database has no room. The side that was not stored repeats its message later.
        side = 0
        while (words := ask_or_refuse(table, side))["type"] == "done":
            side = 1 - side
        assert words["values"] == {"why": "full"}
        set_pragmas(table, "max_page_count=100000")
        assert ask_or_refuse(table, side)["type"] == "done"
        digest, seq = table.digest, table.view(0)["seq"]
    with served(database) as client:
        table.client = client
        assert (table.view(0)["seq"], table.digest) == (seq, digest)


def test_a_database_that_may_only_be_read_is_named(database: str) -> None:
    with served(database) as client:
        table = Table(client)
        set_pragmas(table, "query_only=1")
        stake(table, "read-only")
        set_pragmas(table, "query_only=0")
        stake(table, None)


def test_a_file_that_may_only_be_read_is_named_at_the_start(tmp_path: Path) -> None:
    Storage(str(tmp_path / "games.sqlite")).close()
    (tmp_path / "games.sqlite").chmod(0o444)
    root = os.geteuid() == 0
    if root:
        # Root may write everywhere, so the test runs as another user.
        for path in (tmp_path, *tmp_path.iterdir()):
            os.chown(path, _NOBODY, _NOBODY)
        for path in tmp_path.parents:
            if path.name.startswith(("pytest-", "popen-")):
                path.chmod(0o711)
        os.seteuid(_NOBODY)
    try:
        with pytest.raises(InputError, match="may be read, and not written"):
            Storage(str(tmp_path / "games.sqlite"))
    finally:
        if root:
            os.seteuid(0)


def test_the_reason_is_told_on_a_live_connection_before_it_closes(database: str, tmp_path: Path) -> None:
    with served(database) as client:
        table = Table(client)
        with table.live() as session:
            talk = Talk(session, tokens=[table.tokens[0]], eyes=0)
            decision = talk.hear("view")["decisions"][0]
            (tmp_path / "games.sqlite").rename(tmp_path / "moved")
            talk.tell({"decision": decision["id"], "action": {"type": "Stake", "points": 2}, "ref": 7})
            events = talk.hear("refusal")
            assert (events["code"], events["ref"]) == ("not-stored", 7)
            assert session.receive()["code"] == 1013


def test_a_computer_player_rests_while_nothing_can_be_stored_and_goes_on_then(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computers, "BACK_OFF_SECONDS", 0.5)
    tries: list[float] = []
    append = Storage.append

    def counted(self: Storage, game: str, rows: Any, **options: bool) -> None:
        if rows[0].kind == "act":
            if not tries:
                (tmp_path / "games.sqlite").rename(tmp_path / "moved")
            tries.append(time.monotonic())
        append(self, game, rows, **options)

    monkeypatch.setattr(Storage, "append", counted)
    with served(database) as client:
        table = Table(client, ("person", "first"))

        def awaited() -> list[int] | None:
            """Return the sides that must act; None if the game is just being loaded from the database."""
            words = client.get(f"/api/games/{table.id}", headers=table.bearer(0)).json()
            result: list[int] | None = words.get("waiting_for")
            assert result is not None or words["code"] == "come-back"
            return result

        begun = time.monotonic()
        while len(tries) < 3 and time.monotonic() < begun + 60:
            awaited()
            time.sleep(0.05)
        assert len(tries) >= 3
        assert all(later - earlier >= 0.5 for earlier, later in pairwise(tries))
        (tmp_path / "moved").rename(tmp_path / "games.sqlite")
        begun = time.monotonic()
        while awaited() != [0] and time.monotonic() < begun + 30:
            time.sleep(0.05)
        assert awaited() == [0]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Yield a small disk with room for one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can be had by root alone, where mount is allowed")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_under_a_real_server_costs_nothing_that_was_acknowledged(small_disk: Path) -> None:
    with running(small_disk) as (process, address):
        made = fetch(address, "/api/games", {"ruleset": "duel", "seats": ["person", "person"]})
        token = made["seats"][0]["token"]
        decision = fetch(address, f"/api/games/{made['game']}", token=token)["decisions"][0]["id"]
        stake = {"decision": decision, "action": {"type": "Stake", "points": 2}}
        assert fetch(address, f"/api/games/{made['game']}/messages", stake, token)["type"] == "done"
        with (small_disk / "ballast").open("wb", buffering=0) as ballast:
            for size in (65536, 4096, 512, 1):
                try:
                    while ballast.write(b"x" * size):
                        pass
                except OSError:
                    continue
        seq = 0
        words: Any = {"type": "done"}
        while words["type"] == "done":
            seq = words.get("seq", seq)
            words = ask_and_refuse_in_turn(address, made, token)
        assert words["values"] == {"why": "full"}
        (small_disk / "ballast").unlink()
        seq = ask_and_refuse_in_turn(address, made, token)["seq"]
        process.send_signal(signal.SIGKILL)
        process.wait()
    with running(small_disk) as (_, address):
        assert fetch(address, f"/api/games/{made['game']}", token=token)["seq"] == seq


def ask_and_refuse_in_turn(address: str, made: Any, token: str) -> Any:
    """Ask to take an act back, or refuse that if it was asked; return the answer."""
    path = f"/api/games/{made['game']}"
    other = made["seats"][1]["token"]
    asks = fetch(address, path, token=token)["undo"]["asked"]
    message = {"type": "takeback"} if asks is None else {"type": "takeback", "answer": False}
    try:
        return fetch(address, f"{path}/messages", message, token if asks is None else other)
    except urllib.error.HTTPError as error:
        return json.load(error)


def test_what_stands_in_a_database_can_be_read_by_others_meanwhile(database: str, tmp_path: Path) -> None:
    storage = Storage(database)
    storage.append("g", [StoredRow(1, "created", b"{}")])
    with sqlite3.connect(f"file:{tmp_path / 'games.sqlite'}?mode=ro", uri=True) as file:
        assert file.execute("SELECT count(*) FROM events").fetchone() == (1,)
    file.close()
    storage.close()


def test_a_locked_database_is_waited_for_once_and_read_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "WAIT", 0.05)
    monkeypatch.setattr(storage, "WAIT_AGAIN", 0.0)
    hands = [100.0]
    monkeypatch.setattr(storage, "time", SimpleNamespace(monotonic=lambda: hands[0], sleep=lambda _: None))
    path = tmp_path / "games.sqlite"
    with served(str(path)) as client:
        table = Table(client)

        def ping() -> httpx.Response:
            answer: httpx.Response = client.get("/api/ping")
            return answer

        assert ping().status_code == 200
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            stake(table, "in-use")
            assert (ping().status_code, ping().json()["not_stored"]) == (503, "in-use")
            with monkeypatch.context() as patched:  # the next attempt waits for a moment
                patched.setattr(storage_of(table), "engine", None)
                refusal = table.answer(0, {"type": "Stake", "points": 2})
            assert refusal["values"] == {"why": "in-use"}
            games = client.get("/api/games", headers=table.bearer(0)).json()["games"]
            assert [game["game"] for game in games] == [table.id]
            hands[0] += storage.REST
            stake(table, "in-use")  # tried again
        assert ping().status_code == 503
        hands[0] += storage.REST
        assert ping().status_code == 200
        stake(table, None)
