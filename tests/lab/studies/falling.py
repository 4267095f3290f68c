"""A task whose worker is killed, in a module that can be imported quickly."""

from __future__ import annotations

import os
from pathlib import Path


def falls(place: str, number: int, times: int) -> int:
    """Return the square of a number; the worker for 2 is killed a few times."""
    mark = Path(place) / f"{number}"
    fallen = int(mark.read_text()) if mark.exists() else 0
    if number == 2 and fallen < times:
        mark.write_text(str(fallen + 1))
        os._exit(9)
    return number * number
