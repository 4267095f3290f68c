"""Injuries: the table, attacks that hit and miss, and the timing of effects (BS-INJ)."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.rules.blade_skirmish.aftermath import Aftermath
from caltrop.rules.blade_skirmish.combat import AttackEnemy
from caltrop.rules.blade_skirmish.fatality import StrikeAgain
from caltrop.rules.blade_skirmish.injury import Attack, Injured, InjuryRoll, Struck
from caltrop.rules.blade_skirmish.records import Blow, Skirmish
from caltrop.rules.blade_skirmish.scene import done, put, run, scene
from tests.rules.blade_skirmish.fights import fight, now, one, said

A, B = 0, 1


def pair(*, mine: int = 2, hers: int = 3, rules: dict[str, Any] | None = None, **fields: Any) -> Skirmish:
    """Ada of the player's side and automated Bo touch; Bo is stunned, and so makes no attack."""
    usual = {"stunned": True, **fields}
    return scene(put(0, mine, 12, 12, name="Ada"), put(1, hers, 13, 12, name="Bo", **usual), rules=rules)


@pytest.mark.clause("BS-INJ-01", "BS-INJ-02", "BS-INJ-03", "BS-INJ-04", "BS-INJ-05", "BS-INJ-06", "BS-W03")
@pytest.mark.parametrize(
    ("injury", "stunned", "fleeing", "fate", "kills"),
    [
        (1, True, False, "ready", 0),
        (2, False, True, "ready", 0),
        (3, False, True, "ready", 0),
        (4, False, False, "wounded", 0),
        (5, False, False, "wounded", 0),
        (6, False, False, "dead", 1),
    ],
)
def test_the_injury_table(injury: int, stunned: bool, fleeing: bool, fate: str, kills: int) -> None:
    start = scene(put(0, 2, 12, 12), put(1, 3, 13, 12), rules={"fatality": "off"})
    rolled = done(run(start, Attack(attacker=A, target=B), (5,), (3,), (injury,)))
    assert rolled.fighters == start.fighters
    t = done(run(rolled, Aftermath()))
    bo = t.fighters[B]
    assert (bo.stunned, bo.fleeing, bo.fate, t.fighters[A].kills) == (stunned, fleeing, fate, kills)
    assert (bo.at is None) == (fate != "ready")
    assert not t.blows


@pytest.mark.clause("BS-CMB-06", "BS-QUA-03", "BS-Q10", "BS-W04", "BS-W05")
@pytest.mark.parametrize(("mine", "dice"), [(2, (4, 3)), (1, (3, 3)), (2, (1, 6))])
def test_an_attack_that_does_not_win_changes_nothing(mine: int, dice: tuple[int, int]) -> None:
    start = pair(mine=mine)
    t = done(fight(start, *dice))
    assert t.fighters == start.fighters


@pytest.mark.clause("BS-CMB-05", "BS-GEO-01", "BS-W05")
def test_flanking_turns_a_lost_attack_into_a_hit() -> None:
    flanked = scene(
        put(0, 1, 12, 12, name="Ada"), put(1, 2, 13, 12, name="Bo", stunned=True), put(0, 1, 14, 12, fleeing=True)
    )
    match = fight(flanked, 3, 3, 1)
    struck = one(match, Struck)
    assert struck.partners == (2,)
    assert struck.sentence(now(match)) == (
        "Ada strikes at Bo, flanking with Warband 2: 3 + 3 = 6 against 3 + 2 = 5, a hit"
    )
    done(match)


@pytest.mark.clause("BS-CMB-02", "BS-Q24", "BS-W34")
def test_who_is_busy_with_her_trophy_defends_and_is_hurt_like_anybody() -> None:
    start = scene(put(0, 2, 12, 12, name="Ada"), put(1, 3, 13, 12, name="Bo", trophy=1))
    t = done(fight(start, 5, 3, 2))
    assert t.fighters[B].fleeing
    assert t.fighters[B].trophy == 1


@pytest.mark.clause("BS-CMB-07", "BS-CMB-04", "BS-DIC-03")
def test_every_side_throws_its_own_dice() -> None:
    match = fight(pair(), 5, 3, 6, 5)
    whose = [(rolled.words, rolled.side) for rolled in said(match, "Rolled")]
    assert whose == [
        ("Ada strikes at Bo", 0),
        ("Bo defends", 1),
        ("Injury of Bo", 1),
        ("How Bo falls to Ada", 0),
    ]


