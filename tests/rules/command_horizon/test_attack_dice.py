"""The number of dice of an attack: the values of the unit tables, and the order of their changes."""

from __future__ import annotations

from typing import Any

import pytest

from caltrop.engine import Book, settle
from caltrop.rules.command_horizon.attack import (
    Arms,
    Attack,
    Target,
    attack_dice,
    defence_dice,
    may_attack,
    mode_of_round,
    platoon_holds,
)
from caltrop.rules.command_horizon.attack.legality import may_boost
from caltrop.rules.command_horizon.catalogue import armies, full_strength, kinds, switches, unit_kind
from caltrop.rules.command_horizon.putredine import bases_from, carrier_bases, is_disabled, worm_limit


def book(edition: str = "current", **rules: Any) -> Book:
    return Book("command-horizon", edition, settle(switches(), {k.replace("__", "."): v for k, v in rules.items()}))


MEDIUM = Target("putredine", "medium-tank", 3)
SQUAD = Target("alliance", "infantry", 2)


def attack(army: str, *arms: tuple[str, int], mode: str = "fire", **fields: Any) -> Attack:
    fields.setdefault("target", MEDIUM)
    made = tuple(Arms(kind, n) for kind, n in arms)
    return Attack(mode=mode, army=army, kind=arms[0][0], arms=made, **fields)  # type: ignore[arg-type]


def dice(b: Book, a: Attack) -> int:
    return attack_dice(b, a).total


def four_figures(b: Book, army: str, *arms: tuple[str, int], **fields: Any) -> tuple[int, ...]:
    """Dice, reaction fire, boost and boosted reaction fire."""
    return tuple(
        dice(b, attack(army, *arms, mode=mode, boosts=boosts, **fields))
        for boosts in (0, 1)
        for mode in ("fire", "reaction-fire")
    )


@pytest.mark.clause(
    "W67", "CH-FIRE-08", "CH-FIRE-09", "CH-FIRE-10", "CH-FIRE-11", "CH-FIRE-12", "CH-FIRE-13", "CH-RF-02"
)
@pytest.mark.clause("CH-ALL-02", "CH-ALL-03", "CH-ALL-04", "CH-ASORI-04", "CH-ASORI-05", "CH-ASORI-06", "CH-PUT-12")
@pytest.mark.clause(
    "CH-PUT-13", "CH-PUT-14", "CH-PUT-18", "CH-PUT-19", "CH-PUT-20", "CH-ASORI-10", "CH-FIRE-15", "Q-DICE-4"
)
@pytest.mark.parametrize(
    ("army", "kind", "models", "figures"),
    [
        ("alliance", "light-tank", 5, (5, 3, 8, 5)),
        ("alliance", "medium-tank", 4, (8, 4, 12, 6)),
        ("alliance", "heavy-tank", 3, (9, 5, 14, 8)),
        ("alliance", "command", 3, (6, 3, 9, 5)),
        ("asori", "light-tank", 4, (4, 2, 6, 3)),
        ("asori", "medium-tank", 4, (8, 4, 12, 6)),
        ("asori", "heavy-tank", 4, (12, 6, 18, 9)),
        ("asori", "command", 1, (4, 2, 6, 3)),
        ("putredine", "light-tank", 3, (3, 2, 5, 3)),
        ("putredine", "medium-tank", 3, (6, 3, 9, 5)),
        ("putredine", "heavy-tank", 3, (9, 5, 14, 8)),
    ],
)
def test_a_full_unit_has_the_dice_of_the_table(army: str, kind: str, models: int, figures: tuple[int, ...]) -> None:
    b = book()
    assert full_strength(b, unit_kind(b, army, kind)) == models
    assert four_figures(b, army, (kind, models)) == tuple(figures[i] for i in (0, 1, 2, 3))
    one = dice(b, attack(army, (kind, 1)))
    assert dice(b, attack(army, (kind, models - 1))) == figures[0] - one


