"""Accessibility of the table: without a pointer, with few colours, on a phone, and read aloud; a battle by keyboard
alone.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from caltrop.lab.studies.executors import executor
from caltrop.lab.studies.running import Folder, run
from tests.web.counted import Counted
from tests.web.table import Table
from tests.web.test_drawing import AXE, Scenery
from tests.web.test_phone import SMALL

LISTEN = """() => {
  window.heard = [];
  const region = document.querySelector('[aria-live][aria-label="What happens, read out"]');
  new MutationObserver((changes) => {
    for (const change of changes)
      for (const node of change.addedNodes) if (node.textContent) window.heard.push(node.textContent);
  }).observe(region, {childList: true, subtree: true});
}"""
"""Records everything that is added to the live region, which a screen reader would read aloud."""

NOW = """() => {
  const shown = (e) => e !== null && e.getClientRects().length > 0;
  const buttons = [...document.querySelectorAll('button')];
  const ending = document.querySelector('.bar .end');
  return {
    over: [...document.querySelectorAll('a')].some((e) => e.textContent.includes('Play again')),
    skip: buttons.some((e) => shown(e) && e.textContent.trim() === 'Skip ahead'),
    question: document.querySelector('#question')?.innerText ?? '',
    ending: ending !== null && !ending.disabled,
    confirm: document.querySelector('.bar .confirm')?.disabled === false,
    offers: document.querySelectorAll('.orders li button').length,
    focus: document.activeElement?.closest('.orders li') !== null && document.activeElement?.tagName === 'BUTTON',
    lines: document.querySelectorAll('[role=log] li').length,
    prepared: document.querySelector('.prepared')?.textContent ?? '',
  };
}"""


class Keyboard:
    """A person who plays with the keyboard alone.

    Args:
        page: The page.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0
        self.moved: set[str] = set()

    def press(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)
        self.pressed += 1

    def now(self) -> dict[str, Any]:
        """Return a summary of what the page shows."""
        value: dict[str, Any] = self.page.evaluate(NOW)
        return value

    def wait(self, before: dict[str, Any]) -> None:
        """Wait until the summary of the page changes."""
        for _ in range(100):
            now = self.now()
            if any(now[part] != before[part] for part in ("question", "lines", "over", "skip", "offers")):
                return
            self.page.wait_for_timeout(30)

    def move(self, turn: str) -> bool:
        """Move the next unit that may act a few steps forward; return False if it cannot. Each unit is tried once a
        turn.
        """
        self.press("n")
        name = self.page.locator("section[aria-label^='Selected unit']").get_attribute("aria-label")
        if name is None or f"{turn} {name}" in self.moved:
            return False
        self.moved.add(f"{turn} {name}")
        for _ in range(2):
            self.press("Shift+ArrowUp")
        try:
            expect(self.page.locator(".confirm")).to_be_enabled(timeout=1500)
        except AssertionError:
            self.press("Escape")
            return False
        self.press("Enter")
        return True

    def answer(self) -> None:
        """Go to the question, tab to its first answer, choose it and confirm it."""
        self.press("o")
        for _ in range(40):
            self.press("Tab")
            if self.now()["focus"]:
                break
        self.press("Enter")
        if self.now()["confirm"]:
            self.press("Enter")

    def end(self) -> None:
        """End the step, and confirm the end if necessary."""
        self.press("Shift+Enter")
        if self.now()["confirm"]:
            self.press("Shift+Enter")

    def act(self, now: dict[str, Any]) -> None:
        """Take one step to answer the current question."""
        if now["skip"]:
            # The question has the focus instead of a button, so Enter skips ahead.
            self.press("o")
            self.press("Enter")
        elif "moves" in now["question"] and now["ending"]:
            turn = self.page.locator(".round").inner_text()
            if not self.move(turn):
                self.end()
        elif now["ending"]:
            self.end()
        elif now["prepared"].startswith("Move ") and not now["confirm"]:
            # An answer that wants a place is prepared. This person names none, and takes another answer.
            self.press("Escape")
        elif now["offers"]:
            self.answer()
        self.wait(now)


