"""Access to the server: the clients that are let in, and how much each may ask."""

from __future__ import annotations

import ipaddress
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.websockets import WebSocketDisconnect

from caltrop.server.app import FILES
from caltrop.server.guard import Bucket, Buckets, ServerLimits, client_of, host_name, is_welcome, share_of
from tests.server.tables import ADDRESS, Table, Talk, TestClient, created, served


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8420", "127.0.0.1.evil.example", "192.168.1.5", "", "localhost.evil.example"]
)
def test_a_name_that_points_here_by_a_trick_is_refused(client: TestClient, host: str) -> None:
    answer = client.get("/api/ping", headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (421, "wrong-host")


@pytest.mark.parametrize("host", ["localhost:8420", "127.0.0.1", "[::1]:8420", "LOCALHOST", "127.0.0.2:1"])
def test_this_machines_own_names_are_welcome(client: TestClient, host: str) -> None:
    assert client.get("/api/ping", headers={"Host": host}).status_code == 200


def test_an_open_server_goes_by_its_numbers_and_its_names() -> None:
    assert is_welcome("192.168.1.5:8420", (), True)
    assert not is_welcome("192.168.1.5:8420", (), False)
    assert is_welcome("games.example:443", ("games.example",), True)
    assert not is_welcome("evil.example", ("games.example",), True)
    assert host_name("[FE80::1]:80") == "fe80::1"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:3000", "https://localhost:8420"])
def test_another_site_may_not_speak(client: TestClient, table: Table, origin: str) -> None:
    body = {"ruleset": "duel"}
    answer = client.post("/api/games", json=body, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong-origin")
    with (
        pytest.raises(WebSocketDisconnect) as ended,
        client.websocket_connect(f"ws://127.0.0.1:8420/ws/{table.id}", headers={"Origin": origin}),
    ):
        raise AssertionError("it was let in")
    assert ended.value.code == 1008


def test_a_wrong_host_gets_no_live_connection(client: TestClient, table: Table) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://evil.example/ws/{table.id}"):
        raise AssertionError("it was let in")


def test_the_page_itself_may_speak(client: TestClient, table: Table) -> None:
    assert client.post("/api/games", json={"ruleset": "duel"}, headers={"Origin": ADDRESS}).status_code == 201
    address = f"ws://127.0.0.1:8420/ws/{table.id}"
    with client.websocket_connect(address, headers={"Origin": ADDRESS}) as session:
        assert Talk(session).hear()["type"] == "view"


def test_a_form_of_another_site_is_refused(client: TestClient) -> None:
    text = json.dumps({"ruleset": "duel"})
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = client.post("/api/games", content=text, headers={"Content-Type": kind})
        assert (answer.status_code, answer.json()["code"]) == (415, "wrong-content")
    answer = client.post("/api/games", json={"ruleset": "duel"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.json()["code"] == "wrong-origin"


@pytest.mark.parametrize("method", ["TRACE", "PUT", "DELETE", "PATCH", "CONNECT", "LIST", "OPTIONS"])
def test_another_method_is_answered_with_those_that_there_are(client: TestClient, method: str) -> None:
    ways = {"/": "GET, HEAD", "/api/games": "GET, POST", "/healthz": "GET, HEAD", "/armies": "GET, HEAD"}
    for path, allowed in ways.items():
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers.get("allow")) == (405, allowed), path
        assert answer.json()["code"] == "other-method"
    assert client.request(method, "/api/none").status_code == 404
    foreign = client.request(method, "/api/games", headers={"Origin": "http://evil.example"})
    assert foreign.json()["code"] == "wrong-origin"


def test_every_address_takes_no_other_method_than_get_head_and_post(client: TestClient) -> None:
    """The guard checks only POST for a JSON body, so no other method may change anything."""
    app: Any = client.app
    while not hasattr(app, "routes"):
        app = app.app
    assert {way for route in app.routes for way in getattr(route, "methods", ())} == {"GET", "HEAD", "POST"}


def test_a_request_that_is_too_large_is_refused(database: str) -> None:
    with served(database, limits=ServerLimits(body=2000)) as client:
        large = json.dumps({"ruleset": "d" * 3000})
        headers = {"Content-Type": "application/json"}
        answer = client.post("/api/games", content=large, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")

        def parts() -> Any:
            for _ in range(10):
                yield b" " * 500

        answer = client.post("/api/games", content=parts(), headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
        assert client.post("/api/games", json={"ruleset": "duel"}).status_code == 201


def test_a_live_message_that_is_too_large_is_refused(database: str) -> None:
    with served(database, limits=ServerLimits(message=300)) as client:
        table = Table(client)
        with table.live() as a:
            talk = Talk(a, tokens=table.tokens[:1])
            talk.tell({"decision": "0.0", "action": {"type": "Stake", "points": "1" * 400}})
            assert "at most" in talk.hear("refusal")["message"]
            talk.tell({"type": "ping"})
            assert talk.hear()["type"] == "pong"


def test_too_much_at_once_is_refused(database: str) -> None:
    with served(database, limits=ServerLimits(requests=0.001, burst=5)) as client:
        codes = [client.get("/api/ping").status_code for _ in range(8)]
    assert codes == [200] * 5 + [429] * 3


def test_too_many_live_messages_are_refused_and_the_connection_stays(database: str) -> None:
    with served(database, limits=ServerLimits(messages=0.001, message_burst=3)) as client:
        table = Table(client)
        with table.live() as a:
            talk = Talk(a)
            talk.hear("presence")
            for _ in range(5):
                talk.tell({"type": "ping"})
            assert [talk.hear()["type"] for _ in range(5)] == ["pong"] * 3 + ["refusal"] * 2


def test_too_many_games_and_too_many_lookers_are_refused(database: str) -> None:
    with served(database, limits=ServerLimits(games_an_hour=2, connections=1)) as client:
        table = Table(client)
        Table(client)
        assert client.post("/api/games", json={"ruleset": "duel"}).json()["code"] == "too-fast"
        with table.live() as a, table.live() as b:
            assert Talk(a).hear()["type"] == "view"
            assert Talk(b).hear()["code"] == "too-many"


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    bucket = Bucket(2.0, 3, lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 1.0
    assert [bucket.take() for _ in range(3)] == [True, True, False]


def test_the_longest_silent_address_is_forgotten_first() -> None:
    buckets = Buckets(0.0, 1, keep=2)
    assert buckets.take("a")
    assert buckets.take("b")
    assert not buckets.take("a")
    assert buckets.take("c")
    assert buckets.take("b")
    assert list(buckets.by_address) == ["c", "b"]


def test_every_answer_forbids_scripts_from_elsewhere(client: TestClient) -> None:
    for path in ("/", "/api/ping", "/api/nothing"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_a_fault_is_told_in_plain_words_and_without_its_cause(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table(client)

    def fails(*args: object) -> None:
        raise RuntimeError("the inside of the program")

    monkeypatch.setattr("caltrop.rules.duel.turn.Bid.options", fails)
    answer = table.say(0, {"decision": "0.0", "action": {"type": "Stake", "points": 1}})
    assert (answer["type"], answer["code"]) == ("refusal", "broken")
    assert "inside" not in str(answer)
    assert "Traceback" in caplog.text
    monkeypatch.undo()
    assert table.answer(0, {"type": "Stake", "points": 1})["type"] == "done"


NAVIGATES = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


def test_other_pages_spend_nothing_of_what_a_player_has(database: str) -> None:
    with served(database, limits=ServerLimits(requests=0.001, burst=4)) as client:
        for _ in range(10):
            for site in ("cross-site", "same-site"):
                answer = client.get("/api/ping", headers={"Sec-Fetch-Site": site})
                assert (answer.status_code, answer.json()["code"]) == (403, "wrong-origin")
            # Another page asks for this one as a picture or in a frame.
            assert (
                client.get("/", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}).status_code
                == 403
            )
            assert client.get("/", headers={**NAVIGATES, "Sec-Fetch-Dest": "iframe"}).status_code == 403
            client.get("/", headers=NAVIGATES)
        assert client.get("/", headers=NAVIGATES).status_code == 429
        assert [client.get("/api/ping").status_code for _ in range(5)] == [200] * 4 + [429]


def test_a_link_on_another_page_leads_here(client: TestClient) -> None:
    assert client.get("/", headers=NAVIGATES).status_code in (200, 503)


def test_a_page_of_another_name_says_how_to_give_the_server_that_name(client: TestClient) -> None:
    browser = {"Host": "games.example:8420", "Accept": "text/html,*/*"}
    answer = client.get("/learn", headers=browser)
    assert answer.status_code == 421
    assert answer.headers["content-type"].startswith("text/html")
    assert "--name games.example" in answer.text
    assert "--name games.example" in client.get("/api/ping", headers=browser).json()["message"]
    tricky = client.get("/", headers={**browser, "Host": "<b>x</b>"})
    assert tricky.status_code == 421
    assert "<b>" not in tricky.text


def test_onlookers_leave_room_for_the_seats(database: str) -> None:
    with served(database, limits=ServerLimits(connections=2, seat_connections=2)) as client:
        table = Table(client)
        with ExitStack() as open_:
            talks = [Talk(open_.enter_context(table.live())) for _ in range(2)]
            assert [talk.hear()["type"] for talk in talks] == ["view"] * 2
            assert Talk(open_.enter_context(table.live())).hear()["code"] == "too-many"
            for side in (0, 1):
                for _ in range(2):
                    seated = Talk(open_.enter_context(table.live()), tokens=[table.tokens[side]])
                    assert seated.hear()["type"] == "view"
            assert Talk(open_.enter_context(table.live()), tokens=table.tokens[:1]).hear()["code"] == "too-many"


@pytest.mark.parametrize("number", ["²", "٣", "1²", "1_0", "+1", "1.0", "-1", "9" * 40])
def test_odd_digits_are_told(client: TestClient, table: Table, number: str) -> None:
    for path in (f"/api/games/{table.id}?eyes=", f"/api/games/{table.id}?at=", f"/api/games/{table.id}/moments?count="):
        answer = client.get(path + quote(number))
        assert (answer.status_code, answer.json()["code"]) == (400, "wrong-message"), path


@pytest.mark.parametrize(
    "path",
    ["/%00", "/api/games/%00", "/assets/%00.js", "/rules/a%00b", "/api/rules/%0a", "/ws/%00", "/api/lab/%1b%5b31m"],
)
def test_characters_that_no_address_has_are_refused(
    client: TestClient, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    assert client.get(path).status_code == 400
    assert not caplog.records


@pytest.mark.parametrize(
    "path",
    [
        "/" + "a" * 3000,
        "/" + "a/" * 1000,
        "/%ff%fe",
        "/%F0%9F%8E%B2",
        "/..%2f..%2fetc/passwd",
        "/assets/..%2f..%2fx.py",
    ],
)
def test_odd_addresses_are_found_nowhere(client: TestClient, caplog: pytest.LogCaptureFixture, path: str) -> None:
    assert client.get(path).status_code in (404, 503)  # 503 means that the page is not built
    assert not caplog.records


def test_an_address_has_an_end(client: TestClient) -> None:
    answer = client.get("/api/games/x?at=" + "1" * 5000)
    assert (answer.status_code, answer.json()["code"]) == (414, "too-long")


def test_what_is_no_file_is_smaller(database: str) -> None:
    with served(database, limits=ServerLimits(request=2000)) as client:
        text = json.dumps({"ruleset": "d" * 3000})
        headers = {"Content-Type": "application/json"}
        for path in ("/api/games", "/api/odds", "/api/campaigns", "/api/lab"):
            answer = client.post(path, content=text, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
            assert "2000 bytes" in answer.json()["message"]
        for path in FILES:
            assert client.post(path, content=text, headers=headers).status_code == 400


PROXY = ipaddress.ip_network("10.0.0.0/8")


@pytest.mark.parametrize(
    ("peer", "forwarded", "result"),
    [
        ("10.0.0.1", "1.2.3.4", "1.2.3.4"),
        (
            "10.0.0.1",
            "6.6.6.6, 1.2.3.4, 10.0.0.2",
            "1.2.3.4",
        ),  # the first address was added by the client itself and is not believed
        ("10.0.0.1", "[2001:db8::1]:443", "2001:db8::1"),
        ("10.0.0.1", "10.0.0.3", "10.0.0.3"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "1.2.3.4, nonsense", "10.0.0.1"),
        ("9.9.9.9", "1.2.3.4", "9.9.9.9"),
    ],
)
def test_proxies_are_believed_and_nobody_else(peer: str, forwarded: str, result: str) -> None:
    assert client_of(peer, forwarded, (PROXY,)) == result
    assert client_of(peer, forwarded, ()) == peer


def test_behind_a_proxy_each_client_has_its_own_rate(database: str) -> None:
    """Each address that the proxy reports has its own limit."""
    limits = ServerLimits(requests=0.001, burst=2)
    with served(database, limits=limits, proxies=(PROXY,)) as client:
        client = TestClient(client.app, base_url=ADDRESS, client=("10.0.0.1", 5))
        codes = [client.get("/api/ping", headers={"X-Forwarded-For": f"1.1.1.{n // 3}"}).status_code for n in range(6)]
    assert codes == [200, 200, 429] * 2


@pytest.mark.parametrize("stripped", [False, True], ids=["left on", "taken off by the proxy"])
def test_under_a_prefix_everything_is_found(database: str, tmp_path: Path, stripped: bool) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text('<head><base href="/" /></head><script src="./assets/a.js">', encoding="utf-8")
    (tmp_path / "assets" / "a.js").write_text("1", encoding="utf-8")
    with served(database, prefix="/games", static=tmp_path) as client:
        under = "" if stripped else "/games"
        for path in ("/", "/learn", "/rules/duel"):
            page = client.get(under + path)
            assert page.status_code == 200
            assert '<base href="/games/" />' in page.text
        assert client.get(f"{under}/assets/a.js").text == "1"
        assert client.get(f"{under}/api/ping").status_code == 200
        assert client.get(f"{under}/nothing/here").status_code == 404
        made = client.post(f"{under}/api/games", json={"ruleset": "duel"})
        assert made.status_code == 201
        with client.websocket_connect(f"ws://127.0.0.1:8420{under}/ws/{made.json()['game']}") as session:
            assert Talk(session).hear()["type"] == "view"
        bare = client.get("/games", follow_redirects=False)
        assert (bare.status_code, bare.headers["location"]) == (308, "/games/")
        assert client.get("/gamester").status_code in (200, 404)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::5", "2001:db8:1:3::5", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.8", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("::1", "2001:db8::1", False),
    ],
)
def test_who_has_a_network_has_one_share(one: str, other: str, same: bool) -> None:
    assert (share_of(one) == share_of(other)) is same


@pytest.mark.parametrize(
    ("peer", "words", "scheme"),
    [
        ("10.0.0.1", "https", "https"),
        ("10.0.0.1", "http, https", "https"),
        ("10.0.0.1", "gopher", "http"),
        ("192.0.2.9", "https", "http"),
    ],
)
def test_a_proxy_says_whether_a_page_came_encrypted(
    database: str, tmp_path: Path, peer: str, words: str, scheme: str
) -> None:
    (tmp_path / "index.html").write_text('<meta property="og:image" content="./link.png" />')
    proxies = (ipaddress.ip_network("10.0.0.0/8"),)
    with TestClient(
        created(database, proxies=proxies, static=tmp_path, names=("games.example",)),
        base_url="http://games.example",
        client=(peer, 5),
    ) as client:
        text = client.get("/", headers={"X-Forwarded-Proto": words}).text
    assert f'content="{scheme}://games.example/link.png"' in text


def test_a_page_asks_for_no_feature_of_a_browser(client: TestClient) -> None:
    for path in ("/", "/api/ping", "/api/nothing"):
        policy = client.get(path).headers["permissions-policy"]
        assert {"camera=()", "microphone=()", "geolocation=()", "usb=()"} <= set(policy.split(", "))


def test_an_upload_that_breaks_off_is_no_fault_of_the_program(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    app: Any = client.app
    sent: list[Any] = []

    async def breaks_off() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    for path in ("/api/verify", "/api/games", "/api/lab"):
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "client": ("127.0.0.1", 5),
            "server": ("127.0.0.1", 8420),
            "scheme": "http",
            "headers": [(b"host", b"127.0.0.1:8420"), (b"content-type", b"application/json")],
        }
        assert client.portal is not None
        client.portal.call(app, scope, breaks_off, send)
    assert not caplog.records
    assert not [one for one in sent if one.get("status") == 500]