@pytest.mark.clause(
    "W67", "CH-ALL-17", "CH-ALL-18", "CH-ALL-22", "CH-ASORI-15", "Q-INF-3", "Q-INF-7", "CH-ALL-12", "CH-ALL-15"
)
@pytest.mark.parametrize(
    ("edition", "army", "arms", "platoon", "figures"),
    [
        ("current", "alliance", (("infantry", 2),), False, (2, 1, 3, 2)),
        ("current", "alliance", (("infantry", 2), ("heavy-weapons", 1)), False, (4, 2, 6, 3)),
        ("v1.5", "alliance", (("infantry", 2), ("heavy-weapons", 1)), False, (4, 2, 5, 3)),
        ("current", "alliance", (("infantry", 6),), True, (7, 4, 11, 6)),
        ("current", "alliance", (("infantry", 6), ("heavy-weapons", 3)), True, (13, 7, 20, 11)),
        ("current", "alliance", (("heavy-weapons", 3),), False, (6, 3, 9, 5)),
        ("current", "alliance", (("heavy-weapons", 9),), True, (19, 10, 29, 15)),
        ("current", "asori", (("infantry", 2),), False, (4, 2, 6, 3)),
        ("current", "asori", (("infantry", 8),), False, (16, 8, 24, 12)),
    ],
)
def test_infantry_has_the_dice_of_the_table(
    edition: str, army: str, arms: tuple[tuple[str, int], ...], platoon: bool, figures: tuple[int, ...]
) -> None:
    bases = sum(n for _, n in arms)
    assert four_figures(book(edition), army, *arms, platoon=platoon, bases=bases, starting=bases) == figures


@pytest.mark.clause("Q-INF-7", "CH-INFDMG-05", "Q-INF-4", "W84")
def test_heavy_dice_are_rounded_down_and_infantry_dice_are_the_rest() -> None:
    whole: dict[str, Any] = {"platoon": True, "bases": 9, "starting": 9}
    arms = (("infantry", 6), ("heavy-weapons", 3))
    assert attack_dice(book(), attack("alliance", *arms, **whole)).pools == (("infantry", 7), ("heavy-weapons", 6))
    halved = attack("alliance", *arms, mode="reaction-fire", boosts=1, **whole)
    assert attack_dice(book(), halved).pools == (("infantry", 7), ("heavy-weapons", 4))
    stunned = attack("alliance", *arms, stuns=9, **whole)
    assert attack_dice(book(), stunned).pools == (("infantry", 0), ("heavy-weapons", 4))
    squad = attack("alliance", ("infantry", 2), ("heavy-weapons", 1), boosts=1)
    assert attack_dice(book("v1.5"), squad).pools == (("infantry", 3), ("heavy-weapons", 2))
    assert dice(book(heavyWeapons__boost="no"), squad) == 5
    assert dice(book("v1.5", heavyWeapons__boost="yes"), squad) == 6


@pytest.mark.house("heavyWeapons.boost", "edition", "yes", "no")
@pytest.mark.clause("CH-INFDMG-05", "Q-INF-4", "W84")
def test_heavy_weapon_teams_alone_are_not_boosted_in_v15() -> None:
    teams = attack("alliance", ("heavy-weapons", 3), boosts=1, target=Target("asori", "medium-tank", 4))
    assert dice(book(), teams) == 9
    refusal = may_attack(book("v1.5"), teams)
    assert refusal is not None
    assert refusal.clause == "CH-INFDMG-05"
    assert may_attack(book("v1.5", heavyWeapons__boost="yes"), teams) is None
    assert may_attack(book(heavyWeapons__boost="no"), teams) is not None


