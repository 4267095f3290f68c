"""Earlier acts do not affect a unit's next activation, and interruptions are examined afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.engine import Match
from caltrop.geometry import gap_between, overlap
from caltrop.rules.squad_action.activation import (
    ActLost,
    NextAct,
    announced_after,
    close_activation,
    opened,
    what_may_follow,
)
from caltrop.rules.squad_action.assault import Assault, MoveIn, NextIn, Storm
from caltrop.rules.squad_action.casualties import destroy
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.movement import Move, Moved, Moving
from caltrop.rules.squad_action.orders import Announce, Begin, Orders
from caltrop.rules.squad_action.overwatch import (
    Forgo,
    Interrupt,
    KeepTokens,
    LetPass,
    React,
    Spring,
    TokenUsed,
    TokenWasted,
    UseTokens,
)
from caltrop.rules.squad_action.places import KEEP_OFF, bodies
from caltrop.rules.squad_action.rally import Rally, Rallying
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.scene import at, machine, scene, squad
from caltrop.rules.squad_action.shelling import CallFire
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.smoke import LaySmoke, Smoke
from caltrop.rules.squad_action.transport import Board
from caltrop.rules.squad_action.turn import Order, open_turn
from caltrop.rules.squad_action.vehicle_assault import to_hit_machine
from tests.rules.squad_action.played import Heard, every, play

LAST_TURN: dict[str, Any] = {"moved": True, "travelled": inches(6), "moves": 2, "activated": False}
"""A unit that moved in its last activation, and has not been activated in this turn."""


LAUNCHER = squad(1, "regular", 10, 30, 1, weapons=["anti-tank-launcher"])


def now(match: Match) -> Firefight:
    assert isinstance(match.state, Firefight)
    return match.state


def shift(t: Firefight, unit: int, x: float, y: float) -> Move:
    """Move all models of a unit by the same vector."""
    ways = []
    for m in t.units[unit].models:
        start = t.models[m].at
        assert start is not None
        ways.append((m, (start, (start[0] + round(x * 254), start[1] + round(y * 254)))))
    return Move(unit, tuple(ways))


def begins(t: Firefight, act: Any) -> bool:
    """Return whether an act is legal as the first of an activation, and listed if possible."""
    options = Orders(side=0).options(t)
    then = announced_after(opened(t, act.unit), act.unit, act)[0]
    legal = options.refusal(Begin(act.unit, act, then)) is None
    mortar = getattr(act, "mortar", None)
    listed = any(
        isinstance(a, Begin) and type(a.act) is type(act) and getattr(a.act, "mortar", None) == mortar
        for a in options
        if getattr(a, "unit", None) == act.unit
    )
    assert listed == legal
    return legal


# --- the first act of an activation ----------------------------------------------------------------------------------


@pytest.mark.clause("SQ-FMI-04", "SQ-Q03")
def test_who_moved_last_turn_may_call_a_fire_mission_first() -> None:
    t = scene(squad(0, "regular", 10, 10, 3, officer=True, **LAST_TURN), squad(1, "regular", 10, 30, 3))
    assert begins(t, CallFire(0, at(10, 30)))
    t.change(0, activated=True, acted=1)
    call = CallFire(0, at(10, 30))
    assert Orders(side=0).options(t).refusal(Begin(0, call, ("shoot",))) is not None


@pytest.mark.clause("SQ-S13", "SQ-S32", "SQ-Q60")
@pytest.mark.parametrize("weapon", ["heavy-machine-gun", "anti-tank-launcher"])
def test_who_moved_last_turn_may_fire_a_heavy_weapon_first(weapon: str) -> None:
    team = squad(0, "regular", 10, 10, 2, weapons=[weapon], **LAST_TURN)
    t = scene(team, squad(1, "regular", 10, 24, 3))
    assert begins(t, Shoot(0, ((weapon, 1),)))
    barred = scene(squad(0, "regular", 10, 10, 2, weapons=[weapon], activated=True, acted=1, moved=True), *[])
    assert opened(barred, 0) is barred, "in its activation it is judged as it is"


@pytest.mark.clause("SQ-Q62")
def test_a_mortar_that_moved_last_turn_fires_for_who_calls_on_it() -> None:
    mortar = squad(0, "militia", 10, 10, 3, weapons=["light-mortar"], **LAST_TURN)
    t = scene(mortar, squad(0, "regular", 14, 10, 2, spotter=True), squad(1, "regular", 12, 30, 3))
    assert begins(t, CallFire(1, at(12, 30), mortar=0))
    t.change(0, activated=True)
    assert not begins(t, CallFire(1, at(12, 30), mortar=0)), "it has moved in this turn"


@pytest.mark.clause("SQ-Q62", "SQ-Q72")
@pytest.mark.house("activation", "side", "alternate", "random_draw")
@pytest.mark.parametrize("activation", ["side", "alternate", "random_draw"])
@pytest.mark.parametrize(("round", "ready"), [(2, True), (3, False)])
def test_a_mortar_that_moved_by_a_token_in_this_game_turn_fires_no_mission(
    round: int, ready: bool, activation: str
) -> None:
    """The mortar used the token before its activation, in an enemy's act of this game turn or of the last."""
    mortar = squad(0, "militia", 10, 10, 3, weapons=["light-mortar"])
    spotters, enemy = squad(0, "regular", 14, 10, 2, spotter=True), squad(1, "regular", 12, 30, 3)
    t = scene(mortar, spotters, enemy, round=round, tokens={0: ("move",)}, rules={"activation": activation})
    t = now(play(t, TokenUsed(watcher=0, face="move"), answers=[Move(0, ((2, ((3048, 2540), (3048, 2740))),))]))
    assert t.units[0].crept == round
    t.round = 3
    assert begins(t, CallFire(1, at(12, 30), mortar=0)) is ready
    assert begins(t, CallFire(0, at(12, 30), mortar=0)), "its own activation begins first"


