"""The form of an attack request: what a page offers to fill in, field by field."""

from __future__ import annotations

from typing import Any

from caltrop.engine import Sum, total
from caltrop.engine.form import Choice, DiceSum, Form, form_of
from caltrop.rules.duel.requests import MOST, RULESET, TRAITS, asked

START: dict[str, Any] = {
    "ruleset": RULESET,
    "edition": "current",
    "rules": {},
    "attacker": {"breath": 1, "trait": "none"},
    "target": {"wounds": 3},
    "parried": False,
}
"""A strike to begin with."""


def form(raw: dict[str, Any]) -> Form:
    """Return what may be filled in besides what *raw* has already, which need not be in order.

    Args:
        raw: A request as far as it has come, as plain data.
    """
    return form_of(
        raw,
        asked,
        start=START,
        words={"parried": "The target parries"},
        outcomes={"wounds": "Wounds left"},
        choices={"attacker.trait": [Choice(value=one, words=one.capitalize()) for one in ("none", *TRAITS)]},
        ranges={"attacker.breath": (0, MOST), "target.wounds": (1, MOST)},
        sometimes={},
        dice=lambda request: (thrown("The attacker", request.needed),),
    )


def thrown(who: str, parts: Sum) -> DiceSum:
    return DiceSum(words=f"{who} throws 1 die, and hits on {total(parts)} or more", parts=parts)
