"""Processes that play games work, and end with the process that started them."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from caltrop import InputError
from caltrop.lab.workers import Broken, Late, TooMuch, Worker, settle, workers

STARTS = """
import os, sys, time
from pathlib import Path
from caltrop.lab.workers import workers

def work(folder):
    Path(folder, str(os.getpid())).touch()
    time.sleep(600)

if __name__ == "__main__":
    with workers(2) as pool:
        for done in [pool.submit(work, sys.argv[1]) for _ in range(4)]:
            done.result()
"""


def test_they_are_children_of_the_process_that_starts_them() -> None:
    with workers(2) as pool:
        assert pool.submit(os.getppid).result() == os.getpid()


def test_they_end_when_the_first_process_is_killed(tmp_path: Path) -> None:
    script, at_work = tmp_path / "starts.py", tmp_path / "at work"
    script.write_text(STARTS, encoding="utf-8")
    at_work.mkdir()
    first = subprocess.Popen([sys.executable, str(script), str(at_work)])
    try:
        _wait(lambda: len(list(at_work.iterdir())) == 2)
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait()
    _wait(lambda: not any(_runs(int(path.name)) for path in at_work.iterdir()))


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # A process that has ended stays in the list until its parent asks for its status.
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


def _wait(for_what: object, seconds: float = 60) -> None:
    assert callable(for_what)
    until = time.monotonic() + seconds
    while not for_what():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.05)


@pytest.fixture
def worker() -> Iterator[Worker]:
    """Return a worker that has not been started."""
    made = Worker()
    yield made
    made.end()


def test_a_worker_answers_in_a_process_of_its_own_that_is_kept(worker: Worker) -> None:
    first = worker.call(os.getpid, seconds=10)
    assert first == worker.process != os.getpid()
    assert worker.call(divmod, 7, 2, seconds=10) == (3, 1)
    assert worker.process == first


def test_what_takes_too_long_is_ended(worker: Worker) -> None:
    first = worker.call(os.getpid, seconds=10)
    begun = time.monotonic()
    with pytest.raises(Late):
        worker.call(time.sleep, 60, seconds=0.2)
    assert time.monotonic() - begun < 10
    _wait(lambda: not _runs(first), 10)
    assert worker.call(os.getpid, seconds=10) != first


def test_another_thread_can_end_a_call(worker: Worker) -> None:
    worker.start()
    threading.Timer(0.3, worker.end).start()
    with pytest.raises(Broken):
        worker.call(time.sleep, 60, seconds=50)
    assert worker.process is None


def test_errors_are_told_and_the_process_stays(worker: Worker) -> None:
    with pytest.raises(InputError, match=r"^3: field: cannot be read") as words:
        worker.call(_complain, "field", seconds=10)
    assert (words.value.field, words.value.line) == ("field", 3)
    first = worker.process
    with pytest.raises(Broken, match="ZeroDivisionError"):
        worker.call(divmod, 1, 0, seconds=10)
    assert worker.process == first is not None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody holds a process to that")
def test_memory_has_a_bound_and_is_given_back() -> None:
    worker = Worker(memory=1 << 30, keep=150 << 20)
    try:
        first = worker.call(os.getpid, seconds=10)
        with pytest.raises(TooMuch):
            worker.call(bytearray, 2 << 30, seconds=10)
        assert worker.call(_filled, 200 << 20, seconds=20) == 200 << 20
        assert worker.process is None
        assert worker.call(os.getpid, seconds=10) != first
    finally:
        worker.end()


def _complain(field: str) -> None:
    raise _Own("cannot be read", line=3, field=field)


def _filled(size: int) -> int:
    return len(b"x" * size)


class _Own(InputError):
    def __init__(self, message: str, *, line: int, field: str) -> None:
        super().__init__(message, line=line, field=field)


def _settled() -> tuple[int, int, int]:
    settle()
    return gc.get_freeze_count(), *gc.get_threshold()[:2]


def test_a_worker_keeps_what_it_has_read_out_of_the_collectors_way() -> None:
    before = gc.get_freeze_count(), *gc.get_threshold()[:2]
    assert _settled() == before, "the program that has workers is left alone"
    with workers(1) as pool:
        count, *thresholds = pool.submit(_settled).result()
    assert count > 10_000
    assert thresholds == [50_000, 20]
