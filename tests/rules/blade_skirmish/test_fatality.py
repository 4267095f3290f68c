"""Fatalities: trophies, slippery floors, second attacks (BS-FAT-01 to BS-FAT-11).

Further cases are in test_combat and test_through.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, radians, sin, sqrt
from random import Random
from typing import Any

import pytest

from caltrop.asking import offered
from caltrop.engine import Match, Refused
from caltrop.geometry import INCH, Disc
from caltrop.rules.blade_skirmish.catalogue import Length, inches
from caltrop.rules.blade_skirmish.combat import Combat
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.fatality import (
    FATALITIES,
    LetBe,
    SecondAttack,
    StrikeAgain,
    clear_away,
    end_trophies,
    skewered_with,
    skewers,
    slips,
)
from caltrop.rules.blade_skirmish.injury import InjuryRoll
from caltrop.rules.blade_skirmish.records import Guts
from caltrop.rules.blade_skirmish.scene import done, put, run, scene
from caltrop.rules.blade_skirmish.through import StandFast
from tests.rules.blade_skirmish.fights import fight, now, said

HIT = (6, 1)


def killed(fatality: int, *dice: int, others: Any = (), answers: Any = (), quality: int = 2, **fields: Any) -> Match:
    """Let Ada of the player's side kill stunned Bo, then play with further dice and answers."""
    start = scene(
        put(0, quality, 12, 12, name="Ada"), put(1, quality, 13, 12, name="Bo", stunned=True), *others, **fields
    )
    return fight(start, *HIT, 6, fatality, *dice, answers=answers)


# --- the table --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-FAT-01", "BS-FAT-02", "BS-FAT-04", "BS-FAT-07", "BS-FAT-09", "BS-FAT-12", "BS-INJ-04")
@pytest.mark.parametrize("fatality", range(1, 7))
def test_every_victim_leaves_the_table_and_the_roll_is_told(fatality: int) -> None:
    match = killed(fatality)
    if match.waiting:
        match.play(0, StandFast())
    t = done(match)
    assert (t.fighters[1].at, t.fighters[1].fate, t.fighters[0].kills) == (None, "dead", 1)
    (words,) = said(match, "Fatal")
    row = FATALITIES[fatality - 1]
    assert words.sentence(t) == f"Fatality {fatality}: Ada {row.does.format('Bo')}, and {row.words}"
    reading = words.reading(t)
    assert [(die.face, die.result) for die in reading.dice] == [(fatality, row.title)]
    assert (len(t.guts), t.fighters[0].trophies) == (fatality == 2, fatality == 1)


# --- trophies ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-FAT-01", "BS-Q24", "BS-W30")
@pytest.mark.parametrize("own_turn", [True, False])
def test_a_trophy_keeps_its_taker_until_the_end_of_her_next_turn(own_turn: bool) -> None:
    """The turns are started and ended by hand here: side 0 has started one, and side 1 one if its combat is fought."""
    start = scene(put(0, 2, 12, 12), put(1, 2, 13, 12, stunned=True), turns=(1, 0 if own_turn else 1))
    t = done(fight(start, *HIT, 6, 1, side=0 if own_turn else 1))
    ada = t.fighters[0]
    assert (ada.trophies, idle(t, 0)) == (1, True)
    if own_turn:
        end_trophies(t, 0)
        assert idle(t, 0), "her next turn has not begun"
        t.turns[1] += 1
    end_trophies(t, 1)
    assert idle(t, 0)
    t.turns[0] += 1
    assert idle(t, 0)
    end_trophies(t, 0)
    assert not idle(t, 0)


@pytest.mark.clause("BS-FAT-01", "BS-Q24")
@pytest.mark.parametrize("fields", [{}, {"fleeing": True}, {"stunned": True}, {"fleeing": True, "stunned": True}])
def test_a_trophy_is_stowed_by_one_who_flees_or_is_stunned_as_by_anybody(fields: dict[str, Any]) -> None:
    t = scene(put(0, 2, 12, 12, trophy=2, **fields), put(0, 2, 15, 12, trophy=3), put(1, 2, 13, 12), turns=(2, 1))
    end_trophies(t, 0)
    assert [f.trophy for f in t.fighters] == [None, 3, None]


