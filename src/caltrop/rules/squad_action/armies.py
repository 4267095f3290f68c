"""Forces: the units of a side with their costs, written as YAML (SQ-S12 to S14, SQ-S55, SQ-S60, SQ-S61).

A force may define its own profiles, weapons and vehicles with their costs. A force's own rows replace or extend the
supplied rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.engine import Book, Refusal, guard, rule
from caltrop.engine.army import ArmyChoice, ArmyFault, ArmyNumber, ArmyOption, ArmyUnit
from caltrop.errors import InputError
from caltrop.kit.armies import hold, read_army
from caltrop.kit.files import Library, folder
from caltrop.kit.words import listed
from caltrop.picture import Look, Paint
from caltrop.roster import Read, converted, nearest
from caltrop.rules.squad_action.catalogue import (
    CLASS_IN_WORDS,
    LADDER,
    NO_SAVE,
    OFFICER_POINTS,
    SPOTTER_POINTS,
    TRAIT_SHEET,
    TRAITS,
    Lists,
    Profile,
    Vehicle,
    Weapon,
    armour_in_words,
    supplied,
    supplied_here,
    ways_of,
)
from caltrop.rules.squad_action.records import Firefight

_HOME = Path(__file__).parent / "data" / "forces"

RIFLE = "rifle"
"""Default weapon of a soldier."""

MOST_MODELS, MOST_UNITS = 20, 24

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]

OVER = guard(
    ("SQ-S70", "SQ-S71", "SQ-S73"),
    "over",
    "{title} costs {cost:point}, and {size} are agreed on{parts}",
)


class ForceUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a force: a squad or a team with a profile, or a vehicle."""

    name: Name
    profile: str = ""
    models: Annotated[int, msgspec.Meta(ge=1, le=MOST_MODELS)] = 1
    weapons: tuple[str, ...] = ()
    """Weapons of single models, from the last model backwards. Models without a weapon in this list have `arms`."""
    arms: str = RIFLE
    """Weapon of every model without one in `weapons`."""
    traits: tuple[str, ...] = ()
    officer: bool = False
    """True if one of the models is an Officer."""
    spotter: bool = False
    """True if one of the models has a spotter's kit."""
    vehicle: str = ""
    """Kind of vehicle, for a unit without a profile."""
    look: Look | UnsetType = UNSET
    """Drawing of the unit; by default it follows from its rows and weapons."""


class Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: Literal["squad-action"]
    id: str
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    words: str = ""
    """Description of the force in one sentence."""
    clauses: str = ""
    paint: Paint | UnsetType = UNSET
    """Colours of the force; by default the colours of its side."""
    units: Annotated[tuple[ForceUnit, ...], msgspec.Meta(min_length=1, max_length=MOST_UNITS)]
    cuts: dict[int, tuple[str, ...]] = {}
    """Smaller versions of the force: the units that fight, by the largest number of points."""
    profiles: dict[str, Profile] = {}
    weapons: dict[str, Weapon] = {}
    vehicles: dict[str, Vehicle] = {}

    @property
    def lists(self) -> Lists:
        """The supplied rows with the changes of the force."""
        return laid_over(self.own)

    @property
    def own(self) -> Lists:
        return Lists(profiles=_keyed(self.profiles), weapons=_keyed(self.weapons), vehicles=_keyed(self.vehicles))


def _keyed(rows: Mapping[str, Any]) -> dict[str, Any]:
    return {key: msgspec.structs.replace(row, key=key) for key, row in rows.items()}


@rule("SQ-ORG-68")
def laid_over(own: Lists) -> Lists:
    """Rows in a player's force replace or extend the supplied rows."""
    printed = supplied_here()
    return Lists(
        profiles={**printed.profiles, **own.profiles},
        weapons={**printed.weapons, **own.weapons},
        vehicles={**printed.vehicles, **own.vehicles},
    )


# --- prices -----------------------------------------------------------------------------------------------------------


def unit_points(lists: Lists, unit: ForceUnit) -> int:
    """Return the cost of a unit: models with traits, weapons, an Officer, a spotter's kit (SQ-S12 to S14)."""
    if unit.vehicle:
        return lists.vehicles[unit.vehicle].number("points")
    each = lists.profiles[unit.profile].number("points") + sum(
        [TRAIT_SHEET.here()[name].number("points") for name in unit.traits]
    )
    arms = sum([lists.weapons[name].points for name in arms_of(unit)])
    return unit.models * each + arms + OFFICER_POINTS * unit.officer + SPOTTER_POINTS * unit.spotter


