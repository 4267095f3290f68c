"""Paths of several bases at once, and the first moment at which a condition holds, compared with a full search."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.geometry import Body, Disc, Hull, Point, crosses_polygon, gap_within, placed, point_along
from caltrop.table.measured import SharedWay, Table, TableGround, Terrain, first_moment, hidden, look, unseen
from tests.table.measured.scenes import (
    KINDS,
    NINE,
    RUINS,
    WOODS,
    coordinates,
    deep_grounds,
    discs,
    grounds,
    groups,
    radii,
)
from tests.tiers import examples

points = st.tuples(coordinates, coordinates)
ways = st.lists(st.lists(points, min_size=1, max_size=4), min_size=1, max_size=3)


@given(ways, st.booleans(), st.data())
def test_a_swept_disc_holds_its_base_at_every_moment(
    paths: list[list[Point]], in_step: bool, data: st.DataObject
) -> None:
    way = SharedWay(paths, in_step)
    first = data.draw(st.integers(0, way.length))
    last = data.draw(st.integers(first, way.length))
    between = data.draw(st.integers(first, last))
    swept = way.swept(first, last, [0] * len(paths))
    for (x, y), (u, v, r) in zip(way.at(between), swept, strict=True):
        assert (x - u) ** 2 + (y - v) ** 2 <= r * r


@given(ways, st.booleans(), st.data())
def test_what_is_begun_and_what_is_left_make_the_way(
    paths: list[list[Point]], in_step: bool, data: st.DataObject
) -> None:
    way = SharedWay(paths, in_step)
    moment = data.draw(st.integers(0, way.length))
    for path, begun, left, at in zip(paths, way.begun(moment), way.left(moment), way.at(moment), strict=True):
        assert begun[0] == path[0]
        assert begun[-1] == left[0] == at
        assert left[-1] == path[-1]
        corners = [p for p in path[1:-1] if p in begun[1:] or p in left[1:]]
        assert corners == path[1:-1], "no corner is lost"


def test_bases_in_step_arrive_together_and_others_do_not() -> None:
    paths = [[(0, 0), (1000, 0)], [(0, 500), (400, 500)]]
    assert SharedWay(paths, in_step=True).at(500) == ((500, 0), (200, 500))
    assert SharedWay(paths).at(500) == ((500, 0), (400, 500))


@settings(max_examples=examples(60), deadline=None)
@given(grounds(), st.lists(points, min_size=2, max_size=3), radii, discs, groups, st.integers(0, 3000))
def test_the_first_moment_is_that_of_a_look_at_every_moment(
    ground: TableGround, path: list[Point], r: int, watcher: Disc, blockers: list[Disc], limit: int
) -> None:
    # The path is so short that it has at most 40 moments, and each of them can be checked.
    near = [path[0], *(point_along(path[0], (q[0] - path[0][0], q[1] - path[0][1]), 20) for q in path[1:])]
    way = SharedWay([near])

    def holds(moment: int) -> bool:
        base = (*way.at(moment)[0], r)
        return gap_within(base, watcher, limit) and look(ground, NINE, watcher, base, blockers).seen

    def may_hold(first: int, last: int) -> bool:
        (swept,) = way.swept(first, last, [r])
        return gap_within(swept, watcher, limit) and not hidden(ground, watcher, swept)

    slow = next((moment for moment in range(way.length + 1) if holds(moment)), None)
    assert first_moment(way, holds, may_hold) == slow


@given(grounds(), discs, discs, st.data())
def test_what_is_hidden_is_seen_from_nowhere_in_it(ground: TableGround, a: Disc, b: Disc, data: st.DataObject) -> None:
    if not hidden(ground, a, b):
        return
    ends = []
    for x, y, r in (a, b):
        away = data.draw(st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
        ends.append(point_along((x, y), away, data.draw(st.integers(0, r))))
    start, end = ends
    assert any(piece.cuts and crosses_polygon(start, end, piece.polygon) for piece in ground.sight_pieces)


near = st.tuples(st.integers(0, 2000), st.integers(0, 2000), st.integers(5, 80))


@settings(max_examples=examples(400), deadline=None)
@given(deep_grounds(), near, near, st.integers(0, 60), st.integers(0, 60), st.data())
def test_what_is_unseen_about_its_place_is_seen_from_nowhere_there(
    ground: TableGround, a: Disc, b: Disc, by_a: int, by_b: int, data: st.DataObject
) -> None:
    if not unseen(ground, NINE, a, b, (by_a, by_b)):
        return
    for _ in range(4):
        moved = []
        for (x, y, r), by in ((a, by_a), (b, by_b)):
            way = data.draw(st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
            moved.append((*point_along((x, y), way, data.draw(st.integers(0, max(by - 1, 0)))), r))
        assert not look(ground, NINE, moved[0], moved[1], ()).seen


headings = st.tuples(st.integers(-9, 9), st.integers(-9, 9)).filter(any)


@settings(max_examples=examples(500), deadline=None)
@given(deep_grounds(), near, near, st.integers(0, 60), st.integers(0, 60), st.lists(headings, max_size=2), st.data())
def test_what_a_hull_does_not_see_about_its_place_it_sees_nowhere_there(
    ground: TableGround, a: Disc, b: Disc, by_a: int, by_b: int, hulls: list[Point], data: st.DataObject
) -> None:
    bodies: list[Body] = [a, b]
    for n, heading in enumerate(hulls):
        x, y, r = (a, b)[n]
        bodies[n] = Hull(x, y, 2 * r + 2, r + 1, heading)
    if data.draw(st.booleans()):
        bodies.reverse()
    if not unseen(ground, NINE, bodies[0], bodies[1], (by_a, by_b)):
        return
    for _ in range(4):
        moved = []
        for body, by in zip(bodies, (by_a, by_b), strict=True):
            to = point_along((body[0], body[1]), data.draw(headings), data.draw(st.integers(0, max(by - 1, 0))))
            moved.append(placed(body, to))
        assert not look(ground, NINE, moved[0], moved[1], ()).seen


def test_a_hull_is_looked_out_of_from_whichever_corner_stands_out() -> None:
    wall = Terrain("wall", KINDS["building"], ((1000, 800), (1100, 800), (1100, 1200), (1000, 1200)))
    ground = TableGround(Table(3000, 3000, (wall,)))
    b = (1600, 1000, 20)
    assert unseen(ground, NINE, Hull(700, 1000, 60, 40, (1, 0)), b, (0, 5))
    assert not unseen(ground, NINE, Hull(700, 1000, 400, 40, (0, 1)), b, (0, 5)), "its ends look past the wall"
    assert unseen(ground, NINE, b, Hull(700, 1000, 60, 40, (1, 0)), (5, 30)), "the other way round, and on its way"
    assert not unseen(ground, NINE, b, Hull(700, 1000, 60, 40, (1, 0)), (5, 300)), "it comes out behind the wall"


def test_what_two_things_hide_together_and_who_stands_deep_in_woods_are_unseen() -> None:
    posts = [Terrain(n, KINDS["building"], ((1000, y), (1100, y), (1100, y + 130), (1000, y + 130))) for n, y in
             (("a", 860), ("b", 980))]  # fmt: skip
    ground = TableGround(Table(3000, 3000, tuple(posts)))
    a, b = (500, 1000, 60), (1600, 1000, 60)
    assert not hidden(ground, a, b)
    assert not look(ground, NINE, a, b, ()).seen
    assert unseen(ground, NINE, a, b, (3, 3))
    assert not unseen(ground, NINE, a, b, (3, 200)), "from some of those places it is seen"
    woods = TableGround(Table(3000, 3000, (Terrain("woods", WOODS, ((900, 0), (3000, 0), (3000, 3000), (900, 3000))),)))
    assert unseen(woods, NINE, a, (1250, 1000, 60), (3, 3))
    assert not unseen(woods, NINE, a, (1040, 1000, 60), (3, 3)), "it stands no deeper than one sees"
    assert unseen(woods, NINE, (1000, 1000, 20), (1400, 1000, 20), (3, 3)), "too far for a look inside"
    assert not unseen(woods, NINE, (1000, 1000, 20), (1290, 1000, 20), (3, 3))
    ruins = TableGround(Table(3000, 3000, (Terrain("ruins", RUINS, ((900, 0), (1500, 0), (1500, 3000), (900, 3000))),)))
    for x in (1480, 1500, 1520):
        assert unseen(ruins, NINE, a, (x, 1000, 20), (3, 9)), "on the border, and behind it, as in it"
    assert not unseen(ruins, NINE, (2400, 1000, 60), (1480, 1000, 20), (3, 9))


def test_a_wall_hides_a_whole_stretch_and_a_gap_does_not() -> None:
    wall = Terrain("wall", KINDS["building"], ((2000, 0), (2100, 0), (2100, 4000), (2000, 4000)))
    ground = TableGround(Table(6000, 6000, (wall,)))
    assert hidden(ground, (1000, 2000, 100), (3000, 2000, 800))
    assert hidden(ground, (1000, 2000, 100), (3000, 3800, 800)), "its highest place is behind the wall too"
    assert not hidden(ground, (1000, 2000, 100), (3000, 4300, 800))
    assert not hidden(ground, (1950, 2000, 100), (3000, 2000, 100)), "who stands in it looks out of it"


def test_a_stretch_that_cannot_hold_is_not_looked_at() -> None:
    way = SharedWay([[(0, 0), (10_000, 0)]])
    asked: list[int] = []

    def holds(moment: int) -> bool:
        asked.append(moment)
        return way.at(moment)[0][0] >= 7_321

    result = first_moment(
        way, holds, lambda first, last: gap_within(way.swept(first, last, [0])[0], (10_000, 0, 0), 2_679)
    )
    assert result == 7_321
    assert len(asked) < 40
