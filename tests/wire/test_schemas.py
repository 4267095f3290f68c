"""The schemas are valid and fit the messages that are sent, and the documented messages are those that the program
uses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from caltrop import InputError
from caltrop.engine import ruleset, rulesets
from caltrop.engine.parts import Parts
from caltrop.rules.duel.records import Staked
from caltrop.rules.duel.turn import Stake
from caltrop.wire import Change, RefusalMessage, View, read_message, schema
from caltrop.wire.messages import MadeGame, NewGame, PickedUpMessage, ProposalMessage
from caltrop.wire.schemas import _any_of
from tests.wire.test_changes import game, plain

WRITTEN = Path(__file__).parents[2] / "docs/wire.md"


def fits(name: str, value: Any, of: str | None = None) -> bool:
    """Return True if a value fits a schema. The schema itself must be valid."""
    made = schema(name, of)
    Draft202012Validator.check_schema(made)
    return bool(Draft202012Validator(made).is_valid(plain(value)))


def test_what_is_sent_fits_its_schema() -> None:
    view = game(1).view(0)
    assert fits("view", view)
    assert fits("decision", view.decisions[0])
    assert fits("action", Stake(2), "duel")
    assert fits("event", Staked((1, 2)), "duel")
    assert not fits("action", {"type": "Stake", "points": "2"}, "duel")
    assert not fits("view", {})


def test_a_recorded_game_fits_its_schema() -> None:
    from caltrop.journal import Setting, encoded, record_of

    played = game(1)
    setting = Setting(ruleset="duel", edition="current", rules=played.setup.rules, scenario="crossroads")
    record = encoded(record_of(played.match, setting, players=("person", "person"), salt=b"salt"))
    assert fits("game", json.loads(record))


def test_an_unknown_schema_or_game_names_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="did you mean view"):
        schema("veiw")
    with pytest.raises(InputError, match="did you mean duel"):
        schema("action", "deul")
    monkeypatch.setattr(type(ruleset("duel")), "parts", Parts())
    with pytest.raises(InputError, match="duel has no schema of 'army'"):
        schema("army", "duel")


def test_schemas_of_several_games_are_put_together_and_keep_apart_what_differs() -> None:
    both = _any_of(
        [
            {"$ref": "#/$defs/A", "$defs": {"A": {"type": "integer"}, "B": {"type": "null"}}},
            {
                "anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}],
                "$defs": {"A": {"type": "string"}, "B": {"type": "null"}},
            },
        ]
    )
    Draft202012Validator.check_schema(both)
    check = Draft202012Validator(both)
    assert [check.is_valid(1), check.is_valid("x"), check.is_valid(None), check.is_valid([])] == [
        True,
        True,
        True,
        False,
    ]
    assert sorted(both["$defs"]) == ["A", "A.1", "B"]


def by_hand() -> str:
    """Return the page of messages without its generated part, which `tests/docs/test_wire_reference.py` checks."""
    return re.sub(r"<!-- The messages, made.*<!-- End of the messages. -->", "", WRITTEN.read_text("utf-8"), flags=re.S)


def test_the_messages_that_are_written_down_are_read_by_the_program() -> None:
    types: dict[str, Any] = {
        "view": View,
        "change": Change,
        "refusal": RefusalMessage,
        "proposal": ProposalMessage,
        "picked-up": PickedUpMessage,
    }
    seen = set()
    for block in re.findall(r"```json\n(.*?)```", by_hand(), re.S):
        value = json.loads(block)
        kind = value.get("type")
        seen.add(kind or next(iter(value)))
        if kind in types:
            read = msgspec.convert(value, types[kind], str_keys=True)
            whole = json.loads(msgspec.json.encode(read))
            assert whole == value, f"docs/wire.md shows a whole `{kind}`, and its example is not up to date"
        elif kind is None:
            msgspec.convert(value, MadeGame if "game" in value else NewGame)
        else:
            assert type(read_message(block)).__struct_config__.tag == kind
    assert seen == {"view", "change", "refusal", "proposal", "picked-up", "hello", "game", "ruleset"}


def test_every_game_names_its_actions_apart() -> None:
    names = [kind.__name__ for kind in ruleset("duel").vocabulary().actions]
    assert len(names) == len(set(names)) > 3


@pytest.mark.parametrize("name", ["scenario", "army", "attack", "resolve", "odds"])
def test_the_files_and_requests_of_a_battle_have_schemas(name: str) -> None:
    made = schema(name)
    Draft202012Validator.check_schema(made)
    assert not Draft202012Validator(made).is_valid(3)


def test_an_attack_request_fits_its_schema() -> None:
    request = {
        "ruleset": "command-horizon",
        "mode": "fire",
        "attacker": {"army": "alliance", "kind": "medium-tank", "models": 4},
        "target": {"army": "asori", "kind": "heavy-tank", "models": 4},
    }
    assert fits("attack", request, "command-horizon")
    assert not fits("attack", {**request, "mdoe": "fire"}, "command-horizon")


def narrow(part: Any) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield every part of a schema with limits or words, with a value just beyond them."""
    if "maximum" in part and part.get("type") in ("integer", "number"):
        yield part, part["maximum"] + 1
    elif "enum" in part:
        yield part, "no-such-word"


@pytest.mark.parametrize("name", [name for name in rulesets() if ruleset(name).referee is not None])
def test_an_attack_schema_says_which_words_and_numbers_there_are(name: str) -> None:
    referee = ruleset(name).referee
    assert referee is not None
    assert referee.form is not None
    made = schema("attack", name)
    valid = Draft202012Validator(made)
    Draft202012Validator.check_schema(made)
    start: dict[str, Any] = json.loads(msgspec.json.encode(referee.form({"ruleset": name}).start))
    assert valid.is_valid(start)
    root = made["$defs"][made["$ref"].rpartition("/")[2]]
    refused = []
    for head, part in root["properties"].items():
        if "$ref" in part and head not in start:
            continue  # dice, which requests for odds do not have
        inner = made["$defs"][part["$ref"].rpartition("/")[2]]["properties"] if "$ref" in part else {"": part}
        for field, narrowed in inner.items():
            for _, beyond in narrow(narrowed):
                raw = {**start, head: {**start[head], field: beyond} if field else beyond}
                assert not valid.is_valid(raw)
                with pytest.raises(InputError) as error:
                    referee.odds(raw)
                assert error.value.field == (f"{head}.{field}" if field else head)
                refused.append(error.value.field)
    assert "ruleset" in refused


def test_the_attack_schema_names_rows_and_faces() -> None:
    fields = schema("attack", "squad-action")["$defs"]
    assert "rifle" in fields["ShooterGiven"]["properties"]["weapon"]["anyOf"][0]["enum"]
    assert "fearless" in fields["TargetGiven"]["properties"]["traits"]["items"]["enum"]
    assert fields["DiceGiven"]["properties"]["saves"]["items"] == {"type": "integer", "minimum": 1, "maximum": 6}
    kinds = schema("attack", "command-horizon")["$defs"]["AttackerGiven"]["properties"]["kind"]["anyOf"][0]["enum"]
    assert {"slugger", "medium-tank"} <= set(kinds), "kinds of all armies"
    hexes = schema("attack", "hex-command")["$defs"]
    assert "woods" in hexes["AttackRequest"]["properties"]["terrain"]["enum"]
