"""Own armies on the page: built, checked, undone, pasted, printed, shared with a friend, and played."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.table import Table

TEXT = """Blue Watch
Game: Hex Command

- Knight Walker
- 3 x Line Troops
- 4 x Scouts
- 3 x Battle Tanks
- Assault Tanks
- Herro
- Heavy Weapons
"""

SLOW = 60_000
"""Milliseconds that a server process may take to start."""


class Hand:
    """A person whose inputs are counted. A click, a choice, a keystroke and a text are one input each."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.inputs = 0

    def click(self, what: Locator) -> None:
        """Click something."""
        self.inputs += 1
        what.click()

    def choose(self, field: str, label: str | re.Pattern[str]) -> None:
        """Choose an entry of a list."""
        self.inputs += 1
        box = self.page.get_by_role("combobox", name=field, exact=True)
        option = box.locator("option", has_text=label).first
        box.select_option(value=option.get_attribute("value"))

    def add(self, title: str, times: int = 1) -> None:
        """Add a unit from the catalogue."""
        for _ in range(times):
            self.click(self.page.get_by_role("button", name=re.compile(f"^Add {title}(,|$)")))


def units(page: Page) -> Locator:
    """Return the units of the list."""
    return page.get_by_role("list", name="Units of the list").locator(":scope > li")


def opened(table: Table, path: str) -> None:
    """Open the page of armies, and wait until it knows the rules."""
    table.open(path)
    expect(table.page.get_by_role("heading", name="Units to add")).to_be_visible(timeout=SLOW)


def fit(page: Page) -> Locator:
    """Return the page's summary of the list."""
    return page.locator(".fit")


def test_from_the_lobby_to_a_battle_with_an_army_of_ones_own(table: Table) -> None:
    page = table.page
    table.open("/")
    hand = Hand(page)
    hand.click(page.get_by_role("link", name="Armies: build your own").first)
    expect(page.get_by_role("heading", name="Units to add")).to_be_visible(timeout=SLOW)
    hand.choose("Game", "Hex Command")
    expect(page.locator("[data-add=god-machine-light]")).to_be_visible()
    hand.add("Knight Walker")
    expect(page.get_by_text("At most half the points are in God Machines")).to_be_visible()
    hand.add("Line Troops", 3)
    hand.add("Battle Tanks", 3)
    hand.add("Buggies", 3)
    expect(fit(page)).to_have_text("Not finished")
    hand.add("Assault Tanks")
    hand.add("Hero", 2)
    expect(page.locator(".total")).to_have_text("80 of 82 points")
    expect(fit(page)).to_have_text("Ready")
    hand.click(page.get_by_role("link", name="Play with this army"))
    expect(page.get_by_text("Army A costs 80 points and army B 8")).to_be_visible()
    hand.click(page.get_by_role("button", name="Start the game"))
    expect(table.question).not_to_be_empty(timeout=SLOW)
    assert hand.inputs < 25, hand.inputs
    game = urlsplit(page.url).path.strip("/")
    view = page.request.get(f"{table.address}/api/games/{game}").json()
    assert "title: Army" in view["armies"][0]
    assert "kind: vehicle-light, count: 3" in view["armies"][0]


def test_what_cannot_be_added_says_why_and_what_can(table: Table) -> None:
    page = table.page
    opened(table, "/armies?ruleset=command-horizon&from=asori-4")
    add = page.get_by_role("button", name=re.compile("^Add Chiron Command"))
    expect(add).to_have_attribute("aria-disabled", "true")
    expect(add).to_have_accessible_description(
        "An army has at most one Command unit, and this is the second (Q-SETUP-7)"
    )
    expect(units(page)).to_have_count(4)
    add.click(force=True)
    words = page.get_by_role("status").filter(has_text="Cannot add")
    expect(words).to_contain_text("at most one Command unit, and this is the second (Q-SETUP-7)")
    expect(words).to_contain_text("You may add: Light Tank, Medium Tank, Heavy Tank, Infantry")
    expect(units(page)).to_have_count(4)
    page.get_by_role("button", name=re.compile("^Remove Chiron")).click()
    expect(add).to_have_attribute("aria-disabled", "false")


def test_any_number_of_points_can_be_agreed_on(table: Table) -> None:
    page = table.page
    opened(table, "/armies?ruleset=squad-action&from=border-company")
    hand = Hand(page)
    for label, points in (("200", 200), ("another number…", 200), ("350", 350)):
        hand.choose("Points agreed on", label)
        expect(page.locator(".total")).to_contain_text(f" of {points} points")
    hand.choose("Points agreed on", "another number…")
    number = page.get_by_label("The number of points")
    number.fill("640")
    number.press("Tab")
    expect(page.locator(".total")).to_contain_text(" of 640 points")
    hand.choose("Points agreed on", "as many as it costs")
    expect(number).to_have_count(0)


