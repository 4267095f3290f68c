"""Read rulings, and check every name in them before anything is played."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import UNSET

from caltrop.agreeing import quantity
from caltrop.engine import ruleset
from caltrop.geometry import body_inside, overlap
from caltrop.roster import nearest
from caltrop.rules.squad_action.armies import find
from caltrop.rules.squad_action.catalogue import KINDS, SUPPLIED, TRAITS, ways_of
from caltrop.rules.squad_action.places import bodies, on_table
from caltrop.rules.squad_action.requests import RULESET
from caltrop.rules.squad_action.rulings.form import UNITS, Case, RulingFile, RulingLine, SceneGiven, UnitGiven
from caltrop.rules.squad_action.rulings.play import SquadPlay, firefight_of
from caltrop.rules.squad_action.scenarios import terrain_of
from caltrop.scenarios.cases import merged
from caltrop.scenarios.reading import Reader
from caltrop.scenarios.rulings import Ruling

_Path = tuple[str | int, ...]


class SquadReader(Reader):
    """Reads rulings of Squad Action."""

    game = RULESET
    form = RulingFile
    play = SquadPlay
    beside = (*Reader.beside, "then")
    units = UNITS

    def scene(self, ruling: Ruling, case: Case, i: int, editions: Sequence[str]) -> list[str]:
        head = ruling.head
        assert isinstance(head, RulingFile)
        given = merged(head.scene, case.scene, SceneGiven)
        for message, path in _faults(given):
            raise self.scene_fault(ruling, i, message, *path)
        t = firefight_of(given, ruleset(RULESET).book(None, {**head.rules, **case.rules}))
        there = [(u, body) for u in on_table(t) for body in bodies(t, u.id)]
        names = list(given.units or {})
        for u, body in there:
            if not body_inside(body, t.ground.box):
                raise self.scene_fault(ruling, i, f"{names[u.id]} is not wholly on the table", "units", names[u.id])
        for (u, a), (v, b) in combinations(there, 2):
            if overlap(a, b):
                message = f"{names[v.id]} stands on {names[u.id]}"
                raise self.scene_fault(ruling, i, message, "units", names[v.id])
        return names

    def line(
        self, ruling: Ruling, line: RulingLine, names: list[str], editions: Sequence[str], *path: str | int
    ) -> None:
        """Check units in lists, weapons, forces, and the subject of a question."""
        for key in ("targets", "partners"):
            for name in getattr(line, key) or ():
                self.known(ruling, name, names, *path, key)
        for weapon, target in (line.fire or {}).items():
            self.known(ruling, target, names, *path, "fire")
            if weapon not in SUPPLIED.weapons:
                raise ruling.wrong(_no("weapon", weapon, SUPPLIED.weapons), *path, "fire")
        if line.weapon is not UNSET and line.weapon not in SUPPLIED.weapons:
            raise ruling.wrong(_no("weapon", line.weapon, SUPPLIED.weapons), *path, "weapon")
        if line.ask == "points":
            find(line.force or "")
        needs = {"gap": 2, "sight": 2, "cover": 2, "face": 2, "needed": 2}.get(str(line.ask), 0)
        for key in ("unit", "target")[:needs]:
            if getattr(line, key) is UNSET:
                raise ruling.wrong(f"{line.ask} needs a {key}", *path)


def _no(what: str, word: str, every: Collection[str]) -> str:
    return f"there is no {what} {word!r}; {nearest(word, every)}"


def _faults(given: SceneGiven) -> Iterator[tuple[str, _Path]]:
    units: Mapping[str, UnitGiven] = given.units or {}
    for i, piece in enumerate(given.terrain or ()):
        if piece.kind not in KINDS:
            yield _no("terrain", piece.kind, KINDS), ("terrain", i, "kind")
            return
        shapes = (piece.box is not None, piece.line is not None, bool(piece.outline), piece.circle is not None)
        if sum(shapes) != 1:
            yield f"{piece.id} has one shape: a box, a line, an outline or a circle", ("terrain", i)
        try:
            terrain_of(piece)
        except ValueError as error:
            yield str(error), ("terrain", i)
    rows = [*SUPPLIED.profiles, *SUPPLIED.vehicles]
    for name, unit in units.items():
        path: _Path = ("units", name)
        off = unit.reserve or unit.due or unit.aboard
        if unit.side is UNSET or unit.kind is UNSET or (unit.at is UNSET and not off):
            yield f"the unit {name!r} needs a side, a kind and a place to stand at", path
            return
        if unit.kind not in rows:
            yield _no("profile or vehicle", unit.kind, rows), (*path, "kind")
            return
        if unit.facing and not any(unit.facing):
            yield f"{name} faces nowhere: (0, 0) is not a direction", (*path, "facing")
            return
        models = 8 if unit.models is UNSET else unit.models
        if len(unit.weapons or ()) > models:
            yield (
                f"{name} has {quantity(models, 'model')}, and {quantity(len(unit.weapons or ()), 'weapon')}",
                (*path, "weapons"),
            )
        for weapon in (*(unit.weapons or ()), *([unit.arms] if unit.arms else [])):
            if not ways_of(weapon):
                yield _no("weapon", weapon, SUPPLIED.weapons), path
        for trait in unit.traits or ():
            if trait not in TRAITS:
                yield _no("trait", trait, TRAITS), (*path, "traits")
        for other in (*([unit.aboard] if unit.aboard else []), *(unit.braved or ())):
            if other not in units:
                yield f"the scene has no unit {other!r}; {nearest(other, units)}", path
    for i, cloud in enumerate(given.clouds or ()):
        if cloud.unit not in units:
            yield f"the scene has no unit {cloud.unit!r}; {nearest(cloud.unit, units)}", ("clouds", i)


read = SquadReader().read
