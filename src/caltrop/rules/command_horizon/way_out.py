"""The way out of close combat: its length, its end, and the owner's choice (CH-DISENGAGE-06, 07)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from caltrop.asking import Nearness, Offer, Offered, PickedUp, Proposal, Region, Wish
from caltrop.asking.routes import RouteFault
from caltrop.chance import Dice
from caltrop.engine import Action, Event, MotionOf, Options, Refusal, agreeing, guard, not_an_option, rule
from caltrop.engine.rule import decimal
from caltrop.geometry import CM, CONTACT, Disc, Point, directions, path_length, point_along
from caltrop.rules.command_horizon.aim import traits_of
from caltrop.rules.command_horizon.drags import drawn, faults_at, picked_up
from caltrop.rules.command_horizon.limits import Paths, longest
from caltrop.rules.command_horizon.reach import kind_of
from caltrop.rules.command_horizon.records import Battle
from caltrop.rules.command_horizon.routes import Routes
from caltrop.table.measured import Ending, nearest_end, nearest_gap, nearest_pair

IN_CONTACT = guard(("Q-DIS-7", "CH-DISENGAGE-06"), "still-in-contact", "{name} would end in contact with {enemy}")
NO_FARTHER = guard(("Q-DIS-7", "CH-DISENGAGE-07"), "no-farther", "{name} would be no farther from {enemy} than before")
TOO_SHORT = guard(
    ("Q-DIS-7", "CH-DISENGAGE-07"), "too-short", "There is room for the full {limit:cm}, and the path is {length:cm}"
)
NEARER = guard("Q-DIS-7", "nearer", "{name} would end nearer to {enemy}, and there is a way that does not")


MANY = 32
"""Number of best ways at which the search ends."""
MOST = 300
"""Largest number of equally good ways that are stored."""
FINE = 256
"""Number of directions that are tried if none of 32 is good enough."""
LEAST = (50, 20, 10)
"""Short lengths to try, because a unit in a corner may have no room for longer ways."""
FULL = 10
"""Difference from the full distance that is allowed for rounding: 1 mm."""


@rule("CH-DISENGAGE-07", "Q-DIS-4", stages=("house", "stun"), traits=traits_of)
def leaving_distance(t: Battle, unit: int) -> int:
    """The unit moves its largest distance for free: 10 cm; 20 cm for Asori and 15 cm for Putredine infantry."""
    kind = kind_of(t, unit)
    return max(kind.number("move_cm"), kind.number("long_move_cm")) * CM


@leaving_distance.amended_by("Q-DIS-4", stage="house", house={"disengage.distance": "free"})
def only_the_free_move(distance: int, t: Battle, unit: int) -> int:
    """House rule: the unit moves its free 10 cm."""
    return min(distance, 10 * CM)


@leaving_distance.amended_by("Q-DIS-4", "CH-STUN-06", stage="stun")
def a_stunned_unit_goes_10_cm(distance: int, t: Battle, unit: int) -> int:
    """A unit with a Stun marker moves at most 10 cm."""
    return min(distance, 10 * CM) if t.units[unit].stuns else distance


class Merit(msgspec.Struct, frozen=True, order=True):
    """The quality of a way out. The unit must take a way of the best possible quality."""

    no_nearer: bool
    full: bool


class Withdraw(Action, frozen=True):
    """Leave close combat along these paths."""

    unit: int
    paths: Paths


Found = tuple[Merit | None, tuple[Withdraw, ...]]
"""The best quality, and some ways of that quality."""


class WaysOut(Options):
    """The ways by which a unit may leave close combat (Q-DIS-7)."""

    def __init__(self, t: Battle, unit: int) -> None:
        self.t, self.unit = t, unit
        u = t.units[unit]
        self.limit = leaving_distance(t, unit)
        self.routes = Routes(t, unit, reach=self.limit)
        self.discs = t.discs(unit)
        self.foes = {e: t.discs(e) for e in t.enemies(u.side)}
        self.locked = u.locked
        self.before = {e: nearest_gap(self.discs, d) for e, d in self.foes.items()}
        others = [e for e in self.foes if e not in self.locked]
        self.other = min(others, key=lambda e: (self.before[e], e)) if others else -1
        self._best: Found | None = None

    def _broken(self, ends: Sequence[Disc]) -> RouteFault | None:
        for e, discs in self.foes.items():
            gap, i, _ = nearest_pair(ends, discs)
            fault = None
            if IN_CONTACT(gap <= CONTACT):
                fault = IN_CONTACT
            elif e in self.locked and NO_FARTHER(gap <= self.before[e]):
                fault = NO_FARTHER
            if fault is not None:
                return RouteFault(fault, self._values(e, ends[i]))
        return None

    def _values(self, enemy: int, end: Disc) -> dict[str, Any]:
        t = self.t
        return {"name": t.called(self.unit), "enemy": t.called(enemy), "x": end[0], "y": end[1]}

    def merit(self, ends: Sequence[Disc], length: int) -> Merit:
        nearer = self.other >= 0 and nearest_gap(ends, self.foes[self.other]) < self.before[self.other]
        return Merit(not nearer, length >= self.limit - FULL)

    def _tried(self) -> Iterator[tuple[Paths | None, bool]]:
        """Yield ways out to try, the longest first: in formation in 32 directions, then in other formations."""
        for part in range(8, 0, -1):
            for d in directions(32):
                yield self.routes.shifted(d, self.limit * part // 8), False
            if part in (8, 4):
                x, y, _ = self.discs[0]
                for d in directions(8):
                    yield self.routes.marched(point_along((x, y), d, self.limit * part // 8), self.limit), True

    def _finely(self, best: Merit | None) -> Iterator[tuple[Paths | None, bool]]:
        """Yield further ways out to try: the full distance in every direction, then shorter distances."""
        if best is None or not best.full:
            for d in directions(FINE):
                yield self.routes.shifted(d, self.limit), False
        if best is None or not best.no_nearer:
            lengths = [self.limit * part // 16 for part in range(15, 0, -1)]
            for length in (*lengths, *[least for least in LEAST if least < lengths[-1]]):
                for d in directions(FINE):
                    yield self.routes.shifted(d, length), False

    def _found(self) -> Found:
        if self._best is None:
            # The question, the answer and the picture need the same ways out, so these are cached until a model
            # changes.
            kept_ways: dict[tuple[int, int, int], Found] = self.t.book.scratch.setdefault("ways out", {})
            key = (self.t.stamp, self.unit, self.limit)
            if self.t.stamp and key in kept_ways:
                self._best = kept_ways[key]
                return self._best
            best, ways = self._sifted(self._tried(), None, [])
            if best != Merit(True, True):
                best, ways = self._sifted(self._finely(best), best, ways)
            self._best = (best, tuple(ways))
            kept_ways.clear()
            kept_ways[key] = self._best
        return self._best

    def _sifted(
        self, tried: Iterator[tuple[Paths | None, bool]], best: Merit | None, ways: list[Withdraw]
    ) -> tuple[Merit | None, list[Withdraw]]:
        """Return the best of some new ways out and of the best ways so far."""
        for paths, is_legal in tried:
            if not paths:
                continue
            ends = self.routes.ends(paths)
            merit = self.merit(ends, longest(paths))
            # A check for a free path comes last, because it takes longest.
            if (best is not None and merit < best) or self._broken(ends) is not None:
                continue
            if not is_legal and self.routes.wrong(paths) is not None:
                continue
            if best is None or merit > best:
                best, ways = merit, []
            if len(ways) < MOST:
                ways.append(Withdraw(self.unit, paths))
            if len(ways) >= MANY and best == Merit(True, True):
                break
        return best, ways

    @property
    def best(self) -> Merit | None:
        return self._found()[0]

    def refusal(self, action: Any) -> Refusal | None:
        if not isinstance(action, Withdraw) or action.unit != self.unit:
            return not_an_option("CH-DISENGAGE-07", "The unit has to move away", self.first(), code="no-way-out")
        wrong = self.wrong(action.paths)
        return None if wrong is None else wrong.refusal(self.nearest(action.paths))

    def nearest(self, paths: Paths) -> Withdraw:
        routes = self.routes
        x, y, _ = routes.discs[0]

        def straight(end: Point) -> Ending[Withdraw] | None:
            way_back = routes.shifted((end[0] - x, end[1] - y), path_length(((x, y), end)))
            return (
                (routes.ends(way_back)[0][:2], Withdraw(self.unit, way_back)) if self.wrong(way_back) is None else None
            )

        ends = [(routes.ends(way.paths)[0][:2], way) for way in self._found()[1]]
        way_back = nearest_end(routes.ends(paths)[0][:2], (x, y), self.limit, routes.ground.box, straight, endings=ends)
        return way_back or ends[0][1]

    def wrong(self, paths: Paths) -> RouteFault | None:
        ends = self.routes.ends(paths)
        fault = self._broken(ends) or self.routes.wrong(paths)
        if fault is not None:
            return fault
        length = longest(paths)
        merit, best = self.merit(ends, length), self.best
        if best is None or merit >= best:
            return None
        if NEARER(best.no_nearer and not merit.no_nearer):
            _, i, _ = nearest_pair(ends, self.foes[self.other])
            return RouteFault(NEARER, self._values(self.other, ends[i]))
        if TOO_SHORT(best.full and not merit.full):
            x, y = max([path for _, path in paths], key=path_length)[-1]
            return RouteFault(TOO_SHORT, {"limit": self.limit, "length": length, "x": x, "y": y})
        return None

    def asked(self) -> tuple[tuple[Nearness, ...], int]:
        """Return the conditions that `wrong` puts on the unit's end as numbers, and its required length."""
        best = self.best
        apart = [
            Nearness(bases=tuple(discs), least=max(CONTACT, self.before[e] if e in self.locked else 0) + 1)
            for e, discs in self.foes.items()
        ]
        full = self.limit - FULL if best is not None and best.full else 0
        no_nearer = best is not None and best.no_nearer
        if self.other >= 0 and (no_nearer or full):
            least, others = self.before[self.other], tuple(self.foes[self.other])
            apart.append(Nearness(bases=others, least=least, unless=None if no_nearer else full))
        return tuple(apart), full if no_nearer else 0

    def __iter__(self) -> Iterator[Withdraw]:
        return iter(self._found()[1])

    def sample(self, dice: Dice) -> Withdraw:
        ways = self._found()[1]
        return ways[dice.below(len(ways))]


