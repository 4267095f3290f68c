"""Maps of hexes, hands of cards and symbol dice in the browser, from pictures without rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from tests.web import hexes
from tests.web.table import Table

AXE = Path(__file__).parents[2] / "src/caltrop/web/node_modules/axe-core/axe.min.js"
PRESSED_AT_ONCE = """() => new MutationObserver((_, watch) => {
  const button = document.querySelector('.curtain button');
  if (button === null) return;
  watch.disconnect();
  button.click();
}).observe(document.body, { childList: true, subtree: true })"""
"""Script that presses the curtain's button, as a key does, just as the curtain appears."""


LOUD = {"why": "dice", "dice": 4, "words": "4 dice are thrown"}
"""The reason why an answer has to be confirmed, as the server sends it."""


class Map:
    """A server with one view of a map, and the messages that the page sent to it.

    Args:
        page: The page that shows the view.
        address: The address of the client.
        view: The view that is sent.
        fragment: The secrets of this screen's seats, as in a link.
    """

    def __init__(self, page: Page, address: str, view: dict[str, Any], fragment: str = "") -> None:
        self.page, self.view = page, view
        self.heard: list[dict[str, Any]] = []
        self.socket: WebSocketRoute | None = None
        page.route_web_socket("**/ws/*", self._meet)
        page.goto(f"{address}/hexes1{fragment}")
        page.get_by_role("group", name="The table", exact=True).wait_for()

    def _meet(self, socket: WebSocketRoute) -> None:
        self.socket = socket
        socket.on_message(self._hear)

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to the page."""
        assert self.socket is not None
        self.socket.send(json.dumps(message))

    def _hear(self, raw: str | bytes) -> None:
        message = json.loads(raw)
        if message.get("quietly"):
            # By default, everything waits to be confirmed.
            self.tell({"type": "loud", "ref": message["ref"], "loud": LOUD})
            return
        self.heard.append(message)
        if message["type"] == "hello":
            self.tell(self.view)
        elif message["type"] == "answer":
            self.tell({"type": "done", "ref": message["ref"], "seq": 1})
        elif message["type"] == "propose":
            refusal: dict[str, Any] = {
                "code": "too-far",
                "clause": "HX-S20",
                "message": "Too far",
                "values": {},
                "nearest": None,
            }
            proposal: dict[str, Any] = {
                "action": None,
                "paths": {},
                "length": 0,
                "left": 0,
                "price": [],
                "refusal": refusal,
            }
            words = {"decision": "d1", "proposal": {**proposal, "faults": []}}
            self.tell({"type": "proposal", "ref": message["ref"], **words})
        elif message["type"] == "sight":
            self.tell({"type": "sight", "ref": message["ref"], "sightings": [self._sighting()]})
        elif message["type"] == "odds":
            self.tell({"type": "odds", "ref": message["ref"], "decision": "d1", "odds": hexes.odds()})

    def _sighting(self) -> dict[str, Any]:
        line = {
            "start": hexes.MAP.centre("F8"), "end": hexes.MAP.centre("G5"), "state": "cut", "by": "Ruins",
            "stop": hexes.MAP.centre("G6"),
        }  # fmt: skip
        pieces = [{"piece": 106, "seen": False, "obstructed": False, "in_cover": False, "by": "Ruins"}]
        return {
            "unit": 6, "target": 106, "seen": False, "words": "Ruins are in the way", "pieces": pieces, "lines": [line]
        }  # fmt: skip

    def unit(self, id: int) -> Locator:
        """Return the figure of a unit on the map."""
        return self.page.locator(f'g.unit[data-unit="{id}"]')

    def hex(self, name: str) -> Locator:
        """Return a hex of the map."""
        return self.page.locator(f'path[data-cell="{name}"]')

    def middle(self, name: str) -> tuple[float, float]:
        """Return the position on the screen of a hex's middle."""
        box = self.hex(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, name: str) -> None:
        """Click in the middle of a hex."""
        self.page.mouse.click(*self.middle(name))

    def choices(self) -> list[str]:
        """Return the hexes that are marked as choices."""
        marked = self.page.locator("[data-choice]").evaluate_all("all => all.map(e => e.dataset.choice)")
        return sorted(marked)

    def answers(self) -> list[str]:
        """Return the answers so far, in words."""
        self.page.wait_for_timeout(80)
        return [message["action"]["words"] for message in self.heard if message["type"] == "answer"]


Opener = Callable[..., Map]


@pytest.fixture
def lay(table: Table) -> Iterator[Opener]:
    """Yield a function that opens a map with one question or none."""

    def laid(asked: dict[str, Any] | None = None, **more: Any) -> Map:
        if more.pop("symbols", False):
            table.page.add_init_script("localStorage['caltrop.style'] = 'symbols'")
        fragment = more.pop("fragment", "")
        return Map(table.page, table.address, hexes.view(asked, **more), fragment)

    yield laid
    assert table.errors == []


