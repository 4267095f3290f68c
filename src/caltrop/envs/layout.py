"""What a side sees as an array of numbers, whose layout is the same for every game.

An array has five sections: the table as a whole, the ground, the units, the marked places, and the answers that have a
number now. It is read off the picture that every door draws of the side's own view, and off that side's own question:
there is nothing in it that a person on that side would not see. `docs/environments.md` tells what every column is.

All numbers lie between -1 and 1. Places are shares of the table's width and height, lengths are shares of its longer
edge, and counts are divided by 20. Words are put into so many columns by a hash (`column_of`), since games and their
words are not known here: two words of a game may share a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, Self
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from caltrop.asking import Offer, offered
from caltrop.engine import Decision, name_of
from caltrop.envs.numbered import Numbered, Prepared
from caltrop.picture import Card, Ground, Group, Picture, Point, Seat

WORDS = 16
"""Columns into which words are put."""
GRID = 16
"""Columns and rows of the ground."""
SPOTS = 16
"""Marked places that have a row."""
NUMBERS = 4
"""Numbers of an answer that have a column."""

Array = NDArray[np.float32]


class Section(NamedTuple):
    """A part of the array: rows of columns that mean the same in every row."""

    name: str
    start: int
    """Where in the array it begins."""
    rows: int
    columns: tuple[str, ...]
    """What each column is."""

    @property
    def end(self) -> int:
        """Where in the array it ends."""
        return self.start + self.rows * len(self.columns)


@lru_cache(maxsize=8192)
def column_of(word: str, columns: int = WORDS) -> int:
    """The column of a word: its CRC-32 by the number of columns.

    >>> column_of("stun"), column_of("worm")
    (14, 5)
    """
    return crc32(word.encode()) % columns


@lru_cache(maxsize=8192)
def number_in(text: str) -> float:
    """The first number of a text, 0 where it has none.

    >>> number_in("Q3"), number_in("3 of 5"), number_in("-1/-2"), number_in("light-footed")
    (3.0, 3.0, -1.0, 0.0)
    """
    found = re.search(r"(?<![a-z])-?\d+", text)
    return float(found[0]) if found else 0.0


def _words(name: str) -> tuple[str, ...]:
    return tuple([f"{name} {n}" for n in range(WORDS)])


_SEAT = ("cards held", *_words("points"), *_words("card played"))
_UNIT = (
    "there",
    "own",
    "on the table",
    "x",
    "y",
    "models",
    "strength",
    "full strength",
    "reach",
    "walk",
    "heading x",
    "heading y",
    "side",
    *_words("kind"),
    *_words("token"),
    *_words("stat"),
)
_SPOT = ("there", "x", "y", "radius", "held by own", "held by another", "secured", *_words("kind"))
_PLACE = ("has a place", "x", "y")


class Layout:
    """The layout of the arrays of one setting.

    Args:
        start: The setting.
        most: The most answers that have a number.

    Attributes:
        sections: The parts of the array, by name.
        size: How many numbers an array has.
    """

    def __init__(self, start: Prepared, most: int) -> None:
        self.start, self.rules = start, start.rules
        vocabulary = start.rules.vocabulary()
        self.decisions = {name_of(kind): n for n, kind in enumerate(vocabulary.decisions)}
        self.actions = {name_of(kind): n for n, kind in enumerate(vocabulary.actions)}
        self._bits = len(self.actions).bit_length()
        self.units = _room(start.opening.groups)
        self.most = most
        decisions = tuple([f"asked {name}" for name in self.decisions])
        whole = (
            "round",
            "step",
            "turned to",
            *[f"own {name}" for name in _SEAT],
            *[f"other {name}" for name in _SEAT],
            *_words("hand"),
            *decisions,
        )
        answer = (
            "legal",
            *[f"kind bit {n}" for n in range(self._bits)],
            "ends",
            "has a unit",
            "unit x",
            "unit y",
            "unit strength",
            "has a target",
            "target x",
            "target y",
            "target strength",
            "target is own",
            *_PLACE,
            *[f"number {n}" for n in range(NUMBERS)],
        )
        self.sections: dict[str, Section] = {}
        self.size = 0
        for name, rows, columns in (
            ("whole", 1, whole),
            ("ground", GRID * GRID, ("kind",)),
            ("units", self.units, _UNIT),
            ("spots", SPOTS, _SPOT),
            ("answers", most, answer),
        ):
            self.sections[name] = section = Section(name, self.size, rows, columns)
            self.size = section.end
        self._ground: tuple[tuple[Ground, ...], Array] | None = None
        # From one question to the next most units and places are as they were: their rows are kept, with what they
        # were read off, for the side that looked.
        self._unit_rows: dict[tuple[int, int], tuple[Group, Array]] = {}
        self._spot_rows: dict[tuple[int, int], tuple[Any, list[float]]] = {}
        self._bits_of = {
            name: tuple([float(kind >> bit & 1) for bit in range(self._bits)]) for name, kind in self.actions.items()
        }

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.start, self.most)

    def array(self, game: Numbered, side: int) -> Array:
        """What *side* sees of a game.

        Args:
            game: The game.
            side: The side that looks: its answers are in the array where it is asked, and nobody else's ever.
        """
        asked = game.asked if game.asked is not None and game.asked.side == side else None
        return self.seen(game.match.view(side), side, asked, () if asked is None else game.answers)

    def seen(self, view: Any, side: int, asked: Decision | None, answers: Sequence[Any]) -> Array:
        """What a side sees, as an array.

        Args:
            view: The state as the side sees it.
            side: The side that looks.
            asked: The question that it is asked; None where it is asked nothing.
            answers: The answers that have a number.
        """
        picture = self.rules.depict(view, side)
        found = np.zeros(self.size, np.float32)
        self._write("whole", found, [self._whole(picture, side, asked)])
        ground = self.sections["ground"]
        found[ground.start : ground.end] = self._ground_of(picture)
        units = {group.id: group for group in picture.groups}
        self._write_units(found, picture, units, side)
        self._write("spots", found, [self._spot(picture, n, side) for n in range(min(SPOTS, len(picture.spots)))])
        if asked is not None:
            offers = _offers(asked, view)
            cells = {cell.name: cell.at for cell in picture.cells}
            rows = [self._answer(picture, units, offers, cells, one, side) for one in answers]
            self._write("answers", found, rows)
        return np.clip(found, -1.0, 1.0, out=found)

    def mask(self, game: Numbered, side: int) -> NDArray[np.int8]:
        """1 for each number that is an answer of *side* now, 0 for the others."""
        found = np.zeros(self.most, np.int8)
        if game.asked is not None and game.asked.side == side:
            found[: len(game.answers)] = 1
        return found

    def _write(self, name: str, found: Array, rows: Sequence[Sequence[float]]) -> None:
        if rows:
            section = self.sections[name]
            found[section.start : section.start + len(rows) * len(section.columns)] = np.asarray(
                rows, np.float32
            ).reshape(-1)

    # --- the table as a whole ---

    def _whole(self, picture: Picture, side: int, asked: Decision | None) -> list[float]:
        stage = picture.stage
        row = [
            stage.round / (stage.rounds or 20),
            (stage.now + 1) / (len(stage.steps) + 1),
            float(side) if len(picture.seats) > 1 else 0.0,
        ]
        seats = {seat.side == side: seat for seat in picture.seats}
        for own in (True, False):
            row += _seat(seats.get(own))
        row += _cards(picture.hand)
        kinds = [0.0] * len(self.decisions)
        if asked is not None:
            kinds[self.decisions[name_of(asked)]] = 1.0
        return row + kinds

    # --- the ground ---

    def _ground_of(self, picture: Picture) -> Array:
        if self._ground is None or (self._ground[0] is not picture.grounds and self._ground[0] != picture.grounds):
            self._ground = picture.grounds, _grid(picture)
        return self._ground[1]

    # --- units ---

    def _write_units(self, found: Array, picture: Picture, units: Mapping[int, Group], side: int) -> None:
        section = self.sections["units"]
        width = len(section.columns)
        late = [id for id in units if not 0 <= id < self.units]
        free = iter([row for row in range(self.units) if row not in units]) if late else iter(())
        for id, group in units.items():
            row = id if 0 <= id < self.units else next(free, None)
            if row is not None:
                at = section.start + row * width
                found[at : at + width] = self._unit_row(picture, group, side)

    def _unit_row(self, picture: Picture, group: Group, side: int) -> Array:
        kept = self._unit_rows.get((side, group.id))
        if kept is None or kept[0] != group:
            kept = group, np.array(self._unit(picture, group, side), np.float32)
            self._unit_rows[side, group.id] = kept
        return kept[1]

    def _unit(self, picture: Picture, group: Group, side: int) -> list[float]:
        longer = max(picture.width, picture.height)
        strength, full = _strength(group)
        x, y = _middle(picture, group)
        heading = next((piece.heading for piece in group.pieces if piece.heading is not msgspec.UNSET), (0, 0))
        along = max(1.0, (heading[0] ** 2 + heading[1] ** 2) ** 0.5)
        row = [
            1.0,
            float(group.side == side),
            float(bool(group.pieces)),
            x,
            y,
            len(group.pieces) / 20,
            strength / 20,
            full / 20,
            group.reach / longer,
            group.walk / longer,
            heading[0] / along,
            heading[1] / along,
            float(group.side) if group.side else 0.0,
        ]
        kinds, tokens, stats = [0.0] * WORDS, [0.0] * WORDS, [0.0] * WORDS
        kinds[column_of(group.kind)] = 1.0
        for token in group.tokens:
            tokens[column_of(token.kind)] += token.count / 20
        for piece in group.pieces:
            for token in piece.tokens:
                tokens[column_of(token.kind)] += token.count / 20
        for stat in group.stats:
            stats[column_of(stat.label)] += number_in(stat.value) / 20
        return row + kinds + tokens + stats

    # --- marked places ---

    def _spot(self, picture: Picture, number: int, side: int) -> list[float]:
        spot = picture.spots[number]
        kept = self._spot_rows.get((side, number))
        if kept is not None and kept[0] == spot:
            return kept[1]
        kinds = [0.0] * WORDS
        kinds[column_of(spot.kind)] = 1.0
        row = [
            1.0,
            *_share(picture, spot.at),
            spot.radius / max(picture.width, picture.height),
            float(spot.holder == side),
            float(spot.holder not in (None, side)),
            float(spot.secured),
            *kinds,
        ]
        self._spot_rows[side, number] = spot, row
        return row

    # --- answers ---

    def _answer(
        self,
        picture: Picture,
        units: Mapping[int, Group],
        offers: Mapping[Any, Offer],
        cells: Mapping[str, Point],
        answer: Any,
        side: int,
    ) -> list[float]:
        offer = offers.get(answer)
        acting = units.get(_named(answer, offer, "unit"))
        target = units.get(_named(answer, offer, "target"))
        place = offer.spot if offer is not None and offer.spot is not None else _place_in(answer, cells)
        numbers = list(islice(_numbers_in(answer), NUMBERS))
        row = [1.0, *self._bits_of[name_of(answer)], float(offer is not None and offer.final)]
        if acting is None:
            row += [0.0, 0.0, 0.0, 0.0]
        else:
            row += [1.0, *_middle(picture, acting), _strength(acting)[0] / 20]
        if target is None:
            row += [0.0, 0.0, 0.0, 0.0, 0.0]
        else:
            row += [1.0, *_middle(picture, target), _strength(target)[0] / 20, float(target.side == side)]
        row += [0.0, 0.0, 0.0] if place is None else [1.0, *_share(picture, place)]
        return row + numbers + [0.0] * (NUMBERS - len(numbers))


def _room(groups: Sequence[Group]) -> int:
    """How many units have a row: twice as many as there are at the beginning, by eights, since some come later."""
    most = max([len(groups), *[group.id + 1 for group in groups]], default=1)
    return min(128, 8 * -(-2 * most // 8))


def _share(picture: Picture, at: Point) -> tuple[float, float]:
    return at[0] / picture.width, at[1] / picture.height


def _middle(picture: Picture, group: Group) -> tuple[float, float]:
    """The middle of a unit's models as shares of the table; 0, 0 where none is on it."""
    count = len(group.pieces)
    if not count:
        return 0.0, 0.0
    x, y = sum([piece.at[0] for piece in group.pieces]), sum([piece.at[1] for piece in group.pieces])
    return x / count / picture.width, y / count / picture.height


