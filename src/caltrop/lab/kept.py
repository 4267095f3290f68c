"""Run jobs whose results are stored as lines of a file, so that the work can be stopped and continued."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from caltrop.errors import InputError
from caltrop.lab.workers import workers

J = TypeVar("J", bound=Hashable)
J_co = TypeVar("J_co", bound=Hashable, covariant=True)


class JobResult(Protocol[J_co]):
    """A stored result: a msgspec record that names its job."""

    @property
    def job(self) -> J_co: ...


R = TypeVar("R", bound=JobResult[Hashable])


def read(path: Path | None, kind: type[R]) -> dict[Hashable, R]:
    """Return results of an earlier run, by job; none if the file is missing.

    Raises InputError for a line that is not a result.
    """
    if path is None or not path.exists():
        return {}
    decoder = msgspec.json.Decoder(kind)
    results: dict[Hashable, R] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            result = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            message = f"this is not a result that was stored here: {error}; name another file, or remove the line"
            raise InputError(message, source=str(path), line=number) from None
        results[result.job] = result
    return results


def worked(
    every: Sequence[J],
    work: Callable[[J], R],
    kind: type[R],
    path: Path | None,
    processes: int,
    stopped: str,
    progress: Callable[[int], None] = lambda count: None,
) -> list[R]:
    """Return the results of jobs: first the stored results, then the new ones, which are stored as they arrive.

    Args:
        stopped: Message printed if the user stops the work; the results so far are then returned.
        progress: Called with the number of results after each new one.
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
