"""Attack requests: answers, refusals, and the reasons of refusals."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop import InputError, odds, resolve
from caltrop.rules.command_horizon.requests import NOT_HELD


def request(
    attacker: tuple[str, str, int],
    target: tuple[str, str, int],
    attack: tuple[int, ...] | None = None,
    defence: tuple[int, ...] = (),
    **fields: Any,
) -> dict[str, Any]:
    """Return a request.

    `attacker__stuns=1` sets a field of the attacker; `rules` and the other arguments set fields of the request.
    """
    names = ("army", "kind", "models")
    out: dict[str, Any] = {
        "ruleset": "command-horizon",
        "mode": "fire",
        "attacker": dict(zip(names, attacker, strict=True)),
        "target": dict(zip(names, target, strict=True)),
    }
    if attack is not None:
        out["dice"] = {"attack": list(attack), "defence": list(defence)}
    for name, value in fields.items():
        holder, _, field = name.rpartition("__")
        (out[holder] if holder else out)[field] = value
    return out


MEDIUM = ("alliance", "medium-tank", 4)
HEAVY = ("asori", "heavy-tank", 4)
CHIRON = ("asori", "command", 1)
PLATOON = ("alliance", "infantry", 6)


def outcome(answer: dict[str, Any]) -> tuple[int, int, int, int, dict[str, Any]]:
    return tuple(answer[k] for k in ("attack_dice", "defence_dice", "kills", "stuns", "target"))


@pytest.mark.clause("CH-FIRE-09", "CH-DMG-02", "CH-DMG-03", "CH-ASORI-02", "CH-DEF-02", "CH-DEF-04", "CH-DEF-12")
def test_the_example_of_the_contract() -> None:
    answer = resolve(
        {
            "ruleset": "command-horizon",
            "edition": "current",
            "rules": {"overkill.mode": "optional"},
            "mode": "fire",
            "attacker": {"army": "alliance", "kind": "medium-tank", "models": 4, "stuns": 0},
            "target": {"army": "asori", "kind": "heavy-tank", "models": 4, "stuns": 0, "cover": False},
            "boost": False,
            "marks": 0,
            "marked": False,
            "slugger": False,
            "overkills": 0,
            "dice": {"attack": [1, 2, 3, 1, 5, 6, 6, 2], "defence": [2, 3, 4, 6], "reroll": []},
        }
    )
    assert outcome(answer) == (8, 4, 1, 0, {"models": 3, "stuns": 0})
    assert set(answer) == {"attack_dice", "defence_dice", "kills", "stuns", "target", "because"}
    assert [set(term) for term in answer["because"]] == [{"value", "clause", "words"}] * len(answer["because"])
    assert [(t["clause"], t["value"]) for t in answer["because"]] == [
        ("CH-FIRE-09", 8),
        ("CH-DMG-03", 2),
        ("CH-DMG-02", 1),
        ("CH-ASORI-02", -1),
        ("CH-DEF-02", 2),
        ("CH-DEF-04", 2),
        ("CH-DEF-12", -1),
        ("CH-DMG-04", -1),
    ]


def test_kills_are_not_capped_and_a_destroyed_unit_has_no_markers() -> None:
    answer = resolve(
        request(MEDIUM, ("alliance", "light-tank", 1), (6, 6, 6, 5, 1, 1, 1, 1), (1, 1, 1, 1), target__stuns=1)
    )
    assert outcome(answer) == (8, 4, 3, 1, {"models": 0, "stuns": 0})


@pytest.mark.clause("CH-OVERKILL-02", "CH-OVERKILL-04", "W13b")
def test_overkills_add_their_stun() -> None:
    roll = (6, 6, 6, 1, 1, 1, 1, 1)
    answer = resolve(request(MEDIUM, MEDIUM, roll, (6, 5, 3, 2), overkills=1))
    assert outcome(answer) == (8, 4, 1, 1, {"models": 3, "stuns": 1})
    with pytest.raises(InputError, match="make 1 pair, and 2 pairs are declared; the nearest right value is 1"):
        resolve(request(MEDIUM, MEDIUM, roll, (6, 5, 3, 2), overkills=2))


@pytest.mark.clause("Q-OK-1")
def test_with_automatic_overkills_a_contrary_number_is_refused() -> None:
    rules = {"overkill.mode": "automatic"}
    roll, defence = (6, 6, 6, 1, 1, 1, 1, 1), (6, 5, 3, 2)
    assert resolve(request(MEDIUM, MEDIUM, roll, defence, rules=rules))["stuns"] == 1
    assert resolve(request(MEDIUM, MEDIUM, roll, defence, rules=rules, overkills=1))["stuns"] == 1
    with pytest.raises(InputError, match="every pair is combined"):
        resolve(request(MEDIUM, MEDIUM, roll, defence, rules=rules, overkills=0))
    for n in (0, 1):
        with pytest.raises(InputError, match=r"^overkills: every pair is combined"):
            odds(request(MEDIUM, MEDIUM, rules=rules, overkills=n))
    best = odds(request(MEDIUM, MEDIUM, rules=rules, overkills="best"))
    assert odds(request(MEDIUM, MEDIUM, rules=rules)) == best | {"overkills": "every"}


@pytest.mark.clause("W27", "CH-DRONE-03", "CH-DRONE-04", "W52", "Q-DRONE-4")
def test_the_drone_is_told_for_an_asori_command_only() -> None:
    heavy = ("asori", "heavy-tank", 3)
    roll = (6, 6, 6, 5, 4, 1, 1, 1, 1)
    answer = resolve(request(heavy, CHIRON, roll, (6, 6, 3, 1), overkills=1))
    assert outcome(answer) == (9, 4, 0, 0, {"models": 1, "stuns": 0, "drone": "disabled"})
    answer = resolve(request(heavy, CHIRON, roll, (6, 5, 4, 1), overkills=1))
    assert answer["target"]["drone"] == "destroyed"
    answer = resolve(request(heavy, CHIRON, roll))
    assert outcome(answer) == (9, 0, 0, 0, {"models": 1, "stuns": 0, "drone": "active"})
    answer = resolve(request(heavy, CHIRON, (6, 4, 1, 1, 1, 1, 1, 1, 1), (5, 4, 2), edition="v1.5"))
    assert outcome(answer) == (9, 3, 1, 0, {"models": 0, "stuns": 0, "drone": "destroyed"})
    answer = resolve(request(heavy, CHIRON, (6, 1, 1, 1, 1, 1, 1, 1, 1), (6, 1, 1), target__drone="destroyed"))
    assert answer["target"] == {"models": 1, "stuns": 0, "drone": "destroyed"}


@pytest.mark.clause("W40", "CH-SLUG-02", "CH-SLUG-03", "CH-SLUG-04")
def test_near_a_slugger_the_rerolled_dice_replace_the_successes_in_order() -> None:
    near = request(MEDIUM, ("putredine", "light-tank", 3), (4, 6, 2, 5, 1, 1, 3, 6), (1,), slugger=True)
    near["dice"]["reroll"] = [6, 1, 3, 2]
    assert outcome(resolve(near)) == (8, 1, 1, 0, {"models": 2, "stuns": 0})
    near["dice"]["reroll"] = [6, 1, 3]
    with pytest.raises(InputError, match=r"^dice.reroll: 4 rerolled dice are called for; this roll has 3"):
        resolve(near)
    del near["dice"]["reroll"]
    with pytest.raises(InputError, match="4 rerolled dice are called for; this roll has 0"):
        resolve(near)
    with pytest.raises(InputError, match=r"dice.reroll: 0 rerolled dice are called for; this roll has 1"):
        resolve(request(MEDIUM, MEDIUM, (1,) * 8, dice={"attack": [1] * 8, "reroll": [1]}))


@pytest.mark.clause("CH-SLUG-02")
def test_successes_count_before_any_drone() -> None:
    near = request(("asori", "light-tank", 2), CHIRON, (4, 1), slugger=True)
    near["dice"]["reroll"] = [2]
    assert outcome(resolve(near)) == (2, 0, 0, 0, {"models": 1, "stuns": 0, "drone": "active"})


@pytest.mark.clause("W37", "CH-PART-05", "CH-PART-06", "CH-PART-07")
def test_putredine_artillery_gives_worm_tokens_to_vehicles_and_kills_infantry() -> None:
    guns, roll = ("putredine", "artillery", 3), (1, 3, 4, 5, 6, 6)
    answer = resolve(request(guns, MEDIUM, roll, mode="artillery", target__stuns=2))
    assert outcome(answer) == (6, 0, 0, 0, {"models": 4, "stuns": 2})
    assert answer["worm_tokens"] == 2
    answer = resolve(request(guns, PLATOON, roll, mode="artillery"))
    assert outcome(answer) == (6, 0, 2, 0, {"models": 4, "stuns": 0})
    assert "worm_tokens" not in answer
    assert odds(request(guns, MEDIUM, mode="artillery", target__stuns=2))["outcomes"] == [
        {"models": 4, "stuns": 2, "probability": "1/1", "p": 1.0}
    ]


@pytest.mark.clause("CH-MARK-08", "Q-MARK-3", "W24")
def test_where_the_mark_takes_the_last_die_there_is_no_shot_and_no_error() -> None:
    one = request(("alliance", "light-tank", 1), MEDIUM, (), marked=True)
    assert outcome(resolve(one)) == (0, 0, 0, 0, {"models": 4, "stuns": 0})
    del one["dice"]
    assert odds(one)["attack_dice"] == 0
    assert [o["probability"] for o in odds(one)["outcomes"]] == ["1/1"]
    reaction = request(("alliance", "light-tank", 1), MEDIUM, (1,), marked=True, mode="reaction-fire")
    assert resolve(reaction)["attack_dice"] == 1


@pytest.mark.clause("CH-ALL-22", "CH-ALL-24", "W20")
def test_a_platoon_begins_with_its_full_strength_unless_told() -> None:
    four = ("alliance", "infantry", 4)
    assert resolve(request(four, MEDIUM, (1,) * 4))["attack_dice"] == 4
    assert resolve(request(four, MEDIUM, (1,) * 5, attacker__platoon=True))["attack_dice"] == 5
    three = ("alliance", "infantry", 3)
    assert resolve(request(three, MEDIUM, (1,) * 3, attacker__platoon=True))["attack_dice"] == 3
    smaller: dict[str, Any] = {"attacker__platoon": True, "attacker__starting": 4}
    assert resolve(request(three, MEDIUM, (1,) * 4, **smaller))["attack_dice"] == 4
    for starting, near in ((2, 3), (99, 9)):
        with pytest.raises(InputError, match=f"attacker.starting: .* the nearest right value is {near}"):
            resolve(request(three, MEDIUM, (1,) * 4, attacker__platoon=True, attacker__starting=starting))


@pytest.mark.clause("CH-CC-05", "Q-RUSH-3", "CH-RUSH-01", "CH-CHARGE-11")
def test_cover_is_ignored_in_close_combat_and_in_a_rush() -> None:
    squad = ("asori", "infantry", 2)
    rush = request(
        squad, ("alliance", "light-tank", 5), (3, 4, 5, 6, 6), (6, 4, 4, 2, 1), mode="charge", target__cover=True
    )
    assert outcome(resolve(rush)) == (5, 5, 1, 1, {"models": 4, "stuns": 1})
    fight = request(("alliance", "infantry", 2), squad, (6, 1), (1, 1), mode="close-combat", target__cover=True)
    assert outcome(resolve(fight)) == (2, 2, 1, 0, {"models": 1, "stuns": 0})


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (
            {"attack": [1] * 7},
            r"dice.attack: 8 attack dice are called for; this roll has 7: Medium Tank: 4 models of 2 \(CH-FIRE-09\)",
        ),
        (
            {"attack": [1] * 8, "defence": [1]},
            "dice.defence: 0 defence dice are called for; this roll has 1: no hit stands",
        ),
        (
            {"attack": [5, 5] + [1] * 6, "defence": [1]},
            "dice.defence: 3 defence dice are called for; this roll has 1: .*CH-DEF-02",
        ),
        ({"attack": [7] + [1] * 7}, r"dice.attack\[0\]: a die shows 1 to 6; this one shows 7, and the nearest is 6"),
        ({"attack": [True] + [1] * 7}, r"dice.attack\[0\]: this must be a whole number; it is true"),
        ({"atack": []}, "dice.atack: there is no such key; did you mean 'attack'?"),
    ],
)
def test_dice_that_do_not_fit_are_refused_with_the_reason(made: dict[str, Any], message: str) -> None:
    asked = request(MEDIUM, HEAVY if made.get("defence") == [1] and 5 in made["attack"] else MEDIUM, ())
    asked["dice"] = made
    with pytest.raises(InputError, match=message):
        resolve(asked)


def test_a_request_without_dice_is_told_how_many() -> None:
    with pytest.raises(InputError, match="8 attack dice are called for; this roll has 0"):
        resolve(request(MEDIUM, HEAVY))


V15: dict[str, Any] = {"edition": "v1.5"}


@pytest.mark.clause(
    *("CH-STUN-05", "CH-CHARGE-06", "CH-OVERKILL-05", "CH-OVERKILL-06", "CH-RF-07", "CH-RF-08", "Q-DICE-5"),
    *("CH-ALL-22", "CH-SLUG-02", "CH-DRONE-01", "CH-CHARGE-02", "Q-ART-5"),
)
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (request(MEDIUM, HEAVY, edition="1.5"), "edition: there is no edition '1.5'; did you mean 'v1.5'"),
        (request(MEDIUM, HEAVY, mode="shoot"), "mode: 'shoot' is not allowed here; it is one of"),
        (request(("aliance", "medium-tank", 4), HEAVY), "attacker.army: .*did you mean 'alliance'"),
        (request(("putredine", "medium-tank", 3), HEAVY, **V15), "attacker.army: there is no army of the edition v1.5"),
        (request(MEDIUM, ("asori", "artillery", 3)), "target.kind: there is no asori unit of the edition"),
        (request(("asori", "heavy-weapons", 3), HEAVY), "attacker.kind: there is no asori unit"),
        (request(("alliance", "medium-tank", 5), HEAVY), "attacker.models: .* 1 to 4 models; this one has 5; .* is 4"),
        (request(("alliance", "command", 4), HEAVY), "attacker.models: .*from 1 to 3"),
        (request(MEDIUM, ("asori", "command", 2)), "target.models: .* Chiron Command has 1 model; this one has 2"),
        (request(MEDIUM, ("asori", "heavy-tank", 0)), "target.models: .*the nearest right value is 1"),
        (request(("alliance", "infantry", 7), HEAVY), "attacker.models: .*from 1 to 6"),
        (request(("putredine", "infantry", 201), PLATOON, mode="charge"), "attacker.models: .*from 1 to 200.* is 200"),
        (request(PLATOON, ("putredine", "infantry", 10**6)), "target.models: .* 1 to 200 models; this one has 1000000"),
        (request(MEDIUM, HEAVY, target__stuns=8), "target.stuns: .* 0 to 7 .*this one has 8.*nearest right value is 7"),
        (request(MEDIUM, HEAVY, attacker__stuns=-1), "attacker.stuns: .*the nearest right value is 0"),
        (request(MEDIUM, HEAVY, boost=True, attacker__stuns=1), "boost: .*CH-STUN-05.*nearest right value is false"),
        (request(MEDIUM, HEAVY, boost=1), "boost: this must be true or false; it is 1"),
        (request(MEDIUM, HEAVY, marks=1), "marks: marks serve Alliance artillery only"),
        (request(MEDIUM, HEAVY, marks=-1), "marks: .*the nearest right value is 0"),
        (request(MEDIUM, HEAVY, marked=True), "marked: Medium Tank cannot mark targets"),
        (request(("asori", "light-tank", 4), HEAVY, marked=True), "marked: Light Tank cannot mark"),
        (request(MEDIUM, HEAVY, slugger=True, **V15), "slugger: .*the nearest right value is false"),
        (request(MEDIUM, HEAVY, target__drone="active"), "target.drone: .* cannot have a Shield Drone; only "),
        (request(MEDIUM, CHIRON, target__drone="broken"), "target.drone: 'broken' is not allowed here"),
        (request(MEDIUM, HEAVY, attacker__platoon=True), "attacker.platoon: .* cannot form a Platoon; only "),
        (request(HEAVY, MEDIUM, attacker__starting=4), "attacker.starting: only an Alliance Platoon"),
        (request(MEDIUM, HEAVY, target__platoon=True), "target.platoon: there is no such key"),
        (request(MEDIUM, HEAVY, attacker__cover=True), "attacker.cover: there is no such key"),
        (request(MEDIUM, HEAVY, overkill=1), "overkill: there is no such key; did you mean 'overkills'"),
        (request(MEDIUM, HEAVY, overkills=-1), "overkills: there cannot be -1 pair"),
        (request(MEDIUM, HEAVY, overkills="most"), "overkills: 'most' is not allowed here; it is one of best"),
        (request(PLATOON, HEAVY, overkills=1), "overkills: .*CH-OVERKILL-06"),
        (request(MEDIUM, PLATOON, overkills=1), "overkills: .*CH-OVERKILL-05"),
        (request(("putredine", "slugger", 2), HEAVY), "attacker.kind: a Slugger cannot fire"),
        (request(("putredine", "carrier", 2), HEAVY, mode="reaction-fire"), "attacker.kind: a Carrier cannot fire"),
        (request(("putredine", "infantry", 9), HEAVY), "mode: Putredine infantry has no ranged weapons"),
        (request(("alliance", "artillery", 3), HEAVY), "mode: artillery attacks in the mode 'artillery'"),
        (request(("alliance", "artillery", 3), HEAVY, mode="reaction-fire"), "mode: artillery never uses"),
        (request(MEDIUM, ("alliance", "artillery", 3), mode="reaction-fire"), "mode: no reaction fire"),
        (request(MEDIUM, PLATOON, mode="charge"), "mode: only infantry charges.*nearest right value is 'fire'"),
        (request(("alliance", "artillery", 3), PLATOON, mode="charge"), "mode: .*nearest right value is 'artillery'"),
        (request(PLATOON, HEAVY, mode="charge"), "target.kind: only infantry is charged"),
        (request(("asori", "infantry", 8), MEDIUM, mode="charge"), "target.kind: an Asori Rush is made at"),
        (request(PLATOON, PLATOON, mode="close-combat", boost=True), "boost: close combat dice cannot be boosted"),
        (request(MEDIUM, HEAVY, against_charge=True), "against_charge: only reaction-fire is against a charge"),
        (request(MEDIUM, PLATOON, mode="reaction-fire", against_charge=True), "against_charge: Infantry does not"),
        (
            request(PLATOON, ("asori", "infantry", 2), mode="reaction-fire", against_charge=True, boost=True),
            "boost: .*CH-CHARGE-06",
        ),
        (
            request(
                ("alliance", "light-tank", 5), ("asori", "infantry", 2), mode="reaction-fire", against_charge=True,
                boost=True, rules={"rush.rfBoost": "no"},
            ),
            "boost: .*Q-RUSH-4",
        ),
        (request(("alliance", "heavy-weapons", 3), HEAVY, boost=True, **V15), "boost: .*CH-INFDMG-05"),
        (request(MEDIUM, HEAVY, rules={"overkil.mode": "automatic"}), "rules: .*did you mean overkill.mode"),
        (request(MEDIUM, HEAVY, rules={"overkill.mode": "never"}), "rules: overkill.mode is optional or automatic"),
        (request(MEDIUM, HEAVY, rules={"drone.price": True}), "rules.drone.price: "),
        (request(MEDIUM, HEAVY, ruleset="chess"), "ruleset: "),
        (request(MEDIUM, HEAVY, ruleset="duel"), "mode: there is no such key"),
    ],
)  # fmt: skip
def test_what_is_refused_names_the_field_and_the_nearest_right_value(asked: dict[str, Any], message: str) -> None:
    for answered in (resolve, odds):
        with pytest.raises(InputError, match=message):
            answered(asked)


@pytest.mark.parametrize("missing", ["mode", "attacker", "target"])
def test_what_is_missing_is_named(missing: str) -> None:
    asked = request(MEDIUM, HEAVY)
    del asked[missing]
    with pytest.raises(InputError, match=f"^{missing}: this key is missing"):
        resolve(asked)


@pytest.mark.clause("Q-DEF-4", "Q-DRONE-3", "Q-DRONE-9", "Q-ASORI-3")
@pytest.mark.parametrize("name", NOT_HELD)
def test_house_rules_that_a_request_cannot_hold_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"rules.{name}: .*the nearest right value is"):
        odds(request(MEDIUM, HEAVY, rules={name: NOT_HELD[name][0]}, edition="v1.5"))


def test_best_is_for_odds_and_dice_are_not() -> None:
    with pytest.raises(InputError, match=r"^overkills: the dice are known"):
        resolve(request(MEDIUM, HEAVY, (1,) * 8, overkills="best"))
    with pytest.raises(InputError, match=r"^dice: odds are worked out before dice are rolled"):
        odds(request(MEDIUM, HEAVY, (1,) * 8))


@pytest.mark.clause("Q-PUTINF-2", "CH-PUT-23")
def test_putredine_infantry_may_be_of_any_size() -> None:
    many = ("putredine", "infantry", 11)
    answer = resolve(request(many, ("alliance", "infantry", 2), (6,) + (1,) * 10, mode="charge", attacker__stuns=3))
    assert outcome(answer) == (11, 0, 1, 0, {"models": 1, "stuns": 0})


@pytest.mark.clause("W84", "CH-RUSH-07", "Q-ART-2", "Q-DICE-5")
def test_what_is_allowed_is_answered() -> None:
    artillery = ("alliance", "artillery", 3)
    light = ("alliance", "light-tank", 5)
    asked = [
        request(MEDIUM, artillery, mode="reaction-fire", edition="v1.5"),
        request(light, ("asori", "infantry", 2), mode="reaction-fire", against_charge=True, boost=True),
        request(PLATOON, PLATOON, mode="charge", boost=True, rules={"boost.closeCombat": "yes"}),
        request(artillery, HEAVY, mode="artillery", marks=7, boost=True),
        request(("alliance", "command", 4), HEAVY, edition="v1.5"),
        request(("asori", "light-tank", 4), HEAVY, edition="v1.5", marked=True),
        request(MEDIUM, MEDIUM, attacker__platoon=False, overkills=9),
    ]
    assert [odds(a)["attack_dice"] for a in asked] == [4, 5, 11, 9, 8, 3, 8]


@pytest.mark.clause("CH-MARK-13")
def test_more_than_three_marks_count_as_three() -> None:
    artillery = ("alliance", "artillery", 3)
    three, more = (odds(request(artillery, HEAVY, mode="artillery", marks=n)) for n in (3, 9))
    assert three == more


def test_odds_are_exact_sorted_and_explain_the_mean() -> None:
    answer = odds(request(MEDIUM, HEAVY))
    assert list(answer) == ["attack_dice", "exact", "outcomes", "expected", "overkills"]
    assert answer["exact"] is True
    keys = [(o["models"], o["stuns"]) for o in answer["outcomes"]]
    assert keys == sorted(set(keys))
    from fractions import Fraction

    chances = [Fraction(o["probability"]) for o in answer["outcomes"]]
    assert sum(chances) == 1
    assert all(
        f"{c.numerator}/{c.denominator}" == o["probability"] for c, o in zip(chances, answer["outcomes"], strict=True)
    )
    assert all(o["p"] == float(c) for c, o in zip(chances, answer["outcomes"], strict=True))
    mean = sum(c * o["models"] for c, o in zip(chances, answer["outcomes"], strict=True))
    assert answer["expected"]["models"] == float(mean)
    assert all("drone" not in o for o in answer["outcomes"])


def test_an_answer_says_which_overkills_were_used_where_the_request_does_not() -> None:
    dice = {"attack": [6] * 4 + [1] * 4, "defence": [1] * 6}
    automatic = {"overkill.mode": "automatic"}
    assert resolve(request(MEDIUM, HEAVY, dice=dice))["overkills"] == 0
    assert resolve(request(MEDIUM, HEAVY, dice=dice, rules=automatic))["overkills"] == 2
    assert odds(request(MEDIUM, HEAVY))["overkills"] == "best"
    assert odds(request(MEDIUM, HEAVY, rules=automatic))["overkills"] == "every"
    for words in (0, 1):
        assert "overkills" not in odds(request(MEDIUM, HEAVY, overkills=words))
    assert "overkills" not in resolve(request(MEDIUM, HEAVY, dice=dice, overkills=0))


@pytest.mark.clause("CH-DRONE-02", "Q-DRONE-2")
def test_odds_at_an_active_drone_combine_every_pair() -> None:
    best = odds(request(("asori", "command", 1), CHIRON))
    assert [(o["models"], o["stuns"], o["drone"]) for o in best["outcomes"]] == [
        (1, 0, "active"),
        (1, 0, "disabled"),
        (1, 0, "destroyed"),
    ]
    assert odds(request(("asori", "command", 1), CHIRON, overkills=2)) == {
        k: v for k, v in best.items() if k != "overkills"
    }
    assert len(odds(request(("asori", "command", 1), CHIRON, overkills=0))["outcomes"]) == 1


@pytest.mark.clause("Q-DRONE-4", "Q-DRONE-10", "CH-DRONE-02")
def test_odds_at_an_active_drone_of_v15_combine_no_pair() -> None:
    """Each 6 of a pair kills the tank there, while the pair works on the drone alone."""

    def chances(**fields: Any) -> list[tuple[Any, ...]]:
        asked = request(("asori", "command", 1), CHIRON, edition="v1.5", **fields)
        return [(o["models"], o["drone"], o["probability"]) for o in odds(asked)["outcomes"]]

    assert chances() == chances(overkills=0)
    assert chances() != chances(overkills=2)
