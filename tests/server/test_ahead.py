"""Forecasts of later steps: the targets of each unit with their odds, and reasons why other units are not targets."""

from __future__ import annotations

from typing import Any

from tests.server.tables import Table, TestClient


def lesson(client: TestClient, ruleset: str, name: str) -> Table:
    return Table(client, ruleset=ruleset, lesson=name, seats=["person"])


def ahead(table: Table, **more: Any) -> dict[str, Any]:
    """Return a side's forecast of later steps."""
    asked = table.view(0)["decisions"][0]
    heard = table.say(0, {"type": "ahead", "decision": asked["id"], **more})
    assert heard["type"] == "ahead", heard
    outlook: dict[str, Any] = heard["outlook"]
    return outlook


def enemy(table: Table) -> dict[str, Any]:
    """Return the first unit of the other side."""
    view = table.view(0)
    result: dict[str, Any] = next(group for group in view["picture"]["groups"] if group["side"] != view["you"])
    return result


def test_a_shot_of_a_later_step_is_told_with_its_odds_and_nothing_is_played(client: TestClient) -> None:
    table = lesson(client, "command-horizon", "charge")
    before, target = table.digest, enemy(table)["id"]
    (coming,) = ahead(table, target=target, odds=True)["coming"]
    assert (coming["words"], coming["able"]) == ("End movement", [0])
    assert (coming["name"], coming["doing"]) == ("targets", "fire")
    (aim,) = coming["aims"]
    assert aim["words"] == "Fire at Squad with 7 dice"
    assert aim["odds"]["headline"].startswith("Takes at least one model: ")
    assert table.digest == before
    # The rules offer the same attack when the step comes.
    table.answer(0, {"type": "EndStep"})
    assert aim["action"] in [offer["action"] for offer in table.view(0)["decisions"][0]["offers"]]
    assert ahead(table, target=target) == {"coming": [], "aimless": []}, "what can be done now is no more ahead"


def test_it_is_told_for_the_place_to_which_a_unit_is_dragged(client: TestClient) -> None:
    table = lesson(client, "command-horizon", "move")
    target = enemy(table)["id"]
    still = ahead(table, target=target)
    assert still["coming"] == []
    assert [one["refusal"]["message"] for one in still["aimless"]] == [
        "Theirs are 39.03 cm away, and the range is 30 cm"
    ]
    x, y = table.view(0)["picture"]["groups"][0]["pieces"][0]["at"]
    (coming,) = ahead(table, wish={"unit": 0, "to": [x, y + 1000]}, odds=True)["coming"]
    (aim,) = coming["aims"]
    assert (aim["target"], aim["unit"]) == (target, 0)
    assert ahead(table, wish={"unit": 0, "to": [x, y + 100]})["coming"] == []
    assert ahead(table, wish={"unit": target, "to": [x, y]}) == {"coming": [], "aimless": []}, "it leads nowhere"


def test_several_steps_are_gone_through_for_as_long_as_they_are_quiet(client: TestClient) -> None:
    table = lesson(client, "hex-command", "orders")
    why = ahead(table, target=enemy(table)["id"])
    assert why["coming"] == []
    assert "You have not ordered the Tanks at E7 this turn" in [one["refusal"]["message"] for one in why["aimless"]]
    fight = lesson(client, "blade-skirmish", "flank")
    seen = [ahead(fight)]
    while fight.view(0)["decisions"][0]["kind"] != "ChooseAttack" and len(seen) < 12:
        final = [offer for offer in fight.view(0)["decisions"][0]["offers"] if offer["final"]]
        if not final:
            break
        fight.answer(0, final[0]["action"])
        seen.append(ahead(fight))
    assert all(len(one["coming"]) <= 1 for one in seen)


def test_who_is_not_asked_is_told_nothing(client: TestClient) -> None:
    table = Table(client, ruleset="command-horizon", scenario="first-battle")
    asked = next(d for side in (0, 1) for d in table.view(side)["decisions"])
    other = next(side for side in (0, 1) if not table.view(side)["decisions"])
    heard = table.say(other, {"type": "ahead", "decision": asked["id"]})
    assert heard["code"] == "not-your-decision"
