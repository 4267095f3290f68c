"""Choose the answers to a question that get a number, if there are more than can be listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from caltrop.asking import Choices
from caltrop.chance import Dice
from caltrop.engine import Decision, Options, name_of
from caltrop.errors import InputError
from caltrop.players import Player

MOST = 64
"""Default for the largest number of answers offered at once."""

DRAWS = 8
"""Default for the number of random answers to an open choice."""

LONGEST = 1024
"""Largest number of answers that are read from a long list."""

PROPOSERS: tuple[str | Callable[[], Player], ...] = ()
"""Default proposers of answers: none, because asking them takes longer than the rest of a step."""

_encode = msgspec.json.Encoder(order="deterministic").encode


def candidates(
    decision: Decision,
    view: Any,
    most: int,
    dice: Dice | Callable[[], Dice],
    proposers: Iterable[Callable[[], Player]] = (),
    draws: int = DRAWS,
    options: Options | None = None,
) -> tuple[Any, ...]:
    """Return the answers that get a number: 1 to *most* different legal ones.

    If the rules list no more than *most*, all get one, in the order of the rules. If they list more, *most* of the list
    are drawn, the first of each kind of act among them. For an open choice, they are the first answer of the rules and
    the one that ends the step, those of the proposers, and *draws* answers drawn by chance. With proposers, the order
    of answers does not reveal who proposed what.

    Args:
        view: The view of the side that is asked.
        most: The largest number of answers.
        dice: Dice that decide the random answers, or a function that makes them when they are needed.
        proposers: Functions that make the players that propose an answer. Each is new, so that its proposal depends
            only on the side's view.
        draws: Number of random answers to an open choice.
        options: The options of the question, if known.
    """
    options = decision.options(view) if options is None else options
    if options.finite:
        listed = tuple(islice(options, LONGEST))
        if len(listed) <= most:
            return listed
        early = {type(answer): answer for answer in reversed(listed)}
    else:
        listed = ()
        first = options.first()
        ending = options.ending() if isinstance(options, Choices) else None
        early = {type(answer): answer for answer in (first, ending) if answer is not None}
    dice = dice() if callable(dice) else dice
    proposed = [make().decide(decision, view, dice) for make in proposers]
    answers = dict.fromkeys([*[answer for answer in proposed if answer in options], *early.values()][:most])
    for answer in _drawn(options, listed, dice, draws):
        if len(answers) == most:
            break
        answers[answer] = None
    if not proposed:
        return tuple(answers)
    return tuple(sorted(answers, key=_place))


def _drawn(options: Options, listed: tuple[Any, ...], dice: Dice, draws: int) -> Iterator[Any]:
    """Yield random answers: the shuffled list, or *draws* samples of an open choice."""
    if not listed:
        for _ in range(draws):
            yield options.sample(dice)
    left = list(listed)
    while left:
        at = dice.below(len(left))
        left[at], left[-1] = left[-1], left[at]
        yield left.pop()


def check_draws(draws: int) -> int:
    """Return *draws* unchanged. Raises InputError if the number is less than 1."""
    if draws < 1:
        raise InputError("an open choice needs an answer that is drawn: draws is 1 or more", field="draws")
    return draws


def _place(answer: Any) -> tuple[str, bytes]:
    return name_of(answer), _encode(answer)
