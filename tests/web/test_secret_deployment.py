"""Secret deployment on a shared screen: what one side plans is neither sent nor shown to the other."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Locator, Response, WebSocket, expect

from tests.web.table import Table


class Ear:
    """Records everything that the page receives, and the side to which it is shown.

    Args:
        table: The page.
    """

    def __init__(self, table: Table) -> None:
        self.eyes = -1
        self.heard: list[tuple[int, str]] = []
        """The side for whose eyes it was (-1: nobody's yet), and the text itself."""
        self.answers: list[dict[str, Any]] = []
        self.proposals = 0
        """Number of the server's answers about drags."""
        table.page.on("websocket", self._socket)
        table.page.on("response", self._response)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self._sent(json.loads(frame)))
        socket.on("framereceived", lambda frame: self._received(str(frame)))

    def _sent(self, message: dict[str, Any]) -> None:
        if message["type"] == "answer":
            self.answers.append(message["action"])

    def _received(self, text: str) -> None:
        # Messages belong to the side of the latest whole view.
        result = json.loads(text)
        self.proposals += result["type"] == "proposal"
        if result["type"] == "view":
            self.eyes = -1 if result["you"] is None else result["you"]
        self.heard.append((self.eyes, text))

    def _response(self, response: Response) -> None:
        asked = re.search(r"/api/games/\w+.*[?&]eyes=(\d)", response.url)
        if asked:
            self.heard.append((int(asked[1]), response.text()))
        elif "/api/games/" in response.url:
            self.heard.append((-1, response.text()))

    def text(self, eyes: int) -> str:
        """Return all texts that this side may have seen, including those that belong to no side."""
        return "\n".join(text for side, text in self.heard if side in (eyes, -1))


def pieces_of(table: Table, side: int) -> Locator:
    """Return the visible bases of a side on the table."""
    return table.page.locator(f"g.unit.side-{side} .piece:visible")


def pass_the_curtain(table: Table) -> None:
    """Assert that nothing behind the curtain can be seen or read; then raise it as the next person does."""
    curtain = table.page.get_by_role("dialog", name=re.compile("is to act"))
    for side in (0, 1):
        expect(pieces_of(table, side)).to_have_count(0)
    for region in ("Units", "Orders and log"):
        expect(table.page.get_by_role("region", name=region).get_by_text(re.compile("Tanks|Infantry"))).to_have_count(0)
    curtain.get_by_role("button", name=re.compile("show the table")).click()
    expect(curtain).to_have_count(0)


def plan_a_unit(table: Table, ear: Ear, share: float) -> None:
    """Plan the next unit at a share of the width of the current side's zone."""
    page, side, before = table.page, ear.eyes, ear.proposals
    page.locator("[data-row]").filter(has_text="may act").first.click()
    page.get_by_role("button", name=re.compile("^Place .*click the table")).first.click()
    zone = page.locator(f"path.zone.side-{side}").bounding_box()
    assert zone is not None
    page.mouse.click(zone["x"] + zone["width"] * share, zone["y"] + zone["height"] * 0.47)
    # If a drag is confirmed early, the page sends the wish, and only the server's answer has the places.
    while ear.proposals == before:
        page.wait_for_timeout(20)
    table.settle()


def places(action: dict[str, Any]) -> list[str]:
    """Return the places of the models in an act, in the form of a message."""
    return [json.dumps(place, separators=(",", ":")) for place in action["at"]]


def test_a_plan_is_in_nothing_that_the_other_side_gets_or_sees(table: Table) -> None:
    ear = Ear(table)
    table.begin(
        "person",
        "person",
        ruleset="command-horizon",
        scenario="meeting-engagement",
        armies=["alliance-4", "asori-4"],
        rules={"setup.method": "secret"},
    )
    page = table.page
    planned: dict[int, list[dict[str, Any]]] = {0: [], 1: []}
    hidden = shown = curtains = 0
    for _ in range(30):
        curtain = page.get_by_role("dialog", name=re.compile("is to act"))
        # The text about the unit just placed stays until the next question appears.
        asked = page.locator("#question").filter(has_not_text=re.compile("^Place "))
        expect(curtain.or_(asked).first).to_be_visible()
        if curtain.is_visible():
            pass_the_curtain(table)
            curtains += 1
            continue
        words = table.question.inner_text()
        if "Plan a unit" not in words:
            if "first turn" not in words and "edge" not in words:
                break
            table.choose(re.compile("Take the first turn|Deploy in the north"))
            expect(table.question).not_to_have_text(words, use_inner_text=True)
            continue
        looks, other = ear.eyes, 1 - ear.eyes
        expect(pieces_of(table, other)).to_have_count(0)
        for action in planned[other]:
            assert not [place for place in places(action) if place in ear.text(looks)]
            hidden += 1
        # From the next round on, the side sees its own plan.
        for action in planned[looks]:
            shown += all(place in ear.text(looks) for place in places(action))
        before = len(ear.answers)
        plan_a_unit(table, ear, 0.17 + 0.2 * len(planned[looks]))
        # The prepared act disappears when the answer arrives.
        expect(curtain.or_(table.confirm.and_(page.locator(":disabled"))).first).to_be_visible()
        assert len(ear.answers) == before + 1
        planned[looks].append(ear.answers[-1])
    assert [len(planned[side]) for side in (0, 1)] == [4, 4]
    assert hidden >= 12
    assert shown >= 6
    assert curtains >= 4
    # When both plans are complete, everybody sees both.
    expect(table.log).to_contain_text("Both plans are revealed")
    for side in (0, 1):
        assert all(place in ear.text(ear.eyes) for action in planned[side] for place in places(action))
        expect(pieces_of(table, side)).to_have_count(sum(len(action["at"]) for action in planned[side]))
    assert table.errors == []
