"""Army lists of every game: how they are written (a file, a text to paste, a link), read, and looked at while one builds.

A *draft* is an army list as plain data, as its file says it; nothing in it need be right. What may stand in it is said by
the game's `Armoury` (`caltrop.engine.army`): one description for `validate`, the builder, the command line and the server.
The three forms hold the same draft, and reading one gives back what was written. A text names things as people do, and says
as JSON what it has no words for. A link holds the draft in its fragment, packed, so that no server has to keep it.
"""

from __future__ import annotations

import base64
import difflib
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.engine import Book, HouseValue, Ruleset, ruleset, rulesets
from caltrop.engine.army import Armoury, ArmyChoice, ArmyFault, ArmyOption, ArmyUnit, PathOf
from caltrop.errors import InputError
from caltrop.kit.words import free_name, listed
from caltrop.picture import Look, Paint
from caltrop.picture.shelf import LOOKS, PAINTS
from caltrop.roster import LINK, Read, converted, nearest, read_yaml, utf8

T = TypeVar("T")
Draft = dict[str, Any]
"""An army list as plain data, as its file says it."""

LONGEST = 65_536
"""Characters of an army list, in any form, also unpacked."""
VERSION = "1"
"""The form of what is packed into a link: links of every version are read."""

_WORN = b'"clauses":"cuts":{"traits":["weapons":["officer":true,"models":"quality":"name":"count":"kind":"units":[{"id":"title":"words":'
"""What army lists often say. It is a part of version 1 of links, and never changes."""


# --- finding out what it is -------------------------------------------------------------------------------------------


def armoury_of(rules: Ruleset) -> Armoury:
    """What an army of a game is made of.

    Raises:
        InputError: if the game has no army lists.
    """
    found = rules.army_lists
    if found is None:
        raise InputError(f"{rules.name} has no army lists", field="ruleset")
    return found


def is_link(word: str) -> bool:
    """Whether a word is a link to an army list, or its fragment."""
    return LINK in word or word.strip().startswith(LINK[1:])


def draft_of(word: str, game: str | None = None, source: str = "the text given") -> tuple[Draft, str]:
    """An army list that was given as the text of a file, as a text to paste, or as a link.

    Args:
        word: What was given.
        game: The ruleset, where the text does not say.
        source: What it is called in an error.

    Returns:
        The draft, and the ruleset it is for.

    Raises:
        InputError: if it is none of the three, or names no game.
    """
    draft, _ = _drafted(word, game, source)
    name = draft.get("ruleset", game)
    if name is None and "\n" in word:
        name = _likeliest(word)
    if not isinstance(name, str) or name not in rulesets():
        known = [one for one in rulesets() if ruleset(one).army_lists is not None]
        if name is None:
            raise InputError(f"which game is it for? It is one of {', '.join(known)}", source=source, field="ruleset")
        raise InputError(f"there is no game {name!r}; {nearest(name, known)}", source=source, field="ruleset")
    if "ruleset" not in draft:
        draft, _ = _drafted(word, name, source)
    return in_json({"ruleset": name, **draft}, source), name


def in_json(draft: Mapping[str, Any], source: str = "the army list") -> Draft:
    """A draft with nothing in it that JSON does not have: it is the same in a file, a link and a browser.

    Raises:
        InputError: for what JSON does not have.
    """
    try:
        found: Draft = msgspec.json.decode(msgspec.json.encode(draft))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"this cannot be kept: {error}", source=source) from None
    return found


def _drafted(word: str, game: str | None, source: str) -> tuple[Draft, Mapping[PathOf, tuple[int, int]]]:
    """A draft and the places of its values, as far as the game is known."""
    if len(word) > LONGEST:
        raise InputError(f"an army list has {LONGEST} characters at most; this one has {len(word)}", source=source)
    if is_link(word):
        return unpacked(word, source), {}
    if _is_data(word):
        read = read_yaml(word, dict[str, Any])
        return read.value, read.places
    if "\n" not in word.strip():
        said = "this is no army list: it would be a link, a text with a line for each unit, or the text of a file"
        raise InputError(said, source=source)
    return _heard(word, game)


