"""Kills server processes in the middle of acts, and searches for lost acts: `python -m benchmarks.bench_kills [KILLS]`.

Six programs play on a server of two processes with its own PostgreSQL, which writes to the disk as by default. Each
program gives every act a key, and repeats it until the server confirms it. Afterwards the database must contain each
confirmed act once, and all numbers without a gap.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

os.environ.setdefault("TEST_ALL", "1")  # without it, PostgreSQL is not looked for

from tests.server.postgresql import PostgreSQL, missing
from tests.server.several import play_and_kill, several, storage_faults

KILLS = 40
HANDS = 6


def main() -> None:
    """Print the number of lost acts."""
    if why := missing():
        raise SystemExit(why)
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    postgresql = PostgreSQL(sync=True)
    try:
        with TemporaryDirectory() as folder, several(Path(folder), postgresql.database()) as server:
            began = perf_counter()
            hands, done = play_and_kill(server, kills, HANDS)
            seconds = perf_counter() - began
            acts = sum(len(hand.acknowledged) for hand in hands)
            times = sorted(time for hand in hands for time in hand.times)
            faults = storage_faults(server, hands)
            print(
                f"{done} kills in {seconds:.0f} s; {acts} acts acknowledged in {len(hands)} games; {len(faults)} faults"
            )
            middle, late = times[len(times) // 2], times[-max(len(times) // 100, 1)]
            print(f"an act took {1000 * middle:.0f} ms (median), {late:.1f} s (99 %), {times[-1]:.1f} s at most")
            for fault in faults[:10]:
                print(fault)
    finally:
        postgresql.remove()


if __name__ == "__main__":
    main()
