"""Moves by purpose: towards a unit, into range or into cover. The server proposes them, and plays none."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest

from tests.server.tables import Table, TestClient


def table_with_move(
    client: TestClient, ruleset: str, **expected: Any
) -> tuple[Table, int, dict[str, Any], dict[str, Any]]:
    """Return a table, the side that is asked, the decision in which a unit may move, and the open choice of that
    unit.
    """
    seats = ["person"] if "lesson" in expected else ["person", "person"]
    table = Table(client, ruleset=ruleset, seats=seats, **expected)
    for _ in range(12):
        for side in range(len(table.tokens)):
            for asked in table.view(side)["decisions"] if table.tokens[side] else ():
                for region in asked["regions"]:
                    if region["form"] == "move":
                        return table, side, asked, region
                if asked.get("usual"):
                    table.say(side, {"type": "usual", "decision": asked["id"]})
                elif asked["offers"]:
                    table.answer(side, asked["offers"][0]["action"])
    raise AssertionError("nobody is asked to move")


def seek(table: Table, side: int, asked: dict[str, Any], region: dict[str, Any], **goal: Any) -> dict[str, Any]:
    message = {"type": "seek", "decision": asked["id"], "unit": region["unit"], "act": region["act"], "goal": goal}
    heard = table.say(side, message)
    assert heard["type"] == "sought", heard
    result: dict[str, Any] = heard["sought"]
    return result


def final_places(table: Table, side: int, unit: int, result: dict[str, Any]) -> list[tuple[int, int, int]]:
    """Return the final places of a unit's bases."""
    group = next(one for one in table.view(side)["picture"]["groups"] if one["id"] == unit)
    paths = result["proposal"]["paths"]
    return [(*paths.get(str(p["id"]), [p["at"]])[-1], p["radius"]) for p in group["pieces"]]


def gap(some: list[tuple[int, int, int]], others: list[tuple[int, int, int]]) -> float:
    return min(hypot(a[0] - b[0], a[1] - b[1]) - a[2] - b[2] for a in some for b in others)


def test_a_unit_goes_towards_another_and_no_farther_than_until_it_is_in_range(client: TestClient) -> None:
    table, side, asked, region = table_with_move(client, "command-horizon", lesson="move")
    before, view = table.digest, table.view(side)
    own = next(one for one in view["picture"]["groups"] if one["id"] == region["unit"])
    foe = next(one for one in view["picture"]["groups"] if one["side"] != side)
    theirs = [(*piece["at"], piece["radius"]) for piece in foe["pieces"]]
    near = seek(table, side, asked, region, how="towards", unit=foe["id"])
    assert near["words"] == "9.04 cm from Theirs then"
    assert gap(final_places(table, side, own["id"], near), theirs) == pytest.approx(903, abs=2)
    assert near["proposal"]["length"] <= region["bands"][-1][0]
    # A drag to the proposed place gives the same price.
    same = table.say(side, {"type": "propose", "decision": asked["id"], "wish": {"unit": own["id"], "to": near["to"]}})
    assert same["proposal"] == near["proposal"]
    cheap = seek(table, side, asked, region, how="towards", unit=foe["id"], most=1000)
    assert 990 <= cheap["proposal"]["length"] <= 1000
    ranged = seek(table, side, asked, region, how="range", unit=foe["id"])
    assert ranged["words"].endswith(" from Theirs then, in range")
    assert own["reach"] - 20 <= gap(final_places(table, side, own["id"], ranged), theirs) <= own["reach"]
    assert ranged["proposal"]["length"] < near["proposal"]["length"]
    short = seek(table, side, asked, region, how="range", unit=foe["id"], most=500)
    assert (short["to"], short["proposal"]["refusal"]["code"]) == (None, "out-of-range")
    assert short["words"].endswith("39.03 cm away, it goes 5 cm and the range is 30 cm")
    assert seek(table, side, asked, region, how="towards", unit=999)["proposal"]["refusal"]["code"] == "no-such-goal"
    assert table.digest == before


def test_a_squad_goes_to_where_nobody_sees_it(client: TestClient) -> None:
    table, side, asked, _ = table_with_move(client, "squad-action", placed=True)
    picture = table.view(side)["picture"]
    squad = next(one for one in picture["groups"] if one["side"] == side and one["strength"] and len(one["pieces"]) > 4)
    moves = next(one for one in asked["regions"] if one["unit"] == squad["id"] and one["form"] == "move")
    result = seek(table, side, asked, moves, how="cover")
    assert result["words"] == "No enemy sees it there"
    x, y = squad["pieces"][0]["at"]
    house = min(picture["grounds"], key=lambda one: min(hypot(a - x, b - y) for a, b in one["outline"]))
    foe = next(one for one in picture["groups"] if one["side"] != side)
    behind = seek(table, side, asked, moves, how="cover", unit=foe["id"], ground=house["id"])
    assert behind["words"] == f"Not seen there by {foe['name']}"
    # The unit is behind the near wall of the house, as the enemy sees it, and can reach that place.
    places = {
        p["id"]: end[:2] for p, end in zip(squad["pieces"], final_places(table, side, squad["id"], behind), strict=True)
    }
    ask = {"type": "sight", "unit": squad["id"], "targets": [foe["id"]], "places": places}
    assert [one["seen"] for one in table.say(side, ask)["sightings"]] == [False]


def test_what_others_see_of_a_unit_is_told_with_what_is_in_their_way(client: TestClient) -> None:
    table, side, _, region = table_with_move(client, "squad-action", placed=True)
    unit = region["unit"]
    foes = [one["id"] for one in table.view(side)["picture"]["groups"] if one["side"] != side]
    back = table.say(side, {"type": "sight", "unit": unit, "back": True, "named": True})["sightings"]
    assert [(one["unit"], one["target"]) for one in back] == [(foe, unit) for foe in foes]
    for one in back:
        (alone,) = table.say(side, {"type": "sight", "unit": one["unit"], "targets": [unit]})["sightings"]
        assert alone == one
    assert any("is in the way" in one["words"] for one in back)


def test_who_has_nothing_to_move_is_told_so(client: TestClient) -> None:
    table, side, asked, region = table_with_move(client, "duel", scenario="bridge")
    other = {**region, "unit": 1 - region["unit"]}
    result = seek(table, side, asked, other, how="towards", unit=region["unit"])
    assert result["proposal"]["refusal"]["code"] == "nothing-to-move"
    wrong = {"type": "seek", "decision": asked["id"], "unit": 0, "goal": {"how": "away"}}
    assert table.say(side, wrong)["code"] == "wrong-message"
