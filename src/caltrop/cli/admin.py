"""Look after a server: list, close, delete, export, back up and restore games; forget people, read complaints."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal

from caltrop.agreeing import quantity
from caltrop.cli import UsageError, print_json
from caltrop.errors import InputError

LONGEST = 100_000
"""Longest period in days: every game is younger."""


def admin(
    act: Literal[
        "list",
        "close",
        "reopen",
        "delete",
        "export",
        "prune",
        "backup",
        "restore",
        "people",
        "forget",
        "complaints",
        "settle",
    ],
    what: str = "",
    /,
    *,
    database: str = "",
    days: float = 365,
    yes: bool = False,
    json: bool = False,
) -> int:
    """Administer the games and the people of a server, even while it runs.

    Args:
        act: The act. "list" shows all games. "close" takes a game out of play and keeps it; "reopen" puts it back;
            "delete" removes it for good. "export" writes everything that is stored of a game. "prune" deletes the games
            to which nothing has happened for a number of days. "backup" writes the whole database into a file.
            "restore" reads such a file into an empty database, of SQLite or PostgreSQL. "people" shows all people.
            "forget" deletes the data of one: everything except games, and their names and messages in games.
            "complaints" shows the complaints of people about others, and "settle" removes one.
        what: The id of a game, a person or a complaint, or the file of a backup.
        database: Database of games, as in `caltrop serve`.
        days: For "prune", the number of days.
        yes: Confirm a deletion.
        json: Print JSON.
    """
    from caltrop.host import admin as does
    from caltrop.host import admin_people as people
    from caltrop.host.database import default_url

    url = database or default_url()
    if not 0 < days < LONGEST:
        raise UsageError(f"--days is more than 0 and less than {LONGEST}")
    needs = {"close": "the id of a game", "reopen": "the id of a game", "delete": "the id of a game"}
    needs |= {"export": "the id of a game", "backup": "a file", "restore": "a file"}
    needs |= {"forget": "the id of a person", "settle": "the id of a complaint"}
    if act in needs and not what:
        raise UsageError(f"caltrop admin {act} needs {needs[act]}")
    if act not in needs and what:
        raise UsageError(f"caltrop admin {act} takes no {what!r}")
    if act == "list":
        with does.reading(url) as connection:
            _show(does.games_in(connection), json)
        return 0
    if act in ("people", "complaints"):
        with does.reading(url) as connection:
            _show_people(
                people.people_in(connection) if act == "people" else people.complaints_in(connection), act, json
            )
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
    if act in people.DOES:
        if act == "forget" and not yes:
            raise InputError("this deletes all data of this person, and cannot be undone; add --yes to do it")
        _have_done(url, act, [what])
        return _say(json, {"done": act, "id": what}, "deleted" if act == "forget" else "settled")
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
    """Run an administration act on games: through the server that has the database open, or directly."""
    from contextlib import closing

    from caltrop.host import admin as does
    from caltrop.host import admin_people as people
    from caltrop.host.storage import Storage
    from caltrop.server.administering import asked

    if not games:
        return
    with does.reading(url):
        pass  # a database that is missing is not created here
    if asked(url, act, games):
        return
    with closing(Storage(url)) as storage:
        for game in games:
            (does.DOES | people.DOES)[act](storage, game)


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


def _show_people(rows: list[Any], what: str, json: bool) -> None:
    import msgspec

    if json:
        print_json({what: [msgspec.to_builtins(one) for one in rows]})
        return
    for one in rows:
        if what == "people":
            print(f"{one.person}  {one.last[:16]}  {one.name or 'without a name'}{'  a program' if one.bot else ''}")
        else:
            game = f", game {one.game}" if one.game else ""
            by, about = (
                f"{name or 'somebody'} ({id})" for name, id in ((one.by_name, one.by), (one.about_name, one.about))
            )
            print(f"{one.complaint}  {one.made[:16]}  {by} about {about}{game}: {one.words}")


def _say(json: bool, value: dict[str, Any], words: str) -> int:
    if json:
        print_json(value)
    else:
        print(words)
    return 0


def _progress(rows: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{quantity(rows, 'row')}", end="", file=sys.stderr, flush=True)
