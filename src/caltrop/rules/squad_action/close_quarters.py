"""Close quarters: who strikes first, with how many attacks, who falls, and what becomes of those who are left (SQ-CQB).

The numbers are asked with a book and plain values, and the exact forecast of a fight asks the same ones. The
procedures that roll come after them. How an assault comes to blows is in `assault`, what is done to machines and what
they do is in `vehicle_assault`.

Readings:

- A side's rating is the best of its units' (SQ-CQB-04): a unit has its 1 where it is better than every enemy it faces.
- The second unit of a multiple assault has its 1 in every round (SQ-CQS-09): only what belongs to the beginning of a
  fight ends with the first.
- Attacks are shared among several enemies when the unit strikes, after its bonus dice and before its rolls to hit
  (SQ-CQS-10, SQ-Q25, SQ-Q26). Who carries an anti-tank weapon goes for the machine, if anybody does.
- A side that loses its last unit in a round has lost the fight, whatever the other side lost; a machine that is
  destroyed counts as one casualty.
- The mop-up takes a unit out of play also where units that break fall back (SQ-Q07).
- A Pinned unit uses its cover better in close quarters where it has any there, and has none in the open.
- When nobody has won, a last single model leaves nevertheless: the fight is over (SQ-Q53).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

import msgspec

from caltrop.agreeing import quantity
from caltrop.asking import Offer, Offered, Proposal, Region, Wish
from caltrop.chance import SUM, Dice, Distribution, Pool, Roll, at_least, counted
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Options,
    Procedure,
    Refusal,
    Run,
    Sum,
    Term,
    Throw,
    agreeing,
    ask,
    does,
    guard,
    not_an_option,
    rule,
    step,
    total,
)
from caltrop.engine.known import known_odds
from caltrop.engine.rule import HasBook
from caltrop.geometry import INCH, Point, directions, gap_between, near_to, path_length, point_along
from caltrop.picture import Motion, Reading
from caltrop.rules.squad_action.account import chance_of, dice_read, reasons, tally
from caltrop.rules.squad_action.acts import Path
from caltrop.rules.squad_action.casualties import LAST_MODEL, MoraleChecked, TakeHits, destroy, morale_of, pin
from caltrop.rules.squad_action.catalogue import Cover, Kind
from caltrop.rules.squad_action.damage import CheckMachine
from caltrop.rules.squad_action.fire import (
    Volley,
    armour_save,
    cover_save,
    fallen,
    hits_of,
    ignores_wounds_on,
    saves,
)
from caltrop.rules.squad_action.morale import (
    chance_to_pass,
    dice_of_a_check,
    last_model_leaves,
    officer_adds,
    passes,
    reading_of_a_check,
)
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.overwatch import lose_overwatch
from caltrop.rules.squad_action.places import KEEP_OFF, bodies, body_at, officer_near
from caltrop.rules.squad_action.rally import Terror
from caltrop.rules.squad_action.records import Fight, Firefight
from caltrop.rules.squad_action.routes import Routes
from caltrop.rules.squad_action.vehicle_assault import (
    Assail,
    anti_tank_of,
    attacks_of_machine,
    hits_of_machine,
    unarmed,
)
from caltrop.table.measured import Ground, nearest_free

FACES = range(1, 7)
FEW = 5
"""A unit with so many models, or fewer, has the smaller bonus (SQ-CQB-08)."""
ROUNDS = 6
"""After so many undecided rounds the assaulters step back (SQ-Q48)."""
CONSOLIDATE = 3 * INCH
"""How far a winner may move (SQ-CQB-15)."""
STEP_BACK = 3 * INCH
"""How far the assaulters step back from a fight that nobody wins (SQ-Q48)."""
OTHER_SUM = guard(("SQ-CQS-10", "SQ-Q25"), "other-sum", "{name:has} {count} attacks to share, and not {given}")
OTHER_ENEMIES = guard(
    ("SQ-CQS-10", "SQ-Q25"), "other-enemies", "{name:shares} its attacks among {count} enemies, and not {given}"
)
BELOW_NOTHING = guard("SQ-CQS-10", "below-nothing", "No enemy has fewer than no attacks")
BEYOND_THREE = guard("SQ-CQB-15", "beyond-three", "{name} may move {limit:inch} now, and this is {length:inch}")
NOT_THE_WINNER = guard("SQ-CQB-15", "not-the-winner", "It is {name} that has won")


Tie = Literal["together", "again", "defender"]


class Extra(NamedTuple):
    """Dice that say how many attacks a unit has besides."""

    dice: int
    halved: bool
    """Whether each is halved, rounding up: a D3."""


NO_MORE = Extra(0, False)


class CloseQuarters(Procedure):
    """Units fight hand to hand until one side is gone (SQ-CQB-02 to 17)."""

    assaulters: tuple[int, ...]
    """In the order in which they were declared: the second has its bonus."""
    defenders: tuple[int, ...]
    covers: tuple[Cover, ...]
    """The cover of each defender before it was assaulted."""
    watching: tuple[int, ...] = ()
    """Defenders that were on overwatch."""
    rounds: int = 0
    """Rounds that have been fought."""
    so_far: int = 0
    """How many of them before this turn."""
    lost: tuple[int, int] = (0, 0)
    """Casualties of this round: of the assaulters, and of the defenders."""
    ahead: tuple[int, ...] = ()
    """Units that are still to be dealt with in a part of the round."""
    winners: tuple[int, ...] = ()

    @step("SQ-Q48", "SQ-S23", "SQ-CQS-04", "SQ-Q74", "SQ-Q76")
    def begin(self, t: Firefight) -> Go | None:
        """Units that fight are on overwatch no more; the broken are cut down, in a fight that goes on too."""
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
        """Without anybody left to fight there is no fight, and nobody is Pinned by it."""
        return None if alive(t, self.defenders) and alive(t, self.assaulters) else End()

    @step("SQ-CQB-12", "SQ-CQB-14", "SQ-Q20")
    def next_round(self, t: Firefight) -> Run | Go:
        """A round is fought; where one side is gone meanwhile, there is nothing to fight."""
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
        """The side that lost more has to hold, all its soldiers with the same modifier."""
        self.lost = lost
        self.ahead = ()
        if alive(t, self.assaulters) and alive(t, self.defenders):
            losers = self.assaulters if lost[0] > lost[1] else self.defenders
            own, theirs = max(lost), min(lost)
            self.ahead = tuple([u for u in on_foot(t, losers) if must_hold(t, own, theirs, t.units[u].traits)])
        return None

    @step("SQ-CQB-11", "SQ-CQB-13")
    def mop_up(self, t: Firefight) -> Run | Go:
        """One after another."""
        if not self.ahead:
            return Go("list_machines")
        unit, self.ahead = self.ahead[0], self.ahead[1:]
        return Run(MopUp(unit=unit, behind=abs(self.lost[0] - self.lost[1])))

    @step("SQ-CQB-11")
    def next_one(self, t: Firefight) -> Go:
        """The next of them."""
        return Go("mop_up")

    @step("SQ-VEH-09", "SQ-ORG-31", "SQ-Q54")
    def list_machines(self, t: Firefight) -> None:
        """Every machine that has fought checks its morale."""
        self.ahead = tuple([u for u in alive(t, (*self.defenders, *self.assaulters)) if t.units[u].machine])

    @step("SQ-VEH-09", "SQ-ORG-31", "SQ-Q54")
    def steady(self, t: Firefight) -> Run | Go:
        """One after another."""
        if not self.ahead:
            return Go("decide")
        unit, self.ahead = self.ahead[0], self.ahead[1:]
        return Run(CheckMachine(unit=unit))

    @step("SQ-VEH-09")
    def next_machine(self, t: Firefight) -> Go:
        """The next of them."""
        return Go("steady")

    @step("SQ-CQB-12", "SQ-CQB-14", "SQ-VEH-07", "SQ-VEH-08", "SQ-Q48", "SQ-Q54", "SQ-Q61", "SQ-Q63")
    def decide(self, t: Firefight) -> Go | End:
        """Who has won, who parts from a machine, and whether another round is fought."""
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
        kept = [n for n, d in enumerate(self.defenders) if d in enemies]
        self.covers = tuple([self.covers[n] for n in kept])
        self.defenders = tuple([self.defenders[n] for n in kept])
        if lasts_from_turn_to_turn(t):
            self._lock(t)
            return End()
        if self.rounds < rounds_at_once(t):
            return Go("next_round")
        for unit in soldiers:
            step_back(t, unit, enemies, STEP_BACK - 1)
        for unit in (*soldiers, *enemies):
            last_one_leaves(t, unit)
            pin(t, unit)
        return End()

    @step("SQ-ORG-29", "SQ-Q53", "SQ-Q61")
    def over(self, t: Firefight) -> End:
        """Nobody has won, and nobody is Pinned for it; a last single model leaves."""
        for unit in on_foot(t, (*self.assaulters, *self.defenders)):
            last_one_leaves(t, unit)
        return End()

    @step("SQ-CQB-15", "SQ-CQB-16", "SQ-Q61")
    def list_winners(self, t: Firefight) -> None:
        """Soldiers who are left have won; if nobody is, nobody has."""
        for unit in self.winners:
            t.change(unit, locked=())
        self.ahead = self.winners

    @step("SQ-CQB-15", "SQ-CQB-16")
    def win(self, t: Firefight) -> Run | End:
        """One after another consolidates."""
        if not self.ahead:
            return End()
        unit, self.ahead = self.ahead[0], self.ahead[1:]
        return Run(Consolidation(unit=unit))

    @step("SQ-CQB-15")
    def next_winner(self, t: Firefight) -> Go:
        """The next of them."""
        return Go("win")

    def _lock(self, t: Firefight) -> None:
        """The fight goes on at the end of the next turns."""
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
    """A round of close quarters; ends with the casualties of the assaulters and of the defenders."""

    assaulters: tuple[int, ...]
    seconds: tuple[int, ...]
    """Those of them that were not declared first."""
    defenders: tuple[int, ...]
    covers: tuple[Cover, ...]
    watching: tuple[int, ...]
    number: int
    two: bool
    """Whether one unit began a fight against two (SQ-CQS-12)."""
    order: tuple[tuple[int, ...], ...] = ()
    now: int = 0
    strikers: tuple[Striker, ...] = ()
    """Those who strike at the same time, and have not yet: with what they had when its moment came."""
    mine: int = 0
    theirs: int = 0

    @step("SQ-CQB-02")
    def roll_for_it(self, t: Firefight) -> Run:
        """Who strikes first is rolled for in every round."""
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
        """They strike in this order."""
        self.order = order

    @step("SQ-CQB-07", "SQ-ORG-45", "SQ-Q20")
    def next_in_order(self, t: Firefight) -> End | None:
        """Those who strike later have only the models that are left; those who strike together have all."""
        if self.now >= len(self.order):
            return End((self.mine, self.theirs))
        self.strikers = tuple(
            [Striker(u, len(t.units[u].models), anti_tank_of(t, u)) for u in alive(t, self.order[self.now])]
        )
        self.now += 1
        return None

    @step("SQ-CQB-07", "SQ-CQB-09", "SQ-Q63")
    def strike(self, t: Firefight) -> Run | Go:
        """One after another throws its dice."""
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
        """Casualties are summed by side."""
        if self.strikers[0].unit in self.assaulters:
            self.theirs += lost
        else:
            self.mine += lost
        self.strikers = self.strikers[1:]
        return Go("strike")


class Initiative(Procedure):
    """Who strikes first; ends with the units in their order, those that strike together in one."""

    assaulters: tuple[int, ...]
    seconds: tuple[int, ...]
    defenders: tuple[int, ...]
    covers: tuple[Cover, ...]
    watching: tuple[int, ...]
    number: int
    two: bool
    rolling: tuple[int, ...] = ()
    scores: tuple[Score, ...] = ()

    @step("SQ-CQS-05", "SQ-CQS-06", "SQ-CQB-05", "SQ-CQB-06", "SQ-Q23", "SQ-Q26")
    def set_apart(self, t: Firefight) -> End | None:
        """Who strikes second without a roll, and who has nothing to strike with."""
        late: list[Score] = []
        for unit, cover in zip(self.defenders, self.covers, strict=True):
            u = t.units[unit]
            clause = strikes_second(t, self.number == 1, cover != "none", u.pinned)
            if unarmed(t, unit):
                continue
            if clause:
                late.append(Score(unit, False, None))
                t.tell(StrikesSecond(unit, clause))
            else:
                self.rolling = (*self.rolling, unit)
        self.scores = tuple(late)
        if not self.rolling:
            return End(tuple([group for group in (self.assaulters, tuple([s.unit for s in late])) if group]))
        self.rolling = (*self.assaulters, *self.rolling)
        return None

    @step("SQ-CQB-02", "SQ-Q25", "SQ-Q26")
    def roll(self, t: Firefight) -> Throw:
        """A die for each unit, one after another."""
        u = t.units[self.rolling[0]]
        return Throw(Pool(1), side=u.side, words=f"Initiative of {u.name}")

    @step("SQ-CQB-02", "SQ-CQB-03", "SQ-CQB-04", "SQ-CQS-04", "SQ-CQS-09", "SQ-CQS-12", "SQ-TRT-02", "SQ-Q20")
    def compare(self, t: Firefight, roll: Roll) -> Go | End:
        """When all have rolled, they strike in descending order."""
        unit, self.rolling = self.rolling[0], self.rolling[1:]
        parts = initiative(t, self.contender(t, unit))
        t.tell(RolledInitiative(unit, roll[0], parts))
        self.scores = (*self.scores, Score(unit, unit in self.assaulters, roll[0] + total(parts)))
        if self.rolling:
            return Go("roll")
        again = to_roll_again(t, self.scores)
        if again:
            self.rolling = again
            self.scores = tuple([s for s in self.scores if s.unit not in again])
            return Go("roll")
        return End(striking_order(t, self.scores))

    def contender(self, t: Firefight, unit: int) -> Contender:
        """What counts for a unit."""
        mine = unit in self.assaulters
        ratings = [rating_of(t, u) for u in (self.defenders if mine else self.assaulters)]
        return Contender(
            first=self.number == 1,
            started=mine and not self.two,
            rating=rating_of(t, unit),
            against=min([r for r in ratings if r], default=0),
            watching=unit in self.watching,
            second=unit in self.seconds,
            traits=t.units[unit].traits,
        )


class StrikeByHand(Procedure):
    """A unit strikes: bonus attacks, how they are shared, hits and saves; ends with how many fell."""

    by: Striker
    targets: tuple[int, ...]
    covers: tuple[Cover, ...]
    number: int
    assaults: bool
    attacks: int = 0
    shares: tuple[int, ...] = ()
    now: int = 0
    hits: int = 0
    faces: tuple[int, ...] = ()
    lost: int = 0
    used: int = 0
    """Anti-tank weapons that have struck: each is one attack, and strikes at one machine."""

    @step("SQ-CQB-08", "SQ-TRT-01", "SQ-ORG-56", "SQ-CQS-11", "SQ-Q24", "SQ-Q28")
    def more_attacks(self, t: Firefight) -> Throw | Go:
        """Those who assault have extra attacks in the first round."""
        extra = self._extra(t)
        self.attacks = self._own(t)
        if not extra.dice:
            return Go("share")
        u = t.units[self.by.unit]
        reads = counted((1, 2), (3, 4), (5, 6)) if extra.halved else SUM
        return Throw(Pool(extra.dice), reads=reads, side=u.side, words=f"Extra attacks of {u.name}")

    @step("SQ-CQB-08", "SQ-TRT-01", "SQ-ORG-56")
    def count_more(self, t: Firefight, roll: Roll) -> None:
        """They are added to one for each model."""
        more = count_extra(self._extra(t), roll)
        t.tell(MoreAttacks(self.by.unit, roll, more, self.attacks + more))
        self.attacks += more

    @step("SQ-CQS-10", "SQ-Q25", "SQ-Q26", "SQ-Q63")
    def share(self, t: Firefight) -> Ask | Go | End:
        """Against several enemies its owner says how many attacks go at each."""
        here = [n for n, u in enumerate(self.targets) if t.units[u].in_play]
        self.targets = tuple([self.targets[n] for n in here])
        self.covers = tuple([self.covers[n] for n in here])
        if not here or not self.attacks:
            return End(0)
        if len(here) == 1:
            self.shares = (self.attacks,)
            return Go("turn_to")
        u = t.units[self.by.unit]
        return ask(ShareAttacks(side=u.side, unit=u.id, attacks=self.attacks, targets=self.targets))

    @step("SQ-CQS-10", "SQ-Q25", "SQ-Q26")
    def shared(self, t: Firefight, choice: ShareAmong) -> None:
        """So they are shared."""
        self.shares = choice.attacks

    @step("SQ-Q25", "SQ-Q26")
    def turn_to(self, t: Firefight) -> Go | End:
        """One enemy after another."""
        while self.now < len(self.targets):
            if self.shares[self.now] and t.units[self.targets[self.now]].in_play:
                return Go("assail" if t.units[self.targets[self.now]].machine else "roll")
            self.now += 1
        return End(self.lost)

    @step("SQ-VEH-01", "SQ-VEH-04", "SQ-VEH-05")
    def assail(self, t: Firefight) -> Run:
        """A machine is struck in its own way."""
        launchers = self.by.launchers[self.used :]
        self.used += min(self.shares[self.now], len(launchers))
        return Run(
            Assail(
                unit=self.targets[self.now],
                by=self.by.unit,
                attacks=self.shares[self.now],
                launchers=launchers,
                cover=self.covers[self.now],
            )
        )

    @step("SQ-Q61")
    def assailed(self, t: Firefight, destroyed: bool) -> Go:
        """A machine that is destroyed is a casualty."""
        self.lost += destroyed
        self.now += 1
        return Go("turn_to")

    @step("SQ-CQB-07", "SQ-CQB-09")
    def roll(self, t: Firefight) -> Throw:
        """A die for each attack."""
        u, target = t.units[self.by.unit], t.units[self.targets[self.now]]
        again = ones_are_thrown_again(t, u.traits)
        reads = at_least(2, self._needed(t)[0]) if again else at_least(self._needed(t)[0])
        words = f"{does(u.name, 'strikes')} at {target.name}"
        return Throw(Pool(self.shares[self.now]), reads=reads, side=u.side, words=words)

    @step("SQ-CQB-09", "SQ-TRT-07", "SQ-ORG-55")
    def read(self, t: Firefight, roll: Roll) -> Go | None:
        """Against the CQB value; Improved Close Combat throws 1s again."""
        self.faces = roll
        if ones_are_thrown_again(t, t.units[self.by.unit].traits) and 1 in roll:
            return None
        return self._hit(t, roll, ())

    @step("SQ-TRT-07", "SQ-Q46")
    def roll_ones_again(self, t: Firefight) -> Throw:
        """Each 1 once."""
        u = t.units[self.by.unit]
        reads = at_least(self._needed(t)[0])
        return Throw(Pool(self.faces.count(1)), reads=reads, side=u.side, words=f"1s of {u.name} are thrown again")

    @step("SQ-TRT-07")
    def read_again(self, t: Firefight, roll: Roll) -> Go:
        """What they show now counts."""
        fresh = iter(roll)
        faces = tuple([next(fresh) if face == 1 else face for face in self.faces])
        return self._hit(t, faces, self.faces)

    def _hit(self, t: Firefight, faces: Roll, before: Roll) -> Go:
        needed = self._needed(t)
        self.hits = hits_of(faces, needed[0])
        t.tell(StruckByHand(self.by.unit, self.targets[self.now], faces, before, needed[0], self.hits))
        return Go("roll_to_wound" if self.hits and len(needed) > 1 else "save")

    @step("SQ-Q54")
    def roll_to_wound(self, t: Firefight) -> Throw:
        """House rule: a walker that has hit rolls whether it wounds."""
        u = t.units[self.by.unit]
        needed = self._needed(t)[1]
        return Throw(Pool(self.hits), reads=at_least(needed), side=u.side, words=f"{u.name}: wounds on {needed}+")

    @step("SQ-Q54")
    def wound(self, t: Firefight, roll: Roll) -> None:
        """Only these have to be saved."""
        needed = self._needed(t)[1]
        self.hits = hits_of(roll, needed)
        t.tell(StruckByHand(self.by.unit, self.targets[self.now], roll, (), needed, self.hits))

    @step("SQ-CQB-10", "SQ-Q22", "SQ-Q63", "SQ-ORG-55")
    def save(self, t: Firefight) -> Run:
        """Armour or cover as is appropriate; against a walker armour is none."""
        target, cover = self.targets[self.now], self.covers[self.now]
        return Run(
            TakeHits(
                unit=target,
                hits=self.hits,
                may_be_hit=t.units[target].models,
                cover=cover,
                flame=no_cover(cover),
                armour=t.units[self.by.unit].kind != "walker",
            )
        )

    @step("SQ-CQB-11", "SQ-Q63")
    def count(self, t: Firefight, lost: int) -> Go:
        """Each unsaved hit is a casualty; a unit without models is out of play."""
        target = self.targets[self.now]
        self.lost += lost
        if not t.units[target].models:
            destroy(t, target, "is wiped out")
        self.now += 1
        return Go("turn_to")

    def _needed(self, t: Firefight) -> tuple[int, ...]:
        return to_hit_by_hand(t, t.units[self.by.unit].kind, rating_of(t, self.by.unit))

    def _extra(self, t: Firefight) -> Extra:
        u = t.units[self.by.unit]
        return extra_attacks(t, u.kind, self.by.models, self.number == 1, self.assaults, u.traits)

    def _own(self, t: Firefight) -> int:
        u = t.units[self.by.unit]
        return self.by.models if u.on_foot else attacks_of_machine(t, u.kind, rating_of(t, u.id))


class MopUp(Procedure):
    """A unit of the side that lost more has to hold, or is out of play (SQ-CQB-11 to 13)."""

    unit: int
    behind: int
    officer: bool = False

    @step("SQ-CQB-11", "SQ-S21")
    def roll(self, t: Firefight) -> Throw:
        """A check of morale."""
        u = t.units[self.unit]
        self.officer = officer_near(t, self.unit)
        reads = reading_of_a_check(t, morale_of(t, self.unit), to_hold(t, self.behind, self.officer))
        words = f"Mop-up: {does(u.name, 'has')} to hold"
        return Throw(Pool(dice_of_a_check(t)), reads=reads, side=u.side, words=words)

    @step("SQ-CQB-12", "SQ-CQB-13", "SQ-Q07")
    def hold(self, t: Firefight, roll: Roll) -> None:
        """Passed, it fights on; failed, it is taken out of play."""
        parts, morale = to_hold(t, self.behind, self.officer), morale_of(t, self.unit)
        passed = passes(t, roll, morale, parts)
        t.tell(MoraleChecked(self.unit, roll, parts, morale, passed, "mop-up check", "SQ-CQB-11"))
        if not passed:
            destroy(t, self.unit, "is overcome")


class Consolidation(Procedure):
    """A winner may move up to 3 inches, and is Pinned either way (SQ-CQB-15 to 17)."""

    unit: int

    @step("SQ-ORG-29", "SQ-Q53")
    def last_model(self, t: Firefight) -> End | None:
        """The fight is over: a last single model leaves."""
        last_one_leaves(t, self.unit)
        return None if t.units[self.unit].in_play else End()

    @step("SQ-CQB-15")
    def offer(self, t: Firefight) -> Ask | Go:
        """It may move."""
        decision = Consolidate(side=t.units[self.unit].side, unit=self.unit)
        return ask(decision) if decision.options(t).several() else Go("hold_it")

    @step("SQ-CQB-15", "SQ-Q63")
    def take_ground(self, t: Firefight, choice: Move | HoldGround) -> None:
        """It stands where it has moved."""
        if isinstance(choice, Move):
            t.put({m: path[-1] for m, path in choice.paths})
            t.tell(TookGround(self.unit))

    @step("SQ-TRT-17", "SQ-Q37")
    def frighten(self, t: Firefight) -> Run:
        """Those who have come within 10 inches of a Terrifying enemy are tested."""
        return Run(Terror(unit=self.unit))

    @step("SQ-CQB-16", "SQ-CQB-17")
    def hold_it(self, t: Firefight) -> None:
        """It is Pinned, and has to un-pin in the normal way."""
        pin(t, self.unit)


# --- who strikes first -----------------------------------------------------------------------------------------------


class Contender(NamedTuple):
    """What counts for the initiative of a unit."""

    first: bool
    """Whether it is the first round."""
    started: bool = False
    """Whether it began the fight, alone against one or with others against one (SQ-CQS-12)."""
    rating: int = 0
    """Its CQB value, lower being better; 0 for who has none."""
    against: int = 0
    """The best of its enemies'; 0 where none has one."""
    watching: bool = False
    """Whether it was assaulted while it was on overwatch."""
    second: bool = False
    """Whether it is the second unit, or a later one, of a multiple assault."""
    traits: tuple[str, ...] = ()


