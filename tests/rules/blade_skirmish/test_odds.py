"""The exact odds of single attacks."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from caltrop import InputError, odds
from caltrop.engine.explore import Explorer
from caltrop.rules.blade_skirmish.injury import Attack
from caltrop.rules.blade_skirmish.odds import chances
from caltrop.rules.blade_skirmish.requests import asked, request_of
from caltrop.rules.blade_skirmish.rulebook import ruleset
from caltrop.rules.blade_skirmish.scene import put, scene


def request(attacker: int = 2, defender: int = 2, **fields: Any) -> dict[str, Any]:
    return {
        "ruleset": "blade-skirmish",
        "attacker": {"quality": attacker},
        "defender": {"quality": defender},
        **fields,
    }


def told(answer: dict[str, Any]) -> dict[str | None, Fraction]:
    return {row["injury"]: Fraction(row["probability"]) for row in answer["outcomes"]}


@pytest.mark.clause("BS-W06", "BS-CMB-04", "BS-CMB-05", "BS-CMB-06", "BS-CMB-07")
@pytest.mark.parametrize("flanking", [False, True])
def test_the_odds_are_those_of_every_fall_of_the_dice(flanking: bool) -> None:
    for attacker, defender in product(range(1, 7), repeat=2):
        ways: list[str | None] = []
        for a, d, i in product(range(1, 7), repeat=3):
            hit = a + attacker + 2 * flanking > d + defender
            ways.append(["stunned", "fleeing", "fleeing", "wounded", "wounded", "dead"][i - 1] if hit else None)
        expected = {way: Fraction(ways.count(way), 216) for way in dict.fromkeys(ways)}
        answer = odds(request(attacker, defender, flanking=flanking))
        assert told(answer) == expected
        assert answer["exact"] is True
        assert sum(told(answer).values()) == 1
        assert all(row["p"] == float(Fraction(row["probability"])) for row in answer["outcomes"])


@pytest.mark.clause("BS-CMB-07")
def test_outcomes_come_from_the_mildest_to_the_worst_in_lowest_terms() -> None:
    assert [(row["injury"], row["probability"]) for row in odds(request(3, 2, flanking=True))["outcomes"]] == [
        (None, "1/6"), ("stunned", "5/36"), ("fleeing", "5/18"), ("wounded", "5/18"), ("dead", "5/36"),
    ]  # fmt: skip
    # Impossible results are left out: with a difference of 7 she always wins, and with -5 she never does.
    assert [row["injury"] for row in odds(request(1, 6))["outcomes"]] == [None]
    assert None not in told(odds(request(6, 1, flanking=True)))


@pytest.mark.clause("BS-Q10")
@pytest.mark.house("challenge_tie", "reroll", "hold")
def test_ties_that_are_thrown_again_are_counted_until_somebody_has_won() -> None:
    assert told(odds(request(rules={"challenge_tie": "hold"})))[None] == Fraction(21, 36)
    assert told(odds(request(rules={"challenge_tie": "reroll"})))[None] == Fraction(1, 2)


def test_odds_come_before_dice_and_know_no_fatality() -> None:
    with pytest.raises(InputError) as error:
        odds(request(dice={"attacker": 1, "defender": 1}))
    assert error.value.field == "dice"
    for fatality in ("on_strike", "on_death", "on_removal", "off"):
        assert odds(request(rules={"fatality": fatality})) == odds(request())


@pytest.mark.clause("BS-CMB-04", "BS-INJ-01", "BS-CMB-05")
@pytest.mark.parametrize("tie", ["hold", "reroll"])
def test_the_odds_are_those_of_the_attack_on_the_table(tie: str) -> None:
    start = scene(
        put(0, 3, 12, 12), put(1, 2, 13, 12), put(0, 1, 14, 12), rules={"fatality": "off", "challenge_tie": tie}
    )

    def injury(t: Any, _: object) -> str | None:
        return t.blows[0].injury if t.blows else None

    # If ties are thrown again, the procedure has a cycle, which is solved exactly.
    assert Explorer(start).odds(Attack(attacker=0, target=1), injury) == chances(start, 3, 2, True)


def test_an_attack_of_the_table_is_a_request() -> None:
    book = ruleset.book(None, {"challenge_tie": "reroll"})
    response = request_of(book, 3, 2, True)
    assert response == request(3, 2, flanking=True, rules={"challenge_tie": "reroll"})
    assert asked(response).flanking
    assert request_of(ruleset.book(None, {"challenge_tie": "clash"}), 3, 2, True) is None
