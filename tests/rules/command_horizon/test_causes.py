"""Causes: losses, markers, marks, points and objectives lead back to exactly the right dice and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from caltrop.chance import Seeded
from caltrop.engine import Event, Match, Procedure
from caltrop.rules.command_horizon.charge import Charge, ChargeArrived
from caltrop.rules.command_horizon.combat import EndReactions, React
from caltrop.rules.command_horizon.damage import Damaged, Lose, ModelDestroyed, UnitDestroyed
from caltrop.rules.command_horizon.movement import EndStep, Move
from caltrop.rules.command_horizon.objectives import Captured, Secured
from caltrop.rules.command_horizon.records import Effect, Objective
from caltrop.rules.command_horizon.rulebook import ruleset
from caltrop.rules.command_horizon.scene import put, scene
from caltrop.rules.command_horizon.targets import EndAllocation, EndMarks, Fire, Marked, MarkTarget, Ordered
from caltrop.rules.command_horizon.turn import Game, Turn
from caltrop.rules.command_horizon.victory import Scored
from caltrop.rules.command_horizon.volley import AttackResolved, Combine
from tests.rules.causes import Chains

ENDS: dict[str, Any] = {
    "Orders": EndStep(),
    "Marks": EndMarks(),
    "Targets": EndAllocation(),
    "Reactions": EndReactions(),
    "CombinePairs": Combine(0),
}


def played(t: Any, seed: int, *answers: Any, at: Procedure | None = None, acts: int = 100) -> Chains:
    """Return the causes of a turn with these answers. All other questions are passed.

    Args:
        t: The start.
        seed: Decides the dice.
        answers: The answers.
        at: The procedure to play instead of a turn.
        acts: The largest number of acts.
    """
    start = t.clone()
    start.stack = [at or Turn(side=0)]
    match = Match(ruleset, start, Seeded(seed))
    left = list(answers)
    while match.waiting and len(match.history) < acts:
        asked = match.waiting[0]
        options = asked.options(match.view(asked.side))
        fits = next((a for a in left if a in options), None)
        if fits is not None:
            left.remove(fits)
        end = ENDS.get(type(asked).__name__)
        match.play(asked.side, fits or (end if end is not None and end in options else options.first()))
    assert not left
    return Chains(match)


def battle(models: int = 2) -> Any:
    """Return a battle of two shooters, each near its own target; the first target can answer."""
    return scene(
        put(0, "medium-tank", (20, 10), models=2),
        put(0, "medium-tank", (90, 10), models=2),
        put(1, "medium-tank", (20, 25), models=models),
        put(1, "medium-tank", (90, 25), models=3),
        cp=(9, 9),
    )


def with_all(t: Any, answers: Sequence[Any], *expected: tuple[type[Event], int]) -> Chains:
    """Return the first battle in which the dice lead to events of these kinds about these units."""
    for seed in range(100):
        result = played(t, seed, *answers)
        words = {(type(link.what), getattr(link.what, "unit", None)) for link in result.links}
        if words.issuperset(expected):
            return result
    raise AssertionError("the dice of no battle bring it about")


def test_damage_leads_back_to_the_attack_on_its_own_unit_its_dice_and_the_order_for_it() -> None:
    result = with_all(battle(), (Fire(0, 2), Fire(1, 3)), (Damaged, 2), (Damaged, 3))
    for shooter, target in ((0, 2), (1, 3)):
        own, other = result.last(AttackResolved, target=target), result.last(AttackResolved, target=5 - target)
        damaged = result.last(Damaged, unit=target)
        assert own.number in damaged.because
        assert own.what in result.back(damaged)
        assert other.what not in result.back(damaged)
        assert [a for a in result.decisions(damaged) if isinstance(a, Fire)] == [Fire(shooter, target)]
        assert isinstance(own.what, AttackResolved)
        assert result.dice(damaged) == [own.what.faces[0][1], own.what.defence]
        assert "CH-STUN-01" in damaged.clauses


def test_a_reaction_leads_back_to_the_side_that_declared_it_and_the_attack_to_its_order() -> None:
    result = with_all(battle(), (Fire(0, 2), React(2, 0)), (Damaged, 2), (Damaged, 0))
    attack, reaction = result.last(AttackResolved, shooter=0), result.last(AttackResolved, shooter=2)
    assert "ReactionDeclared" in result.events(reaction)
    assert "ReactionDeclared" not in result.events(attack)
    assert "Ordered" in result.events(attack)
    assert attack.number in result.last(Damaged, unit=2).because
    assert reaction.number not in result.last(Damaged, unit=2).because
    assert reaction.number in result.last(Damaged, unit=0).because
    assert attack.number not in result.last(Damaged, unit=0).because


def test_models_are_lost_by_the_damage_and_each_choice_of_a_casualty_counts_for_its_own_unit() -> None:
    t = battle(3)
    result = with_all(t, (Fire(0, 2), Fire(1, 3)), (ModelDestroyed, 2), (ModelDestroyed, 3))
    named = 0
    for unit in (2, 3):
        lost = result.last(ModelDestroyed, unit=unit)
        assert result.last(Damaged, unit=unit).number in lost.because
        models = [action.model for action in result.decisions(lost) if isinstance(action, Lose)]
        assert all(t.models[model].unit == unit for model in models)
        named += len(models)
    assert named


def test_a_point_leads_back_over_the_unit_that_was_destroyed_to_the_attack_on_it() -> None:
    result = with_all(battle(1), (Fire(0, 2), Fire(1, 3)), (Scored, 2))
    scored = result.last(Scored, unit=2)
    assert result.last(UnitDestroyed, unit=2).number in scored.because
    assert Fire(0, 2) in result.decisions(scored)
    assert Fire(1, 3) not in result.decisions(scored)
    assert result.last(AttackResolved, shooter=0).what in result.back(scored)
    assert result.last(AttackResolved, shooter=1).what not in result.back(scored)


def test_a_mark_leads_back_to_the_decision_to_set_it_and_not_to_the_one_before() -> None:
    t = scene(
        put(0, "light-tank", (20, 10)),
        put(0, "light-tank", (60, 10)),
        put(0, "artillery", (90, 10)),
        put(1, "heavy-tank", (20, 20)),
        put(1, "heavy-tank", (60, 20)),
        cp=(9, 0),
    )
    result = played(t, 1, MarkTarget(0, 3), MarkTarget(1, 4))
    for unit, target in ((0, 3), (1, 4)):
        marked = result.last(Marked, unit=unit)
        assert result.decisions(marked) == [MarkTarget(unit, target)]
        assert "CH-MARK-05" in marked.clauses


def test_an_objective_leads_back_to_the_move_that_reached_it_and_what_it_gives_to_that() -> None:
    mill = Objective(name="The mill", x=5000, y=5000, r=200, benefit=Effect(what="points", amount=2))
    t = scene(
        put(0, "light-tank", (50, 58), models=1),
        put(0, "light-tank", (20, 58), models=1),
        put(1, "light-tank", (90, 100), models=1),
        objectives=[mill],
        cp=(9, 0),
    )
    went = Move(unit=0, paths=((0, ((5000, 5800), (5000, 5300))),))
    aside = Move(unit=1, paths=((1, ((2000, 5800), (2000, 5300))),))
    result = played(t, 1, went, aside, at=Game(at="take_turn"), acts=12)
    captured, secured = result.last(Captured, objective=0), result.last(Secured, objective=0)
    assert secured.act > captured.act
    assert captured.number in secured.because
    for link in (captured, secured):
        assert result.decisions(link) == [went]
    assert "CH-OBJ-03" in secured.clauses


def test_the_attack_of_a_rush_leads_back_to_the_charge_that_wrote_its_order() -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(0, "infantry", (80, 20)),
        put(0, "medium-tank", (50, 10)),
        put(1, "light-tank", (20, 30)),
        put(1, "light-tank", (80, 30)),
        army=("asori", "alliance"),
        cp=(9, 9),
    )
    charges = {0: Charge(0, 3, 1500), 1: Charge(1, 4, 1500)}
    result = played(t, 1, charges[0], charges[1], acts=14)
    for unit, target in ((0, 3), (1, 4)):
        arrived = result.last(ChargeArrived, unit=unit)
        written = next(link for link in result.links if isinstance(link.what, Ordered) and link.what.order.unit == unit)
        assert arrived.number in written.because
        for link in (written, result.last(AttackResolved, shooter=unit, target=target)):
            assert [a for a in result.decisions(link) if isinstance(a, Charge)] == [charges[unit]]
            assert not any(isinstance(a, EndStep) for a in result.decisions(link))
