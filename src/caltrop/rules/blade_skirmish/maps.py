"""Support for authors of tables for Blade Skirmish."""

from __future__ import annotations

from typing import Any

from caltrop.engine.parts import Fairness, Lot, Maps
from caltrop.kit.maps import ground_kinds, written_out
from caltrop.rules.blade_skirmish.catalogue import KINDS
from caltrop.rules.blade_skirmish.scenarios import SCENARIO_FILES, TERRAIN, layouts


def _plain(draft: dict[str, Any]) -> dict[str, Any]:
    return written_out(layouts(), draft)


MAPS = Maps(
    files=SCENARIO_FILES.files,
    grounds=ground_kinds(KINDS, TERRAIN),
    plain=_plain,
    bases=("blood-price", "between-the-stones", "the-fallen-standard"),
    lots=(
        Lot(kind="wall", count=(2, 6), across=(2, 4), form="block"),
        Lot(kind="tree", count=(2, 4), across=(1, 2), form="disc"),
        Lot(kind="rough", count=(0, 2), across=(3, 5)),
        Lot(kind="water", count=(0, 2), across=(3, 4)),
        Lot(kind="pit", count=(0, 2), across=(1, 2), form="disc"),
    ),
    fairness=Fairness(covered=(4, 25), open_lines=(20, 95)),
)
