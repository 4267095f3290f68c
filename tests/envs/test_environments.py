"""The environments of PettingZoo and Gymnasium: their own checkers, seeds, masks, secrets, and meanings of numbers."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import caltrop
import caltrop.envs
from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset, rulesets, stored
from caltrop.envs.agents import Agents
from caltrop.envs.candidates import candidates
from caltrop.envs.layout import Layout
from caltrop.envs.numbered import Desks, Numbered, guessed, prepared, proposers_of, without_search
from caltrop.journal import Setting
from caltrop.players import Uniform

EVERY = [(name, card) for name in rulesets() for card in ruleset(name).scenarios()]

usual = pytest.mark.filterwarnings(
    # PettingZoo warns of every foreign environment with a mask in its observation.
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
    # Gymnasium warns because `make` wraps the environment.
    "ignore:.*different from the unwrapped version",
)


def played(env: Agents, questions: int, seed: int = 0) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Give random answers, and yield the asked agent with observation and info before each answer."""
    space = env.action_space(env.possible_agents[0])
    space.seed(seed)
    for agent in islice(env.agent_iter(), questions):
        observation, _, over, _, info = env.last()
        yield agent, observation, info
        env.step(None if over else space.sample(observation["action_mask"]))


@usual
@pytest.mark.parametrize("name", rulesets())
def test_the_checkers_of_pettingzoo_and_gymnasium_have_nothing_to_say(name: str) -> None:
    api_test(caltrop.envs.aec(name), num_cycles=12)
    seed_test(lambda: caltrop.envs.aec(name), num_cycles=8)
    check_env(gymnasium.make(f"caltrop/{name}-v0", opponent="random").unwrapped)


@pytest.mark.parametrize(("name", "card"), EVERY, ids=[f"{name}-{card.id}" for name, card in EVERY])
def test_every_scenario_has_its_agents_and_legal_answers(name: str, card: Any) -> None:
    env = caltrop.envs.aec(name, scenario=card.id, max_actions=12)
    env.reset(seed=3)
    assert env.possible_agents == [f"side_{side}" for side in range(card.players)]
    for agent, observation, info in played(env, 3):
        assert env.observation_space(agent).contains(observation)
        assert observation["observation"].any()
        asked = env.game.asked
        assert asked is not None
        assert f"side_{asked.side}" == agent
        options = asked.options(info["view"])
        assert 1 <= len(info["actions"]) <= 12
        assert len(set(info["actions"])) == len(info["actions"])
        assert all(action in options for action in info["actions"])
        assert observation["action_mask"].tolist() == [n < len(info["actions"]) for n in range(12)]
        for other in env.agents:
            if other != agent:
                assert env.infos[other]["actions"] == ()
                assert not env.observe(other)["action_mask"].any()


def test_a_whole_game_ends_with_a_reward_for_each_side() -> None:
    env = caltrop.envs.aec("hex-command", scenario="first-battle")
    for seed in range(3):
        env.reset(seed=seed)
        won: dict[str, float] = {}
        for agent in env.agent_iter():
            observation, reward, over, cut, _ = env.last()
            assert not cut
            if over:
                won[agent] = reward
            env.step(None if over else int(observation["action_mask"].sum()) - 1)
        outcome = env.game.match.over
        assert outcome is not None
        assert won == {f"side_{s}": 0 if outcome.winner is None else 1 if outcome.winner == s else -1 for s in (0, 1)}
        assert env.agents == []


def test_a_masked_number_is_refused_and_nothing_has_happened() -> None:
    env = caltrop.envs.aec("hex-command", scenario="crossroads")
    env.reset(seed=1)
    state, agent = env.game.match.state, env.agent_selection
    count = len(env.infos[agent]["actions"])
    assert count < 64
    for wrong in (count, 63, 64, -1):
        with pytest.raises(ValueError, match=f"{wrong} is masked"):
            env.step(wrong)
    assert env.game.match.state is state
    assert env.agent_selection == agent
    env.step(count - 1)
    assert env.game.match.state is not state


