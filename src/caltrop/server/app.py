"""The server as an application: its parts, and the checks before every request.

The application contains no rules. Errors are reported as refusals in plain words. Faults inside the program are written
to the log, and never reported to clients.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

import caltrop
from caltrop.host.apart import JOBS
from caltrop.host.database import StorageFault
from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.garbage import Garbage
from caltrop.host.leases import ServerWorker
from caltrop.host.mending import mend
from caltrop.host.neighbours import Neighbours
from caltrop.host.seats import ServerLibrary
from caltrop.host.storage import Storage
from caltrop.host.together.carriers import Outside
from caltrop.host.together.together import PeopleTogether
from caltrop.server.door import Door
from caltrop.server.explaining import Explaining
from caltrop.server.guard import Network, RequestGuard, ServerLimits
from caltrop.server.lab import Lab
from caltrop.server.measures import Measures
from caltrop.server.passing import HandingOn
from caltrop.server.refusals import refusal_of
from caltrop.server.requests import json_of
from caltrop.server.routes import ServerRoutes

STATIC = Path(caltrop.__file__).parent / "static"

FILES = ("/api/verify", "/api/replay", "/api/replay/play-on", "/api/campaigns/file")
"""Paths for files, which may be larger than other requests."""


def create_app(
    database: str,
    *,
    library: ServerLibrary | None = None,
    limits: ServerLimits | None = None,
    names: Sequence[str] = (),
    open_to_network: bool = False,
    proxies: Sequence[Network] = (),
    prefix: str = "",
    door: Door | None = None,
    studies: Path | None = None,
    outside: Outside | None = None,
    static: Path = STATIC,
    loaded: Callable[[], None] | None = None,
    readers: Sequence[Network] = (),
    admin: str = "",
    worker: ServerWorker | None = None,
    workers: int = 1,
    number: int = 0,
) -> RequestGuard:
    """Return the whole server as an ASGI application. Raises InputError when the database cannot be opened.

    Args:
        database: Address of the database.
        names: Public host names of the server, in addition to those of this machine.
        open_to_network: True if the server listens beyond this machine.
        proxies: Trusted proxies, whose X-Forwarded-For header is used.
        prefix: The path under which a proxy shows the server, as `/games`; empty for none.
        door: Opens the server to the local network; without a door the server stays on this machine.
        studies: The folder with the studies of the lab: the folder of one study, or a folder of such folders.
        outside: Settings for notices, such as a mail server.
        loaded: Called once, after the rulebooks were read.
        readers: The addresses that may read metrics at `/metrics`; empty to switch metrics off.
        admin: The secret of the administration route; empty to switch it off.
        worker: The name of this worker among several that share the database; None for a single worker.
        workers: The number of workers, which share the machine's processors.
        number: The number of this worker, for its metrics; 0 for a single worker.
    """
    limits = limits or ServerLimits()
    library = library or ServerLibrary()
    storage = Storage(database, "" if worker is None else worker.id)
    neighbours = None if worker is None else Neighbours(storage, worker)

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        if neighbours is None:
            with suppress(StorageFault):  # the failure was logged, and those games count as damaged
                mend(storage)
        else:
            await neighbours.begin()
        games = Games(storage, library, neighbours=neighbours, jobs=max(JOBS // workers, 1))
        if loaded is not None:
            games.garbage = Garbage()
        together = app.state.together = PeopleTogether(games, outside or Outside())
        if neighbours is not None:
            neighbours.changed.append(together.others_changed)
        together.begin()
        app.state.games = games
        guard.admission.begin()
        lab = app.state.lab = Lab(library)
        explaining = app.state.explaining = Explaining()
        reading = routes.books.begin()
        if loaded is not None:
            reading.add_done_callback(lambda _: loaded())
        yield
        guard.admission.end()
        await lab.close()
        await explaining.close()
        await asyncio.to_thread(routes.counting.close)
        await together.close()
        await games.close()

    app = Starlette(lifespan=life)
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=6)
    app.add_exception_handler(Exception, _broken)
    door = door or Door()
    routes = ServerRoutes(library, limits, static, prefix, door, studies, admin)
    routes.add_to(app)
    measures = Measures(lambda: getattr(app.state, "games", None), number) if readers else None
    handing = None if worker is None else HandingOn(app, lambda: getattr(app.state, "games", None), limits)
    if measures is not None and handing is not None:
        measures.others = handing.figures
    guard = RequestGuard(
        handing or app,
        limits,
        tuple(names),
        open_to_network,
        files=FILES,
        proxies=tuple(proxies),
        prefix=prefix,
        measures=measures,
        readers=tuple(readers),
        inside="" if worker is None else worker.secret,
    )

    def ending() -> None:
        if (together := getattr(app.state, "together", None)) is not None:
            together.streams.close()

    guard.ending = ending

    def told(on: bool) -> None:
        guard.open_to_network = on

    door.told = told
    return guard


async def _broken(request: Request, error: Exception) -> Response:
    # After this answer, the error is raised again, and the guard writes it to the log.
    return json_of(refusal_of(refused("broken", "Something in the program went wrong; nothing has changed")), 500)
