"""The data of Squad Action: troop profiles, weapons, vehicles, traits and kinds of terrain.

The rows come from the files in `data`; players' lists may replace them. Lengths are in tenths of a millimetre, or in
inches if a name says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.clauses import WATCHED, Mark
from caltrop.engine import row_marks
from caltrop.engine.packs import Pack, Rows, Sheet, read_with
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH
from caltrop.kit.rows import ground_sheet, kinds_here, kinds_in_force
from caltrop.picture import Look
from caltrop.roster import read_yaml
from caltrop.table.measured.kinds import Kinds, read_kinds

_DATA = Path(__file__).parent / "data"

Class = Literal["U", "VLt", "Lt", "Med", "Hvy", "VHvy"]
"""A class of anti-tank power (AT) or armour (SQ-S50)."""

LADDER: tuple[Class, ...] = ("U", "VLt", "Lt", "Med", "Hvy", "VHvy")
"""All classes, the weakest first (SQ-ORG-67)."""

CLASS_IN_WORDS: dict[Class, str] = {
    "U": "none",
    "VLt": "very light",
    "Lt": "light",
    "Med": "medium",
    "Hvy": "heavy",
    "VHvy": "very heavy",
}
"""The classes of anti-tank power and armour in words."""

Face = Literal["front", "side", "rear"]
FACES_OF_ARMOUR: tuple[Face, ...] = ("front", "side", "rear")
"""Faces of a vehicle, in the order of its armour values in the vehicle list."""


def faces_in_words(front: Class, side: Class, rear: Class) -> tuple[str, str, str]:
    """Return the armour of each face of a machine in words, such as "front very light"."""
    return f"front {CLASS_IN_WORDS[front]}", f"side {CLASS_IN_WORDS[side]}", f"rear {CLASS_IN_WORDS[rear]}"


def armour_in_words(front: Class, side: Class, rear: Class) -> str:
    """Return the armour of a machine in words: "front light, side light, rear none", or "medium all round"."""
    if front == side == rear:
        return f"{CLASS_IN_WORDS[front]} all round"
    return ", ".join(faces_in_words(front, side, rear))


Kind = Literal["infantry", "vehicle", "walker", "flyer"]
"""Kind of a unit: a squad or a team on foot, or one machine."""

Cover = Literal["none", "soft", "hard", "fortified"]
COVERS: tuple[Cover, ...] = ("none", "soft", "hard", "fortified")

NO_SAVE = 7
"""A target number that no die reaches."""

TABLE_SIDES = (24, 96)
"""Smallest and largest width or height of a table, in inches."""


def inches(length: int | float | str) -> int:
    """Return a length in inches as whole tenths of a millimetre, rounding halves to the even number.

    >>> inches(6), inches("2.5"), inches(0.6)
    (1524, 635, 152)
    """
    return int((Decimal(str(length)) * INCH).quantize(Decimal(1), ROUND_HALF_EVEN))


_STANDS_IN = {
    "profile": {
        "fire": "SQ-S12 SQ-ORG-11",
        "cqb": "SQ-S12 SQ-CQB-09",
        "morale": "SQ-S12 SQ-ORG-22",
        "armour": "SQ-S12",
        "points": "SQ-S12",
    },
    "weapon": {
        "effective": "SQ-S13",
        "reach": "SQ-S13 SQ-ORG-15",
        "shots": "SQ-S13",
        "ap": "SQ-S13",
        "at": "SQ-S13",
        "points": "SQ-S13",
    },
    "vehicle": {
        "move": "SQ-S55",
        "armour": "SQ-S55",
        "seats": "SQ-S55 SQ-S45",
        "morale": "SQ-S55",
        "points": "SQ-S55",
        "cqb": "SQ-S55",
    },
    "trait": {"points": "SQ-S14"},
}
"""Clauses on which the values of each row are based."""


_NONE: dict[str, Mark] = {}
_marks: dict[int, dict[str, Mark]] = {}
"""The mark of each value of the supplied rows. Rows of players' lists have none.

