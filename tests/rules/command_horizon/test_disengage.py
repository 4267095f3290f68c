"""Step 3: the contest, its modifier, and leaving close combat."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.asking import Wish
from caltrop.engine import Refused, total
from caltrop.geometry import distance_sq
from caltrop.rules.command_horizon.disengage import (
    DisengageStep,
    Leave,
    LeaveCombat,
    Stake,
    StayAndFight,
    most_to_stake,
    outnumbered,
)
from caltrop.rules.command_horizon.limits import why_still
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.scene import done, put, scene, square
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.way_out import ChooseWayOut, WaysOut, Withdraw, leaving_distance

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def locked(bases: int = 4, *, saved: int = 2, **fields: Any) -> Battle:
    """Return an Alliance Squad of 2 in contact with some Asori bases."""
    return scene(
        put(0, "infantry", (50, 50), ("52.1", 50), locked=(1,)),
        put(1, "infantry", (50, 52), ("52.1", 52), models=bases, along="y", gap="0.1"),
        cp=(3, saved),
        step=3,
        **fields,
    )


def contest(t: Battle, mine: int, theirs: int | None, *dice: tuple[int, ...]) -> Any:
    """Return the match after the stakes of both sides, or of the side that leaves alone."""
    match = run(t, DisengageStep(side=0), *dice)
    match.play(0, Leave(0))
    match.play(0, Stake(mine))
    if theirs is not None:
        match.play(1, Stake(theirs))
    return match


@pytest.mark.clause(
    *("CH-DISENGAGE-01", "CH-DISENGAGE-02", "CH-DISENGAGE-03", "CH-DISENGAGE-04", "CH-DISENGAGE-05", "CH-DISENGAGE-06"),
    *("CH-DISENGAGE-07", "CH-DISENGAGE-08", "CH-DISENGAGE-12", "CH-COST-14", "CH-TURN-06", "Q-DIS-3", "W30"),
)
def test_the_higher_total_leaves_and_does_nothing_else() -> None:
    match = contest(locked(), 3, 2, (4, 3, 2), (5, 1))
    assert [a.cp for a in match.state.armies] == [0, 0]
    decision = match.waiting[0]
    assert isinstance(decision, ChooseWayOut), "9 - 2 = 7 beats 6"
    match.play(0, decision.options(match.state).first())
    t = done(match)
    u = t.units[0]
    assert (u.locked, t.units[1].locked) == ((), ())
    assert (u.disengaged, u.move_over) == (True, True)
    assert 990 <= u.moved <= 1000
    still = why_still(t, 0, 0)
    assert still is not None
    assert still.clause == "CH-DISENGAGE-08"


@pytest.mark.clause("CH-DISENGAGE-10", "CH-DISENGAGE-11", "Q-DIS-1", "Q-DIS-8", "W30")
def test_on_a_tie_the_unit_stays_and_has_to_fight() -> None:
    match = contest(locked(), 3, 2, (4, 3, 2), (5, 2))
    t = done(match)
    assert t.units[0].locked == (1,)
    assert t.units[1].locked == (0,)
    assert t.units[0].tried_to_leave
    t.change_army(0, cp=3)
    refusal = LeaveCombat(side=0).options(t).refusal(Leave(0))
    assert refusal is not None
    assert refusal.clause == "Q-DIS-8"


@pytest.mark.clause("CH-DISENGAGE-12", "CH-DISENGAGE-13", "Q-DIS-3", "W30")
@pytest.mark.parametrize(("enemies", "own", "modifier"), [(4, 2, -2), (5, 2, -2), (3, 2, 0), (6, 1, -6), (3, 1, -3)])
def test_n_to_1_takes_n_from_the_total(enemies: int, own: int, modifier: int) -> None:
    t = locked(enemies)
    t.change(0, models=t.units[0].models[:own])
    assert total(outnumbered(t, 0)) == modifier


@pytest.mark.clause("Q-DIS-5")
def test_only_the_one_who_leaves_takes_the_modifier() -> None:
    t = scene(put(0, "infantry", (50, 50), squads=3, locked=(1,)), put(1, "infantry", (50, 52), models=2), cp=(3, 2))
    assert total(outnumbered(t, 0)) == 0, "the enemy is outnumbered three to one, and that is nothing to it"
    match = contest(t, 1, 1, (4,), (4,))
    assert done(match).units[0].locked == (1,), "4 against 4"


@pytest.mark.house("disengage.count", "bases", "figures")
@pytest.mark.clause("Q-DIS-3")
@pytest.mark.parametrize(("value", "modifier"), [("bases", 0), ("figures", -3)])
def test_the_house_rule_counts_figures(value: str, modifier: int) -> None:
    t = scene(
        put(0, "infantry", (50, 50), models=2, locked=(1,)),
        put(1, "infantry", (50, 52), models=3),
        army=("asori", "alliance"),
        rules={"disengage.count": value},
    )
    assert total(outnumbered(t, 0)) == modifier, "12 figures against 4"
    heavy = scene(
        put(0, "infantry", (50, 50), models=2, locked=(1,)),
        put(1, "heavy-weapons", (50, 52), models=3),
        army=("asori", "alliance"),
        rules={"disengage.count": value},
    )
    assert total(outnumbered(heavy, 0)) == modifier


@pytest.mark.clause("CH-DISENGAGE-03", "CH-COST-14", "Q-DIS-2")
def test_stakes_are_sealed_and_the_other_may_stake_nothing() -> None:
    match = run(locked(), DisengageStep(side=0), (6,), choices=())
    match.play(0, Leave(0))
    with pytest.raises(Refused) as refused:
        match.play(0, Stake(0))
    assert (refused.value.refusal.clause, refused.value.refusal.code) == ("CH-DISENGAGE-03", "stake")
    assert refused.value.refusal.nearest == Stake(1)
    match.play(0, Stake(1))
    assert match.view(1).answers == (None, None), "the other side does not see the stake"
    assert match.view(0).answers == (Stake(1), None)
    match.play(1, Stake(0))
    assert isinstance(match.waiting[0], ChooseWayOut), "6 - 2 beats nothing"


@pytest.mark.house("cp.savedForDisengage", "yes", "no")
@pytest.mark.clause("Q-DIS-2", "CH-CP-12", "Q-CP-3")
@pytest.mark.parametrize(("value", "saved", "most"), [("yes", 2, 2), ("no", 2, 0), ("yes", 0, 0)])
def test_saved_points_may_be_staked_unless_the_house_rule_forbids_it(value: str, saved: int, most: int) -> None:
    t = locked(saved=saved, rules={"cp.savedForDisengage": value})
    assert most_to_stake(t, 1, False) == most
    assert most_to_stake(t, 0, True) == 3
    match = run(t, DisengageStep(side=0), (1,))
    match.play(0, Leave(0))
    assert len(match.waiting) == (2 if most else 1), "who has nothing to stake is not asked"
    if not most:
        match.play(0, Stake(1))
        assert done(match).units[0].locked == (1,), "1 - 2 does not beat 0"


@pytest.mark.clause("CH-DISENGAGE-01", "CH-COST-14", "Q-DIS-4", "CH-PUTSTUN-01")
def test_who_may_try() -> None:
    t = locked()
    options = LeaveCombat(side=0).options(t)
    assert Leave(0) in options
    refusal = options.refusal(Leave(1))
    assert refusal is not None
    assert (refusal.clause, refusal.code) == ("CH-DISENGAGE-01", "not-locked")
    t.change_army(0, cp=0)
    refusal = LeaveCombat(side=0).options(t).refusal(Leave(0))
    assert refusal is not None
    assert refusal.clause == "CH-COST-14"
    assert not run(t, DisengageStep(side=0)).waiting, "nobody is asked in vain"
    free = scene(put(0, "infantry", (50, 50)))
    assert not run(free, DisengageStep(side=0)).waiting
    swarm = scene(
        put(0, "infantry", (50, 50), locked=(1,), stuns=1, frozen=True),
        put(1, "infantry", (50, 52)),
        army=("putredine", "alliance"),
    )
    refusal = LeaveCombat(side=0).options(swarm).refusal(Leave(0))
    assert refusal is not None
    assert refusal.clause == "Q-DIS-4"


@pytest.mark.clause("Q-DIS-8", "CH-DISENGAGE-06")
def test_when_one_has_left_the_next_may_try() -> None:
    t = scene(
        put(0, "infantry", (20, 50), locked=(1,)),
        put(1, "infantry", (20, 52)),
        put(0, "infantry", (80, 50), locked=(3,)),
        put(1, "infantry", (80, 52)),
        cp=(2, 0),
        step=3,
    )
    match = run(t, DisengageStep(side=0), (6,), (6,))
    for unit in (0, 2):
        assert type(match.waiting[0]) is LeaveCombat
        match.play(0, Leave(unit))
        match.play(0, Stake(1))
        match.play(0, match.waiting[0].options(match.state).first())
    assert [u.locked for u in done(match).units] == [()] * 4


@pytest.mark.clause("CH-DISENGAGE-02", "Q-DIS-8")
def test_units_try_one_after_another() -> None:
    t = scene(
        put(0, "infantry", (50, 50), locked=(2,)),
        put(0, "infantry", (80, 50), locked=(2,)),
        put(1, "infantry", (50, 52), squads=4),
        cp=(2, 0),
    )
    match = run(t, DisengageStep(side=0), (1,), (1,))
    match.play(0, Leave(0))
    match.play(0, Stake(1))
    assert list(match.waiting[0].options(match.state)) == [Leave(1), StayAndFight()]
    match.play(0, Leave(1))
    match.play(0, Stake(1))
    assert [u.tried_to_leave for u in done(match).units] == [True, True, False]
    stays = run(t, DisengageStep(side=0))
    stays.play(0, StayAndFight())
    assert done(stays).armies[0].cp == 2


# --- the way out -----------------------------------------------------------------------------------------------------


@pytest.mark.house("disengage.distance", "maximum", "free")
@pytest.mark.clause("CH-DISENGAGE-07", "Q-DIS-4", "CH-STUN-06")
@pytest.mark.parametrize(
    ("army", "stuns", "value", "length"),
    [
        ("alliance", 0, "maximum", 1000),
        ("asori", 0, "maximum", 2000),
        ("putredine", 0, "maximum", 1500),
        ("asori", 1, "maximum", 1000),
        ("asori", 0, "free", 1000),
        ("putredine", 0, "free", 1000),
    ],
)
def test_how_far_a_unit_withdraws(army: str, stuns: int, value: str, length: int) -> None:
    t = scene(put(0, "infantry", (50, 50), stuns=stuns), army=(army, "alliance"), rules={"disengage.distance": value})
    assert leaving_distance(t, 0) == length


def straight(t: Battle, dx: int, dy: int, unit: int = 0) -> Withdraw:
    """Return a move of the whole unit in a straight line."""
    ids = t.units[unit].models
    at = [t.models[m].disc for m in ids]
    return Withdraw(unit, tuple((m, ((x, y), (x + dx, y + dy))) for m, (x, y, _) in zip(ids, at, strict=True)))


@pytest.mark.clause("CH-DISENGAGE-07", "Q-DIS-7")
def test_the_way_leads_away_over_the_full_distance() -> None:
    t = locked()
    ways = WaysOut(t, 0)
    assert straight(t, 0, -1000) in ways
    assert straight(t, 300, -900) not in ways or ways.refusal(straight(t, 300, -900)) is None
    short = ways.refusal(straight(t, 0, -500))
    assert short is not None
    assert short.code == "too-short"
    assert short.nearest in ways
    assert ways.refusal(straight(t, 0, -1100)) is not None, "nor farther than that"
    for way in ways:
        assert ways.refusal(way) is None


@pytest.mark.clause("Q-DIS-7", "CH-DISENGAGE-06")
def test_the_way_ends_out_of_contact_and_farther_from_those_it_was_locked_with() -> None:
    t = locked()
    ways = WaysOut(t, 0)
    touching = ways.refusal(straight(t, 0, -1))
    assert touching is not None
    assert touching.clause == "Q-DIS-7"
    assert touching.code == "still-in-contact"
    third = scene(
        put(0, "infantry", (50, 50), ("52.1", 50), locked=(1,)),
        put(1, "infantry", (50, 52), ("52.1", 52)),
        put(1, "infantry", (50, 40), models=1),
        cp=(3, 0),
    )
    refusal = WaysOut(third, 0).refusal(straight(third, 0, -800))
    assert refusal is not None
    assert refusal.code == "still-in-contact"


@pytest.mark.clause("Q-DIS-7", "CH-DISENGAGE-07", "Q-CC-8")
def test_a_lock_over_a_distance_is_left_in_the_other_direction() -> None:
    t = scene(
        put(0, "infantry", (50, 50), models=1, locked=(1,)),
        put(1, "infantry", (50, 57), models=1),
        cp=(3, 0),
    )
    refusal = WaysOut(t, 0).refusal(straight(t, 300, 200))
    assert refusal is not None
    assert refusal.code == "no-farther"
    assert straight(t, 0, -1000) in WaysOut(t, 0)


@pytest.mark.clause("Q-DIS-7")
def test_no_nearer_to_another_enemy_where_that_is_possible() -> None:
    t = scene(
        put(0, "infantry", (50, 50), ("52.1", 50), locked=(1,)),
        put(1, "infantry", (50, 52), ("52.1", 52)),
        put(1, "light-tank", (50, 20)),
        cp=(3, 0),
    )
    ways = WaysOut(t, 0)
    refusal = ways.refusal(straight(t, 0, -1000))
    assert refusal is not None
    assert refusal.code == "nearer"
    assert refusal.nearest in ways
    away = [w for w in ways if w.paths[0][1][-1][0] > 5000]
    assert away
    apart, _ = ways.asked()
    assert [(near.bases, near.least, near.unless) for near in apart[2:]] == [(tuple(t.discs(2)), ways.before[2], None)]
    assert len(WaysOut(locked(), 0).asked()[0]) == 1, "there is no other enemy to keep away from"


@pytest.mark.clause("Q-DIS-6", "CH-DISENGAGE-07")
def test_a_unit_without_room_goes_as_far_as_it_can_or_stays() -> None:
    walls = [
        square("south", "impassable", 40, 30, 70, 49),
        square("west", "impassable", 30, 20, "48.9", 60),
        square("east", "impassable", "53.2", 20, 75, 60),
    ]
    t = locked(terrain=walls)
    assert WaysOut(t, 0).best is None
    match = contest(t, 3, 0, (6, 6, 6))
    assert done(match).units[0].locked == (1,), "there is no way out"
    room = locked(terrain=[square("south", "impassable", 40, 30, 70, 45), *walls[1:]])
    best = WaysOut(room, 0).best
    assert best is not None
    assert not best.full


def test_a_drag_is_turned_into_a_way_out() -> None:
    match = contest(locked(), 3, 0, (6, 6, 6))
    decision = match.waiting[0]
    proposal = decision.propose(match.state, Wish(unit=0, to=(5000, 3000)))
    assert proposal.action in decision.options(match.state)
    x, y = proposal.paths[0][-1]
    assert distance_sq((x, y), (5000, 4000)) <= 2
    assert decision.propose(match.state, Wish(unit=0)).refusal is not None
    assert decision.offers(match.state)[0].action in decision.options(match.state)
    assert decision.regions(match.state)[0].bands == ((1000, 0),)
    line = decision.propose(match.state, Wish(unit=0, to=(5100, 4100), shape="line"))
    assert line.action is not None or line.refusal is not None


@pytest.mark.clause("CH-DISENGAGE-09", "CH-TURN-01")
def test_it_is_free_again_when_the_turn_ends() -> None:
    from caltrop.rules.command_horizon.turn import Turn

    t = scene(put(0, "infantry", (50, 50), disengaged=True), put(1, "light-tank", (50, 110)))
    match = run(t, Turn(side=0, at="hand_over"))
    assert not done(match).units[0].disengaged


@pytest.mark.clause("CH-OW-03", "CH-DISENGAGE-07")
def test_a_unit_that_withdraws_may_be_fired_at_from_overwatch() -> None:
    t = scene(
        put(0, "infantry", (50, 50), ("52.1", 50), locked=(1,)),
        put(1, "infantry", (50, 52), ("52.1", 52)),
        put(1, "light-tank", (50, 70), models=2, overwatch=1),
        cp=(3, 0),
        rules={"overwatch": "on"},
    )
    match = contest(t, 1, None, (6,))
    match.play(0, match.waiting[0].options(match.state).first())
    assert type(match.waiting[0]).__name__ == "FireOrWait"
