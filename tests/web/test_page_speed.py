"""The size of the page, and how soon an act is shown. `benchmarks/bench_page.py` measures frames."""

from __future__ import annotations

import gzip
from statistics import median

import pytest
from playwright.sync_api import Response, expect

from benchmarks import bench_page
from tests.web.counted import Counted
from tests.web.table import Table
from tests.web.test_drawing import Scenery

UNTIL_SHOWN = """async () => {
  const confirm = document.querySelector('.bar .confirm');
  const before = document.querySelector('#question').innerText;
  const start = performance.now();
  confirm.click();
  while (document.querySelector('#question')?.innerText === before) {
    await new Promise((done) => requestAnimationFrame(done));
    if (performance.now() - start > 5000) throw new Error('nothing has changed');
  }
  return performance.now() - start;
}"""


class Fetched:
    """Counts the compressed bytes that the page fetches from its server, and lists requests to other servers."""

    def __init__(self, table: Table) -> None:
        self.sizes: dict[str, int] = {}
        self.foreign: list[str] = []
        self._home = table.address
        table.page.on("response", self._count)

    def _count(self, response: Response) -> None:
        address = response.url
        # Pictures that the page has painted itself need no request.
        if address.startswith(self._home):
            packed = address.endswith((".webp", ".woff2"))
            self.sizes[address] = len(response.body() if packed else gzip.compress(response.body(), 6))
        elif not address.startswith(("data:", "blob:")):
            self.foreign.append(address)

    @property
    def bytes(self) -> int:
        return sum(self.sizes.values())


def test_the_lobby_is_small(table: Table) -> None:
    table.page.set_viewport_size({"width": 1440, "height": 900})
    fetched = Fetched(table)
    table.open()
    expect(table.button("Play now").first).to_be_enabled(timeout=20000)  # the server may have just started
    table.page.wait_for_load_state("networkidle")
    table.page.wait_for_timeout(1000)  # requests that wait until the page is idle count too
    assert len(fetched.sizes) >= 4
    assert fetched.bytes < 250_000, fetched.sizes
    assert fetched.foreign == []


@pytest.mark.painted
@pytest.mark.parametrize(
    ("ruleset", "scenario"), [("command-horizon", "first-battle"), ("hex-command", "first-battle")]
)
def test_a_table_is_small(table: Table, ruleset: str, scenario: str) -> None:
    """The painter counts too, as for a visitor who follows a link."""
    fetched = Fetched(table)
    player = Counted.begin(table, ruleset=ruleset, scenario=scenario, placed=True)
    player.open()
    table.page.wait_for_load_state("networkidle")
    assert fetched.bytes < 300_000, fetched.sizes
    assert fetched.foreign == []


def test_the_rules_are_there_with_two_answers(table: Table) -> None:
    """The page needs only the list of games and the text. Data that takes longer to prepare comes later."""
    asked: list[str] = []
    sizes: dict[str, int] = {}

    def count(response: object) -> None:
        address = response.url  # type: ignore[attr-defined]
        sizes[address] = len(gzip.compress(response.body(), 6))  # type: ignore[attr-defined]

    # The examples are never answered, and nothing may wait for them.
    table.page.route("**/examples*", lambda route: None)
    table.page.on("request", lambda request: asked.append(request.url.removeprefix(table.address)))
    table.page.on("response", count)
    table.open("/rules/command-horizon")
    expect(table.page.locator(".sections dl").first).to_be_visible()
    answers = {address for address in asked if address.startswith("/api/") and "examples" not in address}
    assert answers == {"/api/catalogue", "/api/rules/command-horizon/text"}
    assert sum(sizes.values()) < 300_000, sizes


def test_an_act_is_on_the_screen_at_once(table: Table) -> None:
    """The test takes the median, because single acts may be late on a busy machine."""
    took = []
    for _ in range(5):
        table.begin("person", "random")
        expect(table.question).to_contain_text("stake for the first turn")
        table.page.locator(".orders").get_by_role("button", name="Stake").first.click()
        expect(table.confirm).to_be_enabled()
        took.append(table.page.evaluate(UNTIL_SHOWN))
    assert median(took) < 100, took


def test_frames_are_read_from_a_trace() -> None:
    """Nested events are counted once, each under its own kind. A frame ends when it is handed to the compositor."""

    def event(name: str, ts: int, dur: int, thread: int = 1) -> dict[str, object]:
        return {"name": name, "ph": "X", "ts": ts, "dur": dur, "tdur": dur, "pid": 1, "tid": thread}

    def end(ts: int) -> dict[str, object]:
        return {"name": bench_page.FRAME, "ph": "I", "ts": ts, "pid": 1, "tid": 1}

    events = [
        event("EventDispatch", 0, 5000),
        event("FunctionCall", 500, 4000),
        event("Layout", 1000, 2000),
        end(6000),
        event("FireAnimationFrame", 7000, 1000),
        event("UpdateLayoutTree", 8000, 3000),
        event("EventDispatch", 7000, 900, thread=2),
        end(12000),
        event("Layout", 13000, 1000),
        end(15000),
    ]
    result = bench_page.sorted_by_frames("a test", events)
    assert result.script == [3.0, 1.0]
    assert result.style == [0.0, 3.0]
    assert result.layout == [2.0, 0.0]
    assert result.all == [5.0, 4.0]
    picture = bench_page.field()
    assert len(picture["groups"]) == bench_page.UNITS
    assert sum(len(group["pieces"]) for group in picture["groups"]) == bench_page.MODELS


def test_the_table_that_is_measured_has_its_remains(table: Table) -> None:
    picture = bench_page.field()
    Scenery(table.page, table.address, picture=picture, fallen=bench_page.lying(picture))
    expect(table.page.locator("[data-fallen]")).to_have_count(bench_page.FALLEN)
    assert table.errors == []
