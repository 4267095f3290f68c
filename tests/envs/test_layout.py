"""The arrays: the meaning of each column, the limits of every array, and cached rows that equal fresh ones."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import caltrop.envs
from caltrop.chance import Seeded
from caltrop.engine import rulesets
from caltrop.envs.layout import Layout, layout_of
from caltrop.envs.numbered import Numbered, prepared
from caltrop.envs.reading import NUMBERS, number_of
from caltrop.journal import Setting


def rows_of(layout: Layout, name: str, array: Any) -> list[dict[str, float]]:
    """Return the rows of a section by the names of their columns."""
    section = layout.sections[name]
    table = array[section.start : section.end].reshape(section.rows, len(section.columns))
    return [dict(zip(section.columns, map(float, row), strict=True)) for row in table]


def played(name: str, questions: int, seed: int = 1, **more: Any) -> Any:
    """Play at random, and yield the environment at every question."""
    env = caltrop.envs.aec(name, **more)
    env.reset(seed=seed)
    dice = Seeded(seed)
    for _ in range(questions):
        if all(env.terminations.values()):
            env.reset()
        yield env
        env.step(dice.below(len(env.game.answers)))


@pytest.mark.parametrize("name", rulesets())
def test_the_description_has_every_column_once_and_is_plain_data(name: str) -> None:
    layout = caltrop.envs.aec(name).layout
    words = json.loads(json.dumps(layout.described()))
    assert (words["format"], words["version"], words["ruleset"]) == ("caltrop-array", 2, name)
    assert words["sections"][0]["name"] == "whole"
    assert {"ground", "units", "answers"} <= {one["name"] for one in words["sections"]}
    at = 0
    for one in words["sections"]:
        assert one["start"] == at
        assert len(set(one["columns"])) == len(one["columns"])
        at += one["rows"] * len(one["columns"])
    assert at == words["size"] == layout.size
    assert words["digest"] == Layout(layout.start, layout.most).digest != Layout(layout.start, layout.most - 1).digest
    assert layout_of(layout.start, layout.most) is layout is copy.deepcopy(layout)
    assert pickle.loads(pickle.dumps(layout)) is layout


@pytest.mark.parametrize("name", rulesets())
def test_all_numbers_lie_between_minus_one_and_one_and_are_the_view_s(name: str) -> None:
    for env in played(name, 60):
        for agent, side in env._side_of.items():
            array = env.observe(agent)["observation"]
            assert array.dtype == np.float32
            assert np.abs(array).max() <= 1
            assert env.observation_space(agent).contains(env.observe(agent))
            view = env.game.view(side)
            shelf = getattr(view, type(view).unit_shelf)
            units = rows_of(env.layout, "units", array)
            assert [row["there"] for row in units] == [float(n < len(shelf)) for n in range(len(units))]


def test_the_columns_are_what_they_are_called() -> None:
    for env in played("hex-command", 80, scenario="crossroads"):
        side = env._side_of[env.agent_selection]
        view, array, layout = env.game.view(side), env.observe(env.agent_selection)["observation"], env.layout
        (whole,) = rows_of(layout, "whole", array)
        assert whole[f"asked {type(env.game.asked).__name__}"] == 1
        assert sum(whole[f"asked {kind}"] for kind in layout.decisions) == 1
        assert {type(frame).__name__ for frame in view.stack} == {
            column.removeprefix("under way ")
            for column, value in whole.items()
            if column.startswith("under way ") and value
        }
        assert whole["second side"] == side
        assert number_of(whole["round"]) == view.round
        assert whole["active is own"] == (view.active == side)
        for whose, n in (("own", side), ("other", 1 - side)):
            assert number_of(whole[f"{whose} held"]) == view.held[n]
            assert number_of(whole[f"{whose} medals"]) == view.medals[n]
            hand = sum(value for column, value in whole.items() if column.startswith(f"{whose} hands word"))
            assert hand == (len(view.hands[n]) / 4 if n == side else 0)
            assert whole[f"{whose} has hands"] == (n == side)
        units = rows_of(layout, "units", array)
        for unit, row in zip(view.units, units, strict=False):
            assert row["side is own"] == (unit.side == side)
            assert number_of(row["strength"]) == unit.strength
            assert row["has hex"] == (unit.hex is not None)
            if unit.hex is not None:
                x, y = layout.cells[unit.hex]
                assert (row["hex x"], row["hex y"]) == pytest.approx(
                    (x / layout.ground.width, y / layout.ground.height)
                )
            assert row["in ordered"] == (unit.id in view.ordered)
            assert row["in moved"] == (unit.id in view.moved)
            assert number_of(row["moved"]) == view.moved.get(unit.id, 0)
        for (hex_, holder), row in zip(view.captured.items(), rows_of(layout, "captured", array), strict=False):
            assert row["there"] == 1
            assert row["x"] == pytest.approx(layout.cells[hex_][0] / layout.ground.width)
            assert number_of(row["value"]) == holder
        answers = rows_of(layout, "answers", array)
        assert [row["legal"] for row in answers] == [float(n < len(env.game.answers)) for n in range(64)]
        for action, row in zip(env.game.answers, answers, strict=False):
            bits = [row[f"kind bit {n}"] for n in range(len(layout.actions).bit_length())]
            assert sum(int(bit) << n for n, bit in enumerate(bits)) == layout.actions[type(action).__name__]
            assert row["ends"] == getattr(action, "final", False)
            if type(action).__name__ == "March":
                assert row["unit"] == pytest.approx(action.unit / layout.units)
                assert (row["unit x"], row["unit y"]) == (units[action.unit]["hex x"], units[action.unit]["hex y"])
                x, y = layout.cells[action.to]
                assert (row["x"], row["y"]) == pytest.approx((x / layout.ground.width, y / layout.ground.height))
            if type(action).__name__ == "Engage":
                assert row["target"] == pytest.approx(action.target / layout.units)
                assert row["target x"] == units[action.target]["hex x"]


@pytest.mark.parametrize("name", ["command-horizon", "squad-action"])
def test_a_unit_stands_in_the_middle_of_its_models(name: str) -> None:
    for env in played(name, 40):
        array = env.observe(env.agent_selection)["observation"]
        view = env.game.view(env._side_of[env.agent_selection])
        width, height = env.layout.ground.width, env.layout.ground.height
        for n, row in enumerate(rows_of(env.layout, "units", array)[: len(view.units)]):
            models = [view.models[m] for m in view.units[n].models]
            every = [one.at if hasattr(one, "at") else (one.x, one.y) for one in models]
            places = [at for at in every if at is not None]
            assert row["models"] == pytest.approx(len(places) / 20)
            if places:
                assert row["x"] == pytest.approx(sum(x for x, _ in places) / len(places) / width, abs=1e-5)
                assert row["y"] == pytest.approx(sum(y for _, y in places) / len(places) / height, abs=1e-5)


def test_an_array_says_nothing_of_what_is_hidden() -> None:
    """Two states differ only in a hidden fact. The fact is in its owner's array, and in no other."""
    start = prepared(Setting.chosen("hex-command"))
    match = start.begin(Seeded(2))
    state: Any = match.state
    hand, other = state.hands
    assert hand
    assert other
    game = Numbered(start, 2, 64, (), match)
    layout = layout_of(start, 64)
    before = [layout.array(game, side) for side in (0, 1)]
    twin = start.begin(Seeded(2))
    t: Any = twin.state.clone()
    t.hands = [hand, tuple(sorted((*other[1:], next(card for card in t.deck() if card != other[0]))))]
    twin.state = t
    twin_game = Numbered(start, 2, 64, (), twin)
    after = [layout.array(twin_game, side) for side in (0, 1)]
    np.testing.assert_array_equal(before[0], after[0])
    assert (before[1] != after[1]).any()


