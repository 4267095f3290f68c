"""`caltrop play`, `caltrop serve` and `caltrop schema`."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import types
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from caltrop import cli
from caltrop.chance import Seeded
from caltrop.journal import Setting, record_of, save
from caltrop.players import players_of

LONGEST = 100
"""Seconds after which a program that has printed no address is ended."""


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        port: int = made.getsockname()[1]
        return port


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Any]:
    """Start `caltrop play` without a browser, and read its standard output."""
    started: list[subprocess.Popen[str]] = []

    def play(*words: str) -> tuple[subprocess.Popen[str], str]:
        command = [sys.executable, "-m", "caltrop", "play", *words, "--no-browser"]
        environment = {**os.environ, "CALTROP_DATA": str(tmp_path)}
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment)
        started.append(process)
        assert process.stdout
        # A program that prints no address would be waited for without end.
        limit = threading.Timer(LONGEST, process.kill)
        limit.start()
        address = process.stdout.readline().strip()
        limit.cancel()
        assert address, process.communicate()[1]
        return process, address

    yield play
    for process in started:
        process.kill()
        process.communicate()


def test_play_opens_a_new_game_with_the_seats_secret_in_the_fragment(start: Any) -> None:
    port = free_port()
    _, address = start("duel", "--scenario", "bridge", "--rule", "parry.price=2", "--port", str(port))
    match = re.fullmatch(rf"http://127.0.0.1:{port}/(\w+)#([\w-]+)", address)
    assert match, address
    headers = {"Authorization": f"Bearer {match[2]}"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/games/{match[1]}", headers=headers)
    with urllib.request.urlopen(request) as answer:
        view = json.load(answer)
    assert (view["you"], view["scenario"], view["rules"]["parry.price"]) == (0, "bridge", 2)


def test_play_uses_a_server_that_runs_already_and_leaves_it_running(start: Any) -> None:
    port = free_port()
    first, lobby = start("--port", str(port))
    assert lobby == f"http://127.0.0.1:{port}/"
    second, address = start("duel", "--players", "person,person", "--port", str(port))
    assert second.wait(20) == 0
    assert re.fullmatch(rf"http://127.0.0.1:{port}/\w+#0=[\w-]+&1=[\w-]+", address), "as the page reads it"
    assert first.poll() is None
    first.send_signal(signal.SIGINT)
    assert first.wait(20) in (0, 130)


def test_play_goes_on_from_a_moment_of_a_record(
    start: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = Setting.chosen("duel")
    match = setting.begin(Seeded(3))
    players_of(match, "random", "random").play()
    file, port = tmp_path / "duel.caltrop.json", free_port()
    save(record_of(match, setting, players=("random", "random")), file)
    _, address = start(str(file), "--at", "4", "--players", "person,random", "--port", str(port))
    parts = re.fullmatch(rf"http://127.0.0.1:{port}/(\w+)#([\w-]+)", address)
    assert parts, address
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/games/{parts[1]}?at=4") as answer:
        view = json.load(answer)
    assert (view["act"], [seat["player"] for seat in view["seats"]]) == (4, ["person", "random"])
    code, out, err = run(capsys, "play", str(file), "--at", str(len(match.history)))
    assert (code, out) == (1, "")
    assert "choose an earlier moment" in err
    # In the terminal too, a game that was handed over is continued by the person at the keyboard.
    handed: list[Any] = []
    fake = types.ModuleType("caltrop.terminal")
    fake.run = lambda *given: handed.append(given)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "caltrop.terminal", fake)
    assert run(capsys, "play", str(file), "--at", "4", "--terminal")[0] == 0
    assert handed == [({"record": str(file), "at": 4, "seats": []}, "", "en")]


def test_play_passes_over_a_port_that_something_else_has(start: Any) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        _, address = start("--port", str(port))
    assert address.startswith("http://127.0.0.1:")
    assert f":{port}/" not in address


def test_a_game_that_the_server_does_not_begin_ends_in_the_lobby(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("caltrop.cli.play.PATIENCE", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"

        def serve(ready: Any, **_: Any) -> int:
            before = set(threading.enumerate())
            ready(address)
            for thread in set(threading.enumerate()) - before:
                thread.join()
            return 0

        monkeypatch.setattr("caltrop.server.run.run", serve)
        code, out, err = run(capsys, "play", "duel", "--no-browser", "--port", str(free_port()))
    assert (code, out) == (0, f"{address}/\n")
    assert err.splitlines() == [
        "caltrop: the server did not start the game within 0.2 seconds",
        "The game could not be started; the lobby opens instead.",
    ]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command line in this process."""
    code = cli.main(words)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["deul"], 1, "did you mean duel?"),
        (["duel", "--scenario", "brigde"], 1, "did you mean 'bridge'?"),
        (["duel", "--edition", "blunt"], 1, "current, sharp"),
        (["duel", "--rule", "parry.prize=1"], 1, "did you mean parry.price?"),
        (["duel", "--rule", "parry.price"], 2, "NAME=VALUE"),
        (["--scenario", "bridge"], 2, "which game?"),
        (["duel", "--at", "3"], 2, "--at belongs to the record of a game"),
        (["none.caltrop.json"], 2, "from which moment?"),
        (["none.caltrop.json", "--at", "3"], 1, "none.caltrop.json"),
        (["none.caltrop.json", "--at", "3", "--size", "4"], 2, "--at and --players alone"),
        (["duel", "--size", "many"], 2, "many"),
    ],
)
def test_what_does_not_exist_is_told_before_anything_is_started(
    capsys: pytest.CaptureFixture[str], words: list[str], code: int, message: str
) -> None:
    result, out, err = run(capsys, "play", *words)
    assert (result, out) == (code, "")
    assert message in err


def test_play_in_the_terminal_is_handed_the_whole_wish(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[Any] = []
    fake = types.ModuleType("caltrop.terminal")
    fake.run = lambda *given: handed.append(given)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "caltrop.terminal", fake)
    words = ["play", "duel", "--terminal", "--players", "person,random", "--size", "3"]
    words += ["--database", "mine.sqlite", "--language", "de"]
    code, _, _ = run(capsys, *words)
    assert code == 0
    assert handed == [({"ruleset": "duel", "size": 3, "seats": ["person", "random"]}, "mine.sqlite", "de")]


def test_serve_names_a_database_that_cannot_be_opened(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "no/such/folder/games.sqlite"
    code, out, err = run(capsys, "serve", "--port", "0", "--database", f"sqlite:///{file}")
    assert (code, out) == (1, "")
    assert "cannot be opened" in err


def test_serve_names_an_address_that_is_not_this_machines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["serve", "--host", "192.0.2.1", "--port", "0", "--database", str(tmp_path / "x.sqlite")]
    code, _, err = run(capsys, *words)
    assert code == 1
    assert "192.0.2.1" in err


def test_schema_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "schema", "action", "--game", "duel")
    assert (code, err) == (0, "")
    assert "Stake" in json.loads(out)["$defs"]
    code, out, _ = run(capsys, "schema", "campaign", "--game", "blade-skirmish")
    assert code == 0
    assert {"roster", "battles", "corrected"} <= set(json.loads(out)["$defs"]["Campaign"]["properties"])
    code, _, err = run(capsys, "schema", "campaign", "--game", "hex-command")
    assert (code, "has no schema of 'campaign'" in err) == (1, True)
    code, _, err = run(capsys, "schema", "actoin")
    assert code == 1
    assert "did you mean action?" in err
