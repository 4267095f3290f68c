"""Write an army list as text for a chat, and read it again as the same list.

One line names the game, others are fields of the list, and each unit has its own line:

    Red Column
    Game: A Game of Tanks

    - 2 x Battle Tanks
    - Hero "Iska"

Words are compared loosely: capitals, hyphens and plurals do not matter. Unknown text is stored unchanged, and values
without words are JSON. Texts that people type are read too: several units in a line with commas, numbers of lines,
headings and prices.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from typing import Any

import msgspec

from caltrop.engine import Book, Ruleset, ruleset, rulesets
from caltrop.engine.army import Armoury, ArmyChoice, ArmyFault, ArmyOption, ArmyUnit, PathOf
from caltrop.errors import InputError
from caltrop.kit.words import free_name, listed
from caltrop.roster import LINK

Draft = dict[str, Any]
"""An army list as plain data, as in its file."""

MOST_UNITS = 200
"""Largest number of entries that are read; every game allows fewer."""
LONG = 100
"""Largest number of characters in a word that is compared with names."""

_BULLETS = "-*•·+–—●▪■►‣◦>"
"""Characters that may begin the line of a unit."""


def armoury_of(rules: Ruleset) -> Armoury:
    """Return the parts of a game's armies. Raises InputError if the game has no army lists."""
    lists = rules.army_lists
    if lists is None:
        raise InputError(f"{rules.name} has no army lists", field="ruleset")
    return lists


_TAKEN_APART = re.compile(r"(?:(\d{1,3})\s*(?:[x×]\s*|\s+)|[x×]\s*(\d{1,3})\s+)?(.*)", re.I | re.S)
_COUNTED = re.compile(r"\d{1,3}\s*[x×]\s*\S.*|[x×]\s*\d{1,3}\s.*|.*\S\s*[x×]\s*\d{1,3}", re.I | re.S)
"""A line with a number of units."""
_NUMBERED = re.compile(r"\d{1,3}[.)]\s+")
"""The number of a line."""
_PRICED = re.compile(r"(.*?) ?[-–—:,|@=]* ?[\[(]?(?:total ?[:=]? ?)?\d{1,4} ?(?:pts?|points?|p)\.?[\])]?", re.I)
"""Words with a price behind them, in a line with single blanks."""


@lru_cache(4096)
def _plain(word: str) -> str:
    """Return a word in the form used for comparison: small letters, no hyphens, and no plural.

    >>> _plain("Medium-Tanks"), _plain(" medium  tank")
    ('medium tank', 'medium tank')
    """
    parts = re.split(r"[\s_-]+", word.strip().strip(".,:;").casefold())
    return " ".join([part.removesuffix("s") if len(part) > 3 else part for part in parts])


def _unit_called(word: str, catalogue: Sequence[ArmyUnit]) -> ArmyUnit | None:
    plain = _plain(word[:LONG])
    return next((unit for unit in catalogue if plain in (_plain(unit.title), _plain(unit.key))), None)


def unit_of(entry: Any, catalogue: Sequence[ArmyUnit]) -> ArmyUnit | None:
    """Return the catalogue's unit for an entry of a draft; None if there is none."""
    if not isinstance(entry, Mapping):
        return None
    for unit in catalogue:
        if all(key in entry and _same(entry[key], value) for key, value in unit.entry.items()):
            return unit
    return None


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def id_of(title: Any) -> str:
    return re.sub(r"[^a-z0-9]+", "-", str(title).casefold())[:40].strip("-") or "army"


def texted(draft: Draft, rules: Ruleset, book: Book | None = None) -> str:
    armoury, book = armoury_of(rules), book or rules.book()
    catalogue = armoury.catalogue(book, draft)
    title = draft.get("title")
    silent = {"ruleset", "title", armoury.units}
    if draft.get("id") == id_of(draft.get("title", "Army")):
        silent.add("id")
    fields = {key: value for key, value in draft.items() if key not in silent}
    head = [title] if isinstance(title, str) and _may_open(title) else []
    if not head and "title" in draft:
        fields = {"title": title, **fields}
    head.append(f"Game: {rules.title}")
    head += [f"{_heading(key)}: {_scalar(key, value, armoury, book)}" for key, value in fields.items()]
    entries = draft.get(armoury.units, [])
    if not isinstance(entries, list):
        return "\n".join([*head, f"{_heading(armoury.units)}: {as_json(entries)}"]) + "\n"
    lines: list[str] = []
    for entry, several in _collapsed(entries, armoury):
        lines.append(_line_of(entry, several, armoury, catalogue))
    return "\n".join([*head, "", *lines]) + "\n"


