"""No part of the page reveals a result before its dice have landed or were skipped."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.table import Table

WATCH = """() => {
  window.seen = [];
  const falls = (one) => one.getAnimations().some((each) => each.playState === 'running');
  const parts = ['.orders', '.commit', '[role=log]', '.watch', '[aria-label="What happens, read out"]'];
  const look = () => {
    window.seen.push({
      falling: [...document.querySelectorAll('.motion [data-acts]')].some(falls),
      text: parts.map((part) => document.querySelector(part)?.innerText ?? '').join(' | '),
      skip: document.querySelector('[data-does=skip]') !== null,
    });
    requestAnimationFrame(look);
  };
  look();
}"""
"""Records in every frame the text of the page, and whether dice or shots move over the table."""


@pytest.mark.at_once
def test_nothing_tells_what_the_dice_show_before_they_lie_there(table: Table) -> None:
    table.watches()
    page = table.page
    table.open("/learn")
    table.button("Begin An Overkill").click()
    page.locator(".orders").get_by_role("button", name=re.compile("Fire at Guns with 8")).first.click()
    end = page.locator(".bar .end")
    expect(end).to_contain_text("dice are thrown")
    end.click()
    page.locator(".orders").get_by_role("button", name=re.compile("Combine 1 pair")).first.wait_for(timeout=15000)
    page.evaluate(WATCH)
    page.locator(".orders").get_by_role("button", name=re.compile("Combine 1 pair")).first.click()
    if table.may_confirm:
        table.confirm.click()
    dice = page.get_by_role("region", name="Dice", exact=True)
    expect(dice).to_contain_text("pair: kill", timeout=15000)
    frames = page.evaluate("window.seen")
    lie = next(i for i, frame in enumerate(frames) if "pair: kill" in frame["text"])
    assert sum(frame["skip"] and frame["falling"] for frame in frames[:lie]) > 5, "the dice are seen to fall before"
    words = re.compile(r"\b(loses?|destroyed|kills?\.|not enough|which (is|are) removed)\b", re.IGNORECASE)
    before = {match[0]: frame["text"] for frame in frames[:lie] if (match := words.search(frame["text"]))}
    assert before == {}


@pytest.mark.at_once
def test_who_skips_sees_the_result_at_once(table: Table) -> None:
    table.watches()
    page = table.page
    table.open("/learn")
    table.button("Begin An Overkill").click()
    page.locator(".orders").get_by_role("button", name=re.compile("Fire at Guns with 8")).first.click()
    page.locator(".bar .end").click()
    if table.may_confirm:
        table.confirm.click()
    skip = page.locator('[data-does="skip"]')
    asked = page.locator(".orders").get_by_role("button", name=re.compile("Combine 1 pair"))
    skip.or_(asked).first.wait_for()
    if skip.count():
        page.keyboard.press("Escape")
    expect(asked.first).to_be_visible()
