"""The turn: each model goes through her phases, and then comes combat. A skirmish is a sequence of turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from caltrop.asking import NOT_LISTED, Act, Offer, Offered, OneOf, Usual
from caltrop.asking import Pick as Values
from caltrop.chance import Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Procedure,
    Run,
    Throw,
    ask,
    does,
    rule,
    step,
)
from caltrop.rules.blade_skirmish.automata import Automated, NextToAct
from caltrop.rules.blade_skirmish.catalogue import QUALITIES
from caltrop.rules.blade_skirmish.charge import Charging
from caltrop.rules.blade_skirmish.combat import Combat
from caltrop.rules.blade_skirmish.conditions import to_go
from caltrop.rules.blade_skirmish.fatality import clear_away, end_trophies
from caltrop.rules.blade_skirmish.movement import Movement
from caltrop.rules.blade_skirmish.records import Fighter, Skirmish, called
from caltrop.rules.blade_skirmish.running import Running
from caltrop.rules.blade_skirmish.setup import Arrivals, Deployment
from caltrop.rules.blade_skirmish.victory import end_turn, settle


class FirstTurn(Procedure):
    """Decide which side has the first turn."""

    faces: tuple[int, ...] = ()

    @step("BS-Q37")
    def look(self, t: Skirmish) -> Go | None:
        """The scenario or a house rule may decide the first side."""
        side = who_begins(t)
        if side is None:
            return None
        t.first = side
        return Go("known")

    @step("BS-Q38", "BS-Q37")
    def roll(self, t: Skirmish) -> Throw:
        """One die is rolled for each of the two sides."""
        side = len(self.faces)
        return Throw(Pool(1), side=side, words=f"For the first turn: {t.field.names[side]}")

    @step("BS-Q38", "BS-Q37")
    def compare(self, t: Skirmish, roll: Roll) -> Go | Ask:
        """The higher roll wins; ties are rolled again. Between two players, the winner chooses the first side."""
        self.faces = (*self.faces, roll[0])
        if len(self.faces) < 2:
            return Go("roll")
        a, b = self.faces
        self.faces = ()
        winner = None if a == b else int(b > a)
        t.tell(RolledOff(winner, (a, b)))
        if winner is None:
            return Go("roll")
        if len(played(t)) < 2:
            t.first = winner
            return Go("known")
        return ask(WhoBegins(side=winner))

    @step("BS-Q38")
    def choose(self, t: Skirmish, choice: Begin) -> None:
        t.first = choice.side

    @step("BS-Q37")
    def known(self, t: Skirmish) -> None:
        t.active = t.first


class Game(Procedure):
    """A whole skirmish: the set-up, and turns until it is won or lost."""

    @step("BS-Q37", "BS-Q38")
    def who_begins(self, t: Skirmish) -> Run:
        return Run(FirstTurn())

    @step("BS-S33", "BS-S50")
    def deploy(self, t: Skirmish) -> Run:
        return Run(Deployment())

    @step("BS-TRN-06", "BS-AUT-04")
    def begin(self, t: Skirmish) -> None:
        t.active = t.first

    @step("BS-TRN-06", "BS-AUT-04")
    def take_turn(self, t: Skirmish) -> Run:
        """The active side has a turn of its own, or by a house rule all sides share one turn."""
        return Run(Turn(sides=sides_of_a_turn(t, t.active)))

    @step("BS-TRN-05", "BS-TRN-06", "BS-AUT-04", "BS-Q38")
    def hand_over(self, t: Skirmish) -> Go:
        """The next side has its turn. Automated models have theirs after the last player."""
        order = order_of_sides(t)
        last = order[-1] if len(sides_of_a_turn(t, t.active)) > 1 else t.active
        t.active = order[(order.index(last) + 1) % len(order)]
        return Go("take_turn")


class Turn(Procedure):
    """The turn of one side, or of all sides: each model goes through her phases, and then comes combat."""

    sides: tuple[int, ...]
    now: int = 0
    """Index in `sides` of the side whose model is next."""

    @step("BS-TRN-01", "BS-AUT-01", "BS-Q25")
    def begin(self, t: Skirmish) -> None:
        """The turn counts as begun, and no model has acted. Markers whose time is over are removed."""
        t.gone.clear()
        for side in self.sides:
            t.turns[side] += 1
        t.round = max(t.turns)
        clear_away(t)
        t.active = self.sides[0]
        t.tell(TurnBegan(self.sides, t.turns[self.sides[0]]))

    @step("BS-S51", "BS-S53")
    def enter(self, t: Skirmish) -> Run:
        """Models that arrive this turn enter first, and act in it."""
        return Run(Arrivals(sides=self.sides))

    @step("BS-TRN-01", "BS-TRN-03", "BS-AUT-01", "BS-Q29")
    def pick(self, t: Skirmish) -> Run | Go:
        """Models are chosen one at a time until all have acted. Sides that share a turn choose in turns."""
        count = len(self.sides)
        waiting = [i % count for i in range(self.now, self.now + count) if to_go(t, self.sides[i % count])]
        if not waiting:
            return Go("fight")
        self.now = (waiting[0] + 1) % count
        t.active = self.sides[waiting[0]]
        return Run(Pick(side=t.active))

    @step("BS-TRN-02", "BS-AUT-02")
    def take_her_through(self, t: Skirmish, fighter: int) -> Run:
        """A model goes through all three phases before the next model is chosen."""
        return Run(Sequence(fighter=fighter))

    @step("BS-TRN-03", "BS-TRN-06")
    def next_one(self, t: Skirmish) -> Go:
        """The skirmish may be over. If it is not, the next model is chosen."""
        settle(t)
        return Go("pick")

    @step("BS-TRN-04", "BS-AUT-01", "BS-AUT-03", "BS-Q29")
    def fight(self, t: Skirmish) -> Run:
        """Combat follows when all models have acted, with attacks of all sides."""
        t.active = self.sides[0]
        return Run(Combat(side=self.sides[0]))

    @step("BS-FAT-01", "BS-Q24", "BS-TRN-06", "BS-AUT-04")
    def end(self, t: Skirmish) -> None:
        """Trophies whose time has come are finished, and the skirmish may be over."""
        for side in self.sides:
            end_trophies(t, side)
        end_turn(t, self.sides)


class Pick(Procedure):
    """Choose a side's next model. The result is the id of the model."""

    side: int

    @step("BS-AUT-01", "BS-Q30")
    def automated(self, t: Skirmish) -> Run | Go:
        """The rules decide which automated model acts next."""
        return Run(NextToAct(side=self.side)) if self.side in t.field.automated else Go("offer")

    @step("BS-AUT-01", "BS-Q30")
    def she_is_next(self, t: Skirmish, fighter: int) -> End:
        return End(fighter)

    @step("BS-TRN-01", "BS-TRN-03")
    def offer(self, t: Skirmish) -> Ask | End:
        """A player chooses any model that has not acted. The last model is chosen without a question."""
        left = to_go(t, self.side)
        return End(left[0].id) if len(left) == 1 else ask(NextFighter(side=self.side))

    @step("BS-TRN-01")
    def take(self, t: Skirmish, choice: Take) -> End:
        return End(choice.fighter)


