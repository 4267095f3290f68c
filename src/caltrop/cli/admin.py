"""Look after a server's games: list, close, delete, export, back up and restore them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal

from caltrop.agreeing import quantity
from caltrop.cli import UsageError, print_json
from caltrop.errors import InputError


def admin(
    act: Literal["list", "close", "reopen", "delete", "export", "prune", "backup", "restore"],
    what: str = "",
    /,
    *,
    database: str = "",
    days: float = 365,
    yes: bool = False,
    json: bool = False,
) -> int:
    """Look after the games of a server, also while it runs.

    Args:
        act: The act. "list" shows all games. "close" takes a game out of play and keeps it; "reopen" puts it back;
            "delete" removes it for good. "export" writes everything that is stored of a game. "prune" deletes the games
            to which nothing has happened for a number of days. "backup" writes the whole database into a file, and
            "restore" reads such a file into an empty database, of SQLite or PostgreSQL.
        what: The id of a game, or the file of a backup.
        database: Database of games, as of `caltrop serve`.
        days: Of "prune", after how many days.
        yes: Delete without asking for this switch first.
        json: Print JSON.
    """
    from caltrop.host import admin as does
    from caltrop.host.database import default_url

    url = database or default_url()
    needs = {"close": "the id of a game", "reopen": "the id of a game", "delete": "the id of a game"}
    needs |= {"export": "the id of a game", "backup": "a file", "restore": "a file"}
    if act in needs and not what:
        raise UsageError(f"caltrop admin {act} needs {needs[act]}")
    if act not in needs and what:
        raise UsageError(f"caltrop admin {act} takes no {what!r}")
    if act == "list":
        with does.reading(url) as connection:
            _show(does.games_in(connection), json)
        return 0
    if act == "export":
        with does.reading(url) as connection:
            print_json(does.exported(connection, what))
        return 0
    if act == "backup":
        rows = does.back_up(url, Path(what), _progress)
        return _say(json, {"file": what, "rows": rows}, f"{quantity(rows, 'row')} in {what}")
    if act == "restore":
        rows = does.restore(url, Path(what), _progress)
        return _say(json, {"file": what, "rows": rows}, f"{quantity(rows, 'row')} restored")
    games = [what]
    if act == "prune":
        with does.reading(url) as connection:
            games = does.idle(connection, days)
    if act in ("delete", "prune") and not yes:
        named = ", ".join(games[:5]) + (f" and {len(games) - 5} more" if len(games) > 5 else "")
        raise InputError(
            f"this deletes {quantity(len(games), 'game')} for good ({named or 'none'}); add --yes to do it"
        )
    _have_done(url, "delete" if act == "prune" else act, games)
    past = {"close": "closed", "reopen": "opened again"}.get(act, "deleted")
    return _say(json, {"games": games, "done": past}, f"{quantity(len(games), 'game')} {past}")


def _have_done(url: str, act: str, games: list[str]) -> None:
    """Have something done to games: by the server that has the database, or here where none runs."""
    from contextlib import closing

    from caltrop.host import admin as does
    from caltrop.host.storage import Storage
    from caltrop.server.administering import asked

    if not games or asked(url, act, games):
        return
    with closing(Storage(url)) as storage:
        for game in games:
            does.DOES[act](storage, game)


def _show(games: list[Any], json: bool) -> None:
    import msgspec

    if json:
        print_json({"games": [msgspec.to_builtins(one) for one in games]})
        return
    for one in games:
        seats = " v ".join(one.seats)
        state = "  closed" if one.closed else ""
        print(f"{one.game}  {one.last[:16]}  {one.ruleset}  {one.scenario}  {seats}  {one.events} events{state}")
    print(quantity(len(games), "game"), file=sys.stderr)


def _say(json: bool, value: dict[str, Any], words: str) -> int:
    if json:
        print_json(value)
    else:
        print(words)
    return 0


def _progress(rows: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{quantity(rows, 'row')}", end="", file=sys.stderr, flush=True)
