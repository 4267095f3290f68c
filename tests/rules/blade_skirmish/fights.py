"""Combats with scripted dice, and their events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from caltrop.engine import Event, Match
from caltrop.engine.cause import Causes
from caltrop.rules.blade_skirmish.combat import Combat
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.scene import run

E = TypeVar("E", bound=Event)


def fight(t: Skirmish, *dice: int, side: int = 0, answers: Sequence[Any] = ()) -> Match:
    """Play the combat at the end of a side's turn.

    Args:
        t: The scene.
        dice: The dice in the order of their throws.
        side: The active side.
        answers: The answers, by fighter.
    """
    match = run(t, Combat(side=side), *[(die,) for die in dice])
    for answer in answers:
        assert match.waiting, f"nobody is asked for {answer}"
        match.play(match.waiting[0].side, answer)
    return match


def told(match: Match) -> list[Event]:
    """Return all events, in order."""
    causes = Causes(match)
    assert causes.go_on(match.history)
    return [link.what for link in causes.links if isinstance(link.what, Event)]


def now(match: Match) -> Skirmish:
    """Return the present state of the skirmish."""
    assert isinstance(match.state, Skirmish)
    return match.state


def said(match: Match, kind: str) -> list[Any]:
    """Return the events of a kind, by the name of their class."""
    return [event for event in told(match) if type(event).__name__ == kind]


def one(match: Match, kind: type[E]) -> E:
    """Return the only event of a kind."""
    (result,) = [event for event in told(match) if isinstance(event, kind)]
    return result
