"""The referee beside a real table: on a phone, by touch, with and without a network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from caltrop.wire.attacks import answered
from tests.web.table import Table
from tests.wire.drawn_attacks import drawn

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def begin(page: Page, base_url: str, game: str) -> None:
    page.goto(f"{base_url}/referee?ruleset={game}")
    page.get_by_role("button", name="Begin", exact=True).tap()
    page.get_by_role("button", name="Next step").wait_for()


def kept(page: Page) -> None:
    """Wait until the page and the rules are kept for a time without a network."""
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_function("() => caches.match(location.href).then(Boolean)")
    page.wait_for_function("() => caches.match('api/catalogue').then(Boolean)")
    page.get_by_text("Attacks work without a network.").wait_for(timeout=60_000)


def test_a_battle_is_kept_on_a_phone_also_without_a_network(phone: Table, base_url: str) -> None:
    page = phone.page
    begin(page, base_url, "squad-action")
    steps = page.get_by_role("list", name="Steps of the turn").get_by_role("listitem").all_inner_texts()
    for _ in steps[1:]:
        page.get_by_role("button", name="Next step").tap()
    page.get_by_role("button", name="End the turn").tap()
    assert "Round 1 of 5" in page.locator(".whose").inner_text()
    assert "B North" in page.locator(".whose").inner_text()
    south = page.get_by_role("region", name="South")
    south.get_by_role("button", name="South Command loses one").tap()
    south.get_by_role("button", name="South Command", exact=True).tap()
    south.get_by_role("button", name="Put a Pinned marker at South Command").tap()
    south.get_by_role("button", name="One more: Victory points of South").tap()
    assert "1 of 16 lost" in south.inner_text() or re.search(r"1 of \d+ lost", south.inner_text())
    page.get_by_label("Notes").fill("The bridge is down")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut off at the side"

    kept(page)
    page.reload()
    page.get_by_role("button", name="Next step").wait_for()
    page.context.set_offline(True)
    try:
        page.reload()
        south = page.get_by_role("region", name="South")
        south.wait_for()
        assert south.get_by_label("3 of 4 left").count() == 1
        assert "Pinned" in south.inner_text()
        assert page.get_by_label("Notes").input_value() == "The bridge is down"
        page.get_by_role("button", name="Undo").tap()
        assert re.search(r"Victory points\s*−\s*0\s*\+", south.inner_text())
        page.get_by_text("Attacks work without a network.").wait_for()
    finally:
        page.context.set_offline(False)


@pytest.mark.parametrize("game", ["command-horizon", "hex-command", "blade-skirmish", "squad-action", "duel"])
def test_an_attack_is_settled_with_dice_that_are_thrown(game: str, phone: Table, base_url: str) -> None:
    page = phone.page
    begin(page, base_url, game)
    page.get_by_role("button", name="Settle an attack").tap()
    page.get_by_role("button", name="Settle this attack").tap()
    done = page.get_by_role("region", name="The result")
    throw = page.get_by_role("button", name=re.compile(r"^Throw \d+"))
    for _ in range(8):
        done.or_(throw).first.wait_for()
        if done.count():
            break
        throw.tap()
        page.wait_for_function("() => document.querySelector('.settle button:disabled') === null")
    assert done.get_by_role("link").count() > 0, "each part of the sum names its clause"
    assert page.get_by_role("alert").count() == 0


GAMES = ["command-horizon", "hex-command", "blade-skirmish", "squad-action"]

HEARD = """
globalThis.asked = []; globalThis.heard = [];
globalThis.Worker = class extends Worker {
  constructor(...how) {
    super(...how);
    if (how[1].name === "rules") globalThis.rules = this;
    this.addEventListener("message", (event) => heard.push(event.data));
  }
  postMessage(message, ...more) {
    asked.push(message);
    super.postMessage(message, ...more);
  }
};
"""
"""Has the page remember what its workers are asked and what they answer."""


ASK_MORE = """
(rest) => new Promise((resolve) => {
  rules.addEventListener("message", ({ data }) => data.id === 999 + rest.length && resolve());
  rest.forEach((one, n) => rules.postMessage({ id: 1000 + n, ...one }));
})
"""
"""Asks the worker of the rules, as the page does."""


def answered_in(page: Page) -> list[tuple[str, str, int, str]]:
    """Addresses and bodies of the requests to the page's worker so far, with the statuses and texts of its answers."""
    answers = {one["id"]: one for one in page.evaluate("heard")}
    requests = [one for one in page.evaluate("asked") if "path" in one]
    return [(one["path"], one["text"], answers[one["id"]]["status"], answers[one["id"]]["text"]) for one in requests]


