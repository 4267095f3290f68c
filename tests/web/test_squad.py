"""Squad Action in the browser: whole games by keys and by touch, a vehicle that is dragged, and a fire mission."""

from __future__ import annotations

import re
from math import dist
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.table import Table
from tests.web.whole import by_finger, by_keys

GAME = "squad-action"


class Two:
    """A firefight of two people, one of them at the page. Answers can be sent for both from outside the page.

    Args:
        table: The page.
        scenario: The scenario that is played.
        rules: House rules.
    """

    def __init__(self, table: Table, scenario: str, **rules: str) -> None:
        self.table, self.page = table, table.page
        expected = {"ruleset": GAME, "scenario": scenario, "seats": ["person", "person"], "rules": rules}
        made = self.page.request.post(table.address + "/api/games", data=expected)
        assert made.ok, made.text()
        self.id = made.json()["game"]
        self.tokens = [seat["token"] for seat in made.json()["seats"]]

    def view(self, side: int = 0) -> dict[str, Any]:
        """Return the view of a side."""
        head = {"Authorization": f"Bearer {self.tokens[side]}"}
        result: dict[str, Any] = self.page.request.get(f"{self.table.address}/api/games/{self.id}", headers=head).json()
        return result

    def say(self, side: int, **meant: Any) -> bool:
        """Answer a side's question with an action or a wish; return whether it was accepted."""
        answer = {"type": "answer", "decision": self.view(side)["decisions"][0]["id"], **meant}
        head = {"Authorization": f"Bearer {self.tokens[side]}"}
        where = f"{self.table.address}/api/games/{self.id}/messages"
        heard = self.page.request.post(where, headers=head, data=answer)
        return bool(heard.ok and heard.json().get("type") != "proposal")

    def set_up(self) -> None:
        """Place all units in ranks, keep none in reserve, and give South the first turn."""
        for _ in range(80):
            side = self.view()["waiting_for"][0]
            (asked,) = self.view(side)["decisions"]
            if asked["kind"] == "Orders":
                return
            if asked["kind"] == "WhoIsFirst":
                assert self.say(side, action={"type": "TakeFirst", "side": 0})
            elif asked["kind"] == "DeployUnit":
                unit = asked["regions"][-1]["unit"]
                places = [(x, y) for y in (1700, 700) for x in range(1500, 11000, 1900)]
                far = self.view()["picture"]["height"] if side else 0
                assert any(self.say(side, wish={"unit": unit, "to": [x, abs(far - y)]}) for x, y in places)
            else:
                assert self.say(side, action=next(o["action"] for o in asked["offers"] if o["final"]))
        raise AssertionError("the set-up does not end")

    def sit_down(self) -> None:
        """Open the page as South."""
        self.table.open(f"/{self.id}#0={self.tokens[0]}")
        expect(self.table.question).to_contain_text("Which unit acts")


