"""Stored work continues after a stop, and reports its progress."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from caltrop.lab.kept import read, worked


class Square(msgspec.Struct, frozen=True):
    job: int
    count: int


def square(n: int) -> Square:
    if n < 0:
        raise KeyboardInterrupt
    return Square(n, n * n)


def test_what_is_kept_is_not_worked_out_again(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    counts: list[int] = []
    assert read(file, Square) == read(None, Square) == {}
    first = worked([1, 2], square, Square, file, 1, "that was all")
    assert first == [Square(1, 1), Square(2, 4)]
    file.write_bytes(file.read_bytes().replace(b'"count":4', b'"count":5'))
    again = worked([3, 2], square, Square, file, 1, "that was all", counts.append)
    assert again == [Square(2, 5), Square(3, 9)], "what was kept comes first"
    assert counts == [2]
    assert list(read(file, Square)) == [1, 2, 3]


def test_who_stops_it_has_what_was_finished(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kept.jsonl"
    assert worked([1, -1, 2], square, Square, file, 1, "that was all") == [Square(1, 1)]
    assert "stopped: that was all" in capsys.readouterr().err
    assert list(read(file, Square)) == [1]
