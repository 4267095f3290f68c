"""Odds of several attacks at one target, one after another. Each meets the target as the earlier ones left it.

A ruleset defines with `InOrder` how a target continues from one attack to the next. Everything else comes from the odds
of single attacks, so a sequence needs no rules of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import factorial, lcm, prod
from typing import Any

import msgspec

from caltrop.chance import Distribution
from caltrop.errors import InputError
from caltrop.roster import converted

MOST_ATTACKS = 12
"""Attacks in a sequence at most."""
MOST_ORDERS = 720
"""Largest number of orders to compare. Swapping equal attacks does not make another order."""

Outcome = dict[str, Any]
"""One way in which an attack can end, as plain data."""
State = tuple[str, str]
"""A target as a request writes it, empty if it is gone, and the outcome that led there; both as JSON."""


class SequenceRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Several attacks at one target, in order. Edition and house rules hold for all of them."""

    ruleset: str
    edition: str | msgspec.UnsetType = msgspec.UNSET
    rules: dict[str, Any] = {}
    """House rules that differ from their defaults."""
    sequence: list[dict[str, Any]]
    """Attack requests without dice. Only the first describes the target."""


class BestOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The order of the attacks that does the most damage to the target."""

    order: tuple[int, ...]
    """Indices of the attacks. The order of the request, if no other is better."""
    expected: dict[str, float]
    """Means after all attacks in this order."""


class SequenceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that several attacks in order can end in."""

    exact: bool = True
    outcomes: tuple[Outcome, ...]
    """Outcomes after all attacks, in the form of the last attack's outcomes."""
    expected: dict[str, float]
    """Expected value after all of them: the mean of a number, or the probability that something is true."""
    steps: tuple[dict[str, float], ...]
    """The same after each attack."""
    best_order: BestOrder | None
    """None if the attacks can be put into more than 720 orders."""
    overkills: Any = msgspec.UNSET
    """Number of Overkills for attacks that do not state it, in a game with Overkills."""


class InOrder(msgspec.Struct, frozen=True, kw_only=True):
    """Rules that transfer the target from one attack to the next."""

    left: Callable[[Mapping[str, Any], Outcome], dict[str, Any] | None]
    """Returns the target of the next attack in the form of a request, given a request and an outcome; None if it is
    destroyed.
    """
    sort: Callable[[Outcome], Any]
    """Returns the sort key of an outcome, in the order of the odds of one attack."""
    worth: Callable[[Outcome], tuple[int, ...]]
    """Returns numbers to compare two orders by, the most important first; less is better for the attackers."""
    together: Callable[[Outcome, Outcome], Outcome] = lambda before, after: after
    """Returns one outcome for two attacks, if an outcome contains more than the state of the target."""
    means: Callable[[Outcome], dict[str, int]] = lambda outcome: {
        part: int(value) for part, value in outcome.items() if isinstance(value, bool | int)
    }
    """Returns the numbers of an outcome whose means are shown."""
    target: str = "target"
    """The field of a request with the target."""
    stays: tuple[str, ...] = ()
    """Other fields that later attacks inherit from the first."""
    no_room: Mapping[str, tuple[Any, str]] = {}
    """House rules with a value that sequences do not support, and the reason."""


