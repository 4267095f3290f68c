"""Work out the exact odds of one attack, or of several attacks at one target in order.

The request is that of `caltrop resolve` without dice; of several attacks it is an object with `ruleset` and `sequence`,
a list of such requests. The answer lists everything that they can end in.
"""

from __future__ import annotations

from pathlib import Path

from caltrop.cli._attack import referee


def odds(file: Path | None = None, /) -> None:
    """Print everything that one attack, or several at one target, can end in, with exact chances.

    Args:
        file: The request, as JSON, without dice; standard input where it is left out.
    """
    referee(file, "odds")
