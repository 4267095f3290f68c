"""The order of a turn: the sequence of steps, and that nothing happens out of order."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match, Refused
from caltrop.rules.command_horizon import ruleset
from caltrop.rules.command_horizon.command import DoNotConcentrate
from caltrop.rules.command_horizon.disengage import Leave
from caltrop.rules.command_horizon.movement import EndStep, Move
from caltrop.rules.command_horizon.records import MarkOn, Objective
from caltrop.rules.command_horizon.scene import put, scene
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.setup import FirstTurn
from caltrop.rules.command_horizon.stuns import BuyOffStun, KeepMarkers
from caltrop.rules.command_horizon.targets import EndAllocation, Fire
from caltrop.rules.command_horizon.turn import Game, Turn

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


STEP_OF = {
    "ConcentrateOrNot": 1,
    "RemoveMarkers": 2,
    "LeaveCombat": 3,
    "StakePoints": 3,
    "ChooseWayOut": 3,
    "Orders": 4,
    "Marks": 4,
    "Targets": 4,
    "NameEnemy": 4,
    "Reactions": 6,
    "FightToTheDeath": 7,
}
"""The step of each decision, in the current edition."""


@pytest.mark.clause(
    *("CH-TURN-01", "CH-TURN-02", "CH-TURN-04", "CH-TURN-05", "CH-TURN-06", "CH-TURN-07", "CH-TURN-08", "CH-TURN-09"),
    *("CH-TURN-11", "CH-TURN-13", "CH-OW-01"),
)
def test_a_turn_goes_through_its_seven_steps_in_order() -> None:
    steps = [s for s, _ in _steps("current")]
    assert steps == ["CommandStep", "StunRemoval", "DisengageStep", "MovementStep", "TargetAllocation",
                     "ArtilleryStep", "CombatStep", "DamageAllocation", "GoOnOverwatch"]  # fmt: skip
    assert [n for _, n in _steps("current")] == [1, 2, 3, 4, 4, 5, 6, 7, 0]


@pytest.mark.clause("CH-TURN-03", "CH-TURN-10")
def test_the_earlier_edition_has_six_and_none_for_artillery() -> None:
    steps = _steps("v1.5")
    assert "ArtilleryStep" not in [s for s, _ in steps]
    assert [n for _, n in steps] == [1, 2, 3, 4, 4, 5, 6, 0]


def _steps(edition: str) -> list[tuple[str, int]]:
    """Return the procedures that a turn runs, each with the number of its step."""
    t = scene(put(0, "light-tank", (10, 10)), put(1, "light-tank", (90, 90)), edition=edition)
    frame, result = Turn(side=0), []
    at = frame.start
    while at != "-":
        step = frame.plan[at]
        effect = step.do(frame, t)
        procedure = getattr(effect, "procedure", None)
        if procedure is not None:
            result.append((type(procedure).__name__, t.step))
        at = step.next
    return result


@pytest.mark.clause(
    *("CH-TURN-05", "CH-TURN-06", "CH-TURN-07", "CH-TURN-08", "CH-TURN-12", "W66"),
)
def test_what_is_out_of_order_is_refused() -> None:
    t = scene(
        put(0, "medium-tank", (50, 50), stuns=1),
        put(0, "infantry", (10, 10), locked=(2,)),
        put(1, "infantry", (10, 12)),
        put(1, "light-tank", (50, 70)),
        cp=(9, 3),
    )
    match = run(t, Turn(side=0), *((n % 6 + 1,) for n in range(0)))
    move = Move(unit=0, paths=tuple((m, (d[:2], (d[0], d[1] - 300))) for m, d in _standing(t, 0)))
    tried: dict[str, list[Any]] = {"RemoveMarkers": [Leave(1), move, Fire(0, 3)], "LeaveCombat": [BuyOffStun(0), move],
             "Orders": [BuyOffStun(0), Leave(1), Fire(0, 3)], "Targets": [BuyOffStun(0), move]}  # fmt: skip
    end = {"RemoveMarkers": KeepMarkers(), "Orders": EndStep(), "Targets": EndAllocation()}
    seen = []
    while match.waiting and type(match.waiting[0]).__name__ in ("RemoveMarkers", "LeaveCombat", "Orders", "Targets"):
        name = type(match.waiting[0]).__name__
        seen.append(name)
        for action in tried[name]:
            with pytest.raises(Refused):
                match.play(0, action)
        if name == "LeaveCombat":
            match.play(0, list(match.waiting[0].options(match.state))[-1])
        elif name == "Targets" and match.state.orders:
            break
        else:
            match.play(0, Fire(0, 3) if name == "Targets" else end[name])
    assert seen == ["RemoveMarkers", "LeaveCombat", "Orders", "Targets", "Targets"]


def _standing(t: Any, unit: int) -> list[tuple[int, tuple[int, int, int]]]:
    return [(m, t.models[m].disc) for m in t.units[unit].models]


@pytest.mark.clause("CH-SETUP-01", "Q-VP-4")
def test_a_game_begins_with_the_roll_off() -> None:
    t = scene(put(0, "light-tank", deployed=False), put(1, "light-tank", deployed=False), round=0)
    match = run(t, Game(), (6, 1))
    assert isinstance(match.waiting[0], FirstTurn)


@pytest.mark.clause("CH-TURN-01", "CH-OBJ-03", "Q-OBJ-2")
def test_a_turn_begins_afresh() -> None:
    mill = Objective(name="Mill", x=5000, y=5000, r=200, holder=0, holding=((0,), ()))
    t = scene(
        put(0, "light-tank", (50, 53), moved=1000, move_over=True, spent=2),
        put(1, "light-tank", (90, 90), moved=1000),
        objectives=[mill],
    )
    after = run(t, Turn(side=0)).state
    assert [(u.moved, u.move_over, u.spent) for u in after.units] == [(0, False, 0), (1000, False, 0)]
    assert [a.turns for a in after.armies] == [2, 1]
    assert after.objectives[0].secured == 0


@pytest.mark.clause("CH-OBJ-01", "Q-VP-4")
def test_a_turn_ends_with_breaking_through_and_clean_slates() -> None:
    t = scene(put(0, "light-tank", (10, 115)), put(0, "light-tank", (10, 30)), put(1, "light-tank", (90, 50)),
              breakthrough=2, cp=(0, 0))  # fmt: skip
    t.marks.append(MarkOn(0, 2))
    match = run(t, Turn(side=0))
    while match.waiting:
        name = type(match.waiting[0]).__name__
        match.play(0, {"Orders": EndStep(), "Targets": EndAllocation()}.get(name) or DoNotConcentrate())
    after = match.state
    assert after.units[0].left
    assert after.armies[0].vp == 2
    assert after.marks == []


@pytest.mark.clause("CH-TURN-01", "CH-TURN-02", "CH-TURN-14")
@pytest.mark.parametrize("seed", [3, 4])
def test_decisions_come_in_the_order_of_the_steps(seed: int) -> None:
    match: Any = Match(ruleset, ruleset.setup(ruleset.book(), "first-battle"), Seeded(seed))
    dice, turn, last = Seeded(f"players {seed}"), None, 0
    while match.waiting:
        decision = match.waiting[0]
        now = (match.state.round, match.state.active)
        number = STEP_OF.get(type(decision).__name__, match.state.step)
        assert number == match.state.step, type(decision).__name__
        if now == turn:
            assert number >= last
        turn, last = now, number
        match.play(decision.side, decision.options(match.view(decision.side)).sample(dice))
    assert match.over is not None
