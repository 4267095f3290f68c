"""Rules that need a whole battle: endings, transported reserves, cover by hulls, fear, the pilot, entering flyers."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.geometry import INCH
from caltrop.rules.squad_action.activation import Hover, HoverOrFly, what_is_next
from caltrop.rules.squad_action.assault import Assault, Storm
from caltrop.rules.squad_action.broken import FallBack, Terror
from caltrop.rules.squad_action.close_quarters import CloseQuarters
from caltrop.rules.squad_action.consolidation import Consolidation
from caltrop.rules.squad_action.damage import Burn
from caltrop.rules.squad_action.movement import Left, Move
from caltrop.rules.squad_action.orders import Activate, Orders
from caltrop.rules.squad_action.places import cover_of, sees
from caltrop.rules.squad_action.recon import ReconMoves
from caltrop.rules.squad_action.records import Area, Firefight, Objective, Pilot
from caltrop.rules.squad_action.reserves import kept_back
from caltrop.rules.squad_action.scene import at, block, done, machine, run, scene, squad
from caltrop.rules.squad_action.setup import Deploy, DeployAboard, Deployment, DeployUnit, KeepBack
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.shells import Shells
from caltrop.rules.squad_action.shooting import Shoot, attack_of
from caltrop.rules.squad_action.transport import Alighting, Board, Boarding, SpillOut
from caltrop.rules.squad_action.turn import Order
from caltrop.rules.squad_action.victory import PutDown, end_of_game_turn, needed_to_leave, nobody_plays_on
from tests.rules.squad_action.played import KindOf

MIDDLE = (Objective(at=at(24, 24), name="Middle"),)
GONE: dict[str, Any] = {"where": "gone"}


def after(t: Firefight) -> int | str | None:
    """Return the winner at the end of a game turn; `goes on` if it is not over."""
    end_of_game_turn(t)
    return "goes on" if t.over is None else t.over.winner


# --- the end ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S70", "SQ-Q71")
@pytest.mark.parametrize("turn", [1, 3, 6])
@pytest.mark.parametrize(("scores", "winner"), [([2, 10], 1), ([2, 3], None), ([2, 2], 0), ([9, 3], 0)])
def test_the_higher_total_wins_a_meeting_of_which_one_side_is_gone(
    turn: int, scores: list[int], winner: int | None
) -> None:
    field = {"goal": "meeting", "objectives": MIDDLE, "turns": 6}
    mine, theirs = squad(0, "regular", 5, 5), squad(1, "regular", 40, 40, **GONE)
    t = scene(mine, theirs, round=turn, scores=scores, field=field)
    assert after(t) == winner


@pytest.mark.clause("SQ-S71", "SQ-Q71")
@pytest.mark.parametrize(
    ("mine", "theirs", "winner"), [({}, GONE, 0), (GONE, {}, 1), (GONE, GONE, 0), ({}, {}, "goes on")]
)
def test_the_crossroads_without_a_defender_are_lost(mine: Any, theirs: Any, winner: Any) -> None:
    field = {"goal": "crossroads", "objectives": MIDDLE, "turns": 6, "defender": 1}
    t = scene(squad(0, "regular", 5, 5, **mine), squad(1, "regular", 24, 24, **theirs), round=3, field=field)
    assert after(t) == winner


@pytest.mark.clause("SQ-S71", "SQ-S56")
def test_a_flyer_does_not_hold_the_crossroads() -> None:
    field = {"goal": "crossroads", "objectives": MIDDLE, "turns": 6, "defender": 1}
    for row, winner in (("gunship", 0), ("apc", 1)):
        assert after(scene(squad(0, "regular", 5, 5), machine(1, row, 24, 24), round=6, field=field)) == winner


@pytest.mark.clause("SQ-S73", "SQ-Q71")
@pytest.mark.parametrize(
    ("turn", "mine", "theirs", "winner"),
    [(8, {}, GONE, 1), (7, {}, GONE, "goes on"), (3, GONE, {}, 1), (3, GONE, GONE, 1), (3, {}, {}, "goes on")],
)
def test_an_attacker_breaks_through_by_leaving_alone(turn: int, mine: Any, theirs: Any, winner: Any) -> None:
    field = {"goal": "breakthrough", "turns": 8, "exits": True, "defender": 1}
    t = scene(squad(0, "regular", 9, 9, **mine), squad(1, "regular", 9, 40, **theirs), round=turn, field=field)
    assert after(t) == winner


@pytest.mark.clause("SQ-S73", "SQ-Q71")
def test_attackers_too_few_to_break_through_do_not_play_on() -> None:
    field = {"goal": "breakthrough", "turns": 8, "exits": True, "defender": 1}
    lost = [squad(0, "regular", 9, 9, **GONE) for _ in range(3)]
    t = scene(squad(0, "regular", 9, 9), *lost, squad(1, "regular", 9, 40, **GONE), round=3, field=field)
    assert nobody_plays_on(t), "one of four is left, and two are needed"
    t.exited = [1]
    assert not nobody_plays_on(t), "with one that has left there are two"


@pytest.mark.clause("SQ-S72", "SQ-Q71")
@pytest.mark.parametrize(("turn", "winner"), [(3, "goes on"), (6, 0)])
def test_who_is_alone_may_still_bring_the_pilot_home(turn: int, winner: Any) -> None:
    field = {"goal": "pilot", "turns": 6, "exits": True}
    units = squad(0, "regular", 9, 9, points=50), squad(1, "regular", 9, 40, points=60, **GONE)
    assert after(scene(*units, round=turn, field=field, pilot=Pilot(at=at(24, 24)))) == winner
    tank = machine(0, "battle-tank", 9, 9), squad(1, "regular", 9, 40, points=60, **GONE)
    assert after(scene(*tank, round=turn, field=field, pilot=Pilot(at=at(24, 24)))) == 0, "a tank fetches nobody"


# --- reserves ---------------------------------------------------------------------------------------------------------

AREAS = {
    "areas": (
        Area(box=(0, 0, 48 * INCH, 9 * INCH), words="within 9 inches of the south edge"),
        Area(box=(0, 39 * INCH, 48 * INCH, 48 * INCH), words="within 9 inches of the north edge"),
    )
}


def refused(t: Firefight, action: Any) -> str:
    refusal = DeployUnit(side=0).options(t).refusal(action)
    return "" if refusal is None else refusal.code


@pytest.mark.clause("SQ-S47", "SQ-S45")
def test_units_aboard_a_carrier_in_reserve_count_for_the_limit() -> None:
    def waiting(*, stored: bool = False, riders: int = 0) -> Firefight:
        apc = machine(0, "apc", 5, 5, where="reserve", kept=stored)
        ride: dict[str, Any] = {"where": "aboard", "carrier": 0}
        foot = [squad(0, "regular", 9, 5, 2, **(ride if n < riders else {"where": "reserve"})) for n in range(5)]
        return scene(apc, *foot, field=AREAS, round=0)

    assert [refused(waiting(riders=n), KeepBack(0)) for n in range(4)] == ["", "", "", "enough-reserves"]
    stored = waiting(stored=True, riders=2)
    assert kept_back(stored, 0) == 3
    assert refused(stored, KeepBack(3)) == refused(stored, DeployAboard(3, 0)) == "enough-reserves"
    assert refused(waiting(stored=True, riders=1), DeployAboard(3, 0)) == ""
    assert refused(waiting(riders=3), DeployAboard(4, 0)) == "", "it is placed"


@pytest.mark.clause("SQ-S47", "SQ-ORG-64")
def test_units_aboard_a_flyer_are_in_reserve_with_it() -> None:
    flyer = machine(0, "gunship", 5, 5, where="reserve")
    t = scene(flyer, *[squad(0, "regular", 9, 5, 2, where="reserve") for _ in range(3)], field=AREAS, round=0)
    assert refused(t, DeployAboard(1, 0)) == ""
    t.change(1, where="aboard", carrier=0)
    assert kept_back(t, 0) == 1
    assert refused(t, DeployAboard(2, 0)) == "enough-reserves"


@pytest.mark.clause("SQ-S47")
@pytest.mark.parametrize("seed", range(4))
def test_however_units_are_placed_no_more_than_half_are_off_the_table(seed: int) -> None:
    from caltrop.chance import Seeded
    from caltrop.engine import Match
    from caltrop.rules.squad_action.rulebook import ruleset

    apcs = [machine(0, "apc", 5, 5, where="reserve") for _ in range(2)]
    foot = [squad(0, "regular", 9, 5, 2, where="reserve") for _ in range(4)]
    t = scene(*apcs, *foot, field=AREAS, round=0)
    t.stack = [Deployment()]
    match, dice = Match(ruleset, t, Seeded("none")), Seeded(f"keeps {seed}")
    while match.waiting:
        options = match.waiting[0].options(match.state)
        keep = [a for a in options if not isinstance(a, Deploy)]
        match.play(0, keep[dice.below(len(keep))] if keep else options.sample(dice))
    now: Any = match.state
    assert sum([u.where == "reserve" or (u.where == "aboard" and now.units[u.carrier].kept) for u in now.units]) <= 3


# --- cover ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S16", "SQ-S19")
def test_cover_is_that_of_more_than_half_of_all_models_seen_or_not() -> None:
    """Five of eight models are in a bunker, and six are visible. Three of these six are in the bunker."""
    bunker = block("bunker", "bunker", 10, 20, 20, 30)
    t = scene(squad(0, "regular", 15, 5, 1), squad(1, "regular", 30, 10, 8), terrain=[bunker])
    theirs = t.units[1].models
    inside = [at(12, 21), at(14, 21), at(16, 21), at(14, 25), at(16, 25)]
    t.put(dict(zip(theirs, [*inside, at(22, 12), at(24, 12), at(26, 12)], strict=True)))
    seen = [m for m in theirs if sees(t, 0, m)]
    assert len(seen) == 6
    assert len([m for m in seen if m in theirs[:5]]) == 3
    (attack,) = attack_of(t, Shoot(0, (("rifle", 1),)))
    assert {band.cover for band in attack.bands} == {"fortified"}
    t.put({theirs[3]: at(28, 12)})
    (open_,) = attack_of(t, Shoot(0, (("rifle", 1),)))
    assert {band.cover for band in open_.bands} == {"none"}, "four of eight are no more than half"


@pytest.mark.clause("SQ-S19", "SQ-S16")
@pytest.mark.parametrize(
    ("x0", "x1", "cover"),
    [("23.7", "24.3", "none"), ("22.5", "25.5", "hard"), ("22", 24, "hard"), ("22", "23.6", "none"), (24, 26, "hard")],
)
def test_a_vehicle_is_in_cover_by_half_of_its_hull(x0: Any, x1: Any, cover: str) -> None:
    """A tank, 3 inches long, is across the line of fire behind a wall of some length, without other models nearby."""
    t = scene(
        squad(0, "regular", 24, 2, 1),
        machine(1, "battle-tank", 24, 40, (1, 0)),
        terrain=[block("wall", "wall", x0, "38.5", x1, "38.8")],
    )
    assert cover_of(t, t.units[1].models, [at(24, 2)]) == cover


@pytest.mark.clause("SQ-S19")
@pytest.mark.parametrize(("edge", "cover"), [(24, "soft"), ("24.2", "none"), ("23.8", "soft")])
def test_half_a_hull_in_woods_is_enough(edge: Any, cover: str) -> None:
    t = scene(machine(1, "battle-tank", 24, 24, (1, 0)), terrain=[block("woods", "woods", edge, 20, 34, 28)])
    assert cover_of(t, t.units[0].models, [at(5, 5)]) == cover
    assert cover_of(t, t.units[0].models, [at(24, 24)]) == cover, "from above too"


@pytest.mark.clause("SQ-Q77", "SQ-S56", "SQ-S11")
def test_a_bunker_hides_from_flyers_too() -> None:
    bunker = block("bunker", "bunker", 20, 20, 30, 24)
    t = scene(machine(0, "gunship", 25, 10), squad(1, "regular", 25, 30, 1), terrain=[bunker])
    assert not sees(t, 0, 1)


# --- fear -------------------------------------------------------------------------------------------------------------

DREAD: dict[str, Any] = {"traits": ("terrifying",)}


def faced(t: Firefight, procedure: Any, *dice: Any, choose: Any = None) -> list[tuple[int, int]]:
    """Return the tests that a procedure leads to if all are passed: pairs of a unit and an enemy that it faced."""
    match = run(t, procedure, *dice)
    while match.waiting:
        options = match.waiting[0].options(match.state)
        match.play(match.waiting[0].side, options.first() if choose is None else choose(match))
    return [(u.id, of) for u in done(match).units for of in u.braved]


@pytest.mark.clause("SQ-Q37", "SQ-TRT-17", "SQ-TRT-13")
@pytest.mark.parametrize("mine", [{"traits": ("recon",)}, {"traits": ("recon", "terrifying")}])
def test_who_scouts_near_the_terrifying_is_tested(mine: Any) -> None:
    dread = mine["traits"][-1] == "terrifying"
    enemy: dict[str, Any] = {} if dread else DREAD
    t = scene(squad(0, "regular", 20, 20, 2, **mine), squad(1, "regular", 20, 35, 2, **enemy))

    def ahead(match: Any) -> Move:
        places = {m: match.state.models[m].at for m in (0, 1)}
        return Move(0, tuple([(m, (p, (p[0], p[1] + 6 * INCH))) for m, p in places.items()]))

    assert faced(t, ReconMoves(side=0), (6,), choose=ahead) == [(1, 0) if dread else (0, 1)]


@pytest.mark.clause("SQ-Q37", "SQ-TRT-17", "SQ-CQB-15")
def test_who_consolidates_near_the_terrifying_is_tested() -> None:
    t = scene(squad(0, "regular", 20, 20, 2), squad(1, "elite", 20, 32, 2, **DREAD))

    def ahead(match: Any) -> Move:
        places = {m: match.state.models[m].at for m in (0, 1)}
        return Move(0, tuple([(m, (p, (p[0], p[1] + 3 * INCH))) for m, p in places.items()]))

    assert faced(t, Consolidation(unit=0), (6,), choose=ahead) == [(0, 1)]


@pytest.mark.clause("SQ-Q37", "SQ-TRT-17", "SQ-S46")
def test_who_spills_out_near_the_terrifying_is_tested() -> None:
    ride: dict[str, Any] = {"where": "aboard", "carrier": 0}
    t = scene(machine(0, "apc", 20, 20), squad(0, "regular", 0, 0, 2, **ride), squad(1, "elite", 20, 28, 2, **DREAD))
    assert faced(t, SpillOut(unit=0), (1, 1), (6,)) == [(1, 2)]


@pytest.mark.clause("SQ-Q37", "SQ-TRT-17", "SQ-S45")
@pytest.mark.parametrize("rider", [0, 1])
def test_who_gets_out_near_those_it_fled_from_is_tested_anew(rider: int) -> None:
    """Either the Terrifying unit rides or the unit that fears it. A unit aboard is near nobody."""
    t = scene(
        squad(0, "regular", 20, 20, 2, feared=(1,)),
        squad(1, "elite", 20, 28, 2, **DREAD),
        machine(rider, "apc", "20.5", 18 if rider == 0 else 30, (1, 0)),
    )
    assert not faced(t, Terror(unit=rider))
    aboard = done(run(t, Boarding(act=Board(rider, 2))))
    assert aboard.units[0].feared == ()
    out = next(iter(KindOf("transport").acts(aboard, rider)))
    assert faced(aboard, Alighting(act=out), (6,)) == [(0, 1)]


@pytest.mark.clause("SQ-Q37", "SQ-TRT-17", "SQ-S23")
def test_a_terrifying_unit_that_falls_back_is_feared_where_it_stops() -> None:
    t = scene(squad(0, "regular", 20, 30, 4, **DREAD), squad(1, "regular", 20, 14, 4))
    assert faced(t, FallBack(unit=0), (1,), (6,)) == [(1, 0)]


# --- the pilot, and flyers --------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S72")
def test_the_pilot_is_put_down_as_the_owner_likes() -> None:
    t = scene(
        squad(0, "regular", 10, 10, 2),
        squad(0, "regular", 10, 20, 2),
        squad(1, "regular", 40, 40, 2),
        field={"goal": "pilot", "turns": 6, "exits": True},
        pilot=Pilot(at=at(24, 24), unit=0),
        round=2,
    )
    match = run(t, Order(side=0))
    assert PutDown(0) in match.waiting[0].options(match.state)
    for wrong in (PutDown(1), PutDown(2)):
        assert wrong not in match.waiting[0].options(match.state)
    match.play(0, PutDown(0))
    now: Any = match.state
    assert now.pilot == Pilot(at=now.models[0].at, unit=None)
    assert not now.units[0].activated, "it takes no activation"
    assert isinstance(match.waiting[0], Orders)
    assert PutDown(0) not in match.waiting[0].options(now)


@pytest.mark.clause("SQ-S56", "SQ-ORG-63")
@pytest.mark.parametrize("hovers", [True, False])
def test_a_flyer_that_enters_says_whether_it_hovers(hovers: bool) -> None:
    t = scene(
        machine(0, "gunship", 0, 0, where="reserve", due=True, hovering=not hovers), squad(1, "regular", 40, 40, 2)
    )
    match = run(t, Order(side=0))
    match.play(0, Activate(0))
    assert isinstance(match.waiting[0], HoverOrFly)
    match.play(0, Hover(hovers))
    far = {8: hovers, 9: False, 13: True}
    for inches_, hovering in far.items():
        act = Move(0, ((0, (at(24, 0), at(24, inches_))),))
        now: Any = match.state
        options: Any = match.waiting[0].options(now)
        begin = next(iter(options), None)
        assert begin is not None
        legal = any(options.refusal(type(begin)(0, act, then)) is None for then in ((), ("move",), ("shoot",)))
        assert legal is (inches_ <= 8 if hovers else True), hovering


@pytest.mark.clause("SQ-S56")
def test_a_flyer_that_flew_too_little_says_so_when_it_leaves() -> None:
    t = scene(machine(0, "gunship", 20, 20), squad(1, "regular", 40, 40, 2))
    assert Left(0, True).sentence(t) == "South 0 has made no Move of 12 inches, and flies off the table"
    assert Left(0).sentence(t) == "South 0 leaves the table"


# --- rulings ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-Q70", "SQ-FMI-16")
def test_hits_of_shells_beyond_the_number_of_models_are_lost_before_saves() -> None:
    """Nine hits on three models: three saves are rolled, and three models fall at most."""
    t = scene(squad(0, "regular", 5, 5, 2, spotter=True), squad(1, "regular", 24, 24, 3))
    match = run(t, Shells(side=0, caller=0, asset="heavy", aim=at(24, 24)), (1,), (6,), (6,), (5, 5, 4), (6,))
    match.play(1, match.waiting[0].options(match.state).first())
    assert len(done(match).units[1].models) == 2


@pytest.mark.clause("SQ-Q72", "SQ-FMI-04")
def test_who_moved_by_a_token_does_not_call() -> None:
    for crept, activated, code in ((3, True, "moved"), (0, True, ""), (2, False, "")):
        caller = squad(0, "regular", 5, 5, 2, spotter=True, crept=crept, activated=activated)
        t = scene(caller, squad(1, "regular", 24, 24, 3), round=3)
        refusal = KindOf("mission").refusal(t, CallFire(0), False)
        assert ("" if refusal is None else refusal.code) == code


@pytest.mark.clause("SQ-Q73")
def test_an_assault_takes_the_whole_activation_also_if_it_never_sets_out() -> None:
    t = scene(squad(0, "regular", 20, 20, 4), squad(1, "regular", 20, 24, 4))
    Storm(act=Assault(0, (1,), ())).declare(t)
    t.change(0, pinned=True)
    assert what_is_next(t, 0, (), False, ("assault",)) == ()


@pytest.mark.clause("SQ-Q74", "SQ-S23")
def test_who_cannot_flee_from_a_terrifying_assaulter_is_cut_down() -> None:
    t = scene(squad(0, "elite", 20, 20, 4, **DREAD), squad(1, "regular", 20, 21, 4, broken=True))
    fight = CloseQuarters(assaulters=(0,), defenders=(1,), covers=("none",))
    now = done(run(t, fight))
    assert now.units[1].where == "gone"
    assert not now.units[0].pinned, "nobody has fought"


@pytest.mark.clause("SQ-Q75", "SQ-S73")
def test_units_in_reserve_and_lost_ones_count_for_half_of_the_units() -> None:
    wheres = ("table", "reserve", "gone", "gone", "table")
    t = scene(*[squad(0, "regular", 9 + 9 * n, 9, 2, where=w) for n, w in enumerate(wheres)])
    assert needed_to_leave(t, 0) == 3


@pytest.mark.clause("SQ-Q76", "SQ-S51")
def test_an_explosion_hurts_soldiers_alone() -> None:
    t = scene(machine(0, "truck", 20, 20), machine(1, "truck", 22, 20), squad(1, "regular", 20, 23, 3))
    match = run(t, Burn(unit=0, explodes=True), (1,), (6,), (6,))
    assert [u.where for u in done(match).units] == ["gone", "table", "table"]
