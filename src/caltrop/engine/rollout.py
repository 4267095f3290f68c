"""Playouts that change a state in place, without copies or a journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from caltrop.chance import Dice
from caltrop.engine.decision import Decision
from caltrop.engine.flow import ENDLESS, answer
from caltrop.engine.secrecy import redacted
from caltrop.engine.state import State

S = TypeVar("S", bound=State)

Policy = Callable[[Decision, Any, Dice], Any]
"""Returns one of a decision's options, given the state as its side sees it and dice."""


def at_random(decision: Decision, view: Any, dice: Dice) -> Any:
    """Return a random option: the policy of plain rollouts."""
    return decision.options(view).sample(dice)


def next_turn(turn: Callable[[Any], Any], t: State, turns: int = 1) -> Callable[[Any], bool]:
    """Return a stop condition for `rollout` that is true after a number of turns.

    Args:
        turn: Returns a value that differs from turn to turn, such as `Ruleset.turn`.
        t: The state from which turns are counted; the present turn is the first.
    """
    now, left = turn(t), turns

    def ended(t: Any) -> bool:
        nonlocal now, left
        then = turn(t)
        if then != now:
            now, left = then, left - 1
        return left <= 0

    return ended


def rollout(t: S, policies: Sequence[Policy], until: Callable[[S], bool], dice: Dice) -> int:
    """Play on from a state, in place. With equal dice, a rollout reaches the same states as `Match`, which works on
    copies.

    A rollout changes *t*, so pass a clone. If an exception is raised, *t* is left in the middle of an act. A policy
    with a memory can tell moments apart by `State.asks`.

    Args:
        policies: The player of each side. Every answer of a policy is taken as legal.
        until: Asked before each decision; True stops the rollout there.

    Returns:
        The number of answered decisions.

    Raises:
        RuntimeError: when the game never ends.

    >>> from caltrop.chance import Seeded
    >>> from caltrop.engine import Match, ruleset, rulesets
    >>> rules, dice = ruleset(rulesets()[-1]), Seeded(1)
    >>> t = Match(rules, rules.setup(rules.book(), rules.scenarios()[0].id), dice).state.clone()
    >>> rollout(t, (at_random, at_random), next_turn(rules.turn, t), dice) > 0, t.over
    (True, None)
    """
    t.told = None
    for acts in range(ENDLESS):
        asked = t.asked
        if not asked or t.over is not None or until(t):
            return acts
        index = 0 if len(asked) == 1 else t.answers.index(None)
        decision = asked[index]
        side = decision.side
        answer(t, dice, index, policies[side](decision, redacted(t, side), dice))
    raise RuntimeError(f"{ENDLESS} decisions have not ended the game")
