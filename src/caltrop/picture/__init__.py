"""The neutral picture of a table: what a ruleset says is to be seen, and what every door draws.

A ruleset turns a side's view into a `Picture`; the page and the terminal draw pictures and know no rule. Lengths are in
the table's own whole units; words are ready to be read. This package knows no game and no state.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.picture.shelf import Look, Paint

Point = tuple[int, int]


class Reason(msgspec.Struct, frozen=True):
    """One part of a number, with the clause that puts it there."""

    value: int
    clause: str
    words: str


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A countable marker: `stun`, `worm`, `mark`, `drone`, `lock`, `moved`, `target`."""

    kind: str
    count: int = 1
    words: str = ""
    tiles: tuple[str, ...] | UnsetType = UNSET
    """Texts of tiles at the unit, face by face; empty for one that lies face down."""


class Stat(msgspec.Struct, frozen=True, kw_only=True):
    """A number of a unit or a side, with where it comes from."""

    label: str
    value: str
    because: tuple[Reason, ...] = ()
    words: str | UnsetType = UNSET
    """The label without abbreviations, if it has any: `Command points`."""
    pays: str | UnsetType = UNSET
    """Unit of prices paid in it: `CP`."""
    goal: int | UnsetType = UNSET
    """Number of them that wins, if that is how the game is won; 0 if the side with more at the end wins."""


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A model on the table."""

    id: int
    at: Point
    radius: int
    silhouette: str = ""
    """Overrules the unit's silhouette."""
    tokens: tuple[Token, ...] = ()
    heading: Point | UnsetType = UNSET
    """The direction in which its front looks, if it has a front."""
    hull: tuple[int, int] | UnsetType = UNSET
    """Half its length and half its width, where it is a rectangle along its heading; its radius is that around it."""
    look: Look | UnsetType = UNSET
    """Overrules the unit's look."""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    side: int
    name: str
    kind: str
    silhouette: str
    """The symbol on its bases: the names are in the page's `silhouettes.ts`."""
    look: Look | UnsetType = UNSET
    """Look of its models (`caltrop.picture.shelf`); by default as its silhouette suggests."""
    paint: Paint | UnsetType = UNSET
    """Colours; by default those of its side."""
    pieces: tuple[Piece, ...] = ()
    """Its models on the table, the one that a drag leads first; none while it is off the table."""
    tokens: tuple[Token, ...] = ()
    stats: tuple[Stat, ...] = ()
    reach: int = 0
    """Firing range from the edge of its bases; 0 for none."""
    walk: int = 0
    """The farthest that it may move."""
    strength: str = ""
    """As in `3/4`."""
    plate: tuple[str, ...] = ()
    """Further text at it, from the longest: the first that fits is shown instead of its strength."""
    zone: int = 0
    """Distance from its bases that the unit to move now must keep; 0 for none."""
    model: Piece | UnsetType = UNSET
    """A model of it as it is drawn while the unit is put down; its place and its id say nothing."""
    whereabouts: str | UnsetType = UNSET
    """Place of a unit off the table, in a few words: `in reserve`, `aboard the truck`."""
    carrier: int | UnsetType = UNSET
    """The unit that it is aboard."""
    quarters: tuple[str, str, str] | UnsetType = UNSET
    """Labels of its front, sides and rear; doors divide them at 45 degrees to the heading."""
    called: str | UnsetType = UNSET
    """Its name in a sentence, where `name` would not tell it from a unit of another side."""

    @property
    def in_words(self) -> str:
        return self.name if self.called is UNSET else self.called


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of terrain."""

    id: int
    kind: str
    name: str
    outline: tuple[Point, ...]
    words: str = ""
    """Its effect in one line."""


TERRAIN_LOOKS: tuple[str, ...] = (
    "woods",
    "hill",
    "rough",
    "built-up",
    "ruins",
    "building",
    "block",
    "bunker",
    "impassable",
    "pit",
    "crater",
    "water",
    "mud",
    "hedge",
    "wall",
)
"""Looks for terrain of a measured table (`Ground.kind`); a door draws any other name as rough ground."""

LANDS: tuple[str, ...] = ("summer", "ash", "autumn", "dusk", "meadow", "village", "crypt", "wild")
"""Looks for the ground of a measured table (`Picture.land`); the last four are seen from nearer than the others."""


class Zone(msgspec.Struct, frozen=True, kw_only=True):
    """A marked area, such as a deployment zone or a section of a map."""

    name: str
    side: int | None
    outline: tuple[Point, ...]
    lit: bool = False
    """True if it is what the game is about just now, as the section that a card names."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A hex of a map."""

    name: str
    """As it is printed: `E5`."""
    at: Point


