"""Moments at which somebody who sees the pages of own armies, maps and packs for the first time could be stopped."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.web.table import Table
from tests.web.test_armies import SLOW, Hand, opened
from tests.web.test_maps import RIGHT
from tests.web.test_own import make


def expect_in_sight(what: Locator) -> None:
    """Assert that an element is visible without scrolling."""
    expect(what).to_be_in_viewport(timeout=SLOW)


def open_box(page: Page) -> None:
    page.get_by_text("Open a list from a link, a text or a file").click()
    expect_in_sight(page.get_by_role("button", name="Open it"))


def test_a_list_that_cannot_be_read_is_told_at_its_box(phone: Table) -> None:
    page = phone.page
    opened(phone, "/armies?ruleset=squad-action")
    page.get_by_role("link", name="To the list").click()
    open_box(page)
    page.get_by_role("textbox").last.fill("hello")
    page.get_by_role("button", name="Open it").click()
    alert = page.get_by_role("alert")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text("this is not an army list")
    expect_in_sight(alert)


def test_a_table_that_cannot_be_read_is_told_at_its_box(phone: Table) -> None:
    page = phone.page
    phone.open("/maps")
    page.get_by_role("textbox").fill("ruleset: duel\ntable: [1\n")
    page.get_by_role("button", name="Open this table").click()
    expect_in_sight(page.get_by_role("alert"))
    expect(page.get_by_role("alert")).to_have_count(1)


def test_options_say_what_they_do(table: Table) -> None:
    """A sentence ends with one sign. The parts of an army are named only if it has some."""
    page = table.page
    opened(table, "/armies?ruleset=squad-action")
    hand = Hand(page)
    hand.add("Regular")
    hand.add("Heavy tank", 2)
    tank = page.locator("li").filter(has=page.locator("[data-add=heavy-tank]"))
    expect(tank).to_contain_text("front very heavy, side heavy, rear medium")
    expect(tank).to_contain_text(re.compile(r"Army costs 640 points, and 500 are agreed on \(SQ-"))
    page.get_by_role("button", name="Options of Regular", exact=True).click()
    for field, option in (("Traits", "Gene Enhanced (2 pts)"), ("Special weapons", "RPG (10 pts)")):
        page.get_by_role("combobox", name=field, exact=True).select_option(label=option)
    entry = page.get_by_role("list", name="Units of the list").locator(":scope > li").first
    expect(entry.locator(".chosen", has_text="Gene Enhanced: ").last).to_be_visible()
    expect(entry.locator(".chosen", has_text="RPG: effective to 12 inches").last).to_contain_text("against vehicles")
    page.get_by_role("combobox", name="Points agreed on").select_option("200")
    link = page.locator(".list a.clause").first
    expect(link).to_have_attribute("href", re.compile("rules/squad-action#SQ-"))


def test_lists_can_be_told_apart(table: Table) -> None:
    page = table.page
    opened(table, "/armies?ruleset=squad-action")
    Hand(page).add("Regular", 2)
    expect(page.get_by_role("button", name="Remove Regular (2)", exact=True)).to_be_visible()
    page.get_by_label("Begin with").select_option(label="Nothing")
    expect(page.get_by_label("Name of the army")).to_have_value("Army 2")


def test_a_table_begins_empty_and_tells_every_fault(table: Table) -> None:
    """The faults take room of their own, above the tabs."""
    page = table.page
    table.open("/maps?ruleset=squad-action")
    page.get_by_label("Game").select_option("Squad Action")
    page.get_by_role("button", name="Begin with an empty table").click()
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=SLOW)
    expect(page.get_by_label("Snap to half inches")).to_be_checked()
    page.get_by_role("tab", name="On the table").click()
    expect(page.get_by_role("tabpanel")).not_to_contain_text("Woods")
    page.get_by_role("tab", name="Battle").click()
    expect(page.get_by_text(re.compile("^Defender: "))).to_be_visible()
    for field, value in (("Minutes", "-3"), ("Turns", "99999")):
        box = page.get_by_role("tabpanel").get_by_label(field, exact=True).first
        box.fill(value)
        box.press("Tab")
    problems = page.locator(".problems")
    expect(problems).to_contain_text("Minutes: -3 is out of range", timeout=SLOW)
    expect(problems).to_contain_text("Turns: 99999 is out of range")
    low, tabs = problems.bounding_box(), page.get_by_role("tablist").bounding_box()
    assert low is not None
    assert tabs is not None
    assert low["y"] + low["height"] <= tabs["y"]


def test_a_pack_says_what_is_missing(table: Table) -> None:
    """Two values that were typed one after another are two steps, and a fault hides no changes in silence."""
    page = table.page
    make(table, "Squad Action", "Regular", "Fire", "2")
    fire = page.get_by_label("Fire", exact=True)
    expect(page.get_by_text(re.compile("^Lowest roll that hits")).first).to_be_visible()
    expect(page.get_by_text("Regular: fire 4 → 2")).to_be_visible(timeout=SLOW)
    fire.fill("9")
    fire.press("Tab")
    expect(page.get_by_text("Mend the faults, then you can compare.")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Nothing yet.")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(fire).to_have_value("2")
    page.get_by_role("button", name="Compare with the printed one").click()
    odds = page.get_by_role("row", name=re.compile("Eight Regulars shoot at Militia, 12 inches"))
    expect(odds).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("progressbar")).to_have_count(2, timeout=SLOW)
    page.get_by_role("button", name="Stop").click()


def test_a_pack_is_played_where_its_change_is_seen(table: Table) -> None:
    """The usual battle has no Shield-bearer. A second pack has another name than the first."""
    page = table.page
    make(table, "Blade Skirmish", "Shield-bearer", "Habits", "shield, swift")
    expect(page.get_by_text("Shield-bearer: habits shield → shield, swift")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Play with it").click()
    expect(table.question).not_to_be_empty(timeout=SLOW)
    view = page.request.get(f"{table.address}/api/games/{urlsplit(page.url).path.strip('/')}").json()
    assert any("Shield" in group["name"] for group in view["picture"]["groups"])
    table.open("/packs")
    page.get_by_role("button", name="Make a pack").click()
    expect(page.get_by_label("Name of the pack")).to_have_value("My pack 2")


def test_an_answer_about_fairness_can_be_read_alone(table: Table) -> None:
    page = table.page
    table.open("/maps?ruleset=duel&scenario=bridge")
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=SLOW)
    page.get_by_role("tab", name="Fair?").click()
    page.get_by_label("Games", exact=True).fill("4")
    page.get_by_role("button", name="Is it fair?").click()
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("4 games played", timeout=SLOW)
    expect(panel.get_by_role("columnheader", name="Chance to win, interval")).to_be_visible()
    expect(panel.get_by_role("status").last).to_contain_text("The table ")