@pytest.mark.clause("SQ-Q62", "SQ-ORG-04")
def test_a_mortar_that_shot_in_an_earlier_turn_fires_a_mission() -> None:
    mortar = squad(0, "militia", 10, 10, 3, weapons=["light-mortar"], shot=True, activated=True)
    t = scene(mortar, squad(0, "regular", 14, 10, 2, spotter=True), squad(1, "regular", 12, 30, 3))
    assert not begins(t, CallFire(1, at(12, 30), mortar=0))
    open_turn(t, (0,))
    assert begins(t, CallFire(1, at(12, 30), mortar=0))
    assert not t.units[0].shot


@pytest.mark.clause("SQ-Q36", "SQ-S45", "SQ-S54", "SQ-Q60")
def test_what_was_done_in_an_earlier_activation_bars_nothing() -> None:
    """The unit is compared, option by option, with one that has not acted yet."""
    did: dict[str, Any] = {**LAST_TURN, "jumped": True, "rode": True, "dazed": True, "flown": True, "crept": 1}
    fresh: dict[str, Any] = {"traits": ("jump-infantry",), "officer": True, "weapons": ["heavy-machine-gun"]}

    def firefight(**earlier: Any) -> Firefight:
        return scene(
            squad(0, "regular", 10, 10, 3, **fresh, **earlier),
            machine(0, "apc", 14, 10, **earlier),
            squad(1, "regular", 10, 24, 3),
        )

    assert list(Orders(side=0).options(firefight(**did))) == list(Orders(side=0).options(firefight()))


@pytest.mark.clause("SQ-Q36", "SQ-S45")
def test_an_activation_that_is_over_bars_nothing() -> None:
    t = scene(squad(0, "regular", 10, 10, 3, activated=True, acted=1, rode=True, dazed=True, jumped=True, moves=1))
    close_activation(t, 0)
    u = t.units[0]
    assert (u.rode, u.dazed, u.jumped, u.moves) == (False, False, False, 0)
    assert u.activated


@pytest.mark.clause("SQ-S45", "SQ-ORG-03")
def test_nothing_is_announced_after_an_act_that_takes_the_unit_off_the_table() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), machine(0, "apc", "12.5", 13), squad(1, "regular", 10, 40, 3))
    board = Board(0, 1)
    options = Orders(side=0).options(t)
    assert options.refusal(Begin(0, board, ())) is None
    assert [a.then for a in options if isinstance(a, Begin) and a.act == board] == [()]
    assert len(what_may_follow(t, 0, "transport")) > 1
    after = options.refusal(Begin(0, board, ("shoot",)))
    assert after is not None
    assert after.nearest == Begin(0, board, ())


