"""What a page needs besides the odds, to put an attack request together field by field."""

from __future__ import annotations

from typing import Any

import msgspec

from caltrop import InputError
from caltrop.engine import Book, Sum, settle
from caltrop.rules.command_horizon.attack import attack_dice, defence_dice
from caltrop.rules.command_horizon.catalogue import EDITIONS, armies, full_strength, kinds, switches, unit_kind
from caltrop.rules.command_horizon.requests import RULESET, asked

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
    "attacker.starting": None,
    "target.cover": True,
    "target.drone": "active",
    "boost": True,
    "against_charge": True,
    "marks": 1,
    "marked": True,
    "slugger": True,
    "overkills": 1,
}
"""Fields that not every attack has, with a value to try them by; None for that of `attacker.models`."""


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
    """For a field, as `attacker.kind`, all that it may be."""
    words: dict[str, str]
    """What fields are called."""
    ranges: dict[str, tuple[int, int]]
    """For a field with a whole number, the least and the most."""
    idle: tuple[str, ...] = ()
    """Fields that mean nothing in this attack; empty while the request is not in order."""
    dice: Sum = ()
    """The Attack Dice as the parts that they are made of, once the request is in order."""
    defence: Sum = ()
    """Defence Dice that come on top of one for each hit."""


def form(raw: dict[str, Any]) -> Form:
    """What may be filled in besides what *raw* has already, which need not be in order.

    Args:
        raw: A request as far as it has come, as plain data.
    """
    edition = raw.get("edition")
    book = Book(RULESET, edition if edition in EDITIONS else EDITIONS[0], settle(switches(), {}))
    choices = {"edition": tuple(Choice(value=one, words=one) for one in EDITIONS)}
    ranges = {"marks": (0, 9)}
    for who in ("attacker", "target"):
        given = raw.get(who)
        given = given if isinstance(given, dict) else {}
        choices[f"{who}.army"] = tuple(Choice(value=one, words=one.title()) for one in armies(book))
        army = given.get("army")
        if army not in armies(book):
            continue
        known = {one: unit_kind(book, army, one) for one in kinds(book, army)}
        choices[f"{who}.kind"] = tuple(Choice(value=one, words=kind.title) for one, kind in known.items())
        kind = known.get(given.get("kind", ""))
        if kind is not None and not kind.grows:
            ranges[f"{who}.models"] = (1, full_strength(book, kind))
        if isinstance(given.get("models"), int):
            ranges[f"{who}.stuns"] = (0, max(2 * given["models"] - 1, 0))
    try:
        found = asked(raw)
    except InputError:
        return Form(start=START, choices=choices, words=WORDS, ranges=ranges)
    return Form(
        start=START,
        choices=choices,
        words=WORDS,
        ranges=ranges,
        idle=tuple(field for field in _SOMETIMES if not _means_something(raw, field)),
        dice=attack_dice(found.book, found.attack).parts,
        defence=defence_dice(found.book, found.attack, 1)[1:],
    )


def _means_something(raw: dict[str, Any], field: str) -> bool:
    """Whether a field may be filled in: the rules are asked with a value in it."""
    head, _, tail = field.rpartition(".")
    value = _SOMETIMES[field]
    tried = {**raw, head: dict(raw[head])} if head else dict(raw)
    inner = tried[head] if head else tried
    inner[tail] = raw["attacker"]["models"] if value is None else value
    try:
        asked(tried)
    except InputError as error:
        return error.field != field
    return True