def _is_data(word: str) -> bool:
    """Whether a text is YAML or JSON: the text of a file."""
    return word.lstrip().startswith("{") or re.search(r"^(ruleset|units|fighters)[ ]*:", word, re.M) is not None


def _likeliest(text: str) -> str | None:
    """The game whose catalogue knows most of the units that a text names; None if none knows any."""
    counts = {name: _matches(name, text) for name in rulesets() if ruleset(name).army_lists is not None}
    best = max(counts, key=lambda name: counts[name], default=None)
    return best if best is not None and counts[best] > 0 else None


def _matches(name: str, text: str) -> int:
    rules = ruleset(name)
    armoury, book = armoury_of(rules), rules.book()
    races: Sequence[str | None] = [str(race.value) for race in armoury.races(book)] or [None]
    return max([_matching(armoury.catalogue(book, {armoury.race: race} if race else {}), text) for race in races])


def _matching(catalogue: Sequence[ArmyUnit], text: str) -> int:
    return sum(1 for _, line in _unit_lines(text) if (taken := _taken_apart(line)) and _unit_called(taken[1], catalogue))


def read_army(file: Path | str, type_: type[T], game: str) -> Read[T]:
    """Read an army list of a game: from a file, or from the text of one, a text to paste, or a link.

    Args:
        file: The file, or what was given.
        type_: What an army list of the game says.
        game: The game.

    Raises:
        InputError: for what cannot be read; the message has the place and the nearest right value.
    """
    if isinstance(file, Path) and file.suffix in (".yaml", ".yml", ".json"):
        return read_yaml(file, type_)
    source = "the text given" if isinstance(file, str) else str(file)
    word = file if isinstance(file, str) else text_of(file)
    if len(word) > LONGEST or (_is_data(word) and not is_link(word)):
        return read_yaml(word if isinstance(file, str) else file, type_)
    draft, places = _drafted(word, game, source)
    unread = Read(draft, places, source)
    for path, fault in _unknown(draft, ruleset(game)).items():
        raise unread.wrong(fault.words, *path)
    value = converted(draft, type_, source=source, place=lambda path: unread.place(*path) if places else None)
    return Read(value, places, source)


def text_of(file: Path) -> str:
    """The text of a file with an army list.

    Raises:
        InputError: if it cannot be read, or is too long.
    """
    try:
        with file.open("rb") as stream:
            raw = stream.read(4 * LONGEST + 1)
        text = utf8(raw, str(file)).decode()
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        why = (isinstance(error, OSError) and error.strerror) or error
        raise InputError(f"the file cannot be read: {why}", source=str(file)) from error
    if len(text) > LONGEST:
        raise InputError(f"an army list has {LONGEST} characters at most", source=str(file))
    return text


def as_text_of_file(word: str, game: str) -> str:
    """A word that names an army, as records keep it: a link or a text to paste becomes the text of a file.

    Args:
        word: An id, the path of a file, the text of one, a text to paste, or a link.
        game: The game.

    Raises:
        InputError: if it is a link or a text that cannot be read.
    """
    if not is_link(word) and ("\n" not in word or _is_data(word)):
        return word
    return filed(draft_of(word, game)[0], ruleset(game))


# --- as a file --------------------------------------------------------------------------------------------------------


def filed(draft: Draft, rules: Ruleset) -> str:
    """A draft as the text of a file: read again, it is equal."""
    import yaml

    units = armoury_of(rules).units

    def dumped(value: Any) -> str:
        text: str = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=10**6, default_flow_style=True)
        return text.removesuffix("...\n").strip()

    head = "".join([f"{dumped(key)}: {dumped(value)}\n" for key, value in draft.items() if key != units])
    entries = draft.get(units, [])
    if not isinstance(entries, list) or not entries:
        return f"{head}{units}: {dumped(entries)}\n"
    lines = ["  - " + dumped(entry) for entry in entries]
    return f"{head}{units}:\n" + "\n".join(lines) + "\n"


