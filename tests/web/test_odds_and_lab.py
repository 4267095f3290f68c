"""The page of odds for one attack, and the page of series of computer battles."""

from __future__ import annotations

import csv
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, expect

import caltrop
from tests.web.table import Table

AXE = Path(caltrop.__file__).parent / "web/node_modules/axe-core/axe.min.js"
LAB = "/lab?ruleset=duel&scenario=bridge&players=random,random&games=20&seed=5"


def odds(table: Table) -> Locator:
    return table.page.get_by_role("region", name="The odds", exact=True)


def wait_for_odds(table: Table) -> Locator:
    """Wait for the odds of the form's values. The first page of a server takes longer because it loads every game."""
    expect(odds(table)).to_have_attribute("aria-busy", "false", timeout=30_000)
    return odds(table)


def answer(table: Table, **fields: Any) -> dict[str, Any]:
    """Return the server's answer to the first attack, with other values of the attacker."""
    start = table.page.request.post(table.address + "/api/odds/form", data={"ruleset": "command-horizon"}).json()
    request = start["form"]["start"]
    request["attacker"].update(fields)
    result: dict[str, Any] = table.page.request.post(table.address + "/api/odds", data=request).json()
    return result


def chance_of_none(events: dict[str, Any]) -> str:
    p = sum(outcome["p"] for outcome in events["outcomes"] if outcome["models"] == 0)
    return f"{p * 100:.1f} %" if p < 0.0995 else f"{round(p * 100)} %"


def test_an_attack_is_put_together_and_its_odds_are_the_rules_own(table: Table) -> None:
    table.open("/odds")
    page = table.page
    expect(wait_for_odds(table)).to_contain_text("exact odds")
    expect(odds(table)).to_contain_text("6 attack dice")
    models = odds(table).get_by_role("table", name=re.compile("^Models left: "))
    expect(models.get_by_role("row").nth(1)).to_contain_text(chance_of_none(answer(table)))
    attacker = page.get_by_role("group", name="Attacker")
    attacker.get_by_label("Kind").select_option("heavy-tank")
    attacker.get_by_label("Models").fill("3")
    odds_of_three = answer(table, kind="heavy-tank", models=3)
    expect(wait_for_odds(table)).to_contain_text(f"{odds_of_three['attack_dice']} attack dice")
    expect(models.get_by_role("row").nth(1)).to_contain_text(chance_of_none(odds_of_three))
    odds(table).get_by_text("Every outcome").click()
    exact = odds_of_three["outcomes"][0]["probability"].replace("/", " / ")
    expect(odds(table).get_by_role("cell", name=exact, exact=True)).to_be_visible()
    clause = odds(table).get_by_role("row", name=re.compile("models of")).get_by_role("link")
    name = clause.inner_text()
    clause.click()
    expect(page.get_by_role("complementary", name=f"Rule {name}")).to_be_visible()
    assert table.errors == []


def test_several_attackers_in_order_and_the_best_order(table: Table) -> None:
    table.open("/odds?ruleset=squad-action")
    page = table.page
    wait_for_odds(table)
    page.get_by_role("group", name="Shooter").get_by_label("Models that shoot").fill("2")
    page.get_by_label("Distance in inches").fill("6")
    page.get_by_role("button", name="Add another attacker").click()
    page.get_by_role("group", name="Shooter").get_by_label("Models that shoot").fill("8")
    page.get_by_label("Distance in inches").fill("12")
    request = {
        "ruleset": "squad-action",
        "sequence": [
            {
                "mode": "shoot",
                "shooter": {"profile": "regular", "weapon": "rifle", "models": models},
                "distance": far,
                **({"target": {"profile": "regular", "models": 8}} if models == 2 else {}),
            }
            for models, far in ((2, 6), (8, 12))
        ],
    }
    words = table.page.request.post(table.address + "/api/odds", data=request).json()
    assert words["best_order"]["order"] == [1, 0]
    steps = odds(table).get_by_role("region", name="After each attacker")
    expect(steps).to_contain_text(f"{words['steps'][1]['models']:.2f}")
    expect(steps.get_by_role("row")).to_have_count(3)
    steps.get_by_role("button", name="Put them in this order").click()
    expect(steps).to_contain_text("No other order")
    expect(steps).to_contain_text(f"{words['best_order']['expected']['models']:.2f}")
    page.get_by_role("button", name=re.compile("^1. ")).click()
    expect(page.get_by_role("group", name="Shooter").get_by_label("Models that shoot")).to_have_value("8")
    page.reload()
    wait_for_odds(table)
    expect(steps).to_contain_text(f"{words['best_order']['expected']['models']:.2f}")
    page.get_by_role("button", name="Remove attacker 2").click()
    expect(steps).to_have_count(0)
    assert table.errors == []


