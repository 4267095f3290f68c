"""Layout of screens: no text is cut off, nothing is covered by mistake, and controls stay in place."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from tests.web import scene
from tests.web.table import Table
from tests.web.test_drawing import Scenery

WIDE, LOW, PHONE = (1440, 900), (1024, 768), (360, 740)
SCREENS = (WIDE, LOW, PHONE)

SIZES = """() => {
  const found = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || element.closest('svg, script, style')) continue;
    if (element.getClientRects().length === 0) continue;
    found[Math.round(parseFloat(getComputedStyle(element).fontSize) * 10) / 10] ??= element.outerHTML.slice(0, 120);
  }
  return found;
}"""
"""The font sizes for text, each with an element that uses it."""

CUT = """() => [...document.querySelectorAll('button, h1, h2, h3, p, th, td, li, label, .step, .end span, .prepared')]
  .filter((e) => e.getClientRects().length > 0 && !e.closest('.unseen, [aria-label="What has happened"]'))
  .filter((e) => getComputedStyle(e).overflowX !== 'visible' || getComputedStyle(e).overflowY !== 'visible')
  .filter((e) => e.clientWidth > 2 && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1))
  .map((e) => e.outerHTML.slice(0, 160))"""
"""Script that returns elements whose text is cut off or has to be scrolled."""

COVERED = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect());
  const plates = boxes('g.label .still > g:first-child > .plate');
  const bases = boxes('g.unit .grip');
  const table = document.querySelector('svg[aria-label="The table"]').getBoundingClientRect();
  const meet = (a, b) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 2 && high > 2 ? wide * high : 0;
  };
  const outside = (a) => a.left < table.left - 1 || a.right > table.right + 1 || a.top < table.top - 1 ||
    a.bottom > table.bottom + 1;
  const shrunk = (b) => ({left: b.left + 7, right: b.right - 7, top: b.top + 7, bottom: b.bottom - 7});
  // A phone goes near to the unit that is taken up: units that are out of the picture have their plates there.
  const inSight = [...document.querySelectorAll('g.label:has(.plate)')].filter((e) =>
    ![...document.querySelectorAll(`g.unit[data-unit="${e.dataset.unit}"] .grip`)].some((b) =>
      outside(b.getBoundingClientRect())));
  return {
    plates: plates.length,
    onBases: plates.filter((a) => bases.some((b) => meet(a, shrunk(b)) > 0)).length,
    outside: inSight.filter((e) => outside(e.querySelector('.still > g:first-child > .plate').getBoundingClientRect()))
      .length,
  };
}"""
"""Script that counts plates over bases, and plates outside the picture whose units are inside. The box of a grip
includes its stroke of 14 pixels.
"""


def box_of(locator: Locator) -> FloatRect:
    """Return the box of an element on the screen."""
    box = locator.bounding_box()
    assert box is not None
    return box


def apart(a: FloatRect, b: FloatRect) -> bool:
    """Return True if two boxes do not overlap."""
    return (
        a["x"] + a["width"] <= b["x"] + 1
        or b["x"] + b["width"] <= a["x"] + 1
        or a["y"] + a["height"] <= b["y"] + 1
        or b["y"] + b["height"] <= a["y"] + 1
    )


def scenery(table: Table, size: tuple[int, int], **changes: Any) -> Scenery:
    """Return the usual scenery in a window of that size."""
    table.page.set_viewport_size({"width": size[0], "height": size[1]})
    scenery = Scenery(table.page, table.address, **changes)
    table.page.locator("g.unit").first.wait_for()
    table.page.wait_for_timeout(300)
    return scenery


def select(page: Page, unit: int) -> None:
    """Select a unit in the list."""
    page.locator(f'[data-row="{unit}"]').dispatch_event("click")


