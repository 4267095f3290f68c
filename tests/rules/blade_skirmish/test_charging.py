"""Charging: duties, targets, distances, and the result if no straight charge makes contact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.asking import Wish, offered
from caltrop.chance import Seeded
from caltrop.engine import (
    Match,
    Procedure,
    Run,
    step,
)
from caltrop.geometry import Point, distance_sq, gap_within, touching
from caltrop.rules.blade_skirmish.catalogue import Length, inches
from caltrop.rules.blade_skirmish.charge import (
    Charge,
    Charged,
    Charging,
    CloseIn,
    EnemyToCharge,
    HeldBack,
    StayInContact,
    charges,
    in_charge_range,
    straight_charge,
)
from caltrop.rules.blade_skirmish.places import in_contact
from caltrop.rules.blade_skirmish.records import Guts, Skirmish
from caltrop.rules.blade_skirmish.routes import Walk
from caltrop.rules.blade_skirmish.scene import block, done, put, run, scene


class Acts(Procedure):
    """A charging phase that records its result."""

    fighter: int = 0
    acted: bool | None = None

    @step("BS-TRN-02")
    def charge(self, t: Skirmish) -> Run:
        return Run(Charging(fighter=self.fighter))

    @step("BS-TRN-02")
    def keep(self, t: Skirmish, acted: bool) -> None:
        t.gone.append(int(acted))


def at(x: Length, y: Length) -> Point:
    return inches(x), inches(y)


def start(t: Skirmish, *dice: Sequence[int]) -> Match:
    return run(t, Acts(), *dice)


def acted(match: Match) -> bool:
    """Return whether the finished phase counts as acting."""
    return bool(done(match).gone[-1])


def state(match: Match) -> Skirmish:
    assert isinstance(match.state, Skirmish)
    return match.state


ALONE = put(0, 2, 12, 12)


# --- who has to charge
# -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-CHG-02", "BS-CHG-06", "BS-Q03")
@pytest.mark.parametrize(("x", "near"), [(17, True), ("17.004", False)])
def test_an_enemy_in_sight_no_more_than_four_inches_away_has_to_be_charged(x: Length, near: bool) -> None:
    match = start(scene(ALONE, put(1, 1, x, 12)))
    assert acted(match) == near
    assert in_contact(state(match), 0, 1) == near


@pytest.mark.clause("BS-CHG-02")
@pytest.mark.parametrize("fields", [{"stunned": True}, {"fleeing": True}, {"trophy": 1}])
def test_any_enemy_has_to_be_charged_fit_or_not(fields: dict[str, Any]) -> None:
    match = start(scene(ALONE, put(1, 1, 15, 12, **fields)))
    assert acted(match)
    assert in_contact(state(match), 0, 1)


@pytest.mark.clause("BS-CHG-02", "BS-CHG-06")
def test_who_sees_no_enemy_does_nothing() -> None:
    t = scene(ALONE, put(1, 1, 15, 12), terrain=[block("wall", "13.4", 8, "13.6", 16)])
    match = start(t)
    assert not acted(match)
    assert state(match).fighters == t.fighters


@pytest.mark.clause("BS-CHG-01", "BS-Q24")
@pytest.mark.parametrize("fields", [{"stunned": True}, {"fleeing": True}, {"trophy": 1}])
def test_the_stunned_the_fleeing_and_takers_of_trophies_do_nothing(fields: dict[str, Any]) -> None:
    t = scene(put(0, 2, 12, 12, **fields), put(1, 1, 15, 12))
    match = start(t)
    assert not acted(match)
    assert state(match).fighters == t.fighters


@pytest.mark.clause("BS-FAT-03")
def test_who_starts_the_phase_on_a_slippery_floor_is_stunned_and_does_nothing() -> None:
    match = start(scene(ALONE, put(1, 1, 15, 12), guts=[Guts(at=at(12, "14.8"))]))
    assert not acted(match)
    assert state(match).fighters[0].stunned


# --- straight ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-CHG-03", "BS-Q03")
def test_she_goes_straight_along_the_line_of_centres_until_the_bases_touch() -> None:
    match = start(scene(ALONE, put(1, 1, 15, 16)))
    x, y = state(match).fighters[0].at or (0, 0)
    assert abs(x - inches("14.4")) <= 1
    assert abs(y - inches("15.2")) <= 1
    assert in_contact(state(match), 0, 1)


@pytest.mark.clause("BS-CHG-02", "BS-MOV-02")
def test_example_16_zones_do_not_bind_a_charge() -> None:
    t = scene(ALONE, put(1, 1, "14.5", 12), put(1, 1, "12.5", "15.4"))
    assert charges(t, 0) == (1, 2)
    match = start(t)
    match.play(0, Charge(1))
    assert in_contact(done(match), 0, 1)


@pytest.mark.clause("BS-CHG-04")
def test_she_need_not_charge_the_closest() -> None:
    t = scene(ALONE, put(1, 1, 14, 12), put(1, 1, 12, 16), put(1, 1, 12, "6.5"))
    match = start(t)
    (question,) = match.waiting
    assert isinstance(question, EnemyToCharge)
    assert list(question.options(t)) == [Charge(1), Charge(2)]
    words = [(offer.words, offer.target) for offer in question.offers(t)]
    assert words == [("Charge Automata 1, 1 inch away", 1), ("Charge Automata 2, 3 inches away", 2)]
    match.play(0, Charge(2))
    assert in_contact(done(match), 0, 2)


@pytest.mark.clause("BS-CHG-04", "BS-CHG-02", "BS-CHG-03", "BS-Q07")
def test_an_enemy_who_may_not_be_charged_is_refused_with_the_reason() -> None:
    t = scene(
        ALONE,
        put(1, 1, 14, 12),
        put(1, 1, 12, 15),
        put(1, 1, 12, "6.5"),
        put(1, 1, "9.5", 12),
        put(1, 1, "15.6", 12),
        put(0, 1, 20, 20),
        terrain=[block("wall", "10.4", 8, "10.6", 16)],
    )
    options = EnemyToCharge(side=0, fighter=0).options(t)
    assert list(options) == [Charge(1), Charge(2)]
    for target, code in ((3, "out-of-range"), (4, "out-of-sight"), (5, "not-straight")):
        refusal = options.refusal(Charge(target))
        assert refusal is not None
        assert (refusal.code, refusal.nearest) == (code, Charge(1))
    assert options.refusal(Charge(6)) is not None
    assert options.refusal(Charge(99)) is not None


@pytest.mark.clause("BS-Q07", "BS-CHG-03")
def test_who_is_in_contact_may_stay_or_charge_another() -> None:
    t = scene(ALONE, put(1, 1, 13, 12), put(1, 1, 12, 15), put(1, 1, 12, 11))
    match = start(t)
    (question,) = match.waiting
    assert list(question.options(t)) == [StayInContact(), Charge(2)]
    assert offered(question).offers(t)[0].words == "Stay in contact with Automata 1 and Automata 3"
    match.play(0, StayInContact())
    assert acted(match)
    assert state(match).fighters[0].at == at(12, 12)
    match = start(t)
    match.play(0, Charge(2))
    assert in_contact(state(match), 0, 2)


@pytest.mark.clause("BS-Q07", "BS-RUN-08")
def test_who_can_only_stay_in_contact_is_not_asked_and_has_acted() -> None:
    match = start(scene(ALONE, put(1, 1, 13, 12), put(1, 1, 11, 12)))
    assert acted(match)
    assert state(match).fighters[0].at == at(12, 12)


@pytest.mark.house("charge_may_leave_contact", "on", "off")
@pytest.mark.clause("BS-Q07")
def test_by_house_rule_contact_binds() -> None:
    usual, t = [
        scene(ALONE, put(1, 1, 13, 12), put(1, 1, 12, 15), rules={"charge_may_leave_contact": value})
        for value in ("on", "off")
    ]
    assert charges(usual, 0) == (1, 2)
    assert charges(t, 0) == (1,)
    refusal = EnemyToCharge(side=0, fighter=0).options(t).refusal(Charge(2))
    assert refusal is not None
    assert (refusal.code, refusal.nearest) == ("bound-by-contact", StayInContact())
    t.change(1, at=at(14, 12))
    assert charges(t, 0) == (1, 2)


@pytest.mark.clause("BS-CHG-03")
def test_a_charge_tells_its_target() -> None:
    match = start(scene(ALONE, put(1, 1, 15, 12), put(1, 1, 12, 15)))
    (event,) = [e for e in match.play(0, Charge(1)) if isinstance(e, Charged)]
    assert event.sentence(state(match)) == "Warband 0 charges Automata 1 over 2 inches"
    assert event.touches() == (0, 1)


@pytest.mark.clause("BS-S13")
def test_by_house_rule_a_charge_through_difficult_ground_may_be_too_long() -> None:
    wood = [block("wood", 13, 8, "14.2", 16, "rough")]
    for value, straight in (("off", True), ("on", False)):
        t = scene(ALONE, put(1, 1, 16, 12), terrain=wood, rules={"difficult_ground": value})
        assert (straight_charge(t, 0, 1) is not None) == straight
        assert in_charge_range(t, 0) == (1,)


# --- no straight charge makes contact ---------------------------------------------------------------------------------


PIT = block("pit", 13, 11, 14, 13, "pit")


def behind_a_pit() -> Skirmish:
    """Return an enemy in sight across a pit."""
    return scene(put(0, 2, "12.4", 12), put(1, 1, 15, 12), terrain=[PIT])


@pytest.mark.clause("BS-Q08", "BS-CHG-03")
def test_a_straight_charge_has_to_be_made_where_there_is_one() -> None:
    t = behind_a_pit()
    t.change(0, at=at("14.6", 15))
    match = start(t)
    assert acted(match)
    assert in_contact(state(match), 0, 1)


@pytest.mark.clause("BS-CHG-05", "BS-Q08", "BS-RUN-08")
def test_where_none_makes_contact_she_closes_in_by_any_way_and_has_acted() -> None:
    match = start(behind_a_pit())
    (question,) = match.waiting
    assert isinstance(question, CloseIn)
    (route, *_) = question.options(match.view(0))
    assert isinstance(route, Walk)
    match.play(0, route)
    assert acted(match)
    assert touching(state(match).disc(0), state(match).disc(1))


@pytest.mark.clause("BS-CHG-05", "BS-Q08")
def test_the_shortest_ways_of_closing_in_are_offered_in_words() -> None:
    t = behind_a_pit()
    question = CloseIn(side=0, fighter=0)
    offers = question.offers(t)
    assert 1 <= len(offers) <= 3
    assert offers[0].action == question.options(t).first()
    assert offers[0].words.startswith("Close in on Automata 1, ")
    assert (offers[0].unit, offers[0].target) == (0, 1)
    assert all(offer.action in question.options(t) for offer in offers)


@pytest.mark.clause("BS-CHG-05", "BS-Q08")
def test_where_the_ways_into_contact_lead_nearer_to_nobody_others_are_offered() -> None:
    """A chasm is in the way, and 4 inches of the path around it lead away from all enemies. Still, an answer is
    listed.
    """
    chasm = block("chasm", 13, 6, 14, 18, "pit")
    t = scene(put(0, 2, "12.4", 12), put(1, 1, 15, "12.5"), put(1, 1, 15, "10.5"), terrain=[chasm])
    question = CloseIn(side=0, fighter=0)
    assert not list(question.routes(t).approaches())
    offers = question.offers(t)
    assert [offer.target for offer in offers] == [1, 2]
    assert offers[0].words.startswith("Close in on Automata 1, ")
    for offer in offers:
        assert offer.target is not None
        assert offer.action in question.options(t)
        end, enemy = offer.action.path[-1], t.disc(offer.target)[:2]
        assert distance_sq(end, enemy) < distance_sq(at("12.4", 12), enemy)


@pytest.mark.clause("BS-CHG-05", "BS-Q08")
def test_closing_in_ends_nearer_to_some_enemy_after_four_inches_at_most() -> None:
    t = behind_a_pit()
    options = CloseIn(side=0, fighter=0).options(t)
    for path, clause in (
        ((at("12.4", "12.2"),), "BS-CHG-05"),
        ((at("11", "12"),), "BS-CHG-05"),
        ((at("12.4", "15"), at("14.4", "15")), "BS-Q08"),
        ((at("12.6", 12),), "BS-S20"),
    ):
        refusal = options.refusal(Walk(path))
        assert refusal is not None, path
        assert refusal.clause == clause
        assert refusal.nearest in options
    assert Walk((at("12.4", "13.6"), at("13.6", "13.6"))) in options
    # A move nearer to another enemy is allowed, however far away she is.
    t = scene(put(0, 2, "12.4", 12), put(1, 1, 15, 12), put(1, 1, 3, 12), terrain=[PIT])
    assert Walk((at("11", "12"),)) in CloseIn(side=0, fighter=0).options(t)


@pytest.mark.clause("BS-CHG-05", "BS-MOV-02")
def test_zones_do_not_bind_who_closes_in() -> None:
    t = behind_a_pit()
    assert Walk((at("12.4", "13.6"), at("14.4", "13.5"))) in CloseIn(side=0, fighter=0).options(t)
    assert gap_within((*at("14.4", "13.5"), t.field.radius), t.disc(1), inches(1))


@pytest.mark.clause("BS-Q08")
def test_who_is_shut_in_stays_and_has_acted() -> None:
    ring = [put(0, 1, 12, 13), put(0, 1, 12, 11), put(0, 1, 11, 12), put(0, 1, 13, 12)]
    t = scene(ALONE, put(1, 1, 15, 12), *ring)
    match = start(t)
    assert not match.waiting
    assert acted(match)
    assert state(match).fighters[0].at == at(12, 12)
    assert [type(e) for e in match.opening] == [HeldBack]


def test_the_ways_of_closing_in_that_are_listed_or_drawn_by_chance_are_legal() -> None:
    t = scene(
        put(0, 2, "12.4", 12),
        put(1, 1, 15, 12),
        put(0, 1, 13, 14),
        put(1, 1, 8, 14),
        terrain=[PIT, block("wall", 8, 8, "11.8", 13)],
    )
    question = CloseIn(side=0, fighter=0)
    options = question.options(t)
    listed = list(options)
    assert len(listed) > 5
    assert all(action in options for action in listed)
    dice = Seeded("closing")
    assert all(options.sample(dice) in options for _ in range(50))
    proposal = question.propose(t, Wish(unit=0, to=at("12.4", 13)))
    assert (proposal.action is None) == (proposal.refusal is not None)


def test_a_way_of_closing_in_is_dragged() -> None:
    t = behind_a_pit()
    question = CloseIn(side=0, fighter=0)
    proposal = question.propose(t, Wish(unit=0, to=at("14.4", "13.5")))
    assert proposal.action is not None
    end = proposal.action.path[-1]
    assert distance_sq(end, at("14.4", "13.5")) == 0
    back = question.propose(t, Wish(unit=0, to=at("11", "12")))
    assert back.refusal is not None
    assert back.refusal.clause == "BS-CHG-05"