# --- what an interruption leaves behind ------------------------------------------------------------------------------


def interrupted(t: Firefight, act: Move, face: str, moment: float, *dice: Sequence[int], **fields: Any) -> Heard:
    """Return a Move that watcher 1 interrupts at a given distance."""
    match = play(t, Moving(act=act, **fields), *dice)
    assert isinstance(match.waiting[0], Interrupt)
    match.play(1, Spring(1, face, round(moment * 254)))
    return match


def settled(match: Match) -> Firefight:
    """Return the firefight after all questions. Each is declined if possible."""
    while match.waiting:
        asked = match.waiting[0]
        lets_be = next((a for a in asked.options(now(match)) if isinstance(a, LetPass | Forgo)), None)
        match.play(asked.side, lets_be if lets_be is not None else next(iter(asked.options(now(match)))))
    return now(match)


def apart(t: Firefight) -> bool:
    """Return whether no two bodies of different units overlap."""
    return not any(
        overlap(a, b) for u in t.units for v in t.units if u.id < v.id for a in bodies(t, u.id) for b in bodies(t, v.id)
    )


@pytest.mark.clause("SQ-S10", "SQ-S17", "SQ-Q59", "SQ-Q60")
def test_who_finds_somebody_where_it_would_stand_stops_short() -> None:
    t = scene(squad(0, "regular", 10, 10, 1), squad(1, "regular", 16, 18, 1), tokens={1: ["move"]})
    match = interrupted(t, shift(t, 0, 0, 6), "move", 1)
    assert isinstance(match.waiting[0], React)
    match.play(1, Move(1, ((1, (at(16, 18), at(11, "16.5"))),)))
    after = settled(match)
    assert apart(after)
    gap = gap_between(bodies(after, 0)[0], bodies(after, 1)[0])
    assert KEEP_OFF <= gap < KEEP_OFF + inches("0.2"), "as far as it may"
    assert after.units[0].travelled == round(bodies(after, 0)[0][1] - at(10, 10)[1])


@pytest.mark.clause("SQ-S17", "SQ-Q59", "SQ-Q60")
def test_a_tank_does_not_drive_through_who_comes_into_its_way() -> None:
    t = scene(machine(0, "battle-tank", 10, 10), squad(1, "regular", 14, 16, 1), tokens={1: ["move"]})
    match = interrupted(t, Move(0, ((0, (at(10, 10), at(10, 20))),)), "move", 0)
    match.play(1, Move(1, ((1, (at(14, 16), at("10.9", 16))),)))
    after = settled(match)
    (hull,), (soldier,) = bodies(after, 0), bodies(after, 1)
    assert apart(after)
    assert hull[1] < soldier[1]
    assert 0 <= after.units[0].travelled < inches(6)


@pytest.mark.clause("SQ-S23", "SQ-Q59")
def test_who_falls_back_from_its_way_stands_where_it_fell_back_to() -> None:
    t = scene(
        squad(0, "regular", 10, 20, 5),
        squad(1, "regular", 10, 30, 8),
        rules={"break_result": "fall_back"},
        tokens={1: ["fire"]},
    )
    match = interrupted(t, shift(t, 0, 0, 6), "fire", 3, (6, 6, 6, 1, 1, 1, 1, 1), (1, 1, 1), (1,), (1,), (3,))
    match.play(1, React(side=1, watcher=1, face="fire", target=0).options(now(match)).first())
    after = settled(match)
    assert after.units[0].broken
    assert max(b[1] for b in bodies(after, 0)) < inches(23), "not where it was stopped"


@pytest.mark.clause("SQ-S51", "SQ-Q59")
def test_a_machine_made_immobile_on_its_way_stays_there() -> None:
    t = scene(machine(0, "battle-tank", 10, 10), LAUNCHER, tokens={1: ["fire"]})
    match = interrupted(t, Move(0, ((0, (at(10, 10), at(10, 18))),)), "fire", 2)
    now(match).change(0, immobile=True)
    after = settled(match)
    assert bodies(after, 0)[0][:2] == at(10, 12)
    assert after.units[0].travelled == inches(2)


