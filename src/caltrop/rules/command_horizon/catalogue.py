"""The armies and their units as data: the printed values of each edition, with their clauses.

The data is in `data/units.yaml` and `data/house_rules.yaml`. A unit's row for an edition is its row in the current
edition with that edition's changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec

from caltrop.clauses import WATCHED, Mark
from caltrop.engine import Book, row_marks, rule, switches_in
from caltrop.engine.packs import Sheet
from caltrop.engine.rule import HasBook
from caltrop.geometry import CM
from caltrop.kit.rows import ground_sheet, kinds_here, kinds_in_force
from caltrop.picture import Look, Paint
from caltrop.roster import read_yaml
from caltrop.table.measured import read_kinds
from caltrop.table.measured.kinds import Kinds

_DATA = Path(__file__).parent / "data"
_FILE = _DATA / "units.yaml"

EDITIONS = ("current", "v1.5")

KINDS = read_kinds(_DATA / "terrain.yaml")

UnitClass = Literal["light", "medium", "heavy", "infantry"]
Result = Literal["miss", "stun", "kill", "base", "worm"]
"""Result of a die: nothing, a stun, a kill, a Putredine base 1 cm from the target, or a base that attaches to the
target.
"""


class UnitKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The printed values of a unit.

    Fields that end in `_cm` are in whole centimetres. Properties such as `range` are in tenths of a millimetre.
    """

    title: str
    look: Look
    """Drawing of the unit."""
    unit_class: UnitClass = msgspec.field(name="class")
    """Infantry, or the weight of a vehicle."""
    models: int
    """Number of vehicles in a full unit, or of bases in a full Platoon."""
    grows: bool = False
    """True if the unit may grow beyond `models`."""
    squad: int = 0
    """Number of bases in a Squad; 0 for vehicles."""
    squads: int = 0
    """Number of Squads in a Platoon; 0 for vehicles."""
    figures: int = 1
    """Number of figures on a base."""
    range_cm: int = 0
    """Range in centimetres; 0 for a unit that cannot shoot."""
    min_range_cm: int = 0
    """Minimum range in centimetres."""
    ranged_in_cm: int = 0
    """Minimum range of a Ranged In attack in centimetres."""
    pod_min_cm: int = 0
    """Minimum range of its Pods in centimetres."""
    pod_max_cm: int = 0
    """Maximum range of its Pods in centimetres; 0 for none."""
    aura_cm: int = 0
    """Distance within which enemy units reroll their successes (the Slugger), in centimetres."""
    move_cm: int = 0
    """Free move of infantry, in centimetres; for vehicles the printed move."""
    long_move_cm: int = 0
    """Long move of infantry that costs a CP, in centimetres; 0 for none."""
    dice: int = 0
    """Number of Attack Dice of a model that shoots."""
    cc_dice: int = 0
    """Number of Attack Dice of a base in close combat."""
    worm_dice: int | None = None
    """Number of dice with which the unit's Worm Tokens are compared, if it has no Attack Dice of its own."""
    spawn_dice: int = 0
    """Number of dice that the unit throws to spawn; 0 if it does not spawn."""
    defence: int = 0
    """Number of bonus Defence Dice of the unit."""
    cc_defence: int = 0
    """Number of bonus Defence Dice in close combat only."""
    cp: int = 0
    """Number of command points that the unit generates."""
    vp: int = 0
    """Number of victory points for the enemy who destroys it."""
    base_cm: int = 3
    """Diameter of a base in centimetres."""
    marks: bool = False
    """True if the unit may mark targets for artillery."""
    secures: bool = False
    """True if the unit may secure objectives, in addition to capturing them."""
    fire_table: str = "main"
    """Result table for the unit's shots at vehicles."""
    close_combat_table: str = ""
    """Result table for the unit's attacks in close combat; empty for the usual table."""
    traits: tuple[str, ...] = ()
    """Traits of the unit for amendments of rules, besides those of its army."""
    clauses: dict[str, str] = {}

    army: str = ""
    key: str = ""
    """Key of the row, such as `medium-tank`."""
    edition: str = ""

    @property
    def infantry(self) -> bool:
        return self.unit_class == "infantry"

    @property
    def light(self) -> bool:
        """True for a vehicle of the Light class, including Carriers (Q-RUSH-2)."""
        return self.unit_class == "light"

    @property
    def range(self) -> int:
        """Weapon range in tenths of a millimetre."""
        return self.range_cm * CM

    @property
    def min_range(self) -> int:
        """Minimum range in tenths of a millimetre. A target at exactly the minimum range is too near."""
        return self.min_range_cm * CM

    @property
    def base_radius(self) -> int:
        """Radius of a base in tenths of a millimetre."""
        return self.base_cm * CM // 2

    def number(self, field: str) -> int:
        """Return a value of the row and count its use; 0 if the row is switched off."""
        mark = ROWS.get((self.edition, f"{self.army}/{self.key}", field)) if WATCHED else None
        if mark is not None and not mark.fires():
            return 0
        value: int = getattr(self, field)
        return value

    def clause(self, field: str) -> str:
        return self.clauses[field].split()[0]


class ArmyKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An army: the properties that all its units share."""

    title: str
    paint: Paint
    """Colours of the army's units."""
    traits: tuple[str, ...] = ()
    clauses: dict[str, str] = {}


class ResultTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A result table: the effect of each face of an attack die."""

    miss: tuple[int, ...] = ()
    """Faces without an effect."""
    stun: tuple[int, ...] = ()
    """Faces that stun."""
    kill: tuple[int, ...] = ()
    """Faces that destroy a model."""
    base: tuple[int, ...] = ()
    """Faces that put a base of the Putredine 1 cm from the target."""
    worm: tuple[int, ...] = ()
    """Faces that attach a base of the Putredine to the target."""
    clauses: dict[str, str] = {}


_CHANGES = [
    (f.name, f.type | msgspec.UnsetType, msgspec.field(default=msgspec.UNSET, name=f.encode_name))
    for f in msgspec.structs.fields(UnitKind)
]
UnitChange: Any = msgspec.defstruct("UnitChange", _CHANGES, forbid_unknown_fields=True, frozen=True, kw_only=True)
"""An edition's changes to values of a unit."""


class EditionChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    without: tuple[str, ...] = ()
    """Armies that do not exist in the edition."""
    units: dict[str, UnitChange] = {}


class Units(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The contents of the file `data/units.yaml`."""

    armies: dict[str, ArmyKind]
    tables: dict[str, ResultTable]
    units: dict[str, UnitKind]
    editions: dict[str, EditionChange]


_READ = read_yaml(_FILE, Units)
_UNITS: Units = _READ.value

ARMIES: dict[str, ArmyKind] = _UNITS.armies

ROWS: dict[tuple[str, str, str], Mark] = {}
"""Counters of the uses of each value, by edition, row and field."""


def _marked() -> None:
    sections: tuple[tuple[str, Any], ...] = (
        ("armies", _UNITS.armies),
        ("tables", _UNITS.tables),
        ("units", _UNITS.units),
    )
    for section, rows in sections:
        marks = row_marks(
            _FILE,
            {name: row.clauses for name, row in rows.items()},
            {name: _READ.line(section, name) for name in rows},
        )
        for name, row in rows.items():
            for field in row.clauses:
                for edition in EDITIONS:
                    ROWS[(edition, name, field)] = marks[f"{name}.{field}"]
    for edition, change in _UNITS.editions.items():
        rows = {name: row.clauses for name, row in change.units.items() if row.clauses}
        lines = {f"{edition}/{name}": _READ.line("editions", edition, "units", name) for name in rows}
        marks = row_marks(_FILE, {f"{edition}/{name}": clauses for name, clauses in rows.items()}, lines)
        for name, clauses in rows.items():
            for field in clauses:
                ROWS[(edition, name, field)] = marks[f"{edition}/{name}.{field}"]


_marked()


def _compiled() -> dict[str, dict[tuple[str, str], UnitKind]]:
    out: dict[str, dict[tuple[str, str], UnitKind]] = {}
    for edition in EDITIONS:
        change = _UNITS.editions.get(edition, EditionChange())
        out[edition] = {}
        for name, row in _UNITS.units.items():
            army, key = name.split("/")
            if army in change.without:
                continue
            fields: dict[str, Any] = {"army": army, "key": key, "edition": edition}
            over = change.units.get(name)
            if over is not None:
                for field in msgspec.structs.fields(over):
                    value = getattr(over, field.name)
                    if value is not msgspec.UNSET:
                        fields[field.name] = {**row.clauses, **value} if field.name == "clauses" else value
            fields["traits"] = (*fields.get("traits", row.traits), *ARMIES[army].traits)
            out[edition][army, key] = msgspec.structs.replace(row, **fields)
    return out


_BY_EDITION = _compiled()


_BY_KEY = {
    edition: {f"{army}/{key}": row for (army, key), row in rows.items()} for edition, rows in _BY_EDITION.items()
}
"""Rows of each edition by the names that packs use."""

_TRAITS = sorted({trait for rows in _BY_EDITION.values() for row in rows.values() for trait in row.traits})
_CM = (0, 120)
"""Bounds of a length, in centimetres."""


def _finished(key: str, row: UnitKind, base: UnitKind | None) -> UnitKind:
    army, _, kind = key.partition("/")
    traits = ARMIES[army].traits if army in ARMIES else ()
    return msgspec.structs.replace(row, army=army, key=kind, traits=tuple(dict.fromkeys((*row.traits, *traits))))


def _unit_at_fault(key: str, row: UnitKind) -> Iterator[tuple[str, str]]:
    if row.army not in ARMIES or not row.key:
        yield f"its key is ARMY/KIND, as in alliance/scout-car; the armies are {', '.join(ARMIES)}", ""
    if row.infantry != bool(row.squad and row.squads):
        yield "infantry has Squads, and vehicles have none", "squads"
    if row.pod_min_cm > row.pod_max_cm:
        yield f"a pod flies {row.pod_max_cm} cm at most, and {row.pod_min_cm} at least", "pod_min_cm"


UNIT_SHEET = Sheet(
    "units",
    UnitKind,
    lambda edition: _BY_KEY[edition or EDITIONS[0]],
    words="The units of each army, named ARMY/KIND; lengths in centimetres",
    hidden=("army", "key", "edition", "clauses"),
    limits={
        "models": (1, 12),
        "squad": (0, 8),
        "squads": (0, 6),
        "figures": (1, 8),
        **{field.name: _CM for field in msgspec.structs.fields(UnitKind) if field.name.endswith("_cm")},
        "base_cm": (1, 6),
        "dice": (0, 8),
        "cc_dice": (0, 6),
        "worm_dice": (0, 6),
        "spawn_dice": (0, 4),
        "defence": (0, 6),
        "cc_defence": (0, 6),
        "cp": (0, 6),
        "vp": (0, 10),
    },
    refs={
        "traits": lambda rows: _TRAITS,
        "fire_table": "tables",
        "close_combat_table": "tables",
    },
    check=_unit_at_fault,
    editions=EDITIONS,
    finish=_finished,
)


def _table_at_fault(key: str, row: ResultTable) -> Iterator[tuple[str, str]]:
    faces = sorted([*row.miss, *row.stun, *row.kill, *row.base, *row.worm])
    if faces != [1, 2, 3, 4, 5, 6]:
        yield "each face from 1 to 6 is in one line of a table", ""


TABLE_SHEET = Sheet(
    "tables",
    ResultTable,
    _UNITS.tables,
    words="The result tables: what each face of an attack die does",
    hidden=("clauses",),
    limits=dict.fromkeys(("miss", "stun", "kill", "base", "worm"), (1, 6)),
    check=_table_at_fault,
    grows=False,
)
TERRAIN = ground_sheet(KINDS)

SHEETS = (UNIT_SHEET, TABLE_SHEET, TERRAIN)
"""The sheets whose rows a pack may change."""


def kinds_of_ground(b: HasBook) -> Kinds:
    return kinds_in_force(b, TERRAIN, KINDS)


def ground_kinds_here() -> Kinds:
    """Return the kinds of terrain with which a scenario is being read."""
    return kinds_here(TERRAIN, KINDS)


def armies(book: Book) -> tuple[str, ...]:
    return tuple(dict.fromkeys(army for army, _ in _BY_EDITION[book.edition]))


def kinds(book: Book, army: str) -> tuple[str, ...]:
    """Return the kinds of units of *army* in the book's edition, in the order of the file."""
    return tuple([row.key for row in UNIT_SHEET.of(book).values() if row.army == army])


def unit_kind(b: HasBook, army: str, kind: str) -> UnitKind:
    """Return the row of a unit in the book's edition.

    Raises KeyError for a unit that the army or the edition does not have.
    """
    book = b.book
    if book.pack is None:
        return _BY_EDITION[book.edition][army, kind]
    return UNIT_SHEET.of(book)[f"{army}/{kind}"]


def rows_read(book: Book, forces: Collection[tuple[str, str]]) -> dict[str, Any]:
    """Return the data that affects a battle, by name: rows of its units, its armies, and the result tables.

    Args:
        forces: Pairs of an army and a kind of unit in the battle.
    """
    tables: dict[str, Any] = {f"tables/{name}": row for name, row in TABLE_SHEET.of(book).items()}
    # Infestation may create infantry during the battle.
    spawn = {(army, "infantry") for army, _ in forces if "infestation" in ARMIES[army].traits}
    for army, kind in sorted({*forces, *spawn}):
        tables[f"armies/{army}"] = ARMIES[army]
        tables[f"units/{army}/{kind}"] = unit_kind(book, army, kind)
    return tables


def table(b: HasBook, name: str) -> tuple[Result, ...]:
    """Return the result of each face on a table, and count its use. `table(...)[face - 1]` is the result of a face.

    In a row that is switched off, every face misses.
    """
    row, edition = TABLE_SHEET.of(b)[name], b.book.edition
    out: list[Result] = ["miss"] * 6
    results: tuple[Result, ...] = ("stun", "kill", "base", "worm", "miss")
    for result in results:
        faces: tuple[int, ...] = getattr(row, result)
        mark = ROWS.get((edition, name, result))
        if not faces or mark is None or not mark.fires():
            continue
        for face in faces:
            out[face - 1] = result
    return tuple(out)


def table_clauses(name: str, result: str) -> str:
    """Return the first clause of a result in a table; empty if the table has no such result."""
    return _UNITS.tables[name].clauses.get(result, "").split(" ")[0]


@rule("CH-ASORI-07", "CH-ASORI-08", stages=("tanks",))
def full_strength(b: HasBook, unit: UnitKind) -> int:
    """A unit has the printed number of models. A Shield Drone does not count as a model."""
    return unit.number("models")


@full_strength.amended_by("Q-ASORI-3", stage="tanks", edition="v1.5", house={"v15.heavyCommandTanks": 2})
def two_tanks_beside_the_drone(models: int, b: HasBook, unit: UnitKind) -> int:
    return 2 if "shield-drone" in unit.traits else models


switches = partial(switches_in, _DATA)
"""All house rules, read from `data/house_rules.yaml`."""
