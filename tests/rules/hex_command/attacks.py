"""Attacks as records, to test the meaning of dice without a map."""

from __future__ import annotations

from typing import Any

from caltrop.engine import Book
from caltrop.rules.hex_command import ruleset
from caltrop.rules.hex_command.attack import Attacker, Counts, Ending, Profile, Target, count, ending, hits_of, saves
from caltrop.rules.hex_command.catalogue import LETTERS, unit_kind
from caltrop.rules.hex_command.places import class_on_ground
from caltrop.rules.hex_command.records import Unit, full_strength
from tests.rules.hex_command.tables import CLASSES, TYPES


def book(**rules: Any) -> Book:
    """Return the rulebook with house rules."""
    return ruleset.book(None, rules)


def kind(code: str) -> str:
    """Return the row of the unit table for a code such as `I-M`."""
    letter, _, size = code.partition("-")
    return unit_kind(CLASSES[letter], TYPES[size]).key


def attacker(code: str, **fields: Any) -> Attacker:
    """Return a unit that battles."""
    key = kind(code)
    unit = Unit(id=0, side=0, kind=key, name=key, hex=None, strength=1)
    return Attacker(key, class_on_ground(book(), unit), **fields)


def target(code: str, strength: int | None = None, **fields: Any) -> Target:
    """Return a target; by default at full strength."""
    made = Target(kind(code), 1, **fields)
    return Target(made.kind, full_strength(made.row) if strength is None else strength, **fields)


def attack(who: str | Attacker, at: str | Target, distance: int = 1, **fields: Any) -> Profile:
    """Return an attack between units that are described by their codes, or in full."""
    return Profile(
        attacker(who) if isinstance(who, str) else who,
        target(at) if isinstance(at, str) else at,
        range=distance,
        **fields,
    )


def counts(letters: str) -> Counts:
    """Return the counts of symbols written as `I V G L T R`."""
    return count([LETTERS[letter] for letter in letters.split()])


def end(p: Profile, letters: str, shields: str = "", b: Book | None = None) -> tuple[int, bool, int]:
    """Return the result of an attack with these symbols: strength left, leader lost, hexes fallen back."""
    b = b or book()
    rolled = counts(letters)
    hits = hits_of(b, p, rolled)
    result: Ending = ending(b, p, rolled, hits, saves(b, hits.total, counts(shields)))
    return result.strength, result.leader_lost, result.retreat