@rule("SQ-CQB-02", stages=("start", "rating", "overwatch", "second", "specialist"))
def initiative(b: HasBook, c: Contender) -> Sum:
    """Each side rolls a die to see who strikes first."""
    return ()


@initiative.amended_by("SQ-CQB-03", "SQ-CQS-12", stage="start")
def who_began_has_the_better_of_it(parts: Sum, b: HasBook, c: Contender) -> Sum:
    """In the first round the side that began the fight adds 1; not one unit that assaults two."""
    return (*parts, Term(1, "SQ-CQB-03", "It began the fight")) if c.first and c.started else parts


@initiative.amended_by("SQ-CQB-04", "SQ-Q21", stage="rating")
def the_better_fighters_have_the_better_of_it(parts: Sum, b: HasBook, c: Contender) -> Sum:
    """In every round the higher rating, which is the lower number, adds 1."""
    better = 0 < c.rating < c.against
    return (*parts, Term(1, "SQ-CQB-04", "Higher CQB rating")) if better else parts


@initiative.amended_by("SQ-CQS-04", stage="overwatch")
def who_watched_is_ready(parts: Sum, b: HasBook, c: Contender) -> Sum:
    """In the first round a unit that was on overwatch adds 1."""
    return (*parts, Term(1, "SQ-CQS-04", "On overwatch")) if c.first and c.watching else parts


