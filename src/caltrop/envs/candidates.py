"""The answers to a question that get a number, if there are more than can be listed."""

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
"""Number of answers that are offered at once unless somebody says otherwise."""

DRAWS = 8
"""Number of answers to an open choice are drawn unless somebody says otherwise."""

LONGEST = 1024
"""Largest number of answers read of a long listing."""

PROPOSERS: tuple[str | Callable[[], Player], ...] = ()
"""Default proposers of answers: nobody, for it costs most of a step."""

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
    """Return the answers that get a number, 1 to *most* of them, all different and all legal.

    If the rules list no more than *most*, all get one, in the order of the rules. If they list more, *most* of the list
    are drawn, the first of each kind of act among them. For an open choice, they are the first answer of the rules and
    the one that ends the step, those of the proposers, and *draws* answers drawn by chance. With proposers, answers
    stand in an order that does not tell who proposed what.

    Args:
        decision: The question.
        view: The view of the side that is asked.
        most: The most answers.
        dice: Decide what is drawn; or what makes them, where they are needed.
        proposers: Make the players that propose an answer. Each is new to the question: what it proposes hangs on what
            the side sees, and not on what it was asked before.
        draws: Number of drawn answers to an open choice.
        options: The options of the question, where they are at hand.
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
    """Yield answers by chance: of a list all in an order by chance, of an open choice as many as are drawn."""
    if not listed:
        for _ in range(draws):
            yield options.sample(dice)
    left = list(listed)
    while left:
        at = dice.below(len(left))
        left[at], left[-1] = left[-1], left[at]
        yield left.pop()


def check_draws(draws: int) -> int:
    """Return the draws of an open choice, checked.

    Raises:
        InputError: for less than 1.
    """
    if draws < 1:
        raise InputError("an open choice needs an answer that is drawn: draws is 1 or more", field="draws")
    return draws


def _place(answer: Any) -> tuple[str, bytes]:
    return name_of(answer), _encode(answer)
