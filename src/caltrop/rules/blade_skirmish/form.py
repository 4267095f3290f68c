"""The form of an attack request on a page."""

from __future__ import annotations

from typing import Any

from caltrop.engine import total
from caltrop.engine.form import Choice, DiceSum, Form, form_of
from caltrop.rules.blade_skirmish.catalogue import QUALITIES
from caltrop.rules.blade_skirmish.requests import RULESET, Asked, AttackRequest, asked

OUTCOMES = {"injury": "The defender is"}
"""Labels of the parts of an outcome."""

TIES = (
    Choice(value="hold", words="Nothing happens"),
    Choice(value="reroll", words="Both throw again"),
)
"""Choices for the result of a tie in a single attack."""


def form(raw: dict[str, Any]) -> Form:
    """Return the form for an unfinished request, which need not be valid.

    Args:
        raw: The unfinished request, as plain data.
    """
    return form_of(
        raw,
        asked,
        request=AttackRequest,
        start={"ruleset": RULESET},
        outcomes=OUTCOMES,
        choices={"rules.challenge_tie": TIES},
        dice=_dice,
    )


def _dice(request: Asked) -> tuple[DiceSum, ...]:
    return (
        DiceSum(words=_words("attacker", request.attacker, total(request.attacker_adds)), parts=request.attacker_adds),
        DiceSum(words=_words("defender", request.defender, total(request.defender_adds)), parts=request.defender_adds),
    )


def _words(who: str, quality: int, more: int) -> str:
    return f"The {who} ({QUALITIES[quality]}) adds {more} to her die"
