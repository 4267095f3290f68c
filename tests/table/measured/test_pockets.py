"""Every gap in which a base can stand in contact with another base is found.

The test computes the gaps independently, in floats, from circles and lines.
"""

from __future__ import annotations

from math import cos, hypot, pi, sin

import pytest

from caltrop.chance import Seeded
from caltrop.geometry import CONTACT, Disc, Point, gap_within
from caltrop.table.measured import Table, Terrain, TerrainKind, contact_places, ground_of
from tests.tiers import rotating

WALL = TerrainKind("wall", impassable=True)
SIDE = 3000
"""Length of the table's sides, in tenths of a millimetre."""
WIDE = 3
"""Width of gaps that rounding may hide, in tenths of a millimetre along the rim."""
STEPS = 6_000
"""Number of directions that are tested for a gap."""


def apart(p: tuple[float, float], a: Point, b: Point) -> float:
    """Return the distance of a place from a line between two places."""
    (ax, ay), (bx, by) = a, b
    square = (bx - ax) ** 2 + (by - ay) ** 2
    share = max(0.0, min(1.0, ((p[0] - ax) * (bx - ax) + (p[1] - ay) * (by - ay)) / square))
    return hypot(ax + share * (bx - ax) - p[0], ay + share * (by - ay) - p[1])


def within(p: tuple[float, float], ring: tuple[Point, ...]) -> bool:
    """Return whether a place is inside a convex ring."""
    turns = [
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)
    ]
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


def open_arcs(
    target: Disc, r: int, room: int, discs: list[Disc], shunned: list[Disc], walls: list[tuple[Point, ...]]
) -> list[tuple[tuple[float, float], float]]:
    """Return the middles of all gaps beside a base, with the width of each."""
    x, y, s = target
    reach = s + r + 1.0

    def free(angle: float) -> bool:
        p = (x + reach * cos(angle), y + reach * sin(angle))
        return (
            min(p[0] - r, p[1] - r, room - p[0] - r, room - p[1] - r) > 2
            and all(hypot(p[0] - u, p[1] - v) - q - r > 2 for u, v, q in discs)
            and all(hypot(p[0] - u, p[1] - v) - q - r > CONTACT + 2 for u, v, q in shunned)
            and not any(within(p, wall) for wall in walls)
            and all(apart(p, wall[n - 1], wall[n]) - r > 2 for wall in walls for n in range(len(wall)))
        )

    every = [free(2 * pi * n / STEPS) for n in range(STEPS)]
    if all(every):
        return [((x + reach, y), 2 * pi * reach)]
    arcs, first = [], every.index(False)
    begun = None
    for n in range(first, first + STEPS + 1):
        if every[n % STEPS]:
            begun = n if begun is None else begun
        elif begun is not None:
            middle = pi * (begun + n - 1) / STEPS
            arcs.append(((x + reach * cos(middle), y + reach * sin(middle)), (n - begun) * 2 * pi * reach / STEPS))
            begun = None
    return arcs


TELLING = (35, 67, 74)
"""Numbers of tables on which a gap between two walls was missed."""


@pytest.mark.parametrize("number", [*dict.fromkeys((*TELLING, *rotating(range(120), 6)))])
def test_every_gap_beside_a_base_has_a_place(number: int) -> None:
    dice = Seeded(f"pockets {number}")
    r, s = 60 + dice.below(60), 200 + dice.below(300)
    edge = dice.below(3) == 0
    target = (s + 5 + dice.below(300) if edge else 1500, 1500, s)
    walls: list[tuple[Point, ...]] = []
    for _ in range(3 + dice.below(6)):
        # Walls around the target, some so near that a base barely passes.
        angle, off = dice.below(628) / 100, s + 1 + dice.below(2 * r + 40)
        middle = (target[0] + off * cos(angle), target[1] + off * sin(angle))
        turn = angle + pi / 2 + (dice.below(40) - 20) / 30
        ends = [(middle[0] + way * cos(turn) * 250, middle[1] + way * sin(turn) * 250) for way in (-1, 1)]
        out = (cos(angle) * 40, sin(angle) * 40)
        outer = [(u + out[0], v + out[1]) for u, v in reversed(ends)]
        ring = tuple([(int(u), int(v)) for u, v in (*ends, *outer)])
        if all(0 <= u <= SIDE and 0 <= v <= SIDE for u, v in ring):
            walls.append(ring)
    ground = ground_of(Table(SIDE, SIDE, tuple([Terrain(f"wall {n}", WALL, wall) for n, wall in enumerate(walls)])))
    discs: list[Disc] = []
    for _ in range(dice.below(4)):
        angle, q = dice.below(628) / 100, 80 + dice.below(150)
        far = s + q + dice.below(2 * r + 60)
        discs.append((int(target[0] + far * cos(angle)), int(target[1] + far * sin(angle)), q))
    shunned = [disc for disc in discs if dice.below(2)]
    places = contact_places(ground, target, r, (100, 100), [target, *discs], None, shunned)
    for place in places:
        assert gap_within((*place, r), target, CONTACT)
        assert not any(gap_within((*place, r), disc, CONTACT) for disc in shunned)
    for (u, v), width in open_arcs(target, r, SIDE, discs, shunned, walls):
        if width > WIDE:
            near = min([hypot(p[0] - u, p[1] - v) for p in places], default=None)
            assert near is not None, f"{number}: a gap of {width} at {u}, {v}"
            assert near <= width / 2 + 6, f"{number}: a gap of {width} at {u}, {v} has its nearest place {near} away"
