"""The names of the games whose rules are compiled in this installation. Compiled rules play the same games faster."""

from __future__ import annotations

import sys

from caltrop.engine.ruleset import ruleset


def is_compiled(name: str) -> bool:
    """Return whether a game's rules are compiled. Some modules of the game may still be interpreted."""
    package = ruleset(name).state.__module__.rpartition(".")[0] + "."
    files = [getattr(module, "__file__", None) for key, module in list(sys.modules.items()) if key.startswith(package)]
    return any(file is not None and not file.endswith((".py", ".pyc")) for file in files)


def told_compiled(name: str) -> str:
    """Return a note that a game's rules are compiled, for a report of played games; empty if they are not."""
    return ", with compiled rules" if is_compiled(name) else ""
