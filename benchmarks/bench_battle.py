"""Measures how soon the page shows an act of a battle, and a chosen moment of a recorded battle.

The battle has 7 units on each side, both sides at one screen, and no computer player. For each act two times are
measured: the elapsed time from the click to the frame, and the processor time of the page's main thread and the whole
server. `python -m benchmarks.bench_page` writes the results into notebook/page-performance.md, with those of the
frames.
"""

from __future__ import annotations

import random
import re
import time
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Page

from benchmarks.clock import busy, servers

BATTLE = {"ruleset": "command-horizon", "scenario": "first-battle", "armies": ["alliance-7", "asori-7"]}
"""Settings of a battle in which both armies are on the table from the start."""

MOST_ACT, MOST_MOMENT = 100, 200
"""Longest times in milliseconds until an act is visible, and until a moment of a replay is visible."""

DRAWN = """const drawn = () => new Promise((done) => setTimeout(done));"""
"""Script with a promise for a time after a frame is painted. It is called in the callback of the frame.

A task that waits for a timer runs after the style, layout and paint of that frame.
"""

UNTIL_SHOWN = (
    "async () => {"
    + DRAWN
    + """
  const now = () => (document.querySelector('#question')?.innerText ?? '')
    + document.querySelectorAll('[role=log] li').length + document.querySelectorAll('.orders li button').length;
  const before = now();
  const start = performance.now();
  document.querySelector('.bar .confirm').click();
  while (now() === before) {
    await new Promise((done) => requestAnimationFrame(done));
    if (performance.now() - start > 5000) throw new Error('nothing has changed');
  }
  await drawn();
  return performance.now() - start;
}"""
)

SEEK = (
    "async (at) => {"
    + DRAWN
    + """
  const range = document.querySelector('input[type=range]');
  const words = () => document.querySelector('section[aria-label=Timeline] h2').innerText;
  const start = performance.now();
  range.value = at;
  range.dispatchEvent(new Event('input', { bubbles: true }));
  while (!words().includes(`moment ${at} of`)) {
    await new Promise((done) => requestAnimationFrame(done));
    if (performance.now() - start > 5000) throw new Error(`moment ${at} is not shown`);
  }
  await drawn();
  return performance.now() - start;
}"""
)


class Took(NamedTuple):
    """Milliseconds of several measured actions of the page."""

    what: str
    each: list[float]
    """Elapsed milliseconds of each."""
    busy: list[float]
    """Processor time of each in milliseconds: the page's main thread and the server's threads together."""
    most: int
    """The target in milliseconds."""

    def line(self) -> str:
        """Return a row of a table: the number of measurements, the median and maximum of both times, and the target."""
        cells = [f"{pick(times):.0f} ms" for times in (self.each, self.busy) for pick in (median, max)]
        return f"| {self.what} | {len(self.each)} | {' | '.join(cells)} | {self.most} ms |"


class Clock:
    """Measures the processor time that a page and its server have used."""

    def __init__(self, page: Page) -> None:
        self.cdp = page.context.new_cdp_session(page)
        self.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.servers = servers()

    def now(self) -> float:
        metrics = {one["name"]: one["value"] for one in self.cdp.send("Performance.getMetrics")["metrics"]}
        done: float = metrics["TaskDuration"] * 1000
        return done + busy(self.servers)


def sit_down(page: Page, address: str, **expected: Any) -> str:
    """Make a battle, open it with the secrets of its two players, and return its id."""
    words = page.request.post(f"{address}/api/games", data={**BATTLE, **expected}).json()
    # Every act needs a confirmation, so that its preparation is not measured.
    page.add_init_script("localStorage['caltrop.confirming'] = 'always'")
    fragment = "&".join(f"{seat['side']}={seat['token']}" for seat in words["seats"] if seat["token"])
    page.goto(f"{address}/{words['game']}#{fragment}")
    game: str = words["game"]
    return game


def acts(page: Page, address: str, times: int = 60) -> Took:
    """Measure the time from the click that confirms an act to the frame that shows the result.

    Each side moves all its units forward, chooses targets where it has some, and throws its dice. Then the other side
    does.
    """
    sit_down(page, address, seats=["person", "person"])
    clock = Clock(page)
    took: list[float] = []
    busy: list[float] = []
    moved: set[str] = set()
    for _ in range(10 * times):
        if len(took) == times:
            break
        if prepare(page, moved):
            before = clock.now()
            took.append(page.evaluate(UNTIL_SHOWN))
            busy.append(clock.now() - before)
    return Took("an act of a battle of 7 units a side", took, busy, MOST_ACT)


def prepare(page: Page, moved: set[str]) -> bool:
    """Prepare the next act of the page. Return whether there is one."""
    curtain = page.get_by_label(re.compile("Do not show this again"))
    curtain.or_(page.locator("#question")).first.wait_for()
    if curtain.count():
        curtain.click()
        page.locator("#question").wait_for()
    question = page.locator("#question").inner_text()
    if "moves" in question and _move_the_next(page, f"{page.locator('.round').inner_text()} {question[:9]}", moved):
        pass
    elif (fire := page.locator(".orders li button").filter(has_text=re.compile("^Fire at"))).count():
        fire.first.click()
    elif page.locator(".bar .end:enabled").count():
        page.locator(".bar .end").click()
    elif page.locator(".orders li button").count():
        page.locator(".orders li button").first.click()
    for _ in range(40):
        if page.locator(".bar .confirm").is_enabled():
            return True
        page.wait_for_timeout(25)
    page.keyboard.press("Escape")
    return False


def _move_the_next(page: Page, turn: str, moved: set[str]) -> bool:
    """Move by keys the next unit that has not moved in this turn. Return whether there is one."""
    for row in page.locator("[data-row]").filter(has_text="may act").all():
        unit = f"{turn} {row.get_attribute('data-row')}"
        if unit not in moved:
            moved.add(unit)
            row.click()
            page.evaluate("document.activeElement.blur()")
            for _ in range(5):
                page.keyboard.press("Shift+ArrowUp")
            return True
    return False


def moments(page: Page, address: str, times: int = 24, seed: int = 1) -> tuple[Took, list[float], int]:
    """Measure how long a replay takes to show random moments.

    Returns:
        Milliseconds for each random moment; milliseconds to open the replay, measured three times; the number of
            the last moment. All times are elapsed.
    """
    words = page.request.post(
        f"{address}/api/games",
        data={**BATTLE, "seats": ["easy", "easy"]},
    ).json()
    view = page.request.get(f"{address}/api/games/{words['game']}").json()
    for _ in range(600):
        if view["over"] is not None:
            break
        time.sleep(0.2)
        view = page.request.get(f"{address}/api/games/{words['game']}").json()
    opened = []
    for _ in range(3):
        start = time.monotonic()
        page.goto(f"{address}/replay/{words['game']}")
        page.locator("section[aria-label=Timeline]").wait_for()
        opened.append((time.monotonic() - start) * 1000)
    last = int(page.locator("input[type=range]").get_attribute("max") or 0)
    clock, by = Clock(page), random.Random(seed)
    for at in (last, 0, last // 2):
        page.evaluate(SEEK, at)
    took, busy = [], []
    for _ in range(times):
        before = clock.now()
        took.append(page.evaluate(SEEK, by.randrange(last + 1)))
        busy.append(clock.now() - before)
    return Took("any moment of a recorded battle", took, busy, MOST_MOMENT), opened, last
