"""The form for a new game, and the pages of lessons and rules."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.web.table import Table


def test_the_form_of_a_new_game_is_in_its_address(table: Table) -> None:
    table.open("/new?ruleset=command-horizon&scenario=meeting-engagement")
    page = table.page
    armies = page.get_by_role("group", name="The armies")
    armies.get_by_label("Army A").select_option(index=1)
    other = armies.get_by_label("Army B").input_value()
    assert other != "", "the other side gets an army too"
    page.get_by_label("Against").select_option("person")
    page.get_by_label("Side B throws real dice").check()
    page.get_by_text("House rules: all as usual").click()
    page.locator("#rule-overkill\\.mode").select_option(index=1)
    expect(page).to_have_url(re.compile("armies=.*rule.overkill.mode=.*opponent=person.*dice=1"))
    page.reload()
    expect(armies.get_by_label("Army B")).to_have_value(other)
    expect(page.get_by_label("Against")).to_have_value("person")
    expect(page.get_by_label("Side B throws real dice")).to_be_checked()
    expect(page.get_by_label("Side A throws real dice")).not_to_be_checked()
    expect(page.get_by_text("House rules: 1 changed")).to_be_visible()
    # Another game has other armies and house rules.
    page.get_by_role("combobox", name="Game", exact=True).select_option("duel")
    expect(armies).to_have_count(0)
    expect(page).not_to_have_url(re.compile("armies=|rule\\."))


def test_friends_at_one_screen_may_agree_to_be_asked_always(table: Table) -> None:
    table.open("/new?ruleset=hex-command")
    page = table.page
    always = page.get_by_label(re.compile("^Always lower the curtain"))
    against = page.get_by_label("Against")
    expect(against).not_to_have_value("person")
    expect(always).to_have_count(0)
    against.select_option("person")
    expect(always, "a friend who comes by a link has a screen of their own").to_have_count(0)
    page.get_by_role("radio", name=re.compile("^Here")).check()
    expect(always).not_to_be_checked()
    for ticked in (False, True):
        always.set_checked(ticked)
        with page.expect_request(lambda sent: sent.method == "POST" and sent.url.endswith("/api/games")) as made:
            table.button("Start the game").click()
        assert json.loads(made.value.post_data or "")["always_ask"] is ticked
        page.wait_for_url(re.compile(r"//[^/]+/[a-z0-9]{12}"))
        page.go_back()
        expect(always).to_be_checked(checked=ticked)
    expect(page).to_have_url(re.compile("ask=always"))
    assert not table.errors


def test_a_house_rule_that_is_as_usual_is_no_change(table: Table) -> None:
    table.open("/new?ruleset=duel&scenario=bridge&rule.parry.price=1&rule.bid.tie=first-side")
    expect(table.page.get_by_text("House rules: 1 changed")).to_be_visible()


def test_the_start_is_in_sight_on_every_screen(table: Table) -> None:
    for width, height in ((1024, 768), (360, 740)):
        table.page.set_viewport_size({"width": width, "height": height})
        table.open("/new?ruleset=command-horizon&scenario=meeting-engagement")
        expect(table.button("Start the game")).to_be_in_viewport(ratio=1)


def test_a_rulebook_is_searched_and_the_address_holds_the_search(table: Table) -> None:
    table.open("/rules/hex-command")
    page = table.page
    expect(
        page.get_by_role("navigation", name="Chapters").get_by_role("link", name=re.compile("^Retreat"))
    ).to_be_visible()
    page.get_by_label("Search the clauses").fill("void shield")
    result = page.get_by_role("status").filter(has_text=re.compile(r"^\d+ of \d+ clauses$"))
    some, every = (int(number) for number in re.findall(r"\d+", result.inner_text()))
    assert 0 < some < every
    assert page.locator("dt").count() == some
    expect(page.locator("mark").first).to_have_text(re.compile("void|shield", re.IGNORECASE))
    expect(page).to_have_url(re.compile(r"search=void\+shield"))
    page.reload()
    expect(result).to_have_text(f"{some} of {every} clauses")
    page.get_by_label("Search the clauses").fill("halberds")
    expect(page.get_by_text("No clause contains these words.")).to_be_visible()


def test_a_clause_has_an_address_of_its_own(table: Table) -> None:
    table.open("/rules/hex-command#HX-VOI-03")
    clause = table.page.locator("#HX-VOI-03")
    expect(clause).to_be_in_viewport()
    expect(clause.get_by_role("link", name="HX-VOI-03")).to_be_visible()
    # The game has one edition, so clauses do not name it.
    expect(clause).not_to_contain_text("current")
    table.page.get_by_role("link", name="Command Horizon", exact=True).click()
    expect(table.page.get_by_role("heading", name="Rules: Command Horizon")).to_be_visible()


def test_the_armies_of_the_scenario_are_named(table: Table) -> None:
    table.open("/new?ruleset=command-horizon&scenario=meeting-engagement")
    armies = table.page.get_by_role("group", name="The armies")
    for side, name in (("A", "Alliance"), ("B", "Asori")):
        usual = armies.get_by_label(f"Army {side}").locator("option").first
        expect(usual).to_have_text(f"{name}, as the scenario says")


def test_how_many_clauses_of_a_chapter_were_found_stands_apart_from_its_name(table: Table) -> None:
    table.open("/rules/hex-command?search=retreat")
    lines = table.page.get_by_role("navigation", name="Chapters").get_by_role("listitem")
    expect(lines.first).to_be_visible()
    ends = set()
    for line in lines.all():
        name, count = line.get_by_role("link").bounding_box(), line.locator(".found").bounding_box()
        assert name is not None
        assert count is not None
        assert count["x"] >= name["x"] + name["width"] + 4
        assert re.fullmatch(r"\S.*\s\d+", line.inner_text().replace("\n", " "))
        ends.add(round(count["x"] + count["width"]))
    assert len(ends) == 1
