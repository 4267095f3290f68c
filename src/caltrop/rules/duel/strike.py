"""Striking: one die, the parry that may answer it, and the second wind of a duellist with one wound left."""

from __future__ import annotations

from typing import ClassVar

from caltrop.asking import Offer, Offered
from caltrop.chance import Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    Go,
    Listed,
    Outcome,
    Procedure,
    Sum,
    Term,
    Throw,
    ask,
    rule,
    step,
    total,
    trigger,
)
from caltrop.geometry import CM, gap_within
from caltrop.rules.duel.movement import traits
from caltrop.rules.duel.records import Duel, Missed, Parried, Recovered, Wounded

REACH = 2 * CM


class Strike(Procedure):
    side: int
    parried: bool = False

    @step("DU-PARRY-01", "DU-PARRY-03")
    def offer_a_parry(self, t: Duel) -> Ask | Go:
        """Offer a parry to a target with enough breath, before the die is thrown."""
        if t.duellists[1 - self.side].breath < price_of_a_parry(t):
            return Go("throw_the_die")
        return ask(ParryOrNot(side=1 - self.side))

    @step("DU-PARRY-01")
    def parry(self, t: Duel, choice: Parry | TakeIt) -> None:
        """Let the target pay for a parry. The breath is spent even if the strike misses."""
        if isinstance(choice, Parry):
            self.parried = True
            t.change(1 - self.side, breath=t.duellists[1 - self.side].breath - price_of_a_parry(t))
            t.tell(Parried(1 - self.side))

    @step("DU-STRIKE-02")
    def throw_the_die(self, t: Duel) -> Throw:
        return Throw(Pool(1), side=self.side, words="Strike")

    @step("DU-STRIKE-02", "DU-STRIKE-04")
    def read_the_die(self, t: Duel, roll: Roll) -> None:
        if roll[0] < total(needed(t, self.side, self.parried)):
            return t.tell(Missed(self.side))
        left = t.duellists[1 - self.side].wounds - 1
        t.change(1 - self.side, wounds=left)
        t.tell(Wounded(1 - self.side, left))

    @step("DU-END-01")
    def look_for_the_fallen(self, t: Duel) -> None:
        left = tuple(d.wounds for d in t.duellists)
        if left[1 - self.side] == 0:
            t.over = Outcome(self.side, f"{t.duellists[1 - self.side].name} is down", left)


class SecondWind(Procedure):
    """A die by which a duellist with one wound left may regain breath."""

    side: int

    @step("DU-WIND-01")
    def throw_for_breath(self, t: Duel) -> Throw:
        return Throw(Pool(1), side=self.side, words="Second wind")

    @step("DU-WIND-01")
    def breathe(self, t: Duel, roll: Roll) -> None:
        """Add a breath if the die shows 5 or more."""
        if roll[0] >= 5:
            t.change(self.side, breath=t.duellists[self.side].breath + 1)
            t.tell(Recovered(self.side))


@rule("DU-STRIKE-01")
def is_in_reach(t: Duel) -> bool:
    """The duellists reach each other when their bases are within 2 cm."""
    return gap_within(t.duellists[0].disc, t.duellists[1].disc, REACH)


@rule("DU-STRIKE-02", stages=("edition", "trait", "parry"), traits=traits)
def needed(t: Duel, attacker: int, parried: bool) -> Sum:
    """A strike hits on 4 or more."""
    return (Term(4, "DU-STRIKE-02", "A strike"),)


@needed.amended_by("DU-STRIKE-03", stage="edition", edition="sharp")
def sharp_blades_hit_more_easily(parts: Sum, t: Duel, attacker: int, parried: bool) -> Sum:
    """With sharp blades a strike hits on 3 or more."""
    return (*parts, Term(-1, "DU-STRIKE-03", "Sharp blades"))


@needed.amended_by("DU-STRIKE-05", stage="trait", trait="steady-handed")
def a_steady_hand_helps_the_weary(parts: Sum, t: Duel, attacker: int, parried: bool) -> Sum:
    """A steady-handed duellist without breath needs 1 less."""
    return (*parts, Term(-1, "DU-STRIKE-05", "Steady-handed")) if t.duellists[attacker].breath == 0 else parts


@needed.amended_by("DU-PARRY-02", stage="parry")
def a_parry_makes_it_harder(parts: Sum, t: Duel, attacker: int, parried: bool) -> Sum:
    """A parried strike needs 2 more."""
    return (*parts, Term(2, "DU-PARRY-02", "Parried")) if parried else parts


def price_of_a_parry(t: Duel) -> int:
    """Return the breath that a parry costs, as set by a house rule."""
    return int(t.book.rules["parry.price"])


@trigger(Wounded, "DU-WIND-01")
def the_last_wound_calls_up_strength(t: Duel, event: Wounded) -> SecondWind | None:
    """Start a second wind when a duellist has one wound left."""
    return SecondWind(side=event.side) if event.left == 1 else None


# --- questions -------------------------------------------------------------------------------------------------------


class Thrust(Action, frozen=True):
    """Strike the other duellist."""


class HoldBack(Action, frozen=True):
    """Do not strike."""


class Parry(Action, frozen=True):
    """Spend breath to parry."""


class TakeIt(Action, frozen=True):
    """Do not parry."""


class StrikeOrHold(Offered, frozen=True, kw_only=True):
    clauses: ClassVar[tuple[str, ...]] = ("DU-STRIKE-01",)
    hint: ClassVar[str] = "The other side may parry before the die is thrown."

    def options(self, t: Duel) -> Listed:
        return Listed([Thrust(), HoldBack()], clause="DU-STRIKE-01")

    def prompt(self, t: Duel) -> str:
        return f"Strike? It hits on {total(needed(t, self.side, False))} or more"


class ParryOrNot(Offered, frozen=True, kw_only=True):
    clauses: ClassVar[tuple[str, ...]] = ("DU-PARRY-01",)
    occasion: ClassVar[str] = "at every strike"
    hint: ClassVar[str] = "A parry costs breath and makes the strike harder by 2."

    def options(self, t: Duel) -> Listed:
        return Listed([Parry(), TakeIt()], clause="DU-PARRY-01")

    def prompt(self, t: Duel) -> str:
        bare, parried = (total(needed(t, 1 - self.side, p)) for p in (False, True))
        return f"Parry? The strike hits on {bare} or more, and on {parried} or more if you do"

    def offers(self, t: Duel) -> tuple[Offer, ...]:
        price = (Term(price_of_a_parry(t), "DU-PARRY-01", "Breath"),)
        return (Offer(action=Parry(), words="Parry", price=price), Offer(action=TakeIt(), words="Take it"))