Sky = Literal["dawn", "noon", "gold", "dusk", "night", "storm", "fire"]
"""The light in the picture of a card."""

Scene = Literal["", "beam", "bursts", "bags", "bushes", "dome", "blades", "wrench", "mirror", "rings", "star"]
"""Things in the picture of a card besides those who act: a beam from above, shells that burst, bags of sand, …"""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A card that somebody holds or has played, to be read."""

    kind: str
    """Cards of one kind are alike; an `Offer` names the card that it plays by it."""
    title: str
    words: str
    """Its effect in a sentence or two."""
    area: str = ""
    """Area in which it acts: `left`, `centre`, `right`, `both` flanks, `all`; empty for a card
    that names no section.
    """
    clauses: tuple[str, ...] = ()
    drawn: bool = False
    """True if it has just been drawn, while it is asked which of the cards drawn is kept."""
    orders: tuple[int, ...] = ()
    """Number of units it orders on the left, in the centre and on the right; one number where they may stand anywhere.
    -1 is all.
    """
    sky: Sky = "dawn"
    scene: Scene = ""
    figures: tuple[str, ...] = ()
    """Silhouettes in its picture, by name, repeated if it orders more."""


class Pile(msgspec.Struct, frozen=True, kw_only=True):
    """A pile of cards on the table, which belongs to nobody."""

    name: str
    cards: int
    top: Card | None = None
    """The card that lies face up on it; None for a pile that lies face down."""
    lines: tuple[str, ...] = ()
    """Public content in words."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A marked place, such as an objective."""

    id: int
    name: str
    kind: str
    at: Point
    radius: int
    holder: int | None = None
    secured: bool = False
    words: str = ""


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    side: int
    name: str
    letter: str
    shape: str
    """`circle`, `diamond` or `square`: sides differ by shape and letter as well as by colour."""
    far: bool | None = None
    """True if its own edge of the table is the upper one; None if the places of its units decide that."""
    points: tuple[Stat, ...] = ()
    """Points that it may spend or has scored."""
    cards: int | None = None
    """Number of cards it holds; None in a game without cards."""
    played: Card | None = None
    """The card that it has played last, face up."""


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """The present step of the turn, in the rulebook's terms."""

    round: int
    rounds: int | None
    steps: tuple[str, ...]
    now: int
    """Index into steps; -1 outside them."""
    words: str
    """One line: whose go it is, and what comes next."""


class Prize(msgspec.Struct, frozen=True, kw_only=True):
    """Something that brings a side nearer to winning."""

    name: str
    worth: str
    """Worth and condition: `2 victory points if secured at the end`."""
    side: int | None = None
    """The side that has it now; None if neither has."""


class Victory(msgspec.Struct, frozen=True, kw_only=True):
    """The ways to win a battle, and its end if it ended now."""

    words: tuple[str, ...]
    """Sentences on how it is won and when it ends."""
    prizes: tuple[Prize, ...] = ()
    """Prizes that count, each with its worth now."""
    now: str = ""
    """The side that would win if the battle ended now, as a sentence; empty before it has begun."""
    leader: int | None = None
    """That side; None if it would be a draw."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """Something between two places: a declared attack, a lock, a mark."""

    kind: str
    start: Point
    end: Point
    words: str = ""
    side: int | None = None
    wide: int | UnsetType = UNSET
    """Breadth of a strip between them; a line by default."""


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """The whole table as one side may see it."""

    form: str
    """`plane` (measured) or `hexes`: a map of hexes, laid out on the same plane with a corner at the top of each."""
    width: int
    height: int
    scale: int
    """Table units for each unit of the game's own measure (100 for centimetres in tenths of a millimetre)."""
    measure: str
    """The game's own measure, as in `cm`."""
    grounds: tuple[Ground, ...] = ()
    zones: tuple[Zone, ...] = ()
    spots: tuple[Spot, ...] = ()
    seats: tuple[Seat, ...] = ()
    groups: tuple[Group, ...] = ()
    lines: tuple[Line, ...] = ()
    cells: tuple[Cell, ...] = ()
    """Every hex of a map, row by row from the top."""
    corners: tuple[Point, ...] = ()
    """The corners of a hex, from its centre."""
    hand: tuple[Card, ...] = ()
    """The cards in the hand of the side that looks; those just drawn come first."""
    piles: tuple[Pile, ...] = ()
    reach: str = "range"
    """Label of a unit's reach."""
    land: str = ""
    """The ground of a measured table, by the name of one that the doors know: one of `LANDS`."""
    seed: int = 0
    """Says which of all pictures of such a table it is: the same table has the same, whatever happens on it."""
    faces: tuple[str, ...] = ()
    """Symbols of the game's dice, from face 1 up, if they have no pips."""
    goal: Victory | UnsetType = UNSET
    """Ways to win the battle; left out if a scenario has no end to win."""
    stage: Stage


