"""Moves: destinations and obstacles, and the moves after which a unit may still battle.

A player chooses only a destination, to which the unit takes a shortest path. A search from hex to hex
(`caltrop.table.hexes.reach`) finds the reachable hexes. Occupied hexes and impassable ground are closed. A path ends on
ground where a unit must stop, or in the hex of a unit that a leader joins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec import UNSET

from caltrop.agreeing import quantity
from caltrop.asking import Act, Choices, Guards, OneOf, Proposal, Wish
from caltrop.chance import Dice
from caltrop.engine import (
    Ask,
    End,
    Event,
    Go,
    Procedure,
    Refusal,
    ask,
    guard,
    step,
    total,
)
from caltrop.picture import Motion
from caltrop.rules.hex_command.entrenchments import give_up
from caltrop.rules.hex_command.leaders import LeaderJoined, LeaderParted, may_join
from caltrop.rules.hex_command.places import barred
from caltrop.rules.hex_command.reach import farther_by_road, farthest, most_hexes, no_battle_after_moving
from caltrop.rules.hex_command.records import Battle, Unit, centre_of, placed
from caltrop.rules.hex_command.routes import (
    FAR,
    LAST,
    NO_LEADER,
    OPEN,
    entering,
    goes_by_road,
    may_be_alone,
    may_go,
    movers,
    moves,
    way_to,
    why_still,
    within_reach,
)
from caltrop.rules.hex_command.victory import settle
from caltrop.table.hexes import Hex, way

NO_UNIT = guard("HX-TRN-03", "no-unit-of-yours", "That unit is not yours on the map: {name}")
STANDS_THERE = guard(
    "HX-MOV-03", "stands-there", "{hex} is the hex of the {unit} already: to stay, move others or end your moves"
)
NO_HEX = guard("HX-S10", "no-hex", "{fault}")
OCCUPIED = guard(("HX-MOV-06", "HX-Q14"), "occupied", "{hex} holds the {other}, and two units may not be in one hex")
NO_MOVE = guard("HX-TRN-03", "no-move", "Move a unit, or end your moves")
TOO_FAR = guard(("HX-S20", "HX-S11"), "too-far", "{hex} is {far:hex} away, and the most for the {unit} is {most}")
TOO_FAR_ROUND = guard(
    "HX-S20", "too-far-round", "The free way to {hex} is {far:hex}, and the most for the {unit} is {most}"
)
IN_THE_WAY = guard("HX-MOV-07", "in-the-way", "The {other:is} in the way to {hex}, and may not be moved through")
MUST_STOP = {
    "woods": guard("HX-S32", "stops-in-woods", "The {unit} must stop on entering the woods at {at}"),
    "ruins": guard("HX-S33", "stops-in-ruins", "The {unit} must stop on entering the ruins at {at}"),
    "citadel": guard("HX-S35", "stops-in-citadel", "The {unit} must stop on entering the citadel at {at}"),
    "water": guard("HX-S37", "stops-in-water", "The {unit} must stop on entering the water at {at}"),
    "ford": guard("HX-S38", "stops-in-ford", "The {unit} must stop on entering the ford at {at}"),
}
"""Reasons why a path ends before its destination, by kind of ground."""


class Moves(Procedure):
    """The Move step: ordered units move one after another."""

    side: int

    @step("HX-TRN-03", "HX-MOV-01", "HX-MOV-04")
    def choose_a_move(self, t: Battle) -> Ask | End:
        return ask(MoveUnits(side=self.side)) if next(movers(t, self.side), None) is not None else End()

    @step("HX-MOV-01", "HX-MOV-02", "HX-MOV-05", "HX-LDS-01", "HX-LDS-02", "HX-LDS-08", "HX-Q26", "HX-S12")
    def move(self, t: Battle, choice: March | EndMoves) -> Go | End:
        """A unit moves once. The unit takes its leader along or leaves the leader behind."""
        return choice.perform(t, self)


# --- ends of moves ---------------------------------------------------------------------------------------------------


def no_battle_after(t: Battle, action: March) -> Refusal | None:
    """Return why a unit could not battle this turn after a move, or None if it could."""
    after = t.clone()
    after.told = None
    march(after, action)
    return no_battle_after_moving(after, after.units[action.unit])


def arrive(t: Battle, unit: Unit, hex: Hex) -> None:
    """Record a unit that has entered ground where it may not battle this turn."""
    ground = t.ground(hex)
    if ground.entering is not None and unit.kind not in ground.entering and ground.on and unit.id not in t.entered:
        t.entered.append(unit.id)


# --- marches ---------------------------------------------------------------------------------------------------------


def march(t: Battle, choice: March) -> None:
    unit = t.units[choice.unit]
    start, to = unit.hex, choice.to
    assert start is not None
    leader, host = t.leader_of(unit), t.host_of(unit)
    by = way_to(t, unit, to) or ()
    hexes = len(by)
    by_road = goes_by_road(t, unit, to, hexes)
    joined = t.board.get(to)
    going = [unit] if leader is None or choice.alone else [unit, leader]
    if host is None:
        give_up(t, start)
    for one in reversed(going):
        # The leader is placed first, because moving a unit leaves its leader behind.
        t.put(one.id, to) if one is unit and joined is None else t.put(one.id, to, guest=True)
    for one in going:
        t.moved[one.id] = hexes
        if by_road:
            t.by_road.append(one.id)
        arrive(t, one, to)
    t.tell(Marched(unit.id, start, to, hexes, leader.id if len(going) == 2 and leader is not None else None, by))
    if joined is not None:
        t.tell(LeaderJoined(unit.id, joined))
    parted = (unit, host) if host is not None else (leader, unit) if leader is not None and choice.alone else None
    if parted is not None:
        t.parted[parted[0].id] = parted[1].id
        t.tell(LeaderParted(parted[0].id, parted[1].id))


# --- decisions -------------------------------------------------------------------------------------------------------


class March(Act, frozen=True):
    unit: int
    to: Hex
    alone: bool = False
    """True if a unit leaves its leader behind."""

    words = "{where}"
    group = "Move the {unit}"
    says: ClassVar[Mapping[str, Any]] = {
        "where": lambda t, unit, to, alone: _words(t, March(unit, to, alone)),
        "unit": lambda t, unit: t.called(unit),
    }
    guards = Guards(lambda o, unit, to, alone: o.fault(March(unit, to, alone))[0])
    spot = centre_of

    @classmethod
    def every(cls, o: Marches, **fixed: Any) -> Iterator[March]:
        """Yield the moves of the units in the sequence of their orders, the nearest hexes first."""
        for unit in movers(o.t, o.side):
            yield from o.ways(unit)

    @classmethod
    def some(cls, o: Marches) -> bool:
        return next(movers(o.t, o.side), None) is not None

    def nearest(self, o: Marches) -> Act:
        t = o.t
        unit = _one_of(t, o.side, self.unit)
        if unit is None or why_still(t, unit) is not None or not may_go(t, unit):
            return EndMoves()
        marches = o.ways(unit)
        if self.to not in t.map:
            return marches[0]
        alike = [m for m in marches if m.alone == self.alone] or marches
        centre, goal = t.map.centre, t.map.centre(self.to)
        return min(alike, key=lambda m: (t.map.distance(m.to, self.to), _square(centre(m.to), goal)))

    def perform(self, t: Battle, by: Moves) -> Go:
        march(t, self)
        settle(t)
        return Go("choose_a_move")


class EndMoves(Act, frozen=True):
    """End the side's moves."""

    words = "End your moves"
    final = True

    def perform(self, t: Battle, by: Moves) -> End:
        return End()


