"""Rulings of Command Horizon: questions about the rules, as files with tests.

A case is an attack request with its dice, or a scene that is played: steps are started, orders are given, dice fall as
written. After the play, results are compared with the expected ones. Lengths are in centimetres, and sides are A and B.
Units have the names that the scene gives them, and models a number, as in `guards.1`. `form` defines the file,
`reading` reads files, `play` plays rulings.
"""

from __future__ import annotations

from functools import partial

from caltrop.rules.command_horizon.rulings.form import RulingFile
from caltrop.rules.command_horizon.rulings.play import HorizonPlay
from caltrop.rules.command_horizon.rulings.reading import read
from caltrop.scenarios import playing

__all__ = ["RulingFile", "act", "check", "position", "read"]

act = partial(playing.act, HorizonPlay)
check = partial(playing.check, HorizonPlay)
position = partial(playing.position, HorizonPlay)
