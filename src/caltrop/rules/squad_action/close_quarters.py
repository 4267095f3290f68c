"""Close quarters: rounds, the winner of a round, and the survivors (SQ-CQB).

The approach is in `assault`, the order of strikes in `initiative`, strikes in `striking`, and fights with machines in
`vehicle_assault`.

Readings:

- The rating of a side is the best of its units' (SQ-CQB-04). A unit adds 1 to its roll if it is better than every enemy
  that it faces.
- The second unit of a multiple assault adds 1 in every round (SQ-CQS-09). Effects of the beginning of a fight end with
  its first round.
- A unit shares its attacks among several enemies when it strikes: after its extra dice, before its rolls to hit
  (SQ-CQS-10, SQ-Q25, SQ-Q26). Models with an anti-tank weapon attack the machine, if it is attacked at all.
- A side that loses its last unit in a round has lost the fight, whatever the other side lost. A destroyed machine
  counts as one casualty.
- The mop-up removes a unit even if broken units fall back (SQ-Q07).
- A Pinned unit in close quarters improves its cover if it has any, but has no cover in the open.
- If nobody has won, a single last model is removed all the same, because the fight is over (SQ-Q53).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from caltrop.chance import Pool, Roll
from caltrop.engine import (
    End,
    Event,
    Go,
    Procedure,
    Run,
    Sum,
    Term,
    Throw,
    back,
    does,
    rule,
    step,
)
from caltrop.engine.rule import HasBook
from caltrop.kit.words import listed
from caltrop.rules.squad_action.casualties import MoraleChecked, destroy, morale_of, pin
from caltrop.rules.squad_action.catalogue import Cover
from caltrop.rules.squad_action.consolidation import STEP_BACK, Consolidation, alive, last_one_leaves, step_back
from caltrop.rules.squad_action.damage import CheckMachine
from caltrop.rules.squad_action.initiative import Initiative
from caltrop.rules.squad_action.morale import (
    dice_of_a_check,
    officer_adds,
    passes,
    reading_of_a_check,
)
from caltrop.rules.squad_action.places import KEEP_OFF, officer_near
from caltrop.rules.squad_action.records import Fight, Firefight
from caltrop.rules.squad_action.striking import (
    StrikeByHand,
    Striker,
    cover_by_hand,
)
from caltrop.rules.squad_action.vehicle_assault import (
    anti_tank_of,
)
from caltrop.rules.squad_action.watching import lose_overwatch

FACES = range(1, 7)
ROUNDS = 6
"""Number of undecided rounds after which the assaulters step back (SQ-Q48)."""


class CloseQuarters(Procedure):
    """Units fight until one side is gone (SQ-CQB-02 to 17)."""

    assaulters: tuple[int, ...]
    """Assaulting units in the order of declaration. The units after the first have a bonus."""
    defenders: tuple[int, ...]
    covers: tuple[Cover, ...]
    """The cover of each defender before the assault."""
    watching: tuple[int, ...] = ()
    """Defenders that were on overwatch before the assault."""
    rounds: int = 0
    so_far: int = 0
    """Number of rounds fought in earlier turns."""
    lost: tuple[int, int] = (0, 0)
    """Casualties of this round, of the assaulters and of the defenders."""
    ahead: tuple[int, ...] = ()
    """Units whose turn to strike comes later in the current step of the round."""
    winners: tuple[int, ...] = ()

    @step("SQ-Q48", "SQ-S23", "SQ-CQS-04", "SQ-Q74", "SQ-Q76")
    def begin(self, t: Firefight) -> Go | None:
        """Units in close quarters leave overwatch. Broken units are removed, even in a fight from an earlier turn."""
        self.so_far = self.rounds
        for unit in (*self.assaulters, *self.defenders):
            lose_overwatch(t, unit)
        if not self.rounds:
            t.tell(CameToBlows(self.assaulters, self.defenders))
        for unit in (*self.defenders, *self.assaulters):
            if t.units[unit].broken and t.units[unit].in_play:
                destroy(t, unit, "is cut down")
        return Go("next_round") if self.rounds else None

    @step("SQ-S23")
    def anybody_there(self, t: Firefight) -> End | None:
        return None if alive(t, self.defenders) and alive(t, self.assaulters) else End()

    @step("SQ-CQB-12", "SQ-CQB-14", "SQ-Q20")
    def next_round(self, t: Firefight) -> Run | Go:
        """A round is fought, unless one side is gone."""
        if not alive(t, self.assaulters) or not alive(t, self.defenders):
            return Go("decide")
        self.rounds += 1
        here = [n for n, d in enumerate(self.defenders) if t.units[d].in_play]
        return Run(
            Round(
                assaulters=alive(t, self.assaulters),
                seconds=self.assaulters[1:],
                defenders=tuple([self.defenders[n] for n in here]),
                covers=tuple([self.covers[n] for n in here]),
                watching=self.watching,
                number=self.rounds,
                two=len(self.defenders) > 1,
            )
        )

    @step("SQ-CQB-11", "SQ-CQB-14", "SQ-ORG-46", "SQ-Q25", "SQ-Q54")
    def count(self, t: Firefight, lost: tuple[int, int]) -> Go | None:
        self.lost = lost
        self.ahead = ()
        if alive(t, self.assaulters) and alive(t, self.defenders):
            losers = self.assaulters if lost[0] > lost[1] else self.defenders
            own, theirs = max(lost), min(lost)
            self.ahead = tuple([u for u in on_foot(t, losers) if must_hold(t, own, theirs, t.units[u].traits)])
        return None

    @step("SQ-CQB-11", "SQ-CQB-13")
    def mop_up(self, t: Firefight) -> Run | Go:
        if not self.ahead:
            return Go("list_machines")
        unit, self.ahead = self.ahead[0], self.ahead[1:]
        return Run(MopUp(unit=unit, behind=abs(self.lost[0] - self.lost[1])))

    next_one = back("mop_up", "SQ-CQB-11")

    @step("SQ-VEH-09", "SQ-ORG-31", "SQ-Q54")
    def list_machines(self, t: Firefight) -> None:
        """Every machine that fought checks its morale."""
        self.ahead = tuple([u for u in alive(t, (*self.defenders, *self.assaulters)) if t.units[u].machine])

    @step("SQ-VEH-09", "SQ-ORG-31", "SQ-Q54")
    def steady(self, t: Firefight) -> Run | Go:
        if not self.ahead:
            return Go("decide")
        unit, self.ahead = self.ahead[0], self.ahead[1:]
        return Run(CheckMachine(unit=unit))

    next_machine = back("steady", "SQ-VEH-09")

    @step("SQ-CQB-12", "SQ-CQB-14", "SQ-VEH-07", "SQ-VEH-08", "SQ-Q48", "SQ-Q54", "SQ-Q61", "SQ-Q63")
    def decide(self, t: Firefight) -> Go | End | None:
        """The winner is decided. If nobody has won, units separate from a machine, or another round is fought."""
        mine, theirs = alive(t, self.assaulters), alive(t, self.defenders)
        if not mine or not theirs:
            self.winners = on_foot(t, (*mine, *theirs))
            return Go("list_winners")
        soldiers, enemies = on_foot(t, mine), on_foot(t, theirs)
        if not soldiers or not enemies:
            for unit in mine:
                step_back(t, unit, theirs, KEEP_OFF)
            return Go("over")
        for unit in mine:
            if t.units[unit].machine:
                step_back(t, unit, theirs, KEEP_OFF)
        self.assaulters = tuple([u for u in self.assaulters if u in soldiers])
        rest = [n for n, d in enumerate(self.defenders) if d in enemies]
        self.covers = tuple([self.covers[n] for n in rest])
        self.defenders = tuple([self.defenders[n] for n in rest])
        if lasts_from_turn_to_turn(t):
            self._lock(t)
            return End()
        return Go("next_round") if self.rounds < rounds_at_once(t) else None

    @step("SQ-Q48")
    def part(self, t: Firefight) -> None:
        """Nobody has won, so the assaulting units step back."""
        for unit in self.assaulters:
            step_back(t, unit, self.defenders, STEP_BACK - 1)

    @step("SQ-Q48", "SQ-ORG-29", "SQ-Q53")
    def tire(self, t: Firefight) -> End:
        """All units are Pinned, and a single last model is removed."""
        for unit in (*self.assaulters, *self.defenders):
            last_one_leaves(t, unit)
            pin(t, unit)
        return End()

    @step("SQ-ORG-29", "SQ-Q53", "SQ-Q61")
    def over(self, t: Firefight) -> End:
        for unit in on_foot(t, (*self.assaulters, *self.defenders)):
            last_one_leaves(t, unit)
        return End()

    @step("SQ-CQB-15", "SQ-CQB-16", "SQ-Q61", "SQ-S23")
    def list_winners(self, t: Firefight) -> None:
        """A winner that broke before the explosion of the machine takes no ground."""
        for unit in self.winners:
            t.change(unit, locked=())
        self.ahead = tuple([unit for unit in self.winners if not t.units[unit].broken])

    @step("SQ-CQB-15", "SQ-CQB-16")
    def win(self, t: Firefight) -> Run | End:
        if not self.ahead:
            return End()
        unit, self.ahead = self.ahead[0], self.ahead[1:]
        return Run(Consolidation(unit=unit))

    next_winner = back("win", "SQ-CQB-15")

    def _lock(self, t: Firefight) -> None:
        """Let the fight continue at the end of later turns."""
        t.fights.append(
            Fight(
                assaulters=self.assaulters,
                defenders=self.defenders,
                covers=self.covers,
                rounds=self.rounds,
                fresh=self.so_far == 0,
            )
        )
        for unit in self.assaulters:
            t.change(unit, locked=self.defenders)
        for unit in self.defenders:
            t.change(unit, locked=self.assaulters)


class Round(Procedure):
    """A round of close quarters. The result is the casualties of assaulters and of defenders."""

    assaulters: tuple[int, ...]
    seconds: tuple[int, ...]
    """Assaulters that were not declared first."""
    defenders: tuple[int, ...]
    covers: tuple[Cover, ...]
    watching: tuple[int, ...]
    number: int
    two: bool
    """True if one unit assaulted two enemies (SQ-CQS-12)."""
    order: tuple[tuple[int, ...], ...] = ()
    now: int = 0
    strikers: tuple[Striker, ...] = ()
    """Units that strike at the same time and have not struck yet, with their strength at that moment."""
    mine: int = 0
    theirs: int = 0

    @step("SQ-CQB-02")
    def roll_for_it(self, t: Firefight) -> Run:
        return Run(
            Initiative(
                assaulters=self.assaulters,
                seconds=self.seconds,
                defenders=self.defenders,
                covers=self.covers,
                watching=self.watching,
                number=self.number,
                two=self.two,
            )
        )

    @step("SQ-CQB-02", "SQ-Q25")
    def line_up(self, t: Firefight, order: tuple[tuple[int, ...], ...]) -> None:
        self.order = order

    @step("SQ-CQB-07", "SQ-ORG-45", "SQ-Q20")
    def next_in_order(self, t: Firefight) -> End | None:
        if self.now >= len(self.order):
            return End((self.mine, self.theirs))
        self.strikers = tuple(
            [Striker(u, len(t.units[u].models), anti_tank_of(t, u)) for u in alive(t, self.order[self.now])]
        )
        self.now += 1
        return None

    @step("SQ-CQB-07", "SQ-CQB-09", "SQ-Q63")
    def strike(self, t: Firefight) -> Run | Go:
        if not self.strikers:
            return Go("next_in_order")
        one = self.strikers[0]
        assaults = one.unit in self.assaulters
        enemies = self.defenders if assaults else self.assaulters
        covers: tuple[Cover, ...] = self.covers if assaults else tuple(["none" for _ in enemies])
        return Run(
            StrikeByHand(
                by=one,
                targets=enemies,
                covers=tuple([cover_by_hand(t, self.number, assaults, c) for c in covers]),
                number=self.number,
                assaults=assaults,
            )
        )

    @step("SQ-CQB-11", "SQ-Q25")
    def count(self, t: Firefight, lost: int) -> Go:
        if self.strikers[0].unit in self.assaulters:
            self.theirs += lost
        else:
            self.mine += lost
        self.strikers = self.strikers[1:]
        return Go("strike")


class MopUp(Procedure):
    """A unit of the side with more casualties must pass a check, or it is removed (SQ-CQB-11 to 13)."""

    unit: int
    behind: int
    officer: bool = False

    @step("SQ-CQB-11", "SQ-S21")
    def roll(self, t: Firefight) -> Throw:
        u = t.units[self.unit]
        self.officer = officer_near(t, self.unit)
        reads = reading_of_a_check(t, morale_of(t, self.unit), to_hold(t, self.behind, self.officer))
        words = f"Mop-up: {does(u.name, 'has')} to hold"
        return Throw(Pool(dice_of_a_check(t)), reads=reads, side=u.side, words=words)

    @step("SQ-CQB-12", "SQ-CQB-13", "SQ-Q07")
    def hold(self, t: Firefight, roll: Roll) -> None:
        """If the check succeeds, the unit fights on. A last model that fails its roll is removed."""
        parts, morale = to_hold(t, self.behind, self.officer), morale_of(t, self.unit)
        passed = passes(t, roll, morale, parts)
        t.tell(MoraleChecked(self.unit, roll, parts, morale, passed, "mop-up check", "SQ-CQB-11"))
        if not passed:
            destroy(t, self.unit, "is overcome")


class FightsGoOn(Procedure):
    """At the end of every turn, fights from earlier turns have a round (house rule `cqb_rounds`, SQ-Q48)."""

    left: int = -1
    """Number of fights that still have to be dealt with."""

    @step("SQ-Q48")
    def count(self, t: Firefight) -> None:
        self.left = len(t.fights)

    @step("SQ-Q48", "SQ-Q85", "SQ-Q89")
    def fight_on(self, t: Firefight) -> Run | End:
        """A fight that began this turn has no further round, unless one side is gone already.

        A fight out of which one side has fled is over, and nobody has won it.
        """
        while self.left:
            self.left -= 1
            fight = t.fights.pop(0)
            if not (fight.assaulters and fight.defenders):
                continue
            if fight.fresh and alive(t, fight.assaulters) and alive(t, fight.defenders):
                t.fights.append(msgspec.structs.replace(fight, fresh=False))
                continue
            covers: Any = fight.covers
            return Run(
                CloseQuarters(
                    assaulters=fight.assaulters, defenders=fight.defenders, covers=covers, rounds=fight.rounds
                )
            )
        return End()

    next_fight = back("fight_on", "SQ-Q48")


# --- saves and morale ------------------------------------------------------------------------------------------------


@rule("SQ-CQB-11", stages=("officer",))
def to_hold(b: HasBook, behind: int, officer: bool) -> Sum:
    """The mop-up check has a modifier of -1 for each casualty that the side suffered beyond the winner's."""
    return (Term(-behind, "SQ-CQB-11", "Casualties beyond theirs"),) if behind else ()