@pytest.mark.clause("BS-CMB-04", "BS-CMB-05", "BS-INJ-04")
def test_attacks_and_injuries_are_read_die_by_die_with_what_could_be_expected() -> None:
    match = fight(pair(), 5, 3, 6, 2)
    t = now(match)
    reading = one(match, Struck).reading(t)
    assert (reading.words, reading.came, reading.answer_words) == ("Ada strikes at Bo", "a hit", "Bo defends")
    assert [(die.face, die.result) for die in reading.dice] == [(5, "hit")]
    assert reading.answer == (3,)
    assert [term.value for term in (*reading.terms, *reading.answer_terms)] == [2, 3]
    assert [(one.side, one.label, one.got, one.expected) for one in reading.tallies] == [(0, "hits", 1, "5/18")]
    hurt = one(match, Injured).reading(t)
    assert [(die.face, die.result) for die in hurt.dice] == [(6, "dead")]
    assert [(tally.side, tally.got, tally.expected) for tally in hurt.tallies] == [(0, 1, "1/2")]


@pytest.mark.clause("BS-Q10")
@pytest.mark.house("challenge_tie", "reroll")
def test_house_rule_a_tie_is_thrown_again_until_somebody_wins() -> None:
    match = fight(pair(rules={"challenge_tie": "reroll"}), 4, 3, 2, 1, 5, 3, 1)
    assert [struck.again for struck in said(match, "Struck")] == [True, True, False]
    assert [len(struck.reading(now(match)).tallies) for struck in said(match, "Struck")] == [0, 0, 1]
    assert done(match).fighters[B].stunned


@pytest.mark.clause("BS-Q10")
@pytest.mark.house("challenge_tie", "clash", "hold")
def test_house_rule_a_tie_hurts_both_and_the_defender_has_the_kill_without_a_fatality() -> None:
    start = pair(rules={"challenge_tie": "clash"})
    match = fight(start, 4, 3, 2, 6)
    t = done(match)
    assert (t.fighters[B].fleeing, t.fighters[A].fate, t.fighters[B].kills) == (True, "dead", 1)
    assert not said(match, "Fatal")
    assert done(fight(pair(), 4, 3)).fighters == pair().fighters


@pytest.mark.clause("BS-Q22", "BS-INJ-06", "BS-Q23")
@pytest.mark.parametrize(("fatality", "dice"), [("on_strike", (6,)), ("on_death", (6, 4)), ("off", (6,))])
@pytest.mark.house("fatality", "on_strike", "on_death", "off")
def test_an_automatic_hit_that_kills_is_a_kill_and_has_a_fatality_only_by_house_rule(
    fatality: str, dice: tuple[int, ...]
) -> None:
    start = scene(put(0, 2, 12, 12), put(1, 3, 13, 12), rules={"fatality": fatality})
    t = done(run(start, InjuryRoll(victim=A, by=B), *[(die,) for die in dice]))
    assert [(blow.by, blow.injury, blow.fatality) for blow in t.blows] == [(B, "dead", 4 if len(dice) > 1 else 0)]
    after = done(run(t, Aftermath()))
    assert (after.fighters[A].fate, after.fighters[B].kills) == ("dead", 1)


@pytest.mark.clause("BS-Q23")
@pytest.mark.house("fatality", "on_strike", "on_death", "on_removal", "off")
@pytest.mark.parametrize(
    ("fatality", "injury", "rolls"),
    [
        ("on_strike", 5, False), ("on_strike", 6, True),
        ("on_death", 5, False), ("on_death", 6, True),
        ("on_removal", 3, False), ("on_removal", 4, True), ("on_removal", 5, True), ("on_removal", 6, True),
        ("off", 6, False),
    ],
)  # fmt: skip
def test_when_a_strike_has_a_fatality(fatality: str, injury: int, rolls: bool) -> None:
    match = fight(pair(rules={"fatality": fatality}), 5, 3, injury, *([3] if rolls else []))
    t = done(match)
    assert len(said(match, "Fatal")) == rolls
    if injury in (4, 5):
        assert (t.fighters[B].fate, t.fighters[A].kills) == ("wounded", 0)


