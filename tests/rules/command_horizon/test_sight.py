"""The drawn lines of sight match those of attacks."""

from __future__ import annotations

import random

from caltrop.rules.command_horizon.places import unit_sight
from caltrop.rules.command_horizon.scene import put, scene, square
from caltrop.rules.command_horizon.sight import sight


def test_the_blocker_is_named_and_a_ghost_sees_past_it() -> None:
    t = scene(
        put(0, "medium-tank", (20, 20), models=1),
        put(1, "heavy-tank", (60, 20), models=1),
        put(1, "light-tank", (60, 60), models=1),
        terrain=[square("grain silo", "building", 35, 10, 45, 30)],
    )
    (result,) = sight(t, 0, (1,), draw=True)
    assert not result.seen
    assert result.words.endswith("Grain silo is in the way")
    assert {line.state for line in result.lines} == {"cut"}
    assert all(line.stop is not None and 3400 < line.stop[0] < 4600 for line in result.lines)
    (ghost,) = sight(t, 0, (1,), {t.units[0].models[0]: (2000, 6000)}, draw=True)
    assert ghost.seen
    assert {line.state for line in ghost.lines} == {"clear"}
    assert [each.target for each in sight(t, 0)] == [1, 2]
    assert all(not each.lines for each in sight(t, 0))
    assert sight(t, 99) == ()


def test_obstructed_models_are_counted_with_what_is_in_the_way() -> None:
    t = scene(
        put(0, "medium-tank", (20, 20), models=1),
        put(1, "heavy-tank", (60, 20), models=2, along="y", gap=20),
        terrain=[square("wood", "woods", 35, 15, 45, 22)],
    )
    (result,) = sight(t, 0, (1,), draw=True)
    assert result.seen
    assert [piece.obstructed for piece in result.pieces] == [True, False]
    assert [piece.by for piece in result.pieces] == ["Wood", ""]
    assert "see 2 of 2 models" in result.words
    assert "1 obstructed by Wood" in result.words


def test_a_third_unit_is_named_as_the_blocker() -> None:
    t = scene(
        put(0, "medium-tank", (20, 20), models=1),
        put(1, "heavy-tank", (60, 20), models=1),
        put(1, "heavy-tank", (24, 20), models=1, name="The Wall"),
    )
    (result,) = sight(t, 0, (1,), draw=True)
    assert "The Wall" in result.words


def test_what_is_drawn_is_what_attacks_count() -> None:
    by = random.Random(4)
    for _ in range(60):
        places = [(by.randrange(10, 110), by.randrange(10, 110)) for _ in range(4)]
        x, y = by.randrange(20, 90), by.randrange(20, 90)
        t = scene(
            put(0, "medium-tank", places[0]),
            put(1, "light-tank", places[1]),
            put(1, "heavy-tank", places[2]),
            put(0, "infantry", places[3]),
            terrain=[
                square("wood", "woods", x, y, x + 15, y + 10),
                square("house", "building", y, x, y + 8, x + 8),
            ],
        )
        for target in (1, 2):
            counted, (drawn,) = unit_sight(t, 0, target), sight(t, 0, (target,), draw=True)
            assert drawn.seen == counted.seen
            for piece, one in zip(drawn.pieces, counted.targets, strict=True):
                assert piece.seen == one.seen
                assert piece.obstructed == (one.seen and one.obstructed)
                assert piece.in_cover == one.in_cover
            for j, one in enumerate(counted.targets):
                nine = drawn.lines[9 * j : 9 * j + 9]
                assert sum(line.state != "clear" for line in nine) == one.crossed
                assert one.seen or all(line.state == "cut" for line in nine)