def as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _heading(key: str) -> str:
    return key[:1].upper() + key[1:]


def _may_open(title: str) -> bool:
    return (
        title == title.strip()
        and title.isprintable()
        and title[:1] not in ("", "{", "#", *_BULLETS)
        and LINK[1:] not in title
        and _header(title) is None
        and not _is_counted(title)
    )


def _scalar(key: str, value: Any, armoury: Armoury, book: Book) -> str:
    if key == armoury.race:
        words = next((race.words for race in armoury.races(book) if race.value == value), None)
        if words is not None:
            return words
    if isinstance(value, str) and value and value.isprintable() and value == value.strip() and _value(value) == value:
        return as_json(value) if _priceless(value) == "" else value
    return as_json(value)


def _value(text: str) -> Any:
    """Return the value of a word: parsed as JSON if it looks like JSON, else the word itself."""
    if text[:1] in ('"', "{", "[") or re.fullmatch(r"-?\d{1,9}|true|false|null", text):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def _collapsed(entries: Sequence[Any], armoury: Armoury) -> Iterator[tuple[Any, int]]:
    """Yield the entries with the number of equal ones in a row; 0 for an entry with its own field for the number."""
    if armoury.count:
        for entry in entries:
            yield entry, 0
        return
    number = 0
    while number < len(entries):
        alike = takewhile(as_json(entries[number]).__eq__, map(as_json, entries[number : number + 99]))
        several = sum(1 for _ in alike)
        yield entries[number], several
        number += several


def _line_of(entry: Any, several: int, armoury: Armoury, catalogue: Sequence[ArmyUnit]) -> str:
    """Return an entry as a line of text: in words if they are read as the same entry, else as JSON."""
    unit = unit_of(entry, catalogue)
    if unit is not None:
        line = "- " + _in_words(entry, several, unit, armoury)
        is_named = not armoury.named or "name" in entry
        if "\n" not in line and is_named and _entries(line[2:], armoury, catalogue) == [entry] * max(several, 1):
            return line
    times = f"{several} x " if several > 1 else ""
    return f"- {times}{as_json(entry)}"


def _in_words(entry: Mapping[str, Any], several: int, unit: ArmyUnit, armoury: Armoury) -> str:
    count = entry.get(armoury.count, 1) if armoury.count else several
    times = f"{count} x " if count != 1 else ""
    name = f" {json.dumps(entry['name'], ensure_ascii=False)}" if isinstance(entry.get("name"), str) else ""
    extras = options_said(entry, unit, armoury)
    return f"{times}{unit.title}{name}" + (f" ({'; '.join(extras)})" if extras else "")


def options_said(entry: Mapping[str, Any], unit: ArmyUnit, armoury: Armoury) -> list[str]:
    """Return the options of an entry in words, without its kind, number and name."""
    options = {option.field: option for option in unit.options}
    phrases = []
    for field, value in entry.items():
        if field in unit.entry or (field == "name" and isinstance(value, str)) or (field and field == armoury.count):
            continue
        words = _option_said(options[field], value) if field in options else None
        phrases.append(f"{field}={as_json(value)}" if words is None else words)
    return phrases


def _option_said(option: ArmyOption, value: Any) -> str | None:
    calls = {choice.value: choice.words for choice in option.choices}
    if option.sort == "yes" and isinstance(value, bool):
        return option.words if value else f"{option.words}: no"
    if option.sort == "number" and type(value) is int:
        return f"{option.words}: {value}"
    if option.sort == "one" and isinstance(value, str | int) and value in calls:
        return f"{option.words}: {calls[value]}"
    if option.sort == "several" and isinstance(value, list) and all(isinstance(v, str) and v in calls for v in value):
        return f"{option.words}: {', '.join(calls[v] for v in value)}" if value else None
    if option.sort == "line" and isinstance(value, str):
        return f"{option.words}: {json.dumps(value, ensure_ascii=False)}"
    return None


