"""Whole battles of Hex Command in the browser: by the keyboard alone, and some turns by a finger on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.table import Table

NOW = """() => {
  const shown = (e) => e !== null && e.getClientRects().length > 0;
  return {
    over: [...document.querySelectorAll('a')].some((e) => e.textContent === 'Play again'),
    skip: [...document.querySelectorAll('button')].some((e) => shown(e) && e.textContent.trim() === 'Skip ahead'),
    question: document.querySelector('#question')?.textContent ?? '',
    card: document.querySelectorAll('.fan .may').length,
    offers: document.querySelectorAll('.orders .group li button').length,
    confirm: document.querySelector('.bar .confirm')?.disabled === false,
    lines: document.querySelectorAll('[role=log] li').length,
    round: document.querySelector('.round')?.textContent ?? '',
  };
}"""
ANSWER = """() => document.activeElement?.matches('.orders .group li button') === true"""
CHANGED = ("over", "skip", "question", "card", "offers", "lines")


def now(table: Table) -> dict[str, Any]:
    """What the page shows."""
    found: dict[str, Any] = table.page.evaluate(NOW)
    return found


def wait(table: Table, before: dict[str, Any]) -> None:
    """Wait until something has changed."""
    for _ in range(100):
        after = now(table)
        if any(after[part] != before[part] for part in CHANGED):
            return
        table.page.wait_for_timeout(30)


def confirm(table: Table, how: Callable[[], None], before: dict[str, Any]) -> None:
    """Confirm what is prepared and not done at once, and wait for what comes of it."""
    table.page.locator('.bar[aria-busy="false"]').wait_for()
    if table.confirm.is_enabled():
        how()
    wait(table, before)


def answer_by_keys(table: Table, asked: dict[str, Any]) -> None:
    """Play the first card that may be played by its number; else choose the first answer by Tab, the next unit's."""
    keyboard = table.page.keyboard
    if asked["skip"]:
        keyboard.press("o")
        keyboard.press("Enter")
        wait(table, asked)
    elif asked["card"]:
        places = table.page.locator(".fan .card").evaluate_all("all => all.map((e) => e.classList.contains('may'))")
        keyboard.press(str(places.index(True) + 1))
        confirm(table, lambda: keyboard.press("Enter"), asked)
    elif asked["offers"]:
        keyboard.press("n")
        keyboard.press("o")
        for _ in range(40):
            keyboard.press("Tab")
            if table.page.evaluate(ANSWER):
                break
        keyboard.press("Enter")
        confirm(table, lambda: keyboard.press("Enter"), asked)
    else:
        wait(table, asked)


def test_a_whole_battle_by_the_keyboard_alone(table: Table) -> None:
    table.begin("person", "easy", ruleset="hex-command", scenario="first-battle")
    expect(table.question).not_to_be_empty(timeout=20000)
    questions: set[str] = set()
    for _ in range(600):
        asked = now(table)
        if asked["over"]:
            break
        questions.add(asked["question"])
        answer_by_keys(table, asked)
    assert now(table)["over"]
    for words in ("Which card do you play", "which unit do you order", "Which unit do you move", "Which unit battles"):
        assert any(words in question for question in questions), (words, questions)
    expect(table.page.get_by_role("group", name="Confirm, cancel, undo")).to_have_count(0)
    for name in ("Play again", "Replay", "Lobby"):
        expect(table.page.locator(".orders").get_by_role("link", name=name)).to_be_visible()
    assert table.errors == []


@pytest.fixture
def phone(browser: Browser, base_url: str) -> Iterator[Table]:
    """A page of a telephone, 360 pixels wide, with a finger and no mouse."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    yield Table(context.new_page(), base_url)
    context.close()


def test_some_turns_by_a_finger_on_a_phone(phone: Table) -> None:
    """Every answer that is tapped is on the screen, and not under anything else: a tap that misses fails."""
    phone.begin("person", "easy", ruleset="hex-command", scenario="first-battle")
    expect(phone.question).not_to_be_empty(timeout=20000)
    bar = phone.page.get_by_role("group", name="Confirm, cancel, undo")
    for _ in range(120):
        asked = now(phone)
        if asked["over"] or asked["round"].startswith("Round 4"):
            break
        if asked["skip"]:
            bar.get_by_role("button", name="Skip ahead").tap()
            wait(phone, asked)
        elif asked["card"]:
            phone.page.locator(".fan .may").first.tap()
            confirm(phone, phone.confirm.tap, asked)
        elif asked["offers"]:
            listed = phone.page.locator(".orders .group details:not([open]) summary").first
            if listed.is_visible():
                listed.tap()
            first = phone.page.locator(".orders .group li button").first
            box = first.bounding_box()
            assert box is not None
            foot = bar.bounding_box()
            assert foot is not None
            assert box["y"] + box["height"] <= foot["y"], "the first answer is seen without scrolling"
            first.tap()
            confirm(phone, phone.confirm.tap, asked)
        else:
            wait(phone, asked)
    assert now(phone)["round"].startswith("Round 4") or now(phone)["over"]
    assert not phone.is_wide()
    assert phone.errors == []


def test_every_card_can_be_read_whole(table: Table) -> None:
    """Its foot, which stands under its words, is within the card, and the card within the window."""
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
