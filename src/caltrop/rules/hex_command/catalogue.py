"""Units, ground, cards and house rules of Hex Command, as data."""

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
"""A third of the map as a player sees it from the own base line."""

Symbol = Literal["infantry", "vehicle", "god-machine", "leader", "target", "retreat"]
SYMBOLS: tuple[Symbol, ...] = ("infantry", "vehicle", "god-machine", "leader", "target", "retreat")
LETTERS: dict[str, Symbol] = dict(zip("IVGLTR", SYMBOLS, strict=True))
"""Letters of symbols: `I V G L T R`."""

CLASSES: tuple[UnitClass, ...] = ("infantry", "vehicle", "leader", "god-machine")
"""From low to high (HX-HIE-03)."""
TYPES: tuple[UnitType, ...] = ("light", "medium", "heavy", "super-heavy")
"""From low to high (HX-HIE-04)."""

ALL = 99
"""Number of units a card orders that orders all."""

_STANDS_IN = {
    "size": "HX-S20 HX-SMU-02 HX-STA-01 HX-Q04",
    "models": "HX-S20",
    "move": "HX-S20",
    "battle_move": "HX-S20",
    "dice": "HX-S20",
    "points": "HX-S20 HX-S21",
    "banners": "HX-S20 HX-S60",
}
"""The clauses of each value in a row of the unit table."""