@pytest.mark.clause("BS-FAT-01", "BS-Q44")
def test_the_trophy_of_a_killer_who_falls_in_the_same_combat_counts() -> None:
    start = scene(put(0, 2, 12, 12), put(1, 2, 13, 12))
    t = done(fight(start, *HIT, 6, 1, *HIT, 4))
    ada = t.fighters[0]
    assert (ada.fate, ada.trophies, ada.kills, ada.trophy) == ("wounded", 1, 1, None)
    end_trophies(t, 0)


# --- slippery floors --------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-FAT-02", "BS-Q25")
@pytest.mark.house("gut_marker_turns", 0, 1, 2, 20)
@pytest.mark.parametrize("rounds", [0, 1, 2, 20])
def test_the_disembowelled_lie_where_they_stood_for_as_long_as_the_house_rule_says(rounds: int) -> None:
    t = done(killed(2, rules={"gut_marker_turns": rounds}))
    assert t.guts == [Guts(at=(inches(13), inches(12)), until=t.round + rounds if rounds else None)]
    t.round += rounds or 100
    clear_away(t)
    assert t.guts
    t.round += 1
    clear_away(t)
    assert bool(t.guts) is (rounds == 0)


@pytest.mark.clause("BS-FAT-02", "BS-Q23")
def test_a_wounded_victim_may_be_left_lying_by_house_rule_and_stays_on_her_roster() -> None:
    start = scene(put(0, 2, 12, 12), put(1, 2, 13, 12, stunned=True), rules={"fatality": "on_removal"})
    t = done(fight(start, *HIT, 4, 2))
    assert (t.fighters[1].fate, len(t.guts)) == ("wounded", 1)


@pytest.mark.clause("BS-FAT-03", "BS-Q25", "BS-Q03", "BS-W12")
@pytest.mark.parametrize(("x", "slipped"), [("1.8", True), (2, True), ("2.01", False)])
@pytest.mark.parametrize("side", [0, 1])
def test_a_fighter_who_starts_a_phase_within_two_inches_is_stunned(x: Length, slipped: bool, side: int) -> None:
    start = scene(put(side, 2, 12, 12), guts=[Guts(at=(inches(13) + inches(x), inches(12)))])
    assert slips(start, 0) is slipped
    assert start.fighters[0].stunned is slipped


@pytest.mark.clause("BS-FAT-03", "BS-Q25")
def test_nobody_slips_on_what_has_been_taken_away_or_where_nobody_lies() -> None:
    start = scene(put(0, 2, 12, 12), guts=[Guts(at=(inches(13), inches(12)), until=1)])
    start.round = 2
    assert not slips(start, 0)
    assert start.guts == []
    away = scene(put(0, 2, 12, 12, at=None, fate="wounded"), guts=[Guts(at=(inches(12), inches(12)))])
    assert not slips(away, 0)


# --- the skewer -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-FAT-05", "BS-W10")
@pytest.mark.parametrize(("x", "reached"), [("2.4", True), ("2.5", False), ("2.6", False)])
def test_a_skewer_is_shorter_than_two_inches(x: Length, reached: bool) -> None:
    t = scene(put(0, 2, 0, 12), put(1, 2, 1, 12), put(1, 2, x, 12), table=(24, 24))
    assert skewered_with(t, 0, 1) == ((2,) if reached else ())


@pytest.mark.clause("BS-FAT-05", "BS-GEO-04", "BS-Q26")
def test_a_skewer_goes_through_the_victim_and_not_beside_or_before_her() -> None:
    ada, r = (0, 0), INCH // 2
    bo = (254, 0, r)

    def at(angle: float, far: float) -> Disc:
        return (round(254 * far * cos(radians(angle))), round(254 * far * sin(radians(angle))), r)

    assert skewers(ada, bo, at(20, 2))
    # The centre is beyond the tangent at 30 degrees, but the line has only to reach the base.
    assert skewers(ada, bo, at(40, 2))
    assert skewers(ada, bo, at(20, 2.4))
    assert not skewers(ada, bo, at(40, 2.4))
    assert not skewers(ada, bo, at(46, 2))
    assert not skewers(ada, bo, at(180, 1))
    # A fighter in front of a victim that is not touched is not behind the victim.
    assert not skewers(ada, (3 * 127, 0, r), (0, 254, r))


