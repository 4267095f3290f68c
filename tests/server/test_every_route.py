"""The attacks of `docs/security.md`, made on every address of the server, including addresses added later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from caltrop.server.guard import ServerLimits
from tests.server.tables import Table, TestClient, served

FOREIGN = {"Origin": "http://evil.example"}
ODD_IDS = ("x", "0", "-1", "..", "%2e%2e%2fetc", "'; DROP TABLE events; --", "a" * 300, "ä\u202e", "duel")
BODIES: tuple[Any, ...] = (
    None, True, -1, 2**70, 1e308, "x" * 5000, [], [[[]]], {}, {"ruleset": "duel"}, {"ruleset": 7}, {"unknown": {}},
    {"text": "\x00\u202e"}, {"id": ["x"] * 2000}, [None] * 2000,
)  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database = f"sqlite:///{tmp_path_factory.mktemp('routes')}/games.sqlite"
    with served(database, limits=ServerLimits(requests=10.0**6, burst=10**6)) as client:
        yield client


def routes(client: TestClient) -> list[tuple[str, str]]:
    """Return the method and the path of every route whose answer ends."""
    app: Any = client.app
    while not hasattr(app, "routes"):
        app = app.app
    every = [(way, route.path) for route in app.routes for way in getattr(route, "methods", None) or ()]
    assert len(every) > 100
    return [one for one in every if one != ("GET", "/api/me/events")]


def filled_in(path: str, id: str) -> str:
    """Return a path with each parameter replaced by an id."""
    for part in ("{id}", "{other}", "{game}", "{ruling}", "{path:path}"):
        path = path.replace(part, quote(id, safe="%"))
    return path


def test_another_site_another_name_and_a_form_are_refused_everywhere(server: TestClient) -> None:
    for method, path in routes(server):
        where = filled_in(path, "x")
        json_body: dict[str, Any] = {"json": {}} if method == "POST" else {}
        statuses = [
            server.request(method, where, headers=FOREIGN, **json_body).status_code,
            server.request(method, where, headers={"Host": "evil.example"}, **json_body).status_code,
        ]
        assert statuses == [403, 421], (method, path)
        if method == "POST":
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            assert server.post(where, content="a=b", headers=form).status_code == 415, path


def test_no_id_breaks_an_address(server: TestClient) -> None:
    for method, path in routes(server):
        if "{" not in path:
            continue
        for id in ODD_IDS:
            answer = server.request(method, filled_in(path, id), **({"json": {}} if method == "POST" else {}))
            assert answer.status_code < 500, (method, path, id, answer.text[:300])


@pytest.mark.slow
def test_no_body_breaks_an_address_and_what_is_refused_says_why(server: TestClient) -> None:
    table = Table(server)
    bearer = {"Authorization": f"Bearer {table.tokens[0]}", "Content-Type": "application/json"}
    texts = [json.dumps(body).encode() for body in BODIES]
    for method, path in routes(server):
        if method != "POST":
            continue
        for text in (*texts, b"", b"{", b"\xff\xfe", b"[" * 3000, b'{"a": NaN}', b'{"a":1,"a":2}'):
            where = filled_in(path, table.id if "/games/" in path else "duel")
            answer = server.post(where, content=text, headers=bearer)
            assert answer.status_code < 500 or answer.json()["code"] in ("no-network", "busy"), (
                path,
                text[:80],
                answer.text,
            )
            if answer.status_code >= 400:
                assert {"code", "message"} <= answer.json().keys(), (path, text[:80])
    assert server.get(f"/api/games/{table.id}").status_code == 200
