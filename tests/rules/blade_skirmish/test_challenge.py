"""Quality challenges and tests: totals, winners, chances (BS-QUA, BS-CMB-04 to BS-CMB-07)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from caltrop.engine import Book, total
from caltrop.engine.rule import HouseValue
from caltrop.rules.blade_skirmish.challenge import (
    QualityTest,
    QualityTested,
    a_tie_is,
    adds_to_a_test,
    attacker_adds,
    chance_to_pass,
    chance_to_win,
    defender_adds,
    endings,
    passes,
    winner,
)
from caltrop.rules.blade_skirmish.rulebook import ruleset
from caltrop.rules.blade_skirmish.scene import done, put, run, scene
from tests.rules.blade_skirmish.fights import now

BOOK = ruleset.book(None, None)


def book(**rules: HouseValue) -> Book:
    return ruleset.book(None, rules)


# --- tests ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-QUA-01", "BS-QUA-04", "BS-QUA-05", "BS-W01")
@pytest.mark.parametrize(("die", "passed"), [(4, True), (3, False)])
def test_a_total_of_seven_passes_a_quality_test_and_six_fails_it(die: int, passed: bool) -> None:
    assert passes(BOOK, die + total(adds_to_a_test(BOOK, 3))) is passed


@pytest.mark.clause("BS-QUA-04", "BS-Q11", "BS-W02")
@pytest.mark.parametrize("quality", range(7))
def test_a_quality_test_is_passed_on_as_many_faces_as_the_quality_says(quality: int) -> None:
    assert chance_to_pass(BOOK, quality) == Fraction(quality, 6)


@pytest.mark.clause("BS-QUA-04", "BS-QUA-05", "BS-DIC-01", "BS-DIC-03")
@pytest.mark.parametrize(("die", "passed"), [(5, True), (4, False)])
def test_the_test_of_a_fighter_is_thrown_by_her_side_and_told(die: int, passed: bool) -> None:
    match = run(scene(put(1, 2, 12, 12, name="Ash")), QualityTest(fighter=0, words="to stand firm"), (die,))
    done(match)
    rolled, words = match.opening
    assert (rolled.side, rolled.why[0]) == (1, "BS-QUA-04")  # type: ignore[attr-defined]
    assert isinstance(words, QualityTested)
    results = "passes" if passed else "fails"
    assert words.sentence(now(match)) == f"Ash {results} a quality test to stand firm: {die} + 2 = {die + 2}"
    reading = words.reading(now(match))
    assert [(one.got, one.expected, one.side) for one in reading.tallies] == [(passed, "1/3", 1)]
    assert [(term.value, term.clause) for term in reading.terms] == [(2, "BS-QUA-04")]


# --- challenges -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BS-QUA-02", "BS-QUA-03", "BS-CMB-04", "BS-CMB-06", "BS-CMB-07", "BS-W03", "BS-W04", "BS-W05")
@pytest.mark.parametrize(
    ("attacker", "die", "flanking", "defender", "against", "won"),
    [
        (2, 5, False, 3, 3, "attacker"),
        (2, 4, False, 3, 3, None),
        (1, 3, True, 2, 3, "attacker"),
        (1, 3, False, 2, 3, "defender"),
        (1, 6, False, 6, 1, None),
        (1, 6, False, 6, 2, "defender"),
    ],
)
def test_the_higher_total_wins(
    attacker: int, die: int, flanking: bool, defender: int, against: int, won: str | None
) -> None:
    mine, hers = attacker_adds(BOOK, attacker, flanking), defender_adds(BOOK, defender)
    assert winner(BOOK, die + total(mine), against + total(hers)) == won
    assert [term.clause for term in mine] == ["BS-QUA-02", *(["BS-CMB-05"] if flanking else [])]


@pytest.mark.clause("BS-CMB-04", "BS-CMB-05", "BS-W06")
@pytest.mark.parametrize(("more", "ways"), [(-2, 6), (-1, 10), (0, 15), (1, 21), (2, 26), (3, 30)])
def test_chances_to_win_by_the_difference_of_qualities(more: int, ways: int) -> None:
    for defender in range(1, 7):
        if 1 <= defender + more <= 6:
            assert chance_to_win(BOOK, defender + more, defender, False) == Fraction(ways, 36)
            if more >= 0 and defender + more > 2:
                assert chance_to_win(BOOK, defender + more - 2, defender, True) == Fraction(ways, 36)


@pytest.mark.clause("BS-Q10")
@pytest.mark.house("challenge_tie", "hold", "reroll", "clash")
def test_what_a_tie_comes_to() -> None:
    assert [a_tie_is(book(challenge_tie=value)) for value in ("hold", "reroll", "clash")] == ["hold", "reroll", "clash"]
    assert endings(BOOK, 2, 2, False)[None] == Fraction(1, 6)
    again = endings(book(challenge_tie="reroll"), 2, 2, False)
    assert (again["attacker"], again[None]) == (Fraction(1, 2), Fraction(0))
    assert endings(book(challenge_tie="clash"), 2, 2, False)[None] == Fraction(1, 6)
