"""Set-up: the roll-off, the winner's decisions, and the two ways to deploy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from caltrop.asking import Offer, Offered
from caltrop.chance import IN_ORDER, Dice, Pool, Roll
from caltrop.engine import (
    Action,
    Ask,
    End,
    Event,
    Go,
    Listed,
    MotionOf,
    Procedure,
    Run,
    Throw,
    ask,
    rule,
    step,
)
from caltrop.kit.words import ordinal
from caltrop.rules.command_horizon.armies import Body
from caltrop.rules.command_horizon.catalogue import unit_kind
from caltrop.rules.command_horizon.placing import EDGES, Deploy, Placings, Plan, _Placing
from caltrop.rules.command_horizon.records import Battle, DroneState, Model, Unit


class Deployment(Procedure):
    """The decisions before the first turn, and the deployment."""

    winner: int = 0

    @step("CH-SETUP-01")
    def roll_off(self, t: Battle) -> Throw:
        return Throw(Pool(2), reads=IN_ORDER, words="Roll-off", each=tuple([army.name for army in t.armies]))

    @step("CH-SETUP-01", "Q-SETUP-1")
    def compare(self, t: Battle, roll: Roll) -> Go | None:
        """The side with the higher roll wins. Ties are rolled again."""
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
        return ask(FirstTurn(side=self.winner))

    @step("CH-SETUP-02", "Q-SETUP-8")
    def give_first_turn(self, t: Battle, choice: GiveFirstTurn) -> None:
        t.first = choice.side
        t.tell(FirstTurnGiven(t.first))

    @step("CH-SETUP-03")
    def offer_edges(self, t: Battle) -> Ask:
        """The winner also chooses the edge of the table on which to deploy."""
        return ask(TableEdge(side=self.winner))

    @step("CH-SETUP-03", "Q-SETUP-2")
    def take_edges(self, t: Battle, choice: TakeEdge) -> Run:
        t.change_army(self.winner, edge=choice.edge)
        t.change_army(1 - self.winner, edge=1 - choice.edge)
        t.tell(EdgesTaken())
        return Run(SecretDeployment() if deploys_in_secret(t) else TurnDeployment(side=t.first))

    @step("CH-SETUP-04", "Q-SETUP-7")
    def place_as_the_scenario_says(self, t: Battle) -> None:
        """If the scenario places both armies, they are placed now."""
        if t.placed:
            for side in (0, 1):
                place_army(t, side)


class TurnDeployment(Procedure):
    """The players place one unit each in turns."""

    side: int

    @step("CH-SETUP-08", "CH-SETUP-09", "Q-SETUP-6")
    def offer_a_place(self, t: Battle) -> Ask | End:
        """The player with the first turn begins. When one player has no units left, the other places the rest."""
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
        put_down(t, choice)
        self.side = 1 - self.side
        return Go("offer_a_place")


class SecretDeployment(Procedure):
    """Both players make a secret plan; then their units are placed as planned."""

    plans: tuple[Plan | None, ...] = ((), ())
    asked: tuple[int, ...] = ()
    secret: ClassVar[tuple[str, ...]] = ("plans",)

    @step("CH-SETUP-06")
    def draw(self, t: Battle) -> Ask | Go:
        """Each side plans one unit in secret, while it has units left."""
        self.asked = tuple(side for side in (0, 1) if Placings(t, side, self.plans[side]).room())
        if not self.asked:
            return Go("reveal")
        return ask(*(PlanUnit(side=side) for side in self.asked))

    @step("CH-SETUP-06", "Q-SETUP-5")
    def add_to_plans(self, t: Battle, choices: Deploy | tuple[Deploy, ...]) -> Go:
        """Plans stay hidden until both are complete."""
        every = choices if isinstance(choices, tuple) else (choices,)
        plans = list(self.plans)
        for side, choice in zip(self.asked, every, strict=True):
            plans[side] = (*(plans[side] or ()), choice)
        self.plans = tuple(plans)
        return Go("draw")

    @step("CH-SETUP-07")
    def reveal(self, t: Battle) -> None:
        """Both plans are complete, and units are placed as planned."""
        t.tell(PlansRevealed())
        for side in (t.first, 1 - t.first):
            for act in self.plans[side] or ():
                put_down(t, act)
            left = Placings(t, side).left
            if left:
                _give_up(t, tuple(left))


# --- the side that deploys next --------------------------------------------------------------------------------------


@rule("Q-SETUP-4", "CH-SETUP-05")
def deploys_in_secret(t: Battle) -> bool:
    """Units are placed in turns, unless the players agree on secret plans."""
    return False


@deploys_in_secret.amended_by("CH-SETUP-05", house={"setup.method": "secret"})
def plans_are_drawn(secret: bool, t: Battle) -> bool:
    """House rule: both sides make a secret plan."""
    return True


def _give_up(t: Battle, units: tuple[int, ...]) -> None:
    for unit in units:
        t.change(unit, left=True)
    t.tell(NoRoom(units))


def put_down(t: Battle, act: Deploy) -> int:
    """Place a unit, or detach some of its Squads and place only these Squads. Return the id of the placed unit."""
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
        # The order of the northern army is the southern order rotated about the middle, so that both armies look alike
        # from their own edges.
        at = (middle, y1 - r) if south else (x0 + x1 - middle, y0 + r)
        place = ways.find(unit, (), at, 100)
        if place is None:
            _give_up(t, (unit,))
            continue
        put_down(t, place)
        ways = Placings(t, side)


def enlist(t: Battle, side: int, body: Body) -> int:
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
    """Return a battle with a random plan in place of one hidden from *side*; *view* itself if nothing is hidden."""
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


# --- decisions -------------------------------------------------------------------------------------------------------


class GiveFirstTurn(Action, frozen=True):
    """Choose the side that has the first turn."""

    side: int


class TakeEdge(Action, frozen=True):
    edge: int
    """Table edge: 0 for south, 1 for north."""


class FirstTurn(Offered, frozen=True, kw_only=True):
    """The winner of the roll-off chooses which side has the first turn."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-02",)
    hint: ClassVar[str] = "Going first means shooting first; going second means seeing where the enemy goes."

    def options(self, t: Battle) -> Listed:
        return Listed([GiveFirstTurn(self.side), GiveFirstTurn(1 - self.side)], clause="CH-SETUP-02")

    def prompt(self, t: Battle) -> str:
        return "You won the roll-off: who takes the first turn?"

    def offers(self, t: Battle) -> Sequence[Offer]:
        return [
            Offer(action=GiveFirstTurn(self.side), words="Take the first turn"),
            Offer(action=GiveFirstTurn(1 - self.side), words=f"Give it to {t.armies[1 - self.side].name}"),
        ]