def test_every_hex_and_every_unit_has_a_name(lay: Opener) -> None:
    laid = lay()
    names = laid.page.locator("path[data-cell]").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    assert [name.split(",")[0] for name in names] == list(hexes.MAP.hexes)
    expect(laid.hex("C3")).to_have_attribute("aria-label", "C3, Woods, Entrenchment")
    expect(laid.unit(6)).to_have_attribute("aria-label", "Battle Titan, Iron Concord, 6/6, in F8")
    expect(laid.unit(8)).to_have_attribute("aria-label", "Hero, Iron Concord, 1/1, in D7")


def test_models_are_counted_on_the_unit(lay: Opener) -> None:
    laid = lay()
    for i, (_kind, _silhouette, _name, strength, _at) in enumerate(hexes.SOUTH):
        now, most = map(int, strength.split("/"))
        pips = laid.page.locator(f'.marks[data-unit="{i}"] .pips circle')
        expect(pips).to_have_count(most if most > 1 else 0)
        expect(laid.page.locator(f'.marks[data-unit="{i}"] .pips .full')).to_have_count(now if most > 1 else 0)


def test_a_small_map_writes_the_strength_as_a_figure(lay: Opener, table: Table) -> None:
    table.page.set_viewport_size({"width": 360, "height": 740})
    laid = lay()
    expect(laid.page.locator('.marks[data-unit="7"] text')).to_have_text("3")
    expect(laid.page.locator(".pips")).to_have_count(0)


@pytest.mark.parametrize("symbols", [True, False])
def test_every_terrain_is_drawn_in_its_own_way(lay: Opener, symbols: bool) -> None:
    """On a painted map, only the signs that are printed over the painted ground are drawn."""
    laid = lay(symbols=symbols)
    kinds = [kind for kind in hexes.GROUNDS if symbols or kind != "road"]
    drawn = {kind: laid.page.locator(f'[data-terrain="{kind}"]').first.inner_html() for kind in kinds}
    assert len(set(drawn.values())) == len(kinds)


@pytest.mark.painted
def test_the_ground_is_painted_beside_the_page_and_lies_under_all_that_is_on_it(lay: Opener, table: Table) -> None:
    lay()
    ground = table.page.locator("[data-painted]")
    expect(ground).to_have_count(1, timeout=30_000)
    assert int(ground.get_attribute("data-painted") or 0) >= 512
    under = table.page.evaluate(
        """() => [...document.querySelectorAll('.unit, path.hex, .spot')].every((one) =>
          document.querySelector('[data-painted]').compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)"""
    )
    assert under
    lay(symbols=True)
    expect(table.page.locator("path.edges")).to_have_count(1)
    expect(ground).to_have_count(0)


def test_a_road_goes_on_where_the_next_hex_has_one(lay: Opener) -> None:
    laid = lay(symbols=True)
    roads = laid.page.locator('[data-terrain="road"]')
    expect(roads).to_have_count(len(hexes.GROUNDS["road"].split()))
    ways = roads.evaluate_all("all => all.map(e => e.querySelectorAll('.road').length)")
    # H5 is beside the bridge and the roads of G4 and G5. A road without another neighbour goes straight on.
    assert sorted(ways) == [2] * 10 + [3]
    paths = roads.evaluate_all("all => all.map(e => [...e.querySelectorAll('.road')].map(p => p.getAttribute('d')))")
    corner = "M0 0L43.3 75", "M0 0L-43.3 75"
    assert sum(set(path) == set(corner) for path in paths) == 1


def test_the_silhouettes_are_told_apart(lay: Opener) -> None:
    laid = lay()
    groups = laid.view["picture"]["groups"]
    bodies = {g["silhouette"]: laid.unit(g["id"]).locator(".figure").first.inner_html() for g in groups}
    assert len(set(bodies.values())) == len(bodies) == 14


def test_sections_are_named_and_the_one_that_counts_is_lit(lay: Opener) -> None:
    laid = lay(hexes.moves(), lit="Centre")
    expect(laid.page.locator(".section.lit")).to_have_count(1)
    expect(laid.page.locator(".section-name.lit")).to_have_text("Centre")


def test_a_card_that_is_chosen_lights_its_sections_before_it_is_played(lay: Opener, table: Table) -> None:
    lay(hexes.cards())
    lit = table.page.locator(".section-name.lit")
    expect(lit).to_have_count(0)
    card(table, "Attack").click(position={"x": 30, "y": 20})
    expect(lit).to_have_text(["Centre"])
    card(table, "Pincer").click(position={"x": 30, "y": 20})
    expect(lit).to_have_count(2)
    table.page.keyboard.press("Escape")
    table.page.mouse.move(2, 2)
    expect(lit).to_have_count(0)


