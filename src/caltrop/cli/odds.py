"""Work out the exact odds of one attack, of several attacks at one target in order, or of a whole act.

The request has the form of `caltrop resolve` without dice. A sequence of attacks is an object with `ruleset` and
`sequence`, a list of requests. The answer lists every possible result. A whole act with the other side's reactions has
`ruleset`, `scene` and `play`, as a ruling does. The last line of `play` is the act.
"""

from __future__ import annotations

from pathlib import Path

from caltrop.cli._attack import referee


def odds(file: Path | None = None, /, *, pack: str | None = None) -> None:
    """Print every possible result of an attack, of several attacks at one target, or of a whole act, with its chance.

    Args:
        file: The request, as JSON, without dice; standard input by default.
        pack: The pack to use: a folder, a zip, a document, a link, or an installed one.
    """
    referee(file, "odds", pack)
