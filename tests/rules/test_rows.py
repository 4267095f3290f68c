"""Rows of rules data that a game reads: a number of theirs changes its digest, and nothing else does."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.chance import Seeded
from caltrop.engine import ruleset, rulesets
from caltrop.journal import Setting
from caltrop.rules.command_horizon import catalogue as of_horizon
from caltrop.rules.hex_command import catalogue as of_hexes


def read(game: str, edition: str | None = None) -> tuple[Any, str]:
    """Return the state at the first decision of the first scenario, and the digest of its rows."""
    t = Setting.chosen(game, edition).begin(Seeded(1)).state
    return t, ruleset(game).rules_digest(t)


def changed(monkeypatch: pytest.MonkeyPatch, rows: dict[Any, Any], key: Any, **fields: Any) -> None:
    """Change a row of the data."""
    monkeypatch.setitem(rows, key, msgspec.structs.replace(rows[key], **fields))


@pytest.mark.parametrize("game", rulesets())
def test_the_rows_of_a_game_are_those_of_its_forces_whatever_is_played(game: str) -> None:
    match = Setting.chosen(game).begin(Seeded(1))
    before, choices = ruleset(game).rules_digest(match.state), Seeded(2)
    for _ in range(40):
        asked = match.waiting[0]
        match.play(asked.side, asked.options(match.view(asked.side)).sample(choices), asked)
        if match.over is not None:
            break
    assert ruleset(game).rules_digest(match.history[0].state) == before


@pytest.mark.parametrize("edition", ["current", "v1.5"])
def test_a_number_of_a_unit_in_play_is_read_and_its_title_is_not(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    t, before = read("command-horizon", edition)
    rows = of_horizon._BY_EDITION[edition]
    there = {(t.armies[t.units[m.unit].side].army, m.kind) for m in t.models}
    used, unused = min(there), min(set(rows) - there - {("putredine", "infantry")})
    changed(monkeypatch, rows, used, title="Something else", clauses={**rows[used].clauses, "vp": "CH-DMG-01"})
    changed(monkeypatch, rows, unused, vp=17)
    assert read("command-horizon", edition)[1] == before
    changed(monkeypatch, rows, used, vp=17)
    assert read("command-horizon", edition)[1] != before


def test_a_number_of_another_edition_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    t, before = read("command-horizon", "v1.5")
    for u in t.units:
        changed(monkeypatch, of_horizon._BY_EDITION["current"], (t.armies[u.side].army, u.kind), vp=17)
    assert read("command-horizon", "v1.5")[1] == before


def test_the_cards_and_the_ground_of_a_battle_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    t, before = read("hex-command")
    card = t.field.deck[0]
    changed(monkeypatch, of_hexes.CARDS, card, words="Said otherwise", title="Another")
    changed(monkeypatch, of_hexes.GROUNDS, "open", title="Field")
    unused = min(set(of_hexes.UNITS) - {u.kind for u in t.units} - {"leader-light"})
    changed(monkeypatch, of_hexes.UNITS, unused, move=9)
    assert read("hex-command")[1] == before
    changed(monkeypatch, of_hexes.CARDS, card, units=7)
    assert read("hex-command")[1] != before
