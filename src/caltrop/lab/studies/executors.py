"""The places where games of a study are played: this process, others on this machine, or a Ray cluster.

An executor takes small pieces of work and yields the results in any order. An executor holds a limited number of pieces
at once, and repeats a piece if its worker was lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol, TypeVar

from caltrop.errors import InputError
from caltrop.lab.extras import needed
from caltrop.lab.workers import workers

R = TypeVar("R")

TRIES = 4
"""Largest number of tries for a piece of work. A try fails if the process of its worker is lost."""


class LostTooOften(Exception):
    """Raised for a piece of work that lost its worker at every try."""


class Executor(Protocol):
    """Runs pieces of work, in this process or elsewhere."""

    def done(self, do: Callable[..., R], pieces: Iterable[tuple[Any, ...]]) -> Iterator[R]:
        """Yield the result of each piece as soon as it is finished.

        Args:
            pieces: Arguments of *do* for each piece, which are fetched when there is room.

        Raises:
            Exception: as raised by *do*.
            LostTooOften: if a piece has lost its worker `TRIES` times.
        """
        ...


class Here:
    """Executor that plays in this process."""

    def done(self, do: Callable[..., R], pieces: Iterable[tuple[Any, ...]]) -> Iterator[R]:
        for piece in pieces:
            yield do(*piece)


class Processes:
    """Executor that plays in processes on this machine."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def done(self, do: Callable[..., R], pieces: Iterable[tuple[Any, ...]]) -> Iterator[R]:
        fresh = ((piece, 1) for piece in pieces)
        again: list[tuple[tuple[Any, ...], int]] = []
        under_way: dict[Future[R], tuple[tuple[Any, ...], int]] = {}
        pool = workers(self.jobs)
        try:
            while True:
                while len(under_way) < 2 * self.jobs:
                    piece = again.pop() if again else next(fresh, None)
                    if piece is None:
                        break
                    under_way[pool.submit(do, *piece[0])] = piece
                if not under_way:
                    return
                ready, _ = wait(under_way, return_when=FIRST_COMPLETED)
                broken = False
                for one in ready:
                    piece = under_way.pop(one)
                    try:
                        outcome = one.result()
                    except BrokenProcessPool:
                        again.append(_again(piece))
                        broken = True
                    else:
                        yield outcome
                if broken:
                    # A process pool is unusable after losing a process, so its work goes to a new pool.
                    again += [_again(piece) for piece in under_way.values()]
                    under_way.clear()
                    pool = _another(pool, self.jobs)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _another(pool: ProcessPoolExecutor, jobs: int) -> ProcessPoolExecutor:
    pool.shutdown(wait=False, cancel_futures=True)
    return workers(jobs)


def _again(piece: tuple[tuple[Any, ...], int]) -> tuple[tuple[Any, ...], int]:
    work, tries = piece
    if tries >= TRIES:
        raise LostTooOften(f"the same work has lost its worker {tries} times")
    return work, tries + 1


class OnRay:
    """Executor that plays on the Ray cluster of this machine, or starts a local one.

    Args:
        jobs: Number of workers in a local cluster; an existing cluster is used completely.
    """

    def __init__(self, jobs: int) -> None:
        needed("caltrop study run --on ray", "ray", "ray")
        self.jobs = jobs

    def done(self, do: Callable[..., R], pieces: Iterable[tuple[Any, ...]]) -> Iterator[R]:
        import ray

        if not ray.is_initialized():
            try:
                ray.init(address="auto", log_to_driver=False, logging_level="error")
            except ConnectionError:
                ray.init(num_cpus=self.jobs, include_dashboard=False, log_to_driver=False, logging_level="error")
        work = ray.remote(num_cpus=1, max_retries=TRIES - 1)(do)
        window = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        under_way: list[Any] = []
        fresh = iter(pieces)
        while True:
            while len(under_way) < window and (piece := next(fresh, None)) is not None:
                under_way.append(work.remote(*piece))
            if not under_way:
                return
            ready, under_way = ray.wait(under_way, num_returns=1)
            for one in ready:
                try:
                    yield ray.get(one)
                except ray.exceptions.RayTaskError as error:
                    raise error.as_instanceof_cause() from error
                except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError) as error:
                    raise LostTooOften(str(error)) from error


def executor(name: str, jobs: int) -> Executor:
    """Return the executor with a name.

    Raises InputError for an unknown name, or ModuleNotFoundError if Ray is not installed.
    """
    if name == "ray":
        return OnRay(jobs)
    if name != "processes":
        raise InputError(f"there is no {name!r} to play on; it is one of processes, ray", field="on")
    return Here() if jobs == 1 else Processes(jobs)
