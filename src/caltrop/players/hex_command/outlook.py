"""Evaluate hexes: attacks from a hex, attacks by the enemy on units in it, and the distance to goals.

An outlook is made for one state as one side sees it. All numbers are integer points, as in `worth`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import msgspec

from caltrop.engine import Book
from caltrop.players.hex_command.weights import VETERAN, Weights
from caltrop.players.hex_command.worth import (
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
from caltrop.players.judgement import SOUND, Judgement
from caltrop.rules.hex_command.attack import Attacker, Ending, Profile, Target, TargetSearch, is_weakened, profile_of
from caltrop.rules.hex_command.cards import chance_held
from caltrop.rules.hex_command.odds import chances
from caltrop.rules.hex_command.places import barred, class_on_ground
from caltrop.rules.hex_command.records import Battle, Unit
from caltrop.rules.hex_command.retreat import ways_back
from caltrop.table.hexes import Hex

FAR = 99
GRAIN = 20
"""Difference between a good place and an average place, in points."""
PRESSED = 3
"""Difference between a good place and an average place, in points, if a limit forces a side forward. The number is
small, so that errors do not make the side too late.
"""


Threatened = tuple[str, str, int, bool, int, str, bool, int, int]
"""The properties of a unit that affect its loss to an enemy; a key of a cache."""


class Foe(NamedTuple):
    """The properties of an enemy that matter for its next turn."""

    unit: Unit
    hex: Hex
    move: int
    """Largest move after which the enemy may battle, in hexes."""
    reach: int
    """Largest range of the enemy's dice."""
    threats: dict[Threatened, int]
    """Cache of the enemy's expected damage to other units."""
    among: int
    """Number of units of this side that the enemy could damage in their present places; at least one."""


