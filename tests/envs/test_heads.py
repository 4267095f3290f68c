"""Answers that are chosen head by head: every offered choice is legal, and a number always has the same meaning."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import caltrop
import caltrop.envs
from caltrop.asking import Heads, about
from caltrop.chance import Seeded
from caltrop.engine import rulesets
from caltrop.envs.numbered import HEADS

usual = pytest.mark.filterwarnings(
    # PettingZoo warns of every foreign environment with a mask in its observation.
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
    "ignore:.*different from the unwrapped version",
)


def asked_in(name: str, questions: int, seed: int = 2) -> Any:
    """Play at random, and yield every question with its options and its heads."""
    dice = Seeded(seed)
    match = caltrop.new(name, seed=seed)
    for n in range(questions):
        if match.over is not None:
            match = caltrop.new(name, seed=f"{seed} {n}")
        asked = match.waiting[0]
        options = asked.options(match.view(asked.side))
        yield asked, options, Heads(asked, options, lambda *of, n=n: Seeded(f"{n} {of}"), 8)
        match.follow(asked, options.sample(dice))


@pytest.mark.parametrize("name", rulesets())
def test_every_way_through_the_heads_ends_in_legal_answers(name: str) -> None:
    for asked, options, heads in asked_in(name, 40):
        assert heads.kinds
        assert len(set(heads.kinds)) == len(heads.kinds)
        for kind in heads.kinds:
            units = heads.units(kind)
            assert units
            for unit in units[:2]:
                targets = heads.targets(kind, unit)
                assert targets
                for target in targets[:2]:
                    answers = heads.answers(kind, unit, target)
                    assert 1 <= len(answers) <= 8
                    for answer in answers:
                        assert options.refusal(answer) is None
                        assert about(answer, asked, options) == (kind, unit, target)


@pytest.mark.parametrize("name", rulesets())
def test_of_a_list_every_answer_can_be_reached(name: str) -> None:
    looked = 0
    for asked, options, heads in asked_in(name, 60, seed=5):
        listed = set(options) if options.finite else set()
        groups: dict[Any, set[Any]] = {}
        for answer in listed:
            groups.setdefault(about(answer, asked, options), set()).add(answer)
        for of, group in groups.items():
            reached = set(heads.answers(*of))
            assert reached == group if len(group) <= 8 else reached < group
        if listed:
            looked += 1
            paths = {
                (kind, unit, target)
                for kind in heads.kinds
                for unit in heads.units(kind)
                for target in heads.targets(kind, unit)
            }
            assert paths == set(groups)
    assert looked > 5


@usual
@pytest.mark.parametrize("name", rulesets())
def test_the_checkers_have_nothing_to_say_of_heads(name: str) -> None:
    api_test(caltrop.envs.aec(name, heads=True), num_cycles=6)
    seed_test(lambda: caltrop.envs.aec(name, heads=True), num_cycles=4)
    check_env(gymnasium.make(f"caltrop/{name}-v0", opponent="random", heads=True).unwrapped)


@pytest.mark.parametrize("name", rulesets())
def test_a_number_means_the_same_kind_and_the_same_row_at_every_question(name: str) -> None:
    env = caltrop.envs.aec(name, heads=True)
    layout = env.layout
    env.reset(seed=3)
    dice, acts, stages = Seeded(3), 0, set()
    head = layout.sections["head"]
    for _ in range(80):
        if all(env.terminations.values()):
            env.reset()
        agent = env.agent_selection
        seen, means = env.observe(agent), env.infos[agent]["actions"]
        assert seen["action_mask"].any()
        assert np.flatnonzero(seen["action_mask"]).tolist() == list(means)
        row = dict(zip(head.columns, seen["observation"][head.start : head.end].tolist(), strict=True))
        (stage,) = [name for name in HEADS if row[f"asks for {name}"]]
        stages.add(stage)
        for number, meaning in means.items():
            if stage == "kind":
                assert layout.actions[meaning.__name__] == number
            elif stage in ("unit", "target"):
                assert meaning is None if number == 0 else meaning == number - 1
            else:
                assert env.game.options.refusal(meaning) is None
        answers = layout.sections["answers"]
        legal = seen["observation"][answers.start : answers.end].reshape(answers.rows, -1)[:, 0].sum()
        assert legal == (len(means) if stage == "answer" else 0)
        with pytest.raises(ValueError, match="is masked"):
            env.step(next(n for n in range(layout.numbers) if n not in means))
        before = env.game.match.state
        env.step(list(means)[dice.below(len(means))])
        assert (env.game.match.state is before) is (stage != "answer")
        acts += stage == "answer"
    assert acts > 10
    assert {"kind", "answer"} <= stages


@pytest.mark.parametrize("name", rulesets())
def test_in_the_midst_of_an_answer_a_game_is_saved_and_copied(name: str) -> None:
    env = caltrop.envs.gym(name, opponent="random", heads=True)
    _, info = env.reset(seed=1)
    for _ in range(30):
        _, _, over, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
        if over:
            _, info = env.reset()
        if env.game.moment.head.path and not env.game.moment.head.last:  # type: ignore[attr-defined]
            break

    def on(twin: Any) -> list[Any]:
        result: list[Any] = []
        for _ in range(6):
            seen, reward, over, _, info = twin.step(np.flatnonzero(twin.action_masks())[0])
            result += [seen.tobytes(), reward, over, info["action_mask"].tobytes()]
            if over:
                result.append(twin.reset()[0].tobytes())
        return result

    saved, twin = env.save(), pickle.loads(pickle.dumps(env))
    ahead = on(env)
    assert on(twin) == ahead
    other = caltrop.envs.gym(name, opponent="random", heads=True)
    other.restore(pickle.loads(pickle.dumps(saved)))
    assert on(other) == ahead
    with pytest.raises(ValueError, match="give what save"):
        caltrop.envs.gym(name, opponent="random").restore(saved)


def test_many_games_and_players_choose_by_heads_too() -> None:
    games = caltrop.envs.vector("duel", 2, opponent="random", heads=True)
    _, info = games.reset(seed=1)
    for _ in range(30):
        *_, info = games.step(np.array([np.flatnonzero(mask)[-1] for mask in info["action_mask"]]))
        assert info["action_mask"].any(axis=1).all()
    asked: list[int] = []

    def choose(array: Any, mask: Any) -> int:
        asked.append(int(mask.sum()))
        return int(np.flatnonzero(mask)[0])

    mind = caltrop.envs.player("squad-action", choose, heads=True)
    match = caltrop.new("squad-action", seed=1)
    for _ in range(12):
        decision = match.waiting[0]
        view = match.view(decision.side)
        answer = mind.decide(decision, view, Seeded(1))
        assert decision.options(view).refusal(answer) is None
        match.follow(decision, answer)
    assert len(asked) > 12
    lost = caltrop.envs.player("duel", lambda array, mask: -1, heads=True)
    match = caltrop.new("duel", seed=1)
    with pytest.raises(ValueError, match="-1 is masked"):
        lost.decide(match.waiting[0], match.view(match.waiting[0].side), Seeded(1))
