"""Read and write packs as a folder, a zip, one document or a link, with limits on their size.

A folder, or a zip of it, has `pack.yaml` with the description and the house rules of the pack. Beside it are a file for
each sheet of rows, such as `units.yaml`, and the folders `armies` and `scenarios` with a file for each army or
scenario. A document, in YAML or JSON, has all of this in one file. A link has the document in its fragment. All four
forms hold the same pack.

Nothing is ever unpacked to disk, and no path in a zip or a folder is followed. Other files, symbolic links, absolute
paths and paths with `..` are errors. The sizes declared in a zip are not trusted: reading stops at the limit.
"""

from __future__ import annotations

import base64
import contextlib
import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import inspect

from caltrop.engine import Book, Ruleset, ruleset, stored
from caltrop.engine.packs import (
    FORMAT_VERSION,
    LARGEST_PACK,
    MOST_ROWS,
    PACK,
    USUAL,
    Pack,
    PackFile,
    Sheet,
    installed,
    learnt,
    pack_called,
    packs_folder,
    read_pack,
    reading,
    written,
)
from caltrop.errors import InputError
from caltrop.roster import faults_in_form, nearest, read_yaml, refuse_other_link, utf8
from caltrop.roster.places import Path_, spelled, unspelled
from caltrop.scenarios.drafts import Fault, every_fault, shipped_draft, yaml_of
from caltrop.scenarios.forms import docstrings

HEAD = "pack.yaml"
"""The file that makes a folder a pack."""

LINK = "#pack="
"""Part of every link to a pack."""

LARGEST_FILE = LARGEST_PACK
"""Largest size of a file in a pack, in bytes."""

MOST_IN_ALL = 2 * LARGEST_PACK
"""Largest total size of a pack's files, in uncompressed bytes; files for people have more white space than
documents."""

MOST_FAULTS = 30
"""Largest number of faults in rows and house rules that are reported for a pack."""

MOST_ENTRIES = 120
"""Largest number of files in a pack."""

LONGEST_LINK = 60_000
"""Largest number of characters in a link."""

_SHELVES = ("armies", "scenarios")
_WHERE = re.compile(r"(?:(armies|scenarios)/)?([a-z0-9][a-z0-9_-]{0,39})\.ya?ml")

_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)

Files = dict[str, bytes]
"""The files of a pack by their paths in its folder."""


def read_pack_file(file: Path) -> PackFile:
    """Read a pack from a folder, a zip or one document.

    Raises InputError if the file is not a pack or is too large; the message names file, line and column if possible.
    """
    try:
        return _of_files(_in_folder(file), str(file)) if file.is_dir() else pack_of_bytes(_bytes_of(file), str(file))
    except InputError as error:
        raise at_its_place(error, str(file)) from None


