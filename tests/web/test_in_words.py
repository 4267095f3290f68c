"""Whole games through the accessibility tree alone, without a pointer or pictures: only roles and names."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.table import Table

AWAY = re.compile(r"([\d.]+) (?:cm|in)(?: \([^)]*\))? (north|south|east|west)")
TAKEN_BACK = "Take its order back"
POINTED = """window.pointed = 0;
for (const kind of ['pointerdown', 'pointermove', 'mousedown', 'touchstart'])
  addEventListener(kind, () => window.pointed++, true);"""
"""Script that counts the events of a pointer."""


class Listener:
    """A user of a screen reader, who answers with keys.

    Args:
        table: A table with a game that has begun.
        blow: Beginning of the names of attacks, which are given before other answers.
    """

    def __init__(self, table: Table, blow: str = "Fire at ") -> None:
        self.page: Page = table.page
        self.blow = blow
        # The drawing is removed from the screen and from the accessibility tree.
        self.page.add_style_tag(content='svg, canvas, [aria-label="The table"] { visibility: hidden !important }')
        self.bar = self.page.get_by_role("group", name="Confirm, cancel, undo")
        self.panel = self.page.get_by_role("region", name="Orders and log")
        self.confirm = self.bar.locator('[data-does="confirm"]')
        self.tried: set[tuple[str, str, str]] = set()
        self.moves: list[str] = []
        self.given: list[str] = []
        self.page.keyboard.press("t")
        expect(self.panel.get_by_role("combobox", name="Seen from")).to_be_visible()

    @property
    def question(self) -> str:
        """The current question."""
        return self.panel.get_by_role("heading", level=2).first.inner_text()

    @property
    def over(self) -> bool:
        """Return True if the game is over."""
        return self.page.get_by_role("link", name="Play again").count() > 0

    def press(self, control: Locator) -> None:
        """Focus a control and press its key."""
        control.focus()
        self.page.keyboard.press("Enter")

    def settle(self) -> None:
        """Wait for the effect of an answer."""
        self.page.wait_for_timeout(40)
        rests = self.page.locator('[role=group][aria-label="Confirm, cancel, undo"][aria-busy="false"]')
        rests.or_(self.page.get_by_role("link", name="Play again")).or_(
            self.page.get_by_role("dialog")
        ).first.wait_for()

    def nearest(self) -> str:
        """Return the enemy nearest to the chosen unit, by the table in words."""
        enemies = (
            self.panel.get_by_role("region").filter(has_text=re.compile("your range|sees")).get_by_role("listitem")
        )
        far = [
            (float(match[1]), text.split(":")[0]) for text in enemies.all_inner_texts() if (match := AWAY.search(text))
        ]
        return min(far)[1] if far else ""

    def say(self, form: Locator, unit: str) -> bool:
        """Move the chosen unit by its purpose: into range of the nearest enemy, else towards it, else into cover."""
        how = form.get_by_role("combobox", name="How", exact=True)
        ways = how.get_by_role("option").all_inner_texts()
        enemy = self.nearest()
        for way in ("until in range of", "towards", "into cover from", "at"):
            if way not in ways or (unit, self.question, way) in self.tried:
                continue
            self.tried.add((unit, self.question, way))
            how.select_option(label=way)
            there = form.get_by_role("combobox", name=re.compile("Target|From which enemy"))
            names = there.get_by_role("option").all_inner_texts()
            there.select_option(index=max([i for i, name in enumerate(names) if name == enemy], default=len(names) - 1))
            self.press(form.get_by_role("button", name="Prepare it"))
            status = form.get_by_role("status")
            expect(status).not_to_be_empty(timeout=30000)
            self.moves.append(f"{unit} {way} {enemy}: {status.inner_text()}")
            if "in range already" in self.moves[-1]:
                return False
            try:
                expect(self.confirm).to_be_enabled(timeout=400)
            except AssertionError:
                cancel = self.bar.get_by_role("button", name="Cancel")
                if cancel.count() > 0 and cancel.is_enabled():
                    self.press(cancel)
                continue
            self.press(self.confirm)
            self.settle()
            return True
        return False

    def answers(self, part: Locator) -> list[str]:
        """Return the names of the answers in a part of the panel, without those that begin a drag or choose a unit."""
        items = [one for one in part.get_by_role("button").all() if one.is_visible()]
        names = [" ".join(one.inner_text().split()) for one in items]
        units = part.get_by_role("list", name="Units that can act").get_by_role("button").all_inner_texts()
        return [
            name
            for name in names
            if name and not name.endswith(("arrow keys", "the table")) and name not in (*units, TAKEN_BACK)
        ]

    def answer(self, part: Locator, who: str) -> bool:
        """Give the first answer that has not been tried; an attack comes first."""
        before = self.question
        for name in sorted(self.answers(part), key=lambda name: not name.startswith(self.blow)):
            if (who, before, name) in self.tried:
                continue
            self.tried.add((who, before, name))
            button = part.get_by_role("button", name=name).first
            if not button.is_enabled():
                continue
            self.press(button)
            self.settle()
            if self.confirm.count() > 0 and self.confirm.is_enabled():
                self.press(self.confirm)
                self.settle()
            self.given.append(name)
            return True
        return False

    def act(self) -> None:
        """Take one step to answer the current question."""
        skip = self.bar.get_by_role("button", name="Skip ahead")
        if skip.count() > 0:
            self.press(skip)
            return
        question = self.question
        if question.startswith("Waiting for") or question.endswith((" acts", "is over")):
            self.page.wait_for_timeout(50)
            return
        if self.confirm.count() > 0 and self.confirm.is_enabled():
            # The listener accepts the suggestion.
            self.press(self.confirm)
            self.settle()
            return
        seen_from = self.panel.get_by_role("combobox", name="Seen from")
        for option in seen_from.get_by_role("option").filter(has_text=", may act").all_inner_texts():
            seen_from.select_option(label=option)
            unit = option.removesuffix(", may act")
            part = self.panel.get_by_role("region", name=f"What {unit} may do")
            form = self.panel.get_by_role("form", name=unit)
            if form.count() > 0 and self.say(form, unit):
                return
            if part.count() > 0 and self.answer(part, unit):
                return
        if self.answer(self.panel.get_by_role("region", name=question, exact=True), ""):
            return
        self.page.keyboard.press("Shift+Enter")
        self.settle()


@pytest.mark.at_once
@pytest.mark.parametrize(
    ("ruleset", "scenario", "blow"),
    [("command-horizon", "first-battle", "Fire at "), ("blade-skirmish", "cut-them-down", "Attack ")],
)
def test_a_whole_game_is_played_by_words_alone(table: Table, ruleset: str, scenario: str, blow: str) -> None:
    table.page.add_init_script(POINTED)
    table.begin("person", "easy", ruleset=ruleset, scenario=scenario, placed=True)
    expect(table.question).not_to_be_empty(timeout=20000)
    listener = Listener(table, blow)
    for _ in range(600):
        if listener.over:
            break
        listener.act()
    assert listener.over
    assert table.page.evaluate("window.pointed") == 0
    # Units were moved by purpose, the result was reported in words, and units attacked.
    assert len([words for words in listener.moves if " then" in words]) >= 3
    assert any(name.startswith(blow) for name in listener.given)
    assert table.errors == []
