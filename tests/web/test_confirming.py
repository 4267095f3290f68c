"""An act is final only after confirmation, by the confirm button or a separate press of Enter."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import hexes, scene
from tests.web.table import Table
from tests.web.test_drawing import Scenery
from tests.web.test_hexes import Map
from tests.web.test_looks import select

Answers = Callable[[], list[str]]


def one_battle() -> dict[str, Any]:
    """Return a decision with battles of two units, the first of which has one target."""
    aimed = [
        hexes.offer("Fire at the Battle Tanks", unit=4, target=106, spot=list(hexes.MAP.centre("G5")), group="Battle"),
        *[
            hexes.offer(
                f"Fire at unit {target}", unit=6, target=target, spot=list(hexes.MAP.centre(at)), group="Battle"
            )
            for target, at in ((106, "G5"), (100, "G2"))
        ],
    ]
    return hexes.decision("Who fights?", *aimed, hexes.offer("End the turn", final=True))


def on_hexes(page: Page, address: str, asked: dict[str, Any]) -> Answers:
    """Open a map with a question; return a function that returns the answers so far."""
    return Map(page, address, hexes.view(asked)).answers


def on_a_table(page: Page, address: str) -> Answers:
    """Open a measured table with a chosen target; return a function that returns the answers so far."""
    laid = Scenery(page, address)
    select(page, 1)
    page.locator('g.unit[data-unit="103"] .piece').first.dispatch_event("click", {"bubbles": True})
    return lambda: [message["action"]["type"] for message in laid.heard if message["type"] == "answer"]


def press_repeatedly(page: Page, locator: Locator, answers: Answers) -> None:
    """Press a chosen answer again with the pointer and the space bar; assert that it is neither confirmed nor
    cleared.
    """
    expect(locator).to_have_attribute("aria-pressed", "true")
    locator.click()
    locator.dblclick()
    locator.focus()
    page.keyboard.press("Space")
    page.wait_for_timeout(150)
    assert answers() == []
    expect(locator).to_have_attribute("aria-pressed", "true")


def test_a_unit_with_one_battle_is_clicked_and_its_battle_too_and_none_is_fought(table: Table) -> None:
    laid = Map(table.page, table.address, hexes.view(one_battle()))
    laid.click("G7")
    listed = table.page.locator(".orders").get_by_role("button", name="Fire at the Battle Tanks")
    press_repeatedly(table.page, listed, laid.answers)
    for hex in ("G7", "G7", "G5", "G5"):
        laid.click(hex)
    assert laid.answers() == []
    table.confirm.click()
    assert laid.answers() == ["Fire at the Battle Tanks"]


EAGER = """
new MutationObserver(() => {
  const { eager } = window, prepared = document.querySelector(".prepared");
  if (eager || !prepared?.textContent) return;
  window.eager = true;
  document.querySelector('[data-does="confirm"]').click();
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""Confirms the first answer as soon as it is prepared."""


@pytest.mark.parametrize("throws", [True, False])
def test_the_only_target_of_a_unit_is_aimed_at_by_the_page(table: Table, throws: bool) -> None:
    """A unit with one target needs no press on it: one input throws the dice, and one ends the step instead."""
    asked = one_battle()
    asked["offers"] = [offer for offer in asked["offers"] if offer["unit"] != 6]
    table.page.add_init_script(EAGER)
    laid = Map(table.page, table.address, hexes.view(asked))
    expect(table.page.locator(".prepared")).to_have_text("Fire at the Battle Tanks")
    table.page.wait_for_timeout(600)
    assert table.page.evaluate("eager")
    assert laid.answers() == [], "an answer that the page prepared cannot be confirmed for a moment"
    if throws:
        table.page.keyboard.press("Enter")
        table.page.wait_for_timeout(100)
        assert laid.answers() == ["Fire at the Battle Tanks"]
    else:
        table.button("End the turn").click()
        expect(table.page.locator(".prepared")).to_have_text("End the turn")
        table.confirm.click()
        assert laid.answers() == ["End the turn"]


def test_an_answer_on_a_measured_table_waits_for_the_confirmation(table: Table) -> None:
    answers = on_a_table(table.page, table.address)
    listed = table.page.locator(".orders").get_by_role("button", name="Fire at Asori Medium Tanks")
    press_repeatedly(table.page, listed, answers)
    table.page.keyboard.press("Enter")
    table.page.wait_for_timeout(100)
    assert answers() == ["Fire"]


def test_a_card_is_played_by_the_confirmation_alone(table: Table) -> None:
    answers = on_hexes(table.page, table.address, hexes.cards())
    probe = table.page.get_by_role("list", name="Your hand").get_by_role("button", name="Probe")
    probe.click(position={"x": 30, "y": 20})
    press_repeatedly(table.page, probe, answers)
    table.page.keyboard.press("1")
    table.page.keyboard.press("1")
    assert answers() == []
    table.confirm.click()
    assert answers() == ["Play Probe left"]


def test_what_ends_a_step_waits_for_the_confirmation_too(table: Table) -> None:
    answers = on_hexes(table.page, table.address, one_battle())
    end = table.page.get_by_role("group", name="Confirm, cancel, undo").get_by_role("button", name="End the turn")
    end.dblclick()
    expect(table.page.locator(".prepared")).to_have_text("End the turn")
    assert answers() == [], "the second press of a double click confirms nothing"
    table.page.keyboard.press("Shift+Enter")
    table.page.wait_for_timeout(100)
    assert answers() == ["End the turn"]


@pytest.mark.parametrize("focus", [True, False])
def test_enter_that_is_held_down_chooses_and_does_not_confirm(table: Table, focus: bool) -> None:
    answers = on_hexes(table.page, table.address, hexes.moves())
    page = table.page
    select(page, 6)
    if focus:
        # A long list of hexes is folded.
        page.locator(".orders summary").filter(has_text="in a list").click()
        page.locator(".orders").get_by_role("button", name="Move to E8").focus()
    else:
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("ArrowDown")
    # A key that goes down repeatedly without going up is held.
    for _ in range(4):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.wait_for_timeout(100)
    assert answers() == []
    expect(table.confirm).to_be_enabled()
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert len(answers()) == 1


def test_a_question_shows_its_answers_whatever_is_selected(table: Table) -> None:
    """Answers are visible whether or not a unit is selected, even if the question is about one unit."""
    asked = scene.view()["decisions"][0]
    yes, no, _ = asked["offers"]
    offers = [{**one, "target": None, "group": "", "words": words} for one, words in ((yes, "Yes"), (no, "No"))]
    laid = Scenery(table.page, table.address, decisions=[{**asked, "offers": offers, "regions": []}])
    page = table.page
    answer = page.locator(".orders").get_by_role("button", name=re.compile("^No"))
    expect(answer).to_be_visible()
    page.get_by_role("button", name="Close the unit's panel").click()
    expect(answer).to_be_visible()
    page.keyboard.press("Escape")
    expect(answer).to_be_visible()
    page.locator('g.unit[data-unit="103"] .piece').first.dispatch_event("click", {"bubbles": True})
    expect(answer).to_be_visible()
    board = page.get_by_role("group", name="The table", exact=True).bounding_box()
    assert board is not None
    page.mouse.click(board["x"] + 12, board["y"] + board["height"] / 2)
    answer.click()
    table.confirm.click()
    assert [message["action"] for message in laid.heard if message["type"] == "answer"] == [no["action"]]


def test_two_clicks_on_giving_up_give_nothing_up(table: Table) -> None:
    table.begin("person", "random")
    expect(table.question).to_contain_text("stake for the first turn")
    table.button("Menu").click()
    table.button("Give up").dblclick()
    table.page.wait_for_timeout(300)
    expect(table.question).to_contain_text("stake for the first turn")
    sure = table.button(re.compile("Yes, give the game up"))
    expect(sure).to_be_visible()
    table.button("Play on").click()
    expect(sure).not_to_be_visible()
    table.button("Give up").click()
    sure.click()
    expect(table.page.get_by_role("link", name="Play again")).to_be_visible()


def test_what_is_pressed_is_24_pixels_wide_and_high(table: Table) -> None:
    """Links within a sentence may be lower."""
    table.begin("person", "easy", ruleset="command-horizon", scenario="first-battle")
    expect(table.question).not_to_be_empty()
    small = table.page.evaluate(
        """() => [...document.querySelectorAll("button, summary")]
            .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
            .filter((one) => one.closest(".unseen, .skip") === null && getComputedStyle(one).display !== "inline")
            .map((one) => [one.innerText || one.ariaLabel, one.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && Math.min(box.width, box.height) < 23.9)
            .map(([words]) => words)"""
    )
    assert small == []
