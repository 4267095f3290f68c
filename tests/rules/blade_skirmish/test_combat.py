"""Combat: attackers and their targets, simultaneous attacks, and the order in which results are applied (BS-CMB)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from caltrop.asking import offered
from caltrop.engine import Refused
from caltrop.rules.blade_skirmish.automata import AutomatedMovement
from caltrop.rules.blade_skirmish.catalogue import Length
from caltrop.rules.blade_skirmish.combat import AttackAll, AttackEnemy, ChooseAttack, Chosen, HoldBack
from caltrop.rules.blade_skirmish.conditions import Became, Removed
from caltrop.rules.blade_skirmish.flight import FleeFrom
from caltrop.rules.blade_skirmish.movement import Movement
from caltrop.rules.blade_skirmish.picture import depict
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.scene import done, put, run, scene
from tests.rules.blade_skirmish.fights import fight, now, said
from tests.rules.causes import Chains


def attacks(match: Any) -> list[tuple[int, int]]:
    """Return attacker and target of each attack that was named, in order."""
    return [(words.attacker, words.target) for words in said(match, "Chosen")]


def struck(match: Any) -> list[tuple[int, int]]:
    """Return attacker and target of each blow, in order."""
    return [(words.attacker, words.target) for words in said(match, "Struck")]


MISS = (1, 6)
"""Dice of attacker and defender that miss at equal Quality."""


# --- who attacks ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-CMB-01", "BS-TRN-04", "BS-AUT-03")
@pytest.mark.parametrize("side", [0, 1])
def test_both_sides_strike_in_both_turns_and_the_side_whose_turn_it_is_first(side: int) -> None:
    match = fight(scene(put(0, 2, 12, 12), put(1, 2, 13, 12), active=side), *MISS, *MISS, side=side)
    done(match)
    assert struck(match) == [(side, 1 - side), (1 - side, side)]


@pytest.mark.clause("BS-CMB-01", "BS-CMB-02", "BS-Q24")
@pytest.mark.parametrize("fields", [{"stunned": True}, {"fleeing": True}, {"trophy": 1}, {"x": "13.1"}])
def test_who_is_stunned_flees_takes_a_trophy_or_touches_nobody_makes_no_attack(fields: dict[str, Any]) -> None:
    x = fields.pop("x", 13)
    match = fight(scene(put(0, 2, 12, 12), put(1, 2, x, 12, **fields)), *([] if x == "13.1" else MISS))
    t = done(match)
    assert struck(match) == ([] if x == "13.1" else [(0, 1)])
    assert t.named == []


@pytest.mark.clause("BS-Q24")
@pytest.mark.house("trophy", "end_of_next_turn", "next_turn_only")
@pytest.mark.parametrize(
    ("trophy", "turn", "strikes"),
    [("end_of_next_turn", 1, False), ("next_turn_only", 1, True), ("next_turn_only", 2, False)],
)
def test_how_long_a_trophy_keeps_its_taker_from_attacking(trophy: str, turn: int, strikes: bool) -> None:
    start = scene(
        put(0, 2, 12, 12, trophy=2), put(1, 2, 13, 12, stunned=True), rules={"trophy": trophy}, turns=(turn, 1)
    )
    match = fight(start, *(MISS if strikes else ()), side=1)
    done(match)
    assert struck(match) == ([(0, 1)] if strikes else [])


@pytest.mark.clause("BS-FAT-01", "BS-Q24")
@pytest.mark.house("trophy", "end_of_next_turn", "next_turn_only")
@pytest.mark.parametrize(
    ("trophy", "when"), [("end_of_next_turn", "until the end of her next turn"), ("next_turn_only", "in her next turn")]
)
def test_a_trophy_says_how_long_it_keeps_its_taker(trophy: str, when: str) -> None:
    start = scene(put(0, 2, 12, 12), put(1, 2, 13, 12, stunned=True), rules={"trophy": trophy})
    match = fight(start, 6, 1, 6, 1)
    assert said(match, "Fatal")[0].sentence(now(match)).endswith(f"and does nothing {when}")
    tokens = [token.words for token in depict(now(match), 0).groups[0].tokens]
    assert "Takes a trophy: idle " + when.replace("her", "her side's") in tokens


@pytest.mark.clause("BS-CMB-01", "BS-Q31")
def test_one_target_and_nothing_to_choose_is_not_asked_but_told() -> None:
    match = fight(scene(put(0, 2, 12, 12, name="Ada"), put(1, 2, 13, 12, name="Bo", stunned=True)), *MISS)
    done(match)
    (words,) = said(match, "Chosen")
    assert words.sentence(now(match)) == "Ada attacks Bo, the only enemy that she touches"


@pytest.mark.clause("BS-CMB-05", "BS-CMB-01")
def test_the_named_attack_tells_which_comrade_flanks_with_her() -> None:
    start = scene(
        put(0, 2, 12, 12, name="Ada"),
        put(1, 2, 13, 12, name="Bo", stunned=True),
        put(0, 2, 14, 12, name="Cy", stunned=True),
    )
    match = fight(start, *MISS)
    (words,) = said(match, "Chosen")
    assert isinstance(words, Chosen)
    assert words.sentence(now(match)).endswith("; she flanks with Cy")


# --- choices ----------------------------------------------------------------------------------------------------------


def two_against_two(**fields: Any) -> Skirmish:
    """Ada touches Bo and Di; Cy touches Di alone. The foes are stunned."""
    return scene(
        put(0, 2, 12, 12, name="Ada"),
        put(0, 2, 14, 12, name="Cy"),
        put(1, 2, 11, 12, name="Bo", stunned=True),
        put(1, 2, 13, 12, name="Di", stunned=True),
        **fields,
    )


@pytest.mark.clause("BS-CMB-01", "BS-CMB-03", "BS-Q31")
def test_a_player_names_targets_in_the_order_that_she_likes() -> None:
    match = fight(two_against_two(), *MISS, *MISS, answers=(AttackEnemy(1, 3),))
    assert match.waiting, "Ada has still two to choose from"
    assert list(match.waiting[0].options(now(match))) == [AttackEnemy(0, 2), AttackEnemy(0, 3)]
    match.play(0, AttackEnemy(0, 2))
    done(match)
    assert attacks(match) == struck(match) == [(1, 3), (0, 2)]
    assert [words.free for words in said(match, "Chosen")] == [False, True]


@pytest.mark.clause("BS-CMB-01", "BS-CMB-02", "BS-Q24")
def test_what_cannot_be_attacked_is_refused_with_the_nearest_attack() -> None:
    start = scene(
        put(0, 2, 12, 12, name="Ada"),
        put(1, 2, 11, 12, name="Bo", stunned=True),
        put(1, 2, 13, 12, name="Di", stunned=True),
        put(0, 2, 11, 13, name="Cy", fleeing=True),
        put(0, 2, 13, 13, name="Eve", trophy=1),
        put(0, 2, 20, 20, name="Fay"),
        put(1, 2, 20, 5, name="Gil"),
    )
    match = fight(start)
    asked = match.waiting[0]
    options = asked.options(start)
    expected = [
        (AttackEnemy(0, 6), "BS-CMB-01", "Ada does not touch Gil: she touches Bo and Di"),
        (AttackEnemy(0, 99), "BS-CMB-01", "Ada does not touch fighter 99: she touches Bo and Di"),
        (AttackEnemy(0, 0), "BS-CMB-01", "Ada does not touch Ada: she touches Bo and Di"),
        (AttackEnemy(3, 1), "BS-CMB-02", "Cy is fleeing, and so she attacks nobody"),
        (AttackEnemy(4, 2), "BS-Q24", "Eve is busy with her trophy, and attacks nobody"),
        (AttackEnemy(5, 1), "BS-CMB-01", "Fay touches no enemy"),
        (AttackEnemy(1, 0), "BS-CMB-01", "That fighter is not yours on the table: Bo"),
        (AttackEnemy(-1, 0), "BS-CMB-01", "That fighter is not yours on the table: number -1"),
    ]
    for action, clause, message in expected:
        with pytest.raises(Refused) as error:
            match.play(0, action)
        assert (error.value.refusal.clause, error.value.refusal.message) == (clause, message)
        assert error.value.refusal.nearest in options
    assert options.refusal(AttackAll()) is not None
    offers = offered(asked).offers(start)
    assert [(offer.unit, offer.target, offer.words) for offer in offers] == [
        (0, 1, "Attack Bo: 42 % to hit"),
        (0, 2, "Attack Di: 42 % to hit"),
    ]


@pytest.mark.clause("BS-CMB-01")
def test_a_fighter_who_has_named_her_attack_has_no_other() -> None:
    match = fight(two_against_two(), answers=(AttackEnemy(1, 3),))
    with pytest.raises(Refused) as error:
        match.play(0, AttackEnemy(1, 3))
    assert error.value.refusal.code == "has-struck"


@pytest.mark.clause("BS-CMB-01", "BS-Q31")
def test_where_nobody_has_a_choice_of_targets_all_may_be_named_at_once() -> None:
    start = scene(
        put(0, 2, 12, 12), put(1, 2, 13, 12, stunned=True), put(0, 2, 12, 20), put(1, 2, 13, 20, stunned=True)
    )
    match = fight(start, *MISS, *MISS, answers=(AttackAll(),))
    done(match)
    assert attacks(match) == struck(match) == [(0, 1), (2, 3)]
    assert AttackAll() not in ChooseAttack(side=0).options(two_against_two())


@pytest.mark.clause("BS-Q31", "BS-Q38")
def test_of_two_players_the_one_whose_turn_it_is_names_hers_first() -> None:
    start = scene(
        put(0, 2, 12, 12),
        put(0, 2, 14, 12),
        put(1, 2, 13, 12),
        put(1, 2, 15, 12),
        field={"automated": ()},
        active=1,
        turns=(1, 1),
    )
    match = fight(start, *MISS * 4, side=1)
    assert [decision.side for decision in match.waiting] == [1]
    match.play(1, AttackEnemy(2, 1))
    # North's other model has only one target. Then South chooses.
    assert [decision.side for decision in match.waiting] == [0]
    match.play(0, AttackEnemy(1, 3))
    done(match)
    assert attacks(match) == [(2, 1), (3, 1), (1, 3), (0, 2)]


# --- automated models -------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-Q43", "BS-CMB-01")
@pytest.mark.parametrize(("face", "target"), [(1, 0), (2, 1)])
def test_an_automated_model_attacks_at_random_among_those_she_touches(face: int, target: int) -> None:
    start = scene(put(0, 2, 12, 12, stunned=True), put(0, 2, 14, 12, stunned=True), put(1, 2, 13, 12, name="Di"))
    match = fight(start, face, *MISS, side=1)
    done(match)
    (thrown, *_) = said(match, "Rolled")
    assert (thrown.sides, thrown.side, thrown.words) == (2, 1, "Which enemy Di attacks")
    assert thrown.symbols == ("Warband 0", "Warband 1")
    assert struck(match) == [(2, target)]


@pytest.mark.clause("BS-Q31", "BS-Q30")
@pytest.mark.parametrize(("face", "first"), [(1, 1), (2, 2)])
@pytest.mark.parametrize("x", [11, "10.996"])
def test_automated_models_attack_in_an_order_that_chance_says(face: int, first: int, x: Length) -> None:
    start = scene(put(0, 2, 12, 12, stunned=True), put(1, 2, 13, 12), put(1, 2, x, 12))
    match = fight(start, face, *MISS, *MISS, side=1)
    done(match)
    assert struck(match) == [(first, 0), (3 - first, 0)]


# --- simultaneous -----------------------------------------------------------------------------------------------------


def duel(**rules: Any) -> Skirmish:
    """Ada of the player's side and automated Bo touch, both fit."""
    return scene(put(0, 2, 12, 12, name="Ada"), put(1, 2, 13, 12, name="Bo"), rules=rules)