def settle(page: Page, *, typed: bool) -> None:
    """Settle the attack in the form, or another one if it is settled, with dice that are typed in or thrown."""
    ready = page.get_by_role("button", name="Settle this attack")
    if not ready.count():
        page.get_by_role("button", name=re.compile("^(Settle an|Another) attack$")).tap()
    ready.tap()
    done = page.get_by_role("region", name="The result")
    throw = page.get_by_role("button", name=re.compile(r"^Throw \d+"))
    for _ in range(8):
        done.or_(throw).first.wait_for(timeout=60_000)
        if done.count():
            return
        if typed:
            count = int(re.findall(r"\d+", throw.inner_text())[0])
            symbols = page.evaluate("JSON.parse(localStorage['caltrop-referee']).table.faces.length")
            page.get_by_label("or type your own").fill(" ".join(["R" if symbols else "5"] * count))
            page.get_by_role("button", name="Take these").tap()
        else:
            throw.tap()
        page.wait_for_function("() => document.querySelector('.settle button:disabled') === null")
    raise AssertionError("the attack asks for ever more dice")


@pytest.mark.parametrize("game", GAMES)
def test_attacks_are_settled_without_a_network_as_by_the_server(game: str, phone: Table, base_url: str) -> None:
    page = phone.page
    page.add_init_script(HEARD)
    begin(page, base_url, game)
    kept(page)
    assert page.evaluate("heard") == [], "with a network the server is asked"
    page.context.set_offline(True)
    try:
        answers = []
        for typed in (True, False):
            page.reload()  # a phone that slept may have dropped the page
            settle(page, typed=typed)
            assert page.get_by_role("region", name="The result").get_by_role("link").count() > 0
            answers += answered_in(page)
        page.evaluate(ASK_MORE, [{"path": path, "text": text} for path, text in drawn(game, seed=3, count=12)])
        answers += answered_in(page)
        for path, text, *answer in answers:
            assert tuple(answer) == answered(path, text), text
        assert len([path for path, _, status, _ in answers if path == "api/resolve" and status == 200]) > 5
        assert page.url.split("?")[0].endswith("/referee"), "a page that is opened again is the referee's"
        assert phone.errors == []
    finally:
        page.context.set_offline(False)


PACK = {
    "format": "caltrop-pack",
    "ruleset": "squad-action",
    "id": "keen",
    "title": "Keen Eyes",
    "rows": {"profiles": {"keen": {"like": "regular", "title": "Keen", "fire": 2}}},
}

KEEN = """title: The Keen
id: the-keen
ruleset: squad-action
units:
  - {profile: keen, models: 6, name: 1st Keen}
"""


def test_a_battle_begins_without_a_network_as_with_the_server(phone: Table, base_url: str) -> None:
    """An own army, a pack and a house rule are part of it, and apply to its attacks."""
    page = phone.page
    page.add_init_script(HEARD)
    begin(page, base_url, "squad-action")
    kept(page)
    own = {"key": "keen", "draft": PACK, "ready": True, "name": "", "at": 1}
    page.evaluate("(own) => localStorage.setItem('caltrop.packs', JSON.stringify([own]))", own)
    page.evaluate("() => localStorage.removeItem('caltrop-referee')")
    page.context.set_offline(True)
    try:
        page.reload()
        page.get_by_role("combobox", name="Scenario", exact=True).select_option("meeting-engagement")
        page.get_by_role("combobox", name="Pack", exact=True).select_option(label="Keen Eyes")
        page.get_by_text("House rules: all as usual").tap()
        page.get_by_label(re.compile("^One side activates")).select_option("alternate")
        page.get_by_role("button", name="Begin", exact=True).tap()
        page.get_by_role("button", name="Next step").wait_for(timeout=60_000)
        settle(page, typed=False)
        answers = answered_in(page)
        for path, text, *answer in answers:
            assert tuple(answer) == answered(path, text), text
        assert {path for path, *_ in answers} == {"api/referee", "api/odds/form", "api/resolve"}
        assert all('"Keen Eyes"' in text and '"activation":"alternate"' in text for _, text, *_ in answers)
        assert '"value":"keen"' in next(answer for path, _, _, answer in answers if path == "api/odds/form")
        page.reload()
        page.get_by_role("region", name="The result").wait_for()
        assert page.evaluate("JSON.parse(localStorage['caltrop-referee']).laid.pack.title") == "Keen Eyes"
        assert phone.errors == []
    finally:
        page.context.set_offline(False)


def test_a_browser_that_is_to_save_data_downloads_the_rules_when_it_is_asked(phone: Table, base_url: str) -> None:
    page = phone.page
    page.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}})")
    begin(page, base_url, "duel")
    page.get_by_text("Attacks work without a network once the rules are on this phone.").wait_for()
    assert page.evaluate("caches.match('referee/kit.json').then((one) => one === undefined)")
    page.get_by_role("button", name=re.compile(r"^Download \d\.\d MB$")).tap()
    kept(page)


def test_a_browser_without_webassembly_says_so_and_all_else_works(phone: Table, base_url: str) -> None:
    page = phone.page
    page.add_init_script("delete globalThis.WebAssembly")
    begin(page, base_url, "duel")
    page.get_by_text("This browser cannot run the rules by itself. New battles and attacks need a network").wait_for()
    settle(page, typed=False)
    page.get_by_role("button", name="Next step").tap()
    assert phone.errors == []