def arms_of(unit: ForceUnit) -> tuple[str, ...]:
    """Return the weapon of each model of a squad. The last models of the unit have the special weapons."""
    plain = unit.models - len(unit.weapons)
    return (*[unit.arms] * plain, *reversed(unit.weapons))


def points_of(force: Force, units: Sequence[ForceUnit] | None = None) -> int:
    lists = force.lists
    return sum([unit_points(lists, unit) for unit in (force.units if units is None else units)])


def cut_to(force: Force, size: int) -> tuple[ForceUnit, ...]:
    """Return the units that fight for a number of points: all of them, or the largest smaller version.

    Raises InputError if even the smallest version costs more.
    """
    refusal = over(force, size)
    if refusal is not None:
        raise InputError(refusal.with_clause, field="size")
    return _largest(force, size) or force.units


def over(force: Force, size: int) -> Refusal | None:
    """Return a refusal if a force and each of its smaller versions cost more than agreed; otherwise None."""
    parts = f"; its smallest part costs {quantity(min(force.cuts), 'point')}" if force.cuts else ""
    too_dear = _largest(force, size) is None
    return OVER.refuses(too_dear, title=force.title, cost=points_of(force), size=size, parts=parts)


def _largest(force: Force, size: int) -> tuple[ForceUnit, ...] | None:
    """Return the units that fight for some points: all, or the largest smaller version; None if all cost more."""
    if points_of(force) <= size:
        return force.units
    for most in sorted(force.cuts, reverse=True):
        largest = tuple([u for u in force.units if u.name in force.cuts[most]])
        if points_of(force, largest) <= size:
            return largest
    return None


# --- reading ----------------------------------------------------------------------------------------------------------


def fault(read: Read[Any], source: str, message: str, *path: str | int) -> InputError:
    """Return an error at the place of a value in a file, or at the nearest enclosing value."""
    place = path
    while place and place not in read.places:
        place = place[:-1]
    line, column = read.places.get(place, (1, 1))
    field = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")
    return InputError(message, source=source, line=line, column=column, field=field)


def source_of(file: Path | str) -> str:
    return "the given text" if isinstance(file, str) else str(file)


def force_file(file: Path | str) -> Read[Force]:
    """Read a valid force from a file, a text, or a link.

    Raises InputError if the file is invalid; the message has file, line and column.
    """
    read = read_army(file, Force, "squad-action")
    hold(read, rows_at_fault(read.value))
    return read


def rows_at_fault(force: Force) -> Iterator[ArmyFault]:
    """Yield every fault of a force that does not depend on the agreed points."""
    lists = force.lists
    names = Counter([u.name for u in force.units])
    for i, unit in enumerate(force.units):
        if names[unit.name] > 1:
            yield ArmyFault(message=f"two units are called {unit.name!r}", path=("units", i, "name"))
        yield from _unit_at_fault(lists, unit, i)
    for key, vehicle in force.vehicles.items():
        for n, weapon in enumerate(vehicle.weapons):
            if not ways_of(weapon, lists):
                complaint = f"there is no weapon {weapon!r}; {nearest(weapon, lists.weapons)}"
                yield ArmyFault(message=complaint, path=("vehicles", key, "weapons", n))
    for most, cut in force.cuts.items():
        for n, name in enumerate(cut):
            if name not in names:
                complaint = f"there is no unit {name!r}; {nearest(name, names)}"
                yield ArmyFault(message=complaint, path=("cuts", str(most), n))
        cost = points_of(force, [u for u in force.units if u.name in cut and not list(_unit_at_fault(lists, u, 0))])
        if cost > most:
            complaint = f"these units cost {quantity(cost, 'point')}; at most {most} may be spent"
            yield ArmyFault(message=complaint, path=("cuts", str(most)))


