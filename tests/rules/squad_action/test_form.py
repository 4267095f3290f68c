"""The form for an attack request, as a page gets it field by field."""

from __future__ import annotations

from functools import partial

import pytest

from caltrop import odds
from caltrop.engine import total
from caltrop.rules.squad_action.form import form
from tests.rules.forms import changed_request

START = dict(form({"ruleset": "squad-action"}).start)
"""An attack to begin with."""

changed = partial(changed_request, START)


def test_every_choice_has_odds() -> None:
    result = form(START)
    assert result.dice
    for field, choices in result.choices.items():
        for choice in choices:
            request = changed(**{field.replace(".", "__"): choice.value, "distance": 6})
            assert odds(request)["outcomes"], choice
            assert form(request).dice


@pytest.mark.clause("SQ-S13", "SQ-Q10")
def test_the_range_of_the_distance_is_that_of_the_weapon() -> None:
    assert form(START).ranges["distance"] == (0, 135), "the largest table"
    assert form(changed(shooter__weapon="pistol")).ranges["distance"] == (0, 16)
    assert form(changed(rules={"max_range_factor": 2})).ranges["distance"] == (0, 32)
    # Unreadable values are ignored.
    assert form(changed(shooter__weapon="pistol", rules={"max_range_factor": 9})).ranges["distance"] == (0, 16)
    for far, right in ((16, True), (17, False)):
        assert bool(form(changed(shooter__weapon="pistol", distance=far)).dice) is right


@pytest.mark.clause("SQ-Q08")
def test_a_pinned_shooter_is_asked_for_where_it_may_shoot() -> None:
    assert form(START).idle == ("shooter.pinned",)
    assert form(changed(rules={"pinned_may_shoot": "on"})).idle == ()


def test_the_models_it_began_with_are_no_fewer_than_there_are() -> None:
    assert form(changed(target__models=5)).ranges["target.starting"] == (5, 40)
    assert form({"ruleset": "squad-action", "target": "nonsense"}).dice == ()


@pytest.mark.clause("SQ-SHO-04", "SQ-SHO-05", "SQ-SHO-07", "SQ-ORG-27")
def test_shots_saves_and_checks_are_told_as_sums() -> None:
    shots, save, breaking, pinning = form(changed(target__cover="hard", target__pinned=True, distance=8)).dice
    assert shots.words == "8 × rifle: 8 dice, each needs 4+"
    assert [(p.value, p.clause) for p in shots.parts] == [(4, "SQ-SHO-04"), (-1, "SQ-SHO-08"), (1, "SQ-SHO-11")]
    assert (save.words, total(save.parts)) == ("Cover save: 3+, a die for each hit", 3)
    assert (breaking.words, total(breaking.parts)) == ("Break test if 5 or more fall: 1 die", 3)
    assert pinning.words.startswith("Pinning check if anything hits")
    assert total(pinning.parts) == 3


@pytest.mark.clause("SQ-S13", "SQ-WPN-02", "SQ-WPN-03", "SQ-TRT-06", "SQ-TRT-08")
def test_what_is_thrown_besides_is_told_where_it_is() -> None:
    flame = changed(shooter__weapon="flamethrower", shooter__models=1, target__cover="hard", distance=4)
    flame["shooter"]["traits"], flame["target"]["traits"] = ["improved-targeting"], ["gene-enhanced"]
    shots, save, ignored, _, pinning = form(flame).dice
    assert shots.words == "1 × flamethrower: 1 die for the number of its shots, each needs 4+, 1s thrown again"
    assert save.words == "Armour save: 6+, a die for each hit"
    assert total(ignored.parts) == 6
    assert pinning.words.startswith("Pinning check: ")
    assert total(pinning.parts) == 4
    # Models without armour have no save, and the loss of one of eight causes no test for breaking.
    for request, words in (
        (changed(target__profile="conscript"), ["8", "Break", "Pinning"]),
        (changed(shooter__models=1), ["1", "Armour", "Pinning"]),
    ):
        assert [one.words.split()[0] for one in form(request).dice] == words
