"""The records of a battle: units, armies, objectives, declared attacks, and the state.

Every record is immutable: `Battle.change` replaces it by a changed copy. Places and lengths are in whole tenths of a
millimetre. Ids are indices into the battle's lists. Destroyed units and models stay in their lists, so an id is never
used twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from caltrop.agreeing import quantity
from caltrop.engine import Event, State, Term, does
from caltrop.kit.words import free_name, names_told_apart
from caltrop.picture import Look, Paint
from caltrop.table.measured.terrain import Table, TableGround, ground_of

Point = tuple[int, int]
Disc = tuple[int, int, int]
"""A base as (x, y, radius)."""

DroneState = Literal["active", "disabled", "destroyed"]


class Model(msgspec.Struct, frozen=True):
    """A vehicle, or an infantry base (Q-INF-1)."""

    unit: int
    kind: str
    """Kind of the base in the catalogue. An attached Heavy Weapon team has another kind than its unit."""
    x: int
    y: int
    r: int
    squad: int = 0
    """Number of the base's Squad in the Platoon, from 0."""
    worms: int = 0
    glands: int = 0
    """Command points that the base's Node Gland generates: 0, 1 (Small) or 2 (Large)."""
    alive: bool = True

    @property
    def disc(self) -> Disc:
        return (self.x, self.y, self.r)


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit: models that act together. A destroyed unit has no models left."""

    side: int
    kind: str
    """Key of the unit in the catalogue, such as `medium-tank`.

    A Squad of infantry with attached teams is `infantry`.
    """
    look: Look | UnsetType = UNSET
    """Drawing of the unit, if its army list defines one."""
    name: str
    models: tuple[int, ...]
    """Ids of the unit's models in play; empty for a destroyed unit."""
    deployed: bool = False
    stuns: int = 0
    starting: int = 0
    """Number of models at the start; for a Squad, that of its whole Platoon. The Platoon bonus ends at half of it."""
    squads: int = 1
    """Number of Squads of the unit's whole Platoon; 1 without a Platoon."""
    platoon: int = -1
    """Id shared by the Squads of one Platoon, so that they can form up again; -1 for a unit without a Platoon."""
    spawned: bool = False
    """True if the unit appeared during the game."""
    locked: tuple[int, ...] = ()
    """Enemy units with which the unit is locked in close combat, in the order of contact (Q-CC-8)."""
    drone: DroneState | None = None
    """State of an Asori command unit's Shield Drone; None for other units."""
    concentrating: bool = False
    """True if the unit has concentrated command: it neither moves nor fires until its owner's next turn."""

    # Acts since the beginning of its owner's turn, reset by `fresh_turn`:
    moved: int = 0
    """Length of the unit's longest path this turn; 0 if it has not moved."""
    move_over: bool = False
    """True if none of the unit's bases may move again this turn."""
    no_free_move: bool = False
    """True if bases joined the unit this turn, so that it may move only the 5 cm that it buys (CH-PUTINF-10)."""
    joined_from: int = 0
    """Distance that the unit's bases had moved when others last joined."""
    paid: int = 0
    """Command points spent this turn on the unit's movement and fire."""
    spent: int = 0
    """Command points spent this turn on the unit for any purpose."""
    may_fire: bool = True
    """False if the unit's move of this turn forbids it to fire."""
    price_shot: int = 0
    """Additional price of the unit's shot, if the unit fires after its move."""
    charged: tuple[int, ...] = ()
    """Enemy units that the unit charged, also in earlier turns, and with which it is still locked."""
    charging: int = -1
    """Id of the enemy unit that the unit charged or rushed this turn; -1 for none."""
    rushing: bool = False
    """True if the unit's charge was an Asori Rush at Light vehicles. A Rush attacks in the combat step,
    and sets no lock.
    """
    arrived: bool = False
    """True if the unit's charge made contact."""
    charge_fire: bool = False
    """True if the unit used reaction fire against a charge in this turn."""
    disengaged: bool = False
    """True if the unit left close combat this turn, so that it cannot act until the turn ends."""
    tried_to_leave: bool = False
    marking: int = -1
    """Id of the enemy unit that the unit marked this turn; -1 for none."""
    appeared: bool = False
    """True if the unit appeared since its owner's turn began, so that it may not move yet (Q-SPAWN-2)."""
    spawned_this_turn: bool = False
    """True for a Carrier unit that has rolled for spawning this turn."""
    spawn_spots: tuple[Point, ...] = ()
    """Places of the unit's Carriers when they last spawned, even if in an earlier turn."""
    frozen: bool = False
    """True for Putredine infantry that may not move this turn (CH-PUTSTUN-01)."""
    newly_stunned: bool = False
    """True for Putredine infantry that got a marker since its owner's last step 2."""
    left: bool = False
    """True if the unit is off the table for good: it left over the enemy's edge, or found no room during deployment."""
    reacted: int = 0
    """Number of times that the unit used reaction fire in this enemy turn (for `rf.limit`)."""
    overwatch: int = 0
    """State of overwatch (house rule): 0 none, 1 waiting, 2 has fired. The values 1 and 2 both forbid reaction fire."""
    let_pass: tuple[int, ...] = ()
    """Enemy units on overwatch that have chosen not to fire at its move of this turn."""


