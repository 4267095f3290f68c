"""Army lists: units in YAML, checked against the catalogue, and turned into units of a battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.engine import Book, guard
from caltrop.engine.army import ArmyChoice, ArmyFault, ArmyNumber, ArmyOption, ArmyUnit, held
from caltrop.errors import InputError
from caltrop.kit.armies import hold, read_army
from caltrop.kit.costs import costs
from caltrop.kit.files import Library, folder
from caltrop.kit.words import ordinal
from caltrop.picture import Look, Paint
from caltrop.roster import Read, nearest
from caltrop.rules.command_horizon.catalogue import (
    ARMIES,
    UNIT_SHEET,
    UnitKind,
    armies,
    full_strength,
    kinds,
    unit_kind,
)
from caltrop.rules.command_horizon.records import Battle

_HOME = Path(__file__).parent / "data" / "armies"

SMALL, LARGE = 1, 2
"""Command points that a Small and a Large Node Gland generate (CH-PUT-03, CH-PUT-04)."""

ONE_COMMAND = guard("Q-SETUP-7", "one-command", "An army has at most one Command unit, and this is the second")
PRINTED_SIZE = guard(
    ("CH-ALL-02", "CH-ASORI-04", "CH-PUT-12"),
    "printed-size",
    "A unit of {title} has {printed:model}; this one has {asked}",
)
CARRIERS = guard("CH-PUT-17", "carriers", "A Carrier unit has 1 to 3 models; this one has {asked}")
SQUADS = guard(
    ("CH-SQUAD-01", "CH-ALL-12", "CH-ALL-15", "CH-ASORI-13", "CH-PUT-22"),
    "squads",
    "{title} comes in Platoons of 1 to {most:Squad}; this one has {asked}",
)
NO_SQUADS = guard("CH-SQUAD-10", "no-squads", "Only infantry has Squads")
TEAMS = guard(
    ("CH-ALL-16", "Q-INF-5"),
    "teams",
    "Heavy Weapon teams join a standard Infantry Platoon, one to each of its {squads} Squads: {squads} or none",
)
GLANDS = guard(("CH-PUT-02", "Q-PUT-1"), "glands", "Node Glands are carried by Putredine vehicles")

Gland = Literal["small", "large", "none"]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A unit of an army list."""

    kind: str
    """Key of the unit in the catalogue, such as `medium-tank`."""
    name: str = ""
    models: int | None = None
    """Number of models of a Carrier unit; None for the printed number."""
    squads: int | None = None
    """Number of Squads of infantry; None for a whole Platoon."""
    teams: int = 0
    """Number of Heavy Weapon teams. Each is attached to a Squad."""
    gland: Gland | None = None
    """Node Gland of a Putredine vehicle unit; small by default."""
    look: Look | UnsetType = UNSET
    """Drawing of the unit; by default that of its kind."""


