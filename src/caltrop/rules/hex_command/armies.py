"""Army lists for free battles: units in YAML, checked for points and composition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from caltrop.engine import Book, guard, rule
from caltrop.engine.army import ArmyFault, ArmyNumber, ArmyOption, ArmyUnit, held
from caltrop.engine.rule import HasBook
from caltrop.kit.armies import hold, read_army
from caltrop.kit.files import Library, folder
from caltrop.roster import Read, nearest
from caltrop.rules.hex_command.catalogue import (
    UNIT_SHEET,
    UnitKind,
    price,
)
from caltrop.rules.hex_command.records import Battle

_HOME = Path(__file__).parent / "data" / "armies"

MOST_PIECES = 14
LEAST_INFANTRY = 3
MOST_LEADERS = 2

PIECES = guard("HX-S64", "pieces", "An army has at most {most:piece}; this one has {asked}")
INFANTRY = guard("HX-S64", "infantry", "An army has at least {least:infantry unit}; this one has {asked}")
HALF = guard(
    "HX-S64", "half", "At most half the points are in God Machines: {half} of {cost}; this army has {asked} in them"
)
LEADERS = guard("HX-S64", "leaders", "An army has at most {most:single Leader}; this one has {asked}")
AGREED = guard(
    "HX-S64", "agreed", "The army costs {cost:point}, and {agreed} are agreed on; {least} to {agreed} count as equal"
)


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Identical units of an army list."""

    kind: str
    """Row of the units in the unit table, such as `vehicle-medium`."""
    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_PIECES)] = 1
    name: str = ""


