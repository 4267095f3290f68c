"""A campaign in the browser: begun, played, counted, saved, and opened again."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.table import Table

SEAT = "Object.values(JSON.parse(localStorage['caltrop.games'])[0].tokens)[0]"
"""Script that returns the secret of this browser's seat in its latest game."""


def begin_campaign(table: Table, title: str = "The Red Hand") -> None:
    """Begin a campaign with the form."""
    table.open("/season")
    table.page.get_by_label("Name of the campaign").fill(title)
    table.button("Begin the campaign").click()
    expect(table.page.get_by_role("heading", level=1)).to_have_text(title)


def secret(table: Table) -> str:
    """Return the campaign's secret from this browser's storage."""
    value: str = table.page.evaluate("JSON.parse(localStorage.getItem('caltrop.seasons'))[0].token")
    assert len(value) == 32
    assert value not in table.page.url, "it is taken out of the address"
    return value


def give_up_battle(table: Table) -> None:
    """Begin the next battle, and give it up."""
    page = table.page
    season = page.url
    table.button("Play the next battle").click()
    page.wait_for_url(re.compile(r"//[^/]+/[a-z0-9]{12}$"))
    page.goto(season)
    expect(page.get_by_role("link", name="Continue the battle")).to_be_visible()
    table.button("Give it up …").click()
    table.button("Give it up, and lose it").click()
    expect(page.get_by_role("heading", name="The battle was given up, and is lost")).to_be_visible()


def test_a_season_from_its_beginning_to_the_first_battle_counted(table: Table) -> None:
    begin_campaign(table)
    page = table.page
    roster = page.get_by_role("table", name="The roster")
    expect(roster.get_by_role("row")).to_have_count(1 + 6)
    expect(roster.get_by_role("row", name=re.compile("Maren"))).to_contain_text("3 Seasoned")
    expect(roster.get_by_role("row", name=re.compile("Maren"))).to_contain_text("0 of 9 experience")
    page.get_by_text("Names, cloaks and sayings").click()
    page.get_by_role("combobox", name="Who", exact=True).select_option("Wren")
    page.get_by_label("Her name").fill("Jenny Wren")
    page.get_by_role("combobox", name="Her cloak").select_option("wine")
    page.get_by_label("Her battle cry").fill("Small, but quick")
    table.button("Give her that").click()
    expect(roster.get_by_role("row", name=re.compile("Jenny Wren"))).to_contain_text("“Small, but quick”")
    page.get_by_label("Her name").fill("Maren")
    table.button("Give her that").click()
    expect(page.get_by_role("alert")).to_have_text("name: the roster has, or had, a Maren already.")
    page.get_by_label("Jenny Wren fights").uncheck()
    expect(page.get_by_text("5 of 6 chosen")).to_be_visible()
    give_up_battle(table)
    page.get_by_label("Recruit 1").fill("Maren")
    page.get_by_label("Recruit 1").blur()
    expect(page.get_by_role("alert").filter(has_text="had, a Maren already")).to_be_visible()
    expect(table.button("Count the battle")).to_be_disabled()
    page.get_by_label("Recruit 1").fill("Zoe")
    page.get_by_label("Recruit 1").blur()
    expect(page.get_by_text("Zoe, Green, joins")).to_be_visible()
    expect(roster.get_by_role("row")).to_have_count(1 + 6)
    table.button("Count the battle").click()
    expect(roster.get_by_role("row", name=re.compile("Zoe"))).to_contain_text("1 Green")
    expect(page.get_by_text(re.compile(r"1\. .*: given up"))).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("^Battle 2: "))).to_be_visible()
    assert not table.errors
    # The list of own campaigns shows the campaign with its state.
    table.open("/season")
    first = page.get_by_role("region", name="Your campaigns").get_by_role("listitem").first
    expect(first).to_contain_text("The Red Hand")
    expect(first).to_contain_text("1 of 6 battles fought, score 0")


def test_the_table_of_a_battle_that_is_over_leads_back_to_the_season(table: Table) -> None:
    begin_campaign(table)
    page = table.page
    season, token = page.url, secret(table)
    table.button("Play the next battle").click()
    page.wait_for_url(re.compile(r"//[^/]+/[a-z0-9]{12}$"))
    give_up = f"{table.address}/api/campaigns/{season.rpartition('/')[2]}/give-up"
    assert page.request.post(give_up, data={}).status == 403
    assert page.request.post(give_up, data={}, headers={"Authorization": f"Bearer {token}"}).ok
    page.reload()
    page.get_by_role("link", name="Back to the campaign").click()
    expect(page).to_have_url(season)
    expect(table.button("Count the battle")).to_be_visible()


