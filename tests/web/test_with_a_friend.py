"""A game with a friend: the link, the friend's seat, a server that is killed, and messages."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.table import Table

ANSWERS = re.compile("Stay|Stake|Thrust|Take")
BUTTONS = ".orders li button, .bar .end"
"""The answers of a duel and the offers that end a step."""


class Mortal:
    """A server that tests kill and start again at the same address.

    Args:
        folder: The folder of the server's database.
    """

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = folder
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        command = [sys.executable, "-m", "caltrop", "serve", "--port", str(self.port)]
        self.program = subprocess.Popen(
            [*command, "--database", f"sqlite:///{self.folder / 'games.db'}"], stderr=subprocess.DEVNULL
        )
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{self.address}/api/ping", timeout=2).close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """Kill the server, as in a power cut."""
        self.program.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
        self.program.wait(20)


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Mortal]:
    """Return a server for this test alone."""
    made = Mortal(tmp_path)
    yield made
    made.kill()


def guest(browser: Browser, address: str, name: str, **how: Any) -> Table:
    """Return a person in a separate browser."""
    page: Page = browser.new_context(**how).new_page()
    page.add_init_script("delete globalThis.OffscreenCanvas")
    page.add_init_script(f"localStorage['caltrop.name'] ??= '{name}'")
    return Table(page, address)


def invite_friend(table: Table, **more: Any) -> str:
    """Make a duel whose second side waits for a friend, as the lobby does. Return the link."""
    expected = {"ruleset": "duel", "scenario": "bridge", "seats": ["person", "person"], "invited": [1], **more}
    made = table.page.request.post(f"{table.address}/api/games", data=expected).json()
    mine, theirs = (seat["token"] for seat in made["seats"])
    names = {
        "id": made["game"],
        "title": "Duel",
        "tokens": {"0": mine},
        "invites": {"1": theirs},
        "curtain": True,
        "seen": 1,
    }
    table.open()
    table.page.evaluate("known => localStorage.setItem('caltrop.games', JSON.stringify([known]))", names)
    table.open(f"/{made['game']}")
    link: str = table.page.get_by_label("The link of the invitation").first.input_value()
    return link


def is_asked(table: Table) -> bool:
    """Return True if the page asks a question."""
    return table.page.locator(BUTTONS).filter(has_text=ANSWERS).count() > 0


def answer(table: Table, words: str | re.Pattern[str] = ANSWERS) -> None:
    """Give the first answer that has these words, and wait until it is played."""
    before = table.question.inner_text() + table.log.inner_text()
    table.page.locator(BUTTONS).filter(has_text=words).first.click()
    table.settle()
    table.page.wait_for_function(
        "before => before !== (document.querySelector('#question')?.innerText ?? '') "
        "+ (document.querySelector('[role=log]')?.innerText ?? '')",
        arg=before,
    )


def test_a_whole_game_between_two_browsers_and_a_server_that_is_killed(browser: Browser, mortal: Mortal) -> None:
    anna, bela = (guest(browser, mortal.address, name) for name in ("Anna", "Bela"))
    link = invite_friend(anna)
    expect(anna.page.get_by_text("Waiting for your friend").first).to_be_visible()
    bela.page.goto(link)
    for one, other in ((anna, "Bela"), (bela, "Anna")):
        expect(one.question).to_contain_text("stake for the first turn")
        expect(one.page.get_by_text(f"{other}, here")).to_be_visible()
        expect(one.page).to_have_title(re.compile("^Your turn · "))
    assert "join" not in bela.page.url
    answer(anna)
    expect(anna.page).to_have_title(re.compile("^Bela to act · "))
    answer(bela)
    acts, over = 2, anna.page.get_by_role("link", name="The battle in full")
    killed = False
    for _ in range(400):
        if over.is_visible():
            break
        player = next((one for one in (anna, bela) if is_asked(one)), None)
        if player is None:
            anna.page.wait_for_timeout(50)
        elif not killed and acts >= 6:
            killed = True
            # A move is prepared but not confirmed when the server dies.
            player.page.locator(BUTTONS).filter(has_text=ANSWERS).first.click()
            expect(player.confirm).to_be_enabled()
            armed = player.page.locator(".prepared").inner_text()
            log = player.whole_log()
            mortal.kill()
            for one in (anna, bela):
                expect(one.page.get_by_text("The connection is lost")).to_be_visible(timeout=15_000)
            mortal.start()
            for one in (anna, bela):
                expect(one.page.get_by_text("The connection is lost")).to_be_hidden(timeout=15_000)
            assert player.whole_log() == log
            assert player.page.locator(".prepared").inner_text() == armed
            player.confirm.click()
            expect(player.confirm).to_be_disabled()
            expect(player.page.get_by_role("heading", name="Waiting for")).to_be_visible()
            acts += 1
        else:
            answer(player)
            acts += 1
    assert killed
    for one in (anna, bela):
        expect(one.page.get_by_role("link", name="The battle in full")).to_be_visible()
        expect(one.page).to_have_title(re.compile("^Over · "))
        assert one.errors == []
    assert anna.whole_log() == bela.whole_log()


def test_the_link_opens_the_seat_once_and_the_inviter_looks_on_from_there(table: Table, browser: Browser) -> None:
    link = invite_friend(table)
    # If the person who sent the invitation opens its link, the invitation stays valid.
    table.page.goto(link)
    expect(table.page.get_by_role("heading", name="Send this link")).to_be_visible()
    expect(table.page.get_by_role("heading", name="Only this machine can open the link")).to_be_visible()
    expect(table.page.locator("svg[data-text]")).to_have_count(0)
    table.button("To the table").click()
    expect(table.page.get_by_text("your friend has not joined yet")).to_be_visible()
    friend = guest(browser, table.address, "Bela")
    friend.page.goto(link)
    expect(friend.question).to_contain_text("stake for the first turn")
    expect(table.page.get_by_text("your friend has not joined yet")).to_be_hidden()
    late = guest(browser, table.address, "Cora", viewport={"width": 360, "height": 740})
    late.page.goto(link)
    expect(late.page.get_by_role("alert")).to_contain_text("somebody else sits there")
    assert not late.is_wide()
    late.page.get_by_role("link", name="Watch").click()
    expect(late.page.get_by_text("Bela").first).to_be_visible()
    # The seat moves to the second page, and back.
    second = friend.page.context.new_page()
    second.goto(friend.page.url)
    expect(second.get_by_role("alert")).to_contain_text("no longer on the one where it was")
    # On a phone, messages do not cover the answers.
    second.set_viewport_size({"width": 360, "height": 740})
    with_word = second.locator(".orders").bounding_box()
    second.get_by_role("alert").get_by_role("button", name="Good").click()
    without = second.locator(".orders").bounding_box()
    assert with_word is not None
    assert without is not None
    assert with_word["height"] >= without["height"] - 1
    assert with_word["height"] > 90
    expect(friend.page.get_by_role("alert")).to_contain_text("played on another page now")
    expect(friend.question).to_have_text("You are watching")
    friend.button("Play here").click()
    expect(friend.question).to_contain_text("stake for the first turn")
    expect(second.get_by_role("alert")).to_contain_text("played on another page now")
    assert table.errors == friend.errors == late.errors == []


def test_a_side_of_one_screen_is_handed_over_by_an_invitation(table: Table, browser: Browser) -> None:
    """The form for a new game asks how the friend plays, and a game begun on one screen can continue on two."""
    table.open("/new?ruleset=duel&scenario=bridge&opponent=person")
    page = table.page
    expect(page.get_by_role("radio", name=re.compile("^By a link"))).to_be_checked()
    expect(table.button("Make the table and the link")).to_be_visible()
    page.get_by_role("radio", name=re.compile("^Here")).check()
    page.get_by_role("combobox", name=re.compile("^Time")).select_option("10 minutes a turn")
    page.get_by_label("When it is up").select_option("tell")
    expect(page).to_have_url(re.compile("where=here&clock=turn-600-tell"))
    page.reload()
    expect(page.get_by_label("When it is up")).to_have_value("tell")
    table.button("Start the game").click()
    expect(page.get_by_role("timer")).to_have_count(2)
    page.get_by_role("button", name="Menu").click()
    table.button(re.compile("^Invite somebody to take over")).nth(1).click()
    link = page.get_by_label("The link of the invitation").first.input_value()
    friend = guest(browser, table.address, "Bela")
    friend.page.goto(link)
    expect(page.get_by_text("Bela, here")).to_be_visible()
    friend.page.get_by_role("button", name="Menu").click()
    expect(friend.button(re.compile("^Hand "))).to_have_count(0)
    expect(friend.button(re.compile("^Copy the link of "))).to_have_count(1)
    assert table.errors == friend.errors == []


NOTED = """
  const Real = Notification;
  window.away = false;
  window.noted = [];
  Object.defineProperty(document, "hidden", { get: () => window.away });
  window.Notification = class extends Real { constructor(title, more) { super(title, more); noted.push(more.body); } };
  localStorage["caltrop.calls"] = "on";
