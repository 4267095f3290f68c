"""Causes: losses, retreats, banners, objectives and cards lead back to exactly the right dice and decisions."""

from __future__ import annotations

from typing import Any

from caltrop.engine.cause import HiddenDraw
from caltrop.rules.hex_command.attack.events import Attacked
from caltrop.rules.hex_command.attack.procedure import FallBackTo
from caltrop.rules.hex_command.battling import EndBattles, Engage
from caltrop.rules.hex_command.cards import Drew, Play
from caltrop.rules.hex_command.movement import EndMoves, March
from caltrop.rules.hex_command.orders import EndOrders, OrderUnit
from caltrop.rules.hex_command.records import Objective
from caltrop.rules.hex_command.retreat import FellBack
from caltrop.rules.hex_command.victory import ObjectiveTaken, UnitLost
from tests.rules.causes import Chains
from tests.rules.hex_command.tables import battle, begin, dice, options

ENDS = (EndOrders(), EndMoves(), EndBattles())


def played(t: Any, *rolls: tuple[int, ...], answers: tuple[Any, ...]) -> Chains:
    """Return the causes of South's turn with these answers. All other questions are ended, or get the first answer."""
    match, left = begin(t, *rolls), list(answers)
    while match.waiting:
        side = match.waiting[0].side
        every = options(match, side)
        fits = next((a for a in left if a in every), None)
        if fits is not None:
            left.remove(fits)
        match.play(side, fits or next((end for end in ENDS if end in every), every[0]))
    assert not left
    return Chains(match)


CARD, FIRST, SECOND = Play("general-advance"), Engage(0, 2), Engage(1, 3)


def two_attacks(*rolls: tuple[int, ...], strength: int = 4) -> Chains:
    """Return the chains of two attacks by South's tanks, each at an infantry unit."""
    t = battle("V-M G6, V-M C6", "I-M G4, I-M C4", hands=(("general-advance",), ("pincer",)))
    for unit in (2, 3):
        t.change(unit, strength=strength)
    return played(t, *rolls, answers=(CARD, OrderUnit(0), OrderUnit(1), FIRST, SECOND))


def to_of(event: Any) -> Any:
    """Return the hex to which a unit fell back."""
    return event.to


def test_a_loss_and_a_retreat_lead_back_to_the_attack_its_dice_the_order_and_the_card() -> None:
    first, second = dice("I R T"), dice("I I R")
    result = two_attacks(first, second, (1,))
    for unit, roll, own, order, other in ((2, first, FIRST, 0, SECOND), (3, second, SECOND, 1, FIRST)):
        attacked, back = result.last(Attacked, target=unit), result.last(FellBack, unit=unit)
        assert attacked.number in back.because
        for link in (attacked, back):
            decisions = result.decisions(link)
            assert own in decisions
            assert other not in decisions
            assert CARD in decisions
            assert OrderUnit(order) in decisions
            assert OrderUnit(1 - order) not in decisions
            assert result.dice(link) == [roll]
        assert [a for a in result.decisions(back) if isinstance(a, FallBackTo)][-1:] == [FallBackTo(to_of(back.what))]
        assert "HX-RET-02" in back.clauses
        assert "HX-Q10" in attacked.clauses


def test_a_banner_leads_back_over_the_unit_lost_to_the_attack_on_it() -> None:
    result = two_attacks(dice("I I I"), dice("R I I"), (1,), strength=1)
    for unit, own in ((2, FIRST), (3, SECOND)):
        lost = result.last(UnitLost, unit=unit)
        assert result.last(Attacked, target=unit).number in lost.because
        assert [a for a in result.decisions(lost) if isinstance(a, Engage)] == [own]


def test_an_objective_leads_back_to_the_march_that_took_it() -> None:
    t = battle(
        "V-M G7, V-M C7",
        "I-M A1",
        hands=(("general-advance",), ("pincer",)),
        objectives=(Objective(hex="G6", permanent=False),),
    )
    went, aside = March(0, "G6"), March(1, "C6")
    result = played(t, (1,), answers=(CARD, OrderUnit(0), OrderUnit(1), aside, went))
    taken = result.last(ObjectiveTaken, hex="G6")
    assert went in result.decisions(taken)
    assert aside not in result.decisions(taken)
    assert "Marched" in result.events(taken)


def test_a_card_drawn_leads_back_to_the_card_played_and_to_a_draw_that_shows_no_face() -> None:
    result = two_attacks(dice("T T T"), dice("T T T"), (1,))
    drew = result.last(Drew, side=0)
    assert result.decisions(drew) == [CARD]
    (draw,) = [link for link in result.links if link.what == HiddenDraw(0)]
    assert draw.number in drew.because
    assert "HX-TRN-08" in draw.clauses
    assert not hasattr(draw.what, "faces")
