"""Close quarters: initiative, attacks, saves, the mop-up, and the winner's choices (SQ-CQB, SQ-CQS)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from caltrop.chance import Distribution
from caltrop.engine import HouseValue, Refused, total
from caltrop.engine.explore import Explorer
from caltrop.geometry import path_length
from caltrop.rules.squad_action.casualties import Fall, MoraleChecked, Saved
from caltrop.rules.squad_action.catalogue import Cover, Lists, Profile, inches
from caltrop.rules.squad_action.close_quarters import CloseQuarters, FightsGoOn, must_hold, to_hold
from caltrop.rules.squad_action.consolidation import Consolidate, HoldGround, SteppedBack, step_back
from caltrop.rules.squad_action.initiative import (
    Contender,
    Initiative,
    RolledInitiative,
    Score,
    StrikesSecond,
    initiative,
    striking_order,
)
from caltrop.rules.squad_action.melee import (
    After,
    ends_of_fight,
    fighter,
    is_gone,
    round_of,
)
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.places import gap
from caltrop.rules.squad_action.records import Fight, Firefight
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scene import at, block, done, scene, squad
from caltrop.rules.squad_action.striking import (
    Extra,
    MoreAttacks,
    ShareAmong,
    ShareAttacks,
    StrikeByHand,
    Striker,
    StruckByHand,
    cover_by_hand,
    extra_attacks,
)
from tests.rules.squad_action.played import ends, every, now, one, play

BOOK = ruleset.book(None, None)


def house(**rules: HouseValue) -> Any:
    """Return a book with house rules."""
    return ruleset.book(None, rules)


BARE = Profile(title="Bare", plural="Bare", fire=4, cqb=4, morale=3, armour=7, points=1)
"""Soldiers without armour."""
ROUND = {"cqb_rounds": "one_per_turn"}
"""A rule for exactly one round."""


def two(mine: int = 6, theirs: int = 6, row: str = "regular", against: str = "regular", **fields: Any) -> Firefight:
    """Return South's squad in contact with North's."""
    rules = {**ROUND, **fields.pop("rules", {})}
    ours, enemy = fields.pop("ours", {}), fields.pop("enemy", {})
    return scene(
        squad(0, row, 20, 20, mine, **ours), squad(1, against, 20, "20.6", theirs, **enemy), rules=rules, **fields
    )


def fight(cover: str = "hard", watching: Sequence[int] = (), **fields: Any) -> CloseQuarters:
    given: Any = {"assaulters": (0,), "defenders": (1,), "covers": (cover,), "watching": tuple(watching), **fields}
    return CloseQuarters(**given)


def falls(t: Firefight, unit: int, count: int, gone: int = 0) -> Fall:
    """Return the loss of the last models of a unit."""
    models = t.units[unit].models[: len(t.units[unit].models) - gone]
    return Fall(tuple(models[-count:]))


# --- initiative -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-CQB-03", "SQ-CQB-04", "SQ-CQS-04", "SQ-CQS-09", "SQ-CQS-12", "SQ-TRT-02", "SQ-Q21")
def test_the_initiative_is_a_sum_of_what_each_has() -> None:
    def of(**fields: Any) -> dict[str, int]:
        return {p.clause: p.value for p in initiative(BOOK, Contender(**{"first": True, **fields}))}

    assert of() == {}
    assert of(started=True) == {"SQ-CQB-03": 1}
    assert of(started=True, first=False) == {}
    assert of(rating=3, against=4) == {"SQ-CQB-04": 1}
    assert of(rating=3, against=4, first=False) == {"SQ-CQB-04": 1}
    assert of(rating=4, against=4) == of(rating=5, against=4) == of(rating=0, against=4) == of(rating=4) == {}
    assert of(watching=True) == {"SQ-CQS-04": 1}
    assert of(watching=True, first=False) == {}
    assert of(second=True) == of(second=True, first=False) == {"SQ-CQS-09": 1}
    assert of(traits=("cqb-specialist",)) == {"SQ-TRT-02": 1}
    assert of(traits=("cqb-specialist",), first=False) == {}


def order(t: Firefight, *dice: Any, cover: str = "hard", **fields: Any) -> Any:
    """Return the order of strikes as events: the scores, and the units that struck."""
    match = play(t, fight(cover, **fields), *dice)
    return match, [total(e.parts) + e.face for e in every(match, RolledInitiative)]


@pytest.mark.clause("SQ-W19", "SQ-CQB-02", "SQ-CQB-03", "SQ-CQB-04", "SQ-CQS-05")
def test_a_better_defender_in_cover_strikes_first() -> None:
    t = two(6, 6, "regular", "assault")
    match, scores = order(t, 3, 4, (1,) * 6, (1,), (1,) * 7)
    assert scores == [4, 5]
    assert [e.unit for e in every(match, StruckByHand)] == [1, 0]


@pytest.mark.clause("SQ-W20", "SQ-CQB-05", "SQ-CQB-06", "SQ-Q23")
def test_the_pinned_strike_second_without_a_roll() -> None:
    t = two(6, 6, "regular", "assault", enemy={"pinned": True})
    match, scores = order(t, (4,), (1,) * 10, (1,) * 6)
    assert scores == []
    assert one(match, StrikesSecond).clause == "SQ-CQB-05"
    assert [e.unit for e in every(match, StruckByHand)] == [0, 1]


@pytest.mark.clause("SQ-W21", "SQ-CQB-03", "SQ-CQS-04", "SQ-Q20")
@pytest.mark.house("initiative_tie", "simultaneous")
def test_equal_scores_strike_together_with_all_that_they_had() -> None:
    t = two(2, 2)
    match, scores = order(t, 4, 4, (1,), (6, 6, 6), (1, 1), (6, 6), (1, 1), watching=(1,))
    assert scores == [5, 5]
    assert [len(e.faces) for e in every(match, StruckByHand)] == [3, 2]
    assert [u.where for u in done(match).units] == ["gone", "gone"]


@pytest.mark.clause("SQ-W22", "SQ-CQS-06", "SQ-Q23")
def test_who_is_in_the_open_strikes_second_on_overwatch_or_not() -> None:
    match, scores = order(two(2, 2), (1,), (1, 1, 1), (1, 1), cover="none", watching=(1,))
    assert scores == []
    assert one(match, StrikesSecond).clause == "SQ-CQS-06"
    assert [e.unit for e in every(match, StruckByHand)] == [0, 1]


@pytest.mark.clause("SQ-Q23", "SQ-CQS-06", "SQ-CQB-05")
def test_the_open_is_asked_about_first_and_only_in_the_first_round() -> None:
    t = two(1, 1, rules={"cqb_rounds": "at_once"}, enemy={"pinned": True})
    match = play(t, fight("none"), (1,), (1, 1), (1,), 1, 2, (4,), (1,), answers=[HoldGround()])
    assert one(match, StrikesSecond).clause == "SQ-CQS-06"
    assert [e.face + total(e.parts) for e in every(match, RolledInitiative)] == [1, 2]
    assert done(match).units[1].pinned


@pytest.mark.clause("SQ-Q20")
@pytest.mark.house("initiative_tie", "reroll", "defender")
def test_ties_by_the_house() -> None:
    scores = [Score(0, True, 5), Score(1, True, 4), Score(2, False, 5), Score(3, False, None)]
    assert striking_order(BOOK, scores) == ((0, 2), (1,), (3,))
    assert striking_order(house(initiative_tie="defender"), scores) == ((2,), (0,), (1,), (3,))
    t = two(1, 1, rules={"initiative_tie": "reroll"})
    _, result = order(t, 3, 4, 3, 4, 2, 4, (1,), (1,), (1, 1))
    assert result == [4, 4, 4, 4, 3, 4]


@pytest.mark.clause("SQ-CQB-02", "SQ-Q20")
def test_the_chance_to_be_first_counts_every_pair_of_dice() -> None:
    ours, tie, theirs = ((0,), (1,)), ((0, 1),), ((1,), (0,))

    def first(cover: Cover, number: int = 1, **fields: Any) -> Distribution[Any]:
        roll = Initiative(
            assaulters=(0,), seconds=(), defenders=(1,), covers=(cover,), watching=(), number=number, two=False
        )
        return Explorer(two(**fields)).odds(roll, lambda after, order: order)

    result = first("hard")
    assert (result[ours], result[tie], result[theirs]) == (Fraction(21, 36), Fraction(5, 36), Fraction(10, 36))
    assert first("none")[ours] == first("hard", enemy={"pinned": True})[ours] == 1
    assert first("none", 2)[tie] == Fraction(1, 6)
    assert first("hard", 2, rules={"initiative_tie": "reroll"})[ours] == Fraction(1, 2)
    assert first("hard", 2, rules={"initiative_tie": "defender"})[theirs] == Fraction(21, 36)


# --- attacks ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-CQB-07", "SQ-CQB-08", "SQ-TRT-01", "SQ-Q24", "SQ-CQS-11")
def test_extra_attacks_of_the_first_round() -> None:
    def of(models: int, *traits: str, first: bool = True, assaults: bool = True) -> Extra:
        return extra_attacks(BOOK, "infantry", models, first, assaults, traits)

    assert (of(5), of(6)) == (Extra(1, True), Extra(1, False))
    assert of(6, first=False) == of(6, assaults=False) == Extra(0, False)
    assert (of(5, "cqb-specialist"), of(6, "cqb-specialist")) == (Extra(2, True), Extra(2, False))
    assert of(6, "cqb-specialist", assaults=False) == Extra(0, False)


@pytest.mark.clause("SQ-W17", "SQ-CQB-07", "SQ-CQB-08", "SQ-ORG-45")
def test_six_models_with_a_bonus_of_four() -> None:
    t = two(6, 6)
    match = play(t, fight("none"), (4,), (1,) * 10, (4, *[1] * 5), (1,), (6,), answers=[falls(t, 0, 1)])
    assert one(match, MoreAttacks).attacks == 10
    assert [(e.unit, len(e.faces)) for e in every(match, StruckByHand)] == [(0, 10), (1, 6)]
    after = play(done(match), fight("none", rounds=1), 6, 1, (1,) * 5, (1,) * 6)
    assert [(e.unit, len(e.faces)) for e in every(after, StruckByHand)] == [(0, 5), (1, 6)]


@pytest.mark.clause("SQ-W18", "SQ-TRT-01", "SQ-CQB-08", "SQ-Q24")
def test_five_specialists_throw_two_dice_more() -> None:
    t = two(5, 6, ours={"traits": ("cqb-specialist",)})
    match = play(t, fight("none"), (3, 5), (1,) * 10, (1,) * 6)
    assert one(match, MoreAttacks).attacks == 5 + 2 + 3


@pytest.mark.clause("SQ-TRT-07", "SQ-Q46", "SQ-CQB-09")
def test_improved_close_combat_throws_ones_again_once() -> None:
    t = two(3, 6, ours={"traits": ("improved-close-combat",)})
    match = play(t, fight("none"), (1,), (1, 4, 3, 1), (1, 5), (1, 6), (1,) * 5, (6,), answers=[falls(t, 1, 1)])
    struck = every(match, StruckByHand)[0]
    assert (struck.before, struck.faces, struck.hits) == ((1, 4, 3, 1), (1, 4, 3, 5), 2)


@pytest.mark.clause("SQ-CQB-09", "SQ-CQB-10", "SQ-Q22")
@pytest.mark.house("cover_in_cqb", "first_round_defender", "always", "never")
def test_who_has_cover_in_which_round() -> None:
    def of(rules: str) -> list[str]:
        b = house(cover_in_cqb=rules)
        return [cover_by_hand(b, n, assaulted, "hard") for n in (1, 2) for assaulted in (True, False)]

    assert of("first_round_defender") == ["hard", "none", "none", "none"]
    assert of("always") == ["hard", "none", "hard", "none"]
    assert of("never") == ["none"] * 4


@pytest.mark.clause("SQ-CQB-10", "SQ-Q22", "SQ-COV-01")
def test_saves_of_the_assaulted_and_of_the_assaulters() -> None:
    t = two(2, 2, "conscript", "conscript", enemy={"pinned": True})
    match = play(t, fight("soft"), (1,), (5, 5, 1), (4, 4), (5, 5))
    # A Pinned unit in soft cover saves on 4; conscripts who assault have no save at all.
    assert one(match, Saved).needed == 4
    assert [u.where for u in now(match).units] == ["gone", "table"]
    bare = two(2, 2, "conscript", "conscript", enemy={"pinned": True})
    match = play(bare, fight("none"), (1,), (5, 5, 1))
    assert not every(match, Saved)
    assert now(match).units[1].where == "gone"


# --- the mop-up -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-W25", "SQ-CQB-11", "SQ-CQB-12", "SQ-CQB-13", "SQ-ORG-46", "SQ-Q07", "SQ-Q53")
@pytest.mark.parametrize(("die", "stays"), [(4, False), (5, True)])
def test_the_loser_has_to_hold(die: int, stays: bool) -> None:
    t = two(8, 8, rules={"break_result": "fall_back"})
    dice: list[Any] = [(1,), (4, *[1] * 8), (1,), (4, 4, 4, *[1] * 4), (1, 1, 1), (die,)]
    match = play(t, fight("none"), *dice, answers=[falls(t, 1, 1), falls(t, 0, 3)])
    checked = one(match, MoraleChecked)
    assert (checked.unit, total(checked.parts), checked.passed) == (0, -2, stays)
    assert now(match).units[0].where == ("table" if stays else "gone")


@pytest.mark.clause("SQ-W26", "SQ-CQB-14")
def test_equal_losses_lead_straight_to_the_next_round() -> None:
    t = two(8, 8)
    dice: list[Any] = [(1,), (4, 4, *[1] * 7), (1, 1), (4, 4, *[1] * 4), (1, 1)]
    match = play(t, fight("none"), *dice, answers=[falls(t, 1, 2), falls(t, 0, 2)])
    assert not every(match, MoraleChecked)
    assert [len(u.models) for u in done(match).units] == [6, 6]
    assert now(match).fights[0].rounds == 1


@pytest.mark.clause("SQ-CQB-11", "SQ-S21", "SQ-TRT-05", "SQ-Q35")
def test_what_counts_for_the_mop_up() -> None:
    assert [(p.clause, p.value) for p in to_hold(BOOK, 2, True)] == [("SQ-CQB-11", -2), ("SQ-S21", 1)]
    assert must_hold(BOOK, 3, 2, ())
    assert not must_hold(BOOK, 2, 2, ())
    assert not must_hold(BOOK, 1, 2, ())
    assert not must_hold(BOOK, 3, 2, ("fearless",))


@pytest.mark.clause("SQ-W27", "SQ-CQB-15", "SQ-CQB-16", "SQ-CQB-17", "SQ-Q63")
def test_the_winner_may_move_three_inches_and_is_pinned() -> None:
    t = two(3, 1)
    match = play(t, fight("none"), (1,), (4, 1, 1, 1), (1,))
    (decision,) = match.waiting
    assert isinstance(decision, Consolidate)
    here = {m: now(match).models[m].at or (0, 0) for m in (0, 1, 2)}

    def shift(far: int) -> Move:
        return Move(0, tuple([(m, ((x, y), (x - far, y))) for m, (x, y) in here.items()]))

    refused = decision.options(now(match)).refusal(shift(763))
    assert refused is not None
    assert refused.code == "beyond-three"
    assert refused.nearest in decision.options(now(match))
    other = decision.options(now(match)).refusal(Move(1, shift(300).paths))
    assert other is not None
    assert (other.code, other.nearest) == ("not-the-winner", HoldGround())
    match.play(0, shift(762))
    after = done(match)
    assert after.models[0].at == (here[0][0] - 762, here[0][1])
    assert after.units[0].pinned
    stayed = play(t, fight("none"), (1,), (4, 1, 1, 1), (1,), answers=[HoldGround()])
    assert done(stayed).units[0].pinned
    assert done(stayed).models[0].at == here[0]


@pytest.mark.clause("SQ-CQB-15", "SQ-Q63", "SQ-S10")
def test_a_winner_counts_no_terrain_and_keeps_off_other_enemies() -> None:
    t = scene(
        squad(0, "regular", 20, 20, 1),
        squad(1, "regular", 20, "20.6", 1),
        squad(1, "regular", 24, 20, 2),
        terrain=[block("woods", "woods", 12, 12, 19, 28)],
    )
    match = play(t, fight("none"), (1,), (4, 1), (1,))
    options = match.waiting[0].options(match.state)
    x, y = now(match).models[0].at or (0, 0)
    assert Move(0, ((0, ((x, y), (x - 762, y))),)) in options
    near = options.refusal(Move(0, ((0, ((x, y), (x + 500, y))),)))
    assert near is not None
    assert near.code == "too-near"


@pytest.mark.clause("SQ-ORG-29", "SQ-Q53")
def test_the_last_model_leaves_only_when_the_fight_is_over() -> None:
    t = two(2, 2)
    dice: list[Any] = [(1,), (1, 1, 1), (4, 1), (1,), (4,)]
    match = play(t, fight("none"), *dice, answers=[falls(t, 0, 1)])
    assert [len(u.models) for u in done(match).units] == [1, 2]
    again = play(done(match), fight("none", rounds=1), 6, 1, (4,), (1,), (1,), (4,), answers=[falls(t, 1, 1)])
    assert [len(u.models) for u in done(again).units] == [1, 1]
    last = play(done(again), fight("none", rounds=2), 6, 1, (4,), (1,))
    assert [u.where for u in done(last).units] == ["gone", "gone"]


@pytest.mark.clause("SQ-Q48")
@pytest.mark.house("cqb_rounds", "at_once")
def test_after_six_rounds_they_part_and_both_are_pinned() -> None:
    t = two(2, 2, rules={"cqb_rounds": "at_once"})
    dice: list[Any] = [(1,), (1, 1, 1), (1, 1)]
    for _ in range(5):
        dice += [6, 1, (1, 1), (1, 1)]
    match = play(t, fight("none"), *dice)
    after = done(match)
    assert [u.pinned for u in after.units] == [True, True]
    assert one(match, SteppedBack).unit == 0
    assert gap(after, 0, 1) >= inches(3)


@pytest.mark.clause("SQ-Q48", "SQ-Q61")
def test_who_can_only_step_back_towards_the_enemy_goes_to_the_nearest_room_instead() -> None:
    alcove = [
        block("left", "building", 0, "19.8", "19.5", 48),
        block("right", "building", "20.5", "19.8", 48, 48),
        block("back", "building", "19.5", "20.5", "20.5", 48),
    ]
    t = scene(squad(0, "regular", 20, 20, 1), squad(1, "regular", 20, "19.4", 1), terrain=alcove)
    step_back(t, 0, (1,), inches(3))
    there = t.models[0].at
    assert there is not None
    assert gap(t, 0, 1) > inches(3)
    assert path_length((at(20, 20), there)) <= inches("3.7"), "a step in one of the directions would be longer"


@pytest.mark.clause("SQ-Q63")
def test_if_both_are_wiped_out_nobody_wins() -> None:
    match, _ = order(two(1, 1), 4, 4, (1,), (6, 6), (1,), (6,), (1,), watching=(1,))
    assert [u.where for u in done(match).units] == ["gone", "gone"]


# --- several against one, one against two -----------------------------------------------------------------------------


def three(**fields: Any) -> Firefight:
    """Return two squads of South around one of North."""
    return scene(
        squad(0, "regular", 20, 20, 3),
        squad(0, "regular", 20, "21.2", 3),
        squad(1, "regular", 20, "20.6", 3),
        rules=ROUND,
        **fields,
    )


def against_one(cover: str = "hard", **fields: Any) -> CloseQuarters:
    given: Any = {"assaulters": (0, 1), "defenders": (2,), "covers": (cover,), **fields}
    return CloseQuarters(**given)


@pytest.mark.clause("SQ-W24", "SQ-CQS-08", "SQ-CQS-09", "SQ-Q25")
def test_the_second_unit_of_an_assault_adds_one() -> None:
    match = play(three(), against_one(), 3, 3, 5, (1,), (1,) * 4)
    assert [(e.unit, e.face + total(e.parts)) for e in every(match, RolledInitiative)] == [(0, 4), (1, 5), (2, 5)]
    (decision,) = match.waiting
    assert isinstance(decision, ShareAttacks)
    assert (decision.unit, decision.attacks, decision.targets) == (2, 3, (0, 1))
    match.dice.rolls.extend([(1,), (1, 1), (1,), (1,) * 4])  # type: ignore[attr-defined]
    match.play(1, ShareAmong((1, 2)))
    assert [e.unit for e in every(match, StruckByHand)] == [1, 2, 2, 0]


@pytest.mark.clause("SQ-Q25", "SQ-CQS-10")
def test_attacks_are_shared_whole() -> None:
    match = play(three(), against_one("none"), (1,), (1,) * 4, (1,), (1,) * 4)
    options = match.waiting[0].options(match.state)
    assert set(options) == {ShareAmong((n, 3 - n)) for n in range(4)}
    for wrong, code in ((ShareAmong((1, 1)), "other-sum"), (ShareAmong((3,)), "other-enemies")):
        refused = options.refusal(wrong)
        assert refused is not None
        assert refused.code == code
    below = options.refusal(ShareAmong((4, -1)))
    assert below is not None
    assert below.code == "below-nothing"
    with pytest.raises(Refused):
        match.play(1, ShareAmong((2, 2)))


@pytest.mark.clause("SQ-CQS-10", "SQ-Q63")
def test_nobody_strikes_at_who_is_out_of_play() -> None:
    gone, ours = squad(0, "regular", 20, 20, 3, where="gone"), squad(0, "regular", 20, "21.2", 3)
    t = scene(gone, ours, squad(1, "regular", 20, "20.6", 3), rules=ROUND)
    strike = StrikeByHand(by=Striker(2, 3), targets=(0, 1), covers=("none", "hard"), number=2, assaults=False)
    match = play(t, strike, (1, 1, 1))
    assert not match.waiting, "one enemy is left, so that there is nothing to share out"
    assert [(e.unit, e.target) for e in every(match, StruckByHand)] == [(2, 1)]


@pytest.mark.clause("SQ-Q25", "SQ-CQB-11")
def test_every_losing_unit_holds_with_the_same_modifier() -> None:
    t = three()
    match = play(
        t,
        against_one("none"),
        *[(1,), (1,) * 4, (1,), (1,) * 4, (4, 4), (1, 1), (1,), (5,), (4,)],
        answers=[ShareAmong((2, 1)), falls(t, 0, 2)],
    )
    checks = every(match, MoraleChecked)
    assert [(c.unit, total(c.parts), c.passed) for c in checks] == [(0, -2, True), (1, -2, False)]


@pytest.mark.clause("SQ-CQS-10", "SQ-CQS-11", "SQ-CQS-12", "SQ-Q26", "SQ-CQS-06")
def test_one_against_two_has_its_dice_and_no_other_benefit() -> None:
    t = scene(squad(0, "regular", 20, 20, 3), squad(1, "regular", 20, "20.6", 2), squad(1, "regular", 23, "20.6", 2))
    both: Any = {"assaulters": (0,), "defenders": (1, 2), "covers": ("hard", "none"), "watching": (1,)}
    match = play(t, CloseQuarters(**both), 4, 4, (1, 1), (3,), answers=[])
    assert [(e.unit, e.face + total(e.parts)) for e in every(match, RolledInitiative)] == [(0, 4), (1, 5)]
    assert one(match, StrikesSecond).unit == 2
    (decision,) = match.waiting
    assert isinstance(decision, ShareAttacks)
    assert (decision.unit, decision.attacks, decision.targets) == (0, 5, (1, 2))


# --- forecasts --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-CQB-02", "SQ-CQB-09", "SQ-CQB-11")
def test_the_forecast_of_a_round_is_what_the_dice_come_to() -> None:
    t = two(1, 1, "conscript", "conscript")
    result = ends(t, lambda: fight("none"), models_left)
    assert dict(result.items()) == dict(round_of(t, fighter(t, 0), fighter(t, 1), "none").items())


def models_left(after: Firefight) -> After:
    """Return the remaining models, as in a forecast."""
    return After(len(after.units[0].models), len(after.units[1].models))


@pytest.mark.clause("SQ-CQB-08", "SQ-TRT-01", "SQ-CQB-10")
def test_extra_attacks_are_part_of_the_forecast() -> None:
    def felled(cover: Cover, number: int = 1, assaults: bool = True, **fields: Any) -> Fraction:
        t = two(1, 9, against="bare", ours=fields, field={"lists": Lists(profiles={"bare": BARE})})
        blows = StrikeByHand(
            by=Striker(0, 1),
            targets=(1,),
            covers=(cover_by_hand(t, number, assaults, cover),),
            number=number,
            assaults=assaults,
        )
        return Explorer(t).odds(blows, lambda after, lost: lost).expected(lambda lost: lost)

    assert felled("none", 2) == Fraction(1, 2)
    assert felled("none") == Fraction(3, 2)
    assert felled("none", traits=("cqb-specialist",)) == Fraction(5, 2)
    assert felled("hard") == Fraction(3, 4)
    assert felled("hard", assaults=False) == Fraction(1, 2)


@pytest.mark.clause("SQ-CQB-12", "SQ-Q48")
def test_a_whole_fight_adds_up() -> None:
    def odds(cover: Cover, **changes: Any) -> Distribution[Any]:
        t = scene(squad(0, "elite", 20, 20, 5), squad(1, "regular", 20, "20.6", 6, **changes))
        return ends_of_fight(t, 0, 1, cover).odds

    result = odds("none")
    assert sum([chance for _, chance in result.items()]) == 1
    assert result.chance(lambda end: is_gone(end.defenders) and not is_gone(end.assaulters)) > Fraction(4, 5)
    worse = odds("hard", watching=1)
    assert worse.chance(lambda e: is_gone(e.defenders)) < result.chance(lambda e: is_gone(e.defenders))


@pytest.mark.clause("SQ-CQB-11", "SQ-CQB-12", "SQ-Q25")
def test_a_side_that_has_wiped_out_the_enemy_need_not_hold_though_it_lost_more() -> None:
    t = scene(squad(0, "regular", 10, 10, 4), squad(1, "regular", 10, 11, 2))
    fight = CloseQuarters(assaulters=(0,), defenders=(1,), covers=("none",))
    fight.count(t, (3, 2))
    assert fight.ahead == (0,), "both stand: those who lost more have to hold"
    fight.count(t, (2, 3))
    assert fight.ahead == (1,)
    t.change(1, models=(), where="gone")
    fight.count(t, (3, 2))
    assert not fight.ahead


@pytest.mark.clause("SQ-S23", "SQ-Q48", "SQ-Q74")
@pytest.mark.parametrize("side", [0, 1])
def test_who_breaks_in_a_fight_that_lasts_is_cut_down_when_it_goes_on(side: int) -> None:
    """The same holds for a unit that was Broken before the assault: it strikes no blow from the place to which it
    fled.
    """
    t = scene(
        squad(0, "regular", 10, 10, 3, locked=(1,), broken=side == 0),
        squad(1, "regular", 10, "10.7", 3, locked=(0,), broken=side == 1),
        rules=ROUND,
    )
    t.fights.append(Fight(assaulters=(0,), defenders=(1,), covers=("none",), rounds=1, fresh=False))
    match = play(t, FightsGoOn())
    after = now(match)
    assert after.units[side].where == "gone"
    assert [type(asked).__name__ for asked in match.waiting] == ["Consolidate"], "the other has won"
    assert not every(match, RolledInitiative)
