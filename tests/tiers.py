"""The two tiers of tests: `make test` runs a share of long series, `make test-all` runs all of each.

The share is drawn by the commit that is checked out, so that a failure repeats. ROTATION=N in the environment draws
another share; the header of a run prints the number that was used.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def everything() -> bool:
    """Return whether this run is of the second tier, which leaves nothing out."""
    return bool(os.environ.get("TEST_ALL"))


@lru_cache(maxsize=1)
def rotation() -> int:
    """Return the number that draws the share of this run: the commit's, unless ROTATION names one.

    A tree without commits, such as a source distribution, has the number 0.
    """
    number = os.environ.get("ROTATION")
    if number is not None:
        return int(number)
    git = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    return int(git.stdout[:8], 16) if git.returncode == 0 else 0


def rotating(series: Sequence[T], share: int) -> list[T]:
    """Return every *share*-th of a series from a place that each commit moves, and all of it in the second tier."""
    return list(series) if everything() else list(series[rotation() % share :: share])


def examples(most: int) -> int:
    """Return how many examples Hypothesis draws for a property: *most* in the second tier, else a quarter, 20 at least.

    Each run draws others, except in CI, where the examples stay the same.
    """
    return most if everything() else min(most, max(20, most // 4))


def turned(series: Sequence[T]) -> list[T]:
    """Return all of a series, from a place that each commit moves; for laws that go on until they have found enough."""
    place = 0 if everything() else rotation() % max(len(series), 1)
    return [*series[place:], *series[:place]]
