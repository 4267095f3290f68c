"""A law of goals: every game describes how it is won."""

from __future__ import annotations

from msgspec import UNSET

from caltrop.picture import Victory
from tests.laws.games import Game

BY_LEAVING = ("home", "broken through")
"""Reasons of victory by a unit that has left the table."""


def goal_in(game: Game, state: object) -> Victory:
    """Return the goal of a state."""
    goal = game.rules.depict(state, None).goal
    assert goal is not UNSET, "it is not said how the game is won"
    assert goal.words
    assert all(words.endswith(".") for words in goal.words)
    return goal


def test_the_side_said_to_be_winning_at_the_end_has_won(game: Game) -> None:
    end = game.match.state.clone()
    over = game.match.over
    assert over is not None
    assert goal_in(game, end).now == ""
    end.over = None
    goal = goal_in(game, end)
    if not any(words in over.reason for words in BY_LEAVING):
        assert goal.leader == over.winner, (goal.now, over.reason)
    names = [seat.name for seat in game.rules.depict(end, None).seats]
    sentence = "a draw" if goal.leader is None else f"{names[goal.leader]} would win"
    assert sentence in goal.now


def test_what_counts_is_told_with_its_worth_while_a_game_goes_on(game: Game) -> None:
    for look in game.looks:
        picture = game.rules.depict(look.state, None)
        goal = goal_in(game, look.state)
        assert bool(goal.now) == (picture.stage.round > 0), look.decision
        for prize in goal.prizes:
            assert prize.name
            assert prize.worth
            assert prize.side in (None, *[seat.side for seat in picture.seats])
        tracks = [stat for seat in picture.seats for stat in seat.points if stat.goal is not UNSET]
        assert all(stat.value[:1].isdecimal() and stat.goal >= 0 for stat in tracks)  # type: ignore[operator]
