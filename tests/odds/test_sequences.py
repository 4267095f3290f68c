"""Several attackers of one target in order: each attacks the target as the earlier ones have left it."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from caltrop import InputError, odds, resolve
from caltrop.engine import End, Go, Procedure, Run, step
from caltrop.engine.explore import Explorer
from caltrop.engine.ruleset import with_part
from caltrop.rules.squad_action.preview import forecast
from caltrop.rules.squad_action.records import Firefight
from caltrop.rules.squad_action.scene import scene, squad
from caltrop.rules.squad_action.shooting import Shoot, Shooting

Request = dict[str, Any]


def volley(models: int, **fields: Any) -> Request:
    return {"mode": "shoot", "shooter": {"profile": "regular", "weapon": "rifle", "models": models}, **fields}


SOLDIERS = {"profile": "regular", "models": 10, "cover": "soft"}
TANKS = {"army": "asori", "kind": "medium-tank", "models": 3}
FIRE: Request = {"mode": "fire", "attacker": {"army": "alliance", "kind": "light-tank", "models": 2}}
ARMOUR: Request = {"attacker": {"class": "vehicle", "type": "medium"}, "range": 1}
SEQUENCES: dict[str, list[Request]] = {
    "squad-action": [volley(5, distance=6, target=SOLDIERS), volley(8, distance=12), volley(4, distance=6)],
    "command-horizon": [{**FIRE, "target": TANKS}, {**FIRE, "boost": True}, FIRE],
    "hex-command": [
        {**ARMOUR, "target": {"class": "vehicle", "type": "light", "strength": 3, "leader": True}, "terrain": "rubble"},
        {**ARMOUR, "attacker": {"class": "vehicle", "type": "heavy"}, "range": 2},
        {**ARMOUR, "terrain": "open"},
    ],
    "blade-skirmish": [
        {"attacker": {"quality": 3}, "defender": {"quality": 2}, "flanking": True},
        {"attacker": {"quality": 1}},
    ],
    "duel": [{"target": {"wounds": 2}}, {"parried": True}, {"attacker": {"breath": 0, "trait": "steady-handed"}}],
}


def asked(ruleset: str, attacks: list[Request], **fields: Any) -> dict[str, Any]:
    return odds({"ruleset": ruleset, "sequence": attacks, **fields})


def chances(answer: dict[str, Any]) -> dict[Any, Fraction]:
    """Return the chances of outcomes, by the parts of an outcome."""
    result = {}
    for words in answer["outcomes"]:
        what = tuple([value for part, value in words.items() if part not in ("p", "probability")])
        result[what] = Fraction(words["probability"])
        assert words["p"] == float(result[what])
    return result


def test_every_ruleset_has_sequences() -> None:
    assert set(SEQUENCES) == set(with_part("referee"))


@pytest.mark.parametrize("name", SEQUENCES)
def test_one_attack_in_order_is_the_attack(name: str) -> None:
    first = SEQUENCES[name][0]
    alone, in_order = odds({"ruleset": name, **first}), asked(name, [first])
    assert in_order["outcomes"] == alone["outcomes"]
    assert in_order["expected"] == in_order["steps"][0] == in_order["best_order"]["expected"]
    assert in_order.get("overkills") == alone.get("overkills")
    assert alone.get("expected", in_order["expected"]) == in_order["expected"]


@pytest.mark.parametrize("name", SEQUENCES)
def test_the_chances_add_up_and_the_best_order_is_the_best(name: str) -> None:
    attacks = SEQUENCES[name]
    answer = asked(name, attacks)
    assert answer["exact"] is True
    assert sum(chances(answer).values()) == 1
    assert len(answer["steps"]) == len(attacks)
    assert answer["steps"][-1] == answer["expected"]
    part = {"blade-skirmish": "dead", "hex-command": "strength", "duel": "wounds"}.get(name, "models")
    every = {}
    for order in permutations(range(len(attacks))):
        turned = [{key: value for key, value in attacks[n].items() if key not in ("target", "defender")} for n in order]
        for field in ("target", "defender", "terrain"):
            if field in attacks[0] and field not in turned[0]:
                turned[0][field] = attacks[0][field]
        if name == "hex-command":
            turned = [{"terrain": attacks[0]["terrain"], **one} for one in turned]
        every[order] = asked(name, turned)["expected"][part]
    best = answer["best_order"]
    assert best["expected"][part] == pytest.approx(min(every.values()) if part != "dead" else max(every.values()))
    assert every[tuple(best["order"])] == pytest.approx(best["expected"][part])
    if answer["expected"] == best["expected"]:
        assert best["order"] == list(range(len(attacks)))


def test_a_better_order_is_told() -> None:
    attacks = [volley(2, distance=6, target=SOLDIERS), volley(8, distance=12), volley(6, distance=6)]
    answer = asked("squad-action", attacks)
    assert answer["best_order"]["order"] != [0, 1, 2]
    assert answer["best_order"]["expected"]["models"] < answer["expected"]["models"]
    many = [volley(n + 1, distance=12) for n in range(7)]
    assert asked("squad-action", [{**many[0], "target": SOLDIERS}, *many[1:]])["best_order"] is None
    same = [volley(4, distance=12)] * 8
    equal = asked("squad-action", [{**same[0], "target": SOLDIERS}, *same[1:]])
    assert equal["best_order"]["order"] == list(range(8))


# --- against the procedures -------------------------------------------------------------------------------------------


class Volleys(Procedure):
    """A procedure in which squads shoot at one target, one after another."""

    units: tuple[int, ...]
    target: int
    now: int = 0

    @step("SQ-SHO-01")
    def next_one(self, t: Firefight) -> Run | End:
        """Return the next squad's attack on the survivors."""
        if self.now == len(self.units) or not t.units[self.target].in_play:
            return End()
        self.now += 1
        return Run(Shooting(unit=self.units[self.now - 1], fire=(("rifle", self.target),)))

    @step("SQ-SHO-01")
    def again(self, t: Firefight) -> Go:
        """Go on."""
        return Go("next_one")


