"""The closed formula over counts of faces agrees with values computed by hand and with a library of dice."""

from __future__ import annotations

from typing import Any

import icepool
import pytest

from caltrop.chance import Distribution, Roll, every_way
from caltrop.clauses import switched_off
from caltrop.engine import Book, settle, total
from caltrop.engine.known import forget
from caltrop.rules.command_horizon.attack import (
    Arms,
    Attack,
    Ending,
    Hits,
    Target,
    assign,
    damage,
    defence_dice,
    ending,
    face_counts,
    pairs_possible,
    read,
    standing,
)
from caltrop.rules.command_horizon.catalogue import switches
from caltrop.rules.command_horizon.odds import after_roll, distribution, expected


def book(edition: str = "current", **rules: Any) -> Book:
    return Book("command-horizon", edition, settle(switches(), {k.replace("__", "."): v for k, v in rules.items()}))


def attack(army: str, kind: str, models: int, target: Target, mode: str = "fire", **fields: Any) -> Attack:
    fields.setdefault("arms", (Arms(kind, models),))
    return Attack(mode=mode, army=army, kind=kind, target=target, **fields)  # type: ignore[arg-type]


def defended(b: Book, a: Attack, hits: Hits) -> Distribution[Ending]:
    """Return the results of every fall of the Defence Dice, by the functions that the engine calls."""
    dice_called = total(defence_dice(b, a, hits.count))

    def ended(roll: Roll) -> Ending:
        return ending(b, a.target, damage(b, a, hits, assign(b, hits, face_counts(roll))))

    return Distribution(every_way(dice_called)).map(ended)


ACTIVE = Target("asori", "command", 1, 0, 0, "active")
CASES: list[tuple[str, Book, Attack]] = [
    ("main table", book(), attack("alliance", "light-tank", 5, Target("asori", "heavy-tank", 2, 1))),
    ("no discards", book(), attack("alliance", "light-tank", 5, Target("alliance", "light-tank", 3, 2, 1))),
    ("slugger", book(), attack("alliance", "light-tank", 2, Target("putredine", "heavy-tank", 2, 1, 1), slugger=True)),
    (
        "infantry near a slugger",
        book(),
        attack("alliance", "infantry", 3, Target("putredine", "carrier", 2), slugger=True),
    ),
    ("drone", book(), attack("asori", "command", 1, ACTIVE)),
    ("drone in v1.5", book("v1.5"), attack("asori", "command", 1, ACTIVE)),
    ("drone out", book("v1.5"), attack("asori", "command", 1, Target("asori", "command", 1, 1, 0, "disabled"))),
    ("drone pair by pair", book(drone__perAttack="yes"), attack("asori", "command", 1, ACTIVE)),
    ("drone pair by pair in v1.5", book("v1.5", drone__perAttack="yes"), attack("asori", "command", 1, ACTIVE)),
    ("any double six", book(drone__doubleSix="any"), attack("asori", "infantry", 2, ACTIVE)),
    (
        "automatic",
        book(overkill__mode="automatic"),
        attack("alliance", "medium-tank", 2, Target("asori", "heavy-tank", 2, 1)),
    ),
    (
        "standard artillery",
        book(),
        attack("alliance", "artillery", 2, Target("putredine", "light-tank", 3, 2), "artillery"),
    ),
    ("two marks", book(), attack("alliance", "artillery", 2, Target("asori", "medium-tank", 2), "artillery", marks=2)),
    (
        "two marks and pairs",
        book(artillery__overkill="yes"),
        attack("alliance", "artillery", 2, Target("asori", "medium-tank", 2), "artillery", marks=2),
    ),
    (
        "three marks and pairs",
        book(artillery__overkill="yes"),
        attack("alliance", "artillery", 2, Target("putredine", "light-tank", 3, 2), "artillery", marks=3),
    ),
    (
        "seeding infantry",
        book(),
        attack("putredine", "artillery", 2, Target("alliance", "infantry", 3, 1), "artillery"),
    ),
    (
        "seeding vehicles",
        book(),
        attack("putredine", "artillery", 2, Target("alliance", "medium-tank", 3), "artillery"),
    ),
    ("rush", book(), attack("asori", "infantry", 2, Target("alliance", "infantry", 3, 1), "charge")),
    ("rush at light tanks", book(), attack("asori", "infantry", 2, Target("alliance", "light-tank", 3, 1), "charge")),
    ("close combat", book(), attack("alliance", "infantry", 4, Target("asori", "infantry", 3, 2), "charge")),
    (
        "close combat stuns",
        book(cc__stuns="table"),
        attack("alliance", "infantry", 4, Target("asori", "infantry", 3, 1), "charge"),
    ),
    ("bites", book(cc__stuns="table"), attack("putredine", "infantry", 5, Target("asori", "infantry", 3, 1), "charge")),
    (
        "mixed squad",
        book(),
        attack(
            "alliance",
            "infantry",
            3,
            Target("asori", "medium-tank", 2),
            arms=(Arms("infantry", 2), Arms("heavy-weapons", 1)),
        ),
    ),
    ("no dice", book(), attack("alliance", "light-tank", 1, Target("asori", "medium-tank", 2, 1), marked=True)),
]


