"""Automatic hits: enemies strike a fighter who runs into them or cannot get away, without a challenge."""

from __future__ import annotations

from caltrop.engine import End, Go, Procedure, Run, back, rule, step
from caltrop.geometry import Disc, Point, touching
from caltrop.rules.blade_skirmish.aftermath import Aftermath
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.injury import InjuryRoll
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.straight import StraightCourse


class AutomaticHits(Procedure):
    """Every attacker inflicts an injury roll on a fighter, one after another."""

    victim: int
    attackers: tuple[int, ...]
    pinned: bool = False
    """True if they hit her because she cannot begin her flight: then all of them roll, and all rolls count together."""
    arrow: bool = False
    """True if she is shot (BS-S61)."""

    @step("BS-Q44")
    def look_for_the_next(self, t: Skirmish) -> End | None:
        """One by one; a victim off the table takes no more."""
        return End() if not self.attackers or t.fighters[self.victim].at is None else None

    @step("BS-MOV-08", "BS-MOV-09", "BS-AMV-08", "BS-AMV-09", "BS-RUN-02", "BS-ARN-02", "BS-Q22")
    def hit(self, t: Skirmish) -> Run:
        attacker, *rest = self.attackers
        self.attackers = tuple(rest)
        return Run(InjuryRoll(victim=self.victim, by=attacker, arrow=self.arrow))

    @step("BS-Q44")
    def apply(self, t: Skirmish) -> Go | Run:
        """It counts at once, but for those of one who cannot flee: they are all rolled first."""
        if self.pinned and self.attackers:
            return Go("hit")
        return Run(Aftermath())

    go_on = back("look_for_the_next", "BS-Q44")


def met(t: Skirmish, id: int, course: StraightCourse, direction: Point) -> tuple[int, ...]:
    """Return the enemies a fighter has run into on a straight move: who has stopped her, and those she touches who are
    in the way of going on, in order.

    An enemy she touches beside or behind her she has not run into: she slides off (BS-Q21).
    """
    at, r = course.end, t.field.radius
    return tuple(
        [
            f.id
            for f in t.enemies_of(id)
            if f.id == course.fighter
            or (touching((*at, r), t.disc(f.id)) and leads_into(at, direction, r, t.disc(f.id)))
        ]
    )


def leads_into(at: Point, direction: Point, radius: int, base: Disc) -> bool:
    """Return whether a base overlaps another sooner or later if it goes on in a direction.

    >>> leads_into((0, 0), (1, 16), 127, (254, 0, 127)), leads_into((0, 0), (0, 1), 127, (254, 0, 127))
    (True, False)
    """
    (dx, dy), px, py = direction, base[0] - at[0], base[1] - at[1]
    reach, across = radius + base[2], dx * py - dy * px
    return dx * px + dy * py > 0 and across * across < reach * reach * (dx * dx + dy * dy)


@rule("BS-MOV-08", "BS-MOV-09", "BS-AMV-08", "BS-AMV-09", "BS-Q19", "BS-Q24", stages=("house",))
def hits_the_fleeing(t: Skirmish, enemy: int) -> bool:
    """Any enemy hits a fighter who runs into her in flight or cannot flee from her, but one who takes a trophy."""
    return not idle(t, enemy)


@hits_the_fleeing.amended_by("BS-Q19", stage="house", house={"helpless_enemies_hit_fleers": "off"})
def the_helpless_hit_nobody(value: bool, t: Skirmish, enemy: int) -> bool:
    """House rule: who is stunned or fleeing herself does not hit."""
    return value and t.fighters[enemy].active


@rule("BS-RUN-02", "BS-ARN-02", "BS-Q21", "BS-Q24")
def hits_the_drifting(t: Skirmish, enemy: int) -> bool:
    """An enemy hits a fighter who drifts into her, unless she is stunned or fleeing, or takes a trophy."""
    return t.fighters[enemy].active and not idle(t, enemy)
