"""Blade Skirmish at the table: its drawings, the log of the rules' own turn, and touch on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.web.table import Table
from tests.web.whole import ANSWERS, by_finger, by_keys

pytestmark = pytest.mark.at_once

GAME = "blade-skirmish"


class Solo:
    """A skirmish against the rules, shown in the browser, with answers sent from outside the page.

    Args:
        table: The page.
        scenario: The scenario that is played.
        rules: House rules.
    """

    def __init__(self, table: Table, scenario: str = "run-the-gauntlet", **rules: str) -> None:
        self.table, self.page = table, table.page
        self.id = table.begin("person", ruleset=GAME, scenario=scenario, rules=rules)
        expect(table.question).not_to_be_empty(timeout=20000)
        token = self.page.evaluate("Object.values(JSON.parse(localStorage['caltrop.games'])[0].tokens)[0]")
        self.seat = {"Authorization": f"Bearer {token}"}

    def view(self) -> dict[str, Any]:
        """Return the player's view."""
        result: dict[str, Any] = self.page.request.get(
            f"{self.table.address}/api/games/{self.id}", headers=self.seat
        ).json()
        return result

    def say(self, action: Any) -> None:
        """Answer the waiting decision."""
        decision = self.view()["decisions"][0]["id"]
        answer = {"type": "answer", "decision": decision, "action": action}
        words = self.page.request.post(
            f"{self.table.address}/api/games/{self.id}/messages", headers=self.seat, data=answer
        )
        assert words.ok, words.text()

    def deploy(self, y: int = 500) -> None:
        """Place the fighters beside one another."""
        while (asked := self.view()["decisions"][0])["kind"] == "PlaceFighter":
            fighter = asked["offers"][0]["unit"]
            self.say({"type": "Deploy", "fighter": fighter, "at": [600 + 950 * fighter, y]})
        expect(self.table.question).to_have_text(re.compile("Which fighter goes next"))

    def stay_with_all_but_one(self) -> None:
        """Let all fighters stay where they are except the last, who is asked where she runs."""
        while True:
            asked = self.view()["decisions"][0]
            last = "Wren" in asked["prompt"] and asked["kind"] == "RunOn"
            if last:
                break
            self.say(asked["offers"][0]["action"])
        expect(self.table.question).to_have_text("Where does Wren run?")

    @property
    def others(self) -> Locator:
        """The bar that shows the acts of others, here of the rules' fighters."""
        return self.page.get_by_role("group", name="Acts of the other side")


def test_a_fighter_is_put_down_where_it_is_offered(table: Table) -> None:
    solo = Solo(table)
    page = table.page
    page.get_by_role("button", name=re.compile("^Maren")).first.click()
    page.locator(".orders").get_by_role("button", name="Put Maren down in the middle").click()
    table.settle()
    expect(table.question).to_have_text(re.compile("5 are left"))
    expect(page.locator('g.unit[aria-label^="Maren,"] .marks .letter')).to_have_text("M")
    assert solo.view()["picture"]["groups"][0]["pieces"], "she stands on the table"
    assert table.errors == []


def test_a_fighter_who_is_to_move_sees_the_enemies_she_may_not_come_near(table: Table) -> None:
    solo = Solo(table)
    solo.deploy()
    zones = table.page.locator(".reach.zone circle.edge")
    expect(zones).to_have_count(0)
    table.page.locator("[data-row='0']").click()
    expect(table.question).to_have_text("Where does Maren move?")
    expect(zones).to_have_count(8)
    expect(table.page.get_by_text("charge 4 in")).to_be_visible()


