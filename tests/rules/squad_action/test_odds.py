"""The exact odds of one volley, against every fall of the dice and against icepool."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest

from caltrop import InputError, odds
from caltrop.rules.squad_action.fire import Volley, fallen, hits
from caltrop.rules.squad_action.resolve import resolve
from tests.rules.squad_action.test_resolve import request
from tests.tiers import everything

FACES = range(1, 7)


def told(raw: dict[str, Any]) -> dict[tuple[int, bool], Fraction]:
    return {(row["models"], row["pinned"]): Fraction(row["probability"]) for row in odds(raw)["outcomes"]}


def enumerated(raw: dict[str, Any]) -> dict[tuple[int, bool], Fraction]:
    """Return the result of every fall of the dice.

    The referee names the dice that it needs by refusing the given ones.
    """
    result: dict[tuple[int, bool], Fraction] = {}
    todo: list[tuple[dict[str, Any], Fraction]] = [({"attack": []}, Fraction(1))]
    while todo:
        dice, chance = todo.pop()
        try:
            end = resolve({**raw, "dice": dice})["target"]
        except InputError as error:
            name = str(error.field).removeprefix("dice.")
            single = name in ("morale", "break")
            for face in FACES:
                more = {**dice, name: face if single else [*dice.get(name, []), face]}
                todo.append((more, chance / 6))
            continue
        key = end["models"], end["pinned"]
        result[key] = result.get(key, Fraction(0)) + chance
    return result


@pytest.mark.clause("SQ-SHO-04", "SQ-SHO-05", "SQ-SHO-07", "SQ-Q44", "SQ-Q53", "SQ-TRT-06", "SQ-TRT-08", "SQ-WPN-02")
@pytest.mark.parametrize(
    "raw",
    [
        request(shooters=2, models=4),
        request(shooters=2, models=2, target={"starting": 6}),
        request(shooters=1, models=3, target={"pinned": True, "traits": ["gene-enhanced"]}),
        request(shooters=2 if everything() else 1, models=3, shooter={"traits": ["improved-targeting"]}),
        request(shooters=2, models=2, target={"traits": ["fearless"]}),
        request(shooters=2, models=1),
        request(weapon="rpg", shooters=2, models=5, target={"starting": 6, "cover": "soft"}),
        request(shooters=2, models=4, rules={"morale_natural_six": "on"}),
        request(shooters=2, models=3, target={"pinned": True}, distance=20, rules={"impossible_shots": "on"}),
    ],
)
def test_the_odds_are_those_of_every_fall_of_the_dice(raw: dict[str, Any]) -> None:
    result = told(raw)
    assert result == enumerated(raw)
    assert sum(result.values()) == 1
    assert list(result) == sorted(result)


@pytest.mark.clause("SQ-SHO-04", "SQ-TRT-08", "SQ-S13")
def test_hits_agree_with_icepool() -> None:
    for needed, reroll in product(range(2, 8), (False, True)):
        die = icepool.d6
        one = (die.map(lambda f: icepool.d6 if f == 1 else f, star=False) if reroll else die) >= needed
        volley = Volley(5, 0, needed, reroll, (), 7)
        assert dict(hits(volley).items()) == _chances(5 @ one)
        by_die = Volley(0, 2, needed, reroll, (), 7)
        assert dict(hits(by_die).items()) == _chances((2 @ icepool.d6) @ one)


def _chances(die: Any) -> dict[int, Fraction]:
    return {int(k): Fraction(n, die.denominator()) for k, n in die.items() if n}


@pytest.mark.clause("SQ-SHO-05", "SQ-Q44", "SQ-Q14")
def test_casualties_agree_with_icepool() -> None:
    first, second = Volley(4, 0, 4, False, (5,), 7), Volley(2, 0, 3, False, (4, 6), 6)
    result = fallen((first, second), 3)

    def lost(a: int, b: int) -> Any:
        a = min(a, 3)
        b = min(b, 3 - a)
        return a @ (icepool.d6 < 5) + b @ ((icepool.d6 < 4) & (icepool.d6 < 6) & (icepool.d6 < 6))

    expected = icepool.map(lost, 4 @ (icepool.d6 >= 4), 2 @ (icepool.d6 >= 3))
    assert dict(result.map(lambda f: f.casualties).items()) == _chances(expected)


@pytest.mark.clause("SQ-S13")
def test_the_form_of_the_answer() -> None:
    assert odds(request(weapon="flamethrower", shooters=1, distance=4))["shots"] is None
    answer = odds(request())
    assert (answer["shots"], answer["needed"], answer["exact"]) == (8, 4, True)
    assert all(row["p"] == float(Fraction(row["probability"])) for row in answer["outcomes"])
    with pytest.raises(InputError):
        odds(request(dice={"attack": []}))
