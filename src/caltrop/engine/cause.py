"""Links from each event back to the dice, answers and earlier events that caused it.

Causes are computed by replaying the acts of a match under a watcher. Causes therefore cost nothing during a game, are
stored nowhere, and exist for every record that can be replayed. Rules do not name causes; the running procedures show
which answers, rolls and results led to the step that reported an event:

- a frame inherits the knowledge of the frame that ran it, and adds each answer, roll and result that its own steps
  received;
- when a loop returns to its start, what was learnt inside the loop is dropped, unless the frame still holds something
  that was collected there;
- a procedure queued by a trigger follows from the event that triggered it;
- an event follows from earlier events of its own step or frame about the same unit;
- a declaration that one step makes and another carries out is stored on a shelf in between. An event names such shelves
  in `follows`, and follows from the links that put the matching records there; a record may name its causes in the same
  way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from caltrop.chance import Scripted
from caltrop.engine.event import Event, EventFeed, name_of
from caltrop.engine.flow import advance, answer
from caltrop.engine.match import Match, Point
from caltrop.engine.procedure import PlannedStep, Procedure, Throw
from caltrop.engine.state import State


class GameStart(msgspec.Struct, frozen=True):
    """The start of the game: the cause of everything without another cause."""


class Answered(msgspec.Struct, frozen=True):
    """A side answered a decision."""

    side: int
    decision: str
    action: Any
    secret: bool
    """True if only the side that answered may know the answer."""
    about: tuple[int, ...] = ()
    """Units of the answer; empty if the answer names no unit."""


class HiddenDraw(msgspec.Struct, frozen=True):
    """A hidden draw of a card. The effect of the drawn card is an event of its own."""

    side: int | None


class Link(msgspec.Struct, frozen=True):
    """An event, an answer or a hidden draw, with links to its causes."""

    number: int
    act: int
    """The act in which the link happened, from 1; 0 for the opening."""
    what: GameStart | Answered | HiddenDraw | Event
    clauses: tuple[str, ...]
    """Clauses of the step that reported the event, or of the decision."""
    because: tuple[int, ...]
    """Numbers of the link's causes, each lower than the link's own number."""
    run: int = -1
    """Number of the step's run; events of one run share it."""


class _FrameKnowledge:
    """The knowledge of a frame on the stack."""

    __slots__ = ("base", "heard", "told", "used")

    def __init__(self, base: tuple[int, ...]) -> None:
        self.base = base
        """Links that were known when the frame started."""
        self.heard: list[tuple[int, int, int]] = []
        """Links that the procedure's steps received: place of the step, link, and size of the frame before."""
        self.told: list[tuple[int, int]] = []
        """Links that the procedure's steps reported."""
        self.used: list[tuple[str, int, Any, tuple[int, ...]]] = []
        """Records that the procedure's steps removed from a shelf: shelf, place, record, and the links
        that put it there.
        """

    @property
    def all(self) -> tuple[int, ...]:
        return (*self.base, *[link for _, link, _ in self.heard])


@lru_cache(maxsize=1024)
def _places(kind: type[Procedure]) -> dict[str, int]:
    return {name: place for place, name in enumerate(kind.plan)}


def _size(value: Any) -> int:
    if isinstance(value, Procedure):
        return sum([_size(getattr(value, name)) for name in value.__struct_fields__])
    return sum([1 + _size(item) for item in value]) if isinstance(value, tuple) else 0


