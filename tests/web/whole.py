"""Whole games in the browser, by keys alone or by touch alone, for every game."""

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
"""Script that returns the state of the page: `asked`, `skip`, `over`, or empty."""

TOLD = "() => (document.querySelector('#question')?.innerText ?? '') + document.querySelector('[role=log]').textContent"


ANSWERS = ".orders button[data-answer]"


def state(page: Page) -> str:
    """Wait until the page asks a question, can skip ahead, or shows the end; return `asked`, `skip` or `over`."""
    page.wait_for_function(ROOM, timeout=20000)
    value: str = page.evaluate(ROOM)
    return value


def question_and_log(page: Page) -> str:
    """Return the question and the log."""
    value: str = page.evaluate(TOLD)
    return value


def wait_until_done(page: Page, before: str) -> None:
    """Wait until the prepared act is done: the log or the question changes, or the question is asked again."""
    page.wait_for_timeout(50)
    done = f"before => ({TOLD})() !== before || document.querySelector('.prepared')?.innerText === ''"
    page.wait_for_function(done, arg=before, timeout=20000)


Special = Callable[[str], bool]
"""A game's own way to answer a question, given its words. It returns False if the common way will do."""


def by_keys(table: Table, special: Special) -> None:
    """Play a game to its end without a click. Each step is ended if it can be, and otherwise the first answer is
    given.
    """
    page, keys = table.page, table.page.keyboard
    for _ in range(300):
        now = state(page)
        if now == "over":
            return
        before = question_and_log(page)
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
                    keys.press("n")  # if many units can act, the answers of one unit are listed
                page.locator(ANSWERS).first.focus()
                keys.press("Enter")
                table.settle("Enter")
        wait_until_done(page, before)
    raise AssertionError("the game does not end")


def by_finger(phone: Table, special: Special, enough: Callable[[], bool] = bool) -> None:
    """Play a game by touch to its end or until a condition holds. A control that is off the screen or covered fails the
    test.
    """
    page = phone.page
    bar = page.get_by_role("group", name="Confirm, cancel, undo")
    for _ in range(300):
        now = state(page)
        if now == "over" or enough():
            return
        before = question_and_log(page)
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
        wait_until_done(page, before)
    raise AssertionError("the game does not end")
