"""Make, check, install, list and share packs: changes to a rulebook's units, numbers, armies and scenarios.

A pack is only data: a folder, a zip or one document. Name it with `--pack` to play, simulate, print or ask about a game
with it. Every record of such a game contains its digest.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from caltrop.engine.packs import PackFile

PAGE = "http://127.0.0.1:8420/packs"
"""The page of packs where `caltrop play` shows it."""


def pack(
    act: Literal["new", "check", "install", "list", "share"],
    what: str = "",
    /,
    *,
    title: str = "My pack",
    output: Path | None = None,
    json: bool = False,
) -> int:
    """Make, check, install, list or share a pack.

    Args:
        act: "new" makes a folder to start from; "check" lists a pack's changes and errors; "install" makes it available
            to games. "list" lists the installed ones; "share" prints a link, or writes a zip.
        what: For "new" the game; for the others the pack: a folder, a zip, a document, a link, or an installed one.
        title: For "new" the pack's title.
        output: For "new" the folder, by default named after the title; for "share" a zip, instead of a link.
        json: Print JSON.
    """
    from caltrop.cli import DONE, UsageError

    if act == "list":
        if what:
            raise UsageError("pack list takes no more words")
        return _list(json)
    if not what:
        raise UsageError(
            "which game? As in caltrop pack new GAME" if act == "new" else f"which pack? As in pack {act} FILE"
        )
    if act == "new":
        return _new(what, title, output)
    from caltrop.cli._game import given_pack

    file = given_pack(what)
    if act == "check":
        return _check(file, what, json)
    if act == "install":
        from caltrop.errors import InputError
        from caltrop.scenarios.packs import at_its_place, install

        try:
            name, place = install(file)
        except InputError as error:
            raise at_its_place(error, what) from None
        print(f"{file.title} is installed as {name}")
        print(f"Its file is {place}")
        print(f"Play with it: caltrop play {file.ruleset} --pack {file.id}")
        return DONE
    return _share(file, output)


def _new(game: str, title: str, output: Path | None) -> int:
    """Write the folder of a new pack.

    Raises:
        InputError: for a game that does not exist, and a folder that cannot be made.
    """
    import re

    from caltrop.cli import DONE
    from caltrop.cli._game import check_folder
    from caltrop.engine import ruleset
    from caltrop.errors import InputError
    from caltrop.scenarios.packs import blank, folder_files

    id = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:40].strip("-") or "pack"
    file = blank(game, id, title)
    folder = output or Path(id)
    check_folder(folder)
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError("this folder is not empty: name another one with --output", source=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in folder_files(file).items():
        (folder / name).write_text(text, encoding="utf-8")
    for sheet in ruleset(game).sheets:
        keys = list(sheet.printed())[:3]
        head = f"# {sheet.words}.\n# Name a row and what changes, as below; `like: ROW` begins a new one.\n"
        lines = [f"# {key}: {_example(sheet.plain(sheet.printed()[key]))}\n" for key in keys]
        (folder / f"{sheet.name}.yaml").write_text(f"{head}{''.join(lines)}", encoding="utf-8")
    print(f"{folder} is a pack for {ruleset(game).title} that changes nothing yet. Next: caltrop pack check {folder}")
    return DONE


def _example(row: dict[str, object]) -> str:
    """Return some numbers of a row, as a file writes them."""
    import json

    numbers = {field: value for field, value in row.items() if isinstance(value, int | list)} or row
    return json.dumps(dict(list(numbers.items())[:3])).replace('"', "")


def _check(file: PackFile, what: str, json: bool) -> int:
    """Print a pack's changes and all of its errors."""
    import sys

    from caltrop.cli import DONE, INPUT_WRONG, complaint, print_json
    from caltrop.scenarios.packs import at_its_place, changes_of, faults_of

    faults = faults_of(file)
    for fault in faults:
        print(complaint(at_its_place(fault, what)), file=sys.stderr)
    if faults:
        return INPUT_WRONG
    changes = changes_of(file)
    if json:
        print_json(changes, indent=2)
        return DONE
    print(f"{file.title}, a pack for {file.ruleset}")
    for one in changes:
        change = f"{one.field} {one.before} -> {one.after}" if one.field else "new"
        print(f"  {one.sheet}: {one.title}: {change}")
    for shelf, files in (("army", file.armies), ("scenario", file.scenarios)):
        for id in files:
            print(f"  {shelf}: {id}")
    if not changes and not file.armies and not file.scenarios:
        print("  It changes nothing yet.")
    return DONE


def _list(json: bool) -> int:
    """Print the packs that are installed."""
    from caltrop.cli import DONE, print_json
    from caltrop.engine.packs import packs_folder
    from caltrop.scenarios.packs import every_installed

    installed = every_installed()
    if json:
        rows = [
            {"name": name, "id": one.id, "title": one.title, "ruleset": one.ruleset, "words": one.words}
            for name, one in installed.items()
        ]
        print_json(rows, indent=2)
        return DONE
    for name, one in installed.items():
        print(f"{one.id:20} {one.ruleset:16} {one.title}")
        print(f"{'':20} {name}")
    if not installed:
        print("No packs are installed. Install one: caltrop pack install FILE")
    print(f"They are in {packs_folder()}")
    return DONE


def _share(file: PackFile, output: Path | None) -> int:
    """Print a link to a pack, or write it as a zip.

    Raises:
        InputError: for a pack that is too large for a link, and a file that cannot be written.
    """
    from caltrop.cli import DONE
    from caltrop.cli._game import check_output
    from caltrop.errors import InputError
    from caltrop.scenarios.packs import link_of, zipped

    if output is None:
        print(PAGE + link_of(file))
        return DONE
    check_output(output, ".zip")
    try:
        output.write_bytes(zipped(file))
    except OSError as error:
        raise InputError(f"this file cannot be written: {error.strerror or error}", source=str(output)) from None
    print(f"{output} holds the pack {file.title}")
    return DONE
