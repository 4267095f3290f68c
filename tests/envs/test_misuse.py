"""Wrong uses of an environment give clear errors, and copies of an environment continue alike."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

import caltrop
import caltrop.envs
from caltrop.engine import Decision, rulesets, stored
from caltrop.players import Uniform

WRONG = [1.0, 1.5, "0", True, np.bool_(True), np.float32(1), np.array([0]), np.array([0, 1]), np.array(True), [0], b"0"]
RIGHT = [0, np.int64(0), np.int8(0), np.array(0)]


def aec(game: str) -> Any:
    """Return an environment of PettingZoo."""
    return caltrop.envs.aec(game, max_actions=12)


def gym(game: str) -> Any:
    """Return an environment of Gymnasium."""
    return caltrop.envs.gym(game, opponent="random", max_actions=12)


KINDS: list[Callable[[str], Any]] = [aec, gym]


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("game", rulesets())
def test_only_whole_numbers_are_answers(game: str, make: Callable[[str], Any]) -> None:
    env = make(game)
    env.reset(seed=1)
    before = stored(env.game.match.state)
    for wrong in WRONG:
        with pytest.raises(ValueError, match=r"is not an answer: an answer is a whole number from 0 to 11"):
            env.step(wrong)
        assert stored(env.game.match.state) == before
    if make is gym:
        with pytest.raises(ValueError, match="is not an answer"):
            env.step(None)
    for right in RIGHT:
        env.reset(seed=1)
        env.step(right)
        assert stored(env.game.match.state) != before


@pytest.mark.parametrize("game", rulesets())
def test_reset_comes_first(game: str) -> None:
    env = aec(game)
    for use in (lambda: env.step(0), env.last, lambda: env.observe("side_0"), lambda: list(env.agent_iter())):
        with pytest.raises(ValueError, match="reset first"):
            use()
    single = gym(game)
    for use in (lambda: single.step(0), single.action_masks):
        with pytest.raises(ValueError, match="reset first"):
            use()
    with pytest.raises(AttributeError, match="has no attribute 'gmae'"):
        _ = single.gmae
    assert not hasattr(env, "agents")


def test_a_game_that_is_over_says_so() -> None:
    single = gym("duel")
    _, info = single.reset(seed=3)
    over = False
    while not over:
        _, _, over, _, info = single.step(int(np.flatnonzero(info["action_mask"])[-1]))
    with pytest.raises(ValueError, match=r"the game is over: call reset\(\)"):
        single.step(0)


@pytest.mark.parametrize("game", rulesets())
def test_a_mask_allows_something(game: str) -> None:
    env = aec(game)
    env.reset(seed=3)
    for _ in range(60):
        if all(env.terminations.values()):
            break
        mask = env.observe(env.agent_selection)["action_mask"]
        assert mask.any()
        env.step(int(np.flatnonzero(mask)[-1]))
    single = gym(game)
    _, info = single.reset(seed=3)
    for _ in range(60):
        assert info["action_mask"].any()
        _, _, over, _, info = single.step(int(np.flatnonzero(info["action_mask"])[-1]))
        if over:
            assert np.flatnonzero(info["action_mask"]).tolist() == [0]
            break


def played_on(env: Any, questions: int = 8) -> list[Any]:
    """Play fixed numbers through the ends of games, and return all observations."""
    seen: list[Any] = []
    for n in range(questions):
        if isinstance(env, gymnasium.Env):
            array, reward, over, _, info = env.step(n % max(1, len(env.unwrapped.game.answers)))  # type: ignore[attr-defined]
            seen += [array.tobytes(), reward, over, info["actions"]]
            if over:
                seen.append(env.reset()[0].tobytes())
        else:
            if all(env.terminations.values()):
                env.reset()
            env.step(n % len(env.game.answers))
            seen += [env.observe(a)["observation"].tobytes() for a in env.agents]
            seen += [env.infos[a]["actions"] for a in env.agents]
    return seen


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("game", rulesets())
def test_copies_go_on_alike_and_leave_the_original_alone(game: str, make: Callable[[str], Any]) -> None:
    env = make(game)
    env.reset(seed=5)
    played_on(env, 3)
    ways: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))]
    twins = [way(env) for way in ways]
    before = stored(env.game.match.state)
    ends = [played_on(twin) for twin in twins]
    assert ends[0] == ends[1] == ends[2]
    assert stored(env.game.match.state) == before
    assert played_on(env) == ends[0]


def test_an_environment_that_was_not_reset_is_copied_too() -> None:
    for make in KINDS:
        twin = pickle.loads(pickle.dumps(copy.deepcopy(copy.copy(make("duel")))))
        twin.reset(seed=2)
        env = make("duel")
        env.reset(seed=2)
        assert played_on(twin) == played_on(env)


@pytest.mark.parametrize("game", rulesets())
def test_all_that_an_environment_says_can_be_sent_to_another_process(game: str) -> None:
    env = caltrop.envs.aec(game, max_actions=12, views=True)
    single = caltrop.envs.gym(game, opponent="random", max_actions=12, views=True)
    env.reset(seed=1)
    _, info = single.reset(seed=1)
    for _ in range(12):
        for words in (*env.infos.values(), info):
            again = pickle.loads(pickle.dumps(words))
            assert again["view"] == words["view"]
            assert again["actions"] == words["actions"]
            assert again["action_mask"].tolist() == words["action_mask"].tolist()
        if env.game.asked is not None:
            env.step(len(env.game.answers) - 1)
        if single.game.asked is not None:
            info = single.step(np.int64(len(single.game.answers) - 1))[4]


@pytest.mark.parametrize("game", rulesets())
def test_an_info_holds_the_mask_alone_and_gives_the_rest_when_asked(game: str) -> None:
    env, single = aec(game), gym(game)
    env.reset(seed=1)
    _, info = single.reset(seed=1)
    assert set(info) == {"action_mask"}
    assert all(set(one) == {"action_mask"} for one in env.infos.values())
    assert set(pickle.loads(pickle.dumps(info))) == {"action_mask"}
    agent = env.agent_selection
    first, view, actions = env.infos[agent], env.infos[agent]["view"], env.infos[agent]["actions"]
    assert len(actions) == first["action_mask"].sum()
    env.step(0)
    assert first["view"] is view, "an info goes on telling of the question at which it was given"
    assert first["actions"] == actions
    assert info["view"] == single.game.view(single.seat)
    assert info["actions"] == single.game.answers
    with pytest.raises(KeyError, match="veiw"):
        info["veiw"]
    assert set(single.step(np.int64(0))[4]) == {"action_mask", "masked"}


@pytest.mark.parametrize("views", [False, True])
@pytest.mark.parametrize("game", rulesets())
def test_environments_in_processes_of_their_own(game: str, views: bool) -> None:
    make = partial(caltrop.envs.gym, game, opponent="random", max_actions=12, views=views)
    env = gymnasium.vector.AsyncVectorEnv([make] * 2)
    try:
        _, info = env.reset(seed=[1, 2])
        for _ in range(3):
            *_, info = env.step(np.zeros(2, np.int64))
        assert info["action_mask"].shape == (2, 12)
        assert ("view" in info) is views
    finally:
        env.close()


def test_an_opponent_that_cheats_is_named() -> None:
    class Lost(Uniform):
        def decide(self, decision: Decision, view: Any, dice: Any, budget: Any = None) -> Any:
            return None

    env = caltrop.envs.gym("duel", opponent=Lost, seat=1)
    with pytest.raises(caltrop.InputError, match=r"Lost answered Bid with None: .* \(DU-BID-01\)"):
        env.reset(seed=1)
    for wrong, words in ((lambda: None, "has no method decide"), (len, "takes arguments")):
        with pytest.raises(caltrop.InputError, match=words):
            caltrop.envs.gym("duel", opponent=wrong, seat=1).reset(seed=1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"1\.5 is not an answer"):
        caltrop.simulate(
            "duel",
            (lambda: caltrop.envs.player("duel", lambda array, mask: 1.5), "random"),  # type: ignore[arg-type, return-value]
            num=1,
            seed=1,
        )


@pytest.mark.parametrize("wrong", [{"max_actions": "12"}, {"max_actions": 2.5}, {"n": "2"}, {"n": 1.5}, {"jobs": "2"}])
def test_sizes_are_whole_numbers(wrong: dict[str, Any]) -> None:
    for make in (caltrop.envs.vector, caltrop.envs.gym, caltrop.envs.aec):
        given = {"n": 2, **wrong} if make is caltrop.envs.vector else wrong
        if set(wrong) <= {"max_actions"} or make is caltrop.envs.vector:
            with pytest.raises(caltrop.InputError, match=next(iter(wrong))):
                make("duel", **given)


@pytest.mark.parametrize("wrong", [None, 0, [[0], [0]], "00"])
def test_a_vector_takes_a_number_for_each_game(wrong: Any) -> None:
    env = caltrop.envs.vector("duel", 2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="a number for each game"):
        env.step(wrong)
