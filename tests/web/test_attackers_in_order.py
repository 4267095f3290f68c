"""Several units attack one target at the table: the chances after all of them, and the best order."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.web.table import Table


def attackers(table: Table) -> Locator:
    return table.page.get_by_role("group", name="Attackers in order").get_by_role("button")


def prepare(table: Table, game: str, name: str, unit: str, offer: str) -> None:
    table.begin("person", "person", ruleset=game, ruling=name)
    table.row(unit).click()
    tab = table.page.get_by_role("button", name="Orders", exact=True)
    if tab.is_visible():
        tab.click()
    table.page.locator(".orders").get_by_role("button", name=re.compile(offer)).first.click()


def test_attackers_join_in_order_by_keys_and_are_put_into_the_best(table: Table) -> None:
    prepare(table, "squad-action", "SQ-Q38", "Spotter", "^Shoot at Theirs")
    page = table.page
    expect(attackers(table)).to_have_text([re.compile("1.*Spotter"), re.compile(r"\+.*Other")])
    both = page.get_by_role("figure").filter(has_text="After all 2 attacks: exact odds")
    expect(both).to_have_count(0)
    attackers(table).nth(1).focus()
    page.keyboard.press("Space")
    expect(attackers(table).nth(1)).to_have_attribute("aria-pressed", "true")
    expect(both).to_contain_text("On average: 6.8 models")
    best = page.get_by_role("button", name="Best order")
    best.focus()
    page.keyboard.press("Enter")
    expect(attackers(table)).to_have_text([re.compile("2.*Spotter"), re.compile("1.*Other")])
    expect(page.locator(".prepared")).to_contain_text("Shoot at Theirs: 4 rifles")
    expect(page.get_by_text("No other order leaves less.")).to_be_visible()
    expect(best).to_have_count(0)
    # The prepared attack stays in the list. The other one can be removed.
    expect(attackers(table).nth(1)).to_have_attribute("aria-disabled", "true")
    attackers(table).first.click()
    expect(both).to_have_count(0)
    assert table.errors == []


@pytest.mark.parametrize(
    ("game", "name", "unit", "offer", "left"),
    [
        ("hex-command", "HX-W06", "Ours", "^Close assault the Machine", "4 points"),
        ("blade-skirmish", "BS-W36", "First", "^Attack Victim", "wounded"),
        ("command-horizon", "W47", "First", "^Fire at Mediums with 1 die", "1 model, 1 stun"),
    ],
)
def test_they_join_in_every_game_in_which_units_attack_in_turn(
    table: Table, game: str, name: str, unit: str, offer: str, left: str
) -> None:
    prepare(table, game, name, unit, offer)
    attackers(table).nth(1).click()
    both = table.page.get_by_role("figure").filter(has_text="After all 2 attacks: exact odds")
    expect(both.get_by_role("row", name=re.compile(f"^{left} +[0-9]+ %"))).to_be_visible()
    assert table.errors == []


def test_a_finger_has_them_join_on_a_phone(phone: Table) -> None:
    prepare(phone, "command-horizon", "W47", "First", "^Fire at Mediums with 1 die")
    attackers(phone).nth(2).tap()
    attackers(phone).nth(1).tap()
    expect(attackers(phone)).to_have_text([re.compile("1.*First"), re.compile("3.*Second"), re.compile("2.*Third")])
    brief = phone.page.get_by_role("figure", name="Odds in brief").filter(has_text="After all 3 attacks, exact odds")
    expect(brief).to_contain_text("Mediums lost: ")
    brief.locator("summary").first.tap()
    expect(brief).to_contain_text("On average")
    assert phone.errors == []
