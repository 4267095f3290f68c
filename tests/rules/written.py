"""Rulings as files that somebody has written, rightly or with one thing in them otherwise."""

from __future__ import annotations

from pathlib import Path


def file_of(folder: Path, text: str) -> Path:
    """Return a file with this text."""
    file = folder / "X1.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def file_with(folder: Path, text: str, old: str, new: str) -> Path:
    """Write a file with a text in which *new* replaces the first *old*."""
    assert old in text
    return file_of(folder, text.replace(old, new, 1))
