"""Games under way: what is played is stored first, then acknowledged, then told to whoever looks.

A `Game` is a match with its log and its numbers, and knows no clock, network or storage; `Games` keeps those that are
live, one act at a time each, and has the computer's seats think in threads of their own.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import msgspec

from caltrop import __version__
from caltrop.chance import Awaiting, Dice, Scripted, ScriptError, Seeded, TypedIn
from caltrop.engine import (
    Decision,
    Entry,
    Event,
    HouseValue,
    Match,
    Outcome,
    Played,
    Refusal,
    Refused,
    Rolled,
    Ruleset,
    Wish,
    digest,
    redacted,
    words_of,
)
from caltrop.server.seats import PERSON, Library, SecureDice, key_of, new_id, new_token
from caltrop.server.storage import Row, Storage
from caltrop.wire import (
    LogEntry,
    SeatView,
    Thrown,
    UndoView,
    Versions,
    View,
    WrongMessage,
    as_action,
    change_between,
    decision_view,
)
from caltrop.wire.changes import Change
from caltrop.wire.messages import Done, GameEntry, MadeGame, MadeSeat, NewGame, Presence
from caltrop.wire.view import SCHEMA_VERSION

log = logging.getLogger("caltrop.server")
T = TypeVar("T")

LOG_LINES = 400
"""Lines of the log in a whole view."""

CHANGES_KEPT = 256
"""Changes kept for who comes back."""

THINKING_SECONDS = 30.0
"""A player bounded by nodes needs a second; whoever takes this long has lost its way."""

LISTED = 40
"""Games in the list of one's own."""

_encode = msgspec.json.Encoder().encode


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """How a game was made."""

    ruleset: str
    edition: str
    rules: dict[str, HouseValue]
    scenario: str
    armies: tuple[str, ...]
    size: int | None
    seats: tuple[str, ...]
    friendly: bool
    dice: str
    engine_version: str
    rules_version: int
    salt: str
    """Keys the digests of this game; never told."""


class Created(msgspec.Struct, frozen=True, kw_only=True):
    """The first event of a game."""

    setup: Setup
    entries: tuple[Entry, ...]
    """The dice of the opening."""
    digest: str


class Acted(msgspec.Struct, frozen=True, kw_only=True):
    """An act, with the dice that fell."""

    index: int
    """Which of the decisions that were asked together."""
    entries: tuple[Entry, ...]
    digest: str


