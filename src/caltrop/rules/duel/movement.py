"""Walking. The options are open: any path across the table may be proposed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from caltrop.asking import Mover, Offer, Offered, PickedUp, Proposal, Region, Wish
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Options,
    Refusal,
    Term,
    guard,
    not_an_option,
    rule,
)
from caltrop.geometry import (
    CM,
    Point,
    contact_point,
    cut_at_length,
    directions,
    disc_inside,
    path_length,
    point_along,
    sweep_overlaps_disc,
)
from caltrop.kit.depict import slow_grounds
from caltrop.rules.duel.records import BASE, Duel
from caltrop.table.measured import Ending, nearest_end, spent

TOO_FAR = guard("DU-MOVE-01", "too-far", "The way is {length:cm} long, and a walk is at most {limit:cm}")
NO_WAY = guard("DU-MOVE-02", "no-way", "A walk needs at least one leg")
STANDS_STILL = guard("DU-MOVE-02", "stands-still", "Two corners of the way are the same place")
OFF_TABLE = guard("DU-MOVE-03", "off-table", "The base does not stay wholly on the table")
BLOCKED = guard("DU-MOVE-04", "blocked", "The other duellist is in the way")


def traits(t: Duel, side: int, *rest: object) -> tuple[str, ...]:
    """Return the traits of a side's duellist."""
    return t.duellists[side].traits


@rule("DU-MOVE-01", traits=traits)
def walking_distance(t: Duel, side: int) -> int:
    """A duellist walks at most 6 cm."""
    return 6 * CM


@walking_distance.amended_by("DU-MOVE-05", trait="light-footed")
def the_light_footed_walk_farther(distance: int, t: Duel, side: int) -> int:
    """A light-footed duellist walks 2 cm farther."""
    return distance + 2 * CM


@rule("DU-MOVE-01")
def length_of(t: Duel, path: tuple[Point, ...]) -> int:
    """The length of a path counts in full."""
    return path_length(path)


@length_of.amended_by("DU-MOVE-06")
def mud_counts_double(length: int, t: Duel, path: tuple[Point, ...]) -> int:
    """Length in mud counts double."""
    return spent(t.ground, path) if t.terrain else length


class Walk(Action, frozen=True):
    """Walk along straight legs."""

    path: tuple[Point, ...]
    """The end of each leg."""


class Stay(Action, frozen=True):
    """Stay where you are."""