def test_a_whole_battle_by_the_keyboard_alone_and_all_of_it_read_out(table: Table) -> None:
    game = table.begin("person", "easy", ruleset="command-horizon", scenario="first-battle")
    page = table.page
    expect(table.question).not_to_be_empty(timeout=20000)
    page.evaluate(LISTEN)
    token = page.evaluate("Object.values(JSON.parse(localStorage['caltrop.games'])[0].tokens)[0]")
    seat = {"Authorization": f"Bearer {token}"}
    before = page.request.get(f"{table.address}/api/games/{game}", headers=seat).json()["log"][-1]["n"]
    keys = Keyboard(page)
    for _ in range(400):
        now = keys.now()
        if now["over"]:
            break
        keys.act(now)
    assert keys.now()["over"]
    assert len(keys.moved) >= 4
    view = page.request.get(f"{table.address}/api/games/{game}", headers=seat).json()
    heard = page.evaluate("window.heard")
    rstrips = [entry["text"].rstrip(".") for entry in view["log"] if entry["n"] > before]
    assert len(rstrips) > 20
    missed = [words for words in rstrips if not any(line.startswith(words) for line in heard)]
    assert missed == []
    assert len(heard) >= len(rstrips)
    assert table.errors == []


def test_letters_can_be_changed_and_turned_off(table: Table) -> None:
    table.begin("person", "random")
    page = table.page
    expect(table.question).to_contain_text("stake for the first turn")
    measure = table.button("Measure")
    page.keyboard.press("?")
    field = page.get_by_label("Letter for: measure")
    field.fill("n")
    field.press("Tab")
    expect(page.get_by_role("alert")).to_contain_text("n is taken")
    expect(field).to_have_value("m")
    field.fill("z")
    field.press("Tab")
    page.get_by_role("button", name="Close", exact=True).click()
    page.reload()
    expect(table.question).to_contain_text("stake for the first turn")
    page.keyboard.press("m")
    expect(measure).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("z")
    expect(measure).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("z")
    page.keyboard.press("?")
    page.get_by_label("Use single letters as shortcuts").uncheck()
    page.get_by_role("button", name="Close", exact=True).click()
    page.keyboard.press("z")
    expect(measure).to_have_attribute("aria-pressed", "false")


