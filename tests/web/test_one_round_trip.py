"""A drag that is confirmed before the server has answered is proposed and played with one request."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from tests.web.table import Table


class Between:
    """A connection between page and server that drops the page's requests for proposals.

    Args:
        table: The page.
        changed: Changes an answer on its way to the server.
    """

    def __init__(self, table: Table, changed: Callable[[dict[str, Any]], None] = lambda _: None) -> None:
        self.said: list[dict[str, Any]] = []
        self.changed = changed
        table.page.route_web_socket(re.compile("/ws/"), self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(raw: str | bytes) -> None:
            message = json.loads(raw)
            self.said.append(message)
            if message["type"] == "answer":
                self.changed(message)
            if message["type"] != "propose":
                server.send(json.dumps(message))

        socket.on_message(pass_on)

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The page's answers to decisions."""
        return [message for message in self.said if message["type"] == "answer"]


def drag(table: Table) -> None:
    """Begin a duel of two persons on one screen, and drag a duellist a short distance."""
    page = table.page
    table.begin("person", "person", scenario="crossroads", rules={"bid.tie": "first-side"})
    table.choose("Stake")
    page.get_by_label("Do not show this again in this game").click()
    expect(table.question).to_contain_text("stake for the first turn")
    table.choose("Stake")
    expect(table.question).to_contain_text("Where does Ash walk?")
    base = page.locator('g.unit[data-unit="0"] .piece').bounding_box()
    assert base is not None
    x, y = base["x"] + base["width"] / 2, base["y"] + base["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=4)
    page.mouse.up()
    expect(table.confirm).to_be_enabled()


def test_a_drag_is_played_while_its_proposal_is_still_out(table: Table) -> None:
    between = Between(table)
    drag(table)
    between.said.clear()
    table.confirm.click()
    expect(table.log).to_contain_text("Ash walks")
    (answer,) = between.answers
    assert answer["wish"]["to"] is not None
    assert "action" not in answer
    assert table.errors == []


def test_a_wish_that_the_rules_refuse_is_shown_as_a_drag_that_they_refuse(table: Table) -> None:
    def too_far(message: dict[str, Any]) -> None:
        if "wish" in message:
            message["wish"]["to"] = [90_000, 500]

    between = Between(table, too_far)
    drag(table)
    table.confirm.click()
    words = table.page.get_by_role("alert")
    expect(words).to_contain_text("a walk is at most")
    expect(words).to_contain_text("DU-MOVE-01")
    expect(table.page.locator("g.ghost.refused")).to_be_visible()
    expect(table.confirm).to_be_disabled()
    expect(table.log).not_to_contain_text("Ash walks")
    assert len([message for message in between.answers if "wish" in message]) == 1
    table.page.keyboard.press("Escape")
    expect(words).to_have_count(0)
    assert table.errors == []


def test_a_silent_server_is_told_at_once_and_the_answer_is_sent_again_once(table: Table) -> None:
    page = table.page
    cut = False
    answers: list[Any] = []

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def pass_on(raw: str | bytes) -> None:
            if json.loads(raw)["type"] == "answer":
                answers.append(json.loads(raw))
            if not cut:
                server.send(raw)

        socket.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/"), connect)
    drag(table)
    answers.clear()
    cut = True
    table.confirm.click()
    silence = page.get_by_role("status").filter(has_text="The server does not answer yet")
    expect(silence).to_be_visible(timeout=4000)
    expect(silence).to_contain_text("It is sent again if need be, and counts once")
    cut = False
    expect(table.log).to_contain_text("walk", timeout=20_000)
    expect(silence).to_have_count(0)
    assert [one["decision"] for one in answers] == [answers[0]["decision"]] * 2
    assert table.whole_log().count("Ash walks") == 1
    assert table.errors == []
