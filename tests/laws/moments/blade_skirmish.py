"""Random skirmishes, crowded and with many stunned or fleeing fighters, and checks of interrupted paths."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import dist
from typing import Any, NamedTuple

from caltrop.chance import Dice
from caltrop.engine import Decision, Event
from caltrop.geometry import INCH, gap_between, overlap, path_length
from caltrop.rules.blade_skirmish.charge import Charged
from caltrop.rules.blade_skirmish.combat import Chosen
from caltrop.rules.blade_skirmish.conditions import Became, Recovered, Removed
from caltrop.rules.blade_skirmish.fatality import Terror, TrophyStowed, TrophyTaken
from caltrop.rules.blade_skirmish.flight import Pinned, Stopped
from caltrop.rules.blade_skirmish.habits import Shot
from caltrop.rules.blade_skirmish.injury import Struck
from caltrop.rules.blade_skirmish.records import Fighter, Relic, Skirmish
from caltrop.rules.blade_skirmish.routes import Moved, Stay, Walk
from caltrop.rules.blade_skirmish.scene import Put, block, put, scene
from caltrop.rules.blade_skirmish.setup import Entered
from caltrop.rules.blade_skirmish.through import WentThrough
from caltrop.rules.blade_skirmish.turn import Game, TurnBegan
from caltrop.table.measured import body_overlaps_piece
from tests.laws.moments.seen import Seen

SHARE = 8
"""The quick tier plays one of this number of positions."""
TELLING: tuple[int, ...] = ()
"""Positions that revealed a fault."""
CELL = 3
"""Side of a square for one fighter or one piece of terrain, in inches."""
RULES: dict[str, tuple[Any, ...]] = {
    "turn_mode": ("side", "side", "alternate"),
    "flee_off_table": ("off", "off", "on"),
    "voluntary_flee_moves_now": ("on", "off"),
    "charge_may_leave_contact": ("on", "off"),
    "combat_order": ("declared", "sequential"),
    "split_move": ("after", "at_once"),
    "challenge_tie": ("hold", "clash"),
    "zone_exit": ("frozen", "outward"),
    "difficult_ground": ("off", "on"),
}
HABITS: tuple[tuple[Any, ...], ...] = ((), (), (), ("shield",), ("bow",), ("skittish",), ("frenzy",), ("swift",))
WILLING = ("walks", "runs", "closes in", "wanders", "charges")
"""Kinds of deliberate moves, which the stunned, the fleeing and takers of trophies do not make."""
FARTHEST = {"walks": 4, "runs": 4, "closes in": 4, "flees": 8, "drifts": 6, "wanders": 6, "charges": 4}
"""Largest distance of each kind of movement, in inches."""
ZONE = 2 * INCH
SLACK = INCH // 50
"""Largest effect of rounding on a path."""


def any_of(dice: Dice, values: Sequence[Any]) -> Any:
    """Return one of some values at random."""
    return values[dice.below(len(values))]


def drawn(dice: Dice) -> Skirmish:
    """Draw a skirmish at the beginning of a turn, each fighter in a square, many beside an enemy."""
    wide = 4 + dice.below(3)
    squares = [(column * CELL, row * CELL) for row in range(wide) for column in range(wide)]
    rules = {name: any_of(dice, values) for name, values in RULES.items()}
    automated = any_of(dice, ((), (1,), (1,)))
    fighters: list[Put] = []

    def square() -> tuple[int, int]:
        return squares.pop((dice.below(len(squares)) + dice.below(len(squares))) // 2)

    for _ in range(3 + dice.below(3)):
        x, y = square()
        pair = [(0, x + 1), (1, x + 2)] if dice.below(2) else [(dice.below(2), x + 1)]
        for side, at in pair:
            state = any_of(dice, ({}, {}, {"fleeing": True}, {"stunned": True}, {"trophy": 1}))
            habits = any_of(dice, HABITS) if side in automated else ()
            more = {"habits": habits} if habits else {}
            fighters.append(put(side, 1 + dice.below(5), at, y + 1 + dice.below(2), **state, **more))
    terrain = []
    for kind in any_of(dice, ((), ("wall",), ("pit", "wall"), ("rough", "wall", "pit"))):
        x, y = square()
        terrain.append(block(kind, x, y, x + 2, y + 3, kind=kind))
    goal = any_of(dice, ("clear", "relic"))
    field = {"automated": automated, "goal": goal, "limit": 6}
    size = wide * CELL
    t = scene(*fighters, rules=rules, terrain=terrain, table=(size, size), field=field, turns=(1, 1))
    if goal == "relic":
        holder = next((f for f in t.of_side(0) if f.active), t.fighters[0])
        t.relic = Relic(at=holder.at or (0, 0), carrier=holder.id if holder.active and holder.side == 0 else None)
    t.stack = [Game(at="take_turn")]
    return t


def chosen(t: Skirmish, decision: Decision, dice: Dice) -> Any:
    """Return a random answer. Staying is chosen only if nothing else is possible."""
    options = decision.options(t)
    action = options.sample(dice)
    for _ in range(3):
        if not isinstance(action, Stay):
            break
        action = options.sample(dice)
    return action


class Watch(Seen):
    """Checks a skirmish as an observer at the table would."""

    def __init__(self, t: Any) -> None:
        super().__init__(t)
        self.went: dict[int, list[str]] = {}
        """The kinds of movement of each fighter in the current turn."""
        self.seen = standings(t)
        """The state of each fighter, computed from all events so far."""
        self.noted: dict[int, Standing] = {}
        """The standing of each fighter when the attacks of the combat under way were named."""
        self.struck: list[int] = []
        """Fighters who have made their attack of this combat."""
        self.acted: set[int] = set()
        """Fighters who have charged, closed in or drifted in this turn."""

    def places(self, t: Any) -> dict[int, Mapping[int, Hashable]]:
        return {f.id: {f.id: f.at} for f in t.fighters if f.at is not None}

    def breaks_in(self, decision: Decision, action: Any, events: Sequence[Event]) -> bool:
        """Return whether a running or drifting fighter was hit."""
        return any(isinstance(event, Pinned | Stopped) for event in events)

    def looked(self, before: Any, decision: Decision, action: Any, events: Sequence[Event], after: Any) -> list[str]:
        wrong = [*stands_wrong(after), *carried_wrong(after), *self._as_told(before, events, after)]
        where = {f.id: f.at for f in before.fighters}
        for event in events:
            if isinstance(event, TurnBegan):
                self.went.clear()
            elif isinstance(event, Moved | Charged | WentThrough):
                wrong += self._way(before, where, event)
                walks = isinstance(event, Moved) and event is events[0] and event.how in ("walks", "runs")
                if isinstance(action, Walk) and walks:
                    wrong += into_zones(before, event)
                where[event.fighter] = event.path[-1]
            elif isinstance(event, Removed):
                where[event.fighter] = None
            elif isinstance(event, Entered):
                # An arrival on the table has no reported place. The fighter's next path begins at that place.
                ways = [e for e in events if isinstance(e, Moved | Charged) and e.fighter == event.fighter]
                where[event.fighter] = ways[0].path[0] if ways else after.fighters[event.fighter].at
        for id, at in where.items():
            if after.fighters[id].at != at:
                wrong.append(f"{id} stands at {after.fighters[id].at}, and was told to stand at {at}")
        return wrong

    def _as_told(self, before: Skirmish, events: Sequence[Event], after: Skirmish) -> list[str]:
        """Return illegal acts of fighters, judged by the state of each at the time of the act."""
        wrong: list[str] = []
        for event in events:
            wrong += self._acts(before, event)
            told(self.seen, event)
        now = standings(after)
        wrong += [
            f"{id} was told to be {self.seen[id]}, and is {now[id]}"
            for id in now.keys() & self.seen.keys()
            if (now[id].stunned, now[id].fleeing, now[id].trophy)
            != (self.seen[id].stunned, self.seen[id].fleeing, self.seen[id].trophy)
        ]
        self.seen = now
        return wrong

    def _acts(self, t: Skirmish, event: Event) -> list[str]:
        """Return the faults of an event, judged by the state before it."""
        if isinstance(event, TurnBegan):
            self.noted, self.struck, self.acted = {}, [], set()
        elif isinstance(event, Moved | Charged):
            how = "charges" if isinstance(event, Charged) else event.how
            return self._goes(event.fighter, how)
        elif isinstance(event, Chosen):
            if not self.noted or t.book.rules["combat_order"] == "sequential":
                self.noted = dict(self.seen)
            return self._names(t, event)
        elif isinstance(event, Struck) and not event.second and not event.again:
            if event.attacker in self.struck:
                return [f"{event.attacker} attacks twice in a combat"]
            self.struck.append(event.attacker)
            if set(event.partners) != self._flank(t, event.attacker, event.target):
                return [f"{event.attacker} flanks {event.target} with {event.partners}"]
        elif isinstance(event, Terror):
            return self._terrifies(t, event)
        elif isinstance(event, Shot):
            return self._shoots(t, event)
        return []

    def _goes(self, id: int, how: str) -> list[str]:
        f = self.seen[id]
        wrong = []
        if how in ("charges", "closes in", "drifts"):
            self.acted.add(id)
        if how in WILLING and (f.stunned or f.fleeing or f.trophy):
            wrong.append(f"{id} {how}, and is {f}")
        if how == "drifts" and not f.stunned:
            wrong.append(f"{id} drifts, and is not stunned")
        if how == "flees" and (f.stunned or not f.fleeing):
            wrong.append(f"{id} flees, and is {f}")
        return wrong

    def _names(self, t: Skirmish, event: Chosen) -> list[str]:
        a, b = self.noted[event.attacker], self.noted[event.target]
        wrong = []
        if a.stunned or a.fleeing or a.trophy or a.at is None:
            wrong.append(f"{event.attacker} attacks, and is {a}")
        if b.at is None or not touch(t, a, b):
            wrong.append(f"{event.attacker} attacks {event.target} without contact")
        if t.fighters[event.attacker].side == t.fighters[event.target].side:
            wrong.append(f"{event.attacker} attacks a friend")
        return wrong

    def _flank(self, t: Skirmish, attacker: int, target: int) -> set[int]:
        """Return the fighters who flank with her when attacks are named, computed by angles, not by the rule."""
        a, b = self.noted[attacker], self.noted[target]
        foes = [f for f in t.fighters if f.side != t.fighters[target].side and self.noted[f.id].at is not None]
        if not touch(t, a, b):
            return set()
        touching = [f for f in foes if touch(t, self.noted[f.id], b)]
        if "shield" in t.habits(target) and max(touching, key=lambda f: (f.quality, -f.id)).id == attacker:
            return set()
        return {f.id for f in touching if f.id != attacker and crosses(a.at, self.noted[f.id].at, b.at, t.field.radius)}

    def _terrifies(self, t: Skirmish, event: Terror) -> list[str]:
        """Return all fighters of the victim's side within 4 inches of her."""
        place = next((s.at for s in (self.noted.get(event.victim), self.seen[event.victim]) if s and s.at), None)
        if place is None:
            return []
        side, r = t.fighters[event.victim].side, t.field.radius
        there = {id for id, s in self.seen.items() if s.at is not None and id != event.victim}
        near = {id for id in there if gap_between((*(self.seen[id].at or (0, 0)), r), (*place, r)) <= 4 * INCH}
        mine = {id for id in near if t.fighters[id].side == side}
        return [] if set(event.fighters) == mine else [f"{event.victim} terrifies {event.fighters}; near are {mine}"]

    def _shoots(self, t: Skirmish, event: Shot) -> list[str]:
        a, b = self.seen[event.fighter], self.seen[event.target]
        if a.at is None or b.at is None or "bow" not in t.habits(event.fighter):
            return [f"{event.fighter} shoots, and has no bow"]
        if a.stunned or a.fleeing or a.trophy or a.id in self.acted:
            return [f"{event.fighter} shoots, and is {a}"]
        r = t.field.radius
        if gap_between((*a.at, r), (*b.at, r)) > 10 * INCH:
            return [f"{event.fighter} shoots too far"]
        return []

    def _way(self, before: Skirmish, where: Mapping[int, Any], event: Any) -> list[str]:
        """Return the faults of a path: its length, and the fighter's earlier acts in this turn."""
        how = event.how if isinstance(event, Moved) else "charges" if isinstance(event, Charged) else "through"
        wrong, done, id = [], self.went.setdefault(event.fighter, []), event.fighter
        swift = "swift" in (before.fighters[id].habits or ()) and how in ("walks", "runs", "wanders")
        most = (6 if swift else FARTHEST.get(how, 4)) * INCH
        if event.path[0] != where[id]:
            wrong.append(f"{id} {how} from {event.path[0]}, and stood at {where[id]}")
        if path_length(event.path) > most + SLACK:
            wrong.append(f"{id} {how} {path_length(event.path)}, and may go {most}")
        if how != "through" and how in done:
            wrong.append(f"{id} {how} twice in a turn")
        acted = {"charges", "closes in", "drifts"} & set(done)
        if how == "runs" and acted:
            wrong.append(f"{id} runs, and has acted: {done}")
        done.append(how)
        return wrong