class SideOutlook:
    """A side's evaluation of a battle. Results are cached, so repeated questions are computed once.

    Args:
        wary: True to consider cards that the enemy may hold.
    """

    def __init__(
        self, t: Battle, side: int, *, wary: bool = True, judgement: Judgement = SOUND, weights: Weights = VETERAN
    ) -> None:
        self.t, self.side, self.judgement, self.weights = t, side, judgement, weights
        self.turn = t.turns[side]
        # If the scenario's limit decides the winner, neither side can wait.
        wary = wary and t.field.limit.winner is None
        self._ambush = chance_held(t, 1 - side, "ambush") if wary else 0.0
        self._surge = chance_held(t, 1 - side, "shield-surge") if wary else 0.0
        self.mine = [u for u in t.units if u.side == side and u.hex is not None]
        self.foes = [u for u in t.units if u.side != side and u.hex is not None and t.host_of(u) is None]
        self._goals: dict[str, list[tuple[Hex, int, int]]] = {}
        pressed = sits_tight(t, 1 - side)
        self.grain = PRESSED if pressed else GRAIN
        self.care = (weights.daring if pressed else weights.care) * judgement.style.danger // 100
        # If the enemy needs few banners, each banner is worth more to the enemy.
        self._precious = (urgency(t, 1 - side, weights) - 100) * weights.precious // 100
        self.objectives = [o for o in t.field.objectives if not judgement.forgets("objective", self.turn, o.hex)]
        self._fear: dict[tuple[int, Hex], int] = {}
        self._places: dict[tuple[int, Hex], int] = {}
        self._attacks: dict[tuple[int, Hex], tuple[int, Unit | None]] = {}
        self._kept = _kept(t.book, weights)
        self._foes = [self._foe(u) for u in self.foes]
        self._menaced: dict[tuple[str, int, int], int] = {}
        self._reach: dict[int, int] = {}
        self._lead: dict[tuple[str, Hex], int] = {}

    def _foe(self, foe: Unit) -> Foe:
        t, row = self.t, foe.row
        at, move, reach = foe.hex or "", row.battle_move, len(row.dice)
        threats = self._kept.threats.setdefault((foe.kind, class_on_ground(t, foe)), {})
        among = 1
        if self.weights.shared:
            distance = t.map.distance
            among = max(1, sum([distance(at, u.hex or at) <= move + reach for u in self.mine]))
        return Foe(foe, at, move, reach, threats, among)

    def worth_of(self, p: Profile, target: Unit) -> int:
        """Return the average loss of an attack's target."""
        t, w = self.t, self.weights
        held = _holds(t, target, w)
        key = (p, target.kind, held, min(missing(t, 1 - target.side), 4), special(t, target, w))
        worths = self._kept.worth
        worth = worths.get(key)
        if worth is None:
            worth = worths[key] = _worth_of(t, p, target, held, w)
        return worth

    # --- harm --------------------------------------------------------------------------------------------------------

    def harm(self, unit: Unit, target: Unit, at: Hex | None = None) -> int:
        """Return the average worth of an attack to the attacker: losses by exact odds, and the worth of driving the
        target back.

        An Ambush or a Shield Surge that the enemy may hold counts by its probability.
        """
        t = self.t
        p = profile_of(t, unit, target, at)
        worth: float = self.worth_of(p, target)
        if self._surge and target.row.unit_class == "god-machine":
            surged = self.worth_of(msgspec.structs.replace(p, surged=True), target)
            worth -= self._surge * (worth - surged)
        way_out = t.field.exit
        if way_out is not None and way_out[0] == target.id:
            worth += self._driven_back(p, target, at or unit.hex, way_out[1])
        elif way_out is not None and way_out[0] == unit.id:
            worth += self._made_way(p, target, at or unit.hex or "", way_out[1])
        if self._ambush and p.range == 1:
            worth -= self._ambush * self._ambushed(unit, target, p, worth) * self.weights.ambushed / 100
        return self.judgement.odds(int(worth), unit.id, self.turn, target.id)

    def leaves(self, unit: Unit, target: Unit) -> list[tuple[int, float]]:
        chances: dict[int, float] = {}
        for end, chance in odds_of(self.t, profile_of(self.t, unit, target)):
            strength = 0 if end.retreat else end.strength
            chances[strength] = chances.get(strength, 0.0) + chance
        return list(chances.items())

    def harm_at(self, unit: Unit, target: Unit, strength: int) -> int:
        """Return the worth of an attack on a target of a certain strength."""
        p = profile_of(self.t, unit, target)
        lesser = msgspec.structs.replace(p, target=msgspec.structs.replace(p.target, strength=strength))
        weakened = msgspec.structs.replace(target, strength=strength)
        return self.worth_of(lesser, weakened)

    def _ambushed(self, unit: Unit, target: Unit, p: Profile, harm: float) -> float:
        """Return the expected cost of an Ambush to an attacker: its losses, and a failed attack."""
        t, w = self.t, self.weights
        assert p.attacker is not None
        back = Profile(
            Attacker(
                target.kind,
                class_on_ground(t, target),
                p.target.leader,
                is_weakened(target),
                p.target.ground,
                target.pack,
            ),
            Target(unit.kind, unit.strength, p.attacker.leader, unit.was, p.attacker.ground, pack=unit.pack),
            range=1,
        )
        ambushes = self._kept.ambushes
        key = (back, special(t, unit, w))
        ambush = ambushes.get(key)
        if ambush is None:
            before, lost, stopped = left(t, unit, unit.strength, w), 0.0, 0.0
            for end, chance in odds_of(t, back):
                lost += chance * (before - left(t, unit, end.strength, w) + (w.leader if end.leader_lost else 0))
                stopped += chance * (not end.strength or end.retreat > 0)
            ambush = ambushes[key] = (lost, stopped)
        return ambush[0] + ambush[1] * max(0, harm)

    def _made_way(self, p: Profile, target: Unit, at: Hex, goal: int) -> int:
        """Return the worth of the target's hex, a row nearer, to a unit that has to walk to a row."""
        row = self.t.map.row
        if p.range != 1 or abs(row(target.hex or at) - goal) >= abs(row(at) - goal):
            return 0
        mean = self._kept.cleared.get(p)
        if mean is None:
            ends = odds_of(self.t, p)
            mean = self._kept.cleared[p] = sum([chance for end, chance in ends if not end.strength or end.retreat])
        return int(self.weights.row * mean)

    def _driven_back(self, p: Profile, target: Unit, source: Hex | None, goal: int) -> int:
        """Return the worth of driving back a unit that has to walk to a row; it takes the cheapest retreat."""
        t = self.t
        assert target.hex is not None
        row = t.map.row
        rows = [abs(row(hex) - goal) for hex in ways_back(t, target, source)]
        lost = min(rows, default=0) - abs(row(target.hex) - goal)
        if lost <= 0:
            return 0
        mean = self._kept.pushed.get(p)
        if mean is None:
            ends = odds_of(t, p)
            hold = self.weights.hold
            mean = sum([(end.retreat + hold * end.leader_lost) * chance for end, chance in ends])
            self._kept.pushed[p] = mean
        return int(self.weights.row * lost * mean)

    def targets(self, unit: Unit, at: Hex) -> list[Unit]:
        distance = self.t.map.distance
        reach = self._reach.get(unit.id)
        if reach is None:
            reach = self._reach[unit.id] = TargetSearch(self.t, unit, at).reach
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
        aim = TargetSearch(self.t, unit, at)
        return [foe for foe in close or far if aim.dice(foe) and aim.sees(foe)]

    def best_attack(self, unit: Unit, at: Hex) -> tuple[int, Unit | None]:
        attack = self._attacks.get((unit.id, at))
        if attack is None:
            best, victim = 0, None
            for foe in self.targets(unit, at):
                value = self.harm(unit, foe, at)
                if value > best:
                    best, victim = value, foe
            attack = self._attacks[unit.id, at] = (best, victim)
        return attack

    # --- places ------------------------------------------------------------------------------------------------------

    def fear(self, unit: Unit, at: Hex) -> int:
        """Return the expected loss of a unit in a hex in the enemy's next turn."""
        key = (unit.id, at)
        fear = self._fear.get(key)
        if fear is None:
            fear = self._fear[key] = self._feared(unit, at)
        return fear

    def _feared(self, unit: Unit, at: Hex) -> int:
        t, w = self.t, self.weights
        distance = t.map.distance
        ground = t.field.terrain.get(at, "open")
        dug_in = unit.hex == at and at in t.entrenchments
        leader = t.leader_of(unit) is not None
        besides, precious, shared = special(t, unit, w), self._precious, w.shared
        fear = 0
        for foe in self._foes:
            far = distance(at, foe.hex) - foe.move
            if far > foe.reach:
                continue
            if far < 1:
                far = 1
            key = (unit.kind, unit.was, unit.strength, leader, far, ground, dug_in, besides, precious)
            taken = foe.threats.get(key)
            if taken is None:
                taken = foe.threats[key] = threat(t, foe.unit, unit, far, ground, dug_in, leader, w, precious)
            fear += taken if not shared else taken - taken * shared * (foe.among - 1) // (100 * foe.among)
        # At the edge of the map a unit has fewer directions for a retreat.
        fear = fear * (self.care + w.edge * (6 - len(t.map.neighbours[at]))) // 100
        return min(fear, stake(t, unit, w) * w.most_feared // 100)

    def place(self, unit: Unit, at: Hex) -> int:
        """Return the value of a hex for a unit at the end of its turn, without the unit's attack this turn."""
        value = self._places.get((unit.id, at))
        if value is None:
            slip = self.judgement.slip(self.grain, unit.id, self.turn, at)
            value = self._places[unit.id, at] = self.pull(unit, at) - self.fear(unit, at) + slip
        return value

    def pull(self, unit: Unit, at: Hex) -> int:
        """Return the worth of a hex itself, and of the places to which it leads."""
        t, w = self.t, self.weights
        value = 0
        for o in self.objectives:
            if o.hex == at:
                value += prize_of(t, o, self.side, w) * self.judgement.style.goals // 100
                if o.side == 1 - self.side and (not o.permanent or at not in t.captured):
                    value += w.deny
        way_out = t.field.exit
        if way_out is not None and way_out[0] == unit.id:
            rows = abs(t.map.row(at) - way_out[1])
            return value - w.row * rows + (DECISIVE // 10 if rows == 0 else 0)
        if unit.alone:
            return value + self._leads(unit, at)
        if w.menace:
            value += self._menace(unit, at) * w.menace // 100
        if w.company:
            around = [t.unit_at(hex) for hex in t.map.neighbours[at]]
            friends = sum([u is not None and u.side == self.side and u.id != unit.id for u in around])
            value += w.company * min(2, friends)
        return value + self._leads_to(unit, at)

    def _menace(self, unit: Unit, at: Hex) -> int:
        """Return the greatest gain of a unit's attacks from a hex in its next turn, at enemies where they are now."""
        t, distance, row = self.t, self.t.map.distance, unit.row
        most = 0
        for foe in self._foes:
            far = max(1, distance(at, foe.hex) - row.battle_move)
            if far > len(row.dice):
                continue
            key = (unit.kind, foe.unit.id, far)
            taken = self._menaced.get(key)
            if taken is None:
                ground, leader = t.field.terrain.get(foe.hex, "open"), t.leader_of(foe.unit) is not None
                taken = threat(t, unit, foe.unit, far, ground, foe.hex in t.entrenchments, leader, self.weights, 0)
                self._menaced[key] = taken
            most = max(most, taken)
        return most

    def _leads_to(self, unit: Unit, at: Hex) -> int:
        pull = self._lead.get((unit.kind, at))
        if pull is None:
            goals = self._goals.get(unit.kind)
            if goals is None:
                goals = self._goals[unit.kind] = self._goals_of(unit)
            distance = self.t.map.distance
            pull = max([weight - step * distance(at, hex) for hex, weight, step in goals], default=0)
            self._lead[unit.kind, at] = pull
        return pull

    def _leads(self, unit: Unit, at: Hex) -> int:
        """Return the cost of a leader's place. A leader should be with a good unit that is about to battle, and never
        alone near the enemy.
        """
        t, w = self.t, self.weights
        host = t.unit_at(at)
        if host is not None and host.id != unit.id and host.side == self.side:
            near = min([t.map.distance(at, foe.hex or at) for foe in self.foes], default=FAR)
            return w.host + len(host.row.dice) + w.host_strength * host.strength - w.host_far * near
        near = min([t.map.distance(at, foe.hex or at) for foe in self.foes], default=FAR)
        return -w.alone_near if near <= 2 else -w.alone if near <= 3 else 0

    def _goals_of(self, unit: Unit) -> list[tuple[Hex, int, int]]:
        t, side, w = self.t, self.side, self.weights
        patient = sits_tight(t, side)
        targets: list[tuple[Hex, int, int]] = []
        goals = self.judgement.style.goals
        for o in self.objectives:
            if prize_of(t, o, side, w) and not (patient and t.captured.get(o.hex) == side):
                taken = t.unit_at(o.hex)
                if (taken is None or taken.side != side) and barred(t, unit, o.hex) is None:
                    weight = max(w.objective, prize_of(t, o, side, w) // 2) if o.permanent else w.objective
                    step = (2 * w.pressed if sits_tight(t, 1 - side) else w.way) * goals // 100
                    targets.append((o.hex, weight * goals // 100, step))
        if patient and t.field.exit is None:
            theirs = [o.hex for o in self.objectives if o.side == 1 - side and o.hex not in t.captured]
            return targets + [(hex, 0, w.near) for hex in theirs]
        step = (w.pressed if sits_tight(t, 1 - side) else w.step) + max(0, w.hurry - turns_left(t, side)) // 3
        for foe in self.foes:
            assert foe.hex is not None
            weight = left(t, foe, foe.strength, w) // w.prey
            hunted = t.field.prize == foe.id
            if hunted:
                weight += w.quarry
            targets.append((foe.hex, w.foe - weight // 4 + weight, max(step, w.hunted) if hunted else step))
        return targets


K = TypeVar("K")
V = TypeVar("V")

_ENDS: dict[tuple[tuple[str, str | int], ...], dict[Profile, list[tuple[Ending, float]]]] = {}
"""Results of attacks with the same house rules, for all matches and weights."""


def odds_of(t: Battle, p: Profile) -> list[tuple[Ending, float]]:
    endings: dict[Profile, list[tuple[Ending, float]]] | None = t.book.scratch.get("what attacks end in")
    if endings is None:
        endings = t.book.scratch["what attacks end in"] = _shared(_ENDS, tuple(sorted(t.book.rules.items())), {})
        if len(endings) > _MOST_KEPT:
            endings.clear()
    distribution = endings.get(p)
    if distribution is None:
        distribution = endings[p] = [(end, float(chance)) for end, chance in chances(t.book, p).items()]
    return distribution


class AttackCache(NamedTuple):
    """A cache of attacks under the same house rules and weights, for all matches."""

    worth: dict[tuple[Profile, str, int, int, int], int]
    pushed: dict[Profile, float]
    cleared: dict[Profile, float]
    threats: dict[tuple[str, str], dict[Threatened, int]]
    ambushes: dict[tuple[Profile, int], tuple[float, float]]
    """Expected loss of an attacker by an Ambush, and the probability that the attack fails by it."""


_KEPT: dict[tuple[Weights, tuple[tuple[str, str | int], ...]], AttackCache] = {}
_MOST_KEPT = 50_000
BOOKS = 24
"""Largest number of sets of house rules and weights with a cache."""


def _shared(shared: dict[K, V], key: K, new: V) -> V:
    """Return a cached value, or store the new value and return it. If the cache is full, the oldest entry is removed:
    with random house rules every game has other entries.
    """
    if key not in shared and len(shared) >= BOOKS:
        shared.pop(next(iter(shared)), None)
    return shared.setdefault(key, new)


def _kept(book: Book, weights: Weights) -> AttackCache:
    by_weights: dict[Weights, AttackCache] = book.scratch.setdefault("what weights make of attacks", {})
    cache = by_weights.get(weights)
    if cache is None:
        cache = _shared(_KEPT, (weights, tuple(sorted(book.rules.items()))), AttackCache({}, {}, {}, {}, {}))
        if len(cache.worth) > _MOST_KEPT:
            cache.worth.clear()
            cache.pushed.clear()
            cache.cleared.clear()
            cache.ambushes.clear()
        by_weights[weights] = cache
    return cache


def _holds(t: Battle, target: Unit, w: Weights) -> int:
    for o in t.field.objectives:
        if o.hex == target.hex and not (o.permanent and t.captured.get(o.hex) is not None):
            return w.oust if t.captured.get(o.hex) == target.side else w.unseat
    return 0


def _worth_of(t: Battle, p: Profile, target: Unit, held: int, w: Weights) -> int:
    lefts = [left(t, target, strength, w) for strength in range(target.strength + 1)]
    before = lefts[-1]
    enough = target.row.banners >= missing(t, 1 - target.side)
    bonus = before * (urgency(t, 1 - target.side, w) - 100) // 100
    total = 0.0
    for end, chance in odds_of(t, p):
        value: float = before - lefts[end.strength]
        if end.strength == 0:
            value += held + bonus + (w.finish if enough else 0)
        elif end.retreat:
            value += held + w.retreat * min(end.retreat, 2)
        if end.leader_lost:
            value += w.leader
        total += chance * value
    return int(total)


def threat(
    t: Battle, foe: Unit, unit: Unit, far: int, ground: str, dug_in: bool, leader: bool, w: Weights, precious: int
) -> int:
    """Return the average loss of a unit on some ground to an enemy that comes within a distance.

    Args:
        precious: Extra worth of its banners, in per cent.
    """
    p = Profile(
        Attacker(foe.kind, class_on_ground(t, foe), pack=foe.pack),
        Target(unit.kind, unit.strength, leader, unit.was, ground, dug_in, pack=unit.pack),
        range=far,
    )
    lefts = [left(t, unit, strength, w) for strength in range(unit.strength + 1)]
    before, total = lefts[-1], 0.0
    more = unit.row.banners * BANNER * precious // 100
    for end, chance in odds_of(t, p):
        total += chance * (before - lefts[end.strength] + (w.leader if end.leader_lost else 0))
        if more and not end.strength:
            total += chance * more
    return int(total)
