"""The movement phase of a player's fighter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.asking import Wish, offered
from caltrop.engine import Match, Refused
from caltrop.geometry import Point
from caltrop.rules.blade_skirmish.catalogue import Length, inches
from caltrop.rules.blade_skirmish.charge import Charging
from caltrop.rules.blade_skirmish.flight import FleeFrom, HowToFlee
from caltrop.rules.blade_skirmish.movement import Flee, Move, Movement
from caltrop.rules.blade_skirmish.places import gap, in_contact
from caltrop.rules.blade_skirmish.records import Guts, Relic, Skirmish
from caltrop.rules.blade_skirmish.routes import Stay, Walk
from caltrop.rules.blade_skirmish.running import Running, RunOn, TakeTest
from caltrop.rules.blade_skirmish.scene import done, put, run, scene

ALONE = put(0, 2, 12, 12)


def at(x: Length, y: Length) -> Point:
    return inches(x), inches(y)


def start(t: Skirmish, *dice: Sequence[int]) -> Match:
    return run(t, Movement(fighter=0), *dice)


def after(match: Match) -> Skirmish:
    """Return the skirmish after a finished phase, ready for the next."""
    t = done(match).clone()
    t.stack = []
    return t


def asked(match: Match) -> list[str]:
    return [type(question).__name__ for question in match.waiting]


@pytest.mark.clause("BS-MOV-01", "BS-TRN-02")
def test_she_may_walk_or_stay_and_that_is_the_phase() -> None:
    t = scene(ALONE, put(1, 1, 20, 20))
    match = start(t)
    match.play(0, Walk((at(12, 14), at(13, 14))))
    assert done(match).fighters[0].at == at(13, 14)
    match = start(t)
    match.play(0, Stay())
    assert done(match).fighters[0].at == at(12, 12)


@pytest.mark.clause("BS-W14", "BS-MOV-01", "BS-MOV-02", "BS-CHG-06", "BS-RUN-08", "BS-RUN-09")
def test_example_14_a_full_move_and_a_run_up_to_the_zone() -> None:
    match = start(scene(put(0, 2, 5, 12), put(1, 1, "14.5", 12)))
    match.play(0, Walk((at(9, 12),)))
    t = after(match)
    assert gap(t, 0, 1) == inches("4.5")
    match = run(t, Charging(fighter=0))
    assert not match.waiting
    match = run(after(match), Running(fighter=0))
    with pytest.raises(Refused) as error:
        match.play(0, Walk((at(13, 12),)))
    assert error.value.refusal.clause == "BS-RUN-09"
    match.play(0, error.value.refusal.nearest)
    assert gap(after(match), 0, 1) == inches(2)


@pytest.mark.clause("BS-W15", "BS-CHG-02", "BS-CHG-03", "BS-RUN-08")
def test_example_15_a_move_into_charge_range_then_the_charge_and_no_run() -> None:
    match = start(scene(put(0, 2, 5, 12), put(1, 1, "13.9", 12)))
    match.play(0, Walk((at(9, 12),)))
    t = after(run(after(match), Charging(fighter=0)))
    assert in_contact(t, 0, 1)
    assert not run(t, Running(fighter=0, acted=True)).waiting


@pytest.mark.clause("BS-W16", "BS-MOV-03", "BS-CHG-02", "BS-Q06")
def test_example_16_who_begins_near_a_fit_enemy_stays_and_charges() -> None:
    match = start(scene(ALONE, put(1, 1, "14.5", 12)))
    (question,) = match.waiting
    assert list(question.options(match.view(0))) == [Stay(), Flee()]
    assert question.prompt(match.view(0)).startswith("Warband 0 is within 2 inches of Automata 1 and may not walk")
    match.play(0, Stay())
    assert in_contact(after(run(after(match), Charging(fighter=0))), 0, 1)


@pytest.mark.clause("BS-W17", "BS-MOV-02", "BS-CHG-02")
def test_example_17_near_a_stunned_enemy_she_may_walk_and_charges_if_still_near() -> None:
    t = scene(ALONE, put(1, 1, "14.5", 12, stunned=True))
    match = start(t)
    match.play(0, Walk((at(12, 16),)))
    assert in_contact(after(run(after(match), Charging(fighter=0))), 0, 1)
    match = start(t)
    match.play(0, Walk((at(8, 12),)))
    assert not in_contact(after(run(after(match), Charging(fighter=0))), 0, 1)


@pytest.mark.clause("BS-MOV-05", "BS-Q17")
@pytest.mark.parametrize("fields", [{"stunned": True}, {"stunned": True, "fleeing": True}])
def test_the_stunned_do_nothing_even_where_they_flee_too(fields: dict[str, bool]) -> None:
    t = scene(put(0, 2, 12, 12, **fields), put(1, 1, 15, 12))
    assert done(start(t)).fighters == t.fighters


@pytest.mark.clause("BS-MOV-06")
def test_the_fleeing_have_to_run() -> None:
    match = start(scene(put(0, 2, 12, 12, fleeing=True), put(1, 1, 12, 9)), (2,))
    assert asked(match) == ["HowToFlee"]
    match.play(0, FleeFrom(1, False))
    assert done(match).fighters[0].at == at(12, 14)


@pytest.mark.clause("BS-W18", "BS-MOV-04", "BS-MOV-06", "BS-MOV-07", "BS-Q16", "BS-RUN-05", "BS-RUN-07", "BS-Q03")
@pytest.mark.parametrize(("die", "passed"), [(5, True), (4, False)])
def test_example_18_who_chooses_to_flee_runs_at_once_and_tests_at_exactly_eight_inches(die: int, passed: bool) -> None:
    match = start(scene(ALONE, put(1, 1, 12, 11)))
    match.play(0, Flee())
    (question,) = match.waiting
    assert isinstance(question, HowToFlee)
    match.play(0, FleeFrom(1, True))
    t = after(match)
    assert t.fighters[0].at == at(12, 20)
    assert t.fighters[0].fleeing
    assert gap(t, 0, 1) == inches(8)
    match = run(t, Running(fighter=0), (die,))
    match.play(0, TakeTest())
    assert done(match).fighters[0].fleeing != passed


@pytest.mark.house("voluntary_flee_moves_now", "on", "off")
@pytest.mark.clause("BS-Q16", "BS-MOV-04")
@pytest.mark.parametrize(
    ("value", "when", "questions"), [("on", "at once", ["HowToFlee"]), ("off", "in her next turn", [])]
)
def test_by_house_rule_who_chooses_to_flee_runs_in_her_next_turn(value: str, when: str, questions: list[str]) -> None:
    match = start(scene(ALONE, put(1, 1, 12, 11), rules={"voluntary_flee_moves_now": value}))
    (question,) = match.waiting
    assert offered(question).offers(match.view(0))[1].words == f"Flee: run from the closest enemy {when}"
    match.play(0, Flee())
    assert asked(match) == questions
    state = match.state
    assert isinstance(state, Skirmish)
    assert (state.fighters[0].fleeing, state.fighters[0].at) == (True, at(12, 12))


@pytest.mark.clause("BS-S53", "BS-S52")
def test_a_move_may_come_by_a_relic_or_a_way_out() -> None:
    t = scene(ALONE, put(1, 1, 20, 20), relic=Relic(at=at(12, 15)), field={"goal": "relic"})
    match = start(t)
    match.play(0, Walk((at(12, "14.5"),)))
    assert done(match).relic == Relic(at=at(12, 15), carrier=0)
    match = start(scene(put(0, 2, 12, 21), put(1, 1, 20, 5), field={"goal": "leave"}))
    match.play(0, Walk((at(12, "23.5"),)))
    assert asked(match) == ["LeaveOrStay"]


@pytest.mark.clause("BS-Q24")
def test_who_takes_a_trophy_is_asked_nothing_but_runs_where_she_has_to() -> None:
    t = scene(put(0, 2, 12, 12, trophy=1), put(1, 1, 12, 6))
    assert done(start(t)).fighters == t.fighters
    t.change(0, fleeing=True)
    assert asked(start(t)) == ["HowToFlee"]


@pytest.mark.clause("BS-FAT-03", "BS-MOV-05")
@pytest.mark.parametrize(("y", "slips"), [("13.8", True), ("15.0", True), ("15.01", False)])
def test_who_starts_the_phase_on_a_slippery_floor_is_stunned_and_does_not_move(y: Length, slips: bool) -> None:
    match = start(scene(ALONE, guts=[Guts(at=at(12, y))]))
    assert asked(match) == ([] if slips else ["Move"])
    state = match.state
    assert isinstance(state, Skirmish)
    assert state.fighters[0].stunned == slips


def test_the_decision_is_shown_as_a_reach_and_two_plain_answers() -> None:
    t = scene(ALONE, put(1, 1, 20, 20))
    question: Any = Move(side=0, fighter=0)
    (region,) = question.regions(t)
    assert (region.form, region.unit, region.bands) == ("move", 0, ((inches(4), 0),))
    assert [(offer.action, offer.final) for offer in question.offers(t)] == [(Stay(), True), (Flee(), False)]
    assert question.prompt(t) == "Where does Warband 0 move?"
    assert question.touches(Stay()) == (0,)
    (region,) = RunOn(side=0, fighter=0).regions(t)
    assert region.words == "Run"


@pytest.mark.clause("BS-CHG-02", "BS-MOV-01")
@pytest.mark.parametrize(("y", "named"), [("8", False), ("11", True)])
def test_a_drag_says_which_enemies_she_would_have_to_charge_from_there(y: str, named: bool) -> None:
    t = scene(put(0, 2, 10, 7, name="Ada"), put(1, 1, 10, "15.5", name="Bo"))
    match = start(t)
    question = match.waiting[0]
    assert isinstance(question, Move)
    proposal = question.propose(match.view(0), Wish(unit=0, to=(inches(10), inches(y))))
    assert proposal.action is not None
    words = "From there she sees within 4 inches, and would have to charge: Bo"
    assert (proposal.notes == (words,)) is named


@pytest.mark.clause("BS-FAT-03", "BS-CHG-01", "BS-Q25")
@pytest.mark.parametrize(("y", "note"), [(14, "The floor there is slippery"), ("14.01", "From there she sees")])
def test_a_drag_says_that_the_floor_is_slippery_where_she_ends(y: Length, note: str) -> None:
    """On a slippery floor she is stunned at the beginning of her charging phase, and charges nobody."""
    t = scene(put(0, 2, 10, 7, name="Ada"), put(1, 1, 10, "15.5", name="Bo"), guts=[Guts(at=at(10, y))])
    match = start(t)
    (words,) = match.waiting[0].propose(match.view(0), Wish(unit=0, to=at(10, 11))).notes  # type: ignore[attr-defined]
    assert words.startswith(note)


@pytest.mark.clause("BS-CHG-02", "BS-MOV-01")
@pytest.mark.parametrize(
    ("y", "wall", "words"),
    [
        ("16", "", "Stay where she is"),
        ("12.5", "", "Stay where she is, then charge Bo"),
        ("12.5", "post", "Stay where she is, then close in on Bo"),
    ],
)
def test_staying_that_makes_her_charge_says_so(y: str, wall: str, words: str) -> None:
    t = scene(put(0, 2, 10, 9, name="Ada"), put(1, 1, 10, y, name="Bo"), *([put(0, 2, 10, "10.2")] if wall else []))
    question = Move(side=0, fighter=0)
    assert question.offers(t)[0].words == words
    assert (question.usual(t) is None) is (words != "Stay where she is")
