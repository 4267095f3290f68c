"""Where a fighter may walk: legal routes, what stops them, and how a drag becomes one."""

from __future__ import annotations

from typing import ClassVar, Literal

from caltrop.engine import Event, decimal
from caltrop.geometry import INCH, Point, path_length
from caltrop.rules.blade_skirmish.skirmish import Skirmish

Path = tuple[Point, ...]
"""The polyline of a base's centre, its start first."""

How = Literal["walks", "runs", "charges", "closes in", "flees", "drifts", "wanders"]
"""How a fighter goes."""


class Moved(Event, frozen=True):
    """A fighter went along a path."""

    fighter: int
    path: Path
    how: How
    clause: str
    clauses: ClassVar[tuple[str, ...]] = ("BS-S21",)

    def sentence(self, t: Skirmish) -> str:
        """Who, how, and how far."""
        return f'{t.fighters[self.fighter].name} {self.how} {decimal(path_length(self.path), INCH)}"'

    def touches(self) -> tuple[int, ...]:
        """The fighter."""
        return (self.fighter,)


def go(t: Skirmish, id: int, path: Path, how: How, clause: str) -> None:
    """Put a fighter at the end of a path, and tell of it; nothing is told of a path that leads nowhere."""
    if path[-1] != t.fighters[id].at:
        t.change(id, at=path[-1])
        t.tell(Moved(id, path, how, clause))