def _bytes_of(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(MOST_IN_ALL + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"the file cannot be read: {why}", source=str(file)) from None


def at_its_place(fault: InputError, word: str) -> InputError:
    """Return a fault of a pack with the file, the line and the column in which it is, as far as they can be found.

    Args:
        fault: The fault, whose field begins at the top of the pack.
        word: The folder, zip, document, link or name by which the pack was given.
    """
    fault.source = fault.source or word[:200]
    path, file = unspelled(fault.field or ""), Path(word)
    if not path or fault.line is not None or LINK in word or len(word) > 4096 or not file.exists():
        return fault
    with contextlib.suppress(InputError, KeyError):
        text, name, path = _text_at(file, path)
        read = read_yaml(utf8(text).decode(), dict[str, Any])
        fault.source = f"{word[:200]}: {name}" if name else word[:200]
        fault.line, fault.column = read.place(*path)
        fault.field = spelled(path) or None
    return fault


def _text_at(file: Path, path: Path_) -> tuple[bytes, str, Path_]:
    """Return the text in which a value of a pack stands, the name of its file in a folder or a zip, and its path there.

    Raises InputError if the pack cannot be read, and KeyError if it has no such file.
    """
    if file.is_dir():
        files = _in_folder(file)
    else:
        raw = _bytes_of(file)
        if raw[:2] != b"PK":
            return raw, "", path
        files = _in_zip(raw, str(file))
    part = str(path[0])
    if part in ("rows", *_SHELVES) and len(path) > 1:
        name, path = (f"{path[1]}.yaml" if part == "rows" else f"{part}/{path[1]}.yaml"), path[2:]
    else:
        name = HEAD
    stored_as = name if name in files else name.replace(".yaml", ".yml")
    return files[stored_as], stored_as, path


def pack_given(word: str, folder: Path | None = None) -> PackFile:
    """Read the pack that a word names: a folder, a zip, a document, a link, or the name of an installed pack.

    Raises InputError if there is none, or it cannot be read.

    Args:
        folder: Folder that paths are relative to; the working folder by default.
    """
    if LINK in word:
        return pack_of_link(word)
    path = (folder or Path()) / word
    return read_pack_file(path) if path.exists() or "/" in word or path.suffix else pack_called(word).file


def pack_of_bytes(raw: bytes, source: str = "the file given") -> PackFile:
    """Read a pack from the bytes of a zip or of one document.

    Raises InputError if the file is not a pack or is too large; the message names file, line and column if possible.
    """
    if len(raw) > MOST_IN_ALL:
        raise InputError(f"a pack has at most {MOST_IN_ALL // 1024} KiB", source=source)
    if raw[:2] == b"PK":
        return _of_files(_in_zip(raw, source), source)
    text = utf8(raw, source).decode()
    if LINK in text:
        return pack_of_link(text.strip(), source)
    refuse_other_link(text, LINK, source)
    return _document(text, source)


def _document(text: str, source: str) -> PackFile:
    if not text.strip():
        raise InputError("the file is empty", source=source)
    try:
        read = read_yaml(text, dict[str, Any])
        return read_pack(read.value)
    except InputError as error:
        error.source = source
        raise


# --- folders and zips -------------------------------------------------------------------------------------------------


def _in_folder(folder: Path) -> Files:
    files: Files = {}
    for path in _walked(folder):
        name = path.relative_to(folder).as_posix()
        try:
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
            with os.fdopen(handle, "rb") as stream:
                if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                    raise InputError("this is not an ordinary file", source=str(path))
                files[name] = stream.read(LARGEST_FILE + 1)
        except OSError as error:
            raise InputError(f"the file cannot be read: {error.strerror or error}", source=str(path)) from None
        _small(files, name, str(path))
    return files


def _walked(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in ("README.md", "LICENSE"):
            continue
        if path.is_symlink():
            raise InputError("a pack has no links to other files", source=str(path))
        if path.is_dir():
            if path.name not in _SHELVES:
                raise InputError(f"a pack has no folder of this name; {nearest(path.name, _SHELVES)}", source=str(path))
            for inner in sorted(path.iterdir()):
                if inner.name.startswith("."):
                    continue
                if inner.is_symlink() or not inner.is_file():
                    raise InputError("a pack has no links and no deeper folders", source=str(inner))
                yield _named(inner, folder)
        else:
            yield _named(path, folder)


def _named(path: Path, folder: Path) -> Path:
    if _WHERE.fullmatch(path.relative_to(folder).as_posix()) is None:
        raise InputError("a pack has YAML files alone, as units.yaml or armies/red.yaml", source=str(path))
    return path


def _in_zip(raw: bytes, source: str) -> Files:
    """Read the files of a zip, which may all be in one folder, without writing anything to disk."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            entries = [entry for entry in packed.infolist() if not entry.is_dir()]
            if len(packed.infolist()) > MOST_ENTRIES:
                raise InputError(f"a pack has at most {MOST_ENTRIES} files", source=source)
            head = _folder_of([entry.filename for entry in entries])
            files: Files = {}
            for entry in entries:
                name = _inside(entry, head, source)
                if name in files:
                    raise InputError(f"it contains {name} twice", source=source)
                with packed.open(entry) as stream:
                    files[name] = stream.read(LARGEST_FILE + 1)
                _small(files, name, f"{source}: {name}")
            return files
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("this zip is damaged, or uses an unsupported compression", source=source) from None


def _folder_of(names: list[str]) -> str:
    """Return the folder that contains all files of a zip; empty if they are at its root."""
    heads = {name.partition("/")[0] for name in names if "/" in name}
    if HEAD in names or len(heads) != 1 or any("/" not in name for name in names):
        return ""
    return f"{heads.pop()}/"


def _inside(entry: zipfile.ZipInfo, head: str, source: str) -> str:
    name = entry.filename.removeprefix(head)
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise InputError(f"a pack has no links to other files: {name[:80]!r}", source=source)
    if entry.flag_bits & 1:
        raise InputError("a pack is not encrypted", source=source)
    if _WHERE.fullmatch(name) is None:
        complaint = f"a pack has only YAML files, as units.yaml or armies/red.yaml; this one has {name[:80]!r}"
        raise InputError(complaint, source=source)
    return name


def _small(files: Files, name: str, source: str) -> None:
    if len(files) > MOST_ENTRIES:
        raise InputError(f"a pack has at most {MOST_ENTRIES} files", source=source)
    if len(files[name]) > LARGEST_FILE or sum(map(len, files.values())) > MOST_IN_ALL:
        raise InputError(f"a pack has at most {LARGEST_PACK // 1024} KiB", source=source)


def _of_files(files: Files, source: str) -> PackFile:
    names = {name.replace(".yml", ".yaml"): name for name in files}
    if HEAD not in names:
        raise InputError(f"it has no file {HEAD}, which describes the pack", source=source)

    def read(name: str) -> dict[str, Any]:
        place = f"{source}: {names[name]}"
        try:
            text = utf8(files[names[name]], place).decode()
            # A new pack has files of comments alone, for what its author may change.
            if name != HEAD and not _COMMENT.sub("", text).strip():
                return {}
            return read_yaml(text, dict[str, Any]).value
        except InputError as error:
            error.source = place
            raise

    whole = read(HEAD)
    for part in ("rows", *_SHELVES):
        if part in whole:
            complaint = "in a folder these stand in files of their own, as units.yaml or armies/red.yaml"
            raise InputError(complaint, source=f"{source}: {HEAD}", field=part)
    rows: dict[str, Any] = {}
    shelves: dict[str, dict[str, Any]] = {shelf: {} for shelf in _SHELVES}
    for name in names:
        if name == HEAD:
            continue
        shelf, _, file = name.rpartition("/")
        (shelves[shelf] if shelf else rows)[file.removesuffix(".yaml")] = read(name)
    parts = {"rows": rows, **shelves}
    try:
        return read_pack({**whole, **{part: content for part, content in parts.items() if content}})
    except InputError as error:
        error.source = error.source or source
        raise


def folder_files(file: PackFile) -> dict[str, str]:
    plain = as_plain(file)
    rows, shelves = plain.pop("rows", {}), {shelf: plain.pop(shelf, {}) for shelf in _SHELVES}
    texts = {HEAD: yaml_of(plain)}
    texts |= {f"{sheet}.yaml": yaml_of(fields) for sheet, fields in rows.items()}
    texts |= {f"{shelf}/{id}.yaml": yaml_of(fields) for shelf, files in shelves.items() for id, fields in files.items()}
    return texts


def zipped(file: PackFile) -> bytes:
    """Return a pack as the bytes of a zip; equal packs give equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in folder_files(file).items():
            packed.writestr(zipfile.ZipInfo(f"{file.id}/{name}"), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def as_plain(file: PackFile) -> dict[str, Any]:
    """Return a pack as plain data, with its format and its game first."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(file))
    return plain


# --- links ------------------------------------------------------------------------------------------------------------


def link_of(file: PackFile) -> str:
    """Return the fragment of a link with a pack. Raises InputError if the pack is too large for a link."""
    packed = base64.urlsafe_b64encode(zlib.compress(written(file), 9)).decode().rstrip("=")
    if len(packed) > LONGEST_LINK:
        raise InputError("this pack is too large for a link: share its file")
    return LINK + packed


def pack_of_link(link: str, source: str = "the link given") -> PackFile:
    """Read a pack from a link or its fragment. Raises InputError if the text is not a link to a pack."""
    packed = re.findall(r"[\w-]*", link.partition(LINK)[2].strip(), re.A)[0]
    if len(packed) > LONGEST_LINK:
        raise InputError(f"a link has at most {LONGEST_LINK} characters", source=source)
    try:
        unpacking = zlib.decompressobj()
        raw = unpacking.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), LARGEST_PACK + 1)
        if len(raw) > LARGEST_PACK:
            raise InputError(f"a pack has at most {LARGEST_PACK // 1024} KiB", source=source)
        if not unpacking.eof:
            raise ValueError
        text = raw.decode()
    except (ValueError, zlib.error) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("this link is damaged, or cut short", source=source) from None
    return _document(text, source)


# --- what is wrong with it --------------------------------------------------------------------------------------------


def faults_of(file: PackFile) -> list[InputError]:
    """Return all faults of a pack: of its rows and house rules, then of its armies and scenarios."""
    try:
        rules = ruleset(file.ruleset)
    except ValueError as error:
        return [InputError(str(error), field="ruleset")]
    pack = Pack(file)
    faults = list(islice(rules.faults_of(pack), MOST_FAULTS))
    if faults:
        return faults
    book = rules.book(None, {PACK: learnt(file).name})
    with reading(pack):
        for id in file.armies:
            faults += _faults_of_army(rules, book, pack, id)
        shipped = {card.id for card in rules.scenarios()}
        for id, draft in file.scenarios.items():
            if id in shipped:
                faults.append(InputError(f"{rules.title} has a scenario of this name", field=f"scenarios.{id}"))
            else:
                faults += _faults_of_scenario(rules, book, id, draft)
    return faults


def _faults_of_scenario(rules: Ruleset, book: Book, id: str, draft: dict[str, Any]) -> Iterator[InputError]:
    try:
        rules.depict(rules.begin(book, id), None)
    except ValueError as error:
        faults = () if rules.scenario_files is None else every_fault(rules, rules.scenario_files, draft, book)[0]
        first = (Fault(path=_path_of(error), words=getattr(error, "message", str(error))),)
        for fault in faults or first:
            yield InputError(fault.words, field=spelled(("scenarios", id, *fault.path)))


def _faults_of_army(rules: Ruleset, book: Book, pack: Pack, id: str) -> Iterator[InputError]:
    from caltrop.kit.armies import read_army

    armoury, text = rules.army_lists, pack.text("armies", id)
    if armoury is None or text is None:
        yield InputError("this game has no army lists", field=f"armies.{id}")
        return
    if id in armoury.shipped():
        yield InputError("the game has an army of this name", field=f"armies.{id}")
        return
    try:
        read = read_army(text, armoury.form, rules.name)
    except InputError as error:
        for one in faults_in_form(pack.file.armies[id], armoury.form) or [error]:
            yield InputError(one.message, field=spelled(("armies", id, *_path_of(one))))
        return
    for fault in armoury.faults(book, read.value, None):
        yield InputError(fault.words, field=spelled(("armies", id, *fault.path)))


def _path_of(error: ValueError) -> Path_:
    return unspelled(error.field or "") if isinstance(error, InputError) else ()


class PackChange(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a pack changes, or a row that it adds."""

    sheet: str
    key: str
    title: str
    field: str = ""
    """Name of the changed value; empty for a new row."""
    before: str = ""
    after: str = ""


def changes_of(file: PackFile) -> list[PackChange]:
    """Return the changes of a pack to the printed rows and house rules, in words.

    Raises InputError for a fault in its rows.
    """
    rules = ruleset(file.ruleset)
    pack = rules.with_pack(Pack(file))
    changes = []
    for sheet in rules.sheets:
        edition = rules.editions[0]
        printed, laid = sheet.printed(edition), pack.rows(sheet, edition)
        for key in file.rows.get(sheet.name, {}):
            if key not in laid:
                continue
            row = sheet.plain(laid[key])
            title = str(row.get("title", key))
            if key not in printed:
                changes.append(PackChange(sheet=sheet.name, key=key, title=title))
                continue
            before = sheet.plain(printed[key])
            for field in dict.fromkeys((*before, *row)):
                old, new = before.get(field), row.get(field)
                if old != new:
                    values = {"before": _shown(old), "after": _shown(new)}
                    changes.append(PackChange(sheet=sheet.name, key=key, title=title, field=field, **values))
    defaults = {switch.name: switch for switch in rules.switches}
    for name, value in file.rules.items():
        usual, words = str(defaults[name].default), defaults[name].words or name
        if usual != str(value):
            changes.append(PackChange(sheet="rules", key=name, title=words, field=name, before=usual, after=str(value)))
    return changes


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and not any(isinstance(one, dict | list) for one in value):
        return ", ".join(map(_shown, value))
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def blank(game: str, id: str, title: str) -> PackFile:
    """Return a new pack without any changes.

    Raises InputError for a game that does not exist, and for a name that no pack can have.
    """
    rules = ruleset(game)
    head = {"format": "caltrop-pack", "format_version": FORMAT_VERSION, "ruleset": rules.name, "id": id, "title": title}
    return read_pack(head)


def install(file: PackFile) -> tuple[str, Path]:
    """Check a pack and install it.

    Returns its name and its file. Raises InputError for the first fault of the pack, or if it cannot be written.
    """
    faults = faults_of(file)
    if faults:
        raise faults[0]
    pack = learnt(file)
    folder = packs_folder()
    place = folder / f"{pack.name}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f".{pack.name}.{os.getpid()}"
        part.write_bytes(written(file))
        part.replace(place)
    except OSError as error:
        raise InputError(f"this cannot be written: {error.strerror or error}", source=str(place)) from None
    return pack.name, place


def every_installed() -> Mapping[str, PackFile]:
    """Return the installed packs by name; unreadable ones are left out."""
    by_word = {}
    for name, file in installed().items():
        try:
            by_word[name] = read_pack_file(file)
        except InputError:
            continue
    return by_word


# --- as a schema ------------------------------------------------------------------------------------------------------


def schema_of_pack(rules: Ruleset) -> dict[str, Any]:
    """Return the JSON Schema of a game's packs; a change of a row may contain any of its fields."""
    (whole,), shapes = msgspec.json.schema_components([PackFile])
    definitions: dict[str, Any] = dict(shapes)
    sheets: dict[str, Any] = {}
    for sheet in rules.sheets:
        _, parts = msgspec.json.schema_components([sheet.kind], schema_hook=lambda kind: {"type": "object"})
        own = {name: part for name, part in parts.items() if name != sheet.kind.__name__}
        definitions |= own
        row = parts[sheet.kind.__name__]
        fields = {field: _bounded(row["properties"][field], sheet.limits.get(field)) for field in sheet.fields}
        if sheet.grows:
            fields["like"] = {"type": "string", "description": "The row from which a new row is copied."}
        definitions[f"{sheet.name}-row"] = {
            "title": sheet.words,
            "type": "object",
            "properties": fields,
            "additionalProperties": False,
        }
        sheets[sheet.name] = {
            "description": sheet.words,
            "type": "object",
            "maxProperties": MOST_ROWS,
            "additionalProperties": {"$ref": f"#/$defs/{sheet.name}-row"},
        }
        if not sheet.grows:
            sheets[sheet.name]["propertyNames"] = {"enum": list(sheet.printed(rules.editions[0]))}
    pack = dict(definitions["PackFile"])
    pack["properties"] = {
        **pack["properties"],
        "ruleset": {"enum": [rules.name]},
        "rules": schema_of_house_rules(rules),
        "rows": {"type": "object", "properties": sheets, "additionalProperties": False},
    }
    definitions["PackFile"] = pack
    return {**whole, "$defs": definitions}


def _bounded(schema: dict[str, Any], bounds: tuple[int, int] | None) -> dict[str, Any]:
    if bounds is None or schema.get("type") not in ("integer", "number"):
        return schema
    return {**schema, "minimum": bounds[0], "maximum": bounds[1]}


def schema_of_house_rules(rules: Ruleset) -> dict[str, Any]:
    """Return the JSON Schema of house rules and their values."""
    switches = {one.name: _values(one) for one in rules.switches}
    return {"type": "object", "properties": switches, "additionalProperties": False}


def _values(switch: Any) -> dict[str, Any]:
    listed = {"enum": list(switch.values)}
    if switch.min is None:
        return {"description": switch.words, **listed}
    return {
        "description": switch.words,
        "anyOf": [listed, {"type": "integer", "minimum": switch.min, "maximum": switch.max}],
    }


# --- for those who fill it in -----------------------------------------------------------------------------------------


class PackField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a row that an author may fill in, for the page."""

    name: str
    sort: Literal["number", "numbers", "choice", "words", "yes", "data"]
    """Input for the field: a number, several numbers, one of the choices, words, yes or no, or JSON."""
    least: int = 0
    most: int = 0
    """Greatest number allowed in the field; `least` is the smallest."""
    choices: tuple[str, ...] = ()
    words: str = ""
    """Meaning of the field in a sentence; empty if its name says all of it."""


class PackRow(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    title: str
    values: dict[str, Any]
    """Values of the row that differ from their defaults."""


class PackSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet of printed rows with the fields that a pack may change."""

    name: str
    words: str
    grows: bool
    """True if rows may be added."""
    fields: tuple[PackField, ...]
    rows: tuple[PackRow, ...]


def sheets_of(rules: Ruleset) -> tuple[PackSheet, ...]:
    """Return the sheets of a game for the page."""
    return tuple([_sheet(rules, sheet) for sheet in rules.sheets])


def _sheet(rules: Ruleset, sheet: Sheet[Any]) -> PackSheet:
    printed = sheet.printed(rules.editions[0])
    by_name = {one.name: one for one in rules.sheets}

    def rows_of(name: str) -> Mapping[str, Any]:
        return by_name[name].printed(rules.editions[0])

    shown_fields = {
        field: tuple(rows_of(words) if isinstance(words, str) else words(rows_of))
        for field, words in sheet.refs.items()
    }
    meanings = docstrings(sheet.kind)
    fields = [
        msgspec.structs.replace(
            _field(field, sheet, shown_fields.get(field.encode_name, ())), words=meanings.get(field.name, "")
        )
        for field in msgspec.structs.fields(sheet.kind)
        if field.name not in sheet.hidden
    ]
    rows = []
    for key, row in printed.items():
        plain = sheet.plain(row)
        rows.append(PackRow(key=key, title=str(plain.get("title", key.replace("-", " "))), values=plain))
    return PackSheet(name=sheet.name, words=sheet.words, grows=sheet.grows, fields=tuple(fields), rows=tuple(rows))


def _field(field: msgspec.structs.FieldInfo, sheet: Sheet[Any], path: tuple[str, ...]) -> PackField:
    kind = inspect.type_info(field.type)
    if isinstance(kind, inspect.UnionType):
        kinds = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        kinds = [one for one in kinds if not (isinstance(one, inspect.CustomType) and one.cls is msgspec.UnsetType)]
        kind = kinds[0] if kinds else kind
    name, (least, most) = field.encode_name, sheet.limits.get(field.encode_name, USUAL)
    if isinstance(kind, inspect.BoolType):
        return PackField(name=name, sort="yes")
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        return PackField(name=name, sort="number", least=least, most=most)
    if isinstance(kind, inspect.LiteralType):
        return PackField(name=name, sort="choice", choices=tuple(map(str, kind.values)))
    if isinstance(kind, inspect.StrType):
        return PackField(name=name, sort="choice" if path else "words", choices=path)
    inner = getattr(kind, "item_type", None)
    if isinstance(inner, inspect.IntType):
        return PackField(name=name, sort="numbers", least=least, most=most)
    words = tuple(map(str, inner.values)) if isinstance(inner, inspect.LiteralType) else path
    return PackField(name=name, sort="data", choices=words)


class OddsTold(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of an attack with a unit as printed, and as changed by a pack."""

    words: str
    what: str
    """Noun for the numbers, such as `Strength left`."""
    before: tuple[tuple[int, float], ...]
    """Chance of each number with the printed unit; empty if the unit is new."""
    after: tuple[tuple[int, float], ...]
    mean_before: float | None
    mean_after: float
    request: dict[str, Any]


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison of a printed unit with the same unit of a pack."""

    title: str
    odds: tuple[OddsTold, ...]
    scenario: str | None
    """Id of a scenario in which the unit fights; None if there is none."""


def compared(file: PackFile, sheet: str, key: str) -> Compared:
    """Compare a row of a pack with the printed one.

    Raises InputError for a fault of the pack, or a row that it does not have.
    """
    rules = ruleset(file.ruleset)
    pack = rules.pack(file)
    of = next((one for one in rules.sheets if one.name == sheet), None)
    if of is None or key not in file.rows.get(sheet, {}):
        raise InputError(f"this pack does not change {key[:60]!r}", field="key")
    book, printed = rules.book(None, {PACK: pack.name}), of.printed(rules.editions[0])
    row = of.of(book).get(key)
    title = key if row is None else str(getattr(row, "title", key))
    base = key if key in printed else str(file.rows[sheet][key].get("like", key))
    odds = [] if rules.referee is None else list(_told(rules, pack, book, sheet, key, base))
    return Compared(title=title, odds=tuple(odds), scenario=_scenario_with(rules, book, key))


def _told(rules: Ruleset, pack: Pack, book: Book, sheet: str, key: str, base: str) -> Iterator[OddsTold]:
    """Yield the odds of attacks with a row, compared with those of the printed row that it changes or resembles."""
    referee = rules.referee
    assert referee is not None
    plain = {one.words: one.request for one in referee.showing(rules.book(), sheet, base)}
    names = {} if referee.form is None else referee.form({"ruleset": rules.name}).outcomes
    for one in referee.showing(book, sheet, key):
        try:
            after = _numbers(referee.odds({"ruleset": rules.name, **one.request, "pack": pack.name}))
        except InputError:
            continue
        before: tuple[str, dict[int, float]] | None = None
        if one.words in plain:
            try:
                before = _numbers(referee.odds({"ruleset": rules.name, **plain[one.words]}))
            except InputError:
                before = None
        field, chances = after
        yield OddsTold(
            words=one.words,
            what=names.get(field, field),
            before=() if before is None else tuple(sorted(before[1].items())),
            after=tuple(sorted(chances.items())),
            mean_before=None if before is None else _mean(before[1]),
            mean_after=_mean(chances),
            request=one.request,
        )


def _numbers(answer: dict[str, Any]) -> tuple[str, dict[int, float]]:
    outcomes = answer["outcomes"]
    field = next(name for name, value in outcomes[0].items() if type(value) is int)
    numbers: dict[int, float] = {}
    for one in outcomes:
        numbers[one[field]] = numbers.get(one[field], 0.0) + one["p"]
    return field, numbers


def _mean(chances: Mapping[int, float]) -> float:
    return sum([value * chance for value, chance in chances.items()])


def _scenario_with(rules: Ruleset, book: Book, key: str) -> str | None:
    """Return a scenario in which a row is used: one whose file names it, or whose initial state does."""
    word = key.rpartition("/")[2]
    for card in [*rules.scenarios()]:
        try:
            if _names(shipped_draft(rules.name, card.id), word):
                return card.id
            if f'"{word}"'.encode() in stored(rules.begin(book, card.id)):
                return card.id
        except ValueError:
            continue
    return None


def _names(value: Any, word: str) -> bool:
    """Return whether plain data has a text or a key that is equal to a word."""
    if isinstance(value, Mapping):
        return word in value or any(_names(one, word) for one in value.values())
    if isinstance(value, list | tuple):
        return any(_names(one, word) for one in value)
    return bool(value == word)


class PackLook(msgspec.Struct, frozen=True, kw_only=True):
    """A report on a pack that somebody is writing."""

    draft: dict[str, Any]
    """The pack as plain data."""
    name: str
    """Value for the house rule `pack` of a game; empty while the pack has faults."""
    faults: tuple[Fault, ...]
    changes: tuple[PackChange, ...]
    link: str
    """The fragment of a link; empty if the pack is too large for one."""
    file: str
    """The pack as a document."""


class PackKit(msgspec.Struct, frozen=True, kw_only=True):
    """The material for an author of packs for a game."""

    title: str
    sheets: tuple[PackSheet, ...]
    installed: tuple[dict[str, Any], ...]
    """Packs for the game that are installed on the server's machine."""


def kit_of(name: str) -> PackKit:
    """Return the material for an author of packs for a game.

    Raises InputError for a game that does not exist; the message names the nearest.
    """
    rules = ruleset(name)
    packs = tuple([as_plain(file) for file in every_installed().values() if file.ruleset == name])
    return PackKit(title=rules.title, sheets=sheets_of(rules), installed=packs)


def looked_at(draft: dict[str, Any]) -> PackLook:
    """Return a report on an unfinished pack: its changes, its faults, and its text."""
    try:
        file = read_pack(draft)
    except InputError as error:
        return PackLook(draft=draft, name="", faults=(_fault(error),), changes=(), link="", file=yaml_of(draft))
    faults = faults_of(file)
    changes: list[PackChange] = []
    with contextlib.suppress(InputError):
        changes = changes_of(file)
    try:
        link = link_of(file)
    except InputError:
        link = ""
    plain = as_plain(file)
    return PackLook(
        draft=plain,
        name="" if faults else Pack(file).name,
        faults=tuple(map(_fault, faults)),
        changes=tuple(changes),
        link=link,
        file=yaml_of(plain),
    )


def _fault(error: InputError) -> Fault:
    return Fault(path=unspelled(error.field or ""), words=error.message, line=error.line, column=error.column)
