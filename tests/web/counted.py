"""A person at a table whose inputs are counted. A click, a tap, a drag and a keystroke are one input each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, expect

from tests.web.table import Table


class Counted:
    """A person at a table, whose inputs are counted.

    Args:
        table: The table.
        game: The id of the game.
        token: The secret of the seat.
    """

    def __init__(self, table: Table, game: str, token: str) -> None:
        self.table, self.page = table, table.page
        self.inputs = 0
        self._messages = f"{table.address}/api/games/{game}/messages"
        self._game = f"{table.address}/api/games/{game}"
        self._seat = {"Authorization": f"Bearer {token}"}

    @classmethod
    def begin(cls, table: Table, **expected: Any) -> Counted:
        """Make a game, and sit down at its first seat for a person."""
        made = table.page.request.post(f"{table.address}/api/games", data={"seats": ["person", "easy"], **expected})
        assert made.ok, made.text()
        counted = made.json()
        token = next(seat["token"] for seat in counted["seats"] if seat["token"])
        return cls(table, counted["game"], token)

    def open(self) -> None:
        """Go to the page of the game."""
        self.table.open(f"/{self._game.rsplit('/', 1)[1]}#{self._seat['Authorization'].removeprefix('Bearer ')}")
        expect(self.table.question).not_to_be_empty()

    # Looking at the game, and messages from outside the page, are not inputs.

    def view(self) -> dict[str, Any]:
        """Return the player's view."""
        result: dict[str, Any] = self.page.request.get(self._game, headers=self._seat).json()
        return result

    def question_kind(self) -> str:
        """Return the kind of the decision that waits for the player; empty if none does."""
        decisions = self.view()["decisions"]
        return decisions[0]["kind"] if decisions else ""

    def say(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message about the waiting decision; return the answer."""
        decision = self.view()["decisions"][0]["id"]
        words: dict[str, Any] = self.page.request.post(
            self._messages, headers=self._seat, data={"decision": decision, **message}
        ).json()
        return words

    def place_of(self, unit: int) -> tuple[int, int]:
        """Return the place of a unit's leading model."""
        at = next(group for group in self.view()["picture"]["groups"] if group["id"] == unit)["pieces"][0]["at"]
        return at[0], at[1]

    def settle(self) -> None:
        """Wait until the server has answered and the page shows the answer."""
        self.page.wait_for_timeout(60)
        self.page.locator('.bar[aria-busy="false"]').or_(self.page.get_by_role("dialog")).first.wait_for()

    def until(self, done: Callable[[], bool]) -> bool:
        """Return True as soon as a condition holds; False if it does not within some seconds."""
        for _ in range(40):
            if done():
                return True
            self.page.wait_for_timeout(100)
        return False

    def moved(self, unit: int, before: tuple[int, int]) -> bool:
        """Wait until a unit has left its place; return False if it stays."""
        return self.until(lambda: self.place_of(unit) != before)

    def is_asked(self, kind: str) -> bool:
        """Wait until a decision of this kind waits for the player; return False if none comes."""
        return self.until(lambda: self.question_kind() == kind)

    # Inputs.

    def click(self, what: Locator) -> None:
        """Press a control with the mouse or a finger."""
        self.inputs += 1
        what.click()
        self.settle()

    def press(self, key: str) -> None:
        """Press a key."""
        self.inputs += 1
        self.page.keyboard.press(key)
        self.settle()

    def confirm(self) -> None:
        """Press the confirm button."""
        expect(self.table.confirm).to_be_enabled()
        self.click(self.table.confirm)

    def unit(self, unit: int) -> None:
        """Click a unit on the table."""
        self.inputs += 1
        self.page.mouse.click(*self.on_screen(unit))
        self.settle()

    def drag(self, unit: int, right: float, up: float) -> None:
        """Drag a unit by a number of pixels."""
        self.inputs += 1
        x, y = self.on_screen(unit)
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        for part in (0.4, 0.8, 1):
            mouse.move(x + right * part, y - up * part)
        mouse.up()
        self.settle()

    def on_screen(self, unit: int) -> tuple[float, float]:
        """Return the middle of a unit's leading model on the screen."""
        piece = self.page.locator(f'g.unit[data-unit="{unit}"] .piece').first
        piece.wait_for()
        box = piece.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
