"""Hex Command in the browser with its own rules: cards, orders, moves and battles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.web.table import Table

AXE = Path(__file__).parents[2] / "src/caltrop/web/node_modules/axe-core/axe.min.js"
CARD, ORDER, MOVE, BATTLE = "Which card do you play", "Which unit do you order", "Which unit do you move", "battles"
SIMPLE = re.compile("^(Scout|Probe|Attack|Broad Front|General Advance|Pincer|Direct Command)")


def hand(table: Table) -> Locator:
    """Return the cards in the hand."""
    return table.page.get_by_role("list", name="Your hand").get_by_role("button")


def begin(table: Table, *seats: str) -> None:
    """Begin a battle with a card that asks which units are ordered. About one battle in a hundred has no such card."""
    for _ in range(5):
        table.begin(*seats, ruleset="hex-command", scenario="crossroads")
        expect(hand(table)).to_have_count(5)
        if any(map(SIMPLE.match, hand(table).locator(".title").all_inner_texts())):
            return


def play_a_card(table: Table) -> None:
    """Play the first card that asks which units are ordered."""
    expect(table.question).to_contain_text(CARD)
    titles = hand(table).locator(".title").all_inner_texts()
    table.page.keyboard.press(next(str(i) for i, title in enumerate(titles, start=1) if SIMPLE.match(title)))
    table.settle("Enter")
    expect(hand(table)).to_have_count(len(titles) - 1)
    expect(table.question).to_contain_text(ORDER)


def end_the_step(table: Table, question: str) -> None:
    """End the step of a question if the question allows it."""
    if question in table.page.locator("#question, .curtain h2").inner_text():
        # If the button shows the result of the end, one key press ends the step. Otherwise the end waits for
        # confirmation.
        table.page.wait_for_timeout(800)
        table.page.keyboard.press("Shift+Enter")
        table.page.wait_for_timeout(300)
        if table.may_confirm:
            table.page.keyboard.press("Enter")
        expect(table.page.locator("#question, .curtain h2")).not_to_contain_text(question)


@pytest.mark.at_once
def test_a_turn_is_played_by_keyboard_alone(table: Table) -> None:
    begin(table, "person", "random")
    page = table.page
    play_a_card(table)
    expect(page.locator("#question")).to_be_focused()
    ordered = 0
    while ORDER in table.question.inner_text():
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        table.settle("Enter")
        ordered += 1
        assert ordered < 15, "nobody has ordered anything"
        expect(page.locator(".prepared")).to_have_text("")
    expect(table.question).to_contain_text(MOVE)
    assert ordered > 0
    page.keyboard.press("n")
    choices = page.locator("[data-choice]")
    expect(choices).not_to_have_count(0)
    goal = choices.first.get_attribute("data-choice")
    unit = page.locator(".unit.chosen").get_attribute("data-unit")
    move = page.locator(".orders").get_by_role("button", name=f"Move to {goal}")
    if not move.is_visible():  # a long list of hexes is folded
        page.locator(".orders summary", has_text="in a list").first.focus()
        page.keyboard.press("Enter")
    move.focus()
    page.keyboard.press("Enter")
    table.settle("Enter")
    expect(page.locator(f'.unit[data-unit="{unit}"]')).to_have_attribute("aria-label", re.compile(f"in {goal}$"))
    end_the_step(table, MOVE)
    end_the_step(table, BATTLE)
    expect(table.log).to_contain_text("Ashen Horde")
    assert table.errors == []


def test_a_move_shows_its_way_and_one_that_is_too_far_says_why(table: Table) -> None:
    begin(table, "person", "random")
    page = table.page
    play_a_card(table)
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(table.confirm).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator(".prepared")).to_have_text("")
    end_the_step(table, ORDER)
    page.keyboard.press("n")
    goal = page.locator("[data-choice]").last
    box = goal.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".spoken path")).to_have_count(1)
    far = page.locator('[data-cell="A3"]').bounding_box()
    assert far is not None
    page.mouse.click(far["x"] + far["width"] / 2, far["y"] + far["height"] / 2)
    expect(page.get_by_role("alert")).to_contain_text("A3")
    assert table.errors == []


def test_two_who_share_a_screen_do_not_see_each_others_cards(table: Table) -> None:
    begin(table, "person", "person")
    play_a_card(table)
    for question in (ORDER, MOVE, BATTLE):
        end_the_step(table, question)
    expect(table.page.get_by_role("dialog")).to_contain_text("Ashen Horde is to act")
    expect(hand(table)).to_have_count(0)
    table.button(re.compile("^I am Ashen Horde")).click()
    expect(hand(table)).to_have_count(5)
    expect(table.page.get_by_role("img", name="Iron Concord holds 5 cards")).to_be_visible()
    assert table.errors == []


@pytest.mark.parametrize("scenario", ["crossroads", "hold-the-bastion", "godfall"])
def test_axe_finds_nothing(table: Table, scenario: str) -> None:
    table.begin("person", "random", ruleset="hex-command", scenario=scenario)
    table.page.locator("[data-cell]").first.wait_for()
    table.page.wait_for_timeout(500)
    table.page.evaluate(AXE.read_text())
    value = table.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [(v["id"], [n["html"][:140] for n in v["nodes"][:3]]) for v in value["violations"]] == []


def test_a_replay_shows_the_hand_of_the_eyes_that_look(table: Table) -> None:
    game = table.begin("person", "random", ruleset="hex-command", scenario="crossroads")
    expect(hand(table)).to_have_count(5)
    held = hand(table).locator(".title").all_inner_texts()
    table.open(f"/replay/{game}")
    expect(hand(table).locator(".title")).to_have_text(held)
    held_by_others = table.page.get_by_role("img", name="Ashen Horde holds 5 cards")
    expect(held_by_others).to_be_visible()
    assert not table.is_wide()
    # An onlooker sees no hand, and the map uses the space.
    table.page.get_by_label("Seen by").select_option(label="an onlooker")
    expect(hand(table)).to_have_count(0)
    expect(held_by_others).to_be_visible()
    cards, film = (
        table.page.locator(".hand").bounding_box(),
        table.page.get_by_role("group", name="Turns").bounding_box(),
    )
    assert cards is not None
    assert film is not None
    assert cards["height"] <= 60
    assert cards["y"] + cards["height"] <= film["y"] + 1
    assert table.errors == []
