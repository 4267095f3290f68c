"""Strict reading of data files, and errors with their place."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from caltrop import InputError
from caltrop.roster import choose, converted, nearest, read_yaml


class Inner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    dice: int = 1


class Outer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    units: dict[str, Inner]
    kind: Literal["light", "heavy"] = "light"
    faces: tuple[int, ...] = ()
    price: int | None = None


GOOD = """\
kind: heavy
units:
  tank:
    name: Tank
    dice: 3
faces: [4, 5]
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "data.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_good_file_becomes_records_and_knows_its_lines(tmp_path: Path) -> None:
    yaml = read_yaml(written(tmp_path, GOOD), Outer)
    assert yaml.value == Outer({"tank": Inner("Tank", 3)}, "heavy", (4, 5))
    assert yaml.line("units", "tank") == 3
    assert yaml.line("units", "tank", "dice") == 5
    assert yaml.line("units", "tank", "elsewhere") == 3
    assert yaml.line("faces", 1) == 6


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (GOOD.replace("dice", "dise"), "data.yaml:5:5: units.tank.dise: there is no such key; did you mean 'dice'?"),
        (
            GOOD.replace("kind: heavy", "kind: hevy"),
            "data.yaml:1:1: kind: 'hevy' is not allowed here; did you mean 'heavy'?",
        ),
        (GOOD.replace("dice: 3", "dice: three"), "units.tank.dice: this must be a whole number; it is 'three'"),
        (
            GOOD.replace("dice: 3", "dice: yes"),
            "data.yaml:5:5: units.tank.dice: this must be a whole number; it is true",
        ),
        (GOOD.replace("    name: Tank\n", ""), "data.yaml:3:3: units.tank.name: this key is missing"),
        (GOOD.replace("[4, 5]", "[4, x]"), "data.yaml:6:12: faces[1]: this must be a whole number"),
        (GOOD.replace("[4, 5]", "4"), "data.yaml:6:1: faces: this must be a list; it is 4"),
        (GOOD + "price: high\n", "data.yaml:7:1: price: 'high' is not allowed here, only a whole number or null"),
        (GOOD + "kind: light\n", "data.yaml:7:1: kind: the key stands here twice (first in line 1)"),
        (GOOD + "  bad: [\n", "data.yaml:"),
        ("", "data.yaml: the file is empty"),
        ("- 1\n", "data.yaml:1:1: this must be an object; it is a list"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(InputError) as raised:
        read_yaml(written(tmp_path, text), Outer)
    assert place in str(raised.value)


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file cannot be read"):
        read_yaml(tmp_path / "none.yaml", Outer)


@pytest.mark.parametrize("raw", [True, 1.0, "1", None, [], {}])
def test_a_whole_number_is_nothing_else(raw: Any) -> None:
    with pytest.raises(InputError, match="this must be a whole number"):
        converted({"name": "x", "dice": raw}, Inner)


def test_choosing_names_the_nearest() -> None:
    assert choose("fire", ("fire", "charge"), "mode", "mode") == "fire"
    with pytest.raises(InputError, match=r"^mode: there is no mode 'chrge'; did you mean 'charge'\?$"):
        choose("chrge", ("fire", "charge"), "mode", "mode")
    assert nearest("zzz", ()) == "there is none"


def test_what_is_wrong_with_a_file_that_could_be_read_names_its_place(tmp_path: Path) -> None:
    file = written(tmp_path, GOOD)
    read = read_yaml(file, Outer)
    assert (read.source, read.place("units", "tank", "dice")) == (str(file), (5, 5))
    assert str(read.wrong("too many", "units", "tank", "dice")) == f"{file}:5:5: units.tank.dice: too many"
    # The error about a missing value names the missing key and the nearest enclosing value.
    assert str(read.wrong("missing", "units", "tank", "price")) == f"{file}:3:3: units.tank.price: missing"
    assert str(read.wrong("no tank", "faces", 1)) == f"{file}:6:12: faces[1]: no tank"
    whole = read_yaml(GOOD, Outer).wrong("nothing fits")
    assert (str(whole), whole.field) == ("the given text:1:1: nothing fits", None)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that counts as the package. The contents of its files are cached."""
    monkeypatch.setattr("caltrop.roster.kept.PACKAGE", tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr("sys.pycache_prefix", None)
    return tmp_path


def test_what_a_file_of_the_package_says_is_kept_for_its_text_alone(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(package, GOOD)
    first = read_yaml(file, Outer)
    with monkeypatch.context() as unread:
        unread.setattr("caltrop.roster.written.composed", None)
        again = read_yaml(file, Outer)
    assert (again.value, again.places, again.source) == (first.value, first.places, first.source)
    written(package, GOOD.replace("dice: 3", "dice: 4"))
    assert read_yaml(file, Outer).value.units["tank"].dice == 4
    written(package, GOOD.replace("dice: 3", "dice: three"))
    for _ in range(2):
        with pytest.raises(InputError, match=r"data.yaml:5:5: units\.tank\.dice: this must be a whole number"):
            read_yaml(file, Outer)


def test_what_is_kept_may_be_spoiled_or_may_not_be_written(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(package, GOOD)
    folder = package / "__pycache__"
    folder.write_text("a file where the folder would be", encoding="ascii")
    assert read_yaml(file, Outer).value.kind == "heavy"
    folder.unlink()
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    read_yaml(file, Outer)
    assert not folder.exists()
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    read_yaml(file, Outer)
    (place,) = folder.iterdir()
    whole = place.read_bytes()
    for spoiled in (b"", whole[:-9], b"\xc1" + whole):
        place.write_bytes(spoiled)
        assert read_yaml(file, Outer).value.kind == "heavy"
        assert place.read_bytes() == whole
    assert read_yaml(written(package, f"dice: {2**64}\n"), dict[str, int]).value == {"dice": 2**64}


def test_files_of_authors_have_nothing_put_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    file = written(tmp_path, GOOD)
    read_yaml(file, Outer)
    assert [*tmp_path.iterdir()] == [file]
