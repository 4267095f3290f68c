"""Kinds of foes: how each differs from others of her Quality."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.engine import Procedure
from caltrop.geometry import INCH
from caltrop.rules.blade_skirmish.automata import AutomatedMovement, AutomatedRunning
from caltrop.rules.blade_skirmish.catalogue import Length
from caltrop.rules.blade_skirmish.combat import AttackAll, AttackEnemy
from caltrop.rules.blade_skirmish.conditions import remove
from caltrop.rules.blade_skirmish.habits import HABITS, Shot
from caltrop.rules.blade_skirmish.picture import depict
from caltrop.rules.blade_skirmish.places import flank_partners
from caltrop.rules.blade_skirmish.records import Habit, Skirmish
from caltrop.rules.blade_skirmish.scenarios import kinds_of_foes
from caltrop.rules.blade_skirmish.scene import Put, block, done, put, run, scene
from tests.rules.blade_skirmish.fights import fight, now, said, told


def foe(habit: Habit, quality: int, x: Length, y: Length, **fields: Any) -> Put:
    """Return an automated model with a habit."""
    return put(1, quality, x, y, habits=(habit,), **fields)


def after(t: Skirmish, procedure: Procedure, *dice: int) -> Skirmish:
    return done(run(t, procedure, *[(face,) for face in dice]))


def moved(t: Skirmish, *dice: int) -> tuple[int, int]:
    """Return the first fighter's move in her movement phase, in inches."""
    start, end = t.fighters[0].at, after(t, AutomatedMovement(fighter=0), *dice).fighters[0].at
    assert start is not None
    assert end is not None
    return (end[0] - start[0]) // INCH, (end[1] - start[1]) // INCH


@pytest.mark.clause("BS-S60", "BS-S61", "BS-S62", "BS-S63", "BS-S64", "BS-S65")
def test_there_are_six_kinds_with_a_habit_and_a_weapon_each() -> None:
    kinds = kinds_of_foes()
    assert {kind.habits for kind in kinds.values()} == {(habit,) for habit in HABITS}
    assert len({kind.look for kind in kinds.values()}) == 6
    picture = depict(scene(*[foe(kind.habits[0], 1, 2 + 2 * i, 20) for i, kind in enumerate(kinds.values())]), 0)
    shown = [stat.label for group in picture.groups for stat in group.stats]
    assert {HABITS[habit].title for habit in HABITS} <= set(shown)


# --- a shield ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S60")
@pytest.mark.parametrize(
    ("left", "right", "flanks"),
    [(2, 3, [True, False]), (3, 2, [False, True]), (2, 2, [False, True])],
    ids=["right is better", "left is better", "of equals the first"],
)
def test_a_shield_is_turned_to_the_best_of_those_who_touch_her(left: int, right: int, flanks: list[bool]) -> None:
    t = scene(foe("shield", 1, 12, 12), put(0, left, 11, 12), put(0, right, 13, 12))
    assert [bool(flank_partners(t, id, 0)) for id in (1, 2)] == flanks
    plain = scene(put(1, 1, 12, 12), put(0, left, 11, 12), put(0, right, 13, 12))
    assert [bool(flank_partners(plain, id, 0)) for id in (1, 2)] == [True, True]


@pytest.mark.clause("BS-S60", "BS-CMB-05")
def test_the_enemy_that_the_shield_faces_adds_nothing_in_a_fight() -> None:
    t = scene(foe("shield", 2, 12, 12, stunned=True), put(0, 3, 11, 12, name="Ada"), put(0, 1, 13, 12, name="Ben"))
    match = fight(t, 3, 4, 3, 4, answers=[AttackAll()])
    assert [event.partners for event in said(match, "Struck")] == [(), (1,)]
    assert [event.won for event in said(match, "Struck")] == [None, None], "3 + 3 and 3 + 1 + 2 against 4 + 2"


# --- a bow ------------------------------------------------------------------------------------------------------------


def shot(t: Skirmish, *dice: int) -> tuple[Skirmish, list[Any]]:
    match = run(t, AutomatedRunning(fighter=0), *[(face,) for face in dice])
    return now(match), said(match, "Shot")


