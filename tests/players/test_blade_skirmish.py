"""The players of Blade Skirmish avoid silly acts."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import Decision, Match, Procedure, redacted
from caltrop.journal import Setting
from caltrop.players import player
from caltrop.players.blade_skirmish import Heuristic
from caltrop.players.blade_skirmish.blunders import BlunderWatch
from caltrop.players.blade_skirmish.features import NAMES, features
from caltrop.players.blade_skirmish.outlook import SideOutlook
from caltrop.players.blade_skirmish.plan import Option, Plan
from caltrop.players.blade_skirmish.tuning import SPREAD
from caltrop.players.blade_skirmish.weights import VETERAN
from caltrop.players.blade_skirmish.worth import length
from caltrop.rules.blade_skirmish import ruleset
from caltrop.rules.blade_skirmish.catalogue import inches
from caltrop.rules.blade_skirmish.combat import AttackEnemy, ChooseAttack
from caltrop.rules.blade_skirmish.fatality import SecondAttack, StrikeAgain
from caltrop.rules.blade_skirmish.flight import FleeFrom, HowToFlee
from caltrop.rules.blade_skirmish.movement import Flee
from caltrop.rules.blade_skirmish.places import passes_through
from caltrop.rules.blade_skirmish.records import Relic, Skirmish
from caltrop.rules.blade_skirmish.routes import Stay, Walk
from caltrop.rules.blade_skirmish.running import HowToSteady, PassTest, TakeTest
from caltrop.rules.blade_skirmish.scene import block, put, scene
from caltrop.rules.blade_skirmish.turn import Begin, Take, Turn, WhoBegins
from caltrop.rules.blade_skirmish.victory import Leave, LeaveOrStay


def answer(t: Skirmish, decision: Decision) -> Any:
    """Return the heuristic's answer, which is one of the options."""
    view = redacted(t, decision.side)
    action = Heuristic().decide(decision, view, Seeded(1))
    assert decision.options(view).refusal(action) is None
    return action


def turn(t: Skirmish, until: Procedure | None = None) -> Skirmish:
    """Return the skirmish after the heuristic has moved South's models, before the combat."""
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
    """Return the heuristic's plan for South's models."""
    return Plan(SideOutlook(t, 0), [f.id for f in t.of_side(0)]).chosen


def test_two_go_for_one_from_opposite_sides() -> None:
    t = scene(put(0, 2, 12, 8), put(0, 2, "13.7", 8), put(1, 1, "12.5", "11.6"))
    after = turn(t)
    a, b = (after.fighters[id].at for id in (0, 1))
    assert a is not None
    assert b is not None
    assert passes_through(a, b, after.disc(2))


def test_the_outlook_counts_every_blow_at_one_enemy() -> None:
    t = scene(put(0, 2, 11, 12), put(0, 2, 13, 12), put(1, 1, 12, 12))
    outlook = SideOutlook(t, 0, wary=False)
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


# --- the worth of positions
# --------------------------------------------------------------------------------------------


def seen(t: Skirmish, **weights: int) -> int:
    """Return South's value of its position with some weights, minus the value with the veteran's."""

    def value(outlook: SideOutlook) -> int:
        return outlook.value([outlook.spot(f, f.at) for f in t.of_side(0) if f.at is not None])

    return value(SideOutlook(t, 0, weights=msgspec.structs.replace(VETERAN, **weights))) - value(SideOutlook(t, 0))


def test_the_veterans_weights_stay_what_its_proofs_were_played_with() -> None:
    assert crc32(msgspec.json.encode(VETERAN)) == 2641899619, "tuned weights are another player's"
    assert (VETERAN.second, VETERAN.held, VETERAN.holding_near) == (8, 120, 10)
    blind = ("finish", "screen", "outnumbered", "exposed", "backing")
    assert [getattr(VETERAN, name) for name in blind] == [0] * len(blind)
    assert set(blind) < set(SPREAD)


def test_who_is_worth_more_is_missed_more() -> None:
    t = scene(put(0, 3, 12, 12), put(1, 2, 12, 13))
    assert SideOutlook(t, 0, weights=msgspec.structs.replace(VETERAN, quality_3=300)).staked(t.fighters[0]) == 300
    assert seen(t, quality_3=300) < 0 < seen(t, quality_2=250)


