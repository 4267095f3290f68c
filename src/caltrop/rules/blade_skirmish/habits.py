"""Habits: special behaviour of some automated models (BS-S60 to BS-S65).

Habits are Caltrop's own, because the book has no troop types. A habit changes the effect of flanking a model, how far
she moves, the meaning of her movement die, or her act in a phase. Changes of a rule by a habit are amendments in the
module of that rule. This module has the new procedures: shots, and comrades who lose heart.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from caltrop.chance import Roll
from caltrop.engine import End, Event, Go, MotionOf, Procedure, Run, Throw, rule, step, trigger
from caltrop.geometry import INCH, gap_within
from caltrop.rules.blade_skirmish.by_chance import one_fighter, taken
from caltrop.rules.blade_skirmish.challenge import QualityTest
from caltrop.rules.blade_skirmish.conditions import Removed, become
from caltrop.rules.blade_skirmish.hits import AutomaticHits
from caltrop.rules.blade_skirmish.places import closest, sees, touched_enemies, within
from caltrop.rules.blade_skirmish.records import Fighter, Habit, Skirmish
from caltrop.rules.blade_skirmish.running import may_run

REACH = 10 * INCH
"""Largest distance of a shot (BS-S61)."""
BESIDE = 4 * INCH
"""Largest distance of a falling comrade that makes a skittish model test (BS-S62)."""


class InWords:
    """A habit's description for players.

    Args:
        number: The number in the habit.
        unit: Unit of the number.
        words: Effect of the habit.
    """

    def __init__(self, title: str, clause: str, number: int, unit: str, words: str) -> None:
        self.title, self.clause, self.number, self.unit, self.words = title, clause, number, unit, words


HABITS: Mapping[Habit, InWords] = MappingProxyType(
    {
        "shield": InWords(
            "Shield",
            "BS-S60",
            0,
            "for a flank, to the best enemy who touches her",
            "the best enemy who touches her gains nothing by flanking her",
        ),
        "bow": InWords(
            "Bow",
            "BS-S61",
            10,
            "inches at most to the target of a shot",
            "shoots up to 10 inches at the closest enemy in sight, and hits with a quality test",
        ),
        "skittish": InWords(
            "Skittish",
            "BS-S62",
            4,
            "inches at most to the comrade who falls",
            "tests when a comrade falls within 4 inches, and flees if she fails",
        ),
        "captain": InWords(
            "Captain",
            "BS-S63",
            0,
            "comrades need no test when she falls",
            "when she falls all her comrades test, and flee if they fail",
        ),
        "frenzy": InWords(
            "Frenzy",
            "BS-S64",
            5,
            "or less on the die sends her to the closest enemy",
            "goes towards the closest enemy on a 1 to 5",
        ),
        "swift": InWords(
            "Swift",
            "BS-S65",
            6,
            "inches in a move, a random move or a run",
            "moves, wanders and runs up to 6 inches",
        ),
    }
)


# --- shots ------------------------------------------------------------------------------------------------------------


def in_bowshot(t: Skirmish, id: int) -> tuple[int, ...]:
    """Return the enemies that an archer may shoot at: the closest that she sees within 10 inches.

    No enemy is in bowshot while the archer touches an enemy.
    """
    if touched_enemies(t, id):
        return ()
    seen = [f.id for f in t.enemies_of(id) if within(t, id, f.id, REACH) and sees(t, id, f.id)]
    return closest(t.disc(id), [(enemy, t.disc(enemy)) for enemy in seen])


def _habits(t: Skirmish, id: int, *rest: object) -> tuple[Habit, ...]:
    return t.habits(id)


@rule("BS-AMV-02", traits=_habits)
def keeps_her_place(t: Skirmish, id: int) -> bool:
    """A model who goes towards the closest enemy does not stay where she is."""
    return False


@keeps_her_place.amended_by("BS-S61", trait="bow")
def an_archer_stands_to_shoot(value: bool, t: Skirmish, id: int) -> bool:
    """An archer stays where she is if she sees an enemy in range."""
    return bool(in_bowshot(t, id))


@rule("BS-ARN-07", traits=_habits)
def shoots(t: Skirmish, id: int, acted: bool) -> bool:
    """Models without a bow do not shoot (BS-Q41)."""
    return False


@shoots.amended_by("BS-S61", trait="bow")
def an_archer_shoots_instead_of_running(value: bool, t: Skirmish, id: int, acted: bool) -> bool:
    """An archer shoots instead of running if she sees an enemy in range."""
    return may_run(t, id, acted) and bool(in_bowshot(t, id))


class Shooting(Procedure):
    """A shot: the archer takes a quality test, and injures her target if she passes."""

    fighter: int
    target: int = -1

    @step("BS-S61")
    def choose(self, t: Skirmish) -> Throw | None:
        """The model shoots at the closest enemy that she sees. Chance decides between equally good targets."""
        f = t.fighters[self.fighter]
        return one_fighter(t, f.side, in_bowshot(t, self.fighter), f"Which enemy {t.called(f.id)} shoots at")

    @step("BS-S61", "BS-QUA-04")
    def loose(self, t: Skirmish, roll: Roll | None) -> Run:
        self.target = taken(in_bowshot(t, self.fighter), roll)
        t.tell(Shot(self.fighter, self.target))
        return Run(QualityTest(fighter=self.fighter, words=f"to hit {t.called(self.target)}"))

    @step("BS-S61", "BS-Q22")
    def hit(self, t: Skirmish, passed: bool) -> Run | End:
        """A hit leads to an injury roll, but to no fatality. A death counts as the archer's kill."""
        return Run(AutomaticHits(victim=self.target, attackers=(self.fighter,), arrow=True)) if passed else End()


