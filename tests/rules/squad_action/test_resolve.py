"""The referee of one volley, and the limits of requests."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop import InputError
from caltrop.rules.squad_action.requests import MOST_MODELS
from caltrop.rules.squad_action.resolve import resolve


def request(
    *, weapon: str = "rifle", shooters: int = 8, models: int = 8, distance: Any = 12, rules: Any = None, **fields: Any
) -> dict[str, Any]:
    """Return a volley of Regulars at Regulars; fields of the target and the shooter by name, dice as `dice`."""
    shooter = {"profile": "regular", "weapon": weapon, "models": shooters, **fields.pop("shooter", {})}
    target = {"profile": "regular", "models": models, **fields.pop("target", {})}
    return {
        "ruleset": "squad-action",
        "mode": "shoot",
        "rules": rules or {},
        "shooter": shooter,
        "target": target,
        "distance": distance,
        **fields,
    }


def wrong(raw: dict[str, Any]) -> str:
    with pytest.raises(InputError) as result:
        resolve(raw)
    return str(result.value.field)


@pytest.mark.clause("SQ-SHO-04", "SQ-SHO-05", "SQ-SHO-06", "SQ-SHO-07", "SQ-ORG-23", "SQ-W04", "SQ-W05", "SQ-W06")
def test_the_worked_volley() -> None:
    attack = [6, 5, 4, 4, 3, 2, 1, 1]
    answer = resolve(request(dice={"attack": attack, "saves": [6, 3, 2, 1], "morale": 5}))
    assert {k: answer[k] for k in ("shots", "needed", "hits", "casualties", "pinned", "target")} == {
        "shots": 8,
        "needed": 4,
        "hits": 4,
        "casualties": 3,
        "pinned": True,
        "target": {"models": 5, "pinned": True},
    }
    held = resolve(request(dice={"attack": attack, "saves": [6, 3, 2, 1], "morale": 6}))
    assert (held["pinned"], held["target"]) == (False, {"models": 5, "pinned": False})
    saved = resolve(request(dice={"attack": attack, "saves": [6, 5, 5, 5], "morale": 3}))
    assert (saved["casualties"], saved["pinned"]) == (0, False)
    assert resolve(request(dice={"attack": [1] * 8}))["hits"] == 0
    assert wrong(request(dice={"attack": [1] * 8, "morale": 3})) == "dice.morale"
    assert wrong(request(dice={"attack": attack, "saves": [6, 5, 5, 5]})) == "dice.morale"


@pytest.mark.clause("SQ-SHO-08", "SQ-SHO-09", "SQ-SHO-10", "SQ-SHO-11", "SQ-Q13", "SQ-W01", "SQ-W02", "SQ-W03")
@pytest.mark.parametrize(
    ("distance", "target", "needed"),
    [
        (8, {}, 3),
        (8.01, {}, 4),
        (16, {}, 4),
        (16.01, {}, 5),
        (33, {}, 5),
        (20, {"models": 3, "pinned": True}, 6),
        (8, {"models": 3, "pinned": True}, 5),
        (12, {"models": 4}, 4),
        (12, {"models": 3}, 5),
        (12, {"pinned": True}, 5),
    ],
)
def test_what_a_shot_needs(distance: Any, target: Any, needed: int) -> None:
    answer = resolve(request(shooters=1, distance=distance, target=target, dice={"attack": [1]}))
    assert answer["needed"] == needed


@pytest.mark.clause("SQ-TRT-08", "SQ-W07")
def test_rerolls_are_given_in_the_order_of_the_1s() -> None:
    raw = request(
        shooters=3,
        shooter={"traits": ["improved-targeting"]},
        dice={"attack": [1, 1, 4], "reroll": [5, 1], "saves": [5, 5], "morale": 3},
    )
    assert resolve(raw)["hits"] == 2
    raw["dice"]["reroll"] = [5]
    assert wrong(raw) == "dice.reroll"
    del raw["shooter"]["traits"]
    assert wrong(raw) == "dice.reroll"


@pytest.mark.clause("SQ-WPN-02", "SQ-WPN-03", "SQ-Q15", "SQ-S13", "SQ-W10")
def test_flamethrowers() -> None:
    raw = request(
        weapon="flamethrower",
        shooters=1,
        distance=4,
        target={"cover": "hard"},
        dice={"shots": [3], "attack": [5, 5, 1], "saves": [6, 5], "morale": 4},
    )
    answer = resolve(raw)
    assert (answer["casualties"], answer["pinned"], answer["shots"]) == (1, True, 3)
    raw["dice"]["morale"] = 5
    assert not resolve(raw)["pinned"]
    raw["dice"] = {"shots": [1], "attack": [1], "morale": 3}
    assert resolve(raw)["pinned"]
    raw["dice"] = {"attack": [1], "morale": 3}
    assert wrong(raw) == "dice.shots"


@pytest.mark.clause("SQ-TRT-06", "SQ-W13")
def test_gene_enhanced_have_a_die_for_each_unsaved_wound() -> None:
    raw = request(
        shooters=3,
        target={"profile": "conscript", "traits": ["gene-enhanced"]},
        dice={"attack": [6, 6, 6], "ignore": [6, 5, 6], "morale": 5},
    )
    assert resolve(raw)["casualties"] == 1
    raw["dice"]["ignore"] = [6]
    assert wrong(raw) == "dice.ignore"


@pytest.mark.clause("SQ-Q44", "SQ-ORG-29", "SQ-Q53", "SQ-W61", "SQ-W43", "SQ-W44")
def test_hits_beyond_the_models_are_lost_and_a_last_model_leaves() -> None:
    raw = request(shooters=10, models=3, distance=8, dice={"attack": [6] * 10, "saves": [6, 4, 2]})
    answer = resolve(raw)
    assert (answer["hits"], answer["casualties"], answer["target"]) == (10, 2, {"models": 0, "pinned": False})
    stays = request(models=4, target={"starting": 8}, shooters=1, dice={"attack": [6], "saves": [1]})
    stays["dice"].update({"break": 3, "morale": 4})
    assert resolve(stays)["target"] == {"models": 3, "pinned": False}
    stays["dice"] = {"attack": [6], "saves": [1], "break": 2}
    assert resolve(stays)["target"] == {"models": 0, "pinned": False}
    stays["dice"]["morale"] = 4
    assert wrong(stays) == "dice.morale"
    half = request(models=5, target={"starting": 8}, shooters=1, dice={"attack": [6], "saves": [1], "break": 3})
    assert wrong(half) == "dice.break"


@pytest.mark.clause("SQ-Q13", "SQ-Q10", "SQ-Q08", "SQ-Q14", "SQ-Q16", "SQ-Q06", "SQ-S12", "SQ-ORG-27")
@pytest.mark.house("impossible_shots", "on")
def test_what_a_request_can_and_cannot_hold() -> None:
    never = request(shooters=1, distance=20, models=3, target={"pinned": True}, rules={"impossible_shots": "on"})
    assert resolve({**never, "dice": {"attack": [6]}})["needed"] == 7
    dice = {"attack": [1] * 8}
    for name, value in (("double_saves", "on"), ("break_result", "fall_back"), ("leadership_die", "2d6_under")):
        assert wrong(request(rules={name: value}, dice=dice)) == f"rules.{name}"
    assert wrong(request(shooter={"pinned": True}, dice=dice)) == "shooter.pinned"
    on = request(shooter={"pinned": True}, rules={"pinned_may_shoot": "on"}, dice=dice)
    assert resolve(on)["needed"] == 5
    assert wrong(request(target={"starting": 7}, dice=dice)) == "target.starting"
    none = {**dice, "attack": []}
    assert wrong(request(shooters=0, dice=none)) == "shooter.models"
    assert wrong(request(models=0, dice=dice)) == "target.models"
    many = {"attack": [1] * (MOST_MODELS + 1)}
    assert wrong(request(shooters=MOST_MODELS + 1, dice=many)) == "shooter.models"
    assert wrong(request(models=MOST_MODELS + 1, dice=dice)) == "target.models"
    assert wrong(request(target={"starting": MOST_MODELS + 1}, dice=dice)) == "target.starting"
    assert resolve(request(shooters=MOST_MODELS, dice={"attack": [1] * MOST_MODELS}))["shots"] == MOST_MODELS
    assert wrong(request(models=1, target={"starting": 4}, dice=dice)) == "target.models"
    alone = request(models=1, target={"starting": 4, "traits": ["fearless"]}, dice=dice)
    assert resolve(alone)["needed"] == 5
    assert resolve(request(models=1, dice=dice))["needed"] == 5
    for weapon in ("tank-gun", "light-mortar", "shell", "bow"):
        assert wrong(request(weapon=weapon, dice=dice)) == "shooter.weapon"
    assert wrong(request(weapon="fusion-gun", distance=16.1, dice=dice)) == "distance"
    assert wrong(request(distance=16.1, rules={"max_range_factor": 1}, dice=dice)) == "distance"
    assert wrong(request(distance=-1, dice=dice)) == "distance"
    assert wrong(request(dice={"attack": [1] * 7})) == "dice.attack"
    assert wrong(request(dice={"attack": [7] * 8})).startswith("dice.attack")
    assert wrong(request()) == "dice"


@pytest.mark.clause("SQ-Q14", "SQ-Q13", "SQ-COV-01", "SQ-W08", "SQ-W09", "SQ-W65")
def test_saves() -> None:
    def saved(die: int, *, weapon: str = "heavy-machine-gun", **target: Any) -> bool:
        raw = request(weapon=weapon, shooters=1, target=target)
        shots = 3 if weapon == "heavy-machine-gun" else 1
        raw["dice"] = {"attack": [6] + [1] * (shots - 1), "saves": [die], "morale": 6}
        return bool(resolve(raw)["casualties"] == 0)

    assert saved(4, cover="hard")
    assert not saved(3, cover="hard")
    assert saved(6, pinned=True)
    assert not saved(5, pinned=True)
    for cover, needed in (("hard", 3), ("soft", 4), ("none", 6)):
        assert saved(needed, cover=cover, pinned=True, profile="conscript", weapon="rifle")
        assert not saved(needed - 1, cover=cover, pinned=True, profile="conscript", weapon="rifle")
    none = request(weapon="rpg", shooters=1, dice={"attack": [6], "saves": [6], "morale": 6})
    assert wrong(none) == "dice.saves"
