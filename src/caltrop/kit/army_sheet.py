"""Examine an army list for the builder: its faults, its points, the units that may be added, and its file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.engine import Book, HouseValue, Ruleset
from caltrop.engine.army import Armoury, ArmyChoice, ArmyFault, ArmyUnit, PathOf
from caltrop.engine.packs import reading
from caltrop.errors import InputError
from caltrop.kit.armies import completed, drafted, filed, in_json, packed
from caltrop.kit.army_text import Draft, armoury_of, as_json, name_for, options_said, texted, unit_of, unknown_units
from caltrop.picture import Look, Paint
from caltrop.picture.shelf import LOOKS, PAINTS
from caltrop.roster import Read, converted, faults_in_form


class SheetUnit(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of an army list, as a builder shows it."""

    key: str
    """Key of the unit in the catalogue; empty for an unknown unit."""
    title: str
    name: str
    """Name given to the unit by its owner; empty if it has none."""
    count: int
    points: int | None
    said: tuple[str, ...]
    """The unit's chosen options in words."""
    look: Look | UnsetType = UNSET
    """The unit's look, if the list sets one."""
    faults: tuple[ArmyFault, ...] = ()


class OfferedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of the catalogue, and whether it may be added."""

    unit: ArmyUnit
    entry: dict[str, Any]
    """Entry that adding the unit appends to the list."""
    refusal: str = ""
    """Reason why the unit cannot be added, with the clause; empty if it can."""


class ArmySheet(msgspec.Struct, frozen=True, kw_only=True):
    """An army list in the builder, with its faults, its points and the units that may be added."""

    ruleset: str
    edition: str
    draft: dict[str, Any]
    title: str
    words: str
    field: str
    """The field of the draft that lists the units."""
    count: str
    """The field of an entry with its number of units; empty if each unit has its own entry."""
    race: str
    """The field of the draft that chooses the catalogue; empty if there is one catalogue."""
    races: tuple[ArmyChoice, ...]
    units: tuple[SheetUnit, ...]
    catalogue: tuple[OfferedUnit, ...]
    faults: tuple[ArmyFault, ...]
    """Faults of the list as a whole; the faults of a unit are with the unit."""
    ready: bool
    """True if the list can be played."""
    pieces: int
    points: int | None
    """Points of the army; None if they are unknown."""
    agreed: int | None
    """Agreed number of points; None if none is agreed."""
    usual: tuple[int, ...]
    """Usual sizes of an army, in points."""
    measured: bool
    """True if points were measured in battles, because the rulebook prints none."""
    shipped: tuple[str, ...]
    """Ids of the game's own lists, from which one can begin."""
    paint: Paint | UnsetType = UNSET
    """Colours of the army, if the list or its race sets them."""
    text: str
    link: str
    file: str


def sheet(
    rules: Ruleset,
    draft: Draft,
    *,
    edition: str | None = None,
    house: Mapping[str, HouseValue] | None = None,
    agreed: int | None = None,
) -> ArmySheet:
    """Examine a draft: its faults, its points, the units that may be added, and its file.

    Raises InputError if the game has no army lists, or if there is no such edition or house rule.

    Args:
        draft: The army list as plain data; it may be wrong anywhere.
        edition: The edition; the first by default.
        house: House rules that differ from their default.
        agreed: Agreed number of points; the usual number by default, 0 for none.
    """
    armoury = armoury_of(rules)
    try:
        book = rules.book(edition, house)
    except ValueError as error:
        raise InputError(str(error)) from None
    with reading(book.pack):
        return _sheet(rules, armoury, book, draft, agreed)


def faults_in(
    word: str,
    source: str,
    rules: Ruleset,
    *,
    edition: str | None = None,
    house: Mapping[str, HouseValue] | None = None,
    agreed: int | None = None,
) -> list[InputError]:
    """Return all faults of an army list in any of its forms, in the order in which they stand in it.

    Raises InputError for a list that cannot be read at all; for the other arguments see `sheet`.

    Args:
        word: The text of a file, a text to paste, or a link.
        source: Name of the source in errors.
    """
    draft, places = drafted(word, rules.name, source)
    shown = sheet(rules, draft, edition=edition, house=house, agreed=agreed)
    read = Read(draft, places, source)
    faults = [*shown.faults, *[fault for unit in shown.units for fault in unit.faults]]
    if any(fault.path and isinstance(draft.get(str(fault.path[0])), Mapping) for fault in shown.faults):
        # The list has rows of its own that cannot be read, so a unit that seems unknown may be one of them.
        faults = [fault for fault in faults if fault.path not in unknown_units(draft, rules)]
    errors = [read.wrong(fault.words, *fault.path) for fault in faults]
    if not places:
        return [InputError(error.message, source=source, field=error.field) for error in errors]
    return sorted(errors, key=lambda error: (error.line or 0, error.column or 0))