@pytest.mark.clause("SQ-VEH-01", "SQ-Q60")
def test_a_machine_pinned_before_it_moved_has_not_moved() -> None:
    t = scene(machine(0, "battle-tank", 10, 10, (1, 0)), LAUNCHER, tokens={1: ["fire"]})
    match = interrupted(t, Move(0, ((0, (at(10, 10), at(10, 18))),)), "fire", 0)
    now(match).change(0, pinned=True)
    u = settled(match).units[0]
    assert (u.moved, u.travelled, u.moves) == (False, 0, 0)
    assert now(match).models[0].heading == (1, 0), "it faces where it faced"
    assert to_hit_machine(now(match), u.kind, u.moved, u.travelled) == 1, "hit on anything"


@pytest.mark.clause("SQ-SHO-12", "SQ-Q60")
@pytest.mark.parametrize(("before", "moment", "gone"), [(10, 6, 16), (4, 6, 10), (0, 2, 2)])
def test_the_move_under_way_counts_for_who_shoots_at_it(before: int, moment: int, gone: int) -> None:
    tank = machine(0, "battle-tank", 10, 10, activated=True, acted=2, moved=True, travelled=inches(before), moves=1)
    t = scene(tank, LAUNCHER, tokens={1: ["fire"]})
    match = interrupted(t, Move(0, ((0, (at(10, 10), at(10, 18))),)), "fire", moment)
    assert now(match).units[0].travelled == inches(gone)
    assert settled(match).units[0].travelled == inches(before + 8)


@pytest.mark.clause("SQ-Q60")
def test_a_move_by_token_does_not_count_when_it_is_broken_into() -> None:
    t = scene(machine(0, "battle-tank", 10, 10), LAUNCHER, tokens={1: ["fire"]})
    match = interrupted(t, Move(0, ((0, (at(10, 10), at(10, 18))),)), "fire", 4, token=True)
    assert now(match).units[0].travelled == 0
    assert settled(match).units[0].travelled == 0


@pytest.mark.clause("SQ-Q59")
def test_a_loss_on_the_way_moves_nobody_else() -> None:
    """The other models stand at their share of the path, even if the model with the longest path was lost."""
    t = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 10, 30, 1), tokens={1: ["fire"]})
    long, brief = (at(10, 10), at(10, 16)), (at(11, 10), at(11, 13))
    match = interrupted(t, Move(0, ((0, long), (1, brief))), "fire", 4)
    assert now(match).models[1].at == at(11, 12)
    t = now(match)
    t.change_model(0, at=None)
    t.change(0, models=(1,), pinned=True)
    assert settled(match).models[1].at == at(11, 12)


@pytest.mark.clause("SQ-S22", "SQ-S31")
def test_an_officer_who_has_fallen_rallies_nobody() -> None:
    t = scene(squad(0, "regular", 10, 10, 2, officer=True), squad(0, "regular", 10, 13, 2, pinned=True))
    rallying = Rallying(unit=0, friend=1)
    assert rallying.stand(t, (0, False)) is None
    t.change_model(0, officer=False)
    assert rallying.stand(t, (0, False)) is not None


@pytest.mark.clause("SQ-ORG-48", "SQ-S31")
def test_smoke_is_laid_from_where_somebody_is_left() -> None:
    t = scene(squad(0, "regular", 10, 10, 2, gap=2), squad(1, "regular", 10, 40, 2))
    t.smoke[0] = 1
    far = at(12 + 6, 10)
    smoke = Smoke(unit=0, at_place=far)
    assert smoke.lay(t.clone(), (0, False)) is None
    t.change_model(1, at=None)
    t.change(0, models=(0,))
    left = t.clone()
    smoke.lay(left, (0, False))
    assert left.smoke[0] == 1


