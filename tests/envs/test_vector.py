"""Many games in parallel give the same results as Gymnasium's own vector environment, for any number of processes."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import caltrop.envs
from caltrop.chance import Seeded
from caltrop.engine import rulesets
from caltrop.errors import InputError
from caltrop.players import Uniform

FEW: dict[str, Any] = {"opponent": "random", "max_actions": 12}


def chosen(mask: Any, dice: Seeded) -> Any:
    """Return a number for each game, sometimes one that the mask forbids."""
    return np.array([min(dice.below(int(row.sum()) + 1), len(row) - 1) for row in mask], np.int64)


def gone_through(env: Any, steps: int, seed: int = 3) -> list[Any]:
    """Play numbers that depend only on the masks; return all observations."""
    dice = Seeded(seed)
    seen, info = env.reset(seed=seed)
    words: list[Any] = [seen.copy(), plain(info)]
    for _ in range(steps):
        seen, reward, over, cut, info = env.step(chosen(info["action_mask"], dice))
        words += [seen.copy(), reward.copy(), over.copy(), cut.copy(), plain(info)]
    return words


def plain(info: dict[str, Any]) -> dict[str, Any]:
    """Return an info with its arrays as lists.

    Arrays that are false everywhere are left out, because they are optional.
    """
    result: dict[str, Any] = {}
    for name, value in info.items():
        if isinstance(value, dict):
            result[name] = plain(value)
        elif isinstance(value, np.ndarray) and value.dtype == object:
            result[name] = [None if one is None else np.asarray(one).tolist() for one in value]
        elif name in ("masked", "_masked"):
            if value.any():
                result[name] = value.tolist()
        else:
            result[name] = value.tolist()
    return result


def assert_same(one: list[Any], other: list[Any]) -> None:
    """Assert that two series of observations are equal."""
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        if isinstance(a, dict):
            assert a == b
        else:
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("name", ["duel", "hex-command"])
def test_games_side_by_side_are_those_of_gymnasium(name: str, mode: AutoresetMode) -> None:
    scenario = {"hex-command": "first-battle"}.get(name)
    with_ours = caltrop.envs.vector(name, 3, scenario=scenario, autoreset_mode=mode, **FEW)
    one = partial(caltrop.envs.gym, name, scenario=scenario, **FEW)
    theirs = SyncVectorEnv([one] * 3, autoreset_mode=mode)
    assert with_ours.metadata["autoreset_mode"] is mode
    assert with_ours.observation_space == theirs.observation_space
    assert with_ours.action_space == theirs.action_space
    assert with_ours.single_action_space == theirs.single_action_space
    steps = 260 if name == "hex-command" else 60
    ours = gone_through(with_ours, steps)
    assert any(over.any() for over in ours[4::5]), "some game has ended"
    assert_same(ours, gone_through(theirs, steps))


@pytest.mark.parametrize("name", rulesets())
def test_equal_seeds_give_equal_arrays_whatever_the_jobs(name: str) -> None:
    here = caltrop.envs.vector(name, 3, **FEW)
    there = caltrop.envs.vector(name, 3, jobs=2, **FEW)
    try:
        assert there.jobs == 2
        assert_same(gone_through(here, 6), gone_through(there, 6))
        states = there.save()
        dice = Seeded(9)
        answers = [chosen(there.action_masks(), dice)]
        ahead = [there.step(answers[0])[0].copy()]
        for _ in range(3):
            answers.append(chosen(there.action_masks(), dice))
            ahead.append(there.step(answers[-1])[0].copy())
        for twin in (there, here):
            seen, info = twin.restore(pickle.loads(pickle.dumps(states)))
            assert info["action_mask"].any(axis=1).all()
            again = [twin.step(numbers)[0].copy() for numbers in answers]
            np.testing.assert_array_equal(ahead, again)
            assert seen.shape == (3, twin.layout.size)
    finally:
        there.close()
        here.close()


def test_masks_are_never_all_zeros_and_views_come_on_request() -> None:
    env = caltrop.envs.vector("duel", 2, views=True, **FEW)
    dice = Seeded(1)
    _, info = env.reset(seed=1)
    for _ in range(40):
        assert set(info) - {"masked", "_masked"} == {
            *("action_mask", "_action_mask"),
            *("view", "_view", "actions", "_actions"),
        }
        assert info["action_mask"].any(axis=1).all()
        assert [len(one) or 1 for one in info["actions"]] == info["action_mask"].sum(axis=1).tolist()
        *_, info = env.step(chosen(info["action_mask"], dice))
    lean = caltrop.envs.vector("duel", 2, **FEW)
    assert set(lean.reset(seed=1)[1]) == {"action_mask", "_action_mask"}


def test_wrong_answers_are_refused_before_anything_happens() -> None:
    env = caltrop.envs.vector("duel", 2, autoreset_mode="Disabled", **FEW)
    with pytest.raises(ValueError, match="reset first"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="reset first"):
        env.reset(options={"reset_mask": np.array([True, False])})
    before, _ = env.reset(seed=1)
    answers: list[tuple[list[Any], str]] = [
        ([0, 12], r"12 is not an answer in game 1: the numbers go up to 11"),
        ([-1, 0], r"-1 is not an answer in game 0"),
        ([0.5, 0], r"is not an answer: an answer is a whole number from 0 to 11"),
        ([0], r"1 answer was given for 2 games"),
    ]
    for wrong, words in answers:
        with pytest.raises(ValueError, match=words):
            env.step(wrong)  # type: ignore[arg-type, unused-ignore]
    np.testing.assert_array_equal(env._board.seen, before)
    with pytest.raises(ValueError, match="1 seed was given for 2 games"):
        env.reset(seed=[1])
    with pytest.raises(ValueError, match="booleans"):
        env.reset(options={"reset_mask": 1})
    over = np.zeros(2, np.bool_)
    while not over.any():
        over = env.step(np.zeros(2, np.int64))[2]
    with pytest.raises(ValueError, match="are over: begin them anew"):
        env.step(np.zeros(2, np.int64))
    _, info = env.reset(options={"reset_mask": over})
    assert info["_action_mask"].tolist() == over.tolist()
    env.step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="give what save"):
        env.restore("nothing")
    other = caltrop.envs.vector("duel", 3, autoreset_mode="Disabled", **FEW)
    with pytest.raises(ValueError, match="2 games were saved, and there are 3"):
        other.restore(env.save())
    with pytest.raises(InputError, match="'NextStep', 'SameStep', 'Disabled'"):
        caltrop.envs.vector("duel", 2, autoreset_mode="never")
    with pytest.raises(InputError, match="at least one game"):
        caltrop.envs.vector("duel", 0)
    with pytest.raises(InputError, match="did you mean hex-command"):
        caltrop.envs.vector("hex-comand", 2)


class Lost(Uniform):
    """A player that answers a decision that does not exist."""

    def decide(self, decision: Any, view: Any, dice: Any, budget: Any = None) -> Any:
        return None


def test_what_goes_wrong_in_a_worker_is_one_clear_error() -> None:
    with pytest.raises(InputError, match="another process cannot be given"):
        caltrop.envs.vector("duel", 2, jobs=2, opponent=lambda: Uniform())
    env = caltrop.envs.vector("duel", 2, jobs=2, opponent=Lost, seat=1)
    with pytest.raises(InputError, match=r"Lost answered Bid with None"):
        env.reset(seed=1)
    assert env.closed
    with pytest.raises(RuntimeError, match="closed"):
        env.reset(seed=1)
    env = caltrop.envs.vector("duel", 2, jobs=2, **FEW)
    env.reset(seed=1)
    assert env.get_attr("seat") == (0, 0)
    killed = env._workers[1].process
    assert killed.pid is not None
    os.kill(killed.pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    with pytest.raises(RuntimeError, match="the process that plays games 1 to 1 has ended"):
        env.step(np.zeros(2, np.int64))
    assert env.closed
    env.close()


SCRIPT = """
import sys, time
import caltrop.envs
if __name__ == "__main__":
    env = caltrop.envs.vector("duel", 2, jobs=2, opponent="random")
    print(*[worker.process.pid for worker in env._workers], flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes are looked up by /proc")
def test_workers_end_with_the_process_that_has_started_them(tmp_path: Any) -> None:
    script = tmp_path / "games.py"
    script.write_text(SCRIPT)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    workers = [int(one) for one in parent.stdout.readline().split()]
    assert len(workers) == 2
    parent.kill()
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 20
    while any(alive(one) for one in workers) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(alive(one) for one in workers)


def alive(process: int) -> bool:
    """Return whether a process runs. A process that has ended but still waits for its parent does not run."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("name", rulesets())
def test_what_is_saved_goes_on_alike(name: str) -> None:
    env = caltrop.envs.gym(name, **FEW)
    empty = env.save()
    _, info = env.reset(seed=5)
    env.step(np.int64(0))
    state = env.save()
    sent = pickle.loads(pickle.dumps(state))

    def on(twin: Any) -> list[Any]:
        result: list[Any] = []
        for n in range(6):
            seen, reward, over, _, info = twin.step(n % int(info_of(twin).sum()))
            result += [seen.tobytes(), reward, over, info["action_mask"].tobytes()]
            if over:
                result.append(twin.reset()[0].tobytes())
        return result

    def info_of(twin: Any) -> Any:
        return twin.unwrapped.mask()

    ahead = on(env)
    for again in (state, sent):
        seen, info = env.restore(again)
        assert seen.shape == (env.layout.size,)
        assert info["action_mask"].any()
        assert on(env) == ahead
        other = caltrop.envs.gym(name, **FEW)
        other.restore(again)
        assert on(other) == ahead
    env.restore(empty)
    with pytest.raises(ValueError, match="reset first"):
        env.step(np.int64(0))
    with pytest.raises(ValueError, match="give what save"):
        caltrop.envs.gym(name, opponent="random", max_actions=13).restore(state)


@pytest.mark.parametrize("name", rulesets())
def test_a_whole_game_is_saved_and_goes_on_alike(name: str) -> None:
    env = caltrop.envs.aec(name, max_actions=12)
    env.reset(seed=5)
    for _ in range(5):
        env.step(0)
    state = env.save()

    def on(twin: Any) -> list[Any]:
        result = []
        for n in range(8):
            if all(twin.terminations.values()):
                twin.reset()
            twin.step(n % len(twin.game.answers))
            result += [twin.agent_selection, *[twin.observe(a)["observation"].tobytes() for a in twin.possible_agents]]
        return result

    ahead = on(env)
    env.restore(state)
    assert on(env) == ahead
    other = caltrop.envs.aec(name, max_actions=12)
    other.restore(pickle.loads(pickle.dumps(state)))
    assert on(other) == ahead
    with pytest.raises(ValueError, match="give what save"):
        gymnasium.make(f"caltrop/{name}-v0", opponent="random").unwrapped.restore(state)  # type: ignore[attr-defined]
