"""Whole games in the browser, by keys alone or by a finger alone: what every game has in common."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.web.table import Table

ROOM = """() => {
  const says = (q) => document.querySelector(q)?.innerText ?? "";
  const skip = [...document.querySelectorAll(".bar button")].some((b) => b.innerText.includes("Skip ahead"));
  if ([...document.querySelectorAll(".orders a")].some((a) => a.innerText.includes("Play again"))) return "over";
  if (skip) return "skip";
  const asked = says("#question");
  return asked !== "" && !/^Waiting|acts$/.test(asked) ? "asked" : "";
}"""
"""Script that returns the answer that the page is waiting for."""

TOLD = "() => (document.querySelector('#question')?.innerText ?? '') + document.querySelector('[role=log]').textContent"


ANSWERS = ".orders button[data-answer]"


def state(page: Page) -> str:
    """Return the state of the page: `asked`, `skip` or `over`."""
    page.wait_for_function(ROOM, timeout=20000)
    value: str = page.evaluate(ROOM)
    return value


def told(page: Page) -> str:
    """Return the question and the log."""
    value: str = page.evaluate(TOLD)
    return value


def settled(page: Page, before: str) -> None:
    """Wait until the prepared act is done: the log or the question changes, or the question is asked again."""
    page.wait_for_timeout(50)
    done = f"before => ({TOLD})() !== before || document.querySelector('.prepared')?.innerText === ''"
    page.wait_for_function(done, arg=before, timeout=20000)


Special = Callable[[str], bool]
"""Answers a question in a way of its own, given its words; False if it leaves it to what every game does."""


def by_keys(table: Table, special: Special) -> None:
    """Play to the end of a game with nothing clicked: a step is ended where it can be, else the first answer given."""
    page, keys = table.page, table.page.keyboard
    for _ in range(300):
        now = state(page)
        if now == "over":
            return
        before = told(page)
        if now == "skip":
            keys.press("Enter")
            page.wait_for_timeout(30)
            continue
        if not special(table.question.inner_text()):
            if page.locator(".end").count():
                keys.press("Shift+Enter")
                table.settle("Shift+Enter")
            else:
                if not page.locator(ANSWERS).count():
                    keys.press("n")  # where many units can act, the answers of one are listed
                page.locator(ANSWERS).first.focus()
                keys.press("Enter")
                table.settle("Enter")
        settled(page, before)
    raise AssertionError("the game does not end")


def by_finger(phone: Table, special: Special, enough: Callable[[], bool] = bool) -> None:
    """Play to the end of a game, or as long as it is not enough; everything is tapped, and what is not on the screen or
    under something else fails.
    """
    page = phone.page
    bar = page.get_by_role("group", name="Confirm, cancel, undo")
    for _ in range(300):
        now = state(page)
        if now == "over" or enough():
            return
        before = told(page)
        if now == "skip":
            skip = bar.get_by_role("button", name="Skip ahead")
            if skip.is_visible():
                skip.tap(timeout=2000, no_wait_after=True) if skip.count() else None
            continue
        if not special(phone.question.inner_text()):
            finals, answers = page.locator(".end"), page.locator(ANSWERS)
            finals.or_(answers).or_(page.locator(".able button")).first.wait_for()
            if not finals.count() and not answers.count():
                page.locator(".able button").first.tap()
            (finals if finals.count() else answers).first.tap()
            phone.settle()
        settled(page, before)
    raise AssertionError("the game does not end")
