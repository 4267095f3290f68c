"""Sight through woods, past walls and hulls, with smoke and flyers (SQ-S11, SQ-ORG-16 to 20)."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.geometry import INCH
from caltrop.rules.squad_action.catalogue import inches
from caltrop.rules.squad_action.places import FOOT, sees, sees_place, unit_sees
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.scene import at, block, machine, scene, squad
from caltrop.table.measured import Terrain

WOODS = block("woods", "woods", 10, 20, 30, 40)


def pair(a: tuple[Any, Any], b: tuple[Any, Any], *terrain: Terrain, more: Any = ()) -> Firefight:
    """Return a soldier of each side with their centres at places in inches."""
    return scene(squad(0, "regular", *a, 1), squad(1, "regular", *b, 1), *more, terrain=terrain)


def seen(t: Firefight) -> bool:
    """Return whether the two see each other, in both directions."""
    result = sees(t, 0, 1)
    assert sees(t, 1, 0) is result
    return result


@pytest.mark.clause("SQ-ORG-18", "SQ-S11", "SQ-W45")
@pytest.mark.parametrize(("deep", "visible"), [(0.5, True), (2, True), ("2.01", False), (3, False), (6, False)])
def test_example_45_sight_goes_2_inches_into_woods_and_out_of_them(deep: Any, visible: bool) -> None:
    t = pair((20, 10), (20, 10), WOODS)
    t.change_model(1, at=(20 * INCH, 20 * INCH + inches(deep)))
    assert seen(t) is visible
    assert seen(pair((20, 10), (20, 15), WOODS)), "and in front of them there is nothing in the way"


@pytest.mark.clause("SQ-ORG-19", "SQ-S11", "SQ-W45")
def test_example_45_with_both_in_the_same_woods_it_goes_4_inches() -> None:
    for apart, visible in ((4, True), (5, False)):
        t = pair((18, 30), (18, 30), WOODS)
        t.change_model(1, at=(18 * INCH, 30 * INCH + apart * INCH))
        assert seen(t) is visible, apart
    t = pair((18, 30), (18, 30), WOODS)
    for distance, visible in ((4 * INCH, True), (4 * INCH + 2 * FOOT + 1, False)):
        t.change_model(1, at=(18 * INCH, 30 * INCH + distance))
        assert seen(t) is visible, distance
    # Two pieces of woods count separately.
    north, south = block("north", "woods", 10, 30, 30, 40), block("south", "woods", 10, 20, 30, 26)
    assert not seen(pair((20, 23), (20, 33), north, south))
    assert seen(pair((20, 25), (20, 31), north, south))


@pytest.mark.clause("SQ-ORG-20", "SQ-W45")
def test_example_45_nobody_sees_through_woods() -> None:
    assert not seen(pair((20, 10), (20, 45), WOODS))
    assert not seen(pair((20, 10), (20, 45), block("a thin strip", "woods", 10, 20, 30, 21)))
    assert seen(pair((20, 10), (20, 45)))
    assert seen(pair((5, 10), (5, 45), WOODS)), "past them"


@pytest.mark.clause("SQ-S11")
def test_who_is_at_the_wall_of_a_building_sees_and_is_seen() -> None:
    ruins = block("ruins", "ruins", 10, 20, 20, 30)
    assert seen(pair((15, 10), (15, 21), ruins)), "an inch behind its wall"
    assert not seen(pair((15, 10), (15, "21.01"), ruins))
    assert not seen(pair((15, 10), (15, 35), ruins)), "never through it"
    assert seen(pair((15, 19), (15, 10), ruins))


@pytest.mark.clause("SQ-S11", "SQ-S18")
def test_hulls_hide_and_soldiers_walkers_hedges_and_walls_do_not() -> None:
    hull = machine(0, "battle-tank", 20, 20, (1, 0))
    assert not seen(pair((20, 10), (20, 30), more=[hull]))
    assert seen(pair((24, 10), (24, 30), more=[hull])), "past it"
    assert seen(pair((20, 10), (20, 30), more=[machine(0, "walker", 20, 20)]))
    assert seen(pair((20, 10), (20, 30), more=[squad(1, "regular", 16, 20, 10, gap="0.6")]))
    for kind in ("hedge", "wall"):
        assert seen(pair((20, 10), (20, 30), block(kind, kind, 10, 20, 30, "20.3")))
    # A machine's own hull hides neither the machine nor units that shoot at it.
    t = scene(hull, squad(1, "regular", 20, 30, 1))
    assert unit_sees(t, 0, 1)
    assert unit_sees(t, 1, 0)


@pytest.mark.clause("SQ-S56", "SQ-S11")
def test_only_buildings_hide_flyers() -> None:
    def flyer(*terrain: Terrain, more: Any = ()) -> bool:
        t = scene(machine(0, "gunship", 20, 10), squad(1, "regular", 20, 45, 1), *more, terrain=terrain)
        return unit_sees(t, 0, 1)

    assert flyer(WOODS)
    assert flyer(more=[machine(1, "apc", 20, 20, (1, 0))])
    assert not flyer(block("ruins", "ruins", 10, 20, 30, 30))
    assert not flyer(block("house", "building", 10, 20, 30, 30))


@pytest.mark.clause("SQ-S11", "SQ-FMI-07")
def test_a_place_is_seen_as_a_soldier_there_would_be() -> None:
    t = pair((20, 10), (40, 45), WOODS)
    assert sees_place(t, 0, at(20, 22))
    assert not sees_place(t, 0, at(20, "22.01"))
    assert not sees_place(t, 0, at(20, 45))
