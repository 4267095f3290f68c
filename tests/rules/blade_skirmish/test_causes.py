"""Causes: hits, flights, tests and second attacks lead back to exactly the right dice and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caltrop.engine import Procedure, Run, step
from caltrop.rules.blade_skirmish.combat import AttackEnemy, Combat
from caltrop.rules.blade_skirmish.conditions import Became, Recovered, Removed
from caltrop.rules.blade_skirmish.fatality import Fatal, LetBe, StrikeAgain
from caltrop.rules.blade_skirmish.flight import FleeFrom, Stopped
from caltrop.rules.blade_skirmish.injury import Injured
from caltrop.rules.blade_skirmish.movement import Flee, Movement
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.routes import Moved, Stay, Walk
from caltrop.rules.blade_skirmish.running import Running, TakeTest
from caltrop.rules.blade_skirmish.scene import done, put, run, scene
from caltrop.rules.blade_skirmish.turn import Take, Turn
from tests.rules.blade_skirmish.fights import fight
from tests.rules.causes import Chains


def played(t: Skirmish, procedure: Procedure, *dice: Sequence[int], answers: Sequence[Any]) -> Chains:
    """Return the causes of a procedure's events, with exactly these answers."""
    match = run(t, procedure, *dice)
    for answer in answers:
        match.play(match.waiting[0].side, answer)
    done(match)
    return Chains(match)


def test_a_hit_in_flight_leads_back_to_the_choice_to_flee_and_its_own_die() -> None:
    t = scene(put(0, 2, 12, 12), put(1, 1, 12, "13.5"), put(1, 1, 12, 9))
    away = FleeFrom(1, far=False)
    result = played(t, Movement(fighter=0), (4,), (6,), answers=(Flee(), away))
    for link in (result.last(Removed, fighter=0), result.last(Injured, victim=0)):
        assert result.decisions(link) == [Flee(), away]
        assert result.dice(link) == [(4,), (6,)]
    assert result.dice(result.last(Stopped, fighter=0)) == [(4,)]
    assert result.dice(result.last(Became, fighter=0)) == []


def test_the_end_of_a_flight_leads_back_to_the_test_and_not_to_the_drift_before_it() -> None:
    t = scene(put(0, 1, 12, 12, stunned=True, fleeing=True), put(1, 1, 12, 19))
    result = played(t, Running(fighter=0), (2,), (6,), (6,), answers=(TakeTest(),))
    assert result.dice(result.last(Moved, fighter=0)) == [(2,), (6,)]
    ended = result.last(Recovered, fighter=0, what="fleeing")
    assert result.decisions(ended) == [TakeTest()]
    assert result.dice(ended)[-1:] == [(6,)]


def test_what_a_fighter_does_leads_back_to_her_own_decisions_and_not_to_those_of_others() -> None:
    t = scene(put(0, 2, 4, 4), put(0, 2, 20, 4), put(1, 1, 12, 22))
    there, aside = Walk(((4 * 254, 6 * 254),)), Walk(((20 * 254, 6 * 254),))
    result = played(t, Turn(sides=(0,)), answers=(Take(1), aside, Stay(), there, Stay()))
    for fighter, own, other in ((0, there, aside), (1, aside, there)):
        decisions = result.decisions(result.last(Moved, fighter=fighter))
        assert own in decisions
        assert other not in decisions


def test_a_second_victim_leads_back_to_the_fatality_of_the_first_and_the_choice_to_strike_again() -> None:
    t = scene(put(0, 3, 12, 12), put(1, 1, 13, 12, stunned=True), put(1, 1, 12, 13, stunned=True))
    first = AttackEnemy(0, 1)
    chains = Chains(fight(t, 6, 1, 6, 5, 5, 1, 4, answers=(first, StrikeAgain(2))))
    removed = chains.last(Removed, fighter=2)
    assert StrikeAgain(2) in chains.decisions(removed)
    assert chains.dice(removed) == [(6,), (1,), (6,), (5,), (5,), (1,), (4,)]
    assert chains.dice(chains.last(Removed, fighter=1)) == [(6,), (1,), (6,), (5,)]
    assert "Removed" not in chains.events(chains.last(Fatal, victim=1))

    spared = Chains(fight(t, 6, 1, 6, 5, answers=(first, LetBe())))
    assert [link for link in spared.links if isinstance(link.what, Removed) and link.what.fighter == 2] == []


def test_a_slippery_floor_leads_back_to_the_blow_that_disembowelled_and_to_no_other() -> None:
    t = scene(
        put(0, 3, 12, 12),
        put(1, 1, 13, 12, stunned=True),
        put(0, 3, 12, 20),
        put(1, 1, 13, 20, stunned=True),
        put(1, 1, 12, 2),
    )
    result = played(t, Twice(), (6,), (1,), (6,), (2,), (6,), (2,), (5,), answers=(AttackEnemy(0, 1),))
    slip = result.last(Became, fighter=0, what="stunned")
    assert result.dice(slip) == [(6,), (1,), (6,), (2,)]
    assert result.events(slip)[-1] == "Fatal"
    assert result.decisions(slip) == [AttackEnemy(0, 1)]


class Twice(Procedure):
    """A combat, and the winner's next movement."""

    @step("BS-TRN-04")
    def fight(self, t: Skirmish) -> Run:
        return Run(Combat(side=0))

    @step("BS-TRN-02")
    def move(self, t: Skirmish) -> Run:
        """Her next phase."""
        return Run(Movement(fighter=0))
