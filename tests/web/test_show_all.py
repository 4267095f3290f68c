"""The end of a game in the browser: a button shows what was hidden. Before that, an act can be taken back with
leave.
"""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.web.table import Table


def finished_duel(table: Table, *seats: str) -> str:
    """Play a duel to its end without dice, with a stake that was taken back. Return the game's id."""
    game = table.begin(*seats, scenario="crossroads")
    page = table.page
    value = page.evaluate("JSON.parse(localStorage.getItem('caltrop.games'))[0].tokens")

    def ask(side: int) -> dict[str, object]:
        head = {"Authorization": f"Bearer {value[str(side)]}"}
        result: dict[str, object] = page.request.get(f"{table.address}/api/games/{game}", headers=head).json()
        return result

    def say(side: int, message: dict[str, object]) -> None:
        head = {"Authorization": f"Bearer {value[str(side)]}"}
        where = f"{table.address}/api/games/{game}/messages"
        answer = page.request.post(where, data=message, headers=head)
        assert answer.json()["type"] == "done", answer.text()

    def answer(side: int, action: dict[str, object]) -> None:
        decisions = ask(side)["decisions"]
        assert isinstance(decisions, list)
        say(side, {"type": "answer", "decision": decisions[0]["id"], "action": action})

    answer(0, {"type": "Stake", "points": 3})
    say(0, {"type": "undo"})
    answer(0, {"type": "Stake", "points": 2})
    answer(1, {"type": "Stake", "points": 1})
    while (view := ask(0))["over"] is None:
        waiting = view["waiting_for"]
        assert isinstance(waiting, list)
        answer(waiting[0], {"type": "Stay"})
    page.reload()
    expect(page.get_by_role("button", name="Show all")).to_be_visible()
    return game


def test_who_shares_a_screen_takes_the_last_act_back_and_shows_all_at_the_end(table: Table) -> None:
    game = finished_duel(table, "person", "person")
    page = table.page
    table.button("Ask to take the last act back").click()
    expect(page.get_by_role("alert").filter(has_text="asks to take its last act back")).to_be_visible()
    expect(table.button("Ask to take the last act back")).not_to_be_visible()
    table.button("Allow").click()
    expect(table.button("Show all")).not_to_be_visible()
    page.keyboard.press("Escape")
    if page.get_by_role("button", name="show the table").is_visible():
        page.get_by_role("button", name="show the table").click()
    table.choose("Stay where you are")
    expect(table.button("Show all")).to_be_visible()
    table.button("Show all").click()
    expect(table.button("Show all")).not_to_be_visible()
    expect(table.button("Ask to take the last act back")).not_to_be_visible()
    expect(table.log).to_contain_text("shows everything")
    table.open(f"/replay/{game}")
    expect(page.get_by_label("Seen by")).to_be_visible()
    assert not table.errors


def test_who_looks_on_sees_that_something_is_hidden_and_when_it_is_shown(table: Table, browser: Browser) -> None:
    game = finished_duel(table, "person", "person")
    elsewhere = browser.new_context()
    try:
        page = elsewhere.new_page()
        page.goto(f"{table.address}/{game}")
        hidden = page.get_by_text("stay hidden until somebody shows everything")
        expect(hidden).to_be_visible()
        expect(page.get_by_role("button", name="Show all")).not_to_be_visible()
        table.button("Show all").click()
        expect(hidden).not_to_be_visible()
    finally:
        elsewhere.close()