@initiative.amended_by("SQ-CQS-09", "SQ-Q25", stage="second")
def the_second_unit_takes_them_in_the_flank(parts: Sum, b: HasBook, c: Contender) -> Sum:
    """The second unit of a multiple assault, and each later one, adds 1."""
    return (*parts, Term(1, "SQ-CQS-09", "Second unit of the assault")) if c.second else parts


@initiative.amended_by("SQ-TRT-02", stage="specialist")
def specialists_are_quick(parts: Sum, b: HasBook, c: Contender) -> Sum:
    """In the first round a CQB Specialist adds 1, assaulting or assaulted."""
    quick = c.first and "cqb-specialist" in c.traits
    return (*parts, Term(1, "SQ-TRT-02", "CQB Specialist")) if quick else parts


@rule("SQ-CQS-05", "SQ-Q23", stages=("pinned", "open"))
def strikes_second(b: HasBook, first: bool, in_cover: bool, pinned: bool) -> str:
    """By which clause the assaulted strike second without a roll; empty where both roll."""
    return ""


@strikes_second.amended_by("SQ-CQB-05", "SQ-CQB-06", stage="pinned")
def the_pinned_strike_second(found: str, b: HasBook, first: bool, in_cover: bool, pinned: bool) -> str:
    """In the first round a Pinned unit strikes second, whatever its rating."""
    return "SQ-CQB-05" if first and pinned else found


