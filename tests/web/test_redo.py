"""Acts that were undone are repeated by key and by button."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from tests.web.table import Table


def duel_at_walk(table: Table) -> None:
    """Return a duel against a person elsewhere, with the first side about to walk."""
    request = table.page.request
    expected = {"ruleset": "duel", "scenario": "crossroads", "seats": ["person", "person"]}
    made = request.post(table.address + "/api/games", data={**expected, "rules": {"bid.tie": "first-side"}}).json()
    for seat in made["seats"]:
        about: dict[str, Any] = {"Authorization": f"Bearer {seat['token']}"}
        view = request.get(f"{table.address}/api/games/{made['game']}", headers=about).json()
        answer = {"decision": view["decisions"][0]["id"], "action": {"type": "Stake", "points": 0}}
        assert request.post(f"{table.address}/api/games/{made['game']}/messages", headers=about, data=answer).ok
    table.open(f"/{made['game']}#0={made['seats'][0]['token']}")
    expect(table.question).to_contain_text("Where does Ash walk?")


def redo(table: Table) -> Locator:
    return table.page.get_by_role("group", name="Confirm, cancel, undo").get_by_role("button", name="Redo")


def test_an_act_is_taken_back_and_played_again_by_keyboard(table: Table) -> None:
    duel_at_walk(table)
    expect(redo(table)).to_be_disabled()
    table.choose("Stay where you are")
    expect(table.question).to_contain_text("Waiting for Briar")
    table.page.keyboard.press("Control+z")
    expect(table.question).to_contain_text("Where does Ash walk?")
    expect(redo(table)).to_be_enabled()
    table.page.keyboard.press("Control+Shift+Z")
    expect(table.question).to_contain_text("Waiting for Briar")
    expect(redo(table)).to_be_disabled()
    assert table.errors == []


def test_after_another_act_nothing_can_be_played_again(table: Table) -> None:
    duel_at_walk(table)
    table.choose("Stay where you are")
    table.button("Undo").click()
    expect(redo(table)).to_be_enabled()
    table.page.keyboard.press("ArrowLeft")
    table.confirm.click()
    expect(table.question).to_contain_text("Waiting for Briar")
    table.button("Undo").click()
    redo(table).click()
    expect(table.question).to_contain_text("Waiting for Briar")
    table.button("Undo").click()
    table.choose("Stay where you are")
    expect(table.question).to_contain_text("Waiting for Briar")
    expect(redo(table)).to_be_disabled()
    table.page.keyboard.press("Control+Shift+Z")
    expect(table.page.get_by_role("group", name="Confirm, cancel, undo")).to_contain_text("nothing to redo")
