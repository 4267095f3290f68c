"""Small screens: text on the table stays near its unit, and nothing covers the answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from caltrop.geometry import CM
from tests.web import hexes, scene
from tests.web.table import Table
from tests.web.test_drawing import Scenery
from tests.web.test_hexes import Map
from tests.web.test_looks import PHONE, SCREENS, WIDE, apart, box_of, scenery, select

TETHER = 26 + 8
"""Largest distance of a plate from its unit, in pixels, including the points of the plate and both strokes."""

OFF = """() => {
  const between = (a, b) => Math.hypot(
    Math.max(a.left - b.right, b.left - a.right, 0), Math.max(a.top - b.bottom, b.top - a.bottom, 0));
  return [...document.querySelectorAll('g.label')].map((label) => {
    const plate = label.querySelector('.still > g:first-child > .plate').getBoundingClientRect();
    const bases = [...document.querySelectorAll(`g.unit[data-unit="${label.dataset.unit}"] .piece`)];
    return Math.min(...bases.map((base) => between(plate, base.getBoundingClientRect())));
  });
}"""
"""Script that returns the distance of each plate from the nearest base of its unit."""

MEETING = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((e) => ({
    name: e.textContent.trim() || 'a plate', box: e.getBoundingClientRect()}));
  const words = boxes('.pill, .objective-name text');
  const all = [...words, ...boxes('g.label .still > g:first-child > .plate')];
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return words.flatMap((one, i) =>
    all.slice(i + 1).filter((other) => meet(one.box, other.box)).map((other) => [one.name, other.name]));
}"""
"""Script that returns pairs of texts on the table that overlap each other or a plate. A text's box is slightly higher
than its letters.
"""


@pytest.fixture
def phone(browser: Browser, base_url: str) -> Iterator[Table]:
    """Yield a page on a phone, 360 pixels wide, with touch and no mouse."""
    context = browser.new_context(
        viewport={"width": PHONE[0], "height": PHONE[1]}, has_touch=True, is_mobile=True, service_workers="block"
    )
    table = Table(context.new_page(), base_url)
    yield table
    context.close()
    assert table.errors == []


def open_fight(table: Table) -> None:
    """Open a battle between computer players at a moment with many units."""
    request = table.page.request
    expected = {"ruleset": "command-horizon", "scenario": "first-battle", "seats": ["easy", "easy"]}
    id = request.post(table.address + "/api/games", data=expected).json()["game"]
    view: dict[str, Any] = {"over": None}
    for _ in range(600):
        view = request.get(f"{table.address}/api/games/{id}").json()
        if view["over"]:
            break
        table.page.wait_for_timeout(100)
    table.open(f"/{id}?at={view['act'] * 2 // 3}")
    expect(table.page.get_by_role("heading", name="Moment")).to_be_visible()
    table.page.locator("g.unit").first.wait_for()
    table.page.wait_for_timeout(300)


def hit(page: Page, locator: Locator) -> bool:
    """Return True if a tap in the middle of an element reaches the element."""
    box = box_of(locator)
    at = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    element = locator.element_handle()
    meets: bool = page.evaluate("([[x, y], e]) => e.contains(document.elementFromPoint(x, y))", [at, element])
    return meets


@pytest.mark.parametrize("size", SCREENS)
def test_plates_hang_near_their_units(table: Table, size: tuple[int, int]) -> None:
    table.draw_symbols()
    scenery(table, size)
    assert max(table.page.evaluate(OFF)) <= TETHER
    open_fight(table)
    off = table.page.evaluate(OFF)
    assert off
    assert max(off) <= TETHER


def test_a_plate_of_a_phone_says_how_many_are_left_and_is_short(phone: Table) -> None:
    phone.draw_symbols()
    Scenery(phone.page, phone.address)
    plate = phone.page.locator('g.label[data-unit="0"]')
    expect(plate.locator(".words")).to_have_text("4")
    assert box_of(plate)["width"] <= 48


@pytest.mark.parametrize("size", SCREENS)
def test_words_on_the_table_keep_clear_of_plates_and_of_one_another(table: Table, size: tuple[int, int]) -> None:
    scenery(table, size)
    page = table.page
    for unit in (0, 1, 2, 5):
        select(page, unit)
        expect(page.locator(".bands mask")).to_have_count(3)
        page.wait_for_timeout(100)
        assert page.evaluate(MEETING) == []
    expect(page.locator(".pill text").first).to_be_visible()


