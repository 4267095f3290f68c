"""The form of an attack request, field by field, as the page offers it."""

from __future__ import annotations

from typing import Any

from caltrop.engine import Sum, total
from caltrop.engine.form import Choice, DiceSum, Form, form_of
from caltrop.rules.duel.requests import RULESET, TRAITS, AttackRequest, asked


def form(raw: dict[str, Any]) -> Form:
    """Return the fields that can still be filled in. The request may have errors.

    Args:
        raw: The unfinished request as plain data.
    """
    return form_of(
        raw,
        asked,
        request=AttackRequest,
        start={"ruleset": RULESET},
        outcomes={"wounds": "Wounds left"},
        choices={"attacker.trait": [Choice(value=one, words=one.capitalize()) for one in ("none", *TRAITS)]},
        dice=lambda request: (thrown("The attacker", request.needed),),
    )


def thrown(who: str, parts: Sum) -> DiceSum:
    return DiceSum(words=f"{who} throws 1 die, and hits on {total(parts)} or more", parts=parts)
