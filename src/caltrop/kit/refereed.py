"""Referee an attack by its own procedure: the dice of a request fall where the steps throw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from caltrop.chance import Pool, Roll
from caltrop.engine import Event, Procedure, State, advance, answer
from caltrop.kit.requests import dice_given, die_given, no_die, right_number

T = TypeVar("T", bound=State)


class NamedThrow(NamedTuple):
    """A throw of a procedure, and the dice of a request for it."""

    clause: str
    """First clause of the step that throws."""
    why: str
    """Reason why the dice are called for, or not."""
    what: str = ""
    """Noun for one of the dice; empty if the request gives a single face."""


class GivenDice:
    """The dice of a request, by the names of its throws. A throw without a name shows 1s.

    Args:
        given: Faces by name; one face, or None, for a single die.
        throws: The throws by name, in the order of the procedure.
    """

    def __init__(self, given: Mapping[str, Sequence[int] | int | None], throws: Mapping[str, NamedThrow]) -> None:
        self.given, self.throws = dict(given), throws
        self._names = {throw.clause: name for name, throw in throws.items()}

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        """Return the given faces. Raises InputError for missing, further or impossible ones."""
        if not pool.count:
            return ()
        name = self._names.get(why[0])
        if name is None:
            return (1,) * pool.count
        self._check_passed(name)
        throw, faces = self.throws[name], self.given.pop(name, None)
        if not throw.what:
            return (die_given(faces if isinstance(faces, int) else None, name, throw.why),)
        roll = tuple(faces) if isinstance(faces, Sequence) else ()
        dice_given(roll, pool.count, name, throw.what, throw.why)
        return roll

    def below(self, n: int) -> int:
        return 0

    def end(self) -> None:
        """Raise InputError if dice are left that no step has called for."""
        self._check_passed("")

    def _check_passed(self, until: str) -> None:
        """Raise InputError for dice of an earlier throw that has not happened."""
        for name, throw in self.throws.items():
            if name == until:
                return
            faces = self.given.get(name)
            if isinstance(faces, Sequence):
                right_number(faces, 0, f"dice.{name}", throw.what, throw.why)
            else:
                no_die(faces, name, throw.why)


def refereed(t: T, procedure: Procedure, dice: GivenDice) -> tuple[T, list[Event]]:
    """Return the state after a procedure with given dice, and its events. Decisions get their first option.

    Raises InputError for dice that are missing or impossible, or that the procedure does not call for.

    Args:
        t: The state before; it stays as it is.
    """
    after, events = t.clone(), list[Event]()
    after.stack, after.told = [procedure], events
    advance(after, dice)
    while after.asked:
        answer(after, dice, 0, after.asked[0].options(after).first())
    dice.end()
    return after, events
