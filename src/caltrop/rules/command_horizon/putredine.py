"""Numbers for Putredine infantry: dice that bring bases onto the table, and the effects of Worm Tokens."""

from __future__ import annotations

from collections.abc import Sequence

from caltrop.engine import rule
from caltrop.engine.rule import HasBook
from caltrop.rules.command_horizon.catalogue import UnitKind, unit_kind
from caltrop.rules.command_horizon.records import Battle

__all__ = ["bases_from", "carrier_bases", "carrier_doubles", "is_disabled", "worm_limit"]


@rule("CH-INFEST-02", "CH-CARRIER-05", "CH-POD-03", stages=("one", "two"))
def bases_from(b: HasBook, face: int) -> int:
    """A die of Infestation, of the Pod launcher or of a Carrier brings no bases on 1 to 3."""
    return 0


@bases_from.amended_by("CH-INFEST-03", "CH-CARRIER-06", "CH-POD-03", stage="one")
def one_base_on_four_and_five(bases: int, b: HasBook, face: int) -> int:
    """A 4 or 5 brings one infantry base."""
    return 1 if face in (4, 5) else bases


@bases_from.amended_by("CH-INFEST-04", "CH-CARRIER-07", "CH-POD-03", stage="two")
def two_bases_on_six(bases: int, b: HasBook, face: int) -> int:
    """A roll of 6 brings two infantry bases."""
    return 2 if face == 6 else bases


@rule("CH-CARRIER-08", "Q-CARRIER-3")
def carrier_doubles(b: HasBook, roll: Sequence[int]) -> int:
    """Each face rolled by at least two Carriers brings one extra base. Three equal faces count as one double."""
    return sum([1 for face in range(1, 7) if roll.count(face) > 1])


@rule("CH-CARRIER-02")
def carrier_bases(b: HasBook, roll: Sequence[int]) -> int:
    """The Carriers of a unit roll together, one die each."""
    return sum([bases_from(b, face) for face in roll]) + carrier_doubles(b, roll)


@rule("CH-WORM-07", "Q-WORM-5")
def worm_limit(b: HasBook, kind: UnitKind) -> int:
    """Twice as many Worm Tokens as printed Attack Dice remove a model. Carriers count 1 die, Sluggers 3."""
    return 2 * _dice(kind)


def _dice(kind: UnitKind) -> int:
    return kind.number("dice") if kind.worm_dice is None else kind.number("worm_dice")


@rule("CH-WORM-05", "CH-WORM-06")
def is_disabled(b: HasBook, kind: UnitKind, tokens: int) -> bool:
    """A model with as many Worm Tokens as Attack Dice neither moves nor fires."""
    return tokens > 0 and tokens >= _dice(kind)


def _row(t: Battle, model: int) -> UnitKind:
    m = t.models[model]
    return unit_kind(t, t.armies[t.units[m.unit].side].army, m.kind)


def disabled(t: Battle, model: int) -> bool:
    """Return whether a model has as many Worm Tokens as Attack Dice (CH-WORM-05)."""
    worms = t.models[model].worms
    return worms > 0 and is_disabled(t, _row(t, model), worms)


def token_limit(t: Battle, model: int) -> int:
    """Return the number of Worm Tokens that removes a model (CH-WORM-07, Q-WORM-5)."""
    return worm_limit(t, _row(t, model))