@pytest.mark.parametrize("size", SCREENS)
def test_the_name_of_an_objective_is_read_where_a_unit_stands_at_its_foot(table: Table, size: tuple[int, int]) -> None:
    picture = scene.picture()
    mast = next(spot for spot in picture.spots if spot.name == "Mast")
    crew, *others = picture.groups
    row = [
        msgspec.structs.replace(piece, at=(mast.at[0] + (i - 1) * 4 * CM, mast.at[1] - mast.radius - 3 * CM))
        for i, piece in enumerate(crew.pieces)
    ]
    groups = (msgspec.structs.replace(crew, pieces=tuple(row)), *others)
    scenery(table, size, picture=msgspec.to_builtins(msgspec.structs.replace(picture, groups=groups)))
    name = box_of(table.page.locator(".objective-name", has_text="Mast"))
    bases = table.page.locator('g.unit[data-unit="0"] .piece').all()
    assert len(bases) == 4
    assert all(apart(name, box_of(base)) for base in bases)


def test_odds_leave_the_answer_that_they_are_of_in_sight(phone: Table) -> None:
    Scenery(phone.page, phone.address)
    page = phone.page
    select(page, 1)
    page.locator('g.unit[data-unit="103"] .piece').first.dispatch_event("click", {"bubbles": True})
    odds = page.get_by_role("figure", name="Odds in brief")
    expect(odds).to_contain_text("3 models 75 %")
    chosen = page.locator(".orders").get_by_role("button", name="Fire at Asori Medium Tanks")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(chosen).to_be_in_viewport(ratio=0.9)
    page.wait_for_timeout(200)
    assert hit(page, chosen)
    assert apart(box_of(odds), box_of(page.locator(".orders")))
    # A tap opens all odds, and the confirm bar keeps its place.
    bar = box_of(page.get_by_role("group", name="Confirm, cancel, undo"))
    odds.locator("summary").first.tap()
    expect(odds).to_contain_text("On average: 3.3 models")
    assert box_of(page.get_by_role("group", name="Confirm, cancel, undo")) == bar
    assert apart(box_of(odds), box_of(page.locator(".orders")))
    assert hit(page, phone.confirm)


@pytest.mark.parametrize(
    "words",
    [
        "Who attacks next, and which enemy? All attacks count together",
        "Probe (centre), 2 of 2 left in the centre. Which unit do you order?",
        "Where does Maren move?",
    ],
)
def test_a_question_of_two_lines_is_whole_on_its_slip(phone: Table, words: str) -> None:
    (decision,) = scene.view()["decisions"]
    Scenery(phone.page, phone.address, decisions=[{**decision, "prompt": words}])
    slip = phone.page.locator(".centre > .words")
    expect(slip).to_have_text(words)
    high, room = slip.evaluate("(e) => [e.scrollHeight, e.clientHeight]")
    assert high <= room


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_nothing_is_to_be_pressed_beside_the_curtain(table: Table, size: tuple[int, int]) -> None:
    table.page.set_viewport_size({"width": size[0], "height": size[1]})
    table.begin("person", "person")
    page = table.page
    page.get_by_role("button", name=re.compile("show the table")).or_(table.question).first.wait_for()
    table.choose("Stake")
    expect(page.get_by_role("dialog", name=re.compile("is to act"))).to_be_visible()
    for name in ("View of the table", "What is shown", "Confirm, cancel, undo"):
        expect(page.get_by_role("group", name=name)).to_have_count(0)
    curtain = box_of(page.get_by_role("dialog"))
    assert curtain["width"] == size[0]


def test_a_clause_and_a_reason_open_before_the_eyes(phone: Table) -> None:
    phone.begin("easy", "person", ruleset="command-horizon", scenario="first-battle")
    page = phone.page
    expect(phone.question).to_have_text(re.compile("^Concentrate"), timeout=30_000)
    phone.button(re.compile("^Log$")).tap()
    phone.log.get_by_role("button", name=re.compile("rule")).or_(phone.log.get_by_role("link")).last.tap()
    if page.get_by_role("complementary").count() == 0:
        page.wait_for_timeout(600)  # a control that has just appeared does not react yet
        phone.log.get_by_role("link").last.tap()
    clause = page.get_by_role("complementary", name=re.compile("^Rule"))
    expect(clause).to_be_in_viewport()
    assert box_of(clause)["height"] > 80
    phone.button("Close the clause").tap()
    phone.button(re.compile("^Units$")).tap()
    page.get_by_role("button", name=re.compile(r"Command points.* \d+\. Why\?")).last.tap()
    expect(page.get_by_role("complementary", name=re.compile("^Why"))).to_be_in_viewport()


