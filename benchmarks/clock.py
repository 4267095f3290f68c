"""Clocks: the processor time of one call, and of the servers that a benchmark has started."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import process_time


def clock(work: Callable[[], object], times: int = 1, rounds: int = 9, before: Callable[[], object] = int) -> float:
    """Return the microseconds of one call: the median of some rounds."""
    taken = []
    for _ in range(rounds):
        before()
        start = process_time()
        for _ in range(times):
            work()
        taken.append((process_time() - start) / times * 1e6)
    return median(taken)


SERVERS = frozenset({b"serve", b"benchmarks.steady"})
"""Words in a command line by which a process is recognised as a server."""


def servers() -> list[Path]:
    """Return the servers that this program has started; none if the system cannot list processes."""
    paths = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == os.getpid() and not SERVERS.isdisjoint(words):
            paths.append(process)
    return paths


def busy(processes: list[Path]) -> float:
    """Return the milliseconds of processor time of all threads of some processes; NaN if there are none."""
    done = 0.0 if processes else math.nan
    for process in processes:
        for thread in process.glob("task/*/schedstat"):
            with suppress(OSError):  # the thread may have ended
                done += int(thread.read_text().split()[0]) / 1e6
    return done


def nothing_known() -> None:
    """Empty the cache of odds on disk, so that they are computed again."""
    os.environ["CALTROP_CACHE"] = ""