class Causes:
    """The links of a match, computed act by act.

    Args:
        match: A match that keeps earlier states. Acts played later are processed on demand.
    """

    def __init__(self, match: Match) -> None:
        if match.start is None:
            raise ValueError("a match that keeps nothing has no causes to tell")
        self.start = match.start
        self.links: list[Link] = [Link(0, 0, GameStart(), (), ())]
        self.answered = 0
        """Link of the last answer, which is the cause of events without any other cause."""
        self.played: list[Point] = []
        """Acts that have been processed."""
        self.t = self.start.state.clone()
        self.stack: list[_FrameKnowledge] = [_FrameKnowledge(()) for _ in self.t.stack]
        self.queue: list[int] = []
        """For each queued procedure, the link of the event that triggered it."""
        self.sealed: list[int] = []
        """Links of answers that stay hidden until all sides have answered."""
        self.reply: tuple[int, ...] = ()
        """Links that the next step receives as its reply."""
        self.known = self.stack[-1] if self.stack else _FrameKnowledge(())
        """Knowledge of the frame whose step is running."""
        self.step: PlannedStep | None = None
        self.place = 0
        self.run = 0
        self.told: list[int] = []
        """Links of the events that the running step has reported."""
        events: Sequence[type[Event]] = match.ruleset.vocabulary().events
        names = {shelf for event in events for shelf, _, _ in event.follows}
        self.shelves: dict[str, list[Any]] = {
            name: list(getattr(self.t, name)) for name in sorted(names) if hasattr(self.t, name)
        }
        self.writers: dict[int, tuple[Any, tuple[int, ...]]] = {}
        """The links that put each record on a shelf, by the identity of the record."""
        if not self.t.asked and self.t.over is None:
            self._play(None)

    @property
    def acts(self) -> int:
        return len(self.played)

    def go_on(self, acts: Sequence[Point]) -> bool:
        """Process the acts that were played since the last call.

        Args:
            acts: All acts of the match that have not been undone.

        Returns:
            False if acts that were already processed have been undone.
        """
        if len(acts) < self.acts or any(a is not b for a, b in zip(self.played, acts, strict=False)):
            return False
        for act in acts[self.acts :]:
            self.played.append(act)
            asked = self.t.asked[act.index]
            answer = Answered(act.side, name_of(asked), act.action, asked.secret, asked.touches(act.action))
            self.answered = self._link(answer, asked.clauses, (*self.told, *self.known_now.all), -1)
            self.sealed.append(self.answered)
            if self.t.answers.count(None) == 1:
                self.reply, self.sealed = tuple(self.sealed), []
            self.t = self.t.clone()
            self._play(act)
        return True

    @property
    def known_now(self) -> _FrameKnowledge:
        return self.stack[-1] if self.stack else self.known

    def _play(self, act: Point | None) -> None:
        self.t.told = EventFeed(self._hear)
        if act is None:
            advance(self.t, Scripted(*self.start.rolls), watcher=self)
        else:
            answer(self.t, Scripted(*act.rolls), act.index, act.action, watcher=self)
        self._settle(self.t)
        self.t.told = None

    # The engine calls these while steps run.

    def enter(self, t: State, frame: Procedure, step: PlannedStep) -> None:
        self._settle(t)
        level, place = self.stack[-1], _places(type(frame))[step.name]
        inside = next((i for i, (at, _, _) in enumerate(level.heard) if at > place), None)
        if inside is not None and _size(frame) <= level.heard[inside][2]:
            level.heard = [entry for entry in level.heard if entry[0] <= place]
        level.told = [entry for entry in level.told if entry[0] < place]
        if step.replied and self.reply:
            size = _size(frame)
            level.heard += [(place, link, size) for link in self.reply]
        self.reply = ()
        self.known, self.step, self.place, self.told = level, step, place, []
        self.run += 1

    def ran(self) -> None:
        self.stack.append(_FrameKnowledge(self.known.all))

    def ended(self) -> None:
        """Hand the links of the innermost frame, which has ended, to the frame that receives its result."""
        self.reply = tuple([link for _, link, _ in self.stack.pop().heard])

    def passed(self) -> None:
        """Remove the innermost frame, which has ended without a result."""
        self.stack.pop()

    def threw(self, effect: Throw) -> None:
        if effect.draw:
            self._queued(len(self.t.queue))
            self._link(HiddenDraw(effect.side), self.step.mark.clauses if self.step else (), self.known.all, self.run)
        self.reply = (len(self.links) - 1,)

    def triggered(self, queue: Sequence[Procedure], waiting: Sequence[Procedure]) -> None:
        """Push the frames of queued procedures, in the order in which they will run."""
        self._queued(len(queue))
        by_frame = {id(frame): event for frame, event in zip(queue, self.queue, strict=True)}
        for frame in reversed(waiting):
            event = by_frame[id(frame)]
            self.stack.append(_FrameKnowledge((*self.links[event].because, event)))
        self.queue.clear()

    def _queued(self, count: int) -> None:
        self.queue += [len(self.links) - 1] * (count - len(self.queue))

    def _hear(self, event: Event) -> None:
        self._queued(len(self.t.queue))
        units = set(event.touches())
        before = [link for link in self.told if not units or self._touched(link) & units]
        before += [link for at, link in self.known.told if at < self.place and self._touched(link) & units]
        # Events of one kind, such as two models lost together, are not causes of each other.
        before = [link for link in before if type(self.links[link].what) is not type(event)]
        followed = self._followed(event)
        if not before and not followed:
            # Example: a leader falls because its unit was attacked.
            alike = type(event)
            before = [link for link in self.told if self._touched(link) and type(self.links[link].what) is not alike]
            before = before[-1:]
        links = [link for link in self.known.all if self._concerns(link, units)]
        clauses = self.step.mark.clauses if self.step else ()
        number = self._link(event, clauses, (*before, *followed, *links), self.run)
        self.told.append(number)
        self.known.told.append((self.place, number))
        self._written(self.t, (number,))

    def _concerns(self, link: int, units: set[int]) -> bool:
        """Return whether a link is a cause of events about these units. An answer about other units is not a cause."""
        what = self.links[link].what
        return not isinstance(what, Answered) or not what.about or not units.isdisjoint(what.about)

    def _touched(self, link: int) -> set[int]:
        what = self.links[link].what
        return set(what.touches()) if isinstance(what, Event) else set()

    def _link(self, what: Any, clauses: tuple[str, ...], because: Sequence[int], run: int) -> int:
        number = len(self.links)
        self.links.append(Link(number, self.acts, what, clauses, tuple(sorted(set(because))) or (self.answered,), run))
        return number

    # --- records on shelves ---

    def _followed(self, event: Any) -> list[int]:
        numbers: list[int] = []
        for shelf, field, name in event.follows:
            named = getattr(event, field)
            shelves = named if isinstance(named, tuple) else (named,)
            # Records on the shelf at the last event or at the beginning of the step. Some records may be gone since.
            lay = self.shelves.get(shelf, ())
            here = [(place, record, self._writers(record)) for place, record in enumerate(lay)]
            gone = [entry[1:] for level in self.stack for entry in level.used if entry[0] == shelf]
            for place, record, writers in (*here, *gone):
                what = getattr(record, name) if name else place
                if what == named or what in shelves:  # a place is a tuple like a group of units
                    numbers += writers
        return numbers

    def _writers(self, record: Any) -> tuple[int, ...]:
        return self.writers.get(id(record), (None, ()))[1]

    def _settle(self, t: State) -> None:
        """Attribute changes that no event reported to the cause of the step, or to an earlier cause."""
        self._queued(len(t.queue))
        self._written(t, self.known.all)

    def _written(self, t: State, by: tuple[int, ...]) -> None:
        for name, before in self.shelves.items():
            now = getattr(t, name)
            if now == before:
                continue
            there, were = {id(record) for record in now}, {id(record) for record in before}
            gone = {place: record for place, record in enumerate(before) if id(record) not in there}
            for place, record in enumerate(now):
                if id(record) not in were:
                    writers = self._writers(gone[place]) if place in gone else ()
                    # A record may name its causes itself, because the step that wrote the record may report no event.
                    own = tuple(self._followed(record)) if getattr(record, "follows", ()) else ()
                    self.writers[id(record)] = (record, own or by or writers)
            for place, record in gone.items():
                self.known.used.append((name, place, record, self.writers.pop(id(record), (None, ()))[1]))
            self.shelves[name] = list(now)


