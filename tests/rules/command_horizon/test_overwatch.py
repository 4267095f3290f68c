"""Overwatch: the possible watchers, the moments of fire, and the costs."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.asking import Choices
from caltrop.engine import Refusal
from caltrop.rules.command_horizon import shooting
from caltrop.rules.command_horizon.movement import Move, MovementStep
from caltrop.rules.command_horizon.overwatch import (
    ChooseWatchers,
    FireFromOverwatch,
    FireOrWait,
    GoOnOverwatch,
    HoldOverwatch,
    OverwatchFire,
    Watch,
    WatchNoMore,
    first_trigger,
    may_shoot_now,
)
from caltrop.rules.command_horizon.reaction import why_no_reaction
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.scene import done, put, scene, square
from caltrop.rules.command_horizon.scene import run as started
from caltrop.table.measured import SharedWay

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def why_no_watch(t: Battle, side: int, unit: int) -> Refusal | None:
    return Watch(unit).why(Choices(t, side))


ON = {"overwatch": "on"}


def watched(*more: Any, models: int = 1, waiting: int = 1, **fields: Any) -> Battle:
    """Return a Light tank of side 0 on its way past a Medium unit of side 1 on overwatch, which reaches 30 cm."""
    return scene(
        put(0, "light-tank", (10, 10), models=models),
        put(1, "medium-tank", (60, 10), models=2, along="y", overwatch=waiting),
        *more,
        rules=ON,
        **fields,
    )


def path(t: Battle, dx: int) -> Any:
    """Return the first unit's path straight to the east."""
    return tuple((m, ((t.models[m].x, t.models[m].y), (t.models[m].x + dx, t.models[m].y))) for m in t.units[0].models)


def triggered(t: Battle, unit: int, paths: Any) -> tuple[int, int] | None:
    """Return the first possible watcher against a moving unit, and the distance until then."""
    return first_trigger(t, unit, SharedWay([p for _, p in paths]), [m for m, _ in paths])


# --- going on overwatch ----------------------------------------------------------------------------------------------


@pytest.mark.clause("CH-OW-01", "CH-OW-02")
def test_units_go_on_overwatch_for_1_cp_each_and_both_sides_know() -> None:
    t = scene(put(0, "light-tank", (10, 10)), put(0, "infantry", (10, 30)), rules=ON, cp=(2, 0))
    match = run(t, GoOnOverwatch(side=0))
    events = match.play(0, Watch(0))
    assert "1 unit in all" in events[-1].sentence(match.state)
    assert events[-1].seen_by(1) is events[-1]
    match.play(0, Watch(1))
    after = done(match)
    assert [u.overwatch for u in after.units] == [1, 1]
    assert after.armies[0].cp == 0
    alone = run(t, GoOnOverwatch(side=0))
    alone.play(0, WatchNoMore())
    assert done(alone).armies[0].cp == 2


@pytest.mark.house("overwatch", "off", "on")
@pytest.mark.clause("CH-OW-01")
@pytest.mark.parametrize(("value", "asked"), [("off", 0), ("on", 1)])
def test_it_is_a_house_rule(value: str, asked: int) -> None:
    t = scene(put(0, "light-tank", (10, 10)), rules={"overwatch": value})
    assert len(run(t, GoOnOverwatch(side=0)).waiting) == asked


@pytest.mark.clause("CH-OW-01", "CH-CONC-04", "CH-DISENGAGE-08")
def test_who_may_not() -> None:
    t = scene(
        put(0, "artillery", (10, 10)),
        put(0, "infantry", (10, 30), locked=(5,)),
        put(0, "light-tank", (10, 50), models=1, worms=(1,)),
        put(0, "command", (10, 70), concentrating=True),
        put(0, "infantry", (10, 90), disengaged=True),
        put(1, "infantry", (10, 32)),
        put(0, "light-tank", (10, 110), overwatch=1),
        rules=ON,
    )
    refused = [why_no_watch(t, 0, u) for u in range(7)]
    codes = [r.code if r else None for r in refused]
    assert codes == ["no-artillery", "locked", "disabled", "concentrated", "left-combat", "not-yours", "already"]
    assert not run(t, GoOnOverwatch(side=0)).waiting
    poor = scene(put(0, "light-tank", (10, 10)), rules=ON, cp=(0, 0))
    result = why_no_watch(poor, 0, 0)
    assert result is not None
    assert result.code == "no-cp"
    carrier = scene(put(0, "carrier", (10, 10)), rules=ON, army=("putredine", "asori"))
    assert why_no_watch(carrier, 0, 0) is not None
    assert Watch(0) not in ChooseWatchers(side=0).options(carrier)


