"""The page in another language: chosen in the settings, used at every table, without changing people's own words."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.table import Table

ENGLISH = re.compile(r"\b(the|which|your|units|turn|wins|moves)\b", re.IGNORECASE)
GAMES = [
    ("command-horizon", "first-battle", ["easy"]),
    ("hex-command", "first-battle", ["easy"]),
    ("blade-skirmish", "cut-them-down", []),
    ("squad-action", "first-battle", ["easy"]),
]


def test_a_language_is_chosen_in_the_settings_and_stays(table: Table) -> None:
    page = table.page
    table.open("/settings")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible(timeout=20_000)
    assert page.locator("html").get_attribute("lang") == "de"
    table.open("/")
    expect(page.get_by_role("link", name="Lernen", exact=True)).to_be_visible(timeout=20_000)
    table.open("/settings")
    page.get_by_label("Sprache").select_option("en")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible(timeout=20_000)


@pytest.mark.parametrize(("ruleset", "scenario", "others"), GAMES)
def test_a_table_is_played_in_another_language(table: Table, ruleset: str, scenario: str, others: list[str]) -> None:
    page = table.page
    page.add_init_script("localStorage.setItem('caltrop.language', 'de')")
    table.begin("person", *others, ruleset=ruleset, scenario=scenario)
    expect(page.get_by_role("heading", name="Wie man gewinnt")).to_be_visible(timeout=20_000)
    question = table.question
    expect(question).not_to_be_empty()
    assert not ENGLISH.search(question.inner_text()), question.inner_text()
    # Texts that appear later are translated too.
    page.keyboard.press("t")
    expect(page.get_by_text("Tisch in Worten").first).to_be_visible()


def test_what_people_write_stays_as_it_is(table: Table) -> None:
    page = table.page
    page.add_init_script("localStorage.setItem('caltrop.language', 'de')")
    table.open("/")
    expect(page.get_by_role("link", name="Lernen", exact=True)).to_be_visible(timeout=20_000)
    written = page.evaluate(
        "() => { document.body.insertAdjacentHTML('beforeend', "
        "'<p id=mine translate=no>Your turn</p><p id=page>Your turn</p>'); "
        "return new Promise((done) => requestAnimationFrame(() => done("
        "['mine', 'page'].map((id) => document.getElementById(id).textContent)))); }"
    )
    assert written == ["Your turn", "Du bist am Zug"]


REFUSED = [
    ("GET", "/api/games/nothing", None),
    ("GET", "/api/nothing", None),
    ("POST", "/api/me", {"name": "Anna"}),
    ("POST", "/api/games", {"ruleset": "duel", "scenario": "bridge", "seats": ["person", "nobody"]}),
    ("POST", "/api/games", {"ruleset": 7}),
    ("POST", "/api/odds", {"ruleset": "duel", "mode": "walk"}),
    ("POST", "/api/queue", {"ruleset": "duel", "armies": ["a", "b"]}),
]
"""Requests that the server refuses: method, address and body."""


def test_refusals_of_the_server_are_translated(table: Table) -> None:
    page = table.page
    page.add_init_script("localStorage.setItem('caltrop.language', 'de')")
    table.open("/nothing-here")
    expect(page.get_by_text("Es gibt hier kein solches Spiel.").first).to_be_visible(timeout=20_000)
    for method, path, body in REFUSED:
        answer = page.request.fetch(table.address + path, method=method, data=body)
        words = answer.json()["message"]
        shown = page.evaluate(
            "(words) => { const one = document.body.appendChild(document.createElement('p')); one.textContent = words; "
            "return new Promise((done) => requestAnimationFrame(() => done(one.textContent))); }",
            words,
        )
        assert not answer.ok
        assert shown != words
        assert not re.search(r"\b(the|this|there|is|are|for|has)\b", shown), f"{words}: {shown}"