def test_every_game_with_odds_has_its_own_form(table: Table) -> None:
    table.open("/odds?ruleset=hex-command")
    page = table.page
    expect(wait_for_odds(table)).to_contain_text("exact odds")
    expect(page.get_by_label("Edition")).to_have_count(0)
    page.get_by_role("group", name="Target").get_by_label("Class").select_option("god-machine")
    expect(wait_for_odds(table)).to_contain_text("dice if anything hits")
    page.get_by_role("combobox", name="Game").select_option("command-horizon")
    expect(page.get_by_label("Edition")).to_be_visible()
    expect(wait_for_odds(table)).to_contain_text("6 attack dice")
    assert table.errors == []


def test_the_gist_is_told_in_the_games_own_words(table: Table) -> None:
    table.page.set_viewport_size({"width": 360, "height": 740})
    table.open("/odds?ruleset=hex-command")
    gist = table.page.get_by_role("status").filter(has_text="battle dice")
    words = re.compile(r"^3 battle dice; Strength left: \d\.\d\d; Hexes it falls back: \d\.\d\d$")
    expect(gist).to_contain_text(words, timeout=30_000)


def test_an_attack_is_kept_to_compare_others_with_it(table: Table) -> None:
    table.open("/odds")
    page = table.page
    expect(wait_for_odds(table)).to_contain_text("6 attack dice")
    table.button("Keep this one").click()
    page.get_by_role("checkbox", name="In cover").check()
    expect(wait_for_odds(table)).to_contain_text("Kept to compare: Target, In cover: no.")
    models = odds(table).get_by_role("table", name=re.compile("^Models left: "))
    none = chance_of_none(answer(table))
    nth = models.get_by_role("row").nth(1).get_by_role("cell").nth(2)
    expect(nth).to_have_text(none)
    expect(models.get_by_role("row").nth(1).get_by_role("cell").nth(1)).not_to_have_text(none)
    # The link contains both attacks.
    expect(page).to_have_url(re.compile("than="))
    address = page.url
    table.open("/")
    page.goto(address)
    expect(wait_for_odds(table)).to_contain_text("Kept to compare: Target, In cover: no.")
    expect(nth).to_have_text(none)
    table.button("Forget it").click()
    expect(odds(table)).not_to_contain_text("Kept to compare")
    expect(page).not_to_have_url(re.compile("than="))


@pytest.mark.parametrize("game", ["command-horizon", "hex-command"])
def test_the_outcomes_are_saved_and_the_command_line_gives_them_too(table: Table, game: str) -> None:
    table.open(f"/odds?ruleset={game}")
    expect(wait_for_odds(table)).to_contain_text("exact odds")
    shown = odds(table).get_by_text(re.compile("caltrop odds$")).inner_text()
    echo, request, *command = shlex.split(shown)
    assert (echo, command) == ("echo", ["|", "caltrop", "odds"])
    words = [sys.executable, "-m", "caltrop", "odds"]
    text = subprocess.run(words, input=request, capture_output=True, text=True, check=True).stdout
    outcomes = json.loads(text)["outcomes"]
    with table.page.expect_download() as download:
        table.button("Save the outcomes as CSV").click()
    assert download.value.suggested_filename == f"{game}-odds.csv"
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert [row["probability"] for row in rows] == [outcome["probability"] for outcome in outcomes]
    assert sum(float(row["p"]) for row in rows) == pytest.approx(1)
    assert list(rows[0]) == list(outcomes[0])


def test_the_link_holds_the_whole_question(table: Table) -> None:
    table.open("/odds")
    page = table.page
    page.get_by_role("group", name="Target").get_by_label("In cover").check()
    page.get_by_role("combobox", name="Mode").select_option("artillery")
    page.get_by_role("group", name="Attacker").get_by_label("Kind").select_option("artillery")
    page.get_by_text("House rules: all as usual").click()
    page.get_by_role("group", name="Attacker").get_by_label("Stun markers").fill("1")
    expect(page).to_have_url(re.compile("attacker.stuns=1"))
    expect(wait_for_odds(table)).to_contain_text("attack dice")
    # The list of house rules stays open while other choices change.
    page.locator("#rule-overkill\\.mode").select_option(index=1)
    expect(page).to_have_url(re.compile("rule.overkill.mode="))
    expect(wait_for_odds(table)).to_contain_text("attack dice")
    asked = parse_qs(urlsplit(page.url).query)
    assert asked["attacker.kind"] == ["artillery"]
    assert asked["target.cover"] == ["true"]
    text = odds(table).get_by_role("figure").inner_text()
    address = page.url
    table.open("/")
    page.goto(address)
    expect(odds(table).get_by_role("figure")).to_have_text(text, use_inner_text=True)
    expect(page.get_by_role("checkbox", name="In cover")).to_be_checked()
    expect(page.get_by_text("House rules: 1 changed")).to_be_visible()


