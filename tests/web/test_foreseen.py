"""The page previews charges and deployment as it previews moves: without requests during a drag, and as the rules say
when it rests.
"""

from __future__ import annotations

import random
import re

from playwright.sync_api import Locator, expect

from tests.web.table import Table

PLACES = """[...document.querySelectorAll(".ghost [data-ghost]")].map((e) => {
  const {e: x, f: y} = e.getScreenCTM();
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
})"""
"""Script that returns the positions on the screen of the dragged bases."""

LISTEN = """(() => {
  window.asked = [];
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (message) {
    window.asked.push(JSON.parse(message).type);
    return send.call(this, message);
  };
})()"""
"""Records the messages that the page sends to the server."""

GLIDE = f"""async ([x, y]) => {{
  const drawn = [];
  window.asked = [];
  for (let i = 1; i <= 60; i++) {{
    const at = {{bubbles: true, isPrimary: true, pointerId: 1, clientX: x + i, clientY: y + i / 6}};
    document.querySelector("g.ghost").dispatchEvent(new PointerEvent("pointermove", at));
    await Promise.resolve();
    drawn.push({PLACES}.join());
  }}
  return [drawn, [...window.asked]];
}}"""
"""Script that drags over sixty places without resting, and returns how each is drawn and what the server is asked."""


PROPOSED = "async () => { while (!window.asked.includes('propose')) await new Promise(requestAnimationFrame); }"
"""Script that waits until the page asks the server for a proposal."""


class Hand:
    """A mouse that drags units, and the page's messages to the server.

    Args:
        table: The page.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.page = table, table.page
        self.page.add_init_script(LISTEN)

    def take(self, figure: Locator) -> tuple[float, float]:
        """Press the mouse button in the middle of a figure; return that position."""
        box = figure.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        return x, y

    def ghosts(self) -> list[str]:
        """Return the places of the bases that are dragged."""
        drawn: list[str] = self.page.evaluate(PLACES)
        return drawn

    def glide(self, start: tuple[float, float]) -> None:
        """Drag over sixty places. Nearly all are drawn differently, and the server is asked only when the drag
        rests.
        """
        drawn, asked = self.page.evaluate(GLIDE, list(start))
        assert len(set(drawn)) > 50
        assert asked == []
        self.page.evaluate(PROPOSED)

    def rest_here_and_there(self, start: tuple[float, float], wide: int, high: int, times: int = 10) -> set[bool]:
        """Rest at several places; assert that the rules agree with the preview at each. Return which results
        occurred.
        """
        by = random.Random(4)
        result: set[bool] = set()
        for _ in range(times):
            self.page.mouse.move(start[0] + by.randrange(-wide, wide), start[1] + by.randrange(-high, high), steps=2)
            self.page.wait_for_timeout(20)
            foreseen, legal = self.ghosts(), self.page.locator("g.ghost.refused").count() == 0
            self.page.wait_for_timeout(350)
            assert self.ghosts() == foreseen
            assert (self.page.locator("g.ghost.refused").count() == 0) == legal
            if not legal:
                expect(self.page.get_by_role("alert")).to_be_visible()
                expect(self.page.locator(".ghost .fault").first).to_be_visible()
            result.add(legal)
        return result


def to_deployment(table: Table) -> None:
    """Answer the questions of the side that won the roll-off, if it is this side, until a unit must be placed."""
    asked = re.compile("Place a unit|first turn|Which table edge")
    expect(table.question).to_contain_text(asked, timeout=30000)
    for question, answer in (("first turn", "Take the first turn"), ("Which table edge", "Deploy in the north")):
        if question in table.question.inner_text():
            table.choose(answer)
            expect(table.question).not_to_contain_text(question)
    expect(table.question).to_contain_text("Place a unit", timeout=30000)


def test_a_charge_is_foreseen_and_what_misses_contact_is_marked(table: Table) -> None:
    hand, page = Hand(table), table.page
    table.open("/learn")
    table.button("Begin A charge").click()
    table.choose(re.compile("Charge Squad"))
    expect(table.question).to_contain_text(re.compile("reach|loses"))
    if "loses" in table.question.inner_text():  # fire at the charging unit has hit it
        table.confirm.click()
    expect(table.question).to_contain_text("reach")
    start = hand.take(page.locator('g.unit[aria-label^="Platoon, "] .piece').first)
    page.mouse.move(start[0] + 6, start[1] - 6, steps=3)
    expect(page.get_by_role("alert")).to_contain_text("would touch")
    expect(page.locator(".ghost .fault")).to_have_count(1)
    hand.glide(start)
    theirs = page.locator('g.unit[aria-label^="Squad, "] .piece').first.bounding_box()
    assert theirs is not None
    x, y = theirs["x"] + theirs["width"] / 2, theirs["y"] + theirs["height"]
    assert hand.rest_here_and_there((x, y), 40, 40, 16) == {True, False}
    page.mouse.move(x, y, steps=8)
    page.mouse.up()
    expect(table.confirm).to_be_enabled()
    expect(page.locator(".ghost .fault")).to_have_count(0)
    table.confirm.click()
    expect(table.log).to_contain_text("they are locked in close combat")
    assert table.errors == []


def test_deployment_is_foreseen_and_what_stands_wrong_is_marked(table: Table) -> None:
    hand, page = Hand(table), table.page
    table.begin("person", "easy", ruleset="command-horizon", scenario="meeting-engagement")
    to_deployment(table)
    table.button(re.compile("^Infantry Platoon")).first.click()
    page.get_by_role("button", name=re.compile("^Place Infantry Platoon.*click")).click()
    page.evaluate("document.activeElement.blur()")
    zone = page.locator("path.zone.side-0").bounding_box()
    assert zone is not None
    page.mouse.click(zone["x"] + zone["width"] * 0.4, zone["y"] + zone["height"] * 0.5)
    expect(table.confirm).to_be_enabled()
    formation = page.get_by_role("group", name="Formation")
    for shape in ("Line", "As it is"):
        formation.get_by_role("button", name=shape).click()
        page.wait_for_timeout(250)
        start = hand.take(page.locator(".ghost .grip").first)
        page.mouse.move(start[0] + 6, start[1], steps=2)
        hand.glide(start)
        # The choice of formations stays in place while the unit is dragged.
        expect(formation).to_be_visible()
        assert True in hand.rest_here_and_there(start, 90, 60, 5)
        page.mouse.up()
    # One of its models is dragged away from the others.
    page.get_by_role("button", name="One by one").click()
    page.get_by_role("button", name="Model 3").click()
    before = hand.ghosts()
    start = hand.take(page.locator(".ghost .alone .grip").first)
    page.mouse.move(start[0], start[1] - zone["height"], steps=6)
    page.mouse.up()
    expect(page.get_by_role("alert")).to_contain_text("not wholly within")
    expect(page.locator(".ghost .fault")).to_have_count(1)
    expect(table.confirm).to_be_disabled()
    assert sum(a != b for a, b in zip(before, hand.ghosts(), strict=True)) == 1
    page.get_by_role("button", name="As it is").click()
    expect(table.confirm).to_be_enabled()
    table.confirm.click()
    expect(table.log).to_contain_text("places Infantry Platoon")
    assert table.errors == []
