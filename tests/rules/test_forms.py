"""Laws of the attack form of every ruleset that has one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from caltrop import InputError
from caltrop.engine import ruleset, rulesets, total
from caltrop.engine.form import Form
from tests.rules.forms import changed_request


def has_form(name: str) -> bool:
    referee = ruleset(name).referee
    return referee is not None and referee.form is not None


GAMES = [name for name in rulesets() if has_form(name)]


def part(game: str, name: str) -> Callable[..., Any]:
    result: Callable[..., Any] = getattr(ruleset(game).referee, name)
    return result


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def empty(game: str) -> Form:
    form: Form = part(game, "form")({"ruleset": game})
    return form


def test_games_have_forms() -> None:
    assert {"command-horizon", "hex-command"} <= set(GAMES)


def test_the_attack_to_begin_with_has_odds_and_tells_its_dice(game: str) -> None:
    start = empty(game).start
    assert sum(outcome["p"] for outcome in part(game, "odds")(start)["outcomes"]) == pytest.approx(1)
    dice = part(game, "form")(start).dice
    assert total(dice[0].parts) > 0
    assert all(one.words and term.clause for one in dice for term in one.parts)


def test_every_part_of_an_outcome_has_words(game: str) -> None:
    result = empty(game)
    for outcome in part(game, "odds")(result.start)["outcomes"]:
        assert set(outcome) - {"p", "probability"} <= set(result.outcomes)


def test_a_request_that_is_not_in_order_still_gets_its_choices(game: str) -> None:
    form, first = part(game, "form"), empty(game)
    assert first.choices
    astray: tuple[dict[str, Any], ...] = (
        {"attacker": 7, "target": None, "edition": []},
        {"attacker": {"kind": [], "army": {}, "class": [], "models": "many"}},
        changed_request(first.start, no_such_field=1),
    )
    for raw in astray:
        result = form({"ruleset": game, **raw})
        assert (result.dice, result.idle) == ((), ())
        assert set(first.choices) <= set(result.choices)


def test_what_the_form_names_is_a_field_that_requests_have(game: str) -> None:
    form = part(game, "form")
    result = form(empty(game).start)
    named = {*result.words, *result.choices, *result.ranges, *result.idle}
    for field in sorted(named):
        with pytest.raises(InputError) as error:
            part(game, "odds")(changed_request(result.start, **{field.replace(".", "__"): {"no": "value"}}))
        assert error.value.field == field


def test_every_choice_that_is_offered_can_be_read(game: str) -> None:
    form = part(game, "form")
    start = empty(game).start
    for field, choices in form(start).choices.items():
        assert len({one.value for one in choices}) == len(choices)
        for one in choices:
            assert one.words
            again = form(changed_request(start, **{field.replace(".", "__"): one.value}))
            assert one.value in [other.value for other in again.choices[field]], (field, one.value)
