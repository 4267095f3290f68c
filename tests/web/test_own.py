"""Own material made on the page: an army and a map that are played together, and a unit with other numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import caltrop
from tests.web.table import Table
from tests.web.test_armies import SLOW, Hand
from tests.web.test_maps import RIGHT

AXE = Path(caltrop.__file__).parent / "web/node_modules/axe-core/axe.min.js"


def test_from_the_lobby_to_a_battle_with_ones_own_army_on_ones_own_map(table: Table) -> None:
    """The whole way takes fewer than 40 inputs. A click, a choice, a text and a drag are one input each."""
    page = table.page
    table.open("/")
    hand = Hand(page)
    hand.click(page.get_by_role("link", name="Armies: build your own").first)
    expect(page.get_by_role("heading", name="Units to add")).to_be_visible(timeout=SLOW)
    hand.choose("Game", "Hex Command")
    expect(page.locator("[data-add=god-machine-light]")).to_be_visible()
    for title, times in (("Knight Walker", 1), ("Line Troops", 3), ("Battle Tanks", 3), ("Buggies", 3)):
        hand.add(title, times)
    hand.add("Assault Tanks")
    hand.add("Hero", 2)
    expect(page.locator(".fit")).to_have_text("Ready")
    hand.click(page.get_by_role("button", name="Menu"))
    hand.click(page.get_by_role("link", name="Maps", exact=True))
    hand.choose("Game", "Hex Command")
    hand.choose("Begin with", "Free battle")
    hand.click(page.get_by_role("button", name="Open it"))
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=SLOW)
    hand.click(page.get_by_role("button", name="Woods", exact=True))
    drag(hand, page.get_by_role("application"), (0.4, 0.5), (0.6, 0.5))
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=SLOW)
    hand.click(page.get_by_role("link", name="Choose armies"))
    hand.choose("Army A", re.compile("^Army"))
    expect(page.get_by_text("Army A costs 80 points")).to_be_visible()
    hand.click(page.get_by_role("button", name="Start the game"))
    expect(table.question).not_to_be_empty(timeout=SLOW)
    assert hand.inputs < 40, hand.inputs
    game = urlsplit(page.url).path.strip("/")
    view = page.request.get(f"{table.address}/api/games/{game}").json()
    assert "kind: vehicle-light, count: 3" in view["armies"][0]
    kinds = [patch["kind"] for patch in view["picture"]["grounds"]]
    shipped = page.request.get(f"{table.address}/api/rules/hex-command/opening?scenario=free-battle").json()
    assert kinds.count("woods") > [patch["kind"] for patch in shipped["picture"]["grounds"]].count("woods")


def drag(hand: Hand, table: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag between two places of a table, each given as shares of its frame."""
    box = table.bounding_box()
    assert box is not None
    hand.inputs += 1
    (x0, y0), (x1, y1) = ((box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end))
    hand.page.mouse.move(x0, y0)
    hand.page.mouse.down()
    for step in range(1, 6):
        hand.page.mouse.move(x0 + (x1 - x0) * step / 5, y0 + (y1 - y0) * step / 5)
    hand.page.mouse.up()


def make(table: Table, game: str, row: str, field: str, value: str) -> Hand:
    """Make a pack that changes one number."""
    page, hand = table.page, Hand(table.page)
    table.open("/packs")
    hand.choose("Game", game)
    hand.click(page.get_by_role("button", name="Make a pack"))
    hand.click(page.get_by_role("button", name=row).first)
    hand.inputs += 1
    box = page.get_by_label(field, exact=True)
    box.fill(value)
    box.press("Tab")
    return hand


