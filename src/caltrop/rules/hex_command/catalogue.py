"""The data of Hex Command: units, terrain, cards and house rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.agreeing import quantity
from caltrop.chance import Pool, RollReading, counted
from caltrop.engine import Throw, rule, switches_in
from caltrop.engine.packs import Pack, Sheet, pack_called, read_with
from caltrop.engine.rule import HasBook
from caltrop.kit.rows import WHOLE, Row, rows
from caltrop.picture import Scene, Sky

_DATA = Path(__file__).parent / "data"

UnitClass = Literal["infantry", "vehicle", "leader", "god-machine"]
UnitType = Literal["light", "medium", "heavy", "super-heavy"]
Section = Literal["left", "centre", "right"]
"""A third of the map, as seen by a side from its own base line."""

Symbol = Literal["infantry", "vehicle", "god-machine", "leader", "target", "retreat"]
SYMBOLS: tuple[Symbol, ...] = ("infantry", "vehicle", "god-machine", "leader", "target", "retreat")
LETTERS: dict[str, Symbol] = dict(zip("IVGLTR", SYMBOLS, strict=True))
"""Symbols by letter: `I V G L T R`."""

CLASSES: tuple[UnitClass, ...] = ("infantry", "vehicle", "leader", "god-machine")
"""Unit classes from low to high (HX-HIE-03)."""
TYPES: tuple[UnitType, ...] = ("light", "medium", "heavy", "super-heavy")
"""Unit types from low to high (HX-HIE-04)."""

ALL = 99
"""Number of units on a card that orders all units."""

_STANDS_IN = {
    "size": "HX-S20 HX-SMU-02 HX-STA-01 HX-Q04",
    "models": "HX-S20",
    "move": "HX-S20",
    "battle_move": "HX-S20",
    "dice": "HX-S20",
    "points": "HX-S20 HX-S21",
    "banners": "HX-S20 HX-S60",
}
"""Clauses on which the values of a unit's row are based."""


