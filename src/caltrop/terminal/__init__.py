"""Playing in the terminal: `caltrop play --terminal`.

The terminal plays the same games as the browser, from the same database, with the keyboard alone. `sitting`
connects to the games of the server, `lobby` and `screen` are the two screens, `dialogs` are shown above them, and
`custom` chooses the options of a new game.

At the table, `desk` holds the person's view, choices and cursor. `keyboard` interprets each key, and `choosing`,
`pointing`, `typed` and `acting` carry it out. `handover` changes from one person to the next. The screen is drawn
from the desk alone: the table by `frame`, `board` and `hexes`, the text by `panels` and `sheets`, with the phrases of
`words`. All of it is written in English, and `pane` translates it when it is shown. This package contains no rules:
it draws views and sends offers or proposals back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["run"]


def run(setting: Mapping[str, Any], database: str = "", language: str = "en") -> int:
    """Play in this terminal until the person leaves.

    Returns the exit code. Raises InputError for something that does not exist or fit, or if there is no terminal.

    Args:
        setting: The settings of a new game, as for the server; empty to let the person choose.
        database: The database of games; the user's data folder by default.
        language: The language of the texts, as in `de`.
    """
    import asyncio
    import sys

    from caltrop.errors import InputError

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("playing in the terminal needs a terminal; without --terminal the browser opens")
    from caltrop.terminal.app import main

    return asyncio.run(main(setting, database, language))
