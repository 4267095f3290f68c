"""Laws of several attackers of one target: their odds equal the results of playing, and no order is better than the
best.

Attackers are drawn at the questions of drawn positions of each ruleset. This module contains no game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice, permutations
from operator import itemgetter
from typing import Any, NamedTuple

import pytest

from caltrop.asking.in_order import Attacking, _AttackSequence
from caltrop.asking.whole import AnswersUnderWay
from caltrop.chance import Seeded
from caltrop.engine import Match, redacted, ruleset
from caltrop.engine.explore.answer import play_on
from caltrop.engine.explore.chain import play_part
from tests.laws.games import NAMES
from tests.laws.test_forecasts import module as forecasts_of
from tests.laws.test_forecasts import unlikely
from tests.laws.test_moments import module as positions_of
from tests.tiers import everything, turned

POSITIONS = 48
"""Number of positions of a ruleset."""
STEPS = 60
"""Number of decisions in a position."""
TOGETHER = 3
"""Largest number of attackers."""
OF_ONE = 6 if everything() else 1
"""Largest number of comparisons in a position."""
OF_ALL = 20 if everything() else 3
"""Largest number of comparisons for a ruleset."""
PLAYED = 200 if everything() else 60
"""Number of times that the attacks are played."""

GAMES = [name for name in NAMES if ruleset(name).parts.in_order is not None]


class Drawn(NamedTuple):
    """Several attackers at a target at an open question."""

    where: str
    view: Any
    side: int
    target: int
    order: tuple[int, ...]


def rules_of(name: str) -> Attacking:
    rules: Attacking = ruleset(name).parts.in_order.__self__  # type: ignore[union-attr]
    return rules


def drawn(name: str) -> Iterator[Drawn]:
    """Yield attackers in random positions, in a random order."""
    rules, positions = rules_of(name), positions_of(name) or forecasts_of(name)
    assert positions is not None
    for n in turned(range(POSITIONS)):
        choices, compared = Seeded(f"attackers {n}"), 0
        match = Match(ruleset(name), positions.drawn(Seeded(f"position {n}")), Seeded(f"dice {n}"))
        for _ in range(STEPS):
            if not match.waiting or match.over or compared >= OF_ONE:
                break
            decision, t = match.waiting[0], match.state
            view = redacted(t, decision.side)
            for target in rules.telling.units(view) if len(view.asked) == 1 else ():
                units = [unit for unit, _ in rules.attackers(view, decision.side, target)]
                if len(units) >= 2 and compared < OF_ONE:
                    compared += 1
                    count = min(len(units), 2 + choices.below(TOGETHER - 1))
                    order = tuple([units.pop(choices.below(len(units))) for _ in range(count)])
                    yield Drawn(f"position {n}, {order} at {target}", view, decision.side, target, order)
            match.play(decision.side, positions.chosen(t, decision, choices), decision)


def attacks_of(rules: Attacking, one: Drawn, order: Sequence[int]) -> list[Any]:
    """Return the waiting attacks on a target, and those of the units in an order."""
    attacks = dict(rules.attackers(one.view, one.side, one.target))
    return [*rules.declared(one.view, one.target), *[attacks[unit] for unit in order]]


def play(name: str, one: Drawn, seed: str) -> Any:
    """Play the attacks one after another. Return the state of the target."""
    rules, how = rules_of(name), forecasts_of(name)
    t, dice, policy = one.view.clone(), Seeded(seed), AnswersUnderWay(rules.telling, one.side, False)
    attack = getattr(how, "attack_in_order", rules.attack)

    def run(part: Callable[[], Any]) -> None:
        procedure = part() if t.over is None else None
        if procedure is not None:
            play_part(t, procedure, dice)
            play_on(t, dice, policy)

    for action in attacks_of(rules, one, one.order):
        run(partial(attack, t, one.side, action))
        if rules.at_once(one.view):
            run(partial(rules.settle, t))
    run(partial(rules.settle, t))
    return rules.telling.state(t, one.target)


@pytest.mark.parametrize("name", GAMES)
def test_the_odds_of_several_attackers_are_what_is_played(name: str) -> None:
    rules, foresee, compared = rules_of(name), ruleset(name).parts.in_order, 0
    assert foresee is not None
    for one in islice(drawn(name), OF_ALL):
        odds = foresee(one.view, one.side, one.target, None, one.order, False).odds
        assert odds is not None, one.where
        if not odds.exact:
            continue
        chances: dict[str, Fraction] = {}
        for end in odds.outcomes:
            chances[end.words] = chances.get(end.words, Fraction(0)) + Fraction(end.probability)
        assert sum(chances.values()) == 1
        counts = Counter(
            rules.telling.words(one.view, one.target, play(name, one, f"{one.where} {number}"))
            for number in range(PLAYED)
        )
        wrong = unlikely(chances, counts)
        assert not wrong, f"{one.where}: {wrong}"
        compared += 1
    assert compared, "nothing was compared"


@pytest.mark.parametrize("name", GAMES)
def test_no_order_leaves_less_than_the_best_one(name: str) -> None:
    rules, foresee, better = rules_of(name), ruleset(name).parts.in_order, 0
    assert foresee is not None
    for one in islice(drawn(name), OF_ALL):
        best = foresee(one.view, one.side, one.target, None, one.order, True).best
        if not best:
            continue
        every = {order: worths(rules, one, order) for order in permutations(one.order)}
        assert every[best] == min(every.values()), one.where
        assert every[one.order] > every[best] or best == one.order, "an equal order is left as it is"
        better += 1
    assert better, "nothing was compared"


def worths(rules: Attacking, one: Drawn, order: Sequence[int]) -> tuple[float, ...]:
    """Return the means of the numbers by which orders are compared, from the exact odds of one order."""
    attacks = attacks_of(rules, one, order)
    sequence = _AttackSequence(rules, one.view, one.side, one.target, attacks)
    states = sequence.chain.odds([*sequence._parts(range(len(attacks))), *sequence._last], sequence._worth)
    means = [states.expected(itemgetter(place)) for place in range(len(next(iter(states))))]
    return tuple([round(float(mean), 8) for mean in means])
