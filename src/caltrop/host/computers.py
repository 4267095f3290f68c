"""Plays the computer's seats in processes of their own."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from caltrop.chance import Seeded
from caltrop.engine import Decision, Refused
from caltrop.host.apart import JOBS, Apart, Thought
from caltrop.host.database import StorageFault
from caltrop.host.game import HostedGame
from caltrop.host.live import Live
from caltrop.host.seats import AUTOMATED, ServerLibrary
from caltrop.host.storage import StoredRow
from caltrop.host.turns import ASKER, Turns
from caltrop.journal import PERSON
from caltrop.lab.workers import Late
from caltrop.players import UNBOUNDED, Budget, IllegalAnswer, Player, players

log = logging.getLogger("caltrop.host")

THINKING_SECONDS = 15.0
"""Time limit for a player that is limited by nodes, which usually needs a second. Time spent waiting for other players
does not count.
"""

LESSER = ("regular", "random")
"""Levels that answer in place of a player that exceeded its time; the first level that the game has is used."""

LOOKED_SECONDS = 10.0
"""Seconds for which computers continue a game without people after somebody has looked at it."""

PATIENCE_SECONDS = 5.0
"""Seconds of waiting for other games after which a weaker level answers."""

BACK_OFF_SECONDS = 5.0
"""Seconds for which the computer's seats pause after a storage failure, because their next acts would probably be lost
too.
"""


class Computers:
    """The computer players of all games.

    Args:
        change: Function that changes a game, stores the change and reports it.
        holds: Returns whether a game object is the one in memory.
        jobs: The number of processes for players that think long; there are as many for all other players.
    """

    def __init__(
        self,
        library: ServerLibrary,
        change: Callable[[Live, Callable[[HostedGame], Sequence[StoredRow]]], Awaitable[Any]],
        holds: Callable[[Live], bool],
        jobs: int = JOBS,
    ) -> None:
        self.library, self.change, self.holds = library, change, holds
        self._thinkers = ThreadPoolExecutor(jobs, "caltrop-player")
        self._deep, self._quick = Apart(jobs), Apart(jobs, modest=False)
        """Processes for players with a clock, and for all other players."""
        self._turns = Turns(jobs, each=None, most=None)
        self._closing = self._warm = False
        self._rest_until = 0.0

    def rest(self) -> None:
        self._rest_until = time.monotonic() + BACK_OFF_SECONDS

    def wake(self, live: Live) -> None:
        """Let the computer's seats think, if it is their turn and they are idle."""
        if not self._warm and not self._closing and live.game.over is None and _has_computers(live.game):
            self._warm = True
            self._thinkers.submit(self._quick.warm)
        if live.thinking is None and not self._closing and not _rests(live) and self._computer_turn(live.game):
            live.thinking = asyncio.create_task(self._play_computer(live))

    @staticmethod
    def _computer_turn(game: HostedGame) -> tuple[str, Decision] | None:
        return next(((id, d) for id, d in game.ids() if game.player(d.side) != PERSON), None)

    async def _play_computer(self, live: Live) -> None:
        try:
            while not self._closing and self.holds(live) and not _rests(live):
                if (rest := self._rest_until - time.monotonic()) > 0:
                    await asyncio.sleep(rest)
                    continue
                turn = self._computer_turn(live.game)
                if turn is None:
                    return
                await self._one_act(live, *turn)
                await asyncio.sleep(0)
        except StorageFault:  # viewers reconnect and get the stored game, which wakes the player again
            pass
        except Exception:  # the game stays as it was stored, and the next message wakes the player again
            log.exception("a computer player of the game %s failed", live.game.id)
        finally:
            live.thinking = None

    async def _thought(self, player: Player, decision: Decision, view: Any, dice: Seeded) -> Thought:
        """Return a player's answer.

        A player with a `clock` (its thinking time in a turn) gets less time if more addresses wait than there are
        processes. Raises Late after the time limit.
        """
        clock: float | None = getattr(player, "clock", None)
        budget = UNBOUNDED if clock is None else Budget(seconds=clock * self._turns.share_of_each())
        apart = self._quick if clock is None else self._deep
        think = partial(apart.think, player, decision, view, dice, budget, THINKING_SECONDS)
        thought = asyncio.get_running_loop().run_in_executor(self._thinkers, think)
        try:
            return await thought
        finally:
            thought.cancel()  # skip the work if the result is no longer needed

    async def _answer(
        self, game: HostedGame, player: Player, decision: Decision, view: Any, dice: Seeded, waited: float
    ) -> tuple[Thought, str]:
        """Return a player's answer, or a weaker player's answer if thinking takes too long, and a line about it for the
        log.

        Raises Late if no answer comes in time.
        """
        name, ruleset = game.player(decision.side), game.setup.ruleset
        lesser = next((one for one in LESSER if one in players(ruleset) and one != name), None)
        why = "" if lesser is None or waited <= PATIENCE_SECONDS else "had to wait too long for others"
        if not why:
            try:
                return await self._thought(player, decision, view, dice), ""
            except Late:
                if lesser is None:
                    raise
                player, why = self.library.player(name, ruleset), "thought too long"
        assert lesser is not None
        thought = await self._thought(self.library.player(lesser, ruleset), decision, view, dice)
        return thought._replace(player=player), f"The computer player {name} {why}; {lesser} answered in its place"

    async def _one_act(self, live: Live, id: str, decision: Decision) -> None:
        game, side = live.game, decision.side
        name = game.player(side)
        dice = live.dice.setdefault(side, Seeded(secrets.token_hex(32)))
        fault = warning = ""
        action: Any = None
        try:
            if side not in live.players:
                live.players[side] = self.library.player(name, game.setup.ruleset)
            view = game.match.view(side)  # the player gets only this view
            before = getattr(live.players[side], "cut", False)
            asked = time.monotonic()
            async with self._turns.turn(_whose(live), game.id):
                waited = time.monotonic() - asked
                thought, warning = await self._answer(game, live.players[side], decision, view, dice, waited)
            action, live.players[side], after = thought
            live.dice[side] = dice = after  # type: ignore[assignment]
            if getattr(live.players[side], "cut", False) and not before:
                warning = f"The computer player {name} ran out of time to think"
        except Late:
            fault = "thought too long"
            live.players.pop(side, None)
        except IllegalAnswer as error:
            log.error("the computer player %s gave an illegal answer in the game %s: %s", name, game.id, error)
            fault = "gave an illegal answer"
        except Exception:
            log.exception("the computer player %s failed in the game %s", name, game.id)
            fault = "failed with a program error"

        def play(game: HostedGame) -> list[StoredRow]:
            asked = game.decision(id, (side,))
            why = fault
            if not why:
                try:
                    noted = [game.note(side, warning)] if warning else []
                    return [*noted, game.act(asked, action)]
                except Refused as refusal:
                    log.error(
                        "the computer player %s gave an illegal answer in the game %s: %s", name, game.id, refusal
                    )
                    why = f"tried something that the rules refuse ({refusal.refusal.message})"
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
            # An act was taken back in the meantime, so the computer's answer no longer matters.
            return

    def stop(self) -> None:
        self._closing = True

    def close(self) -> None:
        """Drop queued requests and finished answers."""
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        self._deep.end()
        self._quick.end()


def _has_computers(game: HostedGame) -> bool:
    return any(player not in (PERSON, AUTOMATED) for player in game.setup.seats)


def _rests(live: Live) -> bool:
    if live.lookers or PERSON in live.game.setup.seats:
        return False
    return time.monotonic() - live.looked > LOOKED_SECONDS


def _whose(live: Live) -> str:
    """Return the address that the computers of a game think for: the player's, or an onlooker's."""
    here = sorted(live.lookers, key=lambda looker: not looker.sides)
    return here[0].address if here else ASKER.get()
