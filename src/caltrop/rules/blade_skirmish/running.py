"""The running phase: stunned fighters drift, fleeing fighters take a test, and others may go 4 further inches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from caltrop.asking import Choices, Guards, Offer, OneOf, Usual, carried_out
from caltrop.chance import Pool, Roll
from caltrop.engine import (
    Ask,
    End,
    Go,
    Procedure,
    Run,
    Throw,
    ask,
    guard,
    rule,
    step,
)
from caltrop.geometry import INCH
from caltrop.rules.blade_skirmish.catalogue import SAFE, STEP, hour
from caltrop.rules.blade_skirmish.challenge import QualityTest, chance_to_pass, in_hundred
from caltrop.rules.blade_skirmish.conditions import idle, recover, to_go
from caltrop.rules.blade_skirmish.fatality import slips
from caltrop.rules.blade_skirmish.flight import stopped
from caltrop.rules.blade_skirmish.hits import AutomaticHits, hits_the_drifting, met
from caltrop.rules.blade_skirmish.places import within
from caltrop.rules.blade_skirmish.records import Skirmish, _FighterAct
from caltrop.rules.blade_skirmish.routes import Bounds, Route, Routes, Stay, Walk, go
from caltrop.rules.blade_skirmish.straight import straight
from caltrop.rules.blade_skirmish.victory import AfterMove

STAYS = "Stay where she is"

TOO_FAR = guard(("BS-RUN-08", "BS-S22"), "too-far", "{length:inch} is too far: {name} runs up to {limit:inch}")
INTO_ZONE = guard(
    ("BS-RUN-09", "BS-Q05", "BS-Q42", "BS-S22"),
    "into-zone",
    "{name} would come within 2 inches of {what} after {after:inch}: she is neither fleeing nor stunned",
)
HELD = guard(
    ("BS-RUN-09", "BS-Q06", "BS-S22"),
    "held",
    "{name} is {gap:inch} from {enemy}, who is neither fleeing nor stunned: within 2 inches of her she may not run",
)
TOO_NEAR = guard(
    ("BS-RUN-07", "BS-Q03"), "too-near", "{enemy} is within 8 inches of {name}: she has to take the test to pass it"
)

BOUNDS = Bounds(STEP, TOO_FAR, INTO_ZONE, HELD)


# --- the drift of the stunned -----------------------------------------------------------------------------------------


class Drift(Procedure):
    """A stunned fighter drifts in a random direction, and recovers.

    The rule is the same for players' and automated models.
    """

    fighter: int
    length: int = 0
    hit_by: tuple[int, ...] = ()

    @step("BS-RUN-01", "BS-ARN-01", "BS-DIC-01", "BS-DIC-02", "BS-DIC-03")
    def throw_for_length(self, t: Skirmish) -> Throw:
        """The distance in inches is rolled."""
        f = t.fighters[self.fighter]
        return Throw(Pool(1), side=f.side, words=f"How far {t.called(f.id)} drifts")

    @step("BS-GEO-07", "BS-DIC-04")
    def throw_for_hour(self, t: Skirmish, roll: Roll) -> Throw:
        f = t.fighters[self.fighter]
        self.length = roll[0] * INCH
        return Throw(Pool(1, sides=12), side=f.side, words=f"Direction in which {t.called(f.id)} drifts, as on a clock")

    @step("BS-GEO-07", "BS-RUN-01", "BS-RUN-03", "BS-ARN-01", "BS-ARN-03", "BS-Q15", "BS-Q21", "BS-Q45")
    def drift(self, t: Skirmish, roll: Roll) -> None:
        """The fighter goes in the rolled direction, and stops at the first obstacle."""
        start, heading = t.disc(self.fighter)[:2], hour(roll[0])
        course = straight(t, self.fighter, heading, self.length)
        go(t, self.fighter, (start, course.end), "drifts", "BS-RUN-01")
        stopped(t, self.fighter, course)
        into = met(t, self.fighter, course, heading)
        self.hit_by = tuple([enemy for enemy in into if hits_the_drifting(t, enemy)])

    @step("BS-RUN-02", "BS-ARN-02")
    def be_hit(self, t: Skirmish) -> Run | None:
        """An enemy who is neither fleeing nor stunned hits a fighter who drifts into her."""
        return Run(AutomaticHits(victim=self.fighter, attackers=self.hit_by)) if self.hit_by else None

    @step("BS-RUN-04", "BS-ARN-04", "BS-Q17")
    def recover(self, t: Skirmish) -> None:
        """After the drift the fighter is no longer stunned, even if a hit on the way stunned her."""
        recover(t, self.fighter, "stunned", "BS-RUN-04")


# --- the test that ends a flight --------------------------------------------------------------------------------------


class FlightTest(Procedure):
    """A player's fleeing fighter takes a quality test to recover."""

    fighter: int

    @step("BS-RUN-05", "BS-RUN-06", "BS-RUN-07", "BS-Q35")
    def ask_for_it(self, t: Skirmish) -> Ask | Go | End:
        """The fighter's player may let her fail, or pass if every enemy is far away. A fleeing fighter without enemies
        recovers.
        """
        if not t.enemies_of(self.fighter):
            recover(t, self.fighter, "fleeing", "BS-Q35")
            return End()
        return ask(HowToSteady(side=t.fighters[self.fighter].side, fighter=self.fighter))

    @step("BS-RUN-06", "BS-RUN-07")
    def take_the_answer(self, t: Skirmish, choice: TakeTest | PassTest | FailTest) -> Run | Go | End | None:
        """If the player chooses to pass or fail, no die is rolled."""
        return carried_out(choice, t, self)

    @step("BS-RUN-05", "BS-ARN-05")
    def test(self, t: Skirmish) -> Run:
        return Run(QualityTest(fighter=self.fighter, words="to stop fleeing"))

    @step("BS-RUN-05", "BS-ARN-05")
    def read_the_test(self, t: Skirmish, passed: bool) -> None:
        """A fighter who passes stops fleeing. A fighter who fails keeps fleeing."""
        if passed:
            recover(t, self.fighter, "fleeing", "BS-RUN-05")


