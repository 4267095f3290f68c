"""Symbols become hits, and rank cancels Target symbols."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from caltrop.chance import RollReading
from caltrop.engine import Sum, Term, rule
from caltrop.engine.rule import HasBook
from caltrop.rules.hex_command.attack.record import Profile, Target
from caltrop.rules.hex_command.catalogue import (
    CLASSES,
    SYMBOLS,
    TYPES,
    Symbol,
    battle_die,
    reading_of_symbols,
)

Counts = tuple[int, int, int, int, int, int]
"""Number of dice that show each symbol, in the order of `SYMBOLS`: I V G L T R."""

GOD_MACHINE, LEADER, TARGET, RETREAT = (SYMBOLS.index(s) for s in ("god-machine", "leader", "target", "retreat"))

_OF_CLASS: dict[str, Symbol] = {"infantry": "infantry", "vehicle": "vehicle", "god-machine": "god-machine"}


class Hits(msgspec.Struct, frozen=True):
    """The hits of a roll, before shields."""

    own: int = 0
    """Number of hits by the symbol of the target's class."""
    leader: int = 0
    targets: int = 0
    ignored: int = 0
    """Number of Target symbols that rank cancelled."""

    @property
    def total(self) -> int:
        return self.own + self.leader + self.targets


def symbols_of(b: HasBook, roll: Sequence[int]) -> tuple[Symbol, ...]:
    faces = battle_die(b)
    return tuple([faces[face - 1] for face in roll])


def count(symbols: Sequence[Symbol]) -> Counts:
    """Return the number of times that each symbol was rolled.

    >>> count(("target", "infantry", "target"))
    (1, 0, 0, 0, 2, 0)
    """
    i, v, g, led, t, r = [symbols.count(s) for s in SYMBOLS]
    return (i, v, g, led, t, r)


@rule("HX-DIE-01", "HX-DIE-02", "HX-DIE-03", "HX-DIE-08", "HX-LDU-03", "HX-Q12", stages=("alone",))
def class_symbol(b: HasBook, target: Target) -> Symbol | None:
    row = target.row
    return _OF_CLASS.get(row.counts_as if row.is_leader else row.unit_class)


@class_symbol.amended_by("HX-Q12", stage="alone", house={"lone_leader_hit_by_class": "on"})
def a_single_leader_is_hit_by_a_class(symbol: Symbol | None, b: HasBook, target: Target) -> Symbol | None:
    """House rule: a single leader is hit like its former unit; a leader without one is hit like infantry."""
    if symbol is not None or not target.row.is_leader:
        return symbol
    return _OF_CLASS[(target.bought_as.counts_as if target.was else "") or "infantry"]


@rule("HX-DIE-04", "HX-LDU-02", "HX-Q12", stages=("led",))
def leader_symbol_hits(b: HasBook, p: Profile) -> bool:
    """Leader symbols hit Leader units, and single leaders without a unit."""
    return p.target.row.is_leader


@leader_symbol_hits.amended_by("HX-LDS-03", "HX-Q13", stage="led")
def a_unit_with_a_leader_hits_with_leaders(hits: bool, b: HasBook, p: Profile) -> bool:
    """A unit with an attached leader hits any target with Leader symbols."""
    return hits or (p.attacker is not None and p.attacker.leader)


@rule("HX-DIE-05", stages=("leaders",))
def target_symbol_hits(b: HasBook, p: Profile) -> bool:
    return True


@target_symbol_hits.amended_by("HX-DIE-06", "HX-Q12", stage="leaders")
def targets_never_hit_leaders(hits: bool, b: HasBook, p: Profile) -> bool:
    return hits and not p.target.row.is_leader


@rule("HX-HIE-01", "HX-HIE-03", "HX-Q09", "HX-Q33", stages=("type",))
def targets_ignored(b: HasBook, p: Profile) -> Sum:
    """A target of a higher class ignores the first Target symbol. Rank does not matter for dice of a card."""
    if p.attacker is None:
        return ()
    mine, other = p.attacker.row, p.target.row
    if CLASSES.index(other.unit_class) <= CLASSES.index(mine.unit_class):
        return ()
    return (Term(1, "HX-HIE-01", f"{other.title} is of a higher class than {mine.title}"),)


@targets_ignored.amended_by("HX-HIE-02", "HX-HIE-04", "HX-Q09", stage="type")
def a_higher_type_ignores_the_first_target(parts: Sum, b: HasBook, p: Profile) -> Sum:
    """Within a class a target of a higher type ignores the first Target symbol."""
    if p.attacker is None:
        return parts
    mine, other = p.attacker.row, p.target.row
    if other.unit_class != mine.unit_class or TYPES.index(other.type) <= TYPES.index(mine.type):
        return parts
    return (*parts, Term(1, "HX-HIE-02", f"{other.title} is of a higher type than {mine.title}"))


class DiceReader(msgspec.Struct, frozen=True):
    """Reads the dice of one attack. The meaning of the symbols is computed once."""

    own: int | None
    """Index in `SYMBOLS` of the class symbol that hits; None if no class symbol does."""
    leader: bool
    """True if Leader symbols hit."""
    target: bool
    """True if Target symbols hit."""
    ignored: int
    """Number of Target symbols that are ignored."""

    def hits(self, counts: Counts) -> Hits:
        own = 0 if self.own is None else counts[self.own]
        ignored = min(self.ignored, counts[TARGET]) if self.target else 0
        return Hits(
            own,
            counts[LEADER] if self.leader else 0,
            counts[TARGET] - ignored if self.target else 0,
            ignored,
        )


def reader(b: HasBook, p: Profile) -> DiceReader:
    own = class_symbol(b, p.target)
    hit = target_symbol_hits(b, p)
    return DiceReader(
        None if own is None else SYMBOLS.index(own),
        leader_symbol_hits(b, p),
        hit,
        sum([term.value for term in targets_ignored(b, p)]) if hit else 0,
    )


def reading_of_attack(b: HasBook, p: Profile) -> RollReading:
    """Return how the dice of an attack are read: only symbols with an effect on its target count."""
    how = reader(b, p)
    symbols = [] if how.own is None else [SYMBOLS[how.own]]
    if how.leader or p.target.leader:
        symbols.append("leader")
    if how.target:
        symbols.append("target")
    return reading_of_symbols(b, (*symbols, "retreat"))


def hits_of(b: HasBook, p: Profile, counts: Counts) -> Hits:
    """Return the hits of a roll before shields."""
    return reader(b, p).hits(counts)
