"""Settings for authors of maps for the duel."""

from __future__ import annotations

from caltrop.engine.parts import Fairness, Lot, Maps
from caltrop.kit.maps import ground_kinds
from caltrop.rules.duel.records import KINDS
from caltrop.rules.duel.scenarios import SCENARIOS

MAPS = Maps(
    files=SCENARIOS.files,
    grounds=ground_kinds(KINDS, KINDS),
    sides="columns",
    bases=("crossroads",),
    lots=(Lot(kind="mud", count=(2, 4), across=(2, 4), form="disc"),),
    fairness=Fairness(covered=(3, 30), open_lines=(0, 100)),
)
