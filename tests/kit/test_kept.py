"""Files of earlier versions can be opened: army lists, scenarios and packs in their first forms.

A change of a form does not change these files. It may add files in the replaced form.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from caltrop.engine import ruleset, rulesets, with_part
from caltrop.engine.packs import FORMAT_VERSION, read_pack
from caltrop.errors import InputError
from caltrop.kit.armies import draft_of
from caltrop.kit.army_sheet import sheet
from caltrop.roster import read_yaml
from caltrop.scenarios.drafts import checked
from caltrop.scenarios.packs import faults_of, read_pack_file

FILES = sorted((Path(__file__).parent / "kept").iterdir())


def of_kind(kind: str) -> list[Path]:
    """Return the stored files of a kind."""
    return [file for file in FILES if file.name.split(".")[1] == kind]


@pytest.mark.parametrize("file", of_kind("army"), ids=lambda file: file.name)
def test_army_lists_open(file: Path) -> None:
    game = file.name.split(".")[0]
    draft, named = draft_of(file.read_text(encoding="utf-8"))
    assert named == game
    plain = read_yaml(file, dict[str, Any]).value
    shown = sheet(ruleset(game), draft, agreed=0)
    assert shown.ready, shown.faults
    assert shown.title == plain["title"]
    assert shown.pieces >= len(plain[shown.field])


@pytest.mark.parametrize("file", of_kind("scenario"), ids=lambda file: file.name)
def test_scenarios_open(file: Path) -> None:
    game = file.name.split(".")[0]
    answer = checked(game, file.read_text(encoding="utf-8"))
    assert answer.faults == ()
    assert answer.picture is not None
    rules = ruleset(game)
    rules.begin(rules.book(), file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", of_kind("pack"), ids=lambda file: file.name)
def test_packs_open(file: Path) -> None:
    pack = read_pack_file(file)
    assert pack == read_pack_file(of_kind("pack")[0])
    assert (pack.title, pack.author, pack.rows["units"]["vehicle-medium"]) == ("Iron", "Somebody", {"move": 4})
    assert faults_of(pack) == []


def test_every_game_has_a_kept_file_of_each_kind() -> None:
    names = {file.name for file in FILES}
    assert {f"{name}.scenario.yaml" for name in with_part("maps")} <= names
    shipped = {name for name in rulesets() if (lists := ruleset(name).army_lists) is not None and lists.shipped()}
    assert {f"{name}.army.yaml" for name in shipped} <= names


def test_a_pack_of_a_later_format_says_so() -> None:
    later = {"format": "caltrop-pack", "format_version": FORMAT_VERSION + 1, "ruleset": "duel", "id": "a", "title": "A"}
    with pytest.raises(InputError, match="update Caltrop"):
        read_pack(later)
