"""The rules find a path for a unit that can get away, however narrow or short it is (CH-DISENGAGE-07, Q-DIS-6,
Q-DIS-7). The test pushes bases as at a real table, in floats and without the rules' own search.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

import pytest

from caltrop.chance import Seeded
from caltrop.geometry import Disc
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.scene import Put, put, scene
from caltrop.rules.command_horizon.way_out import WaysOut
from tests.tiers import rotating

DIRECTIONS = 180
SHARES = (1.0, 0.9, 0.75, 0.6, 0.45, 0.3, 0.2, 0.1, 0.05, 0.02)
"""Share of the full distance that a unit is pushed."""
SLACK = 3
"""Largest effect of rounding places, in tenths of a millimetre."""
TELLING = (4, 28, 87)
"""Positions in which once no path was found, or only one that was too short."""


def hemmed_in(number: int) -> Battle:
    """Return a base or two in contact with an enemy base, among others on a small table."""
    dice = Seeded(f"hemmed in {number}")
    size, r = 900 + dice.below(1200), 100
    taken: list[tuple[float, float, int]] = []
    units: list[Put] = []

    def room(x: float, y: float, s: int) -> bool:
        inside = s <= x <= size - s and s <= y <= size - s
        return inside and all(hypot(x - u, y - v) >= s + q for u, v, q in taken)

    def place(side: int, kind: str, s: int, x: float, y: float, *more: tuple[float, float], **fields: object) -> bool:
        if not room(x, y, s):
            return False
        taken.append((x, y, s))
        for u, v in more:
            if not room(u, v, s):
                taken.pop()
                return False
        taken.extend([(u, v, s) for u, v in more])
        places = [(f"{u / 100:.2f}", f"{v / 100:.2f}") for u, v in ((x, y), *more)]
        units.append(put(side, kind, *places, models=len(places), **fields))  # type: ignore[arg-type]
        return True

    x, y = [int(r + dice.below(size - 2 * r)) for _ in range(2)]
    place(1, "infantry", r, x, y)
    for _ in range(40):
        angle = dice.below(6283) / 1000
        at = (int(x + 201 * cos(angle)), int(y + 201 * sin(angle)))
        turn = dice.below(6283) / 1000
        second = [(int(at[0] + 260 * cos(turn)), int(at[1] + 260 * sin(turn)))] if dice.below(2) else []
        if place(0, "infantry", r, *at, *second, locked=[0]):
            break
    for _ in range(14):
        kind, s = (("medium-tank", 150), ("infantry", r))[dice.below(2)]
        place(dice.below(2), kind, s, s + dice.below(size - 2 * s), s + dice.below(size - 2 * s))
    return scene(*units, army=("asori", "alliance"), table=(size, size), step=3)


def pushed_out(t: Battle) -> tuple[bool, bool] | None:
    """Return whether straight pushes reach a place no nearer to the nearest other enemy, and one at the full
    distance.
    """
    (r,), size = {t.models[m].r for m in t.units[1].models}, t.table.width
    mine = [(t.models[m].x, t.models[m].y) for m in t.units[1].models]
    bases = {u: [t.models[m].disc for m in t.units[u].models] for u in range(len(t.units)) if u != 1}
    foes = {u: discs for u, discs in bases.items() if t.units[u].side == 1}

    def gap(places: Sequence[tuple[float, float]], discs: Sequence[Disc]) -> float:
        return min(hypot(x - u, y - v) - r - s for x, y in places for u, v, s in discs)

    before = {u: gap(mine, discs) for u, discs in foes.items()}
    others = sorted([(before[u], u) for u in foes if u != 0])
    limit, best = 2000, None
    for n in range(DIRECTIONS):
        dx, dy = cos(2 * pi * n / DIRECTIONS), sin(2 * pi * n / DIRECTIONS)
        for share in SHARES:
            far = limit * share
            ends = [(x + dx * far, y + dy * far) for x, y in mine]
            if not all(r <= x <= size - r and r <= y <= size - r for x, y in ends):
                continue
            if any(gap(ends, discs) <= 2 + SLACK for discs in foes.values()) or gap(ends, foes[0]) < before[0] + SLACK:
                continue
            swept = [(x + dx * far * k / 60, y + dy * far * k / 60) for x, y in mine for k in range(1, 61)]
            if any(gap(swept, discs) < (0 if u == 0 else SLACK) for u, discs in bases.items()):
                continue
            away = not others or gap(ends, foes[others[0][1]]) >= others[0][0] + SLACK
            best = max(best or (False, False), (away, share == 1.0))
    return best


@pytest.mark.clause("CH-DISENGAGE-07", "Q-DIS-6", "Q-DIS-7")
@pytest.mark.parametrize("number", [*dict.fromkeys((*TELLING, *rotating(range(100), 10)))])
def test_who_can_be_pushed_out_finds_a_way(number: int) -> None:
    t = hemmed_in(number)
    if len(t.units) < 2 or t.units[1].side:
        pytest.skip("there is no room beside the enemy")
    best, merit = pushed_out(t), WaysOut(t, 1).best
    if best is not None:
        assert merit is not None
        assert (merit.no_nearer, merit.full) >= best
