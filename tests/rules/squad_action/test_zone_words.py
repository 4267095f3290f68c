"""Zones of a mission say where they are, also if their author has written no words."""

from __future__ import annotations

import pytest

from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.scenarios import DeploymentZone, area_of, find_mission


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        (DeploymentZone(rows=(0, 9)), "within 9 inches of the south edge"),
        (DeploymentZone(rows=(0, 1)), "within 1 inch of the south edge"),
        (DeploymentZone(rows=(41.5, 48)), "within 6.5 inches of the north edge"),
        (DeploymentZone(rows=(20, 44)), "in the band from 20 to 44 inches"),
        (DeploymentZone(around=(24, 24), reach=12), "within 12 inches of the middle of the place"),
        (DeploymentZone(rows=(0, 9), words="on the home bank"), "on the home bank"),
    ],
)
def test_a_zone_says_where_it_is(zone: DeploymentZone, words: str) -> None:
    assert area_of(find_mission("hold-the-crossroads"), zone).words == words


def test_a_band_reaches_from_edge_to_edge() -> None:
    area = area_of(find_mission("hold-the-crossroads"), DeploymentZone(rows=(2, 9)))
    assert area.box == (0, inches(2), inches(48), inches(9))