@pytest.mark.parametrize("path", ["/", "/new?ruleset=command-horizon", "/learn", "/replay", "/rules/duel", "scenery"])
def test_words_have_five_sizes(table: Table, path: str) -> None:
    if path == "scenery":
        scenery(table, WIDE)
        select(table.page, 1)
        table.page.locator('g.unit[data-unit="103"] .piece').first.click()
    else:
        table.open(path)
        table.page.wait_for_load_state("networkidle")
    sizes = table.page.evaluate(SIZES)
    assert len(sizes) >= 2
    assert {size: where for size, where in sizes.items() if size not in ("13", "15", "17", "19", "28")} == {}


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("words", ["End the step", "All targets are named", "Put no more units on overwatch"])
def test_no_words_are_cut_off(table: Table, size: tuple[int, int], words: str) -> None:
    view = scene.view()
    decision = view["decisions"][0]
    long = "Fire at Asori Medium Tanks with 14 dice, exposed models only"
    offers = [{**one, "words": words if one["final"] else long} for one in decision["offers"]]
    scenery(table, size, decisions=[{**decision, "offers": offers}])
    page = table.page
    bar = page.get_by_role("group", name="Confirm, cancel, undo")
    undo = bar.get_by_role("button", name="Undo")
    before = box_of(undo)
    expect(bar.get_by_role("button", name=words)).to_be_visible()
    assert page.evaluate(CUT) == []
    select(page, 1)
    page.locator('g.unit[data-unit="103"] .piece').first.dispatch_event("click", {"bubbles": True})
    expect(page.locator(".prepared")).to_have_text(f"{long} (1)")
    assert page.evaluate(CUT) == []
    assert box_of(undo) == before, "the buttons never move"


@pytest.mark.parametrize("size", SCREENS)
def test_plates_keep_off_bases_and_stay_in_the_picture(table: Table, size: tuple[int, int]) -> None:
    table.draw_symbols()
    scenery(table, size)
    assert table.page.evaluate(COVERED) == {"plates": 14, "onBases": 0, "outside": 0}
    for unit in (1, 3, 6):
        select(table.page, unit)
        table.page.wait_for_timeout(100)
        assert table.page.evaluate(COVERED) == {"plates": 14, "onBases": 0, "outside": 0}


@pytest.mark.parametrize("size", SCREENS)
def test_what_the_table_says_covers_no_unit(table: Table, size: tuple[int, int]) -> None:
    scenery(table, size)
    page = table.page
    drawn = box_of(page.locator("rect.table"))
    page.keyboard.press("m")
    says = page.locator(".says")
    expect(says).to_contain_text("Measuring")
    assert apart(box_of(says), drawn)
    page.keyboard.press("m")
    page.keyboard.down("e")
    expect(says).to_contain_text("after its longest move")
    assert apart(box_of(says), drawn)
    assert box_of(says)["x"] + box_of(says)["width"] <= size[0]
    assert box_of(page.locator("rect.table")) == drawn
    page.keyboard.up("e")


@pytest.mark.parametrize("size", SCREENS)
def test_odds_leave_the_question_where_it_is(table: Table, size: tuple[int, int]) -> None:
    scenery(table, size)
    page = table.page
    asked = page.locator("p.words") if size == PHONE else table.question
    before = box_of(asked)
    undo = page.get_by_role("button", name="Undo")
    before_undo = box_of(undo)
    select(page, 1)
    page.locator('g.unit[data-unit="103"] .piece').first.dispatch_event("click", {"bubbles": True})
    odds = page.get_by_role("figure")
    expect(odds).to_be_visible()
    assert box_of(asked) == before
    assert box_of(undo) == before_undo
    verdict, orders = box_of(page.locator(".verdict")), box_of(page.locator(".orders"))
    assert apart(verdict, orders)
    assert orders["height"] >= (300 if size != PHONE else 80)
    # The likeliest result is visible without scrolling: on a phone as a line, elsewhere as a table.
    expect(odds.get_by_text("75 %").locator("visible=true").first).to_be_in_viewport(ratio=1)
    if size != PHONE:
        assert verdict["height"] >= 80


@pytest.mark.parametrize("size", [WIDE, LOW])
def test_the_question_stays_however_many_offers_there_are(table: Table, size: tuple[int, int]) -> None:
    view = scene.view()
    decision = view["decisions"][0]
    offer = next(one for one in decision["offers"] if one["final"])
    many = [{**offer, "final": False, "words": f"Answer {n}", "action": {"type": "Answer", "n": n}} for n in range(40)]
    scenery(table, size, decisions=[{**decision, "offers": many}])
    page = table.page
    last = page.get_by_role("button", name="Answer 39", exact=True)
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    expect(table.question).to_be_in_viewport(ratio=1)
    assert apart(box_of(table.question), box_of(last))
    top = page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).id",
        [box_of(table.question)["x"] + 20, box_of(table.question)["y"] + 20],
    )
    assert top == "question"