class Marches(Choices):
    """The moves that a side may make, and the option to end."""

    acts = (March, EndMoves)
    unknown = NO_MOVE

    def ways(self, unit: Unit) -> list[March]:
        ends = within_reach(self.t, unit, most_hexes(self.t, unit))
        marches = [March(unit.id, hex) for hex in ends]
        if self._may_part(unit):
            marches += [March(unit.id, hex, alone=True) for hex in ends]
        return marches

    def _may_part(self, unit: Unit) -> bool:
        leader = self.t.leader_of(unit)
        return leader is not None and may_be_alone(self.t, leader) is None

    def sample(self, dice: Dice) -> Any:
        """Return a random unit's random move, or the end of the moves.

        Moves are only computed for the chosen unit.
        """
        t = self.t
        ids = list(t.ordered)
        # A unit that cannot move is removed and another unit is drawn, so that all units that can move have the same
        # probability.
        while (n := dice.below(len(ids) + 1)) < len(ids):
            id = ids.pop(n)
            if moves(t, self.side, id):
                unit = t.units[id]
                ends = list(within_reach(t, unit, most_hexes(t, unit)))
                n = dice.below(len(ends) * (1 + self._may_part(unit)))
                return March(id, ends[n % len(ends)], alone=n >= len(ends))
        return EndMoves()

    def fault(self, action: March) -> tuple[Refusal | None, Hex | None]:
        t, to = self.t, action.to
        unit = _one_of(t, self.side, action.unit)
        if unit is None:
            return NO_UNIT.refuses(True, unit=action.unit, name=t.name_of(action.unit)), None
        assert unit.hex is not None
        leader = t.leader_of(unit)
        refusal = why_still(t, unit) or NO_HEX.refuses(to not in t.map, fault="" if to in t.map else t.map.fault(to))
        if refusal is None and action.alone:
            refusal = NO_LEADER.refuses(leader is None, unit=t.called(unit.id)) or (
                may_be_alone(t, leader) if leader is not None else None
            )
        if refusal is not None:
            return refusal, None
        if to == unit.hex:
            return STANDS_THERE.refuses(True, unit=t.called(unit.id), hex=to), to
        if to in t.board:
            return self._occupied(unit, to)
        return (barred(t, unit, to), to) if barred(t, unit, to) is not None else self._way(unit, to)

    def _occupied(self, unit: Unit, to: Hex) -> tuple[Refusal | None, Hex | None]:
        t = self.t
        other = t.units[t.board[to]]
        if not unit.row.is_leader or other.side != self.side:
            return OCCUPIED.refuses(True, hex=to, other=t.called(other.id)), to
        refusal = may_join(t, unit, to) or barred(t, unit, to)
        return (refusal, to) if refusal is not None else self._way(unit, to)

    def _way(self, unit: Unit, to: Hex) -> tuple[Refusal | None, Hex | None]:
        t, start = self.t, unit.hex
        assert start is not None
        if way_to(t, unit, to) is not None:
            return None, None
        most, far = total(farthest(t, unit)), t.map.distance(start, to)
        if far > most:
            return TOO_FAR.refuses(True, hex=to, far=far, unit=t.called(unit.id), most=most), to
        enter = entering(t, unit)
        hasty = way(t.map, start, to, most, lambda hex: OPEN if hex != to and enter(hex) else enter(hex))
        if hasty is not None:
            at = next(hex for hex in hasty if enter(hex) == LAST)
            return self._stop(unit, at, to), at
        through = way(t.map, start, to, most, lambda hex: OPEN if hex in t.board else enter(hex))
        if through is not None:
            at = next(hex for hex in through if hex in t.board)
            return IN_THE_WAY.refuses(True, other=placed(t, t.board[at]), at=at, hex=to), at
        free = way(t.map, start, to, FAR, enter)
        if free is not None:
            return TOO_FAR_ROUND.refuses(True, hex=to, far=len(free), unit=t.called(unit.id), most=most), to
        straight = way(t.map, start, to, most, lambda hex: OPEN) or ()
        at = next((hex for hex in straight if enter(hex) != OPEN), to)
        refusal = barred(t, unit, at)
        if refusal is None and at in t.board:
            refusal = IN_THE_WAY.refuses(True, other=placed(t, t.board[at]), at=at, hex=to)
        return refusal or self._stop(unit, at, to), at

    def _stop(self, unit: Unit, at: Hex, to: Hex) -> Refusal | None:
        t = self.t
        if at in t.board:
            return IN_THE_WAY.refuses(True, other=placed(t, t.board[at]), at=at, hex=to)
        return MUST_STOP[t.ground(at).key].refuses(True, unit=t.called(unit.id), at=at)


