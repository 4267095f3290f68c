"""Players by name, and the player that takes any option."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from caltrop.chance import Dice, Seeded
from caltrop.engine import Decision, Match, ruleset
from caltrop.players import UNBOUNDED, Budget, Uniform, player, players, registry


def test_random_plays_every_game_and_comes_first() -> None:
    assert players("duel")[0] == "random"
    assert isinstance(player("random", "duel"), Uniform)
    assert player("random", "duel") is not player("random", "duel")


def test_a_player_that_is_not_there_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="duel has no player 'randm'; did you mean random"):
        player("randm", "duel")
    with pytest.raises(ValueError, match="did you mean duel"):
        players("dule")


class First:
    """Takes the first option."""

    def decide(self, decision: Decision, view: Any, dice: Dice, budget: Budget = UNBOUNDED) -> Any:
        return decision.options(view).first()


def test_a_game_has_players_of_its_own_in_the_module_of_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("caltrop.players.duel")
    module.PLAYERS = {"first": First}  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    registry._makers.cache_clear()
    try:
        assert players("duel") == ("random", "first")
        assert isinstance(player("first", "duel"), First)
    finally:
        registry._makers.cache_clear()


def test_the_random_player_takes_options_and_the_same_dice_give_the_same() -> None:
    rules = ruleset("duel")
    match = Match(rules, rules.setup(rules.book(), "bridge"), Seeded(1))
    decision, view = match.waiting[0], match.view(0)
    taken = [Uniform().decide(decision, view, Seeded(n)) for n in range(60)]
    assert all(action in decision.options(view) for action in taken)
    assert taken == [Uniform().decide(decision, view, Seeded(n)) for n in range(60)]
    assert len({action.points for action in taken}) == 3
