"""Sheets: records outside games that change, stored as papers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Protocol, TypeVar
from weakref import WeakValueDictionary

import msgspec

from caltrop.host.faults import refused
from caltrop.host.storage import Paper, Stale

TRIES = 8
"""Number of attempts to change a sheet that others write at the same time."""


class StoredSheet(msgspec.Struct, kw_only=True):
    """A record of one kind, which is stored under the name of its class."""

    kind: ClassVar[str]
    id: str
    whose: str = ""
    """Id of the owner of the sheet."""
    seq: int = 0
    """Version of the sheet when it was read."""
    at: str = ""
    """Time when the sheet was written last, in universal time."""


S = TypeVar("S", bound=StoredSheet)


class Papers(Protocol):
    """Reads and writes papers, in the threads of the database."""

    async def paper(self, kind: str, id: str) -> Paper | None: ...

    async def papers(self, kind: str, whose: str | None) -> list[Paper]: ...

    async def write(self, papers: Sequence[Paper]) -> None: ...


class Sheets:
    def __init__(self, papers: Papers) -> None:
        self._papers = papers
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        """A lock for each sheet that is being changed."""

    async def get(self, kind: type[S], id: str) -> S | None:
        paper = await self._papers.paper(kind.kind, id)
        return None if paper is None else _sheet(kind, paper)

    async def all(self, kind: type[S], whose: str | None = None) -> list[S]:
        return [_sheet(kind, paper) for paper in await self._papers.papers(kind.kind, whose)]

    async def put(self, *sheets: StoredSheet, gone: Sequence[StoredSheet] = ()) -> None:
        """Write sheets and delete other sheets: all of it or nothing.

        Raises Stale if somebody else wrote one of the sheets after it was read.
        """
        papers = [
            Paper(one.kind, one.id, msgspec.json.encode(one), one.whose, one.seq) for one in sheets
        ]  # fmt: skip
        papers += [Paper(one.kind, one.id, None) for one in gone]
        await self._papers.write(papers)
        for one in sheets:
            one.seq += 1

    async def forget(self, whose: str) -> None:
        papers = await self._papers.papers("", whose)
        await self._papers.write([Paper(one.kind, one.id, None) for one in papers])

    async def change(
        self, kind: type[S], id: str, do: Callable[[S], bool | None], new: Callable[[], S] | None = None
    ) -> S:
        """Read, change and write a sheet. Repeat the change if somebody else wrote the sheet in the meantime.

        Raises Refused if the sheet does not exist, or too many attempts fail.

        Args:
            do: Changes the sheet. Nothing is written if the function returns False.
        """

        async def attempt() -> S:
            sheet = await self.get(kind, id)
            if sheet is None and new is not None:
                sheet = new()
            if sheet is None:
                raise refused("not-found", f"There is no such {kind.kind} here")
            if do(sheet) is not False:
                await self.put(sheet)
            return sheet

        async with self._locks.setdefault((kind.kind, id), asyncio.Lock()):
            return await again(attempt)


async def again(attempt: Callable[[], Awaitable[S]]) -> S:
    """Return the result of an attempt, which is repeated while somebody else writes the same sheets.

    Raises Refused if the attempts take too long.
    """
    for _ in range(TRIES):
        try:
            return await attempt()
        except Stale:
            continue
    raise refused("come-back", "Somebody else keeps changing the same data; nothing has changed")


def _sheet(kind: type[S], paper: Paper) -> S:
    assert paper.body is not None
    sheet = msgspec.json.decode(paper.body, type=kind)
    sheet.id, sheet.whose, sheet.seq, sheet.at = paper.id, paper.whose, paper.seq, paper.at
    return sheet
