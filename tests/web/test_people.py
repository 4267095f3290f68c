"""A person beyond one game: another browser, web push notices, and a seat that is given to somebody else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.server.elsewhere import Receiver, Subscriber, receiving, wait_until
from tests.web.serving import address_of
from tests.web.table import Table
from tests.web.test_with_a_friend import answer, guest, invite_friend

SLOW = 30_000
"""Milliseconds that a page may take on a busy machine."""

PROGRAM = """
import sys
from caltrop.host import seating
from caltrop.host.together.carriers import Outside
from caltrop.server.run import run
seating.RENEW_SECONDS = 1
run(host="127.0.0.1", port=0, database=sys.argv[1], outside=Outside(private=True, moment=0.5))
"""
"""Program of a server that may post to this machine, sends notices after half a second, and gives a seat away after a
second.
"""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server with short time limits."""
    folder = tmp_path_factory.mktemp("hasty")
    words = folder / "said"
    with words.open("w+") as output:
        command = [sys.executable, "-c", PROGRAM, f"sqlite:///{folder / 'games.db'}"]
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            yield address_of(server, words)
        finally:
            server.terminate()
            server.wait(20)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as result:
        yield result


def be_known(table: Table) -> None:
    """Enter a name in the settings."""
    table.open("/settings")
    table.button(re.compile("^Use the name")).click()
    expect(table.page.get_by_text("known at this browser")).to_be_visible(timeout=SLOW)


def test_a_person_and_their_games_are_carried_over_by_a_code(browser: Browser, base_url: str) -> None:
    anna = guest(browser, base_url, "Anna")
    be_known(anna)
    invite_friend(anna)
    game = anna.page.url.rsplit("/", 1)[-1]
    anna.open("/settings")
    anna.button("Use another browser too").click()
    code = anna.page.locator(".code").inner_text()
    phone = guest(browser, base_url, "", viewport={"width": 390, "height": 740})
    phone.open("/settings")
    phone.page.get_by_label("A code from another browser").fill(code.lower())
    phone.button("Sign in here").click()
    expect(phone.page.get_by_text("known at 2 browsers")).to_be_visible(timeout=SLOW)
    phone.open("/")
    phone.page.get_by_role("link", name="Duel").first.click()
    expect(phone.page).to_have_url(re.compile(game))
    expect(phone.question).to_contain_text("stake for the first turn", timeout=SLOW)
    anna.open("/settings")
    anna.button("Forget it").click()
    expect(anna.page.get_by_text("known at this browser")).to_be_visible(timeout=SLOW)
    phone.open("/settings")
    expect(phone.button(re.compile("^Use the name"))).to_be_visible(timeout=SLOW)
    assert anna.errors == phone.errors == []


STUB = """
(subscription) => {
  let made = null;
  const { endpoint, ...keys } = subscription;
  const one = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => { made = null; return true; } };
  PushManager.prototype.subscribe = async () => (made = one);
  PushManager.prototype.getSubscription = async () => made;
}
"""
"""A browser's push service is on the Internet, so one on this machine replaces it."""


def delivered(context: BrowserContext, table: Table, events: str) -> list[dict[str, Any]]:
    """Return the notice that the browser shows when its push service delivers a message."""
    session = context.new_cdp_session(table.page)
    versions: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerVersionUpdated", lambda event: versions.extend(event["versions"]))
    session.send("ServiceWorker.enable")
    while not any(one["status"] == "activated" for one in versions):
        table.page.wait_for_timeout(20)
    registration = versions[-1]["registrationId"]
    session.send(
        "ServiceWorker.deliverPushMessage", {"origin": table.address, "registrationId": registration, "data": events}
    )
    table.page.wait_for_timeout(300)
    shown: list[dict[str, Any]] = table.page.evaluate(
        "navigator.serviceWorker.ready.then((one) => one.getNotifications())"
        ".then((all) => all.map(({title, body, tag, data}) => ({title, body, tag, data})))"
    )
    return shown


