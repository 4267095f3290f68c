"""Questions about a game that change nothing: the result of an act, sight, and the causes of events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec

from caltrop.asking import Offered, Outlook, PickedUp, Proposal, Sought, Wish, offered, outlook, sought
from caltrop.engine import Decision, Loud, Refused, Ruleset, loud
from caltrop.engine.forecast import AttacksInOrder, Forecast
from caltrop.host.apart import JOBS, Apart
from caltrop.host.faults import refused
from caltrop.host.frames import PastGame, past_game
from caltrop.host.latest import LatestAnswers
from caltrop.host.live import Live
from caltrop.host.shelved import Shelved
from caltrop.host.turns import ASKER, EACH, Turns
from caltrop.host.why import Past, causes
from caltrop.journal import Record
from caltrop.lab.workers import Broken, Late, TooMuch
from caltrop.picture.sightings import Sighting
from caltrop.players import Budget, Hint, hint
from caltrop.players.advice import ADVISERS, adviser
from caltrop.table.measured import without_search
from caltrop.wire import as_action
from caltrop.wire.messages import AskInOrder, AskSight, Cause, LookAhead, Seek, Why

log = logging.getLogger("caltrop.host")
T = TypeVar("T")

HINT_SECONDS = 2.0
"""Seconds for an adviser's thought."""
LATEST_HINT = 20.0
"""Seconds after which a weaker player gives the hint; the first hint waits for a process to start."""
LATER = 0.5
"""Seconds until the next check whether games are still being opened."""
SLICE = 8
"""Number of acts to process in one go, so that urgent requests can run in between."""


ASKED = 24
"""Largest number of one address's questions in a queue; a page asks several at once."""
ALL_ASKED = 600


class _Line:
    """Threads for one kind of question, which serve the addresses in turn."""

    def __init__(self, name: str, at_once: int = 1, each: int = ASKED) -> None:
        self.turns = Turns(at_once, each=each, most=ALL_ASKED)
        self.pool = ThreadPoolExecutor(at_once, f"caltrop-{name}")

    async def work_out(self, game: str, do: Callable[..., T], *with_: Any) -> T:
        """Return the result of a function when it is the asker's turn.

        Raises Refused if the asker has too many requests.
        """
        whose = ASKER.get()
        with self.turns.place(whose):
            async with self.turns.turn(whose, game):
                return await asyncio.get_running_loop().run_in_executor(self.pool, do, *with_)


