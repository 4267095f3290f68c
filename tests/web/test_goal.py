"""The goal of a battle: a card at the start, a dialog at any time, and the score as a track."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.table import Table

GAMES = [
    ("command-horizon", "first-battle", "easy"),
    ("hex-command", "first-battle", "easy"),
    ("blade-skirmish", "cut-them-down", None),
    ("squad-action", "first-battle", "easy"),
    ("duel", "bridge", "random"),
]
SIZES = [(1440, 900), (1024, 768), (390, 844)]


def begun(table: Table, ruleset: str, scenario: str, other: str | None) -> None:
    """Begin a battle."""
    table.begin("person", *([other] if other else []), ruleset=ruleset, scenario=scenario)
    expect(table.question).not_to_be_empty(timeout=20_000)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("ruleset", "scenario", "other"), GAMES)
def test_a_card_says_how_to_win_in_every_game_and_nothing_of_it_is_cut(
    table: Table, ruleset: str, scenario: str, other: str | None, size: tuple[int, int]
) -> None:
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    begun(table, ruleset, scenario, other)
    card = page.get_by_role("group", name="How to win")
    expect(card).to_be_visible(timeout=20_000)
    expect(card).to_contain_text(re.compile(r"wins?\b|loses?\b"))
    locator = card.locator(".told")
    assert locator.evaluate("it => it.scrollHeight - it.clientHeight") <= 1, "its words are cut"
    inside = "it => { const a = it.getBoundingClientRect(), b = it.closest('.board').getBoundingClientRect(); "
    assert card.evaluate(inside + "return a.top >= b.top - 1 && a.bottom <= b.bottom + 1; }")
    assert not table.is_wide()
    card.get_by_role("button", name="Read on").click()
    dialog = page.get_by_role("dialog", name="How to win")
    expect(dialog).to_be_visible()
    expect(card).to_be_hidden()
    box = dialog.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= size[1]
    dialog.get_by_role("button", name="Close").click()
    # The card appears once for each scenario, and later after one click.
    begun(table, ruleset, scenario, other)
    page.get_by_role("button", name="How to win").click()
    expect(dialog).to_be_visible()
    expect(card).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    expect(dialog).to_be_visible()
    assert table.errors == []


def test_the_card_is_in_nobodys_way(table: Table) -> None:
    """A click on the card reaches the table behind it and closes the card."""
    begun(table, "hex-command", "first-battle", "easy")
    page = table.page
    card = page.get_by_role("group", name="How to win")
    expect(card).to_be_visible()
    middle = card.locator("h2").bounding_box()
    assert middle is not None
    under = page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('.goal-card') === null",
        [middle["x"] + 4, middle["y"] + 4],
    )
    assert under
    page.mouse.click(middle["x"] + 4, middle["y"] + 4)
    expect(card).to_be_hidden()


def test_the_score_is_a_track_with_its_names_in_full(table: Table) -> None:
    page = table.page
    page.set_viewport_size({"width": 1440, "height": 900})
    begun(table, "hex-command", "first-battle", "easy")
    expect(page.locator("[data-seat] .track").first.locator("i")).to_have_count(4)
    page.keyboard.press("g")
    dialog = page.get_by_role("dialog", name="How to win")
    expect(dialog.get_by_role("list", name="The score", exact=True)).to_contain_text("0 of 4 banners")
    expect(dialog.get_by_role("list", name="The score, side by side")).to_contain_text("Hex E4 1 banner")
    expect(dialog).to_contain_text("If the battle ended now")
    begun(table, "command-horizon", "first-battle", "easy")
    expect(page.locator("[data-seat]").first).to_contain_text("Victory points")
    expect(page.locator("[data-seat]").first).not_to_contain_text("CP")
    page.keyboard.press("t")
    expect(page.get_by_role("region", name="How to win")).to_contain_text("The hilltop 2 victory points")
    assert table.errors == []