def test_what_is_amiss_is_said_beside_its_field(table: Table) -> None:
    table.open("/odds")
    page = table.page
    attacker = page.get_by_role("group", name="Attacker")
    attacker.get_by_label("Models").fill("0")
    alert = attacker.get_by_role("alert")
    expect(alert).to_contain_text("has from 1 to 4 models; this one has 0")
    expect(attacker.get_by_label("Models")).to_have_accessible_description(re.compile("from 1 to 4 models"))
    expect(odds(table).get_by_role("figure")).to_have_count(0)
    attacker.get_by_label("Models").fill("4")
    expect(alert).to_have_count(0)
    expect(odds(table)).to_contain_text("8 attack dice")
    table.open(
        "/odds?ruleset=command-horizon&mode=fire&attacker.army=alliance&attacker.kind=light-tank&attacker.models=1"
    )
    expect(odds(table).get_by_role("alert")).to_contain_text("target")


def test_fields_that_mean_nothing_in_an_attack_are_not_to_be_filled_in(table: Table) -> None:
    table.open("/odds")
    page = table.page
    platoon = page.get_by_label("A whole Platoon as one")
    expect(platoon).to_be_disabled()
    page.get_by_role("group", name="Attacker").get_by_label("Kind").select_option("infantry")
    expect(platoon).to_be_enabled()
    platoon.check()
    expect(odds(table)).to_contain_text("attack dice")
    page.get_by_role("group", name="Attacker").get_by_label("Kind").select_option("light-tank")
    expect(page.get_by_role("group", name="Attacker").get_by_role("alert")).to_contain_text("Platoon")


def test_a_series_is_played_and_its_link_shows_it_again(table: Table) -> None:
    table.open(LAB)
    page = table.page
    expect(page.get_by_label("Games (up to 500)")).to_have_value("20")
    table.button("Play the series").click()
    expect(page.get_by_text("20 games played")).to_be_visible(timeout=30_000)
    wins = page.get_by_role("table", name="Wins in 20 games")
    numbers = [int(row.get_by_role("cell").first.inner_text()) for row in wins.get_by_role("row").all()[1:]]
    assert sum(numbers) == 20
    expect(wins.get_by_role("row").nth(1)).to_contain_text(re.compile(r"\d+ to \d+ %"))
    command = "caltrop simulate duel --players random,random --num 20 --seed 5"
    expect(page.get_by_text(command)).to_be_visible()
    with page.expect_download() as download:
        table.button("Save the figures as JSON").click()
    saved = json.loads(download.value.path().read_text())["series"]
    assert [saved[0]["report"]["wins"][who] for who in "01"] + [saved[0]["report"]["draws"]] == numbers
    assert "seed=5" in page.url
    address = page.url
    table.open("/")
    page.goto(address)
    expect(page.get_by_text("20 games played")).to_be_visible()
    assert table.errors == []


def test_a_series_goes_on_without_its_page_and_can_be_stopped(table: Table) -> None:
    # Five hundred random duels would be over before the page is opened again.
    table.open("/lab?ruleset=command-horizon&scenario=first-battle&players=veteran,veteran&games=500&seed=5")
    page = table.page
    table.button("Play the series").click()
    expect(page.get_by_text(re.compile(r"^[1-9]\d* of 500 games, \d+ \w+ left"))).to_be_visible(timeout=30_000)
    address = page.url
    table.open("/")
    page.goto(address)
    table.button("Stop").click()
    expect(page.get_by_text(re.compile("of 500 games played: it was stopped"))).to_be_visible()
    expect(page.get_by_role("table", name=re.compile(r"Wins in \d+ games?"))).to_be_visible()
    expect(table.button("Play the series")).to_be_enabled()