def test_a_card_that_is_pointed_at_lights_its_sections_and_stays_pale(lay: Opener, table: Table) -> None:
    lay(hexes.cards())
    lit = table.page.locator(".section-name.lit")
    expect(lit).to_have_count(0)
    paper = card(table, "Attack").evaluate("(one) => getComputedStyle(one).backgroundColor")
    card(table, "Attack").hover(position={"x": 30, "y": 20})
    expect(lit).to_have_text(["Centre"])
    expect(card(table, "Attack")).to_have_attribute("aria-pressed", "false")
    expect(card(table, "Attack")).to_have_css("background-color", paper)
    table.page.mouse.move(2, 2)
    expect(lit).to_have_count(0)


def test_a_card_without_sections_leaves_those_of_the_card_in_force(lay: Opener, table: Table) -> None:
    lay(hexes.reaction(), lit="Left")
    table.page.keyboard.press("5")
    expect(card(table, "Ambush")).to_have_attribute("aria-pressed", "true")
    expect(table.page.locator(".section-name.lit")).to_have_text(["Left"])


def test_an_objective_shows_who_holds_it(lay: Opener) -> None:
    laid = lay()
    expect(laid.page.get_by_role("img", name=re.compile(r"^Crossroads: 1 banner.*Ashen Horde"))).to_have_count(1)
    expect(laid.page.locator(".spot.held [role=img] text")).to_have_text("B")
    expect(laid.page.get_by_role("img", name=re.compile(r"^Works: 1 banner.*held by nobody"))).to_have_count(1)


def test_a_unit_shows_its_own_hexes_and_a_click_chooses_one(lay: Opener, table: Table) -> None:
    laid = lay(hexes.moves())
    assert laid.choices() == []
    laid.click("F8")
    assert laid.choices() == sorted(["E8", "G8", "E7", "G9", "F9", "E9", "E6", "D8"])
    laid.click("E9")
    expect(table.confirm).to_be_enabled()
    assert laid.answers() == []
    laid.click("K8")
    assert laid.choices() == sorted(["J8", "L7", "K7", "J7", "J9", "K9", "L8", "I8"])
    # A first click on a hex that is a choice chooses it, even if a unit is on it. A second click selects the unit.
    laid.click("L8")
    expect(table.page.locator(".choice.chosen")).to_have_attribute("data-choice", "L8")
    laid.click("L8")
    expect(table.page.get_by_role("region", name="Selected unit: Assault Tanks")).to_be_visible()
    laid.click("F8")
    laid.click("E9")
    table.confirm.click()
    assert laid.answers() == ["Move to E9"]


def test_the_panel_lists_the_hexes_by_their_names(lay: Opener, table: Table) -> None:
    laid = lay(hexes.moves())
    laid.click("F8")
    button = table.page.locator(".orders").get_by_role("button", name="Move to E9")
    expect(button).to_have_count(0)
    table.page.locator(".orders summary").filter(has_text="one of 8 in a list").click()
    expect(button).to_have_text("E9")
    button.click()
    expect(table.page.locator(".choice.chosen")).to_have_attribute("data-choice", "E9")


def test_hexes_stand_under_what_they_have_in_common(lay: Opener, table: Table) -> None:
    laid = lay(hexes.moves_with_leader())
    laid.click("D7")
    panel = table.page.get_by_role("region", name="What Line Troops may do")
    table.listed("Move to E7 without the Hero")
    for words in ("Move to … with the Hero", "Move to … without the Hero"):
        expect(panel.get_by_text(words, exact=True)).to_be_visible()
    first = panel.get_by_role("button", name="Move to E7 without the Hero")
    expect(first).to_have_text("E7")
    expect(panel.get_by_role("button", name="Join the Scouts at A7")).to_have_text("Join the Scouts at A7")
    first.click()
    table.confirm.click()
    assert laid.answers() == ["Move to E7 without the Hero"]


def test_battles_are_listed_with_target_and_dice(lay: Opener, table: Table) -> None:
    laid = lay(hexes.shots())
    laid.click("G7")
    shown = table.page.locator(".orders li button").filter(has_text="Fire at")
    expect(shown).to_have_text([f"Fire at the {name}" for name in hexes.SHOTS])


def test_the_range_of_a_unit_is_written_on_the_map_but_not_on_a_small_one(lay: Opener, table: Table) -> None:
    laid = lay(hexes.moves())
    laid.click("F8")
    expect(table.page.locator(".range")).to_have_text("range 3 hexes")
    table.page.set_viewport_size({"width": 360, "height": 740})
    expect(table.page.locator(".range")).to_be_hidden()


def test_a_marker_is_counted_only_where_there_are_several(lay: Opener, table: Table) -> None:
    laid = lay(hexes.moves())
    expect(table.page.locator('[data-row="3"] .name')).to_have_text(re.compile(r"^Buggies ?may act, moved, .+$"))
    laid.click("K8")
    expect(table.page.get_by_role("region", name="Selected unit: Buggies").locator(".tokens li")).to_have_text(
        re.compile(r"^\s*Has moved")
    )


