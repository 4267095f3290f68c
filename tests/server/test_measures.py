"""Monitoring: health, metrics, and the log of requests."""

from __future__ import annotations

import ipaddress
import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from caltrop.errors import InputError
from caltrop.host.database import StorageFault
from caltrop.host.storage import Storage
from caltrop.server import run
from caltrop.server.connections import Sparing
from caltrop.server.measures import JsonLines
from tests.server.conftest import UNHURRIED
from tests.server.tables import Table, TestClient, served

HERE = ipaddress.ip_network("127.0.0.1")


@pytest.fixture
def watched(database: str) -> Iterator[TestClient]:
    """Yield a client of a server whose metrics this machine may read."""
    with served(database, limits=UNHURRIED, readers=(HERE,)) as client:
        client._transport.client = ("127.0.0.1", 50_000)
        yield client


def figures(client: TestClient) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Return the metrics by name and labels."""
    result = client.get("/metrics")
    assert result.status_code == 200
    assert result.headers["content-type"].startswith("text/plain")
    families = text_string_to_metric_families(result.text)
    return {(one.name, tuple(sorted(one.labels.items()))): one.value for each in families for one in each.samples}


def test_a_server_that_can_store_is_healthy(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"healthy": True}


def test_a_server_that_cannot_store_is_not_healthy(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def touch(self: Storage) -> None:
        raise StorageFault("full")

    monkeypatch.setattr(Storage, "touch", touch)
    result = client.get("/healthz")
    assert (result.status_code, result.json()) == (503, {"healthy": False, "why": "full"})


def test_health_touches_the_file_itself(client: TestClient, database: str) -> None:
    file = Path(database.removeprefix("sqlite:///"))
    file.rename(file.with_name("elsewhere.sqlite"))
    assert client.get("/healthz").json() == {"healthy": False, "why": "gone"}


def test_many_who_ask_for_health_touch_the_database_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    touched: list[int] = []
    monkeypatch.setattr(Storage, "touch", lambda self: touched.append(1))
    for _ in range(20):
        assert client.get("/healthz").status_code == 200
    assert len(touched) <= 2


def test_figures_tell_what_was_done(watched: TestClient) -> None:
    table = Table(watched, ruleset="duel", scenario="bridge")
    watched.get("/api/games/nothing-there")
    watched.get("/api/nowhere")
    result = figures(watched)
    made = (("method", "POST"), ("route", "/api/games"), ("status", "201"))
    assert result["caltrop_requests_total", made] == 1
    missing = (("method", "GET"), ("route", "/api/games/{id}"), ("status", "404"))
    assert result["caltrop_requests_total", missing] == 1
    assert result["caltrop_request_seconds_count", (("route", "/api/games"),)] == 1
    assert result["caltrop_games_in_memory", (("ruleset", "duel"),)] == 1
    assert result["caltrop_events_stored_total", (("kind", "created"),)] == 1
    assert result["caltrop_storage_trouble", ()] == 0
    text = watched.get("/metrics").text
    assert table.id not in text
    assert not any(token in text for token in table.tokens)


def test_labels_of_figures_are_few_whatever_is_asked(watched: TestClient) -> None:
    for n in range(30):
        watched.request(f"ODD{n}", f"/api/odd-{n}")
        watched.get(f"/page-{n:06}")
    routes = {labels for name, labels in figures(watched) if name == "caltrop_requests_total"}
    assert len(routes) <= 6


def test_nobody_reads_figures_where_nobody_is_named(client: TestClient) -> None:
    assert "caltrop_requests" not in client.get("/metrics").text


def test_nobody_else_reads_figures(watched: TestClient) -> None:
    watched._transport.client = ("192.0.2.7", 50_000)
    assert "caltrop_requests" not in watched.get("/metrics").text


def test_every_answer_has_the_id_of_its_request(client: TestClient) -> None:
    ids = {client.get(path).headers["x-request-id"] for path in ("/api/ping", "/api/nowhere", "/", "/healthz")}
    assert len(ids) == 4
    assert client.get("/api/ping", headers={"x-request-id": "chosen-by-a-stranger"}).headers["x-request-id"] not in (
        "chosen-by-a-stranger",
        *ids,
    )


def test_a_trusted_proxy_names_requests(database: str) -> None:
    with served(database, proxies=(HERE,)) as client:
        client._transport.client = ("127.0.0.1", 50_000)
        asked = {"x-request-id": "proxy-0001"}
        assert client.get("/api/ping", headers=asked).headers["x-request-id"] == "proxy-0001"
        assert len(client.get("/api/ping", headers={"x-request-id": "a b" * 9}).headers["x-request-id"]) == 16


def test_the_log_has_a_line_for_each_request_and_no_secret(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "caltrop.access")
    caplog.handler.setFormatter(JsonLines())
    table = Table(client, ruleset="duel", scenario="bridge")
    answer = client.get(
        f"/api/games/{table.id}?eyes=0&secret=yes", headers={"Authorization": f"Bearer {table.tokens[0]}"}
    )
    lines = [json.loads(line) for line in caplog.text.splitlines()]
    last = lines[-1]
    assert {key: last[key] for key in ("level", "logger", "method", "route", "status")} == {
        "level": "info",
        "logger": "caltrop.access",
        "method": "GET",
        "route": "/api/games/{id}",
        "status": 200,
    }
    assert last["request"] == answer.headers["x-request-id"]
    assert last["ms"] >= 0
    assert not any(word in caplog.text for word in (table.id, *table.tokens, "secret=yes"))


def test_an_error_stands_in_its_line() -> None:
    try:
        raise ZeroDivisionError("by chance")
    except ZeroDivisionError:
        record = logging.LogRecord("caltrop", logging.ERROR, "here", 1, "it %s", ("failed",), sys.exc_info())
    line = json.loads(JsonLines().format(record))
    assert (line["message"], line["level"]) == ("it failed", "error")
    assert "ZeroDivisionError: by chance" in line["error"]
    assert "request" not in line


def test_lines_of_requests_are_never_left_out() -> None:
    sparing = Sparing()
    record = logging.LogRecord("caltrop.access", logging.INFO, "here", 1, "%s %s %d", ("GET", "/", 200), None)
    assert all(sparing.filter(record) for _ in range(100))
    other = logging.LogRecord("caltrop.server", logging.WARNING, "here", 1, "the same", (), None)
    assert [sparing.filter(other) for _ in range(9)].count(True) == Sparing.LINES


def test_a_form_of_the_log_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="'xml' is not a format of the log; write text or json"):
        run.run(host="127.0.0.1", port=0, log="xml")
    with pytest.raises(InputError, match="not an address of who may read figures"):
        run.run(host="127.0.0.1", port=0, metrics=("nobody",))
