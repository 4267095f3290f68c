"""The explorer by itself: budgets, stops and policies. Laws compare its results with play (`tests/laws`)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from caltrop.engine import Procedure, ruleset
from caltrop.engine.explore import (
    GO_ON,
    LEFT_OUT,
    STOP,
    CannotExplore,
    Explorer,
    explore,
    explore_answer,
    first_option,
    live_fields,
)
from caltrop.rules.duel.strike import Strike, TakeIt


def duel() -> Any:
    rules = ruleset("duel")
    return rules.setup(rules.book(), rules.scenarios()[0].id)


def left(t: Any, _: object = None) -> int:
    return int(t.duellists[1].wounds)


def test_a_strike_is_exact_and_leaves_the_state_alone() -> None:
    t = duel()
    before = left(t)
    result = explore(t, Strike(side=0), left)
    assert result.exact
    assert sum(chance for _, chance in result.odds.items()) == 1
    assert len(result.odds) > 1
    assert left(t) == before
    assert t.stack == duel().stack


def test_what_has_too_many_nodes_is_played_and_says_so() -> None:
    result = explore(duel(), Strike(side=0), left, nodes=2, times=500)
    exact = explore(duel(), Strike(side=0), left)
    assert (result.exact, result.times) == (False, 500)
    assert result.reason == "Strike has more than 2 nodes"
    assert sum(chance for _, chance in result.odds.items()) == 1
    for end, chance in exact.odds.items():
        assert abs(result.odds[end] - chance) < Fraction(1, 8)


def test_what_has_to_look_ahead_is_not_played() -> None:
    stops: dict[tuple[type[Procedure], str], Any] = {(Strike, "read_the_die"): lambda frame, t: "read"}
    with pytest.raises(CannotExplore, match="more than 1 nodes"):
        explore(duel(), Strike(side=0), left, stops=stops, nodes=1)


def test_a_procedure_ends_where_it_is_stopped() -> None:
    stops: dict[tuple[type[Procedure], str], Any] = {(Strike, "throw_the_die"): lambda frame, t: "before the die"}
    odds = Explorer(duel(), stops=stops).odds(Strike(side=0), lambda t, result: result)
    assert dict(odds.items()) == {"before the die": 1}


def test_a_question_is_left_out_with_the_step_that_takes_its_answer() -> None:
    run: set[str] = set()

    def goes_on(frame: Strike, t: Any) -> Any:
        run.add(frame.at)
        return GO_ON

    names = ("parry", "throw_the_die", "read_the_die")
    stops: dict[tuple[type[Procedure], str], Any] = {(Strike, name): goes_on for name in names}
    stops[Strike, "offer_a_parry"] = lambda frame, t: LEFT_OUT
    odds = Explorer(duel(), stops=stops).odds(Strike(side=0), left)
    taken = Explorer(duel(), lambda t, decision: TakeIt()).odds(Strike(side=0), left)
    assert run == {"throw_the_die", "read_the_die"}
    assert odds == taken


def test_a_policy_stops_at_a_question() -> None:
    t = duel()
    asked: list[str] = []

    def policy(state: Any, decision: Any) -> Any:
        asked.append(type(decision).__name__)
        return STOP

    odds = Explorer(t, policy).odds(Strike(side=0), left)
    assert dict(odds.items()) == {left(t): 1}
    assert asked == ["ParryOrNot"]


def test_one_question_has_to_be_open() -> None:
    with pytest.raises(ValueError, match="one question has to be open, and 0 are"):
        explore_answer(duel(), None, left, first_option)


def test_fields_that_are_read_no_more_are_dead() -> None:
    live = live_fields(Strike)
    assert "side" in live["throw_the_die"]
    assert live["-"] == ()
