"""Forecasts of battles for the page and computer players."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import total
from caltrop.engine.forecast import Forecast
from caltrop.rules.hex_command.attack import HoldSurge, SurgeShields
from caltrop.rules.hex_command.battling import Battles, EndBattles, Engage, LetItCome, SpringAmbush
from caltrop.rules.hex_command.cards import Play
from caltrop.rules.hex_command.orders import OrderUnit
from caltrop.rules.hex_command.preview import between, preview
from caltrop.rules.hex_command.specials import Barrage, Lance, Name, Strike
from tests.rules.hex_command.tables import battle, begin, dice, now


def told(south: str, north: str, action: Any, **given: Any) -> Forecast:
    """Return the forecast of a battle of South."""
    t = battle(south, north, **given)
    t.ordered.extend([u.id for u in t.units if u.side == 0])
    match = begin(t, at=Battles(side=0))
    result = preview(match.view(0), 0, action)
    assert result is not None
    return result


def rolled(forecast: Forecast) -> int:
    """Return the number of battle dice."""
    return total(forecast.thrown[0].parts)


@pytest.mark.clause("HX-TRN-07", "HX-S33", "HX-VOI-01")
def test_a_preview_tells_the_dice_the_shields_and_what_may_be_left() -> None:
    result = told("V-M E5", "G-L F5", Engage(0, 1), ground="woods F5")
    assert [thrown.words for thrown in result.thrown] == ["1 battle die", "Shields: 4 dice if anything hits"]
    assert [(term.value, term.clause) for term in result.thrown[0].parts] == [(3, "HX-S20"), (-2, "HX-S32")]
    assert [term.clause for term in result.thrown[1].parts] == ["HX-VOI-01"]
    assert sum(o.p for o in result.outcomes) == pytest.approx(1)
    assert [o.words for o in result.outcomes] == ["3 points", "4 points", "4 points, back 1"]
    assert result.headline.startswith("Takes at least one point: ")
    assert "destroys" not in result.headline
    assert result.expected["points"] == pytest.approx(4 - 5**4 / 6**5)
    assert result.answers == ()


@pytest.mark.clause("HX-Q08", "HX-LDS-05")
def test_the_room_behind_the_target_counts() -> None:
    free = told("I-M E5", "I-M F5", Engage(0, 1))
    assert {o.parts["retreat"] for o in free.outcomes} == {0, 1, 2, 3}
    pinned = told("I-M E5", "I-M F5, I-M G5, I-M F4, I-M F6", Engage(0, 1))
    assert {o.parts["retreat"] for o in pinned.outcomes} == {0}
    assert pinned.expected["models"] == pytest.approx(4 - 1.5)
    led = told("I-M E5", "I-M F5, L-L F5", Engage(0, 1))
    assert "3 models, back 1, leader lost" not in [o.words for o in led.outcomes], "one symbol of two is ignored"
    assert "3 models, leader lost" in [o.words for o in led.outcomes]


@pytest.mark.clause("HX-Q19")
@pytest.mark.house("battle_back", "on")
def test_what_the_target_may_do_in_return_is_told() -> None:
    result = told("V-M E5", "I-M F5", Engage(0, 1), rules={"battle_back": "on"})
    assert [(a.by, a.target, a.about) for a in result.answers] == [(1, 0, "It battles back with 3 dice")]
    assert told("V-M E5", "I-M G5", Engage(0, 1), rules={"battle_back": "on"}).answers == ()


@pytest.mark.clause("HX-S55")
def test_an_ambush_is_foreseen_too() -> None:
    t = battle("V-M E5", "I-M F5", hands=((), ("ambush",)))
    t.ordered.append(0)
    match = begin(t, at=Battles(side=0))
    match.play(0, Engage(0, 1))
    result = preview(match.view(1), 1, SpringAmbush())
    assert result is not None
    assert (result.by, result.target, rolled(result)) == (1, 0, 3)
    assert preview(match.view(1), 1, LetItCome()) is None


@pytest.mark.clause("HX-S52", "HX-S53", "HX-Q33")
def test_the_dice_of_cards_are_foreseen() -> None:
    t = battle("I-M A9", "I-M F5, V-M F1", ground="ruins F5")
    t.card = "barrage"
    match = begin(t, at=Barrage(side=0))
    result = preview(match.view(0), 0, Strike(1))
    assert result is not None
    assert (result.by, rolled(result)) == (None, 4)
    edge = preview(match.view(0), 0, Strike(2))
    assert edge is not None
    assert {o.parts["retreat"] for o in edge.outcomes} == {0}, "behind it is the edge of the map"
    t = battle("I-M E5", "I-M F5")
    t.card = "orbital-lance"
    match = begin(t, at=Lance(side=0))
    match.play(0, Name("F5"))
    dice = [preview(match.view(0), 0, Strike(unit)) for unit in (1, 0)]
    assert [d and rolled(d) for d in dice] == [3, 1]


@pytest.mark.clause("HX-S53", "HX-Q33")
def test_a_hex_that_the_lance_may_be_aimed_at_tells_of_everybody_under_it() -> None:
    t = battle("I-M E5", "I-M F5, V-M G5, I-M A1")
    t.card = "orbital-lance"
    match = begin(t, at=Lance(side=0))
    result = preview(match.view(0), 0, Name("F5"))
    assert result is not None
    assert (result.target, rolled(result)) == (1, 3), "what is in the hex comes first"
    assert {(one.target, rolled(one)) for one in result.also} == {(0, 1), (2, 1)}, "one's own too"
    beside = preview(match.view(0), 0, Name("A2"))
    assert beside is not None
    assert (beside.target, rolled(beside), beside.also) == (3, 1, ())
    assert preview(match.view(0), 0, Name("L9")) is None, "nobody is there"


@pytest.mark.clause("HX-S53", "HX-Q08")
@pytest.mark.parametrize(("other", "exact"), [("G5", True), ("F4", False), ("E4", False)])
def test_the_odds_of_a_lance_are_exact_unless_a_unit_stands_in_the_way_of_another(other: str, exact: bool) -> None:
    """The unit in the hex falls back towards row 1, by F4 or E4. The unit at G5 falls back towards the east."""
    t = battle("", f"I-M F5, V-M {other}")
    t.card = "orbital-lance"
    result = preview(begin(t, at=Lance(side=0)).view(0), 0, Name("F5"))
    assert result is not None
    assert [one.exact for one in (result, *result.also)] == [exact] * 2
    assert bool(result.note) is not exact


@pytest.mark.clause("HX-S57", "HX-VOI-03")
def test_a_surge_is_weighed_against_the_dice_without_it() -> None:
    t = battle("G-H E7", "V-H E5", hands=(("shield-surge",), ()))
    t.ordered.append(1)
    match = begin(t, dice("G G T"), at=Battles(side=1))
    match.play(1, Engage(1, 0))
    plain, surge = (preview(match.view(0), 0, action) for action in (HoldSurge(), SurgeShields()))
    assert plain is not None
    assert surge is not None
    assert [thrown.words for one in (plain, surge) for thrown in one.thrown] == ["Shields: 6 dice", "Shields: 12 dice"]
    assert [term.clause for term in surge.thrown[0].parts] == ["HX-VOI-01", "HX-S57"]
    assert {o.parts["strength"]: o.p for o in plain.outcomes} == pytest.approx(
        {4: (5 / 6) ** 6, 5: (5 / 6) ** 5, 6: 1 - (5 / 6) ** 6 - (5 / 6) ** 5}
    )
    assert surge.expected["points"] > plain.expected["points"]


@pytest.mark.clause("HX-S57", "HX-RET-01", "HX-Q08")
def test_the_retreats_that_were_rolled_are_foreseen_after_the_shields() -> None:
    t = battle("G-H E8", "V-M E6", hands=(("shield-surge",), ()))
    t.ordered.append(1)
    match = begin(t, dice("G R R"), at=Battles(side=1))
    match.play(1, Engage(1, 0))
    result = preview(match.view(0), 0, HoldSurge())
    assert result is not None
    assert [o.words for o in result.outcomes] == ["4 points, back 1", "5 points, back 1"], "row 9 is the last"


@pytest.mark.clause("HX-S54")
def test_a_repair_is_foreseen() -> None:
    t = battle("V-M E5, I-M C5", "I-M A1", hands=(("field-repair", "barrage"), ()))
    t.change(0, strength=1)
    match = begin(t)
    match.play(0, Play("field-repair"))
    result = preview(match.view(0), 0, OrderUnit(0))
    assert result is not None
    assert (result.target, rolled(result)) == (0, 6)
    assert {o.words: o.p for o in result.outcomes} == pytest.approx(
        {
            "1 model": (2 / 3) ** 6,
            "2 models": 6 * (1 / 3) * (2 / 3) ** 5,
            "3 models": 1 - (2 / 3) ** 6 - 6 * (1 / 3) * (2 / 3) ** 5,
        }
    )
    whole = preview(match.view(0), 0, OrderUnit(1))
    assert whole is not None
    assert [o.words for o in whole.outcomes] == ["4 models"], "it cannot have more than it began with"


def test_an_order_of_another_card_rolls_nothing() -> None:
    match = begin(battle("V-M E5", "I-M A1", hands=(("direct-command",), ())))
    match.play(0, Play("direct-command"))
    assert preview(match.view(0), 0, OrderUnit(0)) is None


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
