"""Several workers of one server on PostgreSQL: each game is held by one worker, and players do not notice."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Connection
from websockets.sync.client import connect

from caltrop.errors import InputError
from caltrop.host import leases
from caltrop.host.database import StorageFault
from caltrop.host.leases import ServerWorker
from caltrop.host.storage import Storage, StoredRow
from caltrop.server.guard import HANDED_ON, RequestGuard, ServerLimits
from caltrop.server.passing import _whose
from tests.server.postgresql import PostgreSQL
from tests.server.several import Hand, Several, fetch, play_and_kill, several, storage_faults


@pytest.fixture(scope="module")
def server(postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    """Run a server of two workers."""
    figures = ("--metrics", "127.0.0.1")
    with several(tmp_path_factory.mktemp("workers"), postgresql.database(), 2, *figures) as running:
        yield running


@contextmanager
def live(address: str, game: str, token: str) -> Iterator[Any]:
    """Open a live connection to a worker."""
    with connect(f"ws{address.removeprefix('http')}/ws/{game}") as socket:
        socket.send(json.dumps({"type": "hello", "tokens": [token]}))
        yield socket


def next_of(socket: Any, kind: str) -> dict[str, Any]:
    """Return the next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(20))
        if message["type"] == kind:
            return message


def new_game(address: str) -> tuple[str, list[str]]:
    """Make a game on a worker; return its id and its secrets."""
    status, game = fetch(address, "/api/games", {"ruleset": "duel", "seats": ["person", "person"]})
    assert status == 201
    return game["game"], [seat["token"] for seat in game["seats"]]


def somebody(address: str, name: str) -> str:
    """Make a person, and return the key."""
    key = f"me-{secrets.token_hex(24)}"
    assert fetch(address, "/api/me", {"name": name, "browser": "a test"}, tokens=key)[0] == 200
    return key


def renew_lease(storage: Storage, worker: ServerWorker) -> None:
    """Renew the lease of a worker."""

    def put(connection: Connection, _: bool) -> None:
        leases.renew(connection, worker)

    storage.write(put)


# --- leases ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_worker_that_has_lost_a_game_adds_nothing_to_it(postgresql: PostgreSQL) -> None:
    url = postgresql.database()
    Storage(url).close()
    with closing(Storage(url, "one")) as one, closing(Storage(url, "two")) as two:
        for id, storage in (("one", one), ("two", two)):
            renew_lease(storage, ServerWorker(id, f"http://{id}", "s"))
        one.append("game", [StoredRow(1, "created", b"{}")], new=True)
        assert one.take("game") is None
        assert two.take("game") == ServerWorker("one", "http://one", "s"), "it is there, and has it"
        with pytest.raises(StorageFault, match="another worker"):
            two.append("game", [StoredRow(2, "note", b"{}")])
        two.write(lambda connection, _: leases.end(connection, "one"))
        assert two.take("game") is None, "a worker that has ended has nothing"
        with pytest.raises(StorageFault, match="another worker"):
            one.append("game", [StoredRow(2, "note", b"{}")])
        two.append("game", [StoredRow(2, "note", b"{}")])
        assert [row.seq for row in one.events("game")] == [1, 2]
        with pytest.raises(StorageFault, match="another worker"):
            one.append("game", [StoredRow(1, "created", b"{}")], new=True)
        assert one.take("nothing") is None
        assert not one.events("nothing")


@pytest.mark.slow
def test_a_game_is_taken_from_a_worker_that_does_not_renew_itself(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgresql.database()
    Storage(url).close()
    monkeypatch.setattr(leases, "LEASE_SECONDS", 0.3)
    with closing(Storage(url, "one")) as one, closing(Storage(url, "two")) as two:
        renew_lease(one, ServerWorker("one", "", ""))
        one.append("game", [StoredRow(1, "created", b"{}")], new=True)
        assert two.take("game") is not None
        until = time.monotonic() + 10
        while two.take("game") is not None:
            assert time.monotonic() < until
            time.sleep(0.05)
        with pytest.raises(StorageFault, match="another worker"):
            one.append("game", [StoredRow(2, "note", b"{}")])


def test_two_workers_share_no_sqlite_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="an SQLite file has one"):
        Storage(f"sqlite:///{tmp_path / 'games.sqlite'}", "one")
    command = [sys.executable, "-m", "caltrop", "serve", "--port", "0", "--workers", "2"]
    result = subprocess.run(
        [*command, "--database", f"sqlite:///{tmp_path / 'games.sqlite'}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 1
    assert "an SQLite file has one worker: write --workers 1, or --database postgresql://" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_who_would_have_the_database_alone_is_refused(server: Several) -> None:
    with pytest.raises(InputError, match="in use by another Caltrop"):
        Storage(server.database)


# --- which worker holds a game ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "whose"), [
    ("/api/games/abc", "abc"), ("/api/games/abc/messages", "abc"), ("/ws/abc", "abc"), ("/api/games", None),
    ("/api/openings/abc/take", "abc"), ("/api/openings", ""), ("/api/me", ""), ("/api/me/events", ""),
    ("/api/queue/leave", ""), ("/api/clubs/x/join", ""), ("/api/ping", None), ("/healthz", None), ("/meow", None),
    ("/api/menu", None), ("/game/abc", None), ("/api/odds", None),
])  # fmt: skip
def test_each_path_is_a_games_the_desks_or_anybodys(path: str, whose: str | None) -> None:
    assert _whose(path) == whose