def test_keys_take_a_fighter_send_her_beyond_her_move_and_keep_the_focus(table: Table) -> None:
    solo = Solo(table)
    page, keys = table.page, table.page.keyboard
    goal = page.get_by_role("group", name="How to win")
    expect(goal).to_be_visible()
    keys.press("Escape")
    expect(goal).to_have_count(0)
    solo.deploy()
    focused = "document.activeElement.closest('section.side') !== null"
    keys.press("n")
    expect(page.locator("[data-row][aria-pressed=true]")).to_contain_text("Maren")
    page.wait_for_function(f"() => {focused}")
    # The arrow key selects her, and moves her once it is her turn.
    keys.press("ArrowDown")
    expect(table.question).to_have_text("Move: Maren")
    keys.press("Escape")
    for _ in range(6):
        keys.press("ArrowUp")
    expect(page.locator(".bar .prepared")).to_have_text(re.compile(r"Move: [\d.]+ in, then [\d.]+ in"))
    keys.press("Enter")
    expect(table.question).to_have_text(re.compile("Which fighter goes next. 5 "))
    lines = [line["text"] for line in solo.view()["log"]]
    assert any(re.match("Maren walks", text) for text in lines)
    assert any(re.match("Maren runs", text) for text in lines)
    keys.press("n")
    keys.press("Enter")
    expect(table.question).to_have_text("Where does Idony move?")
    assert page.evaluate(focused)


def test_fighters_are_told_apart_by_their_initials_and_their_weapons(table: Table) -> None:
    Solo(table).deploy()
    for name, initial in (("Maren", "M"), ("Idony", "I"), ("Wren", "W"), ("Sentry 1", "S1")):
        expect(table.page.locator(f'g.unit[aria-label^="{name},"] .marks .letter')).to_have_text(initial)
    drawn = {
        table.page.locator(f'g.unit[aria-label^="{name},"] .piece use').nth(1).get_attribute("href")
        for name in ("Maren", "Idony", "Wren")
    }
    assert len(drawn) == 3


def test_fighters_are_called_by_their_names_on_the_table(table: Table) -> None:
    table.draw_symbols()
    Solo(table).deploy()
    # Plates keep clear of the card that says how to win.
    won = table.page.get_by_role("button", name="Got it")
    if won.count():
        won.click()
    plates = table.page.locator("g.label .words")
    for name, quality in (("Maren", 3), ("Idony", 2), ("Wren", 1), ("Sentry 1", 1)):
        expect(plates.filter(has_text=re.compile(f"^{name}( Q{quality})?$"))).to_have_count(1)
    expect(table.page.locator("g.label .plate")).to_have_count(14)
    boxes = [box for one in table.page.locator("g.label .plate").all() if (box := one.bounding_box())]
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            apart = (
                a["x"] + a["width"] <= b["x"] + 1 or b["x"] + b["width"] <= a["x"] + 1
                or a["y"] + a["height"] <= b["y"] + 1 or b["y"] + b["height"] <= a["y"] + 1
            )  # fmt: skip
            assert apart, (a, b)


