"""The page for drawing tables, used by mouse, touch and keys."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import caltrop
from tests.web.table import Table

AXE = Path(caltrop.__file__).parent / "web/node_modules/axe-core/axe.min.js"
RIGHT = "Nothing is wrong: it can be played."
SLOW = 60_000
"""Milliseconds that a busy server may take."""


class Author:
    """A person who draws a table, with a count of inputs.

    Args:
        page: The page.
    """

    def __init__(self, page: Page) -> None:
        self.page, self.inputs = page, 0

    @property
    def table(self) -> Locator:
        """The drawn table."""
        return self.page.get_by_role("application")

    def press(self, name: str, role: Any = "button") -> None:
        """Press a button or a tab."""
        self.inputs += 1
        self.page.get_by_role(role, name=name, exact=True).click()

    def key(self, key: str) -> None:
        """Press a key."""
        self.inputs += 1
        self.page.keyboard.press(key)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag between two places, each given as shares of the table's frame from the upper left."""
        self.inputs += 1
        (x0, y0), (x1, y1) = (self.place(at) for at in (start, end))
        self.page.mouse.move(x0, y0)
        self.page.mouse.down()
        self.page.mouse.move((x0 + x1) / 2, (y0 + y1) / 2)
        self.page.mouse.move(x1, y1)
        self.page.mouse.up()

    def place(self, at: tuple[float, float]) -> tuple[float, float]:
        """Return the position on the screen of a place on the table."""
        box = self.table.bounding_box()
        assert box is not None
        return box["x"] + at[0] * box["width"], box["y"] + at[1] * box["height"]

    def is_right(self) -> None:
        """Wait until the table has no faults."""
        expect(self.page.get_by_text(RIGHT)).to_be_visible(timeout=30_000)

    def pieces(self, game: str, scenario: str) -> int:
        """Return the number of pieces of ground in a supplied scenario."""
        address = f"{self.page.url.partition('/maps')[0]}/api/maps/{game}/scenario?name={scenario}"
        return len(self.page.request.get(address).json()["draft"]["terrain"])

    def draft(self) -> dict[str, Any]:
        """Return the draft that is stored in the browser."""
        value: dict[str, Any] = self.page.evaluate("JSON.parse(localStorage.getItem('caltrop.maps'))[0].draft")
        return value


def test_from_a_table_that_there_is_to_a_battle_on_ones_own(table: Table) -> None:
    """The author opens a table, places a wood, copies one half to the other, and plays, in fewer than 12 inputs."""
    table.open("/maps")
    author = Author(table.page)
    table.page.get_by_label("Begin with").select_option("meeting-engagement")
    author.inputs += 1
    author.press("Open it")
    author.is_right()
    before = author.pieces("command-horizon", "meeting-engagement")
    author.press("Woods")
    author.drag((0.45, 0.6), (0.52, 0.68))
    author.is_right()
    wood = author.draft()["terrain"][-1]
    assert wood["kind"] == "woods"
    author.drag((0.485, 0.64), (0.55, 0.66))
    author.is_right()
    assert author.draft()["terrain"][-1]["outline"] != wood["outline"]
    author.press("Turn onto the other half")
    expect(table.page.get_by_text("The table is symmetric")).to_be_attached()
    author.is_right()
    assert len(author.draft()["terrain"]) == before + 2
    author.press("Undo")
    author.press("Redo")
    author.is_right()
    author.press("Play")
    table.page.wait_for_url(lambda url: "/maps" not in url)
    expect(table.question).not_to_be_empty(timeout=30_000)
    assert author.inputs <= 12