def test_units_off_the_table_are_chosen_in_the_panel_of_a_phone(lay: Opener, table: Table) -> None:
    table.page.set_viewport_size({"width": 360, "height": 740})
    laid = lay(hexes.placing(), picture=hexes.unplaced(4, 5))
    waiting = table.page.get_by_role("list", name="Units that can act")
    expect(waiting.get_by_role("button")).to_have_text(["Battle Tanks", "Assault Tanks"])
    waiting.get_by_role("button", name="Assault Tanks").click()
    expect(waiting).to_have_count(0)
    expect(table.page.get_by_role("heading", name="Place the Assault Tanks")).to_be_visible()
    assert laid.choices() == ["F9", "G9", "H9"]


def test_what_may_come_of_an_act_says_whose_the_units_are(lay: Opener, table: Table) -> None:
    laid = lay(hexes.moves())
    laid.click("F8")
    laid.click("E9")
    odds = table.page.locator(".verdict")
    expect(odds.get_by_role("heading")).to_have_text("Possible fates of Command Squad: exact odds")
    expect(odds).to_contain_text("Also at your Line Troops: 1 battle die")
    expect(odds).to_contain_text("Shields: 4 dice if anything hits")
    expect(odds).not_to_contain_text("recorded against")


def test_a_unit_is_dragged_onto_a_hex(lay: Opener, table: Table) -> None:
    laid = lay(hexes.moves())
    page = table.page

    def drag(start: str, end: str) -> None:
        page.mouse.move(*laid.middle(start))
        page.mouse.down()
        page.mouse.move(*laid.middle("F7"), steps=4)
        page.mouse.move(*laid.middle(end), steps=4)
        expect(page.locator(".carried")).to_have_count(1)
        page.mouse.up()
        expect(page.locator(".carried")).to_have_count(0)

    drag("F8", "E7")
    expect(page.locator(".choice.chosen")).to_have_attribute("data-choice", "E7")
    assert laid.answers() == []
    page.keyboard.press("Escape")
    drag("F8", "B2")
    expect(page.get_by_role("alert")).to_contain_text("Too far")
    wished = next(message["wish"] for message in laid.heard if message["type"] == "propose" and message["wish"])
    assert wished["unit"] == 6
    expect(table.button("End the moves")).to_be_visible()
    expect(table.confirm).to_have_count(0)
    assert laid.answers() == []


def test_a_unit_is_dragged_onto_its_target(lay: Opener, table: Table) -> None:
    laid = lay(hexes.battles())
    table.page.mouse.move(*laid.middle("G7"))
    table.page.mouse.down()
    table.page.mouse.move(*laid.middle("G5"), steps=5)
    table.page.mouse.up()
    table.confirm.click()
    assert laid.answers() == ["Battle unit 106"]


def test_arrow_keys_go_from_hex_to_hex_and_enter_does_what_a_click_does(lay: Opener, table: Table) -> None:
    laid = lay(hexes.moves())
    page = table.page
    page.keyboard.press("n")
    page.keyboard.press("Shift+n")
    expect(page.get_by_role("region", name="Selected unit: Battle Titan")).to_be_visible()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    at = page.locator("[data-cursor]")
    expect(at).to_have_attribute("data-cursor", "F9")
    expect(page.get_by_role("status").filter(has_text="F9")).to_contain_text("Ford")
    expect(page.get_by_role("status").filter(has_text="F9")).to_contain_text("Move to F9")
    page.keyboard.press("Enter")
    expect(page.locator(".choice.chosen")).to_have_attribute("data-choice", "F9")
    assert laid.answers() == []
    page.keyboard.press("Enter")
    assert laid.answers() == ["Move to F9"]
    # A path straight up zigzags, but returns to its column.
    for _ in range(4):
        page.keyboard.press("ArrowUp")
    expect(at).to_have_attribute("data-cursor", "F5")


def test_distances_are_measured_in_hexes(lay: Opener, table: Table) -> None:
    laid = lay()
    table.page.keyboard.press("m")
    laid.click("F8")
    laid.click("H3")
    expect(table.page.locator(".ruler text")).to_have_text("5 hexes")
    words = table.page.get_by_role("status").filter(has_text="hexes")
    expect(words).to_have_text("Battle Titan in F8 to H3: 5 hexes")
    table.page.keyboard.press("ArrowLeft")
    table.page.keyboard.press("ArrowLeft")
    expect(table.page.locator(".ruler text")).to_have_text("2 hexes")


