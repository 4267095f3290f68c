"""Answers about states are cached: a question is computed once, and different questions are never confused."""

from __future__ import annotations

import asyncio
from typing import Any

from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset
from caltrop.host.latest import LatestAnswers
from caltrop.host.questions import Questions


class Sheet:
    """A replacement for a state."""


def test_the_same_question_of_the_same_state_is_worked_out_once() -> None:
    latest, asked = LatestAnswers(), []
    state, other = Sheet(), Sheet()

    def work(what: str) -> str:
        asked.append(what)
        return what

    assert latest.get(state, "a", lambda: work("first")) == "first"
    assert latest.get(state, "a", lambda: work("again")) == "first"
    assert latest.get(other, "a", lambda: work("another state")) == "another state"
    assert latest.get(state, "b", lambda: work("another question")) == "another question"
    assert asked == ["first", "another state", "another question"]


def test_what_nobody_asks_for_goes_first() -> None:
    latest, state, asked = LatestAnswers(2), Sheet(), []

    def ask(what: str) -> None:
        latest.get(state, what, lambda: asked.append(what))

    for what in ("a", "b", "a", "c", "a", "b"):
        ask(what)
    assert asked == ["a", "b", "c", "b"]


def test_an_answer_of_none_is_held_too() -> None:
    latest, state, asked = LatestAnswers(), Sheet(), []
    for _ in range(2):
        assert latest.get(state, "a", lambda: asked.append(1)) is None
    assert asked == [1]


def test_states_of_a_match_are_never_written() -> None:
    # Answers are cached by the identity of the state. An act creates another state.
    rules: Any = ruleset("duel")
    match = Match(rules, rules.setup(rules.book(), "bridge"), Seeded(1))
    seen = []
    for _ in range(6):
        if match.over is not None:
            break
        decision = match.waiting[0]
        before = match.state
        match.play(decision.side, decision.options(match.view(decision.side)).first(), decision)
        seen.append(before is not match.state)
    assert seen
    assert all(seen)


def test_odds_of_an_act_are_counted_once() -> None:
    questions, counted = Questions(), []

    async def ask() -> None:
        state = Sheet()
        for _ in range(3):
            await questions._forecaster.work_out(
                "game", questions._latest.get, state, ("odds", 0, "d1", b"{}"), lambda: counted.append(1)
            )

    asyncio.run(ask())
    assert counted == [1]
