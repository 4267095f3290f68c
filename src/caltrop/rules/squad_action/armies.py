"""Forces: which units a side brings, written as YAML, and what they cost (SQ-S12 to S14, SQ-S55, SQ-S60, SQ-S61).

A force may bring profiles, weapons and vehicles of its own: they are laid over those supplied, and cost what they say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine import guard, rule
from caltrop.errors import InputError
from caltrop.kit.files import Library, folder
from caltrop.picture import Look, Paint
from caltrop.roster import Read, nearest, read_yaml
from caltrop.rules.squad_action.catalogue import (
    OFFICER_POINTS,
    SPOTTER_POINTS,
    SUPPLIED,
    TRAITS,
    Lists,
    Profile,
    Vehicle,
    Weapon,
    ways_of,
)

_HOME = Path(__file__).parent / "data" / "forces"

RIFLE = "rifle"
"""What a soldier carries where nothing is said."""

MOST_MODELS, MOST_UNITS = 20, 24

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]

OVER = guard(
    ("SQ-S70", "SQ-S71", "SQ-S73"),
    "over",
    "{title} costs {cost} points, and {size} are agreed on; its cuts: {cuts}",
)


class UnitGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a force: a squad or a team with a profile, or a vehicle."""

    name: Name
    profile: str = ""
    models: Annotated[int, msgspec.Meta(ge=1, le=MOST_MODELS)] = 1
    weapons: tuple[str, ...] = ()
    """Weapons of single models, beginning with the last one; the others have what `arms` says."""
    arms: str = RIFLE
    """What everybody else carries."""
    traits: tuple[str, ...] = ()
    officer: bool = False
    """Whether one of the models is an Officer."""
    spotter: bool = False
    """Whether one of the models has a spotter's kit."""
    vehicle: str = ""
    """Instead of a profile: what machine it is."""
    look: Look | UnsetType = UNSET
    """How all of it is drawn; by its rows and weapons where it is left out."""


class Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A force."""

    ruleset: Literal["squad-action"]
    id: str
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    words: str = ""
    """What it is like, in one sentence."""
    clauses: str = ""
    """The clauses that it restates."""
    paint: Paint | UnsetType = UNSET
    """In which colours it is painted; in those of its side where it is left out."""
    units: Annotated[tuple[UnitGiven, ...], msgspec.Meta(min_length=1, max_length=MOST_UNITS)]
    cuts: dict[int, tuple[str, ...]] = {}
    """For smaller battles: the units that fight them, by the most points."""
    profiles: dict[str, Profile] = {}
    weapons: dict[str, Weapon] = {}
    vehicles: dict[str, Vehicle] = {}

    @property
    def lists(self) -> Lists:
        """Its own rows laid over those supplied."""
        return laid_over(self.own)

    @property
    def own(self) -> Lists:
        """Its own rows, each with its key."""
        return Lists(profiles=_keyed(self.profiles), weapons=_keyed(self.weapons), vehicles=_keyed(self.vehicles))


def _keyed(rows: Mapping[str, Any]) -> dict[str, Any]:
    return {key: msgspec.structs.replace(row, key=key) for key, row in rows.items()}


@rule("SQ-ORG-68")
def laid_over(own: Lists) -> Lists:
    """Rows of a player's own laid over those supplied: each period rates what it fights with."""
    return Lists(
        profiles={**SUPPLIED.profiles, **own.profiles},
        weapons={**SUPPLIED.weapons, **own.weapons},
        vehicles={**SUPPLIED.vehicles, **own.vehicles},
    )


# --- what it costs ----------------------------------------------------------------------------------------------------


def unit_points(lists: Lists, unit: UnitGiven) -> int:
    """What a unit costs: its models with their traits, its weapons, an Officer, a spotter's kit (SQ-S12 to S14)."""
    if unit.vehicle:
        return lists.vehicles[unit.vehicle].number("points")
    each = lists.profiles[unit.profile].number("points") + sum([TRAITS[name].number("points") for name in unit.traits])
    arms = sum([lists.weapons[name].points for name in arms_of(unit)])
    return unit.models * each + arms + OFFICER_POINTS * unit.officer + SPOTTER_POINTS * unit.spotter


def arms_of(unit: UnitGiven) -> tuple[str, ...]:
    """The weapon of each model of a squad, in order: special weapons are with the last ones."""
    plain = unit.models - len(unit.weapons)
    return (*[unit.arms] * plain, *reversed(unit.weapons))


def points_of(force: Force, units: Sequence[UnitGiven] | None = None) -> int:
    """What a force costs, or some units of it."""
    lists = force.lists
    return sum([unit_points(lists, unit) for unit in (force.units if units is None else units)])


