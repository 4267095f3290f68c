"""Playing in the terminal: `caltrop play --terminal`.

The same games as in the browser, from the same database, with every decision answered on the keyboard. `sitting` is who
sits at the games of the server, `lobby` and `screen` are what is seen, `dialogs` what is laid over it. `custom`
is how a new game is to be played.

At the table, `desk` holds what lies before the person: the view, the choices, the cursor. `keyboard` gives each key its
meaning, and what it does is done by `choosing`, `pointing`, `typed` and `acting`; `handover` changes one person for the
next. The screen is made of the desk alone: the table by `frame`, `board` and `hexes`, the text by `panels` and
`sheets`, all in the phrases of `words`. No rule and no game is known here: it draws views and sends back what was
offered or proposed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["run"]


def run(setting: Mapping[str, Any], database: str = "") -> int:
    """Play in this terminal until the person leaves.

    Args:
        setting: The game to be made, as the server is asked for it; a choice of games if it is empty.
        database: Place where games are kept; the user's data folder by default.

    Returns:
        The exit code.

    Raises:
        InputError: for what does not exist or does not fit, or if there is no terminal.
    """
    import asyncio
    import sys

    from caltrop.errors import InputError

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("playing in the terminal needs a terminal; without --terminal the browser opens")
    from caltrop.terminal.app import main

    return asyncio.run(main(setting, database))