def test_a_browser_is_told_of_a_turn_while_its_page_is_shut(browser: Browser, hasty: str, receiver: Receiver) -> None:
    anna, bela = guest(browser, hasty, "Anna", permissions=["notifications"]), guest(browser, hasty, "Bela")
    phone = Subscriber()
    anna.page.add_init_script(f"({STUB})({json.dumps(phone.subscription(receiver.url))})")
    be_known(anna)
    anna.button("Tell this browser").click()
    expect(anna.page.get_by_text("This browser gets notices from now on")).to_be_visible(timeout=SLOW)
    link = invite_friend(anna)
    game = anna.page.url.rsplit("/", 1)[-1]
    bela.page.goto(link)
    expect(anna.question).to_contain_text("stake for the first turn", timeout=SLOW)
    answer(anna, "Stake 1")  # the higher stake has the first turn
    anna.page.wait_for_timeout(1000)
    assert receiver.posted == [], "nobody is told while the page is open"
    context = anna.page.context
    anna.open("/settings")
    expect(bela.page.get_by_text("Anna, away")).to_be_visible(timeout=SLOW)
    answer(bela, "Stake nothing")
    posted = wait_until(lambda: receiver.posted)[0]
    words = phone.opened(posted.body).decode()
    assert json.loads(words)["path"] == game
    shown = delivered(context, anna, words)
    assert [one["tag"] for one in shown] == [f"turn-{game}"]
    assert shown[0]["data"]["at"] == f"{hasty}/{game}"
    anna.open(f"/{game}")
    anna.button("People").click()
    box = anna.page.get_by_label("Tell me of my turns while no page is open")
    expect(box).to_be_checked()
    box.uncheck()
    anna.page.reload()
    anna.button("People").click()
    expect(box).not_to_be_checked()
    assert anna.errors == bela.errors == []


def test_a_host_gives_the_seat_of_somebody_who_is_gone_to_somebody_else(browser: Browser, hasty: str) -> None:
    anna, bela = guest(browser, hasty, "Anna"), guest(browser, hasty, "Bela")
    bela.page.goto(invite_friend(anna))
    expect(anna.page.get_by_text("Bela, here")).to_be_visible(timeout=SLOW)
    anna.page.get_by_role("button", name="Menu").click()
    give = anna.button(re.compile("^Invite somebody else"))
    expect(give).to_have_count(1)
    give.click()
    expect(anna.page.get_by_text("is at the table").first).to_be_visible(timeout=SLOW)
    bela.page.close()
    expect(anna.page.get_by_text("Bela, away")).to_be_visible(timeout=SLOW)
    give.click()
    expect(anna.page.get_by_text(re.compile("come back|minute|second")).first).to_be_visible(timeout=SLOW)
    anna.page.wait_for_timeout(1100)
    give.click()
    link = anna.page.get_by_label("The link of the invitation").first.input_value()
    cora = guest(browser, hasty, "Cora")
    cora.page.goto(link)
    expect(cora.question).to_contain_text("stake for the first turn", timeout=SLOW)
    expect(anna.page.get_by_text("Cora, here")).to_be_visible(timeout=SLOW)
    assert anna.errors == cora.errors == []


def test_a_passkey_signs_a_person_in_at_another_browser(browser: Browser, hasty: str) -> None:
    address = hasty.replace("127.0.0.1", "localhost")
    tables = [guest(browser, address, name) for name in ("Anna", "")]
    credentials: list[dict[str, Any]] = []
    for table in tables:
        session = table.page.context.new_cdp_session(table.page)
        session.send("WebAuthn.enable", {"enableUI": False})
        options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
        how = {**options, "isUserVerified": True, "automaticPresenceSimulation": True}
        made = session.send("WebAuthn.addVirtualAuthenticator", {"options": how})["authenticatorId"]
        # The same person uses the authenticator in both browsers.
        for credential in credentials:
            session.send("WebAuthn.addCredential", {"authenticatorId": made, "credential": credential})
        if not credentials:
            be_known(table)
            table.button("Make a passkey").click()
            expect(table.page.get_by_text("You have 1 passkey")).to_be_visible(timeout=SLOW)
            credentials = session.send("WebAuthn.getCredentials", {"authenticatorId": made})["credentials"]
    anna, phone = tables
    phone.open("/settings")
    phone.button("Sign in with a passkey").click()
    expect(phone.page.get_by_text("known at 2 browsers")).to_be_visible(timeout=SLOW)
    expect(phone.page.get_by_text("You are Anna")).to_be_visible(timeout=SLOW)
    assert anna.errors == phone.errors == []
