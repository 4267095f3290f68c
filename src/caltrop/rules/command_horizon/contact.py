"""Paths into contact: the search for a charger's paths to its target, and the owner's choice of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from caltrop.asking import (
    Nearness,
    Offer,
    Offered,
    PickedUp,
    Proposal,
    Region,
    Wish,
)
from caltrop.asking.routes import RouteFault
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Options,
    Refusal,
    agreeing,
    does,
    guard,
    not_an_option,
)
from caltrop.geometry import (
    CONTACT,
    Disc,
    Point,
    boxes_within,
    disc_box,
    distance_up,
    gap_up,
    gap_within,
    path_length,
    touching,
)
from caltrop.rules.command_horizon.drags import drawn, faults_at, picked_up
from caltrop.rules.command_horizon.limits import Path, Paths, longest
from caltrop.rules.command_horizon.places import StandingPlace
from caltrop.rules.command_horizon.reach import is_infantry
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.routes import Routes
from caltrop.table.measured import (
    Ending,
    contact_places,
    may_approach,
    nearest_end,
    nearest_of,
    nearest_pair,
    way,
)

NO_CONTACT = guard(("CH-CHARGE-02", "CH-CHARGE-13"), "no-contact", "No base of {name} would touch {target}")

NEAREST = 6
"""Number of places in contact with a base that are tried first, from the nearest on."""
AT_FIRST = 8
"""Number of pairs of bases that are tried first, from the nearest on."""
FROM_BEHIND = 3
"""Number of pairs of bases for which places on the far side are tried if those on the near side are blocked."""


def assault(t: Battle, unit: int, target: int, reach: int, turn: int = 0) -> Paths | None:
    """Return paths that bring a unit into contact with its target; None if there are none (Q-CHARGE-7).

    One base leads the charge and the others follow. The paths are empty if the unit is already in contact.

    Args:
        unit: The charging unit.
        target: The charged unit.
        reach: Largest length of a path, in tenths of a millimetre.
        turn: 0 for the shortest path. Other numbers start the search with another base, for variety.
    """
    cache: dict[Any, Paths | None] = t.book.scratch.setdefault("assault", {})
    key = (t.stamp, unit, target, reach, turn)
    if t.stamp and key in cache:
        return cache[key]
    paths = _assault(t, unit, target, reach, turn)
    if t.stamp:
        if len(cache) > 4_000:
            cache.clear()
        cache[key] = paths
    return paths


def _assault(t: Battle, unit: int, target: int, reach: int, turn: int) -> Paths | None:
    theirs = t.discs(target)
    routes = Routes(t, unit, charge=target, reach=reach, engages=is_infantry(t, target))
    pairs = pairs_near(t, routes, target, reach)
    if turn and pairs:
        turn %= len(pairs)
        pairs = pairs[turn:] + pairs[:turn]
    tried: set[tuple[int, Point]] = set()

    def led(i: int, places: Sequence[Point]) -> Paths | None:
        for place in places:
            if (i, place) not in tried:
                tried.add((i, place))
                paths = _led(routes, i, place, reach)
                if paths is not None:
                    return paths
        return None

    later: list[tuple[int, Point]] = []
    for n, (_, i, j) in enumerate(pairs[:AT_FIRST]):
        if touching(routes.discs[i], theirs[j]):
            paths = routes.followed(i, (routes.discs[i][:2],), reach)
            if paths is not None:
                return paths
        places = _places(routes, i, theirs[j])
        paths = led(i, places[:NEAREST])
        if paths is not None:
            return paths
        if n < FROM_BEHIND:
            later += [(i, place) for place in places[NEAREST::5]]
    # The near side is blocked, so far sides of the nearest bases are tried.
    for i, place in later if not turn else ():
        paths = led(i, (place,))
        if paths is not None:
            return paths
    # Before the search fails, every base is tried with every base of the target within reach.
    for _, i, j in pairs if not turn else ():
        if way_to(routes, i, theirs[j], reach) is not None:
            paths = led(i, _places(routes, i, theirs[j]))
            if paths is not None:
                return paths
    return None


def pairs_near(t: Battle, routes: Routes, target: int, reach: int | None = None) -> list[tuple[int, int, int]]:
    """Return pairs of a base that can lead and a base of the target within reach, with their gap, the nearest first."""
    return sorted(
        [
            (gap_up(a, b), i, j)
            for i, a in enumerate(routes.discs)
            for j, b in enumerate(t.discs(target))
            if (reach is None or gap_within(a, b, reach + CONTACT)) and routes.ids[i] not in routes.disabled
        ]
    )


def _places(routes: Routes, lead: int, base: Disc) -> tuple[Point, ...]:
    x, y, r = routes.discs[lead]
    box = disc_box(base)
    near = [d for d in routes.local if boxes_within(disc_box(d), box, 2 * r + 2 * CONTACT)]
    close = [d for d in routes.untouchable if boxes_within(disc_box(d), box, 2 * r + 2 * CONTACT)]
    return contact_places(routes.ground, base, r, (x, y), near, clear_of=close)


def way_to(routes: Routes, lead: int, base: Disc, limit: int | None) -> Path | None:
    """Return the shortest path of a base into contact with a base of the target; None if it exceeds the limit."""
    x, y, r = routes.discs[lead]
    places = _places(routes, lead, base)
    if routes.crosses:
        goals = [((x, y), p) for p in places if limit is None or distance_up((x, y), p) <= limit]
        return goals[0] if goals else None
    if not places or not may_approach(routes.ground, (x, y), r, base, places, routes.local, limit):
        return None
    return nearest_of(routes.ground, (x, y), r, places, routes.local, limit)


def _led(routes: Routes, lead: int, place: Point, reach: int) -> Paths | None:
    x, y, r = routes.discs[lead]
    path = way(routes.ground, (x, y), place, r, routes.local, routes.crosses, reach)
    return None if path is None else routes.followed(lead, path, reach)


def contact_from(t: Battle, routes: Routes, s: StandingPlace, limit: int) -> tuple[Point, int] | None:
    """Return a place in contact with another unit, and the index of the nearest base that can reach it, or None."""
    pairs = sorted((gap_up(a, b), i, j) for i, a in enumerate(routes.discs) for j, b in enumerate(s.discs))
    apart, i, j = pairs[0]
    if apart > limit:
        return None
    x, y, r = routes.discs[i]
    box = disc_box(s.discs[j])
    near = [d for o in routes.others for d in o.discs if boxes_within(disc_box(d), box, 2 * r + 2 * CONTACT)]
    places = contact_places(routes.ground, s.discs[j], r, (x, y), near)
    return (places[0], i) if places else None


# --- decisions -------------------------------------------------------------------------------------------------------


class Contact(Action, frozen=True):
    unit: int
    paths: Paths


class ContactOptions(Options):
    """The ways in which a charger may move into contact."""

    __slots__ = ("decision", "routes", "t")

    def __init__(self, t: Battle, decision: MakeContact) -> None:
        self.t, self.decision = t, decision
        self.routes = Routes(
            t, decision.unit, charge=decision.target, reach=decision.reach, engages=is_infantry(t, decision.target)
        )

    def refusal(self, action: Any) -> Refusal | None:
        """Return why a charger may not move in this way, or None if it may.

        The nearest legal answer is the move in which the first base ends nearest to its dragged place.
        """
        d, t = self.decision, self.t
        first = self.first()
        if not isinstance(action, Contact) or action.unit != d.unit:
            name, target = t.called(d.unit), t.called(d.target)
            return not_an_option(
                "CH-CHARGE-10", f"{does(name, 'moves')} into contact with {target}", first, code="make-contact"
            )
        wrong = self.wrong(action.paths)
        return None if wrong is None else wrong.refusal(self.nearest(action.paths))

    def nearest(self, paths: Paths) -> Contact:
        d, routes = self.decision, self.routes
        x, y, _ = routes.discs[0]

        def straight(end: Point) -> Ending[Contact] | None:
            placed = routes.shifted((end[0] - x, end[1] - y), path_length(((x, y), end)))
            return (routes.ends(placed)[0][:2], Contact(d.unit, placed)) if self.wrong(placed) is None else None

        ends = [(routes.ends(way.paths)[0][:2], way) for way in self]
        goal = routes.ends(paths)[0][:2]
        return nearest_end(goal, (x, y), d.reach, routes.ground.box, straight, endings=ends) or self.first()

    def wrong(self, paths: Paths) -> RouteFault | None:
        return self.routes.wrong(paths) or self._apart(paths)

    def _apart(self, paths: Paths) -> RouteFault | None:
        t, d = self.t, self.decision
        ends = self.routes.ends(paths)
        theirs = t.discs(d.target)
        gap, i, _ = nearest_pair(ends, theirs)
        if gap <= CONTACT or not NO_CONTACT(True):
            return None
        x, y, _ = ends[i]
        return RouteFault(NO_CONTACT, {"name": t.called(d.unit), "target": t.called(d.target), "x": x, "y": y})

    def __iter__(self) -> Iterator[Contact]:
        """Yield the shortest paths into contact, then paths whose search starts with other bases."""
        d = self.decision
        seen: list[Paths] = []
        for turn in (0, 1, 2, 3, 5, 8):
            paths = assault(self.t, d.unit, d.target, d.reach, turn)
            if paths is not None and paths not in seen:
                seen.append(paths)
                yield Contact(d.unit, paths)

    def sample(self, dice: Dice) -> Contact:
        d = self.decision
        paths = assault(self.t, d.unit, d.target, d.reach, dice.below(4))
        return self.first() if paths is None else Contact(d.unit, paths)

    def first(self) -> Contact:
        d = self.decision
        paths = assault(self.t, d.unit, d.target, d.reach)
        assert paths is not None
        return Contact(d.unit, paths)


class MakeContact(Offered, frozen=True, kw_only=True):
    """The owner chooses how a charger moves into contact."""

    unit: int
    target: int
    reach: int
    """Largest length of a path: the distance that was paid for, or more if losses would shorten the charge."""
    clauses: ClassVar[tuple[str, ...]] = ("CH-CHARGE-02", "CH-CHARGE-10", "CH-CHARGE-12")
    hint: ClassVar[str] = (
        "At least one base has to touch the charged unit; the others follow within 1 inch of one another. Further "
        "enemy infantry that you touch is engaged as well."
    )

    def options(self, t: Battle) -> ContactOptions:
        return ContactOptions(t, self)

    def prompt(self, t: Battle) -> str:
        return f"How {agreeing(t.called(self.unit), 'does')} {t.called(self.unit)} reach {t.called(self.target)}?"

    def offers(self, t: Battle) -> tuple[Offer, ...]:
        first = self.options(t).first()
        return (Offer(action=first, words="By the shortest way", unit=self.unit, target=self.target, final=True),)

    def told(self, t: Battle, action: Contact) -> Offer:
        words = f"Move into contact with {t.called(self.target)}"
        return Offer(action=action, words=words, unit=self.unit, target=self.target)

    def regions(self, t: Battle) -> tuple[Region, ...]:
        return (Region(form="move", unit=self.unit, words="Move into contact", bands=((self.reach, 0),), act="charge"),)

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        options = self.options(t)
        paths = drawn(options.routes, wish, lambda paths: options.wrong(paths) is None)
        action = Contact(self.unit, paths)
        wrong = options.wrong(paths)
        length = longest(paths)
        return Proposal(
            action=action if wrong is None else None,
            paths=dict(paths),
            length=length,
            left=max(self.reach - length, 0),
            refusal=None if wrong is None else wrong.refusal(options.nearest(paths)),
            faults=() if wrong is None else faults_at(options.routes, paths, wrong),
        )

    def pick_up(self, t: Battle, unit: int, act: str = "") -> PickedUp | None:
        if unit != self.unit:
            return None
        touch = Nearness(bases=tuple(t.discs(self.target)), most=CONTACT)
        return replace(picked_up(self.options(t).routes), near=(touch,))
