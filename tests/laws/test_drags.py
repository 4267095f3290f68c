"""Drags in every measured game: a refused drag is corrected to the nearest legal end, and legal drags are accepted.

Positions are drawn from the games of the laws. Drags are random: within reach, beyond it, or off the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import dist
from typing import Any, NamedTuple

import pytest

from caltrop.asking import Offered, Wish
from caltrop.chance import Seeded
from caltrop.picture import Group
from caltrop.table.measured import nearest_end
from tests.laws.games import Game

POSITIONS = 3
"""Number of decisions of a game to check: the last ones, which have most units."""
DRAGS = 4
"""Number of drags for each decision."""
SAMPLES = 200
"""Number of legal answers to compare a drag with."""
ROUNDED = 10
"""Extra distance of an answer for places that are rounded, in tenths of a millimetre."""

Point = tuple[int, int]


class Drag(NamedTuple):
    """A unit that may be dragged at some moment of a game."""

    asked: Offered
    t: Any
    unit: int
    act: str
    reach: int
    form: str
    group: Group

    def wish(self, to: Point) -> Wish:
        """Return the wish of a drag to a place."""
        return Wish(unit=self.unit, act=self.act, to=to)

    def end(self, answer: Any) -> Point | None:
        """Return the place to which an answer leads the leading model; None if the answer is about another unit."""
        answer = getattr(answer, "act", answer)
        about = getattr(answer, "unit", getattr(answer, "fighter", self.unit))
        if about != self.unit or getattr(answer, "off", False):
            return None
        if hasattr(answer, "jump") and answer.jump != (self.act.split("+")[0] == "jump"):
            return None
        if hasattr(answer, "paths"):
            return next((path[-1] for m, path in answer.paths if m == self.first and path), None)
        if self.form == "spot" and getattr(answer, "mortar", 0) is None:
            return None
        spots = {"smoke": ("at",), "pod": ("spot",)}.get(self.act.split("+")[0], ("aim",))
        for name in {"place": ("at", "places"), "spot": spots}.get(self.form, ("path",)):
            result = getattr(answer, name, None)
            if result and isinstance(result, tuple):
                one: Point = result if isinstance(result[0], int) else result[-1 if name == "path" else 0]
                return one
        return None

    @property
    def first(self) -> int:
        """Return the model that leads the drag: the first of the unit's picture."""
        units = getattr(self.t, "units", None)
        first = self.unit if units is None else int(units[self.unit].models[0])
        return self.group.pieces[0].id if self.group.pieces else first

    def start(self) -> Point:
        """Return the place of that model; if it is off the table, a place on the table."""
        return self.group.pieces[0].at if self.group.pieces else (3000, 3000)


def drags(game: Game) -> Iterator[Drag]:
    """Yield units that may be dragged at the last moments of a game at which any may be."""
    result = []
    for look in game.looks:
        if isinstance(look.decision, Offered):
            regions = [r for r in look.decision.regions(look.state) if r.form in ("move", "place") or r.unit >= 0]
            regions = [r for r in regions if "," not in r.act and not r.act.isdigit()]
            if regions:
                result.append((look, regions))
    for n, (look, regions) in enumerate(result[-POSITIONS:]):
        r = regions[Seeded(f"{game.setting.scenario} {n}").below(len(regions))]
        assert isinstance(look.decision, Offered)
        reach = max([length for length, _ in r.bands], default=2000)
        picture = game.rules.depict(look.state, look.decision.side)
        group = next(one for one in picture.groups if one.id == r.unit)
        yield Drag(look.decision, look.state, r.unit, r.act, reach, r.form, group)


def legal_answers(drag: Drag, dice: Seeded) -> Iterator[tuple[Point, Any]]:
    """Yield legal answers about the unit, with their ends."""
    options = drag.asked.options(drag.t)
    for _ in range(SAMPLES):
        answer = options.sample(dice)
        end = drag.end(answer)
        if end is not None:
            yield end, answer


def test_what_a_refused_drag_is_put_right_to_ends_nearest(game: Game) -> None:
    for n, drag in enumerate(drags(game)):
        dice = Seeded(f"{game.setting.scenario} drag {n}")
        legal = list(legal_answers(drag, dice))
        x, y = drag.start()
        for _ in range(DRAGS):
            far = drag.reach * 3 // 2 + 1
            to = (x + dice.below(2 * far) - far, y + dice.below(2 * far) - far)
            proposal = drag.asked.propose(drag.t, drag.wish(to))
            if proposal.refusal is None or not legal:
                continue
            near = drag.end(proposal.refusal.nearest)
            assert near is not None, (drag, to, proposal.refusal)
            assert drag.asked.options(drag.t).refusal(proposal.refusal.nearest) is None, (drag, to)
            if drag.form == "place":
                to = proposal.paths[drag.first][-1]
            best, answer = min(legal, key=lambda one: dist(one[0], to))
            assert dist(near, to) <= dist(best, to) + ROUNDED, (drag, to, proposal.refusal, answer)


def test_a_unit_may_be_dragged_to_where_it_may_go(game: Game) -> None:
    for n, drag in enumerate(drags(game)):
        if drag.form != "move":
            continue
        for end, answer in list(legal_answers(drag, Seeded(f"{game.setting.scenario} here {n}")))[:6]:
            paths = dict(getattr(getattr(answer, "act", answer), "paths", ()))
            steps = {(p[-1][0] - p[0][0], p[-1][1] - p[0][1]) for p in paths.values()}
            if len(steps) > 1 or any(len(p) > 2 for p in paths.values()):
                continue
            proposal = drag.asked.propose(drag.t, drag.wish(end))
            assert proposal.refusal is None, (drag, end, answer, proposal.refusal)
            assert proposal.paths[drag.first][-1] == end, (drag, end, answer)


@pytest.mark.parametrize("hole", [(700, 300), (-400, 800), (0, -900)])
def test_the_only_legal_place_is_found(hole: Point) -> None:
    def straight(end: Point) -> tuple[Point, Point] | None:
        return (end, end) if dist(end, hole) <= 60 else None

    result = nearest_end((0, 0), (0, 0), 1000, (-1000, -1000, 1000, 1000), straight)
    assert result is not None
    assert dist(result, (0, 0)) <= dist(hole, (0, 0)) - 58


def test_nothing_is_found_where_nothing_is_legal() -> None:
    assert nearest_end((10, 10), (0, 0), 500, (-500, -500, 500, 500), lambda end: None) is None
