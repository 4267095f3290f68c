"""Tells which games have compiled rules here: a wheel may hold them, and plays the same games faster."""

from __future__ import annotations

import sys

from caltrop.engine.ruleset import ruleset


def is_compiled(name: str) -> bool:
    """Return whether the rules of a game are compiled.

    Args:
        name: The ruleset.
    """
    file = sys.modules[ruleset(name).state.__module__].__file__
    return file is not None and not file.endswith((".py", ".pyc"))


def told_compiled(name: str) -> str:
    """Return the end of a line about games that were played: a word on their rules if these are compiled."""
    return ", with compiled rules" if is_compiled(name) else ""