@pytest.mark.parametrize("size", [WIDE, LOW])
def test_dice_stand_below_the_question(table: Table, size: tuple[int, int]) -> None:
    view = scene.view()
    tally = {"side": 1, "got": 2, "mean": 1.5, "expected": "3/2"}
    tallies = [{**tally, "label": label} for label in ("hits", "kills", "hits cancelled")]
    reading = {"words": "Carriers fire", "side": 1, "unit": 101, "target": 1, "sides": 6, "came": "1 kill, 1 stun"}
    reading |= {"answer_words": "", "answer_side": None, "answer_terms": [], "answer": [], "tallies": tallies}
    terms = [{"value": 4, "clause": "CH-DICE-01", "words": "Models"}]
    die = {"result": "hit", "pair": 0, "ignored": False, "by": [], "was": None}
    reading |= {"terms": terms, "dice": [{**die, "face": face} for face in (6, 5, 4, 4)]}
    clauses = [f"CH-FIRE-0{n}" for n in range(1, 6)]
    line = {**view["log"][0], "n": 2, "act": 12, "side": 1, "dice": [], "clauses": clauses, "reading": reading}
    scenery(table, size, log=[*view["log"], line])
    tray = table.page.get_by_role("region", name="Dice", exact=True)
    expect(tray).to_contain_text("1 kill, 1 stun")
    expect(table.question).to_be_in_viewport(ratio=1)
    assert box_of(table.question)["y"] < box_of(tray)["y"]
    # Five clauses of a sentence are shown as one sign until it is opened.
    expect(tray.get_by_role("link")).to_have_count(0)
    tray.get_by_role("button", name="The 5 rules").click()
    expect(tray.get_by_role("link")).to_have_count(5)


def test_the_reach_of_all_enemies_is_one_outline_of_each_kind(table: Table) -> None:
    scenery(table, WIDE)
    page = table.page
    page.keyboard.down("e")
    expect(page.locator(".reach")).to_have_count(2)
    enemies = sum(count for _, _, count in scene.OTHERS)
    # On a painted table the threatened area has only an edge. With symbols it is tinted too.
    expect(page.locator(".reach.threat circle.edge")).to_have_count(enemies)
    expect(page.locator(".reach .area")).to_have_count(0)
    page.keyboard.up("e")
    table.button("Menu").click()
    page.get_by_label("Painted table").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.down("e")
    expect(page.locator(".reach.threat .area circle")).to_have_count(enemies)
    # Tint does not add up where the ranges of several units overlap.
    assert page.locator(".reach.threat .area").evaluate("e => getComputedStyle(e).opacity") == "0.05"
    assert page.locator(".reach.threat .area circle").first.evaluate("e => getComputedStyle(e).opacity") == "1"
    page.locator('g.unit[data-unit="101"] .piece').first.hover()
    expect(page.locator(".reach.single")).to_have_count(1)
    expect(page.locator(".pill text")).to_have_text("20 cm + 20 cm")