def test_sight_is_drawn_hex_by_hex(lay: Opener, table: Table) -> None:
    laid = lay(hexes.moves())
    laid.click("F8")
    table.page.keyboard.press("l")
    table.page.get_by_role("region", name="Lines of sight").get_by_role("button", name="Battle Tanks").click()
    met = table.page.locator("[data-met]")
    expect(met).not_to_have_count(0)
    evaluate_all = met.evaluate_all("all => all.map(e => [e.dataset.met, e.classList[0]])")
    assert ["G6", "stops"] in evaluate_all
    assert {name for name, _ in evaluate_all} <= {"F7", "G7", "F6", "G6"}


# ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def card(table: Table, title: str) -> Locator:
    """Return a card of the hand."""
    return table.page.get_by_role("list", name="Your hand").get_by_role("button", name=title)


def test_cards_are_read_and_played_by_mouse(lay: Opener, table: Table) -> None:
    laid = lay(hexes.cards())
    pincer = card(table, "Pincer")
    expect(pincer).to_contain_text("Both flanks")
    expect(pincer).to_contain_text("Order 2 units on your left and 2 on your right.")
    expect(pincer).to_contain_text("HX-S47")
    pincer.click(position={"x": 30, "y": 20})
    expect(pincer).to_have_attribute("aria-pressed", "true")
    assert laid.answers() == []
    table.confirm.click()
    assert laid.answers() == ["Play Pincer both"]
    # The question is answered in the hand, so the panel does not list the cards again.
    expect(table.page.locator(".orders").get_by_role("button", name="Play Pincer")).to_have_count(0)


def test_cards_are_played_by_the_keyboard(lay: Opener, table: Table) -> None:
    laid = lay(hexes.cards())
    page = table.page
    page.get_by_role("button", name="Menu").focus()
    page.keyboard.press("2")
    expect(card(table, "Attack")).to_have_attribute("aria-pressed", "true")
    expect(card(table, "Attack")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card(table, "Attack")).to_have_attribute("aria-pressed", "false")
    card(table, "Attack").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(card(table, "Armoured Spearhead")).to_be_focused()
    page.keyboard.press("Enter")
    expect(card(table, "Armoured Spearhead")).to_have_attribute("aria-pressed", "true")
    assert laid.answers() == []
    page.keyboard.press("Enter")
    assert laid.answers() == ["Play Armoured Spearhead"]


def test_a_card_that_may_not_be_played_says_why(lay: Opener, table: Table) -> None:
    laid = lay(hexes.cards("ambush"))
    probe = card(table, "Probe")
    expect(probe).to_have_attribute("aria-disabled", "true")
    probe.click(position={"x": 30, "y": 20}, force=True)
    assert [one["wish"] for one in laid.heard if one["type"] == "propose"] == [{"card": "probe-left"}]
    expect(table.page.get_by_role("alert")).to_contain_text("Too far")
    expect(table.confirm).to_be_disabled()


def test_when_nothing_is_asked_the_hand_says_so(lay: Opener, table: Table) -> None:
    lay(None)
    table.page.keyboard.press("1")
    expect(table.page.locator(".prepared")).to_have_text("Probe: It is not your turn")


def test_two_taps_of_a_finger_play_no_card(browser: Browser, base_url: str) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740}, has_touch=True)
    laid = Map(page, base_url, hexes.view(hexes.cards()))
    probe = page.get_by_role("list", name="Your hand").get_by_role("button", name="Probe")
    probe.tap()
    probe.tap()
    expect(probe).to_have_attribute("aria-pressed", "true")
    assert laid.answers() == []
    page.get_by_role("button", name="Confirm").tap()
    assert laid.answers() == ["Play Probe left"]
    page.close()


def test_on_a_phone_the_hand_is_a_drawer_that_opens_when_a_card_is_asked_for(lay: Opener, table: Table) -> None:
    table.page.set_viewport_size({"width": 360, "height": 740})
    laid = lay(hexes.moves())
    pull = table.page.get_by_role("button", name="Your hand: 5")
    expect(pull).to_have_attribute("aria-expanded", "false")
    expect(card(table, "Probe")).to_be_hidden()
    pull.click()
    expect(card(table, "Probe")).to_be_visible()
    pull.click()
    asked = {**hexes.cards(), "id": "d2"}
    laid.tell({"type": "change", "base": 1, "seq": 2, "decisions": [asked]})
    expect(card(table, "Probe")).to_be_visible()
    box = card(table, "Probe").bounding_box()
    bar = table.page.get_by_role("group", name="Confirm, cancel, undo").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] + box["height"] <= bar["y"]


