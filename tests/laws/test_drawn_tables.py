"""Tables from a seed: laws for many seeds of every game."""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from typing import Any

import pytest

import caltrop
from caltrop.engine import ruleset, rulesets
from caltrop.errors import InputError
from caltrop.picture import Picture, Point
from caltrop.scenarios.drafts import checked, maps_of, shipped_draft, text_of, yaml_of
from caltrop.scenarios.fairness import FairnessBoard, unfair
from caltrop.scenarios.seeded import drawn_table
from caltrop.scenarios.symmetry import SYMMETRIES, symmetric
from tests.tiers import everything, rotating

SEEDS = range(6)
"""Number of tables of a game. The quick tier draws every third table, and one table twice."""


def area(outline: tuple[Point, ...]) -> float:
    """Return the area of a polygon."""
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*outline, outline[0]]))) / 2


def below(outline: tuple[Point, ...], across: int, limit: float) -> list[Any]:
    """Return the part of a polygon below a line along the table."""
    result: list[Any] = []
    for a, b in pairwise([*outline, outline[0]]):
        if (a[across] < limit) != (b[across] < limit):
            share = (limit - a[across]) / (b[across] - a[across])
            result.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
        if b[across] < limit:
            result.append(b)
    return result


def drawn(name: str, seed: int, symmetry: Any) -> tuple[dict[str, Any], Picture]:
    """Return a valid random table with its picture."""
    draft = drawn_table(name, str(seed), symmetry)
    result = checked(name, draft)
    assert result.faults == ()
    assert result.picture is not None
    return draft, result.picture


@pytest.mark.parametrize("name", rulesets())
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_drawn_table_is_fair(name: str, symmetry: Any) -> None:
    """A drawn table is fair by a second computation from its picture."""
    maps = ruleset(name).maps
    assert maps is not None
    kinds = {ground.look: ground for ground in maps.grounds}
    across = 1 if maps.sides == "rows" else 0
    seeds = rotating(SEEDS, 3)
    for seed in seeds:
        draft, picture = drawn(name, seed, symmetry)
        assert unfair(maps, picture) == []
        size = (picture.width, picture.height)
        covered = sum(area(one.outline) for one in picture.grounds) / (size[0] * size[1])
        assert 0.01 < covered < 0.5, seed
        shelter = [0.0, 0.0]
        for one in picture.grounds:
            if kinds[one.kind].shelters:
                part = area(tuple(below(one.outline, across, size[across] / 2) or [(0, 0)]))
                shelter[0] += part
                shelter[1] += area(one.outline) - part
        assert min(shelter) >= 0.5 * max(shelter), seed
        ends = (
            [(size[0] / 2, 0.0), (size[0] / 2, float(size[1]))]
            if across
            else [(0.0, size[1] / 2), (float(size[0]), size[1] / 2)]
        )
        ways = [sum(hypot(spot.at[0] - x, spot.at[1] - y) for spot in picture.spots) for x, y in ends]
        assert max(ways) <= 1.1 * min(ways) + 1, seed
        if everything() or seed == seeds[0]:
            assert drawn_table(name, str(seed), symmetry) == draft
        if symmetry != "none":
            assert _ground(symmetric(name, draft, symmetry)) == _ground(draft)


def _ground(draft: dict[str, Any]) -> Any:
    ground = draft.get("terrain", draft.get("mud"))
    if isinstance(ground, dict):
        return ground
    assert ground is not None
    return sorted(
        [
            str({k: sorted(v) if k in ("outline", "line") else v for k, v in one.items() if k != "id"})
            if isinstance(one, dict)
            else str(one)
            for one in ground
        ]
    )


@pytest.mark.parametrize("name", rulesets())
def test_battles_on_drawn_tables_come_to_their_end(name: str) -> None:
    """Computer players finish battles on tables that are read from files. The quick tier plays one battle."""
    for symmetry in rotating(SYMMETRIES, len(SYMMETRIES)):
        text = yaml_of(drawn_table(name, "played", symmetry))
        report = caltrop.simulate(name, players=("random", "random"), num=1, seed=1, scenario=text)
        assert report["games"] == 1


@pytest.mark.parametrize("name", rulesets())
def test_other_seeds_and_sizes_are_other_tables(name: str) -> None:
    """A size that the game does not allow is refused in the game's own words."""
    assert len({text_of(drawn_table(name, str(seed))) for seed in SEEDS}) == len(SEEDS)
    size = {"hex-command": (11, 15), "duel": (20, 12), "command-horizon": (100, 140)}.get(name, (30, 36))
    draft = drawn_table(name, "1", "rotate", size)
    assert draft.get("table", draft.get("map")) == list(size)
    assert checked(name, draft).faults == ()
    with pytest.raises(InputError):
        drawn_table(name, "1", "rotate", (2, 2))
    with pytest.raises(InputError, match="no symmetry"):
        drawn_table(name, "1", "sideways")  # type: ignore[arg-type]


def test_a_table_that_is_not_fair_is_told_why() -> None:
    """Unfair tables are bare, have goals that one side cannot reach, or have shelter on one side only."""
    name = "blade-skirmish"
    maps = ruleset(name).maps
    assert maps is not None
    bare = {**shipped_draft(name, "between-the-stones"), "terrain": []}

    def why(*pieces: dict[str, Any]) -> str:
        picture = checked(name, {**bare, "terrain": list(pieces)}).picture
        assert picture is not None
        return "; ".join(unfair(maps, picture))

    assert "ground covers 0 %" in why()
    wall = {"id": "wall", "kind": "wall", "box": [2, 5, 10, 8]}
    assert "shelter covers 0 % of one half" in why(wall)
    ring = [
        {"id": "south", "kind": "pit", "box": [8, 8, 16, 9]}, {"id": "north", "kind": "pit", "box": [8, 15, 16, 16]},
        {"id": "west", "kind": "pit", "box": [8, 8, 9, 16]}, {"id": "east", "kind": "pit", "box": [15, 8, 16, 16]},
    ]  # fmt: skip
    assert "cannot be reached on foot" in why(*ring)
    lying = {"id": "pit", "kind": "pit", "box": [11, 11, 13, 13]}
    assert "1 goal lies on closed ground" in why(lying)
    across = {"id": "wall", "kind": "wall", "box": [0, 11, 24, 11.8]}
    assert "0 % of the lines between the sides are open" in why(across)


def test_walks_go_round_what_is_closed() -> None:
    """A wall in the way makes the path longer, and a line across the wall is not open."""
    name = "blade-skirmish"
    _, maps, _ = maps_of(name)
    wall = {"id": "wall", "kind": "wall", "box": [6, 11, 18, 13]}
    draft = {**shipped_draft(name, "blood-price"), "terrain": [wall]}
    picture, bare = checked(name, draft).picture, checked(name, {**draft, "terrain": []}).picture
    assert picture is not None
    assert bare is not None
    far = [FairnessBoard(maps, one).walks([(24, 2)])[24, 46] for one in (picture, bare)]
    assert far[0] > far[1] + 5
    assert not FairnessBoard(maps, picture).line_is_open((24, 2), (24, 46))
    assert FairnessBoard(maps, picture).line_is_open((4, 2), (4, 46))