# --- as a link --------------------------------------------------------------------------------------------------------


def packed(draft: Draft) -> str:
    """The fragment of a link that holds a draft.

    >>> unpacked(packed({"ruleset": "duel", "title": "One"}))
    {'ruleset': 'duel', 'title': 'One'}
    """
    text = msgspec.json.encode(draft)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=_WORN)
    data = squeeze.compress(text) + squeeze.flush()
    return LINK + VERSION + base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unpacked(link: str, source: str = "the link") -> Draft:
    """The draft that a link holds: a whole address, or its fragment.

    Raises:
        InputError: if it holds none.
    """
    code = link.strip().rpartition(LINK[1:])[2].split("&")[0].split()
    try:
        version, data = code[0][0], code[0][1:]
        if version != VERSION:
            raise InputError(f"this link is of version {version}; this Caltrop reads version {VERSION}", source=source)
        raw = base64.b64decode(data + "=" * (-len(data) % 4), altchars=b"-_", validate=True)
        loose = zlib.decompressobj(-15, zdict=_WORN)
        text = loose.decompress(raw, LONGEST)
        if not loose.eof or loose.unused_data:
            raise ValueError
        draft = msgspec.json.decode(text)
    except InputError:
        raise
    except (ValueError, IndexError, zlib.error, RecursionError):
        raise InputError("this link is cut short or changed: copy all of it", source=source) from None
    if not isinstance(draft, dict):
        raise InputError("this link holds no army list", source=source)
    return draft


# --- as a text to paste -----------------------------------------------------------------------------------------------

_BULLETS = "-*•·+–"
_TAKEN_APART = re.compile(r"(?:(\d{1,3})\s*(?:[x×]\s*|\s+))?(.*)", re.I | re.S)


def _plain(word: str) -> str:
    """A word as it is compared: small letters, no hyphens, and no plural.

    >>> _plain("Medium-Tanks"), _plain(" medium  tank")
    ('medium tank', 'medium tank')
    """
    parts = re.split(r"[\s_-]+", word.strip().strip(".,:;").casefold())
    return " ".join([part.removesuffix("s") if len(part) > 3 else part for part in parts])


def _unit_called(word: str, catalogue: Sequence[ArmyUnit]) -> ArmyUnit | None:
    """The unit of a catalogue that a word names."""
    plain = _plain(word)
    return next((unit for unit in catalogue if plain in (_plain(unit.title), _plain(unit.key))), None)


def unit_of(entry: Any, catalogue: Sequence[ArmyUnit]) -> ArmyUnit | None:
    """The unit of a catalogue that an entry of a draft brings; None if there is none."""
    if not isinstance(entry, Mapping):
        return None
    for unit in catalogue:
        if all(key in entry and _same(entry[key], value) for key, value in unit.entry.items()):
            return unit
    return None


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def texted(draft: Draft, rules: Ruleset, book: Book | None = None) -> str:
    """A draft as a text to paste, which people read too: read again, it is equal."""
    armoury, book = armoury_of(rules), book or rules.book()
    catalogue = armoury.catalogue(book, draft)
    title = draft.get("title")
    fields = {key: value for key, value in draft.items() if key not in ("ruleset", "title", armoury.units)}
    head = [title] if isinstance(title, str) and _may_open(title) else []
    if not head and "title" in draft:
        fields = {"title": title, **fields}
    head.append(f"Game: {rules.title}")
    head += [f"{_heading(key)}: {_scalar(key, value, armoury, book)}" for key, value in fields.items()]
    entries = draft.get(armoury.units, [])
    if not isinstance(entries, list):
        return "\n".join([*head, f"{_heading(armoury.units)}: {_json(entries)}"]) + "\n"
    lines: list[str] = []
    for entry, several in _collapsed(entries, armoury):
        lines.append(_line_of(entry, several, armoury, catalogue))
    return "\n".join([*head, "", *lines]) + "\n"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _heading(key: str) -> str:
    return key[:1].upper() + key[1:]