@pytest.mark.clause("CH-OW-01", "CH-CONC-04", "CH-RF-09")
@pytest.mark.parametrize("more", [{}, {"stuns": 1}, {"moved": 500}, {"spent": 2}, {"marking": 1}, {"overwatch": 0}])
def test_who_concentrated_does_not_watch_whatever_else_it_did(more: dict[str, Any]) -> None:
    for army, drone in (("alliance", None), ("asori", "active"), ("asori", "destroyed")):
        t = scene(put(0, "command", (10, 10), drone=drone, **more), put(1, "light-tank", (90, 90)),
                  army=(army, "alliance"), rules=ON)  # fmt: skip
        assert why_no_watch(t, 0, 0) is None
        t.change(0, concentrating=True)
        result = why_no_watch(t, 0, 0)
        assert result is not None
        assert (result.code, result.clause) == ("concentrated", "CH-OW-01")
        assert Watch(0) not in ChooseWatchers(side=0).options(t)


# --- the first point of the path -----------------------------------------------------------------------------------


@pytest.mark.clause("CH-OW-03")
def test_it_fires_at_the_first_point_in_range() -> None:
    t = watched()
    assert triggered(t, 0, path(t, 1000)) is None, "40 cm away at the end, edge to edge 37"
    result = triggered(t, 0, path(t, 3000))
    assert result == (1, 1700), "30 cm is reached after 17"


@pytest.mark.clause("CH-OW-03")
def test_the_first_point_is_exact_to_the_tenth_of_a_millimetre() -> None:
    """The result equals that of a search at every tenth of a millimetre, through a gap of 2 mm between two walls."""
    west, east = square("west", "building", 0, 11.5, 19.9, 12.5), square("east", "building", 20.1, 11.5, 90, 12.5)
    t = scene(
        put(0, "light-tank", (10, 30), models=1),
        put(1, "medium-tank", (20, 2), models=1, overwatch=1),
        terrain=[west, east],
        rules=ON,
    )
    assert triggered(t, 0, path(t, 200)) is None
    result = triggered(t, 0, path(t, 2000))
    assert result is not None
    watcher, after = result
    twin = t.clone()
    seen = []
    for moment in range(2001):
        twin.change_model(0, x=1000 + moment)
        if may_shoot_now(twin, watcher, 0):
            seen.append(moment)
    assert after == seen[0]
    assert after % 50, "between two half centimetres"