@lru_cache(maxsize=1024)
def _two_numbers(text: str) -> tuple[float, float]:
    first, _, second = text.partition("/")
    strength = number_in(first)
    return strength, number_in(second) if second else strength


def _strength(group: Group) -> tuple[float, float]:
    return _two_numbers(group.strength)


def _seat(seat: Seat | None) -> list[float]:
    if seat is None:
        return [0.0] * len(_SEAT)
    points, played = [0.0] * WORDS, [0.0] * WORDS
    for stat in seat.points:
        points[column_of(stat.label)] += number_in(stat.value) / 20
    if seat.played is not None:
        played[column_of(seat.played.kind)] = 1.0
    return [(seat.cards or 0) / 20, *points, *played]


def _cards(hand: Iterable[Card]) -> list[float]:
    row = [0.0] * WORDS
    for card in hand:
        row[column_of(card.kind)] += 1 / 20
    return row


def _offers(asked: Decision, view: Any) -> dict[Any, Offer]:
    """The answers that are offered in words, by the answer: who acts, at what, and where."""
    found: dict[Any, Offer] = {}
    for offer in offered(asked).offers(view):
        found.setdefault(offer.action, offer)
    return found


def _named(answer: Any, offer: Offer | None, field: str) -> int:
    """The unit that acts or is aimed at, as the offer says or a field of that name; -1 for none."""
    found = getattr(offer, field, None)
    if found is None:
        found = getattr(answer, field, None)
        if found is None:
            inner = [getattr(answer, name) for name in answer.__struct_fields__]
            found = next((getattr(one, field) for one in inner if hasattr(one, field)), None)
    return found if type(found) is int else -1


