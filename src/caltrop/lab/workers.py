"""Processes that play games beside one another."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.process import BaseProcess


def workers(jobs: int) -> ProcessPoolExecutor:
    """So many processes, which end when this one ends, however it does.

    They are started afresh and not forked, so that results are the same on every system.
    """
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_the_first)


def _end_with_the_first() -> None:
    # A process that was killed tells nobody: its workers would play on what they have been given.
    first = multiprocessing.parent_process()
    if first is not None:
        threading.Thread(target=_end_after, args=(first,), daemon=True).start()


def _end_after(first: BaseProcess) -> None:
    first.join()
    os._exit(1)
