"""The picture of a skirmish: every number is the rules' own."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Match
from caltrop.geometry import INCH
from caltrop.picture import Group, Picture, Spot
from caltrop.rules.blade_skirmish.catalogue import inches
from caltrop.rules.blade_skirmish.charge import Charging
from caltrop.rules.blade_skirmish.combat import Combat
from caltrop.rules.blade_skirmish.movement import Movement
from caltrop.rules.blade_skirmish.picture import depict
from caltrop.rules.blade_skirmish.records import Guts, Relic, Skirmish
from caltrop.rules.blade_skirmish.routes import Stay
from caltrop.rules.blade_skirmish.rulebook import ruleset
from caltrop.rules.blade_skirmish.running import Running
from caltrop.rules.blade_skirmish.scene import block, put, run, scene
from caltrop.rules.blade_skirmish.sight import sight
from caltrop.rules.blade_skirmish.turn import Sequence, Turn


def seen(t: Skirmish | Match) -> Picture:
    """Return the player's picture."""
    return depict(t.view(0) if isinstance(t, Match) else t, 0)


def group(picture: Picture, id: int) -> Group:
    return next(one for one in picture.groups if one.id == id)


def tokens(t: Skirmish | Match, id: int) -> list[str]:
    return [token.kind for token in group(seen(t), id).tokens]


@pytest.mark.clause("BS-MOV-02", "BS-RUN-09", "BS-Q05")
@pytest.mark.parametrize("phase", [Movement(fighter=0), Running(fighter=0)])
def test_the_zones_that_bind_a_fighter_who_is_asked_where_she_goes_are_drawn(phase: Any) -> None:
    t = scene(put(0, 2, 4, 4), put(0, 2, 9, 4), put(1, 1, 4, 14), put(1, 1, 14, 4, stunned=True), put(1, 1, 4, 20))
    assert [one.zone for one in seen(run(t, phase)).groups] == [0, 0, 2 * INCH, 0, 2 * INCH]


@pytest.mark.clause("BS-CHG-03")
def test_no_zone_is_drawn_for_who_charges() -> None:
    t = scene(put(0, 2, 4, 4), put(1, 1, 4, 7), put(1, 1, 7, 4))
    assert {one.zone for one in seen(run(t, Charging(fighter=0))).groups} == {0}


@pytest.mark.clause("BS-CHG-03", "BS-RUN-09")
def test_the_charge_of_a_fighter_is_drawn_only_while_she_may_still_charge() -> None:
    """A ring with the word `charge` around a fighter who may only run on would promise an illegal act."""
    t = scene(put(0, 2, 4, 4), put(0, 2, 9, 4), put(1, 1, 4, 20))
    match = run(t, Sequence(fighter=0))
    for kind, reach in (("Move", 4 * INCH), ("RunOn", 0)):
        (question,) = match.waiting
        assert type(question).__name__ == kind
        assert [one.reach for one in seen(match).groups] == [reach, 4 * INCH, 4 * INCH]
        match.play(0, Stay())
    t = scene(put(0, 2, 12, 12), put(1, 2, 13, 12))
    t.gone.append(0)  # as during the combat at the end of the turn
    assert [one.reach for one in seen(t).groups] == [0, 4 * INCH]


@pytest.mark.clause("BS-GEO-04", "BS-CMB-05")
def test_who_has_an_enemy_between_them_is_joined_by_the_line_of_centres() -> None:
    t = scene(put(0, 2, 11, 12), put(0, 1, 13, 12), put(1, 2, 12, 12), put(1, 1, 11, 13))
    lines = [(one.kind, one.words, one.side) for one in seen(t).lines]
    assert lines == [
        ("contact", "Warband 0 and Automata 2 are in contact", None),
        ("flank", "Warband 0 and Warband 1 have Automata 2 between them: 2 for each", 0),
        ("contact", "Warband 0 and Automata 3 are in contact", None),
        ("contact", "Warband 1 and Automata 2 are in contact", None),
    ]
    (flank,) = [one for one in seen(t).lines if one.kind == "flank"]
    assert (flank.start, flank.end) == (t.fighters[0].at, t.fighters[1].at)


@pytest.mark.clause("BS-Q13")
@pytest.mark.house("flank_needs_active_partner", "on")
def test_only_one_of_them_gains_where_the_other_is_of_no_help() -> None:
    t = scene(
        put(0, 2, 11, 12), put(0, 1, 13, 12, stunned=True), put(1, 2, 12, 12),
        rules={"flank_needs_active_partner": "on"},
    )  # fmt: skip
    words = [one.words for one in seen(t).lines if one.kind == "flank"]
    assert words == ["Warband 1 and Warband 0 have Automata 2 between them: 2 for Warband 1"]