def test_on_a_phone_the_drawer_holds_the_dice_over_which_it_lies(lay: Opener, table: Table) -> None:
    table.page.set_viewport_size({"width": 360, "height": 740})
    laid = lay(hexes.cards())
    thrown = table.page.get_by_role("group", name="The latest dice")
    expect(thrown).to_contain_text("Battle Tanks fire at the Battle Titan: no point is lost, 1 hex back")
    expect(thrown.get_by_role("img", name="retreat")).to_be_in_viewport(ratio=1)
    expect(card(table, "Probe")).to_be_in_viewport(ratio=1)
    assert thrown.evaluate(
        """e => [...e.querySelectorAll('p, svg')].every((one) => {
          const box = one.getBoundingClientRect();
          const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          return e.contains(seen);
        })"""
    )
    table.page.get_by_role("button", name="Your hand: 5").click()
    expect(thrown).to_be_hidden()
    # The dice disappear after the side's own act.
    own = {**laid.view["log"][0], "n": 3, "act": 13, "side": 0, "dice": []}
    laid.tell({"type": "change", "base": 1, "seq": 2, "log": [own], "decisions": [{**hexes.cards(), "id": "d2"}]})
    expect(card(table, "Probe")).to_be_visible()
    expect(thrown).to_have_count(0)
    table.page.set_viewport_size({"width": 1440, "height": 900})
    lay(hexes.cards())
    expect(table.page.get_by_role("region", name="Dice", exact=True)).to_be_visible()
    expect(thrown).to_be_hidden()


def test_on_a_phone_a_long_card_of_the_other_side_lifts_the_hand_onto_no_hex(lay: Opener, table: Table) -> None:
    table.page.set_viewport_size({"width": 390, "height": 844})
    shown = hexes.view(hexes.cards())
    played = shown["picture"]["seats"][1]["played"]
    played["words"] = "Strike a unit that anybody can see with 3 dice, and then order as many others. " * 3
    lay(hexes.cards(), picture=shown["picture"])
    hand = card(table, "Probe").bounding_box()
    row = table.page.locator(".hand .row").bounding_box()
    assert hand is not None
    assert row is not None
    assert row["height"] < hand["height"] + 30


def test_on_a_phone_a_reaction_is_answered_in_the_panel(lay: Opener, table: Table) -> None:
    """The drawer of cards would cover the answer that plays no card."""
    table.page.set_viewport_size({"width": 360, "height": 740})
    laid = lay(hexes.reaction())
    expect(table.page.get_by_role("button", name="Your hand: 5")).to_have_attribute("aria-expanded", "false")
    table.page.locator(".orders").get_by_role("button", name="Let it come").click(timeout=3000)
    table.confirm.click()
    assert laid.answers() == ["Let it come"]


def test_on_a_phone_a_long_question_keeps_off_the_map(lay: Opener, table: Table) -> None:
    table.page.set_viewport_size({"width": 360, "height": 740})
    lay(hexes.reaction())
    long = hexes.reaction()["prompt"]
    assert len(long) > 72
    line = table.page.locator("p.words")
    expect(line).to_have_text(long)
    assert line.evaluate("e => e.scrollHeight <= e.clientHeight + 1")


def test_of_the_other_side_only_the_number_of_cards_is_seen_and_what_it_played(lay: Opener, table: Table) -> None:
    lay(hexes.cards())
    expect(table.page.get_by_role("img", name="Ashen Horde holds 4 cards")).to_be_visible()
    last = table.page.get_by_role("button", name="Ashen Horde played last: Broad Front")
    last.click()
    read = table.page.get_by_role("note", name="Ashen Horde played last")
    expect(read).to_contain_text("Order 1 unit in each section.")
    expect(read.get_by_role("link", name="HX-S45")).to_be_visible()
    expect(table.page.get_by_role("button", name="Iron Concord played last: Scout")).to_be_visible()


def test_a_hand_that_changes_is_dealt_anew(lay: Opener, table: Table) -> None:
    laid = lay(hexes.cards())
    hand = laid.view["picture"]["hand"][1:]
    laid.tell({"type": "change", "base": 1, "seq": 2, "picture": {"hand": hand}, "decisions": []})
    expect(card(table, "Probe")).to_have_count(0)
    expect(table.page.get_by_role("list", name="Your hand").get_by_role("button")).to_have_count(4)


def test_on_a_shared_screen_the_curtain_hides_the_hand(lay: Opener, table: Table) -> None:
    laid = lay(hexes.cards(), fragment="#0=one&1=two")
    expect(card(table, "Probe")).to_be_visible()
    table.page.evaluate(PRESSED_AT_ONCE)
    laid.tell({"type": "change", "base": 1, "seq": 2, "decisions": [], "waiting_for": [1]})
    expect(table.page.get_by_role("dialog")).to_contain_text("Ashen Horde is to act")
    expect(table.page.get_by_text("Armoured Spearhead")).to_have_count(0)
    expect(table.page.get_by_text("Broad Front")).to_have_count(0)
    # A click while the curtain is appearing does not raise it.
    table.page.wait_for_timeout(100)
    assert [message for message in laid.heard if message["type"] == "eyes"] == []
    table.page.wait_for_timeout(700)
    table.page.keyboard.press("Enter")
    table.page.wait_for_timeout(100)
    assert [message["side"] for message in laid.heard if message["type"] == "eyes"] == [1]