@pytest.mark.clause("BS-CMB-01", "BS-CMB-03", "BS-Q31", "BS-Q44", "BS-W24")
@pytest.mark.house("combat_order", "declared")
def test_a_fighter_who_is_hurt_in_a_combat_still_attacks_in_it() -> None:
    match = fight(duel(), 6, 1, 5, 6, 1, 6, 2)
    t = done(match)
    ada, bo = t.fighters
    assert (bo.fate, ada.fate, bo.kills, ada.kills) == ("wounded", "dead", 1, 0)
    assert [(words.by, words.die) for words in said(match, "Fatal")] == [(1, 2)]
    assert len(t.guts) == 1
    kinds = [type(event).__name__ for event in (*said(match, "Struck"), *said(match, "Removed"))]
    assert kinds == ["Struck", "Struck", "Removed", "Removed"]


@pytest.mark.clause("BS-Q46", "BS-CMB-01")
@pytest.mark.house("hold_back", "off", "on")
@pytest.mark.parametrize("order", ["declared", "sequential"])
def test_house_rule_a_model_of_a_players_may_hold_back(order: str) -> None:
    assert struck(fight(duel(combat_order=order), *MISS, *MISS)) == [(0, 1), (1, 0)]
    match = fight(duel(hold_back="on", combat_order=order), *MISS)
    options = match.waiting[0].options(now(match))
    assert list(options) == [AttackEnemy(0, 1), HoldBack(0)]
    assert options.refusal(HoldBack(1)) is not None
    match.play(0, HoldBack(0))
    assert struck(match) == [(1, 0)]
    assert done(match).held is UNSET
    two = fight(two_against_two(rules={"hold_back": "on", "combat_order": order}))
    two.play(0, HoldBack(0))
    again = two.waiting[0].options(now(two)).refusal(HoldBack(0))
    assert again is not None
    assert again.code == "holds-back"
    usual = fight(two_against_two(rules={"combat_order": order}))
    refusal = usual.waiting[0].options(now(usual)).refusal(HoldBack(0))
    assert refusal is not None


