"""A fighter in base contact with friends finds a way out and around them, wherever she is dragged."""

from __future__ import annotations

import pytest

from caltrop.asking import Wish
from caltrop.geometry import INCH, Point, directions, distance_up, point_along
from caltrop.rules.blade_skirmish.movement import Move
from caltrop.rules.blade_skirmish.records import Skirmish
from caltrop.rules.blade_skirmish.scene import put, scene
from caltrop.table.measured import path_fault, stands


def rank(across: bool, gap: int = 0) -> Skirmish:
    """Return a battle with six models of one side in a row, and an enemy far away."""
    t = scene(*[put(0, 2, 8 + 2 * n, 8) for n in range(6)], put(1, 2, 22, 22))
    step = 2 * t.field.radius + gap
    for n in range(6):
        t.change(n, at=(2500 + n * step, 2500) if across else (2500, 2500 + n * step))
    return t


@pytest.mark.clause("BS-S20", "BS-S21", "BS-Q34")
@pytest.mark.parametrize("gap", [0, 1, 2, 5])
@pytest.mark.parametrize("across", [True, False])
def test_a_drag_out_of_a_rank_leads_round_those_beside(across: bool, gap: int) -> None:
    t = rank(across, gap)
    for id in range(6):
        x, y, r = t.disc(id)
        others = [t.disc(f) for f in range(7) if f != id]
        for direction in directions(16):
            to = point_along((x, y), direction, 2 * INCH)
            if not stands(t.ground, (*to, r), others):
                continue
            proposal = Move(side=0, fighter=id).propose(t, Wish(unit=id, to=to))
            assert proposal.refusal is None, (id, direction, proposal.refusal)
            path: tuple[Point, ...] = tuple(proposal.paths[id])
            assert path[-1] == to
            assert path_fault(t.ground, path, r, others) is None
            # She goes around two neighbours at most once.
            assert proposal.length <= distance_up((x, y), to) + 3 * r


@pytest.mark.clause("BS-S20", "BS-Q34")
def test_shut_in_on_all_sides_she_is_led_nowhere() -> None:
    t = rank(across=True)
    r = t.field.radius
    x, y, _ = t.disc(2)
    t.change(0, at=(x, y + 2 * r))
    t.change(5, at=(x, y - 2 * r))
    proposal = Move(side=0, fighter=2).propose(t, Wish(unit=2, to=(x + 2 * INCH, y + 2 * INCH)))
    assert proposal.refusal is not None
    assert proposal.refusal.code == "in-the-way"
