"""Players by name, and the player that takes any option."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from caltrop.chance import Dice, Seeded
from caltrop.engine import Decision, Match, ruleset
from caltrop.players import UNBOUNDED, Budget, Uniform, levels, measured_path, player, players, registry


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
    registry.makers.cache_clear()
    try:
        assert players("duel") == ("random", "first")
        assert isinstance(player("first", "duel"), First)
    finally:
        registry.makers.cache_clear()


@pytest.mark.parametrize("game", ["command-horizon", "hex-command"])
def test_a_menu_can_say_how_each_player_plays_and_what_it_has_won(game: str) -> None:
    found = {level.name: level for level in levels(game)}
    assert tuple(found) == players(game)
    assert all(level.words for level in found.values())
    # What is shown is what the page of the proof says.
    page = (Path(__file__).parents[2] / "docs" / "opponents.md").read_text(encoding="utf-8")
    scores = [(name, score) for name, level in found.items() for score in level.scores]
    assert {(name, score.against) for name, score in scores} >= {("heuristic", "greedy"), ("easy", "random")}
    for name, score in scores:
        lost = score.games - score.wins - score.draws
        assert f"| {name} against {score.against} | all | {score.wins} | {score.draws} | {lost} " in page
        assert f"| {100 * score.share:.1f} % | {100 * score.low:.1f} to {100 * score.high:.1f} % |" in page


def test_a_game_without_players_of_its_own_has_nothing_measured() -> None:
    assert [(level.name, level.scores) for level in levels("duel")] == [("random", ())]
    assert measured_path("duel") is None
    with pytest.raises(ValueError, match="did you mean duel"):
        levels("dule")


def test_the_random_player_takes_options_and_the_same_dice_give_the_same() -> None:
    rules = ruleset("duel")
    match = Match(rules, rules.setup(rules.book(), "bridge"), Seeded(1))
    decision, view = match.waiting[0], match.view(0)
    taken = [Uniform().decide(decision, view, Seeded(n)) for n in range(60)]
    assert all(action in decision.options(view) for action in taken)
    assert taken == [Uniform().decide(decision, view, Seeded(n)) for n in range(60)]
    assert len({action.points for action in taken}) == 3
