"""Damage in play: batches, casualties, doubling, locks and victory points."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Refused
from caltrop.rules.command_horizon.damage import Casualty, DamageBatch, Damaged, Lose, covered, lose_model, losses_of
from caltrop.rules.command_horizon.records import Battle, Wound
from caltrop.rules.command_horizon.scene import done, put, scene
from caltrop.rules.command_horizon.scene import run as started

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def after(t: Battle, *wounds: Wound) -> Battle:
    """Return the battle after one batch of damage, in which owners remove their first models."""
    t.wounds.extend(wounds)
    match = run(t, DamageBatch())
    while match.waiting:
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
    return done(match)


def strength(t: Battle, unit: int) -> tuple[int, int]:
    """Return the number of models and of markers."""
    return len(t.units[unit].models), t.units[unit].stuns


@pytest.mark.parametrize(
    ("before", "kills", "stuns", "expected"),
    [
        pytest.param((4, 5), 0, 3, (3, 3), id="W14", marks=pytest.mark.clause("W14", "CH-STUN-09", "CH-STUN-10")),
        pytest.param((3, 2), 1, 2, (1, 1), id="W15", marks=pytest.mark.clause("W15", "CH-STUN-11")),
        pytest.param((3, 2), 1, 1, (2, 3), id="W16", marks=pytest.mark.clause("W16", "CH-STUN-11", "Q-STUN-6")),
        pytest.param((2, 3), 0, 3, (1, 1), id="W17", marks=pytest.mark.clause("W17", "Q-STUN-5", "Q-STUN-7")),
        pytest.param((3, 4), 1, 0, (1, 1), id="W58", marks=pytest.mark.clause("W58", "Q-STUN-8")),
    ],
)
def test_a_batch_of_damage(before: tuple[int, int], kills: int, stuns: int, expected: tuple[int, int]) -> None:
    t = scene(put(1, "medium-tank", models=before[0], stuns=before[1]))
    assert strength(after(t, Wound(unit=0, kills=kills, stuns=stuns)), 0) == expected


@pytest.mark.clause("Q-SEQ-3", "CH-STUN-11")
def test_the_wounds_of_a_step_are_one_batch() -> None:
    t = scene(put(1, "medium-tank", models=3, stuns=2))
    t = after(t, Wound(unit=0, stuns=2), Wound(unit=0, kills=1))
    assert strength(t, 0) == (1, 1)
    assert t.wounds == []


@pytest.mark.clause("CH-DMG-05")
def test_the_owner_picks_the_model_that_is_removed() -> None:
    t = scene(put(1, "medium-tank", models=3))
    t.wounds.append(Wound(unit=0, kills=1))
    match = run(t, DamageBatch())
    decision = match.waiting[0]
    assert isinstance(decision, Casualty)
    assert decision.side == 1
    assert [o.words for o in decision.offers(match.state)] == [
        "Remove model 1", "Remove model 2; the others would be more than 1 inch apart", "Remove model 3"
    ]  # fmt: skip
    with pytest.raises(Refused) as refused:
        match.play(1, Lose(99))
    assert refused.value.refusal.clause == "CH-DMG-05"
    match.play(1, Lose(1))
    assert done(match).units[0].models == (0, 2)


@pytest.mark.clause("CH-DMG-05")
def test_all_that_are_to_be_removed_are_suggested_at_once() -> None:
    t = scene(put(1, "medium-tank", models=4))
    t.wounds.append(Wound(unit=0, kills=2))
    match = run(t, DamageBatch())
    asked = match.waiting[0].usual(match.state)
    assert asked is not None
    assert (asked.action, asked.words, asked.unit, asked.ready) == (Lose(0), "Remove models 1 and 2", 0, True)
    assert match.waiting[0].usual(match.state, 1) is None
    match.play(1, asked.action)
    left = match.waiting[0].usual(match.state, 0)
    assert left is not None
    assert (left.action, left.words) == (Lose(1), "Remove model 2")
    match.play(1, left.action)
    assert done(match).units[0].models == (2, 3)


@pytest.mark.clause("CH-DMG-05", "CH-WORM-02", "Q-WORM-6", "W86")
def test_the_owner_may_remove_the_model_with_the_token() -> None:
    from caltrop.rules.command_horizon.attack import attack_dice
    from caltrop.rules.command_horizon.shooting import attack_with

    t = scene(put(0, "medium-tank", worms=(1,)), put(1, "medium-tank", (10, 30)), army=("alliance", "putredine"))

    def dice(t: Battle) -> int:
        return attack_dice(t, attack_with(t, 0, 1, "fire", t.units[0].models)).total

    assert dice(t) == 7
    t.wounds.append(Wound(unit=0, kills=1))
    one, other = run(t, DamageBatch()), run(t, DamageBatch())
    assert (
        one.waiting[0].offers(one.state)[0].words
        == "Remove model 1 (1 Worm Token), 17 cm from Putredine B Medium Tanks"
    )
    one.play(0, Lose(0))
    other.play(0, Lose(1))
    assert (dice(one.state), dice(other.state)) == (6, 5)
    assert sum(m.worms for m in one.state.models) == 0


@pytest.mark.clause("CH-LOS-03", "Q-LOS-5")
def test_aimed_kills_take_exposed_models_only_and_are_lost_beyond_them() -> None:
    t = scene(put(1, "heavy-tank", models=4))
    t.wounds.append(Wound(unit=0, kills=3, only=(1, 2)))
    assert done(run(t, DamageBatch())).units[0].models == (0, 3)


@pytest.mark.clause("CH-LOS-03", "CH-DMG-05")
def test_an_aimed_kill_and_a_free_one_take_two_models() -> None:
    t = scene(put(1, "medium-tank", models=3))
    t.wounds.extend([Wound(unit=0, kills=1, only=(1,)), Wound(unit=0, kills=1)])
    match = run(t, DamageBatch())
    match.play(1, Lose(2))
    assert done(match).units[0].models == (0,)
    match = run(t, DamageBatch())
    match.play(1, Lose(0))
    with_two = done(match)
    again = run(scene(put(1, "medium-tank", models=4), wounds=[Wound(unit=0, kills=2)]), DamageBatch())
    again.play(1, Lose(0))
    with pytest.raises(Refused) as refused:
        again.play(1, Lose(0))
    assert refused.value.refusal.code == "named"
    assert with_two.units[0].models == (2,)


@pytest.mark.clause("CH-LOS-03")
def test_a_model_in_cover_is_refused_where_the_attacker_aimed_past_it() -> None:
    t = scene(put(1, "medium-tank", models=3))
    t.wounds.append(Wound(unit=0, kills=1, only=(1, 2)))
    match = run(t, DamageBatch())
    with pytest.raises(Refused) as refused:
        match.play(1, Lose(0))
    assert refused.value.refusal.clause == "CH-LOS-03"
    assert refused.value.refusal.nearest == Lose(1)


@pytest.mark.clause("CH-DMG-04", "W53")
def test_kills_beyond_the_last_model_are_lost() -> None:
    t = scene(put(1, "medium-tank", models=2, stuns=1))
    t = after(t, Wound(unit=0, kills=3))
    assert strength(t, 0) == (0, 0)
    assert t.armies[0].vp == 1


@pytest.mark.clause("CH-CC-06", "Q-CC-8")
def test_a_destroyed_unit_lets_go_of_its_locks() -> None:
    t = scene(put(0, "infantry", (10, 10)), put(1, "infantry", (10, 12), locked=(0,)))
    t = after(t, Wound(unit=1, kills=2))
    assert t.units[0].locked == ()


@pytest.mark.clause("Q-VP-3")
def test_what_is_given_up_earns_nothing() -> None:
    t = scene(put(1, "infantry", models=1), army=("alliance", "putredine"))
    lose_model(t, 0, by_enemy=False)
    assert t.armies[0].vp == 0
    assert not t.models[0].alive


@pytest.mark.clause("CH-DRONE-03", "CH-DRONE-04", "Q-DRONE-3")
def test_a_drone_meets_the_worst_fate_of_the_step() -> None:
    t = scene(put(1, "command"))
    t = after(t, Wound(unit=0, drone="destroyed"), Wound(unit=0, drone="disabled"))
    assert t.units[0].drone == "destroyed"
    assert strength(t, 0) == (1, 0)


@pytest.mark.clause("Q-STUN-9", "Q-DRONE-6")
def test_two_markers_remove_a_chiron_and_its_drone_goes_with_it() -> None:
    t = scene(put(1, "command", stuns=1, drone="disabled"))
    t = after(t, Wound(unit=0, stuns=1))
    assert strength(t, 0) == (0, 0)
    assert t.units[0].drone == "destroyed"


@pytest.mark.clause("CH-PUTSTUN-01", "CH-PUTSTUN-03")
def test_a_new_marker_on_putredine_infantry_is_remembered() -> None:
    t = scene(put(1, "infantry"), army=("alliance", "putredine"))
    assert after(t, Wound(unit=0, stuns=1)).units[0].newly_stunned


@pytest.mark.clause("Q-STUN-8")
def test_units_that_lost_models_otherwise_are_checked_for_doubling() -> None:
    t = scene(put(1, "medium-tank", models=2, stuns=4))
    match = run(t, DamageBatch(also=(0,)))
    match.play(1, Lose(0))
    assert strength(done(match), 0) == (1, 1)


@pytest.mark.clause("Q-SEQ-4")
def test_the_active_player_picks_first() -> None:
    t = scene(put(0, "medium-tank", (10, 10)), put(1, "medium-tank", (10, 40)), active=1)
    t.wounds.extend([Wound(unit=0, kills=1), Wound(unit=1, kills=1)])
    match = run(t, DamageBatch())
    assert match.waiting[0].side == 1


def test_kills_are_matched_to_models() -> None:
    assert covered([(1, (1, 2)), (1, (2, 3)), (1, (1, 3))], [1, 2, 3]) == 3
    assert covered([(2, (1,)), (1, ())], [1, 2, 3]) == 2


@pytest.mark.clause("CH-STUN-09", "CH-STUN-11")
def test_the_log_tells_the_arithmetic_of_a_batch() -> None:
    t = scene(put(1, "medium-tank", models=3, stuns=2))
    t.wounds.append(Wound(unit=0, kills=1, stuns=2))
    match = run(t, DamageBatch())
    match.play(1, Lose(0))
    events = match.play(1, Lose(1))
    lost = "Medium Tanks lose 2 of 3 models and gain 2 Stun markers"
    assert [e.sentence(match.state) for e in events] == [
        f"{lost}; its markers reach twice its models, which costs one more: 1 marker left",
        "Medium Tanks lose a model: 2 left",
        "Medium Tanks lose a model: 1 left",
    ]


@pytest.mark.parametrize(("stuns", "wound", "words"), [
    (0, Wound(unit=0, kills=1), "Medium Tanks lose 1 of 3 models"),
    (0, Wound(unit=0, stuns=1), "Medium Tanks gain 1 Stun marker"),
    (1, Wound(unit=0, stuns=2), "Medium Tanks gain 2 Stun markers (3 now)"),
    (0, Wound(unit=0, kills=9, stuns=2), "Medium Tanks lose 3 of 3 models"),
])  # fmt: skip
@pytest.mark.clause("CH-DMG-04", "CH-STUN-01")
def test_the_log_tells_what_a_unit_loses_and_gains(stuns: int, wound: Wound, words: str) -> None:
    t = scene(put(1, "medium-tank", models=3, stuns=stuns))
    t.wounds.append(wound)
    match = run(t, DamageBatch())
    events = match.play(1, Lose(0)) if match.waiting else match.opening
    assert next(e for e in events if isinstance(e, Damaged)).sentence(match.state) == words


@pytest.mark.clause("CH-COH-01", "CH-DMG-05")
def test_a_casualty_that_tears_its_unit_apart_is_told() -> None:
    t = scene(put(0, "light-tank", (20, 20), models=3), put(1, "light-tank", (60, 60)))
    for m, x in zip(t.units[0].models, (2000, 2400, 2800), strict=True):
        t.change_model(m, x=x, y=2000)
    question = Casualty(side=0, losses=losses_of(t, 0, [Wound(unit=0, kills=1)]), picked=())
    torn = [o.words.endswith("; the others would be more than 1 inch apart") for o in question.offers(t)]
    assert torn == [False, True, False]


@pytest.mark.clause("CH-FIRE-02", "CH-DMG-05")
@pytest.mark.parametrize(("x", "events"), [(48, [False, False, True]), (44, [False, False, False]), (60, [False] * 3)])
def test_a_casualty_that_takes_an_enemy_out_of_range_is_told(x: int, events: list[bool]) -> None:
    t = scene(put(0, "light-tank", (20, 20), models=3), put(1, "heavy-tank", (x, 20), models=1))
    for m, place in zip(t.units[0].models, (2000, 2400, 2800), strict=True):
        t.change_model(m, x=place, y=2000)
    # Three tanks have a range of 20 cm. Only the foremost tank, the two foremost, or none has the enemy in range.
    question = Casualty(side=0, losses=losses_of(t, 0, [Wound(unit=0, kills=1)]), picked=())
    assert [o.words.endswith("; Heavy Tanks would be out of range") for o in question.offers(t)] == events
    # If the foremost model is removed, no other has an enemy in range. If one of two nearer models is removed, the
    # other still has.
    later = Casualty(side=0, losses=losses_of(t, 0, [Wound(unit=0, kills=2)]), picked=(2,))
    assert [o.words.endswith("would be out of range") for o in later.offers(t)] == [False, x == 44]


@pytest.mark.clause("CH-DMG-05")
def test_a_casualty_is_told_by_what_sets_it_apart() -> None:
    t = scene(put(0, "infantry", (20, 20), squads=2), put(1, "light-tank", (20, 60)))
    first, *_, last = t.units[0].models
    t.change_model(first, worms=1, glands=1)
    t.change_model(last, worms=2, glands=2, kind="heavy-weapons")
    question = Casualty(side=0, losses=losses_of(t, 0, [Wound(unit=0, kills=1)]), picked=())
    words = [offer.words for offer in question.offers(t)]
    assert words[0].startswith("Remove model 1 (Squad 1, 1 Worm Token, Small Node Gland), ")
    assert " (heavy weapons, Squad 2, 2 Worm Tokens, Large Node Gland), " in words[-1]
    assert " (Squad 1), " in words[1]
