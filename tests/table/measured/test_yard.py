"""Games in the yard, a ruleset that combines all features of the measured table."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.chance import Scripted, Seeded
from caltrop.engine import FaceDown, Match, advance, answer, redacted, restored, stored
from caltrop.geometry import INCH, Point, gap_between, in_touch, point_along
from caltrop.table.measured import SharedWay, body_stands, chain, ground_of, spent, stands, terrain_along
from tests.table.measured.yard import (
    ROUNDS,
    TABLE,
    UNITS,
    Cloud,
    Fought,
    Going,
    Orders,
    Shelling,
    Way,
    Ways,
    Yard,
    first_seen,
    for_bases,
    ruleset,
    sees,
    what_hides,
)
from tests.tiers import examples

TANK, DRONE, RUNNER, TRUCK, CREW = range(5)
"""The units of the first side. The numbers of the second side are higher by five."""


Played = tuple[list[Yard], list[Fought]]
"""The states of a game, each with its events."""


def begun(*frames: Going | Shelling) -> Yard:
    """Return a yard before its first step, or with another procedure to run."""
    t = ruleset.setup(ruleset.book(), "yard")
    if frames:
        t.stack[:] = frames
    return t


def check(t: Yard) -> None:
    """Assert that every unit is at a legal place."""
    for number, unit in enumerate(t.units):
        assert unit.aboard is None or not unit.at
        if unit.hull is not None:
            assert body_stands(t.ground_for(number), unit.hull, t.others(number))
        ground, discs = for_bases(t, number)
        for disc in unit.discs if unit.hull is None else ():
            assert stands(ground, disc, discs)
        if unit.kind == "crew" and len(unit.at) == 3:
            assert len(chain(unit.discs)) == 3


@pytest.fixture(scope="module")
def games() -> list[Played]:
    """Return some random games."""
    games: list[Played] = []
    for seed in range(6):
        match, choices = Match(ruleset, begun(), Seeded(f"dice {seed}")), Seeded(f"choices {seed}")
        states: list[Any] = [match.state]
        foughts: list[Fought] = []
        while match.over is None:
            decision = match.waiting[0]
            action = decision.options(match.view(decision.side)).sample(choices)
            foughts += [event for event in match.play(decision.side, action, decision) if isinstance(event, Fought)]
            states.append(match.state)
        games.append((states, foughts))
    return games


def test_everybody_stands_where_they_may(games: list[Played]) -> None:
    for states, _ in games:
        assert states[-1].round <= ROUNDS
        for t in states:
            check(t)


def test_all_of_it_happens(games: list[Played]) -> None:
    happened = {event.what for _, words in games for event in words}
    assert {"arrives", "gets out", "fires", "is hit", "goes", "shells", "smokes", "crosses the hedge"} <= happened


def test_what_is_stored_comes_back_with_its_smoke(games: list[Played]) -> None:
    clouds = set()
    for states, _ in games:
        for t in states[::3]:
            back: Any = restored(ruleset, t.book, stored(t))
            assert back == t
            assert back.ground is t.ground
            assert t.clone().ground is t.ground
            assert len(t.ground.pieces) == len(TABLE.terrain) + len(t.clouds)
            clouds.add(len(t.clouds))
    assert len(clouds) > 2, "smoke has come and gone"
    assert begun().ground is ground_of(TABLE)


def test_orders_are_hidden_until_they_are_turned_over(games: list[Played]) -> None:
    hidden = 0
    for states, _ in games:
        for t in states:
            for side in (0, 1, None):
                shown = redacted(t, side).tokens
                assert list(shown) == list(t.tokens)
                for number, token in shown.items():
                    assert token.faces == (t.tokens[number].faces if token.side == side else (None,))
                    hidden += token.faces == (None,)
    assert hidden


@settings(max_examples=examples(25), deadline=None)
@given(
    st.sampled_from([TANK, CREW]),
    st.sampled_from([TANK, RUNNER, DRONE]),
    st.tuples(st.integers(1200, 8000), st.integers(1200, 6500)),
    st.tuples(st.integers(1200, 8000), st.integers(1200, 6500)),
    st.sampled_from([(0, 1), (1, 0), (-1, 0), (3, -4)]),
    st.lists(st.sampled_from([(1, 0), (0, 1), (-1, -1), (2, -3)]), min_size=1, max_size=2),
    st.booleans(),
)
def test_the_first_moment_of_watch_is_the_first_of_all(
    watcher: int, goer: int, eye: Point, start: Point, heading: Point, legs: list[Point], smoke: bool
) -> None:
    t = begun()
    t.change(watcher, at=(eye, (eye[0] + 300, eye[1])) if watcher == CREW else (eye,), heading=heading)
    path = [start]
    for direction in legs:
        path.append(point_along(path[-1], direction, 120))
    t.change(goer + 5, at=(start,), heading=heading)
    if smoke:
        t.clouds[1] = Cloud(((eye[0] + start[0]) // 2, (eye[1] + start[1]) // 2, 2 * INCH), 9)
    way, going = SharedWay([path]), t.units[goer + 5]
    every = (
        moment
        for moment in range(way.length + 1)
        if sees(t, watcher, msgspec.structs.replace(going, at=way.at(moment)).bodies, goer + 5)
    )
    assert first_seen(t, goer + 5, way, watcher) == next(every, None)


def test_a_watcher_fires_where_it_comes_to_see_and_the_rest_of_the_way_is_gone() -> None:
    path = ((15 * INCH, 9 * INCH), (18 * INCH, 9 * INCH), (21 * INCH, 10 * INCH))
    for face, left in ((1, 1), (4, 0)):
        t = begun(Going(unit=RUNNER, paths=(path,), at="look_out"))
        t.change(RUNNER, at=path[:1])
        t.change(5 + TANK, at=((15 * INCH, 20 * INCH),))
        t.tokens[5 + TANK] = FaceDown(1, ("watch",))
        assert what_hides(t, 5 + TANK, RUNNER) == "tower"
        assert not sees(t, 5 + TANK, t.units[RUNNER].bodies, RUNNER)
        words: list[Any] = []
        t.told, dice = words, Scripted((face,))
        advance(t, dice)
        dice.finish()
        fired = next(event for event in words if isinstance(event, Fought) and event.what == "fires")
        t.change(RUNNER, at=fired.at)
        assert sees(t, 5 + TANK, t.units[RUNNER].bodies, RUNNER)
        assert len([event for event in words if getattr(event, "what", "") == "goes"]) == left
        assert not t.tokens


def test_a_hull_is_hit_more_easily_from_the_rear() -> None:
    for heading, left in (((1, 0), 1), ((-1, 0), 0)):
        t = begun(Going(unit=TANK, paths=(((20 * INCH, 10 * INCH),),), at="look_out"))
        t.change(TANK, at=((20 * INCH, 10 * INCH),), heading=heading)
        t.change(5 + TANK, at=((26 * INCH, 10 * INCH),), heading=(-1, 0))
        t.tokens[5 + TANK] = FaceDown(1, ("watch",))
        advance(t, Scripted((3,)))
        assert len(t.units[TANK].at) == left


def ways(t: Yard, unit: int) -> list[Way]:
    """Return the paths that a unit may take."""
    return [way for way in Ways(side=t.units[unit].side, unit=unit).options(t) if way.paths]


@pytest.mark.parametrize(
    ("unit", "over"),
    [
        (TANK, set()),
        (DRONE, {"woods", "tower", "hedge"}),
        (RUNNER, {"woods"}),
        (CREW, {"woods"}),
    ],
)
def test_what_stops_one_mover_lets_another_pass(unit: int, over: set[str]) -> None:
    passed: set[str] = set()
    for x, y in ((2, 14), (15, 9)):
        t = begun()
        place = (x * INCH, y * INCH)
        t.change(unit, at=(place, (place[0], place[1] + INCH))[: 1 + (unit == CREW)], aboard=None)
        for way in ways(t, unit):
            for path in way.paths:
                assert spent(t.ground_for(unit), path) <= UNITS[t.units[unit].kind].pace
                passed.update(terrain_along(t.ground, path, 10))
    assert passed == over


def test_a_bog_holds_a_tank_slows_a_runner_and_is_nothing_to_a_drone() -> None:
    far = {}
    for unit in (TANK, RUNNER, DRONE):
        t = begun()
        t.change(unit, at=((22 * INCH, 20 * INCH),), heading=(1, 0))
        east = [way.paths[0] for way in ways(t, unit) if way.paths[0][-1][1] == 20 * INCH]
        far[unit] = max([0, *[path[-1][0] - 22 * INCH for path in east]])
    assert (far[TANK], far[RUNNER], far[DRONE]) == (0, 7 * INCH // 2, 10 * INCH)


def test_a_crew_gets_out_beside_its_truck_and_in_one_chain() -> None:
    t = begun()
    t.change(TRUCK, at=((9 * INCH, 5 * INCH),), heading=(1, 0), waiting=0)
    (out,) = [way for way in ways(t, TRUCK) if way.out]
    t.stack[:] = [Going(unit=TRUCK, at="choose")]
    advance(t, Scripted())
    answer(t, Scripted(), 0, out)
    crew, truck = t.units[CREW], t.units[TRUCK].hull
    assert truck is not None
    assert (len(crew.at), crew.aboard) == (3, None)
    assert all(in_touch(disc, truck) for disc in crew.discs)
    check(t)


def test_those_aboard_fall_with_their_truck() -> None:
    t = begun(Shelling(unit=5 + TANK))
    t.change(TRUCK, at=((18 * INCH, 24 * INCH),), waiting=0)
    t.change(5 + TANK, at=((18 * INCH, 28 * INCH),), heading=(0, -1))
    advance(t, Scripted())
    assert t.units[TRUCK].at == ()
    assert (t.units[CREW].aboard, t.units[CREW].waiting) == (None, 0)


def test_a_shell_scatters_from_the_nearest_enemy_by_the_clock() -> None:
    for hour, fallen in ((3, False), (9, True)):
        t = begun(Shelling(unit=TANK))
        t.change(5 + TANK, at=((18 * INCH, 20 * INCH),))
        t.change(5 + RUNNER, at=((13 * INCH, 26 * INCH),))
        t.change(5 + DRONE, at=((10 * INCH, 20 * INCH),))
        advance(t, Scripted((hour, 12)))
        assert (not t.units[5 + DRONE].at) == fallen
        assert t.units[5 + TANK].at


def test_a_drone_leaves_over_its_own_edge() -> None:
    t = begun(Going(unit=DRONE))
    t.change(DRONE, at=((15 * INCH, 3 * INCH),))
    off = [way for way in ways(t, DRONE) if way.paths[0][-1][1] < 0]
    assert len(off) == 3
    advance(t, Scripted())
    answer(t, Scripted(), 0, off[0])
    assert t.units[DRONE].at == ()
    assert not [way for way in ways(begun(), 5 + DRONE) if way.paths[0][-1][1] < 0]


def test_a_runner_keeps_away_from_those_it_does_not_run_into() -> None:
    t = begun()
    t.change(RUNNER, at=((18 * INCH, 8 * INCH),))
    t.change(5 + RUNNER, at=((18 * INCH, 11 * INCH),))
    ends = [(*way.paths[0][-1], 100) for way in ways(t, RUNNER)]
    other = t.units[5 + RUNNER].discs[0]
    gaps = sorted([gap_between(end, other) for end in ends])
    assert gaps[0] <= 1, "it runs into the other"
    assert all(gap >= INCH for gap in gaps[1:])


def test_orders_are_one_for_each_unit_on_the_table() -> None:
    t = begun()
    every = list(Orders(side=0).options(t))
    assert len(every) == 3 * 2 * 2
    assert all([n for n, _ in lay.faces] == [TANK, DRONE, RUNNER] for lay in every)
