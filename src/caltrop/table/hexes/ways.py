"""Find paths from hex to hex, where some hexes cannot be entered and others end the path."""

from __future__ import annotations

from collections.abc import Callable

from caltrop.table.hexes.maps import Hex, HexMap

CLOSED = 0
"""A hex that may not be entered."""

OPEN = 1
"""A hex that may be entered and left again."""

LAST = 2
"""A hex that may be entered but not left."""

Enter = Callable[[Hex], int]
"""Function that says whether a hex may be entered: `CLOSED`, `OPEN` or `LAST`."""


def reach(map: HexMap, start: Hex, steps: int, enter: Enter) -> dict[Hex, int]:
    """Return the number of steps to each hex that can be reached.

    Args:
        start: The hex where the paths begin, which may always be occupied.
        steps: The largest number of steps; with 0 or fewer only the start is reached.
        enter: Returns 0 for a hex that cannot be entered, 1 for a hex that can, 2 for a hex that can be entered but not
            left.

    Returns:
        The least steps to each hex, nearest first; the start itself is 0.

    Raises:
        ValueError: The start is not on the map, or `enter` returned another number.
    """
    return _spread(map, start, None, steps, enter)[0]


def way(map: HexMap, start: Hex, end: Hex, steps: int, enter: Enter) -> tuple[Hex, ...] | None:
    """Return a shortest path. Of several shortest paths, choose the path with the earlier neighbour where they differ.

    Args:
        start: The first hex of the path, which may always be occupied.
        enter: Returns 0, 1 or 2 for a hex, as in `reach`.

    Returns:
        The hexes entered, the end last; empty if start and end are equal; None if there is no path.

    Raises:
        ValueError: Start or end is not on the map, or `enter` returned another number.
    """
    if end not in map:
        raise ValueError(map.fault(end))
    costs, before = _spread(map, start, end, steps, enter)
    if end not in costs:
        return None
    back: list[Hex] = []
    at = end
    while at != start:
        back.append(at)
        at = before[at]
    return tuple(reversed(back))


def _spread(
    map: HexMap, start: Hex, end: Hex | None, steps: int, enter: Enter
) -> tuple[dict[Hex, int], dict[Hex, Hex]]:
    """Return the number of steps to every hex in reach, and its predecessor on the path.

    With an *end*, the search stops after the round that reaches the end, and skips hexes from which the end is too far.
    Each round keeps the order of discovery, so the predecessor is the hex on the canonical path.
    """
    if start not in map:
        raise ValueError(map.fault(start))
    costs: dict[Hex, int] = {start: 0}
    before: dict[Hex, Hex] = {}
    closed: set[Hex] = set()
    left = None if end is None else map.distances(end)
    neighbours = map.neighbours
    edge = [start]
    far = 0
    while edge and far < steps and end not in costs:
        far += 1
        further: list[Hex] = []
        for here in edge:
            for there in neighbours[here]:
                if there in costs or there in closed or (left is not None and far + left[there] > steps):
                    continue
                leave = enter(there)
                if leave == OPEN:
                    costs[there] = far
                    before[there] = here
                    further.append(there)
                elif leave == CLOSED:
                    closed.add(there)
                elif leave == LAST:
                    costs[there] = far
                    before[there] = here
                else:
                    raise ValueError(
                        f"entering {there} is 0 (no), 1 (yes) or 2 (yes, but no further); here it is {leave!r}"
                    )
        edge = further
    return costs, before