class TableEdge(Offered, frozen=True, kw_only=True):
    """The winner of the roll-off chooses its table edge."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-03",)
    hint: ClassVar[str] = "Look where the cover is. The other army takes the opposite edge."

    def options(self, t: Battle) -> Listed:
        return Listed([TakeEdge(0), TakeEdge(1)], clause="CH-SETUP-03")

    def prompt(self, t: Battle) -> str:
        return "Which table edge do you deploy on?"

    def offers(self, t: Battle) -> Sequence[Offer]:
        return [Offer(action=TakeEdge(e), words=f"Deploy in the {name}") for e, name in enumerate(EDGES)]


class DeployUnit(_Placing, frozen=True, kw_only=True):
    """The side chooses which unit it places, and where."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-04", "CH-SETUP-08", "CH-SETUP-10", "CH-SETUP-11")

    def prompt(self, t: Battle) -> str:
        return f"Place a unit within {t.zone // 100} cm of the {EDGES[t.armies[self.side].edge]} edge"


class PlanUnit(_Placing, frozen=True, kw_only=True):
    """The side chooses which unit it adds to its secret plan, and where."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-06", "CH-SETUP-10", "CH-SETUP-11")
    secret: ClassVar[bool] = True

    def options(self, t: Battle) -> Placings:
        return Placings(t, self.side, _plan(t, self.side))

    def prompt(self, t: Battle) -> str:
        return (
            f"Plan a unit within {t.zone // 100} cm of the {EDGES[t.armies[self.side].edge]} edge: nobody sees it yet"
        )


def _plan(t: Battle, side: int) -> Plan:
    """Return a side's current plan; empty if it is hidden."""
    for frame in reversed(t.stack):
        if isinstance(frame, SecretDeployment):
            return frame.plans[side] or ()
    return ()


# --- events ----------------------------------------------------------------------------------------------------------


class RolledOff(Event, frozen=True):
    winner: int
    faces: tuple[int, int]
    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-01",)

    def sentence(self, t: Battle) -> str:
        high, low = max(self.faces), min(self.faces)
        return f"{t.armies[self.winner].name} wins the roll-off, {high} to {low}"


class TiedRollOff(Event, frozen=True):
    face: int
    clauses: ClassVar[tuple[str, ...]] = ("Q-SETUP-1",)
    template = "Both roll {face}: they roll again"


class FirstTurnGiven(Event, frozen=True):
    """The winner of the roll-off decided who has the first turn."""

    side: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-02",)

    def sentence(self, t: Battle) -> str:
        return f"{t.armies[self.side].name} has the first turn"


class EdgesTaken(Event, frozen=True):
    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-03", "Q-SETUP-2")

    def sentence(self, t: Battle) -> str:
        return " and ".join(f"{a.name} deploys in the {EDGES[a.edge]}" for a in t.armies)


class Deployed(Event, frozen=True):
    """A unit was placed on the table."""

    unit: int
    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-04", "CH-SETUP-08")
    shown = MotionOf("place")

    def sentence(self, t: Battle) -> str:
        u = t.units[self.unit]
        return f"{t.armies[u.side].name} places {u.name}"


class PlansRevealed(Event, frozen=True):
    """Both secret plans are complete, and the units are placed."""

    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-07", "Q-SETUP-5")
    reveals: ClassVar[bool] = True
    template = "Both plans are revealed, and the models are placed as planned"


class NoRoom(Event, frozen=True):
    """Units found no room in their zone."""

    units: tuple[int, ...]
    clauses: ClassVar[tuple[str, ...]] = ("CH-SETUP-04",)

    def sentence(self, t: Battle) -> str:
        return f"There is no room left for {', '.join(t.called(u) for u in self.units)}"