@strikes_second.amended_by("SQ-CQS-06", "SQ-Q23", stage="open")
def who_is_in_the_open_strikes_second(found: str, b: HasBook, first: bool, in_cover: bool, pinned: bool) -> str:
    """In the first round who is not in cover strikes second, on overwatch or not."""
    return "SQ-CQS-06" if first and not in_cover else found


@rule("SQ-Q20", stages=("house",))
def on_a_tie(b: HasBook) -> Tie:
    """Who has the same initiative strikes at the same time."""
    return "together"


@on_a_tie.amended_by("SQ-Q20", stage="house", house={"initiative_tie": "reroll"})
def ties_are_rolled_again(found: Tie, b: HasBook) -> Tie:
    """House rule: those who are equal roll again."""
    return "again"


@on_a_tie.amended_by("SQ-Q20", stage="house", house={"initiative_tie": "defender"})
def ties_go_to_the_defender(found: Tie, b: HasBook) -> Tie:
    """House rule: the assaulted strike first."""
    return "defender"


class Score(msgspec.Struct, frozen=True):
    """The initiative of a unit."""

    unit: int
    assaults: bool
    score: int | None
    """None for who strikes second without a roll."""


@rule("SQ-CQB-02", "SQ-Q20", "SQ-Q25")
def striking_order(b: HasBook, scores: Sequence[Score]) -> tuple[tuple[int, ...], ...]:
    """Units strike in descending order, equal ones together; who strikes second without a roll is last."""
    found: list[tuple[int, ...]] = []
    for value in sorted({s.score for s in scores if s.score is not None}, reverse=True):
        equal = [s for s in scores if s.score == value]
        if on_a_tie(b) == "defender":
            found += [
                tuple([s.unit for s in equal if s.assaults is side])
                for side in (False, True)
                if any(s.assaults is side for s in equal)
            ]
        else:
            found.append(tuple([s.unit for s in equal]))
    last = tuple([s.unit for s in scores if s.score is None])
    return (*found, last) if last else tuple(found)


