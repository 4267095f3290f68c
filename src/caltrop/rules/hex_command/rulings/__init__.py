"""Rulings of Hex Command: questions about the rules, as files with tests.

A case is either an attack request with its dice, or a scene that is played. Turns and steps are started, orders given,
dice fall as their symbols are written, cards are drawn by name, and the expected values are compared. `form` defines
the file, `reading` reads it, `play` plays it.
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
