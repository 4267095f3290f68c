"""The movement phase of a player's fighter: she walks, stays, or begins to flee (BS-MOV)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from caltrop.asking import Offer, Proposal, Region, Usual, Wish
from caltrop.engine import (
    Action,
    Ask,
    End,
    Go,
    Procedure,
    Run,
    ask,
    guard,
    rule,
    step,
)
from caltrop.geometry import Point
from caltrop.kit.words import listed, one_of
from caltrop.rules.blade_skirmish.catalogue import STEP
from caltrop.rules.blade_skirmish.charge import charges, in_charge_range
from caltrop.rules.blade_skirmish.conditions import become, idle
from caltrop.rules.blade_skirmish.fatality import slips, slips_there
from caltrop.rules.blade_skirmish.flight import Flight
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.routes import Bounds, Route, Routes, Stay, Walk, go
from caltrop.rules.blade_skirmish.victory import AfterMove

TOO_FAR = guard(("BS-MOV-01", "BS-S22"), "too-far", "{length:inch} is too far: {name} moves up to {limit:inch}")
INTO_ZONE = guard(
    ("BS-MOV-02", "BS-Q05", "BS-Q42", "BS-S22"),
    "into-zone",
    "{name} would come within 2 inches of {what} after {after:inch}: she is neither fleeing nor stunned",
)
HELD = guard(
    ("BS-MOV-03", "BS-Q06", "BS-S22"),
    "held",
    "{name} is {gap:inch} from {enemy}, who is neither fleeing nor stunned: within 2 inches of her she may not walk",
)
BOUNDS = Bounds(STEP, TOO_FAR, INTO_ZONE, HELD)


class Movement(Procedure):
    """The movement phase of a player's fighter."""

    fighter: int

    @step("BS-FAT-03", "BS-MOV-05", "BS-MOV-06", "BS-Q17", "BS-Q24")
    def look_at_her(self, t: Skirmish) -> Go | End | None:
        """A stunned fighter does nothing, even if she also flees.

        A fleeing fighter runs. A fighter who takes a trophy does nothing.
        """
        slips(t, self.fighter)
        f = t.fighters[self.fighter]
        if f.stunned:
            return End()
        if f.fleeing:
            return Go("run_away")
        return End() if idle(t, self.fighter) else None

    @step("BS-MOV-01", "BS-MOV-04")
    def ask_where_to(self, t: Skirmish) -> Ask:
        """The fighter may walk, stay, or begin to flee."""
        return ask(Move(side=t.fighters[self.fighter].side, fighter=self.fighter))

    @step("BS-MOV-01", "BS-MOV-04", "BS-Q16")
    def move(self, t: Skirmish, choice: Walk | Stay | Flee) -> Go | End | None:
        if isinstance(choice, Flee):
            become(t, self.fighter, "fleeing", "BS-MOV-04")
            return Go("run_away") if runs_at_once(t) else End()
        start = t.disc(self.fighter)[:2]
        go(t, self.fighter, (start, *choice.path), "walks", "BS-MOV-01")
        return None

    @step("BS-S52", "BS-S53")
    def look_around(self, t: Skirmish) -> Run:
        """A fighter who has moved may pick up a relic, or leave by an exit."""
        return Run(AfterMove(fighter=self.fighter))

    @step("BS-TRN-02")
    def be_done(self, t: Skirmish) -> End:
        return End()

    @step("BS-MOV-06")
    def run_away(self, t: Skirmish) -> Run:
        return Run(Flight(fighter=self.fighter))


@rule("BS-MOV-04", "BS-Q16", stages=("house",))
def runs_at_once(t: Skirmish) -> bool:
    """A fighter who chooses to flee runs in the same phase."""
    return True


@runs_at_once.amended_by("BS-Q16", stage="house", house={"voluntary_flee_moves_now": "off"})
def she_runs_in_her_next_turn(now: bool, t: Skirmish) -> bool:
    """House rule: a fighter begins to flee, and runs in her next movement phase if she still flees then."""
    return False


class Move(Route, frozen=True, kw_only=True):
    """The player chooses whether a fighter walks, stays or flees."""

    clauses: ClassVar[tuple[str, ...]] = ("BS-MOV-01", "BS-MOV-04")
    words: ClassVar[str] = "Move"
    hint: ClassVar[str] = (
        "Drag her up to 4 inches. She may not come within 2 inches of an enemy who is neither fleeing nor stunned; "
        "ending within 4 inches of an enemy in sight, she has to charge."
    )

    def routes(self, t: Skirmish) -> Routes:
        return Routes(t, self.fighter, BOUNDS)

    def propose(self, t: Skirmish, wish: Wish) -> Proposal:
        """Return the route, with the enemies that the fighter may have to charge from its end, or a slippery floor."""
        propose = super().propose(t, wish)
        if propose.action is None:
            return propose
        end = propose.paths[self.fighter][-1]
        note = slips_there(t, self.fighter, end) or self._charge_from(t, end)
        return replace(propose, notes=(note,)) if note else propose

    def _charge_from(self, t: Skirmish, end: Point) -> str:
        there = t.clone()
        there.change(self.fighter, at=end)
        names = listed([t.called(id) for id in in_charge_range(there, self.fighter)])
        return f"From there she sees within 4 inches, and would have to charge: {names}" if names else ""

    def regions(self, t: Skirmish) -> tuple[Region, ...]:
        return tuple([replace(region, onward=STEP) for region in super().regions(t)])

    def prompt(self, t: Skirmish) -> str:
        name, routes = t.called(self.fighter), self.routes(t)
        if routes.held:
            enemies = listed([t.called(enemy) for enemy in routes.inside])
            return f"{name} is within 2 inches of {enemies} and may not walk: does she stay, or flee?"
        return f"Where does {name} move?"

    def plain(self, t: Skirmish) -> Sequence[Offer]:
        when = "at once" if runs_at_once(t) else "in her next turn"
        return (
            Offer(action=Stay(), words=self._staying(t), unit=self.fighter, final=True),
            Offer(action=Flee(), words=f"Flee: run from the closest enemy {when}", unit=self.fighter),
        )

    def _staying(self, t: Skirmish) -> str:
        """Describe the consequence of staying: a charge if an enemy is in sight within 4 inches (BS-CHG-02)."""
        straight = charges(t, self.fighter)
        names = one_of([t.called(id) for id in straight or in_charge_range(t, self.fighter)])
        if not names:
            return "Stay where she is"
        return f"Stay where she is, then {'charge' if straight else 'close in on'} {names}"

    def usual(self, t: Skirmish, unit: int | None = None) -> Usual | None:
        """Return staying as the default act; None if the fighter would have to charge from where she stands."""
        return None if in_charge_range(t, self.fighter) else super().usual(t, unit)


# --- decisions -------------------------------------------------------------------------------------------------------


class Flee(Action, frozen=True):
    """Begin to flee."""
