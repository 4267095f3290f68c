"""Goals: conditions of victory and defeat, scores, the relic, and leaving the table."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Match, Outcome, total
from caltrop.geometry import Point
from caltrop.rules.blade_skirmish.catalogue import inches
from caltrop.rules.blade_skirmish.conditions import become, remove
from caltrop.rules.blade_skirmish.records import Relic, Skirmish, Wave
from caltrop.rules.blade_skirmish.routes import Walk
from caltrop.rules.blade_skirmish.scene import done, put, run, scene
from caltrop.rules.blade_skirmish.turn import Sequence, Turn
from caltrop.rules.blade_skirmish.victory import (
    AfterMove,
    HeldTheStones,
    Leave,
    LeaveOrStay,
    RelicTaken,
    StayOn,
    end_turn,
    settle,
    starting,
    victory_points,
)

OWN = put(0, 2, 12, 2, name="Ada")
FOE = put(1, 1, 12, 20, name="Brigand")


def there(match: Match) -> Skirmish:
    assert isinstance(match.state, Skirmish)
    return match.state


def at(x: float, y: float) -> Point:
    return inches(x), inches(y)


def gone(side: int, fate: str, **fields: Any) -> Any:
    """Return a model that has left the table."""
    return put(side, 1, 0, 0, at=None, fate=fate, **fields)


def now(t: Skirmish) -> Outcome | None:
    """Return the outcome of a skirmish in its present state."""
    settle(t)
    return t.over


def at_the_end(t: Skirmish, side: int = 1) -> Outcome | None:
    """Return the outcome at the end of a side's turn."""
    end_turn(t, (side,))
    return t.over


def winner(outcome: Outcome | None) -> int | str | None:
    """Return the winner; `on` during the game."""
    return "on" if outcome is None else outcome.winner


# --- Cut Them Down ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S50", "BS-TRN-06")
@pytest.mark.parametrize(
    ("fighters", "expected"),
    [
        ((OWN, FOE), "on"),
        ((OWN, gone(1, "wounded")), 0),
        ((gone(0, "dead"), FOE), 1),
        ((gone(0, "dead"), gone(1, "dead")), None),
    ],
    ids=["both", "enemies gone", "own gone", "nobody"],
)
def test_cleared_when_no_enemy_is_left_lost_when_no_own_is(fighters: Any, expected: int | str | None) -> None:
    assert winner(now(scene(*fighters, field={"goal": "clear"}))) == expected


@pytest.mark.clause("BS-S50")
def test_who_is_still_to_come_is_an_enemy_left() -> None:
    t = scene(OWN, gone(1, "waiting"), field={"goal": "clear", "waves": (Wave(turn=3, fighters=(1,)),)})
    assert now(t) is None
    remove(t, 1, "wounded")
    assert winner(now(t)) == 0


@pytest.mark.clause("BS-S50", "BS-S52", "BS-S53")
@pytest.mark.parametrize("goal", ["clear", "leave", "relic"])
def test_the_goal_is_missed_when_every_side_has_had_its_turns(goal: str) -> None:
    field = {"goal": goal, "limit": 12}
    assert at_the_end(scene(OWN, FOE, turns=(12, 11), field=field), 0) is None
    outcome = at_the_end(scene(OWN, FOE, turns=(12, 12), field=field))
    assert outcome == Outcome(1, "12 turns are over: Warband has lost")


@pytest.mark.clause("BS-S50")
def test_nothing_counts_before_the_first_turn() -> None:
    assert now(scene(gone(0, "waiting"), FOE, turns=(0, 0), field={"goal": "clear"})) is None


