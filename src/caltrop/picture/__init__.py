"""The picture of a table: a ruleset describes what can be seen, and every door (page, terminal, paper) draws it.

A ruleset turns a side's view into a `Picture`. The page and the terminal draw pictures without knowing any rules.
Lengths are in the table's own whole units, and words are ready to be read.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from caltrop.picture.shelf import Look, Paint

Point = tuple[int, int]


class Reason(msgspec.Struct, frozen=True):
    """One term of a number, with the clause of the rule that adds it."""

    value: int
    clause: str
    words: str


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A countable marker on a unit or a model."""

    kind: str
    """Name of the sign of the token: `stun`, `worm`, `mark`, `drone`, `lock`, `moved`, `target`. No reader sees it."""
    label: str = ""
    """The marker with its count in two or three words, for lists: `2 Stun markers`. Old records have no label."""
    count: int = 1
    words: str = ""
    """Meaning of the marker, as a sentence."""
    tiles: tuple[str, ...] | UnsetType = UNSET
    """Texts of the tiles at the unit; the text of a tile that is face down is empty."""


class Stat(msgspec.Struct, frozen=True, kw_only=True):
    """A number of a unit or a side, with the terms that it is made of."""

    label: str
    value: str
    because: tuple[Reason, ...] = ()
    words: str | UnsetType = UNSET
    """The label without abbreviations, if it has any: `Command points`."""
    pays: str | UnsetType = UNSET
    """Name of the unit in which this number pays prices, such as `CP`; unset if it pays none."""
    goal: int | UnsetType = UNSET
    """Number of these points that wins, if that is how the game is won; 0 if the side with more at the end wins."""


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A model on the table."""

    id: int
    at: Point
    radius: int
    silhouette: str = ""
    """Silhouette of this model; by default the unit's."""
    tokens: tuple[Token, ...] = ()
    heading: Point | UnsetType = UNSET
    """Direction that the model's front faces, if it has a front."""
    hull: tuple[int, int] | UnsetType = UNSET
    """Half the length and half the width, if the base is a rectangle along the heading; its radius is then that of the
    circle around it."""
    look: Look | UnsetType = UNSET
    """Look of this model; by default the unit's."""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    side: int
    name: str
    kind: str
    silhouette: str
    """Name of the symbol on the unit's bases; the page's `silhouettes.ts` has the names."""
    look: Look | UnsetType = UNSET
    """Look of its models (`caltrop.picture.shelf`); by default as its silhouette suggests."""
    paint: Paint | UnsetType = UNSET
    """Colours; by default those of its side."""
    pieces: tuple[Piece, ...] = ()
    """The unit's models on the table; the first one leads a drag. Empty while the unit is off the table."""
    tokens: tuple[Token, ...] = ()
    stats: tuple[Stat, ...] = ()
    reach: int = 0
    """Firing range from the edge of the unit's bases; 0 for none."""
    walk: int = 0
    """Greatest distance that the unit may move."""
    strength: str = ""
    """Strength in short, such as `3/4`."""
    plate: tuple[str, ...] = ()
    """Texts that may be shown instead of the strength, the longest first; the first that fits is shown."""
    zone: int = 0
    """Distance that the unit about to move must keep from this unit's bases; 0 for none."""
    model: Piece | UnsetType = UNSET
    """A sample model, for drawing while the unit is put down; its place and its id have no meaning."""
    whereabouts: str | UnsetType = UNSET
    """Place of a unit off the table, in a few words: `in reserve`, `aboard the truck`."""
    carrier: int | UnsetType = UNSET
    """Number of the unit that carries this unit."""
    quarters: tuple[str, str, str] | UnsetType = UNSET
    """Labels of its front, sides and rear; doors divide them at 45 degrees to the heading."""
    called: str | UnsetType = UNSET
    """Name in sentences, if a unit of another side has the same `name`."""

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
    """Effect of the terrain in one line."""


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
    """True if the area matters at the moment, such as the section of a played card."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """A hex of a map."""

    name: str
    """Name printed on the hex, such as `E5`."""
    at: Point


Sky = Literal["dawn", "noon", "gold", "dusk", "night", "storm", "fire"]
"""The light in the picture of a card."""

Scene = Literal["", "beam", "bursts", "bags", "bushes", "dome", "blades", "wrench", "mirror", "rings", "star"]
"""Things in the picture of a card besides the figures: a beam from above, bursting shells, sandbags and others."""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A card that somebody holds or has played, to be read."""

    kind: str
    """Kind of the card. Cards of one kind are alike; an `Offer` that plays a card names its kind."""
    title: str
    words: str
    """Effect of the card in one or two sentences."""
    area: str = ""
    """Area in which the card acts: `left`, `centre`, `right`, `both` flanks, `all`; empty if the card names no section.
    """
    clauses: tuple[str, ...] = ()
    drawn: bool = False
    """True if the card has just been drawn and its player must choose which drawn card to keep."""
    orders: tuple[int, ...] = ()
    """Number of units that the card orders on the left, in the centre and on the right, or a single number for units
    anywhere. -1 means all.
    """
    sky: Sky = "dawn"
    scene: Scene = ""
    figures: tuple[str, ...] = ()
    """Names of the silhouettes in the card's picture, repeated if it orders several."""


