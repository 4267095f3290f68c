"""Games of one side that somebody plays: the lobby asks for one army, and against nobody."""

from __future__ import annotations

from collections.abc import Callable

from caltrop.engine import ruleset
from caltrop.terminal.app import Terminal
from caltrop.terminal.custom import Custom
from caltrop.terminal.lobby import Lobby
from caltrop.terminal.sitting import Sitting
from tests.terminal.playing import my_turn, pane

Sit = Callable[[], Sitting]


def custom(scenario: str) -> Custom:
    """A scenario, as usual."""
    game = ruleset("blade-skirmish")
    return Custom(game, next(card for card in game.scenarios() if card.id == scenario))


async def test_one_player_chooses_one_army_and_plays_against_the_rules(sit: Sit) -> None:
    sitting = sit()
    async with Terminal(sitting).run_test(size=(80, 24)) as driver:
        await driver.pause()
        lobby = driver.app.screen
        assert isinstance(lobby, Lobby)
        await lobby.take(ruleset("blade-skirmish"))
        await lobby.take(custom("run-the-gauntlet"))
        await lobby.take(None)
        assert "Which army for your side?" in pane(driver, "head")
        await lobby.take("old-guard")
        assert "Who plays?" in pane(driver, "head")
        assert "The rules move the other side" in pane(driver, "menu")
        assert "Watch the computer play" in pane(driver, "menu")
        await lobby.take(["person"])
        await lobby.take("server")
        await my_turn(driver)
        view = sitting.view()
        assert [(seat.name, seat.player) for seat in view.seats] == [("Old Guard", "person"), ("Night Watch", "rules")]
        assert view.waiting_for == (0,)


async def test_two_players_are_still_asked_for_two_armies(sit: Sit) -> None:
    async with Terminal(sit()).run_test(size=(80, 24)) as driver:
        await driver.pause()
        lobby = driver.app.screen
        assert isinstance(lobby, Lobby)
        await lobby.take(ruleset("blade-skirmish"))
        await lobby.take(custom("blood-price"))
        await lobby.take(None)
        assert "Which army for the first side?" in pane(driver, "head")
        await lobby.take("old-guard")
        assert "Which army for the second side?" in pane(driver, "head")
        await lobby.take("even-hands")
        assert "You against" in pane(driver, "menu")
