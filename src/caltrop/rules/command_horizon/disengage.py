"""Step 3: attempts to leave close combat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from caltrop.asking import Act, Guards, NoMore, OneOf, Pick
from caltrop.chance import SUM, Pool, Roll
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    Procedure,
    Run,
    Sum,
    Term,
    Throw,
    ask,
    back,
    guard,
    rule,
    step,
    total,
)
from caltrop.rules.command_horizon.advance import Advance
from caltrop.rules.command_horizon.aim import model_kind
from caltrop.rules.command_horizon.damage import unlock
from caltrop.rules.command_horizon.limits import longest
from caltrop.rules.command_horizon.reach import called
from caltrop.rules.command_horizon.records import Battle, of_dice
from caltrop.rules.command_horizon.way_out import ChooseWayOut, WaysOut, Withdraw, Withdrew

NOT_LOCKED = guard("CH-DISENGAGE-01", "not-locked", "Only a unit of yours that is locked in close combat can leave it")
TRIED = guard("Q-DIS-8", "tried", "{name:has} tried to leave this turn and can only fight")
STUNNED = guard(
    ("Q-DIS-4", "CH-PUTSTUN-01"), "stunned", "{name:has} Stun markers: Putredine infantry cannot move this turn"
)
NO_CP = guard(("CH-COST-14", "Q-DIS-2"), "no-cp-to-leave", "An attempt costs 1 CP or more, and you have {cp}")
STAKE = guard(("CH-DISENGAGE-03", "Q-DIS-2"), "stake", "The stake is {least} to {most} CP; this one is {stake}")


class DisengageStep(Procedure):
    """Step 3 of a turn: units may leave close combat."""

    side: int
    unit: int = -1
    stakes: tuple[int, int] = (0, 0)
    """Command points that the leaving unit and the other side have staked."""
    rolled: tuple[int, ...] = ()

    @step("CH-DISENGAGE-01", "CH-DISENGAGE-02", "CH-TURN-06", "Q-DIS-8")
    def offer_to_leave(self, t: Battle) -> Ask | End:
        """Each locked unit of the active player may try to leave once, one unit after another."""
        leave = LeaveCombat(side=self.side)
        return ask(leave) if leave.options(t).left() else End()

    @step("CH-DISENGAGE-02")
    def announce(self, t: Battle, choice: Any) -> End | None:
        """The attempt is announced before the players choose their stakes."""
        self.unit = -1 if choice.final else choice.unit
        over: End | None = choice.perform(t, self.side)
        return over

    @step("CH-DISENGAGE-03", "Q-DIS-2")
    def ask_for_stakes(self, t: Battle) -> Ask:
        """Both players choose their stake in secret. A player without points is not asked."""
        mine = StakePoints(side=self.side, unit=self.unit, leaving=True)
        if most_to_stake(t, 1 - self.side, False) == 0:
            return ask(mine)
        return ask(mine, StakePoints(side=1 - self.side, unit=self.unit, leaving=False))

    @step("CH-DISENGAGE-03", "CH-DISENGAGE-04", "CH-COST-14")
    def open_stakes(self, t: Battle, stakes: Stake | tuple[Stake, Stake]) -> Throw:
        every = stakes if isinstance(stakes, tuple) else (stakes, Stake(0))
        self.stakes = (every[0].points, every[1].points)
        for side, points in ((self.side, self.stakes[0]), (1 - self.side, self.stakes[1])):
            t.pay(side, (Term(points, "CH-COST-14", "staked on a contest in close combat"),), self.unit)
        t.tell(Staked(self.unit, *self.stakes))
        return Throw(Pool(self.stakes[0]), reads=SUM, side=self.side, words=f"{t.does(self.unit, 'tries')} to leave")

    @step("CH-DISENGAGE-04")
    def hold(self, t: Battle, roll: Roll) -> Throw | Go:
        """The other player rolls a die for each point staked."""
        self.rolled = roll
        if self.stakes[1] == 0:
            return Go("decide_unopposed")
        return Throw(Pool(self.stakes[1]), reads=SUM, side=1 - self.side, words="Holding on to it")

    @step("CH-DISENGAGE-05", "CH-DISENGAGE-10", "CH-DISENGAGE-11", "CH-DISENGAGE-12", "Q-DIS-1")
    def decide(self, t: Battle, roll: Roll) -> Go:
        return Go("choose_way_out" if self._leaves(t, roll) else "offer_to_leave")

    @step("CH-DISENGAGE-05", "Q-DIS-2")
    def decide_unopposed(self, t: Battle) -> Go | None:
        """If the other player has no dice, their total is 0."""
        return None if self._leaves(t, ()) else Go("offer_to_leave")

    def _leaves(self, t: Battle, holding: Roll) -> bool:
        modifier = outnumbered(t, self.unit)
        leaves = sum(self.rolled) + total(modifier) > sum(holding)
        t.tell(Contested(self.unit, self.rolled, holding, modifier, leaves))
        return leaves

    @step("CH-DISENGAGE-06", "CH-DISENGAGE-07", "Q-DIS-6", "Q-DIS-7")
    def choose_way_out(self, t: Battle) -> Ask | Go:
        """The owner chooses the path out of contact. A unit without a path out of contact stays."""
        if WaysOut(t, self.unit).best is None:
            t.tell(CannotGetAway(self.unit))
            return Go("offer_to_leave")
        return ask(ChooseWayOut(side=self.side, unit=self.unit))

    @step("CH-DISENGAGE-06", "CH-DISENGAGE-07", "CH-DISENGAGE-08")
    def withdraw(self, t: Battle, choice: Withdraw) -> Run:
        """The unit leaves the combat, moves away, and does nothing else this turn."""
        unlock(t, self.unit)
        length = longest(choice.paths)
        t.change(self.unit, disengaged=True, move_over=True, moved=length, may_fire=False)
        t.tell(Withdrew(self.unit, choice.paths, length))
        return Run(Advance(side=self.side, unit=self.unit, paths=choice.paths))

    next_unit = back("offer_to_leave", "Q-DIS-8")


@rule("Q-DIS-2", "CH-CP-12", "Q-CP-3", stages=("house",))
def most_to_stake(t: Battle, side: int, leaving: bool) -> int:
    return t.armies[side].cp


@most_to_stake.amended_by("Q-CP-3", stage="house", house={"cp.savedForDisengage": "no"})
def saved_points_are_for_reaction_fire_only(most: int, t: Battle, side: int, leaving: bool) -> int:
    """House rule: saved command points cannot be staked."""
    return most if leaving else 0


def _bases(t: Battle, unit: int) -> int:
    return len(t.units[unit].models)


@rule("Q-DIS-3", stages=("count",))
def strength_in_combat(t: Battle, unit: int) -> int:
    return _bases(t, unit)


@strength_in_combat.amended_by("Q-DIS-3", stage="count", house={"disengage.count": "figures"})
def figures_are_counted(value: int, t: Battle, unit: int) -> int:
    """House rule: figures are counted instead of bases; a Heavy Weapon base counts as 4."""
    return sum(model_kind(t, m).number("figures") for m in t.units[unit].models)


@rule("CH-DISENGAGE-12", "CH-DISENGAGE-13", "Q-DIS-3", "Q-DIS-5")
def outnumbered(t: Battle, unit: int) -> Sum:
    """If the enemies locked with a leaving unit outnumber it N to 1, with N of 2 or more, it subtracts N."""
    enemies = sum(strength_in_combat(t, e) for e in t.units[unit].locked)
    ratio = enemies // max(1, strength_in_combat(t, unit))
    if ratio < 2:
        return ()
    clause = "CH-DISENGAGE-12" if ratio == 2 else "CH-DISENGAGE-13"
    return (Term(-ratio, clause, f"outnumbered {ratio} to 1"),)


# --- decisions -------------------------------------------------------------------------------------------------------


class Leave(Act, frozen=True):
    """Try to leave close combat with a unit."""

    unit: Annotated[
        int, Pick(lambda t, side: [i for i in t.in_play(side) if t.units[i].locked], NOT_LOCKED, shown=called)
    ]

    words = "Try to leave with {unit}{modifier}"
    says: ClassVar[Mapping[str, Any]] = {
        "modifier": lambda t, unit: f" ({modifier})" if (modifier := total(outnumbered(t, unit))) else ""
    }
    guards = Guards(
        (TRIED, lambda t, unit: t.units[unit].tried_to_leave),
        (STUNNED, lambda t, unit: t.units[unit].frozen),
        (NO_CP, lambda t, side: t.armies[side].cp < 1),
        name="unit",
        cp=lambda t, side: t.armies[side].cp,
    )

    def perform(self, t: Battle, side: int) -> None:
        t.change(self.unit, tried_to_leave=True)
        t.tell(Announced(self.unit))


class StayAndFight(NoMore, frozen=True):
    """Announce no more attempts to leave."""

    words = "Stay and fight"


class LeaveCombat(OneOf, frozen=True, kw_only=True):
    """A side chooses which unit tries to leave close combat."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-01", "CH-DISENGAGE-02", "Q-DIS-8")
    hint: ClassVar[str] = (
        "Both players stake command points in secret and roll that many dice: you must have the higher total. "
        "A unit that is outnumbered two to one or worse takes a modifier."
    )
    acts = (Leave, StayAndFight)

    def prompt(self, t: Battle) -> str:
        return "Leave close combat?"