@pytest.mark.clause("W05", "CH-STUN-02", "CH-STUN-03", "CH-STUN-04", "CH-STUN-05", "CH-RF-03", "CH-RF-04", "CH-RF-06")
@pytest.mark.parametrize(("stuns", "fire", "reaction"), [(0, 5, 3), (2, 3, 1), (4, 1, 1), (7, 1, 1)])
def test_markers_take_dice_after_halving_and_never_the_last(stuns: int, fire: int, reaction: int) -> None:
    light = ("light-tank", 5)
    assert dice(book(), attack("alliance", light, stuns=stuns)) == fire
    assert dice(book(), attack("alliance", light, stuns=stuns, mode="reaction-fire")) == reaction
    for mode in ("fire", "reaction-fire"):
        refusal = may_attack(book(), attack("alliance", light, stuns=stuns, mode=mode, boosts=1))
        assert (refusal is None) == (stuns == 0)
        assert refusal is None or refusal.clause == "CH-STUN-05"


@pytest.mark.clause("W18", "CH-STUN-02", "CH-STUN-03", "CH-FIRE-14", "CH-STUN-05")
@pytest.mark.parametrize("edition", ["current", "v1.5"])
def test_two_markers_on_four_mediums(edition: str) -> None:
    assert dice(book(edition), attack("alliance", ("medium-tank", 4), stuns=2)) == 6
    assert dice(book(edition), attack("alliance", ("medium-tank", 4), stuns=2, mode="reaction-fire")) == 2


@pytest.mark.house("stun.infantryDice", "yes", "no")
@pytest.mark.clause("Q-STUN-1", "Q-PUTINF-2")
def test_markers_take_infantry_dice_but_not_those_of_the_putredine() -> None:
    squad = attack("alliance", ("infantry", 6), stuns=2)
    assert dice(book(), squad) == 4
    assert dice(book(stun__infantryDice="no"), squad) == 6
    assert dice(book(stun__infantryDice="no"), attack("alliance", ("light-tank", 5), stuns=2)) == 3
    assert dice(book(), attack("putredine", ("infantry", 6), stuns=3, mode="close-combat", target=SQUAD)) == 6


@pytest.mark.clause("W20", "CH-ALL-22", "CH-ALL-24", "Q-DICE-2")
@pytest.mark.parametrize(("left", "expected"), [(6, 7), (5, 6), (4, 5), (3, 3)])
def test_the_platoon_bonus_ends_at_half_of_its_bases(left: int, expected: int) -> None:
    whole = attack("alliance", ("infantry", left), platoon=True, bases=left, starting=6)
    assert dice(book(), whole) == expected
    assert platoon_holds(book(), whole) == (left > 3)


@pytest.mark.clause("CH-ALL-23", "CH-ALL-19", "CH-CHARGE-11")
def test_a_platoon_has_its_die_in_close_combat_too() -> None:
    whole: dict[str, Any] = {"platoon": True, "bases": 6, "starting": 6, "target": SQUAD}
    assert dice(book(), attack("alliance", ("infantry", 6), mode="close-combat", **whole)) == 7
    assert dice(book(), attack("alliance", ("infantry", 6), mode="charge", **whole)) == 8
    assert dice(book(), attack("alliance", ("heavy-weapons", 6), mode="close-combat", target=SQUAD)) == 6


@pytest.mark.clause("W41", "CH-PUTINF-13", "CH-PUTINF-14")
def test_a_charge_gives_the_putredine_no_die() -> None:
    assert dice(book(), attack("putredine", ("infantry", 6), mode="charge", target=SQUAD)) == 6


@pytest.mark.clause("CH-FTTD-03", "CH-RUSH-03")
def test_the_second_round_knows_no_charge() -> None:
    assert mode_of_round(book(), True, 1) == "charge"
    assert mode_of_round(book(), True, 2) == "close-combat"
    assert mode_of_round(book(), False, 1) == "close-combat"


@pytest.mark.clause("W24", "CH-MARK-08", "CH-RF-12", "Q-MARK-3")
def test_marking_costs_a_die_of_the_own_shot_and_may_cost_the_last() -> None:
    assert dice(book(), attack("alliance", ("light-tank", 5), marked=True)) == 4
    assert dice(book(), attack("alliance", ("light-tank", 5), marked=True, mode="reaction-fire")) == 3
    assert dice(book(), attack("alliance", ("light-tank", 1), marked=True)) == 0
    # The mark comes last, after the markers' minimum.
    assert dice(book(), attack("alliance", ("light-tank", 5), marked=True, stuns=9)) == 0


