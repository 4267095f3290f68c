"""The view of an observer at the table of any game: which models moved, and whether the log reported it.

A game's own `Watch` is a subclass, which returns the places of pieces and the units in the middle of an act, and checks
more.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from caltrop.engine import Decision, Event

Point = tuple[int, int]

GOES = ("move", "charge", "place")
"""Kinds of an event's motion after which the pieces stand elsewhere."""


class Seen:
    """Everything that an observer sees in a game, from one answer to the next."""

    def __init__(self, t: Any) -> None:
        self.broken_into = 0
        """Number of interruptions of acts."""
        self._stood: dict[int, Mapping[int, Hashable]] = self.places(t)
        """The places of each unit's pieces when it was last at rest."""
        self._told: dict[int, str] = {}
        """The last reported kind of motion of each unit."""
        self._ends: dict[int, Point] = {}
        """The latest reported destinations of pieces."""
        self._went: set[int] = set()
        """Units with a reported path to another place. They may have come back by a second path."""
        self._touched: set[int] = set()
        """Units named in any event so far."""

    # --- of each game -------------------------------------------------------------------------------------------------

    def places(self, t: Any) -> dict[int, Mapping[int, Hashable]]:
        """Return the places of pieces as players see them, by unit and piece."""
        raise NotImplementedError

    def acting(self, t: Any) -> set[int]:
        """Return the units in the middle of an act, whose move is reported at its end."""
        return set()

    def breaks_in(self, decision: Decision, action: Any, events: Sequence[Event]) -> bool:
        """Return whether an answer, or its results, interrupted another unit's act."""
        raise NotImplementedError

    def looked(self, before: Any, decision: Decision, action: Any, events: Sequence[Event], after: Any) -> list[str]:
        """Return more faults after an answer."""
        return []

    # --- of all -------------------------------------------------------------------------------------------------------

    def saw(self, before: Any, decision: Decision, action: Any, events: Sequence[Event], after: Any) -> list[str]:
        """Return the faults after an answer."""
        self.broken_into += self.breaks_in(decision, action, events)
        return [*self._told_as_moved(events, after), *self.looked(before, decision, action, events, after)]

    def _told_as_moved(self, events: Sequence[Event], after: Any) -> list[str]:
        """Return the units that moved by their events but not in the picture, or in the picture alone."""
        for event in events:
            self._touched.update(event.touches())
            motion = event.motion(after)
            if motion is not None and motion.sort in GOES:
                units = motion.units or (() if motion.unit is None else (motion.unit,))
                self._touched.update(units)
                self._told.update(dict.fromkeys(units, f"{motion.sort} of {event}"))
                for piece in [piece for unit in units for piece in self._stood.get(unit, ())]:
                    self._ends.pop(piece, None)
                self._ends.update({piece: way[-1] for piece, way in motion.ways})
                self._went |= {unit for unit in units if any(way[0] != way[-1] for _, way in motion.ways)}
        wrong, under_way, now = [], self.acting(after), self.places(after)
        for unit in (now.keys() | self._stood.keys()) - under_way:
            there, stood = now.get(unit, {}), self._stood.get(unit, {})
            moved = any(there[piece] != stood.get(piece) for piece in there)
            if moved and unit not in self._told:
                wrong.append(f"{unit} stands elsewhere, and nothing was told: {stood} {there}")
            if not moved and unit in self._told and there and unit not in self._went:
                wrong.append(f"{unit} stands where it stood, and was told as moved: {self._told[unit]}")
            for piece in there.keys() & self._ends.keys():
                end = self._ends.pop(piece)
                if end not in (there[piece], *ends_of(there[piece])):
                    wrong.append(f"{piece} of {unit} was told to go to {end}, and stands at {there[piece]}")
            if stood.keys() - there.keys() and unit not in self._touched:
                wrong.append(f"{unit} has lost pieces, and nothing was told")
            self._stood[unit] = there
            self._told.pop(unit, None)
            self._touched.discard(unit)
            self._went.discard(unit)
        return wrong


def ends_of(place: Hashable) -> tuple[Any, ...]:
    """Return the visible parts of a piece, if these are more than its place."""
    return place if isinstance(place, tuple) else ()
