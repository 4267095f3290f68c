"""The form for an attack request, as a page gets it field by field."""

from __future__ import annotations

from functools import partial

from caltrop import odds
from caltrop.engine import total
from caltrop.engine.form import Form
from caltrop.rules.command_horizon.form import form
from tests.rules.forms import changed_request

START = dict(form({"ruleset": "command-horizon"}).start)


def values(form: Form, field: str) -> list[str]:
    return [one.value for one in form.choices[field]]


changed = partial(changed_request, START)


def test_the_attack_to_begin_with_has_odds_and_tells_its_dice() -> None:
    result, words = form(START), odds(START)
    attack, defence = result.dice
    assert total(attack.parts) == words["attack_dice"] == 6
    assert attack.words == "6 attack dice"
    assert {term.clause for term in attack.parts} == {"CH-FIRE-09"}
    assert [term.clause for term in defence.parts] == ["CH-DEF-03"]


def test_the_choices_are_those_of_the_edition_and_the_army() -> None:
    result = form(START)
    assert values(result, "edition") == ["current", "v1.5"]
    assert "putredine" in values(result, "target.army")
    assert "heavy-weapons" in values(result, "attacker.kind")
    assert "heavy-weapons" not in values(result, "target.kind")
    assert "putredine" not in values(form(changed(edition="v1.5")), "target.army")
    assert "attacker.kind" not in form(changed(attacker__army="nobody")).choices


def test_every_choice_of_a_unit_is_one_that_the_rules_know() -> None:
    for army in values(form(START), "attacker.army"):
        for kind in values(form(changed(attacker__army=army)), "attacker.kind"):
            result = form(changed(attacker__army=army, attacker__kind=kind, attacker__models=1))
            assert result.ranges.get("attacker.models", (1, 1))[0] == 1


def test_models_and_markers_have_their_bounds() -> None:
    assert form(START).ranges["attacker.models"] == (1, 4)
    assert form(START).ranges["attacker.stuns"] == (0, 5)
    assert form(changed(attacker__models=1)).ranges["attacker.stuns"] == (0, 1)
    worms = form(changed(target__army="putredine", target__kind="infantry"))
    assert worms.ranges["target.models"] == (1, 200)


def test_what_means_nothing_in_the_attack_is_idle() -> None:
    idle = form(START).idle
    assert {"attacker.platoon", "target.drone", "marks", "against_charge"} <= set(idle)
    assert not {"boost", "target.cover", "overkills"} & set(idle)
    platoon = changed(attacker__kind="infantry", attacker__models=6, attacker__platoon=True)
    assert "attacker.platoon" not in form(platoon).idle
    assert "target.drone" not in form(changed(target__kind="command", target__models=1)).idle
