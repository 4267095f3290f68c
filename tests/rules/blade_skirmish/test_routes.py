"""Legal walks: length, zones, obstacles, drags, and the listed options."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.asking import Wish
from caltrop.chance import Seeded
from caltrop.engine import Refusal
from caltrop.geometry import Point, path_length
from caltrop.rules.blade_skirmish.catalogue import Length, inches
from caltrop.rules.blade_skirmish.movement import Flee, Move
from caltrop.rules.blade_skirmish.places import zones_at
from caltrop.rules.blade_skirmish.reach import pace, paced
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.routes import Moved, Routes, Stay, Verb, Walk, Ways
from caltrop.rules.blade_skirmish.running import RunOn
from caltrop.rules.blade_skirmish.scene import block, put, scene
from caltrop.table.measured import Terrain
from tests.web.reach import Twin


def at(x: Length, y: Length) -> Point:
    return inches(x), inches(y)


def walk(*points: tuple[Length, Length]) -> Walk:
    return Walk(tuple([at(*p) for p in points]))


def move(t: Skirmish, fighter: int = 0) -> Ways:
    return Move(side=0, fighter=fighter).options(t)


def refusal(t: Skirmish, *points: tuple[Length, Length], options: Ways | None = None) -> Refusal | None:
    """Return why a route is illegal; then its nearest action is legal."""
    options = options or move(t)
    refusal = options.refusal(walk(*points))
    if refusal is not None:
        assert refusal.nearest in options
    return refusal


def clause(t: Skirmish, *points: tuple[Length, Length], options: Ways | None = None) -> str:
    """Return the clause that forbids a route; empty if it is legal."""
    result = refusal(t, *points, options=options)
    return "" if result is None else result.clause


def wood(x0: Length, y0: Length, x1: Length, y1: Length) -> Terrain:
    return block("wood", x0, y0, x1, y1, "rough")


ALONE = put(0, 2, 12, 12)


# --- length -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "length", "words"),
    [
        ("walks", 508, "walks 2 inches"), ("walks", 509, "walks 2.01 inches"),
        ("wanders", 1017, "wanders 4 inches towards 3 o'clock"),
        ("flees", 255, "flees 1 inch"), ("drifts", 3, "drifts, and hardly moves"),
        ("runs", 20, "runs 0.08 inches"),
    ],
)  # fmt: skip
def test_how_far_somebody_went_is_told_as_it_was_measured_and_as_dice_gave_it(
    how: Verb, length: int, words: str
) -> None:
    moved = Moved(fighter=0, path=((0, 0), (length, 0)), how=how, clause="BS-MOV-01")
    assert moved.sentence(scene(ALONE)) == f"Warband 0 {words}"


def test_a_fighter_among_several_enemies_is_told_whose_reach_she_is_in() -> None:
    t = scene(ALONE, put(1, 2, 12, "13.5"), put(1, 2, "13.5", 12), put(1, 2, 12, "10.5"))
    assert "of Automata 1, Automata 2 and Automata 3 and" in Move(side=0, fighter=0).prompt(t)


@pytest.mark.clause("BS-MOV-01", "BS-S21", "BS-S22")
def test_a_move_is_four_inches_along_its_legs() -> None:
    t = scene(ALONE)
    assert clause(t, (16, 12)) == ""
    assert clause(t, ("16.01", 12)) == "BS-MOV-01"
    assert clause(t, (12, 14), (14, 14)) == ""
    assert clause(t, (12, 14), ("14.01", 14)) == "BS-MOV-01"


@pytest.mark.clause("BS-RUN-08")
def test_a_run_is_four_inches_more() -> None:
    t = scene(ALONE)
    options = RunOn(side=0, fighter=0).options(t)
    assert clause(t, (16, 12), options=options) == ""
    assert clause(t, ("16.01", 12), options=options) == "BS-RUN-08"


@pytest.mark.clause("BS-S21")
def test_every_leg_leads_somewhere_else() -> None:
    t = scene(ALONE)
    assert clause(t, (12, 12)) == "BS-S21"
    assert clause(t, (13, 12), (13, 12)) == "BS-S21"
    assert clause(t) == "BS-S21"


def test_a_route_that_is_too_long_is_kept_up_to_its_limit() -> None:
    t = scene(ALONE)
    result = refusal(t, (12, 14), (20, 14))
    assert result is not None
    assert result.nearest == walk((12, 14), (14, 14))
    assert result.values["limit"] == inches(4)


@pytest.mark.house("difficult_ground", "off", "on")
@pytest.mark.clause("BS-S13")
def test_marked_ground_costs_twice_its_length_where_the_house_says_so() -> None:
    ground = [wood(13, 10, 14, 14)]
    t = scene(ALONE, terrain=ground)
    assert clause(t, (16, 12)) == ""
    t = scene(ALONE, terrain=ground, rules={"difficult_ground": "on"})
    assert clause(t, (15, 12)) == ""
    assert clause(t, ("15.01", 12)) == "BS-MOV-01"
    result = refusal(t, (16, 12))
    assert result is not None
    assert result.nearest == walk((15, 12))


@pytest.mark.clause("BS-S13")
@pytest.mark.parametrize(
    ("path", "inch"),
    [
        ([(0, 12), (4, 12)], 4),
        ([(12, 12), (14, 12)], 3),
        ([(12, 12), ("13.5", 12), (12, 12)], 4),
        ([("13.25", 11), ("13.25", 13)], 4),
        ([(13, 9), (13, 11)], 3),
        ([("13.2", 12), ("13.8", 12)], "1.2"),
    ],
)
def test_only_what_lies_in_marked_ground_counts_twice(path: list[tuple[Length, Length]], inch: Length) -> None:
    t = scene(ALONE, terrain=[wood(13, 10, 14, 14)], rules={"difficult_ground": "on"})
    assert abs(pace(t, tuple([at(*p) for p in path])) - inches(inch)) <= 1


@pytest.mark.clause("BS-S13")
def test_where_two_areas_overlap_it_counts_twice_and_not_four_times() -> None:
    t = scene(ALONE, terrain=[wood(13, 10, 15, 14), block("bog", 14, 10, 16, 14, "rough")],
              rules={"difficult_ground": "on"})  # fmt: skip
    assert pace(t, (at(12, 12), at(17, 12))) == inches(8)
    assert paced(t, (at(12, 12), at(17, 12)), inches(3)) == (at(12, 12), at(14, 12))


# --- zones ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-MOV-02", "BS-Q05")
def test_nobody_walks_within_two_inches_of_a_fit_enemy_but_exactly_two_is_allowed() -> None:
    t = scene(ALONE, put(1, 1, 18, 12))
    assert clause(t, (15, 12)) == ""
    assert clause(t, ("15.01", 12)) == "BS-MOV-02"
    result = refusal(t, (16, 12))
    assert result is not None
    assert result.nearest == walk((15, 12))
    assert result.values["what"] == "Automata 1"


@pytest.mark.clause("BS-MOV-02", "BS-Q05")
def test_on_the_way_the_zone_binds_too_and_one_may_slide_along_it() -> None:
    t = scene(put(0, 2, 10, 9), put(1, 1, 12, 12))
    assert clause(t, (14, 9)) == ""
    assert clause(t, (12, "9.1"), ("13.5", 9)) == "BS-MOV-02"
    assert clause(t, ("13.9", "9.3")) == "BS-MOV-02"


@pytest.mark.clause("BS-MOV-02")
@pytest.mark.parametrize("fields", [{"stunned": True}, {"fleeing": True}])
def test_the_stunned_and_the_fleeing_have_no_zone(fields: dict[str, bool]) -> None:
    t = scene(ALONE, put(1, 1, 18, 12, **fields))
    assert clause(t, (16, 12)) == ""


@pytest.mark.clause("BS-MOV-02")
def test_friends_have_no_zone() -> None:
    assert clause(scene(ALONE, put(0, 1, 18, 12)), (16, 12)) == ""


@pytest.mark.clause("BS-Q24")
def test_who_takes_a_trophy_keeps_her_zone() -> None:
    assert clause(scene(ALONE, put(1, 1, 18, 12, trophy=1)), (16, 12)) == "BS-MOV-02"


@pytest.mark.clause("BS-RUN-09")
def test_zones_bind_runs() -> None:
    t = scene(ALONE, put(1, 1, 18, 12))
    options = RunOn(side=0, fighter=0).options(t)
    assert clause(t, (15, 12), options=options) == ""
    assert clause(t, (16, 12), options=options) == "BS-RUN-09"
    t = scene(ALONE, put(1, 1, "14.5", 12))
    assert clause(t, (11, 12), options=RunOn(side=0, fighter=0).options(t)) == "BS-RUN-09"


@pytest.mark.clause("BS-Q42")
def test_between_two_zones_any_channel_is_open_that_keeps_two_inches_from_both() -> None:
    t = scene(put(0, 2, 10, 12), put(1, 1, 12, 15), put(1, 1, 12, 9))
    assert clause(t, (14, 12)) == ""
    t = scene(put(0, 2, 10, 12), put(1, 1, 12, 15), put(1, 1, 12, "9.02"))
    assert clause(t, (14, 12)) == "BS-MOV-02"


@pytest.mark.clause("BS-MOV-03", "BS-Q06", "BS-S22")
def test_who_begins_in_a_zone_does_not_walk_at_all() -> None:
    t = scene(ALONE, put(1, 1, "14.5", 12))
    assert clause(t, (11, 12)) == "BS-MOV-03"
    result = refusal(t, (11, 12))
    assert result is not None
    assert result.values == {"name": "Warband 0", "enemy": "Automata 1", "gap": inches("1.5")}
    assert list(move(t)) == [Stay(), Flee()]
    assert Move(side=0, fighter=0).regions(t) == ()
    # At exactly 2 inches she is not within the zone.
    assert clause(scene(ALONE, put(1, 1, 15, 12)), (11, 12)) == ""


@pytest.mark.house("zone_exit", "frozen", "outward")
@pytest.mark.clause("BS-Q06")
def test_by_house_rule_she_may_walk_out_while_no_gap_shrinks() -> None:
    frozen, t = [scene(ALONE, put(1, 1, "14.5", 12), rules={"zone_exit": value}) for value in ("frozen", "outward")]
    assert clause(frozen, (8, 12)) == "BS-MOV-03"
    assert clause(t, (8, 12)) == ""
    assert clause(t, (13, 12)) == "BS-MOV-02"
    assert clause(t, (12, 13)) == ""
    # Back into the zone is as forbidden as deeper into it. From 2 inches away, the zone is like any other.
    assert clause(t, (11, 12), ("11.8", 12)) == "BS-MOV-02"
    assert clause(t, (12, 13), (12, "12.5")) == "BS-MOV-02"
    result = refusal(t, (11, 12), ("11.8", 12))
    assert result is not None
    assert result.nearest.path[0] == at(11, 12)


@pytest.mark.clause("BS-Q06")
def test_by_house_rule_no_gap_at_all_may_shrink() -> None:
    t = scene(ALONE, put(1, 1, "14.5", 12), put(1, 1, "9.5", 12), rules={"zone_exit": "outward"})
    assert clause(t, (11, 12)) == "BS-MOV-02"
    assert clause(t, (12, 14)) == ""


WALL = block("wall", 11, 13, 15, "13.2")


@pytest.mark.house("zone_ignores_walls", "on", "off")
@pytest.mark.clause("BS-Q05")
def test_zones_hold_through_walls_unless_the_house_says_otherwise() -> None:
    def behind(value: str) -> Skirmish:
        return scene(put(0, 2, 9, 12), put(1, 1, 13, 14), terrain=[WALL], rules={"zone_ignores_walls": value})

    assert clause(behind("on"), (13, 12)) == "BS-MOV-02"
    t = behind("off")
    assert clause(t, (13, 12)) == ""
    assert zones_at(t, 0, at(13, 12)) == ()
    # The end of the wall hides nobody, so the zone applies as usual.
    t = scene(put(0, 2, 7, 14), put(1, 1, "10.4", 14), terrain=[WALL], rules={"zone_ignores_walls": "off"})
    assert clause(t, (8, 14)) == "BS-MOV-02"
    assert clause(t, ("7.3", 14)) == ""


@pytest.mark.clause("BS-Q05")
def test_a_low_hazard_hides_nobody_from_her_zone() -> None:
    pit = block("pit", 11, 13, 15, "13.2", "pit")
    t = scene(put(0, 2, 9, 12), put(1, 1, 13, 14), terrain=[pit], rules={"zone_ignores_walls": "off"})
    assert clause(t, (13, 12)) == "BS-MOV-02"


# --- obstacles --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S14", "BS-S20")
def test_the_base_stays_wholly_on_the_table() -> None:
    t = scene(put(0, 2, 2, 12))
    assert clause(t, ("0.5", 12)) == ""
    assert clause(t, ("0.49", 12)) == "BS-S14"
    result = refusal(t, (0, 12))
    assert result is not None
    assert result.nearest == walk(("0.5", 12))


@pytest.mark.clause("BS-S11", "BS-S12", "BS-S20")
@pytest.mark.parametrize("kind", ["wall", "pit"])
def test_nobody_walks_over_walls_or_hazards(kind: str) -> None:
    t = scene(ALONE, terrain=[block("stones", 14, 11, 15, 13, kind)])
    assert clause(t, ("13.5", 12)) == ""
    assert clause(t, (16, 12)) == "BS-S20"
    result = refusal(t, (16, 12))
    assert result is not None
    assert result.nearest == walk(("13.5", 12))
    assert result.values["what"] == "stones"


@pytest.mark.clause("BS-S13")
def test_open_ground_has_no_effect() -> None:
    t = scene(ALONE, terrain=[wood(13, 11, 15, 13), block("bog", 13, 11, 15, 13, "rough")])
    assert clause(t, (16, 12)) == ""


@pytest.mark.clause("BS-Q34", "BS-S20")
@pytest.mark.parametrize("other", [put(0, 1, 14, 12), put(1, 1, 14, 12, stunned=True), put(1, 1, 14, 12, fleeing=True)])
def test_nobody_walks_through_a_base_friend_or_foe(other: Any) -> None:
    t = scene(ALONE, other)
    assert clause(t, (13, 12)) == ""
    assert clause(t, (16, 12)) == "BS-Q34"
    assert clause(t, (14, "12.5")) == "BS-Q34"


# --- the listed options -----------------------------------------------------------------------------------------


def crowd() -> Skirmish:
    return scene(
        put(0, 2, 12, 12),
        put(0, 2, 13, "12.2"),
        put(1, 1, 16, 14),
        put(1, 1, 11, 8, stunned=True),
        put(1, 1, 9, "12.5", fleeing=True),
        put(1, 1, 12, 17),
        terrain=[block("wall", 13, 9, 16, 10), block("pit", 9, 14, 10, 15, "pit")],
    )


def test_whatever_is_listed_or_drawn_by_chance_is_legal_and_leads_to_different_places() -> None:
    t = crowd()
    options = move(t)
    listed = list(options)
    assert listed[:2] == [Stay(), Flee()]
    assert len(listed) > 25
    assert all(action in options for action in listed)
    ends = [action.path[-1] for action in listed[2:]]
    assert len(set(ends)) == len(ends)
    dice = Seeded("routes")
    assert all(options.sample(dice) in options for _ in range(200))


def test_any_route_is_legal_or_has_a_legal_one_near() -> None:
    dice = Seeded("any route")
    for rules in ({}, {"zone_exit": "outward"}, {"zone_ignores_walls": "off"}, {"difficult_ground": "on"}):
        t = scene(
            put(0, 2, 12, 12),
            put(0, 2, 13, "12.2"),
            put(1, 1, "14.5", 14),
            put(1, 1, 12, 17),
            terrain=[block("wall", 13, 9, 16, 10), wood(8, 8, 12, 11)],
            rules=rules,
        )
        options = move(t)
        for _ in range(150):
            path = tuple([(inches(6) + dice.below(inches(12)), inches(6) + dice.below(inches(12))) for _ in range(2)])
            refusal = options.refusal(Walk(path))
            if refusal is not None:
                assert refusal.nearest in options, (rules, path)


def test_another_answer_is_refused_towards_a_legal_one() -> None:
    t = scene(ALONE)
    refusal = RunOn(side=0, fighter=0).options(t).refusal(Flee())
    assert refusal is not None
    assert (refusal.code, refusal.nearest) == ("no-walk", Stay())


# --- drags ------------------------------------------------------------------------------------------------------------


def test_a_drag_goes_straight_or_round_what_is_in_the_way() -> None:
    t = scene(ALONE, terrain=[block("wall", 13, 11, "13.5", "12.2")])
    question = Move(side=0, fighter=0)
    straight = question.propose(t, Wish(unit=0, to=at(12, 15)))
    assert (straight.action, straight.left) == (walk((12, 15)), inches(1))
    round_it = question.propose(t, Wish(unit=0, to=at("14.5", 12)))
    assert round_it.action is not None
    assert len(round_it.action.path) > 1
    assert round_it.action.path[-1] == at("14.5", 12)
    over = question.propose(t, Wish(unit=0, waypoints=(at(12, 13),), to=at(12, 14)))
    assert over.action == walk((12, 13), (12, 14))
    assert over.length == inches(2)


@pytest.mark.parametrize("to", [("12", "19"), ("12", "18.5"), ("12.5", "19.5")])
def test_a_drag_onto_an_enemy_far_away_goes_round_what_is_in_the_way(to: tuple[str, str]) -> None:
    # The middle of her zone is three inches from any possible place.
    t = scene(ALONE, put(1, 1, 12, 19), terrain=[block("wall", 11, "12.8", 13, "13.3")])
    proposal = Move(side=0, fighter=0).propose(t, Wish(unit=0, to=at(*to)))
    assert proposal.action is not None
    assert proposal.left < inches(1) // 10


def test_a_drag_that_is_too_long_or_into_a_zone_goes_as_far_as_it_may() -> None:
    t = scene(ALONE, put(1, 1, 18, 12))
    question = Move(side=0, fighter=0)
    assert question.propose(t, Wish(unit=0, to=at(12, 20))).action == walk((12, 16))
    assert question.propose(t, Wish(unit=0, to=at(12, 20), facing=at(12, 24))).action == walk((12, 16))
    proposal = question.propose(t, Wish(unit=0, models={0: (at(16, 12),)}))
    assert proposal.action is None
    assert proposal.refusal is not None
    assert proposal.refusal.clause == "BS-MOV-02"
    assert proposal.faults == (at(15, 12),)
    stands = question.propose(t, Wish(unit=0, models={0: (at(12, 13), at(12, 13), at(12, 14))}))
    assert stands.refusal is not None
    assert (stands.refusal.code, stands.faults) == ("stands-still", (at(12, 12),))


@pytest.mark.clause("BS-TRN-02")
def test_only_the_fighter_who_is_asked_is_dragged() -> None:
    t = scene(ALONE, put(0, 2, 20, 20))
    question = Move(side=0, fighter=0)
    proposal = question.propose(t, Wish(unit=1, to=at(20, 18)))
    assert proposal.refusal is not None
    assert proposal.refusal.code == "another"
    assert question.pick_up(t, 1) is None


def test_what_the_page_foresees_is_what_the_rules_say() -> None:
    twin = Twin()
    dice = Seeded("twin")
    try:
        for n in range(12):
            t = crowd()
            if n % 3:
                t.change(0, at=(inches(12), inches(12) - dice.below(inches(1)) - 1))
            if n % 2:
                t.change(4, fleeing=False)
            if Routes(t, 0, Move(side=0, fighter=0).routes(t).bounds).held:
                continue
            question = Move(side=0, fighter=0)
            wishes = []
            for _ in range(40):
                points = [(dice.below(inches(24)), dice.below(inches(24))) for _ in range(3)]
                near = [(inches(8) + x // 3, inches(8) + y // 3) for x, y in points]
                wishes.append(Wish(unit=0, to=near[0], waypoints=tuple(near[1 : 1 + dice.below(3)])))
            around = question.pick_up(t, 0)
            assert around is not None
            for wish, words in zip(wishes, twin.foresee(around, wishes), strict=True):
                proposal = question.propose(t, wish)
                assert words["legal"] == (proposal.action is not None)
                assert {int(k): tuple([tuple(p) for p in v]) for k, v in words["paths"].items()} == proposal.paths
                assert (words["length"], words["left"]) == (proposal.length, proposal.left)
    finally:
        twin.close()


@pytest.mark.parametrize("rules", [{"zone_exit": "outward"}, {"zone_ignores_walls": "off"}])
def test_where_a_house_rule_stops_her_the_page_asks(rules: dict[str, Any]) -> None:
    t = scene(ALONE, put(1, 1, "14.5", 12), terrain=[wood(8, 8, 9, 9), WALL], rules=rules)
    if "zone_exit" not in rules:
        t.change(1, at=at("16", 12))
    assert Move(side=0, fighter=0).pick_up(t, 0) is None
    usual = scene(ALONE, put(1, 1, "16", 12), terrain=[wood(8, 8, 9, 9), WALL])
    assert Move(side=0, fighter=0).pick_up(usual, 0) is not None


def test_a_route_round_an_obstacle_is_listed_where_the_straight_one_is_blocked() -> None:
    t = scene(ALONE, terrain=[block("wall", "12.6", "11.5", "12.8", "12.5")])
    routes = Move(side=0, fighter=0).routes(t)
    path = routes.toward(at(14, 12))
    assert path is not None
    assert len(path) > 2
    assert path[-1] == at(14, 12)
    assert routes.legal(path)


@pytest.mark.clause("BS-S13")
def test_the_page_is_told_what_difficult_ground_costs() -> None:
    rules = {"difficult_ground": "on"}
    t = scene(ALONE, terrain=[wood(13, 10, 14, 14), WALL], rules=rules)
    around = Move(side=0, fighter=0).pick_up(t, 0)
    assert around is not None
    assert [(one.outline, one.factor, one.toll) for one in around.slow] == [(wood(13, 10, 14, 14).polygon, 2, 0)]
    usual = Move(side=0, fighter=0).pick_up(scene(ALONE, terrain=[wood(13, 10, 14, 14)]), 0)
    assert usual is not None
    assert usual.slow == ()


@pytest.mark.clause("BS-S13")
def test_a_drag_goes_round_difficult_ground_where_that_is_cheaper() -> None:
    bog = block("bog", 13, "11.6", 15, "12.2", "rough")
    t = scene(ALONE, terrain=[bog], rules={"difficult_ground": "on"})
    proposal = Move(side=0, fighter=0).propose(t, Wish(unit=0, to=at("15.9", 12)))
    assert proposal.action is not None
    assert len(proposal.paths[0]) > 2
    assert proposal.length == path_length(proposal.paths[0]) <= inches(4)


@pytest.mark.parametrize("rules", [{}, {"zone_exit": "outward"}, {"zone_ignores_walls": "off"}])
def test_the_quick_answer_about_a_route_is_the_slow_one(rules: dict[str, Any]) -> None:
    dice = Seeded(7)
    blocks = [WALL, block("pillar", 9, 13, 10, 14)]
    refused: set[str] = set()
    for number in range(12):
        fighters = [put(side, 2, 8 + dice.below(8), 8 + dice.below(8)) for side in (0, 1, 1)]
        routes = Move(side=0, fighter=0).routes(scene(*fighters, terrain=blocks, rules=rules, turns=(number, 1)))
        for _ in range(60):
            legs = [
                (dice.below(inches(9)) - inches(4), dice.below(inches(9)) - inches(4)) for _ in range(1 + dice.below(2))
            ]
            path = (routes.start, *[(routes.start[0] + dx, routes.start[1] + dy) for dx, dy in legs])
            fault = routes.wrong(path)
            assert routes.legal(path) == (fault is None)
            refused.add("" if fault is None else fault.guard.mark.id.rpartition(":")[2])
    assert len(refused) > 3