class TookBack(msgspec.Struct, frozen=True, kw_only=True):
    """An act taken back."""

    side: int
    consent: bool
    digest: str


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What a side said: it resigned, or it asked for a takeback or answered."""

    side: int
    answer: bool | None = None


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """A line for the log that is no event of the rules."""

    side: int | None
    text: str


class CannotContinue(Exception):
    """A stored game plays differently by the rules of today."""


def refused(code: str, message: str, clause: str = "", **values: Any) -> Refused:
    """A refusal of the server's own."""
    return Refused(Refusal(code=code, clause=clause, message=message, values=values))


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
        state = ruleset.setup(ruleset.book(setup.edition, setup.rules), setup.scenario, setup.armies, setup.size)
        self.match = Match(ruleset, state, dice)
        self.seq = 0
        self.asked_at = 0
        """Grows whenever other decisions are asked, also by an undo: no decision's id is used twice."""
        self.resigned: int | None = None
        self.takeback: int | None = None
        """The side that has asked for leave to take an act back."""
        self.keys: dict[str, int] = {}
        self.logs: dict[int | None, list[LogEntry]] = {eyes: [] for eyes in self.eyes}
        self._tell(self.match.opening, None)

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
    def acts(self) -> int:
        """How many acts are in force."""
        return len(self.match.history)

    @property
    def digest(self) -> str:
        """A hash of the whole state, for the server alone."""
        return digest(self.match.state, self.setup.salt.encode())

    def ids(self) -> list[tuple[str, Decision]]:
        """The decisions that wait, by their ids."""
        if self.over is not None:
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
        found = next((d for name, d in self.ids() if name == id), None)
        if found is None:
            raise refused("stale-decision", "This was answered already; the table shows what is asked now", decision=id)
        if found.side not in sides:
            raise refused("not-your-decision", "The other side is to answer this", side=found.side)
        return found

    # What changes the game. Each returns the row that stores it.

    def act(self, decision: Decision, action: Any, typed: Sequence[Sequence[int]] = ()) -> Row:
        """Answer a decision.

        Raises:
            Refused: by the rules; nothing has changed.
        """
        match, before = self.match, self.match.state
        index = next(i for i, d in enumerate(before.asked) if d is decision)
        start = len(match.journal)
        server_dice = match.dice
        if self.setup.dice == "typed" and self.setup.seats[decision.side] == PERSON:
            match.dice = TypedIn(typed, server_dice)
        elif typed:
            raise refused("dice-not-asked", "In this game the server throws the dice")
        try:
            events = match.play(decision.side, action, decision)
        except Awaiting as awaiting:
            raise refused(
                "dice-wanted",
                f"Throw {awaiting.pool.count} dice with {awaiting.pool.sides} sides, and type in how they fell",
                " ".join(awaiting.why[:1]),
                count=awaiting.pool.count,
                sides=awaiting.pool.sides,
                given=len(typed),
            ) from None
        except ScriptError as error:
            raise refused("wrong-dice", f"These dice do not fit: {error}") from None
        finally:
            match.dice = server_dice
        self._after(events, decision.side, before.asks)
        return self._row("act", Acted(index=index, entries=tuple(match.journal[start:]), digest=self.digest))

    def undo(self, side: int, *, consent: bool = False) -> Row:
        """Take the last act back.

        Raises:
            Refused: when that needs the other side's leave, or there is nothing to take back.
        """
        if not consent:
            if self.resigned is not None:
                raise refused("over", "The game is over")
            why = self.match.boundary(side)
            if why is not None:
                raise refused("boundary", f"That cannot be taken back freely: {why}", boundary=why)
        if not any(point.side == side for point in self.match.history):
            raise refused("nothing-to-undo", "This side has played nothing yet")
        self._take_back(side, consent)
        return self._row("undo", TookBack(side=side, consent=consent, digest=self.digest))

    def _take_back(self, side: int, consent: bool) -> None:
        self.match.undo(side, consent=consent)
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
            if self.over is not None:
                raise refused("over", "The game is over")
            if not any(point.side == side for point in self.match.history):
                raise refused("nothing-to-undo", "This side has played nothing yet")
            if self.takeback is not None:
                raise refused("already-asked", "Leave has been asked for already; wait for the answer")
        elif self.takeback is None or self.takeback == side:
            raise refused("nobody-asks", "The other side does not ask for anything")
        self._takeback_said(side, answer)
        return self._row("takeback", Said(side=side, answer=answer))

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
        return self._row("resign", Said(side=side))

    def _resigned(self, side: int) -> None:
        self.resigned, self.takeback = side, None
        self._note(side, "resign", f"{self._name(side)} resigns")

    def note(self, side: int | None, text: str) -> Row:
        """Write a line into the log that is no event of the rules."""
        self._note(side, "player", text)
        return self._row("note", Noted(side=side, text=text))

    def _row(self, kind: str, body: Any, key: str | None = None) -> Row:
        self.seq += 1
        return Row(self.seq, kind, _encode(body), key)

    def _after(self, events: Sequence[Event], side: int, asks: int) -> None:
        if self.match.state.asks != asks or not self.match.state.asked:
            self.asked_at += 1
        self.takeback = None
        self._tell(events, side)

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
                    self._line(eyes, self._entry(seen, view, side))

    def _entry(self, event: Event, view: Any, side: int | None) -> LogEntry:
        dice: tuple[Thrown, ...] = ()
        clauses: tuple[str, ...] = event.clauses
        if isinstance(event, Rolled):
            clauses = event.why
            dice = (Thrown(faces=event.faces, sides=event.sides, words=event.words, side=event.side),)
        try:
            text = event.sentence(view)
        except Exception:
            log.exception("the sentence of %s", type(event).__name__)
            text = words_of(event)  # type: ignore[arg-type]
        return LogEntry(
            n=0,
            act=self.acts,
            side=side,
            kind=type(event).__name__,
            text=text,
            clauses=clauses,
            dice=dice,
            touches=event.touches(),
        )

    def _note(self, side: int | None, kind: str, text: str) -> None:
        for eyes in self.logs:
            self._line(eyes, LogEntry(n=0, act=self.acts, side=side, kind=kind, text=text))

    def _line(self, eyes: int | None, entry: LogEntry) -> None:
        lines = self.logs[eyes]
        lines.append(msgspec.structs.replace(entry, n=len(lines) + 1))

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
            waiting_for=tuple(dict.fromkeys(d.side for _, d in asked)),
            over=None if past else self.over,
            undo=UndoView() if past else self._undo(eyes),
            log=tuple(lines[-LOG_LINES:]),
            versions=Versions(wire=SCHEMA_VERSION, engine=__version__, rules=self.ruleset.rules_version),
        )

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
        if eyes is None or self.resigned is not None:
            return UndoView(asked=self.takeback)
        why = self.match.boundary(eyes)
        own = any(point.side == eyes for point in self.match.history)
        return UndoView(
            allowed=why is None,
            boundary=why,
            takeback=why is not None and own and self.over is None and self._may_give_leave(eyes),
            asked=self.takeback,
        )

    def _may_give_leave(self, side: int) -> bool:
        return self.setup.friendly or any(
            player == PERSON for other, player in enumerate(self.setup.seats) if other != side
        )

    # From storage.

    @classmethod
    def restored(cls, id: str, rows: Sequence[Row], library: Library) -> Game:
        """A game played again from its events.

        Raises:
            CannotContinue: when it does not play as it did.
        """
        try:
            created = msgspec.json.decode(rows[0].body, type=Created)
            ruleset = library.find(created.setup.ruleset)
            acted = [(row, msgspec.json.decode(row.body, type=_BODIES[row.kind])) for row in rows[1:]]
            dice = Scripted(*_rolls(created.entries))
            for _, body in acted:
                if isinstance(body, Acted):
                    dice.rolls.extend(_rolls(body.entries))
            game = cls(id, created.setup, ruleset, dice)
            game.seq = rows[0].seq
            game._same(created.digest)
            for row, body in acted:
                game._again(row, body)
            dice.finish()
        except CannotContinue:
            raise
        except Exception as error:
            # Rules that have changed since can fail in any way; the stored game is left as it is.
            log.exception("the stored game %s does not play as it did", id)
            raise CannotContinue(f"it was made with rules version {_version_of(rows)}") from error
        game.match.dice = SecureDice()
        return game

    def _again(self, row: Row, body: Any) -> None:
        match = self.match
        if isinstance(body, Acted):
            played = body.entries[0]
            assert isinstance(played, Played)
            action = as_action(self.ruleset, played.action)
            decision, asks = match.state.asked[body.index], match.state.asks
            events = match.follow(decision, action)
            self._after(events, decision.side, asks)
            self._same(body.digest)
        elif isinstance(body, TookBack):
            self._take_back(body.side, body.consent)
            self._same(body.digest)
        elif isinstance(body, Noted):
            self._note(body.side, "player", body.text)
        elif row.kind == "seat":
            self.keys[row.key or ""] = body.side
        elif row.kind == "resign":
            self._resigned(body.side)
        else:
            self._takeback_said(body.side, body.answer)
        self.seq = row.seq

    def _same(self, stored: str) -> None:
        if self.digest != stored:
            raise CannotContinue("its state is another one than it was")


