"""Machines in close quarters: how they are struck, how they strike, and how such a fight ends (SQ-VEH, SQ-ORG-53)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from caltrop.chance import Distribution
from caltrop.engine import End, HouseValue, Procedure, Run, step
from caltrop.rules.squad_action.casualties import Fall, Saved
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.close_quarters import CloseQuarters
from caltrop.rules.squad_action.consolidation import HoldGround, SteppedBack
from caltrop.rules.squad_action.damage import WRECK, CheckMachine, Condition, MachineChecked, Struck, condition
from caltrop.rules.squad_action.initiative import RolledInitiative
from caltrop.rules.squad_action.places import gap
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scene import done, machine, scene, squad
from caltrop.rules.squad_action.striking import MoreAttacks, StruckByHand
from caltrop.rules.squad_action.vehicle_assault import (
    Assail,
    GotAt,
    Reached,
    anti_tank_of,
    by_hand,
    face_by_hand,
    hits_of_machine,
    may_strike,
    to_hit_machine,
    to_hurt_machine,
)
from tests.rules.squad_action.played import ends, every, now, one, play

BOOK = ruleset.book(None, None)


def house(**rules: HouseValue) -> Any:
    """Return a book with house rules."""
    return ruleset.book(None, rules)


def at_a_tank(models: int = 8, row: str = "battle-tank", rules: Any = None, **fields: Any) -> Firefight:
    """South's squad at the side of a machine of North's."""
    weapons = fields.pop("weapons", ())
    return scene(
        squad(0, "regular", 20, 20, models, weapons=weapons), machine(1, row, 22, "21.9", **fields), rules=rules
    )


def storm(cover: str = "none", turned: bool = False) -> CloseQuarters:
    """Return an assault of a squad on a vehicle, or of a vehicle on a squad."""
    given: Any = {"assaulters": (int(turned),), "defenders": (int(not turned),), "covers": (cover,)}
    return CloseQuarters(**given)


@pytest.mark.clause(
    "SQ-W29", "SQ-W53", "SQ-W62", "SQ-VEH-01", "SQ-VEH-02", "SQ-VEH-03", "SQ-ORG-53", "SQ-Q27", "SQ-Q60"
)
def test_what_an_attack_needs() -> None:
    def of(moved: bool, travelled: int, kind: Any = "vehicle") -> int:
        return to_hit_machine(BOOK, kind, moved, inches(travelled))

    assert of(False, 0) == 1
    assert [of(True, n) for n in (0, 6, 8, 9)] == [4, 4, 4, 6]
    assert to_hit_machine(BOOK, "vehicle", True, inches(8) + 1) == 6
    assert [of(False, 0, "walker"), of(True, 9, "walker")] == [4, 6]


@pytest.mark.clause("SQ-VEH-04", "SQ-VEH-05", "SQ-ORG-57", "SQ-Q28")
@pytest.mark.house("vehicle_assault_rolls", "two_step", "one_step")
def test_what_a_hit_needs_and_where_it_strikes() -> None:
    steps = house()
    assert (to_hit_machine(steps, "vehicle", False, 0), to_hurt_machine(steps, False)) == (1, 6)
    assert to_hurt_machine(steps, True) == 1
    step = house(vehicle_assault_rolls="one_step")
    assert (to_hit_machine(step, "vehicle", False, 0), to_hurt_machine(step, False)) == (6, 1)
    assert (face_by_hand(BOOK, "vehicle"), face_by_hand(BOOK, "walker")) == ("rear", "front")


@pytest.mark.clause("SQ-W28", "SQ-VEH-01", "SQ-VEH-04", "SQ-VEH-09", "SQ-CQB-08", "SQ-Q52")
def test_eight_soldiers_at_a_tank_that_stands() -> None:
    rolls: list[Any] = [2, (6, 6, 6, *[1] * 7), 6, 1, 5, 4]
    match = play(at_a_tank(), storm(), *rolls)
    assert one(match, MoreAttacks).attacks == one(match, Reached).hits == 10
    assert one(match, GotAt).hits == 3
    assert [(e.score, e.came, e.side_hit) for e in every(match, Struck)] == [
        (5, "damaged", "rear"),
        (4, "shaken", "rear"),
        (3, "none", "rear"),
    ]
    t = done(match)
    assert t.units[1].pinned
    assert not every(match, MachineChecked)


@pytest.mark.clause("SQ-W30", "SQ-VEH-05", "SQ-VEH-06", "SQ-Q05", "SQ-WPN-01")
def test_an_anti_tank_weapon_gives_its_class_and_an_rpg_does_not() -> None:
    t = at_a_tank(3, weapons=("rpg", "fusion-gun", "anti-tank-launcher"))
    assert [by_hand(t, m) for m in (0, 1, 2)] == [None, "fusion-gun", "anti-tank-launcher"]
    assert anti_tank_of(t, 0) == (1, 2)
    assert by_hand(t, 3) is None, "a tank gun is nothing to strike with"
    one_gun = at_a_tank(2, weapons=("fusion-gun",))
    match = play(one_gun, storm(), 1, (1, 1), 3, 4, 6)
    assert [(e.score, e.came) for e in every(match, Struck)] == [(5, "damaged")]
    launcher = at_a_tank(2, weapons=("anti-tank-launcher",))
    match = play(launcher, storm(), 1, (1, 1), 1, 6)
    assert now(match).models[0].fired == ("anti-tank-launcher",)
    assert by_hand(now(match), 0) is None


@pytest.mark.clause("SQ-W53", "SQ-ORG-57", "SQ-VEH-02")
def test_a_walker_is_struck_in_front() -> None:
    t = at_a_tank(2, "walker", rules={"cqb_rounds": "at_once"})
    match = play(t, storm(), 1, (4, 3, 1), 6, 6, (1,))
    struck = one(match, Struck)
    assert (struck.score, struck.came, struck.side_hit) == (4, "shaken", "front")
    assert one(match, Reached).needed == 4


@pytest.mark.clause("SQ-W63", "SQ-VEH-07", "SQ-VEH-08", "SQ-VEH-09", "SQ-Q61", "SQ-ORG-31")
@pytest.mark.parametrize(("die", "pinned"), [(3, False), (2, True)])
def test_they_part_after_one_round(die: int, pinned: bool) -> None:
    match = play(at_a_tank(6), storm(), 1, (1,) * 7, die)
    t = done(match)
    assert one(match, MachineChecked).passed is not pinned
    assert (t.units[0].pinned, t.units[1].pinned) == (False, pinned)
    assert one(match, SteppedBack).unit == 0
    assert inches(2) < gap(t, 0, 1) < inches(3)
    assert t.units[0].locked == t.units[1].locked == ()


@pytest.mark.clause("SQ-CQB-15", "SQ-S23", "SQ-Q16", "SQ-S51")
@pytest.mark.parametrize(("test", "broken"), [(1, True), (6, False)])
def test_who_breaks_before_an_explosion_takes_no_ground(test: int, broken: bool) -> None:
    few = squad(0, "regular", 20, 20, 5, weapons=("fusion-gun",), starting=10)
    t = scene(few, machine(1, "apc", 22, "21.9"), rules={"break_result": "fall_back"})
    explodes: list[Any] = [1, (1,) * 5, 4, 6, (1, 1, 1)]
    match = play(t, storm(), *explodes, test, *([1] if broken else [6]), answers=[Fall((2, 3, 4))])
    assert now(match).units[1].where == "gone"
    assert now(match).units[0].broken is broken
    assert [type(asked).__name__ for asked in match.waiting] == ([] if broken else ["Consolidate"])


@pytest.mark.clause("SQ-Q61", "SQ-CQB-15", "SQ-CQB-16")
def test_who_destroys_a_vehicle_has_won() -> None:
    match = play(at_a_tank(2, "apc"), storm(), 1, (6, 1, 1), 5, answers=[HoldGround()])
    t = done(match)
    assert (t.units[1].where, t.units[0].pinned) == ("gone", True)


@pytest.mark.clause("SQ-W54", "SQ-ORG-55", "SQ-ORG-56", "SQ-Q54")
@pytest.mark.house("walker_attack", "one_roll", "cqb_then_2")
def test_a_walker_charges() -> None:
    t = at_a_tank(4, "walker")
    # The machine strikes with three attacks; armour does not help; then they strike back, and have to hold.
    match = play(t, storm(turned=True), 3, (6, 2, 1), (1, 1), 6, 3, answers=[Fall((2, 3))])
    after = done(match)
    assert one(match, StruckByHand).hits == 2
    assert not every(match, Saved)
    assert len(after.units[0].models) == 2
    assert (after.units[0].pinned, after.units[1].pinned) == (False, False)
    assert one(match, SteppedBack).unit == 1
    assert hits_of_machine(BOOK, "walker", 4) == (2,)
    assert hits_of_machine(house(walker_attack="cqb_then_2"), "walker", 4) == (4, 2)


@pytest.mark.clause("SQ-Q54")
def test_a_walker_that_has_to_hit_first() -> None:
    t = at_a_tank(4, "walker", rules={"walker_attack": "cqb_then_2"})
    match = play(t, storm(turned=True), 3, (4, 3, 4), (1, 2), (1, 1, 1), 6, 3, answers=[Fall((3,))])
    assert [(e.needed, e.hits) for e in every(match, StruckByHand)] == [(4, 2), (2, 1)]


@pytest.mark.clause("SQ-Q54", "SQ-CQB-04", "SQ-Q22")
def test_a_walker_rolls_for_the_initiative_and_cover_stays() -> None:
    t = at_a_tank(4, "walker")
    match = play(t, storm("hard", turned=True), 6, 1, 1, (6, 2), (3, 4), (1, 1, 1), 6, 3, answers=[Fall((3,))])
    assert [e.unit for e in every(match, RolledInitiative)] == [1, 0]
    assert one(match, Saved).needed == 4


@pytest.mark.clause("SQ-Q28")
@pytest.mark.house("vehicle_strikes_back", "off", "on")
def test_a_vehicle_strikes_back_by_the_house() -> None:
    book = house()
    assert not may_strike(book, "vehicle", 0)
    assert may_strike(book, "walker", 4)
    assert may_strike(book, "infantry", 4)
    t = at_a_tank(6, rules={"vehicle_strikes_back": "on"})
    match = play(t, storm(), 1, (1,) * 7, 3, (5, 4, 6), (1, 5), 6, 6, answers=[Fall((5,))])
    assert [(e.unit, e.needed, e.hits) for e in every(match, StruckByHand)] == [(1, 5, 2)]
    assert len(done(match).units[0].models) == 5


@pytest.mark.clause("SQ-VEH-04", "SQ-VEH-05", "SQ-VEH-09", "SQ-S51")
def test_the_forecast_of_an_assault_on_a_machine() -> None:
    def found(launcher: bool, **fields: Any) -> Distribution[Condition]:
        t = at_a_tank(1, weapons=("fusion-gun",), **fields)
        launchers = anti_tank_of(t, 0) if launcher else ()

        def checked(after: Firefight) -> Condition:
            return condition(after, 1) if after.units[1].in_play else WRECK

        return ends(t, lambda: OneAttack(launchers=launchers), checked)

    # One hit in six gets at it: a 5 shakes it, a 6 breaks something; where it is whole it checks at 3+.
    assert found(False)[Condition(pinned=True)] == Fraction(1, 36) + Fraction(1, 3) * Fraction(34, 36)
    assert found(True).chance(lambda c: c.destroyed) == Fraction(3, 6)
    assert found(True, moved=True).chance(lambda c: c.destroyed) == Fraction(3, 12)


class OneAttack(Procedure):
    """One attack of a squad on a machine, and the check of its crew."""

    launchers: tuple[int, ...] = ()

    @step("SQ-VEH-02")
    def strike(self, t: Firefight) -> Run:
        return Run(Assail(unit=1, by=0, attacks=1, launchers=self.launchers))

    @step("SQ-VEH-09")
    def check(self, t: Firefight) -> Run | End:
        return Run(CheckMachine(unit=1)) if t.units[1].in_play else End()

    @step("SQ-VEH-09")
    def over(self, t: Firefight) -> None: ...


@pytest.mark.clause("SQ-VEH-02", "SQ-VEH-05", "SQ-WPN-01", "SQ-Q05")
def test_weapons_by_hand_are_thrown_apart_the_strongest_first() -> None:
    arms = ("anti-tank-launcher", "fusion-gun", "anti-tank-launcher")
    t = at_a_tank(5, weapons=arms, moved=True, travelled=inches(6))
    by = Assail(unit=1, by=0, attacks=5, launchers=anti_tank_of(t, 0))
    # Both launchers, of which one hits; the fusion gun, which does not; then the two who have none, and one hurts it.
    match = play(t, by, (1, 4), (3,), (4, 5), (6, 2), 1, 1)
    after = now(match)
    assert [(e.weapon, e.hits) for e in every(match, Reached)] == [
        ("anti-tank-launcher", 1),
        ("fusion-gun", 0),
        ("", 2),
    ]
    assert next(e.sentence(after) for e in every(match, Reached)) == (
        "South 0 strikes with its anti-tank launchers at North 1 on 4+: 1 4: 1 hit"
    )
    read = every(match, Reached)[0].reading(after)
    assert read is not None
    assert (read.words, read.came, read.tallies[0].label) == ("South 0: hit", "1 of 2", "hit")
    assert sum(bool(m.fired) for m in after.models) == 1, "one launcher has made a damage roll, and is spent"
    assert [e.came for e in every(match, Struck)] == ["none", "none"]


@pytest.mark.clause("SQ-VEH-04", "SQ-VEH-05", "SQ-Q28", "SQ-TRT-07")
@pytest.mark.house("vehicle_assault_rolls", "one_step")
def test_one_roll_of_6_hits_and_hurts_the_striker() -> None:
    t = at_a_tank(3, weapons=("fusion-gun",), rules={"vehicle_assault_rolls": "one_step"})
    # A bonus of 1 makes four attacks, of which the first is the fusion gun's. A 5 does nothing even if nobody moved.
    match = play(t, storm(), 1, (5,), (6, 5, 4), 5, 3)
    assert [(e.needed, e.hits) for e in every(match, Reached)] == [(6, 0), (6, 1)]
    assert not every(match, GotAt), "no second roll"
    assert [(e.score, e.came) for e in every(match, Struck)] == [(4, "shaken")]
    hit = play(t, storm(), 1, (6,), (1, 1, 1), 2, 3)
    assert [(e.score, e.came) for e in every(hit, Struck)] == [(4, "shaken")], "the fusion gun strikes with its own AT"
    # A 1 is thrown again, and a 6 then counts.
    t.change(0, traits=("improved-close-combat",))
    again = play(t, storm(), 1, (1,), (6,), (5, 5, 5), 2)
    assert [(e.hits, e.faces) for e in every(again, Reached)] == [(1, (6,)), (0, (5, 5, 5))]