def test_tokens_that_lie_face_down_are_a_number_to_the_others() -> None:
    from caltrop.engine import FaceDown

    start = prepared(Setting.chosen("squad-action"))
    layout = layout_of(start, 16)
    seen = []
    for face in ("fire", "move"):
        match = start.begin(Seeded(2))
        t: Any = match.state.clone()
        t.tokens = {0: FaceDown(t.units[0].side, (face,))}
        match.state = t
        game = Numbered(start, 2, 16, (), match)
        seen.append([layout.array(game, side) for side in (t.units[0].side, 1 - t.units[0].side)])
    assert (seen[0][0] != seen[1][0]).any()
    np.testing.assert_array_equal(seen[0][1], seen[1][1])
    assert rows_of(layout, "tokens", seen[0][1])[0]["there"] == 1


def test_rows_of_what_goes_are_empty_again() -> None:
    """Rows of removed records are empty, also in rows that are reused for the next game."""
    start = prepared(Setting.chosen("squad-action"))
    layout = layout_of(start, 16)
    match = start.begin(Seeded(2))
    game = Numbered(start, 2, 16, (), match)
    before = layout.array(game, 0)
    t: Any = match.state.clone()
    from caltrop.rules.squad_action.records import Cloud

    t.clouds = [Cloud(at=(1000, 2000), side=0, unit=0, left=2), Cloud(at=(3000, 2000), side=1, unit=1, left=1)]
    t.units[0] = replace(t.units[0], pinned=True)
    view = layout.seen(t, 0, game.asked, game.answers, game.options, None, game.desks)
    assert [row["there"] for row in rows_of(layout, "clouds", view)][:3] == [1, 1, 0]
    assert rows_of(layout, "units", view)[0]["pinned"] == 1
    t.clouds = t.clouds[1:]
    view = layout.seen(t, 0, game.asked, game.answers, game.options, None, game.desks)
    assert [row["side is own"] for row in rows_of(layout, "clouds", view)][:2] == [0, 0]
    np.testing.assert_array_equal(layout.array(game, 0), before)


def test_numbers_come_back_from_their_columns() -> None:
    for number in [0, 1, 2, 3, 17, 40, 999, 30_000, -1, -5]:
        assert number_of(NUMBERS[number]) == number
        assert -1 <= NUMBERS[number] <= 1
    assert NUMBERS[None] == 0
    assert NUMBERS[10**9] == 1