_BODIES: dict[str, Any] = {
    "seat": Said,
    "act": Acted,
    "undo": TookBack,
    "takeback": Said,
    "resign": Said,
    "note": Noted,
}


def _rolls(entries: Sequence[Entry]) -> list[tuple[int, ...]]:
    return [entry.faces for entry in entries if not isinstance(entry, Played) and hasattr(entry, "faces")]


def _version_of(rows: Sequence[Row]) -> str:
    try:
        return str(msgspec.json.decode(rows[0].body)["setup"]["rules_version"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return "unknown"


class Looker(Protocol):
    """Whoever is told of changes: a live connection."""

    eyes: int | None
    sides: tuple[int, ...]

    def tell(self, message: bytes) -> None:
        """Have a message sent; never waits."""
        ...

    def drop(self) -> None:
        """Have the connection closed, so that the client comes back."""
        ...


class Shown:
    """What was last shown to some eyes, and the changes that led there."""

    __slots__ = ("changes", "view")

    def __init__(self, view: View) -> None:
        self.view = view
        self.changes: deque[tuple[int, bytes]] = deque(maxlen=CHANGES_KEPT)

    def since(self, seen: int) -> list[bytes] | None:
        """The changes after the moment *seen*; None where they are not all kept."""
        if seen == self.view.seq:
            return []
        missing = [message for base, message in self.changes if base >= seen]
        return missing if any(base == seen for base, _ in self.changes) else None


class Live:
    """A game that is held in memory, with those who look at it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.lock = asyncio.Lock()
        self.lookers: list[Looker] = []
        self.shown: dict[int | None, Shown] = {}
        self.thinking: asyncio.Task[None] | None = None
        self.dice: dict[int, Seeded] = {}
        """Of the computer's seats, each its own."""

    def show(self, eyes: int | None) -> View:
        """The view of *eyes* as it was last told, or a first one."""
        shown = self.shown.get(eyes)
        if shown is None:
            shown = self.shown[eyes] = Shown(self.game.view(eyes))
        return shown.view

    def publish(self) -> None:
        """Tell every change to whoever looks."""
        for eyes, shown in self.shown.items():
            new = self.game.view(eyes)
            change: Change = change_between(shown.view, new)
            message = _encode(change)
            shown.changes.append((shown.view.seq, message))
            shown.view = new
            for looker in self.lookers:
                if looker.eyes == eyes:
                    looker.tell(message)

    async def join(self, looker: Looker, seen: int | None = None) -> None:
        """Show the game to somebody: what was missed since the moment *seen*, or all of it."""
        async with self.lock:  # what is not on the disk yet is not shown
            self._join(looker, seen)

    def _join(self, looker: Looker, seen: int | None) -> None:
        if looker not in self.lookers:
            self.lookers.append(looker)
        view = self.show(looker.eyes)
        missed = self.shown[looker.eyes].since(seen) if seen is not None else None
        if missed is None:
            looker.tell(_encode(view))
        elif missed:
            for message in missed:
                looker.tell(message)
        else:
            looker.tell(_encode(Change(seq=view.seq, base=view.seq)))

    def leave(self, looker: Looker) -> None:
        """Somebody is gone."""
        if looker in self.lookers:
            self.lookers.remove(looker)
            self.tell_presence()

    def tell_presence(self) -> None:
        """Say which seats are at the table."""
        here = tuple(sorted({side for looker in self.lookers for side in looker.sides}))
        message = _encode(Presence(here=here))
        for looker in self.lookers:
            looker.tell(message)


class Games:
    """All games of a server.

    Args:
        storage: Where they are kept.
        library: What can be played, and who plays.
        most: How many are held in memory while nobody looks.
    """

    def __init__(self, storage: Storage, library: Library, most: int = 200) -> None:
        self.storage, self.library, self.most = storage, library, most
        self.live: dict[str, Live] = {}
        self._opening = asyncio.Lock()
        self._writer = ThreadPoolExecutor(1, "caltrop-writer")
        self._thinkers = ThreadPoolExecutor(2, "caltrop-player")
        self._closing = False

    async def _in(self, pool: ThreadPoolExecutor, do: Callable[..., T], *with_: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, do, *with_)

    async def make(self, wanted: NewGame) -> MadeGame:
        """Make a game.

        Raises:
            ValueError: for what does not exist or does not fit; the message names the nearest right value.
        """
        ruleset = self.library.find(wanted.ruleset)
        scenario = wanted.scenario
        if scenario is None:
            scenario = ruleset.scenarios()[0].id
        players = (PERSON, *self.library.players(wanted.ruleset))
        seats = wanted.seats or (PERSON, self.library.usual_player(wanted.ruleset))
        for seat in seats:
            if seat not in players:
                raise ValueError(f"there is no player {seat!r}; there are {', '.join(players)}")
        if wanted.dice not in ("server", "typed"):
            raise ValueError(f"dice is server or typed, and not {wanted.dice!r}")
        book = ruleset.book(wanted.edition, wanted.rules)
        setup = Setup(
            ruleset=ruleset.name,
            edition=book.edition,
            rules=book.rules,
            scenario=scenario,
            armies=wanted.armies,
            size=wanted.size,
            seats=seats,
            friendly=wanted.friendly,
            dice=wanted.dice,
            engine_version=__version__,
            rules_version=ruleset.rules_version,
            salt=secrets.token_hex(16),
        )
        id = new_id()
        game = await asyncio.to_thread(Game, id, setup, ruleset, SecureDice())
        sides = len(ruleset.depict(game.match.view(None), None).seats)
        if sides != len(seats):
            raise ValueError(f"{scenario} has {sides} seats, and {len(seats)} were given")
        rows = [game._row("created", Created(setup=setup, entries=tuple(game.match.journal), digest=game.digest))]
        made: list[MadeSeat] = []
        for side, player in enumerate(seats):
            token = new_token() if player == PERSON else None
            made.append(MadeSeat(side=side, player=player, token=token))
            if token is not None:
                game.keys[key_of(token)] = side
                rows.append(game._row("seat", Said(side=side), key_of(token)))
        await self._in(self._writer, self.storage.append, id, rows)
        live = self.live[id] = Live(game)
        self._forget_some()
        self.wake(live)
        return MadeGame(game=id, seats=tuple(made))

    async def open(self, id: str) -> Live:
        """The game called *id*, played again from its events if it is not in memory.

        Raises:
            KeyError: when there is none.
            CannotContinue: when it does not play as it did.
        """
        if id in self.live:
            return self.live[id]
        async with self._opening:
            if id in self.live:
                return self.live[id]
            rows = await self._in(self._writer, self.storage.events, id)
            if not rows:
                raise KeyError(id)
            game = await asyncio.to_thread(Game.restored, id, rows, self.library)
            live = self.live[id] = Live(game)
        self._forget_some()
        self.wake(live)
        return live

    def _forget_some(self) -> None:
        """Drop the games from memory that were made or opened first and that nobody looks at; storage has them all."""
        for id in list(self.live)[: max(len(self.live) - self.most, 0)]:
            live = self.live[id]
            if not live.lookers and live.thinking is None and not live.lock.locked():
                del self.live[id]

    async def list_of(self, tokens: Sequence[str]) -> list[GameEntry]:
        """The games that these secrets have seats in, the newest first."""
        keys = [key_of(token) for token in tokens]
        found = []
        for id in (await self._in(self._writer, self.storage.games_of, keys))[:LISTED]:
            try:
                live = await self.open(id)
            except CannotContinue:
                continue
            rows = await self._in(self._writer, self.storage.events, id)
            game = live.game
            found.append(
                GameEntry(
                    game=id,
                    ruleset=game.ruleset.name,
                    title=game.ruleset.title,
                    scenario=game.setup.scenario,
                    sides=tuple(sorted(game.keys[key] for key in keys if key in game.keys)),
                    seats=game.setup.seats,
                    acts=game.acts,
                    over=game.over is not None,
                    at=rows[-1].at,
                )
            )
        return found

    async def change(self, live: Live, do: Callable[[Game], Row | Sequence[Row]]) -> int:
        """Play something: by the rules first, then onto the disk, then to whoever looks.

        Returns:
            The number of the moment that it led to.

        Raises:
            Refused: by the rules or by the state of the game; nothing has changed.
        """
        async with live.lock:
            game = live.game
            before = (game.seq, game.acts, len(game.match.journal))
            try:
                done = do(game)
                rows = [done] if isinstance(done, Row) else list(done)
                await asyncio.shield(self._in(self._writer, self.storage.append, game.id, rows))
            except BaseException:
                if before != (game.seq, game.acts, len(game.match.journal)):
                    # What is not on the disk has not happened: the game is read anew, and everybody comes back to that.
                    self.live.pop(game.id, None)
                    for looker in list(live.lookers):
                        looker.drop()
                raise
            live.publish()
            seq = live.game.seq
        self.wake(live)
        return seq

    # What clients say.

    async def answer(
        self, live: Live, sides: Sequence[int], decision: str, action: Any, typed: Sequence[Sequence[int]] = ()
    ) -> Done:
        """A side answers a decision.

        Raises:
            Refused: when it may not; nothing has changed.
            WrongMessage: when the action cannot be read.
        """

        def play(game: Game) -> Row:
            asked = game.decision(decision, sides)
            return game.act(asked, as_action(game.ruleset, action), typed)

        return Done(seq=await self.change(live, play))

    async def undo(self, live: Live, side: int) -> Done:
        """A side takes its last act back, freely."""
        return Done(seq=await self.change(live, lambda game: game.undo(side)))

    async def resign(self, live: Live, side: int) -> Done:
        """A side gives the game up."""
        return Done(seq=await self.change(live, lambda game: game.resign(side)))

    async def takeback(self, live: Live, side: int, answer: bool | None) -> Done:
        """A side asks for leave to take its last act back, or answers such a request."""

        def say(game: Game) -> list[Row]:
            others = [player for other, player in enumerate(game.setup.seats) if other != side]
            if answer is None and PERSON not in others and not game.setup.friendly:
                raise refused("no-takebacks", "This game was made without takebacks")
            asker = game.takeback
            rows = [game.ask_takeback(side, answer)]
            if answer is None and PERSON not in others:
                rows.append(game.undo(side, consent=True))
            elif answer and asker is not None:
                rows.append(game.undo(asker, consent=True))
            return rows

        return Done(seq=await self.change(live, say))

    def propose(self, live: Live, sides: Sequence[int], decision: str, wish: Wish) -> Any:
        """What a drag would come to; nothing is played.

        Raises:
            Refused: when the decision does not wait for these sides.
        """
        asked = live.game.decision(decision, sides)
        return asked.propose(live.game.match.view(asked.side), wish)

    async def odds(self, live: Live, sides: Sequence[int], decision: str, action: Any) -> Any:
        """What an action may end in, where the ruleset can tell; nothing is played.

        Raises:
            Refused: when the decision does not wait for these sides, or the ruleset has no odds for it.
            WrongMessage: when the action cannot be read.
        """
        game = live.game
        asked = game.decision(decision, sides)
        read = as_action(game.ruleset, action)
        preview = getattr(game.ruleset, "preview", None)
        if preview is None:
            raise refused("no-odds", "This game tells no odds for that")
        found = await asyncio.to_thread(preview, game.match.view(asked.side), asked, read)
        if found is None:
            raise refused("no-odds", "Nothing is left to chance there")
        return found

    # The computer's seats.

    def wake(self, live: Live) -> None:
        """Have the computer's seats play, if it is their turn and they do not think already."""
        if live.thinking is None and not self._closing and self._computer_turn(live.game) is not None:
            live.thinking = asyncio.create_task(self._play_computer(live))

    @staticmethod
    def _computer_turn(game: Game) -> tuple[str, Decision] | None:
        return next(((id, d) for id, d in game.ids() if game.player(d.side) != PERSON), None)

    async def _play_computer(self, live: Live) -> None:
        try:
            while not self._closing and self.live.get(live.game.id) is live:
                turn = self._computer_turn(live.game)
                if turn is None:
                    return
                await self._one_act(live, *turn)
                await asyncio.sleep(0)
        except Exception:  # the game stays as it is stored, and the next message wakes the player again
            log.exception("a computer player of %s", live.game.id)
        finally:
            live.thinking = None

    async def _one_act(self, live: Live, id: str, decision: Decision) -> None:
        game, side = live.game, decision.side
        name = game.player(side)
        dice = live.dice.setdefault(side, Seeded(secrets.token_hex(32)))
        match = game.match
        fault = ""
        action: Any = None
        try:
            thought = self._in(self._thinkers, self.library.think, name, match, decision, dice)
            action = await asyncio.wait_for(thought, THINKING_SECONDS)
        except TimeoutError:
            fault = "thought too long"
        except Exception:
            log.exception("the player %s of %s", name, game.id)
            fault = "made a mistake in its program"

        def play(game: Game) -> list[Row]:
            asked = game.decision(id, (side,))
            why = fault
            if not why:
                try:
                    return [game.act(asked, action)]
                except Refused as refusal:
                    log.error("the player %s of %s: %s", name, game.id, refusal)
                    why = f"wanted something that the rules refuse ({refusal.refusal.message})"
            options = asked.options(game.match.view(side))
            drawn = options.sample(dice)
            if drawn not in options:
                drawn = options.first()
            text = f"The computer player {name} {why}; a legal act was drawn by chance in its place"
            rows = [game.note(side, text)]
            rows.append(game.act(asked, drawn))
            return rows

        try:
            await self.change(live, play)
        except Refused:
            # Something was taken back in the meantime: what was thought no longer matters.
            return

    async def close(self) -> None:
        """Stop thinking, write what is to be written, and close the storage."""
        self._closing = True
        tasks = [live.thinking for live in self.live.values() if live.thinking is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        self._writer.shutdown(wait=True)
        self.storage.close()


__all__ = ["CannotContinue", "Game", "Games", "Live", "Looker", "Setup", "WrongMessage", "refused"]