"""


def test_a_notification_calls_who_looks_at_another_page(table: Table, browser: Browser) -> None:
    friend = guest(browser, table.address, "Bela", permissions=["notifications"])
    friend.page.add_init_script(NOTED)
    friend.page.goto(invite_friend(table))
    expect(friend.question).to_contain_text("stake for the first turn")
    assert friend.page.evaluate("Notification.permission") == "granted"
    answer(friend)
    assert friend.page.evaluate("noted") == []
    friend.page.evaluate("away = true")
    for _ in range(8):
        if friend.page.evaluate("noted.length"):
            break
        if is_asked(table):
            answer(table)
        table.page.wait_for_timeout(200)
    assert friend.page.evaluate("noted")[0].startswith("It is your turn: ")
    assert len(friend.page.evaluate("noted")) == 1
    assert table.errors == friend.errors == []


def test_people_talk_agree_on_a_draw_and_see_the_clock(table: Table, browser: Browser) -> None:
    link = invite_friend(table, clock={"per": "turn", "seconds": 600, "then": "tell"})
    friend = guest(browser, table.address, "Bela")
    friend.page.goto(link)
    clock = table.page.get_by_role("timer", name=re.compile("Ash"))
    expect(clock).to_have_text(re.compile(r"^(10:00|9:5\d)$"))
    table.button("People").click()
    sheet = table.page.get_by_role("region", name="People")
    expect(sheet).to_contain_text("everybody is notified, and the game continues")
    table.page.get_by_label("Say something").fill("Good luck!")
    table.page.keyboard.press("Enter")
    expect(table.page.get_by_role("log", name="Talk")).to_contain_text("You: Good luck!")
    friend.button("People: 1 new").click()
    expect(friend.page.get_by_role("log", name="Talk")).to_contain_text("Ash: Good luck!")
    friend.button("Turn chat off").click()
    expect(sheet).to_contain_text("The other side has switched the chat off")
    table.button("Offer a draw").click()
    strip = friend.page.get_by_role("alert").filter(has_text="offers a draw")
    strip.get_by_role("button", name="Decline").click()
    expect(table.page.get_by_role("alert").filter(has_text="draw")).to_have_count(0)
    table.button("Offer a draw").click()
    strip.get_by_role("button", name="Accept").click()
    for one in (table, friend):
        expect(one.page.get_by_role("heading", name="A draw")).to_be_visible()
        assert one.errors == []


def test_a_friend_is_greeted_asked_for_a_name_and_reached_by_a_rematch(table: Table, browser: Browser) -> None:
    link = invite_friend(table)
    page = table.page
    anna = browser.new_context().new_page()
    anna.goto(link)
    welcome = anna.get_by_role("form", name="Welcome")
    expect(welcome).to_contain_text(re.compile("invites you to Duel, Bridge"))
    welcome.get_by_label("Your name").fill("Anna")
    welcome.get_by_role("button", name="Play").click()
    expect(welcome).to_have_count(0)
    game = anna.url.rsplit("/", 1)[-1].split("#")[0]
    views = table.page.request.get(f"{table.address}/api/games/{game}").json()
    assert "Anna" in [seat["called"] for seat in views["seats"]]
    # One gives up and asks for a rematch. The other gets the address, and joins the same table.
    tokens = anna.evaluate(
        f"JSON.parse(localStorage['caltrop.games'] || '[]').find((one) => one.id === '{game}').tokens"
    )
    side, token = next(iter(tokens.items()))
    words = {"type": "resign", "side": int(side)}
    head = {"Authorization": f"Bearer {token}"}
    assert page.request.post(f"{table.address}/api/games/{game}/messages", headers=head, data=words).ok
    anna.get_by_role("button", name="Rematch").click()
    anna.wait_for_url(lambda url: game not in url)
    page.goto(f"{table.address}/{game}")
    expect(page.locator("body")).to_contain_text("Anna asks for a rematch")
    page.get_by_role("button", name="Play the rematch").click()
    page.wait_for_url(lambda url: game not in url)
    assert page.url.rsplit("/", 1)[-1] == anna.url.rsplit("/", 1)[-1]
