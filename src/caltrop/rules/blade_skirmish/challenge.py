"""Quality challenges and quality tests (BS-QUA): additions to dice, winners, and odds.

The page, the odds, the referee of single attacks and combat on the table use these functions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal

from caltrop.chance import Distribution, Pool, Roll
from caltrop.engine import End, Event, Procedure, Sum, Term, Throw, rule, step, total
from caltrop.engine.forecast import in_hundred as in_hundred
from caltrop.engine.rule import HasBook
from caltrop.kit.numbers import reasons, tally
from caltrop.picture import DieRead, Motion, Reading
from caltrop.rules.blade_skirmish.records import Skirmish

Winner = Literal["attacker", "defender"]

Tie = Literal["hold", "reroll", "clash"]
"""Result of a tied challenge."""

FACES = range(1, 7)


# --- the challenge ----------------------------------------------------------------------------------------------------


@rule("BS-QUA-01", "BS-QUA-02", "BS-CMB-04", stages=("flank",))
def attacker_adds(b: HasBook, quality: int, flanking: bool) -> Sum:
    """The attacker adds her Quality to her die."""
    return (Term(quality, "BS-QUA-02", "Quality"),)


@attacker_adds.amended_by("BS-CMB-05", stage="flank")
def flanking_adds_two(parts: Sum, b: HasBook, quality: int, flanking: bool) -> Sum:
    """A fighter who flanks the defender adds 2, whatever the number of her partners."""
    return (*parts, Term(2, "BS-CMB-05", "Flanking")) if flanking else parts


@rule("BS-QUA-01", "BS-QUA-02", "BS-CMB-04")
def defender_adds(b: HasBook, quality: int) -> Sum:
    return (Term(quality, "BS-QUA-02", "Quality"),)


@rule("BS-QUA-03", "BS-CMB-06", "BS-CMB-07", "BS-Q11")
def winner(b: HasBook, attack: int, defence: int) -> Winner | None:
    """The fighter with the higher total wins the challenge. Equal totals have no winner. A 1 or a 6 has no special
    effect.
    """
    if attack == defence:
        return None
    return "attacker" if attack > defence else "defender"


@rule("BS-Q10", stages=("house",))
def a_tie_is(b: HasBook) -> Tie:
    """A tied challenge has no winner, so nobody is hurt."""
    return "hold"


@a_tie_is.amended_by("BS-Q10", stage="house", house={"challenge_tie": "reroll"})
def a_tie_is_thrown_again(value: Tie, b: HasBook) -> Tie:
    return "reroll"


@a_tie_is.amended_by("BS-Q10", stage="house", house={"challenge_tie": "clash"})
def a_tie_hurts_both(value: Tie, b: HasBook) -> Tie:
    """House rule: after a tie both fighters roll on the injury table."""
    return "clash"


def endings(b: HasBook, attacker: int, defender: int, flanking: bool) -> Distribution[Winner | None]:
    """Return the odds of the winner of a challenge; None stands for a tie that is not rolled again."""
    more, less = total(attacker_adds(b, attacker, flanking)), total(defender_adds(b, defender))
    ways = [(winner(b, attack + more, defence + less), 1) for attack in FACES for defence in FACES]
    again = a_tie_is(b) == "reroll"
    return Distribution([way for way in ways if way[0] is not None or not again])


def chance_to_win(b: HasBook, attacker: int, defender: int, flanking: bool) -> Fraction:
    return endings(b, attacker, defender, flanking)["attacker"]


# --- the test ---------------------------------------------------------------------------------------------------------


class QualityTest(Procedure, kw_only=True):
    """A fighter takes a quality test. The result is whether she passes."""

    fighter: int
    words: str
    """Purpose of the test, such as `to stop fleeing`."""

    @step("BS-QUA-04", "BS-DIC-01", "BS-DIC-03")
    def throw(self, t: Skirmish) -> Throw:
        f = t.fighters[self.fighter]
        return Throw(Pool(1), side=f.side, words=f"Quality test of {t.called(f.id)} {self.words}")

    @step("BS-QUA-04", "BS-QUA-05")
    def read(self, t: Skirmish, roll: Roll) -> End:
        f = t.fighters[self.fighter]
        passed = passes(t, roll[0] + total(adds_to_a_test(t, f.quality)))
        t.tell(QualityTested(fighter=f.id, die=roll[0], quality=f.quality, passed=passed, words=self.words))
        return End(passed)


@rule("BS-QUA-04")
def adds_to_a_test(b: HasBook, quality: int) -> Sum:
    """A fighter who takes a test adds her Quality to her die."""
    return (Term(quality, "BS-QUA-04", "Quality"),)


@rule("BS-QUA-04", "BS-QUA-05", "BS-Q11")
def passes(b: HasBook, score: int) -> bool:
    """A total of 7 or more passes a quality test, and 6 or less fails it."""
    return score >= 7


def chance_to_pass(b: HasBook, quality: int) -> Fraction:
    added = total(adds_to_a_test(b, quality))
    return Fraction(sum([passes(b, die + added) for die in FACES]), len(FACES))


# --- in words ---------------------------------------------------------------------------------------------------------


def added_up(die: int, score: int) -> str:
    """Return a die with its addition and total in words.

    >>> added_up(5, 8), added_up(4, 4)
    ('5 + 3 = 8', '4')
    """
    return f"{die} + {score - die} = {score}" if score != die else f"{die}"


# --- events -----------------------------------------------------------------------------------------------------------


class QualityTested(Event, frozen=True, kw_only=True):
    fighter: int
    die: int
    quality: int
    passed: bool
    words: str
    clauses: ClassVar[tuple[str, ...]] = ("BS-QUA-04", "BS-QUA-05")
    about = ("fighter",)

    def sentence(self, t: Skirmish) -> str:
        score = self.die + total(adds_to_a_test(t, self.quality))
        verb = "passes" if self.passed else "fails"
        return f"{t.called(self.fighter)} {verb} a quality test {self.words}: {added_up(self.die, score)}"

    def reading(self, t: Skirmish) -> Reading:
        f = t.fighters[self.fighter]
        return Reading(
            words=f"Quality test of {t.called(f.id)} {self.words}",
            side=f.side,
            unit=f.id,
            added=True,
            terms=reasons(adds_to_a_test(t, self.quality)),
            dice=(DieRead(face=self.die, result="passed" if self.passed else ""),),
            came="passed" if self.passed else "failed",
            tallies=(tally(f.side, "quality tests passed", self.passed, chance_to_pass(t, self.quality)),),
        )

    def motion(self, t: Skirmish) -> Motion:
        return Motion(sort="dice", unit=self.fighter, tag="" if self.passed else "fails")
