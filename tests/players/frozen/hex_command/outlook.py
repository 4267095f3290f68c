"""How good a place is: what a unit can do from it, what may be done to it there, and where it leads.

An outlook is made for one state of the battle as one side sees it. All numbers are whole points, as in `worth`.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from caltrop.engine import Book
from caltrop.rules.hex_command.attack import Aim, Attacker, Ending, Profile, Target, is_weakened, profile_of
from caltrop.rules.hex_command.battle import Battle, Unit
from caltrop.rules.hex_command.cards import chance_held
from caltrop.rules.hex_command.odds import chances
from caltrop.rules.hex_command.retreat import ways_back
from caltrop.rules.hex_command.terrain import barred, class_on_ground
from caltrop.table.hexes import Hex
from tests.players.frozen.hex_command.worth import (
    BANNER,
    DECISIVE,
    left,
    missing,
    prize_of,
    sits_tight,
    special,
    stake,
    turns_left,
    urgency,
)

CARE = 22
"""How much of what the enemy could do to a unit counts, in per cent: it orders but a few units in a turn."""

DARING = 14
"""The same for a side that loses if nothing happens."""
FAR = 99
STEP, PRESSED, HUNTED = 3, 6, 6
"""What a hex on the way to the enemy costs; what it costs a side that loses if nothing happens; and what it costs on
the way to the one enemy whose loss wins."""
ROW = 70
"""What a row is worth to a unit that has to walk to the last one."""
HOLD = 4
"""How many hexes of driving it back the loss of its leader is worth, who lets it stand."""
DENY = 60
"""What it is worth to stand on what is an objective to the enemy alone."""
NEAR = 3
"""What a hex farther from what it has to hold costs a side that wins by waiting."""


class Foe(NamedTuple):
    """What counts of an enemy for what it may do next turn."""

    unit: Unit
    hex: Hex
    move: int
    """How far it moves and still battles."""
    reach: int
    """How far its dice go."""
    kept: dict[tuple[str, str, int, bool, int, str, bool, int], int]
    """What such an enemy takes from others."""


class Outlook:
    """What a side sees of the battle, with what is asked again and again worked out once.

    Args:
        t: The side's view.
        side: Whose.
        wary: Whether it reckons with cards that the enemy may hold.
    """

    def __init__(self, t: Battle, side: int, *, wary: bool = True) -> None:
        self.t, self.side = t, side
        # Where the limit decides, nobody can wait: one side has to get through in time, the other to stop it.
        wary = wary and t.field.limit.winner is None
        self._ambush = chance_held(t, 1 - side, "ambush") if wary else 0.0
        self._surge = chance_held(t, 1 - side, "shield-surge") if wary else 0.0
        self.mine = [u for u in t.units if u.side == side and u.hex is not None]
        self.foes = [u for u in t.units if u.side != side and u.hex is not None and t.host_of(u) is None]
        self._goals: dict[str, list[tuple[Hex, int, int]]] = {}
        self.care = DARING if sits_tight(t, 1 - side) else CARE
        self._fear: dict[tuple[int, Hex], int] = {}
        self._foes = [self._foe(u) for u in self.foes]
        kept = _kept(t.book)
        self._pushed, self._cleared = kept.pushed, kept.cleared
        self._reach: dict[int, int] = {}
        self._lead: dict[tuple[str, Hex], int] = {}

    def _foe(self, foe: Unit) -> Foe:
        t, row = self.t, foe.row
        kept = _kept(t.book).threats.setdefault((foe.kind, class_on_ground(t, foe)), {})
        return Foe(foe, foe.hex or "", row.battle_move, len(row.dice), kept)

    # --- harm --------------------------------------------------------------------------------------------------------

    def harm(self, unit: Unit, target: Unit, at: Hex | None = None) -> int:
        """What an attack is worth to the attacker on average: losses by the exact odds, and driving the target off.

        An Ambush or a Shield Surge that the enemy may hold counts by how likely that is.
        """
        t = self.t
        p = profile_of(t, unit, target, at)
        found: float = worth_of(t, p, target)
        if self._surge and target.row.unit_class == "god-machine":
            surged = worth_of(t, msgspec.structs.replace(p, surged=True), target)
            found -= self._surge * (found - surged)
        way_out = t.field.exit
        if way_out is not None and way_out[0] == target.id:
            found += self._driven_back(p, target, at or unit.hex, way_out[1])
        elif way_out is not None and way_out[0] == unit.id:
            found += self._made_way(p, target, at or unit.hex or "", way_out[1])
        if self._ambush and p.range == 1:
            found -= self._ambush * self._ambushed(unit, target, p, found)
        return int(found)

    def _ambushed(self, unit: Unit, target: Unit, p: Profile, harm: float) -> float:
        """What it costs at arm's length if the target battles first: losses, and an attack that may come to naught."""
        t = self.t
        assert p.attacker is not None
        back = Profile(
            Attacker(
                target.kind,
                class_on_ground(t, target),
                p.target.leader,
                is_weakened(target),
                p.target.ground,
            ),
            Target(unit.kind, unit.strength, p.attacker.leader, unit.was, p.attacker.ground),
            range=1,
        )
        kept = _kept(t.book).ambushes
        key = (back, special(t, unit))
        known = kept.get(key)
        if known is None:
            before, lost, stopped = left(t, unit, unit.strength), 0.0, 0.0
            for end, chance in odds_of(t, back):
                lost += chance * (before - left(t, unit, end.strength) + (BANNER if end.leader_lost else 0))
                stopped += chance * (not end.strength or end.retreat > 0)
            known = kept[key] = (lost, stopped)
        return known[0] + known[1] * max(0, harm)

    def _made_way(self, p: Profile, target: Unit, at: Hex, goal: int) -> int:
        """What it is worth to a unit that has to walk to a row to take the ground of its target, a row nearer."""
        row = self.t.map.row
        if p.range != 1 or abs(row(target.hex or at) - goal) >= abs(row(at) - goal):
            return 0
        mean = self._cleared.get(p)
        if mean is None:
            ends = odds_of(self.t, p)
            mean = self._cleared[p] = sum([chance for end, chance in ends if not end.strength or end.retreat])
        return int(ROW * mean)

    def _driven_back(self, p: Profile, target: Unit, source: Hex | None, goal: int) -> int:
        """What it is worth to drive a unit back that has to walk to a row: it chooses the way back that costs least."""
        t = self.t
        assert target.hex is not None
        row = t.map.row
        rows = [abs(row(hex) - goal) for hex in ways_back(t, target, source)]
        lost = min(rows, default=0) - abs(row(target.hex) - goal)
        if lost <= 0:
            return 0
        mean = self._pushed.get(p)
        if mean is None:
            ends = odds_of(t, p)
            mean = self._pushed[p] = sum([(end.retreat + HOLD * end.leader_lost) * chance for end, chance in ends])
        return int(ROW * lost * mean)

    def targets(self, unit: Unit, at: Hex) -> list[Unit]:
        """The enemies that a unit could battle from a hex."""
        distance = self.t.map.distance
        reach = self._reach.get(unit.id)
        if reach is None:
            reach = self._reach[unit.id] = Aim(self.t, unit, at).reach
        close: list[Unit] = []
        far: list[Unit] = []
        for foe in self._foes:
            hexes = distance(at, foe.hex)
            if hexes == 1:
                close.append(foe.unit)
            elif not close and hexes <= reach:
                far.append(foe.unit)
        if not close and not far:
            return []
        aim = Aim(self.t, unit, at)
        return [foe for foe in close or far if aim.dice(foe) and aim.sees(foe)]

    def best_attack(self, unit: Unit, at: Hex) -> tuple[int, Unit | None]:
        """The most that a unit can do from a hex, and to which enemy."""
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
        distance = t.map.distance
        ground = t.field.terrain.get(at, "open")
        dug_in = unit.hex == at and at in t.entrenchments
        leader = t.leader_of(unit) is not None
        besides = special(t, unit)
        found = 0
        for foe in self._foes:
            far = distance(at, foe.hex) - foe.move
            if far > foe.reach:
                continue
            if far < 1:
                far = 1
            key = (unit.kind, unit.was, unit.strength, leader, far, ground, dug_in, besides)
            taken = foe.kept.get(key)
            if taken is None:
                taken = foe.kept[key] = threat(t, foe.unit, unit, far, ground, dug_in, leader)
            found += taken
        # With its back to the edge a unit has fewer ways to fall back.
        found = found * (self.care + 6 - len(t.map.neighbours[at])) // 100
        return min(found, stake(t, unit) * 6 // 10)

    def place(self, unit: Unit, at: Hex) -> int:
        """How good it is for a unit to end in a hex, without what it does there this turn."""
        return self.pull(unit, at) - self.fear(unit, at)

    def pull(self, unit: Unit, at: Hex) -> int:
        """What a hex is worth by itself, and where it leads."""
        t = self.t
        value = 0
        for o in t.field.objectives:
            if o.hex == at:
                value += prize_of(t, o, self.side)
                if o.side == 1 - self.side and (not o.permanent or at not in t.captured):
                    value += DENY
        way_out = t.field.exit
        if way_out is not None and way_out[0] == unit.id:
            rows = abs(t.map.row(at) - way_out[1])
            return value - ROW * rows + (DECISIVE // 10 if rows == 0 else 0)
        if unit.alone:
            return value + self._leads(unit, at)
        return value + self._leads_to(unit, at)

    def _leads_to(self, unit: Unit, at: Hex) -> int:
        """What it is worth to be on the way to the best place to make for."""
        known = self._lead.get((unit.kind, at))
        if known is None:
            goals = self._goals.get(unit.kind)
            if goals is None:
                goals = self._goals[unit.kind] = self._goals_of(unit)
            distance = self.t.map.distance
            known = max([weight - step * distance(at, hex) for hex, weight, step in goals], default=0)
            self._lead[unit.kind, at] = known
        return known

    def _leads(self, unit: Unit, at: Hex) -> int:
        """A single leader belongs with a good unit that is about to fight, and never alone near the enemy."""
        t = self.t
        host = t.unit_at(at)
        if host is not None and host.id != unit.id and host.side == self.side:
            near = min([t.map.distance(at, foe.hex or at) for foe in self.foes], default=FAR)
            return 30 + len(host.row.dice) + 3 * host.strength - 2 * near
        near = min([t.map.distance(at, foe.hex or at) for foe in self.foes], default=FAR)
        return -40 if near <= 2 else -15 if near <= 3 else 0

    def _goals_of(self, unit: Unit) -> list[tuple[Hex, int, int]]:
        """Places for a unit to make for: hex, what it is worth to be there, and what each hex on the way costs."""
        t, side = self.t, self.side
        patient = sits_tight(t, side)
        found: list[tuple[Hex, int, int]] = []
        for o in t.field.objectives:
            if prize_of(t, o, side) and not (patient and t.captured.get(o.hex) == side):
                taken = t.unit_at(o.hex)
                if (taken is None or taken.side != side) and barred(t, unit, o.hex) is None:
                    weight = max(30, prize_of(t, o, side) // 2) if o.permanent else 30
                    found.append((o.hex, weight, 2 * PRESSED if sits_tight(t, 1 - side) else 5))
        if patient and t.field.exit is None:
            theirs = [o.hex for o in t.field.objectives if o.side == 1 - side and o.hex not in t.captured]
            return found + [(hex, 0, NEAR) for hex in theirs]
        step = (PRESSED if sits_tight(t, 1 - side) else STEP) + max(0, 8 - turns_left(t, side)) // 3
        for foe in self.foes:
            assert foe.hex is not None
            weight = left(t, foe, foe.strength) // 20
            hunted = t.field.prize == foe.id
            if hunted:
                weight += 40
            found.append((foe.hex, 24 - weight // 4 + weight, max(step, HUNTED) if hunted else step))
        return found


def odds_of(t: Battle, p: Profile) -> list[tuple[Ending, float]]:
    """What an attack can end in, with the chance of each."""
    return [(end, float(chance)) for end, chance in chances(t.book, p).items()]


class Kept(NamedTuple):
    """What has been worked out of attacks under the same house rules: by everything that counts, whatever the match."""

    worth: dict[tuple[Profile, str, int, int, int], int]
    pushed: dict[Profile, float]
    cleared: dict[Profile, float]
    threats: dict[tuple[str, str], dict[tuple[str, str, int, bool, int, str, bool, int], int]]
    ambushes: dict[tuple[Profile, int], tuple[float, float]]
    """What an Ambush takes from an attacker, and how likely it ends the attack."""


_KEPT: dict[tuple[tuple[str, str | int], ...], Kept] = {}
_MOST_KEPT = 50_000


def _kept(book: Book) -> Kept:
    found: Kept | None = book.scratch.get("what players keep")
    if found is None:
        found = _KEPT.setdefault(tuple(sorted(book.rules.items())), Kept({}, {}, {}, {}, {}))
        if len(found.worth) > _MOST_KEPT:
            found.worth.clear()
            found.pushed.clear()
            found.cleared.clear()
            found.ambushes.clear()
        book.scratch["what players keep"] = found
    return found


def worth_of(t: Battle, p: Profile, target: Unit) -> int:
    """What an attack takes from its target on average."""
    held = _holds(t, target)
    key = (p, target.kind, held, min(missing(t, 1 - target.side), 4), special(t, target))
    kept = _kept(t.book).worth
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
    p = Profile(
        Attacker(foe.kind, class_on_ground(t, foe)),
        Target(unit.kind, unit.strength, leader, unit.was, ground, dug_in),
        range=far,
    )
    before, found = left(t, unit, unit.strength), 0.0
    for end, chance in odds_of(t, p):
        found += chance * (before - left(t, unit, end.strength) + (BANNER if end.leader_lost else 0))
    return int(found)
