"""What a page needs besides the odds, to put an attack request together field by field."""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop import InputError
from caltrop.engine import Sum
from caltrop.rules.hex_command.attack import battle_dice, shield_dice
from caltrop.rules.hex_command.battle import full_strength
from caltrop.rules.hex_command.catalogue import CLASSES, TYPES, unit_kind
from caltrop.rules.hex_command.requests import GROUND, RULESET, asked

START: dict[str, Any] = {
    "ruleset": RULESET,
    "attacker": {"class": "vehicle", "type": "medium"},
    "target": {"class": "infantry", "type": "medium", "strength": 4},
    "range": 2,
}
"""An attack to begin with."""

WORDS = {
    "range": "Range in hexes",
    "attacker.leader": "With a leader attached",
    "target.leader": "With a leader attached",
    "target.strength": "Strength left",
    "terrain": "The target stands in",
    "free_retreat": "Hexes free to fall back",
}
"""What fields are called, where the name in the request does not say it."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a field may have, and its words."""

    value: str
    words: str


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What the fields of a request may be, given what stands in the others."""

    start: dict[str, Any]
    """A request to begin with."""
    choices: dict[str, tuple[Choice, ...]]
    """For a field, as `attacker.class`, all that it may be."""
    words: dict[str, str]
    """What fields are called."""
    ranges: dict[str, tuple[int, int]]
    """For a field with a whole number, the least and the most."""
    idle: tuple[str, ...] = ()
    """Fields that mean nothing in this attack; empty while the request is not in order."""
    dice: Sum = ()
    """The battle dice as the parts that they are made of, once the request is in order."""
    shields: Sum = ()
    """The shield dice, which the target rolls once where anything hits."""


def _choices(values: tuple[str, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(value=one, words=one.replace("-", " ").capitalize()) for one in values)


def form(raw: dict[str, Any]) -> Form:
    """What may be filled in besides what *raw* has already, which need not be in order.

    Args:
        raw: A request as far as it has come, as plain data.
    """
    choices = {"terrain": _choices(GROUND)}
    for who in ("attacker", "target"):
        choices[f"{who}.class"], choices[f"{who}.type"] = _choices(CLASSES), _choices(TYPES)
    ranges: dict[str, tuple[int, int]] = {"range": (1, 6)}
    idle = []
    for who in ("attacker", "target"):
        given = raw.get(who)
        given = given if isinstance(given, dict) else {}
        if given.get("class") in CLASSES and given.get("type") in TYPES:
            kind = unit_kind(given["class"], given["type"])
            if who == "target":
                ranges["target.strength"] = (1, full_strength(kind))
            if kind.is_leader:
                idle.append(f"{who}.leader")
    try:
        found = asked(raw)
    except InputError:
        return Form(start=START, choices=choices, words=WORDS, ranges=ranges)
    return Form(
        start=START,
        choices=choices,
        words=WORDS,
        ranges=ranges,
        idle=tuple(idle),
        dice=battle_dice(found.book, found.profile),
        shields=shield_dice(found.book, found.profile),
    )
