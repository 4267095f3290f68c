"""The sequence of the game: first side, order of models, combat, and participants in combat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.asking import Usual, offered
from caltrop.chance import Seeded
from caltrop.engine import Match, Refused
from caltrop.geometry import INCH
from caltrop.rules.blade_skirmish.charge import Charged
from caltrop.rules.blade_skirmish.combat import Chosen
from caltrop.rules.blade_skirmish.conditions import to_go
from caltrop.rules.blade_skirmish.movement import Flee, Move
from caltrop.rules.blade_skirmish.records import Guts, Skirmish, Wave
from caltrop.rules.blade_skirmish.routes import Moved, Walk
from caltrop.rules.blade_skirmish.rulebook import ruleset
from caltrop.rules.blade_skirmish.running import RunOn
from caltrop.rules.blade_skirmish.scene import done, put, run, scene
from caltrop.rules.blade_skirmish.setup import Entered, PlaceFighter
from caltrop.rules.blade_skirmish.turn import (
    Begin,
    FirstTurn,
    Game,
    NextFighter,
    RolledOff,
    Take,
    Turn,
    TurnBegan,
    WhoBegins,
    order_of_sides,
)
from caltrop.rules.blade_skirmish.turn import (
    Sequence as OneSequence,
)

TWO: dict[str, Any] = {"automated": (), "names": ("South", "North")}
THREE: dict[str, Any] = {"automated": (2,), "names": ("South", "North", "Strays"), "areas": (None,) * 3}


def there(match: Match) -> Skirmish:
    assert isinstance(match.state, Skirmish)
    return match.state


def begun(scenario: str, seed: str = "turn", **rules: Any) -> Match:
    """Return a scenario up to its first decision."""
    return Match(ruleset, ruleset.setup(ruleset.book(None, rules), scenario), Seeded(seed))


def played(match: Match, choices: str = "choices", most: int = 4000) -> list[Any]:
    """Play a random match to its end and return its events."""
    dice, events = Seeded(choices), list(match.opening)
    for _ in range(most):
        if match.over is not None:
            return events
        asked = match.waiting[0]
        events += match.play(asked.side, asked.options(match.view(asked.side)).sample(dice), asked)
    raise AssertionError("the game does not end")


def first(t: Skirmish, *dice: Sequence[int]) -> Match:
    return run(t, FirstTurn(), *dice)


# --- who begins -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-Q37", "BS-TRN-05")
@pytest.mark.house("first_side", "player", "automated", "rolled")
@pytest.mark.parametrize(
    ("value", "dice", "expected"),
    [("player", (), 0), ("automated", (), 1), ("rolled", ((2,), (5,)), 1), ("rolled", ((3,), (3,), (4,), (1,)), 0)],
)
def test_the_players_side_begins_unless_it_is_agreed_otherwise(value: str, dice: Any, expected: int) -> None:
    t = scene(put(0, 1, 2, 2), put(1, 1, 20, 20), rules={"first_side": value})
    after = done(first(t, *dice))
    assert (after.first, after.active) == (expected, expected)
    assert order_of_sides(after) == (expected, 1 - expected)


@pytest.mark.clause("BS-Q37", "BS-Q38")
@pytest.mark.parametrize(("value", "begins"), [("player", 0), ("automated", 1)])
def test_a_game_begins_with_the_turn_of_the_side_that_has_the_first(value: str, begins: int) -> None:
    words = played(begun("cut-them-down", first_side=value))
    assert next(event.sides for event in words if isinstance(event, TurnBegan)) == (begins,)


@pytest.mark.clause("BS-Q37")
def test_a_scenario_may_say_that_the_other_side_begins() -> None:
    assert done(first(scene(put(0, 1, 2, 2), put(1, 1, 20, 20), field={"first": 1}))).first == 1


@pytest.mark.clause("BS-Q38")
@pytest.mark.house("first_side", "player", "automated")
@pytest.mark.parametrize("value", ["player", "automated"])
@pytest.mark.parametrize("choice", [0, 1])
def test_of_two_players_the_highest_die_chooses_who_starts(value: str, choice: int) -> None:
    t = scene(put(0, 1, 2, 2), put(1, 1, 20, 20), field=TWO, rules={"first_side": value})
    match = first(t, (4,), (4,), (2,), (6,))
    assert [e.winner for e in match.opening if isinstance(e, RolledOff)] == [None, 1]
    asked = match.waiting[0]
    assert (type(asked), asked.side) == (WhoBegins, 1)
    match.play(1, Begin(choice))
    assert done(match).first == choice


@pytest.mark.clause("BS-Q38", "BS-TRN-05")
@pytest.mark.parametrize(("begins", "expected"), [(0, (0, 1, 2)), (1, (1, 0, 2))])
def test_automated_models_go_after_the_last_player(begins: int, expected: tuple[int, ...]) -> None:
    assert order_of_sides(scene(put(0, 1, 2, 2), field=THREE, first=begins)) == expected


# --- turns alternate --------------------------------------------------------------------------------------------------


def turns(t: Skirmish, count: int) -> list[tuple[tuple[int, ...], int]]:
    """Return the first turns of a game without obstacles."""
    start = t.clone()
    start.stack = [Game(at="begin")]
    match, dice = Match(ruleset, start, Seeded(3)), Seeded(5)
    opening: list[Any] = list(match.opening)
    while match.over is None and sum(isinstance(e, TurnBegan) for e in opening) < count:
        asked = match.waiting[0]
        opening += match.play(asked.side, asked.options(match.view(asked.side)).sample(dice), asked)
    return [(e.sides, e.turn) for e in opening if isinstance(e, TurnBegan)][:count]


@pytest.mark.clause("BS-TRN-05", "BS-TRN-06", "BS-AUT-04", "BS-Q29")
@pytest.mark.house("turn_mode", "side", "alternate")
def test_sides_take_turns_or_share_them() -> None:
    fighters = (put(0, 2, 2, 2), put(0, 2, 5, 2), put(1, 2, 20, 22), put(1, 2, 16, 22))
    solo = scene(*fighters, turns=(0, 0))
    assert turns(solo, 5) == [((0,), 1), ((1,), 1), ((0,), 2), ((1,), 2), ((0,), 3)]
    shared = scene(*fighters, turns=(0, 0), rules={"turn_mode": "alternate"}, first=1)
    assert turns(shared, 3) == [((1, 0), 1), ((1, 0), 2), ((1, 0), 3)]


@pytest.mark.clause("BS-Q38", "BS-TRN-06")
@pytest.mark.house("mode", "versus_with_automata", "versus", "solo")
def test_with_two_players_and_automated_models_three_take_turns() -> None:
    fighters = (put(0, 2, 2, 2), put(1, 2, 20, 22), put(2, 1, 2, 22))
    assert turns(scene(*fighters, field=THREE, turns=(0, 0, 0), first=1), 4) == [
        ((1,), 1),
        ((0,), 1),
        ((2,), 1),
        ((1,), 2),
    ]
    for mode, scenario, sides in (("versus_with_automata", "blood-price", 2), ("versus", "cut-them-down", 2)):
        words = played(begun(scenario, mode=mode))
        assert {e.sides for e in words if isinstance(e, TurnBegan)} >= {(side,) for side in range(sides)}
    asked = set()
    match = begun("cut-them-down", mode="solo")
    dice = Seeded("who is asked")
    while match.over is None:
        asked.add(match.waiting[0].side)
        match.play(0, match.waiting[0].options(match.view(0)).sample(dice))
    assert asked == {0}


# --- a turn -----------------------------------------------------------------------------------------------------------


def turn(t: Skirmish, *dice: Sequence[int], sides: tuple[int, ...] = (0,)) -> Match:
    return run(t, Turn(sides=sides), *dice)


def pick(match: Match) -> list[int]:
    """Return the fighters that the player may take next."""
    asked = match.waiting[0]
    assert isinstance(asked, NextFighter)
    return [action.fighter for action in asked.options(there(match))]


def stay(match: Match) -> None:
    """Answer for the moving model until another is chosen or the turn is over, with the first option that does not move
    it.
    """
    while match.waiting and not isinstance(match.waiting[0], NextFighter):
        asked = match.waiting[0]
        options = asked.options(there(match))
        stored = [a for a in options if type(a).__name__ in ("Stay", "StayHere", "NoRun")]
        match.play(asked.side, stored[0] if stored else options.first())


@pytest.mark.clause("BS-TRN-01", "BS-TRN-02", "BS-TRN-03", "BS-TRN-04")
def test_every_model_goes_once_in_any_order_and_then_comes_combat() -> None:
    t = scene(put(0, 1, 2, 2), put(0, 1, 6, 2), put(0, 1, 10, 2), put(1, 1, 20, 22), turns=(0, 0))
    match = turn(t)
    assert pick(match) == [0, 1, 2]
    match.play(0, Take(1))
    assert any(isinstance(frame, OneSequence) and frame.fighter == 1 for frame in there(match).stack)
    with pytest.raises(Refused):
        match.play(0, Take(2))
    stay(match)
    assert pick(match) == [0, 2]
    with pytest.raises(Refused) as raised:
        match.play(0, Take(1))
    assert raised.value.refusal.clause == "BS-TRN-01"
    match.play(0, Take(2))
    stay(match)
    assert not match.waiting, "the last one is not asked for, and all have gone"
    after = done(match)
    assert sorted(after.gone) == [0, 1, 2]
    assert after.turns == [1, 0]


@pytest.mark.clause("BS-TRN-02")
def test_a_model_moves_charges_and_runs_in_this_order() -> None:
    t = scene(put(0, 2, 12, 4, name="Ada"), put(1, 1, 12, 13, name="Bo"), put(0, 2, 3, 3, name="Cy"))
    match = run(t, OneSequence(fighter=0))
    assert isinstance(match.waiting[0], Move)
    (moved,) = match.play(0, Walk(((12 * INCH, 7 * INCH),)))
    assert (type(moved), there(match).gone) == (Moved, [0])
    assert isinstance(match.waiting[0], RunOn), "5 inches away there is nobody to charge"
    match.play(0, Walk(((12 * INCH, 9 * INCH),)))
    assert done(match).fighters[0].at == (12 * INCH, 9 * INCH)

    match = run(t, OneSequence(fighter=0))
    assert [type(event) for event in match.play(0, Walk(((12 * INCH, 8 * INCH),)))] == [Moved, Charged]
    done(match)


@pytest.mark.clause("BS-TRN-01")
def test_offers_name_the_model_her_quality_and_condition() -> None:
    t = scene(put(0, 3, 2, 2, name="Ada", fleeing=True), put(0, 1, 6, 2, name="Bel", trophy=1), put(1, 1, 20, 22))
    match = turn(t)
    offers = offered(match.waiting[0]).offers(there(match))
    assert [(o.words, o.unit) for o in offers] == [
        ("Take Ada, Seasoned 3, fleeing", 0),
        ("Take Bel, Green 1, taking a trophy", 1),
    ]


@pytest.mark.clause("BS-TRN-01", "BS-TRN-03")
def test_those_who_are_left_are_usually_taken_in_order() -> None:
    match = turn(scene(put(0, 1, 2, 2), put(0, 1, 6, 2), put(0, 1, 10, 2), put(1, 1, 20, 22)))
    usual = offered(match.waiting[0]).usual
    assert usual(there(match)) == Usual(action=Take(0), words="Everybody stays")
    assert usual(there(match), 1) == Usual(action=Take(1), words="Everybody stays", unit=1)
    match.play(0, Take(0))
    stay(match)
    usual = offered(match.waiting[0]).usual
    assert usual(there(match)) == Usual(action=Take(1), words="Everybody else stays")
    assert usual(there(match), 0) is None


@pytest.mark.clause("BS-TRN-04", "BS-AUT-01", "BS-AUT-03", "BS-CMB-01")
@pytest.mark.parametrize("side", [0, 1])
def test_combat_closes_the_turn_of_either_side_and_both_strike(side: int) -> None:
    t = scene(put(0, 2, 12, 12), put(1, 2, 13, 12), put(side, 2, 2, 2), turns=(0, 0), active=side)
    match = Match(ruleset, _with(t, Turn(sides=(side,))), Seeded(1))
    opening = list(match.opening)
    while match.waiting:
        assert not any(isinstance(event, Chosen) for event in opening), "nobody strikes before all have gone"
        options = [a for a in match.waiting[0].options(match.state) if not isinstance(a, Flee)]
        opening += match.play(0, options[0])
    assert [event.attacker for event in opening if isinstance(event, Chosen)] == [side, 1 - side]
    assert sorted(there(match).gone) == sorted({side, 2})


def _with(t: Skirmish, procedure: Any) -> Skirmish:
    start = t.clone()
    start.stack = [procedure]
    return start


@pytest.mark.clause("BS-Q29")
@pytest.mark.house("turn_mode", "alternate")
def test_where_sides_share_a_turn_they_take_one_model_each_by_turns() -> None:
    t = scene(
        put(0, 1, 2, 2), put(0, 1, 6, 2), put(0, 1, 10, 2), put(1, 1, 2, 22), put(1, 1, 6, 22),
        field=TWO, turns=(0, 0), rules={"turn_mode": "alternate"},
    )  # fmt: skip
    match = turn(t, sides=(1, 0))
    order: list[int] = []
    while match.waiting:
        asked = match.waiting[0]
        if isinstance(asked, NextFighter):
            match.play(asked.side, Take(pick(match)[0]))
        else:
            stay_on = asked.options(there(match)).first()
            match.play(asked.side, stay_on)
        order += [id for id in there(match).gone if id not in order]
    assert [t.fighters[id].side for id in order] == [1, 0, 1, 0, 0]
    after = done(match)
    assert after.turns == [1, 1]
    assert after.round == 1


@pytest.mark.clause("BS-S51", "BS-S53")
def test_who_enters_acts_in_the_same_turn() -> None:
    t = scene(
        put(0, 1, 12, 2), put(1, 1, 0, 0, at=None, fate="waiting"),
        field={"waves": (Wave(turn=1, fighters=(1,), edges=("north",)),)}, turns=(1, 0), active=1,
    )  # fmt: skip
    match = turn(t, (5, 5), (1,), sides=(1,))
    after = done(match)
    assert any(isinstance(event, Entered) for event in match.opening)
    assert after.gone == [1]
    assert after.fighters[1].at != (12 * 254, 24 * 254 - 127), "she has moved on"


@pytest.mark.clause("BS-FAT-01", "BS-Q24", "BS-W30")
def test_a_trophy_keeps_its_taker_until_the_end_of_her_sides_next_turn() -> None:
    t = scene(put(0, 1, 2, 2, trophy=2), put(1, 1, 20, 22), turns=(1, 0), active=1)
    seen = []
    for number, side in ((1, 1), (2, 0)):
        match = Match(ruleset, _with(t, Turn(sides=(side,))), Seeded(2))
        while match.waiting:
            match.play(0, match.waiting[0].options(there(match)).first())
        t = there(match).clone()
        seen.append((number, t.turns[side], t.fighters[0].trophy))
    assert seen == [(1, 1, 2), (2, 2, None)]


@pytest.mark.clause("BS-Q25")
@pytest.mark.house("gut_marker_turns", 0, 2)
def test_who_lies_there_is_taken_away_when_her_rounds_are_over() -> None:
    guts = [Guts(at=(500, 500), until=3), Guts(at=(900, 900))]
    t = scene(put(0, 1, 12, 2), put(1, 1, 20, 22), turns=(2, 2), guts=guts)
    assert len(there(turn(t)).guts) == 2
    t = scene(put(0, 1, 12, 2), put(1, 1, 20, 22), turns=(3, 3), guts=guts)
    assert there(turn(t)).guts == [Guts(at=(900, 900))]


@pytest.mark.clause("BS-TRN-06")
def test_a_goal_that_is_reached_ends_the_game_at_once() -> None:
    t = scene(put(0, 1, 2, 2), put(0, 1, 6, 2), put(1, 1, 0, 0, at=None, fate="dead"), field={"goal": "clear"})
    match = turn(t)
    match.play(0, Take(0))
    while match.waiting:
        match.play(0, match.waiting[0].options(there(match)).first())
    assert match.over is not None
    assert match.over.winner == 0
    assert there(match).gone == [0], "nobody else has gone"


@pytest.mark.clause("BS-TRN-03")
def test_who_has_left_the_table_has_not_to_go() -> None:
    t = scene(put(0, 1, 2, 2), put(0, 1, 0, 0, at=None, fate="wounded"), put(0, 1, 6, 2), gone=[2])
    assert [f.id for f in to_go(t, 0)] == [0]


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ruleset.scenarios(), ids=lambda card: card.id)
def test_every_scenario_is_played_to_its_end(card: Any) -> None:
    match = begun(card.id)
    assert isinstance(match.waiting[0], PlaceFighter | WhoBegins)
    words = played(match)
    assert match.over is not None
    limit = there(match).field.limit
    assert limit is not None
    assert max(there(match).turns) <= limit
    assert any(isinstance(event, TurnBegan) for event in words)
