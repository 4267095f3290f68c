"""What is printed about every unit, typed from the rulebook a second time."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.rules.command_horizon import ruleset
from caltrop.rules.command_horizon.catalogue import EDITIONS, armies, full_strength, kinds, unit_kind

OTHERWISE: dict[str, Any] = {
    "min_range_cm": 0, "ranged_in_cm": 0, "pod_min_cm": 0, "pod_max_cm": 0, "aura_cm": 0, "move_cm": 0,
    "long_move_cm": 0, "cc_dice": 0, "cc_defence": 0, "worm_dice": None, "spawn_dice": 0, "squad": 0, "squads": 0,
    "figures": 1, "marks": False, "secures": False, "grows": False,
}  # fmt: skip
"""What holds of a unit of which nothing else is printed."""

# Army, kind, editions; class, models, range in cm, attack dice, bonus Defence Dice, CP, VP, base in cm; the rest.
PRINTED: list[Any] = [
    pytest.param(
        "alliance",
        "light-tank",
        EDITIONS,
        ("light", 5, 20, 1, 0, 1, 1, 3),
        {"marks": True, "secures": True},
        marks=pytest.mark.clause(
            "CH-ALL-02",
            "CH-FIRE-02",
            "CH-FIRE-08",
            "CH-DEF-10",
            "CH-CP-02",
            "CH-VP-02",
            "Q-SETUP-7",
            "CH-MARK-02",
            "CH-OBJ-07",
            "CH-CP-03",
        ),
    ),
    pytest.param(
        "alliance",
        "medium-tank",
        EDITIONS,
        ("medium", 4, 30, 2, 1, 1, 1, 3),
        {},
        marks=pytest.mark.clause(
            "CH-ALL-03", "CH-FIRE-03", "CH-FIRE-09", "CH-DEF-03", "CH-CP-02", "CH-VP-02", "Q-SETUP-7", "CH-CP-04"
        ),
    ),
    pytest.param(
        "alliance",
        "heavy-tank",
        EDITIONS,
        ("heavy", 3, 40, 3, 2, 1, 1, 3),
        {},
        marks=pytest.mark.clause(
            "CH-ALL-04", "CH-FIRE-04", "CH-FIRE-10", "CH-DEF-04", "CH-CP-02", "CH-VP-02", "Q-SETUP-7", "CH-CP-05"
        ),
    ),
    pytest.param(
        "alliance",
        "artillery",
        EDITIONS,
        ("medium", 3, 50, 2, 1, 1, 1, 3),
        {"min_range_cm": 10, "ranged_in_cm": 20},
        marks=pytest.mark.clause(
            "CH-ALL-09",
            "CH-ALL-05",
            "CH-ART-01",
            "CH-FIRE-05",
            "CH-ART-06",
            "CH-MARK-14",
            "CH-ART-04",
            "CH-CP-02",
            "CH-VP-02",
            "Q-SETUP-7",
            "Q-ART-4",
            "CH-ART-05",
            "Q-CP-1",
        ),
    ),
    pytest.param(
        "alliance",
        "command",
        ("current",),
        ("medium", 3, 30, 2, 1, 2, 2, 4),
        {},
        marks=pytest.mark.clause(
            "CH-ALL-06", "CH-FIRE-07", "CH-FIRE-12", "CH-DEF-05", "CH-ALL-08", "CH-CP-06", "CH-VP-03", "Q-SETUP-7"
        ),
    ),
    pytest.param(
        "alliance",
        "command",
        ("v1.5",),
        ("medium", 4, 30, 2, 1, 2, 2, 4),
        {},
        marks=pytest.mark.clause(
            "CH-ALL-07", "CH-FIRE-07", "CH-FIRE-12", "CH-DEF-05", "CH-ALL-08", "CH-CP-06", "CH-VP-03", "Q-SETUP-7"
        ),
    ),
    pytest.param(
        "alliance",
        "infantry",
        EDITIONS,
        ("infantry", 6, 10, 1, 0, 0, 1, 2),
        {"marks": True, "secures": True, "cc_dice": 1, "squad": 2, "squads": 3, "figures": 4, "move_cm": 10},
        marks=pytest.mark.clause(
            "CH-ALL-12",
            "CH-ALL-11",
            "CH-ALL-10",
            "CH-INFMOVE-05",
            "CH-ALL-20",
            "CH-INFMOVE-04",
            "CH-ALL-17",
            "CH-ALL-21",
            "CH-CP-07",
            "CH-VP-02",
            "Q-SETUP-7",
            "CH-MARK-01",
            "CH-OBJ-06",
        ),
    ),
    pytest.param(
        "alliance",
        "heavy-weapons",
        EDITIONS,
        ("infantry", 9, 20, 2, 0, 0, 1, 2),
        {"marks": True, "secures": True, "cc_dice": 1, "squad": 3, "squads": 3, "figures": 4, "move_cm": 10},
        marks=pytest.mark.clause(
            "CH-ALL-15",
            "CH-ALL-13",
            "CH-ALL-14",
            "Q-DIS-3",
            "CH-INFMOVE-06",
            "CH-ALL-20",
            "CH-INFMOVE-04",
            "CH-ALL-18",
            "CH-ALL-19",
            "CH-ALL-21",
            "CH-CP-07",
            "CH-VP-02",
            "Q-SETUP-7",
            "CH-MARK-01",
            "CH-OBJ-06",
        ),
    ),
    pytest.param(
        "asori",
        "light-tank",
        ("current",),
        ("light", 4, 20, 1, 0, 1, 1, 3),
        {"secures": True},
        marks=pytest.mark.clause(
            "CH-ASORI-04", "CH-FIRE-02", "CH-FIRE-08", "CH-DEF-10", "CH-CP-02", "CH-VP-02", "Q-SETUP-7", "CH-OBJ-07"
        ),
    ),
    pytest.param(
        "asori",
        "light-tank",
        ("v1.5",),
        ("light", 4, 20, 1, 0, 1, 1, 3),
        {"marks": True, "secures": True},
        marks=pytest.mark.clause(
            "CH-ASORI-04",
            "CH-FIRE-02",
            "CH-FIRE-08",
            "CH-DEF-10",
            "CH-CP-03",
            "CH-VP-02",
            "Q-SETUP-7",
            "CH-OBJ-07",
            "CH-MARK-02",
        ),
    ),
    pytest.param(
        "asori",
        "medium-tank",
        EDITIONS,
        ("medium", 4, 30, 2, 1, 1, 1, 3),
        {},
        marks=pytest.mark.clause(
            "CH-ASORI-05", "CH-FIRE-03", "CH-FIRE-09", "CH-DEF-03", "CH-CP-02", "CH-VP-02", "Q-SETUP-7", "CH-CP-04"
        ),
    ),
    pytest.param(
        "asori",
        "heavy-tank",
        EDITIONS,
        ("heavy", 4, 40, 3, 2, 1, 1, 3),
        {},
        marks=pytest.mark.clause(
            "CH-ASORI-06", "CH-FIRE-04", "CH-FIRE-10", "CH-DEF-04", "CH-CP-02", "CH-VP-02", "Q-SETUP-7", "CH-CP-05"
        ),
    ),
    pytest.param(
        "asori",
        "command",
        EDITIONS,
        ("heavy", 1, 50, 4, 2, 3, 3, 4),
        {},
        marks=pytest.mark.clause(
            "CH-ASORI-07",
            "CH-ASORI-10",
            "CH-FIRE-06",
            "CH-FIRE-11",
            "CH-DEF-06",
            "CH-ASORI-09",
            "CH-CP-06",
            "CH-VP-03",
            "Q-SETUP-7",
            "CH-ASORI-08",
            "Q-ASORI-3",
        ),
    ),
    pytest.param(
        "asori",
        "infantry",
        ("current",),
        ("infantry", 8, 20, 2, 0, 0, 1, 2),
        {
            "secures": True,
            "cc_dice": 2,
            "cc_defence": 1,
            "squad": 2,
            "squads": 4,
            "figures": 2,
            "move_cm": 10,
            "long_move_cm": 20,
        },
        marks=pytest.mark.clause(
            "CH-ASORI-13",
            "CH-ASORI-12",
            "CH-ASORI-11",
            "CH-ASORI-14",
            "CH-INFMOVE-04",
            "CH-ASORI-16",
            "CH-ASORI-15",
            "CH-ASORI-20",
            "CH-ASORI-18",
            "CH-ASORI-19",
            "CH-CP-07",
            "CH-VP-02",
            "Q-SETUP-7",
            "CH-OBJ-06",
        ),
    ),
    pytest.param(
        "asori",
        "infantry",
        ("v1.5",),
        ("infantry", 8, 20, 2, 0, 0, 1, 2),
        {
            "marks": True,
            "secures": True,
            "cc_dice": 2,
            "cc_defence": 1,
            "squad": 2,
            "squads": 4,
            "figures": 2,
            "move_cm": 10,
            "long_move_cm": 20,
        },
        marks=pytest.mark.clause(
            "CH-ASORI-13",
            "CH-ASORI-12",
            "CH-ASORI-11",
            "CH-ASORI-14",
            "CH-INFMOVE-04",
            "CH-ASORI-16",
            "CH-ASORI-15",
            "CH-ASORI-20",
            "CH-ASORI-18",
            "CH-ASORI-19",
            "CH-CP-07",
            "CH-VP-02",
            "Q-SETUP-7",
            "CH-OBJ-06",
            "CH-MARK-01",
        ),
    ),
    pytest.param(
        "putredine",
        "light-tank",
        ("current",),
        ("light", 3, 20, 1, 0, 0, 1, 3),
        {"secures": True},
        marks=pytest.mark.clause(
            "CH-PUT-12", "CH-PUT-18", "CH-DEF-10", "CH-PUT-01", "CH-VP-02", "Q-SETUP-7", "CH-OBJ-07"
        ),
    ),
    pytest.param(
        "putredine",
        "medium-tank",
        ("current",),
        ("medium", 3, 30, 2, 1, 0, 1, 3),
        {},
        marks=pytest.mark.clause("CH-PUT-13", "CH-PUT-19", "CH-PUT-01", "CH-VP-02", "Q-SETUP-7"),
    ),
    pytest.param(
        "putredine",
        "heavy-tank",
        ("current",),
        ("heavy", 3, 40, 3, 2, 0, 1, 3),
        {},
        marks=pytest.mark.clause("CH-PUT-14", "CH-PUT-20", "CH-PUT-01", "CH-VP-02", "Q-SETUP-7"),
    ),
    pytest.param(
        "putredine",
        "artillery",
        ("current",),
        ("medium", 3, 50, 2, 1, 0, 1, 3),
        {"min_range_cm": 10, "pod_min_cm": 10, "pod_max_cm": 50},
        marks=pytest.mark.clause(
            "CH-PUT-15",
            "CH-PART-01",
            "CH-ART-06",
            "Q-PART-1",
            "CH-POD-02",
            "CH-PART-02",
            "CH-ART-04",
            "CH-DEF-03",
            "CH-PUT-01",
            "CH-VP-02",
            "Q-SETUP-7",
        ),
    ),
    pytest.param(
        "putredine",
        "slugger",
        ("current",),
        ("heavy", 2, 0, 0, 2, 0, 1, 3),
        {"aura_cm": 15, "worm_dice": 3},
        marks=pytest.mark.clause(
            "CH-PUT-16", "CH-SLUG-01", "Q-WORM-5", "CH-SLUG-02", "CH-DEF-04", "CH-PUT-01", "CH-VP-02", "Q-SETUP-7"
        ),
    ),
    pytest.param(
        "putredine",
        "carrier",
        ("current",),
        ("light", 3, 0, 0, 0, 0, 1, 3),
        {"secures": True, "worm_dice": 1, "spawn_dice": 1},
        marks=pytest.mark.clause(
            "CH-PUT-17",
            "CH-CARRIER-01",
            "Q-WORM-5",
            "CH-CARRIER-02",
            "CH-DEF-10",
            "CH-PUT-01",
            "CH-VP-02",
            "Q-SETUP-7",
            "Q-OBJ-5",
        ),
    ),
    pytest.param(
        "putredine",
        "infantry",
        ("current",),
        ("infantry", 6, 0, 0, 0, 0, 1, 2),
        {
            "secures": True,
            "grows": True,
            "cc_dice": 1,
            "squad": 6,
            "squads": 1,
            "figures": 6,
            "move_cm": 10,
            "long_move_cm": 15,
        },
        marks=pytest.mark.clause(
            "CH-PUT-22",
            "CH-PUT-23",
            "CH-PUT-21",
            "CH-PUTINF-01",
            "CH-PUTINF-02",
            "CH-PUTINF-03",
            "CH-PUTINF-04",
            "CH-PUTINF-14",
            "Q-PUTINF-4",
            "CH-CP-07",
            "CH-VP-02",
            "Q-SETUP-7",
            "CH-OBJ-06",
        ),
    ),
]


@pytest.mark.clause("W67", "W68")
@pytest.mark.parametrize(("army", "kind", "editions", "numbers", "more"), PRINTED)
def test_every_unit_is_as_printed(
    army: str, kind: str, editions: tuple[str, ...], numbers: tuple[Any, ...], more: dict[str, Any]
) -> None:
    for edition in editions:
        book = ruleset.book(edition)
        unit = unit_kind(book, army, kind)
        found = (unit.unit_class, unit.models, unit.range_cm, unit.dice, unit.defence, unit.cp, unit.vp, unit.base_cm)
        assert found == numbers
        assert full_strength(book, unit) == unit.models
        assert {field: getattr(unit, field) for field in OTHERWISE} == {**OTHERWISE, **more}


def test_no_unit_is_left_out() -> None:
    listed = {(edition, p.values[0], p.values[1]) for p in PRINTED for edition in p.values[2]}
    for edition in EDITIONS:
        book = ruleset.book(edition)
        assert {(a, k) for e, a, k in listed if e == edition} == {(a, k) for a in armies(book) for k in kinds(book, a)}
