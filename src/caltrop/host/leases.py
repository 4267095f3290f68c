"""Leases: rows in a shared database that assign each game to one worker, so that two workers never write to the same
game.

A worker counts as running while it renews its row. A lease names the worker that has a game, until that worker releases
it or ends. The next worker that needs the game then takes the lease. A worker that adds events to a game locks the
lease in the same transaction. A takeover waits for that lock, and a worker that has lost a game can no longer write to
it.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, text

from caltrop.host.database import StorageFault

LEASE_SECONDS = 6.0
"""Seconds without renewal after which a worker counts as ended."""

CHANNEL = "caltrop"
"""The channel of PostgreSQL by which the workers of a database notify one another."""

DESK = "desk"
"""The lease of everything that exists only once for all workers: the data about people outside games."""

_NOW = "extract(epoch FROM clock_timestamp())"


class ServerWorker(NamedTuple):
    id: str
    address: str
    """Address for the other workers, such as http://127.0.0.1:8421."""
    secret: str
    """The password of the other workers."""


def renew(connection: Connection, me: ServerWorker) -> bool:
    """Record that a worker is running, and return whether it counted as ended before."""
    put = text(
        f"INSERT INTO workers (id, address, secret, until) VALUES (:id, :address, :secret, {_NOW} + :seconds) "
        f"ON CONFLICT (id) DO UPDATE SET until = {_NOW} + :seconds RETURNING (xmax = 0) AS is_new"
    )
    is_new = connection.execute(put, {**me._asdict(), "seconds": LEASE_SECONDS}).scalar_one()
    return bool(is_new)


def workers(connection: Connection) -> dict[str, ServerWorker]:
    rows = connection.execute(text(f"SELECT id, address, secret FROM workers WHERE until > {_NOW}")).all()
    return {row[0]: ServerWorker(*row) for row in rows}


def end(connection: Connection, worker: str) -> None:
    connection.execute(text("DELETE FROM workers WHERE id = :id"), {"id": worker})
    clean = f"DELETE FROM leases WHERE worker NOT IN (SELECT id FROM workers WHERE until > {_NOW} - 60)"
    connection.execute(text(clean))
    notify(connection, f'{{"kind": "gone", "worker": "{worker}"}}')


def take(connection: Connection, game: str, worker: str, *, stored: bool = True) -> bool:
    """Take a game unless another running worker has it. Return whether this worker has it now.

    Args:
        game: The game, or another thing that exists once.
    """
    there = " WHERE EXISTS (SELECT 1 FROM events WHERE game = CAST(:game AS varchar))" if stored else ""
    put = text(
        f"INSERT INTO leases (game, worker) SELECT CAST(:game AS varchar), CAST(:worker AS varchar){there} "
        "ON CONFLICT (game) DO UPDATE SET worker = excluded.worker WHERE leases.worker = excluded.worker "
        f"OR NOT EXISTS (SELECT 1 FROM workers WHERE id = leases.worker AND until > {_NOW}) RETURNING worker"
    )
    return connection.execute(put, {"game": game, "worker": worker}).first() is not None


def owner(connection: Connection, game: str) -> ServerWorker | None:
    question = text(
        "SELECT w.id, w.address, w.secret FROM leases l JOIN workers w ON w.id = l.worker "
        f"WHERE l.game = :game AND w.until > {_NOW}"
    )
    row = connection.execute(question, {"game": game}).first()
    return None if row is None else ServerWorker(*row)


def seize(connection: Connection, game: str, worker: str) -> None:
    connection.execute(
        text(
            "INSERT INTO leases (game, worker) VALUES (:game, :worker) "
            "ON CONFLICT (game) DO UPDATE SET worker = excluded.worker"
        ),
        {"game": game, "worker": worker},
    )
    notify(connection, f'{{"kind": "seized", "game": "{game}", "worker": "{worker}"}}')


def give_up(connection: Connection, game: str, worker: str) -> None:
    connection.execute(
        text("DELETE FROM leases WHERE game = :game AND worker = :worker"), {"game": game, "worker": worker}
    )


def hold(connection: Connection, game: str, worker: str) -> None:
    """Lock the lease of a game until the transaction ends. Raises StorageFault when another worker has it."""
    question = text("SELECT 1 FROM leases WHERE game = :game AND worker = :worker FOR SHARE")
    if connection.execute(question, {"game": game, "worker": worker}).first() is None:
        raise StorageFault("moved")


def notify(connection: Connection, message: str) -> None:
    connection.execute(text("SELECT pg_notify(:channel, :message)"), {"channel": CHANNEL, "message": message})