# --- Hold the Stones --------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S51", "BS-Q03")
@pytest.mark.parametrize(
    ("holder", "expected"),
    [
        (put(0, 1, 12, 15.5), 0),
        (put(0, 1, 12, "15.51"), 1),
        (put(0, 1, 12, 12, stunned=True), 1),
        (put(0, 1, 12, 12, fleeing=True), 1),
        (put(0, 1, 12, 2), 1),
    ],
    ids=["3 inches off", "a hair more", "stunned", "fleeing", "far"],
)
def test_a_place_is_held_by_a_fit_model_within_three_inches(holder: Any, expected: int) -> None:
    t = scene(holder, FOE, turns=(8, 8), field={"goal": "hold", "limit": 8, "place": at(12, 12)})
    assert winner(now(t)) == "on", "it is judged at the end alone"
    outcome = at_the_end(t)
    assert outcome is not None
    assert outcome.winner == expected
    assert outcome.reason == (
        "8 turns are over, and nobody fit of Warband is within 3 inches of the middle: Warband has lost"
        if expected
        else f"8 turns are over, and {t.fighters[0].name} holds the place: Warband wins"
    )


@pytest.mark.clause("BS-S51")
def test_a_place_is_held_until_the_last_automated_turn() -> None:
    field = {"goal": "hold", "limit": 8, "place": at(12, 12)}
    assert at_the_end(scene(put(0, 1, 12, 12), turns=(8, 7), field=field), 0) is None
    assert winner(at_the_end(scene(put(0, 1, 12, 12), turns=(7, 8), field=field))) == 0, (
        "where they begin, theirs count"
    )


@pytest.mark.clause("BS-S51")
def test_it_is_lost_before_when_no_own_model_is_left_and_not_won_by_clearing_the_table() -> None:
    field = {"goal": "hold", "limit": 8, "place": at(12, 12)}
    assert winner(now(scene(gone(0, "wounded"), FOE, field=field))) == 1
    assert winner(now(scene(OWN, gone(1, "dead"), field=field))) == "on"


# --- Run the Gauntlet -------------------------------------------------------------------------------------------------


def runners(left: int, there: int, out: int) -> Skirmish:
    """Return a skirmish in which some fighters have left the table, some are on it, and some are out of play."""
    fighters = [gone(0, "away") for _ in range(left)]
    fighters += [put(0, 1, 2 + 2 * i, 2) for i in range(there)]
    fighters += [gone(0, "dead") for _ in range(out)]
    return scene(*fighters, FOE, field={"goal": "leave", "limit": 8}, escaped=list(range(left)))


@pytest.mark.clause("BS-S52")
@pytest.mark.parametrize(
    ("left", "there", "out", "expected"),
    [
        (2, 4, 0, "on"),
        (3, 3, 0, 0),
        (2, 3, 0, "on"),
        (3, 2, 0, 0),
        (0, 3, 3, "on"),
        (0, 2, 4, 1),
        (1, 1, 4, 1),
        (0, 2, 3, 1),
    ],
)
def test_half_of_the_models_rounded_up_have_to_leave(left: int, there: int, out: int, expected: int | str) -> None:
    assert winner(now(runners(left, there, out))) == expected


@pytest.mark.clause("BS-S52", "BS-S45")
def test_who_was_never_put_down_has_not_begun() -> None:
    t = scene(OWN, OWN, gone(0, "waiting"), FOE, field={"goal": "leave"})
    assert starting(t) == 2


@pytest.mark.clause("BS-S52", "BS-Q21")
def test_who_flees_off_the_table_has_not_left_by_the_way_out() -> None:
    t = scene(gone(0, "away"), OWN, FOE, field={"goal": "leave"})
    assert now(t) is None


def moved(*fighters: Any, goal: str = "leave", **fields: Any) -> Match:
    """Return the match after the first fighter's move."""
    return run(scene(*fighters, FOE, field={"goal": goal}, **fields), AfterMove(fighter=0))


