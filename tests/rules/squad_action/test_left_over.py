"""Units after an interruption: their actions, tokens, sights, saves, and places off the table."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Match
from caltrop.rules.squad_action.activation import ActLost, PutDownHere, what_is_next
from caltrop.rules.squad_action.assault import Assault, Storm
from caltrop.rules.squad_action.casualties import Saved
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.movement import CameDown, Move, Moving, in_difficult_ground
from caltrop.rules.squad_action.orders import EndTurn
from caltrop.rules.squad_action.overwatch import Spring
from caltrop.rules.squad_action.rally import Rallied, Rally
from caltrop.rules.squad_action.records import Barrage, Firefight, Pilot
from caltrop.rules.squad_action.scene import at, block, machine, scene, squad
from caltrop.rules.squad_action.shelling import CallFire, CallForFire, SeenNoMore
from caltrop.rules.squad_action.shells import MarkerFell
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.striking import ShareAttacks
from caltrop.rules.squad_action.transport import Alight, Alighting, SpillOut
from caltrop.rules.squad_action.turn import Activation, Order
from caltrop.rules.squad_action.victory import come_back
from tests.rules.squad_action.played import KindOf, every, now, one, play


def straight(t: Firefight, unit: int, x: Any, y: Any) -> tuple[Any, ...]:
    """Move all models of a unit by the same vector."""
    paths = []
    for m in t.units[unit].models:
        here = t.models[m].at or (0, 0)
        paths.append((m, (here, (here[0] + inches(x), here[1] + inches(y)))))
    return tuple(paths)


def beside(t: Firefight, unit: int, x: Any, y: Any) -> tuple[Any, ...]:
    """Return places of a unit in a row."""
    first = at(x, y)
    return tuple([(m, (first[0] + n * inches(1), first[1])) for n, m in enumerate(t.units[unit].models)])


def asked(match: Match) -> Any:
    """Return the only decision that waits."""
    (decision,) = match.waiting
    return decision


# --- units that may interrupt
# -------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-Q76", "SQ-CQS-01", "SQ-CQS-10")
def test_neither_of_two_that_are_assaulted_breaks_in_with_a_move_token() -> None:
    t = scene(
        squad(0, "elite", 20, 20, 8, gap="1.2", activated=True, acted=1),
        squad(1, "conscript", 19, 24, 3),
        squad(1, "conscript", 25, 24, 3),
        tokens={1: ("fire", "move"), 2: ("fire", "move")},
    )
    rifles = [Shoot(unit, (("rifle", 0),)) for unit in (1, 2)]
    # All shots miss, so nobody is stopped, and the fight uses up the Move tokens.
    match = play(t, Storm(act=Assault(0, (1, 2), straight(t, 0, 0, 3))), (1, 1, 1), (1, 1, 1), 1, answers=rifles)
    assert isinstance(asked(match), ShareAttacks)
    assert not now(match).tokens


# --- the remaining actions -------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-Q79", "SQ-S33", "SQ-ORG-07")
@pytest.mark.parametrize(("die", "acted"), [(1, 1), (6, 1)])
def test_who_is_pinned_as_it_gets_out_has_used_that_action(die: int, acted: int) -> None:
    t = scene(
        machine(0, "apc", 20, 20),
        squad(0, "regular", 20, 20, 3, where="aboard", carrier=0, activated=True, acted=1),
        squad(1, "regular", 20, 34, 3),
        tokens={2: ("fire",)},
    )
    act = Alight(1, beside(t, 1, 19, 22))
    answers = [Spring(2, "fire"), Shoot(2, (("rifle", 1),))]
    # One of three hits counts, armour saves it, and the check decides.
    match = play(t, Alighting(act=act), (6, 1, 1), 6, die, answers=answers)
    assert now(match).units[1].pinned is (die == 1)
    assert now(match).units[1].acted == acted


@pytest.mark.clause("SQ-Q79", "SQ-S33", "SQ-S47")
@pytest.mark.parametrize(("enters", "acted"), [(True, 1), (False, 0)])
def test_who_is_pinned_as_it_enters_has_used_that_action(enters: bool, acted: int) -> None:
    where: dict[str, Any] = {"where": "reserve", "due": True} if enters else {}
    t = scene(
        squad(0, "regular", 20, 0 if enters else 1, 3, activated=True, acted=1, **where),
        squad(1, "regular", 20, 14, 3),
        tokens={1: ("fire",)},
    )
    start = [at(20 + n, 0 if enters else 1) for n in range(3)]
    paths = tuple([(m, (p, (p[0], inches(6)))) for m, p in zip(t.units[0].models, start, strict=True)])
    answers = [Spring(1, "fire"), Shoot(1, (("rifle", 0),))]
    match = play(t, Moving(act=Move(0, paths)), (6, 1, 1), 6, 1, answers=answers)
    assert now(match).units[0].pinned
    assert now(match).units[0].acted == acted


def together(**fields: Any) -> Firefight:
    """Return a squad that assaults together with another."""
    return scene(
        squad(0, "regular", 20, 20, 4),
        squad(0, fields.pop("row", "regular"), 20, 17, 4, **fields),
        squad(1, "regular", 20, 25, 4),
        active=0,
    )


@pytest.mark.clause("SQ-ORG-26", "SQ-Q25", "SQ-CQS-08")
@pytest.mark.parametrize(
    ("dice", "pinned", "comes"), [((6,), False, True), ((1, 6), False, False), ((1, 1), True, False)]
)
def test_a_pinned_partner_tries_to_rally_with_all_its_actions(dice: tuple[int, ...], pinned: bool, comes: bool) -> None:
    t = together(pinned=True)
    act = Assault(0, (2,), straight(t, 0, 0, 3), partners=(1,))
    match = play(t, Storm(act=act), *dice, answers=[Rally(1)] * len(dice))
    assert len(every(match, Rallied)) == len(dice)
    assert now(match).units[1].pinned is pinned
    assert asked(match).coming == ((0, 1) if comes else (0,))


@pytest.mark.clause("SQ-Q34", "SQ-Q25")
@pytest.mark.parametrize("pinned", [True, False])
def test_a_partner_of_conscripts_that_will_not_act_may_rally_and_no_more(pinned: bool) -> None:
    t = together(row="conscript", pinned=pinned)
    act = Assault(0, (2,), straight(t, 0, 0, 3), partners=(1,))
    match = play(t, Storm(act=act), 1, *((6,) if pinned else ()), answers=[Rally(1)] * pinned)
    assert not now(match).units[1].pinned
    assert asked(match).coming == (0,)


@pytest.mark.clause("SQ-S33", "SQ-ORG-07", "SQ-Q25")
def test_a_partner_pinned_as_it_gets_ready_rallies_with_what_it_has_left() -> None:
    t = scene(
        squad(0, "regular", 20, 20, 4),
        squad(0, "regular", 20, 14, 4),
        squad(1, "regular", 20, 25, 4),
        squad(1, "regular", 8, 14, 3),
        tokens={3: ("fire",)},
    )
    act = Assault(0, (2,), straight(t, 0, 0, 3), partners=(1,))
    answers = [Move(1, straight(t, 1, 0, 3)), Spring(3, "fire", inches(2)), Shoot(3, (("rifle", 1),)), Rally(1)]
    match = play(t, Storm(act=act), (6, 1, 1), 6, 1, 6, answers=answers)
    assert one(match, Rallied).passed
    assert asked(match).coming == (0,)


@pytest.mark.clause("SQ-Q82", "SQ-FMI-04", "SQ-ORG-13")
def test_a_unit_that_has_called_does_not_close_up_in_that_activation() -> None:
    for called, kinds in ((False, ("move",)), (True, ())):
        t = scene(squad(0, "regular", 20, 20, 3, gap=3, activated=True, acted=1, called=called))
        assert what_is_next(t, 0, ("shoot",), False) == kinds


@pytest.mark.clause("SQ-Q49", "SQ-S45")
def test_what_cannot_be_done_is_lost_and_nothing_that_comes_after_it() -> None:
    t = scene(
        machine(0, "apc", 20, 20, activated=True, moved=True, travelled=inches(9)),
        squad(0, "regular", 20, 20, 3, where="aboard", carrier=0),
        squad(1, "regular", 20, 34, 3),
        rules={"actions_per_activation": 3},
    )
    act = Alight(1, beside(t, 1, 19, 22))
    match = play(t, Activation(unit=1, first=act, then=("shoot", "move"), told=True))
    assert one(match, ActLost).kind == "shoot"
    assert asked(match).kinds == ("move",)


# --- fire missions ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-06", "SQ-Q38", "SQ-Q62")
@pytest.mark.parametrize("hidden", [True, False])
def test_a_mortar_fires_at_no_place_that_its_caller_sees_no_more(hidden: bool) -> None:
    t = scene(
        squad(0, "militia", 20, 20, 3, weapons=["light-mortar"], activated=True, acted=1),
        squad(1, "regular", 20, 40, 3),
        machine(1, "apc", 26, 28, (1, 0)),
        tokens={2: ("move",)},
    )
    x = inches(-5) if hidden else inches(-1)
    here = t.models[t.units[2].models[0]].at or (0, 0)
    drives = Move(2, ((t.units[2].models[0], (here, (here[0] + x, here[1]))),))
    act = CallForFire(unit=0, aim=at(21, 40), mortar=0)
    match = play(t, act, *(() if hidden else (1, 1)), answers=[Spring(2, "move"), drives])
    assert bool(every(match, SeenNoMore)) is hidden
    assert bool(every(match, MarkerFell)) is not hidden
    assert now(match).units[0].called is not hidden


@pytest.mark.clause("SQ-ORG-06", "SQ-Q30", "SQ-Q38")
@pytest.mark.parametrize("hidden", [True, False])
def test_fire_is_not_sustained_on_a_place_that_is_seen_no_more(hidden: bool) -> None:
    barrage = Barrage(caller=0, asset="heavy", aim=at(21, 40), target=None, turn=1)
    t = scene(
        squad(0, "regular", 20, 20, 3, officer=True, activated=True, acted=1),
        squad(1, "regular", 20, 40, 3),
        machine(1, "apc", 26, 28, (1, 0)),
        tokens={2: ("move",)},
        barrages=[barrage],
        round=2,
    )
    here = t.models[t.units[2].models[0]].at or (0, 0)
    drives = Move(2, ((t.units[2].models[0], (here, (here[0] - inches(5 if hidden else 1), here[1]))),))
    act = CallForFire(unit=0, aim=at(21, 40))
    match = play(t, act, *(() if hidden else (1, 1, 1)), answers=[Spring(2, "move"), drives])
    assert bool(every(match, SeenNoMore)) is hidden
    assert bool(every(match, MarkerFell)) is not hidden
    assert now(match).called == ([] if hidden else [0])


@pytest.mark.clause("SQ-ORG-06", "SQ-Q49")
def test_who_sees_the_place_no_more_does_something_else() -> None:
    t = scene(
        squad(0, "militia", 20, 20, 3, weapons=["light-mortar"]),
        squad(1, "regular", 20, 40, 3),
        machine(1, "apc", 26, 28, (1, 0)),
        tokens={2: ("move",)},
    )
    here = t.models[t.units[2].models[0]].at or (0, 0)
    drives = Move(2, ((t.units[2].models[0], (here, (here[0] - inches(5), here[1]))),))
    call = CallFire(0, at(21, 40), mortar=0)
    match = play(t, Activation(unit=0, first=call, told=True), answers=[Spring(2, "move"), drives])
    assert now(match).units[0].acted == 0
    assert {"move", "shoot", "mission"} <= set(asked(match).kinds)


# --- saves ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S46", "SQ-Q14")
@pytest.mark.parametrize("pinned", [True, False])
def test_passengers_have_no_cover_not_even_the_pinned(pinned: bool) -> None:
    t = scene(
        machine(0, "apc", 20, 20),
        squad(0, "conscript", 20, 20, 4, where="aboard", carrier=0, pinned=pinned),
    )
    match = play(t, SpillOut(unit=0), (5, 1, 1, 1))
    assert not every(match, Saved), "Conscripts wear nothing"


# --- jumps ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-TRT-10", "SQ-Q80", "SQ-TRT-12", "SQ-TRT-14")
@pytest.mark.parametrize("trait", ["", "light-infantry", "recon"])
@pytest.mark.parametrize("inside", [True, False])
def test_light_infantry_and_scouts_come_down_as_badly_as_others(trait: str, inside: bool) -> None:
    woods = block("woods", "woods", 10, 18, 30, 22) if inside else block("woods", "woods", 10, 30, 30, 34)
    t = scene(squad(0, "regular", 20, 20, 3, traits=("jump-infantry", *([trait] if trait else ()))), terrain=[woods])
    assert in_difficult_ground(t, 0) is inside


@pytest.mark.clause("SQ-TRT-10", "SQ-Q80", "SQ-Q59")
@pytest.mark.parametrize(("moment", "lands"), [(0, False), (4, True)])
def test_who_never_took_off_does_not_come_down(moment: int, lands: bool) -> None:
    t = scene(
        squad(0, "regular", 20, 20, 3, traits=("jump-infantry",), activated=True, acted=1),
        squad(1, "regular", 20, 30, 3),
        terrain=[block("woods", "woods", 10, 19, 30, 24.5)],
        tokens={1: ("fire",)},
    )
    t.put({m: at(20 + n, 24) for n, m in enumerate(t.units[0].models)})
    act = Move(0, straight(t, 0, -8, 0), jump=True)
    match = play(
        t,
        Moving(act=act),
        (6, 6, 6),
        (6, 6, 6),
        1,
        *((2,) if lands else ()),
        answers=[Spring(1, "fire", inches(moment)), Shoot(1, (("rifle", 0),))],
    )
    assert now(match).units[0].pinned
    assert bool(every(match, CameDown)) is lands


# --- the pilot --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S72", "SQ-Q84")
def test_the_pilot_is_put_down_between_two_actions() -> None:
    t = scene(
        squad(0, "regular", 20, 20, 3, traits=("jump-infantry",)),
        squad(1, "regular", 20, 44, 3),
        field={"goal": "pilot"},
        round=2,
        pilot=Pilot(at=at(20, 20), unit=0),
    )
    first = Move(0, straight(t, 0, 0, 3))
    match = play(t, Activation(unit=0, first=first, then=("move",), told=True))
    assert PutDownHere() in asked(match).options(now(match))
    assert asked(match).options(now(match)).refusal(Move(0, straight(now(match), 0, 0, 9), jump=True)).code == "laden"
    match.play(0, PutDownHere())
    assert now(match).pilot == Pilot(at=at(20, 23))
    assert PutDownHere() not in asked(match).options(now(match))
    match.play(0, Move(0, straight(now(match), 0, 0, 9), jump=True))
    assert now(match).pilot == Pilot(at=at(20, 23))


@pytest.mark.clause("SQ-S72")
def test_only_who_has_the_pilot_puts_him_down() -> None:
    t = scene(squad(0, "regular", 20, 20, 3), squad(0, "regular", 30, 20, 3), pilot=Pilot(at=at(30, 20), unit=1))
    match = play(t, Activation(unit=0, first=Move(0, straight(t, 0, 0, 3)), then=("move",), told=True))
    assert asked(match).options(now(match)).refusal(PutDownHere()) is not None


# --- flyers -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S56", "SQ-Q83")
@pytest.mark.parametrize(("fields", "where"), [({}, "away"), ({"hovering": True}, "table")])
def test_a_flyer_that_is_not_activated_stays_only_where_it_hovers(fields: Any, where: str) -> None:
    t = scene(machine(0, "gunship", 20, 20, **fields), squad(0, "regular", 30, 20, 3))
    match = play(t, Order(side=0), answers=[EndTurn()])
    assert now(match).units[0].where == where


@pytest.mark.clause("SQ-S73", "SQ-Q81")
def test_passengers_who_come_back_have_not_broken_through() -> None:
    t = scene(
        machine(0, "gunship", 20, 20, where="reserve", due=True),
        squad(0, "regular", 20, 20, 3, where="aboard", carrier=0),
        squad(0, "regular", 20, 20, 3, where="away"),
        exited=[2, 0, 1],
    )
    come_back(t, 0)
    assert t.exited == [2]
    away = scene(squad(0, "regular", 20, 20, 3), exited=[])
    come_back(away, 0)
    assert away.exited == []


# --- assaults that are listed -----------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-CQS-10", "SQ-Q26")
@pytest.mark.parametrize(("apart", "listed"), [(7, True), (18, False)])
def test_an_assault_of_two_is_listed_where_some_way_leads_between_them(apart: int, listed: bool) -> None:
    t = scene(
        squad(0, "regular", 20, 20, 6, gap="1.2"),
        squad(1, "regular", 19 - apart // 2, 24, 3),
        squad(1, "regular", 24 + apart - apart // 2, 25, 3),
    )
    acts = [act for act in KindOf("assault").acts(t, 0) if len(act.targets) == 2]
    assert bool(acts) is listed
    assert all(KindOf("assault").refusal(t, act) is None for act in acts)


@pytest.mark.clause("SQ-CQS-08", "SQ-Q25")
@pytest.mark.parametrize(
    ("y", "fields", "listed"),
    [
        (17, {}, True),
        ("10.4", {}, True),
        ("10.3", {}, False),
        (17, {"pinned": True}, True),
        (12, {"pinned": True}, False),
        (17, {"activated": True}, False),
    ],
)
def test_a_partner_may_come_near_first_or_rally(y: Any, fields: dict[str, Any], listed: bool) -> None:
    # At 10.4 inches the gap is 14: two moves, and the 2 inches within which units fight.
    t = scene(squad(0, "regular", 20, 20, 4), squad(0, "regular", 20, y, 4, **fields), squad(1, "regular", 20, 25, 4))
    acts = [act for act in KindOf("assault").acts(t, 0) if act.partners]
    assert bool(acts) is listed
    assert all(KindOf("assault").refusal(t, act) is None for act in acts)
