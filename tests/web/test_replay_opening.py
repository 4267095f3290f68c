"""A replay opens with its first moments and loads the others afterwards."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.web.table import Table

REST = re.compile(r"/moments\?.*from=[1-9]")


@pytest.fixture
def battle(table: Table) -> str:
    """Return a finished battle of computer players with more than 20 acts."""
    expected = {"ruleset": "duel", "scenario": "crossroads", "seats": ["random", "random"]}
    for _ in range(10):
        game: str = table.page.request.post(table.address + "/api/games", data=expected).json()["game"]
        view: dict[str, Any] = {"over": None}
        for _ in range(400):
            view = table.page.request.get(f"{table.address}/api/games/{game}").json()
            if view["over"]:
                break
            table.page.wait_for_timeout(50)
        if view["over"] and view["act"] > 20:
            return game
    raise AssertionError("no battle is long enough")


def test_the_first_moments_can_be_looked_at_before_the_others_are_there(table: Table, battle: str) -> None:
    page = table.page
    all_moments = page.request.get(f"{table.address}/api/games/{battle}/moments").json()["moments"]
    last = len(all_moments) - 1
    assert last > 20
    held: list[Route] = []
    page.route(REST, lambda route: held.append(route))
    table.open(f"/replay/{battle}")
    line = page.get_by_role("region", name="Timeline")
    expect(line).to_contain_text(f"moment 0 of {last}")
    on = line.get_by_role("button", name="Next", exact=True)
    on.click()
    expect(line).to_contain_text(f"moment 1 of {last}")
    expect(table.log.get_by_role("listitem")).to_have_count(len(all_moments[1]["lines"]))
    # The page does not know yet where the next turn starts, and cannot draw the end.
    for _ in range(14):
        on.click()
    expect(line.get_by_role("button", name="Next turn")).to_be_disabled()
    page.keyboard.press("End")
    expect(line).to_contain_text(f"moment {last} of {last}")
    over = page.get_by_role("heading", name=re.compile("wins|A draw"))
    expect(over).to_have_count(0)
    assert len(held) == 1
    held[0].continue_()
    expect(over).to_be_visible()
    page.keyboard.press("Home")
    line.get_by_role("button", name="Next turn").click()
    expect(line).not_to_contain_text("moment 0 of")
    # The strip has a frame for each turn and one for the end. The frame of the current turn is marked.
    frames = page.get_by_role("group", name="Turns").get_by_role("button")
    turns = len({(one["active"], one["lines"][0]["round"]) for one in all_moments[1:] if one["lines"]})
    assert frames.count() >= turns > 2
    frames.last.click()
    expect(line).to_contain_text(f"moment {last} of {last}")
    expect(frames.last).to_have_attribute("aria-current", "true")
    frames.nth(1).click()
    expect(frames.nth(1)).to_have_attribute("aria-current", "true")
    expect(line.get_by_role("heading")).to_contain_text(frames.nth(1).get_attribute("title") or "?")
    newest = table.log
    expect(newest).to_contain_text(all_moments[int(told_at(line))]["lines"][0]["text"])
    assert table.errors == []


def test_a_link_to_a_late_moment_opens_with_it(table: Table, battle: str) -> None:
    table.page.route(REST, lambda route: None)
    table.open(f"/replay/{battle}?at=18&eyes=none")
    expect(table.page.get_by_role("region", name="Timeline")).to_contain_text("moment 18 of")
    expect(table.log.get_by_role("listitem").first).to_be_visible()
    assert table.errors == []


def told_at(line: Locator) -> str:
    match = re.search(r"moment (\d+) of", line.inner_text())
    assert match is not None
    return match[1]


@pytest.mark.parametrize("width", [1440, 360])
def test_every_number_of_a_round_has_room(table: Table, width: int) -> None:
    """In a long game some rounds have no number. No number is cut off or overlaps another."""
    page = table.page
    page.set_viewport_size({"width": width, "height": 740})
    expected = {"ruleset": "hex-command", "scenario": "first-battle", "seats": ["easy", "easy"]}
    game, played = "", 0
    # some battles end sooner
    for _ in range(6):
        game = page.request.post(table.address + "/api/games", data=expected).json()["game"]
        for _ in range(300):
            view = page.request.get(f"{table.address}/api/games/{game}").json()
            played = view["picture"]["stage"]["round"]
            if view["over"] or played >= 12:
                break
            page.wait_for_timeout(100)
        if played >= 6:
            break
    assert played >= 6
    table.open(f"/replay/{game}?at=12")
    line = page.get_by_role("region", name="Timeline")
    expect(line).to_contain_text("moment 12 of")
    numbers = line.locator(".bar b")
    expect(numbers.nth(3)).to_be_visible()
    page.wait_for_timeout(500)
    bar = line.locator(".bar").bounding_box()
    assert bar is not None
    boxes = sorted(
        numbers.evaluate_all(
            "all => all.map(e => [e.getBoundingClientRect().left, e.getBoundingClientRect().right, e.scrollWidth])"
        )
    )
    for (left, right, wide), after in zip(boxes, [*boxes[1:], [bar["x"] + bar["width"] + 2]], strict=True):
        assert bar["x"] - 1 <= left
        assert right <= after[0] - 1
        assert wide <= right - left + 1
    now = line.locator(".bar b.now")
    expect(now).to_have_count(1)
    asked = re.search(r"Round (\d+)", line.inner_text())
    assert asked is not None
    expect(now).to_have_text(asked[1])
    clipped = line.locator(".bar b").evaluate_all(
        "all => all.filter(e => getComputedStyle(e.parentElement).overflow !== 'visible').length"
    )
    assert clipped == 0


def test_ones_own_games_are_listed_with_their_replays(table: Table) -> None:
    page = table.page
    table.open("/replay")
    own = page.get_by_role("region", name="Your games")
    expect(own).to_contain_text("No game has been played in this browser yet")
    first = table.begin("person", "person")
    expect(table.question).not_to_be_empty()
    second = table.begin("person", "random")
    expect(table.question).not_to_be_empty()
    expected = {"ruleset": "duel", "scenario": "bridge", "seats": ["random", "random"]}
    watched = page.request.post(table.address + "/api/games", data=expected).json()["game"]
    table.open(f"/{watched}")
    expect(table.log.get_by_role("listitem").first).to_be_visible()
    table.open("/replay")
    links = own.get_by_role("listitem").get_by_role("link")
    expect(links).to_have_count(3)
    assert [link.evaluate("link => link.pathname") for link in links.all()] == [
        f"/replay/{id}" for id in (watched, second, first)
    ]
    expect(own.get_by_role("listitem").nth(1)).to_contain_text("against the Random")
    expect(own.get_by_role("listitem").nth(2)).to_contain_text("both sides here")
    links.nth(1).click()
    expect(page.get_by_role("region", name="Timeline")).to_contain_text("moment 0 of")
    assert table.errors == []


def shown_words(line: dict[str, Any]) -> str:
    """Return a line as the page shows it under the sides, in lower case and without a full stop."""
    reading = line["reading"]
    return (f"{reading['words']}: {reading['came']}" if reading else line["text"]).strip(". ").lower()


def test_slider_and_table_are_one_while_a_replay_plays(table: Table, battle: str) -> None:
    page = table.page
    moments = page.request.get(f"{table.address}/api/games/{battle}/moments").json()["moments"]
    last = len(moments) - 1
    lines: list[list[str]] = []
    for one in moments:
        texts = [shown_words(line) for line in one["lines"] if line["kind"] != "Rolled"]
        lines.append(texts or (lines[-1][-1:] if lines else [""]))
    begin = next(n for n in range(last - 4, 0, -1) if moments[n]["lines"])
    table.open(f"/replay/{battle}?at={begin}")
    line = page.get_by_role("region", name="Timeline")
    words = page.locator("p.words")
    expect(words).to_have_text(re.compile(re.escape(lines[begin][-1]), re.IGNORECASE))
    line.get_by_role("button", name="Play", exact=True).click()
    pause = line.get_by_role("button", name="Pause", exact=True)
    seen, text = set(), ""
    for _ in range(600):
        at, text, playing = page.evaluate(
            """() => [Number(document.querySelector("input[type=range]").value),
                document.querySelector("p.words").innerText,
                document.querySelector(".play").innerText.trim() === "Pause"]"""
        )
        seen.add(at)
        # The slider is at most one moment ahead of the table, namely while that moment is animated.
        assert text.strip(". ").lower() in {*lines[at - 1][-1:], *lines[at]}, (at, text, lines[at - 1], lines[at])
        if not playing:
            break
        page.wait_for_timeout(40)
    assert seen == set(range(begin, last + 1))
    assert text.strip(". ").lower() == lines[last][-1]
    # A pause during an animation shows the moment at the slider, and the replay continues from there.
    page.goto(f"{table.address}/replay/{battle}?at={begin}")
    expect(words).to_have_text(re.compile(re.escape(lines[begin][-1]), re.IGNORECASE))
    line.get_by_role("button", name="Play", exact=True).click()
    expect(line).to_contain_text(f"moment {begin + 1} of")
    pause.click()
    expect(line).to_contain_text(f"moment {begin + 1} of")
    expect(words).to_have_text(re.compile(re.escape(lines[begin + 1][-1]), re.IGNORECASE))
    line.get_by_role("button", name="Next", exact=True).click()
    expect(line).to_contain_text(f"moment {begin + 2} of {last}")
    assert table.errors == []
