"""People of a server, for those who run the server: list people, read complaints, delete a person's data."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, select, update

from caltrop.errors import InputError
from caltrop.host.database import EVENTS, PAPERS, STANDINGS
from caltrop.host.storage import Storage

DELETED = "(deleted)"
"""Replacement for a deleted text."""


class StoredPerson(msgspec.Struct, frozen=True, kw_only=True):
    """A person as the list of all people shows them."""

    person: str
    name: str
    bot: bool
    last: str
    """Time of the last change of their data, in universal time."""


class StoredComplaint(msgspec.Struct, frozen=True, kw_only=True):
    """A complaint, with the names of both people if they still exist."""

    complaint: str
    made: str
    by: str
    by_name: str
    about: str
    about_name: str
    game: str
    words: str


def people_in(connection: Connection) -> list[StoredPerson]:
    """Return all people, the most recently changed first."""
    rows = connection.execute(select(PAPERS.c.id, PAPERS.c.at, PAPERS.c.body).where(PAPERS.c.kind == "person")).all()
    sheets = [(id, at, json.loads(body)) for id, at, body in rows]
    people = [
        StoredPerson(person=id, name=sheet.get("name", ""), bot=sheet.get("bot", False), last=at)
        for id, at, sheet in sheets
    ]
    return sorted(people, key=lambda one: one.last, reverse=True)


def complaints_in(connection: Connection) -> list[StoredComplaint]:
    names = {one.person: one.name for one in people_in(connection)}
    rows = connection.execute(
        select(PAPERS.c.id, PAPERS.c.whose, PAPERS.c.body).where(PAPERS.c.kind == "complaint")
    ).all()
    complaints = []
    for id, whose, body in rows:
        sheet = json.loads(body)
        about = sheet.get("about", "")
        complaints.append(
            StoredComplaint(
                complaint=id,
                made=sheet.get("made", ""),
                by=whose,
                by_name=names.get(whose, ""),
                about=about,
                about_name=names.get(about, ""),
                game=sheet.get("game", ""),
                words=sheet.get("words", ""),
            )
        )
    return sorted(complaints, key=lambda one: one.made, reverse=True)


def settle(storage: Storage, complaint: str) -> None:
    """Delete a complaint.

    Raises InputError when there is no such complaint, or StorageFault when the decision cannot be stored.
    """

    def put(connection: Connection, _: bool) -> None:
        here = (PAPERS.c.kind == "complaint", PAPERS.c.id == complaint)
        if not connection.execute(delete(PAPERS).where(*here)).rowcount:
            raise InputError(f"there is no complaint {complaint!r}; caltrop admin complaints lists all complaints")

    storage.write(put)


def forget(storage: Storage, person: str) -> None:
    """Delete the data of a person: everything outside games, and in games the names and messages of their seats.

    Acts and dice stay, because the game also belongs to the other side. Raises InputError when there is no such person;
    or StorageFault when the deletion cannot be stored; nothing has changed.
    """

    def put(connection: Connection, _: bool) -> None:
        here = (PAPERS.c.kind == "person", PAPERS.c.id == person)
        if connection.execute(select(PAPERS.c.id).where(*here)).first() is None:
            raise InputError(f"there is no person {person!r}; caltrop admin people lists all people")
        names_them = PAPERS.c.body.contains(person, autoescape=True)
        _hand_over_clubs(connection, person)
        connection.execute(delete(PAPERS).where(PAPERS.c.whose == person))
        connection.execute(delete(PAPERS).where(PAPERS.c.kind.in_(("friend", "invited", "complaint")), names_them))
        _leave_lists(connection, person)
        _leave_games(connection, person)

    storage.write(put)


def _hand_over_clubs(connection: Connection, person: str) -> None:
    question = select(PAPERS.c.id, PAPERS.c.body).where(PAPERS.c.kind == "club", PAPERS.c.whose == person)
    for club, body in connection.execute(question).all():
        heir = next((one for one in json.loads(body).get("members", []) if one != person), None)
        if heir is None:
            continue
        planned = (PAPERS.c.kind == "tournament", PAPERS.c.body.contains(f'"club":"{club}"', autoescape=True))
        for here in ((PAPERS.c.kind == "club", PAPERS.c.id == club), (*planned, PAPERS.c.whose == person)):
            for kind, id, text in connection.execute(
                select(PAPERS.c.kind, PAPERS.c.id, PAPERS.c.body).where(*here)
            ).all():
                sheet = {**json.loads(text), "whose": heir}
                values = {"body": json.dumps(sheet, ensure_ascii=False, separators=(",", ":")), "whose": heir}
                this = (PAPERS.c.kind == kind, PAPERS.c.id == id)
                connection.execute(update(PAPERS).where(*this).values(**values, seq=PAPERS.c.seq + 1))


def _leave_lists(connection: Connection, person: str) -> None:
    names_them = PAPERS.c.body.contains(person, autoescape=True)
    question = select(PAPERS.c.kind, PAPERS.c.id, PAPERS.c.seq, PAPERS.c.body)
    for kind, id, seq, body in connection.execute(question.where(PAPERS.c.kind.in_(("club", "person")), names_them)):
        sheet: dict[str, Any] = json.loads(body)
        for field in ("members", "muted", "blocked"):
            if field in sheet:
                sheet[field] = [one for one in sheet[field] if one != person]
        values = {"body": json.dumps(sheet, ensure_ascii=False), "seq": seq + 1}
        connection.execute(update(PAPERS).where(PAPERS.c.kind == kind, PAPERS.c.id == id).values(**values))


def _leave_games(connection: Connection, person: str) -> None:
    key = f"p:{person}"
    question = select(EVENTS.c.id, EVENTS.c.game, EVENTS.c.body).where(EVENTS.c.key == key)
    for row, game, body in connection.execute(question).all():
        side = json.loads(body).get("side")
        texts = select(EVENTS.c.id, EVENTS.c.kind, EVENTS.c.body).where(
            EVENTS.c.game == game, EVENTS.c.kind.in_(("name", "talk"))
        )
        for number, kind, words in connection.execute(texts).all():
            event = json.loads(words)
            if event.get("side") == side:
                event["text"] = "" if kind == "name" else DELETED
                text = json.dumps(event, ensure_ascii=False)
                connection.execute(update(EVENTS).where(EVENTS.c.id == number).values(body=text))
        connection.execute(update(EVENTS).where(EVENTS.c.id == row).values(key=secrets.token_hex(32)))
        connection.execute(delete(STANDINGS).where(STANDINGS.c.game == game))


DOES: dict[str, Callable[[Storage, str], None]] = {"forget": forget, "settle": settle}
"""Commands about a person or a complaint, by their names on the command line."""
