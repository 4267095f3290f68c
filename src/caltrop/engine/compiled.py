"""Names of the games with compiled rules in this installation: a wheel may contain them, and plays the same games
faster.
"""

from __future__ import annotations

import sys

from caltrop.engine.ruleset import ruleset


def is_compiled(name: str) -> bool:
    file = sys.modules[ruleset(name).state.__module__].__file__
    return file is not None and not file.endswith((".py", ".pyc"))


def told_compiled(name: str) -> str:
    """Return a note for a line about played games if their rules are compiled; otherwise an empty text."""
    return ", with compiled rules" if is_compiled(name) else ""