def test_a_unit_with_other_numbers_is_compared_and_played(table: Table) -> None:
    page = table.page
    hand = make(table, "Hex Command", "Battle Tanks", "Dice", "5, 4, 4")
    expect(page.get_by_text("Battle Tanks: dice 3, 3, 3 → 5, 4, 4")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Ready", exact=True)).to_be_visible()
    hand.click(page.get_by_role("button", name="Compare with the printed one"))
    shot = page.get_by_role("row", name=re.compile("Line Troops, range 1"))
    expect(shot).to_contain_text("3.00", timeout=SLOW)
    expect(shot).to_contain_text("2.34")
    # The page begins many battles by itself. Fewer are enough for the test.
    expect(page.get_by_role("progressbar")).to_have_count(2, timeout=SLOW)
    page.get_by_role("button", name="Stop").click()
    page.get_by_label("Battles", exact=True).fill("2")
    hand.click(page.get_by_role("button", name="Fight them"))
    expect(page.get_by_text("2 games played")).to_have_count(2, timeout=SLOW)
    expect(page.get_by_text("What My pack changes")).to_be_visible()
    hand.click(page.get_by_role("button", name="Play with it"))
    expect(table.question).not_to_be_empty(timeout=SLOW)
    assert hand.inputs <= 8
    view = page.request.get(f"{table.address}/api/games/{urlsplit(page.url).path.strip('/')}").json()
    assert view["rules"]["pack"].startswith("pack-")


def test_what_is_wrong_is_told_at_its_field_and_kept_all_the_same(table: Table) -> None:
    page = table.page
    make(table, "Squad Action", "Regular", "Fire", "9")
    expect(page.get_by_text("It still has faults, but it is saved")).to_be_visible(timeout=SLOW)
    expect(page.get_by_label("Fire", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("button", name="Play with it")).to_be_disabled()
    page.reload()
    expect(page.get_by_text("It still has faults, but it is saved")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Regular").first.click()
    page.get_by_label("Fire", exact=True).fill("3")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Regular: fire 4 → 3")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("It still has faults, but it is saved")).to_be_visible(timeout=SLOW)


def test_a_number_counts_while_it_is_typed_and_is_undone_whole(table: Table) -> None:
    page, keys = table.page, table.page.keyboard
    table.open("/packs")
    page.get_by_label("Game").wait_for()
    keys.press("Tab")
    expect(page.get_by_role("link", name="To the contents")).to_be_focused()
    keys.press("Enter")
    keys.press("Tab")
    expect(page.get_by_label("Game")).to_be_focused()
    page.get_by_label("Game").select_option("Squad Action")
    page.get_by_role("button", name="Make a pack").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused(timeout=SLOW)
    page.get_by_role("button", name="Veteran").press("Enter")
    points = page.get_by_label("Points", exact=True)
    points.press("Control+a")
    points.press_sequentially("125")
    expect(page.get_by_text("Veteran: points 10 → 125")).to_be_visible(timeout=SLOW)
    points.press("Enter")
    expect(points).to_have_value("125")
    expect(points).to_be_focused()
    undo = page.get_by_role("button", name="Undo")
    undo.press("Enter")
    expect(points).to_have_value("10")
    expect(page.get_by_role("button", name="Redo")).to_be_focused()


def test_keys_draw_a_table_and_keep_the_focus(table: Table) -> None:
    page, keys = table.page, table.page.keyboard
    table.open("/maps")
    page.get_by_label("Game").select_option("Squad Action")
    page.get_by_role("button", name="Open it").press("Enter")
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=SLOW)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("button", name="Woods", exact=True).press("Enter")
    page.get_by_role("button", name="Put one in the middle").press("Enter")
    expect(page.get_by_role("application")).to_be_focused()
    keys.press("Shift+ArrowLeft")
    expect(page.locator("[aria-live]").filter(has_text=re.compile("^woods: "))).to_have_count(1)
    turn = page.get_by_role("button", name="Turn onto the other half")
    turn.press("Enter")
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=SLOW)
    expect(turn).to_be_focused()
    page.get_by_role("tab", name="Fair?").press("Enter")
    page.get_by_role("button", name="Is it fair?").press("Enter")
    stop = page.get_by_role("button", name="Stop")
    expect(stop).to_be_focused(timeout=SLOW)
    stop.press("Enter")
    page.get_by_role("link", name="Choose armies").click()
    expect(page.get_by_role("img", name=re.compile("The table of .* seen from above"))).to_be_visible(timeout=SLOW)


def test_a_new_unit_and_a_link_that_holds_the_pack(table: Table) -> None:
    page = table.page
    make(table, "Hex Command", "Buggies", "Move", "5")
    page.get_by_label("Name of a new one").fill("Hover Lance")
    page.get_by_role("combobox", name="Like", exact=True).select_option("vehicle-light")
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_text("Hover Lance: new")).to_be_visible(timeout=SLOW)
    draft = page.evaluate("() => JSON.parse(localStorage.getItem('caltrop.packs'))[0].draft")
    link = page.request.post(f"{table.address}/api/packs/look", data={"draft": draft}).json()["link"]
    page.evaluate("() => localStorage.clear()")
    page.goto("about:blank")
    table.open(f"/packs{link}")
    expect(page.get_by_text("Hover Lance: new")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Buggies: move 4 → 5")).to_be_visible()


@pytest.mark.parametrize("game", ["Hex Command", "Blade Skirmish"])
def test_the_page_fits_a_phone_and_has_names_for_everything(phone: Table, game: str) -> None:
    page = phone.page
    page.set_viewport_size({"width": 360, "height": 740})
    phone.open("/packs")
    page.get_by_label("Game").select_option(label=game)
    page.get_by_role("button", name="Make a pack").click()
    page.locator(".row").first.click()
    expect(page.locator(".fields input").first).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    page.evaluate(AXE.read_text(encoding="utf-8"))
    faults = page.evaluate(
        "() => axe.run().then((found) => found.violations.map((one) => one.id + ': ' + one.nodes.length))"
    )
    assert faults == []


def test_an_army_is_built_by_a_pack_and_keeps_it(table: Table) -> None:
    page = table.page
    hand = make(table, "Hex Command", "Battle Tanks", "Points", "12")
    expect(page.get_by_text("Battle Tanks: points 7 → 12")).to_be_visible(timeout=SLOW)
    table.open("/armies?ruleset=hex-command")
    expect(page.get_by_role("heading", name="Units to add")).to_be_visible(timeout=SLOW)
    tanks = page.locator("[data-add=vehicle-medium]")
    pack = page.get_by_role("combobox", name="Pack", exact=True)
    hand.add("Battle Tanks", 2)
    expect(page.locator(".total")).to_contain_text("14")
    pack.select_option(label="My pack")
    expect(page.locator(".total")).to_contain_text("24")
    expect(page.get_by_text("This list is checked by the pack “My pack”")).to_be_visible()
    page.reload()
    expect(pack.locator("option:checked")).to_have_text("My pack", timeout=SLOW)
    expect(page.locator(".total")).to_contain_text("24")
    pack.select_option(label="None: as printed")
    expect(page.locator(".total")).to_contain_text("14")
    expect(tanks).to_be_visible()


def test_a_pack_goes_with_its_army_into_a_new_game(table: Table) -> None:
    """The army costs more than the smallest battle allows, so a larger battle is proposed."""
    page = table.page
    hand = make(table, "Squad Action", "Regular", "Fire", "2")
    expect(page.get_by_text("Regular: fire 4 → 2")).to_be_visible(timeout=SLOW)
    table.open("/armies?ruleset=squad-action")
    expect(page.get_by_role("heading", name="Units to add")).to_be_visible(timeout=SLOW)
    page.get_by_role("combobox", name="Pack", exact=True).select_option(label="My pack")
    hand.add("Regular", 3)
    hand.add("Battle tank")
    expect(page.locator(".total")).to_contain_text("270", timeout=SLOW)
    hand.click(page.get_by_role("link", name="Play with this army"))
    scenario = page.get_by_role("combobox", name="Scenario", exact=True)
    expect(scenario).to_have_value("meeting-engagement", timeout=SLOW)
    scenario.select_option("first-battle")
    expect(page.get_by_text("First Battle is made for armies of 200 points.")).to_be_visible()
    expect(page.get_by_role("combobox", name="Pack", exact=True).locator("option:checked")).to_have_text("My pack")
    hand.click(page.get_by_role("button", name="Start the game"))
    expect(table.question).not_to_be_empty(timeout=SLOW)
    view = page.request.get(f"{table.address}/api/games/{urlsplit(page.url).path.strip('/')}").json()
    assert view["rules"]["pack"].startswith("pack-")


PACK = {
    "format": "caltrop-pack",
    "ruleset": "squad-action",
    "id": "keen",
    "title": "Keen Eyes",
    "rows": {"profiles": {"keen": {"like": "regular", "title": "Keen", "fire": 3}}},
}

KEEN = """title: The Keen
id: the-keen
ruleset: squad-action
units:
  - {profile: keen, models: 6, name: 1st Keen}
  - {profile: keen, models: 6, name: 2nd Keen}
"""


def give_up_battle(table: Table) -> str:
    """Begin a battle with an own army, map and pack, and give it up. Return the game's id."""
    request = table.page.request
    draft = request.get(f"{table.address}/api/maps/squad-action/scenario?name=first-battle").json()["draft"]
    draft |= {"title": "The Ford", "id": "the-ford"}
    lists = {"armies": [KEEN, KEEN.replace("Keen", "Others").replace("the-keen", "others")]}
    own: dict[str, Any] = {"scenario": json.dumps(draft) + "\n", "pack": PACK, **lists}
    game = table.begin("person", "recruit", ruleset="squad-action", **own)
    table.question.wait_for()
    token = table.page.evaluate(
        "(game) => JSON.parse(localStorage['caltrop.games']).find((one) => one.id === game)", game
    )
    bearer = {"Authorization": f"Bearer {token['tokens']['0']}"}
    for words in ("resign", "show-all"):
        assert request.post(f"{table.address}/api/games/{game}/messages", data={"type": words}, headers=bearer).ok
    return game


def test_a_battle_with_everything_of_ones_own_is_played_again(table: Table, browser: Browser, tmp_path: Path) -> None:
    """The form is filled in from the table, and from the record in a browser that has no other data."""
    page = table.page
    game = give_up_battle(table)
    again = page.get_by_role("link", name="Play again")
    expect(again).to_be_visible(timeout=SLOW)
    record = tmp_path / "the-ford.caltrop.json"
    record.write_text(page.request.get(f"{table.address}/api/games/{game}/record").text(), encoding="utf-8")
    again.click()
    expect_filled_in(page)
    context = browser.new_context()
    stranger = context.new_page()
    stranger.goto(f"{table.address}/replay")
    stranger.get_by_label("Open a file").set_input_files(record)
    expect(stranger.get_by_role("region", name="Timeline")).to_be_visible(timeout=SLOW)
    link = stranger.get_by_role("link", name="Play again")
    for _ in range(100):  # the moments of the replay arrive one by one
        stranger.keyboard.press("End")
        if link.count():
            break
        stranger.wait_for_timeout(100)
    link.click(timeout=SLOW)
    expect_filled_in(stranger)
    stranger.get_by_role("button", name="Start the game").click()
    expect(stranger.locator("[data-row]").filter(has_text="1st Keen").first).to_be_visible(timeout=SLOW)
    context.close()


def expect_filled_in(page: Page) -> None:
    """Assert that the form of a new game has the table, both armies and the pack."""
    chosen = page.locator("option:checked")
    expect(chosen.filter(has_text="The Ford (yours)")).to_have_count(1, timeout=SLOW)
    expect(chosen.filter(has_text="Keen Eyes")).to_have_count(1)
    expect(chosen.filter(has_text="The Keen (2 units)")).to_have_count(1)
    expect(chosen.filter(has_text="The Others (2 units)")).to_have_count(1)
    expect(page.get_by_text("Both armies cost 96 points.")).to_be_visible()


def test_a_new_game_says_how_much_of_an_army_fights(table: Table) -> None:
    """The form does so for an own table too, which may allow more points than the scenario from which it was made."""
    page = table.page
    table.open("/new?ruleset=squad-action&scenario=first-battle")
    army = page.get_by_role("combobox", name=re.compile("^Army A"))
    expect(army.locator("option", has_text="Iron Column (3 of 5 units)")).to_have_count(1)
    draft = page.request.get(f"{table.address}/api/maps/squad-action/scenario?name=first-battle").json()["draft"]
    tables = [
        {"id": "mine", "game": "squad-action", "title": "Wide", "draft": {**draft, "points": [900, 900]}, "changed": 1}
    ]
    page.evaluate("(tables) => localStorage.setItem('caltrop.maps', JSON.stringify(tables))", tables)
    table.open("/new?ruleset=squad-action&scenario=map:mine")
    expect(army.locator("option", has_text="Iron Column (5 units)")).to_have_count(1, timeout=SLOW)


def test_fairness_is_measured_while_other_tabs_are_open(table: Table) -> None:
    page = table.page
    table.open("/maps?ruleset=duel&scenario=bridge")
    expect(page.get_by_text(RIGHT)).to_be_visible(timeout=SLOW)
    page.get_by_role("tab", name="Fair?").click()
    page.get_by_label("Games", exact=True).fill("4")
    page.get_by_role("button", name="Is it fair?").click()
    page.get_by_role("tab", name="Battle").click()
    page.get_by_role("tab", name="Fair?").click()
    expect(page.get_by_text("4 games played")).to_be_visible(timeout=SLOW)
    page.get_by_role("tab", name="Ground").click()
    page.get_by_role("tab", name="Fair?").click()
    expect(page.get_by_text("4 games played")).to_be_visible()
    page.get_by_role("tab", name="Battle").click()
    page.get_by_label("Title", exact=True).fill("")
    page.get_by_role("tab", name="Fair?").click()
    expect(page.get_by_role("button", name="Is it fair?")).to_be_disabled(timeout=SLOW)
    expect(page.get_by_text("Only a table without errors can be measured")).to_be_visible()
