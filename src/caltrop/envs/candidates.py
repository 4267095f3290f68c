"""Which answers to a question get a number, where there are more than can be listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import msgspec

from caltrop.chance import Dice
from caltrop.engine import Decision, name_of
from caltrop.players import Player

MOST = 64
"""How many answers are offered at once unless somebody says otherwise."""

PROPOSERS: tuple[str | Callable[[], Player], ...] = ("regular",)
"""Who proposes answers unless somebody says otherwise: players that take little time."""

_encode = msgspec.json.Encoder(order="deterministic").encode


def candidates(
    decision: Decision, view: Any, most: int, dice: Dice, proposers: Iterable[Callable[[], Player]] = ()
) -> tuple[Any, ...]:
    """The answers that get a number, 1 to *most* of them, all different and all legal.

    Where the rules list no more than *most*, these are they, in the order of the rules; where the choice is open, what
    the proposers would do stands behind them, and where the list is complete nobody is asked to propose. Where they
    list more, some are drawn: the first of each kind of act that comes early in the list, so that a step can always be
    ended, what the proposers would do, answers drawn by chance, and where these are too few, listed ones from all over.
    What is drawn is put into an order that does not tell who proposed what.

    Args:
        decision: The question.
        view: What the side sees that is asked.
        most: The most answers.
        dice: Decide what is drawn.
        proposers: Make the players that propose an answer. Each is new to the question: what it proposes hangs on what
            the side sees, and not on what it was asked before.
    """
    options = decision.options(view)
    listed = tuple(islice(options, most + 1))
    if len(listed) <= most and options.finite:
        return listed
    proposed = [make().decide(decision, view, dice) for make in proposers]
    proposed = [answer for answer in proposed if answer in options]
    if len(listed) <= most:
        more = [answer for answer in dict.fromkeys(proposed) if answer not in listed][:most]
        return (*listed[: most - len(more)], *more)
    kinds = {type(answer): answer for answer in reversed(listed)}
    found = dict.fromkeys([*proposed, *reversed(kinds.values())][:most])
    for _ in range(most):
        if len(found) == most:
            break
        found[options.sample(dice)] = None
    for spread in range(len(listed)):
        if len(found) == most:
            break
        # A step of about the golden ratio of the list comes by all of it before it is anywhere near where it has been.
        found[listed[spread * _stride(len(listed)) % len(listed)]] = None
    return tuple(sorted(found, key=_place))


def _stride(length: int) -> int:
    """A step that visits every place of a list of that length."""
    step = max(1, round(length * 0.618))
    while any(length % n == 0 and step % n == 0 for n in range(2, step + 1)):
        step += 1
    return step


def _place(answer: Any) -> tuple[str, bytes]:
    return name_of(answer), _encode(answer)
