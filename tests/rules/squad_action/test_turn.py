"""The turn: first side, acting units, and binding announcements (SQ-ORG-01 to 07, SQ-Q01 to Q03, SQ-Q49)."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.asking import PickedUp, Wish
from caltrop.chance import ScriptError, Seeded
from caltrop.engine import Match, Refusal
from caltrop.geometry import INCH
from caltrop.rules.squad_action.activation import (
    ActLost,
    Hover,
    HoverOrFly,
    NextAct,
    PassUp,
    RolledToAct,
    actions_of,
    what_is_next,
    what_may_follow,
)
from caltrop.rules.squad_action.acts import Doings, Kind
from caltrop.rules.squad_action.casualties import Fall
from caltrop.rules.squad_action.limits import split
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.orders import Activate, Announce, Begin, EndTurn, Orders, Pass, StandStill, to_act
from caltrop.rules.squad_action.overwatch import Interrupt, KeepTokens, LetPass, Spring, UseTokens
from caltrop.rules.squad_action.rally import Rally
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scene import at, block, done, machine, scene, squad
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.shooting import NobodyFires, Shoot
from caltrop.rules.squad_action.smoke import LaySmoke
from caltrop.rules.squad_action.tokens import Lay, LayTokens, Watch
from caltrop.rules.squad_action.turn import (
    Activation,
    ByChips,
    ByTurns,
    GameTurn,
    Order,
    Passed,
    RollOff,
    SideTurn,
    TakeFirst,
    TurnBegan,
    WhoIsFirst,
    WonRollOff,
)
from tests.rules.squad_action.played import Heard, KindOf, every, now, one, play

SOUTH, NORTH = 0, 1


def two_sides(*more: Any, **fields: Any) -> Firefight:
    """Return a squad of South at (20, 10) and one of North at (20, 40), with further units."""
    return scene(squad(0, "regular", 20, 10, 4), squad(1, "regular", 20, 40, 4), *more, **fields)


def ahead(t: Firefight, unit: int, dy: int = 2, dx: int = 0) -> Move:
    """Return a Move of a unit straight ahead, in inches."""
    paths = []
    for m in t.units[unit].models:
        x, y = t.models[m].at or (0, 0)
        paths.append((m, ((x, y), (x + dx * INCH, y + dy * INCH))))
    return Move(unit, tuple(paths))


def rifles(unit: int, target: int) -> Shoot:
    return Shoot(unit, (("rifle", target),))


def asked(match: Match, kind: Any) -> Any:
    """Return the open decision of a kind."""
    (decision,) = match.waiting
    assert isinstance(decision, kind), decision
    return decision


def refused(match: Match, act: Any) -> Refusal:
    """Return why an answer to the open question is illegal."""
    (decision,) = match.waiting
    options = decision.options(match.state)
    refusal = options.refusal(act)
    assert refusal is not None
    if refusal.nearest is not None:
        assert refusal.nearest in options
    return refusal


def ordered(t: Firefight, *answers: Any, side: int = SOUTH) -> Heard:
    """Return an order of a side, with its answers."""
    return play(t, Order(side=side), answers=answers)


def announced(t: Firefight, act: Any, *then: Kind, dice: Any = (), answers: Any = ()) -> Heard:
    """Return an activation with all actions announced."""
    return play(t, Activation(unit=act.unit, first=act, then=then, told=True), *dice, answers=answers)


# --- whose turn it is -------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-04", "SQ-Q01")
@pytest.mark.house("activation", "side")
def test_one_side_activates_all_its_units_and_then_the_other() -> None:
    t = two_sides(squad(0, "regular", 30, 10, 4), squad(1, "regular", 30, 40, 4), round=0)
    turns = []

    def look(match: Match) -> None:
        side = match.waiting[0].side
        turns.append((side, [u.id for u in to_act(now(match), side)]))

    acted, match = whole(t, pick=look)
    assert acted == [0, 2, 1, 3]
    assert turns == [(0, [0, 2]), (0, [2]), (1, [1, 3]), (1, [3])]
    assert [(e.turn, e.side) for e in every(match, TurnBegan)] == [(1, 0), (1, 1)]
    second = play(two_sides(first=1), GameTurn())
    assert asked(second, Orders).side == NORTH


@pytest.mark.clause("SQ-ORG-04", "SQ-ORG-01")
def test_only_ones_own_units_that_have_not_acted_and_are_there_may_be_activated() -> None:
    t = two_sides(
        squad(0, "regular", 30, 10, 4, activated=True),
        squad(0, "regular", 0, 0, 4, where="reserve"),
        squad(0, "regular", 0, 0, 4, where="gone"),
        squad(0, "regular", 40, 10, 4, locked=(1,)),
    )
    match = ordered(t)
    codes = {u: refused(match, Begin(u, Watch(u))).code for u in range(1, 6)}
    assert codes == {1: "not-yours", 2: "done", 3: "not-here", 4: "not-here", 5: "locked"}
    assert refused(match, Begin(9, Watch(9))).code == "not-an-option"
    assert refused(match, Begin(0, Watch(1))).code == "not-yours"
    assert refused(match, Pass()).code == "not-an-option"
    assert [u.id for u in to_act(t, SOUTH)] == [0]
    match.play(SOUTH, EndTurn())
    assert not match.waiting


@pytest.mark.clause("SQ-Q01")
def test_both_roll_until_one_is_higher_and_the_winner_says_who_is_first() -> None:
    t = two_sides(round=0)
    for dice, winner in (((3, 3, 5, 2), SOUTH), ((2, 6), NORTH), ((6, 5), SOUTH)):
        match = play(t, RollOff(), *dice)
        done(match)
        assert one(match, WonRollOff).side == winner
    game = ruleset.setup(ruleset.book(), "meeting-engagement")
    begun = Match(ruleset, game, Seeded(2))
    decision = asked(begun, WhoIsFirst)
    assert list(decision.options(begun.state)) == [TakeFirst(decision.side), TakeFirst(1 - decision.side)]
    begun.play(decision.side, TakeFirst(1 - decision.side))
    assert now(begun).first == 1 - decision.side
    attacked = Match(ruleset, ruleset.setup(ruleset.book(), "break-through"), Seeded(2))
    assert now(attacked).first == SOUTH, "where North defends South is first, and nobody rolls"


# --- what is announced ------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-01", "SQ-ORG-03", "SQ-Q49")
@pytest.mark.house("announce_both", "on", "off")
def test_two_actions_are_announced_before_the_first_is_carried_out() -> None:
    t = two_sides()
    match = play(t, Order(side=SOUTH), (1, 1, 1, 1))
    assert refused(match, Begin(0, ahead(t, 0))).code == "too-few"
    assert refused(match, Begin(0, ahead(t, 0), ("move", "move"))).code == "too-many"
    assert {a.then for a in asked(match, Orders).options(match.state) if isinstance(a, Begin)} >= {
        ("move",),
        ("shoot",),
        ("overwatch",),
        ("assault",),
    }
    match.play(SOUTH, Begin(0, ahead(t, 0), ("shoot",)))
    assert asked(match, NextAct).kinds == ("shoot",)
    assert refused(match, ahead(now(match), 0)).code == "not-announced"
    assert refused(match, rifles(2, 1)).code == "not-an-option"
    match.play(SOUTH, rifles(0, 1))
    assert not match.waiting
    # Under the house rule each is chosen when its turn comes.
    free = two_sides(rules={"announce_both": "off"})
    match = ordered(free)
    assert refused(match, Begin(0, ahead(free, 0), ("shoot",))).code == "too-many"
    match.play(SOUTH, Begin(0, ahead(free, 0)))
    kinds = asked(match, NextAct).kinds
    assert {"move", "shoot", "overwatch", "assault", "transport", "smoke", "rally"} == set(kinds)
    assert "mission" not in kinds, "who has moved calls for nothing"


@pytest.mark.clause("SQ-ORG-01", "SQ-Q02")
@pytest.mark.house("actions_per_activation", 2, 1, 3)
def test_as_many_actions_as_the_house_rule_says() -> None:
    for count in (1, 2, 3):
        t = two_sides(rules={"actions_per_activation": count})
        assert actions_of(t) == count
        both: tuple[Kind, ...] = ("move", "move")
        then = both[: count - 1]
        assert max(len(w) for w in what_may_follow(t, 0, "move")) == count - 1
        match = ordered(t, Begin(0, ahead(t, 0), then))
        for _ in range(count - 1):
            match.play(SOUTH, ahead(now(match), 0))
        after = done(match)
        assert (after.units[0].acted, after.units[0].travelled) == (count, count * 2 * INCH)


@pytest.mark.clause("SQ-ORG-02", "SQ-Q03")
@pytest.mark.house("repeat_shoot", "on", "off")
def test_the_same_action_may_be_done_twice() -> None:
    t = two_sides(squad(0, "regular", 30, 10, 4, pinned=True))
    follows = {kind: what_may_follow(t, 0, kind) for kind in ("move", "shoot", "smoke")}
    assert [(kind,) in follows[kind] for kind in ("move", "shoot", "smoke")] == [True] * 3
    single = two_sides(squad(0, "regular", 30, 10, 4, pinned=True), rules={"repeat_shoot": "off"})
    follows = {kind: what_may_follow(single, 0, kind) for kind in ("move", "shoot", "smoke")}
    assert [(kind,) in follows[kind] for kind in ("move", "shoot", "smoke")] == [True, False, False]
    match = ordered(single)
    assert refused(match, Begin(0, rifles(0, 1), ("shoot",))).code == "not-twice"
    assert ("rally",) in what_may_follow(single, 2, "rally"), "a Pinned unit may try again"


@pytest.mark.clause("SQ-Q03", "SQ-FMI-04", "SQ-Q49")
@pytest.mark.house("repeat_shoot", "off")
@pytest.mark.house("announce_both", "off")
def test_what_was_done_before_counts_where_each_action_is_chosen_in_its_time() -> None:
    t = scene(squad(0, "regular", 20, 10, 2, spotter=True), squad(1, "regular", 20, 30, 4),
              rules={"announce_both": "off", "repeat_shoot": "off"}, smoke=[2, 0])  # fmt: skip
    called = announced(t, CallFire(0, at(20, 30), 1), dice=[1])
    assert {"move", "assault", "transport", "mission"}.isdisjoint(asked(called, NextAct).kinds)
    assert "shoot" in asked(called, NextAct).kinds
    shot = announced(t, rifles(0, 1), dice=[(1, 1)])
    assert {"move", "mission"} <= set(asked(shot, NextAct).kinds)
    assert "shoot" not in asked(shot, NextAct).kinds
    moved = announced(t, ahead(t, 0))
    assert "move" in asked(moved, NextAct).kinds
    assert "mission" not in asked(moved, NextAct).kinds


@pytest.mark.clause("SQ-ORG-02", "SQ-ORG-03", "SQ-Q49", "SQ-W42")
def test_example_42_the_second_volley_may_go_at_another_target() -> None:
    t = two_sides(squad(1, "regular", 26, 22, 2))
    match = announced(t, rifles(0, 2), "shoot", dice=[(6, 6, 1, 1), (1, 1), (1, 1, 1, 1)])
    assert now(match).units[2].where == "gone"
    assert asked(match, NextAct).kinds == ("shoot",)
    assert refused(match, rifles(0, 2)).nearest is not None
    match.play(SOUTH, rifles(0, 1))
    assert now(match).units[0].acted == 2


@pytest.mark.clause("SQ-Q03", "SQ-ORG-33", "SQ-ORG-35")
def test_overwatch_and_close_quarters_come_last() -> None:
    t = two_sides(squad(1, "regular", 20, 17, 4))
    match = ordered(t)
    assert what_may_follow(t, 0, "overwatch") == what_may_follow(t, 0, "assault") == ((),)
    result = refused(match, Begin(0, Watch(0), ("move",)))
    assert (result.code, result.message) == ("nothing-after", "Go on overwatch must be the last action of South 0")
    assert isinstance(result.nearest, Begin)
    match.play(SOUTH, Begin(0, ahead(t, 0, dx=-2, dy=0), ("overwatch",)))
    match.play(SOUTH, Watch(0))
    assert asked(match, LayTokens).count == 1
    match.play(SOUTH, Lay(0, ("fire",)))
    assert not match.waiting
    three = two_sides(rules={"actions_per_activation": 3})
    assert ("overwatch",) in what_may_follow(three, 0, "move")
    assert not [w for w in what_may_follow(three, 0, "move") if "overwatch" in w[:-1] or "assault" in w[:-1]]


@pytest.mark.clause("SQ-FMI-04", "SQ-Q03", "SQ-ACT-06")
def test_who_calls_a_fire_mission_does_anything_but_move() -> None:
    t = scene(squad(0, "regular", 20, 10, 2, spotter=True), squad(1, "regular", 20, 30, 4), smoke=[1, 0])
    call = CallFire(0, at(20, 30), 1)
    match = ordered(t)
    for kind in ("move", "assault", "transport"):
        assert refused(match, Begin(0, call, (kind,))).code == "stays-put"
        if kind == "move":
            assert refused(match, Begin(0, ahead(t, 0), ("mission",))).code == "stays-put"
    assert {w[0] for w in what_may_follow(t, 0, "mission")} == {"shoot", "overwatch", "mission", "smoke", "rally"}
    both = announced(t, call, "smoke", dice=[1])
    assert asked(both, NextAct).kinds == ("smoke",)
    both.play(SOUTH, LaySmoke(0, at(20, 14)))
    assert len(now(both).clouds) == 1


@pytest.mark.clause("SQ-ORG-01", "SQ-Q49")
def test_what_was_announced_may_be_passed_up_and_nothing_at_all_is_a_choice() -> None:
    t = two_sides()
    match = announced(t, ahead(t, 0), "shoot", answers=[PassUp()])
    assert done(match).units[0].acted == 2
    three = two_sides(rules={"actions_per_activation": 3})
    match = announced(three, ahead(three, 0), "shoot", "move", answers=[PassUp()])
    assert asked(match, NextAct).kinds == ("move",)


@pytest.mark.clause("SQ-Q49", "SQ-ORG-01")
def test_an_announced_action_that_cannot_be_done_is_lost_and_no_other() -> None:
    """A shot at nobody, between two Moves: the second Move is still to come."""
    shed = scene(squad(0, "regular", 20, 10, 4), squad(1, "regular", 20, 40, 4), rules={"actions_per_activation": 3})
    shed.change(1, where="away")
    match = announced(shed, ahead(shed, 0), "shoot", "move")
    assert asked(match, NextAct).kinds == ("move",)
    match.play(SOUTH, ahead(now(match), 0))
    assert done(match).units[0].travelled == 4 * INCH


# --- who was interrupted ----------------------------------------------------------------------------------------------


def watched(*more: Any, **fields: Any) -> Firefight:
    """Return a squad of South's, and one of North's on overwatch that sees it from 12 inches away."""
    return scene(
        squad(0, "regular", 20, 10, 4),
        squad(1, "regular", 20, 22, 4),
        *more,
        tokens={1: ("fire", "move")},
        **fields,
    )


PINS = [(6, 1, 1, 1), (6,), (1,)]
"""Four rifles: one hits, it is saved, and the check of pinning fails."""


@pytest.mark.clause("SQ-ORG-05", "SQ-ORG-36")
def test_only_overwatch_breaks_into_a_turn() -> None:
    t = two_sides(squad(1, "regular", 26, 22, 4), tokens={2: ("fire",)})
    match = ordered(t, Begin(0, ahead(t, 0), ("shoot",)))
    decision = asked(match, Interrupt)
    assert (decision.side, [w for w, _ in decision.chances]) == (NORTH, [2]), "and not who is on none"
    assert asked(ordered(two_sides(), Begin(0, ahead(t, 0), ("shoot",))), NextAct).side == SOUTH


@pytest.mark.clause("SQ-ORG-07", "SQ-S33", "SQ-Q08", "SQ-W47")
def test_example_47_who_is_pinned_on_its_way_gives_its_second_action_to_un_pinning() -> None:
    t = watched()
    way = ahead(t, 0, dx=3, dy=0)
    match = announced(t, way, "shoot", dice=PINS, answers=[Spring(1, "fire", INCH), rifles(1, 0)])
    assert now(match).units[0].pinned
    assert now(match).units[0].travelled == INCH, "it stays where it was stopped"
    assert asked(match, NextAct).kinds == ("rally",)
    assert refused(match, rifles(0, 1)).message == "South 0 is Pinned: now it may only rally"
    assert now(match).tokens[1].faces == ("move",), "and the other token is left"
    answers = [Spring(1, "fire", INCH), rifles(1, 0), Rally(0), LetPass()]
    rallied = announced(t, way, "shoot", dice=[*PINS, 3], answers=answers)
    assert not done(rallied).units[0].pinned, "that was its second action"


@pytest.mark.clause("SQ-S33", "SQ-ORG-07", "SQ-ORG-26")
@pytest.mark.parametrize("act", ["move", "shoot", "overwatch"])
def test_who_is_pinned_before_its_first_action_began_tries_with_both(act: str) -> None:
    t = watched()
    first = {"move": ahead(t, 0), "shoot": rifles(0, 1), "overwatch": Watch(0)}[act]
    then: tuple[Kind, ...] = () if act == "overwatch" else ("shoot",)
    breaks_in = [Spring(1, "fire"), rifles(1, 0)]
    match = announced(t, first, *then, dice=[*PINS, 2, 2], answers=[*breaks_in, Rally(0), LetPass()])
    assert asked(match, NextAct).kinds == ("rally",), "the second try"
    match.play(SOUTH, Rally(0))
    match.play(NORTH, LetPass())
    after = done(match)
    assert (after.units[0].pinned, after.units[0].acted, after.units[0].travelled) == (True, 2, 0)
    assert 0 not in after.tokens
    # If the first try succeeds the other action is the one announced for it.
    rallied = announced(t, first, *then, dice=[*PINS, 3], answers=[*breaks_in, Rally(0), LetPass()])
    if then:
        assert asked(rallied, NextAct).kinds == then
    else:
        assert done(rallied).units[0].acted == 1


@pytest.mark.clause("SQ-S31", "SQ-ORG-40")
def test_an_overwatch_set_earlier_breaks_into_who_goes_on_overwatch() -> None:
    t = watched()
    match = announced(t, Watch(0))
    assert asked(match, Interrupt).actor == 0
    match.play(NORTH, LetPass())
    assert asked(match, LayTokens).count == 2
    stopped = announced(t, Watch(0), dice=[(6, 6, 6, 6), (1, 1, 1, 1)], answers=[Spring(1, "fire"), rifles(1, 0)])
    assert not stopped.waiting
    assert done(stopped).units[0].where == "gone"


@pytest.mark.clause("SQ-ORG-39")
def test_tokens_are_of_no_use_in_the_turn_in_which_they_were_set() -> None:
    """South goes on overwatch; North's older tokens are used against another of South's units in the same turn."""
    t = watched(squad(0, "regular", 28, 10, 4))
    match = play(
        t,
        SideTurn(side=SOUTH),
        answers=[Begin(0, Watch(0)), LetPass(), Lay(0, ("fire", "fire")), Begin(2, ahead(t, 2), ("shoot",))],
    )
    decision = asked(match, Interrupt)
    assert decision.side == NORTH
    move = next(a for a in decision.options(match.state) if isinstance(a, Spring) and a.face == "move")
    match.play(NORTH, move)
    match.play(NORTH, ahead(now(match), 1, dy=1))
    assert asked(match, NextAct).unit == 2, "South's fresh tokens do not break into North's act"
    match.play(SOUTH, PassUp())
    decision = asked(match, UseTokens)
    assert decision.side == NORTH, "and at the end of South's turn it is North that uses what is left"
    match.play(NORTH, KeepTokens())
    assert not match.waiting


@pytest.mark.clause("SQ-ORG-06", "SQ-Q49")
def test_who_finds_its_target_gone_chooses_again() -> None:
    """The watcher that is shot at moves out of sight: the Shoot is not spent."""
    t = watched(squad(1, "regular", 8, 22, 4), terrain=[block("shed", "building", 24, 16, 44, 20)])
    hides = ahead(t, 1, dx=6, dy=0)
    match = announced(t, rifles(0, 1), "move", answers=[Spring(1, "move"), hides])
    assert one(match, NobodyFires).unit == 0
    decision = asked(match, NextAct)
    assert now(match).units[0].acted == 0
    assert {"move", "shoot", "smoke", "rally"} <= set(decision.kinds)
    first = Begin(0, rifles(0, 1), ("move",))
    again = play(t, Order(side=SOUTH), (1, 1, 1), 1, answers=[first, Spring(1, "move"), hides, rifles(0, 2)])
    assert asked(again, NextAct).kinds == ("move",), "and what was announced follows"
    passed = ordered(t, Begin(0, rifles(0, 1), ("move",)), Spring(1, "move"), hides, PassUp())
    assert asked(passed, NextAct).kinds == ("move",)


# --- who is Pinned, split, broken, or a Conscript ---------------------------------------------------------------------


@pytest.mark.clause("SQ-Q08", "SQ-ORG-07", "SQ-ORG-26", "SQ-W59")
@pytest.mark.house("pinned_may_shoot", "off", "on")
def test_a_pinned_unit_rallies_first() -> None:
    t = two_sides(smoke=[1, 0])
    t.change(0, pinned=True)
    match = ordered(t)
    for act in (ahead(t, 0), rifles(0, 1), Watch(0), LaySmoke(0, at(20, 14))):
        assert refused(match, Begin(0, act, ("move",))).code == "rally-first"
    assert all(a.act.kind == "rally" for a in asked(match, Orders).options(t) if isinstance(a, Begin))
    passed = announced(t, Rally(0), "move", dice=[3])
    assert asked(passed, NextAct).kinds == ("move",)
    failed = announced(t, Rally(0), "move", dice=[2, 2])
    assert asked(failed, NextAct).kinds == ("rally",)
    failed.play(SOUTH, Rally(0))
    after = done(failed)
    assert (after.units[0].pinned, after.units[0].acted, after.units[0].moved) == (True, 2, False)
    house = two_sides(smoke=[1, 0], rules={"pinned_may_shoot": "on"})
    house.change(0, pinned=True)
    match = announced(house, Rally(0), "move", dice=[2])
    assert asked(match, NextAct).kinds == ("rally", "shoot", "smoke")
    assert asked(announced(house, Rally(0), "move", dice=[3]), NextAct).kinds == ("move",)


@pytest.mark.clause("SQ-ORG-12", "SQ-ORG-13")
def test_a_split_unit_closes_up_with_its_next_action() -> None:
    t = scene(squad(0, "regular", 20, 10, 2, gap="1.61"), squad(1, "regular", 20, 30, 4))
    assert split(t, 0)
    assert not split(scene(squad(0, "regular", 20, 10, 2, gap="1.6")), 0), "an inch is not more than an inch"
    match = ordered(t)
    assert refused(match, Begin(0, rifles(0, 1), ("move",))).code == "closes-up"
    a, b = (t.models[m].at for m in (0, 1))
    assert a is not None
    assert b is not None
    closing = Move(0, ((1, (b, (b[0] - INCH // 2, b[1]))),))
    match.play(SOUTH, Begin(0, closing, ("shoot",)))
    assert asked(match, NextAct).kinds == ("shoot",)
    # Split on the way of its first action, it spends the second on it, whatever was announced.
    hit = watched()
    hit.change_model(3, at=at("24.5", 10))
    assert split(hit, 0)
    begun = play(hit, Activation(unit=0, first=Watch(0), then=(), told=True), answers=[LetPass()])
    assert isinstance(begun.waiting[0], LayTokens)


@pytest.mark.clause("SQ-ORG-13", "SQ-Q49")
def test_a_unit_that_is_split_meanwhile_closes_up_instead_of_what_it_announced() -> None:
    t = watched()
    fallen = [(6, 6, 1, 1), (1, 1), (6,)]
    match = announced(t, ahead(t, 0, dx=1, dy=0), "shoot", dice=fallen, answers=[Spring(1, "fire", INCH), rifles(1, 0)])
    match.play(SOUTH, Fall((1, 2)))
    assert split(now(match), 0)
    assert asked(match, NextAct).kinds == ("move",)
    assert refused(match, rifles(0, 1)).code == "closes-up"


@pytest.mark.clause("SQ-S23", "SQ-TRT-15")
def test_a_broken_unit_regroups_or_falls_back_and_does_nothing_else() -> None:
    t = two_sides()
    t.change(0, broken=True)
    match = ordered(t)
    assert refused(match, Begin(0, ahead(t, 0), ("move",))).code == "first-its-own"
    assert list(asked(match, Orders).options(t)) == [EndTurn(), Activate(0)]
    up = done(play(t, Order(side=SOUTH), 3, answers=[Activate(0)]))
    assert (up.units[0].broken, up.units[0].pinned, up.units[0].activated) == (False, True, True)
    back = play(t, Order(side=SOUTH), 2, 1, answers=[Activate(0)])
    after = done(back)
    assert after.units[0].broken
    assert after.models[0].at is not None
    assert t.models[0].at is not None
    assert after.models[0].at[1] < t.models[0].at[1], "it falls back again"
    t.change(0, traits=("resolute",))
    assert not done(ordered(t, Activate(0))).units[0].broken, "the Resolute roll for nothing"


@pytest.mark.clause("SQ-TRT-03", "SQ-Q34", "SQ-S21")
@pytest.mark.house("conscripts", "strict", "off")
def test_conscripts_roll_before_they_announce_anything() -> None:
    t = scene(squad(0, "conscript", 20, 10, 8), squad(1, "regular", 20, 30, 4))
    match = ordered(t)
    assert refused(match, Begin(0, ahead(t, 0), ("move",))).code == "first-its-own"
    obeyed = play(t, Order(side=SOUTH), 4, answers=[Activate(0)])
    assert one(obeyed, RolledToAct).sentence(now(obeyed)) == "South 0 obeys"
    decision = asked(obeyed, Announce)
    assert StandStill() in decision.options(obeyed.state)
    obeyed.play(SOUTH, Begin(0, ahead(t, 0), ("shoot",)))
    assert asked(obeyed, NextAct).kinds == ("shoot",)
    still = play(t, Order(side=SOUTH), 3, answers=[Activate(0)])
    after = done(still)
    assert (after.units[0].activated, after.units[0].acted) == (True, 0)
    assert one(still, RolledToAct).sentence(after) == "South 0 will not act"
    nothing = play(t, Order(side=SOUTH), 4, answers=[Activate(0), StandStill()])
    assert done(nothing).units[0].moved is False
    # An Officer near by adds 1; the house rule asks for no roll.
    led = scene(squad(0, "conscript", 20, 10, 8), squad(0, "veteran", 20, 13, 3, officer=True))
    assert asked(play(led, Order(side=SOUTH), 3, answers=[Activate(0)]), Announce)
    free = scene(squad(0, "conscript", 20, 10, 8), squad(1, "regular", 20, 30, 4), rules={"conscripts": "off"})
    assert asked(ordered(free, Begin(0, ahead(free, 0), ("shoot",))), NextAct)


@pytest.mark.clause("SQ-TRT-03", "SQ-Q34")
def test_conscripts_that_fail_may_still_try_to_rally_and_that_is_all() -> None:
    t = scene(squad(0, "conscript", 20, 10, 8, pinned=True), squad(1, "regular", 20, 30, 4))
    match = play(t, Order(side=SOUTH), 3, 4, answers=[Activate(0)])
    decision = asked(match, Announce)
    assert decision.only == ("rally",)
    assert refused(match, Begin(0, ahead(t, 0), ("move",))).code == "no-roll"
    match.play(SOUTH, Begin(0, Rally(0), ("move",)))
    after = done(match)
    assert (after.units[0].pinned, after.units[0].acted) == (False, 1), "it rallied, and does nothing more"
    twice = play(t, Order(side=SOUTH), 3, 3, 3, answers=[Activate(0), Begin(0, Rally(0), ("rally",))])
    assert asked(twice, NextAct).kinds == ("rally",)


@pytest.mark.clause("SQ-S56", "SQ-ORG-63")
def test_a_flyer_says_first_whether_it_hovers() -> None:
    t = scene(machine(0, "gunship", 20, 10), squad(1, "regular", 20, 40, 4))
    match = ordered(t, Activate(0))
    decision = asked(match, HoverOrFly)
    assert list(decision.options(match.state)) == [Hover(False), Hover(True)]
    match.play(SOUTH, Hover(True))
    assert now(match).units[0].hovering
    assert asked(match, Announce)


@pytest.mark.clause("SQ-ORG-08", "SQ-ORG-09", "SQ-ORG-10", "SQ-S47", "SQ-W51")
def test_reserves_come_from_the_second_turn_on_and_enter_before_it_ends() -> None:
    t = scene(squad(0, "regular", 0, 0, 3, where="reserve"), squad(0, "regular", 20, 10), squad(1, "regular", 20, 40))
    first = play(t, SideTurn(side=SOUTH))
    assert [u.id for u in to_act(now(first), SOUTH)] == [1], "nobody rolls in the first turn"
    t.round = 2
    arrived = play(t, SideTurn(side=SOUTH), 4)
    decision = asked(arrived, Orders)
    assert [u.id for u in to_act(now(arrived), SOUTH)] == [0, 1]
    assert EndTurn() not in decision.options(arrived.state)
    assert refused(arrived, EndTurn()).code == "must-enter"
    assert refused(arrived, Begin(0, Watch(0))).code == "enters-first"
    entry = next(a for a in decision.options(arrived.state) if isinstance(a, Begin) and a.unit == 0)
    assert isinstance(entry.act, Move)
    arrived.play(SOUTH, Begin(0, entry.act, ("overwatch",)))
    assert now(arrived).units[0].where == "table"
    arrived.play(SOUTH, PassUp())
    assert EndTurn() in arrived.waiting[0].options(arrived.state)


# --- turns that the sides share ---------------------------------------------------------------------------------------


def whole(t: Firefight, *dice: int, pick: Any = None) -> tuple[list[int], Heard]:
    """Return the units that acted in a game turn, in order. Each lays two Fire tokens, or acts by *pick*."""
    match = play(t, GameTurn(), *dice)
    acted = []
    while match.waiting:
        (decision,) = match.waiting
        options = decision.options(match.state)
        if isinstance(decision, Orders):
            act = pick(match) if pick else None
            act = act or next(a for a in options if isinstance(a, Begin) and isinstance(a.act, Watch))
            acted.append(act.unit if isinstance(act, Begin) else -1)
        elif isinstance(decision, LayTokens):
            act = Lay(decision.unit, ("fire", "fire"))
        else:
            act = LetPass() if isinstance(decision, Interrupt) else KeepTokens()
        match.play(decision.side, act)
    return acted, match


@pytest.mark.clause("SQ-Q01")
@pytest.mark.house("activation", "alternate")
def test_sides_alternate_and_the_rest_follow_when_one_is_done() -> None:
    t = two_sides(squad(1, "regular", 30, 40, 4), squad(1, "regular", 40, 40, 4), rules={"activation": "alternate"})
    acted, match = whole(t, 2, 5)
    assert acted == [1, 0, 2, 3], "North won the roll; when South is done North's others follow"
    assert [(e.turn, e.side) for e in every(match, TurnBegan)] == [(2, None)]
    acted, _ = whole(t, 5, 2)
    assert acted == [0, 1, 2, 3]


@pytest.mark.clause("SQ-S62")
@pytest.mark.house("activation", "alternate")
def test_a_side_with_fewer_units_may_pass_as_often_as_it_has_units_fewer() -> None:
    t = two_sides(squad(1, "regular", 30, 40, 4), squad(1, "regular", 40, 40, 4), rules={"activation": "alternate"})
    passes = {SOUTH: 0, NORTH: 0}

    def passing(match: Match) -> Any:
        (decision,) = match.waiting
        if Pass() in decision.options(match.state):
            passes[decision.side] += 1
            return Pass()
        assert refused(match, Pass()).code == refused(match, EndTurn()).code == "not-an-option"
        return None

    acted, match = whole(t, 5, 2, pick=passing)
    assert passes == {SOUTH: 2, NORTH: 0}
    assert acted == [-1, 1, -1, 2, 0, 3]
    assert [e.sentence(now(match)) for e in every(match, Passed)] == ["South passes"] * 2
    even = play(two_sides(rules={"activation": "alternate"}), ByTurns())
    assert Pass() not in even.waiting[0].options(even.state), "as many units, and no pass"


@pytest.mark.clause("SQ-S62")
def test_nobody_passes_when_the_other_side_is_done() -> None:
    t = two_sides(squad(1, "regular", 30, 40, 4, activated=True), squad(1, "regular", 40, 40, 4))
    t.change(1, activated=True)
    t.active = 1
    match = play(t, ByTurns())
    match.play(NORTH, Begin(3, Watch(3)))
    match.play(NORTH, Lay(3, ("fire", "fire")))
    assert match.waiting[0].side == SOUTH
    assert Pass() not in match.waiting[0].options(match.state)


@pytest.mark.clause("SQ-Q01")
@pytest.mark.house("activation", "random_draw")
def test_each_unit_has_a_chip_in_the_bag() -> None:
    t = two_sides(squad(1, "regular", 30, 40, 4), squad(0, "regular", 30, 10, 4), rules={"activation": "random_draw"})
    sides = [play(t, GameTurn(), 5, 2, chip).waiting[0].side for chip in (1, 2, 3, 4)]
    assert sides == [SOUTH, SOUTH, NORTH, NORTH]
    with pytest.raises(ScriptError, match="4 sides"):
        play(t, GameTurn(), 5, 2, 5)
    # Each activation takes a chip out of the bag: four, three, two, and the last one.
    acted, match = whole(t, 5, 2, 4, 3, 1, 1)
    assert acted == [1, 2, 0, 3]
    done(match)


@pytest.mark.clause("SQ-Q01", "SQ-ORG-04")
@pytest.mark.house("activation", "alternate", "random_draw")
@pytest.mark.parametrize("activation", ["alternate", "random_draw"])
def test_who_can_do_nothing_spends_its_activation_on_nothing(activation: str) -> None:
    """Two soldiers have to close up, and stand on both sides of a wall: their chip is used up, and the game goes on."""
    walls = [block("west", "building", 0, 8, 9, 12), block("east", "building", 15, 8, 48, 12)]
    walls += [block("south", "building", 0, 0, 48, 9), block("north", "building", 0, 11, 48, 13)]
    walls += [block("between", "building", 11, 8, 13, 12)]
    cut_off = squad(0, "regular", "10.69", 10, 2, gap="2.62")
    t = scene(cut_off, squad(1, "regular", 20, 40, 2, activated=True), terrain=walls, rules={"activation": activation})
    match = play(t, ByTurns()) if activation == "alternate" else play(t, ByChips(), 1)
    decision = asked(match, Orders)
    assert list(decision.options(match.state)) == [Activate(0)]
    assert decision.options(match.state).sample(Seeded(1)) == Activate(0)
    assert refused(match, EndTurn()).code == "not-an-option"
    match.play(SOUTH, Activate(0))
    assert done(match).units[0].activated


@pytest.mark.clause("SQ-Q01", "SQ-ORG-37")
@pytest.mark.house("activation", "alternate")
def test_tokens_break_into_the_turn_that_is_shared_and_what_is_left_is_used_at_its_end() -> None:
    t = watched(rules={"activation": "alternate"})
    match = play(t, GameTurn(), 5, 2, answers=[Begin(0, ahead(t, 0), ("shoot",))])
    assert asked(match, Interrupt).side == NORTH
    match.play(NORTH, LetPass())
    match.play(SOUTH, PassUp())
    match.play(NORTH, Begin(1, Watch(1)))
    match.play(NORTH, Lay(1, ("fire", "fire")))
    assert asked(match, UseTokens).side == NORTH


@pytest.mark.clause("SQ-Q01")
@pytest.mark.house("activation", "side", "alternate", "random_draw")
@pytest.mark.parametrize(
    ("activation", "scenario"),
    [
        ("side", "first-battle"),
        ("alternate", "first-battle"),
        ("random_draw", "first-battle"),
        ("side", "break-through"),
        ("alternate", "meeting-engagement"),
    ],
)
def test_whole_games_are_played_to_their_end_in_every_way(activation: str, scenario: str) -> None:
    match = Match(ruleset, ruleset.setup(ruleset.book(None, {"activation": activation}), scenario), Seeded(3))
    dice, begun, events = Seeded(5), {SOUTH: 0, NORTH: 0}, [*match.opening]
    while match.waiting:
        (decision,) = match.waiting
        act = decision.options(match.state).sample(dice)
        begun[decision.side] += isinstance(act, (Begin, Activate))
        events += match.play(decision.side, act)
    t = now(match)
    assert t.over is not None
    assert min(begun.values()) > 0
    turns = [e.side for e in events if isinstance(e, TurnBegan)]
    rolls = sum(isinstance(e, WonRollOff) for e in events)
    if activation == "side":
        assert turns == [t.first, 1 - t.first] * (len(turns) // 2) + [t.first] * (len(turns) % 2)
        assert rolls == (t.field.defender is None)
    else:
        assert set(turns) == {None}
        assert rolls == len(turns) + (t.field.defender is None)


# --- a drag -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-03", "SQ-Q49")
def test_a_drag_says_what_follows() -> None:
    t = two_sides()
    match = ordered(t)
    decision = asked(match, Orders)
    proposal = decision.propose(match.state, Wish(unit=0, to=at(21, 12)))
    for act, then in (("", ("shoot",)), ("move+move", ("move",)), ("move+overwatch", ("overwatch",))):
        proposal = decision.propose(match.state, Wish(unit=0, to=at(21, 12), act=act))
        assert isinstance(proposal.action, Begin)
        assert proposal.action.then == then
        assert proposal.action in decision.options(match.state)
    assert KindOf("move").refusal(t, proposal.action.act, False) is None


@pytest.mark.clause("SQ-ORG-03")
def test_what_a_kind_of_act_says_of_a_unit_that_is_picked_up_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    t = two_sides()
    decision = asked(ordered(t), Orders)
    later = NextAct(side=SOUTH, unit=0, kinds=("shoot", "move"))
    assert decision.pick_up(t, 0) is None, "no kind of act says anything of its own"
    around = PickedUp(unit=0, pieces=(), size=(0, 0), bands=())
    asked_for = []

    def pick_up(o: Doings, unit: int, act: str) -> PickedUp:
        asked_for.append((unit, act, o.second))
        return around

    monkeypatch.setattr(Move, "pick_up", staticmethod(pick_up), raising=False)
    for act, words in (("", ""), ("move+shoot", ""), ("jump", "jump")):
        assert decision.pick_up(t, 0, act) is around
        assert asked_for[-1] == (0, words, False)
    assert later.pick_up(t, 0, "jump") is around
    assert asked_for[-1] == (0, "jump", later.options(t).second)
    assert [decision.pick_up(t, 1), later.pick_up(t, 1)] == [None, None], "it is the enemy's"


@pytest.mark.clause("SQ-Q08", "SQ-ORG-07", "SQ-Q49")
@pytest.mark.house("pinned_may_shoot", "on")
@pytest.mark.parametrize("then", ["shoot", "move"])
def test_who_may_shoot_after_a_failed_rally_is_not_told_that_it_cannot(then: Kind) -> None:
    t = two_sides(rules={"pinned_may_shoot": "on"})
    t.change(0, pinned=True)
    match = announced(t, Rally(0), then, dice=[2, (1, 1, 1, 1)])
    events = every(match, ActLost)
    assert [event.kind for event in events] == ([] if then == "shoot" else ["move"])
    match.play(SOUTH, rifles(0, 1))
    assert every(match, ActLost) == events, "it has shot as it announced, or instead of what it could not do"
    t.smoke[SOUTH] = 1
    smoking = announced(t, Rally(0), then, dice=[2])
    smoking.play(SOUTH, LaySmoke(0, at(20, 14)))
    assert every(smoking, ActLost) == events, "it lays smoke of its own will"


@pytest.mark.clause("SQ-Q08", "SQ-ORG-07")
@pytest.mark.house("pinned_may_shoot", "on")
def test_who_is_pinned_on_its_way_has_to_rally_before_it_may_shoot() -> None:
    cases: tuple[tuple[Kind, tuple[Kind, ...]], ...] = (("move", ("rally",)), ("rally", ("rally", "shoot", "smoke")))
    for did, kinds in cases:
        on = two_sides(rules={"pinned_may_shoot": "on"})
        on.change(0, pinned=True, acted=1, activated=True)
        assert what_is_next(on, 0, ("shoot",), False, (did,)) == kinds


@pytest.mark.clause("SQ-Q08", "SQ-Q49", "SQ-S22")
@pytest.mark.house("pinned_may_shoot", "on")
@pytest.mark.parametrize("friend", [None, 2])
def test_who_has_rallied_does_as_it_announced_and_shoots_in_no_place_of_that(friend: int | None) -> None:
    """The unit has rallied itself or, with its Officer, a friend. Only a failed try lets it shoot instead."""
    t = scene(
        squad(0, "regular", 20, 10, 4, officer=True, pinned=friend is None),
        squad(1, "regular", 20, 30, 4),
        squad(0, "regular", 20, 12, 4, pinned=True),
        squad(0, "regular", 20, 14, 4, pinned=True),
        rules={"pinned_may_shoot": "on"},
        smoke=[1, 0],
    )
    match = announced(t, Rally(0, friend), "rally", dice=[3])
    assert asked(match, NextAct).kinds == ("rally",)
    assert refused(match, rifles(0, 1)).code == "not-announced"
    assert refused(match, LaySmoke(0, at(20, 14))).code == "not-announced"


@pytest.mark.clause("SQ-Q49", "SQ-Q03", "SQ-Q25")
@pytest.mark.house("announce_both", "off")
def test_a_refusal_of_what_is_chosen_freely_names_no_announcement() -> None:
    """Nothing was announced, so it is said what the rules have against it."""
    free = two_sides(rules={"announce_both": "off"})
    match = play(free, Order(side=SOUTH), answers=[Begin(0, ahead(free, 0))])
    refusal = refused(match, CallFire(0))
    assert (refusal.code, refusal.message) == (
        "stays-put",
        "A unit that calls a fire mission does not move in that turn",
    )
