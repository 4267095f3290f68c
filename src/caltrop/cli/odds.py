"""Work out the exact odds of one attack, of several attacks at one target in order, or of a whole act.

The request is that of `caltrop resolve` without dice; of several attacks it is an object with `ruleset` and `sequence`,
a list of such requests. The answer lists everything that they can end in. A whole act, with
what the other side may do to it, has `ruleset`, `scene` and `play`, as a ruling does. The last line is the act.
"""

from __future__ import annotations

from pathlib import Path

from caltrop.cli._attack import referee


def odds(file: Path | None = None, /, *, pack: str | None = None) -> None:
    """Print everything that an attack, several at one target, or a whole act can end in, with their chances.

    Args:
        file: The request, as JSON, without dice; standard input by default.
        pack: A pack that is laid over the rulebook: a folder, a zip, a document, a link, or one that is installed.
    """
    referee(file, "odds", pack)