def test_the_turn_of_the_rules_is_told_model_by_model(table: Table) -> None:
    table.watches()
    solo = Solo(table)
    solo.deploy()
    solo.stay_with_all_but_one()
    table.choose("Stay where she is")
    expect(solo.others).to_be_visible()
    solo.others.get_by_role("button", name="Pause").click()
    first = solo.others.locator("p").inner_text()
    # The line about the die comes before that about its effect.
    assert re.match(r"Sentry \d (goes for the closest enemy on 1 to 3, else wanders|walks|runs|wanders)", first)
    expect(table.page.get_by_text(re.compile(r"^\d to come$"))).to_be_visible()
    moved = table.page.locator("[data-row] .name", has_text="has acted")
    solo.others.get_by_role("button", name="Step").click()
    # The step ends the first fighter's move. The list marks her as done, and the second fighter moves.
    expect(moved).to_have_count(1)
    assert solo.others.locator("p").inner_text() != first
    # The answers appear after the dice, or at once if the dice are skipped. The bar about the acts covers no part of
    # the table.
    foot = table.page.get_by_role("group", name="Confirm, cancel, undo")
    expect(table.question).to_have_text(re.compile("acts$"))
    expect(table.page.locator(".orders [data-answer]")).to_have_count(0)
    ground, strip = table.page.locator("rect.table").bounding_box(), solo.others.bounding_box()
    assert ground is not None
    assert strip is not None
    assert ground["y"] + ground["height"] <= strip["y"] + 1
    table.button("Skip ahead").click()
    expect(foot).not_to_contain_text("Skip ahead")
    expect(table.question).to_have_text(re.compile("Which fighter goes next"))
    expect(table.page.locator(".orders [data-answer], .orders .able button").first).to_be_enabled()
    # The replay shows the same acts one by one.
    acts = solo.view()["act"]
    # A moment after the last one does not exist, so the page shows the last.
    table.open(f"/{solo.id}?at=99999")
    expect(table.page.get_by_role("heading", name=f"Moment {acts} of {acts}")).to_be_visible()
    expect(table.page).to_have_url(re.compile(rf"\?at={acts}$"))
    table.button("To the present").click()
    expect(foot.locator(".prepared")).to_have_text("")
    table.open(f"/replay/{solo.id}?at={acts}")
    line = table.page.get_by_role("region", name="Timeline")
    expect(line).to_contain_text(f"moment {acts} of {acts + 8}")
    words = table.page.locator("main .words")
    expect(words).to_contain_text(re.compile(r"Sentry \d runs"))
    seen: list[str] = []
    for moment in range(acts, acts + 8):
        expect(line).to_contain_text(f"moment {moment} of")
        # Each line is about a fighter that no earlier line named.
        expect(words).to_have_text(re.compile(rf"^Sentry [^{''.join(seen)}x] "), use_inner_text=True)
        seen += re.findall(r"^Sentry (\d)", words.inner_text())
        expect(table.page.locator("g.unit.touched")).to_have_attribute("aria-label", re.compile(f"^Sentry {seen[-1]},"))
        table.page.keyboard.press("ArrowRight")
    assert len(set(seen)) == 8
    assert table.errors == []


def attacks(solo: Solo) -> None:
    """Answer questions until an attack must be chosen."""
    for _ in range(400):
        view = solo.view()
        assert not view["over"]
        asked = view["decisions"][0]
        if asked["kind"] == "ChooseAttack":
            break
        targets = [one for one in asked["offers"] if one["target"] is not None]
        solo.say((targets or asked["offers"])[0]["action"])
    table = solo.table
    if table.button("Skip ahead").is_visible():
        table.button("Skip ahead").click()
    expect(table.question).to_have_text(re.compile("Who attacks next"))


