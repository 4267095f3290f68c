"""The games as games of OpenSpiel: its simulation test, chance nodes, information states, and its Python search."""

from __future__ import annotations

import copy
import importlib
import pickle
import random
import subprocess
import sys
from math import comb
from typing import Any

import numpy as np
import pytest

from caltrop import InputError
from caltrop.chance import FACES, OpenThrow, Pool, at_least
from caltrop.engine import rulesets, stored

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheels for this system")
importlib.import_module("caltrop.envs.openspiel")  # the import registers the games


SMALL = [
    "caltrop_command_horizon(scenario=first-battle,max_actions=4)",
    "caltrop_hex_command(scenario=first-battle)",
    "caltrop_blade_skirmish(scenario=cut-them-down,max_actions=8)",
    "caltrop_squad_action(scenario=first-battle,max_actions=4)",
    "caltrop_duel",
]


def to_a_question(state: Any, dice: random.Random, seen: list[int] | None = None) -> None:
    """Throw dice until somebody is asked, or the game is over."""
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        if seen is not None:
            seen.append(len(outcomes))
        state.apply_action(dice.choice(outcomes)[0])


def test_every_ruleset_has_a_game() -> None:
    names = set(pyspiel.registered_names())
    assert {f"caltrop_{name.replace('-', '_')}" for name in rulesets()} <= names
    assert len(SMALL) == len(rulesets())


@pytest.mark.parametrize("game", SMALL)
def test_the_simulation_test_of_openspiel_has_nothing_to_say(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=1, serialize=game == "caltrop_duel", verbose=False)


def test_every_throw_is_a_chance_node_and_equal_dice_give_the_same_game() -> None:
    game = pyspiel.load_game("caltrop_command_horizon(scenario=meeting-engagement)")
    finals = []
    for _ in range(2):
        dice, state, seen = random.Random(3), game.new_initial_state(), list[int]()
        assert state.is_chance_node()
        to_a_question(state, dice, seen)
        assert all(seen)
        for _ in range(12):
            state.apply_action(dice.choice(state.legal_actions()))
            to_a_question(state, dice, seen)
        finals.append(str(state))
    assert finals[0] == finals[1]


def test_the_outcomes_of_a_throw_are_what_the_rules_tell_apart() -> None:
    game, dice, seen = pyspiel.load_game("caltrop_hex_command"), random.Random(5), 0
    state = game.new_initial_state()
    while seen < 3:
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            throw, outcomes = state._course.wanted, state.chance_outcomes()
            rolls, whole = throw.outcomes(1000)
            assert [chance for _, chance in outcomes] == [pytest.approx(weight / whole) for _, weight in rolls]
            if throw.pool.count > 3 and throw.pool.sides == 6:
                seen += 1
                assert len(outcomes) <= 100 < throw.pool.sides**throw.pool.count
                assert "the dice show" in state.action_to_string(state.current_player(), outcomes[-1][0])
        state.apply_action(dice.choice(state.legal_actions()))
    assert seen == 3


def test_eight_rifles_have_nine_outcomes() -> None:
    classes = OpenThrow(Pool(8), at_least(4)).outcomes(9)
    assert classes is not None
    rolls, whole = classes
    assert [weight for _, weight in rolls] == [comb(8, n) for n in range(9)]
    assert whole == 2**8
    assert OpenThrow(Pool(40), FACES).outcomes(10_000) is None, "it falls die by die"


def test_a_copy_is_a_game_of_its_own_also_between_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OpenThrow, "outcomes", lambda throw, most: None)
    game, dice = pyspiel.load_game("caltrop_hex_command(scenario=crossroads)"), random.Random(1)
    state = game.new_initial_state()
    between = 0
    while between < 3:
        if state.is_chance_node():
            twin = state.clone()
            before = str(state), state.chance_outcomes()
            for face in state.legal_actions()[:2]:
                other = state.clone()
                other.apply_action(face)
            assert (str(state), state.chance_outcomes()) == before
            action = dice.choice(state.chance_outcomes())[0]
            between += bool(state._course.faces)
        else:
            twin, action = copy.deepcopy(state), dice.choice(state.legal_actions())
        state.apply_action(action)
        twin.apply_action(action)
        assert str(state) == str(twin)


def test_who_knows_what_goes_on_as_if_it_were_a_game_that_may_be_real() -> None:
    game, dice = pyspiel.load_game("caltrop_hex_command(scenario=crossroads)"), random.Random(2)
    state = game.new_initial_state()
    differ = 0
    for _ in range(25):
        to_a_question(state, dice)
        player = state.current_player()
        other = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        assert other.current_player() == player
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.legal_actions() == state.legal_actions()
        np.testing.assert_array_equal(other.array(player), state.array(player))
        differ += other.observation_string(1 - player) != state.observation_string(1 - player)
        other.apply_action(other.legal_actions()[-1])
        state.apply_action(dice.choice(state.legal_actions()))
    assert differ > 10
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match="dice are falling"):
        state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))