class MomentMark(msgspec.Struct):
    """A moment inside an act: before a step runs, when an event is reported, or at the end."""

    state: State
    run: int
    """Number of the step's run within the act."""
    event: int | None = None
    """Index of the event in the act; None if no event was reported at this moment."""


class _MomentWatch:
    """A watcher that keeps the state at every moment of an act."""

    def __init__(self, t: State) -> None:
        self.t, self.run, self.count = t, 0, 0
        self.marks = [MomentMark(t.clone(), 0)]
        t.told = EventFeed(self._hear)

    def _hear(self, event: Event) -> None:
        self.marks.append(MomentMark(self.t.clone(), self.run, self.count))
        self.count += 1

    def enter(self, t: State, frame: Procedure, step: PlannedStep) -> None:
        self.run += 1
        self.marks.append(MomentMark(t.clone(), self.run))

    def ran(self) -> None:
        """Note that the step has run another procedure."""

    def ended(self) -> None:
        """Note that the innermost frame has ended."""

    def passed(self) -> None:
        """Note that the innermost frame is done."""

    def threw(self, effect: Throw) -> None:
        """Note a throw of dice."""

    def triggered(self, queue: Sequence[Procedure], waiting: Sequence[Procedure]) -> None:
        """Queued procedures begin."""


def inside(act: Point) -> list[MomentMark]:
    t = act.state.clone()
    watch = _MomentWatch(t)
    answer(t, Scripted(*act.rolls), act.index, act.action, watcher=watch)
    watch.marks.append(MomentMark(t.clone(), watch.run + 1))
    return watch.marks


def looks_alike(a: State, b: State) -> bool:
    if len(a.stack) != len(b.stack):
        return False
    names = [name for name in a.__struct_fields__ if name not in ("stack", "told")]
    return all(getattr(a, name) == getattr(b, name) for name in names) and all(map(_same_frame, a.stack, b.stack))


def _same_frame(a: Procedure, b: Procedure) -> bool:
    return type(a) is type(b) and all(
        getattr(a, name) == getattr(b, name) for name in a.__struct_fields__ if name != "at"
    )
