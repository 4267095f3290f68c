"""Set-up: the roll-off, what its winner decides, and the two ways to deploy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.asking import Mover, Offer, Offered, PickedUp, Proposal, PutDown, Region, Wish
from caltrop.chance import IN_ORDER, Dice, Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    Options,
    Procedure,
    Refusal,
    Run,
    Throw,
    ask,
    guard,
    rule,
    step,
)
from caltrop.geometry import INCH, Box, Disc, Point, disc_inside, discs_box, distance_sq, overlapping
from caltrop.kit.words import ordinal
from caltrop.picture import Motion
from caltrop.rules.command_horizon.armies import Body
from caltrop.rules.command_horizon.catalogue import unit_kind
from caltrop.rules.command_horizon.places import coherent, solid_ground, standing
from caltrop.rules.command_horizon.records import Battle, DroneState, Model, Unit
from caltrop.table.measured import Ending, chain, first_overlap, formation, nearest_end, stands

EDGES = ("south", "north")
NOT_TO_PLACE = guard(
    ("CH-SETUP-08", "CH-SETUP-06"), "not-to-place", "This is no unit of yours that is still to be placed"
)
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
"""The gap between the bases of a unit that is placed in no shape, in one row: 1 cm."""


class Deployment(Procedure):
    """Everything before the first turn."""

    winner: int = 0

    @step("CH-SETUP-01")
    def roll_off(self, t: Battle) -> Throw:
        """Each player rolls one die."""
        return Throw(Pool(2), reads=IN_ORDER, words="Roll-off", each=tuple([army.name for army in t.armies]))

    @step("CH-SETUP-01", "Q-SETUP-1")
    def compare(self, t: Battle, roll: Roll) -> Go | None:
        """The higher die wins; a tie is rolled again."""
        a, b = roll
        if a == b:
            t.tell(TiedRollOff(a))
            return Go("roll_off")
        self.winner = int(b > a)
        t.tell(RolledOff(self.winner, (a, b)))
        if t.placed:
            t.first = self.winner
            t.tell(FirstTurnGiven(t.first))
            return Go("place_as_the_scenario_says")
        return None

    @step("CH-SETUP-02")
    def offer_first_turn(self, t: Battle) -> Ask:
        """The winner decides who has the first turn."""
        return ask(FirstTurn(side=self.winner))

    @step("CH-SETUP-02", "Q-SETUP-8")
    def give_first_turn(self, t: Battle, choice: GiveFirstTurn) -> None:
        """Either player may be named."""
        t.first = choice.side
        t.tell(FirstTurnGiven(t.first))

    @step("CH-SETUP-03")
    def offer_edges(self, t: Battle) -> Ask:
        """The winner also decides on which side of the table to deploy."""
        return ask(TableEdge(side=self.winner))

    @step("CH-SETUP-03", "Q-SETUP-2")
    def take_edges(self, t: Battle, choice: TakeEdge) -> Run:
        """The other player takes the opposite edge; then units go down by the method agreed on."""
        t.change_army(self.winner, edge=choice.edge)
        t.change_army(1 - self.winner, edge=1 - choice.edge)
        t.tell(EdgesTaken())
        return Run(SecretDeployment() if deploys_in_secret(t) else TurnDeployment(side=t.first))

    @step("CH-SETUP-04", "Q-SETUP-7")
    def place_as_the_scenario_says(self, t: Battle) -> None:
        """Where the scenario has both armies on the table from the start, they go down at once."""
        if t.placed:
            for side in (0, 1):
                place_army(t, side)


class TurnDeployment(Procedure):
    """The players place one unit per go, in turn."""

    side: int

    @step("CH-SETUP-08", "CH-SETUP-09", "Q-SETUP-6")
    def offer_a_place(self, t: Battle) -> Ask | End:
        """The player with the first turn begins; who has units left when the other has none places them in a row."""
        for side in (self.side, 1 - self.side):
            ways = Placings(t, side)
            if not ways.left:
                continue
            if ways.room():
                self.side = side
                return ask(DeployUnit(side=side))
            _give_up(t, tuple(ways.left))
        return End()

    @step("CH-SETUP-08", "CH-SETUP-10", "CH-SETUP-11")
    def place(self, t: Battle, choice: Deploy) -> Go:
        """The unit goes down, and it is the other player's go."""
        put_down(t, choice)
        self.side = 1 - self.side
        return Go("offer_a_place")