# --- models that lose heart -------------------------------------------------------------------------------------------


def _comrades(t: Skirmish, fallen: Fighter) -> list[Fighter]:
    """Return the comrades of a fallen fighter who do not flee. Results of one combat are simultaneous (BS-Q44)."""
    put_to_flight = {blow.victim for blow in t.blows if blow.injury == "fleeing"}
    return [f for f in t.of_side(fallen.side) if f.id != fallen.id and not f.fleeing and f.id not in put_to_flight]


@trigger(Removed, "BS-S62")
def the_skittish_see_a_comrade_fall(t: Skirmish, event: Removed) -> Shaken | None:
    """Skittish fighters test if they see a comrade fall within 4 inches."""
    fallen = t.fighters[event.fighter]
    blow = next((blow for blow in t.blows if blow.victim == fallen.id), None)
    if event.fate == "away" or blow is None:
        return None
    place = (*blow.place, t.field.radius)
    left = [
        f.id for f in _comrades(t, fallen) if "skittish" in t.habits(f.id) and gap_within(t.disc(f.id), place, BESIDE)
    ]
    return Shaken(left=tuple(left), clause="BS-S62") if left else None


@trigger(Removed, "BS-S63")
def the_captain_has_fallen(t: Skirmish, event: Removed) -> Shaken | None:
    """Make all comrades of a captain on the table take a test when she falls."""
    fallen = t.fighters[event.fighter]
    if event.fate == "away" or "captain" not in t.habits(fallen.id):
        return None
    left = tuple([f.id for f in _comrades(t, fallen)])
    return Shaken(left=left, clause="BS-S63") if left else None


class Shaken(Procedure, kw_only=True):
    """Comrades who saw a fighter fall take a quality test one after another, and flee if they fail."""

    left: tuple[int, ...]
    clause: str

    @step("BS-S62", "BS-S63", "BS-QUA-04")
    def test_the_next(self, t: Skirmish) -> Run | End:
        self.left = tuple([id for id in self.left if t.fighters[id].at is not None and not t.fighters[id].fleeing])
        return Run(QualityTest(fighter=self.left[0], words="not to lose heart")) if self.left else End()

    @step("BS-S62", "BS-S63")
    def read(self, t: Skirmish, passed: bool) -> Go:
        if not passed:
            become(t, self.left[0], "fleeing", self.clause)
        self.left = self.left[1:]
        return Go("test_the_next")


# --- events ----------------------------------------------------------------------------------------------------------


class Shot(Event, frozen=True):
    fighter: int
    target: int
    clauses: ClassVar[tuple[str, ...]] = ("BS-S61",)
    template = "{fighter} shoots at {target}"
    about = ("fighter", "target")
    shown = MotionOf("shot", unit="fighter", target="target")
