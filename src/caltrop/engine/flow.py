"""The loop that runs procedures step by step and calls triggers and listeners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from caltrop.chance import Dice, Informed, TypedIn
from caltrop.clauses import WATCHED, Place, mark, place_of
from caltrop.engine.entry import Entry, Fell
from caltrop.engine.event import Event, Rolled
from caltrop.engine.procedure import Ask, End, Go, PlannedStep, Procedure, Run, Throw
from caltrop.engine.state import TRIGGERS, State

F = TypeVar("F", bound=Callable[..., Any])

ENDLESS = 1_000_000
"""Number of steps without a question that counts as an endless loop."""


def trigger(event: type[Event], *clauses: str, place: Place | None = None) -> Callable[[F], F]:
    """Register a function that is called for each *event* of one kind. If the function returns a procedure, that
    procedure runs before the next step.

    Triggered procedures of the active side come first; the others follow, sorted by clause and unit. If the step that
    reported the event asks, throws, or ends with a result, triggered procedures run after the step that receives the
    reply. Results of triggered procedures are ignored.

    Args:
        event: Class of the events; subclasses are not included.
        place: Place of the function in the source, if the function does not show it.

    Raises:
        ValueError: for the kind `Rolled`, which only watchers see. To react to a roll, let the step after the throw
            report an event of its own.
    """
    if issubclass(event, Rolled):
        raise ValueError("a roll triggers nothing: let the step that reads it tell an event")

    def make(function: F) -> F:
        id, path, line = place or place_of(function)
        m = mark(id, "trigger", clauses, path, line)

        def look(t: State, occurrence: Event) -> Procedure | None:
            if not m.on:
                return None
            procedure: Procedure | None = function(t, occurrence)
            if procedure is not None:
                m.fires()
            return procedure

        TRIGGERS.setdefault(event, []).append(look)
        return function

    return make


class Watcher(Protocol):
    """A listener that follows the stack step by step, used by `engine.cause`."""

    def enter(self, t: State, frame: Procedure, step: PlannedStep, /) -> None:
        """Called before a step runs."""

    def ran(self) -> None:
        """Called when a step runs another procedure."""

    def ended(self) -> None:
        """Called when the innermost frame has ended with a result."""

    def passed(self) -> None:
        """Called when the innermost frame has passed its last step."""

    def threw(self, effect: Throw, /) -> None:
        """Called when a step throws dice."""

    def triggered(self, queue: Sequence[Procedure], waiting: Sequence[Procedure], /) -> None:
        """Called when queued procedures are pushed onto the stack. *waiting* has them in running order."""


def turn_order(t: State) -> Callable[[Procedure], tuple[bool, tuple[str, ...], int]]:
    """Return the sort key of triggered procedures: active side, clause, unit. Equal keys keep the order of events."""

    def key(p: Procedure) -> tuple[bool, tuple[str, ...], int]:
        clauses = p.plan[p.start].mark.clauses if p.plan else ()
        return getattr(p, "side", t.active) != t.active, clauses, getattr(p, "unit", -1)

    return key


def advance(
    t: State, dice: Dice, reply: Any = None, entries: list[Entry] | None = None, watcher: Watcher | None = None
) -> None:
    """Run steps until a decision is asked, the game is over, or the stack is empty.

    Raises TypeError if a step returns an invalid effect or names an unknown step, or RuntimeError for an endless loop.

    Args:
        reply: Reply for the first step to run.
        entries: Journal to which rolls are added.
        watcher: Listener that follows the stack.
    """
    stack = t.stack
    over = t.over
    for _ in range(ENDLESS):
        if over is not None or not stack:
            return
        if t.queue and reply is None:
            waiting = sorted(t.queue, key=turn_order(t))
            if watcher is not None:
                watcher.triggered(t.queue, waiting)
            t.queue.clear()
            stack.extend(reversed(waiting))
        frame = stack[-1]
        at = frame.at or frame.start
        if at == "-":
            stack.pop()
            if watcher is not None:
                watcher.passed()
            continue
        now = frame.plan[at]
        frame.at = now.next
        if WATCHED:
            now.mark.fires()
        if watcher is not None:
            watcher.enter(t, frame, now)
        effect = now.do(frame, t, reply) if now.replied else now.do(frame, t)
        over = t.over
        if over is not None:
            return
        reply = None
        if effect is None:
            continue
        kind = type(effect)
        if kind is Ask:
            t.asked, t.answers = effect.decisions, (None,) * len(effect.decisions)
            t.asks += 1
            return
        if kind is Throw:
            pool, why = effect.pool, now.mark.clauses
            typed = False
            thrower = dice
            if isinstance(dice, Informed):
                dice.whose, dice.words, dice.reads = effect.side, effect.wanted, effect.reads
            if dice.__class__ is TypedIn:
                typed = dice.by_hand and not effect.draw
                if effect.draw:
                    thrower = dice.otherwise
            reply = thrower.roll(pool, why)
            if entries is not None:
                entries.append(
                    Fell(
                        faces=reply,
                        sides=pool.sides,
                        clauses=why,
                        side=effect.side,
                        secret=effect.secret or effect.draw,
                        typed=typed,
                        draw=effect.draw,
                    )
                )
            if t.told is not None and not effect.draw:
                t.told.append(
                    Rolled(
                        faces=reply,
                        sides=pool.sides,
                        why=why,
                        words=effect.words,
                        each=effect.each,
                        symbols=effect.symbols,
                        side=effect.side,
                        secret=effect.secret,
                        typed=typed,
                    )
                )
            if watcher is not None:
                watcher.threw(effect)
        elif kind is Run:
            stack.append(effect.procedure)
            if watcher is not None:
                watcher.ran()
        elif kind is Go:
            if effect.to not in frame.steps:
                raise TypeError(f"{type(frame).__name__}.{at} goes to {effect.to!r}, which is not one of its steps")
            frame.at = frame.steps[effect.to]
        elif kind is End:
            stack.pop()
            reply = effect.result
            if watcher is not None:
                watcher.ended()
        else:
            raise TypeError(f"{type(frame).__name__}.{at} returned {effect!r}, which is not an effect")
    raise RuntimeError(
        f"{ENDLESS} steps have asked nobody: {' > '.join(type(f).__name__ for f in stack[-5:])} goes round"
    )


def answer(
    t: State,
    dice: Dice,
    index: int,
    action: Any,
    entries: list[Entry] | None = None,
    watcher: Watcher | None = None,
) -> None:
    """Answer the decision at *index* without checking that the answer is legal, and continue."""
    if len(t.asked) == 1:
        t.asked = t.answers = ()
        advance(t, dice, action, entries, watcher)
        return
    t.answers = (*t.answers[:index], action, *t.answers[index + 1 :])
    if not any(a is None for a in t.answers):
        reply = t.answers
        t.asked = t.answers = ()
        advance(t, dice, reply, entries, watcher)
