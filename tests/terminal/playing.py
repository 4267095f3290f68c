"""Helpers for playing by keyboard: wait for a turn, read the screen, and answer any question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot

from caltrop.terminal.app import Terminal
from caltrop.terminal.desk import Desk
from caltrop.terminal.dialogs import Curtain, TextPage
from caltrop.terminal.pane import CharacterBoard, Pane
from caltrop.terminal.screen import GameScreen

Driver = Pilot[Any]


def screen(driver: Driver) -> GameScreen:
    """Return the table screen, even under a dialog."""
    app = driver.app
    assert isinstance(app, Terminal)
    return next(shown for shown in reversed(app.screen_stack) if isinstance(shown, GameScreen))


def desk(driver: Driver) -> Desk:
    """Return the desk of the current player."""
    return screen(driver).desk


def is_shown(driver: Driver, kind: type) -> bool:
    """Return whether a screen of that kind is on top."""
    return isinstance(driver.app.screen, kind)


def pane(driver: Driver, name: str) -> str:
    """Return the text of a part of the screen."""
    query_one = driver.app.screen.query_one(f"#{name}")
    assert isinstance(query_one, Pane | CharacterBoard)
    return query_one.text()


async def my_turn(driver: Driver) -> Desk:
    """Wait until the person is asked something, or the game is over."""
    for _ in range(6000):
        await driver.pause(0.01)
        if isinstance(driver.app.screen, Curtain | TextPage):
            await driver.press("enter")
            continue
        here = desk(driver)
        if here.view.over is not None or here.decision is not None:
            return here
    raise AssertionError("nobody's turn comes")


async def write(driver: Driver, text: str) -> None:
    """Type something."""
    await driver.press(*["comma" if c == "," else "full_stop" if c == "." else c for c in text])


async def drawn(driver: Driver) -> None:
    """Wait until the proposal is drawn. Enter confirms only a proposal that has been seen."""
    here = desk(driver)
    for _ in range(500):
        if here.drawn is here.proposal:
            return
        await driver.pause(0.01)
    raise AssertionError("the proposal is not drawn")


async def answer(driver: Driver, at: int = 0, then: Callable[[int], int] | None = None) -> str:
    """Answer the current question by keyboard, at the table if the choice is open.

    Args:
        driver: The screen.
        at: The number of the listed choice, from 0.
        then: Chooses the number of the second part of a choice, given how many there are; by default the first.

    Returns:
        The kind of the decision.
    """
    here = await my_turn(driver)
    assert here.decision is not None
    asked, acts = here.decision, here.sitting.table.game.acts
    choice = here.listed[at]
    await write(driver, str(at + 1))
    await driver.press("enter")
    if choice.more:
        # The choice has a second part, whose options replace the list.
        assert here.begun is choice
        assert here.listed == list(choice.more)
        at = 0 if then is None else then(len(choice.more))
        choice = choice.more[at]
        await write(driver, str(at + 1))
        await driver.press("enter")
    refused = ""
    if choice.region is not None:
        assert here.pointing is choice.region
        # The cursor goes towards the middle of the table, as far as one key press takes it.
        x, y = here.cursor
        middle = (here.picture.width // 2, here.picture.height // 2)
        keys = ["right" if middle[0] > x else "left", "up" if middle[1] > y else "down"]
        await driver.press(*keys, "enter")
        if here.proposal is not None and here.proposal.action is not None:
            assert "✓" in here.message
            await drawn(driver)
            await driver.press("enter")
        elif here.nearest is not None:
            assert "✗" in here.message
            await driver.press("a")
        else:
            refused = f"{choice.region.act or choice.region.form}: {here.message} "
            await driver.press("escape", "escape", "escape", "escape")
            await driver.press("e")
    for _ in range(3000):
        if here.sitting.table.game.acts > acts:
            return asked.kind
        await driver.pause(0.02)
    raise AssertionError(f"{asked.kind} was not answered: {refused}{here.message}")