def _header(line: str) -> tuple[str, str] | None:
    """Return the key and the value of a line such as `Army: Red`, or of the name of a game; None for another line."""
    line = line.strip()
    match = re.fullmatch(r"([A-Za-z][A-Za-z_]{0,19})\s*:\s*(\S.*)", line, re.S)
    if match is not None:
        return match[1], match[2]
    return ("Game", line) if len(line) <= LONG and _game_called(line) != line else None


def _unit_lines(text: str, catalogue: Sequence[ArmyUnit]) -> Iterator[tuple[int, str]]:
    """Yield the lines that name units, without bullets, with their numbers from 1."""
    title = _title_line(text, catalogue)
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or number == title or _header(line) is not None or set(line) <= set("-=_*# "):
            continue
        if _priceless(line) == "":
            continue
        bullet = line[0] in _BULLETS
        if not bullet and _is_heading(line, catalogue):
            continue
        yield number, (line[1:].strip() if bullet else line)


def _is_heading(line: str, catalogue: Sequence[ArmyUnit]) -> bool:
    """Return whether a line is the heading of some units, such as `Infantry:`."""
    return line[0] == "#" or (line[-1] == ":" and _unit_called(line, catalogue) is None)


def _title_line(text: str, catalogue: Sequence[ArmyUnit]) -> int | None:
    """Return the number of the line with the title; None if the first line is something else."""
    lines = [raw.strip() for raw in text.splitlines()]
    number = next((number for number, line in enumerate(lines, 1) if line), None)
    if number is None:
        return None
    line, *others = lines[number - 1 :]
    if not _opens(line) or _is_counted(line):
        return None
    # A title stands apart from the units, or has a line of another kind below.
    is_first_unit = not any(others) or (others[0] and _opens(others[0]))
    return None if is_first_unit and _names_units(line, catalogue) else number


def _is_counted(line: str) -> bool:
    return len(line) <= LONG and _COUNTED.fullmatch(line) is not None


def _priceless(line: str) -> str:
    """Return a line without the price at its end, because the rules know the prices of units.

    >>> _priceless("Battle Tanks (7 pts)"), _priceless("Battle Tanks"), _priceless("Total: 80 points")
    ('Battle Tanks', 'Battle Tanks', '')
    """
    priced = _PRICED.fullmatch(" ".join(line.split())) if len(line) <= LONG else None
    return line if priced is None else priced[1]


def _opens(line: str) -> bool:
    return _header(line) is None and line[0] not in (*_BULLETS, "{")


def _names_units(line: str, catalogue: Sequence[ArmyUnit]) -> bool:
    taken = [_taken_apart(part) for part in _parts(line)]
    return any(one is not None and _unit_called(one[1], catalogue) is not None for one in taken)


def _parts(line: str) -> list[str]:
    """Return the parts of a line with several units; a line with brackets or quotation marks has one part."""
    parts = [line] if set(line) & set('"“({[') else line.split(",", MOST_UNITS)
    return [part.strip() for part in parts if part.strip()]


def heard(text: str, game: str | None) -> tuple[Draft, Mapping[PathOf, tuple[int, int]]]:
    """Read a draft from a text to paste; its units are left out if the game is unknown."""
    headers: dict[str, Any] = {}
    places: dict[PathOf, tuple[int, int]] = {(): (1, 1)}
    for number, raw in enumerate(text.splitlines(), 1):
        header = _header(raw)
        if header is not None and _priceless(header[1]):
            key = header[0][:1].lower() + header[0][1:]
            headers.setdefault(key, _value(header[1]))
            places.setdefault((key,), (number, 1))
    called = headers.pop("game", None)
    if called is not None:
        game = _game_called(str(called))
    draft: Draft = {} if game is None else {"ruleset": game}
    if game is None or game not in rulesets() or ruleset(game).army_lists is None:
        return {**draft, **_titled(text, ()), **headers}, places
    rules = ruleset(game)
    armoury, book = armoury_of(rules), rules.book()
    race = _race_of(headers, armoury, book, text) if armoury.race else {}
    catalogue = armoury.catalogue(book, {**headers, **race})
    draft |= {**_titled(text, catalogue), **headers, **race}
    if armoury.units in headers:
        return draft, places
    entries: list[Any] = []
    unnamed: list[dict[str, Any]] = []
    for number, line in _unit_lines(text, catalogue):
        for entry in _entries(line, armoury, catalogue):
            places[armoury.units, len(entries)] = (number, 1)
            entries.append(entry)
            if armoury.named and not _is_json(line) and "name" not in entry:
                unnamed.append(entry)
        _bound(entries)
    for entry in unnamed:
        unit = unit_of(entry, catalogue)
        entry["name"] = name_for(str(entry[kind_field(catalogue)]) if unit is None else unit.title, armoury, entries)
    draft[armoury.units] = entries
    return draft, places