class Slow(Scenery):
    """A server that does not answer until the test calls `go_on`."""

    def _hear(self, raw: str | bytes) -> None:
        message = msgspec.json.decode(raw)
        if message["type"] == "answer":
            self.heard.append(message)
        else:
            super()._hear(raw)

    def answers(self) -> list[dict[str, Any]]:
        """Return the answers so far."""
        return [message for message in self.heard if message["type"] == "answer"]

    def go_on(self, ending: str) -> None:
        """Acknowledge the last answer and ask the next question. Its final offer has the given words."""
        (decision,) = self.view["decisions"]
        offers = [{**one, "words": ending} if one["final"] else one for one in decision["offers"]]
        asked = {**decision, "id": f"d{len(self.answers()) + 1}", "offers": offers}
        seq = len(self.answers()) + 1
        self.tell({"type": "change", "base": seq - 1, "seq": seq, "decisions": [asked]})
        self.tell({"type": "done", "ref": self.answers()[-1]["ref"], "seq": seq})


@pytest.mark.parametrize("ending", ["End the step", "Put no more units on overwatch"])
def test_the_key_that_ends_a_step_waits_for_the_act_before_it(table: Table, ending: str) -> None:
    slow = Slow(table.page, table.address)
    page = table.page
    select(page, 1)
    page.locator('g.unit[data-unit="103"] .piece').first.dispatch_event("click", {"bubbles": True})
    expect(table.confirm).to_be_enabled()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Enter")
    page.wait_for_timeout(200)
    assert [message["action"]["type"] for message in slow.answers()] == ["Fire"]
    slow.go_on(ending)
    if ending == "End the step":
        # As with the button, the end is then prepared, and waits to be confirmed.
        expect(table.confirm).to_be_enabled()
        assert len(slow.answers()) == 1
        page.keyboard.press("Shift+Enter")
        for _ in range(50):
            if len(slow.answers()) == 2:
                break
            page.wait_for_timeout(50)
        assert [(message["decision"], message["action"]["type"]) for message in slow.answers()] == [
            ("d1", "Fire"),
            ("d2", "EndStep"),
        ]
    else:
        expect(page.locator(".prepared")).to_contain_text("Not done: End the step")
        assert len(slow.answers()) == 1


def test_units_that_can_act_are_chosen_in_the_sheet(phone: Table) -> None:
    phone.begin("person", "person", ruleset="command-horizon", scenario="meeting-engagement")
    page = phone.page
    able = page.get_by_role("list", name="Units that can act")
    curtain = page.get_by_role("dialog")
    # The side that won the roll takes the first turn and an edge.
    for _ in range(5):
        page.get_by_role("dialog").or_(page.locator(".orders li button")).first.wait_for()
        if able.is_visible():
            break
        if curtain.is_visible():
            curtain.get_by_role("button").tap()
            curtain.wait_for(state="hidden")
            continue
        asked = phone.question.inner_text()
        page.locator(".orders li button").first.tap()
        phone.confirm.tap()
        expect(phone.question).not_to_have_text(asked)
    unit = able.get_by_role("button").first
    name = unit.inner_text().strip()
    expect(page.locator("text.zone-name").first).to_be_visible()
    unit.tap()
    expect(able).to_have_count(0)
    place = page.get_by_role("region", name=f"What {name} may do").get_by_role("button", name=re.compile("Place"))
    place.first.tap()
    # No text covers a unit that is placed.
    expect(page.locator("text.zone-name")).to_have_count(0)


def test_answers_come_before_the_list_of_units_on_a_phone(phone: Table) -> None:
    """Answers about no unit stay visible even if many units can act."""
    units = [group["id"] for group in msgspec.to_builtins(hexes.picture())["groups"] if group["side"] == 0]
    moves = [hexes.offer(f"Move unit {id}", unit=id, spot=list(hexes.MAP.centre("E9"))) for id in units]
    asked = hexes.decision(
        "Which unit moves?", *moves, hexes.offer("Draw a card instead"), hexes.offer("End", final=True)
    )
    Map(phone.page, phone.address, hexes.view(asked))
    able = phone.page.get_by_role("list", name="Units that can act")
    expect(able.get_by_role("button")).to_have_count(len(units))
    foot = box_of(phone.page.get_by_role("group", name="Confirm, cancel, undo"))["y"]
    answer = box_of(phone.page.locator(".orders").get_by_role("button", name="Draw a card instead"))
    assert answer["y"] + answer["height"] <= foot
    assert answer["y"] + answer["height"] <= box_of(able)["y"]
    # The button that ends the step is visible once, beside the confirm button.
    ending = phone.page.get_by_role("button", name="End", exact=True)
    expect(ending).to_have_count(1)
    assert hit(phone.page, ending)


