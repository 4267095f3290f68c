"""Movement, measuring and lines of sight at the table of a battle."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import scene
from tests.web.table import Table
from tests.web.test_drawing import Scenery
from tests.web.test_foreseen import to_deployment
from tests.web.test_looks import select

TABLE = "The table"


class Battle:
    """The first battle in side A's first movement step.

    Args:
        table: The page.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.page = table, table.page
        self.asked: list[dict[str, Any]] = []
        self.page.on("websocket", lambda socket: socket.on("framesent", self._sent))
        table.begin("person", "easy", ruleset="command-horizon", scenario="first-battle")
        expect(table.question).to_contain_text("Concentrate command", timeout=30000)
        table.choose("Do not concentrate")
        expect(table.question).to_contain_text("Alliance moves")

    def _sent(self, frame: str | bytes) -> None:
        self.asked.append(json.loads(frame))

    def pick(self, name: str) -> Locator:
        """Select a unit; return its figure on the table."""
        self.table.button(re.compile(f"^{name} may act")).click()
        self.page.evaluate("document.activeElement.blur()")
        return self.unit(name)

    def unit(self, name: str) -> Locator:
        """Return a unit's figure on the table."""
        return self.page.locator(f'g.unit[aria-label^="{name}, "]').first

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return the position on the screen of a place on the table, in centimetres."""
        box = self.page.locator("rect.table").bounding_box()
        assert box is not None
        return box["x"] + box["width"] * x / 90, box["y"] + box["height"] * (1 - y / 90)

    def ways(self) -> list[str]:
        """Return the paths that are drawn, one for each model."""
        drawn: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('.tracks path.way')].flatMap(way => way.getAttribute('d').split(/(?=M)/))"
        )
        return drawn

    @property
    def orders(self) -> Locator:
        """Return the text about the drag."""
        return self.page.locator(".orders")


@pytest.fixture
def battle(table: Table) -> Battle:
    """Return the first battle."""
    return Battle(table)


def middle_of(figure: Locator) -> tuple[float, float]:
    """Return the position on the screen of the middle of a unit's leading base."""
    box = figure.locator(".piece").first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], *stops: tuple[float, float], steps: int = 12) -> None:
    """Drag with the mouse, without releasing the button."""
    page.mouse.move(*start)
    page.mouse.down()
    for stop in stops:
        page.mouse.move(*stop, steps=steps)


def test_a_drag_keeps_the_formation_says_what_fits_and_ends_where_a_price_does(battle: Battle) -> None:
    page = battle.page
    start = middle_of(battle.pick("Medium Tanks"))
    (x0, y0), (x1, y1) = battle.place(0, 0), battle.place(1, 1)

    def over(right: float, up: float) -> tuple[float, float]:
        return start[0] + right * (x1 - x0), start[1] + up * (y1 - y0)

    # The formation would contain the barn. The unit keeps it, and the page offers formations that fit.
    drag(page, start, over(-11, 16))
    expect(page.locator(".ghost.refused .fault")).to_be_visible()
    fits = battle.orders.get_by_role("list", name="Formations that fit there")
    expect(fits.get_by_role("button").first).to_be_visible()
    # A drag slightly beyond a price ends at that price. Farther on, the page offers the shorter move.
    page.mouse.move(*over(0, 10.3))
    expect(battle.orders).to_contain_text("10 cm, 0 cm left at this price")
    page.mouse.move(*over(0, 10.9))
    expect(battle.orders.get_by_role("button", name=re.compile(r"^0\.9 cm shorter: 1 CP$"))).to_be_visible()
    expect(page.locator(".price text")).to_have_text(["10 cm: 1 CP", "20 cm: 3 CP", "30 cm: 6 CP"])
    page.mouse.move(*over(-11, 16))
    page.mouse.up()
    fits.get_by_role("button").first.click()
    expect(page.locator(".ghost.refused")).to_have_count(0)
    expect(battle.table.confirm).to_be_enabled()


