"""What a battle that may be announced can end in, as the page and the opponents are told."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.rules.hex_command.battling import Battles, EndBattles, Engage, LetItCome, SpringAmbush
from caltrop.rules.hex_command.preview import Preview, between, preview
from caltrop.rules.hex_command.specials import Barrage, Lance, Name, Strike
from tests.rules.hex_command.tables import battle, begin, now


def told(south: str, north: str, action: Any, **given: Any) -> Preview:
    """The preview of a battle of South."""
    t = battle(south, north, **given)
    t.ordered.extend([u.id for u in t.units if u.side == 0])
    match = begin(t, at=Battles(side=0))
    found = preview(match.view(0), 0, action)
    assert found is not None
    return found


@pytest.mark.clause("HX-TRN-07", "HX-S33", "HX-VOI-01")
def test_a_preview_tells_the_dice_the_shields_and_what_may_be_left() -> None:
    found = told("V-M E5", "G-L F5", Engage(0, 1), ground="woods F5")
    assert (found.attack_dice, found.defence_dice) == (1, 4)
    assert [(term.value, term.clause) for term in found.dice] == [(3, "HX-S20"), (-2, "HX-S32")]
    assert [term.clause for term in found.because] == ["HX-S20", "HX-S32", "HX-VOI-01"]
    assert sum(o.p for o in found.outcomes) == pytest.approx(1)
    assert [o.words for o in found.outcomes] == ["3 points", "4 points", "4 points, back 1"]
    assert found.destroyed == 0
    assert found.expected["points"] == pytest.approx(4 - 5**4 / 6**5)
    assert found.answers == ()


@pytest.mark.clause("HX-Q08", "HX-LDS-05")
def test_the_room_behind_the_target_counts() -> None:
    free = told("I-M E5", "I-M F5", Engage(0, 1))
    assert {o.retreat for o in free.outcomes} == {0, 1, 2, 3}
    pinned = told("I-M E5", "I-M F5, I-M G5, I-M F4, I-M F6", Engage(0, 1))
    assert {o.retreat for o in pinned.outcomes} == {0}
    assert pinned.expected["models"] == pytest.approx(4 - 1.5)
    led = told("I-M E5", "I-M F5, L-L F5", Engage(0, 1))
    assert "3 models, back 1, leader lost" not in [o.words for o in led.outcomes], "one symbol of two is ignored"
    assert "3 models, leader lost" in [o.words for o in led.outcomes]


@pytest.mark.clause("HX-Q19")
@pytest.mark.house("battle_back", "on")
def test_what_the_target_may_do_in_return_is_told() -> None:
    found = told("V-M E5", "I-M F5", Engage(0, 1), rules={"battle_back": "on"})
    assert [(a.attacker, a.target, a.attack_dice) for a in found.answers] == [(1, 0, 3)]
    assert told("V-M E5", "I-M G5", Engage(0, 1), rules={"battle_back": "on"}).answers == ()


@pytest.mark.clause("HX-S55")
def test_an_ambush_is_foreseen_too() -> None:
    t = battle("V-M E5", "I-M F5", hands=((), ("ambush",)))
    t.ordered.append(0)
    match = begin(t, at=Battles(side=0))
    match.play(0, Engage(0, 1))
    found = preview(match.view(1), 1, SpringAmbush())
    assert found is not None
    assert (found.attacker, found.target, found.attack_dice) == (1, 0, 3)
    assert preview(match.view(1), 1, LetItCome()) is None


@pytest.mark.clause("HX-S52", "HX-S53", "HX-Q33")
def test_the_dice_of_cards_are_foreseen() -> None:
    t = battle("I-M A9", "I-M F5, V-M F1", ground="ruins F5")
    t.card = "barrage"
    match = begin(t, at=Barrage(side=0))
    found = preview(match.view(0), 0, Strike(1))
    assert found is not None
    assert (found.attacker, found.attack_dice) == (None, 4)
    edge = preview(match.view(0), 0, Strike(2))
    assert edge is not None
    assert {o.retreat for o in edge.outcomes} == {0}, "behind it is the edge of the map"
    t = battle("I-M E5", "I-M F5")
    t.card = "orbital-lance"
    match = begin(t, at=Lance(side=0))
    match.play(0, Name("F5"))
    dice = [preview(match.view(0), 0, Strike(unit)) for unit in (1, 0)]
    assert [d and d.attack_dice for d in dice] == [3, 1]


def test_what_is_refused_or_rolls_nothing_has_no_preview() -> None:
    t = battle("V-M E5", "I-M F5, I-M G7")
    t.ordered.append(0)
    match = begin(t, at=Battles(side=0))
    assert preview(match.view(0), 0, Engage(0, 2)) is None
    assert preview(match.view(0), 0, EndBattles()) is None


def test_opponents_may_ask_from_a_hex_where_the_unit_does_not_stand_yet() -> None:
    t = battle("I-M C5", "I-M F5", ground="ford E5")
    assert between(now(begin(t, at=Battles(side=0))), t.units[0], t.units[1], "E5").range == 1
    assert between(t, t.units[0], t.units[1], "E5").attacker != between(t, t.units[0], t.units[1]).attacker