def test_at_most_six_are_fielded_and_nobody_is_too_few(table: Table) -> None:
    begin_campaign(table)
    page = table.page
    for _ in range(2):
        give_up_battle(table)
        table.button("Count the battle").click()
        expect(table.button("Play the next battle")).to_be_visible()
    boxes = page.get_by_role("checkbox", name=re.compile(" fights$"))
    expect(boxes).to_have_count(8)
    # Eight fighters fit on one sheet of paper, and the chronicle has sheets of its own.
    expect(
        page.get_by_role("region", name="The chronicle").get_by_text("was given up before anybody had taken her place.")
    ).to_have_count(2)
    page.evaluate("window.print = () => {}")
    for button, sheets in (("Print the chronicle", 2), ("Print the roster", 1)):
        table.button(button).click()
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == sheets
    chosen = [box for box in boxes.all() if box.is_checked()]
    assert len(chosen) == 6
    assert all(box.is_disabled() for box in boxes.all() if not box.is_checked())
    for name in [box.get_attribute("aria-label") or "" for box in chosen]:
        page.get_by_label(name).uncheck()
    expect(table.button("Play the next battle")).to_be_disabled()


def test_a_season_is_saved_as_a_file_and_opened_from_it(table: Table, tmp_path: Path) -> None:
    begin_campaign(table, "Grey Geese")
    page = table.page
    with page.expect_download() as saving:
        table.button("Save as a file").click()
    file = tmp_path / saving.value.suggested_filename
    assert file.name.endswith(".caltrop-campaign.json")
    saving.value.save_as(file)
    first = page.url
    table.open("/season")
    page.get_by_label("Open a file").set_input_files(file)
    expect(page.get_by_role("heading", level=1)).to_have_text("Grey Geese")
    assert page.url != first
    table.open("/season")
    (tmp_path / "other.json").write_text("{}")
    page.get_by_label("Open a file").set_input_files(tmp_path / "other.json")
    expect(page.get_by_role("alert")).to_have_text(
        'format: this is not a campaign: its format would be "caltrop-campaign".'
    )


def test_a_season_fits_a_phone(table: Table) -> None:
    table.page.set_viewport_size({"width": 360, "height": 740})
    begin_campaign(table)
    assert not table.is_wide()
    expect(table.button("Play the next battle")).to_be_in_viewport(ratio=1)
    give_up_battle(table)
    assert not table.is_wide()


def test_a_season_that_is_not_there(table: Table) -> None:
    table.open("/season/nothing")
    expect(table.page.get_by_role("alert")).to_contain_text("There is no such campaign here")


def test_a_season_is_led_by_its_link_and_by_nothing_less(table: Table, browser: Browser) -> None:
    begin_campaign(table)
    season, token = table.page.url, secret(table)
    elsewhere = browser.new_context()
    try:
        page = elsewhere.new_page()
        friend = Table(page, table.address)
        page.goto(season)
        expect(page.get_by_role("alert")).to_contain_text("A link to a seat in one of its battles is needed")
        page.goto("about:blank")
        page.goto(f"{season}#{token}")
        expect(page.get_by_role("heading", level=1)).to_have_text("The Red Hand")
        page.goto(season)
        expect(page.get_by_role("heading", level=1)).to_have_text("The Red Hand")
        # Both people have the seat in its battle, and neither takes it from the other.
        table.button("Play the next battle").click()
        expect(table.question).to_contain_text("6 are left", timeout=20000)
        page.reload()
        page.get_by_role("button", name="Join the battle").click()
        expect(friend.question).to_contain_text("6 are left", timeout=20000)
        games = f"{table.address}/api/games/{page.url.rpartition('/')[2]}"
        seats = [one.page.evaluate(SEAT) for one in (friend, table)]
        assert seats[0] != seats[1]
        for left, seat in ((5, seats[0]), (4, seats[1]), (3, seats[0])):
            bearer = {"Authorization": f"Bearer {seat}"}
            asked = page.request.get(games, headers=bearer).json()["decisions"][0]
            answer = {"type": "answer", "decision": asked["id"], "action": asked["offers"][0]["action"]}
            assert page.request.post(f"{games}/messages", headers=bearer, data=answer).ok
            for one in (friend, table):
                expect(one.question).to_contain_text(f"{left} are left")
        page.goto(season)
        expect(page.get_by_role("link", name="Continue the battle")).to_be_visible()
        expect(page.get_by_role("button", name="Copy the link for onlookers")).to_be_visible()
    finally:
        elsewhere.close()


def test_a_season_of_before_there_were_secrets_is_led_on_by_the_browser_that_fought_it(
    table: Table, database_file: Path
) -> None:
    begin_campaign(table)
    page = table.page
    give_up_battle(table)
    table.button("Count the battle").click()
    expect(table.button("Play the next battle")).to_be_visible()
    id = page.url.rpartition("/")[2]
    # Rewrite the campaign as an older server stored it, without a secret; the browser knows only its id.
    with sqlite3.connect(database_file, timeout=10) as database:
        gone = database.execute("DELETE FROM events WHERE game = ? AND kind = 'owner'", (f"c:{id}",))
        assert gone.rowcount == 1
    database.close()
    page.evaluate("""() => localStorage.setItem('caltrop.seasons',
        JSON.stringify(JSON.parse(localStorage.getItem('caltrop.seasons')).map(({ token, ...one }) => one)))""")
    table.open(f"/season/{id}")
    expect(table.button("Play the next battle")).to_be_visible()
    table.open(f"/season/{id}")
    give_up_battle(table)
