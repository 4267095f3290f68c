"""Procedures with scripted dice and answers, what they told, and the ends of every fall of the dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from caltrop.chance import Dice, Distribution, Enumerated, Scripted
from caltrop.engine import Decision, Event, Match, Procedure
from caltrop.rules.squad_action.fight import Firefight
from caltrop.rules.squad_action.rulebook import ruleset

E = TypeVar("E", bound=Event)
K = TypeVar("K")


class Heard(Match):
    """A match that remembers all that it told."""

    heard: list[Event]

    def play(self, side: int, action: Any, decision: Decision | None = None) -> tuple[Event, ...]:
        """Answer, and remember what was told."""
        told = super().play(side, action, decision)
        self.heard += told
        return told


def play(t: Firefight, procedure: Procedure, *dice: int | Sequence[int], answers: Sequence[Any] = ()) -> Heard:
    """Play a procedure up to the first question that is not answered.

    Args:
        t: The scene.
        procedure: What is played.
        dice: The rolls in their order; a number is a roll of one die.
        answers: What is answered, by the side that is asked; every one must be legal.
    """
    start = t.clone()
    start.stack = [procedure]
    match = Heard(ruleset, start, Scripted(*[(d,) if isinstance(d, int) else d for d in dice]))
    match.heard = list(match.opening)
    for action in answers:
        assert match.waiting, f"nobody is asked for {action}"
        match.play(match.waiting[0].side, action)
    return match


def ends(t: Firefight, make: Callable[[], Procedure], end: Callable[[Firefight], K]) -> Distribution[K]:
    """What a procedure ends in over every fall of the dice, the first option answered to every question."""

    def walk(dice: Dice) -> K:
        start = t.clone()
        start.stack = [make()]
        match = Match(ruleset, start, dice, keep=False)
        while match.waiting:
            (decision,) = match.waiting
            match.play(decision.side, decision.options(match.state).first())
        assert isinstance(match.state, Firefight)
        return end(match.state)

    return Distribution.of(Enumerated.outcomes(walk))


def every(match: Heard, kind: type[E]) -> list[E]:
    """The events of a kind."""
    return [event for event in match.heard if isinstance(event, kind)]


def one(match: Heard, kind: type[E]) -> E:
    """The only event of a kind."""
    (found,) = every(match, kind)
    return found


def now(match: Match) -> Firefight:
    """The firefight as it is."""
    assert isinstance(match.state, Firefight)
    return match.state
