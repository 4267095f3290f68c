"""Referee one attack with the dice given.

The request is a JSON object, on standard input or in a file. The answer says the result of the attack and why.
"""

from __future__ import annotations

from pathlib import Path

from caltrop.cli._attack import referee


def resolve(file: Path | None = None, /, *, pack: str | None = None) -> None:
    """Referee one attack with the dice given, and print the result and why.

    Args:
        file: The request, as JSON; standard input by default.
        pack: A pack that is laid over the rulebook: a folder, a zip, a document, a link, or one that is installed.
    """
    referee(file, "resolve", pack)
