"""Names of the games with compiled rules in this installation: a wheel may contain them, and plays the same games
faster.
"""

from __future__ import annotations

import sys

from caltrop.engine.ruleset import ruleset


def is_compiled(name: str) -> bool:
    """Return whether a game's rules are compiled. Single modules of it may be interpreted all the same."""
    package = ruleset(name).state.__module__.rpartition(".")[0] + "."
    files = [getattr(module, "__file__", None) for key, module in list(sys.modules.items()) if key.startswith(package)]
    return any(file is not None and not file.endswith((".py", ".pyc")) for file in files)


def told_compiled(name: str) -> str:
    """Return a note for a line about played games if their rules are compiled; otherwise an empty text."""
    return ", with compiled rules" if is_compiled(name) else ""
