"""Drawings of the page, shown on a table with every kind of thing and without rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from caltrop.engine import Term
from caltrop.engine.forecast import Forecast, Foreseen
from caltrop.engine.form import DiceSum
from tests.web import scene
from tests.web.table import Table

AXE = Path(__file__).parents[2] / "src/caltrop/web/node_modules/axe-core/axe.min.js"
ODDS: dict[str, Any] = msgspec.to_builtins(
    Forecast(
        thrown=(DiceSum(words="8 attack dice", parts=(Term(8, "CH-FIRE-09", "Models"),)),),
        outcomes=(
            Foreseen(words="3 models", parts={"models": 3, "stuns": 0}, probability="3/4", p=0.75),
            Foreseen(words="4 models, 1 stun", parts={"models": 4, "stuns": 1}, probability="1/4", p=0.25),
        ),
        expected={"models": 3.25, "stuns": 0.25},
    )
)


class Scenery:
    """A server with one picture, which accepts drags in a straight line and refuses those that are too long.

    Args:
        page: The page that shows the picture.
        address: The address of the client.
        changes: Differences from the usual view.
    """

    def __init__(self, page: Page, address: str, **changes: Any) -> None:
        self.page, self.view = page, scene.view(**changes)
        self.heard: list[dict[str, Any]] = []
        self.socket: WebSocketRoute | None = None
        page.route_web_socket("**/ws/*", self._meet)
        page.goto(f"{address}/scenery1")
        page.get_by_role("group", name="The table", exact=True).wait_for()

    def _meet(self, socket: WebSocketRoute) -> None:
        self.socket = socket
        socket.on_message(self._hear)

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to the page."""
        assert self.socket is not None
        self.socket.send(json.dumps(message))

    def _hear(self, raw: str | bytes) -> None:
        message = json.loads(raw)
        if message.get("quietly"):
            # Everything waits to be confirmed.
            loud = {"why": "dice", "dice": 4, "words": "4 dice are thrown"}
            words: dict[str, Any] = {"type": "loud"} if "action" in message else {"type": "proposal", "decision": "d1"}
            if "wish" in message:
                words["proposal"] = self._proposal(message["wish"])
            self.tell({**words, "ref": message["ref"], "loud": loud})
            return
        self.heard.append(message)
        if message["type"] == "hello":
            self.tell(self.view)
        elif message["type"] == "propose":
            self.tell(
                {
                    "type": "proposal",
                    "ref": message["ref"],
                    "decision": "d1",
                    "proposal": self._proposal(message["wish"]),
                }
            )
        elif message["type"] == "odds":
            self.tell({"type": "odds", "ref": message["ref"], "decision": "d1", "odds": ODDS})
        elif message["type"] == "answer":
            self.tell({"type": "done", "ref": message["ref"], "seq": 1})

    def answered(self) -> dict[str, Any]:
        """Wait for the page's answer to a decision, and return its action."""
        for _ in range(100):
            for message in self.heard:
                if message["type"] == "answer":
                    action: dict[str, Any] = message["action"]
                    return action
            self.page.wait_for_timeout(50)
        raise AssertionError("nothing was answered")

    def _proposal(self, wish: dict[str, Any]) -> dict[str, Any]:
        group = next(g for g in self.view["picture"]["groups"] if g["id"] == wish["unit"])
        first = group["pieces"][0]["at"]
        x, y = wish["to"][0] - first[0], wish["to"][1] - first[1]
        length = round((x * x + y * y) ** 0.5)
        refusal = None
        if length > 3000:
            refusal = {
                "code": "too-far",
                "clause": "CH-MOVE-01",
                "message": "Too far",
                "values": {},
                "nearest": {"type": "Stop"},
            }
        return {
            "action": None if refusal else {"type": "Move", "x": x, "y": y},
            "paths": {str(p["id"]): [p["at"], [p["at"][0] + x, p["at"][1] + y]] for p in group["pieces"]},
            "length": length,
            "left": max(3000 - length, 0),
            "price": [{"value": 3, "clause": "CH-COST-04", "words": "Up to 20 cm"}],
            "refusal": refusal,
        }  # fmt: skip


@pytest.fixture
def scenery(table: Table) -> Iterator[Scenery]:
    """Yield the usual scenery."""
    yield Scenery(table.page, table.address)
    assert table.errors == []