@pytest.mark.clause("Q-MARK-1", "CH-MARK-01", "CH-MARK-02")
@pytest.mark.parametrize(
    ("edition", "army", "kind", "may"),
    [
        ("current", "alliance", "light-tank", True),
        ("current", "alliance", "infantry", True),
        ("current", "alliance", "heavy-weapons", True),
        ("current", "alliance", "medium-tank", False),
        ("current", "asori", "light-tank", False),
        ("v1.5", "asori", "light-tank", True),
        ("v1.5", "asori", "infantry", True),
        ("v1.5", "asori", "heavy-tank", False),
    ],
)
def test_who_may_mark(edition: str, army: str, kind: str, may: bool) -> None:
    target = Target("alliance", "medium-tank", 4)
    refusal = may_attack(book(edition), attack(army, (kind, 1), marked=True, target=target))
    assert (refusal is None) == may


@pytest.mark.clause("W36", "CH-WORM-02", "CH-WORM-03", "CH-WORM-05", "CH-WORM-06", "CH-WORM-07", "Q-WORM-5")
def test_worm_tokens_take_dice_of_their_own_model_only() -> None:
    def with_tokens(models: int, *worms: int, **fields: Any) -> Attack:
        arms = (Arms("medium-tank", models, worms),)
        return Attack(mode="fire", army="alliance", kind="medium-tank", arms=arms, target=MEDIUM, **fields)

    assert dice(book(), with_tokens(4, 2)) == 6
    assert dice(book(), with_tokens(4, 3)) == 6
    assert dice(book(), with_tokens(4, 1, 1)) == 6
    assert dice(book(), with_tokens(4, 1)) == 7
    assert dice(book(), with_tokens(1, 2)) == 0
    assert dice(book(), with_tokens(1, 2, stuns=1)) == 0
    b = book()
    limits = {"light-tank": (1, 2), "medium-tank": (2, 4), "heavy-tank": (3, 6)}
    for army, table in (("alliance", limits), ("putredine", {**limits, "carrier": (1, 2), "slugger": (3, 6)})):
        for kind, (disabled, removed) in table.items():
            unit = unit_kind(b, army, kind)
            assert worm_limit(b, unit) == removed
            assert [is_disabled(b, unit, n) for n in (0, disabled - 1, disabled)] == [False, False, True]
    assert worm_limit(b, unit_kind(b, "asori", "command")) == 8


@pytest.mark.house("boost.round", "up", "down")
@pytest.mark.clause("Q-DICE-2", "Q-DICE-3", "Q-DICE-4", "W29")
def test_boosts_round_and_stack_as_the_house_rules_say() -> None:
    light = ("light-tank", 5)
    assert dice(book(), attack("asori", ("heavy-tank", 4), boosts=1)) == 18
    assert dice(book(boost__round="down"), attack("alliance", light, boosts=1)) == 7
    assert dice(book(), attack("alliance", light, boosts=2)) == 8
    stacked = book(boost__stack="yes")
    assert [dice(stacked, attack("alliance", light, boosts=n)) for n in (0, 1, 2, 3)] == [5, 8, 10, 13]
    down = book(boost__stack="yes", boost__round="down")
    assert [dice(down, attack("alliance", light, boosts=n)) for n in (0, 1, 2, 3)] == [5, 7, 10, 12]


@pytest.mark.clause("CH-CHARGE-06", "Q-RUSH-4", "CH-RUSH-07", "Q-DICE-5")
def test_what_may_not_be_boosted() -> None:
    rush = Target("asori", "infantry", 2)
    infantry = attack("alliance", ("infantry", 6), mode="reaction-fire", against_charge=True, target=rush)
    tanks = attack("alliance", ("light-tank", 5), mode="reaction-fire", against_charge=True, target=rush)
    assert may_boost(book(), infantry).clause == "CH-CHARGE-06"  # type: ignore[union-attr]
    assert may_boost(book(), tanks) is None
    assert may_boost(book(rush__rfBoost="no"), tanks) is not None
    fight = attack("alliance", ("infantry", 6), mode="close-combat", target=SQUAD, boosts=1)
    assert may_attack(book(), fight) is not None
    assert may_attack(book(boost__closeCombat="yes"), fight) is None
    assert dice(book(boost__closeCombat="yes"), fight) == 9


