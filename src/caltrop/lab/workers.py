"""Processes that play games in parallel, and a process that answers calls and can be killed during a call."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from caltrop.agreeing import quantity
from caltrop.errors import InputError

START_SECONDS = 60.0
"""Time that a process may take to start."""


def workers(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of processes, which end with this process, whatever the reason.

    Worker processes are spawned, never forked, so that results are the same on every system.
    """
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)


def _begin() -> None:
    end_with_the_first()
    sys.stdout = sys.stderr


@lru_cache(maxsize=1)
def settle() -> None:
    """Exempt the present objects of this process from garbage collection; called once, after the first game.

    Most objects of a worker are modules and rulebooks, and a game leaves few reference cycles. In the main process the
    call has no effect, because other code may run there.
    """
    if multiprocessing.parent_process() is not None:
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)


class Late(Exception):
    """Raised if a call was not answered in time; the process that did not answer has been ended."""


class TooMuch(Exception):
    """Raised if a call needed more memory than its process may have."""


class Broken(Exception):
    """Raised if a call failed; the message gives the reason, for a log."""


class Worker:
    """A process that answers calls one after another, and is killed if it does not answer in time.

    The process starts with the first call. Only one thread may call at a time; any other thread may call `end`.

    Args:
        prepare: Called in the process before the first call, outside the time limit of calls, such as for loading.
        memory: Largest memory of the process in bytes, if the system can enforce it.
        keep: Largest memory in bytes with which the process is kept for the next call; a larger process is ended.
        modest: True to give all other programs on the machine priority.
    """

    def __init__(
        self,
        prepare: Callable[[], None] | None = None,
        *,
        memory: int = 2 << 30,
        keep: int = 320 << 20,
        modest: bool = True,
    ) -> None:
        self.prepare, self.memory, self.keep, self.modest = prepare, memory, keep, modest
        self._process: BaseProcess | None = None
        self._to: Connection | None = None
        if sys.platform != "win32":
            # Starting a process also starts Python's resource tracker, which inherits standard error. A full-screen
            # program may have replaced standard error by then.
            resource_tracker.ensure_running()

    @property
    def process(self) -> int | None:
        return None if self._process is None else self._process.pid

    def call(self, do: Callable[..., Any], *with_: Any, seconds: float) -> Any:
        """Return the result of *do*, computed in the process.

        Raises Late if the call takes too long; TooMuch if it needs too much memory; Broken if it fails, or if the
        process ends; InputError if *do* raises it.

        Args:
            do: A function of a module, with arguments and results that can be pickled.
            seconds: Time limit in seconds, once the process is ready.
        """
        try:
            to = self._ready()
            to.send((do, with_))
            self._hear(to)  # The process confirms that it has read the call.
            if not to.poll(seconds):
                self.end()
                raise Late(f"it took longer than {quantity(f'{seconds:g}', 'second')}")
            kind, value, most = to.recv()
        except (EOFError, OSError):
            self.end()
            raise Broken("the process that worked it out has ended") from None
        if most > self.keep:
            self.end()
        if kind == "value":
            return value
        if kind == "wrong":
            raise InputError(**value)
        raise TooMuch("it needs too much memory") if kind == "much" else Broken(value)

    def start(self) -> None:
        with contextlib.suppress(Broken, EOFError, OSError):
            self._ready()

    def _ready(self) -> Connection:
        if self._to is not None and self._process is not None and self._process.is_alive():
            return self._to
        self.end()
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(
            target=_answer, args=(there, self.memory, self.prepare, self.modest), name="caltrop-worker", daemon=True
        )
        process.start()
        there.close()
        self._process, self._to = process, here
        self._hear(here)
        return here

    def _hear(self, here: Connection) -> None:
        if not here.poll(START_SECONDS):
            self.end()
            raise Broken("the process that is to work it out does not begin")
        here.recv()

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
        to, self._to = self._to, None
        if to is not None and process is not None:
            to.close()


def in_the_background(modest: bool = True) -> None:
    """Lower the priority of a process that a server has started. The process ends when the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(AttributeError, OSError):
        os.nice(10 if modest else 0)


def _answer(to: Connection, memory: int, prepare: Callable[[], None] | None, modest: bool) -> None:
    in_the_background(modest)
    end_with_the_first()
    _hold_to(memory)
    if prepare is not None:
        prepare()
    with contextlib.suppress(EOFError, OSError):
        to.send("ready")
        while True:
            do, with_ = to.recv()
            to.send("read")
            answer = _answered(do, with_)
            del do, with_
            to.send((*answer, _most_memory()))


def _answered(do: Callable[..., Any], with_: tuple[Any, ...]) -> tuple[str, Any]:
    try:
        return "value", do(*with_)
    except InputError as error:
        place = {name: getattr(error, name) for name in ("message", "source", "line", "column", "field", "values")}
        return "wrong", place
    except MemoryError:
        return "much", None
    except Exception:  # noqa: BLE001  it is told to the asker
        return "broken", traceback.format_exc()


def _hold_to(memory: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _most_memory() -> int:
    """Return the peak memory of this process in bytes; 0 if the system cannot tell."""
    try:
        # On Linux `getrusage` includes the peak of the parent process, so the process's own value is read.
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0]) * 1024
    except (OSError, IndexError, ValueError):
        pass
    try:
        import resource
    except ImportError:
        return 0
    import sys

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def end_with_the_first() -> None:
    """Make this process end when its parent ends, whatever the reason."""
    # A parent that was killed cannot tell its workers to stop; without this thread they would finish their games.
    first = multiprocessing.parent_process()
    if first is not None:
        threading.Thread(target=_end_after, args=(first,), daemon=True).start()


def _end_after(first: BaseProcess) -> None:
    first.join()
    os._exit(1)
