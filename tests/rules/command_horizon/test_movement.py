"""Movement: prices, reach, terrain, obstacles, coherency, and the listed options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.asking import Wish
from caltrop.chance import Seeded
from caltrop.engine import (
    Match,
    Refusal,
    Refused,
    total,
)
from caltrop.geometry import Point, overlapping, path_length
from caltrop.rules.command_horizon.charge import LetThemCome
from caltrop.rules.command_horizon.infantry import Detach, FormUp
from caltrop.rules.command_horizon.movement import EndStep, Move, Moved, MovementStep, OrderOptions, Orders
from caltrop.rules.command_horizon.overwatch import FireFromOverwatch, FireOrWait, HoldOverwatch
from caltrop.rules.command_horizon.reach import bands, ladder, pays_terrain, price_of_move, price_of_shot, terrain_price
from caltrop.rules.command_horizon.records import Battle, Objective
from caltrop.rules.command_horizon.routes import Routes
from caltrop.rules.command_horizon.rulebook import ruleset
from caltrop.rules.command_horizon.scene import Length, cm, done, put, run, scene, square
from caltrop.table.measured import coherent

PUTREDINE = ("putredine", "alliance")


def now(match: Match) -> Battle:
    state = match.state
    assert isinstance(state, Battle)
    return state


def shift(t: Battle, unit: int, dx: Length, dy: Length = 0) -> Move:
    """Return a move of the whole unit in a straight line, in centimetres."""
    u = t.units[unit]
    ends = [(t.models[m].x + cm(dx), t.models[m].y + cm(dy)) for m in u.models]
    return Move(
        unit, tuple([(m, ((t.models[m].x, t.models[m].y), end)) for m, end in zip(u.models, ends, strict=True)])
    )


def refusal(t: Battle, action: Any, side: int = 0) -> Refusal | None:
    """Return why an action is illegal; then its nearest action is legal."""
    options = OrderOptions(t, side)
    refusal = options.refusal(action)
    if refusal is not None:
        assert options.refusal(refusal.nearest) is None
    return refusal


def code(t: Battle, action: Any, side: int = 0) -> str:
    """Return the code of the refusal, empty if the action is legal."""
    result = refusal(t, action, side)
    return result.code if result else ""


def start(t: Battle, *dice: Sequence[int]) -> Match:
    """Return the movement step of the active side."""
    return run(t, MovementStep(side=t.active), *dice)


def play(t: Battle, *actions: Any) -> Battle:
    """Return the battle after some orders."""
    match = start(t)
    for action in actions:
        match.play(match.waiting[0].side, action)
    state = now(match).clone()
    state.stack, state.asked = [], ()
    return state


def cost(t: Battle, unit: int, length: Length, pieces: int = 0) -> int:
    return total(price_of_move(t, unit, cm(length), pieces=pieces))


# --- prices ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause(
    "CH-COST-03",
    "CH-COST-04",
    "CH-COST-05",
    "CH-COST-06",
    "CH-MOVE-01",
    "CH-MOVE-02",
    "Q-MOVE-1",
    "Q-MOVE-3",
    "Q-MOVE-7",
)
@pytest.mark.parametrize("kind", ["medium-tank", "heavy-tank", "artillery", "command"])
def test_all_vehicles_but_light_ones_pay_1_3_and_6(kind: str) -> None:
    t = scene(put(0, kind))
    assert [cost(t, 0, cm_) for cm_ in ("0.1", 5, 10, "10.1", 15, 20, "20.1", 30)] == [1, 1, 1, 3, 3, 3, 6, 6]


@pytest.mark.clause("W09", "CH-COST-02", "CH-COST-07", "CH-COST-08", "Q-MOVE-4", "Q-MOVE-5", "Q-MOVE-6")
@pytest.mark.parametrize(("edition", "expected"), [("current", [0, 1, 2, 5, 1]), ("v1.5", [0, 0, 2, 5, 1])])
def test_light_tanks(edition: str, expected: list[int]) -> None:
    got = []
    for length, fire in ((10, False), (10, True), (20, True), (30, True), (0, True)):
        t = scene(put(0, "light-tank", (20, 20)), edition=edition)
        if length:
            t = play(t, shift(t, 0, 0, length))
        got.append(t.units[0].paid + (total(price_of_shot(t, 0)) if fire else 0))
        assert 10 - t.armies[0].cp == t.units[0].paid
    assert got == expected


@pytest.mark.clause("CH-COST-01", "CH-COST-02", "CH-MOVE-03", "Q-MOVE-10")
def test_the_price_of_a_move_covers_the_shot() -> None:
    t = scene(put(0, "medium-tank", (20, 20)))
    assert total(price_of_shot(t, 0)) == 1
    t = play(t, shift(t, 0, 5))
    assert total(price_of_shot(t, 0)) == 0
    assert t.units[0].may_fire


@pytest.mark.house("move.freeFirst", "waive", "shift")
@pytest.mark.clause("Q-MOVE-4")
def test_the_scale_of_light_tanks_may_be_shifted() -> None:
    t = scene(put(0, "light-tank"), rules={"move.freeFirst": "waive"})
    assert [cost(t, 0, length) for length in (10, 20, 30)] == [0, 2, 5]
    t = scene(put(0, "light-tank"), rules={"move.freeFirst": "shift"})
    assert [cost(t, 0, length) for length in (10, 20, 30)] == [0, 1, 3]
    t = scene(put(0, "heavy-tank"), army=PUTREDINE, rules={"move.freeFirst": "shift"})
    assert [cost(t, 0, length) for length in (10, 20, 30)] == [0, 1, 3]


@pytest.mark.house("light.fireNeeds", "fire-or-move", "any")
@pytest.mark.clause("Q-MOVE-5", "CH-COST-08")
def test_any_cp_may_let_a_light_tank_fire_where_the_house_says_so() -> None:
    for value, price in (("fire-or-move", 1), ("any", 0)):
        t = scene(put(0, "light-tank", (20, 20), spent=1), rules={"light.fireNeeds": value})
        t = play(t, shift(t, 0, 5))
        assert total(price_of_shot(t, 0)) == price
    t = scene(put(0, "light-tank", (20, 20), spent=1), rules={"light.fireNeeds": "any"})
    assert total(price_of_shot(t, 0)) == 1
    t = scene(put(0, "light-tank", (20, 20)), rules={"light.fireNeeds": "any"})
    assert total(price_of_shot(play(t, shift(t, 0, 5)), 0)) == 1


@pytest.mark.house("v15.lightFreeFire", "yes", "no")
@pytest.mark.clause("Q-MOVE-6")
def test_the_free_move_may_cover_no_shot_in_v15() -> None:
    for value, price in (("yes", 0), ("no", 1)):
        t = scene(put(0, "light-tank", (20, 20)), edition="v1.5", rules={"v15.lightFreeFire": value})
        assert total(price_of_shot(play(t, shift(t, 0, 5)), 0)) == price
        assert total(price_of_shot(play(t, shift(t, 0, 15)), 0)) == 0


@pytest.mark.house("move.cap", 30, "none")
@pytest.mark.clause("Q-MOVE-2")
def test_the_list_of_distances_may_go_on() -> None:
    t = scene(put(0, "medium-tank", (20, 20)), cp=(10, 0))
    assert code(t, shift(t, 0, 0, 40)) == "too-far"
    t = scene(put(0, "medium-tank", (20, 20)), cp=(10, 0), rules={"move.cap": "none"})
    assert code(t, shift(t, 0, 0, 40)) == ""
    assert [cost(t, 0, length) for length in (30, 40, 50)] == [6, 10, 15]
    assert code(t, shift(t, 0, 0, "40.1")) == "not-enough-cp"


@pytest.mark.clause("W50", "CH-INFMOVE-01", "CH-INFMOVE-02", "CH-INFMOVE-03", "CH-INFMOVE-04", "CH-ASORI-16",
                    "CH-ASORI-17", "CH-PUTINF-01", "CH-PUTINF-02", "CH-PUTINF-03")  # fmt: skip
def test_infantry() -> None:
    t = scene(put(0, "infantry", (20, 20)))
    assert (cost(t, 0, 10), total(price_of_shot(t, 0))) == (0, 0)
    assert total(price_of_shot(play(t, shift(t, 0, 10)), 0)) == 1
    assert code(t, shift(t, 0, "10.1")) == "infantry-too-far"
    t = scene(put(0, "infantry", (20, 20)), army=("asori", "alliance"))
    assert (cost(t, 0, 10), cost(t, 0, 20)) == (0, 1)
    assert play(t, shift(t, 0, 10)).units[0].may_fire
    assert not play(t, shift(t, 0, "10.1")).units[0].may_fire
    assert code(t, shift(t, 0, "20.1")) == "asori-too-far"
    t = scene(put(0, "infantry", (20, 20)), army=PUTREDINE)
    assert (cost(t, 0, 10), cost(t, 0, 15)) == (0, 1)
    assert code(t, shift(t, 0, 0, 16)) == "putredine-too-far"


@pytest.mark.clause("W81", "CH-PUT-05", "CH-PUT-06", "CH-PUT-08", "CH-MOVE-02", "Q-PUT-2")
def test_putredine_vehicles() -> None:
    woods = [square("w", "woods", 15, 15, 70, 70)]
    got = []
    for length, fire in ((10, False), (0, True), (10, True), (20, True), (30, True)):
        t = scene(put(0, "heavy-tank", (20, 20)), army=PUTREDINE, terrain=woods)
        if length:
            t = play(t, shift(t, 0, 0, length))
        got.append(10 - t.armies[0].cp + (total(price_of_shot(t, 0)) if fire else 0))
    assert got == [0, 0, 1, 2, 5]


@pytest.mark.clause("W68", "CH-CP-10", "CH-MOVE-03")
@pytest.mark.parametrize("kind", ["heavy-tank", "medium-tank", "artillery"])
def test_the_whole_pool_may_go_on_one_unit(kind: str) -> None:
    t = scene(put(0, kind, (20, 20)), put(0, "medium-tank", (20, 90)), cp=(6, 0))
    t = play(t, shift(t, 0, 0, 30))
    assert t.armies[0].cp == 0
    assert t.units[0].may_fire
    assert total(price_of_shot(t, 0)) == 0


@pytest.mark.clause("CH-MOVE-05", "Q-MOVE-11", "Q-MOVE-8")
def test_the_longest_path_sets_the_price() -> None:
    t = scene(put(0, "medium-tank", (20, 20), models=2))
    a, b = t.units[0].models
    bent = Move(0, ((a, ((2000, 2000), (2000, 2600), (2300, 2600))), (b, ((2350, 2000), (2650, 2600)))))
    after = play(t, bent)
    assert after.units[0].moved == 900
    assert after.armies[0].cp == 9
    longer = Move(0, ((a, ((2000, 2000), (2000, 2800), (2300, 2800))), bent.paths[1]))
    assert play(t, longer).armies[0].cp == 7


# --- terrain --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("W10", "CH-COST-10", "CH-TERRAIN-05", "CH-TERRAIN-07", "CH-TERRAIN-08", "CH-TERRAIN-09",
                    "CH-PUT-08", "Q-TERRAIN-1", "Q-TERRAIN-2")  # fmt: skip
def test_the_price_of_woods() -> None:
    woods = [square("w", "woods", 15, 30, 60, 60)]
    for army, kind, length, price in (
        ("alliance", "medium-tank", 20, 4),
        ("alliance", "light-tank", 20, 2),
        ("putredine", "medium-tank", 20, 2),
        ("alliance", "infantry", 10, 0),
        ("alliance", "artillery", 10, 2),
    ):
        t = scene(put(0, kind, (20, 21)), army=(army, "asori"), terrain=woods)
        assert 10 - play(t, shift(t, 0, 0, length)).armies[0].cp == price, kind


@pytest.mark.clause("CH-TERRAIN-06", "Q-TERRAIN-2")
def test_artillery_and_command_pay_for_terrain_in_v15() -> None:
    t = scene(put(0, "artillery"), put(0, "command", (10, 40)), put(0, "light-tank", (10, 60)), edition="v1.5")
    assert [terrain_price(t, unit, 1)[0].clause for unit in (0, 1)] == ["CH-TERRAIN-06", "CH-TERRAIN-06"]
    assert not pays_terrain(t, 2)


@pytest.mark.house("terrain.charge", "turn", "piece")
@pytest.mark.clause("Q-TERRAIN-1", "CH-TERRAIN-05")
def test_terrain_is_charged_once_or_by_the_piece() -> None:
    pieces = [
        square("a", "woods", 15, 25, 40, 28),
        square("b", "rough", 15, 30, 40, 33),
        square("h", "hill", 15, 35, 40, 36),
    ]
    for value, price in (("turn", 4), ("piece", 5)):
        t = scene(put(0, "medium-tank", (20, 20)), terrain=pieces, rules={"terrain.charge": value})
        assert 10 - play(t, shift(t, 0, 0, 20)).armies[0].cp == price


@pytest.mark.clause("Q-TERRAIN-1")
def test_a_move_that_begins_in_rough_terrain_is_charged() -> None:
    t = scene(put(0, "medium-tank", (20, 20), models=1), terrain=[square("a", "woods", 10, 10, 22, 22)])
    assert play(t, shift(t, 0, 0, 8)).armies[0].cp == 8
    t = scene(put(0, "medium-tank", (20, 20), models=1), terrain=[square("a", "woods", 10, 10, 22, "18.5")])
    assert play(t, shift(t, 0, 0, 8)).armies[0].cp == 9


@pytest.mark.clause("Q-TERRAIN-3", "CH-PUT-07", "CH-PUT-09")
@pytest.mark.parametrize("kind", ["impassable", "building"])
def test_what_is_impassable_stops_everybody_but_putredine(kind: str) -> None:
    wall = [square("wall", kind, 10, 25, 40, 30)]
    t = scene(put(0, "medium-tank", (20, 20)), terrain=wall)
    result = refusal(t, shift(t, 0, 0, 20))
    assert result is not None
    assert (result.code, result.clause, result.values["what"], result.values["after"]) == (
        "impassable", "Q-TERRAIN-3", "wall", 350
    )  # fmt: skip
    t = scene(put(0, "medium-tank", (20, 20)), army=PUTREDINE, terrain=wall)
    assert code(t, shift(t, 0, 0, 20)) == ""
    assert code(t, shift(t, 0, 0, 8)) == "impassable"


# --- stuns ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("W85", "CH-MOVE-06", "CH-STUN-06", "CH-STUN-08", "Q-STUN-4")
@pytest.mark.parametrize("edition", ["current", "v1.5"])
def test_a_stunned_unit_moves_10_cm(edition: str) -> None:
    t = scene(put(0, "medium-tank", (20, 20), stuns=1), edition=edition)
    assert code(t, shift(t, 0, 0, 10)) == ""
    result = refusal(t, shift(t, 0, 0, 20))
    assert result is not None
    assert result.clause == ("CH-STUN-08" if edition == "v1.5" else "CH-MOVE-06")
    assert path_length(result.nearest.paths[0][1]) == 1000
    t = scene(put(0, "infantry", (20, 20), stuns=1), army=("asori", "alliance"), edition=edition)
    assert code(t, shift(t, 0, 0, 20)).startswith("stunned-too-far")
    assert code(t, shift(t, 0, 0, 10)) == ""
    # Without markers, Alliance infantry moves no farther either, so markers are not the reason.
    t = scene(put(0, "infantry", (20, 20), stuns=1), edition=edition)
    assert code(t, shift(t, 0, 0, 20)) == "infantry-too-far"


@pytest.mark.house("putredine.freed", "any")
@pytest.mark.clause("CH-PUTSTUN-06", "Q-PUTINF-6", "CH-STUN-06")
def test_the_markers_that_are_left_keep_freed_infantry_within_10_cm() -> None:
    units = put(0, "infantry", (20, 20), stuns=1)
    t = scene(units, army=("putredine", "alliance"), rules={"putredine.freed": "any"})
    assert code(t, shift(t, 0, 0, 10)) == ""
    assert code(t, shift(t, 0, 0, 15)) == "stunned-too-far"


@pytest.mark.house("v15.stunMove", "basic", "none")
@pytest.mark.clause("Q-STUN-4")
def test_a_stunned_unit_may_have_no_paid_move_at_all() -> None:
    def stunned(value: str) -> Battle:
        return scene(
            put(0, "medium-tank", (20, 20), stuns=1),
            put(0, "light-tank", (20, 40), stuns=1),
            edition="v1.5",
            rules={"v15.stunMove": value},
        )

    t = stunned("basic")
    assert code(t, shift(t, 0, 0, 5)) == ""
    t = stunned("none")
    assert code(t, shift(t, 0, 0, 5)) == "no-paid-move"
    assert code(t, shift(t, 1, 0, 10)) == ""
    assert code(t, shift(t, 1, 0, 11)) == "stunned-too-far-v15"


@pytest.mark.clause("CH-PUTSTUN-01", "CH-PUTSTUN-02", "CH-PUTSTUN-06")
def test_stunned_putredine_infantry_does_not_move() -> None:
    t = scene(put(0, "infantry", (20, 20), stuns=1), put(0, "heavy-tank", (20, 40), stuns=1), army=PUTREDINE)
    assert code(t, shift(t, 0, 0, 1)) == "stunned-putredine"
    assert code(t, shift(t, 1, 0, 10)) == ""
    assert code(scene(put(0, "infantry", (20, 20)), army=PUTREDINE), shift(t, 0, 0, 1)) == ""


# --- obstacles -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("W70", "CH-BLOCK-02", "CH-PUT-10", "CH-PUT-11")
@pytest.mark.parametrize("edition", ["current", "v1.5"])
@pytest.mark.parametrize("side", [0, 1])
def test_units_do_not_move_through_units(side: int, edition: str) -> None:
    t = scene(put(0, "medium-tank", (20, 20)), put(side, "heavy-tank", (20, 30)), edition=edition)
    result = refusal(t, shift(t, 0, 0, 20))
    assert result is not None
    assert (result.code, result.clause, result.values["model"]) == ("in-the-way", "CH-BLOCK-02", 1)
    assert result.values["after"] == 700
    assert "Heavy Tanks" in result.message
    assert "7 cm" in result.message


@pytest.mark.clause("W70", "CH-PUT-07", "CH-PUT-10", "CH-PUT-11")
def test_putredine_pass_over_units_and_end_beside_them() -> None:
    t = scene(put(0, "medium-tank", (20, 20)), put(1, "heavy-tank", (20, 30)), army=PUTREDINE)
    assert code(t, shift(t, 0, 0, 20)) == ""
    assert code(t, shift(t, 0, 0, 10)) == "in-the-way"


@pytest.mark.clause("Q-MOVE-11")
def test_a_unit_passes_its_own_models() -> None:
    t = scene(put(0, "medium-tank", (20, 20), models=2, gap=1))
    a, b = t.units[0].models
    here, there = (2000, 2000), (2400, 2000)
    assert code(t, Move(0, ((a, (here, there)), (b, (there, here))))) == ""
    assert code(t, Move(0, ((a, (here, there)),))) == "overlap"


@pytest.mark.clause("Q-MOVE-11")
def test_nobody_leaves_the_table() -> None:
    t = scene(put(0, "medium-tank", (20, 4)))
    result = refusal(t, shift(t, 0, 0, -5))
    assert result is not None
    assert (result.code, result.values["after"]) == ("off-table", 250)
    assert result.nearest.paths[0][1][-1] == (2000, 150)


@pytest.mark.clause("Q-MOVE-12", "CH-CHARGE-01")
def test_a_move_does_not_end_in_contact_with_an_enemy() -> None:
    t = scene(put(0, "medium-tank", (20, 20), models=1), put(1, "heavy-tank", (20, 30), models=1))
    assert code(t, shift(t, 0, 0, "6.98")) == "ends-in-contact"
    assert code(t, shift(t, 0, 0, "6.97")) == ""
    friend = scene(put(0, "medium-tank", (20, 20), models=1), put(0, "heavy-tank", (20, 30), models=1))
    assert code(friend, shift(friend, 0, 0, 7)) == ""


@pytest.mark.clause("Q-MOVE-12", "CH-PUT-11", "CH-PUTINF-15")
def test_of_the_putredine_infantry_alone_ends_in_contact_and_with_vehicles_alone() -> None:
    for kind, radius, enemy, expected in (
        ("medium-tank", 3, "heavy-tank", "ends-in-contact"),
        ("carrier", 3, "light-tank", "ends-in-contact"),
        ("medium-tank", "2.5", "infantry", "ends-in-contact"),
        ("infantry", "2.5", "heavy-tank", ""),
        ("infantry", 2, "infantry", "ends-in-contact"),
    ):
        t = scene(put(0, kind, (20, 20), models=1), put(1, enemy, (20, 28), models=1), army=PUTREDINE)
        assert code(t, shift(t, 0, 0, f"{8 - float(radius):.2f}")) == expected, (kind, enemy)


@pytest.mark.clause("Q-MOVE-12")
def test_what_a_rush_left_in_contact_may_stay_or_go() -> None:
    t = scene(put(0, "light-tank", (20, 20), models=2), put(1, "infantry", ("22.5", "20"), (22.5, 17.5), models=2))
    a, b = t.units[0].models
    t.change_model(b, x=2000, y=2350)
    assert code(t, Move(0, ((b, ((2000, 2350), (1900, 2340))),))) == ""
    assert code(t, Move(0, ((a, ((2000, 2000), (1900, 2000))),))) == ""


@pytest.mark.clause("Q-MOVE-13")
def test_bases_touch_within_two_tenths_of_a_millimetre() -> None:
    t = scene(put(0, "medium-tank", (20, 20), models=1), put(1, "heavy-tank", (20, 30), models=1))
    assert code(t, shift(t, 0, 0, 7)) == "ends-in-contact"
    assert code(t, shift(t, 0, 0, "7.01")) == "in-the-way"


# --- coherency ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("W63", "CH-COH-01", "CH-COH-02", "Q-COH-1")
def test_coherency_is_one_chain_of_an_inch() -> None:
    t = scene(put(0, "medium-tank", (20, 20), models=4))
    a, b = t.units[0].models[:2]
    at = {m: (t.models[m].x, t.models[m].y) for m in t.units[0].models}
    exactly = Move(0, ((a, (at[a], (at[b][0] - 554, 2000))),))
    assert code(t, exactly) == ""
    result = refusal(t, Move(0, ((a, (at[a], (at[b][0] - 555, 2000))),)))
    assert result is not None
    assert (result.code, result.values["gap"]) == ("out-of-coherency", 255)
    assert "1.01 inch" in result.message
    pairs = Move(0, tuple([(m, (at[m], (at[m][0], 3000))) for m in (a, b)]))
    assert code(t, pairs) == "out-of-coherency"


@pytest.mark.clause("W83", "CH-COH-02", "CH-COH-03", "CH-COH-04", "CH-COH-05")
def test_the_squads_of_a_platoon_stay_together_until_they_detach() -> None:
    t = scene(put(0, "infantry", (20, 20), squads=2))
    leaving = [m for m in t.units[0].models if t.models[m].squad == 1]
    away = tuple([(m, ((t.models[m].x, 2000), (t.models[m].x + 600, 2000))) for m in leaving])
    assert code(t, Move(0, away)) == "out-of-coherency"
    t = play(t, Detach(0, 1))
    assert code(t, Move(1, away)) == ""


@pytest.mark.clause("Q-COH-2")
def test_a_broken_unit_mends_its_coherency_when_it_moves() -> None:
    t = scene(put(0, "medium-tank", (20, 20), (30, 20), models=2))
    assert code(t, shift(t, 0, 0, 5)) == "out-of-coherency"
    _, b = t.units[0].models
    assert code(t, Move(0, ((b, ((3000, 2000), (2500, 2000))),))) == ""
    assert any(isinstance(a, Move) for a in OrderOptions(t, 0))


# --- units that may move
# ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("Q-MOVE-11", "CH-TURN-07")
def test_a_unit_moves_once_a_turn() -> None:
    t = scene(put(0, "medium-tank", (20, 20)), put(0, "heavy-tank", (60, 20)))
    t = play(t, shift(t, 0, 0, 5))
    assert code(t, shift(t, 0, 0, 5)) == "moved-already"
    assert code(t, shift(t, 1, 0, 5)) == ""


@pytest.mark.clause("CH-TURN-07")
def test_only_units_of_the_active_side_move_and_only_move() -> None:
    t = scene(
        put(0, "medium-tank", (20, 20)), put(1, "heavy-tank", (60, 20)), put(0, "heavy-tank", (60, 60), deployed=False)
    )
    assert code(t, shift(t, 1, 0, 5)) == "not-yours"
    assert code(t, shift(t, 2, 0, 5)) == "not-yours"
    assert code(t, LetThemCome()) == "no-order"


@pytest.mark.clause("Q-CC-7", "CH-CC-06")
def test_a_locked_unit_does_not_move() -> None:
    t = scene(
        put(0, "infantry", (20, 20)), put(1, "infantry", ("20", "22.01"), locked=(0,)), put(0, "infantry", (60, 60))
    )
    assert code(t, shift(t, 0, 0, -2)) == "locked"
    assert code(t, shift(t, 1, 0, 2)) == "not-yours"


@pytest.mark.clause("W69", "CH-CONC-02")
def test_a_concentrating_command_unit_does_not_move() -> None:
    t = scene(put(0, "command", (20, 20), concentrating=True))
    assert code(t, shift(t, 0, 0, 2)) == "concentrates"


@pytest.mark.clause("CH-DISENGAGE-08")
def test_a_unit_that_left_combat_does_nothing_else() -> None:
    t = scene(put(0, "infantry", (20, 20), disengaged=True, squads=2))
    assert code(t, shift(t, 0, 0, 2)) == "left-combat"
    assert code(t, Detach(0, 1)) == "left-combat"


@pytest.mark.clause("CH-WORM-05", "Q-WORM-4")
def test_a_disabled_model_stays_and_the_others_keep_in_touch() -> None:
    t = scene(put(0, "medium-tank", (20, 20), models=3, worms=(0, 0, 2)))
    a, b = t.units[0].models[:2]
    result = refusal(t, shift(t, 0, 0, 2))
    assert result is not None
    assert (result.code, result.values["model"]) == ("is-disabled", 3)
    ends = {m: (t.models[m].x, t.models[m].y) for m in (a, b)}

    def others(dy: int) -> Move:
        return Move(0, tuple([(m, (ends[m], (ends[m][0], ends[m][1] + dy))) for m in (a, b)]))

    assert code(t, others(300)) == ""
    assert code(t, others(600)) == "out-of-coherency"
    dragged = Orders(side=0).propose(t, Wish(unit=0, to=(2000, 2300)))
    assert dragged.action == others(300)


@pytest.mark.clause("CH-TURN-07")
def test_the_step_asks_until_nothing_is_left_to_do() -> None:
    t = scene(put(0, "medium-tank", (20, 20)), put(0, "heavy-tank", (60, 20)), cp=(2, 0))
    match = start(t)
    match.play(0, shift(t, 0, 0, 10))
    assert isinstance(match.waiting[0], Orders)
    match.play(0, shift(t, 1, 0, 10))
    assert done(match).armies[0].cp == 0
    assert done(start(scene(put(0, "medium-tank"), cp=(0, 0)))).armies[0].cp == 0


@pytest.mark.clause("CH-COST-03", "Q-MOVE-11")
def test_a_move_is_paid_before_it_is_made() -> None:
    t = scene(put(0, "medium-tank", (20, 20)), cp=(2, 0))
    result = refusal(t, shift(t, 0, 0, 15))
    assert result is not None
    assert (result.code, result.values["price"], result.values["cp"]) == ("not-enough-cp", 3, 2)
    assert path_length(result.nearest.paths[0][1]) == 1000
    match = start(t)
    with pytest.raises(Refused):
        match.play(0, shift(t, 0, 0, 15))
    events = match.play(0, shift(t, 0, 0, 8))
    moved = next(e for e in events if isinstance(e, Moved))
    assert moved.sentence(now(match)) == "Medium Tanks move 8 cm for 1 CP"


@pytest.mark.clause("CH-MOVE-01", "CH-MOVE-05", "Q-MOVE-8")
def test_paths_belong_to_the_unit_and_begin_where_its_models_stand() -> None:
    t = scene(put(0, "medium-tank", (20, 20)), put(0, "heavy-tank", (60, 20)))
    first = t.units[0].models[0]
    strange = t.units[1].models[0]
    assert code(t, Move(0, ((strange, ((6000, 2000), (6000, 2100))),))) == "not-its-model"
    assert code(t, Move(0, ((first, ((2000, 2100), (2000, 2200))),))) == "not-from-here"
    assert code(t, Move(0, ((first, ()),))) == "not-from-here"
    assert code(t, Move(0, ())) == "nobody-moves"
    twice = ((2000, 2000), (2000, 2100))
    assert code(t, Move(0, ((first, twice), (first, twice)))) == "not-its-model"
    assert code(t, Move(99, ())) == "not-yours"


# --- drags ----------------------------------------------------------------------------------------------------------


def test_a_drag_becomes_a_move_with_its_price_and_what_is_left() -> None:
    t = scene(put(0, "medium-tank", (20, 20)))
    orders = Orders(side=0)
    proposal = orders.propose(t, Wish(unit=0, to=(2000, 3500)))
    assert proposal.refusal is None
    assert (proposal.length, proposal.left, total(proposal.price)) == (1500, 500, 3)
    assert proposal.paths[0] == ((2000, 2000), (2000, 3500))
    over = orders.propose(t, Wish(unit=0, to=(2000, 3000), waypoints=((2500, 2000),)))
    assert over.refusal is None
    assert over.paths[0][1] == (2500, 2000)
    column = orders.propose(t, Wish(unit=0, to=(2000, 3500), shape="column"))
    assert column.refusal is None
    assert code(t, column.action) == ""
    assert len({p[-1][0] for p in column.paths.values()}) == 1
    over = orders.propose(t, Wish(unit=0, to=(2000, 3000), waypoints=((2500, 2000),), shape="column"))
    assert over.refusal is None
    for path in over.paths.values():
        assert path[1] == (path[0][0] + 500, path[0][1]), "as far from the waypoint as it stands from the first"
    single = orders.propose(t, Wish(unit=0, models={0: ((2000, 2300),)}))
    assert single.action == Move(0, ((0, ((2000, 2000), (2000, 2300))),))
    turned = orders.propose(t, Wish(unit=0, to=(2000, 2500), facing=(-1, 0)))
    assert turned.refusal is None


def test_a_drag_that_goes_too_far_is_cut_or_explained() -> None:
    t = scene(put(0, "medium-tank", (20, 20)), cp=(1, 0))
    proposal = Orders(side=0).propose(t, Wish(unit=0, to=(2000, 8000)))
    assert proposal.refusal is None
    assert proposal.length <= 1000
    beyond = Orders(side=0).propose(t, Wish(unit=0, models={0: ((2000, 5500),)}))
    assert (beyond.action, beyond.length, beyond.left) == (None, 3500, 0)
    far = refusal(t, shift(t, 0, 0, 35))
    assert far is not None
    assert far.message.startswith("The path of model 1 is 35 cm long")
    locked = scene(put(0, "infantry", (20, 20)), put(1, "infantry", ("20", "22.01"), locked=(0,)))
    why = Orders(side=0).propose(locked, Wish(unit=0, to=(2000, 1000))).refusal
    assert why is not None
    assert why.clause == "Q-CC-7"


def test_a_drag_goes_round_what_is_in_the_way() -> None:
    t = scene(put(0, "medium-tank", (20, 20), models=1), put(1, "heavy-tank", (20, 30), models=1))
    proposal = Orders(side=0).propose(t, Wish(unit=0, to=(2000, 4000)))
    assert proposal.refusal is None
    assert proposal.paths[0][-1] == (2000, 4000)
    assert len(proposal.paths[0]) > 2


def test_the_decision_shows_reaches_and_finite_choices() -> None:
    t = scene(put(0, "light-tank", (20, 20)), put(0, "infantry", (20, 40), squads=3), cp=(2, 0))
    orders = Orders(side=0)
    assert [r.bands for r in orders.regions(t)] == [((1000, 0), (2000, 2), (3000, 5)), ((1000, 0),)]
    words = [o.words for o in orders.offers(t)]
    assert words == ["Squad 1 detaches", "Squad 2 detaches", "Squad 3 detaches", "End movement"]
    assert orders.prompt(t) == f"{t.armies[0].name} moves"


# --- the listed options ---------------------------------------------------------------------------------------

ARMIES = (("alliance", "asori"), ("asori", "putredine"), ("putredine", "alliance"), ("putredine", "putredine"))


def crowd(seed: int) -> Battle:
    """Return a small, crowded battle with terrain between the units."""
    dice = Seeded(seed)
    army = ARMIES[dice.below(len(ARMIES))]
    units = []
    for side in (0, 1):
        kinds = ["light-tank", "medium-tank", "infantry", "infantry", "heavy-tank"]
        kinds += ["carrier", "slugger"] if army[side] == "putredine" else ["command"]
        for i, kind in enumerate(kinds):
            squads = 2 if kind == "infantry" and army[side] != "putredine" else 1
            place = (6 + 13 * (i % 4) + 6 * side, 10 + 9 * (i // 4) + 20 * side + dice.below(4))
            units.append(
                put(side, kind, place, gap="0.3", along="x" if i % 2 else "y", squads=squads, stuns=dice.below(3) // 2,
                    worms=(dice.below(2),))
            )  # fmt: skip
    terrain = [
        square("w", "woods", 8, 24, 25, 30),
        square("b", "building", 30, 25, 38, 30),
        square("r", "built-up", 45, 20, 55, 28),
    ]
    spots = [Objective(name="hill", x=2000, y=2700, r=100)]
    edition = "v1.5" if "putredine" not in army and dice.below(2) else "current"
    t = scene(*units, army=army, terrain=terrain, cp=(dice.below(8), 5), objectives=spots, edition=edition)
    return _untangled(t)


def _untangled(t: Battle) -> Battle:
    """Take units at illegal places off the table, and return the battle."""
    seen: list[tuple[int, int, int]] = []
    for i in range(len(t.units)):
        discs = t.discs(i)
        free = not any(overlapping(d, o) for d in discs for o in seen)
        inside = all(r <= x <= 12_000 - r and r <= y <= 12_000 - r for x, y, r in discs)
        off = not any(t.ground.terrain_under(d) and "b" in t.ground.terrain_under(d) for d in discs)
        if free and inside and off:
            seen.extend(discs)
        else:
            t.change(i, deployed=False)
    return t


def assert_sound(t: Battle, move: Move) -> None:
    """After a legal move its unit is coherent, nothing overlaps, and the price is that of its longest path."""
    before = {m: path[0] for m, path in move.paths}
    length = max(path_length(path) for _, path in move.paths)
    ladder_price = next(total(price) for reach, price in bands(t, move.unit) if length <= reach)
    match = run(t, MovementStep(side=0))
    match.follow(match.waiting[0], move)
    u = now(match).units[move.unit]
    after = now(match)
    assert coherent(after.discs(move.unit)) or len(u.models) < len(t.units[move.unit].models)
    every = [d for i in after.in_play() for d in after.discs(i)]
    assert not any(overlapping(a, b) for i, a in enumerate(every) for b in every[:i])
    assert all(r <= x <= 12_000 - r and r <= y <= 12_000 - r for x, y, r in every)
    paid = t.armies[0].cp - after.armies[0].cp
    assert after.armies[0].cp >= 0
    assert paid - ladder_price in ((0, 1) if pays_terrain(t, move.unit) else (0,))
    assert before == {m: (t.models[m].x, t.models[m].y) for m in before}


@given(st.integers(0, 10**6))
def test_samples_are_legal_and_sound(seed: int) -> None:
    t = crowd(seed)
    dice = Seeded(seed)
    options = OrderOptions(t, 0)
    for _ in range(4):
        action = options.sample(dice)
        assert options.refusal(action) is None
        if isinstance(action, Move):
            assert_sound(t, action)


@given(st.integers(0, 10**6))
def test_whatever_is_drawn_is_legal_or_has_a_reason_and_a_nearest_legal_action(seed: int) -> None:
    t = crowd(seed)
    dice = Seeded(seed)
    options = OrderOptions(t, 0)
    movers = list(t.in_play(0))
    if not movers:
        return
    for _ in range(3):
        unit = movers[dice.below(len(movers))]
        paths = []
        for m in t.units[unit].models:
            x, y = t.models[m].x, t.models[m].y
            points: list[Point] = [(x, y)]
            for _ in range(1 + dice.below(2)):
                points.append((points[-1][0] + dice.below(2400) - 1200, points[-1][1] + dice.below(2400) - 1200))
            if dice.below(4):
                paths.append((m, tuple(points)))
        action = Move(unit, tuple(paths))
        refusal = options.refusal(action)
        assert (refusal is None) == (action in options)
        if refusal is None:
            assert_sound(t, action)
        else:
            assert refusal.clause
            assert refusal.message
            assert refusal.nearest in options
            if isinstance(refusal.nearest, Move):
                assert_sound(t, refusal.nearest)


@pytest.mark.parametrize("seed", range(6))
def test_listed_actions_are_legal_and_differ(seed: int) -> None:
    t = crowd(seed)
    options = OrderOptions(t, 0)
    listed = list(options)
    assert listed[0] == EndStep()
    assert all(options.refusal(a) is None for a in listed)
    assert len(set(listed)) == len(listed)
    assert options.several() == (len(listed) > 1)
    assert listed == list(OrderOptions(t, 0))


@pytest.mark.parametrize("seed", range(12))
def test_random_movement_steps_end(seed: int) -> None:
    t = crowd(seed)
    dice = Seeded(seed)
    t.stack = [MovementStep(side=0)]
    match = Match(ruleset, t, dice)
    for _ in range(200):
        if not match.waiting:
            break
        decision = match.waiting[0]
        events = match.play(decision.side, decision.options(now(match)).sample(dice))
        assert all(e.sentence(now(match)) for e in events)
        assert min(a.cp for a in now(match).armies) >= 0
    assert not match.waiting


@pytest.mark.clause("CH-COST-03", "CH-COST-07", "CH-PUT-05")
def test_a_ladder_names_its_clauses() -> None:
    book = ruleset.book("current")
    clauses = {term.clause for _, price in ladder(book, "alliance", "light-tank") for term in price}
    assert clauses == {"CH-COST-03", "CH-COST-04", "CH-COST-05", "CH-COST-07"}
    assert ladder(book, "putredine", "heavy-tank")[0][1][-1].clause == "CH-PUT-05"


@pytest.mark.clause("CH-SQUAD-02")
def test_forming_up_ends_the_movement_of_all() -> None:
    t = scene(put(0, "infantry", (20, 20), squads=3))
    t = play(t, Detach(0, 2), FormUp(1, 0))
    assert code(t, shift(t, 0, 0, 5)) == "moved-already"


# --- overwatch during a move
# -------------------------------------------------------------------------------------------


def watched(*dice: Sequence[int], value: str = "on", models: int = 4) -> Match:
    """Return a battle with a unit that is about to pass through the range of a watcher."""
    t = scene(
        put(0, "medium-tank", (20 if models > 1 else 32, 20), models=models),
        put(1, "light-tank", (50, 45), models=3, overwatch=1),
        put(0, "heavy-tank", (100, 100)),
        rules={"overwatch": value},
    )
    return run(t, MovementStep(side=0), *dice)


@pytest.mark.clause("CH-OW-03", "CH-OW-04", "CH-OW-05")
def test_a_watcher_fires_on_the_way_and_the_survivors_finish_their_move() -> None:
    match = watched((6, 1), (1, 1))
    move = shift(now(match), 0, 0, 20)
    match.play(0, move)
    decision = match.waiting[0]
    assert isinstance(decision, FireOrWait)
    stopped = now(match).models[0]
    assert (stopped.x, 2000 < stopped.y < 4000) == (2000, True)
    match.play(1, FireFromOverwatch())
    while not isinstance(match.waiting[0], Orders):
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
    after = now(match)
    assert len(after.units[0].models) == 3
    assert {after.models[m].y for m in after.units[0].models} == {4000}
    assert (after.units[0].moved, after.armies[0].cp) == (2000, 7)
    assert after.units[1].overwatch == 2


@pytest.mark.clause("CH-OW-03", "CH-OW-05")
def test_a_unit_that_is_destroyed_on_the_way_does_not_arrive() -> None:
    match = watched((6, 1), (1, 1), models=1)
    match.play(0, shift(now(match), 0, 0, 20))
    match.play(1, FireFromOverwatch())
    assert now(match).units[0].models == ()
    assert isinstance(match.waiting[0], Orders)


@pytest.mark.clause("CH-OW-03")
def test_a_watcher_may_let_a_unit_pass_and_nobody_watches_where_the_rule_is_off() -> None:
    match = watched()
    match.play(0, shift(now(match), 0, 0, 20))
    match.play(1, HoldOverwatch())
    assert {now(match).models[m].y for m in now(match).units[0].models} == {4000}
    off = watched(value="off")
    off.play(0, shift(now(off), 0, 0, 20))
    assert isinstance(off.waiting[0], Orders)


def test_a_random_side_ends_its_movement_as_rarely_as_any_one_unit_acts() -> None:
    t = crowd(3)
    options, dice = OrderOptions(t, 0), Seeded(3)
    units = len(options.able)
    assert units >= 2
    ends = sum(isinstance(options.sample(dice), EndStep) for _ in range(600))
    assert abs(ends - 600 / (1 + units)) < 60


def test_a_random_side_forms_up_and_detaches_too() -> None:
    t = scene(put(0, "infantry", (20, 20), squads=3))
    options, dice = OrderOptions(t, 0), Seeded(1)
    drawn = [options.sample(dice) for _ in range(30)]
    assert any(isinstance(act, Detach) for act in drawn)
    assert all(options.refusal(act) is None for act in drawn)


def test_a_way_to_a_distant_place_is_planned_no_farther_than_the_unit_will_see_of_it() -> None:
    wall = square("wall", "impassable", 10, 70, 60, 72)
    t = scene(put(0, "medium-tank", (30, 20), models=1), terrain=[wall])
    paths = Routes(t, 0).marched((3000, 11000), 2000)
    assert paths is not None
    assert paths[0][1] == ((3000, 2000), (3000, 4000)), "what is out of reach is no reason to turn aside yet"
