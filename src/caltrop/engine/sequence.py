"""Odds of several attacks at one target, one after another. Each attack meets the target as the earlier attacks left
it.

With `InOrder`, a ruleset defines how the target goes from one attack to the next. All other results follow from the
odds of single attacks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import factorial, prod
from typing import Any

import msgspec

from caltrop.chance import Distribution
from caltrop.engine.part_by_part import PartByPart
from caltrop.errors import InputError
from caltrop.roster import converted

MOST_ATTACKS = 12
"""Largest number of attacks in a sequence."""
MOST_ORDERS = 720
"""Largest number of orders to compare. Orders that differ only by an exchange of equal attacks count as one."""

Outcome = dict[str, Any]
"""One way in which an attack can end, as plain data."""
State = tuple[str, str]
"""The target in the form of a request (empty if it is destroyed), and the outcome that led to it; both as JSON."""


class SequenceRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request for the odds of several attacks in order. Edition and house rules apply to all attacks."""

    ruleset: str
    edition: str | msgspec.UnsetType = msgspec.UNSET
    rules: dict[str, Any] = {}
    """House rules that differ from their defaults."""
    sequence: list[dict[str, Any]]
    """Attack requests without dice. Only the first attack request describes the target."""


class BestOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The order of attacks that does the most damage to the target."""

    order: tuple[int, ...]
    """Indices of the attacks; the order of the request if no other is better."""
    expected: dict[str, float]
    """Expected values after all attacks in this order."""


class SequenceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The possible results of several attacks in order."""

    exact: bool = True
    outcomes: tuple[Outcome, ...]
    """Outcomes after all attacks, in the form of the last attack's outcomes."""
    expected: dict[str, float]
    """Expected value after all attacks, by part of an outcome: a mean, or the probability that something is true."""
    steps: tuple[dict[str, float], ...]
    """Expected values after each attack, in the form of `expected`."""
    best_order: BestOrder | None
    """The order of attacks that does the most damage; None if there are more than 720 possible orders."""
    overkills: Any = msgspec.UNSET
    """In a game with Overkills, the number of Overkills assumed for attacks that do not state a number."""


class InOrder(msgspec.Struct, frozen=True, kw_only=True):
    """Rules for passing the target from one attack to the next."""

    left: Callable[[Mapping[str, Any], Outcome], dict[str, Any] | None]
    """Returns the target after an attack as part of a request, given request and outcome; None if destroyed."""
    sort: Callable[[Outcome], Any]
    """Returns a key that sorts outcomes in the order used for single attacks."""
    worth: Callable[[Outcome], tuple[int, ...]]
    """Returns numbers for comparing orders, the most important first; less is better for the attackers."""
    together: Callable[[Outcome, Outcome], Outcome] = lambda before, after: after
    """Combines the outcomes of two attacks, if an outcome holds more than the state of the target."""
    means: Callable[[Outcome], dict[str, int]] = lambda outcome: {
        part: int(value) for part, value in outcome.items() if isinstance(value, bool | int)
    }
    """Returns the numbers of an outcome whose means are shown."""
    target: str = "target"
    """The field of a request with the target."""
    stays: tuple[str, ...] = ()
    """Fields of a request, besides the target, that later attacks take from the first."""
    no_room: Mapping[str, tuple[Any, str]] = {}
    """House rules with a value that sequences do not support, and the reason."""


def odds_in_order(raw: Any, rules: InOrder, odds: Callable[[dict[str, Any]], dict[str, Any]]) -> SequenceAnswer:
    """Return the possible results of several attacks in order.

    Raises InputError for an invalid request or an illegal attack; the field says which attack.

    Args:
        rules: Rules for passing the target between attacks.
        odds: Returns the odds of one attack, as plain data.
    """
    request = converted(raw, SequenceRequest)
    if not 1 <= len(request.sequence) <= MOST_ATTACKS:
        nearest = min(max(len(request.sequence), 1), MOST_ATTACKS)
        raise InputError(
            f"a sequence has 1 to {MOST_ATTACKS} attacks; this one has {len(request.sequence)},"
            f" and the nearest right number is {nearest}",
            field="sequence",
        )
    for name, (value, why) in rules.no_room.items():
        if request.rules.get(name) == value:
            raise InputError(f"a sequence has no room for {value!r}: {why}; leave it out", field=f"rules.{name}")
    attacks = _attacks(request, rules)
    chain = _Chain(attacks, request.sequence[0][rules.target], rules, odds)
    used = chain.check()
    states, best = chain.through(range(len(attacks))), chain.best()
    return SequenceAnswer(
        outcomes=chain.outcomes(states[-1]),
        expected=chain.means(states[-1]),
        steps=tuple([chain.means(each) for each in states]),
        best_order=None if best is None else BestOrder(order=best, expected=chain.means(chain.through(best)[-1])),
        overkills=used,
    )


def _attacks(request: SequenceRequest, rules: InOrder) -> list[dict[str, Any]]:
    common: dict[str, Any] = {"ruleset": request.ruleset}
    if not isinstance(request.edition, msgspec.UnsetType):
        common["edition"] = request.edition
    if request.rules:
        common["rules"] = request.rules
    first = request.sequence[0]
    attacks = []
    for place, attack in enumerate(request.sequence):
        where = f"sequence[{place}]"
        for name in ("ruleset", "edition", "rules"):
            if name in attack and attack[name] != common.get(name):
                raise InputError("it applies to all attacks: write it beside `sequence`", field=f"{where}.{name}")
        if "dice" in attack:
            raise InputError("odds are worked out before dice are rolled: leave it out", field=f"{where}.dice")
        if place == 0 and rules.target not in attack:
            raise InputError(
                "this key is missing: the first attack describes the target", field=f"{where}.{rules.target}"
            )
        if place and rules.target in attack:
            raise InputError(
                "only the first attack describes the target, and the others meet what is left of it: leave it out",
                field=f"{where}.{rules.target}",
            )
        taken = {name: first[name] for name in rules.stays if name in first}
        attacks.append({**taken, **{name: value for name, value in attack.items() if name != rules.target}, **common})
    return attacks


class _Chain:
    """Several attacks at one target."""

    def __init__(
        self,
        attacks: Sequence[dict[str, Any]],
        target: Any,
        rules: InOrder,
        odds: Callable[[dict[str, Any]], dict[str, Any]],
    ) -> None:
        self.target, self.rules, self.attacks, self.odds = target, rules, attacks, odds
        texts = [_text(attack) for attack in attacks]
        self.numbers = [texts.index(text) for text in texts]
        """Number of each attack; equal attacks have the same number."""
        self.start: State = _text(target), ""
        self._ends = cache(self._worked_out)
        self._parts = PartByPart(self._follow)

    def _worked_out(self, number: int, target: str) -> tuple[list[tuple[str, Outcome]], list[Fraction]]:
        """Return the possible results of one attack: the remaining target with its outcome, and the chance of each."""
        request = {**self.attacks[number], self.rules.target: json.loads(target)}
        ends, chances = [], []
        for row in self.odds(request)["outcomes"]:
            outcome = {part: value for part, value in row.items() if part not in ("probability", "p")}
            left = self.rules.left(request, outcome)
            ends.append(("" if left is None else _text(left), outcome))
            chances.append(Fraction(row["probability"]))
        return ends, chances

    def _follow(self, number: int, state: State) -> Distribution[State]:
        target, before = state
        if not target:
            return Distribution.certain(state)
        ends, chances = self._ends(number, target)
        earlier = json.loads(before) if before else None
        states = [
            (left, json.dumps(outcome if earlier is None else self.rules.together(earlier, outcome)))
            for left, outcome in ends
        ]
        return Distribution.of(zip(states, chances, strict=True))

    def check(self) -> Any:
        """Compute the odds of every attack on its own, and return the number of Overkills used by default."""
        used = msgspec.UNSET
        for place, attack in enumerate(self.attacks):
            try:
                used = self.odds({**attack, self.rules.target: self.target}).get("overkills", used)
            except InputError as error:
                field = error.field or ""
                common = field.split(".")[0] in ("ruleset", "edition", "rules")
                where = field if common else ".".join(filter(None, (f"sequence[{place}]", field)))
                raise InputError(error.message, field=where) from None
        return used

    def through(self, order: Sequence[int]) -> list[Distribution[State]]:
        states = [Distribution.certain(self.start)]
        for place in order:
            states.append(self._parts.after(states[-1], self.numbers[place]))
        return states[1:]

    def _outcomes(self, states: Distribution[State]) -> Distribution[str]:
        return states.map(lambda state: state[1])

    def outcomes(self, states: Distribution[State]) -> tuple[Outcome, ...]:
        listed = [(json.loads(outcome), chance) for outcome, chance in self._outcomes(states).items()]
        return tuple(
            [
                {**outcome, "probability": f"{chance.numerator}/{chance.denominator}", "p": float(chance)}
                for outcome, chance in sorted(listed, key=lambda one: self.rules.sort(one[0]))
            ]
        )

    def means(self, states: Distribution[State]) -> dict[str, float]:
        sums: dict[str, int] = {}
        outcomes = self._outcomes(states)
        for outcome, weight in outcomes.weights():
            for part, value in self.rules.means(json.loads(outcome)).items():
                sums[part] = sums.get(part, 0) + value * weight
        return {part: float(Fraction(value, outcomes.total)) for part, value in sums.items()}

    def best(self) -> tuple[int, ...] | None:
        """Return the best order; the order of the request if none is better; None if there are too many orders."""
        equal = [self.numbers.count(number) for number in dict.fromkeys(self.numbers)]
        if factorial(len(self.numbers)) // prod([factorial(count) for count in equal]) > MOST_ORDERS:
            return None
        steps = [(number,) for number in self.numbers]
        start = Distribution.certain(self.start)
        return self._parts.best_order(start, steps, (), lambda state: self.rules.worth(json.loads(state[1])))


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
