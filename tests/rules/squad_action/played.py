"""Procedures with scripted dice and answers: their events, and the results of every fall of the dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from caltrop.asking import Offer, Proposal, Region, Wish
from caltrop.chance import Dice, Distribution, Scripted
from caltrop.engine import Decision, Event, Match, Procedure, Refusal
from caltrop.engine.explore import Explorer
from caltrop.rules.squad_action.acts import Doings, Kind
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.rulebook import ruleset

E = TypeVar("E", bound=Event)
K = TypeVar("K")


class KindOf:
    """Acts of a kind, for a state, a unit, and whether the unit has acted in its activation."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def _doings(self, t: Firefight, unit: int, second: bool) -> Doings:
        return Doings(t, unit, second, (self.kind,))

    def refusal(self, t: Firefight, act: Any, second: bool = False) -> Refusal | None:
        """Return why an act is refused, with the nearest legal act."""
        return self._doings(t, act.unit, second).refusal(act)

    def acts(self, t: Firefight, unit: int, second: bool = False) -> Iterator[Any]:
        """Yield the legal acts."""
        return iter(self._doings(t, unit, second))

    def sample(self, t: Firefight, unit: int, second: bool, dice: Dice) -> Any:
        """Return a random act."""
        return self._doings(t, unit, second).drawn(self.kind, dice)

    def offers(self, t: Firefight, unit: int, second: bool = False) -> list[Offer]:
        """Return the offers."""
        o = self._doings(t, unit, second)
        return [one.offer(o) for act in o.acts for one in act.offered(o)]

    def regions(self, t: Firefight, unit: int, second: bool = False) -> list[Region]:
        """Return the open choices."""
        o = self._doings(t, unit, second)
        return [region for act in o.acts for region in act.regions(o)]

    def propose(self, t: Firefight, wish: Wish, second: bool = False) -> Proposal | None:
        """Return the proposal for a drag."""
        return self._doings(t, wish.unit, second).proposed(wish)


class Heard(Match):
    """A match that collects its events."""

    heard: list[Event]

    def play(self, side: int, action: Any, decision: Decision | None = None) -> tuple[Event, ...]:
        events = super().play(side, action, decision)
        self.heard += events
        return events


def play(t: Firefight, procedure: Procedure, *dice: int | Sequence[int], answers: Sequence[Any] = ()) -> Heard:
    """Play a procedure up to the first unanswered question.

    Args:
        t: The scene.
        procedure: The procedure.
        dice: The rolls in their order; a number is a roll of one die.
        answers: The answers of the asked side, which must be legal.
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
    """Return the exact results of a procedure, with the first option answered to every question."""
    return Explorer(t).odds(make(), lambda distribution, _: end(distribution))


def every(match: Heard, kind: type[E]) -> list[E]:
    """Return the events of a kind."""
    return [event for event in match.heard if isinstance(event, kind)]


def one(match: Heard, kind: type[E]) -> E:
    """Return the only event of a kind."""
    (result,) = every(match, kind)
    return result


def now(match: Match) -> Firefight:
    """Return the present state of the firefight."""
    assert isinstance(match.state, Firefight)
    return match.state
