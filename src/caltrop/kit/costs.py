"""What units cost where the rulebook prints no points: a table that `caltrop study points` has measured.

The file `points.json` of such a study lies in a ruleset's data as it was written. What is read of it is what each entry
of an army list is worth, what two of them are worth together, and what every army of a race has besides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from pathlib import Path
from typing import Any

import msgspec


class Priced(msgspec.Struct, frozen=True):
    """An entry of an army list and its points."""

    pool: str
    unit: dict[str, Any]
    points: float


class Together(msgspec.Struct, frozen=True):
    """Two entries, and what they are worth together beyond what each is."""

    pool: str
    units: tuple[dict[str, Any], dict[str, Any]]
    points: float


class Costs(msgspec.Struct, frozen=True):
    """What a study has found."""

    units: tuple[Priced, ...]
    together: tuple[Together, ...] = ()
    pools: Mapping[str, float] = {}
    """What an army of each pool has beside its units, more than one of the first."""

    def of(self, pool: str, entries: Sequence[Mapping[str, Any]], free: Sequence[str] = ()) -> int | None:
        """What an army costs.

        >>> tank, guns = {"kind": "tank"}, {"kind": "guns", "teams": 2}
        >>> paid = Costs((Priced("red", tank, 80.4), Priced("red", guns, 130.0)), (Together("red", (tank, guns), -10),))
        >>> paid.of("red", [tank, tank, guns]), paid.of("red", [{"kind": "boat"}])
        (271, None)

        Args:
            pool: The pool of its race.
            entries: Its units, as its list would have them.
            free: Kinds that every army has: they stand in what the pool has besides.

        Returns:
            Whole points; None where an entry was not measured.
        """
        known = {_key(one.unit): one.points for one in self.units if one.pool == pool}
        bought = [_key(one) for one in entries if one["kind"] not in free]
        if not known or any(one not in known for one in bought):
            return None
        total = self.pools.get(pool, 0.0) + sum([known[one] for one in bought])
        for pair in self.together:
            if pair.pool == pool:
                one, other = (_key(unit) for unit in pair.units)
                several = comb(bought.count(one), 2) if one == other else bought.count(one) * bought.count(other)
                total += pair.points * several
        return round(total)


def costs(file: Path) -> Costs | None:
    """What a study has found; None where there is no such file yet."""
    return msgspec.json.decode(file.read_bytes(), type=Costs) if file.exists() else None


def _key(unit: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(unit.items()))