def test_who_cares_more_for_what_is_held_goes_nearer() -> None:
    field = {"goal": "stones", "automated": (), "limit": 8, "place": (inches(12), inches(12))}
    t = scene(put(0, 2, 12, 4), put(1, 2, 12, 20), field=field)
    ends = []
    for holding in (0, 44):
        outlook = SideOutlook(t, 0, weights=msgspec.structs.replace(VETERAN, holding_near=holding, held=0))
        (option,) = Plan(outlook, [0]).chosen.values()
        ends.append(option.end[1])
    assert ends[0] < ends[1]


def test_who_would_end_in_anothers_way_goes_after_her() -> None:
    t = scene(put(0, 2, 12, 12), put(0, 2, 12, 10), put(1, 2, 4, 22), field={"goal": "blood", "automated": ()})
    plan = Plan(SideOutlook(t, 0), [0, 1], together=False)
    outlook = plan.outlook
    for ends, order in ((((12, 13), (12, 14)), [1, 0]), (((14, 13), (12, 14)), [0, 1])):
        near, far = [(inches(x), inches(y)) for x, y in ends]
        # The first fighter has the shorter path, and would go first if nobody were blocked by her.
        plan.chosen = {
            0: Option(outlook.spot(t.fighters[0], near), (near,)),
            1: Option(outlook.spot(t.fighters[1], far), (far,)),
        }
        assert plan.order() == order


def test_an_enemy_who_is_down_is_worth_finishing() -> None:
    standing = scene(put(0, 2, 12, 12), put(1, 2, 12, 13), field={"automated": ()})
    down = scene(put(0, 2, 12, 12), put(1, 2, 12, 13, stunned=True), field={"automated": ()})
    assert seen(standing, finish=30) == 0 < seen(down, finish=30)


def test_the_second_nearest_comrade_counts_beyond_the_first_few_inches() -> None:
    own = put(0, 2, 12, 3), put(0, 2, 14, 3)
    blood = {"goal": "blood", "automated": ()}
    near = scene(*own, put(0, 2, 16, 3), put(1, 2, 12, 22), field=blood)
    far = scene(*own, put(0, 2, 22, 3), put(1, 2, 12, 22), field=blood)
    assert seen(near, second=20) == 0
    # The distances between centres are 10 inches, then 8, and 10 again. Bases take up an inch, so four inches are free.
    assert seen(far, second=VETERAN.second + 2) == -2 * (5 + 3 + 5)


@pytest.mark.parametrize("goal", ["stones", "standard", "clear"])
def test_nobody_waits_for_others_where_the_enemy_is_not_all_that_matters(goal: str) -> None:
    field = {"goal": goal, "automated": (), "limit": 8, "place": (inches(12), inches(12))}
    far = scene(put(0, 2, 12, 3), put(0, 2, 14, 3), put(0, 2, 22, 3), put(1, 2, 12, 22), field=field)
    assert seen(far, second=30) == 0


@pytest.mark.parametrize(("goal", "first"), [("stones", 1), ("blood", 0), ("standard", 0)])
def test_the_first_turn_is_taken_where_stones_are_to_be_held(goal: str, first: int) -> None:
    field = {"goal": goal, "automated": (), "limit": 8, "place": (inches(12), inches(12))}
    t = scene(put(0, 2, 12, 3), put(1, 2, 12, 22), field=field)
    assert Heuristic().decide(WhoBegins(side=1), t, Seeded(1)) == Begin(first)


def named(t: Skirmish) -> dict[str, float]:
    """Return the features of a skirmish, by name."""
    return dict(zip(NAMES, features(t), strict=True))