@pytest.mark.parametrize(("header", "passes"), [
    ("s3cret {}", True), ("s3crets {}", False), (" {}", False), ("", False), ("s3cret nonsense", False),
])  # fmt: skip
def test_only_another_worker_hands_requests_on(header: str, passes: bool) -> None:
    fields = json.dumps({"address": "192.0.2.7", "path": "/api/ping", "scheme": "http", "request": "r"})
    guard = RequestGuard(None, ServerLimits(), inside="s3cret")  # type: ignore[arg-type]
    handed = guard._handed_on([(HANDED_ON, header.replace("{}", fields))])
    assert (handed is not None) is passes
    assert RequestGuard(None, ServerLimits())._handed_on([(HANDED_ON, f" {fields}")]) is None  # type: ignore[arg-type]


@pytest.mark.slow
def test_two_at_different_workers_see_the_same_game(server: Several) -> None:
    one, two = server.workers().values()
    game, tokens = new_game(one)
    with live(one, game, tokens[0]) as first, live(two, game, tokens[1]) as second:
        mine, theirs = next_of(first, "view"), next_of(second, "view")
        assert (mine["you"], theirs["you"]) == (0, 1)
        for socket, view in ((second, theirs), (first, mine)):
            asks = view["decisions"][0]
            answer = {"type": "answer", "decision": asks["id"], "action": asks["offers"][0]["action"], "ref": 5}
            socket.send(json.dumps(answer))
            assert next_of(socket, "done")["ref"] == 5
        seen = [fetch(address, f"/api/games/{game}", tokens=tokens[0])[1] for address in (one, two)]
        assert seen[0] == seen[1]
        assert seen[0]["act"] == 2
    assert server.owner(game) in server.workers()


@pytest.mark.slow
def test_a_program_hears_of_a_game_that_another_worker_has(server: Several) -> None:
    one, two = server.workers().values()
    keys = [somebody(one, "Ada"), somebody(two, "Bob")]
    for number, address in enumerate((one, two)):
        body = {"new": {"ruleset": "duel", "seats": ["person", "person"], "invited": [1]}, "words": f"number {number}"}
        assert fetch(address, "/api/openings", body, tokens=keys[0])[0] == 201
    seats = [seat for seat in fetch(two, "/api/openings", tokens=keys[1])[1]["openings"] if not seat["own"]]
    request = urllib.request.Request(f"{two}/api/me/events", headers={"Authorization": f"Bearer {keys[1]}"})
    with urllib.request.urlopen(request, timeout=20) as stream:
        assert json.loads(stream.readline())["type"] == "ping"
        for address, seat in zip((one, two), seats, strict=True):
            # The first worker that is asked for a game holds it. The stream of events reaches the client from any
            # worker.
            assert fetch(address, f"/api/games/{seat['game']}")[0] == 200
            assert fetch(address, f"/api/openings/{seat['game']}/take", {}, tokens=keys[1])[0] == 201
            events = [json.loads(stream.readline()) for _ in range(2)]
            assert [(one["type"], one["game"]) for one in events] == [("game", seat["game"]), ("turn", seat["game"])]
    assert {server.owner(seat["game"]) for seat in seats} == set(server.workers())
    assert not [seat for seat in fetch(one, "/api/openings", tokens=keys[1])[1]["openings"] if not seat["own"]]


