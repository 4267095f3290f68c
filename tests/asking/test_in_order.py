"""Several attackers at one target, in order: exact odds, estimates, and the best order."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import msgspec
import pytest

from caltrop.asking import in_order
from caltrop.asking.in_order import Attacking
from caltrop.engine import redacted, ruleset
from caltrop.engine.forecast import AttacksInOrder, Forecast, in_hundred
from caltrop.rules.squad_action.orders import Orders
from caltrop.rules.squad_action.scene import block, scene, squad
from caltrop.scenarios.rulings import position, ruling

POSITIONS = [
    ("squad-action", "SQ-Q01", 4),
    ("squad-action", "SQ-W56", 1),
    ("hex-command", "HX-W06", 2),
    ("blade-skirmish", "BS-W36", 2),
    ("command-horizon", "W47", 3),
    ("command-horizon", "W95", 4),
]
"""Rulings in which several units may attack a unit: the game, the ruling, and the unit."""


def rules_of(game: str) -> Attacking:
    foresee: Any = ruleset(game).parts.in_order
    rules: Attacking = foresee.__self__
    return rules


def standing(game: str, name: str) -> tuple[Any, int]:
    """The view of the side that is asked in a ruling, and the side."""
    t = position(ruling(game, name)).state
    (decision,) = t.asked
    return redacted(t, decision.side), decision.side


def told(game: str, name: str, target: int, *units: int, best: bool = False, action: Any = None) -> AttacksInOrder:
    view, side = standing(game, name)
    return rules_of(game).foresee(view, side, target, action, units, best)


def chances(forecast: Forecast) -> dict[str, str]:
    return {one.words: one.probability for one in forecast.outcomes}


def worths(rules: Attacking, view: Any, side: int, target: int, order: tuple[int, ...]) -> tuple[float, ...]:
    """The means of all that orders are compared by, of the exact odds after the attacks in an order."""
    attacks = dict(rules.attackers(view, side, target))
    sequence = in_order._AttackSequence(rules, view, side, target, [attacks[unit] for unit in order])
    parts = [*sequence._parts(range(len(order))), *sequence._last]
    odds = sequence.chain.explored(parts, lambda t: rules.worth(rules.telling.state(t, target))).odds
    sums: dict[int, float] = {}
    for worth, chance in odds.items():
        for place, value in enumerate(worth):
            sums[place] = sums.get(place, 0) + value * float(chance)
    return tuple([round(value, 8) for value in sums.values()])


@pytest.mark.parametrize(("game", "name", "target"), POSITIONS)
def test_all_who_may_attack_are_listed_and_their_odds_are_exact(game: str, name: str, target: int) -> None:
    alone = told(game, name, target)
    assert len(alone.attackers) >= 2
    assert (alone.odds, alone.order, alone.best) == (None, (), ())
    one, *_ = alone.attackers
    assert told(game, name, target, one).odds is None, "a single attack has its own forecast"
    both = told(game, name, target, *alone.attackers)
    assert both.order == alone.attackers
    assert both.odds is not None
    assert both.odds.exact
    assert both.odds.target == target
    assert sum(one.p for one in both.odds.outcomes) == pytest.approx(1)
    # A unit of one's own, one that is not there, and an attacker named twice change nothing.
    assert told(game, name, alone.attackers[0], *alone.attackers) == AttacksInOrder()
    assert told(game, name, 999, *alone.attackers) == AttacksInOrder()
    assert told(game, name, target, *alone.attackers, 999, *alone.attackers) == both


def single(game: str, name: str, target: int) -> list[tuple[Forecast, Forecast, tuple[Forecast, ...]]]:
    """Each attack on a unit alone: its forecast, that of a sequence of this attack, and those of the whole act."""
    rules, (view, side) = rules_of(game), standing(game, name)
    parts = ruleset(game).parts
    assert parts.forecasts is not None
    assert parts.whole_acts is not None
    offers = [offer for offer in view.asked[0].offers(view) if offer.target == target]
    forecasts = []
    for unit in dict(rules.attackers(view, side, target)):
        offer = next(one for one in offers if one.unit == unit and rules.attacker(view, one.action) == unit)
        forecast = parts.forecasts(view, side, offer.action)
        assert forecast is not None
        sequence = in_order._AttackSequence(rules, view, side, target, [offer.action])
        forecasts.append((forecast, sequence.forecast(), parts.whole_acts(view, side, offer.action)))
    assert len(forecasts) >= 2
    return forecasts


# The forecasts of Blade Skirmish include the injury.
@pytest.mark.parametrize(("game", "name", "target"), [one for one in POSITIONS if one[1] != "BS-W36"])
def test_a_sequence_of_one_attack_has_the_odds_of_its_forecast(game: str, name: str, target: int) -> None:
    for forecast, sequence, _ in single(game, name, target):
        counts: list[dict[Any, float]] = [{}, {}]
        for place, one in enumerate((forecast, sequence)):
            for end in one.outcomes:
                strength = next(end.parts[name] for name in ("models", "strength", "destroyed") if name in end.parts)
                counts[place][strength] = counts[place].get(strength, 0) + end.p
        assert counts[1] == pytest.approx(counts[0])
        by_nouns = {noun: forecast.expected[noun] for noun in sequence.expected}
        assert sequence.expected == pytest.approx(by_nouns)
        assert set(forecast.expected) - set(by_nouns) <= {"bases", "worms"}, "these land beside the target"


@pytest.mark.clause("SQ-S56", "SQ-S46")
def test_a_flyer_that_leaves_the_table_is_lost_in_no_forecast() -> None:
    for forecast, sequence, (whole,) in single("squad-action", "SQ-W56", 1):
        assert chances(forecast) == chances(sequence) == chances(whole)
        assert {"leaves the table", "destroyed"} <= set(chances(forecast))
        destroyed = in_hundred(Fraction(chances(forecast)["destroyed"]))
        assert forecast.headline.endswith(f"destroys it: {destroyed}")
        assert sequence.headline == f"Gunship lost: {destroyed}"
        assert whole.headline == f"Gunship lost: {destroyed}; Riders lost: {destroyed}", "with all who are aboard"


@pytest.mark.parametrize(("game", "name", "target"), POSITIONS)
def test_estimates_are_what_comes_of_playing_the_attacks(
    game: str, name: str, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = told(game, name, target).attackers
    exact = told(game, name, target, *units).odds
    monkeypatch.setattr(in_order, "NODES", 1)
    monkeypatch.setattr(in_order, "TIMES", 600)
    answer = told(game, name, target, *units, best=True)
    assert answer.odds is not None
    assert exact is not None
    if answer.odds.exact:
        assert game == "command-horizon", "closed forms need few nodes"
        return
    assert answer.best == ()
    assert answer.odds.note.startswith("Estimated: it was played 600 times")
    likely = {one.words: one.p for one in exact.outcomes}
    for one in answer.odds.outcomes:
        assert one.between is not None
        # Four standard errors.
        p = likely[one.words]
        assert abs(one.p - p) <= 4 * (p * (1 - p) / 600) ** 0.5 + 0.001


@pytest.mark.parametrize(("game", "name", "target"), POSITIONS)
def test_no_order_leaves_less_than_the_best(game: str, name: str, target: int) -> None:
    rules, (view, side) = rules_of(game), standing(game, name)
    units = told(game, name, target).attackers
    best = told(game, name, target, *units, best=True).best
    assert sorted(best) == sorted(units)
    every = {order: worths(rules, view, side, target, order) for order in permutations(units)}
    assert every[best] == min(every.values())


def squads(*models: int, target: int = 10) -> Any:
    """Squads with rifles, and an enemy squad in woods before them."""
    t = scene(
        *[squad(0, "regular", 4 + 12 * place, 10, count) for place, count in enumerate(models)],
        squad(1, "regular", 16, 24, target),
        terrain=[block("w", "woods", 12, 23, 30, 30)],
    )
    t.asked, t.answers = (Orders(side=0),), (None,)
    return t


def test_an_attack_meets_what_earlier_ones_have_left() -> None:
    """The odds of single attacks that are added up would leave fewer models."""
    rules, t = rules_of("squad-action"), squads(8, 6, 5)
    answer = rules.foresee(t, 0, 3, None, (0, 1, 2), True)
    assert answer.odds is not None
    lost = 0.0
    for unit, action in rules.attackers(t, 0, 3):
        forecast = in_order._AttackSequence(rules, t, 0, 3, [action]).forecast()
        lost += 10 - forecast.expected["models"]
        assert unit in answer.order
    assert answer.odds.expected["models"] > 10 - lost + 0.1
    assert answer.best
    assert answer.idle == ()
    assert all(u.shot is False for u in t.units), "nothing is played"


def test_who_acts_now_attacks_first_and_who_is_left_without_a_target_is_named() -> None:
    rules, t = rules_of("squad-action"), squads(20, 20, target=1)
    answer = rules.foresee(t, 0, 2, None, (0, 1), True)
    assert answer.idle == (), "the second still shoots if the first has missed"
    (_, action), _ = rules.attackers(t, 0, 2)
    t.change(0, activated=True)
    now = rules.foresee(t, 0, 2, action.act, (1, 0), True)
    assert now.attackers == (1, 0)
    assert now.order == (0, 1)
    assert now.best[0] == 0


def test_declared_attacks_come_first() -> None:
    rules, (view, side) = rules_of("command-horizon"), standing("command-horizon", "W47")
    units = dict(rules.attackers(view, side, 3))
    (first, fire), (second, _), (third, _) = units.items()
    whole = rules.foresee(view, side, 3, None, (first, second, third), False)
    fire.perform(view, side)
    after = rules.foresee(view, side, 3, None, (second, third), True)
    assert (after.declared, after.attackers) == (1, (second, third))
    assert after.odds is not None
    assert whole.odds is not None
    assert chances(after.odds) == chances(whole.odds)
    assert rules.foresee(view, side, 3, None, (), False).odds is None


def test_an_answer_can_be_written() -> None:
    answer = told("hex-command", "HX-W06", 2, 0, 1)
    assert msgspec.json.decode(msgspec.json.encode(answer), type=AttacksInOrder).order == answer.order
