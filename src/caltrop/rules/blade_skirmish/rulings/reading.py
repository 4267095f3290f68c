"""Read rulings, and check every name in them before anything is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from caltrop.engine import ruleset
from caltrop.geometry import Disc
from caltrop.roster import nearest
from caltrop.rules.blade_skirmish.armies import LISTS
from caltrop.rules.blade_skirmish.rulings.form import Case, RulingFile, RulingLine, SceneGiven
from caltrop.rules.blade_skirmish.rulings.play import RULESET, SkirmishPlay, place_of, table_of
from caltrop.rules.blade_skirmish.scenarios import base_radius, terrain_of
from caltrop.scenarios.cases import merged
from caltrop.scenarios.reading import Reader
from caltrop.scenarios.rulings import Ruling
from caltrop.table.measured import ground_of, stands

_Path = tuple[str | int, ...]


class SkirmishReader(Reader):
    """Reads rulings of Blade Skirmish."""

    game = RULESET
    form = RulingFile
    play = SkirmishPlay
    units = ("unit", "target")

    def scene(self, ruling: Ruling, case: Case, i: int, editions: Sequence[str]) -> list[str]:
        head = ruling.head
        assert isinstance(head, RulingFile)
        given = merged(head.scene, case.scene, SceneGiven)
        radius = base_radius(ruleset(RULESET).book(None, {**head.rules, **case.rules}))
        for message, path in _faults(given, radius):
            raise self.scene_fault(ruling, i, message, *path)
        return list(given.units or {})

    def line(
        self, ruling: Ruling, line: RulingLine, names: list[str], editions: Sequence[str], *path: str | int
    ) -> None:
        if line.warband is not UNSET and line.warband not in LISTS.files:
            complaint = f"there is no warband {line.warband!r}; {nearest(line.warband, LISTS.files)}"
            raise ruling.wrong(complaint, *path, "warband")
        needs: tuple[str, ...] = ()
        if line.start is not UNSET:
            needs = self.play.starts[line.start][1]
        elif line.ask in ("gap", "sight", "flank"):
            needs = self.play.questions[line.ask][1]
        for key in needs:
            if getattr(line, key) is UNSET:
                raise ruling.wrong(f"{line.start or line.ask} needs a {key}", *path)


def _faults(given: SceneGiven, radius: int) -> Iterator[tuple[str, _Path]]:
    for i, piece in enumerate(given.terrain or ()):
        shapes = [piece.box is not None, bool(piece.outline), piece.circle is not None]
        if sum(shapes) != 1:
            yield f"{piece.id} needs a box, an outline or a circle, and only one of them", ("terrain", i)
        try:
            terrain_of(piece)
        except ValueError as error:
            yield str(error), ("terrain", i)
    if (given.goal == "relic") != (given.relic is not UNSET):
        yield "who fights for a relic needs a place where it lies, and nobody else does", ("goal",)
    ground, taken = ground_of(table_of(given)), list[Disc]()
    for name, unit in (given.units or {}).items():
        if unit.side is UNSET or unit.quality is UNSET or unit.at is UNSET:
            yield f"the fighter {name!r} needs a side, a Quality and a place to stand at", ("units", name)
            return
        base = (*place_of(unit.at), radius)
        if not stands(ground, base, taken):
            yield f"{name} cannot stand at ({unit.at[0]:g}, {unit.at[1]:g})", ("units", name, "at")
        taken.append(base)


read = SkirmishReader().read
