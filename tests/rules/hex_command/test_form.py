"""The form for an attack request, as a page gets it field by field."""

from __future__ import annotations

from functools import partial

import pytest

from caltrop import odds
from caltrop.engine import total
from caltrop.rules.hex_command.catalogue import CLASSES, TYPES
from caltrop.rules.hex_command.form import form
from tests.rules.forms import changed_request

START = dict(form({"ruleset": "hex-command"}).start)

changed = partial(changed_request, START)


def test_the_attack_to_begin_with_has_odds_and_tells_its_dice() -> None:
    result = form(START)
    assert total(result.dice[0].parts) > 0
    assert all(term.clause for dice in result.dice for term in dice.parts)
    assert sum(outcome["p"] for outcome in odds(START)["outcomes"]) == pytest.approx(1)


def test_every_choice_is_one_that_the_rules_know() -> None:
    result = form(START)
    assert [one.value for one in result.choices["target.class"]] == list(CLASSES)
    assert [one.value for one in result.choices["attacker.type"]] == list(TYPES)
    for ground in result.choices["terrain"]:
        assert odds(changed(terrain=ground.value, range=1))["outcomes"]


def test_ranges_go_from_a_neighbour_to_six_hexes() -> None:
    assert form(START).ranges["range"] == (1, 6)


def test_strength_is_bounded_by_the_kind_and_a_leader_needs_no_leader() -> None:
    for unit_class in CLASSES:
        for unit_type in TYPES:
            least, most = form(changed(target__class=unit_class, target__type=unit_type)).ranges["target.strength"]
            assert least == 1
            assert odds(changed(target__class=unit_class, target__type=unit_type, target__strength=most, range=1))
    assert form(START).idle == ()
    assert form(changed(attacker__class="leader", range=1)).idle == ("attacker.leader",)
