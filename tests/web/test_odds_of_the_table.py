"""From a prepared attack at the table to the page of odds, whose form has the attack's values and gives the same
odds.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.table import Table


def percentages(figure: Locator) -> list[str]:
    """Return the percentages of a chart, the likeliest first."""
    return figure.locator("table").first.locator("td.figure").all_inner_texts()


@pytest.mark.parametrize(
    ("title", "unit", "offer", "dice"),
    [
        ("Firing", "Mediums", r"Fire at Guns with 8", "8 attack dice"),
        ("Dice and cover", "Guns", r"Fire at the Rangers", "2 battle dice"),
    ],
)
def test_a_prepared_attack_leads_to_its_own_odds(table: Table, title: str, unit: str, offer: str, dice: str) -> None:
    page = table.page
    table.open("/learn")
    table.button(f"Begin {title}").click()
    table.row(unit).click()
    page.locator(".orders").get_by_role("button", name=re.compile(offer)).first.click()
    here = page.get_by_role("figure").filter(has_text="exact odds")
    expect(here).to_contain_text(dice)
    link = here.get_by_role("link", name="This attack on the page of odds")
    with page.expect_popup() as opened:
        link.click()
    there = opened.value.get_by_role("region", name="The odds", exact=True)
    expect(there).to_have_attribute("aria-busy", "false", timeout=30_000)
    chart = there.get_by_role("figure").filter(has_text="exact odds")
    expect(there).to_contain_text(re.compile(dice.replace("attack", "(attack|battle)")))
    assert len(percentages(here)) > 2
    assert percentages(chart) == percentages(here)
    expect(opened.value.get_by_role("alert")).to_have_count(0)
    assert table.errors == []


@pytest.mark.parametrize(
    ("title", "unit", "offer", "sentence"),
    [
        ("Firing", "Mediums", r"Fire at Guns with 8", r"\d+ %"),
        ("Dice and cover", "Guns", r"Fire at the Rangers", r"\d+ %"),
    ],
)
def test_the_odds_stand_on_the_table_before_anything_is_chosen(
    table: Table, title: str, unit: str, offer: str, sentence: str
) -> None:
    page = table.page
    table.open("/learn")
    table.button(f"Begin {title}").click()
    table.row(unit).click()
    option = page.locator(".orders").get_by_role("button", name=re.compile(offer)).first
    mark = page.locator("[data-odds]")
    expect(mark).to_have_count(0)
    option.hover()
    expect(mark).to_contain_text(re.compile(sentence))
    expect(option).to_have_attribute("aria-pressed", "false")
    pointed = mark.get_attribute("data-odds")
    words = mark.text_content() or ""
    page.mouse.move(2, 2)
    expect(mark).to_have_count(0)
    option.focus()
    expect(mark).to_have_text(words)
    option.blur()
    expect(mark).to_have_count(0)
    target = page.locator(f'[data-unit="{pointed}"]').first
    target.hover(force=True)
    expect(mark).to_contain_text(re.compile(sentence))
    stands_beside(page, target)
    expect(option).to_have_attribute("aria-pressed", "false")
    assert table.errors == []


def test_a_finger_that_rests_on_a_target_sees_its_odds_and_chooses_nothing(phone: Table) -> None:
    page = phone.page
    phone.open("/learn")
    phone.button("Begin Firing").click()
    expect(phone.question).not_to_be_empty()
    enemy = page.locator('[data-unit]:has([data-unit-name="Guns"]), [data-unit][aria-label^="Guns"]').first
    mark = page.locator("[data-odds]")
    phone.button(re.compile("^Units$")).tap()
    page.locator("[data-row]").filter(has_text="Mediums").first.tap()
    box = enemy.bounding_box()
    assert box is not None
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    page.wait_for_timeout(600)
    expect(mark).to_contain_text(re.compile(r"\d+ %"))
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(mark).to_contain_text(re.compile(r"\d+ %"))
    chosen = page.locator('.orders [data-answer][aria-pressed="true"]')
    expect(chosen).to_have_count(0)
    assert not phone.may_confirm
    # A short second tap chooses the attack.
    page.touchscreen.tap(at["x"], at["y"])
    expect(chosen.or_(page.locator(".verdict")).first).to_be_visible()
    # The odds of the prepared attack stay visible on the table.
    expect(mark).to_contain_text(re.compile(r"\d+ %"))
    stands_beside(page, enemy)
    assert phone.errors == []


UNMARKED = """() => {
  const { left, top, right, bottom } = document.querySelector("div.frame").getBoundingClientRect();
  const over = new Set();
  for (let x = left + 4; x < Math.min(right, innerWidth); x += 8)
    for (let y = top + 4; y < Math.min(bottom, innerHeight); y += 8) {
      const element = document.elementFromPoint(x, y);
      if (element && !element.closest("div.frame, [data-covers]")) over.add(element.className);
    }
  return [...over];
}"""
"""Return the classes of elements over the table that are not marked as such."""

COVERED = """() => {
  const box = (element) => element.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const covers = [...document.querySelectorAll("[data-covers]")].map(box).filter(({ width }) => width > 0);
  const frame = box(document.querySelector("div.frame"));
  return [...document.querySelectorAll("[data-odds] rect, div.frame .pill rect")]
    .map(box)
    .filter((one) => covers.some((cover) => meet(one, cover)) || one.top < frame.top || one.right > frame.right).length;
}"""
"""Return the number of labels on the table that lie under another element or beyond the upper or right edge."""


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (844, 390)])
def test_nothing_over_the_table_hides_the_odds(table: Table, size: tuple[int, int]) -> None:
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    table.open("/learn")
    table.button("Begin Firing").click()
    table.row("Mediums").click()
    option = page.locator(".orders").get_by_role("button", name=re.compile("Fire at Guns with 8")).first
    option.focus()
    mark = page.locator("[data-odds]")
    expect(mark).to_be_visible()
    assert page.evaluate(UNMARKED) == []
    target = page.locator(f'[data-unit="{mark.get_attribute("data-odds")}"]').first
    frame = page.locator("div.frame").bounding_box()
    assert frame
    middle = (frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.wheel(0, -300)
    # The target is dragged with the table to places under the buttons and beyond the edges.
    for part in [(0.97, 0.04), (0.97, 0.25), (0.5, 0.02)]:
        box = target.bounding_box()
        assert box
        goal = (frame["x"] + part[0] * frame["width"], frame["y"] + part[1] * frame["height"])
        start = (frame["x"] + frame["width"] * 0.25, frame["y"] + frame["height"] * 0.6)
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(start[0] + goal[0] - box["x"] - box["width"] / 2, start[1] + goal[1] - box["y"], steps=4)
        page.mouse.up()
        page.mouse.move(2, 2)
        option.focus()
        expect(mark).to_be_visible()
        assert page.evaluate(COVERED) == 0
    assert table.errors == []


def stands_beside(page: Page, unit: Locator) -> None:
    """Assert that the odds are visible and near their target."""
    mark, target, board = [one.bounding_box() for one in (page.locator("[data-odds]"), unit, page.locator(".board"))]
    assert mark
    assert target
    assert board
    assert board["x"] <= mark["x"] <= mark["x"] + mark["width"] <= board["x"] + board["width"]
    assert board["y"] <= mark["y"] <= mark["y"] + mark["height"] <= board["y"] + board["height"]
    gap = max(target["y"] - mark["y"] - mark["height"], mark["y"] - target["y"] - target["height"])
    assert gap < 50
    assert mark["x"] < target["x"] + target["width"]
    assert target["x"] < mark["x"] + mark["width"]
