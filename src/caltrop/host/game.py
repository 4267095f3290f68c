"""One game: a match with its seats, its decisions, its chat and its end.

A hosted game contains no clock, network or storage. A method that changes the game returns the row to store, and a game
is restored by replaying its rows (`restoring`). The game's parts: `log` and `telling` write the log, `undo` takes acts
back, and `dice` handles real dice. `coach` has lessons, `hearing` the chat, `chronicle` and `past` earlier moments, and
`views` what each side sees.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

import msgspec

from caltrop.agreeing import quantity
from caltrop.asking import offered
from caltrop.chance import Dice, Roll, Scripted
from caltrop.engine import (
    Decision,
    Entry,
    Event,
    Fell,
    Match,
    Outcome,
    Played,
    Refused,
    Ruleset,
    State,
    digest,
    has_secrets,
    holds_secrets,
)
from caltrop.engine.event import name_of
from caltrop.engine.match import Point
from caltrop.host import dice as real_dice
from caltrop.host.chronicle import Annals
from caltrop.host.clock import Clock
from caltrop.host.coach import Coach
from caltrop.host.events import (
    Acted,
    Created,
    Habit,
    Named,
    Noted,
    Pending,
    Renewing,
    Replaced,
    Said,
    Setup,
    Spent,
    Talked,
    TookBack,
    encode,
)
from caltrop.host.faults import refused
from caltrop.host.hearing import hear
from caltrop.host.log import Log, places
from caltrop.host.nearness import nearest
from caltrop.host.packing import Packing
from caltrop.host.past import ShownPast, on_the_way, shown_past
from caltrop.host.people import People
from caltrop.host.rated import Helped
from caltrop.host.storage import StoredRow
from caltrop.host.telling import tell, tell_of_act
from caltrop.host.undo import UndoStack
from caltrop.host.views import DrawnTable, GoneUnits, view_of
from caltrop.journal import PERSON, Record, record_of
from caltrop.journal.keep import Tale, Teller, fallen
from caltrop.picture import Picture
from caltrop.scenarios.lessons import begun
from caltrop.scenarios.rulings import position, ruling
from caltrop.wire import LogEntry, UndoView, View, as_action

log = logging.getLogger("caltrop.host")

HABITS = 16
"""Largest number of standing answers of one side."""


class HostedGame:
    """One game: the match, its surroundings, and each side's view of the match."""

    stood = 0
    """Number of the last event included in the game's stored state, if the game was opened from a stored state."""
    earlier: Callable[[], object] | None = None
    """Function that replays the events before the game's stored state; None once this is done."""

    def __init__(self, id: str, setup: Setup, ruleset: Ruleset, dice: Dice) -> None:
        if setup.lesson is not None:
            state = begun(ruleset.name, setup.lesson).state
        elif setup.ruling is not None:
            state = position(ruling(ruleset.name, setup.ruling)).state
        else:
            state = setup.setting.start()
        match = Match(ruleset, state, dice)
        self._put_around(id, setup, ruleset, match)
        self._note_secrets(match.journal)
        tell(self.log, match, match.opening, None)

    @classmethod
    def around(cls, id: str, setup: Setup, ruleset: Ruleset, match: Match) -> HostedGame:
        """Return a game for an existing match; the log and the people are added later."""
        game = cls.__new__(cls)
        game._put_around(id, setup, ruleset, match)
        return game

    def _put_around(self, id: str, setup: Setup, ruleset: Ruleset, match: Match) -> None:
        self.id, self.setup, self.ruleset, self.match = id, setup, ruleset, match
        self.teller = Teller(ruleset, self.eyes, setup.salt.encode())
        self.retold: list[Tale] | None = None
        """Texts so far, if the game is replayed to produce them."""
        self.packing = Packing()
        """Packing for the next tale."""
        self.coach = Coach(ruleset.name, setup.lesson) if setup.lesson is not None else None
        self.seq = 0
        self.asked_at = 0
        """Counter that increases whenever other decisions are asked, even after an undo, so that ids of decisions are
        unique.
        """
        self.helped = Helped()
        self.resigned: int | None = None
        self.late: int | None = None
        """The side that lost because its time was up."""
        self.agreed = False
        """True if the sides have agreed on a draw."""
        self.shown_by: int | None = None
        """The side that showed everything after the end. After that, no act can be taken back."""
        self.hides = False
        """True if something is still hidden from somebody."""
        self.turn_began = False
        """True if a turn began in the last act."""
        self.takeback: int | None = None
        """The side that has asked to take an act back."""
        self.pending: Pending | None = None
        """The act that waits for real dice."""
        self.keys: dict[str, int] = {}
        self.lapsed: dict[str, int] = {}
        """The side of each secret that no longer opens its seat."""
        self.undone = UndoStack(match)
        self.log = Log(self.eyes, lambda: len(match.history), lambda: ruleset.round(match.state))
        self.people = People(setup, self.log, self.name)
        self.clock = self._clock()
        self.annals = Annals(match, self.eyes)
        self.gone = GoneUnits(match)
        self.drawn = DrawnTable(match)

    @classmethod
    def begun(cls, id: str, setup: Setup, ruleset: Ruleset, dice: Dice) -> HostedGame:
        game = cls(id, setup, ruleset, dice)
        game.setup = msgspec.structs.replace(setup, rules_digest=ruleset.rules_digest(game.match.state))
        return game

    def created(self) -> StoredRow:
        tale = self._told(lambda: self.teller.beginning(self.match, fallen(self.match.journal, 0)))
        entries = tuple(self.match.journal)
        return self.row(
            "created", Created(setup=self.setup, entries=entries, digest=self.digest, waits=self.waiting_for, told=tale)
        )

    def _told(self, tell: Callable[[], Tale]) -> bytes:
        try:
            return self.packing.packed(tell())
        except Exception:
            log.exception("the change of the game %s could not be described", self.id)
            return b""

    # The state of the game.

    def persons(self, side: int) -> list[str]:
        """Return the ids of the people of a side who have an account-like name beyond this game."""
        return [key.removeprefix("p:") for key, of in self.keys.items() if of == side and key.startswith("p:")]

    @property
    def eyes(self) -> tuple[int | None, ...]:
        return (*range(len(self.setup.seats)), None)

    def player(self, side: int) -> str:
        return self.setup.player(side)

    def name(self, side: int) -> str:
        seats = self.drawn.now(None).picture.seats
        return next((seat.name for seat in seats if seat.side == side), f"Side {side + 1}")

    @property
    def over(self) -> Outcome | None:
        return self.match.over or self.called_off

    @property
    def called_off(self) -> Outcome | None:
        """The agreed end of the game, or None."""
        if self.agreed:
            return Outcome(None, "A draw was agreed on")
        lost = self.resigned if self.resigned is not None else self.late
        if lost is None:
            return None
        others = [other for other in range(len(self.setup.seats)) if other != lost]
        why = "has resigned" if lost == self.resigned else "has no time left"
        return Outcome(others[0] if len(others) == 1 else None, f"{self.name(lost)} {why}")

    @property
    def gives_hints(self) -> bool:
        allowed = self.setup.seats.count(PERSON) < 2 if self.setup.hints is None else self.setup.hints
        return allowed and self.coach is None and self.over is None

    @property
    def kept_back(self) -> bool:
        """Return whether the game is over but keeps its secrets, because its last act may still be taken back.

        A game without people hides nothing at its end, because nobody could take an act back.
        """
        hidden = self.hides or has_secrets(self.match.state)
        return hidden and self.over is not None and self.shown_by is None and PERSON in self.setup.seats

    @property
    def secret(self) -> bool:
        """Return whether anything on the table or in an open question is hidden from some side now."""
        t = self.match.state
        return has_secrets(t) or any(decision.secret for decision in t.asked)

    @property
    def typists(self) -> frozenset[int]:
        return real_dice.typists(self.setup)

    @property
    def acts(self) -> int:
        return len(self.match.history)

    @property
    def states(self) -> tuple[Any, ...]:
        return (*[point.state for point in self.match.history], self.match.state)

    @property
    def digest(self) -> str:
        """Hash of the whole state, for the server only."""
        return digest(self.teller.written(self.match.state), self.setup.salt.encode())

    @property
    def moment(self) -> tuple[int, ...]:
        """Value that changes whenever anything has changed."""
        return self.seq, self.acts, len(self.match.journal)

    def ids(self) -> list[tuple[str, Decision]]:
        if self.over is not None or self.pending is not None:
            return []
        t = self.match.state
        return [(f"{self.asked_at}.{i}", d) for i, d in enumerate(t.asked) if len(t.asked) == 1 or t.answers[i] is None]

    def decision(self, id: str, sides: Sequence[int]) -> Decision:
        """Return a decision by its id, if one of the sides may answer it.

        Raises Refused if the decision is no longer open, or belongs to another side.
        """
        if not sides:
            self.check_not_behind(None)
        if self.over is not None:
            raise refused("over", f"The game is over: {self.over.reason}")
        if self.pending is not None:
            raise refused("dice-awaited", "Dice are being thrown; type them in first")
        decision = next((d for name, d in self.ids() if name == id), None)
        if decision is None:
            words = "This question was already answered; the table shows the present one"
            raise refused("stale-decision", words, decision=id)
        if decision.side not in sides:
            raise refused("not-your-decision", "The other side must answer this", side=decision.side)
        return decision

    # The settings. Each method returns the row to store.

    def row(self, kind: str, body: Any, key: str | None = None) -> StoredRow:
        self.seq += 1
        return StoredRow(self.seq, kind, encode(body), key)

    def act(
        self,
        decision: Decision,
        action: Any,
        typed: Sequence[Sequence[int]] = (),
        speakers: Sequence[int] = (),
        thrown: Sequence[Roll] = (),
    ) -> StoredRow:
        """Answer a decision. If somebody else has to throw real dice, the act waits for these dice.

        If the server has already thrown dice in the act, the act waits too and is not refused. Refusing would let a
        person learn the dice and change the act. Raises Refused under the rules; nothing has changed then.

        Args:
            typed: Real dice, in the order in which they are asked for.
            speakers: The sides of the caller, who type in their own dice.
            thrown: Dice that the server has thrown so far in this act.
        """
        match, before = self.match, self.match.state
        start = len(match.journal)
        done = real_dice.play(match, self.setup, decision, action, typed, speakers, thrown)
        if isinstance(done, Pending):
            self.pending = done
            return self.row("pending", done)
        return self._acted(before, start, done)

    def retrace(self, acts: Sequence[Point]) -> list[StoredRow]:
        """Replay the acts of another game with the same beginning, with the dice of that game.

        Args:
            acts: The first acts of that game that are in force, in order.
        """
        rows, match, dice = [], self.match, self.match.dice
        for point in acts:
            before, start = match.state, len(match.journal)
            match.dice = again = Scripted(*point.rolls)
            done = match.follow(before.asked[point.index], point.action)
            again.finish()
            rows.append(self._acted(before, start, done))
        match.dice = dice
        return rows

    def _acted(self, before: State, start: int, done: Sequence[Event]) -> StoredRow:
        match = self.match
        entries, over = tuple(match.journal[start:]), match.over is not None
        played = entries[0]
        assert isinstance(played, Played)
        self.follow(done, before.asks, played)
        tale = self._told(lambda: self.teller.act(match, before, played, done, start + 1))
        acted = Acted(entries=entries, digest=self.digest, acts=self.acts, over=over, waits=self.waiting_for, told=tale)
        return self.row("act", acted)

    def follow(self, events: Sequence[Event], asks: int, played: Played) -> None:
        self.undone.follow(played)
        self.turn_began = any(event.begins for event in events)
        if self.coach is not None:
            self.coach.watch(self.acts, played, events)
        if self.match.state.asks != asks or not self.match.state.asked:
            self.asked_at += 1
        self.takeback = self.pending = None
        self.people.played(played.side)
        if self.clock is not None:
            self.clock.follow()
        rolls = takewhile(lambda entry: isinstance(entry, Fell), reversed(self.match.journal))
        self._note_secrets(tuple(rolls), self.match.history[-1])
        tell_of_act(self.log, self.match, events, played.side)

    def _note_secrets(self, rolls: Sequence[Entry], act: Point | None = None) -> None:
        t = self.match.state
        self.hides = (
            self.hides
            or any(isinstance(fell, Fell) and (fell.draw or fell.secret) for fell in rolls)
            or (act is not None and act.state.asked[act.index].secret)
            or holds_secrets(t)
        )

    def reactions(self, sides: Sequence[int] = (), *, watched: bool = False) -> list[StoredRow]:
        """Answer the reactions in which people have no choice.

        If people use several screens, nothing is answered automatically, because a pause would show who has a choice.
        People at one screen see the question anyway. A person may also have chosen to be asked every time.

        Args:
            sides: The seats of the screen that has just played.
            watched: True if there are onlookers, who could also learn from a pause.
        """
        rows = [*self._placed(), *self._habitual()]
        if watched:
            return rows
        people = {side for side, player in enumerate(self.setup.seats) if player == PERSON}
        if len(people) > 1 and (self.setup.always_ask or not people <= set(sides)):
            return rows
        while self.pending is None and self.over is None:
            asked = (d for _, d in self.ids() if d.reaction and self.player(d.side) == PERSON)
            forced = [(d, options) for d in asked if not (options := d.options(self.match.view(d.side))).several()]
            if not forced:
                break
            decision, options = forced[0]
            rows.append(self.act(decision, options.first()))
            rows += self._habitual()
        return rows

    def _placed(self) -> list[StoredRow]:
        rows: list[StoredRow] = []
        while self.setup.placed and self.pending is None and self.over is None:
            asked = (d for _, d in self.ids() if self.player(d.side) == PERSON)
            usual_ones = [
                (d, usual) for d in asked if (usual := offered(d).usual(self.match.view(d.side))) and usual.opens
            ]
            if not usual_ones:
                break
            decision, usual = usual_ones[0]
            rows.append(self.act(decision, usual.action))
        return rows

    def type_in(self, sides: Sequence[int], faces: Sequence[int]) -> StoredRow:
        """Give a waiting act its real dice.

        Raises Refused if no dice are needed from these seats, or if the dice do not fit.

        Args:
            faces: The dice as they fell.
        """
        if not sides:
            self.check_not_behind(None)
        pending = self.pending
        if pending is None or self.over is not None:
            raise refused("dice-not-asked", "No dice are needed now")
        whose = pending.whose
        if not sides or (whose is not None and self.player(whose) == PERSON and whose not in sides):
            raise refused("not-your-seat", "These dice are thrown by the other side")
        self.pending = None
        try:
            action = pending.action
            if isinstance(action, dict):  # the waiting act was loaded from storage
                action = as_action(self.ruleset, action)
            asked, typed = self.match.state.asked[pending.index], (*pending.typed, tuple(faces))
            return self.act(asked, action, typed, thrown=pending.thrown)
        except BaseException:
            self.pending = pending
            raise

    # Undo.

    def undo(self, side: int, *, consent: bool = False) -> StoredRow:
        """Take the last act back.

        Raises Refused if the undo needs the other side's consent, or there is no act to take back.
        """
        if self._final:
            raise refused("over", self._why_final())
        if not consent:
            why = "dice are being thrown" if self.pending is not None else self.match.boundary(side)
            if why is not None:
                raise refused("boundary", f"Taking this back needs consent: {why}", boundary=why)
        if not self.undone.has_played(side):
            raise refused("nothing-to-undo", "This side has not acted yet")
        before = self.match.state
        self.go_back(side, consent)
        tale = self._told(lambda: self.teller.undo(self.match, before))
        back = TookBack(
            side=side, consent=consent, digest=self.digest, acts=self.acts, waits=self.waiting_for, told=tale
        )
        return self.row("undo", back)

    def undo_freely(self, side: int) -> list[StoredRow]:
        """Take the last act of a side back, with the later acts of computers.

        Raises Refused if the undo needs the other side's consent, or there is no act to take back.
        """
        answered = 0 if self._final or self._boundary(side) is not None else self.undone.answered(side, self._computers)
        answers = [self.undo(self.match.history[-1].side) for _ in range(answered)]
        return [*answers, self.undo(side)]

    def go_back(self, side: int, consent: bool) -> None:
        """Return to the moment before a side's last act."""
        # A sealed answer that is taken back may never be opened.
        self.hides = self.undone.take_back(side, consent) or self.hides
        self.asked_at += 1
        self.takeback = None
        if self.clock is not None:
            self.clock.follow(back=not consent)
        self.log.taken_back(side, self.name(side), consent)

    def redo(self, side: int) -> StoredRow:
        """Play the last act again that the side undid. The act rolled no dice, so its result is the same.

        Raises Refused if no act was taken back, or another act was played since.
        """
        played = self._redone(side)
        if played is None:
            raise refused("nothing-to-redo", "There is nothing to redo: no act was taken back, or other acts followed")
        return self.act(self.match.state.asked[played.index], played.action)

    def _redone(self, side: int) -> Played | None:
        return None if self.over is not None or self.pending is not None else self.undone.again(side)

    @property
    def _final(self) -> bool:
        counted = (self.setup.rated or self.setup.counted) and self.over is not None
        return counted or self.called_off is not None or self.shown_by is not None

    def _why_final(self) -> str:
        if self.shown_by is not None:
            return "The game is over, and everything has been shown"
        return "The game is over, and its result counts in a tournament" if self.setup.counted else "The game is over"

    def _boundary(self, side: int) -> str | None:
        """Return why a side may not take its last act back freely; None if it may."""
        return "dice are being thrown" if self.pending is not None else self.undone.boundary(side, self._computers)

    @property
    def _computers(self) -> frozenset[int]:
        return frozenset(side for side, player in enumerate(self.setup.seats) if player != PERSON)

    def may_undo(self, eyes: int | None) -> UndoView:
        if eyes is None or self._final:
            return UndoView(asked=self.takeback)
        why = self._boundary(eyes)
        until, cause = self.undone.free(eyes, self.over is not None, self._computers)
        others = [player for side, player in enumerate(self.setup.seats) if side != eyes]
        leave = self.setup.friendly or PERSON in others
        return UndoView(
            allowed=why is None,
            boundary=why,
            takeback=why is not None and self.undone.has_played(eyes) and self.pending is None and leave,
            asked=self.takeback,
            until=until,
            cause=cause,
            redo=self._redone(eyes) is not None,
        )

    # Chat.

    def ask_takeback(self, side: int, answer: bool | None) -> StoredRow:
        """Ask for consent to take an act back (*answer* is None), or answer such a request.

        Raises Refused if there is no act to take back, or no request to answer.
        """
        if answer is None:
            if self._final:
                raise refused("over", self._why_final())
            if self.pending is not None:
                raise refused("boundary", "Dice are being thrown; type them in first")
            if not self.undone.has_played(side):
                raise refused("nothing-to-undo", "This side has not acted yet")
            if self.takeback is not None:
                raise refused("already-asked", "The other side has already been asked; wait for its answer")
        elif self.takeback is None or self.takeback == side:
            raise refused("nobody-asks", "The other side does not ask for anything")
        return self._said("takeback", Said(side=side, answer=answer))

    def resign(self, side: int) -> StoredRow:
        """Resign. Raises Refused if the game is over."""
        if self.over is not None:
            raise refused("over", f"The game is over: {self.over.reason}")
        return self._said("resign", Said(side=side))

    def call(self, side: int, name: str) -> StoredRow:
        return self._said("name", self.people.call(side, name))

    def speak(self, side: int, text: str) -> StoredRow:
        """Record a person's message to the other people. Raises the errors of `People.speak`."""
        return self._said("talk", self.people.speak(side, text))

    def hush(self, side: int, on: bool) -> StoredRow:
        """Mute or unmute the chat for a person. Raises the errors of `People.hush`."""
        return self._said("hush", self.people.hush(side, on))

    def ask_again(self, side: int) -> list[StoredRow]:
        """Record a person's wish for a rematch; a repeated wish is not stored.

        Raises Refused when the game is not over.
        """
        if self.over is None:
            raise refused("not-over", "This battle is not over; you can ask for a rematch when it is")
        return [] if side in self.people.again else [self._said("rematch", Said(side=side))]

    def hand_over(self, side: int, on: bool) -> StoredRow:
        """Give a person's seat to somebody else, or keep it; for the errors see `People.hand_over`.

        Raises Refused if the game is over.
        """
        if self.over is not None:
            raise refused("over", f"The game is over: {self.over.reason}")
        return self._said("await", self.people.hand_over(side, on))

    def offer_draw(self, side: int, answer: bool | None) -> StoredRow:
        """Offer a draw, or answer; for the parameters and errors see `People.offer_draw`.

        Raises Refused when the game is over.
        """
        if self.over is not None:
            raise refused("over", f"The game is over: {self.over.reason}")
        return self._said("draw", self.people.offer_draw(side, answer))

    def share(self, side: int, key: str) -> StoredRow:
        """Give a seat an additional secret; the seat's other secrets still work.

        Args:
            key: Stored form of the new secret.
        """
        return self._said("seat", Said(side=side), key)

    def claim(self, side: int, key: str) -> StoredRow:
        """Replace all secrets of a seat by a new one.

        Args:
            key: Stored form of the new secret.
        """
        return self._said("claim", Said(side=side), key)

    def ask_renewal(self, by: Sequence[int], side: int, after: int) -> StoredRow:
        """Announce that the seat of an absent player will go to somebody else; for the errors see `People.ask_renewal`.

        Args:
            after: Earliest time for a new player, in seconds since 1970.
        """
        return self._said("renew", self.people.ask_renewal(by, side, after))

    def come_back(self, side: int) -> StoredRow:
        """Record that the player of a seat has returned and keeps it."""
        return self._said("renew", Renewing(side=side))

    def renew(self, by: Sequence[int], side: int, key: str) -> StoredRow:
        """Replace all secrets of a seat by an invitation.

        Raises Refused if this player may not give the seat away.

        Args:
            by: The seats of the asking player.
        """
        self.people.check_host(by, side)
        return self._said("renew", Renewing(side=side), key)

    # The time.

    def _clock(self) -> Clock | None:
        rule, match = self.setup.clock, self.match
        return None if rule is None else Clock(rule, len(self.setup.seats), lambda: self.ruleset.turn(match.state))

    @property
    def waiting_for(self) -> tuple[int, ...]:
        if self.pending is not None and self.over is None:
            return real_dice.typing(self.pending, self.setup)
        return tuple(dict.fromkeys(d.side for _, d in self.ids()))

    @property
    def running(self) -> tuple[int, ...]:
        if self.clock is None or self.people.awaited or self.over is not None:
            return ()
        return tuple(side for side in self.waiting_for if self.player(side) == PERSON)

    def spent(self) -> list[StoredRow]:
        """Return the row with the remaining time; empty for a game without a clock."""
        return [] if self.clock is None else [self.row("clock", Spent(left=tuple(self.clock.left)))]

    def time_up(self) -> list[StoredRow]:
        late = [] if self.clock is None else self.clock.out(self.running)
        return [self._said("late", Said(side=side)) for side in late if self.over is None]

    def given_hint(self, side: int) -> StoredRow:
        return self._said("hint", Said(side=side))

    def show_all(self, side: int) -> StoredRow:
        """Show everything hidden, now that the game is over. The last act of the game can no longer be undone then.

        Raises Refused during the game, or if everything is shown already.
        """
        if self.over is None:
            raise refused("goes-on", "The game is not over: hidden things are shown at its end")
        if self.shown_by is not None:
            raise refused("shown", "Everything has been shown already")
        return self._said("show", Said(side=side))

    def note(self, side: int | None, text: str) -> StoredRow:
        """Add a line to the log that is not an event of the rules."""
        return self._said("note", Noted(side=side, text=text))

    # Players who have left.

    def is_late(self, side: int) -> bool:
        """Return whether a person is out of time during their turn, so that the others may choose a replacement."""
        rule, clock = self.setup.clock, self.clock
        if rule is None or clock is None or rule.then != "choose" or self.player(side) != PERSON:
            return False
        return self.over is None and side in self.waiting_for and side in clock.told

    def check_late(self, by: Sequence[int], side: int) -> None:
        """Check that a player may decide about a side that ran out of time.

        Raises Refused if the side has time left, or this decision was not agreed on.
        """
        if self.over is not None:
            raise refused("over", f"The game is over: {self.over.reason}")
        if not by or side in by:
            raise refused("not-yours", "Only the other side chooses what happens after a player has left")
        if not self.is_late(side):
            raise refused(
                "goes-on",
                "This side has time left, or this game does not let you choose what happens to it",
            )

    def lose(self, by: Sequence[int], side: int) -> StoredRow:
        """End the game as a loss for a side whose player has left. Raises the errors of `check_late`."""
        self.check_late(by, side)
        return self._said("late", Said(side=side, answer=True))

    def replace(self, by: Sequence[int], side: int, player: str) -> StoredRow:
        """Replace a player who has left by a computer player. Raises the errors of `check_late`."""
        self.check_late(by, side)
        self.takeback = None
        return self._said("replace", Replaced(side=side, player=player))

    def give(self, by: Sequence[int], side: int, key: str) -> StoredRow:
        """Invite somebody to the seat of a player who has left. Raises the errors of `check_late`."""
        self.check_late(by, side)
        return self._said("renew", Renewing(side=side), key)

    def put_in_place(self, side: int, player: str) -> None:
        self.people.left(side, player)
        self.setup = self.people.setup

    # Standing answers.

    def get_used(self, decision: Decision, action: Any, far: bool) -> StoredRow:
        """Store a standing answer, which is given whenever a question in the other side's turn is repeated.

        Raises Refused when the question cannot have a standing answer, or there are too many standing answers.

        Args:
            decision: The question as it is asked now.
            far: True to answer only if no target is nearer than now.
        """
        side, view = decision.side, self.match.view(decision.side)
        if self.match.state.active == side:
            raise refused("wrong-value", "A standing answer is given to questions of the other side's turn")
        if sum(habit.side == side for habit in self.people.habits.values()) >= HABITS:
            raise refused("too-many", f"A side has at most {HABITS} standing answers")
        refusal = decision.options(view).refusal(action)
        if refusal is not None:
            raise Refused(refusal)
        if any(field.required for field in msgspec.structs.fields(type(action))):
            raise refused("wrong-value", "This answer names a unit or a place, which the next question may not have")
        offer = next((one for one in offered(decision).offers(view) if one.action == action), None)
        beyond = nearest(self.ruleset.depict(view, side), offered(decision).offers(view)) if far else None
        if far and beyond is None:
            raise refused("wrong-value", "This question has no target, so a distance has no meaning")
        habit = Habit(
            side=side,
            number=self.people.habit_number + 1,
            decision=name_of(decision),
            action=action,
            beyond=beyond,
            words=" ".join(filter(None, [offer.words if offer is not None else "", offered(decision).occasion])),
        )
        return self._said("habit", habit)

    def forget_habit(self, sides: Sequence[int], number: int) -> StoredRow:
        """Withdraw a standing answer. Raises Refused if none of these sides has that standing answer."""
        habit = self.people.habits.get(number)
        if habit is None or habit.side not in sides:
            raise refused("not-found", "You have no such standing answer")
        return self._said("habit", Habit(side=habit.side, number=number))

    def _habitual(self) -> list[StoredRow]:
        rows: list[StoredRow] = []
        while self.people.habits and self.pending is None and self.over is None:
            habit = next(
                filter(None, [self._by_habit(d) for _, d in self.ids() if self.player(d.side) == PERSON]), None
            )
            if habit is None:
                break
            given, decision, action = habit
            try:
                rows.append(self.act(decision, action))
            except Refused:  # for example, an answer that needs typed dice
                break
            if self.pending is None:
                line = Noted(side=decision.side, text=f"By your standing answer: {given.words}", alone=True)
                rows.append(self._said("note", line))
        return rows

    def _by_habit(self, decision: Decision) -> tuple[Habit, Decision, Any] | None:
        if decision.side == self.match.state.active:
            return None
        view = self.match.view(decision.side)
        for habit in self.people.habits.values():
            if habit.side != decision.side or habit.decision != name_of(decision):
                continue
            action = as_action(self.ruleset, habit.action) if isinstance(habit.action, dict) else habit.action
            if decision.options(view).refusal(action) is not None:
                continue
            if habit.beyond is not None:
                far = nearest(self.ruleset.depict(view, decision.side), offered(decision).offers(view))
                if far is None or far < habit.beyond:
                    continue
            return habit, decision, action
        return None

    def _said(
        self, kind: str, body: Said | Noted | Named | Talked | Renewing | Replaced | Habit, key: str | None = None
    ) -> StoredRow:
        self.hear(kind, body, key)
        return self.row(kind, body, key)

    def hear(
        self,
        kind: str,
        body: Said | Noted | Named | Talked | Spent | Renewing | Replaced | Habit,
        key: str | None = None,
    ) -> None:
        """Apply a message that answers no question, such as talk, either new or from storage; see `hearing.hear`."""
        hear(self, kind, body, key)

    # Views.

    def view(self, eyes: int | None, at: int | None = None, step: int | None = None) -> View:
        """Return the view of a side or an onlooker, now or after a number of acts; see `views.view_of`."""
        if self.is_behind(eyes):
            latest = max(self.acts - self.setup.delay, 0)
            at, step = (latest, None) if at is None or at >= latest else (at, step)
            return view_of(self, eyes, at, step, is_past=True)
        return view_of(self, eyes, at, step)

    def is_behind(self, eyes: int | None) -> bool:
        return eyes is None and self.setup.delay > 0 and self.over is None

    def check_not_behind(self, eyes: int | None) -> None:
        """Raise Refused for an onlooker with a delay, until the game is over."""
        if self.is_behind(eyes):
            words = f"Onlookers see this game {quantity(self.setup.delay, 'act')} later, and can ask when it is over"
            raise refused("not-shown", words)

    @property
    def places(self) -> list[tuple[int, int]]:
        return places(self.acts, self.log.done)

    def lines_in_force(self, eyes: int | None) -> list[LogEntry]:
        """Return the log lines for a side or an onlooker that no undo has removed."""
        return self.log.in_force(eyes)

    def on_the_way(self, eyes: int | None, after: int) -> list[tuple[Picture, int]]:
        return [] if self.is_behind(eyes) else on_the_way(self, eyes, after)

    def shown_past(self, eyes: int | None) -> ShownPast:
        """Return the moments of the game as *eyes* may see them."""
        return shown_past(self, eyes)

    def remember(self, eyes: int | None, picture: Picture) -> None:
        if not self.is_behind(eyes):
            self.annals.remember(eyes, self.states, picture)

    def record(self, side: int | None) -> Record:
        """Return the recorded game, limited to what *side* (None: an onlooker) may know until everything is shown."""
        return record_of(
            self.match,
            self.setup.setting,
            players=self.setup.seats,
            resigned=self.resigned,
            late=self.late,
            agreed=self.agreed,
            side=side,
            salt=self.setup.salt.encode(),
            kept_back=self.kept_back,
        )