def cut_to(force: Force, size: int) -> tuple[UnitGiven, ...]:
    """The units that fight where so many points are agreed on: all of them, or the largest cut that fits.

    Raises:
        InputError: when not even the smallest does.
    """
    if points_of(force) <= size:
        return force.units
    for most in sorted(force.cuts, reverse=True):
        kept = tuple([u for u in force.units if u.name in force.cuts[most]])
        if points_of(force, kept) <= size:
            return kept
    cuts = ", ".join(map(str, sorted(force.cuts))) or "none"
    refusal = OVER.refuses(True, title=force.title, cost=points_of(force), size=size, cuts=cuts)
    assert refusal is not None
    raise InputError(f"{refusal.message} ({refusal.clause})", field="size")


# --- reading ----------------------------------------------------------------------------------------------------------


def fault(read: Read[Any], source: str, message: str, *path: str | int) -> InputError:
    """An error with the place of a value in a file, or of the nearest value around it."""
    known = path
    while known and known not in read.places:
        known = known[:-1]
    line, column = read.places.get(known, (1, 1))
    field = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")
    return InputError(message, source=source, line=line, column=column, field=field)


def source_of(file: Path | str) -> str:
    """What a file is called in an error."""
    return "the text given" if isinstance(file, str) else str(file)


def force_file(file: Path | str) -> Read[Force]:
    """Read a force, from a file or as the text itself, and see that it can be fielded.

    Raises:
        InputError: when it is none; the message has file, line and column.
    """
    read = read_yaml(file, Force)
    force = read.value
    lists = force.lists

    def wrong(message: str, *path: str | int) -> InputError:
        return fault(read, source_of(file), message, *path)

    names = Counter([u.name for u in force.units])
    for i, unit in enumerate(force.units):
        if names[unit.name] > 1:
            raise wrong(f"two units are called {unit.name!r}", "units", i, "name")
        if bool(unit.profile) == bool(unit.vehicle):
            raise wrong("a unit has a profile, or else it is a vehicle", "units", i)
        if unit.vehicle:
            if unit.vehicle not in lists.vehicles:
                raise wrong(f"there is no vehicle {unit.vehicle!r}; {nearest(unit.vehicle, lists.vehicles)}",
                            "units", i, "vehicle")  # fmt: skip
            if unit.models != 1 or unit.weapons or unit.traits or unit.officer or unit.spotter:
                raise wrong("a vehicle is one model, armed and crewed as its row says", "units", i)
            continue
        if unit.profile not in lists.profiles:
            raise wrong(f"there is no profile {unit.profile!r}; {nearest(unit.profile, lists.profiles)}",
                        "units", i, "profile")  # fmt: skip
        for n, trait in enumerate(unit.traits):
            if trait not in TRAITS:
                raise wrong(f"there is no trait {trait!r}; {nearest(trait, TRAITS)}", "units", i, "traits", n)
        carried = [name for name, row in lists.weapons.items() if not row.gun]
        for n, weapon in enumerate(unit.weapons):
            if weapon not in carried:
                raise wrong(f"no soldier carries {weapon!r}; {nearest(weapon, carried)}", "units", i, "weapons", n)
        if unit.arms not in carried:
            raise wrong(f"no soldier carries {unit.arms!r}; {nearest(unit.arms, carried)}", "units", i, "arms")
        if len(unit.weapons) > unit.models:
            raise wrong(f"{unit.models} models do not carry {len(unit.weapons)} weapons", "units", i, "weapons")
    for key, vehicle in force.vehicles.items():
        for n, weapon in enumerate(vehicle.weapons):
            if not ways_of(weapon, lists):
                raise wrong(f"there is no weapon {weapon!r}; {nearest(weapon, lists.weapons)}",
                            "vehicles", key, "weapons", n)  # fmt: skip
    for most, kept in force.cuts.items():
        for n, name in enumerate(kept):
            if name not in names:
                raise wrong(f"there is no unit {name!r}; {nearest(name, names)}", "cuts", str(most), n)
        cost = points_of(force, [u for u in force.units if u.name in kept])
        if cost > most:
            raise wrong(f"these units cost {cost} points, and not at most {most}", "cuts", str(most))
    return read


LISTS = Library("force", folder(_HOME), force_file, of="squad-action", marked=True)
"""The forces that the game comes with, and those that authors write."""


def every_force() -> tuple[Force, ...]:
    """The forces that the game comes with, those of the full size first."""
    return LISTS.every(lambda f: (-points_of(f) // 100, f.id))


def find(word: str) -> Force:
    """The force that a word means: an id, a file's path, or the text of a force.

    Raises:
        InputError: when there is none; the message names the nearest.
    """
    return LISTS.find(word).value