@pytest.mark.parametrize("side", [0, 1])
def test_chances_know_who_has_held_the_stones_and_who_stands_there(side: int) -> None:
    sign = 1 - 2 * side
    field = {"goal": "stones", "automated": (), "limit": 8, "place": (inches(12), inches(12))}
    t = scene(put(side, 2, 12, 11), put(side, 2, 12, 13), put(1 - side, 2, 12, 22), field=field)
    t.stood = (4, 0) if side == 0 else (0, 4)
    t.turns = [2, 2]
    result = named(t)
    assert result["stones"] + result["stones-late"] == sign
    assert result["middle"] + result["middle-late"] == sign
    assert result["stones-late"] == result["middle-late"] == sign * 0.25
    t.change(0 if side == 0 else 1, stunned=True)
    assert abs(named(t)["middle"]) < abs(result["middle"])


@pytest.mark.parametrize("goal", ["clear", "hold", "leave", "relic", "slay", "blood", "stones", "standard"])
def test_chances_know_how_hard_a_goal_is(goal: str) -> None:
    field = {"goal": goal, "limit": 8, "place": (inches(12), inches(12))}
    t = scene(put(0, 2, 12, 6), put(1, 2, 12, 20), field=field)
    t.turns = [2, 2]
    result = {name: value for name, value in named(t).items() if name.startswith("goal-") and value}
    alone = goal in ("clear", "hold", "leave", "relic", "slay")
    assert result == {f"goal-{goal}": 1.0, **({f"goal-{goal}-late": 0.25} if alone else {})}


def test_chances_know_that_the_bridge_is_harder_to_leave_by() -> None:
    for scenario, bridge in (("the-long-bridge", 1.0), ("run-the-gauntlet", 0.0)):
        t = scene(put(0, 2, 12, 6), put(1, 2, 12, 20), field={"goal": "leave", "limit": 8, "scenario": scenario})
        t.turns = [4, 4]
        assert (named(t)["bridge"], named(t)["bridge-late"]) == (bridge, bridge / 2)


@pytest.mark.parametrize(("side", "at", "way"), [(0, 6, 1 - 5.5 / 24), (0, 12, 1 - 11.5 / 24), (1, 18, 1 - 5.5 / 24)])
def test_chances_know_who_carries_the_standard_and_how_near_home(side: int, at: int, way: float) -> None:
    field = {"goal": "standard", "automated": (), "limit": 8, "place": (inches(12), inches(12))}
    t = scene(put(0, 2, 12, at), put(1, 2, 14, at), field=field)
    assert named(t)["standard"] == named(t)["standard-home"] == 0
    t.relic = Relic(at=(inches(12), inches(12)), carrier=side)
    result = named(t)
    assert result["standard"] == 1 - 2 * side
    assert result["standard-home"] == pytest.approx((1 - 2 * side) * way, abs=0.02)


@pytest.mark.parametrize(("enemies", "sign"), [(1, 1), (2, 0), (3, -1)])
def test_it_counts_who_has_more_where_turns_of_holding_are_counted(enemies: int, sign: int) -> None:
    field = {"goal": "stones", "automated": (), "limit": 8, "place": (inches(12), inches(12))}
    own = [put(0, 2, 10, 11), put(0, 2, 12, 11)]
    t = scene(*own, *[put(1, 2, 10 + 2 * n, "13.5") for n in range(enemies)], field=field)
    assert seen(t, held=VETERAN.held + 50) == 50 * sign
    outside = scene(*own, *[put(1, 2, 10 + 2 * n, 20) for n in range(enemies)], field=field)
    assert seen(outside, held=VETERAN.held + 50) == 50


def test_who_stands_in_the_way_to_the_carrier_screens_her() -> None:
    field = {"goal": "standard", "automated": (), "limit": 10, "place": (inches(12), inches(12))}
    relic = Relic(at=(inches(12), inches(12)), carrier=0)
    for x, result in ((12, 20), (15, 0)):
        t = scene(put(0, 2, 12, 6), put(0, 2, x, 9), put(1, 2, 12, 14), field=field, relic=relic)
        assert seen(t, screen=20) == result
    elsewhere = scene(put(0, 2, 12, 6), put(0, 2, 12, 9), put(1, 2, 12, 20), field=field, relic=relic)
    assert seen(elsewhere, screen=20) == 0, "nobody comes for her yet"