class ChooseWayOut(Offered, frozen=True, kw_only=True):
    """The owner chooses the way by which a unit leaves close combat."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-07", "Q-DIS-7")
    hint: ClassVar[str] = (
        "The unit goes its full distance away from those it was locked with, and if it can no nearer to anyone else. "
        "It does nothing else this turn."
    )

    def options(self, t: Battle) -> WaysOut:
        return WaysOut(t, self.unit)

    def prompt(self, t: Battle) -> str:
        return f"Where {agreeing(t.called(self.unit), 'does')} {t.called(self.unit)} withdraw to?"

    def offers(self, t: Battle) -> Sequence[Offer]:
        return [Offer(action=self.options(t).first(), words="Withdraw straight away", unit=self.unit, final=True)]

    def told(self, t: Battle, action: Withdraw) -> Offer:
        return Offer(action=action, words="Withdraw", unit=self.unit)

    def regions(self, t: Battle) -> Sequence[Region]:
        bands = ((leaving_distance(t, self.unit), 0),)
        return [Region(form="move", unit=self.unit, words="Withdraw", bands=bands)]

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        """Return the way out in the direction of a drag, at full length unless single models were dragged."""
        ways = self.options(t)
        paths = drawn(ways.routes, wish, lambda paths: ways.wrong(paths) is None, whole=True)
        if not paths:
            return Proposal(refusal=not_an_option("CH-DISENGAGE-07", "Choose where to", code="no-way"))
        wrong = ways.wrong(paths)
        length = longest(paths)
        return Proposal(
            action=Withdraw(self.unit, paths) if wrong is None else None,
            paths=dict(paths),
            length=length,
            left=max(0, ways.limit - length),
            refusal=None if wrong is None else wrong.refusal(ways.nearest(paths)),
            faults=() if wrong is None else faults_at(ways.routes, paths, wrong),
        )

    def pick_up(self, t: Battle, unit: int, act: str = "") -> PickedUp | None:
        """Return the unit's surroundings, with the distances from enemies that its end must have."""
        if unit != self.unit:
            return None
        ways = self.options(t)
        near, shortest = ways.asked()
        return replace(picked_up(ways.routes), near=near, shortest=shortest, whole=True)


class Withdrew(Event, frozen=True):
    """A unit left close combat."""

    unit: int
    paths: Paths
    length: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-DISENGAGE-06", "CH-DISENGAGE-07", "CH-DISENGAGE-08")
    shown = MotionOf("move", ways="paths")

    def sentence(self, t: Battle) -> str:
        back = f"{agreeing(t.called(self.unit), 'withdraws')} {decimal(self.length, CM)} cm"
        return f"{t.does(self.unit, 'leaves')} close combat and {back}"
