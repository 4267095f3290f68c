"""The drawn lines of sight match those of shots."""

from __future__ import annotations

import random

import msgspec
import pytest

from caltrop.rules.squad_action.places import sees
from caltrop.rules.squad_action.records import Cloud, Firefight
from caltrop.rules.squad_action.scene import at, block, machine, scene, squad
from caltrop.rules.squad_action.shooting import Shoot, attack_of
from caltrop.rules.squad_action.sight import sight, standing_at


def cloud(x: float, y: float) -> Cloud:
    return Cloud(at=at(x, y), side=0, unit=0, left=2)


@pytest.mark.clause("SQ-ORG-16", "SQ-S11")
def test_what_is_in_the_way_is_named_and_another_place_sees_past_it() -> None:
    t = scene(
        squad(0, "regular", 10, 10, models=1),
        squad(1, "regular", 10, 30, models=1),
        squad(1, "regular", 40, 30, models=2),
        squad(1, "regular", 20, 30, models=1, where="reserve"),
        terrain=[block("the mill", "building", 8, 18, 12, 22)],
    )
    (result,) = sight(t, 0, (1,), draw=True)
    assert not result.seen
    assert result.words == "South 0 does not see North 1, 19.41 inches away: The mill is in the way"
    assert {line.state for line in result.lines} == {"cut"}
    assert all(line.stop is not None and 17 * 254 < line.stop[1] < 23 * 254 for line in result.lines)
    (ghost,) = sight(t, 0, (1,), {0: at(20, 10)}, draw=True)
    assert ghost.seen
    assert ghost.words.endswith("nothing in the way")
    assert {line.state for line in ghost.lines} == {"clear"}
    assert [each.target for each in sight(t, 0)] == [1, 2]
    assert all(not each.lines for each in sight(t, 0))
    assert sight(t, 99) == sight(t, 0, (99,)) == ()
    # A unit off the table sees nobody, but would from where it enters.
    assert sight(t, 3) == ()
    assert [each.target for each in sight(t, 3, (), {4: at(20, 30)})] == [0]


@pytest.mark.clause("SQ-S11")
def test_a_vehicle_of_a_third_unit_is_named_as_what_hides() -> None:
    t = scene(
        squad(0, "regular", 10, 10, models=2, name="Ash"),
        squad(1, "regular", 10, 30, models=2),
        machine(0, "apc", 10, 20, heading=(1, 0), name="Birch"),
    )
    (result,) = sight(t, 0, (1,), draw=True)
    assert not result.seen
    assert result.words.endswith("Birch is in the way")
    assert [piece.by for piece in result.pieces] == ["Birch", "Birch"]
    # A flyer is seen past it, and a machine shows a face.
    t = scene(squad(0, "regular", 10, 10, models=2), machine(1, "gunship", 10, 30), machine(0, "apc", 10, 20))
    assert sight(t, 0, (1,))[0].seen
    from_behind = scene(squad(0, "regular", 10, 10), machine(1, "apc", 13, 30))
    assert "sees the rear of North 1" in sight(from_behind, 0)[0].words


@pytest.mark.clause("SQ-ORG-49", "SQ-S16", "SQ-S19")
def test_smoke_and_cover_are_told_as_shots_count_them() -> None:
    t = scene(
        squad(0, "regular", 10, 10, models=2),
        squad(1, "regular", 10, 30, models=4),
        terrain=[block("the copse", "woods", 9, 28, 11.5, 32)],
        clouds=[cloud(14, 20)],
    )
    (result,) = sight(t, 0, (1,), draw=True)
    assert [piece.in_cover for piece in result.pieces] == [True, True, False, False]
    assert "2 in cover by The copse, too few to count" in result.words
    assert [piece.obstructed for piece in result.pieces] == [False, False, False, True]
    assert "1 through smoke" in result.words
    assert result.pieces[3].by == "Smoke 1"
    covered = scene(
        squad(0, "regular", 10, 10, models=2),
        squad(1, "regular", 10, 30, models=4),
        terrain=[block("the copse", "woods", 9, 28, 12.5, 32)],
    )
    assert sight(covered, 0)[0].words.endswith("3 in cover by The copse, which counts as soft")
    hidden = scene(squad(0, "regular", 10, 10), squad(1, "regular", 10, 30), rules={"smoke": "block"},
                   clouds=[cloud(13, 20), cloud(16, 20), cloud(10, 20)])  # fmt: skip
    assert sight(hidden, 0, draw=True)[0].words.endswith("is in the way")


