"""Every legal order to fire is listed, and its side is asked for it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.scene import Put, put, scene, square
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.shooting import most_boosts
from caltrop.rules.command_horizon.targets import (
    EndMarks,
    Fire,
    Marks,
    MarkTarget,
    Part,
    SplitFire,
    TargetAllocation,
    why_not,
)
from caltrop.rules.command_horizon.targets.marks import MarkOptions
from caltrop.rules.command_horizon.targets.naming import TargetOptions

run: Any = started
"""`scene.run`, its match free of types."""
EDITIONS = ("current", "v1.5")
POSITIONS = 40
VEHICLES = ("light-tank", "light-tank", "medium-tank", "heavy-tank", "artillery")


def drawn(seed: int) -> Battle:
    """Draw a battle with small units near each other, some of them stunned, marking or split into Squads."""
    rng = random.Random(seed)
    units: list[Put] = []
    for column, row in product(range(3), range(4)):
        at = (5 + 17 * column + rng.randrange(3), 4 + 9 * row + rng.randrange(3))
        stuns = rng.choice((0, 0, 0, 1))
        if rng.random() < 0.5:
            squads = rng.randint(1, 3)
            one = put(row // 2, "infantry", at, models=rng.randint(squads, 2 * squads), squads=squads, stuns=stuns)
        else:
            one = put(row // 2, rng.choice(VEHICLES), at, models=rng.randint(1, 3), stuns=stuns)
        units.append(one)
    wood = square("wood", rng.choice(("woods", "building")), 18, 16, 18 + rng.randint(2, 12), 19)
    t = scene(
        *units,
        edition=rng.choice(EDITIONS),
        army=("alliance", "alliance"),
        cp=(rng.randint(0, 4), 0),
        terrain=[wood],
        table=(6000, 5000),
    )
    for unit in list(t.in_play(0)):
        marks = list(MarkTarget.every(MarkOptions(t, 0), unit=unit))
        if marks and t.armies[0].cp and rng.random() < 0.5:
            rng.choice(marks).perform(t, 0)
    return t


def fires(t: Battle, unit: int) -> Iterator[Fire]:
    for target, exposed, boost in product(t.enemies(0), (False, True), range(most_boosts(t, 0) + 1)):
        action = Fire(unit, target, boost=boost, exposed=exposed)
        if why_not(t, 0, action) is None:
            yield action


def splits(t: Battle, unit: int) -> Iterator[SplitFire]:
    """Yield every way in which a unit may split its fire between two targets, no Squad idle."""
    u = t.units[unit]
    squads = sorted({t.models[m].squad for m in u.models})
    for targets in product(t.enemies(0), repeat=len(squads)):
        named = sorted(set(targets))
        if len(named) != 2:
            continue
        groups = [tuple(s for s, at in zip(squads, targets, strict=True) if at == target) for target in named]
        for share, first in product(range(u.stuns + 1), (True, False)):
            parts = (
                Part(named[0], groups[0], share=share, marking_die=u.marking >= 0 and first),
                Part(named[1], groups[1], share=u.stuns - share, marking_die=u.marking >= 0 and not first),
            )
            action = SplitFire(unit, parts)
            if why_not(t, 0, action) is None:
                yield action


@pytest.mark.clause("CH-TURN-08", "CH-FIRE-01", "CH-SQUAD-08", "Q-MARK-3")
@pytest.mark.parametrize("seed", range(POSITIONS))
def test_every_shot_that_is_allowed_is_listed_and_asked_for(seed: int) -> None:
    t = drawn(seed)
    options = TargetOptions(t, 0)
    listed = list(options)
    orders = 0
    for unit in list(t.in_play(0)):
        shots = list(fires(t, unit))
        offers = [(a.target, a.exposed, a.boost) for a in listed if isinstance(a, Fire) and a.unit == unit]
        assert sorted(offers) == sorted((a.target, a.exposed, a.boost) for a in shots)
        pairs = [{p.target for p in a.parts} for a in listed if isinstance(a, SplitFire) and a.unit == unit]
        for split in splits(t, unit):
            assert {p.target for p in split.parts} in pairs
            orders += 1
        orders += len(shots)
    assert options.anything() is (orders > 0)


@pytest.mark.clause("Q-MARK-3", "CH-COST-16", "CH-MARK-08", "W24")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_lone_tank_that_has_marked_is_asked_for_its_boosted_shot(edition: str) -> None:
    """Its one die is used for the mark. A boost gives it two dice, so that one is left."""
    lone, far = put(0, "light-tank", (20, 20), models=1), put(0, "artillery", (90, 110))
    match = run(scene(lone, far, put(1, "medium-tank", (20, 35)), edition=edition), TargetAllocation(side=0))
    match.play(0, MarkTarget(0, 2))
    if isinstance(match.waiting[0], Marks):
        match.play(0, EndMarks())
    (asked,) = match.waiting
    options = asked.options(match.view(0))
    assert [a for a in options if isinstance(a, Fire)] == [Fire(0, 2, boost=1)]
    assert options.refusal(Fire(0, 2)).nearest == Fire(0, 2, boost=1)


@pytest.mark.clause("CH-SQUAD-08", "Q-SQUAD-4")
def test_any_squad_may_be_the_one_that_fires_elsewhere() -> None:
    """The last Squad is out of range, and the first Squad leaves the common target."""
    xs = ("20", "22.1", "24.5", "26.6", "29", "31")
    platoon = put(0, "infantry", *[(x, 20) for x in xs], squads=3)
    t = scene(platoon, put(1, "medium-tank", (13, 26), models=1), put(1, "medium-tank", (25, 32), models=1))
    assert SplitFire(0, (Part(2, (1, 2)), Part(1, (0,)))) in list(TargetOptions(t, 0))