def test_outcomes_are_in_order_and_certain_together() -> None:
    ends = distribution(book(), attack("asori", "heavy-tank", 4, Target("alliance", "heavy-tank", 3), boosts=1))
    assert list(ends) == sorted(ends, key=lambda e: e[:2])
    assert sum(chance for _, chance in ends.items()) == 1
    assert [end.stuns for end in ends if not end.models] == [0]


def test_an_answer_is_kept_for_every_book_with_the_same_rules() -> None:
    a = attack("alliance", "light-tank", 4, Target("asori", "light-tank", 4))
    assert distribution(book(), a) is distribution(book(), a)
    assert distribution(book(overkill__mode="automatic"), a) is not distribution(book(), a)
    models, stuns = expected(book(), a)
    assert models == sum(end.models * chance for end, chance in distribution(book(), a).items())
    assert stuns > 0


def test_what_is_worked_out_with_a_rule_switched_off_is_not_kept() -> None:
    a = attack("alliance", "light-tank", 3, Target("asori", "light-tank", 4))
    usual = distribution(book(), a)
    forget()
    with switched_off("caltrop.rules.command_horizon.attack.reading:the_weakest_stun_is_ignored"):
        other = distribution(book(), a)
    assert other != usual
    assert distribution(book(), a) == usual


@pytest.mark.clause("CH-OVERKILL-03", "Q-OK-1")
def test_the_best_number_of_pairs_is_never_worse_than_any_other() -> None:
    a = attack("asori", "heavy-tank", 3, Target("alliance", "heavy-tank", 3))
    best = expected(book(), a)[0]
    fixed = [expected(book(), a, n)[0] for n in range(5)]
    assert best < min(fixed)
    assert fixed[4] > fixed[0]


@pytest.mark.clause("CH-DEF-02", "CH-DEF-12", "CH-DMG-04")
@pytest.mark.parametrize("models", [1, 2, 4])
def test_kills_of_one_face_agree_with_a_library_of_dice(models: int) -> None:
    # Putredine bites at Alliance infantry have no defence, so the kills are binomially distributed.
    a = attack("putredine", "infantry", models, Target("alliance", "infantry", 6), "charge")
    kills = models @ (icepool.d6 == 6)
    for end, chance in distribution(book(), a).items():
        assert chance == kills.probability(6 - end.models)


@pytest.mark.clause("CH-DEF-02", "CH-DEF-12")
def test_a_whole_attack_agrees_with_a_library_of_dice() -> None:
    """Alliance infantry in close combat: 5s and 6s kill, one Defence Die for each, matched greedily."""

    def standing_kills(sixes: int, fives: int) -> Any:
        def matched(defence: tuple[int, ...]) -> int:
            high, middle = defence.count(6), defence.count(5)
            left = max(0, sixes - high)
            return left + max(0, fives - middle - max(0, high - sixes))

        return icepool.d6.pool(sixes + fives).expand().map(matched)

    rolled = icepool.d6.pool(6).expand().map(lambda roll: (roll.count(6), roll.count(5)), star=False)
    kills = rolled.map(lambda n: standing_kills(n[0], n[1]) if n[0] + n[1] else 0, star=False)
    a = attack("alliance", "infantry", 6, Target("alliance", "infantry", 6), "close-combat")
    for end, chance in distribution(book(), a).items():
        assert chance == kills.probability(6 - end.models)


@pytest.mark.clause("CH-OVERKILL-01", "CH-OVERKILL-02", "CH-DEF-02")
@pytest.mark.parametrize("drone", [None, "active"])
@pytest.mark.parametrize("pairs", [0, 1, 2])
@pytest.mark.parametrize("roll", [(6, 6, 6, 6), (6, 6, 4, 3), (6, 6, 1, 1), (5, 4, 2, 1)])
def test_when_the_dice_have_fallen_only_the_defence_is_left_to_chance(
    roll: tuple[int, ...], pairs: int, drone: Any
) -> None:
    b = book()
    a = attack("alliance", "light-tank", 4, Target(army="asori", kind="medium-tank", models=3, drone=drone))
    counts = [face_counts(roll)]
    hits = standing(b, a, read(b, a, counts, min(pairs, pairs_possible(b, a, counts))))
    assert dict(after_roll(b, a, counts, pairs).items()) == dict(defended(b, a, hits).items())
