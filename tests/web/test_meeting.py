"""People meet on the page: an open seat, the queue, a club with a tournament, and an opponent who has left."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from tests.web.table import Table
from tests.web.test_with_a_friend import guest

SLOW = 30_000
"""Milliseconds that a page may take on a busy machine."""

SIT_DOWN = re.compile("^Sit down at Duel")


def choose_duel(table: Table) -> None:
    """Choose the smallest battle."""
    table.open("/people")
    # The first request waits until all rulebooks have been loaded.
    expect(table.page.get_by_label("Game").locator("option", has_text="Duel")).to_be_attached(timeout=90_000)
    table.page.get_by_label("Game").select_option("duel")


def test_a_seat_is_offered_taken_and_a_friend_made(browser: Browser, base_url: str) -> None:
    anna, bela = guest(browser, base_url, "Anna"), guest(browser, base_url, "Bela")
    choose_duel(anna)
    anna.page.get_by_label("A few words").fill("Slowly, please")
    anna.page.get_by_label(re.compile("Rated:")).check()
    anna.button("Offer a seat").click()
    anna.page.wait_for_url(re.compile("/[a-z0-9]{12}$"))
    bela.open("/people")
    bela.page.get_by_role("listitem").filter(has_text="Slowly, please").get_by_role("button", name=SIT_DOWN).click()
    expect(bela.question).to_contain_text("stake for the first turn", timeout=SLOW)
    assert bela.page.url == anna.page.url
    anna.button("To the table").click() if anna.button("To the table").count() else None
    expect(anna.question).to_contain_text("stake for the first turn", timeout=SLOW)
    bela.button("People").click()
    sheet = bela.page.get_by_role("region", name="People")
    expect(sheet).to_contain_text("Rated.")
    sheet.get_by_role("button", name="Block…").click()
    question = sheet.get_by_role("group", name="Block Anna?")
    question.get_by_role("button", name="No").click()
    expect(question).to_have_count(0)
    expect(bela.button("Add as a friend")).to_be_visible()
    sheet.get_by_role("button", name="Block…").click()
    question.get_by_role("button", name="Yes, block").click()
    expect(bela.button("Add as a friend")).to_have_count(0)
    sheet.get_by_role("button", name="Unblock").click()
    bela.button("Add as a friend").click()
    # Muting is stored on the server, and muted messages are not counted as new.
    sheet.get_by_role("button", name="Mute").click()
    expect(sheet).to_contain_text("until you choose")
    anna.button("People").click()
    anna.page.get_by_label("Say something").fill("Can you hear me?")
    anna.page.get_by_role("button", name="Say", exact=True).click()
    expect(anna.page.get_by_role("log", name="Talk")).to_contain_text("Can you hear me?")
    bela.page.evaluate("() => localStorage.removeItem('caltrop.muted')")
    bela.page.reload()
    expect(bela.question).to_be_visible(timeout=SLOW)
    bela.button("People").click()
    expect(sheet.get_by_role("button", name="Show their messages again")).to_be_visible()
    expect(sheet).not_to_contain_text("Can you hear me?")
    expect(bela.page.get_by_role("button", name="new")).to_have_count(0)
    sheet.get_by_role("button", name="Show their messages again").click()
    expect(sheet).to_contain_text("Can you hear me?")
    anna.open("/people")
    anna.page.get_by_text("Bela wants to be your friend").get_by_role("button", name="Yes").click()
    expect(anna.button("No longer a friend")).to_be_visible(timeout=SLOW)
    # A seat of another game is reserved for the friend.
    choose_duel(anna)
    anna.button("Offer a seat").click()
    anna.button("Bela").click(timeout=SLOW)
    expect(anna.page.get_by_text("The seat is kept for Bela")).to_be_visible(timeout=SLOW)
    bela.open("/people")
    bela.page.get_by_text("Anna keeps a seat for you").get_by_role("button", name="Sit down").click(timeout=SLOW)
    expect(bela.question).to_contain_text("stake for the first turn", timeout=SLOW)
    assert anna.errors == bela.errors == []


def test_two_who_wait_are_brought_together(browser: Browser, base_url: str) -> None:
    anna, bela = guest(browser, base_url, "Cora"), guest(browser, base_url, "Dora")
    for one in (anna, bela):
        choose_duel(one)
        one.button("Wait for an opponent").click()
    for one in (anna, bela):
        one.page.wait_for_url(re.compile("/[a-z0-9]{12}$"), timeout=60_000)
        expect(one.question).to_contain_text("stake for the first turn", timeout=SLOW)
    assert anna.page.url == bela.page.url
    assert anna.errors == bela.errors == []


def test_a_club_plays_a_tournament(browser: Browser, base_url: str) -> None:
    anna, bela = guest(browser, base_url, "Anna"), guest(browser, base_url, "Bela")
    anna.open("/people")
    anna.page.get_by_label("A club of your own").fill("Thursday")
    anna.button("Make it").click()
    anna.page.wait_for_url(re.compile("/club/"))
    bela.page.goto(anna.page.url)
    bela.button("Join this club").click()
    expect(bela.page.get_by_role("heading", name="2 members")).to_be_visible(timeout=SLOW)
    anna.page.get_by_text("Plan a tournament").click()
    anna.page.get_by_role("textbox", name="Name").fill("Cup")
    anna.page.get_by_label("Form").select_option("all")
    anna.page.get_by_label("Game").select_option("duel")
    anna.page.get_by_label("Time for a round").select_option(label="2 days")
    anna.button("Plan it").click()
    expect(anna.page.get_by_text("Each round ends after 2 days")).to_be_visible(timeout=SLOW)
    anna.button("Enter").click()
    bela.page.reload()
    bela.button("Enter").click()
    anna.page.reload()
    anna.button("Begin").click()
    anna.page.get_by_role("link", name="they play").click()
    expect(anna.question).to_contain_text("stake for the first turn", timeout=SLOW)
    late = guest(browser, base_url, "Cora")
    late.page.goto(anna.page.url)
    expect(late.question).to_have_text("You are watching", timeout=SLOW)
    # The owner of the club decides a game that does not continue, and both players see the decision.
    anna.page.go_back()
    expect(anna.page.get_by_text("This round ends on")).to_be_visible(timeout=SLOW)
    anna.button("Decide it…").click()
    anna.page.get_by_role("group", name="Decide this game").get_by_role("button", name="Bela wins").click()
    expect(anna.page.get_by_text("decided by the host")).to_be_visible(timeout=SLOW)
    expect(bela.page.get_by_text("decided by the host")).to_be_visible(timeout=SLOW)
    expect(bela.button("Decide it…")).to_have_count(0)
    bela.page.get_by_role("link", name=re.compile("1 : 0|0 : 1")).click()
    expect(bela.page.get_by_text(re.compile("has decided this game: Bela wins")).first).to_be_attached(timeout=SLOW)
    assert anna.errors == bela.errors == []


def test_the_other_side_chooses_who_goes_on(browser: Browser, base_url: str) -> None:
    anna = guest(browser, base_url, "Anna")
    expected = {"per": "turn", "seconds": 5, "then": "choose"}
    made = anna.page.request.post(
        f"{base_url}/api/games", data={"ruleset": "duel", "seats": ["person", "person"], "clock": expected}
    ).json()
    anna.open(f"/{made['game']}#0={made['seats'][0]['token']}")
    strip = anna.page.get_by_role("alert").filter(has_text="You choose what happens to that side")
    expect(strip).to_be_visible(timeout=30_000)
    strip.get_by_label("A computer player takes over").select_option(index=1)
    strip.get_by_role("button", name="Let it play").click()
    expect(strip).to_have_count(0)
    anna.button("People").click()
    expect(anna.page.get_by_role("region", name="People")).to_contain_text("computer:")
    assert anna.errors == []
