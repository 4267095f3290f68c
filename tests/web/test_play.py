"""A game in the browser, from the lobby to the end, by pointer, keys and touch."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.table import Table


def test_from_the_lobby_to_the_first_act(table: Table) -> None:
    table.open()
    table.button("Play now (Command Horizon: First battle)").click()
    expect(table.page).to_have_url(re.compile(r"/[a-z0-9]{12}$"))
    expect(table.question).not_to_be_empty()
    expect(table.page.get_by_role("group", name="The table", exact=True)).to_be_visible()
    expect(table.page.get_by_role("list", name="Steps of the turn")).to_be_visible()
    table.open()
    expect(table.page.get_by_role("heading", name="Continue")).to_be_visible()


def test_a_game_is_made_by_the_form(table: Table) -> None:
    table.open("/new?ruleset=duel&scenario=bridge")
    table.page.get_by_label("Edition").select_option("sharp")
    table.page.get_by_label("Against").select_option("person")
    table.page.get_by_label("Both on this screen").check()
    table.page.get_by_label("Search the house rules").fill("DU-PARRY")
    table.page.get_by_label("Breath for a parry").fill("2")
    table.button("Start the game").click()
    expect(table.question).to_contain_text("stake for the first turn")
    stored = table.page.evaluate("JSON.parse(localStorage['caltrop.games'])[0]")
    assert sorted(stored["tokens"]) == ["0", "1"]
    rules = table.page.request.get(f"{table.address}/api/games/{stored['id']}").json()
    assert (rules["edition"], rules["scenario"], rules["rules"]["parry.price"]) == ("sharp", "bridge", 2)


def test_a_whole_game_by_the_keyboard(table: Table) -> None:
    """Nothing is clicked. The keys that the page names are quicker than Tab."""
    table.begin("person", "random")
    keyboard = table.page.keyboard
    over = table.page.get_by_role("link", name="Play again")
    for _ in range(80):
        expect(table.button("Skip ahead").or_(table.page.locator(".orders h2")).first).to_be_visible()
        if over.is_visible():
            break
        if table.button("Skip ahead").is_visible():
            keyboard.press("Enter")
        elif (
            offer := table.page.locator(".orders li button, .bar .end").filter(
                has_text=re.compile("Stay|Stake|Thrust|Take")
            )
        ).count():
            offer.first.focus()
            keyboard.press("Enter")
            before = table.question.inner_text() + table.log.inner_text()
            table.settle("Enter")
            table.page.wait_for_function(
                "before => before !== (document.querySelector('#question')?.innerText ?? '') "
                "+ document.querySelector('[role=log]').innerText",
                arg=before,
            )
        else:
            table.page.wait_for_timeout(100)
    expect(over).to_be_visible()
    assert table.errors == []


def test_arrow_keys_move_the_ghost_and_enter_commits(table: Table) -> None:
    table.begin("person", "person", scenario="crossroads", rules={"bid.tie": "first-side"})
    page = table.page
    page.get_by_role("button", name=re.compile("show the table")).or_(table.question).first.wait_for()
    table.choose("Stake")
    page.get_by_label("Do not show this again in this game").click()
    expect(table.question).to_contain_text("stake for the first turn")
    table.choose("Stake")
    expect(table.question).to_contain_text("Where does Ash walk?")
    page.locator("main").click(position={"x": 5, "y": 5})
    page.keyboard.press("n")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    expect(page.locator(".orders")).to_contain_text("3 cm, 5 cm left")
    page.keyboard.press("Enter")
    expect(table.log).to_contain_text("Ash walks")
    page.keyboard.press("Control+z")
    expect(table.question).to_contain_text("Where does Ash walk?")


def test_a_drag_too_far_is_refused_with_its_clause_and_the_nearest(table: Table) -> None:
    table.begin("person", "person", scenario="crossroads", rules={"bid.tie": "first-side"})
    page = table.page
    page.get_by_label("Do not show this again").or_(table.question).first.wait_for()
    table.choose("Stake")
    page.get_by_label("Do not show this again in this game").click()
    expect(table.question).to_contain_text("stake for the first turn")
    table.choose("Stake")
    expect(table.question).to_contain_text("Where does Ash walk?")
    base = page.locator('g.unit[data-unit="0"] .piece').bounding_box()
    board = page.get_by_role("group", name="The table", exact=True).bounding_box()
    assert base is not None
    assert board is not None
    x, y = base["x"] + base["width"] / 2, base["y"] + base["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y, steps=3)
    page.mouse.move(board["x"] + board["width"] - 30, y - 20, steps=6)
    page.mouse.up()
    alert = page.get_by_role("alert").filter(has_text="cm")
    expect(alert).to_be_visible()
    expect(alert.get_by_role("link", name=re.compile("DU-MOVE-0"))).to_be_visible()
    expect(table.confirm).to_be_disabled()
    alert.get_by_role("button", name="Take the nearest legal act").click()
    table.settle()
    expect(table.log).to_contain_text("Ash walks")


def test_a_reload_goes_on(table: Table) -> None:
    table.begin("person", "random")
    expect(table.question).to_contain_text("stake for the first turn")
    assert "#" not in table.page.url
    table.choose(re.compile("Stake"))
    expect(table.log.locator("li").first).not_to_contain_text("Nothing has happened yet")
    first = table.log.locator("li").first.inner_text()
    table.page.reload()
    expect(table.log.locator("li").first).to_have_text(first, use_inner_text=True)


def test_a_lost_connection_comes_back(table: Table) -> None:
    table.begin("person", "random")
    expect(table.question).to_contain_text("stake for the first turn")
    table.page.context.set_offline(True)
    table.page.evaluate("window.dispatchEvent(new Event('offline'))")
    table.page.context.set_offline(False)
    table.page.evaluate("window.dispatchEvent(new Event('online'))")
    table.choose(re.compile("Stake"))
    expect(table.log.locator("li").first).not_to_contain_text("Nothing has happened yet")


def test_an_act_before_the_dice_is_taken_back_by_leave(table: Table) -> None:
    """After a die has fallen, the other side is asked for consent. A friendly computer player agrees."""
    table.begin("person", "random", rules={"bid.tie": "first-side"})
    expect(table.question).to_contain_text("stake for the first turn")
    table.choose(re.compile("Stake"))
    expect(table.log.locator("li").first).not_to_contain_text("Nothing has happened yet")
    orders = table.page.locator(".orders")
    expect(orders).to_contain_text(re.compile("Undo ends here|Where does Ash walk"), timeout=15000)
    expect(orders.get_by_text("Undo ends here")).to_be_visible()
    expect(orders.get_by_role("button", name="Ask to take it back")).to_be_visible()
    # A click on Undo says why undo is impossible, and offers to ask the other side.
    bar = table.page.get_by_role("group", name="Confirm, cancel, undo")
    asks = bar.get_by_role("button", name="Ask to take it back")
    expect(asks).to_have_count(0)
    bar.get_by_role("button", name="Undo").click()
    expect(asks).to_be_visible()
    expect(table.confirm).to_have_count(0)
    asks.click()
    expect(table.question).to_contain_text("stake for the first turn")
    expect(asks).to_have_count(0)


def test_a_curtain_falls_between_two_at_one_screen(table: Table) -> None:
    table.begin("person", "person")
    expect(table.question).to_contain_text("stake for the first turn")
    table.choose(re.compile("Stake"))
    curtain = table.page.get_by_role("dialog")
    expect(curtain).to_contain_text("Briar is to act")
    expect(table.page.locator(".orders")).not_to_contain_text("Stake")
    curtain.get_by_role("button", name=re.compile("I am Briar")).click()
    expect(table.question).to_contain_text("stake for the first turn")
    expect(curtain).to_be_hidden()


def test_the_table_turns_without_a_curtain_where_nothing_is_hidden(table: Table) -> None:
    table.begin("person", "person", ruleset="command-horizon", scenario="first-battle")
    asked = table.button("Do not concentrate")
    expect(asked).to_be_visible()
    table.choose("Do not concentrate")
    turns = re.compile("the turn of.*the turn of", re.DOTALL)
    while turns.search(table.whole_log()) is None:
        table.page.keyboard.press("Shift+Enter")
        table.settle()
        expect(table.page.get_by_role("dialog")).to_have_count(0)
    expect(asked, "the other side is asked, on the same table").to_be_visible()
    assert not table.errors


def test_the_whole_table_fits_a_phone_and_is_played_by_touch(table: Table, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    try:
        phone = Table(context.new_page(), table.address)
        for path in ("/", "/new?ruleset=duel", "/replay"):
            phone.open(path)
            phone.page.wait_for_load_state("networkidle")
            assert not phone.is_wide(), path
        phone.begin("person", "random")
        expect(phone.question).to_contain_text("stake for the first turn")
        assert not phone.is_wide()
        before = phone.confirm.bounding_box()
        phone.page.locator(".orders").get_by_role("button", name=re.compile("Stake")).first.tap()
        expect(phone.confirm).to_be_enabled()
        after = phone.confirm.bounding_box()
        assert before is not None
        assert after is not None
        assert all(abs(before[side] - after[side]) < 1 for side in ("x", "y", "width", "height"))
        expect(phone.question).to_contain_text("stake for the first turn")
        phone.confirm.tap()
        phone.button(re.compile("^Log$")).tap()
        expect(phone.log.locator("li").first).not_to_contain_text("Nothing has happened yet")
        assert phone.errors == []
    finally:
        context.close()


def test_a_saved_game_is_watched_again(table: Table, tmp_path: Path) -> None:
    table.begin("person", "random")
    expect(table.question).to_contain_text("stake for the first turn")
    table.choose(re.compile("Stake"))
    expect(table.log.locator("li").first).not_to_contain_text("Nothing has happened yet")
    table.button("Menu").click()
    with table.page.expect_download() as saved:
        table.button("Save the game").click()
    file = tmp_path / "saved.caltrop.json"
    saved.value.save_as(file)
    assert json.loads(file.read_text())["format"] == "caltrop-game"
    table.open("/replay")
    table.page.get_by_label("Open a file").set_input_files(file)
    expect(table.page.get_by_role("heading", name=re.compile("moment 0 of"))).to_be_visible()
    table.page.get_by_role("button", name="Next", exact=True).click()
    expect(table.page.get_by_role("heading", name=re.compile("moment 1 of"))).to_be_visible()


def test_what_is_no_recorded_game_is_refused_in_words(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text("{}")
    table.open("/replay")
    table.page.get_by_label("Open a file").set_input_files(file)
    expect(table.page.get_by_role("alert")).to_contain_text("not a recorded game")


def test_keys_and_colours(table: Table) -> None:
    table.begin("person", "random")
    expect(table.question).to_contain_text("stake for the first turn")
    table.page.set_viewport_size({"width": 1024, "height": 420})
    table.page.keyboard.press("?")
    keys = table.page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    begins = "(list) => list.scrollHeight > list.clientHeight && list.scrollTop === 0"
    assert keys.evaluate(begins), "a long list begins at its top, wherever its button is"
    table.page.get_by_role("button", name="Close", exact=True).click()
    table.page.set_viewport_size({"width": 1440, "height": 900})
    table.button(re.compile("Colours")).click()
    table.button(re.compile("Colours")).click()
    assert table.page.evaluate("document.documentElement.dataset.theme") == "dark"
    table.page.reload()
    assert table.page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_an_unknown_game_is_told_in_words(table: Table) -> None:
    table.open("/nosuchgame22")
    expect(table.page.get_by_role("heading", name="This game cannot be opened")).to_be_visible()
    expect(table.page.get_by_role("main")).to_have_text(
        "This game cannot be opened There is no such game here. To the lobby"
    )
    expect(table.page.get_by_role("button", name="Undo")).to_have_count(0)


def test_two_browsers_play_one_game(table: Table, browser: Browser) -> None:
    made = table.page.request.post(
        table.address + "/api/games", data={"ruleset": "duel", "scenario": "bridge", "seats": ["person", "person"]}
    ).json()
    tokens = {seat["side"]: seat["token"] for seat in made["seats"]}
    table.open(f"/{made['game']}#0={tokens[0]}")
    context = browser.new_context()
    try:
        friend = Table(context.new_page(), table.address)
        friend.open(f"/{made['game']}#{tokens[1]}")
        expect(friend.question).to_contain_text("stake for the first turn")
        table.choose(re.compile("Stake"))
        expect(table.question).to_contain_text("Waiting for Briar")
        expect(friend.log).not_to_contain_text("Ash stakes")
        friend.choose(re.compile("Stake"))
        expect(table.log).to_contain_text("Ash stakes", timeout=10000)
        expect(friend.log).to_contain_text("Ash stakes", timeout=10000)
        assert friend.errors == []
    finally:
        context.close()


def test_the_first_turn_of_a_battle(table: Table) -> None:
    """In Command Horizon, arrow keys make a move with a price, and a key ends the step."""
    table.begin("person", "easy", ruleset="command-horizon", scenario="first-battle")
    expect(table.question).to_contain_text("Concentrate command", timeout=30000)
    table.choose("Do not concentrate")
    expect(table.question).to_contain_text("Alliance moves")
    table.button(re.compile("^Medium Tanks may act")).click()
    table.page.evaluate("document.activeElement.blur()")
    for _ in range(8):
        table.page.keyboard.press("ArrowUp")
    expect(table.page.locator(".orders")).to_contain_text(re.compile(r"cm left at this price\. Price: \d"))
    expect(table.confirm).to_be_enabled()
    table.page.keyboard.press("Enter")
    expect(table.log).to_contain_text("Medium Tanks move")
    expect(table.page.locator(".prepared")).to_have_text("")
    table.page.keyboard.press("Shift+Enter")
    expect(table.question).to_contain_text("Alliance moves")
    table.page.keyboard.press("Enter")
    expect(table.question).not_to_contain_text("Alliance moves")
    assert table.errors == []