@pytest.mark.clause("W75", "CH-DEF-02", "CH-DEF-03", "CH-DEF-04", "CH-DEF-05", "CH-DEF-06", "CH-DEF-10", "CH-DEF-11")
@pytest.mark.clause("CH-TERRAIN-03", "CH-TERRAIN-04", "CH-DEF-07", "CH-DEF-08", "W45", "Q-DEF-6")
@pytest.mark.parametrize("edition", ["current", "v1.5"])
@pytest.mark.parametrize(
    ("army", "kind", "in_the_open", "in_cover"),
    [
        ("alliance", "light-tank", 3, 4),
        ("alliance", "medium-tank", 4, 5),
        ("alliance", "heavy-tank", 5, 6),
        ("alliance", "command", 4, 5),
        ("alliance", "artillery", 4, 5),
        ("asori", "command", 5, 6),
        ("alliance", "infantry", 3, 5),
        ("alliance", "heavy-weapons", 3, 5),
        ("asori", "infantry", 3, 5),
    ],
)
def test_three_hits_earn_the_printed_defence_dice(
    edition: str, army: str, kind: str, in_the_open: int, in_cover: int
) -> None:
    def defended(hits: int, cover: int) -> int:
        shot = attack("alliance", ("heavy-tank", 3), target=Target(army, kind, 1, 0, cover))
        return sum(term.value for term in defence_dice(book(edition), shot, hits))

    assert (defended(3, 0), defended(3, 1)) == (in_the_open, in_cover)
    assert (defended(0, 0), defended(0, 1)) == (0, 0)


@pytest.mark.clause("CH-CC-05", "CH-TERRAIN-10", "W92", "CH-ASORI-18", "CH-ASORI-19", "CH-ASORI-20")
def test_cover_does_not_help_in_close_combat_and_carapace_only_there() -> None:
    def defended(army: str, mode: str) -> int:
        fight = attack("alliance", ("infantry", 6), mode=mode, target=Target(army, "infantry", 2, 0, 1))
        return sum(term.value for term in defence_dice(book(), fight, 2))

    assert defended("alliance", "fire") == 4
    assert defended("alliance", "close-combat") == 2
    assert defended("asori", "fire") == 4
    assert defended("asori", "charge") == 3


@pytest.mark.clause("Q-PUTINF-4", "CH-DEF-02")
def test_putredine_infantry_defends_itself_as_others_do() -> None:
    for mode in ("close-combat", "charge", "fire"):
        blow = attack("alliance", ("infantry", 6), mode=mode, target=Target("putredine", "infantry", 6))
        assert sum(t.value for t in defence_dice(book(), blow, 3)) == 3


@pytest.mark.clause("Q-DICE-1", "Q-STUN-2", "CH-STUN-04", "CH-RF-03")
@pytest.mark.parametrize("edition", ["current", "v1.5"])
@pytest.mark.parametrize(("stuns", "fire", "reaction"), [(0, 8, 4), (1, 7, 3), (3, 5, 1), (4, 4, 1), (9, 1, 1)])
def test_halving_comes_first_then_markers_down_to_one(edition: str, stuns: int, fire: int, reaction: int) -> None:
    medium = ("medium-tank", 4)
    assert dice(book(edition), attack("alliance", medium, stuns=stuns)) == fire
    assert dice(book(edition), attack("alliance", medium, stuns=stuns, mode="reaction-fire")) == reaction