def at(page: Page, selector: str) -> tuple[float, float]:
    """Return the position of an element's middle on the screen."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_whole_game_by_the_keyboard(table: Table) -> None:
    """Nothing is clicked: units are placed, one moves in each turn, and every other question is answered."""
    table.begin("person", "random", ruleset=GAME, scenario="first-battle")
    page, keys = table.page, table.page.keyboard
    moved: list[str] = []

    def special(asked: str) -> bool:
        turn = re.search(r"Round (\d)", page.locator("header").first.inner_text())
        if asked.startswith("Place a unit"):
            keys.press("n")
            keys.press("ArrowUp")
            for step in ("Right", "Right", "Right", "Left", "Left", "Left", "Left", "Left"):
                page.wait_for_timeout(150)
                if table.may_confirm:
                    break
                keys.press(f"Shift+Arrow{step}")
            expect(table.confirm).to_be_enabled()
            keys.press("Enter")
            return True
        if asked.startswith("Which unit acts") and turn is not None and len(moved) < int(turn[1]):
            keys.press("n")
            for _ in range(3):
                keys.press("ArrowUp")
            page.wait_for_timeout(200)
            keys.press("Enter" if table.may_confirm else "Shift+Enter")
            moved.append(asked)
            return True
        return False

    by_keys(table, special)
    assert len(moved) == 5
    assert table.errors == []


def test_a_whole_game_by_finger_alone(phone: Table) -> None:
    """Everything is tapped. A control that is off the screen or covered fails the test."""
    phone.begin("person", "random", ruleset=GAME, scenario="first-battle")
    page = phone.page
    orders: list[str] = []

    def special(asked: str) -> bool:
        turn = re.search(r"Round (\d)", page.locator("header").first.inner_text())
        if asked.startswith("Place a unit"):
            left = int(asked.split(":")[1].split(maxsplit=1)[0])
            if page.locator(".able button").count():
                page.locator(".able button").first.tap()
            box = page.locator(".zone.side-0").first.bounding_box()
            assert box is not None
            page.touchscreen.tap(box["x"] + box["width"] * (0.1 + 0.25 * left), box["y"] + box["height"] / 2)
            phone.settle()
            return True
        if asked.startswith("Which unit acts") and turn is not None and len(orders) < int(turn[1]):
            if page.locator(".able button").count():
                page.locator(".able button").last.tap()
            watch = page.locator(".orders").get_by_role("button", name=re.compile("^Go on overwatch|rally", re.I))
            (watch if watch.count() else page.locator(".end")).first.tap()
            phone.settle()
            orders.append(asked)
            return True
        return False

    by_finger(phone, special)
    assert len(orders) == 5
    assert not phone.is_wide()
    assert phone.errors == []


def test_a_machine_is_dragged_and_turns_as_it_goes(table: Table) -> None:
    two = Two(table, "meeting-engagement")
    two.set_up()
    vehicle = next(g for g in two.view()["picture"]["groups"] if "hull" in g["pieces"][0])
    assert vehicle["pieces"][0]["heading"] == [0, 1]
    two.sit_down()
    page = table.page
    x, y = at(page, f'g.unit[data-unit="{vehicle["id"]}"] .tray')
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 10, y - 20, steps=3)
    page.mouse.move(x + 25, y - 50, steps=5)
    expect(page.locator(".ghost .tray")).to_have_count(1)
    page.mouse.up()
    then = page.get_by_role("group", name="Then")
    expect(then.get_by_role("button", name="Shoot")).to_have_attribute("aria-pressed", "true")
    then.get_by_role("button", name="Overwatch").click()
    expect(page.locator(".prepared")).to_have_text("Move, then overwatch")
    front = page.get_by_role("group", name="The table", exact=True).get_by_text("front light")
    expect(front).to_have_count(0)
    table.settle()
    expect(table.question).to_contain_text("go on overwatch")
    expect(front).to_be_visible()
    after = next(g for g in two.view()["picture"]["groups"] if g["id"] == vehicle["id"])["pieces"][0]
    assert after["heading"][0] > 0, "its front looks to the right"
    assert after["at"][0] > vehicle["pieces"][0]["at"][0]
    assert table.errors == []


def origin(page: Page, selector: str) -> tuple[float, float]:
    """Return the position on the screen of an element of the table."""
    x, y = page.locator(selector).first.evaluate("(g) => { const m = g.getScreenCTM(); return [m.e, m.f]; }")
    return x, y


def test_a_squad_goes_where_its_ghosts_are_held(table: Table) -> None:
    two = Two(table, "meeting-engagement")
    two.set_up()
    able = {region["unit"] for region in two.view()["decisions"][0]["regions"] if region["form"] == "move"}
    squad = max(two.view()["picture"]["groups"], key=lambda g: (g["id"] in able, len(g["pieces"])))
    assert len(squad["pieces"]) >= 4
    two.sit_down()
    page = table.page
    for piece in (squad["pieces"][0], squad["pieces"][1], squad["pieces"][-1]):
        x, y = origin(page, f'g.unit[data-unit="{squad["id"]}"] [data-piece="{piece["id"]}"]')
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 20, steps=3)
        page.mouse.move(x, y - 30, steps=3)
        expect(page.locator(".ghost [data-ghost]")).to_have_count(len(squad["pieces"]))
        ghost = f'.ghost [data-ghost="{piece["id"]}"]'
        held = origin(page, ghost)
        for _ in range(20):
            if dist(held, (x, y - 30)) < 3:
                break
            page.wait_for_timeout(150)
            held = origin(page, ghost)
        assert abs(held[0] - x) < 3, (piece, held, x)
        assert abs(held[1] - y + 30) < 3, (piece, held, y)
        page.keyboard.press("Escape")
        page.mouse.up()
        page.keyboard.press("Escape")
        expect(page.locator(".ghost [data-ghost]")).to_have_count(0)
    assert table.errors == []


def test_a_fire_mission_is_called_and_marked_where_the_pointer_is(table: Table) -> None:
    """A button calls a battery off the table. Its fire is aimed once it has answered."""
    table.open("/learn")
    table.button("Begin Machines and fire missions").click()
    page = table.page
    page.locator("[data-row]").filter(has_text="Tank").first.click()
    table.choose(re.compile("Shoot at Carrier"))
    table.choose("Skip this action")
    expect(table.question).to_contain_text("Which unit acts")
    page.locator("[data-row]").filter(has_text="Spotters").first.click()
    table.choose(re.compile("Call a fire mission"))
    expect(table.log).to_contain_text("Spotters call for fire")
    mark = page.locator(".orders .regions").get_by_role("button", name="Mark a place")
    mark.click()
    x, y = at(page, 'g.unit[aria-label^="Spotters, "] .piece')
    page.mouse.move(x, y - 60)
    page.mouse.move(x + 4, y - 10, steps=2)
    circles = page.locator("circle.template")
    expect(circles).to_have_count(1)
    expect(page.get_by_text(re.compile("^Under it: .*Spotters"))).to_be_visible()
    near = circles.first.get_attribute("cy")
    x, y = at(page, 'g.unit[aria-label^="Rifles, "] .piece')
    page.mouse.move(x + 4, y - 4, steps=2)
    expect(circles.first).not_to_have_attribute("cy", near or "")
    expect(page.get_by_text(re.compile("^Under it: .*Rifles"))).to_be_visible()
    expect(page.locator(".under[data-under]").first).to_be_visible()
    page.mouse.click(x + 4, y - 4)
    page.mouse.move(x + 40, y - 100)
    table.settle()
    expect(mark).to_have_count(0)
    expect(table.log).to_contain_text("Spotters mark Rifles")
    assert table.errors == []


@pytest.mark.at_once
def test_keys_choose_an_answer_by_its_number_and_what_follows(table: Table) -> None:
    two = Two(table, "meeting-engagement")
    two.set_up()
    two.sit_down()
    page, keys = table.page, table.page.keyboard
    focused = "() => document.activeElement === document.body ? '' : document.activeElement.textContent"
    keys.press("n")
    smoke = page.locator(".orders").get_by_role("button", name=re.compile("^Lay smoke"))
    smoke.focus()
    keys.press("Enter")
    expect(table.question).to_contain_text("Lay smoke")
    page.wait_for_function("() => document.activeElement !== document.body")
    expect(page.locator("svg").get_by_text("6 in", exact=True)).to_be_visible()
    keys.press("Escape")
    keys.press("n")
    keys.press("ArrowUp")
    then = page.get_by_role("group", name="Then")
    chosen = then.locator("[aria-pressed=true]")
    before = chosen.inner_text()
    keys.press("a")
    expect(chosen).not_to_have_text(before)
    keys.press("Shift+A")
    expect(chosen).to_have_text(before)
    overwatch = then.get_by_role("button", name="Overwatch")
    overwatch.focus()
    keys.press("Enter")
    expect(overwatch).to_have_attribute("aria-pressed", "true")
    keys.press("Enter")
    expect(table.question).to_contain_text("lays 1 token")
    assert page.evaluate(focused) != ""
    keys.press("1")
    expect(table.question).to_contain_text("Which unit acts")
    expect(table.log).to_contain_text("goes on overwatch")
    assert table.errors == []