def reached(a: tuple[int, int], victim: Disc, other: Disc) -> tuple[bool, bool]:
    """Return whether one of many close lines reaches, and whether one nearly does: a plain twin of `skewers`."""
    result, almost = False, False
    for step in range(-3000, 3001):
        angle = radians(step / 50)
        ahead = (victim[0] - a[0], victim[1] - a[1])
        size = hypot(*ahead)
        ux = (ahead[0] * cos(angle) - ahead[1] * sin(angle)) / size
        uy = (ahead[0] * sin(angle) + ahead[1] * cos(angle)) / size
        entries = []
        for x, y, r in (victim, other):
            along, across = (x - a[0]) * ux + (y - a[1]) * uy, (x - a[0]) * uy - (y - a[1]) * ux
            entries.append(along - sqrt(r * r - across * across) if abs(across) < r and along > 0 else None)
        through, end = entries
        if through is None or end is None or through > end:
            continue
        result = result or end < 508
        almost = almost or end < 509.5
    return result, almost


@pytest.mark.clause("BS-FAT-05", "BS-Q26")
def test_skewers_as_a_fan_of_lines_finds_them() -> None:
    chance, r = Random(5), 127
    agreed = {True: 0, False: 0}
    for _ in range(150):
        near, far = chance.choice([254, 254, 300, 420]), chance.randrange(300, 700)
        turn = radians(chance.randrange(-900, 900) / 10)
        victim = (near, 0, r)
        other = (round(far * cos(turn)), round(far * sin(turn)), r)
        if hypot(other[0] - near, other[1]) < 2 * r:
            continue
        result, almost = reached((0, 0), victim, other)
        if result is not almost:
            continue
        assert skewers((0, 0), victim, other) is result, (victim, other)
        agreed[result] += 1
    assert min(agreed.values()) > 20


# --- second attacks ---------------------------------------------------------------------------------------------------

BEHIND = put(1, 2, "14.3", 12, name="Di", stunned=True)
BESIDE = put(1, 2, 12, 13, name="Eve", stunned=True)


@pytest.mark.clause("BS-FAT-05", "BS-FAT-06", "BS-FAT-10", "BS-FAT-11", "BS-Q26")
@pytest.mark.parametrize(("fatality", "target"), [(3, 2), (5, 3)])
def test_a_second_attack_is_offered_to_a_player_and_counts_with_the_first(fatality: int, target: int) -> None:
    others = (BEHIND, put(1, 2, 12, 13, name="Eve", stunned=True, at=(inches(12), inches(13))))
    start = scene(put(0, 2, 12, 12, name="Ada"), put(1, 2, 13, 12, name="Bo", stunned=True), *others)
    match = fight(start, *HIT, 6, fatality, *HIT, 4)
    asked = match.waiting[0]
    if not isinstance(asked, SecondAttack):
        match.play(0, next(iter(asked.options(now(match)))))
        asked = match.waiting[0]
    assert isinstance(asked, SecondAttack)
    assert list(asked.options(now(match))) == [StrikeAgain(target), LetBe()]
    assert now(match).fighters[1].at is not None, "nothing is applied yet"
    with pytest.raises(Refused) as error:
        match.play(0, StrikeAgain(5 - target))
    assert error.value.refusal.nearest == StrikeAgain(target)
    assert error.value.refusal.clause == ("BS-FAT-05" if fatality == 3 else "BS-FAT-10")
    assert now(match).fighters[5 - target].name in error.value.refusal.message
    offers = asked.offers(now(match))
    assert offers[0].words == f"Strike {now(match).fighters[target].name}: 42 % to hit"
    match.play(0, StrikeAgain(target))
    t = done(match)
    assert [f.fate for f in t.fighters] == ["ready", "dead", *["wounded" if i == target else "ready" for i in (2, 3)]]
    assert [words.second for words in said(match, "Struck")] == [False, True]


@pytest.mark.clause("BS-FAT-05", "BS-FAT-10")
def test_a_player_may_let_a_second_attack_be() -> None:
    match = killed(3, others=(BEHIND,), answers=(LetBe(),))
    assert done(match).fighters[2].fate == "ready"
    assert len(said(match, "Struck")) == 1


