"""Laws for the parts of every ruleset in the registry. This module contains no game."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from caltrop import InputError
from caltrop.chance import Seeded
from caltrop.engine import Decision, Ruleset, State, redacted, ruleset, stored
from caltrop.engine.forecast import Forecast
from caltrop.wire.schemas import schema
from tests.laws.games import NAMES, Game

ACTS = 120
"""Number of acts of a game to check."""


class Look(msgspec.Struct):
    """A decision of a random game, as its side sees it."""

    rules: Ruleset
    view: State
    decision: Decision
    actions: list[Any]


@pytest.fixture(name="looks")
def looks_of(game: Game) -> list[Look]:
    """Return the decisions at the beginning of a game, each with some of its options."""
    dice = Seeded("choices")
    looks: list[Look] = []
    for point in game.match.history[:ACTS]:
        decision = next(asked for asked in point.state.asked if asked.side == point.side)
        view = redacted(point.state, point.side)
        options = decision.options(view)
        looks.append(Look(game.rules, view, decision, [options.first(), options.sample(dice), point.action]))
    return looks


def every(forecast: Forecast) -> list[Forecast]:
    """Return a forecast together with those of reactions, and of other targets of the same act."""
    return [forecast, *forecast.answers, *forecast.also]


def test_a_forecast_is_whole_and_equals_the_odds_of_its_request(looks: list[Look]) -> None:
    foresee, referee = looks[0].rules.forecasts, looks[0].rules.referee
    if foresee is None:
        pytest.skip("nothing is foreseen in it")
    asked: set[bytes] = set()
    for look in looks:
        before = stored(look.view)
        for action in look.actions:
            result = foresee(look.view, look.decision.side, action, look.decision)
            for one in [] if result is None else every(result):
                assert msgspec.json.decode(msgspec.json.encode(one), type=Forecast) == one
                chances = [Fraction(outcome.probability) for outcome in one.outcomes]
                assert not chances or sum(chances) == 1
                assert all(chance > 0 for chance in chances)
                assert all(outcome.words for outcome in one.outcomes)
                assert all(term.clause for thrown in one.thrown for term in thrown.parts)
                if one.request is None or msgspec.json.encode(one.request) in asked:
                    continue
                asked.add(msgspec.json.encode(one.request))
                assert referee is not None, "a request that nobody can be asked"
                odds = referee.odds(msgspec.json.decode(msgspec.json.encode(one.request)))
                assert odds["exact"] == one.exact
                assert in_order(odds["outcomes"]) == in_order(
                    [{**outcome.parts, "probability": outcome.probability} for outcome in one.outcomes]
                )
            assert all(answer.about for answer in ([] if result is None else result.answers))
        assert stored(look.view) == before, "looking ahead has changed the state"


def in_order(outcomes: list[dict[str, Any]]) -> list[str]:
    """Return outcomes without the rounded chance, in a fixed order."""
    return sorted(repr(sorted((key, value) for key, value in one.items() if key != "p")) for one in outcomes)


def test_what_is_refused_is_not_foreseen(looks: list[Look]) -> None:
    foresee = looks[0].rules.forecasts
    if foresee is None:
        pytest.skip("nothing is foreseen in it")
    foreign = [look.actions[0] for look in looks[::10]]
    for look in looks[::5]:
        for action in foreign:
            if look.decision.options(look.view).refusal(action) is not None:
                assert foresee(look.view, look.decision.side, action, look.decision) is None


def test_sight_says_what_each_unit_sees_and_is_symmetric_where_that_is_claimed(looks: list[Look]) -> None:
    rules = looks[0].rules
    if rules.sights is None:
        pytest.skip("nothing is seen in it")
    pieces_seen = 0
    for look in (looks[0], looks[len(looks) // 2], looks[-1]):
        sees = {}
        units = [group.id for group in rules.depict(look.view, look.decision.side).groups if group.pieces]
        for unit in units:
            for one in rules.sights.see(look.view, unit):
                assert one.words
                assert one.unit == unit
                assert one.seen == any(piece.seen for piece in one.pieces)
                sees[unit, one.target] = one.seen
                pieces_seen += 1
        if rules.sights.symmetric:
            assert {pair: sees[pair[::-1]] for pair in sees} == sees
        assert rules.sights.see(look.view, 10_000) == ()
    assert pieces_seen or not any(group.pieces for group in rules.depict(looks[-1].view, None).groups)


def test_why_a_unit_cannot_attack_is_a_rule_in_words(looks: list[Look]) -> None:
    """The question is asked of every unit and enemy, on the table and off it, and changes nothing."""
    why = looks[0].rules.why_no_attack
    if why is None:
        pytest.skip("nobody attacks in it")
    refusals = 0
    for look in (looks[0], looks[len(looks) // 2], looks[-1]):
        before, side = stored(look.view), look.decision.side
        groups = look.rules.depict(look.view, side).groups
        for own in (group.id for group in groups if group.side == side):
            for target in (group.id for group in groups if group.side != side):
                refusal = why(look.view, own, target)
                assert refusal is None or (refusal.clause and refusal.message)
                refusals += refusal is not None
        assert stored(look.view) == before
    assert refusals


@pytest.mark.parametrize("name", NAMES)
def test_a_referee_has_its_schemas_and_its_form_begins_with_an_attack(name: str) -> None:
    referee = ruleset(name).referee
    if referee is None:
        pytest.skip("its attacks cannot be asked about")
    for what in ("attack", "resolve", "odds"):
        assert schema(what, name)["title"] == f"caltrop {what}"
    with pytest.raises(InputError):
        referee.resolve({"ruleset": name})
    with pytest.raises(InputError):
        referee.odds({"ruleset": name})
    if referee.form is not None:
        start = dict(referee.form({"ruleset": name}).start)
        odds = referee.odds(start)
        assert sum(Fraction(one["probability"]) for one in odds["outcomes"]) == 1
        assert msgspec.convert(odds, referee.chances)
        assert referee.form(start).dice


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("part", ["scenario_files", "army_lists"])
def test_files_of_authors_have_a_schema_and_are_checked(name: str, part: str, tmp_path: Any) -> None:
    files = getattr(ruleset(name), part)
    if files is None:
        pytest.skip("it has none")
    assert schema({"scenario_files": "scenario", "army_lists": "army"}[part], name)
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(f"ruleset: {name}\nnonsense: 1\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        files.check(wrong)
    assert error.value.source == str(wrong)
    assert error.value.line
