"""Explanations at the table: dice, luck, reasons, hints, real dice, watching, recaps, replays and lessons."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from tests.web.table import Table


def lesson(table: Table, title: str) -> None:
    """Begin a lesson from the page of lessons."""
    table.open("/learn")
    table.button(f"Begin {title}").click()
    expect(table.page.get_by_role("region", name="Lesson")).to_be_visible()


def coach(table: Table) -> Locator:
    return table.page.get_by_role("region", name="Lesson")


def fire_in_the_lesson(table: Table) -> None:
    table.choose(re.compile("Fire at Guns with 8"))
    expect(coach(table)).not_to_contain_text("1 of 3, 1 of 3")
    expect(table.log).to_contain_text("target Guns")
    table.choose("Fire: the enemy may answer")


def test_a_lesson_is_gone_through_with_its_odds_dice_and_luck(table: Table) -> None:
    lesson(table, "An Overkill")
    page = table.page
    expect(coach(table)).to_contain_text("Lesson 3 of 5")
    page.locator(".orders").get_by_role("button", name=re.compile("Fire at Guns with 8")).first.click()
    odds = page.get_by_role("figure")
    expect(odds).to_contain_text("exact odds")
    odds.get_by_text("8 attack dice").click()
    expect(odds.get_by_role("link", name="CH-FIRE-09").first).to_be_visible()
    table.confirm.click()
    expect(table.log).to_contain_text("target Guns")
    table.choose("Fire: the enemy may answer")
    expect(coach(table)).to_contain_text("You have thrown two 6s")
    table.choose(re.compile("Combine 1 pair"))
    dice = page.get_by_role("region", name="Dice", exact=True)
    expect(dice).to_contain_text("pair: kill")
    cancelled = dice.get_by_role("listitem").filter(has_text="cancelled")
    expect(cancelled).to_have_count(1)
    expect(cancelled.get_by_role("img", name="4")).to_have_count(2)
    expect(dice.get_by_role("row", name=re.compile(r"^hits 3 4\.00"))).to_be_visible()
    page.get_by_text("Luck of the dice").click()
    expect(page.get_by_role("row", name=re.compile(r"enemy hits cancelled 1 1 1\.2"))).to_be_visible()
    expect(coach(table).get_by_role("button", name="Next lesson")).to_be_visible()
    table.open("/learn")
    expect(page.get_by_role("listitem").filter(has_text="An Overkill")).to_contain_text("done")
    expect(page.get_by_role("region", name="Command Horizon")).to_contain_text("1 of 5 done")
    for game in ("Command Horizon", "Hex Command", "Blade Skirmish", "Squad Action"):
        expect(page.get_by_role("region", name=game).get_by_role("img", name=f"{game}, in the middle")).to_be_visible()
    assert table.errors == []


def test_the_animation_of_dice_can_be_turned_off(table: Table) -> None:
    lesson(table, "Firing")
    fire_in_the_lesson(table)
    box = table.page.get_by_label("Animate dice")
    expect(box).to_be_checked()
    expect(table.page.locator(".read.rolling")).to_have_count(1)
    box.uncheck()
    expect(table.page.locator(".read.rolling")).to_have_count(0)


def test_a_marker_tells_why_it_is_there(table: Table) -> None:
    lesson(table, "Firing")
    fire_in_the_lesson(table)
    expect(table.log).to_contain_text("1 Stun marker")
    page = table.page
    page.get_by_role("region", name="Units").get_by_role("button", name=re.compile("Guns")).or_(
        page.locator("[data-row]").filter(has_text="Guns")
    ).first.click()
    page.get_by_role("button", name=re.compile(r"^Why\? Stun")).click()
    why = page.get_by_role("complementary", name=re.compile("^Why: Stun markers on Guns"))
    expect(why).to_contain_text("0 → 1")
    expect(why).to_contain_text("Mediums target Guns")
    expect(why.get_by_role("link", name="CH-DEF-12")).to_be_visible()
    expect(why.get_by_role("img", name="6").first).to_be_visible()
    why.get_by_role("button", name="Close the answer").click()
    page.get_by_role("button", name=re.compile(r"Alliance A: Command points.* 5\. Why\?")).click()
    expect(page.get_by_role("complementary", name=re.compile("^Why: CP of Alliance A"))).to_contain_text("6 → 5")


def test_a_roll_is_taken_back_by_consent_and_the_boundary_is_shown(table: Table) -> None:
    lesson(table, "An Overkill")
    fire_in_the_lesson(table)
    expect(table.log).to_contain_text("Undo ends here: dice were rolled")
    table.page.get_by_role("button", name=re.compile(r"Command points.* \d+\. Why\?")).first.click()
    why = table.page.get_by_role("complementary", name=re.compile("^Why: CP of"))
    expect(why.get_by_role("list", name="The causes, latest first").first).to_be_visible()
    table.button("Ask to take it back").click()
    expect(table.log).to_contain_text("with consent of the other side")
    expect(coach(table)).to_contain_text("1 of 3")
    expect(why).to_have_count(0)


def test_a_hint_is_put_away_for_good(table: Table) -> None:
    table.begin("person", "random")
    page = table.page
    hint = page.get_by_role("note")
    expect(hint).to_contain_text("Both stakes are opened together")
    hint.get_by_role("button", name="I know this").click()
    expect(hint).to_have_count(0)
    table.begin("person", "random")
    expect(table.question).to_contain_text("stake for the first turn")
    expect(hint).to_have_count(0)
    table.button("Menu").click()
    table.button("Show the hints again").click()
    expect(hint).to_be_visible()


def test_a_clause_opens_its_text_and_plays_it_the_other_way(table: Table) -> None:
    lesson(table, "Firing")
    fire_in_the_lesson(table)
    page = table.page
    dice = page.get_by_role("region", name="Dice", exact=True)
    dice.get_by_role("button", name="rules").click()
    dice.get_by_role("link", name="CH-DEF-12").click()
    aside = page.get_by_role("complementary", name="Rule CH-DEF-12")
    rule = aside.get_by_role("region", name="House rule defence.assign")
    expect(rule).to_contain_text("Here: auto")
    # The first request waits until every ruling has been loaded.
    expect(aside.get_by_text("W02: Defence Dice cancel hits one by one")).to_be_visible(timeout=60_000)
    rule.get_by_role("link", name="manual", exact=True).click()
    expect(page).to_have_url(re.compile("/new"))
    page.get_by_text("House rules: 1 changed").click()
    expect(page.locator("#rule-defence\\.assign")).to_have_value("manual")


def test_a_disabled_button_says_why(table: Table) -> None:
    table.begin("person", "random")
    expect(table.question).to_contain_text("stake for the first turn")
    expect(table.confirm).to_be_disabled()
    expect(table.confirm).to_have_attribute("title", "Choose something to do first")
    box = table.confirm.bounding_box()
    assert box is not None
    table.page.mouse.click(box["x"] + 20, box["y"] + 10)
    expect(table.page.get_by_role("group", name="Confirm, cancel, undo")).to_contain_text(
        "Choose something to do first"
    )


def test_real_dice_are_typed_in(table: Table) -> None:
    table.open("/new?ruleset=duel&scenario=bridge")
    page = table.page
    page.get_by_label("Against").select_option("person")
    page.get_by_role("radio", name=re.compile("^Here ")).check()
    page.get_by_label("Side A throws real dice").check()
    page.get_by_label("Side B throws real dice").check()
    table.button("Start the game").click()
    page.get_by_label("Do not show this again").or_(table.question).first.wait_for()
    table.choose("Stake")
    page.get_by_label("Do not show this again in this game").click()
    expect(table.question).to_contain_text("stake for the first turn")
    table.choose("Stake")
    form = page.get_by_role("form", name="Real dice")
    expect(form).to_contain_text("1 real die")
    form.get_by_label("As they fell").fill("7")
    expect(form).to_contain_text("A die shows 1 to 6; this one shows 7")
    expect(form.get_by_role("button", name="These are the dice")).to_be_disabled()
    form.get_by_label("As they fell").fill("5")
    form.get_by_role("button", name="These are the dice").click()
    expect(form).to_have_count(0)
    expect(table.log).to_contain_text("First turn")
    made = page.evaluate("JSON.parse(localStorage['caltrop.games'])[0]")
    record = page.request.get(
        f"{table.address}/api/games/{made['id']}/record",
        headers={"Authorization": f"Bearer {made['tokens']['0']}"},
    ).json()
    rolls = [entry for entry in record["entries"] if entry["type"] == "roll"]
    assert [(roll["faces"], roll["typed"]) for roll in rolls] == [([5], True)]


def test_the_other_side_waits_for_real_dice(table: Table) -> None:
    page = table.page
    made = page.request.post(
        table.address + "/api/games",
        data={
            "ruleset": "duel",
            "scenario": "crossroads",
            "seats": ["person", "person"],
            "rules": {"bid.tie": "first-side"},
            "dice": ["typed", "server"],
        },
    ).json()
    headers = [{"Authorization": f"Bearer {seat['token']}"} for seat in made["seats"]]
    address = f"{table.address}/api/games/{made['game']}"

    def view(side: int) -> dict[str, Any]:
        result: dict[str, Any] = page.request.get(address, headers=headers[side]).json()
        return result

    def say(side: int, **message: Any) -> dict[str, Any]:
        message.setdefault("decision", view(side)["decisions"][0]["id"])
        none: dict[str, Any] = page.request.post(address + "/messages", headers=headers[side], data=message).json()
        return none

    for side in (0, 1):
        say(side, action={"type": "Stake", "points": 0})
    while view(0)["waiting_for"] != [0] or view(0)["decisions"][0]["kind"] != "StrikeOrHold":
        (mover,) = view(0)["waiting_for"]
        there = view(0)["picture"]["groups"][1 - mover]["pieces"][0]["at"]
        proposal = say(mover, type="propose", wish={"unit": mover, "to": there})["proposal"]
        say(mover, action=proposal["action"] or proposal["refusal"]["nearest"])
    table.open(f"/{made['game']}#0={made['seats'][0]['token']}")
    table.choose("Thrust")
    expect(table.question).to_contain_text("Waiting for Briar")
    say(1, action={"type": "TakeIt"})
    form = page.get_by_role("form", name="Real dice")
    table.button("Skip ahead").or_(form).first.wait_for()
    expect(form).to_contain_text("Ash throws 1 real die")
    form.get_by_label("As they fell").fill("1")
    page.keyboard.press("Enter")
    expect(form).to_have_count(0)
    expect(table.log).to_contain_text("Ash misses")


def game_to_watch(table: Table) -> None:
    """Return a game of two computer players that have played for a while."""
    made = table.page.request.post(
        table.address + "/api/games", data={"ruleset": "duel", "scenario": "crossroads", "seats": ["random", "random"]}
    ).json()
    for _ in range(200):
        view = table.page.request.get(f"{table.address}/api/games/{made['game']}").json()
        if view["over"]:
            break
        table.page.wait_for_timeout(50)
    table.open(f"/{made['game']}")


def test_the_acts_of_others_take_one_row_of_a_phone(phone: Table) -> None:
    phone.watches()
    game_to_watch(phone)
    bar = phone.page.get_by_role("group", name="Acts of the other side")
    bar.get_by_role("button", name="Pause").tap()
    expect(bar.get_by_role("button", name="Go on")).to_be_visible()
    box, step = bar.bounding_box(), bar.get_by_role("button", name="Step").bounding_box()
    assert box is not None
    assert step is not None
    assert box["height"] <= 60
    assert min(step["width"], step["height"]) >= 44


def test_what_computers_played_is_watched_act_by_act(table: Table) -> None:
    table.watches()
    game_to_watch(table)
    page = table.page
    bar = page.get_by_role("group", name="Acts of the other side")
    bar.get_by_role("button", name="Pause").click()
    to_come = bar.get_by_text(re.compile(r"\d+ to come"))
    before = int(to_come.inner_text().split()[0])
    page.wait_for_timeout(1200)
    assert int(to_come.inner_text().split()[0]) == before
    bar.get_by_role("button", name="Step").click()
    expect(to_come).to_have_text(f"{before - 1} to come")
    bar.get_by_label("Speed").select_option("fast")
    bar.get_by_role("button", name="Go on").click()
    expect(to_come).not_to_have_text(f"{before - 1} to come")
    expect(page.locator("g.unit.told, g.unit.touched, .touched").first).to_be_attached()
    expect(page.locator(".motion > g").first).to_be_attached()
    table.button("Skip ahead").click()
    expect(page.get_by_role("heading", name=re.compile("wins|A draw"))).to_be_visible()
    expect(page.locator(".motion > g")).to_have_count(0)
    page.get_by_role("link", name="The battle in full").click()
    expect(page.get_by_role("heading", name=re.compile("wins|A draw"))).to_be_visible()
    expect(page.get_by_role("img", name="The table as it stood at the end")).to_be_visible()
    for name in ("Wounds by round", "Lost", "Luck", "Best units"):
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    with page.expect_download() as saved:
        table.button("Save picture").click()
    assert saved.value.suggested_filename.endswith(".png")
    # While an earlier moment is shown, later acts are not animated over it.

    def later(route: Route) -> None:
        time.sleep(0.7)
        route.continue_()

    page.route(re.compile("/moments"), later)
    played = 0
    table.open("/" + page.url.split("/end/")[1] + "?at=2")
    expect(page.get_by_role("heading", name="Moment 2 of")).to_be_visible()
    for _ in range(12):
        page.wait_for_timeout(100)
        played += page.locator(".motion > g").count()
    assert played == 0
    assert table.errors == []


def test_who_comes_back_is_told_what_happened(table: Table) -> None:
    page = table.page
    made = page.request.post(
        table.address + "/api/games",
        data={
            "ruleset": "duel",
            "scenario": "bridge",
            "seats": ["person", "person"],
            "rules": {"bid.tie": "first-side"},
        },
    ).json()
    mine, theirs = (seat["token"] for seat in made["seats"])
    table.open(f"/{made['game']}#0={mine}")
    table.choose("Stake")
    expect(table.question).to_contain_text("Waiting for")
    table.open("/learn")
    about: dict[str, Any] = {"Authorization": f"Bearer {theirs}"}
    view = page.request.get(f"{table.address}/api/games/{made['game']}", headers=about).json()
    answer = {"decision": view["decisions"][0]["id"], "action": {"type": "Stake", "points": 0}}
    words = page.request.post(f"{table.address}/api/games/{made['game']}/messages", headers=about, data=answer)
    assert words.ok, words.text()
    page.evaluate(
        """id => {
          const all = JSON.parse(localStorage['caltrop.looked']);
          all[id][0].at -= 3600000;
          localStorage['caltrop.looked'] = JSON.stringify(all);
        }""",
        made["game"],
    )
    table.open(f"/{made['game']}")
    back = page.get_by_role("dialog", name="Welcome back")
    expect(back).to_contain_text("Ash stakes 0 and Briar stakes 0")
    units = page.get_by_role("region", name="Units")
    expect(units).to_be_hidden()
    back.get_by_role("button", name="Go on").click()
    expect(back).to_have_count(0)
    expect(units).to_be_visible()
    expect(table.question).to_contain_text("Where does Ash walk?")


def test_the_curtain_tells_the_next_side_what_it_may_know(table: Table) -> None:
    table.begin("person", "person", rules={"bid.tie": "first-side"})
    page = table.page
    page.get_by_role("button", name=re.compile("show the table")).or_(table.question).first.wait_for()
    table.choose("Stake")
    curtain = page.get_by_role("dialog", name=re.compile("Briar is to act"))
    expect(curtain).to_be_visible()
    expect(curtain).not_to_contain_text("stakes")
    curtain.get_by_role("button", name=re.compile("show the table")).click()
    table.choose("Stake")
    expect(table.question).to_contain_text("Where does Ash walk?")
    expect(page.get_by_role("dialog"), "nothing is hidden any more").to_have_count(0)
    expect(table.log).to_contain_text("Ash stakes 0 and Briar stakes 0")


def moment_of(page: Page) -> int:
    match = re.search(r"moment (\d+) of", page.get_by_role("region", name="Timeline").inner_text())
    assert match
    return int(match[1])


def test_a_replay_is_gone_through_by_turns_and_steps_and_any_moment_is_there_at_once(table: Table) -> None:
    game_to_watch(table)
    page = table.page
    id = page.url.rsplit("/", 1)[1]
    table.open(f"/replay/{id}")
    line = page.get_by_role("region", name="Timeline")
    expect(line).to_contain_text("moment 0 of")
    line.get_by_role("button", name="Next turn").click()
    first = moment_of(page)
    assert first > 0
    line.get_by_role("button", name="Next step").click()
    assert moment_of(page) > first
    page.keyboard.press("End")
    last = moment_of(page)
    expect(line.get_by_role("button", name="Next", exact=True)).to_be_disabled()
    line.get_by_role("button", name="Previous turn").click()
    assert moment_of(page) < last
    slowest = page.evaluate(
        """async last => {
          const range = document.querySelector('input[type=range]');
          let slowest = 0;
          for (const at of [0, last, 3, last - 1, Math.floor(last / 2)]) {
            const start = performance.now();
            range.value = at;
            range.dispatchEvent(new Event('input', { bubbles: true }));
            await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
            slowest = Math.max(slowest, performance.now() - start);
          }
          return slowest;
        }""",
        last,
    )
    assert slowest < 200
    page.get_by_label("Seen by").select_option("1")
    expect(page).to_have_url(re.compile(rf"at={last // 2}&eyes=1$"))
    address = page.url
    words = line.inner_text()
    table.open("/")
    page.goto(address)
    expect(line).to_have_text(words, use_inner_text=True)
    expect(page.get_by_label("Seen by")).to_have_value("1")
