"""Attack requests: answers, refusals, and the reasons of refusals."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from caltrop import InputError, odds, resolve
from caltrop.cli import main
from caltrop.engine.packs import PACK, read_pack
from caltrop.rules.hex_command import ruleset
from caltrop.rules.hex_command.requests import asked
from tests.rules.hex_command.tables import CLASSES, TYPES


def request(who: str, at: str, strength: int, battle: str | None = None, shields: str = "", **fields: Any) -> Any:
    """Return a request between units such as `V-M`; `attacker__leader=True` is a field of the attacker."""
    out: dict[str, Any] = {"ruleset": "hex-command", "range": 1}
    for name, code in (("attacker", who), ("target", at)):
        letter, _, size = code.partition("-")
        out[name] = {"class": CLASSES[letter], "type": TYPES[size]}
    out["target"]["strength"] = strength
    if battle is not None:
        out["dice"] = {"battle": battle.split()} | ({"shields": shields.split()} if shields else {})
    for name, value in fields.items():
        holder, _, field = name.rpartition("__")
        (out[holder] if holder else out)[field] = value
    return out


def outcome(answer: dict[str, Any]) -> tuple[int, int, int, int, bool, int, int]:
    keys = ("battle_dice", "shield_dice", "hits", "saved", "leader_lost", "retreat")
    return (*[answer[key] for key in keys], answer["target"]["strength"])


@pytest.mark.clause("HX-DIE-03", "HX-DIE-05", "HX-HIE-01", "HX-VOI-01", "HX-VOI-02", "HX-VOI-03")
def test_the_example_of_the_contract() -> None:
    answer = resolve(
        {
            "ruleset": "hex-command",
            "rules": {"battle_die": "d6_even"},
            "attacker": {"class": "vehicle", "type": "medium", "leader": False},
            "target": {"class": "god-machine", "type": "heavy", "strength": 6, "leader": False},
            "range": 1,
            "terrain": "open",
            "free_retreat": 6,
            "dice": {"battle": ["V", "T", "G"], "shields": ["G", "I", "R", "T", "L", "V"]},
        }
    )
    assert list(answer) == [
        "battle_dice", "shield_dice", "hits", "saved", "leader_lost", "retreat", "target", "because",
    ]  # fmt: skip
    assert outcome(answer) == (3, 6, 1, 1, False, 0, 6)
    assert [(t["clause"], t["value"]) for t in answer["because"]] == [
        ("HX-S20", 3), ("HX-DIE-03", 1), ("HX-DIE-05", 1), ("HX-HIE-01", -1), ("HX-VOI-01", 6), ("HX-VOI-03", -1),
    ]  # fmt: skip


@pytest.mark.clause("HX-Q10", "HX-LDS-04", "HX-LDS-05", "HX-LDS-06", "HX-Q13", "HX-Q15", "HX-Q16", "HX-S35")
@pytest.mark.parametrize(
    ("given", "results"),
    [
        (request("I-M", "I-M", 4, "I T R"), (3, 0, 2, 0, False, 1, 2)),
        (request("I-M", "V-M", 3, "V T T"), (3, 0, 2, 0, False, 0, 1)),
        (request("G-H", "G-L", 4, "G G T T I R", "G V L T"), (6, 4, 4, 1, False, 1, 1)),
        (request("I-M", "I-M", 4, "L I R", target__leader=True), (3, 0, 1, 0, True, 0, 3)),
        (request("I-M", "I-M", 4, "L R R", target__leader=True), (3, 0, 0, 0, False, 1, 4)),
        (request("I-M", "G-L", 4, "L G I", "G I V R", target__leader=True), (3, 4, 1, 1, False, 0, 4)),
        (request("V-M", "I-M", 1, "L R T", attacker__leader=True, target__leader=True), (3, 0, 2, 0, True, 0, 0)),
        (request("V-M", "I-M", 1, "T R I", target__leader=True), (3, 0, 2, 0, False, 0, 0)),
        (request("V-M", "L-M", 4, "L I T"), (3, 0, 2, 0, False, 0, 2)),
        (request("V-H", "L-M", 2, "I I L"), (3, 0, 3, 0, False, 0, 0)),
        (request("V-H", "L-M", 2, "I I T"), (3, 0, 2, 0, False, 0, 1)),
        (request("V-H", "L-M", 1, "I T R"), (3, 0, 0, 0, False, 1, 1)),
        (request("V-H", "L-M", 1, "L T R"), (3, 0, 1, 0, False, 0, 0)),
        (request("I-M", "V-M", 3, "R I L", free_retreat=0), (3, 0, 0, 0, False, 0, 2)),
        (request("I-M", "V-M", 1, "R R L", free_retreat=1), (3, 0, 0, 0, False, 0, 0)),
        (request("I-M", "V-M", 3, "R R R", free_retreat=2), (3, 0, 0, 0, False, 2, 2)),
        (request("I-M", "I-M", 4, "R R", terrain="citadel"), (2, 0, 0, 0, False, 1, 4)),
        (request("I-M", "I-M", 4, "R R", terrain="citadel", target__leader=True), (2, 0, 0, 0, False, 0, 4)),
        (request("I-M", "L-M", 2, "R I L", free_retreat=0), (3, 0, 2, 0, False, 0, 0)),
        (request("I-M", "L-M", 2, "R I V", free_retreat=0), (3, 0, 1, 0, False, 0, 0)),
        (request("V-M", "I-M", 4, "T", range=2, terrain="ruins"), (1, 0, 1, 0, False, 0, 3)),
        (request("I-M", "G-L", 4, "V L I"), (3, 0, 0, 0, False, 0, 4)),
    ],
)  # fmt: skip
def test_an_attack_is_refereed(given: dict[str, Any], results: tuple[Any, ...]) -> None:
    answer = resolve(given)
    assert outcome(answer) == results
    because = {term["clause"]: term["value"] for term in answer["because"]}
    assert because["HX-S20"] >= answer["battle_dice"]
    assert all(set(term) == {"value", "clause", "words"} for term in answer["because"])


@pytest.mark.clause("HX-Q08", "HX-Q11", "HX-Q12", "HX-Q21", "HX-Q22", "HX-Q28")
@pytest.mark.parametrize(
    ("given", "rules", "results"),
    [
        (request("I-M", "V-M", 3, "R I L", free_retreat=0), {"retreat_blocked": "stay"}, (3, 0, 0, 0, False, 0, 3)),
        (request("I-M", "G-L", 4, "G G I"), {"shields_in_assault": "off"}, (3, 0, 2, 0, False, 0, 2)),
        (request("I-M", "G-L", 4, "G G I", "G I I I"), {"void_shields": "per_turn_pool"}, (3, 4, 2, 1, False, 0, 3)),
        (request("V-H", "L-H", 1, "V T R"), {"lone_leader_hit_by_class": "on"}, (3, 0, 1, 0, False, 0, 0)),
        (request("V-H", "L-H", 1, "I T R"), {"lone_leader_hit_by_class": "on"}, (3, 0, 0, 0, False, 1, 1)),
        (request("I-M", "G-L", 4, "R R I"), {"god_machines_stand": "on"}, (3, 0, 0, 0, False, 1, 4)),
        (request("V-H", "I-M", 4, "T", range=6, terrain="ruins"), {"indirect_fire": "on"}, (1, 0, 1, 0, False, 0, 3)),
    ],
)  # fmt: skip
def test_house_rules_count(given: dict[str, Any], rules: dict[str, Any], results: tuple[Any, ...]) -> None:
    assert outcome(resolve({**given, "rules": rules})) == results


@pytest.mark.clause("HX-Q08", "HX-RET-01", "HX-LDS-04")
def test_because_tells_what_was_ignored_blocked_and_lost() -> None:
    answer = resolve(request("I-H", "I-M", 4, "R R R I", target__leader=True, free_retreat=1))
    assert [(t["clause"], t["value"]) for t in answer["because"]] == [
        ("HX-S20", 4), ("HX-DIE-01", 1), ("HX-Q10", -1), ("HX-RET-01", 3), ("HX-LDS-04", -1), ("HX-Q08", -1),
        ("HX-Q08", -1),
    ]  # fmt: skip
    assert outcome(answer) == (4, 0, 1, 0, False, 1, 2)


@pytest.mark.clause("HX-Q14", "HX-S20", "HX-Q21")
@pytest.mark.parametrize(
    ("given", "field", "message"),
    [
        (request("I-M", "I-M", 4, "I T"), "dice.battle", "are called for; this roll has 2: Line Troops, range 1"),
        (request("I-M", "I-M", 4), "dice.battle", "3 battle dice are called for; this roll has 0"),
        (request("I-M", "I-M", 4, "I T X"), "dice.battle[2]", "'X' is not a symbol of a battle die; it is one of I"),
        (request("I-M", "I-M", 4, "I T R", "G"), "dice.shields", "are called for; this roll has 1: only God"),
        (request("I-M", "G-L", 4, "I I R", "G"), "dice.shields", "nothing was hit"),
        (request("I-M", "G-L", 4, "G I R", "G"), "dice.shields", "are called for; this roll has 1: Damage Cap"),
        (request("I-M", "I-M", 4, "I T R", terrain="forest"), "terrain", "there is no terrain 'forest'"),
        (request("I-M", "I-M", 4, "I T R", terrain="spire"), "terrain", "there is no terrain 'spire'"),
        (request("I-M", "I-M", 5, "I T R"), "target.strength", "1 to 4 (models); this one has 5 (HX-S20); the nearest"),
        (request("I-M", "G-L", 0, "I T R"), "target.strength", "the nearest right value is 1"),
        (request("I-M", "L-M", 3, "I T R", target__leader=True), "target.leader", "the nearest right value is false"),
        (request("L-L", "I-M", 3, "I T", attacker__leader=True), "attacker.leader", "the nearest right value is false"),
        (request("I-M", "I-M", 4, "I", range=4), "range", "only at 1 to 3 (HX-S20); the nearest right value is 3"),
        (request("I-M", "I-M", 4, "I", range=0), "range", "the nearest right value is 1"),
        (request("I-M", "I-M", 4, "", range=3, terrain="woods"), "terrain", "Woods (HX-S32): -1; the nearest range"),
        (request("I-M", "I-M", 4, "I T R", free_retreat=-1), "free_retreat", "the nearest right value is 0"),
        (request("I-M", "I-M", 4, "I T R", rules={"battle_dye": 1}), "rules", "did you mean battle_die?"),
        (request("I-M", "I-M", 4, "I T R", rules={"overrun": "maybe"}), "rules", "is off or on; here it is 'maybe'"),
        (request("I-M", "I-M", 4, "I T R", rules={"overrun": True}), "rules.overrun", "is text or a whole number"),
        (request("I-M", "I-M", 4, "I T R", rage=1), "rage", "did you mean 'range'?"),
        (request("I-M", "I-M", 4, "I T R", attacker__type="middling"), "attacker.type", "there is no type 'middling'"),
        (request("I-M", "I-M", 4, "I T R", attacker__class="infantery"), "attacker.class", "did you mean 'infantry'?"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_field(given: dict[str, Any], field: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        resolve(given)
    assert error.value.field == field
    assert message in str(error.value)


@pytest.mark.clause("HX-S20", "HX-Q21")
def test_odds_are_refused_for_the_same_reasons_and_with_dice() -> None:
    with pytest.raises(InputError, match="leave it out"):
        odds(request("I-M", "I-M", 4, "I T R"))
    with pytest.raises(InputError, match="no battle dice are left"):
        odds(request("I-M", "I-M", 4, range=3, terrain="woods"))


@pytest.mark.clause("HX-S20", "HX-S32")
def test_where_no_range_has_dice_none_is_named() -> None:
    weak = {"format": "caltrop-pack", "ruleset": "hex-command", "id": "weak", "title": "Weak"}
    pack = ruleset.pack(read_pack({**weak, "rows": {"units": {"vehicle-medium": {"dice": [2]}}}}))
    with pytest.raises(InputError, match=r"Woods \(HX-S32\): -2$"):
        odds(request("V-M", "I-M", 4, terrain="woods", rules={PACK: pack.name}))


@pytest.mark.clause("HX-S01", "HX-RET-01")
def test_odds_are_exact_and_in_order() -> None:
    answer = odds(request("L-L", "I-L", 4))
    assert list(answer) == ["battle_dice", "exact", "outcomes"]
    assert (answer["battle_dice"], answer["exact"]) == (2, True)
    assert [(o["strength"], o["leader_lost"], o["retreat"], o["probability"]) for o in answer["outcomes"]] == [
        (2, False, 0, "1/9"), (3, False, 0, "1/3"), (3, False, 1, "1/9"), (4, False, 0, "1/4"), (4, False, 1, "1/6"),
        (4, False, 2, "1/36"),
    ]  # fmt: skip


def test_the_command_referees_and_refuses(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(request("I-M", "I-M", 4, "I T R"))))
    assert main(["resolve"]) == 0
    assert json.loads(capsys.readouterr().out)["target"] == {"strength": 2}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(request("I-M", "I-M", 4, range=9))))
    assert main(["odds"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "range: Line Troops have no battle dice at range 9" in err


@pytest.mark.clause("HX-S20")
@pytest.mark.parametrize("strength", [1, 3])
def test_the_least_and_the_greatest_strength_may_be_asked_about(strength: int) -> None:
    assert asked(request("V-M", "V-M", strength)).profile.target.strength == strength
    assert resolve(request("V-M", "V-M", strength, "R R R"))["target"]["strength"] == strength
    for wrong, nearest in ((0, 1), (4, 3)):
        with pytest.raises(InputError, match=f"the nearest right value is {nearest}"):
            resolve(request("V-M", "V-M", wrong, "R R R"))


@pytest.mark.clause("HX-LDS-06")
def test_a_leader_who_is_safe_is_told_with_the_clause() -> None:
    answer = resolve(request("I-M", "I-M", 4, "L R R", target__leader=True))
    words = [(part["value"], part["clause"]) for part in answer["because"] if "leader is safe" in part["words"]]
    assert words == [(0, "HX-LDS-06")]
