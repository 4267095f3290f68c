"""The terminal in German: every part of its screens, from the lobby to the end of a battle."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from caltrop import cli
from caltrop.languages import everything
from caltrop.languages.translator import Translator
from caltrop.terminal.app import Terminal
from caltrop.terminal.sitting import Sitting
from tests.terminal.playing import Driver, answer, my_turn, pane

Sit = Callable[[], Sitting]
SMALL = (80, 24)
ENGLISH = re.compile(r"\b(the|which|your|units|turn|wins|moves|takes|there|choose|Enter take|of)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def german() -> Callable[[str], Callable[[str], str]]:
    """Return the translation of the terminal into German, for each game."""
    return lambda game: Translator(everything("de", game), "de").lines


def all_german(driver: Driver, *parts: str) -> None:
    for part in parts:
        text = pane(driver, part)
        assert not ENGLISH.search(text), text


async def test_a_duel_is_played_in_german(sit: Sit, german: Callable[[str], Callable[[str], str]]) -> None:
    sitting = sit()
    await sitting.begin({"ruleset": "duel", "seats": ["person", "random"]})
    async with Terminal(sitting, german).run_test(size=SMALL) as driver:
        await my_turn(driver)
        await driver.pause(0.1)
        assert "Wie viel Atem setzt du" in pane(driver, "choices")
        await driver.press("question_mark")
        await driver.pause(0.1)
        all_german(driver, "sheet")
        await driver.press("escape")
        while (await my_turn(driver)).view.over is None:
            await answer(driver)
            await driver.pause(0.05)
            all_german(driver, "top", "choices", "log", "message", "keys")
        assert "Das Spiel ist vorbei" in pane(driver, "choices")


async def test_the_lobby_asks_in_german(sit: Sit, german: Callable[[str], Callable[[str], str]]) -> None:
    async with Terminal(sit(), german).run_test(size=SMALL) as driver:
        await driver.pause(0.1)
        all_german(driver, "head", "menu", "note")
        for _ in range(4):
            await driver.press("down", "down", "enter")
            await driver.pause(0.1)
            all_german(driver, "head", "menu", "note")


def test_a_language_without_catalogs_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", "duel", "--terminal", "--language", "du"]) == cli.INPUT_WRONG
    assert "it is one of en, de, fr" in capsys.readouterr().err
    assert cli.main(["play", "duel", "--language", "de"]) == cli.USAGE_WRONG
    assert "Settings" in capsys.readouterr().err