@pytest.mark.interpreted
def test_what_is_in_the_way_is_looked_for_only_to_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search at many moments does not need the reason why a watcher does not see."""
    looked: list[int] = []

    def in_the_way(t: Battle, unit: int, target: int) -> str:
        looked.append(target)
        return ": a wall"

    monkeypatch.setattr(shooting, "_in_the_way", in_the_way)
    t = watched(terrain=[square("wall", "building", 45, 0, 48, 40)])
    t.change_model(0, x=3900)
    why_no_target = shooting.why_no_target(t, 1, 0)
    assert why_no_target is not None
    assert why_no_target.message.endswith(": a wall")
    assert looked == [0]
    assert not may_shoot_now(t, 1, 0)
    assert triggered(t, 0, path(t, 300)) is None
    assert looked == [0]


@pytest.mark.clause("CH-OW-03")
def test_a_unit_that_starts_in_range_triggers_when_it_moves() -> None:
    t = watched()
    t.change_model(0, x=4000)
    assert triggered(t, 0, path(t, 300)) == (1, 0)


@pytest.mark.clause("CH-OW-03")
def test_it_needs_sight_and_a_watcher_that_waits() -> None:
    wall = square("wall", "building", 30, 0, 35, 40)
    hidden = watched(terrain=[wall])
    assert triggered(hidden, 0, path(hidden, 1800)) is None
    fired = watched(waiting=2)
    assert triggered(fired, 0, path(fired, 3000)) is None
    none = watched(waiting=0)
    assert triggered(none, 0, path(none, 3000)) is None
    t = watched()
    t.change(0, let_pass=(1,))
    assert triggered(t, 0, path(t, 3000)) is None


# --- firing ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("CH-OW-03", "CH-OW-04", "CH-OW-05", "CH-OW-06", "CH-RF-02")
def test_half_the_dice_at_once_and_no_answer() -> None:
    t = watched(models=2, cp=(9, 0))
    t.change_model(t.units[0].models[1], x=1000, y=1350)
    match = run(t, MovementStep(side=0), (6, 2), (1,))
    match.play(0, Move(unit=0, paths=path(t, 3000)))
    decision = match.waiting[0]
    assert decision == FireOrWait(side=1, watcher=1, target=0)
    assert match.state.models[0].x == 1000 + 1700, "it is shot at where it was seen"
    match.play(1, FireFromOverwatch())
    if match.waiting and type(match.waiting[0]).__name__ == "Casualty":
        match.play(0, match.waiting[0].options(match.state).first())
    state = match.state
    assert len(state.units[0].models) == 1
    assert state.units[1].overwatch == 2
    left = state.units[0].models[0]
    assert state.models[left].x == 4000, "what survives finishes its move"
    assert not match.waiting, "and does not answer"
    refusal = why_no_reaction(state, 1, 0)
    assert refusal is not None
    assert refusal.clause == "CH-OW-06"


@pytest.mark.clause("CH-OW-05", "CH-OW-03")
def test_what_survives_one_watcher_meets_the_next() -> None:
    t = watched(put(1, "medium-tank", (70, 10), models=1, overwatch=1), cp=(9, 0))
    match = run(t, MovementStep(side=0), (1, 1), (1,))
    match.play(0, Move(unit=0, paths=path(t, 3000)))
    seen = []
    while match.waiting:
        seen.append((match.waiting[0].watcher, match.state.models[0].x))
        match.play(1, FireFromOverwatch())
    assert seen == [(1, 2700), (2, 3700)]
    assert done(match).models[0].x == 4000


@pytest.mark.clause("CH-OW-03")
def test_the_owner_may_wait_for_another() -> None:
    t = watched(cp=(9, 0))
    match = run(t, MovementStep(side=0))
    match.play(0, Move(unit=0, paths=path(t, 3000)))
    match.play(1, HoldOverwatch())
    assert match.state.models[0].x == 4000
    assert match.state.units[1].overwatch == 1, "it still waits"
    assert match.state.units[0].let_pass == (1,), "and is not asked about this unit again"


@pytest.mark.clause("CH-OW-05")
def test_a_unit_destroyed_on_the_way_stays_there() -> None:
    t = watched(cp=(9, 0))
    match = run(t, MovementStep(side=0), (6, 6), (1, 1))
    match.play(0, Move(unit=0, paths=path(t, 3000)))
    match.play(1, FireFromOverwatch())
    while match.waiting and type(match.waiting[0]).__name__ == "CombinePairs":
        match.play(1, match.waiting[0].options(match.state).first())
    assert not match.state.units[0].models


@pytest.mark.clause("CH-OW-06")
def test_a_unit_on_overwatch_cannot_react_until_its_next_turn() -> None:
    from caltrop.rules.command_horizon.records import fresh_turn

    t = scene(put(0, "medium-tank", (40, 10), models=1), put(1, "medium-tank", (60, 10), overwatch=1), rules=ON)
    refusal = why_no_reaction(t, 1, 0)
    assert refusal is not None
    assert refusal.clause == "CH-OW-06"
    t.units[1] = fresh_turn(t.units[1])
    assert why_no_reaction(t, 1, 0) is None


def test_the_question_names_both_units() -> None:
    t = watched()
    match = run(t, OverwatchFire(watcher=1, target=0))
    decision = match.waiting[0]
    assert decision.prompt(match.state) == "Light Tanks come into view of Medium Tanks: fire?"
    assert [o.target for o in decision.offers(match.state)] == [0, None]
