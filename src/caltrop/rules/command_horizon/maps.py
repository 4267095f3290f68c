"""Support for authors of tables for Command Horizon."""

from __future__ import annotations

from typing import Any

from caltrop.engine.parts import Fairness, Lot, Maps
from caltrop.kit.maps import ground_kinds
from caltrop.rules.command_horizon.catalogue import KINDS
from caltrop.rules.command_horizon.scenarios import SCENARIO_FILES

_TWIN = {"first": "second", "second": "first"}


def _plain(draft: dict[str, Any]) -> dict[str, Any]:
    """Return a scenario with every twin written as a piece or an objective of its own."""
    table = draft.get("table", [120, 120])
    if not (isinstance(table, list) and len(table) == 2 and all(type(one) in (int, float) for one in table)):
        return draft
    plain = dict(draft)
    for key in ("terrain", "objectives"):
        items = draft.get(key)
        if isinstance(items, list):
            plain[key] = [one for item in items for one in _with_twin(item, table)]
    return plain


def _with_twin(item: Any, table: list[int]) -> list[Any]:
    if not isinstance(item, dict) or not item.get("twin"):
        return [item]
    own = {key: value for key, value in item.items() if key != "twin"}
    twin = {**own, ("id" if "id" in own else "name"): item["twin"]}
    try:
        if "outline" in own:
            twin["outline"] = [_turned(at, table) for at in own["outline"]]
        if "box" in own:
            a, b, c, d = own["box"]
            twin["box"] = [*_turned((c, d), table), *_turned((a, b), table)]
        if "at" in own:
            twin["at"] = _turned(own["at"], table)
    except (TypeError, ValueError):
        return [item]
    if own.get("owner") in _TWIN:
        twin["owner"] = _TWIN[own["owner"]]
    return [own, twin]


def _turned(at: Any, table: list[int]) -> list[int]:
    x, y = at
    return [table[0] - x, table[1] - y]


MAPS = Maps(
    files=SCENARIO_FILES.files,
    grounds=ground_kinds(KINDS, KINDS),
    plain=_plain,
    bases=("meeting-engagement", "secure-objectives"),
    lots=(
        Lot(kind="woods", count=(2, 4), across=(18, 26)),
        Lot(kind="hill", count=(2, 4), across=(16, 24)),
        Lot(kind="built-up", count=(2, 4), across=(12, 18), form="block"),
        Lot(kind="rough", count=(0, 4), across=(14, 20)),
    ),
    fairness=Fairness(covered=(10, 30), open_lines=(20, 85)),
)
