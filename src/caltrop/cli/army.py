"""Look at an army list: what it costs, whether the rules allow it, as a text to paste or as a link.

An army list is a file, a text with a line for each unit, or a link that holds all of it. Each is read by all commands
that take an army, and by the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from caltrop.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from caltrop.kit.army_sheet import ArmySheet

PAGE = "http://127.0.0.1:8420/armies"
"""The page of army lists where `caltrop play` shows it."""


def army(
    act: Literal["show", "check", "text", "link"],
    file: str,
    /,
    *,
    game: str | None = None,
    edition: str | None = None,
    rule: tuple[str, ...] = (),
    pack: str | None = None,
    points: int | None = None,
    json: bool = False,
) -> int:
    """Show an army list, check it, or write it as a text to paste or as a link.

    Args:
        act: The act.
        file: The army list: a file, a link, a text, the id of one that a game comes with, or - for standard input.
        game: The game, if the list does not name it.
        edition: The edition whose rules apply; the first by default.
        rule: A house rule as NAME=VALUE; may be given several times.
        pack: The pack to use: a folder, a zip, a document, a link, or an installed one.
        points: The points agreed on; by default, the list may cost any number.
        json: Print JSON.
    """
    import sys

    from caltrop.cli import DONE, INPUT_WRONG, complaint, print_json
    from caltrop.cli._game import house_rules
    from caltrop.engine import ruleset
    from caltrop.kit.armies import draft_of
    from caltrop.kit.army_sheet import sheet

    word, source, name = _given(file, game)
    draft, name = draft_of(word, name, source)
    rules = ruleset(name)
    if act == "check":
        faults = faults_of(word, source, name, edition, house_rules(rule, pack), points)
        for fault in faults:
            print(complaint(fault), file=sys.stderr)
        if faults:
            return INPUT_WRONG
    shown = sheet(rules, draft, edition=edition, house=house_rules(rule, pack), agreed=points or 0)
    if act == "text":
        print(shown.text, end="")
    elif act == "link":
        print(PAGE + shown.link)
    elif json:
        print_json(shown, indent=2)
    elif act == "check":
        print(f"{source}: {_in_short(shown)}")
    else:
        _show(shown)
    return DONE


def _given(file: str, game: str | None) -> tuple[str, str, str | None]:
    """Return the text of an army list, its name for errors, and its game if that is known."""
    import sys
    from pathlib import Path

    from caltrop.engine import ruleset, rulesets
    from caltrop.kit.armies import text_of
    from caltrop.roster import is_text, nearest

    if file == "-":
        return sys.stdin.read(), "standard input", game
    if is_text(file):
        return file, "the given text", game
    if game is not None:
        ruleset(game)  # a game that does not exist is said before an army that it does not have
    shipped = {
        id: (path, name)
        for name in rulesets()
        if (armoury := ruleset(name).army_lists) is not None and game in (None, name)
        for id, path in armoury.shipped().items()
    }
    if file in shipped:
        path, name = shipped[file]
        return text_of(path), str(path), name
    path = Path(file)
    if not path.is_file() and "/" not in file and not path.suffix:
        raise InputError(f"there is no army {file!r}; {nearest(file, shipped)}")
    return text_of(path), file, game


def faults_of(
    word: str,
    source: str,
    game: str,
    edition: str | None = None,
    rules: Mapping[str, str] | None = None,
    points: int | None = None,
) -> list[InputError]:
    """Return all faults of an army list, each with its place and the nearest valid value."""
    from caltrop.engine import ruleset
    from caltrop.engine.packs import reading
    from caltrop.kit.armies import hold, read_army
    from caltrop.kit.army_sheet import faults_in
    from caltrop.kit.army_text import armoury_of

    game_rules = ruleset(game)
    faults = faults_in(word, source, game_rules, edition=edition, house=rules, agreed=points or 0)
    if faults:
        return faults
    # The builder fills in what a file may not leave out.
    armoury = armoury_of(game_rules)
    try:
        book = game_rules.book(edition, rules)
        with reading(book.pack):
            read = read_army(word, armoury.form, game)
            hold(read, armoury.faults(book, read.value, points))
    except InputError as error:
        error.source = source
        return [error]
    except ValueError as error:
        raise InputError(str(error)) from None
    return []


def _in_short(shown: ArmySheet) -> str:
    """Return a one-line summary of a list."""
    from caltrop.agreeing import quantity
    from caltrop.engine import ruleset

    cost = "" if shown.points is None else f" for {quantity(shown.points, 'point')}"
    measured = ", as measured in battles" if shown.measured and shown.points is not None else ""
    return f"{shown.title}, {quantity(shown.pieces, 'unit')} of {ruleset(shown.ruleset).title}{cost}{measured}"


def _show(shown: ArmySheet) -> None:
    """Print a list with its units, their costs, and its errors."""
    print(_in_short(shown))
    if shown.words:
        print(shown.words)
    print()
    for unit in shown.units:
        times = f"{unit.count} x " if unit.count != 1 else ""
        name = f' "{unit.name}"' if unit.name else ""
        cost = "" if unit.points is None else f"{unit.points:5}  "
        print(f"{cost}{times}{unit.title}{name}" + (f": {'; '.join(unit.said)}" if unit.said else ""))
        for fault in unit.faults:
            print(f"       ! {fault.words}")
    for fault in shown.faults:
        print(f"! {fault.words}")
