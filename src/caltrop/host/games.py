"""All games of a server: what is played is stored first, then acknowledged, then told to whoever looks.

Each game does one act at a time. The computer's seats think in threads of their own, and are told nothing but the view
of their side.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, TypeVar

import msgspec

from caltrop import InputError, __version__
from caltrop.chance import Seeded
from caltrop.engine import (
    Decision,
    Loud,
    Match,
    PickedUp,
    Proposal,
    Refused,
    Ruleset,
    Wish,
    loud,
)
from caltrop.engine.forecast import Forecast
from caltrop.host.events import OF_CAMPAIGNS, Retold, Said, Setup, packed
from caltrop.host.faults import CannotContinue, Damaged, NoSuchGame, refused
from caltrop.host.frames import PastGame, past_game
from caltrop.host.game import Game
from caltrop.host.listing import damaged, listed
from caltrop.host.live import Live
from caltrop.host.seats import PERSON, Library, SecureDice, key_of, new_id, new_token, seated
from caltrop.host.shelved import Shelved, opened
from caltrop.host.storage import Row, Storage, StorageFault
from caltrop.host.why import Past, causes
from caltrop.journal import Record
from caltrop.picture import Picture
from caltrop.picture.sightings import Sighting
from caltrop.players import Player
from caltrop.scenarios.lessons import LessonDice, begun
from caltrop.scenarios.lessons import lesson as find_lesson
from caltrop.wire import as_action
from caltrop.wire.messages import AskSight, Cause, Done, GameEntry, MadeGame, MadeSeat, NewGame, Why

log = logging.getLogger("caltrop.host")
T = TypeVar("T")

THINKING_SECONDS = 30.0
"""A player bounded by nodes needs a second; whoever takes this long has lost its way. It counts from when it begins to
think: those who wait for others to have thought lose nothing."""

REST_SECONDS = 30 * 60.0
"""A game at which nobody looks or plays for so long leaves the memory; storage has it."""

SWEEP_SECONDS = 60.0
"""How often it is looked for such games."""

LISTED = 40
"""Games in the list of one's own."""

BACK_OFF_SECONDS = 5.0
"""The computer's seats rest so long when something could not be stored: what they play then is most likely lost too."""