# Colours for people who lack one kind of cones, as matrices of linear RGB. Red and green are after Viénot, Brettel and
# Mollon (1999). Blue is after Machado, Oliveira and Fernandes (2009), at full severity.
EYES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "deuteranopia": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
TEXT, MARK = 4.5, 3.0
PAIRS: tuple[tuple[str, str, float], ...] = (
    *((ink, paper, TEXT) for ink in ("ink", "ink-2", "accent", "warn") for paper in ("page", "sheet", "sheet-2")),
    ("ink", "accent-wash", TEXT),
    ("ink", "warn-wash", TEXT),
    ("on-accent", "accent", TEXT),
    *(("ink", f"side-{side}-wash", TEXT) for side in (0, 1)),
    *((f"side-{side}-deep", "sheet", TEXT) for side in (0, 1)),
    *((f"side-{side}-deep", "table", TEXT) for side in (0, 1)),
    *(("emblem", f"side-{side}", TEXT) for side in (0, 1)),
    *((f"side-{side}", paper, MARK) for side in (0, 1) for paper in ("page", "sheet", "table", "base")),
    *(
        (f"side-{side}", ground, MARK)
        for side in (0, 1)
        for ground in ("woods", "rough", "hill", "built", "impassable")
    ),
    *(("ink", ground, TEXT) for ground in ("table", "woods", "rough", "hill", "built", "impassable")),
    ("token-ink", "token", TEXT),
    ("way", "table", TEXT),
    ("chosen", "table", TEXT),
    ("aim", "table", MARK),
    ("rule-strong", "sheet", MARK),
    ("rule-strong", "page", MARK),
)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def luminance(colour: tuple[int, int, int], eyes: tuple[tuple[float, float, float], ...]) -> float:
    """Return the relative luminance of a colour to eyes with this vision."""
    light = [_linear(c / 255) for c in colour]
    red, green, blue = (min(max(sum(a * c for a, c in zip(row, light, strict=True)), 0.0), 1.0) for row in eyes)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: tuple[int, int, int], b: tuple[int, int, int], eyes: tuple[tuple[float, float, float], ...]) -> float:
    """Return the contrast of two colours, by the formula of WCAG 2."""
    low, high = sorted((luminance(a, eyes), luminance(b, eyes)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_stands_out_for_all_eyes(table: Table, scheme: Any) -> None:
    table.page.emulate_media(color_scheme=scheme)
    table.open()
    names = sorted({name for pair in PAIRS for name in pair[:2]})
    value = table.page.evaluate(
        """(names) => {
          const probe = document.body.appendChild(document.createElement('span'));
          const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
          return Object.fromEntries(names.map((name) => {
            probe.style.color = `var(--${name})`;
            canvas.fillStyle = getComputedStyle(probe).color;
            canvas.fillRect(0, 0, 1, 1);
            return [name, [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)];
          }));
        }""",
        names,
    )
    weak = [
        f"{ink} on {paper}, {who}: {ratio:.2f} of {least}"
        for who, eyes in EYES.items()
        for ink, paper, least in PAIRS
        if (ratio := contrast(tuple(value[ink]), tuple(value[paper]), eyes)) < least
    ]
    assert weak == []


def test_black_on_white_and_grey_on_grey() -> None:
    """The formula gives the ends of its scale, and a value that WCAG publishes."""
    for eyes in EYES.values():
        assert round(contrast((0, 0, 0), (255, 255, 255), eyes), 1) == 21.0
        assert round(contrast((119, 119, 119), (255, 255, 255), eyes), 2) == 4.48


PAGES = (
    "/",
    "/new",
    "/new?ruleset=command-horizon",
    "/armies",
    "/armies?ruleset=hex-command",
    "/packs",
    "/packs?ruleset=squad-action",
    "/replay",
    "/odds",
    "/lab",
    "/rules/duel",
    "/rules/squad-action#SQ-SHO-02",
    "/learn",
    "/season",
    "/settings",
    "/maps",
    "/maps?ruleset=blade-skirmish&scenario=the-reliquary",
    "/maps?ruleset=hex-command&scenario=bridges-of-ash",
    "/summary/hex-command",
    "roster",
    "battle",
    "battle:hex-command:first-battle",
    "battle:blade-skirmish:cut-them-down",
    "battle:squad-action:first-battle",
    "battle:duel:bridge",
    "scenery",
    "over",
    "end",
    "replayed",
    "studied",
    "invitation",
    "/nosuchgame22",
)
"""Addresses of pages. Some pages need a game or a study first."""
STUDY = """\
format: caltrop-study
title: What a bridge costs
ruleset: duel
players: [random, random]
vary: {scenario: [crossroads, bridge]}
games: 4
seed: 1
"""


@pytest.mark.at_once
def test_after_an_act_the_keyboard_is_at_the_question_and_a_second_stroke_answers_nothing(table: Table) -> None:
    """A second press of the same key must not answer the question about the next fighter."""
    player = Counted.begin(table, ruleset="blade-skirmish", scenario="cut-them-down", placed=True)
    player.open()
    page = table.page
    stays = table.page.locator(".orders").get_by_role("button", name="Maren: Stays")
    stays.focus()
    page.keyboard.press("Enter")
    expect(table.question).to_contain_text("5 have not gone yet")
    expect(table.question).to_be_focused()
    before = player.view()["act"]
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert player.view()["act"] == before
    # A screen reader hears the effect of each key, and the keyboard can always return to the question.
    locator = page.locator('p.unseen[aria-live="polite"]')
    page.keyboard.press("n")
    expect(locator.filter(has_text="may act")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator("[data-row]:focus")).to_have_count(1)
    page.keyboard.press("o")
    expect(table.question).to_be_focused()
    page.get_by_role("navigation", name="Skip to").get_by_role("link", name="To the log").focus()
    page.keyboard.press("Enter")
    expect(table.log).to_be_focused()


def test_a_move_by_keys_says_how_far_and_for_what(table: Table) -> None:
    table.begin("person", "person", ruleset="command-horizon", lesson="move")
    page = table.page
    expect(table.question).to_contain_text("moves")
    page.keyboard.press("n")
    page.keyboard.press("ArrowUp")
    prepared = page.locator(".prepared")
    expect(prepared).to_contain_text("Move Mediums: 1 cm, 9 cm left, costs 1")
    for _ in range(10):
        page.keyboard.press("Shift+ArrowUp")
    expect(prepared).to_contain_text("Move Mediums: ")
    page.keyboard.press("o")
    expect(table.question).to_be_focused()


def open_page(table: Table, path: str) -> None:
    """Open a page of the list above."""
    if path == "scenery":
        Scenery(table.page, table.address)
        table.page.locator('[data-row="1"]').dispatch_event("click")
    elif path == "roster":
        expected = {"ruleset": "blade-skirmish", "title": "The Red Hand"}
        made = table.page.request.post(table.address + "/api/campaigns", data=expected).json()
        table.open(f"/season/{made['campaign']}#{made['token']}")
        expect(table.page.get_by_role("table", name="The roster")).to_be_visible()
    elif path.startswith("battle"):
        ruleset, scenario = path.split(":")[1:] if ":" in path else ("command-horizon", "first-battle")
        others = "easy" if scenario == "cut-them-down" else "person"
        table.begin("person", others, ruleset=ruleset, scenario=scenario, placed=ruleset != "duel")
        expect(table.question.or_(table.page.get_by_role("dialog")).first).to_be_visible(timeout=20000)
    elif path in ("over", "end", "replayed"):
        id = table.page.evaluate("globalThis.name") or finished_game(table)
        # The game is made once for all window sizes. Its id is stored in `globalThis.name`, which survives navigation.
        table.page.evaluate("(id) => { globalThis.name = id }", id)
        table.open({"over": f"/{id}", "end": f"/end/{id}", "replayed": f"/replay/{id}?at=3"}[path])
        table.page.wait_for_load_state("networkidle")
    elif path == "invitation":
        table.open("/new?ruleset=duel&scenario=bridge&opponent=person")
        table.button("Make the table and the link").click()
        expect(table.page.get_by_role("heading", name="Send this link")).to_be_visible()
    else:
        table.open("/lab/bridge" if path == "studied" else path)
        table.page.wait_for_load_state("networkidle")


def finished_game(table: Table) -> str:
    """Return a finished game between two computer players."""
    expected = {"ruleset": "duel", "scenario": "crossroads", "seats": ["random", "random"]}
    made = table.page.request.post(table.address + "/api/games", data=expected).json()
    for _ in range(200):
        if table.page.request.get(f"{table.address}/api/games/{made['game']}").json()["over"]:
            break
        table.page.wait_for_timeout(50)
    return str(made["game"])


@pytest.fixture(scope="module", autouse=True)
def study(studies: Path) -> None:
    """Return a finished study in the folder of the running server."""
    (studies / "bridge.yaml").write_text(STUDY)
    run(studies / "bridge.yaml", Folder(studies / "bridge"), executor("processes", 1))


@pytest.mark.parametrize("scheme", ["light", "dark", "forced"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_on_any_page(table: Table, path: str, scheme: Any) -> None:
    forced = scheme == "forced"
    table.page.emulate_media(color_scheme="light" if forced else scheme, forced_colors="active" if forced else "none")
    for width in (1440, 360):
        table.page.set_viewport_size({"width": width, "height": 800})
        open_page(table, path)
        table.page.evaluate(AXE.read_text())
        value = table.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        words = [(v["id"], [n["html"][:140] for n in v["nodes"][:3]]) for v in value["violations"]]
        assert words == [], (path, width)


@pytest.mark.parametrize("path", PAGES)
def test_text_twice_as_large_and_a_finger_on_any_page(table: Table, path: str) -> None:
    for width in (1440, 360):
        table.page.set_viewport_size({"width": width, "height": 800})
        if width == 360:
            # The same page is then used by touch, without a mouse.
            touch = table.page.context.new_cdp_session(table.page)
            touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        open_page(table, path)
        if width == 360:
            assert table.page.evaluate("matchMedia('(pointer: coarse)').matches")
            assert table.page.evaluate(SMALL) == []
        table.page.add_style_tag(content="html { font-size: 200% }")
        table.page.wait_for_timeout(150)
        assert not table.is_wide(), (path, width)


BARS = """() => [...document.querySelectorAll('[data-bar]')]
  .filter((e) => e.getBoundingClientRect().width >= 2 && e.checkVisibility())
  .map((e) => [getComputedStyle(e).backgroundColor, getComputedStyle(e.closest('td, .bar, div')).backgroundColor])"""
"""Script that returns the colours of the bars in charts, each with the colour behind it."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_bars_are_seen_in_forced_colours(table: Table, scheme: Any) -> None:
    """In forced colours, the system removes backgrounds, of which bars are usually made."""
    table.page.emulate_media(color_scheme=scheme, forced_colors="active")
    for path in ("/odds", "/odds?ruleset=hex-command"):
        table.open(path)
        table.page.locator("[data-bar]").first.wait_for(timeout=30_000)
        bars = table.page.evaluate(BARS)
        paper = table.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert bars, path
        unseen = [one for one in bars if one[0] in (one[1], paper, "rgba(0, 0, 0, 0)")]
        assert unseen == [], path


@pytest.mark.at_once
def test_the_keyboard_is_never_lost_after_an_act_or_a_dialog(table: Table) -> None:
    """In every game, an existing element has the focus after an answer and after each dialog of the table is closed."""
    where = "() => document.activeElement === document.body ? 'nowhere' : document.activeElement.outerHTML.slice(0, 99)"
    for ruleset, scenario in (
        ("command-horizon", "first-battle"),
        ("hex-command", "first-battle"),
        ("blade-skirmish", "cut-them-down"),
        ("squad-action", "first-battle"),
        ("duel", "bridge"),
    ):
        other = "random" if ruleset == "duel" else "easy"
        table.begin("person", other, ruleset=ruleset, scenario=scenario, placed=ruleset != "duel")
        page = table.page
        expect(page.locator(":is([data-answer], [data-row], [data-card]):visible").first).to_be_visible(timeout=20_000)
        for opener in ("How to win", "Menu", "People"):
            button = page.get_by_role("button", name=opener, exact=True).first
            if not button.is_visible():
                continue
            button.focus()
            page.keyboard.press("Enter")
            page.wait_for_timeout(150)
            page.keyboard.press("Escape")
            page.wait_for_timeout(150)
            assert page.evaluate(where) != "nowhere", (ruleset, opener)
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.evaluate(where) != "nowhere", (ruleset, "keys")
        for _ in range(4):
            answers = page.locator(".orders [data-answer]:visible, .fan [data-answer]:visible")
            if answers.count() == 0:
                break
            before = table.question.inner_text()
            answers.first.focus()
            page.keyboard.press("Enter")
            table.settle("Enter")
            page.wait_for_timeout(300)
            assert page.evaluate(where) != "nowhere", (ruleset, before)
    assert table.errors == []


def test_nothing_moves_for_who_wants_no_motion(table: Table) -> None:
    table.page.emulate_media(reduced_motion="reduce")
    Scenery(table.page, table.address)
    moving = table.page.evaluate(
        """[...document.querySelectorAll('*')].filter((e) => {
          const look = getComputedStyle(e);
          const passes = look.transitionProperty !== 'none' && look.transitionDuration !== '0s';
          return passes || look.animationName !== 'none';
        }).map((e) => e.outerHTML.slice(0, 100))"""
    )
    assert moving == []


PLATES = """() => {
  const boxes = [...document.querySelectorAll('g.label .still > g:first-child > .plate')]
    .map((e) => e.getBoundingClientRect());
  const both = [];
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 1) both.push([a.x, a.y, b.x, b.y].map(Math.round));
  }));
  return both;
}"""


def test_plates_keep_off_each_other_on_a_phone(phone: Table) -> None:
    phone.draw_symbols()
    Scenery(phone.page, phone.address)
    phone.page.wait_for_timeout(300)
    assert phone.page.locator("g.label .still > g:first-child > .plate").count() == 14
    assert phone.page.evaluate(PLATES) == []
    phone.begin("easy", "person", ruleset="command-horizon", scenario="first-battle")
    phone.page.locator("g.label .still > g:first-child > .plate").first.wait_for()
    phone.page.wait_for_timeout(300)
    assert phone.page.evaluate(PLATES) == []


def test_a_finger_confirms_with_the_button_alone(phone: Table) -> None:
    phone.begin("person", "random")
    expect(phone.question).to_contain_text("stake for the first turn")
    stake = phone.page.locator(".orders").get_by_role("button", name="Stake").first
    stake.tap()
    stake.tap()
    stake.tap()
    expect(phone.confirm).to_be_enabled()
    expect(phone.question).to_contain_text("stake for the first turn")
    a, b = stake.bounding_box(), phone.confirm.bounding_box()
    assert a is not None
    assert b is not None
    assert b["y"] > a["y"] + a["height"] or b["x"] > a["x"] + a["width"], "the confirmation stands apart"
    assert b["height"] >= 40
    phone.confirm.tap()
    expect(phone.question).not_to_contain_text("stake for the first turn")


def test_the_sheet_of_a_phone_scrolls_in_itself(phone: Table) -> None:
    phone.begin("easy", "person", ruleset="command-horizon", scenario="first-battle")
    phone.button(re.compile("^Units$")).tap()
    expect(phone.page.locator("[data-row]").first).to_be_visible()
    board = phone.page.get_by_role("group", name="The table", exact=True)
    before = board.bounding_box()
    phone.page.locator("[data-row]").last.scroll_into_view_if_needed()
    assert board.bounding_box() == before
    phone.button("More room for the panel").tap()
    after = board.bounding_box()
    assert before is not None
    assert after is not None
    assert after["height"] < before["height"] / 2
    assert phone.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_on_paper_there_is_the_table_with_its_figures_and_nothing_to_press(table: Table) -> None:
    Scenery(table.page, table.address)
    table.page.emulate_media(media="print")
    expect(table.page.get_by_role("group", name="The table", exact=True)).to_be_visible()
    expect(table.page.locator("[data-row]")).to_have_count(14)
    expect(table.page.locator("[data-row]").first).to_be_visible()
    expect(table.page.locator("main dd").first).to_have_text("5")
    expect(table.page.locator("main dd").first).to_be_visible()
    expect(table.page.get_by_role("button", name="Undo")).to_be_hidden()
    expect(table.page.get_by_role("button", name="Menu")).to_be_hidden()