def test_hexes_that_are_listed_on_a_phone_begin_above_the_confirmation(phone: Table) -> None:
    """The folded line says once what the listed hexes have in common."""
    title = "Move the Granite Guard Heavy Tanks"
    unit = next(group["id"] for group in msgspec.to_builtins(hexes.picture())["groups"] if group["side"] == 0)
    spots = ("E9", "F9", "G9", "E8", "F8", "G8", "D8", "D9")
    moves = [
        hexes.offer(f"Move to {name}", unit=unit, group=title, spot=list(hexes.MAP.centre(name))) for name in spots
    ]
    asked = hexes.decision("Which unit do you move, and where to?", *moves, hexes.offer("End", final=True))
    Map(phone.page, phone.address, hexes.view(asked))
    orders = phone.page.locator(".orders")
    orders.locator("summary").filter(has=phone.page.get_by_role("heading", name=title)).tap()
    foot = box_of(phone.page.get_by_role("group", name="Confirm, cancel, undo"))["y"]
    first = box_of(orders.get_by_role("button", name="Move to E9"))
    assert first["y"] + first["height"] <= foot
    # The table has at least its share of the screen, unless the whole map is already as wide as the space.
    board, map_itself = (box_of(phone.page.locator(name)) for name in (".board", ".board [data-plane]"))
    whole = map_itself["width"] >= 0.85 * board["width"] and map_itself["height"] <= board["height"]
    assert whole or board["height"] >= 0.45 * PHONE[1]


def test_formations_are_chosen_in_one_row_that_is_in_sight(phone: Table) -> None:
    Scenery(phone.page, phone.address)
    select(phone.page, 1)
    phone.page.evaluate("document.activeElement.blur()")
    phone.page.keyboard.press("Shift+ArrowUp")
    row = phone.page.get_by_role("group", name="Formation")
    boxes = [box_of(button) for button in row.get_by_role("button").all()]
    assert len(boxes) == 7
    assert len({round(box["y"]) for box in boxes}) == 1
    foot = box_of(phone.page.get_by_role("group", name="Confirm, cancel, undo"))["y"]
    assert all(box["y"] + box["height"] <= foot for box in boxes)
    for name in ("As it is", "Line", "Column", "Wedge", "One by one"):
        expect(row.get_by_role("button", name=name)).to_be_visible()


def test_the_list_of_keys_is_short_on_a_phone(phone: Table) -> None:
    Scenery(phone.page, phone.address)
    phone.page.keyboard.press("?")
    dialog = phone.page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    assert dialog.evaluate("it => it.scrollHeight") <= 1.2 * PHONE[1]
    assert not phone.is_wide()


def test_turning_the_table_round_is_an_act_and_no_state(table: Table) -> None:
    Scenery(table.page, table.address)
    turn = table.button("Turn the table round")
    before = box_of(table.page.locator('g.unit[data-unit="1"] .piece').first)
    turn.click()
    assert box_of(table.page.locator('g.unit[data-unit="1"] .piece').first) != before
    assert turn.get_attribute("aria-pressed") is None


SMALL = """[...document.querySelectorAll('a, button, select, input, summary')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
  .filter((e) => !e.closest('.board, dialog, [aria-label="Skip to"]'))
  .filter((e) => !e.matches('.unseen') && !(e.localName === 'a' && getComputedStyle(e).display === 'inline'))
  .map((e) => {
    const ticked = e.matches('[type=checkbox], [type=radio]') ? e.closest('label') : null;
    const found = (ticked ?? e).getBoundingClientRect();
    const more = getComputedStyle(e, '::after');
    const size = (side) => Math.max(found[side], e.matches('.fine') ? parseFloat(more[side]) : 0);
    return [e.getAttribute('aria-label') || e.textContent.trim(), size('width'), size('height')];
  })
  .filter(([, wide, high]) => wide > 0 && Math.min(wide, high) < 43.5).map(([name]) => name)"""
"""Script that returns the names of controls too small for a finger. Links in running text may be lower."""