class AutomatedFlightTest(FlightTest):
    """A fleeing automated model takes the test without a choice."""

    @step("BS-ARN-05", "BS-ARN-06", "BS-Q35")
    def ask_for_it(self, t: Skirmish) -> Ask | Go | End:
        """The model takes the test, or recovers without it if no enemy is within 8 inches."""
        if near_enemies(t, self.fighter):
            return Go("test")
        recover(t, self.fighter, "fleeing", "BS-ARN-06")
        return End()


def near_enemies(t: Skirmish, fighter: int) -> tuple[int, ...]:
    """Return the enemies within 8 inches of a fighter (inclusive), by id (BS-RUN-07, BS-ARN-06, BS-Q03)."""
    return tuple([f.id for f in t.enemies_of(fighter) if within(t, fighter, f.id, SAFE)])


# --- a further 4 inches -----------------------------------------------------------------------------------------------


class Running(Procedure):
    """The running phase of a player's fighter."""

    fighter: int
    acted: bool = False
    """True if the fighter has acted in the charging phase or earlier in this phase."""

    @step("BS-FAT-03", "BS-RUN-01", "BS-Q25")
    def drift(self, t: Skirmish) -> Run | None:
        """A stunned fighter drifts, even if a slippery floor stunned her just before."""
        slips(t, self.fighter)
        if not t.fighters[self.fighter].stunned:
            return None
        self.acted = True
        return Run(Drift(fighter=self.fighter))

    @step("BS-RUN-05", "BS-Q17")
    def test(self, t: Skirmish) -> Run | None:
        """A fleeing fighter takes her test, even if a hit put her to flight just before."""
        if not t.fighters[self.fighter].fleeing:
            return None
        self.acted = True
        return Run(FlightTest(fighter=self.fighter))

    @step("BS-RUN-08", "BS-RUN-09")
    def ask_where_to(self, t: Skirmish) -> Ask | End:
        if not may_run(t, self.fighter, self.acted):
            return End()
        question = RunOn(side=t.fighters[self.fighter].side, fighter=self.fighter)
        return ask(question) if question.options(t).several() else End()

    @step("BS-RUN-08", "BS-S52", "BS-S53")
    def run(self, t: Skirmish, choice: Walk | Stay) -> Run:
        start = t.disc(self.fighter)[:2]
        go(t, self.fighter, (start, *choice.path), "runs", "BS-RUN-08")
        return Run(AfterMove(fighter=self.fighter))


