"""Places of values in a file, and their spelling in error messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Path_ = tuple[str | int, ...]
"""Path of a value: keys and list indices from the top."""

Place = Callable[[Path_], tuple[int, int] | None]
"""Function that returns line and column, from 1, of the value at a path."""

Plain = tuple[Any, Mapping[Path_, tuple[int, int]]]
"""Content of a file as plain data, with line and column, from 1, of every value in it."""


def spelled(path: Path_) -> str:
    """Return a path in the spelling of error messages.

    >>> spelled(("units", "tank", "faces", 2))
    'units.tank.faces[2]'
    """
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else part
    return out


def unspelled(field: str) -> Path_:
    """Return the path for its spelling in an error message.

    >>> unspelled("units.tank.faces[2]")
    ('units', 'tank', 'faces', 2)
    """
    path: list[str | int] = []
    for part in field.replace("[", ".[").split("."):
        index = part[1:-1] if part.startswith("[") and part.endswith("]") else ""
        if part:
            path.append(int(index) if index.isdecimal() else part)
    return tuple(path)


def short(text: str) -> str:
    """Return a text for an error message, cut to 80 characters."""
    return text if len(text) <= 80 else text[:77] + "..."