@lru_cache(maxsize=1024)
def _placing(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields of an act that hold places, records or words: those in which it may say where it leads to."""
    found = []
    for field in msgspec.structs.fields(kind):
        if "tuple[int, int]" in str(field.type) or field.type is str or "." in str(field.type):
            found.append(field.name)
    return tuple(found)


def _place_in(answer: Any, cells: Mapping[str, Point]) -> Point | None:
    """Where an answer leads to: the last place of its first way, the first place that it names, or its hex."""
    kind: Any = type(answer)
    for name in _placing(kind):
        value = getattr(answer, name)
        if type(value) is str:
            found = cells.get(value)
        elif isinstance(value, msgspec.Struct):
            found = _place_in(value, cells)
        else:
            found = _end(value)
        if found is not None:
            return found
    return None


def _end(value: Any) -> Point | None:
    """The last place of a way, of the first of several ways, or a place itself."""
    if type(value) is not tuple or not value:
        return None
    if len(value) == 2 and type(value[0]) is int and type(value[1]) is int:
        return value[0], value[1]
    if type(value[0]) is int:  # the model, and its way
        return _end(value[-1])
    return _end(value[-1]) if _is_way(value) else _end(value[0])


def _is_way(value: tuple[Any, ...]) -> bool:
    return all(type(one) is tuple and len(one) == 2 and type(one[1]) is int for one in value)


def _numbers_in(answer: Any) -> Iterable[float]:
    """What an answer says besides the units that it names and its places: numbers by 20, words by their hash."""
    for name in answer.__struct_fields__:
        value = getattr(answer, name)
        if value is None:
            continue
        if type(value) is bool:
            yield float(value)
        elif type(value) is int and name not in ("unit", "target"):
            yield value / 20
        elif type(value) is str:
            yield (1 + column_of(value, 64)) / 64
        elif isinstance(value, msgspec.Struct):
            yield from _numbers_in(value)


def _grid(picture: Picture) -> Array:
    """The ground at the middle of each field of a grid, from the lower left: a number for its kind, 0 for open."""
    found = np.zeros((GRID, GRID), np.float32)
    for row in range(GRID):
        for column in range(GRID):
            x, y = picture.width * (2 * column + 1) / (2 * GRID), picture.height * (2 * row + 1) / (2 * GRID)
            kinds = [ground.kind for ground in picture.grounds if _inside(ground.outline, x, y)]
            if kinds:
                found[row, column] = (1 + column_of(kinds[-1], 15)) / 15
    return found.reshape(-1)


def _inside(outline: Sequence[Point], x: float, y: float) -> bool:
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], *outline[:1]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside
