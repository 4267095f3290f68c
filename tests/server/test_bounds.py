"""Every route and every message has its limit in docs/security.md, and each limit named there exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import caltrop
from caltrop.host import computers, turns
from caltrop.server import background, connections, counting, guard, shares
from caltrop.server.refusals import STATUS
from caltrop.server.said import REPLIES
from caltrop.wire.messages import Eyes, Hello
from tests.server.tables import TestClient

ROOT = Path(caltrop.__file__).parents[2]
PAGE = (ROOT / "docs/security.md").read_text("utf-8")
BOUNDS = PAGE.partition("| what | limit | beyond it | where | test |")[2].partition("\n\n")[0]
ASKED = PAGE.partition("| request | limits besides")[2].partition("\n\n")[0]


def test_every_route_and_message_has_its_bound(client: TestClient) -> None:
    written = [one for row in ASKED.splitlines() for one in re.findall(r"`([^`]+)`", row)]
    app = client.app.app  # type: ignore[attr-defined]
    routes = {
        f"{method} {route.path}"
        for route in app.routes
        if getattr(route, "methods", None) and route.path.startswith("/api/")
        for method in route.methods
    }
    kinds = {str(kind.__struct_config__.tag) for kind in (*REPLIES, Hello, Eyes)}  # type: ignore[attr-defined]
    assert sorted(written) == sorted(routes | kinds)


def test_what_is_said_of_where_a_bound_is_held_and_tried_exists() -> None:
    rows = [row.strip("| ").split(" | ") for row in BOUNDS.splitlines() if row.startswith("| ")]
    assert len(rows) > 25
    for _, _, _, where, test in rows:
        for name in re.findall(r"`([^`]+)`", where):
            assert list((ROOT / "src/caltrop").glob(f"server/{name}")) or list((ROOT / "src/caltrop/host").rglob(name))
        for name in re.findall(r"`([^`]+)`", test):
            assert list((ROOT / "tests").glob(f"server/{name}")) or list((ROOT / "tests/host").glob(name)), name


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (connections.HEAD, "| headers, trailers and chunk headers of a request | {:,} bytes"),
        (connections.FIELDS, "an eighth of the body; {} headers |"),
        (connections.AT_ONCE, "| requests of a connection that wait for an earlier one | {} |"),
        (connections.EACH, "| connections of an address | {};"),
        (guard.ServerLimits().body, "131,072 bytes; {:,} for recorded games"),
        (guard.ServerLimits().requests, "| requests of an address | {:g} a second"),
        (turns.EACH, "| computations for one address | {} in each queue"),
        (turns.MOST, "addresses take turns; {} for all |"),
        (turns.THREADS, "rulebooks, studies | {} at a time"),
        (background.EACH, "1 for an address; {} may wait for an address"),
        (background.MOST, "for an address, {} for all; 30 minutes"),
        (computers.THINKING_SECONDS, "| a decision of a computer player | {:g} seconds from when"),
        (computers.PATIENCE_SECONDS, "starts to think, {:g} seconds in the queue"),
        (
            computers.LOOKED_SECONDS,
            "without people | while somebody watches, and {:g} seconds after",
        ),
        (counting.ODDS_SECONDS, "| odds or resolution of an attack | {:g} seconds |"),
        (counting.RECORD_SECONDS, "| verification or replay of a record | {:g} seconds |"),
        (connections.Sparing.LINES, "| the server's log | {} lines of a kind"),
    ],
)
def test_bounds_are_those_that_are_written(value: float, words: str) -> None:
    assert words.format(value) in BOUNDS


def test_an_address_has_half_of_the_time() -> None:
    assert (shares.RATE, shares.BURST) == (0.5, 0.5), "as docs/security.md says in words"


def test_every_code_of_the_server_is_written_down() -> None:
    wire = (ROOT / "docs/wire.md").read_text("utf-8")
    codes = set(STATUS)
    for folder in ("server", "host"):
        for file in (ROOT / "src/caltrop" / folder).rglob("*.py"):
            codes |= set(re.findall(r'refused\(\s*"([a-z-]+)"', file.read_text("utf-8")))
    assert len(codes) > 40
    assert not [code for code in sorted(codes) if f"`{code}`" not in wire]
