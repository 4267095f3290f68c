"""Small battles for tests: units written as in the rulebook's scenarios, hands, and scripted dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from caltrop.chance import Scripted
from caltrop.engine import Match, Procedure, Refusal, Refused
from caltrop.rules.hex_command import ruleset
from caltrop.rules.hex_command.catalogue import LETTERS, SYMBOLS, unit_kind
from caltrop.rules.hex_command.records import Battle, Field, Unit, full_strength
from caltrop.rules.hex_command.turn import Turn

CLASSES = {"I": "infantry", "V": "vehicle", "G": "god-machine", "L": "leader"}
TYPES = {"L": "light", "M": "medium", "H": "heavy", "SH": "super-heavy"}


def battle(
    south: str = "",
    north: str = "",
    *,
    ground: str = "",
    hands: tuple[Sequence[str], Sequence[str]] = ((), ()),
    discards: Sequence[str] = (),
    rules: Mapping[str, Any] | None = None,
    size: tuple[int, int] = (9, 13),
    **field: Any,
) -> Battle:
    """Return a battle with these units.

    Args:
        south: Units of South, such as `I-M E5, V-M F5, L-L E5`; a leader comes after the unit in the same hex.
        north: Units of North.
        ground: The ground, such as `woods E4 F4, road A5`.
        hands: The cards of each side.
        discards: The cards that lie face up.
        rules: House rules.
        size: Rows and columns of the map.
        field: Other fields of the `Field`.
    """
    terrain = {}
    for part in filter(None, ground.split(", ")):
        key, *names = part.split()
        terrain.update(dict.fromkeys(names, key))
    t = Battle(
        book=ruleset.book(None, rules),
        field=Field(rows=size[0], columns=size[1], terrain=terrain, **field),
        units=[],
        hands=[tuple(sorted(hand)) for hand in hands],
        held=[len(hand) for hand in hands],
        discards=list(discards),
    )
    for side, text in enumerate((south, north)):
        for part in filter(None, text.split(", ")):
            code, hex = part.split()
            letter, _, kind = code.partition("-")
            row = unit_kind(CLASSES[letter], TYPES[kind])
            id = len(t.units)
            name = f"{row.title} {id}"
            t.units.append(Unit(id=id, side=side, kind=row.key, name=name, hex=None, strength=full_strength(row)))
            t.put(id, hex, guest=hex in t.board)
    return t


def begin(t: Battle, *rolls: tuple[int, ...], at: Procedure | None = None) -> Match:
    """Return a match that begins with a turn of South, or with another procedure."""
    t.stack = [at or Turn(side=0)]
    t.active = getattr(t.stack[0], "side", 0)
    return Match(ruleset, t, Scripted(*rolls))


def dice(letters: str) -> tuple[int, ...]:
    """Return the faces of the six-sided battle die for symbols written as `I V G L T R`."""
    return tuple(SYMBOLS.index(LETTERS[letter]) + 1 for letter in letters.split())


def now(match: Match) -> Battle:
    assert isinstance(match.state, Battle)
    return match.state


def asked(match: Match) -> list[tuple[str, int]]:
    """Return the open decisions with their sides."""
    return [(type(d).__name__, d.side) for d in match.waiting]


def refused(match: Match, action: Any, side: int = 0) -> Refusal:
    """Return the refusal of an action, and check that its nearest legal action is legal."""
    decision = match.decision(side)
    assert decision is not None
    with pytest.raises(Refused) as error:
        match.play(side, action)
    refusal = error.value.refusal
    assert refusal.nearest in decision.options(match.view(side))
    return refusal


def options(match: Match, side: int = 0) -> list[Any]:
    """Return every possible answer."""
    decision = match.decision(side)
    assert decision is not None
    return list(decision.options(match.view(side)))


def done(match: Match) -> None:
    """Raise an error if scripted dice are left over."""
    dice = match.dice
    assert isinstance(dice, Scripted)
    dice.finish()