class Questions:
    """Answers questions about games. Slow questions run in threads; odds, attacks in order and hints have threads of
    their own.
    """

    def __init__(self, opening: Callable[[], bool] = lambda: False) -> None:
        self.opening = opening
        self._counter = _Line("counter")
        self._forecaster = _Line("forecaster")
        self._sequencer = _Line("sequencer")
        self._adviser = _Line("adviser", JOBS, EACH)
        self._past = _Line("past")
        self._records = Turns(2, each=ASKED, most=ALL_ASKED)
        self._apart = Apart()
        self._latest = LatestAnswers()
        self._looking_back: set[asyncio.Task[None]] = set()

    def propose(self, live: Live, sides: Sequence[int], decision: str, wish: Wish, *, brief: bool = False) -> Proposal:
        """Return the result of a drag, or of pointing at a card; nothing is played.

        Args:
            brief: True for a refusal without the nearest legal act, which may take long to find.

        Raises Refused if these sides are not asked the decision.
        """
        return self._proposed(live, sides, decision, wish, brief=brief)()

    async def propose_fully(self, live: Live, sides: Sequence[int], decision: str, wish: Wish) -> Proposal:
        """Return what `propose` returns; other requests are answered meanwhile.

        Raises Refused if these sides are not asked the decision.
        """
        return await self._counter.work_out(live.game.id, self._proposed(live, sides, decision, wish))

    @staticmethod
    def _proposed(
        live: Live, sides: Sequence[int], decision: str, wish: Wish, *, brief: bool = False
    ) -> Callable[[], Proposal]:
        asked = offered(live.game.decision(decision, sides))
        view = live.game.match.view(asked.side)

        def propose() -> Proposal:
            if wish.card:
                return asked.propose_card(view, wish.card)
            if not brief:
                return asked.propose(view, wish)
            with without_search():
                proposal = asked.propose(view, wish)
            refusal = proposal.refusal and msgspec.structs.replace(proposal.refusal, nearest=None)
            return msgspec.structs.replace(proposal, refusal=refusal)

        return propose

    def loud(self, live: Live, sides: Sequence[int], decision: str, action: Any) -> Loud | None:
        """Return why an answer is not quiet, or None; nothing is played.

        Raises Refused for an illegal answer.
        """
        asked = live.game.decision(decision, sides)
        view = live.game.match.view(asked.side)
        refusal = asked.options(view).refusal(action)
        if refusal is not None:
            raise Refused(refusal)
        return loud(view, asked, action)

    def pick_up(self, live: Live, sides: Sequence[int], decision: str, unit: int, act: str) -> PickedUp | None:
        """Return the surroundings of a unit before a drag.

        Raises Refused if these sides are not asked the decision.
        """
        asked = offered(live.game.decision(decision, sides))
        return asked.pick_up(live.game.match.view(asked.side), unit, act)

    async def sight(self, live: Live, eyes: int | None, asked: AskSight) -> tuple[Sighting, ...]:
        """Return a unit's sight, if the ruleset supports it.

        Raises Refused if the game has no sight.
        """
        game = live.game
        game.check_not_behind(eyes)
        sights = game.ruleset.sights
        if sights is None:
            raise refused("no-sight", "This game has no lines of sight")
        view, draw, see = game.match.view(eyes), asked.named or len(asked.targets) == 1, sights.see

        def look() -> tuple[Sighting, ...]:
            if not asked.back:
                return see(view, asked.unit, asked.targets, asked.places, draw)
            groups = game.ruleset.depict(view, eyes).groups
            side = next((group.side for group in groups if group.id == asked.unit), None)
            others = asked.targets or [group.id for group in groups if group.side != side and group.pieces]
            return tuple([one for other in others for one in see(view, other, (asked.unit,), {}, draw)])

        return await self._counter.work_out(live.game.id, look)

    async def seek(self, live: Live, sides: Sequence[int], message: Seek) -> Sought:
        """Return a move of a unit that meets a goal; nothing is played.

        Raises Refused if these sides are not asked the decision.
        """
        game = live.game
        asked = offered(game.decision(message.decision, sides))
        view = game.match.view(asked.side)
        picture, sights = game.ruleset.depict(view, asked.side), game.ruleset.sights

        def see(t: Any, unit: int, target: int, places: Mapping[int, tuple[int, int]]) -> Sighting | None:
            sighted = () if sights is None else sights.see(t, unit, (target,), places)
            return sighted[0] if sighted else None

        wish = Wish(unit=message.unit, act=message.act)
        return await self._counter.work_out(live.game.id, sought, view, asked, picture, wish, message.goal, see)

    async def odds(self, live: Live, sides: Sequence[int], decision: str, action: Any) -> Forecast:
        """Return the possible results of an action, if the ruleset can tell; nothing is played.

        Raises Refused when the decision does not wait for these sides, or the ruleset has no odds for the action; or
        WrongMessage when the action cannot be read.
        """
        game = live.game
        asked = game.decision(decision, sides)
        read = as_action(game.ruleset, action)
        forecasts = game.ruleset.forecasts
        if forecasts is None:
            raise refused("no-odds", "This game has no odds for that")
        view = game.match.view(asked.side)
        refusal = asked.options(view).refusal(read)
        if refusal is not None:
            raise Refused(refusal)
        state, question = game.match.state, ("odds", asked.side, decision, msgspec.json.encode(read))
        forecast: Forecast | None = await self._forecaster.work_out(
            live.game.id,
            self._latest.get,
            state,
            question,
            lambda: forecasts(view, asked.side, read, asked),
        )
        if forecast is None:
            raise refused("no-odds", "Nothing in this act depends on chance")
        return forecast

    async def whole(self, live: Live, sides: Sequence[int], decision: str, action: Any) -> tuple[Forecast, ...]:
        game = live.game
        asked = game.decision(decision, sides)
        tell = game.ruleset.parts.whole_acts
        if tell is None:
            return ()
        view, read = game.match.view(asked.side), as_action(game.ruleset, action)
        state, question = game.match.state, ("whole", asked.side, decision, msgspec.json.encode(read))
        return await self._forecaster.work_out(
            live.game.id, self._latest.get, state, question, lambda: tell(view, asked.side, read)
        )

    async def in_order(self, live: Live, sides: Sequence[int], message: AskInOrder) -> AttacksInOrder:
        """Return what is left of a target after several attackers in order; nothing is played.

        Raises Refused when the decision does not wait for these sides, or the prepared attack is illegal; or
        WrongMessage when the attack cannot be read.
        """
        game = live.game
        asked = game.decision(message.decision, sides)
        foresee = game.ruleset.parts.in_order
        view = game.match.view(asked.side)
        if foresee is None or len(view.asked) != 1:
            return AttacksInOrder()
        action = None if message.action is None else as_action(game.ruleset, message.action)
        refusal = None if action is None else asked.options(view).refusal(action)
        if refusal is not None:
            raise Refused(refusal)
        state = game.match.state
        question = ("sequence", asked.side, msgspec.json.encode(msgspec.structs.replace(message, ref=None)))
        line = self._sequencer if message.units else self._forecaster
        return await line.work_out(
            live.game.id,
            self._latest.get,
            state,
            question,
            lambda: foresee(view, asked.side, message.target, action, message.units, message.best),
        )

    async def hint(self, live: Live, sides: Sequence[int], decision: str) -> Hint:
        """Return a strong player's answer; nothing is played.

        Raises Refused when the decision does not wait for these sides, or hints are not allowed.
        """
        game = live.game
        if not game.gives_hints:
            raise refused("no-hints", "No hints are given in this game")
        asked = game.decision(decision, sides)
        return await self._adviser.work_out(live.game.id, self._hint, game.ruleset, asked, game.match.view(asked.side))

    def _hint(self, rules: Ruleset, asked: Decision, view: Any) -> Hint:
        who = adviser(rules.name)
        if getattr(who, "clock", None) is None:
            return hint(rules, asked, view, who)
        try:
            return self._apart.hint(rules, asked, view, who, Budget(seconds=HINT_SECONDS), LATEST_HINT)
        except (Late, TooMuch, Broken):
            log.exception("a hint could not be computed")
            return hint(rules, asked, view, adviser(rules.name, without=ADVISERS[0]))

    def ending(self, live: Live, sides: Sequence[int], decision: str) -> Loud | None:
        """Return the first effect of ending the step; None if that is quiet or impossible.

        Raises Refused if these sides are not asked the decision.
        """
        asked = offered(live.game.decision(decision, sides))
        view = live.game.match.view(asked.side)
        ends = [offer.action for offer in asked.offers(view) if offer.final]
        return loud(view, asked, ends[0]) if len(ends) == 1 else None

    async def ahead(self, live: Live, sides: Sequence[int], message: LookAhead) -> Outlook:
        """Return the coming steps of a side with an open decision; nothing is played.

        Raises Refused if these sides are not asked the decision.
        """
        game = live.game
        asked = offered(game.decision(message.decision, sides))
        view = game.match.view(asked.side)
        rules = game.ruleset
        foretell = rules.forecasts if message.odds else None
        groups = rules.depict(view, asked.side).groups
        units = [group.id for group in groups if group.side == asked.side and group.pieces]

        def foresee(t: Any, action: Any, decision: Offered) -> Forecast | None:
            return None if foretell is None else foretell(t, asked.side, action, decision)

        def look() -> Outlook:
            return outlook(view, asked, units, message.wish, message.target, rules.why_no_attack, foresee)

        if not message.odds:
            return await self._counter.work_out(game.id, look)
        state, question = game.match.state, ("ahead", asked.side, msgspec.json.encode(message))
        return await self._forecaster.work_out(game.id, self._latest.get, state, question, look)

    async def why(self, live: Live, eyes: int | None, about: Why) -> tuple[Cause, ...]:
        """Return the causes of a value or an event, as far as the reader may know them."""
        live.game.check_not_behind(eyes)
        await live.read_past()
        async with live.held():
            past = Past.of(live.game, eyes)
        return await self._counter.work_out(live.game.id, causes, past, about)

    def look_back(self, live: Live, eyes: int | None) -> None:
        """Process the changes of a newly opened game in advance, so that `why` is answered at once."""
        task = asyncio.create_task(self._look_back(live, eyes))
        self._looking_back.add(task)
        task.add_done_callback(self._looking_back.discard)

    async def _look_back(self, live: Live, eyes: int | None) -> None:
        if isinstance(live.game, Shelved):
            return
        try:
            await self._quiet()
            if live.game.earlier is not None:
                await self._past.work_out(live.game.id, live.game.earlier)
            async with live.held():
                past = Past.of(live.game, eyes)
            while await self._past.work_out(live.game.id, past.look_back, SLICE):
                await self._quiet()
        except Refused:  # the game was loaded again and viewers reconnect, or they have opened many games at once
            pass
        except Exception:  # the person who asks gets the error
            log.exception("the past of the game %s could not be shown", live.game.id)

    async def _quiet(self) -> None:
        while self.opening():
            await asyncio.sleep(LATER)

    async def moments(
        self, live: Live, eyes: int | None, may: Sequence[int | None], first: int = 0, count: int | None = None
    ) -> PastGame:
        """Return a number of moments in force from the *first*, for one reader; by default all that follow."""
        live.game.check_not_behind(eyes)
        await live.read_past()
        async with live.held():
            past = live.game.shown_past(eyes)
        return await self._past.work_out(live.game.id, past_game, past, tuple(may), first, count)

    async def record(self, live: Live, side: int | None) -> Record:
        """Return the recorded game, limited to what *side* (None: an onlooker) may know until everything is shown.

        Raises Refused for a lesson, which has no scenario that a record could name.
        """
        game = live.game
        game.check_not_behind(side)
        if game.setup.ruling is not None:
            raise refused("no-record", "The position of a ruling is not saved as a file; its replay is kept here")
        if game.setup.lesson is not None:
            raise refused("no-record", "A lesson is not saved as a file; its replay is kept here")
        whose = ASKER.get()
        with self._records.place(whose):
            # An address gets one record at a time, because other people go on playing.
            async with self._records.turn(whose, game.id), live.held():
                return await asyncio.to_thread(game.record, side)

    async def close(self) -> None:
        for task in self._looking_back:
            task.cancel()
        await asyncio.gather(*self._looking_back, return_exceptions=True)
        for line in (self._counter, self._forecaster, self._sequencer, self._adviser, self._past):
            line.pool.shutdown(wait=False, cancel_futures=True)
        self._apart.end()