class Army(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    army: str
    """Race of the army: `alliance`, `asori` or `putredine`."""
    edge: int = 0
    """Table edge on which the army deploys: 0 for south (y = 0), 1 for north."""
    cp: int = 0
    """Command points available: the pool in its own turn, the saved points in the enemy's."""
    vp: int = 0
    """Victory points that the army has scored so far."""
    turns: int = 0
    jammed_on: int = -2
    """Number of the enemy's turn in which the army's Radar Jammer was last used."""
    generated: int = 0
    """Command points generated at the start of its latest turn."""
    paint: Paint | UnsetType = UNSET
    """Colours of the army, if its list sets them."""


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of securing an objective (Q-OBJ-4)."""

    what: Literal["supplies", "points", "interference", "shock"]
    """Kind of the effect.

    `supplies` gives CP in each of the side's own steps 1 while the objective is secured. `points` gives VP each time it
    is secured. `interference` removes CP from the enemy's step 1 while it is secured. `shock` puts Stun markers on
    every enemy vehicle unit at once.
    """
    amount: Annotated[int, msgspec.Meta(ge=0, le=100)] = 1


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """A place that can be captured and secured. An objective is not an obstacle (Q-OBJ-6)."""

    name: str
    x: int
    y: int
    r: int
    owner: int | None = None
    """Side that owns the objective, so that securing it has the sabotage effect for the other side; None
    if it is neutral.
    """
    benefit: Effect | None = None
    """Effect of securing the objective for its owner, or for either side if it is neutral."""
    sabotage: Effect | None = None
    """Effect of securing the objective for the enemy of its owner."""
    worth: int = 0
    """Victory points at the end for the side that has secured it."""
    holder: int | None = None
    """Side that holds the objective; None if neither does."""
    holding: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """For each side, units that may secure the objective and touched it after the side's last turn."""
    secured: int | None = None
    first: int | None = None
    """Of the sides that touch the objective, the one that touched it first; None if neither touches it."""


class MarkOn(msgspec.Struct, frozen=True):
    """A target marked for the artillery until the end of the turn."""

    by: int
    target: int


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that was declared and paid for in step 4, and is carried out later in the turn."""

    unit: int
    target: int = -1
    """Id of the target; -1 for a spot on the ground."""
    squads: tuple[int, ...] = ()
    """Squads that fire in this group of split fire; empty for the whole unit."""
    share: int = 0
    """Number of the unit's Stun markers that count for this group of split fire."""
    marking_die: bool = True
    """True if this group has one die less because the unit has marked a target."""
    boost: int = 0
    """Number of boosts that were paid for."""
    exposed: bool = False
    """True if the order aims only at exposed models (CH-LOS-03)."""
    artillery: bool = False
    ranged_in: bool = False
    sighter: int = -1
    """Id of the friendly unit that sees the artillery's target; -1 for none."""
    spot: Point | None = None
    """Spot at which a Pod launcher aims."""
    rush: bool = False
    models: tuple[int, ...] = ()
    """Models that fire, as determined when the target was named (Q-TARGET-1)."""
    cover: int = 0
    """Cover bonuses of the target when it was named."""
    obstructed: int = 0
    """Number of cover bonuses that give infantry only one die (Q-LOS-9)."""
    only: tuple[int, ...] = ()
    """Exposed models of the target when it was named, if the attack aims only at these models; empty for any model."""
    paid: int = 0
    """Command points that the order cost. The points are returned if the order is taken back."""
    done: bool = False


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Reaction fire, declared at the start of the combat step."""

    unit: int
    order: int
    """Index of the order to which the unit reacts."""
    boost: int = 0
    models: tuple[int, ...] = ()
    cover: int = 0
    """Cover bonuses of the attacking unit."""
    obstructed: int = 0
    """Number of cover bonuses that give infantry only one die (Q-LOS-9)."""


class Naming(msgspec.Struct, frozen=True):
    """The enemy that a locked unit attacks in close combat."""

    unit: int
    enemy: int
    boost: int = 0


class Wound(msgspec.Struct, frozen=True, kw_only=True):
    """Recorded damage, which is applied at the end of its step (Q-SEQ-3).

    A record without kills and markers means that the unit lost models to Worm Tokens. When the damage of the step is
    applied, its markers are compared with the remaining models (Q-WORM-8).
    """

    unit: int
    kills: int = 0
    stuns: int = 0
    only: tuple[int, ...] = ()
    """The only models that can be removed, if the attacker aimed at exposed models; empty for any."""
    drone: DroneState | None = None
    """Effect of Overkill pairs on the Shield Drone; None for no effect."""


def of_dice(count: int) -> str:
    """Return a number of dice in words.

    >>> of_dice(1), of_dice(4)
    ('1 die', '4 dice')
    """
    return quantity(count, "die")


_STAMPS = count(1)


class Paid(Event, frozen=True):
    """Command points were spent."""

    side: int
    amount: int
    clause: str
    words: str
    unit: int | None = None

    def sentence(self, t: Any) -> str:
        return f"{t.armies[self.side].name} spends {self.amount} CP: {self.words}"


class Battle(State, kw_only=True):
    """The complete state of a battle."""

    unstored: ClassVar[tuple[str, ...]] = ("book", "told", "stamp", "names")

    scenario: str = ""
    table: Table
    armies: list[Army]
    units: list[Unit]
    models: list[Model]
    objectives: list[Objective] = msgspec.field(default_factory=list)
    zone: int = 1000
    """Depth of the deployment zones, in tenths of a millimetre."""
    rounds: int | None = 6
    keeps_vp: bool = True
    """True if destroyed units give victory points."""
    placed: bool = False
    """True if the scenario places both armies itself."""
    breakthrough: int = 0
    """Victory points for every unit that leaves over the enemy's edge; 0 if no unit may leave."""
    first: int = 0
    """Side that has the first turn."""
    round: int = 0
    step: int = 0
    """Number of the current step of the turn, as the edition counts them; 0 outside a turn."""
    marks: list[MarkOn] = msgspec.field(default_factory=list)
    orders: list[Order] = msgspec.field(default_factory=list)
    answers_declared: list[Answer] = msgspec.field(default_factory=list)
    namings: list[Naming] = msgspec.field(default_factory=list)
    wounds: list[Wound] = msgspec.field(default_factory=list)
    stamp: int = 0
    """Number that changes with every model and lock. The stamp is a key for cached results about places."""
    names: tuple[str, ...] = ()
    """Names of the units in sentences; computed again when units are added."""

    def __post_init__(self) -> None:
        """Give a new state a unique stamp."""
        if not self.stamp:
            self.stamp = next(_STAMPS)

    def awaken(self) -> None:
        self.stamp = next(_STAMPS)

    # --- reading ------------------------------------------------------------------------------------------------

    @property
    def ground(self) -> TableGround:
        ground: TableGround | None = self.book.scratch.get("ground")
        if ground is None:
            ground = self.book.scratch["ground"] = ground_of(self.table)
        return ground

    def discs(self, unit: int) -> list[Disc]:
        models = self.models
        return [models[m].disc for m in self.units[unit].models]

    def called(self, unit: int) -> str:
        """Return the name of a unit for a sentence, with its side if the other army has a unit of the same name."""
        if len(self.names) != len(self.units):
            self.names = names_told_apart([(u.side, u.name) for u in self.units], [a.name for a in self.armies])
        return self.names[unit]

    def unit_in_words(self, unit: int) -> str:
        return self.called(unit)

    def does(self, unit: int, verb: str) -> str:
        """Return a unit's name as `called`, followed by a verb that agrees with it. *verb* is in the third person."""
        return does(self.called(unit), verb)

    def in_play(self, side: int | None = None) -> Iterator[int]:
        for i, u in enumerate(self.units):
            if u.models and u.deployed and (side is None or u.side == side):
                yield i

    def enemies(self, side: int) -> Iterator[int]:
        return self.in_play(1 - side)

    # --- changes: the only ways to replace a record ---------------------------------------------------------------

    def change(self, unit: int, **fields: Any) -> None:
        self.units[unit] = replace(self.units[unit], **fields)
        if "locked" in fields or "models" in fields or "deployed" in fields:
            # Sight must be computed again, because only locked Putredine infantry blocks fire (Q-LOS-6).
            self.stamp = next(_STAMPS)

    def change_model(self, model: int, **fields: Any) -> None:
        self.models[model] = replace(self.models[model], **fields)
        self.stamp = next(_STAMPS)

    def change_army(self, side: int, **fields: Any) -> None:
        self.armies[side] = replace(self.armies[side], **fields)

    def add_unit(self, unit: Unit) -> int:
        """Add a unit, with a name that is unique among its side's units in play. Return the id of the new unit."""
        name = free_name(unit.name, [u.name for u in self.units if u.side == unit.side and u.models])
        self.units.append(unit if name == unit.name else replace(unit, name=name))
        return len(self.units) - 1

    def add_model(self, model: Model) -> int:
        """Add a model without adding its id to its unit's list. Return the id of the new model."""
        self.models.append(model)
        self.stamp = next(_STAMPS)
        return len(self.models) - 1

    def pay(
        self, side: int, price: tuple[Term, ...], unit: int | None = None, *, shooting_or_moving: bool = False
    ) -> None:
        """Take command points from a side's pool, which must have them.

        Args:
            price: The parts of the price, with their clauses.
            unit: The unit for which they are spent; None for none.
            shooting_or_moving: True if the points pay for the unit's movement or fire (Q-MOVE-5).
        """
        amount = sum([p.value for p in price])
        if amount == 0:
            return
        self.change_army(side, cp=self.armies[side].cp - amount)
        if unit is not None:
            u = self.units[unit]
            self.change(unit, spent=u.spent + amount, paid=u.paid + (amount if shooting_or_moving else 0))
        self.tell(
            Paid(
                side=side,
                amount=amount,
                clause=price[0].clause,
                words="; ".join(p.words for p in price if p.value),
                unit=unit,
            )
        )


def fresh_turn(u: Unit) -> Unit:
    """Return a unit for its owner's new turn, with the acts of its last turn reset.

    `concentrating`, `frozen` and `newly_stunned` are reset elsewhere. `reacted` and `charge_fire` belong to the enemy's
    turn.
    """
    return msgspec.structs.replace(
        u,
        moved=0,
        move_over=False,
        no_free_move=False,
        joined_from=0,
        paid=0,
        spent=0,
        may_fire=True,
        price_shot=0,
        charging=-1,
        rushing=False,
        arrived=False,
        disengaged=False,
        tried_to_leave=False,
        marking=-1,
        appeared=False,
        spawned_this_turn=False,
        overwatch=0,
        let_pass=(),
    )
