"""The subject of an answer: its kind, the acting unit, its target, and its place.

All four parts of the subject follow from declarations. An `Act` names the acting unit (`actor`) and the target (`aim`).
Any other action names units in the fields that its decision lists (`about`), or in `unit` and `target`; fields that
hold places are its places. `Heads` lets an answer be chosen by these one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from caltrop.asking.acts import Act, Choices, Env
from caltrop.asking.declared import shape_of
from caltrop.chance import Dice
from caltrop.engine import Action, Decision, Options
from caltrop.parameters import read_by

Point = tuple[int, int]
Get = Callable[[Any, Decision, Options], Any]
"""Gets a unit from an answer, its decision and the options."""


class About(NamedTuple):
    """The subject of an answer."""

    kind: type
    """Class of the answer; for an action inside another one, the class of the inner action."""
    unit: int | None
    target: int | None
    """The unit that the answer is aimed at."""


def about(answer: Any, asked: Decision, options: Options) -> About:
    inner_field, unit, target, _ = _plan_of(answer, asked)
    acting, aimed = _unit(unit, answer, asked, options), _unit(target, answer, asked, options)
    if inner_field is None:
        return About(type(answer), acting, aimed)
    inner = about(getattr(answer, inner_field), asked, options)
    return About(inner.kind, inner.unit if acting is None else acting, inner.target if aimed is None else aimed)


def stays(answer: Any, asked: Decision) -> bool:
    """Return whether the subject of an answer depends only on the answer and the decision, independent of the state."""
    inner, _, _, fixed = _plan_of(answer, asked)
    return fixed and (inner is None or stays(getattr(answer, inner), asked))


def _unit(get: Get | None, answer: Any, asked: Decision, options: Options) -> int | None:
    unit = None if get is None else get(answer, asked, options)
    return unit if type(unit) is int and unit >= 0 else None


def _plan_of(answer: Any, asked: Any) -> tuple[str | None, Get | None, Get | None, bool]:
    kind: Any = type(answer)
    question: Any = type(asked)
    return _plan(kind, question)


@lru_cache(maxsize=4096)
def _plan(kind: Any, question: Any) -> tuple[str | None, Get | None, Get | None, bool]:
    """Return the field with the inner action, the plan for reading the units, and whether the plan uses fields
    alone.
    """
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
    """Return how to read the unit that an action names without naming an actor."""
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


LONGEST = 1024
"""Largest number of answers read of a long listing."""
OPEN = 128
"""Largest number of answers read from the listing of an open choice."""

Groups = dict[About, list[Any]]
"""Answers by their subject."""


class Heads:
    """The answers to a question, chosen head by head: a kind, a unit that acts, a target, and one of a few answers.

    An open choice is too large to list: its units and targets come from a sample, and the last head offers a few random
    answers. Every offered answer is legal.

    Args:
        dice: Returns the dice for one of the purposes of a random draw.
        draws: The most answers at the last head.
    """

    def __init__(self, asked: Decision, options: Options, dice: Callable[..., Dice], draws: int) -> None:
        self.asked, self.options, self.dice, self.draws = asked, options, dice, draws
        self._groups: dict[Any, Groups] = {}

    @cached_property
    def kinds(self) -> tuple[type, ...]:
        o = self.options
        if isinstance(o, Choices) and not o.finite:
            kinds = [kind for kind in o.acts if kind.some(o)]
            if kinds and not any(_holds_another(kind) for kind in kinds):
                return tuple(kinds)
        return tuple(dict.fromkeys([one.kind for one in self._every]))

    def units(self, kind: type) -> tuple[int | None, ...]:
        actor = self._actor(kind)
        if actor:
            return tuple([unit for unit in self._listed(kind, actor) if self._some(kind, actor, unit)])
        return tuple(dict.fromkeys([one.unit for one in self._of(kind) if one.kind is kind]))

    def targets(self, kind: type, unit: int | None) -> tuple[int | None, ...]:
        """Return the possible targets of an act; None stands for acts without a target."""
        groups = self._of(kind, unit)
        return tuple(dict.fromkeys([one.target for one in groups if one.kind is kind and one.unit == unit]))

    def answers(self, kind: type, unit: int | None, target: int | None) -> tuple[Any, ...]:
        """Return a few legal answers of a kind by a unit at a target, in an order decided by the dice."""
        every = self._of(kind, unit)[About(kind, unit, target)]
        if len(every) <= self.draws:
            return tuple(every)
        dice, left = self.dice(kind.__name__, unit, target), list(every)
        return tuple([left.pop(dice.below(len(left))) for _ in range(self.draws)])

    @cached_property
    def _every(self) -> Groups:
        o = self.options
        if o.finite:
            return self._grouped(islice(o, LONGEST))
        dice = self.dice("every")
        return self._grouped([*islice(o, OPEN), *[o.sample(dice) for _ in range(self.draws)]])

    def _grouped(self, answers: Iterable[Any]) -> Groups:
        groups: Groups = {}
        for answer in dict.fromkeys(answers):
            groups.setdefault(about(answer, self.asked, self.options), []).append(answer)
        return groups

    def _actor(self, kind: Any) -> str:
        """Return the field of an open kind of act that names its unit, if its units can be listed; otherwise an empty
        name.
        """
        o = self.options
        if not isinstance(o, Choices) or o.finite or kind not in o.acts or not (kind.dragged or kind.sampled):
            return ""
        actor = kind.actor
        picks = shape_of(kind).picks
        return actor if isinstance(actor, str) and actor in picks and len(picks) == len(kind.__struct_fields__) else ""

    def _listed(self, kind: Any, actor: str) -> Iterable[int]:
        o: Any = self.options
        pick = shape_of(kind).picks[actor].of
        context = {"o": o, "t": o.t, "side": o.side}
        names = read_by(pick)
        if not set(names) <= set(context):
            return dict.fromkeys([getattr(answer, actor) for answer in islice(kind.every(o), LONGEST)])
        return pick(*[context[name] for name in names])  # type: ignore[no-any-return]

    def _some(self, kind: Any, actor: str, unit: int) -> bool:
        return next(kind.every(self.options, **{actor: unit}), None) is not None

    def _of(self, kind: Any, unit: int | None = None) -> Groups:
        o = self.options
        if not isinstance(o, Choices) or o.finite or kind not in o.acts:
            return self._every
        actor = self._actor(kind)
        key = kind, unit if actor else None
        if key not in self._groups:
            if actor:
                listed: Iterable[Any] = islice(kind.every(o, **{actor: unit}), LONGEST)
            elif kind.dragged or kind.sampled:
                dice = self.dice(kind.__name__)
                drawn = [kind.random(o, dice) for _ in range(self.draws)]
                listed = [*islice(kind.every(o), OPEN), *[one for one in drawn if one is not None]]
            else:
                listed = o.listed(kind)
            self._groups[key] = self._grouped(listed)
        return self._groups[key]


def _holds_another(kind: Any) -> bool:
    return any(_is_action(field.type) for field in msgspec.structs.fields(kind))


def place_of(answer: Any, cells: Mapping[str, Point]) -> Point | None:
    """Return the place of an answer: the last place of its first way, the first place that it names, or its hex.

    Args:
        cells: The middle of each hex by its name, on a map of hexes.
    """
    kind: Any = type(answer)
    for name in _placing(kind):
        value = getattr(answer, name)
        if type(value) is str:
            place = cells.get(value)
        elif isinstance(value, msgspec.Struct):
            place = place_of(value, cells)
        else:
            place = _end(value)
        if place is not None:
            return place
    return None


@lru_cache(maxsize=1024)
def _placing(kind: Any) -> tuple[str, ...]:
    """Return the fields of an act that may contain its place: those with places, records or words."""
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
    if type(value[0]) is int:  # the model, and its path
        return _end(value[-1])
    return _end(value[-1]) if _is_way(value) else _end(value[0])


def _is_way(value: tuple[Any, ...]) -> bool:
    return all(type(one) is tuple and len(one) == 2 and type(one[1]) is int for one in value)
