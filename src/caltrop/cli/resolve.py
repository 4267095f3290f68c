"""Referee one attack with the dice given.

The request is a JSON object, on standard input or in a file. The answer says what came of the attack and why.
"""

from __future__ import annotations

from pathlib import Path

from caltrop.cli._attack import referee


def resolve(file: Path | None = None, /) -> None:
    """Referee one attack with the dice given, and print what comes of it and why.

    Args:
        file: The request, as JSON; standard input where it is left out.
    """
    referee(file, "resolve")
