"""How good a place is: what a unit can do from it, what may be done to it there, and where it leads.

An outlook is made for one state of the battle as one side sees it. All numbers are whole points, as in `worth`.
"""

from __future__ import annotations

from caltrop.players.hex_command.worth import (
    BANNER,
    DECISIVE,
    left,
    missing,
    prize_of,
    sits_tight,
    stake,
    turns_left,
    urgency,
)
from caltrop.rules.hex_command.attack import Attacker, Ending, Profile, Target, dice_at, profile_of
from caltrop.rules.hex_command.battle import Battle, Unit
from caltrop.rules.hex_command.los import sees
from caltrop.rules.hex_command.odds import chances
from caltrop.rules.hex_command.terrain import class_on_ground
from caltrop.table.hexes import Hex

CARE = 22
"""How much of what the enemy could do to a unit counts, in per cent: it orders but a few units in a turn."""

FAR = 99


class Outlook:
    """What a side sees of the battle, with what is asked again and again worked out once.

    Args:
        t: The side's view.
        side: Whose.
    """

    def __init__(self, t: Battle, side: int) -> None:
        self.t, self.side = t, side
        self.mine = [u for u in t.units if u.side == side and u.hex is not None]
        self.foes = [u for u in t.units if u.side != side and u.hex is not None and t.host_of(u) is None]
        self.goals = self._goals()
        self.patient = sits_tight(t, side)
        self.hurry = max(0, 6 - turns_left(t, side)) if not self.patient else 0
        self._ranges: dict[int, list[int]] = {}
        self._fear: dict[tuple[int, Hex], int] = {}

    # --- harm --------------------------------------------------------------------------------------------------------

    def harm(self, unit: Unit, target: Unit, at: Hex | None = None) -> int:
        """What an attack is worth to the attacker on average: losses by the exact odds, and driving the target off."""
        t = self.t
        return worth_of(t, profile_of(t, unit, target, at), target)

    def targets(self, unit: Unit, at: Hex) -> list[Unit]:
        """The enemies that a unit could battle from a hex."""
        t = self.t
        distance, near = t.map.distance, False
        found: list[Unit] = []
        for foe in self.foes:
            assert foe.hex is not None
            far = distance(at, foe.hex)
            if far == 1:
                if not near:
                    near, found = True, []
                if dice_at(t, unit, foe, at):
                    found.append(foe)
            elif (
                not near and far <= len(unit.row.dice) and dice_at(t, unit, foe, at) and sees(t, unit, at, foe, foe.hex)
            ):
                found.append(foe)
        return found

    def best_attack(self, unit: Unit, at: Hex) -> tuple[int, Unit | None]:
        """The most that a unit can do from a hex, and to whom."""
        best, victim = 0, None
        for foe in self.targets(unit, at):
            value = self.harm(unit, foe, at)
            if value > best:
                best, victim = value, foe
        return best, victim

    # --- places ------------------------------------------------------------------------------------------------------

    def fear(self, unit: Unit, at: Hex) -> int:
        """What the enemy may do to a unit in a hex in its next turn."""
        key = (unit.id, at)
        known = self._fear.get(key)
        if known is None:
            known = self._fear[key] = self._feared(unit, at)
        return known

    def _feared(self, unit: Unit, at: Hex) -> int:
        t = self.t
        distance, terrain = t.map.distance, t.field.terrain
        ground = terrain.get(at, "open")
        dug_in = at in t.entrenchments and unit.hex == at
        leader = t.leader_of(unit) is not None
        found = 0
        for foe in self.foes:
            assert foe.hex is not None
            row = foe.row
            far = max(1, distance(at, foe.hex) - row.battle_move)
            if far > len(row.dice):
                continue
            found += threat(t, foe, unit, far, ground, dug_in, leader)
        return min(found * CARE // 100, stake(t, unit) * 6 // 10)

    def place(self, unit: Unit, at: Hex) -> int:
        """How good it is for a unit to end in a hex, without what it does there this turn."""
        value = self.pull(unit, at) - self.fear(unit, at)
        return value

    def pull(self, unit: Unit, at: Hex) -> int:
        """What a hex is worth by itself, and where it leads."""
        t = self.t
        distance = t.map.distance
        value = 0
        for o in t.field.objectives:
            if o.hex == at:
                value += prize_of(t, o, self.side)
        way_out = t.field.exit
        if way_out is not None and way_out[0] == unit.id:
            rows = abs(t.map.row(at) - way_out[1])
            return value - 70 * rows + (DECISIVE // 10 if rows == 0 else 0)
        if unit.alone:
            return value + self._leads(unit, at)
        if self.goals:
            best = max([weight - step * distance(at, hex) for hex, weight, step in self.goals])
            value += best
        return value

    def _leads(self, unit: Unit, at: Hex) -> int:
        """A single leader belongs with a good unit that is about to fight, and never alone near the enemy."""
        t = self.t
        host = t.unit_at(at)
        if host is not None and host.id != unit.id and host.side == self.side:
            near = min([t.map.distance(at, foe.hex or at) for foe in self.foes], default=FAR)
            return 30 + len(host.row.dice) + 3 * host.strength - 2 * near
        near = min([t.map.distance(at, foe.hex or at) for foe in self.foes], default=FAR)
        return -40 if near <= 2 else -15 if near <= 3 else 0

    def _goals(self) -> list[tuple[Hex, int, int]]:
        """Places to make for: hex, what it is worth to be there, and what each hex on the way costs."""
        t, side = self.t, self.side
        patient = sits_tight(t, side)
        found: list[tuple[Hex, int, int]] = []
        for o in t.field.objectives:
            if prize_of(t, o, side) and not (patient and t.captured.get(o.hex) == side):
                taken = t.unit_at(o.hex)
                if taken is None or taken.side != side:
                    found.append((o.hex, 30, 5))
        if patient and t.field.exit is None:
            return found
        hurry = max(0, 8 - turns_left(t, side))
        for foe in self.foes:
            assert foe.hex is not None
            weight = left(t, foe, foe.strength) // 20
            if t.field.prize == foe.id:
                weight += 40
            found.append((foe.hex, 24 - weight // 4 + weight, 3 + hurry // 3))
        return found


def odds_of(t: Battle, p: Profile) -> list[tuple[Ending, float]]:
    """What an attack can end in, with the chance of each."""
    return [(end, float(chance)) for end, chance in chances(t.book, p).items()]


def worth_of(t: Battle, p: Profile, target: Unit) -> int:
    """What an attack takes from its target on average; cached for the match by all that counts."""
    held = _holds(t, target)
    last = missing(t, 1 - target.side)
    key = (p, target.kind, held, min(last, 4), t.field.prize == target.id)
    kept: dict[object, int] = t.book.scratch.setdefault("worth of attacks", {})
    known = kept.get(key)
    if known is None:
        known = kept[key] = _worth_of(t, p, target, held)
    return known


def _holds(t: Battle, target: Unit) -> int:
    """What it is worth to drive a unit out of its hex."""
    for o in t.field.objectives:
        if o.hex == target.hex and not (o.permanent and t.captured.get(o.hex) is not None):
            return BANNER * 8 // 10 if t.captured.get(o.hex) == target.side else 25
    return 0


def _worth_of(t: Battle, p: Profile, target: Unit, held: int) -> int:
    before = left(t, target, target.strength)
    enough = target.row.banners >= missing(t, 1 - target.side)
    bonus = before * (urgency(t, 1 - target.side) - 100) // 100
    found = 0.0
    for end, chance in odds_of(t, p):
        value: float = before - left(t, target, end.strength)
        if end.strength == 0:
            value += held + bonus + (3 * BANNER if enough else 0)
        elif end.retreat:
            value += held + 6 * min(end.retreat, 2)
        if end.leader_lost:
            value += BANNER
        found += chance * value
    return int(found)


def threat(t: Battle, foe: Unit, unit: Unit, far: int, ground: str, dug_in: bool, leader: bool) -> int:
    """What an enemy that gets within a distance takes from a unit on some ground on average."""
    key = (foe.kind, unit.kind, unit.strength, far, ground, dug_in, leader, t.field.prize == unit.id)
    kept: dict[object, int] = t.book.scratch.setdefault("threats", {})
    known = kept.get(key)
    if known is None:
        p = Profile(
            Attacker(foe.kind, class_on_ground(t, foe)),
            Target(unit.kind, unit.strength, leader, unit.was, ground, dug_in),
            range=far,
        )
        before, found = left(t, unit, unit.strength), 0.0
        for end, chance in odds_of(t, p):
            found += chance * (before - left(t, unit, end.strength) + (BANNER if end.leader_lost else 0))
        known = kept[key] = int(found)
    return known
