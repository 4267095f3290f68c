"""Check scenarios, army lists, packs, campaigns, rulings, studies and recorded games.

The content of a file shows its kind: a record has entries, a scenario a table, an army list units, a ruling cases. A
campaign, a pack or a study names its format. A ruling is also played, and its results must be right.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from caltrop.agreeing import quantity

LARGEST = 1_000_000
"""Bytes of a campaign's file."""

if TYPE_CHECKING:
    from caltrop.engine import Ruleset
    from caltrop.engine.army import Armoury
    from caltrop.engine.parts import Files
    from caltrop.errors import InputError
    from caltrop.scenarios import Sort


def validate(*files: Path) -> int:
    """Check scenarios, army lists, packs, campaigns, rulings, studies and recorded games.

    Every fault of a scenario, an army list or a pack is printed with its place; of other files, the first one.

    Args:
        files: YAML files of scenarios, army lists, rulings, studies and packs, campaigns (`.caltrop-campaign.json`),
            records (`.caltrop.json`, gzipped or not), and packs as folders and zips.
    """
    import sys

    from caltrop.cli import DONE, INPUT_WRONG, UsageError, complaint
    from caltrop.errors import InputError

    if not files:
        raise UsageError("which files? Name one file or more")
    code = DONE
    for file in files:
        try:
            print(f"{file}: {_checked(file)}")
        except InputError as error:
            error.source = error.source or str(file)
            for fault in _every_fault(file, error):
                print(complaint(fault), file=sys.stderr)
            code = INPUT_WRONG
    return code


def _checked(file: Path) -> str:
    """Return the kind of a valid file.

    Raises:
        InputError: for the first fault.
    """
    from caltrop.engine import ruleset, rulesets
    from caltrop.errors import InputError
    from caltrop.roster import nearest

    if file.name.endswith((".json", ".json.gz", ".gz")):
        from caltrop.journal import load
        from caltrop.scenarios.campaigns import campaign_of, read_campaign

        if file.suffix == ".json" and campaign_of(_head_of(file)) is not None:
            half, c = read_campaign(file)
            shown = half.overview(c)
            return f"the campaign {shown.title} of {shown.ruleset}, after {len(shown.battles)} of its battles"

        record = load(file)
        today = ruleset(record.ruleset).rules_version
        version = f"version {record.rules_version} of the rules, and the present rules are version {today}"
        other = f", played by {version}" if record.rules_version != today else ""
        return f"a recorded game of {record.ruleset}{other}"
    if file.suffix == ".txt":
        return _pasted(file)
    if _is_pack(file):
        from caltrop.scenarios.packs import read_pack_file

        faults = _faults_of(file)
        if faults:
            raise faults[0]
        pack = read_pack_file(file)
        return f"the pack {pack.title} of {pack.ruleset}"
    if _format_of(file) == "caltrop-study":
        from caltrop.lab.studies import read_study

        study = read_study(file)
        settings = "" if study.by_chance else f" in {quantity(study.cells, 'setting')}"
        return f"the study {study.title} of {study.ruleset}, {quantity(study.total, 'game')}{settings}"
    sort, name = _what_it_says(file)
    try:
        rules = ruleset(name)
    except ValueError:
        complaint = f"there is no game {name!r}; {nearest(name, rulesets())}"
        raise InputError(complaint, source=str(file), field="ruleset") from None
    if sort == "ruling":
        return _ruling(file, name)
    files = _files(sort, rules)
    if files is None:
        what = "scenarios" if sort == "scenario" else "army lists"
        raise InputError(f"{name} has no files of {what}", source=str(file), field="ruleset")
    return f"{files.check(file)} of {name}"


def _every_fault(file: Path, first: InputError) -> list[InputError]:
    """Return all faults of a scenario, an army list or a pack, given the first one; of another file, the first one."""
    from caltrop.errors import InputError

    try:
        faults = _faults_of(file)
    except (InputError, TypeError):  # The file cannot even be read as a draft.
        return [first]
    others = [fault for fault in faults if (fault.line, fault.column) != (first.line, first.column)]
    return sorted([first, *others], key=lambda fault: (fault.line or 0, fault.column or 0))


