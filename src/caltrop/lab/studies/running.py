"""A study in its folder, which can be interrupted and continued.

Each finished game adds a line to `results.jsonl`; `summary.json`, `report.html` and `results.parquet` are made from
these lines. An incomplete line after a crash is removed when the study continues, and its game is played again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import IO, Any

import msgspec

from caltrop.errors import InputError
from caltrop.journal import save
from caltrop.lab.studies.design import Study, read_study, rules_of, text_with_packs
from caltrop.lab.studies.executors import Executor
from caltrop.lab.studies.figures import Figures, figures_of
from caltrop.lab.studies.page import page
from caltrop.lab.studies.playing import GameRow, GameWentWrong, OtherRules, play_rows
from caltrop.lab.studies.tables import write_parquet

STUDY, RESULTS, TABLE, REPORT, SUMMARY = (
    "study.yaml",
    "results.jsonl",
    "results.parquet",
    "report.html",
    "summary.json",
)
PIECE = 16
"""Largest number of games in one piece of work."""


class StudyProgress(msgspec.Struct, frozen=True):
    played: int
    total: int
    looks: int
    """Number of looks so far."""
    of: int
    seconds: float | None
    """Estimated seconds until the end; None if unknown."""


class Folder:
    """The folder of a study."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def study(self) -> Study:
        """Return the study of this folder. Raises InputError if the folder has no study."""
        if not (self / STUDY).is_file():
            raise InputError(f"this is not a folder of a study: it has no {STUDY}", source=str(self.path))
        return read_study(self / STUDY)

    def rows(self) -> Iterator[GameRow]:
        """Yield the results of games in the order they were finished, without an incomplete last line.

        Raises InputError for an invalid line.
        """
        if not (self / RESULTS).is_file():
            return
        with (self / RESULTS).open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    yield _ROW.decode(line)
                except msgspec.DecodeError as error:
                    complaint = f"this line is not a game of a study: {error}"
                    raise InputError(complaint, source=str(self / RESULTS), line=number) from None

    def summary(self) -> dict[str, Any]:
        """Return the last summary of the study; empty before the first."""
        try:
            summary: dict[str, Any] = msgspec.json.decode((self / SUMMARY).read_bytes())
        except (OSError, msgspec.DecodeError):
            return {}
        return summary

    def begin(self, file: Path, study: Study) -> str:
        """Prepare the folder for beginning or continuing a study. Only the budget of the study may have changed.

        Returns the hash of the rules. Raises InputError if the folder has another study, or a study begun with other
        rules.
        """
        rules = rules_of(study)
        try:
            if (self / STUDY).exists():
                if msgspec.structs.replace(self.study(), budget=study.budget) != study:
                    complaint = f"another study is in this folder; name another by --output, or change {STUDY} back"
                    raise InputError(complaint, source=str(self.path))
                begun = self.summary().get("rules", rules)
                if begun != rules:
                    complaint = (
                        "this study was begun with another version of Caltrop or of the rules, and games of different "
                        "rules are not counted together; name another folder by --output"
                    )
                    raise InputError(complaint, source=str(self.path))
            write(self / STUDY, text_with_packs(file.read_text("utf-8"), study).encode())
            self._cut()
        except OSError as error:
            raise InputError(error.strerror or str(error), source=str(self.path)) from None
        return rules

    def _cut(self) -> None:
        with (self / RESULTS).open("rb+") as stream:
            size = stream.seek(0, os.SEEK_END)
            length = size
            while length:
                start = max(0, length - 65536)
                stream.seek(start)
                block = stream.read(length - start)
                end = block.rfind(b"\n")
                if end >= 0:
                    length = start + end + 1
                    break
                length = start
            if length != size:
                stream.truncate(length)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the folder against a second run, after creating the folder if necessary.

        Raises InputError if a run is in progress, or the folder cannot be created.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            stream = (self / RESULTS).open("ab")
        except OSError as error:
            raise InputError(error.strerror or str(error), source=str(self.path)) from None
        with stream:
            try:
                import fcntl
            except ImportError:  # Windows
                yield
                return
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InputError("this study is being run already", source=str(self.path)) from None
            yield


_ROW = msgspec.json.Decoder(GameRow)


def is_run(folder: Folder) -> bool:
    """Return whether a study is being run; always False if the system cannot tell."""
    try:
        import fcntl

        with (folder / RESULTS).open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (ImportError, OSError):
        return False
    return False


