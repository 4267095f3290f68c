"""Boarding and leaving transports, and getting out of one that is destroyed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from caltrop.asking import Wish
from caltrop.chance import Seeded
from caltrop.engine import Match
from caltrop.geometry import Point, near_to
from caltrop.rules.squad_action.activation import what_is_next
from caltrop.rules.squad_action.acts import Doings
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.overwatch import Interrupt
from caltrop.rules.squad_action.places import bodies, body
from caltrop.rules.squad_action.records import Firefight, Pilot
from caltrop.rules.squad_action.scene import Length, Put, at, done, machine, run, scene, squad
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.transport import (
    REACH,
    Alight,
    Alighting,
    Board,
    Boarding,
    SpillOut,
    WhereOut,
)
from tests.rules.squad_action.played import KindOf

TRANSPORT = KindOf("transport")


def riders(models: int = 6, **fields: Any) -> Put:
    return squad(0, "regular", 0, 0, models, where="aboard", carrier=0, **fields)


def why(t: Firefight, act: Board | Alight, second: bool = False) -> str:
    refusal = TRANSPORT.refusal(t, act, second)
    if refusal is None:
        return ""
    if refusal.nearest is not None:
        assert TRANSPORT.refusal(t, refusal.nearest, second) is None
    return refusal.code


def beside(t: Firefight, unit: int, x: Length, y: Length) -> Alight:
    """In a file to the north, an inch apart."""
    models = t.units[unit].models
    return Alight(unit, tuple([(m, at(x, float(y) + n)) for n, m in enumerate(models)]))


def now(match: Match) -> Firefight:
    """Return the firefight as it waits."""
    t = match.state
    assert isinstance(t, Firefight)
    return t


# --- boarding ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ACT-05", "SQ-S45")
@pytest.mark.parametrize(("gap", "code"), [(3, ""), ("3.01", "too-far")])
def test_all_models_within_three_inches_board(gap: Length, code: str) -> None:
    far = (at(20, 0)[0] + 190 + 76 + inches(gap)) / 254
    t = scene(machine(0, "apc", 20, 20), squad(0, "regular", f"{far - 1:.6f}", 20, 2))
    assert why(t, Board(1, 0)) == code
    assert list(TRANSPORT.acts(t, 1, False)) == ([] if code else [Board(1, 0)])
    if not code:
        u = done(run(t, Boarding(act=Board(1, 0)))).units[1]
        assert (u.where, u.carrier, u.moved, u.rode, u.travelled) == ("aboard", 0, True, True, 0)


@pytest.mark.clause("SQ-S45")
@pytest.mark.parametrize(("models", "code"), [(4, ""), (5, "no-seats")])
def test_seats_are_counted_in_models_of_all_who_are_aboard(models: int, code: str) -> None:
    t = scene(machine(0, "apc", 20, 20), riders(6), squad(0, "regular", "21.5", 20, models, gap="0.7"))
    assert why(t, Board(2, 0)) == code


@pytest.mark.clause("SQ-S45", "SQ-S57", "SQ-S72")
def test_who_may_not_board_what() -> None:
    near: dict[str, Any] = {"models": 2}

    def code(vehicle: Put, unit: Put, **fields: Any) -> str:
        return why(scene(vehicle, unit, **fields), Board(1, 0))

    here = squad(0, "regular", "21.5", 20, **near)
    assert code(machine(0, "apc", 20, 20), here) == ""
    assert code(machine(0, "apc", 20, 20, pinned=True), here) == "pinned-vehicle"
    assert code(machine(1, "apc", 20, 20), here) == "no-transport"
    assert code(machine(0, "battle-tank", 20, 20), here) == "no-transport"
    assert code(machine(0, "gunship", 20, 20), here) == "in-the-air"
    assert code(machine(0, "gunship", 20, 20, hovering=True), here) == ""
    assert code(machine(0, "apc", 20, 20), squad(0, "regular", "21.5", 20, pinned=True, **near)) == "pinned"
    assert code(machine(0, "apc", 20, 20), machine(0, "walker", 22, 20)) == "on-foot"
    assert code(machine(0, "apc", 20, 20), here, pilot=Pilot(at=at(1, 1), unit=1)) == "laden"
    assert why(scene(machine(0, "apc", 20, 20), here), Board(1, 9)) == "no-transport"


@pytest.mark.clause("SQ-S45", "SQ-S31", "SQ-S33")
def test_who_is_stopped_does_not_board() -> None:
    t = scene(
        machine(0, "apc", 20, 20),
        squad(0, "regular", "21.5", 20, 2),
        squad(1, "regular", 30, 20, 2),
        tokens={2: ["fire"]},
    )
    match = run(t, Boarding(act=Board(1, 0)))
    assert isinstance(match.waiting[0], Interrupt)
    halted = t.clone()
    Boarding(act=Board(1, 0)).board(halted, (0, True))
    assert halted.units[1].where == "table"


# --- leaving ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ACT-05", "SQ-S45")
@pytest.mark.parametrize(("gap", "code"), [(3, ""), ("3.01", "out-of-reach")])
def test_leaving_places_them_within_three_inches(gap: Length, code: str) -> None:
    t = scene(machine(0, "apc", 20, 20), riders(2))
    x = (at(20, 0)[0] + 190 + 76 + inches(gap)) / 254
    act = Alight(1, ((1, at(f"{x:.6f}", 20)), (2, at(f"{x - 1:.6f}", 20))))
    assert why(t, act) == code
    if not code:
        after = done(run(t, Alighting(act=act)))
        u = after.units[1]
        assert (u.where, u.carrier, u.moved, u.rode, u.dazed) == ("table", None, True, True, False)
        assert after.models[2].at == act.places[1][1]


@pytest.mark.clause("SQ-S45", "SQ-S10")
def test_they_stand_as_any_unit_does() -> None:
    t = scene(machine(0, "apc", 20, 20), riders(2), squad(1, "regular", 25, 20, 1))
    assert why(t, beside(t, 1, 18, 20)) == ""
    assert why(t, beside(t, 1, 23, 20)) == "too-near"
    assert why(t, beside(t, 1, 20, 20)) == "on-somebody"
    assert why(t, Alight(1, ((1, at(18, 18)), (2, at(18, 21))))) == "straggles"
    assert why(t, Alight(1, ((1, at(18, 18)),))) == "all-models"


@pytest.mark.clause("SQ-S45", "SQ-S57")
def test_who_may_not_leave() -> None:
    def code(vehicle: Put, unit: Put) -> str:
        t = scene(vehicle, unit)
        return why(t, beside(t, 1, 18, 20))

    assert code(machine(0, "apc", 20, 20, pinned=True), riders(2)) == ""
    assert code(machine(0, "apc", 20, 20), riders(2, pinned=True)) == "pinned"
    assert code(machine(0, "gunship", 20, 20), riders(2)) == "in-the-air"
    assert code(machine(0, "gunship", 20, 20, hovering=True), riders(2)) == ""
    assert code(machine(0, "apc", 20, 20, where="reserve"), riders(2)) == "not-on-table"
    t = scene(machine(0, "apc", 20, 20), squad(0, "regular", 18, 20, 2))
    assert why(t, beside(t, 1, 18, 20)) == "not-aboard"


@pytest.mark.clause("SQ-S45")
def test_no_unit_boards_and_leaves_in_one_activation() -> None:
    own: dict[str, Any] = {"activated": True, "acted": 1, "rode": True}
    t = scene(machine(0, "apc", 20, 20), riders(2, **own))
    assert why(t, beside(t, 1, 18, 20), True) == "once"
    t = scene(machine(0, "apc", 20, 20), squad(0, "regular", "21.5", 20, 2, **own))
    assert why(t, Board(1, 0), True) == "once"
    assert not list(TRANSPORT.acts(t, 1, True))
    # In the next activation it may.
    own = {"activated": False, "acted": 2, "rode": True}
    t = scene(machine(0, "apc", 20, 20), squad(0, "regular", "21.5", 20, 2, **own))
    assert why(t, Board(1, 0)) == ""


@pytest.mark.clause("SQ-S45")
@pytest.mark.parametrize(("far", "activated", "dazed"), [(8, True, False), ("8.01", True, True), (10, False, False)])
def test_who_leaves_a_fast_transport_does_not_attack(far: Length, activated: bool, dazed: bool) -> None:
    vehicle = machine(0, "truck", 20, 20, activated=activated, travelled=inches(far))
    t = scene(vehicle, riders(2, activated=True, acted=1))
    after = done(run(t, Alighting(act=beside(t, 1, 18, 20))))
    assert after.units[1].dazed == dazed
    refusal = Doings(after, 1).refusal(Shoot(1, (("rifle", 0),)))
    assert (refusal is not None and refusal.code == "dazed") == dazed


@pytest.mark.clause("SQ-S45", "SQ-S31")
def test_watchers_see_those_who_get_out() -> None:
    t = scene(machine(0, "apc", 20, 20), riders(2), squad(1, "regular", 10, 20, 2), tokens={2: ["fire"]})
    match = run(t, Alighting(act=beside(t, 1, 17, 20)))
    assert isinstance(match.waiting[0], Interrupt)


def sum_apart(act: Alight, to: Point) -> int:
    """Return the squared distance from a place to the mean of the exiting models, times the square of their count."""
    n = len(act.places)
    dx, dy = (sum(p[axis] for _, p in act.places) - n * to[axis] for axis in (0, 1))
    return dx * dx + dy * dy


@pytest.mark.clause("SQ-ACT-05", "SQ-S45")
def test_every_way_out_that_is_offered_is_legal() -> None:
    t = scene(machine(0, "apc", 20, 20, (3, 1)), riders(8), squad(1, "regular", 25, 20, 3))
    acts = list(TRANSPORT.acts(t, 1, False))
    assert acts
    assert all(why(t, act) == "" for act in acts)
    assert TRANSPORT.sample(t, 1, False, Seeded(1)) in acts
    assert [o.action for o in TRANSPORT.offers(t, 1, False)] == acts
    assert [r.form for r in TRANSPORT.regions(t, 1, False)] == ["place"]
    proposal = TRANSPORT.propose(t, Wish(unit=1, act="alight", to=at(17, 20)), False)
    assert proposal is not None
    assert proposal.action in acts
    for to in (at(17, 20), at(24, 22), at(20, 17)):
        dragged = TRANSPORT.propose(t, Wish(unit=1, act="alight", to=to), False)
        assert dragged is not None
        assert isinstance(dragged.action, Alight)
        apart = {act: sum_apart(act, to) for act in acts}
        assert sum_apart(dragged.action, to) == min(apart.values()), "it is the one that is nearest to the place"
    single: dict[int, tuple[Point, ...]] = {m: (p,) for m, p in beside(t, 1, 18, 20).places}
    refused = TRANSPORT.propose(t, Wish(unit=1, act="alight", models=single), False)
    assert refused is not None
    assert refused.refusal is not None
    assert TRANSPORT.propose(t, Wish(unit=1, to=at(17, 20)), False) is None


# --- a transport that is destroyed ------------------------------------------------------------------------------------


def spill(t: Firefight, *dice: Sequence[int]) -> Match:
    match = run(t, SpillOut(unit=0), *dice)
    return match


@pytest.mark.clause("SQ-S46")
def test_each_passenger_is_hit_on_five_and_the_rest_stand_pinned_beside_the_wreck() -> None:
    t = scene(machine(0, "apc", 20, 20), riders(6), squad(1, "regular", 24, 20, 2))
    match = spill(t, (6, 5, 4, 3, 2, 1), (5, 4))
    (fallen,) = match.waiting
    match.play(0, fallen.options(now(match)).first())
    (asked,) = match.waiting
    assert isinstance(asked, WhereOut)
    options = asked.options(now(match))
    acts = list(options)
    assert all(act in options for act in acts)
    assert options.refusal(acts[0]) is None
    far = Alight(1, tuple([(m, at(30, 30 + n)) for n, m in enumerate(now(match).units[1].models)]))
    refused = options.refusal(far)
    assert refused is not None
    assert refused.code == "out-of-reach"
    assert refused.nearest in options
    match.play(0, acts[0])
    after = done(match)
    u = after.units[1]
    assert (u.where, u.carrier, u.pinned, len(u.models)) == ("table", None, True, 5)
    assert all(near_to(b, body(after, 0), REACH) for b in bodies(after, 1))
    assert not any(near_to(b, foe, inches(2)) for b in bodies(after, 1) for foe in bodies(after, 2))


@pytest.mark.clause("SQ-S46", "SQ-ORG-29", "SQ-ORG-27")
def test_the_last_model_leaves_and_a_unit_past_half_is_tested() -> None:
    t = scene(machine(0, "apc", 20, 20), riders(2))
    match = spill(t, (5, 1), (1,))
    match.play(0, match.waiting[0].options(now(match)).first())
    match.play(0, match.waiting[0].options(now(match)).first())
    assert done(match).units[1].where == "gone"
    t = scene(machine(0, "apc", 20, 20), riders(6, starting=10))
    match = spill(t, (5, 5, 1, 1, 1, 1), (1, 1), (2,))
    match.play(0, match.waiting[0].options(now(match)).first())
    match.play(0, match.waiting[0].options(now(match)).first())
    assert done(match).units[1].where == "gone"


@pytest.mark.clause("SQ-S46")
def test_several_units_get_out_one_after_another_and_nobody_may_be_left() -> None:
    t = scene(machine(0, "apc", 20, 20), riders(2), riders(3))
    match = spill(t, (6, 6), (1, 1), (1, 1, 1))
    assert now(match).units[1].where == "gone"
    (asked,) = match.waiting
    assert isinstance(asked, WhereOut)
    assert asked.unit == 2
    assert done(run(scene(machine(0, "apc", 20, 20)), SpillOut(unit=0))).units[0].where == "table"


@pytest.mark.clause("SQ-ORG-66", "SQ-S56")
def test_passengers_of_a_flyer_are_lost_with_it() -> None:
    t = scene(machine(0, "gunship", 20, 20), riders(4))
    assert done(spill(t)).units[1].where == "gone"


@pytest.mark.clause("SQ-S45")
def test_its_other_action_is_no_attack() -> None:
    own: dict[str, Any] = {"activated": True, "acted": 1}
    t = scene(squad(0, "regular", 10, 10, 2, dazed=True, **own), squad(0, "regular", 20, 10, 2, **own))
    assert what_is_next(t, 0, ("shoot",), False) == ()
    assert what_is_next(t, 0, ("assault",), False) == ()
    assert what_is_next(t, 0, ("move",), False) == ("move",)
    assert what_is_next(t, 1, ("shoot",), False) == ("shoot",)