def _sheet(rules: Ruleset, armoury: Armoury, book: Book, draft: Draft, agreed: int | None) -> ArmySheet:
    usual = tuple(armoury.agreed(book))
    agreed = (usual[0] if usual else None) if agreed is None else agreed or None
    draft = completed(in_json({"ruleset": rules.name, "title": "Army", **draft}))
    races = tuple(armoury.races(book))
    if armoury.race and armoury.race not in draft and races:
        draft[armoury.race] = races[0].value
    entries = draft.get(armoury.units)
    draft[armoury.units] = entries if isinstance(entries, list) else []
    look = _looked_at(draft, rules, book, agreed)
    catalogue = armoury.catalogue(book, draft)
    units = [_sheet_unit(n, one, look, armoury, catalogue, book) for n, one in enumerate(draft[armoury.units])]
    on_units = {fault for one in units for fault in one.faults}
    general = tuple([fault for fault in look.faults if fault not in on_units])
    return ArmySheet(
        ruleset=rules.name,
        edition=book.edition,
        draft=draft,
        title=str(draft["title"]),
        words=str(draft.get("words", "")),
        field=armoury.units,
        count=armoury.count,
        race=armoury.race,
        races=races,
        units=tuple(units),
        catalogue=tuple(_offers(draft, look, catalogue, rules, book, agreed)),
        faults=general,
        ready=not look.faults,
        pieces=sum([one.count for one in units]),
        points=None if look.army is None else armoury.cost(book, look.army),
        agreed=agreed,
        usual=usual,
        measured=armoury.measured,
        shipped=(*armoury.shipped(), *(book.pack.file.armies if book.pack is not None else ())),
        paint=own if (own := str(draft.get("paint"))) in PAINTS else armoury.paint(draft),
        text=texted(draft, rules, book),
        link=packed(draft),
        file=filed(draft, rules),
    )


class _Looked(msgspec.Struct, frozen=True):
    """The result of reading a draft."""

    army: Any
    """The army list without unreadable parts; None if nothing is readable."""
    numbers: tuple[int, ...]
    """For each entry of the army list, its index in the draft."""
    faults: tuple[ArmyFault, ...]


def _looked_at(draft: Draft, rules: Ruleset, book: Book, agreed: int | None) -> _Looked:
    """Read a draft without its unreadable parts, and check the rest by the rules."""
    armoury = armoury_of(rules)
    unknown = unknown_units(draft, rules, book)
    faults = list(unknown.values())
    if not draft[armoury.units]:
        faults.append(ArmyFault(message="An army needs a unit", path=(armoury.units,), unfinished=True))
    # A title that cannot be read does not keep the units from being judged.
    rest, faulty, unread = {**draft}, {path[:2] for path in unknown}, set[str]()
    for error in faults_in_form(draft, armoury.form):
        path = _path_of(error)
        if path == (armoury.units,) or path[:3] in unknown or path[:2] in unknown:
            continue
        faults.append(ArmyFault(message=error.message, path=path))
        faulty.add(path[:2])
        unread |= {str(key) for key in path[:1] if key != armoury.units}
    for key in unread:
        rest.pop(key, None)
    if "title" in unread:
        rest["title"] = "Army"
    entries = [(n, one) for n, one in enumerate(draft[armoury.units]) if (armoury.units, n) not in faulty]
    rest[armoury.units] = [one for _, one in entries]
    wrong = faults_in_form(rest, armoury.form)
    if not faults:
        faults += [ArmyFault(message=error.message, path=_path_of(error)) for error in wrong]
    army = None if wrong or not entries else converted(rest, armoury.form)
    numbers = tuple([number for number, _ in entries])
    if army is not None:
        for fault in armoury.faults(book, army, agreed):
            if len(fault.path) > 1 and fault.path[0] == armoury.units:
                at = numbers[cast(int, fault.path[1])]
                fault = msgspec.structs.replace(fault, path=(fault.path[0], at, *fault.path[2:]))
            faults.append(fault)
    return _Looked(army, numbers, tuple(dict.fromkeys(faults)))


def _path_of(error: InputError) -> PathOf:
    """Return the path of the field that an error names.

    >>> _path_of(InputError("", field="units[3].traits[0]"))
    ('units', 3, 'traits', 0)
    """
    parts = re.findall(r"[^.\[\]]+", error.field or "")
    return tuple([int(part) if part.isdecimal() else part for part in parts])


def _sheet_unit(
    number: int, entry: Any, look: _Looked, armoury: Armoury, catalogue: Sequence[ArmyUnit], book: Book
) -> SheetUnit:
    unit = unit_of(entry, catalogue)
    fields = entry if isinstance(entry, Mapping) else {}
    count = fields.get(armoury.count, 1) if armoury.count else 1
    points = None
    if look.army is not None and number in look.numbers:
        points = armoury.price(book, look.army, look.numbers.index(number))
    word = next((str(fields[key]) for one in catalogue for key in one.entry if key in fields), as_json(entry))
    own = fields.get("look") if isinstance(fields.get("look"), str) else None
    return SheetUnit(
        key=unit.key if unit else "",
        title=unit.title if unit else word[:60],
        name=name if isinstance(name := fields.get("name"), str) else "",
        count=count if type(count) is int else 1,
        points=points,
        said=tuple(options_said(fields, unit, armoury)) if unit else (),
        look=cast(Look, own) if own in LOOKS else UNSET,
        faults=tuple([f for f in look.faults if f.path[:2] == (armoury.units, number)]),
    )


def _offers(
    draft: Draft, look: _Looked, catalogue: Sequence[ArmyUnit], rules: Ruleset, book: Book, agreed: int | None
) -> Iterator[OfferedUnit]:
    armoury = armoury_of(rules)
    # Unreadable parts are left out now, so they do not affect which units may be added.
    entries = [draft[armoury.units][number] for number in look.numbers]
    before = set(_looked_at({**draft, armoury.units: entries}, rules, book, agreed).faults)
    for unit in catalogue:
        entry = {**unit.entry, **unit.also}
        if armoury.named:
            entry["name"] = name_for(unit.title, armoury, draft[armoury.units])
        after = _looked_at({**draft, armoury.units: [*entries, entry]}, rules, book, agreed)
        new = [fault for fault in after.faults if fault not in before and not fault.unfinished]
        yield OfferedUnit(unit=unit, entry=entry, refusal=new[0].words if new else "")