@pytest.mark.clause("BS-S61")
def test_an_archer_shoots_at_the_closest_she_sees_within_ten_inches() -> None:
    near, far = put(0, 2, 12, "9.5"), put(0, 2, 16, 10)
    t, shots = shot(scene(foe("bow", 2, 12, 20), near, far), 5, 4)
    assert shots == [Shot(0, 1)], "the other is 9.5 inches away"
    assert t.fighters[1].fate == "wounded"
    t, shots = shot(scene(foe("bow", 2, 12, 20), near), 4)
    assert shots == [Shot(0, 1)]
    assert t.fighters[1].fate == "ready", "4 + 2 is no pass"
    assert t.fighters[0].at == (12 * INCH, 20 * INCH), "who shoots does not run"


@pytest.mark.clause("BS-S61", "BS-Q22", "BS-Q23", "BS-INJ-06")
@pytest.mark.parametrize("fatality", ["on_strike", "on_death", "on_removal", "off"])
def test_a_death_by_an_arrow_is_a_kill_without_a_fatality(fatality: str) -> None:
    """An archer ten inches away takes no trophy: `on_death` is about hits by models in contact."""
    position = scene(foe("bow", 1, 12, 20), put(0, 2, 12, 14), rules={"fatality": fatality})
    match = run(position, AutomatedRunning(fighter=0), (6,), (6,))
    t = done(match)
    assert (t.fighters[1].fate, t.fighters[0].kills, t.fighters[0].trophies) == ("dead", 1, 0)


@pytest.mark.clause("BS-S61", "BS-GEO-05")
@pytest.mark.parametrize(
    ("others", "terrain"),
    [
        ([put(0, 2, 12, 8)], ()),
        ([put(0, 2, 12, 14)], (block("hut", 10, 16, 15, 17),)),
    ],
    ids=["too far", "out of sight"],
)
def test_an_archer_who_sees_nobody_runs(others: Sequence[Put], terrain: Sequence[Any]) -> None:
    t, shots = shot(scene(foe("bow", 1, 12, 20), *others, terrain=terrain))
    assert not shots
    assert t.fighters[0].at != (12 * INCH, 20 * INCH)


@pytest.mark.clause("BS-S61")
def test_an_archer_who_touches_somebody_or_has_acted_does_not_shoot() -> None:
    _, shots = shot(scene(foe("bow", 1, 12, 20), put(0, 2, 12, 19), put(0, 2, 12, 14)))
    assert not shots
    t = scene(foe("bow", 1, 12, 20), put(0, 2, 12, 14))
    match = run(t, AutomatedRunning(fighter=0, acted=True))
    assert not said(match, "Shot")


@pytest.mark.clause("BS-S61", "BS-AMV-02", "BS-AMV-05")
def test_an_archer_stands_where_she_can_shoot_and_wanders_as_others_do() -> None:
    t = scene(foe("bow", 1, 12, 20), put(0, 2, 12, 11))
    assert moved(t, 3) == (0, 0)
    assert moved(t, 4, 3) == (4, 0)
    assert moved(scene(foe("bow", 1, 12, 20), put(0, 2, 12, 8)), 3) == (0, -4)


@pytest.mark.clause("BS-S61", "BS-S23")
def test_among_equally_close_enemies_chance_says_at_which_she_shoots() -> None:
    _, shots = shot(scene(foe("bow", 1, 12, 20), put(0, 2, 8, 16), put(0, 2, 16, 16)), 2, 1)
    assert shots == [Shot(0, 2)]


# --- foes who lose heart
# --------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S62")
@pytest.mark.parametrize(("die", "flees"), [(5, True), (6, False)])
def test_who_is_skittish_tests_when_a_comrade_falls_within_four_inches(die: int, flees: bool) -> None:
    t = scene(
        put(0, 3, 12, 12, name="Ada"),
        put(1, 1, 12, 13, name="Ben", stunned=True),
        foe("skittish", 1, 12, 17, name="Cora"),
        foe("skittish", 1, 12, "18.1", name="Dora"),
    )
    after = now(fight(t, 6, 1, 4, die))
    assert [f.fleeing for f in after.fighters[2:]] == [flees, False], "Dora stands 4.1 inches away"