def test_sealed_questions_are_asked_in_the_order_of_the_sides_and_stay_sealed() -> None:
    seen = []
    for bid in (0, 1):
        env = caltrop.envs.aec("duel", scenario="bridge")
        env.reset(seed=7)
        assert env.agent_selection == "side_0"
        env.step(bid)
        assert env.agent_selection == "side_1"
        seen.append((env.observe("side_1"), env.infos["side_1"]))
    assert str(seen[0]) == str(seen[1])


@pytest.mark.parametrize(
    ("name", "scenario", "rules"),
    [
        ("hex-command", "crossroads", {}),
        ("command-horizon", "meeting-engagement", {"setup.method": "secret"}),
        ("squad-action", "meeting-engagement", {}),
        ("duel", "crossroads", {}),
    ],
)
def test_twins_that_differ_in_secrets_alone_look_the_same(name: str, scenario: str, rules: dict[str, Any]) -> None:
    start = prepared(Setting.chosen(name, scenario=scenario, rules=rules))
    layout = Layout(start, 16)
    proposers = proposers_of(name, ("greedy",))
    match, dice, hidden = start.begin(Seeded(5)), Seeded(1), 0
    while hidden < 4 and match.over is None:
        asked = match.waiting[0]
        side = asked.side
        twin = guessed(match, side, Seeded(f"twin {match.state.asks}"))
        differ = stored(twin.state) != stored(match.state)
        hidden += differ
        one, other = (Numbered(start, 0, 16, proposers, game) for game in (match, twin))
        if differ:
            assert one.answers == other.answers
            np.testing.assert_array_equal(layout.array(one, side), layout.array(other, side))
            assert stored(one.match.view(side)) == stored(other.match.view(side))
            if name == "hex-command":  # the hands differ, and the other side sees its own hand
                assert (layout.array(one, 1 - side) != layout.array(other, 1 - side)).any()
        match.follow(asked, asked.options(match.view(side)).sample(dice))
    assert hidden


def test_a_seed_gives_the_game_that_it_gives_everywhere_and_games_go_on_from_it() -> None:
    env = caltrop.envs.aec("command-horizon", scenario="first-battle")
    env.reset(seed=11)
    assert stored(env.game.match.state) == stored(
        caltrop.new("command-horizon", scenario="first-battle", seed=11).state
    )
    env.reset()
    second = stored(env.game.match.state)
    env.reset()
    third = stored(env.game.match.state)
    again = caltrop.envs.aec("command-horizon", scenario="first-battle")
    again.reset(seed=11)
    again.reset()
    assert stored(again.game.match.state) == second
    again.reset()
    assert stored(again.game.match.state) == third


@pytest.mark.parametrize("name", rulesets())
def test_games_that_share_their_set_up_are_the_games_that_they_are_alone(name: str) -> None:
    """Values that all games of an environment share affect no answer."""
    setting = Setting.chosen(name)
    start = prepared(setting)

    def played_on(match: Match, seed: int) -> bytes:
        dice = Seeded(seed)
        for _ in range(60):
            if match.over is None:
                asked = match.waiting[0]
                match.follow(asked, asked.options(match.view(asked.side)).sample(dice))
        return stored(match.state)

    for seed in range(3):
        assert played_on(start.begin(Seeded(seed)), seed) == played_on(setting.begin(Seeded(seed), keep=False), seed)


