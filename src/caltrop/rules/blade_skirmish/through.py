"""The move straight on (BS-FAT-08): a killer goes through the place where her victim stood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from caltrop.asking import Offer, Offered, Proposal, Region, Wish
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Event,
    Options,
    Refusal,
    guard,
    not_an_option,
    rule,
)
from caltrop.geometry import Disc, Point, cut_at_length, directions, distance_up, point_along, sweep_overlaps_disc
from caltrop.picture import Motion
from caltrop.rules.blade_skirmish.catalogue import STEP
from caltrop.rules.blade_skirmish.conditions import idle
from caltrop.rules.blade_skirmish.records import Blow, Skirmish
from caltrop.rules.blade_skirmish.straight import obstacle, others, straight
from caltrop.table.measured import path_fault

NOT_THROUGH = guard(
    ("BS-FAT-08", "BS-Q27"), "not-through", "The line has to lead through the place where {victim} stood"
)
TOO_FAR = guard("BS-FAT-08", "too-far", "That is {length:inch} away, and she goes at most 4 inches")
BLOCKED = guard(("BS-FAT-08", "BS-Q27", "BS-Q34"), "blocked", "{what} is in the way after {length:inch}")


@rule("BS-FAT-08", "BS-Q27", "BS-Q44")
def may_go_through(t: Skirmish, fighter: int) -> bool:
    """A killer may go through if she is on the table, neither stunned nor fleeing, and takes no trophy."""
    return t.fighters[fighter].active and not idle(t, fighter)


@rule("BS-FAT-08", "BS-Q27", stages=("house",))
def goes_at_once(t: Skirmish) -> bool:
    """The move through a victim's place is made after all results of the combat are applied."""
    return False


@goes_at_once.amended_by("BS-FAT-08", "BS-Q27", stage="house", house={"split_move": "at_once"})
def goes_as_soon_as_it_is_rolled(at_once: bool, t: Skirmish) -> bool:
    """House rule: the move is made as soon as the fatality is rolled, before the next attack."""
    return True


def go_through(t: Skirmish, blow: Blow, to: Point) -> None:
    """Move a killer through her victim's place.

    Going through is neither a move nor a run, so the fighter takes no relic and leaves by no exit (BS-Q27).
    """
    x, y, _ = t.disc(blow.by)
    t.change(blow.by, at=to)
    t.tell(WentThrough(blow.by, blow.victim, ((x, y), to)))


def all_the_way(t: Skirmish, blow: Blow) -> Point:
    """Return the end of an automated model's move through her victim's place: 4 inches, or to an obstacle."""
    x, y, _ = t.disc(blow.by)
    return straight(t, blow.by, (blow.place[0] - x, blow.place[1] - y), STEP, (blow.victim,)).end


class GoThrough(Action, frozen=True):
    to: Point


class StandFast(Action, frozen=True):
    to: ClassVar[None] = None


class WentThrough(Event, frozen=True):
    """A killer went on through the place where her victim stood."""

    fighter: int
    victim: int
    path: tuple[Point, ...]
    clauses: ClassVar[tuple[str, ...]] = ("BS-FAT-08", "BS-Q27")
    follows: ClassVar[tuple[tuple[str, str, str], ...]] = (("blows", "victim", "victim"),)
    about = ("fighter",)

    def sentence(self, t: Skirmish) -> str:
        return f"{t.called(self.fighter)} goes straight on through where {t.called(self.victim)} stood"

    def motion(self, t: Skirmish) -> Motion:
        return Motion(sort="move", unit=self.fighter, ways=((self.fighter, self.path),))


def leads_through(start: Point, to: Point, place: Disc) -> bool:
    """Return whether a straight move leads through the former place of a base and reaches it (BS-FAT-08, BS-Q27).

    >>> leads_through((0, 0), (500, 0), (254, 0, 127)), leads_through((0, 0), (0, 500), (254, 0, 127))
    (True, False)
    >>> leads_through((0, 0), (-500, 0), (253, 0, 127))  # away from it; rounding makes the bases overlap
    False
    """
    x, y, r = place
    dx, dy, px, py = to[0] - start[0], to[1] - start[1], x - start[0], y - start[1]
    across = dx * py - dy * px
    heads = dx * px + dy * py > 0 and across * across <= r * r * (dx * dx + dy * dy)
    return heads and sweep_overlaps_disc(start, to, r, place)


