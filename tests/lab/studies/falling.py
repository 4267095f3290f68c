"""A task whose worker is killed, in a module that imports quickly."""

from __future__ import annotations

import os
from pathlib import Path


def falls(place: str, number: int, times: int) -> int:
    """The square of a number; the worker of 2 is lost some times."""
    mark = Path(place) / f"{number}"
    fallen = int(mark.read_text()) if mark.exists() else 0
    if number == 2 and fallen < times:
        mark.write_text(str(fallen + 1))
        os._exit(9)
    return number * number
