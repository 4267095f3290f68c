"""The studies in a folder: the progress and results of each, and any of its games for replay.

The folder is named at the start of the server. The folder of studies is read again at every request, so that the
progress of a running study is visible. No file is ever written into the folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from caltrop.engine import HouseValue
from caltrop.engine.packs import PACK
from caltrop.errors import InputError
from caltrop.host.faults import refused
from caltrop.host.games import Games
from caltrop.host.turns import in_turn
from caltrop.journal import encoded
from caltrop.lab.studies.figures import Figures
from caltrop.lab.studies.playing import GameRow, recorded
from caltrop.lab.studies.points import Points
from caltrop.lab.studies.running import RESULTS, STUDY, SUMMARY, Folder, is_run
from caltrop.roster import read_yaml
from caltrop.server.counting import Counting
from caltrop.server.door import is_at_home
from caltrop.server.requests import Route, address_of, as_file, encode, json_of, number_of, ready

MOST_STUDIES = 200
"""Largest number of folders to look at."""
MOST_ROWS = 200
"""Largest number of games of a study in an answer."""
POINTS = "points.json"

Stage = Literal["new", "running", "stopped", "precise enough", "done", "damaged"]
T = TypeVar("T")


class StudyEntry(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    title: str
    words: str = ""
    ruleset: str = ""
    design: str = ""
    stage: Stage
    played: int = 0
    total: int = 0
    looks: int = 0
    of: int = 0
    trouble: str = ""
    """Fault of a damaged study."""


class StudyView(msgspec.Struct, frozen=True, kw_only=True):
    """A study with its latest results."""

    study: StudyEntry
    figures: Figures | None
    """The latest results; None if the study has not been looked at yet."""
    points: Points | None
    """Points of units, if the study measured them."""


class StudyGame(msgspec.Struct, frozen=True, kw_only=True):
    game: int
    levels: dict[str, str]
    scenario: str
    edition: str
    rules: dict[str, HouseValue]
    players: tuple[str, str]
    """Players of side 0 and side 1."""
    names: tuple[str, ...]
    winner_name: str | None
    """The side that won; null for a draw."""
    rounds: int
    decisions: int
    points: tuple[int, ...]
    reason: str


class StudyGames(msgspec.Struct, frozen=True, kw_only=True):
    """Some games of a study, in the order in which they were stored."""

    games: tuple[StudyGame, ...]
    of: int
    """Number of games of this selection in the whole study."""


def game_of(row: GameRow) -> StudyGame:
    return StudyGame(
        game=row.game,
        levels=row.levels,
        scenario=row.scenario,
        edition=row.edition,
        rules=row.rules,
        players=row.players,
        names=row.names,
        winner_name=row.winner_name,
        rounds=row.rounds,
        decisions=row.decisions,
        points=row.points,
        reason=row.reason,
    )


class Studies:
    """The routes of the studies of a folder.

    Args:
        folder: The folder of one study, or a folder of such folders; None for no studies.
        counting: Runs work in other processes.
        at_home: True to show the studies only on this machine, because nobody has named the folder.
    """

    def __init__(self, folder: Path | None, counting: Counting, *, at_home: bool = False) -> None:
        self.folder, self.counting, self.at_home = folder, counting, at_home
        self.routes: list[Route] = [
            ("GET", "/api/studies", self.list),
            ("GET", "/api/studies/{id}", self.view),
            ("GET", "/api/studies/{id}/games", self.games),
            ("GET", "/api/studies/{id}/games/{game}/record", self.record),
        ]

    async def list(self, request: Request, games: Games) -> Response:
        """Return the studies of the server's folder, the latest first."""
        entries = await in_turn(lambda: [entry_of(folder) for folder in self._folders(request).values()])
        return json_of({"studies": entries})

    async def view(self, request: Request, games: Games) -> Response:
        """Return a study with its results."""
        folder = await self._folder(request)
        return json_of(await in_turn(view_of, folder))

    async def games(self, request: Request, games: Games) -> Response:
        """Return games of a study in their order; `level` as FACTOR=LEVEL and `winner` select some of them."""
        folder = await self._folder(request)
        first, count = number_of(request, "from") or 0, number_of(request, "count")
        asked = request.query_params
        levels = dict(one.partition("=")[::2] for one in asked.getlist("level"))
        count = min(MOST_ROWS, MOST_ROWS if count is None else count)
        who = address_of(request)
        with self.counting.records.place(who):
            call = self.counting.records.call
            return ready(await call(who, study_games, folder.path, first, count, levels, asked.get("winner")))

    async def record(self, request: Request, games: Games) -> Response:
        """Return a game of a study as a record, replayed from its setting and seed."""
        folder = await self._folder(request)
        number = request.path_params["game"]
        if not (number.isascii() and number.isdigit()) or len(number) > 9:
            raise refused("not-found", "The games of a study are numbered; give a number")
        who = address_of(request)
        with self.counting.records.place(who):
            text = await self.counting.records.call(who, study_game, folder.path, int(number))
        return Response(
            text, media_type="application/json", headers=as_file(f"{folder.path.name}-{number}.caltrop.json")
        )

    async def _folder(self, request: Request) -> Folder:
        folder = (await in_turn(self._folders, request)).get(request.path_params["id"])
        if folder is None:
            raise refused("not-found", "There is no such study in the folder that this server shows")
        return folder

    def _folders(self, request: Request) -> dict[str, Folder]:
        if self.folder is None or (self.at_home and not is_at_home(request)):
            return {}
        try:
            inside = [path for path in self.folder.iterdir() if path.is_dir()]
        except OSError:
            return {}
        all_ = [path for path in (self.folder, *inside) if (path / STUDY).is_file()]
        all_.sort(key=_played_last, reverse=True)
        return {path.resolve().name: Folder(path) for path in all_[:MOST_STUDIES]}


