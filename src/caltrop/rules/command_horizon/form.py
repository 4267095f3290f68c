"""The form of an attack request on a page."""

from __future__ import annotations

from typing import Any

from caltrop.agreeing import quantity
from caltrop.engine import total
from caltrop.engine.form import Choice, DiceSum, Form, form_of
from caltrop.kit.requests import book_or_usual
from caltrop.rules.command_horizon.attack import attack_dice, defence_dice
from caltrop.rules.command_horizon.catalogue import EDITIONS, armies, kinds, unit_kind
from caltrop.rules.command_horizon.requests import RULESET, Asked, AttackRequest, asked, largest

OUTCOMES = {"models": "Models left", "stuns": "Stun markers", "drone": "Shield Drone"}
"""Labels of the parts of an outcome."""


def form(raw: dict[str, Any]) -> Form:
    """Return the form for an unfinished request, which need not be valid.

    Args:
        raw: The unfinished request, as plain data.
    """
    book = book_or_usual(RULESET, raw)
    choices = {"edition": tuple(Choice(value=one, words=one) for one in EDITIONS)}
    ranges: dict[str, tuple[int, int]] = {}
    given: dict[str, dict[str, Any]] = {
        who: raw[who] if isinstance(raw.get(who), dict) else {} for who in ("attacker", "target")
    }
    for who, unit in given.items():
        choices[f"{who}.army"] = tuple(Choice(value=one, words=one.title()) for one in armies(book))
        army, models = unit.get("army"), unit.get("models")
        if army not in armies(book):
            continue
        by_kind = {one: unit_kind(book, army, one) for one in kinds(book, army)}
        choices[f"{who}.kind"] = tuple(Choice(value=one, words=kind.title) for one, kind in by_kind.items())
        kind = next((row for key, row in by_kind.items() if key == unit.get("kind")), None)
        if kind is not None:
            ranges[f"{who}.models"] = (1, largest(book, kind))
        if isinstance(models, int):
            ranges[f"{who}.stuns"] = (0, max(2 * models - 1, 0))
    return form_of(
        raw,
        asked,
        request=AttackRequest,
        start={"ruleset": RULESET},
        outcomes=OUTCOMES,
        choices=choices,
        ranges=ranges,
        sometimes={"attacker.starting": given["attacker"].get("models")},
        dice=_dice,
    )


def _dice(request: Asked) -> tuple[DiceSum, ...]:
    attack = attack_dice(request.book, request.attack).parts
    # The first part of the dice for one hit is the die for the hit itself.
    more = defence_dice(request.book, request.attack, 1)[1:]
    defence = DiceSum(words=f"Defence: one die for each hit, and {total(more)} more", parts=more)
    return (DiceSum(words=quantity(total(attack), "attack die"), parts=attack), *((defence,) if more else ()))