@pytest.mark.clause("BS-Q31", "BS-CMB-03")
@pytest.mark.house("combat_order", "sequential", "declared")
def test_house_rule_each_attack_counts_at_once_and_a_model_may_lose_hers() -> None:
    for injury in (1, 2, 4):
        match = fight(duel(combat_order="sequential"), 6, 1, injury)
        t = done(match)
        assert struck(match) == [(0, 1)]
        assert t.named == []
    assert struck(fight(duel(combat_order="sequential"), *MISS, *MISS)) == [(0, 1), (1, 0)]
    assert struck(fight(duel(), 6, 1, 1, *MISS)) == [(0, 1), (1, 0)]


@pytest.mark.clause("BS-Q31")
@pytest.mark.house("combat_order", "sequential")
def test_house_rule_where_attacks_count_at_once_targets_are_named_one_by_one() -> None:
    start = two_against_two(rules={"combat_order": "sequential"})
    match = fight(start, 6, 1, 4, *MISS)
    assert match.waiting[0].prompt(now(match)) == "Who attacks next, and which enemy? Each attack counts at once"
    match.play(0, AttackEnemy(1, 3))
    done(match)
    # Di is gone, so Ada can attack only Bo.
    assert struck(match) == [(1, 3), (0, 2)]
    many = scene(
        put(0, 2, 12, 12), put(1, 2, 13, 12, stunned=True), put(0, 2, 12, 20), put(1, 2, 13, 20, stunned=True),
        rules={"combat_order": "sequential"},
    )  # fmt: skip
    assert AttackAll() not in ChooseAttack(side=0).options(many)


