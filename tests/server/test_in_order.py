"""A client asks what is left of a target after several attackers, and for their best order."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.tables import Table, TestClient

POSITIONS = [
    ("squad-action", "SQ-Q01", 4),
    ("hex-command", "HX-W06", 2),
    ("blade-skirmish", "BS-W36", 2),
    ("command-horizon", "W47", 3),
]


def ask(table: Table, **more: Any) -> dict[str, Any]:
    view = table.view(0)
    heard = table.say(0, {"type": "in-order", "decision": view["decisions"][0]["id"], **more})
    if heard["type"] == "refusal":
        return heard
    assert heard["type"] == "in-order", heard
    forecast: dict[str, Any] = heard["forecast"]
    return forecast


@pytest.mark.parametrize(("game", "name", "target"), POSITIONS)
def test_attackers_join_one_after_another_and_nothing_is_played(
    game: str, name: str, target: int, client: TestClient
) -> None:
    table = Table(client, ruleset=game, ruling=name, seats=["person", "person"])
    before = table.digest
    alone = ask(table, target=target)
    first, second, *_ = alone["attackers"]
    assert (alone["odds"], alone["order"], alone["declared"]) == (None, [], 0)
    both = ask(table, target=target, units=[first, second])
    assert both["order"] == [first, second]
    assert both["odds"]["exact"]
    assert sum(one["p"] for one in both["odds"]["outcomes"]) == pytest.approx(1)
    assert both["best"] == [], "the best order is looked for on demand"
    best = ask(table, target=target, units=[second, first], best=True)
    assert sorted(best["best"]) == sorted([first, second])
    # For the unit of the prepared attack that attack is used, and for other units their simplest attack.
    offer = next(
        one
        for one in table.view(0)["decisions"][0]["offers"]
        if one["unit"] == first and one["target"] == target and not one["final"]
    )
    prepared = ask(table, target=target, action=offer["action"], units=[first, second])
    assert prepared["order"] == [first, second]
    assert table.digest == before


def test_only_a_legal_attack_of_the_side_that_is_asked_is_taken(client: TestClient) -> None:
    table = Table(client, ruleset="hex-command", ruling="HX-W06", seats=["person", "person"])
    decision = table.view(0)["decisions"][0]
    illegal = {"type": "Engage", "unit": 0, "target": 0}
    assert ask(table, target=2, action=illegal)["type"] == "refusal"
    ending = next(one["action"] for one in decision["offers"] if one["final"])
    assert ask(table, target=2, action=ending)["attackers"] == [], "the end of the battles is no attack"
    assert ask(table, target=2, units=list(range(13)))["code"] == "wrong-message"
    heard = table.say(1, {"type": "in-order", "decision": decision["id"], "target": 2})
    assert heard["type"] == "refusal", "the other side is not asked"


def test_a_game_without_such_odds_has_no_attackers(client: TestClient) -> None:
    table = Table(client, ruleset="duel", seats=["person", "person"])
    assert ask(table, target=1)["attackers"] == []
