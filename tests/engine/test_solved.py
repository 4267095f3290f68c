"""Explored odds are cached by everything that they read, as long as the steps are unchanged."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.clauses import switched_off
from caltrop.engine.explore import Explorer, Solved
from caltrop.rules.duel.requests import asked
from caltrop.rules.duel.strike import Strike

ID = "caltrop.rules.duel.strike:Strike.parry"
REQUEST = {"ruleset": "duel", "target": {"wounds": 3}}


class Counted:
    """Counts how often a strike is explored."""

    def __init__(self) -> None:
        self.solved: Solved[int] = Solved(2)
        self.times = 0

    def odds(self, read: Any = "strike") -> dict[int, Any]:
        """Return the distribution of the remaining wounds."""

        def explore() -> Any:
            self.times += 1
            explorer = Explorer(asked(REQUEST).t)
            strike = Strike(at="throw_the_die", side=0, parried=False)
            return explorer, explorer.odds(strike, lambda t, _: t.duellists[1].wounds)

        return dict(self.solved.odds(read, explore).items())


def test_odds_are_explored_once_for_what_they_read() -> None:
    strike = Counted()
    assert strike.odds() == strike.odds()
    assert strike.times == 1
    strike.odds("another")
    assert strike.times == 2
    strike.odds("a third")
    strike.odds()
    assert strike.times == 4, "two are held, and the oldest goes"


def test_a_changed_step_is_explored_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    strike = Counted()
    before = strike.odds()
    hit = Strike.plan[Strike.plan["throw_the_die"].next]
    monkeypatch.setattr(hit, "do", lambda frame, t, roll: None)
    assert strike.odds() != before
    monkeypatch.undo()
    assert strike.odds() == before
    assert strike.times == 3


def test_nothing_is_held_while_a_clause_is_off() -> None:
    strike = Counted()
    with switched_off(ID):
        strike.odds()
        strike.odds()
    assert strike.times == 2
    strike.odds()
    assert strike.times == 3
