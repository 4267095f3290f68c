"""A finger on the table of a phone: units go where they are drawn, and words are not cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, expect

from tests.web.fingers import Finger, Place
from tests.web.table import Table
from tests.web.test_blade import Solo

pytestmark = pytest.mark.at_once


@pytest.fixture
def phone(browser: Browser, base_url: str) -> Iterator[Table]:
    """Yield a page on a phone, 390 pixels wide, with touch and no mouse."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, service_workers="block"
    )
    table = Table(context.new_page(), base_url)
    yield table
    context.close()
    assert table.errors == []


def middle_of(locator: Locator) -> Place:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def frame_of(table: Table) -> FloatRect:
    box = table.page.locator(".frame").first.bounding_box()
    assert box is not None
    return box


def test_a_fighter_goes_where_the_finger_draws_her_from_the_whole_table(phone: Table) -> None:
    Solo(phone, "cut-them-down").deploy()
    got = phone.page.get_by_role("button", name="Got it")
    if got.count():
        got.tap()
    wren = phone.page.locator('g.unit[data-unit="5"] .piece').first
    x, y = middle_of(wren)
    finger = Finger(phone.page)
    finger.press((x, y))
    finger.go((x, y - 60), rest=700)
    ghost = phone.page.locator("g.ghost [data-ghost]").first
    expect(ghost).to_be_attached()
    gx, gy = middle_of(ghost.locator(".edge"))
    assert abs(gx - x) < 6
    assert abs(gy - (y - 60)) < 6
    # The table has not moved under the finger: the fighter is where she was.
    sx, sy = middle_of(wren)
    assert abs(sx - x) < 3
    assert abs(sy - y) < 3
    finger.lift()
    expect(phone.question).to_have_text(re.compile("5 have not gone yet|Where does Wren run"))


def test_words_of_a_drag_are_whole_near_both_edges(phone: Table) -> None:
    phone.begin("person", "easy", ruleset="command-horizon", scenario="first-battle")
    expect(phone.question).to_contain_text("Concentrate", timeout=20000)
    if phone.page.get_by_role("button", name="Got it").count():
        phone.page.get_by_role("button", name="Got it").tap()
    phone.page.get_by_role("button", name="Do not concentrate").tap()
    expect(phone.question).to_have_text("Alliance moves")
    frame = frame_of(phone)
    row = phone.page.get_by_role("button", name="Light Tanks")
    if row.count():
        row.first.tap()
    phone.page.wait_for_timeout(600)
    finger = Finger(phone.page)
    middles = [middle_of(piece) for piece in phone.page.locator("g.unit .piece").all()]
    right = frame["x"] + frame["width"]
    x, y = next((x, y) for x, y in middles if frame["x"] + 20 < x < right - 20 and y > frame["y"] + 200)
    finger.press((x, y))
    for end in (frame["x"] + 30, right - 60):
        finger.go((end, y - 90))
        pill = phone.page.locator("g.ghost g.pill").bounding_box()
        assert pill is not None
        assert pill["x"] >= frame["x"]
        assert pill["x"] + pill["width"] <= right
    finger.lift()


def test_the_table_has_most_of_the_height_of_a_phone_on_its_side(phone: Table) -> None:
    phone.page.set_viewport_size({"width": 844, "height": 390})
    phone.begin("person", "easy", ruleset="command-horizon", scenario="first-battle")
    expect(phone.question).to_contain_text("Concentrate", timeout=20000)
    board = phone.page.locator(".board").bounding_box()
    tools = phone.page.locator(".lens").bounding_box()
    assert board is not None
    assert tools is not None
    assert board["height"] >= 0.7 * 390
    assert tools["x"] >= board["x"] + board["width"] - 1
    assert not phone.is_wide()


def test_the_log_of_a_phone_opens_at_its_newest_line(phone: Table) -> None:
    phone.begin("person", "easy", ruleset="command-horizon", scenario="first-battle")
    expect(phone.question).to_contain_text("Concentrate", timeout=20000)
    phone.page.get_by_role("button", name="Do not concentrate").click()
    expect(phone.question).to_have_text("Alliance moves")
    phone.page.get_by_role("group", name="What is shown").get_by_role("button", name="Log").tap()
    lines = phone.log.locator("li")
    expect(lines.last).to_be_in_viewport(ratio=0.9)
    assert phone.log.evaluate("log => log.scrollHeight > log.clientHeight")
