"""Weapons of units have the names that the printed lists give them."""

from __future__ import annotations

import pytest

from caltrop.engine import ruleset
from caltrop.journal import Setting
from caltrop.rules.squad_action.catalogue import TRAITS, WEAPONS
from caltrop.scenarios.printable import game_of

TITLES = {row.title.casefold(): row.title for row in WEAPONS.printed().values()}


@pytest.mark.parametrize("scenario", [card.id for card in ruleset("squad-action").scenarios()])
def test_a_weapon_is_called_by_its_title(scenario: str) -> None:
    groups = game_of(Setting.chosen("squad-action", scenario=scenario), 113.4).placed.groups
    labels = {stat.label for group in groups for stat in group.stats if stat.value.isdigit()}
    assert labels
    for label in labels - {trait.title for trait in TRAITS.values()}:
        title = TITLES.get(label.casefold())
        if title is None:  # a gun with several kinds of shell has no title of its own
            assert any(row.gun.replace("-", " ") == label.casefold() for row in WEAPONS.printed().values()), label
        else:
            assert label == title[:1].upper() + title[1:]
