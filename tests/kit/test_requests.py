"""Checks of every request about an attack, whatever its game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from caltrop import InputError
from caltrop.engine import Refusal
from caltrop.kit.requests import (
    book_of,
    changed_rules,
    dice_given,
    die_given,
    face_given,
    no_dice,
    no_die,
    refused,
    right_number,
    wrong,
)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A request about a duel."""

    ruleset: str = "duel"
    edition: str = "current"
    rules: dict[str, Any] = {}
    dice: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET


class Plain(msgspec.Struct, frozen=True):
    """A request of a game with one edition."""

    ruleset: str = "duel"
    rules: dict[str, Any] = {}


def said(error: pytest.ExceptionInfo[InputError]) -> tuple[str | None, str]:
    return error.value.field, error.value.message


def test_a_book_has_the_edition_and_the_house_rules_of_the_request() -> None:
    book = book_of("duel", Asked(edition="sharp", rules={"parry.price": 2}))
    assert (book.ruleset, book.edition, book.rules["parry.price"]) == ("duel", "sharp", 2)
    assert changed_rules(book) == {"parry.price": 2}
    # The first edition and the defaults are used unless the request names others.
    book = book_of("duel", Plain())
    assert (book.edition, changed_rules(book)) == ("current", {})


@pytest.mark.parametrize(
    ("request_", "field", "message"),
    [
        (Asked(ruleset="dual"), "ruleset", "this is a request for 'dual'; it was sent to 'duel'"),
        (Asked(edition="sharpe"), "edition", "there is no edition 'sharpe'; did you mean 'sharp'?"),
        (Asked(rules={"parry.prise": 1}), "rules", "there is no house rule 'parry.prise'; did you mean parry.price?"),
        (
            Asked(rules={"parry.price": 1.5}),
            "rules.parry.price",
            "the value of a house rule is text or a whole number; this one is 1.5",
        ),
        (
            Asked(rules={"parry.price": True}),
            "rules.parry.price",
            "the value of a house rule is text or a whole number; this one is True",
        ),
        (
            Asked(rules={"bid.tie": "coin"}),
            "rules",
            "bid.tie is die or first-side; here it is 'coin'",
        ),
    ],
)
def test_what_a_book_cannot_be_made_of_is_named(request_: Asked, field: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        book_of("duel", request_)
    assert said(error) == (field, message)


def test_a_refusal_of_the_rules_is_an_error_at_a_field() -> None:
    refused(None, "boost")
    refusal = Refusal(code="x", clause="DU-STRIKE-01", message="it is too far away")
    with pytest.raises(InputError) as error:
        refused(refusal, "target.at")
    assert said(error) == ("target.at", "it is too far away (DU-STRIKE-01)")
    with pytest.raises(InputError) as error:
        refused(refusal, "boost", "false")
    assert said(error) == ("boost", "it is too far away (DU-STRIKE-01); the nearest right value is false")
    assert (wrong("a.b", "no").field, wrong("a.b", "no").message) == ("a.b", "no")


def test_odds_are_asked_without_dice() -> None:
    no_dice(Asked().dice)
    no_dice(None)
    with pytest.raises(InputError) as error:
        no_dice(Asked(dice=(1,)).dice)
    assert said(error) == ("dice", "odds are worked out before dice are rolled: leave it out")


@pytest.mark.parametrize(("face", "nearest"), [(0, 1), (-3, 1), (7, 6)])
def test_a_die_has_its_faces_and_no_others(face: int, nearest: int) -> None:
    assert [face_given(n, "dice.attack") for n in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(InputError) as error:
        face_given(face, "dice.attack")
    assert said(error) == ("dice.attack", f"a die shows 1 to 6; this one shows {face}, and the nearest is {nearest}")


def test_a_clause_may_say_which_faces_a_die_has() -> None:
    assert face_given(8, "dice.d", faces=(1, 8)) == 8
    with pytest.raises(
        InputError, match=r"a die shows 1 to 8 \(DU-STRIKE-02\); this one shows 9, and the nearest is 8"
    ):
        face_given(9, "dice.d", "DU-STRIKE-02", (1, 8))


def test_as_many_dice_are_given_as_are_called_for() -> None:
    dice_given((1, 6), 2, "attack", "attack die", "two models")
    right_number(("V", "T"), 2, "dice.battle", "battle die", "two models")
    with pytest.raises(InputError) as error:
        dice_given((1, 6), 3, "attack", "attack die", "three models")
    assert said(error) == ("dice.attack", "3 attack dice are called for; this roll has 2: three models")
    with pytest.raises(InputError) as error:
        right_number((), 1, "dice.shields", "shield die", "a hit")
    assert said(error) == ("dice.shields", "1 shield die is called for; this roll has 0: a hit")
    with pytest.raises(InputError) as error:
        dice_given((1, 9), 3, "attack", "attack die", "three models")
    assert said(error)[0] == "dice.attack[1]"


def test_a_single_die_is_given_exactly_where_it_is_called_for() -> None:
    no_die(None, "morale", "nobody was hit")
    assert die_given(4, "morale", "somebody was hit") == 4
    with pytest.raises(InputError) as error:
        no_die(4, "morale", "nobody was hit")
    assert said(error) == ("dice.morale", "this die is not needed: nobody was hit; leave it out")
    with pytest.raises(InputError) as error:
        die_given(None, "morale", "somebody was hit")
    assert said(error) == ("dice.morale", "this die is needed, and missing: somebody was hit")
    with pytest.raises(InputError, match=r"dice\.morale: a die shows 1 to 6 \(DU-STRIKE-02\); this one shows 7"):
        die_given(7, "morale", "somebody was hit", "DU-STRIKE-02")