@pytest.mark.clause("BS-S52", "BS-S14")
def test_who_touches_the_north_edge_may_leave() -> None:
    match = moved(put(0, 1, 3, 23.5), put(0, 1, 5, 5), put(0, 1, 8, 5))
    asked = match.waiting[0]
    assert isinstance(asked, LeaveOrStay)
    assert asked.offers(there(match))[0].words == "Leave safely: 1 of the 2 needed"
    match.play(0, Leave())
    after = done(match)
    assert (after.fighters[0].fate, after.fighters[0].at, after.escaped) == ("away", None, [0])
    assert after.over is None


@pytest.mark.clause("BS-S52")
def test_leaving_is_optional_and_wins_when_enough_have() -> None:
    match = moved(put(0, 1, 3, 23.5), put(0, 1, 5, 5))
    assert match.play(0, StayOn()) == ()
    assert done(match).fighters[0].at == at(3, 23.5)
    match = moved(put(0, 1, 3, 23.5), put(0, 1, 5, 5))
    match.play(0, Leave())
    assert match.over == Outcome(0, "1 of 2 has left: Warband wins")


@pytest.mark.clause("BS-S52", "BS-S14")
@pytest.mark.parametrize(
    "fighter",
    [
        put(0, 1, 3, 23.4),
        put(0, 1, 3, 0.5),
        put(0, 1, 0.5, 12),
        put(0, 1, 3, 23.5, fleeing=True),
        put(0, 1, 3, 23.5, stunned=True),
        put(1, 1, 3, 23.5),
    ],
    ids=["not touching", "south", "west", "fleeing", "stunned", "an enemy"],
)
def test_nobody_else_leaves(fighter: Any) -> None:
    assert not moved(fighter).waiting


@pytest.mark.clause("BS-S14")
def test_without_such_a_goal_the_edge_is_no_way_out() -> None:
    assert not moved(put(0, 1, 3, 23.5), goal="clear").waiting


# --- The Reliquary ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S53", "BS-Q03")
@pytest.mark.parametrize(
    ("fighter", "takes"),
    [
        (put(0, 1, 12, 12.7), True),
        (put(0, 1, 12, 12.8), False),
        (put(0, 1, 12, 12, fleeing=True), False),
        (put(0, 1, 12, 12, stunned=True), False),
        (put(1, 1, 12, 12), False),
    ],
    ids=["near", "too far", "fleeing", "stunned", "a guard"],
)
def test_a_fit_own_model_within_a_quarter_of_an_inch_takes_the_relic(fighter: Any, takes: bool) -> None:
    match = moved(fighter, goal="relic", relic=Relic(at=at(12, 12)))
    relic = there(match).relic
    assert relic is not None
    assert (relic.carrier == 0) == takes
    assert any(isinstance(event, RelicTaken) for event in match.opening) == takes


@pytest.mark.clause("BS-S53")
def test_a_relic_that_is_carried_is_not_taken_from_her() -> None:
    match = moved(put(0, 1, 12, 12.7), put(0, 1, 12, 11.5), goal="relic", relic=Relic(at=at(12, 12), carrier=1))
    assert there(match).relic == Relic(at=at(12, 12), carrier=1)


@pytest.mark.clause("BS-S53")
@pytest.mark.parametrize("how", ["stunned", "fleeing", "wounded"])
def test_the_carrier_drops_it_where_she_stands(how: Any) -> None:
    t = scene(put(0, 1, 9, 7), FOE, field={"goal": "relic"}, relic=Relic(at=at(12, 12), carrier=0))
    if how == "wounded":
        remove(t, 0, how)
    else:
        become(t, 0, how, "BS-INJ-01")
    assert t.relic == Relic(at=at(9, 7))


