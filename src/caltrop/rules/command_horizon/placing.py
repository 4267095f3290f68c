"""The placing of units: possible places of a unit's models in its zone, and the nearest legal places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from caltrop.agreeing import quantity
from caltrop.asking import Mover, Offer, Offered, PickedUp, Proposal, PutDown, Region, Wish
from caltrop.chance import Dice
from caltrop.engine import (
    Action,
    Options,
    Refusal,
    guard,
    not_an_option,
)
from caltrop.geometry import INCH, Box, Disc, Point, disc_inside, discs_box, distance_sq, overlapping
from caltrop.rules.command_horizon.catalogue import unit_kind
from caltrop.rules.command_horizon.places import solid_ground, standing
from caltrop.rules.command_horizon.records import Battle
from caltrop.table.measured import Ending, chain, coherent, first_overlap, formation, nearest_end, stands

EDGES = ("south", "north")
NOT_TO_PLACE = guard(("CH-SETUP-08", "CH-SETUP-06"), "not-to-place", "That unit is not yours, or is placed already")
SQUADS_TO_PLACE = guard(
    ("CH-SETUP-10", "CH-SETUP-11"), "squads-to-place", "Name some of the Squads that are left, or none for all of them"
)
EVERY_MODEL = guard("CH-SETUP-07", "every-model", "The unit has {models:model}, and {places:place} {places::is} given")
ZONE = guard(
    ("CH-SETUP-04", "Q-SETUP-3"),
    "zone",
    "{outside} of {models:model} {outside::is} not wholly within {depth:cm} of the {edge} edge",
)
GROUND = guard(("CH-SETUP-04", "Q-TERRAIN-3"), "ground", "A model would stand on impassable ground")
OCCUPIED = guard(("CH-SETUP-04", "Q-MOVE-13"), "occupied", "A model would stand on another model")
COHERENCY = guard(
    ("CH-COH-01", "Q-COH-1", "CH-COH-04"),
    "coherency",
    "The models are not one group with gaps of at most 1 inch from each to the next",
)


ABREAST = 100
"""Gap between the bases of a unit that is placed in one row, in tenths of a millimetre."""


def zone_of(t: Battle, side: int) -> Box:
    """Return the side's deployment zone along its edge. The depth of a zone is set by the scenario, and is 10 cm by
    default.
    """
    w, h = t.table.width, t.table.height
    return (0, 0, w, t.zone) if t.armies[side].edge == 0 else (0, h - t.zone, w, h)


# --- decisions -------------------------------------------------------------------------------------------------------


class Deploy(Action, frozen=True):
    """Place a unit, or some Squads of a Platoon as a separate unit."""

    unit: int
    at: tuple[Point, ...]
    """Places of the models, in order."""
    squads: tuple[int, ...] = ()
    """Squads to place; empty for all that are not placed yet."""


Plan = tuple[Deploy, ...]
ARRANGED = ((1, 100), (1, 50), (1, 10), (2, 50), (2, 10), (3, 2))
"""Numbers of rows and gaps between bases that are tried for a unit near a place."""


class Placings(Options):
    """The possible places of a side's units that are not on the table yet.

    Args:
        plan: The secret plan so far; None if units are placed openly.
    """

    def __init__(self, t: Battle, side: int, plan: Plan | None = None) -> None:
        self.t, self.side = t, side
        self.zone = zone_of(t, side)
        self.ahead: Point = (0, 1) if t.armies[side].edge == 0 else (0, -1)
        """Direction in which the army faces, across the table."""
        self.ground = t.ground
        self.left: dict[int, tuple[int, ...]] = {}
        """Models that still have to be placed, by unit."""
        self.taken: list[Disc] = [disc for s in standing(t) for disc in s.discs]
        gone: dict[int, list[int]] = {}
        for act in plan or ():
            ids = self.models_of(act.unit, act.squads, gone.get(act.unit, ()))
            self.taken += [(x, y, t.models[m].r) for (x, y), m in zip(act.at, ids, strict=True)]
            gone.setdefault(act.unit, []).extend(ids)
        for i, u in enumerate(t.units):
            if u.side == side and not u.deployed and not u.left:
                rest = tuple([m for m in u.models if m not in gone[i]]) if i in gone else u.models
                if rest:
                    self.left[i] = rest

    def models_of(self, unit: int, squads: tuple[int, ...], gone: Sequence[int] = ()) -> tuple[int, ...]:
        models = self.t.models
        return tuple(
            m for m in self.t.units[unit].models if m not in gone and (not squads or models[m].squad in squads)
        )

    def squads_left(self, unit: int) -> tuple[int, ...]:
        """Return the Squads of a unit that still have to be placed; empty for vehicles."""
        if not unit_kind(self.t, self.t.armies[self.side].army, self.t.units[unit].kind).infantry:
            return ()
        return tuple(dict.fromkeys(self.t.models[m].squad for m in self.left[unit]))

    def chosen(self, unit: int, squads: tuple[int, ...]) -> tuple[int, ...]:
        left = self.left[unit]
        return tuple([m for m in left if self.t.models[m].squad in squads]) if squads else left

    def fits(self, discs: Sequence[Disc]) -> bool:
        zone = self.zone
        for d in discs:
            if not disc_inside(d, zone):
                return False
        left, low, right, high = discs_box(discs)
        near = [d for d in self.taken if d[0] + d[2] > left and d[0] - d[2] < right and d[1] + d[2] > low
                and d[1] - d[2] < high]  # fmt: skip
        return all(stands(self.ground, d, near) for d in discs)

    def misplaced(self, discs: Sequence[Disc]) -> tuple[Point, ...]:
        """Return the centres of bases at illegal places: outside the zone, on solid terrain, or on another base.

        If there are none, return the bases that are out of coherency with the first base.
        """
        points = [
            d[:2]
            for i, d in enumerate(discs)
            if not disc_inside(d, self.zone)
            or not stands(self.ground, d, self.taken)
            or any(overlapping(d, other) for j, other in enumerate(discs) if j != i)
        ]
        if not points:
            together = chain(discs)
            points = [d[:2] for i, d in enumerate(discs) if i not in together]
        return tuple(points)

    def fault(self, action: Deploy) -> Refusal | None:
        refusal = NOT_TO_PLACE.refuses(action.unit not in self.left)
        if refusal is not None:
            return refusal
        every = self.squads_left(action.unit)
        wrong = bool(action.squads) and (
            not set(action.squads) < set(every) or tuple(sorted(set(action.squads))) != action.squads
        )
        refusal = SQUADS_TO_PLACE.refuses(wrong)
        if refusal is not None:
            return refusal
        ids = self.chosen(action.unit, action.squads)
        refusal = EVERY_MODEL.refuses(len(ids) != len(action.at), models=len(ids), places=len(action.at))
        if refusal is not None:
            return refusal
        discs = [(x, y, self.t.models[m].r) for (x, y), m in zip(action.at, ids, strict=True)]
        outside = sum(not disc_inside(d, self.zone) for d in discs)
        return (
            ZONE.refuses(
                outside,
                outside=outside,
                models=len(discs),
                depth=self.t.zone,
                edge=EDGES[self.t.armies[self.side].edge],
            )
            or GROUND.refuses(not outside and not all(stands(self.ground, d, ()) for d in discs))
            or OCCUPIED.refuses(
                first_overlap(discs) is not None or any(overlapping(a, b) for a in discs for b in self.taken)
            )
            or COHERENCY.refuses(not coherent(discs))
        )

    def refusal(self, action: Any) -> Refusal | None:
        """Return why a unit may not be placed at a position, with the nearest legal places."""
        if not isinstance(action, Deploy):
            return not_an_option("CH-SETUP-08", "Place a unit", self.first(), code="no-placing")
        fault = self.fault(action)
        if fault is None:
            return None
        nearest: Deploy | None = None
        if action.unit in self.left:
            squads = action.squads if set(action.squads) < set(self.squads_left(action.unit)) else ()
            part = tuple(sorted(set(squads)))
            nearest = self.nearest(action.unit, part, action.at[0]) if action.at else self.find(action.unit, part, None)
        return fault.towards(nearest or self.first())

    # --- finding room ---

    def shaped(self, ids: Sequence[int], at: Point, rows: int, spacing: int) -> list[Disc]:
        """Return the bases of a unit in rows, with the middle of the front row at a place.

        Further rows are nearer to the army's edge.
        """
        models = self.t.models
        back = -1 if self.t.armies[self.side].edge == 0 else 1
        per = -(-len(ids) // rows)
        discs: list[Disc] = []
        y = at[1]
        before = 0
        for row in range(rows):
            radii = [models[m].r for m in ids[row * per : (row + 1) * per]]
            if not radii:
                break
            if row:
                y += back * (before + max(radii) + spacing)
            before = max(radii)
            x = at[0] - (2 * sum(radii) + spacing * (len(radii) - 1)) // 2
            for r in radii:
                discs.append((x + r, y, r))
                x += 2 * r + spacing
        return discs

    def anchors(self, r: int, step: int) -> list[Point]:
        """Return places for the front row: a grid from the middle of the zone outwards, beginning at its front."""
        x0, y0, x1, y1 = self.zone
        middle = (x0 + x1) // 2
        across = [middle]
        for d in range(step, (x1 - x0) // 2, step):
            across += [middle - d, middle + d]
        deep = list(range(y0 + r, y1 - r + 1, max(step // 2, 100)))
        if self.t.armies[self.side].edge == 0:
            deep = [y1 - r - (y - y0 - r) for y in deep]
        return [(x, y) for y in deep for x in across]

    def nearest(self, unit: int, squads: tuple[int, ...], near: Point) -> Deploy | None:
        """Return the placement of a unit with its first model nearest to a place; None if there is no room."""
        ids = self.chosen(unit, squads)

        def standing(first: Point) -> Ending[Deploy] | None:
            for rows, spacing in ARRANGED:
                x, y, _ = self.shaped(ids, (0, 0), rows, spacing)[0]
                discs = self.shaped(ids, (first[0] - x, first[1] - y), rows, spacing)
                if self.fits(discs):
                    return first, Deploy(unit, tuple([(x, y) for x, y, _ in discs]), squads)
            return None

        x0, y0, x1, y1 = self.zone
        middle = ((x0 + x1) // 2, (y0 + y1) // 2)
        reach = x1 - x0 + y1 - y0
        return nearest_end(near, middle, reach, self.zone, standing) or self.find(unit, squads, None)

    def find(self, unit: int, squads: tuple[int, ...], near: Point | None, step: int = 200) -> Deploy | None:
        """Return the placement nearest to a place, by default to the middle of the front; None if there is no room."""
        ids = self.chosen(unit, squads)
        r = max(self.t.models[m].r for m in ids)
        every = self.anchors(r, step)
        if near is not None:
            every = sorted(every, key=lambda p: distance_sq(p, near))
        for rows, spacing in ((1, 100), (1, 10), (2, 10), (3, 2)):
            for at in every:
                discs = self.shaped(ids, at, rows, spacing)
                if self.fits(discs):
                    return Deploy(unit, tuple((x, y) for x, y, _ in discs), squads)
        return None

    def __iter__(self) -> Iterator[Deploy]:
        """Yield placements of every unit on a coarse grid. Platoons are placed whole, and by single Squads.

        If the grid has no room for a unit, yield one placement elsewhere.
        """
        for unit in self.left:
            squads = self.squads_left(unit)
            parts: list[tuple[int, ...]] = [()]
            if len(squads) > 1:
                parts += [(s,) for s in squads]
            for part in parts:
                ids = self.chosen(unit, part)
                r = max(self.t.models[m].r for m in ids)
                any_room = False
                for at in self.anchors(r, 1000):
                    discs = self.shaped(ids, at, 1, 100)
                    if self.fits(discs):
                        any_room = True
                        yield Deploy(unit, tuple((x, y) for x, y, _ in discs), part)
                if not any_room:
                    deployment = self.find(unit, part, None)
                    if deployment is not None:
                        yield deployment

    def sample(self, dice: Dice) -> Deploy:
        """Return a random unit or Squad at a random place, or at the first place with room."""
        units = list(self.left)
        unit = units[dice.below(len(units))]
        squads = self.squads_left(unit)
        part: tuple[int, ...] = ()
        if len(squads) > 1 and dice.below(8) == 0:
            part = (squads[dice.below(len(squads))],)
        ids = self.chosen(unit, part)
        r = max(self.t.models[m].r for m in ids)
        x0, y0, x1, y1 = self.zone
        for _ in range(12):
            at = (x0 + dice.below((x1 - x0) // 50) * 50, y0 + r + dice.below(max((y1 - y0 - 2 * r) // 50, 1)) * 50)
            discs = self.shaped(ids, at, 1 + dice.below(2), 50)
            if self.fits(discs):
                return Deploy(unit, tuple((x, y) for x, y, _ in discs), part)
        return self.find(unit, part, None) or self.first()

    def room(self) -> bool:
        return next(iter(self), None) is not None


class _Placing(Offered, frozen=True, kw_only=True):
    """Base class of the decisions that place a unit, openly or in a secret plan."""

    hint: ClassVar[str] = (
        "Drag a unit into your zone; its models stay within an inch of one another. "
        "A Platoon may also be placed Squad by Squad: each is a unit of its own then."
    )

    def options(self, t: Battle) -> Placings:
        return Placings(t, self.side)

    def offers(self, t: Battle) -> Sequence[Offer]:
        """Return a placement of each unit that needs no drag: at the first place with room."""
        ways = self.options(t)
        placements = [ways.find(unit, (), None) for unit in ways.left]
        return [
            Offer(action=d, words=f"Place {t.called(d.unit)} in the middle", group="Place", unit=d.unit)
            for d in placements
            if d is not None
        ]

    def regions(self, t: Battle) -> Sequence[Region]:
        ways = self.options(t)
        regions: list[Region] = []
        for unit in ways.left:
            name = t.called(unit)
            regions.append(Region(form="place", unit=unit, words=f"Place {name}", group="Place"))
            squads = ways.squads_left(unit)
            for some in range(1, len(squads)):
                part = squads[:some]
                regions.append(
                    Region(
                        form="place",
                        unit=unit,
                        words=f"Place {quantity(some, 'Squad')} of {name} as a unit of their own",
                        group="Place",
                        act=",".join(map(str, part)),
                    )
                )
        return regions

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        ways = self.options(t)
        if wish.unit not in ways.left:
            return Proposal(refusal=NOT_TO_PLACE.refuses(True))
        squads = self._squads(ways, wish.unit, wish.act)
        ids = ways.chosen(wish.unit, squads)
        x0, y0, x1, y1 = ways.zone
        to = wish.to or ((x0 + x1) // 2, (y0 + y1) // 2)
        discs = [(0, 0, t.models[m].r) for m in ids]
        heading = wish.facing or ways.ahead
        if wish.shape == "keep":
            discs = ways.shaped(ids, to, 1, ABREAST)
        else:
            shape: Any = wish.shape
            places = formation(discs, to, shape, heading)
            discs = [(x, y, d[2]) for (x, y), d in zip(places, discs, strict=True)]
        # A unit dragged partly over the edge of the zone is placed just inside it.
        shift_x = max(0, x0 - min(x - r for x, _, r in discs)) - max(0, max(x + r for x, _, r in discs) - x1)
        shift_y = max(0, y0 - min(y - r for _, y, r in discs)) - max(0, max(y + r for _, y, r in discs) - y1)
        at = [(x + shift_x, y + shift_y) for x, y, _ in discs]
        for i, m in enumerate(ids):
            if path := wish.models.get(m):
                at[i] = path[-1]
        action = Deploy(wish.unit, tuple(at), squads)
        refusal = ways.refusal(action)
        return Proposal(
            action=action if refusal is None else None,
            paths={m: (p,) for m, p in zip(ids, at, strict=True)},
            refusal=refusal,
            faults=ways.misplaced([(*p, t.models[m].r) for m, p in zip(ids, at, strict=True)]),
        )

    def pick_up(self, t: Battle, unit: int, act: str = "") -> PickedUp | None:
        ways = self.options(t)
        if unit not in ways.left:
            return None
        squads = self._squads(ways, unit, act)
        if squads and squads == ways.squads_left(unit):
            return None
        return PickedUp(
            unit=unit,
            pieces=tuple(
                [Mover(id=m, at=t.models[m].disc[:2], radius=t.models[m].r) for m in ways.chosen(unit, squads)]
            ),
            size=(t.table.width, t.table.height),
            bands=(),
            others=tuple(ways.taken),
            solid=solid_ground(t, ()),
            coherency=INCH,
            down=PutDown(box=ways.zone, ahead=ways.ahead, gap=ABREAST),
        )

    def _squads(self, ways: Placings, unit: int, act: str) -> tuple[int, ...]:
        named = act.split(",")
        return tuple([s for s in ways.squads_left(unit) if str(s) in named])
