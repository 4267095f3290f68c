"""A ruleset and a bot of other packages are played in the browser."""

from __future__ import annotations

import os
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.web.serving import serving
from tests.web.table import Table

SITE = Path(__file__).parents[1] / "outside" / "site"


def test_a_game_from_outside_is_played_to_its_end_against_its_bot(page: Page, tmp_path: Path) -> None:
    with serving(tmp_path / "games.db", {**os.environ, "PYTHONPATH": str(SITE)}) as address:
        table = Table(page, address)
        table.open()
        expect(page.get_by_text("Heaps", exact=True).first).to_be_visible(timeout=30_000)
        table.begin("person", "counter", ruleset="heaps", scenario="twelve")
        for left in ("12", "8", "4"):
            # The bot's first answer waits until its worker has started.
            expect(table.question).to_have_text(re.compile(f"How many of {left} stones"), timeout=60_000)
            table.choose("Take 1")
        expect(page.get_by_text("B has taken the last stone").first).to_be_visible(timeout=30_000)
        assert table.errors == []