class DieRead(msgspec.Struct, frozen=True, kw_only=True):
    """One die of an attack, and what it counted for."""

    face: int
    was: int | None = None
    """Its face before it was thrown again."""
    result: str = ""
    """`kill`, `stun`, in the game's own words; empty for a miss."""
    pair: int = 0
    """Dice of the same number, from 1, count together."""
    ignored: bool = False
    """It hit, and the target takes no notice."""
    by: tuple[int, ...] = ()
    """The dice of the answer that cancel it, by their place."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """The actual and the expected result of a roll."""

    side: int
    label: str
    """As in `hits`: equal labels of a side are added up over a game."""
    got: int
    expected: str
    """The exact mean as a fraction: `7/3`."""
    mean: float
    """The same, rounded, for people."""
    chances: tuple[float, ...] = ()
    """The chances of 0, 1, 2 … of it, rounded; empty if nobody has worked them out."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """Dice as they were read: an attack with what answered it."""

    words: str
    side: int
    unit: int | None = None
    target: int | None = None
    sides: int = 6
    added: bool = False
    """True if sums are added to the die that is thrown: one against one, and the higher wins."""
    terms: tuple[Reason, ...] = ()
    """The number of dice as a sum, or what is added to the die."""
    dice: tuple[DieRead, ...] = ()
    answer_words: str = ""
    answer_side: int | None = None
    answer_terms: tuple[Reason, ...] = ()
    answer: tuple[int, ...] = ()
    """The dice thrown against it."""
    came: str = ""
    tallies: tuple[Tally, ...] = ()


class Fallen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model that fell, as it lies there: nothing of the rules, and nobody's way is longer for it."""

    piece: Piece
    """As it stood last."""
    side: int
    name: str
    silhouette: str = ""
    look: Look | UnsetType = UNSET
    paint: Paint | UnsetType = UNSET


Way = tuple[int, tuple[Point, ...]]
"""A piece, and the places by which it went, from where it stood."""

Sort = Literal[
    "move",
    "place",
    "charge",
    "aim",
    "shot",
    "blow",
    "dice",
    "loss",
    "mark",
    "reaction",
    "score",
    "card",
    "order",
    "scatter",
]


class Motion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The sight of an event on the table: a sort that every game has, and the units and places.

    Doors show all games' sights of a sort alike. The picture has the places afterwards, and the dice are in the event's
    `Reading`: neither stands here again.
    """

    sort: Sort
    """Of movement: `move` (along ways, or straight), `place` (pieces are put down), `charge` (a move that meets its
    target). Of attacks: `aim` (at a target or a place), `shot` and `blow` (at a target, with dice), `dice` (for nobody
    but the unit itself). Of results: `loss` (of models or of strength), `mark` (something begins or ends that a word
    tells), `score` (points, or a place changes hands). Of the rest: `reaction` (somebody breaks in), `card` (turned
    over), `order` (units are named), `scatter` (something falls beside its aim).
    """
    unit: int | None = None
    """Unit that does it or suffers it."""
    target: int | None = None
    units: tuple[int, ...] = ()
    """All that it is about, where these are several."""
    ways: tuple[Way, ...] = ()
    pieces: tuple[int, ...] = ()
    fell: tuple[Fallen, ...] = ()
    """Those of them that lie where they fell, on a measured table."""
    count: int = 0
    """Models or strength lost; points scored, below 0 where they are lost."""
    tag: str = ""
    """Word or two at the unit for a moment: `Pinned`."""
    side: int | None = None
    """Side of the points or the card."""
    at: Point | None = None
    """Place aimed at, or of the event: the place that changes hands, or of a unit that is removed."""
    to: Point | None = None
    """Place where it fell."""
    radius: int = 0
    card: Card | None = None


__all__ = [
    "LANDS",
    "TERRAIN_LOOKS",
    "Card",
    "Cell",
    "DieRead",
    "Fallen",
    "Ground",
    "Group",
    "Line",
    "Look",
    "Motion",
    "Paint",
    "Picture",
    "Piece",
    "Pile",
    "Point",
    "Reading",
    "Prize",
    "Reason",
    "Scene",
    "Seat",
    "Sky",
    "Sort",
    "Spot",
    "Stage",
    "Stat",
    "Tally",
    "Token",
    "Victory",
    "Way",
    "Zone",
]
