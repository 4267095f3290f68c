"""Work out the exact odds of one attack.

The request is that of `caltrop resolve` without dice. The answer lists everything that the attack can end in.
"""

from __future__ import annotations

from pathlib import Path

from caltrop.cli._attack import referee


def odds(file: Path | None = None, /) -> None:
    """Print everything that one attack can end in, with exact chances.

    Args:
        file: The request, as JSON, without dice; standard input where it is left out.
    """
    referee(file, "odds")