SLICE = 8
"""Acts of a game that are looked back on in one go: what somebody waits for comes between."""


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
        self._counter = ThreadPoolExecutor(1, "caltrop-counter")
        self._forecaster = ThreadPoolExecutor(1, "caltrop-forecaster")
        self._sweeping: asyncio.Task[None] | None = None
        self._looking_back: set[asyncio.Task[None]] = set()
        self._closing = False
        self._rest_until = 0.0
        self._not_as_it_was: set[str] = set()
        """Games that were tried, and do not play as they did by the rules of today."""

    async def _in(self, pool: ThreadPoolExecutor, do: Callable[..., T], *with_: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, do, *with_)

    async def make(self, wanted: NewGame) -> MadeGame:
        """Make a game.

        Raises:
            InputError: for what does not exist or does not fit; the message names the nearest right value.
        """
        try:
            game = await asyncio.to_thread(self._new, wanted)
        except ValueError as error:
            raise InputError(str(error)) from None
        rows = [game.created()]
        made: list[MadeSeat] = []
        for side, player in enumerate(game.setup.seats):
            token = new_token() if player == PERSON else None
            made.append(MadeSeat(side=side, player=player, token=token))
            if token is not None:
                game.keys[key_of(token)] = side
                rows.append(game.row("seat", Said(side=side), key_of(token)))
        await self._in(self._writer, self.storage.append, game.id, rows)
        live = self.live[game.id] = Live(game)
        self._forget_some()
        self.wake(live)
        return MadeGame(game=game.id, seats=tuple(made))

    def _new(self, wanted: NewGame) -> Game:
        ruleset = self.library.find(wanted.ruleset)
        if wanted.lesson is not None:
            return self._lesson(ruleset, wanted.lesson)
        scenario = wanted.scenario
        if scenario is None:
            scenario = ruleset.scenarios()[0].id
        self.library.check(ruleset, scenario, wanted.armies)
        book = ruleset.book(wanted.edition, wanted.rules)
        table = ruleset.setup(book, scenario, wanted.armies, wanted.size)
        players = (PERSON, *self.library.players(wanted.ruleset))
        sides = len(ruleset.depict(table, None).seats)
        usual = (PERSON, *[self.library.usual_player(wanted.ruleset)] * (sides - 1))
        for seat in wanted.seats:
            if seat not in players:
                raise ValueError(f"there is no player {seat!r}; there are {', '.join(players)}")
        seats = seated(ruleset, table, wanted.seats or usual)
        for how in (wanted.dice,) if isinstance(wanted.dice, str) else wanted.dice:
            if how not in ("server", "typed"):
                raise ValueError(f"dice is server or typed, and not {how!r}")
        if not isinstance(wanted.dice, str) and len(wanted.dice) != len(seats):
            raise ValueError(f"there are {len(seats)} seats, and dice are named for {len(wanted.dice)}")
        setup = Setup(
            ruleset=ruleset.name,
            edition=book.edition,
            rules=book.rules,
            scenario=scenario,
            armies=wanted.armies,
            size=wanted.size,
            seats=seats,
            friendly=wanted.friendly,
            always_ask=wanted.always_ask,
            dice=wanted.dice,
            engine_version=__version__,
            rules_version=ruleset.rules_version,
            salt=secrets.token_hex(16),
        )
        return Game.begun(new_id(), setup, ruleset, SecureDice())

    def opening(self, name: str, scenario: str) -> Picture:
        """A scenario's table as it is laid, with the armies that it comes with, as an onlooker sees it.

        Raises:
            InputError: when the ruleset has no such scenario; the message names the nearest.
        """
        ruleset = self.library.find(name)
        self.library.check(ruleset, scenario, ())
        state = ruleset.setup(ruleset.book(), scenario, (), None)
        return ruleset.depict(Match(ruleset, state, Seeded(0)).view(None), None)

    def _lesson(self, ruleset: Ruleset, id: str) -> Game:
        """A lesson: a person against the easiest player, from the lesson's own position."""
        lesson = find_lesson(ruleset.name, id)
        match = begun(ruleset.name, id)
        sides = len(ruleset.depict(match.view(None), None).seats)
        usual = self.library.usual_player(ruleset.name)
        players = tuple(PERSON if side == lesson.side else usual for side in range(sides))
        setup = Setup(
            ruleset=ruleset.name,
            edition=match.state.book.edition,
            rules=match.state.book.rules,
            scenario=f"lesson: {lesson.title}",
            armies=(),
            size=None,
            seats=seated(ruleset, match.state, players),
            friendly=True,
            dice="server",
            engine_version=__version__,
            rules_version=ruleset.rules_version,
            salt=secrets.token_hex(16),
            lesson=lesson.id,
        )
        return Game.begun(new_id(), setup, ruleset, LessonDice(lesson.dice, SecureDice()))

    async def open(self, id: str) -> Live:
        """The game called *id*, played again from its events if it is not in memory.

        Raises:
            NoSuchGame: when there is none.
            CannotContinue: when it does not play as it did.
        """
        if id in self.live:
            self.live[id].touch()
            return self.live[id]
        async with self._opening:
            if id in self.live:
                return self.live[id]
            try:
                rows = await self._in(self._writer, self.storage.events, id)
            except StorageFault as fault:
                if fault.why != "damaged":
                    raise
                raise Damaged("the database cannot read it") from fault
            if not rows or rows[0].kind in OF_CAMPAIGNS:
                raise NoSuchGame(id)
            self._not_as_it_was.discard(id)
            try:
                game = await asyncio.to_thread(opened, id, rows, self.library)
            except CannotContinue as error:
                if error.fault == CannotContinue.fault:
                    self._not_as_it_was.add(id)
                raise
            if isinstance(game, Shelved) and game.over is None:
                self._not_as_it_was.add(id)
            await self._keep_what_was_told(game)
            live = self.live[id] = Live(game)
        self._forget_some()
        self.wake(live)
        return live

    async def _keep_what_was_told(self, game: Game) -> None:
        """Store what a game of an older version told, now that it has been played again for that."""
        if game.retold is None or isinstance(game, Shelved):
            return
        row = game.row("record", Retold(told=tuple(packed(tale) for tale in game.retold)))
        game.retold = None
        try:
            await self._in(self._writer, self.storage.append, game.id, [row])
        except StorageFault:  # it is told again when the game is opened the next time
            game.seq -= 1

    async def stored(self, name: str) -> list[Row]:
        """The events of something that is kept beside the games."""
        return await self._in(self._writer, self.storage.events, name)

    async def store(self, name: str, rows: Sequence[Row]) -> None:
        """Add events to something that is kept beside the games, all or none."""
        await self._in(self._writer, self.storage.append, name, rows)

    async def names(self, text: str) -> bool:
        """Whether any game's beginning names something."""
        return await self._in(self._writer, self.storage.begins_with, text)

    def _forget_some(self) -> None:
        """Drop the games from memory that rest the longest, if there are too many; storage has them all."""
        if self._sweeping is None:
            self._sweeping = asyncio.create_task(self._sweep())
        too_many = max(len(self.live) - self.most, 0)
        for live in sorted(self.live.values(), key=lambda live: live.touched)[:too_many]:
            self._forget(live)

    def _forget(self, live: Live) -> None:
        """Drop a game from memory, unless somebody looks at it or plays."""
        if not live.lookers and live.thinking is None and not live.lock.locked():
            self.live.pop(live.game.id, None)

    async def _sweep(self) -> None:
        """Drop the games from memory that have rested for a while."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for live in [live for live in self.live.values() if monotonic() - live.touched > REST_SECONDS]:
                self._forget(live)

    async def list_of(self, tokens: Sequence[str]) -> list[GameEntry]:
        """The games that these secrets have seats in, the newest first."""
        keys = [key_of(token) for token in tokens]
        ids = (await self._in(self._writer, self.storage.games_of, keys))[:LISTED]
        found = []
        for id in ids:
            try:
                rows = await self._in(self._writer, self.storage.events, id)
                entry = await asyncio.to_thread(listed, id, rows, keys, self.library)
            except StorageFault as fault:
                if fault.why != "damaged":
                    raise
                entry = damaged(id, (), keys, self.library)
            if entry is not None and id in self._not_as_it_was and entry.fault is None:
                entry = msgspec.structs.replace(entry, fault=CannotContinue.fault)
            if entry is not None:
                found.append(entry)
        return found

    async def change(self, live: Live, do: Callable[[Game], Row | Sequence[Row]], sides: Sequence[int] = ()) -> int:
        """Play something: by the rules first, then onto the disk, then to whoever looks.

        Args:
            live: The game.
            do: What is played.
            sides: The seats of whoever plays it.

        Returns:
            The number of the moment that it led to.

        Raises:
            Refused: by the rules or by the state of the game; nothing has changed.
            StorageFault: when it could not be stored; nothing has changed.
        """
        live.touch()
        async with live.lock:
            game = live.game
            before = game.moment
            try:
                done = do(game)
                rows = [*([done] if isinstance(done, Row) else done), *game.reactions(sides)]
                storing = asyncio.ensure_future(self._in(self._writer, self.storage.append, game.id, rows))
                try:
                    # Worked out while the disk is waited for, and told when it is done.
                    news = live.changes()
                finally:
                    await asyncio.shield(storing)
            except BaseException as error:
                if isinstance(error, StorageFault):
                    self._rest_until = time.monotonic() + BACK_OFF_SECONDS
                if before != game.moment:
                    # What is not on the disk has not happened: the game is read anew, and everybody comes back to that.
                    self.live.pop(game.id, None)
                    for looker in list(live.lookers):
                        looker.drop()
                raise
            live.publish(news)
            seq = live.game.seq
        self.wake(live)
        return seq

    # What clients say.

    async def answer(
        self,
        live: Live,
        sides: Sequence[int],
        decision: str,
        action: Any,
        typed: Sequence[Sequence[int]] = (),
        *,
        quietly: bool = False,
    ) -> Done | Loud:
        """A side answers a decision.

        Args:
            live: The game.
            sides: The seats of whoever answers.
            decision: Its id.
            action: The answer.
            typed: Real dice.
            quietly: Whether it is played only where it is quiet.

        Returns:
            What is done; or why it is not quiet.

        Raises:
            Refused: when it may not; nothing has changed.
            WrongMessage: when the action cannot be read.
        """
        if quietly and (why := self.loud(live, sides, decision, as_action(live.game.ruleset, action))) is not None:
            return why

        def play(game: Game) -> Row:
            asked = game.decision(decision, sides)
            return game.act(asked, as_action(game.ruleset, action), typed, sides)

        return Done(seq=await self.change(live, play, sides))

    @staticmethod
    def loud(live: Live, sides: Sequence[int], decision: str, action: Any) -> Loud | None:
        """Why an answer is not quiet; None where it is. Nothing is played.

        Raises:
            Refused: when it may not be given.
        """
        asked = live.game.decision(decision, sides)
        view = live.game.match.view(asked.side)
        refusal = asked.options(view).refusal(action)
        if refusal is not None:
            raise Refused(refusal)
        return loud(view, asked, action)

    async def usually(
        self, live: Live, sides: Sequence[int], decision: str, unit: int | None, *, quietly: bool = False
    ) -> Done | Loud:
        """A side gives the usual answer, and goes on so for as long as it is asked and there is one.

        Args:
            live: The game.
            sides: The seats of whoever answers.
            decision: What is asked first.
            unit: The unit that nothing else is said of; None for all.
            quietly: Whether it stops before what is not quiet.

        Returns:
            What is done; or why already the first answer is not quiet.

        Raises:
            Refused: when there is no usual answer; nothing has changed.
        """
        first = live.game.decision(decision, sides)
        found = first.usual(live.game.match.view(first.side), unit)
        if found is None:
            raise refused("nothing-usual", "There is no usual answer to this")
        if quietly and (why := self.loud(live, sides, decision, found.action)) is not None:
            return why

        def play(game: Game) -> list[Row]:
            rows: list[Row] = []
            asked = game.decision(decision, sides)
            while True:
                view = game.match.view(asked.side)
                usual = asked.usual(view, unit)
                if usual is None or (quietly and loud(view, asked, usual.action) is not None):
                    return rows
                try:
                    rows.append(game.act(asked, usual.action, (), sides))
                except Refused:  # as where real dice have to be typed in first
                    if not rows:
                        raise
                    return rows
                waiting = [one for _, one in game.ids()]
                if len(waiting) != 1 or waiting[0].side != asked.side:
                    return rows
                asked = waiting[0]

        return Done(seq=await self.change(live, play, sides))

    async def carry_out(
        self,
        live: Live,
        sides: Sequence[int],
        decision: str,
        wish: Wish,
        typed: Sequence[Sequence[int]] = (),
        *,
        quietly: bool = False,
    ) -> Done | tuple[Proposal, Loud | None]:
        """A side answers a decision with what it wishes: it is proposed, and played where it comes to an action.

        Returns:
            What is done; or the proposal with the reason why it is not, or why it would not be quiet.

        Raises:
            Refused: when it may not; nothing has changed.
        """
        proposal = self.propose(live, sides, decision, wish)
        if proposal.action is None:
            return proposal, None
        if quietly and (why := self.loud(live, sides, decision, proposal.action)) is not None:
            return proposal, why

        def play(game: Game) -> Row:
            # Where something else was played meanwhile, it is refused as any other answer.
            return game.act(game.decision(decision, sides), proposal.action, typed, sides)

        return Done(seq=await self.change(live, play, sides))

    async def type_in(self, live: Live, sides: Sequence[int], faces: Sequence[int]) -> Done:
        """Real dice that the game waits for.

        Raises:
            Refused: when none are wanted of these sides, or they do not fit.
        """
        return Done(seq=await self.change(live, lambda game: game.type_in(sides, faces), sides))

    async def why(self, live: Live, eyes: int | None, about: Why) -> tuple[Cause, ...]:
        """How something came about, as *eyes* may know it."""
        async with live.lock:
            past = Past.of(live.game, eyes)
        return await self._in(self._counter, causes, past, about)

    def look_back(self, live: Live, eyes: int | None) -> None:
        """Note what changed in a game that has just been opened for some eyes, so that `why` is answered at once."""
        task = asyncio.create_task(self._look_back(live, eyes))
        self._looking_back.add(task)
        task.add_done_callback(self._looking_back.discard)

    async def _look_back(self, live: Live, eyes: int | None) -> None:
        if isinstance(live.game, Shelved):
            return
        async with live.lock:
            past = Past.of(live.game, eyes)
        try:
            while await self._in(self._counter, past.look_back, SLICE):
                pass
        except Exception:  # whoever asks is told
            log.exception("looking back on %s", live.game.id)

    async def moments(
        self, live: Live, eyes: int | None, may: Sequence[int | None], first: int = 0, count: int | None = None
    ) -> PastGame:
        """Moments of a game in force, as *eyes* may see them: *count* from the *first*, or all that follow."""
        async with live.lock:
            past = live.game.shown_past(eyes)
        return await self._in(self._counter, past_game, past, tuple(may), first, count)

    async def undo(self, live: Live, side: int) -> Done:
        """A side takes its last act back, freely."""
        done = Done(seq=await self.change(live, lambda game: game.undo(side)))
        live.players.clear()
        return done

    async def redo(self, live: Live, side: int) -> Done:
        """A side plays again what it took back last."""
        return Done(seq=await self.change(live, lambda game: game.redo(side)))

    async def resign(self, live: Live, side: int) -> Done:
        """A side gives the game up."""
        return Done(seq=await self.change(live, lambda game: game.resign(side)))

    async def show_all(self, live: Live, side: int) -> Done:
        """A side shows everything that was hidden, after the end."""
        return Done(seq=await self.change(live, lambda game: game.show_all(side)))

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

        done = Done(seq=await self.change(live, say))
        live.players.clear()
        return done

    def propose(self, live: Live, sides: Sequence[int], decision: str, wish: Wish) -> Proposal:
        """What a drag, or a card that is pointed at, would come to; nothing is played.

        Raises:
            Refused: when the decision does not wait for these sides.
        """
        asked = live.game.decision(decision, sides)
        view = live.game.match.view(asked.side)
        return asked.propose_card(view, wish.card) if wish.card else asked.propose(view, wish)

    def pick_up(self, live: Live, sides: Sequence[int], decision: str, unit: int, act: str) -> PickedUp | None:
        """What is around a unit that is about to be dragged.

        Raises:
            Refused: when the decision does not wait for these sides.
        """
        asked = live.game.decision(decision, sides)
        return asked.pick_up(live.game.match.view(asked.side), unit, act)

    async def sight(self, live: Live, eyes: int | None, asked: AskSight) -> tuple[Sighting, ...]:
        """What a unit sees, where the ruleset can tell.

        Raises:
            Refused: when units of this game do not see one another.
        """
        game = live.game
        sights = game.ruleset.sights
        if sights is None:
            raise refused("no-sight", "This game knows no lines of sight")
        view, draw = game.match.view(eyes), len(asked.targets) == 1
        found: tuple[Sighting, ...] = await self._in(
            self._counter, sights.see, view, asked.unit, asked.targets, asked.places, draw
        )
        return found

    async def odds(self, live: Live, sides: Sequence[int], decision: str, action: Any) -> Forecast:
        """What an action may end in, where the ruleset can tell; nothing is played.

        Raises:
            Refused: when the decision does not wait for these sides, or the ruleset has no odds for it.
            WrongMessage: when the action cannot be read.
        """
        game = live.game
        asked = game.decision(decision, sides)
        read = as_action(game.ruleset, action)
        forecasts = game.ruleset.forecasts
        if forecasts is None:
            raise refused("no-odds", "This game tells no odds for that")
        view = game.match.view(asked.side)
        refusal = asked.options(view).refusal(read)
        if refusal is not None:
            raise Refused(refusal)
        found = await self._in(self._forecaster, forecasts, view, asked.side, read, asked)
        if found is None:
            raise refused("no-odds", "Nothing is left to chance there")
        return found

    # What is written down.

    async def record(self, live: Live, side: int | None) -> Record:
        """The recorded game, with what *side* (None: an onlooker) may know until everything is shown.

        Raises:
            Refused: for a lesson, which begins with no scenario that a record could name.
        """
        game = live.game
        if game.setup.lesson is not None:
            raise refused("no-record", "A lesson is not saved as a file; its replay is kept here")
        async with live.lock:
            return await asyncio.to_thread(game.record, side)

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
                if (rest := self._rest_until - time.monotonic()) > 0:
                    await asyncio.sleep(rest)
                    continue
                turn = self._computer_turn(live.game)
                if turn is None:
                    return
                await self._one_act(live, *turn)
                await asyncio.sleep(0)
        except StorageFault:  # whoever looks comes back to the game as it is stored, and wakes the player again
            pass
        except Exception:  # the game stays as it is stored, and the next message wakes the player again
            log.exception("a computer player of %s", live.game.id)
        finally:
            live.thinking = None

    async def _thought(self, player: Player, decision: Decision, view: Any, dice: Seeded) -> Any:
        """What a player answers.

        Raises:
            TimeoutError: when it thinks too long.
        """
        loop = asyncio.get_running_loop()
        begun = asyncio.Event()

        def think() -> Any:
            loop.call_soon_threadsafe(begun.set)
            return player.decide(decision, view, dice)

        thought = asyncio.ensure_future(self._in(self._thinkers, think))
        thought.add_done_callback(lambda _: begun.set())
        try:
            await begun.wait()
            return await asyncio.wait_for(thought, THINKING_SECONDS)
        finally:
            thought.cancel()  # what nobody waits for any more need not begin

    async def _one_act(self, live: Live, id: str, decision: Decision) -> None:
        game, side = live.game, decision.side
        name = game.player(side)
        dice = live.dice.setdefault(side, Seeded(secrets.token_hex(32)))
        fault = ""
        action: Any = None
        try:
            if side not in live.players:
                live.players[side] = self.library.player(name, game.setup.ruleset)
            view = game.match.view(side)  # all that the player is given
            action = await self._thought(live.players[side], decision, view, dice)
        except TimeoutError:
            fault = "thought too long"
            # The thread is still busy, and those of other games are not to wait for it.
            self._thinkers.shutdown(wait=False)
            self._thinkers = ThreadPoolExecutor(2, "caltrop-player")
            live.players.pop(side, None)
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
        tasks += self._looking_back
        if self._sweeping is not None:
            tasks.append(self._sweeping)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        self._counter.shutdown(wait=False, cancel_futures=True)
        self._forecaster.shutdown(wait=False, cancel_futures=True)
        self._writer.shutdown(wait=True)
        self.storage.close()