Marks are stored separately from the rows, because authors write no marks.
"""


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of data. Reading a value marks its clauses as used."""

    key: str = ""

    def _read(self, field: str, off: Any) -> Any:
        mark = _marks.get(id(self), _NONE).get(field) if WATCHED else None
        if mark is not None and not mark.fires():
            return off
        return getattr(self, field)


class Profile(_Row, frozen=True, kw_only=True):
    title: str
    plural: str
    fire: int
    """Lowest roll that hits; a lower value is better."""
    cqb: int
    """Lowest roll that hits in close quarters; a lower value is better (SQ-Q21)."""
    morale: int
    """Lowest roll that passes a Morale test; a lower value is better."""
    armour: int
    """Lowest roll that saves; 7 for no save."""
    points: int
    """Cost of one model in points."""
    traits: tuple[str, ...] = ()
    """Special abilities of all its units."""
    look: Look | UnsetType = UNSET
    """Drawing of a soldier; by default a rifleman."""

    def number(self, field: Literal["fire", "cqb", "morale", "armour", "points"]) -> int:
        """Return a value of the row and mark it as used. If the row is switched off, return 0 points or an unreachable
        number.
        """
        number: int = self._read(field, 0 if field == "points" else NO_SAVE)
        return number


class Weapon(_Row, frozen=True, kw_only=True):
    """A weapon, or one firing mode of a gun."""

    title: str
    effective_in: int | float = msgspec.field(name="effective")
    """Effective range in inches."""
    reach_in: int | float | None = msgspec.field(name="reach", default=None)
    """Maximum range in inches; None for the whole table."""
    least_in: int | float = msgspec.field(name="least", default=0)
    """Minimum range in inches."""
    shots: int | Literal["d6"]
    """Number of shots of one model; `d6` if it is rolled."""
    ap: int
    """Modifier to armour saves, 0 or less."""
    at: Class
    """Class of anti-tank power, from U (none) to VHvy (very heavy)."""
    points: int
    """Cost of one such weapon in points."""
    look: Look | UnsetType = UNSET
    """Drawing of a soldier with this weapon; unset if the weapon does not show."""
    gun: str = ""
    """The gun of which this is a firing mode, if it has several. The mode is chosen for each Shoot."""
    traits: tuple[str, ...] = ()
    """Special rules of the weapon."""

    @property
    def effective(self) -> int:
        return inches(self._read("effective_in", 0))

    @property
    def reach(self) -> int | None:
        length = self._read("reach_in", None)
        return None if length is None else inches(length)

    @property
    def by_die(self) -> bool:
        """True if the number of shots is rolled."""
        return self.shots == "d6"

    def has(self, trait: str) -> bool:
        """Return whether the weapon has a trait, such as `once-per-turn`."""
        return trait in self.traits

    def armour_piercing(self) -> int:
        """Return the modifier to armour saves, and mark the value as used."""
        number: int = self._read("ap", 0)
        return number

    def anti_tank(self) -> Class:
        """Return the anti-tank class, and mark the value as used."""
        class_: Class = self._read("at", "U")
        return class_


