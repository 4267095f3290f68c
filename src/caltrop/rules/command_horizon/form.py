"""The form of an attack request: what a page offers to fill in, field by field."""

from __future__ import annotations

from typing import Any

from caltrop.agreeing import quantity
from caltrop.engine import total
from caltrop.engine.form import Choice, DiceSum, Form, form_of
from caltrop.kit.requests import book_or_usual
from caltrop.rules.command_horizon.attack import attack_dice, defence_dice
from caltrop.rules.command_horizon.catalogue import EDITIONS, armies, kinds, unit_kind
from caltrop.rules.command_horizon.requests import RULESET, Asked, asked, largest

START: dict[str, Any] = {
    "ruleset": RULESET,
    "edition": "current",
    "mode": "fire",
    "attacker": {"army": "alliance", "kind": "medium-tank", "models": 3},
    "target": {"army": "asori", "kind": "medium-tank", "models": 3},
}
"""An attack to begin with."""

_SOMETIMES: dict[str, Any] = {
    "attacker.platoon": True,
    "target.cover": True,
    "target.drone": "active",
    "boost": True,
    "against_charge": True,
    "marks": 1,
    "marked": True,
    "slugger": True,
    "overkills": 1,
}
"""Fields that not every attack has, with a value to try them by; `attacker.starting` is tried by the models."""

WORDS = {
    "attacker.models": "Models or bases",
    "attacker.stuns": "Stun markers",
    "attacker.platoon": "A whole Platoon as one",
    "attacker.starting": "Bases it began with",
    "target.models": "Models or bases",
    "target.stuns": "Stun markers",
    "target.cover": "In cover",
    "target.drone": "Shield Drone",
    "boost": "With a boost",
    "against_charge": "At a unit that charges",
    "marks": "Marks on the target",
    "marked": "It marked this turn",
    "slugger": "An enemy Slugger is near",
    "overkills": "Pairs of 6s combined",
}
"""Labels of fields whose names in the request do not say it."""

OUTCOMES = {"models": "Models left", "stuns": "Stun markers", "drone": "Shield Drone"}
"""Labels of the parts of an outcome."""


def form(raw: dict[str, Any]) -> Form:
    """Return what may be filled in besides what *raw* has already, which need not be in order.

    Args:
        raw: A request as far as it has come, as plain data.
    """
    book = book_or_usual(RULESET, raw)
    choices = {"edition": tuple(Choice(value=one, words=one) for one in EDITIONS)}
    ranges = {"marks": (0, 9)}
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
        start=START,
        words=WORDS,
        outcomes=OUTCOMES,
        choices=choices,
        ranges=ranges,
        sometimes={**_SOMETIMES, "attacker.starting": given["attacker"].get("models")},
        dice=_dice,
    )


def _dice(request: Asked) -> tuple[DiceSum, ...]:
    attack = attack_dice(request.book, request.attack).parts
    # Of the dice for one hit the first part is the die for it.
    more = defence_dice(request.book, request.attack, 1)[1:]
    defence = DiceSum(words=f"Defence: one die for each hit, and {total(more)} more", parts=more)
    return (DiceSum(words=quantity(total(attack), "attack die"), parts=attack), *((defence,) if more else ()))