def test_sealed_answers_that_are_in_are_drawn_with_the_rest() -> None:
    game = pyspiel.load_game("caltrop_duel")
    drawn = set()
    for bid in (0, 2):
        state = game.new_initial_state()
        assert state.current_player() == 0
        state.apply_action(bid)
        assert state.current_player() == 1
        for seed in range(12):
            other = state.resample_from_infostate(1, lambda seed=seed: seed / 12)
            assert other.current_player() == 1
            assert other.information_state_string(1) == state.information_state_string(1)
            other.apply_action(0)
            drawn.add((bid, stored(other._course.game.match.state)))
    assert {text for bid, text in drawn if bid == 0} == {text for bid, text in drawn if bid == 2}
    assert len(drawn) > 4


def test_information_states_recall_what_was_shown_before() -> None:
    game = pyspiel.load_game("caltrop_duel")
    names, state = set(), game.new_initial_state()
    for first in (0, 1):
        state = game.new_initial_state()
        state.apply_action(first)
        names.add(state.information_state_string(0))
        assert state.information_state_string(1) != state.information_state_string(0)
        other = game.new_initial_state()
        other.apply_action(first)
        assert other.information_state_string(0) == state.information_state_string(0)
    assert len(names) == 2
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 0)
    assert observer.tensor.tolist() == state.observation_tensor(0)
    assert observer.string_from(state, 0) == state.information_state_string(0)


def test_the_search_of_openspiel_written_in_python_plays() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game, dice = pyspiel.load_game("caltrop_duel(scenario=bridge)"), random.Random(4)
    judge = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=1.0,
        evaluator=judge,
        max_simulations=6,
        random_state=np.random.RandomState(2),
    )
    state = game.new_initial_state()
    for _ in range(4):
        to_a_question(state, dice)
        action = bot.step(state) if state.current_player() == 0 else dice.choice(state.legal_actions())
        assert action in state.legal_actions()
        state.apply_action(action)


def test_settings_are_parameters_and_a_wrong_one_is_named() -> None:
    game = pyspiel.load_game("caltrop_duel", {"scenario": "bridge", "rules": "parry.price=3", "max_actions": 9})
    assert game.num_distinct_actions() == 9
    assert game.start.setting.scenario == "bridge"
    assert game.start.setting.rules["parry.price"] == 3
    with pytest.raises(InputError, match="NAME=VALUE"):
        pyspiel.load_game("caltrop_duel", {"rules": "parry.price"})


def test_a_program_that_has_entered_the_games_ends_in_peace() -> None:
    words = "import caltrop.envs.openspiel, pyspiel; print(pyspiel.load_game('caltrop_duel').num_players())"
    done = subprocess.run([sys.executable, "-c", words], check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("2\n", "")


def played(game: str, steps: int | None = None, seed: int = 1) -> Any:
    """Return a state after some random steps, or at the end of the game."""
    state, dice = pyspiel.load_game(game).new_initial_state(), random.Random(seed)
    while not state.is_terminal() and steps != 0:
        steps = None if steps is None else steps - 1
        state.apply_action(dice.choice(state.legal_actions()))
    return state


def same(one: Any, *others: Any, steps: int = 12) -> None:
    """Play states in the same way, and compare everything visible."""
    dice = random.Random(5)
    for _ in range(steps):
        player = None if one.is_terminal() or one.is_chance_node() else one.current_player()
        for other in others:
            assert str(one) == str(other)
            assert one.history() == other.history()
            assert one.is_terminal() or one.legal_actions() == other.legal_actions()
            assert player is None or one.information_state_string(player) == other.information_state_string(player)
        if one.is_terminal():
            return
        action = dice.choice(one.legal_actions())
        for state in (one, *others):
            state.apply_action(action)


@pytest.mark.parametrize("game", SMALL)
def test_copies_go_on_alike_and_leave_the_original_alone(game: str) -> None:
    state, dice = pyspiel.load_game(game).new_initial_state(), random.Random(1)
    for steps in range(44):
        if steps in (0, 1, 40, 41, 42, 43):
            before = str(state)
            twins = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
            same(state.clone(), *twins, state.get_game().deserialize_state(state.serialize()))
            assert str(state) == before
        if not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))


@pytest.mark.parametrize("game", SMALL)
def test_what_is_serialised_is_small(game: str) -> None:
    """A serialised state has actions and rolls, without the table and the rulebook."""
    state = played(game, 250)
    assert len(state.serialize()) < 30_000
    same(state.get_game().deserialize_state(state.serialize()), state.clone())


def test_a_whole_game_of_hex_command_is_serialised_in_little() -> None:
    state = played("caltrop_hex_command")
    assert state.is_terminal()
    assert len(state.serialize()) < 30_000


@pytest.mark.parametrize("game", ["caltrop_duel", "caltrop_hex_command(scenario=first-battle)"])
def test_a_game_drawn_anew_is_serialised_as_well(game: str) -> None:
    state = played(game, 12)
    to_a_question(state, random.Random(2))
    twin = state.resample_from_infostate(state.current_player(), random.Random(3).random)
    for _ in range(3):
        again = state.get_game().deserialize_state(twin.serialize())
        same(again, twin.clone())
        twin.apply_action(twin.legal_actions()[-1])
        to_a_question(twin, random.Random(4))
        if twin.is_terminal():
            break
