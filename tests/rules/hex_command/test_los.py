"""Line of sight: sizes, terrain, edges, God Machines, hills; and how it is shown."""

from __future__ import annotations

import pytest

from caltrop.rules.hex_command.places import blockers, sees
from caltrop.rules.hex_command.records import Battle
from caltrop.rules.hex_command.sight import sight
from tests.rules.hex_command.tables import battle


def seen(t: Battle, unit: int = 0, target: int = 1) -> bool:
    """Return whether the first unit sees the second; the reverse view and the blockers have to agree."""
    a, b = t.units[unit], t.units[target]
    assert a.hex is not None
    assert b.hex is not None
    result = sees(t, a, a.hex, b, b.hex)
    assert sees(t, b, b.hex, a, a.hex) is result
    assert (not blockers(t, a, a.hex, b, b.hex)) is result
    return result


@pytest.mark.clause("HX-LOS-01", "HX-LOS-05", "HX-S20")
def test_two_tanks_see_over_infantry() -> None:
    """Example 20."""
    assert seen(battle("V-M C5, I-M E5", "V-M F5"), 0, 2)


@pytest.mark.clause("HX-LOS-01")
def test_infantry_does_not_see_past_infantry() -> None:
    """Example 21, for friends and enemies."""
    assert not seen(battle("I-M E5", "I-M F7, I-M E6"))
    assert not seen(battle("I-M E5, I-M E6", "I-M F7"), 0, 2)
    assert not seen(battle("V-M C5", "I-M F5, I-M E5")), "both ends have to be larger"


@pytest.mark.clause("HX-Q05")
def test_a_line_along_an_edge_is_blocked_only_from_both_sides() -> None:
    """Example 22."""
    assert seen(battle("I-M E5", "I-M E7, I-M D6"))
    assert not seen(battle("I-M E5", "I-M E7, I-M D6, I-M E6"))
    t = battle("I-M E5", "I-M E7, I-M D6, I-M E6")
    assert blockers(t, t.units[0], "E5", t.units[1], "E7") == ("D6", "E6")
    assert not seen(battle("I-M E5", "I-M E7, I-M D6", ground="woods E6"))
    assert not seen(battle("I-M E5", "I-M E7, I-M E6", ground="woods D6"))
    assert not seen(battle("I-M E5", "I-M E7", ground="woods D6 E6"))
    assert seen(battle("I-M E5", "I-M E7", ground="woods E6"))


@pytest.mark.clause("HX-Q05")
def test_off_the_map_nothing_is_in_the_way() -> None:
    assert seen(battle("I-M A1", "I-M A3, I-M A2"))


@pytest.mark.clause("HX-LOS-02")
def test_terrain_blocks_who_is_not_larger() -> None:
    assert not seen(battle("V-M C5", "V-M F5", ground="woods E5"))
    assert seen(battle("V-H C5", "V-H F5", ground="woods E5"))
    assert not seen(battle("V-H C5", "V-H F5", ground="citadel E5"))


@pytest.mark.clause("HX-LOS-05", "HX-S30", "HX-S37", "HX-S38", "HX-S39")
@pytest.mark.parametrize("ground", ["", "road D5, road E5", "water E5", "ford E5"])
def test_empty_hexes_of_no_size_do_not_block(ground: str) -> None:
    t = battle("I-M C5", "I-M F5", ground=ground)
    t.entrenchments.append("D5")
    assert seen(t)


@pytest.mark.clause("HX-Q05")
def test_of_unit_and_terrain_in_a_hex_the_larger_counts() -> None:
    assert not seen(battle("V-H C5, I-M E5", "V-H F5", ground="citadel E5"), 0, 2)
    assert not seen(battle("V-H C5, G-L E5", "V-H F5", ground="woods E5"), 0, 2)
    assert seen(battle("V-H C5, I-M E5", "V-H F5", ground="woods E5"), 0, 2)


@pytest.mark.clause("HX-Q05")
def test_the_own_hex_and_the_targets_never_block() -> None:
    assert seen(battle("I-M C5", "I-M F5", ground="ruins C5 F5"))


@pytest.mark.clause("HX-LOS-03", "HX-LOS-04", "HX-Q06")
def test_a_god_machine_sees_and_is_seen_through_a_smaller_hex_beside_it() -> None:
    """Example 23."""
    assert seen(battle("G-H E5", "I-M F7", ground="woods E6"))


@pytest.mark.clause("HX-LOS-03", "HX-Q06")
def test_a_hex_that_is_not_beside_the_god_machine_blocks() -> None:
    """Example 24."""
    assert not seen(battle("G-H C5", "I-M F5", ground="woods E5"))


