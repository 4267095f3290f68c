"""Saves, casualties, and the tests after an attack (SQ-SHO-05 to 07, SQ-ORG-22 to 29, SQ-Q44, SQ-Q53)."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import pytest

from caltrop.asking import offered
from caltrop.chance import Seeded
from caltrop.rules.squad_action.aftermath import AfterAttack
from caltrop.rules.squad_action.casualties import Fall, MoraleChecked, Saved, TakeHits, WhoFalls, destroy, lose, pin
from caltrop.rules.squad_action.records import Firefight, Pilot
from caltrop.rules.squad_action.scene import at, done, machine, scene, squad
from tests.rules.squad_action.played import every, now, one, play

FEW = {"starting": 8}


def hit(t: Firefight, hits: int, *dice: Any, answers: Any = (), **fields: Any) -> Any:
    """Hit unit 0 with hits that any of its models can take."""
    return play(t, TakeHits(unit=0, hits=hits, may_be_hit=t.units[0].models, **fields), *dice, answers=answers)


# --- saves ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-SHO-05", "SQ-Q42", "SQ-W04")
def test_each_unsaved_hit_is_one_casualty() -> None:
    match = hit(scene(squad(0, "regular", 10, 10)), 4, (6, 3, 2, 1), answers=[Fall((5, 6, 7))])
    assert done(match).units[0].models == (0, 1, 2, 3, 4)
    assert [now(match).models[m].at for m in (5, 6, 7)] == [None, None, None]
    saved = one(match, Saved)
    assert (saved.needed, saved.saved) == (5, 1)
    assert saved.sentence(now(match)) == "South 0, Armour save: 5+: 6 3 2 1: 1 of 4 saved"
    (tally,) = saved.reading(now(match)).tallies
    assert (tally.side, tally.got, tally.expected) == (0, 1, "4/3")


@pytest.mark.clause("SQ-SHO-05", "SQ-Q14", "SQ-W08", "SQ-S16", "SQ-S13")
@pytest.mark.parametrize(("cover", "ap", "needed"), [("hard", -1, 4), ("none", -1, 6), ("fortified", 0, 3)])
def test_the_better_save_is_taken_and_ap_worsens_armour_alone(cover: Any, ap: int, needed: int) -> None:
    t = scene(squad(0, "regular", 10, 10))
    assert done(hit(t, 1, needed, cover=cover, ap=ap)).units[0].models == t.units[0].models
    assert now(hit(t, 1, needed - 1, cover=cover, ap=ap)).asked


@pytest.mark.clause("SQ-Q14", "SQ-Q13")
def test_who_has_no_save_rolls_none() -> None:
    assert now(hit(scene(squad(0, "conscript", 10, 10)), 1)).asked
    assert now(hit(scene(squad(0, "regular", 10, 10)), 1, ap=-2)).asked


@pytest.mark.clause("SQ-COV-01", "SQ-Q14", "SQ-W09", "SQ-W65")
@pytest.mark.parametrize(("cover", "needed"), [("hard", 3), ("soft", 4), ("none", 6), ("fortified", 2)])
def test_the_pinned_use_their_cover_better(cover: Any, needed: int) -> None:
    t = scene(squad(0, "conscript", 10, 10, pinned=True))
    assert len(done(hit(t, 1, needed, cover=cover)).units[0].models) == 8
    assert now(hit(t, 1, needed - 1, cover=cover)).asked
    # SQ-W65: armour 5+ worsened to 6+, and the 6+ of a Pinned unit in the open.
    regulars = scene(squad(0, "regular", 10, 10, pinned=True))
    assert len(done(hit(regulars, 1, 6, ap=-1)).units[0].models) == 8
    assert now(hit(regulars, 1, 5, ap=-1)).asked


@pytest.mark.clause("SQ-WPN-03", "SQ-W10")
def test_flames_ignore_cover_and_not_armour() -> None:
    t = scene(squad(0, "regular", 10, 10))
    match = hit(t, 2, (6, 5), cover="hard", ap=-1, flame=True, answers=[Fall((7,))])
    assert len(done(match).units[0].models) == 7


@pytest.mark.clause("SQ-Q14")
@pytest.mark.house("double_saves", "on", "off")
def test_both_saves_may_be_taken_in_turn() -> None:
    t = scene(squad(0, "regular", 10, 10), rules={"double_saves": "on"})
    match = hit(t, 3, (4, 3, 1), (5, 4), cover="hard", answers=[Fall((7,))])
    assert len(done(match).units[0].models) == 7
    assert [s.needed for s in every(match, Saved)] == [4, 5]
    assert len(done(hit(scene(squad(0, "regular", 10, 10)), 1, 4, cover="hard")).units[0].models) == 8
    lost = hit(scene(squad(0, "regular", 10, 10)), 1, 3, cover="hard", answers=[Fall((7,))])
    assert [s.needed for s in every(lost, Saved)] == [4], "one save, the better one"


@pytest.mark.clause("SQ-TRT-06", "SQ-W13")
def test_gene_enhanced_ignore_wounds_on_a_6() -> None:
    t = scene(squad(0, "conscript", 10, 10, traits=("gene-enhanced",)))
    match = hit(t, 3, (6, 5, 6), answers=[Fall((7,))])
    assert len(done(match).units[0].models) == 7


@pytest.mark.clause("SQ-SHO-05", "SQ-TRT-11", "SQ-W16")
def test_armour_may_be_barred() -> None:
    assert now(hit(scene(squad(0, "regular", 10, 10)), 1, armour=False)).asked
    assert len(done(hit(scene(squad(0, "regular", 10, 10)), 1, 5)).units[0].models) == 8
    assert now(hit(scene(squad(0, "regular", 10, 10)), 1, 4)).asked


# --- who falls --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-Q44", "SQ-W61")
def test_hits_beyond_those_who_can_be_hit_are_lost_before_saves() -> None:
    match = hit(scene(squad(0, "regular", 10, 10, 3)), 10, (6, 4, 2), answers=[Fall((1, 2))])
    assert done(match).units[0].models == (0,)
    nobody = play(scene(squad(0, "regular", 10, 10)), TakeHits(unit=0, hits=2, may_be_hit=()))
    assert len(done(nobody).units[0].models) == 8


@pytest.mark.clause("SQ-ORG-17", "SQ-Q44", "SQ-SHO-05")
def test_only_those_who_are_seen_fall_and_their_owner_chooses() -> None:
    t = scene(squad(0, "conscript", 10, 10))
    match = play(t, TakeHits(unit=0, hits=2, may_be_hit=(0, 1, 2)))
    (decision,) = match.waiting
    assert isinstance(decision, WhoFalls)
    assert decision.side == 0
    options = decision.options(now(match))
    assert Fall((0, 2)) in options
    assert set(options) == {Fall((1, 2)), Fall((0, 2))}
    for wrong, code in ((Fall((0, 3)), "not-seen"), (Fall((1, 1)), "twice"), (Fall((0,)), "other-number")):
        refusal = options.refusal(wrong)
        assert refusal is not None
        assert refusal.code == code
        assert refusal.nearest in options
    assert all(options.sample(Seeded(n)) in options for n in range(20))
    words = [offer.words for offer in decision.offers(now(match))]
    places = ("2nd and 3rd", "1st and 3rd", "1st and 2nd")
    assert words == [f"2 with a rifle, {those} from the west" for those in places], "they are told apart"
    refused = options.refusal(Fall((0, 3)))
    assert refused is not None
    assert refused.message.startswith("1 with a rifle, 4th from the west, ")
    match.play(0, Fall((0, 2)))
    assert done(match).units[0].models == (1, 3, 4, 5, 6, 7)


@pytest.mark.clause("SQ-Q44", "SQ-SHO-05")
@pytest.mark.parametrize(("lost", "among", "ways"), [(2, 4, 6), (2, 14, 91), (3, 9, 84), (2, 15, 14)])
def test_several_may_be_chosen_in_every_way(lost: int, among: int, ways: int) -> None:
    t = scene(squad(0, "regular", 10, 10, among))
    offers = WhoFalls(side=0, unit=0, among=t.units[0].models, lost=lost).offers(t)
    assert len({offer.words for offer in offers}) == len({offer.action for offer in offers}) == len(offers) == ways


@pytest.mark.clause("SQ-Q44", "SQ-S13")
def test_a_sniper_chooses_and_looks_for_the_officer_first() -> None:
    t = scene(squad(0, "conscript", 10, 10, officer=True, weapons=("rifle", "light-machine-gun")))
    mine = play(t, TakeHits(unit=0, hits=1, may_be_hit=t.units[0].models))
    his = play(t, TakeHits(unit=0, hits=1, may_be_hit=t.units[0].models, chooser=1))
    assert [m.waiting[0].side for m in (mine, his)] == [0, 1]
    assert mine.waiting[0].options(now(mine)).first() == Fall((7,))
    assert his.waiting[0].options(now(his)).first() == Fall((0,))
    assert offered(his.waiting[0]).offers(now(his))[0].words == "The Officer with a rifle"


@pytest.mark.clause("SQ-S72")
def test_a_pilot_stays_where_the_last_who_had_him_stood() -> None:
    t = scene(squad(0, "regular", 10, 10, 3), pilot=Pilot(at=at(24, 24), unit=0))
    lose(t, 0, (0,))
    assert t.pilot == Pilot(at=at(10, 10), unit=0)
    lose(t, 0, (1, 2))
    destroy(t, 0, "is destroyed")
    assert t.pilot == Pilot(at=at(11, 10))


# --- the tests after an attack ----------------------------------------------------------------------------------------


def after(
    models: int, lost: int, *dice: Any, hit: bool = True, rules: Any = None, row: str = "regular", **f: Any
) -> Any:
    """Return a unit after an attack that took some of eight models."""
    flags = {k: f.pop(k) for k in ("flame", "flyer") if k in f}
    t = scene(squad(0, row, 10, 10, models, **{**FEW, **f}), squad(1, "regular", 40, 40), rules=rules)
    return play(t, AfterAttack(unit=0, lost=lost, hit=hit, **flags), *dice)


@pytest.mark.clause(
    "SQ-SHO-06", "SQ-SHO-07", "SQ-ORG-22", "SQ-ORG-23", "SQ-S20", "SQ-Q07", "SQ-W04", "SQ-W05", "SQ-W06"
)
def test_who_was_hit_is_checked_and_each_casualty_takes_1_off() -> None:
    assert not done(after(5, 3, 6)).units[0].pinned
    failed = after(5, 3, 5)
    assert done(failed).units[0].pinned
    tested = one(failed, MoraleChecked)
    assert tested.sentence(now(failed)) == "South 0 fails the pinning check: 5 -3, morale 3+"
    assert tested.reading(now(failed)).tallies[0].expected == "1/6"
    # If all hits are saved, the check has no modifier. Without a hit there is no check.
    assert not done(after(8, 0, 3)).units[0].pinned
    assert done(after(8, 0, 2)).units[0].pinned
    assert not done(after(8, 0, hit=False)).units[0].pinned


@pytest.mark.clause("SQ-WPN-02", "SQ-Q15", "SQ-W10")
def test_flames_are_checked_though_they_miss() -> None:
    assert done(after(7, 1, 4, flame=True)).units[0].pinned
    assert not done(after(7, 1, 5, flame=True)).units[0].pinned
    assert done(after(8, 0, 3, hit=False, flame=True)).units[0].pinned


@pytest.mark.clause("SQ-ORG-62", "SQ-W57")
def test_a_flyers_targets_check_at_1_less() -> None:
    assert done(after(7, 1, 4, flyer=True)).units[0].pinned
    assert not done(after(7, 1, 5, flyer=True)).units[0].pinned


@pytest.mark.clause("SQ-Q57", "SQ-W60")
@pytest.mark.house("morale_natural_six", "off", "on")
def test_a_1_fails_and_7_is_out_of_reach() -> None:
    assert done(after(9, 3, 6, row="conscript", starting=12)).units[0].pinned
    assert not done(after(9, 3, 6, row="conscript", starting=12, rules={"morale_natural_six": "on"})).units[0].pinned
    # An Elite unit beside its Officer needs 1, but a 1 always fails.
    assert done(after(8, 0, 1, row="elite", officer=True)).units[0].pinned
    assert not done(after(8, 0, 2, row="elite", officer=True)).units[0].pinned


@pytest.mark.clause("SQ-S21")
@pytest.mark.house("officer_bonus", "on", "off")
def test_an_officer_helps_with_pinning_checks_and_break_tests() -> None:
    assert not done(after(8, 0, 2, officer=True)).units[0].pinned
    assert done(after(8, 0, 2, officer=True, rules={"officer_bonus": "off"})).units[0].pinned
    # A Pinned Officer does not help.
    assert [t.passed for t in every(after(8, 0, 2, officer=True, pinned=True), MoraleChecked)] == [False]
    assert [t.passed for t in every(after(3, 1, 2, 3, officer=True), MoraleChecked)] == [True, True]


@pytest.mark.clause("SQ-ORG-27", "SQ-ORG-28", "SQ-ORG-29", "SQ-Q16", "SQ-Q53", "SQ-W43", "SQ-W44")
def test_a_unit_breaks_past_half_and_tests_at_each_loss() -> None:
    # The 4th loss of 8 is exactly half; the only die is the pinning check.
    assert done(after(4, 1, 4)).units[0].where == "table"
    # The 5th: the break test has no modifier for casualties.
    assert done(after(3, 1, 2)).units[0].where == "gone"
    stays = after(3, 1, 3, 4)
    assert [(t.what, t.passed) for t in every(stays, MoraleChecked)] == [("break test", True), ("pinning check", True)]
    assert done(after(2, 1, 3, 4)).units[0].where == "table"
    # No loss, no break test.
    assert [t.what for t in every(after(3, 0, 3), MoraleChecked)] == ["pinning check"]
    # The last model of a unit leaves without a test, also in a team of 2. A unit that began with a single model does
    # not.
    assert done(after(1, 1)).units[0].where == "gone"
    assert done(after(1, 1, starting=2)).units[0].where == "gone"
    assert done(after(1, 0, 3, starting=1)).units[0].where == "table"
    assert done(after(0, 1)).units[0].where == "gone"


@pytest.mark.clause("SQ-ORG-24", "SQ-Q09")
def test_a_pinned_unit_checks_again_and_is_pinned_once() -> None:
    match = after(8, 0, 1, pinned=True)
    assert done(match).units[0].pinned
    assert [(t.passed, t.motion(now(match)).tag) for t in every(match, MoraleChecked)] == [(False, "")]
    (passed,) = every(after(8, 0, 6, pinned=True), MoraleChecked)
    assert (passed.passed, passed.motion(now(match)).tag) == (True, "holds"), "who passes is shown to hold"


@pytest.mark.clause("SQ-TRT-05", "SQ-Q35", "SQ-TRT-16")
def test_the_fearless_never_break_and_are_pinned() -> None:
    match = after(2, 1, 1, traits=("fearless",))
    assert done(match).units[0].pinned
    assert [t.what for t in every(match, MoraleChecked)] == ["pinning check"]
    assert done(after(1, 1, 4, traits=("fearless",))).units[0].where == "table"
    assert done(after(8, 0, 2, traits=("resolute",))).units[0].pinned


@pytest.mark.clause("SQ-Q16")
@pytest.mark.house("break_at_half", "on", "off")
def test_losses_need_not_break_anybody() -> None:
    assert [t.what for t in every(after(2, 1, 4, rules={"break_at_half": "off"}), MoraleChecked)] == ["pinning check"]
    assert [t.what for t in every(after(2, 1, 3, 4), MoraleChecked)] == ["break test", "pinning check"]


@pytest.mark.clause("SQ-Q06")
@pytest.mark.house("leadership_die", "d6_over", "2d6_under")
def test_a_check_may_be_two_dice_that_must_not_go_over() -> None:
    rules = {"leadership_die": "2d6_under"}
    assert not done(after(7, 1, (4, 3), rules=rules)).units[0].pinned
    assert done(after(7, 1, (4, 4), rules=rules)).units[0].pinned
    assert not done(after(7, 1, 4)).units[0].pinned, "one die, which must reach the Morale"
    assert done(after(7, 1, 3)).units[0].pinned


# --- Pinned -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-38", "SQ-W48", "SQ-S20")
def test_who_is_pinned_loses_its_tokens() -> None:
    t = scene(squad(0, "regular", 10, 10), tokens={0: ("fire", "move")})
    pin(t, 0)
    assert (t.units[0].pinned, t.units[0].watching, t.tokens) == (True, 0, {})


@pytest.mark.clause("SQ-S56")
def test_a_pinned_flyer_leaves_the_table_with_all_aboard() -> None:
    t = scene(machine(0, "gunship", 10, 10, hovering=True), squad(0, "regular", 1, 1, 4, where="aboard", carrier=0))
    pin(t, 0)
    u = t.units[0]
    assert (u.where, u.pinned, u.hovering, t.models[0].at) == ("away", False, False, None)
    assert t.units[1].carrier == 0
    assert t.units[1].where == "aboard"


@pytest.mark.clause("SQ-ORG-27")
def test_who_is_out_of_play_is_named_by_nobody() -> None:
    t = scene(squad(0, "regular", 10, 10, locked=(1,)), squad(1, "regular", 12, 10, locked=(0,)), tokens={0: ("fire",)})
    destroy(t, 0, "breaks")
    u = t.units[0]
    assert (u.where, u.models, u.locked, u.watching) == ("gone", (), (), 0)
    assert t.units[1].locked == ()
    assert t.tokens == {}
    pin(t, 0)
    assert not t.units[0].pinned


@pytest.mark.clause("SQ-SHO-05", "SQ-ORG-17")
def test_any_set_of_the_offered_models_may_fall_also_beyond_the_list() -> None:
    t = scene(squad(0, "regular", 12, 10))
    decision = WhoFalls(side=0, unit=0, among=t.units[0].models, lost=5)
    offers = [offer.action.models for offer in decision.offers(t)]
    assert len(offers) < 60 < comb(12, 5)
    assert decision.picks == "models"
    assert {m for models in offers for m in models} == set(decision.among)
    assert {len(models) for models in offers} == {5}
    options = decision.options(t)
    assert not [m for m in combinations(decision.among, 5) if options.refusal(Fall(m)) is not None]