@pytest.mark.clause("SQ-SHO-10", "SQ-SHO-11")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_a_sequence_is_what_the_procedures_come_to(order: tuple[int, ...]) -> None:
    t = scene(
        squad(0, "regular", 12, 17, 4),
        squad(0, "veteran", 18, 17, 3),
        squad(0, "regular", 24, 17, 4),
        squad(1, "regular", 18, 26, 6, traits=("gene-enhanced",)),
    )

    def left(t: Firefight, _: object) -> tuple[int, bool]:
        u = t.units[3]
        return (len(u.models), u.pinned) if u.in_play else (0, False)

    requests = [forecast(t, Shoot(unit, (("rifle", 3),))).request for unit in order]  # type: ignore[union-attr]
    attacks = [{key: one[key] for key in ("mode", "shooter", "distance")} for one in requests if one is not None]
    assert len(attacks) == 3
    assert requests[0] is not None
    attacks[0]["target"] = requests[0]["target"]
    explored = Explorer(t).odds(Volleys(units=order, target=3), left)
    assert chances(asked("squad-action", attacks)) == dict(explored.items())


@pytest.mark.clause("SQ-ORG-27", "SQ-ORG-28")
@pytest.mark.parametrize("starting", [{}, {"starting": 10}, {"starting": 14}])
def test_a_squad_remembers_between_volleys_how_many_it_began_with(starting: dict[str, int]) -> None:
    target = {**SOLDIERS, **starting}
    first, second = volley(8, distance=6, target=target), volley(8, distance=6)
    expected: dict[Any, Fraction] = {}
    for left in odds({"ruleset": "squad-action", **first})["outcomes"]:
        chance = Fraction(left["probability"])
        if not left["models"]:
            expected[0, False] = expected.get((0, False), Fraction(0)) + chance
            continue
        now = {**target, "models": left["models"], "pinned": left["pinned"], "starting": starting.get("starting", 10)}
        for key, then in chances(odds({"ruleset": "squad-action", **second, "target": now})).items():
            expected[key] = expected.get(key, Fraction(0)) + chance * then
    assert chances(asked("squad-action", [first, second])) == expected


@pytest.mark.clause("HX-LDS-05", "HX-RET-01")
def test_hexes_add_up_and_a_leader_falls_once() -> None:
    first, second = SEQUENCES["hex-command"][0], {**ARMOUR, "range": 1}
    answer = asked("hex-command", [first, second])
    expected: dict[Any, Fraction] = {}
    for words in odds({"ruleset": "hex-command", **first})["outcomes"]:
        chance, lost = Fraction(words["probability"]), words["leader_lost"]
        if not words["strength"]:
            expected[0, lost, 0] = expected.get((0, lost, 0), Fraction(0)) + chance
            continue
        target = {**first["target"], "strength": words["strength"], "leader": not lost}
        for then in odds({"ruleset": "hex-command", **second, "terrain": "rubble", "target": target})["outcomes"]:
            back = words["retreat"] + then["retreat"] if then["strength"] else 0
            key = then["strength"], lost or then["leader_lost"], back
            expected[key] = expected.get(key, Fraction(0)) + chance * Fraction(then["probability"])
    assert chances(answer) == expected


