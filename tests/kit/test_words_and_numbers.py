"""Numbers, names and sums in the words that every game uses."""

from __future__ import annotations

from fractions import Fraction

import pytest

from caltrop.engine import Term
from caltrop.kit.numbers import binomial, fraction, made_of, reasons, stat, tally
from caltrop.kit.words import behind, in_front, listed, names_told_apart, ordinal, put_to, tell_apart

DICE = (Term(3, "DU-STRIKE-02", "A strike"), Term(-1, "DU-STRIKE-03", "Sharp blades"))


def test_ordinals_go_by_the_last_digit_except_from_11_to_13() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 10)] == ["1st", "2nd", "3rd", "4th", "10th"]
    assert [ordinal(n) for n in (11, 12, 13, 111, 112, 113)] == ["11th", "12th", "13th", "111th", "112th", "113th"]
    assert [ordinal(n) for n in (21, 102, 33)] == ["21st", "102nd", "33rd"]


def test_only_what_has_one_name_with_others_is_numbered() -> None:
    assert tell_apart(["A", "B", "A", "A"]) == ["A 1", "B", "A 2", "A 3"]
    assert tell_apart(["A", "B", "A"], in_front) == ["1st A", "B", "2nd A"]
    assert tell_apart([]) == []
    assert (behind("A", 2), in_front("A", 2)) == ("A 2", "2nd A")


def test_units_that_both_sides_have_are_told_with_their_side() -> None:
    units = ((0, "Scouts"), (1, "Scouts"), (1, "Tank"), (0, "Scouts"))
    assert names_told_apart(units, ("South", "North")) == ("South Scouts", "North Scouts", "Tank", "South Scouts")
    assert names_told_apart(units[1:3], ("South", "North")) == ("Scouts", "Tank")
    assert names_told_apart(units[:2], ("Reds", "Blues"), "{name} of {side}") == ("Scouts of Reds", "Scouts of Blues")


def test_a_list_has_and_before_its_last_name() -> None:
    assert [listed(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_a_question_names_its_side_once() -> None:
    assert put_to("Ash", "Choose") == "Ash: Choose"
    assert put_to("Ash", "Ash may parry") == "Ash may parry"


def test_a_sum_is_shown_with_its_clauses() -> None:
    assert [(r.value, r.clause, r.words) for r in reasons(DICE)] == [(t.value, t.clause, t.words) for t in DICE]
    shown = stat("To hit", DICE)
    assert (shown.label, shown.value, shown.because) == ("To hit", "2", reasons(DICE))
    assert stat("Dice", ()).value == "0"
    assert made_of(DICE) == "A strike (DU-STRIKE-02): +3; Sharp blades (DU-STRIKE-03): -1"


@pytest.mark.parametrize(("chance", "words"), [(Fraction(4, 6), "2/3"), (Fraction(0), "0/1"), (Fraction(1), "1/1")])
def test_a_chance_is_a_fraction_in_lowest_terms(chance: Fraction, words: str) -> None:
    assert fraction(chance) == words


def test_a_tally_sets_what_was_got_beside_what_was_to_be_expected() -> None:
    one = tally(1, "hits", True, binomial(3, Fraction(1, 2)))
    assert (one.side, one.label, one.expected, one.mean) == (1, "hits", "3/2", 1.5)
    assert one.chances == (0.125, 0.375, 0.375, 0.125)
    assert tally(0, "checks passed", 1, Fraction(1, 4)).chances == (0.75, 0.25)
    # Passed and failed tests are counted.
    assert one.got == 1
    assert type(one.got) is int
