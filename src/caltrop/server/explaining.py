"""Explains finished battles in other processes, one at a time for each address, and reports the progress.

An explanation continues while nobody watches, and can be stopped; its results up to then are kept.
"""

from __future__ import annotations

import logging
import multiprocessing
import traceback
from multiprocessing.connection import Connection
from time import monotonic
from typing import Literal

import msgspec

from caltrop.agreeing import quantity
from caltrop.errors import InputError
from caltrop.journal import Record
from caltrop.lab.analysis import Analyser, people
from caltrop.lab.explanation import Analysis, AnalysisProgress
from caltrop.lab.workers import in_the_background
from caltrop.server.background import Background

log = logging.getLogger("caltrop.server")

SECONDS = 30 * 60.0
"""Time limit of an explanation, in seconds."""
PAUSE = 1.0
"""Seconds between two reports of progress."""
BREATH = 0.1
"""Seconds until a request to stop takes effect."""


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """The present state of the explanation of a battle."""

    stage: Literal["new", "waiting", "working", "done", "stopped", "failed"]
    """Stage of the explanation; `new` if nobody has requested it yet."""
    done: int = 0
    of: int = 0
    words: str = ""
    """The part in work (`chances`, `games played on`, `turns` or `decisions`), or why it stopped or failed."""
    analysis: Analysis | None = None
    """Results so far: first the chances, then turning points, playouts from each round, and the decisions of people."""


class _ExplainRun:
    def __init__(self, record: Record) -> None:
        self.record = record
        self.now = Explained(stage="waiting")
        self.stop = ""

    def tell(self, **changed: object) -> None:
        self.now = msgspec.structs.replace(self.now, **changed)

    def follow(self) -> None:
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
                    self.tell(
                        stage="stopped",
                        words=self.stop or f"it took more than {quantity(round(SECONDS / 60), 'minute')}",
                    )
                elif here.poll(BREATH):
                    self._hear(here.recv())
        except EOFError:
            self.tell(stage="failed", words="the process that worked it out has ended")
        finally:
            process.terminate()
            process.join()
            here.close()

    def give_up(self) -> None:
        self.tell(stage="stopped", words=self.stop)

    def _hear(self, message: tuple[str, object]) -> None:
        kind, what = message
        if isinstance(what, AnalysisProgress):
            self.tell(done=what.done, of=what.of, words=what.words)
        elif kind == "failed":
            self.tell(stage="failed", words=str(what))
        elif kind == "broken":
            log.error("an explanation failed:\n%s", what)
            self.tell(stage="failed", words="it went wrong")
        else:
            self.tell(analysis=what, **({"stage": "done", "words": ""} if kind == "done" else {}))


def _work(record: Record, to: Connection) -> None:
    in_the_background()
    last_at = 0.0

    def tell(progress: AnalysisProgress) -> None:
        nonlocal last_at
        if monotonic() - last_at > PAUSE:
            last_at = monotonic()
            to.send(("progress", progress))
            if progress.words != "chances":
                to.send(("part", analyser.told()))

    try:
        analyser = Analyser(record, tell, people(record))
        analyser.work_out()
        to.send(("part", analyser.told()))
        analyser.look_closer()
        to.send(("done", analyser.told()))
    except BrokenPipeError:
        pass
    except InputError as error:
        to.send(("failed", error.message))
    except Exception:  # noqa: BLE001  it is told to the log of the server
        to.send(("broken", traceback.format_exc()))


class Explaining:
    def __init__(self) -> None:
        self._work: Background[_ExplainRun] = Background()

    def ask(self, id: str, record: Record) -> Explained:
        """Ask for an explanation of a battle, or return the state of an earlier request.

        Raises Refused when too many battles are waiting.
        """
        work = self._work.find(id)
        if work is None or work.now.stage in ("stopped", "failed"):
            self._work.begin(id, _ExplainRun(record))
        return self.look(id)

    def look(self, id: str) -> Explained:
        """Return the state of a battle's explanation."""
        run = self._work.find(id)
        return Explained(stage="new") if run is None else run.now

    def stop(self, id: str) -> Explained:
        """Stop an explanation, and keep its results so far. Raises Refused if somebody else has requested it."""
        self._work.stop(id)
        return self.look(id)

    async def close(self) -> None:
        await self._work.close()