@pytest.mark.clause("BS-Q31", "BS-CMB-05")
def test_a_partner_who_is_removed_in_the_same_combat_has_still_helped_to_flank() -> None:
    start = scene(put(0, 2, 12, 12), put(1, 2, 13, 12, name="Bo"), put(0, 2, 14, 12))
    # Bo attacks Cy. In Bo's own turn, Bo's attack is resolved first, and hits.
    match = fight(start, 2, 6, 1, 4, 3, 4, 1, *MISS, side=1, answers=(AttackEnemy(0, 1),))
    t = done(match)
    assert t.fighters[2].fate == "wounded"
    first, second, third = said(match, "Struck")
    assert (first.attacker, second.partners, third.partners) == (1, (2,), (0,))
    assert second.won == "attacker"


# --- terror -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-Q20", "BS-INJ-02")
@pytest.mark.parametrize("victim", [0, 1])
def test_who_is_put_to_flight_in_combat_runs_in_her_next_movement_phase_and_not_before(victim: int) -> None:
    start = scene(put(0, 2, 12, 12, stunned=victim == 0), put(1, 2, 13, 12, stunned=victim == 1))
    match = fight(start, 6, 1, 2)
    t = done(match)
    assert (t.fighters[victim].fleeing, t.fighters[victim].at) == (True, start.fighters[victim].at)
    assert not said(match, "Moved")
    t.change(victim, stunned=False)
    if victim == 0:
        later = run(t, Movement(fighter=0))
        later.play(0, FleeFrom(1, far=True))
    else:
        later = run(t, AutomatedMovement(fighter=1), (4,))
    assert [words.how for words in said(later, "Moved")] == ["flees"]


