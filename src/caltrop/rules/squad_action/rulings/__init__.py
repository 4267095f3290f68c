"""Rulings of Squad Action: questions about the rules, as files with tests.

A case is either an attack request, with its dice or before they fall, or a scene that is played. Turns are started,
units do what they announce, dice fall as they are written, and the expected values are compared. `form` defines the
file, `reading` reads it, `play` plays it.
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
