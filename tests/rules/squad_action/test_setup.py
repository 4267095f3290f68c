"""Set-up: smoke markers, hedges and walls by turns, deployment, reserves and transports."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Match
from caltrop.geometry import INCH, Hull
from caltrop.rules.squad_action.covers import LeaveOut, PlaceCover, PlacePiece, PutPiece
from caltrop.rules.squad_action.places import body
from caltrop.rules.squad_action.records import Area, Firefight, Objective
from caltrop.rules.squad_action.rulebook import ruleset
from caltrop.rules.squad_action.scene import at, block, done, machine, run, scene, squad
from caltrop.rules.squad_action.setup import Deploy, DeployAboard, Deployment, DeployUnit, KeepBack, SetUp, to_place

SOUTH = Area(box=(0, 0, 48 * INCH, 9 * INCH), words="within 9 inches of the south edge")
NORTH = Area(box=(0, 39 * INCH, 48 * INCH, 48 * INCH), words="within 9 inches of the north edge")
AREAS = {"areas": (SOUTH, NORTH)}


def waiting(*units: Any, **field: Any) -> Firefight:
    """Return units that are still to be placed."""
    return scene(*units, field={**AREAS, **field}, round=0)


def foot(side: int, models: int = 4, **more: Any) -> Any:
    return squad(side, "regular", 10, 5, models, where="reserve", **more)


def codes(decision: Any, t: Firefight, *actions: Any) -> list[str | None]:
    options = decision.options(t)
    result = []
    for action in actions:
        refused = options.refusal(action)
        result.append(None if refused is None else refused.code)
        if refused is not None:
            assert refused.nearest in options
    return result


@pytest.mark.clause("SQ-ORG-47", "SQ-S40")
def test_each_side_rolls_for_its_smoke() -> None:
    match = run(waiting(), SetUp(), (3,), (6,))
    assert match.state.smoke == [2, 3]  # type: ignore[attr-defined]


# --- hedges and walls -------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S70")
def test_hedges_are_placed_by_turns_south_first() -> None:
    match = run(waiting(hedges=(2, 1)), PlaceCover())
    sides = []
    for x in (8, 20, 32):
        sides.append(match.waiting[0].side)
        match.play(sides[-1], PutPiece(at(x, 20), (1, 0)))
    assert sides == [0, 1, 0]
    after = done(match)
    assert [p.kind.name for p in after.placed] == ["hedge"] * 3
    xs = [x for x, _ in after.placed[0].polygon]
    assert max(xs) - min(xs) == 6 * INCH


@pytest.mark.clause("SQ-S70")
def test_where_a_hedge_may_lie() -> None:
    t = scene(
        terrain=[block("wood", "woods", 20, 20, 26, 26)],
        field={**AREAS, "hedges": (1, 0), "objectives": (Objective(at=at(10, 30), name="Well"),)},
        round=0,
    )
    match = run(t, PlaceCover())
    decision = match.waiting[0]
    assert isinstance(decision, PlacePiece)
    result = codes(
        decision,
        match.state,  # type: ignore[arg-type]
        PutPiece(at(23, "16.85"), (1, 0)),
        PutPiece(at(23, "16.86"), (1, 0)),
        PutPiece(at(10, "26.85"), (1, 0)),
        PutPiece(at(10, "26.86"), (1, 0)),
        PutPiece(at("2.9", 10), (1, 0)),
        PutPiece(at(3, 10), (0, 0)),
        LeaveOut(),
    )
    assert result == [None, "too-near", None, "too-near", "off-table", "no-length", None]


@pytest.mark.clause("SQ-S71")
def test_a_defenders_walls_lie_near_the_crossroads() -> None:
    t = scene(field={**AREAS, "walls": (0, 1), "objectives": (Objective(at=at(24, 24), name="Crossroads"),)}, round=0)
    match = run(t, PlaceCover())
    decision = match.waiting[0]
    assert decision.side == 1
    assert isinstance(decision, PlacePiece)
    assert codes(
        decision,
        match.state,  # type: ignore[arg-type]
        PutPiece(at(24, "30.1"), (1, 0)),
        PutPiece(at(24, "30.2"), (1, 0)),
    ) == [None, "too-far"]
    match.play(1, PutPiece(at(24, 28), (1, 0)))
    (wall,) = done(match).placed
    assert wall.kind.name == "wall"
    xs = [x for x, _ in wall.polygon]
    assert max(xs) - min(xs) == 4 * INCH


# --- units ------------------------------------------------------------------------------------------------------------


def ranks(x: int, y: int, models: int) -> tuple[Any, ...]:
    return tuple([at(x + n, y) for n in range(models)])


@pytest.mark.clause("SQ-S70")
def test_units_are_placed_by_turns_the_second_side_first() -> None:
    t = waiting(foot(0), foot(0), foot(1))
    t.first = 0
    match = run(t, Deployment())
    order = []
    for unit, x in ((2, 10), (0, 10), (1, 20)):
        side = match.waiting[0].side
        order.append(side)
        match.play(side, Deploy(unit, ranks(x, 44 if side else 4, 4)))
    assert order == [1, 0, 0]
    assert all(u.where == "table" for u in done(match).units)


@pytest.mark.clause("SQ-S71", "SQ-S73")
def test_a_defender_places_everything_first() -> None:
    t = waiting(foot(0), foot(1), foot(1), defender=1)
    t.first = 0
    match = run(t, Deployment())
    order = []
    for unit, x in ((1, 10), (2, 20), (0, 10)):
        side = match.waiting[0].side
        order.append(side)
        match.play(side, Deploy(unit, ranks(x, 44 if side else 4, 4)))
    assert order == [1, 1, 0]


@pytest.mark.clause("SQ-S70")
def test_a_round_area_holds_whole_bodies_as_far_as_its_limit() -> None:
    def placed(unit: int, place: tuple[int, int], reach: int) -> str | None:
        area = Area(box=(0, 0, 48 * INCH, 48 * INCH), around=(at(24, 24), reach), words="near the middle")
        t = scene(foot(0, 1), machine(0, "apc", 30, 5, where="reserve"), field={"areas": (area, NORTH)}, round=0)
        heading = (0, 1) if unit else None
        refused = DeployUnit(side=0).options(t).refusal(Deploy(unit, (place,), heading))
        return None if refused is None else refused.code

    middle, base = 24 * INCH, 76
    assert placed(0, (middle, middle + 3000 - base), 3000) is None
    assert placed(0, (middle, middle + 3001 - base), 3000) == "outside"
    assert placed(0, at(24, 24), base) is None
    assert placed(0, at(24, 24), base - 1) == "outside"
    # The far corner of the hull is 1800 and 2400 from the middle, and so exactly 3000.
    t = scene(machine(0, "apc", 24, 24))
    hull = body(t, t.units[0].models[0])
    assert isinstance(hull, Hull)
    far = (middle + 1800 - hull.width, middle + 2400 - hull.length)
    assert placed(1, far, 3000) is None
    assert placed(1, far, 2999) == "outside"


@pytest.mark.clause("SQ-S70", "SQ-ORG-12", "SQ-S17")
def test_where_a_unit_may_stand() -> None:
    t = scene(foot(0), machine(0, "apc", 30, 5), field=AREAS, terrain=[block("house", "building", 0, 0, 4, 9)], round=0)
    decision = DeployUnit(side=0)
    gap = 254 + 2 * 76
    chain = tuple([(5000 + n * gap, 1000) for n in range(4)])
    loose = tuple([(5000 + n * (gap + 1), 1000) for n in range(4)])
    edge = 9 * INCH - 76
    result = codes(
        decision,
        t,
        Deploy(0, chain),
        Deploy(0, loose),
        Deploy(0, tuple([(x, edge) for x, _ in chain])),
        Deploy(0, tuple([(x, edge + 1) for x, _ in chain])),
        Deploy(0, ranks(2, 4, 4)),
        Deploy(0, ranks(29, 5, 4)),
        Deploy(0, ranks(10, 4, 3)),
        Deploy(1, ranks(10, 4, 1)),
    )
    assert result == [None, "split", None, "outside", "blocked", "blocked", "all-models", "not-yours"]


@pytest.mark.clause("SQ-S47", "SQ-ORG-64")
def test_up_to_half_of_the_units_are_kept_in_reserve_flyers_not_counted() -> None:
    t = waiting(foot(0), foot(0), foot(0), machine(0, "gunship", 5, 5, where="reserve"))
    assert to_place(t, 0) == [0, 1, 2], "a flyer is in reserve anyway"
    decision = DeployUnit(side=0)
    assert codes(decision, t, KeepBack(0)) == [None], "one of three"
    t.change(0, kept=True)
    assert codes(decision, t, KeepBack(1)) == ["enough-reserves"]
    assert to_place(t, 0) == [1, 2]
    four = waiting(foot(0, kept=True), foot(0), foot(0), foot(0))
    assert codes(DeployUnit(side=0), four, KeepBack(1)) == [None], "two of four"


@pytest.mark.clause("SQ-S45")
def test_a_unit_may_begin_aboard() -> None:
    t = waiting(foot(0, 6), foot(0, 5), machine(0, "apc", 5, 5, where="reserve"), machine(0, "battle-tank", 9, 9))
    decision = DeployUnit(side=0)
    assert codes(decision, t, DeployAboard(0, 2), DeployAboard(0, 3), DeployAboard(2, 2)) == [
        None,
        "no-transport",
        "no-transport",
    ]
    t.change(0, where="aboard", carrier=2)
    assert codes(decision, t, DeployAboard(1, 2)) == ["no-seats"], "4 of 10 seats are free"
    theirs = waiting(foot(0, 6), machine(1, "apc", 5, 40, where="reserve"), machine(0, "apc", 5, 5, where="reserve"))
    assert codes(decision, theirs, DeployAboard(0, 1), DeployAboard(0, 2)) == ["no-transport", None]
    offered = [action for action in decision.options(theirs) if isinstance(action, DeployAboard)]
    assert offered == [DeployAboard(0, 2)]


def test_any_mission_can_be_set_up_by_chance() -> None:
    from caltrop.rules.squad_action.scenarios import every_mission, firefight

    for n, mission in enumerate(every_mission()):
        t = firefight(ruleset.book(), mission, (), None, SetUp())
        choices = Seeded(f"choices {n}")
        match = Match(ruleset, t, Seeded(f"dice {n}"))
        while match.waiting:
            decision = match.waiting[0]
            action = decision.options(match.view(decision.side)).sample(choices)
            assert action in decision.options(match.view(decision.side))
            match.play(decision.side, action)
        after = match.state
        assert isinstance(after, Firefight)
        assert not [u for u in after.units if u.where == "reserve" and not u.kept and u.kind != "flyer"]


@pytest.mark.clause("SQ-ORG-09")
@pytest.mark.parametrize(("first", "last", "nearest"), [("3.5", "4.5", 5), (0, 13, 14), (0, 27, 28)])
def test_places_in_rings_about_the_wanted_one_are_offered(first: Any, last: int, nearest: int) -> None:
    mill = block("the mill", "building", first, 0, last, 9)
    t = scene(foot(0, 1), foot(1), field=AREAS, round=0, terrain=[mill])
    refused = DeployUnit(side=0).options(t).refusal(Deploy(0, (at(4, 4),)))
    assert refused is not None
    # To the east comes first of all directions, and the wall of the mill is nearer than half an inch to none of them.
    assert refused.nearest == Deploy(0, (at(nearest, 4),))
