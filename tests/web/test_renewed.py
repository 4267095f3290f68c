"""A page stays open while the server is updated to a version whose scripts have other names."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Request, Route, expect

from tests.web.table import Table


def newer_page(text: str) -> str:
    """Return the page as a newer build would write it."""
    return re.sub(r"assets/index-[\w-]+\.js", "assets/index-newer.js", text)


@pytest.mark.parametrize("newer", [True, False])
def test_a_page_whose_parts_are_gone_is_opened_anew_once(table: Table, newer: bool) -> None:
    """The page is reloaded only if the server has a newer one, since reloading the same page would not help."""
    page = table.page
    id = table.begin("person", "person")
    expect(table.question).not_to_be_empty()
    opened: list[str] = []
    page.on("request", lambda request: opened.append(request.url) if request.is_navigation_request() else None)
    asked: list[Request] = []

    def gone(route: Route) -> None:
        asked.append(route.request)
        route.fulfill(status=404)

    def rebuilt(route: Route) -> None:
        if route.request.is_navigation_request():
            route.continue_()
            return
        response = route.fetch()
        route.fulfill(response=response, body=newer_page(response.text()))

    page.route("**/assets/GoalDialog-*.js", gone)
    if newer:
        page.route(f"**/{id}", rebuilt)
    before = table.question.inner_text()
    page.get_by_role("button", name="How to win").click()
    if newer:
        page.wait_for_event("framenavigated")
        page.unroute("**/assets/GoalDialog-*.js")
    page.wait_for_timeout(500)
    assert len(opened) == (1 if newer else 0)
    assert asked
    expect(table.question).to_have_text(before)
    if newer:
        page.get_by_role("button", name="How to win").click()
        expect(page.get_by_role("dialog", name="How to win")).to_be_visible()
        assert len(opened) == 1
