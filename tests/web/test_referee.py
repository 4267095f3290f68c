"""The referee beside a real table: on a phone, with a finger, with and without a network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.web.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def begin(page: Page, base_url: str, game: str) -> None:
    page.goto(f"{base_url}/referee?ruleset={game}")
    page.get_by_role("button", name="Begin", exact=True).tap()
    page.get_by_role("button", name="Next step").wait_for()


def test_a_battle_is_kept_on_a_phone_also_without_a_network(phone: Table, base_url: str) -> None:
    page = phone.page
    begin(page, base_url, "squad-action")
    steps = page.get_by_role("list", name="Steps of the turn").get_by_role("listitem").all_inner_texts()
    for _ in steps[1:]:
        page.get_by_role("button", name="Next step").tap()
    page.get_by_role("button", name="End the turn").tap()
    assert "Round 1 of 5" in page.locator(".whose").inner_text()
    assert "B North" in page.locator(".whose").inner_text()
    south = page.get_by_role("region", name="South")
    south.get_by_role("button", name="South Command loses one").tap()
    south.get_by_role("button", name="South Command", exact=True).tap()
    south.get_by_role("button", name="Put a Pinned marker at South Command").tap()
    south.get_by_role("button", name="One more: Victory points of South").tap()
    assert "1 of 16 lost" in south.inner_text() or re.search(r"1 of \d+ lost", south.inner_text())
    page.get_by_label("Notes").fill("The bridge is down")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"

    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("() => caches.match(location.href).then(Boolean)")
    page.reload()
    page.get_by_role("button", name="Next step").wait_for()
    page.context.set_offline(True)
    try:
        page.reload()
        south = page.get_by_role("region", name="South")
        south.wait_for()
        assert south.get_by_label("3 of 4 left").count() == 1
        assert "Pinned" in south.inner_text()
        assert page.get_by_label("Notes").input_value() == "The bridge is down"
        page.get_by_role("button", name="Undo").tap()
        assert re.search(r"Victory points\s*−\s*0\s*\+", south.inner_text())
        page.get_by_text("There is no network").wait_for()
    finally:
        page.context.set_offline(False)


@pytest.mark.parametrize("game", ["command-horizon", "hex-command", "blade-skirmish", "squad-action", "duel"])
def test_an_attack_is_settled_with_dice_that_are_thrown(game: str, phone: Table, base_url: str) -> None:
    page = phone.page
    begin(page, base_url, game)
    page.get_by_role("button", name="Settle an attack").tap()
    page.get_by_role("button", name="Settle this attack").tap()
    done = page.get_by_role("region", name="The result")
    throw = page.get_by_role("button", name=re.compile(r"^Throw \d+"))
    for _ in range(8):
        done.or_(throw).first.wait_for()
        if done.count():
            break
        throw.tap()
        page.wait_for_function("() => document.querySelector('.settle button:disabled') === null")
    assert done.get_by_role("link").count() > 0, "each part of the sum names its clause"
    assert page.get_by_role("alert").count() == 0


def test_dice_are_typed(phone: Table, base_url: str) -> None:
    page = phone.page
    begin(page, base_url, "hex-command")
    page.get_by_role("button", name="Settle an attack").tap()
    page.get_by_role("button", name="Settle this attack").tap()
    count = int(re.findall(r"\d+", page.get_by_role("button", name=re.compile(r"^Throw \d+")).inner_text())[0])
    page.get_by_label("or type your own").fill("X")
    page.get_by_role("button", name="Take these").tap()
    page.get_by_text(f"Type {count} ").wait_for()
    page.get_by_label("or type your own").fill("r" * count)
    page.get_by_role("button", name="Take these").tap()
    page.get_by_text(f"Dice: battle {' '.join('R' * count)}").wait_for()
