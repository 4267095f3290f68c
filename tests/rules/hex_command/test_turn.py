"""The sequence of a turn and of a battle."""

from __future__ import annotations

import pytest

from caltrop.rules.hex_command.battling import EndBattles, Engage
from caltrop.rules.hex_command.cards import CardPlayed, Drew, Play
from caltrop.rules.hex_command.movement import EndMoves, March
from caltrop.rules.hex_command.orders import OrderUnit, UnitsOrdered
from caltrop.rules.hex_command.records import Limit
from caltrop.rules.hex_command.turn import Game, Turn, TurnBegan
from tests.rules.hex_command.tables import asked, battle, begin, dice, done, now, options, refused


@pytest.mark.clause(
    *("HX-TRN-01", "HX-TRN-02", "HX-TRN-03", "HX-TRN-04", "HX-TRN-08", "HX-MOV-05"),
)
def test_a_turn_is_a_card_orders_moves_battles_and_a_draw() -> None:
    t = battle("V-M G7, V-M F7", "I-M G4", hands=(("probe-centre",), ("pincer",)))
    match = begin(t, dice("R G L"), (1,))
    assert match.opening == (TurnBegan(0, 1),)
    assert asked(match) == [("PlayACard", 0)]
    events = list(match.play(0, Play("probe-centre")))
    assert asked(match) == [("OrderUnits", 0)]
    assert refused(match, March(0, "G6")).clause == "HX-TRN-02"
    match.play(0, OrderUnit(0))
    events += match.play(0, OrderUnit(1))
    assert asked(match) == [("MoveUnits", 0)]
    match.play(0, March(0, "G6"))
    assert refused(match, Engage(0, 2)).clause == "HX-TRN-03"
    match.play(0, EndMoves())
    assert asked(match) == [("ChooseBattle", 0)]
    assert refused(match, March(1, "F6")).code
    match.play(0, Engage(0, 2))
    while asked(match) == [("FallBack", 1)]:
        match.play(1, options(match, 1)[0])
    if asked(match) == [("ChooseBattle", 0)]:
        events += match.play(0, EndBattles())
    assert not match.waiting
    assert [e for e in events if isinstance(e, (CardPlayed, UnitsOrdered))] == [
        CardPlayed(0, "probe-centre"),
        UnitsOrdered(0, (0, 1)),
    ]
    assert now(match).held == [1, 1]
    done(match)


@pytest.mark.clause("HX-TRN-01")
def test_what_belonged_to_the_last_turn_alone_is_forgotten() -> None:
    t = battle("V-M G7", "I-M G4", hands=(("pincer",), ("pincer",)))
    t.card = "probe-left"
    for shelf in (t.ordered, t.beside, t.by_road, t.entered, t.battled):
        shelf.append(0)
    for table in (t.moved, t.parted, t.spent):
        table[0] = 1
    t = now(begin(t))
    assert (t.card, t.ordered, t.beside, t.by_road, t.entered, t.battled) == ("", [], [], [], [], [])
    assert (t.moved, t.parted, t.spent) == ({}, {}, {})
    assert (t.turns, t.round) == ([1, 0], 1)


@pytest.mark.clause("HX-TRN-01", "HX-S40", "HX-S61")
def test_a_battle_is_dealt_and_then_turns_alternate_from_the_first_side_to_the_limit() -> None:
    t = battle("I-M G9", "I-M G1", first=1, limit=Limit(side=None, turns=2))
    match = begin(t, *[(1,)] * 14, at=Game())
    sides = []
    while match.over is None:
        side = match.waiting[0].side
        if asked(match)[0][0] == "PlayACard":
            sides.append(side)
        match.play(side, options(match, side)[-1])
    assert sides == [1, 0, 1, 0]
    assert now(match).turns == [2, 2]
    assert match.over.winner is None


def test_hands_that_are_dealt_already_are_kept() -> None:
    t = battle("I-M G9", "I-M G1", hands=(("pincer",), ("ambush",)))
    assert now(begin(t, at=Game())).hands == [("pincer",), ("ambush",)]


@pytest.mark.clause("HX-TRN-08", "HX-Q24")
def test_a_turn_without_orders_is_a_card_and_a_draw() -> None:
    match = begin(battle("I-M G9", "I-M G1", hands=(("ambush",), ("pincer",))), (3,), at=Turn(side=0))
    events = match.play(0, Play("ambush"))
    assert [type(e) for e in events] == [CardPlayed, UnitsOrdered, Drew]
    assert [e.sentence(now(match)) for e in events][:2] == ["South plays Ambush", "South orders nobody"]
    done(match)