@pytest.mark.clause("BS-Q23")
@pytest.mark.house("fatality", "on_removal")
def test_an_automatic_hit_has_no_fatality_where_strikes_that_remove_have_one() -> None:
    start = scene(put(0, 2, 12, 12), put(1, 3, 13, 12), rules={"fatality": "on_removal"})
    assert [blow.fatality for blow in done(run(start, InjuryRoll(victim=A, by=B), (6,))).blows] == [0]


# --- several injuries -------------------------------------------------------------------------------------------------


def applied(*blows: tuple[int, int, str]) -> Skirmish:
    """Return the skirmish after simultaneous blows: attacker, victim, and result."""
    start = scene(put(0, 2, 12, 12), put(1, 2, 13, 12), put(1, 2, 11, 12))
    given = [Blow(by=by, victim=victim, place=(0, 0), injury=injury) for by, victim, injury in blows]  # type: ignore[arg-type]
    start.blows.extend(given)
    return done(run(start, Aftermath()))


@pytest.mark.clause("BS-Q31", "BS-Q17", "BS-INJ-06")
@pytest.mark.parametrize("swapped", [False, True])
def test_several_injuries_of_one_victim_are_applied_death_over_wound_else_every_token(swapped: bool) -> None:
    order = (1, 2) if not swapped else (2, 1)
    t = applied((order[0], 0, "wounded"), (order[1], 0, "dead"))
    assert (t.fighters[0].fate, t.fighters[order[0]].kills, t.fighters[order[1]].kills) == ("dead", 0, 1)
    t = applied((order[0], 0, "fleeing"), (order[1], 0, "wounded"))
    assert (t.fighters[0].fate, t.fighters[0].fleeing) == ("wounded", False)
    t = applied((order[0], 0, "fleeing"), (order[1], 0, "stunned"))
    assert (t.fighters[0].fleeing, t.fighters[0].stunned) == (True, True)


@pytest.mark.clause("BS-Q31", "BS-INJ-06", "BS-W36")
def test_of_two_who_kill_the_same_victim_the_first_has_the_kill_and_the_fatality() -> None:
    start = scene(put(0, 3, 12, 12), put(0, 3, 14, 12), put(1, 1, 13, 12, fleeing=True))
    match = fight(start, 6, 1, 6, 3, 6, 1, 6, answers=(AttackEnemy(0, 2),))
    t = done(match)
    assert [t.fighters[id].kills for id in (0, 1)] == [1, 0]
    assert [(words.by, words.victim) for words in said(match, "Fatal")] == [(0, 2)]
    assert len(said(match, "Removed")) == 1


@pytest.mark.clause("BS-Q23", "BS-Q31")
@pytest.mark.house("fatality", "on_removal")
def test_a_victim_has_one_fatality_and_her_killer_may_be_another_than_who_rolled_it() -> None:
    start = scene(
        put(0, 3, 12, 12), put(0, 3, 14, 12), put(1, 1, 13, 12, fleeing=True), rules={"fatality": "on_removal"}
    )
    match = fight(start, 6, 1, 4, 3, 6, 1, 6, answers=(AttackEnemy(0, 2),))
    assert [(words.by, words.die) for words in said(match, "Fatal")] == [(0, 3)]
    t = done(match)
    assert ([f.kills for f in t.fighters], t.fighters[2].fate) == ([0, 1, 0], "dead")


@pytest.mark.clause("BS-Q26", "BS-Q31")
@pytest.mark.house("fatality_chain", "off")
def test_a_victim_who_was_killed_by_a_second_attack_without_a_fatality_gets_none_by_another() -> None:
    start = scene(
        put(0, 3, 12, 12),
        put(0, 3, 14, 12),
        put(1, 1, 13, 12, fleeing=True),
        put(1, 1, 11, 12, fleeing=True),
        rules={"fatality_chain": "off"},
    )
    first = (6, 1, 6, 5)
    match = fight(start, *first, 6, 1, 6, 6, 1, 6, answers=(AttackEnemy(0, 3), StrikeAgain(2)))
    assert [(words.by, words.victim) for words in said(match, "Fatal")] == [(0, 3)]
    assert [f.kills for f in done(match).fighters] == [2, 0, 0, 0]