def test_an_attack_tells_its_odds_and_its_dice_add_up(table: Table) -> None:
    # Without this setting, an attack is carried out as soon as it is chosen.
    table.page.add_init_script("localStorage['caltrop.confirming'] = 'always'")
    solo = Solo(table, "hold-the-stones")
    while (asked := solo.view()["decisions"][0])["kind"] == "PlaceFighter":
        fighter = asked["offers"][0]["unit"]
        solo.say(
            {"type": "Deploy", "fighter": fighter, "at": [2600 + 420 * (fighter % 3), 2850 + 400 * (fighter // 3)]}
        )
    attacks(solo)
    page = table.page
    expect(page.locator(".melee.contact").first).to_be_visible()
    page.keyboard.press("n")
    page.locator(".orders").get_by_role("button", name=re.compile("^Attack Raider")).first.click()
    odds = page.get_by_role("heading", name=re.compile("Possible fates of Raider .*: exact odds"))
    expect(odds).to_be_visible()
    for words in ("not hit", "stunned", "fleeing", "wounded", "dead"):
        expect(page.get_by_role("row", name=re.compile(rf"^{words} +\d+"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\d+ % to hit, \d+ % to take her off the table")).first).to_be_visible()
    expect(page.locator("summary", has_text=re.compile("adds [1-5] to her die"))).to_be_visible()
    while solo.view()["decisions"][0]["kind"] == "ChooseAttack":
        solo.say(solo.view()["decisions"][0]["offers"][0]["action"])
    page.reload()
    log = page.get_by_role("log")
    # The newest line is at the end. The striker's line comes before the line of the dice.
    struck = log.locator("li", has_text=re.compile("strikes at")).filter(has=page.get_by_text("Die by die")).last
    struck.get_by_text("Die by die").click()
    mine, hers = struck.get_by_role("listitem").all()
    for row in (mine, hers):
        die = int(row.get_by_role("img").get_attribute("aria-label") or "")
        added = sum(int(n) for n in re.findall(r"\+ (\d+) (?:Quality|Flanking)", row.inner_text()))
        expect(row).to_contain_text(f"= {die + added}")
    assert table.errors == []


def test_a_turn_is_ended_and_the_next_begun_by_a_finger_on_a_phone(phone: Table) -> None:
    """Every answer is visible and uncovered when it is tapped. A tap that misses fails the test."""
    phone.watches()
    solo = Solo(phone)
    solo.deploy()
    solo.stay_with_all_but_one()
    phone.page.locator(".bar").get_by_role("button", name="Stay where she is").tap()
    phone.settle()
    phone.page.get_by_role("group", name="Confirm, cancel, undo").get_by_role("button", name="Skip ahead").tap()
    expect(phone.question).to_have_text(re.compile("Which fighter goes next|Who attacks next|Which enemy does"))
    assert not phone.is_wide()
    assert phone.errors == []


def test_a_whole_skirmish_by_the_keyboard(table: Table) -> None:
    """Nothing is clicked: fighters are placed, one walks in each turn, and every other question is answered."""
    table.begin("person", ruleset=GAME, scenario="run-the-gauntlet", armies=["old-guard"])
    page, keys = table.page, table.page.keyboard
    walked: list[str] = []

    def special(asked: str) -> bool:
        turn = page.locator("header").first.inner_text()
        if asked.startswith("Which fighter goes next") and turn not in walked:
            keys.press("n")
            page.locator(ANSWERS).first.focus()
            keys.press("Enter")
            table.settle("Enter")
            walked.append(turn)
            return True
        if asked.startswith("Where does") and "move" in asked:
            for _ in range(3):
                keys.press("ArrowUp")
            page.wait_for_timeout(200)
            keys.press("Enter" if table.may_confirm else "Shift+Enter")
            return True
        return False

    by_keys(table, special)
    assert len(walked) > 2
    assert re.search(r"(walks|flees) [\d.]+ inch", table.whole_log())
    assert table.errors == []


def test_a_whole_skirmish_by_finger_alone(phone: Table) -> None:
    """Everything is tapped. A control that is off the screen or covered fails the test."""
    phone.begin("person", ruleset=GAME, scenario="run-the-gauntlet", armies=["old-guard"])
    by_finger(phone, lambda asked: False)
    assert not phone.is_wide()
    assert phone.errors == []


def test_the_lobby_begins_a_skirmish_against_the_rules(table: Table) -> None:
    table.open()
    table.button("Play now (Blade Skirmish: Cut Them Down)").click()
    expect(table.question).to_have_text("Which fighter goes next? 6 have not gone yet", timeout=20_000)
    expect(table.page.get_by_text("by the rules", exact=True)).to_be_visible()


def test_with_a_friend_it_is_the_scenario_for_two(table: Table) -> None:
    table.open()
    table.button("With a friend (Blade Skirmish: Blood Price)").click()
    table.page.get_by_role("radio", name=re.compile("^Here")).check()
    table.button("Make the table").click()
    expect(table.page.get_by_text(re.compile("Blood Price|Even Hands")).first).to_be_visible()


def test_the_odds_of_an_attack_are_asked_with_no_dice(table: Table) -> None:
    table.open(f"/odds?ruleset={GAME}")
    page = table.page
    page.locator("#odds[aria-busy=false] figure").first.wait_for()
    expect(page.get_by_role("group", name="Dice")).to_have_count(0)
    page.get_by_role("checkbox", name="The attacker flanks the defender").check()
    expect(page.get_by_text("The attacker (Trained) adds 4 to her die").first).to_be_visible()
