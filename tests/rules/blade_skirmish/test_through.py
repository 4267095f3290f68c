"""The straight move through the place of a victim who was split lengthwise (BS-FAT-08, BS-Q27)."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.asking import Wish
from caltrop.chance import Seeded
from caltrop.engine import Match, Refused
from caltrop.geometry import Point, distance_sq, distance_up
from caltrop.rules.blade_skirmish.catalogue import STEP, Length, inches
from caltrop.rules.blade_skirmish.combat import AttackAll, AttackEnemy
from caltrop.rules.blade_skirmish.records import Relic, Skirmish
from caltrop.rules.blade_skirmish.scene import block, done, put, run, scene
from caltrop.rules.blade_skirmish.through import GoOrStay, GoThrough, StandFast, WaysThrough, leads_through
from caltrop.rules.blade_skirmish.victory import AfterMove, may_leave, takes_the_relic
from tests.rules.blade_skirmish.fights import fight, now, said

SPLIT = (6, 1, 6, 4)


def at(x: Length, y: Length) -> Point:
    return inches(x), inches(y)


def split(*others: Any, dice: tuple[int, ...] = (), mine: Any = None, **fields: Any) -> Match:
    """Ada of the player's side splits stunned Bo, who is an inch to the east of her."""
    ada = mine or put(0, 2, 12, 12, name="Ada")
    return fight(scene(ada, put(1, 2, 13, 12, name="Bo", stunned=True), *others, **fields), *SPLIT, *dice)


@pytest.mark.clause("BS-FAT-07", "BS-FAT-08", "BS-Q27", "BS-W35")
@pytest.mark.parametrize(("x", "y"), [(16, 12), ("12.5", 12), (15, "13.5"), (15, "10.5")])
def test_the_killer_may_go_straight_on_through_where_her_victim_stood(x: Length, y: Length) -> None:
    match = split()
    assert now(match).fighters[1].at is None, "all results stand"
    match.play(0, GoThrough(at(x, y)))
    t = done(match)
    assert t.fighters[0].at == at(x, y)
    (words,) = said(match, "WentThrough")
    assert words.path == (at(12, 12), at(x, y))
    assert words.sentence(t) == "Ada goes straight on through where Bo stood"


@pytest.mark.clause("BS-FAT-08")
def test_she_may_stay() -> None:
    match = split()
    match.play(0, StandFast())
    assert done(match).fighters[0].at == at(12, 12)


@pytest.mark.clause("BS-FAT-08", "BS-Q27", "BS-Q34")
@pytest.mark.parametrize(
    ("x", "y", "code", "nearest"),
    [
        (12, 14, "not-through", (16, 12)),
        (8, 12, "not-through", (16, 12)),
        (13, 13, "not-through", (16, 12)),
        ("16.1", 12, "too-far", (16, 12)),
        (17, 12, "too-far", (16, 12)),
    ],
)
def test_other_ways_are_refused(x: Length, y: Length, code: str, nearest: tuple[Length, Length]) -> None:
    match = split()
    with pytest.raises(Refused) as error:
        match.play(0, GoThrough(at(x, y)))
    refusal = error.value.refusal
    assert (refusal.code, refusal.clause, refusal.nearest) == (code, "BS-FAT-08", GoThrough(at(*nearest)))


@pytest.mark.clause("BS-Q27", "BS-Q34", "BS-S11", "BS-S14")
@pytest.mark.parametrize(
    ("what", "x", "reach", "fields"),
    [
        ("The wall is in the way", 16, "14.5", {"terrain": [block("wall", 15, 8, "15.5", 16)]}),
        ("Di is in the way", 16, "14.5", {}),
        ("The edge of the table is in the way", 16, "15.5", {"table": (16, 24)}),
    ],
)
def test_obstacles_models_and_the_edge_stop_her(what: str, x: Length, reach: Length, fields: Any) -> None:
    match = split(*([put(1, 2, "15.5", 12, name="Di", stunned=True)] if "Di" in what else []), **fields)
    with pytest.raises(Refused) as error:
        match.play(0, GoThrough(at(x, 12)))
    refusal = error.value.refusal
    assert refusal.message.startswith(what)
    assert isinstance(refusal.nearest, GoThrough)
    assert 0 <= at(reach, 12)[0] - refusal.nearest.to[0] <= 2
    match.play(0, refusal.nearest)
    done(match)


