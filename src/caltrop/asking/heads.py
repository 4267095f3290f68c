"""What an answer is about: its kind, the unit that acts, the unit that it is aimed at, and the place that it leads to.

All four follow from what is declared: an `Act` names the unit that acts (`actor`) and the one aimed at (`aim`); any
other action names units in the fields that its decision lists (`about`), or in `unit` and `target`; places are fields
that hold them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from caltrop.asking.acts import Act, Env
from caltrop.asking.declared import read_by
from caltrop.engine import Action, Decision, Options

Point = tuple[int, int]
Get = Callable[[Any, Decision, Options], Any]
"""Gets a unit from an answer, its decision and the options."""


class About(NamedTuple):
    """What an answer is about."""

    kind: type
    """Its class; where one action stands in another, that of the inner one, which says what is done."""
    unit: int | None
    """The unit that acts."""
    target: int | None
    """The unit that it is aimed at."""


def about(answer: Any, asked: Decision, options: Options) -> About:
    """Return what an answer is about.

    Args:
        answer: A legal answer.
        asked: The decision that it answers.
        options: Its options.
    """
    inner_field, unit, target, _ = _plan_of(answer, asked)
    acting, aimed = _unit(unit, answer, asked, options), _unit(target, answer, asked, options)
    if inner_field is None:
        return About(type(answer), acting, aimed)
    inner = about(getattr(answer, inner_field), asked, options)
    return About(inner.kind, inner.unit if acting is None else acting, inner.target if aimed is None else aimed)


def stays(answer: Any, asked: Decision) -> bool:
    """Return whether what an answer is about hangs on the answer and the decision alone, and not on the state."""
    inner, _, _, fixed = _plan_of(answer, asked)
    return fixed and (inner is None or stays(getattr(answer, inner), asked))


def _unit(get: Get | None, answer: Any, asked: Decision, options: Options) -> int | None:
    found = None if get is None else get(answer, asked, options)
    return found if type(found) is int and found >= 0 else None


def _plan_of(answer: Any, asked: Any) -> tuple[str | None, Get | None, Get | None, bool]:
    kind: Any = type(answer)
    question: Any = type(asked)
    return _plan(kind, question)


@lru_cache(maxsize=4096)
def _plan(kind: Any, question: Any) -> tuple[str | None, Get | None, Get | None, bool]:
    """Return the field that holds an inner action, how the units are read, and whether no function reads them."""
    fields = msgspec.structs.fields(kind)
    inner = next((f.name for f in fields if _is_action(f.type)), None)
    if issubclass(kind, Act):
        aim = None if "aim" in kind.__struct_fields__ else kind.aim
        unit = _getter(kind, question, kind.actor, _named(kind, question))
        return inner, unit, _getter(kind, question, aim, None), not (callable(kind.actor) or callable(aim))
    target = _field("target") if "target" in kind.__struct_fields__ else None
    return inner, _named(kind, question), target, True


def _is_action(kind: Any) -> bool:
    parts = getattr(kind, "__args__", (kind,))
    return all(isinstance(part, type) and issubclass(part, Action) for part in parts)


def _field(name: str) -> Get:
    return lambda answer, asked, options: getattr(answer, name)


def _of_decision(name: str) -> Get:
    return lambda answer, asked, options: getattr(asked, name)


def _named(kind: Any, question: Any) -> Get | None:
    """Return how the unit is read that an action names without saying that it is the one that acts."""
    for name in (*question.about, "unit"):
        if name in kind.__struct_fields__:
            return _field(name)
        if name in question.__struct_fields__:
            return _of_decision(name)
    return None


def _getter(kind: Any, question: Any, of: Any, otherwise: Get | None) -> Get | None:
    if of is None:
        return otherwise
    if isinstance(of, str):
        if of in kind.__struct_fields__:
            return _field(of)
        return _of_decision(of) if of in question.__struct_fields__ else otherwise
    names = read_by(of)

    def get(answer: Any, asked: Decision, options: Options) -> Any:
        side, t = getattr(options, "side", asked.side), getattr(options, "t", None)
        env = Env(t=t, side=side, o=options)
        env.act = kind
        for field in kind.__struct_fields__:
            env[field] = getattr(answer, field)
        return of(*[env[name] for name in names])

    return get


def place_of(answer: Any, cells: Mapping[str, Point]) -> Point | None:
    """Return where an answer leads to: the last place of its first way, the first place that it names, or its hex.

    Args:
        answer: The answer.
        cells: The middle of each hex by its name, on a map of hexes.
    """
    kind: Any = type(answer)
    for name in _placing(kind):
        value = getattr(answer, name)
        if type(value) is str:
            found = cells.get(value)
        elif isinstance(value, msgspec.Struct):
            found = place_of(value, cells)
        else:
            found = _end(value)
        if found is not None:
            return found
    return None


@lru_cache(maxsize=1024)
def _placing(kind: Any) -> tuple[str, ...]:
    """Return the fields of an act that hold places, records or words: those in which it may say where it leads to."""
    return tuple(
        [
            field.name
            for field in msgspec.structs.fields(kind)
            if "tuple[int, int]" in str(field.type) or field.type is str or "." in str(field.type)
        ]
    )


def _end(value: Any) -> Point | None:
    """Return the last place of a way, of the first of several ways, or a place itself."""
    if type(value) is not tuple or not value:
        return None
    if len(value) == 2 and type(value[0]) is int and type(value[1]) is int:
        return value[0], value[1]
    if type(value[0]) is int:  # the model, and its way
        return _end(value[-1])
    return _end(value[-1]) if _is_way(value) else _end(value[0])


def _is_way(value: tuple[Any, ...]) -> bool:
    return all(type(one) is tuple and len(one) == 2 and type(one[1]) is int for one in value)