def odds_in_order(raw: Any, rules: InOrder, odds: Callable[[dict[str, Any]], dict[str, Any]]) -> SequenceAnswer:
    """Return the possible results of several attacks in order.

    Raises InputError for a request that cannot be read or an illegal attack; the field names the attack.

    Args:
        raw: The request, as plain data.
        rules: Rules for the target between attacks.
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


class _Attack:
    """One attack of a sequence, with its odds for each state of the target."""

    def __init__(
        self, request: dict[str, Any], rules: InOrder, odds: Callable[[dict[str, Any]], dict[str, Any]]
    ) -> None:
        self.request, self.rules, self.odds = request, rules, odds
        self._ends: dict[str, list[tuple[Outcome, Fraction, str]]] = {}
        self._next: dict[State, list[tuple[State, Fraction]]] = {}
        self._rounded: dict[State, list[tuple[State, float]]] = {}

    def _ends_at(self, target: str) -> list[tuple[Outcome, Fraction, str]]:
        ends = self._ends.get(target)
        if ends is None:
            request = {**self.request, self.rules.target: json.loads(target)}
            ends = self._ends[target] = []
            for row in self.odds(request)["outcomes"]:
                outcome = {part: value for part, value in row.items() if part not in ("probability", "p")}
                left = self.rules.left(request, outcome)
                ends.append((outcome, Fraction(row["probability"]), "" if left is None else _text(left)))
        return ends

    def next(self, state: State) -> list[tuple[State, Fraction]]:
        ways = self._next.get(state)
        if ways is None:
            target, before = state
            ways = [] if target else [(state, Fraction(1))]
            for outcome, chance, left in self._ends_at(target) if target else ():
                whole = self.rules.together(json.loads(before), outcome) if before else outcome
                ways.append(((left, json.dumps(whole)), chance))
            self._next[state] = ways
        return ways

    def rounded(self, state: State) -> list[tuple[State, float]]:
        ways = self._rounded.get(state)
        if ways is None:
            ways = self._rounded[state] = [(after, float(chance)) for after, chance in self.next(state)]
        return ways


class _Chain:
    """Several attacks at one target."""

    def __init__(
        self,
        attacks: Sequence[dict[str, Any]],
        target: Any,
        rules: InOrder,
        odds: Callable[[dict[str, Any]], dict[str, Any]],
    ) -> None:
        self.target, self.rules = target, rules
        self.kinds = [_text(attack) for attack in attacks]
        made = {kind: _Attack(attack, rules, odds) for kind, attack in zip(self.kinds, attacks, strict=True)}
        self.attacks = [made[kind] for kind in self.kinds]
        self.start: State = _text(target), ""
        self._worths: dict[str, tuple[int, ...]] = {}

    def check(self) -> Any:
        """Compute the odds of every attack on its own. Return the Overkills used by default."""
        used = msgspec.UNSET
        for place, attack in enumerate(self.attacks):
            try:
                used = attack.odds({**attack.request, self.rules.target: self.target}).get("overkills", used)
            except InputError as error:
                field = error.field or ""
                common = field.split(".")[0] in ("ruleset", "edition", "rules")
                where = field if common else ".".join(filter(None, (f"sequence[{place}]", field)))
                raise InputError(error.message, field=where) from None
        return used

    def through(self, order: Sequence[int]) -> list[Distribution[State]]:
        states, distributions = Distribution.certain(self.start), []
        for place in order:
            next_states = self.attacks[place].next
            weights: dict[State, int] = {}
            listed = [(weight, next_states(state)) for state, weight in states.weights()]
            common = lcm(*[chance.denominator for _, ways in listed for _, chance in ways])
            for weight, ways in listed:
                for state, chance in ways:
                    share = weight * chance.numerator * (common // chance.denominator)
                    weights[state] = weights.get(state, 0) + share
            states = Distribution(weights)
            distributions.append(states)
        return distributions

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

    # --- the best order -----------------------------------------------------------------------------------------------

    def best(self) -> tuple[int, ...] | None:
        """Return the best order, or that of the request if none is better; None if there are too many."""
        equal = [self.kinds.count(kind) for kind in dict.fromkeys(self.kinds)]
        orders = factorial(len(self.kinds)) // prod([factorial(count) for count in equal])
        if orders > MOST_ORDERS:
            return None
        # The order of the request is the first of all.
        orders_with_worth = self._orders((), {self.start: 1.0})
        return min(orders_with_worth, key=lambda one: one[1])[0]

    def _orders(
        self, begun: tuple[int, ...], states: Mapping[State, float]
    ) -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
        """Yield every order with its value, rounded; equal attacks stay in the order of the request."""
        if len(begun) == len(self.attacks):
            yield begun, self._worth(states)
            return
        tried = set()
        for place, kind in enumerate(self.kinds):
            if place in begun or kind in tried:
                continue
            tried.add(kind)
            after: dict[State, float] = {}
            for state, p in states.items():
                for next_state, chance in self.attacks[place].rounded(state):
                    after[next_state] = after.get(next_state, 0.0) + p * chance
            yield from self._orders((*begun, place), after)

    def _worth(self, states: Mapping[State, float]) -> tuple[float, ...]:
        sums: list[float] = []
        for (_, outcome), p in states.items():
            worth = self._worths.get(outcome)
            if worth is None:
                worth = self._worths[outcome] = self.rules.worth(json.loads(outcome))
            sums = [total + value * p for total, value in zip(sums or [0.0] * len(worth), worth, strict=True)]
        return tuple([round(total, 9) for total in sums])


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
