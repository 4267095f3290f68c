"""Runs series of computer battles in other processes, one at a time for each address; other series wait in a queue.

A series continues while nobody watches. A page that asks for the same series again gets the results so far.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import multiprocessing
import os
import shlex
import signal
from collections import Counter
from multiprocessing.connection import Connection
from time import monotonic
from typing import Literal

import msgspec

from caltrop import __version__
from caltrop.agreeing import quantity
from caltrop.engine.packs import reading
from caltrop.errors import InputError
from caltrop.host.faults import refused
from caltrop.host.seats import ServerLibrary
from caltrop.journal import Setting
from caltrop.kit.armies import as_text_of_file
from caltrop.kit.requests import with_pack
from caltrop.lab.series import Comparison, GameResult, Report, SeriesOrder, check, compared, play_game, report_of
from caltrop.server.background import Background
from caltrop.wire.messages import NewSeries

log = logging.getLogger("caltrop.server")

MOST_GAMES = 500
SECONDS = 30 * 60.0
"""Time limit of a series in seconds, after which it is stopped. The results so far are then shown."""
BREATH = 0.1
"""Seconds until a request to stop takes effect."""

Stage = Literal["new", "waiting", "playing", "done", "stopped", "failed"]


class Series(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    stage: Stage
    """Stage of the series; `new` if it has not been requested yet."""
    ahead: int = 0
    """Number of series that are played before this series."""
    games: int
    done: int = 0
    seconds: float = 0
    """Seconds played so far."""
    command: str
    """Command that gives the same results on the command line."""
    report: Report | None = None
    """Results of the games played so far."""
    lengths: dict[int, int] = {}
    """Games by their number of rounds."""
    words: str = ""
    """Reason why it was stopped or failed."""


class _SeriesRun:
    def __init__(self, id: str, order: SeriesOrder, command: str) -> None:
        self.id, self.order, self.command = id, order, command
        self.stage: Stage = "waiting"
        self.results: list[GameResult] = []
        self.began = self.ended = 0.0
        self.stop = ""
        """Reason why the series should stop; empty if it should continue."""
        self.words = ""

    @property
    def seconds(self) -> float:
        if not self.began:
            return 0.0
        return (self.ended or monotonic()) - self.began

    def follow(self) -> None:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe(duplex=False)
        player = context.Process(target=_play, args=(self.order, there), name=f"caltrop-lab-{self.id}", daemon=True)
        self.began, self.stage = monotonic(), "playing"
        try:
            player.start()
            there.close()
            stage, self.words = self._hear(here)
        except EOFError:
            stage, self.words = "failed", "the process that played it has ended"
        finally:
            self.ended = monotonic()
            player.terminate()
            player.join()
            here.close()
        self.stage = stage

    def give_up(self) -> None:
        self.stage, self.words = "stopped", self.stop

    def _hear(self, here: Connection) -> tuple[Stage, str]:
        while len(self.results) < self.order.games:
            if self.stop:
                return "stopped", self.stop
            if self.seconds > SECONDS:
                return "stopped", f"it had been played for {quantity(round(SECONDS / 60), 'minute')}"
            if not here.poll(BREATH):
                continue
            result: GameResult = here.recv()
            if result.failed:
                log.error("game %s of the series %s failed:\n%s", result.number, self.command, result.failed)
                return "failed", f"game {result.number} went wrong: {result.failed.strip().splitlines()[-1]}"
            self.results.append(result)
        return "done", ""

    def shown(self, ahead: int) -> Series:
        results = self.results[:]
        rounds = Counter(result.rounds for result in results)
        return Series(
            id=self.id,
            stage=self.stage,
            ahead=ahead,
            games=self.order.games,
            done=len(results),
            seconds=round(self.seconds, 1),
            command=self.command,
            report=report_of(self.order, results, self.seconds) if results else None,
            lengths=dict(sorted(rounds.items())),
            words=self.words,
        )


def _play(order: SeriesOrder, to: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends the series
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10)  # running series come first
    with contextlib.suppress(BrokenPipeError):
        for number in range(order.games):
            to.send(play_game(order, number))


class Lab:
    def __init__(self, library: ServerLibrary) -> None:
        self.library = library
        self._work: Background[_SeriesRun] = Background()

    def ask(self, body: NewSeries, order: SeriesOrder) -> Series:
        """Start a series, or return the state of an earlier request. Raises Refused when too many series are waiting.

        Args:
            order: The result of `order` for the request.
        """
        id = hashlib.blake2b(
            msgspec.json.encode((order, __version__), order="deterministic"), digest_size=6
        ).hexdigest()
        command = _command(body)
        work = self._work.find(id)
        if work is None or (body.begin and work.stage in ("stopped", "failed")):
            if not body.begin:
                return Series(id=id, stage="new", games=order.games, command=command)
            self._work.begin(id, _SeriesRun(id, order, command))
        return self.look(id)

    def order(self, body: NewSeries) -> SeriesOrder:
        """Return the requested series.

        Raises InputError for an unknown or unsuitable value; the message names the nearest valid one.
        """
        if body.games > MOST_GAMES:
            raise InputError(
                f"a series here has at most {MOST_GAMES} games; the command line plays any number",
                field="games",
            )
        try:
            ruleset = self.library.find(body.ruleset)
            scenario = body.scenario if body.scenario is not None else ruleset.scenarios()[0].id
            book = ruleset.book(body.edition, with_pack(ruleset, body.rules, body.pack))
            self.library.check(ruleset, scenario, body.armies, book.pack)
            for name in body.players:  # only registered players may be named
                self.library.player(name, ruleset.name)
        except InputError:
            raise
        except ValueError as error:
            raise InputError(str(error)) from None
        with reading(book.pack):
            armies = tuple([as_text_of_file(word, ruleset.name) for word in body.armies])
        setting = Setting.of(book, scenario, armies, body.size)
        order = SeriesOrder(setting=setting, players=body.players, games=body.games, seed=body.seed, swap=body.swap)
        check(order)
        return order

    def look(self, id: str) -> Series:
        """Return the state of a series. Raises Refused if the series is unknown or too old."""
        return self._run(id).shown(self._work.ahead(id))

    def stop(self, id: str) -> Series:
        """Stop a series, and keep its results so far.

        Raises Refused as in `look`, or if somebody else started the series.
        """
        self._run(id)
        self._work.stop(id)
        return self.look(id)

    def compare(self, id: str, other: str) -> Comparison | None:
        """Return the difference between two series, *other* minus the first; None while either series has no game yet.

        Raises Refused as in `look`.
        """
        one, two = self.look(id).report, self.look(other).report
        return None if one is None or two is None else compared(one, two)

    def _run(self, id: str) -> _SeriesRun:
        run = self._work.find(id)
        if run is None:
            raise refused("not-found", "There is no such series here; ask for it again")
        return run

    async def close(self) -> None:
        await self._work.close()


def _command(body: NewSeries) -> str:
    words = ["caltrop", "simulate", body.ruleset, "--players", ",".join(body.players)]
    words += ["--num", str(body.games), "--seed", str(body.seed)]
    if body.edition is not None:
        words += ["--edition", body.edition]
    if body.scenario is not None:
        words += ["--scenario", body.scenario]
    if body.armies:
        words += ["--armies", ",".join(body.armies)]
    if body.size is not None:
        words += ["--size", str(body.size)]
    if body.swap:
        words.append("--swap")
    for name, value in body.rules.items():
        words += ["--rule", f"{name}={value}"]
    return shlex.join(words)