class Stake(Act, frozen=True):
    points: Annotated[
        int,
        Pick(
            lambda o: o.asked.stakes(o.t),
            STAKE,
            stake="points",
            least=lambda o: o.asked.stakes(o.t)[0],
            most=lambda o: o.asked.stakes(o.t)[-1],
        ),
    ]

    words = "Stake {points} CP: {dice}"
    context = ("unit",)
    says: ClassVar[Mapping[str, Any]] = {"dice": lambda points: of_dice(points)}

    @staticmethod
    def price(points: int) -> Sum:
        return (Term(points, "CH-COST-14", "CP staked"),)

    def nearest(self, o: Any) -> Stake:
        stakes = o.asked.stakes(o.t)
        return Stake(max(stakes[0], min(stakes[-1], self.points)))


class StakePoints(OneOf, frozen=True, kw_only=True):
    """A player chooses how many command points to stake."""

    unit: int
    leaving: bool
    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-03", "CH-DISENGAGE-04", "CH-COST-14", "Q-DIS-2")
    hint: ClassVar[str] = "Each point is a die. Both stakes are opened together and are spent, no matter who wins."

    acts = (Stake,)

    def stakes(self, t: Battle) -> range:
        return range(int(self.leaving), most_to_stake(t, self.side, self.leaving) + 1)

    def prompt(self, t: Battle) -> str:
        name = t.called(self.unit)
        return f"How many CP to {'get' if self.leaving else 'keep'} {name} {'out of' if self.leaving else 'in'} combat?"