@pytest.mark.clause("HX-LOS-03")
def test_a_hex_beside_it_that_is_too_large_blocks() -> None:
    """Example 25."""
    assert not seen(battle("G-H E5, G-M F5", "I-M G5"), 0, 2)
    assert seen(battle("G-H E5, G-L F5", "I-M G5"), 0, 2)


@pytest.mark.clause("HX-Q06")
def test_of_two_god_machines_each_may_use_it() -> None:
    assert seen(battle("G-SH C5, G-M D5", "G-M F5"), 0, 2)
    assert seen(battle("G-M C5", "G-SH F5, G-M E5"))
    assert not seen(battle("G-SH C5, G-M E5", "G-M F5"), 0, 2), "it is beside the smaller one alone"


@pytest.mark.clause("HX-S34")
def test_a_hill_raises_firer_target_and_blocker() -> None:
    assert not seen(battle("I-M C5", "I-M F5, I-M D5"))
    assert not seen(battle("I-M C5", "I-M F5, I-M D5", ground="hill C5"))
    assert seen(battle("I-M C5", "I-M F5, I-M D5", ground="hill C5 F5"))
    assert not seen(battle("I-M C5", "I-M F5, I-SH D5", ground="hill C5 F5"))
    assert seen(battle("V-H C5", "V-H F5, V-M D5"))
    assert not seen(battle("V-H C5", "V-H F5, V-M D5", ground="hill D5"))
    assert not seen(battle("I-M C5", "I-M F5", ground="hill D5"))


@pytest.mark.clause("HX-S34", "HX-LOS-03", "HX-Q06")
def test_a_hill_under_a_god_machine_lets_it_see_through_a_larger_hex_beside_it() -> None:
    assert seen(battle("G-L C5, V-M D5", "I-M F5"), 0, 2)
    assert not seen(battle("G-L C5, V-H D5", "I-M F5"), 0, 2)
    assert seen(battle("G-L C5, V-H D5", "I-M F5", ground="hill C5"), 0, 2)
    assert not seen(battle("G-L C5, V-H D5", "I-M F5", ground="hill F5"), 0, 2), "it is the machine's hill that counts"
    assert not seen(battle("G-L C5, V-SH D5", "I-M F5", ground="hill C5"), 0, 2)


@pytest.mark.clause("HX-S36", "HX-LOS-02")
def test_a_spire_is_as_large_as_a_scout_titan() -> None:
    spire = "spire E5"
    assert not seen(battle("G-M C5", "G-M G5", ground=spire))
    assert not seen(battle("G-M C5", "G-H G5", ground=spire))
    assert seen(battle("G-H C5", "G-H G5", ground=spire))
    assert seen(battle("I-M D5", "G-SH F5", ground=spire)), "beside the largest, two sizes smaller"
    assert not seen(battle("I-M D5", "G-H F5", ground=spire)), "beside one that is larger by one alone"


@pytest.mark.clause("HX-Q23")
def test_losses_do_not_make_a_unit_smaller() -> None:
    t = battle("V-SH C5", "V-SH F5", ground="citadel E5")
    t.change(0, strength=1)
    assert seen(t)


@pytest.mark.clause("HX-LOS-01")
def test_from_a_hex_where_it_would_stand_a_unit_is_not_in_its_own_way() -> None:
    t = battle("I-M D5", "I-M F5")
    assert sees(t, t.units[0], "C5", t.units[1], "F5")
    assert sees(t, t.units[1], "F5", t.units[0], "C5")


def test_a_sighting_names_what_is_in_the_way() -> None:
    t = battle("I-M C5", "I-M F5, V-M E5, I-M C3", ground="woods D5")
    first, second, third = sight(t, 0, draw=True)
    assert (first.target, first.seen) == (1, False)
    assert first.words == (
        "The Line Troops 0 at C5 do not see the Line Troops 1 at F5: in the way is the woods at D5, size 2"
    )
    assert first.lines[0].stop == t.map.centre("D5")
    assert second.pieces[0].by == "the woods at D5"
    assert third.seen
    assert third.words == "The Line Troops 0 at C5 see the Line Troops 3 at C3"
    assert third.lines[0].state == "clear"
    (other,) = sight(t, 0, (1,), places={0: t.map.centre("E4")})
    assert other.seen
    assert other.lines == ()
    (by_unit,) = sight(battle("I-M C5", "I-M E5, I-M D5"), 0, (1,))
    assert by_unit.words.endswith("in the way is the Line Troops 2 at D5, size 1")
    (titan,) = sight(battle("G-H C5", "I-M F5"), 0, (1,))
    assert titan.words.startswith("The Battle Titan 0 at C5 sees ")
