"""The form for an attack request, as a page gets it field by field."""

from __future__ import annotations

from functools import partial

import pytest

from caltrop import odds
from caltrop.engine import total
from caltrop.rules.blade_skirmish.form import form
from tests.rules.forms import changed_request

START = dict(form({"ruleset": "blade-skirmish"}).start)

changed = partial(changed_request, START)


def test_the_sums_of_both_dice_are_told() -> None:
    attacker, defender = form(changed(attacker__quality=3, flanking=True)).dice
    assert (attacker.words, total(attacker.parts)) == ("The attacker (Seasoned) adds 5 to her die", 5)
    assert (defender.words, total(defender.parts)) == ("The defender (Trained) adds 2 to her die", 2)


@pytest.mark.clause("BS-Q09")
@pytest.mark.parametrize("who", ["attacker", "defender"])
def test_qualities_are_bounded_as_the_rules_bound_them(who: str) -> None:
    least, most = form(START).ranges[f"{who}.quality"]
    for quality in range(least, most + 1):
        assert form(changed(**{f"{who}__quality": quality})).dice
    for beyond in (least - 1, most + 1):
        assert not form(changed(**{f"{who}__quality": beyond})).dice


@pytest.mark.clause("BS-Q10")
def test_what_a_tie_may_come_to_has_odds() -> None:
    assert [one.value for one in form(START).choices["rules.challenge_tie"]] == ["hold", "reroll"]
    for one in form(START).choices["rules.challenge_tie"]:
        assert odds(changed(rules__challenge_tie=one.value))["outcomes"]
    assert form(changed(rules__challenge_tie="clash")).dice == ()
