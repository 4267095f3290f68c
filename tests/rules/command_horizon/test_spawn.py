"""Bases that appear in play: Infestation, Carriers, and their places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from caltrop.asking import Wish
from caltrop.chance import Seeded
from caltrop.engine import Match, Refused
from caltrop.geometry import gap_up, gap_within, overlapping, touching
from caltrop.rules.command_horizon.damage import DamageBatch
from caltrop.rules.command_horizon.movement import Move, MovementStep, OrderOptions, Orders
from caltrop.rules.command_horizon.records import Battle, Wound
from caltrop.rules.command_horizon.rulebook import ruleset
from caltrop.rules.command_horizon.scene import Length, cm, done, put, run, scene, square
from caltrop.rules.command_horizon.spawn import Appear, PlaceAt, PlaceBase, Spawn, base_radius
from caltrop.table.measured import coherent

PUTREDINE = ("putredine", "alliance")


def now(match: Match) -> Battle:
    state = match.state
    assert isinstance(state, Battle)
    return state


def first_choices(match: Match) -> Battle:
    """Take the first option of every decision, to the end of the procedure or to the next order."""
    while match.waiting and not isinstance(match.waiting[0], Orders):
        decision = match.waiting[0]
        match.play(decision.side, decision.options(now(match)).first())
    return now(match)


def spawned(t: Battle) -> list[int]:
    """Return the numbers of bases of the units that have appeared."""
    return [len(u.models) for u in t.units if u.spawned]


def shift(t: Battle, unit: int, dx: Length, dy: Length = 0) -> Move:
    ends = {m: (t.models[m].x + cm(dx), t.models[m].y + cm(dy)) for m in t.units[unit].models}
    return Move(unit, tuple([(m, ((t.models[m].x, t.models[m].y), end)) for m, end in ends.items()]))


def code(t: Battle, action: Any) -> str:
    """Return the code of the refusal, empty if the action is legal. Assert that the nearest action is legal."""
    options = OrderOptions(t, 0)
    refusal = options.refusal(action)
    if refusal is None:
        return ""
    assert options.refusal(refusal.nearest) is None
    return refusal.code


# --- Infestation ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("W43", "CH-INFEST-01", "CH-INFEST-02", "CH-INFEST-03", "CH-INFEST-04", "Q-SPAWN-3")
def test_every_destroyed_vehicle_may_bring_bases() -> None:
    t = scene(put(0, "heavy-tank", (20, 20)), put(0, "slugger", (60, 60)), army=PUTREDINE, active=1)
    t.wounds.append(Wound(unit=0, kills=3))
    after = first_choices(run(t, DamageBatch(), (2,), (4,), (6,)))
    assert spawned(after) == [1, 2]


@pytest.mark.clause("CH-INFEST-01")
def test_infantry_and_other_armies_bring_nothing() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(1, "heavy-tank", (60, 60)), army=PUTREDINE)
    t.wounds.extend([Wound(unit=0, kills=2), Wound(unit=1, kills=1)])
    assert spawned(first_choices(run(t, DamageBatch()))) == []


@pytest.mark.clause("CH-INFEST-03", "Q-SPAWN-1")
def test_the_base_stands_where_the_model_stood() -> None:
    t = scene(put(0, "heavy-tank", (20, 20), models=1), put(0, "slugger", (60, 60)), army=PUTREDINE, active=1)
    t.wounds.append(Wound(unit=0, kills=1))
    after = done(run(t, DamageBatch(), (5,)))
    base = after.models[after.units[-1].models[0]]
    assert (base.x, base.y, base.r, base.kind) == (2000, 2000, 100, "infantry")
    unit = after.units[-1]
    assert (unit.side, unit.spawned, unit.deployed, unit.appeared, unit.starting) == (0, True, True, True, 1)


@pytest.mark.clause("Q-SPAWN-1", "CH-INFEST-04")
def test_two_bases_stand_together_and_touch_no_enemy() -> None:
    t = scene(
        put(0, "heavy-tank", (20, 20), models=1), put(1, "infantry", (20, 23), models=4), army=PUTREDINE, active=1
    )
    t.wounds.append(Wound(unit=0, kills=1))
    after = first_choices(run(t, DamageBatch(), (6,)))
    group = after.discs(len(after.units) - 1)
    assert len(group) == 2
    assert coherent(group)
    assert not any(touching(a, b) for a in group for b in after.discs(1))


@pytest.mark.clause("Q-SPAWN-1")
def test_the_owner_chooses_among_equals() -> None:
    t = scene(put(0, "heavy-tank", (20, 20), models=1), put(0, "slugger", (20, "21.5"), models=1), army=PUTREDINE)
    t.change(0, models=())
    match = run(t, Appear(side=0, count=2, why="test", spot=(2000, 1900)))
    choices = 0
    while match.waiting:
        decision = match.waiting[0]
        assert isinstance(decision, PlaceBase)
        choices += 1
        assert decision.side == 0
        assert len(decision.places) > 1
        with pytest.raises(Refused) as refused:
            match.play(0, PlaceAt(0, 0))
        assert refused.value.refusal.code == "not-there"
        assert refused.value.refusal.nearest in decision.options(now(match))
        action = decision.propose(now(match), Wish(unit=-1, to=decision.places[-1])).action
        assert action == PlaceAt(*decision.places[-1])
        match.play(0, action)
    assert choices
    assert spawned(now(match)) == [2]


@pytest.mark.clause("Q-SPAWN-1")
def test_without_room_nothing_appears() -> None:
    t = scene(put(0, "slugger", (1, 1), models=1), army=PUTREDINE, table=(220, 220))
    assert spawned(done(run(t, Appear(side=0, count=2, spot=(100, 100))))) == []


# --- when the new bases move
# ---------------------------------------------------------------------------------------------------


@pytest.mark.house("spawn.moveAtOnce", "no", "yes")
@pytest.mark.clause("Q-SPAWN-2", "CH-POD-06")
@pytest.mark.parametrize(("value", "pod", "waits"), [("no", False, True), ("yes", False, False), ("yes", True, True)])
def test_new_bases_wait_for_the_next_turn(value: str, pod: bool, waits: bool) -> None:
    t = scene(put(0, "slugger", (60, 60)), army=PUTREDINE, rules={"spawn.moveAtOnce": value})
    after = done(run(t, Appear(side=0, count=1, spot=(2000, 2000), pod=pod)))
    assert (code(after, shift(after, 1, 0, 5)) == "appeared") == waits


# --- at a distance ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("CH-PART-04", "Q-PART-3", "Q-SPAWN-3")
@pytest.mark.parametrize("seed", range(5))
def test_bases_land_a_centimetre_from_the_target(seed: int) -> None:
    t = scene(
        put(0, "artillery", (80, 80)), put(1, "medium-tank", (20, 20)), put(1, "infantry", (20, "23.5")), army=PUTREDINE
    )
    match = run(t, Appear(side=0, count=3, why="Seeding", target=1))
    dice = Seeded(seed)
    while match.waiting:
        match.play(0, match.waiting[0].options(now(match)).sample(dice))
    after = now(match)
    group = after.discs(3)
    assert len(group) == 3
    assert coherent(group)
    gaps = [min(gap_up(b, d) for d in after.discs(1)) for b in group]
    assert abs(gaps[0] - 100) <= 2
    assert min(gaps) >= 100
    assert not any(touching(b, d) for b in group for i in (1, 2) for d in after.discs(i))


@pytest.mark.clause("CH-PART-04", "Q-PART-3", "Q-SPAWN-1")
def test_a_base_lands_anywhere_a_centimetre_from_the_target_and_never_in_contact() -> None:
    alone = scene(put(0, "artillery", (80, 80)), put(1, "medium-tank", (20, 20), models=1), army=PUTREDINE)
    appear = Appear(side=0, count=1, why="Seeding", target=1)
    assert len(appear.places(alone)) == 64, "every direction is as good as any other"
    beside = scene(
        put(0, "artillery", (80, 80)), put(1, "medium-tank", (20, 20), models=1),
        put(1, "medium-tank", (20, "26.01"), models=1), army=PUTREDINE,
    )  # fmt: skip
    places = appear.places(beside)
    assert 0 < len(places) < 64
    assert not any(touching((*p, base_radius(beside)), d) for p in places for d in beside.discs(2))


@pytest.mark.clause("CH-POD-04", "CH-POD-05", "Q-POD-2")
@pytest.mark.parametrize("seed", range(5))
def test_pods_land_on_the_spot_and_behind_it(seed: int) -> None:
    t = scene(put(0, "artillery", (80, 80)), put(1, "medium-tank", (20, 40)), army=PUTREDINE)
    match = run(t, Appear(side=0, count=6, why="Pod", spot=(2000, 2000), pod=True))
    dice = Seeded(seed)
    while match.waiting:
        match.play(0, match.waiting[0].options(now(match)).sample(dice))
    group = now(match).discs(2)
    assert group[0][:2] == (2000, 2000)
    assert len(group) == 6
    assert coherent(group)
    near = [min(gap_up(b, d) for d in now(match).discs(1)) for b in group]
    assert min(near) == near[0]


# --- Carriers ---------------------------------------------------------------------------------------------------------


def carriers(models: int, *dice: Sequence[int], dy: Length = 5, **fields: Any) -> Match:
    """Return carriers that have moved and are about to spawn."""
    t = scene(put(0, "carrier", (20, 20), models=models, **fields), army=PUTREDINE)
    match = run(t, MovementStep(side=0), *dice)
    match.play(0, shift(t, 0, 0, dy))
    return match


@pytest.mark.clause("W39", "CH-CARRIER-02", "CH-CARRIER-05", "CH-CARRIER-06", "CH-CARRIER-07", "CH-CARRIER-08",
                    "Q-CARRIER-1", "Q-CARRIER-3", "Q-SPAWN-3")  # fmt: skip
@pytest.mark.parametrize(("roll", "bases"), [((4, 4, 6), 5), ((2, 2, 2), 1), ((6, 6), 5), ((5,), 1), ((1, 2, 3), 0)])
def test_carriers_spawn(roll: tuple[int, ...], bases: int) -> None:
    match = carriers(len(roll), roll)
    match.play(0, Spawn(0))
    after = first_choices(match)
    assert spawned(after) == ([bases] if bases else [])
    assert after.armies[0].cp == 10
    if bases:
        group = after.discs(1)
        assert coherent(group)
        assert any(touching(group[0], d) for d in after.discs(0))
        assert not any(overlapping(a, b) for i, a in enumerate(group) for b in [*group[:i], *after.discs(0)])


@pytest.mark.clause("W39", "CH-CARRIER-04")
def test_carriers_that_moved_less_than_5_cm_do_not_spawn() -> None:
    t = scene(put(0, "carrier", (20, 20)), put(0, "slugger", (60, 60)), army=PUTREDINE)
    assert code(t, Spawn(0)) == "too-little"
    match = run(t, MovementStep(side=0))
    match.play(0, shift(t, 0, 0, "4.9"))
    assert code(now(match), Spawn(0)) == "too-little"
    match = run(t, MovementStep(side=0))
    match.play(0, shift(t, 0, 0, 5))
    assert code(now(match), Spawn(0)) == ""
    assert [o.words for o in Orders(side=0).offers(now(match)) if o.group == "Spawn"] == ["Spawn with 3 dice"]


@pytest.mark.clause("CH-CARRIER-02")
def test_carriers_spawn_once_a_turn_and_others_never() -> None:
    t = scene(put(0, "carrier", (20, 20)), put(0, "slugger", (60, 60)), army=PUTREDINE)
    match = run(t, MovementStep(side=0), (1, 2, 3))
    match.play(0, shift(t, 0, 0, 5))
    match.play(0, Spawn(0))
    assert code(now(match), Spawn(0)) == "once-a-turn"
    assert code(now(match), Spawn(1)) == "not-a-carrier"
    assert code(now(match), Spawn(9)) == "not-a-carrier"


@pytest.mark.clause("CH-CARRIER-03", "Q-CARRIER-2")
def test_carriers_do_not_spawn_on_the_same_spot_again() -> None:
    for spot, expected in (((2000, 2600), "same-spot"), ((2000, 2601), "")):
        match = carriers(1, spawn_spots=(spot,))
        assert code(now(match), Spawn(0)) == expected
    match = carriers(2, (1, 2))
    match.play(0, Spawn(0))
    assert now(match).units[0].spawn_spots == ((2000, 2500), (2350, 2500))


@pytest.mark.clause("Q-SPAWN-1")
def test_a_carrier_without_room_beside_it_spawns_nearby() -> None:
    walls = [square("w", "impassable", 10, 10, "18.5", 40), square("e", "impassable", "21.5", 10, 30, 40),
             square("s", "impassable", "18.5", 10, "21.5", "23.5")]  # fmt: skip
    t = scene(
        put(0, "carrier", (20, 25), models=1), put(1, "medium-tank", (20, 28), models=1), terrain=walls, army=PUTREDINE
    )
    after = first_choices(run(t, Appear(side=0, count=1, carriers=t.units[0].models)))
    assert spawned(after) == [1]
    base = after.discs(2)[0]
    assert not any(gap_within(base, d, 2) for i in (0, 1) for d in after.discs(i))


@pytest.mark.parametrize("seed", range(6))
def test_random_putredine_steps_with_carriers(seed: int) -> None:
    t = scene(
        put(0, "carrier", (20, 20)),
        put(0, "carrier", (40, 20)),
        put(0, "infantry", (60, 20)),
        put(1, "light-tank", (30, 40)),
        army=PUTREDINE,
    )
    t.stack = [MovementStep(side=0)]
    dice = Seeded(seed)
    match = Match(ruleset, t, dice)
    for _ in range(100):
        if not match.waiting:
            break
        decision = match.waiting[0]
        match.play(decision.side, decision.options(now(match)).sample(dice))
    assert not match.waiting


@pytest.mark.clause("CH-PUTINF-06", "Q-SPAWN-1")
def test_units_that_are_made_during_play_have_names_of_their_own() -> None:
    t = scene(put(0, "infantry", (20, 20)), put(1, "light-tank", (60, 60)), army=("putredine", "alliance"))
    t.change(0, name="Spawned Infantry 1", spawned=False)
    assert t.units[t.add_unit(replace(t.units[0], models=()))].name == "Spawned Infantry 1 (2)"
    match = run(t, Appear(side=0, count=1, why="Infestation", spot=(3000, 3000)))
    while match.waiting:
        match.play(0, match.waiting[0].options(match.state).first())
    names = [u.name for u in done(match).units if u.side == 0]
    assert names[-1] == "Spawned Infantry 2"
    assert len(set(names)) == len(names)
