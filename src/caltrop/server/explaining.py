"""Battles that are over, explained: one at a time, in a process of its own, with how far it is.

An explanation goes on while nobody looks, and can be stopped: what is known by then is kept.
"""

from __future__ import annotations

import logging
import multiprocessing
import traceback
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from threading import Lock
from time import monotonic
from typing import Literal

import msgspec

from caltrop import InputError
from caltrop.host.faults import refused
from caltrop.host.turns import ASKER
from caltrop.journal import Record
from caltrop.lab.analysis import Analyser, Analysis, Progress, people
from caltrop.lab.workers import in_the_background

log = logging.getLogger("caltrop.server")

WAITING = 6
"""Battles that may wait."""
KEPT = 60
"""Battles whose explanation is kept."""
SECONDS = 30 * 60.0
"""After so long it is stopped."""
BREATH = 0.1
"""Seconds after which somebody who stops it has been heard."""


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """The explanation of a battle as it stands."""

    stage: Literal["new", "waiting", "working", "done", "stopped", "failed"]
    """`new` where nobody has asked for it yet."""
    done: int = 0
    of: int = 0
    words: str = ""
    """Why it was stopped or failed."""
    analysis: Analysis | None = None
    """What is known so far: the chances, then one turn of the battle after the other, games that are played on from
    each round, and the decisions of people."""


class _Run:
    def __init__(self, record: Record) -> None:
        self.record = record
        self.now = Explained(stage="waiting")
        self.stop = ""
        self.turn: Future[None] | None = None
        self.whose = ASKER.get()
        """The address that asked for it first, which alone may stop it."""

    def tell(self, **changed: object) -> None:
        """How it stands now."""
        self.now = msgspec.structs.replace(self.now, **changed)

    def follow(self) -> None:
        """Have it worked out, to its end or until it is stopped."""
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(self.record, there), name="caltrop-explaining", daemon=True)
        began = monotonic()
        self.tell(stage="working")
        try:
            process.start()
            there.close()
            while self.now.stage == "working":
                if self.stop or monotonic() - began > SECONDS:
                    self.tell(stage="stopped", words=self.stop or f"it took more than {SECONDS / 60:.0f} minutes")
                elif here.poll(BREATH):
                    self._hear(here.recv())
        except EOFError:
            self.tell(stage="failed", words="the process that worked it out has ended")
        finally:
            process.terminate()
            process.join()
            here.close()

    def _hear(self, said: tuple[str, object]) -> None:
        kind, what = said
        if isinstance(what, Progress):
            self.tell(done=what.done, of=what.of)
        elif kind == "failed":
            self.tell(stage="failed", words=str(what))
        elif kind == "broken":
            log.error("an explanation\n%s", what)
            self.tell(stage="failed", words="it went wrong")
        else:
            self.tell(analysis=what, stage="done" if kind == "done" else "working")


def _work(record: Record, to: Connection) -> None:
    """In the process: work it out, and tell what is known on the way."""
    in_the_background()
    told = 0.0

    def tell(progress: Progress) -> None:
        nonlocal told
        part = progress.words != "chances"
        if part or monotonic() - told > 0.5:
            told = monotonic()
            to.send(("progress", progress))
        if part:
            to.send(("part", found.told()))

    try:
        found = Analyser(record, tell, people(record))
        found.work_out()
        to.send(("part", found.told()))
        found.look_closer()
        to.send(("done", found.told()))
    except BrokenPipeError:
        pass
    except InputError as error:
        to.send(("failed", error.message))
    except Exception:  # noqa: BLE001  it is told to the log of the server
        to.send(("broken", traceback.format_exc()))


class Explaining:
    """The explanations of a server."""

    def __init__(self) -> None:
        self._runs: OrderedDict[str, _Run] = OrderedDict()
        self._turns = ThreadPoolExecutor(1, "caltrop-explaining")
        self._asking = Lock()

    def ask(self, id: str, record: Record) -> Explained:
        """Have a battle explained, or look how that stands where it was asked for before.

        Args:
            id: The game.
            record: The game as it was played.

        Raises:
            Refused: when too many battles wait already.
        """
        with self._asking:
            known = self._runs.get(id)
            if known is None or known.now.stage in ("stopped", "failed"):
                if sum(run.now.stage == "waiting" for run in self._runs.values()) >= WAITING:
                    raise refused("too-many", "Too many battles wait already; try again when one of them is done")
                self._runs.pop(id, None)
                over = [key for key, run in self._runs.items() if run.now.stage not in ("waiting", "working")]
                for key in over[: max(len(self._runs) + 1 - KEPT, 0)]:
                    del self._runs[key]
                run = self._runs[id] = _Run(record)
                run.turn = self._turns.submit(run.follow)
        return self.look(id)

    def look(self, id: str) -> Explained:
        """How the explanation of a battle stands."""
        run = self._runs.get(id)
        return Explained(stage="new") if run is None else run.now

    def stop(self, id: str) -> Explained:
        """Stop it; what is known is kept."""
        run = self._runs.get(id)
        if run is not None and run.now.stage in ("waiting", "working"):
            if run.whose != ASKER.get():
                raise refused("not-yours", "Somebody else has asked for this explanation; only they can stop it")
            run.stop = "it was stopped"
            if run.turn is not None and run.turn.cancel():
                run.tell(stage="stopped", words=run.stop)
        return self.look(id)

    def close(self) -> None:
        """End what is worked on."""
        for run in self._runs.values():
            run.stop = run.stop or "the server was stopped"
        self._turns.shutdown(wait=True, cancel_futures=True)
