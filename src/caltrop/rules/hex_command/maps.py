"""Support for authors of tables for Hex Command."""

from __future__ import annotations

from typing import Any, get_args

from caltrop.engine.parts import Fairness, GroundKind, Lot, Maps
from caltrop.kit.hexes import WrittenHexes
from caltrop.rules.hex_command.catalogue import GROUNDS
from caltrop.rules.hex_command.picture import ground_words
from caltrop.rules.hex_command.scenarios import SCENARIO_FILES, Kind


def _plain(draft: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in draft.items() if key != "clauses"}


def _ground(kind: str) -> GroundKind:
    row = GROUNDS[kind]
    return GroundKind(
        id=kind,
        title=row.title,
        words=ground_words(row),
        look=kind,
        closed=row.only_for is not None and "infantry" not in row.only_for,
        cuts=row.size >= 2,
        shelters=any(row.less),
    )


MAPS = Maps(
    files=SCENARIO_FILES.files,
    grounds=tuple([_ground(kind) for kind in get_args(Kind)]),
    plain=_plain,
    bases=("free-battle",),
    lots=(
        Lot(kind="woods", count=(4, 8), across=(1, 3)),
        Lot(kind="ruins", count=(2, 6), across=(1, 2)),
        Lot(kind="hill", count=(2, 6), across=(1, 2)),
        Lot(kind="rubble", count=(0, 4), across=(1, 2)),
        Lot(kind="citadel", count=(0, 2), across=(1, 1)),
    ),
    hexes=WrittenHexes(),
    fairness=Fairness(covered=(8, 40), open_lines=(10, 90)),
)
