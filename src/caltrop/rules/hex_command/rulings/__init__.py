"""Rulings of Hex Command: questions about the rules, as files with tests.

A case is an attack request with its dice, or a scene that is played. A scene starts turns and steps, gives orders,
throws dice with the written symbols, and draws cards by name. After the play, results are compared with the expected
ones. `form` defines the file, `reading` reads files, `play` plays rulings.
"""

from __future__ import annotations

from functools import partial

from caltrop.rules.hex_command.rulings.form import RulingFile
from caltrop.rules.hex_command.rulings.play import HexPlay
from caltrop.rules.hex_command.rulings.reading import read
from caltrop.scenarios import playing

__all__ = ["RulingFile", "act", "check", "position", "read"]

act = partial(playing.act, HexPlay)
check = partial(playing.check, HexPlay)
position = partial(playing.position, HexPlay)
