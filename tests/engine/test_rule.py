"""Rules with amendments, guards, and numbers that explain themselves."""

from __future__ import annotations

import pickle
from inspect import isfunction
from typing import Any

import pytest

from caltrop.clauses import WATCHED, all_on, counting, switched_off
from caltrop.engine import Book, Switch, decimal, guard, rule, settle


def holder(book: Book, traits: tuple[str, ...]) -> tuple[str, ...]:
    return traits


@rule("R-1", stages=("sum", "halve"), traits=holder)
def dice(book: Book, traits: tuple[str, ...]) -> int:
    return 6


@dice.amended_by("R-3", stage="halve", house={"dice.weary": "halved"})
def weary(value: int, book: Book, traits: tuple[str, ...]) -> int:
    return value // 2


@dice.amended_by("R-2", stage="sum", trait="strong")
def strong(value: int, book: Book, traits: tuple[str, ...]) -> int:
    return value + 3


@dice.amended_by("R-4", stage="sum", edition="old")
def fewer(value: int, book: Book, traits: tuple[str, ...]) -> int:
    return value - 1


@dice.amended_by("R-5", stage="sum", edition="new")
def more(value: int, book: Book, traits: tuple[str, ...]) -> int:
    return value + 1


@rule("R-6", traits=lambda book, *counts: ("strong",))
def summed(book: Book, first: int, second: int = 20) -> int:
    """Add two numbers."""
    return first + second


@summed.amended_by("R-6", trait="strong")
def one_more(value: int, book: Book, first: int, second: int = 20) -> int:
    return value + 1 + first


@pytest.mark.interpreted
def test_a_rule_is_a_function_with_the_parameters_of_its_base() -> None:
    book = Book("r", "plain")
    assert [summed(book, 1), summed(book, 1, 2), summed(book, second=3, first=1)] == [23, 5, 6]
    asked: Any = summed
    assert isfunction(asked)
    assert (asked.__name__, asked.__doc__) == ("summed", "Add two numbers.")
    assert pickle.loads(pickle.dumps(asked)) is asked
    with pytest.raises(TypeError, match="first"):
        asked(book)


def test_amendments_act_by_stage_trait_edition_and_house_rule() -> None:
    assert dice(Book("r", "plain"), ()) == 6
    assert dice(Book("r", "plain"), ("strong",)) == 9
    assert dice(Book("r", "old"), ("strong",)) == 8
    assert dice(Book("r", "new", {"dice.weary": "halved"}), ("strong",)) == 5
    assert dice(Book("r", "new", {"dice.weary": "none"}), ("strong",)) == 10


def test_a_mark_counts_what_changed_something_and_can_be_switched_off() -> None:
    name = f"{__name__}:strong"
    with counting() as fired:
        dice(Book("r", "plain"), ())
        assert name not in fired
        dice(Book("r", "plain"), ("strong",))
        assert fired[name] == 1
        with counting() as inner:
            dice(Book("r", "plain"), ("strong",))
        assert (inner[name], fired[name]) == (1, 1)
        with switched_off(name):
            assert dice(Book("r", "plain"), ("strong",)) == 6
            assert not all_on()
    dice(Book("r", "plain"), ("strong",))
    assert fired[name] == 1
    assert all_on()
    assert not WATCHED


def test_two_amendments_that_would_tie_are_refused() -> None:
    with pytest.raises(ValueError, match="the same stage"):

        @dice.amended_by("R-6", stage="sum", trait="strong")
        def stronger(value: int, book: Book, traits: tuple[str, ...]) -> int:
            return value


def test_an_amendment_names_a_stage_of_its_rule() -> None:
    with pytest.raises(ValueError, match="its stages are sum, halve"):

        @dice.amended_by("R-7", stage="later")
        def later(value: int, book: Book, traits: tuple[str, ...]) -> int:
            return value


FAR = guard("R-8", "far", "It is {gap:cm} away ({gap:inch}), and {limit:cm} is allowed to {name}")


def test_a_guard_says_lengths_in_the_games_own_measure() -> None:
    refusal = FAR.refuses(True, gap=1270, limit=600, name="Ash")
    assert refusal is not None
    assert refusal.message == "It is 12.7 cm away (5 inches), and 6 cm is allowed to Ash"
    assert refusal.values == {"gap": 1270, "limit": 600, "name": "Ash"}
    assert FAR.refuses(False, gap=0, limit=0, name="") is None
    with switched_off(f"{__name__}:far"):
        assert not FAR(True)


BUSY = guard("R-9", "busy", "{name:is} busy, and {name::passes} {name::its} turn")


def test_a_guard_has_verbs_that_agree_with_the_name_of_a_unit() -> None:
    messages = [refusal.message for name in ("Command", "Scouts at C6") if (refusal := BUSY.refuses(True, name=name))]
    assert messages == ["Command is busy, and passes its turn", "Scouts at C6 are busy, and pass their turn"]
    with pytest.raises(ValueError, match="as a length in cm or inch, or with its verb"):
        guard("R-9", "odd", "{name:>10}")


def test_a_length_that_is_shown_is_rounded_up() -> None:
    assert [decimal(n, 100) for n in (0, 1, 100, 999, 1001)] == ["0", "0.01", "1", "9.99", "10.01"]
    assert decimal(255, 254) == "1.01"
    assert decimal(-150, 100) == "-1.5"


SWITCHES = [Switch(name="tie.break", values=("die", "first")), Switch(name="price", values=(2,), min=0, max=5)]


def test_house_rules_have_their_default_or_the_value_chosen() -> None:
    assert settle(SWITCHES, {}) == {"tie.break": "die", "price": 2}
    assert settle(SWITCHES, {"price": "5", "tie.break": "first"}) == {"tie.break": "first", "price": 5}


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"tie.brake": "die"}, "did you mean tie.break"),
        ({"tie.break": "coin"}, "tie.break is die or first; here it is 'coin'"),
        ({"price": 6}, "a whole number from 0 to 5"),
        ({"price": 2.5}, "a whole number from 0 to 5"),
        ({"price": True}, "a whole number from 0 to 5"),
    ],
)
def test_a_house_rule_that_is_not_there_is_refused_with_what_is(chosen: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        settle(SWITCHES, chosen)
