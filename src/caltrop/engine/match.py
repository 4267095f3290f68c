"""A match: one state, its dice, and a record of everything that was played."""

from __future__ import annotations

from collections.abc import Collection
from copy import deepcopy
from typing import Any, NamedTuple, Self

import msgspec

from caltrop.chance import Dice, Roll, Scripted, TypedIn
from caltrop.engine.decision import Decision
from caltrop.engine.entry import Entry, Fell, Played, Undone
from caltrop.engine.event import Event, EventFeed, Outcome, name_of
from caltrop.engine.flow import advance, answer
from caltrop.engine.rule import Refusal, Refused
from caltrop.engine.ruleset import Ruleset
from caltrop.engine.secrecy import redacted
from caltrop.engine.state import State


class Point(msgspec.Struct):
    """A moment to which undo can return: the state before an act, and the data to replay the act."""

    state: State
    side: int
    boundary: str = ""
    """Reason why undoing the act needs consent; empty if it can be undone freely."""
    index: int = 0
    """Index of the answered decision, among those asked at the same time."""
    action: Any = None
    rolls: tuple[Roll, ...] = ()
    """Faces that were rolled in the act."""


class Instant(NamedTuple):
    """A moment inside an act at which an event was reported; `Moments` has the state."""

    active: int
    """The side whose turn it was at that moment."""
    rolls: int
    """Number of rolls of the act before this moment."""


class Moments:
    """The states inside an act, computed by replaying it on the first request.

    Args:
        act: The act, with the state before it.
    """

    __slots__ = ("_events", "_states", "act")

    def __init__(self, act: Point, events: Collection[int]) -> None:
        self.act, self._events = act, frozenset(events)
        self._states: dict[int, State] | None = None

    def after(self, event: int) -> State:
        if self._states is None:
            states: dict[int, State] = {}
            t = self.act.state.clone()

            def hear(_: Event) -> None:
                if len(events) - 1 in self._events:
                    states[len(events) - 1] = t.clone()

            t.told = events = EventFeed(hear)
            answer(t, Scripted(*self.act.rolls), self.act.index, self.act.action)
            self._states = states
        return self._states[event]


