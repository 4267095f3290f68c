"""Events on the way into close quarters, and fights of soldiers and machines (SQ-ACT-04, SQ-CQS, SQ-Q61)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from caltrop.asking import Wish
from caltrop.chance import Seeded
from caltrop.geometry import INCH, directions, gap_between, point_along
from caltrop.rules.squad_action.activation import NextAct, PassUp
from caltrop.rules.squad_action.acts import Paths
from caltrop.rules.squad_action.assault import Assault, FellShort, GetReady, MoveIn, NextIn, StayBack, Storm
from caltrop.rules.squad_action.broken import Faced, FellBack
from caltrop.rules.squad_action.casualties import Fall
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.close_quarters import CameToBlows, CloseQuarters
from caltrop.rules.squad_action.consolidation import SteppedBack
from caltrop.rules.squad_action.damage import MachineChecked
from caltrop.rules.squad_action.movement import CameDown, Move
from caltrop.rules.squad_action.orders import Begin, Orders
from caltrop.rules.squad_action.overwatch import Forgo, Interrupt, LetPass, Spring, TokenTurned
from caltrop.rules.squad_action.places import FOOT, bodies, gap
from caltrop.rules.squad_action.records import Fight, Firefight, Pilot
from caltrop.rules.squad_action.scene import at, block, done, machine, scene, squad
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.striking import ShareAmong, StruckByHand
from caltrop.rules.squad_action.under_fire import FireAtThem
from caltrop.rules.squad_action.vehicle_assault import Reached
from caltrop.rules.squad_action.ways_in import RUSH, TRIGGER, Rushed, WaysIn, rush
from tests.rules.squad_action.played import KindOf, every, now, one, play

ROUND = {"cqb_rounds": "one_per_turn"}
NOBODY_HITS: tuple[Any, ...] = (1, (1,) * 5, (1,) * 4)
"""The extra attacks, and a round of four against four in the open in which nobody hits."""


def straight(t: Firefight, unit: int, far: Any) -> Paths:
    """Return the paths of all models straight ahead."""
    paths = []
    for m in t.units[unit].models:
        x, y = t.models[m].at or (0, 0)
        paths.append((m, ((x, y), (x, y + inches(far)))))
    return tuple(paths)


def assault(t: Firefight, far: Any, **fields: Any) -> Assault:
    return Assault(0, (1,), straight(t, 0, far), **fields)


def against(*more: Any, away: float = 5, mine: Any = None, enemy: Any = None, **fields: Any) -> Firefight:
    """Four soldiers of each side, so far from edge to edge, and who else there is."""
    return scene(
        squad(0, "regular", 20, 20, 4, **(mine or {})),
        squad(1, "regular", 20, 20 + away + 0.6, 4, **(enemy or {})),
        *more,
        rules={**ROUND, **fields.pop("rules", {})},
        **fields,
    )


# --- what happens on the way ------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-TRT-09", "SQ-TRT-10", "SQ-TRT-11", "SQ-Q36", "SQ-Q18")
@pytest.mark.parametrize(("die", "save", "left"), [(2, None, 4), (1, 5, 4), (1, 4, 3)])
def test_an_assault_with_packs_may_come_down_badly(die: int, save: int | None, left: int) -> None:
    rough = block("rough", "rough", 10, 28, 30, 40)
    t = against(away=12, mine={"traits": ("jump-infantry",)}, terrain=[rough])
    dice: list[Any] = [die] if save is None else [die, save]
    answers = [Fall((3,))] if left == 3 else []
    fought: list[Any] = [1, (1,) * (left + 1), (1,) * 4]
    match = play(t, Storm(act=assault(t, 11, jump=True)), *dice, *fought, answers=answers)
    after = done(match)
    assert one(match, CameDown).face == die
    assert one(match, CameToBlows).defenders == (1,)
    assert len(after.units[0].models) == left
    assert after.units[0].jumped
    assert not after.units[0].pinned, "nobody shot at it, so that nobody is pinned"


@pytest.mark.clause("SQ-S23", "SQ-CQB-16")
def test_a_broken_unit_is_cut_down_and_nobody_is_pinned_for_it() -> None:
    t = against(enemy={"broken": True})
    match = play(t, Storm(act=assault(t, 4)))
    after = done(match)
    assert after.units[1].where == "gone"
    assert (after.units[0].pinned, after.units[0].acted) == (False, 2)
    assert not every(match, StruckByHand)
    # With another one beside it the fight is with that one.
    both = scene(
        squad(0, "regular", 20, 20, 4),
        squad(1, "regular", 19, "24.6", 2, broken=True),
        squad(1, "regular", "22.5", "24.6", 2),
        rules=ROUND,
    )
    match = play(both, Storm(act=Assault(0, (1, 2), straight(both, 0, 3))), 1, (1,) * 5, (1,) * 2)
    assert now(match).units[1].where == "gone"
    assert {e.unit for e in every(match, StruckByHand)} == {0, 2}


@pytest.mark.clause("SQ-TRT-17", "SQ-Q37", "SQ-Q56", "SQ-CQS-03")
@pytest.mark.parametrize(("die", "fights"), [(3, True), (2, False)])
def test_who_comes_near_the_terrifying_is_tested_before_it_comes_to_blows(die: int, fights: bool) -> None:
    t = against(away=12, enemy={"traits": ("terrifying",)}, mine={"traits": ("jump-infantry",)})
    dice: list[Any] = [die, *NOBODY_HITS] if fights else [die, 1]
    match = play(t, Storm(act=assault(t, 11, jump=True)), *dice)
    after = done(match)
    assert one(match, Faced).passed is fights
    assert bool(every(match, CameToBlows)) is fights
    assert after.units[0].broken is not fights
    assert len(every(match, FellBack)) == (not fights)


@pytest.mark.clause("SQ-S31", "SQ-S34", "SQ-CQS-01", "SQ-Q19")
def test_a_second_watcher_breaks_in_before_the_assaulted_fire_and_after_it() -> None:
    shed = block("shed", "building", 15, 23, 30, 24)
    other = squad(1, "regular", 32, 20, 4)
    tokens = {1: ("fire",), 2: ("fire",)}
    t = against(other, away=10, terrain=[shed], mine={"traits": ("jump-infantry",)}, tokens=tokens)
    act = assault(t, 9, jump=True)
    match = play(t, Storm(act=act))
    (decision,) = match.waiting
    assert isinstance(decision, Interrupt)
    assert [w for w, _ in decision.chances] == [2], "the assaulted fire of themselves, when they see who comes"
    assert Spring(1, "fire") not in decision.options(now(match))
    match.play(1, LetPass())
    assert isinstance(match.waiting[0], FireAtThem)
    assert match.waiting[0].watcher == 1
    match.dice.rolls.append((1, 1, 1, 1))  # type: ignore[attr-defined]
    match.play(1, match.waiting[0].options(now(match)).first())
    # From there on the other may break in still.
    (decision,) = match.waiting
    assert isinstance(decision, Interrupt)
    assert [w for w, _ in decision.chances] == [2]
    last = next(a for a in decision.options(now(match)) if isinstance(a, Spring))
    match.play(1, last)
    match.dice.rolls.extend([(6, 6, 6, 6), (1, 1, 1, 1)])  # type: ignore[attr-defined]
    match.play(1, next(a for a in match.waiting[0].options(now(match)) if isinstance(a, Shoot)))
    after = done(match)
    assert [e.watcher for e in every(match, TokenTurned)] == [1, 2]
    assert after.units[0].where == "gone"
    assert not every(match, CameToBlows)


@pytest.mark.clause("SQ-S31", "SQ-CQS-01")
def test_a_second_watcher_may_forgo_what_the_assaulted_may_not() -> None:
    t = against(squad(1, "regular", 32, 20, 4), tokens={2: ("fire",)})
    match = play(t, Storm(act=assault(t, 4)), answers=[Spring(2, "fire")])
    assert Forgo() in match.waiting[0].options(now(match))
    match.dice.rolls.extend([(1,), (1,) * 5, (1,) * 4])  # type: ignore[attr-defined]
    match.play(1, Forgo())
    assert one(match, CameToBlows).assaulters == (0,)


# --- base to base -----------------------------------------------------------------------------------------------------


def touching(t: Firefight, unit: int, foe: int) -> list[int]:
    """Return the models of a unit in contact with another."""
    return [
        m
        for m, mine in zip(t.units[unit].models, bodies(t, unit), strict=True)
        if min(gap_between(mine, theirs) for theirs in bodies(t, foe)) <= 1
    ]


@pytest.mark.clause("SQ-CQB-01", "SQ-ORG-44", "SQ-Q18")
def test_models_within_three_inches_go_base_to_base_and_no_others() -> None:
    t = scene(squad(0, "regular", 20, 20, 3), squad(1, "regular", 20, "22.6", 3))
    t.put({2: at(22, "18.99")})
    rush(t, 0, (1,))
    assert touching(t, 0, 1) == [0, 1]
    assert t.models[2].at == at(22, "18.99"), "3 inches is the most"
    t = scene(squad(0, "regular", 20, 20, 3), squad(1, "regular", 20, "22.6", 3))
    t.put({2: (22 * INCH, inches("22.6") - 152 - RUSH)})
    rush(t, 0, (1,))
    assert touching(t, 0, 1) == [0, 1, 2]


@pytest.mark.clause("SQ-ORG-44", "SQ-ORG-45", "SQ-Q63")
def test_who_finds_no_room_stands_as_near_as_it_can_and_fights_all_the_same() -> None:
    lone = squad(1, "regular", 22, "22.4", 1, starting=1)
    t = scene(squad(0, "regular", 20, 20, 10, gap="0.62", rank=5), lone, rules=ROUND)
    before = {m: t.models[m].at for m in t.units[0].models}
    match = play(t, Storm(act=Assault(0, (1,), ())), 1, (1,) * 11, (1,))
    after = now(match)
    (rushed,) = every(match, Rushed)
    near = touching(after, 0, 1)
    assert 1 < len(near) < 10, "not everybody has room at one enemy"
    assert set(near) < set(rushed.models), "others have come nearer, too"
    for m in rushed.models:
        enemy = bodies(after, 1)[0]
        was, is_ = before[m], after.models[m].at
        assert was is not None
        assert is_ is not None
        assert gap_between((*is_, 76), enemy) < gap_between((*was, 76), enemy)
    places = [b[:2] for b in bodies(after, 0)]
    assert all(
        (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 >= 152 * 152 for n, a in enumerate(places) for b in places[:n]
    ), "nobody stands on anybody"
    assert [len(e.faces) for e in every(match, StruckByHand)] == [11, 1]


# --- several together -------------------------------------------------------------------------------------------------


def two_on_one(**fields: Any) -> Firefight:
    """Return two squads of South's before one of North's."""
    return scene(
        squad(0, "regular", 17, 20, 3, **fields.pop("first", {})),
        squad(0, "regular", 21, 20, 3, **fields.pop("second", {})),
        squad(1, "regular", 19, 25, 3),
        rules={**ROUND, **fields.pop("rules", {})},
        **fields,
    )


def together(t: Firefight) -> Assault:
    return Assault(0, (2,), straight(t, 0, "3.5"), partners=(1,))


@pytest.mark.clause("SQ-Q25", "SQ-CQS-08")
def test_a_way_in_of_a_multiple_assault_may_be_drawn() -> None:
    t = two_on_one()
    match = play(t, Storm(act=together(t)), answers=[PassUp()])
    (decision,) = match.waiting
    assert isinstance(decision, NextIn)
    assert [(r.form, r.unit, r.act, r.bands) for r in decision.regions(now(match))] == [
        ("move", unit, "assault", ((6 * INCH, 0),)) for unit in (0, 1)
    ]
    options = decision.options(now(match))
    onto = decision.propose(now(match), Wish(unit=1, to=at(20, 25)))
    assert isinstance(onto.action, MoveIn)
    assert onto.action.unit == 1
    assert onto.action in options
    assert onto.length > 0
    ahead = decision.propose(now(match), Wish(unit=1, to=at(22, 23)))
    assert isinstance(ahead.action, MoveIn)
    assert ahead.action in options
    away = decision.propose(now(match), Wish(unit=1, to=at(21, 12)))
    assert away.action in options, "as far as it may go, and falls short"
    assert away.left < INCH < away.length <= 6 * INCH
    assert decision.propose(now(match), Wish(unit=2, to=at(20, 20))).action is None, "an enemy"
    assert [o.words for o in decision.offers(now(match))][-1] == "South 1 stays back"
    refused = options.refusal(MoveIn(2, ()))
    assert refused is not None
    assert refused.code == "not-coming"


@pytest.mark.clause("SQ-Q25", "SQ-ORG-01", "SQ-Q08")
@pytest.mark.house("pinned_may_shoot", "off", "on")
def test_the_first_act_of_a_partner_is_its_first() -> None:
    """Acts for a second action alone are not open to it."""
    t = two_on_one()
    match = play(t, Storm(act=together(t)))
    (decision,) = match.waiting
    assert isinstance(decision, NextAct)
    assert decision.options(now(match)).second is False
    assert now(match).units[1].acted == 0
    house = two_on_one(second={"pinned": True}, rules={"pinned_may_shoot": "on"})
    pinned = play(house, Storm(act=together(house)))
    assert isinstance(pinned.waiting[0], NextAct)
    assert pinned.waiting[0].kinds == ("rally",)
    refused = pinned.waiting[0].options(now(pinned)).refusal(Shoot(1, (("rifle", 2),)))
    assert refused is not None


@pytest.mark.clause("SQ-Q25", "SQ-ORG-06")
def test_a_partner_that_finds_its_target_gone_chooses_again() -> None:
    """The unit that it would have shot at moves out of sight before it fires."""
    t = two_on_one(tokens={2: ("move",)}, terrain=[block("shed", "building", 23, 22, 40, 24)])
    hides = Move(2, tuple([(m, (p, (p[0] + 6 * INCH, p[1]))) for m, (p, _) in straight(t, 2, 1)]))
    match = play(t, GetReady(unit=1), answers=[Shoot(1, (("rifle", 2),)), Spring(2, "move"), hides])
    (decision,) = match.waiting
    assert isinstance(decision, NextAct)
    assert now(match).units[1].acted == 0
    assert {"shoot", "move"} <= set(decision.kinds)


@pytest.mark.clause("SQ-S72", "SQ-Q25")
def test_the_pilot_joins_a_partner_that_ends_an_action_beside_him() -> None:
    t = two_on_one(pilot=Pilot(at=at(21, 22)), field={"goal": "pilot"}, round=2)
    match = play(t, Storm(act=together(t)))
    match.play(0, Move(1, straight(t, 1, 1)))
    assert now(match).pilot is not None
    assert now(match).pilot.unit == 1  # type: ignore[union-attr]
    # And one that comes near him on its way in, and falls short.
    far = two_on_one(pilot=Pilot(at=at(21, 22)), field={"goal": "pilot"}, round=2)
    far.put({m: at(19 + m, 40) for m in far.units[2].models})
    short = Assault(0, (2,), straight(far, 0, 1), partners=(1,))
    match = play(far, Storm(act=short), answers=[PassUp(), StayBack(0), MoveIn(1, straight(far, 1, 1))])
    done(match)
    assert [e.unit for e in every(match, FellShort)] == [1]
    assert now(match).pilot.unit == 1  # type: ignore[union-attr]


# --- soldiers and machines together -----------------------------------------------------------------------------------


def mixed(**fields: Any) -> Firefight:
    """Soldiers and a walker of South's around soldiers and a tank of North's."""
    return scene(
        squad(0, "regular", 20, 20, 3, weapons=fields.pop("weapons", ())),
        machine(0, "walker", 24, 20),
        squad(1, "regular", 20, "20.6", 3),
        machine(1, "battle-tank", 23, "21.9"),
        machine(1, "battle-tank", 27, "21.9"),
        rules=ROUND,
    )


def blows(assaulters: tuple[int, ...], defenders: tuple[int, ...]) -> CloseQuarters:
    covers: Any = ("none",) * len(defenders)
    return CloseQuarters(assaulters=assaulters, defenders=defenders, covers=covers)


@pytest.mark.clause("SQ-Q61", "SQ-VEH-07", "SQ-VEH-08", "SQ-Q54", "SQ-Q25")
def test_a_walker_parts_after_a_round_and_the_soldiers_fight_on() -> None:
    dice: list[Any] = [1, (1,) * 4, 1, (1, 1), (1, 1), (1,), 3]
    match = play(mixed(), blows((0, 1), (2,)), *dice, answers=[ShareAmong((2, 1))])
    after = done(match)
    assert [(e.unit, len(e.faces)) for e in every(match, StruckByHand)] == [(0, 4), (1, 2), (2, 2)]
    assert [(e.unit, e.target, e.needed) for e in every(match, Reached)] == [(2, 1, 4)]
    assert one(match, MachineChecked).unit == 1
    assert one(match, SteppedBack).unit == 1
    assert after.fights == [Fight(assaulters=(0,), defenders=(2,), covers=("none",), rounds=1)]
    assert [u.locked for u in after.units] == [(2,), (), (0,), (), ()]
    assert not after.units[1].pinned


@pytest.mark.clause("SQ-Q61", "SQ-VEH-09", "SQ-Q26", "SQ-CQS-10", "SQ-CQS-12")
def test_soldiers_and_a_tank_are_fought_at_once_and_only_the_soldiers_again() -> None:
    dice: list[Any] = [1, (4, 1), (5,), (1, 1), (1, 1, 1), 2]
    match = play(mixed(), blows((0,), (2, 3)), *dice, answers=[ShareAmong((2, 2))])
    after = done(match)
    assert [(e.unit, len(e.faces), e.hits) for e in every(match, StruckByHand)] == [(0, 2, 1), (2, 3, 0)]
    assert [(e.target, e.hits) for e in every(match, Reached)] == [(3, 2)], "it stood still"
    assert one(match, MachineChecked).unit == 3
    assert after.units[3].pinned
    assert after.fights == [Fight(assaulters=(0,), defenders=(2,), covers=("none",), rounds=1)]
    assert gap(after, 0, 3) < 2 * INCH, "who fights on does not step back from the tank"


@pytest.mark.clause("SQ-VEH-05", "SQ-Q28", "SQ-Q26")
def test_an_anti_tank_weapon_strikes_at_one_of_two_machines() -> None:
    t = mixed(weapons=("fusion-gun",))
    # Four attacks, two at each tank: the fusion gun's is one of those at the first.
    dice: list[Any] = [1, (1,), 1, (1, 1), 3, 3]
    match = play(t, blows((0,), (3, 4)), *dice, answers=[ShareAmong((2, 2))])
    done(match)
    struck = [(e.target, e.weapon, e.count) for e in every(match, Reached)]
    assert struck == [(3, "fusion-gun", 1), (3, "", 1), (4, "", 2)]


@pytest.mark.clause("SQ-S31", "SQ-Q19", "SQ-CQS-01", "SQ-Q59")
def test_a_drag_onto_an_enemy_tells_who_watches_the_way() -> None:
    t = scene(
        squad(0, "regular", 20, 20, 4),
        squad(1, "regular", 20, 25.6, 4),
        squad(1, "regular", 30, 24, 4),
        terrain=[block("mill", "building", 24, 20, 27, 40)],
        tokens={1: ["fire"], 2: ["fire"]},
    )
    onto = Wish(unit=0, to=t.models[t.units[1].models[0]].at)
    proposal = Orders(side=0).propose(t, onto)
    assert isinstance(proposal.action, Begin)
    assert isinstance(proposal.action.act, Assault)
    assert proposal.notes == ("North 1 is on overwatch, and fires all that it has: it sees them all the way",)
    assert proposal.watched is not UNSET
    assert len(proposal.watched) == 1
    quiet = scene(squad(0, "regular", 20, 20, 4), squad(1, "regular", 20, 25.6, 4))
    propose = Orders(side=0).propose(quiet, onto)
    assert isinstance(propose.action, Begin)
    assert propose.notes is UNSET


def alone(x: int, y: int, *foes: tuple[int, int]) -> Firefight:
    """Return a lone soldier at a place, and lone enemies at others, in tenths of a millimetre."""
    t = scene(squad(0, "regular", 1, 1, 1), *[squad(1, "regular", 40, 40, 1) for _ in foes])
    for model, place in enumerate([(x, y), *foes]):
        t.change_model(model, at=place)
    return t


@pytest.mark.clause("SQ-CQS-10", "SQ-Q26")
@pytest.mark.parametrize("seed", range(12))
def test_a_place_between_two_enemies_is_found_however_narrow_it_is(seed: int) -> None:
    """Two enemies as far apart as may be reached at once, seen from any side, whose middle is within a move."""
    dice, ring = Seeded(f"between two {seed}"), directions(128)
    ahead = dice.below(128)
    middle = point_along((5080, 5080), ring[ahead], 800 + dice.below(700))
    aside, half = ring[(ahead + 20 + dice.below(25)) % 128], TRIGGER + 2 * FOOT - 6
    foes = [point_along(middle, (sign * aside[0], sign * aside[1]), half) for sign in (1, -1)]
    t = alone(5080, 5080, *foes)
    assert min(gap(t, 0, 1), gap(t, 0, 2)) > TRIGGER
    ways = list(WaysIn(t, 0, (1, 2)).ways())
    assert ways, (middle, foes)
    assert Assault(0, (1, 2), ways[0].paths).why(KindOf("assault")._doings(t, 0, False)) is None


@pytest.mark.clause("SQ-CQS-10", "SQ-Q26")
def test_to_two_enemies_the_shortest_way_is_taken() -> None:
    ways = WaysIn(alone(5080, 5080, (4831, 4095), (3993, 4855)), 0, (1, 2))
    assert list(ways.ways()) == [next(ways.between())]


@pytest.mark.clause("SQ-CQS-10", "SQ-Q26", "SQ-S17")
def test_a_place_between_two_enemies_is_found_beside_one_who_bars_the_shortest_way() -> None:
    near, far = [(5219, 5864), (5473, 5864)], [(5417, 6892), (5671, 6892), (5925, 6892)]
    t = scene(squad(0, "regular", 20, 20, 1), squad(1, "regular", 1, 1, 2), squad(1, "regular", 1, 1, 3))
    for model, place in enumerate([(5080, 5080), *near, *far]):
        t.change_model(model, at=place)
    assert next(WaysIn(t, 0, (1, 2)).ways(), None) is not None