def test_where_there_are_too_many_answers_some_are_drawn_by_the_dice() -> None:
    match = caltrop.new("command-horizon", scenario="meeting-engagement", seed=3)
    dice = Seeded(1)
    while True:
        asked = match.waiting[0]
        view = match.view(asked.side)
        listed = list(asked.options(view))
        if len(listed) > 60 and "EndStep" in {type(one).__name__ for one in listed}:
            break
        match.follow(asked, asked.options(view).sample(dice))
    drawn = [candidates(asked, view, 20, Seeded(seed), draws=90) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    for few in drawn:
        assert len(few) == len(set(few)) == 20
        assert "EndStep" in {type(one).__name__ for one in few}
        assert all(one in asked.options(view) for one in few)
    assert 2 < len(candidates(asked, view, 20, Seeded(1), draws=5)) <= 7

    class Last:
        """A player that proposes the last listed answer."""

        def decide(self, decision: Any, view: Any, dice: Any, budget: Any = None) -> Any:
            return listed[-1]

    for seed in range(4):
        assert listed[-1] in candidates(asked, view, 3, Seeded(seed), (Last,))


def test_of_a_list_that_is_too_long_every_kind_stays_and_all_else_may_come() -> None:
    match = caltrop.new("hex-command", scenario="crossroads", seed=3)
    dice = Seeded(1)
    while True:
        asked = match.waiting[0]
        view = match.view(asked.side)
        options = asked.options(view)
        listed = list(options)
        if options.finite and len(listed) > 30 and "EndMoves" in {type(one).__name__ for one in listed}:
            break
        match.follow(asked, options.sample(dice))
    assert candidates(asked, view, len(listed), Seeded(1)) == tuple(listed)
    seen = set()
    for seed in range(60):
        few = candidates(asked, view, 8, Seeded(seed))
        assert len(set(few)) == 8
        assert {"March", "EndMoves"} == {type(one).__name__ for one in few}
        seen |= set(few)
    assert seen == set(listed)


@pytest.mark.parametrize("name", rulesets())
def test_a_listing_that_says_so_is_complete(name: str) -> None:
    """The list of a finite choice contains random answers and the answers of a player."""
    mind, dice, match = proposers_of(name, ("regular", "random"))[0](), Seeded(5), caltrop.new(name, seed=5)
    looked = 0
    for _ in range(120):
        if match.over is not None:
            break
        asked = match.waiting[0]
        view = match.view(asked.side)
        options = asked.options(view)
        answer = mind.decide(asked, view, dice)
        if options.finite:
            listed = set(options)
            assert {answer, *[options.sample(dice) for _ in range(8)]} <= listed
            looked += len(listed) > 1
        match.follow(asked, answer if dice.below(2) else options.sample(dice))
    assert looked


def test_where_the_listing_is_complete_nobody_is_asked_to_propose() -> None:
    def nobody() -> Uniform:
        raise AssertionError("asked in vain")

    env = caltrop.envs.aec("hex-command", scenario="first-battle", max_actions=512, proposers=(nobody,))
    env.reset(seed=2)
    kinds = {type(env.game.asked).__name__ for _ in played(env, 60)}
    assert {"MoveUnits", "ChooseBattle"} <= kinds


def replace_desks(game: Numbered) -> Numbered:
    """Return a copy of a game that has to read its whole state, because it has no rows yet."""
    twin = game.copy()
    twin.desks = Desks()
    return twin


@pytest.mark.parametrize("name", rulesets())
def test_rows_that_are_kept_are_those_that_are_read_anew(name: str) -> None:
    env = caltrop.envs.aec(name, max_actions=8, proposers=())
    env.reset(seed=4)
    for agent, observation, _ in played(env, 40):
        fresh = Layout(env.start, 8).array(replace_desks(env.game), env._side_of[agent])
        assert np.array_equal(observation["observation"], fresh)


def test_a_copy_of_the_info_shares_the_view() -> None:
    env = caltrop.envs.gym("duel", opponent="random")
    _, info = env.reset(seed=1)
    twin = deepcopy(info)
    assert twin == info
    assert twin is not info
    assert twin["view"] is info["view"]


def test_a_side_against_a_computer_player() -> None:
    env = caltrop.envs.gym("hex-command", scenario="first-battle", seat=1, opponent="random", max_actions=32)
    _, info = env.reset(seed=4)
    rewards = [0.0]
    over = False
    while not over:
        assert env.game.asked is not None
        assert env.game.asked.side == 1
        assert env.action_masks().tolist() == [bool(bit) for bit in info["action_mask"]]
        _, reward, over, cut, info = env.step(env.action_space.sample(info["action_mask"]))
        assert not cut
        assert not info["masked"]
        rewards.append(reward)
    assert not any(rewards[:-1])
    assert rewards[-1] in (-1, 0, 1)
    with pytest.raises(ValueError, match="the game is over"):
        env.step(np.int64(0))
    _, info = env.reset(seed=4)
    many = len(info["actions"])
    assert many < 32
    assert env.step(np.int64(many))[4]["masked"]
    other = caltrop.envs.gym("hex-command", scenario="first-battle", seat=1, opponent="random", max_actions=32)
    other.reset(seed=4)
    other.step(np.int64(0))
    assert stored(other.game.match.state) == stored(env.game.match.state)


def test_the_opponent_is_the_strongest_that_does_not_search_and_may_be_anybody() -> None:
    asked: list[int] = []

    class Watched(Uniform):
        def decide(self, decision: Any, view: Any, dice: Any, budget: Any = None) -> Any:
            asked.append(decision.side)
            return super().decide(decision, view, dice)

    env = caltrop.envs.gym("duel", opponent=Watched)
    env.reset(seed=1)
    env.step(np.int64(0))
    assert set(asked) == {1}
    assert without_search("hex-command") == "veteran"
    assert without_search("duel") == "random"


def test_where_the_rules_move_the_other_side_nobody_plays_it() -> None:
    env = caltrop.envs.gym("blade-skirmish", scenario="cut-them-down")
    env.reset(seed=1)
    assert env._others == {}
    with pytest.raises(InputError, match="nobody plays side 1"):
        caltrop.envs.gym("blade-skirmish", scenario="cut-them-down", seat=1)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"ruleset": "hex-comand"}, "did you mean hex-command"),
        ({"scenario": "crossroad"}, "crossroads"),
        ({"rules": {"battle_dice": "d6_even"}}, "battle_die"),
        ({"max_actions": 1}, "two answers at least"),
        ({"opponent": "heuristik"}, "did you mean heuristic"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(wrong: dict[str, Any], words: str) -> None:
    given = {"ruleset": "hex-command", **wrong}
    with pytest.raises(InputError, match=words):
        caltrop.envs.gym(**given)
    if "opponent" not in wrong:
        with pytest.raises(InputError, match=words):
            caltrop.envs.aec(**given)


def test_a_missing_extra_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def without(name: str, package: str | None = None) -> Any:
        return None if name in ("pettingzoo", "gymnasium") else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "caltrop\[envs\]"'):
        caltrop.envs.aec("duel")
    with pytest.raises(ModuleNotFoundError, match=r'gymnasium.*pip install "caltrop\[envs\]"'):
        caltrop.envs.gym("duel")


def test_the_question_is_rendered_in_words() -> None:
    env = caltrop.envs.aec("duel", scenario="bridge", render_mode="ansi")
    env.reset(seed=7)
    text = env.render()
    assert text is not None
    assert text.splitlines()[0].startswith("side 0: ")
    assert "  0 Stake(points=0)" in text
    assert caltrop.envs.aec("duel").render_mode is None


def test_who_chooses_by_numbers_sees_what_an_agent_sees_and_plays_a_whole_game() -> None:
    env = caltrop.envs.aec("duel", proposers=())
    seen: list[tuple[Any, Any]] = []

    def choose(array: Any, mask: Any) -> int:
        seen.append((array, mask))
        return int(mask.sum()) // 2

    mind = caltrop.envs.player("duel", choose, proposers=())
    env.reset(seed=3)
    while not env.terminations[env.agent_selection]:
        agent = env.agent_selection
        observation, info = env.observe(agent), env.infos[agent]
        asked = env.game.asked
        assert asked is not None
        chosen = mind.decide(asked, info["view"], env.game.moment.dice())
        array, mask = seen.pop()
        assert np.array_equal(array, observation["observation"])
        assert np.array_equal(mask, observation["action_mask"])
        assert chosen == info["actions"][int(mask.sum()) // 2]
        env.step(int(mask.sum()) // 2)
    assert env.game.match.over is not None


def test_who_chooses_a_masked_number_is_told_which_there_are() -> None:
    game = caltrop.envs.aec("duel").start.begin(Seeded(1))
    asked = game.waiting[0]
    mind = caltrop.envs.player("duel", lambda array, mask: int(mask.sum()), proposers=())
    with pytest.raises(ValueError, match=r"^\d+ is masked: there are the answers 0 to \d+$"):
        mind.decide(asked, game.view(asked.side), Seeded(0))
