"""All games of a database: each change is stored first, then acknowledged, then reported to onlookers.

Each game does one act at a time. `making` creates games, `acts` carries out requests of the people at a table,
`seating` manages their seats, `questions` answers questions without changing a game, and `computers` plays the
computer's seats.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Container, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from itertools import takewhile
from time import monotonic, time
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET
from sqlalchemy.exc import IntegrityError

from caltrop.engine import Refused, Ruleset
from caltrop.engine.packs import PACK
from caltrop.errors import InputError
from caltrop.host.acts import Acts
from caltrop.host.apart import JOBS
from caltrop.host.clocks import Clocks
from caltrop.host.computers import Computers
from caltrop.host.database import StorageFault
from caltrop.host.events import OF_CAMPAIGNS, OF_SEATS, Retold, Said, Setup, read_rows
from caltrop.host.faults import CannotContinue, DamagedGame, Elsewhere, NoSuchGame, refused
from caltrop.host.game import HostedGame
from caltrop.host.garbage import Garbage
from caltrop.host.leases import ServerWorker
from caltrop.host.listing import damaged, glanced, goes_on_by_days, listed
from caltrop.host.live import Live
from caltrop.host.making import Joint, joint, new_game, played_on, recorded
from caltrop.host.neighbours import Neighbours
from caltrop.host.news import GameNews, news_of, news_of_closed
from caltrop.host.packing import Packing
from caltrop.host.pulse import Pulse
from caltrop.host.questions import Questions
from caltrop.host.seating import Seating
from caltrop.host.seats import AUTOMATED, DrawnSecrets, PersonKey, ServerLibrary, key_of
from caltrop.host.shelved import Shelved, opened
from caltrop.host.standing import EVERY, StoredStanding, stamp_of, standing_of, written
from caltrop.host.storage import Paper, Storage, StoredRow
from caltrop.host.turns import ASKER, Turns, in_turn
from caltrop.journal import PERSON, Record
from caltrop.wire.messages import GameEntry, Glance, MadeGame, MadeSeat, NewGame, PlayOn

log = logging.getLogger("caltrop.host")
T = TypeVar("T")

ONCE: ContextVar[str | None] = ContextVar("once", default=None)
"""Key of a request that must not be done twice; None for other requests."""

REST_SECONDS = 30 * 60.0
"""Seconds without a player or onlooker after which a game is removed from memory. The game stays in storage."""

IDLE_SECONDS = 60.0
"""Seconds without a player or onlooker after which a game counts as idle."""

MOST_IDLE = 16
"""Largest number of idle games in memory: each takes some megabytes, and opens in hundredths of a second."""

MOST_UNSEEN = 400
"""Largest number of games in memory without onlookers: idle games, and games played without a live connection."""

SWEEP_SECONDS = 60.0
"""Seconds between two searches for idle games."""

LONG_CLOCK_SECONDS = 60 * 60
"""Remaining time of a running clock, in seconds, above which its game may be removed from memory."""

MOST_EVENTS = 10_000
"""Number of events of a game after which chat and undo stop. The game itself continues."""

NEWS_KEPT = 10_000
"""Number of games on other workers whose last news are stored."""

LISTED = 40
"""Largest number of games in a person's list."""


