"""From a cold page to the first legal move, using only what is visible; and the contents of the lobby."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.table import Table

pytestmark = pytest.mark.at_once


class Clock:
    """Counts inputs, and the seconds for which the page lets a person wait for the next control."""

    def __init__(self) -> None:
        self.inputs, self.waited = 0, 0.0

    def do(self, ready: Callable[[], Any], act: Callable[[], Any]) -> None:
        """Wait until an input is possible, and make it."""
        before = time.monotonic()
        ready()
        self.waited += time.monotonic() - before
        act()
        self.inputs += 1


def test_from_a_cold_page_to_the_first_legal_move(browser: Browser, base_url: str) -> None:
    """Controls are found by visible roles and names. The opponent thinks as briefly as an easy player."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    clock = Clock()
    try:
        page = context.new_page()
        before = time.monotonic()
        page.goto(base_url)
        clock.waited += time.monotonic() - before
        play = page.get_by_role("button", name="Play now (Command Horizon: First battle)")
        clock.do(lambda: expect(play).to_be_enabled(), play.click)
        concentrate = page.get_by_role("region", name="Orders and log").get_by_role("button", name="Do not concentrate")
        skip = page.get_by_role("button", name="Skip ahead")
        before = time.monotonic()
        expect(concentrate.or_(skip).first).to_be_visible(timeout=20000)
        clock.waited += time.monotonic() - before
        if skip.is_visible():
            # The dice decide which side begins. The other side's turn is shown act by act, and can be skipped.
            clock.do(lambda: expect(skip).to_be_enabled(), skip.click)
        clock.do(lambda: expect(concentrate).to_be_visible(timeout=20000), concentrate.click)
        before = time.monotonic()
        expect(page.get_by_role("heading", name=re.compile("moves"))).to_be_visible()
        clock.waited += time.monotonic() - before
        assert clock.inputs <= 3
        assert clock.waited < 3, clock.waited
    finally:
        context.close()


def test_nothing_that_is_only_looked_at_comes_before_the_first_move(table: Table) -> None:
    """The page asks for games and their pictures first. Tables and painting come when the page is idle."""
    page = table.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(table.address)))
    # This page never becomes idle.
    page.add_init_script(
        "const late = setTimeout; window.setTimeout = (f, ms, ...a) => (ms === 700 ? 0 : late(f, ms, ...a))"
    )
    table.open()
    expect(table.button("Play now").first).to_be_enabled()
    expect(page.get_by_role("img", name="Command Horizon, in the middle of a battle")).to_be_visible()
    assert [one for one in asked if one.startswith("/api/")] == ["/api/catalogue"]
    assert not [one for one in asked if "worker" in one]
    assert len([one for one in asked if not one.endswith(".webp")]) <= 13


def test_every_game_is_a_card_with_its_picture_and_every_scenario_has_its_table(table: Table) -> None:
    table.open()
    page = table.page
    result = page.request.get(table.address + "/api/catalogue").json()["rulesets"]
    for ruleset in result:
        expect(page.get_by_role("heading", name=ruleset["title"], exact=True)).to_be_visible()
        expect(page.get_by_text(ruleset["words"])).to_be_visible()
        cover = page.get_by_role("img", name=f"{ruleset['title']}, in the middle of a battle")
        cover.scroll_into_view_if_needed()
        expect(cover).to_have_js_property("naturalWidth", 860)
    for game, title, begin, friends in (
        ("command-horizon", "Command Horizon", "First battle", "First battle"),
        ("hex-command", "Hex Command", "First battle", "First battle"),
        ("blade-skirmish", "Blade Skirmish", "Cut Them Down", "Blood Price"),
    ):
        scenarios = next(one for one in result if one["name"] == game)["scenarios"]
        id = next(one["id"] for one in scenarios if one["title"] == begin)
        first = page.get_by_role("img", name=f"The table of {title}: {begin}, seen from above")
        page.get_by_role("heading", name=f"The battles of {title}").scroll_into_view_if_needed()
        first.scroll_into_view_if_needed()
        opening = page.request.get(f"{table.address}/api/rules/{game}/opening", params={"scenario": id}).json()[
            "picture"
        ]
        expect(first.locator(".base")).to_have_count(sum(len(group["pieces"]) for group in opening["groups"]))
        for way, scenario in (("Play now", begin), ("With a friend", friends), ("Watch", begin)):
            expect(table.button(f"{way} ({title}: {scenario})")).to_be_enabled()
        every = page.get_by_role("region", name=f"The battles of {title}").get_by_role("link")
        expect(every).to_have_text([one["title"] for one in scenarios])
    titles = page.get_by_role("heading", level=2).all_inner_texts()
    assert titles == ["Command Horizon", "Hex Command", "Blade Skirmish", "Squad Action", "Other games", "Duel"]
    assert table.errors == []


@pytest.mark.parametrize(("way", "events"), [("With a friend", "Concentrate|is to act"), ("Watch", "watching|acts")])
def test_the_other_ways_to_begin(table: Table, way: str, events: str) -> None:
    table.open()
    table.button(f"{way} (Command Horizon: First battle)").click()
    if way == "With a friend":
        table.page.get_by_role("radio", name=re.compile("^Here")).check()
        table.button("Make the table").click()
    expect(table.page).to_have_url(re.compile(r"/[a-z0-9]{12}$"))
    expect(table.page.get_by_role("heading", name=re.compile(events, re.IGNORECASE)).first).to_be_visible(timeout=20000)
    table.open()
    expect(table.page.get_by_role("region", name="Continue").get_by_role("link")).to_have_count(1)
    table.button(re.compile("^Forget")).click()
    expect(table.page.get_by_role("heading", name="Continue")).to_be_hidden()


def test_a_table_that_cannot_be_had_keeps_nobody_from_playing(table: Table) -> None:
    table.page.route("**/opening?*", lambda route: route.fulfill(status=500, json={"message": "broken"}))
    table.open()
    expect(table.button("Play now").first).to_be_enabled()
    expect(table.page.get_by_role("img", name=re.compile("seen from above"))).to_have_count(0)
    assert table.errors == []