class Sequence(Procedure):
    """The movement, charging and running phases of one model."""

    fighter: int

    @step("BS-AUT-02", "BS-TRN-02")
    def go(self, t: Skirmish) -> Run | None:
        t.gone.append(self.fighter)
        return Run(Automated(fighter=self.fighter)) if t.automated(self.fighter) else None

    @step("BS-TRN-02")
    def move(self, t: Skirmish) -> Run | End:
        return End() if t.automated(self.fighter) else Run(Movement(fighter=self.fighter))

    @step("BS-TRN-02")
    def charge(self, t: Skirmish) -> Run | End:
        return End() if t.fighters[self.fighter].at is None else Run(Charging(fighter=self.fighter))

    @step("BS-TRN-02")
    def run(self, t: Skirmish, acted: bool | None) -> Run | End:
        if t.fighters[self.fighter].at is None:
            return End()
        return Run(Running(fighter=self.fighter, acted=bool(acted)))


@rule("BS-Q37", stages=("mode", "house"))
def who_begins(t: Skirmish) -> int | None:
    """The player's side begins unless the scenario says otherwise. None to roll for it."""
    return t.field.first


@who_begins.amended_by("BS-Q38", stage="mode")
def players_roll_for_it(side: int | None, t: Skirmish) -> int | None:
    """If players fight each other, they roll, and the winner chooses the first side."""
    return None if len(played(t)) > 1 else side


@who_begins.amended_by("BS-Q37", stage="house", house={"first_side": "automated"})
def automated_models_begin(side: int | None, t: Skirmish) -> int | None:
    """House rule: the automated side begins against a single player."""
    return t.field.automated[0] if len(played(t)) == 1 and t.field.automated else side


@who_begins.amended_by("BS-Q37", stage="house", house={"first_side": "rolled"})
def the_dice_say_who_begins(side: int | None, t: Skirmish) -> int | None:
    """House rule: both sides roll, and the higher roll begins."""
    return None


def played(t: Skirmish) -> list[int]:
    return [side for side in range(t.field.sides) if side not in t.field.automated]


