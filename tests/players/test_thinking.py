"""Tools for players that think ahead: chances, candidates, worlds, and copies without shared memory."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Decision, Match, digest, imagined, redacted, ruleset, rulesets
from caltrop.journal import Setting
from caltrop.players import Budget, Thinker, Uniform, chance_of, evaluation, forked, player, players, players_of, worlds

FITTED = [game for game in rulesets() if evaluation(game) is not None]


def match_of(game: str, acts: int, scenario: str | None = None) -> Match:
    """Return a game of the strongest player after some acts."""
    setting = Setting.chosen(game, None, scenario)
    match = setting.begin(Seeded(4), keep=False)
    who = "regular" if "regular" in players(game) else "random"
    seated = players_of(match, who, who, seed=4)
    for _ in range(acts):
        if match.over is None:
            seated.act()
    return match


def test_every_game_on_the_list_has_been_fitted_but_the_template() -> None:
    assert {"command-horizon", "hex-command", "blade-skirmish", "squad-action"} <= set(FITTED)


@pytest.mark.parametrize("game", FITTED)
def test_chances_are_those_of_a_game_that_is_open_and_of_one_that_is_over(game: str) -> None:
    for scenario in [one.id for one in ruleset(game).scenarios()]:
        match = match_of(game, 0, scenario)
        names = evaluation(game)
        assert names is not None
        assert 0.05 < names.chance(match.state, 0) < 0.95
        assert names.chance(match.state, 0) + names.chance(match.state, 1) == pytest.approx(1)
    match = match_of(game, 10_000, next(iter(ruleset(game).scenarios())).id)
    assert match.over is not None
    assert chance_of(match.ruleset, match.state, 0, Seeded(1)) == (
        0.5 if match.over.winner is None else float(match.over.winner == 0)
    )


@pytest.mark.parametrize("game", FITTED)
def test_chances_hang_on_nothing_that_is_hidden(game: str) -> None:
    match = match_of(game, 25)
    names = evaluation(game)
    assert names is not None
    views = [redacted(match.state, side) for side in (0, 1)]
    chances = [names.chance(view, 0) for view in views]
    # Guessed facts may differ from those in the state.
    worlds = [match.ruleset.guess(view, side, Seeded(7)) for side, view in enumerate(views)]
    assert chances == [names.chance(redacted(world, side), 0) for side, world in enumerate(worlds)]
    assert names.chance(match.state, 0) == pytest.approx(chances[0], abs=0.1)
    assert names.chance(match.state, 0) == pytest.approx(chances[1], abs=0.1)


@pytest.mark.parametrize("game", FITTED)
def test_what_was_fitted_tells_more_than_nothing(game: str) -> None:
    names = evaluation(game)
    assert names is not None
    assert names.fit.error < 0.9 * names.fit.blind
    assert sum(one.positions for one in names.fit.bins) > 100


# --- candidates -------------------------------------------------------------------------------------------------------


class Counting(Uniform):
    """A player that records the questions it gets."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def decide(self, decision: Decision, view: Any, dice: Any, budget: Any = None) -> Any:
        self.asked.append(type(decision).__name__)
        return super().decide(decision, view, dice)


@pytest.mark.parametrize("game", ["duel", "hex-command"])
def test_candidates_are_options_and_their_priors_sum_to_one(game: str) -> None:
    match = match_of(game, 7)
    asked = match.waiting[0]
    view = match.view(asked.side)
    before = digest(view)
    who = Counting()
    thinker = Thinker(who, match.ruleset)
    rank = thinker.rank(asked, view, 3)
    assert 1 <= len(rank) <= 3
    assert sum(one.prior for one in rank) == pytest.approx(1)
    assert [one.prior for one in rank] == sorted([one.prior for one in rank], reverse=True)
    assert len({repr(one.action) for one in rank}) == len(rank)
    for one in rank:
        assert one.action in asked.options(view)
        assert 0 <= one.chance <= 1
    assert rank == thinker.rank(asked, view, 3), "equal dice give equal candidates"
    assert digest(view) == before
    assert not who.asked, "the player itself has not been asked"


def test_the_chance_of_a_candidate_is_that_of_what_comes_of_it() -> None:
    match = match_of("blade-skirmish", 1)
    while type(match.waiting[0]).__name__ != "Move":
        asked = match.waiting[0]
        match.follow(asked, asked.options(match.view(asked.side)).first())
    asked = match.waiting[0]
    thinker = Thinker(player("greedy", "blade-skirmish"), match.ruleset)
    for one in thinker.rank(asked, match.view(asked.side), 4):
        thought = imagined(match.ruleset, match.view(asked.side), asked.side, Seeded(1))
        thought.follow(asked, one.action)
        assert one.chance == pytest.approx(thinker.evaluate(thought.view(asked.side), asked.side))


def test_a_budget_of_nodes_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    whole = Thinker._after

    def counted(self: Thinker, decision: Decision, action: Any, some: Any, seeds: Any) -> float:
        nonlocal looked
        looked += len(some)
        return whole(self, decision, action, some, seeds)

    monkeypatch.setattr(Thinker, "_after", counted)
    match = match_of("hex-command", 3)
    asked = match.waiting[0]
    for nodes in (1, 5, 40):
        looked = 0
        Thinker(player("greedy", "hex-command"), match.ruleset).rank(
            asked, match.view(asked.side), 3, Seeded(1), Budget(nodes=nodes)
        )
        assert 0 < looked <= nodes


def test_a_fork_shares_no_memory() -> None:
    who = Counting()
    who.asked.append("before")
    twin = forked(who)
    twin.asked.append("after")
    assert (who.asked, twin.asked) == (["before"], ["before", "after"])


def test_worlds_agree_with_what_is_seen() -> None:
    match = match_of("hex-command", 9)
    view = match.view(0)
    some = worlds(match.ruleset, view, 0, 6, Seeded(1))
    hands = {tuple(world.hands[1]) for world in some}
    assert len(hands) > 1, "what is hidden is drawn anew"
    for world in some:
        assert world.hands[0] == view.hands[0]
        assert len(world.hands[1]) == view.held[1]
        assert redacted(world, 0) == view
