"""Points of units, measured by `caltrop study points`, for games whose rulebook prints none.

The study's file `points.json` is part of a ruleset's data. It has the worth of each entry of an army list, of pairs of
entries together, and the base worth of the armies of each race.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from pathlib import Path
from typing import Any

import msgspec


class Priced(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of an army list and its points."""

    pool: str
    """Pool from which the entry may be drawn, which is its race."""
    unit: dict[str, Any]
    points: float


class Paired(msgspec.Struct, frozen=True, kw_only=True):
    """The worth of two entries together, beyond their single worths."""

    pool: str
    units: tuple[dict[str, Any], dict[str, Any]]
    points: float


class Costs(msgspec.Struct, frozen=True):
    """The costs that a study has measured."""

    units: tuple[Priced, ...]
    together: tuple[Paired, ...] = ()
    pools: Mapping[str, float] = {}
    """Extra points of an army of each pool, besides its units and compared with the first pool."""

    def of(self, pool: str, entries: Sequence[Mapping[str, Any]], free: Sequence[str] = ()) -> float | None:
        """Return the points of an army.

        >>> tank, guns = {"kind": "tank"}, {"kind": "guns", "teams": 2}
        >>> units = Priced(pool="red", unit=tank, points=80.5), Priced(pool="red", unit=guns, points=130.0)
        >>> paid = Costs(units, (Paired(pool="red", units=(tank, guns), points=-10.0),))
        >>> paid.of("red", [tank, tank, guns]), paid.of("red", [{"kind": "boat"}])
        (271.0, None)

        Args:
            entries: The units, as in an army list.
            free: Kinds that every army has; they are part of the pool's extra points.

        Returns:
            Points of the army; None if an entry was not measured.
        """
        prices = {_key(one.unit): one.points for one in self.units if one.pool == pool}
        bought = [_key(one) for one in entries if one["kind"] not in free]
        if not prices or any(one not in prices for one in bought):
            return None
        total = self.pools.get(pool, 0.0) + sum([prices[one] for one in bought])
        for pair in self.together:
            if pair.pool == pool:
                one, other = (_key(unit) for unit in pair.units)
                several = comb(bought.count(one), 2) if one == other else bought.count(one) * bought.count(other)
                total += pair.points * several
        return total

    def each(self, pool: str, entry: Mapping[str, Any], free: Sequence[str] = ()) -> float | None:
        """Return the points of an entry by itself.

        Args:
            entry: The unit, as in an army list.
            free: Kinds that every army has.

        Returns:
            Points of the entry; None if it was not measured, such as a kind that every army has.
        """
        if entry["kind"] in free:
            return None
        key = _key(entry)
        return next((one.points for one in self.units if one.pool == pool and _key(one.unit) == key), None)


def costs(file: Path) -> Costs | None:
    """Read the costs that a study has measured; None if the file does not exist."""
    return msgspec.json.decode(file.read_bytes(), type=Costs) if file.exists() else None


def _key(unit: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(unit.items()))