def test_enemies_that_no_comrade_can_meet_cost() -> None:
    enemies = [put(1, 2, 10, 15), put(1, 2, 14, 15)]
    alone = scene(put(0, 2, 12, 12), *enemies, field={"automated": ()})
    two = scene(put(0, 2, 12, 12), put(0, 2, 14, 12), *enemies, field={"automated": ()})
    assert seen(alone, outnumbered=10) == -15
    assert seen(two, outnumbered=10) == 0


def test_who_holds_nobody_stands_better_out_of_reach() -> None:
    result = {
        y: seen(scene(put(0, 2, 12, y), put(1, 2, 12, 13), field={"automated": ()}), exposed=10) for y in (12, 9, 3)
    }
    assert result == {12: 0, 9: -15, 3: 0}
    drawn = scene(put(0, 2, 12, 9), put(1, 2, 12, 13))
    assert -15 < seen(drawn, exposed=10) < 0, "dice may lead her elsewhere"


def test_a_comrade_who_is_free_backs_who_is_in_contact() -> None:
    for y, more in ((10, True), (4, False)):
        t = scene(put(0, 2, 12, 12), put(0, 2, 14, y), put(1, 2, 12, 13), field={"automated": ()})
        assert (seen(t, backing=20) > 0) is more


def test_a_plan_is_made_by_the_weights_of_the_player() -> None:
    t = scene(put(0, 2, 12, 12), put(1, 2, 12, 22), field={"automated": (), "goal": "none"})
    ends = []
    for exposed in (0, 100):
        one = Heuristic(weights=msgspec.structs.replace(VETERAN, exposed=exposed))
        (option,) = one.plan(redacted(t, 0), 0).chosen.values()
        ends.append(length(option.end, (inches(12), inches(22))))
    assert ends[0] < inches(9) < ends[1]


def test_who_has_a_wall_or_a_comrade_beside_her_is_less_open() -> None:
    def openness(t: Skirmish) -> int:
        outlook = SideOutlook(t, 0)
        spots = [outlook.spot(f, f.at) for f in t.of_side(0) if f.at is not None]
        return outlook.openness(spots[0], spots)

    enemy = put(1, 2, 12, 20)
    wall = block("wall", 10, 10, 14, 11)
    free = openness(scene(put(0, 2, 12, 12), enemy))
    assert free == 1000
    assert 0 < openness(scene(put(0, 2, 12, 12), put(0, 2, 13, 12), enemy)) < free
    assert 0 < openness(scene(put(0, 2, 12, 12), enemy, terrain=[wall])) < free


# --- counting blunders ---------------------------------------------------------------------------------------------


def watched(t: Skirmish, *acts: Any) -> dict[str, int]:
    """Return the blunders counted in a turn in which South does these acts and all other fighters stay."""
    start = t.clone()
    start.stack, start.turns, start.round = [Turn(sides=(1,)), Turn(sides=(0,))], [0, 0], 0
    match = Match(ruleset, start, Seeded(1), keep=False)
    watch, todo = BlunderWatch(), list(acts)
    while not (now(match).turns[1] or match.over):
        asked, before = match.waiting[0], now(match)
        options = asked.options(match.view(asked.side))
        action = next((a for a in (*todo[:1], Stay(), PassTest()) if options.refusal(a) is None), None)
        if todo and action is todo[0]:
            todo.pop(0)
        match.follow(asked, action or next(iter(options)))
        watch.see(asked, before, action, now(match))
    assert not todo
    assert not any(watch.counts[1].values())
    return {kind: count for kind, count in watch.counts[0].items() if count}


def now(match: Match) -> Skirmish:
    assert isinstance(match.state, Skirmish)
    return match.state


STONES = {"automated": (), "goal": "stones", "limit": 6, "place": (inches(12), inches(12))}


def walk(*places: tuple[Any, Any]) -> Walk:
    return Walk(tuple((inches(x), inches(y)) for x, y in places))