@pytest.mark.clause("BS-FAT-08", "BS-Q27")
def test_where_every_way_is_blocked_nobody_is_asked() -> None:
    match = split(terrain=[block("wall", "12.5", 8, "12.6", 16)])
    assert done(match).fighters[0].at == at(12, 12)
    assert said(match, "WentThrough") == []


@pytest.mark.clause("BS-Q27")
def test_the_zones_of_enemies_do_not_bind_her() -> None:
    match = split(put(1, 2, 16, "13.1"))
    match.play(0, GoThrough(at(16, 12)))
    assert done(match).fighters[0].at == at(16, 12)


@pytest.mark.clause("BS-Q27", "BS-Q44", "BS-W35")
@pytest.mark.parametrize(("injury", "state"), [(1, "stunned"), (2, "fleeing"), (4, "wounded")])
def test_a_killer_who_is_hurt_in_the_same_combat_goes_nowhere(injury: int, state: str) -> None:
    start = scene(put(0, 2, 12, 12, name="Ada"), put(1, 2, 13, 12))
    match = fight(start, *SPLIT, 6, 1, injury)
    ada = done(match).fighters[0]
    assert state in (ada.fate, *[name for name in ("stunned", "fleeing") if getattr(ada, name)])
    assert not said(match, "WentThrough")


@pytest.mark.clause("BS-Q27", "BS-Q24")
def test_who_takes_a_trophy_never_goes_on() -> None:
    start = scene(put(0, 2, 12, 12), put(1, 2, 13, 12, stunned=True), put(1, 2, 12, 13, stunned=True))
    start.change(0, trophy=None)
    match = fight(start, 6, 1, 6, 5, 6, 1, 6, 1)
    for _ in range(2):
        match.play(0, match.waiting[0].options(now(match)).first())
    done(match)
    assert not said(match, "WentThrough")


@pytest.mark.clause("BS-Q43", "BS-FAT-08")
@pytest.mark.parametrize(("wall", "x"), [(False, 16), (True, "14.5")])
def test_an_automated_killer_goes_all_the_way_through_the_middle(wall: bool, x: Length) -> None:
    start = scene(
        put(1, 2, 12, 12),
        put(0, 2, 13, 12, stunned=True),
        terrain=[block("wall", 15, 8, "15.5", 16)] if wall else [],
    )
    t = done(fight(start, *SPLIT, side=1))
    assert t.blows == []
    assert t.fighters[0].at is not None
    assert abs(t.fighters[0].at[0] - inches(x)) <= 2
    assert t.fighters[0].at[1] == inches(12)


@pytest.mark.clause("BS-Q27", "BS-S53")
def test_who_goes_straight_on_takes_no_relic_before_she_next_moves() -> None:
    match = split(field={"goal": "relic"}, relic=Relic(at=at(16, 12)))
    match.play(0, GoThrough(at(16, 12)))
    t = done(match)
    assert takes_the_relic(t, 0), "she stands at it"
    assert t.relic == Relic(at=at(16, 12))
    assert done(run(t, AfterMove(fighter=0))).relic == Relic(at=at(16, 12), carrier=0)


@pytest.mark.clause("BS-Q27", "BS-S52", "BS-S14")
def test_who_goes_straight_on_to_the_edge_is_not_asked_whether_she_leaves() -> None:
    match = split(field={"goal": "leave", "exit": "east"}, table=(16, 24))
    edge = at("15.5", 12)
    match.play(0, GoThrough(edge))
    t = done(match)
    assert t.fighters[0].at == edge
    assert may_leave(t, 0), "after a move or a run she might"
    assert t.escaped == []


@pytest.mark.clause("BS-Q44")
def test_moves_come_after_all_results_and_tests_in_the_order_of_the_attacks() -> None:
    start = scene(
        put(0, 3, 12, 12, name="Ada"),
        put(1, 1, 13, 12, name="Bo", stunned=True),
        put(0, 3, 12, 15, name="Cy"),
        put(1, 1, 13, 15, name="Di", stunned=True),
        put(1, 1, 15, 18, name="Eve", stunned=True),
    )
    match = fight(start, 6, 1, 6, 4, 6, 1, 6, 6, 5)
    match.play(0, AttackAll())
    assert [words.fighter for words in said(match, "QualityTested")] == [4]
    assert isinstance(match.waiting[0], GoOrStay)
    assert (match.waiting[0].fighter, now(match).fighters[3].at) == (0, None)
    match.play(0, GoThrough(at(16, 12)))
    done(match)


# --- the listed options -----------------------------------------------------------------------------------------


