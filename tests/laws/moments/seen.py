"""What somebody at the table sees of any game: who moved, and whether it was told.

A game's own `Watch` is a subclass: it says where pieces stand and who is in the middle of an act, and looks for more.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from caltrop.engine import Decision, Event

GOES = ("move", "charge", "place")
"""Sorts of motion by which a door shows that pieces are elsewhere."""


class Seen:
    """What is seen of a game that is played, from one answer to the next."""

    def __init__(self, t: Any) -> None:
        self.broken_into = 0
        """How often somebody broke into an act."""
        self._stood: dict[int, Mapping[int, Hashable]] = self.places(t)
        """Where the pieces of each unit stood when it was last at rest."""
        self._told: dict[int, str] = {}
        """The last sort of motion that was told of each unit since then."""
        self._touched: set[int] = set()
        """Units of which anything was told since then."""

    # --- of each game -------------------------------------------------------------------------------------------------

    def places(self, t: Any) -> dict[int, Mapping[int, Hashable]]:
        """Return where the pieces of each unit stand, as players see it: by unit, and then by piece."""
        raise NotImplementedError

    def acting(self, t: Any) -> set[int]:
        """Return the units that are in the middle of an act: they have moved, and it is told when they have done so."""
        raise NotImplementedError

    def breaks_in(self, decision: Decision, action: Any) -> bool:
        """Return whether an answer breaks into the act of somebody else."""
        raise NotImplementedError

    def looked(self, before: Any, decision: Decision, action: Any, told: Sequence[Event], after: Any) -> list[str]:
        """Return what else is wrong after an answer."""
        return []

    # --- of all -------------------------------------------------------------------------------------------------------

    def saw(self, before: Any, decision: Decision, action: Any, told: Sequence[Event], after: Any) -> list[str]:
        """Return what is wrong after an answer."""
        self.broken_into += self.breaks_in(decision, action)
        return [*self._told_as_moved(told, after), *self.looked(before, decision, action, told, after)]

    def _told_as_moved(self, told: Sequence[Event], after: Any) -> list[str]:
        """Return which units are told as moved and stand where they stood, or stand elsewhere and were not told so."""
        for event in told:
            self._touched.update(event.touches())
            motion = event.motion(after)
            if motion is not None and motion.sort in GOES:
                units = motion.units or (() if motion.unit is None else (motion.unit,))
                self._told.update(dict.fromkeys(units, f"{motion.sort} of {event}"))
        wrong, under_way, now = [], self.acting(after), self.places(after)
        for unit in (now.keys() | self._stood.keys()) - under_way:
            there, stood = now.get(unit, {}), self._stood.get(unit, {})
            moved = any(there[piece] != stood.get(piece) for piece in there)
            if moved and unit not in self._told:
                wrong.append(f"{unit} stands elsewhere, and nothing was told: {stood} {there}")
            if not moved and unit in self._told and there:
                wrong.append(f"{unit} stands where it stood, and was told as moved: {self._told[unit]}")
            if stood.keys() - there.keys() and unit not in self._touched:
                wrong.append(f"{unit} has lost pieces, and nothing was told")
            self._stood[unit] = there
            self._told.pop(unit, None)
            self._touched.discard(unit)
        return wrong
