"""The Battle step: eligible units, announcements, Ambush, ground, and events."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match
from caltrop.rules.hex_command.attack import Attack, Attacked, Bombard
from caltrop.rules.hex_command.battling import (
    Battles,
    EndBattles,
    Engage,
    GroundTaken,
    LetItCome,
    SpringAmbush,
    StandFast,
    TakeGround,
)
from caltrop.rules.hex_command.leaders import EscapeTo
from tests.rules.hex_command.tables import asked, battle, begin, dice, done, now, options, refused


def fight(
    south: str, north: str, *rolls: tuple[int, ...], moved: dict[int, int] | None = None, card: str = "", **given: Any
) -> Match:
    """Return the Battle step of South, which has ordered all its units."""
    t = battle(south, north, **given)
    t.ordered.extend([u.id for u in t.units if u.side == 0])
    t.moved.update(moved or {})
    t.card = card
    return begin(t, *rolls, at=Battles(side=0))


# --- which units may battle -------------------------------------------------------------------------------------------


@pytest.mark.clause("HX-BAT-08", "HX-BAT-09")
def test_a_unit_next_to_an_enemy_close_assaults_it_or_does_not_battle() -> None:
    """Example 26."""
    match = fight("V-M E5", "I-M F5, V-L G4", moved={0: 3})
    assert options(match) == [Engage(0, 1), EndBattles()]
    result = refused(match, Engage(0, 2))
    assert (result.clause, result.nearest) == ("HX-BAT-08", Engage(0, 1))


@pytest.mark.clause("HX-BAT-08", "HX-BAT-09")
def test_among_adjacent_enemies_the_choice_is_free_and_a_lone_leader_counts() -> None:
    match = fight("V-M E5", "I-M F5, L-L D5, V-L G4")
    assert options(match) == [Engage(0, 1), Engage(0, 2), EndBattles()]


@pytest.mark.clause("HX-S20")
def test_infantry_that_has_moved_two_hexes_does_not_battle() -> None:
    """Example 27."""
    match = fight("I-M E5, I-M E7", "I-M F5", moved={0: 2, 1: 1})
    assert options(match) == [Engage(1, 2), EndBattles()]
    assert refused(match, Engage(0, 2)).clause == "HX-S20"


@pytest.mark.clause("HX-S20", "HX-Q27")
def test_a_tank_fires_three_hexes_far() -> None:
    """Example 38."""
    match = fight("V-M E5", "I-M H5, I-M I5")
    assert options(match) == [Engage(0, 1), EndBattles()]
    result = refused(match, Engage(0, 2))
    assert (result.code, result.values["far"], result.values["reach"]) == ("out-of-range", 4, 3)


@pytest.mark.clause("HX-Q21", "HX-TRN-06")
def test_without_dice_there_is_no_battle_not_even_with_a_neighbour() -> None:
    match = fight("I-M E5, I-M A1", "I-M H5, I-M A3", ground="woods H5")
    assert options(match) == [Engage(1, 3), EndBattles()]
    result = refused(match, Engage(0, 2))
    assert result.code == "no-dice"
    assert "Woods -1" in result.message


@pytest.mark.clause("HX-LOS-01", "HX-LOS-02", "HX-LOS-03", "HX-TRN-05")
def test_fire_needs_sight_and_the_refusal_names_the_blocker() -> None:
    match = fight("V-M C5, V-M M1", "I-M F5, I-M M3", ground="woods E5")
    assert options(match) == [Engage(1, 3), EndBattles()]
    result = refused(match, Engage(0, 2))
    assert (result.code, result.values["blocker"]) == ("no-sight", "the woods at E5")


@pytest.mark.clause("HX-Q28")
@pytest.mark.house("indirect_fire", "on")
def test_fire_as_of_artillery_needs_no_sight_and_must_stand() -> None:
    agreed = {"indirect_fire": "on"}
    given: dict[str, Any] = {"ground": "woods E5, ruins I5", "rules": agreed}
    match = fight("V-H C5", "I-M I5", dice("I"), **given)
    match.play(0, Engage(0, 1))
    done(match)
    assert now(match).units[1].strength == 3
    assert not fight("V-H C5", "I-M I5", moved={0: 1}, **given).waiting
    assert not fight("V-H C5", "I-M I5", ground="woods E5, ruins I5").waiting


@pytest.mark.clause("HX-Q23")
def test_close_assault_needs_no_sight() -> None:
    match = fight("I-M E5", "I-M F5", ground="ruins E5 F5")
    assert options(match) == [Engage(0, 1), EndBattles()]


@pytest.mark.clause("HX-TRN-04", "HX-BAT-04", "HX-BAT-05", "HX-BAT-01", "HX-BAT-02", "HX-BAT-03", "HX-BAT-06")
def test_ordered_units_battle_one_after_another_in_any_order_once_each_or_not_at_all() -> None:
    match = fight("I-M E5, V-M E7, I-M A9", "I-M F5, I-M F7", dice("V V L"), dice("V G L"))
    assert options(match) == [Engage(0, 3), Engage(1, 4), EndBattles()]
    match.play(0, Engage(1, 4))
    assert options(match) == [Engage(0, 3), EndBattles()]
    assert refused(match, Engage(1, 4)).clause == "HX-BAT-04"
    match.play(0, Engage(0, 3))
    done(match)
    assert not match.waiting, "nobody is left who could battle"
    early = fight("I-M E5", "I-M F5")
    early.play(0, EndBattles())
    assert not early.waiting


@pytest.mark.clause("HX-TRN-04")
def test_only_ordered_units_battle_and_only_enemies_on_the_map() -> None:
    t = battle("I-M E5, I-M E7", "I-M F5, I-M F7")
    t.ordered.append(1)
    match = begin(t, at=Battles(side=0))
    assert options(match) == [Engage(1, 3), EndBattles()]
    assert refused(match, Engage(0, 2)).code == "not-ordered"
    assert refused(match, Engage(2, 0)).code == "no-unit-of-yours"
    assert refused(match, Engage(9, 0)).code == "no-unit-of-yours"
    assert refused(match, Engage(1, 0)).code == "no-enemy"
    assert refused(match, Engage(1, 99)).code == "no-enemy"
    assert refused(match, Engage(1, 99)).message == "That unit is not an enemy on the map: number 99"


@pytest.mark.clause("HX-LDS-03", "HX-LDS-05")
def test_an_attached_leader_battles_and_is_battled_with_the_unit() -> None:
    match = fight("I-M E5, L-L E5", "I-M F5, L-L F5", dice("V V V"))
    assert options(match) == [Engage(0, 2), EndBattles()]
    assert refused(match, Engage(1, 2)).code == "attached"
    assert refused(match, Engage(0, 3)).nearest == Engage(0, 2)
    match.play(0, Engage(0, 2))
    assert now(match).battled == [0, 1]


@pytest.mark.clause("HX-BAT-01")
def test_a_sample_is_one_of_the_options() -> None:
    match = fight("I-M E5, V-M E7, I-M A9", "I-M F5, I-M F7, V-M D7")
    asked_now = match.decision(0)
    assert asked_now is not None
    options = asked_now.options(match.state)
    every = set(options)
    drawn = {options.sample(Seeded(n)) for n in range(60)}
    assert drawn == every
    assert options.several()


@pytest.mark.clause("HX-S50", "HX-S5A", "HX-S5B", "HX-Q32")
@pytest.mark.parametrize(
    ("card", "who", "where", "rolled"),
    [
        ("armoured-spearhead", "V-M E5", "F5", 4), ("armoured-spearhead", "V-M E5", "G5", 3),
        ("cold-steel", "I-M E5", "F5", 4), ("fire-zone", "I-M E5", "G5", 3), ("god-machines-walk", "G-L E5", "G5", 4),
        ("direct-command", "I-M E5", "F5", 3),
    ],
)  # fmt: skip
def test_a_cards_die_goes_to_battles_of_its_sort(card: str, who: str, where: str, rolled: int) -> None:
    match = fight(who, f"V-M {where}", dice(" ".join("L" * rolled)), card=card)
    match.play(0, Engage(0, 1))
    done(match)


# --- Ambush -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("HX-S55", "HX-Q32", "HX-HIE-01")
def test_an_ambush_strikes_first_and_may_drive_the_attacker_off() -> None:
    """Example 44."""
    hands = ((), ("ambush", "barrage"))
    match = fight("V-M E5", "I-M F5", (1,), dice("R T V"), hands=hands, ground="woods F5")
    match.play(0, Engage(0, 1))
    assert asked(match) == [("AmbushOrNot", 1)]
    assert options(match, 1) == [SpringAmbush(), LetItCome()]
    match.play(1, SpringAmbush())
    done(match)
    t = now(match)
    assert (t.units[0].strength, t.units[0].hex) == (2, "D5")
    assert t.battled == [0], "its battle is lost"
    assert t.discards == ["ambush"]
    assert t.held == [0, 2]
    assert not match.waiting


@pytest.mark.clause("HX-Q32")
def test_after_an_ambush_that_does_not_drive_it_off_the_battle_goes_on() -> None:
    match = fight("V-M E5", "I-M F5", (1,), dice("T V V"), dice("I I I"), hands=((), ("ambush",)))
    match.play(0, Engage(0, 1))
    match.play(1, SpringAmbush())
    done(match)
    assert now(match).units[0].strength == 1
    assert now(match).units[1].strength == 1


@pytest.mark.clause("HX-Q32", "HX-S55")
def test_an_ambush_takes_no_ground_and_an_attacker_destroyed_has_lost_its_battle() -> None:
    t = battle("I-M E5", "I-M F5", hands=((), ("ambush",)))
    t.change(0, strength=1)
    t.ordered.append(0)
    match = begin(t, (1,), dice("I L L"), at=Battles(side=0))
    match.play(0, Engage(0, 1))
    match.play(1, SpringAmbush())
    done(match)
    assert now(match).units[0].hex is None
    assert now(match).units[1].hex == "F5"
    assert not match.waiting
    assert now(match).battled == [0]


@pytest.mark.clause("HX-Q32")
def test_who_may_hold_an_ambush_is_asked_and_who_holds_none_can_only_let_it_come() -> None:
    match = fight("I-M E5", "I-M F5", dice("V V V"), hands=((), ("barrage",)))
    match.play(0, Engage(0, 1))
    assert options(match, 1) == [LetItCome()]
    assert refused(match, SpringAmbush(), 1).code == "no-ambush"
    match.play(1, LetItCome())
    done(match)


@pytest.mark.clause("HX-Q32")
def test_nobody_is_asked_about_fire_or_when_the_ambush_lies_face_up() -> None:
    match = fight("V-M E5", "I-M G5", dice("V V V"), hands=((), ("ambush",)))
    match.play(0, Engage(0, 1))
    done(match)
    match = fight("V-M E5", "I-M F5", dice("V V V"), hands=((), ("barrage",)), discards=["ambush"])
    match.play(0, Engage(0, 1))
    done(match)


# --- ground -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("HX-Q18")
@pytest.mark.house("take_ground", "on")
def test_a_unit_that_empties_a_hex_may_take_it_with_its_leader() -> None:
    match = fight("I-M E5, L-L E5", "I-M F5", dice("R V V"))
    match.play(0, Engage(0, 2))
    assert options(match) == [TakeGround(), StandFast()]
    events = match.play(0, TakeGround())
    t = now(match)
    (taken,) = [event for event in events if isinstance(event, GroundTaken)]
    assert taken.touches() == taken.motion(t).units == (0, 1), "the leader is seen to go with it"
    assert (t.units[0].hex, t.units[1].hex, t.units[2].hex) == ("F5", "F5", "G5")
    assert t.leader_of(t.units[0]) == t.units[1]
    assert not match.waiting


@pytest.mark.clause("HX-Q18", "HX-BAT-04")
def test_ground_need_not_be_taken_and_there_is_no_second_battle() -> None:
    match = fight("I-M E5", "I-M F5, I-M F4", dice("R V V"))
    match.play(0, Engage(0, 1))
    match.play(0, StandFast())
    assert now(match).units[0].hex == "E5"
    assert not match.waiting


@pytest.mark.clause("HX-Q18")
@pytest.mark.house("take_ground", "off")
def test_nobody_takes_ground_where_that_was_agreed() -> None:
    match = fight("I-M E5", "I-M F5", dice("R V V"), rules={"take_ground": "off"})
    match.play(0, Engage(0, 1))
    assert not match.waiting
    assert now(match).units[0].hex == "E5"


@pytest.mark.clause("HX-Q18", "HX-S35")
def test_ground_that_does_not_let_the_unit_in_is_not_taken() -> None:
    match = fight("V-M E5", "I-M F5", dice("L"), ground="citadel F5")
    match.play(0, Engage(0, 1))
    match = fight("G-L E5", "I-M F5", dice("I I I"), ground="citadel F5")
    t = now(match)
    t.change(1, strength=1)
    match.play(0, Engage(0, 1))
    done(match)
    assert now(match).units[1].hex is None
    assert not match.waiting


@pytest.mark.clause("HX-Q16", "HX-Q18")
def test_a_leader_who_stays_behind_holds_the_hex() -> None:
    """Example 43."""
    t = battle("V-M E5", "I-M F5, L-L F5")
    t.change(1, strength=1)
    t.ordered.append(0)
    match = begin(t, dice("T V I"), at=Battles(side=0))
    match.play(0, Engage(0, 1))
    assert not match.waiting
    assert now(match).unit_at("F5") == now(match).units[2]
    assert now(match).units[0].hex == "E5"


@pytest.mark.clause("HX-Q16", "HX-Q18")
@pytest.mark.house("leader_escape", "off", "on")
def test_a_leader_escapes_to_the_nearest_unit_where_that_was_agreed() -> None:
    def destroyed(north: str, **rules: str) -> Match:
        t = battle("V-M E5", f"I-M F5, L-L F5{north}", rules=rules)
        t.change(1, strength=1)
        t.ordered.append(0)
        match = begin(t, dice("T V I"), at=Battles(side=0))
        match.play(0, Engage(0, 1))
        return match

    usual = destroyed(", I-M H5")
    assert now(usual).units[2].hex == "F5"
    assert not usual.waiting
    match = destroyed(", I-M H5, L-M G5, I-M I5", leader_escape="on")
    assert now(match).leader_of(now(match).units[3]) == now(match).units[2]
    assert options(match) == [TakeGround(), StandFast()], "the hex is empty now"
    match = destroyed(", I-M H5, I-M F3", leader_escape="on")
    assert options(match, 1) == [EscapeTo(3), EscapeTo(4)]
    assert refused(match, EscapeTo(0), 1).code == "no-haven"
    match.play(1, EscapeTo(4))
    assert now(match).units[2].hex == "F3"
    alone = destroyed("", leader_escape="on")
    assert now(alone).units[2].hex == "F5"


@pytest.mark.clause("HX-BAT-07", "HX-Q18")
def test_fire_takes_no_ground() -> None:
    match = fight("V-M E5", "I-M G5", dice("R V V"))
    match.play(0, Engage(0, 1))
    done(match)
    assert not match.waiting


@pytest.mark.clause("HX-Q18")
@pytest.mark.house("overrun", "off", "on")
def test_vehicles_that_took_ground_battle_once_more_where_that_was_agreed() -> None:
    usual = fight("V-M E5", "I-M F5, I-M F4", dice("R V V"))
    usual.play(0, Engage(0, 1))
    usual.play(0, TakeGround())
    assert not usual.waiting
    match = fight("V-M E5", "I-M F5, I-M F4", dice("R V V"), dice("R V V"), rules={"overrun": "on"})
    match.play(0, Engage(0, 1))
    match.play(0, TakeGround())
    assert Engage(0, 2) in options(match)
    match.play(0, Engage(0, 2))
    match.play(0, TakeGround())
    assert not match.waiting, "once more, and not for ever"
    walkers = fight("I-M E5", "I-M F5, I-M F4", dice("R V V"), rules={"overrun": "on"})
    walkers.play(0, Engage(0, 1))
    walkers.play(0, TakeGround())
    assert not walkers.waiting


@pytest.mark.clause("HX-S32", "HX-Q18")
@pytest.mark.house("overrun", "on")
def test_a_vehicle_that_overran_into_woods_does_not_battle_again() -> None:
    match = fight("V-M E5", "I-M F5, I-M F4", dice("R"), ground="woods F5", rules={"overrun": "on"})
    match.play(0, Engage(0, 1))
    match.play(0, TakeGround())
    assert not match.waiting


@pytest.mark.clause("HX-Q28", "HX-Q18")
@pytest.mark.house("overrun", "on")
@pytest.mark.house("indirect_fire", "on")
def test_what_overran_a_hex_has_moved_and_does_not_fire_as_artillery() -> None:
    agreed = {"overrun": "on", "indirect_fire": "on"}
    still = fight("V-H F5", "I-M H5", rules=agreed, ground="woods G5")
    assert Engage(0, 1) in options(still)
    match = fight("V-H E5", "I-M F5", dice("R R V"), rules=agreed, ground="woods G5")
    match.play(0, Engage(0, 1))
    match.play(0, TakeGround())
    assert [u.hex for u in now(match).units] == ["F5", "H5"]
    assert not match.waiting


@pytest.mark.clause("HX-Q19")
@pytest.mark.house("battle_back", "off", "on")
def test_a_defender_who_stands_battles_back_where_that_was_agreed() -> None:
    match = fight("V-M E5", "I-M F5", dice("I V V"))
    match.play(0, Engage(0, 1))
    done(match)
    assert now(match).units[0].strength == 3
    agreed = {"battle_back": "on"}
    match = fight("V-M E5", "I-M F5", dice("I V V"), dice("V V R"), rules=agreed)
    match.play(0, Engage(0, 1))
    done(match)
    assert (now(match).units[0].strength, now(match).units[0].hex) == (1, "D5")
    for symbols in ("R V V", "I I I"):
        match = fight("V-M E5", "I-M F5", dice(symbols), rules=agreed)
        if symbols == "I I I":
            now(match).change(1, strength=1)
        match.play(0, Engage(0, 1))
        match.play(0, StandFast())
        done(match)
        assert now(match).units[0].strength == 3


@pytest.mark.clause("HX-Q19", "HX-Q18")
def test_a_defender_who_was_driven_off_does_not_battle_back_where_nobody_takes_its_ground_either() -> None:
    match = fight("V-M E5", "I-M F5", dice("R V V"), rules={"battle_back": "on", "take_ground": "off"})
    match.play(0, Engage(0, 1))
    done(match)
    assert now(match).units[1].hex not in ("F5", None)
    assert now(match).units[0].strength == 3


@pytest.mark.clause("HX-Q17")
@pytest.mark.house("dice_drop_with_losses", "off", "on")
def test_half_strength_or_below_costs_a_die_where_that_was_agreed() -> None:
    for rule, symbols, strength in (("off", "V V V", 2), ("on", "V V", 2), ("on", "V V V", 3)):
        match = fight("I-M E5", "I-M F5", dice(symbols), rules={"dice_drop_with_losses": rule})
        now(match).change(0, strength=strength)
        match.play(0, Engage(0, 1))
        done(match)


# --- banners and sentences
# ----------------------------------------------------------------------------------------------


@pytest.mark.clause("HX-LDU-05", "HX-Q15", "HX-LDR-01", "HX-S23")
def test_the_last_of_a_leader_unit_is_a_single_leader_at_once() -> None:
    match = begin(battle("V-M E5", "L-M F5"), dice("I I L"), at=Attack(attacker=0, target=1))
    left = now(match).units[1]
    assert (left.kind, left.was, left.strength, left.alone) == ("leader-light", "leader-medium", 1, True)
    assert now(match).medals == [0, 0]
    match = begin(now(match), dice("I T T"), at=Attack(attacker=0, target=1))
    assert now(match).units[1].strength == 1
    match = begin(now(match), dice("L T T"), at=Attack(attacker=0, target=1))
    assert now(match).medals == [1, 0]


@pytest.mark.clause("HX-LDS-05", "HX-S60")
def test_a_fallen_leader_and_a_destroyed_unit_each_bring_a_banner() -> None:
    t = battle("V-M E5, L-L E5", "I-M F5, L-L F5")
    t.change(2, strength=1)
    match = begin(t, dice("L R T"), at=Attack(attacker=0, target=2))
    done(match)
    assert now(match).medals == [2, 0]
    assert "F5" not in now(match).board


@pytest.mark.clause("HX-Q10", "HX-TRN-07")
def test_a_battle_tells_its_dice_as_they_were_read() -> None:
    match = fight("G-H E5", "G-SH F5", dice("G T T I R L"), dice("G I I V L R T"))
    result = next(e for e in match.play(0, Engage(0, 1)) if isinstance(e, Attacked))
    assert result.sentence(now(match)) == (
        "The Battle Titan 0 at E5 close assaults the Emperor Titan 1 at F5: "
        "God Machine, Target, Target, Infantry, Retreat, Leader; "
        "shields God Machine, Infantry, Infantry, Vehicle, Leader, Retreat, Target cancel 1: 1 point lost"
    )
    reading = result.reading(now(match))
    assert [(d.result, d.ignored, d.by) for d in reading.dice] == [
        ("hit", False, (0,)), ("hit", True, ()), ("hit", False, ()), ("", False, ()), ("retreat", False, ()),
        ("", False, ()),
    ]  # fmt: skip
    assert [(y.side, y.label, y.got) for y in reading.tallies] == [
        (0, "hits", 2), (1, "enemy hits cancelled by shields", 1),
    ]  # fmt: skip
    assert abs(reading.tallies[0].mean - 1.335) < 0.001
    assert sum(r.value for r in reading.terms) == 6
    assert sum(r.value for r in reading.answer_terms) == 7


@pytest.mark.clause("HX-LDS-05", "HX-Q33")
def test_a_fallen_leader_and_a_cards_dice_are_read_too() -> None:
    t = battle("", "I-M F5, L-L F5")
    t.card = "barrage"
    match = begin(t, dice("L I V G"), at=Bombard(caller=0, target=0, dice=4))
    opening = next(e for e in match.opening if isinstance(e, Attacked))
    assert opening.touches() == (0,)
    assert opening.sentence(now(match)) == (
        "4 dice strike the Line Troops 0 at F5: Leader, Infantry, Vehicle, God Machine: 1 model lost, "
        "and the leader falls"
    )
    assert [d.result for d in opening.reading(now(match)).dice] == ["leader", "hit", "", ""]
