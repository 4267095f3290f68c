"""The state of a battle: the map, its units, hands and banners.

Side 0 is South, side 1 is North. A unit is identified by its index in `units`, a hex by its printed name, a card by its
kind.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET

from caltrop.engine import State, does
from caltrop.geometry import Point
from caltrop.kit.words import names_told_apart
from caltrop.rules.hex_command.catalogue import (
    UNITS,
    GroundEffects,
    PackMark,
    UnitKind,
    deck_of,
    ground_of,
    row_of,
)
from caltrop.table.hexes import Hex, HexMap, hex_map

STEP = hex_map(5, 7).centre("B1")[0] - hex_map(5, 7).centre("A1")[0]
"""Distance between the centres of neighbouring hexes, in units of the picture."""

SOUTH, NORTH = 0, 1


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that is worth a banner to its holder."""

    hex: Hex
    permanent: bool = False
    """True if the hex stays captured. If it is false, the objective counts only while a side holds it."""
    side: int | None = None
    """The only side to which the hex is worth a banner; None for both sides."""


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    side: int | None
    """Side whose turns are counted; None if both sides must have had this number of turns."""
    turns: int
    winner: int | None = None
    """Winner at the limit; None if banners decide."""


class Field(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The parts of a battle that never change: the map, the goals and the limits."""

    rows: int
    columns: int
    terrain: dict[Hex, str] = msgspec.field(default_factory=dict)
    """Kind of ground of every hex that is not open."""
    objectives: tuple[Objective, ...] = ()
    names: tuple[str, str] = ("South", "North")
    banners: tuple[int, int] = (5, 5)
    """Number of banners with which each side wins."""
    hands: tuple[int, int] = (5, 5)
    """Number of cards in each side's hand."""
    without: tuple[str, ...] = ()
    """Kinds of cards that are left out of the deck."""
    first: int = SOUTH
    limit: Limit = Limit(side=None, turns=25)
    always: int | None = None
    """Id of a unit that may act in every turn, whatever the card (HX-S73)."""
    exit: tuple[int, int] | None = None
    """A unit and a row: the unit wins if it is in the row when a turn of its side begins (HX-S73)."""
    prize: int | None = None
    """Id of a unit whose destruction loses the battle for its side (HX-S73)."""
    pack: PackMark = UNSET
    """Name of the pack of the cards."""

    @cached_property
    def map(self) -> HexMap:
        return hex_map(self.rows, self.columns)

    @property
    def deck(self) -> tuple[str, ...]:
        return _deck(self.without, self.pack)


@lru_cache(maxsize=256)
def _deck(without: tuple[str, ...], pack: PackMark) -> tuple[str, ...]:
    return tuple(card for card in deck_of(pack) if card not in without)


@lru_cache(maxsize=256)
def _counted(without: tuple[str, ...], pack: PackMark) -> dict[str, int]:
    """Return the number of each card in the deck, by key. The result is shared between callers, so do not change it."""
    deck = _deck(without, pack)
    return {card: deck.count(card) for card in sorted(set(deck))}


@lru_cache(maxsize=256)
def _sorted(without: tuple[str, ...], pack: PackMark) -> tuple[str, ...]:
    return tuple(sorted(_deck(without, pack)))


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit, or a single leader."""

    id: int
    side: int
    kind: str
    """Row of the unit in the unit table. The last model of a Leader unit is a `leader-light` (HX-Q15)."""
    name: str
    hex: Hex | None
    """Hex of the unit; None if it is not placed yet or is lost."""
    strength: int
    """Models left, or Damage Capacity left; 0 for a lost unit."""
    was: str = ""
    """For a single leader, the row of its former Leader unit; otherwise empty."""
    pack: PackMark = UNSET
    """Name of the pack of the unit's row."""

    @property
    def row(self) -> UnitKind:
        return UNITS[self.kind] if self.pack is UNSET else row_of(self.kind, self.pack)

    @property
    def bought_as(self) -> UnitKind:
        """The row by which the unit was bought: for a single leader, that of the former Leader unit."""
        return row_of(self.was, self.pack) if self.was else self.row

    @property
    def alone(self) -> bool:
        return self.kind == "leader-light"


def full_strength(kind: UnitKind) -> int:
    """Return the strength of a full unit: its number of models, or for a single model its Size (HX-SMU-02)."""
    return kind.number("models") if kind.models > 1 else kind.number("size")


class Battle(State, kw_only=True):
    unstored: ClassVar[tuple[str, ...]] = (*State.unstored, "board", "guests", "names")
    secret: ClassVar[tuple[str, ...]] = ("hands",)
    by_unit: ClassVar[tuple[str, ...]] = (
        "ordered",
        "beside",
        "moved",
        "by_road",
        "entered",
        "battled",
        "parted",
        "spent",
    )

    field: Field
    units: list[Unit]
    round: int = 0
    """Number of the round: the larger number of turns begun by a side."""
    turns: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Number of turns that each side has begun."""

    hands: list[tuple[str, ...] | None] = msgspec.field(default_factory=lambda: [(), ()])
    """Cards of each side, sorted; None for a hidden hand.

    All other cards that are not discarded are in the deck. The next card is decided when it is drawn.
    """
    held: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Number of cards that each side holds, which is public."""
    discards: list[str] = msgspec.field(default_factory=list)
    """Cards played since the deck was last shuffled, face up."""
    played: list[str] = msgspec.field(default_factory=lambda: ["", ""])
    """Card that each side last played in its own turn; for a Counter-Order, the card that it copied."""

    medals: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    """Number of banners that each side keeps for good."""
    captured: dict[Hex, int] = msgspec.field(default_factory=dict)
    """Side that has each captured objective. A temporary objective is removed when the side no longer holds it."""
    entrenchments: list[Hex] = msgspec.field(default_factory=list)

    card: str = ""
    """Card in force this turn; for a Counter-Order, the card that it copies."""
    ordered: list[int] = msgspec.field(default_factory=list)
    """Ids of the units ordered this turn."""
    beside: list[int] = msgspec.field(default_factory=list)
    """Ordered units on which the card in force has no effect."""
    moved: dict[int, int] = msgspec.field(default_factory=dict)
    """Number of hexes that units have moved this turn; units that have not moved are missing."""
    by_road: list[int] = msgspec.field(default_factory=list)
    """Units whose move this turn was entirely by road, including its start."""
    entered: list[int] = msgspec.field(default_factory=list)
    """Units that have entered ground this turn where they may not battle."""
    battled: list[int] = msgspec.field(default_factory=list)
    """Units that have had their battle this turn."""
    parted: dict[int, int] = msgspec.field(default_factory=dict)
    """Leaders that have left a unit this turn, and the units that they left."""
    spent: dict[int, int] = msgspec.field(default_factory=dict)
    """Number of shield dice that God Machines have rolled this turn, if they can be rolled only once."""

    board: dict[Hex, int] = msgspec.field(default_factory=dict)
    """Unit in each occupied hex; a single leader only if it is alone."""
    guests: dict[Hex, int] = msgspec.field(default_factory=dict)
    """Attached leader in each hex that has one."""

    names: tuple[str, ...] = ()
    """Names of the units in sentences; computed again when units are added."""

    def called(self, unit: int) -> str:
        """Return the name of a unit for a sentence, with its side if the other army has a unit of that name."""
        if len(self.names) != len(self.units):
            self.names = names_told_apart([(u.side, u.name) for u in self.units], self.field.names)
        return self.names[unit]

    def unit_in_words(self, unit: int) -> str:
        return self.called(unit)

    def name_of(self, unit: int) -> str:
        return self.called(unit) if 0 <= unit < len(self.units) else f"number {unit}"

    def does(self, unit: int, verb: str) -> str:
        """Return a unit's name as `called`, with a verb.

        *verb* is given in the third person singular, and agrees with the name in the result.
        """
        return does(self.called(unit), verb)

    def awaken(self) -> None:
        """Rebuild the index of units by hex."""
        self.board, self.guests = {}, {}
        for u in self.units:
            if u.hex is None:
                continue
            at = self.board.get(u.hex)
            if at is None:
                self.board[u.hex] = u.id
            elif u.alone and not (self.units[at].alone and u.was and not self.units[at].was):
                self.guests[u.hex] = u.id
            else:
                self.guests[u.hex] = at
                self.board[u.hex] = u.id

    @property
    def map(self) -> HexMap:
        return self.field.map

    def ground(self, at: Hex) -> GroundEffects:
        """Return the effects of a hex's ground, ignoring markers."""
        return ground_of(self, self.field.terrain.get(at, "open"))

    def unit_at(self, at: Hex) -> Unit | None:
        id = self.board.get(at)
        return None if id is None else self.units[id]

    def leader_of(self, unit: Unit) -> Unit | None:
        id = self.guests.get(unit.hex) if unit.hex is not None else None
        return None if id is None or id == unit.id else self.units[id]

    def host_of(self, leader: Unit) -> Unit | None:
        if leader.hex is None or self.guests.get(leader.hex) != leader.id:
            return None
        return self.units[self.board[leader.hex]]

    def of_side(self, side: int) -> list[Unit]:
        return [u for u in self.units if u.side == side and u.hex is not None]

    def enemies_next_to(self, at: Hex, side: int) -> list[Unit]:
        """Return enemy units, and enemy leaders without a unit, in the hexes around *at*. *side* is the own side."""
        units = []
        for hex in self.map.neighbours[at]:
            id = self.board.get(hex)
            if id is not None and self.units[id].side != side:
                units.append(self.units[id])
        return units

    def change(self, id: int, **fields: Any) -> Unit:
        """Replace a unit by a copy with changed fields, and return the copy. To move a unit, use `put`."""
        changed = self.units[id] = msgspec.structs.replace(self.units[id], **fields)
        return changed

    def put(self, id: int, to: Hex | None, *, guest: bool = False) -> None:
        """Move a unit to another hex. The unit's leader stays behind alone.

        Args:
            to: The hex; None to take it off the map.
            guest: True for a leader who joins the unit in the hex.
        """
        unit = self.units[id]
        if unit.hex is not None:
            if self.guests.get(unit.hex) == id:
                del self.guests[unit.hex]
            else:
                left = self.guests.pop(unit.hex, None)
                if left is None:
                    del self.board[unit.hex]
                else:
                    self.board[unit.hex] = left
        self.units[id] = msgspec.structs.replace(unit, hex=to)
        if to is not None:
            (self.guests if guest else self.board)[to] = id

    def nth_in_deck(self, n: int) -> str:
        left = dict(_counted(self.field.without, self.field.pack))
        for card in self.discards:
            left[card] -= 1
        for hand in self.hands:
            for card in hand or ():
                left[card] -= 1
        for card, count in left.items():
            n -= count
            if n < 0:
                return card
        raise IndexError("there is no such card in the deck")

    def deck(self) -> list[str]:
        """Return the cards that are neither held nor discarded, sorted. Both hands must be visible."""
        gone = [*self.discards, *(self.hands[0] or ()), *(self.hands[1] or ())]
        left = list(_sorted(self.field.without, self.field.pack))
        for card in gone:
            left.remove(card)
        return left

    @property
    def in_deck(self) -> int:
        """Number of cards in the deck, which is public."""
        return len(self.field.deck) - sum(self.held) - len(self.discards)


def called(t: Battle, it: int) -> str:
    return t.name_of(it)


def placed(t: Battle, it: int) -> str:
    """Return the name and hex of a unit, for the words of acts."""
    return f"{t.called(it)} at {t.units[it].hex}"


def spot_of(t: Battle, unit: int) -> Point | None:
    """Return the centre of a unit's hex in the picture; None if it is off the map."""
    at = t.units[unit].hex
    return None if at is None else t.map.centre(at)


def centre_of(t: Battle, to: Hex) -> Point:
    return t.map.centre(to)