def to_roll_again(b: HasBook, scores: Sequence[Score]) -> tuple[int, ...]:
    """The units that roll again: those that are equal to an enemy, where ties are rolled again."""
    if on_a_tie(b) != "again":
        return ()
    return tuple(
        [
            s.unit
            for s in scores
            if s.score is not None and any(o.score == s.score and o.assaults is not s.assaults for o in scores)
        ]
    )


@rule("SQ-CQB-08", "SQ-CQS-11", stages=("walker", "specialist", "house"))
def extra_attacks(
    b: HasBook, kind: Kind, models: int, first: bool, assaults: bool, traits: tuple[str, ...] = ()
) -> Extra:
    """In the first round the assaulters have D3 more attacks, with 6 models or more D6.

    Args:
        b: The book.
        kind: What sort of unit strikes.
        models: How many models it has when it strikes.
        first: Whether it is the first round.
        assaults: Whether it is the assaulter.
        traits: Its traits.
    """
    return Extra(1, models <= FEW) if first and assaults and kind == "infantry" else NO_MORE


@extra_attacks.amended_by("SQ-ORG-56", stage="walker")
def a_walker_that_charges(
    found: Extra, b: HasBook, kind: Kind, models: int, first: bool, assaults: bool, traits: tuple[str, ...] = ()
) -> Extra:
    """A walker that charges has D3 more."""
    return Extra(1, True) if kind == "walker" and first and assaults else found


@extra_attacks.amended_by("SQ-TRT-01", "SQ-Q24", stage="specialist")
def specialists_strike_more_often(
    found: Extra, b: HasBook, kind: Kind, models: int, first: bool, assaults: bool, traits: tuple[str, ...] = ()
) -> Extra:
    """A CQB Specialist has as many dice again."""
    return found._replace(dice=found.dice + 1) if found.dice and "cqb-specialist" in traits else found


@extra_attacks.amended_by("SQ-Q28", stage="house", house={"vehicle_strikes_back": "on"})
def vehicles_strike_back(
    found: Extra, b: HasBook, kind: Kind, models: int, first: bool, assaults: bool, traits: tuple[str, ...] = ()
) -> Extra:
    """House rule: a vehicle strikes back with D6 attacks."""
    return Extra(1, False) if kind == "vehicle" else found