def test_every_unit_is_drawn_and_named(table: Table, scenery: Scenery) -> None:
    for group in scenery.view["picture"]["groups"]:
        drawn = table.page.locator(f'g.unit[data-unit="{group["id"]}"]')
        assert drawn.locator(".piece").count() == len(group["pieces"])
        side = "Alliance" if group["side"] == 0 else "Putredine"
        expect(drawn).to_have_attribute("aria-label", f"{group['name']}, {side}, {group['strength']}")
        expect(drawn.locator(".marks .letter, .marks .tab").first).to_be_attached()
    bases = {table.page.locator(f'g.unit[data-unit="{i}"] use.base').first.get_attribute("href") for i in (0, 100)}
    assert len(bases) == 2
    drawn = table.page.locator('g.unit[data-unit="1"] .piece').first
    used = [one.get_attribute("href") or "" for one in drawn.locator("use").all()]
    assert len(used) == 3, "a base, a body and a turret"
    assert all(table.page.locator(f"defs > {one} path").count() > 2 for one in used)


def test_the_looks_are_all_different(table: Table, scenery: Scenery) -> None:
    bodies = {
        table.page.evaluate(
            "(id) => document.querySelector(document.querySelectorAll("
            "`g.unit[data-unit='${id}'] .piece use`)[1].getAttribute('href')).innerHTML",
            id,
        )
        for id in (0, 1, 2, 3, 4, 5, 6, 100, 101, 102)
    }
    assert len(bodies) == 10


def test_names_are_said_where_somebody_looks_or_holds_a_key(table: Table, scenery: Scenery) -> None:
    page = table.page
    names = page.locator("g.label .words")
    expect(names).to_have_count(0)
    page.locator('g.unit[data-unit="1"] .piece').first.hover()
    expect(names).to_have_text([re.compile("^Medium Tanks ")])
    page.mouse.move(2, 2)
    page.keyboard.down("w")
    expect(names.nth(8)).to_be_visible()
    page.keyboard.up("w")
    expect(names).to_have_count(0)


def test_in_the_second_style_units_are_symbols_with_plates(table: Table) -> None:
    table.draw_symbols()
    Scenery(table.page, table.address)
    shapes = {table.page.locator(f'g.unit[data-unit="{i}"] .plate').first.evaluate("e => e.tagName") for i in (0, 100)}
    assert shapes == {"circle", "path"}
    assert table.page.locator("g.unit use").count() == 0
    expect(table.page.locator("g.label").first).to_be_visible()
    bodies = {
        table.page.locator(f'g.unit[data-unit="{id}"] .figure').first.inner_html()
        for id in (0, 1, 2, 3, 4, 5, 6, 100, 101, 102)
    }
    assert len(bodies) == 10


def test_every_terrain_has_its_own_look(table: Table, scenery: Scenery) -> None:
    areas = table.page.locator("g.ground .area")
    assert areas.count() == 6
    paints = {areas.nth(i).evaluate("e => getComputedStyle(e).fill") for i in range(6)}
    assert len(paints) == 6


def test_a_click_on_the_target_chooses_the_shot_and_shows_its_odds(table: Table, scenery: Scenery) -> None:
    table.button("Medium Tanks may act").click()
    # The last model is not covered by another of its unit.
    table.page.locator('g.unit[data-unit="103"] .piece').last.click()
    expect(table.page.get_by_role("rowheader", name="3 models", exact=True)).to_be_visible()
    expect(table.page.get_by_role("cell", name="75 %")).to_be_visible()
    table.confirm.click()
    table.page.wait_for_timeout(100)
    answers = [m for m in scenery.heard if m["type"] == "answer"]
    assert [m["action"] for m in answers] == [{"type": "Fire", "unit": 1, "target": 103}]
    assert answers[0]["decision"] == "d1"


def test_clicks_add_waypoints_and_backspace_takes_them_back(table: Table, scenery: Scenery) -> None:
    page = table.page
    table.button("Heavy Tanks may act").click()
    table.button("Move to 30 cm").click()
    drawn = page.locator("rect.table").bounding_box()
    assert drawn is not None
    middle = (drawn["x"] + drawn["width"] * 0.41, drawn["y"] + drawn["height"] * 0.77)
    page.mouse.click(*middle)
    expect(page.locator(".orders")).to_contain_text("Price: 3")
    page.mouse.click(middle[0], middle[1] - 30)
    expect(page.locator(".ghost .waypoint")).to_have_count(1)
    page.keyboard.press("Backspace")
    expect(page.locator(".ghost .waypoint")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".ghost")).to_have_count(0)
    expect(table.button("End the step")).to_be_visible()
    expect(table.confirm).to_have_count(0)


