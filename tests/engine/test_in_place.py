"""Playing in place gives the same game as playing on copies. A moment inside an act is the state at its event."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from caltrop.chance import Scripted, Seeded
from caltrop.engine import Match, answer, at_random, rollout, ruleset, rulesets, stored, stretches
from caltrop.journal import Setting
from caltrop.players import listed, player
from tests.tiers import everything, rotating

GAMES = 40
"""Number of games of each ruleset, distributed over its scenarios."""
AT_RANDOM = [(name, "random", number) for name in rulesets() for number in range(GAMES)]
THINKING = [
    (name, "heuristic", number) for name in rulesets() if "heuristic" in listed(name) for number in range(GAMES)
]
ACTS = 10_000
SHORT = 30
"""Number of acts in most games of players that think."""


def begun(name: str, number: int, **how: Any) -> Match:
    scenarios = [card.id for card in ruleset(name).scenarios()]
    setting = Setting.chosen(name, scenario=scenarios[number % len(scenarios)])
    return setting.begin(Seeded(f"in place {number}"), **how)


def played(match: Match, who: str, acts: int) -> tuple[bytes, list[Any]]:
    sides = [player(who, match.ruleset.name) for _ in (0, 1)]
    dice = [Seeded(f"side {side}") for side in (0, 1)]
    for _ in range(acts):
        if match.over is not None:
            break
        asked = match.waiting[0]
        match.follow(asked, sides[asked.side].decide(asked, match.view(asked.side), dice[asked.side]))
    return stored(match.state), match.journal


@pytest.mark.parametrize(("name", "who", "number"), [*rotating(AT_RANDOM, 12), *rotating(THINKING, 40)])
def test_a_game_in_place_is_the_game_on_copies(name: str, who: str, number: int) -> None:
    whole = who == "random" or (everything() and number % 10 == 0)  # games of players that think take seconds
    acts = ACTS if whole else SHORT
    stored = played(begun(name, number), who, acts)
    assert played(begun(name, number, keep=False, in_place=True), who, acts) == stored


@pytest.mark.parametrize("name", rulesets())
def test_a_rollout_is_the_match_in_place(name: str) -> None:
    match = begun(name, 1, keep=False, in_place=True)
    t, dice = match.state.clone(), deepcopy(match.dice)
    acts = rollout(t, (at_random, at_random), lambda _: False, dice)
    for _ in range(acts):
        asked = match.waiting[0]
        match.follow(asked, at_random(asked, match.view(asked.side), match.dice))
    assert match.over == t.over is not None
    assert stored(match.state) == stored(t)


def test_a_copy_of_a_game_in_place_goes_on_by_itself() -> None:
    match = begun("duel", 0, keep=False, in_place=True)
    before = stored(match.state)
    twin = deepcopy(match)
    match.follow(match.waiting[0], match.waiting[0].options(match.view(match.waiting[0].side)).first())
    assert stored(twin.state) == before != stored(match.state)


def test_what_is_played_in_place_is_not_kept() -> None:
    with pytest.raises(ValueError, match="keeps no earlier states"):
        begun("duel", 0, in_place=True)


class _Told(Exception):
    """Raised after the given number of events."""


class _Until(list[Any]):
    """A list that ends the current act when it has a given number of entries."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length

    def append(self, event: Any) -> None:
        super().append(event)
        if len(self) == self.length:
            raise _Told


def broken_off(match: Match, events: int) -> bytes:
    """Return the table if the last act is broken off after a number of events."""
    act = match.history[-1]
    t = act.state.clone()
    t.told = _Until(events)
    with pytest.raises(_Told):
        answer(t, Scripted(*act.rolls), act.index, act.action)
    t.told = None
    return stored(t)


AUTOMATED = [
    (name, number)
    for name in rulesets()
    for number, card in enumerate(ruleset(name).scenarios())
    if ruleset(name).automated(begun(name, number, keep=False).state)
]


def test_some_rules_move_a_side() -> None:
    assert AUTOMATED


@pytest.mark.parametrize(("name", "number"), rotating([one for one in AUTOMATED for _ in range(5)], 5))
def test_moments_inside_an_act_are_where_it_stood_as_each_was_told(name: str, number: int) -> None:
    match, several = begun(name, number), 0
    dice = Seeded(f"moments {number} {name}")
    for _ in range(ACTS):
        if match.over is not None:
            break
        asked = match.waiting[0]
        events = match.follow(asked, asked.options(match.view(asked.side)).sample(dice))
        assert len(match.instants) == len(events)
        result = stretches(match, events, asked.side)
        assert [one.end for one in result[:-1]] == [one.first for one in result[1:]]
        if result:
            assert result[-1].state is match.state
            assert result[-1].rolls == len(match.history[-1].rolls)
        several += len(result) > 1
        for one in result[:-1] if several % 4 == 1 else ():
            assert stored(one.state) == broken_off(match, one.end)
            fallen = [event for event in events[: one.end] if type(event).__name__ == "Rolled"]
            assert one.rolls >= len(fallen)
    assert several
