"""Find the legal answer that ends nearest to a place, to correct a refused drag.

Only a trial shows whether a move may end at a place. `nearest_end` tries places nearer and nearer to the goal on finer
and finer grids, and asks its caller for a legal answer that ends at each place. The search contains no rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import isqrt
from typing import Any, TypeVar

from caltrop.geometry import Box, Point, directions, distance_sq, distance_up, point_along

Answer = TypeVar("Answer")

Ending = tuple[Point, Answer]
"""The end of a legal answer, and the answer."""

PLACES = 150
"""Number of places tried in the first round and after a round that found a nearer place; other rounds try four times as
many.
"""
ROUNDS = 6
"""Largest number of rounds."""
WAYS = 40
"""Largest number of slow searches for a path around obstacles."""

_searches: ContextVar[bool] = ContextVar("searches", default=True)


@contextmanager
def without_search() -> Iterator[None]:
    """Leave out the search for nearest answers in the block, for a caller that needs only the reason of a refusal."""
    before = _searches.set(False)
    try:
        yield
    finally:
        _searches.reset(before)


def nearest_end(
    goal: Point,
    start: Point,
    reach: int,
    box: Box,
    straight: Callable[[Point], Ending[Answer] | None],
    by_a_way: Callable[[Point], Ending[Answer] | None] | None = None,
    may_end: Callable[[Point], bool] | None = None,
    endings: Iterable[Ending[Answer]] = (),
    ways: int = WAYS,
) -> Answer | None:
    """Return the legal answer that ends nearest to a place, or None if none was found.

    Args:
        start: Place where the mover starts.
        reach: Largest distance of the end from the start.
        box: The area for the end: the table, or a zone in it.
        straight: Returns a legal answer that goes straight and ends at a place or before it, or None. It is quick.
        by_a_way: This function is quick. This function is slow.
        may_end: Returns whether a path around obstacles is worth a search; None to always search.
        endings: Legal answers found earlier.
        ways: Largest number of searches for a path around obstacles.
    """
    search = _Search(goal, start, reach, box, straight, by_a_way, may_end, ways)
    for ending in endings:
        search.offer(ending)
    if _searches.get():
        search.look()
    best: Answer | None = search.best
    return best


class _Search:
    def __init__(
        self,
        goal: Point,
        start: Point,
        reach: int,
        box: Box,
        straight: Callable[[Point], Any],
        by_a_way: Callable[[Point], Any] | None,
        may_end: Callable[[Point], bool] | None,
        ways: int,
    ) -> None:
        self.goal, self.start, self.reach, self.box = goal, start, reach, box
        self.straight, self.by_a_way, self.may_end = straight, by_a_way, may_end
        self.best: Any = None
        self.end: Point | None = None
        self.ways = ways
        self.tried: set[Point] = set()

    def offer(self, ending: Ending[Any] | None) -> bool:
        if ending is None or not self.is_nearer(ending[0]):
            return False
        self.end, self.best = ending
        return True

    def is_nearer(self, place: Point) -> bool:
        return self.end is None or distance_sq(place, self.goal) < distance_sq(self.end, self.goal)

    def attempt(self, place: Point) -> bool:
        x0, y0, x1, y1 = self.box
        if place in self.tried or not (x0 <= place[0] <= x1 and y0 <= place[1] <= y1):
            return False
        if distance_sq(place, self.start) > self.reach * self.reach or not self.is_nearer(place):
            return False
        self.tried.add(place)
        if self.offer(self.straight(place)):
            return True
        if self.by_a_way is None or self.ways <= 0 or (self.may_end is not None and not self.may_end(place)):
            return False
        self.ways -= 1
        return self.offer(self.by_a_way(place))

    def look(self) -> None:
        """Try the goal, the straight path to it, places around the goal, and then places around the best so far."""
        far = min(distance_up(self.start, self.goal), self.reach)
        toward = (self.goal[0] - self.start[0], self.goal[1] - self.start[1])
        if self.attempt(self.goal):
            return
        for eighths in range(8, 0, -1) if far else ():
            if self.attempt(point_along(self.start, toward, far * eighths // 8)):
                break
        misses = 0
        for _ in range(ROUNDS):
            spacing, places = self.places(PLACES << 2 * misses)
            misses = 0 if any(self.attempt(place) for place in places) else misses + 1
            if spacing <= 1 or misses == 2:
                break
        self.polish()

    def places(self, count: int) -> tuple[int, Iterator[Point]]:
        """Return the spacing of the next places, and about *count* of them nearer than the best, the nearest first."""
        gx, gy = self.goal
        sx, sy = self.start
        x0, y0, x1, y1 = self.box
        far = None if self.end is None else isqrt(distance_sq(self.end, self.goal))
        left, low, right, high = sx - self.reach, sy - self.reach, sx + self.reach, sy + self.reach
        if far is not None:
            left, low, right, high = max(left, gx - far), max(low, gy - far), min(right, gx + far), min(high, gy + far)
        left, low, right, high = max(left, x0), max(low, y0), min(right, x1), min(high, y1)
        if left > right or low > high:
            return 1, iter(())
        spacing = max(isqrt((right - left + 1) * (high - low + 1) // count), 1)
        places = [
            (x, y)
            for x in range(left + (gx - left) % spacing, right + 1, spacing)
            for y in range(low + (gy - low) % spacing, high + 1, spacing)
            if distance_sq((x, y), self.start) <= self.reach * self.reach and self.is_nearer((x, y))
        ]
        places.sort(key=lambda p: (distance_sq(p, self.goal), p))
        return spacing, iter(places)

    def polish(self) -> None:
        """Move from the best place towards the goal in ever smaller steps while they lead nearer."""
        if self.end is None:
            return
        step = max(isqrt(distance_sq(self.end, self.goal)) // 2, 1)
        while step > 0:
            at = self.end
            if not any(self.attempt(point_along(at, d, step)) for d in directions(16)):
                step //= 2
