"""Packs as folders, zips, documents and links: all have equal rows, and no pack can do harm."""

from __future__ import annotations

import base64
import contextlib
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from caltrop.engine import ruleset, rulesets
from caltrop.engine.packs import LARGEST_PACK, PackFile, installed, pack_called, read_pack, written
from caltrop.errors import InputError
from caltrop.scenarios.packs import (
    LINK,
    MOST_ENTRIES,
    blank,
    changes_of,
    faults_of,
    folder_files,
    install,
    link_of,
    pack_of_bytes,
    pack_of_link,
    read_pack_file,
    sheets_of,
    zipped,
)

HEAD = "format: caltrop-pack\nruleset: hex-command\nid: iron\ntitle: Iron\n"


def pack(**more: Any) -> PackFile:
    """Return a pack for Hex Command."""
    rows = {"units": {"vehicle-medium": {"move": 4}, "vehicle-hover": {"like": "vehicle-light", "title": "Hovers"}}}
    pack_file = {"format": "caltrop-pack", "ruleset": "hex-command", "id": "iron", "title": "Iron", "rows": rows}
    return read_pack({**pack_file, "rules": {"hand_size": 6}, **more})


def zip_of(files: dict[str, str | bytes], change: Callable[[zipfile.ZipInfo], None] = lambda entry: None) -> bytes:
    """Return a zip with some files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            change(entry)
            packed.writestr(entry, text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def refused(raw: bytes) -> str:
    """Return why a pack is refused, and assert that the check is cheap."""
    before = process_time()
    with pytest.raises(InputError) as error:
        pack_of_bytes(raw)
    assert process_time() - before < 2
    return str(error.value)


def test_every_form_holds_the_same_pack(tmp_path: Path) -> None:
    file = pack()
    for name, text in folder_files(file).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_pack_file(tmp_path) == file
    assert pack_of_bytes(zipped(file)) == file
    assert pack_of_bytes(written(file)) == file
    assert pack_of_link("http://x/packs" + link_of(file)) == file
    assert pack_of_bytes(link_of(file).encode()) == file
    assert zipped(file) == zipped(pack())


def test_a_folder_of_a_zip_need_not_be_its_root() -> None:
    units = "vehicle-medium: {move: 4}"
    one, other = zip_of({"pack.yaml": HEAD, "units.yaml": units}), zip_of({"x/pack.yaml": HEAD, "x/units.yaml": units})
    assert pack_of_bytes(one) == pack_of_bytes(other)


@pytest.mark.parametrize(
    "name",
    [
        "../evil.yaml", "/etc/evil.yaml", "armies/../../evil.yaml", "..\\evil.yaml", "C:\\evil.yaml", "armies/a/b.yaml",
        "units.yaml/../x.yaml", "evil.py", "armies/evil.so", "__init__.py", "units.YAML", "a b.yaml", ".yaml",
        "x" * 500 + ".yaml", "units\x00.yaml", "\u202eunits.yaml",
    ],
)  # fmt: skip
def test_a_zip_reaches_nothing_outside(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = refused(zip_of({"pack.yaml": HEAD, name: "a: 1"}))
    assert "pack" in words or "units" in words
    assert list(tmp_path.iterdir()) == []


def test_a_zip_has_no_links() -> None:
    def link(entry: zipfile.ZipInfo) -> None:
        if entry.filename == "units.yaml":
            entry.external_attr = (stat.S_IFLNK | 0o777) << 16

    assert "links" in refused(zip_of({"pack.yaml": HEAD, "units.yaml": "/etc/passwd"}, link))


def test_a_folder_has_no_links_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(HEAD)
    secret = tmp_path.parent / "secret.yaml"
    secret.write_text("a: 1")
    for name in ("units.yaml", "armies"):
        (tmp_path / name).symlink_to(secret if name.endswith("yaml") else tmp_path.parent)
        with pytest.raises(InputError, match="links"):
            read_pack_file(tmp_path)
        (tmp_path / name).unlink()
    os.mkfifo(tmp_path / "units.yaml")
    with pytest.raises(InputError, match="ordinary file"):
        read_pack_file(tmp_path)
    (tmp_path / "units.yaml").unlink()
    (tmp_path / "units.py").write_text("raise SystemExit")
    with pytest.raises(InputError, match="YAML files alone"):
        read_pack_file(tmp_path)


def test_bombs_are_small_here() -> None:
    big = b"# " + b"x" * (200 * 1024 * 1024)
    assert "at most" in refused(zip_of({"pack.yaml": HEAD, "units.yaml": big}))
    many = {f"armies/a{n}.yaml": "a: 1" for n in range(MOST_ENTRIES + 5)}
    assert "at most" in refused(zip_of({"pack.yaml": HEAD, **many}))
    assert "at most" in refused(b"x" * (3 * LARGEST_PACK))
    half = {f"armies/a{n}.yaml": "# " + "x" * 200_000 for n in range(4)}
    assert "at most" in refused(zip_of({"pack.yaml": HEAD, **half}))


def test_a_zip_that_lies_about_its_sizes_is_not_believed() -> None:
    raw = bytearray(zip_of({"pack.yaml": HEAD, "units.yaml": "# " + "x" * 1_000_000}))
    size = (1_000_002).to_bytes(4, "little")
    assert size in raw
    assert refused(bytes(raw.replace(size, (10).to_bytes(4, "little"))))


def test_links_are_bounded() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b"a: " + b"x" * 30_000_000, 9)).decode()
    assert "at most" in refused((LINK + bomb).encode())
    assert "damaged" in refused((LINK + link_of(pack())[10:40]).encode())
    assert "damaged" in refused((LINK + "!!").encode())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "rows: &a {units: *a}", "anchors and aliases"),
        ("a: &a [1,1]\nb: &b [*a,*a]\n" + HEAD, "anchors and aliases"),
        (HEAD + "words: !!python/object/apply:os.system [id]", "tags are not read"),
        (HEAD + "rows: {units: {a: {move: " + "9" * 5000 + "}}}", "not a number that can be read"),
        (HEAD + "rows: {units: {a: " + "[" * 3000 + "]" * 3000 + "}}", "nested deeper"),
        (HEAD + "rows: {units: {a: {dice: " + "[" * 30 + "]" * 30 + "}}}", "nested deeper"),
        (HEAD + "rows: {units: {" + ", ".join([f"a{n}: {{}}" for n in range(300)]) + "}}", "at most 200 rows"),
        (HEAD + "rows: {units: {../a: {}}}", "is not a key"),
        (HEAD + "armies: {../../a: {}}", "is not an id"),
        (HEAD + "id: iron", "twice"),
        ("[]", "this must be an object"),
        ("", "empty"),
        ("\x00\x01", ""),
        (
            "http://here/armies#army=1q4YL",
            "the link of an army list, and a pack belongs here: open it on the page /armies",
        ),
        ("#map=q1bK", "the link of a map, and a pack belongs here"),
    ],
)
def test_what_could_blow_up_is_refused(text: str, message: str) -> None:
    assert message in refused(text.encode())


@pytest.mark.parametrize("cut", range(0, 400, 37))
def test_damaged_zips_are_refused_or_read(cut: int) -> None:
    raw = bytearray(zipped(pack()))
    for at in (cut % len(raw), (cut * 7) % len(raw)):
        raw[at] ^= 0xFF
    with contextlib.suppress(InputError):
        pack_of_bytes(bytes(raw))
    with pytest.raises(InputError):
        pack_of_bytes(zipped(pack())[: cut + 3])


def test_a_misspelled_row_is_not_taken_for_a_new_one() -> None:
    (fault,) = faults_of(pack(rows={"units": {"vehicle-medum": {"move": 4}}}))
    assert fault.field == "rows.units.vehicle-medum"
    assert "did you mean 'vehicle-medium'?" in fault.message
    assert "`like`" in fault.message


def test_no_row_names_a_file_or_makes_a_battle_slow() -> None:
    for rows in (
        {"units": {"vehicle-medium": {"silhouette": "../../etc/passwd"}}},
        {"units": {"vehicle-medium": {"models": 10**6}}},
        {"units": {"vehicle-medium": {"dice": [9] * 5000}}},
        {"cards": {"probe-left": {"count": 10**9}}},
        {"units": {"vehicle-medium": {"title": "x" * 10_000}}},
    ):
        assert faults_of(pack(rows=rows))


@pytest.mark.parametrize("name", rulesets())
def test_every_value_that_a_pack_may_change_is_explained(name: str) -> None:
    """Names and descriptions explain themselves."""
    alone = {"title", "plural", "words", "picture", "clauses"}
    fields = {
        f"{sheet.name}.{field.name}": field.words
        for sheet in sheets_of(ruleset(name))
        for field in sheet.fields
        if field.name not in alone
    }
    assert [field for field, words in fields.items() if not words] == []


def test_what_a_pack_changes_is_told() -> None:
    words = {(one.sheet, one.key, one.field): (one.before, one.after) for one in changes_of(pack())}
    assert words["units", "vehicle-medium", "move"] == ("3", "4")
    assert words["units", "vehicle-hover", ""] == ("", "")
    assert words["rules", "hand_size", "hand_size"] == ("5", "6")
    assert changes_of(blank("hex-command", "a", "A")) == []


def test_armies_and_scenarios_of_a_pack_are_checked() -> None:
    army = {"ruleset": "hex-command", "id": "a", "title": "A", "units": [{"kind": "vehicle-hover", "count": 1}]}
    assert "at least" in str(faults_of(pack(armies={"a": army}))[0])
    assert faults_of(pack(armies={"a": {**army, "units": [{"kind": "infantry-medium", "count": 8}]}})) == []
    faults = faults_of(pack(scenarios={"s": {"ruleset": "hex-command"}}))
    assert {"scenarios.s.title", "scenarios.s.south", "scenarios.s.north"} <= {fault.field for fault in faults}


def test_a_pack_is_installed_once_it_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALTROP_DATA", str(tmp_path))
    with pytest.raises(InputError):
        install(pack(rows={"units": {"x": {}}}))
    assert installed() == {}
    name, place = install(pack())
    assert installed() == {name: place}
    assert pack_called("iron").name == name
    other, _ = install(pack(title="Iron 2"))
    os.utime(place, (1, 1))
    assert pack_called("iron").name == other
    for word in ("../iron", "/etc/passwd", "iron@../../x", "iron\n"):
        with pytest.raises(InputError):
            pack_called(word)


def test_an_installed_file_that_was_changed_is_no_longer_that_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALTROP_DATA", str(tmp_path))
    (tmp_path / "packs").mkdir()
    place = tmp_path / "packs" / f"iron@{'1' * 32}.json"
    place.write_bytes(written(pack()))
    with pytest.raises(InputError, match="changed after it was installed"):
        pack_called(f"iron@{'1' * 32}")