def test_the_watch_counts_who_flees_into_a_friend() -> None:
    apart = put(0, 2, 12, "5.5"), put(1, 3, 12, 13)
    assert watched(scene(put(0, 1, 12, 12), *apart), Take(0), Flee(), FleeFrom(2, True)) == {"fled into a friend": 1}
    # The die is unlikely to bring an enemy to her, and a friend beside her blocks nobody.
    assert watched(scene(put(0, 1, 12, 12), *apart), Take(0), Flee(), FleeFrom(2, False)) == {}
    aside = put(0, 2, 8, "5.5"), put(1, 3, 12, 13)
    assert watched(scene(put(0, 1, 12, 12), *aside), Take(0), Flee(), FleeFrom(2, True)) == {}
    # A fighter who must flee is to blame only if the other path was open. One of these dice is short enough for that.
    has_to = put(0, 1, 12, 12, fleeing=True)
    near = put(0, 2, 12, "9.5"), put(1, 3, 12, 13)
    assert watched(scene(has_to, *near), FleeFrom(2, True)) == {}
    assert watched(scene(has_to, *apart), FleeFrom(2, True)) == {"turn wasted": 1, "fled into a friend": 1}


@pytest.mark.parametrize(("comrade", "enemies", "counted"), [
    (((12, 4),), ((8, 20), (16, 20)), {"went alone": 1}),
    (((12, 4),), ((8, 20),), {}),
    ((), ((8, 20), (16, 20)), {}),
    (((12, 7),), ((8, 20), (16, 20)), {}),
])  # fmt: skip
def test_the_watch_counts_who_went_alone(comrade: Any, enemies: Any, counted: dict[str, int]) -> None:
    """She counts if she leaves a comrade 8 inches behind and goes towards two enemies, but not with one enemy or
    without a comrade.

    One enemy, or no comrade, is not enough.
    """
    others = [put(0, 2, *at) for at in comrade] + [put(1, 1, *at) for at in enemies]
    t = scene(put(0, 2, 12, 10), *others, field={"automated": (), "goal": "blood", "limit": 9})
    assert watched(t, *[Take(0) for _ in comrade], walk((12, 14))) == counted
    assert watched(t) == {"turn wasted": 1}


def test_who_stays_and_fights_wastes_no_turn() -> None:
    """A fighter with a single enemy to attack has no choice, so no blunder is counted."""
    t = scene(put(0, 2, 12, 10), put(1, 2, 12, 11), field={"automated": (), "goal": "blood", "limit": 9})
    assert watched(t) == {}
    t = scene(put(0, 2, 12, 10), put(1, 2, 12, 20), field={"automated": (), "goal": "blood", "limit": 9})
    assert watched(t) == {"turn wasted": 1}


def test_the_watch_counts_a_place_that_is_left() -> None:
    t = scene(put(0, 2, 12, 10), put(0, 1, 10, 6), put(1, 1, 12, 22), field=STONES)
    assert watched(t, Take(0), walk((12, 6))) == {"objective left": 1}
    assert watched(t, Take(0), walk((12, 12))) == {}
    # A fighter who stays at the place where her side wins does not waste her turn.
    assert watched(t) == {}
    t = scene(put(0, 2, 12, 10), put(0, 1, 11, 10), put(1, 1, 12, 22), field=STONES)
    assert watched(t, Take(0), walk((12, 6))) == {}


def test_the_watch_counts_who_carries_something_away_from_home() -> None:
    field = {"automated": (), "goal": "standard", "limit": 9, "home": "south"}
    relic = Relic(at=(inches(12), inches(12)), carrier=0)
    t = scene(put(0, 2, 12, 10), put(0, 1, 10, 6), put(1, 1, 12, 22), field=field, relic=relic)
    assert watched(t, Take(0), walk((12, 12))) == {"objective left": 1}
    assert watched(t, Take(0), walk((12, 8))) == {}


def test_games_are_watched_from_beginning_to_end() -> None:
    match = Setting(ruleset="blade-skirmish", edition="current", scenario="blood-price").begin(Seeded(6), keep=False)
    watch, sides = BlunderWatch(), [player(name, "blade-skirmish") for name in ("veteran", "random")]
    while match.over is None:
        asked, before = match.waiting[0], now(match)
        action = sides[asked.side].decide(asked, match.view(asked.side), Seeded(len(match.waiting)))
        match.follow(asked, action)
        watch.see(asked, before, action, now(match))
    assert watch.turn[1] == 0
    assert sum(watch.counts[1].values()) > 0