class Ways(Options):
    """The paths that a duellist may walk."""

    def __init__(self, t: Duel, side: int) -> None:
        self.t, self.at, self.other = t, t.duellists[side].at, t.duellists[1 - side].disc
        self.table, self.limit = (0, 0, t.width, t.height), walking_distance(t, side)

    def fault(self, path: tuple[Point, ...]) -> Refusal | None:
        """Return the refusal of a path that breaks a rule, else None."""
        way = (self.at, *path)
        legs = tuple(zip(way, path, strict=False))
        length = length_of(self.t, way)
        return (
            NO_WAY.refuses(not path)
            or STANDS_STILL.refuses(any(a == b for a, b in legs))
            or TOO_FAR.refuses(length > self.limit, length=length, limit=self.limit)
            or OFF_TABLE.refuses(not all(disc_inside((*p, BASE), self.table) for p in path))
            or BLOCKED.refuses(any(sweep_overlaps_disc(a, b, BASE, self.other) for a, b in legs))
        )

    def refusal(self, action: Any) -> Refusal | None:
        if isinstance(action, Stay):
            return None
        if not isinstance(action, Walk):
            return not_an_option("DU-TURN-02", "Walk, or stay", Stay(), code="no-walk")
        fault = self.fault(action.path)
        return None if fault is None else fault.towards(self.cut(action.path))

    def nearest(self, path: tuple[Point, ...]) -> Walk | Stay:
        """Return the walk whose end is nearest to the end of a path."""
        begun = self.cut(path)
        if not path:
            return begun

        def straight(end: Point) -> Ending[Walk | Stay] | None:
            return (end, Walk((end,))) if self.fault((end,)) is None else None

        ends = [(begun.path[-1], begun)] if isinstance(begun, Walk) else []
        return nearest_end(path[-1], self.at, self.limit, self.table, straight, endings=ends) or Stay()

    def cut(self, path: tuple[Point, ...]) -> Walk | Stay:
        """Return the walk along *path* to just before its first obstacle."""
        way = (self.at, *(b for a, b in zip((self.at, *path), path, strict=False) if a != b))
        free, blocked = 0, min(path_length(way), self.limit) + 1
        best: Walk | Stay = Stay()
        while blocked - free > 1:
            middle = (free + blocked) // 2
            begun = cut_at_length(way, middle)[1:]
            if begun and self.fault(begun) is None:
                best, free = Walk(begun), middle
            else:
                blocked = middle
        return best

    def __iter__(self) -> Iterator[Any]:
        """Yield some options: staying, half and full distance in eight directions, and contact with the enemy."""
        yield Stay()
        ends = [point_along(self.at, d, length) for d in directions(8) for length in (self.limit, self.limit // 2)]
        x, y, _ = self.other
        ends.append(contact_point(self.other, BASE, (self.at[0] - x, self.at[1] - y)))
        yield from (Walk((end,)) for end in dict.fromkeys(ends) if self.fault((end,)) is None)

    def sample(self, dice: Dice) -> Any:
        """Return a walk in a random direction over a random length. Stay if 32 drawn walks are illegal."""
        for _ in range(32):
            ring = directions(32)
            end = point_along(self.at, ring[dice.below(len(ring))], dice.below(self.limit + 1))
            if self.fault((end,)) is None:
                return Walk((end,))
        return Stay()


class Move(Offered, frozen=True, kw_only=True):
    """The question whether and how a duellist walks."""

    clauses: ClassVar[tuple[str, ...]] = ("DU-TURN-02", "DU-MOVE-01")
    hint: ClassVar[str] = "Drag your duellist. You strike afterwards, so end the walk within reach if you mean to."

    def options(self, t: Duel) -> Ways:
        return Ways(t, self.side)

    def prompt(self, t: Duel) -> str:
        return f"Where does {t.duellists[self.side].name} walk?"

    def offers(self, t: Duel) -> tuple[Offer, ...]:
        """Return the offer to stay. Walks are not listed, because players drag the duellist."""
        return (Offer(action=Stay(), words="Stay where you are", unit=self.side, final=True),)

    def regions(self, t: Duel) -> tuple[Region, ...]:
        return (Region(form="move", unit=self.side, words="Walk", bands=((walking_distance(t, self.side), 0),)),)

    def propose(self, t: Duel, wish: Wish) -> Proposal:
        """Return the walk over the waypoints, with its length and the distance left."""
        ways = self.options(t)
        path = wish.models.get(self.side) or (*wish.waypoints, *((wish.to,) if wish.to else ()))
        action = Walk(path)
        refusal, length = ways.refusal(action), length_of(t, (ways.at, *path))
        if refusal is not None and wish.to is not None and len(path) == 1:
            refusal = refusal.towards(ways.nearest(path))
        return Proposal(
            action=action if refusal is None else None,
            paths={self.side: (ways.at, *path)},
            length=length,
            left=max(ways.limit - length, 0),
            price=(Term(0, "DU-MOVE-01", "Walking costs nothing"),),
            refusal=refusal,
        )

    def pick_up(self, t: Duel, unit: int, act: str = "") -> PickedUp | None:
        """Return what a page needs to drag the duellist: one base that goes straight, and one obstacle."""
        if unit != self.side:
            return None
        return PickedUp(
            unit=unit,
            pieces=(Mover(id=unit, at=t.duellists[unit].at, radius=BASE),),
            size=(t.width, t.height),
            bands=((walking_distance(t, unit), 0),),
            others=(t.duellists[1 - unit].disc,),
            slow=slow_grounds(t.ground),
            rests=False,
        )