class Match:
    """A game in progress.

    The match never changes a state that it has returned: every act is played on a clone, unless *in_place*.

    Args:
        ruleset: The rulebook.
        state: The state before the first step, or a state that waits for a decision.
        dice: Source of rolls; may be replaced at any time.
        keep: True to keep earlier states for undo and to report events; playouts need neither.
        record: True to keep the journal.
        in_place: True to play on *state* itself, for series and playouts, which keep no earlier states. If a step
            raises an exception, the state is left in the middle of an act.

    Raises:
        caltrop.chance.Awaiting: if the game begins with a throw whose faces have not been typed in.
        ValueError: if both *keep* and *in_place* are true.
    """

    __slots__ = (
        "dice",
        "history",
        "in_place",
        "instants",
        "journal",
        "keep",
        "opening",
        "record",
        "ruleset",
        "seed",
        "start",
        "state",
    )

    def __init__(
        self,
        ruleset: Ruleset,
        state: State,
        dice: Dice,
        *,
        keep: bool = True,
        record: bool = True,
        in_place: bool = False,
    ) -> None:
        if keep and in_place:
            raise ValueError("what is played in place keeps no earlier states")
        self.ruleset, self.dice, self.keep, self.record, self.in_place = ruleset, dice, keep, record, in_place
        self.seed: int | str | None = None
        """Seed of the dice; None if none was given."""
        self.journal: list[Entry] = []
        self.history: list[Point] = []
        self.instants: tuple[Instant, ...] = ()
        """The moment of each event of the last act. Only filled if the rules move a side, because one act then contains
        many events.
        """
        self.state = state
        self.opening: tuple[Event, ...] = ()
        self.start = Point(state, state.active) if keep else None
        if not state.asked and state.over is None:
            events, rolls = self._go_on(None, None)
            self.opening = tuple(events)
            if keep:
                self.start = Point(state, state.active, rolls=_faces(rolls))

    def __copy__(self) -> Self:
        return deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a copy of the match with dice of its own. Copies share states, because states never change."""
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.dice = deepcopy(self.dice, memo)
        if self.in_place:
            twin.state = self.state.clone()
        twin.journal, twin.history = list(self.journal), list(self.history)
        return twin

    def _go_on(self, index: int | None, action: Any) -> tuple[list[Event], list[Entry]]:
        """Play on a clone and replace the state by it afterwards, so that an error changes nothing. A match that plays
        in place has no clone.
        """
        before = self.state
        asked = None if index is None else before.asked[index]
        t = before if self.in_place else before.clone()
        instants: list[Instant] = []
        aside = self.keep and bool(self.ruleset.automated(t))
        rolls: list[Entry] = []
        events: list[Event] = EventFeed(lambda _: instants.append(Instant(t.active, len(rolls)))) if aside else []
        t.told = events if self.keep else None
        dice = self.dice
        taken = dice.taken if isinstance(dice, TypedIn) else 0
        try:
            if index is None:
                advance(t, dice, None, rolls)
            else:
                answer(t, dice, index, action, rolls)
        except BaseException:
            if isinstance(dice, TypedIn):
                dice.taken = taken
            raise
        t.told = None
        self.instants = tuple(instants)
        if self.record:
            if index is not None and asked is not None:
                self.journal.append(Played(asked.side, name_of(asked), action, index))
            self.journal.extend(rolls)
        self.state = t
        return events, rolls

    def __repr__(self) -> str:
        if self.over is not None:
            return f"<Match of {self.ruleset.name}: {self.over.reason}>"
        asked = ", ".join(f"{type(d).__name__} of side {d.side}" for d in self.waiting)
        return (
            f"<Match of {self.ruleset.name}: round {self.ruleset.round(self.state)}, waiting for {asked or 'nobody'}>"
        )

    @property
    def waiting(self) -> tuple[Decision, ...]:
        """The open decisions: those asked and not yet answered."""
        t = self.state
        if len(t.asked) == 1:
            return t.asked
        return tuple([d for d, a in zip(t.asked, t.answers, strict=True) if a is None])

    @property
    def over(self) -> Outcome | None:
        """The result of the game; None while it is in progress."""
        return self.state.over

    def decision(self, side: int) -> Decision | None:
        """Return the decision that *side* is asked now, the first if there are several."""
        return next((d for d in self.waiting if d.side == side), None)

    def play(self, side: int, action: Any, decision: Decision | None = None) -> tuple[Event, ...]:
        """Answer a decision.

        Args:
            side: The side that answers.
            action: The answer.
            decision: The decision to answer; by default the side's first.

        Returns:
            The events of the act.

        Raises:
            Refused: if the action is illegal; nothing has changed.
            caltrop.chance.Awaiting: if dice must be typed in; nothing has changed. After adding the faces, play the
                same action again with these dice.
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
        before = self.state
        index: int | None = 0
        if len(before.asked) != 1 or before.asked[0] is not asked:
            index = next((i for i, d in enumerate(before.asked) if d == asked and before.answers[i] is None), None)
        if index is None:
            raise ValueError(f"{asked!r} is not asked now")
        if self.in_place and not self.record:
            answer(before, self.dice, index, action)
            return ()
        events, rolls = self._go_on(index, action)
        if self.keep:
            cause = self._cause(before, events, rolls)
            self.history.append(Point(before, asked.side, cause, index, action, _faces(rolls)))
        return tuple(events)

    def _cause(self, before: State, events: list[Event], rolls: list[Entry]) -> str:
        """Return the reason why undoing the last act needs consent; empty if undoing is free."""
        for roll in rolls:
            if isinstance(roll, Fell):
                what = "something hidden was drawn" if roll.secret else "dice were rolled"
                return f"{what} ({', '.join(roll.clauses)})"
        for event in events:
            if event.reveals:
                # The reason is shown to everybody, so it contains only what everybody may know.
                seen = event.seen_by(None)
                return "something was revealed" + (f": {seen.sentence(self.state)}" if seen is not None else "")
        after = self.state
        if len(before.asked) > 1 and (after.asks != before.asks or not after.asked):
            return "hidden choices were revealed"
        return ""

    def view(self, side: int | None) -> Any:
        return redacted(self.state, side)

    def imagine(self, side: int, dice: Dice) -> Match:
        """Return a match for thinking ahead from a side's view, in which hidden parts are guessed."""
        return imagined(self.ruleset, self.view(side), side, dice)

    def boundary(self, side: int) -> str | None:
        """Return the reason why *side* needs consent to undo its last act; None if undoing is free."""
        if not self.history:
            return "nothing has been played yet"
        if self.over is not None:
            # Undo after the end needs consent: the final table reveals what was hidden.
            return "the game is over"
        last = self.history[-1]
        if last.side != side:
            return "the other side has already answered"
        return last.boundary or None

    def undo(self, side: int, *, consent: bool = False) -> bool:
        """Undo the last act. Dice thrown after an undo are new ones.

        Args:
            side: The side that wants to undo. Without consent, a side can only undo its own act, and only if the act
                rolled and revealed nothing.
            consent: True if the other side agrees. The game then goes back to the side's last act, even if other acts
                followed it. Acts that only answer a reaction are skipped if there is another act, because a side
                without a choice would not be asked again.

        Returns:
            True if anything was undone.
        """
        if consent:
            own = [i for i, point in enumerate(self.history) if point.side == side]
            chosen = [i for i in own if not any(d.reaction for d in self.history[i].state.asked if d.side == side)]
            to = max(chosen or own, default=None)
        else:
            to = len(self.history) - 1 if self.boundary(side) is None else None
        if to is None:
            return False
        self.go_back(to)
        if self.record:
            self.journal.append(Undone(side, to, consent))
        return True

    def go_back(self, acts: int) -> None:
        """Return to the moment after a number of acts, without changing the journal."""
        self.state = self.history[acts].state
        del self.history[acts:]


def _faces(rolls: list[Entry]) -> tuple[Roll, ...]:
    return tuple([entry.faces for entry in rolls if isinstance(entry, Fell)])


def imagined(ruleset: Ruleset, view: Any, side: int, dice: Dice) -> Match:
    """Return a match for thinking ahead from a side's view, with the given dice, in which hidden parts are guessed."""
    return Match(ruleset, ruleset.guess(view, side, dice), dice, keep=False, record=False)