def test_what_the_other_side_does_comes_one_by_one_and_can_be_skipped(table: Table) -> None:
    table.watches()
    scenery = Scenery(table.page, table.address)

    def act(n: int, words: str) -> dict[str, Any]:
        line = {"n": n, "act": n, "side": 1, "kind": "Acted", "text": words, "touches": [101], "undoes": None}
        line |= {"clauses": [], "dice": []}
        return {"type": "change", "base": n - 1, "seq": n, "log": [line], "decisions": []}

    for n, words in enumerate(("Carriers move", "Sluggers fire", "Worms crawl"), start=2):
        scenery.tell(act(n, words))
    expect(table.log).to_contain_text("Carriers move")
    expect(table.log).not_to_contain_text("Worms crawl")
    table.button("Skip ahead").click()
    expect(table.log).to_contain_text("Worms crawl")


def test_measuring(table: Table, scenery: Scenery) -> None:
    page = table.page
    page.keyboard.press("m")
    page.locator('g.unit[data-unit="0"] .piece').first.click(force=True)
    page.locator('g.unit[data-unit="4"] .piece').first.click(force=True)
    # The centres are 64 cm apart, and each base has a radius of 1.5 cm.
    words = "Light Tanks to Command: 61 cm; between their nearest bases 49 cm"
    expect(page.get_by_role("status").filter(has_text="cm")).to_have_text(words)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_that_axe_finds(table: Table, scheme: Any) -> None:
    table.page.emulate_media(color_scheme=scheme)
    for path in ("/", "/new?ruleset=duel", "scenery"):
        if path == "scenery":
            Scenery(table.page, table.address)
            table.button("Medium Tanks may act").click()
        else:
            table.open(path)
            table.page.wait_for_load_state("networkidle")
        table.page.evaluate(AXE.read_text())
        value = table.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        words = [(v["id"], [n["html"][:140] for n in v["nodes"][:3]]) for v in value["violations"]]
        assert words == [], path


@pytest.mark.parametrize("width", [1440, 1024, 360])
def test_text_twice_as_large_needs_no_sideways_scrolling(table: Table, width: int) -> None:
    table.page.set_viewport_size({"width": width, "height": 800})
    Scenery(table.page, table.address)
    table.page.add_style_tag(content="html { font-size: 200% }")
    table.page.wait_for_timeout(200)
    assert not table.is_wide()


def test_a_drag_touches_the_ghost_as_a_whole_and_nothing_that_stands(table: Table, scenery: Scenery) -> None:
    page = table.page
    box = page.locator('g.unit[data-unit="1"] .piece').first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y - 40, steps=4)
    expect(page.locator(".ghost text")).to_contain_text("left")
    page.evaluate(
        """() => {
          window.touched = new Set();
          new MutationObserver((all) => all.forEach(({ target }) => window.touched.add(target))).observe(
            document.querySelector("[data-plane]"), { subtree: true, attributes: true, childList: true });
        }"""
    )
    before = page.locator(".tracks .way").get_attribute("d")
    page.mouse.move(x + 30, y - 60, steps=3)
    expect(page.locator(".tracks .way")).not_to_have_attribute("d", before or "")
    # The marks are the two strokes of the path, the unit and the slip with the price, three parts of its range, and the
    # range in words.
    assert page.evaluate("[...touched].filter((e) => !e.closest('.ghost, .tracks, .reach, .slip')).length") == 0
    assert page.evaluate("[...touched].filter((e) => e.closest('.ghost, .tracks')).length") <= 5
    assert page.evaluate("[...touched].filter((e) => e.closest('.reach')).length") <= 4
    assert page.evaluate("[...touched].some((e) => e.closest('[data-ghost]'))") is False


def test_a_drag_puts_away_what_was_said_before(table: Table, scenery: Scenery) -> None:
    page = table.page
    table.button("Heavy Tanks may act").click()
    table.button("Move to 30 cm").click()
    where = table.confirm.bounding_box()
    assert where is not None
    page.mouse.click(where["x"] + where["width"] / 2, where["y"] + where["height"] / 2)
    words = page.get_by_role("group", name="Confirm, cancel, undo").get_by_text("Choose where it should go first")
    expect(words).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(words).to_have_count(0)


