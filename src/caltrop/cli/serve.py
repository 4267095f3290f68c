"""Run the server alone.

The page is served with the games. Text typed on the page never leaves this machine unless `--host` opens the server to
others.

Mail is sent if the environment names a mail server in CALTROP_MAIL, such as smtp://USER:PASSWORD@HOST:587 or
smtps://HOST, and the sender in CALTROP_MAIL_FROM.
"""

from __future__ import annotations

import os
from pathlib import Path

from caltrop.errors import InputError

DEFAULT_PORT = 8420

MOST_WORKERS = 64
"""Largest useful number of workers on one machine."""


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    database: str = "",
    name: tuple[str, ...] = (),
    proxy: tuple[str, ...] = (),
    prefix: str = "",
    studies: Path | None = None,
    metrics: tuple[str, ...] = (),
    log: str = "text",
    workers: int = 0,
) -> int:
    """Run the server alone, until Ctrl+C.

    Args:
        host: The address to listen at. Anything but 127.0.0.1 opens the server to the network.
        port: The port to listen at; 0 for any free port.
        database: Database of games, as sqlite:///FILE or postgresql://USER@HOST/NAME; by default an SQLite file in the
            user's data folder.
        name: A public host name of the server, for instance behind a proxy; may be given several times.
        proxy: The address or the network of a trusted proxy, whose X-Forwarded-For header is used; may be given several
            times.
        prefix: The path under which a proxy shows the server, as /games.
        studies: A folder with studies that the lab shows to everybody: the folder of one study, or a folder of such
            folders.
        metrics: The address or the network that may read figures for Prometheus at /metrics; may be given several
            times. By default nobody may.
        log: Format of the log: text, or json with a line for each request.
        workers: Number of server processes; more than one needs PostgreSQL. A process that ends is restarted, and the
            signal HUP restarts all of them in turn without an interruption. By default there are no separate processes.
    """
    from caltrop.host.together.carriers import Outside, checked_mail
    from caltrop.server.run import run
    from caltrop.server.workers import supervise

    mail, sender = os.environ.get("CALTROP_MAIL", ""), os.environ.get("CALTROP_MAIL_FROM", "")
    outside = checked_mail(Outside(mail=mail, sender=sender))
    if not 0 <= workers <= MOST_WORKERS:
        raise InputError(f"--workers is a number from 0 to {MOST_WORKERS}; this is {workers}")
    if studies is not None and not studies.is_dir():
        raise InputError("there is no such folder", source=str(studies))
    return run(
        host=host,
        port=port,
        database=database,
        names=name,
        proxies=proxy,
        prefix=prefix,
        studies=studies,
        metrics=metrics,
        log=log,
        outside=outside,
        workers=workers,
        supervise=supervise,
    )
