"""Refusals in their own words instead of general ones; and the decisions of each side."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, Refused
from caltrop.rules.hex_command import ruleset
from caltrop.rules.hex_command.armies import LISTS
from caltrop.rules.hex_command.battling import Battles, Engage, LetItCome
from caltrop.rules.hex_command.cards import Draw, Keep, Play, PlayACard
from caltrop.rules.hex_command.movement import March, Moves
from caltrop.rules.hex_command.records import Battle
from caltrop.rules.hex_command.setup import Place, PlaceUnit
from caltrop.rules.hex_command.specials import Inspire, Name, Strike
from tests.rules.hex_command.tables import asked, battle, begin, dice, done, now, refused


@pytest.mark.clause("HX-S40", "HX-TRN-01")
def test_what_is_no_card_is_refused_as_such() -> None:
    match = begin(battle("I-M E9", "I-M E1", hands=(("probe-left",), ())))
    result = refused(match, Play("probe"))
    assert (result.clause, result.code) == ("HX-S40", "no-card")
    assert refused(match, Play("pincer")).code == "not-held"


@pytest.mark.clause("HX-S41")
def test_of_two_cards_drawn_no_third_is_kept() -> None:
    match = begin(battle("I-M E9", "I-M E1", hands=(("pincer",), ())), (1,), (2,), at=Draw(side=0, cards=2))
    assert asked(match) == [("KeepOne", 0)]
    result = refused(match, Keep("pincer"))
    assert (result.clause, result.code) == ("HX-S41", "not-drawn")
    assert refused(match, Keep("probe")).code == "no-card"


def moving(south: str, ground: str = "") -> Match:
    """Return a match in South's Move step with all its units ordered."""
    t = battle(south, "I-M E1", ground=ground)
    t.card = "direct-command"
    t.ordered.extend(u.id for u in t.units if u.side == 0)
    return begin(t, at=Moves(side=0))


@pytest.mark.clause("HX-TRN-03")
def test_only_a_unit_of_one_s_own_is_moved() -> None:
    match = moving("I-M E5")
    for unit in (1, 99):
        result = refused(match, March(unit, "E4"))
        assert (result.clause, result.code) == ("HX-TRN-03", "no-unit-of-yours")


@pytest.mark.clause("HX-S35")
def test_infantry_stops_in_a_citadel() -> None:
    match = moving("I-L E5", "citadel F5")
    result = refused(match, March(0, "G5"))
    assert (result.clause, result.code) == ("HX-S35", "stops-in-citadel")
    match.play(0, March(0, "F5"))
    assert now(match).units[0].hex == "F5"


@pytest.mark.clause("HX-S20", "HX-S36")
def test_a_way_round_may_be_too_far() -> None:
    match = moving("I-L E5", "spire F5")
    result = refused(match, March(0, "G5"))
    assert (result.clause, result.code) == ("HX-S20", "too-far-round")
    result = refused(match, March(0, "F5"))
    assert result.clause == "HX-S36"


@pytest.mark.clause("HX-S30")
@pytest.mark.parametrize("ground", ["road", "bridge"])
def test_a_unit_goes_a_hex_farther_where_all_is_road(ground: str) -> None:
    match = moving("V-M A5", f"{ground} A5 B5 C5 D5 E5")
    match.play(0, March(0, "E5"))
    assert now(match).moved == {0: 4}
    assert refused(moving("V-M A5", f"{ground} A5 B5 C5 E5"), March(0, "E5")).code == "too-far"


@pytest.mark.clause("HX-S58")
def test_of_two_leaders_one_inspires_those_around() -> None:
    south = "I-M E5, L-L E5, I-M F5, I-M A9, L-L A9, I-M B9"
    match = begin(battle(south, "I-M E1", hands=(("inspired-leadership",), ())))
    match.play(0, Play("inspired-leadership"))
    assert asked(match) == [("ChooseLeader", 0)]
    result = refused(match, Inspire(2))
    assert (result.clause, result.code) == ("HX-S58", "no-leader")
    match.play(0, Inspire(4))
    assert sorted(now(match).ordered) == [3, 4, 5]


@pytest.mark.clause("HX-S53")
def test_the_lance_strikes_only_units_that_it_has_still_to_strike() -> None:
    match = begin(battle("I-M A9", "I-M E5, I-M F5, I-M M1", hands=(("orbital-lance",), ())))
    match.play(0, Play("orbital-lance"))
    match.play(0, Name("E5"))
    result = refused(match, Strike(3))
    assert (result.clause, result.code) == ("HX-S53", "not-under-it")


@pytest.mark.clause("HX-S57", "HX-S40")
@pytest.mark.parametrize(("discards", "question"), [((), "SurgeOrNot"), (("shield-surge",), "")])
def test_nobody_is_asked_for_the_one_shield_surge_once_it_lies_face_up(
    discards: tuple[str, ...], question: str
) -> None:
    t = battle("V-M E5", "G-L F5", hands=((), ("pincer",)), discards=discards)
    t.ordered.append(0)
    rolls = [dice("G I I")] if question else [dice("G I I"), dice("I I I I")]
    match = begin(t, *rolls, at=Battles(side=0))
    match.play(0, Engage(0, 1))
    match.play(1, LetItCome())
    assert [name for name, _ in asked(match)] == ([question] if question else [])
    done(match)


@pytest.mark.clause("HX-S62", "HX-S63")
def test_the_two_printed_armies_can_be_chosen() -> None:
    assert {"iron-concord", "ashen-horde"} <= set(LISTS.files)


FREE = """\
ruleset: hex-command
id: x
title: X
minutes: 5
words: A free battle with an objective where the first unit of South is placed.
terrain: {}
south: {name: A, army: iron-concord}
north: {name: B, army: ashen-horde}
objectives: [{at: A8}]
"""
SMALL = """\
ruleset: hex-command
id: y
title: Y
units:
  - {kind: infantry-medium, count: 3}
"""


@pytest.mark.clause("HX-S60", "HX-TRN-01", "HX-S64")
def test_when_all_are_placed_objectives_count_and_the_first_turn_begins() -> None:
    t = ruleset.setup(ruleset.book(), FREE, (SMALL, SMALL), 15)
    match = Match(ruleset, t, Seeded(1))
    while isinstance(decision := match.waiting[0], PlaceUnit):
        match.play(decision.side, decision.options(match.view(decision.side)).first())
    state: Any = match.state
    assert isinstance(state, Battle)
    assert isinstance(match.waiting[0], PlayACard)
    assert state.captured == {"A8": 0}
    assert state.turns == [1, 0]


@pytest.mark.clause("HX-S10")
def test_a_place_off_the_map_is_refused_as_such() -> None:
    match = Match(ruleset, ruleset.setup(ruleset.book(), "free-battle", (SMALL, SMALL), 15), Seeded(1))
    with pytest.raises(Refused) as raised:
        match.play(1, Place(3, "N1"))
    assert (raised.value.refusal.clause, raised.value.refusal.code) == ("HX-S10", "off-the-map")
