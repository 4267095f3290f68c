"""A match: one state, its dice, and the record of everything that was played in it."""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop.chance import Dice, Pool, Roll
from caltrop.engine.decision import Decision
from caltrop.engine.flow import advance, answer
from caltrop.engine.rule import Refusal, Refused
from caltrop.engine.ruleset import Ruleset
from caltrop.engine.secrecy import redacted
from caltrop.engine.state import Event, Outcome, State


class Played(msgspec.Struct, frozen=True, tag="action"):
    """A side answered a decision."""

    side: int
    decision: str
    action: Any


class Fell(msgspec.Struct, frozen=True, tag="roll"):
    """Dice fell."""

    faces: Roll
    sides: int
    clauses: tuple[str, ...]


class Undone(msgspec.Struct, frozen=True, tag="undo"):
    """A side took actions back; what it took back stays in the record."""

    side: int
    to: int
    """How many acts remain in force."""
    consent: bool = False
    """True where it went beyond the boundary, by the other side's leave."""


Entry = Played | Fell | Undone


class _Recorded:
    """Dice that write down how they fall."""

    __slots__ = ("dice", "journal")

    def __init__(self, dice: Dice, journal: list[Entry]) -> None:
        self.dice, self.journal = dice, journal

    def roll(self, pool: Pool, why: tuple[str, ...]) -> Roll:
        roll = self.dice.roll(pool, why)
        self.journal.append(Fell(roll, pool.sides, why))
        return roll

    def below(self, n: int) -> int:
        return self.dice.below(n)


class Point(msgspec.Struct):
    """A moment that can be gone back to: the state before an act."""

    state: State
    side: int
    boundary: str = ""
    """Why the act may not be taken back freely; empty where it may."""


class Match:
    """One game under way.

    Args:
        ruleset: The rulebook.
        state: The state before the first step, or a state that waits for a decision.
        dice: Where rolls come from; may be replaced at any time.
        keep: Whether earlier states are kept for undo; playouts do without.
    """

    def __init__(self, ruleset: Ruleset, state: State, dice: Dice, *, keep: bool = True) -> None:
        self.ruleset, self.dice, self.keep = ruleset, dice, keep
        self.journal: list[Entry] = []
        self.history: list[Point] = []
        self.state = state
        self.opening: tuple[Event, ...] = ()
        if not state.asked and state.over is None:
            t = state.clone()
            t.told = [] if keep else None
            advance(t, _Recorded(dice, self.journal))
            self.opening = tuple(t.told or ())
            t.told = None
            self.state = t

    @property
    def waiting(self) -> tuple[Decision, ...]:
        """The decisions that the game waits for: those asked and not yet answered."""
        t = self.state
        if len(t.asked) == 1:
            return t.asked
        return tuple(d for d, a in zip(t.asked, t.answers, strict=True) if a is None)

    @property
    def over(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self.state.over

    def decision(self, side: int) -> Decision | None:
        """What *side* is asked now, the first where there are several."""
        return next((d for d in self.waiting if d.side == side), None)

    def play(self, side: int, action: Any, decision: Decision | None = None) -> tuple[Event, ...]:
        """Answer a decision.

        Args:
            side: Who answers.
            action: The answer.
            decision: Which of the waiting decisions; the side's first by default.

        Returns:
            What happened.

        Raises:
            Refused: when the action may not be taken; nothing has changed then.
        """
        asked = decision or self.decision(side)
        if asked is None or asked.side != side or asked not in self.waiting:
            raise Refused(
                Refusal(
                    code="not-your-decision",
                    clause="",
                    message="It is not this side's decision now",
                    values={"side": side},
                )
            )
        refusal = asked.options(self.view(side)).refusal(action)
        if refusal is not None:
            raise Refused(refusal)
        return self.follow(asked, action)

    def follow(self, asked: Decision, action: Any) -> tuple[Event, ...]:
        """Answer *asked* with an action known to be legal; a step that raises leaves nothing half done."""
        before = self.state
        index = next(i for i, d in enumerate(before.asked) if d is asked or (d == asked and before.answers[i] is None))
        t = before.clone()
        entries: list[Entry] = [Played(asked.side, type(asked).__name__, action)]
        if not self.keep:
            answer(t, _Recorded(self.dice, entries), index, action)
            self.state = t
            self.journal.extend(entries)
            return ()
        told: list[Event] = []
        t.told = told
        answer(t, _Recorded(self.dice, entries), index, action)
        t.told = None
        reveal = next((e for e in told if e.reveals), None)
        boundary = ""
        if any(isinstance(e, Fell) for e in entries):
            clauses = next(e.clauses for e in entries if isinstance(e, Fell))
            boundary = f"dice were rolled ({', '.join(clauses)})"
        elif reveal is not None:
            boundary = f"something was revealed: {reveal.sentence(t)}"
        elif len(before.asked) > 1 and not t.asks == before.asks:
            boundary = "sealed choices were opened"
        self.history.append(Point(before, asked.side, boundary))
        self.state = t
        self.journal.extend(entries)
        return tuple(told)

    def view(self, side: int | None) -> Any:
        """The state as *side* may see it. It is shared: read it, never write it."""
        return redacted(self.state, side)

    def imagine(self, side: int, dice: Dice) -> Match:
        """A match for thinking ahead: what *side* sees, the rest guessed, other dice."""
        view = self.view(side)
        return Match(self.ruleset, self.ruleset.guess(view, side, dice), dice, keep=False)

    def boundary(self, side: int) -> str | None:
        """Why *side* may not take its last act back freely; None where it may."""
        if not self.history:
            return "nothing has been played yet"
        last = self.history[-1]
        if last.side != side:
            return "the other side has answered since"
        return last.boundary or None

    def undo(self, side: int, *, consent: bool = False) -> bool:
        """Take the last act back.

        Args:
            side: Who asks for it. Freely, only an act of its own that rolled and revealed nothing.
            consent: By the other side's leave, whatever the act was, back to the side's own last act.

        Returns:
            Whether anything was taken back.
        """
        if not self.history:
            return False
        if not consent and self.boundary(side) is not None:
            return False
        if consent:
            while len(self.history) > 1 and self.history[-1].side != side:
                self.history.pop()
        point = self.history.pop()
        self.state = point.state
        self.journal.append(Undone(side, len(self.history), consent))
        return True