def _one_of(t: Battle, side: int, id: int) -> Unit | None:
    unit = t.units[id] if 0 <= id < len(t.units) else None
    return unit if unit is not None and unit.side == side and unit.hex is not None else None


class MoveUnits(OneOf, frozen=True, kw_only=True):
    """A side chooses the unit that moves next, and the hex to which it moves."""

    clauses: ClassVar[tuple[str, ...]] = ("HX-TRN-03", "HX-MOV-01", "HX-MOV-03", "HX-MOV-04")
    hint: ClassVar[str] = (
        "Ordered units move one after another, each once, and need not move at all. "
        "When you end your moves, the battles begin."
    )
    template = "Which unit do you move, and where to?"
    menu = Marches

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        """Return the path to the hex at the end of a drag, and the number of hexes that are left.

        Lengths are in widths of a hex.
        """
        unit = _one_of(t, self.side, wish.unit)
        if unit is None or unit.hex is None or wish.to is None:
            return Proposal(refusal=NO_UNIT.refuses(True, unit=wish.unit, name=t.name_of(wish.unit)))
        x, y = wish.to
        to = min(t.map.hexes, key=lambda hex: _square(t.map.centre(hex), (x, y)))
        action = March(unit.id, to, alone=wish.act == "alone")
        options = Marches(t, self.side)
        refusal, at = options.fault(action)
        if refusal is not None:
            nearest = options.refusal(action)
            faults = () if at is None else (t.map.centre(at),)
            return Proposal(refusal=nearest or refusal, faults=faults)
        ends = way_to(t, unit, to) or ()
        most, width = total(farthest(t, unit)), t.map.size[0] // t.map.columns
        if len(ends) >= most and goes_by_road(t, unit, to, len(ends)):
            most += total(farther_by_road(t, unit))
        return Proposal(
            action=action,
            paths={unit.id: tuple([t.map.centre(hex) for hex in (unit.hex, *ends)])},
            length=len(ends) * width,
            left=max(most - len(ends), 0) * width,
            notes=UNSET if (warning := no_battle_after(t, action)) is None else (warning.message,),
        )