# --- tokens and announced acts without effect
# --------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-37", "SQ-S31")
def test_a_fire_token_is_not_wasted_at_the_end_of_a_turn() -> None:
    t = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 10, 20, 2), tokens={1: ["fire", "move"]})
    options = UseTokens(side=1).options(t)
    assert set(options) == {KeepTokens(), Spring(1, "fire"), Spring(1, "move")}
    for m in (0, 1):
        t.change_model(m, at=None)
    t.change(0, where="gone")
    options = UseTokens(side=1).options(t)
    assert set(options) == {KeepTokens(), Spring(1, "move")}
    refusal = options.refusal(Spring(1, "fire"))
    assert refusal is not None
    assert refusal.code == "no-use"


@pytest.mark.clause("SQ-S31", "SQ-ORG-36")
def test_a_token_that_is_turned_over_for_nothing_is_told() -> None:
    t = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 10, 20, 2), tokens={1: ["fire"]})
    match = interrupted(t, shift(t, 0, 0, 2), "fire", 0)
    asked = match.waiting[0]
    match.play(asked.side, Forgo())
    assert every(match, TokenWasted) == [TokenWasted(1, "fire")]


@pytest.mark.clause("SQ-Q49")
def test_an_announced_act_that_is_lost_is_told() -> None:
    t = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 10, 40, 2))
    words = ActLost(0, "shoot")
    assert words.sentence(t) == f"{t.units[0].name} can no longer shoot"


@pytest.mark.clause("SQ-Q49", "SQ-ORG-07", "SQ-S33")
@pytest.mark.parametrize(("moment", "lost"), [(0, []), (2, [ActLost(0, "shoot")])])
def test_an_act_in_whose_place_a_unit_rallies_is_told_as_lost(moment: int, lost: list[ActLost]) -> None:
    """A unit that was Pinned before its first act has both actions left, and may act as announced if it rallies."""
    t = scene(squad(0, "regular", 10, 10, 1), squad(1, "regular", 10, 20, 1), tokens={1: ["fire"]})
    match: Any = play(t, Order(side=0), answers=[Begin(0, shift(t, 0, 0, 4), ("shoot",))])
    match.play(1, Spring(1, "fire", inches(moment)))
    now(match).change(0, pinned=True)
    match.play(1, Forgo())
    (asked,) = match.waiting
    assert isinstance(asked, NextAct)
    assert asked.kinds == ("rally",)
    assert every(match, ActLost) == lost
    words = every(match, Moved)[0]
    assert "stopped" in words.sentence(now(match))
    assert (words.motion(now(match)) is None) is (moment == 0), "it is told as moved if it has moved"
    match.dice.rolls.append((6,))
    match.play(0, Rally(0))
    assert [asked.kinds for asked in match.waiting if isinstance(asked, NextAct)] == ([] if lost else [("shoot",)])


@pytest.mark.clause("SQ-Q36", "SQ-Q25", "SQ-TRT-09")
def test_packs_that_were_used_before_count_for_who_moves_in_with_others() -> None:
    """After 9 inches with packs, 3 of the 12 are left, even if all actions have begun."""
    jumper = squad(0, "regular", 10, 10, 1, traits=("jump-infantry",), activated=True, acted=2, jumped=True, moves=1)
    t = scene(jumper, squad(1, "regular", 10, 17, 1), squad(0, "regular", 20, 15, 1))
    t.change(0, travelled=inches(9))
    move_in = NextIn(side=0, coming=(0,), targets=(1,), first=Assault(0, (1,), (), partners=(2,))).options(t)
    assert move_in.refusal(MoveIn(0, ((0, (at(10, 10), at(10, 13))),))) is None
    refusal = move_in.refusal(MoveIn(0, ((0, (at(10, 10), at(10, "13.1"))),)))
    assert refusal is not None
    assert refusal.code == "too-far-in"


@pytest.mark.clause("SQ-CQB-01", "SQ-S10", "SQ-Q59")
def test_who_assaults_somebody_that_is_gone_on_the_way_keeps_off_the_others() -> None:
    t = scene(
        squad(0, "regular", 10, 10, 1),
        squad(1, "regular", 10, 15, 1),
        squad(1, "regular", "11.5", 15, 1),
        squad(1, "regular", 20, 12, 1),
        tokens={3: ["fire"]},
    )
    match = play(t, Storm(act=Assault(0, (1,), ((0, (at(10, 10), at(10, 14))),))))
    match.play(1, Spring(3, "fire", inches(1)))
    now(match).change(1, where="gone")
    now(match).change_model(1, at=None)
    after = settled(match)
    assert gap_between(bodies(after, 0)[0], bodies(after, 2)[0]) >= KEEP_OFF