class Vehicle(_Row, frozen=True, kw_only=True):
    """A kind of vehicle, walker or flyer."""

    title: str
    kind: Literal["vehicle", "walker", "flyer"] = "vehicle"
    """Way in which the vehicle moves."""
    move_in: int | float = msgspec.field(name="move")
    """Base move in inches."""
    armour: tuple[Class, Class, Class]
    """Armour of front, sides and rear."""
    weapons: tuple[str, ...] = ()
    """Mounted weapons."""
    gun_at: Class | None = None
    """AT class of solid shot from the vehicle's gun, if it differs from the weapon's."""
    seats: int = 0
    """Number of models that the vehicle can carry."""
    morale: int
    """Lowest roll that passes a Morale test; a lower value is better."""
    cqb: int = 0
    """CQB value of a walker (SQ-CQB-04); 0 if it has none."""
    points: int
    """Cost of the vehicle in points."""
    dischargers: bool = False
    """True if the vehicle can lay smoke (SQ-ORG-52)."""
    look: Look | UnsetType = UNSET
    """Drawing of the vehicle; by default it follows from its kind, seats and weapons."""

    @property
    def move(self) -> int:
        return inches(self._read("move_in", 0))

    def face(self, face: Face) -> Class:
        """Return the armour of a face, and mark the value as used."""
        rows: tuple[Class, Class, Class] = self._read("armour", ("U", "U", "U"))
        return rows[FACES_OF_ARMOUR.index(face)]

    def number(self, field: Literal["seats", "morale", "points", "cqb"]) -> int:
        """Return a value of the row and mark it as used. If the row is switched off, return 0 seats or points, or an
        unreachable number.
        """
        number: int = self._read(field, NO_SAVE if field == "morale" else 0)
        return number


class Trait(_Row, frozen=True, kw_only=True):
    """A special ability of a unit."""

    title: str
    points: int
    """Points for each model (SQ-S14)."""
    words: str
    clauses: str = ""

    def number(self, field: Literal["points"]) -> int:
        """Return the cost of the trait, and note that the game reads it; 0 if a house rule switches it off."""
        number: int = self._read(field, 0)
        return number


OFFICER_POINTS, SPOTTER_POINTS = 20, 10
"""Points of an Officer and of a spotter's kit, in addition to the model (SQ-S14)."""


