"""Every message gets an answer without a traceback, and only acknowledged ones change the game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caltrop.server.guard import ServerLimits
from tests.server.tables import Table, Talk, TestClient, served
from tests.tiers import examples

WORDS = [
    "type", "ref", "decision", "action", "dice", "side", "answer", "wish", "unit", "to", "path", "points", "hello",
    "undo", "takeback", "resign", "propose", "odds", "ping", "eyes", "Stake", "Walk", "Stay", "Thrust",
    "0.0", "0.1", "1.0",
]  # fmt: skip
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(WORDS)
    | st.text(max_size=8)
)
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4)
)
ACTIONS = st.one_of(
    st.builds(lambda points: {"type": "Stake", "points": points}, LEAVES),
    st.builds(
        lambda path: {"type": "Walk", "path": path},
        st.lists(st.tuples(st.integers(-3000, 3000), st.integers(-(2**60), 2**60)), max_size=4) | ANYTHING,
    ),
    st.sampled_from([{"type": "Stay"}, {"type": "Thrust"}, {"type": "Parry"}, {"type": "TakeIt"}]),
    ANYTHING,
)
MESSAGES = st.one_of(
    st.fixed_dictionaries(
        {"decision": st.sampled_from(["0.0", "0.1", "1.0", "2.0", "3.0", "", "9"]), "action": ACTIONS},
        optional={"dice": ANYTHING, "type": st.just("answer"), "ref": LEAVES},
    ),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["propose", "odds", "undo", "takeback", "eyes", "ping", "hello"])},
        optional={"side": LEAVES, "answer": LEAVES, "decision": st.just("1.0"), "wish": ANYTHING, "action": ACTIONS},
    ),
    ANYTHING,
)
KINDS = {"view", "change", "done", "refusal", "proposal", "odds", "pong", "presence"}


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a client of a server without limits on the rate of requests."""
    folder: Path = tmp_path_factory.mktemp("fuzz")
    limits = ServerLimits(requests=1e6, burst=10**6, messages=1e6, message_burst=10**6, games_an_hour=10**6)
    with served(f"sqlite:///{folder / 'games.sqlite'}", limits=limits) as client:
        yield client


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(st.tuples(st.integers(0, 1), MESSAGES), max_size=12))
def test_only_what_is_acknowledged_changes_the_game(busy: TestClient, words: list[tuple[int, Any]]) -> None:
    table = Table(busy)
    stands = table.digest, table.view(0)["seq"]
    for side, message in words:
        body = msgspec.json.encode(message)
        headers = {**table.bearer(side), "Content-Type": "application/json"}
        answer = busy.post(f"/api/games/{table.id}/messages", content=body, headers=headers)
        reply = answer.json()
        assert reply["type"] in KINDS
        assert reply.get("code") != "broken", (message, reply)
        assert "Traceback" not in answer.text
        if reply["type"] == "done":
            stands = table.digest, table.view(side)["seq"]
        else:
            assert (table.digest, table.view(side)["seq"]) == stands
        nearest = reply.get("nearest")
        if nearest is not None:
            id = message["decision"]
            assert table.say(side, {"decision": id, "action": nearest})["type"] == "done"
            stands = table.digest, table.view(side)["seq"]


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(MESSAGES | st.text(max_size=20) | st.binary(max_size=20), max_size=12))
def test_a_live_connection_answers_whatever_it_is_told(busy: TestClient, words: list[Any]) -> None:
    table = Table(busy)
    with table.live() as session:
        talk = Talk(session, tokens=table.tokens, eyes=0)
        talk.hear("presence")
        for message in words:
            if isinstance(message, bytes):
                session.send_bytes(message)
            elif isinstance(message, str):
                session.send_text(message)
            else:
                session.send_text(msgspec.json.encode(message).decode())
        talk.tell({"type": "ping", "ref": "the last one"})
        while True:
            heard = talk.hear()
            assert heard["type"] in KINDS
            assert heard.get("code") != "broken", (words, heard)
            if (heard["type"], heard.get("ref")) == ("pong", "the last one"):
                break
    assert "Traceback" not in str(talk.raw)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    body=ANYTHING,
    path=st.sampled_from(["/api/games", "/api/verify", "/api/replay", "/api/odds", "/api/resolve"]),
)
def test_whatever_is_posted_is_answered_in_plain_words(busy: TestClient, body: Any, path: str) -> None:
    answer = busy.post(path, content=msgspec.json.encode(body), headers={"Content-Type": "application/json"})
    assert answer.status_code < 500
    assert answer.json().get("code") in ("wrong-message", "wrong-value")
