"""Targets of a unit: range, sight, cover, exposed models, locks, Sluggers, and the dice of volleys."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop.engine import Refusal, Refused, Rolled
from caltrop.rules.command_horizon.aim import aim, cover_bonuses, obstruction_bonuses
from caltrop.rules.command_horizon.attack import attack_dice, defence_dice
from caltrop.rules.command_horizon.combat import answer_of
from caltrop.rules.command_horizon.damage import DamageBatch, lose_model
from caltrop.rules.command_horizon.places import gap
from caltrop.rules.command_horizon.reaction import reaction_of
from caltrop.rules.command_horizon.records import Answer, Battle, Order
from caltrop.rules.command_horizon.requests import request_of
from caltrop.rules.command_horizon.scene import done, put, scene, square
from caltrop.rules.command_horizon.scene import run as started
from caltrop.rules.command_horizon.shooting import (
    FIRES,
    attack_of,
    attack_with,
    enemies_near,
    farthest,
    in_range,
    is_whole_platoon,
    why_no_order,
    why_no_target,
)
from caltrop.rules.command_horizon.volley import AssignDice, AttackResolved, Combine, Shot, Volley
from caltrop.table.measured.sight import Sight, TargetSight

run: Any = started
"""`scene.run`, typed as Any, because the state of a battle has more fields than the base class."""


def clause(refusal: Refusal | None) -> str:
    """Return the clause that a refusal names."""
    assert refusal is not None
    return refusal.clause


def dice(t: Battle, unit: int, target: int, **order: object) -> int:
    """Return the number of Attack Dice of a shot."""
    return attack_dice(t, attack_of(t, Order(unit=unit, target=target, **order))).total  # type: ignore[arg-type]


@pytest.mark.clause(
    "W62",
    "CH-FIRE-02",
    "CH-FIRE-03",
    "CH-FIRE-04",
    "CH-FIRE-05",
    "CH-FIRE-06",
    "CH-FIRE-07",
    "CH-INFMOVE-05",
    "CH-INFMOVE-06",
    "CH-ASORI-14",
    "CH-ART-01",
    "Q-RANGE-1",
)
@pytest.mark.parametrize(
    ("race", "kind", "reach", "radius"),
    [
        ("alliance", "light-tank", 20, "1.5"),
        ("alliance", "medium-tank", 30, "1.5"),
        ("alliance", "heavy-tank", 40, "1.5"),
        ("alliance", "artillery", 50, "1.5"),
        ("alliance", "command", 30, "2"),
        ("asori", "command", 50, "2"),
        ("alliance", "infantry", 10, "1"),
        ("alliance", "heavy-weapons", 20, "1"),
        ("asori", "infantry", 20, "1"),
    ],
)
def test_fire_at_exactly_the_range_and_not_beyond(race: str, kind: str, reach: int, radius: str) -> None:
    for more, expected in (("0", True), ("0.1", False)):
        from decimal import Decimal

        y = 10 + Decimal(radius) + reach + Decimal("1.5") + Decimal(more)
        t = scene(
            put(0, kind, (50, 10), along="x"),
            put(1, "medium-tank", (50, str(y)), along="y"),
            army=(race, "alliance"),
        )
        sighter = 0 if kind == "artillery" else -1
        result = why_no_target(t, 0, 1, sighter=sighter)
        assert in_range(t, 0, 1) is expected
        assert (result is None) is expected
        if result is not None:
            assert result.values["gap"] == reach * 100 + 10
            assert result.values["range"] == reach * 100


@pytest.mark.clause("CH-ART-06", "W25", "Q-PART-1")
@pytest.mark.parametrize(("gap", "expected"), [("10", False), ("10.1", True), ("50", True), ("50.1", False)])
def test_artillery_has_a_least_range(gap: str, expected: bool) -> None:
    from decimal import Decimal

    y = 13 + Decimal(gap)
    t = scene(put(0, "artillery", (50, 10)), put(1, "heavy-tank", (50, str(y)), along="y"))
    result = why_no_target(t, 0, 1, sighter=0)
    assert (result is None) is expected
    if gap == "10":
        assert clause(result) == "CH-ART-06"


@pytest.mark.clause("CH-ART-02")
def test_the_sighting_unit_is_a_friend() -> None:
    t = scene(put(0, "artillery", (50, 10)), put(1, "heavy-tank", (50, 40)), put(1, "light-tank", (60, 40)))
    result = why_no_order(t, Order(unit=0, target=1, artillery=True, sighter=2))
    assert result is not None
    assert result.code == "sighter-no-friend"


@pytest.mark.house("range.by", "unit", "model")
@pytest.mark.clause("Q-RANGE-1")
def test_house_rule_each_model_measures_for_itself() -> None:
    units = (put(0, "medium-tank", (50, 10), along="-y", gap=1), put(1, "light-tank", (50, "42.5"), along="y"))
    whole, single = scene(*units), scene(*units, rules={"range.by": "model"})
    assert (dice(whole, 0, 1), dice(single, 0, 1)) == (8, 2)


@pytest.mark.clause("CH-LOS-01", "CH-BLOCK-01", "CH-BLOCK-03", "W70")
def test_units_in_between_block_fire_and_are_named() -> None:
    t = scene(
        put(0, "medium-tank", (20, 10), models=1),
        put(0, "heavy-tank", (16, 20), models=4, gap=0, name="The Wall"),
        put(1, "light-tank", (20, 30), models=1),
    )
    result = why_no_target(t, 0, 2)
    assert clause(result) == "CH-LOS-01"
    assert result is not None
    assert "The Wall" in result.message


@pytest.mark.clause("CH-PUTINF-05", "Q-LOS-6", "CH-CC-08", "W70", "W71")
def test_putredine_infantry_blocks_fire_only_while_it_is_locked() -> None:
    def t(locked: tuple[int, ...]) -> Battle:
        return scene(
            put(0, "medium-tank", (20, 10), models=1),
            put(1, "infantry", (16, 20), models=5, gap=0, locked=locked),
            put(1, "light-tank", (20, 24), models=1),
            put(0, "infantry", (26, 20), models=1),
            army=("alliance", "putredine"),
        )

    assert why_no_target(t(()), 0, 2) is None
    assert why_no_target(t((3,)), 0, 2) is not None


@pytest.mark.clause("Q-LOS-7")
def test_own_models_of_the_two_units_do_not_block() -> None:
    t = scene(put(0, "medium-tank", (20, 10), models=3, along="y"), put(1, "light-tank", (20, 35), models=3, along="y"))
    assert len(aim(t, 0, 1).models) == 3


@pytest.mark.clause("CH-LOS-02", "CH-LOS-03", "Q-LOS-1", "Q-LOS-5", "W44", "CH-TERRAIN-01", "CH-TERRAIN-02")
def test_half_of_the_models_in_cover_give_the_bonus_and_aiming_cancels_it() -> None:
    def t(models: int, covered: int, kind: str = "woods") -> Battle:
        wood = square("the wood", kind, 30, 28, "30.5", 32) if covered == 0 else None
        edge = str(28 + 4 * covered)
        wood = wood or square("the wood", kind, 28, 28, edge, 32)
        return scene(
            put(0, "heavy-tank", (36, 10)), put(1, "medium-tank", (30, 30), models=models, gap=1), terrain=(wood,)
        )

    assert aim(t(4, 2), 0, 1).cover == 1
    assert aim(t(4, 2, "built-up"), 0, 1).cover == 1
    assert aim(t(4, 1), 0, 1).cover == 0
    assert aim(t(5, 2), 0, 1).cover == 0
    half = t(4, 2)
    aimed = Order(unit=0, target=1, exposed=True)
    assert why_no_order(half, aimed) is None
    assert attack_of(half, aimed).target.cover == 0
    assert attack_of(half, Order(unit=0, target=1)).target.cover == 1
    assert aim(half, 0, 1).exposed == (5, 6)
    assert clause(why_no_order(t(4, 1), aimed)) == "CH-LOS-03"
    assert clause(why_no_order(t(4, 4), aimed)) == "CH-LOS-03"


@pytest.mark.clause("Q-LOS-3", "Q-LOS-4", "CH-LOS-01", "CH-LOS-02", "W70")
@pytest.mark.parametrize(
    ("kind", "edge", "seen", "cover"),
    [
        ("building", "29.5", True, 0),
        ("building", "30.2", True, 1),
        ("building", "31", True, 1),
        ("building", "32", False, 0),
        ("woods", "29.5", True, 0),
        ("woods", "32", True, 1),
    ],
)
def test_of_nine_lines_five_cut_obstruct_and_nine_hide(kind: str, edge: str, seen: bool, cover: int) -> None:
    # At half the distance, the nine lines are at 28.5, 29.25 (two), 30 (three), 30.75 (two) and 31.5.
    wall = square("the wall", kind, 25, "19.9", edge, "20.1")
    t = scene(put(0, "medium-tank", (30, 10), models=1), put(1, "medium-tank", (30, 30), models=1), terrain=(wall,))
    for unit, target in ((0, 1), (1, 0)):
        assert (why_no_target(t, unit, target) is None) is seen
        if seen:
            assert aim(t, unit, target).cover == cover


@pytest.mark.clause("Q-INF-2", "CH-INFMOVE-06", "CH-INFMOVE-02")
@pytest.mark.parametrize("edition", ["current", "v1.5"])
def test_infantry_that_moved_fires_at_its_own_range(edition: str) -> None:
    t = scene(
        put(0, "heavy-weapons", (20, 10), models=1, moved=1000, paid=1),
        put(1, "medium-tank", (20, "32.5"), models=1),
        put(1, "medium-tank", (20, "32.6"), models=1),
        edition=edition,
    )  # fmt: skip
    assert why_no_target(t, 0, 1) is None
    assert clause(why_no_target(t, 0, 2)) is not None


@pytest.mark.house("los.obstruction", "models", "area")
@pytest.mark.clause("Q-LOS-1")
def test_house_rule_half_of_the_sight_lines() -> None:
    # Six of the nine lines to one of two models cross the wood. That is half of the models, and a third of all lines.
    wood = square("the wood", "woods", 25, 18, "30.4", 20)
    units = (put(0, "heavy-tank", (30, 10), models=1), put(1, "medium-tank", (30, 30), models=2, gap=3))
    assert aim(scene(*units, terrain=(wood,)), 0, 1).cover == 1
    assert aim(scene(*units, terrain=(wood,), rules={"los.obstruction": "area"}), 0, 1).cover == 0
    wider = square("the wood", "woods", 25, 18, "31.4", 20)
    assert aim(scene(*units, terrain=(wider,), rules={"los.obstruction": "area"}), 0, 1).cover == 1


@pytest.mark.house("cover.stack", "no", "yes")
@pytest.mark.clause("Q-LOS-2", "W45", "CH-TERRAIN-03", "CH-TERRAIN-04", "CH-DEF-07")
def test_cover_and_obstruction_do_not_add_up_unless_the_house_rule_says_so() -> None:
    woods = (square("near", "woods", 0, 18, 60, 22), square("home", "woods", 0, 26, 60, 34))
    for kind, plain, stacked in (("medium-tank", 4, 5), ("infantry", 5, 7)):
        units = (put(0, "heavy-tank", (30, 10)), put(1, kind, (30, 30)))
        hits = 2 if kind == "medium-tank" else 3
        counts = []
        for rule in ("no", "yes"):
            t = scene(*units, terrain=woods, rules={"cover.stack": rule})
            attack = attack_of(t, Order(unit=0, target=1))
            counts.append(sum(p.value for p in defence_dice(t, attack, hits)))
        assert counts == [plain, stacked]


@pytest.mark.house("los.obstruction", "models", "area")
@pytest.mark.house("cover.stack", "no", "yes")
@pytest.mark.house("obstructed.infantry", "two", "one")
@pytest.mark.clause("Q-LOS-1", "Q-LOS-2", "Q-LOS-9", "CH-LOS-02")
def test_half_is_enough_for_each_cover_bonus_and_less_is_not() -> None:
    def bonuses(crossed: tuple[int, ...], covered: int, **rules: str) -> tuple[int, int]:
        """Return the bonuses of models with given numbers of crossed lines of 9. The last ones are in cover."""
        first = len(crossed) - covered
        targets = [TargetSight(True, n >= 5, i >= first, n) for i, n in enumerate(crossed)]
        view = Sight(tuple(targets), (True,), 9)
        t = scene(rules={name.replace("_", "."): value for name, value in rules.items()})
        count = cover_bonuses(t, view)
        return count, obstruction_bonuses(t, view, count)

    both: dict[str, str] = {"cover_stack": "yes"}
    area: dict[str, str] = {**both, "los_obstruction": "area"}
    assert bonuses((5, 0), 1) == (1, 0)
    assert bonuses((5, 0), 1, **both) == (2, 0), "half are obstructed, and the other half in cover"
    assert bonuses((5, 0, 0), 2, **both) == (1, 0)
    assert bonuses((5, 5, 0), 1, **both) == (1, 0)
    assert bonuses((9, 0), 1, **area) == (2, 0), "9 of 18 lines"
    assert bonuses((8, 0), 1, **area) == (1, 0)
    one = {"obstructed_infantry": "one"}
    assert bonuses((5, 0), 1, **one) == (1, 0), "half are in cover"
    assert bonuses((5, 5, 0), 1, **one) == (1, 1)


@pytest.mark.house("obstructed.infantry", "two", "one")
@pytest.mark.clause("Q-LOS-9", "CH-LOS-02", "CH-TERRAIN-04", "CH-DEF-08")
@pytest.mark.parametrize(
    ("kind", "terrain", "stack", "two", "one"),
    [
        ("infantry", "near", "no", 5, 4),
        ("infantry", "home", "no", 5, 5),
        ("infantry", "both", "no", 5, 5),
        ("infantry", "both", "yes", 7, 6),
        ("infantry", "none", "no", 3, 3),
        ("medium-tank", "near", "no", 4, 4),
    ],
)
def test_obstructed_infantry_has_two_dice_or_one(kind: str, terrain: str, stack: str, two: int, one: int) -> None:
    near, home = square("near", "woods", 0, 18, 60, 22), square("home", "woods", 0, 26, 60, 34)
    woods = {"none": (), "near": (near,), "home": (home,), "both": (near, home)}[terrain]
    units = (put(0, "heavy-tank", (30, 10)), put(1, kind, (30, 30)))
    hits = 2 if kind == "medium-tank" else 3
    for rule, expected in (("two", two), ("one", one)):
        t = scene(*units, terrain=woods, rules={"obstructed.infantry": rule, "cover.stack": stack})
        fire, answer = attack_of(t, Order(unit=0, target=1)), reaction_of(t, 0, 1)
        for attack in (fire, answer, reaction_of(t, 0, 1, against_charge=True)):
            assert sum(p.value for p in defence_dice(t, attack, hits)) == expected
        sight = aim(t, 0, 1)
        declared = Answer(unit=0, order=0, models=sight.models, cover=sight.cover, obstructed=sight.obstructed)
        assert answer_of(t, declared, 1) == answer
        held = request_of(t.book, fire)
        assert (held is None) == (rule == "one" or (stack == "yes" and terrain == "both"))


@pytest.mark.clause("CH-LOS-04", "Q-LOS-8", "W87", "CH-FIRE-13")
@pytest.mark.parametrize(("hidden", "expected"), [(2, 4), (1, 8)])
def test_models_that_see_nothing_hold_fire_when_they_are_half_or_more(hidden: int, expected: int) -> None:
    # Four tanks in a row along x, 4 cm apart; a wall close in front of the first ones hides the target from these.
    wall = square("the wall", "building", 10, 12, str(22 + 4 * (hidden - 1)), 13)
    t = scene(put(0, "medium-tank", (20, 10), gap=1), put(1, "light-tank", (26, 30), models=1), terrain=(wall,))
    assert dice(t, 0, 1) == expected


@pytest.mark.clause("CH-CC-07", "CH-CC-09", "Q-CC-6", "W71")
def test_nobody_fires_into_or_out_of_close_combat() -> None:
    t = scene(
        put(0, "infantry", (20, 20)),
        put(1, "infantry", (20, 22), locked=(0,)),
        put(0, "medium-tank", (20, 8)),
        put(0, "artillery", (20, 2)),
    )
    assert clause(FIRES.why(t, unit=0)) == "CH-CC-09"
    assert clause(why_no_target(t, 2, 1)) == "CH-CC-07"
    assert clause(why_no_target(t, 3, 1, sighter=2)) == "CH-CC-07"


@pytest.mark.clause("CH-CC-11", "Q-ART-7", "CH-ART-02", "W71")
def test_artillery_fires_over_close_combat() -> None:
    t = scene(
        put(0, "infantry", (16, 20), models=5, gap=0),
        put(1, "infantry", (16, 22), models=5, gap=0, locked=(0,)),
        put(0, "artillery", (20, 2), models=1),
        put(1, "light-tank", (20, 30), models=1),
        put(0, "light-tank", (40, 30), models=1),
    )
    assert why_no_target(t, 2, 3, sighter=4) is None
    assert clause(why_no_target(t, 2, 3, sighter=2)) == "CH-ART-02"


@pytest.mark.clause("CH-CONC-03", "CH-DISENGAGE-08", "Q-CHARGE-8", "CH-ASORI-17", "CH-PUTINF-04", "CH-SLUG-01", "W69")
def test_what_takes_a_units_fire_away() -> None:
    assert clause(FIRES.why(scene(put(0, "command", concentrating=True)), unit=0)) == "CH-CONC-03"
    assert clause(FIRES.why(scene(put(0, "infantry", disengaged=True)), unit=0)) == "CH-DISENGAGE-08"
    assert (
        clause(FIRES.why(scene(put(0, "infantry", charging=1), put(1, "infantry", (30, 30))), unit=0)) == "Q-CHARGE-8"
    )
    asori = scene(put(0, "infantry", may_fire=False), army=("asori", "alliance"))
    assert clause(FIRES.why(asori, unit=0)) == "CH-ASORI-17"
    for kind, says in (("infantry", "CH-PUTINF-04"), ("slugger", "CH-SLUG-01"), ("carrier", "CH-CARRIER-01")):
        t = scene(put(0, kind), army=("putredine", "alliance"))
        assert clause(FIRES.why(t, unit=0)) == says
        assert not FIRES.may(t, unit=0)


@pytest.mark.clause("CH-WORM-02", "CH-WORM-05", "CH-WORM-06", "W36")
def test_disabled_models_do_not_fire() -> None:
    def medium(*worms: int) -> Battle:
        return scene(
            put(0, "medium-tank", (20, 10), worms=worms),
            put(1, "medium-tank", (20, 25)),
            army=("alliance", "putredine"),
        )

    assert dice(medium(2), 0, 1) == 6
    assert dice(medium(1, 1), 0, 1) == 6
    assert len(aim(medium(2), 0, 1).models) == 3
    assert len(aim(medium(1, 1), 0, 1).models) == 4
    gone = scene(put(0, "light-tank", models=1, worms=(1,)), army=("alliance", "putredine"))
    assert clause(FIRES.why(gone, unit=0)) == "CH-WORM-05"


@pytest.mark.clause("CH-ALL-22", "CH-ALL-24", "Q-INF-6", "W20", "CH-ALL-17")
@pytest.mark.parametrize(("bases", "expected"), [(6, 7), (5, 6), (4, 5), (3, 3)])
def test_a_platoon_has_a_die_more_above_half_strength(bases: int, expected: int) -> None:
    t = scene(put(0, "infantry", (20, 10), squads=3, models=bases), put(1, "medium-tank", (20, 20)))
    assert dice(t, 0, 1) == expected


@pytest.mark.clause("Q-INF-6")
def test_a_platoon_with_a_squad_elsewhere_is_none() -> None:
    t = scene(
        put(0, "infantry", (20, 10), squads=3, models=4, starting=6),
        put(0, "infantry", (20, 40), platoon=0),
        put(1, "medium-tank", (20, 20)),
    )
    assert not is_whole_platoon(t, 0)
    assert dice(t, 0, 2) == 4


@pytest.mark.clause("Q-INF-6", "CH-ALL-22")
@pytest.mark.parametrize("first", [2, 4])
def test_neither_part_of_a_platoon_is_the_whole_whichever_came_first(first: int) -> None:
    t = scene(
        put(0, "infantry", (20, 10), squads=3, models=first, platoon=0),
        put(0, "infantry", (40, 10), squads=3, models=6 - first, platoon=0),
        put(1, "medium-tank", (20, 20)),
    )
    assert [is_whole_platoon(t, 0), is_whole_platoon(t, 1)] == [False, False]
    for m in t.units[0].models:
        lose_model(t, m)
    assert is_whole_platoon(t, 1), "Squads that are lost do not count as missing"


@pytest.mark.clause("Q-INF-3", "CH-ALL-18", "CH-ALL-20")
def test_mixed_squads_measure_kind_by_kind() -> None:
    near = scene(put(0, "infantry", (20, 10), teams=1), put(1, "medium-tank", (20, "20.5")))
    far = scene(put(0, "infantry", (20, 10), teams=1), put(1, "medium-tank", (20, 26)))
    assert (dice(near, 0, 1), dice(far, 0, 1)) == (4, 2)


@pytest.mark.clause("W19", "CH-INFDMG-01", "CH-INFDMG-02", "CH-ASORI-02", "Q-INF-3")
def test_infantry_and_heavy_dice_are_read_apart() -> None:
    t = scene(put(0, "infantry", (20, 10), teams=1), put(1, "medium-tank", (20, "20.5")))
    attack = attack_of(t, Order(unit=0, target=1))
    match = run(t, Volley(shots=(Shot(0, 1, attack),)), (4, 5), (4, 6), (5, 2, 1))
    (words,) = [e for e in match.opening if isinstance(e, AttackResolved)]
    assert (words.ignored, words.cancelled, words.kills, words.stuns) == (1, 1, 1, 0)
    modes: tuple[tuple[Any, str], ...] = (("fire", "shot"), ("close-combat", "blow"), ("charge", "blow"))
    for mode, sort in modes:
        motion = msgspec.structs.replace(words, mode=mode).motion(t)
        assert (motion.sort, motion.unit, motion.target) == (sort, 0, 1)
    match = run(done(match), DamageBatch())
    match.play(1, match.waiting[0].options(match.state).first())
    t = done(match)
    assert (len(t.units[1].models), t.units[1].stuns) == (3, 0)


@pytest.mark.clause("CH-SLUG-02", "CH-SLUG-03", "CH-SLUG-04", "Q-SLUG-1", "Q-SLUG-2", "W40")
def test_near_a_slugger_all_successes_are_rolled_again() -> None:
    t = scene(
        put(0, "medium-tank", (20, 10)),
        put(1, "light-tank", (20, 25)),
        put(1, "slugger", (32, 22), along="x"),
        army=("alliance", "putredine"),
    )
    attack = attack_of(t, Order(unit=0, target=1))
    assert attack.slugger
    match = run(t, Volley(shots=(Shot(0, 1, attack),)), (4, 6, 2, 5, 1, 1, 3, 6), (6, 1, 3, 2), (1,))
    (words,) = [e for e in match.opening if isinstance(e, AttackResolved)]
    assert words.before_rerolls == ((4, 6, 2, 5, 1, 1, 3, 6),)
    assert words.faces == (("medium-tank", (6, 1, 2, 3, 1, 1, 3, 2)),)
    assert (words.kills, words.stuns) == (1, 0)
    far = scene(put(0, "medium-tank", (20, 10)), put(1, "slugger", (20, "28.1")), army=("alliance", "putredine"))
    assert not attack_of(far, Order(unit=0, target=1)).slugger


def _overkill_scene(rules: dict[str, str] | None = None) -> tuple[Battle, Volley]:
    t = scene(put(0, "light-tank", (20, 10), models=4), put(1, "light-tank", (20, 25), models=4),
              army=("asori", "alliance"), rules=rules)  # fmt: skip
    return t, Volley(shots=(Shot(0, 1, attack_of(t, Order(unit=0, target=1))),))


@pytest.mark.clause("CH-OVERKILL-01", "Q-OK-1", "Q-DEF-4", "W56")
def test_overkill_is_declared_before_defence_and_defence_is_assigned_for_the_best() -> None:
    t, volley = _overkill_scene()
    match = run(t, volley, (6, 6, 5, 5), (6, 6, 1, 1))
    assert [o.words for o in match.waiting[0].offers(match.state)] == ["Combine no 6s", "Combine 1 pair of 6s"]
    match.play(0, Combine(1))
    t = done(run(done(match), DamageBatch()))
    assert (len(t.units[1].models), t.units[1].stuns) == (4, 3)


@pytest.mark.house("defence.assign", "auto", "manual")
@pytest.mark.clause("Q-DEF-4", "W56", "CH-DEF-12", "CH-DEF-13")
def test_house_rule_the_owner_assigns_defence_dice() -> None:
    t, volley = _overkill_scene({"defence.assign": "manual"})
    match = run(t, volley, (6, 6, 5, 5), (6, 6, 1, 1))
    match.play(0, Combine(1))
    decision = match.waiting[0]
    assert decision.side == 1
    with pytest.raises(Refused) as refused:
        match.play(1, AssignDice((0, None, None, None)))
    assert refused.value.refusal.clause == "CH-OVERKILL-03"
    with pytest.raises(Refused) as refused:
        match.play(1, AssignDice((None, None, 1, None)))
    assert refused.value.refusal.clause == "CH-DEF-12"
    match.play(1, AssignDice((1, 2, None, None)))
    match = run(done(match), DamageBatch())
    match.play(1, match.waiting[0].options(match.state).first())
    t = done(match)
    assert (len(t.units[1].models), t.units[1].stuns) == (3, 1)
    t, volley = _overkill_scene({"defence.assign": "auto"})
    match = run(t, volley, (6, 6, 5, 5), (6, 6, 1, 1))
    match.play(0, Combine(1))
    assert [(w.kills, w.stuns) for w in done(match).wounds] == [(0, 3)], "both 6s go to the Overkill"


@pytest.mark.house("overkill.mode", "optional", "automatic")
@pytest.mark.clause("Q-OK-1")
def test_house_rule_every_pair_is_combined() -> None:
    t, volley = _overkill_scene({"overkill.mode": "automatic"})
    match = run(t, volley, (6, 6, 1, 1), (1, 1))
    assert [(w.kills, w.stuns) for w in done(match).wounds] == [(1, 1)]
    (words,) = [e for e in match.opening if isinstance(e, AttackResolved)]
    read = [(die.face, die.result, die.pair) for die in words.reading(t).dice]
    assert read == [(6, "kill", 1), (6, "kill", 1), (1, "", 0), (1, "", 0)], "which dice are the pair is shown"
    t, volley = _overkill_scene({"overkill.mode": "optional"})
    match = run(t, volley, (6, 6, 1, 1), (1, 1))
    match.play(0, Combine(0))
    assert [(w.kills, w.stuns) for w in done(match).wounds] == [(2, 0)]


@pytest.mark.clause("CH-DEF-01", "CH-TURN-11")
def test_all_attack_dice_come_before_all_defence_dice() -> None:
    t = scene(put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 25)))
    shots = (
        Shot(0, 1, attack_with(t, 0, 1, "fire", t.units[0].models)),
        Shot(1, 0, attack_with(t, 1, 0, "reaction-fire", t.units[1].models)),
    )
    match = run(t, Volley(shots=shots), (6, 5, 4, 2, 1), (6, 5), (6, 3), (1, 4))
    assert [(w.unit, w.kills, w.stuns) for w in done(match).wounds] == [(1, 0, 1), (0, 1, 1)]
    thrown = [e.words for e in match.opening if isinstance(e, Rolled)]
    assert thrown[2:] == ["Asori B Light Tanks defend", "Alliance A Light Tanks defend"]


@pytest.mark.clause("CH-ART-04", "CH-ART-05", "Q-ART-4")
@pytest.mark.parametrize("edition", ["current", "v1.5"])
def test_artillery_has_two_dice_a_model(edition: str) -> None:
    t = scene(put(0, "artillery", (20, 10)), put(1, "heavy-tank", (20, 43)), edition=edition)
    assert dice(t, 0, 1, artillery=True, sighter=0) == 6


@pytest.mark.clause("Q-RANGE-2", "CH-FIRE-03")
def test_a_refusal_tells_the_distance_before_anything_is_decided() -> None:
    t = scene(put(0, "medium-tank", (20, 10)), put(1, "light-tank", (20, "45.1")))
    result = why_no_target(t, 0, 1)
    assert result is not None
    assert result.message == "Light Tanks are 32.1 cm away, and the range is 30 cm"


@pytest.mark.clause("Q-DEF-2", "Q-DEF-3", "CH-DEF-11", "W75")
def test_the_bonus_is_for_the_unit_and_for_each_attack_and_infantry_has_a_die_for_each_hit() -> None:
    t = scene(put(0, "heavy-tank", (20, 10), models=1), put(1, "heavy-tank", (20, 30)), put(1, "infantry", (30, 30)),
              army=("alliance", "alliance"))  # fmt: skip
    tanks, bases = (attack_of(t, Order(unit=0, target=u)) for u in (1, 2))
    match = run(t, Volley(shots=(Shot(0, 1, tanks), Shot(0, 1, tanks), Shot(0, 2, bases))),
                (5, 1, 1), (5, 1, 1), (5, 5, 1), (1,) * 3, (1,) * 3, (1, 1))  # fmt: skip
    done(match)


@pytest.mark.clause("Q-MARK-2", "CH-MARK-09", "CH-MARK-12")
def test_ranged_in_fire_hits_infantry_as_it_hits_vehicles() -> None:
    from caltrop.rules.command_horizon.attack import results
    from caltrop.rules.command_horizon.records import MarkOn

    t = scene(put(0, "artillery", (20, 10)), put(1, "infantry", (20, 43)), put(1, "heavy-tank", (40, 43)))
    t.marks.extend([MarkOn(by, target) for by in (7, 8, 9) for target in (1, 2)])
    tables = [
        results(t, attack_of(t, Order(unit=0, target=u, artillery=True, sighter=0, ranged_in=True)), "artillery")
        for u in (1, 2)
    ]
    assert tables[0] == tables[1] == ("miss", "miss", "miss", "kill", "kill", "kill")


@pytest.mark.clause("Q-DICE-2", "CH-FIRE-15")
@pytest.mark.parametrize(("rule", "expected"), [("up", 8), ("down", 7)])
def test_half_a_die_of_a_boost(rule: str, expected: int) -> None:
    t = scene(put(0, "light-tank", (20, 10)), put(1, "light-tank", (20, 20)), rules={"boost.round": rule})
    assert dice(t, 0, 1, boost=1) == expected


@pytest.mark.clause("CH-FIRE-03")
def test_the_enemies_near_are_those_within_the_longest_range_on_any_side() -> None:
    near_by = [(90, 70), (90, 110), (70, 90), (110, 90), (80, 80), (100, 100)]
    places = [(90, 20), (90, 160), (20, 90), (160, 90), *near_by]
    t = scene(put(0, "medium-tank", (90, 90), models=1), *[put(1, "light-tank", at, models=1) for at in places])
    near = enemies_near(t, 0)
    within = [e for e in range(1, len(t.units)) if gap(t, 0, e) <= farthest(t, 0)]
    assert set(within) <= set(near), "nobody in range is left out"
    assert not {1, 2, 3, 4} & set(near), "and who is far beyond is"
