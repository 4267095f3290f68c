"""Retreats: straight away, aside, blocked, ignored, and towards the base line."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.rules.hex_command.attack import Attack, Bombard, FallBackTo, Ignore
from caltrop.rules.hex_command.attack.events import Blocked, RetreatsIgnored
from caltrop.rules.hex_command.catalogue import GROUNDS
from caltrop.rules.hex_command.leaders import LeaderJoined
from caltrop.rules.hex_command.retreat import FellBack, fall_back, in_the_way, room_behind, ways_back
from tests.rules.hex_command.tables import asked, battle, begin, dice, done, now, options, refused


def ways(north: str, source: str | None, unit: str = "I-M", **given: Any) -> tuple[str, ...]:
    """Return the retreats of a unit of North, the first of the named units."""
    t = battle("", f"{unit} {north}", **given)
    return ways_back(t, t.units[0], source)


@pytest.mark.clause("HX-RET-02", "HX-Q07")
@pytest.mark.parametrize(("at", "to"), [("F5", "G5"), ("E4", "F3"), ("F3", "F2")])
def test_a_unit_retreats_straight_away_from_its_attacker(at: str, to: str) -> None:
    """Example 16, the attacker at E5; from F3 the line goes through F2."""
    assert ways(at, "E5") == (to,)


@pytest.mark.clause("HX-RET-01", "HX-LDS-01")
def test_a_leader_is_seen_to_fall_back_with_the_unit() -> None:
    t = battle("I-M E5, L-L E5, I-M C3")
    for unit, to, leader in ((0, "F5", 1), (2, "B3", None)):
        t.told = []
        fall_back(t, unit, to)
        (event,) = t.told
        assert isinstance(event, FellBack)
        assert event.leader == leader
        assert event.touches() == event.motion(t).units == ((unit,) if leader is None else (unit, leader))
    assert t.units[1].hex == "F5"


@pytest.mark.clause("HX-Q16")
def test_a_leader_that_escapes_is_seen_to_go() -> None:
    t = battle("I-M E5, L-L C3")
    t.put(1, "E5", guest=True)
    motion = LeaderJoined(1, 0, "C3").motion(t)
    assert motion is not None
    assert (motion.unit, motion.ways[0][1]) == (1, (t.map.centre("C3"), t.map.centre("E5")))
    assert LeaderJoined(1, 0).motion(t) is None, "of one that has marched the way was told"


@pytest.mark.clause("HX-RET-02", "HX-Q07")
def test_between_equals_the_owner_chooses() -> None:
    """Example 17."""
    assert set(ways("G3", "G5")) == {"F2", "G2"}
    assert ways("G3, I-M F2", "G5") == ("G2",)


@pytest.mark.clause("HX-Q07", "HX-Q08")
def test_where_the_straight_way_is_taken_the_other_ways_are_tried() -> None:
    """Example 18."""
    assert ways("G4", "E5") == ("H4",)
    assert ways("G4, I-M H4", "E5") == ("H3",)
    assert ways("G4, I-M H4, I-M H3", "E5") == ()


@pytest.mark.clause("HX-Q08", "HX-S36", "HX-S37", "HX-S35", "HX-S38")
@pytest.mark.parametrize(
    ("unit", "ground", "free"),
    [
        ("I-M", "spire", False), ("I-M", "water", False), ("G-L", "water", True), ("G-L", "spire", False),
        ("V-M", "citadel", False), ("I-M", "citadel", True), ("V-H", "ford", False), ("V-M", "ford", True),
        ("V-M", "woods", True),
    ],
)  # fmt: skip
def test_ground_matters_to_retreats_only_where_it_is_impassable(unit: str, ground: str, free: bool) -> None:
    assert ("G5" in ways("F5", "E5", unit, ground=f"{ground} G5")) is free


@pytest.mark.clause("HX-Q08", "HX-Q07")
@pytest.mark.house("retreat_blocked", "deflect_then_loss", "loss", "stay")
def test_what_becomes_of_a_blocked_retreat_is_agreed() -> None:
    blocked = "I-M F5, I-M G5"
    for rule, left, ways_out in (("deflect_then_loss", 4, 2), ("loss", 3, 0), ("stay", 4, 0)):
        t = battle("I-M E5", blocked, rules={"retreat_blocked": rule})
        assert len(ways_back(t, t.units[1], "E5")) == ways_out
        match = begin(t, dice("R V V"), at=Attack(attacker=0, target=1))
        if ways_out:
            match.play(1, FallBackTo("F4"))
        done(match)
        unit = now(match).units[1]
        assert (unit.strength, unit.hex) == (left, "F4" if ways_out else "F5")


@pytest.mark.clause("HX-Q08", "HX-Q10")
def test_a_unit_without_a_way_back_loses_a_model_for_each_symbol() -> None:
    """Example 19."""
    t = battle("I-M E5", "V-M F5, I-M G5, I-M F4, I-M F6")
    match = begin(t, dice("R I L"), at=Attack(attacker=0, target=1))
    done(match)
    unit = now(match).units[1]
    assert (unit.strength, unit.hex) == (2, "F5")


@pytest.mark.clause("HX-Q08")
@pytest.mark.parametrize(
    ("source", "north", "given", "words"),
    [
        ("E5", "V-M F5, I-M G5, I-M F4, V-L F6", {}, {"G5: unit 1", "F4: unit 2", "F6: unit 3"}),
        ("E5", "V-M F5, I-M G5", {"ground": "spire F4, spire F6"}, {"G5: unit 1", "F4: spire", "F6: spire"}),
        ("E5", "V-M F5, V-L G5", {"rules": {"retreat_blocked": "stay"}}, {"G5: unit 1"}),
        ("B5", "I-M A5", {"rules": {"retreat_blocked": "loss"}}, {"edge"}),
        (None, "I-M E1", {}, {"edge"}),
    ],
)
def test_a_blocked_unit_is_told_what_is_in_its_way(
    source: str | None, north: str, given: dict[str, Any], words: set[str]
) -> None:
    t = battle("", north, **given)
    unit = t.units[0]
    assert unit.hex is not None
    assert ways_back(t, unit, source) == ()
    names = {f"the {u.name} at {u.hex}": f"{u.hex}: unit {u.id}" for u in t.units}
    result = in_the_way(t, unit, source, unit.hex)
    spires = {f"the {GROUNDS['spire'].title.lower()} at {hex}": f"{hex}: spire" for hex in t.field.terrain}
    assert {({**names, **spires, "the edge of the map": "edge"})[one] for one in result} == words
    sentence = Blocked(0, unit.hex, source, 2, 1).sentence(t)
    assert "cannot fall back 2 hexes more, blocked by " in sentence
    assert all(one in sentence for one in result)
    assert sentence.endswith(": 1 model lost")
    assert Blocked(0, unit.hex, source, 2, 0).sentence(t).endswith(": they stay")


@pytest.mark.clause("HX-Q08", "HX-Q11")
def test_no_shields_are_rolled_for_blocked_hexes() -> None:
    t = battle("V-M E5", "G-L F5, I-M G5, I-M F4, I-M F6")
    match = begin(t, dice("R R V"), at=Attack(attacker=0, target=1))
    done(match)
    assert now(match).units[1].strength == 2


@pytest.mark.clause("HX-Q08", "HX-LDS-06", "HX-Q16")
def test_a_loss_for_a_blocked_hex_takes_no_leader_along() -> None:
    t = battle("I-M E5", "I-M F5, L-L F5, I-M G5, I-M F4, I-M F6")
    t.change(1, strength=1)
    match = begin(t, dice("L R R"), at=Attack(attacker=0, target=1))
    assert asked(match) == [("IgnoreRetreats", 1)]
    match.play(1, Ignore(1))
    done(match)
    assert now(match).units[1].hex is None
    assert now(match).unit_at("F5") == now(match).units[2]


@pytest.mark.clause("HX-Q08")
def test_a_lone_leader_without_a_way_back_is_lost_and_a_leader_unit_its_last_model() -> None:
    for unit, strength, symbols in (("L-L", 1, "R V V"), ("L-M", 2, "R R V")):
        t = battle("I-M E5", f"{unit} F5, I-M G5, I-M F4, I-M F6")
        t.change(1, strength=strength)
        match = begin(t, dice(symbols), at=Attack(attacker=0, target=1))
        done(match)
        assert now(match).units[1].hex is None
        assert now(match).medals == [1, 0]


@pytest.mark.clause("HX-RET-01", "HX-Q07", "HX-DIE-07")
def test_each_further_hex_is_judged_afresh_and_the_owner_is_asked_for_each() -> None:
    match = begin(battle("I-H G5", "I-M G3"), dice("R R V"), at=Attack(attacker=0, target=1))
    assert asked(match) == [("FallBack", 1)]
    assert set(options(match, 1)) == {FallBackTo("F2"), FallBackTo("G2")}
    result = refused(match, FallBackTo("H3"), 1)
    assert (result.code, result.nearest) == ("no-way-back", FallBackTo("G2"))
    match.play(1, FallBackTo("F2"))
    done(match)
    assert now(match).units[1].hex == "F1", "farther along the line from G5 through F2"


@pytest.mark.clause("HX-S15", "HX-Q33", "HX-Q07")
def test_towards_the_base_line_only_the_next_row_counts() -> None:
    assert set(ways("E5", None)) == {"D4", "E4"}
    assert ways("E5, I-M D4, I-M E4", None) == ()
    assert ways("E1", None) == ()
    t = battle("I-M E5")
    assert set(ways_back(t, t.units[0], None)) == {"D6", "E6"}


@pytest.mark.clause("HX-Q07")
@pytest.mark.house("retreat_direction", "away", "own_baseline")
def test_retreats_may_go_towards_the_own_base_line() -> None:
    agreed = {"retreat_direction": "own_baseline"}
    assert ways("F5", "E5") == ("G5",)
    assert set(ways("F5", "E5", rules=agreed)) == {"E4", "F4"}
    assert ways("F5, I-M E4, I-M F4", "E5", rules=agreed) == ()


@pytest.mark.clause("HX-LDS-02", "HX-RET-02")
def test_an_attached_leader_retreats_with_the_unit() -> None:
    match = begin(battle("I-M E5", "I-M F5, L-L F5"), dice("R R V"), at=Attack(attacker=0, target=1))
    match.play(1, Ignore(1))
    t = now(match)
    assert (t.units[1].hex, t.units[2].hex) == ("G5", "G5")
    assert t.leader_of(t.units[1]) == t.units[2]


@pytest.mark.clause("HX-LDS-04", "HX-RET-01")
def test_ignoring_is_the_owners_choice() -> None:
    match = begin(battle("I-M E5", "I-M F5, L-L F5"), dice("R V V"), at=Attack(attacker=0, target=1))
    assert options(match, 1) == [Ignore(1), Ignore(0)]
    result = refused(match, Ignore(2), 1)
    assert (result.code, result.nearest) == ("no-such-favour", Ignore(1))
    events = match.play(1, Ignore(0))
    assert now(match).units[1].hex == "G5"
    assert not any(isinstance(event, RetreatsIgnored) for event in events), "nothing was ignored"


@pytest.mark.clause("HX-S35", "HX-S39", "HX-LDS-04")
@pytest.mark.parametrize(
    ("north", "ground", "dug", "most"),
    [
        ("I-M F5", "", False, 0), ("I-M F5", "citadel F5", False, 1), ("I-M F5", "", True, 1),
        ("I-M F5, L-L F5", "citadel F5", False, 2), ("I-M F5, L-L F5", "citadel F5", True, 3),
    ],
)  # fmt: skip
def test_ground_and_a_leader_add_up(north: str, ground: str, dug: bool, most: int) -> None:
    t = battle("I-H E5", north, ground=ground)
    if dug:
        t.entrenchments.append("F5")
    match = begin(t, dice("R R R" if ground or dug else "R R R V"), at=Attack(attacker=0, target=1))
    assert options(match, 1) == [Ignore(n) for n in range(most, -1, -1)] if most else not match.waiting


@pytest.mark.clause("HX-Q33")
def test_against_a_cards_dice_ground_holds_nobody_but_a_leader_does() -> None:
    t = battle("", "I-M F5, L-L F5", ground="citadel F5")
    t.card = "barrage"
    match = begin(t, dice("R R V V"), at=Bombard(caller=0, target=0, dice=4))
    assert options(match, 1) == [Ignore(1), Ignore(0)]
    match.play(1, Ignore(1))
    assert set(options(match, 1)) == {FallBackTo("E4"), FallBackTo("F4")}


@pytest.mark.clause("HX-Q33", "HX-S53")
def test_a_cards_dice_drive_units_from_the_hex_that_it_names() -> None:
    t = battle("", "I-M F5")
    t.card = "orbital-lance"
    match = begin(t, dice("R"), at=Bombard(caller=1, target=0, dice=1, away_from="E5"))
    done(match)
    assert now(match).units[0].hex == "G5"


@pytest.mark.clause("HX-Q22", "HX-RET-01")
@pytest.mark.house("god_machines_stand", "off", "on")
def test_god_machines_retreat_unless_agreed_otherwise() -> None:
    for rule, ignored in (("off", 0), ("on", 1)):
        t = battle("I-M E5", "G-L F5", rules={"god_machines_stand": rule})
        match = begin(t, dice("R I I"), at=Attack(attacker=0, target=1))
        if ignored:
            match.play(1, Ignore(1))
        done(match)
        assert now(match).units[1].hex == ("F5" if ignored else "G5")


@pytest.mark.clause("HX-S39")
def test_an_entrenchment_is_gone_when_its_unit_retreats() -> None:
    t = battle("I-M E5", "I-M F5")
    t.entrenchments.append("F5")
    match = begin(t, dice("R V"), at=Attack(attacker=0, target=1))
    match.play(1, Ignore(0))
    assert now(match).entrenchments == []


@pytest.mark.clause("HX-Q16", "HX-S39")
def test_retreats_of_a_roll_that_destroys_the_unit_move_nobody() -> None:
    """Example 43."""
    t = battle("V-M E5, L-L E5", "I-M F5, L-L F5")
    t.change(2, strength=1)
    match = begin(t, dice("T R I"), at=Attack(attacker=0, target=2))
    done(match)
    assert now(match).units[2].hex is None
    assert now(match).unit_at("F5") == now(match).units[3]


@pytest.mark.clause("HX-Q08")
def test_how_far_a_unit_can_fall_back_at_best() -> None:
    t = battle("I-M A5", "I-M B5, I-M E5")
    assert room_behind(t, t.units[1], "A5", 9) >= 9
    assert room_behind(t, t.units[1], "A5", 2) == 2
    edge = battle("I-M L5", "I-M M5")
    assert room_behind(edge, edge.units[1], "L5", 3) == 0
