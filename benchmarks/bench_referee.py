"""Measures the referee's page without a network: `python -m benchmarks.bench_referee` prints a table.

Headless Chromium opens the page on a local server, downloads the rules, and is disconnected. Then the page is opened
again, and one attack of each game is settled in it.
"""

from __future__ import annotations

import json
import os
import re
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.pictures import serving
from caltrop.engine import rulesets

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


def main() -> None:
    with serving() as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM)
        print("| game | download | opened again until the form is there | each further answer |")
        print("|---|---:|---:|---:|")
        for game in rulesets():
            print(_row(browser, address, game), flush=True)
        browser.close()


def _row(browser: Browser, address: str, game: str) -> str:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/referee?ruleset={game}")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_text("Attacks work without a network.").wait_for(timeout=120_000)
    kit = json.loads(page.request.get(f"{address}/api/referee/kit").text())
    sent = sum(file["sent"] for file in kit["files"])
    context.set_offline(True)
    page.reload()
    begun = perf_counter()
    page.get_by_role("button", name="Settle an attack").click()
    page.get_by_role("button", name="Settle this attack").wait_for(timeout=120_000)
    seconds = perf_counter() - begun
    answers = _settle(page)
    context.close()
    return f"| {game} | {sent / 1e6:.1f} MB | {seconds:.1f} s | {1000 * median(answers):.0f} ms |"


def _settle(page: Page) -> list[float]:
    """Return the seconds that each request of an attack with thrown dice took."""
    done, throw = page.get_by_role("region", name="The result"), page.get_by_role("button", name=re.compile("^Throw "))
    button, took = page.get_by_role("button", name="Settle this attack"), list[float]()
    while not done.count():
        begun = perf_counter()
        button.click()
        page.wait_for_function("() => document.querySelector('.settle button:disabled') === null")
        done.or_(throw).first.wait_for()
        took.append(perf_counter() - begun)
        button = throw
    return took


if __name__ == "__main__":
    main()
