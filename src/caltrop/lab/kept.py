"""Work whose results are kept, a line of a file for each, so that it can be stopped and goes on where it was."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from caltrop.lab.workers import workers

J = TypeVar("J", bound=Hashable)
J_co = TypeVar("J_co", bound=Hashable, covariant=True)


class Result(Protocol[J_co]):
    """The result of a job, as a record of msgspec."""

    @property
    def job(self) -> J_co:
        """The job that it comes of."""
        ...


R = TypeVar("R", bound=Result[Hashable])


def read(path: Path | None, kind: type[R]) -> dict[Hashable, R]:
    """Results of an earlier run, by job; none if there is no file.

    Args:
        path: The file.
        kind: Type of its lines.
    """
    if path is None or not path.exists():
        return {}
    line = msgspec.json.Decoder(kind)
    return {result.job: result for result in map(line.decode, path.read_bytes().splitlines())}


def worked(
    every: Sequence[J],
    work: Callable[[J], R],
    kind: type[R],
    path: Path | None,
    processes: int,
    stopped: str,
    progress: Callable[[int], None] = lambda count: None,
) -> list[R]:
    """Return the results of jobs: first those that were kept, then those that are worked out and kept now.

    Args:
        every: The jobs.
        work: Does one of them.
        kind: Type of its result.
        path: The file in which results are kept, if they are.
        processes: Number of workers.
        stopped: Sentence for a stop by the user; the results are those finished by then.
        progress: Is told how many there are, whenever there is another one.
    """
    rows = read(path, kind)
    results = [rows[job] for job in every if job in rows]
    pool = workers(processes)
    try:
        for result in pool.map(work, [job for job in every if job not in rows]):
            results.append(result)
            if path is not None:
                with path.open("ab") as file:
                    file.write(msgspec.json.encode(result) + b"\n")
            progress(len(results))
    except KeyboardInterrupt:
        print(f"\nstopped: {stopped}", file=sys.stderr)
    finally:
        pool.shutdown(cancel_futures=True)
    return results