class ArmyList(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    ruleset: Literal["command-horizon"] = "command-horizon"
    id: str
    title: str
    army: str
    """Race of the army: `alliance`, `asori` or `putredine`."""
    points: int | None = None
    """Cost of the army, if the players agree on one; the rulebooks print no points."""
    paint: Paint | UnsetType = UNSET
    """Colours of the army; by default those of its race."""
    words: str = ""
    units: Annotated[tuple[Entry, ...], msgspec.Meta(max_length=60)]


class Body(msgspec.Struct, frozen=True):
    """A unit of an army list with its models, before it is placed."""

    kind: str
    name: str
    bases: tuple[tuple[str, int, int], ...]
    """For each model: kind, Squad, and command points of its Node Gland."""
    squads: int
    """Number of Squads of a whole Platoon; 1 for other units."""
    look: Look | UnsetType = UNSET
    """Drawing of the unit; unset for that of its kind."""


def army_list(file: Path | str) -> Read[ArmyList]:
    """Read an army list from a file, a text, or a link.

    Raises InputError when the list is invalid; the message has file, line and column.
    """
    return read_army(file, ArmyList, "command-horizon")


def written(army: ArmyList) -> str:
    import yaml

    plain = msgspec.to_builtins(army)
    return yaml.safe_dump({"ruleset": army.ruleset, **plain}, sort_keys=False, allow_unicode=True, width=120)


def check(read: Read[ArmyList], book: Book) -> None:
    """Check that the rules and the edition allow an army list.

    Raises InputError at the first fault; the message has file, line and column.
    """
    hold(read, faults(book, read.value))


def faults(book: Book, army: ArmyList, agreed: int | None = None) -> Iterator[ArmyFault]:
    """Yield every reason why the rules or the edition do not allow an army list."""
    if army.army not in ARMIES:
        hint = nearest(army.army, ARMIES)
        yield ArmyFault(message=f"there is no army {army.army!r}; {hint}", path=("army",))
        return
    if army.army not in armies(book):
        complaint = f"{ARMIES[army.army].title} is not an army of the edition {book.edition}"
        yield ArmyFault(message=complaint, path=("army",))
        return
    if not army.units:
        yield ArmyFault(message="an army needs a unit", path=("units",), unfinished=True)
    commands = 0
    for i, one in enumerate(army.units):
        if one.kind not in kinds(book, army.army):
            hint = nearest(one.kind, kinds(book, army.army))
            complaint = f"{ARMIES[army.army].title} has no unit {one.kind!r}; {hint}"
            yield ArmyFault(message=complaint, path=("units", i, "kind"))
            continue
        commands += one.kind == "command"
        yield from held(ONE_COMMAND, one.kind == "command" and commands > 1, "units", i, "kind")
        yield from _faults_of(book, army.army, one, i)


def _faults_of(book: Book, army: str, one: Entry, i: int) -> Iterator[ArmyFault]:
    kind = unit_kind(book, army, one.kind)
    if one.kind == "carrier":
        bad = not 1 <= (one.models or 3) <= 3 or one.models == 0
        yield from held(CARRIERS, bad, "units", i, "models", asked=one.models)
    elif one.models is not None:
        printed = kind.squad * (one.squads or kind.squads) if kind.infantry else full_strength(book, kind)
        wrong = one.models != printed
        size: dict[str, Any] = {"title": kind.title, "printed": printed, "asked": one.models}
        yield from held(PRINTED_SIZE, wrong, "units", i, "models", **size)
    yield from held(NO_SQUADS, not kind.infantry and one.squads is not None, "units", i, "squads")
    if one.squads is not None:
        bad = not 1 <= one.squads <= kind.squads
        values: dict[str, Any] = {"title": kind.title, "most": kind.squads, "asked": one.squads}
        yield from held(SQUADS, bad, "units", i, "squads", **values)
    standard = _takes_teams(army, one.kind) and one.squads in (None, kind.squads)
    squads = 3 if not kind.infantry else kind.squads
    bad = one.teams not in (0, squads) or (one.teams > 0 and not standard)
    yield from held(TEAMS, bad, "units", i, "teams", squads=squads)
    yield from held(GLANDS, one.gland is not None and not _has_gland(army, kind), "units", i, "gland")


def _takes_teams(army: str, kind: str) -> bool:
    return army == "alliance" and kind == "infantry"


def _has_gland(army: str, kind: UnitKind) -> bool:
    return army == "putredine" and not kind.infantry


# --- options ----------------------------------------------------------------------------------------------------------


def races(book: Book) -> tuple[ArmyChoice, ...]:
    return tuple([ArmyChoice(value=key, words=ARMIES[key].title) for key in armies(book)])


def paint_of_race(draft: Mapping[str, Any]) -> Paint | UnsetType:
    race = draft.get("army")
    return ARMIES[race].paint if isinstance(race, str) and race in ARMIES else UNSET


def catalogue(book: Book, draft: Mapping[str, Any]) -> tuple[ArmyUnit, ...]:
    race = draft.get("army")
    return tuple([_unit_of(book, race, key) for key in kinds(book, race)]) if race in armies(book) else ()


def _unit_of(book: Book, race: str, key: str) -> ArmyUnit:
    kind = unit_kind(book, race, key)
    entry = Entry(kind=key)
    return ArmyUnit(
        key=key,
        title=kind.title.removeprefix(ARMIES[race].title + " "),
        entry={"kind": key},
        group="Infantry" if kind.infantry else "Vehicles",
        numbers=_numbers(book, kind),
        words=_special(kind),
        points=price_of(book, race, entry),
        options=_options(race, kind),
        look=kind.look,
    )


def _numbers(book: Book, kind: UnitKind) -> tuple[ArmyNumber, ...]:
    reach = f"{kind.min_range_cm}-{kind.range_cm} cm" if kind.min_range_cm else f"{kind.range_cm} cm"
    bases = kind.number("squad") * kind.number("squads") if kind.infantry else 0
    given = (
        ("Bases" if kind.infantry else "Models", bases or full_strength(book, kind)),
        ("Range", reach if kind.range_cm else None),
        ("Attack dice", kind.number("dice") or None),
        ("Close combat", kind.number("cc_dice") or None),
        ("Defence", kind.number("defence")),
        ("Command points", kind.number("cp")),
        ("Victory points", kind.number("vp")),
    )
    return tuple([ArmyNumber(words=words, value=str(value)) for words, value in given if value is not None])


def _special(kind: UnitKind) -> tuple[str, ...]:
    given = ((kind.marks, "Marks targets for the artillery."), (kind.secures, "Secures objectives."))
    return tuple([words for holds, words in given if holds])


def terms_on_sheet(t: Battle, side: int) -> Iterator[tuple[str, str]]:
    """Yield the terms on the sheet of a side with their meanings: points, and the special rules of its units."""
    yield "CP", "command points: they pay for moves, targets and reactions"
    if t.keeps_vp:
        yield "VP", "victory points: the enemy's, if the unit is destroyed"
    yield "Attack Dice", "dice of an attack with all models"
    yield "Defence bonus", "Defence Dice in addition to one for each hit"
    army = t.armies[side].army
    for key in dict.fromkeys(u.kind for u in t.units if u.side == side):
        kind = unit_kind(t, army, key)
        if _special(kind):
            yield kind.title, " ".join(_special(kind))


def _options(race: str, kind: UnitKind) -> tuple[ArmyOption, ...]:
    options = []
    if kind.key == "carrier":
        options.append(
            ArmyOption(field="models", words="Models", sort="number", usual=3, least=1, most=3, clause="CH-PUT-17")
        )
    if kind.infantry and kind.squads > 1:
        most = kind.squads
        options.append(
            ArmyOption(
                field="squads", words="Squads", sort="number", usual=most, least=1, most=most, clause="CH-SQUAD-01"
            )
        )
    if _takes_teams(race, kind.key):
        both = (ArmyChoice(value=0, words="none"), ArmyChoice(value=kind.squads, words="one to each Squad"))
        options.append(
            ArmyOption(field="teams", words="Heavy Weapon teams", sort="one", usual=0, choices=both, clause="CH-ALL-16")
        )
    if _has_gland(race, kind):
        sizes = tuple([ArmyChoice(value=one, words=one) for one in get_args(Gland)])
        options.append(
            ArmyOption(field="gland", words="Node Gland", sort="one", usual="small", choices=sizes, clause="CH-PUT-02")
        )
    return (*options, ArmyOption(field="name", words="Name", sort="line", usual="", most=40))


def muster(book: Book, army: ArmyList) -> tuple[Body, ...]:
    """Return the units of a valid army list, with their models and names."""
    seen: dict[str, int] = {}
    several = [e.kind for e in army.units]
    return tuple(_body(book, army, entry, seen, several.count(entry.kind) > 1) for entry in army.units)


def _body(book: Book, army: ArmyList, entry: Entry, seen: dict[str, int], several: bool) -> Body:
    kind = unit_kind(book, army.army, entry.kind)
    seen[entry.kind] = seen.get(entry.kind, 0) + 1
    bases: list[tuple[str, int, int]] = []
    squads = 1
    platoon = kind.number("squads")
    if kind.infantry:
        squads = entry.squads or platoon
        for squad in range(squads):
            bases += [(entry.kind, squad, 0)] * kind.number("squad")
            if squad < entry.teams:
                bases.append(("heavy-weapons", squad, 0))
    else:
        count = entry.models or full_strength(book, kind)
        bases = [(entry.kind, 0, 0)] * count
        if army.army == "putredine":
            bases[0] = (entry.kind, 0, {"small": SMALL, "large": LARGE, "none": 0}[entry.gland or "small"])
    title = kind.title.removeprefix(ARMIES[army.army].title + " ")
    name = entry.name or plural(title, entry.kind, squads, platoon)
    if several and not entry.name:
        name = f"{ordinal(seen[entry.kind])} {name}"
    # Infantry with fewer Squads than a full Platoon has no Platoon bonus.
    whole = kind.infantry and squads == platoon
    return Body(entry.kind, name, tuple(bases), squads if whole else 1, entry.look)


PLURALS = {
    "Light Tank": "Light Tanks",
    "Medium Tank": "Medium Tanks",
    "Heavy Tank": "Heavy Tanks",
    "Slugger": "Sluggers",
    "Carrier": "Carriers",
}
"""Names of vehicle units by the title of one vehicle; translations need the whole name."""


def plural(title: str, kind: str, squads: int, platoon: int) -> str:
    if kind in ("command", "artillery"):
        return title
    title = title.removesuffix(" team")
    if kind not in ("infantry", "heavy-weapons"):
        return PLURALS.get(title, f"{title}s")
    if platoon == 1:
        return title
    return f"{title} {'Platoon' if squads == platoon else 'Squad' if squads == 1 else 'Squads'}"


COSTS = costs(_HOME.parent / "points.json")
"""Measured costs of units in the current edition; None without measurements.

The rulebooks print no points, so `caltrop study points` measures costs in battles.
"""


def cost_of(book: Book, army: ArmyList) -> int | None:
    """Return the measured cost of a valid army list in points; None if a unit was not measured, or has other values in
    a pack.
    """
    if COSTS is None or book.edition != "current":
        return None
    if any(f"{army.army}/{entry.kind}" in UNIT_SHEET.changed(book) for entry in army.units):
        return None
    cost = COSTS.of(army.army, [_priced(book, army.army, entry) for entry in army.units], ("command",))
    return None if cost is None else round(cost)


def price_of(book: Book, race: str, entry: Entry) -> int | None:
    """Return the measured cost of a single unit, in points; None if it was not measured."""
    if COSTS is None or book.edition != "current" or f"{race}/{entry.kind}" in UNIT_SHEET.changed(book):
        return None
    price = COSTS.each(race, _priced(book, race, entry), ("command",))
    return None if price is None else round(price)


def price(book: Book, army: ArmyList, number: int) -> int | None:
    return price_of(book, army.army, army.units[number])


def _priced(book: Book, race: str, entry: Entry) -> dict[str, Any]:
    """Return the fields of an entry, named as in the table of costs, without default values."""
    fields: dict[str, Any] = {"kind": entry.kind}
    if entry.kind == "carrier":
        fields["models"] = entry.models or 3
    if entry.squads not in (None, unit_kind(book, race, entry.kind).squads):
        fields["squads"] = entry.squads
    if entry.teams:
        fields["teams"] = entry.teams
    if entry.gland not in (None, "small"):
        fields["gland"] = entry.gland
    return fields


def _in_order(files: Mapping[str, Path]) -> dict[str, Path]:
    return dict(sorted(files.items(), key=lambda e: (e[0].rpartition("-")[0], int(e[0].rpartition("-")[2]))))


LISTS = Library("army", _in_order(folder(_HOME)), army_list)
"""The army lists: those supplied with the game, and those of authors."""


def find(book: Book, word: str, size: int | None = None) -> ArmyList:
    """Return an army list by its id, its race, its path, or its text.

    Raises InputError for an unknown or illegal list; the message names the nearest list.

    Args:
        word: An id such as `asori-7`, a race such as `asori`, a path, or the text of a list.
        size: Number of units, which chooses a list of the race; by default the first list.
    """
    if word in ARMIES:
        sizes = _sizes(word)
        if size is None:
            size = sizes[0]
        if size not in sizes:
            raise InputError(
                f"there is no list of {quantity(size, 'unit')} for {word}; there are {', '.join(map(str, sizes))}"
            )
        word = f"{word}-{size}"
    read = LISTS.find(word, ARMIES)
    check(read, book)
    if size is not None and size != len(read.value.units):
        raise InputError(
            f"the army {word!r} has {quantity(len(read.value.units), 'unit')}; the battle has {size} a side"
        )
    return read.value


def sizes_of(words: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of units for which every given race has an army list; empty if a single list is given."""
    each = [set(_sizes(word)) for word in words]
    return tuple(sorted(set.intersection(*each))) if each else ()


def _sizes(race: str) -> Sequence[int]:
    return [int(id.rpartition("-")[2]) for id in LISTS.files if id.rpartition("-")[0] == race]


def editions_of(army: ArmyList) -> tuple[str, ...]:
    return ("current",) if army.army == "putredine" else ("current", "v1.5")


def every_list() -> tuple[ArmyList, ...]:
    return LISTS.every()
