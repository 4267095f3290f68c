"""A replay opens with its first moments, and has the others soon after."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.web.table import Table

REST = re.compile(r"/moments\?.*from=[1-9]")


@pytest.fixture
def battle(table: Table) -> str:
    """A battle of more than 20 acts that computers have played to its end."""
    wanted = {"ruleset": "duel", "scenario": "crossroads", "seats": ["random", "random"]}
    for _ in range(10):
        game: str = table.page.request.post(table.address + "/api/games", data=wanted).json()["game"]
        view: dict[str, Any] = {"over": None}
        for _ in range(400):
            view = table.page.request.get(f"{table.address}/api/games/{game}").json()
            if view["over"]:
                break
            table.page.wait_for_timeout(50)
        if view["over"] and view["act"] > 20:
            return game
    raise AssertionError("no battle is long enough")


def test_the_first_moments_can_be_looked_at_before_the_others_are_there(table: Table, battle: str) -> None:
    page = table.page
    all_moments = page.request.get(f"{table.address}/api/games/{battle}/moments").json()["moments"]
    last = len(all_moments) - 1
    assert last > 20
    held: list[Route] = []
    page.route(REST, lambda route: held.append(route))
    table.open(f"/replay/{battle}")
    line = page.get_by_role("region", name="Timeline")
    expect(line).to_contain_text(f"moment 0 of {last}")
    on = line.get_by_role("button", name="On", exact=True)
    on.click()
    expect(line).to_contain_text(f"moment 1 of {last}")
    expect(table.log.get_by_role("listitem")).to_have_count(len(all_moments[1]["lines"]))
    # Where the next turn begins is not known yet, and the end is not there to be drawn.
    for _ in range(14):
        on.click()
    expect(line.get_by_role("button", name="Turn on")).to_be_disabled()
    page.keyboard.press("End")
    expect(line).to_contain_text(f"moment {last} of {last}")
    over = page.get_by_role("heading", name=re.compile("wins|A draw"))
    expect(over).to_have_count(0)
    assert len(held) == 1
    held[0].continue_()
    expect(over).to_be_visible()
    page.keyboard.press("Home")
    line.get_by_role("button", name="Turn on").click()
    expect(line).not_to_contain_text("moment 0 of")
    assert table.errors == []


def test_a_link_to_a_late_moment_opens_with_it(table: Table, battle: str) -> None:
    table.page.route(REST, lambda route: None)
    table.open(f"/replay/{battle}?at=18&eyes=none")
    expect(table.page.get_by_role("region", name="Timeline")).to_contain_text("moment 18 of")
    expect(table.log.get_by_role("listitem").first).to_be_visible()
    assert table.errors == []