@pytest.mark.clause("CH-PUTINF-17", "CH-PUTINF-18", "Q-PUTINF-1", "CH-PART-07")
def test_against_putredine_infantry_there_is_the_carapace_die_and_nothing_else() -> None:
    bite = attack("putredine", ("infantry", 6), mode="charge", target=Target("asori", "infantry", 8))
    assert [t.value for t in defence_dice(book(), bite, 2)] == [1]
    assert defence_dice(book(), bite, 0) == ()
    bite = attack("putredine", ("infantry", 6), mode="charge", target=SQUAD)
    assert defence_dice(book(), bite, 2) == ()
    shells = attack("putredine", ("artillery", 3), mode="artillery", target=SQUAD)
    assert defence_dice(book(), shells, 2) == ()
    tanks = attack("putredine", ("heavy-tank", 3), target=SQUAD)
    assert sum(t.value for t in defence_dice(book(), tanks, 2)) == 2


@pytest.mark.clause(
    "W80", "CH-CARRIER-01", "CH-SLUG-01", "CH-PUTINF-04", "CH-PUTINF-12", "CH-PUTINF-15", "W76", "Q-ART-2"
)
@pytest.mark.clause("CH-RF-07", "CH-RF-08", "CH-ART-07", "CH-ART-08", "W72", "CH-CHARGE-01", "CH-CHARGE-02", "Q-RUSH-2")
@pytest.mark.clause("CH-ART-01", "CH-RUSH-04", "CH-RUSH-05")
@pytest.mark.parametrize(
    ("edition", "mode", "army", "kind", "target", "clause"),
    [
        ("current", "fire", "putredine", "slugger", MEDIUM, "CH-SLUG-01"),
        ("current", "reaction-fire", "putredine", "carrier", MEDIUM, "CH-CARRIER-01"),
        ("current", "fire", "putredine", "infantry", MEDIUM, "CH-PUTINF-04"),
        ("current", "charge", "putredine", "infantry", MEDIUM, "CH-CHARGE-02"),
        ("current", "charge", "putredine", "infantry", SQUAD, None),
        ("current", "reaction-fire", "alliance", "artillery", MEDIUM, "CH-RF-07"),
        ("current", "reaction-fire", "alliance", "light-tank", Target("alliance", "artillery", 3), "CH-RF-08"),
        ("v1.5", "reaction-fire", "alliance", "light-tank", Target("alliance", "artillery", 3), None),
        ("current", "fire", "alliance", "artillery", MEDIUM, "CH-ART-01"),
        ("current", "artillery", "alliance", "heavy-tank", MEDIUM, "CH-ART-01"),
        ("current", "charge", "alliance", "heavy-tank", SQUAD, "CH-CHARGE-01"),
        ("current", "charge", "alliance", "infantry", MEDIUM, "CH-CHARGE-02"),
        ("current", "charge", "asori", "infantry", MEDIUM, "CH-RUSH-04"),
        ("current", "charge", "asori", "infantry", Target("putredine", "carrier", 2), None),
        ("current", "charge", "asori", "infantry", Target("alliance", "light-tank", 2), None),
        ("current", "close-combat", "asori", "infantry", Target("alliance", "light-tank", 2), "CH-RUSH-05"),
        ("current", "close-combat", "alliance", "infantry", SQUAD, None),
    ],
)
def test_what_the_record_alone_forbids(
    edition: str, mode: str, army: str, kind: str, target: Target, clause: str | None
) -> None:
    refusal = may_attack(book(edition), attack(army, (kind, 1), mode=mode, target=target))
    assert (refusal and refusal.clause) == clause


@pytest.mark.clause("CH-MARK-09", "Q-PART-1")
def test_marks_serve_alliance_artillery_only() -> None:
    for army, kind, mode in (("putredine", "artillery", "artillery"), ("alliance", "heavy-tank", "fire")):
        refusal = may_attack(book(), attack(army, (kind, 3), mode=mode, marks=1))
        assert refusal is not None
        assert refusal.clause == "CH-MARK-09"


