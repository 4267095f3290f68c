"""Request forms are made from a ruleset's data and from the function that reads its requests."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from caltrop import InputError
from caltrop.engine import Term
from caltrop.engine.form import Choice, DiceSum, Form, Given, form_of, form_of_type


def read(raw: dict[str, Any]) -> int:
    """Read a request with two archers, who may have no shields. A rest is allowed only for an archer who aims."""
    if raw.get("aims") not in (True, False):
        raise InputError("it aims, or not", field="aims")
    if raw.get("rest") is not None and not raw["aims"]:
        raise InputError("only who aims has a rest", field="rest")
    if raw["archer"].get("shield"):
        raise InputError("an archer has no shield", field="archer.shield")
    return 2 if raw["aims"] else 1


def form(raw: dict[str, Any]) -> Form:
    return form_of(
        raw,
        read,
        start={"aims": True, "archer": {"name": "A"}},
        words={"aims": "It aims"},
        outcomes={},
        choices={"archer.name": (Choice(value="A", words="Ann"),)},
        ranges={},
        sometimes={"rest": "fork", "archer.shield": True, "archer.name": "A"},
        dice=lambda form: (DiceSum(words=f"{form} dice", parts=(Term(form, "X-1", "aim"),)),),
    )


def test_fields_that_the_rules_refuse_are_idle() -> None:
    assert form({"aims": True, "archer": {}}).idle == ("archer.shield",)
    assert form({"aims": False, "archer": {}}).idle == ("rest", "archer.shield")


def test_the_dice_are_those_of_the_request() -> None:
    assert [one.words for one in form({"aims": False, "archer": {}}).dice] == ["1 dice"]


def test_a_request_that_is_not_in_order_has_its_choices_and_neither_dice_nor_idle_fields() -> None:
    result = form({"archer": {}})
    assert (result.idle, result.dice) == ((), ())
    assert result.choices["archer.name"][0].words == "Ann"
    assert result.start["aims"] is True


def test_trying_a_field_leaves_the_request_alone() -> None:
    raw = {"aims": True, "archer": {"name": "A"}}
    form(raw)
    assert raw == {"aims": True, "archer": {"name": "A"}}


class Who(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a request."""

    name: Annotated[str, Given(values=("ash", "elm"), start="elm")]
    count: Annotated[int, Given("How many", (1, 9), 4)]
    brave: Annotated[bool, Given(tried=True)] = False


class Walked(msgspec.Struct, frozen=True, kw_only=True):
    """A request."""

    mode: Literal["walk"]
    cover: Literal["none", "soft"] = "none"
    who: Who


def test_the_type_of_a_request_says_what_its_form_is() -> None:
    form, sometimes = form_of_type(Walked)
    assert form.start == {"mode": "walk", "who": {"name": "elm", "count": 4}}
    assert form.words == {"who.count": "How many"}
    assert form.ranges == {"who.count": (1, 9)}
    assert {field: [one.value for one in choices] for field, choices in form.choices.items()} == {
        "cover": ["none", "soft"],
        "who.name": ["ash", "elm"],
    }
    assert sometimes == {"who.brave": True}
    msgspec.convert(form.start, Walked)


def test_what_is_said_beside_the_type_goes_before_it() -> None:
    form = form_of({}, read_nothing, request=Walked, words={"who.count": "Number"}, outcomes={}, dice=lambda asked: ())
    assert form.words == {"who.count": "Number"}


def read_nothing(raw: dict[str, Any]) -> Any:
    """Raise an error for every request."""
    raise InputError("it is not in order", field="mode")