ON_TOP = """() => {
  const drawn = (these) => [...document.querySelectorAll(these)];
  const lines = drawn(".line, .spoken path, .way, .way-back, .watched, .bands *, .reach *");
  const covered = (pill) =>
    lines.filter((line) => line.compareDocumentPosition(pill) & Node.DOCUMENT_POSITION_PRECEDING);
  return drawn(".slip").map((pill) => [pill.textContent.trim(), lines.length > 0, covered(pill).length]);
}"""
"""Script that returns the text of each slip on the table, whether lines are drawn, and the number of lines over the
slip.
"""


def test_pills_on_the_table_lie_on_its_lines_and_a_question_shows_no_range_that_is_of_no_use(table: Table) -> None:
    table.begin("person", "easy", ruleset="command-horizon", scenario="first-battle")
    expect(table.question).to_contain_text("Concentrate command", timeout=30000)
    page, ranges = table.page, table.page.locator(".reach.range")
    expect(page.locator(".unit.chosen")).to_have_count(1)
    expect(ranges).to_have_count(0)
    # A selected unit shows its range.
    page.locator(".unit.chosen .piece").first.click()
    expect(ranges).to_have_count(1)
    table.choose("Do not concentrate")
    expect(table.question).to_contain_text("Alliance moves")
    table.button(re.compile("^Medium Tanks may act")).click()
    expect(ranges).to_have_count(1)
    expect(page.locator(".price text")).to_have_count(3)

    def on_top() -> list[tuple[str, bool, int]]:
        return [tuple(one) for one in page.evaluate(ON_TOP)]

    assert on_top()
    assert all(lines and not over for _, lines, over in on_top())
    x, y = middle_of(page.locator('g.unit[aria-label^="Medium Tanks, "]').first)
    drag(page, (x, y), (x + 40, y - 90))
    expect(page.locator(".tracks .way").first).to_be_attached()
    assert "10 cm: 1 CP" in [words for words, _, _ in on_top()]
    assert all(lines and not over for _, lines, over in on_top())
    page.mouse.up()


def test_a_unit_is_placed_by_dragging_it_from_the_list(table: Table) -> None:
    table.begin("person", "easy", ruleset="command-horizon", scenario="secure-objectives")
    to_deployment(table)
    page = table.page
    row = page.locator("[data-row]").filter(has_text="off the table").first
    box = row.bounding_box()
    zone = page.locator("rect.table").bounding_box()
    assert box is not None
    assert zone is not None
    drag(page, (box["x"] + 40, box["y"] + 10), (zone["x"] + zone["width"] / 2, zone["y"] + zone["height"] * 0.96))
    expect(page.locator(".ghost [data-ghost]").first).to_be_visible()
    page.mouse.up()
    expect(table.confirm).to_be_enabled()


def test_a_drag_is_foreseen_and_the_rules_agree(battle: Battle) -> None:
    page = battle.page
    start = middle_of(battle.pick("Medium Tanks"))
    by = random.Random(2)
    drag(page, start, (start[0] + 8, start[1] - 8))
    expect(battle.orders).to_contain_text("cm left at this price")
    page.wait_for_timeout(400)
    # The mouse passes over sixty places without resting. All are drawn, and the server is asked about none.
    battle.asked.clear()
    drawn = page.evaluate(
        """async ([x, y]) => {
            const drawn = [];
            for (let i = 1; i <= 60; i++) {
                const at = {bubbles: true, isPrimary: true, pointerId: 1, clientX: x + i, clientY: y - 2 * i};
                document.querySelector("g.ghost").dispatchEvent(new PointerEvent("pointermove", at));
                await Promise.resolve();
                drawn.push(document.querySelector(".tracks path.way").getAttribute("d"));
            }
            return drawn;
        }""",
        list(start),
    )
    assert len(set(drawn)) > 30
    assert [message["type"] for message in battle.asked] == []
    compared = 0
    for _ in range(12):
        page.mouse.move(start[0] + by.randrange(-220, 220), start[1] - by.randrange(0, 320), steps=2)
        page.wait_for_timeout(20)
        foreseen = battle.ways()
        words = page.locator(".ghost text").all_inner_texts()
        page.wait_for_timeout(350)
        assert battle.ways() == foreseen
        assert page.locator(".ghost text").all_inner_texts() == words
        compared += len(foreseen)
    assert compared > 20
    page.mouse.up()
    assert battle.table.errors == []