def _faults_of(file: Path) -> list[InputError]:
    """Return all faults of a scenario, an army list or a pack; none of another file.

    Raises InputError if the file cannot be read.
    """
    from typing import Any

    from caltrop.engine import ruleset
    from caltrop.kit.armies import draft_of, text_of
    from caltrop.roster import read_yaml
    from caltrop.scenarios.drafts import every_fault

    if _is_pack(file):
        from caltrop.scenarios.packs import at_its_place, read_pack_file
        from caltrop.scenarios.packs import faults_of as faults_of_pack

        return [at_its_place(fault, str(file)) for fault in faults_of_pack(read_pack_file(file))]
    pasted = file.suffix == ".txt"
    if file.suffix in (".json", ".gz") or (not pasted and _format_of(file) == "caltrop-study"):
        return []
    sort, name = ("army", draft_of(text_of(file), None, str(file))[1]) if pasted else _what_it_says(file)
    rules = ruleset(name)
    if sort == "army" and rules.army_lists is not None:
        from caltrop.cli.army import faults_of

        return faults_of(text_of(file), str(file), name)
    if sort != "scenario" or rules.scenario_files is None:
        return []
    read = read_yaml(file, dict[str, Any])
    faults, _ = every_fault(rules, rules.scenario_files, read.value)
    return [read.wrong(fault.words, *fault.path) for fault in faults]


def _pasted(file: Path) -> str:
    """Return the kind of a text to paste: an army list."""
    from caltrop.engine import ruleset
    from caltrop.kit.armies import draft_of, text_of
    from caltrop.kit.army_text import armoury_of

    _, name = draft_of(text_of(file), None, str(file))
    return f"{armoury_of(ruleset(name)).check(file)} of {name}"


def _head_of(file: Path) -> bytes:
    """Return the start of a file if it is a campaign; otherwise no bytes."""
    try:
        with file.open("rb") as stream:
            return stream.read(LARGEST + 1)
    except (OSError, ValueError):
        return b""


def _files(sort: Sort, rules: Ruleset) -> Files | Armoury | None:
    return rules.scenario_files if sort == "scenario" else rules.army_lists if sort == "army" else None


def _ruling(file: Path, name: str) -> str:
    """Return the title of a ruling. Check that it can be read and that its results are right."""
    from caltrop.errors import InputError
    from caltrop.scenarios.rulings import check, read_ruling

    ruling = read_ruling(file, name)
    differences = check(ruling)
    if differences:
        first = differences[0]
        more = f" (and {len(differences) - 1} more)" if len(differences) > 1 else ""
        raise InputError(
            f"the ruling does not hold: {first.words}{more}", source=str(file), line=first.line, column=first.column
        )
    head = ruling.head
    return f"the ruling {head.id} of {name}, {head.title}: it holds"


def _is_pack(file: Path) -> bool:
    """Return whether a path is a pack: a folder, a zip, or one document."""
    if file.is_dir() or file.suffix == ".zip":
        return True
    return file.suffix not in (".json", ".gz", ".txt") and _format_of(file) == "caltrop-pack"


def _format_of(file: Path) -> object:
    """Return the format that a YAML file names; None if it names none."""
    from typing import Any

    from caltrop.roster import read_yaml

    form: object = read_yaml(file, dict[str, Any]).value.get("format")
    return form


def _what_it_says(file: Path) -> tuple[Sort, str]:
    """Return the kind of a YAML file, and its game."""
    from typing import Any

    from caltrop.errors import InputError
    from caltrop.roster import read_yaml
    from caltrop.scenarios import sort_of

    raw: Any = read_yaml(file, dict[str, Any]).value
    sort = sort_of(raw)
    if sort is None:
        raise InputError(
            "this is not a scenario (with a table), an army list (with units), a ruling (with"
            " cases), no study (it would have its format) and no record",
            source=str(file),
            line=1,
            column=1,
        )
    return sort, str(raw.get("ruleset") or _unnamed(sort, file))


def _unnamed(sort: Sort, file: Path) -> str:
    """Return the game of a file that names none: the only game whose files of this kind may omit it."""
    import msgspec

    from caltrop.engine import ruleset, rulesets
    from caltrop.errors import InputError

    for name in rulesets():
        files = _files(sort, ruleset(name))
        fields = () if files is None else msgspec.structs.fields(files.form)
        if any(field.name == "ruleset" and not field.required for field in fields):
            return name
    raise InputError(f"this key is missing; it is one of {', '.join(rulesets())}", source=str(file), field="ruleset")
