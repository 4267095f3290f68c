"""Rulings of the duel: questions about its rules, as files with tests.

A case is a strike with its die, or a scene. In a scene a turn is started, the sides answer, the dice have the written
results, and the state is compared with the expected state. `form` defines the file, `reading` reads files, `play` plays
rulings.
"""

from __future__ import annotations

from functools import partial

from caltrop.rules.duel.rulings.form import RulingFile
from caltrop.rules.duel.rulings.play import DuelPlay
from caltrop.rules.duel.rulings.reading import read
from caltrop.scenarios import playing

__all__ = ["RulingFile", "act", "check", "position", "read"]

act = partial(playing.act, DuelPlay)
check = partial(playing.check, DuelPlay)
position = partial(playing.position, DuelPlay)
