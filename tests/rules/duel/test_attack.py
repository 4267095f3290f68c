"""Strikes outside a game: with their dice, as odds, and as forecasts on the table."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop import InputError
from caltrop.engine import Match, Ruleset, ruleset
from caltrop.engine.forecast import Forecast
from caltrop.engine.parts import Referee
from caltrop.rules.duel.strike import HoldBack, Parry, TakeIt, Thrust
from tests.rules.duel.test_duel import briar, close


def rules() -> Ruleset:
    return ruleset("duel")


def referee() -> Referee[Any, Any]:
    referee = rules().referee
    assert referee is not None
    return referee


def request(**change: Any) -> dict[str, Any]:
    return {"ruleset": "duel", "target": {"wounds": 2}, **change}


def foreseen(match: Match, action: Any) -> Forecast | None:
    side = match.waiting[0].side
    foresee = rules().forecasts
    assert foresee is not None
    return foresee(match.view(side), side, action)


@pytest.mark.parametrize(
    ("change", "needed"),
    [
        ({}, 4),
        ({"edition": "sharp"}, 3),
        ({"parried": True}, 6),
        ({"edition": "sharp", "parried": True}, 5),
        ({"attacker": {"breath": 0, "trait": "steady-handed"}}, 3),
        ({"attacker": {"breath": 1, "trait": "steady-handed"}}, 4),
    ],
)
def test_a_strike_is_refereed_with_its_die(change: dict[str, Any], needed: int) -> None:
    for face in range(1, 7):
        resolve = referee().resolve(request(**change, dice={"attack": face}))
        assert (resolve["needed"], resolve["hit"]) == (needed, face >= needed)
        assert resolve["target"]["wounds"] == 2 - (face >= needed)
        assert sum(term["value"] for term in resolve["because"][:-1]) == needed
    odds = referee().odds(request(**change))
    hit = {one["wounds"]: one["p"] for one in odds["outcomes"]}
    assert hit[1] == pytest.approx((7 - needed) / 6)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"dice": {"attack": 7}}, "dice.attack"),
        ({"target": {"wounds": 0}}, "target.wounds: it goes from 1 to 20; this one is 0, and the nearest is 1"),
        ({"attacker": {"trait": "steady"}}, "attacker.trait: there is no trait 'steady'"),
        ({"attacker": {"breath": -1}}, "attacker.breath"),
        ({"rules": {"parry.prize": 1}}, "parry.price"),
        ({"ruleset": "duell"}, "ruleset"),
        ({}, "dice: a strike is refereed with its die"),
    ],
)
def test_what_is_wrong_with_a_request_is_told_at_its_field(change: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as error:
        referee().resolve(request(**change))
    assert says in str(error.value)


def test_a_strike_is_foreseen_with_the_parry_that_may_answer_it() -> None:
    result = foreseen(close(), Thrust())
    assert result is not None
    assert result.headline == "Takes at least one wound: 50 %"
    assert [(one.parts, one.probability) for one in result.outcomes] == [({"wounds": 2}, "1/2"), ({"wounds": 3}, "1/2")]
    (answer,) = result.answers
    assert (answer.about, answer.outcomes[0].probability) == ("Briar may parry", "1/6")
    assert foreseen(close(), HoldBack()) is None
    assert foreseen(close(), TakeIt()) is None, "nobody asks for that now"


def test_who_lacks_the_breath_gives_no_answer_and_the_last_wound_is_said_to_be_it() -> None:
    result = foreseen(close(briar={"breath": 0, "wounds": 1}), Thrust())
    assert result is not None
    assert (result.answers, result.headline) == ((), "Destroys it: 50 %")
    assert result.outcomes[0].words == "down"


def test_a_parry_is_foreseen_by_who_may_pay_for_it() -> None:
    match = close((6,))
    match.play(0, Thrust())
    parried, taken = foreseen(match, Parry()), foreseen(match, TakeIt())
    assert parried is not None
    assert taken is not None
    assert (parried.by, parried.target) == (0, 1)
    assert (parried.outcomes[0].probability, taken.outcomes[0].probability) == ("1/6", "1/2")


def test_each_sees_the_other_while_both_stand() -> None:
    sights = rules().sights
    assert sights is not None
    match = close((6,), briar={"wounds": 1, "breath": 0})
    (seen,) = sights.see(match.view(0), 0, places={0: (100, 100)}, draw=True)
    assert (seen.words, seen.lines[0].start, seen.lines[0].end) == ("Ash sees Briar", (100, 100), (900, 500))
    assert sights.see(match.view(0), 0, targets=(0,)) == ()
    match.play(0, Thrust())
    assert briar(match).wounds == 0
    assert sights.see(match.view(0), 1) == ()
