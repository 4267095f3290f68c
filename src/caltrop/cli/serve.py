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
"""Workers that are of use at one machine."""


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
        port: The port to listen at; 0 takes any that is free.
        database: Database of games, as sqlite:///FILE or postgresql://USER@HOST/NAME; by default an SQLite file in
            the user's data folder.
        name: A name that the server goes by beyond this machine, as behind a proxy; may be given several times.
        proxy: The address or the network of a proxy that is believed when it says, in X-Forwarded-For, from which
            address a request comes; may be given several times.
        prefix: The path under which a proxy shows the server, as /games.
        studies: A folder whose studies the lab shows to everybody: that of a study, or one that holds such folders.
        metrics: The address or the network that may read figures for Prometheus at /metrics; may be given several
            times. Without it nobody may.
        log: Format of the log: text, or json with a line for each request.
        workers: The number of processes that answer; several need PostgreSQL. One that ends is started again, and all
            are, one after another, at the signal HUP, which no player notices. Without it this program answers itself.
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
