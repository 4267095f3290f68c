"""Support for authors of tables for Squad Action."""

from __future__ import annotations

from typing import Any

from caltrop.engine.parts import Fairness, Lot, Maps
from caltrop.kit.maps import ground_kinds, written_out
from caltrop.rules.squad_action.catalogue import KINDS
from caltrop.rules.squad_action.scenarios import MISSIONS, layouts


def _plain(draft: dict[str, Any]) -> dict[str, Any]:
    return written_out(layouts(), draft)


MAPS = Maps(
    files=MISSIONS.files,
    grounds=ground_kinds(KINDS, KINDS, shelters=("hedge", "wall")),
    plain=_plain,
    bases=("meeting-engagement",),
    lots=(
        Lot(kind="ruins", count=(2, 4), across=(5, 7), form="block"),
        Lot(kind="woods", count=(2, 4), across=(7, 10)),
        Lot(kind="rough", count=(0, 4), across=(5, 8)),
        Lot(kind="wall", count=(2, 6), across=(3, 6), form="line"),
    ),
    fairness=Fairness(covered=(8, 30), open_lines=(15, 85)),
)
