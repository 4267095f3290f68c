"""Options shared by the commands that start a game: house rules, lists of two, and the setting."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from caltrop.cli import UsageError
from caltrop.errors import InputError

if TYPE_CHECKING:
    from caltrop.engine.packs import PackFile
    from caltrop.journal import Setting


def house_rules(given: Sequence[str], pack: str | None = None) -> dict[str, str]:
    """Return the house rules of the command line, each as NAME=VALUE, together with the pack.

    Args:
        given: The house rules.
        pack: The pack to use: a folder, a zip, a document, a link, or an installed one.

    Raises:
        UsageError: if a rule has another form, or is given twice.
        InputError: for a pack that cannot be read or used.
    """
    rules: dict[str, str] = {} if pack is None else {PACK: pack_named(pack)}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UsageError(f'a house rule is written NAME=VALUE; this one is "{text}"')
        if name in rules:
            raise UsageError(f"{name} is given twice")
        rules[name] = value
    return rules


def results_alone() -> contextlib.redirect_stdout[TextIO]:
    """Redirect standard output to standard error in a with-block, so that a bot's output never mixes with results."""
    return contextlib.redirect_stdout(sys.stderr)


PACK = "pack"
"""The house rule that names a pack."""


def pack_named(word: str) -> str:
    """Load a pack from the command line and return its name.

    Raises:
        InputError: if the pack does not exist or is invalid.
    """
    from caltrop.engine import ruleset
    from caltrop.scenarios.packs import at_its_place

    file = given_pack(word)
    try:
        return ruleset(file.ruleset).pack(file).name
    except InputError as error:
        raise at_its_place(error, word) from None


def given_pack(what: str) -> PackFile:
    """Read a pack: a file, a link, or an installed one.

    Raises:
        InputError: if the pack does not exist or cannot be read.
    """
    from caltrop.scenarios.packs import pack_given

    return pack_given(what)


def pair(text: str, what: str) -> tuple[str, str]:
    """Return two names that a comma separates.

    Raises:
        UsageError: if the text has another form.
    """
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise UsageError(f'{what} are written X,Y; here they are "{text}"')
    return names[0], names[1]


def army_names(text: str) -> tuple[str, ...]:
    """Return the names of one or two armies, separated by a comma. Some games have only one army.

    A pasted text has commas of its own. The separating comma is then between two lines, or beside an id, a file or a
    link.

    >>> army_names("red-7,blue-7"), army_names("Mine\\n\\n- Tank \\"A, or B\\"\\n,other")
    (('red-7', 'blue-7'), ('Mine\\n\\n- Tank "A, or B"\\n', 'other'))

    Raises:
        UsageError: when there is another number of names.
    """
    if "\n" not in text:
        return pair(text, "armies") if "," in text else (text.strip(),)
    halves = [(text[:at], text[at + 1 :]) for at, sign in enumerate(text) if sign == ","]
    for first, second in halves:
        between_lines = first.endswith("\n") or second.startswith("\n")
        after_a_name = not re.search(r"\s", first) and not second.startswith(" ")
        before_a_name = re.fullmatch(r'[^\s")]+', second) is not None
        if (between_lines or after_a_name or before_a_name) and first.strip() and second.strip():
            return first, second
    return (text,)


def check_output(file: Path, *endings: str) -> None:
    """Raise an error if a file cannot be written, before the work for it begins.

    The file system is left unchanged.

    Args:
        file: The file.
        endings: Endings of its name that say what is in it, the usual one first; none if it may have any. They do not
            matter for special files such as `/dev/null`.

    Raises:
        InputError: for a folder, a missing folder, a wrong ending, and a file without write permission.
    """
    if file.is_dir():
        raise InputError("this is a folder: name a file in it", source=str(file))
    if endings and not file.name.casefold().endswith(endings) and (file.is_file() or not file.exists()):
        right = file.with_name(f"{file.stem}{endings[0]}")
        raise InputError(f"the name of this file has to end in {endings[0]}: write {right}", source=str(file))
    if not file.parent.is_dir():
        raise InputError("there is no such folder", source=str(file.parent))
    there = os.path.lexists(file)
    try:
        with file.open("ab"):
            pass
        if not there:
            file.unlink()
    except OSError as error:
        raise InputError(f"this file cannot be written: {error.strerror or error}", source=str(file)) from None


def check_folder(folder: Path) -> None:
    """Raise an error if a folder cannot be created or written to, before any work begins.

    Raises:
        InputError: for a file, and a folder without write permission.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("this is a file; name a folder", source=str(folder))
    above = folder
    while not above.exists() and above != above.parent:
        above = above.parent
    if not above.is_dir():
        raise InputError("this is a file; name a folder", source=str(above))
    if not os.access(above, os.W_OK | os.X_OK):
        raise InputError("this folder may not be written to", source=str(above))


def setting_of(
    game: str,
    edition: str | None,
    scenario: str | None,
    armies: str | None,
    size: int | None,
    rule: Sequence[str],
    pack: str | None = None,
) -> Setting:
    """Return the setting of a game: its first edition and scenario by default.

    Raises:
        InputError: for a name or a value that does not exist; the message names the nearest right one.
    """
    import msgspec

    from caltrop.engine.packs import reading
    from caltrop.journal import Setting
    from caltrop.kit.armies import as_text_of_file

    named = army_names(armies) if armies is not None else ()
    chosen = Setting.chosen(game, edition, scenario, (), size, house_rules(rule, pack))
    with reading(chosen.book.pack):
        given = tuple([as_text_of_file(word, chosen.ruleset) for word in named])
    return msgspec.structs.replace(chosen, armies=given)
