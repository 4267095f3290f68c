"""A match: refusals, sealed answers, undo, typed-in dice, and steps that raise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from caltrop.chance import Awaiting, Pool, Scripted, ScriptError, Seeded, TypedIn
from caltrop.engine import Fell, Match, Played, Refused, Undone, imagined, ruleset, stored
from caltrop.rules.duel.movement import Stay, Walk
from caltrop.rules.duel.records import Duel
from caltrop.rules.duel.strike import HoldBack, Parry, TakeIt, Thrust
from caltrop.rules.duel.turn import Stake

CLOSE = Walk(((1000, 500),))
"""A walk from the starting place of the first duellist to within reach of the second."""


def duel(dice: Any = None, **rules: Any) -> Match:
    result = ruleset("duel")
    return Match(result, result.setup(result.book("current", rules), "crossroads"), dice or Scripted())


def table(match: Match) -> Duel:
    """Return the state of the duel."""
    assert isinstance(match.state, Duel)
    return match.state


def at_the_parry(dice: Any = None) -> Match:
    """Return a match in which the first side has walked up and strikes, and the other is asked whether it parries."""
    match = duel(dice)
    match.play(0, Stake(1))
    match.play(1, Stake(0))
    match.play(0, CLOSE)
    match.play(0, Thrust())
    return match


def test_an_action_that_may_not_be_taken_changes_nothing() -> None:
    match = duel()
    match.play(0, Stake(1))
    match.play(1, Stake(0))
    before, text = match.state, stored(match.state)
    with pytest.raises(Refused) as refused:
        match.play(0, Walk(((1600, 500),)))
    refusal = refused.value.refusal
    assert (refusal.code, refusal.clause) == ("too-far", "DU-MOVE-01")
    assert refusal.message == "The way is 12 cm long, and a walk is at most 8 cm"
    assert refusal.values == {"length": 1200, "limit": 800}
    assert refusal.nearest == Walk(((1000, 500),))
    assert match.state is before
    assert stored(match.state) == text
    assert len(match.journal) == 2


def test_a_side_answers_only_what_it_is_asked() -> None:
    match = duel()
    match.play(0, Stake(1))
    with pytest.raises(Refused, match="not this side's decision"):
        match.play(0, Stake(1))
    match.play(1, Stake(0))
    with pytest.raises(Refused, match="not this side's decision"):
        match.play(1, Stay())
    old = match.state
    move = match.waiting[0]
    match.play(0, CLOSE)
    with pytest.raises(Refused, match="not this side's decision"):
        match.play(0, Stay(), move)
    assert match.state is not old


def test_a_sealed_answer_is_seen_by_its_own_side_alone() -> None:
    match = duel()
    match.play(0, Stake(2))
    assert match.view(0).answers == (Stake(2), None)
    assert match.view(1).answers == match.view(None).answers == (None, None)
    assert match.view(1).duellists == table(match).duellists


def test_a_sealed_answer_may_be_taken_back_until_the_last_is_in() -> None:
    match = duel()
    match.play(0, Stake(2))
    assert match.boundary(0) is None
    assert match.boundary(1) == "the other side has already answered"
    assert match.undo(0)
    match.play(0, Stake(3))
    match.play(1, Stake(0))
    assert match.boundary(1) == "something was revealed: Ash stakes 3 and Briar stakes 0"
    assert not match.undo(1)
    assert [type(entry) for entry in match.journal] == [Played, Undone, Played, Played]


def test_dice_are_a_boundary_and_consent_goes_beyond_it() -> None:
    match = at_the_parry(Scripted((5,), (2,)))
    assert match.boundary(0) is None
    match.play(1, TakeIt())
    assert match.boundary(1) == "dice were rolled (DU-STRIKE-02)"
    assert not match.undo(1)
    assert match.boundary(0) == "the other side has already answered"
    assert match.undo(1, consent=True)
    assert match.decision(1) is not None
    # The old roll stays in the record, and a new one is thrown.
    match.play(1, Parry())
    faces = [entry.faces for entry in match.journal if isinstance(entry, Fell)]
    assert faces == [(5,), (2,)]
    assert table(match).duellists[1].wounds == 3


def test_consent_takes_a_side_back_to_its_own_last_act() -> None:
    match = at_the_parry(Scripted((5,)))
    match.play(1, TakeIt())
    assert match.undo(0, consent=True)
    assert type(match.waiting[0]).__name__ == "StrikeOrHold"
    assert match.journal[-1] == Undone(0, 3, True)
    fresh = duel()
    fresh.play(1, Stake(1))
    assert not fresh.undo(0, consent=True)
    assert fresh.history


def test_a_state_that_was_handed_out_is_never_changed() -> None:
    match, choices = duel(Seeded(3)), Seeded(4)
    handed = []
    while match.over is None:
        handed.append((match.state, stored(match.state)))
        decision = match.waiting[0]
        match.play(decision.side, decision.options(match.view(decision.side)).sample(choices))
    assert all(stored(state) == text for state, text in handed)


def test_typed_in_dice_are_asked_for_and_the_same_act_is_played_again() -> None:
    dice = TypedIn((), Seeded(0))
    match = at_the_parry(dice)
    before, entries = match.state, list(match.journal)
    with pytest.raises(Awaiting) as awaiting:
        match.play(1, TakeIt())
    assert awaiting.value.pool == Pool(1)
    assert awaiting.value.why == ("DU-STRIKE-02",)
    assert match.state is before
    assert match.journal == entries
    dice.add(7)
    with pytest.raises(ScriptError, match="face out of range"):
        match.play(1, TakeIt())
    assert match.state is before
    dice.add(6)
    match.play(1, TakeIt())
    assert table(match).duellists[1].wounds == 2
    assert match.journal[-1] == Fell((6,), 6, ("DU-STRIKE-02",), 0, typed=True)


def test_only_the_dice_of_the_sides_named_are_typed_in() -> None:
    match = at_the_parry(TypedIn((), Scripted((2,)), sides={1}))
    match.play(1, TakeIt())
    assert match.journal[-1] == Fell((2,), 6, ("DU-STRIKE-02",), 0)


def test_an_act_with_two_throws_asks_for_the_second_when_the_first_is_typed() -> None:
    dice = TypedIn((), Seeded(0))
    match = at_the_parry(dice)
    state = table(match).clone()
    state.change(1, wounds=2)
    match = Match(match.ruleset, state, dice)
    dice.add(6)
    with pytest.raises(Awaiting) as awaiting:
        match.play(1, TakeIt())
    assert awaiting.value.why == ("DU-WIND-01",)
    dice.add(3)
    match.play(1, TakeIt())
    assert table(match).duellists[1].wounds == 1
    assert dice.taken == 2


@dataclass
class Broken:
    """Dice that cannot be thrown."""

    def roll(self, pool: Pool, why: tuple[str, ...]) -> tuple[int, ...]:
        raise ZeroDivisionError

    def below(self, n: int) -> int:
        return 0


def test_a_step_that_raises_leaves_nothing_half_done() -> None:
    match = at_the_parry(Broken())
    before, text, entries, acts = match.state, stored(match.state), list(match.journal), len(match.history)
    with pytest.raises(ZeroDivisionError):
        match.play(1, Parry())
    assert match.state is before
    assert stored(before) == text
    assert match.journal == entries
    assert len(match.history) == acts


def test_thinking_ahead_touches_neither_the_match_nor_its_dice() -> None:
    match = at_the_parry(Scripted((4,)))
    text = stored(match.state)
    ahead = match.imagine(1, Seeded(1))
    choices = Seeded(2)
    while ahead.over is None:
        decision = ahead.waiting[0]
        ahead.follow(decision, decision.options(ahead.state).sample(choices))
    assert stored(match.state) == text
    assert not ahead.journal
    assert not ahead.history
    match.play(1, TakeIt())


def test_thinking_ahead_does_not_know_a_sealed_answer() -> None:
    match = duel()
    match.play(0, Stake(2))
    ahead = imagined(match.ruleset, match.view(1), 1, Seeded(0))
    assert {decision.side for decision in ahead.waiting} == {0, 1}


def test_to_follow_what_is_not_asked_is_a_mistake_of_the_program() -> None:
    match = duel()
    match.play(0, Stake(1))
    asked = match.state.asked[0]
    with pytest.raises(ValueError, match="not asked now"):
        match.follow(asked, Stake(1))


def test_holding_back_needs_no_parry() -> None:
    match = duel()
    match.play(0, Stake(1))
    match.play(1, Stake(0))
    match.play(0, CLOSE)
    match.play(0, HoldBack())
    assert match.waiting[0].side == 1
    assert type(match.waiting[0]).__name__ == "Move"