def _is_json(line: str) -> bool:
    whole = _TAKEN_APART.fullmatch(line)
    return whole is not None and whole[3].startswith("{")


def name_for(title: str, armoury: Armoury, entries: Sequence[Any]) -> str:
    """Return a name that no entry has, for a new unit of a game in which every unit has a name."""
    taken = [str(one.get("name", "")) for one in entries if isinstance(one, Mapping)]
    return next((name for name in armoury.names if name not in taken), free_name(title, taken))


def _game_called(word: str) -> str:
    """Return the ruleset with this name or title, or the word itself."""
    plain = _plain(word)
    return next((name for name in rulesets() if plain in (_plain(name), _plain(ruleset(name).title))), word)


def _titled(text: str, catalogue: Sequence[ArmyUnit]) -> Draft:
    number = _title_line(text, catalogue)
    return {} if number is None else {"title": text.splitlines()[number - 1].lstrip("# \t").strip()}


def _race_of(headers: Mapping[str, Any], armoury: Armoury, book: Book, text: str) -> Draft:
    races = armoury.races(book)
    if armoury.race in headers:
        return {armoury.race: _choice_called(headers[armoury.race], races)}
    counts = [_matching(armoury.catalogue(book, {armoury.race: race.value}), text) for race in races]
    return {armoury.race: races[counts.index(max(counts))].value}


def _choice_called(text: Any, choices: Sequence[ArmyChoice]) -> Any:
    for choice in choices:
        if isinstance(text, str) and _plain(text) in (_plain(str(choice.value)), _plain(choice.words)):
            return choice.value
    return text


def _taken_apart(line: str) -> tuple[int, str, str] | None:
    """Return the number, the name and the options in the line of a unit; None if it is empty."""
    line = _NUMBERED.sub("", line, count=1) if _NUMBERED.match(line) else line
    match = _TAKEN_APART.fullmatch(_priceless(line).strip("*_`"))
    assert match is not None, "it matches every text"
    rest = match[3].strip()
    end = next((at for at, sign in enumerate(rest) if sign in '"(“'), len(rest))
    title = rest[:end].strip().rstrip(":,")
    trailing = re.fullmatch(r"(.*\S)\s*[x×]\s*(\d{1,3})", title, re.I) if len(title) <= LONG else None
    count = int(match[1] or match[2] or 1)
    if trailing is not None:
        title, count = trailing[1], int(trailing[2])
    return (count, title, rest[end:].strip()) if rest else None


def _entries(line: str, armoury: Armoury, catalogue: Sequence[ArmyUnit]) -> list[Any]:
    whole = _TAKEN_APART.fullmatch(line)
    if whole is not None and whole[3].startswith("{"):
        entry = _value(whole[3])
        if isinstance(entry, dict):
            return [entry] * min(int(whole[1] or whole[2] or 1), 99)
    taken = _taken_apart(line)
    if taken is None:
        return []
    count, title, rest = taken
    unit = _unit_called(title, catalogue)
    parts = _parts(line)
    if unit is None and len(parts) > 1 and _names_units(line, catalogue):
        return [entry for part in parts for entry in _entries(part, armoury, catalogue)]
    fields: dict[str, Any] = dict(unit.entry) if unit is not None else {kind_field(catalogue): title}
    if rest[:1] in ('"', "“"):
        name, rest = _quoted(rest)
        fields["name"] = name
    if rest.startswith("("):
        for part in _split(rest[1 : rest.rindex(")")] if ")" in rest else rest[1:]):
            if _priceless(part):
                _say(fields, part, unit)
    if unit is not None:
        fields = {**fields, **{key: value for key, value in unit.also.items() if key not in fields}}
    if armoury.count:
        return [fields if count == 1 else {**fields, armoury.count: count}]
    return [dict(fields) for _ in range(min(count, 99))]