def _played_last(path: Path) -> float:
    try:
        return (path / RESULTS).stat().st_mtime
    except OSError:
        return 0.0


def entry_of(folder: Folder) -> StudyEntry:
    name = folder.path.resolve().name
    try:
        study = folder.study()
    except InputError as error:
        error.source = STUDY  # the path on this machine is not shown
        title, ruleset = _said(folder, "title"), _said(folder, "ruleset")
        return StudyEntry(id=name, title=title or name, ruleset=ruleset, stage="damaged", trouble=str(error))
    summary = folder.summary()
    stage: Stage = "new" if not summary else "done" if summary.get("state") == "done" else "stopped"
    if summary.get("state") == "precise enough":
        stage = "precise enough"
    if is_run(folder):
        stage = "running"
    return StudyEntry(
        id=name,
        title=study.title,
        words=study.words,
        ruleset=study.ruleset,
        design=study.design,
        stage=stage,
        played=_lines(folder / RESULTS),
        total=study.total,
        looks=int(summary.get("looks", 0)),
        of=study.looks,
    )


def _said(folder: Folder, field: str) -> str:
    """Return a field of a study whose games cannot be played; empty if the field cannot be read."""
    try:
        value = read_yaml(folder.path / STUDY, dict[str, Any]).value.get(field)
    except InputError:
        return ""
    return value if isinstance(value, str) else ""


def _lines(path: Path) -> int:
    try:
        with path.open("rb") as stream:
            return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))
    except OSError:
        return 0


def view_of(folder: Folder) -> StudyView:
    return StudyView(
        study=entry_of(folder), figures=_read(folder / SUMMARY, Figures), points=_read(folder / POINTS, Points)
    )


def _read(path: Path, type_: type[T]) -> T | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=type_)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        complaint = f"this cannot be read: {error}; `caltrop study report` writes it again"
        raise InputError(complaint, source=path.name) from None


# Functions that run in the processes.


def study_games(folder: Path, first: int, count: int, levels: dict[str, str], winner: str | None) -> bytes:
    """Return some games of a study, in the order of their numbers. Raises InputError if the study's games cannot be
    read.

    Args:
        winner: Name of the winner; "" for a draw, None for any.
    """

    def wanted() -> Iterator[GameRow]:
        for row in Folder(folder).rows():
            if (winner is None or (row.winner_name or "") == winner) and levels.items() <= row.levels.items():
                yield row

    # Several workers finish games in any order. For a million games, only the numbers are held in memory together.
    numbers = sorted([row.game for row in wanted()])
    shown = set(numbers[first : first + count])
    games = sorted([game_of(row) for row in wanted() if row.game in shown], key=lambda one: one.game) if shown else []
    return encode(StudyGames(games=tuple(games), of=len(numbers)))


def study_game(folder: Path, number: int) -> bytes:
    """Return a game of a study as a record, by replaying it.

    Raises InputError for an unknown number, or if the game can no longer be replayed.
    """
    row = next((row for row in Folder(folder).rows() if row.game == number), None)
    if row is None:
        raise InputError(f"no game {number} of this study has been played yet", field="game")
    if PACK in row.rules:
        Folder(folder).study()  # this makes the study's packs known
    return encoded(recorded(row))
