"""Play a single procedure in a small position, for tests and rulings.

Each game builds its own scenes. The functions here play them:

    match = run(scene(…), Strike(side=0), (5,))    # up to its first decision, or its end
    match.play(1, TakeIt())
    t = finished(Duel, match)                      # nobody is asked any more, and every die was thrown
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from caltrop.chance import Scripted
from caltrop.engine import Match, Procedure, State, ruleset

S = TypeVar("S", bound=State)


def run(t: State, procedure: Procedure, *dice: Sequence[int], choices: Sequence[int] = ()) -> Match:
    """Start one procedure in a scene, up to its first decision or its end.

    Args:
        t: The scene, which is not changed.
        dice: The rolls, in the order in which they are needed. `finished` checks at the end that none is left over.
        choices: Random choices that are not dice of the game.
    """
    start = t.clone()
    start.stack = [procedure]
    return Match(ruleset(t.book.ruleset), start, Scripted(*dice, choices=choices))


def finished(state: type[S], match: Match) -> S:
    """Return the state after a procedure that has run to its end, with every scripted die thrown.

    Raises AssertionError when a decision waits, or ScriptError when dice are left over.

    Args:
        state: The game's type of states.
    """
    if match.waiting:
        raise AssertionError(f"the match waits for {match.waiting}")
    if isinstance(match.dice, Scripted):
        match.dice.finish()
    t = match.state
    assert isinstance(t, state)
    return t