def kind_field(catalogue: Sequence[ArmyUnit]) -> str:
    return next((key for unit in catalogue for key in unit.entry), "kind")


def _quoted(rest: str) -> tuple[str, str]:
    if rest[0] == '"':
        try:
            name, end = json.JSONDecoder().raw_decode(rest)
            return str(name), rest[end:].strip()
        except (ValueError, RecursionError):
            pass
    name, _, behind = rest[1:].partition('"' if rest[0] == '"' else "”")
    return name.strip(), behind.strip()


def _split(text: str) -> list[str]:
    """Split a text at the semicolons that are outside quotation marks and brackets."""
    parts, depth, quoted, start = [], 0, False, 0
    skip = False
    for at, sign in enumerate(text):
        if skip:
            skip = False
        elif quoted:
            skip, quoted = sign == "\\", sign != '"'
        elif sign == '"':
            quoted = True
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        elif sign == ";" and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def _say(entry: dict[str, Any], part: str, unit: ArmyUnit | None) -> None:
    exact = re.fullmatch(r"([a-z_]+)=(.*)", part, re.S)
    if exact is not None:
        entry[exact[1]] = _value(exact[2])
        return
    words, _, value = (piece.strip() for piece in part.partition(":"))
    options = () if unit is None else unit.options
    option = next((one for one in options if _plain(words) in (_plain(one.words), _plain(one.field))), None)
    if option is None:
        entry[_plain(words).replace(" ", "_") or "name"] = _value(value) if value else True
    elif option.sort == "yes":
        entry[option.field] = value.casefold() not in ("no", "false", "0")
    elif option.sort == "several":
        entry[option.field] = [_choice_called(one.strip(), option.choices) for one in value.split(",") if one.strip()]
    elif option.sort == "one":
        entry[option.field] = _choice_called(value, option.choices)
    else:
        entry[option.field] = _value(value)


def likeliest(text: str) -> str | None:
    """Return the game whose catalogue has the most units named in a text; None if no catalogue has any."""
    counts = {name: matches(name, text) for name in rulesets() if ruleset(name).army_lists is not None}
    best = max(counts, key=lambda name: counts[name], default=None)
    return best if best is not None and counts[best] > 0 else None


def matches(name: str, text: str) -> int:
    """Return the number of lines in a text that name units of a game."""
    rules = ruleset(name)
    armoury, book = armoury_of(rules), rules.book()
    races: Sequence[str | None] = [str(race.value) for race in armoury.races(book)] or [None]
    return max([_matching(armoury.catalogue(book, {armoury.race: race} if race else {}), text) for race in races])


def _matching(catalogue: Sequence[ArmyUnit], text: str) -> int:
    return sum(_names_units(line, catalogue) for _, line in islice(_unit_lines(text, catalogue), MOST_UNITS))


def _bound(entries: Any) -> None:
    if isinstance(entries, list) and len(entries) > MOST_UNITS:
        raise InputError(f"an army list has at most {MOST_UNITS} units; this one has {len(entries)}")


def unknown_units(draft: Draft, rules: Ruleset, book: Book | None = None) -> dict[PathOf, ArmyFault]:
    """Return the faults of entries that name no unit of the catalogue, each with the nearest match."""
    armoury = armoury_of(rules)
    catalogue = armoury.catalogue(book or rules.book(), draft)
    faults: dict[PathOf, ArmyFault] = {}
    entries = draft.get(armoury.units, [])
    _bound(entries)
    for number, entry in enumerate(entries if isinstance(entries, list) else []):
        if isinstance(entry, Mapping) and unit_of(entry, catalogue) is None:
            field = next((key for unit in catalogue for key in unit.entry if key in entry), kind_field(catalogue))
            word = str(entry.get(field, ""))[:LONG]
            titles = {unit.title.casefold(): unit for unit in catalogue} | {unit.key: unit for unit in catalogue}
            near = difflib.get_close_matches(_plain(word), titles, 1, 0.5)
            meant = titles[near[0]] if near else None
            hint = (
                f"did you mean {meant.title}?" if meant else f"there are {listed([unit.title for unit in catalogue])}"
            )
            path = (armoury.units, number, field)
            faults[path] = ArmyFault(
                message=f"there is no unit {word[:60]!r}; {hint}", path=path, nearest=meant.key if meant else ""
            )
    return faults
