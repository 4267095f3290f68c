"""Odds of several attackers at one target, one after another: what is left of it after all of them, and the best order.

The attacks' own procedures are explored one after another (`engine.explore.Chain`), each in the states that the earlier
ones lead to. A game defines with `Attacking` who may attack, and how one attack begins in such a state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from caltrop.asking.whole import NODES, QUIET, AnswersUnderWay, Telling, told_fate
from caltrop.engine.explore import CannotExplore, Chain, ClosedForm
from caltrop.engine.forecast import AttacksInOrder, Forecast, in_hundred
from caltrop.engine.procedure import Procedure

MORE_NODES = 35_000
"""Number of further nodes to compare orders with."""
TIMES = 400
"""Number of playouts of attacks that have too many nodes."""
MOST_IN_ORDERS = 6
"""Largest number of attackers whose orders are compared: they have 720."""


class Attacking(msgspec.Struct, frozen=True, kw_only=True):
    """A game's rules for units that attack one target, one after another."""

    telling: Telling
    attackers: Callable[[Any, int, int], Sequence[tuple[int, Any]]]
    """Returns the units that may attack at the open question, each with its simplest attack, given the state, the side
    and the target.
    """
    attacker: Callable[[Any, Any], int | None]
    """Returns the unit that attacks by an action; None if the action is not such an attack."""
    attack: Callable[[Any, int, Any], Procedure | ClosedForm | None]
    """Returns an attack of a side in a state; None if it is not possible there. The function may write into the state
    what comes before the attack.
    """
    worth: Callable[[Any], tuple[int, ...]]
    """Returns numbers to compare two orders by, for a state of the target, the most important first; less is better."""
    declared: Callable[[Any, int], Sequence[Any]] = lambda t, target: ()
    """Returns the attacks on a target that were declared and wait, in the form of actions for `attack`."""
    settle: Callable[[Any], Procedure | None] = lambda t: None
    """Returns the procedure that applies the results of all attacks together; None if each is applied at once."""
    at_once: Callable[[Any], bool] = lambda t: True
    """Returns whether the results of each attack are applied before the next one."""

    def foresee(self, t: Any, side: int, target: int, action: Any, units: Sequence[int], best: bool) -> AttacksInOrder:
        """Return what is left of a target after several attackers in order, and who else may attack it.

        Args:
            t: The state as the side sees it, with one question open.
            action: The prepared attack, which is legal; None for none.
            units: The attackers in order, after those whose attacks are declared. The prepared attack is that of its
                unit, or comes first if that unit has to act now.
            best: True to look for the best order too.
        """
        if target not in self.telling.units(t):
            return AttacksInOrder()
        attacks = dict(self.attackers(t, side, target))
        now: list[int] = []
        if action is not None:
            unit = self.attacker(t, action)
            if unit is None:
                return AttacksInOrder()
            if unit not in attacks:
                now.append(unit)
            attacks[unit] = action
        order = list(dict.fromkeys([*now, *[unit for unit in units if unit in attacks]]))
        declared = list(self.declared(t, target))
        answer = AttacksInOrder(attackers=tuple(attacks), order=tuple(order), declared=len(declared))
        if len(declared) + len(order) < 2:
            return answer
        sequence = _AttackSequence(self, t, side, target, [*declared, *[attacks[unit] for unit in order]])
        forecast = sequence.forecast()
        idle = [unit for number, unit in enumerate(order, len(declared)) if number not in sequence.chain.done]
        answer = msgspec.structs.replace(answer, odds=forecast, idle=tuple(idle))
        if not best or not forecast.exact:
            return answer
        if not idle and not self.at_once(t):
            # Attacks of which each is possible, and whose results are applied together, end alike in every order.
            return msgspec.structs.replace(answer, best=tuple(order))
        rest = [order[len(now) + place] for place in sequence.best(len(declared) + len(now))]
        return msgspec.structs.replace(answer, best=(*now, *rest) if rest else ())


SETTLE = -1
"""Number of the part of a chain that applies results."""


class _AttackSequence:
    """Attacks of one side at one target."""

    def __init__(self, rules: Attacking, view: Any, side: int, target: int, attacks: Sequence[Any]) -> None:
        self.rules, self.view, self.side, self.target, self.attacks = rules, view, side, target, attacks
        self.policy = AnswersUnderWay(rules.telling, side, False)
        self.chain = Chain(view, self._part, self.policy, nodes=NODES)
        self._at_once = rules.at_once(view)
        self._last = () if self._at_once else (SETTLE,)

    def _part(self, t: Any, number: int) -> Procedure | ClosedForm | None:
        if number == SETTLE:
            return self.rules.settle(t)
        return self.rules.attack(t, self.side, self.attacks[number])

    def _parts(self, numbers: Sequence[int]) -> list[int]:
        return [part for number in numbers for part in ((number, SETTLE) if self._at_once else (number,))]

    def _state(self, t: Any) -> Any:
        return self.rules.telling.state(t, self.target)

    def _worth(self, t: Any) -> tuple[int, ...]:
        return self.rules.worth(self._state(t))

    def _numbers(self, state: Any) -> dict[str, int]:
        telling = self.rules.telling
        if telling.means is not None:
            return telling.means(self.view, self.target, state)
        parts = telling.parts(self.view, state).items()
        return {name: value for name, value in parts if isinstance(value, int) and not isinstance(value, bool)}

    def forecast(self) -> Forecast:
        """Return the fate of the target after all attacks."""
        telling = self.rules.telling
        parts = [*self._parts(range(len(self.attacks))), *self._last]
        explored = self.chain.explored(parts, self._state, times=TIMES)
        odds = explored.odds
        gone = odds.chance(telling.is_gone)
        numbers = [(self._numbers(state), chance) for state, chance in odds.items()]
        names = [name for name in numbers[0][0] if all(name in values for values, _ in numbers)]
        fate = told_fate(telling, self.view, self.target, odds, explored.times, self.rules.worth)
        return msgspec.structs.replace(
            fate,
            about=QUIET if self.policy.asked else "",
            exact=explored.exact,
            headline=f"{telling.name(self.view, self.target)} lost: {in_hundred(gone)}" if gone else "",
            expected={name: float(sum([values[name] * chance for values, chance in numbers])) for name in names},
            note=explored.words,
        )

    def best(self, first: int) -> tuple[int, ...]:
        """Return the best order of the attacks from the *first* on, as places among them; empty if there are too many.

        If no other order is better, the best is the order in which they stand.
        """
        numbers = range(len(self.attacks))
        if len(numbers[first:]) > MOST_IN_ORDERS:
            return ()
        self.chain.explorer.left += MORE_NODES
        steps = [tuple(self._parts([number])) for number in numbers[first:]]
        try:
            return self.chain.best_order(self._parts(numbers[:first]), steps, self._last, self._worth)
        except CannotExplore:
            return ()