@pytest.mark.clause("BS-FAT-12", "BS-FAT-13", "BS-Q28", "BS-Q03", "BS-W11")
def test_comrades_within_four_inches_of_who_is_chopped_to_pieces_are_tested() -> None:
    start = scene(
        put(0, 3, 12, 12, name="Ada"),
        put(1, 2, 13, 12, name="Bo", stunned=True),
        put(1, 2, "17.5", 12, name="Di"),
        put(1, 2, 13, 17, name="Eve"),
        put(1, 1, 13, "6.5", name="Fay"),
        put(0, 2, 13, 14, name="Cy"),
    )
    match = fight(start, 6, 1, 6, 6, 4, 5)
    t = done(match)
    assert [(words.fighter, words.passed) for words in said(match, "QualityTested")] == [(2, False), (3, True)]
    assert [f.fleeing for f in t.fighters] == [False, False, True, False, False, False]
    (terror,) = said(match, "Terror")
    assert terror.sentence(t) == "The end of Bo is seen by Di and Eve"


@pytest.mark.clause("BS-FAT-13", "BS-Q28", "BS-Q44")
def test_the_stunned_are_tested_too_and_one_who_falls_in_the_same_combat_is_not() -> None:
    start = scene(
        put(0, 3, 12, 12, name="Ada"),
        put(1, 2, 13, 12, name="Bo", stunned=True),
        put(1, 2, 13, 15, name="Di", stunned=True),
        put(0, 3, 12, 15, name="Cy"),
    )
    match = fight(start, 6, 1, 6, 6, 6, 1, 4, answers=(AttackAll(),))
    assert not said(match, "QualityTested")
    done(match)
    match = fight(start, 6, 1, 6, 6, *MISS, 1, answers=(AttackAll(),))
    assert [(words.fighter, words.passed) for words in said(match, "QualityTested")] == [(2, False)]
    assert (done(match).fighters[2].stunned, done(match).fighters[2].fleeing) == (True, True)


# --- why --------------------------------------------------------------------------------------------------------------


def test_what_becomes_of_a_fighter_leads_back_to_the_dice_of_her_own_attack_alone() -> None:
    start = scene(
        put(0, 2, 12, 12), put(1, 2, 13, 12, stunned=True), put(0, 2, 12, 20), put(1, 2, 13, 20, stunned=True)
    )
    first = AttackEnemy(2, 3)
    chains = Chains(fight(start, 6, 2, 4, 5, 1, 2, answers=(first,)))
    removed = chains.last(Removed, fighter=3)
    assert chains.dice(removed) == [(6,), (2,), (4,)]
    assert chains.decisions(removed) == [first]
    assert chains.dice(chains.last(Became, fighter=1)) == [(5,), (1,), (2,)]


def test_the_terrified_flee_from_the_dice_that_killed_their_comrade_and_their_own() -> None:
    start = scene(put(0, 3, 12, 12), put(1, 2, 13, 12, stunned=True), put(1, 2, 13, 15))
    chains = Chains(fight(start, 6, 1, 6, 6, 4))
    assert chains.dice(chains.last(Became, fighter=2)) == [(6,), (1,), (6,), (6,), (4,)]
