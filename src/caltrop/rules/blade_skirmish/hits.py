"""Automatic hits, without a challenge: by enemies on a fighter who runs into them or cannot get away."""

from __future__ import annotations

from caltrop.engine import End, Go, Procedure, Run, back, rule, step
from caltrop.geometry import Disc, Point, touching
from caltrop.rules.blade_skirmish.aftermath import Aftermath
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.injury import InjuryRoll
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.straight import StraightCourse


class AutomaticHits(Procedure):
    """A fighter rolls on the injury table once for each attacker."""

    victim: int
    attackers: tuple[int, ...]
    pinned: bool = False
    """True if the fighter cannot flee. The rolls for all attackers of such a fighter are made first, and applied
    together.
    """
    arrow: bool = False
    """True if the fighter was hit by an arrow (BS-S61)."""

    @step("BS-Q44")
    def look_for_the_next(self, t: Skirmish) -> End | None:
        """The attackers hit one after another, until their victim is off the table."""
        return End() if not self.attackers or t.fighters[self.victim].at is None else None

    @step("BS-MOV-08", "BS-MOV-09", "BS-AMV-08", "BS-AMV-09", "BS-RUN-02", "BS-ARN-02", "BS-Q22")
    def hit(self, t: Skirmish) -> Run:
        attacker, *rest = self.attackers
        self.attackers = tuple(rest)
        return Run(InjuryRoll(victim=self.victim, by=attacker, arrow=self.arrow))

    @step("BS-Q44")
    def apply(self, t: Skirmish) -> Go | Run:
        """A result is applied at once. If the victim cannot flee, all results are applied together at the end."""
        if self.pinned and self.attackers:
            return Go("hit")
        return Run(Aftermath())

    go_on = back("look_for_the_next", "BS-Q44")


def met(t: Skirmish, id: int, course: StraightCourse, direction: Point) -> tuple[int, ...]:
    """Return the enemies that a fighter has run into on a straight move, in order of their ids.

    These enemies are the one who stopped the fighter, and enemies in contact that she would overlap if she went on.
    Enemies beside or behind her do not count, because she slides past (BS-Q21).
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
    """Return whether a base that moves on in a direction would overlap another.

    >>> leads_into((0, 0), (1, 16), 127, (254, 0, 127)), leads_into((0, 0), (0, 1), 127, (254, 0, 127))
    (True, False)
    """
    (dx, dy), px, py = direction, base[0] - at[0], base[1] - at[1]
    reach, across = radius + base[2], dx * py - dy * px
    return dx * px + dy * py > 0 and across * across < reach * reach * (dx * dx + dy * dy)


@rule("BS-MOV-08", "BS-MOV-09", "BS-AMV-08", "BS-AMV-09", "BS-Q19", "BS-Q24", stages=("house",))
def hits_the_fleeing(t: Skirmish, enemy: int) -> bool:
    """An enemy hits a fighter who flees into her or cannot flee from her, unless the enemy takes a trophy."""
    return not idle(t, enemy)


@hits_the_fleeing.amended_by("BS-Q19", stage="house", house={"helpless_enemies_hit_fleers": "off"})
def the_helpless_hit_nobody(value: bool, t: Skirmish, enemy: int) -> bool:
    """House rule: a stunned or fleeing enemy does not hit."""
    return value and t.fighters[enemy].active


@rule("BS-RUN-02", "BS-ARN-02", "BS-Q21", "BS-Q24")
def hits_the_drifting(t: Skirmish, enemy: int) -> bool:
    """An enemy hits a fighter who drifts into her, unless the enemy is stunned, fleeing or taking a trophy."""
    return t.fighters[enemy].active and not idle(t, enemy)