def test_a_fighter_is_called_by_her_name_and_her_quality() -> None:
    one = group(seen(scene(put(0, 3, 11, 12, name="Maren"))), 0)
    assert (one.plate, one.strength, one.kind) == (("Maren Q3", "Maren"), "Q3", "Seasoned")
    assert [(stat.label, stat.value) for stat in one.stats] == [("Quality", "3, Seasoned"), ("Passes a test", "50 %")]


@pytest.mark.clause("BS-CMB-02", "BS-CMB-04")
def test_her_panel_tells_how_she_stands_against_those_she_touches() -> None:
    t = scene(put(0, 2, 11, 12), put(1, 2, 12, 12), put(1, 1, 11, 13, stunned=True))
    stats = {stat.label: stat.value for stat in group(seen(t), 0).stats}
    assert stats["Against Automata 1"] == "hits 42 %, is hit 42 %"
    assert stats["Against Automata 2"] == "hits 58 %, is not attacked"


def test_her_condition_is_told_by_tokens() -> None:
    t = scene(put(0, 2, 4, 4, stunned=True, fleeing=True, trophy=2, kills=3), put(1, 1, 9, 9))
    assert tokens(t, 0) == ["stun", "fleeing", "trophy", "kill"]
    t.relic = Relic(at=(0, 0), carrier=1)
    assert tokens(t, 1) == ["relic"]


@pytest.mark.clause("BS-TRN-02", "BS-TRN-03")
def test_who_has_had_her_go_is_marked_and_not_who_has_it_now() -> None:
    t = scene(put(0, 2, 4, 4), put(0, 2, 9, 4), put(1, 1, 4, 20))
    t.gone.append(1)
    match = run(t, Sequence(fighter=0))
    assert (tokens(match, 0), tokens(match, 1)) == ([], ["moved"])


@pytest.mark.clause("BS-FAT-03", "BS-S53")
def test_what_lies_about_is_seen_as_far_as_it_reaches() -> None:
    t = scene(put(0, 2, 4, 4), put(1, 1, 9, 9))
    t.guts.append(Guts(at=(2540, 2540), until=4))
    t.relic = Relic(at=(1270, 1270))
    spots: dict[str, Spot] = {one.kind: one for one in seen(t).spots}
    # The radius reaches the rim of a base whose gap to the marker is 2 inches.
    assert spots["guts"].radius == inches("2.5")
    assert spots["guts"].words.endswith("until turn 4 is over")
    assert (spots["relic"].at, spots["relic"].holder) == ((1270, 1270), None)
    t.relic = Relic(at=(1270, 1270), carrier=0)
    carried = next(one for one in seen(t).spots if one.kind == "relic")
    assert (carried.at, carried.holder) == (t.fighters[0].at, 0)


def test_whose_turn_it_is_and_which_phase() -> None:
    t = scene(put(0, 2, 4, 4), put(0, 2, 9, 4), put(1, 1, 4, 20))
    stage = seen(run(t, Movement(fighter=0))).stage
    assert (stage.now, stage.words) == (0, "Warband: Where does Warband 0 move?")
    begun = seen(run(t, Turn(sides=(0,)))).stage
    assert begun.now == -1
    t.active = 1
    assert seen(t).stage.words == "The turn of Automata"


@pytest.mark.parametrize("scenario", ["cut-them-down", "blood-price"])
def test_a_side_looks_at_the_table_from_its_own_edge(scenario: str) -> None:
    t = ruleset.setup(ruleset.book(), scenario)
    assert [seat.far for seat in depict(t, 0).seats] == [False, scenario == "blood-price"]


@pytest.mark.clause("BS-GEO-05", "BS-S11")
def test_sight_is_told_and_drawn_from_where_she_would_stand() -> None:
    wall = block("wall", 6, 10, 10, 12)
    t = scene(put(0, 2, 8, 4), put(1, 1, 8, 16), terrain=[wall])
    (cut,) = sight(t, 0, (1,), draw=True)
    assert (cut.seen, cut.words) == (False, "Warband 0 does not see Automata 1: Wall is in the way")
    assert [line.state for line in cut.lines] == ["cut"]
    (clear,) = sight(t, 0, (1,), {0: (inches(14), inches(11))}, draw=True)
    assert (clear.seen, clear.words) == (True, "Warband 0 sees Automata 1")
    assert clear.lines[0].state == "clear"
    assert sight(t, 0, (1,))[0].lines == ()


@pytest.mark.clause("BS-TRN-04")
def test_nobody_is_done_before_the_combat_at_the_end_of_the_turn() -> None:
    t = scene(put(0, 2, 12, 12), put(0, 2, 4, 4), put(1, 2, 13, 12), put(1, 2, 11, 12))
    t.gone.append(0)
    assert tokens(run(t, Running(fighter=1)), 0) == ["moved"]
    assert tokens(run(t, Combat(side=0)), 0) == []