class Standing(NamedTuple):
    """A fighter's place and tokens."""

    id: int
    at: tuple[int, int] | None
    stunned: bool
    fleeing: bool
    trophy: bool


def standings(t: Skirmish) -> dict[int, Standing]:
    """Return the place and tokens of each fighter."""
    return {f.id: Standing(f.id, f.at, f.stunned, f.fleeing, f.trophy is not None) for f in t.fighters}


def told(seen: dict[int, Standing], event: Event) -> None:
    """Update places and tokens by an event."""
    if isinstance(event, Became | Recovered):
        one, has = seen[event.fighter], isinstance(event, Became)
        seen[event.fighter] = one._replace(stunned=has) if event.what == "stunned" else one._replace(fleeing=has)
    elif isinstance(event, TrophyTaken | TrophyStowed):
        seen[event.fighter] = seen[event.fighter]._replace(trophy=isinstance(event, TrophyTaken))
    elif isinstance(event, Removed):
        seen[event.fighter] = Standing(event.fighter, None, False, False, False)
    elif isinstance(event, Moved | Charged | WentThrough):
        seen[event.fighter] = seen[event.fighter]._replace(at=event.path[-1])


def touch(t: Skirmish, a: Standing, b: Standing) -> bool:
    """Return whether two bases touch: rounding leaves at most a fifth of a millimetre between them."""
    return a.at is not None and b.at is not None and dist(a.at, b.at) <= 2 * t.field.radius + 2