def test_waypoints_a_shape_and_the_way_back(battle: Battle) -> None:
    page = battle.page
    battle.pick("Light Tanks")
    page.mouse.click(*battle.place(30, 14))
    expect(page.locator(".tracks .way").first).to_be_visible()
    page.mouse.click(*battle.place(26, 22))
    expect(page.locator(".ghost .waypoint")).to_have_count(1)
    first = battle.ways()
    page.get_by_role("group", name="Formation").get_by_role("button", name="Wedge").click()
    page.wait_for_timeout(250)
    assert battle.ways() != first
    expect(battle.table.confirm).to_be_enabled()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Backspace")
    expect(page.locator(".ghost .waypoint")).to_have_count(0)
    expect(page.locator(".tracks .way").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(battle.table.log).to_contain_text("Light Tanks move")


def test_a_formation_is_turned_by_keys_and_by_its_handle(battle: Battle) -> None:
    page = battle.page
    battle.pick("Medium Tanks")
    page.mouse.click(*battle.place(45, 20))
    expect(battle.orders).to_contain_text("left at this price")
    straight = battle.ways()
    page.keyboard.press("q")
    page.wait_for_timeout(250)
    turned = battle.ways()
    assert turned != straight
    page.keyboard.press("r")
    page.wait_for_timeout(250)
    assert battle.ways() == straight
    knob = page.locator(".ghost .knob").bounding_box()
    assert knob is not None
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    drag(page, (x, y), (x - 30, y + 20))
    page.mouse.up()
    page.wait_for_timeout(250)
    assert battle.ways() != straight
    expect(battle.table.confirm).to_be_enabled()


def test_one_model_is_nudged_and_the_fault_is_marked_where_it_is(battle: Battle) -> None:
    page = battle.page
    battle.pick("Medium Tanks")
    page.mouse.click(*battle.place(45, 20))
    expect(battle.orders).to_contain_text("left at this price")
    before = battle.ways()
    page.keyboard.press("s")
    page.get_by_role("group", name="Model that is moved by itself").get_by_role("button", name="Model 2").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowUp")
    page.wait_for_timeout(300)
    nudged = battle.ways()
    assert [a != b for a, b in zip(before, nudged, strict=True)] == [False, True, False, False]
    for _ in range(3):
        page.keyboard.press("Shift+ArrowUp")
    expect(page.locator(".ghost .fault").first).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("from the rest of its unit")
    expect(battle.table.confirm).to_be_disabled()
    page.keyboard.press("Backspace")
    expect(page.locator(".ghost .fault")).to_have_count(0)
    assert battle.ways() == before


def test_lines_of_sight_from_where_a_unit_would_stand(battle: Battle) -> None:
    page = battle.page
    battle.pick("Medium Tanks")
    page.keyboard.press("l")
    panel = page.get_by_role("region", name="Lines of sight")
    expect(panel).to_contain_text("from where it stands")
    rows = panel.get_by_role("button")
    expect(rows).to_have_count(4)
    rows.filter(has_text="Infantry Squads").click()
    expect(panel.get_by_role("status")).to_contain_text("Medium Tanks")
    expect(page.locator(".sight path").first).to_be_attached()
    stands = panel.get_by_role("status").inner_text() + str(page.locator(".sight path").count())
    page.mouse.click(*battle.place(62, 22))
    expect(panel).to_contain_text("from where it would stand")
    page.wait_for_timeout(400)
    assert page.locator(".sight path").count() >= 36
    would = page.locator(".sight path").first.get_attribute("d")
    page.mouse.click(*battle.place(30, 16))
    page.wait_for_timeout(500)
    assert page.locator(".sight path").first.get_attribute("d") != would
    assert stands
    page.keyboard.press("l")
    expect(panel).to_have_count(0)
    expect(page.locator(".sight")).to_have_count(0)


def test_the_ruler_goes_between_anything_by_pointer_and_keys(battle: Battle) -> None:
    page = battle.page
    words = page.get_by_role("status").filter(has_text="cm")
    page.keyboard.press("m")
    page.mouse.click(*middle_of(battle.unit("Medium Tanks")))
    page.mouse.click(*battle.place(45, 45))
    expect(words).to_contain_text(re.compile(r"^Alliance Medium Tanks to The hilltop: [\d.]+ cm"))
    page.mouse.click(*middle_of(battle.unit("Medium Tanks, Alliance")))
    page.mouse.click(*middle_of(battle.unit("Infantry Squads")))
    expect(words).to_contain_text("between their nearest bases")
    page.keyboard.press("m")
    expect(words).to_have_count(0)
    battle.pick("Light Tanks")
    page.keyboard.press("m")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowUp")
    expect(words).to_contain_text("Light Tanks to here: 1")
    page.keyboard.press("Escape")
    expect(words).to_have_count(0)


def test_the_reach_of_the_enemy_and_what_the_ground_does(battle: Battle) -> None:
    page = battle.page
    page.keyboard.down("e")
    expect(page.locator(".reach.threat")).to_have_count(1)
    expect(page.locator(".reach.threat circle.edge")).to_have_count(13)
    expect(page.get_by_role("status").filter(has_text="after its longest move")).to_be_visible()
    page.keyboard.up("e")
    expect(page.locator(".reach.threat")).to_have_count(0)
    page.mouse.move(*battle.place(72, 50))
    expect(page.get_by_role("status").filter(has_text="Woods")).to_contain_text("cover")
    page.mouse.move(*battle.place(3, 60))
    expect(page.get_by_role("status").filter(has_text="Woods")).to_have_count(0)


def test_a_unit_is_deployed_in_a_shape_and_what_stands_wrong_is_marked(table: Table) -> None:
    page = table.page
    table.begin("person", "easy", ruleset="command-horizon", scenario="meeting-engagement")
    to_deployment(table)
    table.button(re.compile("^Medium Tanks")).first.click()
    page.get_by_role("button", name=re.compile("^Place (Alliance )?Medium Tanks click")).click()
    page.evaluate("document.activeElement.blur()")
    zone = page.locator("path.zone.side-0").bounding_box()
    assert zone is not None
    x, y = zone["x"] + zone["width"] * 0.3, zone["y"] + zone["height"] * 0.5
    page.mouse.click(x, y)
    expect(table.confirm).to_be_enabled()
    row = page.locator(".ghost .edge").count()
    assert row == 4
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Line", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(table.confirm).to_be_enabled()
    for _ in range(6):
        page.keyboard.press("q")
    # A line of four models along the edge is too long for the depth of the zone.
    expect(page.get_by_role("alert")).to_contain_text("not wholly within")
    expect(page.locator(".ghost .fault")).to_have_count(2)
    expect(table.confirm).to_be_disabled()
    page.get_by_role("alert").get_by_role("button", name="Take the nearest legal act").click()
    page.keyboard.press("Enter")
    expect(table.log).to_contain_text("places Medium Tanks")
    assert table.errors == []


@pytest.mark.parametrize(("gap", "rings"), [(0, 0), (500, 1)])
def test_a_range_is_drawn_for_targets_beyond_those_in_contact(table: Table, gap: int, rings: int) -> None:
    view = scene.view()
    own, foe = (next(one for one in view["picture"]["groups"] if one["id"] == id) for id in (1, 101))
    here, there = own["pieces"][0], foe["pieces"][0]
    there["at"] = [here["at"][0], here["at"][1] + here["radius"] + there["radius"] + gap]
    foe["pieces"] = [there]
    decision = {**view["decisions"][0], "offers": view["decisions"][0]["offers"][:1], "regions": []}
    Scenery(table.page, table.address, picture=view["picture"], decisions=[decision])
    select(table.page, 1)
    expect(table.page.locator(".unit.chosen")).to_have_count(1)
    expect(table.page.locator(".reach.range")).to_have_count(rings)
