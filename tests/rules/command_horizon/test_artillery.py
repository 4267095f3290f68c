"""The artillery step: shells first, living ammunition, the Pod launcher, and new targets."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.rules.command_horizon.artillery import ArtilleryStep, NewTarget, NoTarget, PodsLanded, Redirect
from caltrop.rules.command_horizon.combat import AttackLost, CombatStep
from caltrop.rules.command_horizon.places import in_contact
from caltrop.rules.command_horizon.records import Battle, MarkOn, Order
from caltrop.rules.command_horizon.scene import done, put, scene
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.shooting import settled

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def ordered(t: Battle, *orders: Order) -> Battle:
    """Return the battle after these orders."""
    for order in orders:
        t.orders.append(order if order.spot else settled(t, order))
    return t


def finish(match: Any) -> Battle:
    """Play to the end with the first option of every question; return the battle."""
    while match.waiting:
        match.play(match.waiting[0].side, match.waiting[0].options(match.state).first())
    return done(match)


def strength(t: Battle, unit: int) -> tuple[int, int]:
    """Return the number of models and of markers."""
    return len(t.units[unit].models), t.units[unit].stuns


SHELLS = Order(unit=0, target=1, artillery=True, sighter=0)


@pytest.mark.clause("W23", "CH-MARK-09", "CH-MARK-11", "CH-ASORI-02", "CH-ART-04", "CH-ART-09", "CH-TURN-09")
def test_ranged_in_with_two_marks() -> None:
    t = scene(put(0, "artillery", (20, 10)), put(1, "medium-tank", (20, 43)))
    t.marks.extend([MarkOn(7, 1), MarkOn(8, 1)])
    ordered(t, Order(unit=0, target=1, artillery=True, sighter=0, ranged_in=True))
    t = finish(run(t, ArtilleryStep(side=0), (2, 3, 4, 4, 5, 6), (6, 5, 2, 1)))
    assert strength(t, 1) == (4, 1)
    assert t.wounds == []


@pytest.mark.clause("W64", "CH-MARK-10", "CH-MARK-11", "CH-MARK-12", "CH-MARK-13")
@pytest.mark.parametrize(("marks", "kills", "stuns"), [(1, 1, 2), (2, 2, 1), (3, 3, 0), (4, 3, 0)])
def test_marks_up_to_three(marks: int, kills: int, stuns: int) -> None:
    t = scene(put(0, "artillery", (20, 10), models=2), put(1, "heavy-tank", (20, 43), models=9), army=("alliance",) * 2)
    t.marks.extend([MarkOn(7 + i, 1) for i in range(marks)])
    ordered(t, Order(unit=0, target=1, artillery=True, sighter=0, ranged_in=True))
    t = finish(run(t, ArtilleryStep(side=0), (4, 5, 6, 1), (1, 1, 1, 1, 1)))
    assert strength(t, 1) == (9 - kills, stuns)


@pytest.mark.clause("W25", "CH-ART-11", "Q-ART-5", "CH-OVERKILL-01")
def test_standard_fire_at_vehicles_only_stuns() -> None:
    t = scene(put(0, "artillery", (20, 10)), put(1, "heavy-tank", (20, 43)), army=("alliance", "putredine"))
    ordered(t, SHELLS)
    t = finish(run(t, ArtilleryStep(side=0), (1, 4, 5, 6, 6, 2), (6, 5, 3, 3, 2, 1)))
    assert strength(t, 1) == (3, 2)


@pytest.mark.house("artillery.overkill", "no", "yes")
@pytest.mark.clause("Q-ART-5")
@pytest.mark.parametrize(("rule", "asked"), [("no", False), ("yes", True)])
def test_house_rule_overkill_by_ranged_in_artillery(rule: str, asked: bool) -> None:
    t = scene(
        put(0, "artillery", (20, 10), models=1), put(1, "heavy-tank", (20, 43)), rules={"artillery.overkill": rule}
    )
    t.marks.append(MarkOn(7, 1))
    ordered(t, Order(unit=0, target=1, artillery=True, sighter=0, ranged_in=True))
    match = run(t, ArtilleryStep(side=0), (6, 6), (1, 1, 1, 1))
    assert (type(match.waiting[0]).__name__ == "CombinePairs") is asked


@pytest.mark.clause("W77", "CH-ART-10", "CH-ASORI-19", "CH-ASORI-20")
def test_artillery_at_infantry() -> None:
    t = scene(put(0, "artillery", (20, 10), models=2), put(1, "infantry", (20, 43)))
    t = finish(run(ordered(t, SHELLS), ArtilleryStep(side=0), (3, 4, 5, 6), (6, 1)))
    assert strength(t, 1) == (2, 1)


@pytest.mark.clause("W26", "CH-TURN-08", "CH-TURN-09", "CH-ART-08", "Q-TARGET-2", "CH-RF-08")
def test_what_artillery_destroys_neither_reacts_nor_is_shot_again() -> None:
    t = scene(
        put(0, "artillery", (20, 10)), put(1, "light-tank", (20, 43), models=1), put(0, "medium-tank", (30, 30)),
        cp=(5, 0),
    )  # fmt: skip
    t.marks.extend([MarkOn(i, 1) for i in (7, 8, 9)])
    ordered(t, Order(unit=0, target=1, artillery=True, sighter=2, ranged_in=True), Order(unit=2, target=1, paid=1))
    t = finish(run(t, ArtilleryStep(side=0), (6, 1, 1, 1, 1, 1), (1,)))
    assert strength(t, 1) == (0, 0)
    match = run(t, CombatStep(side=0))
    assert any(isinstance(e, AttackLost) for e in match.opening)
    assert done(match).armies[0].cp == 5


@pytest.mark.house("target.redirect", "no", "yes")
@pytest.mark.clause("Q-TARGET-2")
@pytest.mark.parametrize("again", [True, False])
def test_house_rule_a_new_target_is_named(again: bool) -> None:
    def shelled(rule: str) -> Any:
        t = scene(
            put(0, "artillery", (20, 10)),
            put(1, "light-tank", (20, 43), models=1),
            put(0, "medium-tank", (30, 30)),
            put(1, "light-tank", (40, 45)),
            rules={"target.redirect": rule},
            cp=(0, 0),
        )
        t.marks.extend([MarkOn(i, 1) for i in (7, 8, 9)])
        ordered(t, Order(unit=0, target=1, artillery=True, sighter=2, ranged_in=True), Order(unit=2, target=1, boost=1))
        return run(t, ArtilleryStep(side=0), (6, 1, 1, 1, 1, 1), (1,))

    assert done(shelled("no")).orders[1].target == 1, "nobody is asked"
    match = shelled("yes")
    assert isinstance(match.waiting[0], Redirect)
    match.play(0, NewTarget(3) if again else NoTarget())
    t = done(match)
    assert t.orders[1].target == (3 if again else 1)
    assert t.orders[1].boost == 1
    assert bool(t.orders[1].models) is True


@pytest.mark.clause("W37", "CH-PART-01", "CH-PART-02", "CH-PART-03", "CH-PART-04", "CH-PART-05", "CH-PART-07",
                    "CH-WORM-01", "Q-PART-1", "Q-PART-3")  # fmt: skip
def test_putredine_artillery_at_vehicles() -> None:
    t = scene(put(0, "artillery", (20, 10)), put(1, "medium-tank", (20, 43)), army=("putredine", "alliance"))
    match = run(ordered(t, SHELLS), ArtilleryStep(side=0), (1, 3, 4, 5, 6, 6))
    t = finish(match)
    group = t.units[2]
    assert (group.kind, group.side, len(group.models), group.spawned) == ("infantry", 0, 2, True)
    assert sum(m.worms for m in t.models) == 2
    assert not in_contact(t, 2, 1)
    from caltrop.rules.command_horizon.places import gap

    assert gap(t, 2, 1) in range(100, 103)


@pytest.mark.clause("W37", "CH-PART-06", "Q-PART-2")
def test_putredine_artillery_at_infantry() -> None:
    t = scene(put(0, "artillery", (20, 10)), put(1, "infantry", (20, 43), squads=3), army=("putredine", "alliance"))
    t = finish(run(ordered(t, SHELLS), ArtilleryStep(side=0), (1, 3, 4, 5, 6, 6)))
    assert strength(t, 1) == (4, 0)
    assert len(t.units[2].models) == 2


@pytest.mark.clause("W38", "CH-POD-01", "CH-POD-03", "CH-POD-04", "CH-POD-05", "CH-POD-06", "Q-SLUG-2")
def test_the_pod_launcher() -> None:
    t = scene(put(0, "artillery", (20, 10)), put(1, "medium-tank", (20, 80)), army=("putredine", "alliance"))
    ordered(t, Order(unit=0, artillery=True, spot=(2000, 3600), sighter=0))
    match = run(t, ArtilleryStep(side=0), (1, 2, 4, 5, 6, 6))
    (words,) = [e for e in match.opening if isinstance(e, PodsLanded)]
    assert (words.unit, words.faces, words.bases) == (0, (1, 2, 4, 5, 6, 6), 6)
    assert sum(term.value for term in words.terms) == 6, "the dice are accounted for"
    t = finish(match)
    group = t.units[2]
    assert len(group.models) == 6
    first = t.models[group.models[0]]
    assert (first.x, first.y) == (2000, 3600)
    assert group.appeared
    assert done(run(t, CombatStep(side=0))).orders[0].done


@pytest.mark.clause("CH-ART-09", "CH-TURN-09", "Q-SEQ-3", "Q-STUN-6")
def test_the_artillery_step_is_one_batch() -> None:
    t = scene(
        put(0, "artillery", (20, 10), models=1), put(1, "medium-tank", (20, 43), models=2, stuns=2),
        put(0, "artillery", (40, 10), models=1), army=("alliance", "alliance"),
    )  # fmt: skip
    ordered(t, SHELLS, Order(unit=2, target=1, artillery=True, sighter=2))
    t = finish(run(t, ArtilleryStep(side=0), (4, 1), (1, 1), (4, 1), (1, 1)))
    assert strength(t, 1) == (1, 1)