def _unit_at_fault(lists: Lists, unit: ForceUnit, i: int) -> Iterator[ArmyFault]:
    def wrong(message: str, *path: str | int) -> ArmyFault:
        return ArmyFault(message=message, path=("units", i, *path))

    if bool(unit.profile) == bool(unit.vehicle):
        yield wrong("a unit has a profile, or else it is a vehicle")
    elif unit.vehicle and unit.vehicle not in lists.vehicles:
        yield wrong(f"there is no vehicle {unit.vehicle!r}; {nearest(unit.vehicle, lists.vehicles)}", "vehicle")
    elif unit.vehicle:
        if unit.models != 1 or unit.weapons or unit.traits or unit.officer or unit.spotter:
            yield wrong("a vehicle is one model, armed and crewed as its row says")
    elif unit.profile not in lists.profiles:
        yield wrong(f"there is no profile {unit.profile!r}; {nearest(unit.profile, lists.profiles)}", "profile")
    else:
        for n, trait in enumerate(unit.traits):
            if trait not in TRAIT_SHEET.here():
                yield wrong(f"there is no trait {trait!r}; {nearest(trait, TRAIT_SHEET.here())}", "traits", n)
        carried = carried_weapons(lists)
        for n, weapon in enumerate(unit.weapons):
            if weapon not in carried:
                yield wrong(f"no soldier carries {weapon!r}; {nearest(weapon, carried)}", "weapons", n)
        if unit.arms not in carried:
            yield wrong(f"no soldier carries {unit.arms!r}; {nearest(unit.arms, carried)}", "arms")
        if len(unit.weapons) > unit.models:
            yield wrong(
                f"{quantity(unit.models, 'model', 'does')} not carry {quantity(len(unit.weapons), 'weapon')}", "weapons"
            )


def carried_weapons(lists: Lists) -> list[str]:
    return [name for name, row in lists.weapons.items() if not row.gun]


def faults(book: Book, force: Force, agreed: int | None = None) -> Iterator[ArmyFault]:
    """Yield every fault of a force under the rules."""
    sound = True
    for one in rows_at_fault(force):
        sound = False
        yield one
    if sound and agreed is not None:
        refusal = over(force, agreed)
        if refusal is not None:
            yield ArmyFault(message=refusal.message, clause=refusal.clause, path=("units",))


# --- options ----------------------------------------------------------------------------------------------------------


def catalogue(book: Book, draft: Mapping[str, Any]) -> tuple[ArmyUnit, ...]:
    """Return the units that a force may have, from the supplied rows and its own."""
    lists = _lists_of(draft)
    squads = [_squad(lists, key, row) for key, row in lists.profiles.items()]
    machines = [_machine(key, row) for key, row in lists.vehicles.items()]
    return (*squads, *machines)


def _lists_of(draft: Mapping[str, Any]) -> Lists:
    try:
        own = converted({key: draft[key] for key in ("profiles", "weapons", "vehicles") if key in draft}, Lists)
    except InputError:
        return supplied_here()
    keyed = Lists(profiles=_keyed(own.profiles), weapons=_keyed(own.weapons), vehicles=_keyed(own.vehicles))
    return laid_over(keyed) if own != Lists() else supplied_here()


NEW_SQUAD = 5
"""Number of models in a new squad of the army builder."""


def _squad(lists: Lists, key: str, row: Profile) -> ArmyUnit:
    needed = (("Shoot", row.fire), ("Close quarters", row.cqb), ("Morale", row.morale), ("Armour", row.armour))
    carried = carried_weapons(lists)
    weapons = tuple(
        [
            ArmyChoice(value=name, words=one.title, points=one.points, about=_of_weapon(one))
            for name, one in lists.weapons.items()
            if name in carried
        ]
    )
    traits = tuple(
        [
            ArmyChoice(value=name, words=one.title, points=one.points, about=one.words)
            for name, one in TRAIT_SHEET.here().items()
        ]
    )
    return ArmyUnit(
        key=key,
        title=row.title,
        entry={"profile": key},
        also={"models": NEW_SQUAD},
        group="Squads",
        numbers=(
            ArmyNumber(words="Models", value=str(NEW_SQUAD)),
            *[ArmyNumber(words=words, value=f"{n}+" if n < NO_SAVE else "none") for words, n in needed],
        ),
        words=tuple([f"{TRAITS[name].title}: {TRAITS[name].words}" for name in row.traits if name in TRAITS]),
        points=NEW_SQUAD * row.number("points"),
        options=(
            ArmyOption(field="name", words="Name", sort="line", usual="", most=40),
            ArmyOption(field="models", words="Models", sort="number", usual=1, least=1, most=MOST_MODELS),
            ArmyOption(
                field="officer", words="Officer", sort="yes", usual=False, points=OFFICER_POINTS, clause="SQ-S14"
            ),
            ArmyOption(
                field="spotter", words="Spotter's kit", sort="yes", usual=False, points=SPOTTER_POINTS, clause="SQ-S14"
            ),
            ArmyOption(
                field="weapons", words="Special weapons", sort="several", usual=[], most=MOST_MODELS, choices=weapons
            ),
            ArmyOption(field="arms", words="Weapon of the other models", sort="one", usual=RIFLE, choices=weapons),
            ArmyOption(field="traits", words="Traits", sort="several", usual=[], most=len(traits), choices=traits),
        ),
        look="rifle" if row.look is UNSET else row.look,
    )


