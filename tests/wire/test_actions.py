"""Messages are read strictly, and an error names the place and the nearest valid name."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.chance import Seeded
from caltrop.engine import Action, Match, ruleset
from caltrop.rules.duel.movement import Walk
from caltrop.rules.duel.turn import Stake
from caltrop.wire import WrongMessage, read_action, read_message, read_strictly
from caltrop.wire.actions import read_json
from caltrop.wire.messages import Answer, Hello, NewGame, Ping

DUEL = ruleset("duel")


def test_every_action_of_a_game_is_read_back_as_it_was() -> None:
    seen: set[str] = set()
    for seed in range(6):
        dice = Seeded(seed)
        rules = DUEL.book()
        match = Match(DUEL, DUEL.setup(rules, "crossroads"), dice, keep=False)
        while match.waiting:
            decision = match.waiting[0]
            for action in decision.options(match.view(decision.side)):
                assert read_action(DUEL, msgspec.json.encode(action)) == action
            action = decision.options(match.view(decision.side)).sample(dice)
            seen.add(type(action).__name__)
            match.play(decision.side, action, decision)
    assert {"Stake", "Walk", "Thrust", "HoldBack", "Parry", "TakeIt"} <= seen


@pytest.mark.parametrize(
    ("text", "message", "field"),
    [
        ('{"type": "Wlak", "path": []}', "did you mean Walk?", "type"),
        ('{"path": []}', "an action needs a type", "type"),
        ('{"type": 3}', "an action needs a type", "type"),
        ('{"type": "Stake"}', "missing: `points`", ""),
        ('{"type": "Stake", "points": "2"}', "expected `int`, got `str`", "points"),
        ('{"type": "Stake", "points": 2.0}', "expected `int`, got `float`", "points"),
        ('{"type": "Stake", "points": true}', "expected `int`, got `bool`", "points"),
        ('{"type": "Stake", "points": 1, "pionts": 2}', "did you mean points?", "pionts"),
        ('{"type": "Walk", "path": [[1, 2], [3]]}', "length 2", "path[1]"),
        ('{"type": "Stake", "points": 9007199254740993}', "too large", "points"),
        ("[]", "expected `object`", ""),
        ("", "not JSON", ""),
        ("{", "not JSON", ""),
        ("[" * 50_000, "", ""),
        ('{"type": "Walk", "path": ' + "[" * 20 + "]" * 20 + "}", "nested", "path" + "[0]" * 12),
        (json.dumps({"type": "Walk", "path": [[1, 1]] * 2000}), "2000 entries", "path"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, message: str, field: str) -> None:
    with pytest.raises(WrongMessage) as error:
        read_action(DUEL, text.encode())
    assert message in error.value.message
    assert error.value.field == field


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["type", "points", "path", "x"]), inner),
)


LIKE_ACTIONS = st.fixed_dictionaries(
    {"type": st.sampled_from(["Stake", "Walk"])}, optional={"points": JSON, "path": JSON}
)


@given(JSON | LIKE_ACTIONS)
def test_any_json_is_an_action_or_a_wrong_message(value: Any) -> None:
    try:
        action = read_action(DUEL, msgspec.json.encode(value))
    except WrongMessage:
        return
    assert isinstance(action, Action)
    assert msgspec.json.decode(msgspec.json.encode(action)) == value


@given(st.binary())
def test_any_bytes_are_a_message_or_a_wrong_message(raw: bytes) -> None:
    for read in (lambda: read_action(DUEL, raw), lambda: read_message(raw), lambda: read_strictly(raw, NewGame)):
        with suppress(WrongMessage):
            read()


def test_an_answer_needs_no_type() -> None:
    message = read_message('{"decision": "1.0", "action": {"type": "Stay"}, "ref": 4}')
    assert message == Answer(decision="1.0", action={"type": "Stay"}, ref=4)
    assert read_message(b'{"type": "ping"}') == Ping()
    assert read_message('{"type": "hello", "tokens": ["a"], "seen": 3}') == Hello(tokens=("a",), seen=3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type": "png"}', "there are hello, answer"),
        ('{"type": ["ping"]}', "there is no message"),
        ('{"type": "ping", "reff": 1}', "did you mean ref?"),
        ('{"decision": 1, "action": {}}', "decision: expected `str`"),
        ('{"type": "propose", "decision": "1", "wish": {"unit": 0, "tp": [1, 2]}}', "did you mean to?"),
        ("3", "an object"),
    ],
)
def test_a_wrong_message_names_the_nearest(text: str, message: str) -> None:
    with pytest.raises(WrongMessage, match=message.replace("?", r"\?")):
        read_message(text)


def test_an_action_is_written_with_its_type() -> None:
    assert msgspec.json.encode(Stake(2)) == b'{"type":"Stake","points":2}'
    assert msgspec.json.encode(Walk(((1, 2),))) == b'{"type":"Walk","path":[[1,2]]}'


@pytest.mark.parametrize("raw", [b'{"a": 1, "a": 1}', b'[{"b": {"a": 1, "a": []}}]', b'{"a": 1, "\\u0061": 2}'])
def test_a_key_that_stands_twice_is_refused(raw: bytes) -> None:
    with pytest.raises(WrongMessage, match=r"^a: an object contains the key twice$"):
        read_json(raw)
    assert read_json(b'[{"a": 1}, {"a": {"a": 2}}]') == [{"a": 1}, {"a": {"a": 2}}]


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    seconds: int = 0


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    clock: Inner | None = None
    many: tuple[Inner, ...] = ()
    named: dict[str, Inner] = {}


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b'{"clok": 1}', "clok: there is no field 'clok'; did you mean clock?"),
        (b'{"clock": {"second": 1}}', "clock.second: there is no field 'second'; did you mean seconds?"),
        (b'{"many": [{}, {"x": 1}]}', "many[1].x: there is no field 'x'; there are seconds"),
    ],
)
def test_an_unknown_field_is_told_where_it_stands(raw: bytes, says: str) -> None:
    with pytest.raises(WrongMessage) as error:
        read_strictly(raw, Outer)
    assert str(error.value) == says