# ── dice ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_dice_show_symbols_that_have_names(lay: Opener, table: Table) -> None:
    lay()
    dice = table.log.locator("li", has_text="Line Troops").locator("p > .dice svg")
    names = dice.evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    assert names == ["infantry", "vehicle", "God Machine", "leader", "target", "retreat"]
    assert len(set(dice.evaluate_all("all => all.map(e => e.querySelector('.symbol').innerHTML)"))) == 6


def test_a_line_of_the_log_bears_the_mark_of_the_side_that_rolled(lay: Opener, table: Table) -> None:
    """The line has the mark of the side that rolled, even if the other side's answer caused the roll."""
    answered = {**hexes.attack(), "side": 0}
    lay(log=[answered])
    expect(table.log.locator("li", has_text="fire at the Battle Titan").locator(".who text")).to_have_text("B")


def test_shields_are_read_as_the_dice_that_cancel_a_hit(lay: Opener, table: Table) -> None:
    lay()
    hits = table.page.get_by_role("region", name="Dice").locator(".hits li").filter(has_text="cancelled")
    assert hits.locator(".by svg").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))") == ["God Machine"]


def test_real_dice_are_typed_in_by_their_symbols(lay: Opener, table: Table) -> None:
    expected = {"side": 0, "count": 3, "sides": 6, "clauses": ["HX-DIE-01"], "words": "Line Troops"}
    laid = lay(None, dice=expected, fragment="#0=one")
    page = table.page
    for name in ("retreat", "God Machine", "target"):
        page.get_by_role("button", name=f"A die shows {name}").click()
    page.get_by_role("button", name="Take the last back").click()
    page.get_by_role("button", name="A die shows infantry").click()
    expect(page.get_by_role("button", name="A die shows infantry")).to_be_disabled()
    page.get_by_role("button", name="These are the dice").click()
    page.wait_for_timeout(80)
    assert [message["faces"] for message in laid.heard if message["type"] == "dice"] == [[6, 3, 1]]


# ── everyone ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_that_axe_finds(lay: Opener, table: Table, scheme: Any) -> None:
    table.page.emulate_media(color_scheme=scheme)
    for asked in (hexes.cards("ambush"), hexes.moves()):
        laid = lay(asked)
        laid.click("F8")
        # The dice have stopped.
        table.page.wait_for_timeout(1800)
        table.page.evaluate(AXE.read_text())
        value = table.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        words = [(v["id"], [n["html"][:140] for n in v["nodes"][:3]]) for v in value["violations"]]
        assert words == [], asked["prompt"]


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (360, 740)])
@pytest.mark.parametrize("text", ["100%", "200%"])
def test_it_fits_in_every_window(lay: Opener, table: Table, width: int, height: int, text: str) -> None:
    table.page.set_viewport_size({"width": width, "height": height})
    lay(hexes.cards())
    table.page.add_style_tag(content=f"html {{ font-size: {text} }}")
    table.page.wait_for_timeout(250)
    assert not table.is_wide()
    titles = table.page.locator(".fan .title")
    assert titles.evaluate_all("all => all.every(e => e.scrollWidth <= e.clientWidth + 1)")


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (360, 740)])
def test_what_is_said_of_a_hex_keeps_clear_of_the_names_of_the_sections(
    lay: Opener, table: Table, size: tuple[int, int]
) -> None:
    table.page.set_viewport_size({"width": size[0], "height": size[1]})
    words = "; ".join(["attackers -1 die, vehicles -2, God Machines 0", "vehicles in it roll 2 dice at most"] * 3)
    shown = hexes.view(hexes.moves())["picture"]
    for ground in shown["grounds"]:
        ground["words"] = words
    laid = lay(hexes.moves(), picture=shown)
    table.page.mouse.move(*laid.middle("G7"))
    says = table.page.locator(".says")
    expect(says).to_contain_text("attackers -1 die")
    box = says.bounding_box()
    assert box is not None
    names = [name.bounding_box() for name in table.page.locator(".section-name").all()]
    assert len(names) == 3
    if size[0] > 400:  # A finger's description stays until the next touch.
        table.page.mouse.move(size[0] - 40, size[1] - 40)
        expect(says.filter(has_text="attackers -1 die")).to_have_count(0)
        table.page.mouse.move(*laid.middle("G7"))
    above, below = box["y"] + box["height"], box["y"]
    assert all(name and (above <= name["y"] + 1 or name["y"] + name["height"] <= below + 1) for name in names)


