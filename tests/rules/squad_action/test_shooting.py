"""Shooting on the table: targets, ranges, order, and results (SQ-SHO, SQ-Q04…)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.asking import offered
from caltrop.engine import Refusal, total
from caltrop.rules.squad_action.activation import NextAct, PassUp
from caltrop.rules.squad_action.casualties import Fall, MoraleChecked, Saved
from caltrop.rules.squad_action.catalogue import TRAITS, inches
from caltrop.rules.squad_action.damage import Condition, MachineChecked, Struck
from caltrop.rules.squad_action.movement import Move
from caltrop.rules.squad_action.overwatch import LetPass, React, Spring
from caltrop.rules.squad_action.preview import forecast
from caltrop.rules.squad_action.records import Cloud, Firefight
from caltrop.rules.squad_action.remains import LeftUnit
from caltrop.rules.squad_action.requests import asked
from caltrop.rules.squad_action.scene import Put, at, block, done, machine, scene, squad
from caltrop.rules.squad_action.shooting import NobodyFires, Shoot, attack_of, in_words
from caltrop.rules.squad_action.shots import Attack, at_of, ends_of_machine, ends_of_soldiers
from caltrop.rules.squad_action.turn import Activation
from caltrop.rules.squad_action.volley import AttackMachine, AttackSoldiers, Fired, HitsLost, Show
from tests.rules.squad_action.played import Heard, KindOf, ends, every, now, one, play

KIND = KindOf("shoot")


def rifles(target: int = 1, *more: tuple[str, int], unit: int = 0) -> Shoot:
    return Shoot(unit, (("rifle", target), *more))


def shoot(t: Firefight, act: Shoot, *dice: Any, answers: Any = (), token: bool = False) -> Heard:
    """Return a Shoot that is legal, with its dice."""
    assert KIND.refusal(t, act, True) is None
    return play(t, act.procedure(t, token=token), *dice, answers=answers)


def needs(t: Firefight, act: Shoot, token: bool = False) -> list[list[tuple[str, int, int]]]:
    """For each attack its bands: weapon, models, what each shot needs."""
    return [[(b.way, len(b.models), b.needed) for b in a.bands] for a in attack_of(t, act, token)]


def refused(t: Firefight, act: Shoot, second: bool = False) -> Refusal:
    refusal = KIND.refusal(t, act, second)
    assert refusal is not None
    if refusal.nearest is not None:
        assert KIND.refusal(t, refusal.nearest, second) is None
    return refusal


def facing(
    *targets: Put, weapons: Any = (), models: int = 1, y: Any = 10, row: str = "regular", **fields: Any
) -> Firefight:
    """Return a squad of South, with targets."""
    firefight = {k: fields.pop(k) for k in ("rules", "terrain", "clouds", "tokens", "field") if k in fields}
    return scene(squad(0, row, 20, y, models, weapons=weapons, gap="0.7", **fields), *targets, **firefight)


def apart(distance: Any, models: int = 8, **fields: Any) -> Put:
    """Return a squad whose first model is straight ahead of the shooter at a distance between their edges."""
    return squad(1, "regular", 20, float(distance) + 10.6, models, gap="0.7", **fields)


@pytest.mark.parametrize("trait", TRAITS)
@pytest.mark.parametrize("distance", [8, 13, 20])
def test_a_trait_counts_alike_on_the_table_and_in_a_request(trait: str, distance: int) -> None:
    for shooter, target in (((trait,), ()), ((), (trait,))):
        (attack,) = attack_of(facing(apart(distance, traits=target), traits=shooter), rifles())
        read = asked({
            "ruleset": "squad-action", "mode": "shoot", "distance": distance,
            "shooter": {"profile": "regular", "weapon": "rifle", "models": 1, "traits": list(shooter)},
            "target": {"profile": "regular", "models": 8, "traits": list(target)},
        })  # fmt: skip
        (band,) = attack.bands
        why = "fill in the new field of `ShotModifiers` in both places: shots.aim_at and requests.asked"
        assert (read.to_hit, read.needed, read.reroll) == (band.parts, band.needed, band.reroll), why


# --- what each shot needs ---------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-SHO-03", "SQ-SHO-08", "SQ-SHO-09", "SQ-ORG-15", "SQ-Q10", "SQ-W01")
@pytest.mark.parametrize(("distance", "needed"), [(8, 3), (8.1, 4), (12, 4), (16, 4), (16.1, 5), (20, 5), (33, 5)])
def test_range_bands(distance: float, needed: int) -> None:
    assert needs(facing(apart(distance)), rifles()) == [[("rifle", 1, needed)]]


@pytest.mark.clause("SQ-S55", "SQ-S13")
def test_a_machine_may_have_a_gun_whose_solid_shot_is_its_own() -> None:
    t = scene(
        machine(0, "light-tank", 10, 10), machine(0, "battle-tank", 20, 10),
        squad(0, "regular", 30, 10, 1, weapons=("solid-shot",)),
    )  # fmt: skip
    assert [at_of(t, unit, "solid-shot") for unit in range(3)] == ["Med", "Hvy", "Hvy"]
    assert at_of(t, 0, "shell") == "Lt"


@pytest.mark.clause("SQ-SHO-10", "SQ-SHO-11", "SQ-Q12", "SQ-Q13", "SQ-W02", "SQ-W03")
def test_the_few_and_the_pinned_are_harder_to_hit() -> None:
    assert needs(facing(apart(20, 3, pinned=True)), rifles()) == [[("rifle", 1, 6)]]
    assert needs(facing(apart(8, 3, pinned=True)), rifles()) == [[("rifle", 1, 5)]]
    assert needs(facing(apart(12, 3)), rifles()) == [[("rifle", 1, 5)]]
    assert needs(facing(apart(12, 4)), rifles()) == [[("rifle", 1, 4)]]
    assert needs(facing(apart(12, 1, starting=1)), rifles()) == [[("rifle", 1, 5)]]
    # A machine is not few.
    assert needs(facing(machine(1, "truck", 20, 24)), rifles())[0][0][2] == 4


@pytest.mark.clause("SQ-Q13", "SQ-W02")
@pytest.mark.house("impossible_shots", "off", "on")
def test_impossible_shots_may_miss() -> None:
    t = facing(apart(20, 3, pinned=True), rules={"impossible_shots": "on"})
    assert needs(t, rifles()) == [[("rifle", 1, 7)]]
    assert needs(facing(apart(20, 3, pinned=True)), rifles()) == [[("rifle", 1, 6)]]


@pytest.mark.clause("SQ-SHO-12", "SQ-W12")
def test_a_fast_vehicle_is_harder_to_hit() -> None:
    for travelled, needed in ((10, 4), ("10.01", 5), (11, 5)):
        t = facing(machine(1, "truck", 20, 24, travelled=inches(travelled)))
        assert needs(t, rifles())[0][0][2] == needed
    # Soldiers that ran are not.
    assert needs(facing(apart(12, travelled=inches(12))), rifles())[0][0][2] == 4


@pytest.mark.clause("SQ-ORG-60", "SQ-ORG-63", "SQ-Q55", "SQ-W56")
def test_a_flyer_is_harder_to_hit_once_unless_it_hovers() -> None:
    flying = facing(machine(1, "gunship", 20, 23, travelled=inches(36)))
    assert needs(flying, rifles())[0][0][2] == 5
    hovering = facing(machine(1, "gunship", 20, 23, travelled=inches(36), hovering=True))
    assert needs(hovering, rifles())[0][0][2] == 4


@pytest.mark.clause("SQ-ORG-49", "SQ-ORG-51", "SQ-Q58", "SQ-W49")
def test_smoke_takes_1_off_however_many_clouds() -> None:
    def smoky(*ys: int, target: Put | None = None) -> Firefight:
        clouds = [Cloud(at=at(20, y), side=1, unit=1, left=2) for y in ys]
        return facing(target or apart(12), clouds=clouds)

    assert needs(smoky(16), rifles()) == [[("rifle", 1, 5)]]
    assert needs(smoky(16, 17), rifles()) == [[("rifle", 1, 5)]]
    assert needs(smoky(40), rifles()) == [[("rifle", 1, 4)]]
    # Out of it and into it as well.
    assert needs(smoky(10), rifles()) == [[("rifle", 1, 5)]]
    assert needs(smoky(23), rifles()) == [[("rifle", 1, 5)]]
    # A flyer is not hidden.
    flyer = machine(1, "gunship", 20, 23, hovering=True)
    assert needs(smoky(16, target=flyer), rifles()) == [[("rifle", 1, 4)]]


@pytest.mark.clause("SQ-Q17")
@pytest.mark.house("overwatch_penalty", 0, -1)
def test_fire_from_overwatch_may_be_harder() -> None:
    assert needs(facing(apart(12)), rifles(), token=True) == [[("rifle", 1, 4)]]
    assert needs(facing(apart(12), rules={"overwatch_penalty": -1}), rifles(), token=True) == [[("rifle", 1, 5)]]
    assert needs(facing(apart(12), rules={"overwatch_penalty": -1}), rifles()) == [[("rifle", 1, 4)]]


@pytest.mark.clause("SQ-ORG-21", "SQ-S54", "SQ-Q51")
def test_machines_hit_on_4() -> None:
    t = scene(machine(0, "apc", 20, 10), squad(1, "regular", 20, 28, 8))
    assert needs(t, Shoot(0, (("heavy-machine-gun", 1),))) == [[("heavy-machine-gun", 1, 4)]]


# --- who fires --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-Q11", "SQ-ORG-16", "SQ-SHO-02")
def test_each_model_measures_for_itself_to_the_nearest_that_it_sees() -> None:
    # One behind the other: 8 and 12 inches.
    t = scene(squad(0, "regular", 20, 10, 2, rank=1, gap=4), squad(1, "regular", 20, "18.6", 8, rank=8))
    assert needs(t, rifles()) == [[("rifle", 1, 3), ("rifle", 1, 4)]]
    # A hull before one of them: he sees nobody, and does not fire.
    hidden = scene(
        squad(0, "regular", 10, 10, 2, gap=20),
        squad(1, "regular", 10, 22, 4, gap="0.7"),
        machine(0, "apc", 28, 13, heading=(1, 0)),
        terrain=[block("house", "building", 24, 8, 28, 20)],
    )
    (attack,) = attack_of(hidden, rifles())
    assert [b.models for b in attack.bands] == [(0,)]


@pytest.mark.clause("SQ-S13", "SQ-Q10")
@pytest.mark.house("max_range_factor", "none", 2, 1, 3)
def test_reach_and_the_house_limit() -> None:
    def gone(weapon: str, distance: float, **rules: Any) -> str | None:
        t = facing(apart(distance), weapons=(weapon,), rules=rules)
        refusal = KIND.refusal(t, Shoot(0, ((weapon, 1),)), False)
        return refusal.code if refusal else None

    assert gone("fusion-gun", 16) is None
    assert gone("fusion-gun", 16.1) == "beyond-reach"
    assert gone("rifle", 35) is None
    for factor in (1, 2, 3):
        assert gone("submachine-gun", 8 * min(factor, 2), max_range_factor=factor) is None
        assert gone("submachine-gun", 8 * min(factor, 2) + 0.1, max_range_factor=factor) == "beyond-reach"
    for factor in (1, 2, 3):
        assert gone("rifle", 16 * factor, max_range_factor=factor) is None
        assert gone("rifle", 16 * factor + 0.1, max_range_factor=factor) == "beyond-reach"
    assert gone("rifle", 50) is None


@pytest.mark.clause("SQ-ORG-59", "SQ-W57")
def test_a_flyer_attacks_what_is_within_20_inches() -> None:
    for distance, code in ((19, None), (20, None), ("20.1", "flyer-too-far"), (21, "flyer-too-far")):
        t = scene(machine(0, "gunship", 20, 10), squad(1, "regular", 20, 11.3 + float(distance), 8))
        shot = Shoot(0, (("autocannon", 1),))
        refusal = KIND.refusal(t, shot, False)
        assert (refusal and refusal.code) == code, distance
        assert bool(attack_of(t, shot)) is (code is None), distance


@pytest.mark.clause("SQ-S32", "SQ-S13")
def test_some_weapons_are_not_fired_after_moving() -> None:
    act = Shoot(0, (("heavy-machine-gun", 1),))
    assert KIND.refusal(facing(apart(12), weapons=("heavy-machine-gun",)), act, True) is None
    for field in ("moved", "crept"):
        t = facing(apart(12), weapons=("heavy-machine-gun",), models=2)
        t.change(0, activated=True, **{field: 1 if field == "crept" else True})
        assert refused(t, act).code == "moved"
        assert refused(t, Shoot(0, (("heavy-machine-gun", 1), ("rifle", 1)))).nearest == rifles()
    # A vehicle's may.
    assert KIND.refusal(scene(machine(0, "apc", 20, 10, moved=True), apart(14)), act, True) is None


@pytest.mark.clause("SQ-WPN-01", "SQ-Q05", "SQ-W11")
def test_launchers_fire_once_a_game_turn() -> None:
    t = facing(apart(10), weapons=("rpg",), models=2)
    both = Shoot(0, (("rpg", 1), ("rifle", 1)))
    after = done(shoot(t, both, 1, 1))
    assert after.models[0].fired == ("rpg",)
    assert after.units[0].shot
    result = refused(after, both)
    assert (result.code, result.nearest) == ("fired", rifles())
    assert result.message == "Every RPG of South 0 has fired this turn"
    assert Shoot(0, (("rpg", 1), ("rifle", 1))) not in set(KIND.acts(after, 0, True))
    assert rifles() in set(KIND.acts(after, 0, True))


@pytest.mark.clause("SQ-S13", "SQ-S55", "SQ-S51")
def test_a_gun_fires_in_one_of_its_ways_and_some_have_their_own_shot() -> None:
    t = scene(machine(0, "heavy-tank", 20, 10), machine(1, "battle-tank", 20, 28), squad(1, "regular", 26, 28, 8))
    for tank, at_class in (("heavy-tank", "VHvy"), ("battle-tank", "Hvy"), ("light-tank", "Med")):
        t = scene(machine(0, tank, 20, 10), machine(1, "apc", 20, 28))
        (attack,) = attack_of(t, Shoot(0, (("solid-shot", 1),)))
        assert attack.bands[0].at_class == at_class
        (attack,) = attack_of(t, Shoot(0, (("shell", 1),)))
        assert attack.bands[0].at_class == "Lt"
    assert refused(t, Shoot(0, (("solid-shot", 1), ("shell", 1)))).code == "one-way"
    assert refused(t, Shoot(0, (("solid-shot", 1), ("solid-shot", 1)))).code == "one-way"
    lost = scene(machine(0, "battle-tank", 20, 10, disarmed=True), squad(1, "regular", 20, 28, 8))
    result = refused(lost, Shoot(0, (("shell", 1),)))
    assert (result.code, result.nearest) == ("main-lost", Shoot(0, (("heavy-machine-gun", 1),)))
    assert refused(lost, Shoot(0, (("autocannon", 1),))).code == "no-weapon"


@pytest.mark.clause("SQ-SHO-01", "SQ-Q08", "SQ-S53", "SQ-Q48", "SQ-S23", "SQ-Q62", "SQ-ORG-16")
@pytest.mark.house("pinned_may_shoot", "off", "on")
def test_who_shoots_at_nobody() -> None:
    assert refused(facing(apart(10), pinned=True), rifles()).code == "pinned"
    on = {"pinned_may_shoot": "on"}
    assert refused(facing(apart(10), pinned=True, rules=on), rifles()).code == "pinned"
    pinned = facing(apart(10), pinned=True, rules=on)
    assert KIND.refusal(pinned, rifles(), True) is None
    assert needs(pinned, rifles()) == [[("rifle", 1, 5)]]
    assert refused(facing(apart(10), broken=True), rifles()).code == "broken"
    assert refused(facing(apart(10), locked=(1,)), rifles()).code == "locked"
    assert refused(facing(apart(10), where="reserve"), rifles()).code == "not-in-play"
    t = facing(apart(10), weapons=("light-mortar",), models=3)
    assert refused(t, Shoot(0, (("light-mortar", 1),))).code == "no-weapon"
    t.change_model(0, fired=("light-mortar",))
    assert refused(t, rifles()).code == "mortar"
    assert list(KIND.acts(t, 0, False)) == []
    assert refused(facing(apart(10)), Shoot(0, ())).code == "nothing"


@pytest.mark.clause("SQ-SHO-01", "SQ-SHO-02", "SQ-Q48")
def test_who_is_no_target() -> None:
    t = facing(
        apart(10),
        squad(1, "regular", 20, 40, 4, where="gone"),
        squad(0, "regular", 30, 10, 4),
        squad(1, "regular", 40, 12, 4, locked=(2,)),
        squad(1, "regular", 6, 12, 4),
        terrain=[block("house", "building", 14, 2, 18, 20)],
    )
    for target, code in ((2, "no-enemy"), (3, "no-enemy"), (9, "no-enemy"), (4, "target-locked"), (5, "no-sight")):
        result = refused(t, rifles(target))
        assert (result.code, result.nearest) == (code, rifles())


# --- one target -------------------------------------------------------------------------------------------------------


def mixed(**rules: Any) -> Firefight:
    return facing(
        apart(10),
        machine(1, "apc", 28, 20, heading=(0, -1)),
        squad(1, "regular", 12, 20, 4),
        weapons=("rpg",),
        models=3,
        rules=rules,
    )


@pytest.mark.clause("SQ-Q04")
@pytest.mark.parametrize(
    ("rule", "splits"),
    [("off", {(("rifle", 1), ("rpg", 2)), (("rifle", 3), ("rpg", 2))}),
     ("on", {*[(("rifle", a), ("rpg", b)) for a in (1, 3) for b in (1, 2, 3) if a != b]})],
)  # fmt: skip
def test_fire_at_several_targets_is_offered_as_far_as_it_is_allowed(rule: str, splits: set[Any]) -> None:
    """Rifles cannot harm the vehicle, unit 2."""
    t = mixed(split_fire=rule)
    acts = [offer.action for offer in KIND.offers(t, 0)]
    assert [act for act in acts if KIND.refusal(t, act, False) is not None] == []
    assert {tuple(sorted(act.fire)) for act in acts if len({target for _, target in act.fire}) > 1} == splits
    assert len({tuple(sorted(act.fire)) for act in acts}) == len(acts)
    token = React(side=0, watcher=0, face="fire", target=3)
    assert all(any(target == 3 for _, target in o.action.fire) for o in token.offers(t) if isinstance(o.action, Shoot))


@pytest.mark.clause("SQ-Q04", "SQ-SHO-01")
@pytest.mark.house("split_fire", "off", "on")
def test_one_target_but_for_anti_tank_weapons_at_vehicles() -> None:
    t = mixed()
    assert KIND.refusal(t, Shoot(0, (("rpg", 2), ("rifle", 1))), False) is None
    result = refused(t, Shoot(0, (("rpg", 3), ("rifle", 1))))
    assert (result.code, result.nearest) == ("one-target", Shoot(0, (("rpg", 3),)))
    assert refused(t, Shoot(0, (("rifle", 2), ("rpg", 1)))).code == "one-target"
    assert KIND.refusal(mixed(split_fire="on"), Shoot(0, (("rpg", 3), ("rifle", 1))), False) is None
    # A heavy machine gun (VLt) picks none; an autocannon (Lt) does.
    for weapon, code in (("heavy-machine-gun", "one-target"), ("autocannon", None)):
        t = facing(apart(10), machine(1, "apc", 28, 20), weapons=(weapon,), models=3)
        found_ = KIND.refusal(t, Shoot(0, ((weapon, 2), ("rifle", 1))), False)
        assert (found_ and found_.code) == code


@pytest.mark.clause("SQ-Q04", "SQ-SHO-06", "SQ-ORG-30")
def test_each_target_is_one_attack_with_checks_of_its_own() -> None:
    t = mixed()
    match = shoot(t, Shoot(0, (("rpg", 2), ("rifle", 1))), 6, 3, 3, 4, (4, 1), 5, 3)
    # The rocket hits the APC (front VLt 1 against Med 3: 3 + 2 = 5 damages) …
    assert one(match, Struck).score == 5
    assert len(every(match, MachineChecked)) == 1
    assert [f.target for f in every(match, Fired)] == [2, 1]
    assert [c.unit for c in every(match, MoraleChecked)] == [1]
    done(match)


@pytest.mark.clause("SQ-Q04", "SQ-ACT-02", "SQ-S13")
def test_what_is_offered() -> None:
    t = mixed()
    acts = list(KIND.acts(t, 0, False))
    assert acts == [
        Shoot(0, (("rpg", 1), ("rifle", 1))),
        rifles(1),
        Shoot(0, (("rifle", 1), ("rpg", 2))),
        Shoot(0, (("rpg", 2),)),
        Shoot(0, (("rpg", 3), ("rifle", 3))),
        rifles(3),
        Shoot(0, (("rifle", 3), ("rpg", 2))),
    ]
    assert all(KIND.refusal(t, act, False) is None for act in acts)
    words = [o.words for o in KIND.offers(t, 0, False)]
    assert words[0] == "Shoot at North 1: 1 RPG, 2 rifles"
    assert words[2] == "Shoot at North 1: 2 rifles; at North 2: 1 RPG"
    tank = scene(machine(0, "battle-tank", 20, 10), squad(1, "regular", 20, 28, 8))
    assert in_words(tank, 0, (("shell", 1),)) == "Shoot at North 1: 1 tank gun with shell"


# --- dice and casualties ----------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-SHO-04", "SQ-SHO-05", "SQ-SHO-06", "SQ-SHO-07", "SQ-ORG-23", "SQ-W04")
def test_the_worked_volley() -> None:
    t = scene(squad(0, "regular", 20, 10, 8, gap="0.7"), squad(1, "regular", 20, 22, 8, gap="0.7"))
    dice = ((6, 5, 4, 4, 3, 2, 1, 1), (6, 3, 2, 1), 5)
    match = shoot(t, rifles(), *dice, answers=[Fall((13, 14, 15))])
    u = done(match).units[1]
    assert (len(u.models), u.pinned) == (5, True)
    fired = one(match, Fired)
    assert fired.sentence(now(match)) == "South 0 fires 8 rifles at North 1, 4+: 6 5 4 4 3 2 1 1: 4 hits"
    read = fired.reading(now(match))
    assert [d.result for d in read.dice] == ["hit"] * 4 + [""] * 4
    assert (read.tallies[0].got, read.tallies[0].expected) == (4, "4/1")
    assert not done(shoot(t, rifles(), (6, 5, 4, 4, 3, 2, 1, 1), (6, 5, 5, 5), 3)).units[1].pinned
    missed = shoot(t, rifles(), (1, 1, 1, 1, 3, 2, 1, 1))
    assert not every(missed, MoraleChecked)


@pytest.mark.clause("SQ-TRT-08", "SQ-Q46", "SQ-W07")
def test_improved_targeting_throws_1s_again_once() -> None:
    t = facing(apart(12), models=3, traits=("improved-targeting",))
    match = shoot(t, rifles(), (1, 1, 4), (5, 1), (5, 5), 3)
    fired = one(match, Fired)
    assert (fired.faces, fired.before, fired.hits) == ((5, 1, 4), (1, 1, 4), 2)
    assert fired.reading(now(match)).tallies[0].expected == "7/4"
    vehicle = facing(machine(1, "truck", 20, 24), models=1, traits=("improved-targeting",))
    assert one(shoot(vehicle, rifles(), 1, 1), Fired).before == (1,)
    # No 1s, no throw.
    assert one(shoot(t, rifles(), (2, 2, 2)), Fired).hits == 0


@pytest.mark.clause("SQ-WPN-02", "SQ-WPN-03", "SQ-Q15", "SQ-S13", "SQ-W10")
def test_a_flamethrower_says_its_shots_by_a_die_and_frightens_though_it_misses() -> None:
    woods = [block("wood", "woods", 10, 14, 30, 30)]
    t = facing(apart(4, 4), weapons=("flamethrower",), terrain=woods)
    act = Shoot(0, (("flamethrower", 1),))
    missed = shoot(t, act, 2, (1, 1), 3)
    assert done(missed).units[1].pinned
    match = shoot(t, act, 3, (5, 5, 1), (6, 5), 4, answers=[Fall((4,))])
    assert done(match).units[1].pinned
    # Woods give no cover: armour 5+ worsened by 1.
    assert [s.needed for s in every(match, Saved)] == [6]


@pytest.mark.clause("SQ-Q44", "SQ-ORG-17", "SQ-W61")
def test_hits_beyond_those_seen_are_lost_but_pin() -> None:
    t = scene(squad(0, "regular", 20, 10, 10, gap="0.7"), squad(1, "regular", 22, 20, 3, gap="0.7"))
    match = shoot(t, rifles(), (6,) * 10, (6, 4, 2), answers=[Fall((11, 12))])
    assert one(match, HitsLost).count == 7
    assert done(match).units[1].where == "gone"


@pytest.mark.clause("SQ-ORG-17", "SQ-Q44", "SQ-S16")
def test_only_those_seen_fall() -> None:
    # Three of six stand behind a house.
    t = scene(
        squad(0, "regular", 20, 10, 4, gap="0.7"),
        squad(1, "conscript", 21, 24, 3, gap="0.7"),
        terrain=[block("house", "building", 23, 15, 40, 20)],
    )
    t.put({6: at(30, 24)})
    (attack,) = attack_of(t, rifles())
    assert attack.seen == (4, 5)
    match = shoot(t, rifles(), (6, 6, 6, 6))
    assert one(match, HitsLost).count == 2
    assert done(match).units[1].where == "gone"


@pytest.mark.clause("SQ-Q44")
def test_the_weapons_are_resolved_in_the_order_that_was_named() -> None:
    t = facing(apart(12, 4), weapons=("light-machine-gun", "heavy-machine-gun"), models=3)
    one_way = Shoot(0, (("heavy-machine-gun", 1), ("light-machine-gun", 1), ("rifle", 1)))
    match = shoot(t, one_way, (6, 6, 6), (6, 6, 6), (6, 6, 6), 5, 3)
    # Three hits at armour 6+ are saved; one more counts, and the rifle does not matter any more.
    assert [(f.way, f.hits) for f in every(match, Fired)] == [("heavy-machine-gun", 3), ("light-machine-gun", 3)]
    assert [(s.needed, len(s.faces)) for s in every(match, Saved)] == [(6, 3), (5, 1)]
    assert one(match, HitsLost).count == 2
    other = shoot(t, Shoot(0, one_way.fire[::-1]), 6, (6, 6, 6), (6, 6, 6, 6), 3)
    assert [(s.needed, len(s.faces)) for s in every(other, Saved)] == [(5, 4)]


@pytest.mark.clause("SQ-Q44", "SQ-S13")
def test_a_sniper_picks_among_those_he_sees() -> None:
    t = facing(apart(20, 4, officer=True), weapons=("sniper-rifle",))
    match = shoot(t, Shoot(0, (("sniper-rifle", 1),)), 6)
    (asked,) = match.waiting
    assert asked.side == 0
    assert asked.options(now(match)).first() == Fall((1,))


@pytest.mark.clause("SQ-Q44", "SQ-S13")
def test_hits_that_snipers_lose_leave_room_for_the_hits_of_others() -> None:
    t = facing(apart(12, 3), weapons=("sniper-rifle", "sniper-rifle"), models=4)
    (attack,) = attack_of(t, Shoot(0, (("sniper-rifle", 1), ("rifle", 1))))
    snipers, rifles_ = attack.bands
    hidden = msgspec.structs.replace(attack, bands=(msgspec.structs.replace(snipers, at_risk=(4,)), rifles_))
    match = play(t, AttackSoldiers(attack=hidden), (6, 6), (6, 6), (6, 6), 6)
    assert [lost.count for lost in every(match, HitsLost)] == [1], "the snipers see one model, and hit it twice"
    assert [len(saved.faces) for saved in every(match, Saved)] == [2], "both hits of the rifles count"
    assert done(match).units[1].models == (5, 6)


@pytest.mark.clause("SQ-S16", "SQ-S19", "SQ-SHO-05", "SQ-Q14")
def test_cover_counts_where_more_than_half_of_those_seen_have_it() -> None:
    def needed(x: Any) -> Any:
        wood = [block("wood", "woods", x, 21, 40, 30)]
        t = scene(squad(0, "regular", 20, 10, 1), squad(1, "conscript", 20, 22, 4), terrain=wood)
        return attack_of(t, rifles())[0].bands[0].cover

    assert needed("20.5") == "soft"
    assert needed("21.5") == "none"


# --- machines ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-S52", "SQ-S51")
def test_each_model_strikes_the_face_that_it_looks_at() -> None:
    t = scene(
        squad(0, "regular", 24, 10, 2, weapons=("rpg", "rpg"), gap=14),
        machine(1, "battle-tank", 24, 24, heading=(0, -1)),
    )
    (attack,) = attack_of(t, Shoot(0, (("rpg", 1),)))
    assert [(b.models, b.faces) for b in attack.bands] == [((0,), ("front",)), ((1,), ("front", "side"))]
    # The second model stands on the border of two faces, so the target's owner chooses the face after the hit.
    match = shoot(t, Shoot(0, (("rpg", 1),)), 1, 6, answers=[])
    (asked,) = match.waiting
    assert asked.side == 1
    assert list(asked.options(now(match))) == [Show("front"), Show("side")]
    assert offered(asked).offers(now(match))[0].words == "The front, armour heavy"


@pytest.mark.clause("SQ-Q55")
def test_a_flyer_is_hit_on_the_side_unless_from_the_front() -> None:
    for y, face in ((10, "side"), (38, "front")):
        t = scene(squad(0, "regular", 24, y, 1), machine(1, "gunship", 24, 24, heading=(0, 1)))
        assert attack_of(t, rifles())[0].bands[0].faces == (face,)


@pytest.mark.clause("SQ-ORG-30", "SQ-Q52", "SQ-W58")
def test_a_tank_checks_once_for_what_could_penetrate() -> None:
    def tank(weapon: str, *dice: Any) -> Heard:
        t = facing(machine(1, "battle-tank", 20, 20, heading=(0, -1)), weapons=(weapon,))
        return shoot(t, Shoot(0, ((weapon, 1),)), *dice)

    assert not every(tank("heavy-machine-gun", (6, 6, 6)), MachineChecked)
    match = tank("rpg", 6, 2, 2)
    assert one(match, Struck).score == 1
    assert done(match).units[1].pinned
    assert not done(tank("rpg", 6, 2, 3)).units[1].pinned
    assert not every(tank("rpg", 1), MachineChecked)


@pytest.mark.clause("SQ-ORG-61", "SQ-ORG-66", "SQ-W56")
def test_the_gunship_of_the_example() -> None:
    def gunship(weapon: str, *dice: Any) -> Heard:
        return shoot(facing(machine(1, "gunship", 20, 23), weapons=(weapon,)), Shoot(0, ((weapon, 1),)), *dice)

    assert one(gunship("rifle", 5, 6, 4, 3), Struck).score == 5
    match = gunship("autocannon", (5, 1, 1), 5)
    assert one(match, Struck).score == 6
    assert done(match).units[1].where == "gone"


# --- broken into ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SQ-ORG-06", "SQ-S31", "SQ-S33", "SQ-W47")
def test_who_is_pinned_by_a_watcher_does_not_fire() -> None:
    t = facing(apart(12), models=4, tokens={1: ("fire",)})
    spring = Spring(1, "fire")
    fire_back = Shoot(1, (("rifle", 0),))
    match = shoot(t, rifles(), (6,) * 8, (6, 6, 6, 6), 2, answers=[spring, fire_back])
    assert done(match).units[0].pinned
    assert [f.unit for f in every(match, Fired)] == [1]
    # The watcher lets them pass, or they hold: then they fire.
    passed = shoot(t, rifles(), (1,) * 4, answers=[LetPass()])
    assert [f.unit for f in every(passed, Fired)] == [0]
    held = shoot(t, rifles(), (6,) * 8, (6, 6, 6, 6), 3, (1,) * 4, answers=[spring, fire_back])
    assert [f.unit for f in every(held, Fired)] == [1, 0]


@pytest.mark.clause("SQ-ORG-06")
def test_who_finds_nobody_fires_nothing() -> None:
    t = facing(apart(12), models=4, weapons=("rpg",))
    act = Shoot(0, (("rpg", 1), ("rifle", 1)))
    procedure = act.procedure(t)
    t.put({m: at(20, 47) for m in t.units[1].models})
    t.change(1, where="gone")
    match = play(t, procedure)
    assert one(match, NobodyFires).sentence(now(match)) == "South 0 finds nobody of North 1 left to shoot at"
    assert done(match).models[0].fired == ()


@pytest.mark.clause("SQ-ORG-06", "SQ-Q49")
@pytest.mark.parametrize("instead", ["another target", "another action", "pass"])
def test_who_finds_its_target_gone_chooses_again(instead: str) -> None:
    t = facing(apart(12), squad(1, "regular", 30, 20, 4, gap="0.7"))
    t.put({m: at(20, 47) for m in t.units[1].models})
    t.change(1, where="gone")
    match = play(t, Activation(unit=0, first=rifles(), then=("rally",), told=True))
    one(match, NobodyFires)
    (decision,) = match.waiting
    assert isinstance(decision, NextAct)
    assert {"shoot", "move"} <= set(decision.kinds)
    assert "overwatch" not in decision.kinds, "rallying was announced after it"
    assert now(match).units[0].acted == 0
    if instead == "another target":
        match = play(t, Activation(unit=0, first=rifles(), then=("rally",), told=True), 1, answers=[rifles(2)])
        assert one(match, Fired).target == 2
        assert now(match).units[0].acted == 1
    elif instead == "another action":
        match.play(0, next(a for a in decision.options(now(match)) if isinstance(a, Move)))
        assert now(match).units[0].acted == 1
    else:
        match.play(0, PassUp())
        assert now(match).units[0].acted == 1


# --- possible results -------------------------------------------------------------------------------------------------


def soldiers(u: Any) -> LeftUnit:
    return LeftUnit(0, False) if u.where == "gone" else LeftUnit(len(u.models), u.pinned, u.broken)


@pytest.mark.clause("SQ-SHO-05", "SQ-SHO-07", "SQ-Q44", "SQ-Q53", "SQ-WPN-02", "SQ-TRT-08")
@pytest.mark.parametrize(
    "case",
    [
        {"weapons": ("rpg",), "models": 2, "fire": ("rpg", "rifle"), "target": {"models": 3}},
        {"models": 1, "fire": ("rifle",), "target": {"models": 2, "starting": 6}, "traits": ("improved-targeting",)},
        {"models": 2, "fire": ("rifle",), "target": {"models": 3, "pinned": True, "traits": ("gene-enhanced",)}},
    ],
)
def test_the_forecast_is_that_of_every_fall_of_the_dice(case: dict[str, Any]) -> None:
    t = facing(
        apart(case.get("near", 10), **case["target"]),
        weapons=case.get("weapons", ()),
        models=case["models"],
        traits=case.get("traits", ()),
    )
    act = Shoot(0, tuple([(w, 1) for w in case["fire"]]))
    (attack,) = attack_of(t, act)
    result = ends_of_soldiers(t, attack)
    assert result == ends(t, lambda: AttackSoldiers(attack=attack), lambda s: soldiers(s.units[1]))
    words = forecast(t, act)
    assert words is not None
    assert words.exact
    assert abs(sum(o.p for o in words.outcomes) - 1) < 1e-9


@pytest.mark.clause("SQ-S51", "SQ-ORG-30", "SQ-Q45", "SQ-Q52", "SQ-ORG-54")
@pytest.mark.parametrize("row", ["apc", "walker", "gunship"])
def test_the_forecast_of_a_machine_is_that_of_every_fall_of_the_dice(row: str) -> None:
    t = facing(machine(1, row, 20, 20, heading=(0, -1)), weapons=("rpg", "grenade-launcher"), models=2)
    act = Shoot(0, (("rpg" if row == "walker" else "grenade-launcher", 1),))
    (attack,) = attack_of(t, act)

    def left(s: Firefight) -> Condition:
        u = s.units[1]
        if u.where == "gone":
            return Condition(destroyed=True)
        return Condition(False, u.immobile, u.disarmed, u.pinned or u.where == "away")

    # An explosion may take the firer, which is another unit's matter: he stands 8 inches away.
    assert ends_of_machine(t, attack) == ends(t, lambda: AttackMachine(attack=attack), left)
    words = forecast(t, act)
    assert words is not None
    assert words.headline.startswith("Takes effect: ")


@pytest.mark.clause("SQ-Q16")
@pytest.mark.house("break_result", "fall_back")
def test_the_forecast_knows_that_the_broken_are_still_there() -> None:
    t = facing(apart(10, 3, starting=8), models=2, rules={"break_result": "fall_back"})
    ends = ends_of_soldiers(t, attack_of(t, rifles())[0])
    assert any(e.broken for e in ends)
    words = forecast(t, rifles())
    assert words is not None
    assert "2 left, Broken" in [o.words for o in words.outcomes]


def test_a_forecast_tells_each_target_apart() -> None:
    words = forecast(mixed(), Shoot(0, (("rpg", 2), ("rifle", 1))))
    assert words is not None
    assert (words.target, [a.target for a in words.also]) == (2, [1])
    assert words.thrown[0].words == "1 RPG: 1 die, each needs 4+"
    assert forecast(mixed(), Shoot(0, ())) is None
    (attack,) = attack_of(mixed(), rifles())
    assert isinstance(attack, Attack)
    assert total(attack.bands[0].parts) == 0