class UnitKind(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    unit_class: UnitClass = msgspec.field(name="class")
    type: UnitType
    title: str
    silhouette: str
    """The way it is drawn."""
    size: int
    models: int
    """Models of a full unit. A unit with one model takes as many hits as its Size (HX-SMU-02)."""
    move: int
    """Hexes that it moves at most."""
    battle_move: int
    """Hexes that it may have moved and still battle."""
    dice: tuple[int, ...]
    """Battle dice at range 1, 2, 3, …; beyond the list it cannot battle."""
    counts_as: Literal["", "infantry", "vehicle"] = ""
    """A Leader unit: the class whose symbol hits it too, and as which it counts for cards and terrain."""
    points: int
    dear: int = 0
    """Its price with the eight-sided die, if different."""
    banners: int
    """Victory banners for the side that destroys it."""

    @property
    def is_leader(self) -> bool:
        return self.unit_class == "leader"

    def dice_at(self, distance: int) -> int:
        """Battle dice at a distance in hexes; 0 if it cannot battle so far."""
        if not 1 <= distance <= len(self.dice):
            return 0
        dice: tuple[int, ...] = self.read("dice", ())
        return dice[distance - 1] if dice else 0


class GroundEffects(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The effects of a kind of terrain, or of a marker in a hex."""

    title: str
    size: int = 0
    """Size of the obstacle that sight must pass over."""
    road: bool = False
    stop: bool = False
    """A unit that enters must stop."""
    less: tuple[int, int, int] = (0, 0, 0)
    """Dice that an attacker loses against a target in it: infantry, vehicles, God Machines."""
    most_vehicle_dice: int = 0
    """The most dice that vehicles in it roll; 0 for no limit."""
    fewer_dice: int = 0
    """Dice that a unit in it loses in its own battles."""
    raises: int = 0
    """Addition to the size of a unit on it, for sight."""
    entering: tuple[str, ...] | None = None
    """If it is given, a unit that has entered this turn may not battle, except for these kinds."""
    only_for: tuple[UnitClass, ...] | None = msgspec.field(default=None, name="for")
    """The classes that may enter; all if it is not given."""
    not_for: tuple[str, ...] = ()
    """Kinds that may not enter."""
    favours: int = 0
    """Retreat symbols that a unit in it may ignore."""
    clauses: str


class CardPicture(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The painting of a card, besides its sections and units."""

    sky: Sky
    scene: Scene = ""
    figures: tuple[str, ...] = ()
    """Silhouettes of units."""


class CardKind(Row, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of order card."""

    title: str
    words: str
    count: int
    """Number of them in the deck."""
    clause: str
    picture: CardPicture
    sections: tuple[Section, ...] = ()
    """Sections in which it orders units; empty for anywhere."""
    units: int = 0
    """Number of units it orders, in each section where it names any; `ALL` for all."""
    only: Literal["", "infantry", "vehicle", "god-machine", "infantry-apart", "apart", "touching", "leadership"] = ""
    """The units that may be ordered: a class; those not next to an enemy (`apart`), or next to
    one; a leader's circle.
    """
    or_any: bool = False
    """It orders any one unit if it has no matching unit."""
    farther: int = 0
    """Hexes that its units may move farther and still battle."""
    stays: bool = False
    """Its units may not move."""
    dice: int = 0
    """Dice that its units have more, in battles of the sort `when`."""
    when: Literal["", "close", "fire", "any"] = ""
    draw: int = 1
    """Cards drawn at the end of the turn, of which one is kept."""
    act: Literal["", "barrage", "lance", "repair", "dig-in", "inspire", "copy"] = ""
    react: bool = False
    """It is played in the enemy's turn."""

    @property
    def area(self) -> str:
        return {0: "", 1: "".join(self.sections), 2: "both", 3: "all"}[len(self.sections)]

    @property
    def orders(self) -> tuple[int, ...]:
        """Number of units it orders in each section, or anywhere if it names none: -1 for all, empty for none."""
        many = -1 if self.units == ALL else self.units
        if self.sections:
            return tuple([many if section in self.sections else 0 for section in get_args(Section)])
        return (many,) if many else ()


UNITS: dict[str, UnitKind] = rows(_DATA / "units.yaml", UnitKind, lambda _: _STANDS_IN)
"""The unit table, by key."""

GROUNDS: dict[str, GroundEffects] = rows(_DATA / "terrain.yaml", GroundEffects, lambda row: {WHOLE: row.clauses})
"""Kinds of terrain, and the entrenchment, which is a marker."""

CARDS: dict[str, CardKind] = rows(_DATA / "cards.yaml", CardKind, lambda row: {WHOLE: f"{row.clause} HX-S40"})

DECK: tuple[str, ...] = tuple([key for key, card in CARDS.items() for _ in range(card.count)])
"""The whole deck, in the order of the data."""


def _unit_at_fault(key: str, row: UnitKind) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a unit of a pack: its key begins with its class, and it has as many dice as hexes."""
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
"""Cards that a deck has at least."""


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
"""The rows that a pack may change."""

PackMark = str | UnsetType
"""The pack whose rows a record goes by; unset for the printed ones."""


def mark_of(pack: Pack | None) -> PackMark:
    return UNSET if pack is None or not pack.file.rows else pack.name


def mark_here() -> PackMark:
    """Return the pack that records name by which a file is read now."""
    return mark_of(read_with())


def row_of(kind: str, pack: PackMark) -> UnitKind:
    return UNITS[kind] if pack is UNSET else pack_called(pack).rows(UNIT_SHEET)[kind]


ground_of = GROUND_SHEET.one
card_kind = CARD_SHEET.one


def deck_of(pack: PackMark) -> tuple[str, ...]:
    """Return the whole deck, in the order of the data."""
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
    """Return a row of the unit table: the printed one, or that of a game.

    Raises KeyError for a row that it does not have.
    """
    return (UNITS if b is None else UNIT_SHEET.of(b))[f"{unit_class}-{unit_type}"]


@rule("HX-Q02", "HX-S01")
def battle_die(b: HasBook) -> tuple[Symbol, ...]:
    """The faces of the battle die: a six-sided one with each symbol once."""
    return FACES["d6_even"]


@cache
def in_words(symbols: tuple[Symbol, ...]) -> tuple[str, ...]:
    """Return the names of symbols.

    >>> in_words(("god-machine", "target"))
    ('God Machine', 'Target')
    """
    return tuple([symbol.replace("-", " ").title() for symbol in symbols])


def reading_of_symbols(b: HasBook, symbols: Collection[Symbol]) -> RollReading:
    """Return a reading of battle dice that counts each of some symbols, and all others alike."""
    faces = battle_die(b)
    return counted(*[[face for face, shown in enumerate(faces, 1) if shown == symbol] for symbol in symbols])


def battle_throw(b: HasBook, dice: int, reads: RollReading, side: int, words: str) -> Throw:
    symbols = in_words(battle_die(b))
    return Throw(Pool(dice, len(symbols)), reads=reads, side=side, words=words, symbols=symbols)


@battle_die.amended_by("HX-Q02", "HX-S01", house={"battle_die": "d8_weighted"})
def the_die_has_eight_faces(faces: tuple[Symbol, ...], b: HasBook) -> tuple[Symbol, ...]:
    """House rule: an eight-sided die with Infantry and Target twice."""
    return FACES["d8_weighted"]


@rule("HX-S20", "HX-S21")
def price(b: HasBook, kind: UnitKind) -> int:
    return kind.number("points")


@price.amended_by("HX-S21", house={"battle_die": "d8_weighted"})
def the_die_makes_armour_dearer(points: int, b: HasBook, kind: UnitKind) -> int:
    """House rule: with the eight-sided die vehicles, Leader units and God Machines cost more."""
    return kind.dear or points


switches = partial(switches_in, _DATA)
"""Every house rule, read from `data/house_rules.yaml`."""
