"""The set-up of a free battle: the sides place their units in turns, and then the battle begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from caltrop.agreeing import agreeing, quantity
from caltrop.asking import Offer, Offered
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Ask,
    Event,
    Go,
    MotionOf,
    Options,
    Procedure,
    Refusal,
    Run,
    ask,
    guard,
    rule,
    step,
)
from caltrop.errors import InputError
from caltrop.rules.hex_command.leaders import takes_leader
from caltrop.rules.hex_command.places import barred
from caltrop.rules.hex_command.records import SOUTH, Battle, Unit
from caltrop.rules.hex_command.turn import Game
from caltrop.rules.hex_command.victory import look_at_objectives
from caltrop.table.hexes import Hex

DEPTH = 2
"""Number of rows in which a side places its units."""
NOT_TO_PLACE = guard("HX-S64", "not-to-place", "That unit is not yours, or is placed already")
ROWS = guard(
    "HX-S64", "rows", "Units are placed in the first two rows, {first} and {second}, and {hex} is in row {row}"
)
TAKEN = guard(("HX-S64", "HX-MOV-06"), "taken", "{hex} is taken by the {unit}")
OFF_THE_MAP = guard("HX-S10", "off-the-map", "{fault}")


class Opening(Procedure):
    """A whole battle, from the first placed unit to its end."""

    last: int | None = None
    """Side that placed the last unit; None before the first."""

    @step("HX-S64")
    def place_a_unit(self, t: Battle) -> Ask | Go:
        """The sides place units in turns, unless all units are on the map."""
        if not (to_place(t, 0) or to_place(t, 1)):
            return Go("begin")
        t.active = places_next(t, self.last)
        return ask(PlaceUnit(side=t.active))

    @step("HX-S64")
    def put_it_down(self, t: Battle, choice: Place) -> Go:
        self.last = t.units[choice.unit].side
        t.put(choice.unit, choice.to, guest=choice.to in t.board)
        t.tell(Placed(choice.unit, choice.to))
        return Go("place_a_unit")

    @step("HX-S60", "HX-TRN-01")
    def begin(self, t: Battle) -> Run:
        """From now on objectives count, and turns are played to the end of the battle."""
        look_at_objectives(t)
        return Run(Game())


@rule("HX-S64")
def rows_of(t: Battle, side: int) -> tuple[int, ...]:
    """A side places its units in its first two rows. The base line comes first in the result."""
    rows = t.field.rows
    return tuple(range(rows, rows - DEPTH, -1)) if side == SOUTH else tuple(range(1, DEPTH + 1))


def to_place(t: Battle, side: int) -> list[Unit]:
    return [u for u in t.units if u.side == side and u.hex is None]


@rule("HX-S64")
def places_next(t: Battle, last: int | None) -> int:
    """The side that moves second places the first unit. Afterwards both place in turns while both have units left."""
    next_one = 1 - t.field.first if last is None else 1 - last
    return next_one if to_place(t, next_one) else 1 - next_one


def check_room(t: Battle) -> None:
    """Check that each side's rows have enough hexes for its army.

    Raises InputError if the units do not fit; the message has both numbers.
    """
    for side in (0, 1):
        units, rows = to_place(t, side), rows_of(t, side)
        if not units:
            continue
        room = sum(all(barred(t, u, hex) is None for u in units) for hex in t.map.hexes if t.map.row(hex) in rows)
        if len(units) > room:
            raise InputError(
                f"{t.field.names[side]} has {quantity(len(units), 'unit')}, and its first two rows have"
                f" {quantity(room, 'hex')} that every one of them may enter: choose a larger map or a smaller army"
            )


# --- decisions -------------------------------------------------------------------------------------------------------


class Place(Action, frozen=True):
    """Place a unit in a hex. A single leader may be placed with a unit."""

    unit: int
    to: Hex


class Places(Options):
    """All placements of the side's remaining units (`left`) in hexes where they may stand."""

    finite = True

    def __init__(self, t: Battle, side: int) -> None:
        self.t, self.side = t, side
        self.left = to_place(t, side)
        self.rows = rows_of(t, side)

    def hexes(self) -> list[Hex]:
        """Return the hexes of the side's rows, in the order of the map."""
        return [hex for hex in self.t.map.hexes if self.t.map.row(hex) in self.rows]

    def why_not(self, unit: Unit, hex: Hex) -> Refusal | None:
        t = self.t
        if hex not in t.map:
            return OFF_THE_MAP.refuses(True, fault=t.map.fault(hex))
        row = t.map.row(hex)
        refusal = ROWS.refuses(row not in self.rows, first=self.rows[0], second=self.rows[1], hex=hex, row=row)
        if refusal is not None:
            return refusal
        there = t.unit_at(hex)
        if there is not None:
            refusal = (
                takes_leader(t, there, unit.side)
                if unit.alone
                else TAKEN.refuses(True, hex=hex, unit=t.called(there.id))
            )
        return refusal or barred(t, unit, hex)

    def of_unit(self, unit: Unit) -> Iterator[Place]:
        for hex in self.hexes():
            if self.why_not(unit, hex) is None:
                yield Place(unit.id, hex)

    def __iter__(self) -> Iterator[Place]:
        for unit in self.left:
            yield from self.of_unit(unit)

    def sample(self, dice: Dice) -> Place:
        places = list(self.of_unit(self.left[dice.below(len(self.left))]))
        return places[dice.below(len(places))]

    def refusal(self, action: object) -> Refusal | None:
        units = {u.id: u for u in self.left}
        if not isinstance(action, Place) or action.unit not in units:
            refusal = NOT_TO_PLACE.refuses(True)
            return refusal.towards(self.first()) if refusal else None
        unit = units[action.unit]
        refusal = self.why_not(unit, action.to)
        if refusal is None:
            return None
        places = list(self.of_unit(unit))
        if action.to in self.t.map:
            places.sort(key=lambda place: self.t.map.distance(place.to, action.to))
        return refusal.towards(places[0])


class PlaceUnit(Offered, frozen=True, kw_only=True):
    clauses: ClassVar[tuple[str, ...]] = ("HX-S64",)
    hint: ClassVar[str] = (
        "The sides place one unit after another. Leave gaps, so that a unit that has to retreat has somewhere to go."
    )

    def options(self, t: Battle) -> Places:
        return Places(t, self.side)

    def prompt(self, t: Battle) -> str:
        left = len(to_place(t, self.side))
        return f"Place a unit in your first two rows: {left} {agreeing(left, 'is')} left"

    def offers(self, t: Battle) -> Sequence[Offer]:
        return [
            Offer(
                action=place,
                words=f"Place the {t.called(place.unit)} at {place.to}",
                group=f"Place the {t.called(place.unit)}",
                unit=place.unit,
                spot=t.map.centre(place.to),
            )
            for place in self.options(t)
        ]


# --- events ----------------------------------------------------------------------------------------------------------


class Placed(Event, frozen=True):
    """A unit was placed on the map."""

    unit: int
    to: Hex
    clauses: ClassVar[tuple[str, ...]] = ("HX-S64",)
    shown = MotionOf("place")

    def sentence(self, t: Battle) -> str:
        u = t.units[self.unit]
        return f"{t.field.names[u.side]} places the {u.name} at {self.to}"
