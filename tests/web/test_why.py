"""Reasons why a unit is lost or an objective is held, asked in the list of units, the log and at the table."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.web.table import Table


def lost_units(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the lost units whose names are unique."""
    names = [unit["name"] for unit in view["gone"]]
    return [unit for unit in view["gone"] if names.count(unit["name"]) == 1]


def finished_battle(table: Table) -> tuple[str, dict[str, Any]]:
    """Return a finished battle of computer players in which a unit was lost and an objective taken."""
    request = table.page.request
    expected = {"ruleset": "command-horizon", "scenario": "first-battle", "seats": ["heuristic", "heuristic"]}
    for _ in range(6):
        id = request.post(table.address + "/api/games", data=expected).json()["game"]
        view: dict[str, Any] = {"over": None}
        for _ in range(600):
            view = request.get(f"{table.address}/api/games/{id}").json()
            if view["over"]:
                break
            table.page.wait_for_timeout(200)
        if lost_units(view) and any(spot["holder"] is not None for spot in view["picture"]["spots"]):
            return id, view
    raise AssertionError("no unit was lost, or no objective taken, in six battles")


def test_lost_units_and_objectives_tell_why(table: Table) -> None:
    id, view = finished_battle(table)
    page = table.page
    table.open(f"/{id}")
    unit = max(lost_units(view), key=lambda one: int(one["act"]))
    page.get_by_role("button", name=f"Why? {unit['name']} is gone").click()
    why = page.get_by_role("complementary", name=f"Why: {unit['name']} is gone")
    expect(why).to_contain_text("→ not there")
    expect(why.get_by_role("link", name=f"moment {unit['act']}")).to_be_visible()
    spot = next(spot for spot in view["picture"]["spots"] if spot["holder"] is not None)
    page.get_by_role("button", name=f"Why? The holder of {spot['name']}").click()
    why = page.get_by_role("complementary", name=f"Why: The holder of {spot['name']}")
    holder = next(seat["name"] for seat in view["picture"]["seats"] if seat["side"] == spot["holder"])
    expect(why).to_contain_text(holder)
    folded = table.log.get_by_role("button", expanded=False)
    while folded.count():
        folded.first.click()
    table.log.get_by_role("button", name=f"Why is {unit['name']} gone?").click()
    expect(page.get_by_role("complementary", name=f"Why: {unit['name']} is gone")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    table.button(re.compile("^Units$")).click()
    page.get_by_role("button", name=f"Why? {unit['name']} is gone").click()
    expect(page.get_by_role("complementary", name=re.compile("^Why"))).to_be_visible()
    assert not table.is_wide()
    assert table.errors == []


def test_an_objective_on_the_table_tells_why(table: Table) -> None:
    id, view = finished_battle(table)
    page = table.page
    table.open(f"/{id}")
    spot = next(spot for spot in view["picture"]["spots"] if spot["holder"] is not None)
    button = page.get_by_role("button", name=f"{spot['name']}: who holds it, and why")
    why = page.get_by_role("complementary", name=f"Why: The holder of {spot['name']}")
    expect(button).to_have_css("opacity", "0")
    button.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(button).to_be_focused()
    expect(button).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    expect(why.get_by_role("list", name="The causes, latest first").first).to_contain_text("decided:")
    why.get_by_role("button", name="Close the answer").click()
    expect(button).to_have_css("opacity", "0")
    ground = page.get_by_role("img", name=re.compile(f"^{spot['name']}")).locator("circle.objective").bounding_box()
    assert ground is not None
    page.mouse.move(ground["x"] + ground["width"] * 0.75, ground["y"] + ground["height"] * 0.3)
    expect(button).to_have_css("opacity", "1")
    button.click()
    expect(why).to_contain_text("→")
    assert table.errors == []