def test_what_is_wrong_is_told_where_it_is(table: Table) -> None:
    """Faults are described in the rules' words, at their field and at the top. The draft is stored, and is there after
    a return.
    """
    table.open("/maps?ruleset=command-horizon&scenario=meeting-engagement")
    author = Author(table.page)
    author.is_right()
    author.press("Battle", "tab")
    table.page.get_by_label("Zone").fill("80")
    table.page.get_by_label("Zone").press("Tab")
    words = table.page.get_by_text("The table is too small for two zones and a battle between them")
    expect(words.first).to_be_visible()
    expect(table.page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    table.page.reload()
    expect(words.first).to_be_visible(timeout=30_000)
    author.press("‹ Others")
    table.page.get_by_role("button", name="Meeting engagement Command").click()
    expect(words.first).to_be_visible(timeout=30_000)
    author.press("Battle", "tab")
    table.page.get_by_label("Zone").fill("12")
    table.page.get_by_label("Zone").press("Tab")
    author.is_right()


def test_a_table_with_faults_is_marked_where_it_can_be_chosen(table: Table) -> None:
    """The form for a new game shows the fault and links to the table. The mark disappears once the fault is mended."""
    page = table.page
    table.open("/maps?ruleset=squad-action&scenario=first-battle")
    author = Author(page)
    author.is_right()
    author.press("Battle", "tab")
    page.get_by_label("Turns", exact=True).fill("0")
    page.get_by_label("Turns", exact=True).press("Tab")
    words = "Turns: 0 is out of range; the nearest right value is 1"
    expect(page.locator(".problems")).to_contain_text(words, timeout=30_000)
    author.press("‹ Others")
    expect(page.get_by_role("button", name=re.compile("^First Battle Squad Action.*with faults"))).to_be_visible()
    table.open("/new?ruleset=squad-action")
    scenarios = page.get_by_role("combobox", name="Scenario", exact=True)
    option = scenarios.locator("option", has_text="First Battle (yours, with faults)")
    scenarios.select_option(value=option.get_attribute("value"))
    expect(page.get_by_role("alert")).to_contain_text(f"It cannot be played yet. {words}.", timeout=30_000)
    page.get_by_role("link", name="Change the table").click()
    author.press("Battle", "tab")
    page.get_by_label("Turns", exact=True).fill("3")
    page.get_by_label("Turns", exact=True).press("Tab")
    author.is_right()
    author.press("Choose armies", "link")
    expect(scenarios.locator("option:checked")).to_contain_text("First Battle (yours) ")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_map_of_hexes_by_keys_alone(table: Table) -> None:
    """Arrow keys move from hex to hex; Enter paints, picks units up, puts them down, and marks objectives."""
    table.open("/maps?ruleset=hex-command&scenario=bridges-of-ash")
    author = Author(table.page)
    author.is_right()
    author.press("Hill")
    author.table.focus()
    author.key("ArrowUp")
    author.key("ArrowUp")
    author.key("Enter")
    author.is_right()
    laid = author.draft()["terrain"]["hill"].split()
    assert len(laid) == 3
    author.press("Objectives")
    author.table.focus()
    author.key("ArrowLeft")
    author.key("Enter")
    author.is_right()
    assert len(author.draft()["objectives"][0]["at"].split()) == 3
    author.key("Escape")
    for _ in range(6):
        author.key("ArrowDown")
    for _ in range(12):
        if table.page.get_by_text("G9, Open ground").count():
            break
        author.key("ArrowRight")
    author.key("Enter")
    author.key("ArrowRight")
    author.key("Enter")
    author.is_right()
    assert author.draft()["south"]["units"][0] == {"kind": "god-machine-heavy", "at": "H9"}


def test_a_link_and_a_file_hold_the_whole_table(table: Table, tmp_path: Path) -> None:
    """A file and a link can be opened again. A link that is cut short and a file of another kind are refused in one
    sentence.
    """
    table.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table.open("/maps?ruleset=duel&scenario=marsh")
    author = Author(table.page)
    author.is_right()
    author.press("Mud")
    author.press("Put one in the middle")
    author.is_right()
    draft = author.draft()
    assert len(draft["mud"]) == 2
    author.press("Copy a link")
    expect(table.page.get_by_text("The link is copied")).to_be_visible()
    link = table.page.evaluate("navigator.clipboard.readText()")
    with table.page.expect_download() as saved:
        author.press("Save as a file")
    file = tmp_path / "table.yaml"
    saved.value.save_as(file)
    table.page.evaluate("localStorage.clear()")
    table.page.goto("about:blank")
    table.page.goto(link)
    author.is_right()
    assert author.draft() == draft
    table.page.goto("about:blank")
    table.page.goto(link[:-9])
    expect(table.page.get_by_text("The link does not hold a whole table")).to_be_visible()
    table.page.goto(f"{table.address}/maps")
    box = table.page.get_by_role("textbox", name="Paste a link, or the text of a file")
    for pasted in (link, f"Look at this: {link}", file.read_text(encoding="utf-8")):
        box.fill(pasted)
        author.press("Open this table")
        author.is_right()
        assert author.draft() == draft
        author.press("‹ Others")
    table.page.get_by_label("Choose a file").set_input_files(file)
    author.is_right()
    assert author.draft() == draft
    author.press("‹ Others")
    for pasted, words in (
        ("", "Paste a table first"),
        (link[:-9], "The link does not hold a whole table"),
        ("ruleset: duel\nrounds: [1\n", "this is not YAML"),
    ):
        box.fill(pasted)
        author.press("Open this table")
        expect(table.page.get_by_role("alert").last).to_contain_text(words)
        assert box.input_value() == pasted, "what is wrong stays, to be mended"


def test_whether_it_is_fair_is_measured(table: Table) -> None:
    """The measurement shows progress, intervals of both sides and a verdict, and can be stopped."""
    table.open("/maps?ruleset=duel&scenario=marsh")
    author = Author(table.page)
    author.is_right()
    author.press("Fair?", "tab")
    games = table.page.get_by_role("spinbutton", name="Games")
    games.fill("6")
    author.press("Is it fair?")
    expect(table.page.get_by_text("6 games played")).to_be_visible(timeout=60_000)
    expect(table.page.get_by_role("row", name="Side A")).to_contain_text("%")
    games.fill("500")
    author.press("Is it fair?")
    author.press("Stop")
    expect(table.page.get_by_text("it was stopped")).to_be_visible(timeout=30_000)


def test_a_finger_draws_on_a_phone(phone: Table) -> None:
    """At 360 pixels, nothing extends beyond the window, a tap places a piece of ground, and axe reports no fault."""
    phone.open("/maps?ruleset=squad-action&scenario=meeting-engagement")
    author = Author(phone.page)
    author.is_right()
    before = author.pieces("squad-action", "meeting-engagement")
    phone.page.get_by_role("button", name="Ruins", exact=True).tap()
    phone.page.touchscreen.tap(*author.place((0.5, 0.3)))
    author.is_right()
    assert len(author.draft()["terrain"]) == before + 1
    phone.page.get_by_role("button", name="Copy", exact=True).tap()
    author.is_right()
    assert len(author.draft()["terrain"]) == before + 2
    for tab in ("On the table", "Battle", "Fair?", "Ground"):
        phone.page.get_by_role("tab", name=tab).tap()
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360
        phone.page.evaluate(AXE.read_text(encoding="utf-8"))
        value = phone.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert value["violations"] == [], json.dumps(value["violations"])[:1500]


@pytest.mark.parametrize(
    ("game", "scenario", "words"),
    [
        ("Squad Action", "Hold the Crossroads", "South: within 1[0-9.]+ inches of the south edge"),
        ("Blade Skirmish", "The Long Bridge", "Six Blades: within [4-9][0-9.]* inches of the south edge"),
    ],
)
def test_a_zone_is_dragged_by_its_line_and_says_its_new_numbers(
    table: Table, game: str, scenario: str, words: str
) -> None:
    page = table.page
    table.open("/maps")
    page.get_by_role("combobox", name="Game", exact=True).select_option(label=game)
    page.get_by_role("combobox", name="Begin with", exact=True).select_option(label=scenario)
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=SLOW)
    zone = page.locator(".area.zone").first
    box = zone.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.06, box["y"] + box["height"] / 2)
    handle = page.locator("g.handle[data-of]").last.bounding_box()
    assert handle is not None
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20)
    page.mouse.move(x, y - 40)
    page.mouse.up()
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=SLOW)
    after = zone.bounding_box()
    assert after is not None
    assert after["height"] == pytest.approx(box["height"] + 40, abs=12)
    expect(page.get_by_text(re.compile(f"^{words}")).first).to_be_attached()
    page.get_by_role("button", name="Undo").click()
    back = zone.bounding_box()
    assert back is not None
    assert back["height"] == pytest.approx(box["height"], abs=1)