def test_every_step_is_undone_and_done_again(table: Table) -> None:
    page = table.page
    opened(table, "/armies?ruleset=squad-action")
    page.get_by_role("button", name=re.compile("^Add Regular,")).click()
    expect(units(page)).to_have_count(1)
    page.get_by_role("button", name=re.compile("^Options of Regular")).click()
    page.get_by_role("combobox", name="Models", exact=True).select_option("8")
    page.get_by_role("combobox", name="Special weapons").select_option("rpg")
    page.get_by_label(re.compile("^Officer")).check()
    page.get_by_role("textbox", name="Name", exact=True).fill("Old Guard")
    page.get_by_role("textbox", name="Name", exact=True).blur()
    expect(units(page).first).to_contain_text("Models: 8; Special weapons: RPG; Officer")
    expect(page.locator(".total")).to_have_text("94 of 500 points")
    for shown in ("64 of", "54 of"):
        page.locator("h1").click()
        page.keyboard.press("Control+z")
        if shown == "64 of":
            expect(units(page).first).not_to_contain_text("Old Guard")
            page.keyboard.press("Control+z")
            expect(page.locator(".total")).to_have_text("74 of 500 points")
    page.keyboard.press("Control+Shift+z")
    page.keyboard.press("Control+Shift+z")
    page.keyboard.press("Control+y")
    expect(units(page).first).to_contain_text("Old Guard")
    expect(page.locator(".total")).to_have_text("94 of 500 points")


def test_a_text_is_opened_and_unknown_names_are_put_right(table: Table) -> None:
    page = table.page
    opened(table, "/armies?ruleset=duel")
    page.get_by_text("Open a list from a link").click()
    page.get_by_role("textbox", name="Paste a link").fill(TEXT)
    page.get_by_role("button", name="Open it").click()
    expect(units(page)).to_have_count(7)
    expect(fit(page)).to_have_text("Not allowed yet")
    expect(page.get_by_role("alert").filter(has_text="did you mean Hero?")).to_be_visible()
    page.get_by_role("button", name="Take Hero").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".total")).to_have_text("82 of 82 points")
    expect(fit(page)).to_have_text("Ready")
    # The army is stored in this browser, and its link opens it in any other.
    page.reload()
    expect(page.get_by_role("heading", name="Units to add")).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("textbox", name="Name of the army")).to_have_value("Blue Watch")
    link = page.evaluate("JSON.parse(localStorage['caltrop.armies'])[0].link")
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    opened(table, f"/armies{link}")
    expect(units(page)).to_have_count(7)
    expect(page.get_by_role("combobox", name="Your lists")).to_contain_text("Blue Watch (82 pts)")
    page.goto("about:blank")
    opened(table, f"/armies{link[:-8]}")
    expect(page.get_by_role("alert")).to_contain_text("This link is cut short or changed: copy all of it.")


def test_a_friend_brings_an_army_and_both_are_told_whether_they_match(table: Table, browser: Browser) -> None:
    page = table.page
    page.add_init_script("localStorage['caltrop.name'] ??= 'Ann'")
    opened(table, "/armies?ruleset=hex-command&from=granite-guard")
    page.get_by_role("link", name="Challenge a friend").click()
    expect(page.get_by_role("button", name="Copy the challenge")).to_be_visible()
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
    page.get_by_role("button", name="Copy the challenge").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    challenge = page.evaluate("window.copied")

    friend = Table(browser.new_context().new_page(), table.address)
    friend.page.add_init_script("localStorage['caltrop.name'] ??= 'Ben'")
    friend.open(challenge.removeprefix(table.address))
    expect(friend.page.get_by_role("heading", name="Ann challenges you")).to_be_visible(timeout=SLOW)
    expect(friend.page.get_by_role("combobox", name=re.compile("^Army A"))).to_be_disabled()
    friend.page.get_by_role("combobox", name=re.compile("^Army B")).select_option("dust-host")
    expect(friend.page.get_by_text("Both armies cost 82 points.")).to_be_visible()
    friend.page.get_by_role("button", name="Make the table and the link").click()
    expect(friend.page.get_by_text("Granite Guard and Dust Host cost 82 points each.")).to_be_visible(timeout=SLOW)
    link = friend.page.get_by_label("The link of the invitation").input_value()

    table.open(link.removeprefix(table.address))
    expect(page.get_by_role("form", name="Welcome")).to_contain_text(
        "Granite Guard and Dust Host cost 82 points each.", timeout=SLOW
    )
    friend.page.context.close()


@pytest.mark.parametrize(("paper", "points"), [("A4", (595, 842)), ("Letter", (612, 792))])
def test_a_list_is_printed_on_its_paper(table: Table, paper: str, points: tuple[int, int]) -> None:
    page = table.page
    opened(table, "/armies?ruleset=squad-action&from=talon-strike")
    expect(units(page)).to_have_count(5)
    page.emulate_media(media="print")
    printed = page.locator(".printed")
    expect(printed.get_by_role("heading", name="Talon Strike")).to_be_visible()
    expect(printed).to_contain_text("Gene Enhanced: Ignores an unsaved wound on a 6.")
    expect(page.get_by_role("heading", name="Units to add")).to_be_hidden()
    sheet = page.pdf(format=paper, prefer_css_page_size=False)
    boxes = {tuple(round(float(n)) for n in box.split()[2:]) for box in re.findall(rb"/MediaBox \[([^]]+)\]", sheet)}
    ((wide, high),) = boxes
    assert abs(wide - points[0]) <= 1
    assert abs(high - points[1]) <= 1
    assert len(re.findall(rb"/Type /Page\b", sheet)) == 1


def test_it_is_built_by_keys_alone_at_360_pixels(phone: Table) -> None:
    page = phone.page
    opened(phone, "/armies?ruleset=blade-skirmish")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("[data-add=quality-3]").focus()
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(units(page)).to_have_count(3)
    expect(page.locator(".gist")).to_contain_text("3 units, 12 of 12 points. Ready")
    page.locator("[data-add=quality-1]").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Cannot add")).to_contain_text("12 are agreed on")
    expect(page.locator(".toast")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Options of")).first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