@pytest.mark.clause("BS-S53")
@pytest.mark.parametrize(
    ("carrier", "expected"),
    [
        (put(0, 1, 9, 0.5), 0),
        (put(0, 1, 9, 0.6), "on"),
        (put(0, 1, 9, 23.5), "on"),
        (put(0, 1, 9, 0.5, fleeing=True), "on"),
        (put(0, 1, 9, 0.5, stunned=True), "on"),
    ],
    ids=["home", "short of it", "the other edge", "fleeing", "stunned"],
)
def test_won_when_the_carrier_touches_the_south_edge_while_fit(carrier: Any, expected: int | str) -> None:
    t = scene(carrier, FOE, field={"goal": "relic"}, relic=Relic(at=at(12, 12), carrier=0))
    assert winner(now(t)) == expected


@pytest.mark.clause("BS-S53")
def test_the_relic_is_lost_with_the_last_model() -> None:
    t = scene(gone(0, "dead"), FOE, field={"goal": "relic"}, relic=Relic(at=at(12, 12)))
    assert winner(now(t)) == 1
    assert winner(now(scene(OWN, gone(1, "dead"), field={"goal": "relic"}, relic=Relic(at=at(12, 12))))) == "on"


# --- Blood Price ------------------------------------------------------------------------------------------------------

BLOOD: dict[str, Any] = {"goal": "blood", "limit": 10, "automated": (), "names": ("South", "North")}


@pytest.mark.clause("BS-S54")
def test_points_for_the_wounded_the_killed_trophies_and_the_last_side() -> None:
    t = scene(
        put(0, 1, 2, 2, trophies=2), gone(0, "wounded"), gone(1, "dead", trophies=1), gone(1, "wounded"),
        gone(1, "away"), gone(1, "waiting"), field=BLOOD,
    )  # fmt: skip
    assert [(p.value, p.words) for p in victory_points(t, 0)] == [
        (1, "Enemies wounded"),
        (2, "Enemies killed, 2 each"),
        (2, "Trophies"),
        (3, "The last side on the table"),
    ]
    assert total(victory_points(t, 1)) == 1 + 1


@pytest.mark.clause("BS-S54")
def test_it_ends_when_a_side_is_gone_and_more_points_win() -> None:
    assert now(scene(OWN, FOE, field=BLOOD)) is None
    t = scene(OWN, gone(1, "wounded"), gone(0, "dead"), gone(0, "dead"), field=BLOOD)
    assert now(t) == Outcome(None, "Both sides have 4 victory points: a draw", (4, 4))
    t = scene(OWN, gone(1, "dead"), gone(0, "dead"), gone(0, "dead"), field=BLOOD)
    assert now(t) == Outcome(0, "South wins with 5 victory points to 4", (5, 4))
    t = scene(gone(0, "dead"), gone(1, "wounded"), field=BLOOD)
    assert now(t) == Outcome(1, "North wins with 2 victory points to 1", (1, 2))


@pytest.mark.clause("BS-S54")
def test_it_ends_when_both_have_had_their_turns() -> None:
    fighters = (OWN, FOE, gone(1, "wounded"))
    assert at_the_end(scene(*fighters, turns=(10, 9), field=BLOOD), 0) is None
    assert at_the_end(scene(*fighters, turns=(10, 10), field=BLOOD)) == Outcome(
        0, "South wins with 1 victory point to 0", (1, 0)
    )


@pytest.mark.clause("BS-S54", "BS-Q38")
def test_automated_models_neither_end_it_nor_give_points() -> None:
    field = {**BLOOD, "names": ("South", "North", "Strays"), "automated": (2,)}
    t = scene(OWN, FOE, gone(2, "dead"), field=field, turns=(1, 1, 1))
    assert now(t) is None
    assert total(victory_points(t, 0)) == 0
    assert at_the_end(scene(OWN, FOE, turns=(10, 10, 9), field=field), 1) is None