def count_extra(extra: Extra, faces: Sequence[int]) -> int:
    """How many attacks dice add.

    >>> count_extra(Extra(2, True), (3, 5)), count_extra(Extra(1, False), (4,))
    (5, 4)
    """
    return sum([(face + 1) // 2 if extra.halved else face for face in faces])


@rule("SQ-TRT-07", "SQ-Q46")
def ones_are_thrown_again(b: HasBook, traits: Sequence[str]) -> bool:
    """Improved Close Combat throws every 1 to hit again, once, and always does."""
    return "improved-close-combat" in traits


@rule("SQ-CQB-09", stages=("machine",))
def to_hit_by_hand(b: HasBook, kind: Kind, cqb: int) -> tuple[int, ...]:
    """What dice must reach, roll after roll, to hit soldiers: the CQB value of the striker."""
    return (cqb,)


@to_hit_by_hand.amended_by("SQ-ORG-55", "SQ-Q54", "SQ-Q28", stage="machine")
def machines_hit_in_their_own_way(found: tuple[int, ...], b: HasBook, kind: Kind, cqb: int) -> tuple[int, ...]:
    """A machine hits as `vehicle_assault` says."""
    return found if kind == "infantry" else hits_of_machine(b, kind, cqb)


# --- saves and morale ------------------------------------------------------------------------------------------------


@rule("SQ-CQB-10", "SQ-Q22", "SQ-Q63", stages=("house",))
def cover_by_hand(b: HasBook, number: int, assaulted: bool, cover: Cover) -> Cover:
    """The assaulted have the cover in which they were for the first round; assaulters have none."""
    return cover if assaulted and number == 1 else "none"


@cover_by_hand.amended_by("SQ-Q22", stage="house", house={"cover_in_cqb": "always"})
def cover_lasts(found: Cover, b: HasBook, number: int, assaulted: bool, cover: Cover) -> Cover:
    """House rule: the assaulted have it in every round."""
    return cover if assaulted else "none"


@cover_by_hand.amended_by("SQ-Q22", stage="house", house={"cover_in_cqb": "never"})
def cover_does_not_help(found: Cover, b: HasBook, number: int, assaulted: bool, cover: Cover) -> Cover:
    """House rule: nobody has any."""
    return "none"


@rule("SQ-CQB-11", stages=("officer",))
def to_hold(b: HasBook, behind: int, officer: bool) -> Sum:
    """The mop-up check has 1 taken off for each casualty that the side suffered beyond the winner's."""
    return (Term(-behind, "SQ-CQB-11", "Casualties beyond theirs"),) if behind else ()


@to_hold.amended_by("SQ-S21", stage="officer")
def an_officer_holds_them(parts: Sum, b: HasBook, behind: int, officer: bool) -> Sum:
    """An Officer near by adds 1."""
    return (*parts, *officer_adds(b, officer))


@rule("SQ-CQB-11", "SQ-CQB-14", "SQ-ORG-46", stages=("fearless",))
def must_hold(b: HasBook, own: int, theirs: int, traits: Sequence[str]) -> bool:
    """Who lost more in this round takes a check at once; with equal casualties nobody does."""
    return own > theirs


@must_hold.amended_by("SQ-TRT-05", "SQ-Q35", stage="fearless")
def the_fearless_hold(found: bool, b: HasBook, own: int, theirs: int, traits: Sequence[str]) -> bool:
    """A Fearless unit passes without a roll."""
    return found and "fearless" not in traits


@rule("SQ-CQB-12", "SQ-CQB-14", "SQ-Q48", stages=("house",))
def rounds_at_once(b: HasBook) -> int:
    """How many rounds are fought at once: until one side is gone, but no more than six."""
    return ROUNDS


@rounds_at_once.amended_by("SQ-Q48", stage="house", house={"cqb_rounds": "one_per_turn"})
def a_round_a_turn(found: int, b: HasBook) -> int:
    """House rule: one now, and one at the end of each player's turn after it, without a limit."""
    return 1


def lasts_from_turn_to_turn(b: HasBook) -> bool:
    """Whether a fight that is undecided goes on in the turns to come."""
    return rounds_at_once(b) < ROUNDS


# --- exact forecasts -------------------------------------------------------------------------------------------------


class Fighter(NamedTuple):
    """What of soldiers matters in close quarters."""

    models: int
    cqb: int
    morale: int
    armour: int
    traits: tuple[str, ...] = ()
    pinned: bool = False
    watching: bool = False
    officer: bool = False
    """Whether an unpinned Officer of its side is near."""


class After(NamedTuple):
    """How a round ends: the models left on either side, 0 for a side that is out of play."""

    assaulters: int
    defenders: int


def who_first(b: HasBook, a: Fighter, d: Fighter, cover: Cover, number: int) -> Distribution[int]:
    """How likely the assaulters strike first (1), both at once (0), or the assaulted first (-1)."""
    if strikes_second(b, number == 1, cover != "none", d.pinned):
        return Distribution.certain(1)
    mine = total(initiative(b, Contender(number == 1, True, a.cqb, d.cqb, False, False, a.traits)))
    theirs = total(initiative(b, Contender(number == 1, False, d.cqb, a.cqb, d.watching, False, d.traits)))
    tie, found = on_a_tie(b), {1: 0, 0: 0, -1: 0}
    for x in FACES:
        for y in FACES:
            ahead = x + mine - y - theirs
            if ahead == 0 and tie == "again":
                continue
            found[(ahead > 0) - (ahead < 0) if ahead or tie == "together" else -1] += 1
    return Distribution(found)


def felled(
    b: HasBook, striker: Fighter, target: Fighter, cover: Cover, number: int, assaults: bool
) -> Distribution[int]:
    """How many of the target fall to one striker in a round, exactly.

    Args:
        b: The book.
        striker: Who strikes, with the models that it has left.
        target: Who is struck.
        cover: The cover in which the assaulted were.
        number: Which round it is, from 1.
        assaults: Whether the striker is the assaulter.
    """
    if not striker.models or not target.models:
        return Distribution.certain(0)
    extra = extra_attacks(b, "infantry", striker.models, number == 1, assaults, striker.traits)
    cover = cover_by_hand(b, number, assaults, cover)
    by_cover = cover_save(b, cover, target.pinned, no_cover(cover))
    met = tuple([s.needed for s in saves(b, armour_save(b, target.armour, 0), by_cover)])
    (needed,) = to_hit_by_hand(b, "infantry", striker.cqb)

    def with_more(more: int) -> Distribution[int]:
        volley = Volley(
            shots=striker.models + more,
            dice=0,
            needed=needed,
            reroll=ones_are_thrown_again(b, striker.traits),
            saves=met,
            ignore=ignores_wounds_on(b, target.traits),
        )
        return fallen((volley,), target.models).map(lambda end: end.casualties)

    return sums_of(extra).then(with_more)


@lru_cache(maxsize=64)
def sums_of(extra: Extra) -> Distribution[int]:
    """How many attacks some dice add, exactly."""
    found = Distribution.certain(0)
    one = Distribution([(count_extra(extra, (face,)), 1) for face in FACES])
    for _ in range(extra.dice):
        found = found.then(lambda so_far: one.map(lambda more: so_far + more))
    return found


def round_of(b: HasBook, a: Fighter, d: Fighter, cover: Cover = "none", number: int = 1) -> Distribution[After]:
    """How one round of one squad against another ends, exactly: initiative, blows, and the mop-up.

    Args:
        b: The book.
        a: The assaulters.
        d: The assaulted.
        cover: The cover in which the assaulted were before they were assaulted.
        number: Which round it is, from 1.
    """
    known = known_odds("round of close quarters", b.book, After, __package__)
    key = (a, d, cover, number)
    found = known.get(key)
    if found is None:
        found = _round_of(b, a, d, cover, number)
        known.keep(key, found)
    return found


def _round_of(b: HasBook, a: Fighter, d: Fighter, cover: Cover, number: int) -> Distribution[After]:
    def blows(first: int) -> Distribution[tuple[int, int]]:
        if first == 0:
            mine, theirs = felled(b, a, d, cover, number, True), felled(b, d, a, cover, number, False)
            return mine.then(lambda x: theirs.map(lambda y: (a.models - y, d.models - x)))
        if first > 0:
            return felled(b, a, d, cover, number, True).then(
                lambda x: felled(b, d._replace(models=d.models - x), a, cover, number, False).map(
                    lambda y: (a.models - y, d.models - x)
                )
            )
        return felled(b, d, a, cover, number, False).then(
            lambda y: felled(b, a._replace(models=a.models - y), d, cover, number, True).map(
                lambda x: (a.models - y, d.models - x)
            )
        )

    def mop_up(left: tuple[int, int]) -> Distribution[After]:
        mine, theirs = left
        if not mine or not theirs:
            return Distribution.certain(After(mine, theirs))
        own, their_own = a.models - mine, d.models - theirs
        behind = abs(own - their_own)
        for who, lost, other, end in (
            (a, own, their_own, After(0, theirs)),
            (d, their_own, own, After(mine, 0)),
        ):
            if must_hold(b, lost, other, who.traits):
                held = chance_to_pass(b, who.morale, to_hold(b, behind, who.officer))
                return Distribution.of(((After(mine, theirs), held), (end, 1 - held)))
        return Distribution.certain(After(mine, theirs))

    return who_first(b, a, d, cover, number).then(blows).then(mop_up)


def fight_to_the_end(b: HasBook, a: Fighter, d: Fighter, cover: Cover = "none") -> Distribution[After]:
    """How a fight that is fought at once ends, exactly; both sides are left where six rounds decide nothing."""
    known: dict[tuple[After, int], Distribution[After]] = {}
    found = Distribution.certain(After(a.models, d.models))
    for number in range(1, ROUNDS + 1):

        def go_on(left: After, number: int = number) -> Distribution[After]:
            if not left.assaulters or not left.defenders:
                return Distribution.certain(left)
            # All rounds but the first are alike.
            key = (left, min(number, 2))
            if key not in known:
                mine, theirs = a._replace(models=left.assaulters), d._replace(models=left.defenders)
                known[key] = round_of(b, mine, theirs, cover, number)
            return known[key]

        found = found.then(go_on)
    return found


def fighter(t: Firefight, unit: int) -> Fighter:
    """What of a unit on foot matters in close quarters, as it stands."""
    u, row = t.units[unit], t.profile(unit)
    return Fighter(
        models=len(u.models),
        cqb=row.number("cqb"),
        morale=row.number("morale"),
        armour=row.number("armour"),
        traits=u.traits,
        pinned=u.pinned,
        watching=u.watching > 0,
        officer=officer_near(t, unit),
    )


def no_cover(cover: Cover) -> bool:
    """Whether no save by cover is taken at all: in the open not even being Pinned helps in close quarters."""
    return cover == "none"


# --- who fights ------------------------------------------------------------------------------------------------------


def rating_of(t: Firefight, unit: int) -> int:
    """The CQB value of a unit; 0 for a machine that has none (SQ-Q21)."""
    u = t.units[unit]
    return t.profile(unit).number("cqb") if u.on_foot else t.vehicle(unit).number("cqb")


def alive(t: Firefight, units: Sequence[int]) -> tuple[int, ...]:
    """Those of some units that are still on the table."""
    return tuple([u for u in units if t.units[u].in_play])


def on_foot(t: Firefight, units: Sequence[int]) -> tuple[int, ...]:
    """Those of some units that are on the table, and soldiers."""
    return tuple([u for u in alive(t, units) if t.units[u].on_foot])


def last_one_leaves(t: Firefight, unit: int) -> None:
    """When a fight has ended a last single model is taken away (SQ-ORG-29, SQ-Q53)."""
    u = t.units[unit]
    if u.in_play and u.on_foot and last_model_leaves(t, u.starting, len(u.models), u.traits):
        destroy(t, unit, LAST_MODEL)


# --- who strikes -----------------------------------------------------------------------------------------------------


class Striker(msgspec.Struct, frozen=True):
    """A unit as it is when its turn to strike comes."""

    unit: int
    models: int
    launchers: tuple[int, ...] = ()
    """Its models that carry an anti-tank weapon that may be used."""


class Ground3(Routes):
    """Where a winner may go: 3 inches, terrain being no matter, and not near another enemy (SQ-Q63)."""

    def __init__(self, t: Firefight, unit: int) -> None:
        super().__init__(t, unit)
        self.limit = self.most = CONSOLIDATE

    def cost(self, ground: Ground, path: Path) -> int:
        """Ways count by their length alone."""
        return path_length(path)


def step_back(t: Firefight, unit: int, enemies: Sequence[int], apart: int) -> None:
    """A unit goes back until all its models are more than so far from those it has fought (SQ-Q48, SQ-Q61).

    It goes as a whole by the shortest step in a direction away from them that leaves it on free ground and off other
    enemies; where there is none, model by model to the nearest place with room.

    Args:
        t: The firefight.
        unit: The unit.
        enemies: Those it has fought.
        apart: How far from them, in tenths of a millimetre; it stands farther than this.
    """
    foes = [body for enemy in alive(t, enemies) for body in bodies(t, enemy)]
    mine = bodies(t, unit)
    if not mine or all(not near_to(a, b, apart) for a in mine for b in foes):
        return
    u = t.units[unit]
    places = {m: t.models[m].at or (0, 0) for m in u.models}
    routes = Routes(t, unit, anywhere=True)
    after = _back_as_one(t, routes, places, foes, apart) or _back_one_by_one(t, routes, places, foes, apart)
    t.put(after)
    t.tell(SteppedBack(unit))


def _back_as_one(
    t: Firefight, routes: Routes, places: dict[int, Point], foes: Sequence[Any], apart: int
) -> dict[int, Point] | None:
    """The shortest step of a whole unit; the direction straight away from the nearest enemy first."""
    nearest = min(foes, key=lambda f: min([gap_between(f, body_at(t, m, p)) for m, p in places.items()]))
    middle = (sum([x for x, _ in places.values()]), sum([y for _, y in places.values()]))
    away = (middle[0] - nearest[0] * len(places), middle[1] - nearest[1] * len(places))
    ways = sorted(directions(32), key=lambda d: -(d[0] * away[0] + d[1] * away[1]))[:17]
    for length in range(INCH // 8, apart + 6 * INCH, INCH // 8):
        for towards in ways:
            after = {m: point_along(p, towards, length) for m, p in places.items()}
            if any(near_to(body_at(t, m, p), f, apart) for m, p in after.items() for f in foes):
                continue
            wrong = routes.standing(after)
            if wrong is None or wrong.guard.code in ("close-up", "straggles"):
                return after
    return None


def _back_one_by_one(
    t: Firefight, routes: Routes, places: dict[int, Point], foes: Sequence[Any], apart: int
) -> dict[int, Point]:
    """The nearest place with room for each model, those nearest to the enemy last."""
    ground = routes.bare.with_solid(tuple([o.body for o in routes.others]))
    taken: list[tuple[int, int, int]] = []
    found: dict[int, Point] = {}
    for m in sorted(places, key=lambda m: (-min([gap_between(body_at(t, m, places[m]), f) for f in foes]), m)):
        r = routes.radius

        def suits(p: Point, r: int = r) -> bool:
            return not any(near_to((*p, r), f, apart) for f in foes)

        at = nearest_free(ground, places[m], r, taken, suits=suits) or places[m]
        taken.append((*at, r))
        found[m] = at
    return found


# --- what is asked ---------------------------------------------------------------------------------------------------


class ShareAmong(Action, frozen=True):
    """Share attacks among enemies, in their order."""

    attacks: tuple[int, ...]


class ShareAttacks(Offered, frozen=True, kw_only=True):
    """How many attacks go at each enemy?"""

    unit: int
    attacks: int
    targets: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQS-10", "SQ-Q25", "SQ-Q26")
    hint: ClassVar[str] = (
        "Every model strikes once, and the extra attacks may go anywhere. The dice are thrown when all are shared out."
    )

    def options(self, t: Firefight) -> Listed:
        """Every way to share them, the most even first."""
        name, count = t.units[self.unit].name, len(self.targets)

        def uneven(shares: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
            return max(shares) - min(shares), tuple([-n for n in shares])

        def why_not(action: Any) -> Refusal | None:
            if not isinstance(action, ShareAmong):
                return None
            given = len(action.attacks)
            return (
                OTHER_ENEMIES.refuses(given != count, name=name, count=count, given=given)
                or BELOW_NOTHING.refuses(any(n < 0 for n in action.attacks))
                or OTHER_SUM.refuses(
                    sum(action.attacks) != self.attacks, name=name, count=self.attacks, given=sum(action.attacks)
                )
            )

        return Listed([ShareAmong(s) for s in sorted(_shares(self.attacks, count), key=uneven)], why_not, "SQ-CQS-10")

    def prompt(self, t: Firefight) -> str:
        """The question."""
        return f"{does(t.units[self.unit].name, 'shares')} {quantity(self.attacks, 'attack')}: how many at each?"

    def offers(self, t: Firefight) -> list[Offer]:
        """Each way in words."""
        names = [t.units[u].name for u in self.targets]
        return [
            Offer(
                action=a,
                words=", ".join(f"{n} at {name}" for n, name in zip(a.attacks, names, strict=True)),
                unit=self.unit,
            )
            for a in self.options(t)
        ]


def _shares(attacks: int, count: int) -> Iterator[tuple[int, ...]]:
    """Every way to share attacks among so many."""
    if count == 1:
        yield (attacks,)
        return
    for first in range(attacks, -1, -1):
        for rest in _shares(attacks - first, count - 1):
            yield (first, *rest)


class HoldGround(Action, frozen=True):
    """Stay where the fight has ended."""


class ConsolidateOptions(Options):
    """Where a winner may stand."""

    __slots__ = ("decision", "routes", "t")

    def __init__(self, t: Firefight, decision: Consolidate) -> None:
        self.t, self.decision = t, decision
        self.routes = Ground3(t, decision.unit)

    def refusal(self, action: Any) -> Refusal | None:
        """Why it may not go there; a place near it goes with it."""
        if isinstance(action, HoldGround):
            return None
        name = self.routes.u.name
        if not isinstance(action, Move) or action.unit != self.decision.unit or action.jump or action.off:
            return (NOT_THE_WINNER.refuses(True, name=name) or not_an_option("SQ-CQB-15")).towards(HoldGround())
        wrong = self.routes.wrong(action)
        found = None if wrong is None else wrong.refusal()
        if found is None:
            return None
        longest = max([path_length(p) for _, p in action.paths], default=0)
        found = BEYOND_THREE.refuses(longest > CONSOLIDATE, name=name, limit=CONSOLIDATE, length=longest) or found
        near = self.routes.nearest(action)
        legal = near is not None and self.routes.legal(near)
        return found.towards(Move.of_way(self.routes, near) if near is not None and legal else HoldGround())

    def __iter__(self) -> Iterator[Any]:
        """To stay, then ways in eight directions."""
        yield HoldGround()
        for way in self.routes.moves():
            if not way.off:
                yield Move.of_way(self.routes, way)

    def sample(self, dice: Dice) -> Any:
        """To stay one time in four; else some way."""
        way = self.routes.sample(dice) if dice.below(4) else None
        return HoldGround() if way is None or way.off else Move.of_way(self.routes, way)


class Consolidate(Offered, frozen=True, kw_only=True):
    """Where does the winner stand?"""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-15", "SQ-Q63")
    hint: ClassVar[str] = "A free move of 3 inches, not within 2 inches of another enemy. Then it is Pinned."

    def options(self, t: Firefight) -> ConsolidateOptions:
        """Up to 3 inches, or not at all."""
        return ConsolidateOptions(t, self)

    def prompt(self, t: Firefight) -> str:
        """The question."""
        return f"{does(t.units[self.unit].name, 'has')} won: move up to 3 inches?"

    def offers(self, t: Firefight) -> list[Offer]:
        """To stay."""
        return [Offer(action=HoldGround(), words="Stay here", unit=self.unit)]

    def regions(self, t: Firefight) -> list[Region]:
        """Its way."""
        return [Region(form="move", unit=self.unit, words="Consolidate", bands=((CONSOLIDATE, 0),), act="consolidate")]

    def propose(self, t: Firefight, wish: Wish) -> Proposal:
        """A drag of the unit."""
        options = self.options(t)
        routes = options.routes
        if wish.unit != self.unit or wish.to is None:
            return super().propose(t, wish)
        way = routes.drawn((*wish.waypoints, wish.to), wish.models or None)
        if way is None:
            return Proposal(refusal=(NOT_THE_WINNER.refuses(True, name=routes.u.name) or not_an_option("SQ-CQB-15")))
        act, wrong = Move.of_way(routes, way), routes.wrong(way)
        length = max([path_length(p) for _, p in act.paths], default=0)
        return Proposal(
            action=act if wrong is None else None,
            paths=dict(act.paths),
            length=length,
            left=max(CONSOLIDATE - length, 0),
            refusal=options.refusal(act),
            faults=() if wrong is None else wrong.at,
        )


# --- what is told ----------------------------------------------------------------------------------------------------


class CameToBlows(Event, frozen=True):
    """Units have come to blows."""

    assaulters: tuple[int, ...]
    defenders: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("SQ-ACT-04", "SQ-CQB-01")

    def sentence(self, t: Firefight) -> str:
        """The units that fight each other."""
        mine = " and ".join(t.units[u].name for u in self.assaulters)
        return f"{mine} and {' and '.join(t.units[u].name for u in self.defenders)} come to blows"

    def touches(self) -> tuple[int, ...]:
        """All of them."""
        return (*self.assaulters, *self.defenders)


class StrikesSecond(Event, frozen=True):
    """A unit strikes second without a roll."""

    unit: int
    clause: str
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-05", "SQ-CQS-06")

    def sentence(self, t: Firefight) -> str:
        """Which, and why."""
        why = "Pinned" if self.clause == "SQ-CQB-05" else "caught in the open"
        return f"{does(t.units[self.unit].name, 'is')} {why}, and {agreeing(t.units[self.unit].name, 'strikes')} second"


class RolledInitiative(Event, frozen=True):
    """A unit has rolled for the initiative."""

    unit: int
    face: int
    parts: Sum
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-02",)

    def sentence(self, t: Firefight) -> str:
        """The die, and what was added."""
        added = f" {total(self.parts):+d}" if self.parts else ""
        return f"{t.units[self.unit].name}, initiative: {self.face}{added} = {self.face + total(self.parts)}"

    def reading(self, t: Firefight) -> Reading:
        """The die with its sum."""
        u = t.units[self.unit]
        return Reading(
            words=f"{u.name}: initiative",
            side=u.side,
            unit=self.unit,
            added=True,
            terms=reasons(self.parts),
            dice=dice_read((self.face,), 7, ""),
            came=str(self.face + total(self.parts)),
        )

    def motion(self, t: Firefight) -> Motion:
        """The die."""
        return Motion(sort="dice", unit=self.unit)


class MoreAttacks(Event, frozen=True):
    """A unit's extra attacks were rolled."""

    unit: int
    faces: tuple[int, ...]
    more: int
    attacks: int
    """All that it has."""
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-08",)

    def sentence(self, t: Firefight) -> str:
        """How many."""
        return f"{does(t.units[self.unit].name, 'has')} {quantity(self.more, 'extra attack')}, {self.attacks} in all"


class StruckByHand(Event, frozen=True):
    """A unit has struck at soldiers."""

    unit: int
    target: int
    faces: tuple[int, ...]
    before: tuple[int, ...]
    """What the dice showed before 1s were thrown again; empty where none were."""
    needed: int
    hits: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-09",)

    def sentence(self, t: Firefight) -> str:
        """The dice, and how many hit."""
        rolled = " ".join(map(str, self.faces))
        names = t.units[self.unit].name, t.units[self.target].name
        return f"{does(names[0], 'strikes')} at {names[1]} on {self.needed}+: {rolled}: {quantity(self.hits, 'hit')}"

    def touches(self) -> tuple[int, ...]:
        """Both units."""
        return (self.unit, self.target)

    def reading(self, t: Firefight) -> Reading:
        """Die by die, with how many were to be expected."""
        u = t.units[self.unit]
        mean = len(self.faces) * chance_of(self.needed, ones_are_thrown_again(t, u.traits))
        return Reading(
            words=f"{u.name}: close quarters",
            side=u.side,
            unit=self.unit,
            target=self.target,
            dice=dice_read(self.faces, self.needed, "hit", self.before),
            came=quantity(self.hits, "hit"),
            tallies=(tally(u.side, "hits", self.hits, mean),),
        )

    def motion(self, t: Firefight) -> Motion:
        """Blows."""
        return Motion(sort="blow", unit=self.unit, target=self.target)


class TookGround(Event, frozen=True):
    """A winner has consolidated its position."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-CQB-15",)

    def sentence(self, t: Firefight) -> str:
        """Who."""
        return f"{does(t.units[self.unit].name, 'consolidates')}"

    def motion(self, t: Firefight) -> Motion:
        """Forward."""
        return Motion(sort="move", unit=self.unit)


class SteppedBack(Event, frozen=True):
    """A unit went back from a fight that nobody has won."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("SQ-Q48", "SQ-Q61")

    def sentence(self, t: Firefight) -> str:
        """Who."""
        return f"{does(t.units[self.unit].name, 'steps')} back"

    def motion(self, t: Firefight) -> Motion:
        """Back."""
        return Motion(sort="move", unit=self.unit)
