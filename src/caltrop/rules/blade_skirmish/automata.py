"""Automated models: which of them acts next, and how she moves, charges and runs (BS-AUT, BS-AMV, BS-ACH, BS-ARN).

No player decides for automated models. A die decides whether a model goes towards the closest enemy or wanders, and
chance chooses among equals (`by_chance`). `combat` chooses their targets in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from caltrop.asking import NOT_LISTED, Act, OneOf, Pick
from caltrop.chance import Pool, Roll
from caltrop.engine import (
    Ask,
    End,
    Go,
    Procedure,
    Run,
    Throw,
    ask,
    inches,
    rule,
    step,
)
from caltrop.geometry import INCH, cut_at_length, path_length, touching
from caltrop.rules.blade_skirmish.by_chance import one_fighter, one_of, taken
from caltrop.rules.blade_skirmish.catalogue import STEP, ZONE, hour, hour_of
from caltrop.rules.blade_skirmish.charge import Charged, HeldBack, in_charge_range
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.fatality import slips
from caltrop.rules.blade_skirmish.flight import AutomatedFlight
from caltrop.rules.blade_skirmish.habits import Shooting, keeps_her_place, shoots
from caltrop.rules.blade_skirmish.places import closest, closest_enemies, gap, in_contact, zone_holds
from caltrop.rules.blade_skirmish.reach import Path, paced
from caltrop.rules.blade_skirmish.records import Habit, Skirmish, called
from caltrop.rules.blade_skirmish.routes import Verb, go
from caltrop.rules.blade_skirmish.running import AutomatedFlightTest, Drift, may_run
from caltrop.rules.blade_skirmish.straight import others, straight
from caltrop.table.measured import approaches, halted

NEARER = 3
"""Highest roll for which a model goes towards the closest enemy; on higher rolls she wanders (BS-AMV-02, BS-AMV-05)."""


# --- the next unit ----------------------------------------------------------------------------------------------------


class NextToAct(Procedure):
    """Choose the automated model that acts next. The result is her id, or None if no model is left."""

    side: int
    among: tuple[int, ...] | None = None
    """Models to choose from; None for all of the side that have not acted this turn."""

    @step("BS-Q30")
    def find(self, t: Skirmish) -> Ask | Throw | End | None:
        """A new choice is made before each model acts."""
        if self.among is None:
            self.among = tuple([f.id for f in t.of_side(self.side) if f.id not in t.gone])
        if not self.among:
            return End()
        self.among = may_be_next(t, self.among)
        picks = who_picks(t)
        if picks is None:
            return one_fighter(t, self.side, self.among, "Next automated model")
        return ask(NextAutomated(side=picks, among=self.among)) if len(self.among) > 1 else None

    @step("BS-Q30")
    def name_her(self, t: Skirmish, reply: ActNow | Roll | None) -> End:
        return End(reply.fighter if isinstance(reply, ActNow) else taken(self.among or (), reply))


@rule("BS-Q30", stages=("house",))
def may_be_next(t: Skirmish, among: tuple[int, ...]) -> tuple[int, ...]:
    """The model nearest to an enemy acts next. Equally near models are equally possible."""
    # For models in contact the distance is 0, even if rounding has left a tiny gap (BS-Q03).
    far = {
        id: min(
            [0 if in_contact(t, id, enemy) else gap(t, id, enemy) for enemy in closest_enemies(t, id)], default=None
        )
        for id in among
    }
    lengths = [length for length in far.values() if length is not None]
    return tuple([id for id in among if far[id] == min(lengths)]) if lengths else among


@may_be_next.amended_by("BS-Q30", stage="house", house={"auto_order": ("random", "player")})
def anybody_may_be_next(value: tuple[int, ...], t: Skirmish, among: tuple[int, ...]) -> tuple[int, ...]:
    return among


@rule("BS-Q30", stages=("house",))
def who_picks(t: Skirmish) -> int | None:
    """Chance decides among the models that may act next, so that no player steers the enemies."""
    return None


@who_picks.amended_by("BS-Q30", stage="house", house={"auto_order": "player"})
def a_player_picks(value: int | None, t: Skirmish) -> int | None:
    """House rule: a player chooses the next model; with several sides of players, the first side does."""
    return min([side for side in range(t.field.sides) if side not in t.field.automated], default=None)


# --- the sequence -----------------------------------------------------------------------------------------------------


class Automated(Procedure):
    """An automated model goes through her phases (BS-AUT-02), until she leaves the table."""

    fighter: int

    @step("BS-AUT-02")
    def move(self, t: Skirmish) -> Run:
        return Run(AutomatedMovement(fighter=self.fighter))

    @step("BS-AUT-02")
    def charge(self, t: Skirmish) -> Run | End:
        return End() if t.fighters[self.fighter].at is None else Run(AutomatedCharging(fighter=self.fighter))

    @step("BS-AUT-02")
    def run(self, t: Skirmish, acted: bool) -> Run:
        return Run(AutomatedRunning(fighter=self.fighter, acted=acted))


# --- 1 Movement -------------------------------------------------------------------------------------------------------


class AutomatedMovement(Procedure):
    """The movement phase: a stunned model does nothing, a fleeing model runs, and a die decides for all others."""

    fighter: int

    @step("BS-FAT-03", "BS-AMV-06", "BS-AMV-07", "BS-Q17", "BS-Q24")
    def look_at_her(self, t: Skirmish) -> Run | Go | End:
        """A stunned model does nothing, even if she also flees.

        A fleeing model runs. A model who takes a trophy does nothing.
        """
        slips(t, self.fighter)
        f = t.fighters[self.fighter]
        if f.stunned:
            return End()
        if f.fleeing:
            return Run(AutomatedFlight(fighter=self.fighter))
        return End() if idle(t, self.fighter) else Go("throw")

    @step("BS-AMV-07")
    def leave_it_at_that(self, t: Skirmish) -> End:
        return End()

    @step("BS-AMV-01")
    def throw(self, t: Skirmish) -> Throw:
        f = t.fighters[self.fighter]
        words = f"{t.called(f.id)} goes for the closest enemy on 1 to {nearer(t, f.id)}, otherwise wanders"
        return Throw(Pool(1), side=f.side, words=words)

    @step("BS-AMV-02", "BS-AMV-05")
    def read(self, t: Skirmish, roll: Roll) -> Run | End:
        """On 1 to 3 the model goes towards the closest enemy, if there is one (BS-Q35). On 4 to 6 she wanders."""
        if roll[0] > nearer(t, self.fighter):
            return Run(Wandering(fighter=self.fighter))
        if keeps_her_place(t, self.fighter):
            return End()
        towards = closest_enemies(t, self.fighter)
        halting = who_halts_a_move(t, self.fighter)
        return Run(Closing(fighter=self.fighter, towards=towards, halting=halting, how="walks", clause="BS-AMV-02"))


class Wandering(Procedure):
    """A random move: 4 inches in a direction on the clock face, or as far as possible (BS-GEO-07)."""

    fighter: int

    @step("BS-AMV-05", "BS-GEO-07")
    def throw(self, t: Skirmish) -> Throw:
        f = t.fighters[self.fighter]
        return Throw(
            Pool(1, sides=12), side=f.side, words=f"Direction in which {t.called(f.id)} wanders, as on a clock"
        )

    @step("BS-AMV-05", "BS-Q15", "BS-Q32")
    def wander(self, t: Skirmish, roll: Roll) -> None:
        """The model stops at any obstacle. An enemy that she touches does not hit her."""
        end = straight(t, self.fighter, hour(roll[0]), stride(t, self.fighter)).end
        path = as_far_as_zones_let(
            t, self.fighter, (_place(t, self.fighter), end), who_halts_a_wanderer(t, self.fighter)
        )
        go(t, self.fighter, path, "wanders", "BS-AMV-05")


# --- 2 Charging -------------------------------------------------------------------------------------------------------


class AutomatedCharging(Procedure):
    """The charging phase of an automated model. The result is whether she has acted in it (BS-Q08)."""

    fighter: int

    @step("BS-FAT-03", "BS-ACH-01", "BS-ACH-02", "BS-ACH-03", "BS-Q24", "BS-Q33")
    def charge(self, t: Skirmish) -> Run | End:
        """A fit model moves towards the closest enemy that she sees within 4 inches."""
        slips(t, self.fighter)
        seen = in_charge_range(t, self.fighter)
        if not t.fighters[self.fighter].active or idle(t, self.fighter) or not seen:
            return End(False)
        return Run(ClosingIn(fighter=self.fighter, towards=charged_by_chance(t, self.fighter, seen)))

    @step("BS-Q08")
    def have_acted(self, t: Skirmish) -> End:
        return End(True)


@rule("BS-ACH-02", "BS-Q33", stages=("house",))
def charged_by_chance(t: Skirmish, id: int, seen: Sequence[int]) -> tuple[int, ...]:
    """An automated model charges the closest enemy in sight within 4 inches."""
    return closest(t.disc(id), [(enemy, t.disc(enemy)) for enemy in seen])


@charged_by_chance.amended_by("BS-Q33", stage="house", house={"auto_charge_at": "closest"})
def the_closest_of_all_is_charged(
    enemies: tuple[int, ...], t: Skirmish, id: int, seen: Sequence[int]
) -> tuple[int, ...]:
    """House rule: an enemy in sight causes a charge, but the charge goes towards the closest enemy, seen or not."""
    return closest_enemies(t, id)


# --- 3 Running --------------------------------------------------------------------------------------------------------


class AutomatedRunning(Procedure):
    """The running phase: drift, flight test, and 4 further inches for a model who has not acted."""

    fighter: int
    acted: bool = False
    """True if the model has acted in the charging phase or earlier in this phase."""

    @step("BS-FAT-03", "BS-ARN-01", "BS-Q08", "BS-Q25")
    def drift(self, t: Skirmish) -> Run | None:
        """A stunned model drifts, even if a slippery floor stunned her just before. The drift counts as an act."""
        slips(t, self.fighter)
        if not t.fighters[self.fighter].stunned:
            return None
        self.acted = True
        return Run(Drift(fighter=self.fighter))

    @step("BS-ARN-05", "BS-Q08", "BS-Q17")
    def test(self, t: Skirmish) -> Run | None:
        """A fleeing model takes a test, even if a hit put her to flight just before. The test counts as an act."""
        if not t.fighters[self.fighter].fleeing:
            return None
        self.acted = True
        return Run(AutomatedFlightTest(fighter=self.fighter))

    @step("BS-S61")
    def shoot(self, t: Skirmish) -> Run | None:
        """An archer with a target shoots instead of running."""
        if not shoots(t, self.fighter, self.acted):
            return None
        self.acted = True
        return Run(Shooting(fighter=self.fighter))

    @step("BS-ARN-07", "BS-ARN-08", "BS-Q24", "BS-Q35")
    def run(self, t: Skirmish) -> Run | None:
        """A model who has not acted goes towards the closest enemy. In this phase only fit enemies halt her."""
        if not may_run(t, self.fighter, self.acted):
            return None
        towards = closest_enemies(t, self.fighter)
        halting = who_halts_a_run(t, self.fighter)
        return Run(Closing(fighter=self.fighter, towards=towards, halting=halting, how="runs", clause="BS-ARN-07"))


# --- towards an enemy -------------------------------------------------------------------------------------------------


class Closing(Procedure, kw_only=True):
    """A model goes up to 4 inches along a shortest path towards an enemy (BS-Q04, BS-S23 to BS-S26)."""

    fighter: int
    towards: tuple[int, ...]
    """The closest enemies, among which chance decides; without enemies the model stays."""
    halting: tuple[int, ...] = ()
    """Enemies whose zones of control halt the model."""
    how: Verb
    clause: str
    ways: tuple[Path, ...] = ()

    @step("BS-S23", "BS-Q35")
    def find_the_closest(self, t: Skirmish) -> Throw | End | None:
        """Chance decides between equally close enemies. If the model has no enemy, she stays."""
        if not self.towards:
            return End()
        f = t.fighters[self.fighter]
        return one_fighter(t, f.side, self.towards, f"Which enemy {t.called(f.id)} goes towards")

    @step("BS-S24", "BS-Q04")
    def find_the_way(self, t: Skirmish, roll: Roll | None) -> Throw | None:
        """The model takes the shortest path into contact, ignoring zones of control.

        Chance decides between equally short paths.
        """
        self.towards = (taken(self.towards, roll),)
        self.ways = ways_to(t, self.fighter, self.towards[0])
        f = t.fighters[self.fighter]
        return one_of(f.side, _named(self.ways), f"Which of the equally long ways {t.called(f.id)} takes")

    @step("BS-S25", "BS-S26", "BS-Q05")
    def go(self, t: Skirmish, roll: Roll | None) -> None:
        """The model goes 4 inches along the path, or stops before she is within 2 inches of an enemy who halts her."""
        path = paced(t, taken(self.ways, roll), stride(t, self.fighter))
        go(t, self.fighter, as_far_as_zones_let(t, self.fighter, path, self.halting), self.how, self.clause)


class ClosingIn(Closing, kw_only=True):
    """The charge of an automated model, who needs a path into contact, straight or not (BS-Q08)."""

    how: Verb = "closes in"
    clause: str = "BS-ACH-02"

    @step("BS-ACH-02", "BS-Q08")
    def go(self, t: Skirmish, roll: Roll | None) -> None:
        """The model goes up to 4 inches along the path, into contact if possible. No zone of control halts her."""
        enemy = self.towards[0]
        path = as_far_as_zones_let(t, self.fighter, paced(t, taken(self.ways, roll), STEP), ())
        if touching((*path[-1], t.field.radius), t.disc(enemy)):
            t.change(self.fighter, at=path[-1])
            t.tell(Charged(self.fighter, enemy, path))
        elif path[-1] == path[0]:
            t.tell(HeldBack(self.fighter))
        else:
            go(t, self.fighter, path, self.how, self.clause)


def ways_to(t: Skirmish, id: int, enemy: int) -> tuple[Path, ...]:
    """Return the shortest paths of a fighter into contact with an enemy.

    If no way is free, return a straight line of the length of a move, which ends at the first obstacle (BS-S24).
    """
    at = _place(t, id)
    x, y, _ = target = t.disc(enemy)
    around = [disc for _, disc in others(t, id, without=(enemy,))]
    paths = approaches(t.ground, at, t.field.radius, target, around)
    return paths or ((at, straight(t, id, (x - at[0], y - at[1]), stride(t, id)).end),)


def _place(t: Skirmish, id: int) -> tuple[int, int]:
    x, y, _ = t.disc(id)
    return (x, y)


def _named(ways: Sequence[Path]) -> list[str]:
    parting = 1
    while len(ways) > 1 and len({way[parting] for way in ways}) == 1:
        parting += 1
    return [f"by {hour_of(way[parting - 1], way[min(parting, len(way) - 1)])} o'clock" for way in ways]


# --- rolls and lengths ------------------------------------------------------------------------------------------------


def _habits(t: Skirmish, id: int) -> tuple[Habit, ...]:
    return t.habits(id)


@rule("BS-AMV-02", "BS-AMV-05", traits=_habits)
def nearer(t: Skirmish, id: int) -> int:
    """A model goes towards the closest enemy on rolls up to 3."""
    return NEARER


@nearer.amended_by("BS-S64", trait="frenzy")
def the_frenzied_hardly_wander(value: int, t: Skirmish, id: int) -> int:
    """A frenzied model goes towards the closest enemy on rolls up to 5."""
    return 5


@rule("BS-AMV-02", "BS-AMV-05", "BS-ARN-07", traits=_habits)
def stride(t: Skirmish, id: int) -> int:
    """An automated model goes 4 inches in her move, in a random move and in her run."""
    return STEP


@stride.amended_by("BS-S65", trait="swift")
def the_swift_go_farther(value: int, t: Skirmish, id: int) -> int:
    """A swift model goes 6 inches. Charges and flights of swift models are like those of other models."""
    return 6 * INCH


# --- enemies that halt a mover ----------------------------------------------------------------------------------------


@rule("BS-AMV-03", "BS-AMV-04")
def who_halts_a_move(t: Skirmish, id: int) -> tuple[int, ...]:
    """Every enemy's zone of control halts an automated model's move, even if the enemy is not fit."""
    return tuple([f.id for f in t.enemies_of(id)])


@rule("BS-ARN-08")
def who_halts_a_run(t: Skirmish, id: int) -> tuple[int, ...]:
    """The zones of control of fit enemies halt an automated model's run."""
    return tuple([f.id for f in t.enemies_of(id) if f.active])