def places() -> list[Skirmish]:
    ada, bo = put(0, 2, 12, 12, name="Ada"), put(1, 2, 13, 12, name="Bo", at=None, fate="dead")
    return [
        scene(ada, bo),
        scene(ada, bo, put(1, 2, "14.2", "12.6"), put(0, 2, 12, 13)),
        scene(ada, bo, terrain=[block("wall", "13.2", 11, 14, "12.2")]),
        scene(ada, bo, put(1, 2, "13.2", 12)),
        scene(ada, bo, table=(13, 24)),
    ]


@pytest.mark.clause("BS-FAT-08")
@pytest.mark.parametrize("number", range(5))
def test_what_is_listed_drawn_by_chance_and_offered_is_legal(number: int) -> None:
    t = places()[number]
    decision = GoOrStay(side=0, fighter=0, victim=1, place=at(13, 12))
    options = decision.options(t)
    every = list(options)
    assert len(set(every)) == len(every)
    drawn = [options.sample(Seeded(seed)) for seed in range(60)]
    for action in [*every, *drawn, *[offer.action for offer in decision.offers(t)]]:
        assert options.refusal(action) is None, action
    assert len(every) > 1
    assert any(isinstance(action, GoThrough) for action in drawn)


@pytest.mark.clause("BS-FAT-08")
@pytest.mark.parametrize("number", range(5))
def test_every_refusal_names_a_legal_move_and_drags_come_to_the_same(number: int) -> None:
    t, chance = places()[number], Seeded(number)
    decision = GoOrStay(side=0, fighter=0, victim=1, place=at(13, 12))
    options = decision.options(t)
    for _ in range(200):
        to = (at(9, 9)[0] + chance.below(2400), at(9, 9)[1] + chance.below(1600))
        result, drag = options.refusal(GoThrough(to)), decision.propose(t, Wish(unit=0, to=to))
        assert (drag.action is None) == (result is not None)
        assert drag.length == distance_up(at(12, 12), to)
        if result is not None:
            assert options.refusal(result.nearest) is None, (to, result)
        else:
            assert leads_through(at(12, 12), to, (*at(13, 12), 127))
            assert distance_sq(at(12, 12), to) <= STEP * STEP
    assert decision.propose(t, Wish(unit=0)).refusal is not None
    assert isinstance(options, WaysThrough)


@pytest.mark.house("split_move", "after", "at_once")
@pytest.mark.clause("BS-FAT-08", "BS-Q27")
@pytest.mark.parametrize(("when", "on_the_table"), [("after", False), ("at_once", True)])
def test_when_the_killer_goes_on(when: str, on_the_table: bool) -> None:
    match = split(rules={"split_move": when})
    assert isinstance(match.waiting[0], GoOrStay)
    assert (now(match).fighters[1].at is not None) is on_the_table
    match.play(0, GoThrough(at(16, 12)))
    t = done(match)
    assert (t.fighters[0].at, t.fighters[1].at) == (at(16, 12), None)
    assert len(said(match, "WentThrough")) == 1


@pytest.mark.clause("BS-Q31", "BS-Q27", "BS-CMB-05")
@pytest.mark.parametrize("when", ["after", "at_once"])
def test_a_flank_is_noted_before_anybody_goes_on(when: str) -> None:
    start = scene(
        put(1, 2, 12, 12, name="Ada"),
        put(0, 2, 11, 12, name="Bo", stunned=True),
        put(0, 2, 13, 12, name="Cy", stunned=True),
        put(1, 2, 14, 12, name="Dee"),
        rules={"split_move": when},
        field={"automated": ()},
    )
    # Ada kills Bo and moves on. Dee's die equals Cy's, and Dee's flank with Ada decides.
    match = fight(start, 6, 1, 6, 4, 4, 4, 1, side=1, answers=[AttackEnemy(0, 1)])
    match.play(1, GoThrough(at(8, 12)))
    first, second = said(match, "Struck")
    assert (first.partners, second.partners) == ((), (0,))
    assert second.won == "attacker"


@pytest.mark.clause("BS-FAT-08", "BS-Q43")
@pytest.mark.parametrize("when", ["after", "at_once"])
def test_an_automated_killer_goes_all_the_way_at_either_moment(when: str) -> None:
    start = scene(put(1, 2, 12, 12, name="Ada"), put(0, 2, 13, 12, name="Bo", stunned=True), rules={"split_move": when})
    t = done(fight(start, *SPLIT, side=1))
    assert t.fighters[0].at == at(16, 12)