# --- Head of the Band -------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S55")
@pytest.mark.parametrize(
    ("fighters", "won"),
    [
        ((OWN, put(1, 3, 12, 20, habits=("captain",)), FOE), "on"),
        ((OWN, gone(1, "wounded", habits=("captain",)), FOE), 0),
        ((OWN, gone(1, "dead", habits=("captain",)), FOE), 0),
        ((OWN, gone(1, "waiting", habits=("captain",)), FOE), "on"),
        ((gone(0, "dead"), put(1, 3, 12, 20, habits=("captain",))), 1),
        ((gone(0, "dead"), gone(1, "dead", habits=("captain",)), FOE), None),
    ],
)
def test_it_is_won_when_the_captain_is_down(fighters: tuple[Any, ...], won: int | str | None) -> None:
    assert winner(now(scene(*fighters, field={"goal": "slay", "limit": 10}))) == won


@pytest.mark.clause("BS-S55")
def test_a_captain_who_stands_at_the_end_has_won() -> None:
    t = scene(OWN, put(1, 3, 12, 20, habits=("captain",)), turns=(10, 10), field={"goal": "slay", "limit": 10})
    assert winner(at_the_end(t)) == 1


# --- Between the Stones -----------------------------------------------------------------------------------------------

STONES: dict[str, Any] = {**BLOOD, "goal": "stones", "limit": 8, "place": at(12, 12)}


@pytest.mark.clause("BS-S57")
@pytest.mark.parametrize(
    ("fighters", "counted"),
    [
        ((put(0, 1, 12, 12), put(1, 1, 12, 20)), (1, 0)),
        ((put(0, 1, 12, 12), put(1, 1, 12, "15.5")), (0, 0)),
        ((put(0, 1, 12, 12), put(1, 1, 12, "15.6")), (1, 0)),
        ((put(0, 1, 12, 12, fleeing=True), put(1, 1, 12, 14)), (0, 1)),
        ((put(0, 4, 12, 12), put(1, 1, 12, 14), put(1, 1, 14, 12)), (0, 1)),
        ((put(0, 1, 2, 2), put(1, 1, 22, 22)), (0, 0)),
    ],
    ids=["alone there", "both at three inches", "one beyond", "one flees", "heads and no Quality", "nobody"],
)
def test_after_each_turn_the_side_with_more_fit_models_there_counts_one(
    fighters: tuple[Any, ...], counted: tuple[int, int]
) -> None:
    t = scene(*fighters, turns=(1, 1), field=STONES, stood=(0, 0))
    assert at_the_end(t) is None
    assert t.stood == counted


@pytest.mark.clause("BS-S57")
@pytest.mark.parametrize(
    ("side", "words"), [(0, "South holds the stones: 1 to 3"), (1, "North holds the stones: 3 to 1")]
)
def test_the_side_that_holds_the_stones_is_told_with_its_count_first(side: int, words: str) -> None:
    assert HeldTheStones(side, (1, 3)).sentence(scene(OWN, FOE, field=STONES)) == words


@pytest.mark.clause("BS-S57")
@pytest.mark.parametrize(("side", "counted"), [(0, (1, 0)), (1, (1, 0)), (2, (0, 0))])
def test_turns_of_automated_models_count_nothing_for_the_stones(side: int, counted: tuple[int, int]) -> None:
    field = {**STONES, "names": ("South", "North", "Strays"), "automated": (2,)}
    t = scene(put(0, 1, 12, 12), put(1, 1, 12, 20), put(2, 1, 2, 2), turns=(1, 1, 1), field=field, stood=(0, 0))
    end_turn(t, (side,))
    assert t.stood == counted


@pytest.mark.clause("BS-S57", "BS-Q29")
@pytest.mark.house("turn_mode", "alternate")
@pytest.mark.parametrize("sides", [(0, 1), (1, 0), (0, 1, 2)])
def test_a_turn_that_sides_share_counts_the_stones_once(sides: tuple[int, ...]) -> None:
    field = {**STONES, "names": ("South", "North", "Strays"), "automated": (2,)}
    fighters = (put(0, 1, 12, 12), put(1, 1, 12, 20), put(2, 1, 2, 2))
    t = scene(*fighters, turns=(1, 1, 1), field=field, stood=(0, 0), rules={"turn_mode": "alternate"})
    after = done(run(t, Turn(at="end", sides=sides)))
    assert after.stood == (1, 0)
    last = scene(*fighters, turns=(8, 8, 8), field=field, stood=(2, 2), rules={"turn_mode": "alternate"})
    over = there(run(last, Turn(at="end", sides=sides))).over
    assert over == Outcome(0, "South wins with 3 victory points to 2", (3, 2))