class Games:
    """All games of a database.

    Args:
        most: Largest number of idle games in memory.
        unseen: Largest number of games in memory without onlookers.
        neighbours: The other workers that share the database; None without other workers.
        jobs: Number of processes for computer players.
    """

    def __init__(
        self,
        storage: Storage,
        library: ServerLibrary,
        most: int = MOST_IDLE,
        *,
        unseen: int = MOST_UNSEEN,
        neighbours: Neighbours | None = None,
        jobs: int = JOBS,
    ) -> None:
        self.storage, self.library, self.most, self.unseen = storage, library, most, unseen
        self.neighbours = neighbours
        self.live: dict[str, Live] = {}
        self._opening, self._storing, self._reading = (Turns(each=None, most=None) for _ in range(3))
        self._writer = ThreadPoolExecutor(1, "caltrop-writer")
        self._reader = ThreadPoolExecutor(1, "caltrop-reader") if storage.reads_apart else self._writer
        self._sweeping: asyncio.Task[None] | None = None
        self.pulse = Pulse()
        self._beating: asyncio.Task[None] | None = None
        self.garbage: Garbage | None = None
        """Controls garbage collection; None leaves it to Python."""
        self.questions = Questions(lambda: self._waiting > 0)
        self.computers = Computers(library, self.change, lambda live: self.live.get(live.game.id) is live, jobs)
        self.clocks = Clocks(self.change, lambda live: self.live.get(live.game.id) is live, self._wake_resting)
        self.acts = Acts(self.change, self.questions)
        self.seating = Seating(self.change, library, lambda: self.today())
        self._waiting = 0
        """Number of requests that wait for a game to be opened."""
        self._keeping: set[asyncio.Future[None]] = set()
        """Tasks that store the states of games."""
        self.today: Callable[[], float] = time
        """Seconds since 1970."""
        self.watchers: list[Callable[[Live], None]] = []
        """Functions that are called when a game was begun, opened or changed here."""
        self.hearers: list[Callable[[GameNews], None]] = []
        """Functions that are called with the news of games, including games of other workers."""
        self._heard: OrderedDict[str, tuple[str, GameNews]] = OrderedDict()
        """The news of games that other workers have, with the workers."""
        if neighbours is not None:
            neighbours.hearers.append(self._hear)
            neighbours.changed.append(self._others_changed)
            neighbours.revived = self._drop_all
        self._not_as_it_was: set[str] = set()
        """Names of games that do not play the same under the present rules."""

    async def _stored(self, do: Callable[..., T], *with_: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._writer, do, *with_)

    async def _in_line(self, name: str, do: Callable[..., T], *with_: Any) -> T:
        """Read or write in the order of requests by person and game. Each person and each game waits for at most one
        request of the others.
        """
        async with self._storing.turn(ASKER.get(), name):
            return await self._stored(do, *with_)

    async def _read(self, name: str, do: Callable[..., T], *with_: Any) -> T:
        """Return the result of a read, if possible without waiting for writes.

        Data for a later write is read in the writing thread instead.
        """
        async with self._reading.turn(ASKER.get(), name):
            return await asyncio.get_running_loop().run_in_executor(self._reader, do, *with_)

    async def trouble(self) -> str | None:
        """Return why nothing can be stored at the moment; None if storing works."""
        if self.storage.trouble is not None:
            try:
                await self._stored(self.storage.try_again)
            except StorageFault as fault:
                return fault.why
        return None

    async def touch(self) -> None:
        """Test that the storage can be written. Raises StorageFault if the database cannot be written."""
        await self._stored(self.storage.touch)

    async def administer(self, do: Callable[[Storage, str], None], id: str, *, closes: bool = False) -> None:
        """Administer a game, which is first removed from memory.

        Args:
            do: The function, which runs in the storing thread; for its errors see `caltrop.host.admin`.
            closes: True if the game can no longer be played afterwards.
        """
        await self._administer(do, id)
        if closes:
            self._report(news_of_closed(id), quietly=False)

    async def _administer(self, do: Callable[[Storage, str], None], id: str) -> None:
        if self.neighbours is not None:
            await self._stored(self.storage.seize, id)
        async with self._opening.turn(ASKER.get(), id):  # nobody else opens the game meanwhile
            self.clocks.forget(id)
            live = self.live.get(id)
            if live is None:
                await self._stored(do, self.storage, id)
                return
            async with live.held():
                self._drop(live)
                await self._stored(do, self.storage, id)

    async def administer_people(self, do: Callable[[Storage, str], None], id: str) -> None:
        """Administer a person or a complaint; the games of the person are first removed from memory.

        Args:
            do: The function, which runs in the storing thread; for its errors see `caltrop.host.admin_people`.
        """
        games = await self._stored(self.storage.games_of, [f"p:{id}"])
        if self.neighbours is not None:
            for game in games:
                await self._stored(self.storage.seize, game)
        async with self._opening.turn(ASKER.get(), id):  # nobody else opens any of the games meanwhile
            for live in [self.live[game] for game in games if game in self.live]:
                with suppress(Refused):  # refused if the game has left memory already
                    async with live.held():  # acts before that time are stored already
                        self._drop(live)
            await self._stored(do, self.storage, id)

    async def make(self, request: NewGame, drawn: DrawnSecrets | None = None, *, counted: bool = False) -> MadeGame:
        """Make a game.

        Args:
            request: The order for the new game.
            drawn: Name and secrets of the new game. A game that was made with them is returned again. Raises InputError
                for something that does not exist or fit; the message names the nearest right value.
            counted: True if the game's result counts in a tournament.
        """
        try:
            drawn = drawn or DrawnSecrets()
            game = await in_turn(partial(new_game, counted=counted), self.library, request, drawn.name())
        except ValueError as error:
            raise InputError(str(error)) from None
        return await self._seated(game, [game.created()], drawn)

    async def check(self, request: NewGame) -> None:
        """Check that a game can be made as requested. Raises the errors of `make`."""
        try:
            await in_turn(new_game, self.library, request, "")
        except ValueError as error:
            raise InputError(str(error)) from None

    async def play_on(
        self, live: Live, request: PlayOn, own: Sequence[int], drawn: DrawnSecrets | None = None
    ) -> MadeGame:
        """Make a game that begins with the acts of a finished game and continues from there.

        Raises Refused if the finished game is in progress, has hidden parts, or lacks the moment. Raises CannotContinue
        if the game contradicts the present rules, or InputError for unsuitable players.

        Args:
            request: The moment from which it continues, and the players.
            own: The seats of the person who asks.
            drawn: Name and secrets of the new game, as in `make`.
        """
        await live.read_past()
        async with live.held():
            game = live.game
            if game.over is None:
                raise refused("not-over", "This battle is not over; you can continue it from a moment after its end")
            if game.kept_back:
                raise refused("not-shown", "Something is still hidden; show everything first")
            if game.coach is not None or game.setup.ruling is not None:
                raise refused("no-battle", "Only battles can be continued; start the lesson or ruling again")
            moment, setup = joint(game.match, request.at), game.setup
        return await self._played_on(setup, moment, request, own, drawn)

    async def rematch(self, live: Live, own: Sequence[int]) -> MadeGame:
        """Make a rematch of a finished game with the sides swapped.

        All players who ask for a rematch get the same game and a seat in it, and the others are notified. Raises
        Refused if the game is in progress or not a battle, or if the person has no seat in it.

        Args:
            own: The seats of the person who asks.
        """
        async with live.held():
            setup = live.game.setup
            if setup.lesson is not None or setup.ruling is not None:
                raise refused("no-battle", "Only a battle can have a rematch: start the lesson or ruling again")
            if not own:
                raise refused("not-yours", "Only players of this battle can ask for a rematch")
        for side in own:
            if side not in live.game.people.again:
                await self.change(live, partial(HostedGame.ask_again, side=side))
        played = [side for side, player in enumerate(setup.seats) if player != AUTOMATED]
        turned, who, dice = dict(zip(played, reversed(played), strict=True)), setup.seats, setup.dice
        request = NewGame(
            ruleset=setup.ruleset,
            edition=setup.edition,
            rules={name: value for name, value in setup.rules.items() if name != PACK},
            pack=None if setup.pack is UNSET or setup.pack.content is UNSET else setup.pack.content,
            scenario=setup.scenario,
            armies=setup.armies,
            size=setup.size,
            seats=tuple([who[turned[side]] for side in played]),
            dice=dice if isinstance(dice, str) else tuple([dice[turned.get(side, side)] for side in range(len(who))]),
            friendly=setup.friendly,
            always_ask=setup.always_ask,
            placed=setup.placed,
            hints=setup.hints,
            clock=setup.clock,
            rated=setup.rated,
            delay=setup.delay,
        )
        made = await self.make(request, DrawnSecrets(setup.salt, f"rematch of {live.game.id}"))
        mine = {turned[side] for side in own if side in turned}
        return msgspec.structs.replace(made, seats=tuple([s for s in made.seats if s.token is None or s.side in mine]))

    async def play_on_record(self, record: Record, request: PlayOn, drawn: DrawnSecrets | None = None) -> MadeGame:
        """Make a game that continues from a moment of a record, which may come from another program.

        Raises Refused if the record has no such moment. Raises InputError for unsuitable players, for a record from
        before the end, and for a record that contradicts the present rules.
        """
        setup, match = await in_turn(recorded, self.library, record)
        return await self._played_on(setup, joint(match, request.at), request, (), drawn)

    async def _played_on(
        self, setup: Setup, moment: Joint, request: PlayOn, own: Sequence[int], drawn: DrawnSecrets | None
    ) -> MadeGame:
        drawn = drawn or DrawnSecrets()
        make = partial(played_on, self.library, drawn.name(), setup, moment, request.seats, own)
        try:
            game, rows = await in_turn(make)
        except ValueError as error:
            raise InputError(str(error)) from None
        return await self._seated(game, rows, drawn)

    async def _seated(self, game: HostedGame, rows: list[StoredRow], drawn: DrawnSecrets) -> MadeGame:
        made = _made(game.id, game.setup, game.people.awaited, drawn)
        for seat in made.seats:
            if seat.token is not None:
                game.keys[key_of(seat.token)] = seat.side
                rows.append(game.row("seat", Said(side=seat.side), key_of(seat.token)))
        rows += game.reactions()
        try:
            await self._in_line(game.id, partial(self.storage.append, game.id, rows, new=True))
        except IntegrityError:
            return await self.made_before(drawn)
        except StorageFault as fault:
            if fault.why != "moved":
                raise
            return await self.made_before(drawn)
        if game.id not in self.live:
            live = self._held(game)
            live.note_stored(rows)
            self._forget_some()
            self.wake(live)
        return made

    async def made_before(self, drawn: DrawnSecrets) -> MadeGame:
        """Return the earlier answer to the same request to make a game. Raises Refused if the earlier request had other
        secrets.
        """
        return _made_before(drawn.name(), await self.stored(drawn.name()), drawn)

    async def open(self, id: str) -> Live:
        """Return a game by its name, restored from its events if it is not in memory.

        Raises NoSuchGame if the game does not exist, CannotContinue if it plays differently now, or Elsewhere if
        another worker has it.
        """
        if id in self.live:
            live = self.live[id]
            live.touch()
            live.looked = monotonic()
            self.computers.wake(live)
            return live
        self._waiting += 1
        try:
            return await self._opened(id)
        finally:
            self._waiting -= 1

    async def _opened(self, id: str) -> Live:
        async with self._opening.turn(ASKER.get(), id):
            if id in self.live:
                return self.live[id]
            if await self._home(id) is not None:
                raise Elsewhere
            rows, game = await self._read_game(id)
            rows += await self._keep_what_was_told(game)
            live = self._held(game)
            live.note_stored(rows)
            live.looked = monotonic()
            self._keep_standing(live)
        self._forget_some()
        self.wake(live)
        return live

    def _held(self, game: HostedGame) -> Live:
        live = self.live[game.id] = Live(game, self.pulse.now)
        self.clocks.go_on(live)
        live.presence = self.tell_presence
        self._heard.pop(game.id, None)
        return live

    async def _read_game(self, id: str) -> tuple[list[StoredRow], HostedGame]:
        """Read a game from the database. Raises the errors of `open`."""
        try:
            rows = await self._stored(self.storage.events, id)
            standing = await self._standing(id)
        except StorageFault as fault:
            if fault.why != "damaged":
                raise
            raise DamagedGame("the database cannot read it") from fault
        if not rows or rows[0].kind in OF_CAMPAIGNS:
            raise NoSuchGame(id)
        self._not_as_it_was.discard(id)
        try:
            game = await asyncio.to_thread(opened, id, rows, self.library, standing)
        except CannotContinue as error:
            if error.fault == CannotContinue.fault:
                self._not_as_it_was.add(id)
            raise
        if isinstance(game, Shelved) and game.over is None:
            self._not_as_it_was.add(id)
        return rows, game

    # Games that other workers hold.

    async def home(self, id: str) -> ServerWorker | None:
        """Return the other worker that has a game; None if this one now has it, or the game does not exist."""
        if self.neighbours is None or id in self.live:
            return None
        return self.neighbours.home(id) or await self._home(id)

    async def _home(self, id: str) -> ServerWorker | None:
        if self.neighbours is None:
            return None
        other = await self._stored(self.storage.take, id)
        self.neighbours.note(id, other)
        return other

    async def look(self, id: str) -> Live:
        """Return a game for reading only; for the errors see `open`.

        If another worker has the game, the result is a copy of the stored game without later changes.
        """
        with suppress(Elsewhere):
            if self.neighbours is None or self.neighbours.home(id) is None:
                return await self.open(id)
        _, game = await self._read_game(id)
        return Live(game, self.pulse.now)

    async def fetch(self, id: str) -> Live:
        try:
            return await self.open(id)
        except Elsewhere:
            await self._stored(self.storage.seize, id)
            return await self.open(id)

    async def seat(self, id: str, people: Sequence[tuple[int, PersonKey, str]]) -> None:
        """Link seats of a game with people, whichever worker has the game. Raises the errors of `attach`."""
        news = await self.news(id)
        if news is not None and all(person.removeprefix("p:") in news.people[side] for side, person, _ in people):
            return
        live = await self.fetch(id)
        for side, person, name in people:
            await self.seating.attach(live, side, person, name)
        if self.neighbours is not None:
            self._forget(live)  # after this, the first worker that is asked for the game holds it

    async def note(self, id: str, text: str) -> None:
        """Add a line to the log of a game, whichever worker has it; for the errors see `open`."""
        live = await self.fetch(id)
        await self.change(live, lambda game: game.note(None, text), plays=False)
        if self.neighbours is not None:
            self._forget(live)  # after this, the first worker that is asked for the game holds it

    async def news(self, id: str) -> GameNews | None:
        """Return the news of a game of any worker; None if nobody in the game has a name beyond it.

        The errors are those of `open`.
        """
        heard = self._heard.get(id)
        if id not in self.live and heard is not None and self.neighbours is not None:
            if self.neighbours.others.get(heard[0]) is not None:
                return heard[1]
            del self._heard[id]
        live = await self.look(id)
        return news_of(live.game, _sides_here(live))

    def here(self, id: str) -> tuple[int, ...]:
        if id in self.live:
            return tuple(_sides_here(self.live[id]))
        return self._heard[id][1].here if id in self._heard else ()

    def people_here(self) -> set[str]:
        """Return the people who are looking at a game from their own seats."""
        people = {
            key.removeprefix("p:")
            for live in self.live.values()
            for key, side in live.game.keys.items()
            if key.startswith("p:") and side in _sides_here(live)
        }
        for _, news in self._heard.values():
            people.update(person for side in news.here for person in news.people[side])
        return people

    def _hear(self, message: Mapping[str, Any]) -> None:
        if message["kind"] == "news":
            news = msgspec.convert(message["news"], GameNews)
            self._heard[news.game] = (message["from"], news)
            self._heard.move_to_end(news.game)
            while len(self._heard) > NEWS_KEPT:
                self._heard.popitem(last=False)
            if not message["quietly"]:
                self._say(news)
        elif message["kind"] == "seized" and self.neighbours is not None:
            mine = message["worker"] == self.neighbours.me.id
            self.neighbours.note(message["game"], None if mine else self.neighbours.others.get(message["worker"]))
            if not mine and message["game"] in self.live:
                self._drop(self.live[message["game"]])

    def _others_changed(self, gone: set[str]) -> None:
        self._heard = OrderedDict((id, one) for id, one in self._heard.items() if one[0] not in gone)
        for live in list(self.live.values()):
            self._tell(live, quietly=False)

    def _drop_all(self) -> None:
        for live in list(self.live.values()):
            self._drop(live)

    def tell_presence(self, live: Live) -> None:
        if self.neighbours is not None and self.live.get(live.game.id) is live:
            self._tell(live, quietly=True)

    def _tell(self, live: Live, *, quietly: bool) -> None:
        """Report the news of a game, here and to the worker with the central tasks.

        Args:
            quietly: True to store the news only, as when somebody comes or goes.
        """
        try:
            news = news_of(live.game, _sides_here(live))
        except Exception:  # a game continues even if its news cannot be reported
            log.exception("changes of the game %s could not be sent", live.game.id)
            return
        if news is not None:
            self._report(news, quietly=quietly)

    def _report(self, news: GameNews, *, quietly: bool) -> None:
        if not quietly:
            self._say(news)
        if self.neighbours is not None and not self.neighbours.at_desk:
            message = {"kind": "news", "news": msgspec.to_builtins(news), "quietly": quietly}
            task = asyncio.ensure_future(self._stored(self._notify, message))
            self._keeping.add(task)
            task.add_done_callback(self._keeping.discard)

    def _say(self, news: GameNews) -> None:
        for hear in self.hearers:
            hear(news)

    def _notify(self, message: dict[str, Any]) -> None:
        assert self.neighbours is not None
        with suppress(StorageFault):  # the failure was logged, and the next news contain this change
            self.neighbours.tell(message)

    async def _standing(self, id: str) -> tuple[str, bytes] | None:
        """Return the stored state of a game; empty if it cannot be read."""
        try:
            return await self._stored(self.storage.standing, id)
        except StorageFault as fault:
            if fault.why != "damaged":
                raise
            return None

    def _keep_standing(self, live: Live) -> None:
        game = live.game
        if isinstance(game, Shelved) or game.retold is not None or game.seq - max(live.stood, game.stood) < EVERY:
            return
        if not {game.setup.scenario, *game.setup.armies}.isdisjoint(self.library.files):
            return  # a later opening may find another database file
        live.stood = game.seq
        task = asyncio.ensure_future(
            self._stored(self._write_standing, game.id, game.ruleset, standing_of(game, live.events.hexdigest()))
        )
        self._keeping.add(task)
        task.add_done_callback(self._keeping.discard)

    def _write_standing(self, id: str, ruleset: Ruleset, standing: StoredStanding) -> None:
        try:
            self.storage.keep_standing(id, stamp_of(ruleset), written(standing))
        except Exception:  # without the stored state, the game is replayed from its events
            log.warning("the state of the game %s could not be stored", id, exc_info=True)

    def wake(self, live: Live) -> None:
        """Start the computer's seats and the clock of a game, and notify the watchers of all games."""
        self.computers.wake(live)
        self.clocks.wake(live)
        for watch in () if isinstance(live.game, Shelved) else self.watchers:
            try:
                watch(live)
            except Exception:  # a game continues even if a watcher fails
                log.exception("a listener of the game %s failed", live.game.id)
        self._tell(live, quietly=False)

    async def _keep_what_was_told(self, game: HostedGame) -> list[StoredRow]:
        if game.retold is None or isinstance(game, Shelved):
            return []
        packing = Packing()
        row = game.row("record", Retold(told=tuple([packing.packed(tale) for tale in game.retold])))
        try:
            await self._stored(self.storage.append, game.id, [row])
        except StorageFault:  # the news are reported again when the game is opened the next time
            game.seq -= 1
            return []
        game.packing, game.retold = packing, None
        return [row]

    async def stored(self, name: str) -> list[StoredRow]:
        """Return the events of a stored thing other than a game."""
        return await self._in_line(name, self.storage.events, name)

    async def store(self, name: str, rows: Sequence[StoredRow]) -> None:
        """Add events to a stored thing other than a game, all or none."""
        await self._in_line(name, partial(self.storage.append, name, rows, fenced=False))

    async def paper(self, kind: str, id: str) -> Paper | None:
        """Return a paper (data outside games), or None; see `Storage.paper`."""
        return await self._read(id, self.storage.paper, kind, id)

    async def papers(self, kind: str, whose: str | None) -> list[Paper]:
        return await self._read("", self.storage.papers, kind, whose)

    async def write(self, papers: Sequence[Paper]) -> None:
        """Write papers, all or none; see `Storage.keep_papers`."""
        await self._in_line("", self.storage.keep_papers, papers)

    async def names(self, text: str) -> bool:
        """Return whether any game's beginning names something."""
        return await self._read("", self.storage.begins_with, text)

    async def resume_clocks(self) -> None:
        """Start the clocks of correspondence games, also of games that have not been opened since the server began."""
        for id in await self._read("", self.storage.clocked):
            if id in self.live or id in self.clocks.resting:
                continue
            if not goes_on_by_days(await self._read(id, self.storage.events, id)):
                continue
            try:
                await self._rest(await self.open(id))
            except (Refused, StorageFault, CannotContinue, NoSuchGame, Elsewhere) as error:
                log.warning("the clock of the game %s does not continue: %s", id, error)

    async def _rest(self, live: Live) -> None:
        """Drop a game with a slow clock from memory, and let its clock run on."""
        game = live.game
        idle = not live.lookers and live.thinking is None and not live.lock.locked()
        if not idle or not game.running or game.clock is None:
            return
        if min(game.clock.left[side] for side in game.running) < LONG_CLOCK_SECONDS * 1000:
            return
        try:
            async with live.held():
                live.count()
                await self._stored(self.storage.append, game.id, game.spent())
                self.clocks.rest(live, self._wake_resting)
                self._drop(live)
        except (Refused, StorageFault):
            log.warning("the clock of the game %s could not be stored", game.id)

    def _wake_resting(self, id: str) -> None:
        async def wake() -> None:
            try:
                await self.open(id)
            except (Refused, StorageFault, CannotContinue, NoSuchGame, Elsewhere) as error:
                log.warning("the clock of the game %s does not continue: %s", id, error)
                if isinstance(error, StorageFault):  # nobody may open the game for days, so try again
                    self.clocks.try_later(id)

        task = asyncio.ensure_future(wake())
        self._keeping.add(task)
        task.add_done_callback(self._keeping.discard)

    def _forget_some(self) -> None:
        """Remove the longest idle games from memory if there are too many games. Removed games stay in storage."""
        if self.garbage is not None:
            self.garbage.keep()
        if self._sweeping is None:
            self._sweeping = asyncio.create_task(self._sweep())
            self._beating = asyncio.create_task(self.pulse.beat())
        if len(self.live) <= self.most:
            return
        unseen = sorted((live for live in self.live.values() if _rests(live)), key=lambda live: live.touched)
        idle = sum(monotonic() - live.touched > IDLE_SECONDS for live in unseen)
        too_many = max(idle - self.most, len(unseen) - self.unseen, 0)
        for live in unseen[:too_many]:
            self._forget(live)

    def _forget(self, live: Live) -> None:
        if _rests(live):
            self._drop(live)
            if self.neighbours is not None:
                self._writer.submit(self._give_up, live.game.id)

    def _give_up(self, id: str) -> None:
        """Release a game that is no longer in memory, so that another worker may open it."""
        with suppress(StorageFault):  # the failure was logged, and the game stays with this worker
            self.storage.give_up(id)

    def _drop(self, live: Live) -> None:
        if self.live.get(live.game.id) is live:
            del self.live[live.game.id]
            if self.garbage is not None:
                self.garbage.dropped += 1
        live.drop()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for live in [live for live in self.live.values() if monotonic() - live.touched > REST_SECONDS]:
                await self._rest(live)
                self._forget(live)
            if self.garbage is not None:
                self.garbage.clear(self.unseen)
            self._forget_some()

    async def list_of(self, tokens: Sequence[str]) -> list[GameEntry]:
        """Return the games with a seat for one of these secrets, the newest first."""
        keys = [key_of(token) for token in tokens]
        ids = (await self._read("", self.storage.games_of, keys))[:LISTED]
        entries = []
        for id in ids:
            try:
                rows = await self._read(id, self.storage.events, id)
                entry = await in_turn(listed, id, rows, keys, self.library)
            except StorageFault as fault:
                if fault.why != "damaged":
                    raise
                entry = damaged(id, (), keys, self.library)
            if entry is not None and id in self._not_as_it_was and entry.fault is None:
                entry = msgspec.structs.replace(entry, fault=CannotContinue.fault)
            if entry is not None:
                entries.append(entry)
        return entries

    async def glance(self, id: str, tokens: Sequence[str]) -> Glance:
        """Return a summary of a game for its players, without opening it.

        Raises NoSuchGame if the game does not exist, or none of these secrets opens one of its seats.
        """
        keys = [key_of(token) for token in tokens]
        if id not in await self._read("", self.storage.games_of, keys):
            raise NoSuchGame(id)
        rows = await self._read(id, self.storage.events, id)
        entry = await in_turn(listed, id, rows, keys, self.library)
        if entry is None or not entry.sides:
            raise NoSuchGame(id)
        return await in_turn(glanced, rows, entry.sides[0])

    async def change(
        self,
        live: Live,
        do: Callable[[HostedGame], StoredRow | Sequence[StoredRow]],
        sides: Sequence[int] = (),
        *,
        plays: bool = True,
    ) -> int:
        """Change a game: apply the rules, store the result, then notify onlookers.

        Returns the number of the resulting moment. After an error nothing has changed. Raises Refused if the rules or
        the state of the game forbid it, or if the game was reloaded in the meantime. Raises StorageFault if the change
        could not be stored.

        Args:
            plays: True for an act of the game itself.
        """
        live.touch()
        if self.garbage is not None:
            self.garbage.busy()
        async with live.held():
            game = live.game
            if not plays and game.seq >= MOST_EVENTS:
                words = f"This game has {MOST_EVENTS:,} events: it can be finished, but chat and takebacks are off"
                raise refused("too-many", words)
            once = ONCE.get()
            ONCE.set(None)  # computers that this wakes are not part of the request
            if once is not None and once in live.sent:
                return live.sent[once]
            before = game.moment
            live.count()
            try:
                done = do(game)
                changes = [done] if isinstance(done, StoredRow) else [*done]
                if once is not None and changes and changes[0].key is None and changes[0].kind not in OF_SEATS:
                    changes[0] = msgspec.structs.replace(changes[0], key=once)
                rows = [
                    *changes,
                    *game.reactions(sides, watched=live.watched),
                    *game.spent(),
                ]
                storing = asyncio.ensure_future(self._in_line(game.id, self.storage.append, game.id, rows))
                try:
                    # The changes are computed while the database writes, and sent afterwards.
                    news = live.changes()
                finally:
                    await _done(storing)
                live.note_stored(rows)
                live.counted = live.time()  # no side is charged for the time of the database
            except BaseException as error:
                if isinstance(error, StorageFault):
                    self.computers.rest()
                if before != game.moment:
                    # Unstored changes have not happened: the game is read again, and everybody returns to the stored
                    # state.
                    self._drop(live)
                raise
            live.publish(news)
            seq = live.game.seq
            self._keep_standing(live)
        self.wake(live)
        return seq

    async def _store_time(self) -> None:
        for live in [live for live in self.live.values() if live.game.running]:
            try:
                async with live.held():
                    live.count()
                    await self._stored(self.storage.append, live.game.id, live.game.spent())
            except (Refused, StorageFault):
                log.warning("the clock of the game %s could not be stored", live.game.id)
            if live.waking is not None:
                live.waking.cancel()
        for id, resting in self.clocks.resting.items():
            resting.alarm.cancel()
            try:
                await self._stored(self.storage.append, id, [resting.spent(self.pulse.now())])
            except (StorageFault, IntegrityError):
                log.warning("the clock of the game %s could not be stored", id)

    async def close(self) -> None:
        self.computers.stop()
        await self._store_time()
        tasks = [live.thinking for live in self.live.values() if live.thinking is not None]
        tasks += [task for task in (self._sweeping, self._beating) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.computers.close()
        await self.questions.close()
        self._reader.shutdown(wait=True)
        self._writer.shutdown(wait=True)
        if self.neighbours is not None:
            await asyncio.to_thread(self.neighbours.close)
        self.storage.close()


def _rests(live: Live) -> bool:
    return not live.lookers and live.thinking is None and not live.lock.locked() and not live.game.running


def _sides_here(live: Live) -> set[int]:
    return {side for looker in live.lookers for side in looker.sides}


def _made(id: str, setup: Setup, awaited: Container[int], drawn: DrawnSecrets) -> MadeGame:
    seats = [
        MadeSeat(
            side=side,
            player=player,
            token=drawn.secret(side) if player == PERSON else None,
            invited=side in awaited,
        )
        for side, player in enumerate(setup.seats)
    ]
    return MadeGame(game=id, seats=tuple(seats))


def _made_before(id: str, rows: Sequence[StoredRow], drawn: DrawnSecrets) -> MadeGame:
    """Return the game that the same request made before. Raises Refused if the earlier request had other secrets."""
    created, acted = read_rows(rows)
    began = list(takewhile(lambda one: one[0].kind != "seat", acted))
    awaited = {*created.setup.invited, *[body.side for row, body in began if row.kind == "await"]}
    made = _made(id, created.setup, awaited, drawn)
    keys = {row.key for row in rows if row.kind == "seat"}
    if not keys.issuperset(key_of(seat.token) for seat in made.seats if seat.token is not None):
        raise refused("not-yours", "Another game has this name; send the request with another key")
    return made


async def _done(storing: asyncio.Future[None]) -> None:
    """Wait until a change is stored, even if the player has disconnected, because the game must not be read before."""
    try:
        await asyncio.shield(storing)
    except asyncio.CancelledError:
        await asyncio.wait({storing})
        raise