class SecretDeployment(Procedure):
    """Both players draw a plan that the other does not see; then the models go down as the plans say."""

    plans: tuple[Plan | None, ...] = ((), ())
    asked: tuple[int, ...] = ()
    secret: ClassVar[tuple[str, ...]] = ("plans",)

    @step("CH-SETUP-06")
    def draw(self, t: Battle) -> Ask | Go:
        """Each plans a unit, unseen by the other, as long as there are units left."""
        self.asked = tuple(side for side in (0, 1) if Placings(t, side, self.plans[side]).room())
        if not self.asked:
            return Go("reveal")
        return ask(*(PlanUnit(side=side) for side in self.asked))

    @step("CH-SETUP-06", "Q-SETUP-5")
    def add_to_plans(self, t: Battle, choices: Deploy | tuple[Deploy, ...]) -> Go:
        """What was planned stays hidden until both plans are complete."""
        every = choices if isinstance(choices, tuple) else (choices,)
        plans = list(self.plans)
        for side, choice in zip(self.asked, every, strict=True):
            plans[side] = (*(plans[side] or ()), choice)
        self.plans = tuple(plans)
        return Go("draw")

    @step("CH-SETUP-07")
    def reveal(self, t: Battle) -> None:
        """Both plans are complete: the models go down, and match them."""
        t.tell(PlansRevealed())
        for side in (t.first, 1 - t.first):
            for act in self.plans[side] or ():
                put_down(t, act)
            left = Placings(t, side).left
            if left:
                _give_up(t, tuple(left))


def zone_of(t: Battle, side: int) -> Box:
    """The side's deployment zone: as deep as the scenario says, 10 cm by the rulebook, along its own edge."""
    w, h = t.table.width, t.table.height
    return (0, 0, w, t.zone) if t.armies[side].edge == 0 else (0, h - t.zone, w, h)


# --- who deploys next ------------------------------------------------------------------------------------------------


@rule("Q-SETUP-4", "CH-SETUP-05")
def deploys_in_secret(t: Battle) -> bool:
    """Units go down in turn, unless the players agree on secret plans."""
    return False


@deploys_in_secret.amended_by("CH-SETUP-05", house={"setup.method": "secret"})
def plans_are_drawn(secret: bool, t: Battle) -> bool:
    """Both sides draw a secret plan."""
    return True


def _give_up(t: Battle, units: tuple[int, ...]) -> None:
    for unit in units:
        t.change(unit, left=True)
    t.tell(NoRoom(units))


def put_down(t: Battle, act: Deploy) -> int:
    """Place a unit, or divide Squads from it and place those.

    Returns:
        The unit that was placed.
    """
    u = t.units[act.unit]
    ids = tuple(m for m in u.models if not act.squads or t.models[m].squad in act.squads)
    unit = act.unit
    if len(ids) < len(u.models):
        rest = tuple(m for m in u.models if m not in ids)
        parts = sum(1 for other in t.units if other.side == u.side and other.name.startswith(u.name + ", "))
        unit = t.add_unit(replace(u, models=ids, name=f"{u.name}, {ordinal(parts + 1)} part"))
        t.change(act.unit, models=rest)
        for m in ids:
            t.change_model(m, unit=unit)
    t.change(unit, deployed=True)
    for m, (x, y) in zip(ids, act.at, strict=True):
        t.change_model(m, x=x, y=y)
    t.tell(Deployed(unit))
    return unit


