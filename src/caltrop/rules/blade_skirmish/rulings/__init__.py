"""Rulings of Blade Skirmish: questions about the rules, as files with tests.

A case is an attack request with its dice, or a scene that is played: phases, combats and turns are started, fighters
follow orders, dice fall as written. After the play, results are compared with the expected ones. `form` defines the
file, `reading` reads files, `play` plays rulings.
"""

from __future__ import annotations

from functools import partial

from caltrop.rules.blade_skirmish.rulings.form import RulingFile
from caltrop.rules.blade_skirmish.rulings.play import SkirmishPlay
from caltrop.rules.blade_skirmish.rulings.reading import read
from caltrop.scenarios import playing

__all__ = ["RulingFile", "act", "check", "position", "read"]

act = partial(playing.act, SkirmishPlay)
check = partial(playing.check, SkirmishPlay)
position = partial(playing.position, SkirmishPlay)
