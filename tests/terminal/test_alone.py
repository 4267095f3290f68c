"""Games of one side: the lobby asks for one army and for no opponent."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from caltrop.engine import ruleset
from caltrop.terminal.app import Terminal
from caltrop.terminal.custom import Custom
from caltrop.terminal.lobby import Lobby
from caltrop.terminal.sitting import Sitting
from tests.terminal.playing import answer, my_turn, pane

Sit = Callable[[], Sitting]


def custom(scenario: str) -> Custom:
    """Return the settings of a scenario, unchanged."""
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
        # The acts of the rules are shown fighter by fighter.
        game = sitting.table.game
        while not game.log.done:
            here = await my_turn(driver)
            if any(choice.final for choice in here.every):
                await driver.press("e")
            else:
                await answer(driver)
        here = await my_turn(driver)
        asked, [(act, done)] = here.decision, game.log.done.items()
        await driver.press("b")
        words = []
        for step, one in enumerate(done[:-1]):
            assert here.moment is not None
            assert f"After act {act} of {game.acts}, {step + 1} of {len(done)} of it" in pane(driver, "message")
            assert here.view.log[-1].n == one.lines[0]
            words.append({group.id: group.pieces for group in here.picture.groups if group.side == 1})
            await driver.press("greater_than_sign")
        assert all(before != after for before, after in pairwise(words[:4]))
        assert here.moment is None
        assert (await my_turn(driver)).decision == asked


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
