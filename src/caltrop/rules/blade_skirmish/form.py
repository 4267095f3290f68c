"""The form of an attack request: what a page offers to fill in, field by field."""

from __future__ import annotations

from typing import Any

from caltrop.engine import total
from caltrop.engine.form import Choice, DiceSum, Form, form_of
from caltrop.rules.blade_skirmish.catalogue import QUALITIES
from caltrop.rules.blade_skirmish.requests import LEAST, MOST, RULESET, Asked, asked

START: dict[str, Any] = {
    "ruleset": RULESET,
    "rules": {},
    "attacker": {"quality": 2},
    "defender": {"quality": 2},
    "flanking": False,
}
"""An attack to begin with."""

WORDS = {
    "attacker.quality": "Quality",
    "defender.quality": "Quality",
    "flanking": "The attacker flanks the defender",
}
"""What fields are called, where the name in the request does not say it."""

OUTCOMES = {"injury": "The defender is"}
"""What the parts of an outcome are called."""

TIES = (
    Choice(value="hold", words="Nothing happens"),
    Choice(value="reroll", words="Both throw again"),
)
"""What a tie may come to where a single attack is asked about."""


def form(raw: dict[str, Any]) -> Form:
    """What may be filled in besides what *raw* has already, which need not be in order.

    Args:
        raw: A request as far as it has come, as plain data.
    """
    return form_of(
        raw,
        asked,
        start=START,
        words=WORDS,
        outcomes=OUTCOMES,
        choices={"rules.challenge_tie": TIES},
        ranges={"attacker.quality": (LEAST, MOST), "defender.quality": (LEAST, MOST)},
        sometimes={},
        dice=_dice,
    )


def _dice(found: Asked) -> tuple[DiceSum, ...]:
    return (
        DiceSum(words=_words("attacker", found.attacker, total(found.attacker_adds)), parts=found.attacker_adds),
        DiceSum(words=_words("defender", found.defender, total(found.defender_adds)), parts=found.defender_adds),
    )


def _words(who: str, quality: int, more: int) -> str:
    return f"The {who} ({QUALITIES[quality]}) adds {more} to her die"