@pytest.mark.slow
def test_whichever_worker_is_asked_tells_the_figures_of_all(server: Several) -> None:
    server.wait_for_workers(2)
    for address in server.workers().values():
        game, _ = new_game(address)
        for each in server.workers().values():
            assert fetch(each, f"/api/games/{game}")[0] == 200
    for address in (server.address, *server.workers().values()):
        with urllib.request.urlopen(f"{address}/metrics", timeout=20) as answer:
            families = {family.name: family for family in text_string_to_metric_families(answer.read().decode())}
        assert [one.value for one in families["caltrop_workers"].samples] == [2]
        held = {one.labels["worker"]: one.value for one in families["caltrop_games_in_memory"].samples}
        assert set(held) == {"1", "2"}
        requests = [one for one in families["caltrop_requests"].samples if one.name == "caltrop_requests_total"]
        assert {one.labels["worker"] for one in requests} == {"1", "2"}
        views = sum(one.value for one in requests if one.labels["route"] == "/api/games/{id}")
        assert views >= 4, "also those that another worker has answered count by their route"


@pytest.mark.slow
def test_what_is_too_large_or_odd_is_refused_by_whichever_worker_it_reaches(server: Several) -> None:
    server.wait_for_workers(2)
    game, tokens = new_game(server.address)
    for address in server.workers().values():
        where = urlsplit(address)
        for path in (f"/api/games/{game}/messages", "/api/clubs"):
            connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=30)
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {tokens[0]}"}
            parts = iter([b"x" * 60_000] * 4)  # the size of the body is not announced
            connection.request("POST", path, parts, headers, encode_chunked=True)
            answer = connection.getresponse()
            assert (answer.status, json.loads(answer.read())["code"]) == (413, "too-large"), (address, path)
            connection.close()
        for body in ("[", "{", "null", '{"type": "resign", "side": 9}'):
            assert 400 <= fetch(address, f"/api/games/{game}/messages", body, tokens=tokens[0])[0] < 500
        assert fetch(address, f"/api/games/{game}?eyes=0", tokens=tokens[0])[0] == 200


# --- ends ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_is_lost_when_workers_are_killed_in_the_middle_of_acts(server: Several) -> None:
    hands, kills = play_and_kill(server, 3, 3)
    assert kills == 3
    assert sum(len(hand.acknowledged) for hand in hands) > 10
    assert not storage_faults(server, hands)
    server.wait_for_workers(2)
    for hand in hands:
        status, view = fetch(server.address, f"/api/games/{hand.game}", tokens=hand.tokens)
        assert (status, view["act"]) == (200, len(hand.acknowledged))


@pytest.mark.slow
def test_a_page_comes_back_to_its_game_when_the_worker_is_killed(server: Several) -> None:
    one, two = server.wait_for_workers(2).items()
    game, tokens = new_game(one[1])
    with live(two[1], game, tokens[1]) as socket:
        next_of(socket, "view")
        server.kill(one[0])
        with pytest.raises(Exception, match="1013"):
            next_of(socket, "never")
    with live(two[1], game, tokens[1]) as socket:
        assert next_of(socket, "view")["game"] == game
    assert server.owner(game) == two[0]
    server.wait_for_workers(2)


@pytest.mark.slow
def test_workers_are_restarted_and_nobody_is_refused(server: Several) -> None:
    before = set(server.wait_for_workers(2))
    ending, faults = threading.Event(), list[BaseException]()
    hands = [Hand(server.address, number) for number in range(2)]

    def play(hand: Hand) -> None:
        try:
            while not ending.is_set() and hand.act():
                pass
        except BaseException as error:  # noqa: BLE001  it is looked at below
            faults.append(error)

    threads = [threading.Thread(target=play, args=(hand,)) for hand in hands]
    for thread in threads:
        thread.start()
    os.kill(server.process.pid, signal.SIGHUP)
    until = time.monotonic() + 120
    while set(server.workers()) & before or len(server.workers()) != 2:
        assert time.monotonic() < until, server.workers()
        time.sleep(0.1)
    ending.set()
    for thread in threads:
        thread.join(60)
    assert not faults
    assert not storage_faults(server, hands)
    assert max(time for hand in hands for time in hand.times) < 15


@pytest.mark.slow
def test_one_worker_of_an_sqlite_file_is_restarted(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "caltrop", "serve", "--port", "0", "--workers", "1"]
    words = tmp_path / "log"
    with words.open("w+") as log:
        process = subprocess.Popen(
            [*command, "--database", f"sqlite:///{tmp_path / 'games.sqlite'}"], stdout=log, stderr=subprocess.STDOUT
        )
        try:
            from tests.web.serving import address_of

            address = address_of(process, words, 120)
            hand = Hand(address, 3)
            assert hand.act()
            os.kill(process.pid, signal.SIGHUP)
            until = time.monotonic() + 20
            while time.monotonic() < until and not hand.over:
                hand.act()
            status, view = fetch(address, f"/api/games/{hand.game}", tokens=hand.tokens)
            assert (status, view["act"]) == (200, len(hand.acknowledged))
        finally:
            process.terminate()
            process.wait(30)
    assert "Traceback" not in words.read_text()
