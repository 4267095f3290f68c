"""Rulings of the duel: questions about its rules as files that are played out. Lengths are centimetres.

A case is a strike with its die, or a scene: a turn is started, the sides answer, dice fall as they are written, and
what must hold is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine import Event, total
from caltrop.geometry import CM
from caltrop.rules.duel.attack import asked
from caltrop.rules.duel.records import BASE, Duel, Duellist
from caltrop.rules.duel.strike import is_in_reach
from caltrop.rules.duel.turn import Turn
from caltrop.rules.duel.walk import walking_distance
from caltrop.scenarios import playing
from caltrop.scenarios.cases import CaseGiven, ExpectedGiven, FileGiven, LineGiven, PositionGiven, merged
from caltrop.scenarios.playing import Play
from caltrop.scenarios.reading import Reader
from caltrop.scenarios.rulings import Ruling

Place = tuple[int, int]


class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A duellist of a scene; the first of them is the first side's."""

    at: Place | UnsetType = UNSET
    wounds: int | UnsetType = UNSET
    breath: int | UnsetType = UNSET
    traits: tuple[str, ...] | UnsetType = UNSET


class SceneGiven(PositionGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position; a case's says only what differs from the ruling's own."""

    units: dict[str, UnitGiven] | UnsetType = UNSET
    table: Place | UnsetType = UNSET
    """Width and height; 16 by 10 where nothing is said."""


class UnitExpected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What must hold of a duellist; what is not said may be anything."""

    at: Place | UnsetType = UNSET
    wounds: int | UnsetType = UNSET
    breath: int | UnsetType = UNSET


class Expected(ExpectedGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What must hold now."""

    units: dict[str, UnitExpected] = msgspec.field(default_factory=dict)


class Line(LineGiven, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of play."""

    dice: tuple[int, ...] | UnsetType = UNSET
    expect: Expected | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    path: tuple[Place, ...] | UnsetType = UNSET
    """The end of every leg of a walk."""


class Case(CaseGiven[SceneGiven, Line], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One case of a ruling."""


class RulingFile(FileGiven[SceneGiven, Case], frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A ruling of the duel."""


class DuelPlay(Play):
    """One case, as it is played out."""

    game = "duel"
    sides = {"first": 0, "second": 1}  # noqa: RUF012
    starts = {"turn": (lambda play, line, side: Turn(side=side), ())}  # noqa: RUF012
    questions = {  # noqa: RUF012
        "reach": (lambda play, line: is_in_reach(play.state), ()),
        "walk": (lambda play, line: walking_distance(play.state, play.unit(line.unit)) // CM, ("unit",)),
    }

    def scene(self) -> Duel:
        """The duel that the scene describes."""
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
        """What the die has to show."""
        return {"needed": total(asked(request).needed)}

    def value(self, line: Line, field: str, options: Any) -> Any:
        """The way of a walk."""
        return None if line.path is UNSET else tuple([_on_the_grid(place) for place in line.path])

    def expect(self, wanted: Expected, path: tuple[str | int, ...]) -> None:
        """Compare the duellists with what must hold."""
        for name, unit in wanted.units.items():
            now: Duellist = self.state.duellists[self.unit(name)]
            for key in unit.__struct_fields__:
                value, got = getattr(unit, key), getattr(now, key)
                if value is not UNSET:
                    got = [length / CM for length in got] if key == "at" else got
                    self.compare(
                        (*path, "units", name, key), f"{name}.{key}", list(value) if key == "at" else value, got
                    )
        self.asked_now(wanted, path)
        self.events(wanted, path)

    def written(self, event: Event, field: str, value: Any) -> Any:
        """Duellists by their names, ways in centimetres."""
        if field == "side":
            return self.called(value)
        return [[x / CM, y / CM] for x, y in value] if field == "path" else value

    def acted(self, line: Line, before: Duel) -> None:
        """Nobody comes into being in a duel."""


def _on_the_grid(place: Place) -> Place:
    return place[0] * CM, place[1] * CM


def _duellist(name: str, given: UnitGiven) -> Duellist:
    at, wounds, breath = given.at or (0, 0), given.wounds, given.breath
    return Duellist(
        name=name.capitalize(),
        at=_on_the_grid(at),
        wounds=3 if isinstance(wounds, UnsetType) else wounds,
        breath=0 if isinstance(breath, UnsetType) else breath,
        traits=given.traits or (),
    )


class DuelReader(Reader):
    """Reads rulings of the duel."""

    game = "duel"
    form = RulingFile
    play = DuelPlay
    units = ("unit",)

    def scene(self, ruling: Ruling, case: Case, i: int, editions: Sequence[str]) -> list[str]:
        """The names of the two duellists, who stand on the table and apart."""
        head = ruling.head
        assert isinstance(head, RulingFile)
        given = merged(head.scene, case.scene, SceneGiven)
        units = given.units or {}
        if len(units) != 2:
            raise self.scene_fault(ruling, i, f"a duel has 2 duellists, and not {len(units)}", "units")
        width, height = given.table or (16, 10)
        for name, unit in units.items():
            x, y = unit.at or (0, 0)
            if not (1 <= x <= width - 1 and 1 <= y <= height - 1):
                said = f"a base of {2 * BASE // CM} cm does not stand on the table at ({x}, {y})"
                raise self.scene_fault(ruling, i, said, "units", name)
        return list(units)

    def line(self, ruling: Ruling, line: Line, known: list[str], editions: Sequence[str], *path: str | int) -> None:
        """Who a question is about."""
        if line.ask is not UNSET and "unit" in self.play.questions[line.ask][1] and line.unit is UNSET:
            raise ruling.wrong(f"{line.ask} needs a unit", *path)


read = DuelReader().read
act = partial(playing.act, DuelPlay)
check = partial(playing.check, DuelPlay)
position = partial(playing.position, DuelPlay)
