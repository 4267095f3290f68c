"""People in browsers play at a server of two workers on PostgreSQL: a worker is killed, and a club holds a
tournament.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.server.postgresql import PostgreSQL, missing
from tests.server.several import Hand, Several, fetch, several, storage_faults
from tests.web.table import Table
from tests.web.test_with_a_friend import guest
from tests.web.whole import ANSWERS, ROOM, question_and_log

SLOW = 60_000
"""Milliseconds that a page may take on a busy machine."""

GAMES = 24
"""Number of games that are played at the same time."""

ACTS = 3
"""Number of acts of a person in each game of the tournament, after which the person gives up."""

PREPARED = "() => document.querySelector('.prepared')?.innerText ?? ''"

PAUSE = 0.3
"""Seconds that a program waits before an act."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    """Run a server of two workers."""
    if why := missing():
        pytest.skip(why)
    postgresql = PostgreSQL()
    try:
        folder: Path = tmp_path_factory.mktemp("evening")
        with several(folder, postgresql.database(), 2, "--proxy", "127.0.0.1") as running:
            yield running
    finally:
        postgresql.remove()


def answer(table: Table) -> bool:
    """Give the first answer to the current question of a page; return False if there is none."""
    page = table.page
    if page.evaluate(ROOM) != "asked":
        return False
    before = question_and_log(page)
    if page.locator(".end").count():
        page.keyboard.press("Shift+Enter")
        table.settle("Shift+Enter")
    else:
        if not page.locator(ANSWERS).count():
            page.keyboard.press("n")
        page.locator(ANSWERS).first.focus()
        page.keyboard.press("Enter")
        table.settle("Enter")
    until = time.monotonic() + 60
    while question_and_log(page) == before and (words := page.evaluate(PREPARED)) != "":
        assert time.monotonic() < until, words
        page.wait_for_timeout(100)  # the page repeats what it sent to a killed worker
    return True


def play(tables: Sequence[Table], acts: int, seconds: float = 200.0) -> None:
    """Play some acts on the pages of a game."""
    done, until = 0, time.monotonic() + seconds
    while done < acts:
        assert time.monotonic() < until, f"{done} of {acts} acts"
        now = sum(answer(table) for table in tables)
        done += now
        if not now:
            tables[0].page.wait_for_timeout(50)


@pytest.mark.slow
def test_two_at_browsers_go_on_when_the_worker_of_their_game_is_killed(browser: Browser, server: Several) -> None:
    server.wait_for_workers(2)
    status, made = fetch(server.address, "/api/games", {"ruleset": "duel", "seats": ["person", "person"]})
    assert status == 201
    game, tables = made["game"], [guest(browser, server.address, name) for name in ("Anna", "Bela")]
    for side, table in enumerate(tables):
        table.open(f"/{game}#{side}={made['seats'][side]['token']}")
        expect(table.question).not_to_be_empty(timeout=SLOW)
    killed: list[str] = []
    for acts in (2, 4, 4):
        play(tables, acts)
        killed.append(server.owner(game))
        server.kill(killed[-1])
    play(tables, 2)
    assert len(set(killed)) == 3
    views = [fetch(server.address, f"/api/games/{game}", tokens=seat["token"])[1] for seat in made["seats"]]
    assert views[0]["act"] == views[1]["act"] >= 12
    for table, view in zip(tables, views, strict=True):
        expect(table.log).to_contain_text(view["log"][-1]["text"], timeout=SLOW)
    assert [table.errors for table in tables] == [[], []]
    server.wait_for_workers(2)


def give_up(table: Table, game: str) -> None:
    """Give up a game in a browser; the other side may have given up before."""
    resigns = """game => fetch(`/api/games/${game}/messages`, {
      method: "POST", body: JSON.stringify({ type: "resign" }),
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${localStorage.getItem("caltrop.me")}` },
    }).then((answer) => answer.json())"""
    result = table.page.evaluate(resigns, game)
    assert result["type"] == "done" or result["code"] == "over", result


class Member:
    """A program that is a member of the club and plays its games of a tournament.

    Args:
        address: The server.
        name: The name of the program.
        club: The club that the program joins.
    """

    def __init__(self, address: str, name: str, club: str) -> None:
        self.address, self.key = address, f"me-{secrets.token_hex(24)}"
        self.id = self.ask("/api/me", {"name": name})["person"]
        self.ask("/api/me/bot", {})
        self.ask(f"/api/clubs/{club}/join", {})

    def ask(self, path: str, body: Any = None) -> Any:
        """Return the server's answer to a request of this member."""
        status, result = Hand._until(
            lambda: fetch(self.address, path, body, tokens=self.key, key=secrets.token_hex(16))
        )
        assert status < 400, (path, result)
        return result

    def act(self, game: str) -> bool:
        """Give the first answer to this member's question in a game; return False if there is none."""
        asks = self.ask(f"/api/games/{game}")["decisions"]
        if not asks:
            return False
        message = {"type": "answer", "decision": asks[0]["id"], "action": asks[0]["offers"][0]["action"]}
        self.ask(f"/api/games/{game}/messages", message)
        return True


@pytest.mark.slow
def test_an_evening_of_a_club(browser: Browser, server: Several) -> None:
    """Two people at browsers and two programs play a tournament, while programs play the other games."""
    address, ending = server.address, threading.Event()
    anna, bela = guest(browser, address, "Anna"), guest(browser, address, "Bela")
    anna.open("/people")
    anna.page.get_by_label("A club of your own").fill("Thursday", timeout=SLOW)
    anna.button("Make it").click()
    anna.page.wait_for_url(re.compile("/club/"), timeout=SLOW)
    club = urlsplit(anna.page.url).path.rpartition("/")[2]
    bela.page.goto(anna.page.url)
    bela.button("Join this club").click(timeout=SLOW)
    programs = [Member(address, name, club) for name in ("Tick", "Tock")]
    anna.page.reload()
    expect(anna.page.get_by_role("heading", name="4 members")).to_be_visible(timeout=SLOW)
    anna.page.get_by_text("Plan a tournament").click()
    anna.page.get_by_role("textbox", name="Name").fill("Cup")
    anna.page.get_by_label("Form").select_option("all")
    anna.page.get_by_label("Game").select_option("duel")
    anna.button("Plan it").click()
    anna.button("Enter").click(timeout=SLOW)
    (cup,) = fetch(address, f"/api/clubs/{club}")[1]["tournaments"]
    for one in programs:
        one.ask(f"/api/tournaments/{cup['id']}/enter", {"on": True})
    bela.page.reload()
    bela.button("Enter").click(timeout=SLOW)
    expect(bela.button("Enter")).to_have_count(0, timeout=SLOW)
    anna.page.reload()
    anna.button("Begin").click(timeout=SLOW)
    expect(anna.page.get_by_role("link", name="they play").first).to_be_visible(timeout=SLOW)
    ids = {one["name"]: one["person"] for one in fetch(address, f"/api/clubs/{club}")[1]["members"]}
    tables = {ids["Anna"]: anna, ids["Bela"]: bela}
    hands, faults, peak = list[Hand](), list[BaseException](), 0

    def others(number: int) -> None:
        try:
            while not ending.is_set():
                hand = Hand(address, number * 1000 + len(hands))
                hands.append(hand)
                while not ending.wait(PAUSE) and hand.act():
                    pass
        except BaseException as error:  # noqa: BLE001  it is raised in the other thread
            faults.append(error)

    def tournament() -> dict[str, Any]:
        _, now = Hand._until(lambda: fetch(address, f"/api/tournaments/{cup['id']}"))
        result: dict[str, Any] = now
        return result

    threads = [threading.Thread(target=others, args=(number,)) for number in range(GAMES - 2)]
    for thread in threads:
        thread.start()
    where: dict[str, str] = {}
    acts: dict[str, int] = {}
    try:
        until = time.monotonic() + 400
        while (now := tournament())["entry"]["stage"] != "over":
            assert time.monotonic() < until, now["rounds"]
            assert not faults, faults
            going = [pairing for pairing in now["rounds"][-1] if pairing["score"] is None]
            peak = max(peak, len(going) + sum(not hand.over for hand in hands))
            for pairing in going:
                for person in pairing["people"]:
                    table = tables.get(person)
                    if table is None:
                        next(one for one in programs if one.id == person).act(pairing["game"])
                        continue
                    if where.get(person) != pairing["game"]:
                        table.open(f"/{pairing['game']}")
                        expect(table.question).not_to_be_empty(timeout=SLOW)
                        where[person], acts[person] = pairing["game"], 0
                    acts[person] += answer(table)
                    if acts[person] == ACTS:  # a whole battle takes long in a browser on a busy machine
                        give_up(table, pairing["game"])
    finally:
        ending.set()
        for thread in threads:
            thread.join(120)
    assert not faults, faults
    assert peak >= GAMES
    table = now["table"]
    assert sum(line["points"] for line in table) == 6
    assert len(now["rounds"]) == 3
    anna.page.goto(f"{address}/club/{club}")
    expect(anna.page.get_by_role("table")).to_contain_text("Tick", timeout=SLOW)
    assert not storage_faults(server, hands)
    assert sum(len(hand.acknowledged) for hand in hands) > GAMES
    assert anna.errors == bela.errors == []