def place_army(t: Battle, side: int) -> None:
    """Place a whole army along the front of its zone, in the order of its list, by the rules of deployment."""
    ways = Placings(t, side)
    x0, y0, x1, y1 = ways.zone
    width = {u: sum(2 * t.models[m].r + 100 for m in ids) for u, ids in ways.left.items()}
    every = sum(width.values())
    spare = max(0, (x1 - x0) * 9 // 10 - every) // (len(width) + 1)
    x = x0 + ((x1 - x0) - every - spare * (len(width) - 1)) // 2
    south = t.armies[side].edge == 0
    for unit in list(ways.left):
        middle = x + width[unit] // 2
        x += width[unit] + spare
        r = max(t.models[m].r for m in ways.left[unit])
        # Each army sees the same from its own edge: the north's order is that of the south, turned about the middle.
        at = (middle, y1 - r) if south else (x0 + x1 - middle, y0 + r)
        found = ways.find(unit, (), at, 100)
        if found is None:
            _give_up(t, (unit,))
            continue
        put_down(t, found)
        ways = Placings(t, side)


def enlist(t: Battle, side: int, body: Body) -> int:
    """Put a unit of an army list on the shelf, off the table; its id."""
    race = t.armies[side].army
    id = len(t.units)
    ids = []
    for kind, squad, gland in body.bases:
        r = unit_kind(t, race, kind).base_radius
        ids.append(t.add_model(Model(unit=id, kind=kind, x=0, y=0, r=r, squad=squad, glands=gland)))
    drone: DroneState | None = "active" if "shield-drone" in unit_kind(t, race, body.kind).traits else None
    return t.add_unit(
        Unit(
            side=side,
            kind=body.kind,
            name=body.name,
            models=tuple(ids),
            starting=len(ids),
            squads=body.squads,
            platoon=id if body.squads > 1 else -1,
            drone=drone,
            look=body.look,
        )
    )


def guess_plans(view: Battle, side: int, dice: Dice) -> Battle:
    """A battle in which the plan that *side* cannot see is drawn by chance; *view* itself where nothing is hidden."""
    if not any(isinstance(f, SecretDeployment) and None in f.plans for f in view.stack):
        return view
    t = view.clone()
    for frame in t.stack:
        if isinstance(frame, SecretDeployment):
            planned = len(frame.plans[side] or ())
            plans: list[Plan] = [p or () for p in frame.plans]
            for other in (0, 1):
                if frame.plans[other] is None:
                    for _ in range(planned):
                        ways = Placings(t, other, plans[other])
                        if not ways.room():
                            break
                        plans[other] = (*plans[other], ways.sample(dice))
            frame.plans = tuple(plans)
    return t


# --- what is asked ---------------------------------------------------------------------------------------------------


class GiveFirstTurn(Action, frozen=True):
    """Give the first turn to a side."""

    side: int


class TakeEdge(Action, frozen=True):
    """Deploy on a table edge."""

    edge: int
    """0 south, 1 north."""


class Deploy(Action, frozen=True):
    """Place a unit, or some Squads of a Platoon as a unit of their own."""

    unit: int
    at: tuple[Point, ...]
    """A place for each model, in the unit's order."""
    squads: tuple[int, ...] = ()
    """The Squads that are placed; all that are left where empty."""


class FirstTurn(Offered, frozen=True, kw_only=True):
    """Who has the first turn?"""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-02",)
    hint: ClassVar[str] = "Going first means shooting first; going second means seeing where the enemy goes."

    def options(self, t: Battle) -> Listed:
        """Either side."""
        return Listed([GiveFirstTurn(self.side), GiveFirstTurn(1 - self.side)], clause="CH-SETUP-02")

    def prompt(self, t: Battle) -> str:
        """The question."""
        return "You won the roll-off: who takes the first turn?"

    def offers(self, t: Battle) -> Sequence[Offer]:
        """Oneself or the other."""
        return [
            Offer(action=GiveFirstTurn(self.side), words="Take the first turn"),
            Offer(action=GiveFirstTurn(1 - self.side), words=f"Give it to {t.armies[1 - self.side].name}"),
        ]


class TableEdge(Offered, frozen=True, kw_only=True):
    """Which edge do you deploy on?"""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-03",)
    hint: ClassVar[str] = "Look where the cover is. The other army takes the opposite edge."

    def options(self, t: Battle) -> Listed:
        """The two edges."""
        return Listed([TakeEdge(0), TakeEdge(1)], clause="CH-SETUP-03")

    def prompt(self, t: Battle) -> str:
        """The question."""
        return "Which table edge do you deploy on?"

    def offers(self, t: Battle) -> Sequence[Offer]:
        """The two edges."""
        return [Offer(action=TakeEdge(e), words=f"Deploy in the {name}") for e, name in enumerate(EDGES)]


Plan = tuple[Deploy, ...]


ARRANGED = ((1, 100), (1, 50), (1, 10), (2, 50), (2, 10), (3, 2))
"""In how many rows, and with which gaps, a unit may be put down near a place."""


class Placings(Options):
    """Where the units of a side that are still off the table may go down.

    Args:
        t: The battle.
        side: Whose units.
        plan: What has been planned in secret; None where units go down at once.
    """

    def __init__(self, t: Battle, side: int, plan: Plan | None = None) -> None:
        self.t, self.side = t, side
        self.zone = zone_of(t, side)
        self.ahead: Point = (0, 1) if t.armies[side].edge == 0 else (0, -1)
        """Where the army looks, across the table."""
        self.ground = t.ground
        self.left: dict[int, tuple[int, ...]] = {}
        """Models that are still to be placed, of each unit that has any."""
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
        """The models that an action places."""
        models = self.t.models
        return tuple(
            m for m in self.t.units[unit].models if m not in gone and (not squads or models[m].squad in squads)
        )

    def squads_left(self, unit: int) -> tuple[int, ...]:
        """The Squads of a unit that are still to be placed; none for vehicles."""
        if not unit_kind(self.t, self.t.armies[self.side].army, self.t.units[unit].kind).infantry:
            return ()
        return tuple(dict.fromkeys(self.t.models[m].squad for m in self.left[unit]))

    def chosen(self, unit: int, squads: tuple[int, ...]) -> tuple[int, ...]:
        """The models that are still to be placed, of the Squads named or of all."""
        left = self.left[unit]
        return tuple([m for m in left if self.t.models[m].squad in squads]) if squads else left

    def fits(self, discs: Sequence[Disc]) -> bool:
        """Whether bases that hang together may stand so."""
        zone = self.zone
        for d in discs:
            if not disc_inside(d, zone):
                return False
        left, low, right, high = discs_box(discs)
        near = [d for d in self.taken if d[0] + d[2] > left and d[0] - d[2] < right and d[1] + d[2] > low
                and d[1] - d[2] < high]  # fmt: skip
        return all(stands(self.ground, d, near) for d in discs)

    def misplaced(self, discs: Sequence[Disc]) -> tuple[Point, ...]:
        """Which of some bases may not stand where they are: outside the zone, on what is solid, or on another.

        Where all may, those that are out of coherency with the first.
        """
        found = [
            d[:2]
            for i, d in enumerate(discs)
            if not disc_inside(d, self.zone)
            or not stands(self.ground, d, self.taken)
            or any(overlapping(d, other) for j, other in enumerate(discs) if j != i)
        ]
        if not found:
            together = chain(discs)
            found = [d[:2] for i, d in enumerate(discs) if i not in together]
        return tuple(found)

    def fault(self, action: Deploy) -> Refusal | None:
        """What is wrong with placing a unit so."""
        found = NOT_TO_PLACE.refuses(action.unit not in self.left)
        if found is not None:
            return found
        every = self.squads_left(action.unit)
        wrong = bool(action.squads) and (
            not set(action.squads) < set(every) or tuple(sorted(set(action.squads))) != action.squads
        )
        found = SQUADS_TO_PLACE.refuses(wrong)
        if found is not None:
            return found
        ids = self.chosen(action.unit, action.squads)
        found = EVERY_MODEL.refuses(len(ids) != len(action.at), models=len(ids), places=len(action.at))
        if found is not None:
            return found
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
        """Why not; the nearest is the place of the same unit nearest to the one wished for."""
        if not isinstance(action, Deploy):
            return Refusal(code="no-placing", clause="CH-SETUP-08", message="Place a unit", nearest=self.first())
        found = self.fault(action)
        if found is None:
            return None
        nearest: Deploy | None = None
        if action.unit in self.left:
            squads = action.squads if set(action.squads) < set(self.squads_left(action.unit)) else ()
            part = tuple(sorted(set(squads)))
            nearest = self.nearest(action.unit, part, action.at[0]) if action.at else self.find(action.unit, part, None)
        return found.towards(nearest or self.first())

    # --- finding room ---

    def shaped(self, ids: Sequence[int], at: Point, rows: int, spacing: int) -> list[Disc]:
        """The bases abreast in some rows, the middle of the front row at a place, the rows behind it to their edge."""
        models = self.t.models
        back = -1 if self.t.armies[self.side].edge == 0 else 1
        per = -(-len(ids) // rows)
        found: list[Disc] = []
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
                found.append((x + r, y, r))
                x += 2 * r + spacing
        return found

    def anchors(self, r: int, step: int) -> list[Point]:
        """Places for the front row: a grid from the middle of the zone outwards, the front first."""
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
        """The place for a unit at which its first model stands nearest to a place; None if there is no room."""
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
        """Room for a unit: nearest to a place, or in the middle of the front; None where there is none."""
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
        """Every unit on a coarse grid, Platoons whole and by single Squads; wherever there is room if that is full."""
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
                    found = self.find(unit, part, None)
                    if found is not None:
                        yield found

    def sample(self, dice: Dice) -> Deploy:
        """A unit by chance, one Squad of it or all, and a place by chance; the first with room where that fails."""
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
        """Whether any unit can be placed at all."""
        return next(iter(self), None) is not None


class _Placing(Offered, frozen=True, kw_only=True):
    """What placing at once and placing in a plan have in common."""

    hint: ClassVar[str] = (
        "Drag a unit into your zone; its models stay within an inch of one another. "
        "A Platoon may also be placed Squad by Squad: each is a unit of its own then."
    )

    def options(self, t: Battle) -> Placings:
        """Every place in the zone."""
        return Placings(t, self.side)

    def offers(self, t: Battle) -> Sequence[Offer]:
        """For each unit the first place with room, so that nobody has to drag."""
        ways = self.options(t)
        found = [ways.find(unit, (), None) for unit in ways.left]
        return [
            Offer(action=d, words=f"Place {t.called(d.unit)} in the middle", group="Place", unit=d.unit)
            for d in found
            if d is not None
        ]

    def regions(self, t: Battle) -> Sequence[Region]:
        """Every unit that is left, Platoons also by Squads."""
        ways = self.options(t)
        found: list[Region] = []
        for unit in ways.left:
            name = t.called(unit)
            found.append(Region(form="place", unit=unit, words=f"Place {name}", group="Place"))
            squads = ways.squads_left(unit)
            for some in range(1, len(squads)):
                part = squads[:some]
                found.append(
                    Region(
                        form="place",
                        unit=unit,
                        words=f"Place {quantity(some, 'Squad')} of {name} as a unit of their own",
                        group="Place",
                        act=",".join(map(str, part)),
                    )
                )
        return found

    def propose(self, t: Battle, wish: Wish) -> Proposal:
        """The unit in formation where it was dragged to, or its models where they were put."""
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
        # A unit that is dragged half over the zone's edge is wanted just inside it.
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
        """The zone, and what stands in it already."""
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


class DeployUnit(_Placing, frozen=True, kw_only=True):
    """Which unit goes down, and where?"""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-04", "CH-SETUP-08", "CH-SETUP-10", "CH-SETUP-11")

    def prompt(self, t: Battle) -> str:
        """The question."""
        return f"Place a unit within {t.zone // 100} cm of the {EDGES[t.armies[self.side].edge]} edge"


class PlanUnit(_Placing, frozen=True, kw_only=True):
    """Which unit goes into the secret plan, and where?"""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-06", "CH-SETUP-10", "CH-SETUP-11")
    secret: ClassVar[bool] = True

    def options(self, t: Battle) -> Placings:
        """Every place in the zone that the plan has left free."""
        return Placings(t, self.side, _plan(t, self.side))

    def prompt(self, t: Battle) -> str:
        """The question."""
        return (
            f"Plan a unit within {t.zone // 100} cm of the {EDGES[t.armies[self.side].edge]} edge: nobody sees it yet"
        )


def _plan(t: Battle, side: int) -> Plan:
    """A side's plan, from the frame under way; empty where it cannot be seen."""
    for frame in reversed(t.stack):
        if isinstance(frame, SecretDeployment):
            return frame.plans[side] or ()
    return ()


# --- what is told ----------------------------------------------------------------------------------------------------


class RolledOff(Event, frozen=True):
    """The roll-off was won."""

    winner: int
    faces: tuple[int, int]
    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-01",)

    def sentence(self, t: Battle) -> str:
        """Who won it."""
        high, low = max(self.faces), min(self.faces)
        return f"{t.armies[self.winner].name} wins the roll-off, {high} to {low}"


class TiedRollOff(Event, frozen=True):
    """The roll-off was tied."""

    face: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-SETUP-1",)

    def sentence(self, t: Battle) -> str:
        """It is rolled again."""
        return f"Both roll {self.face}: they roll again"


class FirstTurnGiven(Event, frozen=True):
    """The winner named who has the first turn."""

    side: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-02",)

    def sentence(self, t: Battle) -> str:
        """Who has it."""
        return f"{t.armies[self.side].name} has the first turn"


class EdgesTaken(Event, frozen=True):
    """The table edges were taken."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-03", "Q-SETUP-2")

    def sentence(self, t: Battle) -> str:
        """Who is where."""
        return " and ".join(f"{a.name} deploys in the {EDGES[a.edge]}" for a in t.armies)


class Deployed(Event, frozen=True):
    """A unit was placed on the table."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-04", "CH-SETUP-08")

    def sentence(self, t: Battle) -> str:
        """Which unit."""
        u = t.units[self.unit]
        return f"{t.armies[u.side].name} places {u.name}"

    def motion(self, t: Battle) -> Motion:
        """It is put down."""
        return Motion(sort="place", unit=self.unit)


class PlansRevealed(Event, frozen=True):
    """Both secret plans are complete, and the models go down."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-07", "Q-SETUP-5")
    reveals: ClassVar[bool] = True

    def sentence(self, t: Battle) -> str:
        """What happens now."""
        return "Both plans are revealed, and the models go down as they say"


class NoRoom(Event, frozen=True):
    """Units found no place in their zone."""

    units: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-04",)

    def sentence(self, t: Battle) -> str:
        """Which units stay away."""
        return f"There is no room left for {', '.join(t.called(u) for u in self.units)}"