@rule("BS-RUN-08", "BS-Q08", "BS-Q24")
def may_run(t: Skirmish, id: int, acted: bool) -> bool:
    """A fit fighter may run if she has not acted in this phase or the charging phase, and takes no trophy.

    Drifts and tests count as acts.
    """
    return not acted and t.fighters[id].active and not idle(t, id)


# --- decisions --------------------------------------------------------------------------------------------------------


class TakeTest(_FighterAct, frozen=True):
    words = "Take the test: she stops fleeing with a chance of {chance}"
    says: ClassVar[Mapping[str, Any]] = {
        "chance": lambda t, fighter: in_hundred(chance_to_pass(t, t.fighters[fighter].quality))
    }

    def perform(self, t: Skirmish, by: FlightTest) -> None: ...


class PassTest(_FighterAct, frozen=True):
    words = "She stops fleeing: every enemy is more than 8 inches away"
    guards = Guards(
        (TOO_NEAR, near_enemies),
        enemy=lambda t, fighter: t.called(near_enemies(t, fighter)[0]),
        name=lambda t, fighter: t.called(fighter),
    )

    def perform(self, t: Skirmish, by: FlightTest) -> End:
        recover(t, by.fighter, "fleeing", "BS-RUN-07")
        return End()

    def nearest(self, o: Choices) -> TakeTest:
        return TakeTest()


class FailTest(_FighterAct, frozen=True):
    words = "She keeps fleeing, without a test"

    def perform(self, t: Skirmish, by: FlightTest) -> End:
        return End()


class HowToSteady(OneOf, frozen=True, kw_only=True):
    """The player chooses whether a fleeing fighter takes the test, fails it or passes it."""

    fighter: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-RUN-05", "BS-RUN-06", "BS-RUN-07")
    template = "Does {fighter} stop fleeing?"
    hint: ClassVar[str] = "A fighter who flees on does not charge, attack or run, and flees again in her next turn."
    about = ("fighter",)
    acts = (PassTest, TakeTest, FailTest)


class RunOn(Route, frozen=True, kw_only=True):
    clauses: ClassVar[tuple[str, ...]] = ("BS-RUN-08", "BS-RUN-09")
    words: ClassVar[str] = "Run"
    template = "Where does {fighter} run?"
    hint: ClassVar[str] = (
        "She has not charged, and may go up to 4 inches more, still at 2 inches or more from every enemy who is "
        "neither fleeing nor stunned. No charge follows."
    )

    def routes(self, t: Skirmish) -> Routes:
        return Routes(t, self.fighter, BOUNDS)

    def plain(self, t: Skirmish) -> Sequence[Offer]:
        return (Offer(action=Stay(), words=STAYS, unit=self.fighter, final=True),)

    def usual(self, t: Skirmish, unit: int | None = None) -> Usual | None:
        """Return staying as the default act, because the fighter does nothing later this turn."""
        usual = super().usual(t, unit)
        return None if usual is None else msgspec.structs.replace(usual, words=STAYS)

    def passed_by(self, t: Skirmish) -> Sequence[int]:
        """Return the fighters of the running fighter's side who have not acted yet.

        If the player begins with another model, this fighter's run ends.
        """
        return [f.id for f in to_go(t, self.side)]
