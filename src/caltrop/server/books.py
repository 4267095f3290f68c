"""The routes of what there is to play: the catalogue, the rulebooks, the tables of scenarios."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import msgspec
from fastapi import Request, Response

from caltrop import InputError
from caltrop.engine import ruleset
from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.making import opening
from caltrop.host.seats import Library
from caltrop.roster import is_text
from caltrop.scenarios.rulings import rulings
from caltrop.server.requests import Route, encode
from caltrop.wire import catalogue

log = logging.getLogger("caltrop.server")


class Books:
    """What there is to play; it is put together once.

    Args:
        library: What can be played.
    """

    def __init__(self, library: Library) -> None:
        self.library = library
        self._catalogue: asyncio.Task[bytes] | None = None
        self._rules: dict[str, bytes] = {}
        self._openings: dict[tuple[str, str], bytes] = {}
        self.routes: list[Route] = [
            ("GET", "/api/catalogue", self.catalogue),
            ("GET", "/api/rules/{id}", self.rules),
            ("GET", "/api/rules/{id}/opening", self.opening),
        ]

    def begin(self) -> asyncio.Task[bytes]:
        """Begin with what the first page asks for before it asks: the rulebooks are read in the meantime."""
        if self._catalogue is None or self._catalogue.cancelled():
            self._catalogue = asyncio.create_task(asyncio.to_thread(self._made_catalogue))
        return self._catalogue

    async def catalogue(self, request: Request, games: Games) -> Response:
        """What there is to play."""
        found = await asyncio.shield(self.begin())
        return Response(found, media_type="application/json", headers={"Cache-Control": "no-store"})

    def _made_catalogue(self) -> bytes:
        found = []
        for name in self.library.names():
            try:
                found.append((self.library.find(name), self.library.levels(name)))
            except Exception:  # one game that cannot be loaded does not close the lobby to the others
                log.exception("the game %s cannot be loaded", name)
        return encode(catalogue(found))

    async def rules(self, request: Request, games: Games) -> Response:
        """Every clause of a game, with its words and where it is in the code."""
        name = request.path_params["id"]
        if name not in self.library.names():
            raise refused("not-found", "There is no such game")
        if name not in self._rules:
            from caltrop.lab.conformance import report

            found = msgspec.to_builtins(await asyncio.to_thread(report, name, fresh=False))
            self._rules[name] = encode(await asyncio.to_thread(_with_rulings, name, found))
        return Response(self._rules[name], media_type="application/json", headers={"Cache-Control": "no-store"})

    async def opening(self, request: Request, games: Games) -> Response:
        """The table of a scenario as it is laid, for whoever looks."""
        name, scenario = request.path_params["id"], request.query_params.get("scenario", "")
        if name not in self.library.names():
            raise refused("not-found", "There is no such game")
        if is_text(scenario):
            raise InputError("a table is shown of scenarios that have a name", field="scenario")
        key = name, scenario or self.library.find(name).scenarios()[0].id
        if key not in self._openings:
            picture = await asyncio.to_thread(opening, self.library, *key)
            # Files of the server's own are few, and so are the scenarios of a ruleset: all of them are kept.
            self._openings[key] = encode({"picture": picture})
        return Response(self._openings[key], media_type="application/json", headers={"Cache-Control": "no-store"})


def _with_rulings(name: str, found: dict[str, Any]) -> dict[str, Any]:
    """A rulebook's clauses by chapters, with what was asked about them and the rulings that were played out on them."""
    book = ruleset(name).inventory()
    questions = book.questions
    for row in found["clauses"]:
        row["chapter"] = book.clauses[row["id"]].chapter
    for row in found["rulings"]:
        question = questions.get(row["id"])
        if question is not None:
            row.update(question=question.question, readings=question.readings)
    try:
        played = [one.head for one in rulings(name)]
    except InputError:  # a game without rulings
        played = []
    found["examples"] = [
        {"id": h.id, "title": h.title, "question": h.question, "answer": h.answer, "clauses": h.clauses} for h in played
    ]
    return found
