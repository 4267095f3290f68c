"""Plays rulings: makes duels of scenes and actions of lines, and compares the results."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from caltrop.engine import Event, total
from caltrop.geometry import CM
from caltrop.rules.duel.movement import walking_distance
from caltrop.rules.duel.records import Duel, Duellist
from caltrop.rules.duel.requests import asked
from caltrop.rules.duel.rulings.form import Expected, Place, RulingLine, SceneGiven, UnitGiven
from caltrop.rules.duel.strike import is_in_reach
from caltrop.rules.duel.turn import Turn
from caltrop.scenarios.cases import keys_said
from caltrop.scenarios.playing import CasePlay


class DuelPlay(CasePlay):
    """One case while it is played."""

    game = "duel"
    sides = {"first": 0, "second": 1}  # noqa: RUF012
    starts = {"turn": (lambda play, line, side: Turn(side=side), ())}  # noqa: RUF012
    questions = {  # noqa: RUF012
        "reach": (lambda play, line: is_in_reach(play.state), ()),
        "walk": (lambda play, line: walking_distance(play.state, play.unit(line.unit)) // CM, ("unit",)),
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

    def value(self, line: RulingLine, field: str, options: Any) -> Any:
        given = getattr(line, field)
        if given is UNSET:
            return None
        return tuple([_on_the_grid(place) for place in given]) if field == "path" else given

    def expect(self, expected: Expected, path: tuple[str | int, ...]) -> None:
        for name, unit in expected.units.items():
            now: Duellist = self.state.duellists[self.unit(name)]
            for key, value in keys_said(unit).items():
                got = [length / CM for length in now.at] if key == "at" else getattr(now, key)
                self.compare((*path, "units", name, key), f"{name}.{key}", list(value) if key == "at" else value, got)
        self.asked_now(expected, path)
        self.events(expected, path)

    def written(self, event: Event, field: str, value: Any) -> Any:
        if field == "side":
            return self.called(value)
        return [[x / CM, y / CM] for x, y in value] if field == "path" else value

    def acted(self, line: RulingLine, before: Duel) -> None: ...


def _on_the_grid(place: Place) -> Place:
    return place[0] * CM, place[1] * CM


def _duellist(name: str, given: UnitGiven) -> Duellist:
    own: dict[str, Any] = {"wounds": 3, "breath": 0, **keys_said(given)}
    return Duellist(**{**own, "name": name.capitalize(), "at": _on_the_grid(given.at or (0, 0))})
