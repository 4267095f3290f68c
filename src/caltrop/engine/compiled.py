"""Tells which games have compiled rules here: a wheel may hold them, and plays the same games faster."""

from __future__ import annotations

import sys

from caltrop.engine.ruleset import ruleset


def is_compiled(name: str) -> bool:
    file = sys.modules[ruleset(name).state.__module__].__file__
    return file is not None and not file.endswith((".py", ".pyc"))


def told_compiled(name: str) -> str:
    """Return the note that ends a line about played games if their rules are compiled; empty otherwise."""
    return ", with compiled rules" if is_compiled(name) else ""
