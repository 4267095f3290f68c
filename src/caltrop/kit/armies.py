"""Write and read army lists of every game, as a file, a text to paste, or a link.

A *draft* is an army list as plain data, as in its file; it may have any faults. The game's `Armoury`
(`caltrop.engine.army`) describes its content for `validate`, the builder, the command line and the server. The three
forms hold the same draft, and reading any of them restores it. A text uses the names that people use, and JSON for
everything without words. A link holds the compressed draft in its fragment, so no server stores it.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from caltrop.engine import Ruleset, ruleset, rulesets
from caltrop.engine.army import ArmyFault, PathOf
from caltrop.errors import InputError
from caltrop.kit.army_text import Draft, armoury_of, heard, id_of, likeliest, matches, unknown_units
from caltrop.roster import LINK, Read, converted, is_text, nearest, read_yaml, refuse_other_link, utf8

T = TypeVar("T")
GIVEN = "the given text"
"""Name of the source in errors about text that is not from a file."""
LONGEST = 65_536
"""Largest number of characters of an army list in any form, also uncompressed."""
DEEPEST = 20
"""Greatest depth of nested lists and objects in an army list."""
VERSION = "1"
"""Version of the format of links; links of all versions can be read."""

_WORN = (
    b'"clauses":"cuts":{"traits":["weapons":["officer":true,"models":"quality":"name":"count":"kind":"units":[{"id":'
    b'"title":"words":'
)
"""Compression dictionary of words that are frequent in army lists. It is part of version 1 of links, and must never
change."""


_CODE = re.compile(r"[\w-]*", re.A)
"""The letters of a link, behind which a chat may go on."""


# --- telling files, texts, links apart --------------------------------------------------------------------------------


def is_link(word: str) -> bool:
    """Return whether a word is a link to an army list, or its fragment."""
    return LINK in word


def draft_of(word: str, game: str | None = None, source: str = GIVEN) -> tuple[Draft, str]:
    """Read an army list from the text of a file, a text to paste, or a link.

    Raises InputError if the text has none of the three forms, or names no game.

    Args:
        game: The ruleset, if the text does not name it.

    Returns:
        The draft, and the ruleset it is for.
    """
    draft, _ = drafted(word, game, source)
    name = draft.get("ruleset", game)
    if name is None:
        name = likeliest(word)
    if not isinstance(name, str) or name not in rulesets():
        games = [one for one in rulesets() if ruleset(one).army_lists is not None]
        if name is None:
            raise InputError(f"which game is it for? It is one of {', '.join(games)}", source=source, field="ruleset")
        raise InputError(f"there is no game {name!r}; {nearest(name, games)}", source=source, field="ruleset")
    if "ruleset" not in draft:
        draft, _ = drafted(word, name, source)
    return completed(in_json({"ruleset": name, **draft}, source)), name


def completed(draft: Draft) -> Draft:
    """Return a draft completed with an id and a title, which every file of an army list has.

    >>> completed({"title": "Red Column"})
    {'title': 'Red Column', 'id': 'red-column'}
    """
    title = draft.get("title", "Army")
    return {"title": title, "id": id_of(title), **draft}


def in_json(draft: Mapping[str, Any], source: str = "the army list") -> Draft:
    """Return a draft that contains only values of JSON, so that it is the same in a file, a link and a browser.

    Raises InputError for values that JSON does not have.
    """
    if not _shallow(draft, DEEPEST):
        raise InputError(f"this is nested deeper than {DEEPEST}", source=source)
    try:
        plain: Draft = msgspec.json.decode(msgspec.json.encode(draft))
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"this cannot be stored: {error}", source=source) from None
    return plain


def _shallow(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return levels > 0 and all(_shallow(one, levels - 1) for one in inner)


def drafted(word: str, game: str | None, source: str) -> tuple[Draft, Mapping[PathOf, tuple[int, int]]]:
    """Return an army list as it is written, in any of the three forms, with line and column of its values.

    Raises InputError if the list has none of the three forms.

    Args:
        game: The ruleset, if it is known.

    Returns:
        The draft, and the places of its values; a link has none.
    """
    if len(word) > LONGEST:
        raise InputError(f"an army list has at most {LONGEST} characters; this one has {len(word)}", source=source)
    if is_link(word):
        return unpacked(word, None if source == GIVEN else source), {}
    refuse_other_link(word, LINK, source)
    if _is_data(word):
        read = read_yaml(word, dict[str, Any])
        return read.value, read.places
    if "\n" not in word.strip() and not (matches(game, word) if game in rulesets() else likeliest(word)):
        complaint = (
            "this is not an army list: it must be a link, a text with a line for each unit, or the text of a file"
        )
        raise InputError(complaint, source=source)
    return heard(word, game)


def _is_data(word: str) -> bool:
    """Return whether a text is YAML or JSON: the text of a file."""
    return word.lstrip().startswith("{") or re.search(r"^(ruleset|units|fighters)[ ]*:", word, re.M) is not None


def read_army(file: Path | str, type_: type[T], game: str) -> Read[T]:
    """Read an army list of a game from a file, the text of a file, a text to paste, or a link.

    Raises InputError for what cannot be read; the message has the place and the nearest right value.
    """
    if isinstance(file, Path) and file.suffix in (".yaml", ".yml", ".json"):
        return read_yaml(file, type_)
    source = GIVEN if isinstance(file, str) else str(file)
    word = file if isinstance(file, str) else text_of(file)
    if len(word) > LONGEST or (_is_data(word) and not is_link(word)):
        return read_yaml(word if isinstance(file, str) else file, type_)
    draft, places = drafted(word, game, source)
    draft = completed(in_json(draft, source))
    unread = Read(draft, places, source)
    if draft.get("ruleset", game) != game:
        raise unread.wrong(f"this army list is for {draft['ruleset']!r}; it must be for {game}", "ruleset")
    for path, fault in unknown_units(draft, ruleset(game)).items():
        raise unread.wrong(fault.words, *path)
    value = converted(draft, type_, source=source, place=lambda path: unread.place(*path) if places else None)
    return Read(value, places, source)


def text_of(file: Path) -> str:
    """Return the text of a file with an army list. Raises InputError if the file cannot be read, or is too long."""
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
        raise InputError(f"an army list has at most {LONGEST} characters", source=str(file))
    return text


def as_text_of_file(word: str, game: str) -> str:
    """Return a word that names an army in the form that records store: a link or a text to paste becomes the text of a
    file.

    Raises InputError if the word is a link or a text that cannot be read, or is for another game.

    Args:
        word: An id, the path of a file, the text of one, a text to paste, or a link.
    """
    source = GIVEN
    if not is_text(word) and word.endswith(".txt") and Path(word).is_file():
        source = word
        word = text_of(Path(word))
    if not is_text(word) or (_is_data(word) and not is_link(word)):
        return word
    armoury = ruleset(game).army_lists
    if armoury is None:
        raise InputError(f"{game} has no army lists", source=source)
    read_army(Path(source) if source.endswith(".txt") else word, armoury.form, game)
    return filed(draft_of(word, game, source)[0], ruleset(game))


# --- as a file --------------------------------------------------------------------------------------------------------


def filed(draft: Draft, rules: Ruleset) -> str:
    """Return a draft as the text of a file, which reads as an equal draft."""
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
    """Return the fragment of a link that holds a draft.

    >>> unpacked(packed({"title": "One", "units": []}))
    {'title': 'One', 'units': []}
    """
    text = msgspec.json.encode(draft)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zdict=_WORN)
    data = squeeze.compress(text) + squeeze.flush()
    return LINK + VERSION + base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unpacked(link: str, source: str | None = None) -> Draft:
    """Return the draft in a link, given as a whole address or as its fragment. Raises InputError without one."""
    code: str = _CODE.findall(link.rpartition(LINK[1:])[2].strip())[0]
    try:
        version, data = code[:1], code[1:]
        if version not in ("", VERSION):
            raise InputError(f"this link is of version {version}; this Caltrop reads version {VERSION}", source=source)
        raw = base64.b64decode(data + "=" * (-len(data) % 4), altchars=b"-_", validate=True)
        loose = zlib.decompressobj(-15, zdict=_WORN)
        text = loose.decompress(raw, LONGEST)
        if not loose.eof or loose.unused_data:
            raise ValueError
        draft = msgspec.json.decode(text)
    except InputError:
        raise
    except (ValueError, zlib.error, RecursionError):
        raise InputError("this link is cut short or changed: copy all of it", source=source) from None
    if not isinstance(draft, dict):
        raise InputError("this link contains no army list", source=source)
    return draft


def begun_from(rules: Ruleset, id: str) -> Draft:
    """Return one of the game's army lists as a draft to begin with.

    Raises InputError if the game has no such list; the message names the nearest.
    """
    armoury = armoury_of(rules)
    shipped = armoury.shipped()
    if id not in shipped:
        raise InputError(f"there is no army {id[:60]!r} of {rules.name}; {nearest(id[:60], shipped)}", field="start")
    draft = read_yaml(shipped[id], dict[str, Any]).value
    return {key: value for key, value in draft.items() if key not in armoury.shed}


def hold(read: Read[Any], faults: Iterator[ArmyFault]) -> None:
    """Raise an error at the first fault of an army list.

    Args:
        read: The army list with the places of its values.

    Raises:
        InputError: the first fault, with its place.
    """
    for fault in faults:
        raise read.wrong(fault.words, *fault.path)
