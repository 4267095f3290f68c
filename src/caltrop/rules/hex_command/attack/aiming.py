"""The profile of an attack, for units on the map."""

from __future__ import annotations

import msgspec

from caltrop.engine import rule, total
from caltrop.engine.rule import HasBook
from caltrop.rules.hex_command.attack.counting import INDIRECT, battle_dice
from caltrop.rules.hex_command.attack.record import Attacker, Profile, Target
from caltrop.rules.hex_command.orders import card_dice, card_for
from caltrop.rules.hex_command.places import class_on_ground, sees
from caltrop.rules.hex_command.records import Battle, Unit, full_strength
from caltrop.table.hexes import Hex


@rule("HX-Q28", stages=("house",))
def fires_indirectly(b: HasBook, unit: Unit, distance: int, moved: bool) -> bool:
    """No unit fires indirectly: the rules name no artillery units."""
    return False


@fires_indirectly.amended_by("HX-Q28", stage="house", house={"indirect_fire": "on"})
def heavy_vehicles_that_stood_fire_indirectly(
    indirect: bool, b: HasBook, unit: Unit, distance: int, moved: bool
) -> bool:
    """House rule: a heavy vehicle that has not moved this turn fires indirectly."""
    return unit.kind == "vehicle-heavy" and distance > 1 and not moved


def _has_moved(t: Battle, unit: Unit) -> bool:
    if t.moved.get(unit.id, 0) > 0:
        return True
    return t.book.rules["overrun"] == "on" and any(unit.id in getattr(frame, "overran", ()) for frame in t.stack)


def is_weakened(unit: Unit) -> bool:
    """Return whether a unit has half its strength or less (HX-Q17)."""
    return 2 * unit.strength <= full_strength(unit.row)


def target_of(t: Battle, unit: Unit) -> Target:
    hex = unit.hex or ""
    return Target(
        unit.kind,
        unit.strength,
        hex in t.guests,
        unit.was,
        t.field.terrain.get(hex, "open"),
        hex in t.entrenchments,
        t.spent.get(unit.id, 0),
        unit.pack,
    )


def profile_of(t: Battle, unit: Unit, target: Unit, at: Hex | None = None, *, room: int | None = None) -> Profile:
    """Return the profile of a unit's attack on another.

    Args:
        at: Assumed hex of the attacker; by default its present hex.
        room: Number of hexes that the target can fall back; None for no limit.
    """
    here = at or unit.hex
    assert here is not None
    assert target.hex is not None
    distance = t.map.distance(here, target.hex)
    return Profile(
        Attacker(
            unit.kind,
            class_on_ground(t, unit),
            t.leader_of(unit) is not None,
            is_weakened(unit),
            t.field.terrain.get(here, "open"),
            unit.pack,
        ),
        target_of(t, target),
        range=distance,
        extra=card_dice(t, unit.id, distance),
        indirect=fires_indirectly(t, unit, distance, _has_moved(t, unit)),
        room=room,
    )


_Dice = dict[tuple[str, bool, int], int]
"""Numbers of battle dice by the ground of a target, whether it is entrenched, and the range."""


class _Known(msgspec.Struct, frozen=True):
    """Values shared by all attackers with the same properties in a match."""

    indirect: bool
    """True if the attackers fire indirectly."""
    reach: int
    """The largest range at which the attackers have dice."""
    dice: _Dice
    """Cache of the attackers' numbers of dice."""


class TargetSearch:
    """The search of a unit for targets from one hex. Values common to all targets are computed once.

    Args:
        at: Assumed hex of the unit; by default its present hex.
    """

    __slots__ = ("at", "counted", "distances", "indirect", "reach", "t", "unit")

    def __init__(self, t: Battle, unit: Unit, at: Hex | None = None) -> None:
        here = at or unit.hex
        assert here is not None
        self.t, self.unit, self.at = t, unit, here
        self.distances = t.map.distances(here)
        ground, moved, card = t.field.terrain.get(here, "open"), _has_moved(t, unit), card_for(t, unit.id)
        # A card without dice makes no difference.
        alike = (unit.kind, unit.strength, ground, moved, card.key if card is not None and card.dice else "")
        cache: dict[object, _Known] = t.book.scratch.setdefault("aims", {})
        facts = cache.get(alike)
        if facts is None:
            facts = cache[alike] = _known_of(t, unit, ground, moved)
        self.indirect, self.reach, self.counted = facts.indirect, facts.reach, facts.dice

    def dice(self, target: Unit) -> int:
        """Return the number of battle dice against a target; 0 if range or terrain prevent a battle.

        The sum is cached for the match by everything that affects it.
        """
        t, there = self.t, target.hex
        assert there is not None
        distance = self.distances[there]
        if distance > self.reach:
            return 0
        key = (t.field.terrain.get(there, "open"), there in t.entrenchments, distance)
        dice = self.counted.get(key)
        if dice is None:
            parts = battle_dice(t, profile_of(t, self.unit, target, self.at))
            dice = self.counted[key] = max(0, total(parts))
        return dice

    def sees(self, target: Unit) -> bool:
        """Return whether a target can be attacked by line of sight. Close assault and indirect fire need none."""
        there = target.hex
        assert there is not None
        return self.distances[there] == 1 or self.indirect or sees(self.t, self.unit, self.at, target, there)


def _known_of(t: Battle, unit: Unit, ground: str, moved: bool) -> _Known:
    indirect = fires_indirectly(t, unit, 2, moved)
    extra = (card_dice(t, unit.id, 1), card_dice(t, unit.id, 2))
    counts = (unit.kind, is_weakened(unit), ground, indirect, extra)
    dice: _Dice = t.book.scratch.setdefault("battle dice", {}).setdefault(counts, {})
    return _Known(indirect, len(INDIRECT) if indirect else len(unit.row.dice), dice)


def dice_at(t: Battle, unit: Unit, target: Unit, at: Hex | None = None) -> int:
    """Return the number of battle dice of a unit against another; 0 if range or terrain prevent a battle."""
    return TargetSearch(t, unit, at).dice(target)
