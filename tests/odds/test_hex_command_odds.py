"""The closed formula over counts of symbols agrees with brute force and with the values in the rulebook."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caltrop.chance import Distribution, every_way
from caltrop.clauses import switched_off
from caltrop.engine import Book, Term, total
from caltrop.engine.known import forget
from caltrop.rules.hex_command.attack import (
    Ending,
    Profile,
    battle_dice,
    count,
    ending,
    hits_of,
    saves,
    shield_dice,
    symbols_of,
)
from caltrop.rules.hex_command.attack.chances import expected_hits
from caltrop.rules.hex_command.attack.reading import Counts
from caltrop.rules.hex_command.catalogue import UNITS, battle_die
from caltrop.rules.hex_command.odds import chances
from tests.rules.hex_command.attacks import attack, attacker, book, target
from tests.tiers import examples


def brute_force(b: Book, p: Profile) -> Distribution[Ending]:
    """Return the results of every fall of every die, by the functions that the engine calls.

    Falls with equal counts of each symbol are one result, because later steps read only the counts.
    """
    sides = len(battle_die(b))

    def falls(dice_called: int) -> Distribution[Counts]:
        return Distribution(every_way(dice_called, sides)).map(lambda roll: count(symbols_of(b, roll)))

    out: list[tuple[Ending, Fraction]] = []
    for rolled, chance in falls(total(battle_dice(b, p))).items():
        hits = hits_of(b, p, rolled)
        shields = total(shield_dice(b, p)) if hits.total else 0
        for shown, part in falls(shields).items():
            out.append((ending(b, p, rolled, hits, saves(b, hits.total, shown)), chance * part))
    return Distribution.of(out)


def equal(b: Book, p: Profile) -> None:
    result, expected = chances(b, p), brute_force(b, p)
    assert dict(result.items()) == dict(expected.items())
    assert list(result) == sorted(result, key=lambda e: (e.strength, e.leader_lost, e.retreat))


@pytest.mark.parametrize(("who", "at"), [*product(("I-M", "V-H", "L-L"), ("I-M", "V-SH", "L-M", "L-L", "G-L"))])
def test_the_fold_equals_brute_force(who: str, at: str) -> None:
    for leader in (False, True):
        led = leader and not target(at).row.is_leader
        p = attack(attacker(who, leader=leader and who[0] != "L"), target(at, leader=led), room=1)
        equal(book(), p)


RULES: tuple[dict[str, Any], ...] = (
    {"battle_die": "d8_weighted"}, {"retreat_blocked": "stay"}, {"shields_in_assault": "off"},
    {"void_shields": "per_turn_pool"}, {"lone_leader_hit_by_class": "on"}, {"god_machines_stand": "on"}, {},
)  # fmt: skip


@settings(max_examples=examples(60))
@given(data=st.data())
def test_the_fold_equals_brute_force_for_any_attack(data: st.DataObject) -> None:
    codes = ("I-L", "I-M", "I-SH", "V-L", "V-M", "L-L", "L-M", "L-H", "G-L")
    who, at = data.draw(st.sampled_from(codes)), data.draw(st.sampled_from(codes))
    full = target(at)
    strength = data.draw(st.integers(2 if full.leaders else 1, full.strength))
    single = full.row.is_leader
    p = attack(
        attacker(who, leader=who[0] != "L" and data.draw(st.booleans())),
        target(
            at,
            strength,
            leader=not single and data.draw(st.booleans()),
            ground=data.draw(st.sampled_from(["open", "citadel", "hill"])),
            entrenched=data.draw(st.booleans()),
            spent=data.draw(st.integers(0, 3)),
        ),
        room=data.draw(st.sampled_from([None, 0, 1, 2])),
    )
    equal(book(**data.draw(st.sampled_from(RULES))), p)


@pytest.mark.clause("HX-S01", "HX-S02", "HX-HIE-01")
def test_infantry_at_infantry_and_at_a_higher_target() -> None:
    """Example 33."""
    even, higher = attack("I-M", "I-M"), attack("I-M", "V-M")
    assert expected_hits(book(), even) == 1
    assert chances(book(), even).chance(lambda e: e.strength == 4) == Fraction(8, 27)
    assert round(float(expected_hits(book(), higher)), 3) == 0.579
    assert chances(book(), higher).chance(lambda e: e.strength == 3) == Fraction(14, 27)


@pytest.mark.clause("HX-LDS-03", "HX-S01")
def test_an_attached_leader_makes_half_the_die_hit() -> None:
    """Example 34."""
    assert expected_hits(book(), attack(attacker("I-M", leader=True), "I-M")) == Fraction(3, 2)


@pytest.mark.clause("HX-S02", "HX-S01", "HX-Q02", "HX-HIE-01")
@pytest.mark.parametrize("n", range(1, 8))
def test_the_table_of_expected_hits(n: int) -> None:
    extra = (Term(n - 2, "HX-S20", ""),)
    even, eight = book(), book(battle_die="d8_weighted")
    same, higher = attack("L-L", "V-M", extra=extra), attack("L-L", "G-L", extra=extra)
    lost = 1 - Fraction(5, 6) ** n
    assert expected_hits(even, same) == Fraction(n, 3)
    assert expected_hits(even, higher) == Fraction(n, 3) - lost
    fewer = 1 - Fraction(3, 4) ** n
    assert expected_hits(eight, same) == Fraction(3 * n, 8)
    assert expected_hits(eight, higher) == Fraction(3 * n, 8) - fewer
    assert expected_hits(eight, attack("L-L", "I-M", extra=extra)) == Fraction(n, 2)
    outranked = attack("I-L", "I-M", extra=extra)
    assert expected_hits(eight, outranked) == Fraction(n, 2) - fewer


def mean_attacks(who: str, at: str) -> float:
    """Return the mean number of attacks at close range until the target is destroyed."""
    left: dict[int, float] = {0: 0.0}
    for strength in range(1, target(at).strength + 1):
        ends = chances(book(), attack(who, target(at, strength)))
        stays = float(ends.chance(lambda e, s=strength: e.strength == s))  # type: ignore[misc]
        rest = sum(float(c) * left[e.strength] for e, c in ends.items() if e.strength != strength)
        left[strength] = (1 + rest) / (1 - stays)
    return left[target(at).strength]


@pytest.mark.clause("HX-S22")
@pytest.mark.parametrize(
    ("who", "at", "mean"),
    [("I-M", "I-M", 4.3), ("V-M", "V-M", 3.3), ("V-M", "I-M", 4.3), ("I-M", "V-M", 5.5), ("G-H", "G-H", 4.7),
     ("I-M", "G-H", 18.9)],
)  # fmt: skip
def test_the_mean_number_of_attacks_until_a_target_is_destroyed(who: str, at: str, mean: float) -> None:
    assert round(mean_attacks(who, at), 1) == mean


def test_answers_are_kept_for_equal_rules_and_not_while_a_rule_is_off() -> None:
    forget()
    p = attack("I-M", "V-M")
    first = chances(book(), p)
    assert chances(book(), p) is first
    assert chances(book(battle_die="d8_weighted"), p) != first
    forget()
    with switched_off("caltrop.rules.hex_command.attack.reading:a_higher_type_ignores_the_first_target"):
        assert chances(book(), attack("V-M", "V-H")) != first
    assert expected_hits(book(), attack("V-M", "V-H")) < 1
    assert chances(book(), p) == first


def test_every_unit_has_odds_against_every_other() -> None:
    agreed: Any = book()
    for key, who in UNITS.items():
        for other, at in UNITS.items():
            p = attack(attacker("I-M"), target("I-M"))
            q = Profile(
                type(p.attacker)(key, "infantry"),  # type: ignore[misc]
                type(p.target)(other, at.models if at.models > 1 else at.size),
                range=1,
            )
            assert sum(chance for _, chance in chances(agreed, q).items()) == 1, who.title
