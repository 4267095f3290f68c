"""Read rulings, and check every name in them before anything is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec import UNSET

from caltrop.engine import Book
from caltrop.roster import nearest
from caltrop.rules.command_horizon.catalogue import armies, kinds
from caltrop.rules.command_horizon.rulings.form import (
    ARMIES_OF_A_SCENE,
    GAME,
    MODELS,
    SIDES,
    UNITS,
    Case,
    RulingFile,
    RulingLine,
    SceneGiven,
)
from caltrop.rules.command_horizon.rulings.play import HorizonPlay
from caltrop.scenarios.cases import merged
from caltrop.scenarios.reading import Reader
from caltrop.scenarios.rulings import Ruling


class HorizonReader(Reader):
    """Reads rulings of Command Horizon."""

    game = GAME
    form = RulingFile
    play = HorizonPlay
    beside: ClassVar[tuple[str, ...]] = (*Reader.beside, "of")
    extra: ClassVar[tuple[str, ...]] = ("made",)
    units = (*UNITS, "answers")

    def scene(self, ruling: Ruling, case: Case, i: int, editions: Sequence[str]) -> list[str]:
        head = ruling.head
        assert isinstance(head, RulingFile)
        given = merged(head.scene, case.scene, SceneGiven)
        races = given.armies or ARMIES_OF_A_SCENE
        books = [Book(GAME, edition) for edition in editions]
        for race in races:
            for book in books:
                if race not in armies(book):
                    hint = nearest(race, armies(book))
                    message = f"there is no army {race!r} in the edition {book.edition}; {hint}"
                    raise self.scene_fault(ruling, i, message, "armies")
        units = given.units or {}
        for name, unit in units.items():
            if unit.side is UNSET or unit.kind is UNSET:
                raise self.scene_fault(ruling, i, f"the unit {name!r} needs a side and a kind", "units", name)
            race = races[SIDES[unit.side]]
            for book in books:
                if unit.kind not in kinds(book, race):
                    hint = nearest(unit.kind, kinds(book, race))
                    message = f"there is no {race} unit {unit.kind!r} in the edition {book.edition}; {hint}"
                    raise self.scene_fault(ruling, i, message, "units", name, "kind")
            for key in ("locked", "marking", "platoon"):
                parts = getattr(unit, key) or ()
                for other in (parts,) if isinstance(parts, str) else parts:
                    if other not in units:
                        message = f"the scene has no unit {other!r}; {nearest(other, units)}"
                        raise self.scene_fault(ruling, i, message, "units", name, key)
        for wound in given.wounds or ():
            if wound.unit not in units:
                message = f"the scene has no unit {wound.unit!r}; {nearest(wound.unit, units)}"
                raise self.scene_fault(ruling, i, message, "wounds")
        return list(units)

    def line(
        self, ruling: Ruling, line: RulingLine, names: list[str], editions: Sequence[str], *path: str | int
    ) -> None:
        if line.ask == "values of":
            race = line.army or ""
            for book in [Book(GAME, edition) for edition in editions]:
                if line.kind not in kinds(book, race):
                    hint = nearest(line.kind or "", kinds(book, race))
                    message = f"there is no {race} unit {line.kind!r} in the edition {book.edition}; {hint}"
                    raise ruling.wrong(message, *path)
        for key in MODELS:
            value = getattr(line, key)
            if value is not UNSET:
                name, _, number = value.partition(".")
                self.known(ruling, name, names, *path, key)
                if not number.isdigit():
                    raise ruling.wrong("a model is named as in `target.2`", *path, key)
        for part in line.parts or ():
            self.known(ruling, part.target, names, *path, "parts")
        if line.expect is not UNSET:
            for name in line.expect.marks:
                self.known(ruling, name, names, *path, "expect")
        names.extend(line.made)

    def keys_of(self, line: Any) -> list[str]:
        keys = super().keys_of(line)
        return [*keys, "unit"] if line.do is not UNSET and line.of is not UNSET else keys


read = HorizonReader().read
