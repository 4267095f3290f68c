"""Whole battles of Hex Command in the browser: one by keyboard alone, and some turns by touch on a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.table import Table
from tests.web.whole import ANSWERS, by_finger, by_keys

ORDERS = ".orders .group:not(.final) li button"
"""The answers that do not end a step."""


def test_a_whole_battle_by_the_keyboard_alone(table: Table) -> None:
    """Each turn plays the first playable card by its number. The choices of the next unit are reached with Tab."""
    page, keys = table.page, table.page.keyboard
    expected = ("Which card do you play", "Which unit do you order", "Which unit do you move", "Which unit battles")
    questions: set[str] = set()

    def special(asked: str) -> bool:
        questions.add(asked)
        if page.locator(".fan .may").count():
            places = page.locator(".fan .card").evaluate_all("all => all.map((e) => e.classList.contains('may'))")
            keys.press(str(places.index(True) + 1))
        elif page.locator(ORDERS).count():
            keys.press("n")
            keys.press("o")
            for _ in range(40):
                keys.press("Tab")
                if page.evaluate("document.activeElement?.matches('.group details:not([open]) > summary') === true"):
                    keys.press("Enter")  # a long list has to be unfolded first
                if page.evaluate(f"document.activeElement?.matches('{ANSWERS}') === true"):
                    break
            else:
                raise AssertionError(f"no answer is reached by Tab: {asked}")
            keys.press("Enter")
        else:
            return False
        table.settle("Enter")
        return True

    for _ in range(3):  # such a player is sometimes beaten before any of its units can battle
        table.begin("person", "easy", ruleset="hex-command", scenario="first-battle")
        by_keys(table, special)
        if all(any(words in question for question in questions) for words in expected):
            break
    else:
        raise AssertionError((expected, questions))
    expect(page.get_by_role("group", name="Confirm, cancel, undo")).to_have_count(0)
    for name in ("Play again", "Replay", "Lobby"):
        expect(page.locator(".orders").get_by_role("link", name=name)).to_be_visible()
    assert table.errors == []


def test_some_turns_by_a_finger_on_a_phone(phone: Table) -> None:
    """Every answer is visible and uncovered when it is tapped. A tap that misses fails the test."""
    phone.begin("person", "easy", ruleset="hex-command", scenario="first-battle")
    page = phone.page
    bar = page.get_by_role("group", name="Confirm, cancel, undo")

    def special(asked: str) -> bool:
        orders = page.locator(ORDERS)
        if page.locator(".fan .may").count():
            page.locator(".fan .may").first.tap()
        elif orders.count():
            listed = page.locator(".orders .group details:not([open]) summary").first
            if listed.is_visible():
                listed.tap()
            first, foot = orders.first.bounding_box(), bar.bounding_box()
            assert first is not None
            assert foot is not None
            assert first["y"] + first["height"] <= foot["y"], "the first answer is seen without scrolling"
            orders.first.tap()
        else:
            return False
        phone.settle()
        return True

    by_finger(phone, special, lambda: page.locator(".round").first.inner_text().startswith("Round 4"))
    assert not phone.is_wide()
    assert phone.errors == []


def test_every_card_can_be_read_whole(table: Table) -> None:
    """The foot of the card, below its words, is within the card, and the card is within the window."""
    for width, height in ((1440, 900), (1024, 768)):
        table.page.set_viewport_size({"width": width, "height": height})
        table.begin("person", "easy", ruleset="hex-command", scenario="crossroads")
        expect(table.page.get_by_role("list", name="Your hand").get_by_role("button")).to_have_count(5)
        cut = table.page.locator(".fan .card").evaluate_all(
            """(cards) => cards.filter((card) => {
              const box = card.getBoundingClientRect();
              const foot = card.querySelector('.foot').getBoundingClientRect();
              return foot.bottom > box.bottom || box.bottom > innerHeight || box.right > innerWidth;
            }).map((card) => card.textContent)"""
        )
        assert cut == [], (width, height)
        assert table.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