@pytest.mark.clause("BS-FAT-05", "BS-FAT-10", "BS-Q26")
@pytest.mark.parametrize("fatality", [3, 5])
def test_without_an_enemy_to_strike_there_is_no_second_attack(fatality: int) -> None:
    match = killed(fatality, others=(put(0, 2, "14.3", 12), put(0, 2, 12, 13), put(1, 2, 20, 20)))
    assert [f.fate for f in done(match).fighters] == ["ready", "dead", "ready", "ready", "ready"]
    assert len(said(match, "Struck")) == 1


@pytest.mark.clause("BS-Q43", "BS-FAT-10")
@pytest.mark.parametrize(("face", "target"), [(1, 2), (2, 3)])
def test_an_automated_model_always_strikes_again_at_the_enemy_chance_says(face: int, target: int) -> None:
    start = scene(
        put(1, 2, 12, 12, name="Ada"),
        put(0, 2, 13, 12, name="Bo", stunned=True),
        put(0, 2, 12, 13, stunned=True),
        put(0, 2, 12, 11, stunned=True),
    )
    match = fight(start, 1, *HIT, 6, 5, face, 1, 6, side=1)
    done(match)
    assert [(words.attacker, words.target, words.second) for words in said(match, "Struck")] == [
        (0, 1, False), (0, target, True),
    ]  # fmt: skip
    alone = scene(put(1, 2, 12, 12), put(0, 2, 13, 12, stunned=True), put(0, 2, "14.3", 12, stunned=True))
    match = fight(alone, *HIT, 6, 3, *HIT, 1, side=1)
    assert done(match).fighters[2].stunned


@pytest.mark.clause("BS-Q26")
@pytest.mark.house("fatality_chain", "on", "off")
def test_second_attacks_chain_until_victims_run_out() -> None:
    others = (put(1, 2, 12, 13, stunned=True),)

    def chained(chain: str, *dice: int) -> Match:
        start = scene(put(0, 2, 12, 12), put(1, 2, 13, 12, stunned=True), *others, rules={"fatality_chain": chain})
        match = run(start, Combat(side=0), *[(die,) for die in (*HIT, 6, 5, *HIT, 6, *dice)])
        for _ in range(2):
            match.play(0, next(iter(match.waiting[0].options(now(match)))))
        return match

    t = done(chained("on", 5))
    assert ([f.fate for f in t.fighters], t.fighters[0].kills) == (["ready", "dead", "dead"], 2)
    match = chained("on", 1)
    assert (done(match).fighters[0].trophies, done(match).fighters[0].kills) == (1, 2)
    match = chained("off")
    assert [words.die for words in said(match, "Fatal")] == [5]
    assert done(match).fighters[0].kills == 2


@pytest.mark.clause("BS-Q26", "BS-CMB-05")
def test_a_second_attack_flanks_like_any_other() -> None:
    match = killed(
        5,
        3,
        6,
        others=(put(1, 2, 12, 13, name="Di", stunned=True), put(0, 2, 12, 14, name="Cy", stunned=True)),
    )
    match.play(0, next(iter(match.waiting[0].options(now(match)))))
    assert offered(match.waiting[0]).offers(now(match))[0].words == "Strike Di: 72 % to hit, flanking with Cy"
    match.play(0, StrikeAgain(2))
    (_, second) = said(match, "Struck")
    assert second.partners == (3,)
    done(match)


@pytest.mark.clause("BS-Q23", "BS-Q26")
@pytest.mark.house("fatality", "on_death")
@pytest.mark.parametrize("fit", [True, False])
def test_an_automatic_hit_leads_to_a_second_attack_only_by_one_who_is_fit(fit: bool) -> None:
    start = scene(
        put(1, 2, 12, 12, stunned=not fit), put(0, 2, 13, 12), put(0, 2, 12, 13), rules={"fatality": "on_death"}
    )
    match = run(start, InjuryRoll(victim=1, by=0), (6,), (5,), *([(1,), (6,)] if fit else []))
    done(match)
    assert [words.die for words in said(match, "Fatal")] == [5]
    assert [words.second for words in said(match, "Struck")] == ([True] if fit else [])


def test_the_rows_of_the_table_stand_for_clauses_of_their_own() -> None:
    assert all(a.clause < b.clause for a, b in pairwise(FATALITIES))