def run(
    file: Path,
    folder: Folder,
    on: Executor,
    progress: Callable[[StudyProgress], None] | None = None,
    pack: str | None = None,
) -> Figures:
    """Begin or continue a study, until it is finished, its budget is used up, or its results are precise enough.

    Returns the figures of the last look. Raises InputError for an invalid study or folder, and for a game that raised
    an error.

    Args:
        progress: Called with the progress after every piece of work.
    """
    study = read_study(file, pack)
    with folder.alone():
        rules = folder.begin(file, study)
        done = bytearray(study.total)
        for row in folder.rows():
            if row.game < study.total:
                done[row.game] = 1
        return _StudyRun(study, rules, folder, done, progress).play(on)


class _StudyRun:
    """A run of a study, which continues where the last run stopped."""

    def __init__(
        self,
        study: Study,
        rules: str,
        folder: Folder,
        done: bytearray,
        progress: Callable[[StudyProgress], None] | None,
    ) -> None:
        self.study, self.rules, self.folder, self.done, self.progress = study, rules, folder, done, progress
        self.began = monotonic()
        self.before = self.played = sum(done)

    def play(self, on: Executor) -> Figures:
        study = self.study
        looks = study.looked_at(self._whole())
        figures = self._look(looks, "running")
        while looks < study.looks and not figures.precise_enough and not self._late():
            bound = study.look_at(looks + 1)
            self._play_to(on, min(bound, study.total))
            if self._whole() < bound:
                break
            looks = study.looked_at(self._whole())
            figures = self._look(looks, "running")
        return self._look(looks, self._state(looks, figures), close=True)

    def _state(self, looks: int, figures: Figures) -> str:
        if figures.precise_enough:
            return "precise enough"
        return "done" if looks == self.study.looks else "stopped"

    def _whole(self) -> int:
        """Return the number of finished games before the first unfinished one."""
        gap = self.done.find(0)
        return len(self.done) if gap < 0 else gap

    def _late(self) -> bool:
        minutes = self.study.budget.minutes
        return minutes is not None and monotonic() - self.began > 60 * minutes

    def _pieces(self, bound: int) -> Iterator[tuple[bytes, str, tuple[int, ...]]]:
        text = msgspec.json.encode(self.study)
        open_ = [index for index in range(bound) if not self.done[index]]
        size = max(1, min(PIECE, len(open_) // 32))
        for start in range(0, len(open_), size):
            if self._late():
                return
            yield text, self.rules, tuple(open_[start : start + size])

    def _play_to(self, on: Executor, bound: int) -> None:
        with (self.folder / RESULTS).open("ab") as stream:
            try:
                for rows in on.done(play_rows, self._pieces(bound)):
                    self._keep(stream, rows)
            except GameWentWrong as wrong:
                place = self.folder / f"failed-{wrong.game}.caltrop.json"
                if wrong.record is not None:
                    save(wrong.record, place)
                raise InputError(f"{wrong}; its journal is in {place}") from wrong
            except OtherRules as error:
                raise InputError(str(error)) from error

    def _keep(self, stream: IO[bytes], rows: list[GameRow]) -> None:
        stream.write(b"".join([msgspec.json.encode(row, order="deterministic") + b"\n" for row in rows]))
        stream.flush()
        os.fsync(stream.fileno())
        for row in rows:
            self.done[row.game] = 1
        self.played += len(rows)
        if self.progress is not None:
            own, took = self.played - self.before, monotonic() - self.began
            rest = self.study.total - self.played
            self.progress(
                StudyProgress(
                    self.played,
                    self.study.total,
                    self.study.looked_at(self._whole()),
                    self.study.looks,
                    rest * took / own if own else None,
                )
            )

    def _look(self, looks: int, state: str, close: bool = False) -> Figures:
        figures = figures_of(self.study, self.folder.rows(), looks, state, self.rules, self.played)
        write_down(self.folder, figures)
        if close:
            write_table(self.folder)
        return figures


def report(folder: Folder) -> Figures:
    """Write the summary and the report of a study again, from the stored results."""
    study = folder.study()
    done = bytearray(study.total)
    for row in folder.rows():
        if row.game < study.total:
            done[row.game] = 1
    gap = done.find(0)
    looks = study.looked_at(len(done) if gap < 0 else gap)
    before = folder.summary()
    state = "done" if looks == study.looks else str(before.get("state", "stopped"))
    figures = figures_of(study, folder.rows(), looks, state, str(before.get("rules", "")), sum(done))
    write_down(folder, figures)
    write_table(folder)
    return figures


def write_table(folder: Folder) -> None:
    if (folder / RESULTS).is_file():
        write_parquet(folder / RESULTS, folder / TABLE)


def write_down(folder: Folder, figures: Figures) -> None:
    write(folder / SUMMARY, msgspec.json.format(msgspec.json.encode(figures), indent=2) + b"\n")
    write(folder / REPORT, page(figures).encode())


def write(path: Path, text: bytes) -> None:
    """Replace a file atomically."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(text)
    beside.replace(path)
