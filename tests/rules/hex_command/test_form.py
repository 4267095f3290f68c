"""What a page is told, so that an attack request can be put together field by field."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import total
from caltrop.rules.hex_command.catalogue import CLASSES, TYPES
from caltrop.rules.hex_command.form import START, form
from caltrop.rules.hex_command.odds import odds


def changed(**fields: Any) -> dict[str, Any]:
    """The attack to begin with, with other values; `target__type` is a field of the target."""
    out = {key: dict(value) if isinstance(value, dict) else value for key, value in START.items()}
    for path, value in fields.items():
        head, _, tail = path.rpartition("__")
        (out[head] if head else out)[tail] = value
    return out


def test_the_attack_to_begin_with_has_odds_and_tells_its_dice() -> None:
    found = form(START)
    assert total(found.dice) > 0
    assert all(term.clause for term in (*found.dice, *found.shields))
    assert sum(outcome["p"] for outcome in odds(START)["outcomes"]) == pytest.approx(1)


def test_every_choice_is_one_that_the_rules_know() -> None:
    found = form(START)
    assert [one.value for one in found.choices["target.class"]] == list(CLASSES)
    assert [one.value for one in found.choices["attacker.type"]] == list(TYPES)
    for ground in found.choices["terrain"]:
        assert odds(changed(terrain=ground.value, range=1))["outcomes"]


def test_strength_is_bounded_by_the_kind_and_a_leader_needs_no_leader() -> None:
    for unit_class in CLASSES:
        for unit_type in TYPES:
            least, most = form(changed(target__class=unit_class, target__type=unit_type)).ranges["target.strength"]
            assert least == 1
            assert odds(changed(target__class=unit_class, target__type=unit_type, target__strength=most, range=1))
    assert form(START).idle == ()
    assert form(changed(attacker__class="leader", range=1)).idle == ("attacker.leader",)


def test_a_request_that_is_not_in_order_still_gets_its_choices() -> None:
    for raw in ({}, {"attacker": 7}, changed(range=99), changed(target__class="tank")):
        found = form(raw)
        assert (found.dice, found.idle) == ((), ())
        assert "attacker.class" in found.choices
