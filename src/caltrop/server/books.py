"""The routes for the catalogue, the rulebooks, and the tables of scenarios."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from caltrop.engine import ruleset
from caltrop.errors import InputError
from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.making import opening, shown
from caltrop.host.seats import ServerLibrary
from caltrop.host.turns import in_turn
from caltrop.roster import is_text
from caltrop.scenarios.rulings import position, rulings
from caltrop.scenarios.summaries import summary
from caltrop.server.requests import Route, encode
from caltrop.wire import catalogue

log = logging.getLogger("caltrop.server")


class Books:
    """The routes of the catalogue of games, which is built once."""

    def __init__(self, library: ServerLibrary) -> None:
        self.library = library
        self._catalogue: asyncio.Task[bytes] | None = None
        self._rules: dict[str, bytes] = {}
        self._parts: dict[tuple[str, str], bytes] = {}
        self._openings: dict[tuple[str, str], bytes] = {}
        self.routes: list[Route] = [
            ("GET", "/api/catalogue", self.catalogue),
            ("GET", "/api/rules/{id}", self.rules),
            ("GET", "/api/rules/{id}/text", self.text),
            ("GET", "/api/rules/{id}/summary", self.summary),
            ("GET", "/api/rules/{id}/examples", self.examples),
            ("GET", "/api/rules/{id}/examples/{ruling}", self.example),
            ("GET", "/api/rules/{id}/opening", self.opening),
        ]

    def begin(self) -> asyncio.Task[bytes]:
        if self._catalogue is None or self._catalogue.cancelled():
            self._catalogue = asyncio.create_task(asyncio.to_thread(self._made_catalogue))
        return self._catalogue

    async def catalogue(self, request: Request, games: Games) -> Response:
        catalogue = await asyncio.shield(self.begin())
        return Response(catalogue, media_type="application/json", headers={"Cache-Control": "no-store"})

    def _made_catalogue(self) -> bytes:
        entries = []
        for name in self.library.names():
            try:
                entries.append((self.library.find(name), self.library.levels(name)))
            except Exception:  # a game that cannot be loaded must not hide the others
                log.exception("the game %s cannot be loaded", name)
        return encode(catalogue(entries))

    async def rules(self, request: Request, games: Games) -> Response:
        """Return every clause of a game, with its words and its places in the code."""
        name = request.path_params["id"]
        if name not in self.library.names():
            raise refused("not-found", "There is no such game")
        if name not in self._rules:
            from caltrop.lab.conformance import report

            rules = msgspec.to_builtins(await in_turn(partial(report, name, fresh=False)))
            self._rules[name] = encode(await in_turn(_with_rulings, name, rules))
        return Response(self._rules[name], media_type="application/json", headers={"Cache-Control": "no-store"})

    async def text(self, request: Request, games: Games) -> Response:
        """Return all clauses and rulings of a game as text, without references to code."""
        return await self._made("text", request, lambda name: {"clauses": _text(name)})

    async def summary(self, request: Request, games: Games) -> Response:
        """Return the one-page summary of a game; null for a game without a summary."""
        return await self._made("summary", request, lambda name: {"summary": summary(name)})

    async def examples(self, request: Request, games: Games) -> Response:
        """Return the rulings of a game that can be played."""
        return await self._made("examples", request, lambda name: {"examples": _examples(name)})

    async def example(self, request: Request, games: Games) -> Response:
        """Return the initial table of a ruling, as an onlooker sees it."""
        id = request.path_params["ruling"][:60]
        return await self._made(f"example {id}", request, lambda name: {"picture": shown(name, id)})

    async def _made(self, what: str, request: Request, make: Callable[[str], Any]) -> Response:
        name = request.path_params["id"]
        if name not in self.library.names():
            raise refused("not-found", "There is no such game")
        if (what, name) not in self._parts:
            self._parts[what, name] = encode(await in_turn(make, name))
        return Response(self._parts[what, name], media_type="application/json", headers={"Cache-Control": "no-store"})

    async def opening(self, request: Request, games: Games) -> Response:
        """Return the initial table of a scenario, as an onlooker sees it."""
        name, scenario = request.path_params["id"], request.query_params.get("scenario", "")
        if name not in self.library.names():
            raise refused("not-found", "There is no such game")
        if is_text(scenario):
            raise InputError("a table can be shown only for a scenario that has a name", field="scenario")
        key = name, scenario or self.library.find(name).scenarios()[0].id
        if key not in self._openings:
            picture = await in_turn(opening, self.library, *key)
            # The server has few files, and a ruleset has few scenarios, so all are cached.
            self._openings[key] = encode({"picture": picture})
        return Response(self._openings[key], media_type="application/json", headers={"Cache-Control": "no-store"})


def _with_rulings(name: str, rules: dict[str, Any]) -> dict[str, Any]:
    """Return a rulebook's clauses by chapter, with their open questions and the rulings that test them."""
    book = ruleset(name).inventory()
    questions = book.questions
    for row in rules["clauses"]:
        row["chapter"] = book.clauses[row["id"]].chapter
    for row in rules["rulings"]:
        question = questions.get(row["id"])
        if question is not None:
            row.update(question=question.question, readings=question.readings)
    rules["examples"] = _examples(name)
    return rules


def _text(name: str) -> list[dict[str, Any]]:
    """Return the clauses of a game by chapter, and the rulings on open questions."""
    book = ruleset(name).inventory()
    clauses = [
        {"id": one.id, "edition": one.edition, "chapter": one.chapter, "text": one.text}
        for one in book.clauses.values()
    ]
    questions = [
        {"id": one.id, "edition": "both", "text": one.ruling, "question": one.question, "readings": one.readings}
        for one in book.questions.values()
    ]
    return [*clauses, *questions]


def _examples(name: str) -> list[dict[str, Any]]:
    """Return the playable rulings of a game; empty for a game without rulings."""
    try:
        played = rulings(name)
    except InputError:
        return []
    examples = []
    for one in played:
        head = one.head
        try:
            position(one)
            scene = True
        except InputError:  # a ruling about dice alone has no table
            scene = False
        example = {"id": head.id, "title": head.title, "question": head.question, "answer": head.answer}
        examples.append({**example, "clauses": head.clauses, "scene": scene})
    return examples