class UnitKind(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    unit_class: UnitClass = msgspec.field(name="class")
    """Class of the unit, which orders, terrain and hits refer to."""
    type: UnitType
    """Type of the unit within its class, as of size or task."""
    title: str
    silhouette: str
    """Name of the silhouette that stands for the unit."""
    size: int
    """Size of the unit, which counts for sight and for the hits of large models."""
    models: int
    """Number of models of a full unit. A unit with one model takes as many hits as its Size (HX-SMU-02)."""
    move: int
    """Largest move in hexes."""
    battle_move: int
    """Largest move after which the unit may still battle, in hexes."""
    dice: tuple[int, ...]
    """Battle dice at range 1, 2, 3 and so on; the unit cannot battle beyond the list."""
    counts_as: Literal["", "infantry", "vehicle"] = ""
    """For a Leader unit, its class for cards and terrain, whose symbol also hits the unit; empty for other units."""
    points: int
    """Cost of the unit."""
    dear: int = 0
    """Price with the eight-sided die; 0 if it does not differ."""
    banners: int
    """Number of banners for the side that destroys the unit."""

    @property
    def is_leader(self) -> bool:
        return self.unit_class == "leader"

    def dice_at(self, distance: int) -> int:
        """Return the number of battle dice at a distance in hexes; 0 if it is out of range."""
        if not 1 <= distance <= len(self.dice):
            return 0
        dice: tuple[int, ...] = self.read("dice", ())
        return dice[distance - 1] if dice else 0


class GroundEffects(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Effects of a kind of terrain, or of a marker, in a hex."""

    title: str
    size: int = 0
    """Size of the terrain as an obstacle to sight."""
    road: bool = False
    stop: bool = False
    """True if a unit that enters must stop."""
    less: tuple[int, int, int] = (0, 0, 0)
    """Dice that infantry, vehicles and God Machines lose when attacking a target in this ground."""
    most_vehicle_dice: int = 0
    """Largest number of dice of vehicles in this ground; 0 for no limit."""
    fewer_dice: int = 0
    """Dice that a unit in this ground loses in its own battles."""
    raises: int = 0
    """Number added to the Size of a unit in this ground, for sight."""
    entering: tuple[str, ...] | None = None
    """Kinds of units that may battle in the turn in which they enter; None for all kinds."""
    only_for: tuple[UnitClass, ...] | None = msgspec.field(default=None, name="for")
    """Classes that may enter; None for all."""
    not_for: tuple[str, ...] = ()
    """Kinds of units that may not enter."""
    favours: int = 0
    """Number of Retreat symbols that a unit in this ground may ignore."""
    clauses: str


class CardPicture(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parts of a card's picture that do not follow from its sections and units."""

    sky: Sky
    scene: Scene = ""
    figures: tuple[str, ...] = ()
    """Names of the silhouettes in the picture."""


class CardKind(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of order card."""

    title: str
    words: str
    count: int
    """Number of these cards in the deck."""
    clause: str
    picture: CardPicture
    sections: tuple[Section, ...] = ()
    """Sections in which the card orders units; empty for anywhere."""
    units: int = 0
    """Number of units that the card orders, in each of its sections if it has sections; `ALL` for all units."""
    only: Literal["", "infantry", "vehicle", "god-machine", "infantry-apart", "apart", "touching", "leadership"] = ""
    """Units that the card may order: a class, units next to an enemy or to none (`apart`), or a leader's neighbours."""
    or_any: bool = False
    """True if the card orders any one unit of a side without matching units."""
    farther: int = 0
    """Number of additional hexes that its units may move and still battle."""
    stays: bool = False
    """True if units that the card orders may not move."""
    dice: int = 0
    """Number of additional dice of its units, in battles of the kind `when`."""
    when: Literal["", "close", "fire", "any"] = ""
    """Battles that get the additional dice: with neighbours (`close`), at a distance (`fire`), or both."""
    draw: int = 1
    """Number of cards drawn at the end of the turn; one of them is kept."""
    act: Literal["", "barrage", "lance", "repair", "dig-in", "inspire", "copy"] = ""
    react: bool = False
    """True if the card is played in the enemy's turn."""

    @property
    def area(self) -> str:
        return {0: "", 1: "".join(self.sections), 2: "both", 3: "all"}[len(self.sections)]

    @property
    def orders(self) -> tuple[int, ...]:
        """Number of units ordered in each section, or anywhere without sections; -1 for all; empty for none."""
        many = -1 if self.units == ALL else self.units
        if self.sections:
            return tuple([many if section in self.sections else 0 for section in get_args(Section)])
        return (many,) if many else ()


UNITS: dict[str, UnitKind] = rows(_DATA / "units.yaml", UnitKind, lambda _: _STANDS_IN)
"""Rows of the unit table, by key."""

GROUNDS: dict[str, GroundEffects] = rows(_DATA / "terrain.yaml", GroundEffects, lambda row: {WHOLE: row.clauses})
"""Kinds of terrain and the entrenchment marker, by key."""

CARDS: dict[str, CardKind] = rows(_DATA / "cards.yaml", CardKind, lambda row: {WHOLE: f"{row.clause} HX-S40"})

DECK: tuple[str, ...] = tuple([key for key, card in CARDS.items() for _ in range(card.count)])
"""Keys of all cards in the deck, in the order of the data."""


def _unit_at_fault(key: str, row: UnitKind) -> Iterator[tuple[str, str]]:
    """Yield the faults of a pack's unit: in its key, its moves, and its number of ranges."""
    if not key.startswith(f"{row.unit_class}-"):
        yield f"its key begins with its class, as in {row.unit_class}-{key}", ""
    if row.battle_move > row.move:
        yield f"a unit that moves {quantity(row.move, 'hex')} cannot battle after {row.battle_move}", "battle_move"
    if not 1 <= len(row.dice) <= 6:
        yield f"dice are given for 1 to 6 ranges; this row has {len(row.dice)}", "dice"


UNIT_SHEET = Sheet(
    "units",
    UnitKind,
    UNITS,
    words="The unit table: moves in hexes, dice by range",
    limits={
        "size": (1, 9),
        "models": (1, 6),
        "move": (0, 6),
        "battle_move": (0, 6),
        "dice": (0, 9),
        "points": (1, 60),
        "dear": (0, 60),
        "banners": (1, 4),
    },
    refs={"silhouette": lambda rows: sorted({row.silhouette for row in UNITS.values()})},
    check=_unit_at_fault,
)
GROUND_SHEET = Sheet(
    "terrain",
    GroundEffects,
    GROUNDS,
    words="The effects of the ground on sight and dice",
    hidden=("key", "marks", "clauses", "road", "stop", "entering", "only_for", "not_for"),
    limits={
        "size": (0, 9),
        "less": (0, 4),
        "most_vehicle_dice": (0, 9),
        "fewer_dice": (0, 4),
        "raises": (0, 4),
        "favours": (0, 3),
    },
    grows=False,
)
LEAST_DECK = 30
"""Smallest number of cards in a deck."""


def _deck_at_fault(cards: Mapping[str, CardKind]) -> str:
    count = sum([card.count for card in cards.values()])
    return "" if count >= LEAST_DECK else f"the deck has {LEAST_DECK} cards or more; this one has {count}"


CARD_SHEET = Sheet(
    "cards",
    CardKind,
    CARDS,
    words="The order cards: their orders, and their numbers in the deck",
    hidden=("key", "marks", "clause", "act", "react"),
    limits={"count": (0, 12), "units": (0, ALL), "farther": (0, 4), "dice": (0, 4), "draw": (1, 2)},
    whole=_deck_at_fault,
)
SHEETS = (UNIT_SHEET, GROUND_SHEET, CARD_SHEET)
"""The sheets whose rows a pack may change."""

PackMark = str | UnsetType
"""Name of the pack whose rows a record uses; unset for the printed rows."""


def mark_of(pack: Pack | None) -> PackMark:
    return UNSET if pack is None or not pack.file.rows else pack.name


def mark_here() -> PackMark:
    """Return the name of the pack with which a file is being read; unset if there is none."""
    return mark_of(read_with())


def row_of(kind: str, pack: PackMark) -> UnitKind:
    return UNITS[kind] if pack is UNSET else pack_called(pack).rows(UNIT_SHEET)[kind]


ground_of = GROUND_SHEET.one
card_kind = CARD_SHEET.one


def deck_of(pack: PackMark) -> tuple[str, ...]:
    """Return the keys of all cards in the deck of a pack, in the order of the data."""
    if pack is UNSET:
        return DECK
    cards = pack_called(pack).rows(CARD_SHEET)
    return tuple([key for key, card in cards.items() for _ in range(card.count)])


FACES: dict[str, tuple[Symbol, ...]] = {
    "d6_even": SYMBOLS,
    "d8_weighted": ("infantry", "infantry", "vehicle", "god-machine", "leader", "target", "target", "retreat"),
}
"""Symbols of each battle die, from face 1 up."""


def unit_kind(unit_class: str, unit_type: str, b: HasBook | None = None) -> UnitKind:
    """Return a row of the unit table: of a game, or the printed row if no game is given.

    Raises KeyError for a row that does not exist.
    """
    return (UNITS if b is None else UNIT_SHEET.of(b))[f"{unit_class}-{unit_type}"]


@rule("HX-Q02", "HX-S01")
def battle_die(b: HasBook) -> tuple[Symbol, ...]:
    """The battle die has six sides with different symbols."""
    return FACES["d6_even"]


@cache
def in_words(symbols: tuple[Symbol, ...]) -> tuple[str, ...]:
    """Return the names of symbols for players.

    >>> in_words(("god-machine", "target"))
    ('God Machine', 'Target')
    """
    return tuple([symbol.replace("-", " ").title() for symbol in symbols])


def reading_of_symbols(b: HasBook, symbols: Collection[Symbol]) -> RollReading:
    """Return a reading of battle dice that counts each of some symbols separately, and all other symbols together."""
    faces = battle_die(b)
    return counted(*[[face for face, shown in enumerate(faces, 1) if shown == symbol] for symbol in symbols])


def battle_throw(b: HasBook, dice: int, reads: RollReading, side: int, words: str) -> Throw:
    symbols = in_words(battle_die(b))
    return Throw(Pool(dice, len(symbols)), reads=reads, side=side, words=words, symbols=symbols)


@battle_die.amended_by("HX-Q02", "HX-S01", house={"battle_die": "d8_weighted"})
def the_die_has_eight_faces(faces: tuple[Symbol, ...], b: HasBook) -> tuple[Symbol, ...]:
    """House rule: the battle die has eight sides, with two Infantry and two Target symbols."""
    return FACES["d8_weighted"]


@rule("HX-S20", "HX-S21")
def price(b: HasBook, kind: UnitKind) -> int:
    return kind.number("points")


@price.amended_by("HX-S21", house={"battle_die": "d8_weighted"})
def the_die_makes_armour_dearer(points: int, b: HasBook, kind: UnitKind) -> int:
    """House rule: with the eight-sided die, vehicles, Leader units and God Machines cost more."""
    return kind.dear or points


switches = partial(switches_in, _DATA)
"""All house rules, read from `data/house_rules.yaml`."""
