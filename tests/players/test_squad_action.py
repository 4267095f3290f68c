"""The players of Squad Action: legal everywhere, the same from equal seeds, blind to tokens, and not silly."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.chance import Seeded
from caltrop.engine import Decision, Listed, digest
from caltrop.journal import Setting
from caltrop.lab.series import Order as Series
from caltrop.lab.series import play_game
from caltrop.players import player
from caltrop.players.squad_action import PLAYERS, Heuristic

GAME = "squad-action"


def setting(scenario: str, armies: tuple[str, ...] = (), rules: dict[str, Any] | None = None) -> Setting:
    return Setting(ruleset=GAME, edition="current", scenario=scenario, armies=armies, rules=rules or {})


# --- what every player owes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["first-battle", "hold-the-crossroads", "break-through-orchard"])
@pytest.mark.parametrize("name", list(PLAYERS))
def test_every_answer_is_legal(name: str, scenario: str) -> None:
    match = setting(scenario).begin(Seeded(f"{name} {scenario}"), keep=False)
    sides = [player(name, GAME), player("greedy", GAME)]
    dice = [Seeded(1), Seeded(2)]
    while match.over is None:
        asked = match.waiting[0]
        view = match.view(asked.side)
        action = sides[asked.side].decide(asked, view, dice[asked.side])
        refusal = asked.options(view).refusal(action)
        assert refusal is None, (asked, action, refusal)
        match.follow(asked, action)


def test_equal_seeds_give_equal_games() -> None:
    order = Series(setting=setting("first-battle"), players=("heuristic", "greedy"), games=2, seed=11, swap=True)
    assert play_game(order, 0).digest == play_game(order, 0).digest != play_game(order, 1).digest


def test_thinking_changes_no_view() -> None:
    match = setting("first-battle").begin(Seeded(5), keep=False)
    sides = [Heuristic(), Heuristic()]
    while match.over is None:
        asked = match.waiting[0]
        view = match.view(asked.side)
        before = digest(view)
        action = sides[asked.side].decide(asked, view, Seeded(1))
        assert digest(view) == before
        match.follow(asked, action)


class Strange(Decision, frozen=True, kw_only=True):
    """A decision that no player knows."""

    def options(self, t: Any) -> Any:
        return Listed(["this", "that"])


@pytest.mark.parametrize("name", list(PLAYERS))
def test_an_unknown_decision_is_answered_by_some_option(name: str) -> None:
    assert player(name, GAME).decide(Strange(side=0), None, Seeded(1)) in ("this", "that")