class WaysThrough(Options):
    """The straight moves of at most 4 inches through a place, and the option to stay."""

    def __init__(self, t: Skirmish, fighter: int, victim: int, place: Point) -> None:
        self.t, self.fighter, self.victim = t, fighter, victim
        x, y, r = t.disc(fighter)
        self.start, self.place = (x, y), (*place, r)

    def refusal(self, action: Any) -> Refusal | None:
        if isinstance(action, StandFast):
            return None
        if not isinstance(action, GoThrough):
            return not_an_option("BS-FAT-08", "Go straight on, or stay", self.straight_on(), code="no-way")
        fault = self.fault(action.to)
        return None if fault is None else fault.towards(self.cut(action.to))

    def fault(self, to: Point) -> Refusal | None:
        """Return why a killer may not go to a place, or None if she may."""
        t, length = self.t, distance_up(self.start, to)
        refusal = NOT_THROUGH.refuses(
            not leads_through(self.start, to, self.place), victim=t.called(self.victim)
        ) or TOO_FAR.refuses(length > STEP, length=length)
        if refusal is not None:
            return refusal
        around = others(t, self.fighter, (self.victim,))
        fault = path_fault(t.ground, (self.start, to), self.place[2], [disc for _, disc in around])
        if fault is None:
            return None
        who = None if fault.disc is None else around[fault.disc][0]
        what = "The edge of the table"
        if fault.kind != "table":
            what = obstacle(t, fault.kind, who, fault.terrain or "")
        what = what[:1].upper() + what[1:]
        return BLOCKED.refuses(True, what=what, length=distance_up(self.start, fault.stop))

    def cut(self, to: Point) -> GoThrough | StandFast:
        """Return the end of the move towards a place, as far as the line is free.

        If the line misses the victim's place, the move leads through its middle.
        """
        if leads_through(self.start, to, self.place):
            length = min(distance_up(self.start, to), STEP)
            direction = (to[0] - self.start[0], to[1] - self.start[1])
            for end in self._ends(direction, length):
                if self.fault(end) is None:
                    return GoThrough(end)
        return self.straight_on()

    def _ends(self, direction: Point, length: int) -> Iterator[Point]:
        """Yield possible ends of a move in a direction: as far as it is free, or a little less because of rounding."""
        end = straight(self.t, self.fighter, direction, length, (self.victim,)).end
        yield end
        for less in range(1, 4):
            yield cut_at_length((self.start, end), max(0, distance_up(self.start, end) - less))[-1]

    def straight_on(self) -> GoThrough | StandFast:
        """Return the farthest possible move through the middle of the victim's place, or the option to stay."""
        x, y, _ = self.place
        for end in self._ends((x - self.start[0], y - self.start[1]), STEP):
            if self.fault(end) is None:
                return GoThrough(end)
        return StandFast()

    def __iter__(self) -> Iterator[Any]:
        """Yield the option to stay, then moves of 4 and 2 inches through the middle and all sides of the place."""
        yield StandFast()
        x, y, r = self.place
        marks = [(x, y), *[point_along((x, y), d, r // 2) for d in directions(8)]]
        seen: set[Point] = set()
        for mx, my in marks:
            for length in (STEP, STEP // 2):
                direction = (mx - self.start[0], my - self.start[1])
                end = next((e for e in self._ends(direction, length) if self.fault(e) is None), None)
                if end is not None and end not in seen:
                    seen.add(end)
                    yield GoThrough(end)

    def sample(self, dice: Dice) -> Any:
        """Return a random move through the place; one time in 16, the option to stay."""
        if dice.below(16):
            x, y, r = self.place
            for _ in range(16):
                ring = directions(32)
                mx, my = point_along((x, y), ring[dice.below(len(ring))], dice.below(r + 1))
                direction = (mx - self.start[0], my - self.start[1])
                end = straight(self.t, self.fighter, direction, 1 + dice.below(STEP), (self.victim,)).end
                if self.fault(end) is None:
                    return GoThrough(end)
        return StandFast()


class GoOrStay(Offered, frozen=True, kw_only=True):
    """The player chooses how far a killer goes straight through her victim's place."""

    fighter: int
    victim: int
    place: Point
    clauses: ClassVar[tuple[str, ...]] = ("BS-FAT-08", "BS-Q27")
    hint: ClassVar[str] = (
        "Drag your fighter in a straight line through where her victim stood. The 2 inches around enemies do not bind "
        "her here."
    )
    about = ("fighter",)

    def options(self, t: Skirmish) -> WaysThrough:
        return WaysThrough(t, self.fighter, self.victim, self.place)

    def prompt(self, t: Skirmish) -> str:
        killer, victim = t.called(self.fighter), t.called(self.victim)
        return f"{killer} may go up to 4 inches straight on through where {victim} stood: where to?"

    def offers(self, t: Skirmish) -> Sequence[Offer]:
        on = self.options(t).straight_on()
        offers = []
        if isinstance(on, GoThrough):
            words = "Go straight on, as far as the way is free"
            offers.append(Offer(action=on, words=words, unit=self.fighter, spot=on.to))
        return [*offers, Offer(action=StandFast(), words="Stay where she is", unit=self.fighter, final=True)]

    def regions(self, t: Skirmish) -> Sequence[Region]:
        return (Region(form="move", unit=self.fighter, words="Go straight on", bands=((STEP, 0),)),)

    def propose(self, t: Skirmish, wish: Wish) -> Proposal:
        """Return the straight move towards the end of a drag."""
        ways = self.options(t)
        path = wish.models.get(self.fighter) or (*wish.waypoints, *((wish.to,) if wish.to else ()))
        if not path:
            return Proposal(refusal=ways.refusal(None))
        to = path[-1]
        refusal, length = ways.refusal(GoThrough(to)), distance_up(ways.start, to)
        return Proposal(
            action=GoThrough(to) if refusal is None else None,
            paths={self.fighter: (ways.start, to)},
            length=length,
            left=max(STEP - length, 0),
            refusal=refusal,
        )