def test_a_finger_finds_every_control_and_the_table_keeps_its_share(phone: Table) -> None:
    """The test uses a phone in both orientations and a tablet. In portrait, the panel is below the table."""
    page = phone.page
    phone.begin("person", "person", ruleset="blade-skirmish", scenario="cut-them-down", placed=True)
    expect(phone.question).to_be_visible(timeout=20000)
    for wide, high, share in ((*PHONE, 0.45), (740, 360, 0.45), (820, 1180, 0.45)):
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_timeout(200)
        board, side = box_of(page.locator(".board")), box_of(page.locator(".orders"))
        assert board["height"] >= share * high, (wide, high)
        if high > wide:
            assert side["y"] >= board["y"] + board["height"] - 1, (wide, high)
        assert page.evaluate(SMALL) == [], (wide, high)
        assert not phone.is_wide()
        for shown in ("Units", "Log", "Menu", "People", "Orders"):
            opens = page.locator(".table").get_by_role("button", name=shown, exact=True)
            opens.tap()
            assert page.evaluate(SMALL) == [], (wide, high, shown)
            page.keyboard.press("Escape")
    expect(page.locator(".orders")).not_to_contain_text(re.compile(r"\bwith n\b|arrow keys|[Cc]lick"))


def test_cards_that_are_drawn_out_leave_every_row_of_the_map_in_sight(phone: Table) -> None:
    """A player chooses a card by the places of the units, which start on the last rows."""
    page = phone.page
    page.set_viewport_size({"width": 390, "height": 844})
    for ruleset, scenario in (("hex-command", "first-battle"), ("hex-command", "crossroads")):
        phone.begin("person", "random", ruleset=ruleset, scenario=scenario, placed=True)
        card = page.get_by_role("list", name="Your hand").get_by_role("button").first
        expect(card).to_be_visible(timeout=20_000)
        page.wait_for_timeout(300)
        units = [box_of(one) for one in page.locator("g.unit .piece").all()]
        assert max(unit["y"] + unit["height"] for unit in units) <= box_of(card)["y"] + 1, scenario
        assert not phone.is_wide()


def test_cards_that_are_drawn_out_lie_on_the_table_and_not_over_the_tabs(phone: Table) -> None:
    phone.begin("person", "person", ruleset="hex-command", scenario="first-battle", placed=True)
    page = phone.page
    curtain = page.get_by_role("dialog").get_by_role("button")
    cards = page.get_by_role("list", name="Your hand").get_by_role("button")
    curtain.or_(cards).first.wait_for(timeout=20000)
    if curtain.is_visible():
        curtain.tap()
    expect(cards.first).to_be_visible()
    assert box_of(page.locator(".board"))["height"] >= 0.45 * PHONE[1]
    for name in ("Orders", "Units", "Log"):
        assert hit(page, page.get_by_role("group", name="What is shown").get_by_role("button", name=name, exact=True))
    # The map is at the upper edge, and the cards cover little of it.
    ground, card = box_of(page.locator("[data-plane]").first), box_of(cards.first)
    assert card["y"] >= ground["y"] + 0.55 * ground["height"]
    assert hit(page, cards.first)
    # Hexes are too small for names, so letters and numbers are at the edges of the map.
    assert {"A", "B", "1", "2"} <= set(page.locator(".edge-names text").all_text_contents())
    assert page.evaluate(SMALL) == []
    for wide, high in ((740, 360), (640, 360), (820, 1180)):
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_timeout(200)
        assert box_of(page.locator(".board"))["height"] >= 0.45 * high, (wide, high)
        assert page.evaluate(SMALL) == [], (wide, high)
        head = cards.first.locator(".head")
        assert box_of(head)["y"] + 15 <= box_of(page.locator(".tabs"))["y"] or wide > high, "cards say what they are"


