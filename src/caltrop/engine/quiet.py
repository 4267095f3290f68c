"""A test for quiet acts. A quiet act rolls nothing, reveals nothing, and leaves the turn with the acting side.

Interfaces carry out a quiet act at once, because it can be undone, and ask for confirmation of any other. The test for
quietness plays the act on a copy of the side's own view, so it reveals nothing hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from caltrop.chance import Pool, Roll
from caltrop.engine.decision import Decision
from caltrop.engine.event import Event, EventFeed, Rolled
from caltrop.engine.flow import answer
from caltrop.engine.procedure import PlannedStep, Procedure, Throw
from caltrop.engine.state import State


class Loud(msgspec.Struct, frozen=True, kw_only=True):
    """The reason why an act is not quiet."""

    why: Literal["dice", "news", "sealed", "hands-over", "ends"]
    """`dice`: dice are thrown; `news`: something hidden is drawn or shown; `sealed`: other sides answer at the same
    time; `hands-over`: another side is asked next; `ends`: the game is over.
    """
    dice: int = 0
    """Number of dice in the first throw."""
    words: str = ""
    """The reason in words, such as `4 dice are thrown`."""


class _Heard(Exception):
    """Raised during a trial of an act, if the act rolls dice or reveals something and so needs confirmation."""

    def __init__(self, loud: Loud) -> None:
        super().__init__(loud.words)
        self.loud = loud


_NEWS = Loud(why="news", words="something is drawn or revealed, so this cannot be undone")
_SEALED = Loud(why="sealed", words="your answer stays hidden until the other side has answered")
_HANDS_OVER = Loud(why="hands-over", words="it is the other side's turn")
_ENDS = Loud(why="ends", words="it ends the game")


def _hear(event: Event) -> None:
    if isinstance(event, Rolled) and not event.secret:
        count = len(event.faces)
        words = "a die is thrown" if count == 1 else f"{count} dice are thrown"
        raise _Heard(Loud(why="dice", dice=count, words=words))
    if event.reveals:
        raise _Heard(_NEWS)


class _Blank:
    """Dice without real faces: the test stops at the first throw."""

    def roll(self, pool: Pool, why: tuple[str, ...] = ()) -> Roll:
        return (1,) * pool.count

    def below(self, n: int) -> int:
        raise _Heard(_NEWS)


class _Draws:
    """A watcher that only notices hidden draws."""

    def threw(self, effect: Throw, /) -> None:
        raise _Heard(_NEWS)

    def enter(self, t: State, frame: Procedure, step: PlannedStep, /) -> None: ...

    def ran(self) -> None: ...

    def ended(self) -> None: ...

    def passed(self) -> None: ...

    def triggered(self, queue: Sequence[Procedure], waiting: Sequence[Procedure], /) -> None: ...


def loud(view: State, decision: Decision, action: Any) -> Loud | None:
    """Return why this answer needs confirmation, or None if it can be applied at once.

    Args:
        view: The state as the asked side sees it; it is not changed.
        action: A legal answer.
    """
    done = done_quietly(view, decision, action)
    return done if isinstance(done, Loud) else None


def done_quietly(view: State, decision: Decision, action: Any) -> State | Loud:
    """Return the state after a quiet action, as the side sees it; or the reason if the action is not quiet.

    Args:
        view: The state as the asked side sees it; it is not changed.
        action: A legal answer.
    """
    if len(view.asked) != 1:
        return _SEALED
    t = view.clone()
    t.told = EventFeed(_hear)
    try:
        answer(t, _Blank(), 0, action, watcher=_Draws())
    except _Heard as heard:
        return heard.loud
    if t.over is not None:
        return _ENDS
    return t if t.asked and all(one.side == decision.side for one in t.asked) else _HANDS_OVER
