"""Set-up: the roll-off, the winner's choices, the two ways to deploy, and the contents of a zone."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from caltrop.asking import Wish
from caltrop.chance import Scripted, Seeded
from caltrop.engine import Match, Refusal, Refused
from caltrop.rules.command_horizon import ruleset
from caltrop.rules.command_horizon.placing import Deploy, Placings, zone_of
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.scenarios import SCENARIO_FILES, battle, choose_armies
from caltrop.rules.command_horizon.scene import done, put, scene, square
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.setup import (
    Deployment,
    GiveFirstTurn,
    PlanUnit,
    SecretDeployment,
    TakeEdge,
    TurnDeployment,
    deploys_in_secret,
)

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def waiting_units(*sides: int, kind: str = "heavy-tank") -> list[Any]:
    """Return units that are still off the table, one for each of these sides."""
    return [put(side, kind, (0, 0), deployed=False) for side in sides]


def clause(refusal: Refusal | None) -> str:
    """Return the clause that a refusal names."""
    assert refusal is not None
    return refusal.clause


def row(unit: int, x: int, y: int, count: int = 3, gap: int = 350) -> Deploy:
    """Return the placing of a unit in a row."""
    return Deploy(unit, tuple((x + gap * i, y) for i in range(count)))


# --- the roll-off ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("CH-SETUP-01", "CH-SETUP-02", "CH-SETUP-03", "CH-SETUP-09", "Q-SETUP-1", "Q-SETUP-2", "W01")
def test_a_tie_is_rolled_again_and_the_winner_decides() -> None:
    t = scene(*waiting_units(0, 1), round=0)
    match = run(t, Deployment(), (3, 3), (2, 5))
    assert [type(d).__name__ for d in match.waiting] == ["FirstTurn"]
    assert match.waiting[0].side == 1
    match.play(1, GiveFirstTurn(0))
    match.play(1, TakeEdge(0))
    assert match.state.first == 0
    assert [a.edge for a in match.state.armies] == [1, 0]
    assert match.waiting[0].side == 0, "the opponent has the first turn, and places the first unit"
    assert zone_of(match.state, 0) == (0, 11_000, 12_000, 12_000)
    assert zone_of(match.state, 1) == (0, 0, 12_000, 1_000)


@pytest.mark.clause("CH-SETUP-02")
def test_the_winner_may_take_the_first_turn() -> None:
    match = run(scene(*waiting_units(0, 1), round=0), Deployment(), (1, 6))
    match.play(1, GiveFirstTurn(1))
    match.play(1, TakeEdge(1))
    assert match.state.first == 1
    assert match.waiting[0].side == 1
    match = run(scene(*waiting_units(0, 1), round=0), Deployment(), (6, 1))
    match.play(0, GiveFirstTurn(0))
    match.play(0, TakeEdge(1))
    assert match.state.first == 0
    assert [a.edge for a in match.state.armies] == [1, 0]


@pytest.mark.house("setup.method", "turn", "secret")
@pytest.mark.clause("CH-SETUP-05", "Q-SETUP-4")
@pytest.mark.parametrize(("method", "frame"), [("turn", "TurnDeployment"), ("secret", "SecretDeployment")])
def test_the_house_rule_picks_the_method(method: str, frame: str) -> None:
    t = scene(*waiting_units(0, 1), round=0, rules={"setup.method": method})
    assert deploys_in_secret(t) == (method == "secret")
    match = run(t, Deployment(), (6, 1))
    match.play(0, GiveFirstTurn(0))
    match.play(0, TakeEdge(0))
    assert type(match.state.stack[-1]).__name__ == frame


@pytest.mark.clause("CH-SETUP-05", "CH-SETUP-06")
def test_units_stay_where_their_owners_put_them() -> None:
    match = run(scene(*waiting_units(0, 1), round=0), Deployment(), (6, 1))
    match.play(0, GiveFirstTurn(0))
    match.play(0, TakeEdge(0))
    match.play(0, row(0, 3000, 500))
    match.play(1, row(1, 7000, 11_300, count=4))
    t = done(match)
    assert [(m.x, m.y) for m in t.models[:3]] == [(x, 500) for x in (3000, 3350, 3700)]
    assert [(m.x, m.y) for m in t.models[3:]] == [(x, 11_300) for x in (7000, 7350, 7700, 8050)]


# --- the zone --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CH-SETUP-04", "Q-SETUP-3", "W83")
def test_a_whole_model_stands_within_10_cm_of_the_edge() -> None:
    t = scene(*waiting_units(0, 1), round=0)
    ways = Placings(t, 0)
    assert ways.refusal(row(0, 3000, 850)) is None
    refusal = ways.refusal(row(0, 3000, 860))
    assert clause(refusal) == "CH-SETUP-04"
    assert refusal is not None
    assert refusal.values["outside"] == 3
    assert refusal.nearest in ways
    one_out = Deploy(0, ((3000, 850), (3350, 850), (3700, 851)))
    assert clause(ways.refusal(one_out)) == "CH-SETUP-04"
    assert clause(ways.refusal(row(0, 149, 500))) == "CH-SETUP-04", "nor beyond the side of the table"


@pytest.mark.clause("CH-COH-01", "Q-COH-1", "W63", "CH-COH-04")
def test_models_go_down_as_one_chain_with_gaps_of_an_inch() -> None:
    ways = Placings(scene(*waiting_units(0), round=0), 0)
    assert ways.refusal(row(0, 3000, 500, gap=300 + 254)) is None
    assert clause(ways.refusal(row(0, 3000, 500, gap=300 + 255))) == "CH-COH-01"
    four = Placings(scene(put(0, "medium-tank", (0, 0), deployed=False), round=0), 0)
    pairs = Deploy(0, ((1000, 500), (1300, 500), (2300, 500), (2600, 500)))
    assert clause(four.refusal(pairs)) == "CH-COH-01", "two pairs are not one group"


@pytest.mark.clause("Q-MOVE-13", "CH-SETUP-04", "Q-TERRAIN-3")
def test_nothing_goes_down_on_a_model_or_on_closed_ground() -> None:
    t = scene(
        put(0, "heavy-tank", (0, 0), deployed=False),
        put(0, "heavy-tank", (50, 5)),
        round=0,
        terrain=[square("barn", "building", 20, 2, 24, 6), square("wood", "woods", 70, 0, 90, 9)],
    )
    ways = Placings(t, 0)
    assert ways.refusal(row(0, 7200, 500)) is None, "woods are open to all"
    refusal = ways.refusal(row(0, 2100, 500))
    assert refusal is not None
    assert refusal.code == "ground"
    refusal = ways.refusal(row(0, 4800, 500))
    assert refusal is not None
    assert refusal.code == "occupied"


def test_units_are_placed_a_centimetre_apart_where_there_is_room() -> None:
    t = scene(*waiting_units(0), round=0)
    placing = Placings(t, 0).find(0, (), None)
    assert placing is not None
    across = sorted(x for x, _ in placing.at)
    assert [b - a - 2 * t.models[0].r for a, b in pairwise(across)] == [100, 100]


@pytest.mark.clause("CH-SETUP-07")
def test_every_model_has_a_place() -> None:
    ways = Placings(scene(*waiting_units(0), round=0), 0)
    assert clause(ways.refusal(row(0, 3000, 500, count=2))) == "CH-SETUP-07"


# --- in turn ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CH-SETUP-08", "CH-SETUP-09", "Q-SETUP-6", "W83")
def test_players_alternate_and_the_longer_list_ends_in_a_row() -> None:
    t = scene(*waiting_units(0, 0, 0, 0, 0, 1, 1, 1), round=0)
    match = run(t, TurnDeployment(side=1))
    order = []
    while match.waiting:
        decision = match.waiting[0]
        order.append(decision.side)
        match.play(decision.side, decision.options(match.state).first())
    assert order == [1, 0, 1, 0, 1, 0, 0, 0]
    assert all(u.deployed for u in done(match).units)


@pytest.mark.clause("CH-SETUP-08")
def test_only_units_of_ones_own_that_are_left_are_placed() -> None:
    ways = Placings(scene(*waiting_units(0, 1), put(0, "heavy-tank", (50, 5)), round=0), 0)
    assert clause(ways.refusal(row(1, 3000, 500))) == "CH-SETUP-08"
    assert clause(ways.refusal(row(2, 3000, 500))) == "CH-SETUP-08"
    assert clause(ways.refusal(row(9, 3000, 500))) == "CH-SETUP-08"


@pytest.mark.clause("CH-SETUP-10", "CH-SETUP-11", "W83", "CH-SQUAD-01", "CH-SQUAD-07")
def test_a_platoon_goes_down_whole_or_by_squads() -> None:
    t = scene(put(0, "infantry", (0, 0), squads=3, deployed=False), round=0)
    whole = done_after(t, row(0, 3000, 500, count=6, gap=250))
    assert [len(u.models) for u in whole.units] == [6]
    match = run(t, TurnDeployment(side=0))
    match.play(0, Deploy(0, ((3000, 500), (3250, 500)), squads=(1,)))
    match.play(0, row(0, 8000, 500, count=4, gap=250))
    after = done(match)
    assert [(len(u.models), u.deployed, u.platoon, u.squads, u.starting) for u in after.units] == [
        (4, True, 0, 3, 6),
        (2, True, 0, 3, 6),
    ]
    assert {after.models[m].squad for m in after.units[1].models} == {1}
    assert {after.models[m].squad for m in after.units[0].models} == {0, 2}, "two Squads form a group"


def done_after(t: Battle, *acts: Deploy) -> Battle:
    """Return the battle after some placings."""
    match = run(t, TurnDeployment(side=0))
    for act in acts:
        match.play(0, act)
    return done(match)


@pytest.mark.clause("CH-SETUP-10", "CH-COH-04", "W83")
def test_squads_that_act_as_one_platoon_stay_within_an_inch() -> None:
    ways = Placings(scene(put(0, "infantry", (0, 0), squads=3, deployed=False), round=0), 0)
    apart = Deploy(0, ((1000, 500), (1200, 500), (1700, 500), (1900, 500), (2100, 500), (2300, 500)))
    assert clause(ways.refusal(apart)) == "CH-COH-01"
    assert clause(ways.refusal(Deploy(0, ((1000, 500),) * 6, squads=(0, 1, 2)))) == "CH-SETUP-10"
    assert clause(ways.refusal(Deploy(0, ((1000, 500), (1200, 500)), squads=(4,)))) == "CH-SETUP-10"


# --- in secret -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CH-SETUP-06", "CH-SETUP-07", "Q-SETUP-5", "Q-SETUP-8")
def test_plans_are_hidden_until_both_are_complete() -> None:
    t = scene(*waiting_units(0, 0, 1), round=0)
    match = run(t, SecretDeployment())
    assert [type(d) for d in match.waiting] == [PlanUnit, PlanUnit], "both deploy together"
    match.play(0, row(0, 3000, 500))
    match.play(1, Deploy(2, tuple((3000 + 350 * i, 11_500) for i in range(4))))
    assert [d.side for d in match.waiting] == [0]
    mine, theirs, nobody = match.view(0), match.view(1), match.view(None)
    frames = [v.stack[-1].plans for v in (mine, theirs, nobody)]
    assert frames[0][1] is None
    assert frames[0][0] == (row(0, 3000, 500),)
    assert frames[1][0] is None
    assert frames[2] == (None, None)
    assert not any(u.deployed for u in match.state.units), "no model is down before both plans are complete"
    with pytest.raises(Refused) as refused:
        match.play(0, row(1, 3000, 500))
    assert refused.value.refusal.code == "occupied", "the plan itself takes the room"
    match.play(0, row(1, 6000, 500))
    after = done(match)
    assert [after.models[m].disc[:2] for m in after.units[1].models] == list(row(1, 6000, 500).at)
    assert all(u.deployed for u in after.units)


@pytest.mark.clause("CH-SETUP-06")
def test_a_plan_that_cannot_be_seen_is_guessed() -> None:
    t = scene(*waiting_units(0, 0, 1, 1), round=0)
    match = run(t, SecretDeployment())
    match.play(0, row(0, 3000, 500))
    match.play(1, Deploy(2, tuple((3000 + 350 * i, 11_500) for i in range(4))))
    imagined = match.imagine(0, Seeded(1))
    frame = imagined.state.stack[-1]
    assert len(frame.plans[1]) == 1
    assert match.view(0).stack[-1].plans[1] is None


# --- the rest ---


def test_a_drag_is_turned_into_a_place_inside_the_zone() -> None:
    t = scene(*waiting_units(0, 1), round=0)
    match = run(t, TurnDeployment(side=0))
    decision = match.waiting[0]
    assert [r.unit for r in decision.regions(match.state)] == [0]
    proposal = decision.propose(match.state, Wish(unit=0, to=(6000, 2000)))
    assert proposal.action in decision.options(match.state)
    assert all(p[0][1] <= 850 for p in proposal.paths.values())
    assert decision.propose(match.state, Wish(unit=1, to=(6000, 500))).refusal is not None
    for offer in decision.offers(match.state):
        assert offer.action in decision.options(match.state)


@pytest.mark.clause("CH-SETUP-04", "Q-SETUP-7")
def test_a_scenario_may_have_both_armies_placed() -> None:
    book = ruleset.book()
    s = SCENARIO_FILES.find("first-battle").value
    assert s.deployed
    for size in (4, 7, 11):
        t = battle(book, s, choose_armies(book, s, ("alliance", "putredine"), size), Deployment())
        match = Match(ruleset, t, Scripted((2, 6)))
        state: Any = match.state
        assert not match.waiting
        assert state.first == 1
        assert all(u.deployed for u in state.units)
        for side in (0, 1):
            x0, y0, x1, y1 = zone_of(state, side)
            for unit in state.in_play(side):
                for x, y, r in state.discs(unit):
                    assert x0 + r <= x <= x1 - r
                    assert y0 + r <= y <= y1 - r


def test_samples_are_legal_even_where_the_zone_is_crowded() -> None:
    dice = Seeded(7)
    t = scene(*waiting_units(*[0] * 14), round=0, table=(9000, 9000))
    match = run(t, TurnDeployment(side=0))
    while match.waiting:
        ways = match.waiting[0].options(match.state)
        action = ways.sample(dice)
        assert ways.refusal(action) is None
        match.play(0, action)


def test_a_unit_without_room_stays_away() -> None:
    t = scene(*waiting_units(0, 1), round=0, table=(900, 9000), terrain=[square("pit", "impassable", 0, 0, 9, 10)])
    match = run(t, TurnDeployment(side=0))
    match.play(1, match.waiting[0].options(match.state).first())
    after = done(match)
    assert [u.deployed for u in after.units] == [False, True]
    assert after.units[0].left


@pytest.mark.clause("CH-SETUP-07")
@pytest.mark.parametrize(("side", "front"), [(0, "top"), (1, "bottom")])
def test_a_unit_that_is_placed_in_the_middle_stands_in_the_middle_of_the_front(side: int, front: str) -> None:
    t = scene(*waiting_units(0), *waiting_units(1), round=0)
    ways = Placings(t, side)
    x0, y0, x1, y1 = ways.zone
    radius, step = 100, 200
    places = ways.anchors(radius, step)
    assert places[0][0] == (x0 + x1) // 2
    assert places[1][0] + places[2][0] == 2 * places[0][0]
    assert places[1][0] == places[0][0] - step
    ys = [y for _, y in places]
    assert (min(ys), max(ys)) == (y0 + radius, ys[0] if front == "top" and t.armies[side].edge == 0 else max(ys))
    assert ys[0] == (y1 - radius if t.armies[side].edge == 0 else y0 + radius)
    assert all(y0 + radius <= y <= y1 - radius for y in ys)
