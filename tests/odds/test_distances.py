"""A request refuses exactly the distances that no attack on a table can have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from caltrop import InputError, odds
from caltrop.chance import Seeded
from caltrop.engine import ruleset
from caltrop.engine.form import given_fields
from caltrop.engine.ruleset import with_part
from caltrop.geometry import INCH
from caltrop.rules.hex_command.battling import why_not_target
from caltrop.rules.hex_command.requests import AttackRequest as HexRequest
from caltrop.rules.hex_command.requests import type_of
from caltrop.rules.squad_action.acts import Doings
from caltrop.rules.squad_action.catalogue import TABLE_SIDES
from caltrop.rules.squad_action.range import FARTHEST
from caltrop.rules.squad_action.requests import AttackRequest as SquadRequest
from caltrop.rules.squad_action.requests import weapons_of_squads
from caltrop.rules.squad_action.scene import scene, squad
from caltrop.rules.squad_action.shooting import Shoot
from caltrop.rules.squad_action.shots import nearest_seen
from tests.rules.hex_command.tables import CLASSES, TYPES, battle
from tests.tiers import everything

DRAWN = 40 if everything() else 8
"""Number of random distances for each weapon."""


class Tried(NamedTuple):
    """An attack on a table, and the request for it."""

    allowed: bool
    request: dict[str, Any]
    nearest: Callable[[Any], dict[str, Any]]
    """Returns the request at another distance."""


def squads() -> Iterator[Tried]:
    draw, side = Seeded("distances"), TABLE_SIDES[1]
    for rules in ({}, {"max_range_factor": 1}, {"max_range_factor": 3}):
        for weapon, row in weapons_of_squads(scene(squad(0, "regular", 1, 1), rules=rules)).items():
            at_most = 24 if row.reach is not None else side - 3
            for _ in range(DRAWN):
                x, y = [2 + draw.below(10 * at_most) / 10 for _ in range(2)]
                t = scene(
                    squad(0, "regular", 1, 1, 1, weapons=(weapon,)),
                    squad(1, "regular", x, y, 1),
                    rules=rules,
                    table=(side, side),
                )
                sighted = nearest_seen(t, 0, 1)
                assert sighted is not None
                refusal = Shoot(0, ((weapon, 1),)).why(Doings(t, 0))
                assert refusal is None or refusal.code in ("beyond-reach", "too-near")

                def request(distance: Any, weapon: str = weapon, rules: dict[str, Any] = rules) -> dict[str, Any]:
                    shooter = {"profile": "regular", "weapon": weapon, "models": 1}
                    target = {"profile": "regular", "models": 1}
                    fields = {"mode": "shoot", "rules": rules, "shooter": shooter, "target": target}
                    return {"ruleset": "squad-action", "distance": distance, **fields}

                yield Tried(refusal is None, request(round(sighted.distance / INCH, 3)), request)


def hexes() -> Iterator[Tried]:
    for letter in CLASSES:
        for size in TYPES:
            for indirect in ("off", "on"):
                for far in range(1, 9):
                    rules = {"indirect_fire": indirect}
                    t = battle(f"{letter}-{size} E1", f"I-M E{1 + far}", size=(9, 13), rules=rules)
                    assert t.map.distance("E1", f"E{1 + far}") == far
                    refusal = why_not_target(t, t.units[0], t.units[1])
                    assert refusal is None or refusal.code == "out-of-range"
                    row = t.units[0].row

                    def request(far: Any, row: Any = row, rules: dict[str, Any] = rules) -> dict[str, Any]:
                        attacker = {"class": row.unit_class, "type": type_of(row)}
                        target = {"class": "infantry", "type": "medium", "strength": 1}
                        fields = {"rules": rules, "attacker": attacker, "target": target}
                        return {"ruleset": "hex-command", "range": far, **fields}

                    yield Tried(refusal is None, request(far), request)


TABLES: dict[str, tuple[str, Any, Callable[[], Iterator[Tried]]]] = {
    "squad-action": ("distance", SquadRequest, squads),
    "hex-command": ("range", HexRequest, hexes),
}


def refusal_of(request: dict[str, Any], field: str) -> str:
    """Return the message of the error at a field; empty if there are odds."""
    fault = None
    try:
        odds(request)
    except InputError as error:
        fault = error
    assert fault is None or fault.field == field, str(fault)
    return "" if fault is None else fault.message


@pytest.mark.clause("SQ-S13", "SQ-Q10", "SQ-ORG-15", "HX-S20", "HX-Q28")
@pytest.mark.parametrize("name", TABLES)
def test_what_the_table_refuses_for_distance_the_request_refuses(name: str) -> None:
    field, _, tried = TABLES[name]
    seen = set()
    for allowed, request, at in tried():
        message = refusal_of(request, field)
        assert allowed is not bool(message), (request, message)
        seen.add(allowed)
        if message:
            nearest = int(message.rpartition("the nearest right value is ")[2])
            assert not refusal_of(at(nearest), field)
            assert refusal_of(at(nearest + (1 if request[field] > nearest else -1)), field)
    assert seen == {True, False}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("far", [-1, 10**3, 10**4, 10**9, -(10**9)])
def test_no_request_has_a_distance_that_no_table_holds(name: str, far: int) -> None:
    field, _, tried = TABLES[name]
    for _, _, at in tried():
        message = refusal_of(at(far), field)
        assert f" {far}" in message
        assert not refusal_of(at(int(message.rpartition("the nearest right value is ")[2])), field)


def test_numbers_that_are_no_distance_are_refused() -> None:
    _, request, at = next(squads())
    for far in (float("inf"), float("nan"), 135.01, -0.001):
        assert "from 0 to 135 inches" in refusal_of(at(far), "distance")
    assert not refusal_of({**request, "distance": 0.5}, "distance")


def test_the_greatest_distance_is_the_diagonal_of_the_largest_table() -> None:
    side = TABLE_SIDES[1]
    t = scene(squad(0, "regular", 0.5, 0.5, 1), squad(1, "regular", side - 0.5, side - 0.5, 1), table=(side, side))
    sighted = nearest_seen(t, 0, 1)
    assert sighted is not None
    assert FARTHEST - 3 < sighted.distance / INCH < FARTHEST
    assert Shoot(0, (("rifle", 1),)).why(Doings(t, 0)) is None


def test_every_request_with_a_distance_is_tried() -> None:
    for name in with_part("referee"):
        start = ruleset(name).referee.form({"ruleset": name}).start  # type: ignore[union-attr, misc]
        lengths = [field for field in start if field in ("distance", "range", "length", "gap")]
        assert lengths == [TABLES[name][0]] if name in TABLES else not lengths
    for field, request, _ in TABLES.values():
        assert field in [given for given, _, _ in given_fields(request)]
