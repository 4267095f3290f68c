"""Referee one attack with the dice given.

The request is a JSON object, on standard input or in a file. The answer contains the result and its reasons.
"""

from __future__ import annotations

from pathlib import Path

from caltrop.cli._attack import referee


def resolve(file: Path | None = None, /, *, pack: str | None = None) -> None:
    """Referee one attack with the dice given, and print the result and why.

    Args:
        file: The request, as JSON; standard input by default.
        pack: The pack to use: a folder, a zip, a document, a link, or an installed one.
    """
    referee(file, "resolve", pack)