def _may_open(title: str) -> bool:
    """Whether a title can be the first line as it is."""
    return (
        title == title.strip()
        and title.isprintable()
        and title[:1] not in ("", "{", *_BULLETS)
        and LINK[1:] not in title
        and _header(title) is None
    )


def _scalar(key: str, value: Any, armoury: Armoury, book: Book) -> str:
    """The value of a field as a line of the text says it."""
    if key == armoury.race:
        words = next((race.words for race in armoury.races(book) if race.value == value), None)
        if words is not None:
            return words
    if isinstance(value, str) and value.isprintable() and value == value.strip() and _value(value) == value and value:
        return value
    return _json(value)


def _value(said: str) -> Any:
    """What a word of a text means: JSON where it looks like that, else itself."""
    if said[:1] in ('"', "{", "[") or re.fullmatch(r"-?\d{1,9}|true|false|null", said):
        try:
            return json.loads(said)
        except (ValueError, RecursionError):
            return said
    return said


def _collapsed(entries: Sequence[Any], armoury: Armoury) -> Iterator[tuple[Any, int]]:
    """The entries with how many of each stand one after another; 0 for one whose own field says how many it brings."""
    if armoury.count:
        for entry in entries:
            yield entry, 0
        return
    number = 0
    while number < len(entries):
        several = 1
        while several < 99 and number + several < len(entries) and _json(entries[number + several]) == _json(entries[number]):
            several += 1
        yield entries[number], several
        number += several


def _line_of(entry: Any, several: int, armoury: Armoury, catalogue: Sequence[ArmyUnit]) -> str:
    """An entry as a line of the text: in words if these are read as the same entry, else as JSON."""
    unit = unit_of(entry, catalogue)
    if unit is not None:
        line = "- " + _in_words(entry, several, unit, armoury)
        if "\n" not in line and _entries(line[2:], armoury, catalogue) == [entry] * max(several, 1):
            return line
    times = f"{several} x " if several > 1 else ""
    return f"- {times}{_json(entry)}"


def _in_words(entry: Mapping[str, Any], several: int, unit: ArmyUnit, armoury: Armoury) -> str:
    count = entry.get(armoury.count, 1) if armoury.count else several
    times = f"{count} x " if count != 1 else ""
    name = f" {json.dumps(entry['name'], ensure_ascii=False)}" if isinstance(entry.get("name"), str) else ""
    said = options_said(entry, unit, armoury)
    return f"{times}{unit.title}{name}" + (f" ({'; '.join(said)})" if said else "")


def options_said(entry: Mapping[str, Any], unit: ArmyUnit, armoury: Armoury) -> list[str]:
    """What an entry says of its unit besides its kind, its number and its name, in words."""
    options = {option.field: option for option in unit.options}
    said = []
    for field, value in entry.items():
        if field in unit.entry or (field == "name" and isinstance(value, str)) or (field and field == armoury.count):
            continue
        words = _option_said(options[field], value) if field in options else None
        said.append(f"{field}={_json(value)}" if words is None else words)
    return said


def _option_said(option: ArmyOption, value: Any) -> str | None:
    """The value of an option in words; None if there are none for it."""
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
    """The key and the value of a line such as `Game: Duel`; None if it is another line."""
    found = re.fullmatch(r"([A-Za-z][A-Za-z_]{0,19})\s*:\s*(\S.*)", line.strip(), re.S)
    return (found[1], found[2]) if found is not None else None