class Pile(msgspec.Struct, frozen=True, kw_only=True):
    """A pile of cards on the table, which belongs to nobody."""

    name: str
    cards: int
    top: Card | None = None
    """The face-up card on top; None for a face-down pile."""
    lines: tuple[str, ...] = ()
    """Public facts about the pile in words."""


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
    """True if the side's own table edge is the upper one; None if the places of its units decide that."""
    points: tuple[Stat, ...] = ()
    """Points that the side may spend or has scored."""
    cards: int | None = None
    """Number of cards in the side's hand; None in a game without cards."""
    played: Card | None = None
    """The card that the side played last, face up."""


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """The present step of the turn, in the rulebook's terms."""

    round: int
    rounds: int | None
    steps: tuple[str, ...]
    now: int
    """Index into steps; -1 outside them."""
    words: str
    """One line that says whose turn it is and what comes next."""


class Prize(msgspec.Struct, frozen=True, kw_only=True):
    """Something that brings a side nearer to winning."""

    name: str
    worth: str
    """Worth and condition: `2 victory points if secured at the end`."""
    side: int | None = None
    """The side that has it now; None if neither has."""


class Victory(msgspec.Struct, frozen=True, kw_only=True):
    """The ways to win a battle, and the result if it ended now."""

    words: tuple[str, ...]
    """Sentences on how the battle is won and when it ends."""
    prizes: tuple[Prize, ...] = ()
    """Prizes that still count, each with its present worth."""
    now: str = ""
    """The side that would win if the battle ended now, as a sentence; empty before it has begun."""
    leader: int | None = None
    """The side that would win if the battle ended now; None for a draw."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """Something between two places: a declared attack, a lock, a mark."""

    kind: str
    start: Point
    end: Point
    words: str = ""
    side: int | None = None
    wide: int | UnsetType = UNSET
    """Width of a strip between the two places; a line by default."""


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """The whole table as one side sees it."""

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
    """Every hex of the map, row by row from the top."""
    corners: tuple[Point, ...] = ()
    """The corners of a hex, relative to its centre."""
    hand: tuple[Card, ...] = ()
    """The cards in the viewer's hand; newly drawn cards come first."""
    piles: tuple[Pile, ...] = ()
    reach: str = "range"
    """Label of a unit's reach."""
    land: str = ""
    """Name of the ground of a measured table: one of `LANDS`."""
    seed: int = 0
    """Seed for random details of the drawing, such as the ground's texture; constant for a table during a game."""
    faces: tuple[str, ...] = ()
    """Symbols of the game's dice, from face 1 up, if they have no pips."""
    goal: Victory | UnsetType = UNSET
    """Ways to win the battle; left out if a scenario has no end to win."""
    stage: Stage