def _square(a: tuple[int, int], b: tuple[int, int]) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _words(t: Battle, action: March) -> str:
    unit = t.units[action.unit]
    leader = t.leader_of(unit)
    other = t.units[t.board[action.to]] if action.to in t.board else None
    if other is not None:
        return f"Join the {t.called(other.id)} at {action.to}"
    far = quantity(len(way_to(t, unit, action.to) or ()), "hex")
    after = f"({far}; no battle after it)" if no_battle_after(t, action) is not None else f"({far})"
    if leader is None:
        return f"Move to {action.to} {after}"
    return f"Move to {action.to} {'without' if action.alone else 'with'} the {t.called(leader.id)} {after}"


# --- events ----------------------------------------------------------------------------------------------------------


class Marched(Event, frozen=True):
    unit: int
    start: Hex
    to: Hex
    hexes: int
    leader: int | None = None
    """Id of the leader who went with the unit; None without a leader."""
    way: tuple[Hex, ...] = ()
    """Hexes that the unit entered, in order."""
    clauses: ClassVar[tuple[str, ...]] = ("HX-TRN-03", "HX-MOV-01")
    about = ("unit", "leader")

    def sentence(self, t: Battle) -> str:
        along = f" with the {t.called(self.leader)}" if self.leader is not None else ""
        hexes = quantity(self.hexes, "hex")
        return f"The {t.called(self.unit)}{along}: {hexes} from {self.start} to {self.to}"

    def motion(self, t: Battle) -> Motion:
        hexes = (self.start, *(self.way or (self.to,)))
        way = tuple([t.map.centre(hex) for hex in hexes])
        units = (self.unit,) if self.leader is None else (self.unit, self.leader)
        return Motion(sort="move", unit=self.unit, units=units, ways=((self.unit, way),))