@pytest.mark.clause("BS-S53", "BS-S58", "BS-CHG-02")
@pytest.mark.parametrize(("y", "wins"), [(0.5, True), (0.75, False)])
@pytest.mark.parametrize("goal", ["relic", "standard"])
def test_who_comes_to_the_home_edge_has_won_before_she_has_to_charge(goal: str, y: float, wins: bool) -> None:
    field = {"goal": goal, "home": "south", "limit": 10}
    t = scene(put(0, 1, 12, 3), put(1, 1, 15, 2, fleeing=True), field=field, relic=Relic(at=at(12, 12), carrier=0))
    match = run(t, Sequence(fighter=0))
    match.play(0, Walk((at(12, y),)))
    after = there(match)
    assert winner(after.over) == (0 if wins else "on")
    assert (after.fighters[0].at == at(12, y)) is wins, "else she has had to charge"


@pytest.mark.clause("BS-S57")
def test_more_turns_at_the_stones_win_and_the_last_side_has_three_more() -> None:
    t = scene(put(0, 1, 2, 2), put(1, 1, 22, 22), turns=(8, 8), field=STONES, stood=(3, 4))
    assert at_the_end(t) == Outcome(1, "North wins with 4 victory points to 3", (3, 4))
    t = scene(put(0, 1, 2, 2), gone(1, "dead"), turns=(3, 3), field=STONES, stood=(0, 3))
    assert now(t) == Outcome(None, "Both sides have 3 victory points: a draw", (3, 3))


# --- The Fallen Standard ----------------------------------------------------------------------------------------------

STANDARD: dict[str, Any] = {**BLOOD, "goal": "standard", "home": "south"}


@pytest.mark.clause("BS-S58")
def test_each_side_takes_the_standard_to_its_own_edge() -> None:
    def won(y: float, side: int, **fields: Any) -> int | str | None:
        other = put(1 - side, 1, 2, 12)
        t = scene(put(side, 1, 12, y, **fields), other, field=STANDARD, relic=Relic(at=at(12, 12), carrier=0))
        return winner(now(t))

    assert won(0.5, 0) == 0
    assert won(0.5, 0, fleeing=True) == "on"
    assert won(23.5, 0) == "on"
    assert won(23.5, 1) == 1
    assert won(0.5, 1) == "on"


@pytest.mark.clause("BS-S58")
def test_the_standard_is_won_by_who_is_left_and_by_who_has_it_at_the_end() -> None:
    free, held = Relic(at=at(12, 12)), Relic(at=at(12, 12), carrier=1)
    assert winner(now(scene(OWN, gone(1, "dead"), field=STANDARD, relic=free))) == 0
    assert winner(now(scene(gone(0, "dead"), gone(1, "dead"), field=STANDARD, relic=free))) is None
    pair = (OWN, FOE)
    assert winner(at_the_end(scene(*pair, turns=(10, 10), field=STANDARD, relic=free))) is None
    assert winner(at_the_end(scene(*pair, turns=(10, 10), field=STANDARD, relic=held))) == 1


@pytest.mark.clause("BS-S58", "BS-S53")
def test_either_side_may_take_the_standard() -> None:
    t = scene(put(1, 1, 12, 13), OWN, active=1, field=STANDARD, relic=Relic(at=at(12, 12.3)))
    assert there(run(t, AfterMove(fighter=0))).relic == Relic(at=at(12, 12.3), carrier=0)