@pytest.mark.parametrize(
    "store", ["delete globalThis.caches", "Cache.prototype.put = async () => { throw new Error() }"]
)
def test_a_browser_that_keeps_nothing_settles_attacks_while_the_page_is_open(
    store: str, phone: Table, base_url: str
) -> None:
    page = phone.page
    page.add_init_script(store)
    begin(page, base_url, "duel")
    page.get_by_text("Attacks work without a network while this page stays open.").wait_for(timeout=60_000)
    page.get_by_role("button", name="Settle an attack").tap()
    page.get_by_role("button", name="Settle this attack").wait_for()
    page.context.set_offline(True)
    try:
        settle(page, typed=False)
    finally:
        page.context.set_offline(False)


STOPS = """
globalThis.stops = true; globalThis.fetched = [];
const fetchAny = fetch;
globalThis.fetch = (path, ...how) => {
  fetched.push(String(path));
  if (stops && String(path).endsWith("python_stdlib.zip")) return Promise.reject(new TypeError("no network"));
  return fetchAny(path, ...how);
};
"""
"""Has the network fail at one file."""


def test_a_download_that_stops_goes_on_where_it_was(phone: Table, base_url: str) -> None:
    page = phone.page
    page.add_init_script(STOPS)
    begin(page, base_url, "duel")
    page.get_by_text("The download of the rules has stopped.").wait_for(timeout=60_000)
    page.evaluate("stops = false; fetched.length = 0; dispatchEvent(new Event('online'))")
    kept(page)
    names = [path.rpartition("/")[2] for path in page.evaluate("fetched")]
    assert "python_stdlib.zip" in names
    assert "pyodide.asm.wasm" not in names, "that was downloaded before"


def test_dice_are_typed(phone: Table, base_url: str) -> None:
    page = phone.page
    begin(page, base_url, "hex-command")
    page.get_by_role("button", name="Settle an attack").tap()
    page.get_by_role("button", name="Settle this attack").tap()
    count = int(re.findall(r"\d+", page.get_by_role("button", name=re.compile(r"^Throw \d+")).inner_text())[0])
    page.get_by_label("or type your own").fill("X")
    page.get_by_role("button", name="Take these").tap()
    page.get_by_text(f"Type {count} ").wait_for()
    page.get_by_label("or type your own").fill("r" * count)
    page.get_by_role("button", name="Take these").tap()
    page.get_by_text(f"Dice: battle {' '.join('R' * count)}").wait_for()


def test_an_unfinished_attack_is_kept_over_a_reload(phone: Table, base_url: str) -> None:
    page = phone.page
    begin(page, base_url, "command-horizon")
    page.get_by_role("button", name="Settle an attack").tap()
    models = page.locator(".settle").get_by_label("Models or bases").first
    models.fill("2")
    models.blur()
    page.get_by_role("button", name="Settle this attack").tap()
    throw = page.get_by_role("button", name=re.compile(r"^Throw \d+"))
    throw.wait_for()
    words, needed = page.locator(".settle").get_by_label("or type your own"), throw.inner_text()
    words.fill("6 6")
    page.reload()
    throw.wait_for()
    assert throw.inner_text() == needed
    assert words.input_value() == "6 6"
    assert models.input_value() == "2"
    throw.tap()
    page.wait_for_function("() => document.querySelector('.settle button:disabled') === null")
    done = page.get_by_role("region", name="The result")
    while not done.count():
        throw.tap()
        page.wait_for_function("() => document.querySelector('.settle button:disabled') === null")
    result = done.inner_text()
    page.reload()
    done.wait_for()
    assert done.inner_text() == result
    page.get_by_role("button", name="Close").tap()
    page.reload()
    page.get_by_role("button", name="Settle an attack").wait_for()
    assert page.locator(".settle").count() == 0


def test_an_unfinished_attack_waits_while_another_tab_and_another_attack_go_on(phone: Table, base_url: str) -> None:
    page = phone.page
    begin(page, base_url, "command-horizon")
    page.get_by_role("button", name="Settle an attack").tap()
    page.get_by_role("button", name="Settle this attack").tap()
    throw = page.get_by_role("button", name=re.compile(r"^Throw \d+"))
    throw.wait_for()
    page.get_by_role("heading", name="This attack is not settled yet").wait_for()
    page.get_by_role("button", name="Close").tap()
    page.get_by_role("button", name="Go on with the attack").tap()
    throw.wait_for()
    other = page.context.new_page()
    other.goto(f"{base_url}/referee")
    other.get_by_label("Notes").fill("The bridge is down")
    expect(page.get_by_label("Notes")).to_have_value("The bridge is down")
    expect(throw).to_be_visible()
    page.get_by_role("button", name="Settle another attack").tap()
    page.get_by_role("button", name="Settle this attack").wait_for()
    expect(throw).to_have_count(0)


def test_a_battle_that_the_browser_does_not_store_goes_on_and_says_so(phone: Table, base_url: str) -> None:
    page = phone.page
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }")
    begin(page, base_url, "duel")
    page.get_by_role("alert").get_by_text("The battle is lost when the page is closed").wait_for()
    page.get_by_role("button", name="Next step").tap()
    assert phone.errors == []