def test_two_series_stand_beside_each_other_with_their_difference(table: Table) -> None:
    table.open(LAB.replace("seed=5", "seed=6"))
    page = table.page
    page.get_by_label("What changes").select_option("parry.price")
    page.get_by_label("Instead of 1").select_option("3")
    table.button("Play both series").click()
    expect(page.get_by_text("20 games played")).to_have_count(2, timeout=30_000)
    difference = page.get_by_role("table", name="What parry.price = 3 changes")
    expect(difference.get_by_role("row", name=re.compile("Share of the games won by"))).to_contain_text(
        re.compile(r"[+−]\d+\.\d points")
    )
    expect(difference.get_by_role("row", name=re.compile("Rounds of a game"))).to_contain_text("may be chance")
    expect(page.get_by_role("region", name="parry.price = 1")).to_be_visible()
    expect(page.get_by_text("--rule parry.price=3")).to_be_visible()
    assert "against.rule.parry.price=3" in page.url


def test_the_form_of_a_series_is_in_its_address(table: Table) -> None:
    table.open("/lab?ruleset=duel")
    page = table.page
    page.get_by_label("Seed").fill("77")
    page.get_by_label("Seats change every second game").uncheck()
    page.get_by_label("What changes").select_option("bid.tie")
    expect(page).to_have_url(re.compile("seed=77.*swap=no.*against.rule.bid.tie=first-side"))
    page.reload()
    expect(page.get_by_label("Seed")).to_have_value("77")
    expect(page.get_by_label("Seats change every second game")).not_to_be_checked()
    expect(page.get_by_label("Instead of die")).to_have_value("first-side")


def test_a_series_that_cannot_be_played_says_why(table: Table) -> None:
    table.open(LAB + "&rule.parry.price=77")
    table.button("Play the series").click()
    expect(table.page.get_by_role("alert").filter(has_text="parry.price")).to_be_visible()


def test_the_lobby_leads_to_both(table: Table) -> None:
    table.open("/")
    table.page.get_by_role("link", name=re.compile("^Lab: ")).first.click()
    expect(table.page.get_by_role("heading", name="Lab", exact=True)).to_be_visible()
    table.open("/")
    table.page.get_by_role("link", name="Odds").click()
    expect(odds(table)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_pages_are_for_everyone(table: Table, scheme: Any) -> None:
    page = table.page
    page.emulate_media(color_scheme=scheme)
    for path in ("/odds", LAB.replace("seed=5", "seed=8")):
        for width in (1440, 360):
            page.set_viewport_size({"width": width, "height": 800})
            table.open(path)
            if path == "/odds":
                expect(wait_for_odds(table)).to_contain_text("exact odds")
            else:
                table.button("Play the series").click()
                expect(page.get_by_text("20 games played")).to_be_visible(timeout=30_000)
            page.evaluate(AXE.read_text())
            value = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            words = [
                (v["id"], [n["html"][:140] for n in v["nodes"][:3]])
                for v in value["violations"]
                if v["impact"] in ("serious", "critical")
            ]
            assert words == [], (path, width)
            assert not table.is_wide()
            page.add_style_tag(content="html { font-size: 200% }")
            page.wait_for_timeout(150)
            assert not table.is_wide(), (path, width)


def test_the_odds_are_asked_by_keyboard_alone(table: Table) -> None:
    table.open("/odds")
    page = table.page
    expect(wait_for_odds(table)).to_contain_text("6 attack dice")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.labels?.[0]?.textContent.trim()") == "With a boost":
            break
    page.keyboard.press("Space")
    expect(odds(table)).not_to_contain_text("6 attack dice")
    expect(page).to_have_url(re.compile("boost=true"))


def test_a_whole_act_is_told_with_what_the_other_side_may_do(table: Table) -> None:
    table.open("/odds?ruleset=squad-action")
    wait_for_odds(table)
    page = table.page
    act = page.get_by_role("region", name="A whole act")
    request = json.loads(act.get_by_label("The request").input_value())
    act.get_by_role("button", name="Work it out").click()
    heading = act.get_by_role("heading", name="Every enemy that can react does so: exact odds")
    expect(heading).to_be_visible(timeout=30_000)
    acts = page.request.post(table.address + "/api/odds", data=request).json()["acts"]
    expect(act).to_contain_text(acts[1]["headline"])
    expect(act.get_by_role("table", name="assaulters").first).to_be_visible()
    request["play"][-1]["unit"] = "asaulters"
    act.get_by_label("The request").fill(json.dumps(request))
    act.get_by_role("button", name="Work it out").click()
    expect(act.get_by_role("alert")).to_contain_text("did you mean 'assaulters'", timeout=30_000)
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert not table.is_wide(), width
