"""One game: a match, its log, its numbers, and what each side may see of it.

It knows no clock, network or storage. What changes it returns the row to be stored, and a game is played again from
its rows.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import takewhile
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from caltrop import __version__
from caltrop.chance import Awaiting, Dice, Once, Roll, Scripted, ScriptError, TypedIn
from caltrop.engine import (
    Decision,
    Entry,
    Event,
    Fell,
    Match,
    Outcome,
    Played,
    Rolled,
    Ruleset,
    digest,
    has_secrets,
    name_of,
    redacted,
    words_of,
)
from caltrop.engine.cause import Causes
from caltrop.engine.match import Point
from caltrop.host.chronicle import Chronicle
from caltrop.host.events import (
    Acted,
    Created,
    Noted,
    Pending,
    Said,
    Setup,
    TookBack,
    encode,
    needed,
    packed,
    read_rows,
    rolls_of,
    tales_of,
)
from caltrop.host.faults import CannotContinue, refused
from caltrop.host.seats import PERSON, Library, SecureDice
from caltrop.host.storage import Row
from caltrop.journal import Record, record_of
from caltrop.journal.keep import Tale, Teller, fallen
from caltrop.picture import Group, Picture, Tally
from caltrop.scenarios.lessons import begun, lesson, lessons, steps_done
from caltrop.wire import (
    DiceWanted,
    GoneView,
    LessonView,
    LogEntry,
    LuckView,
    SeatView,
    Thrown,
    UndoView,
    Versions,
    View,
    as_action,
    decision_view,
)
from caltrop.wire.view import SCHEMA_VERSION

log = logging.getLogger("caltrop.host")

LOG_LINES = 400
"""Lines of the log in a whole view."""
PASSING_KEPT = 128
"""Moments inside acts that are kept to be shown."""
NEAR = 4
"""Acts that are noted at once when they have been shown; more are left to whoever asks."""


class Passing(NamedTuple):
    """A moment inside an act, after something that the rules did for a side that nobody plays."""

    state: Any
    lines: dict[int | None, int]
    """For all eyes, the number of the last line that is told by then."""


class ShownPast(NamedTuple):
    """The moments of a game in force, as some eyes may see them; it is never changed, and may be read in a thread."""

    eyes: int | None
    movers: tuple[int, ...]
    """Whose each act was."""
    lines: tuple[LogEntry, ...]
    picture: Callable[[int], Picture]
    """The table after so many acts."""
    over: Outcome | None
    setup: Setup


class Game:
    """One game: the match, what is around it, and what each side may see of it.

    Args:
        id: Its name.
        setup: How it was made.
        ruleset: Its rulebook.
        dice: Where its rolls come from.
    """

    def __init__(self, id: str, setup: Setup, ruleset: Ruleset, dice: Dice) -> None:
        self.id, self.setup, self.ruleset = id, setup, ruleset
        self.teller = Teller(ruleset, self.eyes, setup.salt.encode())
        self.retold: list[Tale] | None = None
        """What was told so far, where the game is played again for that."""
        self.lesson = lesson(ruleset.name, setup.lesson) if setup.lesson is not None else None
        if setup.lesson is not None:
            state = begun(ruleset.name, setup.lesson).state
        else:
            state = ruleset.setup(ruleset.book(setup.edition, setup.rules), setup.scenario, setup.armies, setup.size)
        self.match = Match(ruleset, state, dice)
        self.deeds: list[tuple[str, ...]] = []
        """For each act in force: the name of the answer, and of what happened; kept in lessons only."""
        self.seq = 0
        self.asked_at = 0
        """Grows whenever other decisions are asked, also by an undo: no decision's id is used twice."""
        self.resigned: int | None = None
        self.shown_by: int | None = None
        """The side that has shown everything after the end: nothing is taken back since."""
        self.hides = False
        """Whether anything was hidden from somebody that no later act has opened."""
        self.takeback: int | None = None
        """The side that has asked for leave to take an act back."""
        self.pending: Pending | None = None
        """The act that waits for real dice."""
        self.played: list[Played] = []
        """The answer of each act in force."""
        self.taken_back: list[Played] = []
        """Acts that were freely taken back: the last is played again first. Another act leaves none of them."""
        self.keys: dict[str, int] = {}
        self.luck: dict[int | None, list[tuple[int, Tally]]] = {eyes: [] for eyes in self.eyes}
        """What every roll gave, with the number of its line; what was taken back stays in."""
        self.logs: dict[int | None, list[LogEntry]] = {eyes: [] for eyes in self.eyes}
        self.passing: deque[Passing] = deque(maxlen=PASSING_KEPT)
        self.causes = Causes(self.match)
        """What led to what happened, worked out as far as somebody has asked."""
        self.chronicles = {eyes: Chronicle(ruleset, eyes) for eyes in self.eyes}
        """What changed act by act, noted as far as somebody was shown it or has asked."""
        self.why_lock = Lock()
        """Held by whoever works out causes or goes on with a chronicle: they are asked for in threads."""
        self._were: dict[tuple[int | None, int, int], Group | None] = {}
        """For some eyes, a line of their log and a unit: the unit as it was seen before the line's act."""
        self._note_secrets(self.match.journal)
        self._tell(self.match.opening, None)

    @classmethod
    def begun(cls, id: str, setup: Setup, ruleset: Ruleset, dice: Dice) -> Game:
        """A new game: how it is made names the rows of rules data that it reads."""
        game = cls(id, setup, ruleset, dice)
        game.setup = msgspec.structs.replace(setup, rules_digest=ruleset.rules_digest(game.match.state))
        return game

    def created(self) -> Row:
        """The row of the beginning."""
        told = self._told(lambda: self.teller.beginning(self.match, fallen(self.match.journal, 0)))
        entries = tuple(self.match.journal)
        return self.row("created", Created(setup=self.setup, entries=entries, digest=self.digest, told=told))

    def _told(self, tell: Callable[[], Tale]) -> bytes:
        """What something told, packed; nothing where it cannot be told, which stops no game."""
        try:
            return packed(tell())
        except Exception:
            log.exception("the tale of %s", self.id)
            return b""

    @property
    def eyes(self) -> tuple[int | None, ...]:
        """Everybody who may look: the sides, and onlookers."""
        return (*range(len(self.setup.seats)), None)

    @property
    def over(self) -> Outcome | None:
        """How it ended, None while it goes on."""
        if self.resigned is not None and self.match.over is None:
            others = [side for side in range(len(self.setup.seats)) if side != self.resigned]
            return Outcome(others[0] if len(others) == 1 else None, f"{self._name(self.resigned)} has resigned")
        return self.match.over

    @property
    def kept_back(self) -> bool:
        """Whether the game is over, and what was hidden in it waits until a side shows it: it may still go on.

        Where no person plays nobody could take anything back, and nothing waits.
        """
        hidden = self.hides or has_secrets(self.match.state)
        return hidden and self.over is not None and self.shown_by is None and PERSON in self.setup.seats

    @property
    def _final(self) -> bool:
        """Whether nothing is taken back any more, also by leave."""
        return self.resigned is not None or self.shown_by is not None

    def _boundary(self, side: int) -> str | None:
        """Why a side may not take its last act back freely; None where it may."""
        return "dice are being thrown" if self.pending is not None else self.match.boundary(side)

    @property
    def typists(self) -> frozenset[int]:
        """The sides whose dice are real ones."""
        dice, seats = self.setup.dice, self.setup.seats
        if isinstance(dice, str):
            return frozenset(side for side, player in enumerate(seats) if dice == "typed" and player == PERSON)
        return frozenset(side for side, how in enumerate(dice) if how == "typed")

    @property
    def acts(self) -> int:
        """How many acts are in force."""
        return len(self.match.history)

    @property
    def states(self) -> tuple[Any, ...]:
        """Before the first act, and after each act in force."""
        return (*[point.state for point in self.match.history], self.match.state)

    def shown_past(self, eyes: int | None) -> ShownPast:
        """Its moments, as *eyes* may see them."""
        states, chronicle = self.states, self.chronicles[eyes]
        return ShownPast(
            eyes=eyes,
            movers=tuple(point.side for point in self.match.history),
            lines=tuple(self.lines_in_force(eyes)),
            picture=lambda act: chronicle.picture(states[act]),
            over=self.over,
            setup=self.setup,
        )

    def remember(self, eyes: int | None, picture: Picture) -> None:
        """Note what has changed for *eyes*, which are shown this picture of the game as it is now.

        Never waits: what is not noted because somebody asks just now, or because much is missing, is noted later.
        """
        if self.why_lock.acquire(blocking=False):
            try:
                states = self.states
                if self.chronicles[eyes].missing(states) <= NEAR:
                    self.chronicles[eyes].go_on(states, picture)
            finally:
                self.why_lock.release()

    @property
    def digest(self) -> str:
        """A hash of the whole state, for the server alone."""
        return digest(self.match.state, self.setup.salt.encode())

    def ids(self) -> list[tuple[str, Decision]]:
        """The decisions that wait, by their ids."""
        if self.over is not None or self.pending is not None:
            return []
        t = self.match.state
        return [(f"{self.asked_at}.{i}", d) for i, d in enumerate(t.asked) if len(t.asked) == 1 or t.answers[i] is None]

    def decision(self, id: str, sides: Sequence[int]) -> Decision:
        """The decision called *id*, if one of *sides* is to answer it.

        Raises:
            Refused: when it waits no longer, or is another side's.
        """
        if self.over is not None:
            raise refused("over", f"The game is over: {self.over.reason}")
        if self.pending is not None:
            raise refused("dice-awaited", "Dice are being thrown; type them in first")
        found = next((d for name, d in self.ids() if name == id), None)
        if found is None:
            raise refused("stale-decision", "This was answered already; the table shows what is asked now", decision=id)
        if found.side not in sides:
            raise refused("not-your-decision", "The other side is to answer this", side=found.side)
        return found

    # What changes the game. Each returns the row that stores it.

    def act(
        self,
        decision: Decision,
        action: Any,
        typed: Sequence[Sequence[int]] = (),
        speakers: Sequence[int] = (),
        thrown: Sequence[Roll] = (),
    ) -> Row:
        """Answer a decision. Where real dice are wanted of somebody else, the act waits for them.

        It waits too, and is not refused, where dice of the server have fallen in it: which dice are wanted then may
        tell how those fell, and nobody is to think better of it, or to have them thrown again.

        Args:
            decision: What is answered.
            action: The answer.
            typed: Real dice, in the order in which they are asked for.
            speakers: The sides that say this: their own dice are asked back from them.
            thrown: How dice of the server have fallen in this act already.

        Raises:
            Refused: by the rules; nothing has changed.
        """
        match, before = self.match, self.match.state
        start = len(match.journal)
        server_dice = match.dice
        typists = self.typists
        once = Once(thrown, server_dice)
        by_hand: TypedIn | None = None
        fit: list[tuple[int, ...]] | None = None
        events: tuple[Event, ...] = ()
        if typists:
            everybody = len(typists) == len(self.setup.seats)
            match.dice = by_hand = TypedIn(typed, once, None if everybody else typists)
        elif typed:
            raise refused("dice-not-asked", "In this game the server throws the dice")
        try:
            events = match.play(decision.side, action, decision)
            if by_hand is not None and by_hand.taken < len(typed) and not once.rolls:
                match.go_back(self.acts - 1)
                del match.journal[start:]
                raise refused("wrong-dice", f"{by_hand.taken} rolls are thrown here, and {len(typed)} were typed in")
        except Awaiting as awaiting:
            pool, whose = awaiting.pool, awaiting.side
            own = whose in speakers or (speakers and (whose is None or self.player(whose) != PERSON))
            if own and not once.rolls:
                raise refused(
                    "dice-wanted",
                    f"Throw {pool.count} dice with {pool.sides} sides, and type in how they fell",
                    " ".join(awaiting.why[:1]),
                    count=pool.count,
                    sides=pool.sides,
                    given=len(typed),
                    side=whose,
                    words=awaiting.words,
                ) from None
            self.pending = Pending(
                side=decision.side,
                index=next(i for i, d in enumerate(before.asked) if d == decision and before.answers[i] is None),
                action=action,
                typed=tuple(tuple(roll) for roll in typed),
                whose=whose,
                count=pool.count,
                sides=pool.sides,
                clauses=awaiting.why,
                words=awaiting.words,
                thrown=tuple(once.rolls),
            )
            return self.row("pending", self.pending)
        except ScriptError as error:
            if not once.rolls or by_hand is None or thrown:
                raise refused("wrong-dice", f"These dice do not fit: {error}") from None
            fit = by_hand.typed
        finally:
            match.dice = server_dice
        if fit is not None:
            # Those that fit are kept, and the act waits for the others.
            return self.act(decision, action, fit, speakers, once.rolls)
        entries, over = tuple(match.journal[start:]), match.over is not None
        played = entries[0]
        assert isinstance(played, Played)
        self._after(events, before.asks, played)
        told = self._told(lambda: self.teller.act(match, before, played, events, start + 1))
        return self.row("act", Acted(entries=entries, digest=self.digest, acts=self.acts, over=over, told=told))

    def reactions(self, sides: Sequence[int] = ()) -> list[Row]:
        """Answer for people the reactions in which they have no choice.

        Where another person sits at another screen nobody is answered for: who is asked and has to think would be told
        from who is not. People at one screen see who is asked as well; they may have agreed to be asked always.

        Args:
            sides: The seats of whoever has just played: people who share a screen have all of theirs.
        """
        rows: list[Row] = []
        people = {side for side, player in enumerate(self.setup.seats) if player == PERSON}
        if len(people) > 1 and (self.setup.always_ask or not people <= set(sides)):
            return rows
        while self.pending is None and self.over is None:
            asked = (d for _, d in self.ids() if d.reaction and self.player(d.side) == PERSON)
            found = [(d, options) for d in asked if not (options := d.options(self.match.view(d.side))).several()]
            if not found:
                break
            decision, options = found[0]
            rows.append(self.act(decision, options.first()))
        return rows

    def type_in(self, sides: Sequence[int], faces: Sequence[int]) -> Row:
        """Give the act that waits for real dice the roll that it waits for.

        Args:
            sides: The seats of whoever types.
            faces: The dice as they fell.

        Raises:
            Refused: when no dice are wanted, or not of these seats, or they do not fit.
        """
        pending = self.pending
        if pending is None or self.over is not None:
            raise refused("dice-not-asked", "No dice are to be typed in now")
        whose = pending.whose
        if not sides or (whose is not None and self.player(whose) == PERSON and whose not in sides):
            raise refused("not-your-seat", "These dice are thrown by the other side")
        self.pending = None
        try:
            action = pending.action
            if isinstance(action, dict):  # it was read back from storage
                action = as_action(self.ruleset, action)
            asked, typed = self.match.state.asked[pending.index], (*pending.typed, tuple(faces))
            return self.act(asked, action, typed, thrown=pending.thrown)
        except BaseException:
            self.pending = pending
            raise

    def undo(self, side: int, *, consent: bool = False) -> Row:
        """Take the last act back.

        Raises:
            Refused: when that needs the other side's leave, or there is nothing to take back.
        """
        if self._final:
            raise refused("over", self._why_final())
        if not consent:
            why = self._boundary(side)
            if why is not None:
                raise refused("boundary", f"That cannot be taken back freely: {why}", boundary=why)
        if not any(point.side == side for point in self.match.history):
            raise refused("nothing-to-undo", "This side has played nothing yet")
        before = self.match.state
        self._take_back(side, consent)
        told = self._told(lambda: self.teller.undo(self.match, before))
        return self.row("undo", TookBack(side=side, consent=consent, digest=self.digest, acts=self.acts, told=told))

    def redo(self, side: int) -> Row:
        """Play again the last act that the side took back: it rolled nothing, and so it comes to the same.

        Raises:
            Refused: when there is none, or something else was played since.
        """
        if not self._may_redo(side):
            raise refused(
                "nothing-to-redo", "There is nothing to play again: it was not taken back, or other acts came"
            )
        played = self.taken_back[-1]
        return self.act(self.match.state.asked[played.index], played.action)

    def _may_redo(self, side: int) -> bool:
        if self.over is not None or self.pending is not None:
            return False
        return bool(self.taken_back) and self.taken_back[-1].side == side

    def _take_back(self, side: int, consent: bool) -> None:
        acts = self.acts
        undone = self.match.history[:]
        self.match.undo(side, consent=consent)
        # A sealed answer that is taken back may never be opened.
        self.hides = self.hides or any(len(point.state.asked) > 1 for point in undone[self.acts :])
        # What is given back by leave may have rolled, and would fall otherwise now.
        self.taken_back = [] if consent else [*self.taken_back, *self.played[self.acts : acts][::-1]]
        del self.played[self.acts :]
        self.asked_at += 1
        self.takeback = None
        words = f"{self._name(side)} takes back its last act" + (", by leave of the other side" if consent else "")
        for eyes, lines in self.logs.items():
            first = len(lines)
            while first and lines[first - 1].act > self.acts:
                first -= 1
            self._line(eyes, LogEntry(n=0, act=self.acts, side=side, kind="undo", text=words, undoes=first + 1))

    def ask_takeback(self, side: int, answer: bool | None) -> Row:
        """Ask for leave to take an act back (*answer* is None), or answer such a request.

        Raises:
            Refused: when there is nothing to ask or to answer.
        """
        if answer is None:
            if self._final:
                raise refused("over", self._why_final())
            if self.pending is not None:
                raise refused("boundary", "Dice are being thrown; type them in first")
            if not any(point.side == side for point in self.match.history):
                raise refused("nothing-to-undo", "This side has played nothing yet")
            if self.takeback is not None:
                raise refused("already-asked", "Leave has been asked for already; wait for the answer")
        elif self.takeback is None or self.takeback == side:
            raise refused("nobody-asks", "The other side does not ask for anything")
        self._takeback_said(side, answer)
        return self.row("takeback", Said(side=side, answer=answer))

    def _takeback_said(self, side: int, answer: bool | None) -> None:
        if answer is None:
            self.takeback = side
            self._note(side, "takeback", f"{self._name(side)} asks for leave to take back its last act")
        elif answer is False:
            self.takeback = None
            self._note(side, "takeback", f"{self._name(side)} does not give leave")

    def resign(self, side: int) -> Row:
        """Give the game up.

        Raises:
            Refused: when it is over.
        """
        if self.over is not None:
            raise refused("over", f"The game is over: {self.over.reason}")
        self._resigned(side)
        return self.row("resign", Said(side=side))

    def _resigned(self, side: int) -> None:
        self.resigned, self.takeback, self.pending = side, None, None
        self._note(side, "resign", f"{self._name(side)} resigns")

    def show_all(self, side: int) -> Row:
        """Show everything that was hidden, now that the game is over: its last act stands from now on.

        Raises:
            Refused: while the game goes on, or when everything has been shown already.
        """
        if self.over is None:
            raise refused("goes-on", "The game goes on: what is hidden is shown when it is over")
        if self.shown_by is not None:
            raise refused("shown", "Everything has been shown already")
        self._show_all(side)
        return self.row("show", Said(side=side))

    def _show_all(self, side: int) -> None:
        self.shown_by, self.takeback = side, None
        self._note(side, "show", f"{self._name(side)} shows everything: the game stands as it is")

    def _why_final(self) -> str:
        return "The game is over" if self.shown_by is None else "The game is over, and everything has been shown"

    def note(self, side: int | None, text: str) -> Row:
        """Write a line into the log that is no event of the rules."""
        self._note(side, "player", text)
        return self.row("note", Noted(side=side, text=text))

    def row(self, kind: str, body: Any, key: str | None = None) -> Row:
        self.seq += 1
        return Row(self.seq, kind, encode(body), key)

    def _after(self, events: Sequence[Event], asks: int, played: Played) -> None:
        side, again = played.side, self.taken_back[-1:] == [played]
        self.taken_back = self.taken_back[:-1] if again else []
        self.played[self.acts - 1 :] = [played]
        if self.lesson is not None:
            names = (name_of(played.action),) if side == self.lesson.side else ()
            self.deeds[self.acts - 1 :] = [(*names, *(name_of(event) for event in events))]
        if self.match.state.asks != asks or not self.match.state.asked:
            self.asked_at += 1
        self.takeback = self.pending = None
        rolls = takewhile(lambda entry: isinstance(entry, Fell), reversed(self.match.journal))
        self._note_secrets(tuple(rolls), self.match.history[-1])
        self._tell_of_act(events, side)

    def _note_secrets(self, rolls: Sequence[Entry], act: Point | None = None) -> None:
        """Note whether anything is hidden that an act, or the opening, has brought about."""
        t = self.match.state
        self.hides = (
            self.hides
            or any(isinstance(fell, Fell) and (fell.draw or fell.secret) for fell in rolls)
            or (act is not None and act.state.asked[act.index].secret)
            or bool(t.secret)
            or any(frame.secret for frame in (*t.stack, *t.queue))
        )

    def _name(self, side: int) -> str:
        seats = self.ruleset.depict(self.match.view(None), None).seats
        return next((seat.name for seat in seats if seat.side == side), f"Side {side + 1}")

    # The log.

    def _tell(self, events: Sequence[Event], side: int | None) -> None:
        if not events:
            return
        for eyes in self.logs:
            view = self.match.view(eyes)
            for event in events:
                seen = event.seen_by(eyes)
                if seen is not None:
                    entry = self._entry(seen, view, side)
                    self._line(eyes, entry)
                    self.luck[eyes].extend((len(self.logs[eyes]), tally) for tally in _tallies(entry))

    def _tell_of_act(self, events: Sequence[Event], side: int) -> None:
        """Tell what an act brought about: where the rules move a side, unit by unit, and as that side's own doing."""
        moments, automated = self.match.moments, self.ruleset.automated(self.match.state)
        whose = [m.active if m.active in automated else side for m in moments] or [side] * len(events)
        for first, last in _unit_by_unit(events, whose, side):
            self._tell(events[first:last], whose[first])
            if moments and last < len(events):
                self.passing.append(Passing(moments[last - 1], {eyes: len(told) for eyes, told in self.logs.items()}))

    def on_the_way(self, eyes: int | None, after: int) -> list[tuple[Picture, int]]:
        """What is to be seen before the present, with the last line that is told by then.

        Args:
            eyes: A side, or None for an onlooker.
            after: The last line that has been shown.
        """
        return [
            (self.ruleset.depict(redacted(one.state, eyes), eyes), one.lines[eyes])
            for one in self.passing
            if one.lines[eyes] > after
        ]

    def _entry(self, event: Event, view: Any, side: int | None) -> LogEntry:
        dice: tuple[Thrown, ...] = ()
        clauses: tuple[str, ...] = event.clauses
        if isinstance(event, Rolled):
            clauses = event.why
            dice = (
                Thrown(faces=event.faces, sides=event.sides, words=event.words, side=event.side, typed=event.typed),
            )
        try:
            text = event.sentence(view)
        except Exception:
            log.exception("the sentence of %s", type(event).__name__)
            text = words_of(event)  # type: ignore[arg-type]
        try:
            reading = event.reading(view)
        except Exception:
            log.exception("the dice of %s", type(event).__name__)
            reading = None
        try:
            motion = event.motion(view)
        except Exception:
            log.exception("the motion of %s", type(event).__name__)
            motion = None
        return LogEntry(
            n=0,
            act=self.acts,
            side=side,
            kind=name_of(event),
            text=text,
            clauses=clauses,
            dice=dice,
            touches=event.touches(),
            reading=reading,
            motion=motion,
        )

    def _note(self, side: int | None, kind: str, text: str) -> None:
        for eyes in self.logs:
            self._line(eyes, LogEntry(n=0, act=self.acts, side=side, kind=kind, text=text))

    def _line(self, eyes: int | None, entry: LogEntry) -> None:
        lines = self.logs[eyes]
        lines.append(msgspec.structs.replace(entry, n=len(lines) + 1, round=self.ruleset.round(self.match.state)))

    # What is seen.

    def view(self, eyes: int | None, at: int | None = None) -> View:
        """The game as *eyes* may see it.

        Args:
            eyes: A side, or None for an onlooker.
            at: After how many acts; now where it is left out. An earlier moment has no decisions.

        Raises:
            Refused: when there is no such moment.
        """
        match, past = self.match, at is not None and at != self.acts
        lines = self.logs[eyes]
        if past:
            if at is None or not 0 <= at <= self.acts:
                raise refused("no-such-moment", f"The game has {self.acts} acts", acts=self.acts)
            t = redacted(match.history[at].state, eyes)
            lines = [entry for entry in self._in_force(lines) if entry.act <= at]
        else:
            t = match.view(eyes)
        picture = self.ruleset.depict(t, eyes)
        asked = () if past else self.ids()
        seats = tuple(
            SeatView(side=s.side, player=self.player(s.side), name=s.name, letter=s.letter, shape=s.shape)
            for s in picture.seats
        )
        return View(
            seq=self.seq,
            game=self.id,
            ruleset=self.ruleset.name,
            edition=self.setup.edition,
            rules=self.setup.rules,
            scenario=self.setup.scenario,
            you=eyes,
            seats=seats,
            act=self.acts if at is None else at,
            picture=picture,
            decisions=tuple(decision_view(id, d, t) for id, d in asked if d.side == eyes),
            waiting_for=tuple(dict.fromkeys(d.side for _, d in asked))
            if past or self.pending is None
            else self._typing(),
            over=None if past else self.over,
            kept_back=self.kept_back,
            undo=UndoView() if past else self._undo(eyes),
            log=tuple(lines[-LOG_LINES:]),
            luck=self._luck(eyes, lines[-1].n if lines else 0),
            dice=None if past else self._wanted(),
            lesson=None if past else self._coach(),
            gone=self._gone(eyes, picture, lines),
            versions=Versions(wire=SCHEMA_VERSION, engine=__version__, rules=self.ruleset.rules_version),
        )

    def _gone(self, eyes: int | None, picture: Picture, lines: Sequence[LogEntry]) -> tuple[GoneView, ...]:
        """The units that lines in force touch and that are not in the picture, in the order of their numbers."""
        there = {group.id for group in picture.groups}
        found: dict[int, GoneView] = {}
        for line in reversed(self._in_force(lines)):
            for unit in line.touches:
                if line.act and unit not in there and unit not in found:
                    group = self._seen_before(eyes, line, unit)
                    if group is not None:
                        found[unit] = GoneView(id=unit, side=group.side, name=group.name, act=line.act)
        return tuple(found[unit] for unit in sorted(found))

    def _seen_before(self, eyes: int | None, line: LogEntry, unit: int) -> Group | None:
        """A unit as *eyes* saw it before the act that a line tells of."""
        key = (eyes, line.n, unit)
        if key not in self._were:
            groups = self.ruleset.depict(redacted(self.match.history[line.act - 1].state, eyes), eyes).groups
            self._were[key] = next((group for group in groups if group.id == unit), None)
        return self._were[key]

    def _typing(self) -> tuple[int, ...]:
        """The sides whose dice are waited for; a computer's are thrown by whoever plays against it."""
        pending = self.pending
        if pending is None:
            return ()
        whose = pending.whose
        if whose is not None and self.player(whose) == PERSON:
            return (whose,)
        return tuple(side for side, player in enumerate(self.setup.seats) if player == PERSON)

    def _wanted(self) -> DiceWanted | None:
        pending = self.pending
        if pending is None:
            return None
        return DiceWanted(
            side=pending.whose,
            count=pending.count,
            sides=pending.sides,
            clauses=pending.clauses,
            words=pending.words,
        )

    def _coach(self) -> LessonView | None:
        """What the lesson says now."""
        if self.lesson is None or self.setup.lesson is None:
            return None
        steps, every = self.lesson.steps, [one.id for one in lessons(self.ruleset.name)]
        done = min(steps_done(steps, self.deeds[: self.acts]), len(steps) - 1)
        at = every.index(self.lesson.id)
        return LessonView(
            id=self.lesson.id,
            title=self.lesson.title,
            number=at + 1,
            of=len(every),
            say=steps[done].say,
            step=done + 1,
            steps=len(steps),
            done=not steps[done].until,
            next=every[at + 1] if at + 1 < len(every) else None,
        )

    def _luck(self, eyes: int | None, last: int) -> tuple[LuckView, ...]:
        """What every side's dice have given up to a line of the log, and what was to be expected."""
        sums: dict[tuple[int, str], tuple[int, int, Fraction]] = {}
        for n, tally in self.luck[eyes]:
            if n <= last:
                rolls, got, mean = sums.get((tally.side, tally.label), (0, 0, Fraction(0)))
                sums[tally.side, tally.label] = (rolls + 1, got + tally.got, mean + Fraction(tally.expected))
        return tuple(
            LuckView(
                side=side,
                label=label,
                rolls=rolls,
                got=got,
                expected=f"{mean.numerator}/{mean.denominator}",
                mean=float(mean),
            )
            for (side, label), (rolls, got, mean) in sorted(sums.items())
        )

    def lines_in_force(self, eyes: int | None) -> list[LogEntry]:
        """The lines that *eyes* may read and that no undo has taken back."""
        return self._in_force(self.logs[eyes])

    @staticmethod
    def _in_force(lines: Sequence[LogEntry]) -> list[LogEntry]:
        """The lines that no undo has taken back."""
        kept: list[LogEntry] = []
        for entry in lines:
            if entry.undoes is not None:
                while kept and kept[-1].n >= entry.undoes:
                    kept.pop()
            else:
                kept.append(entry)
        return kept

    def player(self, side: int) -> str:
        """Who plays a side."""
        return self.setup.seats[side] if side < len(self.setup.seats) else "random"

    def _undo(self, eyes: int | None) -> UndoView:
        if eyes is None or self._final:
            return UndoView(asked=self.takeback)
        why = self._boundary(eyes)
        until, cause = self._free(eyes)
        own = any(point.side == eyes for point in self.match.history)
        return UndoView(
            allowed=why is None,
            boundary=why,
            takeback=why is not None and own and self.pending is None and self._may_give_leave(eyes),
            asked=self.takeback,
            until=until,
            cause=cause,
            redo=self._may_redo(eyes),
        )

    def _free(self, side: int) -> tuple[int, str]:
        """How far back a side may go freely, and why no farther."""
        acts = self.acts
        if self.over is not None:
            return acts, "the game is over"
        while acts:
            point = self.match.history[acts - 1]
            if point.side != side:
                return acts, "the other side has answered since"
            if point.boundary:
                return acts, point.boundary
            acts -= 1
        return 0, "nothing was played before"

    def _may_give_leave(self, side: int) -> bool:
        return self.setup.friendly or any(
            player == PERSON for other, player in enumerate(self.setup.seats) if other != side
        )

    # What is written down.

    @property
    def moment(self) -> tuple[int, ...]:
        """What is another value when anything has changed."""
        return self.seq, self.acts, len(self.match.journal)

    def record(self, side: int | None) -> Record:
        """The recorded game, with what *side* (None: an onlooker) may know until everything is shown."""
        return record_of(
            self.match,
            self.setup.setting,
            players=self.setup.seats,
            resigned=self.resigned,
            side=side,
            salt=self.setup.salt.encode(),
            kept_back=self.kept_back,
        )

    # From storage.

    @classmethod
    def restored(cls, id: str, rows: Sequence[Row], library: Library) -> Game:
        """A game played again from its events.

        Where the events do not hold what they told, it is noted in `retold` on the way.

        Raises:
            CannotContinue: when it does not play as it did; `Damaged` when its events cannot be read.
        """
        created, acted = read_rows(rows)
        game: Game | None = None
        try:
            ruleset = library.find(created.setup.ruleset)
            dice = Scripted(*rolls_of(created.entries))
            for _, body in acted:
                if isinstance(body, Acted):
                    dice.rolls.extend(rolls_of(body.entries))
            game = cls(id, created.setup, ruleset, dice)
            game.seq = rows[0].seq
            if None in tales_of(created, acted):
                game.retold = [game.teller.beginning(game.match, fallen(game.match.journal, 0))]
            game._same(created.digest)
            stored = created.setup.rules_digest
            if stored and stored != ruleset.rules_digest(game.match.state):
                raise CannotContinue("numbers of the rules that it uses are others today")
            for row, body in acted:
                game._again(row, body)
            dice.finish()
        except Exception as error:
            why = f"it needs {needed(rows)}"
            if isinstance(error, CannotContinue):
                why += f"; {error}"
            else:
                # Rules that have changed since can fail in any way; the stored game is left as it is.
                log.info("the stored game %s does not play as it did", id, exc_info=error)
            changed = CannotContinue(why)
            changed.game = game
            raise changed from error
        game.match.dice = SecureDice()
        return game

    def _again(self, row: Row, body: Any) -> None:
        match, before = self.match, self.match.state
        if isinstance(body, Acted):
            played, start = body.entries[0], len(match.journal) + 1
            assert isinstance(played, Played)
            action = as_action(self.ruleset, played.action)
            decision, asks = before.asked[played.index], before.asks
            events = match.follow(decision, action)
            played = msgspec.structs.replace(played, action=action)
            self._after(events, asks, played)
            self._same(body.digest)
            if self.retold is not None:
                self.retold.append(self.teller.act(match, before, played, events, start))
        elif isinstance(body, TookBack):
            self._take_back(body.side, body.consent)
            self._same(body.digest)
            if self.retold is not None:
                self.retold.append(self.teller.undo(match, before))
        elif isinstance(body, Pending):
            self.pending = body
        elif isinstance(body, Noted):
            self._note(body.side, "player", body.text)
        elif row.kind == "seat":
            self.keys[row.key or ""] = body.side
        elif row.kind == "resign":
            self._resigned(body.side)
        elif row.kind == "show":
            self._show_all(body.side)
        elif row.kind == "takeback":
            self._takeback_said(body.side, body.answer)
        self.seq = row.seq

    def _same(self, stored: str) -> None:
        if self.digest != stored:
            raise CannotContinue("by those of today its state is another one than it was")


