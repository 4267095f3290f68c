"""Files of one kind: those of the game, and those of authors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from caltrop import InputError
from caltrop.clauses import MARKS, counting, switched_off
from caltrop.engine import guard
from caltrop.kit.files import Library, folder, obey
from caltrop.roster import Read, read_yaml


class Tune(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: str
    bars: int
    clauses: str = ""


LONG = guard("DU-END-03", "long", "A tune has at most {most} bars; this one has {bars}")


def tune(file: Path | str) -> Read[Tune]:
    read = read_yaml(file, Tune)
    obey(read, LONG, read.value.bars > 32, "bars", most=32, bars=read.value.bars)
    return read


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for id, bars in (("march", 16), ("waltz", 24), ("air", 8)):
        (tmp_path / f"{id}.yaml").write_text(f"title: {id.title()}\nbars: {bars}\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no tune", encoding="utf-8")
    return tmp_path


def test_a_folder_is_its_files_by_id(home: Path) -> None:
    assert list(folder(home)) == ["air", "march", "waltz"]
    assert folder(home)["air"] == home / "air.yaml"
    assert folder(home / "nowhere") == {}


def test_what_a_word_means_is_an_id_a_path_or_a_text(home: Path) -> None:
    library = Library("tune", folder(home), tune, of="fiddle")
    assert library.find("march").value == Tune(title="March", bars=16)
    assert library.find("march").source == str(home / "march.yaml")
    assert library.find(str(home / "waltz.yaml")).value.bars == 24
    assert library.find("title: Jig\nbars: 4\n").value.title == "Jig"
    with pytest.raises(InputError, match="there is no tune 'marsh' of fiddle; did you mean 'march'"):
        library.find("marsh")
    with pytest.raises(InputError, match="cannot be read"):
        library.find("marsh.yml")
    plain = Library("tune", folder(home), tune)
    with pytest.raises(InputError, match=r"there is no tune 'bal'; did you mean 'ball'\?"):
        plain.find("bal", ("ball",))


def test_what_the_game_comes_with_is_read_once_and_in_order(home: Path) -> None:
    reads: list[Any] = []

    def counted(file: Path | str) -> Read[Tune]:
        reads.append(file)
        return tune(file)

    library = Library("tune", folder(home), counted)
    assert [t.title for t in library.every()] == ["Air", "March", "Waltz"]
    assert [t.title for t in library.every(lambda t: -t.bars)] == ["Waltz", "March", "Air"]
    assert library.own("air") is library.find("air")
    assert len(reads) == 3


def test_a_file_is_held_to_a_guard_at_its_place(home: Path) -> None:
    library = Library("tune", folder(home), tune)
    with pytest.raises(InputError) as error:
        library.find("title: Reel\nbars: 40\n")
    assert str(error.value) == "the given text:2:1: bars: A tune has at most 32 bars; this one has 40 (DU-END-03)"


def test_a_file_that_restates_clauses_is_gone_while_they_are_switched_off(home: Path) -> None:
    (home / "psalm.yaml").write_text("title: Psalm\nbars: 12\nclauses: DU-END-01 DU-END-02\n", encoding="utf-8")
    files = folder(home)
    library = Library("tune", files, tune, marked=True)
    (mark,) = [m for m in MARKS.values() if m.path == str(home / "psalm.yaml")]
    try:
        assert (mark.clauses, mark.line) == (("DU-END-01", "DU-END-02"), 3)
        with counting() as fired:
            assert "psalm" in library.files
        assert fired[mark.id] == 1
        with switched_off(mark.id):
            assert list(library.files) == ["air", "march", "waltz"]
            assert "Psalm" not in [t.title for t in library.every()]
            with pytest.raises(InputError, match="there is no tune 'psalm'"):
                library.find("psalm")
        assert library.find("psalm").value.bars == 12
        # Files without marks cannot be switched off.
        assert Library("tune", files, tune).find("psalm").value.bars == 12
    finally:
        del MARKS[mark.id]
