"""Plays rulings: makes duels of scenes and actions of lines, and compares the results."""

from __future__ import annotations

from typing import Any

from caltrop.engine import total
from caltrop.geometry import CM
from caltrop.rules.duel.movement import walking_distance
from caltrop.rules.duel.records import Duel, Duellist
from caltrop.rules.duel.requests import asked
from caltrop.rules.duel.rulings.form import SceneGiven, UnitGiven
from caltrop.rules.duel.strike import is_in_reach
from caltrop.rules.duel.turn import Turn
from caltrop.scenarios.cases import keys_said
from caltrop.scenarios.notation import Lengths
from caltrop.scenarios.playing import CasePlay

LENGTHS = Lengths(lambda length: length * CM, lambda length: length / CM)
"""The notation of lengths: centimetres."""


class DuelPlay(CasePlay):
    """One case while it is played."""

    game = "duel"
    sides = {"first": 0, "second": 1}  # noqa: RUF012
    starts = {"turn": (lambda play, line, side: Turn(side=side), ())}  # noqa: RUF012
    questions = {  # noqa: RUF012
        "reach": (lambda play, line: is_in_reach(play.state), ()),
        "walk": (lambda play, line: walking_distance(play.state, play.unit(line.unit)) // CM, ("unit",)),
    }

    shelf = "duellists"
    reads = {"path": lambda play, places: tuple([LENGTHS.place(place) for place in places])}  # noqa: RUF012
    writes = {  # noqa: RUF012
        "side": CasePlay.names,
        "path": lambda play, places: [LENGTHS.written(place) for place in places],
    }
    unit_facts = {  # noqa: RUF012
        "at": lambda play, unit, expected: LENGTHS.written(play.state.duellists[unit].at)
    }

    def scene(self) -> Duel:
        given = self.scene_given(SceneGiven)
        width, height = given.table or (16, 10)
        return Duel(
            book=self.book,
            stack=[],
            width=width * CM,
            height=height * CM,
            rounds=8,
            round=1,
            duellists=[_duellist(name, unit) for name, unit in (given.units or {}).items()],
        )

    def before_dice(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"needed": total(asked(request).needed)}


def _duellist(name: str, given: UnitGiven) -> Duellist:
    own: dict[str, Any] = {"wounds": 3, "breath": 0, **keys_said(given)}
    return Duellist(**{**own, "name": name.capitalize(), "at": LENGTHS.place(given.at or (0, 0))})
