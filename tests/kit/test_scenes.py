"""A procedure can be played from a position that was set up for it."""

from __future__ import annotations

import pytest

from caltrop.chance import ScriptError
from caltrop.engine import State, ruleset
from caltrop.kit.scenes import finished, run
from caltrop.rules.duel.records import Duel
from caltrop.rules.duel.strike import Strike, TakeIt


def duel() -> Duel:
    game = ruleset("duel")
    t = game.setup(game.book(), game.scenarios()[0].id)
    assert isinstance(t, Duel)
    t.stack = []
    t.change(1, breath=3)
    return t


def test_a_procedure_runs_to_its_decision_and_leaves_the_scene_as_it_is() -> None:
    t = duel()
    wounds = t.duellists[1].wounds
    match = run(t, Strike(side=0), (5,))
    assert [d.side for d in match.waiting] == [1]
    with pytest.raises(AssertionError, match="the match waits for"):
        finished(Duel, match)
    match.play(1, TakeIt())
    after = finished(Duel, match)
    assert after.duellists[1].wounds == wounds - 1
    assert (t.duellists[1].wounds, t.stack) == (wounds, [])


def test_dice_that_are_left_over_are_complained_of() -> None:
    match = run(duel(), Strike(side=0), (5,), (6,))
    match.play(1, TakeIt())
    with pytest.raises(ScriptError):
        finished(Duel, match)


def test_a_state_of_another_game_is_none_of_this_one() -> None:
    class Other(State, kw_only=True):
        """The state of another game."""

    match = run(duel(), Strike(side=0), (5,))
    match.play(1, TakeIt())
    with pytest.raises(AssertionError):
        finished(Other, match)