def order_of_sides(t: Skirmish) -> tuple[int, ...]:
    """Return the sides in the order of their turns: the first side, other players, then automated models.

    Automated models with the first turn come before the players (BS-Q37, BS-Q38).
    """
    sides = [*played(t), *t.field.automated]
    rest = [side for side in sides if side != t.first]
    return (t.first, *rest)


# --- the sides of a turn ---------------------------------------------------------------------------------------------


@rule("BS-TRN-06", "BS-AUT-04", "BS-Q29", stages=("house",))
def sides_of_a_turn(t: Skirmish, side: int) -> tuple[int, ...]:
    """All models of one side act, then combat follows."""
    return (side,)


@sides_of_a_turn.amended_by("BS-Q29", stage="house", house={"turn_mode": "alternate"})
def all_sides_share_a_turn(sides: tuple[int, ...], t: Skirmish, side: int) -> tuple[int, ...]:
    """House rule: the sides act in turns with one model each. When all models have acted, one combat ends the round."""
    return order_of_sides(t)


def in_words(f: Fighter) -> str:
    condition = [word for word, has in (("stunned", f.stunned), ("fleeing", f.fleeing)) if has]
    if f.trophy is not None:
        condition.append("taking a trophy")
    return ", ".join([f"{QUALITIES[f.quality]} {f.quality}", *condition])


# --- decisions -------------------------------------------------------------------------------------------------------


class Begin(Action, frozen=True):
    """Choose the side that has the first turn."""

    side: int


class WhoBegins(Offered, frozen=True, kw_only=True):
    """The winner of the roll chooses which side has the first turn."""

    clauses: ClassVar[tuple[str, ...]] = ("BS-Q38", "BS-S33")
    hint: ClassVar[str] = "The side that moves second places its first model first, and so each side sees the other's."
    template = "You won the roll: who takes the first turn?"

    def options(self, t: Skirmish) -> Listed:
        return Listed([Begin(self.side), Begin(1 - self.side)], clause="BS-Q38")

    def offers(self, t: Skirmish) -> list[Offer]:
        return [
            Offer(action=Begin(self.side), words="Take the first turn, and place the second model"),
            Offer(
                action=Begin(1 - self.side),
                words=f"Give it to {t.field.names[1 - self.side]}, and place the first model",
            ),
        ]


class Take(Act, frozen=True):
    """Choose the model that goes through her phases."""

    fighter: Annotated[int, Values(lambda t, side: [f.id for f in to_go(t, side)], NOT_LISTED, called)]

    words = "Take {fighter}, {condition}"
    says: ClassVar[Mapping[str, Any]] = {"condition": lambda t, fighter: in_words(t.fighters[fighter])}
    actor = "fighter"
    idle = "Stays"


class NextFighter(OneOf, frozen=True, kw_only=True):
    """A player chooses which model acts next."""

    clauses: ClassVar[tuple[str, ...]] = ("BS-TRN-01", "BS-TRN-02", "BS-TRN-03")
    template = "Which fighter goes next? {left} have not gone yet"
    says: ClassVar[Mapping[str, Any]] = {"left": lambda t, side: len(to_go(t, side))}
    hint: ClassVar[str] = (
        "Each of your fighters moves, charges and runs before you take the next, and all of them have a go. "
        "The first one can make room, or hold an enemy for the others to flank."
    )
    about = ("fighter",)
    acts = (Take,)

    def usual(self, t: Skirmish, unit: int | None = None) -> Usual | None:
        left = [f.id for f in to_go(t, self.side) if unit in (None, f.id)]
        if not left:
            return None
        gone = any(f.id in t.gone for f in t.of_side(self.side))
        return Usual(action=Take(left[0]), words="Everybody else stays" if gone else "Everybody stays", unit=unit)


# --- events ----------------------------------------------------------------------------------------------------------


class TurnBegan(Event, frozen=True):
    """A side's turn began, or a turn that all sides share."""

    sides: tuple[int, ...]
    turn: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-TRN-06", "BS-AUT-04")
    begins: ClassVar[bool] = True

    def sentence(self, t: Skirmish) -> str:
        if len(self.sides) > 1:
            return f"Turn {self.turn} of all sides"
        return f"Turn {self.turn} of {t.field.names[self.sides[0]]}"


class RolledOff(Event, frozen=True):
    """Dice decided which side is first, or which side chooses."""

    winner: int | None
    faces: tuple[int, int]
    clauses: ClassVar[tuple[str, ...]] = ("BS-Q38", "BS-Q37")

    def sentence(self, t: Skirmish) -> str:
        high, low = max(self.faces), min(self.faces)
        if self.winner is None:
            return f"Both roll {high}: they roll again"
        return f"{does(t.field.names[self.winner], 'wins')} the roll for the first turn, {high} to {low}"
