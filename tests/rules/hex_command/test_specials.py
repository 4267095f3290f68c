"""Cards with other effects than orders, or with additional effects."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.asking import offered
from caltrop.engine import Match
from caltrop.rules.hex_command.cards import Play
from caltrop.rules.hex_command.catalogue import battle_die
from caltrop.rules.hex_command.movement import EndMoves
from caltrop.rules.hex_command.orders import EndOrders, OrderUnit
from caltrop.rules.hex_command.records import Battle, Unit
from caltrop.rules.hex_command.specials import Name, Repaired, Strike, under_the_lance
from tests.rules.hex_command.tables import asked, battle, begin, dice, done, now, options, refused


def playing(card: str, south: str, north: str, *rolls: tuple[int, ...], **more: Any) -> Match:
    """Return a battle in which South has played the only card of its hand."""
    match = begin(battle(south, north, hands=((card,), ("probe-left",)), **more), *rolls)
    match.play(0, Play(card))
    return match


def unit(match: Match, id: int) -> Unit:
    return now(match).units[id]


# --- Barrage ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("HX-S52", "HX-Q33")
def test_a_barrage_rolls_four_dice_at_any_enemy_without_regard_to_cover_or_rank() -> None:
    # Infantry could neither see nor reach the target. Woods would take dice away, and rank a Target.
    match = playing("barrage", "I-M G9", "V-SH A1, I-M M1, L-L M1", dice("T T V L"), (1,), ground="woods A1")
    assert asked(match) == [("ChooseTarget", 0)]
    assert options(match) == [Strike(1), Strike(2)]
    assert refused(match, Strike(0)).clause == "HX-S52"
    assert refused(match, Strike(4)).message == "That unit is not an enemy on the map: number 4"
    assert refused(match, Strike(3)).code == "attached"
    match.play(0, Strike(1))
    assert unit(match, 1).strength == 1
    assert not match.waiting
    done(match)


@pytest.mark.clause("HX-S52", "HX-S15", "HX-Q33")
def test_what_a_barrage_drives_off_retreats_towards_its_own_base_line() -> None:
    match = playing("barrage", "I-M G9", "I-M G5", dice("R L L L"), (1,))
    match.play(0, Strike(1))
    assert asked(match) == [("FallBack", 1)]
    assert {a.to for a in options(match, 1)} == {"F4", "G4"}
    match.play(1, options(match, 1)[0])
    done(match)


# --- Orbital Lance ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("HX-S53", "HX-Q33")
def test_the_lance_strikes_both_sides_in_and_around_a_hex_in_the_order_of_the_caller() -> None:
    south, north = "I-M G6, I-M A9", "V-M G5, I-M F5, I-M A1"
    match = playing("orbital-lance", south, north, dice("I"), dice("V T L"), dice("R"), (1,))
    assert asked(match) == [("NameHex", 0)]
    result = refused(match, Name("G99"))
    assert (result.clause, result.code) == ("HX-S53", "no-hex")
    match.play(0, Name("G5"))
    assert asked(match) == [("ChooseNext", 0)]
    assert options(match) == [Strike(2), Strike(3), Strike(0)]
    assert refused(match, Strike(4)).clause == "HX-S53"
    match.play(0, Strike(0))
    assert unit(match, 0).strength == 3
    match.play(0, Strike(2))
    assert unit(match, 2).strength == 1
    # The last unit is struck without a question, and falls back away from the named hex.
    assert unit(match, 3).hex == "E5"
    assert not match.waiting
    done(match)


@pytest.mark.clause("HX-S53")
def test_where_the_lance_strikes_the_enemy_hardest_is_offered_first() -> None:
    match = playing("orbital-lance", "I-M G7, I-M G9", "V-M G5, I-M F5, I-M A1", (1,))
    words = [offer.words for offer in offered(match.waiting[0]).offers(now(match))]
    assert set(words[:2]) == {"Name F5: it strikes 2", "Name G5: it strikes 2"}
    assert words[-1].endswith("1 of them yours")
    struck = {offer.action.to: offer.words for offer in offered(match.waiting[0]).offers(now(match))}
    assert struck["G6"] == "Name G6: it strikes 2, 1 of them yours"
    assert sorted(struck) == sorted(h for h in now(match).map.hexes if under_the_lance(now(match), h))


@pytest.mark.clause("HX-S53", "HX-S15")
def test_a_unit_in_the_hex_named_retreats_towards_its_own_base_line() -> None:
    match = playing("orbital-lance", "I-M G5", "I-M A1", dice("R L L"), (1,))
    match.play(0, Name("G5"))
    assert asked(match) == [("FallBack", 0)]
    assert {a.to for a in options(match)} == {"F6", "G6"}
    match.play(0, options(match)[0])


@pytest.mark.clause("HX-S53")
def test_a_lance_may_strike_nobody() -> None:
    match = playing("orbital-lance", "I-M G9", "I-M A1", (1,))
    assert len(options(match)) == 113
    match.play(0, Name("M5"))
    assert not match.waiting
    done(match)


# --- Field Repair -----------------------------------------------------------------------------------------------------


def weakened(card: str, south: str, strength: int, *rolls: tuple[int, ...], was: str = "") -> Match:
    t: Battle = battle(south, "I-M A1", hands=((card,), ("probe-left",)))
    t.change(0, strength=strength, was=was)
    match = begin(t, *rolls)
    match.play(0, Play(card))
    return match


@pytest.mark.clause("HX-S54")
def test_field_repair_brings_models_back_and_never_more_than_there_were() -> None:
    # Worked example 39: three symbols count, and two models come back.
    match = weakened("field-repair", "V-M G7, I-M F7", 1, dice("V T T I L R"), (1,))
    events = match.play(0, OrderUnit(0))
    assert unit(match, 0).strength == 3
    event = next(e for e in events if isinstance(e, Repaired))
    assert event.back == 2
    assert event.touches() == (0,)
    assert event.sentence(now(match)).endswith("Field Repair brings 2 models back")
    assert event.motion(now(match)).tag == "+2"
    read = event.reading(now(match))
    assert [die.result for die in read.dice] == ["1 model", "1 model", "1 model", "", "", ""]
    assert [battle_die(now(match))[die.face - 1] for die in read.dice] == list(event.symbols)
    assert (read.came, read.target, read.unit) == ("2 models back", None, 0)
    assert [(tally.label, tally.got) for tally in read.tallies] == [("symbols that repair", 3)]
    assert read.tallies[0].mean == 6 * sum(s in ("target", "vehicle") for s in battle_die(now(match))) / 6
    # The unit neither moves nor battles.
    assert not match.waiting
    done(match)


@pytest.mark.clause("HX-S54")
@pytest.mark.parametrize(
    ("south", "start", "roll", "left"),
    [
        ("I-M G7", 1, "I V G L R R", 2),
        ("G-H G7", 1, "G G T I V R", 4),
        ("L-M G7", 2, "L I V G R R", 4),
        ("L-SH G7", 2, "L V I G R R", 4),
        ("L-SH G7", 2, "I I I G R R", 2),
        ("I-M G7", 3, "R R L L G G", 3),
    ],
)
def test_target_and_the_symbols_of_its_class_restore_a_unit(south: str, start: int, roll: str, left: int) -> None:
    match = weakened("field-repair", south, start, dice(roll), (1,))
    match.play(0, OrderUnit(0))
    assert unit(match, 0).strength == left
    done(match)


@pytest.mark.clause("HX-S54", "HX-LDU-05")
def test_a_single_leader_left_of_a_unit_stays_one() -> None:
    match = weakened("field-repair", "L-L G7", 1, dice("L L T T I I"), (1,), was="leader-medium")
    match.play(0, OrderUnit(0))
    assert (unit(match, 0).strength, unit(match, 0).kind) == (1, "leader-light")


@pytest.mark.clause("HX-S54")
def test_nobody_needs_to_be_repaired() -> None:
    match = weakened("field-repair", "V-M G7", 1, (1,))
    match.play(0, EndOrders())
    assert unit(match, 0).strength == 1
    done(match)


# --- Dig In -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("HX-S56", "HX-S39")
def test_infantry_that_is_next_to_no_enemy_digs_in_instead_of_moving() -> None:
    south = "I-M G7, L-M F7, V-M E7, I-M D5, I-M B5, I-M C7, I-M A9"
    match = playing("dig-in", south, "I-M D4, I-M G5", (1,), ground="hill G7")
    assert [a.unit for a in options(match) if isinstance(a, OrderUnit)] == [0, 1, 4, 5, 6]
    assert refused(match, OrderUnit(2)).code == "not-infantry"
    assert refused(match, OrderUnit(3)).code == "next-to-an-enemy"
    for id in (0, 1, 4, 5):
        match.play(0, OrderUnit(id))
    t = now(match)
    assert sorted(t.entrenchments) == ["B5", "C7", "F7", "G7"]
    # No unit moves. Units that can battle do so.
    assert asked(match) == [("ChooseBattle", 0)]


@pytest.mark.clause("HX-S56")
def test_a_hex_has_one_entrenchment_at_most() -> None:
    t = battle("I-M G7", "I-M A1", hands=(("dig-in",), ("probe-left",)))
    t.entrenchments.append("G7")
    match = begin(t, (1,))
    match.play(0, Play("dig-in"))
    match.play(0, OrderUnit(0))
    assert now(match).entrenchments == ["G7"]


@pytest.mark.clause("HX-S56", "HX-LDS-07")
def test_a_leader_may_leave_the_infantry_that_digs_in() -> None:
    match = playing("dig-in", "I-M G7, L-L G7", "I-M A1", (1,))
    match.play(0, OrderUnit(0))
    assert asked(match) == [("MoveUnits", 0)]
    assert {a.unit for a in options(match) if not isinstance(a, EndMoves)} == {1}
