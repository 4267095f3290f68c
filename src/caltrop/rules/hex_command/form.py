"""The form of an attack request on a page."""

from __future__ import annotations

from typing import Any

from caltrop.agreeing import quantity
from caltrop.engine import total
from caltrop.engine.form import Choice, DiceSum, Form, form_of
from caltrop.kit.requests import book_or_usual
from caltrop.rules.hex_command.attack import battle_dice, shield_dice
from caltrop.rules.hex_command.catalogue import (
    TYPES,
    UNIT_SHEET,
    unit_kind,
)
from caltrop.rules.hex_command.records import full_strength
from caltrop.rules.hex_command.requests import RULESET, Asked, AttackRequest, asked, types_of

OUTCOMES = {"strength": "Strength left", "retreat": "Hexes it falls back", "leader_lost": "Leader lost"}
"""Labels of the parts of an outcome."""


def form(raw: dict[str, Any]) -> Form:
    """Return the form for an unfinished request, which need not be valid.

    Args:
        raw: The unfinished request, as plain data.
    """
    book = book_or_usual(RULESET, raw)
    choices, ranges = {}, {}
    for who in ("attacker", "target"):
        unit = raw.get(who)
        types = types_of(book, str(unit.get("class"))) if isinstance(unit, dict) else TYPES
        choices[f"{who}.type"] = [Choice(value=one, words=one.replace("-", " ").capitalize()) for one in types]
    given = raw.get("target")
    if isinstance(given, dict) and f"{given.get('class')}-{given.get('type')}" in UNIT_SHEET.of(book):
        ranges["target.strength"] = (1, full_strength(unit_kind(given["class"], given["type"], book)))
    return form_of(
        raw,
        asked,
        request=AttackRequest,
        start={"ruleset": RULESET},
        outcomes=OUTCOMES,
        choices=choices,
        ranges=ranges,
        dice=_dice,
    )


def _dice(request: Asked) -> tuple[DiceSum, ...]:
    battle, shields = battle_dice(request.book, request.profile), shield_dice(request.book, request.profile)
    shielding = DiceSum(words=f"Shields: {quantity(total(shields), 'die')} if anything hits", parts=shields)
    return (DiceSum(words=quantity(total(battle), "battle die"), parts=battle), *((shielding,) if shields else ()))
