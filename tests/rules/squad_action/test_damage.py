"""Hits on machines: order of effects, the damage roll, its results, and the check after it (SQ-S50 to S53, SQ-Q52)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from caltrop.rules.squad_action.casualties import Fall, Saved
from caltrop.rules.squad_action.catalogue import LADDER, stepped
from caltrop.rules.squad_action.damage import (
    Blasted,
    Blow,
    Burn,
    CheckMachine,
    Condition,
    Disabled,
    GlancedOff,
    HitMachine,
    Struck,
    after_blow,
    after_check,
    can_harm,
    could_penetrate,
    damage_of,
    damage_parts,
    power,
)
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scene import block, done, machine, scene, squad
from tests.rules.squad_action.played import ends, every, now, one, play

BOOK = ruleset.book(None, None)


def alone(row: str, **fields: Any) -> Firefight:
    """Return one vehicle of North, far from everybody."""
    return scene(machine(1, row, 24, 24, **fields), squad(0, "regular", 5, 5))


def struck(t: Firefight, *dice: int, at: Any = "VLt", face: Any = "front", **fields: Any) -> Any:
    """Hit unit 0 once."""
    return play(t, HitMachine(unit=0, at_class=at, face=face, **fields), *dice)


# --- the ladder -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S50", "SQ-ORG-67", "SQ-Q43")
def test_the_ladder_goes_up_by_single_steps() -> None:
    assert LADDER == ("U", "VLt", "Lt", "Med", "Hvy", "VHvy")
    assert [stepped(at, -1) for at in LADDER] == ["U", "U", "VLt", "Lt", "Med", "Hvy"]


@pytest.mark.clause("SQ-S51", "SQ-Q40", "SQ-Q41")
def test_equal_classes_take_effect_on_4_and_each_step_is_a_pip() -> None:
    def results(at: Any, armour: Any) -> list[str]:
        parts = sum(p.value for p in damage_parts(BOOK, at, armour))
        return [damage_of(BOOK, face + parts) for face in range(1, 7)]

    assert results("Lt", "Lt") == ["none"] * 3 + ["shaken", "damaged", "destroyed"]
    assert results("Med", "Lt") == ["none"] * 2 + ["shaken", "damaged"] + ["destroyed"] * 2
    assert results("Lt", "Med") == ["none"] * 4 + ["shaken", "damaged"]
    assert results("Hvy", "Lt") == ["none", "shaken", "damaged", "destroyed", "destroyed", "explodes"]
    assert [can_harm(BOOK, "U", armour) for armour in LADDER] == [True, False, False, False, False, False]
    assert all(can_harm(BOOK, "VLt", armour) for armour in LADDER)


@pytest.mark.clause("SQ-ORG-30", "SQ-Q52", "SQ-W58")
def test_what_could_penetrate_is_what_a_6_can_do() -> None:
    for at, armour in product(LADDER, LADDER):
        best = 6 + sum(p.value for p in damage_parts(BOOK, at, armour))
        assert could_penetrate(BOOK, at, armour) == (best >= 4 and (at != "U" or armour == "U")), (at, armour)


@pytest.mark.clause("SQ-ORG-61")
def test_hits_on_flyers_count_one_class_higher() -> None:
    assert [power(BOOK, at, True) for at in LADDER] == ["VLt", "Lt", "Med", "Hvy", "VHvy", "VHvy"]
    assert [power(BOOK, at, False) for at in LADDER] == list(LADDER)


# --- a hit ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S51", "SQ-S53", "SQ-W35", "SQ-FMI-19")
def test_4_shakes() -> None:
    match = struck(alone("battle-tank"), 6, at="Lt")
    assert done(match).units[0].pinned
    words = one(match, Struck)
    assert (words.score, words.came, words.by) == (4, "shaken", 0)
    assert words.sentence(now(match)) == "North 0 is hit on the front: 6 -2 = 4: Shaken"
    assert words.reading(now(match)).tallies[0].expected == "1/6"
    assert not done(struck(alone("battle-tank"), 5, at="Lt")).units[0].pinned


@pytest.mark.clause("SQ-S51", "SQ-S52")
@pytest.mark.parametrize(("face", "results"), [("front", "none"), ("side", "shaken"), ("rear", "damaged")])
def test_each_face_has_its_armour(face: Any, results: str) -> None:
    match = struck(alone("battle-tank"), *((4, 1) if results == "damaged" else (4,)), at="Med", face=face)
    assert one(match, Struck).came == results


@pytest.mark.clause("SQ-S51", "SQ-W28", "SQ-W38")
def test_5_breaks_the_drive_or_the_main_weapon_and_what_is_broken_leaves_the_other() -> None:
    for die, lost in ((1, "immobile"), (3, "immobile"), (4, "disarmed"), (6, "disarmed")):
        match = struck(alone("apc"), 5, die)
        assert one(match, Disabled).lost == lost
        u = done(match).units[0]
        assert (u.immobile, u.disarmed, u.pinned) == (lost == "immobile", lost == "disarmed", False)
    for was, die in (("immobile", 2), ("disarmed", 5)):
        u = done(struck(alone("apc", **{was: True}), 5, die)).units[0]
        assert (u.immobile, u.disarmed) == (True, True)


@pytest.mark.clause("SQ-S51")
def test_what_has_lost_both_is_destroyed() -> None:
    match = struck(alone("walker", immobile=True, disarmed=True), 5, 2, at="Med", cover="none", barred=True)
    assert done(match).units[0].where == "gone"


@pytest.mark.clause("SQ-S51", "SQ-Q40", "SQ-W37", "SQ-W58")
def test_what_cannot_take_effect_throws_no_die() -> None:
    assert every(struck(alone("apc"), at="U"), GlancedOff)
    match = struck(alone("battle-tank"), at="VLt")
    assert (
        one(match, GlancedOff).sentence(now(match))
        == "A hit with anti-tank power very light does nothing to the front of North 0, whose armour is heavy"
    )
    assert one(struck(alone("truck"), 4, at="U"), Struck).came == "shaken"


# --- cover ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-Q45", "SQ-COV-01", "SQ-FMI-21", "SQ-WPN-03")
def test_a_machine_in_cover_saves_before_the_damage_roll() -> None:
    assert not every(struck(alone("apc"), 4, cover="hard"), Struck)
    assert one(struck(alone("apc"), 3, 4, cover="hard"), Struck).came == "shaken"
    # Pinned: 3+, and 6+ in the open.
    assert not every(struck(alone("apc", pinned=True), 3, cover="hard"), Struck)
    assert not every(struck(alone("apc", pinned=True), 6), Struck)
    assert every(struck(alone("apc", pinned=True), 5, 3), Struck)
    # A shell on the hull and a flame are not stopped.
    assert len(every(struck(alone("apc", pinned=True), 4, cover="hard", barred=True), Struck)) == 1
    assert len(every(struck(alone("apc"), 4, cover="hard", flame=True), Struck)) == 1
    # In the open the unit has no cover.
    assert len(every(struck(alone("apc"), 4), Struck)) == 1


@pytest.mark.clause("SQ-ORG-54", "SQ-Q45", "SQ-W55")
def test_a_walker_in_the_open_saves_on_5() -> None:
    saved = struck(alone("walker"), 5, at="Lt")
    assert one(saved, Saved).saved == 1
    assert not every(saved, Struck)
    assert one(struck(alone("walker"), 4, 3, at="Lt"), Struck).score == 2
    assert one(struck(alone("walker"), 4, 3, at="Lt", cover="hard"), Saved).saved == 1
    assert not every(struck(alone("walker"), 3, at="Lt", barred=True), Saved)


@pytest.mark.clause("SQ-Q55", "SQ-Q14", "SQ-ORG-61", "SQ-W56")
def test_a_flyer_uses_no_cover_and_is_frail() -> None:
    match = struck(alone("gunship"), 6, 4, at="U", face="side", cover="hard")
    assert one(match, Struck).score == 5
    assert one(match, Disabled).lost == "disarmed"
    assert not every(match, Saved)


@pytest.mark.clause("SQ-S56")
def test_an_immobile_flyer_is_lost_and_a_shaken_one_leaves() -> None:
    assert done(struck(alone("gunship"), 6, 1, at="U", face="side")).units[0].where == "gone"
    u = done(struck(alone("gunship"), 5, at="U", face="side")).units[0]
    assert (u.where, u.pinned) == ("away", False)
    # After the vehicle has left the table, later steps have no unit to act on.
    gone = alone("gunship", where="away")
    assert not every(struck(gone, at="Hvy"), Struck)


# --- destroyed --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S51", "SQ-W36")
@pytest.mark.parametrize(("die", "explodes"), [(2, False), (3, False), (4, True), (6, True)])
def test_6_destroys_and_8_explodes(die: int, explodes: bool) -> None:
    t = scene(machine(1, "apc", 24, 24), squad(0, "regular", 24, 22, 4), squad(0, "regular", 24, 10, 4))
    # A 1 is one hit, which is saved. Then comes the pinning check.
    match = struck(t, die, *((1, 6, 6) if explodes else ()), at="VHvy")
    assert [b.unit for b in every(match, Blasted)] == [1] * explodes
    assert done(match).units[0].where == "gone"
    assert now(match).models[0].at is None


# --- the check of morale ----------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-30", "SQ-ORG-31", "SQ-ORG-32", "SQ-Q07", "SQ-Q52", "SQ-W58", "SQ-VEH-09")
def test_a_machine_checks_without_modifiers_and_only_if_it_is_not_pinned() -> None:
    t = scene(machine(1, "battle-tank", 24, 24), squad(1, "regular", 26, 24, officer=True))
    assert done(play(t, CheckMachine(unit=0), 2)).units[0].pinned
    assert not done(play(t, CheckMachine(unit=0), 3)).units[0].pinned
    assert done(play(alone("battle-tank", pinned=True), CheckMachine(unit=0))).units[0].pinned
    assert done(play(alone("truck"), CheckMachine(unit=0), 3)).units[0].pinned


# --- exact fates ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S51", "SQ-Q45", "SQ-ORG-54", "SQ-ORG-61")
@pytest.mark.parametrize(
    ("row", "fields"),
    [
        ("apc", {}),
        ("apc", {"pinned": True}),
        ("truck", {"immobile": True}),
        ("walker", {"disarmed": True}),
        ("walker", {"immobile": True, "disarmed": True}),
        ("gunship", {}),
        ("heavy-tank", {}),
    ],
)
def test_fates_are_those_of_every_fall_of_the_dice(row: str, fields: Any) -> None:
    t = alone(row, **fields)
    u = t.units[0]
    was = Condition(False, u.immobile, u.disarmed, u.pinned)

    def end(t: Firefight) -> Condition:
        v = t.units[0]
        return Condition(v.where == "gone", v.immobile, v.disarmed, v.pinned or v.where == "away")

    for at, cover in product(("U", "VLt", "Med", "Hvy"), ("none", "hard")):
        result = after_blow(t, u.kind, was, Blow(at, t.vehicle(0).face("side"), cover))  # type: ignore[arg-type]
        played = ends(t, lambda a=at, c=cover: HitMachine(unit=0, at_class=a, face="side", cover=c), end)  # type: ignore[misc]
        assert result.map(_wrecks) == played.map(_wrecks), (row, at, cover)


def _wrecks(c: Condition) -> Condition:
    """Return the outcomes with all wrecks counted as one, whatever was damaged before."""
    return Condition(destroyed=True) if c.destroyed else c


@pytest.mark.clause("SQ-Q52")
def test_the_check_is_exact() -> None:
    whole = Condition()
    assert after_check(BOOK, 3, whole)[whole._replace(pinned=True)] == 1 - after_check(BOOK, 3, whole)[whole]
    assert str(after_check(BOOK, 3, whole)[whole]) == "2/3"
    assert after_check(BOOK, 3, Condition(pinned=True))[Condition(pinned=True)] == 1


@pytest.mark.clause("SQ-S51")
def test_an_explosion_hits_every_unit_on_foot_within_3_inches() -> None:
    t = scene(
        machine(1, "truck", 24, 24),
        squad(1, "conscript", 26, 24, 4),
        squad(0, "conscript", 24, 21, 4),
        squad(0, "conscript", 40, 40, 4),
        machine(0, "truck", 21, 24),
        squad(0, "regular", 24, 28, 4, gap="0.7"),
        terrain=[block("ruin", "ruins", 20, 27, 30, 31)],
    )
    # A 6 is three hits, and 1 and 2 are one hit. The unit in ruins has hard cover. Then each unit takes its checks.
    answers = [Fall((2, 3, 4)), Fall((6,))]
    match = play(t, Burn(unit=0, explodes=True), 6, 1, 5, 2, 4, 3, answers=answers)
    assert [(b.unit, b.hits) for b in every(match, Blasted)] == [(1, 3), (2, 1), (5, 1)]
    assert [s.needed for s in every(match, Saved)] == [4]
    left = done(match)
    assert [len(u.models) for u in left.units] == [0, 0, 3, 4, 1, 4]