class Lists(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Profiles, weapons and vehicles: the supplied rows, or the rows with a player's changes."""

    profiles: dict[str, Profile] = {}
    weapons: dict[str, Weapon] = {}
    vehicles: dict[str, Vehicle] = {}


_FIELD = {"effective": "effective_in", "reach": "reach_in", "move": "move_in"}
"""Names of fields in the code, for fields with another name in files."""


def _rows(name: str, type_: Any, stands_in: Mapping[str, str]) -> dict[str, Any]:
    file = _DATA / f"{name}.yaml"
    read = read_yaml(file, dict[str, type_])
    marks = row_marks(file, {key: dict(stands_in) for key in read.value}, {key: read.line(key) for key in read.value})
    by_key = {key: msgspec.structs.replace(row, key=key) for key, row in read.value.items()}
    for key, row in by_key.items():
        _marks[id(row)] = {_FIELD.get(field, field): marks[f"{key}.{field}"] for field in stands_in}
    return by_key


SUPPLIED = Lists(
    profiles=_rows("profiles", Profile, _STANDS_IN["profile"]),
    weapons=_rows("weapons", Weapon, _STANDS_IN["weapon"]),
    vehicles=_rows("vehicles", Vehicle, _STANDS_IN["vehicle"]),
)
"""The supplied rows."""

TRAITS: dict[str, Trait] = _rows("traits", Trait, _STANDS_IN["trait"])
"""The supplied traits, by name."""

_NEEDED, _POINTS, _INCHES = (2, NO_SAVE), (0, 500), (0, 200)
"""Limits of target numbers, points, and lengths in inches."""


def _guns(rows: Rows) -> list[str]:
    weapons = rows("weapons")
    return [*weapons, *dict.fromkeys([row.gun for row in weapons.values() if row.gun])]


def _weapon_traits(rows: Rows) -> list[str]:
    return sorted({trait for row in SUPPLIED.weapons.values() for trait in row.traits})


PROFILES = Sheet(
    "profiles",
    Profile,
    SUPPLIED.profiles,
    words="Kinds of soldier: target numbers and costs",
    limits={"fire": _NEEDED, "cqb": _NEEDED, "morale": _NEEDED, "armour": _NEEDED, "points": _POINTS},
    refs={"traits": "traits"},
)
WEAPONS = Sheet(
    "weapons",
    Weapon,
    SUPPLIED.weapons,
    words="Weapons: ranges in inches, shots, and penetration",
    limits={
        "effective": _INCHES,
        "reach": _INCHES,
        "least": _INCHES,
        "shots": (0, 12),
        "ap": (-6, 2),
        "points": _POINTS,
    },
    refs={"traits": _weapon_traits},
)
VEHICLES = Sheet(
    "vehicles",
    Vehicle,
    SUPPLIED.vehicles,
    words="Vehicles, walkers and flyers",
    limits={"move": (0, 60), "seats": (0, 30), "morale": _NEEDED, "cqb": (0, NO_SAVE), "points": (0, 2000)},
    refs={"weapons": _guns},
)
TRAIT_SHEET = Sheet(
    "traits",
    Trait,
    TRAITS,
    words="Traits and their costs; their effects are in the rules",
    limits={"points": _POINTS},
)


def supplied(b: HasBook) -> Lists:
    """Return the rows of a game: the supplied rows with the changes of the game's pack."""
    pack = b.book.pack
    return SUPPLIED if pack is None else _lists_of(pack)


def supplied_here() -> Lists:
    """Return the rows with which a force or a mission is being read."""
    pack = read_with()
    return SUPPLIED if pack is None else _lists_of(pack)


def _lists_of(pack: Pack) -> Lists:
    return pack.derived(
        "lists",
        lambda: Lists(
            profiles=dict(pack.rows(PROFILES)),
            weapons=dict(pack.rows(WEAPONS)),
            vehicles=dict(pack.rows(VEHICLES)),
        ),
    )


def step_of(at: Class) -> int:
    """Return the rank of a class, from 0 for the weakest (SQ-S50)."""
    return LADDER.index(at)


def stepped(at: Class, steps: int) -> Class:
    """Return the class some steps up or down, at most the strongest or weakest.

    >>> stepped("VLt", -1), stepped("U", -1), stepped("U", 1)
    ('U', 'U', 'VLt')
    """
    return LADDER[min(max(step_of(at) + steps, 0), len(LADDER) - 1)]


def ways_of(weapon: str, lists: Lists = SUPPLIED) -> tuple[str, ...]:
    """Return the firing modes of a weapon: itself, or each mode of a gun (SQ-S13).

    >>> ways_of("rifle"), ways_of("tank-gun")
    (('rifle',), ('solid-shot', 'shell'))
    """
    if weapon in lists.weapons:
        return (weapon,)
    return tuple([key for key, row in lists.weapons.items() if row.gun == weapon])


KINDS = read_kinds(_DATA / "terrain.yaml")
"""The kinds of terrain: their looks, and their effects on movement and sight (SQ-S18)."""

TERRAIN = ground_sheet(KINDS, grows=True)

SHEETS = (PROFILES, WEAPONS, VEHICLES, TRAIT_SHEET, TERRAIN)
"""The sheets whose rows a pack may change."""


def kinds(b: HasBook) -> Kinds:
    return kinds_in_force(b, TERRAIN, KINDS)


def terrain_kinds_here() -> Kinds:
    """Return the kinds of terrain with which a mission is being read."""
    return kinds_here(TERRAIN, KINDS)


__all__ = [
    "COVERS",
    "FACES_OF_ARMOUR",
    "KINDS",
    "LADDER",
    "NO_SAVE",
    "OFFICER_POINTS",
    "SHEETS",
    "SPOTTER_POINTS",
    "CLASS_IN_WORDS",
    "SUPPLIED",
    "TRAITS",
    "TRAIT_SHEET",
    "Class",
    "Cover",
    "Face",
    "Kind",
    "Lists",
    "Profile",
    "Trait",
    "Vehicle",
    "Weapon",
    "armour_in_words",
    "faces_in_words",
    "inches",
    "kinds",
    "step_of",
    "stepped",
    "supplied",
    "supplied_here",
    "terrain_kinds_here",
    "ways_of",
]