@to_hold.amended_by("SQ-S21", stage="officer")
def an_officer_holds_them(parts: Sum, b: HasBook, behind: int, officer: bool) -> Sum:
    """An Officer nearby adds 1 to a check in close quarters."""
    return (*parts, *officer_adds(b, officer))


@rule("SQ-CQB-11", "SQ-CQB-14", "SQ-ORG-46", stages=("fearless",))
def must_hold(b: HasBook, own: int, theirs: int, traits: Sequence[str]) -> bool:
    """A unit must take a check if its side had more casualties in this round."""
    return own > theirs


@must_hold.amended_by("SQ-TRT-05", "SQ-Q35", stage="fearless")
def the_fearless_hold(value: bool, b: HasBook, own: int, theirs: int, traits: Sequence[str]) -> bool:
    """A Fearless unit takes no check."""
    return value and "fearless" not in traits


@rule("SQ-CQB-12", "SQ-CQB-14", "SQ-Q48", stages=("house",))
def rounds_at_once(b: HasBook) -> int:
    """Rounds of a fight are fought until one side is gone, but at most six."""
    return ROUNDS


@rounds_at_once.amended_by("SQ-Q48", stage="house", house={"cqb_rounds": "one_per_turn"})
def a_round_a_turn(value: int, b: HasBook) -> int:
    """House rule: one round is fought at once, and one at the end of each later player turn, without limit."""
    return 1


def lasts_from_turn_to_turn(b: HasBook) -> bool:
    """Return whether an undecided fight continues in later turns."""
    return rounds_at_once(b) < ROUNDS


# --- units that fight ------------------------------------------------------------------------------------------------


def on_foot(t: Firefight, units: Sequence[int]) -> tuple[int, ...]:
    return tuple([u for u in alive(t, units) if t.units[u].on_foot])


# --- events ----------------------------------------------------------------------------------------------------------


class CameToBlows(Event, frozen=True):
    """Units have met in close quarters."""

    assaulters: tuple[int, ...]
    defenders: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-04", "SQ-CQB-01")
    about = ("assaulters", "defenders")

    def sentence(self, t: Firefight) -> str:
        return f"{listed([t.units[u].name for u in (*self.assaulters, *self.defenders)])} come to blows"
