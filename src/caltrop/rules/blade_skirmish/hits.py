"""Automatic hits: enemies strike a fighter who runs into them or cannot get away, without a challenge."""

from __future__ import annotations

from caltrop.engine import End, Go, Procedure, Run, back, rule, step
from caltrop.geometry import CONTACT, Point, point_along, sweep_overlaps_disc
from caltrop.rules.blade_skirmish.aftermath import Aftermath
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.injury import InjuryRoll
from caltrop.rules.blade_skirmish.records import Skirmish


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


def met(t: Skirmish, id: int, at: Point, direction: Point) -> tuple[int, ...]:
    """Return the enemies a fighter has run into at a place: those in the way of her next step, in order.

    An enemy she touches beside or behind her she has not run into: she slides off (BS-Q21).
    """
    r = t.field.radius
    on = point_along(at, direction, CONTACT + 1)
    return tuple([f.id for f in t.enemies_of(id) if sweep_overlaps_disc(at, on, r, t.disc(f.id))])


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
