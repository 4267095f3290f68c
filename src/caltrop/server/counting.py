"""Slow requests in other processes, each kind with its own queue.

Odds have one queue and recorded games another, so that short work does not wait for long work. Questions about games in
progress ("Why?", sight, odds of an act) bypass both queues. Addresses are served in turn.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from caltrop.agreeing import quantity
from caltrop.engine import ruleset, with_part
from caltrop.errors import InputError
from caltrop.host.apart import load
from caltrop.host.faults import refused
from caltrop.host.frames import frames
from caltrop.host.making import recorded
from caltrop.host.seats import ServerLibrary
from caltrop.host.turns import Turns
from caltrop.journal import Record, Setting, decoded, verify
from caltrop.kit.armies import begun_from, draft_of
from caltrop.kit.army_sheet import sheet
from caltrop.kit.requests import with_pack
from caltrop.lab.workers import Late, TooMuch, Worker
from caltrop.roster import LARGEST
from caltrop.scenarios.campaigns import half_of
from caltrop.wire.messages import AskSheet

ODDS_SECONDS = 5.0
ACT_SECONDS = 15.0
RECORD_SECONDS = 30.0
TEXT_SECONDS = 2.0
DRAFT_SECONDS = 8.0
IDLE_SECONDS = 300.0
"""Idle seconds after which a process is ended."""
UNPACKED = 16 * 1024 * 1024
"""Largest size in bytes of an unpacked recorded game."""

_encode = msgspec.json.Encoder(enc_hook=str).encode


class WorkLine:
    """A queue of calls to a separate process.

    Args:
        seconds: Time limit of each call in seconds.
        hint: Advice after a refusal.
    """

    def __init__(self, seconds: float, hint: str) -> None:
        self.seconds, self.hint = seconds, hint
        self.worker = Worker(load)
        self._thread = ThreadPoolExecutor(1, "caltrop-line")
        self._turns = Turns(idle=self._rest_soon, busy=self._stay)
        self.place = self._turns.place
        self._rest: asyncio.TimerHandle | None = None

    async def call(self, whose: str, do: Callable[..., Any], *with_: Any, seconds: float | None = None) -> Any:
        """Return the result of a function, which runs in the process when it is this address's turn.

        Raises Refused if the call takes too long or too much memory, or InputError if the function does.

        Args:
            seconds: Time limit in seconds; by default that of the queue.
        """
        allowed = self.seconds if seconds is None else seconds
        try:
            async with self._turns.turn(whose):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._thread, lambda: self.worker.call(do, *with_, seconds=allowed))
        except Late:
            time = quantity(f"{allowed:g}", "second")
            words = f"This takes longer than the {time} that the server has for it; {self.hint}"
            raise refused("out-of-time", words) from None
        except TooMuch:
            raise refused("too-much", f"This takes more memory than the server has for it; {self.hint}") from None

    def _stay(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _rest_soon(self) -> None:
        self._rest = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end_idle)

    def _end_idle(self) -> None:
        self._rest = None
        if not self._turns.under_way:
            self._thread.submit(self.worker.end)

    def warm(self) -> None:
        if not self._turns.under_way and self.worker.process is None:
            self._thread.submit(self.worker.start)
            if self._rest is None:
                self._rest_soon()

    def close(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)
        self.worker.end()


class Counting:
    """The computations of a server in other processes."""

    def __init__(self) -> None:
        self.odds = WorkLine(ODDS_SECONDS, "ask for less, or ask the command line, which has no such bound")
        self.records = WorkLine(RECORD_SECONDS, "the command line has no such bound")
        self.maps = WorkLine(DRAFT_SECONDS, "make the table smaller")

    def close(self) -> None:
        self.odds.close()
        self.records.close()
        self.maps.close()


# Functions that run in the processes: they get plain data, and return JSON.


def army_sheet(asked: AskSheet) -> bytes:
    """Return an army list with its faults, its cost and the possible additions.

    Raises InputError for an invalid text or link, and for a game without army lists.
    """
    draft, name = _draft(asked)
    rules = ruleset(name)
    house = with_pack(rules, asked.rules, asked.pack)
    return _encode(sheet(rules, draft, edition=asked.edition, house=house, agreed=asked.agreed))


def _draft(asked: AskSheet) -> tuple[dict[str, Any], str]:
    if asked.box is not None:
        return draft_of(asked.box, asked.ruleset)
    if asked.ruleset is None:
        raise InputError(f"this key is missing; it is one of {', '.join(with_part('army_lists'))}", field="ruleset")
    if asked.start is not None:
        brought = {} if asked.pack is None else asked.pack.armies
        if asked.start in brought:
            return brought[asked.start], asked.ruleset
        return begun_from(ruleset(asked.ruleset), asked.start), asked.ruleset
    return asked.draft or {}, asked.ruleset


def _record(text: bytes, files: tuple[str, ...]) -> Record:
    record = decoded(text, limit=UNPACKED)
    library = ServerLibrary(files, text=LARGEST)
    library.check(library.find(record.ruleset), record.scenario, record.armies, record.own_pack)
    return record


def _told(value: Any, packed: bool) -> bytes:
    """Return an answer as JSON, gzipped if it is long and the client accepts that; compression here saves time in the
    main thread.
    """
    text = _encode(value)
    return gzip.compress(text, 5, mtime=0) if packed and len(text) > 100_000 else text


def verdict(text: bytes, files: tuple[str, ...], packed: bool) -> bytes:
    """Return whether a recorded game replays correctly. Raises InputError for an invalid record or an unknown game.

    Args:
        files: Files of scenarios and armies that may be read.
        packed: True if a long answer may be gzipped.
    """
    return _told(verify(_record(text, files)), packed)


def replayed(text: bytes, files: tuple[str, ...], packed: bool) -> bytes:
    """Return the moments of a recorded game, as onlookers see them. The parameters are those of `verdict`.

    Raises InputError for an invalid record, an unknown game, or a contradiction to the rules.
    """
    return _told({"frames": frames(_record(text, files))}, packed)


def try_to_play_on(text: bytes, files: tuple[str, ...]) -> None:
    """Replay a recorded game, to check the time that it takes, and that the game can be continued.

    Raises InputError for an invalid record, an unknown game, or a game that cannot be continued.

    Args:
        files: Files of scenarios and armies that may be read.
    """
    recorded(ServerLibrary(files), _record(text, files))


def try_texts(setting: Setting) -> None:
    """Set up a table from texts of a user, to check the time that it takes.

    Raises InputError for an error in them.
    """
    try:
        setting.start()
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None


def try_campaign(text: bytes) -> None:
    """Read a campaign's file, to check the time that it takes.

    Raises InputError if the campaign is invalid or inconsistent.
    """
    if len(text) > LARGEST:
        raise InputError(f"a campaign's file has at most {LARGEST} bytes")
    half_of(text).campaign_file(text.decode())
