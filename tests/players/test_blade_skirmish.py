"""The players of Blade Skirmish are not silly."""

from __future__ import annotations

from typing import Any

from caltrop.chance import Seeded
from caltrop.engine import Decision, Match, Procedure, redacted
from caltrop.players.blade_skirmish import Heuristic
from caltrop.players.blade_skirmish.outlook import Outlook
from caltrop.players.blade_skirmish.plan import Option, Plan
from caltrop.rules.blade_skirmish import ruleset
from caltrop.rules.blade_skirmish.catalogue import inches
from caltrop.rules.blade_skirmish.combat import AttackEnemy, ChooseAttack
from caltrop.rules.blade_skirmish.fatality import SecondAttack, StrikeAgain
from caltrop.rules.blade_skirmish.flight import FleeFrom, HowToFlee
from caltrop.rules.blade_skirmish.places import passes_through
from caltrop.rules.blade_skirmish.running import HowToSteady, PassTest, TakeTest
from caltrop.rules.blade_skirmish.scene import block, put, scene
from caltrop.rules.blade_skirmish.skirmish import Relic, Skirmish
from caltrop.rules.blade_skirmish.turn import Turn
from caltrop.rules.blade_skirmish.victory import Leave, LeaveOrStay


def answer(t: Skirmish, decision: Decision) -> Any:
    """What the heuristic says, which is one of the options."""
    view = redacted(t, decision.side)
    action = Heuristic().decide(decision, view, Seeded(1))
    assert decision.options(view).refusal(action) is None
    return action


def turn(t: Skirmish, until: Procedure | None = None) -> Skirmish:
    """The skirmish when the heuristic has taken South's models through their sequences, before the combat."""
    start = t.clone()
    start.stack = [until or Turn(sides=(0,))]
    match = Match(ruleset, start, Seeded(1), keep=False)
    one = Heuristic()
    while match.waiting and not isinstance(match.waiting[0], ChooseAttack):
        asked = match.waiting[0]
        action = one.decide(asked, match.view(asked.side), Seeded(1))
        assert asked.options(match.view(asked.side)).refusal(action) is None, (asked, action)
        match.follow(asked, action)
    assert isinstance(match.state, Skirmish)
    return match.state


def planned(t: Skirmish) -> dict[int, Option]:
    """What the heuristic means to do with South's models."""
    return Plan(Outlook(t, 0), [f.id for f in t.of_side(0)]).chosen


def test_two_go_for_one_from_opposite_sides() -> None:
    t = scene(put(0, 2, 12, 8), put(0, 2, "13.7", 8), put(1, 1, "12.5", "11.6"))
    after = turn(t)
    a, b = (after.fighters[id].at for id in (0, 1))
    assert a is not None
    assert b is not None
    assert passes_through(a, b, after.disc(2))


def test_the_outlook_counts_every_blow_at_one_enemy() -> None:
    t = scene(put(0, 2, 11, 12), put(0, 2, 13, 12), put(1, 1, 12, 12))
    outlook = Outlook(t, 0, wary=False)
    spots = {f.id: outlook.spot(f, f.at) for f in t.of_side(0) if f.at is not None}
    aside = outlook.spot(t.fighters[1], (inches(13), inches(14)))
    assert outlook.value(list(spots.values())) > outlook.value([spots[0], aside]) > 0


def test_nobody_flees_from_a_weaker_enemy() -> None:
    t = scene(put(0, 5, 12, 12), put(1, 1, 12, 13))
    assert not planned(t)[0].flees


def test_it_strikes_where_it_flanks() -> None:
    t = scene(
        put(0, 2, 12, 12), put(0, 1, 12, 14), put(1, 1, 12, 13), put(1, 1, 12, 11),
    )  # fmt: skip
    assert answer(t, ChooseAttack(side=0)) == AttackEnemy(0, 2)


def test_a_second_attack_is_made_and_goes_to_the_best() -> None:
    t = scene(put(0, 2, 12, 12), put(1, 1, 13, 12), put(1, 4, 12, 13), put(1, 1, 11, 12))
    assert answer(t, SecondAttack(side=0, fighter=0, victim=1, targets=(2, 3), die=5)) == StrikeAgain(3)


def test_a_flight_goes_as_far_as_it_can_and_not_into_an_enemy() -> None:
    t = scene(put(0, 2, 12, 12, fleeing=True), put(1, 1, 12, 13))
    assert answer(t, HowToFlee(side=0, fighter=0)) == FleeFrom(1, True)
    t = scene(put(0, 2, 12, 12, fleeing=True), put(1, 1, 12, 13), put(1, 1, 12, "3.5"))
    assert answer(t, HowToFlee(side=0, fighter=0)) == FleeFrom(1, False)


def test_nobody_takes_to_flight_with_a_wall_at_her_back() -> None:
    wall = block("wall", 10, "10.5", 14, "11.5")
    t = scene(put(0, 1, 12, 12), put(1, 3, 12, 13), put(1, 1, 13, 12), terrain=[wall])
    assert not planned(t)[0].flees


def test_nobody_flees_from_an_enemy_who_is_far_away() -> None:
    t = scene(put(0, 2, 12, 3), put(1, 2, 12, 21), field={"automated": (), "goal": "blood", "limit": 10})
    (option,) = planned(t).values()
    assert not option.flees
    assert option.end[1] > inches(5)


def test_who_may_come_to_her_senses_does() -> None:
    t = scene(put(0, 2, 2, 2, fleeing=True), put(1, 1, 20, 20))
    assert answer(t, HowToSteady(side=0, fighter=0)) == PassTest()
    t = scene(put(0, 2, 2, 2, fleeing=True), put(1, 1, 6, 2))
    assert answer(t, HowToSteady(side=0, fighter=0)) == TakeTest()


def test_who_reaches_the_way_out_leaves() -> None:
    field = {"goal": "leave", "limit": 8}
    t = scene(put(0, 2, 12, 18), put(0, 2, 14, 18), put(1, 1, 2, 2), field=field, turns=(5, 5))
    after = turn(t)
    assert after.escaped
    t = scene(put(0, 2, 12, "23.5"), put(0, 1, 3, 3), put(1, 1, 20, 3), field=field)
    assert answer(t, LeaveOrStay(side=0, fighter=0)) == Leave()


def test_a_walk_goes_on_into_a_run_as_far_as_it_has_to() -> None:
    t = scene(put(0, 2, 12, "15.8"), put(1, 1, 2, 2), field={"goal": "leave", "limit": 8}, turns=(5, 5))
    assert turn(t).escaped == [0]


def test_the_relic_is_taken_and_carried_home_at_once() -> None:
    field = {"goal": "relic", "limit": 10, "place": (inches(12), inches(12))}
    relic = Relic(at=(inches(12), inches(6)))
    t = scene(put(0, 2, 12, "2.5"), put(1, 1, 2, 22), field=field, relic=relic, turns=(4, 3))
    after = turn(t)
    assert after.relic is not None
    assert after.relic.carrier == 0
    at = after.fighters[0].at
    assert at is not None
    assert at[1] < inches(6)


def test_the_stones_are_held_to_the_end() -> None:
    field = {"goal": "hold", "limit": 8, "place": (inches(12), inches(12))}
    t = scene(put(0, 2, 12, "5.5"), put(1, 1, 2, 22), field=field, turns=(7, 7))
    at = turn(t).fighters[0].at
    assert at is not None
    assert at[1] >= inches("8.5")