class DieRead(msgspec.Struct, frozen=True, kw_only=True):
    """One die of an attack with its result."""

    face: int
    was: int | None = None
    """Face before a reroll."""
    result: str = ""
    """Result in the game's own words, such as `kill` or `stun`; empty for a miss."""
    pair: int = 0
    """Number of the group, from 1, whose dice count together; 0 for a die that counts alone."""
    ignored: bool = False
    """True if the die hit, but the target ignores it."""
    by: tuple[int, ...] = ()
    """Indices of the answering dice that cancel this die."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """The actual and the expected result of a roll."""

    side: int
    label: str
    """Noun for the results, such as `hits`; a side's tallies with equal labels are added up over a game."""
    got: int
    expected: str
    """The exact mean as a fraction, such as `7/3`."""
    mean: float
    """The mean, rounded."""
    chances: tuple[float, ...] = ()
    """Chances of 0, 1, 2, … results, rounded; empty if they have not been computed."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """The dice of an attack with their results, and the dice that answered them."""

    words: str
    side: int
    unit: int | None = None
    target: int | None = None
    sides: int = 6
    added: bool = False
    """True for an opposed roll: each side adds its terms to one die, and the higher sum wins."""
    terms: tuple[Reason, ...] = ()
    """Terms of the number of dice, of the number that each needs, or terms that are added to the die."""
    needed: int | UnsetType = UNSET
    """The face that each die needs, if the terms make up this number."""
    modifies: bool | UnsetType = UNSET
    """True if the terms are added to the dice, or to the only die."""
    dice: tuple[DieRead, ...] = ()
    answer_words: str = ""
    answer_side: int | None = None
    answer_terms: tuple[Reason, ...] = ()
    answer: tuple[int, ...] = ()
    """The dice thrown against the attack."""
    came: str = ""
    tallies: tuple[Tally, ...] = ()


class Fallen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fallen model that stays visible. It has no effect on the game."""

    piece: Piece
    """The model as it stood last."""
    side: int
    name: str
    silhouette: str = ""
    look: Look | UnsetType = UNSET
    paint: Paint | UnsetType = UNSET


Way = tuple[int, tuple[Point, ...]]
"""A model, and the points of its path, beginning where it stood."""

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
    """The animation of an event: its sort, its units and its places.

    Doors animate a sort in the same way in all games. The places afterwards are in the picture, and the dice are in the
    event's `Reading`.
    """

    sort: Sort
    """Sorts of movement: `move` (along paths, or straight), `place` (pieces are put down), `charge` (a move that
    reaches its target). Sorts of attacks: `aim` (at a target or a place), `shot` and `blow` (at a target, with dice),
    `dice` (a roll that concerns only the unit itself). Sorts of results: `loss` (of models or strength), `mark` (a
    named state begins or ends), `score` (points, or a place changes hands). Other sorts: `reaction` (a unit
    interrupts), `card` (is turned over), `order` (units are named), `scatter` (something lands beside its aim).
    """
    unit: int | None = None
    """Unit that acts or is affected."""
    target: int | None = None
    units: tuple[int, ...] = ()
    """All units of the event, if there are several."""
    ways: tuple[Way, ...] = ()
    pieces: tuple[int, ...] = ()
    fell: tuple[Fallen, ...] = ()
    """Models that stay lying where they fell, on a measured table."""
    count: int = 0
    """Number of models or strength points lost, or of victory points scored (below 0 if they are lost)."""
    tag: str = ""
    """One or two words shown at the unit for a moment, such as `Pinned`."""
    side: int | None = None
    """Side that scores the points or plays the card."""
    at: Point | None = None
    """Place of the event: the aim, the place that changes hands, or the place of a removed unit."""
    to: Point | None = None
    """Place where a scattered marker or shell landed."""
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
