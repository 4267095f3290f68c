"""Players in a separate process give the same answers, return their memory, and can be stopped."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Decision, rulesets
from caltrop.host.apart import Apart
from caltrop.journal import Setting
from caltrop.lab.workers import Broken, Late
from caltrop.players import UNBOUNDED, Budget, IllegalAnswer, maker_of, players, players_of


@pytest.mark.parametrize("game", [name for name in rulesets() if "veteran" in players(name)])
def test_what_a_player_is_told_goes_there_and_back(game: str) -> None:
    match = Setting.chosen(game).begin(Seeded(3), keep=False)
    seated = players_of(match, "recruit", "recruit", seed=1)
    for _ in range(12):
        seated.act()
    asked = match.waiting[0]
    view = match.view(asked.side)
    decision, again, dice = pickle.loads(pickle.dumps((asked, view, Seeded(5))))
    assert (decision, again) == (asked, view)
    assert again.book.rules == view.book.rules
    one, other = (maker_of("veteran", game)() for _ in range(2))
    assert one.decide(asked, view, Seeded(5)) == other.decide(decision, again, dice)


class Sleeper:
    """A player that counts its calls and may sleep."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds, self.asked = seconds, 0

    def decide(self, decision: Decision, view: Any, dice: Any, budget: Budget = UNBOUNDED) -> Any:
        import time

        time.sleep(self.seconds)
        self.asked += 1
        return decision.options(view).sample(dice)


def test_it_remembers_what_it_has_thought_and_is_ended_where_it_takes_too_long() -> None:
    match = Setting.chosen("duel").begin(Seeded(3), keep=False)
    asked = match.waiting[0]
    view, apart = match.view(asked.side), Apart()
    try:
        first, dice = Sleeper(), Seeded(1)
        thought = apart.think(first, asked, view, dice, UNBOUNDED, 30.0)
        assert thought.action in asked.options(view)
        assert (first.asked, thought.player.asked) == (0, 1)  # type: ignore[attr-defined]
        again = apart.think(thought.player, asked, view, thought.dice, UNBOUNDED, 30.0)
        assert again.player.asked == 2  # type: ignore[attr-defined]
        assert [thought.action, again.action] == [asked.options(view).sample(d) for d in [dice] for _ in range(2)]
        with pytest.raises(Late):
            apart.think(Sleeper(60.0), asked, view, Seeded(1), UNBOUNDED, 0.2)
        assert apart.think(first, asked, view, Seeded(1), UNBOUNDED, 30.0).action in asked.options(view)
    finally:
        apart.end()


class Unsendable(Sleeper):
    """A player with an attribute that cannot be sent to another process."""

    def __init__(self) -> None:
        super().__init__()
        self.held = lambda: None


class Cheat(Sleeper):
    """A player that discovers that its own answer is illegal."""

    def decide(self, decision: Decision, view: Any, dice: Any, budget: Budget = UNBOUNDED) -> Any:
        raise IllegalAnswer("it is no answer")


def test_what_cannot_be_sent_and_what_is_no_answer_are_told_apart() -> None:
    match = Setting.chosen("duel").begin(Seeded(3), keep=False)
    asked = match.waiting[0]
    apart = Apart(1)
    try:
        with pytest.raises(Broken, match="cannot be sent"):
            apart.think(Unsendable(), asked, match.view(asked.side), Seeded(1), UNBOUNDED, 30.0)
        with pytest.raises(IllegalAnswer, match="it is no answer"):
            apart.think(Cheat(), asked, match.view(asked.side), Seeded(1), UNBOUNDED, 30.0)
    finally:
        apart.end()


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in rulesets() for name in players(game)]
)  # fmt: skip
def test_every_player_can_be_sent_to_another_process(game: str, name: str) -> None:
    assert type(pickle.loads(pickle.dumps(maker_of(name, game)()))) is type(maker_of(name, game)())
