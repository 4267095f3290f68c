"""Games that cannot be continued: the lobby says which and why, and shows their records."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.serving import serving
from tests.web.table import Table

CUT_OFF = "UPDATE events SET body = substr(body, 1, 40) WHERE game = ? AND kind = 'act'"
PLAYS_OTHERWISE = (
    "UPDATE events SET body = json_set(CAST(body AS TEXT), '$.digest', 'another') WHERE game = ? AND kind = 'act'"
)
KEEP = "known => localStorage.getItem('caltrop.games') ?? localStorage.setItem('caltrop.games', JSON.stringify(known))"
"""Script that stores the list of games that a browser has played."""


def fetch(address: str, token: str = "", message: dict[str, Any] | None = None) -> Any:
    """Return the server's answer to a request, which posts the message if there is one."""
    head = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    sent = None if message is None else json.dumps(message).encode()
    with urlopen(Request(address, sent, head), timeout=60) as answer:
        return json.load(answer)


def begin_duel(address: str) -> dict[str, Any]:
    """Begin a duel of two persons who stake nothing; return the entry that a browser stores for it."""
    expected = {
        "ruleset": "duel",
        "scenario": "bridge",
        "seats": ["person", "person"],
        "rules": {"bid.tie": "first-side"},
    }
    made = fetch(f"{address}/api/games", message=expected)
    game = f"{address}/api/games/{made['game']}"
    tokens = {str(seat["side"]): seat["token"] for seat in made["seats"]}
    for token in tokens.values():
        decision = fetch(game, token)["decisions"][0]["id"]
        answer = {"type": "answer", "decision": decision, "action": {"type": "Stake", "points": 0}}
        assert fetch(f"{game}/messages", token, answer)["type"] == "done"
    title = "Ash v Briar"
    return {"id": made["game"], "ruleset": "duel", "title": title, "tokens": tokens, "seen": 0, "over": False}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Run a server with three games: one damaged, one that plays differently by today's rules, and a sound one."""
    database = tmp_path_factory.mktemp("shelf") / "games.db"
    with serving(database) as address:
        games = [begin_duel(address) for _ in range(3)]
    spoil(database, CUT_OFF, games[0])
    spoil(database, PLAYS_OTHERWISE, games[1])
    with serving(database) as address:
        yield address, games


def spoil(database: Path, words: str, game: dict[str, Any]) -> None:
    """Change the stored rows of both acts of a game."""
    with closing(sqlite3.connect(database)) as connection, connection:
        assert connection.execute(words, (game["id"],)).rowcount == 2


@pytest.fixture
def player(page: Page, shelf: tuple[str, list[dict[str, Any]]]) -> tuple[Table, str, str, str]:
    """Return a browser that has played the three games, and their ids."""
    address, games = shelf
    page.add_init_script(f"({KEEP})({json.dumps(games)})")
    damaged, otherwise, well = (game["id"] for game in games)
    return Table(page, address), damaged, otherwise, well


def line_of(page: Page, game: str) -> Locator:
    """Return the entry of a game in the lobby."""
    return page.get_by_role("listitem").filter(has=page.locator(f'a[href="{game}"]'))


def test_the_lobby_says_which_games_are_damaged_and_which_have_other_rules(player: tuple[Table, str, str, str]) -> None:
    table, damaged, otherwise, well = player
    # The list replays no game, so the server learns that a game plays differently only when it is opened.
    table.open(f"/{otherwise}")
    words = table.page.get_by_role("status").filter(has_text="shown as it was recorded")
    expect(words).to_be_visible(timeout=60_000)
    table.open("/")
    expect(line_of(table.page, damaged)).to_contain_text("damaged", timeout=60_000)
    expect(line_of(table.page, otherwise)).to_contain_text("the rules have changed")
    expect(line_of(table.page, well)).to_contain_text("Ash v Briar")
    expect(line_of(table.page, well)).not_to_contain_text(re.compile("damaged|rules"))
    assert not table.errors


def test_a_damaged_game_says_so_when_it_is_opened_and_the_others_go_on(player: tuple[Table, str, str, str]) -> None:
    table, damaged, _, well = player
    table.open(f"/{damaged}")
    main = table.page.get_by_role("main")
    expect(main.get_by_text("This game is damaged: event 4 cannot be read")).to_be_visible(timeout=60_000)
    expect(table.question).to_have_count(0)
    table.open(f"/{well}")
    table.button(re.compile("show the table")).or_(table.question).first.wait_for()
    expect(table.page.get_by_text("shown as it was recorded")).to_have_count(0)
    assert not table.errors


def test_a_game_that_plays_otherwise_today_is_shown_as_it_was_recorded(player: tuple[Table, str, str, str]) -> None:
    table, _, otherwise, _ = player
    table.open(f"/{otherwise}")
    words = table.page.get_by_role("status").filter(has_text="This game is shown as it was recorded")
    expect(words).to_contain_text(re.compile(r"to go on, it needs Caltrop .*version \d+ of the rules"), timeout=60_000)
    expect(table.log).to_contain_text("Ash stakes 0 and Briar stakes 0")
    expect(table.question).to_have_count(0)
    assert not table.errors