@rule("BS-Q32", stages=("house",))
def who_halts_a_wanderer(t: Skirmish, id: int) -> tuple[int, ...]:
    """No zone of control halts a random move, because the book's rule is only for rolls of 1 to 3."""
    return ()


@who_halts_a_wanderer.amended_by("BS-Q32", stage="house", house={"auto_random_respects_zone": "on"})
def zones_halt_wanderers_too(value: tuple[int, ...], t: Skirmish, id: int) -> tuple[int, ...]:
    """House rule: zones of control halt random moves too."""
    return who_halts_a_move(t, id)


@rule("BS-S25", "BS-AMV-03", "BS-AMV-04", "BS-ARN-08", "BS-Q05", stages=("house",))
def as_far_as_zones_let(t: Skirmish, id: int, path: Path, halting: tuple[int, ...]) -> Path:
    """A model halts before she is within 2 inches of an enemy. If she is already within, she does not move."""
    around = [disc for _, disc in others(t, id)]
    return halted(t.ground, path, t.field.radius, around, [t.disc(enemy) for enemy in halting], ZONE)


@as_far_as_zones_let.amended_by("BS-Q05", stage="house", house={"zone_ignores_walls": "off"})
def only_where_she_is_seen(way: Path, t: Skirmish, id: int, path: Path, halting: tuple[int, ...]) -> Path:
    """House rule: a model may enter an enemy's zone while neither sees the other."""
    around = [disc for _, disc in others(t, id)]
    for length in range(path_length(way), path_length(path) + 1):
        further = halted(t.ground, cut_at_length(path, length), t.field.radius, around, (), 0)
        if any(zone_holds(t, id, enemy, further[-1]) for enemy in halting):
            return way
        way = further
    return way


# --- decisions --------------------------------------------------------------------------------------------------------


def _away(t: Skirmish, fighter: int) -> str:
    near = closest_enemies(t, fighter)
    if not near:
        return ""
    if in_contact(t, fighter, near[0]):
        return f", in contact with {t.called(near[0])}"
    return f", {inches(gap(t, fighter, near[0]))} from {t.called(near[0])}"


class ActNow(Act, frozen=True):
    """Let an automated model act now."""

    fighter: Annotated[int, Pick(lambda among: among, NOT_LISTED, called)]

    words = "{fighter} acts next{away}"
    says: ClassVar[Mapping[str, Any]] = {"away": _away}
    context = ("among",)
    actor = "fighter"


class NextAutomated(OneOf, frozen=True, kw_only=True):
    """A player chooses which automated model acts next (house rule)."""

    among: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("BS-Q30",)
    template = "Which foe acts next? {left} {left::is} left"
    says: ClassVar[Mapping[str, Any]] = {"left": lambda among: len(among)}
    hint: ClassVar[str] = "You only choose the order; the dice decide their acts."
    about = ("fighter",)
    acts = (ActNow,)
