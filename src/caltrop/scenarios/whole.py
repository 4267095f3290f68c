"""Compute the odds of a whole act outside a game, from a position and an act in the notation of rulings.

A request has a `scene` and lines of `play`; the last line is the act itself. The answer has the outcome for every unit,
first if nobody interrupts, then if every unit that may interrupt does so.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import msgspec

from caltrop.engine import referee_of, ruleset, rulesets
from caltrop.engine.forecast import Forecast
from caltrop.errors import InputError
from caltrop.roster import converted, nearest, read_yaml


class ActRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    ruleset: str
    edition: str | msgspec.UnsetType = msgspec.UNSET
    rules: dict[str, Any] = {}
    """House rules that differ from their defaults."""
    scene: dict[str, Any]
    """The position, in the form of a ruling's scene."""
    play: list[dict[str, Any]]
    """Lines of play, as in a ruling. The first line starts a step, and the last line is the act."""


class UnitOdds(msgspec.Struct, frozen=True, kw_only=True):
    unit: str
    outcomes: tuple[dict[str, Any], ...]
    """Outcomes with their values, their `words`, their `probability` as a fraction, and `p`, the rounded
    probability."""


class ActOdds(msgspec.Struct, frozen=True, kw_only=True):
    """The outcomes for all units that an act may change, for one reply of the other side."""

    about: str
    """Description of the reply; empty if the other side is not asked."""
    exact: bool
    headline: str
    """Sentence on the units that may be lost and the side that holds the place."""
    units: tuple[UnitOdds, ...]
    note: str
    """Sentence on the error of an estimate; empty if all chances are exact."""


class WholeOdds(msgspec.Struct, frozen=True, kw_only=True):
    exact: bool
    """True if no chance is an estimate."""
    acts: tuple[ActOdds, ...]


def odds_of(raw: Any) -> dict[str, Any]:
    """Return the odds of a request: of an attack, of several in order, or of a whole act in a scene.

    Raises InputError for a request that cannot be read or is illegal.

    Args:
        raw: The request, as plain data.
    """
    if not isinstance(raw, Mapping):
        return referee_of(raw).odds(raw)
    plain = msgspec.to_builtins(dict(raw))
    if "scene" not in plain:
        _refuse_near_misses(plain)
        return referee_of(plain).odds(plain)
    answer: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(whole_odds(plain)))
    return answer


def _refuse_near_misses(plain: Mapping[str, Any]) -> None:
    """Raise InputError for a request whose key for a scene or a sequence is missing or misspelt."""
    if "play" in plain:
        raise InputError("this key is missing: a whole act has `scene` and `play`", field="scene")
    for key in plain if "sequence" not in plain else ():
        near = get_close_matches(str(key), ("scene", "sequence"), 1, 0.7)
        if near:
            raise InputError(f"there is no such key; did you mean {near[0]!r}?", field=str(key))


def whole_odds(raw: Any) -> WholeOdds:
    """Return the odds of a whole act.

    Raises InputError for an unreadable request, and for an act that is illegal or involves no chance.

    Args:
        raw: An `ActRequest`, as plain data.
    """
    request = converted(raw, ActRequest)
    if request.ruleset not in rulesets():
        raise InputError(
            f"there is no game {request.ruleset[:60]!r}; {nearest(request.ruleset, rulesets())}", field="ruleset"
        )
    game = ruleset(request.ruleset)
    tell, rulings = game.parts.whole_acts, game.rulings
    if tell is None or rulings is None:
        raise InputError(f"{game.name} has no odds of whole acts", field="ruleset")
    if not request.play:
        raise InputError("the last line is the act: there is none", field="play")
    try:
        match, decision, action = rulings.act(rulings.read(_ruling(request)))
    except InputError as error:
        field = (error.field or "").replace("cases[0].", "").replace("editions[0]", "edition")
        raise InputError(error.message, field=field or None) from None
    forecasts = tell(match.view(decision.side), decision.side, action)
    if not forecasts:
        raise InputError("nothing in this act is left to chance", field=f"play[{len(request.play) - 1}]")
    names = list(request.scene.get("units", {}))
    acts = tuple([_act(one, names) for one in forecasts])
    return WholeOdds(exact=all(one.exact for one in acts), acts=acts)


def _ruling(request: ActRequest) -> str:
    head: dict[str, Any] = {
        "ruleset": request.ruleset,
        "id": "request",
        "title": "A whole act",
        "question": "What happens to all units?",
        "clauses": [],
        "rules": request.rules,
        "scene": request.scene,
        "cases": [{"play": request.play}],
    }
    if not isinstance(request.edition, msgspec.UnsetType):
        head["editions"] = [request.edition]
    return msgspec.json.encode(head).decode()


def _act(forecast: Forecast, names: list[str]) -> ActOdds:
    units = []
    for one in (forecast, *forecast.also):
        unit = -1 if one.target is None else one.target
        name = names[unit] if 0 <= unit < len(names) else f"unit {unit}"
        outcomes = [
            {**end.parts, "words": end.words, "probability": end.probability, "p": end.p}
            | ({} if end.between is None else {"between": end.between})
            for end in one.outcomes
        ]
        units.append(UnitOdds(unit=name, outcomes=tuple(outcomes)))
    return ActOdds(
        about=forecast.about,
        exact=forecast.exact,
        headline=forecast.headline,
        units=tuple(units),
        note=forecast.note,
    )


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An example of a whole act."""

    title: str
    rules: dict[str, Any] = {}
    scene: dict[str, Any]
    play: list[dict[str, Any]]


class ExampleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Examples of whole acts that a game provides, for the page of odds."""

    examples: tuple[Example, ...] = ()


def examples(name: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    game = ruleset(name)
    file = game.data / "whole_acts.yaml"
    if game.parts.whole_acts is None or not file.exists():
        return ()
    requests = []
    for one in read_yaml(file, ExampleFile).value.examples:
        rules = {"rules": one.rules} if one.rules else {}
        requests.append((one.title, {"ruleset": name, **rules, "scene": one.scene, "play": one.play}))
    return tuple(requests)
