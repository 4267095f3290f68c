"""Limits of points that the lobby tells: armies within them are played, and a larger size makes room for others."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from caltrop.engine import ArmyCard, ScenarioCard, ruleset, rulesets
from caltrop.errors import InputError

LIMITED = [
    (game, card) for game in rulesets() for card in ruleset(game).scenarios() if card.limits and card.takes_armies
]


def share(card: ScenarioCard, side: int, size: int) -> int:
    """Return what the army of a side may cost in a battle of a size."""
    return size * card.limits[side] // max(card.limits)


def fits(army: ArmyCard, most: int) -> bool:
    return any(cost <= most for cost in (army.points or 0, *[part.points for part in army.parts]))


@pytest.mark.parametrize(("game", "card"), [pytest.param(game, card, id=f"{game}-{card.id}") for game, card in LIMITED])
def test_an_army_fights_exactly_where_it_or_a_part_of_it_fits(game: str, card: ScenarioCard) -> None:
    rules = ruleset(game)
    for army in rules.armies():
        fitting = all(fits(army, limit) for limit in card.limits)
        with nullcontext() if fitting else pytest.raises(InputError, match="agreed on"):
            rules.setup(rules.book(), card.id, [army.id, army.id])
        needed = max(
            -(-min(army.points or 0, *[part.points for part in army.parts], 10**9) * max(card.limits) // limit)
            for limit in card.limits
        )
        if not fitting:
            rules.setup(rules.book(), card.id, [army.id, army.id], needed)


def test_some_scenarios_have_limits_and_some_armies_have_parts() -> None:
    assert {game for game, _ in LIMITED} == {"hex-command", "blade-skirmish", "squad-action"}
    assert any(army.parts for army in ruleset("squad-action").armies())
