"""The places of fighters relative to each other: flanking and sight (BS-GEO-01 to BS-GEO-06)."""

from __future__ import annotations

import itertools
import math

import pytest

from caltrop.rules.blade_skirmish.catalogue import Length
from caltrop.rules.blade_skirmish.places import flank_partners, sees
from caltrop.rules.blade_skirmish.scene import Put, block, put, scene

A, B, C = 0, 1, 2
ADA, BO = put(0, 2, 12, 12), put(1, 2, 13, 12)


@pytest.mark.clause("BS-GEO-01", "BS-GEO-02", "BS-GEO-03", "BS-GEO-04", "BS-Q12", "BS-W07", "BS-W08", "BS-W09")
@pytest.mark.parametrize(
    ("x", "y", "flanks"),
    [
        (14, 12, True),
        (13, 13, False),
        # The angle at Bo is 120 degrees, so that the line is a tangent; then 130.
        ("13.5", "12.866", False),
        ("13.643", "12.766", True),
        # Straight behind her, but not in contact.
        ("14.02", 12, False),
    ],
)
def test_a_line_of_centres_through_the_base_between_them_flanks(x: Length, y: Length, flanks: bool) -> None:
    t = scene(ADA, BO, put(0, 2, x, y))
    assert flank_partners(t, A, B) == ((C,) if flanks else ())
    assert flank_partners(t, C, B) == ((A,) if flanks else ())


@pytest.mark.clause("BS-GEO-01", "BS-GEO-02")
@pytest.mark.parametrize(
    ("fighters", "flanks"),
    [
        ((put(0, 2, "11.9", 12), BO, put(0, 2, 14, 12)), False),
        ((ADA, BO, put(1, 2, 14, 12)), False),
        # Two enemies of hers who are on different sides.
        ((ADA, BO, put(2, 2, 14, 12)), True),
        ((ADA, BO), False),
    ],
)
def test_the_attacker_has_to_touch_and_her_partner_to_be_an_enemy_of_the_target(
    fighters: tuple[Put, ...], flanks: bool
) -> None:
    t = scene(*fighters, field={"names": ("A", "B", "C")})
    assert bool(flank_partners(t, A, B)) is flanks


@pytest.mark.clause("BS-GEO-03", "BS-Q13", "BS-Q24")
@pytest.mark.house("flank_needs_active_partner", "off", "on")
@pytest.mark.parametrize(
    ("fields", "by_house_rule"),
    [({}, True), ({"stunned": True}, False), ({"fleeing": True}, False), ({"trophy": 2}, True)],
)
def test_whatever_her_condition_a_partner_helps_unless_the_house_rule_asks_for_a_fit_one(
    fields: dict[str, bool | int], by_house_rule: bool
) -> None:
    for needed, helps in (("off", True), ("on", by_house_rule)):
        t = scene(ADA, BO, put(0, 2, 14, 12, **fields), rules={"flank_needs_active_partner": needed})
        assert bool(flank_partners(t, A, B)) is helps


@pytest.mark.clause("BS-GEO-05", "BS-GEO-06", "BS-Q14", "BS-S11", "BS-S12")
@pytest.mark.parametrize(
    ("kind", "low", "seen"),
    [("wall", 8, False), ("wall", "12.3", True), ("pit", 8, True)],
)
def test_terrain_blocks_a_line_of_sight_where_no_line_from_base_to_base_is_left(
    kind: str, low: Length, seen: bool
) -> None:
    t = scene(ADA, put(1, 2, 16, 12), terrain=[block("wall", 14, low, "14.5", 16, kind)])
    assert sees(t, A, B) is sees(t, B, A) is seen


@pytest.mark.clause("BS-GEO-06")
def test_models_never_block_a_line_of_sight() -> None:
    t = scene(ADA, put(1, 2, 16, 12), put(0, 2, 14, 12), put(1, 2, 14, "12.99", stunned=True), put(1, 2, 14, 11))
    assert sees(t, A, B)


@pytest.mark.house("sight_points", 9, 17)
@pytest.mark.clause("BS-GEO-05", "BS-Q14")
def test_lines_of_sight_are_tried_from_nine_or_seventeen_points() -> None:
    seen = {9: 0, 17: 0}
    for y in range(1180, 1230):
        for points in seen:
            walls = [
                block("west", 11, 0, "11.2", f"{y / 100 - 0.02:.2f}"),
                block("east", 11, f"{y / 100:.2f}", "11.2", 24),
            ]
            t = scene(put(1, 1, 10, 12), put(0, 1, "12.2", 12), terrain=walls, rules={"sight_points": points})
            seen[points] += sees(t, 0, 1)
    assert seen[9] < seen[17]


@pytest.mark.house("sight_points", 9, 17)
@pytest.mark.clause("BS-GEO-05", "BS-Q14")
@pytest.mark.parametrize(("points", "rim"), [(9, 8), (17, 16)])
def test_a_gap_is_looked_through_where_a_line_from_point_to_point_goes_through_it(points: int, rim: int) -> None:
    certain = {True: 0, False: 0}
    for y in range(1160, 1250):
        low, high = y / 100 - 0.03, y / 100
        walls = [block("west", 11, 0, "11.2", f"{low:.2f}"), block("east", 11, f"{high:.2f}", "11.2", 24)]
        t = scene(put(1, 1, 10, 12), put(0, 1, "12.2", 12), terrain=walls, rules={"sight_points": points})
        ends = [
            [
                (x, v),
                *[(x + r * math.cos(n * math.tau / rim), v + r * math.sin(n * math.tau / rim)) for n in range(rim)],
            ]
            for x, v, r in (t.disc(0), t.disc(1))
        ]
        # Return how far inside the gap the best line is, in tenths of a millimetre; negative outside of it.
        best = -math.inf
        for (ax, ay), (bx, by) in itertools.product(*ends):
            met = [ay + (by - ay) * (x * 254 - ax) / (bx - ax) for x in (11, 11.2)]
            best = max(best, min(high * 254 - max(met), min(met) - low * 254))
        if abs(best) > 1:
            certain[best > 0] += 1
            assert sees(t, 0, 1) is sees(t, 1, 0) is (best > 0), y
    assert min(certain.values()) >= 5
