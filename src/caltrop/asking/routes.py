"""Routes: the fault of a route in words, and the legal route that ends nearest to a place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, TypeVar

from caltrop.engine import Guard, Refusal
from caltrop.geometry import Box, Point
from caltrop.table.measured import Ending, nearest_end
from caltrop.table.measured.nearest import WAYS

R = TypeVar("R")


class RouteFault(NamedTuple):
    """The fault of a route or a place: the guard that refuses it, and the values of its words."""

    guard: Guard
    values: dict[str, Any]
    at: tuple[Point, ...] = ()
    """Place of the fault on the table; for a single base, the legal part of its route."""

    def refusal(self, nearest: Any = None) -> Refusal | None:
        """Return the refusal in words with the nearest legal action, or None while its guard is switched off."""
        refusal = self.guard.refuses(True, **self.values)
        return refusal and refusal.towards(nearest)


class AnyRoutes(ABC, Generic[R]):
    """The legal routes of a unit. A game defines the faults of a route, and the routes to a place."""

    @abstractmethod
    def wrong(self, route: Any, *, brief: bool = False) -> RouteFault | None:
        """Return the fault of a route, or None if it is legal.

        Args:
            brief: True if any fault will do, without its place and amount.
        """

    def legal(self, route: Any) -> bool:
        """Return whether a route is legal, without the slow search for the place of a fault."""
        return self.wrong(route, brief=True) is None

    @abstractmethod
    def straight_to(self, end: Point) -> R | None:
        """Return the route that leads straight to a place, legal or not."""

    def round_to(self, end: Point) -> R | None:
        return None

    def could_stand(self, end: Point) -> bool:
        """Return whether to search for a route around obstacles."""
        return True

    def end_of(self, route: R, end: Point) -> Point:
        return end

    def ends_nearest(
        self, goal: Point, start: Point, reach: int, box: Box, endings: Iterable[Ending[R]] = (), ways: int = WAYS
    ) -> R | None:
        """Return the legal route that ends nearest to a place, or None if none was found.

        Args:
            endings: Legal routes found earlier, each with its end.
            ways: Largest number of paths around obstacles to look for.
        """

        def if_legal(route: R | None, end: Point) -> Ending[R] | None:
            return (self.end_of(route, end), route) if route is not None and self.legal(route) else None

        return nearest_end(
            goal,
            start,
            reach,
            box,
            lambda end: if_legal(self.straight_to(end), end),
            lambda end: if_legal(self.round_to(end), end),
            self.could_stand,
            endings,
            ways,
        )