LETTERED = """e => {
  const probe = document.createElement('i');
  probe.style.color = 'var(--table)';
  document.body.append(probe);
  const [colour, style] = [getComputedStyle(probe).color, getComputedStyle(e)];
  probe.remove();
  return [style.stroke === colour, style.paintOrder.split(' ')[0], style.fontSize, style.textAnchor];
}"""
"""Script that returns how text on the table is drawn: whether its rim has the table's colour, painting order, size and
anchor.
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_on_the_table_have_a_rim_of_its_colour(table: Table, scheme: Any) -> None:
    page = table.page
    page.emulate_media(color_scheme=scheme)
    scenery(table, WIDE)

    def look(words: str) -> Any:
        return page.locator(words).first.evaluate(LETTERED)

    lettered, slip = [True, "stroke", "11px", "middle"], [False, "normal", "11px", "middle"]
    assert look(".objective-name text") == lettered
    assert look(".zone-name") == lettered
    # Text on crossing lines has a slip of paper behind it.
    select(page, 1)
    assert look(".pill text") == slip
    page.keyboard.press("m")
    for unit in (0, 4):
        page.locator(f'g.unit[data-unit="{unit}"] .piece').first.click(force=True)
    assert look(".ruler text") == slip


def test_lines_of_sight_lie_under_the_plates(table: Table) -> None:
    table.begin("person", "easy", ruleset="command-horizon", scenario="first-battle")
    page = table.page
    expect(table.question).to_be_visible(timeout=20000)
    page.locator('[data-row^="1"]').or_(page.locator("[data-row]")).nth(1).click()
    page.keyboard.press("l")
    page.get_by_role("region", name="Lines of sight").get_by_role("button").last.click()
    expect(page.locator(".sight path").nth(8)).to_be_attached()
    under = page.evaluate(
        """() => {
          const sight = document.querySelector('.sight');
          return [...document.querySelectorAll('g.label')]
            .every((e) => sight.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING);
        }"""
    )
    assert under
    lines = page.locator(".sight path.clear")
    assert float(lines.first.evaluate("e => getComputedStyle(e).opacity")) <= 0.75


def test_every_disabled_button_beside_the_table_says_why(table: Table) -> None:
    table.begin("person", "random")
    expect(table.question).to_contain_text("stake for the first turn")
    page = table.page
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Go through the moments").click()
    expect(page.get_by_role("region", name="Moments of the game")).to_be_visible()
    silent = "[...document.querySelectorAll('.side button:disabled')].filter((e) => !e.title).map((e) => e.outerHTML)"
    assert page.evaluate("document.querySelectorAll('.side button:disabled').length") >= 2
    assert page.evaluate(silent) == []
    page.get_by_role("button", name="To the present").click()
    expect(table.confirm).to_be_visible()
    assert page.evaluate("document.querySelectorAll('.side button:disabled').length") >= 2
    assert page.evaluate(silent) == []


def test_who_watches_on_a_phone_reads_each_sentence_once(browser: Browser, base_url: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    try:
        phone = Table(context.new_page(), base_url)
        phone.watches()
        phone.begin("easy", "easy", ruleset="command-horizon", scenario="first-battle")
        watch = phone.page.get_by_role("group", name="Acts of the other side")
        expect(watch).to_be_visible(timeout=30000)
        watch.get_by_role("button", name="Pause").click()
        phone.page.wait_for_timeout(200)
        text = watch.locator("p").inner_text()
        assert re.search(r"\w{4}", text)
        often = phone.page.evaluate(
            """(told) => [...document.querySelectorAll('p, h2, li')]
              .filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 2)
              .filter((e) => e.innerText.trim() === told.trim()).length""",
            text,
        )
        assert often == 1
        assert phone.errors == []
    finally:
        context.close()


def test_nothing_overlaps_on_a_phone(table: Table) -> None:
    scenery(table, PHONE)
    page = table.page
    page.locator('[data-row="1"]').dispatch_event("click")
    page.get_by_role("button", name="Orders", exact=True).click()
    page.locator('g.unit[data-unit="103"] .piece').first.dispatch_event("click", {"bubbles": True})
    expect(page.get_by_role("figure")).to_be_visible()
    names = ("header.top", ".centre > ul", "p.words", ".board", ".lens", ".tabs", ".orders", ".verdict", ".commit")
    boxes = {name: box_of(page.locator(name)) for name in names}
    for name, box in boxes.items():
        assert box["x"] >= -1, name
        assert box["x"] + box["width"] <= 361, name
        assert box["y"] + box["height"] <= 741, name
    both = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if not apart(boxes[a], boxes[b])]
    assert both == []


SLIPS = """() => [...document.querySelectorAll('g.pill, g.label .still > g:first-child')].map((e) => {
  const [paper, words] = [e.querySelector('rect, .plate'), [...e.querySelectorAll('text')]];
  if (!paper || words.length === 0) return null;
  const box = paper.getBoundingClientRect();
  const ends = words.map((one) => one.getBoundingClientRect());
  const left = Math.min(...ends.map((one) => one.left)) - box.left;
  const right = box.right - Math.max(...ends.map((one) => one.right));
  return [words.map((one) => one.textContent).join(' '), Math.round(left), Math.round(right)];
}).filter((e) => e !== null)"""
"""Script that returns the slips of paper on the table: their text, and how far the paper extends beyond it on each
side.
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_slips_on_the_table_are_as_wide_as_their_words(table: Table, scheme: Any) -> None:
    """A wider slip would hide what is under it, and text would extend beyond a narrower slip."""
    table.page.emulate_media(color_scheme=scheme)
    table.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    seen = 0
    for ruleset, scenario in (("command-horizon", "first-battle"), ("blade-skirmish", "cut-them-down")):
        table.begin("person", "easy", ruleset=ruleset, scenario=scenario, placed=True)
        expect(table.question).not_to_be_empty(timeout=20000)
        for row in range(4):
            table.page.locator("[data-row]").nth(row).dispatch_event("click")
            table.page.wait_for_timeout(150)
            table.page.evaluate("async () => { await document.fonts.ready }")
            slips = table.page.evaluate(SLIPS)
            seen += len(slips)
            assert [one for one in slips if not (2 <= one[1] <= 12 and 2 <= one[2] <= 14)] == []
    assert seen > 8