def test_a_game_is_played_to_its_end_on_a_phone_on_its_side(phone: Table) -> None:
    """The game is played by touch, and no answer needs scrolling."""
    page = phone.page
    page.set_viewport_size({"width": 740, "height": 360})
    phone.begin("person", "random", scenario="bridge")
    over = page.get_by_role("link", name="Play again")
    answers = page.locator(".orders li button, .bar .end").filter(has_text=re.compile("Stay|Stake|Thrust|Take"))
    ahead = phone.button("Skip ahead")
    words = "[...document.querySelectorAll('#question, [role=log]')].map((e) => e.textContent).join('')"
    taps = 0
    for _ in range(400):
        over.or_(answers.first).or_(ahead).first.wait_for(timeout=20000)
        if over.is_visible():
            break
        if ahead.is_visible():
            ahead.tap()
            continue
        answer = answers.first
        assert hit(page, answer), answer.inner_text()
        before = page.evaluate(words)
        # The end button is in the place of the confirm button, so the second of two quick taps has no effect.
        pause = 600 if answer.evaluate("button => button.closest('.bar') !== null") else 0
        page.wait_for_timeout(pause)
        answer.tap()
        expect(phone.confirm).to_be_enabled()
        assert hit(page, phone.confirm)
        page.wait_for_timeout(pause)
        phone.confirm.tap()
        taps += 1
        page.wait_for_function(f"before => before !== {words}", arg=before)
    assert over.is_visible()
    assert taps >= 4


def test_at_twice_the_size_the_answers_are_in_sight(table: Table) -> None:
    """Windows of 1440 by 900 and of 1280 by 720 are zoomed to 200 percent, with the table beside the panel."""
    page = table.page
    table.begin("person", "easy", ruleset="command-horizon", scenario="first-battle", placed=True)
    answers = page.locator(".orders li button")
    # The dice decide which side begins, so the enemy may act first.
    expect(answers).to_have_count(2, timeout=60000)
    for wide, high in ((720, 450), (640, 360)):
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_timeout(200)
        assert answers.count() == 2
        for answer in answers.all():
            box = box_of(answer)
            assert box["y"] >= 0, (wide, high)
            assert hit(page, answer), (wide, high)
        assert box_of(page.locator(".board"))["height"] >= 0.45 * high, (wide, high)
        assert not table.is_wide()


def test_who_is_taken_up_is_large_enough_for_a_finger(phone: Table) -> None:
    """When a fighter is selected, the camera shows her whole reach, unless a person has moved the camera."""
    page = phone.page
    phone.begin("person", ruleset="blade-skirmish", scenario="cut-them-down", placed=True)
    taken = page.locator(".orders button", has_text="Maren")
    taken.first.wait_for()
    base = page.get_by_label(re.compile("Maren,")).locator(".piece").first
    small = box_of(base)["width"]
    taken.first.tap()
    page.wait_for_timeout(600)
    assert box_of(base)["width"] >= 1.5 * small
    expect(base).to_be_in_viewport(ratio=1)
    whole = page.get_by_role("button", name="The whole table")
    whole.tap()
    page.wait_for_timeout(400)
    assert box_of(base)["width"] == pytest.approx(small, rel=0.1)


def test_a_finger_that_narrowly_misses_a_fighter_takes_her_up(phone: Table) -> None:
    page = phone.page
    phone.begin("person", ruleset="blade-skirmish", scenario="cut-them-down", placed=True)
    page.locator(".orders button", has_text="Linnet").first.wait_for()
    page.wait_for_timeout(300)
    base = box_of(page.get_by_label(re.compile("Linnet,")).locator(".piece").first)
    page.touchscreen.tap(base["x"] + base["width"] + 3, base["y"] + base["height"] / 2)
    expect(page.locator("#unit")).to_contain_text("Linnet")


def test_at_twice_the_size_the_score_is_whole_beside_a_long_name(table: Table) -> None:
    page = table.page
    page.set_viewport_size({"width": 720, "height": 450})
    table.begin("person", ruleset="blade-skirmish", scenario="cut-them-down", placed=True)
    seats = page.locator("[data-seat]")
    expect(seats).to_have_count(2)
    for seat in seats.all():
        assert seat.evaluate("it => it.scrollWidth - it.clientWidth") <= 0, seat.inner_text()
        assert seat.evaluate("it => it.querySelector('.army').getBoundingClientRect().width") > 40, seat.inner_text()


def test_a_second_tap_is_not_for_what_has_come_under_the_finger(phone: Table) -> None:
    phone.begin("person", "random")
    page = phone.page
    expect(phone.question).to_contain_text("stake for the first turn")
    phone.button("Menu").tap()
    box = box_of(phone.button("Give up"))
    at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    sure = phone.button(re.compile("Yes, give the game up"))
    page.touchscreen.tap(*at)
    expect(sure).to_be_visible()
    page.touchscreen.tap(*at)  # "Play on" is in that place by now
    page.wait_for_timeout(700)
    expect(sure).to_be_visible()
    page.touchscreen.tap(*at)
    expect(sure).not_to_be_visible()
    assert phone.errors == []