def _of_weapon(row: Weapon) -> str:
    inches = quantity(row.effective_in, "inch")
    reach = inches + f", at most {row.reach_in}" * bool(row.reach_in)
    shots = "D6 shots" if row.by_die else quantity(int(row.shots), "shot")
    traits = "".join([f", {name.replace('-', ' ')}" for name in row.traits])
    saves = f"; armour saves {row.ap}" if row.ap else ""
    vehicles = f"; {CLASS_IN_WORDS[row.at]} against vehicles" if row.at != LADDER[0] else ""
    if row.reach_in == row.effective_in:
        return f"up to {inches}; {shots}{saves}{vehicles}{traits}."
    return f"effective to {reach}; {shots}{saves}{vehicles}{traits}."


def terms_on_sheet(t: Firefight, side: int) -> Iterator[tuple[str, str]]:
    """Yield the terms on the sheet of a side with their meanings: numbers, leaders, traits and weapons."""
    yield "4+", "the number that a die must show at least"
    own = [u for u in t.units if u.side == side]
    yield "Close quarters", "a fight in contact"
    machines = {t.vehicle(u.id).title: t.vehicle(u.id) for u in own if u.machine}
    moves = [f"{title} {quantity(row.move_in, 'inch')}" for title, row in machines.items()]
    yield "Move", "; ".join(["6 inches on foot", *moves])
    for title, leads in (("Officer", "officer"), ("Spotter", "spotter")):
        with_one = [u.name for u in own if any(getattr(t.models[m], leads) for m in u.models)]
        if with_one:
            yield title, f"with {listed(with_one)}"
    for name in dict.fromkeys(trait for u in own for trait in u.traits):
        yield TRAITS[name].title, TRAITS[name].words
    carried = dict.fromkeys(w for u in own for m in u.models for w in t.models[m].weapons)
    for weapon in dict.fromkeys(way for w in carried for way in ways_of(w, supplied(t)) or (w,)):
        row = t.field.lists.weapons.get(weapon) or supplied(t).weapons[weapon]
        yield row.title.capitalize() if row.title.islower() else row.title, _of_weapon(row)


def _machine(key: str, row: Vehicle) -> ArmyUnit:
    given = (
        ("Move", quantity(row.move_in, "inch")),
        ("Armour", armour_in_words(*row.armour)),
        ("Weapons", ", ".join([name.replace("-", " ") for name in row.weapons]) or None),
        ("Seats", row.seats or None),
        ("Morale", f"{row.morale}+"),
        ("Close quarters", f"{row.cqb}+" if row.cqb else None),
    )
    return ArmyUnit(
        key=key,
        title=row.title,
        entry={"vehicle": key},
        group="Vehicles",
        numbers=tuple([ArmyNumber(words=words, value=str(value)) for words, value in given if value is not None]),
        words=("Lays smoke.",) if row.dischargers else (),
        points=row.number("points"),
        options=(ArmyOption(field="name", words="Name", sort="line", usual="", most=40),),
        look=row.look,
    )


def cost(book: Book, force: Force) -> int | None:
    return None if any(rows_at_fault(force)) else points_of(force)


def price(book: Book, force: Force, number: int) -> int | None:
    unit = force.units[number]
    lists = force.lists
    return None if any(_unit_at_fault(lists, unit, 0)) else unit_points(lists, unit)


LISTS = Library("force", folder(_HOME), force_file, of="squad-action", marked=True)
"""The force lists: those supplied with the game, and those of authors."""


def every_force() -> tuple[Force, ...]:
    """Return the supplied forces, the full-size ones first."""
    return LISTS.every(lambda f: (-points_of(f) // 100, f.id))


def find(word: str) -> Force:
    """Return the force for an id, a path, or the text of a force.

    Raises InputError for an unknown force; the message names the nearest.
    """
    return LISTS.find(word).value
