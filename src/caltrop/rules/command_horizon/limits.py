"""The limits of a move: units that may not move, obstacles, forbidden places, and costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from caltrop.asking.routes import AnyRoutes, RouteFault
from caltrop.engine import Guard, Refusal, Sum, guard, rule, total
from caltrop.geometry import (
    CONTACT,
    Box,
    Disc,
    Point,
    boxes_within,
    discs_box,
    distance_up,
    overlapping,
    path_length,
    points_box,
)
from caltrop.rules.command_horizon.places import StandingPlace, standing, standing_of
from caltrop.rules.command_horizon.putredine import disabled
from caltrop.rules.command_horizon.reach import (
    Band,
    bands,
    charge_bands,
    is_infantry,
    is_putredine,
    ladder,
    passes_over,
    pays_terrain,
    terrain_price,
)
from caltrop.rules.command_horizon.records import Battle, Unit
from caltrop.table.measured import (
    FaultKind,
    PathFault,
    chain,
    coherent,
    first_obstacle,
    first_overlap,
    is_open,
    legal_prefix,
    path_fault,
    terrain_along,
)

Path = tuple[Point, ...]
Paths = tuple[tuple[int, Path], ...]
"""Path of each moving model, by its id, in the order of the unit's models. A path begins at the model's place."""

NOT_YOURS = guard("CH-TURN-07", "not-yours", "Only units of the active side that are in play move")
LOCKED = guard(("Q-CC-7", "CH-CC-06"), "locked", "{name:is} locked in close combat and can only fight or disengage")
CONCENTRATES = guard("CH-CONC-02", "concentrates", "{name:concentrates} command, and movement is given up for that")
LEFT_COMBAT = guard("CH-DISENGAGE-08", "left-combat", "{name:has} left close combat this turn and can do nothing else")
MOVED_ALREADY = guard(("Q-MOVE-11", "Q-SQUAD-5"), "moved-already", "{name:has} moved already this turn")
APPEARED = guard(
    ("Q-SPAWN-2", "CH-POD-06"), "appeared", "{name:has} only just appeared: new units move in their side's next turn"
)
STUNNED_PUTREDINE = guard(
    ("CH-PUTSTUN-01", "CH-PUTSTUN-02", "CH-PUTSTUN-06"),
    "stunned-putredine",
    "{name:has} {stuns:Stun marker}: Putredine infantry with markers does not move this turn",
)
NO_MOVE_LEFT = guard(("CH-PUTINF-03", "CH-PUTINF-10"), "no-move-left", "No movement is left for {name} this turn")
NO_PAID_MOVE = guard(
    ("CH-STUN-08", "Q-STUN-4"), "no-paid-move", "{name:has} {stuns:Stun marker} and cannot pay for movement"
)
NOT_ITS_MODEL = guard("CH-MOVE-05", "not-its-model", "{name:has} no such model in play, or one is named twice")
NOT_FROM_HERE = guard("Q-MOVE-8", "not-from-here", "The path of model {model} does not begin where the model stands")
NOBODY_MOVES = guard("CH-MOVE-01", "nobody-moves", "No model of {name} moves")
IS_DISABLED = guard(
    ("CH-WORM-05", "Q-WORM-4"), "is-disabled", "Model {model} of {name} is Disabled by {tokens:Worm Token}: it stays"
)
TOO_FAR = guard(
    ("CH-MOVE-01", "Q-MOVE-2"), "too-far", "The path of model {model} is {length:cm} long, and {name:moves} {limit:cm}"
)
_ON_FOOT = "The path of model {model} is {length:cm} long, and {name} on foot goes no farther than {limit:cm}"
INFANTRY_TOO_FAR = {
    "alliance": guard("CH-INFMOVE-04", "infantry-too-far", _ON_FOOT),
    "asori": guard("CH-ASORI-16", "asori-too-far", _ON_FOOT),
    "putredine": guard("CH-PUTINF-03", "putredine-too-far", _ON_FOOT),
}
_STUNNED = "The path of model {model} is {length:cm} long, and {name:has} {stuns:Stun marker}: {limit:cm} is the most"
STUNNED_TOO_FAR = {
    "current": guard(("CH-MOVE-06", "CH-STUN-06"), "stunned-too-far", _STUNNED),
    "v1.5": guard(("CH-STUN-08", "Q-STUN-4"), "stunned-too-far-v15", _STUNNED),
}
JOINED_TOO_FAR = guard(
    ("CH-PUTINF-10", "CH-PUTINF-11"),
    "joined-too-far",
    "Bases have joined {name} this turn: only {limit:cm} can be bought, and the path of model {model} is {length:cm}",
)
OFF_TABLE = guard("Q-MOVE-11", "off-table", "Model {model} of {name} would leave the table after {after:cm}")
IMPASSABLE = guard(
    ("Q-TERRAIN-3", "CH-PUT-09"), "impassable", "Model {model} of {name} runs into {what} after {after:cm}"
)
IN_THE_WAY = guard(
    ("CH-BLOCK-02", "CH-PUT-11", "Q-MOVE-11"), "in-the-way", "Model {model} of {name} runs into {what} after {after:cm}"
)
OVERLAP = guard(
    ("Q-MOVE-11", "Q-MOVE-13"), "overlap", "Models {model} and {other} of {name} would stand on one another"
)
OUT_OF_COHERENCY = guard(
    ("CH-COH-02", "CH-COH-01", "CH-COH-04", "Q-COH-1", "Q-COH-2"),
    "out-of-coherency",
    "Model {model} of {name} would end {gap:inch} from the rest of its unit: 1 inch is the most",
)
ENDS_IN_CONTACT = guard(
    ("Q-MOVE-12", "CH-CHARGE-01"),
    "ends-in-contact",
    "Model {model} of {name} would end in contact with {what}: only a charge may do that",
)
NOT_ENOUGH_CP = guard(
    ("CH-COST-03", "CH-COST-04", "CH-COST-05", "Q-MOVE-11"),
    "not-enough-cp",
    "The longest path is {length:cm}: the move costs {price} CP, and you have {cp}",
)


@rule("CH-PUTSTUN-01", "CH-PUTSTUN-06", "Q-PUTINF-6", stages=("house",))
def is_held(t: Battle, unit: int) -> bool:
    """Putredine infantry with markers does not move."""
    return t.units[unit].stuns > 0 and is_infantry(t, unit) and is_putredine(t, unit)


@is_held.amended_by("CH-PUTSTUN-06", "Q-PUTINF-6", stage="house", house={"putredine.freed": "any"})
def markers_hold_until_one_is_bought_off(held: bool, t: Battle, unit: int) -> bool:
    """House rule: Putredine infantry may move if any of its markers was removed for CP this turn."""
    return held and t.units[unit].frozen


def why_still(t: Battle, side: int, unit: int) -> Refusal | None:
    """Return why a unit may not move or charge, or None if it may."""
    if not 0 <= unit < len(t.units):
        return NOT_YOURS.refuses(True)
    u = t.units[unit]
    if u.side != side or not u.deployed or not u.models:
        refusal = NOT_YOURS.refuses(True)
        if refusal is not None:
            return refusal
    if not (u.locked or u.concentrating or u.disengaged or u.move_over or u.appeared or u.stuns or u.no_free_move):
        return None
    return (
        LOCKED.refuses(bool(u.locked), name=t.called(unit))
        or CONCENTRATES.refuses(u.concentrating, name=t.called(unit))
        or LEFT_COMBAT.refuses(u.disengaged, name=t.called(unit))
        or MOVED_ALREADY.refuses(u.move_over, name=t.called(unit))
        or APPEARED.refuses(u.appeared, name=t.called(unit))
        or STUNNED_PUTREDINE.refuses(is_held(t, unit), name=t.called(unit), stuns=u.stuns)
        or NO_PAID_MOVE.refuses(u.stuns > 0 and not bands(t, unit), name=t.called(unit), stuns=u.stuns)
        or NO_MOVE_LEFT.refuses(u.no_free_move and not bands(t, unit), name=t.called(unit))
    )


def least_price(t: Battle, unit: int) -> int | None:
    """Return the lowest price of any move of a unit in CP; None if it may not move.

    The price depends only on the unit's record, so it is cached until the record changes.
    """
    return _going(t, unit)[1]


def _going(t: Battle, unit: int) -> tuple[Unit, int | None, tuple[Band, ...]]:
    cache: dict[int, tuple[Unit, int | None, tuple[Band, ...]]] = t.book.scratch.setdefault("going", {})
    u = t.units[unit]
    entry = cache.get(unit)
    if entry is None or entry[0] is not u:
        ladder = bands(t, unit)
        least = None
        if why_still(t, u.side, unit) is None:
            least = min([total(price) for _, price in ladder], default=NEVER)
        entry = cache[unit] = u, least, ladder
    return entry


NEVER = 1 << 30
"""Price for a unit that cannot move but may charge."""


def rough_pieces(t: Battle) -> tuple[str, ...]:
    """Return the ids of the terrain that has a price to cross."""
    ids: tuple[str, ...] | None = t.book.scratch.get("rough")
    if ids is None:
        ids = t.book.scratch["rough"] = tuple([piece.id for piece in t.table.terrain if piece.kind.rough])
    return ids


def rough_boxes(t: Battle) -> tuple[Box, ...]:
    """Return the bounding boxes of the terrain that has a price to cross."""
    boxes: tuple[Box, ...] | None = t.book.scratch.get("rough boxes")
    if boxes is None:
        rough = rough_pieces(t)
        boxes = t.book.scratch["rough boxes"] = tuple([p.box for p in t.ground.pieces if p.id in rough])
    return boxes


def rough_on_the_way(t: Battle, unit: int, paths: Paths) -> int:
    """Return the number of pieces of rough terrain that the moving models touch, including at the start (Q-TERRAIN-1).

    The number is 0 for units that do not pay for terrain.
    """
    rough = rough_pieces(t)
    if not rough or not pays_terrain(t, unit):
        return 0
    x0, y0, x1, y1 = points_box([point for _, path in paths for point in path] or [(0, 0)])
    r = max([t.models[m].r for m, _ in paths], default=0)
    box = (x0 - r, y0 - r, x1 + r, y1 + r)
    if not any(boxes_within(piece, box, 0) for piece in rough_boxes(t)):
        return 0
    touched: list[str] = []
    for model, path in paths:
        if len(path) > 1:
            for id in terrain_along(t.ground, path, t.models[model].r):
                if id in rough and id not in touched:
                    touched.append(id)
    return len(touched)


def longest(paths: Paths) -> int:
    return max([path_length(path) for _, path in paths], default=0)


_STOPS: dict[FaultKind, Guard] = {"table": OFF_TABLE, "terrain": IMPASSABLE, "disc": IN_THE_WAY}


class Limits(AnyRoutes[Paths]):
    """The limits of one unit's moves at this moment, and their cost.

    Args:
        t: The battle, which is read while the object is used.
        charge: The enemy unit that it charges; None for an ordinary move.
        reach: The distance that is already paid for; None if the move is still to be paid for.
        engages: True if a charge may touch further enemy infantry (Q-CHARGE-5).
    """

    def __init__(
        self, t: Battle, unit: int, charge: int | None = None, reach: int | None = None, engages: bool = True
    ) -> None:
        self.t, self.unit, self.charge, self.engages = t, unit, charge, engages
        u = t.units[unit]
        self.side, self.ids = u.side, u.models
        self.discs: list[Disc] = [t.models[m].disc for m in u.models]
        self.index = {m: i for i, m in enumerate(u.models)}
        self.ground, self.crosses = t.ground, passes_over(t, unit)
        self.others = [s for s in standing(t) if s.unit != unit]
        self.cp = t.armies[u.side].cp
        self.paid = reach is not None
        self.bands: tuple[Band, ...]
        if reach is not None:
            self.bands = ((reach, ()),)
        else:
            self.bands = charge_bands(t, unit) if charge is not None else _going(t, unit)[2]
        self.limit = self.bands[-1][0] if self.bands else 0
        """Largest distance at any price, in tenths of a millimetre."""
        self.top = 0
        """Largest distance on open ground that the side can pay for, in tenths of a millimetre."""
        for length, price in self.bands:
            if total(price) <= self.cp:
                self.top = length
        self.box = discs_box(self.discs) if self.discs else (0, 0, 0, 0)
        self.stepped: tuple[Paths, tuple[Point, ...]] = ((), ())
        """The last paths in which all models moved by the same vectors, with these vectors."""
        self.attaches = is_infantry(t, unit) and is_putredine(t, unit)
        self.disabled = tuple([m for m in u.models if t.models[m].worms and disabled(t, m)])

    # --- faults ----------------------------------------------------------------------------------------------------

    def wrong(self, paths: Paths, *, brief: bool = False) -> RouteFault | None:
        if paths is self.stepped[0] and paths and self._is_open_step(self.stepped[1]):
            return None
        t, index, discs = self.t, self.index, self.discs
        length = 0
        far = -1
        ends = list(discs)
        moving: list[int] = []
        seen: list[int] = []
        for m, path in paths:
            i = index.get(m, -1)
            if NOT_ITS_MODEL(i < 0 or m in seen):
                return RouteFault(NOT_ITS_MODEL, {"name": self.name})
            if i < 0:
                continue
            seen.append(m)
            x, y, r = discs[i]
            if NOT_FROM_HERE(not path or path[0] != (x, y)):
                return RouteFault(NOT_FROM_HERE, {"name": self.name, "model": i + 1})
            own = path_length(path)
            if own > 0:
                moving.append(i)
                ends[i] = (path[-1][0], path[-1][1], r)
                if self.disabled and m in self.disabled and IS_DISABLED(True):
                    return RouteFault(IS_DISABLED, {"name": self.name, "model": i + 1, "tokens": t.models[m].worms})
            if own > length:
                length, far = own, i
        if not moving and self.charge is None and NOBODY_MOVES(True):
            return RouteFault(NOBODY_MOVES, {"name": self.name})
        if length > self.limit:
            fault = self._too_far(length, far)
            if fault is not None:
                return fault
        return (
            self._on_the_way(paths, moving, brief)
            or self._at_the_end(ends, moving, brief)
            or self._unpaid(paths, length)
        )

    @property
    def name(self) -> str:
        return self.t.called(self.unit)

    def _too_far(self, length: int, far: int) -> RouteFault | None:
        t, u = self.t, self.t.units[self.unit]
        values = {"name": self.name, "model": far + 1, "length": length, "limit": self.limit}
        if u.no_free_move:
            guard = JOINED_TOO_FAR
        elif u.stuns and not self.paid and ladder(t, t.armies[u.side].army, u.kind)[-1][0] > self.limit:
            guard = STUNNED_TOO_FAR[t.book.edition]
            values["stuns"] = u.stuns
        elif is_infantry(t, self.unit):
            guard = INFANTRY_TOO_FAR[t.armies[u.side].army]
        else:
            guard = TOO_FAR
        return RouteFault(guard, values) if guard(True) else None

    def near(self, paths: Paths) -> tuple[list[Disc], list[StandingPlace], Box]:
        """Return the bases of other units near some paths, the units, and a box around all paths."""
        r = self.discs[0][2]
        left = low = 1 << 40
        right = high = -left
        for m, path in paths:
            r = max(r, self.discs[self.index[m]][2])
            for x, y in path:
                if x < left:
                    left = x
                if x > right:
                    right = x
                if y < low:
                    low = y
                if y > high:
                    high = y
        r += CONTACT
        left, low, right, high = left - r, low - r, right + r, high + r
        discs: list[Disc] = []
        owners: list[StandingPlace] = []
        for s in self.others:
            box = s.box
            if box[0] <= right and box[2] >= left and box[1] <= high and box[3] >= low:
                for disc in s.discs:
                    x, y, q = disc
                    if x - q <= right and x + q >= left and y - q <= high and y + q >= low:
                        discs.append(disc)
                        owners.append(s)
        return discs, owners, (left, low, right, high)

    def _on_the_way(self, paths: Paths, moving: Sequence[int], brief: bool) -> RouteFault | None:
        discs, owners, box = self.near(paths)
        if not discs and is_open(self.ground, box):
            return None
        enemies = [(d, s.unit) for d, s in zip(discs, owners, strict=True) if s.side != self.side]
        for m, path in paths:
            i = self.index[m]
            if i not in moving:
                continue
            if brief:
                obstacle = first_obstacle(self.ground, path, self.discs[i][2], discs, self.crosses)
                if obstacle is not None and _STOPS[obstacle.kind](True):
                    return RouteFault(_STOPS[obstacle.kind], {})
                fault = None
            else:
                fault = path_fault(self.ground, path, self.discs[i][2], discs, self.crosses)
            if fault is not None:
                blocked = self._blocked(i, path, fault, owners)
                if blocked is not None:
                    return blocked
            ex, ey, er = path[-1][0], path[-1][1], self.discs[i][2] + CONTACT
            for (x, y, r), enemy in enemies:
                dx, dy, reach = x - ex, y - ey, r + er
                if dx * dx + dy * dy <= reach * reach and not self.may_touch(enemy) and ENDS_IN_CONTACT(True):
                    what = self.t.called(enemy)
                    return RouteFault(ENDS_IN_CONTACT, {"name": self.name, "model": i + 1, "what": what})
        return None

    def may_touch(self, enemy: int) -> bool:
        """Return whether the unit may end its move in contact with an enemy unit."""
        if self.charge is not None:
            return enemy == self.charge or (self.engages and is_infantry(self.t, enemy))
        return self.attaches and not is_infantry(self.t, enemy)

    def _blocked(self, i: int, path: Path, fault: PathFault, owners: Sequence[StandingPlace]) -> RouteFault | None:
        after = path_length(legal_prefix(path, fault))
        values = {"name": self.name, "model": i + 1, "after": after, "x": fault.stop[0], "y": fault.stop[1]}
        guard = _STOPS[fault.kind]
        if fault.kind == "terrain":
            values["what"] = fault.terrain
        elif fault.kind == "disc":
            assert fault.disc is not None
            values["what"] = self.t.called(owners[fault.disc].unit)
        return RouteFault(guard, values) if guard(True) else None

    def _at_the_end(self, ends: Sequence[Disc], moving: Sequence[int], brief: bool) -> RouteFault | None:
        if len(moving) == len(ends) and self._is_one_step(ends) and self._sound():
            return None  # the models keep their places relative to one another
        for i in moving:
            for j, other in enumerate(ends):
                if j != i and overlapping(ends[i], other) and OVERLAP(True):
                    return RouteFault(OVERLAP, {"name": self.name, "model": min(i, j) + 1, "other": max(i, j) + 1})
        if not coherent(ends) and OUT_OF_COHERENCY(True):
            if brief:
                return RouteFault(OUT_OF_COHERENCY, {})
            together = chain(ends)
            apart = min(i for i in range(len(ends)) if i not in together)
            gap = min(distance_up(ends[apart][:2], ends[j][:2]) - ends[apart][2] - ends[j][2] for j in together)
            return RouteFault(OUT_OF_COHERENCY, {"name": self.name, "model": apart + 1, "gap": gap})
        return None

    def _is_one_step(self, ends: Sequence[Disc]) -> bool:
        x, y, _ = self.discs[0]
        dx, dy = ends[0][0] - x, ends[0][1] - y
        for (x, y, _), (u, v, _) in zip(self.discs, ends, strict=True):  # noqa: SIM110  a loop is what is fast here
            if u - x != dx or v - y != dy:
                return False
        return True

    def _sound(self) -> bool:
        """Return whether the unit is now in coherency, without overlapping models."""
        cache: dict[int, tuple[StandingPlace, bool]] = self.t.book.scratch.setdefault("sound", {})
        own = standing_of(self.t, self.unit)
        cached = cache.get(self.unit)
        if own is not None and cached is not None and cached[0] is own:
            return cached[1]
        is_sound = coherent(self.discs) and first_overlap(self.discs) is None
        if own is not None:
            cache[self.unit] = own, is_sound
        return is_sound

    def _unpaid(self, paths: Paths, length: int) -> RouteFault | None:
        price = self.price(paths, length)
        if price and not self.paid and NOT_ENOUGH_CP(total(price) > self.cp):
            values = {"name": self.name, "length": length, "price": total(price), "cp": self.cp}
            return RouteFault(NOT_ENOUGH_CP, values)
        return None

    def price(self, paths: Paths, length: int) -> Sum:
        """Return the cost of a move in CP: for the longest path, and for terrain."""
        if self.paid or length == 0:
            return ()
        for reach, price in self.bands:
            if length <= reach:
                pieces = rough_on_the_way(self.t, self.unit, paths)
                return (*price, *terrain_price(self.t, self.unit, pieces)) if pieces else price
        return ()

    def ends(self, paths: Paths) -> list[Disc]:
        discs = list(self.discs)
        for m, path in paths:
            i = self.index.get(m, -1)
            if i >= 0 and path:
                discs[i] = (*path[-1], discs[i][2])
        return discs

    def _is_open_step(self, away: Sequence[Point]) -> bool:
        """Return whether all models may move by the same vectors because nothing is near.

        If the result is True, `wrong` finds no fault. If the answer is False, `wrong` has to decide.
        """
        left = low = right = high = length = 0
        px = py = 0
        for dx, dy in away:
            left, right = min(left, dx), max(right, dx)
            low, high = min(low, dy), max(high, dy)
            length += distance_up((px, py), (dx, dy))
            px, py = dx, dy
        x0, y0, x1, y1 = self.box
        box = (x0 + left, y0 + low, x1 + right, y1 + high)
        if not 0 < length <= self.limit or not is_open(self.ground, box):
            return False
        left, low, right, high = box[0] - CONTACT, box[1] - CONTACT, box[2] + CONTACT, box[3] + CONTACT
        for s in self.others:
            near = s.box
            if near[0] <= right and near[2] >= left and near[1] <= high and near[3] >= low:
                return False
        if not self._sound():
            return False
        if self.paid:
            return True
        if pays_terrain(self.t, self.unit):
            for piece in rough_boxes(self.t):
                if boxes_within(piece, box, 0):
                    return False
        for reach, price in self.bands:
            if length <= reach:
                return total(price) <= self.cp
        return False


def as_paths(paths: Mapping[int, Path], ids: Sequence[int]) -> Paths:
    """Return paths in the order of a unit's models, leaving out models that stay."""
    return tuple([(m, tuple(paths[m])) for m in ids if m in paths and len(paths[m]) > 1])