def _unit_by_unit(events: Sequence[Event], whose: Sequence[int], side: int) -> list[tuple[int, int]]:
    """The places, first and past the last, of events that are told together.

    What the side did that answered is told at once; what the rules did for another, unit by unit: dice belong to what
    is told after them.
    """
    found: list[tuple[int, int]] = []
    unit: int | None = None
    for i in range(len(events)):
        about = next((one.touches()[:1] for one in events[i:] if one.touches()), ())
        now = None if whose[i] == side or not about else about[0]
        if i and whose[i] == whose[i - 1] and now == unit:
            found[-1] = (found[-1][0], i + 1)
        else:
            found.append((i, i + 1))
        unit = now
    return found


def _tallies(entry: LogEntry) -> tuple[Tally, ...]:
    """What the dice of a line gave: by the game's own reading, and for every roll by the pips."""
    found = [] if entry.reading is None else list(entry.reading.tallies)
    for thrown in entry.dice:
        if thrown.side is not None and thrown.faces:
            mean = Fraction(len(thrown.faces) * (thrown.sides + 1), 2)
            text = f"{mean.numerator}/{mean.denominator}"
            pips = sum(thrown.faces)
            found.append(Tally(side=thrown.side, label="pips", got=pips, expected=text, mean=float(mean)))
    return tuple(found)
