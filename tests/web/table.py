"""A person at the page, who finds controls by visible roles and names."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page


class Table:
    """A page of the browser.

    Args:
        page: The page.
        address: The server's address.
    """

    confirms_always = True
    """True if every answer must be confirmed, even one that could be taken back."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        if self.confirms_always:
            page.add_init_script("localStorage['caltrop.confirming'] = 'always'")
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        # Acts are not animated, unless `watches` is called.
        page.add_init_script("localStorage.setItem('caltrop.pace', localStorage.getItem('caltrop.pace') ?? 'instant')")

    def watches(self, pace: str = "usual") -> None:
        """Animate the acts of others from the next page on, as people see them."""
        self.page.add_init_script(f"localStorage.setItem('caltrop.pace', '{pace}')")

    def draw_symbols(self) -> None:
        """Draw the table with symbols on discs and a plate at every unit, instead of painted pieces."""
        self.page.add_init_script("localStorage.setItem('caltrop.style', 'symbols')")

    def open(self, path: str = "/") -> None:
        """Open a path of the server."""
        self.page.goto(self.address + path)

    def begin(self, *seats: str, scenario: str = "bridge", ruleset: str = "duel", **more: Any) -> str:
        """Make a game, store its secrets as the lobby does, and sit down. Return the game's id."""
        expected = {"ruleset": ruleset, "scenario": scenario, "seats": list(seats), **more}
        made = self.page.request.post(self.address + "/api/games", data=expected)
        assert made.ok, made.text()
        words = made.json()
        fragment = "&".join(f"{seat['side']}={seat['token']}" for seat in words["seats"] if seat["token"])
        self.open(f"/{words['game']}#{fragment}")
        game: str = words["game"]
        return game

    @property
    def question(self) -> Locator:
        """The current question."""
        return self.page.locator("#question")

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """Return a button by its name."""
        return self.page.get_by_role("button", name=name)

    def row(self, name: str) -> Locator:
        """Return the row of a unit in the list of units, and open the list first if it is behind a tab."""
        row = self.page.locator("[data-row]").filter(has_text=name).first
        row.wait_for(state="attached")
        if not row.is_visible():
            self.page.get_by_role("group", name="What is shown").get_by_role("button", name="Units").click()
        return row

    @property
    def confirm(self) -> Locator:
        """Return the confirm button."""
        return self.page.locator('.bar [data-does="confirm"]')

    @property
    def may_confirm(self) -> bool:
        """Return True if an answer is prepared that can be confirmed."""
        return self.confirm.count() > 0 and self.confirm.is_enabled()

    @property
    def log(self) -> Locator:
        """The list of log lines."""
        return self.page.get_by_role("log")

    def whole_log(self) -> str:
        """Return the text of the whole log, with every round unfolded."""
        folded = self.log.get_by_role("heading").get_by_role("button", expanded=False)
        while folded.count():
            # The headings of rounds scrolled past stay at the top, where only the last one is visible.
            self.log.evaluate("log => (log.scrollTop = 0)")
            folded.first.click()
        return self.log.inner_text()

    def choose(self, name: str | re.Pattern[str]) -> None:
        """Choose an offer, and confirm it if it waits for that."""
        self.listed(name)
        self.page.locator(".orders, .commit").get_by_role("button", name=name).first.click()
        self.settle()

    def listed(self, name: str | re.Pattern[str]) -> None:
        """Open the folded list that contains an offer, if it is folded."""
        button = self.page.get_by_role("button", name=name, include_hidden=True)
        self.page.locator(".orders, .commit").filter(has=button).first.wait_for(state="attached")
        closed = self.page.locator(".orders details:not([open])").filter(has=button)
        if closed.count() > 0:
            closed.first.locator("summary").first.click()

    def settle(self, key: str = "") -> None:
        """Wait until the server has answered, and confirm a chosen answer that waits, by the button or by a key."""
        rests = self.page.locator('.bar[aria-busy="false"]').or_(self.page.get_by_role("dialog"))
        # The confirm bar disappears when the game is over.
        rests.or_(self.page.get_by_role("link", name=re.compile("Play again|The battle in full"))).first.wait_for()
        if not self.may_confirm or self.page.locator(".bar[data-aimed]").count():
            return
        if key:
            self.page.keyboard.press(key)
        else:
            self.confirm.click()

    def is_wide(self) -> bool:
        """Return True if an element makes the page wider than its window."""
        wide: bool = self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        return wide
