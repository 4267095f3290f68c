"""Places and numbers that are just enough, and one less or one more that are not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.geometry import INCH
from caltrop.rules.squad_action.activation import NextAct
from caltrop.rules.squad_action.acts import Doings
from caltrop.rules.squad_action.airstrike import AirRun
from caltrop.rules.squad_action.broken import afraid
from caltrop.rules.squad_action.casualties import pin
from caltrop.rules.squad_action.damage import Burn, Struck
from caltrop.rules.squad_action.orders import Begin
from caltrop.rules.squad_action.overwatch import LetPass, Spring
from caltrop.rules.squad_action.places import FOOT, LONG, cover_of, officer_near
from caltrop.rules.squad_action.rally import Rally
from caltrop.rules.squad_action.records import Area, Firefight
from caltrop.rules.squad_action.scene import Put, at, block, machine, scene, squad
from caltrop.rules.squad_action.setup import DeployAboard, DeployOptions, DeployUnit
from caltrop.rules.squad_action.shells import MarkerFell, Shells
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.turn import Order
from tests.rules.squad_action.played import KindOf, every, now, one, play

HERE = at(20, 20)


def apart(t: Firefight, model: int, gap: int, body: int = FOOT) -> Firefight:
    """Put a soldier so far to the north of the first model, between edges, in tenths of a millimetre."""
    t.change_model(model, at=(HERE[0], HERE[1] + body + gap + FOOT))
    return t


@pytest.mark.clause("SQ-S21", "SQ-S22")
@pytest.mark.parametrize(("gap", "near"), [(6 * INCH, True), (6 * INCH + 1, False)])
def test_an_officer_reaches_6_inches(gap: int, near: bool) -> None:
    t = scene(squad(0, "regular", 20, 20, 1, officer=True), squad(0, "regular", 20, 30, 1, pinned=True))
    apart(t, 1, gap)
    assert officer_near(t, 1) is near
    refusal = Doings(t, 0).refusal(Rally(0, 1))
    assert (refusal.code if refusal is not None else "") == ("" if near else "too-far")


@pytest.mark.clause("SQ-S21", "SQ-S23")
@pytest.mark.parametrize("state", ["pinned", "broken"])
def test_an_officer_who_is_pinned_or_broken_helps_nobody(state: str) -> None:
    t = scene(squad(0, "regular", 20, 20, 1, officer=True), squad(0, "regular", 20, 22, 1))
    assert officer_near(t, 1)
    t.change(0, **{state: True})
    assert not officer_near(t, 1)


@pytest.mark.clause("SQ-TRT-17", "SQ-Q37")
@pytest.mark.parametrize(("gap", "tested"), [(10 * INCH, True), (10 * INCH + 1, False)])
def test_terror_reaches_10_inches(gap: int, tested: bool) -> None:
    t = scene(squad(0, "regular", 20, 20, 1), squad(1, "elite", 20, 40, 1, traits=("terrifying",)))
    assert afraid(apart(t, 1, gap), 0) == (((0, 1),) if tested else ())


@pytest.mark.clause("SQ-S51")
@pytest.mark.parametrize(("gap", "near"), [(3 * INCH, (1,)), (3 * INCH + 1, ())])
def test_an_explosion_reaches_3_inches(gap: int, near: tuple[int, ...]) -> None:
    t = apart(scene(machine(1, "truck", 20, 20), squad(0, "regular", 20, 30, 1)), 1, gap, LONG)
    burning = Burn(unit=0, explodes=True)
    burning.find_the_near(t)
    assert burning.near == near


@pytest.mark.clause("SQ-S19", "SQ-S16")
@pytest.mark.parametrize(("gap", "cover"), [(INCH, "hard"), (INCH + 1, "none")])
def test_a_wall_covers_within_an_inch(gap: int, cover: str) -> None:
    t = scene(squad(0, "regular", 20, 20, 1), terrain=[block("wall", "wall", 18, 25, 22, "25.3")])
    t.change_model(0, at=(HERE[0], 25 * INCH - gap - FOOT))
    assert cover_of(t, (0,), [at(20, 40)]) == cover
    assert cover_of(t, (0,), [at(20, 5)]) == "none", "it lies between them on the other side only"


@pytest.mark.clause("SQ-S19", "SQ-S16")
@pytest.mark.parametrize(("edge", "cover"), [("20", "soft"), ("20.2", "none")])
def test_half_of_a_hull_is_enough(edge: str, cover: str) -> None:
    t = scene(machine(0, "apc", 20, 20), terrain=[block("woods", "woods", 15, edge, 25, 30)])
    assert cover_of(t, (0,), [at(40, 20)]) == cover


@pytest.mark.clause("SQ-FMI-08", "SQ-Q62")
@pytest.mark.parametrize(("x", "on_table"), [(0, True), (-1, False), (48 * INCH, True), (48 * INCH + 1, False)])
def test_a_marker_on_the_edge_lies_on_the_table(x: int, on_table: bool) -> None:
    t = scene(squad(0, "regular", 20, 20, 2, spotter=True))
    fall = Shells(at="land", side=0, caller=0, asset="light", aim=at(2, 40), marker=(x, 40 * INCH))
    assert one(play(t, fall), MarkerFell).on_table is on_table


@pytest.mark.clause("SQ-S45", "SQ-S55")
@pytest.mark.parametrize(("models", "code"), [(10, ""), (11, "no-seats")])
def test_a_unit_begins_aboard_if_every_model_has_a_seat(models: int, code: str) -> None:
    area = Area(box=(0, 0, 48 * INCH, 9 * INCH), words="within 9 inches of the south edge")
    t = scene(
        squad(0, "regular", 0, 0, models, where="reserve"),
        machine(0, "apc", 0, 0, where="reserve"),
        field={"areas": (area, area)},
    )
    refusal = DeployOptions(t, DeployUnit(side=0)).refusal(DeployAboard(0, 1))
    assert (refusal.code if refusal is not None else "") == code


@pytest.mark.clause("SQ-S23", "SQ-Q53")
def test_a_broken_unit_is_never_pinned() -> None:
    t = scene(squad(0, "regular", 20, 20, 4, broken=True), squad(0, "regular", 30, 20, 4))
    for unit in (0, 1):
        pin(t, unit)
    assert [(u.broken, u.pinned) for u in t.units] == [(True, False), (False, True)]


@pytest.mark.clause("SQ-CQS-07", "SQ-CQS-08", "SQ-Q25", "SQ-Q48", "SQ-S23", "SQ-S51")
@pytest.mark.parametrize(
    ("partner", "rules", "code"),
    [
        (squad(0, "regular", 26, 20, 4), {}, ""),
        (squad(0, "regular", 26, 20, 4, pinned=True), {}, ""),
        (squad(0, "regular", 26, 20, 4, pinned=True), {"actions_per_activation": 1}, "pinned"),
        (squad(0, "regular", 26, 20, 4, broken=True), {}, "broken"),
        (squad(0, "regular", 26, 20, 4, locked=(3,)), {}, "fighting"),
        (squad(0, "regular", 26, 20, 4, activated=True), {}, "partner-done"),
        (machine(0, "walker", 26, 20), {}, ""),
        (machine(0, "walker", 26, 20, immobile=True), {}, "immobile"),
        (machine(0, "apc", 26, 20), {}, "not-by-machine"),
    ],
)
def test_who_may_join_an_assault(partner: Put, rules: dict[str, Any], code: str) -> None:
    t = scene(squad(0, "regular", 20, 20, 4), partner, squad(1, "regular", 22, 25, 4), rules=rules)
    alone = next(act for act in KindOf("assault").acts(t, 0) if not act.partners)
    refusal = KindOf("assault").refusal(t, msgspec.structs.replace(alone, partners=(1,)))
    assert (refusal.code if refusal is not None else "") == code


@pytest.mark.clause("SQ-AIR-02", "SQ-AIR-03", "SQ-Q39", "SQ-Q40")
@pytest.mark.parametrize("hits", [1, 2, 3])
def test_every_strafing_hit_on_a_truck_rolls_for_damage(hits: int) -> None:
    t = scene(squad(0, "regular", 5, 5, 2, spotter=True), machine(1, "truck", 20, 20))
    run = AirRun(at="fly", side=0, unit=0, aim=HERE, kind="strafing", direction=(0, 1))
    match = play(t, run, (1, 1, 1), (5,) * hits + (4,) * (3 - hits), *[1] * hits, 6)
    assert len(every(match, Struck)) == hits


@pytest.mark.clause("SQ-S33", "SQ-ORG-07", "SQ-ORG-26")
@pytest.mark.parametrize(("passed", "tries"), [(0, 2), (1, 0)])
def test_who_is_pinned_before_its_first_action_rallies_twice_and_before_its_second_not_at_all(
    passed: int, tries: int
) -> None:
    t = scene(squad(0, "regular", 20, 20, 4), squad(1, "regular", 20, 32, 4), tokens={1: ("fire",)})
    mine, theirs = Shoot(0, (("rifle", 1),)), Shoot(1, (("rifle", 0),))
    missed = [(1, 1, 1, 1)] * passed
    hit, saved, fails = (6, 1, 1, 1), (6,), 1
    match = play(t, Order(side=0), *missed, hit, saved, fails, *[1] * tries)
    match.play(0, Begin(0, mine, ("shoot",)))
    for _ in range(passed):
        match.play(1, LetPass())
        match.play(0, mine)
    match.play(1, Spring(1, "fire"))
    match.play(1, theirs)
    for _ in range(tries):
        assert isinstance(match.waiting[0], NextAct)
        match.play(0, Rally(0))
    assert not match.waiting
    assert (now(match).units[0].pinned, now(match).units[0].acted) == (True, 2)
