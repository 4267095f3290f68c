"""An attack at the table can be written as a request, for which the page of odds gives the same odds."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import caltrop
from caltrop.chance import Seeded
from caltrop.engine import Match, ruleset, total
from caltrop.rules.command_horizon import preview as horizon_preview
from caltrop.rules.hex_command import preview as hex_preview

GAMES: dict[str, tuple[Any, Any]] = {
    "command-horizon": (horizon_preview.preview, caltrop.odds),
    "hex-command": (hex_preview.preview, caltrop.odds),
}


def attacks(name: str, seed: int, scenario: str, armies: tuple[str, ...], rules: dict[str, Any]) -> list[Any]:
    """Yield forecasts of acts that are offered in a random game."""
    book = ruleset(name)
    match = Match(book, book.setup(book.book(None, rules), scenario, armies), Seeded(seed), record=False)
    dice, result = Seeded(f"choices {seed}"), []
    while match.over is None and len(match.history) < 250:
        asked = match.waiting[0]
        view = match.view(asked.side)
        options = asked.options(view)
        actions = [options.sample(dice) for _ in range(4)]
        for action in actions:
            seen = GAMES[name][0](view, asked.side, action, asked)
            if seen is not None:
                result += [seen, *seen.answers, *seen.also]
        match.play(asked.side, actions[0], asked)
    return result


@pytest.mark.parametrize(
    ("name", "scenario", "armies", "rules"),
    [
        ("command-horizon", "meeting-engagement", ("alliance-7", "asori-7"), {}),
        ("command-horizon", "meeting-engagement", ("putredine-7", "alliance-7"), {"stun.infantryDice": "no"}),
        ("hex-command", "crossroads", (), {}),
        ("hex-command", "hold-the-bastion", (), {}),
    ],
)
def test_the_odds_of_the_request_are_those_of_the_attack(
    name: str, scenario: str, armies: tuple[str, ...], rules: dict[str, Any]
) -> None:
    compared = 0
    for seed in range(4):
        for seen in attacks(name, seed, scenario, armies, rules):
            if seen.request is None:
                continue
            compared += 1
            answer = GAMES[name][1](msgspec.json.decode(msgspec.json.encode(seen.request)))
            count = answer["attack_dice" if "attack_dice" in answer else "battle_dice"]
            assert count == total(seen.thrown[0].parts)
            mine = [{**one.parts, "probability": one.probability} for one in seen.outcomes]
            assert _chances(mine) == _chances(answer["outcomes"])
            assert seen.request.get("rules") == rules
    assert compared > 10


def _chances(outcomes: Any) -> list[Any]:
    """Return the results with their chances, without words."""
    return sorted(sorted((key, value) for key, value in one.items() if key not in ("words", "p")) for one in outcomes)
