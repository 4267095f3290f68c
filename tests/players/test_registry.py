"""Players by name, and the random player."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from caltrop.chance import Dice, Seeded
from caltrop.engine import Decision, Match, ruleset
from caltrop.players import (
    SOUND,
    STYLES,
    UNBOUNDED,
    Budget,
    Judgement,
    Uniform,
    levels,
    listed,
    measured_path,
    playable,
    player,
    players,
    registry,
)


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
    """A player that takes the first option."""

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


@pytest.mark.parametrize("game", ["command-horizon", "hex-command", "blade-skirmish", "squad-action"])
def test_a_menu_can_say_how_each_player_plays_and_what_it_has_won(game: str) -> None:
    result = {level.name: level for level in levels(game)}
    assert tuple(result) == players(game)
    assert all(level.words for level in result.values())
    # The page of the proof has the same figures.
    page = (Path(__file__).parents[2] / "notebook" / "opponents.md").read_text(encoding="utf-8")
    scores = [(name, score) for name, level in result.items() for score in level.scores]
    assert [(name, score.against) for name, score in scores] == [
        (name, "random") for name in ("recruit", "regular", "veteran")
    ]
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


GAMES = ("command-horizon", "hex-command", "blade-skirmish")


@pytest.mark.parametrize("game", [*GAMES, "squad-action"])
def test_levels_come_weakest_first_and_keep_the_names_they_had(game: str) -> None:
    assert players(game)[:4] == ("random", "recruit", "regular", "veteran")
    assert listed(game)[:7] == ("random", "recruit", "easy", "regular", "greedy", "veteran", "heuristic")
    for other, name in (("easy", "recruit"), ("greedy", "regular"), ("heuristic", "veteran")):
        one, same = player(other, game), player(name, game)
        assert type(one) is type(same)
        assert getattr(one, "judgement", SOUND).error == getattr(same, "judgement", SOUND).error


@pytest.mark.parametrize("game", GAMES)
def test_levels_differ_by_the_size_of_their_errors_alone(game: str) -> None:
    some: list[Any] = [player(name, game) for name in ("recruit", "regular", "veteran")]
    assert len({type(one) for one in some}) == 1
    errors = [one.judgement.error for one in some]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] == 0
    assert errors[1] < errors[0]


@pytest.mark.parametrize("game", GAMES)
def test_every_level_can_be_asked_for_in_a_style(game: str) -> None:
    for style in STYLES.values():
        bold: Any = player(f"recruit+{style.name}", game)
        assert bold.judgement.style == style
        assert bold.judgement.error == getattr(player("easy", game), "judgement", SOUND).error
        assert f"veteran+{style.name}" in playable(game)
        assert f"heuristic+{style.name}" in playable(game)
    with pytest.raises(ValueError, match="did you mean veteran\\+bold"):
        player("veteran+bald", game)
    with pytest.raises(ValueError, match="did you mean veteran"):
        player("vetran+bold", game)
    with pytest.raises(ValueError, match="the player 'random' of"):
        player("random+bold", game)


def test_errors_are_decided_by_the_players_own_dice_and_stay_for_a_turn() -> None:
    judgement = Judgement(100)
    one, same, other = (judgement.begun(Seeded(seed)) for seed in (1, 1, 2))
    assert one.seed == same.seed != other.seed
    assert one.slip(20, 3, "D4") == one.slip(20, 3, "D4") == same.slip(20, 3, "D4")
    assert len({one.slip(20, 3, place) for place in range(30)}) > 15
    assert SOUND.slip(20, 3, "D4") == 0
    assert SOUND.odds(70, 3, "D4") == 70
    assert not SOUND.forgets("objective")


def test_what_is_worth_nothing_is_not_mistaken_for_something() -> None:
    judgement = Judgement(400).begun(Seeded(1))
    seen = [judgement.odds(100, 0, n) for n in range(200)]
    assert min(seen) > 0
    assert 80 < sum(seen) / len(seen) < 120
    assert [judgement.odds(0, 0, n) for n in range(50)] == [0] * 50


def test_a_soft_choice_takes_places_by_their_worth() -> None:
    """Of two places with slightly different values, the better one is taken about as often as its weight says."""
    judgement, taken = Judgement(100).begun(Seeded(1)), 0
    for turn in range(4000):
        better, worse = (value + judgement.slip(1000, 0, turn, value) for value in (1000, 0))
        taken += better > worse
    assert taken / 4000 == pytest.approx(2.718 / 3.718, abs=0.03)