def crosses(a: Any, c: Any, b: Any, radius: int) -> bool:
    """Return whether a line between two centres passes through a base."""
    (ax, ay), (cx, cy) = (a[0] - b[0], a[1] - b[1]), (c[0] - b[0], c[1] - b[1])
    length = dist(a, c)
    away = abs(ax * cy - ay * cx) / length if length else float("inf")
    beyond = ax * (cx - ax) + ay * (cy - ay) < 0 < cx * (cx - ax) + cy * (cy - ay)
    return beyond and away < radius


def carried_wrong(t: Skirmish) -> list[str]:
    """Return a fault if the carrier of the relic is not fit, or not on the table."""
    carrier = None if t.relic is None else t.relic.carrier
    return [] if carrier is None or t.fighters[carrier].active else [f"{carrier} carries the relic, and is not fit"]


def stands_wrong(t: Skirmish) -> list[str]:
    """Return fighters who overlap others, are in impassable ground or off the table, or are out of play but still on
    it.
    """
    there: list[Fighter] = [f for f in t.fighters if f.at is not None]
    wrong = [
        f"{f.id} stands on {g.id}"
        for n, f in enumerate(there)
        for g in there[n + 1 :]
        if overlap(t.disc(f.id), t.disc(g.id))
    ]
    closed = {piece.id for piece in t.field.table.terrain if piece.kind.impassable}
    r = t.field.radius
    for f in there:
        x, y, _ = t.disc(f.id)
        wrong += [
            f"{f.id} stands in {piece.id}"
            for piece in t.ground.pieces
            if piece.id in closed and body_overlaps_piece(t.disc(f.id), piece)
        ]
        if not (r <= x <= t.field.table.width - r and r <= y <= t.field.table.height - r):
            wrong.append(f"{f.id} is over the edge")
        if f.fate != "ready":
            wrong.append(f"{f.id} is {f.fate} and stands there")
    return wrong


def into_zones(before: Skirmish, event: Any) -> list[str]:
    """Return the fit enemies that a fighter has approached within 2 inches on her own path."""
    wrong, r = [], before.field.radius
    for enemy in before.enemies_of(event.fighter):
        there = before.disc(enemy.id)
        gaps = [gap_between((x, y, r), there) for x, y in (event.path[0], event.path[-1])]
        if enemy.active and gaps[1] < min(ZONE, gaps[0]):
            wrong.append(f"{event.fighter} {event.how} to {gaps[1]} from {enemy.id}")
    return wrong
