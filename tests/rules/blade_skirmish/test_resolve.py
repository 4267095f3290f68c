"""Single attacks with their dice: answers, refusals, and the reasons of refusals."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from caltrop import InputError, odds, resolve
from caltrop.cli import main
from caltrop.rules.blade_skirmish.resolve import answer
from tests.rules.blade_skirmish.test_odds import request


def attack(attacker: int, defender: int, *dice: int, **fields: Any) -> dict[str, Any]:
    """Return a request whose dice are in the order attacker, defender, injury, fatality."""
    names = ("attacker", "defender", "injury", "fatality")
    return request(attacker, defender, dice=dict(zip(names, dice, strict=False)), **fields)


def outcome(answer: dict[str, Any]) -> tuple[Any, ...]:
    return answer["winner"], answer["injury"], answer["fatality"]


def test_the_example_of_the_contract() -> None:
    answer = resolve(
        {
            "ruleset": "blade-skirmish",
            "attacker": {"quality": 3},
            "defender": {"quality": 2},
            "flanking": True,
            "dice": {"attacker": 5, "defender": 2, "injury": 6, "fatality": 3},
        }
    )
    assert list(answer) == ["winner", "injury", "fatality", "because"]
    assert outcome(answer) == ("attacker", "dead", 3)
    assert [(term["value"], term["clause"]) for term in answer["because"]] == [
        (5, "BS-QUA-02"), (3, "BS-QUA-02"), (2, "BS-CMB-05"), (2, "BS-QUA-02"), (2, "BS-QUA-02"),
        (6, "BS-CMB-07"), (6, "BS-INJ-04"), (3, "BS-FAT-04"),
    ]  # fmt: skip
    assert all(set(term) == {"value", "clause", "words"} for term in answer["because"])


@pytest.mark.clause("BS-W03", "BS-W04", "BS-W05", "BS-QUA-02", "BS-QUA-03", "BS-CMB-06", "BS-CMB-07", "BS-Q10")
@pytest.mark.parametrize(
    ("given", "results"),
    [
        (attack(2, 3, 5, 3, 4), ("attacker", "wounded", None)),
        (attack(2, 3, 4, 3), (None, None, None)),
        (attack(1, 2, 3, 3, 1, flanking=True), ("attacker", "stunned", None)),
        (attack(1, 2, 3, 3), ("defender", None, None)),
        (attack(2, 2, 6, 1, 2), ("attacker", "fleeing", None)),
        (attack(2, 2, 6, 1, 3), ("attacker", "fleeing", None)),
        (attack(2, 2, 6, 1, 5), ("attacker", "wounded", None)),
        (attack(2, 2, 6, 1, 6, 1), ("attacker", "dead", 1)),
    ],
)
def test_an_attack_is_refereed(given: dict[str, Any], results: tuple[Any, ...]) -> None:
    assert outcome(resolve(given)) == results


def test_dice_that_are_null_are_dice_that_are_left_out() -> None:
    given = attack(2, 3, 4, 3)
    given["dice"] |= {"injury": None, "fatality": None}
    assert outcome(resolve(given)) == (None, None, None)


@pytest.mark.clause("BS-Q23")
@pytest.mark.house("fatality", "on_strike", "on_death", "on_removal", "off")
@pytest.mark.parametrize("fatality", ["on_strike", "on_death", "on_removal", "off"])
@pytest.mark.parametrize("injury", range(1, 7))
def test_a_fatality_is_called_for_as_the_house_rule_says(fatality: str, injury: int) -> None:
    called = injury in {"on_strike": (6,), "on_death": (6,), "on_removal": (4, 5, 6), "off": ()}[fatality]
    with_it = attack(2, 2, 6, 1, injury, 2, rules={"fatality": fatality})
    without = attack(2, 2, 6, 1, injury, rules={"fatality": fatality})
    right, wrong = (with_it, without) if called else (without, with_it)
    assert resolve(right)["fatality"] == (2 if called else None)
    with pytest.raises(InputError) as error:
        resolve(wrong)
    assert error.value.field == "dice.fatality"
    assert ("is needed, and missing" if called else "is not needed") in str(error.value)


@pytest.mark.clause("BS-FAT-01", "BS-FAT-02", "BS-FAT-04", "BS-FAT-07", "BS-FAT-09", "BS-FAT-12")
def test_because_names_the_row_of_the_fatality_table() -> None:
    rows = [resolve(attack(2, 2, 6, 1, 6, face))["because"][-1]["clause"] for face in range(1, 7)]
    assert rows == ["BS-FAT-01", "BS-FAT-02", "BS-FAT-04", "BS-FAT-07", "BS-FAT-09", "BS-FAT-12"]


@pytest.mark.clause("BS-Q09", "BS-Q10", "BS-DIC-01", "BS-CMB-06")
@pytest.mark.house("challenge_tie", "clash", "reroll")
@pytest.mark.parametrize(
    ("given", "field", "message"),
    [
        (attack(0, 2, 1, 6), "attacker.quality", "from 1 to 6; this one is 0, and the nearest is 1 (BS-Q09)"),
        (attack(2, 7, 1, 6), "defender.quality", "from 1 to 6; this one is 7, and the nearest is 6 (BS-Q09)"),
        (attack(2, 2, 7, 1, 1), "dice.attacker", "1 to 6 (BS-DIC-01); this one shows 7, and the nearest is 6"),
        (attack(2, 2, 6, 0, 1), "dice.defender", "this one shows 0, and the nearest is 1"),
        (attack(2, 2, 6, 1, 9), "dice.injury", "this one shows 9, and the nearest is 6"),
        (attack(2, 2, 6, 1, 6, 0), "dice.fatality", "this one shows 0, and the nearest is 1"),
        (attack(2, 2, 6, 1), "dice.injury", "is needed, and missing: 6 + 2 = 8 against 1 + 2 = 3"),
        (attack(2, 2, 1, 6, 1), "dice.injury", "the defender wins, and nothing happens (BS-CMB-06); leave it out"),
        (attack(2, 2, 3, 3, 1), "dice.injury", "3 + 2 = 5 against 3 + 2 = 5, a tie (BS-Q10)"),
        (request(), "dice", "an attack is refereed with its dice"),
        (attack(2, 2, 3, 3, rules={"challenge_tie": "reroll"}), "dice", "a tie, and both are thrown again (BS-Q10)"),
        (attack(2, 2, 3, 3, rules={"challenge_tie": "clash"}), "rules.challenge_tie", "nearest right value is hold"),
        (attack(2, 2, 1, 6, rules={"challenge_ties": "hold"}), "rules", "did you mean challenge_tie?"),
        (attack(2, 2, 1, 6, rules={"challenge_tie": "maybe"}), "rules", "here it is 'maybe'"),
        (attack(2, 2, 1, 6, rules={"fatality": False}), "rules.fatality", "a whole number; this one is False"),
        (attack(2, 2, 1, 6, flank=True), "flank", "did you mean 'flanking'?"),
        ({**attack(2, 2, 1, 6), "ruleset": "hex-command"}, "ruleset", "it was sent to 'blade-skirmish'"),
        ({**attack(2, 2, 1, 6), "attacker": {"quality": "3"}}, "attacker.quality", ""),
        ({**attack(2, 2, 1, 6), "attacker": {"quality": True}}, "attacker.quality", ""),
        ({**attack(2, 2, 1, 6), "dice": {"attacker": 3}}, "dice.defender", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_the_nearest_right_value(given: dict[str, Any], field: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        answer(given)
    assert error.value.field == field
    assert message in str(error.value)


@pytest.mark.clause("BS-Q10")
@pytest.mark.house("challenge_tie", "clash")
def test_a_clash_has_no_odds_either() -> None:
    with pytest.raises(InputError, match="nearest right value is hold"):
        odds(request(rules={"challenge_tie": "clash"}))


@pytest.mark.clause("BS-Q10")
@pytest.mark.house("challenge_tie", "reroll")
def test_where_ties_are_thrown_again_dice_that_decide_are_refereed() -> None:
    assert outcome(resolve(attack(2, 2, 4, 3, 1, rules={"challenge_tie": "reroll"}))) == ("attacker", "stunned", None)


@pytest.mark.parametrize("command", ["resolve", "odds"])
def test_the_command_line_answers(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = attack(3, 2, 1, 6) if command == "resolve" else request(3, 2)
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(given)))
    assert not main([command])
    answer = json.loads(capsys.readouterr().out)
    assert answer == (resolve if command == "resolve" else odds)(given)
