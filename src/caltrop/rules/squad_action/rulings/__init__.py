"""Rulings of Squad Action: questions about the rules, as files with tests.

A case is an attack request, with or without dice, or a scene that is played. A scene starts turns, units act, dice fall
as written, and results are compared with the expected ones. `form` defines the file, `reading` reads files, `play`
plays rulings.
"""

from __future__ import annotations

from functools import partial

from caltrop.rules.squad_action.rulings.form import RulingFile
from caltrop.rules.squad_action.rulings.play import SquadPlay
from caltrop.rules.squad_action.rulings.reading import read
from caltrop.scenarios import playing

__all__ = ["RulingFile", "act", "check", "position", "read"]

act = partial(playing.act, SquadPlay)
check = partial(playing.check, SquadPlay)
position = partial(playing.position, SquadPlay)