@pytest.mark.clause("W38", "W39", "W43", "CH-POD-03", "CH-INFEST-02", "CH-INFEST-03", "CH-INFEST-04")
@pytest.mark.clause("CH-CARRIER-02", "CH-CARRIER-05", "CH-CARRIER-06", "CH-CARRIER-07", "CH-CARRIER-08", "Q-CARRIER-3")
def test_bases_that_dice_bring() -> None:
    b = book()
    assert [bases_from(b, face) for face in (1, 2, 3, 4, 5, 6)] == [0, 0, 0, 1, 1, 2]
    assert sum(bases_from(b, face) for face in (1, 2, 4, 5, 6, 6)) == 6
    assert carrier_bases(b, (4, 4, 6)) == 5
    assert carrier_bases(b, (2, 2, 2)) == 1
    assert carrier_bases(b, (6, 6)) == 5
    assert carrier_bases(b, (5,)) == 1


@pytest.mark.house("v15.heavyCommandTanks", 1, 2)
@pytest.mark.clause(
    "CH-ALL-05", "CH-ALL-06", "CH-ALL-07", "CH-ASORI-07", "CH-ASORI-08", "Q-ASORI-3", "CH-PUT-15", "CH-PUT-16"
)
@pytest.mark.clause(
    "CH-PUT-17", "CH-PUT-22", "CH-PUT-23", "CH-ALL-08", "CH-ASORI-09", "CH-ALL-09", "CH-ASORI-13", "D-25"
)
def test_the_editions_print_different_units() -> None:
    old, new = book("v1.5"), book()
    assert unit_kind(old, "alliance", "command").models == 4
    assert unit_kind(new, "alliance", "command").models == 3
    assert full_strength(old, unit_kind(old, "asori", "command")) == 1
    two = book("v1.5", v15__heavyCommandTanks=2)
    assert full_strength(two, unit_kind(two, "asori", "command")) == 2
    assert full_strength(two, unit_kind(two, "alliance", "command")) == 4
    assert "artillery" not in kinds(new, "asori")
    assert armies(old) == ("alliance", "asori")
    assert armies(new) == ("alliance", "asori", "putredine")
    assert kinds(old, "putredine") == ()
    assert kinds(old, "asori") == ("light-tank", "medium-tank", "heavy-tank", "command", "infantry")
    assert unit_kind(new, "putredine", "infantry").grows
    assert [unit_kind(new, army, "command").cp for army in ("alliance", "asori")] == [2, 3]
    assert [unit_kind(new, "putredine", k).models for k in ("artillery", "slugger", "carrier", "infantry")] == [
        3,
        2,
        3,
        6,
    ]
    squads = [
        (u.squad, u.squads, u.figures)
        for u in (unit_kind(new, "alliance", "infantry"), unit_kind(new, "asori", "infantry"))
    ]
    assert squads == [(2, 3, 4), (2, 4, 2)]


@pytest.mark.clause("CH-FIRE-02", "CH-FIRE-03", "CH-FIRE-04", "CH-FIRE-05", "CH-FIRE-06", "CH-FIRE-07", "CH-INFMOVE-05")
@pytest.mark.clause("CH-INFMOVE-06", "CH-ASORI-14", "CH-ALL-20", "CH-ART-01", "CH-PART-01", "W62")
@pytest.mark.parametrize("edition", ["current", "v1.5"])
def test_ranges_are_as_printed(edition: str) -> None:
    b = book(edition)
    ranges = {"light-tank": 20, "medium-tank": 30, "heavy-tank": 40}
    for army in ("alliance", "asori"):
        assert {kind: unit_kind(b, army, kind).range for kind in ranges} == {k: 100 * r for k, r in ranges.items()}
    assert [unit_kind(b, "alliance", k).range for k in ("artillery", "command", "infantry", "heavy-weapons")] == [
        5000, 3000, 1000, 2000,
    ]  # fmt: skip
    assert [unit_kind(b, "asori", k).range for k in ("command", "infantry")] == [5000, 2000]
    assert unit_kind(b, "alliance", "artillery").min_range == 1000
