"""Monitoring of a server: its health, metrics for Prometheus, and a log with the id of each request.

Metrics name games and routes, never people, secrets or addresses.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from caltrop.host.database import StorageFault

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

    from caltrop.host.games import Games

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""Id of the current request; empty outside of requests."""

PATIENCE = 5.0
"""Seconds within which a healthy database answers."""

FRESH = 1.0
"""Seconds for which an answer about health is cached."""

_ID = re.compile(r"[A-Za-z0-9_.-]{8,64}", re.ASCII)


def request_id(given: str, is_trusted: bool) -> str:
    """Return the id of a request: the id from a trusted proxy, or a new id.

    >>> request_id("proxy-0001", True), len(request_id("proxy-0001", False)), len(request_id("no id", True))
    ('proxy-0001', 16, 16)
    """
    return given if is_trusted and _ID.fullmatch(given) else secrets.token_hex(8)


class JsonLines(logging.Formatter):
    """Writes each line of the log as a JSON object with `at`, `level`, `logger`, `message`, and `request` within one.

    The fields of a line in its `extra={"fields": …}` become keys of the object; the message of an error becomes
    `error`.
    """

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{record.msecs:03.0f}Z"
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "logger": record.name}
        line["message"] = record.getMessage()
        if request := REQUEST.get():
            line["request"] = request
        line.update(getattr(record, "fields", {}))
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class Health:
    """Checks whether games can be stored and read.

    Args:
        clock: Returns increasing seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._asked: asyncio.Task[str | None] | None = None
        self._at = float("-inf")

    async def trouble(self, games: Games) -> str | None:
        """Return why the database cannot be written, as a code of `StorageFault`; None if it can.

        The database is tested at most once a second.
        """
        if self._asked is None or (self._asked.done() and self._clock() - self._at >= FRESH):
            self._asked = asyncio.create_task(self._touch(games))
        return await asyncio.shield(self._asked)

    async def _touch(self, games: Games) -> str | None:
        try:
            async with asyncio.timeout(PATIENCE):
                await games.touch()
        except StorageFault as fault:
            return fault.why
        except TimeoutError:
            return "no-answer"
        finally:
            self._at = self._clock()
        return None


class Measures:
    """Counts events of a server, and writes the metrics in the text form of Prometheus.

    Args:
        games: Returns the games of the server after its start.
        worker: The number of this worker, a label of its metrics; 0 for a single worker.
    """

    def __init__(self, games: Callable[[], Games | None], worker: int = 0) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

        self.worker = worker
        self.others: Callable[[], Awaitable[Sequence[bytes]]] | None = None
        """Returns the figures of the other workers."""
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "caltrop_requests", "Requests that were answered.", ("method", "route", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "caltrop_request_seconds",
            "How long requests took, by the clock on the wall.",
            ("route",),
            registry=self.registry,
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0),
        )
        ProcessCollector(registry=self.registry)
        self.registry.register(_OfGames(games))

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    async def text(self, *, of_all: bool = True) -> bytes:
        from prometheus_client import generate_latest
        from prometheus_client.metrics_core import GaugeMetricFamily

        if not self.worker:
            return generate_latest(self.registry)
        families = [_labelled(family, str(self.worker)) for family in self.registry.collect()]
        if of_all and self.others is not None:
            texts = await self.others()
            families = _joined([families, *[_read(text) for text in texts]])
            families.append(GaugeMetricFamily("caltrop_workers", "Workers whose figures these are.", len(texts) + 1))
        return generate_latest(_Collected(families))


class _Collected:
    """A Prometheus collector of metrics that are already collected."""

    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Sequence[Metric]:
        return self._families


def _labelled(family: Metric, worker: str) -> Metric:
    from prometheus_client.metrics_core import Metric

    labelled = Metric(family.name, family.documentation, family.type)
    labelled.samples = [one._replace(labels={**one.labels, "worker": worker}) for one in family.samples]
    return labelled


def _read(text: bytes) -> list[Metric]:
    from prometheus_client.parser import text_string_to_metric_families

    return list(text_string_to_metric_families(text.decode()))


def _joined(all_families: Sequence[Sequence[Metric]]) -> list[Metric]:
    by_name: dict[str, Metric] = {}
    for family in [family for families in all_families for family in families]:
        if (first := by_name.setdefault(family.name, family)) is not family:
            first.samples = [*first.samples, *family.samples]
    return list(by_name.values())


class _OfGames:
    """Reads metrics from the games on request."""

    def __init__(self, games: Callable[[], Games | None]) -> None:
        self._games = games

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        games = self._games()
        if games is None:
            return
        open_ones = list(games.live.values())
        by_ruleset: dict[str, int] = {}
        for live in open_ones:
            by_ruleset[live.game.ruleset.name] = by_ruleset.get(live.game.ruleset.name, 0) + 1
        held = GaugeMetricFamily("caltrop_games_in_memory", "Games that are held in memory.", labels=("ruleset",))
        for name, count in sorted(by_ruleset.items()):
            held.add_metric((name,), count)
        yield held
        lookers = sum(len(live.lookers) for live in open_ones)
        yield GaugeMetricFamily("caltrop_live_connections", "Live connections of players and onlookers.", lookers)
        thinking = sum(live.thinking is not None and not live.thinking.done() for live in open_ones)
        yield GaugeMetricFamily("caltrop_computers_thinking", "Games in which a computer player thinks.", thinking)
        yield GaugeMetricFamily(
            "caltrop_storage_trouble", "1 while nothing can be stored.", int(games.storage.trouble is not None)
        )
        stored = CounterMetricFamily("caltrop_events_stored", "Events that were stored.", labels=("kind",))
        for kind, count in sorted(games.storage.stored.items()):
            stored.add_metric((kind,), count)
        yield stored