class ArmyList(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    ruleset: Literal["hex-command"]
    id: str
    title: str
    words: str = ""
    """Description of the army in one sentence."""
    clauses: str = ""
    units: Annotated[tuple[Entry, ...], msgspec.Meta(max_length=60)]


def unit_row(read: Read[Any], kind: str, *path: str | int) -> UnitKind:
    """Return a row of the unit table by the key in a file.

    Raises InputError for an unknown key; the message names the nearest key.
    """
    units = UNIT_SHEET.here()
    if kind not in units:
        raise read.wrong(f"there is no unit {kind!r}; {nearest(kind, units)}", *path)
    return units[kind]


def army_list(file: Path | str) -> Read[ArmyList]:
    """Read an army list from a file, a text, or a link, and check that its units exist.

    Raises InputError if the army list is invalid; the message has file, line and column.
    """
    read = read_army(file, ArmyList, "hex-command")
    for i, entry in enumerate(read.value.units):
        unit_row(read, entry.kind, "units", i, "kind")
    return read


def kinds_of(army: ArmyList) -> list[UnitKind]:
    """Return the row of each unit of an army, in the order of the list."""
    units = UNIT_SHEET.here()
    return [units[entry.kind] for entry in army.units for _ in range(entry.count)]


def cost(b: HasBook, army: ArmyList) -> int:
    units = UNIT_SHEET.of(b)
    return sum([price(b, units[entry.kind]) * entry.count for entry in army.units])


@rule("HX-S64")
def usual_points(b: HasBook) -> int:
    """Points of each army in a free battle, unless the players agree on another number."""
    return 82


@usual_points.amended_by("HX-S64", "HX-S21", house={"battle_die": "d8_weighted"})
def the_same_armies_cost_more(points: int, b: HasBook) -> int:
    """House rule: with the eight-sided die, the same armies cost 90 points."""
    return 90


def check(read: Read[ArmyList], book: Book, points: int | None = None) -> None:
    """Check that a free battle allows an army list.

    Args:
        book: Edition and house rules, which decide the prices.
        points: The agreed points; None to skip this check.

    Raises:
        InputError: for the first fault; the message has file, line and column.
    """
    hold(read, faults(book, read.value, points))


def faults(book: Book, army: ArmyList, agreed: int | None = None) -> Iterator[ArmyFault]:
    units = UNIT_SHEET.of(book)
    for i, entry in enumerate(army.units):
        if entry.kind not in units:
            complaint = f"there is no unit {entry.kind!r}; {nearest(entry.kind, units)}"
            yield ArmyFault(message=complaint, path=("units", i, "kind"))
            return
    kinds = [units[entry.kind] for entry in army.units for _ in range(entry.count)]
    yield from held(PIECES, len(kinds) > MOST_PIECES, "units", most=MOST_PIECES, asked=len(kinds))
    infantry = sum(k.unit_class == "infantry" for k in kinds)
    few = infantry < LEAST_INFANTRY
    yield from held(INFANTRY, few, "units", unfinished=True, least=LEAST_INFANTRY, asked=infantry)
    leaders = sum(k.is_leader and k.models == 1 for k in kinds)
    yield from held(LEADERS, leaders > MOST_LEADERS, "units", most=MOST_LEADERS, asked=leaders)
    whole = sum([price(book, kind) for kind in kinds])
    giants = sum(price(book, k) for k in kinds if k.unit_class == "god-machine")
    values = {"half": whole // 2, "cost": whole, "asked": giants}
    yield from held(HALF, 2 * giants > whole, "units", unfinished=True, **values)
    if agreed is not None:
        # Two armies count as equal if their costs differ by less than the cheapest unit.
        least = agreed - min(price(book, k) for k in units.values()) + 1
        values = {"cost": whole, "agreed": agreed, "least": least}
        yield from held(AGREED, not least <= whole <= agreed, "units", unfinished=whole < least, **values)


# --- options ----------------------------------------------------------------------------------------------------------


def catalogue(book: Book, draft: Mapping[str, Any]) -> tuple[ArmyUnit, ...]:
    return tuple([_unit_of(book, key, kind) for key, kind in UNIT_SHEET.of(book).items()])


def _unit_of(book: Book, key: str, kind: UnitKind) -> ArmyUnit:
    move = str(kind.move) if kind.battle_move == kind.move else f"{kind.move}, {kind.battle_move} and battle"
    given = (
        ("Models", kind.models),
        ("Size", kind.size),
        ("Move", move),
        ("Dice by range", " ".join(map(str, kind.dice))),
        ("Banners", kind.banners),
    )
    return ArmyUnit(
        key=key,
        title=kind.title,
        entry={"kind": key},
        group={"god-machine": "God Machines", "leader": "Leaders", "vehicle": "Vehicles"}.get(
            kind.unit_class, "Infantry"
        ),
        numbers=tuple([ArmyNumber(words=words, value=str(value)) for words, value in given]),
        points=price(book, kind),
        options=(ArmyOption(field="name", words="Name", sort="line", usual="", most=40),),
        silhouette=kind.silhouette,
    )


def terms_on_sheet(t: Battle, side: int) -> Iterator[tuple[str, str]]:
    """Yield the terms on the sheet of a side with their meanings."""
    yield "Dice by range", "battle dice against an enemy 1 hex away, 2 hexes away and so on; none beyond"
    yield "Size", "a shot passes a hex if shooter and target are both larger than what is in it"
    yield "Worth", "banners for the enemy if the unit is destroyed"


def price_of(book: Book, army: ArmyList, number: int) -> int:
    entry = army.units[number]
    return price(book, UNIT_SHEET.of(book)[entry.kind]) * entry.count


LISTS = Library("army", folder(_HOME), army_list, of="hex-command", marked=True)
"""The army lists: those supplied with the game, and those of authors."""


def every_list() -> tuple[ArmyList, ...]:
    """Return the supplied army lists, those of the two printed battles first."""
    return LISTS.every(lambda a: (a.id not in ("iron-concord", "ashen-horde"), a.id))


def find(book: Book, word: str, size: int | None = None) -> ArmyList:
    """Return an army list by its id, its path, or its text.

    Raises InputError for an unknown or illegal list; the message names the nearest list.

    Args:
        book: Edition and house rules.
        size: The agreed points; by default the usual points.
    """
    read = LISTS.find(word)
    check(read, book, usual_points(book) if size is None else size)
    return read.value