# --- events ----------------------------------------------------------------------------------------------------------


class Announced(Event, frozen=True):
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-02",)
    template = "{unit:tries} to leave close combat"


class Staked(Event, frozen=True):
    unit: int
    leaving: int
    holding: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-03",)
    reveals: ClassVar[bool] = True

    def sentence(self, t: Battle) -> str:
        side = t.units[self.unit].side
        a, b = t.armies[side].name, t.armies[1 - side].name
        return f"{a} stakes {self.leaving} CP, {b} {self.holding}"


class Contested(Event, frozen=True):
    unit: int
    leaving: tuple[int, ...]
    holding: tuple[int, ...]
    modifier: Sum
    leaves: bool
    clauses: ClassVar[tuple[str, ...]] = (
        "CH-DISENGAGE-05",
        "CH-DISENGAGE-06",
        "CH-DISENGAGE-10",
        "CH-DISENGAGE-11",
        "Q-DIS-1",
    )

    def sentence(self, t: Battle) -> str:
        bonus = total(self.modifier)
        mine = f"{sum(self.leaving)}{f' - {-bonus}' if bonus else ''}"
        end = t.does(self.unit, "leaves") if self.leaves else f"{t.does(self.unit, 'stays')} locked, to fight"
        return f"{mine} against {sum(self.holding)}: {end}"


class CannotGetAway(Event, frozen=True):
    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-DIS-6",)
    template = "There is no room to break contact: {unit:stays} locked"