def test_a_model_that_is_clicked_is_the_answer(table: Table) -> None:
    """The line of an aeroplane is drawn too, with a tick for each unit of length of the game."""
    group = next(g for g in scene.view()["picture"]["groups"] if g["id"] == 1)

    def offer(words: str, spot: Any, final: bool = False) -> dict[str, Any]:
        about = {"group": "", "unit": 1, "target": None, "price": [], "final": final}
        return {"action": {"type": "Fall", "words": words}, "words": words, "spot": spot, **about}

    offers = [offer(f"Model {n}", piece["at"]) for n, piece in enumerate(group["pieces"])]
    asked = {**scene.view()["decisions"][0], "offers": [*offers, offer("Nobody", None, final=True)], "regions": []}
    way = {"kind": "run", "start": [2000, 4000], "end": [3800, 4000], "words": "Strafing run", "side": 0, "wide": 200}
    picture = {**scene.view()["picture"], "lines": [way]}
    scenery = Scenery(table.page, table.address, decisions=[asked], picture=picture)
    page = table.page
    ticks = page.locator(".strip .ticks").get_attribute("d")
    assert ticks is not None
    assert ticks.count("M") == 1800 // picture["scale"] + 1
    for n in (2, 0):
        page.locator(f'g.unit[data-unit="1"] [data-piece="{group["pieces"][n]["id"]}"]').first.click(force=True)
        expect(page.locator(".prepared")).to_contain_text(f"Model {n}")
    table.settle()
    assert [m["action"]["words"] for m in scenery.heard if m["type"] == "answer"] == ["Model 0"]


def test_a_set_of_models_is_chosen_by_pressing_them(table: Table) -> None:
    models = [piece.id for piece in scene.picture().groups[5].pieces]
    action: dict[str, Any] = {"type": "Fall", "models": models[:2]}
    offer = {"group": "", "unit": 5, "target": None, "spot": None, "price": [], "final": False}
    offers = [
        {**offer, "action": {**action, "models": [models[0], other]}, "words": f"The first and {other}"}
        for other in models[1:]
    ]
    usual = {"action": action, "words": "The first two", "unit": 5, "ready": True}
    decision = {
        "id": "d1",
        "side": 0,
        "kind": "Falls",
        "prompt": "Which two fall?",
        "picks": "models",
        "offers": offers,
        "regions": [],
        "usual": usual,
    }
    laid = Scenery(table.page, table.address, decisions=[decision])
    page = table.page
    count = page.locator(".picked")
    expect(count).to_have_text("2 of 2 chosen")
    expect(page.locator("[data-pick]")).to_have_count(len(models))
    chosen = page.locator("[data-named]")

    def press(model: int) -> None:
        box = page.locator(f'[data-pick="{model}"]').bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    press(models[0])
    expect(count).to_have_text("1 of 2 chosen")
    expect(table.confirm).to_be_disabled()
    press(models[4])
    expect(count).to_have_text("2 of 2 chosen")
    # If two are chosen already, a third replaces the one that was chosen first.
    press(models[7])
    expect(chosen).to_have_count(2)
    table.confirm.click()
    assert laid.answered() == {"type": "Fall", "models": sorted([models[4], models[7]])}
    assert table.errors == []


def test_the_list_of_sets_remains_for_the_keyboard(table: Table) -> None:
    models = [piece.id for piece in scene.picture().groups[5].pieces]
    offer = {"group": "", "unit": 5, "target": None, "spot": None, "price": [], "final": False}
    offers = [
        {**offer, "action": {"type": "Fall", "models": [models[0], other]}, "words": f"The first and {other}"}
        for other in models[1:]
    ]
    decision = {"id": "d1", "side": 0, "kind": "Falls", "prompt": "Who?", "picks": "models", "offers": offers}
    laid = Scenery(table.page, table.address, decisions=[{**decision, "regions": []}])
    page = table.page
    page.locator(".orders summary").filter(has_text="sets in a list").press("Enter")
    page.get_by_role("button", name=f"The first and {models[3]}").press("Enter")
    expect(page.locator(".picked")).to_have_text("2 of 2 chosen")
    expect(page.locator("[data-named]")).to_have_count(2)
    page.keyboard.press("Enter")
    assert laid.answered()["models"] == [models[0], models[3]]
    assert table.errors == []