def test_who_takes_over_is_told_what_the_other_side_did_and_not_what_it_did_itself(lay: Opener, table: Table) -> None:
    def line(n: int, act: int, side: int | None, text: str, *touches: int) -> dict[str, Any]:
        return {
            "n": n, "act": act, "round": 1, "side": side, "kind": "Told", "text": text, "clauses": [], "dice": [],
            "touches": list(touches), "undoes": None,
        }  # fmt: skip

    log = [
        line(1, 0, None, "Iron Concord places Scouts", 0),
        line(2, 0, None, "Ashen Horde places Line Troops", 105),
        line(3, 1, 1, "Ashen Horde plays Probe"),
        line(4, 2, 0, "Iron Concord plays Scout"),
        line(5, 3, None, "Storms strike the Ashen Horde", 105),
    ]
    whole = json.dumps({**hexes.view(), "log": log})
    table.page.route("**/api/games/hexes1?eyes=1", lambda route: route.fulfill(body=whole))
    laid = lay(hexes.cards(), fragment="#0=one&1=two")
    expect(card(table, "Probe")).to_be_visible()
    laid.tell({"type": "change", "base": 1, "seq": 2, "decisions": [], "waiting_for": [1]})
    words = table.page.get_by_role("dialog").get_by_role("listitem")
    expect(words).to_have_text(
        ["Iron Concord places Scouts.", "Iron Concord plays Scout.", "Storms strike the Ashen Horde."]
    )


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (360, 740)])
def test_who_comes_back_is_greeted_with_the_whole_recap(lay: Opener, table: Table, width: int, height: int) -> None:
    log = [
        {**hexes.attack(), "n": n, "act": n, "side": 1, "kind": "Told", "reading": None,
         "text": f"In act {n} " + "the Line Troops at D7 march over the Crossroads and fire at the Scouts " * 2}
        for n in range(1, 10)
    ]  # fmt: skip
    table.page.set_viewport_size({"width": width, "height": height})
    looked = json.dumps({"hexes1": {"0": {"n": 2, "at": 0}}})
    lay(hexes.cards(), log=log)
    table.page.add_init_script(f"localStorage['caltrop.looked'] = JSON.stringify({looked})")
    table.page.reload()
    back = table.page.get_by_role("dialog", name="Welcome back")
    heading, going = back.get_by_role("heading", name="Welcome back"), back.get_by_role("button", name="Go on")
    expect(heading).to_be_in_viewport(ratio=1)
    expect(going).to_be_in_viewport(ratio=1)
    sides = table.page.locator("main > ul").first.bounding_box()
    assert sides is not None
    assert sides["height"] < 60


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (360, 740)])
def test_of_a_long_recap_the_newest_line_is_whole_and_seen_first(
    lay: Opener, table: Table, width: int, height: int
) -> None:
    log = [
        {**hexes.attack(), "n": n, "act": n, "side": 0, "kind": "Told", "reading": None,
         "text": f"In act {n} " + "the Line Troops at D7 march over the Crossroads and fire at the Scouts " * 2}
        for n in range(1, 14)
    ]  # fmt: skip
    whole = json.dumps({**hexes.view(), "log": log})
    table.page.route("**/api/games/hexes1?eyes=1", lambda route: route.fulfill(body=whole))
    table.page.set_viewport_size({"width": width, "height": height})
    laid = lay(hexes.cards(), fragment="#0=one&1=two")
    expect(card(table, "Probe")).to_be_visible()
    laid.tell({"type": "change", "base": 1, "seq": 2, "decisions": [], "waiting_for": [1]})
    words = table.page.get_by_role("dialog").get_by_role("listitem")
    expect(words).to_have_count(13)
    expect(words.last).to_be_in_viewport(ratio=1)
    expect(words.first).not_to_be_in_viewport()
    first, newest, button = (
        one.bounding_box() for one in (words.first, words.last, table.page.get_by_role("button", name="show the table"))
    )
    assert first is not None
    assert newest is not None
    assert button is not None
    assert first["y"] < newest["y"]
    assert newest["y"] + newest["height"] <= button["y"]
    words.last.hover()
    table.page.mouse.wheel(0, -5000)
    expect(words.first).to_be_in_viewport(ratio=0.95)


def test_dice_that_strike_nobody_miss_nobody(lay: Opener, table: Table) -> None:
    attack = hexes.attack()
    struck = attack["reading"]
    dice = [{**struck["dice"][0], "result": result, "ignored": False, "by": []} for result in ("1 model", "", "", "")]
    mended = {
        **struck, "words": "Field Repair of the Line Troops at D7", "unit": 1, "target": None, "dice": dice,
        "answer": [], "answer_words": "", "answer_side": None, "answer_terms": [], "came": "1 model back",
    }  # fmt: skip
    lay(hexes.moves(), log=[{**attack, "kind": "Repaired", "reading": mended}])
    tray = table.page.get_by_role("region", name="Dice", exact=True)
    expect(tray).to_contain_text("1 model back")
    expect(tray).to_contain_text("nothing")
    expect(tray).to_contain_text("4 dice: why so many")
    expect(tray).not_to_contain_text("miss")
    expect(tray).not_to_contain_text("attack dice")
