"""Processes that play games: they are at work, and they end with whoever started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from caltrop.lab.workers import workers

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


def test_they_are_children_of_whoever_starts_them() -> None:
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
    # A process that has ended and that nobody has asked after is still listed.
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


def _wait(for_what: object, seconds: float = 60) -> None:
    assert callable(for_what)
    until = time.monotonic() + seconds
    while not for_what():
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.05)
