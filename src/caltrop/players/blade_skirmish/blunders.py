"""Count obvious mistakes in games of Blade Skirmish.

A `BlunderWatch` is shown every act with the state before and after it. The code defines the mistakes; in words:

- *fled into a friend*: a comrade stops a fleeing fighter, within the 8 inches that were chosen, or within 4 inches if
  the distance is rolled. A flight counts if the fighter did not have to flee, or had another direction.
- *went alone*: a turn ends with a fighter who has left her comrades during it. At the beginning of the turn, a comrade
  was within the reach of one turn; now no comrade is, but at least two enemies are. A fighter does not count if she
  carries something, leaves the table, or stands where her side wins.
- *objective left*: when a side's turn began, one of its models was at the place to be held. When the turn ends, no
  model is there, although one of the side's models is able to act. A carrier who is able to act and ends the turn
  farther from home counts too.
- *turn wasted*: all models of a side who are able to act stay where they are throughout its turn. No model of the side
  touches an enemy, and none stands where the side wins.
"""

from __future__ import annotations

from typing import Any

from caltrop.engine import Decision
from caltrop.geometry import INCH, Point
from caltrop.players.blade_skirmish.worth import to_edge
from caltrop.rules.blade_skirmish.catalogue import CHARGE, FLIGHT, STEP
from caltrop.rules.blade_skirmish.flight import FleeFrom, HowToFlee, running
from caltrop.rules.blade_skirmish.movement import Flee, Move
from caltrop.rules.blade_skirmish.places import touched_enemies, within
from caltrop.rules.blade_skirmish.records import Fighter, Skirmish
from caltrop.rules.blade_skirmish.victory import HOLD, home_of, near, seeks

KINDS = ("fled into a friend", "went alone", "objective left", "turn wasted")
TURN = STEP + CHARGE
"""Distance that a fighter can go in a turn that ends in contact."""
LIKELY = 4 * INCH
"""Distance that half of the rolls for a flight reach."""
MANY = 2
"""Number of enemies that endanger a fighter on her own."""


class BlunderWatch:
    """Counts blunders of each side through one game."""

    def __init__(self) -> None:
        self.counts: tuple[dict[str, int], dict[str, int]] = (dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0))
        self.turn: tuple[int, int] = (0, 0)
        """The side whose turn is watched, and the number of the turn."""
        self.stood: dict[int, Point | None] = {}
        """Place of each fighter who was able to act when the turn began."""
        self.fights = False
        """True if one of these fighters touched an enemy."""
        self.fled: set[int] = set()
        """Fighters who have chosen to flee but have not run yet."""
        self.among: list[int] = []
        """Fighters who had comrades nearby when the turn began."""
        self.held: list[int] = []
        """Fighters who were at the place to be held when the turn began."""
        self.far: int | None = None
        """Distance to the carrier's destination when the turn began."""

    def see(self, decision: Decision, before: Skirmish, action: Any, after: Skirmish) -> None:
        turn = _turn(before)
        if turn != self.turn:
            self._begin(before, turn)
        if isinstance(decision, Move) and isinstance(action, Flee):
            self.fled.add(decision.fighter)
        if isinstance(decision, HowToFlee):
            chosen = decision.fighter in self.fled
            others = [other for other in decision.options(before) if other != action]
            free = chosen or any(not _stopped(before, decision.fighter, other) for other in others)
            self.counts[decision.side]["fled into a friend"] += free and _stopped(before, decision.fighter, action)
            self.fled.discard(decision.fighter)
        if turn[1] and (after.over is not None or _turn(after) != turn):
            self._end(after)

    def _begin(self, t: Skirmish, turn: tuple[int, int]) -> None:
        self.turn, side = turn, turn[0]
        able = [f for f in t.of_side(side) if f.active]
        self.stood = {f.id: f.at for f in able}
        self.fights = any(touched_enemies(t, f.id) for f in able)
        self.among = [f.id for f in t.of_side(side) if _company(t, f)]
        self.held = [f.id for f in _holding(t, side)]
        self.far = _way_home(t, side)

    def _end(self, t: Skirmish) -> None:
        side, counts = self.turn[0], self.counts[self.turn[0]]
        if t.over is None:
            holding = _holding(t, side)
            able = [f for f in t.of_side(side) if f.active]
            targets = {f.id for f in holding} | {t.relic.carrier if t.relic is not None else None}
            alone = [f for f in able if f.id in self.among and f.id not in targets and t.field.goal != "leave"]
            counts["went alone"] += sum([not _company(t, f) and _in_danger(t, f) for f in alone])
            far = _way_home(t, side)
            counts["objective left"] += bool(self.held and not holding and {f.id for f in able} & {*self.held})
            counts["objective left"] += self.far is not None and far is not None and far > self.far
            still = all(t.fighters[id].at == at for id, at in self.stood.items())
            counts["turn wasted"] += bool(self.stood and still and not self.fights and not holding)
        self.turn = (side, 0)


def _turn(t: Skirmish) -> tuple[int, int]:
    return t.active, t.turns[t.active]


def _company(t: Skirmish, f: Fighter) -> bool:
    return any(within(t, f.id, o.id, TURN) for o in t.of_side(f.side) if o.id != f.id)


def _in_danger(t: Skirmish, f: Fighter) -> bool:
    return sum([o.active and within(t, f.id, o.id, TURN) for o in t.enemies_of(f.id)]) >= MANY


def _holding(t: Skirmish, side: int) -> list[Fighter]:
    place = t.field.place
    if t.field.goal not in ("hold", "stones") or place is None or not seeks(t, side):
        return []
    return [f for f in t.of_side(side) if f.active and near(t.disc(f.id), place, HOLD)]


def _way_home(t: Skirmish, side: int) -> int | None:
    """Return the distance home for a side's carrier, if she is able to act and touches no enemy."""
    if t.relic is None or t.relic.carrier is None:
        return None
    f = t.fighters[t.relic.carrier]
    if f.side != side or f.at is None or not f.active or touched_enemies(t, f.id):
        return None
    return to_edge(t, f.at, home_of(t, side))


def _stopped(t: Skirmish, fighter: int, way: FleeFrom) -> bool:
    course = running(t, fighter, way.enemy, FLIGHT if way.far else LIKELY).course
    return course.fighter is not None and t.fighters[course.fighter].side == t.fighters[fighter].side