def _unit_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that name units, without bullets, with their numbers from 1."""
    first = True
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or _header(line) is not None or set(line) <= set("-=_* "):
            first = first and not line
            continue
        bullet = line[0] in _BULLETS
        if first and not bullet and not line.startswith("{"):
            first = False
            continue
        first = False
        yield number, (line[1:].strip() if bullet else line)


def _title_line(text: str) -> str | None:
    line = next((raw.strip() for raw in text.splitlines() if raw.strip()), "")
    return line if line and _header(line) is None and line[0] not in (*_BULLETS, "{") else None


def _heard(text: str, game: str | None) -> tuple[Draft, Mapping[PathOf, tuple[int, int]]]:
    """A draft from a text to paste; without its units while the game is not known."""
    headers: dict[str, Any] = {}
    places: dict[PathOf, tuple[int, int]] = {(): (1, 1)}
    for number, raw in enumerate(text.splitlines(), 1):
        found = _header(raw)
        if found is not None:
            key = found[0][:1].lower() + found[0][1:]
            headers.setdefault(key, _value(found[1]))
            places.setdefault((key,), (number, 1))
    called = headers.pop("game", None)
    if called is not None:
        game = _game_called(str(called))
    draft: Draft = {} if game is None else {"ruleset": game}
    title = _title_line(text)
    if title is not None:
        draft["title"] = title
    draft.update(headers)
    if game is None or game not in rulesets() or ruleset(game).army_lists is None:
        return draft, places
    rules = ruleset(game)
    armoury, book = armoury_of(rules), rules.book()
    if armoury.race:
        _set_race(draft, armoury, book, text)
    if armoury.units in headers:
        return draft, places
    catalogue = armoury.catalogue(book, draft)
    entries: list[Any] = []
    for number, line in _unit_lines(text):
        for entry in _entries(line, armoury, catalogue):
            places[armoury.units, len(entries)] = (number, 1)
            entries.append(entry)
    draft[armoury.units] = entries
    return draft, places


def _game_called(word: str) -> str:
    """The name of the game that a word means; the word itself if there is none."""
    return next((name for name in rulesets() if _plain(word) in (_plain(name), _plain(ruleset(name).title))), word)


def _set_race(draft: Draft, armoury: Armoury, book: Book, text: str) -> None:
    """Name the race by its key; if the text names none, the one that has most of its units."""
    races = armoury.races(book)
    if armoury.race not in draft:
        counts = [_matching(armoury.catalogue(book, {armoury.race: race.value}), text) for race in races]
        draft[armoury.race] = races[counts.index(max(counts))].value
        return
    said = draft[armoury.race]
    draft[armoury.race] = _choice_called(said, races)


def _choice_called(said: Any, choices: Sequence[ArmyChoice]) -> Any:
    """The value that a word means; the word itself if there is none."""
    for choice in choices:
        if isinstance(said, str) and _plain(said) in (_plain(str(choice.value)), _plain(choice.words)):
            return choice.value
    return said


def _taken_apart(line: str) -> tuple[int, str, str] | None:
    """How many a line brings, of what, and what it says besides; None if it says nothing."""
    found = _TAKEN_APART.fullmatch(line)
    assert found is not None, "it matches every text"
    rest = found[2].strip()
    end = next((at for at, sign in enumerate(rest) if sign in '"(“'), len(rest))
    title = rest[:end].strip().rstrip(":,")
    trailing = re.fullmatch(r"(.*\S)\s*[x×]\s*(\d{1,3})", title, re.I)
    count = int(found[1] or 1)
    if trailing is not None:
        title, count = trailing[1], int(trailing[2])
    return (count, title, rest[end:].strip()) if rest else None


def _entries(line: str, armoury: Armoury, catalogue: Sequence[ArmyUnit]) -> list[Any]:
    """The entries that a line of a text means; words that mean nothing are kept in them."""
    whole = _TAKEN_APART.fullmatch(line)
    if whole is not None and whole[2].startswith("{"):
        entry = _value(whole[2])
        if isinstance(entry, dict):
            return [entry] * min(int(whole[1] or 1), 99)
    taken = _taken_apart(line)
    if taken is None:
        return []
    count, title, rest = taken
    unit = _unit_called(title, catalogue)
    found: dict[str, Any] = dict(unit.entry) if unit is not None else {_kind_field(catalogue): title}
    if rest[:1] in ('"', "“"):
        name, rest = _quoted(rest)
        found["name"] = name
    if rest.startswith("("):
        for part in _split(rest[1 : rest.rindex(")")] if ")" in rest else rest[1:]):
            _say(found, part, unit)
    if armoury.count:
        return [found if count == 1 else {**found, armoury.count: count}]
    return [dict(found) for _ in range(min(count, 99))]


def _kind_field(catalogue: Sequence[ArmyUnit]) -> str:
    """The field of an entry that names its unit."""
    return next((key for unit in catalogue for key in unit.entry), "kind")


def _quoted(rest: str) -> tuple[str, str]:
    """A name in quotation marks, and what comes behind it."""
    if rest[0] == '"':
        try:
            name, end = json.JSONDecoder().raw_decode(rest)
            return str(name), rest[end:].strip()
        except (ValueError, RecursionError):
            pass
    name, _, behind = rest[1:].partition('"' if rest[0] == '"' else "”")
    return name.strip(), behind.strip()


def _split(said: str) -> list[str]:
    """The parts between semicolons that stand in no quotation marks and no brackets."""
    parts, depth, quoted, start = [], 0, False, 0
    skip = False
    for at, sign in enumerate(said):
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
            parts.append(said[start:at])
            start = at + 1
    return [part.strip() for part in (*parts, said[start:]) if part.strip()]


def _say(entry: dict[str, Any], part: str, unit: ArmyUnit | None) -> None:
    """Add to an entry what a part of its line says."""
    exact = re.fullmatch(r"([a-z_]+)=(.*)", part, re.S)
    if exact is not None:
        entry[exact[1]] = _value(exact[2])
        return
    words, _, said = (piece.strip() for piece in part.partition(":"))
    options = () if unit is None else unit.options
    option = next((one for one in options if _plain(words) in (_plain(one.words), _plain(one.field))), None)
    if option is None:
        entry[_plain(words).replace(" ", "_") or "name"] = _value(said) if said else True
    elif option.sort == "yes":
        entry[option.field] = said.casefold() not in ("no", "false", "0")
    elif option.sort == "several":
        entry[option.field] = [_choice_called(one.strip(), option.choices) for one in said.split(",") if one.strip()]
    elif option.sort == "one":
        entry[option.field] = _choice_called(said, option.choices)
    else:
        entry[option.field] = _value(said)


# --- as one looks at it while one builds ------------------------------------------------------------------------------


class SheetUnit(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of an army list, as a builder shows it."""

    key: str
    """Its unit of the catalogue; empty for a word that the catalogue does not have."""
    title: str
    name: str
    """The name of its own; empty without one."""
    count: int
    points: int | None
    """What the entry costs."""
    said: tuple[str, ...]
    """What was chosen for it, in words."""
    look: Look | UnsetType = UNSET
    """How it is drawn, if its list says."""
    faults: tuple[ArmyFault, ...] = ()


class OfferedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of the catalogue, and whether it may be added."""

    unit: ArmyUnit
    entry: dict[str, Any]
    """What is added to the list."""
    refusal: str = ""
    """Why it cannot be added, with the clause; empty if it can."""


class ArmySheet(msgspec.Struct, frozen=True, kw_only=True):
    """An army list as it stands while one builds, and what may come next."""

    ruleset: str
    edition: str
    draft: dict[str, Any]
    title: str
    words: str
    field: str
    """The field of the draft that lists the units."""
    count: str
    """The field of an entry that says how many it brings; empty if each unit has an entry of its own."""
    race: str
    """The field of the draft that chooses the catalogue; empty if there is one catalogue."""
    races: tuple[ArmyChoice, ...]
    units: tuple[SheetUnit, ...]
    catalogue: tuple[OfferedUnit, ...]
    faults: tuple[ArmyFault, ...]
    """What is wrong with the list as a whole; what is wrong with a unit stands with it."""
    ready: bool
    """Whether it can be played as it is."""
    pieces: int
    """How many units there are."""
    points: int | None
    """What it costs; None if that is unknown."""
    agreed: int | None
    """The points that are agreed on."""
    usual: tuple[int, ...]
    """The points that are usually agreed on."""
    measured: bool
    """Whether points were measured in battles, because the rulebook prints none."""
    shipped: tuple[str, ...]
    """The lists that the game comes with, to begin from."""
    paint: Paint | UnsetType
    text: str
    link: str
    """The fragment of a link."""
    file: str


def sheet(
    rules: Ruleset,
    draft: Draft,
    *,
    edition: str | None = None,
    house: Mapping[str, HouseValue] | None = None,
    agreed: int | None = None,
) -> ArmySheet:
    """Look at a draft: what is wrong with it, what it costs, what may be added, and how it is written.

    Args:
        rules: The game.
        draft: The army list, as plain data; nothing in it need be right.
        edition: The edition; the first by default.
        house: House rules that are not at their default.
        agreed: The points that are agreed on; the usual ones by default, 0 for none.

    Raises:
        InputError: if the game has no army lists, or if there is no such edition or house rule.
    """
    armoury = armoury_of(rules)
    try:
        book = rules.book(edition, house)
    except ValueError as error:
        raise InputError(str(error)) from None
    usual = tuple(armoury.agreed(book))
    agreed = (usual[0] if usual else None) if agreed is None else agreed or None
    draft = in_json({"ruleset": rules.name, "title": "", **draft})
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
        shipped=tuple(armoury.shipped()),
        paint=cast(Paint, own) if (own := str(draft.get("paint"))) in PAINTS else armoury.paint(draft),
        text=texted(draft, rules, book),
        link=packed(draft),
        file=filed(draft, rules),
    )


class _Looked(msgspec.Struct, frozen=True):
    """What comes of reading a draft."""

    army: Any
    """The army list without what cannot be read; None if nothing can."""
    numbers: tuple[int, ...]
    """For each entry of the army list its number in the draft."""
    faults: tuple[ArmyFault, ...]


def _unknown(draft: Draft, rules: Ruleset, book: Book | None = None) -> dict[PathOf, ArmyFault]:
    """The entries that name no unit of the catalogue, each with the unit that was perhaps meant."""
    armoury = armoury_of(rules)
    catalogue = armoury.catalogue(book or rules.book(), draft)
    found: dict[PathOf, ArmyFault] = {}
    entries = draft.get(armoury.units, [])
    for number, entry in enumerate(entries if isinstance(entries, list) else []):
        if isinstance(entry, Mapping) and unit_of(entry, catalogue) is None:
            field = next((key for unit in catalogue for key in unit.entry if key in entry), _kind_field(catalogue))
            word = str(entry.get(field, ""))
            titles = {unit.title.casefold(): unit for unit in catalogue} | {unit.key: unit for unit in catalogue}
            near = difflib.get_close_matches(_plain(word), titles, 1, 0.5)
            meant = titles[near[0]] if near else None
            hint = f"did you mean {meant.title}?" if meant else f"there are {listed([unit.title for unit in catalogue])}"
            path = (armoury.units, number, field)
            found[path] = ArmyFault(
                message=f"there is no unit {word[:60]!r}; {hint}", path=path, nearest=meant.key if meant else ""
            )
    return found


def _looked_at(draft: Draft, rules: Ruleset, book: Book, agreed: int | None) -> _Looked:
    """Read a draft without what cannot be read, and hold the rest to the rules."""
    armoury = armoury_of(rules)
    faults = list(_unknown(draft, rules, book).values())
    unknown = {fault.path[1] for fault in faults}
    entries = [(n, one) for n, one in enumerate(draft[armoury.units]) if n not in unknown]
    rest = {"id": "army", **draft, "title": draft["title"] or "Army"}
    if not draft[armoury.units]:
        faults.append(ArmyFault(message="An army needs a unit", path=(armoury.units,), unfinished=True))
    required = {field.encode_name for field in msgspec.structs.fields(armoury.form) if field.required}
    army = None
    while entries:
        try:
            army = converted({**rest, armoury.units: [one for _, one in entries]}, armoury.form)
            break
        except InputError as error:
            path = _path_of(error)
            if len(path) > 1 and path[0] == armoury.units and isinstance(path[1], int):
                number = entries.pop(path[1])[0]
                faults.append(ArmyFault(message=error.message, path=(path[0], number, *path[2:])))
                continue
            faults.append(ArmyFault(message=error.message, path=path))
            if not path or path[0] == armoury.units or path[0] in required or path[0] not in rest:
                if path[:1] == ("title",):
                    rest["title"] = "Army"
                    continue
                break
            del rest[str(path[0])]
    numbers = tuple([number for number, _ in entries])
    if army is not None:
        for fault in armoury.faults(book, army, agreed):
            if len(fault.path) > 1 and fault.path[0] == armoury.units:
                at = numbers[cast(int, fault.path[1])]
                fault = msgspec.structs.replace(fault, path=(fault.path[0], at, *fault.path[2:]))
            faults.append(fault)
    return _Looked(army, numbers, tuple(dict.fromkeys(faults)))


def _path_of(error: InputError) -> PathOf:
    """The path that an error names.

    >>> _path_of(InputError("", field="units[3].traits[0]"))
    ('units', 3, 'traits', 0)
    """
    parts = re.findall(r"[^.\[\]]+", error.field or "")
    return tuple([int(part) if part.isdecimal() else part for part in parts])


def _sheet_unit(
    number: int, entry: Any, look: _Looked, armoury: Armoury, catalogue: Sequence[ArmyUnit], book: Book
) -> SheetUnit:
    unit = unit_of(entry, catalogue)
    said = entry if isinstance(entry, Mapping) else {}
    count = said.get(armoury.count, 1) if armoury.count else 1
    points = None
    if look.army is not None and number in look.numbers:
        points = armoury.price(book, look.army, look.numbers.index(number))
    word = next((str(said[key]) for one in catalogue for key in one.entry if key in said), _json(entry))
    own = said.get("look") if isinstance(said.get("look"), str) else None
    return SheetUnit(
        key=unit.key if unit else "",
        title=unit.title if unit else word[:60],
        name=name if isinstance(name := said.get("name"), str) else "",
        count=count if type(count) is int else 1,
        points=points,
        said=tuple(options_said(said, unit, armoury)) if unit else (),
        look=cast(Look, own) if own in LOOKS else UNSET,
        faults=tuple([f for f in look.faults if f.path[:2] == (armoury.units, number)]),
    )


def _offers(
    draft: Draft, look: _Looked, catalogue: Sequence[ArmyUnit], rules: Ruleset, book: Book, agreed: int | None
) -> Iterator[OfferedUnit]:
    """The units of the catalogue, each with the entry to add and why it cannot be added."""
    armoury = armoury_of(rules)
    entries = draft[armoury.units]
    taken = [str(one.get("name", "")) for one in entries if isinstance(one, Mapping)]
    before = set(look.faults)
    for unit in catalogue:
        entry = {**unit.entry, **unit.also}
        if armoury.named:
            entry["name"] = next((name for name in armoury.names if name not in taken), free_name(unit.title, taken))
        after = _looked_at({**draft, armoury.units: [*entries, entry]}, rules, book, agreed)
        new = [fault for fault in after.faults if fault not in before and not fault.unfinished]
        yield OfferedUnit(unit=unit, entry=entry, refusal=new[0].words if new else "")


def hold(read: Read[Any], faults: Iterator[ArmyFault]) -> None:
    """Raise an error at the first fault of an army list.

    Args:
        read: The army list, with its places.
        faults: What is wrong with it.

    Raises:
        InputError: with the place.
    """
    for fault in faults:
        raise read.wrong(fault.words, *fault.path)


def said_in_short(count: int, what: str, points: int | None) -> str:
    """What an army list is, as `7 units for 612 points`."""
    return quantity(count, what) + ("" if points is None else f" for {quantity(points, 'point')}")