@pytest.mark.clause("SQ-S51", "SQ-Q59")
def test_a_machine_made_immobile_before_it_turns_on_the_spot_faces_where_it_faced() -> None:
    t = scene(machine(0, "battle-tank", 10, 10, (1, 0)), LAUNCHER, tokens={1: ["fire"]})
    match = interrupted(t, Move(0, (), heading=(0, -1)), "fire", 0)
    now(match).change(0, immobile=True)
    after = settled(match)
    assert after.models[0].heading == (1, 0)
    assert not after.units[0].moved


@pytest.mark.clause("SQ-Q49", "SQ-ORG-48", "SQ-S31")
@pytest.mark.parametrize("after", ["shoot", "smoke"])
def test_smoke_that_nobody_left_can_lay_is_told_as_lost(after: Any) -> None:
    """The model that was near enough is lost. The acts announced after the smoke are still offered."""
    t = scene(
        squad(0, "regular", 10, 10, 2, gap="0.9"), squad(1, "regular", 10, 30, 2), tokens={1: ["fire"]}, smoke=[2, 2]
    )
    match = play(t, Order(side=0), answers=[Begin(0, LaySmoke(0, at(17, 10)), (after,))])
    match.play(1, Spring(1, "fire", 0))
    now(match).change_model(1, at=None)
    now(match).change(0, models=(0,))
    match.play(1, Forgo())
    assert every(match, ActLost) == [ActLost(0, "smoke")]
    assert now(match).smoke == [2, 2]
    (asked,) = match.waiting
    assert isinstance(asked, NextAct)
    assert asked.kinds == (after,)


@pytest.mark.clause("SQ-Q49", "SQ-S22", "SQ-S31")
def test_a_rally_by_an_officer_who_has_fallen_is_told_as_lost() -> None:
    t = scene(
        squad(0, "regular", 10, 10, 2, officer=True),
        squad(0, "regular", 10, 13, 2, pinned=True),
        squad(1, "regular", 10, 30, 2),
        tokens={2: ["fire"]},
    )
    match = play(t, Order(side=0), answers=[Begin(0, Rally(0, 1), ("shoot",))])
    match.play(1, Spring(2, "fire", 0))
    now(match).change_model(0, officer=False)
    match.play(1, Forgo())
    assert every(match, ActLost) == [ActLost(0, "rally")]
    assert now(match).units[1].pinned


@pytest.mark.clause("SQ-ORG-06", "SQ-S45", "SQ-S22", "SQ-S31")
@pytest.mark.parametrize("first", [Board(0, 1), Rally(0, 2)])
def test_who_finds_the_transport_or_the_friend_gone_chooses_again(first: Any) -> None:
    t = scene(
        squad(0, "regular", 10, 10, 2, officer=True),
        machine(0, "apc", 13, 10),
        squad(0, "regular", 10, 13, 2, pinned=True),
        squad(1, "regular", 10, 30, 2),
        tokens={3: ["fire"]},
    )
    match = play(t, Order(side=0), answers=[Begin(0, first, () if isinstance(first, Board) else ("shoot",))])
    match.play(1, Spring(3, "fire", 0))
    for gone in (1, 2):
        destroy(now(match), gone, "is destroyed")
    match.play(1, Forgo())
    (asked,) = match.waiting
    assert (now(match).units[0].acted, every(match, ActLost)) == (0, [])
    if isinstance(first, Rally):
        assert isinstance(asked, NextAct)
        assert asked.free
        assert {"move", "shoot"} <= set(asked.kinds)
        return
    # A unit that boards has no second action to announce, so both actions are chosen again.
    assert isinstance(asked, Announce)
    march = next(a for a in asked.options(match.view(0)) if isinstance(a, Begin) and a.then == ("overwatch",))
    match.play(0, march)
    assert now(match).units[0].acted == 1
    (asked,) = match.waiting
    assert isinstance(asked, NextAct)
    assert asked.kinds == ("overwatch",)
