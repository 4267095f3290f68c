"""The damage from given dice in the worked examples that need no table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caltrop.engine import Book, settle
from caltrop.rules.command_horizon.attack import (
    Arms,
    Attack,
    Damage,
    Ending,
    Hits,
    Stood,
    Strength,
    Target,
    allocate,
    assign,
    damage,
    defence_dice,
    ending,
    every_result,
    face_counts,
    hit_list,
    pairs_possible,
    read,
    refused_assignment,
    result_of,
    results,
    standing,
    successes,
    worse_fate,
)
from caltrop.rules.command_horizon.catalogue import switches


def book(edition: str = "current", **rules: Any) -> Book:
    return Book("command-horizon", edition, settle(switches(), {k.replace("__", "."): v for k, v in rules.items()}))


def fought(
    b: Book,
    army: str,
    kind: str,
    target: Target,
    roll: Sequence[int],
    defence: Sequence[int] = (),
    *,
    pairs: int = 0,
    mode: str = "fire",
    **fields: Any,
) -> Ending:
    """Return the result of one attack with given dice.

    The numbers of Defence Dice must be those that the rules ask for.
    """
    a = Attack(mode=mode, army=army, kind=kind, arms=(Arms(kind, 1),), target=target, **fields)  # type: ignore[arg-type]
    hits = standing(b, a, read(b, a, (face_counts(tuple(roll)),), pairs))
    called = sum(term.value for term in defence_dice(b, a, hits.count))
    assert called == len(defence), f"{called} Defence Dice are called for"
    return ending(b, target, damage(b, a, hits, assign(b, hits, face_counts(tuple(defence)))))


def left(models: int, stuns: int, drone: str | None = None) -> Ending:
    return Ending(models, stuns, drone)  # type: ignore[arg-type]


HEAVY = Target("alliance", "heavy-tank", 3)
MEDIUM = Target("alliance", "medium-tank", 4)


@pytest.mark.clause("W02", "CH-DMG-01", "CH-DMG-02", "CH-DMG-03", "CH-DMG-04", "CH-DMG-07", "CH-DEF-02", "CH-DEF-12")
@pytest.mark.clause("CH-DEF-13", "CH-DEF-14", "Q-DEF-1", "Q-DEF-5", "Q-OK-1")
def test_the_printed_example_kills_one() -> None:
    assert fought(book(), "asori", "heavy-tank", HEAVY, (1, 1, 3, 4, 6, 6), (2, 3, 4, 5, 6)) == left(2, 0)


@pytest.mark.clause("W03", "CH-OVERKILL-01", "CH-OVERKILL-02", "CH-OVERKILL-03", "CH-OVERKILL-04")
def test_the_printed_example_with_an_overkill() -> None:
    assert fought(book(), "asori", "heavy-tank", HEAVY, (1, 1, 3, 4, 6, 6), (2, 3, 4, 5, 6), pairs=1) == left(2, 1)


@pytest.mark.clause("W04", "CH-OVERKILL-03", "CH-OVERKILL-04", "CH-DEF-03")
def test_two_sixes_negate_the_kill_and_the_automatic_stun_stays() -> None:
    assert fought(book(), "asori", "heavy-tank", MEDIUM, (6, 6, 2), (6, 6, 1), pairs=1) == left(4, 1)


@pytest.mark.clause("W13a", "W13b", "W13c", "Q-OK-2", "Q-OK-4", "Q-DEF-4", "CH-DEF-03")
def test_a_single_six_does_nothing_to_a_pair() -> None:
    b = book()
    assert fought(b, "asori", "heavy-tank", MEDIUM, (6, 6, 6, 1), (6, 5, 3, 2)) == left(2, 0)
    assert fought(b, "asori", "heavy-tank", MEDIUM, (6, 6, 6, 1), (6, 5, 3, 2), pairs=1) == left(3, 1)
    assert fought(b, "asori", "heavy-tank", MEDIUM, (6, 6, 5), (6, 3, 2, 1), pairs=1) == left(3, 1)


@pytest.mark.clause("W56", "Q-DEF-4")
def test_the_owner_may_cancel_stuns_rather_than_the_overkill() -> None:
    b, light = book(), Target("alliance", "light-tank", 4)
    assert fought(b, "asori", "heavy-tank", light, (6, 6, 5, 5), (6, 6, 1, 1), pairs=1) == left(4, 3)
    hits = Hits((0,) * 6, (0, 0, 0, 0, 2, 0), 1)
    assert [(h.effect, h.face) for h in hit_list(hits)] == [("pair", 6), ("stun", 5), ("stun", 5)]
    other = (1, 2, None, None)
    assert refused_assignment(hits, (6, 6, 1, 1), other) is None
    a = Attack(mode="fire", army="asori", kind="heavy-tank", arms=(), target=light)
    assert ending(b, light, damage(b, a, hits, result_of(hits, other))) == left(3, 1)
    ends = {ending(b, light, damage(b, a, hits, stood)) for stood, _ in every_result(hits, (6, 6, 1, 1))}
    assert {left(4, 3), left(3, 1)} <= ends


@pytest.mark.clause("CH-DEF-12", "CH-DEF-13", "CH-OVERKILL-03", "Q-DEF-4")
def test_illegal_assignments_are_refused_with_their_clause() -> None:
    hits = Hits((0,) * 6, (0, 0, 0, 0, 2, 0), 1)
    clauses = []
    for assignment in ((None, None, 1, None), (1, 1, None, None), (0, None, None, None), (9, None, None, None)):
        refusal = refused_assignment(hits, (6, 6, 4, 1), assignment)
        assert refusal is not None
        clauses.append(refusal.clause)
    assert clauses == ["CH-DEF-12", "CH-DEF-13", "CH-OVERKILL-03", "Q-DEF-4"]


@pytest.mark.clause("W91", "CH-DMG-06", "CH-OVERKILL-05", "CH-DEF-02")
def test_tanks_do_not_overkill_infantry() -> None:
    platoon = Target("alliance", "infantry", 6)
    assert fought(book(), "alliance", "medium-tank", platoon, (6, 6, 5, 3), (6, 5, 1), pairs=1) == left(5, 0)


@pytest.mark.clause("W65", "CH-INFDMG-04", "CH-OVERKILL-06", "CH-TERRAIN-04", "CH-ASORI-02")
def test_infantry_shoots_at_an_asori_squad_in_woods() -> None:
    woods = Target("asori", "infantry", 2, 0, 1)
    assert fought(book(), "alliance", "infantry", woods, (1, 2, 4, 4, 5, 6, 6), (6, 5, 4, 2, 1, 1), pairs=1) == left(
        1, 0
    )


@pytest.mark.clause("W51", "CH-ASORI-01", "CH-ASORI-02", "CH-RF-11", "CH-RF-13")
def test_a_shot_and_its_reaction_fire() -> None:
    b = book()
    asori, alliance = Target("asori", "light-tank", 4), Target("alliance", "light-tank", 5)
    assert fought(b, "alliance", "light-tank", asori, (6, 6, 4, 2, 1), (6, 3)) == left(3, 0)
    assert fought(b, "asori", "light-tank", alliance, (6, 5), (1, 4), mode="reaction-fire") == left(4, 1)


@pytest.mark.clause("W19", "CH-INFDMG-01", "CH-INFDMG-02", "Q-INF-3", "CH-ASORI-02")
def test_a_mixed_squad_reads_two_tables() -> None:
    b, target = book(), Target("asori", "medium-tank", 4)
    a = Attack(
        mode="fire",
        army="alliance",
        kind="infantry",
        arms=(Arms("infantry", 2), Arms("heavy-weapons", 1)),
        target=target,
    )
    hits = standing(b, a, read(b, a, (face_counts((4, 5)), face_counts((4, 6))), 0))
    assert sum(t.value for t in defence_dice(b, a, hits.count)) == 3
    assert ending(b, target, damage(b, a, hits, assign(b, hits, face_counts((5, 2, 1))))) == left(3, 0)


@pytest.mark.clause("CH-INFDMG-01", "CH-INFDMG-02", "CH-INFDMG-03", "CH-INFDMG-04", "Q-ASORI-2", "CH-RF-05", "W84")
@pytest.mark.clause("CH-ART-10", "CH-ART-11", "CH-MARK-10", "CH-MARK-11", "CH-MARK-12", "CH-MARK-13", "W64", "CH-CC-12")
@pytest.mark.clause("CH-CC-13", "CH-CC-14", "CH-RUSH-02", "CH-RUSH-08", "CH-PUTINF-16", "CH-PART-03", "CH-PART-04")
@pytest.mark.clause(
    "CH-PART-05", "CH-PART-06", "CH-DMG-01", "CH-DMG-02", "CH-DMG-03", "CH-DMG-06", "Q-CC-2", "CH-RUSH-03"
)
@pytest.mark.parametrize(
    ("army", "kind", "mode", "target", "marks", "shown"),
    [
        ("alliance", "light-tank", "fire", "medium-tank", 0, "---ssk"),
        ("asori", "command", "reaction-fire", "medium-tank", 0, "---ssk"),
        ("alliance", "light-tank", "fire", "infantry", 0, "---ssk"),
        ("alliance", "infantry", "fire", "medium-tank", 0, "----sk"),
        ("alliance", "infantry", "reaction-fire", "medium-tank", 0, "----sk"),
        ("alliance", "heavy-weapons", "fire", "medium-tank", 0, "---ssk"),
        ("asori", "infantry", "fire", "medium-tank", 0, "---ssk"),
        ("alliance", "infantry", "fire", "infantry", 0, "---ssk"),
        ("asori", "infantry", "fire", "infantry", 0, "---ssk"),
        ("alliance", "artillery", "artillery", "infantry", 0, "---ssk"),
        ("alliance", "artillery", "artillery", "medium-tank", 0, "---sss"),
        ("alliance", "artillery", "artillery", "medium-tank", 1, "---ssk"),
        ("alliance", "artillery", "artillery", "infantry", 2, "---skk"),
        ("alliance", "artillery", "artillery", "medium-tank", 3, "---kkk"),
        ("alliance", "artillery", "artillery", "medium-tank", 4, "---kkk"),
        ("alliance", "infantry", "close-combat", "infantry", 0, "----kk"),
        ("alliance", "heavy-weapons", "charge", "infantry", 0, "----kk"),
        ("asori", "infantry", "close-combat", "infantry", 0, "---kkk"),
        ("asori", "infantry", "charge", "infantry", 0, "--kkkk"),
        ("asori", "infantry", "charge", "light-tank", 0, "--sssk"),
        ("putredine", "infantry", "charge", "infantry", 0, "-----k"),
        ("putredine", "artillery", "artillery", "medium-tank", 0, "---bbw"),
        ("putredine", "artillery", "artillery", "infantry", 0, "---bbk"),
    ],
)
def test_the_tables_are_as_printed(army: str, kind: str, mode: str, target: str, marks: int, shown: str) -> None:
    a = Attack(
        mode=mode,  # type: ignore[arg-type]
        army=army,
        kind=kind,
        arms=(Arms(kind, 1),),
        target=Target("alliance", target, 1),
        marks=marks,
    )
    letters = {"miss": "-", "stun": "s", "kill": "k", "base": "b", "worm": "w"}
    assert "".join(letters[r] for r in results(book(), a, kind)) == shown


@pytest.mark.house("asori.infantryVsTanks", "heavy", "standard")
@pytest.mark.clause("Q-ASORI-2", "CH-INFDMG-03")
def test_asori_infantry_can_be_made_plain_in_the_current_edition_only() -> None:
    a = Attack(mode="fire", army="asori", kind="infantry", arms=(Arms("infantry", 1),), target=MEDIUM)
    assert results(book(), a, "infantry")[3] == "stun"
    assert results(book(asori__infantryVsTanks="standard"), a, "infantry")[3] == "miss"
    assert results(book("v1.5", asori__infantryVsTanks="standard"), a, "infantry")[3] == "stun"


@pytest.mark.clause("Q-CC-2")
def test_in_close_combat_what_does_not_kill_can_be_made_to_stun() -> None:
    b = book(cc__stuns="table")

    def shown(army: str, mode: str, target: str) -> tuple[str, ...]:
        a = Attack(
            mode=mode,  # type: ignore[arg-type]
            army=army,
            kind="infantry",
            arms=(Arms("infantry", 1),),
            target=Target("alliance", target, 1),
        )
        return results(b, a, "infantry")

    assert shown("alliance", "close-combat", "infantry") == ("miss", "miss", "miss", "stun", "kill", "kill")
    assert shown("putredine", "charge", "infantry") == ("miss", "miss", "miss", "stun", "stun", "kill")
    assert shown("asori", "charge", "infantry")[2:] == ("kill", "kill", "kill", "kill")
    assert shown("asori", "charge", "light-tank") == ("miss", "miss", "stun", "stun", "stun", "kill")
    assert shown("alliance", "fire", "medium-tank")[3] == "miss"


@pytest.mark.clause("W31", "W32", "W33", "CH-CC-02", "CH-CC-12", "CH-CC-13", "CH-ASORI-18", "CH-RUSH-02", "CH-RUSH-03")
def test_close_combats_as_worked_out() -> None:
    b = book()
    asori, squad = Target("asori", "infantry", 2), Target("alliance", "infantry", 2)
    assert fought(b, "alliance", "infantry", asori, (5, 6, 2), (6, 4, 1), mode="charge") == left(1, 0)
    assert fought(b, "asori", "infantry", squad, (4, 3, 6, 1), (4, 2), mode="close-combat") == left(1, 0)
    last = Target("asori", "infantry", 1)
    assert fought(b, "alliance", "infantry", last, (5,), (3, 4), mode="close-combat") == left(0, 0)
    assert fought(b, "asori", "infantry", Target("alliance", "infantry", 1), (3, 2), mode="close-combat") == left(1, 0)
    platoon = Target("alliance", "infantry", 6)
    assert fought(b, "alliance", "infantry", asori, (1, 2, 3, 4), mode="reaction-fire") == left(2, 0)
    assert fought(b, "asori", "infantry", platoon, (3, 3, 4, 1, 6), (3, 2, 5, 6), mode="charge") == left(5, 0)
    assert fought(b, "alliance", "infantry", asori, (5, 6, 1, 2, 3, 4, 4), (6, 5, 1), mode="close-combat") == left(2, 0)


@pytest.mark.clause("W34", "CH-RUSH-05", "CH-RUSH-08", "CH-OVERKILL-06", "Q-RUSH-3")
def test_a_rush_at_light_tanks_stuns_and_never_overkills() -> None:
    light = Target("alliance", "light-tank", 5, 0, 1)
    assert fought(book(), "asori", "infantry", light, (3, 4, 5, 6, 6), (6, 4, 4, 2, 1), mode="charge", pairs=1) == left(
        4, 1
    )


@pytest.mark.clause("W23", "W25", "W77", "CH-MARK-09", "CH-MARK-11", "CH-ART-10", "CH-ART-11", "Q-ART-5", "CH-ASORI-19")
def test_artillery_as_worked_out() -> None:
    b = book()
    medium = Target("asori", "medium-tank", 4)
    heavy = Target("putredine", "heavy-tank", 3)
    shell: dict[str, Any] = {"mode": "artillery"}
    assert fought(b, "alliance", "artillery", medium, (2, 3, 4, 4, 5, 6), (6, 5, 2, 1), marks=2, **shell) == left(4, 1)
    assert fought(b, "alliance", "artillery", heavy, (1, 4, 5, 6, 6, 2), (6, 5, 3, 3, 2, 1), pairs=1, **shell) == left(
        3, 2
    )
    asori = Target("asori", "infantry", 2)
    assert fought(b, "alliance", "artillery", asori, (3, 4, 5, 6), (6, 1), **shell) == left(2, 1)


@pytest.mark.clause("Q-ART-5")
def test_artillery_overkills_only_when_ranged_in_on_vehicles_and_allowed() -> None:
    def pairs(b: Book, marks: int, kind: str) -> int:
        a = Attack(
            mode="artillery", army="alliance", kind="artillery", arms=(Arms("artillery", 3),),
            target=Target("alliance", kind, 1), marks=marks,
        )  # fmt: skip
        return pairs_possible(b, a, (face_counts((6, 6, 6, 6)),))

    allowed = book(artillery__overkill="yes")
    assert [pairs(allowed, m, "medium-tank") for m in (0, 1, 3)] == [0, 2, 2]
    assert pairs(allowed, 2, "infantry") == 0
    assert pairs(book(), 2, "medium-tank") == 0


@pytest.mark.clause("Q-OK-1", "Q-OK-3")
def test_overkills_can_be_automatic() -> None:
    assert fought(book(overkill__mode="automatic"), "asori", "heavy-tank", MEDIUM, (6, 6, 2), (6, 6, 1)) == left(4, 1)
    for mode, expected in (("fire", 1), ("reaction-fire", 1)):
        a = Attack(mode=mode, army="asori", kind="heavy-tank", arms=(Arms("heavy-tank", 1),), target=MEDIUM)  # type: ignore[arg-type]
        assert pairs_possible(book(), a, (face_counts((6, 6, 6)),)) == expected


CHIRON = Target("asori", "command", 1, 0, 0, "active")


@pytest.mark.clause(
    "W27", "CH-DRONE-01", "CH-DRONE-02", "CH-DRONE-03", "CH-DRONE-04", "Q-DRONE-1", "Q-DRONE-2", "Q-DRONE-7"
)
def test_a_double_six_works_on_the_drone_and_nothing_else_gets_through() -> None:
    b = book()
    roll = (6, 6, 6, 5, 4)
    assert fought(b, "alliance", "heavy-tank", CHIRON, roll, (6, 6, 3, 1), pairs=1) == left(1, 0, "disabled")
    assert fought(b, "alliance", "heavy-tank", CHIRON, roll, (6, 5, 4, 1), pairs=1) == left(1, 0, "destroyed")
    assert fought(b, "alliance", "heavy-tank", CHIRON, (6, 5, 4)) == left(1, 0, "active")


@pytest.mark.clause("CH-DRONE-01", "CH-DEF-09", "CH-ASORI-02", "Q-DRONE-7")
@pytest.mark.parametrize("edition", ["current", "v1.5"])
@pytest.mark.parametrize("roll", [(4, 4), (4, 4, 4, 4), (5, 5, 5), (4, 5, 5, 4)])
def test_an_active_drone_lets_no_stun_through_however_many(edition: str, roll: tuple[int, ...]) -> None:
    # Without it, Suffer No Weakness would remove only the lowest of them.
    assert fought(book(edition), "alliance", "heavy-tank", CHIRON, roll) == left(1, 0, "active")


@pytest.mark.clause("CH-DEF-02", "CH-DEF-11", "Q-DEF-1", "Q-DEF-6")
@pytest.mark.parametrize("edition", ["current", "v1.5"])
def test_every_hit_brings_a_die_and_more_than_there_are_models_too(edition: str) -> None:
    b = book(edition)
    for kind, bonus in (("light-tank", 0), ("medium-tank", 1), ("heavy-tank", 2), ("infantry", 0)):
        for models in (1, 4):
            target = Target("alliance", kind, models)
            a = Attack(mode="fire", army="asori", kind="heavy-tank", arms=(Arms("heavy-tank", 4),), target=target)
            result = [sum(term.value for term in defence_dice(b, a, hits)) for hits in range(19)]
            assert result == [0, *[hits + bonus for hits in range(1, 19)]]


@pytest.mark.clause("W90", "CH-DRONE-05", "CH-DEF-09", "CH-RF-05")
def test_reaction_fire_can_destroy_the_drone() -> None:
    assert fought(
        book(), "alliance", "heavy-tank", CHIRON, (6, 6, 1, 2, 3), (6, 5, 5, 5), pairs=1, mode="reaction-fire"
    ) == left(1, 0, "destroyed")


@pytest.mark.clause("W28", "CH-ASORI-02", "CH-STUN-09", "Q-DRONE-8", "Q-STUN-9", "Q-DRONE-6")
def test_without_its_drone_the_chiron_is_a_tank_like_any_other() -> None:
    b = book()
    once = Target("asori", "command", 1, 0, 0, "disabled")
    assert fought(b, "alliance", "heavy-tank", once, (4, 4, 5), (3, 2, 4, 1)) == left(1, 1, "disabled")
    again = Target("asori", "command", 1, 1, 0, "disabled")
    assert fought(b, "alliance", "heavy-tank", again, (5, 4), (1, 2, 3)) == left(0, 0, "destroyed")
    assert fought(b, "alliance", "heavy-tank", once, (6, 6), (6, 5, 4, 3), pairs=1) == left(0, 0, "destroyed")


@pytest.mark.clause("W52", "Q-DRONE-4", "Q-DRONE-10", "CH-DRONE-02")
@pytest.mark.parametrize("per_attack", ["no", "yes"])
def test_a_single_six_hurts_the_command_in_v15_only(per_attack: str) -> None:
    old, new = (book(edition, drone__perAttack=per_attack) for edition in ("v1.5", "current"))
    assert fought(old, "alliance", "heavy-tank", CHIRON, (6, 4), (5, 4, 2)) == left(0, 0, "destroyed")
    assert fought(new, "alliance", "heavy-tank", CHIRON, (6, 4)) == left(1, 0, "active")


@pytest.mark.clause("Q-DRONE-10")
def test_a_single_six_of_v15_is_cancelled_before_the_pair() -> None:
    old = book("v1.5")
    # The uncombined kill is cancelled first, and the pair needs two 6s more.
    mixed = (6, 6, 6)
    assert fought(old, "alliance", "heavy-tank", CHIRON, mixed, (6, 6, 5, 1, 1), pairs=1) == left(1, 0, "destroyed")
    assert fought(old, "alliance", "heavy-tank", CHIRON, mixed, (6, 6, 6, 1, 1), pairs=1) == left(1, 0, "disabled")


@pytest.mark.clause("Q-DRONE-3")
def test_pair_by_pair_the_drone_goes_first_and_the_tank_after_it() -> None:
    b = book(drone__perAttack="yes")
    assert fought(b, "alliance", "heavy-tank", CHIRON, (6, 5, 4)) == left(1, 0, "active")
    roll = (6, 6, 6, 6, 5, 5)
    assert fought(b, "alliance", "heavy-tank", CHIRON, roll, (6, 6, 6, 6, 5, 1, 1), pairs=2) == left(1, 1, "disabled")
    assert fought(b, "alliance", "heavy-tank", CHIRON, roll, (6, 6, 5, 1, 1, 1, 1), pairs=2) == left(1, 1, "destroyed")
    assert fought(b, "alliance", "heavy-tank", CHIRON, roll, (6, 5, 5, 1, 1, 1, 1), pairs=2) == left(0, 0, "destroyed")


@pytest.mark.clause("Q-DRONE-9", "Q-DRONE-10")
def test_any_two_sixes_can_be_made_to_work_on_the_drone() -> None:
    roll = (6, 6, 1)
    defence = (5, 4, 3, 2)
    usual, every = book(), book(drone__doubleSix="any")
    assert fought(usual, "alliance", "infantry", CHIRON, roll, pairs=1) == left(1, 0, "active")
    assert fought(every, "alliance", "infantry", CHIRON, roll, defence) == left(1, 0, "destroyed")
    shells: dict[str, Any] = {"mode": "artillery", "marks": 1}
    assert fought(every, "alliance", "artillery", CHIRON, roll, defence, **shells) == left(1, 0, "destroyed")


@pytest.mark.clause("Q-DRONE-3")
def test_a_drone_has_one_fate_a_step_the_worst() -> None:
    assert worse_fate("disabled", None) == "disabled"
    assert worse_fate("disabled", "destroyed") == "destroyed"
    assert Damage(1, 2) + Damage(0, 1, "disabled") == Damage(1, 3, "disabled")


@pytest.mark.clause("W74", "CH-ASORI-03", "Q-ASORI-1")
def test_each_attack_loses_its_lowest_stun_on_the_asori() -> None:
    b, light = book(), Target("asori", "light-tank", 4)
    assert fought(b, "alliance", "light-tank", light, (4, 5), (1,)) == left(4, 1)
    assert fought(b, "alliance", "light-tank", light, (5,)) == left(4, 0)
    assert fought(b, "alliance", "light-tank", light, (4,), mode="reaction-fire") == left(4, 0)
    # The automatic stun of an Overkill is not a die.
    assert fought(b, "alliance", "light-tank", light, (6, 6), (1, 1), pairs=1) == left(3, 1)


@pytest.mark.clause("W37", "CH-PART-03", "CH-PART-04", "CH-PART-05", "CH-PART-06", "CH-PART-07", "Q-PART-2")
def test_putredine_artillery_kills_bases_and_seeds_vehicles() -> None:
    b, roll = book(), (1, 3, 4, 5, 6, 6)
    platoon = Target("alliance", "infantry", 6)
    assert fought(b, "putredine", "artillery", platoon, roll, mode="artillery") == left(4, 0)
    assert fought(b, "putredine", "artillery", MEDIUM, roll, mode="artillery") == left(4, 0)
    a = Attack(mode="artillery", army="putredine", kind="artillery", arms=(Arms("artillery", 3),), target=MEDIUM)
    hits = read(b, a, (face_counts(roll),), 0)
    assert (hits.bases, hits.worms, hits.count) == (2, 2, 0)


@pytest.mark.clause("W41", "CH-PUTINF-16", "CH-PUTINF-17", "CH-PUTINF-18", "CH-CC-14", "Q-PUTINF-1")
def test_putredine_bites() -> None:
    b, roll = book(), (6, 6, 1, 2, 5, 3)
    eight, two = Target("asori", "infantry", 8), Target("alliance", "infantry", 2)
    assert fought(b, "putredine", "infantry", eight, roll, (6,), mode="charge") == left(7, 0)
    assert fought(b, "putredine", "infantry", eight, roll, (5,), mode="charge") == left(6, 0)
    assert fought(b, "putredine", "infantry", two, roll, mode="charge") == left(0, 0)


@pytest.mark.clause("W40", "CH-SLUG-02", "CH-SLUG-04", "Q-SLUG-1", "Q-SLUG-3")
def test_near_a_slugger_successes_are_rolled_again() -> None:
    b = book()
    slugger = Target("putredine", "slugger", 2)

    def near(army: str, kind: str, roll: tuple[int, ...]) -> tuple[int, ...]:
        a = Attack(mode="fire", army=army, kind=kind, arms=(Arms(kind, 1),), target=slugger, slugger=True)
        return successes(b, a, kind, roll)

    assert near("alliance", "medium-tank", (4, 6, 2, 5, 1, 1, 3, 6)) == (0, 1, 3, 7)
    assert near("alliance", "infantry", (4, 5)) == (1,)


@pytest.mark.clause("W14", "W15", "W16", "W17", "W53", "W58", "CH-STUN-01", "CH-STUN-07", "CH-STUN-09", "CH-STUN-10")
@pytest.mark.clause("CH-STUN-11", "Q-STUN-5", "Q-STUN-6", "Q-STUN-7", "Q-STUN-8", "CH-DMG-04")
@pytest.mark.parametrize(
    ("before", "dealt", "after"),
    [
        ((4, 5), Damage(0, 3), (3, 3)),
        ((3, 2), Damage(1, 2), (1, 1)),
        ((3, 2), Damage(1, 1), (2, 3)),
        ((2, 3), Damage(0, 3), (1, 1)),
        ((3, 4), Damage(1, 0), (1, 1)),
        ((2, 1), Damage(3, 0), (0, 0)),
        ((1, 1), Damage(0, 1), (0, 0)),
        ((4, 0), Damage(0, 9), (3, 3)),
    ],
)
def test_kills_first_then_one_check_for_markers(before: tuple[int, int], dealt: Damage, after: tuple[int, int]) -> None:
    assert allocate(book(), Strength(*before), dealt) == Strength(*after)


six = st.tuples(*[st.integers(0, 2)] * 3)


@pytest.mark.clause("Q-DEF-4", "CH-DEF-12", "CH-DEF-13", "CH-OVERKILL-03")
@given(
    hits=st.builds(
        lambda table, n, pairs: Hits(
            (0, 0, 0, n[0] * table[0], n[1] * table[1], n[2] * table[2]),
            (0, 0, 0, n[0] * (1 - table[0]), n[1] * (1 - table[1]), n[2] * (1 - table[2])),
            pairs if table == (0, 0, 1) else 0,
        ),
        st.sampled_from([(0, 0, 1), (0, 1, 1), (1, 1, 1), (0, 0, 0)]),
        six,
        st.integers(0, 2),
    ),
    roll=st.lists(st.integers(1, 6), max_size=5),
    models=st.integers(1, 4),
    stuns=st.integers(0, 3),
)
def test_no_assignment_is_better_than_the_extended_greedy(hits: Hits, roll: list[int], models: int, stuns: int) -> None:
    b = book()
    target = Target("alliance", "light-tank", models, min(stuns, 2 * models - 1))
    a = Attack(mode="fire", army="asori", kind="heavy-tank", arms=(), target=target)

    def good(stood: Stood) -> tuple[int, int]:
        end = ending(b, target, damage(b, a, hits, stood))
        return end.models, -end.stuns

    greedy = assign(b, hits, face_counts(tuple(roll)))
    result = every_result(hits, roll)
    assert greedy in [stood for stood, _ in result]
    assert good(greedy) == max(good(stood) for stood, _ in result)
    for stood, assignment in result:
        assert refused_assignment(hits, roll, assignment) is None
        assert result_of(hits, assignment) == stood


@pytest.mark.clause("Q-DEF-4")
def test_every_distinct_result_is_listed() -> None:
    hits = Hits((0, 0, 0, 0, 0, 1), (0, 0, 0, 1, 1, 0), 1)
    roll = (6, 6, 5, 4)
    walked = set()
    for assignment in product((None, *range(len(hit_list(hits)))), repeat=len(roll)):
        if refused_assignment(hits, roll, assignment) is None:
            walked.add(result_of(hits, assignment))
    listed = [stood for stood, _ in every_result(hits, roll)]
    assert len(listed) == len(walked)
    assert all(stood in walked for stood in listed)