@pytest.mark.clause("BS-S62", "BS-S63", "BS-Q44")
@pytest.mark.parametrize(("injury", "tests"), [(2, 0), (1, 1)])
@pytest.mark.parametrize("habit", ["skittish", "captain"])
def test_who_is_put_to_flight_in_the_same_combat_does_not_test(habit: str, injury: int, tests: int) -> None:
    fallen = foe("captain", 1, 12, 13, stunned=True) if habit == "captain" else put(1, 1, 12, 13, stunned=True)
    comrade = foe("skittish", 1, 14, 13, stunned=True) if habit == "skittish" else put(1, 1, 14, 13, stunned=True)
    t = scene(put(0, 5, 12, 12), fallen, put(0, 5, 14, 12), comrade)
    match = fight(t, 6, 1, 4, 6, 1, injury, *((6,) if tests else ()), answers=[AttackEnemy(0, 1)])
    assert [type(event).__name__ for event in told(match)].count("QualityTested") == tests


@pytest.mark.clause("BS-S63")
def test_when_a_captain_falls_all_her_comrades_test() -> None:
    t = scene(
        put(0, 3, 12, 12, name="Ada"),
        foe("captain", 3, 12, 13, name="Hel", stunned=True),
        put(1, 1, 2, 22, name="Ben"),
        put(1, 2, 22, 22, name="Cora"),
        put(1, 1, 22, 2, name="Dora", fleeing=True),
        put(0, 1, 2, 2, name="Eve"),
    )
    match = fight(t, 6, 1, 5, 4, 5)
    assert [f.fleeing for f in now(match).fighters] == [False, False, True, False, True, False]
    kinds = [type(event).__name__ for event in told(match)]
    assert kinds.count("QualityTested") == 2, "nobody tests for the enemy, and who flees already does not"


@pytest.mark.clause("BS-S62", "BS-S63")
def test_who_leaves_safe_and_sound_shakes_nobody() -> None:
    t = scene(foe("captain", 3, 12, 13), foe("skittish", 1, 12, 15), put(0, 1, 2, 2))
    remove(t, 0, "away")
    assert not t.queue


# --- distances and numbers needed
# ------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-S64", "BS-AMV-02")
def test_who_is_in_a_frenzy_comes_on_one_to_five() -> None:
    def t(*fields: Put) -> Skirmish:
        return scene(*fields, put(0, 2, 12, 4))

    assert moved(t(foe("frenzy", 2, 12, 20)), 5) == (0, -4)
    assert moved(t(foe("frenzy", 2, 12, 20)), 6, 3) == (4, 0)
    assert moved(t(put(1, 2, 12, 20)), 4, 3) == (4, 0)


@pytest.mark.clause("BS-S65", "BS-ARN-07")
def test_who_is_swift_goes_six_inches() -> None:
    t = scene(foe("swift", 1, 12, 20), put(0, 2, 12, 4))
    assert moved(t, 1) == (0, -6)
    assert moved(t, 4, 3) == (6, 0)
    ran = after(t, AutomatedRunning(fighter=0))
    assert ran.fighters[0].at == (12 * INCH, 14 * INCH)
    assert next(group.walk for group in depict(t, 0).groups if group.id == 0) == 6 * INCH


@pytest.mark.clause("BS-S24", "BS-S65")
@pytest.mark.parametrize(("traits", "far"), [(("swift",), 6), ((), 4)])
def test_with_no_way_to_her_a_straight_line_is_as_long_as_the_move(traits: tuple[str, ...], far: int) -> None:
    moat = block("moat", 0, 10, 24, 11, "pit")
    t = scene(put(1, 1, 12, 20), put(0, 2, 12, 4), terrain=[moat])
    t.change(0, habits=traits)
    assert moved(t, 1) == (0, -far)
