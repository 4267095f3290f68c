"""The form for a new game in which one side plays against the rules."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.table import Table


def test_one_side_has_one_army_and_nobody_to_play_against(table: Table) -> None:
    table.open("/new?ruleset=blade-skirmish&scenario=run-the-gauntlet&seat=1")
    page = table.page
    army = page.get_by_role("group", name="The army")
    expect(army.get_by_label("Your army")).to_contain_text("Six Blades, as the scenario says")
    expect(page.get_by_role("group", name="The players").get_by_label("Against")).to_have_count(0)
    expect(page.get_by_label("Your side", exact=True)).to_have_count(0)
    expect(page.get_by_label("Your side throws real dice, which are typed in")).to_be_visible()
    expect(page.get_by_label(re.compile("throws real dice"))).to_have_count(1)
    army.get_by_label("Your army").select_option("old-guard")
    expect(page).to_have_url(re.compile("armies=old-guard(&|$)"))
    table.button("Start the game").click()
    expect(page).to_have_url(re.compile("/game/|/table/|/[a-z2-9]{12}"))
    expect(page.get_by_text("Old Guard").first).to_be_visible()
    expect(page.get_by_text("Put a fighter down within 3 inches of the south edge").first).to_be_visible()


def test_two_sides_have_two_armies(table: Table) -> None:
    table.open("/new?ruleset=blade-skirmish&scenario=blood-price")
    page = table.page
    expect(page.get_by_role("group", name="The armies").get_by_label("Army B")).to_be_visible()
    expect(page.get_by_role("group", name="The players").get_by_label("Against")).to_be_visible()
    page.get_by_role("combobox", name="Scenario").select_option("cut-them-down")
    expect(page.get_by_role("group", name="The players").get_by_label("Against")).to_have_count(0)