@pytest.mark.clause("SQ-S19", "SQ-S16")
def test_what_covers_a_hull_is_named_though_its_centre_is_bare() -> None:
    # The centre stands at y = 30; the copse takes in all of the hull before and behind it.
    copses = [
        block("the near copse", "woods", 8, "28.4", 12, "29.8"),
        block("the far copse", "woods", 8, "30.1", 12, "31.6"),
    ]
    t = scene(squad(0, "regular", 10, 10, models=1), machine(1, "apc", 10, 30), terrain=copses)
    assert "in cover by The near copse, which counts as soft" in sight(t, 0)[0].words
    # A wall covers less than half of it, and gives nothing; the woods over all of it do, and are named.
    both = [block("the wall", "wall", "9.9", "27.9", "10.1", 28), block("the copse", "woods", 8, "28.4", 12, "31.6")]
    t = scene(squad(0, "regular", 10, 10, models=1), machine(1, "apc", 10, 30), terrain=both)
    assert "in cover by The copse, which counts as soft" in sight(t, 0)[0].words


def somewhere(by: random.Random) -> Firefight:
    """Return a battle with two sides at random places, and with woods, ruins and smoke."""
    places = [(by.randrange(4, 34), by.randrange(4, 44)) for _ in range(5)]
    x, y = by.randrange(8, 30), by.randrange(8, 30)
    return scene(
        squad(0, "regular", *places[0], models=4),
        squad(1, "regular", *places[1], models=5),
        machine(1, "apc", *places[2], heading=(1, 2)),
        machine(0, "apc", *places[3]),
        machine(1, "gunship", *places[4]),
        terrain=[block("wood", "woods", x, y, x + 8, y + 5), block("ruin", "ruins", y, x, y + 3, x + 3)],
        clouds=[cloud(by.randrange(8, 40), by.randrange(8, 40))],
    )


@pytest.mark.clause("SQ-SHO-02", "SQ-ORG-49", "SQ-S16")
def test_what_is_told_is_what_shots_count() -> None:
    by = random.Random(4)
    seen = 0
    for _ in range(40):
        t = somewhere(by)
        for result in (*sight(t, 0), *sight(t, 3)):
            for piece in result.pieces:
                assert piece.seen == any(sees(t, m, piece.piece) for m in t.units[result.unit].models)
            (back,) = sight(t, result.target, (result.unit,))
            assert back.seen == result.seen
        for result in sight(t, 0, draw=True):
            assert all(line.by for line in result.lines if line.state != "clear")
            (attack, *_) = attack_of(t, Shoot(0, (("rifle", result.target),))) or (None,)
            if attack is None:
                assert not result.seen
                continue
            seen += 1
            if t.units[result.target].on_foot:
                assert attack.seen == tuple([piece.piece for piece in result.pieces if piece.seen])
                cover = attack.bands[0].cover
                assert (f"which counts as {cover}" in result.words) == (cover != "none")
    assert seen > 40


def test_a_unit_off_the_table_is_on_it_once_all_its_models_have_a_place() -> None:
    t = scene(squad(0, "regular", 10, 10, 2), squad(1, "regular", 10, 40))
    first, second = t.units[0].models
    for m in (first, second):
        t.models[m] = msgspec.structs.replace(t.models[m], at=None)
    t.change(0, where="reserve")
    half = standing_at(t, 0, {first: at(10, 10)})
    assert (half.units[0].where, half.models[first].at, t.models[first].at) == ("reserve", at(10, 10), None)
    assert standing_at(half, 0, {second: at(11, 10)}).units[0].where == "table"
