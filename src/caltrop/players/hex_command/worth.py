"""The worth of units, losses and objectives in points. A banner is worth 100."""

from __future__ import annotations

from caltrop.players.hex_command.weights import Weights
from caltrop.rules.hex_command.records import Battle, Objective, Unit, full_strength
from caltrop.rules.hex_command.victory import banners

BANNER = 100

DECISIVE = 10_000
"""Worth of winning the battle."""


def stake(t: Battle, unit: Unit, w: Weights) -> int:
    """Return the worth of a whole unit's loss to the enemy."""
    row = unit.row
    return row.banners * BANNER + row.points * w.point + special(t, unit, w)


def special(t: Battle, unit: Unit, w: Weights) -> int:
    """Return the extra worth of a unit that decides its scenario."""
    field = t.field
    if field.prize == unit.id:
        return w.prize
    return w.walker if field.exit is not None and field.exit[0] == unit.id else 0


def left(t: Battle, unit: Unit, strength: int, w: Weights) -> int:
    """Return the worth of a unit at a lower strength. The last model is worth much, because losing it gives the enemy a
    banner.
    """
    if strength <= 0:
        return 0
    whole = stake(t, unit, w)
    return whole * w.last_model // 100 + whole * (100 - w.last_model) * strength // (100 * full_strength(unit.row))


def missing(t: Battle, side: int) -> int:
    """Return the number of banners that a side still needs."""
    return max(0, t.field.banners[side] - banners(t, side))


def urgency(t: Battle, side: int, w: Weights) -> int:
    """Return the worth of a banner to a side, in per cent. The urgency is higher if few banners are missing."""
    few = missing(t, side)
    if few > 3:
        return 100
    return w.urgent_three if few == 3 else w.urgent_two if few == 2 else w.urgent_last


def prize_of(t: Battle, objective: Objective, side: int, w: Weights) -> int:
    """Return the worth of a unit on an objective to a side; 0 if it does not count for the side or stays captured."""
    if objective.side not in (None, side):
        return 0
    holder = t.captured.get(objective.hex)
    if objective.permanent:
        return 0 if holder is not None else BANNER * urgency(t, side, w) // 100 + w.permanent
    return BANNER * urgency(t, side, w) // 100 * w.temporary // 100


def sits_tight(t: Battle, side: int) -> bool:
    """Return whether a side wins by waiting, as its scenario says."""
    return t.field.limit.winner == side


def turns_left(t: Battle, side: int) -> int:
    limit = t.field.limit
    counted = side if limit.side is None else limit.side
    return max(0, limit.turns - t.turns[counted])


def full(unit: Unit) -> int:
    return full_strength(unit.row)
