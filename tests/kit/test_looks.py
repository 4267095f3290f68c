"""Looks: every unit of every supplied list has a look that the page can draw."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec
import pytest

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.engine import ruleset
from caltrop.engine.rows import digest_of_rows
from caltrop.journal import Setting
from caltrop.picture import Picture
from caltrop.picture.shelf import LOOKS, PAINTS, Look, Paint
from caltrop.rules.blade_skirmish.armies import warband_file
from caltrop.rules.command_horizon.armies import army_list
from caltrop.rules.squad_action.armies import force_file

MEASURED = ("command-horizon", "squad-action", "blade-skirmish", "duel")

FORCE = """
ruleset: squad-action
id: own
title: Own
paint: {paint}
vehicles:
  crab: {{title: Crab, kind: walker, move: 6, armour: [Med, Lt, VLt], morale: 3, points: 80, cqb: 4, look: {look}}}
units:
  - {{name: Crab, vehicle: crab}}
  - {{name: Wolves, profile: regular, models: 4, look: wolf}}
"""
WARBAND = """
ruleset: blade-skirmish
id: own
title: Own
fighters:
  - {{name: Ada, quality: 2, look: {look}}}
  - {{name: Bea, quality: 2}}
  - {{name: Cat, quality: 1}}
"""
ARMY = "{{ruleset: command-horizon, id: own, title: Own, army: asori, units: [{{kind: command, look: {look}}}]}}"


def opening(name: str, scenario: str, armies: tuple[str, ...] = ()) -> Picture:
    """Return the table at the first decision."""
    rules = ruleset(name)
    match = Setting(ruleset=name, edition=rules.editions[0], scenario=scenario, armies=armies).begin(Seeded(1))
    return rules.depict(match.state, None)


def test_every_name_of_the_shelf_says_what_it_is() -> None:
    assert set(get_args(Look)) == set(LOOKS)
    assert set(get_args(Paint)) == set(PAINTS)
    text = (Path(__file__).parents[2] / "docs/writing-a-ruleset.md").read_text()
    for name, words in (*LOOKS.items(), *PAINTS.items()):
        assert f"| `{name}` | {words} |" in text


@pytest.mark.parametrize("name", MEASURED)
def test_every_unit_of_every_list_has_a_look_of_the_shelf(name: str) -> None:
    rules = ruleset(name)
    pictures = [opening(name, scenario.id) for scenario in rules.scenarios()]
    assert pictures
    for picture in pictures:
        assert picture.groups
        for group in picture.groups:
            looks = {group.look, *(piece.look for piece in group.pieces if piece.look)}
            assert looks <= set(LOOKS), group
            assert not group.paint or group.paint in PAINTS
        # The page accepts exactly these words.
        assert msgspec.json.decode(msgspec.json.encode(picture), type=Picture) == picture


def test_a_unit_of_a_list_of_ones_own_picks_from_the_shelf() -> None:
    picture = opening(
        "squad-action", "meeting-engagement", (FORCE.format(look="giant", paint="wine"), "border-company")
    )
    own = {group.name: group for group in picture.groups if group.side == 0}
    assert {(group.look, group.paint) for group in own.values()} == {("giant", "wine"), ("wolf", "wine")}
    assert all(not piece.look for group in own.values() for piece in group.pieces)


@pytest.mark.parametrize(
    ("text", "read"),
    [(FORCE.format(look="gunshp", paint="wine"), force_file), (ARMY.format(look="gunshp"), army_list)],
)
def test_a_look_that_is_not_on_the_shelf_is_refused_with_the_nearest(text: str, read: object) -> None:
    assert callable(read)
    with pytest.raises(InputError, match=r"'gunshp' is not allowed here; did you mean 'gunship'\?"):
        read(text)


def test_looks_and_paints_change_no_digest_of_rules_data() -> None:
    row = {"title": "Crab", "move": 6}
    assert digest_of_rows({"crab": {**row, "look": "giant", "paint": "sand"}}) == digest_of_rows({"crab": row})


def test_a_fighter_of_ones_own_has_the_weapon_that_her_list_says() -> None:
    assert warband_file(WARBAND.format(look="spear")).value.fighters[0].look == "spear"
    with pytest.raises(InputError, match="did you mean 'spear'"):
        warband_file(WARBAND.format(look="speer"))