@pytest.mark.clause("BS-Q31", "BS-CMB-03")
def test_attacks_of_a_combat_count_together_unless_each_counts_at_once() -> None:
    attacks = [{"attacker": {"quality": 6}, "defender": {"quality": 1}}, {"attacker": {"quality": 6}}]
    hit = 1 - chances(odds({"ruleset": "blade-skirmish", **attacks[0]})).get((None,), Fraction(0))
    dead = hit / 6
    assert chances(asked("blade-skirmish", attacks))[("dead",)] == 1 - (1 - dead) ** 2
    removed = hit / 2
    at_once = asked("blade-skirmish", attacks, rules={"combat_order": "sequential"})
    assert chances(at_once)[("dead",)] == dead + (1 - removed) * dead


@pytest.mark.clause("CH-STUN-09")
def test_markers_and_the_drone_stay_between_attacks() -> None:
    command = {"army": "asori", "kind": "command", "models": 1}
    attacks = [{**FIRE, "target": command}, FIRE]
    answer = asked("command-horizon", attacks)
    assert answer["overkills"] == "best"
    assert any(outcome.get("drone") == "destroyed" and outcome["models"] for outcome in answer["outcomes"])
    alone = odds({"ruleset": "command-horizon", **attacks[0]})
    assert answer["steps"][0] == alone["expected"]
    every = asked("command-horizon", attacks, rules={"overkill.mode": "automatic"})
    assert every["overkills"] == "every"
    words = [{**one, "overkills": 1} for one in attacks]
    assert "overkills" not in asked("command-horizon", words)


# --- refusals --------------------------------------------------------------------------------------------------

GOOD = [volley(8, distance=12, target=SOLDIERS), volley(4, distance=12)]


@pytest.mark.parametrize(
    ("request_", "field", "words"),
    [
        ({"sequence": []}, "sequence", "the nearest right number is 1"),
        ({"sequence": [GOOD[0], *[GOOD[1]] * 12]}, "sequence", "the nearest right number is 12"),
        ({"sequence": {}}, "sequence", "a list"),
        ({"sequence": [GOOD[1]]}, "sequence[0].target", "missing"),
        ({"sequence": [GOOD[0], GOOD[0]]}, "sequence[1].target", "leave it out"),
        ({"sequence": [GOOD[0], {**GOOD[1], "dice": {"attack": [1]}}]}, "sequence[1].dice", "before dice"),
        ({"sequence": [GOOD[0], volley(41, distance=12)]}, "sequence[1].shooter.models", "the nearest is 40"),
        ({"sequence": [{**GOOD[0], "target": {**SOLDIERS, "models": 0}}]}, "sequence[0].target.models", "nearest is 1"),
        ({"sequence": [GOOD[0], {**GOOD[1], "aim": 3}]}, "sequence[1].aim", "no such key"),
        ({"sequence": [GOOD[0], {**GOOD[1], "ruleset": "duel"}]}, "sequence[1].ruleset", "beside"),
        ({"sequence": [GOOD[0], {**GOOD[1], "rules": {"double_saves": "on"}}]}, "sequence[1].rules", "beside"),
        ({"sequence": GOOD, "rules": {"double_save": "on"}}, "rules", "did you mean double_saves"),
        ({"sequence": GOOD, "edition": "v2"}, "edition", "no such key"),
        ({"sequence": GOOD, "dice": {}}, "dice", "no such key"),
    ],
)
def test_what_is_wrong_is_named_with_its_attack(request_: Request, field: str, words: str) -> None:
    with pytest.raises(InputError) as error:
        odds({"ruleset": "squad-action", **request_})
    assert (error.value.field, words in error.value.message) == (field, True), str(error.value)


@pytest.mark.parametrize("ruleset", SEQUENCES)
def test_several_attacks_are_not_refereed_at_once(ruleset: str) -> None:
    with pytest.raises(InputError, match="referee each attack") as error:
        resolve({"ruleset": ruleset, "sequence": SEQUENCES[ruleset]})
    assert error.value.field == "sequence"


def test_an_attack_may_say_what_holds_for_all() -> None:
    rules = {"impossible_shots": "on"}
    full = [{"ruleset": "squad-action", "rules": rules, **one} for one in GOOD]
    assert asked("squad-action", full, rules=rules) == asked("squad-action", GOOD, rules=rules)


def test_what_a_sequence_cannot_hold_is_refused() -> None:
    with pytest.raises(InputError, match="shield dice") as error:
        asked("hex-command", SEQUENCES["hex-command"], rules={"void_shields": "per_turn_pool"})
    assert error.value.field == "rules.void_shields"
    with pytest.raises(InputError):
        resolve({"ruleset": "duel", "sequence": SEQUENCES["duel"]})
